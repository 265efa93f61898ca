//! Places, flags and ornaments.

use kernel::map::{Condition, Symbol};

use super::palette::Palette;
use super::write::{number, push_number};

/// How a piece of a symbol is inked.
#[derive(Clone, Copy)]
enum Piece {
    /// Paper with an outline.
    Wall(&'static str),
    /// Lines only.
    Line(&'static str),
    /// The shaded side.
    Shade(&'static str),
    /// Filled with ink.
    Solid(&'static str),
}

use Piece::{Line, Shade, Solid, Wall};

/// The short name of a symbol's drawing.
pub(crate) const fn symbol_id(symbol: Symbol, condition: Condition) -> &'static str {
    if matches!(condition, Condition::Ruin) {
        return "ruin";
    }
    match symbol {
        Symbol::Capital => "capital",
        Symbol::Castle => "castle",
        Symbol::Town => "town",
        Symbol::Fortress => "fort",
        Symbol::LightTemple => "light",
        Symbol::DarkTemple => "darkt",
        Symbol::HolyTemple => "holy",
        Symbol::Temple => "temple",
        Symbol::Mine => "mine",
        Symbol::Gate => "gate",
        Symbol::Village => "village",
        Symbol::Harbour => "harbour",
        Symbol::Tower => "tower",
        Symbol::Camp => "camp",
        Symbol::Lair => "lair",
    }
}

/// Where the owner's pennant is fixed, as (x, y) above the ground line, and whether the symbol has one.
pub(crate) const fn pennant(symbol: Symbol, condition: Condition) -> Option<(f64, f64)> {
    if matches!(condition, Condition::Ruin | Condition::Building) {
        return None;
    }
    match symbol {
        Symbol::Capital => Some((0.0, -27.0)),
        Symbol::Castle => Some((0.0, -25.0)),
        Symbol::Fortress => Some((-10.0, -22.0)),
        Symbol::Town => Some((0.0, -27.5)),
        Symbol::Tower => Some((0.0, -26.0)),
        _ => None,
    }
}

/// The drawing of a symbol in a box of 34 x 34 that stands on y = 28, moved so that the middle of the ground is 0/0.
pub(crate) fn symbol_drawing(symbol: Symbol, condition: Condition, palette: &Palette) -> String {
    let pieces: &[Piece] = if condition == Condition::Ruin {
        &[
            Wall("M5 28v-9l2 2l2-6l2 5l1.5-1v9zM18 28V15l2.5 4.5l2.5-8l2 7l3.5-2.5v12z"),
            Shade("M23 11.5l2 7l3.5-2.5v12h-4z"),
            Line("M3 28h28M8 24h2M21 23h2M13.5 28l1-2l1.5 2M14 21l1.5 1"),
        ]
    } else {
        pieces(symbol)
    };
    let (ink, halo) = (palette.ink.hex(), palette.halo.hex());
    let mut out =
        String::from("<g transform=\"translate(-17 -28)\" stroke-linejoin=\"round\" stroke-linecap=\"round\">");
    for piece in pieces {
        out += &match piece {
            Wall(d) => format!("<path fill=\"{halo}\" stroke=\"{ink}\" stroke-width=\"1.2\" d=\"{d}\"/>"),
            Line(d) => format!("<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.1\" d=\"{d}\"/>"),
            Shade(d) => format!("<path fill=\"{ink}\" fill-opacity=\".5\" d=\"{d}\"/>"),
            Solid(d) => format!("<path fill=\"{ink}\" d=\"{d}\"/>"),
        };
    }
    out + "</g>"
}

/// Cracks, scaffolding: what the condition adds above the symbol.
pub(crate) fn condition_drawing(condition: Condition, palette: &Palette) -> String {
    let red = palette.red.hex();
    let ink = palette.ink.hex();
    match condition {
        Condition::Intact | Condition::Ruin => String::new(),
        Condition::Light => format!(
            "<path fill=\"none\" stroke=\"{red}\" stroke-width=\"1.5\" stroke-linejoin=\"round\" d=\"M4-15l-2 4l3.2 2.6l-2.2 4.4\"/>"
        ),
        Condition::Heavy => format!(
            "<path fill=\"none\" stroke=\"{red}\" stroke-width=\"1.7\" stroke-linejoin=\"round\" d=\"M4-16l-2 4l3.2 2.6l-2.2 5M-6-13l2 3.6l-3 2.8l2 4\"/>"
        ),
        Condition::Building => format!(
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"1\" d=\"M-13 0v-21M13 0v-21M-15-7h30M-15-14h30M-13-7l9-7M13-7l-9-7\"/>"
        ),
    }
}

const fn pieces(symbol: Symbol) -> &'static [Piece] {
    match symbol {
        Symbol::Capital => &[
            Wall("M4 28V17h2v-2h2v2h2v-2h2v2M22 17h2v-2h2v2h2v-2h2v13M12 28V11h2V9h2v2h2V9h2v2h2v17"),
            Wall("M4 28h26"),
            Shade("M20 11h2v17h-3v-4l1-2zM28 17h2v11h-2z"),
            Solid("M15 28v-5q2-3 4 0v5z"),
            Line("M17 9V1M8 15v-4M26 15v-4M7 21h2M25 21h2M16 15h2M2 28h30"),
        ],
        Symbol::Castle => &[
            Wall("M11 28V13h-1V9h2v2h2V9h2v2h2V9h2v2h2V9h2v4h-1v15z"),
            Shade("M20 13h3v15h-3z"),
            Solid("M15 28v-5q2-3 4 0v5z"),
            Line("M17 9V3M15 17h1M6 28h22M19 18h1"),
        ],
        Symbol::Town => &[
            Wall("M4 28v-7l4-4l4 4v7zM22 28v-8l4-4l4 4v8zM12 28V14l2-1V8l3-6l3 6v5l2 1v14z"),
            Shade("M17.5 2.5l2.5 5.5v5l2 1v14h-3zM27 17l3 3v8h-2.5z"),
            Line("M7 24h2M25 23h2M16 18h2M16 28v-4h2v4M17 2V0M3 28h28M4 21l4-4l4 4M22 20l4-4l4 4"),
        ],
        Symbol::Fortress => &[
            Wall("M3 28l2-12H3v-4h2v1.6h2V12h2v1.6h2V12h1v4h-1l.6 3h9.8l.6-3h-1v-4h1v1.6h2V12h2v1.6h2V12h2v4h-2l2 12z"),
            Solid("M14 28v-4q3-4 6 0v4z"),
            Shade("M27 17h3l2 11h-4z"),
            Line("M12 19h10M7 12V6M27 12V6M6 20h2M26 20h2"),
        ],
        Symbol::LightTemple => &[
            Wall("M6 28V17h22v11zM8 17c0-7 4-11 9-11s9 4 9 11z"),
            Shade("M19 6c4 1 7 5 7 11h-4c0-5-1-8-3-11z"),
            Line("M10 28V17M15 28V17M19 28V17M24 28V17M4 28h26M17 6V5"),
            Wall("M17 .6a2.2 2.2 0 1 0 .01 0z"),
        ],
        Symbol::DarkTemple => &[
            Wall("M6 28V17h22v11zM8 17c0-7 4-11 9-11s9 4 9 11z"),
            Shade("M17 6c6 0 9 4 9 11H17z"),
            Line("M10 28V17M15 28V17M19 28V17M24 28V17M4 28h26M17 6V5"),
            Solid("M17 .6a2.2 2.2 0 1 0 .01 0z"),
        ],
        Symbol::HolyTemple => &[
            Wall("M6 28V17h22v11zM8 17c0-7 4-11 9-11s9 4 9 11z"),
            Shade("M19 6c4 1 7 5 7 11h-4c0-5-1-8-3-11z"),
            Line("M10 28V17M15 28V17M19 28V17M24 28V17M4 28h26M17 6V5"),
            Wall("M17 .6a2.2 2.2 0 1 0 .01 0z"),
            Solid("M17 .6a2.2 2.2 0 0 1 0 4.4z"),
        ],
        Symbol::Temple => &[
            Wall("M7 28V18h20v10zM5 18l12-8l12 8z"),
            Shade("M17 10l12 8H17z"),
            Line("M11 28V18M15 28V18M19 28V18M23 28V18M5 28h24"),
        ],
        Symbol::Mine => &[
            Wall("M6 28q2-14 11-16q9 2 11 16z"),
            Solid("M13 28v-6q4-4 8 0v6z"),
            Line("M9 13l9-9M16 3l4 4M25 13l-9-9M18 3l-4 4M4 28h26M9 22l2 1M24 21l-2 1"),
        ],
        Symbol::Gate => &[
            Wall("M7 28V16a10 10 0 0 1 20 0v12h-5V16a5 5 0 0 0-10 0v12z"),
            Line("M17 13v6M14 16h6M15 14l4 4M19 14l-4 4M5 28h24M7 20h5M22 20h5M9 10l4 3M25 10l-4 3M17 6v5"),
        ],
        Symbol::Village => &[
            Wall("M6 28v-6l5-4l5 4v6zM17 28v-7l6-5l6 5v7z"),
            Shade("M23 16l6 5v7h-3z"),
            Line("M4 28h26M10 28v-3h2v3M21 28v-4h3v4M13 18v-3"),
        ],
        Symbol::Harbour => &[
            Wall("M9 28v-8l4-4l4 4v8zM20 28V13h5v15z"),
            Shade("M23 13h2v15h-2z"),
            Line("M3 29q3-2 6 0t6 0t6 0t6 0t5 0M19 13h7M22.5 13V8M20 9h5M12 28v-4h2v4"),
        ],
        Symbol::Tower => &[
            Wall("M12 28l1-15h-2V9h2v2h2V9h4v2h2V9h2v4h-2l1 15z"),
            Shade("M19 13h2l1 15h-3z"),
            Line("M17 9V3M8 28h18M16 18h2"),
        ],
        Symbol::Camp => &[
            Wall("M5 28l7-12l7 12zM16 28l6-10l7 10z"),
            Solid("M10 28l2-5l2 5zM20.5 28l1.5-4l2 4z"),
            Line("M12 16v-3M22 18v-2M3 28h28"),
        ],
        Symbol::Lair => &[
            Wall("M5 28q0-9 5-12l3-4l4 3l5-2l3 5q5 3 4 10z"),
            Solid("M12 28q0-8 5-8t5 8z"),
            Line("M3 28h28M14 25l1 3M18 24l1 4M8 20l2 1M25 19l-2 1"),
        ],
    }
}

/// An army's flag: pole and waving cloth with its label. `size` 1 suits a field 52 units wide.
pub(crate) struct FlagLook<'a> {
    pub label: &'a str,
    pub fill: String,
    pub stroke: String,
    pub text: String,
    pub dashed: bool,
    pub opacity: &'a str,
    pub size: f64,
}

/// The width of a flag's cloth in units at size 1.
pub(crate) fn flag_width(label: &str) -> f64 {
    9.0 + super::frame::text_width(label, 9.4)
}

/// Draws a flag whose pole stands at (x, y); `label` is already escaped.
pub(crate) fn flag(out: &mut String, x: f64, y: f64, width: f64, look: &FlagLook<'_>, pole: &str) {
    out.push_str("<g transform=\"translate(");
    push_number(out, x);
    out.push(' ');
    push_number(out, y);
    out.push(')');
    if (look.size - 1.0).abs() > 0.01 {
        *out += &format!("scale({:.2})", look.size);
    }
    out.push('"');
    if look.opacity != "1" {
        *out += &format!(" opacity=\"{}\"", look.opacity);
    }
    let (q, h) = (number(width / 4.0), number(width / 2.0));
    let dash = if look.dashed {
        " stroke-dasharray=\"2.5 2\" stroke-width=\"1.3\""
    } else {
        ""
    };
    *out += &format!(
        "><path stroke=\"{pole}\" stroke-width=\"1.6\" stroke-linecap=\"round\" d=\"M0 8V-13\"/><path fill=\"{}\" stroke=\"{}\"{dash} d=\"M0-13q{q}-3 {h} 0t{h} 0v11q-{q} 3-{h} 0t-{h} 0z\"/><text x=\"{h}\" y=\"-4\" fill=\"{}\">{}</text></g>",
        look.fill, look.stroke, look.text, look.label
    );
}

/// A compass rose of radius 50 around 0/0, without letters.
pub(crate) fn rose(palette: &Palette) -> String {
    let (ink, paper) = (palette.ink.hex(), palette.panel.hex());
    let mut out = format!(
        "<g stroke=\"{ink}\" stroke-linejoin=\"round\"><circle r=\"33\" fill=\"{paper}\" fill-opacity=\".55\" stroke-width=\"1.4\"/><circle r=\"30\" fill=\"none\" stroke-width=\".7\"/><circle r=\"31.5\" fill=\"none\" stroke-width=\"3\" stroke-dasharray=\"1 5.184\"/><circle r=\"17\" fill=\"none\" stroke-width=\".6\"/>"
    );
    let at = |radius: f64, eighths: f64| {
        let angle = eighths * std::f64::consts::FRAC_PI_4;
        format!("{} {}", number(angle.sin() * radius), number(-angle.cos() * radius))
    };
    // Short points first, so that the four great ones lie on top.
    for (offset, step, radius, waist) in [(0.5, 1.0, 24.0, 6.0), (1.0, 2.0, 30.0, 8.0), (0.0, 2.0, 46.0, 9.5)] {
        let mut direction: f64 = offset;
        while direction < 8.0 {
            let tip = at(radius, direction);
            let left = at(waist, direction - 0.5);
            let right = at(waist, direction + 0.5);
            out += &format!(
                "<path stroke-width=\".8\" fill=\"{paper}\" d=\"M0 0L{left} {tip}z\"/><path stroke-width=\".8\" fill=\"{ink}\" d=\"M0 0L{right} {tip}z\"/>"
            );
            direction += step;
        }
    }
    out += &format!(
        "<circle r=\"3\" fill=\"{paper}\" stroke-width=\"1\"/><path fill=\"{ink}\" stroke=\"none\" d=\"M0-59l2.6 4.5c2.6-2 4.6.6 3.2 3c-.8 1.4-2.6 1.2-3.4.3l.8 3.4h-6.4l.8-3.4c-.8.9-2.6 1.1-3.4-.3c-1.4-2.4.6-5 3.2-3z\"/></g>"
    );
    out
}

/// A sea serpent in a box of 160 x 60.
pub(crate) const SERPENT: &str = "M6 44c4-18 22-18 24 0M12 44c2-9 10-10 13 0M38 44c4-26 30-26 34 0M45 44c3-15 16-15 20 0M82 44c2-16 8-32 22-34c10-1 16 6 16 12c0 5-6 7-12 5l-14 4c-2 4-3 8-3 13M104 10l-2-6l6 5M86 23l-6-3l4 7M81 31l-6-1l5 5M54 18l1-6l4 6M63 20l5-4l-1 7M118 27l8 2l-6 2M110 18h.4M2 50q8-5 16 0t16 0t16 0t16 0t16 0t16 0t16 0t16 0M20 56q8-4 16 0t16 0t16 0t16 0t16 0M52 28l2 4M57 26l1 5M63 27l-1 5M18 36l1 3M23 36v3";

/// A ship in a box of 80 x 60: hull and sails, which are filled, then the rigging.
pub(crate) const SHIP: (&str, &str) = (
    "M12 42h56l-6 10H20zM18 14q10 5 20 0q2 10-1 20q-9 4-18 0q-3-10-1-20zM42 18q8 4 16 0q2 8-1 16q-7 3-14 0q-2-8-1-16z",
    "M28 42V8M50 42V12M10 38l6 4M68 36l-2 6M28 8l8 2l-8 2M50 12l7 2l-7 2M24 18v14M32 19v13M48 22v10M54 22v9M22 46h36M2 56q6-4 12 0t12 0t12 0t12 0t12 0t12 0",
);

/// Half a fleuron to the right of 0/0; mirrored for the left.
pub(crate) const FLEURON: &str = "M5 2c8-9 18-9 22-3c-5-2-9 0-12 3c-3 4-8 4-10 0zM26 2c5-5 12-5 15-1c-4-1-7 0-9 2c-2 2-5 2-6-1zM46 .4a1.6 1.6 0 1 0 .01 0z";

/// The ornament of a corner, opening to the lower right, in a box of 60 x 60.
pub(crate) const CORNER: &str = "M3 57V14C3 8 8 3 14 3h43M8 50V18c0-6 4-10 10-10h32M14 14c10 0 18 8 14 16c-3 5-10 3-9-2c1-4 6-3 6 0M14 14c0 10 8 18 16 14M34 9c8 2 10 8 18 6M9 34c2 8 8 10 6 18";
