//! What a map must and must not show.

mod support;

use kernel::map::{
    Army, Edge, EdgeKind, Field, Highlight, Knowledge, Mark, Place, RegionName, Route, Scene, Side, Spot,
};
use render::map::{Layers, MapOptions, Theme, changes, gazetteer, index, live, style_sheet, svg};
use support::{flat_topped, nebelmark, whole_world, world};

/// Fonts are the same in every file; leaving them out makes sizes comparable.
fn bare() -> MapOptions {
    MapOptions {
        embed_fonts: false,
        ..MapOptions::default()
    }
}

fn hidden(scene: &Scene) -> Vec<Spot> {
    scene
        .fields
        .iter()
        .filter(|f| !f.knowledge.is_known())
        .map(|f| f.at)
        .collect()
}

#[test]
fn the_same_scene_gives_the_same_bytes_in_whatever_order_its_fields_come() {
    let scene = nebelmark();
    let mut turned = scene.clone();
    turned.fields.reverse();
    let picture = svg(&scene, &bare());
    assert_eq!(picture, svg(&scene, &bare()));
    assert_eq!(picture, svg(&turned, &bare()));
}

#[test]
fn fields_never_seen_change_no_byte() {
    let scene = nebelmark();
    let spots = hidden(&scene);
    assert!(spots.len() > 20, "the sample hides enough to mean something");
    for options in [
        bare(),
        MapOptions {
            field: Some(14),
            ..bare()
        },
        MapOptions {
            field: Some(5),
            ..bare()
        },
    ] {
        let picture = svg(&scene, &options);

        let mut without = scene.clone();
        without.fields.retain(|f| f.knowledge.is_known());
        assert_eq!(picture, svg(&without, &options));

        let mut changed = scene.clone();
        for field in changed.fields.iter_mut().filter(|f| !f.knowledge.is_known()) {
            field.terrain = "vul".into();
            field.height = 3;
            field.owner = Some(77);
            field.label = "SECRET".into();
            field.blessed = true;
            field.yield_percent = Some(3);
        }
        changed.fields.push(Field {
            at: Spot::new(900, 300),
            owner: Some(9),
            ..Field::default()
        });
        for &at in &spots {
            changed.places.push(Place {
                at,
                name: "SECRET".into(),
                owner: Some(77),
                ..Place::default()
            });
            changed.armies.push(Army {
                at,
                label: "SECRET".into(),
                owner: Some(77),
                ..Army::default()
            });
            changed.highlights.push(Highlight { at, mark: Mark::Battle });
            changed.regions.push(RegionName {
                at,
                text: "SECRET".into(),
                water: true,
            });
            for side in Side::ALL {
                changed.edges.push(Edge {
                    at,
                    side,
                    kind: EdgeKind::Road,
                });
                changed.edges.push(Edge {
                    at,
                    side,
                    kind: EdgeKind::Wall,
                });
            }
        }
        assert_eq!(picture, svg(&changed, &options));
    }
}

#[test]
fn a_border_is_drawn_only_where_both_sides_are_known() {
    let field = |d: i32, owner, knowledge| Field {
        at: Spot::new(d, 0),
        terrain: "tla".into(),
        height: 1,
        owner,
        knowledge,
        ..Field::default()
    };
    let mut scene = world(1, 1, 1);
    scene.fields = vec![field(0, Some(1), Knowledge::Now), field(2, None, Knowledge::Never)];
    let line = "data-realm=\"1\"";
    let realm = |scene: &Scene| {
        let picture = svg(scene, &bare());
        let start = picture.find(line).unwrap();
        let end = picture[start..].find("</g>").unwrap();
        picture[start..start + end].to_owned()
    };
    assert!(realm(&scene).contains("d=\"\""), "no neighbour is known");
    scene.fields[1].knowledge = Knowledge::Earlier(3);
    let one_side = realm(&scene);
    assert_eq!(one_side.matches('M').count(), 2, "one side, as wash and as line");
}

#[test]
fn what_players_write_is_escaped() {
    let evil = "<script>alert('&')</script>\"\u{0}\u{202e}";
    let mut scene = nebelmark();
    scene.title = evil.into();
    scene.subtitle = evil.into();
    scene.places[0].name = evil.into();
    scene.places[0].kind = evil.into();
    for army in &mut scene.armies {
        army.label = evil.into();
    }
    for realm in scene.realms.values_mut() {
        realm.name = evil.into();
    }
    for field in &mut scene.fields {
        field.label = evil.into();
    }
    scene.regions[0].text = evil.into();
    let scale = scene.scale.as_mut().unwrap();
    scale.unit = evil.into();
    let options = MapOptions {
        id: "\"><x".into(),
        ..bare()
    };
    let picture = svg(&scene, &options);
    assert!(!picture.contains("<script"));
    assert!(!picture.contains("<x"));
    assert!(!picture.contains('\u{0}') && !picture.contains('\u{202e}'));
    assert!(picture.contains("&lt;script&gt;"));
    drawable(&picture);
}

#[test]
fn every_detail_theme_language_and_layout_is_well_formed() {
    for field in [3, 7, 8, 25, 26, 43, 44, 80] {
        drawable(&svg(
            &nebelmark(),
            &MapOptions {
                field: Some(field),
                ..bare()
            },
        ));
    }
    drawable(&svg(
        &flat_topped(),
        &MapOptions {
            theme: Theme::Candle,
            ..MapOptions::default()
        },
    ));
    let english = Scene {
        language: "en".into(),
        ..nebelmark()
    };
    let picture = svg(&english, &bare());
    assert!(picture.contains("lowland forest") && !picture.contains("Tieflandwald"));
    drawable(&picture);
    drawable(&svg(
        &nebelmark(),
        &MapOptions {
            layers: Layers::BARE,
            width: Some(10),
            ..bare()
        },
    ));
    drawable(&svg(
        &nebelmark(),
        &MapOptions {
            width: Some(u32::MAX),
            ..bare()
        },
    ));
}

#[test]
fn an_empty_scene_is_an_empty_sheet() {
    let picture = svg(&Scene::default(), &bare());
    assert!(!picture.contains("data-chunk"));
    drawable(&picture);
}

#[test]
fn wild_coordinates_do_no_harm() {
    let mut scene = nebelmark();
    for (d, y) in [(i32::MAX, i32::MAX), (i32::MIN, i32::MIN), (99_999, -99_999)] {
        let at = Spot::new(d, y);
        scene.fields.push(Field {
            at,
            knowledge: Knowledge::Now,
            ..Field::default()
        });
        scene.armies.push(Army { at, ..Army::default() });
        scene.edges.push(Edge {
            at,
            side: Side::East,
            kind: EdgeKind::River,
        });
        scene.routes.push(Route {
            spots: vec![at, Spot::new(0, 0)],
            owner: None,
        });
    }
    drawable(&svg(&scene, &bare()));
}

#[test]
fn a_layer_switched_off_is_not_in_the_file() {
    let picture = svg(&nebelmark(), &bare());
    for layer in [
        "grid", "heights", "realms", "rivers", "roads", "walls", "fog", "places", "armies", "legend", "title",
    ] {
        assert!(picture.contains(&format!("data-layer=\"{layer}\"")), "{layer}");
    }
    let layers = Layers {
        armies: false,
        roads: false,
        ..Layers::ALL
    };
    let picture = svg(&nebelmark(), &MapOptions { layers, ..bare() });
    assert!(!picture.contains("data-layer=\"armies\"") && !picture.contains("data-layer=\"roads\""));
    assert!(!picture.contains("K.M 1"));
}

#[test]
fn a_world_of_twenty_thousand_fields_grows_in_proportion_and_stays_small() {
    let options = MapOptions {
        field: Some(12),
        ..bare()
    };
    let small = svg(&whole_world(100, 58, 6), &options);
    let large = svg(&whole_world(200, 116, 24), &options);
    assert!(large.len() < 3_500_000, "{} bytes", large.len());
    assert!(
        large.len() < small.len() * 9 / 2,
        "{} against {}",
        large.len(),
        small.len()
    );
}

/// Changes everything about fields that were never seen.
fn with_other_secrets(scene: &Scene) -> Scene {
    let mut changed = scene.clone();
    for field in changed.fields.iter_mut().filter(|f| !f.knowledge.is_known()) {
        field.terrain = "vul".into();
        field.height = 3;
        field.owner = Some(77);
        field.label = "SECRET".into();
    }
    for at in hidden(scene) {
        changed.places.push(Place {
            at,
            name: "SECRET".into(),
            kind: "SECRET".into(),
            owner: Some(77),
            ..Place::default()
        });
        changed.armies.push(Army {
            at,
            label: "SECRET".into(),
            owner: Some(77),
            ..Army::default()
        });
        for side in Side::ALL {
            for kind in [EdgeKind::Road, EdgeKind::Wall] {
                changed.edges.push(Edge { at, side, kind });
            }
        }
    }
    changed
}

#[test]
fn on_a_page_too_fields_never_seen_change_no_byte() {
    let scene = nebelmark();
    let changed = with_other_secrets(&scene);
    assert_eq!(live(&scene, &bare()), live(&changed, &bare()));
    assert_eq!(index(&scene), index(&changed));
    assert!(changes(&scene, &changed).is_empty());
    let mut without = scene.clone();
    without.fields.retain(|f| f.knowledge.is_known());
    assert_eq!(live(&scene, &bare()), live(&without, &bare()));
    assert_eq!(index(&scene), index(&without));
}

#[test]
fn a_page_gives_every_colour_a_name_that_the_style_sheet_knows() {
    let picture = live(&nebelmark(), &bare());
    let sheet = style_sheet();
    for attribute in ["fill", "stroke"] {
        assert!(
            !picture.contains(&format!(" {attribute}=\"#")),
            "no {attribute} is fixed"
        );
    }
    let mut names = 0;
    for part in picture.split("var(").skip(1) {
        let name = part.split(')').next().unwrap();
        assert!(sheet.contains(&format!("{name}:")), "{name}");
        names += 1;
    }
    assert!(names > 100);
    drawable(&picture);
}

#[test]
fn a_page_shows_each_layer_by_itself_and_terrain_in_chunks_of_ten() {
    let scene = whole_world(40, 30, 3);
    let picture = live(&scene, &bare());
    for layer in [
        "grid", "heights", "realms", "rivers", "places", "names", "armies", "fog", "sea", "land",
    ] {
        assert!(picture.contains(&format!("data-layer=\"{layer}\"")), "{layer}");
    }
    // Columns -20 to 19 and rows -15 to 14: four chunks wide, four high, since row -15 is in the chunk below -10.
    let mut chunks: Vec<&str> = picture
        .split("data-chunk=\"")
        .skip(1)
        .map(|part| part.split('"').next().unwrap())
        .collect();
    chunks.sort_unstable();
    chunks.dedup();
    assert_eq!(chunks.len(), 16, "{chunks:?}");
    // One path per terrain and chunk: never the same wash twice in a chunk.
    for chunk in picture.split("<g data-chunk=").skip(1) {
        let chunk = chunk.split("<g data-layer").next().unwrap();
        let washes: Vec<&str> = chunk
            .split(" fill=\"var(--map-wash-")
            .skip(1)
            .map(|part| part.split(')').next().unwrap())
            .collect();
        let mut different = washes.clone();
        different.sort_unstable();
        different.dedup();
        assert!(!washes.is_empty());
        assert_eq!(different.len(), washes.len(), "{washes:?}");
    }
}

#[test]
fn a_page_is_well_formed_in_both_layouts_and_when_nothing_is_known() {
    for scene in [nebelmark(), flat_topped(), Scene::default()] {
        let picture = live(&scene, &bare());
        drawable(&picture);
        assert!(picture.contains("data-lattice=\"26 45\""));
    }
    assert!(live(&flat_topped(), &bare()).contains("data-orientation=\"flat\""));
}

#[test]
fn what_players_write_is_escaped_on_a_page() {
    let evil = "<script>alert('&')</script>\"";
    let mut scene = nebelmark();
    scene.title = evil.into();
    scene.places[0].name = evil.into();
    for army in &mut scene.armies {
        army.label = evil.into();
    }
    for field in &mut scene.fields {
        field.label = evil.into();
    }
    scene.scale.as_mut().unwrap().unit = evil.into();
    let picture = live(&scene, &bare());
    assert!(!picture.contains("<script") && picture.contains("&lt;script"));
    drawable(&picture);
}

#[test]
fn ten_thousand_fields_stay_below_a_megabyte() {
    let scene = whole_world(126, 80, 12);
    assert_eq!(scene.fields.len(), 10_080);
    let picture = live(&scene, &bare());
    assert!(picture.len() < 1_000_000, "{} bytes", picture.len());
    assert!(index(&scene).len() < 200_000);
}

#[test]
fn the_index_names_every_known_field_once() {
    let scene = nebelmark();
    let list: serde_json::Value = serde_json::from_str(&index(&scene)).unwrap();
    let runs = list["runs"].as_array().unwrap();
    let labels: usize = runs.iter().map(|run| run["labels"].as_array().unwrap().len()).sum();
    let known = scene.fields.iter().filter(|f| f.knowledge.is_known()).count();
    assert_eq!(labels, known);
    for run in runs {
        let width = run["labels"].as_array().unwrap().len();
        assert_eq!(run["terrains"].as_array().unwrap().len(), width);
    }
}

#[test]
fn the_map_as_text_tells_of_every_known_field_what_the_picture_shows() {
    let scene = nebelmark();
    let entries = gazetteer(&scene);
    let known = scene.fields.iter().filter(|f| f.knowledge.is_known()).count();
    assert_eq!(entries.len(), known);
    assert_eq!(entries, gazetteer(&with_other_secrets(&scene)));
    let castle = entries
        .iter()
        .find(|entry| entry.places.iter().any(|place| place.contains("Adlerhorst")))
        .unwrap();
    assert!(castle.own, "the capital is the viewer's own");
    assert_eq!(castle.bearing, "", "a landmark needs no other");
    let beside = castle.at.neighbour(kernel::map::Side::East);
    let beside = entries.iter().find(|entry| entry.at == beside).unwrap();
    assert_eq!(beside.bearing, "von Adlerhorst aus ein Feld nach Osten");
    let roads = entries
        .iter()
        .filter(|entry| entry.sides.iter().any(|side| side.contains("Straße")));
    assert!(roads.count() > 3);
}

#[test]
fn what_changed_between_two_turns_is_told_field_by_field() {
    let older = nebelmark();
    assert!(changes(&older, &older).is_empty(), "nothing changed");
    let mut newer = older.clone();
    let seen = newer.fields.iter_mut().find(|f| f.knowledge == Knowledge::Now).unwrap();
    seen.owner = Some(3);
    let (at, label) = (seen.at, seen.label.clone());
    let new = newer
        .fields
        .iter_mut()
        .find(|f| f.knowledge == Knowledge::Never)
        .unwrap();
    new.knowledge = Knowledge::Now;
    let discovered = new.at;
    newer.places.push(Place {
        at,
        kind: "BRG".into(),
        name: "Neuburg".into(),
        ..Place::default()
    });
    let list = changes(&older, &newer);
    for change in &list {
        assert_eq!(
            render::map::changes_at(&older, &newer, change.at),
            change.what,
            "one field is told like all"
        );
    }
    assert_eq!(list.len(), 2, "{list:?}");
    let here = list.iter().find(|change| change.at == at).unwrap();
    assert_eq!(here.label, label);
    assert_eq!(here.what.len(), 2, "owner and castle: {:?}", here.what);
    assert_eq!(here.what[1], "neu: Burg Neuburg");
    let there = list.iter().find(|change| change.at == discovered).unwrap();
    assert_eq!(there.what, ["erstmals gesehen"]);
}

/// The reader of the PNG writer parses the text; it refuses what is not well formed.
#[cfg(feature = "png")]
fn drawable(picture: &str) {
    match render::png::png(picture, 0.05) {
        Ok(pixels) => assert!(pixels.starts_with(b"\x89PNG")),
        Err(render::png::PngError::TooLarge { .. }) => {}
        Err(error) => panic!("{error}"),
    }
}

#[cfg(not(feature = "png"))]
fn drawable(picture: &str) {
    assert!(picture.ends_with("</svg>\n"));
}
