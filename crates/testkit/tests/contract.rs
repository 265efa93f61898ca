//! What the kernel makes of any game, seen at the smallest one: who is told what, which dice are open to whom, what a step leaves behind.

use kernel::any::{Adapter, AnyGame, GameError, StoredInput, state_schema, view_schema};
use kernel::codec::{self, Digest};
use kernel::dice::{Dice, Owner, StepSecret, WorldSecret};
use kernel::form::WrittenOrder;
use kernel::game::{self, Game};
use kernel::guide::AnyGuide;
use kernel::limits;
use kernel::realm::{RealmId, Viewer};
use kernel::turn::{Input, Judgement, Outcome};
use std::collections::BTreeMap;
use testkit::toy::{Host, Ruling, State, Toy};

const ADLER: RealmId = RealmId(1);
const BEAR: RealmId = RealmId(2);

fn state(house_rules: &str) -> State {
    let host = |name: &str, at| Host {
        name: name.to_owned(),
        at,
        gold: 10,
    };
    State {
        house_rules: house_rules.to_owned(),
        step: 1,
        hosts: BTreeMap::from([(ADLER, host("Adler", 0)), (BEAR, host("Bär", 5))]),
        ..State::default()
    }
}

fn secret() -> StepSecret {
    WorldSecret([9; 32]).step(1)
}

/// A step in which Adler sends these orders and the game master decides this unasked.
fn run(house_rules: &str, orders: &str, edicts: Vec<Ruling>) -> Outcome<Toy> {
    let tables = Toy::tables(house_rules).expect("house rules");
    let mut input = Input::<Toy>::default();
    input
        .orders
        .insert(ADLER, Toy::parse(&tables, &ADLER, orders.as_bytes()));
    input.edicts.extend(edicts.into_iter().map(|ruling| Judgement {
        ruling,
        reason: String::new(),
    }));
    game::run::<Toy>(&tables, state(house_rules), &input, Dice::Keyed(secret()))
}

fn stored(orders: &[(RealmId, &str)]) -> StoredInput {
    StoredInput {
        files: orders
            .iter()
            .map(|(realm, file)| (*realm, file.as_bytes().to_vec()))
            .collect(),
        ..StoredInput::default()
    }
}

fn bytes(state: &State) -> Vec<u8> {
    codec::encode(state_schema::<Toy>(), state).expect("bytes")
}

#[test]
fn an_event_is_told_once_to_everyone_it_concerns_and_never_to_nobody() {
    // Everyone is a witness of Adler's digging, he himself twice.
    let mut outcome = run("fault = \"tells\"", "DIG", Vec::new());
    outcome
        .state
        .hosts
        .insert(RealmId::NOBODY, outcome.state.hosts[&ADLER].clone());
    let lists = game::audiences::<Toy>(&outcome);
    assert_eq!(lists, BTreeMap::from([(ADLER, vec![0]), (BEAR, vec![0])]));
}

#[test]
fn a_die_is_open_to_its_owner_and_sealed_for_other_witnesses() {
    let outcome = run("fault = \"tells\"", "DIG", Vec::new());
    let tables = Toy::tables("").expect("house rules");
    let why = |viewer| {
        let brief = game::brief::<Toy>(&tables, &outcome, viewer, 0..1);
        let told = brief.told.into_iter().next().expect("a notice");
        (told.why.rolls.len(), told.why.sealed, told.line)
    };
    // Dice that are shown, dice that stay sealed, and the line of the own order.
    assert_eq!(why(Viewer::Realm(ADLER)), (1, 0, Some(1)));
    assert_eq!(why(Viewer::Realm(BEAR)), (0, 1, None));
    assert_eq!(why(Viewer::GameMaster), (1, 0, None));
}

#[test]
fn a_face_that_the_game_master_fixed_counts_if_the_die_has_it_and_what_fell_is_kept() {
    let name = "TOY-DIG-01 1 line 1";
    let fell = secret().key(Owner::Realm(ADLER)).roll(name, 1, 6);
    let other = fell % 6 + 1;
    for (face, counts, kept) in [
        (other, other, Some(fell)),
        (7, fell, None),
        (0, fell, None),
        (6, 6, Some(fell)),
    ] {
        let outcome = run("", "DIG", vec![Ruling::Face(name.to_owned(), face)]);
        let roll = &outcome.rolls[0];
        assert_eq!((roll.value, roll.fell), (counts, kept), "{face}");
        assert!(roll.holds(&secret().key(Owner::Realm(ADLER))));
        assert_eq!(outcome.state.hosts[&ADLER].gold, 10 + counts);
    }
}

#[test]
fn a_question_uses_its_answer_or_its_default_and_says_which() {
    let tables = Toy::tables("").expect("house rules");
    let mut input = Input::<Toy>::default();
    input.orders.insert(ADLER, Toy::parse(&tables, &ADLER, b"PRAY\nPRAY"));
    let answer = Judgement {
        ruling: Ruling::Gold(7),
        reason: "a good prayer".to_owned(),
    };
    input.answers.insert("TOY-PRAY-01 1 line 2".to_owned(), answer);
    let outcome = game::run::<Toy>(&tables, state(""), &input, Dice::Keyed(secret()));
    let asked: Vec<(&str, bool)> = outcome
        .requests
        .iter()
        .map(|asked| (asked.name.as_str(), asked.answered))
        .collect();
    assert_eq!(asked, [("TOY-PRAY-01 1 line 1", false), ("TOY-PRAY-01 1 line 2", true)]);
    assert_eq!(outcome.state.hosts[&ADLER].gold, 17);
}

#[test]
fn findings_of_reading_and_of_the_step_stand_in_the_order_of_the_file() {
    let outcome = run("", "MARCH 11\nFLY\nMARCH 12\nSWIM", Vec::new());
    let lines: Vec<u32> = outcome.refusals[&ADLER]
        .iter()
        .map(|finding| finding.span.line)
        .collect();
    assert_eq!(lines, [1, 2, 3, 4]);
}

#[test]
fn a_check_lists_each_finding_once_in_order_and_not_without_end() {
    let game = Adapter::<Toy>::new();
    let mut view = Vec::new();
    let first = game.first_views(&bytes(&state("")), &mut |viewer, bytes| {
        if viewer == Viewer::Realm(ADLER) {
            view = bytes.to_vec();
        }
        Ok(())
    });
    assert_eq!(first, Ok(()));
    let lines = |file: &str| -> Vec<u32> {
        let checked = game.check(&view, file.as_bytes()).expect("a check");
        checked.diagnostics.iter().map(|finding| finding.span.line).collect()
    };
    // The first is advice from the view, the second comes from reading.
    assert_eq!(lines("MARCH 0\nFLY\nMARCH 0"), [1, 2, 3]);
    assert_eq!(lines(&"FLY\n".repeat(limits::DIAGNOSTICS)).len(), limits::DIAGNOSTICS);
    assert_eq!(
        lines(&"FLY\n".repeat(limits::DIAGNOSTICS + 1)).len(),
        limits::DIAGNOSTICS
    );
}

#[test]
fn a_step_leaves_a_state_whose_digest_is_chained_and_a_view_for_everyone() {
    let game = Adapter::<Toy>::new();
    let before = Digest::of(b"the step before");
    let mut viewers = Vec::new();
    let input = stored(&[(ADLER, "DIG\nPRAY")]);
    let result = game
        .run(&bytes(&state("")), before, &input, &secret(), &mut |viewer, bytes| {
            let view = codec::decode::<<Toy as Game>::View>(view_schema::<Toy>(), bytes);
            assert!(view.is_ok());
            viewers.push(viewer);
            Ok(())
        })
        .expect("a step");
    assert_eq!(viewers, [Viewer::Realm(ADLER), Viewer::Realm(BEAR), Viewer::GameMaster]);
    assert_eq!(result.digest, before.then(&result.state));
    assert_eq!((result.events, result.rolls.len(), result.requests.len()), (2, 1, 1));
    assert_eq!(game.open_step(&result.state).map(|step| step.number), Ok(2));
}

#[test]
fn a_world_that_would_break_a_law_stays_as_it_was_and_nobody_is_told() {
    let game = Adapter::<Toy>::new();
    let run = |house_rules: &str, input: &StoredInput| {
        let mut told = 0;
        let result = game.run(
            &bytes(&state(house_rules)),
            Digest::default(),
            input,
            &secret(),
            &mut |_, _| {
                told += 1;
                Ok(())
            },
        );
        (result.err(), told)
    };
    let (error, told) = run("fault = \"breaks\"", &stored(&[(ADLER, "DIG")]));
    assert!(matches!(error, Some(GameError::Broken(_))) && told == 0, "{error:?}");
    let (error, told) = run("", &stored(&[(ADLER, "DIG"), (RealmId(9), "DIG")]));
    assert_eq!((error, told), (Some(GameError::NoSuchRealm(RealmId(9))), 0));
    let mut unread = stored(&[]);
    unread.edicts.push(("{".to_owned(), String::new()));
    assert!(matches!(run("", &unread), (Some(GameError::Judgement(_)), 0)));
    let long = " ".repeat(limits::HOUSE_RULES_BYTES);
    assert_eq!(game.check_house_rules(&long), Ok(()));
    assert!(matches!(
        game.check_house_rules(&format!("{long} ")),
        Err(GameError::HouseRules(_))
    ));
}

#[test]
fn an_order_more_stands_behind_the_others_below_its_opening() {
    let game = Adapter::<Toy>::new();
    let order = |opening: &str| WrittenOrder {
        opening: opening.to_owned(),
        text: "DIG".to_owned(),
    };
    assert_eq!(game.add_order("", &order("")), "DIG\n");
    assert_eq!(game.add_order("MARCH 3\n\n \n", &order("")), "MARCH 3\nDIG\n");
    assert_eq!(game.add_order("MARCH 3", &order("$A")), "MARCH 3\n$A\nDIG\n");
}
