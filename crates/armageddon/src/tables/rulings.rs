//! The rulings on the gaps of the book, a section each: the types of `data/armageddon/battle.toml` and its neighbours.
//!
//! Field names are those of the data files, where a comment names the ruling. Numbers "from" are natural sums of 3W6.

use crate::kinds::{Family, Fitting, Spell, Stage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// In which order the acts of one stage are carried out (ARM-GAP-51).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActOrder {
    /// Line by line, as the script has them.
    Line,
}

/// What costs a double step (ARM-0.4.44).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DoubleCase {
    /// A level upward.
    LevelUp,
    /// A level downward.
    LevelDown,
    /// Through a river.
    River,
    /// An ascent upward.
    AscentUp,
    /// Getting on or off a quadriga wagon or elephant.
    WagonOrElephant,
    /// Climbing over a wall.
    Wall,
    /// Over a ditch.
    Ditch,
    /// From a ladder or siege tower onto a platform.
    OntoPlatform,
    /// Boarding or leaving a longship or sailing ship.
    Ship,
    /// Climbing a ship out of the water.
    ShipFromWater,
}

/// How a quadriga changes hands (ARM-GAP-37).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuadrigaTaken {
    /// By the majority on the wagon, when it is first driven.
    ByDriving,
    /// As soon as the majority on the wagon changes.
    AtOnce,
}

/// What is removed to end an overcrowding at deployment (ARM-GAP-39).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Removable {
    /// Devices.
    Device,
    /// Animals.
    Animal,
    /// Warriors and other people.
    Warrior,
}

/// A trade centre (*Handelszentrum*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CentreKind {
    /// Market.
    Market,
    /// City.
    City,
    /// Provincial capital.
    ProvincialCapital,
    /// Capital.
    Capital,
    /// Fortress.
    Fortress,
}

/// The set-up of a new battle: the lines of a `world` block of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Battle {
    /// The lines; without them the ready battle is played.
    pub setup: String,
    /// The name of a ready battle, see [`crate::setup::ready`].
    pub ready: String,
}

/// Round and turn (ARM-GAP-01, ARM-GAP-44, ARM-GAP-51).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// The acts of a turn in their order.
    pub acts: Vec<Stage>,
    /// Spells of a wizard in a round.
    pub spells_per_round: i64,
    /// Rounds of a battle.
    pub round_limit: i64,
    /// Whether a script without its end leaves the turn open.
    pub partial_turns: bool,
    /// In which order acts of one stage are carried out.
    pub acts_in_order: ActOrder,
}

impl Sequence {
    /// Where a stage comes in a turn: spells before the movement, the movement, spells, the acts in their order, spells.
    pub fn rank(&self, stage: Stage) -> usize {
        let acts = || self.acts.iter().position(|act| *act == stage);
        match stage {
            Stage::Before => 0,
            Stage::Movement => 1,
            Stage::Between => 2,
            Stage::After => usize::MAX,
            // An act that the order forgets comes after the others.
            _ => 3 + acts().unwrap_or(self.acts.len()),
        }
    }
}

/// Room of fields and of parts of figures (ARM-0.4.1 to 0.4.4).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Room {
    /// Space units of an open field.
    pub field: i64,
    /// Space units that an ordinary figure uses.
    pub figure: i64,
    /// Space units on a quadriga wagon.
    pub wagon: i64,
    /// Space units on an elephant's saddle.
    pub saddle: i64,
    /// Space units inside a turtle.
    pub turtle: i64,
    /// Space units in the lower part of a siege tower.
    pub siege_tower_lower: i64,
    /// Space units on its platform.
    pub siege_tower_upper: i64,
    /// Figures on a ladder or rope.
    pub rung: i64,
    /// Riders of a horse.
    pub back: i64,
}

/// Steps (ARM-0.4.38, ARM-0.4.44, ARM-GAP-49, ARM-GAP-50).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Steps of an ordinary figure in a round.
    pub per_round: i64,
    /// Steps of a step.
    pub single: i64,
    /// Steps of a double step.
    pub double: i64,
    /// Levels that one step can overcome.
    pub levels_max: i64,
    /// Steps up over an ascent.
    pub ascent_up: i64,
    /// Steps down over an ascent.
    pub ascent_down: i64,
    /// Whether enemies beside a field stop those who enter it.
    pub enemies_stop: bool,
    /// What costs a double step.
    pub double_cases: Vec<DoubleCase>,
}

/// Swapping places (ARM-0.4.48, ARM-GAP-48).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swap {
    /// Whether both fields must be full.
    pub both_full: bool,
    /// Whether enemies may swap.
    pub with_enemies: bool,
}

/// Melee (ARM-GAP-03, ARM-GAP-04).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Melee {
    /// Fields that melee reaches.
    pub reach: i64,
    /// Natural sum from which a fighter kills.
    pub kill_from: i64,
    /// The same for a king.
    pub king_kills_from: i64,
    /// Good points on a light horse.
    pub riding_light: i64,
    /// Good points on a heavy horse.
    pub riding_heavy: i64,
    /// Good points on the higher level.
    pub higher_level: i64,
    /// Good points of the better weapon.
    pub weapon_cycle: i64,
    /// Good points of warriors on and around the field of their king.
    pub king_near: i64,
    /// Levels between fighters at the most.
    pub levels_max: i64,
    /// The only natural sum that kills a mortal wizard.
    pub mortal_wizard_dies_on: i64,
    /// Good points of a king by the lives he has left.
    pub king_melee_by_lives: [i64; 5],
}

/// Survival (ARM-GAP-05).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survival {
    /// Number of most figures.
    pub usual: i64,
    /// Number in a phalanx.
    pub phalanx: i64,
    /// Number of a king.
    pub king: i64,
    /// Number of a mortal wizard.
    pub mortal_wizard: i64,
}

/// Shots (ARM-GAP-06, ARM-GAP-07).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bow {
    /// Number before the distance is added.
    pub base: i64,
    /// Distance that counts at least.
    pub distance_min: i64,
    /// Fields that a shot reaches.
    pub range: i64,
    /// Fields that it reaches from a higher level.
    pub range_from_above: i64,
    /// Good points of a mounted shooter.
    pub mounted: i64,
    /// What cover takes off.
    pub cover: i64,
    /// What each level uphill adds to the number.
    pub uphill_per_level: i64,
    /// Whether shooters in reach of enemies cannot shoot.
    pub engaged_cannot_shoot: bool,
    /// Whether shooters with knives engage others.
    pub knives_engage: bool,
    /// Armour of a king by the lives he has left.
    pub king_armour_by_lives: [i64; 5],
}

/// Line of sight (ARM-GAP-07).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    /// What forest adds to the height of a field.
    pub forest_height: i64,
    /// What each storey adds.
    pub storey_height: i64,
    /// Whether figures block the line.
    pub figures_block: bool,
}

/// Onagers (ARM-GAP-08).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Onager {
    /// Number before the distance is added.
    pub base: i64,
    /// Fields of distance that add one to the number.
    pub fields_per_point: i64,
    /// Shortest throw.
    pub distance_min: i64,
    /// Longest throw.
    pub distance_max: i64,
    /// What each level uphill adds.
    pub uphill_per_level: i64,
    /// What a throw from a ship adds.
    pub from_ship: i64,
    /// What a reinforced wall adds.
    pub reinforced: i64,
    /// Highest number of a throw under a roof.
    pub under_roof_max: i64,
    /// Warriors who serve it.
    pub crew: i64,
    /// Whether it cannot throw in a round in which it was moved.
    pub not_after_transport: bool,
}

/// Rams, turtles and elephants (ARM-GAP-10).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ramming {
    /// Warriors at a ram.
    pub ram_crew: i64,
    /// Warriors in a turtle.
    pub turtle_crew: i64,
    /// Riders on an elephant.
    pub elephant_crew: i64,
    /// Natural sum that breaks a gate.
    pub gate_from: i64,
    /// Natural sum with which a turtle breaks a wall.
    pub wall_from: i64,
}

/// Ladders and ropes (ARM-GAP-11).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// Carriers who set it up.
    pub carriers: i64,
    /// Ladders and ropes on one side of a tower.
    pub per_side_max: i64,
    /// Storeys that a ladder reaches.
    pub storeys_max: i64,
    /// Natural sum that topples a ladder.
    pub topple_from: i64,
    /// Natural sum from which a thrown rope holds.
    pub rope_holds_from: i64,
    /// Natural sum that cuts a rope.
    pub rope_cut_from: i64,
    /// Ropes tied together for a keep.
    pub ropes_for_two_storeys: i64,
}

/// Siege towers (ARM-GAP-12).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiegeTower {
    /// Fields it moves in a round.
    pub steps: i64,
    /// Space units of the fields it can stand on.
    pub needs_room: i64,
    /// Storeys of the towers it docks at.
    pub docks_at_storeys: i64,
}

/// Walls, gates and ditches (ARM-GAP-13, ARM-GAP-14, ARM-GAP-17).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// Whether people climb over walls.
    pub climbable_on_foot: bool,
    /// Whether an enemy behind it prevents that.
    pub enemy_behind_bars_climbing: bool,
    /// Whether one who is paralysed or petrified prevents it too: he stands there.
    pub helpless_bar_climbing: bool,
    /// Shooters at a loophole in a round.
    pub shooters_per_loophole: i64,
    /// How often a gate is moved in a round.
    pub gate_moves_per_round: i64,
    /// How gates stand at deployment.
    pub gates_at_start: Fitting,
    /// Whether a ditch is an obstacle to melee.
    pub ditch_stops_melee: bool,
}

/// Pitch (ARM-GAP-16).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pitch {
    /// Pours from a platform in a round.
    pub pours_per_platform: i64,
    /// Natural sum up to which a device is destroyed.
    pub device_destroyed_to: i64,
    /// The same for siege tower and turtle.
    pub shelter_destroyed_to: i64,
}

/// Siege and hunger (ARM-GAP-18).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Siege {
    /// Fields around the castle in which besiegers count.
    pub reach: i64,
    /// Able besiegers needed for every two able warriors inside, rounded up.
    pub besiegers_per_two_inside: i64,
    /// First number of the roll against hunger.
    pub hunger_first: i64,
    /// What each further round adds.
    pub hunger_rise: i64,
    /// Highest number.
    pub hunger_max: i64,
}

/// The phalanx (ARM-GAP-19).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phalanx {
    /// Warriors of a phalanx.
    pub members: i64,
    /// Fields it moves in a round.
    pub steps: i64,
    /// Space units of the fields it can enter.
    pub needs_room: i64,
    /// Good points against its front.
    pub front: i64,
    /// Natural sum from which the weight blow kills.
    pub weight_blow_kill_from: i64,
}

/// Horses (ARM-GAP-20).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Horse {
    /// Steps for mounting.
    pub mount_steps: i64,
    /// Steps for dismounting.
    pub dismount_steps: i64,
    /// Steps of the horse that each own step of the rider takes away.
    pub own_step_costs: i64,
    /// Horses that a warrior leads.
    pub led_per_warrior: i64,
}

/// Quadrigas (ARM-GAP-21, ARM-GAP-37).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quadriga {
    /// Fields it moves with 0 to 4 horses.
    pub steps_by_horses: [i64; 5],
    /// Sixths of a circle that it turns in a step.
    pub turn_sixths_max: i64,
    /// Acts that harnessing takes.
    pub harness_acts: i64,
    /// How it changes hands.
    pub taken: QuadrigaTaken,
}

/// Trampling (ARM-GAP-22).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trample {
    /// Good points of light quadriga horses.
    pub light_team: i64,
    /// Good points of heavy ones.
    pub heavy_team: i64,
    /// Good points of elephants and mammoths.
    pub elephant: i64,
    /// Exchanges after which the animal turns back.
    pub exchanges_max: i64,
    /// Fields that an animal tramples in a round.
    pub fields_per_round: i64,
    /// Natural sum with which a device is trampled.
    pub device_destroyed_from: i64,
}

/// Transport (ARM-GAP-23).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transport {
    /// Fields that a device moves with men.
    pub steps_on_foot: i64,
    /// Fields that it moves with animals.
    pub steps_with_animals: i64,
    /// Arms units that a warrior carries.
    pub load_per_warrior: i64,
    /// Arms units that a merchant or agent carries.
    pub load_per_merchant: i64,
}

/// Ships (ARM-GAP-24, ARM-GAP-27).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ship {
    /// Space units of each field of a longship.
    pub longship_room: i64,
    /// Space units of each field of a sailing ship.
    pub sailing_ship_room: i64,
    /// Space units of a raft.
    pub raft_room: i64,
    /// Steps of a longship.
    pub longship_steps: i64,
    /// Steps of a raft.
    pub raft_steps: i64,
    /// What the wind adds to or takes from a raft.
    pub raft_wind: i64,
    /// What a stream adds or takes.
    pub stream: i64,
    /// Steps for each 60 degrees on the spot.
    pub turn_on_the_spot: i64,
    /// Sixths of a circle beside the bow where it can go.
    pub turn_sixths_max: i64,
    /// Edges along which longships must touch to board.
    pub longship_boards_at_edges: i64,
    /// The same for sailing ships and rafts.
    pub other_boards_at_edges: i64,
}

/// Wind (ARM-GAP-25).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wind {
    /// Highest face of the die that means calm.
    pub calm_to: i64,
    /// Highest face that means fresh; above it is storm.
    pub fresh_to: i64,
    /// Natural sum at which the wind changes.
    pub changes_from: i64,
    /// Steps of a sailing ship in a calm: with the wind, 60, 120 degrees from it, against it.
    pub calm_steps: [i64; 4],
    /// The same in a fresh wind.
    pub fresh_steps: [i64; 4],
    /// The same in a storm.
    pub storm_steps: [i64; 4],
    /// Natural sum with which a raft keeps all its figures in a storm.
    pub raft_in_storm_survives_from: i64,
    /// Fields that an unsteered ship drifts in calm, fresh wind and storm.
    pub drift: [i64; 3],
}

/// Ramming ships (ARM-GAP-26).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShipRam {
    /// Straight steps onto the target.
    pub straight_steps: i64,
    /// Natural sum that hits.
    pub hits_from: i64,
    /// Natural sum with which a ramming sailing ship does not sink.
    pub sailing_ship_survives_from: i64,
}

/// Swimming (ARM-GAP-28, ARM-GAP-29).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// Steps of a swimmer.
    pub own_steps: i64,
    /// Fields that a stream carries a swimmer.
    pub drift: i64,
    /// Whether animals and devices in the water are lost.
    pub animals_are_lost: bool,
}

/// Dangers of the terrain (ARM-GAP-30).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Danger {
    /// Natural sum below which a field is dangerous.
    pub below: i64,
    /// Natural sum with which an ascent is found.
    pub ascent_found_from: i64,
}

/// Fable creatures (ARM-GAP-31).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Creature {
    /// Fields that a dragon's breath reaches.
    pub dragon_reach: i64,
    /// Natural sum with which a sea serpent sinks a ship.
    pub serpent_sinks_from: i64,
    /// The same for a sailing ship.
    pub serpent_sinks_sailing_ship_from: i64,
    /// Fields within which crews hear a siren.
    pub siren_reach: i64,
    /// Natural sum with which a crew resists.
    pub siren_resisted_from: i64,
}

/// Wizards (ARM-GAP-33 to 36).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wizard {
    /// Fields that a wizard hovers in a round.
    pub hovers: i64,
    /// Steps of a mortal wizard.
    pub mortal_steps: i64,
    /// Spell units at the start.
    pub spell_units_start: i64,
    /// Spell units at the most.
    pub spell_units_max: i64,
    /// Spell units that a triple gives.
    pub triple_gives: i64,
    /// How many of them must be spent at once.
    pub triple_spent_at_once: i64,
    /// How far the sum of the dispelling roll may be off.
    pub dispel_within: i64,
    /// Spell units of the opponent per started unit of the dispel.
    pub dispel_cost_per_started: i64,
    /// Whether a transfer onto a platform needs the majority.
    pub transfer_needs_majority: bool,
    /// Whether a mortal wizard bars a spell only if he is enchanted.
    pub mortal_bars_only_if_enchanted: bool,
    /// Whether several fields of a spell must hang together.
    pub contiguous: bool,
    /// Factor of a phalanx warrior at the least.
    pub phalanx_factor: i64,
    /// Whether he hovers over open sea.
    pub over_open_sea: bool,
}

/// Possession (ARM-GAP-38, ARM-GAP-43, ARM-GAP-47).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Possession {
    /// Whether all levels must be free of enemies.
    pub trade_centre_needs_all_levels: bool,
    /// Whether allies combine their warriors.
    pub allies_add_up: bool,
    /// Whether the owner decides between equal allies.
    pub tie_goes_to_owner: bool,
}

/// Overcrowding and scrimmage (ARM-GAP-39, ARM-GAP-40).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crowd {
    /// Who is removed first in battle.
    pub in_battle: Vec<Family>,
    /// What is removed first at deployment.
    pub at_deployment: Vec<Removable>,
    /// Good points of the side that attacks in a scrimmage.
    pub scrimmage_attack: i64,
    /// Exchanges after which the intruders remove.
    pub exchanges_max: i64,
}

/// Destroying and razing (ARM-GAP-41, ARM-GAP-42).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Destroy {
    /// Natural sum with which a device is destroyed by its own crew.
    pub device_from: i64,
    /// Man-rounds of razing with fewer than four warriors.
    pub raze_man_rounds: i64,
    /// Rounds of razing before those that many warriors save.
    pub raze_rounds_base: i64,
    /// Warriors who save one round.
    pub raze_men_per_round: i64,
}

/// Acting together (ARM-GAP-46).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Together {
    /// Whether everybody who takes part spends his own act or steps.
    pub everyone_spends: bool,
}

/// Wars of KALEVALA: what its figures and rounds know beside those of the board.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct War {
    /// Power points of a king that give a good point in melee.
    pub king_power_per_point: i64,
    /// Fields that a priest's spells reach.
    pub priest_reach: i64,
    /// Natural sum from which blessing and fear take hold.
    pub prayer_from: i64,
    /// Spell units of bread and water for every field of the castle.
    pub bread_per_field: i64,
    /// By how much it lowers the number of hunger.
    pub bread_eases: i64,
    /// Natural sum from which a mystic wards a spell off.
    pub mystic_deflects_from: i64,
    /// Whether core troops and auxiliaries may stand in one phalanx.
    pub mixed_phalanx: bool,
    /// Rounds after which one may flee.
    pub flight_rounds: i64,
    /// Losses in per cent after which one may flee.
    pub flight_losses: i64,
    /// Ends of rounds in a row at which a warrior must have held a trade centre before it is plundered.
    pub plunder_after: i64,
}

/// What becomes of a battle that is undecided after its last round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtLimit {
    /// Trade centres and survivors are counted.
    Count,
    /// It is broken off, to be taken up again.
    Suspend,
}

/// Victory (ARM-GAP-44).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    /// What becomes of a battle that is undecided after its last round.
    pub at_limit: AtLimit,
    /// What each kind of trade centre is worth.
    pub centre_value: BTreeMap<CentreKind, i64>,
}

/// Walls, foundations and bridges (ARM-GAP-09).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Works {
    /// Hits that a wall bears.
    pub wall_hits: i64,
    /// Wall price.
    pub wall_price: i64,
    /// What onagers need more against a reinforced wall.
    pub reinforced_wall_surcharge: i64,
    /// Foundation price.
    pub foundation_price: i64,
    /// River bridge hits.
    pub river_bridge_hits: i64,
    /// River bridge price.
    pub river_bridge_price: i64,
    /// Stream bridge hits.
    pub stream_bridge_hits: i64,
    /// Stream bridge room.
    pub stream_bridge_room: i64,
    /// Stream bridge price.
    pub stream_bridge_price: i64,
    /// Hits from which on a stream bridge bears only light things.
    pub stream_bridge_light_from: i64,
    /// Hits from which on it bears only warriors.
    pub stream_bridge_warriors_from: i64,
    /// Hits from which on nobody crosses it.
    pub stream_bridge_closed_from: i64,
}

/// Spell units for moving a gate (ARM-GAP-32).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GatePrice {
    /// Gate of a wall.
    pub wall: i64,
    /// Gate of a tower.
    pub tower: i64,
    /// Gate of a keep.
    pub keep: i64,
    /// More for the outer gate of a large castle.
    pub castle_extra: i64,
    /// Fields from which on a castle is large.
    pub castle_fields_min: i64,
}

/// Which spells stay legal beside an enchanted figure (ARM-0.4.82).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpellCompat {
    /// Beside an enchanted warrior.
    pub warrior: Vec<Spell>,
    /// Beside an enchanted animal.
    pub animal: Vec<Spell>,
    /// Beside an enchanted device.
    pub device: Vec<Spell>,
    /// Beside an enchanted ship.
    pub ship: Vec<Spell>,
}
