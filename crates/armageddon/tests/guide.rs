//! The board in words, ways, calculators, charts, forms and the editor, as players and game masters meet them.

use armageddon::Armageddon;
use armageddon::setup::{self, ready};
use armageddon::state::State;
use armageddon::tables::Tables;
use armageddon::view::View;
use kernel::dice::{Dice, StepSecret};
use kernel::form::Values;
use kernel::game::{self, Brief, Game};
use kernel::guide::Guide;
use kernel::realm::{RealmId, Viewer};
use kernel::report::ReportSink;
use kernel::turn::{Input, Judgement};
use testkit::press::{Press, RenderPress};

fn battle(code: &str) -> (Tables, State) {
    let tables = Tables::book().expect("the book");
    let ready = ready::find(code).expect(code);
    let state = setup::build(&tables, "", &setup::read_lines(ready.setup)).expect(code);
    (tables, state)
}

fn view_of(tables: &Tables, state: &State, viewer: Viewer) -> View {
    let brief = Brief {
        viewer,
        told: Vec::new(),
        diagnostics: Vec::new(),
    };
    Armageddon::view(tables, state, brief)
}

fn text(write: &dyn Fn(&mut dyn ReportSink)) -> String {
    RenderPress.text(Armageddon::NAME, write)
}

#[test]
fn every_ready_battle_can_be_read_as_text_without_a_bare_key() {
    for ready in ready::ALL {
        let (tables, state) = battle(ready.code);
        let view = view_of(&tables, &state, Viewer::Realm(RealmId(1)));
        let whole = text(&|sink| Armageddon::gazetteer(&tables, &view, sink));
        assert!(!whole.contains('='), "{whole}");
        // Every figure on the board is named, and every field has its neighbours.
        for (_, figure) in view.position.present() {
            assert!(whole.contains(&figure.to_string()), "{}: {figure}", ready.code);
        }
        for known in Armageddon::places(&tables, &view).iter().step_by(7) {
            let field = text(&|sink| Armageddon::dossier(&tables, &view, &known.place, sink));
            assert!(!field.contains('=') && field.len() > 40, "{field}");
        }
    }
}

#[test]
fn a_field_that_does_not_exist_gives_a_finding() {
    let (tables, state) = battle("field-battle");
    let view = view_of(&tables, &state, Viewer::Realm(RealmId(1)));
    for place in ["99", "", "x", "17.9", "-1", "1/2/3"] {
        let answer = text(&|sink| Armageddon::dossier(&tables, &view, place, sink));
        assert!(answer.contains("gibt es hier nicht"), "{place}: {answer}");
    }
}

#[test]
fn a_warrior_walks_two_fields_in_a_turn_and_the_orders_say_so() {
    let tables = Tables::book().expect("the book");
    let lines = "player 1 named Rot side 1\nplayer 2 named Blau side 2\nfigure 1 LB 1 at 23\nfigure 2 S 1 at 30";
    let state = setup::build(&tables, "", &setup::read_lines(lines)).expect("a battle");
    let view = view_of(&tables, &state, Viewer::Realm(RealmId(1)));
    let plan = Armageddon::route(&tables, &view, "LB#1", "26");
    // Three fields of lowland: two steps now, one in the next turn, and Blau's turn lies between.
    assert_eq!(plan.findings, []);
    assert_eq!((plan.steps.len(), plan.cost), (3, 3));
    let steps: Vec<u32> = plan.steps.iter().map(|step| step.when.step).collect();
    assert_eq!(steps, [1, 1, 3]);
    let orders: Vec<&str> = plan.orders.iter().map(|order| order.text.as_str()).collect();
    assert_eq!(orders, ["ZIEHE LB#1 23>24>25", "ZIEHE LB#1 25>26"]);
    let file = Armageddon::add_order("", &plan.orders[0]);
    let findings = Armageddon::check(
        &tables,
        &view,
        &Armageddon::parse(&tables, &armageddon::Seat(RealmId(1)), file.as_bytes()),
    );
    assert!(
        findings.iter().all(|finding| finding.code == "turn-open"),
        "{findings:?}"
    );
    let near = Armageddon::reach(&tables, &view, "LB#1", 1);
    assert!(near.iter().any(|found| found.place == "25") && near.iter().all(|found| found.place != "26"));
    assert!(!Armageddon::route(&tables, &view, "XX#1", "26").findings.is_empty());
    assert!(!Armageddon::route(&tables, &view, "LB#1", "99").findings.is_empty());
}

#[test]
fn a_duel_is_reckoned_as_the_catalogue_has_it() {
    let (tables, state) = battle("field-battle");
    let view = view_of(&tables, &state, Viewer::Realm(RealmId(1)));
    let values = |pairs: &[(&str, &str)]| -> Values {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    };
    let duel = values(&[("figure", "S"), ("target", "S")]);
    let answer = text(&|sink| Armageddon::calculate(&tables, &view, "duel", &duel, sink));
    // Two swords of class A: 2 points of the attack make 16005 kills and 9798 deaths of 46656.
    assert!(answer.contains("16005") && answer.contains("9798"), "{answer}");
    let army = values(&[("list", "10S, 2LB"), ("budget", "20")]);
    let answer = text(&|sink| Armageddon::calculate(&tables, &view, "army", &army, sink));
    // Ten men at 2 and two champions at 4.
    assert!(answer.contains("28"), "{answer}");
    for form in Armageddon::calculators(&tables, &view) {
        let answer = text(&|sink| Armageddon::calculate(&tables, &view, &form.name, &Values::new(), sink));
        assert!(!answer.is_empty(), "{}", form.name);
    }
}

#[test]
fn charts_tell_a_player_of_himself_and_the_game_master_of_everybody() {
    let (tables, state) = battle("field-battle");
    let own = Armageddon::figures(&tables, &view_of(&tables, &state, Viewer::Realm(RealmId(1))));
    assert!(own.iter().all(|figure| figure.realm == RealmId(1)));
    assert!(own.iter().any(|figure| figure.key == "figure-units"));
    let all = Armageddon::figures(&tables, &view_of(&tables, &state, Viewer::GameMaster));
    assert!(all.iter().any(|figure| figure.realm == RealmId(2)));
    assert!(all.iter().all(|figure| figure.key != "figure-units"));
    let starts = Armageddon::starts(&tables, &state);
    assert_eq!(starts.len(), 2);
    assert_eq!(starts[0].worth, starts[1].worth);
}

#[test]
fn completing_proposes_verbs_then_figures() {
    let (tables, state) = battle("field-battle");
    let view = view_of(&tables, &state, Viewer::Realm(RealmId(1)));
    let first = Armageddon::complete(&tables, &view, "RUNDE 1 SPIELER West\nAN", 2, 3);
    let words: Vec<&str> = first.items.iter().map(|item| item.value.as_str()).collect();
    assert!(words.contains(&"ANGRIFF") && words.contains(&"ANSPANNEN"), "{words:?}");
    let own = Armageddon::complete(&tables, &view, "ANGRIFF SB#", 1, 12);
    assert!(own.items.iter().any(|item| item.value == "SB#1"));
    assert_eq!(own.pattern, "pattern-attack");
    let enemy = Armageddon::complete(&tables, &view, "ANGRIFF SB#1 -> SB#", 1, 20);
    assert!(enemy.items.iter().all(|item| item.value != "SB#1"));
    assert!(enemy.items.iter().any(|item| item.value == "SB#11"));
    for (line, column) in [(0, 0), (9, 1), (1, 999), (u32::MAX, u32::MAX)] {
        let _ = Armageddon::complete(&tables, &view, "ZIEHE ", line, column);
    }
}

#[test]
fn a_change_by_hand_is_carried_out_by_the_step_and_told() {
    let (tables, state) = battle("field-battle");
    let mut shown = state.clone();
    let changes = Armageddon::change_world(&tables, &mut shown, &[], "figure 1 SC 50 at 1\nremove S#1\n");
    let ruling = changes.ruling.expect("a judgement");
    assert_eq!(changes.faults, []);
    let words = Armageddon::ruling_words(&ruling).expect("words");
    assert_eq!(Armageddon::read_ruling(&tables, &state, &words), Ok(ruling.clone()));
    let input = Input::<Armageddon> {
        edicts: vec![Judgement {
            ruling,
            reason: "Ein Versehen beim Aufstellen.".to_owned(),
        }],
        ..Input::default()
    };
    let before = view_of(&tables, &state, Viewer::GameMaster);
    let outcome = game::run::<Armageddon>(&tables, state, &input, Dice::Keyed(StepSecret([3; 32])));
    let found = |name: &str| {
        let board = Armageddon::board(&tables, &view_of(&tables, &outcome.state, Viewer::GameMaster), "");
        board.expect("a board").pieces.iter().any(|piece| piece.name == name)
    };
    assert!(found("SC#50") && !found("S#1"));
    let events = u32::try_from(outcome.journal.len()).expect("few events");
    let after = game::view::<Armageddon>(&tables, &outcome, Viewer::GameMaster, 0..events);
    let frames = Armageddon::frames(&tables, &before, &after);
    let first = frames
        .iter()
        .find(|frame| frame.text.key == "board-changed")
        .expect("it is told");
    assert!(first.changed.iter().any(|piece| piece.name == "SC#50"));
    assert!(first.gone.iter().any(|name| name == "S#1"));
}
