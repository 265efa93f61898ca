//! `briefwelt scenario`

use crate::cli::{self, Cli};
use crate::output::{FoundWrong, quietly, say};
use games::stages;
use host::HostError;
use testkit::stages::{Verdict, find, judge_files, summary};

/// Carries out `briefwelt scenario`.
pub fn run(cli: &Cli, command: &cli::Scenario) -> anyhow::Result<()> {
    let mut files = Vec::new();
    for path in &command.paths {
        let found = find(std::slice::from_ref(path)).map_err(|error| HostError::file(path, error))?;
        files.extend(found);
    }
    let mut failed = None;
    let verdicts = quietly(|| {
        judge_files(&stages(), &files, command.telling(), &mut |verdict| {
            if let Err(error) = print(cli, command.quiet, verdict) {
                failed.get_or_insert(error);
            }
        })
    });
    if let Some(error) = failed {
        return Err(error);
    }
    if !cli.json {
        say(summary(&verdicts))?;
    }
    if verdicts.iter().all(Verdict::passed) {
        Ok(())
    } else {
        Err(FoundWrong.into())
    }
}

fn print(cli: &Cli, quiet: bool, verdict: &Verdict) -> anyhow::Result<()> {
    if cli.json {
        let failures: Vec<_> = verdict
            .failures
            .iter()
            .map(|failure| serde_json::json!({ "line": failure.line, "message": failure.message }))
            .collect();
        say(serde_json::json!({
            "file": verdict.file, "title": verdict.title, "game": verdict.game, "passed": verdict.passed(),
            "rules": verdict.named, "failures": failures, "shown": verdict.shown,
        }))
    } else if quiet && verdict.passed() && verdict.shown.is_empty() {
        Ok(())
    } else {
        say(format_args!("{}{}", verdict.text(), verdict.shown)
            .to_string()
            .trim_end())
    }
}
