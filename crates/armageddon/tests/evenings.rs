//! The ready battles are made by naming them, and played by chance they break no law.

use armageddon::Armageddon;
use armageddon::battle::{Battle, Referee};
use armageddon::event::Event;
use armageddon::setup::ready;
use armageddon::state::State;
use armageddon::tables::Tables;
use armageddon::{legal, room, script, steps};
use kernel::diagnostic::Diagnostic;
use kernel::dice::{Dice, Owner};
use kernel::game::{Game, SeatPlan, WorldPlan};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die, Rules};
use std::collections::BTreeMap;
use std::fmt;

/// Dice that follow a seed.
struct Quiet(u64);

impl Quiet {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % below.max(1)
    }
}

impl Referee for Quiet {
    fn roll(&mut self, _: RuleId, _: Owner, _: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]) {
        for die in dice {
            let below = usize::try_from(faces).unwrap_or(1);
            die.value = 1 + i64::try_from(self.next(below)).unwrap_or(0);
        }
    }

    fn emit(&mut self, _: Cause, _: Rules, _: &[Die], _: Event) {}

    fn refuse(&mut self, _: RealmId, finding: Diagnostic) {
        assert_eq!(finding.code, "turn-open", "nothing is refused but by mistake");
    }
}

/// A battle made from the house rules as a host makes it.
fn made(code: &str) -> State {
    let house_rules = format!("[battle]\nready = \"{code}\"\n");
    let tables = Armageddon::tables(&house_rules).expect("house rules");
    let seat = |name: &str| SeatPlan {
        realm: name.to_owned(),
        player: format!("Frau {name}"),
        kind: String::new(),
    };
    let plan = WorldPlan {
        seats: vec![seat("Rote Wölfe"), seat("Blau")],
    };
    let mut dice = Dice::Typical(50);
    Armageddon::create(&tables, &house_rules, &plan, &mut dice, &mut |_, _| {}).expect(code)
}

#[test]
fn a_ready_battle_is_made_by_naming_it() {
    for ready in ready::ALL {
        let state = made(ready.code);
        let names: Vec<&str> = state
            .position
            .players
            .values()
            .map(|player| player.name.as_str())
            .collect();
        assert_eq!(names, ["Rote Wölfe", "Blau"]);
        assert!(!state.position.name.is_empty());
    }
    let tables = Armageddon::tables("[battle]\nready = \"nowhere\"\n").expect("house rules");
    let plan = WorldPlan { seats: Vec::new() };
    let mut dice = Dice::Typical(50);
    assert!(Armageddon::create(&tables, "", &plan, &mut dice, &mut |_, _| {}).is_err());
}

/// Plays a script of the mover.
fn play(battle: &mut Battle<'_>, last: &str) {
    let Some(mover) = battle.position.mover() else { return };
    let name = battle
        .position
        .players
        .get(&mover)
        .map(|player| player.name.clone())
        .unwrap_or_default();
    let text = format!("RUNDE {} SPIELER {name}\n{last}", battle.position.clock.round);
    let orders = BTreeMap::from([(mover, script::parse(text.as_bytes()))]);
    steps::run(battle, &orders);
}

#[test]
fn ready_battles_played_by_chance_break_no_law() {
    let tables = Tables::book().expect("the book");
    for (ready, seed) in ready::ALL.iter().zip(1u64..) {
        let state = made(ready.code);
        let figures = state.position.figures.len();
        let mut chance = Quiet(seed);
        let mut quiet = Quiet(seed + 100);
        let mut battle = Battle::new(&tables, state, &mut quiet);
        for _ in 0..4 {
            if battle.position.outcome.is_some() {
                break;
            }
            play(&mut battle, "");
            let Some(player) = battle.position.mover() else { break };
            for _ in 0..5 {
                let offers = legal::offers(battle.scene(player), player);
                let Some(deed) = offers.get(chance.next(offers.len())) else {
                    break;
                };
                assert_eq!(
                    legal::carry_out(&mut battle, player, deed),
                    Ok(()),
                    "{} {deed:?}",
                    ready.code
                );
                assert_eq!(room::crowded(&tables, &battle.position), [], "{} {deed:?}", ready.code);
            }
            play(&mut battle, "ENDE\n");
        }
        let state = battle.finish(String::new());
        assert_eq!(state.position.figures.len(), figures);
        assert_eq!(Armageddon::invariants(&tables, &state), Ok(()), "{}", ready.code);
    }
}
