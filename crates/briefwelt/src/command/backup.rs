//! `briefwelt backup`, `restore` and `doctor`

use super::open;
use crate::cli::Cli;
use crate::output::{FoundWrong, say, spinner, tell};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

/// Writes everything into one file.
pub async fn backup(cli: &Cli, file: &Path) -> anyhow::Result<()> {
    let host = open(cli, false).await?;
    let progress = spinner("writing the backup");
    let written = host.backup(file).await?;
    progress.finish_and_clear();
    tell(cli, &written, || {
        format!(
            "{}: {} records, {} bytes. It holds every secret of the host.",
            file.display(),
            written.records,
            written.bytes
        )
    })
}

/// Reads a backup into an empty store.
pub async fn restore(cli: &Cli, file: &Path) -> anyhow::Result<()> {
    let host = open(cli, true).await?;
    let progress = spinner("reading the backup");
    let rows = host.restore(file).await?;
    progress.finish_and_clear();
    let worlds = host.worlds().await?.len();
    let value = json!({ "rows": rows, "worlds": worlds });
    tell(cli, &value, || format!("{rows} rows, {worlds} worlds"))
}

/// Examines the store; exit code 1 if something is broken.
pub async fn doctor(cli: &Cli, rerun: bool) -> anyhow::Result<()> {
    let host = open(cli, false).await?;
    let progress = spinner("examining the store");
    let findings = host.doctor(rerun).await?;
    progress.finish_and_clear();
    let broken = findings.iter().any(|finding| finding.broken);
    tell(cli, &findings, || {
        let mut text = String::new();
        for finding in &findings {
            let weight = if finding.broken { "BROKEN" } else { "look at" };
            let world = finding.world.as_deref().unwrap_or("host");
            let _ = writeln!(text, "{weight}: {world}: {}", finding.what);
        }
        text
    })?;
    if findings.is_empty() && !cli.json {
        say("Everything is sound.")?;
    }
    if broken { Err(FoundWrong.into()) } else { Ok(()) }
}
