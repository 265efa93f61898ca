//! Fields of noise: random values on coarse lattices, smoothly joined and laid over each other.

/// Parts of a lattice cell.
const FINE: u64 = 256;

/// Where a point lies in a lattice: the cell's column and row, and how far across and along it, smoothed, in 256ths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Column of the cell.
    pub column: u64,
    /// Row of the cell.
    pub row: u64,
    across: i64,
    along: i64,
}

impl Cell {
    /// The cell of a point at `x.0 / x.1` columns and `y.0 / y.1` rows of the lattice.
    pub fn of(x: (u64, u64), y: (u64, u64)) -> Self {
        let (u, v) = (x.0 * FINE / x.1.max(1), y.0 * FINE / y.1.max(1));
        Self {
            column: u / FINE,
            row: v / FINE,
            across: smooth(u % FINE),
            along: smooth(v % FINE),
        }
    }

    /// The value there, between those of the cell's four corners.
    pub fn value(&self, corner: impl Fn(u64, u64) -> i64) -> i64 {
        let Self { column, row, .. } = *self;
        let first = joined(corner(column, row), corner(column + 1, row), self.across);
        let second = joined(corner(column, row + 1), corner(column + 1, row + 1), self.across);
        joined(first, second, self.along)
    }
}

/// An S-shaped way from 0 to 256.
fn smooth(t: u64) -> i64 {
    i64::try_from(t * t * (3 * FINE - 2 * t) / (FINE * FINE)).unwrap_or(0)
}

/// Between two values, `part` 256ths of the way.
const fn joined(a: i64, b: i64, part: i64) -> i64 {
    (a * (FINE as i64 - part) + b * part) / FINE as i64
}

/// Noise of several layers over so many fields: each has half the cells' size and little more than half the weight of the one before.
/// `layer` makes the layer of an octave with cells of a size, as the value at each field.
pub fn layered<L: Fn(usize) -> i64>(
    fields: usize,
    size: u64,
    layers: u64,
    mut layer: impl FnMut(u64, u64) -> L,
) -> Vec<i64> {
    let mut sum = vec![0i64; fields];
    let (mut size, mut weight) = (size.max(1), 256);
    for octave in 0..layers {
        let at = layer(octave, size);
        for (field, value) in sum.iter_mut().enumerate() {
            *value += at(field) * weight;
        }
        if size <= 1 {
            break;
        }
        size = size.div_ceil(2);
        weight = weight * 5 / 9;
    }
    sum
}

/// Ranks fields by a value: `each` hears every field with its rank in thousandths, 0 to 999.
pub fn ranked(mut fields: Vec<usize>, value: &[i64], mut each: impl FnMut(usize, usize)) {
    fields.sort_unstable_by_key(|field| (value[*field], *field));
    let count = fields.len().max(1);
    for (rank, field) in fields.into_iter().enumerate() {
        each(field, rank * 1000 / count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_takes_the_value_of_its_corner_and_lies_between_the_others() {
        let corner = |column: u64, row: u64| i64::try_from(100 * column + row).expect("small");
        assert_eq!(Cell::of((6, 2), (4, 1)).value(corner), 304);
        // Half way: the curve is as steep on both sides.
        assert_eq!(Cell::of((7, 2), (4, 1)).value(corner), 354);
        let quarter = Cell::of((13, 4), (4, 1)).value(corner);
        assert!((305..329).contains(&quarter), "{quarter}: slow at the corner");
    }

    #[test]
    fn layers_halve_and_weigh_less_until_cells_are_single_fields() {
        let mut seen = Vec::new();
        let sum = layered(2, 5, 9, |octave, size| {
            seen.push((octave, size));
            |_| 1
        });
        assert_eq!(seen, [(0, 5), (1, 3), (2, 2), (3, 1)]);
        // 256, then five ninths of it, rounded down each time.
        assert_eq!(sum, [256 + 142 + 78 + 43; 2]);
    }

    #[test]
    fn ranks_are_thousandths_and_ties_go_by_number() {
        let mut ranks = vec![None; 4];
        ranked(vec![3, 1, 0], &[5, 5, 0, 1], |field, rank| ranks[field] = Some(rank));
        assert_eq!(ranks, [Some(333), Some(666), None, Some(0)]);
    }
}
