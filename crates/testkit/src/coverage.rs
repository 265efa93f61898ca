//! Which rules of a catalogue are covered by scenarios.
//!
//! A rule counts as covered if a scenario that passed names it and produced it. A worked example of the book is covered by
//! the scenario that names it, since it is that scenario; a void rule by one that names it and so proves it absent. Lore has
//! no effect and is not counted; rulings are counted apart, for information.

use crate::stages::Verdict;
use kernel::rule::{Rule, RuleKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The kinds that count, in the order of the table.
pub const COUNTED: [RuleKind; 5] = [
    RuleKind::Auto,
    RuleKind::Gm,
    RuleKind::Org,
    RuleKind::Void,
    RuleKind::Example,
];

/// Covered and all rules of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Rules covered.
    pub covered: usize,
    /// All rules.
    pub all: usize,
}

/// Which rules of one game are covered.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// The game's name.
    pub game: &'static str,
    /// Per kind.
    pub kinds: BTreeMap<RuleKind, Count>,
    /// Counted rules that no scenario covers, in the order of the catalogue.
    pub open: Vec<&'static Rule>,
    /// Rulings that no scenario covers.
    pub open_rulings: Vec<&'static Rule>,
    /// Scenarios that failed and therefore cover nothing.
    pub failed: Vec<String>,
}

/// Compares a catalogue with what its scenarios did.
pub fn coverage(game: &'static str, rules: &'static [Rule], verdicts: &[Verdict]) -> Coverage {
    let mine = || verdicts.iter().filter(|verdict| verdict.game == Some(game));
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let mut produced: BTreeSet<&str> = BTreeSet::new();
    for verdict in mine().filter(|verdict| verdict.passed() && !verdict.must_fail) {
        for rule in &verdict.named {
            named.insert(rule);
            if verdict.produced.contains(rule) {
                produced.insert(rule);
            }
        }
    }
    let mut coverage = Coverage {
        game,
        kinds: BTreeMap::new(),
        open: Vec::new(),
        open_rulings: Vec::new(),
        failed: mine()
            .filter(|verdict| !verdict.passed())
            .map(|verdict| verdict.file.clone())
            .collect(),
    };
    for rule in rules {
        let id = rule.id.as_str();
        let covered = match rule.kind {
            RuleKind::Void | RuleKind::Example => named.contains(id),
            _ => produced.contains(id),
        };
        let count = coverage.kinds.entry(rule.kind).or_default();
        count.all += 1;
        count.covered += usize::from(covered);
        if !covered && COUNTED.contains(&rule.kind) {
            coverage.open.push(rule);
        } else if !covered && rule.kind == RuleKind::Ruling {
            coverage.open_rulings.push(rule);
        }
    }
    coverage
}

impl Coverage {
    /// Covered and all rules of the kinds that count.
    pub fn total(&self) -> Count {
        let mut total = Count::default();
        for count in COUNTED.iter().filter_map(|kind| self.kinds.get(kind)) {
            total.covered += count.covered;
            total.all += count.all;
        }
        total
    }

    /// Whether every rule that counts is covered and no scenario failed.
    pub fn complete(&self) -> bool {
        let total = self.total();
        total.covered == total.all && self.failed.is_empty()
    }

    /// The table per kind, the open rules, and as last line `<game>: N of M covered`.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{:<10} {:>8} {:>8}", "kind", "covered", "rules");
        for kind in COUNTED {
            let count = self.kinds.get(&kind).copied().unwrap_or_default();
            let _ = writeln!(text, "{:<10} {:>8} {:>8}", word(kind), count.covered, count.all);
        }
        for rule in &self.open {
            let _ = writeln!(text, "open: {} [{}] {}", rule.id, word(rule.kind), rule.en);
        }
        let rulings = self.kinds.get(&RuleKind::Ruling).copied().unwrap_or_default();
        if rulings.all > 0 {
            let _ = writeln!(
                text,
                "rulings (not counted): {} of {} shown by scenarios",
                rulings.covered, rulings.all
            );
            let ids: Vec<&str> = self.open_rulings.iter().map(|rule| rule.id.as_str()).collect();
            if !ids.is_empty() {
                let _ = writeln!(text, "rulings not shown: {}", ids.join(", "));
            }
        }
        for file in &self.failed {
            let _ = writeln!(text, "failed: {file}");
        }
        let total = self.total();
        let _ = writeln!(text, "{}: {} of {} covered", self.game, total.covered, total.all);
        text
    }
}

fn word(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Auto => "auto",
        RuleKind::Gm => "gm",
        RuleKind::Org => "org",
        RuleKind::Lore => "lore",
        RuleKind::Void => "void",
        RuleKind::Ruling => "ruling",
        RuleKind::Example => "example",
    }
}
