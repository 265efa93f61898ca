//! The closed vocabularies of the book, as players type them and reports print them.
//!
//! One list per vocabulary: English name, the code, the German term. What a thing costs or may do stands in
//! [`crate::tables`], not here.

pub(crate) use kernel::vocabulary::vocabulary;

vocabulary! {
    /// The terrain of a field (T1). `Unexplored` occurs only in what a player imagines of the world, never in the world itself.
    Terrain {
        Ice         "EI" "Eis"
        Plain       "EB" "Ebene"
        Mountains   "GB" "Gebirge"
        HighPlateau "HE" "Hochebene"
        Hills       "HU" "Hügel"
        Desert      "WU" "Wüste"
        Swamp       "SU" "Sumpf"
        Grassland   "GR" "Grasland"
        Rainforest  "RW" "Regenwald"
        LightForest "LW" "lichter Wald"
        DeepForest  "TW" "tiefer Wald"
        FreshWater  "SW" "Süßwasser"
        SaltWater   "SA" "Salzwasser"
        Reef        "RI" "Riffe"
        Oasis       "OA" "Oase"
        WoodedHills "WH" "Waldhügel"
        Unexplored  "??" "unerforscht"
    }
}

vocabulary! {
    /// A coarse class of terrain, for roads and fights (PYG-TERR-05).
    Class {
        Lowland   "tiefland" "Tiefland"
        Highland  "hochland" "Hochland"
        Desert    "wueste"   "Wüste"
        Forest    "wald"     "Wald"
        Mountains "gebirge"  "Gebirge"
    }
}

vocabulary! {
    /// A column of the production table (T12): terrain that yields the same goods.
    Soil {
        Plain       "ebene"        "Ebene, Hochebene, Oase"
        Hills       "huegel"       "Hügel"
        WoodedHills "waldhuegel"   "Waldhügel"
        Mountains   "gebirge"      "Gebirge"
        LightForest "lichter-wald" "lichter Wald"
        DeepForest  "tiefer-wald"  "tiefer Wald"
        Grassland   "grasland"     "Grasland"
        Water       "wasser"       "Wasser"
    }
}

vocabulary! {
    /// A good: the ten that every realm needs, then the five of luxury (PYG-GOOD-01, PYG-LUX-01).
    Good {
        Grain     "getreide"   "Getreide"
        Fruit     "fruechte"   "Früchte/Gemüse"
        Livestock "vieh"       "Wild/Vieh/Fisch"
        Spice     "gewuerze"   "Gewürze/Salz"
        Wine      "wein"       "Wein"
        Wood      "holz"       "Holz"
        Stone     "stein"      "Stein"
        Ore       "erze"       "Erze"
        Cloth     "stoff"      "Stoff"
        Culture   "kultur"     "Kultur"
        Tobacco   "tabak"      "Tabak"
        Pearls    "perlen"     "Perlen"
        Silk      "seide"      "Seide"
        Gems      "edelsteine" "Edelsteine"
        Glass     "glas"       "Glas"
    }
}

impl Good {
    /// The number of goods that every realm needs.
    pub const MAIN: usize = 10;

    /// Whether it is one of the five goods of luxury.
    pub const fn is_luxury(self) -> bool {
        self.index() >= Self::MAIN
    }

    /// The ten goods that every realm needs, in the order of their numbers.
    pub fn main() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|good| !good.is_luxury())
    }

    /// The five goods of luxury.
    pub fn luxuries() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|good| good.is_luxury())
    }

    /// The good that a player means by a word: one of its German or English names, umlauts in either spelling.
    pub fn from_word(word: &str) -> Option<Self> {
        let word = plain(word);
        let names = |good: Self| -> &'static [&'static str] {
            match good {
                Self::Grain => &["getreide", "grain"],
                Self::Fruit => &["fruechte", "frucht", "gemuese", "fruit"],
                Self::Livestock => &["vieh", "wild", "fisch", "livestock"],
                Self::Spice => &["gewuerze", "gewuerz", "salz", "spice"],
                Self::Wine => &["wein", "wine"],
                Self::Wood => &["holz", "wood"],
                Self::Stone => &["stein", "stone"],
                Self::Ore => &["erze", "erz", "ore"],
                Self::Cloth => &["stoff", "stoffe", "cloth"],
                Self::Culture => &["kultur", "culture"],
                Self::Tobacco => &["tabak", "tobacco"],
                Self::Pearls => &["perlen", "pearls"],
                Self::Silk => &["seide", "silk"],
                Self::Gems => &["edelsteine", "gems"],
                Self::Glass => &["glas", "glass"],
            }
        };
        Self::ALL
            .iter()
            .copied()
            .find(|good| names(*good).contains(&word.as_str()))
    }
}

/// A word in small letters with umlauts and sharp s spelled out, as order words are compared.
pub fn plain(word: &str) -> String {
    plain_letters(word).collect()
}

/// Whether two words are the same as orders are compared. A word may be as long as a file, so no more of it is read than is needed.
pub fn is_same_word(one: &str, two: &str) -> bool {
    plain_letters(one).eq(plain_letters(two))
}

fn plain_letters(word: &str) -> impl Iterator<Item = char> + '_ {
    word.chars().flat_map(char::to_lowercase).flat_map(|letter| {
        let (letter, behind) = match letter {
            'ä' => ('a', Some('e')),
            'ö' => ('o', Some('e')),
            'ü' => ('u', Some('e')),
            'ß' => ('s', Some('s')),
            letter => (letter, None),
        };
        std::iter::once(letter).chain(behind)
    })
}

vocabulary! {
    /// A kind of settlement, in the order of its stages (T3).
    SettlementKind {
        SmallSettlement "KSI" "kleine Siedlung"
        LargeSettlement "GSI" "große Siedlung"
        SmallTown       "KST" "Kleinstadt"
        InlandTown      "BST" "Binnenstadt"
        HarbourTown     "HST" "Hafenstadt"
        Capital         "HPT" "Hauptstadt"
    }
}

impl SettlementKind {
    /// Whether it is a town (*Stadt*): an arming place that can be fortified, trade and breed plague (PYG-GAP-10).
    pub const fn is_town(self) -> bool {
        matches!(self, Self::InlandTown | Self::HarbourTown | Self::Capital)
    }
}

vocabulary! {
    /// A work (*Befestigungsbau*, T6).
    WorkKind {
        WatchPost    "WPO" "Wachposten"
        LookoutTower "SPT" "Spähturm"
        WatchTower   "WTU" "Wachturm"
        Fortress     "FES" "Festung"
    }
}

vocabulary! {
    /// A kind of army; traders are armies in a sense (PYG-ARMY-02, PYG-TRDR-01).
    Kind {
        Warriors "KH" "Kriegerheer"
        Riders   "RH" "Reiterheer"
        Fleet    "FH" "Flotte"
        Trader   "H"  "Händler"
    }
}

impl Kind {
    /// Whether it marches on land and fights there.
    pub const fn is_land_army(self) -> bool {
        matches!(self, Self::Warriors | Self::Riders)
    }

    /// The letter of its heads: `K`, `R`, `S`; `P` for the points of a trader.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Warriors => "K",
            Self::Riders => "R",
            Self::Fleet => "S",
            Self::Trader => "P",
        }
    }
}

vocabulary! {
    /// A basic order (PYG-ORD-01).
    Stance {
        Attack    "A" "Angriff"
        Withdraw  "R" "Rückzug"
        Negotiate "V" "Verhandlung"
        Nothing   "-" "Nichts"
    }
}

vocabulary! {
    /// Equipment against losses on the way (PYG-ATTR-02, -03).
    Equipment {
        First  "I"  "Ausrüstung I"
        Second "II" "Ausrüstung II"
    }
}

vocabulary! {
    /// A people with or without a special skill (PYG-ATTR-04, PYG-GAP-64).
    People {
        Ordinary "keine"  "keine Sonderfertigkeit"
        Desert   "wueste" "Wüstenvolk"
        Mountain "berg"   "Bergvolk"
        Forest   "wald"   "Waldvolk"
    }
}

vocabulary! {
    /// What a mine yields (PYG-MINE-02, -03).
    Vein {
        Gold   "gold"       "Goldmine"
        Silver "silber"     "Silbermine"
        Gems   "edelsteine" "Edelsteinmine"
    }
}

vocabulary! {
    /// Who lives outside the realms (PYG-GAME-09, PYG-GAP-62).
    Creature {
        Animals   "tiere"       "wilde Tiere"
        Natives   "eingeborene" "friedliche Eingeborene"
        Talkers   "redselige"   "redselige Eingeborene"
        Tribe     "stamm"       "feindseliger Stamm"
        Horde     "horde"       "Barbarenhorde"
        Ogres     "oger"        "Oger"
        Dragon    "drache"      "Drache"
        Serpent   "seeschlange" "Seeschlange"
        Garrison  "besatzung"   "Besatzung"
        Rebels    "rebellen"    "Rebellen"
    }
}

impl Creature {
    /// Whether it lives at sea and is counted in ships.
    pub const fn is_at_sea(self) -> bool {
        matches!(self, Self::Serpent)
    }
}

vocabulary! {
    /// How creatures behave (PYG-GAP-62).
    Behaviour {
        Stay  "bleibt"  "bleibt"
        Guard "bewacht" "bewacht sein Feld"
        Roam  "streift" "streift umher"
        Raid  "raubt"   "zieht raubend umher"
    }
}

vocabulary! {
    /// A disaster (PYG-GAP-63).
    Disaster {
        Rockfall   "steinschlag" "Steinschlag"
        Flood      "flut"        "Flut"
        Eruption   "ausbruch"    "Vulkanausbruch"
        Storm      "sturm"       "Sturm"
        BadHarvest "missernte"   "Mißernte"
        Fire       "feuer"       "Feuer"
    }
}

impl Disaster {
    /// The disaster that a game master names, by German or English word, with or without umlauts.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match plain(word).as_str() {
            "steinschlag" | "rockfall" => Self::Rockfall,
            "flut" | "ueberschwemmung" | "flood" => Self::Flood,
            "ausbruch" | "vulkanausbruch" | "eruption" => Self::Eruption,
            "sturm" | "storm" => Self::Storm,
            "missernte" | "bad-harvest" => Self::BadHarvest,
            "feuer" | "fire" => Self::Fire,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_sixteen_terrains_ten_goods_and_five_luxuries() {
        assert_eq!(Terrain::ALL.len(), 16 + 1);
        assert_eq!((Good::main().count(), Good::luxuries().count()), (10, 5));
    }

    #[test]
    fn goods_are_known_by_german_and_english_names_with_and_without_umlauts() {
        for (word, good) in [
            ("Erz", Good::Ore),
            ("Früchte", Good::Fruit),
            ("GEWUERZE", Good::Spice),
            ("wine", Good::Wine),
        ] {
            assert_eq!(Good::from_word(word), Some(good), "{word}");
        }
        assert_eq!(Good::from_word("Bier"), None);
    }
}
