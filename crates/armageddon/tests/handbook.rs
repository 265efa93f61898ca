//! The handbook of the board is true: every example is read without a finding, every verb has its line, every number of its tables is exact.

use armageddon::odds::{self, Fighter, Kill};
use armageddon::script;

const BOOKS: [&str; 2] = [
    include_str!("../../../docs/handbook/armageddon.de.md"),
    include_str!("../../../docs/handbook/armageddon.en.md"),
];

const VERBS: [&str; 37] = [
    "ZIEHE",
    "TAUSCHE",
    "AUFSITZEN",
    "ABSITZEN",
    "ZUEGEL",
    "FUEHREN",
    "AUFSTEIGEN",
    "ABSTEIGEN",
    "ANGRIFF",
    "WUCHT",
    "SCHUSS",
    "WURF",
    "PECH",
    "RAMME",
    "RAMMSTOSS",
    "LEITER STELLE",
    "LEITER STUERZE",
    "SEIL WIRF",
    "SEIL KNOTE",
    "SEIL KAPPE",
    "ANSPANNEN",
    "ABSPANNEN",
    "ZERSTOERE",
    "SUCHE",
    "BESITZ",
    "SCHENKE",
    "LEIHE",
    "TOR",
    "SCHARTE",
    "BELAGERE",
    "PHALANX",
    "ZAUBER",
    "DUELL",
    "SCHLEIFE",
    "ANWEISUNG",
    "RUNDE",
    "ENDE",
];

fn examples(book: &str) -> Vec<String> {
    let blocks = book.split("```zug\n").skip(1);
    blocks
        .filter_map(|rest| rest.split("```").next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_example_is_read_and_every_verb_has_one() {
    for book in BOOKS {
        let examples = examples(book);
        assert_eq!(examples.len(), 2);
        for example in &examples {
            let parsed = script::parse(example.as_bytes());
            assert_eq!(parsed.diagnostics, [], "{example}");
            assert_eq!(parsed.orders.len(), example.lines().count());
        }
        for verb in VERBS {
            let shown = examples
                .iter()
                .flat_map(|example| example.lines())
                .any(|line| line.starts_with(verb));
            assert!(shown, "{verb} has no example");
            let word = verb.split(' ').next().unwrap_or(verb);
            assert!(
                book.contains(&format!("`{word}")) || word == "RUNDE" || word == "ANWEISUNG",
                "{verb} is not explained"
            );
        }
    }
}

/// The rows of a table whose first cell is a number.
fn rows(book: &str, columns: usize) -> Vec<Vec<String>> {
    book.lines()
        .filter(|line| line.starts_with("| "))
        .map(|line| {
            line.trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().replace(',', "."))
                .collect()
        })
        .filter(|cells: &Vec<String>| cells.len() == columns && cells[0].parse::<i64>().is_ok())
        .collect()
}

#[test]
fn the_tables_of_odds_are_exact() {
    let share = |cases: u32, all: u32| format!("{:.1} %", 100.0 * f64::from(cases) / f64::from(all));
    for book in BOOKS {
        let duels = rows(book, 3);
        assert_eq!(duels.len(), 15);
        for row in duels {
            let fighter = |points: i64| Fighter {
                points,
                kill: Kill::From(12),
            };
            let odds = odds::duel(fighter(row[0].parse().expect("points")), fighter(0));
            assert_eq!(
                [&row[1], &row[2]],
                [&share(odds.kill, odds::DUELS), &share(odds.death, odds::DUELS)]
            );
        }
        let throws = rows(book, 2);
        assert_eq!(throws.len(), 9);
        for row in throws {
            assert_eq!(
                row[1],
                share(odds::at_least(row[0].parse().expect("a number")), odds::THROWS)
            );
        }
    }
}
