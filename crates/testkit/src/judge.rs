//! Compares what a step did with what the scenario demands. Knows no game: everything is names, words and facts.

use crate::cast::Cast;
use crate::expectation::{Allowance, Change, Demand, Expectation, FindingDemand, SubjectDemand, parse_range};
use crate::scenario::{Failure, StepScript};
use crate::words::{did_you_mean, nearest, words};
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::dice::{Roll, ScriptFault};
use kernel::realm::{RealmId, Viewer};
use kernel::stage::Facts;
use std::collections::BTreeMap;

/// An event as the runner sees it.
#[derive(Clone, Debug)]
pub struct EventRecord {
    /// Its rules.
    pub rules: Vec<&'static str>,
    /// What happened, in words.
    pub words: String,
}

/// Everything a step did, in names and words.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The realms.
    pub cast: Cast,
    /// The state before.
    pub before: Facts,
    /// The state after.
    pub after: Facts,
    /// What happened, in order.
    pub events: Vec<EventRecord>,
    /// Every die.
    pub rolls: Vec<Roll>,
    /// Where the scripted dice disagree with the step.
    pub faults: Vec<ScriptFault>,
    /// Findings of the step about orders.
    pub findings: BTreeMap<RealmId, Vec<Diagnostic>>,
    /// Findings of the check before the step, of every realm that sent orders.
    pub advice: BTreeMap<RealmId, Vec<Diagnostic>>,
    /// Findings in words, by the realm and what [`describe`] says of them.
    pub said: BTreeMap<(RealmId, String), String>,
    /// What each viewer was told.
    pub told: BTreeMap<Viewer, Vec<String>>,
    /// Each viewer's report.
    pub reports: BTreeMap<Viewer, String>,
    /// The arithmetic behind the lines of each report, where the scenario asks for it.
    pub reasons: BTreeMap<Viewer, Vec<String>>,
    /// Every value of the stored state after the step, where the scenario asks for one.
    pub stored: BTreeMap<String, String>,
    /// The reports that viewers held before the step, where the scenario asks for them.
    pub earlier_reports: BTreeMap<Viewer, String>,
    /// Each viewer's map as facts.
    pub maps: BTreeMap<Viewer, Facts>,
    /// Names of the judgements asked for.
    pub requests: Vec<String>,
}

/// Everything that differs from what the step's script demands.
pub fn judge(record: &Record, step: &StepScript) -> Vec<Failure> {
    let mut judge = Judge {
        record,
        step,
        failures: Vec::new(),
    };
    judge.dice();
    for expectation in &step.expectations {
        if let Err(message) = judge.demand(expectation) {
            judge.failures.push(Failure::new(expectation.line, message));
        }
    }
    judge.unnamed_changes();
    judge.unnamed_refusals();
    judge.failures
}

/// Whether a fault is the same as that of the first die of a throw, for the die with this number.
fn thrown_with(first: &ScriptFault, other: &ScriptFault, number: u32) -> bool {
    let same = |one: &str, other: &str| {
        let throw = one.strip_suffix(" 1");
        throw.is_some_and(|throw| other.strip_prefix(throw) == Some(format!(" {number}").as_str()))
    };
    match (first, other) {
        (
            ScriptFault::Unlisted { name, min, max },
            ScriptFault::Unlisted {
                name: next,
                min: low,
                max: high,
            },
        ) => same(name, next) && (min, max) == (low, high),
        (ScriptFault::Unused { name }, ScriptFault::Unused { name: next }) => same(name, next),
        _ => false,
    }
}

struct Judge<'a> {
    record: &'a Record,
    step: &'a StepScript,
    failures: Vec<Failure>,
}

impl Judge<'_> {
    fn fail(&mut self, line: u32, message: impl Into<String>) {
        self.failures.push(Failure::new(line, message));
    }

    /// Dice that are thrown together, and listed in one line, are told of once.
    fn dice(&mut self) {
        let mut faults = self.record.faults.as_slice();
        while let [fault, rest @ ..] = faults {
            let more = rest
                .iter()
                .zip(2u32..)
                .take_while(|(other, number)| thrown_with(fault, other, *number));
            let more = more.count();
            let failure = self.die(fault, more + 1);
            self.failures.push(failure);
            faults = &rest[more..];
        }
    }

    /// What is wrong with a die, or with so many of one throw.
    fn die(&self, fault: &ScriptFault, together: usize) -> Failure {
        let cast = &self.record.cast;
        let listed = |name: &str| {
            self.step.dice.iter().find_map(|line| match &line.value {
                crate::scenario::DiceValue::Face(listed, _) if cast.translate(listed) == name => {
                    Some((line.line, listed.as_str()))
                }
                _ => None,
            })
        };
        let throw = |name: &str| match together {
            1 => name.to_owned(),
            _ => name.strip_suffix(" 1").unwrap_or(name).to_owned(),
        };
        let dice = match together {
            1 => String::new(),
            count => format!(" with {count} dice"),
        };
        match fault {
            ScriptFault::Unlisted { name, min, max } => {
                let owner = self
                    .record
                    .rolls
                    .iter()
                    .find(|roll| roll.name == *name)
                    .map(|roll| roll.owner);
                let shown = throw(&cast.die(name, owner));
                Failure::new(
                    self.step.expect_line,
                    format!(
                        "unlisted die: the step rolled `{shown}`{dice} ({min}..{max}), which no `dice` block lists"
                    ),
                )
            }
            ScriptFault::OutOfRange { name, value, min, max } => {
                let (line, written) = listed(name).unwrap_or((self.step.expect_line, name));
                Failure::new(
                    line,
                    format!("die out of range: `{written}` has the faces {min}..{max}, not {value}"),
                )
            }
            ScriptFault::Unused { name } => {
                let (line, written) = listed(name).unwrap_or((self.step.expect_line, name));
                let written = throw(written);
                let rolls = self
                    .record
                    .rolls
                    .iter()
                    .filter(|roll| together == 1 || roll.name.ends_with(" 1"));
                let rolled: Vec<String> = rolls
                    .map(|roll| throw(&cast.die(&roll.name, Some(roll.owner))))
                    .collect();
                let hint = nearest(&written, rolled.iter().map(String::as_str), 2);
                Failure::new(
                    line,
                    format!(
                        "unused die: the step did not roll `{written}`{dice}{}",
                        did_you_mean(&hint)
                    ),
                )
            }
        }
    }

    fn demand(&mut self, expectation: &Expectation) -> Result<(), String> {
        let record = self.record;
        match &expectation.demand {
            Demand::Allow(_) => Ok(()),
            Demand::Subject(demand) => {
                for message in subject(&record.before, &record.after, demand) {
                    self.fail(expectation.line, message);
                }
                Ok(())
            }
            Demand::Event { rule, words, count } => event(record, rule, words, *count),
            Demand::Finding(demand) => finding(record, demand),
            Demand::NothingRefused { realm } => {
                let realm = realm.as_deref().map(|name| record.cast.realm(name)).transpose()?;
                let refused: Vec<String> = record
                    .findings
                    .iter()
                    .filter(|(known, _)| realm.is_none_or(|realm| realm == **known))
                    .flat_map(|(realm, list)| list.iter().map(move |finding| (realm, finding)))
                    .filter(|(_, finding)| finding.severity == Severity::Error)
                    .map(|(realm, finding)| format!("{} {}", record.cast.name(*realm), describe(finding)))
                    .collect();
                if refused.is_empty() {
                    Ok(())
                } else {
                    Err(format!("expected nothing refused\nfound {}", listing(refused.iter())))
                }
            }
            Demand::CheckFindsNothing { realm } => {
                let list = advice(record, realm)?;
                if list.is_empty() {
                    Ok(())
                } else {
                    let found: Vec<String> = list.iter().map(describe).collect();
                    Err(format!(
                        "expected that the check of {realm} finds nothing\nfound {}",
                        listing(found.iter())
                    ))
                }
            }
            Demand::Told { viewer, words, wanted } => told(record, viewer, words.as_deref(), *wanted),
            Demand::ReportLine { viewer, text, wanted } => report_line(record, viewer, text, *wanted),
            Demand::Why { viewer, text } => why(record, viewer, text),
            Demand::State { path, value } => stored(record, path, value),
            Demand::ReportBlock { viewer, before, lines } => {
                report_block(record, viewer, *before, lines).or_else(|failure| {
                    self.failures.push(failure);
                    Ok(())
                })
            }
            Demand::Request { name, wanted } => request(record, name.as_deref(), *wanted),
            Demand::Roll { name, range, wanted } => roll(record, name, *range, *wanted),
            Demand::Map {
                viewer,
                subject: demand,
                wanted,
            } => {
                for message in map(record, viewer, demand, *wanted)? {
                    self.fail(expectation.line, message);
                }
                Ok(())
            }
        }
    }

    fn allowances(&self) -> impl Iterator<Item = &Allowance> {
        self.step
            .expectations
            .iter()
            .filter_map(|expectation| match &expectation.demand {
                Demand::Allow(allowance) => Some(allowance),
                _ => None,
            })
    }

    /// Every fact that differs, is not named and is not allowed to differ.
    fn unnamed_changes(&mut self) {
        if self.allowances().any(|allowance| *allowance == Allowance::Everything) {
            return;
        }
        let mut demands: BTreeMap<&str, Vec<(u32, &SubjectDemand)>> = BTreeMap::new();
        for expectation in &self.step.expectations {
            if let Demand::Subject(demand) = &expectation.demand {
                demands
                    .entry(&demand.subject)
                    .or_default()
                    .push((expectation.line, demand));
            }
        }
        let record = self.record;
        let mut failures = Vec::new();
        let subjects = record
            .before
            .keys()
            .chain(record.after.keys().filter(|name| !record.before.contains_key(*name)));
        for name in subjects {
            let named = demands.get(name.as_str()).map_or(&[][..], Vec::as_slice);
            let line = named.first().map_or(self.step.expect_line, |(line, _)| *line);
            if let Some(message) = self.unnamed_change(name, named) {
                failures.push(Failure::new(line, message));
            }
        }
        failures.sort();
        self.failures.extend(failures);
    }

    fn unnamed_change(&self, name: &str, named: &[(u32, &SubjectDemand)]) -> Option<String> {
        let (before, after) = (self.record.before.get(name), self.record.after.get(name));
        if before == after || named.iter().any(|(_, demand)| demand.else_anything) {
            return None;
        }
        let may = |attribute: Option<&str>| {
            self.allowances().any(|allowance| match allowance {
                Allowance::Subjects(prefix, attributes) => {
                    begins_with(name, prefix)
                        && (attributes.is_empty()
                            || attribute.is_some_and(|wanted| attributes.iter().any(|known| known == wanted)))
                }
                _ => false,
            })
        };
        let (Some(before), Some(after)) = (before, after) else {
            let whole_named = named.iter().any(|(_, demand)| demand.change == Some(Change::Gone));
            if (after.is_none() && whole_named) || may(None) {
                return None;
            }
            let Some(after) = after else {
                return named
                    .is_empty()
                    .then(|| format!("not unchanged: `{name}` is gone, and the scenario does not say so"));
            };
            // `none` is what an attribute says that a new subject does not have.
            let missing: Vec<String> = after
                .iter()
                .filter(|(attribute, value)| *value != "none" && !names(named, attribute) && !may(Some(attribute)))
                .map(|(attribute, value)| format!("{attribute} {}", quoted(value)))
                .collect();
            if missing.is_empty() {
                return None;
            }
            return Some(format!(
                "not unchanged: `{name}` is new, with unnamed `{}`",
                missing.join(", ")
            ));
        };
        let differing: Vec<String> = before
            .keys()
            .chain(after.keys().filter(|attribute| !before.contains_key(*attribute)))
            .filter(|attribute| before.get(*attribute) != after.get(*attribute))
            .filter(|attribute| !names(named, attribute) && !may(Some(attribute)))
            .map(|attribute| {
                let show =
                    |facts: &BTreeMap<String, String>| facts.get(attribute).map_or("nothing".to_owned(), |v| quoted(v));
                format!("{attribute} was {} and is {}", show(before), show(after))
            })
            .collect();
        (!differing.is_empty()).then(|| format!("not unchanged: `{name}`: {}", differing.join(", ")))
    }

    /// Refused orders that the scenario does not name: an order that its author thought sound.
    fn unnamed_refusals(&mut self) {
        if self.step.expectations.iter().any(|expectation| {
            matches!(
                expectation.demand,
                Demand::Allow(Allowance::Everything | Allowance::Refusals) | Demand::NothingRefused { realm: None }
            )
        }) {
            return;
        }
        let record = self.record;
        let mut failures = Vec::new();
        for (realm, list) in &record.findings {
            let name = record.cast.name(*realm);
            for found in list.iter().filter(|found| found.severity == Severity::Error) {
                let expected = self
                    .step
                    .expectations
                    .iter()
                    .any(|expectation| match &expectation.demand {
                        Demand::Finding(demand) => !demand.from_check && demand.realm == name && fits(found, demand),
                        Demand::NothingRefused { realm } => realm.as_ref() == Some(&name),
                        _ => false,
                    });
                if !expected {
                    let described = describe(found);
                    let said = self.record.said.get(&(*realm, described.clone()));
                    let said = said.map(|said| format!("\n{said}")).unwrap_or_default();
                    failures.push(format!(
                        "refused, and the scenario does not say so: {name} {described}{said}"
                    ));
                }
            }
        }
        for message in failures {
            self.fail(self.step.expect_line, message);
        }
    }
}

fn names(demands: &[(u32, &SubjectDemand)], attribute: &str) -> bool {
    demands
        .iter()
        .any(|(_, demand)| demand.attributes.iter().any(|(named, _)| named == attribute))
}

/// What differs between a demand on a subject and the facts.
fn subject(before: &Facts, after: &Facts, demand: &SubjectDemand) -> Vec<String> {
    let name = &demand.subject;
    let (was, is) = (before.get(name), after.get(name));
    let unknown = || {
        if let Some(was) = was {
            return format!("`{name}` is gone after the step\nbefore it: {}", facts_of(Some(was)));
        }
        let hint = nearest(name, after.keys().chain(before.keys()).map(String::as_str), 3);
        format!("no `{name}` after the step{}", did_you_mean(&hint))
    };
    let mut messages = Vec::new();
    match (demand.change, was, is) {
        (Some(Change::Gone), None, None) => messages.push(format!("{}\nit was not there before, either", unknown())),
        (Some(Change::Gone), _, Some(_)) => messages.push(format!("expected `{name}` gone\nfound it still there")),
        (Some(Change::New), Some(_), _) => messages.push(format!("expected `{name}` new\nfound it there before, too")),
        (Some(Change::Unchanged), None, None) => messages.push(unknown()),
        (Some(Change::Unchanged), was, is) if was != is => {
            messages.push(format!("expected `{name}` unchanged\nfound {}", facts_of(is)));
        }
        (Some(Change::Gone), Some(_), None) => return messages,
        _ => {}
    }
    let Some(is) = is else {
        if messages.is_empty() {
            messages.push(unknown());
        }
        return messages;
    };
    for (attribute, value) in &demand.attributes {
        match is.get(attribute) {
            Some(found) if matches(found, value) => {}
            None if value == "gone" => {}
            Some(found) => messages.push(format!(
                "expected `{name}`: {attribute} {}\nfound {attribute} {}",
                quoted(value),
                quoted(found)
            )),
            None => {
                let hint = nearest(attribute, is.keys().map(String::as_str), 2);
                messages.push(format!(
                    "expected `{name}`: {attribute} {}\nfound no {attribute}{}; it has {}",
                    quoted(value),
                    did_you_mean(&hint),
                    facts_of(Some(is))
                ));
            }
        }
    }
    messages
}

fn facts_of(facts: Option<&BTreeMap<String, String>>) -> String {
    match facts {
        None => "nothing".to_owned(),
        Some(facts) => {
            let list: Vec<String> = facts
                .iter()
                .map(|(name, value)| format!("{name} {}", quoted(value)))
                .collect();
            list.join(", ")
        }
    }
}

/// The value as a scenario would have to write it.
pub(crate) fn quoted(value: &str) -> String {
    if value.contains(',') || value.contains(" #") || value.is_empty() {
        format!("\"{value}\"")
    } else {
        value.to_owned()
    }
}

fn matches(found: &str, wanted: &str) -> bool {
    found == wanted
        || words(found) == words(wanted)
        || match (found.parse::<i64>(), parse_range(wanted)) {
            (Ok(found), Some((min, max))) => (min..=max).contains(&found),
            _ => false,
        }
}

/// The words of a text; commas and the like around a word do not count.
fn bare(text: &str) -> Vec<&str> {
    let words = text.split_whitespace();
    let marks = [',', ';', ':', '(', ')', '"'];
    words
        .map(|word| word.trim_matches(marks))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Whether the text begins with these whole words.
fn begins_with(text: &str, beginning: &str) -> bool {
    bare(text).starts_with(&bare(beginning))
}

/// Whether these whole words follow each other somewhere in the text.
fn holds_words(text: &str, wanted: &str) -> bool {
    let (text, wanted) = (bare(text), bare(wanted));
    wanted.is_empty() || text.windows(wanted.len()).any(|window| window == wanted)
}

fn event(record: &Record, rule: &str, beginning: &str, count: Option<usize>) -> Result<(), String> {
    let of_rule = |event: &&EventRecord| rule == "*" || event.rules.contains(&rule);
    let found: Vec<String> = record
        .events
        .iter()
        .filter(of_rule)
        .filter(|event| begins_with(&event.words, beginning))
        .map(|event| format!("{} {}", event.rules.join("+"), event.words))
        .collect();
    let good = match count {
        None => !found.is_empty(),
        Some(count) => found.len() == count,
    };
    if good {
        return Ok(());
    }
    let what = format!("{rule} {beginning}");
    let wanted = match count {
        None => format!("expected event {}", what.trim()),
        Some(0) => format!("expected no event {}", what.trim()),
        Some(count) => format!("expected {count} events {}", what.trim()),
    };
    if !found.is_empty() {
        return Err(format!("{wanted}\nfound {}", listing(found.iter())));
    }
    let mut others: Vec<String> = record
        .events
        .iter()
        .filter(of_rule)
        .map(|event| event.words.clone())
        .collect();
    let scope = if others.is_empty() { "in all" } else { "of this rule" };
    if others.is_empty() {
        let all = record
            .events
            .iter()
            .map(|event| format!("{} {}", event.rules.join("+"), event.words));
        others = all.collect();
    }
    Err(format!(
        "{wanted}\nfound none; events {scope}: {}",
        listing(others.iter())
    ))
}

fn advice<'a>(record: &'a Record, realm: &str) -> Result<&'a [Diagnostic], String> {
    let id = record.cast.realm(realm)?;
    match record.advice.get(&id) {
        Some(list) => Ok(list),
        None => Err(format!(
            "{realm} has no `orders` block in this step, so there is nothing to check"
        )),
    }
}

fn fits(found: &Diagnostic, demand: &FindingDemand) -> bool {
    found.span.line == demand.line
        && (demand.code == "*" || found.code == demand.code)
        && demand.severity.is_none_or(|severity| severity == found.severity)
        && demand.column.is_none_or(|column| column == found.span.column)
        && demand
            .repair
            .as_ref()
            .is_none_or(|text| found.repair.as_ref().is_some_and(|repair| repair.text == *text))
}

fn finding(record: &Record, demand: &FindingDemand) -> Result<(), String> {
    let list = if demand.from_check {
        advice(record, &demand.realm)?
    } else {
        let realm = record.cast.realm(&demand.realm)?;
        record.findings.get(&realm).map_or(&[][..], Vec::as_slice)
    };
    match list.iter().find(|found| fits(found, demand)) {
        Some(found) if !demand.wanted => {
            let (realm, line) = (&demand.realm, demand.line);
            return Err(format!(
                "expected no {} of the check in {realm} line {line}\nfound {}",
                demand.code,
                describe(found)
            ));
        }
        Some(_) => return Ok(()),
        None if !demand.wanted => return Ok(()),
        None => {}
    }
    let severity = match demand.severity {
        Some(level) => format!("{} ", severity(level)),
        None => String::new(),
    };
    let mut wanted = format!(
        "expected {} line {} {severity}{}",
        demand.realm, demand.line, demand.code
    );
    if let Some(column) = demand.column {
        wanted.push_str(&format!(" column {column}"));
    }
    if let Some(repair) = &demand.repair {
        wanted.push_str(&format!(" repair \"{}\"", repair.replace('\n', "\\n")));
    }
    // What was found in the demanded line and near it comes first.
    let mut nearest: Vec<&Diagnostic> = list.iter().collect();
    nearest.sort_by_key(|found| found.span.line.abs_diff(demand.line));
    let found: Vec<String> = nearest.into_iter().map(describe).collect();
    let source = if demand.from_check { "the check" } else { "the step" };
    Err(format!("{wanted}\nfound by {source}: {}", listing(found.iter())))
}

/// How scenarios call the severity of a finding.
pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

/// A finding with its place, as a failure names it.
pub(crate) fn describe(finding: &Diagnostic) -> String {
    let severity = severity(finding.severity);
    let mut text = format!(
        "line {} {severity} {} column {}",
        finding.span.line, finding.code, finding.span.column
    );
    if let Some(repair) = &finding.repair {
        text.push_str(&format!(" repair \"{}\"", repair.text.replace('\n', "\\n")));
    }
    text
}

fn told(record: &Record, viewer: &str, wanted_words: Option<&str>, wanted: bool) -> Result<(), String> {
    let list = record
        .told
        .get(&record.cast.viewer(viewer)?)
        .map_or(&[][..], Vec::as_slice);
    match (wanted_words, wanted) {
        (Some(text), true) if !list.iter().any(|notice| holds_words(notice, text)) => Err(format!(
            "expected that {viewer} is told: {text}\nfound {}",
            listing(list.iter())
        )),
        // What must not be told is sought letter by letter, so that no comma hides it.
        (Some(text), false) => match list.iter().find(|notice| words(notice).contains(text)) {
            Some(notice) => Err(format!(
                "leak: expected that {viewer} is not told: {text}\nfound {notice}"
            )),
            None => Ok(()),
        },
        (None, _) if !list.is_empty() => Err(format!(
            "leak: expected that {viewer} is told nothing\nfound {}",
            listing(list.iter())
        )),
        _ => Ok(()),
    }
}

fn report_of<'a>(record: &'a Record, viewer: &str, before: bool) -> Result<&'a str, String> {
    let id = record.cast.viewer(viewer)?;
    let reports = if before {
        &record.earlier_reports
    } else {
        &record.reports
    };
    let report = reports.get(&id).map(String::as_str);
    report.ok_or_else(|| format!("{viewer} gets no report in this step"))
}

fn report_line(record: &Record, viewer: &str, text: &str, wanted: bool) -> Result<(), String> {
    let report = report_of(record, viewer, false)?;
    if wanted {
        return sought(text, report.lines().map(str::trim))
            .map_err(|found| format!("expected in the report of {viewer}: {text}\n{found}"));
    }
    match report.lines().find(|line| words(line).contains(&words(text))) {
        Some(line) => Err(format!(
            "expected nowhere in the report of {viewer}: {text}\nfound {line}"
        )),
        None => Ok(()),
    }
}

/// Whether one of the lines is this one; otherwise what comes nearest to it.
fn sought<'a>(text: &str, lines: impl Iterator<Item = &'a str> + Clone) -> Result<(), String> {
    if lines.clone().any(|line| line == text) {
        return Ok(());
    }
    let hint = nearest(text, lines, 3);
    let hint = if hint.is_empty() { vec!["nothing like it"] } else { hint };
    Err(format!("found {}", hint.join("\n      ")))
}

fn why(record: &Record, viewer: &str, text: &str) -> Result<(), String> {
    let reasons = record.reasons.get(&record.cast.viewer(viewer)?);
    sought(text, reasons.into_iter().flatten().map(String::as_str))
        .map_err(|found| format!("expected as an answer to \"why?\" in the report of {viewer}: {text}\n{found}"))
}

/// Values of the state that a failure names.
const STORED_NAMED: usize = 12;

fn stored(record: &Record, path: &str, value: &str) -> Result<(), String> {
    match record.stored.get(path) {
        Some(found) if matches(found, value) => Ok(()),
        None if value == "gone" && below(record, path).next().is_none() => Ok(()),
        Some(found) => Err(format!("expected `state {path}: {value}`\nfound {}", quoted(found))),
        None => {
            // What stands at the part of the path that there is tells how to go on.
            let mut known = path;
            while !known.is_empty() && below(record, known).next().is_none() {
                known = known.rsplit_once('.').map_or("", |(above, _)| above);
            }
            let listed: Vec<String> = below(record, known)
                .take(STORED_NAMED)
                .map(|(path, value)| format!("  state {path}: {}", quoted(value)))
                .collect();
            let more = below(record, known).count().saturating_sub(STORED_NAMED);
            let more = match more {
                0 => String::new(),
                more => format!("\n  and {more} more"),
            };
            Err(format!(
                "expected `state {path}: {value}`\nfound no such value; there are\n{}{more}",
                listed.join("\n")
            ))
        }
    }
}

/// The values below a path of the state.
fn below<'r>(record: &'r Record, path: &str) -> impl Iterator<Item = (&'r String, &'r String)> + use<'r> {
    let within = match path {
        "" => String::new(),
        path => format!("{path}."),
    };
    record.stored.iter().filter(move |(path, _)| path.starts_with(&within))
}

fn report_block(record: &Record, viewer: &str, before: bool, lines: &[(u32, String)]) -> Result<(), Failure> {
    let first = lines.first().map_or(1, |(line, _)| *line);
    let report = report_of(record, viewer, before).map_err(|message| Failure::new(first, message))?;
    let report: Vec<&str> = report.lines().map(str::trim_end).collect();
    let mut from = 0;
    for part in lines
        .split(|(_, line)| line.trim() == "...")
        .filter(|part| !part.is_empty())
    {
        // The place with the longest agreement tells the reader where the first difference is.
        let mut best = (0, from);
        let mut found = None;
        for at in from..report.len() {
            let here = part
                .iter()
                .zip(&report[at..])
                .take_while(|((_, wanted), line)| wanted.trim_end() == **line)
                .count();
            if here == part.len() {
                found = Some(at);
                break;
            }
            if here > best.0 {
                best = (here, at);
            }
        }
        match found {
            Some(at) => from = at + part.len(),
            None => {
                let (line, wanted) = &part[best.0];
                let there = if best.0 > 0 {
                    report
                        .get(best.1 + best.0)
                        .copied()
                        .unwrap_or("the end of the report")
                        .to_owned()
                } else {
                    let hint = nearest(wanted.trim(), report[from..].iter().copied(), 3);
                    if hint.is_empty() {
                        "nothing like it".to_owned()
                    } else {
                        hint.join("\n      ")
                    }
                };
                return Err(Failure::new(
                    *line,
                    format!(
                        "expected in the report of {viewer}: {}\nfound {there}",
                        wanted.trim_end()
                    ),
                ));
            }
        }
    }
    Ok(())
}

fn request(record: &Record, name: Option<&str>, wanted: bool) -> Result<(), String> {
    let name = name.map(|name| record.cast.translate(name));
    let found: Vec<&String> = record
        .requests
        .iter()
        .filter(|request| name.as_ref().is_none_or(|name| name == *request))
        .collect();
    if found.is_empty() != wanted {
        return Ok(());
    }
    let what = name.unwrap_or_default();
    if wanted {
        Err(format!(
            "expected request {what}\nfound {}",
            listing(record.requests.iter())
        ))
    } else {
        Err(format!(
            "expected no request {what}\nfound {}",
            listing(found.into_iter())
        ))
    }
}

fn roll(record: &Record, name: &str, range: Option<(i64, i64)>, wanted: bool) -> Result<(), String> {
    let translated = record.cast.translate(name);
    let die = record.rolls.iter().find(|roll| roll.name == translated);
    match (die, range, wanted) {
        (Some(die), Some((min, max)), true) if (die.min, die.max) != (min, max) => Err(format!(
            "expected roll {name} in {min}..{max}\nfound {}..{}",
            die.min, die.max
        )),
        (None, _, true) => {
            let names: Vec<String> = record
                .rolls
                .iter()
                .map(|roll| record.cast.die(&roll.name, Some(roll.owner)))
                .collect();
            let hint = nearest(name, names.iter().map(String::as_str), 3);
            Err(format!(
                "expected roll {name}\nfound no such roll{}",
                did_you_mean(&hint)
            ))
        }
        (Some(die), _, false) => Err(format!("expected no roll {name}\nfound it with face {}", die.value)),
        _ => Ok(()),
    }
}

fn map(record: &Record, viewer: &str, demand: &SubjectDemand, wanted: bool) -> Result<Vec<String>, String> {
    let id = record.cast.viewer(viewer)?;
    let facts = record
        .maps
        .get(&id)
        .ok_or_else(|| format!("{viewer} gets no map in this step"))?;
    if wanted {
        let messages = subject(&Facts::new(), facts, demand);
        return Ok(messages
            .into_iter()
            .map(|message| format!("map of {viewer}: {message}"))
            .collect());
    }
    Ok(match facts.get(&demand.subject) {
        Some(found) => vec![format!(
            "leak: expected no `{}` on the map of {viewer}\nfound {}",
            demand.subject,
            facts_of(Some(found))
        )],
        None => Vec::new(),
    })
}

/// A list for a message: not too long, and "nothing" when empty.
fn listing<'a>(items: impl Iterator<Item = &'a String>) -> String {
    const SHOWN: usize = 12;
    let items: Vec<&String> = items.collect();
    if items.is_empty() {
        return "nothing".to_owned();
    }
    let mut text: Vec<String> = items.iter().take(SHOWN).map(|item| (*item).clone()).collect();
    if items.len() > SHOWN {
        text.push(format!("and {} more", items.len() - SHOWN));
    }
    text.join("\n      ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_after_the_step_is_told_as_it_was_before() {
        let facts = BTreeMap::from([("count".to_owned(), "90".to_owned())]);
        let before = Facts::from([("host Adler".to_owned(), facts)]);
        let demand = SubjectDemand {
            subject: "host Adler".to_owned(),
            attributes: vec![("count".to_owned(), "80".to_owned())],
            ..SubjectDemand::default()
        };
        let found = subject(&before, &Facts::new(), &demand);
        assert_eq!(found, ["`host Adler` is gone after the step\nbefore it: count 90"]);
        let found = subject(&Facts::new(), &Facts::new(), &demand);
        assert_eq!(found, ["no `host Adler` after the step"]);
    }
}
