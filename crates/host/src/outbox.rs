//! Mails that have to be sent: written in the transaction of what they tell about, carried by whoever comes first.
//!
//! A mail is its kind and its details as JSON; the wording is made when it is sent, in the language of the account. What was
//! sent, forgotten or is of no use any more keeps no details, and what would be of no use after a while loses them when it is
//! given up: a login link is not to be read in a copy of the database. All else that was given up can be tried again.

use crate::account::{self, Account};
use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::job::back_off;
use crate::lease;
use crate::store::{Host, random};
use crate::world::{hex, number};
use crate::{Result, limits};
use serde::Serialize;

/// A mail to be written.
#[derive(Clone, Debug)]
pub struct NewMail<'a> {
    /// One mail for one key, ever.
    pub key: &'a str,
    /// To whom.
    pub account: &'a str,
    /// Key of its wording.
    pub kind: &'a str,
    /// What the wording needs.
    pub details: serde_json::Value,
    /// When to send it.
    pub send_at: i64,
    /// When it is of no use any more, as a link that has ended or a reminder of a deadline that has passed.
    pub expires_at: Option<i64>,
}

/// A claimed mail.
#[derive(Clone, Debug, Serialize)]
pub struct OutgoingMail {
    /// Its id.
    pub id: String,
    /// To whom; somebody who was deleted meanwhile has no address any more.
    pub account: Account,
    /// Key of its wording.
    pub kind: String,
    /// What the wording needs.
    pub details: serde_json::Value,
    /// How often it was tried, this time included.
    pub attempts: u32,
    #[serde(skip)]
    lease: String,
}

type MailRow = (String, String, String, String, i64);

/// What is left of the details of a mail that nobody will send any more.
pub(crate) const WIPED: &str = "{}";

/// Puts a mail into the outbox; one with the same key was written before and is not written again.
pub(crate) async fn post(tx: &mut Tx, mail: &NewMail<'_>, now: i64) -> Result<()> {
    tx.execute(
        "INSERT INTO outbox (id, key, account, kind, details, send_at, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (key) DO NOTHING",
        &values![
            &hex(&random::<8>()?),
            mail.key,
            mail.account,
            mail.kind,
            &mail.details.to_string(),
            mail.send_at,
            now,
            mail.expires_at
        ],
    )
    .await?;
    Ok(())
}

impl Host {
    /// Puts a mail into the outbox.
    pub async fn post(&self, mail: &NewMail<'_>, now: i64) -> Result<()> {
        let mut tx = self.write(Subject::Account(mail.account)).await?;
        post(&mut tx, mail, now).await?;
        tx.commit().await
    }

    /// Gives mails up that are of no use any more, and wipes what stood in them.
    async fn drop_expired(&self, now: i64) -> Result<()> {
        let mut tx = self.read().await?;
        let found: Option<(String,)> = tx
            .maybe(
                "SELECT id FROM outbox WHERE done_at IS NULL AND expires_at <= $1 LIMIT 1",
                &values![now],
            )
            .await?;
        drop(tx);
        if found.is_none() {
            return Ok(());
        }
        let mut tx = self.write(Subject::Store).await?;
        tx.execute(
            "UPDATE outbox SET done_at = $1, given_up = 1, details = $2, error = 'expired' \
             WHERE done_at IS NULL AND expires_at <= $1",
            &values![now, WIPED],
        )
        .await?;
        tx.commit().await
    }

    /// Claims the mail that has waited longest; nothing if none is due that nobody carries.
    pub async fn claim_mail(&self, now: i64) -> Result<Option<OutgoingMail>> {
        self.drop_expired(now).await?;
        let mut tx = self.read().await?;
        let due: Option<(String,)> = tx
            .maybe(
                "SELECT id FROM outbox WHERE done_at IS NULL AND send_at <= $1 AND lease_until <= $1 LIMIT 1",
                &values![now],
            )
            .await?;
        drop(tx);
        if due.is_none() {
            return Ok(None);
        }
        let lease = hex(&random::<8>()?);
        let mut tx = self.write(Subject::Job(&lease)).await?;
        let claimed = values![now, now + self.lease_milliseconds, &lease];
        let row: Option<MailRow> = lease::claim!(
            tx,
            "outbox",
            "send_at",
            "id, account, kind, details, attempts",
            &claimed
        )?;
        let Some((id, account, kind, details, attempts)) = row else {
            return Ok(None);
        };
        let account = account::account(&mut tx, &account).await?;
        tx.commit().await?;
        Ok(Some(OutgoingMail {
            id,
            account,
            kind,
            details: serde_json::from_str(&details)
                .map_err(|error| HostError::Damaged(format!("details of a mail: {error}").into()))?,
            attempts: number(attempts, "attempts at a mail")?,
            lease,
        }))
    }

    /// A claimed mail is on its way.
    pub async fn mail_sent(&self, mail: &OutgoingMail, now: i64) -> Result<()> {
        let mut tx = self.write(Subject::Job(&mail.lease)).await?;
        tx.execute(
            "UPDATE outbox SET done_at = $3, error = NULL, details = $4 WHERE id = $1 AND lease = $2",
            &values![&mail.id, &mail.lease, now, WIPED],
        )
        .await?;
        // What was sent or given up long ago need not stay, the oldest first and a few at a time: nothing asks for its key any more.
        tx.execute(
            "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE done_at < $1 ORDER BY done_at LIMIT 20)",
            &values![now - limits::MAIL_MEMORY],
        )
        .await?;
        tx.commit().await
    }

    /// A claimed mail could not be carried; unless it is hopeless it is tried again later.
    pub async fn mail_failed(&self, mail: &OutgoingMail, error: &str, hopeless: bool, now: i64) -> Result<()> {
        let error: String = error.chars().take(limits::ERROR_CHARACTERS).collect();
        let mut tx = self.write(Subject::Job(&mail.lease)).await?;
        if hopeless || mail.attempts >= limits::JOB_ATTEMPTS {
            tx.execute(
                "UPDATE outbox SET done_at = $3, given_up = 1, error = $4, \
                 details = CASE WHEN expires_at IS NULL THEN details ELSE $5 END WHERE id = $1 AND lease = $2",
                &values![&mail.id, &mail.lease, now, &error, WIPED],
            )
            .await?;
        } else {
            tx.execute(
                "UPDATE outbox SET lease_until = 0, send_at = $3, error = $4 WHERE id = $1 AND lease = $2",
                &values![&mail.id, &mail.lease, now + back_off(mail.attempts), &error],
            )
            .await?;
        }
        tx.commit().await
    }

    /// How many mails wait and how many were given up.
    pub async fn outbox_counts(&self) -> Result<(u64, u64)> {
        let mut tx = self.read().await?;
        let (waiting,): (i64,) = tx
            .one("SELECT COUNT(*) FROM outbox WHERE done_at IS NULL", &values![])
            .await?;
        let (given_up,): (i64,) = tx
            .one("SELECT COUNT(*) FROM outbox WHERE given_up = 1", &values![])
            .await?;
        Ok((
            number(waiting, "number of mails")?,
            number(given_up, "number of mails")?,
        ))
    }
}
