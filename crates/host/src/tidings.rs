//! Mail about turns: that a report is there, that a turn was taken back, that the host could not run one.
//!
//! A mail about a report waits for some minutes. Whoever looks into the world meanwhile needs none, and a turn that is
//! taken back at once is told to nobody.

use crate::Result;
use crate::db::{Subject, Tx, values};
use crate::outbox::{self, NewMail};
use crate::store::{ACTOR, Host};
use crate::wish::MailWish;
use crate::world::{World, number};
use kernel::realm::RealmId;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How long a mail about a report waits, in milliseconds.
pub const WAITS: i64 = 5 * 60 * 1000;

/// Everybody who acts for a realm and wishes to hear of turns: holders of seats and those who stand in for them now.
const READERS: &str = "SELECT r.realm, r.account, a.turn_mail FROM (SELECT realm, account FROM holders WHERE world = $1 \
     UNION SELECT realm, account FROM stand_ins WHERE world = $1 AND from_at <= $2 AND until_at > $2) r \
     JOIN accounts a ON a.id = r.account WHERE a.turn_mail <> 'none' AND a.deleted_at IS NULL ORDER BY 2, 1";

/// A turn that was run, as far as mail tells about it.
pub(crate) struct Published<'a> {
    pub step: u32,
    /// The realms that have a report of it.
    pub plays: &'a [RealmId],
    /// How many owed orders and sent none.
    pub missing: usize,
    /// How many questions were answered with a default.
    pub requests: usize,
    /// When the next one is due.
    pub due_at: Option<i64>,
}

/// Tells of a turn that was run: players of their reports, game masters of what ran without them and lacked something.
pub(crate) async fn published(tx: &mut Tx, world: &World, turn: &Published<'_>, now: i64) -> Result<()> {
    let rows: Vec<(i64, String, String)> = tx.all(READERS, &values![&world.id, now]).await?;
    let mut readers: BTreeMap<String, (MailWish, Vec<RealmId>)> = BTreeMap::new();
    for (realm, account, wish) in rows {
        let realm = RealmId(number(realm, "number of a realm")?);
        if turn.plays.contains(&realm) {
            let reader = readers.entry(account);
            reader.or_insert((MailWish::stored(&wish)?, Vec::new())).1.push(realm);
        }
    }
    for (account, (wish, realms)) in readers {
        // With the reports of these realms; they are put into words when the mail is sent.
        let realms = if wish == MailWish::Full { realms } else { Vec::new() };
        let details = json!({
            "world": world.name, "world_id": world.id, "turn": turn.step, "due_at": turn.due_at, "reports": realms,
        });
        let key = format!("turn {} {} {account} {now}", world.id, turn.step);
        post(tx, &key, &account, "turn", details, now + WAITS, now).await?;
    }
    // Whoever runs a turn by hand knows it already, and one that lacked nothing is no business of a game master.
    if ACTOR.try_with(|_| ()).is_ok() || turn.missing + turn.requests == 0 {
        return Ok(());
    }
    for account in masters(tx, world).await? {
        let key = format!("turn-run {} {} {now} {account}", world.id, turn.step);
        let details = json!({
            "world": world.name, "world_id": world.id, "turn": turn.step, "missing": turn.missing,
            "requests": turn.requests,
        });
        post(tx, &key, &account, "turn-run", details, now, now).await?;
    }
    Ok(())
}

/// Tells of a turn that was taken back: whoever had a mail about its report hears of it, and nobody else.
pub(crate) async fn taken_back(tx: &mut Tx, world: &World, step: u32, reason: &str, now: i64) -> Result<()> {
    let (from, to) = between(&format!("turn {} {step}", world.id));
    // One that is on its way now counts as sent.
    tx.execute(
        "DELETE FROM outbox WHERE kind = 'turn' AND key >= $1 AND key < $2 AND done_at IS NULL AND lease_until <= $3",
        &values![&from, &to, now],
    )
    .await?;
    let told: Vec<(String,)> = tx
        .all(
            "SELECT DISTINCT account FROM outbox WHERE kind = 'turn' AND key >= $1 AND key < $2 AND given_up = 0 \
             ORDER BY account",
            &values![&from, &to],
        )
        .await?;
    for (account,) in told {
        let key = format!("turn-taken-back {} {step} {now} {account}", world.id);
        let details = json!({ "world": world.name, "world_id": world.id, "turn": step, "reason": reason });
        post(tx, &key, &account, "turn-taken-back", details, now, now).await?;
    }
    Ok(())
}

impl Host {
    /// Somebody looks into a world: what a waiting mail would tell he sees himself.
    pub async fn saw_report(&self, world: &World, account: &str, now: i64) -> Result<()> {
        let (from, to) = between(&format!("turn {}", world.id));
        let mut tx = self.read().await?;
        let waiting: Option<(String,)> = tx
            .maybe(
                "SELECT id FROM outbox WHERE done_at IS NULL AND kind = 'turn' AND account = $1 AND key >= $2 AND key < $3 \
                 LIMIT 1",
                &values![account, &from, &to],
            )
            .await?;
        drop(tx);
        // Looking comes first: reading a page must not write.
        if waiting.is_none() {
            return Ok(());
        }
        let mut tx = self.write(Subject::Account(account)).await?;
        tx.execute(
            "DELETE FROM outbox WHERE done_at IS NULL AND kind = 'turn' AND account = $1 AND key >= $2 AND key < $3 \
             AND lease_until <= $4",
            &values![account, &from, &to, now],
        )
        .await?;
        tx.commit().await
    }
}

/// The bounds of all keys that begin with these words and a blank: behind the blank comes the exclamation mark.
fn between(words: &str) -> (String, String) {
    (format!("{words} "), format!("{words}!"))
}

/// Tells the game masters that the host could not run a turn.
pub(crate) async fn failed(tx: &mut Tx, world: &World, step: u32, error: &str, now: i64) -> Result<()> {
    for account in masters(tx, world).await? {
        let key = format!("turn-failed {} {step} {account}", world.id);
        let details = json!({ "world": world.name, "world_id": world.id, "turn": step, "error": error });
        post(tx, &key, &account, "turn-failed", details, now, now).await?;
    }
    Ok(())
}

async fn masters(tx: &mut Tx, world: &World) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = tx
        .all(
            "SELECT account FROM game_masters WHERE world = $1 ORDER BY account",
            &values![&world.id],
        )
        .await?;
    Ok(rows.into_iter().map(|(account,)| account).collect())
}

async fn post(tx: &mut Tx, key: &str, account: &str, kind: &str, details: Value, send_at: i64, now: i64) -> Result<()> {
    let mail = NewMail {
        key,
        account,
        kind,
        details,
        send_at,
        expires_at: None,
    };
    outbox::post(tx, &mail, now).await
}
