//! Computer players alone with a world: every order they send is legal, and they use all the crafts of the book.
//!
//! `SOAK` multiplies the worlds: `SOAK=6 cargo test -p thoramar --test computer_players -- --nocapture` prints what they did.

use kernel::any;
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::dice::{Dice, WorldSecret};
use kernel::game::{self, Brief, Game, SeatPlan, WorldPlan};
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Input;
use std::collections::BTreeMap;
use thoramar::Thoramar;
use thoramar::order::{Order, Special};
use thoramar::view::View;

/// A world in which realms meet soon, with coasts.
const WORLD: &str = "[world]\ncolumns = 36\nrows = 26\ncapital_min_distance = 6\n";
const REALMS: u16 = 5;

/// Refusals that the fortunes of the season bring about: heads lost in a fight or on the way, a fleet that was held up, a market that
/// lies in ruins when the trader comes.
const FORTUNES: [&str; 5] = ["A14", "A27", "A28", "A29", "A33"];

/// What a year or more of computer play was made of.
#[derive(Default)]
struct Tally {
    orders: BTreeMap<String, u32>,
    happened: BTreeMap<&'static str, u32>,
    refused: Vec<String>,
}

fn name_of(order: &Order) -> String {
    match order {
        Order::Build { building, .. } => format!("$B {}", building.code()),
        Order::Lay { .. } => "$B road, bridge, wall".to_owned(),
        Order::Arm { army, .. } => format!("$R {}", army.value.kind.code()),
        Order::March(march) => {
            let what = match march.special.map(|special| special.value) {
                Some(Special::Embark(_)) => "embarks",
                Some(Special::Summon { .. }) => "summons",
                Some(Special::Tame(_)) => "tames",
                Some(Special::Accelerate(_)) => "accelerates",
                Some(Special::Bless(_)) => "blesses",
                Some(Special::Trade(_)) => "trades",
                Some(_) => "another special",
                None if march.route.value.iter().any(Option::is_some) => "moves",
                None => "stays",
            };
            format!("$A {} {what}", march.army.value.kind.code())
        }
        Order::Propose { .. } => "$V treaty".to_owned(),
        _ => "another order".to_owned(),
    }
}

fn views(tables: &<Thoramar as Game>::Tables, state: &<Thoramar as Game>::State) -> BTreeMap<RealmId, View> {
    let view = |realm| {
        let brief = Brief {
            viewer: Viewer::Realm(realm),
            told: Vec::new(),
            diagnostics: Vec::new(),
        };
        (realm, Thoramar::view(tables, state, brief))
    };
    Thoramar::open_step(tables, state).owes.into_iter().map(view).collect()
}

/// Plays so many turns of one world.
fn play(seed: u8, turns: u32, tally: &mut Tally) {
    let secret = WorldSecret([seed; 32]);
    let tables = Thoramar::tables(WORLD).expect("house rules");
    let seat = |number: u16| SeatPlan {
        realm: format!("Reich {number}"),
        player: String::new(),
        kind: String::new(),
    };
    let plan = WorldPlan {
        seats: (1..=REALMS).map(seat).collect(),
    };
    let mut dice = Dice::Keyed(secret.step(0));
    let mut state = Thoramar::create(&tables, WORLD, &plan, &mut dice, &mut |_, _| {}).expect("a world");
    let mut known = views(&tables, &state);
    for turn in 1..=turns {
        let mut input = Input::<Thoramar>::default();
        for (realm, view) in &known {
            let file = Thoramar::computer_player(&tables, view, &mut Dice::Keyed(secret.step(1_000 + turn)));
            let checked = any::check::<Thoramar>(&tables, view, file.as_bytes());
            let wrong = checked
                .diagnostics
                .iter()
                .find(|finding| finding.severity == Severity::Error);
            assert!(
                wrong.is_none(),
                "seed {seed}, turn {turn}, realm {realm}: {wrong:?} in\n{file}"
            );
            let seat = Thoramar::seat(&tables, &state, *realm).expect("a seat");
            let parsed = Thoramar::parse(&tables, &seat, file.as_bytes());
            for order in &parsed.orders {
                *tally.orders.entry(name_of(&order.value)).or_default() += 1;
            }
            input.orders.insert(*realm, parsed);
        }
        let outcome = game::run::<Thoramar>(&tables, state, &input, Dice::Keyed(secret.step(turn)));
        Thoramar::invariants(&tables, &outcome.state).expect("the laws of the world");
        for (realm, findings) in &outcome.refusals {
            let illegal =
                |finding: &&Diagnostic| finding.severity == Severity::Error && !FORTUNES.contains(&&*finding.code);
            for finding in findings.iter().filter(illegal) {
                tally
                    .refused
                    .push(format!("seed {seed}, turn {turn}, realm {realm}: {finding:?}"));
            }
        }
        for entry in &outcome.journal {
            for rule in entry.rules.iter() {
                let what = match rule.as_str() {
                    "THO-SPEC-05" => "went aboard",
                    "THO-SPEC-06" => "landed",
                    "THO-SPEC-14" => "blessed",
                    "THO-SPEC-08" => "summoned",
                    "THO-SPEC-11" => "tamed",
                    "THO-SPEC-10" => "accelerated",
                    "THO-TRADE-02" => "traded",
                    "THO-CMD-04" => "conquered",
                    _ => continue,
                };
                *tally.happened.entry(what).or_default() += 1;
            }
        }
        let lists = game::audiences::<Thoramar>(&outcome);
        known = Thoramar::open_step(&tables, &outcome.state)
            .owes
            .into_iter()
            .map(|realm| {
                let events = lists.get(&realm).map_or(&[][..], Vec::as_slice);
                let viewer = Viewer::Realm(realm);
                (
                    realm,
                    game::view::<Thoramar>(&tables, &outcome, viewer, events.iter().copied()),
                )
            })
            .collect();
        state = outcome.state;
    }
}

#[test]
fn computer_players_send_legal_orders_and_use_every_craft() {
    let factor: u32 = std::env::var("SOAK")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let mut tally = Tally::default();
    for seed in 1..=u8::try_from(3 * factor).unwrap_or(u8::MAX) {
        play(seed, 16, &mut tally);
    }
    println!(
        "{:#?}\n{:#?}\n{} refused",
        tally.orders,
        tally.happened,
        tally.refused.len()
    );
    for line in tally.refused.iter().take(20) {
        println!("{line}");
    }
    assert!(tally.refused.is_empty(), "{}", tally.refused[0]);
    for what in ["went aboard", "landed", "blessed", "tamed", "conquered", "traded"] {
        assert!(tally.happened.contains_key(what), "nobody {what}");
    }
}
