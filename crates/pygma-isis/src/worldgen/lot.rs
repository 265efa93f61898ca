//! What chance decides in the making of a world.

/// What a draw is for; each purpose has draws of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Elevation,
    Ruggedness,
    Moisture,
    Cliff,
    Plateau,
    Cover,
    Sea,
    River,
    Start,
    Seat,
    Balance,
    Band,
    Strength,
    Settlement,
    Garrison,
    Missing,
}

impl kernel::worldgen::Purpose for Purpose {
    fn number(self) -> u8 {
        self as u8
    }
}

/// The seed of a world and the draws that follow from it.
pub(super) type Lot = kernel::worldgen::Lot<Purpose>;
