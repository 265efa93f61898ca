//! The signs on the counters and the outlines of the counters, around 0/0.

use kernel::board::Shape;

/// A part of a sign.
pub(super) enum Part {
    /// Filled.
    Solid(&'static str),
    /// A line.
    Line(&'static str),
}

use Part::{Line, Solid};

/// The sign of a shape in a box from -8 to 8.
pub(super) fn sign(shape: Shape) -> &'static [Part] {
    match shape {
        Shape::Person => &[
            Solid("M0-7.5a3 3 0 1 1-.01 0z"),
            Solid("M-5.5 7.5c0-6 1.5-8 5.5-8s5.5 2 5.5 8z"),
        ],
        Shape::Sword => &[
            Solid("M-3.6 2.2L5-6.4L8-8L6.4-5L-2.2 3.6z"),
            Line("M-6 .5L-.5 6M-4 4L-7 7"),
        ],
        Shape::Lance => &[Line("M-7.5 7.5L3-3"), Solid("M8-8L6-1.5L1.5-6z")],
        Shape::Axe => &[
            Line("M-6 7.5L3-6.5"),
            Solid("M-.8-6.2C2.5-9 8-7 8-.5C5.8-2.6 3.6-3 1.3-1.5z"),
        ],
        Shape::Bow => &[
            Line("M-3-8Q8.5 0-3 8M-3-8V8"),
            Line("M-7.5 0H6.5M3.5-2.5L6.5 0L3.5 2.5"),
        ],
        Shape::King => &[Solid("M-7.5 5.5L-8-4.5L-3.8-.5L0-7L3.8-.5L8-4.5L7.5 5.5z")],
        Shape::Priest => &[Line("M0-1.2a3.2 3.2 0 1 1 .01 0V8M-4.5 2.2H4.5")],
        Shape::Merchant => &[Solid("M-3-5L-4.2-8H4.2L3-5C8-1 8.5 7.5 0 7.5S-8-1-3-5z")],
        Shape::Agent => &[Line("M-8 0Q0-8 8 0Q0 8-8 0z"), Solid("M0-2.5a2.5 2.5 0 1 1-.01 0z")],
        Shape::Slave => &[Line("M-4-3.5a3.5 3.5 0 1 1-.01 0zM4-3.5a3.5 3.5 0 1 1-.01 0z")],
        Shape::Wizard => &[
            Solid("M1.5-8.5L5.5 3.5H-5.5z"),
            Solid("M-8.5 5.5Q0 8.8 8.5 5.5L6 4.2Q0 6-6 4.2z"),
        ],
        Shape::Horse => &[Solid(
            "M-5 7.5h11c0-5.5-2-6.5-1.5-9.5c.5-3-2.5-5.5-5.5-5.5l-.5-1.3l-1.5 2c-2.5 2.3-4.5 4.3-4.5 6.8l2 1.5l3-2c1.5 2.5-2 4.5-2.5 8z",
        )],
        Shape::Team => &[
            Line("M-8-4H8M0-4V-8"),
            Line("M-6-4v6a2.5 2.5 0 0 0 5 0v-6M1-4v6a2.5 2.5 0 0 0 5 0v-6"),
        ],
        Shape::Elephant => &[Solid(
            "M-8 7V-1C-8-5.5-4-7 0-7C4.5-7 8-5 8-.5V4.5C8 6.5 5.6 6.5 5.6 4.5V2H4V7H1V3.5H-2.5V7H-5.5V2.5z",
        )],
        Shape::Catapult => &[
            Line("M-8 4.5H8M-4.5 4.5L-.5-1.5L3.5 4.5M-.5-1.5L5-6"),
            Solid("M6-8.5a2.2 2.2 0 1 1-.01 0zM-5 4.5a2 2 0 1 1-.01 0zM5 4.5a2 2 0 1 1-.01 0z"),
        ],
        Shape::Ladder => &[Line(
            "M-3.5-8V8M3.5-8V8M-3.5-5H3.5M-3.5-1.5H3.5M-3.5 2H3.5M-3.5 5.5H3.5",
        )],
        Shape::Rope => &[Line(
            "M0-8V8M0-1.5C-5.5-1.5-6.5-5-5.5-8M0-1.5C5.5-1.5 6.5-5 5.5-8M-3 4.5Q0 9 3 4.5",
        )],
        Shape::Ram => &[
            Solid("M-8-1.5H3.5V2.5H-8zM3.5-3.5L8.5.5L3.5 4.5z"),
            Line("M-8-4L-2-8L4.5-4"),
            Solid("M-5 3.5a2 2 0 1 1-.01 0zM1.5 3.5a2 2 0 1 1-.01 0z"),
        ],
        Shape::Tortoise => &[
            Solid("M-8.5 3.5Q-7.5-6.5 0-6.5T8.5 3.5z"),
            Solid("M-4.5 3.8a2 2 0 1 1-.01 0zM4.5 3.8a2 2 0 1 1-.01 0z"),
        ],
        Shape::SiegeTower => &[
            Solid("M-6.5-3.5V-8H-4V-6H-1.5V-8H1.5V-6H4V-8H6.5V-3.5z"),
            Line("M-4.5-3.5V6M4.5-3.5V6M-4.5 1.2H4.5M-6 6H6"),
            Solid("M-4.5 5a2 2 0 1 1-.01 0zM4.5 5a2 2 0 1 1-.01 0z"),
        ],
        Shape::Wagon => &[
            Solid("M-8-5H5.5L8 1.5H-7z"),
            Line("M-3.5 1.5a3 3 0 1 1-.01 0zM4 1.5a3 3 0 1 1-.01 0z"),
        ],
        Shape::Longship => &[
            Solid("M-9-3C-7 4.5-3 6 0 6S7 4.5 9-5C7 .2 5 1 0 1S-6 .8-9-3z"),
            Line("M-4-3.5V1M0-3.5V1M4-3.5V1"),
        ],
        Shape::SailingShip => &[
            Solid("M-8 2.5H8L5.5 7H-5.5z"),
            Line("M0 2.5V-8.5"),
            Solid("M1.2-8C7-5 7 .2 1.2 1zM-1.2-6.5C-5-4.5-5.5-.5-1.2 1z"),
        ],
        Shape::Raft => &[Line("M-7 0H7M-8 3H8M-7 6H7"), Line("M2 0V-8M2-7.5L7-5L2-3")],
        Shape::Dragon => &[Solid(
            "M-8.5 4.5C-6.5-2-5-6.5 0-8.5C-1-5.5 0-4.2 2-3.6L8.5-6C7-2 7.5 2.5 4 5.5C2 3.6 0 3.8-2 6.5C-3 4.4-5 3.8-8.5 4.5z",
        )],
        Shape::Griffin => &[Solid(
            "M-6.5 7.5C-7.5-1-3.5-6-1-7L-.5-8.8L2-7.5C6.5-7.5 9-4.5 8-.8C6-2.8 4.5-2.3 4.5-.3C4.5 3 6 5 6.5 7.5z",
        )],
        Shape::Giant => &[
            Solid("M-1.5-8a2.8 2.8 0 1 1-.01 0z"),
            Solid("M-7 8V-.5C-7-2.5 4-2.5 4-.5V8H.8V3H-3.8V8z"),
            Line("M6.2 5.5V-3"),
            Solid("M4.6-8h3.2l.6 5h-4.4z"),
        ],
        Shape::Serpent => &[Line("M-8.5 5C-6-3-3.5-3-1.5 2.5S4 8.5 6 1.5S2.5-7.5 8-7")],
        Shape::Siren => &[
            Solid("M0-8.5a2.6 2.6 0 1 1-.01 0z"),
            Solid("M-3.5-2.5H3.5C3.5 2.5 2 4 5.5 8C2.5 7.5 1 6.5 0 5C-1 6.5-2.5 7.5-5.5 8C-2 4-3.5 2.5-3.5-2.5z"),
        ],
        Shape::Troll => &[Solid(
            "M-6-2L-8.5-8L-3.5-5.5H3.5L8.5-8L6-2C6.5 3 4 7.5 0 7.5S-6.5 3-6-2z",
        )],
        Shape::Rider => &[
            Line("M0-8.3C5-8.3 7-3 7.5 7.5H-7.5C-7-3-5-8.3 0-8.3z"),
            Solid("M0-4.5c2.5 0 3.5 2.5 3.5 5H-3.5c0-2.5 1-5 3.5-5z"),
        ],
    }
}

/// The outline of a counter in a box from -12 to 12: every slot has another one, so that colour is not the only difference.
pub(super) fn rim(slot: Option<u16>) -> &'static str {
    match slot.map(|slot| slot.wrapping_sub(1) % 8) {
        Some(0) => {
            "M-9.5-12h19a2.5 2.5 0 0 1 2.5 2.5v19a2.5 2.5 0 0 1-2.5 2.5h-19a2.5 2.5 0 0 1-2.5-2.5v-19a2.5 2.5 0 0 1 2.5-2.5z"
        }
        Some(1) => "M0-12.5a12.5 12.5 0 1 1-.01 0z",
        Some(2) => "M-12-11.5h24v10c0 7-5.5 11-12 14c-6.5-3-12-7-12-14z",
        Some(3) => "M-5.2-12.5h10.4l7.3 7.3v10.4l-7.3 7.3h-10.4l-7.3-7.3v-10.4z",
        Some(4) => "M-12.5 12v-12.5a12.5 12.5 0 0 1 25 0v12.5z",
        Some(5) => "M0-13.5l12 6.8v13.5l-12 6.8l-12-6.8v-13.5z",
        Some(6) => "M-12-12h24v24.5l-12-4.5l-12 4.5z",
        Some(7) => "M-12-8q12-8 24 0v16q-12 8-24 0z",
        _ => "M0-12a12 12 0 1 1-.01 0z",
    }
}
