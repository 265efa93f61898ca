//! Texts of the pages in German and English, from `locale/{de,en}/web.toml` and `web-*.toml`.
//!
//! A key is the name of its table and its own: `front.title`. Values stand in braces: `"Zug {step} von {name}"`. What
//! depends on a number has two texts, `.one` and `.other`, with `{count}` in them. Texts are plain: markup belongs into
//! templates. A page family may have a file of its own, `web-map.toml`; its tables must not be called like those of
//! reports (`section`, `heading`, `line`, `term`, `word`, `fault`).

use kernel::report::Arg;
use render::locale::{Language, Wording};
use std::fmt::Display;

/// A number of things. Templates hand over references, so those count too.
pub trait Count {
    /// How many.
    fn count(&self) -> i64;
}

macro_rules! count {
    ($($kind:ty)*) => {
        $(impl Count for $kind {
            fn count(&self) -> i64 {
                i64::try_from(*self).unwrap_or(i64::MAX)
            }
        })*
    };
}
count!(u8 u16 u32 u64 usize i32 i64);

impl<T: Count + ?Sized> Count for &T {
    fn count(&self) -> i64 {
        (**self).count()
    }
}

/// The texts in one language.
#[derive(Clone, Copy)]
pub struct Words {
    wording: &'static Wording,
}

impl Words {
    /// The texts in a language.
    pub fn of(language: Language) -> Self {
        Self {
            wording: Wording::of("web", language),
        }
    }

    /// Their language.
    pub fn language(self) -> Language {
        self.wording.language()
    }

    /// A text without values.
    pub fn t(self, key: &str) -> String {
        self.wording.text::<(&str, Arg<'_>)>(key, &[])
    }

    /// A text with one value.
    pub fn t1(self, key: &str, name: &str, value: impl Display) -> String {
        self.with(key, &[(name, value.to_string())])
    }

    /// A text with two values.
    pub fn t2(self, key: &str, name: &str, value: impl Display, name2: &str, value2: impl Display) -> String {
        self.with(key, &[(name, value.to_string()), (name2, value2.to_string())])
    }

    /// A text with values.
    pub fn with(self, key: &str, values: &[(&str, String)]) -> String {
        let args: Vec<(&str, Arg<'_>)> = values.iter().map(|(name, value)| (*name, Arg::Text(value))).collect();
        self.wording.text(key, &args)
    }

    /// A text that depends on a number: `key.one` or `key.other`, with the number as `{count}`.
    pub fn n(self, key: &str, count: impl Count) -> String {
        let count = count.count();
        let key = format!("{key}.{}", if count == 1 { "one" } else { "other" });
        self.with(&key, &[("count", self.number(count))])
    }

    /// The text for a code of an error, in a table of such texts.
    pub fn of_code(self, table: &str, code: &str) -> String {
        self.t(&format!("{table}.{code}"))
    }

    /// A sum in euros, from cents.
    pub fn money(self, cents: i64) -> String {
        let sign = if cents < 0 { "\u{2212}" } else { "" };
        let (whole, part) = (cents.unsigned_abs() / 100, cents.unsigned_abs() % 100);
        match self.language() {
            Language::German => format!("{sign}{},{part:02} €", self.number(whole)),
            Language::English => format!("{sign}€{}.{part:02}", self.number(whole)),
        }
    }

    /// A number with its digits in groups of three.
    pub fn number(self, number: impl Count) -> String {
        let number = number.count();
        let digits = number.unsigned_abs().to_string();
        let group = match self.language() {
            Language::German => '.',
            Language::English => ',',
        };
        let mut text = String::new();
        if number < 0 {
            text.push('\u{2212}');
        }
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(group);
            }
            text.push(digit);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// Every text of this crate's sources and templates that is the first argument of one of these calls.
    fn keys_used(folder: &Path, keys: &mut BTreeSet<(String, bool)>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                keys_used(&path, keys);
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            // Keys in tests and comments are examples.
            let source = source.split("#[cfg(test)]").next().unwrap();
            let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
            let source = lines.collect::<Vec<_>>().join("\n");
            for call in [
                ".t(\"",
                ".t1(\"",
                ".t2(\"",
                ".with(\"",
                ".n(\"",
                "Flash::good(\"",
                "Flash::bad(\"",
            ] {
                for part in source.split(call).skip(1) {
                    let key = part.split('"').next().unwrap();
                    // Without a dot it is the name of a value.
                    if key.contains('.') {
                        keys.insert((key.to_owned(), call == ".n(\""));
                    }
                }
            }
        }
    }

    #[test]
    fn every_text_that_is_used_exists_in_both_languages() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut keys = BTreeSet::new();
        keys_used(&root.join("src"), &mut keys);
        keys_used(&root.join("templates"), &mut keys);
        assert!(keys.len() > 20, "the search finds the texts: {keys:?}");
        for language in Language::ALL {
            let words = Words::of(language);
            for (key, counts) in &keys {
                let keys = if *counts {
                    vec![format!("{key}.one"), format!("{key}.other")]
                } else {
                    vec![key.clone()]
                };
                for key in keys {
                    assert_ne!(words.t(&key), key, "{} has no text {key}", language.code());
                }
            }
        }
    }

    #[test]
    fn every_chapter_of_a_rule_book_has_its_title_in_both_languages() {
        let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules");
        let mut chapters = BTreeSet::new();
        for entry in std::fs::read_dir(rules).unwrap().flatten() {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            let of_line = |line: &str| Some(line.strip_prefix("chapter = \"")?.strip_suffix('"')?.to_owned());
            chapters.extend(text.lines().filter_map(of_line));
        }
        assert!(chapters.len() > 20, "the search finds the chapters: {chapters:?}");
        for language in Language::ALL {
            for chapter in &chapters {
                let key = format!("chapter.{chapter}");
                assert_ne!(Words::of(language).t(&key), key, "{} has no {key}", language.code());
            }
        }
    }

    #[test]
    fn every_mistake_has_its_text_in_both_languages() {
        use host::account::AccountError as Account;
        use host::membership::MembershipError as Membership;
        let accounts = [
            Account::Unknown(String::new()),
            Account::BadName,
            Account::NameTaken,
            Account::BadMail,
            Account::MailTaken,
            Account::BadLanguage,
            Account::BadZone,
            Account::WrongLogin,
            Account::BadLink,
            Account::LastAdmin,
            Account::BadTokenName,
            Account::BadTokenEnd,
            Account::TooManyTokens,
        ];
        let memberships = [
            Membership::NotOpen,
            Membership::BadCode,
            Membership::SeatTaken,
            Membership::Full,
            Membership::AlreadyPlays,
            Membership::AlreadyLeads,
            Membership::NoMember,
            Membership::LastMaster,
            Membership::RealmNameTaken,
            Membership::MisleadingName,
            Membership::BadPeriod,
        ];
        let circle = memberships.iter().map(Membership::code);
        let codes = accounts.iter().map(Account::code).chain(circle.clone());
        let codes = codes.map(|code| ("mistake", code));
        // What a game master is told of others, of his desk and of his judgements.
        let desk = host::desk::DeskError::all().map(|error| error.code());
        let codes = codes.chain(circle.chain(desk).map(|code| ("refusal", code)));
        let meant = kernel::misread::Meant::ALL.map(kernel::misread::Meant::code);
        let unread = meant
            .into_iter()
            .chain(["expected", "incomplete", "unknown", "refused", "other"]);
        let unmade = kernel::worldgen::NoWorld::CODES.map(|code| ("plan", code));
        let unfit = host::unfit::Unfit::all().map(|unfit| ("unfit", unfit.code()));
        let ills = host::ill::Ill::all().map(|ill| ("ill", ill.code()));
        let large = host::error::TOO_LARGE.map(|what| ("large", what));
        let misfits = [
            "unreadable",
            "syntax",
            "unknown-key",
            "misspelt-key",
            "out-of-range",
            "expected",
        ];
        let codes = codes
            .chain(unfit)
            .chain(ills)
            .chain(large)
            .chain(misfits.map(|code| ("misfit", code)));
        for (table, code) in codes.chain(unread.map(|code| ("misread", code))).chain(unmade) {
            for language in Language::ALL {
                let key = format!("{table}.{code}");
                assert_ne!(
                    Words::of(language).t(&key),
                    key,
                    "{} has no text for it",
                    language.code()
                );
            }
        }
    }

    #[test]
    fn numbers_are_grouped_as_the_language_does() {
        let (german, english) = (Words::of(Language::German), Words::of(Language::English));
        assert_eq!(german.number(999_i64), "999");
        assert_eq!(german.number(1_000_u32), "1.000");
        assert_eq!(english.number(1_234_567_usize), "1,234,567");
        assert_eq!(german.number(-1_000_i64), "\u{2212}1.000");
        assert_eq!(german.number(i64::MIN), "\u{2212}9.223.372.036.854.775.808");
    }
}
