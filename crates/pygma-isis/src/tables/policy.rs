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
