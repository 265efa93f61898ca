//! A throw-away PostgreSQL server on a free port of this machine.

use crate::run::output;
use anyhow::Context as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A running server; it ends and leaves nothing behind when this is dropped.
pub struct Server {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
}

/// The user of whom the server is: it refuses to run as root.
const USER: &str = "postgres";

impl Server {
    /// Starts a server; installs PostgreSQL first if it is missing.
    pub fn start() -> anyhow::Result<Self> {
        let programs = match programs() {
            Some(programs) => programs,
            None => {
                install()?;
                programs().context("PostgreSQL was installed, but its programs are not found")?
            }
        };
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let server = Self {
            programs,
            folder: std::env::temp_dir().join(format!("briefwelt-postgres-{port}")),
            port,
        };
        let data = server.folder.join("data");
        output(as_user("mkdir").arg("-p").arg(&server.folder))?;
        output(
            as_user(server.programs.join("initdb"))
                .args([
                    "--auth=trust",
                    "--username=briefwelt",
                    "--encoding=UTF8",
                    "--no-sync",
                    "--pgdata",
                ])
                .arg(&data),
        )?;
        let options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='{}' -c max_connections=200 -c fsync=off",
            server.folder.display()
        );
        output(
            as_user(server.programs.join("pg_ctl"))
                .args(["--silent", "--wait", "start", "--pgdata"])
                .arg(&data)
                .arg("--log")
                .arg(server.folder.join("log"))
                .args(["--options", &options]),
        )?;
        Ok(server)
    }

    /// Makes a database and tells its address.
    pub fn database(&self, name: &str) -> anyhow::Result<String> {
        output(Command::new(self.programs.join("createdb")).args([
            "--host=127.0.0.1",
            "--username=briefwelt",
            &format!("--port={}", self.port),
            name,
        ]))?;
        Ok(format!("postgres://briefwelt@127.0.0.1:{}/{name}", self.port))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let stopped = output(
            as_user(self.programs.join("pg_ctl"))
                .args(["--silent", "--wait", "--mode=immediate", "stop", "--pgdata"])
                .arg(self.folder.join("data")),
        );
        if let Err(error) = stopped.and_then(|_| output(as_user("rm").arg("-rf").arg(&self.folder))) {
            eprintln!("xtask: {}: {error:#}", self.folder.display());
        }
    }
}

/// The folder of the newest server that is installed.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    // Elsewhere the tools know where they lie.
    if let Ok(told) = output(Command::new("pg_config").arg("--bindir")) {
        found.push(PathBuf::from(told.trim()));
    }
    found.sort();
    found.into_iter().rfind(|folder| folder.join("initdb").exists())
}

fn install() -> anyhow::Result<()> {
    println!("PostgreSQL is missing: apt-get install postgresql");
    let mut command = if is_root() {
        Command::new("apt-get")
    } else {
        let mut command = Command::new("sudo");
        command.args(["-n", "apt-get"]);
        command
    };
    command
        .args(["install", "--yes", "--no-install-recommends", "postgresql"])
        .env("DEBIAN_FRONTEND", "noninteractive");
    output(&mut command).context("PostgreSQL is missing and could not be installed")?;
    Ok(())
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// A program that runs as somebody else than root.
fn as_user(program: impl AsRef<Path>) -> Command {
    let program = program.as_ref();
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", USER, "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    // The folder of the project may be closed to that user.
    command.current_dir(std::env::temp_dir());
    command
}
