//! The sheet around the land: parchment, frame, banner, compass rose, scale, and the beasts of unknown land.

use crate::locale::Language;

use super::symbols::{CORNER, FLEURON, SERPENT, SHIP, rose};
use super::write::{escaped, number, push_escaped, shortened, tremble};
use super::{Drawing, FELL, MapOptions, SANS, SERIF, SMALL_CAPS, pair, scale_text};

/// The sizes of a sheet in pixels.
struct Sheet {
    /// One for a sheet about 1200 pixels wide; everything beside the land grows with it.
    size: f64,
    width: f64,
    height: f64,
    /// The map's window: left, top, width, height.
    left: f64,
    top: f64,
    inner_width: f64,
    inner_height: f64,
    /// Where the land's north-west corner lies.
    land: (f64, f64),
}

/// Margin, frame and air on one side, in multiples of a sheet's size.
const MARGIN: f64 = 20.0;
const FRAME: f64 = 15.0;
const AIR: f64 = 13.0;

/// What lies on each side of the land of a picture of the given width.
pub(super) fn border(width: f64) -> f64 {
    (MARGIN + FRAME + AIR) * (width / 1200.0).clamp(0.72, 4.0)
}

/// The width of a text in about the size's unit. No font is asked; it only has to be enough for a flag or a banner.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | 't' | 'f' | 'r' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '(' | ')' | '['
            | ']' | ' ' | '/' | '-' => 0.31,
            'm' | 'w' | 'M' | 'W' | '\u{2014}' => 0.82,
            c if c.is_uppercase() => 0.64,
            _ => 0.5,
        })
        .sum();
    ems * size
}

/// Puts the drawn land onto its sheet.
pub(super) fn page(mut drawing: Drawing<'_>, options: &MapOptions) -> String {
    let language = Language::from_code(&drawing.scene.language).unwrap_or_default();
    let scale = drawing.field_width / 52.0;
    let e = drawing.extent;
    let (land_width, land_height) = ((e[2] - e[0]) * scale, (e[3] - e[1]) * scale);
    let size = (land_width / 1104.0).clamp(0.72, 4.0);
    let inner_width = (land_width + 2.0 * AIR * size).max(520.0 * size);
    let inner_height = (land_height + 2.0 * AIR * size).max(240.0 * size);
    let edge = (MARGIN + FRAME) * size;
    let (title, subtitle) = super::heading(drawing.scene);
    let has_title = drawing.layers.title && !(title.is_empty() && subtitle.is_empty());
    let head = if has_title { 86.0 * size } else { 0.0 };
    let legend = if drawing.layers.legend {
        super::legend::legend(&mut drawing, size, inner_width)
    } else {
        (String::new(), 0.0)
    };
    let has_scale = drawing.layers.ornaments && drawing.scene.scale.is_some();
    let foot = if legend.1 > 0.0 { legend.1 + 18.0 * size } else { 0.0 };
    let sheet = Sheet {
        size,
        width: (inner_width + 2.0 * edge).ceil(),
        height: (inner_height + 2.0 * edge + head + foot).ceil(),
        left: edge,
        top: edge + head,
        inner_width,
        inner_height,
        land: (
            edge + (inner_width - land_width) / 2.0,
            edge + head + (inner_height - land_height) / 2.0,
        ),
    };
    let mut ornaments = String::new();
    if drawing.layers.ornaments {
        ornaments = place_ornaments(&drawing, &sheet, has_scale);
    }
    let mut out = opening(&drawing, &sheet, language);
    if options.embed_fonts {
        out += crate::fonts::style_element();
    }
    out += "<defs>\n";
    out += &drawing.definitions;
    out += &sheet_definitions(&drawing, &sheet);
    out += "</defs>\n";
    out += &parchment(&drawing, &sheet);
    out += &format!(
        "<g clip-path=\"url(#{}-window)\"><g data-map=\"\" transform=\"translate({}) scale({})\">\n",
        drawing.id,
        pair(sheet.land.0 - e[0] * scale, sheet.land.1 - e[1] * scale),
        scale_text(drawing.field_width)
    );
    out += &drawing.out;
    out += "</g></g>\n";
    out += &ornaments;
    out += &border_lines(&drawing, &sheet);
    if has_title {
        out += &banner(&drawing, &sheet);
    }
    if legend.1 > 0.0 {
        out += &format!(
            "<g data-layer=\"legend\" transform=\"translate({})\">{}</g>\n",
            pair(sheet.left, sheet.top + sheet.inner_height + (FRAME + 12.0) * size),
            legend.0
        );
    }
    out + "</svg>\n"
}

fn opening(drawing: &Drawing<'_>, sheet: &Sheet, language: Language) -> String {
    let (w, h) = (number(sheet.width), number(sheet.height));
    let title = drawing.words.with(
        "map_of",
        &[("title", &shortened(&super::heading(drawing.scene).0, 120))],
    );
    let mut label = String::new();
    push_escaped(&mut label, &title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" lang=\"{}\" role=\"img\" aria-label=\"{label}\" font-family=\"{SERIF}\" data-field=\"{}\">\n<title>{label}</title>\n",
        language.code(),
        drawing.field_width
    )
}

fn sheet_definitions(drawing: &Drawing<'_>, sheet: &Sheet) -> String {
    let (id, p) = (&drawing.id, drawing.palette);
    let aged = p.aged.hex();
    format!(
        "<clipPath id=\"{id}-window\"><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/></clipPath>\n<radialGradient id=\"{id}-age\" cx=\".5\" cy=\".46\" r=\".75\"><stop offset=\".45\" stop-color=\"{aged}\" stop-opacity=\"0\"/><stop offset=\".8\" stop-color=\"{aged}\" stop-opacity=\".35\"/><stop offset=\"1\" stop-color=\"{aged}\" stop-opacity=\".9\"/></radialGradient>\n<radialGradient id=\"{id}-stain\"><stop offset=\".3\" stop-color=\"{aged}\" stop-opacity=\".2\"/><stop offset=\".86\" stop-color=\"{aged}\" stop-opacity=\".16\"/><stop offset=\".94\" stop-color=\"{aged}\" stop-opacity=\".34\"/><stop offset=\"1\" stop-color=\"{aged}\" stop-opacity=\"0\"/></radialGradient>\n<radialGradient id=\"{id}-dim\" cx=\".5\" cy=\".5\" r=\".72\"><stop offset=\".6\" stop-color=\"{aged}\" stop-opacity=\"0\"/><stop offset=\"1\" stop-color=\"{aged}\" stop-opacity=\".55\"/></radialGradient>\n",
        x = number(sheet.left),
        y = number(sheet.top),
        w = number(sheet.inner_width),
        h = number(sheet.inner_height),
    )
}

/// The sheet: darkened towards the edge, with a few stains and fibres that are the same on every map of this size.
fn parchment(drawing: &Drawing<'_>, sheet: &Sheet) -> String {
    let (id, p) = (&drawing.id, drawing.palette);
    let (w, h) = (number(sheet.width), number(sheet.height));
    let mut out = format!(
        "<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/><rect width=\"{w}\" height=\"{h}\" fill=\"url(#{id}-age)\"/>",
        p.paper.hex()
    );
    if p.is_clean() {
        return format!("<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\n", p.paper.hex());
    }
    let spot = |n: i64, k: u32| tremble(n, 77, k);
    for n in 0..7 {
        out += &format!(
            "<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\" transform=\"rotate({} {} {})\" fill=\"url(#{id}-stain)\"/>",
            number(spot(n, 1) * sheet.width),
            number(spot(n, 2) * sheet.height),
            number((20.0 + spot(n, 3) * 70.0) * sheet.size),
            number((16.0 + spot(n, 4) * 50.0) * sheet.size),
            number(spot(n, 5) * 90.0),
            number(spot(n, 1) * sheet.width),
            number(spot(n, 2) * sheet.height),
        );
    }
    let mut fibres = super::write::Path::fine();
    for n in 0..140 {
        let start = super::write::point(spot(n, 11) * sheet.width, spot(n, 12) * sheet.height);
        let (dx, dy) = ((spot(n, 13) - 0.5) * 26.0, (spot(n, 14) - 0.5) * 12.0);
        fibres
            .move_to(start)
            .curve_to(start.plus(dx * 0.5 + dy * 0.4, dy * 0.5 - dx * 0.2), start.plus(dx, dy));
    }
    out += &format!(
        "<path fill=\"none\" stroke=\"{}\" stroke-opacity=\".09\" stroke-width=\"{}\" d=\"{}\"/>\n",
        p.ink.hex(),
        number(0.8 * sheet.size),
        fibres.data()
    );
    // Within the window the paper is even, because the fading rim of the known land has its colour.
    out += &format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
        number(sheet.left),
        number(sheet.top),
        number(sheet.inner_width),
        number(sheet.inner_height),
        p.paper.hex()
    );
    out
}

/// The frame: a shadow inwards, a line, a chequered band, a heavy line, a hair line.
fn border_lines(drawing: &Drawing<'_>, sheet: &Sheet) -> String {
    let (id, ink, panel) = (&drawing.id, drawing.palette.ink.hex(), drawing.palette.panel.hex());
    let s = sheet.size;
    let rect = |grow: f64| {
        format!(
            "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            number(sheet.left - grow),
            number(sheet.top - grow),
            number(sheet.inner_width + 2.0 * grow),
            number(sheet.inner_height + 2.0 * grow)
        )
    };
    let mut out = format!(
        "<g data-layer=\"frame\" fill=\"none\" stroke=\"{ink}\"><rect {} fill=\"url(#{id}-dim)\" stroke=\"none\"/>",
        rect(0.0)
    );
    // The band: paper, then ink in every second stretch.
    let band = 4.6 * s;
    let middle = 3.2 * s + band / 2.0;
    out += &format!(
        "<rect {} stroke=\"{panel}\" stroke-width=\"{}\"/>",
        rect(middle),
        number(band)
    );
    let stretch = |length: f64| {
        let count = (length / (44.0 * s)).round().max(1.0) * 2.0 - 1.0;
        length / count
    };
    let (across, down) = (stretch(sheet.inner_width), stretch(sheet.inner_height));
    let (x, y) = (sheet.left, sheet.top);
    let (right, bottom) = (x + sheet.inner_width, y + sheet.inner_height);
    out += &format!(
        "<path stroke-width=\"{}\" stroke-dasharray=\"{} {}\" d=\"M{} {}H{}M{} {}H{}\"/>",
        number(band),
        number(across),
        number(across),
        number(x),
        number(y - middle),
        number(right),
        number(x),
        number(bottom + middle),
        number(right)
    );
    out += &format!(
        "<path stroke-width=\"{}\" stroke-dasharray=\"{} {}\" d=\"M{} {}V{}M{} {}V{}\"/>",
        number(band),
        number(down),
        number(down),
        number(x - middle),
        number(y),
        number(bottom),
        number(right + middle),
        number(y),
        number(bottom)
    );
    for (grow, width) in [(0.0, 1.2), (3.2, 0.7), (7.8, 0.7), (11.0, 2.2), (14.0, 0.7)] {
        out += &format!("<rect {} stroke-width=\"{}\"/>", rect(grow * s), number(width * s));
    }
    // Ornaments in the corners of the window.
    let k = 0.62 * s;
    for (cx, cy, fx, fy) in [
        (x, y, 1.0, 1.0),
        (right, y, -1.0, 1.0),
        (x, bottom, 1.0, -1.0),
        (right, bottom, -1.0, -1.0),
    ] {
        out += &format!(
            "<path transform=\"translate({}) scale({:.3} {:.3})\" stroke-width=\"1.5\" stroke-linecap=\"round\" d=\"{CORNER}\"/>",
            pair(cx, cy),
            k * fx,
            k * fy
        );
    }
    out + "</g>\n"
}

/// A ribbon with the title.
fn banner(drawing: &Drawing<'_>, sheet: &Sheet) -> String {
    let s = sheet.size;
    let p = drawing.palette;
    let (title, subtitle) = super::heading(drawing.scene);
    let mut title = shortened(&title, 60);
    let mut subtitle = shortened(&subtitle, 90);
    if title.is_empty() {
        title = std::mem::take(&mut subtitle);
    }
    let most = sheet.inner_width - 110.0 * s;
    let mut title_size = 31.0 * s;
    let mut subtitle_size = 16.5 * s;
    // Small capitals run wider than the estimate; too long a title is set smaller rather than cut.
    let wide = |text: &str, size: f64| text_width(text, size) * 1.16;
    if wide(&title, title_size) > most {
        title_size *= most / wide(&title, title_size);
    }
    if text_width(&subtitle, subtitle_size) > most {
        subtitle_size *= most / text_width(&subtitle, subtitle_size);
    }
    let width = (wide(&title, title_size).max(text_width(&subtitle, subtitle_size)) + 96.0 * s).max(300.0 * s);
    let (cx, top) = (sheet.width / 2.0, 22.0 * s);
    let height = 72.0 * s;
    let half = width / 2.0;
    let (ink, panel, shade) = (p.ink.hex(), p.panel.hex(), p.panel.mixed(p.aged, 60).hex());
    let mut out = format!(
        "<g data-layer=\"title\" transform=\"translate({})\" stroke=\"{ink}\" stroke-linejoin=\"round\" text-anchor=\"middle\">",
        pair(cx, top)
    );
    for side in [-1.0, 1.0] {
        let x = |v: f64| number(side * v);
        // The tail behind, then the fold.
        out += &format!(
            "<path fill=\"{panel}\" stroke-width=\"{line}\" d=\"M{} {}L{} {}L{} {}L{} {}L{} {}z\"/><path fill=\"{shade}\" stroke-width=\"{line}\" d=\"M{} {}L{} {}L{} {}z\"/>",
            x(half - 22.0 * s),
            number(16.0 * s),
            x(half + 34.0 * s),
            number(13.0 * s),
            x(half + 20.0 * s),
            number(13.0 * s + height * 0.42),
            x(half + 34.0 * s),
            number(13.0 * s + height * 0.84),
            x(half - 22.0 * s),
            number(16.0 * s + height * 0.84),
            x(half - 22.0 * s),
            number(height - 3.0 * s),
            x(half),
            number(height - 3.0 * s),
            x(half - 22.0 * s),
            number(16.0 * s + height * 0.84),
            line = number(1.3 * s),
        );
    }
    let sag = 7.0 * s;
    let body = |inset: f64| {
        format!(
            "M{} {}q{} {} {} 0v{}q{} {} {} 0z",
            number(-half + inset),
            number(inset),
            number(half - inset),
            number(-sag),
            number(2.0 * (half - inset)),
            number(height - 3.0 * s - 2.0 * inset),
            number(-(half - inset)),
            number(-sag),
            number(-2.0 * (half - inset)),
        )
    };
    out += &format!(
        "<path fill=\"{panel}\" stroke-width=\"{}\" d=\"{}\"/><path fill=\"none\" stroke-width=\"{}\" stroke-opacity=\".6\" d=\"{}\"/>",
        number(1.6 * s),
        body(0.0),
        number(0.7 * s),
        body(4.0 * s)
    );
    let title_y = if subtitle.is_empty() { 42.0 } else { 33.0 } * s;
    out += &format!(
        "<g stroke=\"none\" fill=\"{ink}\"><text y=\"{}\" font-family=\"{SMALL_CAPS}\" font-size=\"{}\" letter-spacing=\".04em\">{}</text>",
        number(title_y),
        number(title_size),
        escaped(&title)
    );
    if !subtitle.is_empty() {
        out += &format!(
            "<text y=\"{}\" font-family=\"{FELL}\" font-style=\"italic\" font-size=\"{}\">{}</text>",
            number(55.0 * s),
            number(subtitle_size),
            escaped(&subtitle)
        );
    }
    for side in [-1.0, 1.0] {
        out += &format!(
            "<path transform=\"translate({}) scale({:.3} {:.3})\" d=\"{FLEURON}\"/>",
            pair(0.0, -11.0 * s),
            side * 0.5 * s,
            0.5 * s
        );
    }
    out + "</g></g>\n"
}

/// Finds room for ornaments on the empty parts of the window.
struct Room {
    columns: usize,
    rows: usize,
    cell: f64,
    busy: Vec<bool>,
}

impl Room {
    fn new(drawing: &Drawing<'_>, sheet: &Sheet) -> Self {
        let cell = (sheet.inner_width.max(sheet.inner_height) / 150.0).max(4.0);
        let columns = (sheet.inner_width / cell).floor().max(1.0) as usize;
        let rows = (sheet.inner_height / cell).floor().max(1.0) as usize;
        let mut room = Self {
            columns,
            rows,
            cell,
            busy: vec![false; columns * rows],
        };
        let scale = drawing.field_width / 52.0;
        let e = drawing.extent;
        for field in &drawing.atlas.fields {
            let c = drawing.atlas.centre(field.at);
            let x = sheet.land.0 - sheet.left + (c.x - e[0]) * scale;
            let y = sheet.land.1 - sheet.top + (c.y - e[1]) * scale;
            let r = 24.0 * scale;
            room.occupy(x - r, y - r, x + r, y + r);
        }
        room
    }

    fn occupy(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) {
        let column = |v: f64| ((v / self.cell).floor().max(0.0) as usize).min(self.columns - 1);
        let row = |v: f64| ((v / self.cell).floor().max(0.0) as usize).min(self.rows - 1);
        for r in row(y0)..=row(y1) {
            for c in column(x0)..=column(x1) {
                if let Some(busy) = self.busy.get_mut(r * self.columns + c) {
                    *busy = true;
                }
            }
        }
    }

    /// The free rectangle nearest to a corner (0 or 1 for each axis); it is taken at once.
    fn take(&mut self, width: f64, height: f64, corner: (f64, f64)) -> Option<(f64, f64)> {
        let (w, h) = (
            (width / self.cell).ceil() as usize,
            (height / self.cell).ceil() as usize,
        );
        if w == 0 || h == 0 || w > self.columns || h > self.rows {
            return None;
        }
        // How many cells are busy above and left of each corner.
        let stride = self.columns + 1;
        let mut sum = vec![0u32; stride * (self.rows + 1)];
        let at = |sum: &[u32], r: usize, c: usize| sum.get(r * stride + c).copied().unwrap_or(0);
        for r in 0..self.rows {
            for c in 0..self.columns {
                let busy = u32::from(self.busy.get(r * self.columns + c) == Some(&true));
                let value = busy + at(&sum, r, c + 1) + at(&sum, r + 1, c) - at(&sum, r, c);
                if let Some(cell) = sum.get_mut((r + 1) * stride + c + 1) {
                    *cell = value;
                }
            }
        }
        let mut best: Option<(u64, usize, usize)> = None;
        for r in 0..=(self.rows - h) {
            for c in 0..=(self.columns - w) {
                let busy = at(&sum, r + h, c + w) + at(&sum, r, c) - at(&sum, r, c + w) - at(&sum, r + h, c);
                if busy > 0 {
                    continue;
                }
                let dx = c as f64 - corner.0 * (self.columns - w) as f64;
                let dy = r as f64 - corner.1 * (self.rows - h) as f64;
                let far = (dx * dx + dy * dy) as u64;
                if best.is_none_or(|(least, _, _)| far < least) {
                    best = Some((far, r, c));
                }
            }
        }
        let (_, r, c) = best?;
        let (x, y) = (c as f64 * self.cell, r as f64 * self.cell);
        self.occupy(x, y, x + width - 0.1, y + height - 0.1);
        Some((x, y))
    }
}

/// Rose, ship and serpent on the empty paper of a live map, in its units.
pub(super) fn live_ornaments(drawing: &Drawing<'_>, window: [f64; 4]) -> String {
    let (width, height) = (window[2] - window[0], window[3] - window[1]);
    let sheet = Sheet {
        size: (width / 1400.0).clamp(0.8, 5.0),
        width,
        height,
        left: window[0],
        top: window[1],
        inner_width: width,
        inner_height: height,
        land: (drawing.extent[0], drawing.extent[1]),
    };
    place_ornaments(drawing, &sheet, false)
}

fn place_ornaments(drawing: &Drawing<'_>, sheet: &Sheet, has_scale: bool) -> String {
    let s = sheet.size;
    let mut room = Room::new(drawing, sheet);
    let (ink, sea) = (drawing.palette.ink.hex(), drawing.palette.sea_ink.hex());
    let mut out = String::from("<g data-layer=\"ornaments\">");
    if drawing.live {
        // A page lays its own things over the map: buttons at the top on the left, the scale at the bottom on the right.
        let (width, height) = (sheet.inner_width, sheet.inner_height);
        room.occupy(0.0, 0.0, width * 0.11, height * 0.34);
        room.occupy(width * 0.7, height * 0.88, width, height);
    }
    if has_scale {
        out += &scale_bar(drawing, sheet, &mut room);
    }
    let corners = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)];
    let free = [150.0 * s, 126.0 * s].into_iter().find_map(|size| {
        corners
            .into_iter()
            .find_map(|corner| room.take(size, size, corner))
            .map(|(x, y)| (x, y, size))
    });
    // Without room on the map the rose stands beside the banner, smaller.
    let (centre, k) = match free {
        Some((x, y, size)) => ((sheet.left + x + size / 2.0, sheet.top + y + size / 2.0), size / 152.0),
        None => ((sheet.left + 42.0 * s, sheet.top - 62.0 * s), 0.56 * s),
    };
    if free.is_some() || (!drawing.live && sheet.top > 90.0 * s) {
        out += &format!(
            "<g transform=\"translate({}) scale({k:.3})\">{}",
            pair(centre.0, centre.1),
            rose(drawing.palette)
        );
        out += &format!("<g font-family=\"{SMALL_CAPS}\" font-size=\"13\" fill=\"{ink}\" text-anchor=\"middle\">");
        for (key, x, y) in [("east", 54.0, 4.5), ("south", 0.0, 59.5), ("west", -54.0, 4.5)] {
            out += &format!(
                "<text x=\"{}\" y=\"{}\">{}</text>",
                number(x),
                number(y),
                escaped(drawing.words.get(key))
            );
        }
        out += &format!(
            "<text x=\"12\" y=\"-47\">{}</text></g></g>",
            escaped(drawing.words.get("north"))
        );
    }
    if drawing.scene.complete {
        // Where all is known there is neither unexplored land nor a voyage to it.
        return out + "</g>\n";
    }
    let beast = [1.0, 0.72].into_iter().find_map(|k| {
        room.take(230.0 * s * k, 118.0 * s * k, (1.0, 1.0))
            .map(|(x, y)| (x, y, k * s))
    });
    if let Some((x, y, k)) = beast.filter(|_| drawing.layers.names) {
        out += &format!(
            "<g transform=\"translate({}) scale({k:.3})\"><text x=\"115\" y=\"34\" text-anchor=\"middle\" font-family=\"{FELL}\" font-style=\"italic\" font-size=\"20\" fill=\"{ink}\" fill-opacity=\".85\">{}</text><path transform=\"translate(32 48)\" fill=\"none\" stroke=\"{ink}\" stroke-opacity=\".75\" stroke-width=\"1.5\" stroke-linecap=\"round\" d=\"{SERPENT}\"/></g>",
            pair(sheet.left + x, sheet.top + y),
            escaped(drawing.words.get("unknown_land"))
        );
    }
    if let Some((x, y)) = room.take(128.0 * s, 100.0 * s, (0.0, 0.0)) {
        out += &format!(
            "<g transform=\"translate({}) scale({:.3})\" fill=\"none\" stroke=\"{sea}\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\"><path fill=\"{}\" d=\"{}\"/><path d=\"{}\"/></g>",
            pair(sheet.left + x + 20.0 * s, sheet.top + y + 18.0 * s),
            1.1 * s,
            drawing.palette.panel.hex(),
            SHIP.0,
            SHIP.1
        );
    }
    out + "</g>\n"
}

/// The scale, on free paper if there is some and on a little label if not.
fn scale_bar(drawing: &Drawing<'_>, sheet: &Sheet, room: &mut Room) -> String {
    let Some(scale) = &drawing.scene.scale else {
        return String::new();
    };
    let s = sheet.size;
    // As short as it can be in whole fields and whole units, then longer in round steps until it can be read.
    let common = common_divisor(u32::from(scale.fields.max(1)), scale.length.max(1));
    let (fields, length) = (u32::from(scale.fields.max(1)) / common, scale.length / common);
    let one = f64::from(fields) * drawing.field_width;
    let times = [1u32, 2, 5, 10, 20, 50, 100]
        .into_iter()
        .find(|&n| f64::from(n) * one >= 110.0 * s)
        .unwrap_or(100);
    let total = one * f64::from(times);
    let (w, h) = (total + 44.0 * s, 52.0 * s);
    let place = room.take(w, h, (0.18, 1.0)).or_else(|| room.take(w, h, (1.0, 0.0)));
    let (x, y) = match place {
        Some((x, y)) => (sheet.left + x, sheet.top + y),
        None => {
            let x = sheet.inner_width - w - 10.0 * s;
            let y = sheet.inner_height - h - 10.0 * s;
            room.occupy(x, y, x + w, y + h);
            (sheet.left + x, sheet.top + y)
        }
    };
    let (ink, panel) = (drawing.palette.ink.hex(), drawing.palette.panel.hex());
    let mut out = format!("<g transform=\"translate({})\">", pair(x, y));
    if place.is_none() {
        out += &format!(
            "<rect width=\"{}\" height=\"{}\" fill=\"{panel}\" fill-opacity=\".88\" stroke=\"{ink}\" stroke-width=\"{}\"/>",
            number(w),
            number(h),
            number(s)
        );
    }
    let values = [
        ("fields", (fields * times).to_string()),
        ("length", drawing.words.grouped(u64::from(length) * u64::from(times))),
        ("unit", shortened(&scale.unit, 12)),
    ];
    let values: Vec<(&str, &str)> = values.iter().map(|(k, v)| (*k, v.as_str())).collect();
    let key = if fields * times == 1 {
        "scale_field"
    } else {
        "scale_fields"
    };
    out += &format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-family=\"{FELL}\" font-style=\"italic\" font-size=\"{}\" fill=\"{ink}\">{}</text>",
        number(w / 2.0),
        number(21.0 * s),
        number(15.0 * s),
        escaped(&drawing.words.with(key, &values))
    );
    let parts = 4;
    let part = total / f64::from(parts);
    let left = 22.0 * s;
    out += &format!(
        "<g stroke=\"{ink}\" stroke-width=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{panel}\"/>",
        number(1.1 * s),
        number(left),
        number(30.0 * s),
        number(total),
        number(5.0 * s)
    );
    for n in (0..parts).step_by(2) {
        out += &format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{ink}\"/>",
            number(left + f64::from(n) * part),
            number(30.0 * s),
            number(part),
            number(5.0 * s)
        );
    }
    out + "</g></g>"
}

fn common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// Text in the sheet's plain face, used by the key.
pub(super) fn sans() -> &'static str {
    SANS
}
