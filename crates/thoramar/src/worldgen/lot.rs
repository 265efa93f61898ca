//! What chance decides in the making of a world.

/// What a draw is for; each purpose has draws of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Elevation,
    Ruggedness,
    Moisture,
    Coast,
    Cliff,
    Volcano,
    Frost,
    Sea,
    River,
    Start,
    Seat,
    Balance,
    Mine,
    MineReserve,
    Gate,
    GateCode,
    Name,
    Pack,
    PackKind,
    PackSize,
    March,
    Way,
    Command,
}

impl kernel::worldgen::Purpose for Purpose {
    fn number(self) -> u8 {
        self as u8
    }
}

/// The seed of a world and the draws that follow from it.
pub(crate) type Lot = kernel::worldgen::Lot<Purpose>;
