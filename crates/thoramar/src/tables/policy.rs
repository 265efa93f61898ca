//! The choices behind the rulings: each a closed list, the book's reading first.

use crate::codes::vocabulary;

vocabulary! {
    /// What happens to a direction string that is too short (GAP-04).
    MissingDigits {
        PadWithZero "pad_with_0" "mit 0 auffüllen"
        Refuse      "refuse"     "ablehnen"
    }
}

vocabulary! {
    /// The flag of an army without an order (GAP-04).
    MissingFlag {
        Previous   "previous"   "wie zuletzt"
        Shown      "shown"      "Flagge gesetzt"
        Unassigned "unassigned" "nicht zuzuordnen"
    }
}

vocabulary! {
    /// Which of two order lines for one army stands (GAP-04).
    DuplicateOrder {
        FirstWins "first_wins" "der erste gilt"
        LastWins  "last_wins"  "der letzte gilt"
    }
}

vocabulary! {
    /// How the digits of a build order are read (GAP-05).
    Digits {
        Path "path" "ein Weg"
        Set  "set"  "Seiten des Feldes"
    }
}

vocabulary! {
    /// In which order armies move within a week (GAP-12).
    MoveOrder {
        PointsThenRandom "mp_desc_then_random" "nach Bewegungspunkten, dann zufällig"
        Random           "random"              "zufällig"
    }
}

vocabulary! {
    /// For how long fighting takes an army's movement (THO-MOVE-12, GAP-13).
    CombatPause {
        Turn    "turn" "für den Zug"
        Nothing "none" "gar nicht"
    }
}

vocabulary! {
    /// For how long meeting strangers stops an army (THO-MOVE-13, GAP-13).
    MeetingStop {
        Turn "turn" "für den Zug"
        Week "week" "für die Woche"
    }
}

vocabulary! {
    /// How an army that wants to stay unseen but is too large or does not defend appears (GAP-14).
    OversizedSpy {
        Unflagged "unflagged" "ohne Flagge"
        Flagged   "flagged"   "mit Flagge"
    }
}

vocabulary! {
    /// What becomes of a captured temple city if the conqueror has one already (THO-BLD-13, GAP-15).
    SecondTempleCity {
        Ruin "ruin" "Ruine"
        Kept "kept" "bleibt stehen"
    }
}

vocabulary! {
    /// When an agreed treaty comes into force (GAP-29).
    TreatyStart {
        NextTurn "next_turn" "im nächsten Zug"
        ThisTurn "this_turn" "in diesem Zug"
    }
}

vocabulary! {
    /// What happens to a realm whose player is gone (GAP-30).
    OrphanAction {
        AskGameMaster "ask_gm"  "der Spielleiter entscheidet"
        Release       "release" "wird frei"
    }
}

vocabulary! {
    /// The encoding of a player's files (THO-SET-03, GAP-34).
    Charset {
        Utf8   "utf-8"      "UTF-8"
        Cp850  "cp850"      "Codepage 850"
        Latin1 "iso-8859-1" "ISO 8859-1"
    }
}

vocabulary! {
    /// The line ends of a player's files (THO-SET-03, GAP-34).
    Newline {
        Lf   "lf"   "LF"
        Crlf "crlf" "CR LF"
    }
}
