//! What holds in every step of every game: each die falls once, and whatever happens names its rules.

use kernel::game::Game;
use kernel::turn::Outcome;
use std::collections::BTreeSet;

/// Every law that a step breaks, in words; `event` says an event in words.
pub fn broken<G: Game>(outcome: &Outcome<G>, event: impl Fn(&G::Event) -> String) -> impl Iterator<Item = String> {
    let nameless = outcome.journal.iter().filter(|entry| entry.rules.is_empty());
    let nameless = nameless.map(move |entry| format!("an event names no rule: {}", event(&entry.event)));
    let findings = outcome.refusals.iter().flat_map(|(realm, list)| {
        let nameless = list.iter().filter(|finding| finding.rules.is_empty());
        nameless.map(move |finding| format!("the finding {} of realm {realm} names no rule", finding.code))
    });
    let mut rolled = BTreeSet::new();
    let twice = outcome.rolls.iter().filter_map(move |roll| {
        let again = !rolled.insert((&roll.name, roll.owner));
        again.then(|| {
            format!(
                "the die `{}` was rolled twice: it would always show the same face",
                roll.name
            )
        })
    });
    nameless.chain(findings).chain(twice)
}
