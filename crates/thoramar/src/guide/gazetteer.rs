//! The known map as text, for whoever cannot or will not look at a picture: landmarks, bodies of land and sea, and every
//! field with what lies around it, north to south and west to east.

use super::dossier::terrain_word;
use super::{int, line, section};
use crate::codes::Terrain;
use crate::geo::Place;
use crate::report::building_word;
use crate::rule;
use crate::state::{Glimpse, SeenArmy};
use crate::tables::Tables;
use crate::view::{FieldView, View};
use kernel::hex::Direction;
use kernel::report::{Arg, Phrase, ReportSink};
use kernel::rule::RuleId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

const RULES: [RuleId; 5] = [rule::MAP_01, rule::MAP_04, rule::MAP_05, rule::TERR_01, rule::SIGHT_01];

/// Writes everything that the viewer knows of the map.
pub(super) fn write(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    let number = [("n", int(i64::try_from(view.fields.len()).unwrap_or(i64::MAX)))];
    let size = [number_of_fields(&number)];
    let args = [("size", Arg::List(&size, "")), ("turn", int(view.turn))];
    section(sink, "gazetteer", &args, &RULES, |sink| {
        landmarks(tables, view, sink);
        bodies(tables, view, sink);
        rows(view, sink);
    });
}

/// `1 field`, `2 fields`.
fn number_of_fields<'a>(n: &'a [(&'a str, Arg<'a>); 1]) -> Phrase<'a> {
    let [(_, number)] = n;
    let key = if *number == Arg::Int(1) { "one-field" } else { "fields" };
    Phrase { key, args: n }
}

/// Fields in reading order.
fn in_order(view: &View) -> Vec<(Place, &FieldView)> {
    let mut fields: Vec<(Place, &FieldView)> = view.fields.iter().map(|(place, field)| (*place, field)).collect();
    fields.sort_by_key(|(place, _)| (Reverse(place.y), place.x));
    fields
}

/// Buildings and own armies, with their distance and bearing from 0/0.
fn landmarks(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    section(
        sink,
        "gazetteer-landmarks",
        &[],
        &[rule::MAP_07, rule::SIGHT_01],
        |sink| {
            for (place, field) in in_order(view) {
                let Some(building) = field.glimpse.building else {
                    continue;
                };
                let own = field.own.as_ref().and_then(|own| own.site.as_ref());
                let name = own.map_or("", |site| tables.spoken(&site.name));
                let owner = field.glimpse.owner;
                // The game master knows every name, and nothing is his own.
                let key = match (Some(owner) == view.realm(), owner.is_played(), name.is_empty()) {
                    (true, _, false) => "landmark-own",
                    (true, _, true) => "landmark-nameless",
                    (false, true, false) => "landmark-named",
                    (false, true, true) => "landmark",
                    (false, false, false) => "landmark-free-named",
                    (false, false, true) => "landmark-free",
                };
                away(view, place, |away| {
                    let args = [
                        ("x", int(place.x)),
                        ("y", int(place.y)),
                        ("building", Arg::Word(building_word(building))),
                        ("name", Arg::Text(name)),
                        ("id", int(owner.0)),
                        ("away", away),
                    ];
                    line(sink, key, &args);
                });
            }
            let free = view
                .own_armies()
                .filter(|(_, army)| army.aboard.is_none() && army.group.is_none());
            for (name, army) in free {
                let name = name.to_string();
                away(view, army.place, |away| {
                    let args = [
                        ("x", int(army.place.x)),
                        ("y", int(army.place.y)),
                        ("army", Arg::Text(&name)),
                        ("count", int(army.count)),
                        ("away", away),
                    ];
                    line(sink, "landmark-army", &args);
                });
            }
        },
    );
}

/// How far from 0/0 and in which direction a place lies, as a value of a line.
fn away(view: &View, place: Place, tell: impl FnOnce(Arg<'_>)) {
    let bearing = Arg::Word(bearing(place));
    let distance = view.distance(Place::new(0, 0), place).unwrap_or(0);
    if distance == 0 {
        return tell(bearing);
    }
    let number = [("n", int(distance))];
    let fields = [number_of_fields(&number)];
    let args = [("fields", Arg::List(&fields, "")), ("toward", bearing)];
    let phrase = [Phrase {
        key: "away",
        args: &args,
    }];
    tell(Arg::List(&phrase, ""));
}

/// Key of the word for where a place lies, seen from 0/0. A column is as wide as 1000, a row as high as 866.
fn bearing(place: Place) -> &'static str {
    let Some(at) = place.doubled() else {
        return "bearing-here";
    };
    let (east, north) = (at.d.saturating_mul(500), at.y.saturating_mul(866));
    // The tangent of 67.5 degrees is 2.414: what is steeper lies straight on.
    let steep = |long: i64, short: i64| {
        long.saturating_abs().saturating_mul(1000) > short.saturating_abs().saturating_mul(2414)
    };
    match (east, north) {
        (0, 0) => "bearing-here",
        _ if steep(north, east) => {
            if north > 0 {
                "bearing-n"
            } else {
                "bearing-s"
            }
        }
        _ if steep(east, north) => {
            if east > 0 {
                "bearing-e"
            } else {
                "bearing-w"
            }
        }
        _ => match (east > 0, north > 0) {
            (true, true) => "bearing-ne",
            (true, false) => "bearing-se",
            (false, true) => "bearing-nw",
            (false, false) => "bearing-sw",
        },
    }
}

/// Known land and sea in one piece each, the largest first.
fn bodies(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    let is_water = |place: &Place| {
        view.fields
            .get(place)
            .map(|field| tables.is_water(field.glimpse.terrain))
    };
    let mut left: BTreeSet<Place> = view.fields.keys().copied().collect();
    let mut found: Vec<(bool, Vec<Place>)> = Vec::new();
    while let Some(first) = left.pop_first() {
        let Some(water) = is_water(&first) else { continue };
        let mut piece = vec![first];
        let mut next = 0;
        while let Some(place) = piece.get(next).copied() {
            next += 1;
            for direction in Direction::ALL {
                let beside = view
                    .neighbour(place, direction)
                    .filter(|beside| is_water(beside) == Some(water));
                if let Some(beside) = beside.filter(|beside| left.remove(beside)) {
                    piece.push(beside);
                }
            }
        }
        found.push((water, piece));
    }
    found.sort_by_key(|(water, piece)| (Reverse(piece.len()), *water, piece.first().copied()));
    section(sink, "gazetteer-bodies", &[], &[rule::TERR_01, rule::MAP_05], |sink| {
        for (water, piece) in &found {
            body(view, sink, *water, piece);
        }
    });
}

fn body(view: &View, sink: &mut dyn ReportSink, water: bool, piece: &[Place]) {
    let mut terrains: BTreeMap<Terrain, usize> = BTreeMap::new();
    for field in piece.iter().filter_map(|place| view.fields.get(place)) {
        *terrains.entry(field.glimpse.terrain).or_default() += 1;
    }
    let most = terrains
        .iter()
        .max_by_key(|(terrain, count)| (**count, Reverse(**terrain)));
    let word = most.map_or_else(String::new, |(terrain, _)| terrain_word(*terrain));
    let rows = piece.iter().map(|place| place.y);
    let (south, north) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
    let middle = piece.get(piece.len() / 2).copied().unwrap_or(Place::new(0, 0));
    let number = [("n", int(i64::try_from(piece.len()).unwrap_or(i64::MAX)))];
    let size = [number_of_fields(&number)];
    let args = [
        ("size", Arg::List(&size, "")),
        ("terrain", Arg::Word(&word)),
        ("x", int(middle.x)),
        ("y", int(middle.y)),
        ("south", int(south)),
        ("north", int(north)),
    ];
    line(sink, if water { "body-water" } else { "body-land" }, &args);
}

/// Every known field, row by row.
fn rows(view: &View, sink: &mut dyn ReportSink) {
    let own = own_armies(view);
    for row in in_order(view).chunk_by(|a, b| a.0.y == b.0.y) {
        let Some((first, _)) = row.first() else { continue };
        section(sink, "gazetteer-row", &[("y", int(first.y))], &RULES, |sink| {
            for (place, known) in row {
                field(view, sink, *place, known, own.get(place).map_or(&[], Vec::as_slice));
            }
        });
    }
}

fn field(view: &View, sink: &mut dyn ReportSink, place: Place, known: &FieldView, own: &[String]) {
    let glimpse = &known.glimpse;
    let terrain = terrain_word(glimpse.terrain);
    let owner = [("id", int(glimpse.owner.0))];
    let turn = [("turn", int(known.turn))];
    let building = [("building", Arg::Word(glimpse.building.map_or("nothing", building_word)))];
    let mut facts: Vec<Phrase<'_>> = Vec::new();
    if glimpse.owner.is_played() {
        let own = Some(glimpse.owner) == view.realm();
        facts.push(Phrase {
            key: if own { "fact-own" } else { "fact-owner" },
            args: &owner,
        });
    }
    if glimpse.building.is_some() {
        facts.push(Phrase {
            key: "fact-building",
            args: &building,
        });
    }
    let strange = strangers(view, known);
    let names = own.iter().chain(&strange);
    let army_args: Vec<[(&str, Arg<'_>); 1]> = names.map(|name| [("army", Arg::Text(name))]).collect();
    facts.extend(army_args.iter().map(|args| Phrase { key: "fact-army", args }));
    if known.turn != view.turn {
        facts.push(Phrase {
            key: "fact-earlier",
            args: &turn,
        });
    }
    let beside: Vec<(u8, String)> = Direction::ALL
        .into_iter()
        .map(|direction| {
            let there = view.neighbour(place, direction);
            let known = there.and_then(|there| view.fields.get(&there));
            let word = match (there, known) {
                (None, _) => "terrain-ubk".to_owned(),
                (_, None) => terrain_word(Terrain::Unexplored),
                (_, Some(field)) => terrain_word(field.glimpse.terrain),
            };
            (direction.digit(), word)
        })
        .collect();
    let works: Vec<Vec<Phrase<'_>>> = Direction::ALL
        .into_iter()
        .map(|direction| side(glimpse, direction))
        .collect();
    let side_args: Vec<[(&str, Arg<'_>); 3]> = beside
        .iter()
        .zip(&works)
        .map(|((digit, word), works)| {
            [
                ("d", int(*digit)),
                ("terrain", Arg::Word(word)),
                ("has", Arg::List(works, "")),
            ]
        })
        .collect();
    let around: Vec<Phrase<'_>> = side_args.iter().map(|args| Phrase { key: "around", args }).collect();
    let args = [
        ("x", int(place.x)),
        ("y", int(place.y)),
        ("terrain", Arg::Word(&terrain)),
        ("facts", Arg::List(&facts, "")),
        ("around", Arg::List(&around, ", ")),
    ];
    line(sink, "gazetteer-field", &args);
}

/// What runs along a side, as far as it was seen.
fn side(glimpse: &Glimpse, direction: Direction) -> Vec<Phrase<'static>> {
    let works = [
        (glimpse.roads, "with-road"),
        (glimpse.rivers, "with-river"),
        (glimpse.bridges, "with-bridge"),
        (glimpse.walls, "with-wall"),
    ];
    let there = works
        .into_iter()
        .filter(|(sides, _)| glimpse.sides_known.has(direction) && sides.has(direction));
    there.map(|(_, key)| Phrase { key, args: &[] }).collect()
}

/// Own armies that stand by themselves, by place.
fn own_armies(view: &View) -> BTreeMap<Place, Vec<String>> {
    let mut own: BTreeMap<Place, Vec<String>> = BTreeMap::new();
    let free = view
        .armies
        .iter()
        .filter(|(_, army)| army.aboard.is_none() && army.group.is_none());
    for (id, army) in free {
        let name = match view.realm() {
            Some(_) => format!("{} ({})", id.name, army.count),
            None => format!("{id} ({})", army.count),
        };
        own.entry(army.place).or_default().push(name);
    }
    own
}

/// Strangers as they were last seen; the game master has everybody in the list of armies.
fn strangers(view: &View, known: &FieldView) -> Vec<String> {
    let strange = |army: &&SeenArmy| view.realm().is_some() && (army.realm.is_none() || army.realm != view.realm());
    let seen = known.armies.iter().filter(strange);
    seen.map(|army| {
        let realm = army.realm.map_or_else(|| "?".to_owned(), |realm| realm.to_string());
        let number = army.number.map_or_else(|| "?".to_owned(), |number| number.to_string());
        format!("{realm}.{} {number} ({})", army.kind.code(), army.count)
    })
    .collect()
}
