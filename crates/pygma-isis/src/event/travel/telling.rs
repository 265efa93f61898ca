//! What viewers are told of movement, contacts and land, and how it reads.

use super::Travel;
use crate::chart::Place;
use crate::codes::{Creature, Kind};
use crate::event::{Ear, Telling, Who, who_is_seen};
use crate::report::section::Section;
use crate::report::{Pen, int};
use crate::sight::{Subject, shows_size};
use crate::state::{Acquaintance, ArmyId};
use kernel::hex::FieldIndex;
use kernel::realm::{RealmId, Viewer};
use kernel::report::{Arg, Why};
use serde::{Deserialize, Serialize};

/// What a viewer is told of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields say what their names say")]
pub enum Perceived {
    /// An own army went this way.
    Moved { army: String, path: Vec<Place> },
    /// A stranger was seen.
    Sighting {
        who: Who,
        kind: Kind,
        /// None for traders.
        count: Option<i64>,
        trail: Vec<Place>,
    },
    /// Creatures were seen; their strength is rough.
    Creatures {
        creature: Creature,
        count: i64,
        trail: Vec<Place>,
    },
    /// A realm, and perhaps its player, is known now.
    Introduced {
        who: Who,
        player: Option<String>,
        place: Place,
    },
    /// Somebody entered the realm: neither kind nor size nor owner (PYG-SEE-04).
    Entry { place: Place },
    /// New land on the map, with its terrain.
    Discovered {
        fields: Vec<(Place, crate::codes::Terrain)>,
    },
    /// Anything else: a line with its values.
    Line(Line),
}

/// A line of the report with its values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Section of the report.
    pub section: Section,
    /// Key of its wording.
    pub key: String,
    /// Its values.
    pub values: Vec<(String, Piece)>,
    /// In a few words, for scenarios.
    pub words: String,
}

/// A value of a line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Piece {
    /// A number.
    Int(i64),
    /// A place, a name.
    Text(String),
    /// Key of a word.
    Word(String),
}

/// A line that is being put together.
fn line(section: Section, key: &str, words: String) -> Line {
    Line {
        section,
        key: key.to_owned(),
        values: Vec::new(),
        words,
    }
}

impl Line {
    fn int(mut self, name: &str, number: i64) -> Self {
        self.values.push((name.to_owned(), Piece::Int(number)));
        self
    }

    fn text(mut self, name: &str, text: impl ToString) -> Self {
        self.values.push((name.to_owned(), Piece::Text(text.to_string())));
        self
    }

    fn word(mut self, name: &str, key: impl ToString) -> Self {
        self.values.push((name.to_owned(), Piece::Word(key.to_string())));
        self
    }
}

impl Travel {
    /// What a viewer is told of it.
    pub(super) fn told(&self, ear: &Ear<'_>) -> Option<Perceived> {
        let place = |field: &FieldIndex| ear.state.place(*field);
        let is_for = |realm: RealmId| ear.viewer == Viewer::Realm(realm);
        Some(match self {
            Self::Moved { army, path } => {
                let name = match ear.viewer {
                    Viewer::Realm(_) => army.name.to_string(),
                    Viewer::GameMaster => format!("{} {}", ear.who(army.realm).label(), army.name),
                };
                Perceived::Moved {
                    army: name,
                    path: path.iter().map(place).collect(),
                }
            }
            // The game master sees everything anyway.
            Self::Sighted {
                realm,
                subject,
                creature,
                count,
                trail,
            } if is_for(*realm) => {
                let trail = trail.iter().map(place).collect();
                match (subject, creature) {
                    (Subject::Army(id), _) => Perceived::Sighting {
                        who: who_is_seen(ear.tables, ear.state, ear.viewer, id.realm),
                        kind: id.kind(),
                        count: Some(*count).filter(|_| shows_size(id.kind())),
                        trail,
                    },
                    (Subject::Band(_), Some(creature)) => Perceived::Creatures {
                        creature: *creature,
                        count: *count,
                        trail,
                    },
                    (Subject::Band(_), None) => return None,
                }
            }
            Self::Introduced { to, realm, how, field } if is_for(*to) => {
                let player = ear.state.realms.get(realm).map(|other| other.player.clone());
                Perceived::Introduced {
                    who: ear.who(*realm),
                    player: player.filter(|_| *how == Acquaintance::Player),
                    place: place(field),
                }
            }
            Self::Entered { owner, field, .. } if is_for(*owner) => Perceived::Entry { place: place(field) },
            Self::Discovered { realm, fields } if is_for(*realm) => {
                let fields = fields
                    .iter()
                    .map(|field| (place(field), ear.state.field(*field).terrain));
                Perceived::Discovered {
                    fields: fields.collect(),
                }
            }
            Self::Disputed { field, realms } if realms.iter().any(|realm| is_for(*realm)) => {
                let words = format!("disputed {}", place(field));
                Perceived::Line(line(Section::Land, "disputed", words).text("field", place(field)))
            }
            Self::Taken { field, from, army } if is_for(*from) => {
                let who = ear.who(army.realm);
                let key = match who {
                    Who::Named { .. } => "lost-to",
                    _ => "lost-to-banner",
                };
                let words = format!("lost {} to {}", place(field), who.label());
                Perceived::Line(
                    line(Section::Land, key, words)
                        .text("field", place(field))
                        .text("realm", who.label()),
                )
            }
            _ if self.realm().is_some_and(|realm| ear.is(realm)) => Perceived::Line(self.own_line(ear)?),
            _ => return None,
        })
    }

    /// What the realm is told whose army it was.
    fn own_line(&self, ear: &Ear<'_>) -> Option<Line> {
        let place = |field: &FieldIndex| ear.state.place(*field);
        let name = |army: &ArmyId| match ear.viewer {
            Viewer::Realm(_) => army.name.to_string(),
            Viewer::GameMaster => format!("{} {}", ear.who(army.realm).label(), army.name),
        };
        let unit = |army: &ArmyId| army.kind().unit();
        Some(match self {
            Self::Stopped { army, at, wanted, why } => {
                let wanted = wanted.map_or_else(String::new, |field| place(&field).to_string());
                let words = format!("{} stopped at {} before {wanted}", army.name, place(at));
                line(Section::Corrected, why.key(), words)
                    .text("army", name(army))
                    .text("field", place(at))
                    .text("to", wanted)
            }
            Self::ShipsLost {
                army,
                field,
                pct,
                lost,
                left,
                aground,
            } => {
                let key = if *aground { "ships-aground" } else { "ships-reef" };
                let words = format!("{} lost {lost} ships at {}", army.name, place(field));
                line(Section::Losses, key, words)
                    .text("army", name(army))
                    .text("field", place(field))
                    .int("pct", *pct)
                    .int("n", *lost)
                    .int("left", *left)
            }
            Self::Landed { army, fleet, field } => {
                let words = format!("{} landed at {}", army.name, place(field));
                line(Section::Moves, "landed", words)
                    .text("army", name(army))
                    .text("fleet", fleet)
                    .text("field", place(field))
            }
            Self::Embarked { army, fleet, field } => {
                let words = format!("{} embarked on {fleet}", army.name);
                line(Section::Moves, "embarked", words)
                    .text("army", name(army))
                    .text("fleet", fleet)
                    .text("field", place(field))
            }
            Self::HeldBack { army, at, wanted, from } => {
                let words = format!("{} held back at {} from {}", army.name, place(at), from.code());
                line(Section::Corrected, "held-back", words)
                    .text("army", name(army))
                    .text("field", place(at))
                    .text("to", place(wanted))
                    .word("from", from.word())
            }
            Self::Withdrew { army, field, to, from } => {
                let words = format!(
                    "{} withdrew from {} to {} before {}",
                    army.name,
                    place(field),
                    place(to),
                    from.code()
                );
                line(Section::Corrected, "withdrew", words)
                    .text("army", name(army))
                    .text("field", place(field))
                    .text("to", place(to))
                    .word("from", from.word())
            }
            Self::Cornered { army, field } => {
                let words = format!("{} cornered at {}", army.name, place(field));
                line(Section::Corrected, "cornered", words)
                    .text("army", name(army))
                    .text("field", place(field))
            }
            Self::ShiedAway {
                creature, field, to, ..
            } => {
                let words = format!("{} shied away from {}", creature.code(), place(field));
                line(Section::Sightings, "shied-away", words)
                    .word("who", creature_word(*creature))
                    .text("field", place(field))
                    .text("to", place(to))
            }
            Self::Entered { army, field, owner, .. } => {
                let who = ear.who(*owner);
                let words = format!("{} entered realm {} at {}", army.name, who.label(), place(field));
                line(Section::Contacts, "entered-realm", words)
                    .text("army", name(army))
                    .text("realm", who.label())
                    .text("field", place(field))
            }
            Self::Absorbed { creature, field, .. } => {
                let words = format!("{} absorbed at {}", creature.code(), place(field));
                line(Section::Land, "absorbed", words)
                    .word("who", creature_word(*creature))
                    .text("field", place(field))
            }
            Self::Defended { army, field, creature } => {
                let words = format!("{} finds {} held by {}", army.name, place(field), creature.code());
                line(Section::Land, "defended", words)
                    .text("army", name(army))
                    .text("field", place(field))
                    .word("who", creature_word(*creature))
            }
            Self::TooWeak { army, field, min } => {
                let words = format!("{} too weak to take {}", army.name, place(field));
                line(Section::Land, "too-weak", words)
                    .text("army", name(army))
                    .text("field", place(field))
                    .int("min", *min)
            }
            Self::Barred { army, field } => {
                let words = format!("{} may not take {}", army.name, place(field));
                line(Section::Land, "barred", words)
                    .text("army", name(army))
                    .text("field", place(field))
            }
            Self::Taken { field, from, army } => {
                let key = if from.is_played() { "conquered" } else { "annexed" };
                line(Section::Land, key, format!("{key} {}", place(field)))
                    .text("army", name(army))
                    .text("field", place(field))
            }
            Self::Abandoned { field, .. } => {
                line(Section::Land, "abandoned", format!("abandoned {}", place(field))).text("field", place(field))
            }
            Self::Split { army, new, count, rest } => {
                let words = format!("{} split off {new} with {count}", army.name);
                line(Section::Moves, "split", words)
                    .text("army", name(army))
                    .text("new", new)
                    .int("n", *count)
                    .int("left", *rest)
                    .text("unit", unit(army))
            }
            Self::Merged {
                army,
                into,
                count,
                dissolved,
            } => {
                let key = if *dissolved > 0 { "merged-dissolved" } else { "merged" };
                let words = format!("{} joined {into}, now {count}", army.name);
                line(Section::Moves, key, words)
                    .text("army", name(army))
                    .text("into", into)
                    .int("n", *count)
                    .int("lost", *dissolved)
                    .text("unit", unit(army))
            }
            Self::Converted {
                fleet,
                new,
                count,
                field,
            } => {
                let words = format!("{} became {new} with {count} at {}", fleet.name, place(field));
                line(Section::Moves, "converted", words)
                    .text("army", name(fleet))
                    .text("new", new)
                    .int("n", *count)
                    .text("field", place(field))
            }
            Self::Disbanded { army, count } => line(Section::Moves, "disbanded", format!("{} disbanded", army.name))
                .text("army", name(army))
                .int("n", *count)
                .text("unit", unit(army)),
            Self::Dissolved { army, count, min } => {
                line(Section::Losses, "dissolved", format!("{} dissolved", army.name))
                    .text("army", name(army))
                    .int("n", *count)
                    .int("min", *min)
                    .text("unit", unit(army))
            }
            Self::Shrunk { army, count, max } => {
                line(Section::Losses, "shrunk", format!("{} shrunk to {max}", army.name))
                    .text("army", name(army))
                    .int("n", *count)
                    .int("max", *max)
                    .text("unit", unit(army))
            }
            Self::LaneRegistered { name, fields, .. } => {
                let places: Vec<String> = fields.iter().map(|field| place(field).to_string()).collect();
                line(Section::Budget, "lane-registered", format!("lane {name}"))
                    .text("name", name)
                    .text("fields", places.join(" > "))
            }
            Self::Ordered { .. }
            | Self::Moved { .. }
            | Self::Introduced { .. }
            | Self::Disputed { .. }
            | Self::Sighted { .. }
            | Self::Discovered { .. } => return None,
        })
    }
}

/// Key of a creature's name.
pub fn creature_word(creature: Creature) -> String {
    format!("seen-{}", creature.code())
}

fn joined(trail: &[Place], sign: &str) -> String {
    let places: Vec<String> = trail.iter().map(Place::to_string).collect();
    places.join(sign)
}

impl Telling for Perceived {
    fn section(&self) -> Section {
        match self {
            Self::Moved { .. } => Section::Moves,
            Self::Sighting { .. } | Self::Creatures { .. } => Section::Sightings,
            Self::Introduced { .. } => Section::Contacts,
            Self::Entry { .. } => Section::Entries,
            Self::Discovered { .. } => Section::Map,
            Self::Line(line) => line.section,
        }
    }

    fn write(&self, pen: &mut Pen<'_>, why: &Why) {
        match self {
            Self::Moved { army, path } => {
                let path = joined(path, " > ");
                pen.reasoned("moved", &[("army", Arg::Text(army)), ("path", Arg::Text(&path))], why);
            }
            Self::Sighting {
                who,
                kind,
                count,
                trail,
            } => {
                let (fields, label) = (joined(trail, " > "), who.label());
                let key = match (who, count) {
                    (Who::Named { .. }, Some(_)) => "sighting",
                    (Who::Named { .. }, None) => "sighting-trader",
                    (_, Some(_)) => "sighting-banner",
                    (_, None) => "sighting-trader-banner",
                };
                let args = [
                    ("field", Arg::Text(&fields)),
                    ("kind", Arg::Text(kind.code())),
                    ("n", int(count.unwrap_or(0))),
                    ("unit", Arg::Text(kind.unit())),
                    ("realm", Arg::Text(&label)),
                ];
                pen.reasoned(key, &args, why);
            }
            Self::Creatures { creature, count, trail } => {
                let (fields, word) = (joined(trail, " > "), creature_word(*creature));
                let unit = if creature.is_at_sea() { "S" } else { "K" };
                let args = [
                    ("field", Arg::Text(&fields)),
                    ("who", Arg::Word(&word)),
                    ("n", int(*count)),
                    ("unit", Arg::Text(unit)),
                ];
                pen.reasoned("sighting-creature", &args, why);
            }
            Self::Introduced { who, player, place } => {
                let (label, place) = (who.label(), place.to_string());
                let name = player.clone().unwrap_or_default();
                let key = if player.is_some() { "met-player" } else { "met-realm" };
                let args = [
                    ("realm", Arg::Text(&label)),
                    ("player", Arg::Text(&name)),
                    ("field", Arg::Text(&place)),
                ];
                pen.reasoned(key, &args, why);
            }
            Self::Entry { place } => {
                let place = place.to_string();
                pen.reasoned("entry", &[("field", Arg::Text(&place))], why);
            }
            Self::Discovered { fields } => discovered(pen, fields, why),
            Self::Line(line) => {
                let args: Vec<(&str, Arg<'_>)> = line
                    .values
                    .iter()
                    .map(|(name, piece)| (name.as_str(), piece.arg()))
                    .collect();
                pen.reasoned(&line.key, &args, why);
            }
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Moved { army, path } => format!("{army} moved {}", joined(path, ">")),
            Self::Sighting {
                who,
                kind,
                count,
                trail,
            } => {
                let count = count.map_or_else(String::new, |count| format!(" {count}"));
                format!(
                    "saw {}{count} of {} at {}",
                    kind.code(),
                    who.label(),
                    joined(trail, ">")
                )
            }
            Self::Creatures { creature, count, trail } => {
                format!("saw {} {count} at {}", creature.code(), joined(trail, ">"))
            }
            Self::Introduced { who, player, place } => match player {
                Some(player) => format!("met {} of player {player} at {place}", who.label()),
                None => format!("met {} at {place}", who.label()),
            },
            Self::Entry { place } => format!("an army entered at {place}"),
            Self::Discovered { fields } => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(place, terrain)| format!("{place} {}", terrain.code()))
                    .collect();
                format!("discovered {}", fields.join(", "))
            }
            Self::Line(line) => line.words.clone(),
        }
    }
}

impl Piece {
    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Int(number) => Arg::Int(*number),
            Self::Text(text) => Arg::Text(text),
            Self::Word(key) => Arg::Word(key),
        }
    }
}

/// PYG-MAP-05: new land, a line per great field.
fn discovered(pen: &mut Pen<'_>, fields: &[(Place, crate::codes::Terrain)], why: &Why) {
    for part in fields.chunk_by(|(one, _), (other, _)| one.gf == other.gf) {
        let Some((first, _)) = part.first() else { continue };
        let list: Vec<String> = part
            .iter()
            .map(|(place, terrain)| format!("{:02} {}", place.kf, terrain.code()))
            .collect();
        let list = list.join(", ");
        pen.reasoned(
            "discovered",
            &[("gf", int(first.gf)), ("fields", Arg::Text(&list))],
            why,
        );
    }
}
