//! Reminders before a deadline: once each, to those who owe orders and have sent none.

use super::{deadline, job_key, open_step};
use crate::Result;
use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::job::{self, Kind};
use crate::limits;
use crate::outbox::{self, NewMail};
use crate::store::{Host, note};
use crate::unfit::Unfit;
use crate::world::{World, number};
use kernel::realm::RealmId;
use serde_json::json;
use std::collections::BTreeMap;

/// When people are reminded who said nothing: minutes before the deadline.
pub const REMINDERS: [u32; 2] = [2 * 24 * 60, 12 * 60];

/// Somebody who may be reminded, and when.
struct Reader {
    account: String,
    realm: RealmId,
    minutes: Vec<u32>,
}

fn parse_minutes(text: &str) -> Vec<u32> {
    text.split(',').filter_map(|minutes| minutes.parse().ok()).collect()
}

impl Host {
    /// When an account is reminded in a world: minutes before the deadline.
    pub async fn reminders(&self, world: &World, account: &str) -> Result<Vec<u32>> {
        let mut tx = self.read().await?;
        let row: Option<(String,)> = tx
            .maybe(
                "SELECT minutes FROM reminders WHERE world = $1 AND account = $2",
                &values![&world.id, account],
            )
            .await?;
        Ok(row.map_or_else(|| REMINDERS.to_vec(), |(minutes,)| parse_minutes(&minutes)))
    }

    /// Says when an account wants to be reminded in a world; an empty list is never.
    pub async fn set_reminders(&self, world: &World, account: &str, minutes: &[u32], now: i64) -> Result<()> {
        if minutes.len() > limits::REMINDERS || minutes.iter().any(|at| *at == 0 || *at > limits::REMINDER_MINUTES) {
            return Err(HostError::Malformed(Unfit::Reminders {
                most: limits::REMINDERS,
                minutes: limits::REMINDER_MINUTES,
            }));
        }
        let text: Vec<String> = minutes.iter().map(u32::to_string).collect();
        let mut tx = self.write(Subject::World(&world.id)).await?;
        tx.execute(
            "INSERT INTO reminders (world, account, minutes) VALUES ($1, $2, $3) \
             ON CONFLICT (world, account) DO UPDATE SET minutes = $3",
            &values![&world.id, account, &text.join(",")],
        )
        .await?;
        let open = open_step(&mut tx, world).await?;
        plan(&mut tx, &world.id, open, now).await?;
        tx.commit().await
    }

    /// The game master asks everybody for orders who owes them, or one realm alone; tells how many mails that makes.
    pub async fn chase(&self, world: &World, realm: Option<RealmId>, now: i64) -> Result<usize> {
        let mut late = self.late(world).await?;
        late.retain(|of| realm.is_none_or(|realm| realm == *of));
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let open = open_step(&mut tx, world).await?;
        let due = deadline(&mut tx, &world.id, open)
            .await?
            .map(|deadline| deadline.due_at);
        let mut mails = 0;
        for reader in readers(&mut tx, &world.id, now).await? {
            if late.contains(&reader.realm) {
                let key = format!("chase {} {open} {} {now}", world.id, reader.account);
                let mail = NewMail {
                    key: &key,
                    account: &reader.account,
                    kind: "chase",
                    details: json!({ "world": world.name, "turn": open, "due_at": due }),
                    send_at: now,
                    expires_at: None,
                };
                outbox::post(&mut tx, &mail, now).await?;
                mails += 1;
            }
        }
        let detail = match realm {
            Some(realm) => format!("realm {realm} turn {open}, {mails} mails"),
            None => format!("turn {open}, {mails} mails"),
        };
        note(&mut tx, &world.id, "chased", &detail).await?;
        tx.commit().await?;
        Ok(mails)
    }

    /// Realms of people that owe orders and have sent none.
    pub(crate) async fn late(&self, world: &World) -> Result<Vec<RealmId>> {
        let (_, standings) = self.standings(world).await?;
        Ok(standings
            .into_iter()
            .filter(|standing| standing.owes && !standing.computer && standing.receipt.is_none())
            .map(|standing| standing.realm)
            .collect())
    }
}

/// Holders of seats and those who stand in for them now.
async fn readers(tx: &mut Tx, world: &str, now: i64) -> Result<Vec<Reader>> {
    let rows: Vec<(i64, String)> = tx
        .all(
            "SELECT realm, account FROM holders WHERE world = $1 UNION \
             SELECT realm, account FROM stand_ins WHERE world = $1 AND from_at <= $2 AND until_at > $2 ORDER BY 1, 2",
            &values![world, now],
        )
        .await?;
    let chosen: Vec<(String, String)> = tx
        .all(
            "SELECT account, minutes FROM reminders WHERE world = $1",
            &values![world],
        )
        .await?;
    let chosen: BTreeMap<String, String> = chosen.into_iter().collect();
    rows.into_iter()
        .map(|(realm, account)| {
            Ok(Reader {
                minutes: chosen
                    .get(&account)
                    .map_or_else(|| REMINDERS.to_vec(), |minutes| parse_minutes(minutes)),
                realm: RealmId(number(realm, "number of a realm")?),
                account,
            })
        })
        .collect()
}

/// Puts the next moment at which somebody wants to be reminded into the queue.
pub(super) async fn plan(tx: &mut Tx, world: &str, step: u32, now: i64) -> Result<()> {
    job::cancel(tx, Kind::Remind, world).await?;
    let Some(deadline) = deadline(tx, world, step).await? else {
        return Ok(());
    };
    let moments = readers(tx, world, now)
        .await?
        .into_iter()
        .flat_map(|reader| reader.minutes);
    let next = moments
        .map(|minutes| deadline.due_at - i64::from(minutes) * 60_000)
        .filter(|moment| *moment > now)
        .min();
    // Nobody may have joined yet: then it is looked at again when the usual reminder would be due.
    let usual = REMINDERS
        .iter()
        .map(|minutes| deadline.due_at - i64::from(*minutes) * 60_000)
        .filter(|moment| *moment > now)
        .min();
    match next.into_iter().chain(usual).min() {
        Some(moment) => job::enqueue(tx, Kind::Remind, &job_key(world)?, Some(world), moment, now).await,
        None => Ok(()),
    }
}

/// Writes the reminders that are due and plans the next ones.
pub(crate) async fn remind(host: &Host, world: &World, now: i64) -> Result<()> {
    let late = host.late(world).await?;
    let mut tx = host.write(Subject::World(&world.id)).await?;
    let open = open_step(&mut tx, world).await?;
    let Some(deadline) = deadline(&mut tx, &world.id, open).await? else {
        return Ok(());
    };
    for reader in readers(&mut tx, &world.id, now).await? {
        let due = reader
            .minutes
            .iter()
            .filter(|minutes| deadline.due_at - i64::from(**minutes) * 60_000 <= now)
            .min();
        let Some(minutes) = due else {
            continue;
        };
        if !late.contains(&reader.realm) || now >= deadline.due_at {
            continue;
        }
        // Of several that are due only the last is sent, and a deadline that moves is a new one.
        let key = format!(
            "remind {} {open} {} {} {minutes}",
            world.id, deadline.due_at, reader.account
        );
        let mail = NewMail {
            key: &key,
            account: &reader.account,
            kind: "reminder",
            details: json!({ "world": world.name, "turn": open, "due_at": deadline.due_at }),
            send_at: now,
            expires_at: Some(deadline.due_at),
        };
        outbox::post(&mut tx, &mail, now).await?;
    }
    plan(&mut tx, &world.id, open, now).await?;
    tx.commit().await
}
