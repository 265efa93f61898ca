//! Laying a world's differences over the figures of its book.

use super::below;
use crate::limits;
use std::fmt;
use toml::{Table, Value};

/// What is wrong with house rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The text is no TOML, or a value is of another type than its key wants.
    Unreadable {
        /// What the reader says, with the place.
        message: String,
    },
    /// There is no such key.
    UnknownKey {
        /// The key with its tables, for example `combat.luck`.
        path: String,
        /// A key of the same table that is spelled much the same.
        meant: Option<String>,
    },
    /// A table stands where a value belongs, or the other way round.
    WrongShape {
        /// The key with its tables.
        path: String,
        /// What belongs there, as the key of its wording.
        expected: &'static str,
    },
    /// A figure is too small or too large.
    OutOfRange {
        /// The key with its tables.
        path: String,
        /// The figure.
        value: i64,
        /// The least figure that is allowed.
        min: i64,
        /// The greatest figure that is allowed.
        max: i64,
    },
    /// Figures that are possible each contradict each other.
    Contradiction {
        /// The key with its tables.
        path: String,
        /// What must hold, as the key of its wording.
        expected: &'static str,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { message } => formatter.write_str(message),
            Self::UnknownKey { path, meant: None } => write!(formatter, "{path}: no such key"),
            Self::UnknownKey {
                path,
                meant: Some(meant),
            } => {
                write!(formatter, "{path}: no such key, did you mean {meant}?")
            }
            Self::WrongShape { path, expected } | Self::Contradiction { path, expected } => {
                write!(formatter, "{path}: expected {}", expected.replace('-', " "))
            }
            Self::OutOfRange { path, value, min, max } => {
                write!(formatter, "{path}: {value}, expected {min} to {max}")
            }
        }
    }
}

impl Problem {
    /// Key of the wording.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "unreadable",
            Self::UnknownKey { meant: None, .. } => "unknown-key",
            Self::UnknownKey { .. } => "misspelt-key",
            Self::WrongShape { .. } | Self::Contradiction { .. } => "expected",
            Self::OutOfRange { .. } => "out-of-range",
        }
    }

    /// The values that stand in the wording; what was expected is a key of its own ([`Self::expected`]).
    pub fn values(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Unreadable { message } => vec![("message", message.clone())],
            Self::UnknownKey { path, meant } => {
                vec![("path", path.clone()), ("meant", meant.clone().unwrap_or_default())]
            }
            Self::WrongShape { path, .. } | Self::Contradiction { path, .. } => vec![("path", path.clone())],
            Self::OutOfRange { path, value, min, max } => vec![
                ("path", path.clone()),
                ("value", value.to_string()),
                ("min", min.to_string()),
                ("max", max.to_string()),
            ],
        }
    }

    /// What was expected, as the key of its wording.
    pub const fn expected(&self) -> Option<&'static str> {
        match self {
            Self::WrongShape { expected, .. } | Self::Contradiction { expected, .. } => Some(*expected),
            _ => None,
        }
    }

    /// The same problem with its place told from the outer table.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        match &mut self {
            Self::Unreadable { message: place }
            | Self::UnknownKey { path: place, .. }
            | Self::WrongShape { path: place, .. }
            | Self::OutOfRange { path: place, .. }
            | Self::Contradiction { path: place, .. } => *place = format!("{outer}.{place}"),
        }
        self
    }
}

/// Everything that is wrong with house rules. A game says it as values; how it reads is the business of whoever shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfits(pub Vec<Problem>);

impl fmt::Display for Misfits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        formatter.write_str(&told.join("; "))
    }
}

impl std::error::Error for Misfits {}

impl From<Problem> for Misfits {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl From<toml::de::Error> for Misfits {
    fn from(error: toml::de::Error) -> Self {
        let message = error.to_string().trim_end().replace('\n', " ");
        Problem::Unreadable { message }.into()
    }
}

impl From<Misfits> for String {
    fn from(misfits: Misfits) -> Self {
        misfits.to_string()
    }
}

/// The text of house rules or of a data file as a tree.
///
/// # Errors
/// [`Problem::Unreadable`] if it is too long or no TOML.
pub fn parse(text: &str) -> Result<Table, Problem> {
    let unreadable = |message: String| Problem::Unreadable { message };
    if text.len() > limits::HOUSE_RULES_BYTES {
        return Err(unreadable(format!(
            "the house rules are longer than {} bytes",
            limits::HOUSE_RULES_BYTES
        )));
    }
    text.parse::<Table>().map_err(|error| unreadable(error.to_string()))
}

/// Lays differences over a tree. A key must exist already, unless the game says that its path may be added; a list is replaced as a whole.
pub fn lay_over(tree: &mut Table, differences: Table, may_be_added: &dyn Fn(&str) -> bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    lay_below(tree, differences, "", may_be_added, &mut problems);
    problems
}

fn lay_below(
    tree: &mut Table,
    differences: Table,
    path: &str,
    may_be_added: &dyn Fn(&str) -> bool,
    problems: &mut Vec<Problem>,
) {
    for (key, value) in differences {
        let path = below(path, &key);
        match (tree.get_mut(&key), value) {
            (Some(Value::Table(standing)), Value::Table(more)) => {
                lay_below(standing, more, &path, may_be_added, problems);
            }
            (Some(Value::Table(_)), _) => problems.push(Problem::WrongShape {
                path,
                expected: "a-table",
            }),
            (Some(_), Value::Table(_)) => problems.push(Problem::WrongShape {
                path,
                expected: "a-single-value",
            }),
            (Some(standing), value) => *standing = value,
            (None, value) if may_be_added(&path) => {
                tree.insert(key, value);
            }
            (None, _) => {
                let meant = nearest(tree, &key);
                problems.push(Problem::UnknownKey { path, meant });
            }
        }
    }
}

/// The key of the table that is spelled most alike, if it is alike enough to be meant.
fn nearest(table: &Table, key: &str) -> Option<String> {
    let distance = |other: &&String| strsim::osa_distance(other, key);
    let nearest = table.keys().min_by_key(distance);
    nearest.filter(|other| distance(other) <= 1 + key.len() / 3).cloned()
}

/// The least and the greatest figure that may stand at a path.
pub type Limits<'a> = &'a dyn Fn(&str) -> (i64, i64);

/// Every number of a tree that is not within its limits: sums and products could overflow, a range could take for ever.
pub fn bounded(tree: &Table, limits: Limits<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    super::each_value(tree, &mut |path, value| {
        within_limits(value, path, limits, &mut problems)
    });
    problems
}

fn within_limits(value: &Value, path: &str, limits: Limits<'_>, problems: &mut Vec<Problem>) {
    match value {
        Value::Integer(number) => {
            let (min, max) = limits(path);
            if !(min..=max).contains(number) {
                problems.push(Problem::OutOfRange {
                    path: path.to_owned(),
                    value: *number,
                    min,
                    max,
                });
            }
        }
        Value::Array(values) => values
            .iter()
            .for_each(|value| within_limits(value, path, limits, problems)),
        Value::Table(table) => {
            for (key, value) in table {
                within_limits(value, &below(path, key), limits, problems);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Table {
        parse("[combat]\nluck = 5\nlosses = [1, 2]\n[kind.K]\nprice = 3\n").expect("TOML")
    }

    fn laid(differences: &str) -> (Table, Vec<String>) {
        let mut tree = book();
        let added = |path: &str| path.starts_with("kind.");
        let problems = lay_over(&mut tree, parse(differences).expect("TOML"), &added);
        (tree, problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn figures_are_replaced_and_lists_as_a_whole() {
        let (tree, problems) = laid("combat.luck = 6\ncombat.losses = [9]\nkind.R = { price = 4 }");
        assert_eq!(problems, [""; 0]);
        let expected = parse("[combat]\nluck = 6\nlosses = [9]\n[kind.K]\nprice = 3\n[kind.R]\nprice = 4\n");
        assert_eq!(Ok(tree), expected);
    }

    #[test]
    fn every_wrong_key_is_told_and_nothing_else_is_changed() {
        let (tree, problems) = laid("combat.lukc = 6\nkind = 1\ncombat.luck = { a = 1 }\nnothing = 2");
        assert_eq!(
            problems,
            [
                "combat.luck: expected a single value",
                "combat.lukc: no such key, did you mean luck?",
                "kind: expected a table",
                "nothing: no such key",
            ]
        );
        assert_eq!(tree, book());
    }

    #[test]
    fn no_number_is_beyond_its_limits_wherever_it_stands() {
        let tree = parse("a = 10\nb = 11\n[c]\nd = [1, -11]\ne = [{ f = 12 }]\n").expect("TOML");
        let told: Vec<String> = bounded(&tree, &|path| if path == "c.d" { (0, 5) } else { (-10, 10) })
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            told,
            [
                "b: 11, expected -10 to 10",
                "c.d: -11, expected 0 to 5",
                "c.e.f: 12, expected -10 to 10",
            ]
        );
    }

    #[test]
    fn a_text_that_is_too_long_is_not_read() {
        let text = " ".repeat(limits::HOUSE_RULES_BYTES + 1);
        assert!(parse(&text).is_err_and(|problem| problem.to_string().contains("longer than")));
        assert!(parse(text.get(1..).unwrap_or_default()).is_ok());
    }
}
