//! `briefwelt work`

use super::open;
use crate::cli::{self, Cli};
use crate::output::say;
use host::HostError;
use host::worker::{Outcome, run_once};
use std::time::{Duration, Instant};

/// How often to look for more work.
const EVERY: Duration = Duration::from_millis(200);

/// Does what is due, until there is nothing left for a while.
pub async fn run(cli: &Cli, command: &cli::Work) -> anyhow::Result<()> {
    let mut host = open(cli, false).await?;
    if let Some(milliseconds) = command.lease {
        host.set_lease(milliseconds);
    }
    let patience = Duration::from_secs(command.wait.into());
    let mut idle = Instant::now();
    loop {
        let done = match run_once(&host, host::now()).await {
            // Somebody else is at work on the same thing: there is time.
            Err(HostError::Busy(_)) => None,
            done => done?,
        };
        match done {
            Some(done) => {
                idle = Instant::now();
                match &done.outcome {
                    _ if cli.json => say(serde_json::to_string(&done)?)?,
                    Outcome::Ran(run) => say(format!("turn {} run, digest {}", run.step, run.digest))?,
                    Outcome::Failed(why) => say(format!("failed, to be tried again: {why}"))?,
                    Outcome::Waits => say("a turn waits for its game master")?,
                    Outcome::Reminded => say("reminders written")?,
                    Outcome::Nothing => {}
                }
            }
            None if idle.elapsed() >= patience => return Ok(()),
            None => tokio::time::sleep(EVERY).await,
        }
    }
}
