//! The row of fields as a board: a host marches by clicks, and digging throws a die.

use super::{FIELDS, Notice, Order, Tables, View, orders};
use kernel::board::{Board, Chance, Frame, Level, Offer, Opening, Piece, STEPS, Shape, TURN};
use kernel::diagnostic::{Name, Value};
use kernel::map::{Field, Knowledge, Scene, Side, Spot};
use kernel::realm::{RealmId, Viewer};
use kernel::report::Term;

fn term(key: &'static str, args: Vec<(Name, Value)>) -> Term {
    Term {
        key: Name::Borrowed(key),
        args,
    }
}

fn spot(field: i64) -> Spot {
    Spot::new(i32::try_from(field).unwrap_or(0) * 2, 0)
}

/// The realm that looks, or nobody.
fn own(view: &View) -> Option<RealmId> {
    match view.viewer {
        Viewer::Realm(realm) => Some(realm),
        Viewer::GameMaster => None,
    }
}

/// Where the viewer's host is after his draft, and whether that throws dice.
fn after(view: &View, draft: &str) -> (Option<i64>, bool) {
    let mut at = view.me.as_ref().map(|me| me.at);
    for order in orders::parse(draft.as_bytes()).orders {
        match order.value {
            Order::March(to) if (0..FIELDS).contains(&to) => at = at.map(|_| to),
            Order::March(_) | Order::Pray => {}
            Order::Dig => return (at, true),
        }
    }
    (at, false)
}

fn piece(view: &View, at: i64, can_act: bool) -> Option<Piece> {
    let me = view.me.as_ref()?;
    Some(Piece {
        name: me.name.clone(),
        kind: Name::Borrowed("host"),
        shape: Shape::Person,
        owner: own(view),
        place: at.to_string(),
        can_act,
        ..Piece::default()
    })
}

/// The board.
pub fn board(view: &View, draft: &str) -> Board {
    let (at, rolls) = after(view, draft);
    let mut board = Board {
        scene: Scene {
            game: "toy".to_owned(),
            own_realm: own(view).map(|realm| realm.0),
            ..Scene::default()
        },
        notes: vec![term("step", Vec::new())],
        mover: own(view),
        open: view.me.is_some() && !rolls,
        rolls,
        findings: orders::parse(draft.as_bytes()).diagnostics,
        ..Board::default()
    };
    for field in 0..FIELDS {
        let label = field.to_string();
        board.scene.fields.push(Field {
            at: spot(field),
            terrain: "row".to_owned(),
            knowledge: Knowledge::Now,
            label: label.clone(),
            ..Field::default()
        });
        let level = |place: String, height| Level {
            place,
            at: spot(field),
            height,
            name: term("step", Vec::new()),
            room: Some((4, 1)),
            openings: vec![(Side::West, Opening::Shut)],
        };
        board.levels.push(Level {
            openings: Vec::new(),
            ..level(label.clone(), 0)
        });
        // At the end of the row stands a tower.
        if field + 1 == FIELDS {
            board.levels.push(level(format!("{label}.1"), 1));
        }
    }
    board.pieces = at.and_then(|at| piece(view, at, !rolls)).into_iter().collect();
    board
}

/// What the host can do.
pub fn offers(tables: &Tables, view: &View, draft: &str, wanted: Option<&str>) -> Vec<Offer> {
    let (Some(at), false) = after(view, draft) else {
        return Vec::new();
    };
    let host = view.me.as_ref().map(|me| me.name.as_str());
    let mut offers = Vec::new();
    if wanted.is_some() && wanted == host {
        for to in [at - 1, at + 1].into_iter().filter(|to| (0..FIELDS).contains(to)) {
            offers.push(Offer {
                label: term("march", vec![("to".into(), to.into())]),
                group: Name::Borrowed(STEPS),
                sort: None,
                place: Some(to.to_string()),
                target: None,
                line: format!("MARCH {to}"),
                rolls: false,
                chances: Vec::new(),
            });
        }
        let chance = |key: &'static str, cases| Chance {
            key: Name::Borrowed(key),
            cases,
            of: u64::try_from(tables.gold_max).unwrap_or(1).max(1),
        };
        offers.push(Offer {
            label: term("dig", Vec::new()),
            group: Name::Borrowed("dig"),
            sort: None,
            place: Some(at.to_string()),
            target: None,
            line: "DIG".into(),
            rolls: true,
            chances: vec![chance("a-little", 3), chance("much", 3)],
        });
    }
    if wanted.is_none() {
        offers.push(Offer {
            label: term("pray", Vec::new()),
            group: Name::Borrowed(TURN),
            sort: None,
            place: None,
            target: None,
            line: "PRAY".into(),
            rolls: false,
            chances: Vec::new(),
        });
    }
    offers
}

/// The marches and findings of a step.
pub fn frames(before: &View, after: &View) -> Vec<Frame> {
    let own = before.me.as_ref().map(|me| me.name.as_str());
    after
        .told
        .iter()
        .map(|told| {
            let (key, name, number) = match &told.notice {
                Notice::Marched(name, to) => ("marched", name, *to),
                Notice::Gold(name, gold) => ("gold", name, *gold),
                Notice::Seen(name) => ("seen", name, 0),
            };
            let moved = matches!(told.notice, Notice::Marched(..)) && own == Some(name.as_str());
            Frame {
                text: term(
                    key,
                    vec![("who".into(), name.clone().into()), ("number".into(), number.into())],
                ),
                why: told.why.clone(),
                changed: moved
                    .then(|| piece(after, number, false))
                    .flatten()
                    .into_iter()
                    .collect(),
                gone: Vec::new(),
                levels: Vec::new(),
                places: moved.then(|| number.to_string()).into_iter().collect(),
            }
        })
        .collect()
}
