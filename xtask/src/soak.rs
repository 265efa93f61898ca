//! The long campaigns. Their last results stand in `docs/soak.md`.

use crate::kill::{self, Plan};
use crate::run::{output, root};
use crate::suite::{campaign, games, program};
use crate::takeover;
use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

/// Campaigns of the program and how much they do.
const CAMPAIGNS: [(&str, u32, &str); 4] = [
    (
        "leaks",
        1_000,
        "worlds, every viewer: what a realm cannot know changes no byte of what it receives",
    ),
    (
        "replays",
        100,
        "turns run twice, in permuted order of submission and after save and load: same digest",
    ),
    (
        "mutants",
        10_000,
        "mutated and random order files: no panic, bounded time, every line accounted for",
    ),
    (
        "years",
        10,
        "worlds of computer players over two years each: no illegal order, no broken law",
    ),
];

/// Kills of a running turn.
const KILLS: u32 = 200;

/// Kills of one of three processes on PostgreSQL.
const TAKEOVERS: u32 = 50;

/// Runs everything and writes the results down.
pub fn soak() -> anyhow::Result<bool> {
    let root = root()?;
    std::env::set_current_dir(&root)?;
    let program = program(true)?;
    let commit = output(Command::new("git").args(["rev-parse", "--short", "HEAD"])).unwrap_or_default();
    let mut text = format!(
        "# Long campaigns\n\nResults of the last `cargo xtask soak`, on commit {} with {} cores.\n\n\
         | campaign | what | result | seconds |\n|---|---|---|---|\n",
        commit.trim(),
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    let mut good = true;
    for (name, count, what) in CAMPAIGNS {
        println!("== {name}: {count} {what}");
        let begin = Instant::now();
        let told = campaign(&program, name, count).output()?;
        let said = String::from_utf8_lossy(&told.stdout).into_owned();
        print!("{said}{}", String::from_utf8_lossy(&told.stderr));
        good &= told.status.success();
        let result = said.trim().lines().last().unwrap_or("no result").to_owned();
        let state = if told.status.success() { "" } else { "**failed:** " };
        let _ = writeln!(
            text,
            "| {name} | {count} {what} | {state}{result} | {} |",
            begin.elapsed().as_secs()
        );
    }
    let games = games(&program)?;
    for game in &games {
        println!("== kills of {game}: {KILLS}");
        let begin = Instant::now();
        let report = kill::kill(&Plan {
            program: program.clone(),
            game: game.clone(),
            count: KILLS,
            folder: root.join("target/kill"),
        })?;
        println!("{report}");
        good &= report.faults.is_empty();
        let first = report.to_string().lines().next().unwrap_or_default().to_owned();
        let what = "`kill -9` at random moments of `turn run`: exactly before or exactly after";
        let _ = writeln!(
            text,
            "| kills | {KILLS} {what} | {first} | {} |",
            begin.elapsed().as_secs()
        );
    }
    println!("== kills on PostgreSQL: {TAKEOVERS}");
    let begin = Instant::now();
    let report = takeover::takeover(&program, &games, TAKEOVERS)?;
    println!("{report}");
    good &= report.faults.is_empty();
    let first = report.to_string().lines().next().unwrap_or_default().to_owned();
    let what = "`kill -9` of one of three processes that share a PostgreSQL: every turn exactly once";
    let _ = writeln!(
        text,
        "| takeovers | {TAKEOVERS} {what} | {first} | {} |",
        begin.elapsed().as_secs()
    );
    std::fs::write(root.join("docs/soak.md"), text)?;
    println!("docs/soak.md is written");
    Ok(good)
}
