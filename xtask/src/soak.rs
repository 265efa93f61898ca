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

/// What is run; the rest of the page stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Campaigns and kills.
    All,
    /// The campaigns of the program alone.
    Campaigns,
    /// The kills alone, of every game and on PostgreSQL.
    Kills,
}

/// Rows of the page, and whether nothing was wrong.
#[derive(Default)]
struct Rows {
    text: String,
    failed: bool,
}

/// Names of the rows about kills.
const KILL_ROWS: [&str; 2] = ["kills", "takeovers"];

/// Runs a part or everything and writes the results down.
pub fn soak(part: Part) -> anyhow::Result<bool> {
    let root = root()?;
    std::env::set_current_dir(&root)?;
    let program = program(true)?;
    let page = root.join("docs/soak.md");
    let before = std::fs::read_to_string(&page)?;
    let campaigns = match part {
        Part::Kills => Rows::of(&before, |name| !KILL_ROWS.contains(&name)),
        Part::All | Part::Campaigns => campaigns(&program)?,
    };
    let kills = match part {
        Part::Campaigns => Rows::of(&before, |name| KILL_ROWS.contains(&name)),
        Part::All | Part::Kills => kills(&program)?,
    };
    std::fs::write(&page, text(&campaigns, &kills))?;
    println!("docs/soak.md is written");
    Ok(!campaigns.failed && !kills.failed)
}

/// The page.
fn text(campaigns: &Rows, kills: &Rows) -> String {
    format!(
        "# Long campaigns\n\nResults of the last `cargo xtask soak`, each with the commit it ran on, with {} cores.\n\n\
         | campaign | what | result | seconds | commit |\n|---|---|---|---|---|\n{}{}",
        std::thread::available_parallelism().map_or(1, usize::from),
        campaigns.text,
        kills.text,
    )
}

impl Rows {
    /// The rows of a page whose names are wanted.
    fn of(page: &str, wanted: impl Fn(&str) -> bool) -> Self {
        let name = |line: &str| Some(line.strip_prefix("| ")?.split(" |").next()?.to_owned());
        let rows = page
            .lines()
            .filter(|line| name(line).is_some_and(|name| name != "campaign" && wanted(&name)));
        Self {
            text: rows.map(|row| format!("{row}\n")).collect(),
            failed: false,
        }
    }

    fn push(&mut self, name: &str, what: &str, result: &str, begin: Instant) {
        let commit = output(Command::new("git").args(["rev-parse", "--short", "HEAD"])).unwrap_or_default();
        let seconds = begin.elapsed().as_secs();
        let _ = writeln!(
            self.text,
            "| {name} | {what} | {result} | {seconds} | {} |",
            commit.trim()
        );
    }
}

/// The campaigns of the program.
fn campaigns(program: &Path) -> anyhow::Result<Rows> {
    let mut rows = Rows::default();
    for (name, count, what) in CAMPAIGNS {
        println!("== {name}: {count} {what}");
        let begin = Instant::now();
        let told = campaign(program, name, count).output()?;
        let said = String::from_utf8_lossy(&told.stdout).into_owned();
        print!("{said}{}", String::from_utf8_lossy(&told.stderr));
        rows.failed |= !told.status.success();
        // A line for every game; faults and remarks have lines of their own.
        let games: Vec<&str> = said.lines().filter(|line| line.ends_with(" faults")).collect();
        let state = if told.status.success() { "" } else { "**failed:** " };
        let result = format!("{state}{}", games.join("; "));
        rows.push(name, &format!("{count} {what}"), &result, begin);
    }
    Ok(rows)
}

/// Kills turns of every game, and processes that share a PostgreSQL.
fn kills(program: &Path) -> anyhow::Result<Rows> {
    let games = games(program)?;
    let mut rows = Rows::default();
    let first = |report: String| report.lines().next().unwrap_or_default().to_owned();
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
        rows.failed |= !report.faults.is_empty();
        let what = format!("{KILLS} `kill -9` at random moments of `turn run`: exactly before or exactly after");
        rows.push("kills", &what, &first(report.to_string()), begin);
    }
    println!("== kills on PostgreSQL: {TAKEOVERS}");
    let begin = Instant::now();
    let report = takeover::takeover(program, &games, TAKEOVERS)?;
    println!("{report}");
    rows.failed |= !report.faults.is_empty();
    let what =
        format!("{TAKEOVERS} `kill -9` of one of three processes that share a PostgreSQL: every turn exactly once");
    rows.push("takeovers", &what, &first(report.to_string()), begin);
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_leaves_the_rows_of_the_other() {
        let rows = |text: &str| Rows {
            text: text.to_owned(),
            failed: false,
        };
        let page = text(
            &rows("| leaks | a | 0 faults | 1 | abc |\n"),
            &rows("| kills | b | old | 2 | abc |\n"),
        );
        let campaigns = Rows::of(&page, |name| !KILL_ROWS.contains(&name));
        assert_eq!(campaigns.text, "| leaks | a | 0 faults | 1 | abc |\n");
        let once = text(&campaigns, &rows("| kills | b | new | 2 | def |\n"));
        assert_eq!(once, page.replace("old | 2 | abc", "new | 2 | def"));
    }
}
