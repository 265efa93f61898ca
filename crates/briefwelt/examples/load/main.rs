//! The last minute before a deadline: every player of a large world hands in while others read pages.
//!
//! `cargo xtask load` builds and runs this with the program that it tests. It makes a world, accounts, keys and sessions in
//! an empty store (a password is asked of nobody: what is measured is the turn, not signing in), starts the program on
//! it, sends the requests over loopback, and looks whether every order file is there. Any error is a failure.

mod client;
mod figures;
mod stage;

use anyhow::{Context as _, ensure};
use client::{Client, Request};
use figures::Figures;
use stage::{Cast, Plan};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, sleep_until};

/// Readers at the same time.
const READERS: usize = 40;
/// Time that a reader looks at a page.
const LOOKS: Duration = Duration::from_millis(500);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let mut next = |what: &str| words.next().with_context(|| format!("{what} is missing"));
    let plan = Plan {
        program: PathBuf::from(next("the program")?),
        data: PathBuf::from(next("the folder of the store")?),
        database: Some(next("the address of the database, or -")?).filter(|url| url != "-"),
        players: next("the number of players")?.parse()?,
        seconds: next("the number of seconds")?.parse()?,
    };
    let begin = Instant::now();
    let cast = Arc::new(stage::make(&plan).await?);
    println!(
        "a world of {} realms, accounts and keys made in {:.1} s",
        plan.players,
        begin.elapsed().as_secs_f64()
    );
    let (server, address) = serve(&plan).await?;
    let figures = Arc::new(Figures::default());
    let begin = Instant::now();
    storm(&plan, &cast, &address, &figures).await;
    let took = begin.elapsed();
    end(server).await?;
    print!("{}", figures.table(took));
    let handed_in = stage::handed_in(&plan).await?;
    println!("{handed_in} of {} realms have handed in", plan.players);
    let errors = figures.errors();
    for error in errors.iter().take(10) {
        eprintln!("error: {error}");
    }
    ensure!(errors.is_empty(), "{} requests failed", errors.len());
    ensure!(handed_in == plan.players, "orders are missing");
    Ok(())
}

/// Starts the program and waits until it says where it is.
async fn serve(plan: &Plan) -> anyhow::Result<(Child, String)> {
    let mut command = Command::new(&plan.program);
    command.arg("--data").arg(&plan.data);
    if let Some(url) = &plan.database {
        command.args(["--database", url]);
    }
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("RUST_LOG", "error")
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    let mut child = command.spawn().context("the program does not start")?;
    let out = child.stdout.take().context("the program says nothing")?;
    let mut lines = BufReader::new(out).lines();
    while let Some(line) = lines.next_line().await? {
        if let Some((_, address)) = line.split_once("http://") {
            let address = address.trim().trim_end_matches('/').to_owned();
            // What it says later must not fill the pipe.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok((child, address));
        }
    }
    anyhow::bail!("the program ended before it said where it is")
}

async fn end(mut child: Child) -> anyhow::Result<()> {
    let id = child.id().context("the program is gone")?;
    let told = Command::new("kill").args(["-TERM", &id.to_string()]).status().await?;
    ensure!(told.success(), "the program cannot be told to end");
    let ended = tokio::time::timeout(Duration::from_secs(60), child.wait()).await;
    ensure!(
        ended.context("the program does not end")??.success(),
        "the program failed"
    );
    Ok(())
}

/// Every player hands in at a moment of his own within the time, while readers read.
async fn storm(plan: &Plan, cast: &Arc<Cast>, address: &str, figures: &Arc<Figures>) {
    let begin = Instant::now();
    let end = begin + Duration::from_secs(plan.seconds);
    let mut tasks = Vec::new();
    for (number, player) in cast.players.iter().cloned().enumerate() {
        let share = u32::try_from(number).unwrap_or(0) as f64 / plan.players.max(1) as f64;
        let at = begin + Duration::from_secs(plan.seconds).mul_f64(share);
        let (address, figures) = (address.to_owned(), figures.clone());
        tasks.push(tokio::spawn(async move {
            sleep_until(at).await;
            let mut client = Client::new(&address);
            let base = format!("/api/v1/worlds/{}", stage::WORLD);
            let ask = [
                ("API: world", Request::get(&base)),
                (
                    "API: check orders",
                    Request::post(&format!("{base}/orders/check"), &player.orders),
                ),
                ("API: hand in", Request::post(&format!("{base}/orders"), &player.orders)),
            ];
            for (kind, request) in ask {
                figures
                    .measure(kind, client.send(&request.with_token(&player.token)))
                    .await;
            }
        }));
    }
    for (number, session) in cast.sessions.iter().cloned().enumerate().take(READERS) {
        let (address, figures) = (address.to_owned(), figures.clone());
        tasks.push(tokio::spawn(async move {
            sleep(LOOKS.mul_f64(number as f64 / READERS as f64)).await;
            let mut client = Client::new(&address);
            let world = format!("/welt/{}", stage::WORLD);
            let pages = [
                ("page: front", "/".to_owned()),
                ("page: desk", format!("{world}/")),
                ("page: report", format!("{world}/bericht")),
                ("page: orders", format!("{world}/befehle")),
                ("page: map", format!("{world}/karte")),
                ("page: letters", format!("{world}/briefe")),
                ("page: rules", format!("{world}/regeln?q=Heer")),
            ];
            let mut turn = number;
            while Instant::now() < end {
                if let Some((kind, path)) = pages.get(turn % pages.len()) {
                    let request = Request::get(path).with_session(&session);
                    figures.measure(kind, client.send(&request)).await;
                }
                turn += 1;
                sleep(LOOKS).await;
            }
        }));
    }
    for task in tasks {
        if let Err(error) = task.await {
            figures.fault("task", error.to_string());
        }
    }
}
