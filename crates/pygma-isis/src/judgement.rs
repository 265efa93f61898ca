//! Judgements of the game master and other orders (PYG-ORD-08, -09, PYG-GAP-40, catalogue 5.5).

use crate::PygmaIsis;
use crate::chart::Place;
use crate::codes::{Creature, Kind, SettlementKind, Stance, Terrain};
use crate::event::common::Common;
use crate::event::war::{Answer, Decree, Deed, War};
use crate::letters::Quota;
use crate::month::{self, Caused, Month, MonthTurn};
use crate::order::{Item, Order};
use crate::rule;
use crate::ruling::Ruling;
use crate::state::{ArmyId, ArmyName, Band, BandId, CulturePoints, Settlement, Status, Underground, Work};
use crate::{battle, intake, mines, settlements};
use kernel::diagnostic::{Span, Spanned};
use kernel::dice::{self, Owner};
use kernel::game::Game;
use kernel::hex::FieldIndex;
use kernel::limits;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die};

/// The greatest sum that a judgement gives or takes.
const GOLD_MAX: i64 = 1_000_000_000_000;

/// Unasked judgements, in the order given.
pub fn decree(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let input = turn.input;
    for judgement in input.edicts.iter().take(limits::RULINGS) {
        carry_out(turn, month, &judgement.ruling);
    }
}

/// Other orders: asked, answered, told, before anything else is done.
///
/// PYG-ORD-08, -09, PYG-GAP-40: without an answer they have no effect, and the unit's basic order holds. A sheet has a bounded number of
/// them, for the game master reads and answers each.
pub fn judge_others(turn: &mut MonthTurn<'_>, month: &mut Month) {
    const RULES: &[RuleId] = &[rule::ORD_09, rule::GAP_40];
    let mut quota = Quota::new(turn.tables.letters.free_texts_per_sheet);
    for (realm, order) in month::orders(turn) {
        match &order.value {
            Order::Other { unit, text } => {
                if let Some(unit) = unit
                    && !turn.state.armies.contains_key(&unit.value.of(realm))
                {
                    let id = unit.value.of(realm);
                    let finding = intake::wrong_unit(&turn.state, unit.span, id, &[rule::GAP_40, rule::GAP_67]);
                    turn.refuse(realm, finding);
                    continue;
                }
                let unit = unit.as_ref().map(|unit| unit.value);
                if quota.grants(turn, realm, order.span, RULES) {
                    judge_other(turn, month, (realm, order.span), unit, &text.value, 0);
                }
            }
            Order::Move(row) => {
                let others = row.special.iter().filter_map(|item: &Spanned<Item>| match &item.value {
                    Item::Other(text) => Some((item.span, text)),
                    _ => None,
                });
                for (index, (span, text)) in others.enumerate() {
                    if quota.grants(turn, realm, span, RULES) {
                        judge_other(turn, month, (realm, order.span), Some(row.unit.value), text, index);
                    }
                }
            }
            _ => {}
        }
    }
}

fn judge_other(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    (realm, span): (RealmId, Span),
    unit: Option<ArmyName>,
    text: &str,
    index: usize,
) {
    let again = if index == 0 {
        String::new()
    } else {
        format!(" {}", index.saturating_add(1))
    };
    let subject = format!("{realm} line {}{again}", span.line);
    let name = dice::name(rule::ORD_08, &subject);
    let given = turn.input.answers.get(&name);
    let reason = given.map(|judgement| judgement.reason.clone()).unwrap_or_default();
    let default = Ruling::Deny { text: String::new() };
    let answer = turn.ruling(rule::ORD_08, Some(realm), &subject, default);
    let (kind, words) = match (&answer, given.is_some()) {
        (_, false) => (Answer::None, String::new()),
        (Ruling::Deny { text }, true) => (Answer::Denied, text.clone()),
        (Ruling::Allow { text }, true) => (Answer::Allowed, text.clone()),
        (_, true) => (Answer::Changed, String::new()),
    };
    let what = War::OtherJudged {
        realm,
        unit,
        text: text.to_owned(),
        answer: kind,
        words,
        reason,
    };
    let rules = &[rule::ORD_08, rule::ORD_09, rule::GAP_40][..];
    month.emit(turn, Cause::Order(realm, span), rules, &[], what);
    carry_out(turn, month, &answer);
}

/// Basic orders that the game master set hold in place of the players' own (PYG-GAP-40).
pub fn set_orders(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (id, stance) in std::mem::take(&mut month.decreed) {
        if let Some(army) = turn.state.armies.get_mut(&id) {
            army.stance = stance;
        }
    }
}

/// Carries a judgement out; one about something that does not exist does nothing.
pub fn carry_out(turn: &mut MonthTurn<'_>, month: &mut Month, ruling: &Ruling) {
    match ruling {
        // A fixed die counts from the moment it falls; what came of it is told when all have fallen.
        Ruling::Deny { .. } | Ruling::Allow { .. } | Ruling::KeepRealm | Ruling::FixDie { .. } => {}
        Ruling::Several { rulings } => {
            for ruling in rulings.iter().take(limits::EDIT_LINES) {
                carry_out(turn, month, ruling);
            }
        }
        Ruling::Cause { realm, disaster, field } => {
            let playing = turn
                .state
                .realms
                .get(realm)
                .is_some_and(|own| own.status == Status::Playing);
            let place = field.map(|field| turn.state.field_at(field));
            if let (true, None | Some(Some(_))) = (playing, place) {
                month.caused.push(Caused {
                    realm: *realm,
                    disaster: *disaster,
                    field: place.flatten(),
                });
            }
        }
        Ruling::SetTerrain { field, terrain } => set_terrain(turn, month, *field, *terrain),
        Ruling::SetStance { realm, unit, stance } => {
            let id = unit.of(*realm);
            if turn.state.armies.contains_key(&id) && id.kind() != Kind::Trader {
                month.decreed.push((id, *stance));
                tell(turn, month, Decree::of_army(Deed::Stance, id).code(stance.code()));
            }
        }
        Ruling::ChangeGold { realm, gold } => change_gold(turn, month, *realm, *gold),
        Ruling::MoveUnit { realm, unit, field } => move_unit(turn, month, unit.of(*realm), *field),
        Ruling::SetStrength { realm, unit, count } => set_strength(turn, month, unit.of(*realm), *count),
        Ruling::SetOwner { field, realm } => set_owner(turn, month, *field, *realm),
        Ruling::SetSettlement { .. }
        | Ruling::SetWork { .. }
        | Ruling::SetPlague { .. }
        | Ruling::SetRoad { .. }
        | Ruling::SetRiver { .. } => {
            build(turn, month, ruling);
        }
        Ruling::PlaceBand { creature, count, field } => {
            let habitable = turn.state.field_at(*field).filter(|field| {
                turn.tables.is_water(turn.state.field(*field).terrain) == creature.is_at_sea() && *count > 0
            });
            let Some(field) = habitable else { return };
            let band = Band {
                creature: *creature,
                count: *count,
                field,
                stance: turn.tables.creature[*creature].attitude,
            };
            let id = turn.state.free_band();
            turn.state.bands.insert(id, band);
            let decree = Decree::of_field(Deed::Band, field).number(*count).code(creature.code());
            tell(turn, month, decree);
        }
        Ruling::RemoveBands { field } => {
            let Some(field) = turn.state.field_at(*field) else {
                return;
            };
            turn.state.bands.retain(|_, band| band.field != field);
            tell(turn, month, Decree::of_field(Deed::Band, field));
        }
        Ruling::SetCulture { realm, when, points } => {
            let Some(own) = turn.state.realms.get_mut(realm) else {
                return;
            };
            own.culture.retain(|culture| culture.when != *when);
            let points = (*points).clamp(-1_000, 1_000);
            if points != 0 {
                own.culture.push(CulturePoints { when: *when, points });
            }
            tell(turn, month, Decree::of_realm(Deed::Culture, *realm).number(points));
        }
        Ruling::HandOver { realm, player, name } => hand_over(turn, month, *realm, player, name.as_deref()),
        Ruling::Release { realm } => release(turn, month, *realm),
        Ruling::Write { to, text } => {
            let what = Common::GameMasterWrote {
                to: *to,
                text: text.clone(),
            };
            month.emit(turn, Cause::GameMaster, &[rule::GAP_69, rule::SEE_03][..], &[], what);
        }
        Ruling::Close => {
            turn.state.over = true;
            month.emit(turn, Cause::GameMaster, &[rule::GAP_66][..], &[], Common::WorldClosed);
        }
    }
}

/// Tells whoever is concerned (catalogue 5.5).
fn tell(turn: &mut MonthTurn<'_>, month: &Month, decree: Decree) {
    let rules: &'static [RuleId] = match decree.deed {
        Deed::Stance | Deed::Gold | Deed::Moved | Deed::Strength => &[rule::ORD_08, rule::GAP_40],
        Deed::Owner => &[rule::GAP_69, rule::GAME_08],
        Deed::Terrain | Deed::River => &[rule::GAME_06, rule::GAP_05],
        Deed::Settlement | Deed::Work => &[rule::GAME_06, rule::TOWN_07, rule::GAP_40],
        Deed::Road => &[rule::ROAD_08, rule::GAP_63],
        Deed::Plague => &[rule::PLAG_03, rule::GAP_20],
        Deed::Band => &[rule::GAME_09, rule::GAP_62],
        Deed::Culture => &[rule::FIGHT_10, rule::GAP_48],
        Deed::Released => &[rule::GAP_66, rule::GAP_68],
    };
    month.emit(turn, Cause::GameMaster, rules, &[], War::Decreed(decree));
}

fn change_gold(turn: &mut MonthTurn<'_>, month: &Month, realm: RealmId, gold: i64) {
    let Some(own) = turn.state.realms.get_mut(&realm) else {
        return;
    };
    let gold = gold.clamp(-GOLD_MAX, GOLD_MAX);
    own.treasury = own.treasury.saturating_add(gold).max(0);
    tell(turn, month, Decree::of_realm(Deed::Gold, realm).number(gold));
}

/// A land army onto land, a fleet onto water; what is aboard goes along, and who was aboard goes ashore.
fn move_unit(turn: &mut MonthTurn<'_>, month: &mut Month, id: ArmyId, to: Place) {
    let Some(to) = turn.state.field_at(to) else { return };
    if !turn.state.armies.contains_key(&id) {
        return;
    }
    let water = turn.tables.is_water(turn.state.field(to).terrain);
    let fits = match id.kind() {
        Kind::Warriors | Kind::Riders => !water,
        Kind::Fleet => water,
        Kind::Trader => true,
    };
    if !fits {
        return;
    }
    if turn.state.armies.get(&id).is_some_and(|army| army.aboard.is_some()) {
        month.board(&mut turn.state, id, None, to);
    } else {
        month.relocate(&mut turn.state, id, to);
    }
    month.plan_mut(id).began = Some(to);
    let mut decree = Decree::of_army(Deed::Moved, id);
    decree.field = Some(to);
    tell(turn, month, decree);
}

fn set_strength(turn: &mut MonthTurn<'_>, month: &mut Month, id: ArmyId, count: i64) {
    let max = turn.tables.army[id.kind()].max;
    let Some(army) = turn.state.armies.get_mut(&id) else {
        return;
    };
    if id.kind() == Kind::Trader {
        return;
    }
    let count = count.clamp(0, max);
    let before = army.count;
    if count < before {
        battle::lose(turn, month, id, before.saturating_sub(count));
    } else {
        army.count = count;
    }
    tell(turn, month, Decree::of_army(Deed::Strength, id).number(count));
}

fn set_owner(turn: &mut MonthTurn<'_>, month: &mut Month, field: Place, to: RealmId) {
    let known = !to.is_played() || turn.state.realms.contains_key(&to);
    let land = turn
        .state
        .field_at(field)
        .filter(|field| known && !turn.tables.is_water(turn.state.field(*field).terrain));
    let Some(field) = land else { return };
    let from = turn.state.field(field).owner;
    if from == to {
        return;
    }
    month.hand_over(&mut turn.state, field, to);
    if turn.state.field(field).settlement.is_some() {
        settlements::change_hands(turn, month, field, from, to);
    }
    let mut decree = Decree::of_field(Deed::Owner, field);
    (decree.realm, decree.other) = (from, to);
    tell(turn, month, decree);
    // Land is searched when it first joins a realm, however that comes about (PYG-GAP-55).
    if to.is_played() {
        mines::search(turn, month, field, to);
    }
}

/// Settlements, works, plague and roads appear or vanish.
fn build(turn: &mut MonthTurn<'_>, month: &Month, ruling: &Ruling) {
    let land = |place: Place| {
        let field = turn.state.field_at(place)?;
        (!turn.tables.is_water(turn.state.field(field).terrain)).then_some(field)
    };
    let decree = match ruling {
        Ruling::SetSettlement { field, kind } => {
            let Some(field) = land(*field) else { return };
            let here = turn.state.field_mut(field);
            match (kind, &mut here.settlement) {
                (None, settlement) => *settlement = None,
                (Some(kind), Some(town)) => town.kind = *kind,
                (Some(kind), settlement) => *settlement = Some(Box::new(Settlement::new(*kind))),
            }
            Decree::of_field(Deed::Settlement, field).code(kind.map_or("", |kind| kind.code()))
        }
        Ruling::SetWork { field, kind } => {
            let Some(field) = land(*field) else { return };
            let built = month.step;
            turn.state.field_mut(field).work = kind.map(|kind| Work { kind, built });
            Decree::of_field(Deed::Work, field).code(kind.map_or("", |kind| kind.code()))
        }
        Ruling::SetPlague { field, plagues } => {
            let Some(field) = land(*field) else { return };
            let Some(town) = &mut turn.state.field_mut(field).settlement else {
                return;
            };
            town.plague = *plagues;
            Decree::of_field(Deed::Plague, field).number(i64::from(*plagues))
        }
        Ruling::SetRoad { from, to, road: there } | Ruling::SetRiver { from, to, river: there } => {
            let (Some(from), Some(to)) = (land(*from), land(*to)) else {
                return;
            };
            let Some(direction) = turn.state.chart.direction_to(from, to) else {
                return;
            };
            let is_road = matches!(ruling, Ruling::SetRoad { .. });
            for (field, side) in [(from, direction), (to, direction.opposite())] {
                let here = turn.state.field_mut(field);
                // A new river has no bridge yet, and without its river a bridge spans nothing (PYG-GAP-05).
                let lines = if is_road {
                    &mut here.roads
                } else {
                    here.bridges.remove(side);
                    &mut here.rivers
                };
                if *there {
                    lines.insert(side);
                } else {
                    lines.remove(side);
                }
            }
            let deed = if is_road { Deed::Road } else { Deed::River };
            Decree::of_field(deed, from).number(i64::from(*there))
        }
        _ => return,
    };
    let owner = decree.field.map(|field| turn.state.field(field).owner);
    let decree = Decree {
        realm: owner.unwrap_or_default(),
        ..decree
    };
    tell(turn, month, decree);
}

/// The ground of a field is another. Land that becomes water loses its owner, its roads and what was built on it; whoever stands on the
/// field keeps it as it is.
fn set_terrain(turn: &mut MonthTurn<'_>, month: &mut Month, place: Place, terrain: Terrain) {
    let Some(field) = turn.state.field_at(place) else {
        return;
    };
    let (was, is) = (turn.state.field(field).terrain, terrain);
    let drowns = turn.tables.is_water(is) && !turn.tables.is_water(was);
    let changes_element = turn.tables.is_water(is) != turn.tables.is_water(was);
    let stands = turn.state.armies.values().any(|army| army.field == field)
        || turn.state.bands.values().any(|band| band.field == field);
    if was == is || is == Terrain::Unexplored || (changes_element && stands) {
        return;
    }
    let owner = turn.state.field(field).owner;
    if drowns {
        month.hand_over(&mut turn.state, field, RealmId::NOBODY);
        let around: Vec<_> = turn.state.chart.neighbours(field).collect();
        for (direction, other) in around {
            for (field, side) in [(field, direction), (other, direction.opposite())] {
                let here = turn.state.field_mut(field);
                here.roads.remove(side);
                here.bridges.remove(side);
                here.rivers.remove(side);
            }
        }
        let here = turn.state.field_mut(field);
        (here.settlement, here.work) = (None, None);
    }
    let here = turn.state.field_mut(field);
    here.terrain = is;
    here.ground = Underground::Unsearched;
    here.places = None;
    let decree = Decree {
        realm: owner,
        ..Decree::of_field(Deed::Terrain, field).code(is.code())
    };
    tell(turn, month, decree);
    if owner.is_played() && !drowns {
        mines::search(turn, month, field, owner);
    }
}

/// What became of the dice that the game master fixed (PYG-GAP-70): told to whose dice they were; what was no such die, or no such
/// face of it, only to him.
pub fn tell_dice(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let input = turn.input;
    for judgement in input.edicts.iter().take(limits::RULINGS) {
        for (name, face) in PygmaIsis::fixed_dice(&judgement.ruling) {
            let mut fixed = turn.rolls().iter().zip(0u32..).filter(|(roll, _)| roll.name == name);
            let found = fixed.next().map(|(roll, index)| (roll.owner, roll.fell, index));
            let what = Common::DieFixed {
                realm: match found {
                    Some((Owner::Realm(realm), Some(_), _)) => realm,
                    _ => RealmId::NOBODY,
                },
                name: name.to_owned(),
                face,
                fell: found.and_then(|(_, fell, _)| fell),
                reason: judgement.reason.clone(),
            };
            let die = found.map(|(_, _, index)| Die { value: face, index });
            month.emit(turn, Cause::GameMaster, &[rule::GAP_70][..], die.as_slice(), what);
        }
    }
}

/// Another player takes a realm over; his absence starts anew.
fn hand_over(turn: &mut MonthTurn<'_>, month: &Month, realm: RealmId, player: &str, name: Option<&str>) {
    let Some(own) = turn.state.realms.get_mut(&realm) else {
        return;
    };
    own.player = player.to_owned();
    if let Some(name) = name {
        own.name = name.to_owned();
    }
    own.missed = 0;
    let rules = &[rule::GAME_03, rule::GAP_68][..];
    month.emit(turn, Cause::GameMaster, rules, &[], Common::RealmAssigned { realm });
}

/// A realm leaves the game: neutral land, garrisons in place of its land armies, no ships and traders any more.
fn release(turn: &mut MonthTurn<'_>, month: &mut Month, realm: RealmId) {
    let Some(own) = turn.state.realms.get_mut(&realm) else {
        return;
    };
    if own.status != Status::Playing {
        return;
    }
    own.status = Status::Released;
    let land: Vec<FieldIndex> = turn.state.land_of(realm).map(|(field, _)| field).collect();
    for field in land {
        month.hand_over(&mut turn.state, field, RealmId::NOBODY);
        let coastal = turn.state.is_coastal(turn.tables, field);
        if let Some(town) = &mut turn.state.field_mut(field).settlement
            && town.kind == SettlementKind::Capital
        {
            // Nobody's capital is a town like others (PYG-GAP-17).
            town.kind = if coastal {
                SettlementKind::HarbourTown
            } else {
                SettlementKind::InlandTown
            };
        }
    }
    let armies: Vec<ArmyId> = turn.state.armies_of(realm).map(|(id, _)| id).collect();
    for id in armies {
        let Some(army) = month.remove(&mut turn.state, id) else {
            continue;
        };
        if id.kind().is_land_army() && army.aboard.is_none() {
            let band: BandId = turn.state.free_band();
            let garrison = Band {
                creature: Creature::Garrison,
                count: army.count,
                field: army.field,
                stance: Stance::Nothing,
            };
            turn.state.bands.insert(band, garrison);
        }
    }
    tell(turn, month, Decree::of_realm(Deed::Released, realm));
}
