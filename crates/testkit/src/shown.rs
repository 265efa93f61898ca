//! What a step did, in the words of a scenario: every line can be copied into a `dice` or `expect` block.
//!
//! A stranger to a game learns its words here: how its dice are called, what its events and facts are named, what everyone is told.

use crate::cast::GAME_MASTER;
use crate::judge::{Record, describe, quoted, severity};
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::realm::{RealmId, Viewer};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How much is told of a scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Telling {
    /// Whether it passed, and what is wrong.
    #[default]
    Verdict,
    /// Also what every step did.
    Steps,
    /// Also every report.
    Reports,
}

/// What a step did whose `expect` block begins at a line.
pub fn shown(record: &Record, expect_line: u32, telling: Telling) -> String {
    if telling == Telling::Verdict {
        return String::new();
    }
    let mut page = Page(format!("  -- the step that ends at line {expect_line}\n"));
    page.part("dice", dice(record));
    page.part("facts that changed", changes(record));
    page.part("events", events(record));
    page.part("findings", findings(record));
    let requests = record.requests.iter().map(|name| format!("request {name}"));
    page.part("requests", requests.collect());
    page.part("told", told(record));
    if telling == Telling::Reports {
        for (viewer, report) in &record.reports {
            let name = format!("report {}", name(record, *viewer));
            page.part(&name, report.lines().map(str::to_owned).collect());
        }
    }
    page.0
}

struct Page(String);

impl Page {
    /// A heading with its lines; nothing if there are none.
    fn part(&mut self, heading: &str, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "  {heading}");
        for line in lines {
            let _ = writeln!(self.0, "    {line}");
        }
    }
}

fn name(record: &Record, viewer: Viewer) -> String {
    match viewer {
        Viewer::Realm(realm) => record.cast.name(realm),
        Viewer::GameMaster => GAME_MASTER.to_owned(),
    }
}

fn dice(record: &Record) -> Vec<String> {
    let line = |roll: &kernel::dice::Roll| {
        let name = record.cast.die(&roll.name, Some(roll.owner));
        format!("{name} = {}    # {}..{}", roll.value, roll.min, roll.max)
    };
    record.rolls.iter().map(line).collect()
}

fn changes(record: &Record) -> Vec<String> {
    let nothing = BTreeMap::new();
    let new = record.after.keys().filter(|name| !record.before.contains_key(*name));
    let mut lines = Vec::new();
    for subject in record.before.keys().chain(new) {
        let Some(after) = record.after.get(subject) else {
            lines.push(format!("{subject}: gone"));
            continue;
        };
        let before = record.before.get(subject);
        if before == Some(after) {
            continue;
        }
        let was = before.unwrap_or(&nothing);
        let now = after
            .iter()
            .filter(|(attribute, value)| was.get(*attribute) != Some(value));
        let now = now.map(|(attribute, value)| format!("{attribute} {}", quoted(value)));
        let lost = was.keys().filter(|attribute| !after.contains_key(*attribute));
        let lost = lost.map(|attribute| format!("{attribute} gone"));
        let first = before.is_none().then(|| "new".to_owned());
        let parts: Vec<String> = first.into_iter().chain(now).chain(lost).collect();
        lines.push(format!("{subject}: {}", parts.join(", ")));
    }
    lines
}

fn events(record: &Record) -> Vec<String> {
    let line = |event: &crate::judge::EventRecord| {
        let (first, others) = event
            .rules
            .split_first()
            .map_or(("*", &[][..]), |(first, rest)| (*first, rest));
        let others = others.iter().map(|rule| format!(" {rule}")).collect::<String>();
        let others = if others.is_empty() {
            others
        } else {
            format!("    #{others}")
        };
        format!("event {first} {}{others}", event.words)
    };
    record.events.iter().map(line).collect()
}

fn findings(record: &Record) -> Vec<String> {
    let by_check = record.advice.iter().flat_map(|(realm, list)| {
        let line = |finding: &Diagnostic| {
            let level = severity(finding.severity);
            let said = said(record, *realm, finding);
            format!("check {} {} {level}{said}", record.cast.name(*realm), place(finding))
        };
        list.iter().map(line).collect::<Vec<_>>()
    });
    let by_step = record.findings.iter().flat_map(|(realm, list)| {
        let line = |finding: &Diagnostic| {
            let verb = match finding.severity {
                Severity::Error => "refused",
                Severity::Warning => "warned",
                Severity::Hint => "hint",
            };
            let said = said(record, *realm, finding);
            format!("{verb} {} {}{said}", record.cast.name(*realm), place(finding))
        };
        list.iter().map(line).collect::<Vec<_>>()
    });
    by_check.chain(by_step).collect()
}

/// What a finding says, behind the line that a scenario can copy.
fn said(record: &Record, realm: RealmId, finding: &Diagnostic) -> String {
    let said = record.said.get(&(realm, describe(finding)));
    said.map(|said| format!("    # {said}")).unwrap_or_default()
}

fn place(finding: &Diagnostic) -> String {
    let span = &finding.span;
    format!("line {} {} column {}", span.line, finding.code, span.column)
}

fn told(record: &Record) -> Vec<String> {
    let mut lines = Vec::new();
    for (viewer, notices) in record.told.iter().filter(|(viewer, _)| **viewer != Viewer::GameMaster) {
        let name = name(record, *viewer);
        if notices.is_empty() {
            lines.push(format!("told {name}: nothing"));
        }
        lines.extend(notices.iter().map(|words| format!("told {name}: {words}")));
    }
    lines
}
