//! What players may write, each verb defined once (catalogue 5.2): keyword, English alias, when, rules, keys of pattern and help.
//!
//! The parser, the reference of the command line, completion and forms come from this list. German words stand first; umlauts
//! may be spelled out, upper and lower case are equal.

use crate::codes::{is_same_word, plain};
use crate::rule;
use kernel::rule::RuleId;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Bytes of the longest word that can still be meant for a keyword.
const ALIKE_BYTES_MAX: usize = 64;

/// When an order is possible (PYG-GAP-08).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// In every month.
    Always,
    /// In arming months (PYG-TIME-03).
    Arming,
}

macro_rules! verbs {
    ($($name:ident $word:literal $english:literal $when:ident [$($rule:ident),+] $example:literal)+) => {
        /// A verb, by what it does.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Verb {
            $(#[doc = concat!("`", $word, "`: `", $example, "`.")] $name,)+
        }

        impl Verb {
            /// All verbs, in the order of the reference.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The German keyword.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// The English alias.
            pub const fn english(self) -> &'static str {
                match self { $(Self::$name => $english,)+ }
            }

            /// When it is possible.
            pub const fn when(self) -> When {
                match self { $(Self::$name => When::$when,)+ }
            }

            /// The rules of its form.
            pub const fn rules(self) -> &'static [RuleId] {
                match self { $(Self::$name => &[$(rule::$rule),+],)+ }
            }

            /// A line as players write it.
            pub const fn example(self) -> &'static str {
                match self { $(Self::$name => $example,)+ }
            }
        }
    };
}

verbs! {
    Move      "ZUG"          "MOVE"      Always [SHEET_01, GAP_71]  "ZUG RH 1: 12/09 > 12/10 > 12/04; 2000 R; R"
    Stance    "BEFEHL"       "ORDER"     Always [ORD_01]            "BEFEHL KH 1 V"
    Split     "TEILE"        "SPLIT"     Always [MERG_01, GAP_27]   "TEILE KH 1 > KH 4 1500"
    Merge     "VEREINE"      "MERGE"     Always [MERG_01, GAP_27]   "VEREINE KH 4 > KH 1"
    Convert   "UMFORMEN"     "CONVERT"   Always [ARMY_05, GAP_26]   "UMFORMEN FH 2 > KH 5 NACH 12/13"
    Disband   "AUFLOESEN"    "DISBAND"   Always [GAP_27]            "AUFLOESEN KH 4"
    Equip     "AUSRUESTUNG"  "EQUIP"     Always [ATTR_02, ATTR_03]  "AUSRUESTUNG KH 1 II"
    Road      "STRASSE"      "ROAD"      Always [ROAD_04, GAP_08]   "STRASSE 12/13 > 12/14 > 12/15"
    Bridge    "BRUECKE"      "BRIDGE"    Always [ROAD_09, GAP_08]   "BRUECKE 12/13 - 12/14"
    Lane      "SEEWEG"       "LANE"      Always [GAP_23]            "SEEWEG Nordroute: 12/24 > 12/25 > 13/05"
    Produce   "PRODUKTION"   "PRODUCE"   Always [GOOD_03, GAP_52]   "PRODUKTION 12/13 Getreide Vieh Kultur"
    Abandon   "AUFGEBEN"     "ABANDON"   Always [EXP_05, GAP_59]    "AUFGEBEN 12/20"
    Load      "LADE"         "LOAD"      Always [TRDR_03, GAP_60]   "LADE H 1 Wein 8, Erze 4"
    Unload    "LOESCHE"      "UNLOAD"    Always [TRDR_07, GAP_61]   "LOESCHE H 1 IN 14/07"
    Gift      "ZAHLE"        "GIFT"      Always [GAP_69]            "ZAHLE Bergmark 5000"
    Message   "NACHRICHT"    "MESSAGE"   Always [GAME_10, GAP_69]   "NACHRICHT Bergmark \"Wir grüßen Euch.\""
    Other     "SL"           "GM"        Always [ORD_08, GAP_40]    "SL KH 1 \"Sie sollen den Turm suchen.\""
    Pay       "SOLD"         "PAY"       Arming [COST_03, GAP_09]   "SOLD KH 1, RH 2"
    Hygiene   "HYGIENE"      "HYGIENE"   Arming [HYG_02]            "HYGIENE 10000"
    Raise     "RUESTE"       "RAISE"     Arming [ARM_01, ARM_02]    "RUESTE KH 3 2000 IN 12/13"
    Station   "STATIONIERE"  "STATION"   Arming [STAT_01]           "STATIONIERE KH 1"
    Found     "SIEDLUNG"     "FOUND"     Arming [TOWN_04, TOWN_05]  "SIEDLUNG 12/20"
    Upgrade   "AUSBAU"       "UPGRADE"   Arming [TOWN_04, TOWN_05]  "AUSBAU 12/20 HAFEN"
    Grow      "WACHSTUM"     "GROW"      Arming [POP_04, POP_05]    "WACHSTUM 12/13 2"
    Fortify   "BEFESTIGE"    "FORTIFY"   Arming [FORT_01]           "BEFESTIGE 12/13"
    Build     "BAU"          "BUILD"     Arming [WORK_01, GAP_21]   "BAU WACHPOSTEN 12/18"
    TradeCity "HANDELSSTADT" "TRADECITY" Arming [TCIT_01, GAP_18]   "HANDELSSTADT 12/13"
    Promote   "FOERDERE"     "PROMOTE"   Arming [PROM_01, PROM_02]  "FOERDERE Ebene Getreide 1"
    Trader    "HAENDLER"     "TRADER"    Arming [TRDR_02, GAP_60]   "HAENDLER H 1 IN 12/13"
}

impl Verb {
    /// The verb that a keyword means.
    pub fn from_word(word: &str) -> Option<Self> {
        let means = |verb: &Self| is_same_word(verb.word(), word) || is_same_word(verb.english(), word);
        Self::ALL.iter().copied().find(means)
    }

    /// Whether it buys or names something, so that a world may allow it in every month or only in arming months (PYG-GAP-08).
    pub const fn is_expense(self) -> bool {
        match self {
            Self::Equip
            | Self::Road
            | Self::Bridge
            | Self::Lane
            | Self::Gift
            | Self::Raise
            | Self::Found
            | Self::Upgrade
            | Self::Grow
            | Self::Fortify
            | Self::Build
            | Self::TradeCity
            | Self::Promote
            | Self::Trader => true,
            Self::Move
            | Self::Stance
            | Self::Split
            | Self::Merge
            | Self::Convert
            | Self::Disband
            | Self::Produce
            | Self::Abandon
            | Self::Load
            | Self::Unload
            | Self::Message
            | Self::Other
            | Self::Pay
            | Self::Hygiene
            | Self::Station => false,
        }
    }

    /// The verb whose German keyword is spelled most like a word, if it is alike enough to be meant.
    pub fn nearest(word: &str) -> Option<Self> {
        // A word may be as long as a file; one much longer than every keyword is like none of them.
        if word.len() > ALIKE_BYTES_MAX {
            return None;
        }
        let word = plain(word);
        let distance = |verb: &Self| strsim::osa_distance(&plain(verb.word()), &word);
        let nearest = Self::ALL.iter().copied().min_by_key(distance);
        nearest.filter(|verb| distance(verb) <= 1 + word.chars().count() / 4)
    }

    /// Key of its pattern in the locale.
    pub fn pattern(self) -> String {
        format!("pattern-{}", self.english().to_ascii_lowercase())
    }

    /// Key of the sentence that explains it.
    pub fn help(self) -> String {
        format!("help-{}", self.english().to_ascii_lowercase())
    }
}

/// In the figures of a world: the keyword of an expense.
impl<'de> Deserialize<'de> for Verb {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let verb = Self::from_word(&word).filter(|verb| verb.is_expense());
        verb.ok_or_else(|| {
            D::Error::custom(format!(
                "{word}: expected the keyword of an expense, such as STRASSE or BAU"
            ))
        })
    }
}
