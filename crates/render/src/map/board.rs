//! A board with its pieces: counters on the map's ground, in the inks of their owners.
//!
//! [`live`] draws it for a page, [`svg`] as a sheet to keep. Each piece is a group of its own with its name in `data-piece`, so that a
//! script can move it; [`seats`] tells where.

mod layout;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};

use kernel::board::{Board, Level, Opening, Piece};
use kernel::map::{Orientation, Scene, Side, Spot};

use super::palette::{LIVE, Palette};
use super::write::{escaped, number, shortened};
use super::{MapOptions, SANS};
pub use layout::{Seat, centre, seats};
use shapes::Part;

/// Corners of a field around its middle, clockwise from the top; side `k` joins the corners `k` and `k + 1`.
const CORNERS: [(f64, f64); 6] = [
    (0.0, -30.0),
    (26.0, -15.0),
    (26.0, 15.0),
    (0.0, 30.0),
    (-26.0, 15.0),
    (-26.0, -15.0),
];

/// How a board is drawn on a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoardOptions<'a> {
    /// What ids inside the picture begin with.
    pub id: &'a str,
    /// The piece that is chosen.
    pub chosen: Option<&'a str>,
    /// What lies between the ground and the counters: mark-up in units of the drawing.
    pub below: &'a str,
    /// What lies above the counters.
    pub above: &'a str,
}

/// Where buildings and counters go into the drawing of a ground. No text of a drawing can say this, because it is escaped.
const HERE: &str = "<!--pieces-->";

/// The board for a page: its ground as the map of a page, its counters, and what lies above them.
pub fn live(board: &Board, options: &BoardOptions<'_>) -> String {
    live_over(&live_ground(&live_scene(board), options.id), board, options)
}

/// Everything that the ground of a board for a page shows: two boards that agree in this have the same ground.
pub fn live_scene(board: &Board) -> Scene {
    let mut scene = ground(board);
    // They change with every turn and are not drawn.
    scene.caption = None;
    scene.subtitle.clear();
    scene
}

/// The ground of a board for a page, of [`live_scene`]. It is dear to draw and seldom changes.
pub fn live_ground(scene: &Scene, id: &str) -> String {
    let map = MapOptions {
        id: id.to_owned(),
        layers: super::Layers {
            ornaments: false,
            realms: false,
            ..super::Layers::ALL
        },
        overlay: HERE.to_owned(),
        ..MapOptions::default()
    };
    super::live(scene, &map)
}

/// A board upon its ground as [`live_ground`] drew it.
pub fn live_over(ground: &str, board: &Board, options: &BoardOptions<'_>) -> String {
    let (before, behind) = ground.split_once(HERE).unwrap_or((ground, ""));
    let mut out = before.to_owned();
    out += &rim(board, &LIVE);
    out += &plans(board, &LIVE);
    out += options.below;
    out += &counters(board, &LIVE, options.chosen);
    out += options.above;
    out + behind
}

/// The board as a stand-alone sheet.
pub fn svg(board: &Board, options: &MapOptions) -> String {
    let palette = options.theme.palette();
    let mut overlay = rim(board, palette);
    overlay += &plans(board, palette);
    overlay += &counters(board, palette, None);
    let options = MapOptions {
        overlay,
        ..options.clone()
    };
    super::svg(&ground(board), &options)
}

/// One counter for a page, 30 units wide and high around 0/0.
pub fn live_counter(scene: &Scene, piece: &Piece, height: i8) -> String {
    counter(scene, piece, height, &LIVE)
}

/// Buildings seen from above, for a page.
pub fn live_plans(board: &Board) -> String {
    plans(board, &LIVE)
}

/// The scene without what the plans of buildings show better.
fn ground(board: &Board) -> Scene {
    let built = built(&board.levels);
    let mut scene = board.scene.clone();
    scene.armies.clear();
    scene.places.retain(|place| !built.contains(&place.at));
    scene
}

/// Fields with storeys.
fn built(levels: &[Level]) -> BTreeSet<Spot> {
    let raised = levels.iter().filter(|level| level.height > 0);
    raised.map(|level| level.at).collect()
}

fn turned(orientation: Orientation, (x, y): (f64, f64)) -> (f64, f64) {
    match orientation {
        Orientation::PointyTop => (x, y),
        Orientation::FlatTop => (-y, -x),
    }
}

/// Where a side looks, in degrees clockwise from the east.
fn bearing(orientation: Orientation, side: Side) -> f64 {
    let next = (side.index() + 1) % 6;
    let corner = |n: usize| CORNERS.get(n).copied().unwrap_or_default();
    let (a, b) = (corner(side.index()), corner(next));
    let (x, y) = turned(orientation, (a.0 + b.0, a.1 + b.1));
    y.atan2(x).to_degrees()
}

/// The fields beyond the sides of a field, as steps of columns and rows.
const BEYOND: [(i32, i32); 6] = [(1, 1), (2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1)];

/// The edge of the board: every side of a field beyond which there is none.
fn rim(board: &Board, palette: &Palette) -> String {
    let orientation = board.scene.orientation;
    let fields: BTreeSet<Spot> = board.levels.iter().map(|level| level.at).collect();
    let mut path = String::new();
    for at in &fields {
        let (x, y) = centre(orientation, *at);
        let corner = |n: usize| {
            let (cx, cy) = turned(orientation, CORNERS.get(n % 6).copied().unwrap_or_default());
            format!("{} {}", number(x + cx), number(y + cy))
        };
        for (side, (d, up)) in BEYOND.into_iter().enumerate() {
            let beyond = Spot {
                d: at.d + d,
                y: at.y + up,
            };
            if !fields.contains(&beyond) {
                path += &format!("M{}L{}", corner(side), corner(side + 1));
            }
        }
    }
    format!(
        "<path class=\"boardrim\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.2\" stroke-linecap=\"round\" d=\"{path}\"/>\n",
        palette.ink.hex()
    )
}

/// Buildings seen from above: a ring of stone, with what its walls have in them.
fn plans(board: &Board, palette: &Palette) -> String {
    let orientation = board.scene.orientation;
    let built = built(&board.levels);
    let owners: BTreeMap<Spot, Option<u16>> = board.scene.places.iter().map(|place| (place.at, place.owner)).collect();
    let (ink, stone) = (palette.ink.hex(), palette.rock.hex());
    let mut body = String::new();
    for at in &built {
        let (x, y) = centre(orientation, *at);
        let ring = |share: f64| -> String {
            let points = CORNERS.iter().map(|(cx, cy)| {
                let (px, py) = turned(orientation, (cx * share, cy * share));
                format!("{} {}", number(px), number(py))
            });
            points.collect::<Vec<_>>().join("L")
        };
        let wash = match owners.get(at).copied().flatten() {
            Some(owner) => palette.realm_ink(slot(&board.scene, owner)).hex(),
            None => palette.soft_ink.hex(),
        };
        body += &format!(
            "<g transform=\"translate({} {})\"><path fill=\"{stone}\" stroke=\"{ink}\" stroke-width=\"1.4\" stroke-linejoin=\"round\" fill-rule=\"evenodd\" d=\"M{}zM{}z\"/><path fill=\"{wash}\" fill-opacity=\".16\" stroke=\"{wash}\" stroke-width=\"1.2\" d=\"M{}z\"/>",
            number(x),
            number(y),
            ring(0.93),
            ring(0.76),
            ring(0.75),
        );
        for (cx, cy) in CORNERS {
            let (px, py) = turned(orientation, (cx * 0.86, cy * 0.86));
            body += &format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"4.6\" fill=\"{stone}\" stroke=\"{ink}\" stroke-width=\"1.2\"/>",
                number(px),
                number(py)
            );
        }
        body += "</g>";
    }
    let mut lowest: BTreeMap<(Spot, Side), (i8, Opening)> = BTreeMap::new();
    for level in &board.levels {
        for (side, opening) in &level.openings {
            let here = lowest.entry((level.at, *side)).or_insert((level.height, *opening));
            if level.height < here.0 {
                *here = (level.height, *opening);
            }
        }
    }
    for ((at, side), (_, opening)) in lowest {
        let (x, y) = centre(orientation, at);
        body += &format!(
            "<g class=\"opening {}\" transform=\"translate({} {}) rotate({})\">{}</g>",
            opening_name(opening),
            number(x),
            number(y),
            number(bearing(orientation, side)),
            opening_drawing(opening, palette),
        );
    }
    if body.is_empty() {
        return body;
    }
    format!("<g data-layer=\"buildings\" aria-hidden=\"true\">{body}</g>\n")
}

/// The name of an opening, as class and as the end of its key of a word.
pub const fn opening_name(opening: Opening) -> &'static str {
    match opening {
        Opening::Shut => "shut",
        Opening::Open => "open",
        Opening::Broken => "broken",
        Opening::Loophole => "loophole",
        Opening::Breach => "breach",
    }
}

/// An opening in the eastern wall of a field at 0/0.
fn opening_drawing(opening: Opening, palette: &Palette) -> String {
    let (ink, halo, red) = (palette.ink.hex(), palette.halo.hex(), palette.red.hex());
    match opening {
        Opening::Shut => format!(
            "<path fill=\"{ink}\" stroke=\"{halo}\" stroke-width=\".8\" d=\"M18.5-7h7v14h-7z\"/><path fill=\"none\" stroke=\"{halo}\" stroke-width=\".8\" d=\"M22-7v14M18.5-2.5h7M18.5 2.5h7\"/>"
        ),
        Opening::Open => format!(
            "<path fill=\"{halo}\" stroke=\"{ink}\" stroke-width=\"1\" d=\"M18-7h8v14h-8z\"/><path fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.8\" stroke-linecap=\"round\" d=\"M19-7l-5-4M19 7l-5 4\"/>"
        ),
        Opening::Broken => format!(
            "<path fill=\"{halo}\" stroke=\"{red}\" stroke-width=\"1\" d=\"M18-7h8v14h-8z\"/><path fill=\"none\" stroke=\"{red}\" stroke-width=\"2\" stroke-linecap=\"round\" stroke-linejoin=\"round\" d=\"M19.5-6l5 3l-4.5 2.5l4.5 3l-4.5 3\"/>"
        ),
        Opening::Loophole => format!("<path fill=\"{ink}\" d=\"M19-1.1h6v2.2h-6z\"/>"),
        Opening::Breach => format!(
            "<path fill=\"{halo}\" stroke=\"{red}\" stroke-width=\"1\" stroke-dasharray=\"2 1.5\" d=\"M18-11h8v22h-8z\"/><path fill=\"{ink}\" d=\"M20-7l2.5-1l.5 2.5zM23-1l2 1.5l-2.5 1zM19.5 4l3-.5l-1 2.5z\"/>"
        ),
    }
}

fn slot(scene: &Scene, realm: u16) -> u16 {
    scene.realms.get(&realm).map_or(realm, |realm| realm.slot)
}

/// Every piece as a counter, lower ones of a pile first.
fn counters(board: &Board, palette: &Palette, chosen: Option<&str>) -> String {
    let seats = seats(board.scene.orientation, &board.levels, &board.pieces);
    let heights: BTreeMap<&str, i8> = board
        .levels
        .iter()
        .map(|level| (level.place.as_str(), level.height))
        .collect();
    let mut out = format!(
        "<g data-layer=\"pieces\" font-family=\"{SANS}\" font-weight=\"700\" text-anchor=\"middle\" aria-hidden=\"true\">"
    );
    let mut badges = String::new();
    for seat in &seats {
        let Some(piece) = board.pieces.get(seat.piece) else {
            continue;
        };
        let height = heights.get(piece.place.as_str()).copied().unwrap_or_default();
        out += &format!(
            "<g class=\"pc{}{}\" data-piece=\"{}\" transform=\"translate({} {}) scale({})\">",
            if piece.can_act { " can" } else { "" },
            if chosen == Some(piece.name.as_str()) {
                " chosen"
            } else {
                ""
            },
            escaped(&shortened(&piece.name, 40)),
            number(seat.x),
            number(seat.y),
            scale(seat.size),
        );
        out += &counter(&board.scene, piece, height, palette);
        if chosen == Some(piece.name.as_str()) {
            out += &format!(
                "<circle r=\"17.5\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.6\" stroke-dasharray=\"5 3\"/>",
                palette.red.hex()
            );
        }
        out += "</g>";
        if seat.pile > 1 {
            badges += &badge(seat, palette);
        }
    }
    out += "</g>\n";
    if !badges.is_empty() {
        out += &format!(
            "<g data-layer=\"badges\" font-family=\"{SANS}\" font-weight=\"700\" text-anchor=\"middle\" aria-hidden=\"true\">{badges}</g>\n"
        );
    }
    out
}

/// The factor of a counter of this width, as text for a transform.
pub fn scale(size: f64) -> String {
    let text = format!("{:.3}", size / 25.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// How many lie in a pile.
fn badge(seat: &Seat, palette: &Palette) -> String {
    let r = (seat.size * 0.3).max(4.2);
    format!(
        "<g transform=\"translate({} {})\"><circle r=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\".9\"/><text y=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text></g>",
        number(seat.x + seat.size * 0.42),
        number(seat.y - seat.size * 0.42),
        number(r),
        palette.halo.hex(),
        palette.ink.hex(),
        number(r * 0.46),
        number(r * 1.35),
        palette.ink.hex(),
        seat.pile
    )
}

/// A counter at 0/0, 25 units wide.
fn counter(scene: &Scene, piece: &Piece, height: i8, palette: &Palette) -> String {
    let slot_of = piece.owner.map(|owner| slot(scene, owner.0));
    let (fill, mark, edge) = match slot_of {
        Some(slot) => (
            palette.realm_ink(slot).hex(),
            palette.flag_text.hex(),
            palette.halo.hex(),
        ),
        None => (palette.halo.hex(), palette.ink.hex(), palette.ink.hex()),
    };
    let rim = shapes::rim(slot_of);
    let mut out = String::new();
    if let Some(side) = piece.facing {
        out += &format!(
            "<path fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1\" d=\"M18.5 0l-8 6.5v-13z\" transform=\"rotate({})\"/>",
            number(bearing(scene.orientation, side))
        );
    }
    let dash = slot_of.map(|slot| palette.realm_dash(slot, 1.2)).unwrap_or_default();
    let dash = if dash.is_empty() {
        String::new()
    } else {
        format!(" stroke-dasharray=\"{dash}\"")
    };
    out += &format!(
        "<path class=\"rim\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1.4\" d=\"{rim}\"/><path fill=\"none\" stroke=\"{mark}\" stroke-opacity=\".65\" stroke-width=\"1\"{dash} transform=\"scale(.86)\" d=\"{rim}\"/>"
    );
    out += &format!(
        "<g class=\"sign\" transform=\"scale(.92)\" stroke=\"{mark}\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    );
    for part in shapes::sign(piece.shape) {
        out += &match part {
            Part::Solid(data) => format!("<path fill=\"{mark}\" stroke-width=\".4\" d=\"{data}\"/>"),
            Part::Line(data) => format!("<path fill=\"none\" stroke-width=\"1.8\" d=\"{data}\"/>"),
        };
    }
    out += "</g>";
    let pips = f64::from(piece.rank.min(5));
    for n in 0..piece.rank.min(5) {
        let x = (f64::from(n) - (pips - 1.0) / 2.0) * 3.6;
        out += &format!("<circle cx=\"{}\" cy=\"9.3\" r=\"1.3\" fill=\"{mark}\"/>", number(x));
    }
    if height > 0 {
        let tag = piece
            .place
            .rsplit_once('.')
            .map_or_else(|| height.to_string(), |(_, tag)| tag.to_owned());
        out += &format!(
            "<path fill=\"{}\" stroke=\"{}\" stroke-width=\".9\" d=\"M-13.5-14h9.5v8.5h-9.5z\"/><text x=\"-8.8\" y=\"-7.2\" font-size=\"8\" fill=\"{}\">{}</text>",
            palette.halo.hex(),
            palette.ink.hex(),
            palette.ink.hex(),
            escaped(&shortened(&tag, 2))
        );
    }
    if !piece.states.is_empty() {
        out += &format!(
            "<path fill=\"{}\" stroke=\"{}\" stroke-width=\".8\" d=\"M9.5 5l1.3 3l3.2.3l-2.4 2.1l.7 3.2l-2.8-1.7l-2.8 1.7l.7-3.2l-2.4-2.1l3.2-.3z\"/>",
            palette.mark.hex(),
            palette.ink.hex()
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::board::Shape;
    use kernel::map::{Field, Knowledge};
    use kernel::realm::RealmId;
    use kernel::report::Term;

    fn board() -> Board {
        let at = Spot::new(0, 0);
        let level = |place: &str, height| Level {
            place: place.into(),
            at,
            height,
            name: Term {
                key: "storey".into(),
                args: Vec::new(),
            },
            room: Some((7, 2)),
            openings: vec![(Side::East, Opening::Shut)],
        };
        let mut board = Board {
            levels: vec![level("1", 0), level("1.P", 1)],
            ..Board::default()
        };
        board.scene.fields.push(Field {
            at,
            knowledge: Knowledge::Now,
            label: "1".into(),
            ..Field::default()
        });
        board.pieces = vec![
            Piece {
                name: "S#1\"><script>".into(),
                kind: "S".into(),
                shape: Shape::Sword,
                owner: Some(RealmId(1)),
                place: "1".into(),
                facing: Some(Side::NorthWest),
                rank: 200,
                states: vec!["acted".into()],
                can_act: true,
                ..Piece::default()
            },
            Piece {
                name: "B#1".into(),
                kind: "B".into(),
                shape: Shape::Bow,
                owner: Some(RealmId(2)),
                place: "1.P".into(),
                ..Piece::default()
            },
        ];
        board
    }

    #[test]
    fn the_edge_of_the_board_runs_around_all_fields_and_not_between_them() {
        let sides = |picture: &str| {
            let path = picture
                .split("class=\"boardrim\"")
                .nth(1)
                .and_then(|rest| rest.split('>').next());
            path.map(|path| path.matches('M').count())
        };
        let mut board = board();
        assert_eq!(sides(&live(&board, &BoardOptions::default())), Some(6));
        assert_eq!(sides(&svg(&board, &MapOptions::default())), Some(6));
        let beside = Level {
            place: "2".into(),
            at: Spot::new(2, 0),
            ..board.levels[0].clone()
        };
        board.levels.push(beside);
        // Two fields side by side: twelve sides less the two that they share.
        assert_eq!(sides(&live(&board, &BoardOptions::default())), Some(10));
    }

    #[test]
    fn a_name_that_is_markup_stays_a_name() {
        let options = BoardOptions {
            id: "b",
            ..BoardOptions::default()
        };
        let picture = live(&board(), &options);
        assert!(!picture.contains("<script>"));
        assert!(picture.contains("data-piece=\"B#1\""));
        assert!(picture.ends_with("</svg>\n"));
    }

    #[test]
    fn a_ground_that_was_drawn_before_serves_another_turn() {
        let options = BoardOptions {
            id: "b",
            ..BoardOptions::default()
        };
        let mut board = board();
        // Somebody who calls his battle like the mark of the counters gets no second set of them.
        board.scene.title = HERE.to_owned();
        let kept = live_ground(&live_scene(&board), "b");
        board.scene.subtitle = "another turn".into();
        board.pieces.truncate(1);
        let picture = live_over(&kept, &board, &options);
        assert_eq!(picture, live(&board, &options));
        assert_eq!(picture.matches("data-layer=\"pieces\"").count(), 1);
        assert!(picture.contains("data-piece=") && !picture.contains("data-piece=\"B#1\""));
        // Another ground is another key.
        let scene = live_scene(&board);
        board.scene.fields[0].height = 1;
        assert_ne!(live_scene(&board), scene);
    }

    #[test]
    fn every_shape_can_be_drawn_as_a_picture() {
        let shapes = [
            Shape::Person,
            Shape::Sword,
            Shape::Lance,
            Shape::Axe,
            Shape::Bow,
            Shape::King,
            Shape::Wizard,
            Shape::Catapult,
            Shape::SiegeTower,
            Shape::Dragon,
            Shape::Rider,
        ];
        let mut board = board();
        board.pieces = shapes
            .into_iter()
            .zip(0u16..)
            .map(|(shape, n)| Piece {
                name: format!("X#{n}"),
                kind: format!("X{n}").into(),
                shape,
                owner: (n > 0).then_some(RealmId(n)),
                place: "1".into(),
                ..Piece::default()
            })
            .collect();
        let sheet = svg(&board, &MapOptions::default());
        let picture = crate::png::png(&sheet, 0.5).unwrap();
        assert!(picture.starts_with(b"\x89PNG"));
    }

    #[test]
    fn a_side_looks_where_the_lattice_says() {
        assert!(bearing(Orientation::PointyTop, Side::East).abs() < 0.01);
        assert!((bearing(Orientation::PointyTop, Side::West).abs() - 180.0).abs() < 0.01);
        assert!(bearing(Orientation::PointyTop, Side::NorthEast) < 0.0);
        // With flat tops the second side is the northern one.
        assert!((bearing(Orientation::FlatTop, Side::East) + 90.0).abs() < 0.01);
    }
}
