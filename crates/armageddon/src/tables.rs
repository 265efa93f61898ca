//! The figures of the rules in one world: the tables of the book and the rulings on its gaps, with a world's differences.
//!
//! A world stores only what it changes; [`Tables::with_overrides`] lays it over the book. Every ARM-GAP ruling is a typed
//! value here, in the section of [`rulings`] that is named in `data/armageddon/battle.toml`.

pub(crate) mod overlay;
pub mod rulings;

use crate::kinds::{BuildingKind, Kind, Spell, Terrain};
use kernel::house::{Last, Misfits, Problem};
use serde::Deserialize;
use std::collections::BTreeMap;

/// All figures of a world.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    figure: BTreeMap<Kind, FigureRow>,
    terrain: BTreeMap<Terrain, TerrainRow>,
    building: BTreeMap<BuildingKind, BuildingRow>,
    spell: BTreeMap<Spell, SpellRow>,
    creature_price: BTreeMap<Kind, i64>,
    /// Walls, foundations, bridges.
    pub works: rulings::Works,
    /// The spells that gates cost.
    pub gate_price: rulings::GatePrice,
    /// Which spells stay legal beside an enchanted figure (ARM-0.4.82).
    pub spell_compat: rulings::SpellCompat,
    /// Round and turn (ARM-GAP-01).
    pub sequence: rulings::Sequence,
    /// Room (ARM-0.4.1 to 0.4.4).
    pub room: rulings::Room,
    /// Steps (ARM-0.4.38, ARM-0.4.44).
    pub step: rulings::Step,
    /// Swapping (ARM-GAP-48).
    pub swap: rulings::Swap,
    /// Melee (ARM-GAP-04).
    pub melee: rulings::Melee,
    /// Survival (ARM-GAP-05).
    pub survival: rulings::Survival,
    /// Bows (ARM-GAP-06).
    pub bow: rulings::Bow,
    /// Line of sight (ARM-GAP-07).
    pub sight: rulings::Sight,
    /// Onagers (ARM-GAP-08).
    pub onager: rulings::Onager,
    /// Rams, turtles, elephants against gates and walls (ARM-GAP-10).
    pub ramming: rulings::Ramming,
    /// Ladders and ropes (ARM-GAP-11).
    pub ladder: rulings::Ladder,
    /// Siege towers (ARM-GAP-12).
    pub siege_tower: rulings::SiegeTower,
    /// Walls, gates, ditches (ARM-GAP-13, 14, 17).
    pub wall: rulings::Wall,
    /// Pitch (ARM-GAP-16).
    pub pitch: rulings::Pitch,
    /// Siege and hunger (ARM-GAP-18).
    pub siege: rulings::Siege,
    /// The phalanx (ARM-GAP-19).
    pub phalanx: rulings::Phalanx,
    /// Horses (ARM-GAP-20).
    pub horse: rulings::Horse,
    /// Quadrigas (ARM-GAP-21, 37).
    pub quadriga: rulings::Quadriga,
    /// Trampling (ARM-GAP-22).
    pub trample: rulings::Trample,
    /// Transport (ARM-GAP-23).
    pub transport: rulings::Transport,
    /// Ships and boarding (ARM-GAP-24, 27).
    pub ship: rulings::Ship,
    /// Wind (ARM-GAP-25).
    pub wind: rulings::Wind,
    /// Ramming ships (ARM-GAP-26).
    pub ship_ram: rulings::ShipRam,
    /// Swimming and running over (ARM-GAP-28, 29).
    pub water: rulings::Water,
    /// Dangers of the terrain (ARM-GAP-30).
    pub danger: rulings::Danger,
    /// Fable creatures (ARM-GAP-31).
    pub creature: rulings::Creature,
    /// Wizards (ARM-GAP-33 to 36).
    pub wizard: rulings::Wizard,
    /// Possession (ARM-GAP-38, 43, 47).
    pub possession: rulings::Possession,
    /// Overcrowding and scrimmage (ARM-GAP-39, 40).
    pub crowd: rulings::Crowd,
    /// Destroying and razing (ARM-GAP-41, 42).
    pub destroy: rulings::Destroy,
    /// Acting together (ARM-GAP-46).
    pub together: rulings::Together,
    /// Wars of KALEVALA.
    pub war: rulings::War,
    /// Victory (ARM-GAP-44).
    pub victory: rulings::Victory,
    /// The set-up of a new battle.
    #[serde(default)]
    pub battle: rulings::Battle,
}

/// A kind of figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureRow {
    /// Space units that it uses.
    pub room: u8,
    /// Steps per round.
    pub steps: u8,
    /// Natural 3W6 from which it survives.
    pub survival: i64,
    /// Good points in melee.
    pub melee: i64,
    /// Good points more when it attacks.
    pub attack: i64,
    /// Good points against shots.
    pub armour: i64,
    /// Good points when it shoots.
    pub shooting: i64,
    /// Price in arms units.
    pub price: i64,
    /// Transport units that it gives.
    pub gives: u8,
    /// Transport units that it needs.
    pub needs: u8,
    /// Factor of spells on it.
    pub factor: i64,
    /// Hits that it bears.
    pub hits: u8,
    /// Whether nobody else has room on its field.
    pub fills: bool,
    /// Whether it has a facing.
    pub faces: bool,
}

/// Who may stay on a terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stay {
    /// Everybody.
    All,
    /// People, horses, carried devices; not elephants, quadrigas, siege towers and turtles.
    Carried,
    /// Ships and creatures of the water.
    Ships,
    /// Nobody.
    Nobody,
}

/// What threatens those who stay (ARM-GAP-30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Peril {
    /// Dying of thirst.
    Thirst,
    /// Freezing.
    Cold,
    /// Sinking, devices too.
    Sinking,
}

/// A terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainRow {
    /// Its level.
    pub level: u8,
    /// Space units of a field.
    pub room: u8,
    /// Who may stay.
    pub stay: Stay,
    /// What threatens.
    #[serde(default)]
    pub danger: Option<Peril>,
    /// Whether it is forest: cover and height.
    #[serde(default)]
    pub forest: bool,
    /// Whether it is desert: elephants may stay, mammoths not.
    #[serde(default)]
    pub desert: bool,
    /// Whether it is ice desert: mammoths may stay, elephants not.
    #[serde(default)]
    pub ice: bool,
}

/// A kind of building.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildingRow {
    /// Storeys.
    pub storeys: u8,
    /// Whether it has a platform on top.
    pub platform: bool,
    /// Space units of each storey and of the platform.
    pub room: u8,
    /// Hits that bring a storey down.
    pub hits_per_storey: u8,
    /// The hit from which on side walls fall.
    pub first_wall_at_hit: u8,
    /// Price in arms units.
    pub price: i64,
}

/// On what a spell can act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpellTarget {
    /// Warriors and other people, mortal wizards.
    Warrior,
    /// Animals.
    Animal,
    /// Devices that are no ships.
    Device,
    /// Ships.
    Ship,
    /// Fable creatures.
    Creature,
    /// Rivers.
    River,
    /// Gates.
    Gate,
}

/// A spell.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpellRow {
    /// Spell units per factor.
    pub price: i64,
    /// On what it can act.
    pub acts_on: Vec<SpellTarget>,
    /// Good points that it adds.
    #[serde(default)]
    pub points: i64,
    /// What it adds to the number of survival.
    #[serde(default)]
    pub survival: i64,
    /// By what it multiplies steps.
    #[serde(default)]
    pub factor: i64,
}

impl Tables {
    /// The figures of the book.
    ///
    /// # Errors
    /// Never, as a test sees to it; the data files are part of the program.
    pub fn book() -> Result<Self, Misfits> {
        Self::with_overrides("")
    }

    /// The figures of the book with a world's differences, TOML, laid over them.
    ///
    /// # Errors
    /// Every difference that does not fit the book's figures.
    pub fn with_overrides(house_rules: &str) -> Result<Self, Misfits> {
        static LAST: Last<Tables> = Last::new();
        LAST.get(house_rules, overlay::read)
    }

    /// The row of a kind of figure.
    pub fn figure(&self, kind: Kind) -> &FigureRow {
        // `overlay::read` has seen to it that every kind has one.
        self.figure.get(&kind).unwrap_or(&NO_FIGURE)
    }

    /// The row of a terrain.
    pub fn terrain(&self, terrain: Terrain) -> &TerrainRow {
        self.terrain.get(&terrain).unwrap_or(&NO_TERRAIN)
    }

    /// The row of a kind of building.
    pub fn building(&self, kind: BuildingKind) -> &BuildingRow {
        self.building.get(&kind).unwrap_or(&NO_BUILDING)
    }

    /// The row of a spell.
    pub fn spell(&self, spell: Spell) -> &SpellRow {
        self.spell.get(&spell).unwrap_or(&NO_SPELL)
    }

    /// Spell units for moving a creature by one field.
    pub fn creature_price(&self, kind: Kind) -> Option<i64> {
        self.creature_price.get(&kind).copied()
    }

    fn complete(&self) -> Result<(), Misfits> {
        let missing: Vec<Problem> = Kind::all()
            .filter(|kind| !self.figure.contains_key(kind))
            .map(|kind| format!("figure.{kind}"))
            .chain(missing(&self.terrain, Terrain::ALL, "terrain"))
            .chain(missing(&self.building, BuildingKind::ALL, "building"))
            .chain(missing(&self.spell, Spell::ALL, "spell"))
            .map(|path| Problem::Contradiction {
                path,
                expected: "a-row",
            })
            .collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(Misfits(missing))
        }
    }
}

fn missing<K: Ord + Copy + std::fmt::Display, V>(rows: &BTreeMap<K, V>, all: &[K], table: &str) -> Vec<String> {
    let absent = all.iter().filter(|key| !rows.contains_key(key));
    absent.map(|key| format!("{table}.{key}")).collect()
}

static NO_FIGURE: FigureRow = FigureRow {
    room: 1,
    steps: 0,
    survival: 18,
    melee: 0,
    attack: 0,
    armour: 0,
    shooting: 0,
    price: 0,
    gives: 0,
    needs: 0,
    factor: 1,
    hits: 1,
    fills: false,
    faces: false,
};
static NO_TERRAIN: TerrainRow = TerrainRow {
    level: 0,
    room: 0,
    stay: Stay::Nobody,
    danger: None,
    forest: false,
    desert: false,
    ice: false,
};
static NO_BUILDING: BuildingRow = BuildingRow {
    storeys: 1,
    platform: false,
    room: 0,
    hits_per_storey: 1,
    first_wall_at_hit: 1,
    price: 0,
};
static NO_SPELL: SpellRow = SpellRow {
    price: 0,
    acts_on: Vec::new(),
    points: 0,
    survival: 0,
    factor: 0,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{Class, Weapon};

    #[test]
    fn the_book_can_be_read_and_has_a_row_for_everything() {
        let tables = Tables::book().expect("the data files of the book");
        let champion = tables.figure(Kind::Warrior(Weapon::Lance, Class::B));
        // ARM-GAP-03: 3 points in melee, 1 as armour.
        assert_eq!((champion.melee, champion.attack, champion.armour), (3, 2, 1));
        assert_eq!(tables.terrain(Terrain::Swamp).room, 2);
        assert_eq!(tables.sequence.round_limit, 12);
    }

    #[test]
    fn a_world_changes_single_figures() {
        let tables = Tables::with_overrides("[step]\nper_round = 3\n[figure.LB]\nmelee = 4\n").expect("fits");
        assert_eq!(tables.step.per_round, 3);
        // Whoever has the usual steps has three now; horses have their own.
        let steps = |kind: Kind| tables.figure(kind).steps;
        assert_eq!(
            (steps(Kind::Priest), steps(Kind::LightHorse), steps(Kind::Onager)),
            (3, 4, 0)
        );
        let lance = tables.figure(Kind::Warrior(Weapon::Lance, Class::B));
        assert_eq!((lance.melee, lance.attack), (4, 2));
    }

    #[test]
    fn what_a_world_says_of_everybody_holds_for_whoever_has_nothing_of_his_own() {
        let house = "[room]\nfield = 5\nfigure = 2\n[survival]\nusual = 9\n[wizard]\nhovers = 6\n";
        let tables = Tables::with_overrides(house).expect("fits");
        let row = |kind: Kind| tables.figure(kind);
        let lance = row(Kind::Warrior(Weapon::Lance, Class::B));
        assert_eq!((lance.room, lance.survival), (2, 9));
        // An elephant has its own room and number, a rope takes none.
        assert_eq!((row(Kind::Mammoth).survival, row(Kind::Rope).room), (8, 0));
        assert_eq!(row(Kind::Wizard).steps, 6);
        let rooms =
            [Terrain::Lowland, Terrain::HighlandDesert, Terrain::Swamp].map(|terrain| tables.terrain(terrain).room);
        assert_eq!(rooms, [5, 5, 2]);
        // What the world says of one kind counts more.
        let tables = Tables::with_overrides("[survival]\nusual = 9\n[figure.S]\nsurvival = 12\n").expect("fits");
        let sword = tables.figure(Kind::Warrior(Weapon::Sword, Class::A));
        assert_eq!(sword.survival, 12);
    }

    #[test]
    fn unknown_keys_wrong_types_and_huge_numbers_are_refused() {
        for text in [
            "[step]\nper_rund = 3",
            "[step]\nper_round = \"x\"",
            "[melee]\nkill_from = 1001",
            "[melee]\nkill_from = -1001",
            "[figure.XY]\nmelee = 1",
            "[figure",
        ] {
            assert!(Tables::with_overrides(text).is_err(), "{text}");
        }
        assert!(Tables::with_overrides("[melee]\nkill_from = 1000").is_ok());
    }

    #[test]
    fn a_spell_acts_on_what_it_is_illegal_beside() {
        // The catalogue derives it so from the table `spell_compat`.
        let tables = Tables::book().expect("the book");
        for spell in Spell::of_wizards() {
            for (target, legal) in [
                (SpellTarget::Warrior, &tables.spell_compat.warrior),
                (SpellTarget::Animal, &tables.spell_compat.animal),
                (SpellTarget::Device, &tables.spell_compat.device),
                (SpellTarget::Ship, &tables.spell_compat.ship),
            ] {
                let acts = tables.spell(*spell).acts_on.contains(&target);
                let other = tables
                    .spell(*spell)
                    .acts_on
                    .iter()
                    .any(|on| matches!(on, SpellTarget::River | SpellTarget::Creature));
                assert!(other || acts != legal.contains(spell), "{spell} {target:?}");
            }
        }
    }
}
