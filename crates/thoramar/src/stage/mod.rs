//! Scenarios of THORAMAR: a small world in a few lines, and its state as facts.
//!
//! The syntax is described in `docs/scenarios.md`. Places in the `world` and `expect` blocks are world coordinates; a realm
//! whose capital stands on 0/0 has the same ones in its orders.

mod facts;
mod words;
mod world;

use crate::Thoramar;
use crate::event::Event;
use crate::notice::Notice;
use crate::ruling::Ruling;
use crate::state::State;
use crate::tables::Tables;
use kernel::misread::Misread;
use kernel::realm::RealmId;
use kernel::stage::{Facts, Stage, StageError, StageLine};

/// The cast: realms that a scenario may name without introducing them.
const CAST: [&str; 5] = ["Adler", "Bär", "Chimäre", "Drache", "Einhorn"];

impl Stage for Thoramar {
    fn world(tables: &Tables, house_rules: &str, lines: &[StageLine]) -> Result<State, Vec<StageError>> {
        let mut state = world::build(tables, house_rules, lines)?;
        crate::sight::begin(tables, &mut state);
        Ok(state)
    }

    fn realms(state: &State) -> Vec<(RealmId, String)> {
        state
            .realms
            .keys()
            .map(|realm| (*realm, realm_word(state, *realm)))
            .collect()
    }

    fn facts(tables: &Tables, state: &State) -> Facts {
        facts::facts(tables, state)
    }

    fn event_words(state: &State, event: &Event) -> String {
        words::event(state, event)
    }

    fn notice_words(state: &State, notice: &Notice) -> String {
        words::notice(state, notice)
    }

    fn ruling(state: &State, text: &str) -> Result<Ruling, Misread> {
        words::ruling(state, text)
    }
}

/// The name of a realm in a scenario: that of the cast by its number, whatever the realm calls itself; `0` for nobody.
fn realm_word(state: &State, realm: RealmId) -> String {
    if !realm.is_played() {
        return "0".to_owned();
    }
    match CAST.get(usize::from(realm.0) - 1) {
        Some(name) => (*name).to_owned(),
        None => state
            .realms
            .get(&realm)
            .map_or_else(|| realm.to_string(), |r| r.name.clone()),
    }
}

/// The realm that a scenario calls `word`.
fn realm_number(word: &str) -> Option<RealmId> {
    if word == "0" {
        return Some(RealmId::NOBODY);
    }
    let number = CAST.iter().position(|name| *name == word)? + 1;
    Some(RealmId(number as u16))
}
