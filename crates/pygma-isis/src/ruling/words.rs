//! Judgements in the words of a game master, German or English: `unglueck 1 feuer 5/14` is `disaster 1 fire 5/14`.
//!
//! One judgement stands on one line. Realms are called by number, `0` is nobody; `none` or `nichts` stands where nothing shall be.

use super::Ruling;
use crate::chart::Place;
use crate::codes::{Creature, Disaster, Kind, SettlementKind, Stance, Terrain, WorkKind, plain};
use crate::state::{ArmyName, Occasion};
use kernel::limits;
use kernel::misread::{Meant, Misread};
use kernel::realm::RealmId;

/// Every verb, English and German.
const VERBS: [(&str, &str); 26] = [
    ("deny", "ablehnen"),
    ("allow", "gewaehren"),
    ("order", "befehl"),
    ("gold", "gold"),
    ("assign", "uebergeben"),
    ("write", "schreiben"),
    ("keep", "behalten"),
    ("close", "schliessen"),
    ("release", "freigeben"),
    ("move", "versetzen"),
    ("strength", "staerke"),
    ("owner", "besitz"),
    ("settlement", "siedlung"),
    ("work", "bau"),
    ("road", "strasse"),
    ("no-road", "keine-strasse"),
    ("river", "fluss"),
    ("no-river", "kein-fluss"),
    ("terrain", "gelaende"),
    ("plague", "seuche"),
    ("band", "wesen"),
    ("no-bands", "keine-wesen"),
    ("culture", "kultur"),
    ("disaster", "unglueck"),
    ("die", "wuerfel"),
    ("none", "nichts"),
];

/// The English form of a word of the language; other words stay as they are.
fn english(word: &str) -> String {
    let word = plain(word);
    let known = VERBS.iter().find(|(_, german)| *german == word);
    known.map_or(word, |(english, _)| (*english).to_owned())
}

/// Reads judgements, one to a line. `realm` knows the realms by the words that may stand for them.
///
/// # Errors
/// The first line that is no judgement, and what was expected.
pub fn read(text: &str, realm: &dyn Fn(&str) -> Option<RealmId>) -> Result<Ruling, Misread> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match lines.as_slice() {
        [] => Err(Misread::Incomplete(String::new())),
        [line] => one(line, realm),
        lines => {
            let rulings = lines.iter().take(limits::EDIT_LINES).map(|line| one(line, realm));
            Ok(Ruling::Several {
                rulings: rulings.collect::<Result<_, _>>()?,
            })
        }
    }
}

/// What a line is read with.
struct Reader<'a> {
    find: &'a dyn Fn(&str) -> Option<RealmId>,
}

impl Reader<'_> {
    fn realm(&self, word: &str) -> Result<RealmId, Misread> {
        (self.find)(word).ok_or_else(|| Meant::Realm.not(word))
    }

    fn number(&self, word: &str) -> Result<i64, Misread> {
        word.parse().map_err(|_| Meant::Number.not(word))
    }

    fn unit(&self, kind: &str, number: &str) -> Result<ArmyName, Misread> {
        let unit = Kind::from_code(kind).zip(number.parse().ok());
        let unit = unit.map(|(kind, number)| ArmyName::new(kind, number));
        unit.ok_or_else(|| Meant::Army.not(&format!("{kind} {number}")))
    }

    fn place(&self, word: &str) -> Result<Place, Misread> {
        Place::read(word).ok_or_else(|| Meant::Place.not(word))
    }

    fn or_none<T>(&self, word: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Misread> {
        if english(word) == "none" {
            return Ok(None);
        }
        read(word).map(Some).ok_or_else(|| Meant::Building.not(word))
    }

    fn occasion(&self, word: &str) -> Result<Occasion, Misread> {
        Ok(match plain(word).as_str() {
            "always" | "immer" => Occasion::Always,
            "defending" | "verteidigend" => Occasion::Defending,
            "attacking" | "angreifend" => Occasion::Attacking,
            _ => Occasion::On(Terrain::from_code(word).ok_or_else(|| Meant::Occasion.not(word))?),
        })
    }
}

fn one(line: &str, find: &dyn Fn(&str) -> Option<RealmId>) -> Result<Ruling, Misread> {
    let reader = Reader { find };
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let verb = english(verb);
    let rest = rest.trim();
    if let Some(found) = in_words(&reader, &verb, rest) {
        return found;
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    Ok(match (verb.as_str(), words.as_slice()) {
        ("keep", []) => Ruling::KeepRealm,
        ("close", []) => Ruling::Close,
        ("order", [who, kind, n, stance]) => Ruling::SetStance {
            realm: reader.realm(who)?,
            unit: reader.unit(kind, n)?,
            stance: Stance::from_code(stance).ok_or_else(|| Meant::Stance.not(stance))?,
        },
        ("gold", [who, gold]) => Ruling::ChangeGold {
            realm: reader.realm(who)?,
            gold: reader.number(gold)?,
        },
        ("release", [who]) => Ruling::Release {
            realm: reader.realm(who)?,
        },
        ("move", [who, kind, n, field]) => Ruling::MoveUnit {
            realm: reader.realm(who)?,
            unit: reader.unit(kind, n)?,
            field: reader.place(field)?,
        },
        ("strength", [who, kind, n, count]) => Ruling::SetStrength {
            realm: reader.realm(who)?,
            unit: reader.unit(kind, n)?,
            count: reader.number(count)?,
        },
        ("owner", [field, who]) => Ruling::SetOwner {
            field: reader.place(field)?,
            realm: reader.realm(who)?,
        },
        ("settlement", [field, kind]) => Ruling::SetSettlement {
            field: reader.place(field)?,
            kind: reader.or_none(kind, SettlementKind::from_code)?,
        },
        ("work", [field, kind]) => Ruling::SetWork {
            field: reader.place(field)?,
            kind: reader.or_none(kind, WorkKind::from_code)?,
        },
        ("road" | "no-road", [from, to]) => Ruling::SetRoad {
            from: reader.place(from)?,
            to: reader.place(to)?,
            road: verb == "road",
        },
        ("river" | "no-river", [from, to]) => Ruling::SetRiver {
            from: reader.place(from)?,
            to: reader.place(to)?,
            river: verb == "river",
        },
        ("terrain", [field, terrain]) => Ruling::SetTerrain {
            field: reader.place(field)?,
            terrain: Terrain::from_code(terrain)
                .filter(|terrain| *terrain != Terrain::Unexplored)
                .ok_or_else(|| Meant::Terrain.not(terrain))?,
        },
        ("plague", [field, n]) => Ruling::SetPlague {
            field: reader.place(field)?,
            plagues: u32::try_from(reader.number(n)?).map_err(|_| Meant::Number.not(n))?,
        },
        ("band", [who, n, field]) => Ruling::PlaceBand {
            creature: Creature::from_code(who).ok_or_else(|| Meant::Creature.not(who))?,
            count: reader.number(n)?,
            field: reader.place(field)?,
        },
        ("no-bands", [field]) => Ruling::RemoveBands {
            field: reader.place(field)?,
        },
        ("culture", [who, when, n]) => Ruling::SetCulture {
            realm: reader.realm(who)?,
            when: reader.occasion(when)?,
            points: reader.number(n)?,
        },
        ("disaster", [who, what, rest @ ..]) if rest.len() <= 1 => Ruling::Cause {
            realm: reader.realm(who)?,
            disaster: Disaster::from_word(what).ok_or_else(|| Meant::Disaster.not(what))?,
            field: rest.first().map(|field| reader.place(field)).transpose()?,
        },
        (verb, _) if VERBS.iter().any(|(english, _)| *english == verb) => {
            return Err(Misread::Incomplete(format!("{verb} {rest}").trim_end().to_owned()));
        }
        (verb, _) => {
            let known: Vec<&str> = VERBS.iter().map(|(english, _)| *english).collect();
            return Err(Misread::Unknown {
                verb: verb.to_owned(),
                known: known.join(", "),
            });
        }
    })
}

/// Judgements whose last part is a text of its own; none for another verb.
fn in_words(reader: &Reader<'_>, verb: &str, rest: &str) -> Option<Result<Ruling, Misread>> {
    let (first, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let text = text.trim();
    Some(match verb {
        "deny" => Ok(Ruling::Deny { text: rest.to_owned() }),
        "allow" => Ok(Ruling::Allow { text: rest.to_owned() }),
        "assign" => reader.realm(first).map(|realm| Ruling::HandOver {
            realm,
            player: text.to_owned(),
            name: None,
        }),
        "write" => {
            let to = match plain(first).as_str() {
                "all" | "alle" => Ok(None),
                _ => reader.realm(first).map(Some),
            };
            to.map(|to| Ruling::Write {
                to,
                text: text.to_owned(),
            })
        }
        "die" => {
            let read = rest.rsplit_once('=').and_then(|(name, face)| {
                let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
                let face = face.trim().parse().ok()?;
                name.contains(' ').then_some(Ruling::FixDie { name, face })
            });
            read.ok_or(Misread::Expected("die PYG-HYG-05 1 5/13 = 7"))
        }
        _ => return None,
    })
}

impl Ruling {
    /// The words that are read as this judgement; a realm that gets another name has none.
    pub fn words(&self) -> Option<String> {
        Some(match self {
            Self::Deny { text } => format!("deny {text}").trim_end().to_owned(),
            Self::Allow { text } => format!("allow {text}").trim_end().to_owned(),
            Self::SetStance { realm, unit, stance } => format!("order {} {unit} {stance}", realm.0),
            Self::ChangeGold { realm, gold } => format!("gold {} {gold}", realm.0),
            Self::HandOver { name: Some(_), .. } => return None,
            Self::HandOver { realm, player, .. } => format!("assign {} {player}", realm.0),
            Self::Write { to, text } => {
                let to = to.map_or_else(|| "all".to_owned(), |realm| realm.0.to_string());
                format!("write {to} {text}")
            }
            Self::MoveUnit { realm, unit, field } => format!("move {} {unit} {field}", realm.0),
            Self::SetStrength { realm, unit, count } => format!("strength {} {unit} {count}", realm.0),
            Self::SetOwner { field, realm } => format!("owner {field} {}", realm.0),
            Self::SetSettlement { field, kind } => {
                format!("settlement {field} {}", kind.map_or("none", SettlementKind::code))
            }
            Self::SetWork { field, kind } => format!("work {field} {}", kind.map_or("none", WorkKind::code)),
            Self::SetRoad { from, to, road } => format!("{} {from} {to}", if *road { "road" } else { "no-road" }),
            Self::SetRiver { from, to, river } => format!("{} {from} {to}", if *river { "river" } else { "no-river" }),
            Self::SetTerrain { field, terrain } => format!("terrain {field} {terrain}"),
            Self::SetPlague { field, plagues } => format!("plague {field} {plagues}"),
            Self::PlaceBand { creature, count, field } => format!("band {creature} {count} {field}"),
            Self::RemoveBands { field } => format!("no-bands {field}"),
            Self::SetCulture { realm, when, points } => {
                let when = match when {
                    Occasion::Always => "always",
                    Occasion::Defending => "defending",
                    Occasion::Attacking => "attacking",
                    Occasion::On(terrain) => terrain.code(),
                };
                format!("culture {} {when} {points}", realm.0)
            }
            Self::Cause { realm, disaster, field } => {
                let field = field.map_or_else(String::new, |field| format!(" {field}"));
                format!("disaster {} {disaster}{field}", realm.0)
            }
            Self::FixDie { name, face } => format!("die {name} = {face}"),
            Self::Several { rulings } => {
                let lines: Option<Vec<String>> = rulings.iter().map(Self::words).collect();
                lines?.join("\n")
            }
            Self::Release { realm } => format!("release {}", realm.0),
            Self::KeepRealm => "keep".to_owned(),
            Self::Close => "close".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_number(word: &str) -> Option<RealmId> {
        word.parse().ok().map(RealmId)
    }

    #[test]
    fn what_a_game_master_writes_is_written_back_as_he_wrote_it() {
        for words in [
            "deny Nein.",
            "order 1 KH 2 A",
            "gold 1 -500",
            "assign 2 Mira Stern",
            "write all Ein Gruß an alle",
            "move 1 KH 2 5/13",
            "strength 1 KH 2 500",
            "owner 5/13 0",
            "settlement 5/13 none",
            "work 5/13 WPO",
            "no-road 5/13 5/14",
            "river 5/13 5/14",
            "terrain 5/13 SU",
            "plague 5/13 2",
            "band horde 6000 5/20",
            "no-bands 5/20",
            "culture 1 GB 2",
            "disaster 1 feuer 5/14",
            "disaster 1 missernte",
            "die PYG-HYG-05 1 5/13 = 7",
            "release 3",
            "keep",
            "close",
            "owner 5/13 1\nowner 5/14 1",
        ] {
            let ruling = read(words, &by_number).expect(words);
            assert_eq!(ruling.words().as_deref(), Some(words));
        }
    }

    #[test]
    fn both_languages_say_the_same() {
        for (german, english) in [
            ("Unglück 1 Feuer 5/14", "disaster 1 fire 5/14"),
            ("unglueck 1 Mißernte", "disaster 1 bad-harvest"),
            ("Würfel PYG-HYG-05 1 5/13 = 7", "die PYG-HYG-05 1 5/13 = 7"),
            ("Siedlung 5/13 nichts", "settlement 5/13 none"),
            ("schreiben alle Gruß", "write all Gruß"),
            ("Kultur 1 verteidigend 2", "culture 1 defending 2"),
        ] {
            assert_eq!(read(german, &by_number), read(english, &by_number), "{german}");
            assert!(read(german, &by_number).is_ok(), "{german}");
        }
        for wrong in ["", "disaster 1 regen", "disaster", "die 7", "dance 1", "owner 5/13 x"] {
            assert!(read(wrong, &by_number).is_err(), "{wrong}");
        }
    }
}
