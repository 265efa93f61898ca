//! Laws of legal deeds on random boards: what is offered is legal, what is legal is offered, a legal deed breaks no law of the board, and a
//! refused one changes nothing.
//!
//! Faults planted in the judge and the engine, one at a time, and what found each: these laws, or the scenarios below `scenarios/armageddon`. Whoever
//! changes one of these places can plant the fault again.
//!
//! | planted fault | found by |
//! |---|---|
//! | a field offers one unit too many | laws, `animals/led-horse-needs-room` |
//! | a step is offered that is refused; a legal step is not offered | laws |
//! | a figure is lost in a swap | laws, `swap/full-fields` |
//! | an act is not spent; a supporter keeps his | `melee/one-act`, `melee/support` |
//! | a swimmer, a ship drifts a field too far | `water/crossing`, `ships/drift` |
//! | equal numbers are a majority; the paralysed count | `gates/majority`, `devices/ladder-without-majority` |
//! | overcrowding is not resolved | `buildings/foundation`, `deployment/errors` |
//! | the wrong side begins a scrimmage | `scrimmage/drifted` |
//! | a figure is enchanted twice; spells do not expire; a spell is paid twice; two spells a round | `magic/storeys`, `magic/field-by-field`, `house/dispelling` |
//! | a ladder is set up without control; three at one side | `devices/ladder-without-majority`, `house/ladders` |
//! | a river costs one step; one step more than a figure has | `steps/double-steps`, `animals/mounting` |
//! | equal totals kill | `melee/duel` |
//! | a gate is moved twice, or from outside | `gates/open-and-close` |
//! | hunger comes a round early; an access is not watched | `siege/hunger`, `siege/declare` |
//! | a ship rams after one straight step; a longship is boarded at one edge | `ships/ramming`, `ships/boarding` |
//! | a led horse needs no room; a rider's own steps cost his horse nothing | `animals/led-horse-needs-room`, `animals/mounting` |
//! | an elephant tramples two fields, or the petrified | `trampling/elephant`, `trampling/stone` |
//! | who is engaged shoots; pitch without the majority | `missiles/engaged`, `missiles/pitch-majority` |
//! | a trade centre is taken below its defenders | `trade/third-party` |
//! | what another has moved moves again; animals are lent; a capture is not announced | `hauling/taken-over`, `animals/given-away`, `animals/capture` |
//! | a phalanx strikes without a run, after a turn, or marches two fields; two of them swap | `phalanx/weight-blow`, `phalanx/turn-and-dissolve`, `phalanx/form-and-march`, `swap/who-may` |
//! | a wizard hovers over guarded buildings | `wizards/over-buildings` |
//! | a siege tower docks at unequal ground | `hauling/siege-tower-on-uneven-ground` |
//! | two storeys in one step | `steps/storeys-one-by-one` |
//! | an onager throws after being carried | `missiles/onager-carried` |
//! | a stage of the turn comes back; a refused line changes the board | laws, `turn/kinds-of-activity`, `replay/log-lines` |
//! | who held a rein is gone and still holds it | laws |
//! | a wall is climbed before an enemy | `steps/walls` |
//! | fields that are not full swap; groups of unequal room swap | `swap/full-fields`, laws |
//! | six is dangerous terrain | `survival/limits` |
//! | the last unit of room is refused to who gets off a wagon or out of the water | `quadriga/last-unit`, `water/last-unit` |
//! | a man of a phalanx throws a rope; a led horse bears nothing; an ally is no passenger | `devices/rope-of-a-phalanx`, `hauling/led-horse-bears`, `animals/passenger-of-an-ally` |
//! | a led horse stays behind when its elephant turns back; a king dies for a king | `trampling/led-comes-back`, `melee/two-kings` |
//! | the spellbound swap, spellbound creatures roam | `swap/spellbound`, `creatures/petrified-stays` |
//! | one besieges from inside; who looks ahead is as safe as a phalanx; a horse before two wagons | `siege/from-inside`, `missiles/front-of-one-man`, `quadriga/harnessed-once` |
//! | men of two ships fight wherever they touch; an onager rams, a ram from beside the gate | `ships/melee-between-ships`, `devices/not-a-ram`, `devices/ram-elsewhere` |
//! | a wizard falls into the water; a ship is transferred ashore; a triple pays for nothing after the spell of the round | `wizards/duel-over-water`, `magic/transfer-ship`, `wizards/triple-after-the-spell` |
//! | an onager throws at what nobody sees; a shot on the own field; a sword steps up to a loophole | `missiles/onager-needs-eyes`, `missiles/on-the-same-field`, `missiles/who-steps-up-to-a-loophole` |
//! | a storey without a building has room; a bridge that stands drops its men; the water has room for five | `deployment/no-such-storey`, `buildings/bridge-stands`, `water/no-room` |
//! | a weight blow into the air; a priest without units prays | `phalanx/nobody-to-strike`, `kalevala/too-few-units` |
//! | the wind of the set-up turns in the first round; the helpless bar no wall | `ships/wind-of-the-set-up`, `steps/wall-before-the-helpless` |

use armageddon::Armageddon;
use armageddon::battle::{Battle, Referee, Scene};
use armageddon::board::Spot;
use armageddon::deed::field::Helm;
use armageddon::deed::fight::Side;
use armageddon::deed::magic::Aim;
use armageddon::deed::{Deed, Field, Fight, Magic};
use armageddon::event::{Event, FieldHappening, Happening};
use armageddon::kinds::{Kind, Part, Spell, Stage};
use armageddon::setup::{self, ready};
use armageddon::simulate::Chance;
use armageddon::state::{FigureId, Place, Position, State};
use armageddon::tables::Tables;
use armageddon::{computer, control, legal, overcrowding, steps};
use kernel::diagnostic::Diagnostic;
use kernel::dice::Owner;
use kernel::game::Game;
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::stage::{Stage as _, StageLine};
use kernel::turn::{Cause, Die, Rules};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A referee whose dice follow a seed, or favour one player against everybody else, and who remembers nothing but who left the board.
struct Quiet {
    seed: u64,
    favours: Option<Owner>,
    left: Vec<FigureId>,
}

impl Quiet {
    fn new(seed: u64) -> Self {
        let (favours, left) = (None, Vec::new());
        Self { seed, favours, left }
    }

    /// This player throws nothing but sixes, all others nothing but ones.
    fn favouring(player: RealmId) -> Self {
        Self {
            favours: Some(Owner::of(player)),
            ..Self::new(0)
        }
    }
}

impl Referee for Quiet {
    fn roll(&mut self, _: RuleId, owner: Owner, _: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]) {
        for die in dice {
            if let Some(favoured) = self.favours {
                die.value = if owner == favoured { faces } else { 1 };
                continue;
            }
            self.seed = self
                .seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            die.value = 1 + i64::try_from(self.seed >> 33).unwrap_or(0) % faces;
        }
    }

    fn emit(&mut self, _: Cause, _: Rules, _: &[Die], event: Event) {
        if let Happening::Field(FieldHappening::Left { figure, .. }) = event.happening {
            self.left.push(figure);
        }
    }

    fn refuse(&mut self, _: RealmId, _: Diagnostic) {}
}

/// What must hold between two boards of a battle, whoever did what: who is gone was told to be, once, and nobody comes back or becomes another; what
/// belongs together stands together.
fn broken(before: &Position, after: &Position, left: &[FigureId]) -> Option<String> {
    if before.figures.len() != after.figures.len() {
        return Some("figures are lost or doubled".to_owned());
    }
    for ((one, other), id) in before.figures.iter().zip(&after.figures).zip((0u16..).map(FigureId)) {
        let told = left.iter().filter(|gone| **gone == id).count();
        let gone = usize::from(one.is_present() && !other.is_present());
        if told != gone {
            return Some(format!("{one} left {gone} times and was told of {told} times"));
        }
        if other.is_present() && !one.is_present() {
            return Some(format!("{one} has come back"));
        }
        if (one.kind, one.number) != (other.kind, other.number) {
            return Some(format!("{one} has become {other}"));
        }
        if let Some(wrong) = apart(after, id) {
            return Some(format!("{other}: {wrong}"));
        }
    }
    None
}

/// What a figure belongs to and does not stand with: its phalanx, its leader, its wagon, its wall.
fn apart(position: &Position, id: FigureId) -> Option<&'static str> {
    let figure = position.figure(id).filter(|figure| figure.is_present())?;
    if let Some(leader) = figure.phalanx.and_then(|leader| position.figure(leader))
        && (leader.place, leader.kind, leader.facing) != (figure.place, figure.kind, figure.facing)
    {
        return Some("not with its phalanx");
    }
    let by = figure.held_by?;
    let holder = position.figure(by)?;
    let ahead = |facing| position.board.neighbour(position.cell_of(by)?, facing);
    let place = match holder.kind {
        Kind::Wagon => holder.facing.and_then(ahead),
        _ => position.cell_of(by),
    };
    if !holder.is_present() || position.cell_of(id) != place {
        return Some("not with who holds it");
    }
    None
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
const KINDS: [&str; 10] = ["LB", "S", "B", "AC", "lP", "On", "El", "Wi", "QlP", "Pr"];
/// Fields of [`THINGS`], where no figure of chance stands.
const RESERVED: [u16; 23] = [
    1, 3, 4, 5, 6, 8, 9, 11, 12, 16, 19, 20, 21, 25, 26, 28, 29, 31, 32, 33, 34, 35, 36,
];
/// What a chapter of movement needs: ships and swimmers, wagons with teams, ridden and led animals, a ladder and a siege tower at a tower, full fields.
const THINGS: [&str; 38] = [
    "field 38-48 water",
    "flow 38 O",
    "field 1 lowland 3 lowland 16 lowland 19 lowland 25 lowland 31-32 lowland 35-36 lowland",
    "wind O fresh",
    "figure Adler LS 1 at 40 facing O",
    "figure Adler S 80 on LS#1",
    "figure Bär S 81 on LS#1.stern",
    "figure Bär FS 1 at 42 facing W",
    "figure Bär S 82 on FS#1",
    "figure Adler SS 1 at 46 facing O",
    "figure Adler S 83 on SS#1.stern",
    "figure Adler S 84 at ~38",
    "figure Adler QuW 1 at 31 facing O",
    "figure Adler QlP 80..81 at 32",
    "held QlP#80 by QuW#1",
    "held QlP#81 by QuW#1",
    "figure Adler S 85 on QuW#1",
    "figure Bär S 86 on QuW#1",
    "figure Adler S 87 on QuW#1",
    "figure Adler El 80 at 1",
    "figure Adler S 88 on El#80",
    "figure Adler lP 80 at 3",
    "figure Adler S 89 on lP#80",
    "figure Adler lP 81 at 3",
    "held lP#81 by S#89",
    "figure Adler Le 80 at 25",
    "leans Le#80 O",
    "figure Adler S 70..71 at 25",
    "figure Adler Bt 80 at 19",
    "figure Adler S 72..74 on Bt#80",
    "figure Adler S 75 on Bt#80.upper",
    "figure Adler Wi 80 at 35",
    "figure Adler S 60..62 at 35",
    "figure Adler lP 82 at 36",
    "figure Adler S 63 on lP#82",
    "figure Adler S 64..65 at 36",
    "figure Adler Z 1 at ^16",
    "figure Bär lP 83 at 16",
];

/// What the wars of KALEVALA need: priests with spell units, one of them in a besieged tower, a province to flee to, a trade centre that was held.
const WAR_THINGS: [&str; 8] = [
    "figure Adler Pr 70 at 28",
    "prays Pr#70 40",
    "figure Adler Pr 71 at 26.0",
    "prays Pr#71 20",
    "siege Bär 26 1",
    "refuge Adler N 0 1",
    "course Adler flight begun",
    "centre Adler 25 market held 2",
];

/// What spells, challenges, fable creatures and trade centres need.
const MAGIC_THINGS: [&str; 10] = [
    "wall Adler 33-O closed",
    "centre Bär 26 city",
    "centre Bär 35 market",
    "figure Bär Z 2 at ^30",
    "figure Bär S 92 at 16 spell strengthen Bär",
    "figure 0 Rie 1 at 9",
    "figure Adler Dra 1 at 8",
    "figure Adler Ssl 1 at 43",
    "figure Adler Rdf 1 at 4",
    "figure Adler Gre 1 at 20",
];

/// What the fight needs: a phalanx and four who could be one, a ram and an onager with crews, ropes, a leaning ladder of the enemy, a king on a tower
/// that comes down with the next hit.
const FIGHT_THINGS: [&str; 19] = [
    "field 5-6 lowland 11-12 lowland 20-21 lowland 28-29 lowland 33-34 lowland",
    "figure Adler L 60..63 at 5",
    "phalanx 5 O",
    "figure Adler L 64..67 at 21",
    "figure Bär S 94 at 6",
    "tower Bär 12 gate W closed",
    "hits 12.0 5",
    "figure Bär Kö 1 at 12.P lives 3",
    "figure Adler Wi 81 at 11",
    "figure Adler S 50..51 at 11",
    "figure Adler On 81 at 28 facing W",
    "figure Adler S 52 at 28",
    "figure Adler Se 81 at 11",
    "figure Bär B 95 at 12.P",
    "figure Adler B 96 at 29",
    "figure Adler Le 82 at 25",
    "figure Adler QuW 2 at 34 facing W",
    "figure Adler QlP 82 at 33",
    "figure Adler S 97 at 33",
];

/// A small random battle: terrain, rivers, walls, a tower, figures of both players that keep to the room there is.
fn battle() -> impl Strategy<Value = Vec<String>> {
    let fields = proptest::collection::vec((1u16..=48, 0usize..TERRAINS.len()), 0..30);
    let figures = proptest::collection::vec((0usize..KINDS.len(), 1u16..=37, any::<bool>()), 1..14);
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
        lines.push("wall Bär 13-O".to_owned());
        lines.extend(THINGS.map(str::to_owned));
        lines.extend(MAGIC_THINGS.map(str::to_owned));
        lines.extend(WAR_THINGS.map(str::to_owned));
        lines.extend(FIGHT_THINGS.map(str::to_owned));
        lines.push("figure Adler SC 90 at 26.P".to_owned());
        lines.push("figure Bär SC 91 at 27".to_owned());
        for ((kind, field, first), number) in figures.into_iter().zip(1u16..) {
            let owner = if first { "Adler" } else { "Bär" };
            let field = if RESERVED.contains(&field) { 10 } else { field };
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

/// Every deed that can be written down at all; those of several figures for figures that are not too far apart.
fn everything(state: &State) -> Vec<Deed> {
    let mut deeds = Vec::new();
    let ids = || (0..state.position.figures.len()).map(|index| FigureId(u16::try_from(index).expect("few figures")));
    for figure in ids() {
        deeds.push(Field::Flee { figure });
        for cell in state.position.board.all() {
            for level in 0..4 {
                let to = Spot { cell, level };
                deeds.push(Field::Step { figure, to });
                deeds.push(Field::Leave { figure, to });
                deeds.push(Field::LandFromWater { figure, to });
                deeds.push(Field::Drive { wagon: figure, to });
                deeds.push(Field::March { phalanx: figure, to });
            }
        }
        for facing in Direction::ALL {
            deeds.push(Field::Face { figure, facing });
            for helm in [Helm::Ahead(facing), Helm::Turn(facing)] {
                deeds.push(Field::Sail { ship: figure, helm });
            }
        }
        for other in ids() {
            for part in Part::ALL {
                deeds.push(Field::Board {
                    figure,
                    carrier: other,
                    part: *part,
                });
            }
            let by = Some(other);
            deeds.push(Field::Lead { animal: figure, by });
            deeds.push(Field::Harness {
                horse: figure,
                wagon: other,
            });
        }
        deeds.push(Field::Lead {
            animal: figure,
            by: None,
        });
        deeds.push(Field::Unharness { wagon: figure });
        deeds.push(Field::Possess { object: figure });
        for to in state.position.players.keys() {
            deeds.push(Field::Give {
                object: figure,
                to: *to,
            });
            deeds.push(Field::Lend {
                object: figure,
                to: *to,
            });
        }
    }
    groups(state, &mut deeds);
    let magic = magic(state).into_iter().map(Deed::Magic);
    let fights = fights(state).into_iter().map(Deed::Fight);
    deeds.into_iter().map(Deed::Field).chain(fights).chain(magic).collect()
}

/// Every deed of the fight: by every figure, whatever it is, against everybody and everything.
fn fights(state: &State) -> Vec<Fight> {
    let position = &state.position;
    let board = &position.board;
    let numbers = 0..u16::try_from(position.figures.len()).expect("few figures");
    let ids = || numbers.clone().map(FigureId);
    let is = |id: FigureId, kind: Kind| position.figure(id).is_some_and(|figure| figure.kind == kind);
    let near = |one: FigureId, other: FigureId, fields: u64| {
        let cells = position.cell_of(one).zip(position.cell_of(other));
        cells.is_some_and(|(one, other)| board.distance(one, other) <= fields)
    };
    let mut deeds = Vec::new();
    for figure in ids() {
        deeds.push(Fight::Search { figure });
        deeds.push(Fight::DissolvePhalanx { phalanx: figure });
        deeds.extend(Direction::ALL.map(|side| Fight::Loophole { figure, side }));
        for target in board.all() {
            deeds.push(Fight::WeightBlow {
                phalanx: figure,
                target,
            });
            deeds.push(Fight::Pour { figure, target });
            deeds.push(Fight::SetLadder {
                ladder: figure,
                against: target,
            });
            for (side, level) in Direction::ALL
                .into_iter()
                .flat_map(|side| (0..3).map(move |level| (side, level)))
            {
                let at = Spot { cell: target, level };
                deeds.push(Fight::Ram {
                    device: figure,
                    target: Side { at, side },
                });
            }
        }
        for other in ids() {
            deeds.push(Fight::Shoot { figure, target: other });
            deeds.push(Fight::RamShip {
                ship: figure,
                target: other,
            });
            deeds.push(Fight::Topple { ladder: other, figure });
            deeds.push(Fight::TieRopes { rope: other, figure });
            deeds.push(Fight::CutRope { rope: other, figure });
            deeds.push(Fight::Destroy { device: other, figure });
            deeds.push(Fight::Attack {
                figure,
                support: None,
                target: other,
            });
            if near(figure, other, 2) {
                let helpers = ids().filter(|id| near(*id, other, 2)).map(Some);
                deeds.extend(helpers.map(|support| Fight::Attack {
                    figure,
                    support,
                    target: other,
                }));
            }
            if is(other, Kind::Rope) {
                let against = board.all().filter(|cell| {
                    position
                        .cell_of(figure)
                        .is_some_and(|at| board.distance(at, *cell) <= 2)
                });
                deeds.extend(against.map(|against| Fight::ThrowRope {
                    rope: other,
                    figure,
                    against,
                }));
            }
            if is(figure, Kind::Onager) && near(figure, other, 1) {
                for (cell, level) in board.all().flat_map(|cell| (0..3).map(move |level| (cell, level))) {
                    let target = Spot { cell, level };
                    let sides = std::iter::once(None).chain(Direction::ALL.map(Some));
                    deeds.extend(sides.map(|side| Fight::Throw {
                        onager: figure,
                        crew: other,
                        target,
                        side,
                    }));
                }
            }
        }
    }
    for castle in board.all() {
        deeds.push(Fight::Besiege { castle });
        for (side, level) in Direction::ALL
            .into_iter()
            .flat_map(|side| (0..3).map(move |level| (side, level)))
        {
            let gate = Side {
                at: Spot { cell: castle, level },
                side,
            };
            deeds.extend([true, false].map(|open| Fight::Gate { gate, open }));
        }
    }
    let mut places: BTreeMap<Place, Vec<FigureId>> = BTreeMap::new();
    for (id, figure) in position.present() {
        places.entry(figure.place).or_default().push(id);
    }
    for here in places.into_values() {
        for members in (1u32..1 << here.len().min(7)).map(|mask| chosen(&here, mask)) {
            if members.len() == 4 {
                let form = |front| Fight::FormPhalanx {
                    members: members.clone(),
                    front,
                };
                deeds.extend(Direction::ALL.map(form));
            }
        }
    }
    deeds
}

/// Those of a list whose bits are set.
fn chosen(list: &[FigureId], mask: u32) -> Vec<FigureId> {
    let bits = (0u32..).zip(list).filter(|(bit, _)| mask & (1 << bit) != 0);
    bits.map(|(_, id)| *id).collect()
}

/// Deeds of several figures: hauling by every group beside or in a device, swaps of every group with every other on or beside its field.
fn groups(state: &State, deeds: &mut Vec<Field>) {
    let position = &state.position;
    let mut places: BTreeMap<Place, Vec<FigureId>> = BTreeMap::new();
    for (id, figure) in position.present() {
        places.entry(figure.place).or_default().push(id);
    }
    let subsets = |list: &[FigureId]| -> Vec<Vec<FigureId>> {
        (1u32..1 << list.len().min(6)).map(|mask| chosen(list, mask)).collect()
    };
    for (device, figure) in position.present() {
        let Place::At(from) = figure.place else { continue };
        let mut hands: Vec<FigureId> = places[&figure.place]
            .iter()
            .copied()
            .filter(|id| *id != device)
            .collect();
        hands.extend(position.aboard(device).map(|(id, _)| id));
        hands.sort_unstable();
        for bearers in subsets(&hands) {
            for (_, cell) in position.board.neighbours(from.cell) {
                deeds.push(Field::Haul {
                    device,
                    bearers: bearers.clone(),
                    to: Spot::ground(cell),
                });
            }
        }
    }
    for (from, here) in &places {
        for (to, there) in &places {
            let cell = |list: &[FigureId]| list.first().and_then(|id| position.cell_of(*id));
            let near = cell(here)
                .zip(cell(there))
                .is_some_and(|(one, other)| position.board.distance(one, other) <= 1);
            if from == to || !near {
                continue;
            }
            for here in subsets(here) {
                for there in subsets(there) {
                    let here = here.clone();
                    deeds.push(Field::Swap { here, there });
                }
            }
        }
    }
}

/// Every spell on one field or storey with one aim at the most, every challenge, every trade centre.
fn magic(state: &State) -> Vec<Magic> {
    let mut deeds = Vec::new();
    let board = &state.position.board;
    let numbers = 0..u16::try_from(state.position.figures.len()).expect("few figures");
    for cell in board.all() {
        deeds.push(Magic::TakeCentre { cell });
        deeds.push(Magic::Raze { cell });
        deeds.push(Magic::Plunder { cell });
    }
    for priest in numbers.clone().map(FigureId) {
        deeds.push(Magic::Feed { priest });
        for (figure, spell) in numbers
            .clone()
            .flat_map(|figure| [Spell::Bless, Spell::Fear].map(|spell| (figure, spell)))
        {
            deeds.push(Magic::Pray {
                priest,
                spell,
                figures: vec![FigureId(figure)],
            });
        }
    }
    for wizard in numbers.clone().map(FigureId) {
        deeds.extend(numbers.clone().map(|target| Magic::Duel {
            wizard,
            target: FigureId(target),
        }));
        if !matches!(state.position.figure(wizard), Some(figure) if figure.kind.code() == "Z") {
            continue;
        }
        for (cell, spell) in board
            .all()
            .flat_map(|cell| Spell::ALL.iter().map(move |spell| (cell, *spell)))
        {
            let mut aims = vec![Vec::new()];
            aims.extend(board.neighbours(cell).map(|(_, next)| vec![Spot::ground(next)]));
            if spell == Spell::Transfer {
                aims.extend(board.all().step_by(7).map(|to| vec![Spot::ground(to)]));
                aims.extend(board.all().step_by(5).map(|cell| vec![Spot { cell, level: 1 }]));
            }
            for (to, level) in aims
                .iter()
                .flat_map(|to| [None, Some(0), Some(1)].map(|level| (to, level)))
            {
                if level.is_some() && board.building(cell).is_none() {
                    continue;
                }
                for along in [false, true]
                    .into_iter()
                    .take(1 + usize::from(spell == Spell::Transfer))
                {
                    deeds.push(Magic::Cast {
                        wizard,
                        spell,
                        on: vec![Aim { cell, level }],
                        to: to.clone(),
                        along,
                    });
                }
            }
        }
    }
    deeds
}

/// Lets a player be on turn, in this stage of it.
fn give_turn(position: &mut Position, player: RealmId, stage: Stage) {
    let place = position
        .order
        .iter()
        .position(|one| *one == player)
        .expect("on the list of turns");
    position.clock.turn = u16::try_from(place).expect("few players");
    position.clock.stage = stage;
}

/// The kind of a deed, as its name in the program.
fn kind_of(deed: &Deed) -> String {
    let text = format!("{deed:?}");
    let name = text.split(['(', ' ', '{']).nth(1).unwrap_or_default();
    name.to_owned()
}

#[test]
fn the_boards_of_these_laws_let_every_kind_of_deed_happen() {
    let tables = Tables::book().expect("the book");
    let mut lines: Vec<String> = THINGS
        .iter()
        .chain(&MAGIC_THINGS)
        .chain(&WAR_THINGS)
        .chain(&FIGHT_THINGS)
        .map(|line| (*line).to_owned())
        .collect();
    lines.push("tower Adler 26 gate O closed".to_owned());
    lines.push("figure Adler SC 90 at 26.P".to_owned());
    lines.push("figure Adler B 93 at 26".to_owned());
    lines.push("figure Bär SC 91 at 27".to_owned());
    let state = build(&tables, &lines);
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    for (player, stage) in state
        .position
        .players
        .keys()
        .flat_map(|player| Stage::ALL.iter().map(move |stage| (player, stage)))
    {
        let mut position = state.position.clone();
        give_turn(&mut position, *player, *stage);
        let scene = Scene {
            tables: &tables,
            position: &position,
            secret: state.secrets.get(player),
        };
        let legal = everything(&state)
            .into_iter()
            .filter(|deed| legal::judge(scene, *player, deed).is_ok());
        kinds.extend(legal.map(|deed| kind_of(&deed)));
    }
    let all = [
        "Step",
        "Face",
        "Swap",
        "Board",
        "Leave",
        "Lead",
        "Haul",
        "March",
        "Drive",
        "Sail",
        "Harness",
        "Unharness",
        "Give",
        "Lend",
        "Attack",
        "Shoot",
        "Throw",
        "Pour",
        "Ram",
        "SetLadder",
        "Topple",
        "ThrowRope",
        "Destroy",
        "Gate",
        "Loophole",
        "FormPhalanx",
        "DissolvePhalanx",
        "Search",
        "Cast",
        "Duel",
        "Flee",
        "Pray",
        "Feed",
        "Plunder",
    ];
    let missing: Vec<&str> = all.into_iter().filter(|kind| !kinds.contains(*kind)).collect();
    assert!(missing.is_empty(), "no legal {missing:?} on these boards: {kinds:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    #[test]
    fn every_offered_deed_is_legal_and_every_legal_deed_is_offered(lines in battle(), stage in 0..Stage::ALL.len()) {
        let tables = Tables::book().expect("the book");
        let state = build(&tables, &lines);
        for player in state.position.players.keys() {
            let secret = state.secrets.get(player);
            // Each of them is on turn, in any stage of it.
            let mut position = state.position.clone();
            give_turn(&mut position, *player, Stage::ALL[stage]);
            let scene = Scene { tables: &tables, position: &position, secret };
            let offers: BTreeSet<Deed> = legal::offers(scene, *player).into_iter().collect();
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
    fn a_set_up_written_down_builds_the_same_battle(lines in battle()) {
        let tables = Tables::book().expect("the book");
        let state = build(&tables, &lines);
        let written = armageddon::setup::export::lines(&tables, &state);
        prop_assert_eq!(build(&tables, &written), state, "{:?}", written);
    }

    #[test]
    fn a_walk_of_legal_deeds_breaks_no_law_and_loses_no_figure(lines in battle(), choices in proptest::collection::vec(any::<u16>(), 1..24)) {
        let tables = Tables::book().expect("the book");
        let mut state = deployed(&tables, &lines);
        let player = state.position.mover().expect("a player");
        for (choice, seed) in choices.into_iter().zip(7u64..) {
            let mut quiet = Quiet::new(seed);
            let before = state.position.clone();
            let mut battle = Battle::new(&tables, state, &mut quiet);
            let offers = legal::offers(battle.scene(player), player);
            let deed = offers.get(usize::from(choice) % offers.len().max(1)).cloned();
            if let Some(deed) = &deed {
                prop_assert!(legal::carry_out(&mut battle, player, deed).is_ok(), "{:?}", deed);
            }
            state = battle.finish(String::new());
            let written = armageddon::setup::export::lines(&tables, &state);
            prop_assert_eq!(&build(&tables, &written), &state, "{:?}", written);
            prop_assert_eq!(broken(&before, &state.position, &quiet.left), None, "{:?}", deed);
            prop_assert_eq!(Armageddon::invariants(&tables, &state), Ok(()), "{:?}", deed);
        }
    }
}

/// Whatever a battle has come to between two turns and in the middle of one can be written down and taken up again.
#[test]
fn a_battle_of_computer_players_written_down_at_any_turn_is_the_same_battle() {
    let tables = Tables::book().expect("the book");
    for (ready, number) in ready::ALL.iter().zip(1u64..) {
        let mut state = setup::build(&tables, "", &setup::read_lines(ready.setup)).expect(ready.code);
        let mut chance = Chance::new(20, number);
        while state.position.outcome.is_none() {
            for ends in [false, true] {
                let mut battle = Battle::new(&tables, state.clone(), &mut chance);
                if ends {
                    steps::play_turn(&mut battle, &mut computer::conduct);
                } else if let Some(mover) = steps::begin_turn(&mut battle) {
                    computer::conduct(&mut battle, mover);
                }
                let now = battle.finish(String::new());
                let written = setup::export::lines(&tables, &now);
                assert_eq!(build(&tables, &written), now, "{}: {written:#?}", ready.code);
                if ends {
                    state = now;
                }
            }
        }
    }
}

#[test]
fn what_players_have_instructed_and_what_was_damaged_is_written_down() {
    let tables = Tables::book().expect("the book");
    let lines = [
        r"player 1 named A\_b_c\\ side 1 person Mira_K",
        "player 2 named Blau side 2",
        "player 3 named Gold side 2",
        "keep 1 17 gate O open",
        "storeys 17 1",
        "side 17.0-W fallen",
        "hits 17.0 2",
        "moved 17-O 3 1",
        "poured 17 3 1",
        "searched 18 3",
        "wall 1 20-O closed hits 1 moved 3 2",
        "figure 1 S 1 gone killed",
        "figure 1 S 2 at 17.0",
        "figure 2 El 1 at 20 tramples 1 turned moved 2 2",
        "figure 2 LS 1 at 48 charmed 2 facing O",
        "clock step 9 round 3 turn 2 stage melee begun opened 3 lines 4",
        "course 1 side-next 2 cast 1 bounty 1 duelled 2 missed 1 permits 2 permits 3 yields-to 2 dispel-from 3 dispel-total 20 sacrifice S sacrifice LB triple ZAUBER staerken 17",
        "outcome side 2",
    ]
    .map(str::to_owned);
    let state = build(&tables, &lines);
    let position = &state.position;
    assert_eq!(position.players[&RealmId(1)].name, r"A_b c\");
    assert_eq!(position.players[&RealmId(1)].permits, [RealmId(2), RealmId(3)]);
    assert_eq!(
        position
            .board
            .building(armageddon::board::Cell(16))
            .map(|keep| keep.storeys.len()),
        Some(1)
    );
    assert_eq!(position.clock.turn, 1);
    assert_eq!(position.mover(), Some(RealmId(2)));
    let written = setup::export::lines(&tables, &state);
    assert_eq!(build(&tables, &written), state, "{written:#?}");
}

/// A battle of these lines that has begun: who stands where he may not, or where there is no room, was taken off (ARM-0.4.51).
fn deployed(tables: &Tables, lines: &[String]) -> State {
    let mut quiet = Quiet::new(1);
    let mut battle = Battle::new(tables, build(tables, lines), &mut quiet);
    battle.position.clock.step = 1;
    overcrowding::deploy(&mut battle);
    control::settle(&mut battle);
    let state = battle.finish(String::new());
    assert_eq!(Armageddon::invariants(tables, &state), Ok(()), "{lines:?}");
    state
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, ..ProptestConfig::default() })]

    /// A walk takes one way of thousands. Here everything that is offered is done, each on a board of its own, with dice that favour the one, the other, and nobody.
    #[test]
    fn whatever_is_offered_exceeds_no_room_and_loses_nobody_untold(lines in battle(), stage in 0..Stage::ALL.len()) {
        let tables = Tables::book().expect("the book");
        let state = deployed(&tables, &lines);
        for player in state.position.players.keys().copied() {
            let mut state = state.clone();
            give_turn(&mut state.position, player, Stage::ALL[stage]);
            let scene = Scene { tables: &tables, position: &state.position, secret: state.secrets.get(&player) };
            for (deed, seed) in legal::offers(scene, player).into_iter().zip(1u64..) {
                let others = state.position.players.keys().copied();
                for mut quiet in others.map(Quiet::favouring).chain([Quiet::new(seed)]) {
                    let mut battle = Battle::new(&tables, state.clone(), &mut quiet);
                    prop_assert!(legal::carry_out(&mut battle, player, &deed).is_ok(), "{:?}", deed);
                    let after = battle.finish(String::new());
                    prop_assert_eq!(broken(&state.position, &after.position, &quiet.left), None, "{:?}", deed);
                    prop_assert_eq!(Armageddon::invariants(&tables, &after), Ok(()), "{:?}", deed);
                }
            }
        }
    }
}
