//! What a scenario demands of a step: the lines of an `expect` block.

use crate::words::{did_you_mean, nearest, split_word, words};
use kernel::diagnostic::Severity;

/// One demand with its place in the scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// Line in the scenario.
    pub line: u32,
    /// What is demanded.
    pub demand: Demand,
}

/// What one line of an `expect` block demands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Demand {
    /// Facts about one subject of the state.
    Subject(SubjectDemand),
    /// Facts that may differ without being named.
    Allow(Allowance),
    /// Events of a rule whose words begin with the given ones.
    Event {
        /// The rule id, or `*` for any.
        rule: String,
        /// How the event's words begin.
        words: String,
        /// How many there must be; none given means one or more.
        count: Option<usize>,
    },
    /// A finding about an order.
    Finding(FindingDemand),
    /// Nobody's order, or none of one realm's, is refused.
    NothingRefused {
        /// The realm; none for all.
        realm: Option<String>,
    },
    /// The check of a realm's orders finds nothing.
    CheckFindsNothing {
        /// Whose orders.
        realm: String,
    },
    /// A viewer is told, or not told, something with these words in it.
    Told {
        /// A realm or `game-master`.
        viewer: String,
        /// The words; none stands for anything at all.
        words: Option<String>,
        /// Whether it must be told.
        wanted: bool,
    },
    /// A line of the report, or words that no line may hold.
    ReportLine {
        /// A realm or `game-master`.
        viewer: String,
        /// The whole line (wanted) or a part of it (unwanted).
        text: String,
        /// Whether it must stand there.
        wanted: bool,
    },
    /// A step of the arithmetic with which some line of the report answers "why?".
    Why {
        /// A realm or `game-master`.
        viewer: String,
        /// The whole sentence.
        text: String,
    },
    /// A single value of the stored state, by its path.
    State {
        /// Names of fields, keys and places in lists, parted by dots.
        path: String,
        /// The value, or bounds of it; `gone` for nothing there.
        value: String,
    },
    /// Lines of the report one after the other; `...` skips any number.
    ReportBlock {
        /// A realm or `game-master`.
        viewer: String,
        /// Whether it is the report that the viewer held before the step: in the first step, that of the start.
        before: bool,
        /// The lines with their numbers in the scenario.
        lines: Vec<(u32, String)>,
    },
    /// A judgement is, or is not, asked for.
    Request {
        /// Its name; none stands for any.
        name: Option<String>,
        /// Whether it must be asked for.
        wanted: bool,
    },
    /// A die is, or is not, rolled.
    Roll {
        /// Its name.
        name: String,
        /// Its faces, if they matter.
        range: Option<(i64, i64)>,
        /// Whether it must be rolled.
        wanted: bool,
    },
    /// Facts of the map that a viewer sees.
    Map {
        /// A realm or `game-master`.
        viewer: String,
        /// Subject and facts; an unwanted subject has none.
        subject: SubjectDemand,
        /// Whether the subject must be on the map.
        wanted: bool,
    },
}

impl Demand {
    /// The id of the rule that the demand names, if it names one: of an event, or at the beginning of a die's or a question's name.
    pub fn rule(&self) -> Option<&str> {
        match self {
            Self::Event { rule, .. } => Some(rule.as_str()).filter(|rule| *rule != "*"),
            Self::Roll { name, .. } | Self::Request { name: Some(name), .. } => name.split(' ').next(),
            _ => None,
        }
    }
}

/// What is demanded of one subject.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SubjectDemand {
    /// The subject as the game's facts name it.
    pub subject: String,
    /// Whether it must appear, vanish or stay as it is.
    pub change: Option<Change>,
    /// Attributes and their values.
    pub attributes: Vec<(String, String)>,
    /// Whether its other attributes may differ.
    pub else_anything: bool,
}

/// How a subject as a whole must change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It was not there before.
    New,
    /// It is not there any more.
    Gone,
    /// Nothing about it differs.
    Unchanged,
}

/// Which facts may differ unnamed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Allowance {
    /// None: the default, written out for the reader.
    Nothing,
    /// All facts and all refusals.
    Everything,
    /// Refusals that are not named.
    Refusals,
    /// Facts of the subjects that begin with these words, and of those only the listed attributes if any are listed.
    Subjects(String, Vec<String>),
}

/// A finding about an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingDemand {
    /// Whether it comes from the check before the step; otherwise it comes from the step itself.
    pub from_check: bool,
    /// Whether it must be found.
    pub wanted: bool,
    /// How much it weighs, if that matters.
    pub severity: Option<Severity>,
    /// Whose orders.
    pub realm: String,
    /// Line of the order file.
    pub line: u32,
    /// Column, if it matters.
    pub column: Option<u32>,
    /// The code, or `*` for any.
    pub code: String,
    /// The repair that must be proposed.
    pub repair: Option<String>,
}

const KEYWORDS: [&str; 17] = [
    "event", "events", "no", "not", "refused", "warned", "hint", "nothing", "told", "report", "check", "request",
    "roll", "map", "why", "state", "else",
];

/// Reads one line of an `expect` block.
pub fn read(text: &str) -> Result<Demand, String> {
    let (keyword, rest) = split_word(text);
    match keyword {
        "anything" if rest.is_empty() => Ok(Demand::Allow(Allowance::Everything)),
        "else" => allowance(rest),
        "event" => event(rest, None),
        "events" => {
            let (count, rest) = split_word(rest);
            match count.parse() {
                Ok(count) => event(rest, Some(count)),
                Err(_) => Err("expected `events <number> RULE words`".to_owned()),
            }
        }
        "refused" => finding(rest, false, Some(Severity::Error)),
        "warned" => finding(rest, false, Some(Severity::Warning)),
        "hint" => finding(rest, false, Some(Severity::Hint)),
        "check" => match rest.split_once(':') {
            Some((realm, nothing)) if nothing.trim() == "nothing" => {
                Ok(Demand::CheckFindsNothing { realm: words(realm) })
            }
            _ => finding(rest, true, None),
        },
        "nothing" => match split_word(rest) {
            ("refused", "") => Ok(Demand::NothingRefused { realm: None }),
            ("refused", realm) => Ok(Demand::NothingRefused {
                realm: Some(words(realm)),
            }),
            _ => Err("expected `nothing refused` or `nothing refused <Realm>`".to_owned()),
        },
        "told" => told(rest, true),
        "not" => match split_word(rest) {
            ("told", rest) => told(rest, false),
            _ => Err("expected `not told <Realm>: words`".to_owned()),
        },
        "report" => report(rest, true),
        "why" => match rest.split_once(':') {
            Some((viewer, text)) if !viewer.trim().is_empty() && !text.trim().is_empty() => Ok(Demand::Why {
                viewer: words(viewer),
                text: text.trim().to_owned(),
            }),
            _ => Err("expected `why <Realm>: a whole sentence`".to_owned()),
        },
        "state" => match rest.split_once(':') {
            Some((path, value)) if !path.trim().is_empty() && !value.trim().is_empty() => Ok(Demand::State {
                path: path.trim().to_owned(),
                value: value.trim().trim_matches('"').to_owned(),
            }),
            _ => Err("expected `state path.of.a.value: value`".to_owned()),
        },
        "request" if rest.is_empty() => Err("expected `request NAME`".to_owned()),
        "request" => Ok(Demand::Request {
            name: Some(words(rest)),
            wanted: true,
        }),
        "roll" => roll(rest, true),
        "map" => map(rest, true),
        "no" => unwanted(rest),
        _ => match text.split_once(':') {
            Some((name, facts)) => subject(name, facts).map(Demand::Subject),
            None => {
                let hint = nearest(keyword, KEYWORDS.iter().copied(), 2);
                Err(format!(
                    "expected `<subject>: attribute value, ...` or a line that begins with one of {}{}",
                    KEYWORDS.join(", "),
                    did_you_mean(&hint)
                ))
            }
        },
    }
}

fn unwanted(text: &str) -> Result<Demand, String> {
    let (keyword, rest) = split_word(text);
    match keyword {
        "event" if rest.is_empty() => event("*", Some(0)),
        "event" => event(rest, Some(0)),
        "report" => report(rest, false),
        "check" => match finding(rest, true, None)? {
            Demand::Finding(demand) => Ok(Demand::Finding(FindingDemand {
                wanted: false,
                ..demand
            })),
            other => Ok(other),
        },
        "roll" => roll(rest, false),
        "map" => map(rest, false),
        "request" => Ok(Demand::Request {
            name: (!rest.is_empty()).then(|| words(rest)),
            wanted: false,
        }),
        _ => Err("expected `no event`, `no check`, `no report`, `no roll`, `no map` or `no request`".to_owned()),
    }
}

fn event(text: &str, count: Option<usize>) -> Result<Demand, String> {
    let (rule, rest) = split_word(text);
    if rule.is_empty() {
        return Err("expected `event RULE words`; `*` stands for any rule".to_owned());
    }
    Ok(Demand::Event {
        rule: rule.to_owned(),
        words: words(rest),
        count,
    })
}

fn told(text: &str, wanted: bool) -> Result<Demand, String> {
    match text.split_once(':') {
        Some((viewer, said)) if !viewer.trim().is_empty() && !said.trim().is_empty() => {
            let said = words(said);
            let nothing = wanted && said == "nothing";
            Ok(Demand::Told {
                viewer: words(viewer),
                wanted: wanted && !nothing,
                words: (!nothing).then_some(said),
            })
        }
        _ => Err("expected `told <Realm>: words`, `told <Realm>: nothing` or `not told <Realm>: words`".to_owned()),
    }
}

fn report(text: &str, wanted: bool) -> Result<Demand, String> {
    match text.split_once(':') {
        Some((viewer, line)) if !viewer.trim().is_empty() && !line.trim().is_empty() => Ok(Demand::ReportLine {
            viewer: words(viewer),
            text: line.trim().to_owned(),
            wanted,
        }),
        _ => Err(
            "expected `report <Realm>: a whole line` or `no report <Realm>: some words`\n\
             a `#` after a blank begins a comment unless a digit follows; lines that hold one stand in a `report` block"
                .to_owned(),
        ),
    }
}

fn roll(text: &str, wanted: bool) -> Result<Demand, String> {
    let (name, range) = match text
        .rsplit_once(" in ")
        .and_then(|(name, range)| Some((name, parse_range(range)?)))
    {
        Some((name, range)) => (name, Some(range)),
        None => (text, None),
    };
    if name.trim().is_empty() {
        return Err("expected `roll NAME in 1..6`".to_owned());
    }
    Ok(Demand::Roll {
        name: words(name),
        range,
        wanted,
    })
}

fn map(text: &str, wanted: bool) -> Result<Demand, String> {
    let usage = "expected `map <Realm>: <subject>: attribute value` or `no map <Realm>: <subject>`";
    let (viewer, rest) = text.split_once(':').ok_or(usage)?;
    let subject = match rest.split_once(':') {
        Some((name, facts)) if wanted => subject(name, facts)?,
        None => SubjectDemand {
            subject: words(rest),
            ..SubjectDemand::default()
        },
        Some(_) => return Err(usage.to_owned()),
    };
    if viewer.trim().is_empty() || subject.subject.is_empty() {
        return Err(usage.to_owned());
    }
    Ok(Demand::Map {
        viewer: words(viewer),
        subject,
        wanted,
    })
}

fn allowance(text: &str) -> Result<Demand, String> {
    let (what, rest) = split_word(text);
    let allowance = match (what, rest) {
        ("unchanged", "") => Allowance::Nothing,
        ("anything", "") => Allowance::Everything,
        ("anything", "refused") => Allowance::Refusals,
        ("anything", _) => {
            let (prefix, attributes) = rest.split_once(':').unwrap_or((rest, ""));
            let prefix = words(prefix);
            let attributes = attributes
                .split(',')
                .map(words)
                .filter(|name| !name.is_empty())
                .collect();
            Allowance::Subjects(if prefix == "*" { String::new() } else { prefix }, attributes)
        }
        _ => {
            return Err(
                "expected `else unchanged`, `else anything`, `else anything refused` or \
                        `else anything <beginning of subjects>: attribute, attribute`"
                    .to_owned(),
            );
        }
    };
    Ok(Demand::Allow(allowance))
}

fn subject(name: &str, facts: &str) -> Result<SubjectDemand, String> {
    let mut demand = SubjectDemand {
        subject: words(name),
        ..SubjectDemand::default()
    };
    if demand.subject.is_empty() {
        return Err("the subject before the colon is missing".to_owned());
    }
    for part in parts(facts) {
        match part.as_str() {
            "new" => demand.change = Some(Change::New),
            "gone" => demand.change = Some(Change::Gone),
            "unchanged" => demand.change = Some(Change::Unchanged),
            "else anything" => demand.else_anything = true,
            _ => {
                let (attribute, value) = split_word(&part);
                if attribute.is_empty() || value.is_empty() {
                    return Err(format!(
                        "`{part}`: expected `attribute value`, `new`, `gone`, `unchanged` or `else anything`"
                    ));
                }
                let value = match value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
                    Some(quoted) => quoted.to_owned(),
                    None => words(value),
                };
                if let Some((min, max)) = parse_range(&value)
                    && min > max
                {
                    return Err(format!(
                        "`{value}`: no number lies in between; the lower one stands first"
                    ));
                }
                demand.attributes.push((attribute.to_owned(), value));
            }
        }
    }
    let empty = demand.attributes.is_empty() && demand.change.is_none() && !demand.else_anything;
    let contradiction =
        matches!(demand.change, Some(Change::Gone | Change::Unchanged)) && !demand.attributes.is_empty();
    if empty || contradiction {
        return Err("expected attributes with values, or `gone` or `unchanged` alone, behind the colon".to_owned());
    }
    Ok(demand)
}

/// The parts between commas outside quotation marks.
fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            ',' if !quoted => parts.push(std::mem::take(&mut part)),
            _ => {
                quoted ^= letter == '"';
                part.push(letter);
            }
        }
    }
    parts.push(part);
    parts
        .into_iter()
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

fn finding(text: &str, from_check: bool, severity: Option<Severity>) -> Result<Demand, String> {
    let usage = if from_check {
        "expected `check <Realm> line N CODE`, with `column N` or `repair \"text\"` if wanted, or `check <Realm>: nothing`"
    } else {
        "expected `refused <Realm> line N CODE`, with `column N` or `repair \"text\"` if wanted"
    };
    let (text, repair) = match text.split_once(" repair ") {
        Some((text, repair)) => {
            let repair = repair.trim();
            let inner = repair
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'))
                .ok_or(usage)?;
            (text, Some(inner.replace("\\n", "\n")))
        }
        None => (text, None),
    };
    let (realm, place) = text.split_once(" line ").ok_or(usage)?;
    let mut place = place.split_whitespace();
    let mut demand = FindingDemand {
        from_check,
        wanted: true,
        severity,
        realm: words(realm),
        line: place.next().and_then(|line| line.parse().ok()).ok_or(usage)?,
        column: None,
        code: String::new(),
        repair,
    };
    while let Some(word) = place.next() {
        match word {
            "column" => demand.column = Some(place.next().and_then(|column| column.parse().ok()).ok_or(usage)?),
            "error" if from_check => demand.severity = Some(Severity::Error),
            "warning" if from_check => demand.severity = Some(Severity::Warning),
            "hint" if from_check => demand.severity = Some(Severity::Hint),
            code if demand.code.is_empty() => demand.code = code.to_owned(),
            _ => return Err(usage.to_owned()),
        }
    }
    if demand.code.is_empty() || demand.realm.is_empty() {
        return Err(usage.to_owned());
    }
    Ok(Demand::Finding(demand))
}

/// `1..6` as lowest and highest face.
pub(crate) fn parse_range(text: &str) -> Option<(i64, i64)> {
    let (min, max) = text.trim().split_once("..")?;
    Some((min.trim().parse().ok()?, max.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_line_takes_values_with_blanks_and_quoted_commas() {
        let Ok(Demand::Subject(demand)) =
            read("army Adler K.M 1: at 1/0, name \"Ross, Reiter\", orders none yet, else anything")
        else {
            panic!("not a subject");
        };
        assert_eq!(demand.subject, "army Adler K.M 1");
        let attributes: Vec<(&str, &str)> = demand
            .attributes
            .iter()
            .map(|(a, v)| (a.as_str(), v.as_str()))
            .collect();
        assert_eq!(
            attributes,
            [("at", "1/0"), ("name", "Ross, Reiter"), ("orders", "none yet")]
        );
        assert!(demand.else_anything);
    }

    #[test]
    fn a_finding_has_line_code_column_and_repair() {
        let Ok(Demand::Finding(demand)) = read("refused Alt Adler line 3 A07 column 5 repair \"K.M 1\"") else {
            panic!("not a finding");
        };
        assert_eq!(
            (demand.realm.as_str(), demand.line, demand.column),
            ("Alt Adler", 3, Some(5))
        );
        assert_eq!((demand.code.as_str(), demand.repair.as_deref()), ("A07", Some("K.M 1")));
    }

    #[test]
    fn half_a_line_is_refused_with_the_form_that_is_expected() {
        for (line, part) in [
            ("refused Adler A07", "line N CODE"),
            ("told Adler", "told <Realm>: words"),
            ("roll", "roll NAME"),
            ("army Adler:", "attributes"),
            ("army Adler: gone, at 1/0", "alone"),
            ("army Adler: at", "attribute value"),
            ("toldd Adler", "did you mean `told`"),
            ("else nothing", "else unchanged"),
            ("no idea", "no event"),
        ] {
            let message = read(line).expect_err(line);
            assert!(message.contains(part), "{line}: {message}");
        }
    }

    #[test]
    fn told_nothing_is_the_absence_of_all_notices() {
        let demand = read("told Bär: nothing");
        let expected = Demand::Told {
            viewer: "Bär".to_owned(),
            words: None,
            wanted: false,
        };
        assert_eq!(demand, Ok(expected));
    }
}
