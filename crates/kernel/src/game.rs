//! The contract of a rule book. Every function is pure; only [`Game::adjudicate`] changes a world.

use crate::diagnostic::{Diagnostic, Parsed};
use crate::dice::{Dice, Owner, Roll};
use crate::form::Form;
use crate::house::Misfits;
use crate::map::Scene;
use crate::misread::Misread;
use crate::realm::{RealmId, Viewer};
use crate::report::{ReportSink, Why};
use crate::rule::{Rule, RuleId, RuleNames};
use crate::turn::{Entry, Input, Outcome, Turn};
use crate::worldgen::NoWorld;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A game, implemented once per rule book.
pub trait Game: Sized + Debug + Clone + 'static {
    /// Prefix of its rule ids, for example `THO`.
    const CODE: &'static str;
    /// Name on the command line and in the locale, for example `thoramar`.
    const NAME: &'static str;
    /// Number of the state's and view's schema.
    const SCHEMA: u16;
    /// Names of the files that players and host exchange.
    const FILES: FileNames = FileNames::PLAIN;
    /// How letters go between realms, unless a world says otherwise.
    const POST: PostCustom = PostCustom::FREE;
    /// Whether its steps are the parts of one story, such as the turns of a battle, and can also be told in one piece.
    const RETELLS: bool = false;

    /// The figures of the rules in one world.
    type Tables: Debug + Send + Sync;
    /// The whole truth about a world between two steps.
    type State: Clone + Debug + Serialize + DeserializeOwned;
    /// What reading a realm's orders needs to know: never more than the realm itself knows.
    type Seat: Clone + Debug;
    /// One order of a player.
    type Order: Clone + Debug;
    /// A judgement of the game master.
    type Ruling: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// Something that happened, with everything needed to tell anyone about it.
    type Event: Clone + Debug;
    /// What one viewer is told of an event.
    type Notice: Clone + Debug + Serialize + DeserializeOwned;
    /// Everything a viewer knows after a step. Reports, maps and checks read nothing else.
    type View: Clone + Debug + Serialize + DeserializeOwned;

    /// The rule catalogue.
    fn rules() -> &'static [Rule];
    /// The figures of the book with a world's differences (TOML) laid over them.
    fn tables(house_rules: &str) -> Result<Self::Tables, Misfits>;
    /// How many steps a year has, in games that count years.
    fn steps_in_year(_: &Self::Tables) -> Option<u32> {
        None
    }
    /// The house rules that hold in a world now: part of its state, so that a change is input like any other.
    fn house_rules(state: &Self::State) -> &str;
    /// The house rules as far as a viewer may know them.
    fn house_rules_of_view(view: &Self::View) -> &str;
    /// Makes a world. `house_rules` become part of its state. `dice` is keyed by the seed; `progress` hears done and total parts of the work.
    fn create(
        tables: &Self::Tables,
        house_rules: &str,
        plan: &WorldPlan,
        dice: &mut Dice,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<Self::State, NoWorld>;
    /// The step that is open for orders.
    fn open_step(tables: &Self::Tables, state: &Self::State) -> Step;
    /// What reading this realm's orders needs, or nothing if there is no such realm in play.
    fn seat(tables: &Self::Tables, state: &Self::State, realm: RealmId) -> Option<Self::Seat>;
    /// The same from the realm's own view.
    fn seat_of_view(view: &Self::View) -> Option<Self::Seat>;
    /// Reads an order file. Never fails.
    fn parse(tables: &Self::Tables, seat: &Self::Seat, file: &[u8]) -> Parsed<Self::Order>;
    /// Advice on read orders from the realm's own knowledge only.
    fn check(tables: &Self::Tables, view: &Self::View, parsed: &Parsed<Self::Order>) -> Vec<Diagnostic>;
    /// Runs a step: the only function that changes a world.
    fn adjudicate(turn: &mut Turn<'_, Self>);
    /// The realms that are told of an event, beside the game master, who is told everything. `state` is the world after the step.
    fn audience(state: &Self::State, event: &Self::Event, realms: &mut Vec<RealmId>);
    /// What a viewer is told of an event.
    fn notice(tables: &Self::Tables, state: &Self::State, event: &Self::Event, viewer: Viewer) -> Option<Self::Notice>;
    /// What a viewer knows after the step, built up from nothing.
    fn view(tables: &Self::Tables, state: &Self::State, brief: Brief<Self>) -> Self::View;
    /// The same for one viewer after the other: a game works out here, once, what all their views have in common.
    fn views<'a>(tables: &'a Self::Tables, state: &'a Self::State) -> impl Fn(Brief<Self>) -> Self::View + 'a {
        move |brief| Self::view(tables, state, brief)
    }
    /// The dice that a view shows openly.
    fn open_rolls(view: &Self::View) -> Vec<Roll>;
    /// Writes the report of a view.
    fn report(tables: &Self::Tables, view: &Self::View, sink: &mut dyn ReportSink);
    /// The map as the viewer knows it.
    fn map(tables: &Self::Tables, view: &Self::View) -> Scene;
    /// A computer player's order file, from the realm's own knowledge. `dice` are the player's own, not the world's.
    fn computer_player(tables: &Self::Tables, view: &Self::View, dice: &mut Dice) -> String;
    /// Facts that hold in every world between two steps; the first broken one is named.
    fn invariants(tables: &Self::Tables, state: &Self::State) -> Result<(), String>;

    /// Writes what one viewer was told in several steps in one piece, the first step first, if the game says that it
    /// [retells](Game::RETELLS).
    fn retell(tables: &Self::Tables, views: &[Self::View], sink: &mut dyn ReportSink) {
        let _ = (tables, views, sink);
    }

    /// Findings about the files themselves: their names, and the realm that a file beside the orders claims to be from.
    /// An error here means that the file is not taken in at all.
    fn check_files(realm: RealmId, files: ArrivedFiles<'_>) -> Vec<Diagnostic> {
        let _ = (realm, files);
        Vec::new()
    }

    /// In which letters the viewer's text files are written.
    fn typeface(tables: &Self::Tables, view: &Self::View) -> Typeface {
        let _ = (tables, view);
        Typeface::default()
    }

    /// An order file as text, whatever letters the viewer's computer writes.
    fn order_text(tables: &Self::Tables, view: &Self::View, file: &[u8]) -> String {
        let _ = (tables, view);
        String::from_utf8_lossy(file).into_owned()
    }

    /// The forms of orders, for the reference, completion and forms to fill in.
    fn order_forms() -> Vec<OrderForm> {
        Vec::new()
    }

    /// Further files that go to the viewer with the report.
    fn enclosures(tables: &Self::Tables, view: &Self::View) -> Vec<Enclosure> {
        let _ = (tables, view);
        Vec::new()
    }

    /// Reads a judgement in the words of the game; what is written as JSON is read without it.
    fn read_ruling(tables: &Self::Tables, state: &Self::State, text: &str) -> Result<Self::Ruling, Misread> {
        let _ = (tables, state);
        Ok(serde_json::from_str(text)?)
    }

    /// A judgement in the words that [`Game::read_ruling`] reads, as far as the game has words for it.
    fn ruling_words(ruling: &Self::Ruling) -> Option<String> {
        let _ = ruling;
        None
    }

    /// The dice that a judgement fixes, by name, with the face that shall count: a game master may override a die before the step is
    /// published, if the game has a judgement for it.
    fn fixed_dice(ruling: &Self::Ruling) -> Vec<(&str, i64)> {
        let _ = ruling;
        Vec::new()
    }

    /// The judgement that hands a letter of the game master to a realm, or to all, if the game carries letters.
    fn letter(to: Option<RealmId>, text: &str) -> Option<Self::Ruling> {
        let _ = (to, text);
        None
    }

    /// The judgement by which a realm gets another player, and another name if one is given; nothing if the game keeps no
    /// names.
    fn hand_over(realm: RealmId, player: &str, name: Option<&str>) -> Option<Self::Ruling> {
        let _ = (realm, player, name);
        None
    }

    /// A world with an order file for every realm, for measuring; nothing if the game has none of this size.
    fn bench_world(tables: &Self::Tables, size: BenchSize, dice: &mut Dice) -> Option<(Self::State, OrderFiles)> {
        let _ = (tables, size, dice);
        None
    }
}

/// How large a world for measuring is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchSize {
    /// Armies in the world, about.
    pub armies: u32,
    /// Armies of each realm, about.
    pub armies_each: u32,
}

/// Order files by realm, as they arrived.
pub type OrderFiles = BTreeMap<RealmId, Vec<u8>>;

/// The letters of a text file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Charset {
    /// UTF-8.
    #[default]
    Utf8,
    /// Code page 850 of old PCs.
    Cp850,
    /// ISO 8859-1.
    Latin1,
}

/// The line ends of a text file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineEnd {
    /// Line feed.
    #[default]
    Lf,
    /// Carriage return and line feed.
    CrLf,
}

/// How a viewer's text files are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Typeface {
    /// Letters.
    pub charset: Charset,
    /// Line ends.
    pub line_end: LineEnd,
}

/// A form that an order of a player may have. Words are keys of the game's wording, under `[word]`.
#[derive(Clone, Debug, Serialize)]
pub struct OrderForm {
    /// How the part of the file begins in which it stands.
    pub opening: String,
    /// Name of that part.
    pub section: &'static str,
    /// Its words in order.
    pub pattern: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The rules of its form.
    pub rules: &'static [RuleId],
    /// Lines as players write them.
    pub examples: Vec<&'static str>,
    /// The same as a form to fill in.
    pub form: Form,
}

/// Names of the files that players and host exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct FileNames {
    /// The orders of a realm.
    pub orders: &'static str,
    /// A file beside the orders that names the realm, or empty if the game knows none.
    pub realm: &'static str,
    /// The report as plain text.
    pub report: &'static str,
}

impl FileNames {
    /// For a game whose book names no files.
    pub const PLAIN: Self = Self {
        orders: "ORDERS.TXT",
        realm: "",
        report: "REPORT.TXT",
    };
}

/// When a letter between realms arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delivery {
    /// As soon as it is sealed.
    AtOnce,
    /// With the report of the step in which it was sent.
    StepEnd,
    /// Not at all: letters stand in the order file.
    OrderFile,
}

impl Delivery {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AtOnce, Self::StepEnd, Self::OrderFile];

    /// Its name in files and forms.
    pub const fn code(self) -> &'static str {
        match self {
            Self::AtOnce => "at-once",
            Self::StepEnd => "step-end",
            Self::OrderFile => "order-file",
        }
    }

    /// The one with this name.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|delivery| delivery.code() == code)
    }
}

/// How letters go between the realms of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PostCustom {
    /// When they arrive.
    pub delivery: Delivery,
    /// Whether words can go to all without their author's name.
    pub rumours: bool,
    /// Whether words can go to all with it.
    pub proclamations: bool,
    /// The rules that say so.
    pub rules: &'static [RuleId],
}

impl PostCustom {
    /// For a game whose book says nothing about letters.
    pub const FREE: Self = Self {
        delivery: Delivery::AtOnce,
        rumours: false,
        proclamations: true,
        rules: &[],
    };
}

/// What arrived beside the content of an order file.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArrivedFiles<'a> {
    /// Name of the order file, if it came under one.
    pub orders: Option<&'a str>,
    /// Content of the file that names the realm, if it came along.
    pub realm: Option<&'a [u8]>,
}

/// A file that goes to a viewer with the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enclosure {
    /// File name without a folder.
    pub name: String,
    /// Content.
    pub text: String,
}

/// What a new world is made from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WorldPlan {
    /// The seats, in order; realm numbers start at 1.
    pub seats: Vec<SeatPlan>,
}

/// One seat of a new world.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SeatPlan {
    /// Name of the realm.
    pub realm: String,
    /// Name of the player as reports print it.
    pub player: String,
    /// A kind of realm that the game offers, or empty for the usual one.
    pub kind: String,
}

/// The step that waits for orders.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Its number, growing by one with every step of the world.
    pub number: u32,
    /// Key and values of its name in the locale.
    pub name: crate::report::Term,
    /// The realms that owe orders: the step waits for them.
    pub owes: Vec<RealmId>,
    /// The realms in play: each receives a view of the step and may send orders, whether it owes some or not. In a game of one
    /// player's turn after another these are all, while one owes.
    #[serde(default)]
    pub plays: Vec<RealmId>,
    /// Whether the world has come to its end.
    pub over: bool,
}

/// A notice with the answer to "why?", numbered for its viewer alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Told<N> {
    /// The notice.
    pub notice: N,
    /// Its reasons, as far as the viewer may know them.
    pub why: Why,
    /// Line of the viewer's own order that caused it, if one did.
    #[serde(default)]
    pub line: Option<u32>,
}

/// Everything a view is built from, beside the state.
#[derive(Clone, Debug)]
pub struct Brief<G: Game> {
    /// For whom.
    pub viewer: Viewer,
    /// What the viewer is told, in order.
    pub told: Vec<Told<G::Notice>>,
    /// Findings about the viewer's orders.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs one step.
pub fn run<G: Game>(tables: &G::Tables, state: G::State, input: &Input<G>, dice: Dice) -> Outcome<G> {
    run_by(tables, state, input, dice, G::adjudicate)
}

/// Runs as much of a step as somebody wants to know: of an imagined world that nobody keeps.
pub fn run_by<G: Game>(
    tables: &G::Tables,
    state: G::State,
    input: &Input<G>,
    dice: Dice,
    adjudicate: impl FnOnce(&mut Turn<'_, G>),
) -> Outcome<G> {
    let mut turn = Turn::<G>::new(tables, state, input, dice);
    adjudicate(&mut turn);
    turn.finish()
}

/// Which events concern which realm: one pass over the journal, so that the cost of all views together is linear.
pub fn audiences<G: Game>(outcome: &Outcome<G>) -> BTreeMap<RealmId, Vec<u32>> {
    let mut lists: BTreeMap<RealmId, Vec<u32>> = BTreeMap::new();
    let mut realms = Vec::new();
    for (number, entry) in outcome.journal.iter().enumerate() {
        realms.clear();
        G::audience(&outcome.state, &entry.event, &mut realms);
        realms.sort_unstable();
        realms.dedup();
        for realm in realms.iter().filter(|realm| realm.is_played()) {
            lists.entry(*realm).or_default().push(number as u32);
        }
    }
    lists
}

/// What one viewer is told, from the events that concern him.
pub fn brief<G: Game>(
    tables: &G::Tables,
    outcome: &Outcome<G>,
    viewer: Viewer,
    events: impl Iterator<Item = u32>,
) -> Brief<G> {
    // Nearly every event that concerns somebody is told.
    let mut told = Vec::with_capacity(events.size_hint().1.unwrap_or(0));
    told.extend(
        events
            .filter_map(|number| outcome.journal.get(number as usize))
            .filter_map(|entry| tell::<G>(tables, outcome, viewer, entry)),
    );
    let diagnostics = match viewer {
        Viewer::Realm(realm) => outcome.refusals.get(&realm).cloned().unwrap_or_default(),
        Viewer::GameMaster => Vec::new(),
    };
    Brief {
        viewer,
        told,
        diagnostics,
    }
}

/// The view of one viewer after a step; `events` are the numbers of the entries that concern him.
pub fn view<G: Game>(
    tables: &G::Tables,
    outcome: &Outcome<G>,
    viewer: Viewer,
    events: impl Iterator<Item = u32>,
) -> G::View {
    G::view(tables, &outcome.state, brief::<G>(tables, outcome, viewer, events))
}

fn tell<G: Game>(
    tables: &G::Tables,
    outcome: &Outcome<G>,
    viewer: Viewer,
    entry: &Entry<G::Event>,
) -> Option<Told<G::Notice>> {
    let notice = G::notice(tables, &outcome.state, &entry.event, viewer)?;
    let mut why = Why {
        rules: RuleNames::from(&entry.rules),
        ..Why::default()
    };
    for roll in entry.dice.iter().filter_map(|index| outcome.rolls.get(*index as usize)) {
        let open = match viewer {
            Viewer::GameMaster => true,
            Viewer::Realm(realm) => roll.owner == Owner::Realm(realm),
        };
        if open {
            why.rolls.push(roll.clone());
        } else {
            why.sealed += 1;
        }
    }
    let line = match (entry.cause, viewer) {
        (crate::turn::Cause::Order(realm, span), Viewer::Realm(me)) if realm == me => Some(span.line),
        _ => None,
    };
    Some(Told { notice, why, line })
}
