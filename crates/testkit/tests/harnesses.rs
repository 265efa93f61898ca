//! The harnesses find what is planted in the toy game, and nothing in the sound one.

use kernel::campaign::{Campaign, LineFate, Setting};
use kernel::diagnostic::{Diagnostic, Span};
use kernel::dice::{Dice, WorldSecret};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use testkit::leaks::{History, Look};
use testkit::press::PlainPress;
use testkit::toy::{Tables, Toy};
use testkit::{leaks, mutants, replay};

fn setting(seed: u8, house_rules: &str) -> Setting<Toy> {
    let mut setting = Toy::setting(&mut Dice::Keyed(WorldSecret([seed; 32]).step(1))).expect("a setting");
    setting.state.house_rules = house_rules.to_owned();
    setting
}

fn leak(house_rules: &str) -> Result<leaks::Compared, String> {
    let one = setting(1, house_rules);
    let viewer = RealmId(1);
    let two = Toy::scramble(&one, viewer, 3, &mut Dice::Keyed(WorldSecret([2; 32]).step(1)));
    let compared = |look| {
        let (mut one, mut two) = (History::new(one.clone(), 5), History::new(two.clone(), 5));
        leaks::compare::<Toy>(&mut one, &mut two, viewer, 3, look, &PlainPress)
    };
    // Whoever compares only what the viewer holds finds the same and tells it in the same words.
    let (found, short) = (compared(Look::Everything), compared(Look::Held));
    assert_eq!(found.as_ref().err(), short.as_ref().err());
    found
}

/// The names of the functions of a trait that answer from a stored view.
fn answers(source: &str) -> Vec<&str> {
    let functions = source.split("    fn ").skip(1);
    let functions = functions.filter_map(|function| function.split_once('('));
    let answers = functions.filter(|(_, inputs)| {
        let inputs = inputs.split(')').next().unwrap_or_default();
        inputs.contains("&self") && (inputs.contains("view: &[u8]") || inputs.contains("after: &[u8]"))
    });
    let mut names: Vec<&str> = answers.map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whoever teaches the guide a new answer has it compared, too: this test tells him.
#[test]
fn every_answer_that_is_made_of_a_view_is_compared() {
    let guide = answers(include_str!("../../kernel/src/guide.rs"));
    let game = answers(include_str!("../../kernel/src/any.rs"));
    assert!(guide.len() > 25 && game.len() > 7, "{guide:?} {game:?}");
    let compared = [
        include_str!("../src/exposure.rs"),
        include_str!("../src/guided.rs"),
        include_str!("../src/leaks.rs"),
    ]
    .concat();
    // A check is compared as it is made for a page, and a view as JSON is the view itself.
    let elsewhere = |name: &str| match name {
        "check" => compared.contains("any::check::<G>("),
        "view_json" => compared.contains("serde_json::to_string(&view)"),
        name => compared.contains(&format!("G::{name}(")),
    };
    let forgotten: Vec<&str> = guide.into_iter().chain(game).filter(|name| !elsewhere(name)).collect();
    assert_eq!(forgotten, [""; 0]);
}

#[test]
fn a_sound_game_has_no_leaks_and_its_twins_differ() {
    let tally = leaks::search::<Toy>(0..50, &PlainPress, &mut |_| {});
    // Every viewer has one twin for a single step and one for three.
    assert_eq!(
        (tally.worlds, tally.viewers, tally.steps, tally.idle),
        (50, 150, 150 * (1 + 3), 0)
    );
    assert!(tally.leaks.is_empty(), "{}", tally.leaks[0]);
    assert!(tally.bytes > 10_000);
    // The twins have other gold; where hosts stand is as it was, and nothing is proven about that.
    assert_eq!(
        (tally.fields.get("gold"), tally.fields.get("at")),
        (Some(&true), Some(&false))
    );
    let ill_proven = leaks::ill_proven::<Toy>(0..5);
    assert!(
        ill_proven.contains(&"at: secret, but in no twin otherwise".to_owned()),
        "{ill_proven:?}"
    );
    assert!(
        !ill_proven.iter().any(|fault| fault.starts_with("gold:")),
        "{ill_proven:?}"
    );
}

#[test]
fn a_notice_to_strangers_is_a_leak_after_the_step() {
    let difference = leak("fault = \"tells\"").expect_err("a leak");
    assert!(
        difference.starts_with("after step 1, view: differs at byte"),
        "{difference}"
    );
}

#[test]
fn a_sum_over_the_whole_world_is_a_leak_before_the_step() {
    let difference = leak("fault = \"counts\"").expect_err("a leak");
    assert!(
        difference.starts_with("before step 1, view: differs at byte"),
        "{difference}"
    );
    assert!(difference.contains("total_gold"), "{difference}");
}

#[test]
fn a_leak_that_shows_later_is_found_in_its_step() {
    let difference = leak("fault = \"babbles\"").expect_err("a leak");
    assert!(
        difference.starts_with("after step 2, view: differs at byte"),
        "{difference}"
    );
}

#[test]
fn a_die_that_falls_twice_is_found_in_a_random_world() {
    let fault = leak("fault = \"repeats\"").expect_err("a die rolled twice");
    assert!(fault.contains("was rolled twice"), "{fault}");
    let fault = leak("fault = \"nameless\"").expect_err("an event without a rule");
    assert!(fault.contains("an event names no rule"), "{fault}");
}

#[test]
fn a_replay_gives_the_same_digest_and_another_seed_another_one() {
    let first = replay::replay::<Toy>(1, 4).expect("a replay");
    assert_eq!(Ok(first), replay::replay::<Toy>(1, 4));
    assert_ne!(Ok(first), replay::replay::<Toy>(2, 4));
}

#[test]
fn a_coin_outside_the_state_is_found_by_a_replay() {
    let message = replay::replay_from::<Toy>(setting(3, "fault = \"wavers\""), 3, 2).expect_err("a difference");
    assert!(message.contains("the digest differs"), "{message}");
}

#[test]
fn broken_files_are_read_line_by_line() {
    let tally = mutants::check::<Toy>(7, 2_000, &mut |_| {});
    assert!(tally.faults.is_empty(), "{}", tally.faults[0]);
    assert_eq!(tally.files, 2_000);
    assert!(tally.orders > 1_000 && tally.findings > 1_000, "{}", tally.text());
}

#[test]
fn the_same_seed_gives_the_same_broken_files() {
    let clean = vec![b"MARCH 3\nDIG\n".to_vec()];
    let one: Vec<Vec<u8>> = mutants::mutants(1, clean.clone()).take(100).collect();
    let two: Vec<Vec<u8>> = mutants::mutants(1, clean.clone()).take(100).collect();
    assert_eq!(one, two);
    assert!(one.iter().filter(|file| **file != clean[0]).count() > 80);
}

#[test]
fn a_line_without_fate_is_found() {
    const RULE: RuleId = RuleId::new("TOY-FILE-01");
    let at = |line, column| {
        Diagnostic::error(
            "x",
            Span {
                line,
                column,
                length: 0,
            },
            &[RULE],
        )
    };
    let file = b"DIG\n; why\n\nFLY\n";
    let fates = [
        LineFate::Order,
        LineFate::Understood,
        LineFate::Blank,
        LineFate::Refused,
    ];
    let orders = [1].into();
    assert_eq!(mutants::accounted(file, &fates, &orders, &[at(4, 1)]), Ok(()));
    for (fates, orders, findings, part) in [
        (&fates[..], [1].into(), vec![], "line 4 is refused without a finding"),
        (&fates[..], [2].into(), vec![at(4, 1)], "line 1 is called an order"),
        (&fates[..3], [1].into(), vec![at(4, 1)], "4 lines, but 3 fates"),
        (&fates[..], [1].into(), vec![at(4, 0)], "points at"),
        (&fates[..], [1].into(), vec![at(9, 1)], "points at"),
        (
            &[LineFate::Blank; 4][..],
            [1].into(),
            vec![at(4, 1)],
            "line 1 is not blank",
        ),
    ] {
        let message = mutants::accounted(file, fates, &orders, &findings).expect_err(part);
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn house_rules_of_the_toy_are_checked() {
    assert_eq!(Tables::default().gold_max, 6);
    assert!(<Toy as kernel::game::Game>::tables("fault = \"sings\"").is_err());
}
