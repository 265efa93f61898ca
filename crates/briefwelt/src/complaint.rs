//! What the program says when something does not work, and the exit code that goes with it. Errors are values; the words for them stand in
//! `locale/*/program-errors.toml`, those of the host and the games for people in `web-refusal.toml`.

use crate::cli::Lang;
use crate::output::FoundWrong;
use crate::press;
use crate::words::Words;
use host::HostError;
use host::damage::Damage;
use host::error::Occupied;
use kernel::any::GameError;
use kernel::diagnostic::{Diagnostic, Span};
use kernel::realm::Viewer;
use render::locale::Wording;
use std::fmt::{self, Display};
use std::io;
use web::refusal;

/// Worlds that a question names; a host with more is asked for its list.
const NAMED: usize = 8;

/// Something that the program itself does not do: the key of its wording, the values in it, and the exit code.
#[derive(Clone, Debug)]
pub struct Complaint {
    key: &'static str,
    values: Vec<(&'static str, String)>,
    /// What was found in a file, if that is what it is about.
    findings: Option<Findings>,
    code: u8,
}

/// Findings about a file, in the words of a game.
#[derive(Clone, Debug)]
struct Findings {
    game: &'static str,
    file: String,
    list: Vec<Diagnostic>,
}

impl Complaint {
    /// Something that is not in the expected form.
    pub fn new(key: &'static str) -> Self {
        Self {
            key,
            values: Vec::new(),
            findings: None,
            code: 8,
        }
    }

    /// With another exit code.
    #[must_use]
    pub fn code(mut self, code: u8) -> Self {
        self.code = code;
        self
    }

    /// With a value.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Display) -> Self {
        self.values.push((name, value.to_string()));
        self
    }

    /// Findings about the lines of a file, each said with its place.
    pub fn about(game: &'static str, file: &str, findings: impl Iterator<Item = Diagnostic>) -> Self {
        Self {
            findings: Some(Findings {
                game,
                file: file.to_owned(),
                list: findings.collect(),
            }),
            ..Self::new("finding")
        }
    }
}

/// For the log; people are told in words.
impl Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)?;
        self.values
            .iter()
            .try_for_each(|(name, value)| write!(f, " {name}={value:?}"))?;
        let findings = self.findings.iter().flat_map(|found| &found.list);
        findings
            .map(|finding| (finding.span.line, &finding.code))
            .try_for_each(|(line, code)| write!(f, " {line}:{code}"))
    }
}

impl std::error::Error for Complaint {}

/// The exit code of an error.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<FoundWrong>() {
        1
    } else if let Some(complaint) = error.downcast_ref::<Complaint>() {
        complaint.code
    } else if let Some(error) = error.downcast_ref::<HostError>() {
        error.exit_code()
    } else if let Some(error) = error.downcast_ref::<GameError>() {
        HostError::Game(error.clone()).exit_code()
    } else if let Some(error) = error.downcast_ref::<io::Error>() {
        HostError::file("-".as_ref(), error.kind().into()).exit_code()
    } else {
        6
    }
}

/// An error in words.
pub fn told(error: &anyhow::Error, lang: Lang) -> String {
    let words = Words::in_language(lang);
    if let Some(complaint) = error.downcast_ref::<Complaint>() {
        let values: Vec<(&str, &dyn Display)> = complaint
            .values
            .iter()
            .map(|(name, value)| (*name, value as &dyn Display))
            .collect();
        let key = format!("complaint.{}", complaint.key);
        let Some(found) = &complaint.findings else {
            return words.help_with(&key, &values);
        };
        let wording = Wording::of(found.game, press::language(lang));
        let told = found.list.iter().map(|finding| {
            let (text, expected) = wording.fault(finding);
            let Span { line, column, .. } = finding.span;
            let file = &found.file;
            words.help_with(
                &key,
                &[
                    ("file", file),
                    ("line", &line),
                    ("column", &column),
                    ("text", &text),
                    ("expected", &expected),
                ],
            )
        });
        told.collect::<Vec<_>>().join("\n")
    } else if let Some(error) = error.downcast_ref::<HostError>() {
        by_host(error, lang)
    } else if let Some(error) = error.downcast_ref::<GameError>() {
        by_host(&HostError::Game(error.clone()), lang)
    } else if let Some(error) = error.downcast_ref::<io::Error>() {
        words.help_with("complaint.standard-output", &[("why", &of_file(error, words))])
    } else {
        words.help_with("error.other", &[("detail", &format!("{error:#}"))])
    }
}

/// What the host says no to.
fn by_host(error: &HostError, lang: Lang) -> String {
    let words = Words::in_language(lang);
    let with = |key: &str, values: &[(&str, &dyn Display)]| words.help_with(&format!("error.{key}"), values);
    match error {
        HostError::NoStore(path) => with("no-store", &[("path", &path.display())]),
        HostError::UnknownWorld(world) => with("unknown-world", &[("world", world)]),
        HostError::WhichWorld(worlds) if worlds.is_empty() => with("no-world", &[]),
        HostError::WhichWorld(worlds) if worlds.len() <= NAMED => {
            with("which-world", &[("worlds", &worlds.join(", "))])
        }
        HostError::WhichWorld(worlds) => with("which-of-many", &[("count", &worlds.len())]),
        HostError::UnknownGame { name, known } => with("unknown-game", &[("game", name), ("known", known)]),
        HostError::UnknownRealm { world, realm } => with("unknown-realm", &[("world", world), ("realm", realm)]),
        HostError::UnknownRealmName { world, name } => with("unknown-realm-name", &[("world", world), ("realm", name)]),
        HostError::UnknownRule(rule) => with("unknown-rule", &[("rule", rule)]),
        HostError::UnknownStep {
            whom,
            step,
            first,
            last,
        } => {
            let turn: [(&str, &dyn Display); 3] = [("turn", step), ("first", first), ("last", last)];
            match whom {
                Some(Viewer::Realm(realm)) => with("unknown-step-realm", &[&turn[..], &[("realm", realm)]].concat()),
                Some(Viewer::GameMaster) => with("unknown-step-master", &turn),
                None => with("unknown-step", &turn),
            }
        }
        HostError::WorldExists(world) => with("world-exists", &[("world", world)]),
        HostError::SameWorld(world) => with("same-world", &[("world", world)]),
        HostError::AlreadyRun { step, open } => with("already-run", &[("turn", step), ("open", open)]),
        HostError::NotOpen { step, open } => with("not-open", &[("turn", step), ("open", open)]),
        HostError::Over(world) => with("over", &[("world", world)]),
        HostError::NotClosed(world) => with("not-closed", &[("world", world)]),
        HostError::Missing { missing } => with("missing", &[("realms", missing)]),
        HostError::NotDue { realm, step } => with("not-due", &[("realm", realm), ("turn", step)]),
        HostError::Late { step, .. } => with("late", &[("turn", step)]),
        HostError::BrokenArchive(flaw) => {
            let flaw = words.help_with(&format!("flaw.{}", flaw.code()), &[("subject", &flaw.subject())]);
            with("broken-archive", &[("flaw", &flaw)])
        }
        HostError::Repeated => with("repeated", &[]),
        HostError::File { path, reason } => {
            with("file", &[("file", &path.display()), ("why", &of_file(reason, words))])
        }
        HostError::DiskFull => with("disk-full", &[]),
        HostError::Busy(Occupied::Database) => with("busy-database", &[]),
        HostError::Busy(Occupied::Connections) => with("busy-connections", &[]),
        HostError::Busy(Occupied::World(world)) => with("busy-world", &[("world", world)]),
        HostError::Damaged(damage) => damaged(damage, words),
        HostError::TooNew(detail) => with("too-new", &[("detail", detail)]),
        HostError::NotEmpty => with("not-empty", &[]),
        HostError::Database(detail) => with("database", &[("detail", detail)]),
        HostError::Broken(detail) => with("broken", &[("detail", detail)]),
        HostError::Game(GameError::Record(said)) => damaged(&Damage::Other(said.to_string()), words),
        HostError::Letter(why) => with("letter", &[("code", &why.code())]),
        // The rest is said as on pages.
        other => {
            let reader = refusal::Reader {
                words: press::words(lang),
                game: None,
            };
            refusal::why(reader, other).unwrap_or_else(|| with("other", &[("detail", other)]))
        }
    }
}

/// What is wrong with the database, and what can be done.
fn damaged(damage: &Damage, words: Words) -> String {
    let values = damage.values();
    let values: Vec<(&str, &dyn Display)> = values
        .iter()
        .map(|(name, value)| (*name, value as &dyn Display))
        .collect();
    let what = words.help_with(&format!("damage.{}", damage.code()), &values);
    words.help_with("error.damaged", &[("what", &what)])
}

/// What the system says of a file, as far as it is something that people meet; else in its own words.
pub fn of_file(error: &io::Error, words: Words) -> String {
    let key = match error.kind() {
        _ if host::error::is_full(error) => "full",
        io::ErrorKind::NotFound => "missing",
        io::ErrorKind::PermissionDenied => "forbidden",
        io::ErrorKind::IsADirectory => "folder",
        io::ErrorKind::NotADirectory => "no-folder",
        io::ErrorKind::AlreadyExists => "exists",
        io::ErrorKind::InvalidInput => "not-ordinary",
        io::ErrorKind::AddrInUse => "taken",
        io::ErrorKind::ReadOnlyFilesystem => "read-only",
        _ => return error.to_string(),
    };
    words.help(&format!("file.{key}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::unfit::{Flaw, Unfit};
    use kernel::house::{Misfits, Problem};
    use std::path::PathBuf;

    /// An error of every kind that the command line can meet.
    fn every() -> Vec<HostError> {
        let text = || "x".to_owned();
        let realm = kernel::realm::RealmId(3);
        let mut errors = vec![
            HostError::NoStore(PathBuf::from("x")),
            HostError::UnknownWorld(text()),
            HostError::WhichWorld(Vec::new()),
            HostError::WhichWorld(vec![text(); 2]),
            HostError::WhichWorld(vec![text(); 20]),
            HostError::UnknownGame {
                name: text(),
                known: text(),
            },
            HostError::UnknownRealm { world: text(), realm },
            HostError::UnknownRealmName {
                world: text(),
                name: text(),
            },
            HostError::UnknownRule(text()),
            HostError::UnknownJudgement { number: 1, step: 1 },
            HostError::WorldExists(text()),
            HostError::SameWorld(text()),
            HostError::NotLast { step: 1, last: 2 },
            HostError::AlreadyRun { step: 1, open: 2 },
            HostError::NotOpen { step: 2, open: 1 },
            HostError::Over(text()),
            HostError::NothingToTakeBack(text()),
            HostError::NotClosed(text()),
            HostError::Missing { missing: text() },
            HostError::NotDue { realm, step: 1 },
            HostError::Late { step: 1, due_at: 0 },
            HostError::Repeated,
            HostError::file("x".as_ref(), io::ErrorKind::NotFound.into()),
            HostError::DiskFull,
            HostError::Busy(Occupied::Database),
            HostError::Busy(Occupied::Connections),
            HostError::Busy(Occupied::World(text())),
            HostError::TooNew(text()),
            HostError::NotEmpty,
            HostError::Database(text()),
            HostError::Broken(text()),
            HostError::Game(GameError::NoSuchRealm(realm)),
            HostError::Game(GameError::Broken(text())),
        ];
        let viewers = [None, Some(Viewer::GameMaster), Some(Viewer::Realm(realm))];
        errors.extend(viewers.map(|whom| HostError::UnknownStep {
            whom,
            step: 7,
            first: 0,
            last: 3,
        }));
        errors.extend(Damage::all().map(HostError::Damaged));
        errors.extend(Flaw::all().map(HostError::BrokenArchive));
        errors.extend(Unfit::all().map(HostError::Malformed));
        errors.extend(host::error::TOO_LARGE.map(|what| HostError::TooLarge {
            what,
            size: 2,
            limit: 1,
        }));
        let path = || "combat.x".to_owned();
        let problems = [
            Problem::Unreadable { message: text() },
            Problem::UnknownKey {
                path: path(),
                meant: None,
            },
            Problem::UnknownKey {
                path: path(),
                meant: Some(text()),
            },
            Problem::WrongShape {
                path: path(),
                expected: "a-table",
            },
            Problem::OutOfRange {
                path: path(),
                value: 3,
                min: 1,
                max: 2,
            },
        ];
        errors.extend(problems.map(|problem| HostError::Game(GameError::HouseRules(Misfits(vec![problem])))));
        errors
    }

    #[test]
    fn every_error_has_words_in_both_languages() {
        for error in every() {
            let (german, english) = (by_host(&error, Lang::De), by_host(&error, Lang::En));
            assert_ne!(german, english, "{error:?}");
            for told in [german, english] {
                // What has no words is told by its key and values.
                let bare = ["error.", "damage.", "flaw.", "unfit.", "large.", "refusal.", "misfit"]
                    .iter()
                    .any(|key| told.contains(key));
                assert!(!bare && !told.contains('{'), "{error:?}: {told}");
            }
        }
    }

    #[test]
    fn a_file_that_the_disk_has_no_room_for_says_nothing_about_the_world() {
        let error = HostError::file("post/ERGEBNIS.TXT".as_ref(), io::ErrorKind::StorageFull.into());
        assert_eq!(error.exit_code(), 10);
        assert_eq!(
            by_host(&error, Lang::De),
            "post/ERGEBNIS.TXT: auf dem Datenträger ist kein Platz mehr"
        );
    }

    #[test]
    fn every_contradiction_of_house_rules_is_told_in_both_languages() {
        let games = games::games();
        for (game, rules) in [
            ("thoramar", "[world"),
            ("thoramar", "[world]\ncolumns = -1"),
            ("thoramar", "[world]\ncolumns = \"x\""),
            ("thoramar", "[combat]\nluck_spread_pct = 3.5"),
            ("thoramar", "[world]\ncolumns = 4000\nrows = 4000"),
            ("thoramar", "[world]\nrows = 12\nunknown_rows_each_pole = 6"),
            (
                "thoramar",
                "[world]\ntropic_max_lat_pct = 90\ntemperate_max_lat_pct = 10",
            ),
            ("thoramar", "[world]\ncapital_terrain = \"was\""),
            ("thoramar", "[culture]\nsteps = []"),
            ("thoramar", "[realm.x]"),
            ("thoramar", "realm = 3"),
            ("thoramar", "[realm.3.world]\ncolumns = 40"),
            ("pygma-isis", "[mine]\ngold_yield = [1]"),
            ("pygma-isis", "[trade]\ncarry_over_divisor = 0"),
            ("pygma-isis", "[start]\npeoples = []"),
            ("pygma-isis", "[money]\npayment_order = []"),
            ("pygma-isis", "[map]\ncolumn_lengths = [3, 9]"),
            ("pygma-isis", "[map]\nlayout = \"custom\""),
            ("armageddon", "figure = 3"),
        ] {
            let game = games.iter().find(|known| known.name() == game).expect("a game");
            let error = game.check_house_rules(rules).expect_err(rules);
            let error = HostError::Game(error);
            let (german, english) = (by_host(&error, Lang::De), by_host(&error, Lang::En));
            assert!(
                !german.contains("misfit") && !english.contains("misfit"),
                "{rules}: {german}"
            );
            assert_ne!(german, english, "{rules}");
        }
    }

    #[test]
    fn a_value_of_another_kind_is_told_with_its_key_and_what_belongs_there() {
        let games = games::games();
        let game = games.iter().find(|known| known.name() == "thoramar").expect("a game");
        for (rules, told) in [
            ("\n[world", "Zeile 2, Spalte 7: so wird TOML nicht geschrieben"),
            (
                "[world]\ncolumns = -1",
                "world.columns: hier steht eine ganze Zahl von 0 an",
            ),
            (
                "[world]\ncolumns = \"x\"",
                "world.columns: hier steht eine ganze Zahl von 0 an",
            ),
            (
                "[combat]\nluck_spread_pct = 3.5",
                "combat.luck_spread_pct: hier steht eine ganze Zahl",
            ),
        ] {
            let error = HostError::Game(game.check_house_rules(rules).expect_err(rules));
            assert!(
                by_host(&error, Lang::De).ends_with(told),
                "{rules}: {}",
                by_host(&error, Lang::De)
            );
        }
    }
}
