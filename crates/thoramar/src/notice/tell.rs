//! Who is told of an event, and what exactly (5.5 of the catalogue, GAP-14).

use super::{Address, FieldSeen, FighterSeen, Notice, OwnStrength, Perceived, WeekSeen, Who};
use crate::codes::Flag;
use crate::event::{Event, Fighter, Happening, Share, Shown};
use crate::geo::Place;
use crate::order::Recipient;
use crate::sight::{Outlook, WeekSight};
use crate::state::{ArmyId, SeenArmy, State};
use crate::tables::Tables;
use kernel::hex::FieldIndex;
use kernel::realm::{RealmId, Viewer};

/// An army as a viewer may name it: his own in full, those of realm 0 without a number, unflagged ones not at all
/// (THO-SIGHT-03, THO-SIGHT-05).
pub fn seen(tables: &Tables, viewer: Viewer, army: &Shown) -> SeenArmy {
    let Who { realm, kind, number } = name(tables, viewer, army.id, army.flag);
    SeenArmy {
        realm,
        kind,
        number,
        count: army.count,
    }
}

/// Several armies on one field as a viewer sees them, those without a flag last.
pub fn seen_armies(tables: &Tables, viewer: Viewer, armies: impl Iterator<Item = Shown>) -> Vec<SeenArmy> {
    // Few armies pass unseen, so that the upper bound is right nearly always.
    let mut list = Vec::with_capacity(armies.size_hint().1.unwrap_or(0));
    add_seen_armies(&mut list, tables, viewer, armies);
    list
}

/// The same behind a list. Armies without a number stand by strength: in the order of their true names the neighbours in
/// the list would tell whose they are.
fn add_seen_armies(list: &mut Vec<SeenArmy>, tables: &Tables, viewer: Viewer, armies: impl Iterator<Item = Shown>) {
    let first = list.len();
    list.extend(armies.map(|army| seen(tables, viewer, &army)));
    let here = list.get_mut(first..).unwrap_or_default();
    if here.iter().any(|army| army.number.is_none()) {
        here.sort_unstable_by_key(|army| (army.realm.is_none(), *army));
    }
}

fn name(tables: &Tables, viewer: Viewer, id: ArmyId, flag: Flag) -> Who {
    let own = match viewer {
        Viewer::GameMaster => true,
        Viewer::Realm(me) => me == id.realm,
    };
    let number = Some(id.name.number);
    let (realm, number) = match flag {
        _ if own => (Some(id.realm), number),
        _ if !id.realm.is_played() => (Some(id.realm), None),
        Flag::Shown => (Some(id.realm), number),
        Flag::Unassigned | Flag::Unseen => (None, number.filter(|_| tables.sight.show_id_of_unflagged)),
    };
    Who {
        realm,
        kind: id.kind(),
        number,
    }
}

/// A viewer who is being told something.
#[derive(Clone, Copy)]
struct Ear<'a> {
    viewer: Viewer,
    tables: &'a Tables,
    state: &'a State,
    /// 0/0 of the viewer's coordinates.
    origin: FieldIndex,
}

impl<'a> Ear<'a> {
    fn new(tables: &'a Tables, state: &'a State, viewer: Viewer) -> Self {
        let origin = match viewer {
            Viewer::Realm(realm) => state.origin_of(realm),
            Viewer::GameMaster => state.origin,
        };
        Self {
            viewer,
            tables,
            state,
            origin,
        }
    }

    /// Whether the viewer is this realm, or sees everything.
    fn is(&self, realm: RealmId) -> bool {
        match self.viewer {
            Viewer::GameMaster => true,
            Viewer::Realm(me) => me == realm,
        }
    }

    fn place(&self, field: FieldIndex) -> Place {
        Place::of(&self.state.grid, self.origin, field)
    }

    fn flagged(&self, id: ArmyId, flag: Flag) -> Who {
        name(self.tables, self.viewer, id, flag)
    }

    /// An army that only its owner is told about.
    fn own(&self, id: ArmyId) -> Who {
        self.flagged(id, Flag::Unassigned)
    }

    fn shown(&self, army: &Shown) -> Who {
        self.flagged(army.id, army.flag)
    }

    fn fighter(&self, fighter: &Fighter) -> Option<FighterSeen> {
        let own = self.is(fighter.army.id.realm);
        if fighter.army.flag == Flag::Unseen && !own {
            return None;
        }
        Some(FighterSeen {
            who: self.shown(&fighter.army),
            before: fighter.army.count,
            after: fighter.after,
            own: own.then_some(OwnStrength {
                strength: fighter.strength,
                bonus_percent: fighter.bonus_percent,
            }),
        })
    }

    fn fighters(&self, fighters: &[Fighter]) -> Vec<FighterSeen> {
        let mut seen: Vec<FighterSeen> = fighters.iter().filter_map(|fighter| self.fighter(fighter)).collect();
        seen.sort_by_key(|fighter| (fighter.who.realm.is_none(), fighter.who, fighter.before, fighter.after));
        seen
    }
}

/// What a viewer is told of an event.
///
/// THO-SIGHT-02, THO-SIGHT-03, THO-SIGHT-05, GAP-14.
pub fn notice(tables: &Tables, state: &State, event: &Event, viewer: Viewer) -> Option<Notice> {
    let ear = Ear::new(tables, state, viewer);
    let what = before(ear, &event.what)
        .or_else(|| in_week(ear, &event.what))
        .or_else(|| at_end(ear, &event.what))?;
    Some(Notice { week: event.week, what })
}

/// Intake, building, arming and specials: the owner's own affairs.
fn before(ear: Ear<'_>, what: &Happening) -> Option<Perceived> {
    use Happening as H;
    Some(match what {
        H::OrdersMissing { realm, in_a_row } => Perceived::OrdersMissing {
            realm: *realm,
            in_a_row: *in_a_row,
        },
        H::AbsenceWarned { realm, in_a_row } => Perceived::AbsenceWarned {
            realm: *realm,
            in_a_row: *in_a_row,
        },
        H::RealmRenamed { realm, name } => Perceived::RealmRenamed {
            realm: *realm,
            name: name.clone(),
        },
        H::CultureWritten { realm } => Perceived::CultureWritten { realm: *realm },
        H::ComputerSet { realm } => Perceived::ComputerSet { realm: *realm },
        H::InformationAsked { realm } => Perceived::InformationAsked { realm: *realm },
        H::TablesChanged { toml } => {
            let toml = match ear.viewer {
                Viewer::Realm(realm) => crate::view::open_house_rules(toml, realm),
                Viewer::GameMaster => toml.clone(),
            };
            if toml.is_empty() {
                return None;
            }
            Perceived::TablesChanged { toml }
        }
        H::TablesRefused { toml, fault } if ear.viewer == Viewer::GameMaster => Perceived::TablesRefused {
            toml: toml.to_string(),
            fault: fault.to_string(),
        },
        H::WorldEdited { edit, .. } if ear.viewer == Viewer::GameMaster => {
            Perceived::WorldEdited { edit: edit.to_string() }
        }
        H::WorldEdited {
            treasury: Some((realm, gold)),
            ..
        } if ear.viewer == Viewer::Realm(*realm) => Perceived::TreasuryEdited { gold: *gold },
        H::EditRefused { edit, fault } if ear.viewer == Viewer::GameMaster => Perceived::EditRefused {
            edit: edit.to_string(),
            fault: fault.to_string(),
        },
        H::AccountCredited { realm, amount } => Perceived::AccountCredited {
            realm: *realm,
            amount: *amount,
        },
        H::WorldClosed => Perceived::WorldClosed,
        H::RealmAssigned { realm } => Perceived::RealmAssigned { realm: *realm },
        H::RealmReleased { realm } => Perceived::RealmReleased { realm: *realm },
        H::WorkBegun {
            realm,
            field,
            building,
            work,
            cost,
            turns,
        } => Perceived::WorkBegun {
            realm: *realm,
            place: ear.place(*field),
            building: *building,
            work: *work,
            cost: *cost,
            turns: *turns,
        },
        H::BuildingRenamed {
            realm,
            field,
            building,
            name,
        } => Perceived::BuildingRenamed {
            realm: *realm,
            place: ear.place(*field),
            building: *building,
            name: name.clone(),
        },
        H::NetworkLaid {
            realm,
            network,
            field,
            direction,
            cost,
        } => Perceived::NetworkLaid {
            realm: *realm,
            network: *network,
            place: ear.place(*field),
            direction: *direction,
            cost: *cost,
        },
        H::ArmyArmed {
            army,
            field,
            count,
            is_new,
            cost,
            capacity_left,
        } => Perceived::ArmyArmed {
            army: ear.own(*army),
            place: ear.place(*field),
            count: *count,
            is_new: *is_new,
            cost: *cost,
            capacity_left: *capacity_left,
        },
        H::ArmySplit { army, part, count } => Perceived::ArmySplit {
            army: ear.own(*army),
            part: ear.own(*part),
            count: *count,
        },
        H::ArmiesMerged { army, joined, count } => Perceived::ArmiesMerged {
            army: ear.own(*army),
            joined: ear.own(*joined),
            count: *count,
        },
        H::GroupFormed { group, by, cost } => Perceived::GroupFormed {
            group: ear.own(*group),
            by: ear.own(*by),
            cost: *cost,
        },
        H::GroupJoined { army, group } => Perceived::GroupJoined {
            army: ear.own(*army),
            group: ear.own(*group),
        },
        H::GroupLeft { army, group } => Perceived::GroupLeft {
            army: ear.own(*army),
            group: ear.own(*group),
        },
        H::GroupDissolved { group } => Perceived::GroupDissolved { group: ear.own(*group) },
        H::GatePassed { army, from, to } => Perceived::GatePassed {
            army: ear.own(*army),
            from: ear.place(*from),
            to: ear.place(*to),
        },
        _ => return magic(ear, what),
    })
}

/// Priests, wizards and demons.
fn magic(ear: Ear<'_>, what: &Happening) -> Option<Perceived> {
    use Happening as H;
    Some(match what {
        H::FieldBlessed { priest, field, cost } => Perceived::FieldBlessed {
            priest: ear.own(*priest),
            place: ear.place(*field),
            cost: *cost,
        },
        H::DemonsBanished { demons, field, .. } => Perceived::DemonsBanished {
            demons: ear.shown(demons),
            count: demons.count,
            place: ear.place(*field),
        },
        H::ArchdemonWeakened { demon, field, lost, .. } => Perceived::ArchdemonWeakened {
            demon: ear.shown(demon),
            place: ear.place(*field),
            lost: *lost,
        },
        H::MonstersCalmed { monsters, field, .. } => Perceived::MonstersCalmed {
            monsters: ear.own(*monsters),
            place: ear.place(*field),
        },
        H::DemonsSummoned {
            wizard,
            demon,
            count,
            cost,
        } => Perceived::DemonsSummoned {
            wizard: ear.own(*wizard),
            demon: ear.own(*demon),
            count: *count,
            cost: *cost,
        },
        H::DemonFreed { was, why, .. } => Perceived::DemonFreed {
            demon: ear.own(*was),
            why: *why,
        },
        H::HoldBroken {
            wizard,
            demon,
            field,
            cost,
        } => Perceived::HoldBroken {
            wizard: ear.own(*wizard),
            demon: ear.shown(demon),
            place: ear.place(*field),
            cost: *cost,
        },
        H::ArmiesTamed {
            wizard,
            field,
            armies,
            cost,
        } => Perceived::ArmiesTamed {
            wizard: ear.own(*wizard),
            place: ear.place(*field),
            armies: armies.iter().map(|(_, now, count)| (ear.own(*now), *count)).collect(),
            cost: *cost,
        },
        H::ArmyAccelerated {
            wizard,
            army,
            cost,
            points,
        } => Perceived::ArmyAccelerated {
            wizard: ear.own(*wizard),
            army: ear.own(*army),
            cost: *cost,
            points: *points,
        },
        H::DemonsReturned { demon, lost } => Perceived::DemonsReturned {
            demon: ear.own(*demon),
            lost: *lost,
        },
        H::WizardTrained { wizard, cost } => Perceived::WizardTrained {
            wizard: ear.own(*wizard),
            cost: *cost,
        },
        H::ControlPaid { wizard, cost } => Perceived::ControlPaid {
            wizard: ear.own(*wizard),
            cost: *cost,
        },
        _ => return None,
    })
}

/// The weeks.
fn in_week(ear: Ear<'_>, what: &Happening) -> Option<Perceived> {
    use Happening as H;
    Some(match what {
        H::StepFailed { army, direction, why } => Perceived::StepFailed {
            army: ear.own(*army),
            direction: *direction,
            why: *why,
        },
        // The game master reads where armies stand, not every step they made.
        H::ArmyMoved { .. } if ear.viewer == Viewer::GameMaster => return None,
        H::ArmyMoved {
            army,
            from,
            to,
            cost,
            points_left,
        } => Perceived::ArmyMoved {
            army: ear.own(*army),
            from: ear.place(*from),
            to: ear.place(*to),
            cost: *cost,
            points_left: *points_left,
        },
        H::LostOnTerrain {
            army,
            field,
            share,
            lost,
        } => Perceived::LostOnTerrain {
            army: ear.own(*army),
            place: ear.place(*field),
            terrain: ear.state.field(*field).terrain,
            share: Some(*share),
            lost: *lost,
        },
        H::LostInRiver { army, to, share, lost } => Perceived::LostInRiver {
            army: ear.own(*army),
            to: ear.place(*to),
            share: Some(*share),
            lost: *lost,
        },
        H::LostAtWall {
            army,
            field,
            percent,
            lost,
            ..
        } => Perceived::LostAtWall {
            army: ear.shown(army),
            place: ear.place(*field),
            share: ear.is(army.id.realm).then_some(Share {
                percent: *percent,
                of: army.count,
            }),
            lost: *lost,
        },
        H::HeldUp { army, field } => Perceived::HeldUp {
            army: ear.own(*army),
            place: ear.place(*field),
        },
        H::Embarked { army, fleet } => Perceived::Embarked {
            army: ear.own(*army),
            fleet: ear.own(*fleet),
        },
        H::Landed { army, field } => Perceived::Landed {
            army: ear.own(*army),
            place: ear.place(*field),
        },
        H::CargoLost { army, fleet, lost } => Perceived::CargoLost {
            army: ear.own(*army),
            fleet: ear.own(*fleet),
            lost: *lost,
        },
        H::Shot {
            army,
            field,
            cost,
            target,
            after,
        } => Perceived::Shot {
            army: ear.shown(army),
            place: ear.place(*field),
            cost: *cost,
            target: FighterSeen {
                who: ear.shown(target),
                before: target.count,
                after: *after,
                own: None,
            },
        },
        H::HelpersCalled {
            demon, field, count, ..
        } => Perceived::HelpersCalled {
            demon: ear.shown(demon),
            place: ear.place(*field),
            count: *count,
        },
        H::Fought { field, fighters, .. } => Perceived::Fought {
            place: ear.place(*field),
            fighters: ear.fighters(fighters),
        },
        H::StrengthReckoned { field, fighters, .. } => Perceived::StrengthReckoned {
            place: ear.place(*field),
            fighters: ear.fighters(fighters),
        },
        H::BootyTaken { realm, field, gold } => Perceived::BootyTaken {
            realm: *realm,
            place: ear.place(*field),
            gold: *gold,
        },
        H::ArmyLost { army, field, why } => Perceived::ArmyLost {
            army: ear.own(*army),
            place: ear.place(*field),
            why: *why,
        },
        H::Plundered {
            army,
            field,
            gold,
            yield_percent,
            ..
        } if ear.is(army.realm) => Perceived::Plundered {
            army: ear.own(*army),
            place: ear.place(*field),
            gold: *gold,
            yield_percent: *yield_percent,
        },
        H::Plundered {
            field, yield_percent, ..
        } => Perceived::FieldPlundered {
            place: ear.place(*field),
            yield_percent: *yield_percent,
        },
        H::Traded {
            army,
            field,
            gold,
            lost,
            distance,
            ..
        } if ear.is(army.realm) => Perceived::Traded {
            army: ear.own(*army),
            place: ear.place(*field),
            gold: *gold,
            lost: *lost,
            distance: *distance,
        },
        H::Traded { field, owner_gold, .. } => Perceived::StrangersTraded {
            place: ear.place(*field),
            gold: *owner_gold,
        },
        // The game master sees where armies stand at the end, not what each realm made of it.
        H::WeekSeen { realm, sight } if ear.viewer == Viewer::Realm(*realm) => {
            Perceived::WeekSeen(week_seen(ear, *realm, sight))
        }
        _ => return None,
    })
}

/// The share of one realm in the sightings of a week: the fields of its armies and their neighbours, each once
/// (THO-SIGHT-01).
fn week_seen(ear: Ear<'_>, realm: RealmId, sight: &WeekSight) -> WeekSeen {
    let mut week = WeekSeen::default();
    let Some(posts) = sight.of(realm) else { return week };
    let standing = posts
        .outlooks
        .iter()
        .map(|outlook| sight.standing.count_on(outlook.field));
    week.armies.reserve_exact(standing.sum());
    week.fields.reserve_exact(posts.outlooks.len());
    let own = posts.places.iter();
    week.own.extend(own.map(|(name, field)| (*name, ear.place(*field))));
    let outlooks = posts.outlooks.iter();
    let mut fields: Vec<(Place, &Outlook)> = outlooks.map(|outlook| (ear.place(outlook.field), outlook)).collect();
    fields.sort_unstable_by_key(|(place, _)| *place);
    let visible = |army: &Shown| army.flag != Flag::Unseen || ear.is(army.id.realm);
    for (place, outlook) in fields {
        let Some(ground) = sight.ground.get(outlook.field.index()) else {
            continue;
        };
        let before = week.armies.len();
        let standing = sight.standing.on(outlook.field).filter(visible);
        add_seen_armies(&mut week.armies, ear.tables, ear.viewer, standing);
        week.fields.push(FieldSeen {
            place,
            glimpse: ground.limited(outlook),
            armies: u32::try_from(week.armies.len() - before).unwrap_or(u32::MAX),
        });
    }
    week
}

/// The end of the turn, and words.
fn at_end(ear: Ear<'_>, what: &Happening) -> Option<Perceived> {
    use Happening as H;
    Some(match what {
        H::TerritorySeen { realm, fields } if ear.viewer == Viewer::Realm(*realm) => {
            let seen = |armies: &[Shown]| seen_armies(ear.tables, ear.viewer, armies.iter().copied());
            Perceived::TerritorySeen {
                fields: fields
                    .iter()
                    .map(|(field, armies)| (ear.place(*field), seen(armies)))
                    .collect(),
            }
        }
        H::FieldConquered {
            army,
            field,
            from,
            building,
        } if ear.is(army.realm) => Perceived::FieldConquered {
            army: ear.own(*army),
            place: ear.place(*field),
            from: *from,
            building: *building,
        },
        H::FieldConquered { army, field, .. } => Perceived::FieldLost {
            place: ear.place(*field),
            to: army.realm,
        },
        H::BuildingChanged {
            field,
            from,
            to,
            condition,
            ..
        } => Perceived::BuildingChanged {
            place: ear.place(*field),
            from: *from,
            to: *to,
            condition: *condition,
        },
        H::BuildingDamaged {
            army,
            field,
            building,
            condition,
            ..
        } if ear.is(army.realm) => Perceived::BuildingDamaged {
            army: ear.own(*army),
            place: ear.place(*field),
            building: *building,
            condition: *condition,
        },
        H::BuildingDamaged {
            field,
            building,
            condition,
            ..
        } => Perceived::DamageSuffered {
            place: ear.place(*field),
            building: *building,
            condition: *condition,
        },
        H::NetworkTorn {
            army,
            field,
            network,
            direction,
            ..
        } if ear.is(army.realm) => Perceived::NetworkTorn {
            army: ear.own(*army),
            place: ear.place(*field),
            network: *network,
            direction: *direction,
        },
        H::NetworkTorn {
            field,
            network,
            direction,
            ..
        } => Perceived::NetworkLost {
            place: ear.place(*field),
            network: *network,
            direction: *direction,
        },
        H::RuinCleared { army, field, building } => Perceived::RuinCleared {
            army: ear.own(*army),
            place: ear.place(*field),
            building: *building,
        },
        H::Settled { realm, settlement } => Perceived::Settled {
            realm: *realm,
            settlement: settlement.clone(),
        },
        H::Deserted { realm, short, men } => Perceived::Deserted {
            realm: *realm,
            short: *short,
            men: *men,
        },
        H::MinePaid { field, gold, .. } => Perceived::MinePaid {
            place: ear.place(*field),
            gold: *gold,
        },
        H::MineExhausted { field, .. } => Perceived::MineExhausted {
            place: ear.place(*field),
        },
        H::VeinSought { field, found, .. } => Perceived::VeinSought {
            place: ear.place(*field),
            found: *found,
        },
        H::GoldSent { from, to, amount } => Perceived::GoldSent {
            from: *from,
            to: *to,
            amount: *amount,
        },
        H::LandCeded { from, to, field } => Perceived::LandCeded {
            from: *from,
            to: *to,
            place: ear.place(*field),
        },
        H::TreatyChanged { one, other, treaty } => {
            let turned = ear.viewer == Viewer::Realm(*other);
            let (one, other) = if turned { (*other, *one) } else { (*one, *other) };
            Perceived::TreatyChanged {
                one,
                other,
                treaty: *treaty,
            }
        }
        H::TreatyWished { realm, other, treaty } => Perceived::TreatyWished {
            realm: *realm,
            other: *other,
            treaty: *treaty,
        },
        H::FieldRevolted { field, .. } => Perceived::FieldRevolted {
            place: ear.place(*field),
        },
        H::WorkFinished {
            field, building, name, ..
        } => Perceived::WorkFinished {
            place: ear.place(*field),
            building: *building,
            name: name.clone(),
        },
        H::CapitalLost { realm, field, loot } => Perceived::CapitalLost {
            realm: *realm,
            loot: *loot,
            place: ear.place(*field),
        },
        H::RealmEliminated { realm } => Perceived::RealmEliminated { realm: *realm },
        H::BlessingEnded { field, .. } => Perceived::BlessingEnded {
            place: ear.place(*field),
        },
        H::MonstersGrew { army, count } if ear.viewer == Viewer::GameMaster => Perceived::MonstersGrew {
            army: ear.own(*army),
            count: *count,
        },
        H::MonstersAppeared { army, field, count } if ear.viewer == Viewer::GameMaster => Perceived::MonstersAppeared {
            army: ear.own(*army),
            place: ear.place(*field),
            count: *count,
        },
        H::AccountCharged { realm, fee } => Perceived::AccountCharged {
            realm: *realm,
            fee: *fee,
        },
        H::RealmScored { realm, score } if ear.viewer == Viewer::GameMaster || ear.tables.ranking.published => {
            Perceived::RealmScored {
                realm: *realm,
                score: *score,
            }
        }
        H::MessageSent { from, to, text } => message(ear, *from, *to, text),
        H::GameMasterWrote { to, text } => Perceived::GameMasterWrote {
            to: address(*to),
            text: text.clone(),
        },
        _ => return None,
    })
}

const fn address(to: Recipient) -> Address {
    match to {
        Recipient::Realm(realm) => Address::Realm(realm),
        Recipient::GameMaster => Address::GameMaster,
        Recipient::Everyone => Address::Everyone,
        Recipient::Rumour => Address::Rumour,
    }
}

/// THO-MSG-01: a rumour carries no trace of its sender, not even for himself; the game master knows.
fn message(ear: Ear<'_>, from: RealmId, to: Recipient, text: &[String]) -> Perceived {
    let named = to != Recipient::Rumour || ear.viewer == Viewer::GameMaster;
    let name = ear
        .state
        .realms
        .get(&from)
        .filter(|_| named)
        .map(|realm| realm.name.clone());
    Perceived::Message {
        from: named.then_some(from),
        name: name.unwrap_or_default(),
        to: address(to),
        text: text.to_vec(),
    }
}
