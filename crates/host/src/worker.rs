//! Doing the work that is due: one job at a time, in any number of processes.

use crate::Result;
use crate::db::{Subject, values};
use crate::error::HostError;
use crate::job::{Job, Kind};
use crate::outbox::{self, NewMail};
use crate::schedule::{self, AtDeadline};
use crate::step::{Run, RunPlan};
use crate::store::{Host, note};
use crate::tidings;
use crate::world::World;
use futures_util::future::{Either, select};
use serde::Serialize;
use serde_json::json;
use std::time::{Duration, Instant};

/// What became of a job.
#[derive(Clone, Debug, Serialize)]
pub struct Done {
    /// The job.
    pub job: Job,
    /// What it did.
    pub outcome: Outcome,
}

/// What a job did.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A turn was run.
    Ran(Box<Run>),
    /// The turn waits for its game master, because orders are missing or he runs it himself.
    Waits,
    /// Reminders were written.
    Reminded,
    /// There was nothing to do any more.
    Nothing,
    /// It failed and is tried again or given up.
    Failed(String),
}

/// Does the job that has been due longest, if there is one: runs the turn of a world whose deadline has passed, or writes
/// reminders. The lease is renewed while it works; should this process be killed, another takes over.
pub async fn run_once(host: &Host, now: i64) -> Result<Option<Done>> {
    let Some(job) = host.claim(now).await? else {
        return Ok(None);
    };
    let begin = Instant::now();
    let clock = || now + i64::try_from(begin.elapsed().as_millis()).unwrap_or(0);
    let every = Duration::from_millis(host.lease_milliseconds.unsigned_abs() / 3);
    let work = Box::pin(perform(host, &job, now));
    let renewing = Box::pin(async {
        loop {
            tokio::time::sleep(every).await;
            // It may have to wait for the work itself, which is why both go on at the same time. If the lease is lost all the
            // same, nothing is done twice: a step checks its number, a mail its key.
            let _ = host.renew(&job, clock()).await;
        }
    });
    let result = match select(work, renewing).await {
        Either::Left((result, _)) => result,
        Either::Right((never, _)) => match never {},
    };
    let outcome = match result {
        Ok(outcome) => {
            host.finish(&job, clock()).await?;
            outcome
        }
        Err(error) => {
            host.fail(&job, &error.to_string(), clock()).await?;
            if job.kind == Kind::Deadline && job.attempts == TOLD_AFTER {
                tell_of_failure(host, &job, &error.to_string(), clock()).await?;
            }
            Outcome::Failed(error.to_string())
        }
    };
    Ok(Some(Done { job, outcome }))
}

/// A turn that could not be run so often is told to its game masters: what passes by itself is over by then.
const TOLD_AFTER: u32 = 3;

async fn tell_of_failure(host: &Host, job: &Job, error: &str, now: i64) -> Result<()> {
    let Some(id) = &job.world else { return Ok(()) };
    let Some(world) = schedule::find(host, id).await? else {
        return Ok(());
    };
    let mut tx = host.write(Subject::World(&world.id)).await?;
    tidings::failed(&mut tx, &world, world.open_step, error, now).await?;
    tx.commit().await
}

impl Host {
    /// When there is something to do next, as far as is known now.
    pub async fn next_job_at(&self) -> Result<Option<i64>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, i64)> = tx
            .all(
                "SELECT run_at, lease_until FROM jobs WHERE done_at IS NULL ORDER BY run_at LIMIT 100",
                &values![],
            )
            .await?;
        Ok(rows.into_iter().map(|(run_at, lease)| run_at.max(lease)).min())
    }
}

async fn perform(host: &Host, job: &Job, now: i64) -> Result<Outcome> {
    let Some(world) = (match &job.world {
        Some(id) => schedule::find(host, id).await?,
        None => None,
    }) else {
        return Ok(Outcome::Nothing);
    };
    match job.kind {
        Kind::Remind => {
            schedule::remind(host, &world, now).await?;
            Ok(Outcome::Reminded)
        }
        Kind::Deadline => deadline(host, &world, now).await,
    }
}

/// The deadline has passed, or everybody may have sent orders.
async fn deadline(host: &Host, world: &World, now: i64) -> Result<Outcome> {
    let mut tx = host.read().await?;
    let open = schedule::open_step(&mut tx, world).await?;
    let policy = schedule::policy(&mut tx, &world.id).await?;
    let deadline = schedule::deadline(&mut tx, &world.id, open).await?;
    let passed = deadline.is_some_and(|deadline| deadline.grace_until <= now);
    if !passed && policy.early {
        let step = host.open_step_in(&mut tx, world).await?;
        if !schedule::may_run_early(&step, &schedule::seats_at(&mut tx, &world.id, now).await?) {
            return Ok(Outcome::Nothing);
        }
    }
    drop(tx);
    let without_missing = match (passed, policy.run, policy.early) {
        (true, AtDeadline::Always, _) => true,
        (true, AtDeadline::Complete, _) | (_, _, true) => false,
        (true, AtDeadline::ByHand, false) => return waits(host, world, open, now).await,
        // It was moved; another job waits for it.
        (false, _, false) => return Ok(Outcome::Nothing),
    };
    let plan = RunPlan {
        step: Some(open),
        without_missing,
    };
    match host.run(world, plan, &mut |_, _| {}).await {
        Ok(run) => Ok(Outcome::Ran(Box::new(run))),
        Err(HostError::AlreadyRun { .. } | HostError::Over(_)) => Ok(Outcome::Nothing),
        Err(HostError::Missing { .. }) if passed => waits(host, world, open, now).await,
        Err(HostError::Missing { .. }) => Ok(Outcome::Nothing),
        Err(error) => Err(error),
    }
}

/// Tells the game masters that the turn is theirs to run.
async fn waits(host: &Host, world: &World, step: u32, now: i64) -> Result<Outcome> {
    let masters = host.masters(world).await?;
    let mut tx = host.write(Subject::World(&world.id)).await?;
    for master in masters {
        let key = format!("deadline {} {step} {}", world.id, master.account);
        let mail = NewMail {
            key: &key,
            account: &master.account,
            kind: "deadline-passed",
            details: json!({ "world": world.name, "turn": step }),
            send_at: now,
            expires_at: None,
        };
        outbox::post(&mut tx, &mail, now).await?;
    }
    note(&mut tx, &world.id, "deadline passed", &format!("turn {step}")).await?;
    tx.commit().await?;
    Ok(Outcome::Waits)
}
