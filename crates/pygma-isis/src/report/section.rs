//! The sections of a report, in the order of the catalogue (5.4).

use crate::rule;
use kernel::rule::RuleId;
use serde::{Deserialize, Serialize};

macro_rules! sections {
    ($($name:ident $key:literal $always:literal [$($rule:ident),+] $doc:literal)+) => {
        /// A section of the report.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub enum Section {
            $(#[doc = $doc] $name,)+
        }

        impl Section {
            /// All of them in order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Key of its heading.
            pub const fn key(self) -> &'static str {
                match self { $(Self::$name => $key,)+ }
            }

            /// Whether it is printed when there is nothing to tell.
            pub const fn is_always_printed(self) -> bool {
                match self { $(Self::$name => $always,)+ }
            }

            /// The rules behind it.
            pub const fn rules(self) -> &'static [RuleId] {
                match self { $(Self::$name => &[$(rule::$rule),+],)+ }
            }
        }
    };
}

sections! {
    Orders    "orders"    false [GAP_68]          "Sheets that did not come."
    Rulings   "rulings"   true  [ORD_08, GAP_40]  "Judgements of the game master."
    Budget    "budget"    false [TIME_03, GAP_08] "Payments, building, arming, plague."
    Armies    "armies"    true  [ARMY_02]         "The table of armies."
    Moves     "moves"     false [MOVE_01, SHEET_01] "Where armies went, and which became others."
    Losses    "losses"    false [ATTR_01, GAP_51] "Losses on the way, dissolved and shrunken armies."
    Corrected "corrected" true  [ORD_03, GAP_31]  "Moves that went otherwise: withdrawals, stops, grounding."
    Battles   "battles"   true  [FIGHT_01]        "Battles."
    Contacts  "contacts"  true  [ORD_04, ORD_05]  "Who was met, by what name."
    Land      "land"      true  [EXP_01, EXP_03]  "Fields gained and lost."
    Entries   "entries"   true  [SEE_04]          "Armies that entered the realm."
    Sightings "sightings" true  [SEE_02, GAP_34]  "What was seen of others."
    Trade     "trade"     true  [TRDR_01, GAP_61] "Traders, deliveries, credit."
    Income    "income"    false [TIME_02, GAP_06] "What an income month brought, source by source."
    Goods     "goods"     false [POP_01, SUP_01]  "The people of an income month, their goods and their mood."
    Map       "map"       true  [SEE_01, GAME_07] "Newly seen land."
    Letters   "letters"   true  [GAME_10, GAP_69] "Messages."
}
