//! The vocabulary of the board: kinds of figures, terrains, buildings, spells, and the stages of a turn.
//!
//! A kind is written as in the protocol: `LB` is a lance of class B, `L` a lance of class A, `On` an onager. Codes are read
//! whatever the case of their letters and written in their own.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How good a warrior is (*Klasse*; man, champion, hero of the board game; ARM-GAP-03).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Man (*Mann*).
    A,
    /// Champion (*Recke*).
    B,
    /// Hero (*Held*).
    C,
}

/// What a warrior fights with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Weapon {
    /// Better than a lance.
    Axe,
    /// Better than a sword.
    Lance,
    /// Better than an axe.
    Sword,
    /// Bow, sling, blowpipe or crossbow; a knife in melee.
    Bow,
}

impl Weapon {
    /// Whether this weapon is the better one in the cycle axe, lance, sword, axe.
    pub const fn beats(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Axe, Self::Lance) | (Self::Lance, Self::Sword) | (Self::Sword, Self::Axe)
        )
    }
}

/// What a figure is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Kind {
    /// A warrior with his weapon and class.
    Warrior(Weapon, Class),
    /// King (*König*).
    King,
    /// Priest.
    Priest,
    /// Merchant (*Kaufmann*).
    Merchant,
    /// Agent.
    Agent,
    /// Mystic.
    Mystic,
    /// Slave (*Sklave*).
    Slave,
    /// Wizard (*Zauberer*): hovers while immortal.
    Wizard,
    /// Light horse.
    LightHorse,
    /// Heavy horse.
    HeavyHorse,
    /// Light quadriga horse: draws, is not ridden.
    QuadrigaLight,
    /// Heavy quadriga horse.
    QuadrigaHeavy,
    /// Elephant.
    Elephant,
    /// Mammoth.
    Mammoth,
    /// Onager.
    Onager,
    /// Ladder (*Leiter*).
    Ladder,
    /// Rope with grapnel (*Seil*).
    Rope,
    /// Ram (*Widder*).
    Ram,
    /// Turtle (*Schildkröte*).
    Turtle,
    /// Siege tower (*Belagerungsturm*).
    SiegeTower,
    /// Quadriga wagon.
    Wagon,
    /// Longship.
    Longship,
    /// Sailing ship.
    SailingShip,
    /// Raft (*Floß*).
    Raft,
    /// Dragon.
    Dragon,
    /// Griffin (*Greif*).
    Griffin,
    /// Giant (*Riese*).
    Giant,
    /// Sea serpent (*Seeschlange*).
    SeaSerpent,
    /// Siren.
    Siren,
    /// Troll.
    Troll,
    /// Rider of darkness (*Reiter der Finsternis*).
    DarkRider,
}

/// What kinds of figures have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Warriors and kings: who fights, counts for majority and takes possession.
    Warrior,
    /// Other people on foot.
    Person,
    /// Wizards.
    Wizard,
    /// Horses that are ridden or led.
    Horse,
    /// Horses that draw a wagon.
    Team,
    /// Elephants and mammoths.
    Elephant,
    /// What is carried or pushed: onager, ladder, rope, ram.
    Carried,
    /// What one goes inside: turtle, siege tower.
    Shelter,
    /// The quadriga wagon.
    Wagon,
    /// Vessels.
    Ship,
    /// Fable creatures.
    Creature,
}

impl Family {
    /// Whether it breathes: rolls for survival, starves, is enchanted as warrior or animal.
    pub const fn is_living(self) -> bool {
        matches!(
            self,
            Self::Warrior | Self::Person | Self::Wizard | Self::Horse | Self::Team | Self::Elephant | Self::Creature
        )
    }

    /// Whether it is an animal in the sense of ownership (ARM-0.4.6).
    pub const fn is_animal(self) -> bool {
        matches!(self, Self::Horse | Self::Team | Self::Elephant)
    }

    /// Whether it is a device (*Gerät*): possessed rather than owned.
    pub const fn is_device(self) -> bool {
        matches!(self, Self::Carried | Self::Shelter | Self::Wagon | Self::Ship)
    }
}

const KINDS: [(Kind, &str, Family); 42] = [
    (Kind::Warrior(Weapon::Axe, Class::A), "A", Family::Warrior),
    (Kind::Warrior(Weapon::Axe, Class::B), "AB", Family::Warrior),
    (Kind::Warrior(Weapon::Axe, Class::C), "AC", Family::Warrior),
    (Kind::Warrior(Weapon::Lance, Class::A), "L", Family::Warrior),
    (Kind::Warrior(Weapon::Lance, Class::B), "LB", Family::Warrior),
    (Kind::Warrior(Weapon::Lance, Class::C), "LC", Family::Warrior),
    (Kind::Warrior(Weapon::Sword, Class::A), "S", Family::Warrior),
    (Kind::Warrior(Weapon::Sword, Class::B), "SB", Family::Warrior),
    (Kind::Warrior(Weapon::Sword, Class::C), "SC", Family::Warrior),
    (Kind::Warrior(Weapon::Bow, Class::A), "B", Family::Warrior),
    (Kind::Warrior(Weapon::Bow, Class::B), "BB", Family::Warrior),
    (Kind::Warrior(Weapon::Bow, Class::C), "BC", Family::Warrior),
    (Kind::King, "Kö", Family::Warrior),
    (Kind::Priest, "Pr", Family::Person),
    (Kind::Merchant, "K", Family::Person),
    (Kind::Agent, "Ag", Family::Person),
    (Kind::Mystic, "My", Family::Person),
    (Kind::Slave, "Sl", Family::Person),
    (Kind::Wizard, "Z", Family::Wizard),
    (Kind::LightHorse, "lP", Family::Horse),
    (Kind::HeavyHorse, "sP", Family::Horse),
    (Kind::QuadrigaLight, "QlP", Family::Team),
    (Kind::QuadrigaHeavy, "QsP", Family::Team),
    (Kind::Elephant, "El", Family::Elephant),
    (Kind::Mammoth, "Mm", Family::Elephant),
    (Kind::Onager, "On", Family::Carried),
    (Kind::Ladder, "Le", Family::Carried),
    (Kind::Rope, "Se", Family::Carried),
    (Kind::Ram, "Wi", Family::Carried),
    (Kind::Turtle, "Sk", Family::Shelter),
    (Kind::SiegeTower, "Bt", Family::Shelter),
    (Kind::Wagon, "QuW", Family::Wagon),
    (Kind::Longship, "LS", Family::Ship),
    (Kind::SailingShip, "SS", Family::Ship),
    (Kind::Raft, "FS", Family::Ship),
    (Kind::Dragon, "Dra", Family::Creature),
    (Kind::Griffin, "Gre", Family::Creature),
    (Kind::Giant, "Rie", Family::Creature),
    (Kind::SeaSerpent, "Ssl", Family::Creature),
    (Kind::Siren, "Sir", Family::Creature),
    (Kind::Troll, "Tro", Family::Creature),
    (Kind::DarkRider, "Rdf", Family::Creature),
];

impl Kind {
    /// Every kind in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|(kind, ..)| *kind)
    }

    /// Its code in scripts and reports.
    pub fn code(self) -> &'static str {
        KINDS
            .iter()
            .find(|(kind, ..)| *kind == self)
            .map_or("?", |(_, code, _)| code)
    }

    /// The kind of a code, in letters of any case; `SA` is `S`, and `KOE` or `KO` with an umlaut written out is the king.
    pub fn from_code(code: &str) -> Option<Self> {
        let lower = code.to_lowercase();
        let plain = match lower.as_str() {
            "aa" => "a",
            "la" => "l",
            "sa" => "s",
            "ba" => "b",
            "koe" => "kö",
            "lt" => "le",
            other => other,
        };
        KINDS
            .iter()
            .find(|(_, code, _)| code.to_lowercase() == plain)
            .map(|(kind, ..)| *kind)
    }

    /// What it has in common with others.
    pub const fn family(self) -> Family {
        match self {
            Self::Warrior(..) | Self::King => Family::Warrior,
            Self::Priest | Self::Merchant | Self::Agent | Self::Mystic | Self::Slave => Family::Person,
            Self::Wizard => Family::Wizard,
            Self::LightHorse | Self::HeavyHorse => Family::Horse,
            Self::QuadrigaLight | Self::QuadrigaHeavy => Family::Team,
            Self::Elephant | Self::Mammoth => Family::Elephant,
            Self::Onager | Self::Ladder | Self::Rope | Self::Ram => Family::Carried,
            Self::Turtle | Self::SiegeTower => Family::Shelter,
            Self::Wagon => Family::Wagon,
            Self::Longship | Self::SailingShip | Self::Raft => Family::Ship,
            Self::Dragon
            | Self::Griffin
            | Self::Giant
            | Self::SeaSerpent
            | Self::Siren
            | Self::Troll
            | Self::DarkRider => Family::Creature,
        }
    }

    /// Whether it counts for majority and takes possession (ARM-0.4.35).
    pub const fn is_warrior(self) -> bool {
        matches!(self.family(), Family::Warrior)
    }

    /// Whether it goes on its own feet.
    pub const fn is_person(self) -> bool {
        matches!(self.family(), Family::Warrior | Family::Person)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl From<Kind> for String {
    fn from(kind: Kind) -> Self {
        kind.code().to_owned()
    }
}

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        Self::from_code(&code).ok_or_else(|| format!("`{code}` is no kind of figure"))
    }
}

/// A closed list of names in data files, scripts and facts.
macro_rules! names {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $code:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $code)] $variant,)*
        }

        impl $name {
            /// All of them in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its name in files.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),* }
            }

            /// The one of this name.
            pub fn from_code(code: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.code() == code)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.code())
            }
        }
    };
}

names! {
    /// What lies on a field.
    Terrain {
        /// Water, also a stream.
        Water = "water",
        /// Lowland.
        Lowland = "lowland",
        /// Lowland forest.
        LowlandForest = "lowland-forest",
        /// Lowland desert.
        LowlandDesert = "lowland-desert",
        /// Ice desert.
        IceDesert = "ice-desert",
        /// Swamp.
        Swamp = "swamp",
        /// Mangrove jungle.
        Mangrove = "mangrove",
        /// Highland.
        Highland = "highland",
        /// Highland forest.
        HighlandForest = "highland-forest",
        /// Highland desert.
        HighlandDesert = "highland-desert",
        /// Mountain country (*Bergland*).
        MountainCountry = "mountain-country",
        /// Forest in mountain country.
        MountainForest = "mountain-forest",
        /// Desert in mountain country.
        MountainDesert = "mountain-desert",
        /// Mountain (*Gebirge*): nobody enters it.
        Mountain = "mountain",
    }
}

names! {
    /// A building that stands on a field.
    BuildingKind {
        /// Tower (*Turm*, Tu): one storey and a platform.
        Tower = "tower",
        /// Keep (*Bergfried*, Bf): two storeys and a platform.
        Keep = "keep",
        /// Three-storey keep (BF).
        GreatKeep = "great-keep",
        /// Temple tower (Tt): one storey, no platform.
        TempleTower = "temple-tower",
    }
}

names! {
    /// A bridge.
    BridgeKind {
        /// River bridge (Br), on an edge.
        River = "river",
        /// Stream bridge (BR), on a field of water.
        Stream = "stream",
    }
}

names! {
    /// What a wall has in it.
    Fitting {
        /// Nothing.
        Plain = "plain",
        /// A loophole (*Schießscharte*).
        Loophole = "loophole",
        /// An open gate.
        Open = "open",
        /// A closed gate.
        Closed = "closed",
        /// A broken gate, which stays open (ARM-GAP-14).
        Broken = "broken",
    }
}

impl Fitting {
    /// Whether it is a gate.
    pub const fn is_gate(self) -> bool {
        matches!(self, Self::Open | Self::Closed | Self::Broken)
    }

    /// Whether one can pass and fight through it.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Open | Self::Broken)
    }
}

names! {
    /// A spell, in the order of learning.
    Spell {
        /// *Schwächen*.
        Weaken = "weaken",
        /// *Stärken*.
        Strengthen = "strengthen",
        /// *Unsichtbar machen*.
        MakeInvisible = "make-invisible",
        /// *Lähmen*.
        Paralyse = "paralyse",
        /// *Versteinern*.
        Petrify = "petrify",
        /// *Versetzen*.
        Transfer = "transfer",
        /// *Tiere bewegen*.
        MoveAnimals = "move-animals",
        /// *Fabelwesen bewegen*.
        MoveCreature = "move-creature",
        /// *Geschwindigkeit verdoppeln*.
        DoubleSpeed = "double-speed",
        /// *Lokaler Wind*.
        LocalWind = "local-wind",
        /// *Fluß austrocknen*.
        DryUpRiver = "dry-up-river",
        /// *Fluß überschwemmen*.
        FloodRiver = "flood-river",
        /// *Tore bewegen*.
        MoveGate = "move-gate",
        /// *Schutzzauber*.
        Protection = "protection",
        /// *Segnen*: of priests.
        Bless = "bless",
        /// *Furcht*: of priests.
        Fear = "fear",
    }
}

impl Spell {
    /// Those of wizards, in the order of learning; the others are priests'.
    pub fn of_wizards() -> &'static [Self] {
        let priests = Self::ALL.iter().position(|spell| *spell == Self::Bless);
        &Self::ALL[..priests.unwrap_or(Self::ALL.len())]
    }

    /// Its German name in a script: capitals without blanks.
    pub const fn script_word(self) -> &'static str {
        match self {
            Self::Weaken => "SCHWAECHEN",
            Self::Strengthen => "STAERKEN",
            Self::MakeInvisible => "UNSICHTBARMACHEN",
            Self::Paralyse => "LAEHMEN",
            Self::Petrify => "VERSTEINERN",
            Self::Transfer => "VERSETZEN",
            Self::MoveAnimals => "TIEREBEWEGEN",
            Self::MoveCreature => "FABELWESENBEWEGEN",
            Self::DoubleSpeed => "GESCHWINDIGKEITVERDOPPELN",
            Self::LocalWind => "LOKALERWIND",
            Self::DryUpRiver => "FLUSSAUSTROCKNEN",
            Self::FloodRiver => "FLUSSUEBERSCHWEMMEN",
            Self::MoveGate => "TOREBEWEGEN",
            Self::Protection => "SCHUTZZAUBER",
            Self::Bless => "SEGNEN",
            Self::Fear => "FURCHT",
        }
    }

    /// The spell of a wizard by a word of the turn script, also as the book writes it.
    pub fn from_script_word(word: &str) -> Option<Self> {
        match word {
            "TORBEWEGEN" => Some(Self::MoveGate),
            "FREMDETIEREBEWEGEN" => Some(Self::MoveAnimals),
            "LOKALENWINDERZEUGEN" => Some(Self::LocalWind),
            _ => Self::of_wizards()
                .iter()
                .copied()
                .find(|spell| spell.script_word() == word),
        }
    }
}

names! {
    /// The stages of one player's turn, in their order (ARM-GAP-01). A turn never goes back to an earlier one.
    Stage {
        /// Spell window before the movement (*vor*); nothing of the turn has happened yet.
        Before = "before",
        /// Movement phase.
        Movement = "movement",
        /// Spell window between the phases (*mitte*).
        Between = "between",
        /// Action phase: onagers.
        Onager = "onager",
        /// Bows.
        Bow = "bow",
        /// Pitch.
        Pitch = "pitch",
        /// Rams, turtles, elephants against gates and walls; ships.
        Ram = "ram",
        /// Melee.
        Melee = "melee",
        /// Other acts.
        Other = "other",
        /// Spell window after the acts (*nach*).
        After = "after",
    }
}

impl Stage {
    /// The key of its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Before => "stage-before",
            Self::Movement => "stage-movement",
            Self::Between => "stage-between",
            Self::Onager => "stage-onager",
            Self::Bow => "stage-bow",
            Self::Pitch => "stage-pitch",
            Self::Ram => "stage-ram",
            Self::Melee => "stage-melee",
            Self::Other => "stage-other",
            Self::After => "stage-after",
        }
    }
}

names! {
    /// The class of a figure's activity (ARM-0.3.1).
    Activity {
        /// Movement (*Bewegung*).
        Movement = "movement",
        /// Act (*Handlung*): one per figure and round.
        Act = "act",
        /// Control (*Kontrolle*).
        Control = "control",
        /// Endurance (*Überstehen*).
        Endurance = "endurance",
        /// Minor action (*Aktion*).
        Minor = "minor",
    }
}

names! {
    /// Which part of a carrier a figure is on or in.
    Part {
        /// On a horse's back.
        Back = "back",
        /// On an elephant's saddle.
        Saddle = "saddle",
        /// On a quadriga wagon.
        Wagon = "wagon",
        /// Inside a turtle.
        Inside = "inside",
        /// In the lower part of a siege tower.
        Lower = "lower",
        /// On the platform of a siege tower.
        Upper = "upper",
        /// On the bow field of a ship, or the only field of a raft.
        Bow = "bow",
        /// On the stern field of a ship.
        Stern = "stern",
        /// On a ladder or rope.
        Rung = "rung",
    }
}

names! {
    /// How strong the wind is.
    WindStrength {
        /// Calm.
        Calm = "calm",
        /// Fresh.
        Fresh = "fresh",
        /// Storm.
        Storm = "storm",
    }
}

names! {
    /// Whether a player's figures leave the battlefield (KAL-16.2.8.2).
    #[derive(Default)]
    Flight {
        /// They stay.
        #[default]
        Never = "never",
        /// They may, when it has come to that.
        Allowed = "allowed",
        /// It has come to that.
        Begun = "begun",
    }
}

names! {
    /// Why a figure is no longer on the board.
    Fate {
        /// Killed in melee, by a shot or in a scrimmage.
        Killed = "killed",
        /// Failed a roll for survival.
        Perished = "perished",
        /// Trampled down.
        Trampled = "trampled",
        /// A device that was destroyed, a ship that sank.
        Destroyed = "destroyed",
        /// Taken off to end an overcrowding.
        Removed = "removed",
        /// Starved.
        Starved = "starved",
        /// Drowned.
        Drowned = "drowned",
        /// Fled into a province beside the board.
        Fled = "fled",
        /// Beaten and led away as a slave.
        Enslaved = "enslaved",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_comes_back_from_its_code_in_any_case() {
        for kind in Kind::all() {
            assert_eq!(Kind::from_code(kind.code()), Some(kind));
            assert_eq!(Kind::from_code(&kind.code().to_lowercase()), Some(kind));
            assert_eq!(Kind::from_code(&kind.code().to_uppercase()), Some(kind));
        }
        assert_eq!(Kind::from_code("SA"), Kind::from_code("S"));
        assert_eq!(Kind::from_code("SD"), None);
    }

    #[test]
    fn families_of_the_table_and_of_the_kinds_agree() {
        for (kind, _, family) in KINDS {
            assert_eq!(kind.family(), family, "{kind}");
        }
    }

    #[test]
    fn each_melee_weapon_beats_one_and_loses_to_one() {
        let weapons = [Weapon::Axe, Weapon::Lance, Weapon::Sword];
        for weapon in weapons {
            assert_eq!(weapons.iter().filter(|other| weapon.beats(**other)).count(), 1);
            assert_eq!(weapons.iter().filter(|other| other.beats(weapon)).count(), 1);
            assert!(!weapon.beats(Weapon::Bow) && !Weapon::Bow.beats(weapon));
        }
    }
}
