//! A long game of computer players: nothing is refused, no law is broken, and realms grow.

use kernel::diagnostic::Severity;
use kernel::dice::{Dice, WorldSecret};
use kernel::game::{self, Brief, Game, SeatPlan, WorldPlan};
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Input;
use pygma_isis::PygmaIsis;
use pygma_isis::state::{State, Statement};
use pygma_isis::tables::Tables;

/// Plays so many months and returns the world.
fn play(seats: usize, months: u32, seed: u8) -> State {
    let tables = Tables::book();
    let secret = WorldSecret([seed; 32]);
    let plan = WorldPlan {
        seats: vec![SeatPlan::default(); seats],
    };
    let mut dice = Dice::Keyed(secret.step(0));
    let mut state = PygmaIsis::create(&tables, "", &plan, &mut dice, &mut |_, _| {}).expect("a world");
    for month in 1..=months {
        let mut input = Input::<PygmaIsis>::default();
        let realms: Vec<RealmId> = state.playing().collect();
        for realm in realms {
            let brief = Brief {
                viewer: Viewer::Realm(realm),
                told: Vec::new(),
                diagnostics: Vec::new(),
            };
            let view = PygmaIsis::view(&tables, &state, brief);
            let mut dice = Dice::Keyed(secret.step(1_000_000 + month));
            let file = PygmaIsis::computer_player(&tables, &view, &mut dice);
            let seat = PygmaIsis::seat(&tables, &state, realm).expect("a seat");
            let parsed = PygmaIsis::parse(&tables, &seat, file.as_bytes());
            assert!(
                parsed.diagnostics.is_empty(),
                "{month} {realm}: {:?}",
                parsed.diagnostics
            );
            let findings = PygmaIsis::check(&tables, &view, &parsed);
            let refused = findings.iter().find(|finding| finding.severity == Severity::Error);
            assert!(refused.is_none(), "month {month}, realm {realm}: {refused:?}");
            input.orders.insert(realm, parsed);
        }
        let outcome = game::run::<PygmaIsis>(&tables, state, &input, Dice::Keyed(secret.step(month)));
        for (realm, findings) in &outcome.refusals {
            // Nobody can know that a neighbour founds a settlement beside his own in the same month (PYG-GAP-12).
            let mut refused = findings.iter().filter(|finding| finding.severity == Severity::Error);
            let refused = refused.find(|finding| finding.code != "E_SPACING");
            assert!(refused.is_none(), "month {month}, realm {realm}: {refused:?}");
        }
        state = outcome.state;
        assert_eq!(PygmaIsis::invariants(&tables, &state), Ok(()), "month {month}");
    }
    state
}

#[test]
fn computer_players_grow_and_never_send_an_illegal_order() {
    let state = play(4, 24, 1);
    for realm in state.realms.keys() {
        let land = state.land_of(*realm).count();
        assert!(land > 20, "realm {realm} has {land} fields");
    }
}

#[test]
fn twelve_computer_players_play_two_years() {
    let state = play(12, 16, 2);
    let land: usize = state.realms.keys().map(|realm| state.land_of(*realm).count()).sum();
    assert!(land > 12 * 16, "{land} fields");
}

#[test]
fn computer_players_trade_and_spend_what_they_have() {
    let state = play(12, 64, 2);
    let statements: Vec<&Statement> = state.realms.values().filter_map(|own| own.statement.as_ref()).collect();
    let income: i64 = statements
        .iter()
        .map(|it| it.taxes + it.land + it.mines + it.trade)
        .sum();
    let gold: i64 = state.realms.values().map(|own| own.treasury).sum();
    assert!(gold < 2 * income, "{gold} GS in the treasuries, {income} GS a term");
    let traders = statements.iter().filter(|it| it.trade > 0).count();
    assert!(traders >= 4, "{traders} realms earn by trade");
    let met = state.realms.values().filter(|own| !own.met.is_empty()).count();
    assert!(met >= 10, "{met} realms have met others");
}

/// Twelve realms for twenty years, where the rules are compiled for speed: `cargo test --release -p pygma-isis --test computer`.
#[cfg(not(debug_assertions))]
#[test]
fn twelve_computer_players_play_twenty_years_in_under_a_minute() {
    let begun = std::time::Instant::now();
    let state = play(12, 160, 2);
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
    let land: usize = state.realms.keys().map(|realm| state.land_of(*realm).count()).sum();
    assert!(land > 12 * 25, "{land} fields");
    // Nobody is ruined by what is rounded.
    for (realm, own) in &state.realms {
        assert!(own.treasury >= 0, "realm {realm} has {} GS", own.treasury);
    }
}
