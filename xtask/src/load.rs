//! `cargo xtask load`: the last minute before a deadline, on both databases.

use crate::postgres;
use crate::run::{cargo, output, root};
use crate::suite;
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How much.
pub struct Plan {
    /// Players who hand in.
    pub players: usize,
    /// Seconds in which they do.
    pub seconds: u64,
}

/// Runs the storm on both databases; true if no request failed.
pub fn load(plan: &Plan) -> anyhow::Result<bool> {
    let program = suite::program(true)?;
    let client = client()?;
    println!("\nSQLite: {} players in {} seconds", plan.players, plan.seconds);
    let sqlite = storm(plan, &program, &client, "-")?;
    let server = postgres::Server::start()?;
    let url = server.database("load")?;
    println!("\nPostgreSQL: {} players in {} seconds", plan.players, plan.seconds);
    let postgres = storm(plan, &program, &client, &url)?;
    Ok(sqlite && postgres)
}

/// Builds the client and tells where it lies.
fn client() -> anyhow::Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--quiet", "--release", "--package=briefwelt", "--example=load"]);
    build.arg("--message-format=json-render-diagnostics");
    let messages = output(&mut build)?;
    let executable = |line: &str| -> Option<PathBuf> {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let path = message["executable"].as_str()?;
        (message["target"]["name"] == "load").then(|| path.into())
    };
    let found = messages.lines().find_map(executable);
    found.context("cargo did not say where the client lies")
}

fn storm(plan: &Plan, program: &Path, client: &Path, database: &str) -> anyhow::Result<bool> {
    let folder = std::env::temp_dir().join(format!("briefwelt-load-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let status = Command::new(client)
        .arg(program)
        .arg(&folder)
        .arg(database)
        .arg(plan.players.to_string())
        .arg(plan.seconds.to_string())
        .current_dir(root()?)
        .status()?;
    let _ = std::fs::remove_dir_all(&folder);
    Ok(status.success())
}
