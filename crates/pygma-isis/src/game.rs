//! PYGMA-ISIS behind the kernel's contract of a game.

use crate::event::{Ear, Event, Notice, Tale};
use crate::order::Order;
use crate::parse::{self, Seat};
use crate::ruling::Ruling;
use crate::state::State;
use crate::tables::Tables;
use crate::view::{self, View};
use crate::{PygmaIsis, atlas, check, computer, guide, laws, map, report, rule, ruling, sheet, steps, worldgen};
use kernel::diagnostic::{Diagnostic, Parsed};
use kernel::dice::{Dice, Roll};
use kernel::game::{Brief, Delivery, Enclosure, FileNames, Game, OrderForm, PostCustom, Step, WorldPlan};
use kernel::house::Misfits;
use kernel::map::Scene;
use kernel::misread::Misread;
use kernel::realm::{RealmId, Viewer};
use kernel::report::{ReportSink, Term};
use kernel::rule::Rule;
use kernel::turn::Turn;
use kernel::worldgen::NoWorld;

impl Game for PygmaIsis {
    const CODE: &'static str = "PYG";
    const NAME: &'static str = "pygma-isis";
    const SCHEMA: u16 = 1;
    const FILES: FileNames = FileNames {
        orders: "ZUGBOGEN.TXT",
        realm: "",
        report: "AUSWERTUNG.TXT",
    };
    /// PYG-GAME-10, PYG-GAP-69: the game master carries messages to realms whose name is known.
    const POST: PostCustom = PostCustom {
        delivery: Delivery::OrderFile,
        rumours: false,
        proclamations: false,
        rules: &[rule::GAME_10, rule::ORD_10, rule::GAP_69],
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

    fn steps_in_year(tables: &Tables) -> Option<u32> {
        u32::try_from(tables.calendar.months.len()).ok()
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
        worldgen::create(tables, house_rules, plan, dice, progress)
    }

    /// A step a month; every realm that plays owes orders.
    fn open_step(tables: &Tables, state: &State) -> Step {
        let number = state.step.saturating_add(1);
        Step {
            number,
            name: step_name(tables, number),
            plays: state.playing().collect(),
            owes: state.playing().collect(),
            over: state.over,
        }
    }

    fn seat(tables: &Tables, state: &State, realm: RealmId) -> Option<Seat> {
        Seat::of_state(tables, state, realm)
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
        event.audience(state, realms);
    }

    fn notice(tables: &Tables, state: &State, event: &Event, viewer: Viewer) -> Option<Notice> {
        event.notice(&Ear { viewer, tables, state })
    }

    fn view(tables: &Tables, state: &State, brief: Brief<Self>) -> View {
        view::view(tables, state, brief)
    }

    fn open_rolls(view: &View) -> Vec<Roll> {
        view.told
            .iter()
            .flat_map(|told| told.why.rolls.iter().cloned())
            .collect()
    }

    fn report(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
        report::report(tables, view, sink);
    }

    fn order_forms() -> Vec<OrderForm> {
        guide::order_forms()
    }

    /// The known map as a table; PYG-SHEET-01: a move sheet with every unit where it stands, to be filled in.
    fn enclosures(tables: &Tables, view: &View) -> Vec<Enclosure> {
        let mut files = vec![Enclosure {
            name: atlas::FILE.to_owned(),
            text: atlas::csv(tables, view),
        }];
        if view.realm().is_some() {
            files.push(Enclosure {
                name: sheet::FILE.to_owned(),
                text: sheet::blank(view),
            });
        }
        files
    }

    fn map(tables: &Tables, view: &View) -> Scene {
        map::scene(tables, view)
    }

    fn computer_player(tables: &Tables, view: &View, dice: &mut Dice) -> String {
        computer::orders(tables, view, dice)
    }

    fn invariants(tables: &Tables, state: &State) -> Result<(), String> {
        laws::hold(tables, state)
    }

    /// Realms are called by their number, or by name if it is one word.
    fn read_ruling(_tables: &Tables, state: &State, text: &str) -> Result<Ruling, Misread> {
        let realm = |word: &str| {
            let number = word.parse().ok().map(RealmId);
            let number = number.filter(|realm| *realm == RealmId::NOBODY || state.realms.contains_key(realm));
            let mut named = state.realms.iter().filter(|(_, realm)| realm.name == word);
            number.or_else(|| named.next().map(|(realm, _)| *realm))
        };
        ruling::words::read(text, &realm)
    }

    fn ruling_words(ruling: &Ruling) -> Option<String> {
        ruling.words()
    }

    /// PYG-GAP-70.
    fn fixed_dice(ruling: &Ruling) -> Vec<(&str, i64)> {
        match ruling {
            Ruling::FixDie { name, face } => vec![(name, *face)],
            Ruling::Several { rulings } => rulings.iter().flat_map(Self::fixed_dice).collect(),
            _ => Vec::new(),
        }
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
            text: text.to_owned(),
        })
    }
}

/// A month in words: number, name and year (PYG-TIME-01).
pub(crate) fn step_name(tables: &Tables, step: u32) -> Term {
    let (year, month) = tables.date(step);
    let name = tables
        .calendar
        .months
        .get(month.saturating_sub(1) as usize)
        .cloned()
        .unwrap_or_default();
    Term {
        key: "step".into(),
        args: vec![
            ("year".into(), year.into()),
            ("month".into(), month.into()),
            ("name".into(), name.into()),
        ],
    }
}
