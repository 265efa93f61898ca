//! Coats of arms from a small kit: a field, its division, a charge, and their tinctures.

use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::sync::OnceLock;

/// Outline of the shield, in a field of 100 by 120.
const SHIELD: &str = "M6 5H94V58C94 88 72 106 50 115 28 106 6 88 6 58Z";

macro_rules! kit {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $code:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$item_doc])* $item),*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$item),*];

            /// Its name in forms and files.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$item => $code),* }
            }

            /// The one with this name.
            pub fn from_code(code: &str) -> Option<Self> {
                match code { $($code => Some(Self::$item),)* _ => None }
            }
        }
    };
}

kit! {
    /// A colour or a metal.
    Tincture {
        /// *Gold.*
        Gold = "gold",
        /// *Silber.*
        Silver = "silver",
        /// *Rot.*
        Red = "red",
        /// *Blau.*
        Blue = "blue",
        /// *Grün.*
        Green = "green",
        /// *Schwarz.*
        Black = "black",
        /// *Purpur.*
        Purple = "purple",
    }
}

kit! {
    /// How the field is divided between the first and the second tincture.
    Division {
        /// Not at all.
        Plain = "plain",
        /// Left and right.
        Pale = "pale",
        /// Upper and lower half.
        Fess = "fess",
        /// From corner to corner.
        Bend = "bend",
        /// A gable.
        Chevron = "chevron",
        /// Four quarters.
        Quarterly = "quarterly",
        /// A bar at the top.
        Chief = "chief",
        /// A rim.
        Border = "border",
        /// A bar across the middle.
        Bar = "bar",
        /// A pole.
        Pole = "pole",
        /// A cross.
        Cross = "cross",
        /// Squares.
        Checks = "checks",
    }
}

impl Tincture {
    /// Its colour, toned to ink on paper.
    pub const fn colour(self) -> &'static str {
        match self {
            Self::Gold => "#d8a838",
            Self::Silver => "#f1e6cd",
            Self::Red => "#8d1b16",
            Self::Blue => "#1b4076",
            Self::Green => "#1f5a3a",
            Self::Black => "#2b231b",
            Self::Purple => "#4a2363",
        }
    }

    /// Gold and silver; the others are colours. Metal on metal and colour on colour cannot be told apart from afar.
    pub const fn is_metal(self) -> bool {
        matches!(self, Self::Gold | Self::Silver)
    }

    /// Wax of this tincture: its body, its shadow, its pressed face and its light.
    pub(crate) const fn wax(self) -> [&'static str; 4] {
        match self {
            Self::Red | Self::Silver => ["#a3211a", "#6a0f0c", "#8f1a14", "#d4604f"],
            Self::Gold => ["#b07a1c", "#6d470a", "#9a6814", "#e4b95c"],
            Self::Blue => ["#24508f", "#102b55", "#1d437b", "#7fa6da"],
            Self::Green => ["#2c6b47", "#123c25", "#245b3b", "#7fb795"],
            Self::Black => ["#3d332a", "#17110c", "#332a22", "#8f8173"],
            Self::Purple => ["#5b2a7c", "#35124d", "#4d2169", "#a477c4"],
        }
    }
}

/// A charge: its name, the words that call for it, and its drawing with `{charge}` and `{field}` for the two colours.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charge {
    /// Its name in forms and files.
    pub name: String,
    words: Vec<String>,
    drawing: String,
}

/// All charges of the kit.
pub fn charges() -> &'static [Charge] {
    #[derive(Deserialize)]
    struct File {
        charge: Vec<Charge>,
    }
    static CHARGES: OnceLock<Vec<Charge>> = OnceLock::new();
    CHARGES.get_or_init(|| {
        // The file is part of the program; a test reads it.
        toml::from_str::<File>(include_str!("../../../../data/heraldry/charges.toml"))
            .map(|file| file.charge)
            .unwrap_or_default()
    })
}

impl Charge {
    /// The charge with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        charges().iter().find(|charge| charge.name == name)
    }

    pub(crate) fn draw(&self, colour: &str, field: &str) -> String {
        self.drawing.replace("{charge}", colour).replace("{field}", field)
    }
}

/// Arms from the kit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blazon {
    /// How the field is divided.
    pub division: Division,
    /// Tincture of the field.
    pub field: Tincture,
    /// Tincture of its other part.
    pub second: Tincture,
    /// Name of the charge, or nothing.
    pub charge: Option<String>,
    /// Tincture of the charge.
    pub charge_tincture: Tincture,
}

impl Blazon {
    /// The arms of a realm that has chosen none: its name says which charge it bears, if it can.
    pub fn of_name(name: &str) -> Self {
        let folded = name.to_lowercase();
        let digest = blake3::hash(folded.as_bytes());
        let [a, b, c, d, ..] = *digest.as_bytes();
        let speaking = charges()
            .iter()
            .find(|charge| charge.words.iter().any(|word| folded.contains(word.as_str())));
        let charge = speaking.or_else(|| charges().get(usize::from(a) % charges().len().max(1)));
        let colours = [
            Tincture::Red,
            Tincture::Blue,
            Tincture::Green,
            Tincture::Black,
            Tincture::Purple,
        ];
        let metals = [Tincture::Gold, Tincture::Silver];
        let colour = colours
            .get(usize::from(b) % colours.len())
            .copied()
            .unwrap_or(Tincture::Red);
        let metal = metals
            .get(usize::from(c) % metals.len())
            .copied()
            .unwrap_or(Tincture::Gold);
        let (field, charge_tincture) = if d & 1 == 0 { (colour, metal) } else { (metal, colour) };
        // A chief or a border in the colour of the charge now and then; what lies behind the charge stays one tincture.
        let division = match d >> 1 & 7 {
            0 => Division::Chief,
            1 => Division::Border,
            _ => Division::Plain,
        };
        Self {
            division,
            field,
            second: charge_tincture,
            charge: charge.map(|charge| charge.name.clone()),
            charge_tincture,
        }
    }

    /// Whether the charge can be told from the field from afar.
    pub fn is_clear(&self) -> bool {
        self.charge.is_none() || self.field.is_metal() != self.charge_tincture.is_metal()
    }

    /// The arms as a drawing of 100 by 120.
    pub fn draw(&self) -> String {
        let field = self.field.colour();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"120\" viewBox=\"0 0 100 120\"><defs><clipPath id=\"s\"><path d=\"{SHIELD}\"/></clipPath></defs>\
             <g clip-path=\"url(#s)\"><path d=\"{SHIELD}\" fill=\"{field}\"/>"
        );
        let second = self.second.colour();
        match self.division {
            Division::Plain => {}
            Division::Checks => {
                for (row, y) in (5..116).step_by(18).enumerate() {
                    for x in (6 + (row as i32 % 2) * 18..94).step_by(36) {
                        let _ = write!(out, "<path d=\"M{x} {y}h18v18h-18z\" fill=\"{second}\"/>");
                    }
                }
            }
            Division::Border => {
                let _ = write!(
                    out,
                    "<path d=\"{SHIELD}\" fill=\"none\" stroke=\"{second}\" stroke-width=\"22\"/>"
                );
            }
            division => {
                let path = match division {
                    Division::Pale => "M50 0H100V120H50z",
                    Division::Fess => "M0 56H100V120H0z",
                    Division::Bend => "M0 0L100 112V120H0z",
                    Division::Chevron => "M50 44L100 94V120H0V94z",
                    Division::Quarterly => "M50 0H100V56H50zM0 56H50V120H0z",
                    Division::Chief => "M0 0H100V25H0z",
                    Division::Bar => "M0 42H100V74H0z",
                    Division::Pole => "M36 0H64V120H36z",
                    _ => "M40 0H60V42H100V62H60V120H40V62H0V42H40z",
                };
                let _ = write!(out, "<path d=\"{path}\" fill=\"{second}\"/>");
            }
        }
        out.push_str("<path d=\"M6 5H94V20C60 30 30 60 6 100z\" fill=\"#fff\" opacity=\".1\"/></g>");
        if let Some(charge) = self.charge.as_deref().and_then(Charge::find) {
            let colour = self.charge_tincture.colour();
            // Under a chief the charge stands lower and is smaller.
            let place = match self.division {
                Division::Chief => "translate(18 28) scale(.64)",
                Division::Border => "translate(19 18) scale(.62)",
                _ => "translate(13 13) scale(.74)",
            };
            let _ = write!(
                out,
                "<g transform=\"{place}\" fill=\"{colour}\">{}</g>",
                charge.draw(colour, field)
            );
        }
        let _ = write!(
            out,
            "<path d=\"{SHIELD}\" fill=\"none\" stroke=\"#2a1c10\" stroke-width=\"3.4\"/>\
             <path d=\"M11 10H89V58C89 84 69 100 50 109 31 100 11 84 11 58Z\" fill=\"none\" stroke=\"#2a1c10\" stroke-width=\".9\" opacity=\".65\"/></svg>"
        );
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arms::svg;

    #[test]
    fn every_charge_of_the_file_can_be_drawn() {
        assert_eq!(charges().len(), 22);
        for charge in charges() {
            let blazon = Blazon {
                charge: Some(charge.name.clone()),
                ..Blazon::of_name("Adler")
            };
            let drawing = blazon.draw();
            assert!(!drawing.contains('{'), "{}", charge.name);
            assert!(
                svg::clean(drawing.as_bytes()).is_ok_and(|cleaned| cleaned.left_out.is_empty()),
                "{}",
                charge.name
            );
        }
    }

    #[test]
    fn every_division_is_a_drawing_of_its_own() {
        let mut seen = std::collections::BTreeSet::new();
        for division in Division::ALL {
            let blazon = Blazon {
                division: *division,
                ..Blazon::of_name("Adler")
            };
            assert!(seen.insert(blazon.draw()), "{division:?}");
            assert_eq!(Division::from_code(division.code()), Some(*division));
        }
        for tincture in Tincture::ALL {
            assert_eq!(Tincture::from_code(tincture.code()), Some(*tincture));
        }
    }

    #[test]
    fn a_name_speaks_for_its_charge() {
        assert_eq!(Blazon::of_name("Reich Adler").charge.as_deref(), Some("eagle"));
        assert_eq!(Blazon::of_name("Reich Bär").charge.as_deref(), Some("bear"));
        assert_eq!(Blazon::of_name("Chimäre").charge.as_deref(), Some("chimera"));
        let other = Blazon::of_name("Xyqu");
        assert_eq!(other, Blazon::of_name("XYQU"));
        assert!(other.charge.is_some());
    }

    #[test]
    fn default_arms_keep_metal_and_colour_apart() {
        for number in 0..200 {
            assert!(Blazon::of_name(&format!("Reich {number}")).is_clear());
        }
    }
}
