//! The ready battles played by the computer opponent on both sides: they end, break no law, and neither side always wins.
//!
//! `BALANCE=200 cargo test -p armageddon --test balance -- --nocapture` plays each of them 200 times and prints the shares.

use armageddon::setup::{self, ready};
use armageddon::simulate::{self, Chance};
use armageddon::tables::Tables;
use std::collections::BTreeMap;
use std::time::Instant;

/// Who won, how often.
type Wins = BTreeMap<Option<u8>, u64>;

fn battles(code: &str, runs: u64) -> (Wins, f64) {
    let tables = Tables::book().expect("the book");
    // Read anew, so that armies can be changed and measured without compiling.
    let file = format!(
        "{}/../../data/armageddon/battles/{code}.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(file).expect(code);
    let state = setup::build(&tables, "", &setup::read_lines(&text)).expect(code);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let parts: Vec<(Wins, u64)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let (tables, state) = (&tables, &state);
                scope.spawn(move || {
                    let mut wins = Wins::new();
                    let mut rounds = 0;
                    for battle in (first..runs).step_by(threads as usize) {
                        let played = simulate::play(tables, state.clone(), Chance::new(7, battle));
                        *wins.entry(played.side).or_default() += 1;
                        rounds += u64::from(played.rounds);
                    }
                    (wins, rounds)
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a battle"))
            .collect()
    });
    let mut wins = Wins::new();
    let mut rounds = 0;
    for (part, some) in parts {
        rounds += some;
        for (side, count) in part {
            *wins.entry(side).or_default() += count;
        }
    }
    (wins, rounds as f64 / runs as f64)
}

#[test]
fn ready_battles_are_fought_to_their_end() {
    let runs: u64 = std::env::var("BALANCE")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(2);
    let only = std::env::var("BATTLE").ok();
    for ready in ready::ALL
        .iter()
        .filter(|ready| only.as_deref().is_none_or(|only| only == ready.code))
    {
        let start = Instant::now();
        let (wins, rounds) = battles(ready.code, runs);
        println!(
            "{}: {wins:?}, {rounds:.1} rounds, {:.1} battles/s",
            ready.code,
            runs as f64 / start.elapsed().as_secs_f64()
        );
        assert_eq!(wins.values().sum::<u64>(), runs, "{}", ready.code);
        if runs >= 200 {
            // Somewhat more than the 30 to 70 of 100 that the armies are made for: three standard deviations of 200 battles are 10 of 100.
            let share = |side: u8| wins.get(&Some(side)).copied().unwrap_or(0) as f64 / runs as f64;
            assert!((0.2..=0.8).contains(&share(1)), "{}: {wins:?}", ready.code);
            assert!((0.2..=0.8).contains(&share(2)), "{}: {wins:?}", ready.code);
        }
    }
}
