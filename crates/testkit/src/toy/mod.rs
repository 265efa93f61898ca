//! The smallest game that fits the contract: hosts on ten fields in a row march and dig for gold.
//!
//! It tests the runner and the harnesses. Its house rules can plant a [`Fault`]: a leak, a coin that remembers, a state
//! that is not fully stored. A runner that finds none of them is worth nothing.

mod board;
mod campaign;
mod edits;
mod orders;
mod stage;

use kernel::diagnostic::{Diagnostic, Name, Parsed};
use kernel::dice::{Dice, Owner, Roll};
use kernel::game::{Brief, Game, Step, Told, WorldPlan};
use kernel::house::Misfits;
use kernel::map::{Army, Field, Knowledge, Scene, Spot};
use kernel::misread::Misread;
use kernel::realm::{RealmId, Viewer};
use kernel::report::{Arg, Line, ReportSink, Term, Why};
use kernel::rule::{Rule, RuleId, RuleKind};
use kernel::stage::Stage;
use kernel::turn::{Cause, Turn};
use kernel::worldgen::NoWorld;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};

/// Fields of the row.
pub const FIELDS: i64 = 10;

const MARCH: RuleId = RuleId::new("TOY-MARCH-01");
const EDGE: RuleId = RuleId::new("TOY-MARCH-02");
const DIG: RuleId = RuleId::new("TOY-DIG-01");
const SIGHT: RuleId = RuleId::new("TOY-SIGHT-01");
const PRAYER: RuleId = RuleId::new("TOY-PRAY-01");
const GRANT: RuleId = RuleId::new("TOY-GRANT-01");
const WRITING: RuleId = RuleId::new("TOY-FILE-01");
const SPADE: RuleId = RuleId::new("TOY-DIG-02");
const EXAMPLE: RuleId = RuleId::new("TOY-EX-01");
const TALE: RuleId = RuleId::new("TOY-LORE-01");
const GAP: RuleId = RuleId::new("TOY-GAP-01");

const fn rule(id: RuleId, kind: RuleKind, de: &'static str, en: &'static str) -> Rule {
    Rule {
        id,
        kind,
        chapter: "toy",
        de,
        en,
        see: &[],
    }
}

const RULES: &[Rule] = &[
    rule(
        MARCH,
        RuleKind::Auto,
        "Ein Heer zieht beliebig weit.",
        "A host marches any distance.",
    ),
    rule(
        EDGE,
        RuleKind::Auto,
        "Am Rand der Reihe ist Schluß.",
        "The row ends at its edges.",
    ),
    rule(
        DIG,
        RuleKind::Auto,
        "Wer gräbt, findet 1 bis 6 Gold.",
        "Digging finds 1 to 6 gold.",
    ),
    rule(
        SIGHT,
        RuleKind::Auto,
        "Heere auf einem Feld sehen sich.",
        "Hosts on one field see each other.",
    ),
    rule(
        PRAYER,
        RuleKind::Gm,
        "Über Gebete entscheidet der Spielleiter.",
        "Prayers are the game master's.",
    ),
    rule(
        GRANT,
        RuleKind::Gm,
        "Der Spielleiter darf schenken.",
        "The game master may give.",
    ),
    rule(WRITING, RuleKind::Org, "Ein Befehl je Zeile.", "One order a line."),
    rule(
        SPADE,
        RuleKind::Void,
        "Graben braucht einen Spaten.",
        "Digging needs a spade.",
    ),
    rule(
        EXAMPLE,
        RuleKind::Example,
        "Adler gräbt eine Vier.",
        "Adler digs up a four.",
    ),
    rule(TALE, RuleKind::Lore, "Die Reihe ist alt.", "The row is old."),
    rule(
        GAP,
        RuleKind::Ruling,
        "Ohne Befehl ruht das Heer.",
        "A host without orders rests.",
    ),
];

/// What is broken on purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// Everyone is told who digs.
    Tells,
    /// Every view counts the gold of the whole world.
    Counts,
    /// The same, but only from the third step on.
    Babbles,
    /// A coin outside the state changes with every run.
    Wavers,
    /// A part of the state is not stored.
    Forgets,
    /// The same die is rolled twice.
    Repeats,
    /// Digging ends the program.
    Panics,
    /// Digging breaks a law of the game.
    Breaks,
    /// The event of digging names no rule.
    Nameless,
}

/// House rules of the toy.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tables {
    /// The most gold that one digging finds.
    pub gold_max: i64,
    /// What is broken on purpose.
    pub fault: Fault,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            gold_max: 6,
            fault: Fault::None,
        }
    }
}

/// A realm's host.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Host {
    /// The realm's name.
    pub name: String,
    /// Its field, from 0.
    pub at: i64,
    /// Its gold.
    pub gold: i64,
}

/// The world.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// House rules as TOML.
    pub house_rules: String,
    /// Number of the open step.
    pub step: u32,
    /// The hosts.
    pub hosts: BTreeMap<RealmId, Host>,
    /// Lost on storing: the fault [`Fault::Forgets`].
    #[serde(skip)]
    pub unsaved: i64,
}

/// An order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// March to a field.
    March(i64),
    /// Dig for gold.
    Dig,
    /// Pray for gold.
    Pray,
}

/// A judgement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ruling {
    /// Gold for a prayer.
    Gold(i64),
    /// Gold for a realm, unasked.
    Grant(RealmId, i64),
    /// A host stands on another field.
    Put(RealmId, i64),
    /// A die shows another face than the one that falls.
    Face(String, i64),
    /// Several of them.
    Several(Vec<Ruling>),
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// A host marched.
    Marched {
        /// Whose.
        realm: RealmId,
        /// Where to.
        to: i64,
    },
    /// A realm came by gold.
    GoldGained {
        /// Whose.
        realm: RealmId,
        /// How much.
        gold: i64,
        /// Who is told beside the realm itself.
        witnesses: Vec<RealmId>,
    },
    /// Two hosts met.
    Met {
        /// The one.
        one: RealmId,
        /// The other.
        other: RealmId,
    },
}

/// What a viewer is told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Notice {
    /// A host marched.
    Marched(String, i64),
    /// A realm came by gold.
    Gold(String, i64),
    /// A host was seen.
    Seen(String),
}

/// What a viewer knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct View {
    viewer: Viewer,
    house_rules: String,
    step: u32,
    me: Option<Host>,
    told: Vec<Told<Notice>>,
    diagnostics: Vec<Diagnostic>,
    total_gold: Option<i64>,
}

/// The game.
#[derive(Clone, Debug)]
pub struct Toy;

/// The coin of [`Fault::Wavers`].
static COIN: AtomicI64 = AtomicI64::new(0);

impl Game for Toy {
    const CODE: &'static str = "TOY";
    const NAME: &'static str = "toy";
    const RETELLS: bool = true;
    const SCHEMA: u16 = 1;

    type Tables = Tables;
    type State = State;
    type Seat = RealmId;
    type Order = Order;
    type Ruling = Ruling;
    type Event = Event;
    type Notice = Notice;
    type View = View;

    fn rules() -> &'static [Rule] {
        RULES
    }

    fn tables(house_rules: &str) -> Result<Tables, Misfits> {
        Ok(toml::from_str(house_rules)?)
    }

    fn house_rules(state: &State) -> &str {
        &state.house_rules
    }

    fn house_rules_of_view(view: &View) -> &str {
        &view.house_rules
    }

    fn create(
        _tables: &Tables,
        house_rules: &str,
        plan: &WorldPlan,
        dice: &mut Dice,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<State, NoWorld> {
        let mut state = State {
            house_rules: house_rules.to_owned(),
            step: 1,
            ..State::default()
        };
        for (seat, number) in plan.seats.iter().zip(1u16..) {
            let at = dice.roll(Owner::World, &format!("start {number}"), 0, FIELDS - 1);
            let host = Host {
                name: seat.realm.clone(),
                at,
                gold: 10,
            };
            state.hosts.insert(RealmId(number), host);
        }
        progress(1, 1);
        Ok(state)
    }

    fn open_step(_tables: &Tables, state: &State) -> Step {
        Step {
            number: state.step,
            name: Term {
                key: Name::Borrowed("step"),
                args: Vec::new(),
            },
            owes: state.hosts.keys().copied().collect(),
            plays: state.hosts.keys().copied().collect(),
            over: false,
        }
    }

    fn seat(_tables: &Tables, state: &State, realm: RealmId) -> Option<RealmId> {
        state.hosts.contains_key(&realm).then_some(realm)
    }

    fn seat_of_view(view: &View) -> Option<RealmId> {
        match view.viewer {
            Viewer::Realm(realm) => Some(realm),
            Viewer::GameMaster => None,
        }
    }

    fn parse(_tables: &Tables, _seat: &RealmId, file: &[u8]) -> Parsed<Order> {
        orders::parse(file)
    }

    fn check(_tables: &Tables, view: &View, parsed: &Parsed<Order>) -> Vec<Diagnostic> {
        let Some(me) = &view.me else { return Vec::new() };
        let idle = parsed.orders.iter().filter(|order| order.value == Order::March(me.at));
        idle.map(|order| Diagnostic::hint("idle-march", order.span, &[MARCH]))
            .collect()
    }

    fn adjudicate(turn: &mut Turn<'_, Self>) {
        for judgement in &turn.input.edicts {
            if let Ruling::Grant(realm, gold) = judgement.ruling {
                gain(turn, Cause::GameMaster, vec![GRANT], &[], realm, gold);
            }
            edits::put(&mut turn.state, &judgement.ruling);
        }
        let realms: Vec<RealmId> = turn.state.hosts.keys().copied().collect();
        for realm in &realms {
            let orders = turn.input.orders.get(realm).map_or(&[][..], |parsed| &parsed.orders);
            for order in orders {
                let cause = Cause::Order(*realm, order.span);
                match order.value {
                    Order::March(to) if (0..FIELDS).contains(&to) => {
                        if let Some(host) = turn.state.hosts.get_mut(realm) {
                            host.at = to;
                            turn.emit(cause, vec![MARCH], &[], Event::Marched { realm: *realm, to });
                        }
                    }
                    Order::March(_) => turn.refuse(*realm, Diagnostic::error("beyond-the-edge", order.span, &[EDGE])),
                    Order::Dig => dig(turn, *realm, cause, order.span.line),
                    Order::Pray => {
                        let subject = format!("{realm} line {}", order.span.line);
                        if let Ruling::Gold(gold) = turn.ruling(PRAYER, Some(*realm), &subject, Ruling::Gold(0)) {
                            gain(turn, cause, vec![PRAYER], &[], *realm, gold);
                        }
                    }
                }
            }
        }
        meetings(turn, &realms);
        turn.state.step += 1;
    }

    fn audience(_state: &State, event: &Event, realms: &mut Vec<RealmId>) {
        match event {
            Event::Marched { realm, .. } => realms.push(*realm),
            Event::GoldGained { realm, witnesses, .. } => {
                realms.push(*realm);
                realms.extend(witnesses);
            }
            Event::Met { one, other } => realms.extend([*one, *other]),
        }
    }

    fn notice(_tables: &Tables, state: &State, event: &Event, viewer: Viewer) -> Option<Notice> {
        let name = |realm: &RealmId| {
            state
                .hosts
                .get(realm)
                .map_or_else(String::new, |host| host.name.clone())
        };
        Some(match event {
            Event::Marched { realm, to } => Notice::Marched(name(realm), *to),
            Event::GoldGained { realm, gold, .. } => Notice::Gold(name(realm), *gold),
            Event::Met { one, other } if viewer == Viewer::Realm(*one) => Notice::Seen(name(other)),
            Event::Met { one, .. } => Notice::Seen(name(one)),
        })
    }

    fn view(tables: &Tables, state: &State, brief: Brief<Self>) -> View {
        let me = match brief.viewer {
            Viewer::Realm(realm) => state.hosts.get(&realm).cloned(),
            Viewer::GameMaster => None,
        };
        let counts = tables.fault == Fault::Counts || tables.fault == Fault::Babbles && state.step >= 3;
        View {
            viewer: brief.viewer,
            house_rules: state.house_rules.clone(),
            step: state.step,
            me,
            told: brief.told,
            diagnostics: brief.diagnostics,
            total_gold: counts.then(|| state.hosts.values().map(|host| host.gold).sum()),
        }
    }

    fn open_rolls(view: &View) -> Vec<Roll> {
        view.told.iter().flat_map(|told| told.why.rolls.clone()).collect()
    }

    fn retell(tables: &Tables, views: &[View], sink: &mut dyn ReportSink) {
        for view in views {
            Self::report(tables, view, sink);
        }
    }

    fn report(_tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
        sink.begin("events", &[("step", Arg::Int(i64::from(view.step)))], &[WRITING]);
        for told in &view.told {
            let why: &Why = &told.why;
            let (key, name, number) = match &told.notice {
                Notice::Marched(name, to) => ("marched", name, *to),
                Notice::Gold(name, gold) => ("gold", name, *gold),
                Notice::Seen(name) => ("seen", name, 0),
            };
            sink.line(&Line {
                key,
                args: &[("who", Arg::Text(name)), ("number", Arg::Int(number))],
                why: Some(why),
            });
        }
        for diagnostic in &view.diagnostics {
            sink.diagnostic(diagnostic);
        }
        sink.end();
    }

    fn map(_tables: &Tables, view: &View) -> Scene {
        let mut scene = Scene {
            game: Self::NAME.to_owned(),
            ..Scene::default()
        };
        if let Some(me) = &view.me {
            let at = Spot::new(i32::try_from(me.at).unwrap_or(0) * 2, 0);
            scene.fields.push(Field {
                at,
                terrain: "row".to_owned(),
                knowledge: Knowledge::Now,
                label: me.at.to_string(),
                ..Field::default()
            });
            scene.armies.push(Army {
                at,
                label: me.name.clone(),
                ..Army::default()
            });
        }
        scene
    }

    fn computer_player(_tables: &Tables, _view: &View, dice: &mut Dice) -> String {
        let to = dice.roll(Owner::World, "march", 0, FIELDS - 1);
        format!("MARCH {to}\nDIG\n")
    }

    fn read_ruling(_tables: &Tables, state: &State, text: &str) -> Result<Ruling, Misread> {
        <Self as Stage>::ruling(state, text)
    }

    fn ruling_words(ruling: &Ruling) -> Option<String> {
        edits::words(ruling)
    }

    fn fixed_dice(ruling: &Ruling) -> Vec<(&str, i64)> {
        match ruling {
            Ruling::Face(name, face) => vec![(name, *face)],
            _ => Vec::new(),
        }
    }

    fn invariants(_tables: &Tables, state: &State) -> Result<(), String> {
        match state
            .hosts
            .values()
            .find(|host| host.gold < 0 || !(0..FIELDS).contains(&host.at))
        {
            Some(host) => Err(format!("{} has {} gold on field {}", host.name, host.gold, host.at)),
            None => Ok(()),
        }
    }
}

fn dig(turn: &mut Turn<'_, Toy>, realm: RealmId, cause: Cause, line: u32) {
    let fault = turn.tables.fault;
    let subject = format!("{realm} line {line}");
    let die = turn.roll(DIG, Owner::of(realm), &subject, 1, turn.tables.gold_max);
    let mut gold = die.value;
    match fault {
        Fault::Repeats => {
            gold = turn
                .roll(DIG, Owner::of(realm), &subject, 1, turn.tables.gold_max)
                .value
        }
        Fault::Wavers => gold += COIN.fetch_add(1, Ordering::Relaxed),
        Fault::Forgets => {
            gold += turn.state.unsaved;
            turn.state.unsaved += 1;
        }
        Fault::Breaks => gold = -1_000_000,
        Fault::Panics => assert!(gold < 0, "the fault Panics was asked for"),
        Fault::None | Fault::Tells | Fault::Counts | Fault::Babbles | Fault::Nameless => {}
    }
    let rules = if fault == Fault::Nameless {
        Vec::new()
    } else {
        vec![DIG]
    };
    gain(turn, cause, rules, &[die], realm, gold);
}

fn gain(
    turn: &mut Turn<'_, Toy>,
    cause: Cause,
    rules: Vec<RuleId>,
    dice: &[kernel::turn::Die],
    realm: RealmId,
    gold: i64,
) {
    if let Some(host) = turn.state.hosts.get_mut(&realm) {
        host.gold = host.gold.saturating_add(gold);
    }
    let witnesses = match turn.tables.fault {
        Fault::Tells => turn.state.hosts.keys().copied().collect(),
        _ => Vec::new(),
    };
    turn.emit(cause, rules, dice, Event::GoldGained { realm, gold, witnesses });
}

fn meetings(turn: &mut Turn<'_, Toy>, realms: &[RealmId]) {
    for (index, one) in realms.iter().enumerate() {
        for other in realms.iter().skip(index + 1) {
            let at = |realm: &RealmId| turn.state.hosts.get(realm).map(|host| host.at);
            if at(one) == at(other) {
                let met = Event::Met {
                    one: *one,
                    other: *other,
                };
                turn.emit(Cause::Step("meetings"), vec![SIGHT], &[], met);
            }
        }
    }
}
