//! Computer players alone with a battle: every line they send is legal on their own board, and they fight it out.
//!
//! `SOAK` multiplies the battles: `SOAK=6 cargo test -p armageddon --test computer_players -- --nocapture` prints what they did.

use armageddon::Armageddon;
use armageddon::setup::{self, ready};
use armageddon::state::State;
use kernel::any;
use kernel::campaign::Campaign;
use kernel::diagnostic::Severity;
use kernel::dice::{Dice, WorldSecret};
use kernel::game::{self, Brief, Game};
use kernel::realm::Viewer;
use kernel::turn::Input;
use std::collections::BTreeMap;

/// Steps of a battle at the most: twelve rounds of three players who look at their dice, each time that some fell while they moved and twice more.
const STEPS: u32 = 400;

/// Plays a battle to its end; counts what was ordered.
fn play(mut state: State, seed: u8, orders: &mut BTreeMap<String, u32>, refused: &mut Vec<String>) {
    let secret = WorldSecret([seed; 32]);
    let tables = Armageddon::tables("").expect("the book");
    for step in 1..=STEPS {
        let open = Armageddon::open_step(&tables, &state);
        if open.over {
            return;
        }
        let mut input = Input::<Armageddon>::default();
        let mut sent = BTreeMap::new();
        for player in open.owes {
            let brief = Brief {
                viewer: Viewer::Realm(player),
                told: Vec::new(),
                diagnostics: Vec::new(),
            };
            let view = Armageddon::view(&tables, &state, brief);
            let file = Armageddon::computer_player(&tables, &view, &mut Dice::Keyed(secret.step(1_000 + step)));
            let checked = any::check::<Armageddon>(&tables, &view, file.as_bytes());
            let wrong = checked
                .diagnostics
                .iter()
                .find(|finding| finding.severity == Severity::Error);
            assert!(
                wrong.is_none(),
                "seed {seed}, step {step}, {player}: {wrong:?} in\n{file}"
            );
            for verb in file.lines().filter_map(|line| line.split(' ').next()) {
                *orders.entry(verb.to_owned()).or_default() += 1;
            }
            let seat = Armageddon::seat(&tables, &state, player).expect("a seat");
            input
                .orders
                .insert(player, Armageddon::parse(&tables, &seat, file.as_bytes()));
            sent.insert(player, file);
        }
        let outcome = game::run::<Armageddon>(&tables, state, &input, Dice::Keyed(secret.step(step)));
        Armageddon::invariants(&tables, &outcome.state).expect("the laws of the board");
        for (player, findings) in &outcome.refusals {
            for finding in findings.iter().filter(|finding| finding.severity == Severity::Error) {
                let file = &sent[player];
                refused.push(format!("seed {seed}, step {step}, {player}: {finding:?} in\n{file}"));
            }
        }
        state = outcome.state;
    }
    panic!("seed {seed}: the battle does not end");
}

fn factor() -> u8 {
    let text = std::env::var("SOAK").ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(1)
}

#[test]
fn computer_players_send_legal_lines_and_bring_a_battle_to_its_end() {
    let (mut orders, mut refused) = (BTreeMap::new(), Vec::new());
    for seed in 1..=4 * factor() {
        let dice = &mut Dice::Keyed(WorldSecret([seed; 32]).step(0));
        let state = Armageddon::setting(dice).expect("a battle").state;
        play(state, seed, &mut orders, &mut refused);
    }
    println!("{orders:#?}\n{} refused", refused.len());
    assert!(refused.is_empty(), "{}", refused[0]);
    for verb in ["ZIEHE", "ANGRIFF", "SCHUSS", "ZAUBER", "BESITZ"] {
        assert!(orders.contains_key(verb), "nobody uses {verb}");
    }
}

#[test]
fn computer_players_send_legal_lines_in_the_ready_battles() {
    let tables = Armageddon::tables("").expect("the book");
    let (mut orders, mut refused) = (BTreeMap::new(), Vec::new());
    let only = std::env::var("BATTLE").ok();
    for ready in ready::ALL
        .iter()
        .filter(|ready| only.as_deref().is_none_or(|only| only == ready.code))
    {
        let state = setup::build(&tables, "", &setup::read_lines(ready.setup)).expect(ready.code);
        for seed in 1..=factor() {
            play(state.clone(), seed, &mut orders, &mut refused);
        }
    }
    println!("{orders:#?}");
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}
