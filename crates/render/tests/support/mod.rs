//! Invented maps for tests and for looking at.
#![allow(dead_code, reason = "each test uses the part it needs")]

use std::collections::BTreeMap;

use kernel::map::{
    Army, Condition, Edge, EdgeKind, Field, Flag, Ground, Highlight, Knowledge, Mark, Orientation, Place, RealmStyle,
    RegionName, Relief, Route, Scale, Scene, Side, Spot, Symbol, TerrainStyle,
};

/// THORAMAR's 28 terrains.
pub fn terrains() -> BTreeMap<String, TerrainStyle> {
    let mut table = BTreeMap::new();
    let families = [
        ("la", Ground::Land),
        ("wa", Ground::Forest),
        ("ds", Ground::Jungle),
        ("su", Ground::Swamp),
        ("st", Ground::Steppe),
        ("ws", Ground::Desert),
        ("ew", Ground::IceDesert),
    ];
    let reliefs = [("t", Relief::Flat), ("h", Relief::Hills), ("b", Relief::Peaks)];
    for (family, ground) in families {
        for (height, relief) in reliefs {
            table.insert(format!("{height}{family}"), TerrainStyle { ground, relief });
        }
    }
    for (code, ground) in [
        ("was", Ground::Water),
        ("tse", Ground::DeepSea),
        ("str", Ground::Whirlpool),
        ("rif", Ground::Reef),
        ("vul", Ground::Volcano),
        ("eis", Ground::Ice),
        ("ubk", Ground::Void),
    ] {
        table.insert(
            code.to_owned(),
            TerrainStyle {
                ground,
                relief: Relief::Flat,
            },
        );
    }
    table
}

fn hash(x: i64, y: i64, seed: i64) -> f64 {
    let mut z = (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ (seed as u64).wrapping_mul(0x1656_67b1_9e37_79f9);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 40) as f64 / (1u64 << 24) as f64
}

fn noise(x: f64, y: f64, seed: i64) -> f64 {
    let (i, j) = (x.floor(), y.floor());
    let ease = |t: f64| t * t * (3.0 - 2.0 * t);
    let (u, v) = (ease(x - i), ease(y - j));
    let (i, j) = (i as i64, j as i64);
    let row = |j: i64| hash(i, j, seed) * (1.0 - u) + hash(i + 1, j, seed) * u;
    row(j) * (1.0 - v) + row(j + 1) * v
}

fn height_of(code: &str) -> u8 {
    match code {
        "was" | "tse" | "str" | "rif" => 0,
        "vul" => 2,
        "eis" | "ubk" => 1,
        _ => match code.as_bytes().first() {
            Some(b'h') => 2,
            Some(b'b') => 3,
            _ => 1,
        },
    }
}

/// A rectangle of fields around 0/0 with continents, climates and heights; everything known.
pub fn world(columns: i32, rows: i32, seed: i64) -> Scene {
    let (left, bottom) = (-columns, -rows / 2);
    let mut fields = Vec::new();
    for y in bottom..bottom + rows {
        for column in 0..columns {
            let d = left + 2 * column + y.rem_euclid(2) * (if left % 2 == 0 { 1 } else { -1 });
            let at = Spot::new(d, y);
            let (fx, fy) = (f64::from(d) / 2.0, f64::from(y));
            // A world has continents, a realm's corner of it has bays.
            let broad = if columns < 60 { 5.5 } else { 17.0 };
            let rise = noise(fx / broad, fy / broad, seed) * 0.6
                + noise(fx / 3.0, fy / 3.0, seed + 1) * 0.28
                + noise(fx / 2.0, fy / 2.0, seed + 2) * 0.12;
            let edge = (fx * 2.0 / f64::from(columns)).powi(2) + (fy * 2.0 / f64::from(rows)).powi(2);
            let rise = rise + 0.09 - if columns < 60 { 0.17 * edge } else { 0.0 };
            let wet = noise(fx / 6.0, fy / 6.0, seed + 3) * 0.7 + noise(fx / 2.5, fy / 2.5, seed + 4) * 0.3;
            let latitude = fy * 2.0 / f64::from(rows);
            let code = if rise < 0.42 {
                if rise < 0.33 { "tse" } else { "was" }.to_owned()
            } else {
                let height = if rise < 0.60 {
                    't'
                } else if rise < 0.69 {
                    'h'
                } else {
                    'b'
                };
                let family = if latitude > 0.82 {
                    "ew"
                } else if wet < 0.28 {
                    "ws"
                } else if wet < 0.38 {
                    "st"
                } else if wet < 0.56 {
                    "la"
                } else if wet < 0.74 {
                    "wa"
                } else if latitude < -0.2 {
                    "ds"
                } else {
                    "su"
                };
                format!("{height}{family}")
            };
            let x = if y.rem_euclid(2) == 0 {
                d / 2
            } else if d > 0 {
                (d + 1) / 2
            } else {
                (d - 1) / 2
            };
            fields.push(Field {
                at,
                height: height_of(&code),
                terrain: code,
                knowledge: Knowledge::Now,
                label: format!("{x}/{y}"),
                ..Field::default()
            });
        }
    }
    Scene {
        game: "thoramar".into(),
        language: "de".into(),
        terrains: terrains(),
        fields,
        scale: Some(Scale {
            fields: 1,
            length: 200,
            unit: "km".into(),
        }),
        ..Scene::default()
    }
}

fn distance(a: Spot, b: Spot) -> i32 {
    let (dy, dd) = ((a.y - b.y).abs(), (a.d - b.d).abs());
    dy + ((dd - dy) / 2).max(0)
}

fn find(scene: &mut Scene, at: Spot) -> Option<&mut Field> {
    scene.fields.iter_mut().find(|f| f.at == at)
}

fn set(scene: &mut Scene, d: i32, y: i32, code: &str) {
    if let Some(field) = find(scene, Spot::new(d, y)) {
        field.terrain = code.into();
        field.height = height_of(code);
    }
}

/// Rivers that run downhill from high corners of the map to the sea, along the sides of fields.
fn add_rivers(scene: &mut Scene, wanted: usize) {
    let rise: BTreeMap<Spot, i32> = scene
        .fields
        .iter()
        .map(|f| {
            (
                f.at,
                i32::from(f.height) * 10 + (hash(f.at.d.into(), f.at.y.into(), 5) * 6.0) as i32,
            )
        })
        .collect();
    let water = |s: Spot| rise.get(&s).is_none_or(|&r| r < 10);
    // A corner is named by the three fields that meet there.
    let corner = |s: Spot, k: usize| -> [Spot; 3] {
        let mut all = [s, s.neighbour(Side::ALL[(k + 5) % 6]), s.neighbour(Side::ALL[k % 6])];
        all.sort();
        all
    };
    let level = |c: &[Spot; 3]| c.iter().map(|s| rise.get(s).copied().unwrap_or(0)).sum::<i32>();
    let mut edges: BTreeMap<[Spot; 3], Vec<([Spot; 3], Edge)>> = BTreeMap::new();
    for &at in rise.keys() {
        for (k, &side) in Side::ALL.iter().enumerate() {
            let (a, b) = (corner(at, k), corner(at, k + 1));
            let edge = Edge {
                at,
                side,
                kind: EdgeKind::River,
            };
            edges.entry(a).or_default().push((b, edge));
            edges.entry(b).or_default().push((a, edge));
        }
    }
    let mut springs: Vec<[Spot; 3]> = edges.keys().copied().filter(|c| level(c) >= 62).collect();
    springs.sort_by_key(|c| (hash(c[0].d.into(), c[0].y.into(), 8) * 1e6) as i64);
    let mut made = 0;
    for spring in springs {
        let (mut here, mut course, mut been) = (spring, Vec::new(), vec![spring]);
        let reached = loop {
            if here.iter().any(|&s| water(s)) {
                break true;
            }
            let next = edges[&here]
                .iter()
                .filter(|(c, _)| !been.contains(c) && level(c) <= level(&here) + 3)
                .min_by_key(|(c, _)| level(c));
            let Some(&(c, edge)) = next else { break false };
            course.push(edge);
            been.push(c);
            here = c;
            if course.len() > 40 {
                break false;
            }
        };
        if reached && course.len() >= 4 {
            scene.edges.extend(course);
            made += 1;
            if made == wanted {
                return;
            }
        }
    }
}

/// Roads along the straight way between two fields, and bridges where they cross a river.
fn add_road(scene: &mut Scene, from: Spot, to: Spot) {
    let mut here = from;
    while here != to {
        let step = Side::ALL
            .into_iter()
            .min_by_key(|&s| (distance(here.neighbour(s), to), s))
            .unwrap();
        let next = here.neighbour(step);
        for (at, side) in [(here, step), (next, step.opposite())] {
            scene.edges.push(Edge {
                at,
                side,
                kind: EdgeKind::Road,
            });
            let river = Edge {
                at,
                side,
                kind: EdgeKind::River,
            };
            if scene.edges.contains(&river) {
                scene.edges.push(Edge {
                    kind: EdgeKind::Bridge,
                    ..river
                });
            }
        }
        here = next;
    }
}

fn nearest(scene: &Scene, d: i32, y: i32, fits: impl Fn(&Field) -> bool) -> Spot {
    scene
        .fields
        .iter()
        .filter(|f| fits(f))
        .min_by_key(|f| (distance(f.at, Spot::new(d, y)), f.at))
        .unwrap()
        .at
}

fn land(f: &Field) -> bool {
    f.height == 1 && f.terrain.starts_with('t') && f.terrain != "tse"
}

/// About 400 fields with every terrain, three realms, rivers, roads, walls, armies and fog, as realm 1 sees them.
pub fn nebelmark() -> Scene {
    let mut scene = world(26, 18, 12);
    scene.title = "Nebelmark".into();
    scene.subtitle = "wie das Reich Adler sie kennt, Herbst im Jahr 2".into();
    // Every terrain appears at least once.
    let rare = ["str", "rif", "eis", "vul", "ubk"];
    let mut codes: Vec<String> = terrains().into_keys().collect();
    codes.retain(|c| !rare.contains(&c.as_str()));
    for code in codes {
        if scene.fields.iter().all(|f| f.terrain != code) {
            let same = height_of(&code);
            let spot = nearest(
                &scene,
                (hash(same.into(), code.len() as i64, 3) * 20.0) as i32 - 10,
                -4,
                |f| {
                    f.height == same
                        && f.terrain != "vul"
                        && scene.fields.iter().filter(|o| o.terrain == f.terrain).count() > 3
                },
            );
            set(&mut scene, spot.d, spot.y, &code);
        }
    }
    let sea = nearest(&scene, -16, 4, |f| f.height == 0);
    set(&mut scene, sea.d, sea.y, "str");
    for (d, y) in [(-10, -6), (-3, 7), (12, 6)] {
        let reef = nearest(&scene, d, y, |f| f.terrain == "was");
        set(&mut scene, reef.d, reef.y, "rif");
    }
    let peak = nearest(&scene, 8, 4, |f| f.height == 3);
    set(&mut scene, peak.d, peak.y, "vul");
    for (d, y) in [(-2, 8), (2, 8), (4, 8)] {
        set(&mut scene, d, y, "eis");
    }
    set(&mut scene, 10, 8, "ubk");
    add_rivers(&mut scene, 7);

    let capitals = [
        nearest(&scene, -2, 0, land),
        nearest(&scene, 14, 2, land),
        nearest(&scene, -14, -3, land),
    ];
    for (n, name) in ["Adler", "Bär", "Chimäre"].into_iter().enumerate() {
        let realm = n as u16 + 1;
        scene.realms.insert(
            realm,
            RealmStyle {
                name: format!("Reich {name}"),
                slot: realm,
            },
        );
        for field in &mut scene.fields {
            let blur = (hash(field.at.d.into(), field.at.y.into(), 9) * 1.6) as i32;
            if field.height > 0 && field.owner.is_none() && distance(field.at, capitals[n]) + blur <= 4 {
                field.owner = Some(realm);
            }
        }
    }
    scene.own_realm = Some(1);
    let taken = |scene: &Scene, at: Spot| scene.places.iter().any(|p: &Place| distance(p.at, at) < 2);
    let kinds = [
        (0, 0, 0, "HST", Symbol::Capital, Condition::Intact, "Adlerhorst"),
        (0, 5, 2, "BRG", Symbol::Castle, Condition::Intact, "Nordwacht"),
        (0, -3, -3, "STD", Symbol::Town, Condition::Light, "Kornfurt"),
        (0, 4, -2, "FES", Symbol::Fortress, Condition::Intact, "Grauhafen"),
        (0, 1, 4, "TSL", Symbol::LightTemple, Condition::Building, "Lichtenau"),
        (1, 0, 0, "HST", Symbol::Capital, Condition::Intact, "Bärenfels"),
        (1, -4, 2, "BRG", Symbol::Castle, Condition::Heavy, "Honigwald"),
        (1, 2, -3, "MIN", Symbol::Mine, Condition::Intact, "Silberstollen"),
        (1, 4, 2, "TPL", Symbol::Temple, Condition::Intact, ""),
        (2, 0, 0, "HST", Symbol::Capital, Condition::Intact, "Zwielicht"),
        (2, 3, 3, "TSF", Symbol::DarkTemple, Condition::Intact, "Nachtgrund"),
        (2, 3, -3, "STD", Symbol::Town, Condition::Ruin, "Altweil"),
        (2, -3, -2, "WTO", Symbol::Gate, Condition::Intact, "Altes Tor"),
    ];
    for (realm, d, y, kind, symbol, condition, name) in kinds {
        let c = capitals[realm];
        let at = nearest(&scene, c.d + d, c.y + y, |f| {
            f.height > 0 && (f.at == c) == (kind == "HST") && (kind == "HST" || !taken(&scene, f.at))
        });
        scene.places.push(Place {
            at,
            kind: kind.into(),
            symbol,
            condition,
            name: name.into(),
            owner: Some(realm as u16 + 1),
        });
    }
    for n in [1, 2, 3] {
        let to = scene.places[n].at;
        add_road(&mut scene, capitals[0], to);
    }
    let (a, b) = (scene.places[1].at, scene.places[6].at);
    add_road(&mut scene, a, b);
    for n in [7, 8] {
        let to = scene.places[n].at;
        add_road(&mut scene, capitals[1], to);
    }
    let temple = scene.places[10].at;
    add_road(&mut scene, capitals[2], temple);
    let wall_field = scene.places[1].at;
    for side in [Side::NorthEast, Side::East, Side::SouthEast] {
        scene.edges.push(Edge {
            at: wall_field,
            side,
            kind: EdgeKind::Wall,
        });
    }
    let sea_near = |scene: &Scene, d, y| nearest(scene, d, y, |f| f.height == 0);
    let land_near = |scene: &Scene, d, y| {
        nearest(scene, d, y, |f| {
            f.height > 0 && scene.places.iter().all(|p| p.at != f.at)
        })
    };
    let c = capitals[0];
    let armies = [
        (
            land_near(&scene, c.d + 7, c.y + 1),
            "K.M 1",
            Some(1344),
            Some(1),
            Flag::Shown,
        ),
        (
            land_near(&scene, c.d + 7, c.y + 1),
            "R.M 1",
            Some(404),
            Some(1),
            Flag::Shown,
        ),
        (capitals[0], "K.L 3", Some(5000), Some(1), Flag::Shown),
        (
            land_near(&scene, c.d + 2, c.y - 4),
            "R.L 2",
            Some(800),
            Some(1),
            Flag::Shown,
        ),
        (
            land_near(&scene, c.d + 10, c.y + 4),
            "R.L 3",
            Some(90),
            Some(1),
            Flag::OwnUnseen,
        ),
        (
            sea_near(&scene, c.d - 6, c.y + 1),
            "S.L 1",
            Some(24),
            Some(1),
            Flag::Shown,
        ),
        (
            land_near(&scene, c.d + 9, c.y + 1),
            "K.S 4",
            Some(1200),
            Some(2),
            Flag::Shown,
        ),
        (
            land_near(&scene, c.d + 12, c.y - 2),
            "R.S",
            Some(700),
            None,
            Flag::Unassigned,
        ),
        (
            sea_near(&scene, capitals[2].d + 4, capitals[2].y),
            "S.M 2",
            Some(12),
            Some(3),
            Flag::Earlier,
        ),
        (land_near(&scene, c.d, c.y - 6), "M.B", Some(3), None, Flag::Unassigned),
    ];
    for (at, label, count, owner, flag) in armies {
        scene.armies.push(Army {
            at,
            label: label.into(),
            count,
            owner,
            flag,
        });
    }
    for n in 0..5 {
        scene.armies.push(Army {
            at: capitals[0],
            label: format!("K.M {}", n + 5),
            count: Some(100),
            owner: Some(1),
            flag: Flag::Shown,
        });
    }
    let start = land_near(&scene, c.d + 2, c.y - 4);
    let mut spots = vec![start];
    for side in [Side::East, Side::East, Side::NorthEast, Side::East] {
        spots.push(spots[spots.len() - 1].neighbour(side));
    }
    scene.routes.push(Route { spots, owner: None });
    scene.highlights.push(Highlight {
        at: scene.armies[6].at,
        mark: Mark::Battle,
    });
    scene.highlights.push(Highlight {
        at: scene.armies[0].at,
        mark: Mark::Selected,
    });
    let bay = nearest(&scene, -9, 3, |f| f.terrain == "was");
    scene.regions.push(RegionName {
        at: bay,
        text: "Graue Bucht".into(),
        water: true,
    });
    let ridge = nearest(&scene, 8, 3, |f| f.height == 3);
    scene.regions.push(RegionName {
        at: ridge,
        text: "Grauzahn".into(),
        water: false,
    });
    // Knowledge: the realm and its scouts see, other parts were seen, the rest never.
    let scouts: Vec<Spot> = scene
        .armies
        .iter()
        .filter(|a| a.owner == Some(1))
        .map(|a| a.at)
        .collect();
    let own: Vec<Spot> = scene
        .fields
        .iter()
        .filter(|f| f.owner == Some(1))
        .map(|f| f.at)
        .collect();
    for field in &mut scene.fields {
        let near = scouts
            .iter()
            .chain(&own)
            .map(|&s| distance(s, field.at))
            .min()
            .unwrap_or(99);
        let blur = (hash(field.at.d.into(), field.at.y.into(), 14) * 3.0) as i32;
        field.knowledge = if near <= 1 {
            Knowledge::Now
        } else if near + blur <= 7 {
            Knowledge::Earlier(8)
        } else {
            Knowledge::Never
        };
        if field.owner == Some(1) && hash(field.at.d.into(), field.at.y.into(), 15) < 0.12 {
            field.blessed = true;
        }
        if field.owner == Some(1) && hash(field.at.d.into(), field.at.y.into(), 16) < 0.08 {
            field.yield_percent = Some(60);
        }
    }
    scene
}

/// The same land turned onto flat tops.
pub fn flat_topped() -> Scene {
    Scene {
        orientation: Orientation::FlatTop,
        ..nebelmark()
    }
}

/// A whole world of many realms as the game master sees it.
pub fn whole_world(columns: i32, rows: i32, realms: u16) -> Scene {
    let mut scene = world(columns, rows, 31);
    scene.title = "Die Welt".into();
    scene.subtitle = "wie der Spielleiter sie sieht".into();
    for realm in 1..=realms {
        let (d, y) = (
            (hash(realm.into(), 1, 40) * 2.0 - 1.0) * f64::from(columns),
            (hash(realm.into(), 2, 40) - 0.5) * f64::from(rows),
        );
        let capital = nearest(&scene, d as i32, y as i32, |f| land(f) && f.owner.is_none());
        scene.realms.insert(
            realm,
            RealmStyle {
                name: format!("Reich {realm}"),
                slot: realm,
            },
        );
        for field in &mut scene.fields {
            let blur = (hash(field.at.d.into(), field.at.y.into(), 9) * 1.6) as i32;
            if field.height > 0 && field.owner.is_none() && distance(field.at, capital) + blur <= 5 {
                field.owner = Some(realm);
            }
        }
        scene.places.push(Place {
            at: capital,
            kind: "HST".into(),
            symbol: Symbol::Capital,
            name: format!("Stadt {realm}"),
            owner: Some(realm),
            ..Place::default()
        });
        for n in 0..4 {
            let at = nearest(&scene, capital.d + n * 3 - 4, capital.y + n - 2, |f| f.height > 0);
            scene.armies.push(Army {
                at,
                label: format!("K.M {n}"),
                count: Some(500),
                owner: Some(realm),
                flag: Flag::Shown,
            });
        }
    }
    add_rivers(&mut scene, usize::from(realms) * 2);
    scene
}
