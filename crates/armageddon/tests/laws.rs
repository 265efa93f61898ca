//! Laws of legal deeds on random boards: what is offered is legal, what is legal is offered, a legal deed breaks no law of the board, and a
//! refused one changes nothing.

use armageddon::Armageddon;
use armageddon::battle::{Battle, Referee, Scene};
use armageddon::board::Spot;
use armageddon::deed::{Deed, Field};
use armageddon::event::Event;
use armageddon::legal;
use armageddon::state::{FigureId, State};
use armageddon::tables::Tables;
use kernel::diagnostic::Diagnostic;
use kernel::dice::Owner;
use kernel::game::Game;
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::stage::{Stage, StageLine};
use kernel::turn::{Cause, Die, Rules};
use proptest::prelude::*;
use std::fmt;

/// A referee whose dice follow a seed and who forgets everything else.
struct Quiet(u64);

impl Referee for Quiet {
    fn roll(&mut self, _: RuleId, _: Owner, _: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]) {
        for die in dice {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            die.value = 1 + i64::try_from(self.0 >> 33).unwrap_or(0) % faces;
        }
    }

    fn emit(&mut self, _: Cause, _: Rules, _: &[Die], _: Event) {}

    fn refuse(&mut self, _: RealmId, _: Diagnostic) {}
}

const TERRAINS: [&str; 8] = [
    "lowland",
    "lowland-forest",
    "swamp",
    "highland",
    "mountain-country",
    "mountain",
    "water",
    "lowland-desert",
];
const KINDS: [&str; 6] = ["LB", "S", "B", "AC", "lP", "On"];

/// A small random battle: terrain, rivers, walls, a tower, figures of both players that keep to the room there is.
fn battle() -> impl Strategy<Value = Vec<String>> {
    let fields = proptest::collection::vec((1u16..=48, 0usize..TERRAINS.len()), 0..30);
    let figures = proptest::collection::vec((0usize..KINDS.len(), 1u16..=48, any::<bool>()), 1..14);
    let rivers = proptest::collection::vec(
        prop_oneof![Just("17-18"), Just("24-25"), Just("11-18"), Just("19-20")],
        0..3,
    );
    let gate = prop_oneof![Just("open"), Just("closed"), Just("broken")];
    (fields, figures, rivers, gate).prop_map(|(fields, figures, rivers, gate)| {
        let mut lines: Vec<String> = fields
            .into_iter()
            .map(|(field, terrain)| format!("field {field} {}", TERRAINS[terrain]))
            .collect();
        lines.extend(rivers.into_iter().map(|edge| format!("river {edge}")));
        lines.push(format!("tower Adler 26 gate O {gate}"));
        lines.push("wall Bär 12-O".to_owned());
        lines.push("figure Adler SC 90 at 26.P".to_owned());
        lines.push("figure Bär SC 91 at 27".to_owned());
        for ((kind, field, first), number) in figures.into_iter().zip(1u16..) {
            let owner = if first { "Adler" } else { "Bär" };
            lines.push(format!("figure {owner} {} {number} at {field}", KINDS[kind]));
        }
        lines
    })
}

fn build(tables: &Tables, lines: &[String]) -> State {
    let lines: Vec<StageLine> = lines
        .iter()
        .zip(1u32..)
        .map(|(text, line)| StageLine {
            line,
            text: text.clone(),
        })
        .collect();
    Armageddon::world(tables, "", &lines).expect("the lines build a battle")
}

/// Every deed that can be written down at all, for the kinds of deeds whose chapters are written.
fn everything(state: &State) -> Vec<Deed> {
    let mut deeds = Vec::new();
    for index in 0..state.position.figures.len() {
        let figure = FigureId(u16::try_from(index).expect("few figures"));
        for cell in state.position.board.all() {
            for level in 0..4 {
                let to = Spot { cell, level };
                deeds.push(Deed::Field(Field::Step { figure, to }));
            }
        }
        for facing in Direction::ALL {
            deeds.push(Deed::Field(Field::Face { figure, facing }));
        }
    }
    deeds
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_offered_deed_is_legal_and_every_legal_deed_is_offered(lines in battle()) {
        let tables = Tables::book().expect("the book");
        let state = build(&tables, &lines);
        let scene = Scene { tables: &tables, position: &state.position, secret: None };
        for player in state.position.players.keys() {
            let offers = legal::offers(scene, *player);
            for deed in &offers {
                prop_assert!(legal::judge(scene, *player, deed).is_ok());
            }
            for deed in everything(&state) {
                let legal = legal::judge(scene, *player, &deed).is_ok();
                prop_assert_eq!(legal, offers.contains(&deed), "{:?}", deed);
            }
        }
    }

    #[test]
    fn a_walk_of_legal_deeds_breaks_no_law_and_loses_no_figure(lines in battle(), choices in proptest::collection::vec(any::<u16>(), 1..24)) {
        let tables = Tables::book().expect("the book");
        let mut state = build(&tables, &lines);
        // Random boards may be overcrowded from the start; those are no subject here.
        state.position.clock.step = 1;
        prop_assume!(Armageddon::invariants(&tables, &state).is_ok());
        let player = state.position.mover().expect("a player");
        let figures = state.position.figures.len();
        let mut quiet = Quiet(7);
        let mut battle = Battle::new(&tables, state, &mut quiet);
        for choice in choices {
            let offers = legal::offers(battle.scene(player), player);
            let Some(deed) = offers.get(usize::from(choice) % offers.len().max(1)) else { break };
            prop_assert!(legal::carry_out(&mut battle, player, deed).is_ok());
            prop_assert!(armageddon::room::crowded(&tables, &battle.position).is_empty());
        }
        let state = battle.finish(String::new());
        prop_assert_eq!(state.position.figures.len(), figures);
        prop_assert_eq!(Armageddon::invariants(&tables, &state), Ok(()));
    }
}
