//! Chores of the project: `cargo xtask test`, `cargo xtask coverage [GAME]`, `cargo xtask soak`.

mod install;
mod kill;
mod load;
mod postgres;
mod run;
mod soak;
mod suite;
mod takeover;

use std::process::ExitCode;

const HELP: &str = "\
Chores of the project.

  cargo xtask test              everything that must hold; ends with `N passed, N failed`
  cargo xtask coverage [GAME]   which rules the scenarios cover; exit code 1 while some are open
  cargo xtask soak              the long campaigns; writes docs/soak.md
  cargo xtask soak --campaigns  of these only leaks, replays, broken order files and years of computer play
  cargo xtask soak --kills      of these only the kills, of every game and on PostgreSQL
  cargo xtask kill [N]          only the killing of a running turn, N times for every game
  cargo xtask kill --postgres [--times N]
                                only the killing of one of three processes on one PostgreSQL
  cargo xtask load [PLAYERS SECONDS]
                                the last minute before a deadline, on both databases; 2000 players in 60 seconds unless
                                told otherwise; exit code 1 if a single request fails
  cargo xtask load --write      the same, and its tables into docs/performance.md
  cargo xtask load --debug PLAYERS SECONDS
                                the same with an unoptimised build, to try the chore itself
  cargo xtask browser [FILE]    only the browser tests
  cargo xtask pictures          the browser tests, and their pictures into docs/pictures
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => suite::test(),
        ["coverage", game @ ..] => suite::coverage(game),
        ["soak"] => soak::soak(soak::Part::All),
        ["soak", "--campaigns"] => soak::soak(soak::Part::Campaigns),
        ["soak", "--kills"] => soak::soak(soak::Part::Kills),
        ["kill"] => suite::kill(20),
        ["kill", "--postgres"] => suite::kill_postgres(5),
        ["kill", "--postgres", "--times", count] => match count.parse() {
            Ok(count) => suite::kill_postgres(count),
            Err(_) => usage(),
        },
        ["kill", count] => match count.parse() {
            Ok(count) => suite::kill(count),
            Err(_) => usage(),
        },
        ["load"] => load::load(&load::Plan::default()),
        ["load", "--write"] => load::load(&load::Plan {
            write: true,
            ..load::Plan::default()
        }),
        ["load", players, seconds] => match (players.parse(), seconds.parse()) {
            (Ok(players), Ok(seconds)) => load::load(&load::Plan {
                players,
                seconds,
                ..load::Plan::default()
            }),
            _ => usage(),
        },
        ["load", "--debug", players, seconds] => match (players.parse(), seconds.parse()) {
            (Ok(players), Ok(seconds)) => load::load(&load::Plan {
                players,
                seconds,
                release: false,
                write: false,
            }),
            _ => usage(),
        },
        ["browser", files @ ..] => suite::browser(files, false),
        ["pictures"] => suite::browser(&[], true),
        _ => usage(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> anyhow::Result<bool> {
    eprint!("{HELP}");
    Ok(false)
}
