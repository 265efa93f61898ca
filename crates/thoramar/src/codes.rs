//! The closed vocabularies of the book, as players type them and reports print them.
//!
//! One list per vocabulary: English name, the book's code, the German term. Everything else (`ALL`, `code`, `from_code`, the
//! stored form) follows from the list. What a thing costs or may do stands in [`crate::tables`], not here.

pub(crate) use kernel::vocabulary::{Vocabulary, vocabulary};

vocabulary! {
    /// The terrain of a field (T07). `Unexplored` occurs only in what a player imagines of the world, never in the world itself.
    Terrain {
        Unknown           "ubk" "Unbekannt"
        Water             "was" "Wasser"
        DeepSea           "tse" "Tiefsee"
        Whirlpool         "str" "Strudel"
        Reef              "rif" "Riffe"
        Lowland           "tla" "Tiefland"
        LowlandForest     "twa" "Tieflandwald"
        LowlandJungle     "tds" "Tieflanddschungel"
        LowlandSwamp      "tsu" "Tieflandsumpf"
        LowlandSteppe     "tst" "Tieflandsteppe"
        LowlandDesert     "tws" "Tieflandwüste"
        LowlandIceDesert  "tew" "Tieflandeiswüste"
        Highland          "hla" "Hochland"
        HighlandForest    "hwa" "Hochlandwald"
        HighlandJungle    "hds" "Hochlanddschungel"
        HighlandSwamp     "hsu" "Hochlandsumpf"
        HighlandSteppe    "hst" "Hochlandsteppe"
        HighlandDesert    "hws" "Hochlandwüste"
        HighlandIceDesert "hew" "Hochlandeiswüste"
        Mountain          "bla" "Bergland"
        MountainForest    "bwa" "Berglandwald"
        MountainJungle    "bds" "Berglanddschungel"
        MountainSwamp     "bsu" "Berglandsumpf"
        MountainSteppe    "bst" "Berglandsteppe"
        MountainDesert    "bws" "Berglandwüste"
        MountainIceDesert "bew" "Berglandeiswüste"
        Volcano           "vul" "Vulkan"
        Ice               "eis" "Eis"
        Unexplored        "???" "unerforscht"
    }
}

vocabulary! {
    /// Terrains of a kind, for the riders' surcharge and for what a people is spared (T07).
    Family {
        Jungle    "jungle"     "Dschungel"
        Swamp     "swamp"      "Sumpf"
        Desert    "desert"     "Wüste"
        IceDesert "ice_desert" "Eiswüste"
        Ice       "ice"        "Eis"
        Volcano   "volcano"    "Vulkan"
        Mountain  "mountain"   "Bergland"
        DeepSea   "deep_sea"   "Tiefsee"
        Whirlpool "whirlpool"  "Strudel"
        Reef      "reef"       "Riffe"
    }
}

vocabulary! {
    /// The climate zone of a row of the map (GAP-01).
    Climate {
        Tropical  "tropical"  "tropisch"
        Temperate "temperate" "gemäßigt"
        Polar     "polar"     "polar"
    }
}

vocabulary! {
    /// A colour of the book's map (THO-TERR-07).
    Colour {
        Black      "black"       "schwarz"
        Grey       "grey"        "grau"
        LightBlue  "light_blue"  "hellblau"
        Blue       "blue"        "blau"
        Green      "green"       "grün"
        LightGreen "light_green" "hellgrün"
        DarkGreen  "dark_green"  "dunkelgrün"
        Brown      "brown"       "braun"
        DarkBrown  "dark_brown"  "dunkelbraun"
        Orange     "orange"      "orange"
        Yellow     "yellow"      "gelb"
        White      "white"       "weiß"
    }
}

vocabulary! {
    /// The type of an army: the letter before the dot, in the order of the army table of a report.
    Arm {
        Warrior "K" "Krieger"
        Rider   "R" "Reiter"
        Engine  "F" "Fernkampfwaffe"
        Ship    "S" "Schiff"
        Priest  "P" "Priester"
        Wizard  "Z" "Zauberer"
        Demon   "D" "Dämon"
        Trader  "H" "Händler"
        Monster "M" "Monster"
        Group   "V" "Verband"
    }
}

vocabulary! {
    /// Type and class of an army, in the order of the army table of a report (types as [`Arm`], classes as in T01).
    Kind {
        LightWarrior  "K.L" "leichte Krieger"
        MediumWarrior "K.M" "mittlere Krieger"
        HeavyWarrior  "K.S" "schwere Krieger"
        LightRider    "R.L" "leichte Reiter"
        MediumRider   "R.M" "mittlere Reiter"
        HeavyRider    "R.S" "schwere Reiter"
        LightEngine   "F.L" "leichte Fernkampfwaffe"
        MediumEngine  "F.M" "mittlere Fernkampfwaffe"
        HeavyEngine   "F.S" "schwere Fernkampfwaffe"
        LightShip     "S.L" "leichtes Schiff"
        MediumShip    "S.M" "mittleres Schiff"
        HeavyShip     "S.S" "schweres Schiff"
        WarPriest     "P.K" "Priester des Krieges"
        HomePriest    "P.H" "Priester der Heimat"
        MonsterMaster "Z.M" "Monsterbeherrscher"
        Accelerator   "Z.S" "Beschleuniger"
        Summoner      "Z.B" "Beschwörer"
        Archdemon     "D.E" "Erzdämon"
        Demon         "D.N" "normaler Dämon"
        TradeFleet    "H.S" "Handelsschiffe"
        Caravan       "H.K" "Handelskarawane"
        LanceWhale    "M.L" "Lanzenwal"
        SeaSerpent    "M.S" "Seeschlange"
        Kraken        "M.K" "Krake"
        Mammoth       "M.M" "Mammut"
        Elephant      "M.E" "Elefant"
        NightLizard   "M.N" "Nachtechse"
        MountainTroll "M.B" "Bergtroll"
        CaveGoblin    "M.H" "Höhlengoblin"
        LandGroup     "V.L" "Landverband"
        SeaGroup      "V.S" "Seeverband"
    }
}

impl Kind {
    /// The twelve troop kinds whose strength depends on the people (THO-CULT-02): warriors, riders, engines, war ships.
    pub const TROOPS: [Self; 12] = [
        Self::LightWarrior,
        Self::MediumWarrior,
        Self::HeavyWarrior,
        Self::LightRider,
        Self::MediumRider,
        Self::HeavyRider,
        Self::LightEngine,
        Self::MediumEngine,
        Self::HeavyEngine,
        Self::LightShip,
        Self::MediumShip,
        Self::HeavyShip,
    ];

    /// The type: the letter before the dot.
    #[must_use]
    pub const fn arm(self) -> Arm {
        match self {
            Self::LightWarrior | Self::MediumWarrior | Self::HeavyWarrior => Arm::Warrior,
            Self::LightRider | Self::MediumRider | Self::HeavyRider => Arm::Rider,
            Self::LightEngine | Self::MediumEngine | Self::HeavyEngine => Arm::Engine,
            Self::LightShip | Self::MediumShip | Self::HeavyShip => Arm::Ship,
            Self::WarPriest | Self::HomePriest => Arm::Priest,
            Self::MonsterMaster | Self::Accelerator | Self::Summoner => Arm::Wizard,
            Self::Archdemon | Self::Demon => Arm::Demon,
            Self::TradeFleet | Self::Caravan => Arm::Trader,
            Self::LanceWhale
            | Self::SeaSerpent
            | Self::Kraken
            | Self::Mammoth
            | Self::Elephant
            | Self::NightLizard
            | Self::MountainTroll
            | Self::CaveGoblin => Arm::Monster,
            Self::LandGroup | Self::SeaGroup => Arm::Group,
        }
    }

    /// War ships, which carry troops (THO-SEA-01).
    #[must_use]
    pub const fn is_ship(self) -> bool {
        matches!(self.arm(), Arm::Ship)
    }

    /// Moves on water: war ships, trade fleets, sea monsters, sea groups (THO-MOVE-09).
    #[must_use]
    pub const fn sails(self) -> bool {
        self.is_ship()
            || matches!(
                self,
                Self::TradeFleet | Self::LanceWhale | Self::SeaSerpent | Self::Kraken | Self::SeaGroup
            )
    }

    /// Moves on land: everything that does not sail.
    #[must_use]
    pub const fn walks(self) -> bool {
        !self.sails()
    }

    /// Foot troops, who man walls: warriors and engine crews (GAP-17).
    #[must_use]
    pub const fn is_foot(self) -> bool {
        matches!(self.arm(), Arm::Warrior | Arm::Engine)
    }

    /// One of the twelve kinds with a percentage of the people (THO-CULT-02).
    #[must_use]
    pub const fn is_troop(self) -> bool {
        matches!(self.arm(), Arm::Warrior | Arm::Rider | Arm::Engine | Arm::Ship)
    }

    /// Priests, wizards, demons: their count is power, not heads, and they can neither split nor merge (THO-SPEC-03, -04).
    #[must_use]
    pub const fn is_power(self) -> bool {
        matches!(self.arm(), Arm::Priest | Arm::Wizard | Arm::Demon)
    }

    /// Caravans and trade fleets.
    #[must_use]
    pub const fn is_trader(self) -> bool {
        matches!(self.arm(), Arm::Trader)
    }

    /// Normal demons and archdemons.
    #[must_use]
    pub const fn is_demon(self) -> bool {
        matches!(self.arm(), Arm::Demon)
    }

    /// Wizards of any class.
    #[must_use]
    pub const fn is_wizard(self) -> bool {
        matches!(self.arm(), Arm::Wizard)
    }

    /// Priests of either class.
    #[must_use]
    pub const fn is_priest(self) -> bool {
        matches!(self.arm(), Arm::Priest)
    }

    /// Engines of any class.
    #[must_use]
    pub const fn is_engine(self) -> bool {
        matches!(self.arm(), Arm::Engine)
    }

    /// Monsters of sea and land.
    #[must_use]
    pub const fn is_monster(self) -> bool {
        matches!(self.arm(), Arm::Monster)
    }

    /// Groups of land and sea.
    #[must_use]
    pub const fn is_group(self) -> bool {
        matches!(self.arm(), Arm::Group)
    }

    /// May be a member of a group of either element: everything but wizards, demons and groups themselves (THO-GRP-01).
    #[must_use]
    pub const fn may_join(self) -> bool {
        !matches!(self.arm(), Arm::Wizard | Arm::Demon | Arm::Group)
    }
}

vocabulary! {
    /// An inhabited building (T05); a field holds at most one (THO-MAP-09).
    Building {
        Capital       "HST" "Hauptstadt"
        Castle        "BRG" "Burg"
        City          "STD" "Stadt"
        Fortress      "FES" "Festung"
        TempleOfLight "TSL" "Tempelstadt des Lichts"
        TempleOfDark  "TSF" "Tempelstadt der Finsternis"
        HolyCity      "HTS" "Heilige Tempelstadt"
        Temple        "TPL" "Tempel"
        Mine          "MIN" "Mine"
        Gate          "WTO" "Weltentor"
    }
}

impl Building {
    /// The order of the list of arming capacities in a report: the capital last (report line 15).
    pub const REPORT_ORDER: [Self; 10] = [
        Self::Castle,
        Self::City,
        Self::Fortress,
        Self::TempleOfLight,
        Self::TempleOfDark,
        Self::HolyCity,
        Self::Temple,
        Self::Mine,
        Self::Gate,
        Self::Capital,
    ];

    /// One of the three temple cities, which differ only in belief (THO-BLD-11).
    #[must_use]
    pub const fn is_temple_city(self) -> bool {
        matches!(self, Self::TempleOfLight | Self::TempleOfDark | Self::HolyCity)
    }
}

vocabulary! {
    /// The state of a building, from whole to fallen (THO-BLD-18).
    Condition {
        Intact "I" "Intakt"
        Light  "L" "Leicht beschädigt"
        Heavy  "S" "Schwer beschädigt"
        Ruin   "R" "Ruine"
    }
}

impl Condition {
    /// The next worse state; a ruin stays a ruin (THO-CMD-07).
    #[must_use]
    pub const fn worse(self) -> Self {
        match self {
            Self::Intact => Self::Light,
            Self::Light => Self::Heavy,
            Self::Heavy | Self::Ruin => Self::Ruin,
        }
    }
}

vocabulary! {
    /// What is built on the sides of a field (THO-MAP-09).
    Network {
        Road   "S" "Straße"
        Bridge "B" "Brücke"
        Wall   "W" "Wall"
    }
}

vocabulary! {
    /// The command of an army (THO-CMD-01..06).
    Command {
        Defend  "V" "Verteidigen"
        Attack  "A" "Angreifen"
        Plunder "P" "Plündern"
        Conquer "E" "Erobern"
        Destroy "Z" "Zerstören"
    }
}

impl Command {
    /// Every command but *Verteidigen* is an attack command (THO-COMB-01).
    #[must_use]
    pub const fn is_attack(self) -> bool {
        !matches!(self, Self::Defend)
    }
}

vocabulary! {
    /// What an army shows of itself (THO-SIGHT-03).
    Flag {
        Shown      "+" "Flagge gesetzt"
        Unseen     "-" "unbemerkt"
        Unassigned ""  "nicht zuzuordnen"
    }
}

vocabulary! {
    /// What two realms have agreed on (THO-DIP-01), from nothing to most.
    Treaty {
        NoTreaty      "K" "kein Vertrag"
        NonAggression "A" "Nichtangriffspakt"
        Partnership   "P" "Partnerschaftsvertrag"
    }
}

vocabulary! {
    /// The kind of a realm (THO-ECON-07).
    RealmKind {
        Ordinary "ordinary" "normales Reich"
        Nomad    "nomad"    "Nomade"
        Pirate   "pirate"   "Pirat"
    }
}

vocabulary! {
    /// The season of a turn (THO-TIME-01).
    Season {
        Spring "spring" "Frühling"
        Summer "summer" "Sommer"
        Autumn "autumn" "Herbst"
        Winter "winter" "Winter"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_leads_back_to_its_word_in_either_case() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_code(&kind.code().to_lowercase()), Some(*kind));
            assert!(
                kind.code().starts_with(kind.arm().code()),
                "{kind} has another letter than its type"
            );
        }
        for terrain in Terrain::ALL {
            assert_eq!(Terrain::from_code(&terrain.code().to_uppercase()), Some(*terrain));
        }
        assert_eq!(Flag::from_code(""), Some(Flag::Unassigned));
        assert_eq!(Building::from_code("TSE"), None);
    }

    #[test]
    fn kinds_stand_in_the_order_of_the_army_table() {
        let arms: Vec<Arm> = Kind::ALL.iter().map(|kind| kind.arm()).collect();
        assert!(arms.is_sorted());
        assert!(Kind::WarPriest < Kind::HomePriest && Kind::Archdemon < Kind::Demon);
        assert_eq!((Kind::COUNT, Terrain::COUNT, Building::COUNT), (31, 29, 10));
    }

    #[test]
    fn seven_kinds_sail_apart_from_the_sea_group() {
        let sailing: Vec<&str> = Kind::ALL
            .iter()
            .filter(|kind| kind.sails())
            .map(|kind| kind.code())
            .collect();
        assert_eq!(sailing, ["S.L", "S.M", "S.S", "H.S", "M.L", "M.S", "M.K", "V.S"]);
        assert!(Kind::ALL.iter().all(|kind| kind.sails() != kind.walks()));
    }

    #[test]
    fn the_troops_of_a_people_are_the_first_twelve_kinds() {
        let troops: Vec<Kind> = Kind::ALL.iter().copied().filter(|kind| kind.is_troop()).collect();
        assert_eq!(troops, Kind::TROOPS);
    }

    #[test]
    fn a_building_falls_in_three_steps() {
        assert_eq!(Condition::Intact.worse().worse().worse(), Condition::Ruin);
        assert_eq!(Condition::Ruin.worse(), Condition::Ruin);
    }

    #[test]
    fn the_report_lists_every_building_once() {
        let mut order = Building::REPORT_ORDER;
        order.sort();
        assert_eq!(order, Building::ALL);
    }
}
