//! What grows and rises on a field: small pen drawings, and the patterns made of them.
//!
//! A pattern's tile spans whole fields and starts at the middle of field 0/0, so each drawing sits in the middle of its
//! field and is never cut by a border. Near maps use eight variants of tiny drawings, far maps one bold mark per field.

use kernel::map::{Ground, Orientation, Relief, TerrainStyle};

use super::palette::Palette;
use super::write::{Point, number, point, tremble};

/// One small drawing, standing on its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pen {
    Tree,
    DarkTree,
    Fir,
    Palm,
    Reed,
    Tuft,
    Dune,
    Stipple,
    Snow,
    Drift,
    Furrow,
    Meadow,
    Hill,
    Peak,
    Crag,
    Horn,
    Wave,
    Spiral,
    Rock,
    Volcano,
    Floe,
    Saltire,
    Mesa,
    Pool,
    Stilts,
}

impl Pen {
    const fn id(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::DarkTree => "dark",
            Self::Fir => "fir",
            Self::Palm => "palm",
            Self::Reed => "reed",
            Self::Tuft => "tuft",
            Self::Dune => "dune",
            Self::Stipple => "stip",
            Self::Snow => "snow",
            Self::Drift => "drift",
            Self::Furrow => "furrow",
            Self::Meadow => "grass",
            Self::Hill => "hill",
            Self::Peak => "peak",
            Self::Crag => "crag",
            Self::Horn => "horn",
            Self::Wave => "wave",
            Self::Spiral => "eddy",
            Self::Rock => "rock",
            Self::Volcano => "vulcan",
            Self::Floe => "floe",
            Self::Saltire => "void",
            Self::Mesa => "mesa",
            Self::Pool => "pool",
            Self::Stilts => "stilts",
        }
    }

    /// Its strokes. Fill none, ink and round ends are inherited from the pattern.
    fn strokes(self, palette: &Palette) -> String {
        let (ink, sea, rock) = (palette.ink.hex(), palette.sea_ink.hex(), palette.rock.hex());
        let crown = |colour: String| {
            format!(
                "<path d=\"M0-1V3\"/><path fill=\"{colour}\" d=\"M-3.8 0c-2.6-.8-2.2-4.3.3-4.6c0-2.8 3-4.3 4.9-2.6c2.1-1 4.5.9 3.7 3.2c1.9 1 1.3 3.7-.8 4z\"/><path stroke-width=\".75\" d=\"M1.2-1.5h2.5M2-3.4h2.2M.8-5.2h1.8\"/>"
            )
        };
        match self {
            Self::Tree => crown(palette.tree.hex()),
            Self::DarkTree => crown(palette.dark_tree.hex()),
            Self::Fir => format!(
                "<path d=\"M0-1v2.6\"/><path fill=\"{}\" d=\"M0-10l2.3 3.9h-1l2.5 4.3h-7.6l2.5-4.3h-1z\"/><path stroke-width=\".75\" d=\"M.6-5.5h1.4M.6-3h2\"/>",
                palette.dark_tree.hex()
            ),
            Self::Palm => "<path d=\"M0 0q-1.3-5 .6-9\"/><path stroke-width=\"1.2\" d=\"M.6-9q-4-2.8-6 1.6M.6-9q4-2.8 6 1.6M.6-9q-3.4.4-3.6 4.4M.6-9q3.4.4 3.6 4.4M.6-9q-1-2.5-3-3.2\"/>".to_owned(),
            Self::Reed => format!("<path d=\"M0 0v-6.5M-1.5 0l-2.3-5.4M1.5 0l2.3-5.4\"/><path stroke-width=\"1.5\" d=\"M0-7.8v2.6M3.9-5.8l.4-1.7\"/><path stroke=\"{sea}\" d=\"M-6.5 1.7h13M-4 4h7.5\"/>"),
            Self::Tuft => "<path d=\"M0 0v-4.8M-.8 0q-.6-2.6-2.8-3.7M.8 0q.6-2.6 2.8-3.7\"/>".to_owned(),
            Self::Dune => "<path d=\"M-9 0q4-6 9-5q4 1 8.5 5\"/><path stroke-width=\".7\" d=\"M0-5q-1.6 2.6.4 5\"/><path stroke-width=\"1.3\" d=\"M2-2.7h.1M3.9-1.3h.1M2-.6h.1M5.5-.2h.1\"/>".to_owned(),
            Self::Stipple => "<path stroke-width=\"1.4\" d=\"M-5 0h.1M-1 2h.1M3-1h.1M6 2h.1M0-4h.1\"/>".to_owned(),
            Self::Snow => format!("<path stroke=\"{sea}\" d=\"M-3 0h6M-1.5-2.6l3 5.2M1.5-2.6l-3 5.2\"/>"),
            Self::Drift => format!("<path stroke=\"{sea}\" d=\"M-8 0q4-3.2 8 0t8 0\"/>"),
            Self::Furrow => "<path stroke-width=\".75\" stroke-opacity=\".6\" d=\"M-6 1.5l7-4M-4 3.2l7-4M-2 4.9l7-4\"/>".to_owned(),
            Self::Meadow => "<path stroke-width=\".75\" stroke-opacity=\".65\" d=\"M-2 0l-.8-2.4M-1 0v-3M0 0l.9-2.4\"/>".to_owned(),
            Self::Hill => format!("<path fill=\"{rock}\" stroke-width=\"1.1\" d=\"M-9.5 0c2.4-5.6 5.8-8.4 9.7-8.4c4.6 0 7.6 3.2 9.8 8.4\"/><path stroke-width=\".8\" d=\"M2.8-6.6q1.7 2.6 1.5 4.7M5.4-5q1 1.8.9 3.5M.4-6.8q1 1.6 1 3M7.3-2.8q.5 1 .4 2\"/>"),
            Self::Peak => format!("<path fill=\"{rock}\" stroke-width=\"1.1\" d=\"M-9 0l3.3-5.8l1.5 1l4.4-9.7l2.7 4.8l1.6-.6l5 10.3\"/><path stroke=\"none\" fill=\"{ink}\" fill-opacity=\".55\" d=\"M.2-14.5l2.7 4.8l1.6-.6l5 10.3h-5.2l-1.5-4.6l-2.2-1.8l1-2.6z\"/><path stroke-width=\".7\" d=\"M-5.6-5.5l-.2 2.6M-2.2-8.6l-1.2 4M-.4-5.6l-1.4 3.6\"/>"),
            Self::Crag => format!("<path fill=\"{rock}\" stroke-width=\"1.1\" d=\"M-10 0l4.2-8.6l1.8 1.4l2.2-4.4l2.4 3.4l2.6-4.6l2.2 4l1.2-.6l3.8 9.4\"/><path stroke=\"none\" fill=\"{ink}\" fill-opacity=\".55\" d=\"M3.2-12.8l2.2 4l1.2-.6l3.8 9.4h-5l-1.2-4.4l-1.8-1.6l1.4-3.2zM-1.8-11.6l2.4 3.4l-.8 2.6l.6 3.6l-2-3.2l.6-3z\"/><path stroke-width=\".7\" d=\"M-5.6-8.2l-.8 4M-3.4-5.6l-.8 3.4M1.6-8l-.6 4\"/>"),
            Self::Horn => format!("<path fill=\"{rock}\" stroke-width=\"1.1\" d=\"M-7 0l1.6-3.6l1.4.6l3-8.6l2.2-4.6l1.6 4.8l1.4 1l.8 3.4l1.4.6l2.6 6.4\"/><path stroke=\"none\" fill=\"{ink}\" fill-opacity=\".55\" d=\"M1.2-16.2l1.6 4.8l1.4 1l.8 3.4l1.4.6l2.6 6.4h-4.8l-.6-4l-1.8-2.4l.8-3.2l-1.6-2z\"/><path stroke-width=\".7\" d=\"M-3.8-3l-.6 2M-.8-9.4l-1 4.6M.2-5.6l-1.2 3.4\"/>"),
            Self::Wave => format!("<path stroke=\"{sea}\" d=\"M-6 0q3-3.4 6 0t6 0\"/>"),
            Self::Spiral => format!("<path stroke=\"{sea}\" stroke-width=\"1.5\" d=\"M0 0c2-3 6 0 4 3c-3 5-11 2-10-4c1-8 13-9 16-1c3 10-9 17-18 11c-9-6-7-19 2-23\"/>"),
            Self::Rock => format!("<path fill=\"{rock}\" d=\"M-4 0l2-5l2 1.4l1.6-3l2.6 6.6z\"/><path stroke=\"{sea}\" d=\"M-7 1.8q3.4-2 7 0t7 0\"/>"),
            Self::Volcano => format!("<path fill=\"{rock}\" stroke-width=\"1.1\" d=\"M-14 9l9.5-16q1 2 3 .2t3 .5q1 1 2.5-.7l9.5 16\"/><path stroke=\"none\" fill=\"{ink}\" fill-opacity=\".55\" d=\"M1.8-6.4l2.2-.6l9.5 16h-6.4z\"/><path d=\"M-1.6-9q-4-4 0-6.4t0-6M2-9.6q5-3 1.2-7q-2-3 2-5.2M-.4-4q-1.8 5 .6 12M-4.5-2q-1.5 4-1.3 9\"/>"),
            Self::Floe => format!("<path stroke=\"{sea}\" d=\"M-9 3l3-7l7-2l6 4l-2 6l-8 2zM-6-4l6 3.4l7-1.4M0-.6l-1 6\"/>"),
            Self::Saltire => "<path stroke-width=\"1.1\" d=\"M-12 12l24-24M-12-12l24 24\"/>".to_owned(),
            Self::Mesa => format!("<path fill=\"{rock}\" stroke-width=\"1.1\" d=\"M-18 5l5-11h26l5 11\"/><path stroke-width=\".8\" d=\"M-12-3l-3 6M-8-3l-2 6M-3-3l-1 6M2-3v6M7-3l1 6M12-3l3 6\"/>"),
            Self::Pool => format!("<path fill=\"{}\" stroke=\"{sea}\" d=\"M-10 0q10-7 20 0q-10 6-20 0z\"/>", palette.shallows().hex()),
            Self::Stilts => "<path d=\"M0 0q-1 3-3 4M0 0q1 3 3 4M0 0v4\"/>".to_owned(),
        }
    }
}

/// A drawing at a place of its field.
#[derive(Clone, Copy, Debug)]
struct Stamp {
    pen: Pen,
    x: f64,
    y: f64,
    size: f64,
}

const fn stamp(pen: Pen, x: f64, y: f64, size: f64) -> Stamp {
    Stamp { pen, x, y, size }
}

/// The drawings of one variant of a terrain, back to front.
fn stamps(style: TerrainStyle, variant: u32) -> Vec<Stamp> {
    let v = variant;
    // A small shift of its own for each variant and drawing.
    let shift = |n: u32| (tremble(i64::from(v), i64::from(n), 11) - 0.5) * 4.0;
    let mut list: Vec<Stamp> = match style.relief {
        Relief::Flat => flat(style.ground, v),
        Relief::Hills => {
            let m = if v.is_multiple_of(2) { 1.0 } else { -1.0 };
            let mut all = match style.ground {
                Ground::Land if v % 4 == 3 => vec![
                    stamp(Pen::Hill, -8.0 * m, -4.0, 0.95),
                    stamp(Pen::Hill, 8.0 * m, -1.0, 0.85),
                    stamp(Pen::Hill, -2.0 * m, 9.0, 0.9),
                ],
                _ => vec![
                    stamp(Pen::Hill, -7.5 * m, -3.0, 1.05),
                    stamp(Pen::Hill, 8.5 * m, 1.5, 0.92),
                ],
            };
            all.extend(foot(style.ground, v));
            all
        }
        Relief::Peaks => {
            let m = if v.is_multiple_of(2) { 1.0 } else { -1.0 };
            // Three of the three shapes, in another order and size for each variant.
            let shapes = [Pen::Peak, Pen::Crag, Pen::Horn, Pen::Peak, Pen::Crag];
            let shape = |n: u32| shapes.get((v + n) as usize % 5).copied().unwrap_or(Pen::Peak);
            let mut all = vec![
                stamp(shape(0), m, -5.0, 1.0),
                stamp(shape(2), 12.0 * m, 2.5, 0.8),
                stamp(shape(1), -7.0 * m, 5.0, 1.08),
            ];
            all.extend(foot(style.ground, v));
            all
        }
        Relief::Summit => vec![
            stamp(Pen::Peak, -1.0, 7.0, 1.75),
            stamp(Pen::Peak, -13.0, 14.0, 0.9),
            stamp(Pen::Peak, 13.0, 13.0, 0.85),
        ],
    };
    for (n, s) in list.iter_mut().enumerate() {
        s.x += shift(2 * n as u32);
        s.y += shift(2 * n as u32 + 1) * 0.6;
    }
    list.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
    list
}

/// The drawings of level ground.
fn flat(ground: Ground, v: u32) -> Vec<Stamp> {
    let trees = |pen: Pen, places: &[(f64, f64)], size: f64| -> Vec<Stamp> {
        places.iter().map(|&(x, y)| stamp(pen, x, y, size)).collect()
    };
    match ground {
        Ground::Land => match v % 4 {
            0 => vec![stamp(Pen::Furrow, -5.0, 1.0, 1.0)],
            1 => vec![stamp(Pen::Meadow, -8.0, -2.0, 1.0), stamp(Pen::Meadow, 7.0, 7.0, 1.0)],
            2 => vec![stamp(Pen::Meadow, 6.0, -6.0, 1.0)],
            _ => vec![stamp(Pen::Furrow, 5.0, 4.0, 1.0), stamp(Pen::Meadow, -10.0, -4.0, 1.0)],
        },
        Ground::Forest => trees(
            Pen::Tree,
            &[
                (-9.0, -6.0),
                (4.0, -9.0),
                (13.5, -1.0),
                (-14.0, 5.0),
                (-2.0, 3.0),
                (9.0, 11.0),
                (-6.0, 14.0),
            ],
            1.05,
        ),
        Ground::LightForest => trees(Pen::Tree, &[(-9.0, -4.0), (8.0, 1.0), (-3.0, 13.0)], 1.05),
        Ground::DeepForest => trees(
            Pen::DarkTree,
            &[
                (-8.0, -8.0),
                (4.0, -10.0),
                (13.0, -4.0),
                (-14.0, 2.0),
                (-3.0, 1.0),
                (8.0, 6.0),
                (-9.0, 11.0),
                (3.0, 15.0),
                (15.0, 10.0),
            ],
            1.05,
        ),
        Ground::Jungle => {
            let mut all = trees(
                Pen::DarkTree,
                &[
                    (-11.0, -6.0),
                    (1.0, -9.0),
                    (12.0, -5.0),
                    (-16.0, 4.0),
                    (15.0, 6.0),
                    (-1.0, 2.0),
                    (-2.0, 16.0),
                ],
                1.0,
            );
            all.extend([
                stamp(Pen::Palm, -9.0, 11.0, 1.0),
                stamp(Pen::Palm, 6.0, 9.0, 1.1),
                stamp(Pen::Palm, 12.0, 15.0, 0.85),
            ]);
            all
        }
        Ground::Mangrove => vec![
            stamp(Pen::Stilts, -8.0, -4.0, 1.0),
            stamp(Pen::Tree, -8.0, -5.0, 1.0),
            stamp(Pen::Stilts, 8.0, -6.0, 1.0),
            stamp(Pen::Tree, 8.0, -7.0, 1.0),
            stamp(Pen::Reed, -10.0, 12.0, 0.9),
            stamp(Pen::Reed, 9.0, 13.0, 0.9),
        ],
        Ground::Swamp => vec![
            stamp(Pen::Reed, -9.0, -3.0, 1.0),
            stamp(Pen::Reed, 9.0, -5.0, 1.0),
            stamp(Pen::Reed, -1.0, 12.0, 1.0),
        ],
        Ground::Steppe => {
            let mut all = trees(Pen::Tuft, &[(-9.0, -4.0), (7.0, -7.0), (11.0, 8.0), (-4.0, 11.0)], 1.0);
            if v % 2 == 1 {
                all.push(stamp(Pen::Tuft, 1.0, 2.0, 0.8));
            }
            all
        }
        Ground::Desert => vec![
            stamp(Pen::Dune, -5.0, -3.0, 1.0),
            stamp(Pen::Dune, 6.0, 11.0, 1.0),
            stamp(Pen::Stipple, -9.0, 10.0, 1.0),
            stamp(Pen::Stipple, 10.0, -8.0, 0.9),
        ],
        Ground::Oasis => vec![
            stamp(Pen::Pool, 0.0, 9.0, 1.0),
            stamp(Pen::Palm, -6.0, 6.0, 1.15),
            stamp(Pen::Palm, 6.0, 4.0, 1.25),
            stamp(Pen::Stipple, -12.0, -8.0, 1.0),
        ],
        Ground::IceDesert => vec![
            stamp(Pen::Drift, -3.0, -8.0, 1.0),
            stamp(Pen::Snow, 9.0, 2.0, 1.0),
            stamp(Pen::Snow, -11.0, 4.0, 0.8),
            stamp(Pen::Drift, 1.0, 14.0, 1.0),
        ],
        Ground::Water => vec![match v % 3 {
            0 => stamp(Pen::Wave, -6.0, -4.0, 1.0),
            1 => stamp(Pen::Wave, 5.0, 8.0, 1.0),
            _ => stamp(Pen::Wave, -2.0, 2.0, 0.8),
        }],
        Ground::DeepSea => trees(Pen::Wave, &[(-9.0, -10.0), (7.0, -3.0), (-7.0, 5.0), (6.0, 13.0)], 1.0),
        Ground::Whirlpool => vec![stamp(Pen::Spiral, 0.0, 0.0, 1.0)],
        Ground::Reef => vec![
            stamp(Pen::Rock, -8.0, 0.0, 1.0),
            stamp(Pen::Rock, 8.0, -7.0, 0.75),
            stamp(Pen::Rock, 6.0, 10.0, 0.95),
        ],
        Ground::Volcano => vec![stamp(Pen::Volcano, 0.0, 5.0, 1.0)],
        Ground::Ice => vec![stamp(Pen::Floe, -3.0, -7.0, 1.0), stamp(Pen::Floe, 5.0, 11.0, 0.8)],
        Ground::Mesa => vec![
            stamp(Pen::Mesa, 0.0, -2.0, 1.0),
            stamp(Pen::Meadow, -5.0, 13.0, 1.0),
            stamp(Pen::Meadow, 8.0, 12.0, 1.0),
        ],
        Ground::Void => vec![stamp(Pen::Saltire, 0.0, 0.0, 1.0)],
    }
}

/// What grows at the foot of hills and peaks.
fn foot(ground: Ground, v: u32) -> Vec<Stamp> {
    let row = |pen: Pen, size: f64, places: &[(f64, f64)]| -> Vec<Stamp> {
        places.iter().map(|&(x, y)| stamp(pen, x, y, size)).collect()
    };
    match ground {
        Ground::Land if v.is_multiple_of(2) => row(Pen::Meadow, 1.0, &[(3.0, 15.0)]),
        Ground::Land => row(Pen::Meadow, 1.0, &[(-9.0, 13.0), (5.0, 17.0)]),
        Ground::Forest | Ground::DeepForest => {
            row(Pen::Fir, 1.0, &[(-13.5, 12.0), (-5.0, 17.0), (4.5, 13.5), (12.5, 16.0)])
        }
        Ground::LightForest => row(Pen::Tree, 0.9, &[(-10.0, 13.0), (2.0, 16.0), (12.0, 12.0)]),
        Ground::Jungle => {
            let mut all = row(Pen::Palm, 0.95, &[(-12.0, 17.0), (5.0, 18.5)]);
            all.extend(row(Pen::DarkTree, 0.95, &[(-4.0, 14.0), (13.0, 14.0)]));
            all
        }
        Ground::Swamp | Ground::Mangrove => row(Pen::Reed, 0.9, &[(-9.0, 14.0), (8.0, 15.0)]),
        Ground::Steppe => row(Pen::Tuft, 1.0, &[(-11.0, 13.0), (1.0, 17.0), (12.0, 13.0)]),
        Ground::Desert | Ground::Oasis => {
            let mut all = row(Pen::Dune, 0.9, &[(-4.0, 16.0)]);
            all.extend(row(Pen::Stipple, 0.9, &[(9.0, 14.0)]));
            all
        }
        Ground::IceDesert | Ground::Ice => {
            let mut all = row(Pen::Snow, 0.8, &[(-11.0, 13.0)]);
            all.extend(row(Pen::Drift, 0.8, &[(5.0, 16.0)]));
            all
        }
        _ => Vec::new(),
    }
}

/// The bold mark of a terrain on a far map: filled shapes, lines, and lines in the colour of the sea.
fn far_mark(style: TerrainStyle) -> String {
    const LINE: &str = "fill=\"none\"";
    let relief = match style.relief {
        Relief::Flat => String::new(),
        Relief::Hills => format!("<path {LINE} d=\"M-13-7q13-14 26 0\"/>"),
        Relief::Peaks => "<path stroke=\"none\" d=\"M-13-4l13-17l13 17z\"/>".to_owned(),
        Relief::Summit => "<path stroke=\"none\" d=\"M-19 14l19-34l19 34z\"/>".to_owned(),
    };
    let ground = match style.ground {
        Ground::Land => String::new(),
        Ground::Forest => "<circle stroke=\"none\" cy=\"5\" r=\"7.5\"/>".to_owned(),
        Ground::LightForest => format!("<circle {LINE} r=\"7\"/>"),
        Ground::DeepForest => "<circle stroke=\"none\" cx=\"-7\" cy=\"4\" r=\"6.5\"/><circle stroke=\"none\" cx=\"7\" cy=\"4\" r=\"6.5\"/>".to_owned(),
        Ground::Jungle => "<circle stroke=\"none\" cx=\"-8\" cy=\"7\" r=\"6\"/><circle stroke=\"none\" cx=\"8\" cy=\"7\" r=\"6\"/><circle stroke=\"none\" cy=\"-5\" r=\"6\"/>".to_owned(),
        Ground::Mangrove => format!("<path {LINE} d=\"M-12 11h24\"/><circle stroke=\"none\" cy=\"-5\" r=\"7.5\"/>"),
        Ground::Swamp => format!("<path {LINE} d=\"M-14 2h28M-8 11h16\"/>"),
        Ground::Steppe => format!("<path {LINE} d=\"M-10 1l10 11l10-11\"/>"),
        Ground::Desert => format!("<path {LINE} stroke-width=\"6\" d=\"M-11 5h.1M0 11h.1M11 5h.1\"/>"),
        Ground::Oasis => format!("<path {LINE} d=\"M0 13v-18M-12-6q12-10 24 0\"/>"),
        Ground::IceDesert => format!("<path {LINE} d=\"M0-4v18M-8 0l16 10M8 0l-16 10\"/>"),
        Ground::Water => "<path fill=\"none\" stroke=\"SEA\" stroke-width=\"3\" d=\"M-8 0q4-5 8 0t8 0\"/>".to_owned(),
        Ground::DeepSea => "<path fill=\"none\" stroke=\"SEA\" d=\"M-15 0q7.5-9 15 0t15 0\"/>".to_owned(),
        Ground::Whirlpool => format!("<circle {LINE} r=\"11\"/><circle stroke=\"none\" r=\"4\"/>"),
        Ground::Reef => "<path stroke=\"none\" d=\"M-11 8l5-12l6 12zM1 8l5-12l6 12z\"/>".to_owned(),
        Ground::Volcano => format!("<path stroke=\"none\" d=\"M-14 12l14-22l14 22z\"/><path {LINE} d=\"M0-14v-8\"/>"),
        Ground::Ice => format!("<path {LINE} d=\"M-13-9l26 18M13-9l-26 18\"/>"),
        Ground::Mesa => format!("<path {LINE} d=\"M-15 8l5-14h20l5 14\"/>"),
        Ground::Void => format!("<path {LINE} d=\"M-13-13l26 26M13-13l-26 26\"/>"),
    };
    relief + &ground
}

/// Collects the drawings and patterns a map needs.
pub(crate) struct PatternBook<'a> {
    prefix: &'a str,
    palette: &'a Palette,
    orientation: Orientation,
    far: bool,
    pens: Vec<Pen>,
    patterns: String,
}

impl<'a> PatternBook<'a> {
    pub fn new(prefix: &'a str, palette: &'a Palette, orientation: Orientation, far: bool) -> Self {
        Self {
            prefix,
            palette,
            orientation,
            far,
            pens: Vec::new(),
            patterns: String::new(),
        }
    }

    /// Adds the pattern of a terrain under a number; returns the value of `fill`, empty where there is nothing to draw.
    pub fn add(&mut self, style: TerrainStyle, number_of_pattern: usize) -> String {
        let id = format!(
            "{}-{}{number_of_pattern}",
            self.prefix,
            if self.far { "q" } else { "t" }
        );
        let (columns, rows) = if self.far { (1, 2) } else { (2, 4) };
        let (width, height) = (f64::from(columns) * 52.0, f64::from(rows) * 45.0);
        let size = self.turned(point(width, -height));
        let mut body = String::new();
        let mut variant = 0;
        for row in 0..rows {
            for column in 0..columns {
                let x = f64::from(column) * 52.0 + f64::from(row % 2) * 26.0;
                let y = f64::from(row) * 45.0;
                let mark = if self.far {
                    far_mark(style).replace("SEA", &self.palette.sea_ink.hex())
                } else {
                    self.near_mark(style, variant)
                };
                variant += 1;
                if mark.is_empty() {
                    continue;
                }
                // Fields on the tile's rim show in it twice or four times.
                for (copy_x, copy_y) in [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)] {
                    if (copy_x > 0.0 && x > 0.0) || (copy_y > 0.0 && y > 0.0) {
                        continue;
                    }
                    let p = self.turned(point(x + copy_x, -(y + copy_y)));
                    body += &format!("<g transform=\"translate({} {})\">{mark}</g>", number(p.x), number(p.y));
                }
            }
        }
        if body.is_empty() {
            return body;
        }
        let ink = self.palette.ink.hex();
        let pen = if self.far {
            format!("fill=\"{ink}\" fill-opacity=\".85\" stroke=\"{ink}\" stroke-opacity=\".85\" stroke-width=\"4\"")
        } else {
            format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\".9\"")
        };
        self.patterns += &format!(
            "<pattern id=\"{id}\" width=\"{w}\" height=\"{h}\" patternUnits=\"userSpaceOnUse\"><g {pen} stroke-linecap=\"round\" stroke-linejoin=\"round\">{body}</g></pattern>\n",
            w = number(size.x),
            h = number(size.y),
        );
        format!("url(#{id})")
    }

    /// A tile that grows south on the pointy lattice grows east on the flat one; both run from the origin.
    fn turned(&self, p: Point) -> Point {
        match self.orientation {
            Orientation::PointyTop => point(p.x, -p.y),
            Orientation::FlatTop => point(-p.y, p.x),
        }
    }

    fn near_mark(&mut self, style: TerrainStyle, variant: u32) -> String {
        let mut out = String::new();
        for s in stamps(style, variant) {
            if !self.pens.contains(&s.pen) {
                self.pens.push(s.pen);
            }
            out += &format!("<use href=\"#{}-{}\" ", self.prefix, s.pen.id());
            let (x, y) = (number(s.x), number(s.y));
            out += &if s.size == 1.0 {
                format!("x=\"{x}\" y=\"{y}\"/>")
            } else {
                format!("transform=\"translate({x} {y})scale({})\"/>", s.size)
            };
        }
        out
    }

    /// The drawings and the patterns for `<defs>`.
    pub fn definitions(mut self) -> String {
        self.pens.sort_unstable();
        let mut out = String::new();
        for pen in self.pens {
            out += &format!(
                "<g id=\"{}-{}\">{}</g>\n",
                self.prefix,
                pen.id(),
                pen.strokes(self.palette)
            );
        }
        out + &self.patterns
    }
}
