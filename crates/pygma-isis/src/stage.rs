//! Scenarios of PYGMA-ISIS: a small world in a few lines, and its state as facts. The syntax is described in `docs/scenarios.md`.

mod facts;
mod world;

use crate::PygmaIsis;
use crate::chart::Place;
use crate::event::{AFTER, BEFORE, Event, Notice, Tale, Telling};
use crate::ruling::{Ruling, words};
use crate::state::{ArmyId, State};
use crate::tables::Tables;
use kernel::hex::FieldIndex;
use kernel::misread::Misread;
use kernel::realm::RealmId;
use kernel::stage::{Facts, Stage, StageError, StageLine};

/// The cast: realms that a scenario may name without introducing them.
pub const CAST: [&str; 5] = ["Adler", "Bär", "Chimäre", "Drache", "Einhorn"];

/// Names of a world's realms, armies and fields as scenarios write them.
#[derive(Clone, Copy)]
pub struct Cast<'a> {
    /// The world.
    pub state: &'a State,
}

impl Cast<'_> {
    /// The name of a realm: that of the cast by its number, whatever the realm calls itself; `0` for nobody.
    pub fn realm(&self, realm: RealmId) -> String {
        if !realm.is_played() {
            return "0".to_owned();
        }
        match CAST.get(usize::from(realm.0) - 1) {
            Some(name) => (*name).to_owned(),
            None => self
                .state
                .realms
                .get(&realm)
                .map_or_else(|| realm.to_string(), |realm| realm.name.clone()),
        }
    }

    /// `Adler KH 1`.
    pub fn army(&self, army: ArmyId) -> String {
        format!("{} {}", self.realm(army.realm), army.name)
    }

    /// `5/13`.
    pub fn place(&self, field: FieldIndex) -> String {
        self.state.place(field).to_string()
    }
}

/// The realm that a scenario calls `word`.
fn realm_number(word: &str) -> Option<RealmId> {
    if word == "0" {
        return Some(RealmId::NOBODY);
    }
    let number = CAST.iter().position(|name| *name == word)? + 1;
    u16::try_from(number).ok().map(RealmId)
}

impl Stage for PygmaIsis {
    fn world(tables: &Tables, house_rules: &str, lines: &[StageLine]) -> Result<State, Vec<StageError>> {
        let mut state = world::build(tables, house_rules, lines)?;
        crate::sight::refresh(tables, &mut state);
        Ok(state)
    }

    fn realms(state: &State) -> Vec<(RealmId, String)> {
        let cast = Cast { state };
        state.realms.keys().map(|realm| (*realm, cast.realm(*realm))).collect()
    }

    fn facts(_tables: &Tables, state: &State) -> Facts {
        facts::facts(state)
    }

    /// An event of a tick ends with `tick n`.
    fn event_words(state: &State, event: &Event) -> String {
        let words = event.words(&Cast { state });
        match event.tick {
            BEFORE | AFTER => words,
            tick => format!("{words} tick {tick}"),
        }
    }

    fn notice_words(_state: &State, notice: &Notice) -> String {
        notice.words()
    }

    fn ruling(_state: &State, text: &str) -> Result<Ruling, Misread> {
        ruling(text)
    }
}

/// A judgement in the words of [`crate::ruling::words`], realms by their names in the cast, also in the names of dice.
fn ruling(text: &str) -> Result<Ruling, Misread> {
    let mut ruling = words::read(text, &realm_number)?;
    if let Ruling::FixDie { name, .. } = &mut ruling {
        let number = |word: &str| match realm_number(word) {
            Some(realm) if realm.is_played() => realm.to_string(),
            _ => word.to_owned(),
        };
        let words: Vec<String> = name.split(' ').map(number).collect();
        *name = words.join(" ");
    }
    Ok(ruling)
}

/// A place of a scenario.
fn place(word: &str) -> Result<Place, String> {
    Place::read(word).ok_or_else(|| format!("'{word}' is not a place GF/KF"))
}
