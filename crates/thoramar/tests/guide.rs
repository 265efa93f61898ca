//! What the guide of THORAMAR tells: figures, dossiers, previews, ways, checked against the rules.

mod support;

use kernel::any::{AnyGame, open_view};
use kernel::guide::AnyGuide;
use kernel::realm::{RealmId, Viewer};
use support::{GAME, adler, adler_after_a_turn, text, view_of};
use thoramar::Thoramar;
use thoramar::tables::Tables;

fn dossier(view: &[u8], place: &str) -> String {
    text(|sink| GAME.dossier(view, place, sink).expect("a readable view"))
}

fn figure(view: &[u8], key: &str) -> Option<i64> {
    let figures = GAME.figures(view).expect("a readable view");
    figures
        .iter()
        .find(|figure| figure.key == key)
        .map(|figure| figure.value)
}

const HOME: &str = "map 0/0 tla Adler HST  1/0 twa Adler  -1/0 was  1/1 hla Bär  river 0/0-1/1  road 0/0-1/0
realm Adler treasury 1234
army Adler K.M 1 2000 at 0/0
army Adler K.L 2 500 at 0/0
army Bär R.L 1 300 at 1/0";

#[test]
fn figures_count_gold_fields_heads_and_strength() {
    let view = adler(HOME);
    assert_eq!(figure(&view, "figure-treasury"), Some(1234));
    assert_eq!(figure(&view, "figure-fields"), Some(2));
    assert_eq!(figure(&view, "kind-KM"), Some(2000));
    assert_eq!(figure(&view, "kind-RL"), None, "the armies of others are not counted");
    assert_eq!(figure(&view, "building-HST"), Some(1));
    // GAP-16: a light warrior counts 1, a medium one what the table says; an ordinary people fights at 100 %.
    let value = Tables::book().combat_value(thoramar::codes::Kind::MediumWarrior);
    assert_eq!(figure(&view, "figure-strength"), Some(2000 * value / 100 + 500));
}

#[test]
fn the_game_master_reads_the_figures_of_every_realm() {
    let view = view_of(Viewer::GameMaster, "", HOME);
    let figures = GAME.figures(&view).expect("a readable view");
    let riders: Vec<_> = figures.iter().filter(|figure| figure.key == "kind-RL").collect();
    assert_eq!(riders.len(), 1);
    assert_eq!((riders[0].realm, riders[0].value), (RealmId(2), 300));
}

#[test]
fn a_dossier_tells_ground_owner_building_and_armies() {
    let text = dossier(&adler(HOME), "0/0");
    for part in [
        "Feld 0/0",
        "Tiefland (tla), Höhenstufe 1",
        "Gehört zum Reich",
        "Hauptstadt",
        "K.M 1 (mittlere Krieger): 2000",
        // Along the road a step costs 1.
        "2 Osten, 1/0: Tieflandwald, Straße; ein Schritt kostet 1",
        // Lowland costs 2, the height 1, the river 1 more.
        "1 Nordosten, 1/1: Hochland, Fluß; ein Schritt kostet 4",
        "5 Westen, -1/0: Wasser; kein Weg (Wasser)",
    ] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
}

#[test]
fn a_dossier_of_a_strangers_field_tells_no_more_than_was_seen() {
    let view = adler_after_a_turn(HOME);
    let text = dossier(&view, "1/0");
    assert!(text.contains("Reich 2: R.L 1 (leichte Reiter), 300"), "{text}");
    assert!(
        text.contains("Woche 13: Reich 2, R.L 1 (leichte Reiter), 300"),
        "{text}"
    );
    let text = dossier(&view, "1/1");
    assert!(text.contains("Gehört Reich 2"), "{text}");
    assert!(!text.contains("Ertrag"), "{text}");
}

#[test]
fn a_bad_place_is_a_finding_and_no_error() {
    let view = adler(HOME);
    assert!(dossier(&view, "zwölf").contains("ist kein Feld"));
    assert!(dossier(&view, "").contains("ist kein Feld"));
    assert!(dossier(&view, "1/2/3").contains("ist kein Feld"));
    assert!(dossier(&view, "99999999999999999999/1").contains("ist kein Feld"));
    assert!(dossier(&view, &"9".repeat(10_000)).len() < 300);
    assert!(dossier(&view, "0/1").contains("gibt es nicht"));
    assert!(dossier(&view, "1/999").contains("außerhalb der Welt"));
    assert!(dossier(&view, "4/4").contains("niemand aus Eurem Reich gesehen"));
}

#[test]
fn the_same_field_may_be_named_once_round_the_world() {
    // Twenty-four columns.
    let view = adler(HOME);
    assert_eq!(dossier(&view, "25/0"), dossier(&view, " 1 , 0 "));
}

#[test]
fn every_known_place_has_a_dossier_and_a_spot() {
    let view = adler(HOME);
    let places = GAME.places(&view).expect("a readable view");
    let scene = GAME.map(&view).expect("a readable view");
    assert_eq!(places.len(), scene.fields.len());
    for known in places {
        assert!(dossier(&view, &known.place).starts_with(&format!("Feld {}", known.place)));
    }
}

#[test]
fn a_preview_moves_the_own_army_and_nobody_else() {
    let view = adler(HOME);
    let after = GAME
        .preview(&view, b"$A\nK.M 1 2 V+\n")
        .expect("a readable view")
        .expect("a player's view");
    let (_, seen) = open_view::<Thoramar>(&after).expect("a stored view");
    assert_eq!(seen.turn, 1);
    let place = |number: u32| {
        let name = thoramar::state::ArmyName::new(thoramar::codes::Kind::MediumWarrior, number);
        seen.army(name).map(|army| army.place.to_string())
    };
    assert_eq!(place(1).as_deref(), Some("1/0"));
    // The known land is still known, and what was never seen has not been invented.
    let before = GAME.places(&view).expect("a readable view");
    let known = GAME.places(&after).expect("a readable view");
    assert!(before.iter().all(|place| known.contains(place)));
    assert!(seen.fields.values().all(|field| field.glimpse.terrain.code() != "???"));
    let report = text(|sink| GAME.report(&after, sink).expect("a readable view"));
    assert!(!report.contains("untergegangen"), "{report}");
}

#[test]
fn a_preview_tells_what_is_wrong_with_the_orders() {
    let after = GAME
        .preview(&adler(HOME), b"$A\nK.M 9 2 V+\nK.M 1 9 V+\n")
        .expect("a readable view")
        .expect("a player's view");
    let report = text(|sink| GAME.report(&after, sink).expect("a readable view"));
    assert!(report.contains("[A01]") && report.contains("[S09]"), "{report}");
}

#[test]
fn a_preview_of_autumn_lets_a_mine_pay_and_does_not_exhaust_it() {
    // Nobody knows what is left in a mine (GAP-20): it pays the middle of 5 to 20 thousand.
    let view = adler("turn 1\nmap 0/0 tla Adler HST  1/0 tla Adler MIN\nfield 1/0 reserve 90000");
    let after = GAME
        .preview(&view, b"")
        .expect("a readable view")
        .expect("a player's view");
    let report = text(|sink| GAME.report(&after, sink).expect("a readable view"));
    assert!(report.contains("Mine auf 1/0: 12000 GS."), "{report}");
    assert!(!report.contains("erschöpft"), "{report}");
}

#[test]
fn the_game_master_has_no_orders_to_preview() {
    let view = view_of(Viewer::GameMaster, "", HOME);
    assert_eq!(GAME.preview(&view, b"$A\n"), Ok(None));
}

#[test]
fn a_preview_can_be_previewed() {
    let mut view = adler(HOME);
    for _ in 0..3 {
        view = GAME
            .preview(&view, b"")
            .expect("a readable view")
            .expect("a player's view");
    }
    let (_, seen) = open_view::<Thoramar>(&view).expect("a stored view");
    assert_eq!(seen.turn, 3);
}

#[test]
fn a_way_follows_the_road_when_that_is_cheaper() {
    // Straight east through swamp costs 3 a field, the road round it 1.
    let view = adler(
        "map 0/0 tla Adler HST  1/0 tsu Adler  2/0 tla Adler  1/1 tla Adler  2/1 tla Adler  road 0/0-1/1  road 1/1-2/1  road 2/1-2/0
army Adler K.M 1 2000 at 0/0",
    );
    let plan = GAME.route(&view, "K.M 1", "2/0").expect("a readable view");
    assert_eq!(plan.findings, []);
    let fields: Vec<&str> = plan.steps.iter().map(|step| step.to.as_str()).collect();
    assert_eq!(fields, ["1/1", "2/1", "2/0"]);
    assert_eq!(plan.steps.iter().map(|step| step.cost).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!(plan.orders[0].text, "K.M 1 1230000000000 V+");
    let arrival = plan.arrival.expect("an arrival");
    assert_eq!((arrival.step, arrival.part, plan.cost), (1, 3, 3));
}

#[test]
fn a_way_that_is_too_long_for_a_turn_goes_on_in_the_next_after_the_loan_is_paid() {
    // Medium warriors have 4 points; lowland costs 2 a step, so two steps a turn.
    let view =
        adler("map 0/0 tla Adler HST  1/0 tla Adler  2/0 tla Adler  3/0 tla Adler\narmy Adler K.M 1 2000 at 0/0");
    let points = Tables::book().movement_points(thoramar::codes::Kind::MediumWarrior);
    assert_eq!(points, 4);
    let plan = GAME.route(&view, "k.m 1", "3/0").expect("a readable view");
    let moments: Vec<(u32, u32)> = plan.steps.iter().map(|step| (step.when.step, step.when.part)).collect();
    assert_eq!(moments, [(1, 1), (1, 2), (2, 1)]);
    let orders: Vec<&str> = plan.orders.iter().map(|order| order.text.as_str()).collect();
    assert_eq!(orders, ["K.M 1 2200000000000 V+", "K.M 1 2000000000000 V+"]);
}

#[test]
fn the_turn_itself_agrees_with_the_plan() {
    let world = "map 0/0 tla Adler HST  1/0 hla Adler  2/0 bla Adler  1/1 tla Adler  2/1 hsu Adler  river 0/0-1/0
army Adler R.L 1 2000 at 0/0";
    let view = adler(world);
    for place in ["2/0", "2/1"] {
        let plan = GAME.route(&view, "R.L 1", place).expect("a readable view");
        let mut after = view.clone();
        for order in &plan.orders {
            let file = GAME.add_order("", order);
            after = GAME
                .preview(&after, file.as_bytes())
                .expect("a readable view")
                .expect("a player's view");
        }
        let (_, seen) = open_view::<Thoramar>(&after).expect("a stored view");
        let name = thoramar::state::ArmyName::new(thoramar::codes::Kind::LightRider, 1);
        assert_eq!(
            seen.army(name).map(|army| army.place.to_string()).as_deref(),
            Some(place)
        );
        assert_eq!(plan.arrival.map(|moment| moment.step), Some(seen.turn));
    }
}

#[test]
fn reach_holds_the_fields_of_two_steps_and_not_those_of_three() {
    let view =
        adler("map 0/0 tla Adler HST  1/0 tla Adler  2/0 tla Adler  3/0 tla Adler\narmy Adler K.M 1 2000 at 0/0");
    let reached = |turns: u32| -> Vec<String> {
        let list = GAME.reach(&view, "K.M 1", turns).expect("a readable view");
        list.into_iter().map(|reached| reached.place).collect()
    };
    assert!(reached(1).contains(&"2/0".to_owned()) && !reached(1).contains(&"3/0".to_owned()));
    assert!(reached(2).contains(&"3/0".to_owned()));
    assert!(reached(0).is_empty());
}

#[test]
fn a_way_that_cannot_be_is_a_finding() {
    let view = adler(HOME);
    for (from, to, code) in [
        ("K.M 9", "1/0", "O04"),
        ("quatsch", "1/0", "O01"),
        ("K.M 1", "quatsch", "O01"),
        ("K.M 1", "-1/0", "O03"),
        ("", "", "O01"),
    ] {
        let plan = GAME.route(&view, from, to).expect("a readable view");
        let codes: Vec<&str> = plan.findings.iter().map(|finding| finding.code.as_ref()).collect();
        assert_eq!(codes, [code], "{from} {to}");
    }
    let plan = GAME.route(&view, "K.M 1", "0/0").expect("a readable view");
    assert!(plan.findings.is_empty() && plan.steps.is_empty());
}

#[test]
fn the_map_can_be_read_field_by_field() {
    let view = adler(HOME);
    let told = text(|sink| GAME.gazetteer(&view, sink).expect("a readable view"));
    for part in [
        "0/0: Hauptstadt",
        "eigen; am Ursprung",
        "0/0: eigene Armee K.M 1 (2000)",
        // Lowland with its neighbours clockwise from the north-east.
        "0/0: Tiefland, eigenes Land, Hauptstadt, K.L 2 (500), K.M 1 (2000). Ringsum 1 Hochland hinter einem Fluß, 2 Tieflandwald mit Straße",
        "5 Wasser",
        "Reihe y = 1",
        "Wasser: 1 Feld um -1/0",
    ] {
        assert!(told.contains(part), "{part} is missing:\n{told}");
    }
    // Every field of the map has its line.
    for known in GAME.places(&view).expect("a readable view") {
        assert!(
            told.contains(&format!("\n{}: ", known.place)),
            "{} is missing",
            known.place
        );
    }
}

#[test]
fn the_lines_of_a_file_are_told_by_the_armies_they_command() {
    let view = adler(HOME);
    let commanded = |file: &str| -> Vec<(String, u32)> {
        let list = GAME.commanded(&view, file).expect("a readable view").expect("a seat");
        list.into_iter().map(|of| (of.army, of.line)).collect()
    };
    assert_eq!(commanded(""), []);
    // Arming is no command, a comment says nothing, and a line that cannot be read commands nobody.
    let file = "$R\nK.M 1 100 0 0\n; K.M 1\n$A\nK.M 1 2 V+\nK.L 2 9X V+\n";
    assert_eq!(commanded(file), [("K.M 1".to_owned(), 5)]);
    // Whoever joins another is commanded with it.
    let file = "$A\nK.M 1 0 V+ K.M 3\n";
    assert_eq!(commanded(file), [("K.M 1".to_owned(), 2), ("K.M 3".to_owned(), 2)]);
    // The game master gives no orders.
    let all = view_of(Viewer::GameMaster, "", HOME);
    assert_eq!(GAME.commanded(&all, file).expect("a readable view"), None);
}
