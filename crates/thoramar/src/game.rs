//! THORAMAR behind the kernel's contract of a game.

use crate::event::Event;
use crate::notice::Notice;
use crate::order::Order;
use crate::ruling::Ruling;
use crate::season::SeasonTurn;
use crate::state::State;
use crate::tables::Tables;
use crate::view::View;
use crate::{Thoramar, rule, steps};
use kernel::diagnostic::{Diagnostic, Parsed};
use kernel::dice::{Dice, Roll};
use kernel::game::{Brief, Game, Step, WorldPlan};
use kernel::map::Scene;
use kernel::realm::{RealmId, Viewer};
use kernel::report::{ReportSink, Term};
use kernel::rule::Rule;

impl Game for Thoramar {
    const CODE: &'static str = "THO";
    const NAME: &'static str = "thoramar";
    const SCHEMA: u16 = 1;

    type Tables = Tables;
    type State = State;
    type Seat = ();
    type Order = Order;
    type Ruling = Ruling;
    type Event = Event;
    type Notice = Notice;
    type View = View;

    fn rules() -> &'static [Rule] {
        rule::RULES
    }
    fn tables(house_rules: &str) -> Result<Tables, String> {
        Tables::with_overrides(house_rules).map_err(|error| error.to_string())
    }
    fn house_rules(state: &State) -> &str {
        &state.house_rules
    }
    fn house_rules_of_view(view: &View) -> &str {
        &view.house_rules
    }
    fn create(_: &Tables, _: &str, _: &WorldPlan, _: &mut Dice, _: &mut dyn FnMut(u32, u32)) -> Result<State, String> {
        Err("the world generator is missing".into())
    }
    fn open_step(_: &Tables, state: &State) -> Step {
        Step {
            number: state.turn + 1,
            name: Term {
                key: "turn".into(),
                args: Vec::new(),
            },
            owes: state.playing().collect(),
            over: state.over,
        }
    }
    fn seat(_: &Tables, _: &State, _: RealmId) -> Option<()> {
        Some(())
    }
    fn seat_of_view(_: &View) -> Option<()> {
        Some(())
    }
    fn parse(_: &Tables, (): &(), _: &[u8]) -> Parsed<Order> {
        Parsed::default()
    }
    fn check(_: &Tables, _: &View, _: &Parsed<Order>) -> Vec<Diagnostic> {
        Vec::new()
    }
    fn adjudicate(turn: &mut SeasonTurn<'_>) {
        steps::run(turn);
    }
    fn audience(_: &State, _: &Event, _: &mut Vec<RealmId>) {}
    fn notice(_: &Tables, _: &State, _: &Event, _: Viewer) -> Option<Notice> {
        None
    }
    fn view(_: &Tables, _: &State, _: Brief<Self>) -> View {
        unreachable!("views are being written")
    }
    fn open_rolls(_: &View) -> Vec<Roll> {
        Vec::new()
    }
    fn report(_: &Tables, _: &View, _: &mut dyn ReportSink) {}
    fn map(_: &Tables, _: &View) -> Scene {
        Scene::default()
    }
    fn computer_player(_: &Tables, _: &View, _: &mut Dice) -> String {
        String::new()
    }
    fn invariants(_: &Tables, _: &State) -> Result<(), String> {
        Ok(())
    }
}
