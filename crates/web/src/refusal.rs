//! Why the host or a game says no to a game master, in the words of the page.

use crate::page::Page;
use crate::words::Words;
use host::HostError;
use host::account::AccountError;
use host::backup::Finding;
use host::desk::DeskError;
use host::ill::Ill;
use kernel::any::GameError;
use kernel::house::{Misfits, Problem};
use kernel::misread::Misread;
use render::locale::Wording;

/// The values that stand in the wording of a judgement that was not understood.
pub fn misread_values(misread: &Misread) -> Vec<(&'static str, String)> {
    let known = match misread {
        Misread::Unknown { known, .. } => known.clone(),
        _ => String::new(),
    };
    vec![("word", misread.subject().to_owned()), ("known", known)]
}

/// The values that stand in the wording of what the desk refuses.
pub fn desk_values(error: &DeskError) -> Vec<(&'static str, String)> {
    vec![("word", error.subject().to_owned())]
}

/// What a game says is wrong with a line, and what it expected there.
pub fn with_expected(words: Words, (text, expected): (String, String)) -> String {
    if expected.is_empty() {
        return text;
    }
    words.t2("editor.expected", "text", text, "expected", expected)
}

/// Whose words are asked for: the language, and the game if a world is in sight.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// The words.
    pub words: Words,
    /// The name of the game.
    pub game: Option<&'a str>,
}

impl<'a> From<&'a Page> for Reader<'a> {
    fn from(page: &'a Page) -> Self {
        Self {
            words: page.words,
            game: page.place.as_ref().map(|place| place.world.game.as_str()),
        }
    }
}

/// What is wrong with house rules.
pub fn misfits(words: Words, misfits: &Misfits) -> String {
    let told = misfits.0.iter().map(|problem| {
        if let Problem::Unreadable { message } = problem {
            return unreadable(words, message);
        }
        let expected = problem.expected().unwrap_or_default();
        let mut values = problem.values();
        values.push(("expected", words.of_code("misfit-expected", expected)));
        words.with(&format!("misfit.{}", problem.code()), &values)
    });
    told.collect::<Vec<_>>().join("; ")
}

/// The reader of TOML says only in a sentence of its own where it stopped, or which key has a value of another kind.
fn unreadable(words: Words, message: &str) -> String {
    let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    let place = message.split_once(" at line ").map(|(_, rest)| rest);
    if let Some((line, column)) = place.and_then(|rest| rest.split_once(", column ")) {
        return words.t2("misfit.syntax", "line", number(line), "column", number(column));
    }
    let key = message.rsplit_once(" in `").and_then(|(_, key)| key.strip_suffix('`'));
    match key {
        Some(key) => {
            let expected = words.of_code("misfit-expected", kind_wanted(message));
            words.t2("misfit.expected", "path", key, "expected", expected)
        }
        None => words.t1("misfit.unreadable", "message", message),
    }
}

/// Which kind of value a key wants, from the sentence that refuses another one.
fn kind_wanted(message: &str) -> &'static str {
    let wanted = message.rsplit_once("expected ").map_or("", |(_, wanted)| wanted);
    let is_one_of = |kinds: &[&str]| kinds.iter().any(|kind| wanted.starts_with(kind));
    match () {
        () if is_one_of(&["u8", "u16", "u32", "u64", "usize"]) => "a-whole-number-from-0",
        () if is_one_of(&["i8", "i16", "i32", "i64", "isize"]) => "a-whole-number",
        () if is_one_of(&["a boolean"]) => "true-or-false",
        () if is_one_of(&["a string"]) => "a-text",
        () if is_one_of(&["a sequence"]) => "a-list",
        () => "another-kind-of-value",
    }
}

fn misread(reader: Reader<'_>, misread: &Misread) -> String {
    match (misread, reader.game) {
        (Misread::House(why), _) => reader
            .words
            .t1("refusal.house-rules", "why", misfits(reader.words, why)),
        // What the game itself says about a line, in its own words.
        (Misread::Refused(finding), Some(game)) => {
            with_expected(reader.words, Wording::of(game, reader.words.language()).fault(finding))
        }
        _ => reader
            .words
            .with(&format!("misread.{}", misread.code()), &misread_values(misread)),
    }
}

/// Why something was refused; nothing if that is no business of whoever asked.
pub fn why<'a>(reader: impl Into<Reader<'a>>, error: &HostError) -> Option<String> {
    let reader: Reader<'_> = reader.into();
    let words = reader.words;
    Some(match error {
        HostError::Missing { missing } => words.t1("refusal.missing", "realms", missing),
        HostError::Over(_) => words.t("refusal.over"),
        HostError::NothingToTakeBack(_) => words.t("refusal.nothing-to-take-back"),
        HostError::UnknownJudgement { number, .. } => words.t1("refusal.unknown-judgement", "number", number),
        HostError::WorldExists(name) => words.t1("found.name-taken", "name", name),
        HostError::NotOpen { step, open } | HostError::AlreadyRun { step, open } => {
            words.t2("refusal.other-turn", "step", step, "open", open)
        }
        HostError::NotLast { step, last } => words.t2("refusal.not-last", "step", step, "last", last),
        HostError::NotDue { .. } => words.t("refusal.not-due"),
        HostError::Busy(_) => words.t("refusal.busy"),
        HostError::TooLarge { what, size, limit } => {
            let values = [
                ("what", words.of_code("large", what)),
                ("size", words.number(*size)),
                ("limit", words.number(*limit)),
            ];
            words.with("refusal.too-large", &values)
        }
        HostError::Desk(error) => words.with(&format!("refusal.{}", error.code()), &desk_values(error)),
        HostError::Membership(error) => words.of_code("refusal", error.code()),
        HostError::Account(AccountError::Unknown(name)) => words.t1("refusal.account-unknown", "name", name),
        HostError::Account(error) => words.of_code("mistake", error.code()),
        HostError::Game(error) => return by_game(reader, error),
        HostError::Malformed(why) => words.with(&format!("unfit.{}", why.code()), &why.values()),
        HostError::Broken(why) => broken(words, why),
        _ => return None,
    })
}

/// Something that is wrong with what is stored, in words.
pub fn ill(words: Words, ill: &Ill) -> String {
    words.with(&format!("ill.{}", ill.code()), &ill.values())
}

/// What an examination found, in words.
pub fn finding(words: Words, finding: &Finding) -> String {
    let what = ill(words, &finding.what);
    match finding.turn {
        Some(turn) => words.t2("ill.of-turn", "turn", turn, "what", what),
        None => what,
    }
}

/// A turn that trips over a law of its own game is halted, and whoever leads the world must know why.
fn broken(words: Words, why: &str) -> String {
    tracing::error!(why, "a law is broken");
    words.t1("refusal.broken", "why", why)
}

/// Why a game refused what it was given; nothing if that is no business of whoever asked.
pub fn by_game<'a>(reader: impl Into<Reader<'a>>, error: &GameError) -> Option<String> {
    let reader: Reader<'_> = reader.into();
    let words = reader.words;
    Some(match error {
        GameError::Judgement(unread) => misread(reader, unread),
        GameError::HouseRules(why) => words.t1("refusal.house-rules", "why", misfits(words, why)),
        GameError::Plan(why) => words.with(&format!("plan.{}", why.code()), &why.values()),
        GameError::NoSuchRealm(realm) => words.t1("refusal.no-such-realm", "realm", realm),
        GameError::Broken(why) => broken(words, why),
        GameError::Record(_) => return None,
    })
}
