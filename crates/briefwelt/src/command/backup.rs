//! `briefwelt backup`, `restore` and `doctor`

use super::open;
use crate::cli::Cli;
use crate::output::{FoundWrong, say, tell};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

/// Writes everything into one file.
pub async fn backup(cli: &Cli, file: &Path) -> anyhow::Result<()> {
    let written = open(cli, false).await?.backup(file).await?;
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
    let rows = host.restore(file).await?;
    let worlds = host.worlds().await?.len();
    let value = json!({ "rows": rows, "worlds": worlds });
    tell(cli, &value, || format!("{rows} rows, {worlds} worlds"))
}

/// Examines the store; exit code 1 if something is broken.
pub async fn doctor(cli: &Cli, rerun: bool) -> anyhow::Result<()> {
    let findings = open(cli, false).await?.doctor(rerun).await?;
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
