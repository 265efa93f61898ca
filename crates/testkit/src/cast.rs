//! The realms of a scenario by their names.

use crate::charset::Form;
use crate::words::{did_you_mean, nearest};
use kernel::dice::Owner;
use kernel::realm::{RealmId, Viewer};

/// The realms of a world by the names of the scenario.
#[derive(Clone, Debug, Default)]
pub struct Cast(pub Vec<(RealmId, String)>);

/// How the game master is called where a realm could stand.
pub const GAME_MASTER: &str = "game-master";

impl Cast {
    /// The realm with this name.
    pub fn realm(&self, name: &str) -> Result<RealmId, String> {
        match self.0.iter().find(|(_, known)| known == name) {
            Some((realm, _)) => Ok(*realm),
            None => {
                let names = || self.0.iter().map(|(_, name)| name.as_str());
                let known: Vec<&str> = names().collect();
                let hint = did_you_mean(&nearest(name, names(), 1));
                let known = known.join(", ");
                if let Some((first, option)) = name.rsplit_once(' ')
                    && names().any(|known| known == first)
                {
                    let options = Form::OPTIONS.join(", ");
                    return Err(format!("`{option}` behind the realm is none of {options}"));
                }
                Err(format!(
                    "no realm `{name}`{hint}\nin this world play {known}; a realm exists as soon as a line of the world names it"
                ))
            }
        }
    }

    /// The realm with this name, or the game master.
    pub fn viewer(&self, name: &str) -> Result<Viewer, String> {
        if name == GAME_MASTER {
            Ok(Viewer::GameMaster)
        } else {
            self.realm(name).map(Viewer::Realm)
        }
    }

    /// The name of a realm, or its number.
    pub fn name(&self, realm: RealmId) -> String {
        let known = self.0.iter().find(|(known, _)| *known == realm);
        known.map_or_else(|| realm.to_string(), |(_, name)| name.clone())
    }

    /// The name of a die or request with realm names replaced by the numbers that the game uses.
    pub fn translate(&self, text: &str) -> String {
        let mut names: Vec<(&str, RealmId)> = self.0.iter().map(|(realm, name)| (name.as_str(), *realm)).collect();
        names.retain(|(name, _)| !name.is_empty());
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        // The first word is the rule's id and is left alone.
        let (rule, subject) = text.split_at(text.find(' ').unwrap_or(text.len()));
        let mut out = rule.to_owned();
        let mut rest = subject;
        let mut inside_word = false;
        while let Some(letter) = rest.chars().next() {
            let named = names.iter().filter(|_| !inside_word).find_map(|(name, realm)| {
                let tail = rest.strip_prefix(name)?;
                let ends = !tail.starts_with(|next: char| next.is_alphanumeric());
                ends.then_some((tail, realm))
            });
            match named {
                Some((tail, realm)) => {
                    out.push_str(&realm.to_string());
                    rest = tail;
                    inside_word = true;
                }
                None => {
                    out.push(letter);
                    rest = &rest[letter.len_utf8()..];
                    inside_word = letter.is_alphanumeric();
                }
            }
        }
        out
    }

    /// The name of a die as a scenario writes it: its owner's number, where it leads the subject, as a name.
    pub fn die(&self, name: &str, owner: Option<Owner>) -> String {
        if let (Some(Owner::Realm(realm)), Some((rule, subject))) = (owner, name.split_once(' '))
            && let Some(rest) = subject.strip_prefix(&realm.to_string())
            && (rest.is_empty() || rest.starts_with(' '))
        {
            return format!("{rule} {}{rest}", self.name(realm));
        }
        name.to_owned()
    }
}
