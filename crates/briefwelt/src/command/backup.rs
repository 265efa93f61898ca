//! `briefwelt backup`, `restore` and `doctor`

use super::open;
use crate::cli::Cli;
use crate::output::{FoundWrong, say, spinner, tell};
use crate::press;
use crate::words::Words;
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use web::refusal;

/// Writes everything into one file.
pub async fn backup(cli: &Cli, file: &Path) -> anyhow::Result<()> {
    let host = open(cli, false).await?;
    let progress = spinner(&Words::of(cli).t("doing-backup"));
    let written = host.backup(file).await?;
    progress.finish_and_clear();
    tell(cli, &written, || {
        let words = Words::of(cli);
        let (records, bytes) = (
            words.count("records", written.records),
            words.count("bytes", written.bytes),
        );
        words.with(
            "backup",
            &[("file", &file.display()), ("records", &records), ("bytes", &bytes)],
        )
    })
}

/// Reads a backup into an empty store.
pub async fn restore(cli: &Cli, file: &Path) -> anyhow::Result<()> {
    let host = open(cli, true).await?;
    let progress = spinner(&Words::of(cli).t("doing-restore"));
    let rows = host.restore(file).await?;
    progress.finish_and_clear();
    let worlds = host.worlds().await?.len();
    let value = json!({ "rows": rows, "worlds": worlds });
    tell(cli, &value, || {
        let words = Words::of(cli);
        let (rows, worlds) = (words.count("rows", rows), words.count("worlds", worlds));
        words.with("restored", &[("rows", &rows), ("worlds", &worlds)])
    })
}

/// Examines the store; exit code 1 if something is broken.
pub async fn doctor(cli: &Cli, rerun: bool) -> anyhow::Result<()> {
    let host = open(cli, false).await?;
    let progress = spinner(&Words::of(cli).t("doing-doctor"));
    let findings = host.doctor(rerun).await?;
    progress.finish_and_clear();
    let broken = findings.iter().any(|finding| finding.broken);
    tell(cli, &findings, || {
        let words = Words::of(cli);
        let mut text = String::new();
        for finding in &findings {
            let weight = words.t(if finding.broken { "broken" } else { "look-at" });
            let world = finding.world.clone().unwrap_or_else(|| words.t("host"));
            let _ = writeln!(
                text,
                "{weight}: {world}: {}",
                refusal::finding(press::words(cli.lang), finding)
            );
        }
        text
    })?;
    if findings.is_empty() && !cli.json {
        say(Words::of(cli).t("all-sound"))?;
    }
    if broken { Err(FoundWrong.into()) } else { Ok(()) }
}
