//! Laws of fighting on random boards: every legal attack, shot, throw, pour, blow against a gate and so on is offered, nothing else is, and
//! whatever is fought out breaks no law of the board.

use armageddon::Armageddon;
use armageddon::battle::{Battle, Referee, Scene};
use armageddon::board::{Cell, Spot};
use armageddon::deed::fight::Side;
use armageddon::deed::{Deed, Fight};
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

const KINDS: [&str; 6] = ["LB", "S", "B", "AC", "lP", "BC"];
const TERRAINS: [&str; 4] = ["lowland", "lowland-forest", "highland", "lowland-desert"];
/// A tower with a ladder, a rope, a siege tower and a ram before it, a keep, walls, a phalanx, an onager, an elephant, a king, a mortal wizard.
const THINGS: [&str; 26] = [
    "tower Bär 27 gate W",
    "keep Adler 13 gate SW open",
    "wall Bär 33-W loophole",
    "wall Adler 41-O closed",
    "river 34-35",
    "bridge 34-35",
    "figure Bär S 70 at 27.0",
    "figure Bär B 71 at 27.P",
    "figure Bär B 72 at 33",
    "figure Adler Wi 70 at 26",
    "figure Adler S 73 at 26",
    "figure Adler AB 74 at 26",
    "figure Adler Le 70 at 20",
    "leans Le#70 SW",
    "figure Adler S 75 on Le#70",
    "figure Adler Se 70 at 35",
    "figure Adler S 76 at 35",
    "figure Adler On 70 at 10",
    "figure Adler S 77 at 10",
    "figure Adler L 78..81 at 44",
    "figure Bär El 70 at 45",
    "figure Bär S 82 on El#70",
    "figure Bär Kö 1 at 40",
    "figure Bär S 83 at 40",
    "figure Adler B 84 at 13.1",
    "figure Adler S 85 at 13.P",
];
/// Fields where no figure of chance stands, so that nothing is crowded.
const KEPT: [u16; 9] = [10, 13, 20, 26, 27, 33, 35, 40, 44];

/// A small random battle around [`THINGS`].
fn battle() -> impl Strategy<Value = Vec<String>> {
    let fields = proptest::collection::vec((1u16..=48, 0usize..TERRAINS.len()), 0..10);
    let figures = proptest::collection::vec((0usize..KINDS.len(), 1u16..=48, any::<bool>()), 1..9);
    let stage = prop_oneof![Just("before"), Just("bow"), Just("melee"), Just("other")];
    (fields, figures, stage).prop_map(|(fields, figures, stage)| {
        let mut lines: Vec<String> = fields
            .into_iter()
            .filter(|(field, _)| !KEPT.contains(field))
            .map(|(field, terrain)| format!("field {field} {}", TERRAINS[terrain]))
            .collect();
        lines.extend(THINGS.map(str::to_owned));
        lines.push(format!("stage {stage}"));
        for ((kind, field, first), number) in figures.into_iter().zip(1u16..) {
            let owner = if first { "Adler" } else { "Bär" };
            let field = if KEPT.contains(&field) { 19 } else { field };
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

fn ids(state: &State) -> Vec<FigureId> {
    let count = u16::try_from(state.position.figures.len()).expect("few figures");
    (0..count).map(FigureId).collect()
}

/// Every attack, shot, throw and pour that can be written down.
fn blows(state: &State) -> Vec<Fight> {
    let mut deeds = Vec::new();
    let ids = ids(state);
    let is = |id: FigureId, kind: &str| state.position.name(id).starts_with(&format!("{kind}#"));
    for figure in ids.iter().copied() {
        for target in ids.iter().copied() {
            let attack = |support| Fight::Attack {
                figure,
                support,
                target,
            };
            deeds.push(attack(None));
            deeds.extend(ids.iter().copied().map(|support| attack(Some(support))));
            deeds.push(Fight::Shoot { figure, target });
        }
        for target in state.position.board.all() {
            deeds.push(Fight::Pour { figure, target });
            deeds.push(Fight::WeightBlow {
                phalanx: figure,
                target,
            });
        }
        for onager in ids.iter().copied().filter(|id| is(*id, "On")) {
            for cell in state.position.board.all() {
                for (level, side) in (0..4).flat_map(|level| {
                    let sides = Direction::ALL.into_iter().map(Some).chain([None]);
                    sides.map(move |side| (level, side))
                }) {
                    deeds.push(Fight::Throw {
                        onager,
                        crew: figure,
                        target: Spot { cell, level },
                        side,
                    });
                }
            }
        }
    }
    deeds
}

/// Every deed with devices, gates, loopholes, phalanxes and castles that can be written down.
fn works(state: &State) -> Vec<Fight> {
    let mut deeds = Vec::new();
    let ids = ids(state);
    let cells: Vec<Cell> = state.position.board.all().collect();
    let sides = || {
        let spots = cells
            .iter()
            .flat_map(|cell| (0..3).map(|level| Spot { cell: *cell, level }));
        spots.flat_map(|at| Direction::ALL.map(|side| Side { at, side }))
    };
    for gate in sides() {
        deeds.extend([true, false].map(|open| Fight::Gate { gate, open }));
    }
    deeds.extend(cells.iter().map(|castle| Fight::Besiege { castle: *castle }));
    for device in ids.iter().copied() {
        deeds.extend(sides().map(|target| Fight::Ram { device, target }));
        for against in cells.iter().copied() {
            deeds.push(Fight::SetLadder {
                ladder: device,
                against,
            });
            deeds.extend(ids.iter().map(|figure| Fight::ThrowRope {
                rope: device,
                figure: *figure,
                against,
            }));
        }
        deeds.extend(Direction::ALL.map(|side| Fight::Loophole { figure: device, side }));
        deeds.push(Fight::DissolvePhalanx { phalanx: device });
        deeds.push(Fight::Search { figure: device });
        for figure in ids.iter().copied() {
            deeds.push(Fight::Topple { ladder: device, figure });
            deeds.push(Fight::TieRopes { rope: device, figure });
            deeds.push(Fight::CutRope { rope: device, figure });
            deeds.push(Fight::Destroy { device, figure });
        }
    }
    // Four in a row of the list are enough: the phalanx of THINGS, and four who were put on one field one after the other.
    for members in ids.windows(4) {
        deeds.extend(Direction::ALL.map(|front| Fight::FormPhalanx {
            members: members.to_vec(),
            front,
        }));
    }
    deeds
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn every_legal_deed_of_fighting_is_offered_and_no_other(lines in battle()) {
        let tables = Tables::book().expect("the book");
        let mut state = build(&tables, &lines);
        for turn in 0..2 {
            state.position.clock.turn = turn;
            let player = state.position.mover().expect("a player");
            let scene = Scene { tables: &tables, position: &state.position, secret: None };
            let offers = legal::offers(scene, player);
            for fight in blows(&state).into_iter().chain(works(&state)) {
                let deed = Deed::Fight(fight);
                let legal = legal::judge(scene, player, &deed).is_ok();
                prop_assert_eq!(legal, offers.binary_search(&deed).is_ok(), "{:?}", deed);
            }
        }
    }

    #[test]
    fn fighting_breaks_no_law_and_loses_no_figure(lines in battle(), choices in proptest::collection::vec(any::<u16>(), 1..40), seed in any::<u64>()) {
        let tables = Tables::book().expect("the book");
        let mut state = build(&tables, &lines);
        // Random boards may be overcrowded from the start; those are no subject here.
        state.position.clock.step = 2;
        prop_assume!(Armageddon::invariants(&tables, &state).is_ok());
        let figures = state.position.figures.len();
        let player = state.position.mover().expect("a player");
        let mut quiet = Quiet(seed);
        let mut battle = Battle::new(&tables, state, &mut quiet);
        for choice in choices {
            let mut offers = legal::offers(battle.scene(player), player);
            offers.retain(|deed| matches!(deed, Deed::Fight(_)));
            let Some(deed) = offers.get(usize::from(choice) % offers.len().max(1)) else { break };
            prop_assert!(legal::carry_out(&mut battle, player, deed).is_ok());
        }
        let state = battle.finish(String::new());
        prop_assert_eq!(state.position.figures.len(), figures);
        prop_assert_eq!(Armageddon::invariants(&tables, &state), Ok(()));
    }
}
