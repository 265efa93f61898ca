//! A battle that is played turn by turn comes out the same from its log, byte by byte.

use armageddon::Armageddon;
use armageddon::log;
use armageddon::record::{Misplaced, Recording};
use armageddon::retold;
use armageddon::setup::{self, ready};
use armageddon::state::State;
use armageddon::tables::Tables;
use kernel::game::Game as _;
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
        let log = logged(|sink| first.play_on(&mut |view| log::lines(&tables, &view, sink)));
        assert!(first.is_over(), "{}", ready.code);
        let scripts = log::scripts(&log).expect("the log is a script");
        let mut again = Recording::new(&tables, set_up(), seed);
        let mut result = Ok(());
        let second = logged(|sink| result = again.play(&scripts, &mut |view| log::lines(&tables, &view, sink)));
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
        assert_ne!(
            logged(|sink| other.play_on(&mut |view| log::lines(&tables, &view, sink))),
            log,
            "{}",
            ready.code
        );
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
        logged(|sink| result = recording.play(&scripts, &mut |view| log::lines(&tables, &view, sink)));
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

#[test]
fn a_whole_battle_in_one_piece_tells_what_its_turns_told() {
    let tables = Tables::book().expect("the book");
    for (ready, seed) in ready::ALL.iter().zip(3u64..) {
        let mut recording = Recording::new(&tables, state(&tables, ready.setup), seed);
        let mut views = vec![recording.board()];
        recording.play_on(&mut |view| views.push(view));
        let write = |play: &dyn Fn(&mut dyn ReportSink)| text::text(Wording::of("armageddon", Language::German), play);
        let whole = write(&|sink| retold::retell(&tables, &views, sink));
        let mut lines = whole.lines();
        let mut throws = 0;
        for view in &views {
            let report = write(&|sink| Armageddon::report(&tables, view, sink));
            let section = |title: &'static str| {
                let lines = report.lines().skip_while(move |line| *line != title).skip(1);
                lines.take_while(|line| !line.ends_with(':'))
            };
            throws += section("Alle Würfe:").count();
            // Each sentence stands there in its order; whose turn it is says a heading.
            for line in section("Was geschah:").filter(|line| !line.ends_with(" ist am Zug.")) {
                assert!(lines.any(|told| told == line), "{}: {line} is missing", ready.code);
            }
        }
        let rounds = recording.state().position.clock.round;
        for round in 1..=rounds {
            let heading = format!("Runde {round}:");
            let headings = whole.lines().filter(|line| *line == heading).count();
            assert_eq!(headings, 1, "{}: {heading}", ready.code);
        }
        let mut told = whole.lines();
        let mut rows = 0;
        while told.any(|line| line == "Alle Würfe:") {
            rows += told.by_ref().take_while(|line| !line.ends_with(':')).count();
        }
        assert!(rows > 0, "{}", ready.code);
        assert_eq!(rows, throws, "{}", ready.code);
        let position = &recording.state().position;
        let gone = position.figures.iter().filter(|figure| !figure.is_present()).count();
        let fallen = whole.lines().skip_while(|line| *line != "Vom Brett gegangen:").skip(1);
        assert_eq!(
            fallen.take_while(|line| !line.ends_with(':')).count(),
            gone,
            "{}",
            ready.code
        );
        // How many warriors each has in the end is the same in the table of rounds and on the board.
        for (player, name) in position.players.iter().map(|(id, player)| (*id, &player.name)) {
            let own = position.present().filter(|(_, figure)| figure.owner == player);
            let warriors = own.filter(|(_, figure)| figure.kind.is_warrior()).count();
            let row = format!("{rounds:<3} {name:<14} {warriors} Krieger,");
            assert!(whole.contains(&row), "{}: no row {row}", ready.code);
        }
    }
}
