//! Why the host or a game says no to a game master, in the words of the page.

use crate::page::Page;
use crate::words::Words;
use host::HostError;
use host::account::AccountError;
use host::desk::DeskError;
use kernel::any::GameError;
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
pub fn with_expected(page: &Page, (text, expected): (String, String)) -> String {
    if expected.is_empty() {
        return text;
    }
    page.t2("editor.expected", "text", text, "expected", expected)
}

fn misread(page: &Page, misread: &Misread) -> String {
    match (misread, &page.place) {
        // What the game itself says about a line, in its own words.
        (Misread::Refused(finding), Some(place)) => {
            let wording = Wording::of(&place.world.game, page.words.language());
            with_expected(page, wording.fault(finding))
        }
        _ => page
            .words
            .with(&format!("misread.{}", misread.code()), &misread_values(misread)),
    }
}

/// Why something was refused; nothing if that is no business of whoever asked.
pub fn why(page: &Page, error: &HostError) -> Option<String> {
    let words: Words = page.words;
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
        HostError::TooLarge { size, limit, .. } => {
            let (size, limit) = (words.number(*size), words.number(*limit));
            words.t2("refusal.too-large", "size", size, "limit", limit)
        }
        HostError::Desk(error) => words.with(&format!("refusal.{}", error.code()), &desk_values(error)),
        HostError::Membership(error) => words.of_code("refusal", error.code()),
        HostError::Account(AccountError::Unknown(name)) => words.t1("refusal.account-unknown", "name", name),
        HostError::Account(error) => words.of_code("mistake", error.code()),
        HostError::Game(error) => return by_game(page, error),
        HostError::Malformed(why) => words.t1("refusal.malformed", "why", why),
        HostError::Broken(why) => broken(words, why),
        _ => return None,
    })
}

/// A turn that trips over a law of its own game is halted, and whoever leads the world must know why.
fn broken(words: Words, why: &str) -> String {
    tracing::error!(why, "a law is broken");
    words.t1("refusal.broken", "why", why)
}

/// Why a game refused what it was given; nothing if that is no business of whoever asked.
pub fn by_game(page: &Page, error: &GameError) -> Option<String> {
    let words: Words = page.words;
    Some(match error {
        GameError::Judgement(unread) => misread(page, unread),
        GameError::HouseRules(why) => words.t1("refusal.house-rules", "why", why),
        GameError::Plan(why) => words.with(&format!("plan.{}", why.code()), &why.values()),
        GameError::NoSuchRealm(realm) => words.t1("refusal.no-such-realm", "realm", realm),
        GameError::Broken(why) => broken(words, why),
        GameError::Record(_) => return None,
    })
}
