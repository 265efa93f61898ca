//! Work to be done at a time, kept in the database: a queue that any number of processes share.
//!
//! Whoever claims a job gets a lease and renews it while he works. A killed process renews nothing, so its job is taken by
//! another. A job may therefore begin twice; what it does must count once: a step checks its number in its own
//! transaction, a mail has a key.

use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::lease;
use crate::store::{Host, random};
use crate::world::{hex, number};
use crate::{Result, limits};
use serde::Serialize;

/// What kinds of work there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The deadline of a world has come; the key is the world, the step and the moment.
    Deadline,
    /// Players of a world may have to be reminded; the key is the world and the moment.
    Remind,
}

impl Kind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::Remind => "remind",
        }
    }

    fn parse(text: &str) -> Result<Self> {
        match text {
            "deadline" => Ok(Self::Deadline),
            "remind" => Ok(Self::Remind),
            other => Err(HostError::Damaged(format!("kind of a job {other:?}").into())),
        }
    }
}

/// A claimed job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Job {
    /// Its id.
    pub id: String,
    /// What is to be done.
    pub kind: Kind,
    /// What it is about.
    pub key: String,
    /// Id of the world, if it is about one.
    pub world: Option<String>,
    /// When it was to be done.
    pub run_at: i64,
    /// How often it was begun, this time included.
    pub attempts: u32,
    /// What proves that it is ours.
    #[serde(skip)]
    pub(crate) lease: String,
}

/// A job that was given up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GivenUp {
    /// Its id.
    pub id: String,
    /// What was to be done.
    pub kind: String,
    /// What it was about.
    pub key: String,
    /// Why it failed the last time.
    pub error: String,
    /// When it was given up.
    pub at: i64,
}

/// How long to wait after the attempt with this number: ten seconds, doubled each time, at most an hour.
pub(crate) fn back_off(attempts: u32) -> i64 {
    10_000_i64
        .saturating_mul(1 << attempts.saturating_sub(1).min(20))
        .min(3_600_000)
}

/// Id, kind, key, error, when it was given up.
pub(crate) type GivenUpRow = (String, String, String, Option<String>, Option<i64>);

type JobRow = (String, String, String, Option<String>, i64, i64);

/// Puts a job into the queue; one with the same key stays what it is, done or not.
pub(crate) async fn enqueue(
    tx: &mut Tx,
    kind: Kind,
    key: &str,
    world: Option<&str>,
    run_at: i64,
    now: i64,
) -> Result<()> {
    tx.execute(
        "INSERT INTO jobs (id, kind, key, world, run_at, created_at) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (kind, key) DO NOTHING",
        &values![&hex(&random::<8>()?), kind.as_str(), key, world, run_at, now],
    )
    .await?;
    Ok(())
}

/// Takes the jobs of a world back that nobody has done yet. Whoever works on one will find it gone.
pub(crate) async fn cancel(tx: &mut Tx, kind: Kind, world: &str) -> Result<()> {
    tx.execute(
        "DELETE FROM jobs WHERE kind = $1 AND world = $2 AND done_at IS NULL",
        &values![kind.as_str(), world],
    )
    .await?;
    Ok(())
}

impl Host {
    /// Claims the job that has been due longest; nothing if none is due that nobody works on.
    pub async fn claim(&self, now: i64) -> Result<Option<Job>> {
        let mut tx = self.read().await?;
        let due: Option<(String,)> = tx
            .maybe(
                "SELECT id FROM jobs WHERE done_at IS NULL AND run_at <= $1 AND lease_until <= $1 LIMIT 1",
                &values![now],
            )
            .await?;
        drop(tx);
        // Looking comes first: waiting for work must not write.
        if due.is_none() {
            return Ok(None);
        }
        let lease = hex(&random::<8>()?);
        let mut tx = self.write(Subject::Job(&lease)).await?;
        let claimed = values![now, now + self.lease_milliseconds, &lease];
        let row: Option<JobRow> =
            lease::claim!(tx, "jobs", "run_at", "id, kind, key, world, run_at, attempts", &claimed)?;
        tx.commit().await?;
        let Some((id, kind, key, world, run_at, attempts)) = row else {
            return Ok(None);
        };
        Ok(Some(Job {
            id,
            kind: Kind::parse(&kind)?,
            key,
            world,
            run_at,
            attempts: number(attempts, "attempts at a job")?,
            lease,
        }))
    }

    /// Holds a claimed job for longer; tells whether it is still ours.
    pub async fn renew(&self, job: &Job, now: i64) -> Result<bool> {
        let mut tx = self.write(Subject::Job(&job.lease)).await?;
        let held = tx
            .execute(
                "UPDATE jobs SET lease_until = $3 WHERE id = $1 AND lease = $2 AND done_at IS NULL",
                &values![&job.id, &job.lease, now + self.lease_milliseconds],
            )
            .await?;
        tx.commit().await?;
        Ok(held > 0)
    }

    /// A claimed job is done; tells whether it was still ours.
    pub async fn finish(&self, job: &Job, now: i64) -> Result<bool> {
        let mut tx = self.write(Subject::Job(&job.lease)).await?;
        let held = tx
            .execute(
                "UPDATE jobs SET done_at = $3, error = NULL WHERE id = $1 AND lease = $2 AND done_at IS NULL",
                &values![&job.id, &job.lease, now],
            )
            .await?;
        // What was done long ago need not stay; a few at a time.
        tx.execute(
            "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE done_at < $1 AND given_up = 0 LIMIT 20)",
            &values![now - limits::JOB_MEMORY],
        )
        .await?;
        tx.commit().await?;
        Ok(held > 0)
    }

    /// A claimed job failed: it is tried again later, and given up after some attempts.
    pub async fn fail(&self, job: &Job, error: &str, now: i64) -> Result<()> {
        let error: String = error.chars().take(limits::ERROR_CHARACTERS).collect();
        let mut tx = self.write(Subject::Job(&job.lease)).await?;
        if job.attempts >= limits::JOB_ATTEMPTS {
            tx.execute(
                "UPDATE jobs SET done_at = $3, given_up = 1, error = $4 WHERE id = $1 AND lease = $2",
                &values![&job.id, &job.lease, now, &error],
            )
            .await?;
        } else {
            tx.execute(
                "UPDATE jobs SET lease_until = 0, run_at = $3, error = $4 WHERE id = $1 AND lease = $2",
                &values![&job.id, &job.lease, now + back_off(job.attempts), &error],
            )
            .await?;
        }
        tx.commit().await
    }

    /// How many jobs are due and not done: more than a few for longer than a minute mean that nobody works.
    pub async fn overdue(&self, now: i64) -> Result<u64> {
        let mut tx = self.read().await?;
        let (count,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM jobs WHERE done_at IS NULL AND run_at <= $1",
                &values![now],
            )
            .await?;
        number(count, "number of jobs")
    }

    /// Jobs that were given up, the newest first: somebody has to look at them.
    pub async fn given_up(&self) -> Result<Vec<GivenUp>> {
        let mut tx = self.read().await?;
        let rows: Vec<GivenUpRow> = tx
            .all(
                "SELECT id, kind, key, error, done_at FROM jobs WHERE given_up = 1 ORDER BY done_at DESC, id LIMIT 1000",
                &values![],
            )
            .await?;
        Ok(rows
            .into_iter()
            .map(|(id, kind, key, error, at)| GivenUp {
                id,
                kind,
                key,
                error: error.unwrap_or_default(),
                at: at.unwrap_or(0),
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::back_off;

    #[test]
    fn waiting_doubles_up_to_an_hour() {
        assert_eq!(back_off(1), 10_000);
        assert_eq!(back_off(2), 20_000);
        assert_eq!(back_off(9), 2_560_000);
        assert_eq!(back_off(10), 3_600_000);
        assert_eq!(back_off(u32::MAX), 3_600_000);
    }
}
