//! THORAMAR: a world of hexes, a season a turn, one order file `SPIELZUG` and one report `ERGEBNIS.TXT`.

pub mod codes;
pub mod rule;
