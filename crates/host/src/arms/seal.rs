//! Wax seals: a ragged rim, a pressed face and the realm's charge in relief.

use super::blazon::{Blazon, Charge, Tincture};
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// What is pressed into the wax.
pub(crate) enum Face<'a> {
    /// The charge of these arms.
    Blazon(&'a Blazon),
    /// A drawing of 100 by 120 that was cleaned.
    Drawing(&'a str),
}

/// The seal of a realm as a drawing of 120 by 120. `name` decides its rim: no two are alike.
pub(crate) fn draw(name: &str, face: &Face<'_>) -> String {
    let tincture = match face {
        Face::Blazon(blazon) if blazon.field.is_metal() => blazon.charge_tincture,
        Face::Blazon(blazon) => blazon.field,
        Face::Drawing(_) => Tincture::Red,
    };
    let [wax, dark, press, light] = tincture.wax();
    let digest = *blake3::hash(name.as_bytes()).as_bytes();
    let mut out = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 120 120\">");
    let _ = write!(
        out,
        "<path d=\"{}\" fill=\"{dark}\"/><path d=\"{}\" fill=\"{wax}\" transform=\"translate(-1 -1.4)\"/>\
         <path d=\"M22 34C32 17 54 9 74 14\" stroke=\"{light}\" stroke-width=\"4.5\" fill=\"none\" stroke-linecap=\"round\" opacity=\".75\"/>\
         <circle cx=\"60\" cy=\"60\" r=\"37\" fill=\"{dark}\"/><circle cx=\"61\" cy=\"61.4\" r=\"36\" fill=\"{press}\"/>\
         <circle cx=\"60\" cy=\"60\" r=\"33\" fill=\"none\" stroke=\"{dark}\" stroke-width=\"1\" stroke-dasharray=\"2 2.2\"/>",
        rim(&digest, 54.0, 8.0),
        rim(&digest, 51.0, 7.4),
    );
    match face {
        Face::Blazon(blazon) => {
            let charge = blazon.charge.as_deref().and_then(Charge::find);
            let (shadow, relief) = match charge {
                Some(charge) => (charge.draw(dark, "none"), charge.draw(light, press)),
                // Without a charge the shield itself is pressed in.
                None => {
                    let shield = |colour: &str| {
                        format!("<path d=\"M14 10H86V58C86 84 66 98 50 106 34 98 14 84 14 58Z\" fill=\"{colour}\"/>")
                    };
                    (shield(dark), shield(light))
                }
            };
            let _ = write!(
                out,
                "<g transform=\"translate(35.4 33) scale(.5)\"><g transform=\"translate(2.4 2.8)\" fill=\"{dark}\">{shadow}</g>\
                 <g fill=\"{light}\">{relief}</g></g>"
            );
        }
        Face::Drawing(svg) => {
            // A drawing from outside is shown in the tones of the wax, whatever its colours are.
            let _ = write!(
                out,
                "<filter id=\"wax\" x=\"0\" y=\"0\" width=\"1\" height=\"1\" color-interpolation-filters=\"sRGB\"><feColorMatrix values=\"\
                 .11 .37 .04 0 .42 .13 .43 .04 0 .05 .12 .4 .04 0 .02 0 0 0 1 0\"/></filter>\
                 <g transform=\"translate(40.5 37) scale(.39)\" filter=\"url(#wax)\">{svg}</g>"
            );
        }
    }
    let _ = write!(
        out,
        "<path d=\"M93 76C88 92 74 99 62 98\" stroke=\"{light}\" stroke-width=\"1.6\" fill=\"none\" opacity=\".6\"/></svg>"
    );
    out
}

/// A closed line around the middle whose distance from it wavers.
fn rim(digest: &[u8; 32], radius: f64, waver: f64) -> String {
    const CORNERS: usize = 26;
    let turn = f64::from(digest.last().copied().unwrap_or(0)) / 256.0 * TAU;
    let points: Vec<(f64, f64)> = digest
        .iter()
        .take(CORNERS)
        .enumerate()
        .map(|(number, byte)| {
            let angle = number as f64 / CORNERS as f64 * TAU;
            let distance = radius + (f64::from(*byte) / 256.0 - 0.5) * waver + (angle * 3.0 + turn).sin() * waver * 0.5;
            (60.0 + angle.cos() * distance, 60.0 + angle.sin() * distance)
        })
        .collect();
    let mut out = String::new();
    let pairs = points.iter().zip(points.iter().cycle().skip(1));
    for (number, ((x, y), (to_x, to_y))) in pairs.enumerate() {
        if number == 0 {
            let (last_x, last_y) = points.last().copied().unwrap_or((*x, *y));
            let _ = write!(out, "M{:.1} {:.1}", (last_x + x) / 2.0, (last_y + y) / 2.0);
        }
        let _ = write!(out, "Q{x:.1} {y:.1} {:.1} {:.1}", (x + to_x) / 2.0, (y + to_y) / 2.0);
    }
    out.push('Z');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_realms_have_two_rims() {
        let blazon = Blazon::of_name("Adler");
        assert_ne!(
            draw("Adler", &Face::Blazon(&blazon)),
            draw("Bär", &Face::Blazon(&blazon))
        );
    }

    #[test]
    fn a_seal_is_well_formed() {
        for seal in [
            draw("Adler", &Face::Blazon(&Blazon::of_name("Adler"))),
            draw("x", &Face::Drawing("<svg xmlns=\"http://www.w3.org/2000/svg\"/>")),
        ] {
            assert!(roxmltree::Document::parse(&seal).is_ok(), "{seal}");
        }
    }
}
