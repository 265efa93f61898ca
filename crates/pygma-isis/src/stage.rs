//! Scenarios of PYGMA-ISIS: a small world in a few lines, and its state as facts. The syntax is described in `docs/scenarios.md`.

mod facts;
mod world;

use crate::PygmaIsis;
use crate::chart::Place;
use crate::codes::{Creature, Kind, SettlementKind, Stance, Terrain, WorkKind};
use crate::event::{AFTER, BEFORE, Event, Notice, Tale, Telling};
use crate::ruling::Ruling;
use crate::state::{ArmyId, ArmyName, Occasion, State};
use crate::tables::Tables;
use kernel::hex::FieldIndex;
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

    fn ruling(_state: &State, text: &str) -> Result<Ruling, String> {
        ruling(text)
    }
}

/// `deny TEXT`, `allow TEXT`, `order Adler KH 1 A`, `gold Adler -500`, `assign Adler PLAYER`, `write Adler TEXT`, `write all TEXT`, `keep`, `close`,
/// `release Adler`, `move Adler KH 1 5/13`, `strength Adler KH 1 500`, `owner 5/13 Adler`, `settlement 5/13 KSI`, `work 5/13 WPO`, `road 5/13 5/14`,
/// `no-road 5/13 5/14`, `plague 5/13 2`, `band horde 6000 5/20`, `no-bands 5/20`, `culture Adler always 2`; `none` where nothing shall stand.
fn ruling(text: &str) -> Result<Ruling, String> {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    let realm = |word: &str| realm_number(word).ok_or_else(|| format!("'{word}' is not a realm"));
    let first = || rest.split_once(' ').unwrap_or((rest, ""));
    if let Some(found) = deed(verb, rest) {
        return found;
    }
    Ok(match verb {
        "deny" => Ruling::Deny { text: rest.to_owned() },
        "allow" => Ruling::Allow { text: rest.to_owned() },
        "order" => {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let [who, kind, number, stance] = words.as_slice() else {
                return Err("expected: order Adler KH 1 A".to_owned());
            };
            let unit = Kind::from_code(kind)
                .zip(number.parse().ok())
                .map(|(kind, number)| ArmyName::new(kind, number));
            Ruling::SetStance {
                realm: realm(who)?,
                unit: unit.ok_or_else(|| format!("'{kind} {number}' is not an army"))?,
                stance: Stance::from_code(stance).ok_or_else(|| format!("'{stance}' is not an order"))?,
            }
        }
        "gold" => Ruling::ChangeGold {
            realm: realm(first().0)?,
            gold: first().1.parse().map_err(|_| "expected: gold Adler 500".to_owned())?,
        },
        "assign" => Ruling::HandOver {
            realm: realm(first().0)?,
            player: first().1.to_owned(),
            name: None,
        },
        "write" => Ruling::Write {
            to: if first().0 == "all" {
                None
            } else {
                Some(realm(first().0)?)
            },
            text: first().1.to_owned(),
        },
        "keep" => Ruling::KeepRealm,
        "close" => Ruling::Close,
        _ => {
            return Err(format!(
                "'{verb}' is no judgement; there are deny, allow, order, gold, assign, write, keep, close, release, move, strength, owner, settlement, work, road, no-road, plague, band, no-bands, culture"
            ));
        }
    })
}

/// Judgements that change the world; none for another verb.
fn deed(verb: &str, rest: &str) -> Option<Result<Ruling, String>> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let realm = |word: &str| realm_number(word).ok_or_else(|| format!("'{word}' is not a realm"));
    let number = |word: &str| word.parse::<i64>().map_err(|_| format!("'{word}' is not a number"));
    let unit = |kind: &str, number: &str| {
        let unit = Kind::from_code(kind).zip(number.parse().ok());
        unit.map(|(kind, number)| ArmyName::new(kind, number))
            .ok_or_else(|| format!("'{kind} {number}' is not an army"))
    };
    fn or_none<T>(word: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, String> {
        if word == "none" {
            return Ok(None);
        }
        read(word).map(Some).ok_or_else(|| format!("'{word}' cannot be built"))
    }
    let read =
        || -> Result<Ruling, String> {
            Ok(match (verb, words.as_slice()) {
                ("release", [who]) => Ruling::Release { realm: realm(who)? },
                ("move", [who, kind, n, field]) => Ruling::MoveUnit {
                    realm: realm(who)?,
                    unit: unit(kind, n)?,
                    field: place(field)?,
                },
                ("strength", [who, kind, n, count]) => Ruling::SetStrength {
                    realm: realm(who)?,
                    unit: unit(kind, n)?,
                    count: number(count)?,
                },
                ("owner", [field, who]) => Ruling::SetOwner {
                    field: place(field)?,
                    realm: realm(who)?,
                },
                ("settlement", [field, kind]) => Ruling::SetSettlement {
                    field: place(field)?,
                    kind: or_none(kind, SettlementKind::from_code)?,
                },
                ("work", [field, kind]) => Ruling::SetWork {
                    field: place(field)?,
                    kind: or_none(kind, WorkKind::from_code)?,
                },
                ("road" | "no-road", [from, to]) => Ruling::SetRoad {
                    from: place(from)?,
                    to: place(to)?,
                    road: verb == "road",
                },
                ("plague", [field, n]) => Ruling::SetPlague {
                    field: place(field)?,
                    plagues: u32::try_from(number(n)?).map_err(|_| format!("'{n}' is not a number of plagues"))?,
                },
                ("band", [who, n, field]) => Ruling::PlaceBand {
                    creature: Creature::from_code(who).ok_or_else(|| format!("'{who}' is not a creature"))?,
                    count: number(n)?,
                    field: place(field)?,
                },
                ("no-bands", [field]) => Ruling::RemoveBands { field: place(field)? },
                ("culture", [who, when, n]) => Ruling::SetCulture {
                    realm: realm(who)?,
                    when: match *when {
                        "always" => Occasion::Always,
                        "defending" => Occasion::Defending,
                        "attacking" => Occasion::Attacking,
                        terrain => Occasion::On(Terrain::from_code(terrain).ok_or_else(|| {
                            format!("'{terrain}' is neither always, defending, attacking nor a terrain")
                        })?),
                    },
                    points: number(n)?,
                },
                _ => return Err(format!("'{verb} {rest}' is not complete")),
            })
        };
    let verbs = [
        "release",
        "move",
        "strength",
        "owner",
        "settlement",
        "work",
        "road",
        "no-road",
        "plague",
        "band",
        "no-bands",
        "culture",
    ];
    verbs.contains(&verb).then(read)
}

/// A place of a scenario.
fn place(word: &str) -> Result<Place, String> {
    Place::read(word).ok_or_else(|| format!("'{word}' is not a place GF/KF"))
}
