//! Reading the orders into plans: who was told what (GAP-04, GAP-12 phase A, GAP-30, GAP-39).

use crate::codes::{Command, Flag};
use crate::event::Happening;
use crate::order::{March, Order, Recipient, Special};
use crate::ruling::Ruling;
use crate::season::{self, Season, SeasonTurn};
use crate::state::{ArmyId, ArmyName, TableChange};
use crate::tables::Tables;
use crate::tables::policy::{DuplicateOrder, MissingFlag};
use crate::{absence, editing, grammar, rule};
use kernel::diagnostic::{Diagnostic, Parsed, Span};
use kernel::dice::Owner;
use kernel::house::{Misfits, Problem};
use kernel::limits;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::{BTreeMap, BTreeSet};

const STEP: &str = "read-orders";

/// Faces of the dice that put realms into an order: many, so that ties are rare.
const RANKS: i64 = 1_000_000;

/// Phase A: edicts of the game master, missing orders, plans of all armies, the random order of realms.
pub fn read_orders(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    // What the game master changes now holds from the next turn on.
    let has_house_rules = !turn.state.house_rules.trim().is_empty();
    apply_edicts(turn, season);
    for realm in turn.state.realms.values_mut() {
        realm.income = 0;
        realm.upkeep = None;
    }
    count_absences(turn, season, has_house_rules);
    stand_by(turn);
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        give_orders(turn, season, realm);
    }
    let realm_order = draw_realm_order(turn, season);
    season.draw(realm_order);
}

/// The end of phase B: armies that were ordered but never came to be (A01), specials that are not for their kind (A07, A11, A13, A19,
/// A34), and spies that will be seen (A35w, A38w).
///
/// Armies armed, split off or summoned in this file may be ordered in it too (GAP-08, THO-SPEC-03, THO-SPEC-08), so an unknown army is
/// one that does not exist by now. GAP-14: sizes are those with which the armies begin week 1.
pub fn settle_pending(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let input = turn.input;
    for (realm, parsed) in &input.orders {
        for order in &parsed.orders {
            let Order::March(march) = &order.value else { continue };
            let id = march.army.value.of(*realm);
            let Some(plan) = season.plan(id).filter(|plan| plan.line == Some(order.span)) else {
                continue;
            };
            if plan.began.is_none() {
                turn.refuse(*realm, unknown(id, march));
                continue;
            }
            if let Some(misfit) = &march.misfit {
                turn.refuse(*realm, Diagnostic::clone(misfit));
            }
            if let Some(warning) = too_visible(turn, season, id, march) {
                turn.refuse(*realm, warning);
            }
        }
    }
}

/// THO-ADM-01, THO-ADM-02, THO-MSG-02: what the game master decided unasked, in the order given.
fn apply_edicts(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let input = turn.input;
    for judgement in input.edicts.iter().take(limits::RULINGS) {
        match &judgement.ruling {
            Ruling::KeepRealm => {}
            Ruling::HandOver { realm, player, name } => {
                absence::hand_over(turn, season, *realm, player, name.as_deref());
            }
            Ruling::Release { realm } => absence::release(turn, season, *realm),
            Ruling::AssignKind { realm, kind } => assign(turn, season, *realm, |owner| owner.kind = *kind),
            Ruling::AssignCulture { realm, culture } => {
                assign(turn, season, *realm, |owner| owner.culture = culture.clone());
            }
            Ruling::ChangeTables { toml } => change_tables(turn, season, toml, &judgement.reason),
            Ruling::Write { to, text } => {
                let to = to.map_or(Recipient::Everyone, Recipient::Realm);
                let text = text.clone();
                decree(turn, season, &[rule::MSG_02], Happening::GameMasterWrote { to, text });
            }
            Ruling::Credit { realm, amount } => credit(turn, season, *realm, *amount),
            Ruling::Edit { change } => editing::apply(turn, season, change),
            Ruling::Edits { changes } => {
                for change in changes {
                    editing::apply(turn, season, change);
                }
            }
            Ruling::Close => {
                turn.state.over = true;
                decree(turn, season, &[rule::GAP_42], Happening::WorldClosed);
            }
        }
    }
    // Changes before the first turn were there from the beginning: every realm knows its surroundings as they have become.
    let changes_land = |ruling: &Ruling| matches!(ruling, Ruling::Edit { .. } | Ruling::Edits { .. });
    if season.turn == 1 && input.edicts.iter().any(|judgement| changes_land(&judgement.ruling)) {
        crate::worldgen::look_around(&mut turn.state);
    }
}

fn decree(turn: &mut SeasonTurn<'_>, season: &Season, rules: &'static [RuleId], what: Happening) {
    season.emit(turn, Cause::GameMaster, rules, &[], what);
}

/// THO-ADM-02: a realm's kind or people changes.
fn assign(turn: &mut SeasonTurn<'_>, season: &Season, realm: RealmId, change: impl FnOnce(&mut crate::state::Realm)) {
    if let Some(owner) = turn.state.realms.get_mut(&realm) {
        change(owner);
        decree(turn, season, &[rule::ADM_02], Happening::RealmAssigned { realm });
    }
}

/// A payment of the player arrived (THO-ORG-02).
fn credit(turn: &mut SeasonTurn<'_>, season: &Season, realm: RealmId, amount: i64) {
    if let Some(owner) = turn.state.realms.get_mut(&realm) {
        owner.account = Some(owner.account.unwrap_or(0).saturating_add(amount));
        decree(
            turn,
            season,
            &[rule::ORG_02],
            Happening::AccountCredited { realm, amount },
        );
    }
}

/// THO-ADM-01, GAP-40: figures change from the next turn on, and the change is kept with turn and reason.
///
/// Figures that contradict themselves would leave a world that cannot go on: such a change is not made, and the game master
/// is told why.
fn change_tables(turn: &mut SeasonTurn<'_>, season: &Season, toml: &str, reason: &str) {
    match changed_rules(&turn.state.house_rules, toml) {
        Ok(merged) => turn.state.house_rules = merged,
        Err(fault) => {
            let (toml, fault) = (toml.into(), fault.to_string().into());
            return decree(
                turn,
                season,
                &[rule::ADM_01, rule::GAP_40],
                Happening::TablesRefused { toml, fault },
            );
        }
    }
    turn.state.table_changes.push(TableChange {
        turn: season.turn.saturating_add(1),
        toml: toml.to_owned(),
        reason: reason.to_owned(),
    });
    let toml = toml.to_owned();
    decree(
        turn,
        season,
        &[rule::ADM_01, rule::GAP_40],
        Happening::TablesChanged { toml },
    );
}

/// The house rules after a change, if their figures agree with each other.
///
/// # Errors
/// What is wrong with the change.
pub fn changed_rules(house_rules: &str, change: &str) -> Result<String, Misfits> {
    let merged = merge_toml(house_rules, change)?;
    if merged.len() > limits::HOUSE_RULES_BYTES {
        let problem = Problem::OutOfRange {
            path: "house-rules".to_owned(),
            value: i64::try_from(merged.len()).unwrap_or(i64::MAX),
            min: 0,
            max: limits::HOUSE_RULES_BYTES as i64,
        };
        return Err(problem.into());
    }
    Tables::with_overrides(&merged).map(|_| merged)
}

/// One TOML text laid over another, table by table.
fn merge_toml(under: &str, over: &str) -> Result<String, Misfits> {
    fn lay(under: &mut toml::Table, over: toml::Table) {
        for (key, value) in over {
            match (under.get_mut(&key), value) {
                (Some(toml::Value::Table(below)), toml::Value::Table(above)) => lay(below, above),
                (_, value) => {
                    under.insert(key, value);
                }
            }
        }
    }
    let unreadable = |message: String| Misfits::from(Problem::Unreadable { message });
    let read = |text: &str| {
        text.parse::<toml::Table>()
            .map_err(|error| unreadable(error.message().to_owned()))
    };
    let mut table = read(under)?;
    lay(&mut table, read(over)?);
    toml::to_string(&table).map_err(|error| unreadable(error.to_string()))
}

/// GAP-30: who sent no file. A file without orders counts as sent.
///
/// THO-ORD-01..10: for the others the journal says which forms the file used. THO-ADM-01, GAP-40: and whether the figures are
/// the book's.
fn count_absences(turn: &mut SeasonTurn<'_>, season: &Season, has_house_rules: bool) {
    let input = turn.input;
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let parsed = input.orders.get(&realm);
        let Some(owner) = turn.state.realms.get_mut(&realm) else {
            continue;
        };
        owner.missed_turns = if parsed.is_some() {
            0
        } else {
            owner.missed_turns.saturating_add(1)
        };
        let in_a_row = owner.missed_turns;
        let (mut rules, what) = match parsed {
            None => (
                vec![rule::ADM_03, rule::GAP_30],
                Happening::OrdersMissing { realm, in_a_row },
            ),
            Some(parsed) => {
                let orders = u32::try_from(parsed.orders.len()).unwrap_or(u32::MAX);
                let forms = parsed.orders.iter().map(|order| form_of(&order.value));
                (rules_of_forms(forms), Happening::OrdersRead { realm, orders })
            }
        };
        rules.extend(has_house_rules.then_some(rule::ADM_01));
        rules.extend(turn.tables.has_own(realm).then_some(rule::GAP_40));
        season.emit(turn, Cause::Step(STEP), rules, &[], what);
    }
}

/// The verb of an order that was read.
fn form_of(order: &Order) -> &'static grammar::Verb {
    match order {
        Order::Build { .. } => &grammar::BUILD,
        Order::Lay { .. } => &grammar::LAY,
        Order::Arm { .. } => &grammar::ARM,
        Order::March(_) => &grammar::MARCH,
        Order::Pay { .. } => &grammar::PAY,
        Order::Cede { .. } => &grammar::CEDE,
        Order::Propose { .. } => &grammar::PROPOSE,
        Order::Send { .. } => &grammar::SEND,
        Order::Describe { .. } => &grammar::DESCRIBE,
        Order::AskInformation => &grammar::ASK,
        Order::SetComputer(_) => &grammar::COMPUTER,
        Order::RenameRealm(_) => &grammar::RENAME,
    }
}

/// The rules by which a file with these forms was read, each once.
fn rules_of_forms(forms: impl Iterator<Item = &'static grammar::Verb>) -> Vec<RuleId> {
    let mut rules = vec![rule::ORD_01, rule::ORD_02, rule::ORD_03, rule::ORD_04, rule::GAP_39];
    for verb in forms {
        for rule in verb.rules {
            if !rules.contains(rule) {
                rules.push(*rule);
            }
        }
    }
    rules
}

/// GAP-04: every army stands with V until an order says otherwise, and keeps its flag.
fn stand_by(turn: &mut SeasonTurn<'_>) {
    let tables = turn.tables;
    let input = turn.input;
    for (id, army) in turn.state.armies.iter_mut().filter(|(id, _)| id.realm.is_played()) {
        let tables = tables.of(id.realm);
        army.command = match input.orders.contains_key(&id.realm) {
            true => tables.orders.missing_order_command,
            false => tables.absence.command,
        };
        match tables.orders.missing_order_flag {
            MissingFlag::Previous => {}
            MissingFlag::Shown => army.flag = Flag::Shown,
            MissingFlag::Unassigned => army.flag = Flag::Unassigned,
        }
    }
}

/// The army lines of one realm become plans.
///
/// A line for a forbidden command is void (A04), so that a later line for the army stands; if there is no such army and none is to
/// come, that is what is wrong with it (A01). GAP-04: of two valid lines the first stands (A02).
fn give_orders(turn: &mut SeasonTurn<'_>, season: &mut Season, realm: RealmId) {
    let input = turn.input;
    let Some(parsed) = input.orders.get(&realm) else { return };
    let mut stands: BTreeMap<ArmyId, (Span, &March)> = BTreeMap::new();
    let mut coming: Option<BTreeSet<ArmyName>> = None;
    for order in &parsed.orders {
        let Order::March(march) = &order.value else { continue };
        let id = march.army.value.of(realm);
        if let Some(refusal) = forbidden(id, march) {
            let exists =
                turn.state.army(id).is_some() || coming.get_or_insert_with(|| newcomers(parsed)).contains(&id.name);
            turn.refuse(realm, if exists { refusal } else { unknown(id, march) });
            continue;
        }
        let duplicate = |of: &March, other: Span| {
            let refusal = Diagnostic::error("A02", of.army.span, &[rule::GAP_04, rule::ORD_06]);
            refusal.with("armee", id.name.to_string()).with("m", other.line)
        };
        match (stands.get(&id).copied(), turn.tables.of(realm).orders.duplicate_order) {
            (Some((first, _)), DuplicateOrder::FirstWins) => turn.refuse(realm, duplicate(march, first)),
            (earlier, _) => {
                if let Some((_, earlier)) = earlier {
                    turn.refuse(realm, duplicate(earlier, order.span));
                }
                stands.insert(id, (order.span, march));
            }
        }
    }
    for (id, (line, march)) in stands {
        give_order(turn, season, id, line, march);
    }
}

/// The armies that orders of a file would bring into being: armed, split off, summoned, or formed as a group.
fn newcomers(parsed: &Parsed<Order>) -> BTreeSet<ArmyName> {
    let named = |order: &Order| match order {
        Order::Arm { army, .. } => Some(army.value),
        Order::March(march) => match march.special?.value {
            Special::Split { number, .. } => Some(ArmyName::new(march.army.value.kind, number)),
            Special::Summon { demon, .. } => Some(demon),
            Special::Join(group) => Some(group),
            _ => None,
        },
        _ => None,
    };
    parsed.orders.iter().filter_map(|order| named(&order.value)).collect()
}

/// A01: no such army.
fn unknown(id: ArmyId, march: &March) -> Diagnostic {
    let refusal = Diagnostic::error("A01", march.army.span, &[rule::UNIT_01, rule::GAP_04]);
    refusal.with("armee", id.name.to_string())
}

/// One army is told its season. An army that does not exist yet obeys from the moment it does.
fn give_order(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, line: Span, march: &March) {
    if let Some(army) = turn.state.armies.get_mut(&id) {
        army.command = march.command.value;
        army.flag = march.flag;
    }
    let from = turn.state.army(id).map(|army| army.field);
    let plan = season.plan_mut(id);
    plan.line = Some(line);
    plan.route_span = march.route.span;
    plan.route = march.route.value;
    plan.told = Some((march.command.value, march.flag));
    plan.special.clone_from(&march.special);
    plan.aim = from.and_then(|from| season::aim(&turn.state.grid, from, &march.route.value));
}

/// A04: not every army can be told everything (THO-CMD-01..06, THO-CMD-08).
fn forbidden(id: ArmyId, march: &March) -> Option<Diagnostic> {
    let (kind, command) = (id.kind(), march.command.value);
    if grammar::may_obey(kind, command) {
        return None;
    }
    let decided = match command {
        Command::Defend => rule::CMD_01,
        Command::Attack => rule::CMD_02,
        Command::Plunder => rule::CMD_03,
        Command::Conquer if kind.is_group() => rule::CMD_08,
        Command::Conquer => rule::CMD_04,
        Command::Destroy => rule::CMD_06,
    };
    let allowed = Command::ALL.iter().filter(|command| grammar::may_obey(kind, **command));
    let allowed: Vec<&str> = allowed.map(|command| command.code()).collect();
    let refusal = Diagnostic::error("A04", march.command.span, &[decided, rule::GAP_04]);
    let refusal = refusal
        .with("typ", kind.code())
        .with_word("befehl", grammar::command_word(command));
    Some(refusal.with("liste", allowed.join(" ")))
}

/// A35w, A38w: an army that shall pass unseen but is too large, or attacks (THO-UNIT-08, THO-SIGHT-03, GAP-14).
fn too_visible(turn: &SeasonTurn<'_>, season: &Season, id: ArmyId, march: &March) -> Option<Diagnostic> {
    let army = turn.state.army(id).filter(|_| march.flag == Flag::Unseen)?;
    let rules = &[rule::GAP_14, rule::UNIT_08, rule::SIGHT_03];
    let most = turn.tables.of(id.realm).spy_max(id.kind()).unwrap_or(0);
    let parts = season.parts(id);
    let heads: i64 = parts
        .iter()
        .filter_map(|part| turn.state.army(*part))
        .map(|part| part.count)
        .sum();
    if heads > most {
        let warning = Diagnostic::warning("A35w", march.command.span, rules).with("armee", id.name.to_string());
        return Some(warning.with("n", heads).with("max", most));
    }
    let is_busy = army.command.is_attack();
    is_busy.then(|| {
        let warning = Diagnostic::warning("A38w", march.command.span, rules).with("armee", id.name.to_string());
        warning.with("c", army.command.code())
    })
}

/// GAP-12: the random order of realms within a step.
///
/// Every realm has a die of its own, so that nobody's orders change the order of two others. Realms whose armies neither march nor
/// have a special come last and need no die: nothing of theirs could come first.
fn draw_realm_order(turn: &mut SeasonTurn<'_>, season: &Season) -> Vec<RealmId> {
    let (mut stirring, resting): (Vec<RealmId>, Vec<RealmId>) =
        turn.state.playing().partition(|realm| season.stirs(*realm));
    if stirring.len() > 1 {
        let mut ranks: BTreeMap<RealmId, i64> = BTreeMap::new();
        for realm in &stirring {
            let die = turn.roll(rule::GAP_12, Owner::World, &format!("realm {realm}"), 1, RANKS);
            ranks.insert(*realm, die.value);
        }
        stirring.sort_by_key(|realm| (ranks.get(realm).copied(), *realm));
    }
    stirring.extend(resting);
    stirring
}
