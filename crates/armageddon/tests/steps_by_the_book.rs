//! Steps on foot, judged a second time.
//!
//! A model that knows nothing of the program's board, tables and judge: the lattice, terrains, edges and prices of steps are written down here
//! from the catalogue, sentence by sentence. It says of every warrior and every field whether he may step there and what it costs; the program
//! must say the same of each of them, refuse everything else, and agree after every step of a random walk.

use armageddon::Armageddon;
use armageddon::battle::{Battle, Referee, Scene};
use armageddon::board::{Cell, Spot};
use armageddon::deed::{Deed, Field};
use armageddon::event::Event;
use armageddon::kinds::Kind;
use armageddon::legal;
use armageddon::state::FigureId;
use armageddon::tables::Tables;
use kernel::diagnostic::Diagnostic;
use kernel::dice::Owner;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::stage::{Stage as _, StageLine};
use kernel::turn::{Cause, Die, Rules};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Steps on foot throw no dice.
struct NoDice;

impl Referee for NoDice {
    fn roll(&mut self, rule: RuleId, _: Owner, _: fmt::Arguments<'_>, _: i64, _: &mut [Die]) {
        panic!("a step threw dice by {rule:?}");
    }

    fn emit(&mut self, _: Cause, _: Rules, _: &[Die], _: Event) {}

    fn refuse(&mut self, _: RealmId, _: Diagnostic) {}
}

/// ARM-GAP-02: the six sides, as steps of `(q, r)`.
const SIDES: [(&str, i32, i32); 6] = [
    ("O", 1, 0),
    ("NO", 1, -1),
    ("NW", 0, -1),
    ("W", -1, 0),
    ("SW", -1, 1),
    ("SO", 0, 1),
];

/// ARM-GAP-02: rows of 4, 5, 6, 7, 8, 7, 6, 5 fields; row r begins at q = 0, -1, -2, -3, -4, -4, -4, -4.
const ROWS: [(i32, i32); 8] = [(4, 0), (5, -1), (6, -2), (7, -3), (8, -4), (7, -4), (6, -4), (5, -4)];

/// ARM-0.4.1, ARM-0.4.2, ARM-GAP-49: name, level, room; no room for whoever goes on foot on mountains. Water is left out: whoever jumps in
/// swims (ARM-GAP-28), which is told in scenarios of its own.
const TERRAINS: [(&str, i32, usize); 9] = [
    ("lowland", 1, 4),
    ("lowland-forest", 1, 3),
    ("lowland-desert", 1, 4),
    ("swamp", 1, 2),
    ("highland", 2, 4),
    ("highland-forest", 2, 3),
    ("mountain-country", 3, 3),
    ("mountain-forest", 3, 2),
    ("mountain", 4, 0),
];

/// What an edge or wall has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Thing {
    River,
    Bridge,
    Ditch,
    Ascent,
    /// A wall along a field's own side, with or without a gate in it.
    Wall(Gate),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Gate {
    None,
    Shut,
    Open,
    Broken,
}

fn fields() -> BTreeMap<usize, (i32, i32)> {
    let mut fields = BTreeMap::new();
    for (row, (count, first)) in (0i32..).zip(ROWS) {
        for column in 0..count {
            fields.insert(fields.len() + 1, (first + column, row));
        }
    }
    fields
}

#[derive(Clone, Debug)]
struct Man {
    number: u16,
    first: bool,
    at: usize,
    spent: u8,
}

#[derive(Clone, Debug)]
struct Model {
    fields: BTreeMap<usize, (i32, i32)>,
    terrain: BTreeMap<usize, usize>,
    things: BTreeSet<(usize, usize, Thing)>,
    men: Vec<Man>,
}

impl Model {
    fn neighbour(&self, field: usize, side: usize) -> Option<usize> {
        let (q, r) = self.fields[&field];
        let (_, dq, dr) = SIDES[side];
        let there = (q + dq, r + dr);
        self.fields
            .iter()
            .find(|(_, at)| **at == there)
            .map(|(field, _)| *field)
    }

    fn ground(&self, field: usize) -> (&'static str, i32, usize) {
        TERRAINS[self.terrain.get(&field).copied().unwrap_or(0)]
    }

    /// Whether the edge between a field and its neighbour has something that belongs to both.
    fn has(&self, field: usize, side: usize, thing: Thing) -> bool {
        let other = self.neighbour(field, side).map(|other| (other, (side + 3) % 6, thing));
        self.things.contains(&(field, side, thing)) || other.is_some_and(|other| self.things.contains(&other))
    }

    /// ARM-0.4.38 to 0.4.44, ARM-GAP-13, 14, 17, 49: what a step costs a man on foot; nothing if there is no way.
    fn cost(&self, man: &Man, to: usize) -> Option<u8> {
        // ARM-0.4.38: one step leads to an adjacent field.
        let side = (0..6).find(|side| self.neighbour(man.at, *side) == Some(to))?;
        let ((_, here, _), (_, there, room)) = (self.ground(man.at), self.ground(to));
        // ARM-0.4.42: where a figure may not stay it may not enter.
        if room == 0 {
            return None;
        }
        // ARM-0.4.40: at no moment more than the field offers.
        if self.men.iter().filter(|other| other.at == to).count() >= room {
            return None;
        }
        // ARM-GAP-49: two levels are impossible for everybody.
        let rise = there - here;
        if rise.abs() > 1 {
            return None;
        }
        let ascent = self.has(man.at, side, Thing::Ascent);
        let levels = match rise {
            0 => 1,
            1 => 2,
            // ARM-GAP-49: over an ascent downward one step.
            _ if ascent => 1,
            _ => 2,
        };
        let river = self.has(man.at, side, Thing::River) && !self.has(man.at, side, Thing::Bridge);
        let ditch = self.has(man.at, side, Thing::Ditch);
        // ARM-GAP-13, 14: a wall stands inside its field, so that there may be two. Open and broken gates let anybody pass.
        let beyond = (to, (side + 3) % 6);
        let walls = [(man.at, side), beyond].map(|(field, side)| {
            [Gate::None, Gate::Shut]
                .iter()
                .any(|gate| self.things.contains(&(field, side, Thing::Wall(*gate))))
        });
        let walled = walls.contains(&true);
        let enemy = self.men.iter().any(|other| other.at == to && other.first != man.first);
        if walled && enemy {
            return None;
        }
        // ARM-0.4.44: each of these is a double step; two reasons do not make four.
        let double = river || ditch || walled;
        Some(if double { 2 } else { levels })
    }

    /// ARM-0.4.38: two steps in a round.
    fn may(&self, man: &Man, to: usize) -> Option<u8> {
        self.cost(man, to).filter(|cost| man.spent + cost <= 2)
    }

    /// The battle in the words of a set-up.
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (field, terrain) in &self.terrain {
            lines.push(format!("field {field} {}", TERRAINS[*terrain].0));
        }
        for (field, side, thing) in &self.things {
            let Some(other) = self.neighbour(*field, *side) else {
                continue;
            };
            let name = SIDES[*side].0;
            lines.push(match thing {
                Thing::River => format!("river {field}-{other}"),
                Thing::Bridge => format!("bridge {field}-{other}"),
                Thing::Ditch => format!("ditch {field}-{other}"),
                Thing::Ascent => format!("ascent {field}-{other}"),
                Thing::Wall(Gate::None) => format!("wall Adler {field}-{name}"),
                Thing::Wall(Gate::Shut) => format!("wall Bär {field}-{name} closed"),
                Thing::Wall(Gate::Open) => format!("wall Bär {field}-{name} open"),
                Thing::Wall(Gate::Broken) => format!("wall Adler {field}-{name} broken"),
            });
        }
        for man in &self.men {
            let owner = if man.first { "Adler" } else { "Bär" };
            lines.push(format!("figure {owner} S {} at {}", man.number, man.at));
        }
        lines
    }
}

fn model() -> impl Strategy<Value = Model> {
    // Half the fields are lowland, so that there is somewhere to go.
    let terrain = prop_oneof![3 => Just(0usize), 4 => 1usize..8, 1 => 8usize..TERRAINS.len()];
    let terrain = proptest::collection::vec(terrain, 48);
    let gate = prop_oneof![Just(Gate::None), Just(Gate::Shut), Just(Gate::Open), Just(Gate::Broken)];
    let thing = prop_oneof![
        2 => Just(Thing::River),
        1 => Just(Thing::Bridge),
        2 => Just(Thing::Ditch),
        2 => Just(Thing::Ascent),
        2 => gate.prop_map(Thing::Wall),
    ];
    let things = proptest::collection::vec((1usize..=48, 0usize..6, thing), 0..50);
    let men = proptest::collection::vec((1usize..=48, any::<bool>()), 2..40);
    (terrain, things, men).prop_map(|(terrain, things, men)| {
        let mut model = Model {
            fields: fields(),
            terrain: (1..).zip(terrain).collect(),
            things: BTreeSet::new(),
            men: Vec::new(),
        };
        for (field, side, thing) in things {
            let Some(other) = model.neighbour(field, side) else {
                continue;
            };
            // One wall on a side.
            let walled = model
                .things
                .iter()
                .any(|(at, on, what)| (*at, *on) == (field, side) && matches!(what, Thing::Wall(_)));
            if matches!(thing, Thing::Wall(_)) && walled {
                continue;
            }
            if thing == Thing::Bridge {
                model.things.insert((field, side, Thing::River));
            }
            // A river that is named from both sides is still one.
            if !model.things.contains(&(other, (side + 3) % 6, thing)) {
                model.things.insert((field, side, thing));
            }
        }
        for ((at, first), number) in men.into_iter().zip(1u16..) {
            let taken = model.men.iter().filter(|man| man.at == at).count();
            if taken < model.ground(at).2 {
                model.men.push(Man {
                    number,
                    first,
                    at,
                    spent: 0,
                });
            }
        }
        // Both sides are there, wherever there is room.
        for (first, number) in [(true, 90), (false, 91)] {
            if !model.men.iter().any(|man| man.first == first) {
                let free =
                    |field: &usize| model.men.iter().filter(|man| man.at == *field).count() < model.ground(*field).2;
                if let Some(at) = (1..=48).find(free) {
                    model.men.push(Man {
                        number,
                        first,
                        at,
                        spent: 0,
                    });
                }
            }
        }
        model
    })
}

/// Compares every man of the first player and every field.
fn compare(model: &Model, scene: Scene<'_>, ids: &BTreeMap<u16, FigureId>) -> Result<(), TestCaseError> {
    let player = RealmId(1);
    let offers: BTreeSet<Deed> = legal::offers(scene, player).into_iter().collect();
    for man in &model.men {
        let figure = ids[&man.number];
        for to in 1..=48usize {
            let cell = Cell(u16::try_from(to - 1).expect("a field"));
            let step = Deed::Field(Field::Step {
                figure,
                to: Spot::ground(cell),
            });
            let expected = if man.first { model.may(man, to) } else { None };
            let judged = legal::judge(scene, player, &step);
            prop_assert_eq!(
                expected,
                judged.as_ref().ok().map(|permit| permit.steps),
                "S#{} from {} to {}: {:?}",
                man.number,
                man.at,
                to,
                judged
            );
            prop_assert_eq!(
                expected.is_some(),
                offers.contains(&step),
                "offer of S#{} to {}",
                man.number,
                to
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn a_man_may_step_where_the_book_lets_him_and_nowhere_else(model in model(), choices in proptest::collection::vec(any::<u16>(), 0..16)) {
        let mut model = model;
        let tables = Tables::book().expect("the book");
        let lines: Vec<StageLine> = model
            .lines()
            .into_iter()
            .zip(1u32..)
            .map(|(text, line)| StageLine { line, text })
            .collect();
        let state = Armageddon::world(&tables, "", &lines).expect("the lines build a battle");
        let kind = Kind::from_code("S").expect("a swordsman");
        let ids: BTreeMap<u16, FigureId> = model
            .men
            .iter()
            .map(|man| (man.number, state.position.find(kind, man.number).expect("a man")))
            .collect();
        let player = RealmId(1);
        let mut referee = NoDice;
        let mut battle = Battle::new(&tables, state, &mut referee);
        compare(&model, battle.scene(player), &ids)?;
        for choice in choices {
            // The walk is the model's, so that the program cannot choose what is asked of it.
            let ways: Vec<(usize, usize, u8)> = model
                .men
                .iter()
                .enumerate()
                .filter(|(_, man)| man.first)
                .flat_map(|(index, man)| {
                    let model = &model;
                    (1..=48).filter_map(move |to| model.may(man, to).map(|cost| (index, to, cost)))
                })
                .collect();
            let Some((index, to, cost)) = ways.get(usize::from(choice) % ways.len().max(1)).copied() else { break };
            let cell = Cell(u16::try_from(to - 1).expect("a field"));
            let step = Deed::Field(Field::Step { figure: ids[&model.men[index].number], to: Spot::ground(cell) });
            prop_assert!(legal::carry_out(&mut battle, player, &step).is_ok());
            model.men[index].at = to;
            model.men[index].spent += cost;
            compare(&model, battle.scene(player), &ids)?;
        }
    }
}
