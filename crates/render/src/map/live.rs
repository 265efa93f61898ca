//! The map of a page: the same land in chunks, in the page's colours, near and far at once.
//!
//! A script moves the window by the `viewBox`, turns a point into a field by the lattice in the `data-` attributes, and sets
//! `data-detail` by the width of a field on the screen: `near` from 44 pixels, `middle` from 26, `far` from 8, else `tiny`.
//! What belongs to some of them only has a class: `d-n`, `d-m`, `d-nm`, `d-nmf`, `d-f`, `d-ft`, `d-t`. Each layer can be
//! hidden by its `data-layer`.

use kernel::map::{Orientation, Scene, Spot};

use super::atlas::{HALF, ROW};
use super::palette::LIVE;
use super::things::Taken;
use super::write::{escaped, number, shortened};
use super::{Drawing, MapOptions, SERIF, frame};
use crate::locale::Language;

/// Empty paper around the land, in units: room for ornaments, or a rim where there are none.
const AIR: f64 = 70.0;
const RIM: f64 = 14.0;
/// On larger maps the page's script writes the coordinates of the fields in its window.
const WRITTEN_FIELDS: usize = 1_500;
/// The width of the window in pixels before a script runs, if nothing else is said.
const WINDOW: u32 = 900;

/// The style sheet for the colours of live maps: by day, by candle light, and for the printer.
pub fn style_sheet() -> String {
    super::palette::style_sheet()
}

/// Draws a map for a page. Of the options the id, the layers and the width count; the width is that of the window, from
/// which follows what is shown before a script runs.
pub fn live(scene: &Scene, options: &MapOptions) -> String {
    let mut drawing = Drawing::new(scene, &LIVE, options);
    drawing.live = true;
    drawing.show_at(64.0);
    draw_land(&mut drawing);
    draw_things(&mut drawing);
    drawing.out += &options.overlay;
    let e = drawing.extent;
    let air = if drawing.layers.ornaments { AIR } else { RIM };
    let window = [e[0] - air, e[1] - air, e[2] + air, e[3] + air];
    let mut out = opening(&drawing, window, options);
    out += "<defs>\n";
    out += &drawing.definitions;
    out += "</defs>\n";
    out += &drawing.out;
    if drawing.layers.ornaments {
        drawing.field_width = 52.0;
        out += &frame::live_ornaments(&drawing, window);
    }
    out + "</svg>\n"
}

/// The outline of a field as data of a path, for marks on a live map.
pub fn outline(orientation: Orientation, at: Spot) -> String {
    let (x, y) = (f64::from(at.d) * HALF, -f64::from(at.y) * ROW);
    match orientation {
        Orientation::PointyTop => format!("M{} {}l26 15v30l-26 15l-26-15v-30z", number(x), number(y - 30.0)),
        Orientation::FlatTop => format!("M{} {}l15-26h30l15 26l-15 26h-30z", number(-y - 30.0), number(-x)),
    }
}

fn draw_land(drawing: &mut Drawing<'_>) {
    let layers = drawing.layers;
    drawing.ground();
    drawing.shore();
    if layers.grid {
        drawing.grid();
    }
    if layers.heights {
        drawing.heights();
    }
    if layers.realms {
        within(drawing, "d-nm", |drawing| drawing.realms());
        drawing.show_at(14.0);
        within(drawing, "d-ft", |drawing| drawing.realms());
        drawing.show_at(64.0);
    }
    drawing.provinces();
    if layers.rivers {
        drawing.rivers();
        within(drawing, "d-nmf", |drawing| drawing.ditches());
    }
    if layers.roads {
        drawing.roads();
    }
    if layers.rivers {
        within(drawing, "d-nmf", |drawing| drawing.bridges());
    }
    if layers.walls {
        drawing.walls();
        within(drawing, "d-nmf", |drawing| drawing.gates());
    }
    if layers.fog {
        drawing.fog();
    }
}

/// What stands on the land is drawn four times, because words and flags keep a size that can be read.
fn draw_things(drawing: &mut Drawing<'_>) {
    let layers = drawing.layers;
    if layers.coordinates && drawing.atlas.len() <= WRITTEN_FIELDS {
        within(drawing, "d-n", |drawing| drawing.coordinates());
    }
    if layers.yields {
        within(drawing, "d-n", |drawing| drawing.yields());
    }
    if layers.routes {
        drawing.highlights();
    }
    for (class, field_width) in [("d-n", 56.0), ("d-m", 32.0), ("d-f", 14.0), ("d-t", 5.0)] {
        drawing.show_at(field_width);
        drawing.taken = Taken::default();
        within(drawing, class, |drawing| {
            if layers.places {
                drawing.places();
            }
            if layers.names {
                drawing.regions();
            }
            if layers.armies {
                drawing.armies();
            }
            if layers.names {
                drawing.names();
            }
        });
    }
    drawing.show_at(64.0);
    if layers.routes {
        drawing.routes();
    }
}

/// Draws into a group that shows at some widths only.
fn within<'a>(drawing: &mut Drawing<'a>, class: &str, draw: impl FnOnce(&mut Drawing<'a>)) {
    drawing.out += &format!("<g class=\"{class}\">");
    draw(drawing);
    drawing.out += "</g>\n";
}

fn opening(drawing: &Drawing<'_>, window: [f64; 4], options: &MapOptions) -> String {
    let (width, height) = (window[2] - window[0], window[3] - window[1]);
    let pixels = f64::from(options.width.unwrap_or(WINDOW));
    let detail = match pixels * 52.0 / width {
        w if w >= 44.0 => "near",
        w if w >= 26.0 => "middle",
        w if w >= 8.0 => "far",
        _ => "tiny",
    };
    let label = drawing.words.with(
        "map_of",
        &[("title", &shortened(&super::heading(drawing.scene).0, 120))],
    );
    let (orientation, lattice) = match drawing.scene.orientation {
        Orientation::PointyTop => ("pointy", [HALF, ROW]),
        Orientation::FlatTop => ("flat", [HALF, ROW]),
    };
    let scale = drawing.scene.scale.as_ref().map_or_else(String::new, |scale| {
        format!(
            " data-scale=\"{} {} {}\"",
            scale.fields,
            scale.length,
            escaped(&shortened(&scale.unit, 12))
        )
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"map live\" viewBox=\"{} {} {} {}\" lang=\"{}\" role=\"img\" aria-label=\"{}\" font-family=\"{SERIF}\" data-detail=\"{detail}\" data-orientation=\"{orientation}\" data-lattice=\"{} {}\" data-fields=\"{}\"{scale}>\n",
        number(window[0]),
        number(window[1]),
        number(width),
        number(height),
        Language::from_code(&drawing.scene.language).unwrap_or_default().code(),
        escaped(&label),
        number(lattice[0]),
        number(lattice[1]),
        drawing.atlas.len(),
    )
}
