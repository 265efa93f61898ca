//! THORAMAR behind the kernel's contract of a game.

use crate::event::Event;
use crate::notice::{self, Notice};
use crate::order::Order;
use crate::parse::{self, Seat};
use crate::ruling::Ruling;
use crate::state::{Computer, State};
use crate::tables::{Tables, policy};
use crate::view::{self, View};
use crate::{Thoramar, check, computer, encoding, files, guide, laws, map, report, rule, steps};
use kernel::diagnostic::{Diagnostic, Parsed};
use kernel::dice::{Dice, Roll};
use kernel::game::{
    ArrivedFiles, BenchSize, Brief, Charset, Delivery, Enclosure, FileNames, Game, LineEnd, OrderForm, PostCustom,
    Step, Typeface, WorldPlan,
};
use kernel::house::Misfits;
use kernel::map::Scene;
use kernel::misread::Misread;
use kernel::realm::{RealmId, Viewer};
use kernel::report::{ReportSink, Term};
use kernel::rule::Rule;
use kernel::stage::Stage;
use kernel::turn::Turn;
use kernel::worldgen::NoWorld;
use std::collections::BTreeMap;

impl Game for Thoramar {
    const CODE: &'static str = "THO";
    const NAME: &'static str = "thoramar";
    const SCHEMA: u16 = 1;
    const FILES: FileNames = FileNames {
        orders: "SPIELZUG",
        realm: "Reich_ID",
        report: "ERGEBNIS.TXT",
    };
    /// THO-MSG-01, THO-MSG-02: messages go with the orders and come with the report; to all as a proclamation or a rumour.
    const POST: PostCustom = PostCustom {
        delivery: Delivery::StepEnd,
        rumours: true,
        proclamations: true,
        rules: &[rule::MSG_01, rule::MSG_02],
    };

    type Tables = Tables;
    type State = State;
    type Seat = Seat;
    type Order = Order;
    type Ruling = Ruling;
    type Event = Event;
    type Notice = Notice;
    type View = View;

    fn rules() -> &'static [Rule] {
        rule::RULES
    }

    fn tables(house_rules: &str) -> Result<Tables, Misfits> {
        Tables::with_overrides(house_rules)
    }

    fn steps_in_year(_: &Tables) -> Option<u32> {
        u32::try_from(crate::codes::Season::ALL.len()).ok()
    }

    fn house_rules(state: &State) -> &str {
        &state.house_rules
    }

    fn house_rules_of_view(view: &View) -> &str {
        &view.house_rules
    }

    fn create(
        tables: &Tables,
        house_rules: &str,
        plan: &WorldPlan,
        dice: &mut Dice,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<State, NoWorld> {
        crate::worldgen::create(tables, house_rules, plan, dice, progress)
    }

    fn bench_world(tables: &Tables, size: BenchSize, dice: &mut Dice) -> Option<(State, BTreeMap<RealmId, Vec<u8>>)> {
        crate::bench::bench_world(tables, size, dice)
    }

    /// GAP-02: a step a season; every realm that plays owes orders.
    fn open_step(tables: &Tables, state: &State) -> Step {
        let number = state.turn.saturating_add(1);
        Step {
            number,
            name: step_name(tables, number),
            owes: state.playing().collect(),
            plays: state.playing().collect(),
            over: state.over,
        }
    }

    fn seat(_tables: &Tables, state: &State, realm: RealmId) -> Option<Seat> {
        Seat::of_state(state, realm)
    }

    fn seat_of_view(view: &View) -> Option<Seat> {
        Seat::of_view(view)
    }

    fn parse(tables: &Tables, seat: &Seat, file: &[u8]) -> Parsed<Order> {
        parse::parse(tables, seat, file)
    }

    fn check(tables: &Tables, view: &View, parsed: &Parsed<Order>) -> Vec<Diagnostic> {
        check::check(tables, view, parsed)
    }

    fn adjudicate(turn: &mut Turn<'_, Self>) {
        steps::run(turn);
    }

    fn audience(state: &State, event: &Event, realms: &mut Vec<RealmId>) {
        notice::audience(state, event, realms);
    }

    fn notice(tables: &Tables, state: &State, event: &Event, viewer: Viewer) -> Option<Notice> {
        notice::notice(tables, state, event, viewer)
    }

    fn view(tables: &Tables, state: &State, brief: Brief<Self>) -> View {
        Self::views(tables, state)(brief)
    }

    fn views<'a>(tables: &'a Tables, state: &'a State) -> impl Fn(Brief<Self>) -> View + 'a {
        let common = view::Common::of(state);
        move |brief| view::view(tables, state, &common, brief)
    }

    fn open_rolls(view: &View) -> Vec<Roll> {
        let told = view.told.iter().map(|told| &told.why);
        told.chain(&view.sightings.reasons)
            .flat_map(|why| why.rolls.iter().cloned())
            .collect()
    }

    fn report(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
        report::report(tables, view, sink);
    }

    fn map(tables: &Tables, view: &View) -> Scene {
        map::scene(tables, view)
    }

    fn computer_player(tables: &Tables, view: &View, dice: &mut Dice) -> String {
        Self::seat_of_view(view).map_or_else(String::new, |seat| computer::orders(tables, view, &seat, dice))
    }

    fn invariants(tables: &Tables, state: &State) -> Result<(), String> {
        laws::hold(tables, state)
    }

    fn order_forms() -> Vec<OrderForm> {
        guide::order_forms()
    }

    fn check_files(realm: RealmId, files: ArrivedFiles<'_>) -> Vec<Diagnostic> {
        files::check(realm, files)
    }

    fn read_ruling(_tables: &Tables, state: &State, text: &str) -> Result<Ruling, Misread> {
        let ruling = <Self as Stage>::ruling(state, text)?;
        if let Ruling::ChangeTables { toml } = &ruling {
            crate::intake::changed_rules(&state.house_rules, toml)?;
        }
        Ok(ruling)
    }

    fn ruling_words(ruling: &Ruling) -> Option<String> {
        ruling.words()
    }

    /// THO-SET-03, GAP-34: the letters and line ends of the player's computer.
    fn typeface(tables: &Tables, view: &View) -> Typeface {
        let files = &tables.report;
        let computer = view.books().map(|books| books.computer).unwrap_or_default();
        let (charset, newline) = match computer {
            Computer::Unsaid => (files.default_charset, policy::Newline::Lf),
            Computer::Pc => (files.pc_charset, files.pc_newline),
            Computer::Amiga => (files.amiga_charset, files.amiga_newline),
        };
        Typeface {
            charset: match charset {
                policy::Charset::Utf8 => Charset::Utf8,
                policy::Charset::Cp850 => Charset::Cp850,
                policy::Charset::Latin1 => Charset::Latin1,
            },
            line_end: match newline {
                policy::Newline::Lf => LineEnd::Lf,
                policy::Newline::Crlf => LineEnd::CrLf,
            },
        }
    }

    /// THO-SET-03: the player's computer decides what a letter beyond ASCII means.
    fn order_text(_tables: &Tables, view: &View, file: &[u8]) -> String {
        let computer = view.books().map(|books| books.computer).unwrap_or_default();
        encoding::decode(file, computer).0
    }

    /// THO-MSG-03: the culture texts, `KulturXX.txt`.
    fn enclosures(_tables: &Tables, view: &View) -> Vec<Enclosure> {
        let written = view.realms.iter().filter(|(_, realm)| !realm.culture_text.is_empty());
        written
            .map(|(id, realm)| {
                let mut text = realm.culture_text.join("\n");
                text.push('\n');
                Enclosure {
                    name: format!("Kultur{:02}.txt", id.0),
                    text,
                }
            })
            .collect()
    }

    fn hand_over(realm: RealmId, player: &str, name: Option<&str>) -> Option<Ruling> {
        Some(Ruling::HandOver {
            realm,
            player: player.to_owned(),
            name: name.map(str::to_owned),
        })
    }

    fn letter(to: Option<RealmId>, text: &str) -> Option<Ruling> {
        Some(Ruling::Write {
            to,
            text: text.lines().map(str::to_owned).collect(),
        })
    }
}

/// A turn in words: its number, season and year (GAP-02).
pub(crate) fn step_name(tables: &Tables, turn: u32) -> Term {
    let season = crate::report::season_word(tables.season(turn));
    Term {
        key: "step".into(),
        args: vec![
            ("turn".into(), turn.into()),
            ("year".into(), tables.year(turn).into()),
            ("season".into(), kernel::diagnostic::Value::Word { word: season.into() }),
        ],
    }
}
