//! `briefwelt scenario`

use crate::cli::{self, Cli};
use crate::complaint::Complaint;
use crate::output::{FoundWrong, bar, quietly, say};
use crate::words::Words;
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
    if files.is_empty() {
        let folders: Vec<String> = command.paths.iter().map(|path| path.display().to_string()).collect();
        let complaint = Complaint::new("no-scenarios").with("folders", folders.join(", "));
        return Err(complaint.code(6).into());
    }
    // Where every verdict is told, they are the progress.
    let progress = command
        .quiet
        .then(|| bar(files.len() as u64, &Words::of(cli).t("doing-scenarios")));
    let mut failed = None;
    let verdicts = quietly(|| {
        judge_files(&stages(), &files, command.telling(), &mut |verdict| {
            progress.iter().for_each(|progress| progress.inc(1));
            if let Err(error) = print(cli, command.quiet, verdict) {
                failed.get_or_insert(error);
            }
        })
    });
    progress.iter().for_each(|progress| progress.finish_and_clear());
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
