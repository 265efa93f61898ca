//! Holding a seat: joining, leaving, standing in.

use super::invitation::{Invited, open_invitation};
use super::{Admission, MembershipError, NOBODY, add_master, admission, living, membership, vacancies};
use crate::Result;
use crate::account::Account;
use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::judgement::record_hand_over;
use crate::schedule;
use crate::store::{Host, note};
use crate::text::folded;
use crate::world::{self, Seat, World, number};
use kernel::realm::RealmId;
use serde::Serialize;

/// How somebody wants to join.
#[derive(Clone, Debug, Default)]
pub struct Join {
    /// The code of an invitation.
    pub code: Option<String>,
    /// Which seat; without one, the first that can be had.
    pub realm: Option<RealmId>,
    /// A new name of the realm.
    pub realm_name: Option<String>,
}

/// What somebody has become.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Joined {
    /// The holder of a seat.
    Player(Seat),
    /// A game master.
    Master,
}

/// Somebody who acts for a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StandIn {
    /// The seat.
    pub realm: RealmId,
    /// Id of the account.
    pub account: String,
    /// Its name.
    pub name: String,
    /// From when.
    pub from_at: i64,
    /// Until when.
    pub until_at: i64,
}

/// What those are called who lead a world. A realm of such a name could write letters as if they came from them.
const TITLES: [&str; 8] = [
    "spielleitung",
    "spielleiter",
    "spielleiterin",
    "die spielleitung",
    "der spielleiter",
    "game master",
    "the game master",
    "gamemaster",
];

fn is_title(name: &str) -> bool {
    TITLES.contains(&folded(name).as_str())
}

/// A stand-in for longer than this is a change of players.
const STAND_IN_MAX: i64 = 2 * 366 * 24 * 60 * 60 * 1000;

impl Host {
    /// Takes a seat, or the lead, by invitation or because the world is open.
    pub async fn join(&self, world: &World, account: &str, join: &Join, now: i64) -> Result<Joined> {
        if let Some(name) = &join.realm_name {
            world::check_name(name)?;
            if crate::text::misleads(name) || is_title(name) {
                return Err(MembershipError::MisleadingName.into());
            }
        }
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let account = living(&mut tx, account).await?;
        let invited = match &join.code {
            Some(code) => match open_invitation(&mut tx, code, now).await? {
                Some(invitation) if invitation.world == world.id => {
                    tx.execute(
                        "UPDATE invitations SET uses_left = uses_left - 1 WHERE code = $1",
                        &values![&invitation.code],
                    )
                    .await?;
                    invitation.to
                }
                _ => return Err(MembershipError::BadCode.into()),
            },
            None => match admission(&mut tx, &world.id).await?.0 {
                Admission::Public => Invited::Player,
                Admission::Invitation | Admission::Closed => return Err(MembershipError::NotOpen.into()),
            },
        };
        let joined = match invited {
            Invited::Master => {
                add_master(&mut tx, world, &account, now).await?;
                Joined::Master
            }
            Invited::Seat(realm) => {
                if join.realm.is_some_and(|wanted| wanted != realm) {
                    return Err(MembershipError::BadCode.into());
                }
                Joined::Player(take_seat(self, &mut tx, world, realm, &account, join.realm_name.as_deref(), now).await?)
            }
            Invited::Player => {
                let open = vacancies(&mut tx, &world.id).await?;
                let realm = match join.realm {
                    Some(realm) if open.get(&realm) == Some(&true) => realm,
                    Some(_) => return Err(MembershipError::SeatTaken.into()),
                    None => match open.iter().find(|(_, vacant)| **vacant) {
                        Some((realm, _)) => *realm,
                        None => return Err(MembershipError::Full.into()),
                    },
                };
                Joined::Player(take_seat(self, &mut tx, world, realm, &account, join.realm_name.as_deref(), now).await?)
            }
        };
        tx.commit().await?;
        Ok(joined)
    }

    /// Gives a seat that nobody holds to an account: the game master's own act, without invitation.
    pub async fn assign_seat(&self, world: &World, realm: RealmId, account: &str, now: i64) -> Result<Seat> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let account = living(&mut tx, account).await?;
        let seat = take_seat(self, &mut tx, world, realm, &account, None, now).await?;
        tx.commit().await?;
        Ok(seat)
    }

    /// Gives a seat to an account, whoever holds it: the game master replaces a player. Whoever holds it already only takes
    /// it back from the computer.
    pub async fn replace_player(&self, world: &World, realm: RealmId, account: &str, now: i64) -> Result<()> {
        let seat = self.seat(world, realm).await?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let account = living(&mut tx, account).await?;
        let part = membership(&mut tx, &world.id, &account.id, now).await?;
        if part.seat == Some(realm) && seat.computer {
            drop(tx);
            return self.reseat(world, realm, &account.name, false).await;
        }
        // Asked before anybody has to go: whoever cannot come drives nobody away.
        if part.seat.is_none() && !part.master && !vacancies(&mut tx, &world.id).await?.contains_key(&realm) {
            vacate(self, &mut tx, world, realm, "seat vacated").await?;
        }
        take_seat(self, &mut tx, world, realm, &account, None, now).await?;
        tx.commit().await
    }

    /// Makes a seat that nobody holds vacant, so that others may take it; the computer plays it meanwhile.
    pub async fn vacate_seat(&self, world: &World, realm: RealmId) -> Result<()> {
        self.seat(world, realm).await?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        vacate(self, &mut tx, world, realm, "seat vacated").await?;
        tx.commit().await
    }

    /// Leaves a world: the seat becomes vacant, and the computer plays it until somebody takes it.
    pub async fn leave(&self, world: &World, account: &str) -> Result<()> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let row: Option<(i64,)> = tx
            .maybe(
                "SELECT realm FROM holders WHERE world = $1 AND account = $2",
                &values![&world.id, account],
            )
            .await?;
        let (realm,) = row.ok_or(MembershipError::NoMember)?;
        let realm = RealmId(number(realm, "number of a realm")?);
        vacate(self, &mut tx, world, realm, "player left").await?;
        tx.commit().await
    }

    /// Lets an account act for a seat for a while. A rival cannot: he would learn what the realm knows.
    pub async fn stand_in(
        &self,
        world: &World,
        realm: RealmId,
        account: &str,
        (from_at, until_at): (i64, i64),
        now: i64,
    ) -> Result<()> {
        if until_at <= from_at || until_at <= now || until_at - from_at > STAND_IN_MAX {
            return Err(MembershipError::BadPeriod.into());
        }
        self.seat(world, realm).await?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let account = living(&mut tx, account).await?;
        let part = membership(&mut tx, &world.id, &account.id, now).await?;
        if part.seat.is_some() {
            return Err(MembershipError::AlreadyPlays.into());
        }
        if part.master {
            return Err(MembershipError::AlreadyLeads.into());
        }
        tx.execute(
            "INSERT INTO stand_ins (world, realm, account, from_at, until_at, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (world, realm, account) DO UPDATE SET from_at = $4, until_at = $5",
            &values![&world.id, realm, &account.id, from_at, until_at, now],
        )
        .await?;
        let detail = format!("realm {realm} by {}", account.name);
        note(&mut tx, &world.id, "stand-in", &detail).await?;
        tx.commit().await
    }

    /// Somebody no longer stands in; tells whether he did.
    pub async fn end_stand_in(&self, world: &World, realm: RealmId, account: &str) -> Result<bool> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let gone = tx
            .execute(
                "DELETE FROM stand_ins WHERE world = $1 AND realm = $2 AND account = $3",
                &values![&world.id, realm, account],
            )
            .await?;
        if gone > 0 {
            let name: Option<(String,)> = tx
                .maybe("SELECT name FROM accounts WHERE id = $1", &values![account])
                .await?;
            let detail = format!("realm {realm} by {}", name.unwrap_or_default().0);
            note(&mut tx, &world.id, "stand-in ended", &detail).await?;
        }
        tx.commit().await?;
        Ok(gone > 0)
    }

    /// Who stands in for whom in a world, now or later.
    pub async fn stand_ins(&self, world: &World, now: i64) -> Result<Vec<StandIn>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, String, String, i64, i64)> = tx
            .all(
                "SELECT s.realm, s.account, a.name, s.from_at, s.until_at FROM stand_ins s \
                 JOIN accounts a ON a.id = s.account WHERE s.world = $1 AND s.until_at > $2 ORDER BY s.realm, s.from_at, s.account",
                &values![&world.id, now],
            )
            .await?;
        rows.into_iter()
            .map(|(realm, account, name, from_at, until_at)| {
                Ok(StandIn {
                    realm: RealmId(number(realm, "number of a realm")?),
                    account,
                    name,
                    from_at,
                    until_at,
                })
            })
            .collect()
    }
}

async fn take_seat(
    host: &Host,
    tx: &mut Tx,
    world: &World,
    realm: RealmId,
    account: &Account,
    realm_name: Option<&str>,
    now: i64,
) -> Result<Seat> {
    let before = membership(tx, &world.id, &account.id, now).await?;
    if before.master {
        return Err(MembershipError::AlreadyLeads.into());
    }
    if before.seat.is_some() {
        return Err(MembershipError::AlreadyPlays.into());
    }
    let seats = world::seats(tx, &world.id).await?;
    let Some(seat) = seats.iter().find(|seat| seat.realm == realm) else {
        return Err(HostError::UnknownRealm {
            world: world.name.clone(),
            realm,
        });
    };
    if !vacancies(tx, &world.id).await?.contains_key(&realm) {
        return Err(MembershipError::SeatTaken.into());
    }
    let name = realm_name.unwrap_or(&seat.name).to_owned();
    let twin = |other: &Seat| other.realm != realm && folded(&other.name) == folded(&name);
    if seats.iter().any(twin) {
        return Err(MembershipError::RealmNameTaken.into());
    }
    let seat = Seat {
        realm,
        name,
        player: account.name.clone(),
        kind: seat.kind.clone(),
        computer: false,
        vacant: false,
    };
    tx.execute(
        "UPDATE seats SET name = $3, player = $4, computer = 0, vacant = 0 WHERE world = $1 AND realm = $2",
        &values![&world.id, realm, &seat.name, &seat.player],
    )
    .await?;
    tx.execute(
        "INSERT INTO holders (world, realm, account, since) VALUES ($1, $2, $3, $4)",
        &values![&world.id, realm, &account.id, now],
    )
    .await?;
    record_hand_over(tx, &*host.game_of(world)?, world, realm, &seat.player, realm_name).await?;
    // Whoever stood in elsewhere in this world is a rival now.
    tx.execute(
        "DELETE FROM stand_ins WHERE world = $1 AND account = $2",
        &values![&world.id, &account.id],
    )
    .await?;
    note(
        tx,
        &world.id,
        "seat taken",
        &format!("realm {realm} by {}", account.name),
    )
    .await?;
    // Perhaps a computer begins, and has waited for somebody to play with.
    let open = host.open_step_in(tx, world).await?;
    schedule::look_on(tx, &world.id, &open, now).await?;
    Ok(seat)
}

/// Takes the seat from whoever holds it, with everybody who stands in. When he wants to be reminded and when he is away, and why, is no
/// business of whoever comes after him.
pub(super) async fn vacate(host: &Host, tx: &mut Tx, world: &World, realm: RealmId, deed: &str) -> Result<()> {
    record_hand_over(tx, &*host.game_of(world)?, world, realm, NOBODY, None).await?;
    let world = world.id.as_str();
    tx.execute(
        "DELETE FROM reminders WHERE world = $1 AND account IN (SELECT account FROM holders WHERE world = $1 AND realm = $2)",
        &values![world, realm],
    )
    .await?;
    tx.execute(
        "DELETE FROM absences WHERE world = $1 AND realm = $2",
        &values![world, realm],
    )
    .await?;
    tx.execute(
        "UPDATE seats SET player = $3, computer = 1, vacant = 1 WHERE world = $1 AND realm = $2",
        &values![world, realm, NOBODY],
    )
    .await?;
    tx.execute(
        "DELETE FROM holders WHERE world = $1 AND realm = $2",
        &values![world, realm],
    )
    .await?;
    tx.execute(
        "DELETE FROM stand_ins WHERE world = $1 AND realm = $2",
        &values![world, realm],
    )
    .await?;
    note(tx, world, deed, &format!("realm {realm}")).await
}
