//! Beside the turns: announcements to all players, the game master's notes about realms, fees and balances.

use crate::db::{Subject, Tx, values};
use crate::desk::DeskError;
use crate::error::HostError;
use crate::store::{Host, note, now};
use crate::world::{World, number};
use crate::{Result, limits};
use kernel::realm::RealmId;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Entries of the ledger and announcements of a world.
const ENTRIES: i64 = 100_000;

/// The largest sum that can be booked at once, in cents.
pub const CENTS: i64 = 100_000_000;

/// Something that all players of a world are told outside the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Announcement {
    /// Its number in the world.
    pub number: u32,
    /// What it is about.
    pub title: String,
    /// What it says.
    pub text: String,
    /// When it was given.
    pub given_at: i64,
}

/// An entry of a realm's account with the host.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Booking {
    /// Its number.
    pub number: u32,
    /// Paid in (positive) or charged (negative), in cents.
    pub cents: i64,
    /// What for.
    pub reason: String,
    /// When.
    pub booked_at: i64,
}

impl Host {
    /// Announces something to all players of a world.
    pub async fn announce(&self, world: &World, title: &str, text: &str) -> Result<u32> {
        check_line(title)?;
        check_text("announcement", text)?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let (last,): (i64,) = tx
            .one(
                "SELECT COALESCE(MAX(number), 0) FROM announcements WHERE world = $1",
                &values![&world.id],
            )
            .await?;
        check_room("announcements", last)?;
        tx.execute(
            "INSERT INTO announcements (world, number, title, text, given_at) VALUES ($1, $2, $3, $4, $5)",
            &values![&world.id, last + 1, title, text, now()],
        )
        .await?;
        note(&mut tx, &world.id, "announcement", title).await?;
        tx.commit().await?;
        number(last + 1, "number of an announcement")
    }

    /// The announcements of a world, newest first.
    pub async fn announcements(&self, world: &World, count: u32) -> Result<Vec<Announcement>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, String, String, i64)> = tx
            .all(
                "SELECT number, title, text, given_at FROM announcements WHERE world = $1 ORDER BY number DESC LIMIT $2",
                &values![&world.id, count],
            )
            .await?;
        rows.into_iter()
            .map(|(given, title, text, given_at)| {
                Ok(Announcement {
                    number: number(given, "number of an announcement")?,
                    title,
                    text,
                    given_at,
                })
            })
            .collect()
    }

    /// Writes the game master's note about a realm, or about the world; an empty one wipes it out.
    pub async fn write_note(&self, world: &World, realm: Option<RealmId>, text: &str) -> Result<()> {
        check_text("note", text)?;
        let realm = realm.map_or(0, |realm| i64::from(realm.0));
        let mut tx = self.write(Subject::World(&world.id)).await?;
        tx.execute(
            "DELETE FROM notes WHERE world = $1 AND realm = $2",
            &values![&world.id, realm],
        )
        .await?;
        if !text.is_empty() {
            tx.execute(
                "INSERT INTO notes (world, realm, text, written_at) VALUES ($1, $2, $3, $4)",
                &values![&world.id, realm, text, now()],
            )
            .await?;
        }
        tx.commit().await
    }

    /// The game master's notes: about the world (nothing) and about realms.
    pub async fn notes(&self, world: &World) -> Result<Vec<(Option<RealmId>, String)>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, String)> = tx
            .all(
                "SELECT realm, text FROM notes WHERE world = $1 ORDER BY realm",
                &values![&world.id],
            )
            .await?;
        rows.into_iter()
            .map(|(realm, text)| {
                let realm: u16 = number(realm, "number of a realm")?;
                Ok(((realm != 0).then_some(RealmId(realm)), text))
            })
            .collect()
    }

    /// Books a payment (positive) or a fee (negative) of a realm; tells its balance.
    pub async fn book(&self, world: &World, realm: RealmId, cents: i64, reason: &str) -> Result<i64> {
        check_booking(cents, reason)?;
        self.seat(world, realm).await?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let balance = book(&mut tx, world, realm, cents, reason).await?;
        tx.commit().await?;
        Ok(balance)
    }

    /// Books the same payment or fee of several realms, all or none.
    pub async fn book_all(&self, world: &World, realms: &[RealmId], cents: i64, reason: &str) -> Result<()> {
        check_booking(cents, reason)?;
        // A realm that is named twice is meant once.
        let realms: BTreeSet<RealmId> = realms.iter().copied().collect();
        for realm in &realms {
            self.seat(world, *realm).await?;
        }
        let mut tx = self.write(Subject::World(&world.id)).await?;
        for realm in realms {
            book(&mut tx, world, realm, cents, reason).await?;
        }
        tx.commit().await
    }

    /// The balances of all realms for which something was booked, in cents, by realm.
    pub async fn balances(&self, world: &World) -> Result<BTreeMap<RealmId, i64>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, i64)> = tx
            .all(
                "SELECT realm, CAST(SUM(cents) AS BIGINT) FROM ledger WHERE world = $1 GROUP BY realm ORDER BY realm",
                &values![&world.id],
            )
            .await?;
        rows.into_iter()
            .map(|(realm, cents)| Ok((RealmId(number(realm, "number of a realm")?), cents)))
            .collect()
    }

    /// A realm's account: its balance in cents and its bookings, newest first.
    pub async fn ledger(&self, world: &World, realm: RealmId) -> Result<(i64, Vec<Booking>)> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, i64, String, i64)> = tx
            .all(
                "SELECT number, cents, reason, booked_at FROM ledger WHERE world = $1 AND realm = $2 ORDER BY number DESC",
                &values![&world.id, realm],
            )
            .await?;
        let mut balance = 0;
        let mut bookings = Vec::new();
        for (booked, cents, reason, booked_at) in rows {
            balance += cents;
            bookings.push(Booking {
                number: number(booked, "number of a booking")?,
                cents,
                reason,
                booked_at,
            });
        }
        Ok((balance, bookings))
    }
}

/// A title, or what a booking is for.
fn check_line(text: &str) -> Result<()> {
    crate::world::check_name(text).map_err(|_| DeskError::BadLine.into())
}

fn check_booking(cents: i64, reason: &str) -> Result<()> {
    check_line(reason)?;
    match cents != 0 && cents.abs() <= CENTS {
        true => Ok(()),
        false => Err(DeskError::BadSum.into()),
    }
}

fn check_text(what: &'static str, text: &str) -> Result<()> {
    let length = text.chars().count();
    if length > limits::JUDGEMENT_CHARACTERS {
        return Err(HostError::TooLarge {
            what,
            size: length as u64,
            limit: limits::JUDGEMENT_CHARACTERS as u64,
        });
    }
    Ok(())
}

fn check_room(what: &'static str, last: i64) -> Result<()> {
    if last >= ENTRIES {
        return Err(HostError::TooLarge {
            what,
            size: last.unsigned_abs() + 1,
            limit: ENTRIES.unsigned_abs(),
        });
    }
    Ok(())
}

/// Books within a transaction; tells the balance.
async fn book(tx: &mut Tx, world: &World, realm: RealmId, cents: i64, reason: &str) -> Result<i64> {
    let (last, balance): (i64, i64) = tx
        .one(
            "SELECT COALESCE(MAX(number), 0), CAST(COALESCE(SUM(cents), 0) AS BIGINT) FROM ledger \
             WHERE world = $1 AND realm = $2",
            &values![&world.id, realm],
        )
        .await?;
    check_room("bookings", last)?;
    tx.execute(
        "INSERT INTO ledger (world, realm, number, cents, reason, booked_at) VALUES ($1, $2, $3, $4, $5, $6)",
        &values![&world.id, realm, last + 1, cents, reason, now()],
    )
    .await?;
    note(
        tx,
        &world.id,
        "booking",
        &format!("realm {realm}: {cents} cents, {reason}"),
    )
    .await?;
    Ok(balance + cents)
}
