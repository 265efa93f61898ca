//! The land itself: washes, shores, grid, heights, realms, rivers, roads, walls and fog.

use std::collections::BTreeMap;

use kernel::map::{Edge, EdgeKind, Knowledge, Spot, TerrainStyle};

use super::atlas::{Atlas, HALF, Stroke};
use super::pens::PatternBook;
use super::write::{Path, Point, number, tremble};
use super::{Detail, Drawing};

/// Fields along one side of a chunk.
const CHUNK: i32 = 10;

/// What shares one path: whether it is land, row and column of the chunk, the terrain.
type PathKey = (bool, i32, i32, usize);

impl Drawing<'_> {
    fn path(&self) -> Path {
        match self.detail {
            Detail::Near => Path::fine(),
            Detail::Far | Detail::Tiny => Path::coarse(),
        }
    }

    /// Sea and land in chunks of 10 x 10 fields, one path per terrain and chunk; between them the lined water along the
    /// shore, of which the land covers the dry half.
    pub(super) fn ground(&mut self) {
        let mut styles: Vec<TerrainStyle> = self.atlas.styles.clone();
        styles.sort_unstable();
        styles.dedup();
        let mut book = PatternBook::new(
            &self.id,
            self.palette,
            self.scene.orientation,
            self.detail != Detail::Near,
        );
        let fills: Vec<String> = styles
            .iter()
            .enumerate()
            .map(|(n, &style)| match self.detail {
                Detail::Tiny => String::new(),
                Detail::Near | Detail::Far => book.add(style, n),
            })
            .collect();
        self.definitions += &book.definitions();
        let mut rim = self.path();
        let all: Vec<usize> = (0..self.atlas.len()).collect();
        self.atlas.trace(&mut rim, &all, |_| true, |_, _| true, 0.0);
        self.definitions += &format!("<path id=\"{}-rim\" d=\"{}\"/>\n", self.id, rim.data());
        self.fills = styles.iter().copied().zip(fills.iter().cloned()).collect();

        // Sorted by chunk, then terrain: each run of equal keys becomes one path.
        let mut keyed: Vec<(PathKey, usize)> = (0..self.atlas.len())
            .map(|index| {
                let spot = self.atlas.spot(index);
                let style = self.atlas.style(index);
                let fill = styles.binary_search(&style).unwrap_or_default();
                let chunk = (spot.y.div_euclid(CHUNK), spot.d.div_euclid(2).div_euclid(CHUNK));
                ((!style.ground.is_water(), chunk.0, chunk.1, fill), index)
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
        let mut chunk = None;
        for (number_of_group, (key, members)) in groups.iter().enumerate() {
            let &(land, row, column, fill) = key;
            if land && !land_begun {
                self.close_chunk(&mut chunk);
                self.out += "</g>\n";
                self.water_lining();
                self.out += "<g data-layer=\"land\">";
                land_begun = true;
            }
            if chunk != Some((row, column)) {
                self.close_chunk(&mut chunk);
                self.out += &format!("<g data-chunk=\"{column},{row}\">");
                chunk = Some((row, column));
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
            let wash = self.palette.wash(style).hex();
            self.out += &match fills.get(fill) {
                Some(pens) if !pens.is_empty() => format!(
                    "<g fill=\"{wash}\" stroke=\"{wash}\"><path id=\"{id}-g{this}\" d=\"{data}\"/></g><use href=\"#{id}-g{this}\" fill=\"{pens}\"/>",
                    id = self.id,
                    data = path.data()
                ),
                _ => format!("<path fill=\"{wash}\" stroke=\"{wash}\" d=\"{}\"/>", path.data()),
            };
        }
        self.close_chunk(&mut chunk);
        self.out += "</g>\n";
    }

    fn close_chunk(&mut self, chunk: &mut Option<(i32, i32)>) {
        if chunk.take().is_some() {
            self.out += "</g>";
        }
    }

    fn land_members(&self) -> Vec<usize> {
        (0..self.atlas.len()).filter(|&i| !self.atlas.is_water(i)).collect()
    }

    /// The line between known land and known water.
    fn shore_path(&self) -> Path {
        let mut path = self.path();
        let land = self.land_members();
        self.atlas.trace(
            &mut path,
            &land,
            |i| !self.atlas.is_water(i),
            |i, side| self.atlas.neighbour(i, side).is_some(),
            0.0,
        );
        path
    }

    /// Lines in the water that follow the shore, as engravers draw them.
    fn water_lining(&mut self) {
        let path = self.shore_path();
        if path.is_empty() {
            return;
        }
        self.has_shore = true;
        self.definitions += &format!("<path id=\"{}-shore\" d=\"{}\"/>\n", self.id, path.data());
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
            self.out += &format!(
                "<use href=\"#{id}-shore\" stroke=\"{sea}\" stroke-width=\"{outer}\" stroke-opacity=\"{opacity}\"/><use href=\"#{id}-shore\" stroke=\"{shallows}\" stroke-width=\"{inner}\"/>",
                id = self.id,
            );
        }
        self.out += "</g>\n";
    }

    /// The shore itself.
    pub(super) fn shore(&mut self) {
        if !self.has_shore {
            return;
        }
        let width = self.line(1.7, 2.8);
        self.out += &format!(
            "<use data-layer=\"shore\" href=\"#{}-shore\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n",
            self.id,
            self.palette.ink.hex()
        );
    }

    /// The thin hexagonal grid: drawn by hand on near maps, a pattern on far ones.
    pub(super) fn grid(&mut self) {
        let ink = self.palette.ink.hex();
        let opacity = self.palette.grid_opacity;
        if self.detail == Detail::Near {
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
        let mut gentle = self.path();
        let mut steep = self.path();
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
                let path = if drop == 1 { &mut gentle } else { &mut steep };
                if self.detail == Detail::Near {
                    let (ticks, length) = if drop == 1 { (9, 5.0) } else { (11, 8.0) };
                    hachures(path, &stroke, downhill, ticks, length);
                } else {
                    slope_line(path, &stroke, downhill);
                }
            }
        }
        let ink = self.palette.ink.hex();
        let looks = match self.detail {
            Detail::Near => [(".8", ".75"), ("1.5", ".9")],
            Detail::Far | Detail::Tiny => [("3", ".3"), ("5", ".6")],
        };
        self.out += &format!("<g data-layer=\"heights\" fill=\"none\" stroke=\"{ink}\">");
        for (path, (width, opacity)) in [gentle, steep].iter().zip(looks) {
            if !path.is_empty() {
                self.out += &format!(
                    "<path stroke-width=\"{width}\" stroke-opacity=\"{opacity}\" d=\"{}\"/>",
                    path.data()
                );
            }
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
        let shared = matches!(edge.kind, EdgeKind::River | EdgeKind::Bridge | EdgeKind::Province);
        self.atlas.find(edge.at).is_some() || (shared && self.atlas.find(edge.at.neighbour(edge.side)).is_some())
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

    /// Sides with a thing both fields share, each once, wherever at least one of the fields is known.
    fn sides(&self, kind: EdgeKind) -> Vec<(Spot, usize)> {
        let mut sides: Vec<(Spot, usize)> = self
            .scene
            .edges
            .iter()
            .filter(|edge| edge.kind == kind)
            .filter(|edge| self.shows_edge(edge))
            .map(|edge| match edge.side.index() {
                side @ 0..=2 => (edge.at, side),
                side => (edge.at.neighbour(edge.side), side - 3),
            })
            .collect();
        sides.sort_unstable();
        sides.dedup();
        sides
    }

    /// Rivers along the sides of fields, swelling towards their mouths, and the bridges across them.
    pub(super) fn rivers(&mut self) {
        let sides = self.sides(EdgeKind::River);
        if !sides.is_empty() {
            let classes = self.river_classes(&sides);
            let (river, halo) = (self.palette.river.hex(), self.palette.halo.hex());
            let widths = match self.detail {
                Detail::Near => [4.2, 3.4, 2.6, 1.9],
                Detail::Far => [6.5, 5.5, 4.5, 3.8],
                Detail::Tiny => [7.0, 6.0, 5.0, 5.0],
            };
            let mut paths = [self.path(), self.path(), self.path(), self.path()];
            for (&(spot, side), &class) in sides.iter().zip(&classes) {
                let stroke = self.atlas.stroke(spot, side);
                if let Some(path) = paths.get_mut(usize::from(class)) {
                    path.move_to(stroke.from).curve_to(stroke.control, stroke.to);
                }
            }
            self.out += "<g data-layer=\"rivers\" fill=\"none\" stroke-linecap=\"round\">";
            if self.detail == Detail::Near {
                self.out += &format!("<g stroke=\"{halo}\" stroke-opacity=\".75\">");
                for (path, width) in paths.iter().zip(widths) {
                    self.stroke_of_width(path, width + 2.2);
                }
                self.out += "</g>";
            }
            self.out += &format!("<g stroke=\"{river}\">");
            for (path, width) in paths.iter().zip(widths) {
                self.stroke_of_width(path, width);
            }
            self.out += "</g></g>\n";
        }
    }

    fn stroke_of_width(&mut self, path: &Path, width: f64) {
        if !path.is_empty() {
            self.out += &format!("<path stroke-width=\"{}\" d=\"{}\"/>", number(width), path.data());
        }
    }

    /// How far each side of a river is from a mouth: 0 at known water, 3 far inland.
    fn river_classes(&self, sides: &[(Spot, usize)]) -> Vec<u8> {
        let mut at_corner: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
        let ends =
            |&(spot, side): &(Spot, usize)| [self.atlas.corner_key(spot, side), self.atlas.corner_key(spot, side + 1)];
        for (n, side) in sides.iter().enumerate() {
            for key in ends(side) {
                at_corner.entry(key).or_default().push(n);
            }
        }
        let mut distance = vec![u32::MAX; sides.len()];
        let mut queue: Vec<usize> = Vec::new();
        for (n, &(spot, side)) in sides.iter().enumerate() {
            if self.touches_water(spot, side) {
                if let Some(d) = distance.get_mut(n) {
                    *d = 0;
                }
                queue.push(n);
            }
        }
        let mut head = 0;
        while let Some(&n) = queue.get(head) {
            head += 1;
            let next = distance.get(n).copied().unwrap_or_default() + 1;
            let Some(side) = sides.get(n) else { continue };
            for key in ends(side) {
                for &other in at_corner.get(&key).map_or(&[][..], Vec::as_slice) {
                    if let Some(d) = distance.get_mut(other).filter(|d| **d == u32::MAX) {
                        *d = next;
                        queue.push(other);
                    }
                }
            }
        }
        distance
            .into_iter()
            .map(|d| match d {
                0 => 0,
                1..=3 => 1,
                4..=8 => 2,
                _ => 3,
            })
            .collect()
    }

    /// Whether a known water field lies at one of the two ends of a side.
    fn touches_water(&self, spot: Spot, side: usize) -> bool {
        use kernel::map::Side;
        let across = Side::ALL.get(side).map(|&s| spot.neighbour(s));
        let before = Side::ALL.get((side + 5) % 6).map(|&s| spot.neighbour(s));
        let after = Side::ALL.get((side + 1) % 6).map(|&s| spot.neighbour(s));
        [Some(spot), across, before, after]
            .into_iter()
            .flatten()
            .filter_map(|s| self.atlas.find(s))
            .any(|i| self.atlas.is_water(i))
    }

    /// Bridges: two parapets and planks across the side.
    pub(super) fn bridges(&mut self) {
        let sides = self.sides(EdgeKind::Bridge);
        if sides.is_empty() || self.detail == Detail::Tiny {
            return;
        }
        let mut deck = self.path();
        let mut parapets = self.path();
        for (spot, side) in sides {
            let stroke = self.atlas.stroke(spot, side);
            let middle = stroke.at(0.5);
            let length = stroke.from.distance(stroke.to).max(1.0);
            let along = (
                (stroke.to.x - stroke.from.x) / length,
                (stroke.to.y - stroke.from.y) / length,
            );
            let at = |across: f64, shift: f64| {
                middle.plus(along.1 * across + along.0 * shift, -along.0 * across + along.1 * shift)
            };
            deck.move_to(at(-6.0, 0.0)).line_to(at(6.0, 0.0));
            for lane in [-3.4, 3.4] {
                let flare = lane * 1.7;
                parapets
                    .move_to(at(-8.5, flare))
                    .line_to(at(-6.0, lane))
                    .line_to(at(6.0, lane))
                    .line_to(at(8.5, flare));
            }
        }
        self.out += &format!(
            "<g data-layer=\"bridges\" fill=\"none\"><path stroke=\"{}\" stroke-width=\"6.6\" d=\"{}\"/><path stroke=\"{ink}\" stroke-width=\"{}\" stroke-linejoin=\"round\" d=\"{}\"/></g>\n",
            self.palette.halo.hex(),
            deck.data(),
            self.line(1.3, 3.0),
            parapets.data(),
            ink = self.palette.ink.hex(),
        );
    }

    /// Roads through the middles of fields to the middles of their sides, so that two fields' pieces meet.
    pub(super) fn roads(&mut self) {
        let mut by_field: BTreeMap<usize, u8> = BTreeMap::new();
        for edge in &self.scene.edges {
            if edge.kind == EdgeKind::Road
                && let Some(index) = self.atlas.find(edge.at)
            {
                *by_field.entry(index).or_default() |= 1 << edge.side.index();
            }
        }
        if by_field.is_empty() {
            return;
        }
        let mut path = self.path();
        for (&index, &bits) in &by_field {
            let spot = self.atlas.spot(index);
            let middle = self.waypoint(spot);
            let ends: Vec<Point> = (0..6)
                .filter(|side| bits & (1 << side) != 0)
                .map(|side| self.atlas.stroke(spot, side).at(0.5))
                .collect();
            match ends.as_slice() {
                // A road passing through bends smoothly; at a crossing or an end it meets the middle.
                [a, b] => {
                    path.move_to(*a)
                        .curve_to(a.towards(middle, 0.75), a.towards(*b, 0.5).towards(middle, 0.7))
                        .curve_to(b.towards(middle, 0.75), *b);
                }
                ends => {
                    for end in ends {
                        path.move_to(middle).line_to(*end);
                    }
                }
            }
        }
        let (ink, halo) = (self.palette.ink.hex(), self.palette.halo.hex());
        let (outer, inner, dash) = match self.detail {
            Detail::Near => ("3.9", "1.9", "6 2.4"),
            Detail::Far | Detail::Tiny => ("7", "3.4", "12 5"),
        };
        let data = path.data();
        self.out += &format!(
            "<g data-layer=\"roads\" fill=\"none\"><path stroke=\"{ink}\" stroke-width=\"{outer}\" stroke-linecap=\"round\" d=\"{data}\"/><path stroke=\"{halo}\" stroke-width=\"{inner}\" stroke-dasharray=\"{dash}\" d=\"{data}\"/></g>\n"
        );
    }

    /// Where a road or route passes through a field: the middle, a little off.
    pub(super) fn waypoint(&self, spot: Spot) -> Point {
        let (x, y) = (i64::from(spot.d), i64::from(spot.y));
        self.atlas
            .centre(spot)
            .plus((tremble(x, y, 21) - 0.5) * 7.0, 2.0 + (tremble(x, y, 22) - 0.5) * 5.0)
    }

    /// Walls: a double line with merlons on the inner side of the border.
    pub(super) fn walls(&mut self) {
        let mut path = self.path();
        for edge in &self.scene.edges {
            if edge.kind == EdgeKind::Wall && self.atlas.find(edge.at).is_some() {
                let stroke = self.atlas.stroke(edge.at, edge.side.index());
                let centre = self.atlas.centre(edge.at);
                let inner = |p: Point| p.step_towards(centre, 6.0);
                path.move_to(inner(stroke.from))
                    .curve_to(inner(stroke.control), inner(stroke.to));
            }
        }
        if path.is_empty() {
            return;
        }
        let (ink, halo, data) = (self.palette.ink.hex(), self.palette.halo.hex(), path.data());
        self.out += &if self.detail == Detail::Near {
            format!(
                "<g data-layer=\"walls\" fill=\"none\"><path stroke=\"{ink}\" stroke-width=\"9.4\" stroke-dasharray=\"3.6 2.8\" d=\"{data}\"/><path stroke=\"{ink}\" stroke-width=\"5.4\" d=\"{data}\"/><path stroke=\"{halo}\" stroke-width=\"3.2\" d=\"{data}\"/></g>\n"
            )
        } else {
            format!(
                "<g data-layer=\"walls\" fill=\"none\"><path stroke=\"{ink}\" stroke-width=\"9\" d=\"{data}\"/><path stroke=\"{halo}\" stroke-width=\"3.6\" d=\"{data}\"/></g>\n"
            )
        };
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
            let (gap, width) = match self.detail {
                Detail::Near => (7, ".9"),
                Detail::Far => (14, "1.8"),
                Detail::Tiny => (26, "4"),
            };
            self.definitions += &format!(
                "<pattern id=\"{}-old\" width=\"{gap}\" height=\"{gap}\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-38)\"><path stroke=\"{ink}\" stroke-width=\"{width}\" stroke-opacity=\".36\" d=\"M0 {half}H{gap}\"/></pattern>\n",
                self.id,
                half = number(f64::from(gap) / 2.0),
            );
            self.out += &format!(
                "<path fill=\"{}\" fill-opacity=\".16\" d=\"{data}\"/><path fill=\"url(#{}-old)\" d=\"{data}\"/>",
                self.palette.paper.hex(),
                self.id,
                data = path.data()
            );
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
fn slope_line(path: &mut Path, stroke: &Stroke, downhill: Point) {
    let lower = |p: Point| p.step_towards(downhill, HALF * 0.12);
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
