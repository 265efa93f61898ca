//! Events of part A: movement, shipping, splitting, annexation, contacts, entry notices, sightings.
//!
//! Most of them are told to the realm whose army it was, in one line; a notice then is that line with its values. Who was seen,
//! who was met and who entered are notices of their own, because others ask for them: the map, forms, computer players. What viewers
//! are told, and how it reads, stands in [`telling`].

mod telling;

use super::{Ear, Tale};
use crate::codes::{Creature, Stance};
use crate::rule;
use crate::sight::Subject;
use crate::stage::Cast;
use crate::state::{Acquaintance, ArmyId, ArmyName, State};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
pub use telling::{Line, Perceived, Piece, creature_word};

/// What stood against a step, found out on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Water.
    Water,
    /// Land, before a fleet.
    Aground,
    /// Too many height levels.
    Height,
    /// Mountains, before riders who have ridden already, or under them.
    Mountains,
    /// A river without a bridge.
    River,
    /// The road is not there any more.
    NoRoad,
    /// The edge of the world.
    Edge,
    /// The fleet is not where it was expected.
    FleetElsewhere,
    /// The fleet is full.
    NoRoom,
    /// Nobody lands on this coast.
    Coast,
    /// The town has left its realm: nobody takes a trader's load.
    NoTown,
    /// Strangers with whom it makes acquaintance.
    Contact,
}

impl Obstacle {
    /// The rules that make it one.
    pub const fn rules(self) -> &'static [RuleId] {
        match self {
            Self::Water => &[rule::MOVE_11, rule::GAP_31],
            Self::Aground => &[rule::MOVE_08, rule::GAP_32],
            Self::Height => &[rule::MOVE_03, rule::GAP_29],
            Self::Mountains => &[rule::MOVE_06],
            Self::River => &[rule::GAP_05],
            Self::NoRoad => &[rule::MOVE_09],
            Self::Edge => &[rule::MAP_07, rule::GAP_02],
            Self::FleetElsewhere => &[rule::SHIP_02, rule::GAP_30],
            Self::NoRoom => &[rule::SHIP_04, rule::GAP_30],
            Self::Coast => &[rule::SHIP_01, rule::GAP_30],
            Self::NoTown => &[rule::TRDR_07],
            Self::Contact => &[rule::GAP_31],
        }
    }

    const fn key(self) -> &'static str {
        match self {
            Self::Water => "stopped-water",
            Self::Aground => "stopped-aground",
            Self::Height => "stopped-height",
            Self::Mountains => "stopped-mountains",
            Self::River => "stopped-river",
            Self::NoRoad => "stopped-road",
            Self::Edge => "stopped-edge",
            Self::FleetElsewhere => "stopped-fleet",
            Self::NoRoom => "stopped-room",
            Self::Coast => "stopped-coast",
            Self::NoTown => "stopped-town",
            Self::Contact => "stopped-contact",
        }
    }
}

/// From what class of strangers an army withdraws; more its player does not learn (PYG-GAP-38).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shunned {
    /// A foreign army.
    Army,
    /// Creatures.
    Creature,
    /// A foreign realm.
    Realm,
}

impl Shunned {
    const fn word(self) -> &'static str {
        match self {
            Self::Army => "shunned-army",
            Self::Creature => "shunned-creature",
            Self::Realm => "shunned-realm",
        }
    }

    const fn code(self) -> &'static str {
        match self {
            Self::Army => "army",
            Self::Creature => "creature",
            Self::Realm => "realm",
        }
    }
}

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields say what their names say")]
pub enum Travel {
    /// PYG-ORD-01. Told by the table of armies.
    Ordered { army: ArmyId, stance: Stance },
    /// PYG-MOVE-01.
    Moved { army: ArmyId, path: Vec<FieldIndex> },
    /// PYG-GAP-31, PYG-GAP-32.
    Stopped {
        army: ArmyId,
        at: FieldIndex,
        wanted: Option<FieldIndex>,
        why: Obstacle,
    },
    /// PYG-GAP-32.
    ShipsLost {
        army: ArmyId,
        field: FieldIndex,
        pct: i64,
        lost: i64,
        left: i64,
        aground: bool,
    },
    /// PYG-SHIP-03.
    Landed {
        army: ArmyId,
        fleet: ArmyName,
        field: FieldIndex,
    },
    /// PYG-SHIP-02.
    Embarked {
        army: ArmyId,
        fleet: ArmyName,
        field: FieldIndex,
    },
    /// PYG-ORD-03.
    HeldBack {
        army: ArmyId,
        at: FieldIndex,
        wanted: FieldIndex,
        from: Shunned,
    },
    /// PYG-ORD-03.
    Withdrew {
        army: ArmyId,
        field: FieldIndex,
        to: FieldIndex,
        from: Shunned,
    },
    /// PYG-GAP-38.
    Cornered { army: ArmyId, field: FieldIndex },
    /// PYG-GAP-35.
    ShiedAway {
        creature: Creature,
        field: FieldIndex,
        to: FieldIndex,
        realm: RealmId,
    },
    /// PYG-ORD-04..07.
    Introduced {
        to: RealmId,
        realm: RealmId,
        how: Acquaintance,
        field: FieldIndex,
    },
    /// PYG-SEE-04.
    Entered {
        army: ArmyId,
        from: FieldIndex,
        field: FieldIndex,
        owner: RealmId,
    },
    /// PYG-GAP-31.
    Disputed { field: FieldIndex, realms: Vec<RealmId> },
    /// PYG-GAP-35.
    Absorbed {
        creature: Creature,
        field: FieldIndex,
        realm: RealmId,
    },
    /// PYG-GAP-35.
    Defended {
        army: ArmyId,
        field: FieldIndex,
        creature: Creature,
    },
    /// PYG-EXP-03.
    TooWeak { army: ArmyId, field: FieldIndex, min: i64 },
    /// PYG-EXP-04.
    Barred { army: ArmyId, field: FieldIndex },
    /// PYG-EXP-01, PYG-EXP-03.
    Taken {
        field: FieldIndex,
        from: RealmId,
        army: ArmyId,
    },
    /// PYG-EXP-05.
    Abandoned { realm: RealmId, field: FieldIndex },
    /// PYG-MERG-01.
    Split {
        army: ArmyId,
        new: ArmyName,
        count: i64,
        rest: i64,
    },
    /// PYG-MERG-01.
    Merged {
        army: ArmyId,
        into: ArmyName,
        count: i64,
        dissolved: i64,
    },
    /// PYG-GAP-26.
    Converted {
        fleet: ArmyId,
        new: ArmyName,
        count: i64,
        field: FieldIndex,
    },
    /// PYG-GAP-27.
    Disbanded { army: ArmyId, count: i64 },
    /// PYG-ARMY-08.
    Dissolved { army: ArmyId, count: i64, min: i64 },
    /// PYG-ARMY-09.
    Shrunk { army: ArmyId, count: i64, max: i64 },
    /// PYG-GAP-23.
    LaneRegistered {
        realm: RealmId,
        name: String,
        fields: Vec<FieldIndex>,
    },
    /// PYG-SEE-02, PYG-SEE-05, PYG-SEE-06.
    Sighted {
        realm: RealmId,
        subject: Subject,
        creature: Option<Creature>,
        count: i64,
        trail: Vec<FieldIndex>,
    },
    /// PYG-SEE-01.
    Discovered { realm: RealmId, fields: Vec<FieldIndex> },
}

impl Travel {
    /// The realm that is told first.
    fn realm(&self) -> Option<RealmId> {
        match self {
            Self::Ordered { .. } | Self::Disputed { .. } => None,
            Self::Moved { army, .. }
            | Self::Stopped { army, .. }
            | Self::ShipsLost { army, .. }
            | Self::Landed { army, .. }
            | Self::Embarked { army, .. }
            | Self::HeldBack { army, .. }
            | Self::Withdrew { army, .. }
            | Self::Cornered { army, .. }
            | Self::Entered { army, .. }
            | Self::Defended { army, .. }
            | Self::TooWeak { army, .. }
            | Self::Barred { army, .. }
            | Self::Taken { army, .. }
            | Self::Split { army, .. }
            | Self::Merged { army, .. }
            | Self::Converted { fleet: army, .. }
            | Self::Disbanded { army, .. }
            | Self::Dissolved { army, .. }
            | Self::Shrunk { army, .. } => Some(army.realm),
            Self::ShiedAway { realm, .. }
            | Self::Introduced { to: realm, .. }
            | Self::Absorbed { realm, .. }
            | Self::Abandoned { realm, .. }
            | Self::LaneRegistered { realm, .. }
            | Self::Sighted { realm, .. }
            | Self::Discovered { realm, .. } => Some(*realm),
        }
    }
}

impl Tale for Travel {
    type Notice = Perceived;

    fn audience(&self, _state: &State, realms: &mut Vec<RealmId>) {
        realms.extend(self.realm());
        match self {
            Self::Entered { owner, .. } => realms.push(*owner),
            Self::Taken { from, .. } if from.is_played() => realms.push(*from),
            Self::Disputed { realms: all, .. } => realms.extend(all),
            _ => {}
        }
    }

    fn notice(&self, ear: &Ear<'_>) -> Option<Perceived> {
        self.told(ear)
    }

    fn words(&self, cast: &Cast<'_>) -> String {
        let army = |id: &ArmyId| cast.army(*id);
        let place = |field: &FieldIndex| cast.place(*field);
        let realm = |id: &RealmId| cast.realm(*id);
        let way = |fields: &[FieldIndex]| fields.iter().map(place).collect::<Vec<_>>().join(">");
        match self {
            Self::Ordered { army: id, stance } => format!("{} has order {}", army(id), stance.code()),
            Self::Moved { army: id, path } => format!("{} moved {}", army(id), way(path)),
            Self::Stopped { army: id, at, why, .. } => format!("{} {} at {}", army(id), why.key(), place(at)),
            Self::ShipsLost {
                army: id, field, lost, ..
            } => format!("{} lost {lost} ships at {}", army(id), place(field)),
            Self::Landed { army: id, field, .. } => format!("{} landed at {}", army(id), place(field)),
            Self::Embarked { army: id, fleet, .. } => format!("{} embarked on {fleet}", army(id)),
            Self::HeldBack { army: id, at, from, .. } => {
                format!("{} held back at {} from {}", army(id), place(at), from.code())
            }
            Self::Withdrew {
                army: id,
                field,
                to,
                from,
            } => format!(
                "{} withdrew from {} to {} before {}",
                army(id),
                place(field),
                place(to),
                from.code()
            ),
            Self::Cornered { army: id, field } => format!("{} cornered at {}", army(id), place(field)),
            Self::ShiedAway {
                creature, field, to, ..
            } => format!("{} shied away from {} to {}", creature.code(), place(field), place(to)),
            Self::Introduced {
                to,
                realm: other,
                how,
                field,
            } => {
                let how = if *how == Acquaintance::Player {
                    "player"
                } else {
                    "realm"
                };
                format!("{} learns {how} of {} at {}", realm(to), realm(other), place(field))
            }
            Self::Entered {
                army: id, field, owner, ..
            } => format!("{} entered {} at {}", army(id), realm(owner), place(field)),
            Self::Disputed { field, realms } => {
                let realms: Vec<String> = realms.iter().map(realm).collect();
                format!("{} disputed by {}", place(field), realms.join(" "))
            }
            Self::Absorbed { creature, field, .. } => format!("{} absorbed at {}", creature.code(), place(field)),
            Self::Defended {
                army: id,
                field,
                creature,
            } => format!("{} finds {} held by {}", army(id), place(field), creature.code()),
            Self::TooWeak { army: id, field, .. } => format!("{} too weak to take {}", army(id), place(field)),
            Self::Barred { army: id, field } => format!("{} may not take {}", army(id), place(field)),
            Self::Taken { field, from, army: id } => {
                format!("{} took {} from {}", army(id), place(field), realm(from))
            }
            Self::Abandoned { realm: own, field } => format!("{} abandoned {}", realm(own), place(field)),
            Self::Split {
                army: id, new, count, ..
            } => format!("{} split off {new} {count}", army(id)),
            Self::Merged {
                army: id, into, count, ..
            } => format!("{} joined {into} {count}", army(id)),
            Self::Converted { fleet, new, count, .. } => format!("{} became {new} {count}", army(fleet)),
            Self::Disbanded { army: id, .. } => format!("{} disbanded", army(id)),
            Self::Dissolved { army: id, .. } => format!("{} dissolved", army(id)),
            Self::Shrunk { army: id, max, .. } => format!("{} shrunk to {max}", army(id)),
            Self::LaneRegistered { realm: own, name, .. } => format!("{} registered lane {name}", realm(own)),
            Self::Sighted {
                realm: own,
                subject,
                creature,
                count,
                trail,
            } => {
                let who = match (subject, creature) {
                    (Subject::Army(id), _) => army(id),
                    (_, creature) => creature.map_or("", |creature| creature.code()).to_owned(),
                };
                format!("{} saw {who} {count} at {}", realm(own), way(trail))
            }
            Self::Discovered { realm: own, fields } => format!("{} discovered {} fields", realm(own), fields.len()),
        }
    }
}
