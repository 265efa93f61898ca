//! A battle that is played turn by turn comes out the same from its log, byte by byte.

use armageddon::log;
use armageddon::record::{Misplaced, Recording};
use armageddon::setup::{self, ready};
use armageddon::state::State;
use armageddon::tables::Tables;
use kernel::report::ReportSink;
use render::locale::{Language, Wording};
use render::text;

fn state(tables: &Tables, lines: &str) -> State {
    setup::build(tables, "", &setup::read_lines(lines)).expect("a battle")
}

/// The log of what is played.
fn logged(play: impl FnOnce(&mut dyn ReportSink)) -> String {
    text::text(Wording::of("armageddon", Language::German), play)
}

#[test]
fn every_ready_battle_is_the_same_from_its_own_log() {
    let tables = Tables::book().expect("the book");
    for (ready, seed) in ready::ALL.iter().zip(7u64..) {
        let set_up = || state(&tables, ready.setup);
        let mut first = Recording::new(&tables, set_up(), seed);
        let log = logged(|sink| first.play_on(sink));
        assert!(first.is_over(), "{}", ready.code);
        let scripts = log::scripts(&log).expect("the log is a script");
        let mut again = Recording::new(&tables, set_up(), seed);
        let mut result = Ok(());
        let second = logged(|sink| result = again.play(&scripts, sink));
        assert_eq!(result, Ok(()), "{}", ready.code);
        if let Some((one, other)) = log.lines().zip(second.lines()).find(|(one, other)| one != other) {
            panic!("{}: {one}\nbut again: {other}", ready.code);
        }
        assert_eq!(log, second, "{}", ready.code);
        // The computer sends a turn in several parts, the log is played turn by turn: only the count of steps differs.
        let mut position = again.state().position.clone();
        position.clock.step = first.state().position.clock.step;
        assert!(first.state().position == position, "{}: another position", ready.code);
        // Other dice, another battle.
        let mut other = Recording::new(&tables, set_up(), seed + 1000);
        assert_ne!(logged(|sink| other.play_on(sink)), log, "{}", ready.code);
    }
}

#[test]
fn scripts_out_of_their_place_are_told_with_their_line() {
    let tables = Tables::book().expect("the book");
    let play = |text: &str| {
        let scripts = log::scripts(text).expect("scripts");
        let mut recording = Recording::new(
            &tables,
            state(&tables, "figure Adler SC 1 at 26\nfigure Bär S 9 at 30"),
            1,
        );
        let mut result = Ok(());
        logged(|sink| result = recording.play(&scripts, sink));
        result
    };
    assert_eq!(play("RUNDE 1 SPIELER Adler\nENDE\nRUNDE 1 SPIELER Bär\nENDE\n"), Ok(()));
    let line = |result: Result<(), Misplaced>| match result {
        Err(Misplaced::Unknown(script) | Misplaced::Over(script) | Misplaced::NotHisTurn { script, .. }) => script.line,
        Ok(()) => 0,
    };
    assert_eq!(
        line(play("RUNDE 1 SPIELER Adler\nENDE\n\nRUNDE 1 SPIELER Adler\nENDE\n")),
        4
    );
    assert_eq!(line(play("RUNDE 1 SPIELER Wolf\nENDE\n")), 1);
}
