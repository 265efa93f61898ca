//! What runs across the land: rivers, ditches, bridges, ascents, roads, walls and their gates.

use std::collections::BTreeMap;

use kernel::map::{EdgeKind, Spot};

use super::write::{Point, number, tremble};
use super::{Detail, Drawing};

impl Drawing<'_> {
    /// Sides with a thing both fields share, each once, wherever at least one of the fields is known.
    pub(super) fn sides(&self, kind: EdgeKind) -> Vec<(Spot, usize)> {
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
            let mut paths = [self.pieces(), self.pieces(), self.pieces(), self.pieces()];
            for (&(spot, side), &class) in sides.iter().zip(&classes) {
                let stroke = self.atlas.stroke(spot, side);
                if let Some(pieces) = paths.get_mut(usize::from(class)) {
                    pieces.at(spot).move_to(stroke.from).curve_to(stroke.control, stroke.to);
                }
            }
            self.out += "<g data-layer=\"rivers\" fill=\"none\" stroke-linecap=\"round\">";
            if self.detail == Detail::Near {
                self.out += &format!("<g class=\"bank\" stroke=\"{halo}\" stroke-opacity=\".75\">");
                for (pieces, width) in paths.iter().zip(widths) {
                    pieces.write(&mut self.out, &format!("stroke-width=\"{}\"", number(width + 2.2)));
                }
                self.out += "</g>";
            }
            self.out += &format!("<g stroke=\"{river}\">");
            for (n, (pieces, width)) in paths.iter().zip(widths).enumerate() {
                pieces.write(
                    &mut self.out,
                    &format!("class=\"r{n}\" stroke-width=\"{}\"", number(width)),
                );
            }
            self.out += "</g></g>\n";
        }
    }

    /// Ditches along the sides of fields: two banks with hachures between them. Ascents: a few steps across the side.
    pub(super) fn ditches(&mut self) {
        let (mut banks, mut steps) = (self.pieces(), self.pieces());
        for (spot, side) in self.sides(EdgeKind::Ditch) {
            let stroke = self.atlas.stroke(spot, side);
            banks.at(spot).move_to(stroke.from).curve_to(stroke.control, stroke.to);
        }
        for (spot, side) in self.sides(EdgeKind::Ascent) {
            let at = self.across(spot, side);
            for step in [-6.0, -2.0, 2.0, 6.0] {
                steps.at(spot).move_to(at(step, -5.0)).line_to(at(step, 5.0));
            }
        }
        let (ink, halo) = (self.palette.ink.hex(), self.palette.halo.hex());
        if !banks.is_empty() {
            let width = |near: f64, far: f64| self.line(near, far);
            let lines = [
                format!("stroke=\"{ink}\" stroke-width=\"{}\"", width(6.4, 9.0)),
                format!("stroke=\"{halo}\" stroke-width=\"{}\"", width(4.6, 6.0)),
                format!(
                    "stroke=\"{ink}\" stroke-width=\"{}\" stroke-dasharray=\"1 3\"",
                    width(4.6, 6.0)
                ),
            ];
            self.out += "<g data-layer=\"rivers\" class=\"ditch\" fill=\"none\">";
            for line in &lines {
                banks.write(&mut self.out, line);
            }
            self.out += "</g>\n";
        }
        if !steps.is_empty() && self.detail != Detail::Tiny {
            let look = format!("stroke=\"{ink}\" stroke-width=\"{}\"", self.line(1.5, 3.0));
            self.out += "<g data-layer=\"heights\" class=\"ascent\" fill=\"none\">";
            steps.write(&mut self.out, &look);
            self.out += "</g>\n";
        }
    }

    /// Points around the middle of a side: so far across it, towards the neighbour, and so far along it.
    fn across(&self, spot: Spot, side: usize) -> impl Fn(f64, f64) -> Point + use<> {
        let stroke = self.atlas.stroke(spot, side);
        let middle = stroke.at(0.5);
        let length = stroke.from.distance(stroke.to).max(1.0);
        let along = (
            (stroke.to.x - stroke.from.x) / length,
            (stroke.to.y - stroke.from.y) / length,
        );
        move |across, shift| middle.plus(along.1 * across + along.0 * shift, -along.0 * across + along.1 * shift)
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
        let mut decks = self.pieces();
        let mut parapets = self.pieces();
        for (spot, side) in sides {
            let at = self.across(spot, side);
            decks.at(spot).move_to(at(-6.0, 0.0)).line_to(at(6.0, 0.0));
            for lane in [-3.4, 3.4] {
                let flare = lane * 1.7;
                parapets
                    .at(spot)
                    .move_to(at(-8.5, flare))
                    .line_to(at(-6.0, lane))
                    .line_to(at(6.0, lane))
                    .line_to(at(8.5, flare));
            }
        }
        self.out += "<g data-layer=\"bridges\" fill=\"none\">";
        decks.write(
            &mut self.out,
            &format!("stroke=\"{}\" stroke-width=\"6.6\"", self.palette.halo.hex()),
        );
        let look = format!(
            "stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
            self.palette.ink.hex(),
            self.line(1.3, 3.0)
        );
        parapets.write(&mut self.out, &look);
        self.out += "</g>\n";
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
        let mut pieces = self.pieces();
        for (&index, &bits) in &by_field {
            let spot = self.atlas.spot(index);
            let path = pieces.at(spot);
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
        self.out += "<g data-layer=\"roads\" fill=\"none\">";
        pieces.write(
            &mut self.out,
            &format!("class=\"bed\" stroke=\"{ink}\" stroke-width=\"{outer}\" stroke-linecap=\"round\""),
        );
        pieces.write(
            &mut self.out,
            &format!("class=\"dust\" stroke=\"{halo}\" stroke-width=\"{inner}\" stroke-dasharray=\"{dash}\""),
        );
        self.out += "</g>\n";
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
        let mut pieces = self.pieces();
        for edge in &self.scene.edges {
            if edge.kind == EdgeKind::Wall && self.atlas.find(edge.at).is_some() {
                let stroke = self.atlas.stroke(edge.at, edge.side.index());
                let centre = self.atlas.centre(edge.at);
                let inner = |p: Point| p.step_towards(centre, 6.0);
                pieces
                    .at(edge.at)
                    .move_to(inner(stroke.from))
                    .curve_to(inner(stroke.control), inner(stroke.to));
            }
        }
        if pieces.is_empty() {
            return;
        }
        let (ink, halo) = (self.palette.ink.hex(), self.palette.halo.hex());
        let lines = if self.detail == Detail::Near {
            [
                format!("class=\"merlons\" stroke=\"{ink}\" stroke-width=\"9.4\" stroke-dasharray=\"3.6 2.8\""),
                format!("class=\"stones\" stroke=\"{ink}\" stroke-width=\"5.4\""),
                format!("class=\"walk\" stroke=\"{halo}\" stroke-width=\"3.2\""),
            ]
        } else {
            [
                String::new(),
                format!("stroke=\"{ink}\" stroke-width=\"9\""),
                format!("stroke=\"{halo}\" stroke-width=\"3.6\""),
            ]
        };
        self.out += "<g data-layer=\"walls\" fill=\"none\">";
        for line in lines.iter().filter(|line| !line.is_empty()) {
            pieces.write(&mut self.out, line);
        }
        self.out += "</g>\n";
    }

    /// Gates in walls and buildings, on the inner side of the border: shut, open between its wings, or broken.
    pub(super) fn gates(&mut self) {
        let (mut shut, mut open, mut broken) = (self.pieces(), self.pieces(), self.pieces());
        for edge in self.scene.edges.iter().filter(|edge| edge.kind.is_gate()) {
            let Some(index) = self.atlas.find(edge.at) else {
                continue;
            };
            let spot = self.atlas.spot(index);
            let side = edge.side.index();
            let centre = self.atlas.centre(spot);
            let middle = self.atlas.stroke(spot, side).at(0.5);
            let towards = self.across(spot, side);
            // Where across leads away from the field, the gate lies on the other side of the line.
            let inward = if towards(1.0, 0.0).distance(centre) < middle.distance(centre) {
                1.0
            } else {
                -1.0
            };
            let at = |deep: f64, shift: f64| towards(deep * inward, shift);
            let pieces = match edge.kind {
                EdgeKind::Gate => &mut shut,
                EdgeKind::OpenGate => &mut open,
                _ => &mut broken,
            };
            let path = pieces.at(spot);
            path.move_to(at(2.0, -6.5))
                .line_to(at(10.0, -6.5))
                .line_to(at(10.0, 6.5))
                .line_to(at(2.0, 6.5))
                .line_to(at(2.0, -6.5));
            match edge.kind {
                EdgeKind::OpenGate => {
                    for wing in [-6.5, 6.5] {
                        path.move_to(at(10.0, wing)).line_to(at(15.0, wing * 1.6));
                    }
                }
                EdgeKind::BrokenGate => {
                    path.move_to(at(2.0, -6.5))
                        .line_to(at(8.0, -2.0))
                        .line_to(at(4.0, 1.5))
                        .line_to(at(10.0, 6.5));
                }
                _ => {}
            }
        }
        if self.detail == Detail::Tiny || (shut.is_empty() && open.is_empty() && broken.is_empty()) {
            return;
        }
        let (ink, halo, red) = (self.palette.ink.hex(), self.palette.halo.hex(), self.palette.red.hex());
        let width = self.line(1.3, 2.6);
        self.out += "<g data-layer=\"walls\" class=\"gates\" stroke-linejoin=\"round\" stroke-linecap=\"round\">";
        for (pieces, fill, stroke) in [(&shut, &ink, &halo), (&open, &halo, &ink), (&broken, &halo, &red)] {
            if !pieces.is_empty() {
                pieces.write(
                    &mut self.out,
                    &format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{width}\""),
                );
            }
        }
        self.out += "</g>\n";
    }
}
