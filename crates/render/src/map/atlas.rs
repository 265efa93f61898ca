//! The known fields of a scene with their neighbours and their hand-drawn borders.

use kernel::map::{Field, Orientation, Scene, Side, Spot, TerrainStyle};

use super::write::{Path, Point, point, tremble};

/// Half the width of a field.
pub(crate) const HALF: f64 = 26.0;
/// Distance of two rows.
pub(crate) const ROW: f64 = 45.0;
/// Fields farther out than this are not drawn; no game has a world of that size, and coordinates must stay exact.
const FARTHEST: i32 = 100_000;
/// Columns and rows after which the pen repeats itself, so that the lines of the grid fit on a tile.
pub(crate) const PERIOD: (i32, i32) = (8, 8);
/// Stands for "no field" in the table of neighbours.
const NONE: u32 = u32::MAX;

/// The corners of a field, clockwise from the top; side `k` joins the corners `k` and `k + 1`.
const CORNERS: [(f64, f64); 6] = [
    (0.0, -30.0),
    (26.0, -15.0),
    (26.0, 15.0),
    (0.0, 30.0),
    (-26.0, 15.0),
    (-26.0, -15.0),
];

/// A side of a field as the pen draws it: from one corner over a control point to the next. Both fields share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stroke {
    pub from: Point,
    pub control: Point,
    pub to: Point,
}

impl Stroke {
    /// The point at a share `t` of the curve.
    pub fn at(&self, t: f64) -> Point {
        let a = self.from.towards(self.control, t);
        let b = self.control.towards(self.to, t);
        a.towards(b, t)
    }
}

/// The known fields in the order of their spots.
pub(crate) struct Atlas<'a> {
    pub fields: Vec<&'a Field>,
    pub styles: Vec<TerrainStyle>,
    neighbours: Vec<[u32; 6]>,
    orientation: Orientation,
}

impl<'a> Atlas<'a> {
    /// Takes the fields the viewer knows; of everything else nothing remains from here on.
    pub fn new(scene: &'a Scene) -> Self {
        let mut fields: Vec<&Field> = scene.fields.iter().rev().filter(|field| on_lattice(field.at)).collect();
        // The sort is stable and the list reversed: of two entries for one spot the later one comes first and stays.
        fields.sort_by_key(|field| field.at);
        fields.dedup_by_key(|field| field.at);
        fields.retain(|field| field.knowledge.is_known());
        let spots: Vec<Spot> = fields.iter().map(|field| field.at).collect();
        let find = |spot: Spot| spots.binary_search(&spot).map_or(NONE, |i| i as u32);
        let neighbours = spots
            .iter()
            .map(|spot| Side::ALL.map(|side| find(spot.neighbour(side))))
            .collect();
        let styles = fields
            .iter()
            .map(|field| scene.terrains.get(&field.terrain).copied())
            .map(Option::unwrap_or_default)
            .collect();
        Self {
            fields,
            styles,
            neighbours,
            orientation: scene.orientation,
        }
    }

    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// The index of a known field.
    pub fn find(&self, spot: Spot) -> Option<usize> {
        self.fields.binary_search_by_key(&spot, |f| f.at).ok()
    }

    /// The known field across a side.
    pub fn neighbour(&self, index: usize, side: usize) -> Option<usize> {
        let other = *self.neighbours.get(index)?.get(side % 6)?;
        (other != NONE).then_some(other as usize)
    }

    pub fn spot(&self, index: usize) -> Spot {
        self.fields.get(index).map_or(Spot::default(), |f| f.at)
    }

    pub fn style(&self, index: usize) -> TerrainStyle {
        self.styles.get(index).copied().unwrap_or_default()
    }

    pub fn is_water(&self, index: usize) -> bool {
        self.style(index).ground.is_water()
    }

    /// Turns a point of the pointy-topped lattice into one of this map.
    fn turned(&self, p: Point) -> Point {
        match self.orientation {
            Orientation::PointyTop => p,
            Orientation::FlatTop => point(-p.y, -p.x),
        }
    }

    /// The middle of a field.
    pub fn centre(&self, spot: Spot) -> Point {
        self.turned(upright_centre(spot))
    }

    /// A corner of a field, moved a little by a hash of its place: the same for all three fields that meet there.
    pub fn corner(&self, spot: Spot, corner: usize) -> Point {
        let (x, y) = lattice_corner(spot, corner);
        let (h, v) = repeating(x, y, 1);
        self.turned(point(
            x as f64 + (tremble(h, v, 1) - 0.5) * 6.0,
            y as f64 + (tremble(h, v, 2) - 0.5) * 6.0,
        ))
    }

    /// A side of a field, clockwise (on the pointy lattice).
    pub fn stroke(&self, spot: Spot, side: usize) -> Stroke {
        let (from, to) = (self.corner(spot, side), self.corner(spot, side + 1));
        let (x, y) = lattice_middle(spot, side);
        let (x, y) = repeating(x, y, 2);
        let sway = self.turned(point((tremble(x, y, 3) - 0.5) * 10.0, (tremble(x, y, 4) - 0.5) * 10.0));
        let middle = from.towards(to, 0.5);
        Stroke {
            from,
            control: middle.plus(sway.x, sway.y),
            to,
        }
    }

    /// The key of a corner, equal for all fields that share it.
    pub fn corner_key(&self, spot: Spot, corner: usize) -> (i64, i64) {
        lattice_corner(spot, corner)
    }

    /// Draws the border of a set of fields: follows each outline of the set and puts the pen down wherever `wanted` says
    /// so. Needs time in proportion to the members, because the walk around a corner finds its way by neighbours.
    pub fn trace(
        &self,
        path: &mut Path,
        members: &[usize],
        belongs: impl Fn(usize) -> bool,
        wanted: impl Fn(usize, usize) -> bool,
        inset: f64,
    ) {
        let outside = |index: usize, side: usize| self.neighbour(index, side).is_none_or(|other| !belongs(other));
        // One bit per side already walked; a set of members is sorted, so its position in the list is its place here.
        let mut walked = vec![0u8; members.len()];
        for &start in members {
            for first in 0..6 {
                if !outside(start, first) || !take(&mut walked, members, start, first) {
                    continue;
                }
                let (mut index, mut side) = (start, first);
                let mut down = false;
                let mut whole = true;
                let mut around;
                loop {
                    if wanted(index, side) {
                        let stroke = self.inset_stroke(index, side, inset, &belongs);
                        if !down {
                            path.move_to(stroke.from);
                        }
                        path.curve_to(stroke.control, stroke.to);
                        down = true;
                    } else {
                        down = false;
                        whole = false;
                    }
                    (index, side) = self.next_on_outline(index, side, &outside);
                    around = (index, side) == (start, first);
                    // A piece of a line ends where the members end.
                    if around || !take(&mut walked, members, index, side) {
                        break;
                    }
                }
                if whole && around {
                    path.close();
                }
            }
        }
    }

    fn next_on_outline(&self, index: usize, side: usize, outside: &impl Fn(usize, usize) -> bool) -> (usize, usize) {
        let (mut index, mut side) = (index, (side + 1) % 6);
        // At most three fields meet at a corner.
        for _ in 0..3 {
            if outside(index, side) {
                break;
            }
            match self.neighbour(index, side) {
                Some(other) => (index, side) = (other, (side + 4) % 6),
                None => break,
            }
        }
        (index, side)
    }

    /// A side moved into its set. At each corner one or two of the three fields belong to the set; the corner moves
    /// towards their middle, so that the inner lines of neighbouring sides meet.
    fn inset_stroke(&self, index: usize, side: usize, inset: f64, belongs: &impl Fn(usize) -> bool) -> Stroke {
        let spot = self.spot(index);
        let stroke = self.stroke(spot, side);
        if inset == 0.0 {
            return stroke;
        }
        let centre = self.centre(spot);
        let inner = |corner: Point, next: usize| {
            let target = match self.neighbour(index, next).filter(|&i| belongs(i)) {
                Some(other) => centre.towards(self.centre(self.spot(other)), 0.5),
                None => centre,
            };
            corner.step_towards(target, inset * 1.1)
        };
        Stroke {
            from: inner(stroke.from, (side + 5) % 6),
            control: stroke.control.step_towards(centre, inset),
            to: inner(stroke.to, (side + 1) % 6),
        }
    }
}

fn take(walked: &mut [u8], members: &[usize], index: usize, side: usize) -> bool {
    let Ok(position) = members.binary_search(&index) else {
        return false;
    };
    let Some(bits) = walked.get_mut(position) else {
        return false;
    };
    let bit = 1u8 << side;
    let fresh = *bits & bit == 0;
    *bits |= bit;
    fresh
}

/// Whether a spot is a field of the lattice within the limit.
pub(super) fn on_lattice(spot: Spot) -> bool {
    let near = |v: i32| (-FARTHEST..=FARTHEST).contains(&v);
    near(spot.d) && near(spot.y) && (spot.d + spot.y) % 2 == 0
}

fn upright_centre(spot: Spot) -> Point {
    point(f64::from(spot.d) * HALF, -f64::from(spot.y) * ROW)
}

fn lattice_corner(spot: Spot, corner: usize) -> (i64, i64) {
    let (dx, dy) = CORNERS.get(corner % 6).copied().unwrap_or_default();
    let centre = upright_centre(spot);
    ((centre.x + dx) as i64, (centre.y + dy) as i64)
}

/// A point of the lattice within the tile of the grid; `times` says how fine its units are.
fn repeating(x: i64, y: i64, times: i64) -> (i64, i64) {
    let (width, height) = (i64::from(PERIOD.0) * 52, i64::from(PERIOD.1) * 45);
    (x.rem_euclid(width * times), y.rem_euclid(height * times))
}

/// Twice the middle of a side, so that it stays a whole number.
fn lattice_middle(spot: Spot, side: usize) -> (i64, i64) {
    let (a, b) = (lattice_corner(spot, side), lattice_corner(spot, side + 1));
    (a.0 + b.0, a.1 + b.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::map::Knowledge;

    fn scene(spots: &[(i32, i32)]) -> Scene {
        Scene {
            fields: spots
                .iter()
                .map(|&(d, y)| Field {
                    at: Spot::new(d, y),
                    knowledge: Knowledge::Now,
                    ..Field::default()
                })
                .collect(),
            ..Scene::default()
        }
    }

    fn outline(spots: &[(i32, i32)]) -> String {
        let scene = scene(spots);
        let atlas = Atlas::new(&scene);
        let members: Vec<usize> = (0..atlas.len()).collect();
        let mut path = Path::fine();
        atlas.trace(&mut path, &members, |_| true, |_, _| true, 0.0);
        path.data().to_owned()
    }

    #[test]
    fn both_fields_draw_their_common_side_alike() {
        let scene = scene(&[]);
        let atlas = Atlas::new(&scene);
        let here = Spot::new(3, 5);
        for side in Side::ALL {
            let there = here.neighbour(side);
            let a = atlas.stroke(here, side.index());
            let b = atlas.stroke(there, side.opposite().index());
            assert_eq!((a.from, a.control, a.to), (b.to, b.control, b.from));
        }
    }

    #[test]
    fn a_single_field_has_one_closed_outline_of_six_strokes() {
        let data = outline(&[(0, 0)]);
        assert_eq!(data.matches('M').count(), 1);
        assert_eq!(data.matches('z').count(), 1);
        assert_eq!(data.matches('q').count(), 1, "one letter serves all six");
    }

    #[test]
    fn a_ring_has_an_outer_and_an_inner_outline() {
        let ring: Vec<(i32, i32)> = Side::ALL.map(Side::step).to_vec();
        let data = outline(&ring);
        assert_eq!(data.matches('M').count(), 2);
        assert_eq!(data.matches('z').count(), 2);
    }

    #[test]
    fn of_two_entries_for_a_spot_the_later_counts() {
        let mut scene = scene(&[(0, 0), (0, 0)]);
        scene.fields[1].height = 3;
        let atlas = Atlas::new(&scene);
        assert_eq!(atlas.len(), 1);
        assert_eq!(atlas.fields[0].height, 3);
    }

    #[test]
    fn fields_off_the_lattice_or_beyond_the_limit_are_left_out() {
        let scene = scene(&[(1, 0), (100_000, 0), (100_002, 0), (i32::MIN, 0)]);
        let atlas = Atlas::new(&scene);
        assert_eq!(atlas.len(), 1);
    }
}
