//! The record of a world in words: the host notes deeds with bare values, a reader wants a sentence.

use crate::page::Page;
use crate::time;
use crate::words::Words;
use host::desk::Deed;
use kernel::realm::RealmId;
use std::collections::BTreeMap;
use std::fmt::Display;

/// The values of a detail: what follows a name such as `turn` or `realm`.
struct Values<'a>(&'a str);

impl<'a> Values<'a> {
    /// The word after a name, without what punctuation clings to it.
    fn word(&self, name: &str) -> &'a str {
        self.rest(name)
            .split(' ')
            .next()
            .unwrap_or_default()
            .trim_end_matches([':', ','])
    }

    /// Everything after a name.
    fn rest(&self, name: &str) -> &'a str {
        let mut from = 0;
        for word in self.0.split(' ') {
            let end = from + word.len();
            if word == name {
                return self.0.get(end + 1..).unwrap_or_default();
            }
            from = end + 1;
        }
        ""
    }

    /// What stands behind a colon.
    fn behind(&self) -> &'a str {
        self.0.split_once(": ").map_or("", |(_, rest)| rest)
    }
}

impl Page {
    /// A deed of the record as a sentence, in the reader's language and time zone.
    pub fn told(&self, deed: &Deed, names: &BTreeMap<RealmId, String>) -> String {
        let teller = Teller {
            words: self.words,
            zone: self.time_zone(),
        };
        teller.told(deed, names)
    }
}

/// Whoever tells of deeds: on pages and at the command line.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    /// In which language.
    pub words: Words,
    /// In which time zone.
    pub zone: &'a str,
}

impl Teller<'_> {
    fn t(&self, key: &str) -> String {
        self.words.t(key)
    }

    fn t1(&self, key: &str, name: &str, value: impl Display) -> String {
        self.words.t1(key, name, value)
    }

    fn t2(&self, key: &str, name: &str, value: impl Display, name2: &str, value2: impl Display) -> String {
        self.words.t2(key, name, value, name2, value2)
    }

    /// Days without deadlines, noted as `2026-12-24 – 2027-01-06 Weihnachten`.
    fn days(&self, noted: &str) -> String {
        let Some((first, rest)) = noted.split_once(" – ") else {
            return noted.to_owned();
        };
        let (last, why) = rest.split_once(' ').unwrap_or((rest, ""));
        let days = time::days(self.words, first, last);
        if why.is_empty() { days } else { format!("{days}, {why}") }
    }

    /// A deed of the record as a sentence; one that has none is told as it is noted. Realms are called by the names that the
    /// reader knows, the others by their numbers.
    pub fn told(&self, deed: &Deed, names: &BTreeMap<RealmId, String>) -> String {
        let values = Values(&deed.detail);
        let turn = values.word("turn");
        let realm = called(values.word("realm"), names);
        let realm = realm.as_str();
        let number = values.word("number");
        match deed.deed.as_str() {
            "world made" => self.t1("record.world-made", "count", self.first_word(&deed.detail)),
            "world imported" => self.t("record.world-imported"),
            "world closed" => self.t("record.world-closed"),
            "world changed" => self.t2("record.world-changed", "turn", turn, "count", values.word("changes")),
            "turn run" => match values.word("digest") {
                "" => self.t1("record.turn-published", "turn", turn),
                digest => self.t2("record.turn-run", "turn", turn, "digest", short(digest)),
            },
            "turn taken back" => self.t2("record.turn-taken-back", "turn", turn, "reason", values.behind()),
            "trial run" => self.t1("record.trial-run", "turn", turn),
            "edict" => self.t2("record.edict", "turn", turn, "number", number),
            "answer" => self.t2("record.answer", "turn", turn, "request", values.rest(number)),
            "judgement taken back" => self.t2("record.judgement-taken-back", "turn", turn, "number", number),
            "orders taken in" => self.t2("record.orders", "realm", realm, "turn", turn),
            "chased" if !realm.is_empty() => self.t2("record.chased-realm", "turn", turn, "realm", realm),
            "chased" => self.t1("record.chased", "turn", turn),
            "deadline passed" => self.t1("record.deadline-passed", "turn", turn),
            "deadline set" => match values.word("at").parse::<i64>() {
                Ok(at) => self.t2(
                    "record.deadline-set",
                    "turn",
                    turn,
                    "when",
                    time::moment(self.words, self.zone, at),
                ),
                Err(_) => self.t1("record.deadline-none", "turn", turn),
            },
            "rhythm" => self.t("record.rhythm"),
            "policy" => self.t("record.policy"),
            "pause" => self.t1("record.pause", "days", self.days(&deed.detail)),
            "pause taken back" => self.t1("record.pause-taken-back", "days", self.days(&deed.detail)),
            "absence" => match (values.word("from").parse::<i64>(), values.word("until").parse::<i64>()) {
                (Ok(from), Ok(until)) => {
                    let days = time::stretch(self.words, self.zone, from, until);
                    self.t2("record.absence-days", "realm", realm, "days", days)
                }
                // As it was noted once.
                _ => self.t1("record.absence", "realm", realm),
            },
            "absence taken back" => self.t1("record.absence-taken-back", "realm", realm),
            "miss excused" => self.t2("record.excused", "turn", turn, "realm", realm),
            "miss not excused" => self.t2("record.not-excused", "turn", turn, "realm", realm),
            "computer stands in" => self.t1("record.computer-stands-in", "realm", realm),
            "seat handed over" => self.t2("record.handed-over", "realm", realm, "player", values.rest("to")),
            "seat taken" => self.t2("record.seat-taken", "realm", realm, "player", values.rest("by")),
            "seat vacated" | "player left" => self.t1("record.seat-free", "realm", realm),
            "stand-in" => self.t2("record.stand-in", "realm", realm, "player", values.rest("by")),
            "stand-in ended" => self.t2("record.stand-in-ended", "realm", realm, "player", values.rest("by")),
            "game master" => self.t1("record.master", "name", &deed.detail),
            "game master left" => self.t1("record.master-left", "name", &deed.detail),
            "admission" => match deed.detail.as_str() {
                "public" => self.t("record.admission-public"),
                "invitation" => self.t("record.admission-invitation"),
                _ => self.t("record.admission-closed"),
            },
            "invited" => self.t1("record.invited", "note", &deed.detail),
            "invitation taken back" => self.t1("record.invitation-taken-back", "note", &deed.detail),
            "announcement" => self.t1("record.announced", "title", &deed.detail),
            "booking" => {
                let cents = values.behind();
                let (cents, reason) = cents.split_once(" cents, ").unwrap_or((cents, ""));
                let sum = cents
                    .parse()
                    .map_or_else(|_| cents.to_owned(), |cents: i64| self.words.money(cents));
                self.words.with(
                    "record.booked",
                    &[("realm", realm.to_owned()), ("sum", sum), ("reason", reason.to_owned())],
                )
            }
            "letter passed" => self.t1("record.letter-passed", "realm", realm),
            "letter turned back" => self.t2("record.letter-turned-back", "realm", realm, "reason", values.behind()),
            "complaint answered" => self.t2("record.complaint-answered", "realm", realm, "answer", values.behind()),
            "letters stopped" => self.t1("record.letters-stopped", "realm", realm),
            "letters allowed" => self.t1("record.letters-allowed", "realm", realm),
            "custom of letters" => self.t("record.custom"),
            "newspaper printed" => self.t1("record.printed", "issue", values.word("issue")),
            other => self.t2("record.other", "deed", other, "detail", &deed.detail),
        }
    }

    fn first_word<'a>(&self, text: &'a str) -> &'a str {
        text.split(' ').next().unwrap_or_default()
    }
}

/// The judgement that a deed is about, by turn and number.
pub fn judgement(deed: &Deed) -> Option<(u32, u32)> {
    let values = Values(&deed.detail);
    match deed.deed.as_str() {
        "edict" | "answer" | "world changed" | "judgement taken back" => {
            Some((values.word("turn").parse().ok()?, values.word("number").parse().ok()?))
        }
        _ => None,
    }
}

/// A realm by its name and number, or by its number alone.
fn called(number: &str, names: &BTreeMap<RealmId, String>) -> String {
    let name = number.parse().ok().and_then(|number| names.get(&RealmId(number)));
    name.map_or_else(|| number.to_owned(), |name| format!("{name} ({number})"))
}

/// The beginning of a digest, enough to recognise it.
fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_realm_is_called_by_its_name_if_the_reader_knows_it() {
        let names = BTreeMap::from([(RealmId(7), "Greif".to_owned())]);
        assert_eq!(called("7", &names), "Greif (7)");
        assert_eq!(called("8", &names), "8");
        assert_eq!(called("", &names), "");
    }

    #[test]
    fn values_are_found_by_their_names() {
        let values = Values("realm 3 turn 12 receipt abc");
        assert_eq!(
            (values.word("realm"), values.word("turn"), values.word("receipt")),
            ("3", "12", "abc")
        );
        assert_eq!(values.word("number"), "");
        assert_eq!(Values("turn 4: zu früh").word("turn"), "4");
        assert_eq!(Values("turn 4: zu früh: ja").behind(), "zu früh: ja");
        assert_eq!(Values("realm 2 to Mira von Thal").rest("to"), "Mira von Thal");
        // A name at the end of a detail has no value; letters of more than one byte are no trap.
        assert_eq!(Values("Jürgen turn").word("turn"), "");
    }
}
