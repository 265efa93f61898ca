//! What a piece can do, by kind. A few deeds are all shown at once; of many, a kind with more than a handful is folded until it is asked for.
//!
//! What is shown in the list is also what shines on the board, so that a wizard who could enchant every field does not light all of them.

use super::table::{OfferView, Says, part};
use kernel::board::{Offer, STEPS, TOGETHER};
use kernel::codec::Digest;
use kernel::map::Spot;
use kernel::report::Term;

/// From more deeds than this on, large kinds are folded.
const MANY: usize = 24;
/// A kind of no more deeds than this is always shown.
const FEW: usize = 6;
/// Characters of words that stand side by side instead of one below the other.
const SHORT: usize = 30;

/// Deeds of a kind.
pub struct Kind {
    /// What they are called.
    pub name: String,
    /// Those that are shown.
    pub sorts: Vec<Sort>,
    /// Those that are folded.
    pub folds: Vec<Fold>,
}

/// Deeds of one sort within their kind.
pub struct Sort {
    /// What they are called; empty if the kind has no sorts.
    pub name: String,
    /// Whether their words are few, so that they stand side by side.
    pub compact: bool,
    /// The deeds.
    pub offers: Vec<OfferView>,
}

/// A sort that is not shown until it is asked for.
pub struct Fold {
    /// What it is called.
    pub name: String,
    /// How many deeds there are.
    pub count: usize,
    /// Where they are shown.
    pub href: String,
}

/// What a sort of deeds is known by in addresses, in any language.
pub(super) fn code(offer: &Offer) -> String {
    let text = serde_json::to_vec(&(&offer.group, &offer.sort)).unwrap_or_default();
    Digest::of(&text).to_string().chars().take(10).collect()
}

/// The deeds of one piece, and which kind of them was asked for.
pub(super) struct Choice<'a> {
    offers: Vec<(String, &'a Offer)>,
    asked: &'a str,
}

impl<'a> Choice<'a> {
    /// All deeds; `asked` is the code of the kind that was asked for, if it is one of theirs.
    pub(super) fn new(offers: &'a [Offer], asked: &'a str) -> Self {
        let offers: Vec<(String, &Offer)> = offers.iter().map(|offer| (code(offer), offer)).collect();
        let known = offers.iter().any(|(code, _)| code == asked);
        Self {
            offers,
            asked: if known { asked } else { "" },
        }
    }

    /// The kind that was asked for; empty if none was.
    pub(super) fn asked(&self) -> &'a str {
        self.asked
    }

    fn count(&self, code: &str) -> usize {
        self.offers.iter().filter(|(of, _)| of == code).count()
    }

    fn is_shown(&self, code: &str, offer: &Offer) -> bool {
        if !self.asked.is_empty() {
            return code == self.asked;
        }
        if offer.group == TOGETHER {
            return false;
        }
        self.offers.len() <= MANY || offer.group == STEPS || self.count(code) <= FEW
    }

    /// The deeds that are shown.
    pub(super) fn shown(&self) -> Vec<&'a Offer> {
        let shown = self.offers.iter().filter(|(code, offer)| self.is_shown(code, offer));
        shown.map(|(_, offer)| *offer).collect()
    }

    /// Everything that can be done at a field, of the kind that was asked for.
    pub(super) fn here(&self, says: &Says<'_>, here: Option<Spot>) -> Option<Sort> {
        let wanted = |code: &str, offer: &Offer| match self.asked {
            "" => offer.group != TOGETHER,
            asked => code == asked,
        };
        let there = self
            .offers
            .iter()
            .filter(|(code, offer)| wanted(code, offer) && is_here(says, offer, here));
        let offers: Vec<OfferView> = there.map(|(_, offer)| says.offer(offer)).collect();
        (!offers.is_empty()).then(|| sort(String::new(), offers))
    }

    /// The kinds in the order in which they come first, the one that was asked for before all others. What can be done at the open field
    /// stands by itself and is not repeated.
    pub(super) fn kinds(&self, says: &Says<'_>, here: Option<Spot>) -> Vec<Kind> {
        let mut groups: Vec<&str> = Vec::new();
        for (_, offer) in &self.offers {
            if !groups.contains(&&*offer.group) {
                groups.push(&offer.group);
            }
        }
        groups.sort_by_key(|group| {
            let wanted = |(code, offer): &(String, &Offer)| code == self.asked && offer.group == **group;
            !self.offers.iter().any(wanted)
        });
        let kinds = groups.into_iter().map(|group| self.kind(says, group, here));
        kinds
            .filter(|kind| !kind.sorts.is_empty() || !kind.folds.is_empty())
            .collect()
    }

    fn kind(&self, says: &Says<'_>, group: &str, here: Option<Spot>) -> Kind {
        let mut kind = Kind {
            name: says.reader.word(group),
            sorts: Vec::new(),
            folds: Vec::new(),
        };
        let mut codes: Vec<(&str, &Offer)> = Vec::new();
        for (code, offer) in self.offers.iter().filter(|(_, offer)| offer.group == group) {
            if !codes.iter().any(|(of, _)| of == code) {
                codes.push((code, offer));
            }
        }
        for (code, first) in codes {
            let name = |sort: &Term| says.reader.wording.term_text(sort);
            let name = first.sort.as_ref().map(name).unwrap_or_default();
            if self.is_shown(code, first) {
                let all = self
                    .offers
                    .iter()
                    .filter(|(of, offer)| of == code && !is_here(says, offer, here));
                let offers: Vec<OfferView> = all.map(|(_, offer)| says.offer(offer)).collect();
                if !offers.is_empty() {
                    kind.sorts.push(sort(name, offers));
                }
            } else {
                kind.folds.push(Fold {
                    name: if name.is_empty() {
                        says.page.t("board.show-kind")
                    } else {
                        name
                    },
                    count: self.count(code),
                    href: format!("{}?figur={}&art={code}#tafel", says.base, part(says.piece)),
                });
            }
        }
        kind
    }
}

fn is_here(says: &Says<'_>, offer: &Offer, here: Option<Spot>) -> bool {
    let at = offer.place.as_deref().and_then(|place| says.level(place));
    here.is_some() && here == at.map(|level| level.at)
}

fn sort(name: String, offers: Vec<OfferView>) -> Sort {
    let short = |offer: &OfferView| offer.odds.is_empty() && offer.label.chars().count() <= SHORT;
    Sort {
        name,
        compact: offers.iter().all(short),
        offers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::diagnostic::Name;

    fn offer(group: &'static str, sort: Option<&'static str>, line: &str) -> Offer {
        let term = |key: &'static str| Term {
            key: Name::Borrowed(key),
            args: Vec::new(),
        };
        Offer {
            label: term("a"),
            group: Name::Borrowed(group),
            sort: sort.map(term),
            place: None,
            target: None,
            line: line.to_owned(),
            rolls: false,
            chances: Vec::new(),
        }
    }

    fn many() -> Vec<Offer> {
        let mut list: Vec<Offer> = (0..8).map(|n| offer(STEPS, None, &format!("go {n}"))).collect();
        list.extend((0..20).map(|n| offer("spell", Some("weaken"), &format!("weaken {n}"))));
        list.extend((0..2).map(|n| offer("spell", Some("calm"), &format!("calm {n}"))));
        list
    }

    #[test]
    fn of_many_deeds_steps_and_small_kinds_are_shown_and_the_rest_when_asked_for() {
        let list = many();
        let shown = |asked: &str| {
            let choice = Choice::new(&list, asked);
            choice
                .shown()
                .iter()
                .map(|offer| offer.line.clone())
                .collect::<Vec<_>>()
        };
        let plain = shown("");
        assert_eq!(plain.len(), 10);
        assert!(plain.iter().all(|line| !line.starts_with("weaken")));
        let asked = shown(&code(&list[8]));
        assert_eq!(asked.len(), 20);
        assert!(asked.iter().all(|line| line.starts_with("weaken")));
        // What nobody knows asks for nothing.
        assert_eq!(shown("\"><script>"), plain);
    }

    #[test]
    fn steps_of_several_together_are_shown_only_when_asked_for() {
        let list = [
            offer(STEPS, None, "go 1"),
            offer(TOGETHER, Some("all"), "go together 1"),
        ];
        let lines = |asked: &str| {
            let choice = Choice::new(&list, asked);
            let shown: Vec<String> = choice.shown().iter().map(|offer| offer.line.clone()).collect();
            shown
        };
        assert_eq!(lines(""), ["go 1"]);
        assert_eq!(lines(&code(&list[1])), ["go together 1"]);
    }

    #[test]
    fn few_deeds_are_all_shown() {
        let list = many();
        let some = &list[..MANY];
        assert_eq!(Choice::new(some, "").shown().len(), MANY);
    }

    #[test]
    fn sorts_of_a_kind_have_codes_of_their_own() {
        let list = many();
        assert_ne!(code(&list[8]), code(&list[28]));
        assert_eq!(code(&list[8]), code(&list[9]));
    }
}
