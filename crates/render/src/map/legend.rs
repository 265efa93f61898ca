//! The key: every terrain, place, sign and realm that the map shows, and none it does not.

use std::collections::BTreeSet;

use kernel::map::{Condition, EdgeKind, Flag, Knowledge, Mark, Orientation, Symbol, TerrainStyle};

use super::frame::text_width;
use super::symbols::{FlagLook, condition_drawing, flag, flag_width, symbol_drawing};
use super::things::SWORDS;
use super::write::{escaped, number, shortened};
use super::{Detail, Drawing, SERIF, SMALL_CAPS, pair};

/// More realms than this are counted, not listed.
const REALMS_SHOWN: usize = 40;

/// A sample in a box of 44 x 30 around 0/0, and its words.
struct Item {
    sample: String,
    label: String,
    /// The game's own code, set before the words.
    code: String,
}

/// The key's drawing and its height in pixels.
pub(super) fn legend(drawing: &mut Drawing<'_>, size: f64, width: f64) -> (String, f64) {
    let sections = [
        ("terrain", terrains(drawing)),
        ("places", places(drawing)),
        ("signs", signs(drawing)),
        ("realms", realms(drawing)),
    ];
    let (ink, soft) = (drawing.palette.ink.hex(), drawing.palette.soft_ink.hex());
    let head = 104.0 * size;
    let row = 31.0 * size;
    let text = 14.5 * size;
    let mut out = format!(
        "<g font-family=\"{SERIF}\" font-size=\"{}\" fill=\"{ink}\">",
        number(text)
    );
    let mut y = 4.0 * size;
    for (key, items) in sections {
        if items.is_empty() {
            continue;
        }
        let widest = items
            .iter()
            .map(|item| (text_width(&item.label, text) + text_width(&item.code, text)) * 0.8)
            .fold(70.0 * size, f64::max);
        let column = (widest + 66.0 * size).min(width - head);
        let columns = (((width - head) / column).floor() as usize).max(1);
        // Columns share the whole width, so that sections line up at both ends.
        let column = (width - head) / columns as f64;
        out += &format!(
            "<path stroke=\"{soft}\" stroke-opacity=\".5\" stroke-width=\"{}\" d=\"M0 {y0}H{}\"/><text y=\"{}\" font-family=\"{SMALL_CAPS}\" font-size=\"{}\">{}</text>",
            number(0.8 * size),
            number(width),
            number(y + 22.0 * size),
            number(18.0 * size),
            escaped(drawing.words.get(key)),
            y0 = number(y),
        );
        for (n, item) in items.iter().enumerate() {
            let x = head + (n % columns) as f64 * column;
            let middle = y + (n / columns) as f64 * row + row / 2.0 + 2.0 * size;
            out += &format!(
                "<g transform=\"translate({}) scale({:.3})\">{}</g><text x=\"{}\" y=\"{}\">",
                pair(x + 22.0 * size, middle),
                size,
                item.sample,
                number(x + 48.0 * size),
                number(middle + 5.0 * size)
            );
            if !item.code.is_empty() {
                out += &format!(
                    "<tspan font-family=\"{}\" font-weight=\"700\" font-size=\"{}\">{}</tspan> ",
                    super::frame::sans(),
                    number(text * 0.92),
                    escaped(&item.code)
                );
            }
            out += &escaped(&item.label);
            out += "</text>";
        }
        y += items.len().div_ceil(columns) as f64 * row + 7.0 * size;
    }
    (out + "</g>", y)
}

fn plain(sample: String, label: &str) -> Item {
    Item {
        sample,
        label: label.to_owned(),
        code: String::new(),
    }
}

fn terrains(drawing: &Drawing<'_>) -> Vec<Item> {
    let seen: BTreeSet<(TerrainStyle, &str)> = drawing
        .atlas
        .fields
        .iter()
        .zip(&drawing.atlas.styles)
        .map(|(field, &style)| (style, field.terrain.as_str()))
        .collect();
    let ink = drawing.palette.ink.hex();
    let hexagon = match drawing.scene.orientation {
        Orientation::PointyTop => "M0-30l26 15v30l-26 15l-26-15v-30z",
        Orientation::FlatTop => "M-30 0l15-26h30l15 26l-15 26h-30z",
    };
    seen.into_iter()
        .map(|(style, code)| {
            let pens = drawing.fills.get(&style).filter(|fill| !fill.is_empty());
            let wash = drawing.palette.wash(style);
            Item {
                sample: format!(
                    "<g transform=\"scale(.5)\" stroke=\"{ink}\" stroke-width=\"1.6\"><path fill=\"{wash}\" d=\"{hexagon}\"/>{}</g>",
                    pens.map(|fill| format!("<path fill=\"{fill}\" d=\"{hexagon}\"/>"))
                        .unwrap_or_default()
                ),
                label: drawing
                    .words
                    .terrain(&drawing.scene.game, code, style.ground),
                code: code_for_people(code),
            }
        })
        .collect()
}

/// Letters of the longest code of a book.
const BOOK_CODE: usize = 3;

/// The code of a book is short (`EB`, `HST`); a longer one (`keep`) is a name for programs and tells people nothing.
fn code_for_people(code: &str) -> String {
    if code.chars().count() <= BOOK_CODE {
        code.to_owned()
    } else {
        String::new()
    }
}

fn places(drawing: &Drawing<'_>) -> Vec<Item> {
    if !drawing.layers.places || drawing.detail == Detail::Tiny {
        return Vec::new();
    }
    let seen: BTreeSet<(Symbol, &str)> = drawing
        .known_places
        .iter()
        .filter(|place| place.condition != Condition::Ruin)
        .map(|place| (place.symbol, place.kind.as_str()))
        .collect();
    let mut items: Vec<Item> = seen
        .into_iter()
        .map(|(symbol, code)| {
            let known = drawing.words.building(&drawing.scene.game, code);
            let word = if known == code {
                drawing.words.symbol(symbol).to_owned()
            } else {
                known
            };
            Item {
                sample: standing(&symbol_drawing(symbol, Condition::Intact, drawing.palette)),
                label: word,
                code: code_for_people(code),
            }
        })
        .collect();
    for (condition, key) in [
        (Condition::Light, "sign.light"),
        (Condition::Heavy, "sign.heavy"),
        (Condition::Ruin, "sign.ruin"),
        (Condition::Building, "sign.building"),
    ] {
        if drawing.known_places.iter().any(|p| p.condition == condition) {
            let sample = symbol_drawing(Symbol::Castle, condition, drawing.palette)
                + &condition_drawing(condition, drawing.palette);
            items.push(plain(standing(&sample), drawing.words.get(key)));
        }
    }
    items
}

fn standing(symbol: &str) -> String {
    format!("<g transform=\"translate(0 12) scale(.92)\">{symbol}</g>")
}

fn signs(drawing: &Drawing<'_>) -> Vec<Item> {
    let mut items = lines(drawing);
    items.extend(flags(drawing));
    items
}

/// Samples of everything drawn with lines.
fn lines(drawing: &Drawing<'_>) -> Vec<Item> {
    let (ink, halo, p) = (drawing.palette.ink.hex(), drawing.palette.halo.hex(), drawing.palette);
    let mut items = Vec::new();
    let layers = drawing.layers;
    let has = |kind| {
        drawing
            .scene
            .edges
            .iter()
            .any(|e| e.kind == kind && drawing.shows_edge(e))
    };
    let wave = "M-20 3q10-9 20-2t20-3";
    if layers.rivers && has(EdgeKind::River) {
        items.push(plain(
            format!(
                "<path fill=\"none\" stroke=\"{}\" stroke-width=\"3\" stroke-linecap=\"round\" d=\"{wave}\"/>",
                p.river.hex()
            ),
            drawing.words.get("sign.river"),
        ));
    }
    if layers.rivers && has(EdgeKind::Bridge) {
        items.push(plain(
            format!("<path fill=\"none\" stroke=\"{}\" stroke-width=\"3\" d=\"M0-14v28\"/><path stroke=\"{halo}\" stroke-width=\"6.6\" d=\"M-6 0h12\"/><path fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.3\" d=\"M-9-6l3 2.6h12l3-2.6M-9 6l3-2.6h12l3 2.6\"/>", p.river.hex()),
            drawing.words.get("sign.bridge"),
        ));
    }
    if layers.roads && has(EdgeKind::Road) {
        items.push(plain(
            format!("<g fill=\"none\"><path stroke=\"{ink}\" stroke-width=\"3.9\" stroke-linecap=\"round\" d=\"{wave}\"/><path stroke=\"{halo}\" stroke-width=\"1.9\" stroke-dasharray=\"6 2.4\" d=\"{wave}\"/></g>"),
            drawing.words.get("sign.road"),
        ));
    }
    if layers.walls && has(EdgeKind::Wall) {
        items.push(plain(
            format!("<g fill=\"none\" stroke=\"{ink}\"><path stroke-width=\"9.4\" stroke-dasharray=\"3.6 2.8\" d=\"M-19 0h38\"/><path stroke-width=\"5.4\" d=\"M-19 0h38\"/><path stroke=\"{halo}\" stroke-width=\"3.2\" d=\"M-19 0h38\"/></g>"),
            drawing.words.get("sign.wall"),
        ));
    }
    if layers.walls {
        for (kind, fill, stroke, more, key) in [
            (EdgeKind::Gate, &ink, &halo, "", "sign.gate"),
            (EdgeKind::OpenGate, &halo, &ink, "M-8-4l-5-5M8-4l5-5", "sign.open_gate"),
            (
                EdgeKind::BrokenGate,
                &halo,
                &p.red.hex(),
                "M-8-4l6 6l4-5l6 7",
                "sign.broken_gate",
            ),
        ] {
            if has(kind) {
                items.push(plain(
                    format!("<path fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.3\" stroke-linejoin=\"round\" d=\"M-8-4h16v8h-16z{more}\"/>"),
                    drawing.words.get(key),
                ));
            }
        }
    }
    if layers.rivers && has(EdgeKind::Ditch) {
        items.push(plain(
            format!("<g fill=\"none\"><path stroke=\"{ink}\" stroke-width=\"6.4\" d=\"M-19 0h38\"/><path stroke=\"{halo}\" stroke-width=\"4.6\" d=\"M-19 0h38\"/><path stroke=\"{ink}\" stroke-width=\"4.6\" stroke-dasharray=\"1 3\" d=\"M-19 0h38\"/></g>"),
            drawing.words.get("sign.ditch"),
        ));
    }
    if layers.heights && has(EdgeKind::Ascent) {
        items.push(plain(
            format!("<path stroke=\"{ink}\" stroke-width=\"1.5\" d=\"M-6-5v10M-2-5v10M2-5v10M6-5v10\"/>"),
            drawing.words.get("sign.ascent"),
        ));
    }
    if has(EdgeKind::Province) {
        items.push(plain(
            format!("<path stroke=\"{ink}\" stroke-width=\"1.6\" d=\"M-19 0h38\"/>"),
            drawing.words.province(&drawing.scene.game),
        ));
    }
    if layers.heights {
        for (drop, key) in [(1, "sign.gentle"), (2, "sign.steep")] {
            if drawing.has_slope(drop) {
                items.push(slope(drawing, drop, key));
            }
        }
    }
    let fields = &drawing.atlas.fields;
    if layers.fog && fields.iter().any(|f| matches!(f.knowledge, Knowledge::Earlier(_))) {
        items.push(plain(
            format!("<rect x=\"-18\" y=\"-11\" width=\"36\" height=\"22\" fill=\"url(#{}-old)\" stroke=\"{ink}\" stroke-width=\".7\"/>", drawing.id),
            drawing.words.get("sign.earlier"),
        ));
    }
    if layers.yields && drawing.detail == Detail::Near && fields.iter().any(|f| f.blessed) {
        items.push(plain(
            format!("<path stroke=\"{ink}\" stroke-width=\"1.5\" stroke-linecap=\"round\" d=\"M0-2.5V-8M0 2.5V8M-2.5 0H-8M2.5 0H8M-1.8-1.8L-5.6-5.6M1.8 1.8L5.6 5.6M-1.8 1.8L-5.6 5.6M1.8-1.8L5.6-5.6\"/>"),
            drawing.words.get("sign.blessed"),
        ));
    }
    let fought = drawing
        .scene
        .highlights
        .iter()
        .any(|h| h.mark == Mark::Battle && drawing.atlas.find(h.at).is_some());
    if layers.routes && fought {
        items.push(plain(
            format!(
                "<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linecap=\"round\" d=\"{SWORDS}\"/>",
                p.red.hex()
            ),
            drawing.words.get("sign.battle"),
        ));
    }
    if layers.routes && drawing.scene.routes.iter().any(|r| r.spots.len() > 1) {
        items.push(plain(
            format!("<path fill=\"none\" stroke=\"{}\" stroke-width=\"3.2\" stroke-linecap=\"round\" stroke-dasharray=\".1 6\" d=\"{wave}\"/>", p.red.hex()),
            drawing.words.get("sign.route"),
        ));
    }
    items
}

fn slope(drawing: &Drawing<'_>, drop: i32, key: &str) -> Item {
    let ink = drawing.palette.ink.hex();
    let sample = match (drawing.detail, drop) {
        (Detail::Near, 1) => format!(
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\".9\" d=\"M-18-4h36M-15-4v5M-10-4v6M-5-4v5M0-4v6M5-4v5M10-4v6M15-4v5\"/>"
        ),
        (Detail::Near, _) => format!(
            "<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.6\" d=\"M-18-5h36M-15-5v9M-11-5v7M-7-5v9M-3-5v8M1-5v7M5-5v9M9-5v7M13-5v9M17-5v8\"/>"
        ),
        (_, 1) => format!("<path stroke=\"{ink}\" stroke-opacity=\".35\" stroke-width=\"2\" d=\"M-18 0h36\"/>"),
        (_, _) => format!("<path stroke=\"{ink}\" stroke-opacity=\".7\" stroke-width=\"3.4\" d=\"M-18 0h36\"/>"),
    };
    plain(sample, drawing.words.get(key))
}

fn flags(drawing: &Drawing<'_>) -> Vec<Item> {
    if !drawing.layers.armies {
        return Vec::new();
    }
    let seen: BTreeSet<Flag> = drawing
        .scene
        .armies
        .iter()
        .filter(|army| drawing.atlas.find(army.at).is_some())
        .map(|army| army.flag)
        .collect();
    let (ink, halo) = (drawing.palette.ink.hex(), drawing.palette.halo.hex());
    let colour = drawing.owner_ink(drawing.scene.own_realm.or(Some(1)));
    seen.into_iter()
        .map(|kind| {
            let (label, key) = match kind {
                Flag::Shown => ("A 1", "sign.shown"),
                Flag::Unassigned => ("?", "sign.unassigned"),
                Flag::OwnUnseen => ("A 1", "sign.own_unseen"),
                Flag::Earlier => ("A 1", "sign.faded"),
            };
            let (paper, hidden) = (kind == Flag::Unassigned, kind == Flag::OwnUnseen);
            let look = FlagLook {
                label,
                fill: if paper || hidden { halo.clone() } else { colour.clone() },
                stroke: if hidden { colour.clone() } else { ink.clone() },
                text: match (hidden, paper) {
                    (true, _) => colour.clone(),
                    (_, true) => ink.clone(),
                    _ => drawing.palette.flag_text.hex(),
                },
                dashed: hidden,
                opacity: if kind == Flag::Earlier { ".6" } else { "1" },
                size: 1.0,
            };
            let mut sample = format!(
                "<g font-family=\"{}\" font-weight=\"700\" font-size=\"9.4\" text-anchor=\"middle\" stroke-width=\".9\">",
                super::frame::sans()
            );
            let width = flag_width(label);
            flag(&mut sample, -width / 2.0, 4.0, width, &look, &ink);
            plain(sample + "</g>", drawing.words.get(key))
        })
        .collect()
}

/// The realms that own something the viewer sees.
fn realms(drawing: &Drawing<'_>) -> Vec<Item> {
    let mut seen: BTreeSet<u16> = drawing.atlas.fields.iter().filter_map(|f| f.owner).collect();
    seen.extend(drawing.known_places.iter().filter_map(|p| p.owner));
    seen.extend(
        drawing
            .scene
            .armies
            .iter()
            .filter(|army| drawing.atlas.find(army.at).is_some())
            .filter_map(|army| army.owner),
    );
    let mut items: Vec<Item> = seen
        .iter()
        .take(REALMS_SHOWN)
        .map(|&realm| {
            let slot = drawing.slot(realm);
            let ink = drawing.palette.realm_ink(slot).hex();
            let dash = drawing.palette.realm_dash(slot, 4.0);
            let name = drawing.scene.realms.get(&realm).map_or("", |r| r.name.as_str());
            let name = if name.is_empty() {
                drawing.words.with("nameless_realm", &[("number", &realm.to_string())])
            } else {
                shortened(name, 34)
            };
            let label = if drawing.scene.own_realm == Some(realm) {
                drawing.words.with("own_realm", &[("name", &name)])
            } else {
                name
            };
            Item {
                sample: format!(
                    "<g fill=\"none\" stroke=\"{ink}\"><path stroke-width=\"12\" stroke-opacity=\".22\" d=\"M-20 3h40\"/><path stroke-width=\"4\"{} d=\"M-20-3h40\"/></g>",
                    if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") }
                ),
                label,
                code: realm.to_string(),
            }
        })
        .collect();
    if seen.len() > REALMS_SHOWN {
        let rest = (seen.len() - REALMS_SHOWN).to_string();
        items.push(plain(String::new(), &drawing.words.with("more", &[("count", &rest)])));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_shows_the_codes_of_books_and_no_names_for_programs() {
        assert_eq!(["HST", "EB", "tla"].map(code_for_people), ["HST", "EB", "tla"]);
        assert_eq!(["keep", "city", "temple-tower"].map(code_for_people), ["", "", ""]);
    }
}
