//! Paths cut along the lattice, so that a page paints only what lies in its window.

use std::collections::BTreeMap;

use kernel::map::Spot;

use super::write::Path;

/// Fields along one side of a chunk.
const CHUNK: i32 = 10;

/// The chunk of a field: row, then column.
pub(super) const fn chunk(spot: Spot) -> (i32, i32) {
    (spot.y.div_euclid(CHUNK), spot.d.div_euclid(2).div_euclid(CHUNK))
}

/// A line in pieces: one for each chunk of a live map, a single one in a picture.
pub(super) struct Pieces {
    cut: bool,
    coarse: bool,
    paths: BTreeMap<(i32, i32), Path>,
}

impl Pieces {
    pub fn new(cut: bool, coarse: bool) -> Self {
        Self {
            cut,
            coarse,
            paths: BTreeMap::new(),
        }
    }

    /// The piece to which a field belongs.
    pub fn at(&mut self, spot: Spot) -> &mut Path {
        let key = if self.cut { chunk(spot) } else { (0, 0) };
        let coarse = self.coarse;
        self.paths
            .entry(key)
            .or_insert_with(|| if coarse { Path::coarse() } else { Path::fine() })
    }

    pub fn is_empty(&self) -> bool {
        self.paths.values().all(Path::is_empty)
    }

    /// The data of each piece.
    pub fn data(&self) -> impl Iterator<Item = &str> {
        self.paths.values().map(Path::data).filter(|data| !data.is_empty())
    }

    /// One element for each piece, all with these attributes.
    pub fn write(&self, out: &mut String, attributes: &str) {
        for data in self.data() {
            out.push_str("<path");
            if !attributes.is_empty() {
                out.push(' ');
                out.push_str(attributes);
            }
            out.push_str(" d=\"");
            out.push_str(data);
            out.push_str("\"/>");
        }
    }
}
