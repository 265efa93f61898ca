//! `briefwelt work`

use super::open;
use crate::cli::{self, Cli};
use crate::output::say;
use crate::words::Words;
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
    let words = Words::of(cli);
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
                    Outcome::Ran(run) => {
                        say(words.with("work-ran", &[("turn", &run.step), ("digest", &run.digest)]))?;
                    }
                    Outcome::Failed(why) => say(words.with("work-failed", &[("why", why)]))?,
                    Outcome::Waits => say(words.t("work-waits"))?,
                    Outcome::Reminded => say(words.t("work-reminded"))?,
                    Outcome::Nothing => {}
                }
            }
            None if idle.elapsed() >= patience => return Ok(()),
            None => tokio::time::sleep(EVERY).await,
        }
    }
}
