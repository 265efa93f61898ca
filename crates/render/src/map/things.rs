//! What stands, moves and is written on the land: places, armies, routes, marks, names, coordinates.

use std::collections::BTreeMap;

use kernel::map::{Condition, Flag, Mark, Place, Spot, Symbol};

use super::atlas::on_lattice;
use super::symbols::{FlagLook, condition_drawing, flag, flag_width, pennant, symbol_drawing, symbol_id};
use super::write::{Path, Point, escaped, number, point, shortened};
use super::{Detail, Drawing};

/// More flags than this on one field are counted, not drawn.
const FLAGS_SHOWN: usize = 3;
/// Names longer than this are cut.
const NAME_LENGTH: usize = 30;

/// Rectangles already written on, found again by the cell of 60 units they touch.
#[derive(Default)]
pub(super) struct Taken {
    cells: BTreeMap<(i32, i32), Vec<[f64; 4]>>,
}

impl Taken {
    fn cells_of(r: [f64; 4]) -> impl Iterator<Item = (i32, i32)> {
        let cell = |v: f64| (v / 60.0).floor() as i32;
        let (x0, x1) = (cell(r[0]), cell(r[2]));
        (cell(r[1])..=cell(r[3])).flat_map(move |y| (x0..=x1).map(move |x| (x, y)))
    }

    fn is_free(&self, r: [f64; 4]) -> bool {
        Self::cells_of(r).all(|cell| {
            self.cells.get(&cell).is_none_or(|list| {
                list.iter()
                    .all(|o| r[2] <= o[0] || o[2] <= r[0] || r[3] <= o[1] || o[3] <= r[1])
            })
        })
    }

    fn take(&mut self, r: [f64; 4]) {
        for cell in Self::cells_of(r) {
            self.cells.entry(cell).or_default().push(r);
        }
    }
}

impl Drawing<'_> {
    /// Coordinates in the game's own notation at the upper rim of the field: all on large fields, every fourth on small.
    pub(super) fn coordinates(&mut self) {
        if self.field_width < 40.0 {
            return;
        }
        let all = self.field_width >= 62.0;
        let (ink, halo) = (self.palette.ink.hex(), self.palette.halo.hex());
        let size = self.at_least(7.2, 7.0);
        self.out += &format!(
            "<g data-layer=\"coordinates\" aria-hidden=\"true\" font-family=\"{}\" font-size=\"{size}\" fill=\"{ink}\" fill-opacity=\".72\" text-anchor=\"middle\" paint-order=\"stroke\" stroke=\"{halo}\" stroke-width=\"1.6\" stroke-opacity=\".5\">",
            super::SANS
        );
        for field in &self.atlas.fields {
            let Spot { d, y } = field.at;
            if field.label.is_empty() || !(all || (y % 2 == 0 && d % 4 == 0)) {
                continue;
            }
            let c = self.atlas.centre(field.at);
            self.out += &format!(
                "<text x=\"{}\" y=\"{}\">{}</text>",
                number(c.x),
                number(c.y - 18.5),
                escaped(&shortened(&field.label, 12))
            );
        }
        self.out += "</g>\n";
    }

    /// Blessed fields carry a small sun, plundered ones their yield.
    pub(super) fn yields(&mut self) {
        if self.detail != Detail::Near {
            return;
        }
        let ink = self.palette.ink.hex();
        let mut suns = Path::fine();
        let mut texts = String::new();
        for field in &self.atlas.fields {
            let c = self.atlas.centre(field.at);
            if field.blessed {
                let middle = c.plus(-15.0, 15.5);
                for ray in 0..8 {
                    let angle = f64::from(ray) * std::f64::consts::FRAC_PI_4;
                    let (dx, dy) = (angle.sin(), angle.cos());
                    suns.move_to(middle.plus(dx * 1.4, dy * 1.4))
                        .line_to(middle.plus(dx * 4.0, dy * 4.0));
                }
            }
            if let Some(percent) = field.yield_percent.filter(|&p| p != 100)
                && self.field_width >= 44.0
            {
                texts += &format!(
                    "<text x=\"{}\" y=\"{}\">{percent} %</text>",
                    number(c.x),
                    number(c.y + 24.5)
                );
            }
        }
        if !suns.is_empty() {
            self.out += &format!(
                "<path data-layer=\"blessings\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.1\" stroke-linecap=\"round\" d=\"{}\"/>\n",
                suns.data()
            );
        }
        if !texts.is_empty() {
            self.out += &format!(
                "<g data-layer=\"yields\" font-family=\"{}\" font-size=\"7.4\" fill=\"{}\" text-anchor=\"middle\" paint-order=\"stroke\" stroke=\"{}\" stroke-width=\"1.8\">{texts}</g>\n",
                super::SANS,
                self.palette.red.hex(),
                self.palette.halo.hex()
            );
        }
    }

    /// Buildings and other places, without their names.
    pub(super) fn places(&mut self) {
        if self.known_places.is_empty() {
            return;
        }
        let mut used: Vec<(&str, String)> = Vec::new();
        let mut body = String::new();
        let size = match self.detail {
            Detail::Near => 1.0,
            Detail::Far => 1.65,
            Detail::Tiny => 0.0,
        };
        let known = std::mem::take(&mut self.known_places);
        for place in &known {
            let c = self.atlas.centre(place.at);
            let ink = self.owner_ink(place.owner);
            if self.detail == Detail::Tiny {
                let r = number(if place.symbol == Symbol::Capital { 4.0 } else { 2.2 } * self.unit);
                body += &format!(
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{r}\" fill=\"{ink}\"/>",
                    number(c.x),
                    number(c.y)
                );
                continue;
            }
            let id = symbol_id(place.symbol, place.condition);
            if !used.iter().any(|(other, _)| *other == id) {
                used.push((id, symbol_drawing(place.symbol, place.condition, self.palette)));
            }
            body += &self.place(place, c, size, id, &ink);
            self.taken.take([
                c.x - 14.0 * size,
                c.y - 18.0 * size,
                c.x + 14.0 * size,
                c.y + 10.0 * size,
            ]);
        }
        self.known_places = known;
        for (id, drawing) in used {
            let definition = format!("<g id=\"{}-b-{id}\">{drawing}</g>\n", self.id);
            // A live map draws its places once near and once far, from the same symbols.
            if !self.definitions.contains(&definition) {
                self.definitions += &definition;
            }
        }
        self.out += &format!(
            "<g data-layer=\"places\" stroke=\"{}\">{body}</g>\n",
            if self.detail == Detail::Tiny {
                self.palette.halo.hex()
            } else {
                "none".to_owned()
            }
        );
    }

    fn place(&self, place: &Place, c: Point, size: f64, id: &str, ink: &str) -> String {
        let wash = self
            .atlas
            .find(place.at)
            .map(|i| self.palette.wash(self.atlas.style(i)))
            .unwrap_or_default();
        let mut out = format!("<g transform=\"translate({} {})", number(c.x), number(c.y + 9.0 * size));
        if size != 1.0 {
            out += &format!("scale({size})");
        }
        out += "\">";
        let title = self.place_title(place);
        // A live map tells by its own means what lies under the pointer.
        if !title.is_empty() && self.detail == Detail::Near && !self.live {
            out += &format!("<title>{}</title>", escaped(&title));
        }
        // A clearing, so that trees do not grow through the walls.
        out +=
            &format!("<path fill=\"{wash}\" fill-opacity=\".8\" d=\"M-18-3q2-19 18-20q16 1 18 20q-6 7-18 7t-18-7z\"/>");
        let faded = if place.condition == Condition::Building {
            " opacity=\".55\""
        } else {
            ""
        };
        out += &format!("<use href=\"#{}-b-{id}\"{faded}/>", self.id);
        if let Some((x, y)) = pennant(place.symbol, place.condition)
            && place.owner.is_some()
        {
            out += &format!(
                "<path fill=\"{ink}\" stroke=\"{}\" stroke-width=\".7\" stroke-linejoin=\"round\" d=\"M{} {}l8 2.2l-8 2.6z\"/>",
                self.palette.ink.hex(),
                number(x),
                number(y)
            );
        }
        out += &condition_drawing(place.condition, self.palette);
        out + "</g>"
    }

    fn place_title(&self, place: &Place) -> String {
        let kind = self.words.building(&self.scene.game, &place.kind);
        match (kind.is_empty(), place.name.is_empty()) {
            (_, true) => kind,
            (true, false) => place.name.clone(),
            (false, false) => format!("{} ({kind})", place.name),
        }
    }

    /// Names of places, the capitals' first; each takes the first free spot below, above or beside its place.
    pub(super) fn names(&mut self) {
        if self.detail == Detail::Tiny {
            return;
        }
        let mut order: Vec<usize> = (0..self.known_places.len()).collect();
        order.sort_by_key(|&n| {
            self.known_places
                .get(n)
                .map_or(u8::MAX, |p| u8::from(p.symbol != Symbol::Capital))
        });
        let mut capitals = String::new();
        let mut others = String::new();
        let capital_size = self.at_least(16.5, 11.0);
        let other_size = self.at_least(13.0, 9.5);
        for n in order {
            let Some(place) = self.known_places.get(n) else {
                continue;
            };
            let capital = place.symbol == Symbol::Capital;
            if place.name.is_empty() || (self.detail == Detail::Far && !capital) {
                continue;
            }
            let name = shortened(&place.name, NAME_LENGTH);
            let size = if capital { capital_size } else { other_size };
            let c = self.atlas.centre(place.at);
            if let Some(p) = self.free_place_for(&name, size, c, capital) {
                let text = format!(
                    "<text x=\"{}\" y=\"{}\">{}</text>",
                    number(p.x),
                    number(p.y),
                    escaped(&name)
                );
                if capital {
                    capitals += &text;
                } else {
                    others += &text;
                }
            }
        }
        let (ink, halo) = (self.palette.ink.hex(), self.palette.halo.hex());
        self.out += &format!(
            "<g data-layer=\"names\" fill=\"{ink}\" text-anchor=\"middle\" paint-order=\"stroke\" stroke=\"{halo}\" stroke-linejoin=\"round\">"
        );
        if !others.is_empty() {
            self.out += &format!(
                "<g font-family=\"{}\" font-style=\"italic\" font-size=\"{other_size}\" stroke-width=\"{}\">{others}</g>",
                super::FELL,
                number(other_size * 0.25)
            );
        }
        if !capitals.is_empty() {
            self.out += &format!(
                "<g font-family=\"{}\" font-size=\"{capital_size}\" letter-spacing=\".04em\" stroke-width=\"{}\">{capitals}</g>",
                super::SMALL_CAPS,
                number(capital_size * 0.25)
            );
        }
        self.out += "</g>\n";
    }

    /// The baseline's middle for a name near a place; a capital's name is written even where it is crowded.
    fn free_place_for(&mut self, name: &str, size: f64, c: Point, must: bool) -> Option<Point> {
        let width = super::frame::text_width(name, size);
        let half = width / 2.0;
        let drop = if self.detail == Detail::Near { 10.0 } else { 16.0 };
        let candidates = [
            c.plus(0.0, drop + size * 0.95),
            c.plus(0.0, -drop - 9.5),
            c.plus(half + 17.0, 4.0),
            c.plus(-half - 17.0, 4.0),
            c.plus(half * 0.6 + 8.0, drop + size * 1.1),
            c.plus(-half * 0.6 - 8.0, drop + size * 1.1),
        ];
        let area = |p: Point| [p.x - half, p.y - size * 0.72, p.x + half, p.y + size * 0.22];
        let free = candidates
            .into_iter()
            .find(|&p| self.taken.is_free(area(p)) && self.is_inside(area(p)));
        let chosen = free.or(must.then_some(candidates[0]))?;
        self.taken.take(area(chosen));
        Some(chosen)
    }

    fn is_inside(&self, r: [f64; 4]) -> bool {
        let e = self.extent;
        r[0] >= e[0] && r[1] >= e[1] && r[2] <= e[2] && r[3] <= e[3]
    }

    /// Names of regions in wide letters.
    pub(super) fn regions(&mut self) {
        let (ink, sea, halo) = (
            self.palette.ink.hex(),
            self.palette.sea_ink.hex(),
            self.palette.halo.hex(),
        );
        let mut body = String::new();
        for region in &self.scene.regions {
            if self.atlas.find(region.at).is_none() {
                continue;
            }
            let c = self.atlas.centre(region.at);
            let lean = (super::write::tremble(c.x as i64, c.y as i64, 31) - 0.5) * 16.0;
            let (colour, look) = if region.water {
                (
                    &sea,
                    format!(
                        "font-family=\"{}\" font-style=\"italic\" letter-spacing=\".24em\"",
                        super::FELL
                    ),
                )
            } else {
                (
                    &ink,
                    format!("font-family=\"{}\" letter-spacing=\".3em\"", super::SMALL_CAPS),
                )
            };
            let size = self.at_least(if region.water { 19.0 } else { 15.0 }, 11.0);
            body += &format!(
                "<text x=\"{x}\" y=\"{y}\" transform=\"rotate({} {x} {y})\" fill=\"{colour}\" font-size=\"{size}\" {look}>{}</text>",
                number(lean),
                escaped(&shortened(&region.text, 40)),
                x = number(c.x),
                y = number(c.y + 5.0),
            );
        }
        if !body.is_empty() {
            self.out += &format!(
                "<g data-layer=\"regions\" text-anchor=\"middle\" paint-order=\"stroke\" stroke=\"{halo}\" stroke-width=\"3\" stroke-opacity=\".65\" stroke-linejoin=\"round\">{body}</g>\n"
            );
        }
    }

    /// Armies: flags with their labels where there is room, small pennants on smaller maps.
    pub(super) fn armies(&mut self) {
        let mut by_field: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (n, army) in self.scene.armies.iter().enumerate() {
            if let Some(index) = self.atlas.find(army.at) {
                by_field.entry(index).or_default().push(n);
            }
        }
        if by_field.is_empty() {
            return;
        }
        let mut body = String::new();
        for (index, list) in by_field {
            if self.shows_labels() {
                self.flags(&mut body, index, &list);
            } else {
                self.pennants(&mut body, index, &list);
            }
        }
        self.out += &format!(
            "<g data-layer=\"armies\" font-family=\"{}\" font-weight=\"700\" font-size=\"9.4\" text-anchor=\"middle\" stroke-width=\".9\">{body}</g>\n",
            super::SANS
        );
    }

    fn shows_labels(&self) -> bool {
        self.field_width >= 44.0
    }

    fn has_place(&self, spot: Spot) -> bool {
        self.place_spots.contains(&spot)
    }

    fn flags(&mut self, body: &mut String, index: usize, list: &[usize]) {
        let spot = self.atlas.spot(index);
        let shown = list.len().min(FLAGS_SHOWN);
        let c = self.atlas.centre(spot);
        let beside = self.has_place(spot);
        let ink = self.palette.ink.hex();
        let field = format!("translate({} {})", number(c.x), number(c.y));
        *body += &format!("<g transform=\"{field}\">");
        for (row, army) in list
            .iter()
            .take(shown)
            .filter_map(|&n| self.scene.armies.get(n))
            .enumerate()
        {
            let mut label = shortened(self.words.unit(&self.scene.game, &army.label), 10);
            if army.flag == Flag::Unassigned && !label.starts_with('?') {
                label.insert_str(0, "? ");
            }
            let look = self.flag_look(army.owner, army.flag);
            let label = escaped(&label);
            let width = flag_width(&label);
            let row = row as f64;
            let spread = (shown - 1) as f64;
            let (x, y) = if beside {
                (9.0 + row * 4.0, -6.0 + row * 15.0)
            } else {
                (
                    -width / 2.0 - spread * 2.0 + row * 5.0,
                    5.0 + (row - spread / 2.0) * 16.0,
                )
            };
            let count = army.count.map(|n| self.words.grouped(n));
            if !self.live {
                *body += &format!(
                    "<g><title>{label}{}</title>",
                    count.as_ref().map(|n| format!(": {n}")).unwrap_or_default()
                );
            }
            flag(body, x, y, width, &FlagLook { label: &label, ..look }, &ink);
            if !self.live {
                *body += "</g>";
            }
            self.taken
                .take([c.x + x, c.y + y - 15.0, c.x + x + width, c.y + y + 2.0]);
        }
        if list.len() > shown {
            let (x, y) = if beside { (-15.0, 19.0) } else { (14.0, 22.0) };
            *body += &format!(
                "<g><circle cx=\"{x}\" cy=\"{}\" r=\"8\" fill=\"{}\" stroke=\"{ink}\"/><text x=\"{x}\" y=\"{y}\" font-size=\"7.6\" fill=\"{ink}\">+{}</text></g>",
                number(y - 2.6),
                self.palette.halo.hex(),
                list.len() - shown
            );
        }
        *body += "</g>";
    }

    fn flag_look(&self, owner: Option<u16>, style: Flag) -> FlagLook<'static> {
        let (ink, halo) = (self.palette.ink.hex(), self.palette.halo.hex());
        let realm = self.owner_ink(owner);
        let paper_like = style == Flag::Unassigned || owner.is_none();
        let hidden = style == Flag::OwnUnseen;
        FlagLook {
            label: "",
            fill: if paper_like || hidden { halo } else { realm.clone() },
            stroke: if hidden { realm.clone() } else { ink.clone() },
            text: match (hidden, paper_like) {
                (true, _) => realm,
                (_, true) => ink,
                _ => self.palette.flag_text.hex(),
            },
            dashed: hidden,
            opacity: if style == Flag::Earlier { ".6" } else { "1" },
            size: 1.0,
        }
    }

    /// One pennant for each owner and kind of flag on the field.
    fn pennants(&mut self, body: &mut String, index: usize, list: &[usize]) {
        let mut kinds: Vec<(Option<u16>, Flag)> = list
            .iter()
            .filter_map(|&n| self.scene.armies.get(n))
            .map(|army| (army.owner, army.flag))
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        let c = self.atlas.centre(self.atlas.spot(index));
        let s = (self.unit * 0.85).max(0.9);
        // On a tiny map nobody's armies are dots, so that the realms' flags stand out.
        if self.detail == Detail::Tiny && kinds.iter().all(|(owner, _)| owner.is_none()) {
            *body += &format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" fill-opacity=\".6\"/>",
                number(c.x),
                number(c.y),
                number(self.unit * 1.3),
                self.palette.ink.hex()
            );
            return;
        }
        for (n, (owner, style)) in kinds.into_iter().take(FLAGS_SHOWN).enumerate() {
            let look = self.flag_look(owner, style);
            let dash = if look.dashed { " stroke-dasharray=\"2 1.5\"" } else { "" };
            let opacity = if look.opacity == "1" {
                String::new()
            } else {
                format!(" opacity=\"{}\"", look.opacity)
            };
            *body += &format!(
                "<path transform=\"translate({} {})scale({s:.2})\" fill=\"{}\" stroke=\"{}\"{dash}{opacity} stroke-width=\"1.2\" stroke-linejoin=\"round\" d=\"M0 7V-9l13 4.5l-13 4.5\"/>",
                number(c.x - 4.0 * s + n as f64 * 6.0 * s),
                number(c.y - 2.0 + n as f64 * 3.0 * s),
                look.fill,
                look.stroke
            );
        }
    }

    /// Paths as dotted lines with an arrow head.
    pub(super) fn routes(&mut self) {
        let mut body = String::new();
        for route in &self.scene.routes {
            let points: Vec<Point> = route
                .spots
                .iter()
                .filter(|&&spot| on_lattice(spot))
                .map(|&spot| self.waypoint(spot))
                .collect();
            let [first, .., last] = points.as_slice() else {
                continue;
            };
            let mut path = Path::fine();
            path.move_to(*first);
            // Through the middles of the steps, bending at each field.
            for pair in points.windows(3) {
                if let [_, b, c] = pair {
                    path.curve_to(*b, b.towards(*c, 0.5));
                }
            }
            path.line_to(*last);
            let colour = match route.owner {
                Some(_) => self.owner_ink(route.owner),
                None => self.palette.red.hex(),
            };
            let from = points.iter().rev().nth(1).copied().unwrap_or(*first);
            body += &format!(
                "<path stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\".85\" d=\"{data}\"/><path stroke=\"{colour}\" stroke-width=\"{}\" stroke-dasharray=\".1 {}\" d=\"{data}\"/><path fill=\"{colour}\" stroke=\"none\" d=\"{}\"/>",
                self.palette.halo.hex(),
                self.line(7.0, 10.0),
                self.line(3.2, 6.0),
                self.line(6.0, 11.0),
                arrow_head(from, *last, self.line(9.0, 20.0)),
                data = path.data(),
            );
        }
        if !body.is_empty() {
            self.out += &format!(
                "<g data-layer=\"routes\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">{body}</g>\n"
            );
        }
    }

    /// Marked fields.
    pub(super) fn highlights(&mut self) {
        let mut body = String::new();
        for highlight in &self.scene.highlights {
            if self.atlas.find(highlight.at).is_none() {
                continue;
            }
            let c = self.atlas.centre(highlight.at);
            match highlight.mark {
                Mark::Selected | Mark::Reach => {
                    let mut path = Path::fine();
                    for side in 0..6 {
                        let stroke = self.atlas.stroke(highlight.at, side);
                        if side == 0 {
                            path.move_to(stroke.from);
                        }
                        path.curve_to(stroke.control, stroke.to);
                    }
                    path.close();
                    let data = path.data();
                    body += &if highlight.mark == Mark::Selected {
                        format!(
                            "<path fill=\"none\" stroke=\"{}\" stroke-width=\"6\" stroke-opacity=\".9\" d=\"{data}\"/><path fill=\"none\" stroke=\"{}\" stroke-width=\"2.6\" d=\"{data}\"/>",
                            self.palette.mark.hex(),
                            self.palette.ink.hex()
                        )
                    } else {
                        format!(
                            "<path fill=\"{}\" fill-opacity=\".35\" d=\"{data}\"/>",
                            self.palette.mark.hex()
                        )
                    };
                }
                Mark::Battle => {
                    let s = if self.detail == Detail::Near {
                        1.0
                    } else {
                        self.unit * 0.7
                    };
                    body += &format!(
                        "<g transform=\"translate({} {})scale({s:.2})\" fill=\"none\" stroke-linecap=\"round\"><path stroke=\"{}\" stroke-width=\"6\" d=\"{SWORDS}\"/><path stroke=\"{}\" stroke-width=\"2\" d=\"{SWORDS}\"/></g>",
                        number(c.x - 17.0),
                        number(c.y + 8.0),
                        self.palette.halo.hex(),
                        self.palette.red.hex()
                    );
                }
            }
        }
        if !body.is_empty() {
            self.out += &format!("<g data-layer=\"marks\">{body}</g>\n");
        }
    }
}

/// Two crossed swords.
pub(super) const SWORDS: &str = "M-7-7L6 6M7-7L-6 6M2.5 6.5l4-4M-2.5 6.5l-4-4M5 5l2.5 2.5M-5 5l-2.5 2.5";

fn arrow_head(from: Point, to: Point, size: f64) -> String {
    let back = to.step_towards(from, size);
    let (dx, dy) = ((to.x - back.x) * 0.5, (to.y - back.y) * 0.5);
    let mut path = Path::fine();
    path.move_to(to)
        .line_to(point(back.x - dy, back.y + dx))
        .line_to(to.step_towards(from, size * 0.7))
        .line_to(point(back.x + dy, back.y - dx))
        .close();
    path.data().to_owned()
}
