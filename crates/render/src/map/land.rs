//! The land itself: washes, shores, grid, heights, realms, rivers, roads, walls and fog.

use std::collections::BTreeMap;

use kernel::map::{Edge, EdgeKind, Knowledge, Spot, TerrainStyle};

use super::atlas::{Atlas, HALF, PERIOD, Stroke};
use super::pens::PatternBook;
use super::pieces::{Pieces, chunk};
use super::write::{Path, Point, number, tremble};
use super::{Detail, Drawing};

/// Live maps with more fields than this are drawn in whole units.
const FINE_FIELDS: usize = 2_500;

/// What shares one path: whether it is land, row and column of the chunk, the terrain.
type PathKey = (bool, i32, i32, usize);

impl Drawing<'_> {
    fn path(&self) -> Path {
        if self.is_coarse() { Path::coarse() } else { Path::fine() }
    }

    pub(super) fn pieces(&self) -> Pieces {
        Pieces::new(self.live, self.is_coarse())
    }

    /// Whether lines are rounded to whole units: on far maps, and on live ones so large that every byte counts.
    fn is_coarse(&self) -> bool {
        self.detail != Detail::Near || (self.live && self.atlas.len() > FINE_FIELDS)
    }

    /// The pens of each terrain: the class of the elements that show them, and the value of `fill`. A picture has one way
    /// to draw, a live map a near and a far one.
    fn pens(&mut self, styles: &[TerrainStyle]) -> Vec<Vec<(&'static str, String)>> {
        let ways: &[(bool, &str)] = match (self.live, self.detail) {
            (true, _) => &[(false, "d-nm"), (true, "d-f")],
            (false, Detail::Near) => &[(false, "")],
            (false, Detail::Far) => &[(true, "")],
            (false, Detail::Tiny) => &[],
        };
        let mut pens = vec![Vec::new(); styles.len()];
        for &(far, class) in ways {
            let mut book = PatternBook::new(&self.id, self.palette, self.scene.orientation, far);
            for (n, (&style, list)) in styles.iter().zip(&mut pens).enumerate() {
                let fill = book.add(style, n);
                if !fill.is_empty() {
                    list.push((class, fill));
                }
            }
            self.definitions += &book.definitions();
        }
        pens
    }

    /// Sea and land in chunks of 10 x 10 fields, one path per terrain and chunk; between them the lined water along the
    /// shore, of which the land covers the dry half.
    pub(super) fn ground(&mut self) {
        let mut styles: Vec<TerrainStyle> = self.atlas.styles.clone();
        styles.sort_unstable();
        styles.dedup();
        let pens = self.pens(&styles);
        let mut rim = self.path();
        let all: Vec<usize> = (0..self.atlas.len()).collect();
        self.atlas.trace(&mut rim, &all, |_| true, |_, _| true, 0.0);
        self.definitions += &format!("<path id=\"{}-rim\" d=\"{}\"/>\n", self.id, rim.data());
        self.fills = styles
            .iter()
            .zip(&pens)
            .filter_map(|(&style, pens)| Some((style, pens.first()?.1.clone())))
            .collect();

        // Sorted by chunk, then terrain: each run of equal keys becomes one path.
        let mut keyed: Vec<(PathKey, usize)> = (0..self.atlas.len())
            .map(|index| {
                let spot = self.atlas.spot(index);
                let style = self.atlas.style(index);
                let fill = styles.binary_search(&style).unwrap_or_default();
                let (row, column) = chunk(spot);
                ((!style.ground.is_water(), row, column, fill), index)
            })
            .collect();
        keyed.sort_unstable();
        let mut group_of = vec![0u32; self.atlas.len()];
        let mut groups: Vec<(PathKey, Vec<usize>)> = Vec::new();
        for (key, index) in keyed {
            match groups.last_mut() {
                Some((last, members)) if *last == key => members.push(index),
                _ => groups.push((key, vec![index])),
            }
            if let Some(group) = group_of.get_mut(index) {
                *group = groups.len() as u32;
            }
        }
        let mut land_begun = false;
        self.out += "<g data-layer=\"sea\">";
        let mut open = None;
        for (number_of_group, (key, members)) in groups.iter().enumerate() {
            let &(land, row, column, fill) = key;
            if land && !land_begun {
                self.close_chunk(&mut open);
                self.out += "</g>\n";
                self.water_lining();
                self.out += "<g data-layer=\"land\">";
                land_begun = true;
            }
            if open != Some((row, column)) {
                self.close_chunk(&mut open);
                self.out += &format!("<g data-chunk=\"{column},{row}\">");
                open = Some((row, column));
            }
            let mut path = self.path();
            let this = number_of_group as u32 + 1;
            self.atlas.trace(
                &mut path,
                members,
                |other| group_of.get(other) == Some(&this),
                |_, _| true,
                0.0,
            );
            let style = styles.get(fill).copied().unwrap_or_default();
            // First the wash, whose thin stroke closes the hair line between two fills, then the pens above it. A
            // pattern with its own wash would show the seams of its tiles.
            let wash = self.palette.wash(style);
            let pens = pens.get(fill).map_or(&[][..], Vec::as_slice);
            let (id, data) = (&self.id, path.data());
            if pens.is_empty() {
                self.out += &format!("<path fill=\"{wash}\" stroke=\"{wash}\" d=\"{data}\"/>");
                continue;
            }
            self.out += &format!("<g fill=\"{wash}\" stroke=\"{wash}\"><path id=\"{id}-g{this}\" d=\"{data}\"/></g>");
            for (class, fill) in pens {
                self.out += &format!("<use{} href=\"#{id}-g{this}\" fill=\"{fill}\"/>", class_of(class));
            }
        }
        self.close_chunk(&mut open);
        self.out += "</g>\n";
    }

    fn close_chunk(&mut self, open: &mut Option<(i32, i32)>) {
        if open.take().is_some() {
            self.out += "</g>";
        }
    }

    fn land_members(&self) -> Vec<usize> {
        (0..self.atlas.len()).filter(|&i| !self.atlas.is_water(i)).collect()
    }

    /// The line between known land and known water.
    fn shore_path(&self) -> Pieces {
        let mut pieces = self.pieces();
        let mut by_piece: BTreeMap<(i32, i32), Vec<usize>> = BTreeMap::new();
        for index in self.land_members() {
            let key = if self.live {
                chunk(self.atlas.spot(index))
            } else {
                (0, 0)
            };
            by_piece.entry(key).or_default().push(index);
        }
        for members in by_piece.values() {
            let Some(&first) = members.first() else { continue };
            self.atlas.trace(
                pieces.at(self.atlas.spot(first)),
                members,
                |i| !self.atlas.is_water(i),
                |i, side| self.atlas.neighbour(i, side).is_some(),
                0.0,
            );
        }
        pieces
    }

    /// Lines in the water that follow the shore, as engravers draw them.
    fn water_lining(&mut self) {
        let shore = self.shore_path();
        if shore.is_empty() {
            return;
        }
        for (n, data) in shore.data().enumerate() {
            let id = format!("{}-shore{n}", self.id);
            self.definitions += &format!("<path id=\"{id}\" d=\"{data}\"/>\n");
            self.shores.push(id);
        }
        let sea = self.palette.sea_ink.hex();
        let shallows = self.palette.shallows().hex();
        let lines: &[(f64, f64, &str)] = match self.detail {
            Detail::Near => &[(27.0, 25.8, ".3"), (18.5, 17.1, ".5"), (10.5, 8.9, ".75")],
            Detail::Far => &[(22.0, 19.0, ".45"), (12.0, 9.0, ".7")],
            Detail::Tiny => &[(16.0, 12.0, ".5")],
        };
        // The lines end where knowledge ends.
        self.definitions += &format!(
            "<clipPath id=\"{id}-known\"><use href=\"#{id}-rim\"/></clipPath>\n",
            id = self.id
        );
        self.out += &format!(
            "<g data-layer=\"shallows\" clip-path=\"url(#{}-known)\" fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">",
            self.id
        );
        for &(outer, inner, opacity) in lines {
            self.out += &format!("<g stroke=\"{sea}\" stroke-width=\"{outer}\" stroke-opacity=\"{opacity}\">");
            self.use_shores();
            self.out += &format!("</g><g stroke=\"{shallows}\" stroke-width=\"{inner}\">");
            self.use_shores();
            self.out += "</g>";
        }
        self.out += "</g>\n";
    }

    fn use_shores(&mut self) {
        for id in &self.shores {
            self.out += &format!("<use href=\"#{id}\"/>");
        }
    }

    /// The shore itself.
    pub(super) fn shore(&mut self) {
        if self.shores.is_empty() {
            return;
        }
        let width = self.line(1.7, 2.8);
        self.out += &format!(
            "<g data-layer=\"shore\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\">",
            self.palette.ink.hex()
        );
        self.use_shores();
        self.out += "</g>\n";
    }

    /// The thin hexagonal grid: drawn by hand on near maps, a pattern on far ones.
    pub(super) fn grid(&mut self) {
        let ink = self.palette.ink.hex();
        let opacity = self.palette.grid_opacity;
        if self.live {
            let (width, height, data) = self.grid_tile();
            self.definitions += &format!(
                "<pattern id=\"{}-grid\" width=\"{width}\" height=\"{height}\" patternUnits=\"userSpaceOnUse\"><path fill=\"none\" stroke=\"{ink}\" stroke-width=\".7\" stroke-opacity=\"{opacity}\" d=\"{data}\"/></pattern>\n",
                self.id
            );
            self.out += &format!(
                "<use class=\"d-nmf\" data-layer=\"grid\" href=\"#{id}-rim\" fill=\"url(#{id}-grid)\"/>\n",
                id = self.id
            );
        } else if self.detail == Detail::Near {
            let mut path = Path::fine();
            for index in 0..self.atlas.len() {
                for side in 0..6 {
                    if side < 3 || self.atlas.neighbour(index, side).is_none() {
                        let stroke = self.atlas.stroke(self.atlas.spot(index), side);
                        path.move_to(stroke.from).curve_to(stroke.control, stroke.to);
                    }
                }
            }
            self.out += &format!(
                "<path data-layer=\"grid\" fill=\"none\" stroke=\"{ink}\" stroke-opacity=\"{opacity}\" stroke-width=\".7\" d=\"{}\"/>\n",
                path.data()
            );
        } else if self.detail == Detail::Far && self.field_width >= 12.0 {
            let cell = self.grid_cell();
            self.definitions += &format!(
                "<pattern id=\"{}-grid\" width=\"{}\" height=\"{}\" patternUnits=\"userSpaceOnUse\"><path fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.6\" stroke-opacity=\"{opacity}\" d=\"{}\"/></pattern>\n",
                self.id, cell.0, cell.1, cell.2
            );
            self.out += &format!(
                "<use data-layer=\"grid\" href=\"#{id}-rim\" fill=\"url(#{id}-grid)\"/>\n",
                id = self.id
            );
        }
    }

    /// Width, height and lines of the piece of the grid after which the pen repeats itself.
    fn grid_tile(&self) -> (u32, u32, String) {
        let mut path = Path::fine();
        let (columns, rows) = PERIOD;
        for y in -1..=rows + 1 {
            for d in -2..=2 * columns + 2 {
                if (d + y) % 2 == 0 {
                    for side in 0..3 {
                        // Rows grow north, but the tile grows south.
                        let stroke = self.atlas.stroke(Spot::new(d, -y), side);
                        path.move_to(stroke.from).curve_to(stroke.control, stroke.to);
                    }
                }
            }
        }
        let (width, height) = (columns.unsigned_abs() * 52, rows.unsigned_abs() * 45);
        let data = path.data().to_owned();
        match self.scene.orientation {
            kernel::map::Orientation::PointyTop => (width, height, data),
            kernel::map::Orientation::FlatTop => (height, width, data),
        }
    }

    /// Width, height and lines of the smallest repeating piece of the grid.
    fn grid_cell(&self) -> (u32, u32, &'static str) {
        match self.scene.orientation {
            kernel::map::Orientation::PointyTop => (52, 90, "M0 30l26-15l26 15v30l-26 15l-26-15zM26 15v-15M26 75v15"),
            kernel::map::Orientation::FlatTop => (90, 52, "M30 0l-15 26l15 26h30l15-26l-15-26zM15 26h-15M75 26h15"),
        }
    }

    /// Hachures point downhill: thin strokes for one step of height, thick ones for two, which nobody climbs. A cliff at
    /// the shore, where no ship lands, is thick too.
    pub(super) fn heights(&mut self) {
        let mut gentle = self.pieces();
        let mut steep = self.pieces();
        for index in 0..self.atlas.len() {
            for side in 0..6 {
                let Some(other) = self.atlas.neighbour(index, side) else {
                    continue;
                };
                let drop = self.height(index) - self.height(other);
                if self.atlas.is_water(index) || drop < 1 {
                    continue;
                }
                // Low land falls to the sea everywhere; that is the shore, not a slope.
                if drop == 1 && self.atlas.is_water(other) {
                    continue;
                }
                let stroke = self.atlas.stroke(self.atlas.spot(index), side);
                let downhill = self.atlas.centre(self.atlas.spot(other));
                let pieces = if drop == 1 { &mut gentle } else { &mut steep };
                let path = pieces.at(self.atlas.spot(index));
                if self.live {
                    // A broad dashed line looks like ticks at a tenth of their bytes.
                    slope_line(path, &stroke, downhill, if drop == 1 { 2.4 } else { 3.8 });
                } else if self.detail == Detail::Near {
                    let (ticks, length) = if drop == 1 { (9, 5.0) } else { (11, 8.0) };
                    hachures(path, &stroke, downhill, ticks, length);
                } else {
                    slope_line(path, &stroke, downhill, HALF * 0.12);
                }
            }
        }
        let ink = self.palette.ink.hex();
        let looks = match (self.live, self.detail) {
            (true, _) => [
                "class=\"gentle\" stroke-width=\"4.8\" stroke-opacity=\".75\" stroke-dasharray=\".8 2.6\"",
                "class=\"steep\" stroke-width=\"7.6\" stroke-opacity=\".9\" stroke-dasharray=\"1.5 1.9\"",
            ],
            (_, Detail::Near) => [
                "stroke-width=\".8\" stroke-opacity=\".75\"",
                "stroke-width=\"1.5\" stroke-opacity=\".9\"",
            ],
            (_, Detail::Far | Detail::Tiny) => [
                "stroke-width=\"3\" stroke-opacity=\".3\"",
                "stroke-width=\"5\" stroke-opacity=\".6\"",
            ],
        };
        self.out += &format!("<g data-layer=\"heights\" fill=\"none\" stroke=\"{ink}\">");
        for (pieces, look) in [gentle, steep].iter().zip(looks) {
            pieces.write(&mut self.out, look);
        }
        self.out += "</g>\n";
    }

    /// Whether two known fields differ by this many steps of height, two or more counting alike.
    pub(super) fn has_slope(&self, drop: i32) -> bool {
        (0..self.atlas.len()).any(|index| {
            (0..6).any(|side| {
                self.atlas.neighbour(index, side).is_some_and(|other| {
                    let here = self.height(index) - self.height(other);
                    !self.atlas.is_water(index) && here.min(2) == drop && !(here == 1 && self.atlas.is_water(other))
                })
            })
        })
    }

    /// Whether an edge belongs to a known field.
    pub(super) fn shows_edge(&self, edge: &Edge) -> bool {
        self.atlas.find(edge.at).is_some()
            || (edge.kind.is_shared() && self.atlas.find(edge.at.neighbour(edge.side)).is_some())
    }

    fn height(&self, index: usize) -> i32 {
        self.atlas.fields.get(index).map_or(0, |field| i32::from(field.height))
    }

    /// The realms: a wash along the inner side of the border and a line in the realm's own dash. Where the far side of
    /// the border is unknown there is no line, because the viewer does not know that the realm ends there.
    pub(super) fn realms(&mut self) {
        let mut owned: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
        for (index, field) in self.atlas.fields.iter().enumerate() {
            if let Some(owner) = field.owner {
                owned.entry(owner).or_default().push(index);
            }
        }
        let near = self.detail == Detail::Near;
        let (wash_width, line_width) = if near { (15.0, 4.0) } else { (20.0, 9.0) };
        self.out += "<g data-layer=\"realms\" fill=\"none\" stroke-linejoin=\"round\">";
        for (owner, members) in owned {
            let atlas = &self.atlas;
            let belongs = |i: usize| atlas.fields.get(i).is_some_and(|f| f.owner == Some(owner));
            let known_beyond = |i: usize, side: usize| atlas.neighbour(i, side).is_some();
            let mut wash = self.path();
            atlas.trace(&mut wash, &members, belongs, known_beyond, wash_width / 2.0);
            let mut line = self.path();
            atlas.trace(&mut line, &members, belongs, known_beyond, line_width / 2.0 + 0.4);
            let slot = self.slot(owner);
            let ink = self.palette.realm_ink(slot).hex();
            let dash = self.palette.realm_dash(slot, line_width);
            let dash = if dash.is_empty() {
                dash
            } else {
                format!(" stroke-dasharray=\"{dash}\"")
            };
            self.out += &format!(
                "<g data-realm=\"{owner}\" stroke=\"{ink}\"><path stroke-width=\"{wash_width}\" stroke-opacity=\".22\" d=\"{}\"/><path stroke-width=\"{line_width}\"{dash} d=\"{}\"/></g>",
                wash.data(),
                line.data()
            );
        }
        self.out += "</g>\n";
    }

    /// Borders of provinces.
    pub(super) fn provinces(&mut self) {
        let mut path = self.path();
        for (spot, side) in self.sides(EdgeKind::Province) {
            let stroke = self.atlas.stroke(spot, side);
            path.move_to(stroke.from).curve_to(stroke.control, stroke.to);
        }
        if !path.is_empty() {
            self.out += &format!(
                "<path data-layer=\"provinces\" fill=\"none\" stroke=\"{}\" stroke-opacity=\".7\" stroke-linecap=\"round\" stroke-width=\"{}\" d=\"{}\"/>\n",
                self.palette.ink.hex(),
                self.line(1.6, 3.5),
                path.data()
            );
        }
    }

    /// What was seen earlier lies under a hatching; towards the unknown the map fades into paper.
    pub(super) fn fog(&mut self) {
        let earlier: Vec<usize> = (0..self.atlas.len()).filter(|&i| self.is_earlier(i)).collect();
        let ink = self.palette.ink.hex();
        self.out += "<g data-layer=\"fog\">";
        if !earlier.is_empty() {
            let mut path = self.path();
            self.atlas
                .trace(&mut path, &earlier, |i| self.is_earlier(i), |_, _| true, 0.0);
            let (near, far, tiny) = ((7, ".9"), (14, "1.8"), (26, "4"));
            let ways: &[(&str, &str, (u32, &str))] = match (self.live, self.detail) {
                (true, _) => &[("d-nm", "", near), ("d-f", "-far", far), ("d-t", "-tiny", tiny)],
                (_, Detail::Near) => &[("", "", near)],
                (_, Detail::Far) => &[("", "", far)],
                (_, Detail::Tiny) => &[("", "", tiny)],
            };
            let (id, paper) = (&self.id, self.palette.paper.hex());
            self.out += &format!(
                "<path id=\"{id}-past\" fill=\"{paper}\" fill-opacity=\".16\" d=\"{}\"/>",
                path.data()
            );
            for (class, suffix, (gap, width)) in ways {
                self.definitions += &format!(
                    "<pattern id=\"{id}-old{suffix}\" width=\"{gap}\" height=\"{gap}\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-38)\"><path stroke=\"{ink}\" stroke-width=\"{width}\" stroke-opacity=\".36\" d=\"M0 {half}H{gap}\"/></pattern>\n",
                    half = number(f64::from(*gap) / 2.0),
                );
                self.out += &format!(
                    "<path{} fill=\"url(#{id}-old{suffix})\" d=\"{}\"/>",
                    class_of(class),
                    path.data()
                );
            }
        }
        if self.atlas.len() > 0 {
            self.out += &format!(
                "<g fill=\"none\" stroke=\"{}\" stroke-linejoin=\"round\">",
                self.palette.paper.hex()
            );
            for (width, opacity) in [(34, ".28"), (24, ".4"), (14, ".55"), (6, "1")] {
                self.out += &format!(
                    "<use href=\"#{}-rim\" stroke-width=\"{width}\" stroke-opacity=\"{opacity}\"/>",
                    self.id
                );
            }
            self.out += "</g>";
        }
        self.out += "</g>\n";
    }

    fn is_earlier(&self, index: usize) -> bool {
        self.atlas
            .fields
            .get(index)
            .is_some_and(|field| matches!(field.knowledge, Knowledge::Earlier(_)))
    }
}

/// The attribute for a class, which may be none.
pub(super) fn class_of(class: &str) -> String {
    if class.is_empty() {
        String::new()
    } else {
        format!(" class=\"{class}\"")
    }
}

/// Ticks from a side into the lower field.
fn hachures(path: &mut Path, stroke: &Stroke, downhill: Point, ticks: u32, length: f64) {
    for n in 0..ticks {
        let start = stroke.at((f64::from(n) + 0.5) / f64::from(ticks));
        let vary = tremble(start.x as i64, start.y as i64, 9 + n);
        path.move_to(start)
            .line_to(start.step_towards(downhill, length * (0.75 + vary * 0.5)));
    }
}

/// A shadow on the lower side, which a far map draws instead of ticks.
fn slope_line(path: &mut Path, stroke: &Stroke, downhill: Point, offset: f64) {
    let lower = |p: Point| p.step_towards(downhill, offset);
    path.move_to(lower(stroke.from))
        .curve_to(lower(stroke.control), lower(stroke.to));
}

/// The fields' extent in units: west, north, east, south.
pub(super) fn extent(atlas: &Atlas<'_>, spots: impl Iterator<Item = Spot>) -> Option<[f64; 4]> {
    spots
        .map(|spot| atlas.centre(spot))
        .map(|c| [c.x - 31.0, c.y - 31.0, c.x + 31.0, c.y + 31.0])
        .reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}
