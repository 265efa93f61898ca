//! The long campaigns. Their last results stand in `docs/soak.md`.

use crate::kill::{self, Plan};
use crate::run::{output, root};
use crate::suite::{campaign, games, program};
use crate::takeover;
use std::fmt::Write as _;
use std::path::Path;
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
        // A line for every game.
        let games: Vec<&str> = said.lines().filter(|line| !line.starts_with("FAULT")).collect();
        let result = games.join("; ");
        let state = if told.status.success() { "" } else { "**failed:** " };
        let _ = writeln!(
            text,
            "| {name} | {count} {what} | {state}{result} | {} |",
            begin.elapsed().as_secs()
        );
    }
    let killed = kill_all(&program)?;
    text += &killed.rows;
    good &= killed.good;
    std::fs::write(root.join("docs/soak.md"), text)?;
    println!("docs/soak.md is written");
    Ok(good)
}

/// Only the kills; their rows take the place of those that stand in `docs/soak.md`.
pub fn kills() -> anyhow::Result<bool> {
    let root = root()?;
    std::env::set_current_dir(&root)?;
    let killed = kill_all(&program(true)?)?;
    let page = root.join("docs/soak.md");
    let before = std::fs::read_to_string(&page)?;
    std::fs::write(&page, with_kills(&before, &killed.rows))?;
    println!("docs/soak.md is written");
    Ok(killed.good)
}

/// The page with other rows about kills, at the end of its table.
fn with_kills(page: &str, rows: &str) -> String {
    let of_kills = |line: &&str| ["| kills |", "| takeovers |"].iter().any(|name| line.starts_with(name));
    let lines: Vec<&str> = page.lines().filter(|line| !of_kills(line)).collect();
    let end = lines
        .iter()
        .rposition(|line| line.starts_with('|'))
        .map_or(lines.len(), |last| last + 1);
    let (table, below) = lines.split_at(end);
    let mut out = String::new();
    for line in table.iter().copied().chain(rows.lines()).chain(below.iter().copied()) {
        out += line;
        out.push('\n');
    }
    out
}

/// Rows of the page, and whether nothing was wrong.
struct Killed {
    rows: String,
    good: bool,
}

/// Kills turns of every game, and processes that share a PostgreSQL.
fn kill_all(program: &Path) -> anyhow::Result<Killed> {
    let games = games(program)?;
    let (mut rows, mut good) = (String::new(), true);
    for game in &games {
        println!("== kills of {game}: {KILLS}");
        let begin = Instant::now();
        let report = kill::kill(&Plan {
            program: program.to_owned(),
            game: game.clone(),
            count: KILLS,
            folder: root()?.join("target/kill"),
        })?;
        println!("{report}");
        good &= report.faults.is_empty();
        let first = report.to_string().lines().next().unwrap_or_default().to_owned();
        let what = "`kill -9` at random moments of `turn run`: exactly before or exactly after";
        let _ = writeln!(
            rows,
            "| kills | {KILLS} {what} | {first} | {} |",
            begin.elapsed().as_secs()
        );
    }
    println!("== kills on PostgreSQL: {TAKEOVERS}");
    let begin = Instant::now();
    let report = takeover::takeover(program, &games, TAKEOVERS)?;
    println!("{report}");
    good &= report.faults.is_empty();
    let first = report.to_string().lines().next().unwrap_or_default().to_owned();
    let what = "`kill -9` of one of three processes that share a PostgreSQL: every turn exactly once";
    let _ = writeln!(
        rows,
        "| takeovers | {TAKEOVERS} {what} | {first} | {} |",
        begin.elapsed().as_secs()
    );
    Ok(Killed { rows, good })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_about_kills_replace_those_before() {
        let page = "# Long\n\n| a | b |\n|---|---|\n| leaks | 0 |\n| kills | old |\n\nbelow\n";
        let once = with_kills(page, "| kills | new |\n| takeovers | new |\n");
        assert_eq!(
            once,
            "# Long\n\n| a | b |\n|---|---|\n| leaks | 0 |\n| kills | new |\n| takeovers | new |\n\nbelow\n"
        );
        assert_eq!(with_kills(&once, "| kills | new |\n| takeovers | new |\n"), once);
    }
}
