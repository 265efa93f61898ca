//! What administrators see and do: accounts, work and mails that failed, complaints, figures; and the record of it all.

use crate::account::{self, Account};
use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::job::GivenUpRow;
use crate::outbox::WIPED;
use crate::store::{ACTOR, Host, now};
use crate::unfit::Unfit;
use crate::world::number;
use crate::{Result, limits};
use serde::Serialize;

/// A mail that was given up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LostMail {
    /// Its id.
    pub id: String,
    /// Name of the account that it is for.
    pub to: String,
    /// Key of its wording.
    pub kind: String,
    /// Why it failed the last time.
    pub error: String,
    /// When it was given up.
    pub at: i64,
}

/// Work that waits to be done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Waiting {
    /// What is to be done.
    pub kind: String,
    /// The world that it is about.
    pub world: String,
    /// When.
    pub at: i64,
    /// Why it failed the last time, if it did.
    pub error: String,
}

/// The host in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Figures {
    /// Accounts that are not deleted.
    pub accounts: u64,
    /// Accounts with a session.
    pub signed_in: u64,
    /// Worlds.
    pub worlds: u64,
    /// Turns that were run.
    pub turns: u64,
    /// Letters that were sent.
    pub letters: u64,
    /// Work that waits, and work that was given up.
    pub jobs: (u64, u64),
    /// Mails that wait, and mails that were given up.
    pub mails: (u64, u64),
    /// Complaints about letters that nobody has answered.
    pub complaints: u64,
}

/// Something that an administrator did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Act {
    /// When.
    pub at: i64,
    /// Name of who did it; empty for the command line and for those who are gone.
    pub who: String,
    /// What.
    pub deed: String,
    /// More about it.
    pub detail: String,
}

async fn count(tx: &mut Tx, text: &'static str) -> Result<u64> {
    let (rows,): (i64,) = tx.one(text, &values![]).await?;
    number(rows, "number of rows")
}

/// Notes what an administrator did.
async fn note_act(tx: &mut Tx, deed: &str, detail: &str) -> Result<()> {
    let who = ACTOR.try_with(Clone::clone).unwrap_or_default();
    tx.execute(
        "INSERT INTO host_record (number, at, who, deed, detail) \
         SELECT COALESCE(MAX(number), 0) + 1, $1, $2, $3, $4 FROM host_record",
        &values![now(), &who, deed, detail],
    )
    .await?;
    Ok(())
}

impl Host {
    /// The host in numbers.
    pub async fn figures(&self) -> Result<Figures> {
        let (waiting, unsent) = self.outbox_counts().await?;
        let mut tx = self.read().await?;
        let tx = &mut tx;
        Ok(Figures {
            accounts: count(tx, "SELECT COUNT(*) FROM accounts WHERE deleted_at IS NULL").await?,
            signed_in: count(tx, "SELECT COUNT(DISTINCT account) FROM sessions").await?,
            worlds: count(tx, "SELECT COUNT(*) FROM worlds").await?,
            turns: count(tx, "SELECT COUNT(*) FROM steps WHERE input IS NOT NULL").await?,
            letters: count(tx, "SELECT COUNT(*) FROM letters WHERE state <> 'draft'").await?,
            jobs: (
                count(tx, "SELECT COUNT(*) FROM jobs WHERE done_at IS NULL").await?,
                count(tx, "SELECT COUNT(*) FROM jobs WHERE given_up = 1").await?,
            ),
            mails: (waiting, unsent),
            complaints: count(tx, "SELECT COUNT(*) FROM letter_reports WHERE answer IS NULL").await?,
        })
    }

    /// Accounts whose name or mail address holds these words, by name; deleted ones are not shown.
    pub async fn search_accounts(&self, words: &str, skip: u32, limit: u32) -> Result<Vec<Account>> {
        let words: String = words.trim().chars().take(limits::SEARCH_CHARACTERS).collect();
        let mut tx = self.read().await?;
        account::search(&mut tx, &words.to_lowercase(), skip, limit).await
    }

    /// Locks an account, which ends all its sessions, or opens it again. An administrator cannot be locked.
    pub async fn lock_account(&self, id: &str, locked: bool) -> Result<()> {
        let mut tx = self.write(Subject::Store).await?;
        let account = account::account(&mut tx, id).await?;
        if locked && account.admin {
            return Err(account::AccountError::LastAdmin.into());
        }
        tx.execute(
            "UPDATE accounts SET locked_at = $2 WHERE id = $1",
            &values![id, locked.then(now)],
        )
        .await?;
        if locked {
            tx.execute("DELETE FROM sessions WHERE account = $1", &values![id])
                .await?;
            tx.execute("DELETE FROM login_links WHERE account = $1", &values![id])
                .await?;
        }
        let deed = if locked { "account locked" } else { "account unlocked" };
        note_act(&mut tx, deed, &account.name).await?;
        tx.commit().await
    }

    /// Notes something else that an administrator did.
    pub async fn record_act(&self, deed: &str, detail: &str) -> Result<()> {
        let mut tx = self.write(Subject::Store).await?;
        note_act(&mut tx, deed, detail).await?;
        tx.commit().await
    }

    /// What administrators did, the newest first.
    pub async fn acts(&self, limit: u32) -> Result<Vec<Act>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, Option<String>, String, String)> = tx
            .all(
                "SELECT host_record.at, accounts.name, host_record.deed, host_record.detail FROM host_record \
                 LEFT JOIN accounts ON accounts.id = host_record.who ORDER BY host_record.number DESC LIMIT $1",
                &values![limit],
            )
            .await?;
        Ok(rows
            .into_iter()
            .map(|(at, who, deed, detail)| Act {
                at,
                who: who.unwrap_or_default(),
                deed,
                detail,
            })
            .collect())
    }

    /// Work that waits, the next first.
    pub async fn waiting_jobs(&self, limit: u32) -> Result<Vec<Waiting>> {
        let mut tx = self.read().await?;
        let rows: Vec<(String, Option<String>, i64, Option<String>)> = tx
            .all(
                "SELECT jobs.kind, worlds.name, jobs.run_at, jobs.error FROM jobs LEFT JOIN worlds ON worlds.id = jobs.world \
                 WHERE jobs.done_at IS NULL ORDER BY jobs.run_at, jobs.id LIMIT $1",
                &values![limit],
            )
            .await?;
        Ok(rows
            .into_iter()
            .map(|(kind, world, at, error)| Waiting {
                kind,
                world: world.unwrap_or_default(),
                at,
                error: error.unwrap_or_default(),
            })
            .collect())
    }

    /// Lets work that was given up be tried again from now on.
    pub async fn retry_job(&self, id: &str) -> Result<()> {
        let mut tx = self.write(Subject::Store).await?;
        let row: Option<(String, String)> = tx
            .maybe(
                "UPDATE jobs SET done_at = NULL, given_up = 0, attempts = 0, lease_until = 0, run_at = $2 \
                 WHERE id = $1 AND given_up = 1 RETURNING kind, key",
                &values![id, now()],
            )
            .await?;
        let (kind, key) = row.ok_or(HostError::Malformed(Unfit::NotGivenUp))?;
        note_act(&mut tx, "job retried", &format!("{kind} {key}")).await?;
        tx.commit().await
    }

    /// Mails that were given up, the newest first.
    pub async fn lost_mails(&self, limit: u32) -> Result<Vec<LostMail>> {
        let mut tx = self.read().await?;
        let rows: Vec<GivenUpRow> = tx
            .all(
                "SELECT outbox.id, accounts.name, outbox.kind, outbox.error, outbox.done_at FROM outbox \
                 JOIN accounts ON accounts.id = outbox.account WHERE outbox.given_up = 1 \
                 ORDER BY outbox.done_at DESC, outbox.id LIMIT $1",
                &values![limit],
            )
            .await?;
        Ok(rows
            .into_iter()
            .map(|(id, to, kind, error, at)| LostMail {
                id,
                to,
                kind,
                error: error.unwrap_or_default(),
                at: at.unwrap_or(0),
            })
            .collect())
    }

    /// Lets a mail that was given up be tried again, or forgets it.
    pub async fn settle_mail(&self, id: &str, again: bool) -> Result<()> {
        let mut tx = self.write(Subject::Store).await?;
        let text = if again {
            // What was of use for a while only has lost its details and would say nothing.
            "UPDATE outbox SET done_at = NULL, given_up = 0, attempts = 0, lease_until = 0, send_at = $2 \
             WHERE id = $1 AND given_up = 1 AND expires_at IS NULL RETURNING kind"
        } else {
            "UPDATE outbox SET given_up = 0, done_at = $2, details = $3 WHERE id = $1 AND given_up = 1 RETURNING kind"
        };
        let row: Option<(String,)> = match again {
            true => tx.maybe(text, &values![id, now()]).await?,
            false => tx.maybe(text, &values![id, now(), WIPED]).await?,
        };
        let (kind,) = row.ok_or(HostError::Malformed(Unfit::NotGivenUp))?;
        let deed = if again { "mail retried" } else { "mail forgotten" };
        note_act(&mut tx, deed, &kind).await?;
        tx.commit().await
    }

    /// Names of the worlds in which somebody complained about a letter and nobody has answered.
    pub async fn worlds_with_complaints(&self) -> Result<Vec<String>> {
        let mut tx = self.read().await?;
        let rows: Vec<(String,)> = tx
            .all(
                "SELECT DISTINCT worlds.name FROM letter_reports JOIN worlds ON worlds.id = letter_reports.world \
                 WHERE letter_reports.answer IS NULL ORDER BY worlds.name LIMIT $1",
                &values![limits::WORLDS],
            )
            .await?;
        Ok(rows.into_iter().map(|(name,)| name).collect())
    }
}
