//! `briefwelt verify`

use super::{find_seat, open_world};
use crate::cli::{self, Cli};
use crate::output::{FoundWrong, bar, read, say, tell, write_file};
use host::HostError;
use host::verify::{DiceCheck, Evidence};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

/// Bytes of a file with evidence: a realm rolls some thousand dice a turn at most.
const EVIDENCE_BYTES: usize = 64 * 1024 * 1024;

/// Carries out `briefwelt verify`.
pub async fn run(cli: &Cli, command: &cli::Verify) -> anyhow::Result<()> {
    if let Some(file) = &command.evidence {
        let evidence = read_evidence(file)?;
        return dice(cli, &evidence, evidence.check(command.seal.as_deref())?);
    }
    if let Some(realm) = &command.realm {
        let (host, world) = open_world(cli).await?;
        let seat = find_seat(&host, &world, realm).await?;
        let turn = command.turn.unwrap_or(world.open_step.saturating_sub(1));
        let evidence = host.evidence(&world, seat.realm, turn).await?;
        if let Some(path) = &command.out {
            write_file(path, |out| Ok(serde_json::to_writer_pretty(out, &evidence)?))?;
        }
        return dice(cli, &evidence, evidence.check(command.seal.as_deref())?);
    }
    everything(cli, command.turn).await
}

/// Reads evidence, alone or in the file that comes with a report.
fn read_evidence(file: &Path) -> Result<Evidence, HostError> {
    let malformed =
        |error: serde_json::Error| HostError::Malformed(format!("{}: no evidence: {error}", file.display()));
    let bytes = read(file, EVIDENCE_BYTES, "the evidence")?;
    let mut value: serde_json::Value = serde_json::from_slice(&bytes).map_err(malformed)?;
    if let Some(inner) = value.get_mut("evidence") {
        value = inner.take();
    }
    serde_json::from_value(value).map_err(malformed)
}

fn dice(cli: &Cli, evidence: &Evidence, check: DiceCheck) -> anyhow::Result<()> {
    let value = json!({ "world": evidence.world, "realm": evidence.realm, "turn": evidence.step, "check": check, "holds": check.holds() });
    tell(cli, &value, || {
        let mut text = format!("{}, realm {}, turn {}\n", evidence.world, evidence.realm, evidence.step);
        text.push_str(if check.sealed {
            "The key fits the seal that was published before the turn.\n"
        } else {
            "THE KEY DOES NOT FIT THE SEAL.\n"
        });
        let _ = writeln!(
            text,
            "{} of {} dice follow from the key.",
            check.checked - check.wrong.len(),
            check.checked
        );
        for roll in &check.wrong {
            let _ = writeln!(
                text,
                "WRONG: {} shows {} of {}..{}",
                roll.name, roll.value, roll.min, roll.max
            );
        }
        text
    })?;
    if check.holds() { Ok(()) } else { Err(FoundWrong.into()) }
}

async fn everything(cli: &Cli, turn: Option<u32>) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    host.check_database().await?;
    let steps = host.steps(&world).await?;
    if let Some(turn) = turn
        && !steps.iter().any(|step| step.number == turn)
    {
        return Err(HostError::UnknownStep {
            whom: "a second run".into(),
            step: turn,
            first: steps.first().map_or(0, |step| step.number),
            last: steps.last().map_or(0, |step| step.number),
        }
        .into());
    }
    let wanted: Vec<u32> = steps
        .iter()
        .map(|step| step.number)
        .filter(|step| turn.is_none_or(|turn| turn == *step))
        .collect();
    let progress = bar(wanted.len() as u64, "checking turns");
    let mut checks = Vec::new();
    for step in wanted {
        checks.push(host.check_step(&world, step, true).await?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let holds = checks.iter().all(|check| check.holds());
    let value = json!({ "world": world.name, "turns": checks, "holds": holds });
    tell(cli, &value, || {
        let mut text = "The database is sound.\n".to_owned();
        for check in &checks {
            let _ = match check.holds() {
                true => writeln!(text, "turn {}: digest, seals and second run agree", check.step),
                false => writeln!(
                    text,
                    "turn {}: WRONG: digest {}, seals {}, second run {:?}",
                    check.step, check.chained, check.sealed, check.differences
                ),
            };
        }
        text
    })?;
    if holds {
        Ok(())
    } else {
        if !cli.json {
            say("The world is not as it was published.")?;
        }
        Err(FoundWrong.into())
    }
}
