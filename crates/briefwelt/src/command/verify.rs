//! `briefwelt verify`

use super::{find_seat, open_world};
use crate::cli::{self, Cli};
use crate::complaint::Complaint;
use crate::output::{FoundWrong, bar, read, say, tell, write_file};
use crate::press;
use crate::words::Words;
use host::HostError;
use host::ill::Ill;
use host::step::Difference;
use host::verify::{DiceCheck, Evidence};
use serde_json::json;
use std::path::Path;
use web::refusal;

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
fn read_evidence(file: &Path) -> anyhow::Result<Evidence> {
    let malformed = |_: serde_json::Error| Complaint::new("no-evidence").with("file", file.display());
    let bytes = read(file, EVIDENCE_BYTES)?;
    let mut value: serde_json::Value = serde_json::from_slice(&bytes).map_err(malformed)?;
    if let Some(inner) = value.get_mut("evidence") {
        value = inner.take();
    }
    Ok(serde_json::from_value(value).map_err(malformed)?)
}

fn dice(cli: &Cli, evidence: &Evidence, check: DiceCheck) -> anyhow::Result<()> {
    let value = json!({ "world": evidence.world, "realm": evidence.realm, "turn": evidence.step, "check": check, "holds": check.holds() });
    tell(cli, &value, || {
        let words = Words::of(cli);
        let right = check.checked - check.wrong.len();
        let fits = if check.sealed { "key-fits" } else { "key-does-not-fit" };
        let mut lines = vec![
            words.with(
                "evidence",
                &[
                    ("world", &evidence.world),
                    ("realm", &evidence.realm),
                    ("turn", &evidence.step),
                ],
            ),
            words.t(fits),
            words.with("dice-follow", &[("right", &right), ("all", &check.checked)]),
        ];
        for roll in &check.wrong {
            lines.push(words.with(
                "wrong-die",
                &[
                    ("name", &roll.name),
                    ("value", &roll.value),
                    ("min", &roll.min),
                    ("max", &roll.max),
                ],
            ));
        }
        lines.join("\n")
    })?;
    if check.holds() { Ok(()) } else { Err(FoundWrong.into()) }
}

/// What a second run gave otherwise, in words.
pub(super) fn differences(cli: &Cli, found: &[Difference]) -> String {
    let words = press::words(cli.lang);
    let told: Vec<String> = found.iter().map(|of| refusal::ill(words, &Ill::from(of))).collect();
    told.join(" ")
}

async fn everything(cli: &Cli, turn: Option<u32>) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    host.check_database().await?;
    let steps = host.steps(&world).await?;
    if let Some(turn) = turn
        && !steps.iter().any(|step| step.number == turn)
    {
        return Err(HostError::UnknownStep {
            whom: None,
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
    let progress = bar(wanted.len() as u64, &Words::of(cli).t("doing-check"));
    let mut checks = Vec::new();
    for step in wanted {
        checks.push(host.check_step(&world, step, true).await?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let holds = checks.iter().all(|check| check.holds());
    let value = json!({ "world": world.name, "turns": checks, "holds": holds });
    tell(cli, &value, || {
        let words = Words::of(cli);
        let right = |yes: bool| words.t(if yes { "yes" } else { "no" });
        let mut lines = vec![words.t("sound")];
        for check in &checks {
            let again = match check.differences.as_slice() {
                [] => right(true),
                some => differences(cli, some),
            };
            lines.push(match check.holds() {
                true => words.with("agrees", &[("turn", &check.step)]),
                false => words.with(
                    "disagrees",
                    &[
                        ("turn", &check.step),
                        ("chained", &right(check.chained)),
                        ("sealed", &right(check.sealed)),
                        ("differences", &again),
                    ],
                ),
            });
        }
        lines.join("\n")
    })?;
    if holds {
        Ok(())
    } else {
        if !cli.json {
            say(Words::of(cli).t("not-as-published"))?;
        }
        Err(FoundWrong.into())
    }
}
