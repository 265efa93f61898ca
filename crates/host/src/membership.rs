//! Who leads a world and who plays in it: game masters, holders of seats, invitations, stand-ins, the public list.

use crate::account::{self, Account, AccountError};
use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::store::{Host, note};
use crate::world::{self, Seat, World, number};
use crate::{Result, limits};
use kernel::realm::RealmId;
use serde::Serialize;
use std::collections::BTreeMap;

mod export;
mod invitation;
mod seat;

pub(crate) use export::export;
pub use invitation::{Invitation, Invited, NewInvitation};
pub use seat::{Join, Joined, StandIn};

/// The player's name of a seat that nobody holds.
pub const NOBODY: &str = "-";

/// What is asked of a world's circle that cannot be granted. [`MembershipError::code`] is the key of its wording.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MembershipError {
    /// The world takes nobody in this way.
    #[error("nobody can join this world without an invitation")]
    NotOpen,
    /// The invitation is unknown, used up, expired or for something else; which is not said.
    #[error("the invitation does not hold (any more)")]
    BadCode,
    /// The seat is held by somebody, or not to be had.
    #[error("this seat is not to be had")]
    SeatTaken,
    /// No seat is left.
    #[error("no seat is left in this world")]
    Full,
    /// The account plays in this world already.
    #[error("this account plays in this world already")]
    AlreadyPlays,
    /// The account leads this world: who knows everything cannot play.
    #[error("this account leads this world: who knows everything cannot play")]
    AlreadyLeads,
    /// The account has no part in this world.
    #[error("this account has no part in this world")]
    NoMember,
    /// The only game master cannot go.
    #[error("the only game master stays one")]
    LastMaster,
    /// Another realm of this world has this name.
    #[error("another realm of this world has this name")]
    RealmNameTaken,
    /// The name of a realm can be taken for another one, or for those who lead.
    #[error("the name of the realm can be taken for another one or for those who lead")]
    MisleadingName,
    /// The period ends before it begins, or is too long.
    #[error("a period must end after it begins, within two years")]
    BadPeriod,
}

impl MembershipError {
    /// Key of the wording.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotOpen => "membership-not-open",
            Self::BadCode => "membership-bad-code",
            Self::SeatTaken => "membership-seat-taken",
            Self::Full => "membership-full",
            Self::AlreadyPlays => "membership-already-plays",
            Self::AlreadyLeads => "membership-already-leads",
            Self::NoMember => "membership-no-member",
            Self::LastMaster => "membership-last-master",
            Self::RealmNameTaken => "membership-realm-name-taken",
            Self::MisleadingName => "membership-misleading-name",
            Self::BadPeriod => "membership-bad-period",
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::NoMember => 3,
            Self::BadPeriod | Self::MisleadingName => 8,
            Self::AlreadyPlays | Self::AlreadyLeads | Self::LastMaster | Self::RealmNameTaken => 4,
            Self::NotOpen | Self::BadCode | Self::SeatTaken | Self::Full => 13,
        }
    }
}

/// How people come into a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Admission {
    /// Anybody may take a vacant seat; the world stands in the public list.
    Public,
    /// With a code.
    Invitation,
    /// Nobody.
    Closed,
}

impl Admission {
    fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Invitation => "invitation",
            Self::Closed => "closed",
        }
    }

    fn parse(text: &str) -> Result<Self> {
        match text {
            "public" => Ok(Self::Public),
            "invitation" => Ok(Self::Invitation),
            "closed" => Ok(Self::Closed),
            other => Err(HostError::Damaged(format!("admission of a world {other:?}").into())),
        }
    }
}

/// What an account is in a world.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Membership {
    /// Whether it leads the world.
    pub master: bool,
    /// The seat it holds.
    pub seat: Option<RealmId>,
    /// Seats for which it may act at present.
    pub stands_in: Vec<RealmId>,
}

impl Membership {
    /// Whether there is any part at all.
    pub fn is_any(&self) -> bool {
        self.master || self.seat.is_some() || !self.stands_in.is_empty()
    }

    /// Whether it may act for this realm: read what it knows, send its orders.
    pub fn acts_for(&self, realm: RealmId) -> bool {
        self.seat == Some(realm) || self.stands_in.contains(&realm)
    }
}

/// A game master, or the holder of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Member {
    /// The seat; nothing for a game master.
    pub realm: Option<RealmId>,
    /// Id of the account.
    pub account: String,
    /// Its name.
    pub name: String,
    /// Since when.
    pub since: i64,
}

/// A world of the public list.
#[derive(Clone, Debug, Serialize)]
pub struct PublicWorld {
    /// The world.
    pub world: World,
    /// What its game master says about it.
    pub introduction: String,
    /// Number of seats.
    pub seats: u32,
    /// Seats that can be had.
    pub vacant: Vec<Seat>,
}

impl Host {
    /// How people come into the world, and what the public list says about it.
    pub async fn admission(&self, world: &World) -> Result<(Admission, String)> {
        let mut tx = self.read().await?;
        admission(&mut tx, &world.id).await
    }

    /// Opens or closes a world and says something about it.
    pub async fn set_admission(&self, world: &World, admission: Admission, introduction: &str) -> Result<()> {
        let length = introduction.chars().count();
        if length > limits::INTRODUCTION_CHARACTERS {
            return Err(HostError::TooLarge {
                what: "introduction",
                size: length as u64,
                limit: limits::INTRODUCTION_CHARACTERS as u64,
            });
        }
        let mut tx = self.write(Subject::World(&world.id)).await?;
        tx.execute(
            "UPDATE worlds SET admission = $2, introduction = $3 WHERE id = $1",
            &values![&world.id, admission.as_str(), introduction],
        )
        .await?;
        note(&mut tx, &world.id, "admission", admission.as_str()).await?;
        tx.commit().await
    }

    /// Worlds that anybody may join or will be able to join again, by name.
    pub async fn public_worlds(&self) -> Result<Vec<PublicWorld>> {
        let mut tx = self.read().await?;
        let mut found = Vec::new();
        for world in world::all(&mut tx).await? {
            let (admission, introduction) = admission(&mut tx, &world.id).await?;
            if admission != Admission::Public {
                continue;
            }
            let seats = world::seats(&mut tx, &world.id).await?;
            let open = vacancies(&mut tx, &world.id).await?;
            found.push(PublicWorld {
                introduction,
                seats: seats.len() as u32,
                vacant: seats
                    .into_iter()
                    .filter(|seat| open.get(&seat.realm) == Some(&true))
                    .collect(),
                world,
            });
        }
        Ok(found)
    }

    /// What an account is in a world.
    pub async fn membership(&self, world: &World, account: &str, now: i64) -> Result<Membership> {
        let mut tx = self.read().await?;
        membership(&mut tx, &world.id, account, now).await
    }

    /// The worlds in which an account has a part, by name.
    pub async fn memberships(&self, account: &str, now: i64) -> Result<Vec<(World, Membership)>> {
        let mut tx = self.read().await?;
        let ids: Vec<(String,)> = tx
            .all(
                "SELECT id FROM worlds WHERE id IN (SELECT world FROM game_masters WHERE account = $1) \
                 OR id IN (SELECT world FROM holders WHERE account = $1) \
                 OR id IN (SELECT world FROM stand_ins WHERE account = $1 AND from_at <= $2 AND until_at > $2) \
                 ORDER BY name",
                &values![account, now],
            )
            .await?;
        let mut found = Vec::new();
        for (id,) in ids {
            if let Some(world) = world::find(&mut tx, &id).await? {
                found.push((world, membership(&mut tx, &id, account, now).await?));
            }
        }
        Ok(found)
    }

    /// The game masters of a world, the oldest first.
    pub async fn masters(&self, world: &World) -> Result<Vec<Member>> {
        let mut tx = self.read().await?;
        let rows: Vec<(String, String, i64)> = tx
            .all(
                "SELECT g.account, a.name, g.since FROM game_masters g JOIN accounts a ON a.id = g.account \
                 WHERE g.world = $1 ORDER BY g.since, g.account",
                &values![&world.id],
            )
            .await?;
        Ok(rows
            .into_iter()
            .map(|(account, name, since)| Member {
                realm: None,
                account,
                name,
                since,
            })
            .collect())
    }

    /// Who holds which seat, by realm. Seats that nobody holds are missing.
    pub async fn holders(&self, world: &World) -> Result<Vec<Member>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, String, String, i64)> = tx
            .all(
                "SELECT h.realm, h.account, a.name, h.since FROM holders h JOIN accounts a ON a.id = h.account \
                 WHERE h.world = $1 ORDER BY h.realm",
                &values![&world.id],
            )
            .await?;
        rows.into_iter()
            .map(|(realm, account, name, since)| {
                Ok(Member {
                    realm: Some(RealmId(number(realm, "number of a realm")?)),
                    account,
                    name,
                    since,
                })
            })
            .collect()
    }

    /// Makes an account a game master of a world.
    pub async fn add_master(&self, world: &World, account: &str, now: i64) -> Result<()> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let account = living(&mut tx, account).await?;
        add_master(&mut tx, world, &account, now).await?;
        tx.commit().await
    }

    /// Somebody no longer leads a world. One game master always remains.
    pub async fn remove_master(&self, world: &World, account: &str) -> Result<()> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let account = account::account(&mut tx, account).await?;
        let (others,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM game_masters WHERE world = $1 AND account <> $2",
                &values![&world.id, &account.id],
            )
            .await?;
        if others == 0 {
            return Err(MembershipError::LastMaster.into());
        }
        let gone = tx
            .execute(
                "DELETE FROM game_masters WHERE world = $1 AND account = $2",
                &values![&world.id, &account.id],
            )
            .await?;
        if gone == 0 {
            return Err(MembershipError::NoMember.into());
        }
        note(&mut tx, &world.id, "game master left", &account.name).await?;
        tx.commit().await
    }
}

async fn living(tx: &mut Tx, id: &str) -> Result<Account> {
    let account = account::account(tx, id).await?;
    match account.deleted {
        true => Err(AccountError::Unknown(id.to_owned()).into()),
        false => Ok(account),
    }
}

async fn admission(tx: &mut Tx, world: &str) -> Result<(Admission, String)> {
    let (admission, introduction): (String, String) = tx
        .one(
            "SELECT admission, introduction FROM worlds WHERE id = $1",
            &values![world],
        )
        .await?;
    Ok((Admission::parse(&admission)?, introduction))
}

async fn membership(tx: &mut Tx, world: &str, account: &str, now: i64) -> Result<Membership> {
    let master: Option<(i64,)> = tx
        .maybe(
            "SELECT since FROM game_masters WHERE world = $1 AND account = $2",
            &values![world, account],
        )
        .await?;
    let seat: Option<(i64,)> = tx
        .maybe(
            "SELECT realm FROM holders WHERE world = $1 AND account = $2",
            &values![world, account],
        )
        .await?;
    let stands_in: Vec<(i64,)> = tx
        .all(
            "SELECT realm FROM stand_ins WHERE world = $1 AND account = $2 AND from_at <= $3 AND until_at > $3 \
             ORDER BY realm",
            &values![world, account, now],
        )
        .await?;
    let realm = |(realm,): (i64,)| Ok::<_, HostError>(RealmId(number(realm, "number of a realm")?));
    Ok(Membership {
        master: master.is_some(),
        seat: seat.map(realm).transpose()?,
        stands_in: stands_in.into_iter().map(realm).collect::<Result<_>>()?,
    })
}

/// The seats that nobody holds, and whether they are vacant.
async fn vacancies(tx: &mut Tx, world: &str) -> Result<BTreeMap<RealmId, bool>> {
    let rows: Vec<(i64, i64)> = tx
        .all(
            "SELECT s.realm, s.vacant FROM seats s WHERE s.world = $1 AND NOT EXISTS \
             (SELECT h.realm FROM holders h WHERE h.world = s.world AND h.realm = s.realm) ORDER BY s.realm",
            &values![world],
        )
        .await?;
    rows.into_iter()
        .map(|(realm, vacant)| Ok((RealmId(number(realm, "number of a realm")?), vacant != 0)))
        .collect()
}

async fn add_master(tx: &mut Tx, world: &World, account: &Account, now: i64) -> Result<()> {
    let before = membership(tx, &world.id, &account.id, now).await?;
    if before.master {
        return Err(MembershipError::AlreadyLeads.into());
    }
    if before.seat.is_some() {
        return Err(MembershipError::AlreadyPlays.into());
    }
    let (count,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM game_masters WHERE world = $1",
            &values![&world.id],
        )
        .await?;
    if count >= limits::MASTERS {
        return Err(HostError::TooLarge {
            what: "game-masters",
            size: count.unsigned_abs() + 1,
            limit: limits::MASTERS.unsigned_abs(),
        });
    }
    tx.execute(
        "INSERT INTO game_masters (world, account, since) VALUES ($1, $2, $3)",
        &values![&world.id, &account.id, now],
    )
    .await?;
    // Who knows everything looks after no realm either.
    tx.execute(
        "DELETE FROM stand_ins WHERE world = $1 AND account = $2",
        &values![&world.id, &account.id],
    )
    .await?;
    note(tx, &world.id, "game master", &account.name).await
}

/// Takes a person out of all worlds.
pub(crate) async fn leave_all(host: &Host, tx: &mut Tx, account: &Account) -> Result<()> {
    let seats: Vec<(String, i64)> = tx
        .all(
            "SELECT world, realm FROM holders WHERE account = $1 ORDER BY world",
            &values![&account.id],
        )
        .await?;
    for (world, realm) in seats {
        tx.hold(Subject::World(&world)).await?;
        let realm = RealmId(number(realm, "number of a realm")?);
        if let Some(world) = world::find(tx, &world).await? {
            seat::vacate(host, tx, &world, realm, "player left").await?;
        }
    }
    tx.execute("DELETE FROM stand_ins WHERE account = $1", &values![&account.id])
        .await?;
    tx.execute("DELETE FROM visits WHERE account = $1", &values![&account.id])
        .await?;
    tx.execute("DELETE FROM reminders WHERE account = $1", &values![&account.id])
        .await?;
    tx.execute("DELETE FROM game_masters WHERE account = $1", &values![&account.id])
        .await?;
    tx.execute(
        "UPDATE invitations SET created_by = NULL WHERE created_by = $1",
        &values![&account.id],
    )
    .await?;
    Ok(())
}
