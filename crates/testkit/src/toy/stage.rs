//! Scenarios of the toy: `host Adler at 3 gold 10`.

use super::{Event, Host, Notice, Ruling, State, Tables, Toy};
use kernel::misread::{Meant, Misread};
use kernel::realm::RealmId;
use kernel::stage::{Facts, Stage, StageError, StageLine};

const CAST: [&str; 3] = ["Adler", "Bär", "Chimäre"];

impl Stage for Toy {
    fn world(_tables: &Tables, house_rules: &str, lines: &[StageLine]) -> Result<State, Vec<StageError>> {
        let mut state = State {
            house_rules: house_rules.to_owned(),
            step: 1,
            ..State::default()
        };
        let mut errors = Vec::new();
        for line in lines {
            match host(&line.text) {
                Some((realm, host)) => {
                    state.hosts.insert(realm, host);
                }
                None => errors.push(StageError {
                    line: line.line,
                    message: "expected `host <Realm> at N gold N`".to_owned(),
                }),
            }
        }
        if errors.is_empty() { Ok(state) } else { Err(errors) }
    }

    fn realms(state: &State) -> Vec<(RealmId, String)> {
        state
            .hosts
            .iter()
            .map(|(realm, host)| (*realm, host.name.clone()))
            .collect()
    }

    fn facts(_tables: &Tables, state: &State) -> Facts {
        let hosts = state.hosts.values().map(|host| {
            let attributes = [
                ("at".to_owned(), host.at.to_string()),
                ("gold".to_owned(), host.gold.to_string()),
            ];
            (format!("host {}", host.name), attributes.into())
        });
        hosts.collect()
    }

    fn event_words(state: &State, event: &Event) -> String {
        let name = |realm: &RealmId| state.hosts.get(realm).map_or("?", |host| host.name.as_str());
        match event {
            Event::Marched { realm, to } => format!("{} marched to {to}", name(realm)),
            Event::GoldGained { realm, gold, .. } => format!("{} gained {gold}", name(realm)),
            Event::Met { one, other } => format!("{} met {}", name(one), name(other)),
        }
    }

    fn notice_words(_state: &State, notice: &Notice) -> String {
        match notice {
            Notice::Marched(name, to) => format!("{name} marched to {to}"),
            Notice::Gold(name, gold) => format!("{name} gained {gold}"),
            Notice::Seen(name) => format!("{name} seen"),
        }
    }

    fn ruling(state: &State, text: &str) -> Result<Ruling, Misread> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = |word: &str| word.parse().map_err(|_| Meant::Number.not(word));
        match words.as_slice() {
            ["gold", gold] => Ok(Ruling::Gold(number(gold)?)),
            ["grant", realm, gold] => {
                let realm = Self::realm(state, realm).ok_or_else(|| Meant::Realm.not(realm))?;
                Ok(Ruling::Grant(realm, number(gold)?))
            }
            _ => Err(Misread::Expected("gold N | grant REALM N")),
        }
    }
}

fn host(text: &str) -> Option<(RealmId, Host)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ["host", name, "at", at, "gold", gold] = words.as_slice() else {
        return None;
    };
    let number = CAST.iter().zip(1u16..).find(|(known, _)| *known == name)?.1;
    let host = Host {
        name: (*name).to_owned(),
        at: at.parse().ok()?,
        gold: gold.parse().ok()?,
    };
    Some((RealmId(number), host))
}
