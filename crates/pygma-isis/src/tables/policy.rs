//! The choices behind the rulings: each a closed list, our reading first.

use crate::codes::vocabulary;

vocabulary! {
    /// When land units may cross a river without a bridge (PYG-GAP-05).
    Crossing {
        LastStep "last_step" "nur als letzter Schritt"
        Blocked  "blocked"   "nie"
        Free     "free"      "immer"
    }
}

vocabulary! {
    /// Which of several work bonuses count for an army (PYG-GAP-21).
    Stacking {
        Highest "highest" "nur der höchste"
        Sum     "sum"     "alle"
    }
}

vocabulary! {
    /// Whom works serve (PYG-GAP-21).
    Beneficiary {
        Owner "owner" "den Besitzer"
        All   "all"   "alle"
    }
}

vocabulary! {
    /// What becomes of a work on a conquered field (PYG-GAP-21).
    Captured {
        Kept      "kept"      "bleibt stehen"
        Destroyed "destroyed" "wird zerstört"
    }
}

vocabulary! {
    /// From when on a new road or bridge can be used (PYG-GAP-22).
    Usable {
        NextMonth "next_month" "im nächsten Monat"
        AtOnce    "at_once"    "sofort"
    }
}

vocabulary! {
    /// What becomes of trade cities beyond the limit of a realm that has shrunk (PYG-GAP-18).
    Excess {
        DropLatest "drop_latest" "die zuletzt ernannten verlieren ihren Rang"
        Keep       "keep"        "alle behalten ihren Rang"
    }
}

vocabulary! {
    /// What plague halves on the fields beside a town (PYG-GAP-20).
    Halved {
        Land  "land"  "das Geld der Felder"
        Mines "mines" "das Geld der Minen"
    }
}

vocabulary! {
    /// What happens to the third of the trade tax (PYG-GAP-61).
    Third {
        Kept     "kept"     "zählt beim nächsten Mal noch einmal"
        Deducted "deducted" "wird zurückgehalten"
    }
}

vocabulary! {
    /// Who works waters (PYG-GAP-52).
    Waters {
        AdjacentSettlement "adjacent_settlement" "die Siedlung daneben"
        Nobody             "nobody"              "niemand"
    }
}

vocabulary! {
    /// A part of what an arming month costs (PYG-GAP-09).
    Expense {
        Pay            "pay"            "Sold"
        Building       "building"       "Bau"
        Arming         "arming"         "Rüstung"
        Hygiene        "hygiene"        "Hygiene"
        Administration "administration" "Verwaltung"
    }
}

vocabulary! {
    /// What a conquered capital becomes (PYG-GAP-17).
    Conquered {
        HarbourOrInland "harbour_or_inland" "Hafenstadt am Wasser, sonst Binnenstadt"
        Inland          "inland"            "Binnenstadt"
        SmallTown       "small_town"        "Kleinstadt"
    }
}

vocabulary! {
    /// How several percentages count together (PYG-GAP-42).
    Percentages {
        Added      "added"      "zusammengezählt"
        Multiplied "multiplied" "miteinander malgenommen"
    }
}

vocabulary! {
    /// How the losses of a battle are rounded (PYG-GAP-45, PYG-GAP-46).
    LossRounding {
        Down    "down"    "ab"
        Up      "up"      "auf"
        Nearest "nearest" "zur nächsten ganzen Zahl"
    }
}

vocabulary! {
    /// What armies aboard lose with the ships of a sea fight (PYG-GAP-47).
    CargoLoss {
        SamePercentage "same_percentage" "denselben Anteil wie die Flotte"
        ExcessOnly     "excess_only"     "nur was keinen Platz mehr hat"
    }
}

vocabulary! {
    /// How long equipment lasts (PYG-GAP-51).
    EquipmentEnds {
        Leaving  "leaving"   "bis das schwere Gelände verlassen wird"
        OneField "one_field" "für ein Feld mit Verlusten"
        Never    "never"     "für immer"
    }
}

vocabulary! {
    /// Where equipment can be bought (PYG-GAP-51).
    EquipmentBought {
        OwnRealm "own_realm" "im eigenen Reich"
        OwnTown  "own_town"  "in eigenen Städten"
        Anywhere "anywhere"  "überall"
    }
}

vocabulary! {
    /// When it is decided which goods a realm needs (PYG-GAP-61).
    NeededAt {
        LastIncomeMonth "last_income_month" "am letzten Einnahmetermin"
        Delivery        "delivery"          "wenn die Ware kommt"
    }
}

vocabulary! {
    /// How long promotion counts (PYG-GAP-56).
    Promoted {
        ForGood "for_good" "für immer"
        OneTerm "one_term" "für einen Einnahmetermin"
    }
}

vocabulary! {
    /// How often a field is searched for a mine (PYG-GAP-55).
    Searched {
        Once      "once"       "einmal"
        EveryTime "every_time" "bei jedem Anschluß an ein Reich"
    }
}

vocabulary! {
    /// What pays nothing after a horde has plundered it (PYG-GAP-62).
    Plunder {
        FieldAndSettlement "field_and_settlement" "Feld und Siedlung"
        Field              "field"                "nur das Feld"
        Nothing            "nothing"              "nichts"
    }
}

vocabulary! {
    /// What is spent on hygiene for a player who sent no sheet (PYG-GAP-68).
    AbsentHygiene {
        RepeatLast "repeat_last" "dasselbe wie zuletzt"
        Best       "best"        "das Beste"
        Nothing    "nothing"     "nichts"
    }
}

vocabulary! {
    /// When gold may be given to other realms (PYG-GAP-69).
    Gifts {
        AfterContact "after_contact" "nach dem ersten Kontakt"
        Never        "never"         "nie"
    }
}
