//! The words of a map.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use kernel::map::{Ground, Symbol};

use crate::locale::{Language, flatten};

const GERMAN: &str = include_str!("../../../../locale/de/map.toml");
const ENGLISH: &str = include_str!("../../../../locale/en/map.toml");

/// The words of one language.
pub(crate) struct Words {
    by_key: &'static BTreeMap<String, String>,
}

impl Words {
    pub fn new(language: Language) -> Self {
        static GERMAN_WORDS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
        static ENGLISH_WORDS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
        let (cell, source) = match language {
            Language::German => (&GERMAN_WORDS, GERMAN),
            Language::English => (&ENGLISH_WORDS, ENGLISH),
        };
        Self {
            // The files are part of the program and a test reads them; without words a map still is a map.
            by_key: cell.get_or_init(|| flatten(source).unwrap_or_default()),
        }
    }

    fn find(&self, key: &str) -> Option<&str> {
        self.by_key.get(key).map(String::as_str)
    }

    /// The word for a key; the key itself if there is none.
    pub fn get<'k>(&'k self, key: &'k str) -> &'k str {
        self.find(key).unwrap_or(key)
    }

    /// The word for a key with values put in.
    pub fn with(&self, key: &str, values: &[(&str, &str)]) -> String {
        let mut text = self.get(key).to_owned();
        for (name, value) in values {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    }

    /// What a terrain code is called; a code no locale knows is named by its ground.
    pub fn terrain(&self, game: &str, code: &str, ground: Ground) -> String {
        self.find(&format!("terrain_of.{game}.{code}"))
            .unwrap_or_else(|| self.get(ground_key(ground)))
            .to_owned()
    }

    /// What a building code is called; the code if no locale knows it.
    pub fn building(&self, game: &str, code: &str) -> String {
        self.find(&format!("building_of.{game}.{code}"))
            .unwrap_or(code)
            .to_owned()
    }

    /// What is written on a flag that has no name of its own, as those of creatures; the label itself if no locale knows it.
    pub fn unit<'k>(&'k self, game: &str, label: &'k str) -> &'k str {
        self.find(&format!("unit_of.{game}.{label}")).unwrap_or(label)
    }

    /// What the heavy lines between parts of the map are called in a game.
    pub fn province(&self, game: &str) -> &str {
        self.find(&format!("province_of.{game}"))
            .unwrap_or_else(|| self.get("sign.province"))
    }

    /// What a symbol stands for.
    pub fn symbol(&self, symbol: Symbol) -> &str {
        self.get(match symbol {
            Symbol::Capital => "symbol.capital",
            Symbol::Castle => "symbol.castle",
            Symbol::Town => "symbol.town",
            Symbol::Fortress => "symbol.fortress",
            Symbol::LightTemple => "symbol.light_temple",
            Symbol::DarkTemple => "symbol.dark_temple",
            Symbol::HolyTemple => "symbol.holy_temple",
            Symbol::Temple => "symbol.temple",
            Symbol::Mine => "symbol.mine",
            Symbol::Gate => "symbol.gate",
            Symbol::Village => "symbol.village",
            Symbol::Harbour => "symbol.harbour",
            Symbol::Tower => "symbol.tower",
            Symbol::Camp => "symbol.camp",
            Symbol::Lair => "symbol.lair",
        })
    }

    /// A number with its digits in groups of three.
    pub fn grouped(&self, number: u64) -> String {
        let digits = number.to_string();
        let mut out = String::new();
        for (n, digit) in digits.chars().enumerate() {
            if n > 0 && (digits.len() - n).is_multiple_of(3) {
                out.push_str(self.get("digit_group"));
            }
            out.push(digit);
        }
        out
    }
}

pub(super) const fn ground_key(ground: Ground) -> &'static str {
    match ground {
        Ground::Land => "ground.land",
        Ground::Forest => "ground.forest",
        Ground::LightForest => "ground.light_forest",
        Ground::DeepForest => "ground.deep_forest",
        Ground::Jungle => "ground.jungle",
        Ground::Mangrove => "ground.mangrove",
        Ground::Swamp => "ground.swamp",
        Ground::Steppe => "ground.steppe",
        Ground::Desert => "ground.desert",
        Ground::Oasis => "ground.oasis",
        Ground::IceDesert => "ground.ice_desert",
        Ground::Water => "ground.water",
        Ground::DeepSea => "ground.deep_sea",
        Ground::Whirlpool => "ground.whirlpool",
        Ground::Reef => "ground.reef",
        Ground::Volcano => "ground.volcano",
        Ground::Ice => "ground.ice",
        Ground::Mesa => "ground.mesa",
        Ground::Void => "ground.void",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_as_the_language_does() {
        let german = Words::new(Language::German);
        assert_eq!(german.grouped(999), "999");
        assert_eq!(german.grouped(1000), "1.000");
        assert_eq!(german.grouped(1_234_567), "1.234.567");
        assert_eq!(Words::new(Language::English).grouped(12_345), "12,345");
    }

    #[test]
    fn both_languages_have_the_same_words() {
        let keys = |source| -> Vec<String> { flatten(source).unwrap().into_keys().collect() };
        assert_eq!(keys(GERMAN), keys(ENGLISH));
        assert!(keys(GERMAN).len() > 100);
    }

    #[test]
    fn a_code_without_words_is_named_by_its_ground_or_itself() {
        let words = Words::new(Language::German);
        assert_eq!(words.terrain("thoramar", "hwa", Ground::Forest), "Hochlandwald");
        assert_eq!(words.terrain("unheard", "zz", Ground::Forest), "Wald");
        assert_eq!(words.building("unheard", "ZZ"), "ZZ");
    }
}
