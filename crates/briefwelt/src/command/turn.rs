//! `briefwelt turn`

use super::report::write_all;
use super::{find_seat, open_world};
use crate::cli::{self, Cli, Format};
use crate::output::{FoundWrong, bar, count, read, say, spinner, table, tell, time};
use crate::press;
use host::schedule::AtDeadline;
use host::step::{Run, RunPlan};
use host::submission::{Answer, Arrival};
use host::world::{Seat, World};
use host::{Host, HostError};
use kernel::diagnostic::Severity;
use kernel::game::ArrivedFiles;
use kernel::realm::RealmId;
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

/// Bytes of the file that names a realm: a number and a line end.
const REALM_FILE_BYTES: usize = 1_024;

/// Carries out `briefwelt turn`.
pub async fn run(cli: &Cli, command: &cli::Turn) -> anyhow::Result<()> {
    match command {
        cli::Turn::Check(orders) => check(cli, orders, false, false).await,
        cli::Turn::Submit { orders, late } => check(cli, orders, true, *late).await,
        cli::Turn::Preview(orders) => preview(cli, orders).await,
        cli::Turn::Status => status(cli).await,
        cli::Turn::Run {
            turn,
            without_missing,
            trial,
            out,
        } => {
            let plan = RunPlan {
                step: *turn,
                without_missing: *without_missing,
            };
            if *trial {
                self::trial(cli, plan, out.as_deref()).await
            } else {
                publish(cli, plan, out.as_deref()).await
            }
        }
        cli::Turn::Deadline { at, then, grace } => deadline(cli, at.as_deref(), *then, *grace).await,
        cli::Turn::Replay { turn } => replay(cli, *turn).await,
        cli::Turn::Orders { realm, turn, draft } => {
            let (host, world) = open_world(cli).await?;
            let seat = find_seat(&host, &world, realm).await?;
            let step = turn.unwrap_or(world.open_step);
            let file = if *draft {
                Some(host.suggested_orders(&world, seat.realm).await?)
            } else {
                host.orders(&world, step, seat.realm).await?
            };
            match file {
                Some(file) => {
                    use std::io::Write as _;
                    std::io::stdout().lock().write_all(&file)?;
                    Ok(())
                }
                None => {
                    // Standard output is for the file alone: whoever redirects it must not find a sentence in it.
                    eprintln!("briefwelt: {} has sent no orders for turn {step}", seat.name);
                    Err(FoundWrong.into())
                }
            }
        }
    }
}

/// A file beside the orders whose name differs from `name` only in case.
fn beside(orders: &Path, name: &str) -> Option<std::path::PathBuf> {
    let folder = match orders.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let entries = std::fs::read_dir(folder).ok()?;
    entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|path| path.file_name().is_some_and(|own| own.eq_ignore_ascii_case(name)))
}

/// Writes the report that the realm would get if nobody else moved.
async fn preview(cli: &Cli, orders: &cli::Orders) -> anyhow::Result<()> {
    let file = read(&orders.file, kernel::limits::ORDER_FILE_BYTES, "the order file")?;
    let (host, world) = open_world(cli).await?;
    let game = host.game(&world.game)?;
    let Some(realm) = &orders.realm else {
        return Err(HostError::Malformed("whose orders? Name the realm with --realm".into()).into());
    };
    let seat = find_seat(&host, &world, realm).await?;
    let viewer = kernel::realm::Viewer::Realm(seat.realm);
    let (_, view) = host.view(&world, viewer, None).await?;
    match game.preview(&view, &file)? {
        Some(view) => {
            let format = if cli.json { Format::Json } else { Format::Text };
            let out = (
                press::Paper::Screen,
                &mut std::io::stdout().lock() as &mut dyn std::io::Write,
            );
            press::report(&*game, &view, format, cli.lang, out)
        }
        None => Err(HostError::Malformed(format!("{} cannot be previewed", world.game)).into()),
    }
}

async fn check(cli: &Cli, orders: &cli::Orders, submit: bool, late: bool) -> anyhow::Result<()> {
    let file = read(&orders.file, kernel::limits::ORDER_FILE_BYTES, "the order file")?;
    let (host, world) = open_world(cli).await?;
    let game = host.game(&world.game)?;
    let piped = orders.file == Path::new("-");
    let companion = match game.files().realm {
        name if name.is_empty() || piped => None,
        name => beside(&orders.file, name),
    };
    let claimed = match &companion {
        Some(path) => Some(read(path, REALM_FILE_BYTES, "the file")?),
        None => None,
    };
    let realm = match (&orders.realm, &claimed) {
        (Some(realm), _) => realm.clone(),
        (None, Some(claimed)) => String::from_utf8_lossy(claimed).trim().to_owned(),
        (None, None) => {
            return Err(HostError::Malformed("whose orders? Name the realm with --realm".into()).into());
        }
    };
    let seat = match (find_seat(&host, &world, &realm).await, &companion) {
        (Err(HostError::UnknownRealm { .. } | HostError::UnknownRealmName { .. }), Some(path))
            if orders.realm.is_none() =>
        {
            let why = format!(
                "{} names no realm of the world {:?}; say with --realm whose orders these are",
                path.display(),
                world.name
            );
            return Err(HostError::Refused(why).into());
        }
        (seat, _) => seat?,
    };
    let name = orders.file.file_name().map(|name| name.to_string_lossy().into_owned());
    let arrival = Arrival {
        realm: seat.realm,
        step: orders.turn,
        file: &file,
        files: ArrivedFiles {
            orders: name.as_deref().filter(|_| !piped),
            realm: claimed.as_deref(),
        },
    };
    let answer = match (submit, late) {
        (true, false) => host.submit(&world, arrival, host::now()).await?,
        (true, true) => host.submit_late(&world, arrival, host::now()).await?,
        (false, _) => host.check(&world, arrival).await?,
    };
    let source = press::source(&file);
    tell(cli, &press::answer(&*game, cli.lang, &answer)?, || {
        let mut text = String::new();
        for finding in &answer.diagnostics {
            text.push_str(&press::finding(&*game, cli.lang, finding, &source));
            text.push('\n');
        }
        text.push_str(&verdict(&seat, &answer, submit));
        text
    })?;
    match (submit, &answer.receipt) {
        (true, None) => {
            let codes: Vec<&str> = game_errors(&answer);
            if codes.is_empty() {
                let why = format!(
                    "{} is no text file and was not taken in; save the orders as plain text",
                    orders.file.display()
                );
                return Err(HostError::Malformed(why).into());
            }
            Err(HostError::Refused(codes.join(", ")).into())
        }
        (false, _) if answer.count(Severity::Error) > 0 => Err(FoundWrong.into()),
        _ => Ok(()),
    }
}

fn game_errors(answer: &Answer) -> Vec<&str> {
    let errors = answer
        .diagnostics
        .iter()
        .filter(|finding| finding.severity == Severity::Error && finding.span.line == 0);
    errors.map(|finding| finding.code.as_ref()).collect()
}

fn verdict(seat: &Seat, answer: &Answer, submit: bool) -> String {
    let mut text = format!(
        "{}, turn {}: {} understood, {}, {}, {}\n",
        seat.name,
        answer.step,
        count(answer.orders, "order"),
        count(answer.count(Severity::Error), "error"),
        count(answer.count(Severity::Warning), "warning"),
        count(answer.count(Severity::Hint), "hint")
    );
    match &answer.receipt {
        Some(receipt) if answer.replaced > 0 => {
            let _ = writeln!(text, "Taken in, in place of the file before. Receipt {receipt}");
        }
        Some(receipt) => {
            let _ = writeln!(text, "Taken in. Receipt {receipt}");
        }
        None if submit => text.push_str("Not taken in.\n"),
        None => {}
    }
    text
}

async fn status(cli: &Cli) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let (step, standings) = host.standings(&world).await?;
    let seals = host.seals(&world, step.number).await?;
    let value = json!({ "turn": step.number, "over": step.over, "realms": standings, "seals": seals });
    tell(cli, &value, || {
        let mut text = format!("{}: turn {} is open\n", world.name, step.number);
        if step.over {
            text = format!("{} has come to its end\n", world.name);
        }
        let row = |standing: &host::submission::Standing| {
            let state = match (&standing.receipt, standing.owes, standing.computer) {
                (_, false, _) => "owes nothing".to_owned(),
                (Some(receipt), ..) => format!(
                    "sent {} (receipt {})",
                    time(standing.received_at.unwrap_or(0)),
                    receipt.chars().take(16).collect::<String>()
                ),
                (None, _, true) => "computer".to_owned(),
                (None, ..) => "MISSING".to_owned(),
            };
            vec![
                standing.realm.to_string(),
                standing.name.clone(),
                standing.player.clone(),
                state,
            ]
        };
        text.push_str(&table(&standings.iter().map(row).collect::<Vec<_>>()));
        text.push_str("\nSeals of the dice\n");
        let rows = seals.iter().map(|seal| vec![seal.owner.to_string(), seal.seal.clone()]);
        text.push_str(&table(&rows.collect::<Vec<_>>()));
        text
    })
}

/// Names of realms, or their numbers.
fn names(seats: &[Seat], realms: &[RealmId]) -> String {
    let name = |realm: &RealmId| match seats.iter().find(|seat| seat.realm == *realm) {
        Some(seat) => seat.name.clone(),
        None => realm.to_string(),
    };
    realms.iter().map(name).collect::<Vec<_>>().join(", ")
}

async fn told(host: &Host, world: &World, run: &Run) -> Result<String, HostError> {
    let seats = host.seats(world).await?;
    let mut text = format!(
        "Turn {}: orders of {} realms, {} events, {} dice, {} views, digest {}\n",
        run.step,
        run.orders.len(),
        run.events,
        run.dice,
        run.views,
        run.digest
    );
    if !run.missing.is_empty() {
        let _ = writeln!(text, "Without orders: {}", names(&seats, &run.missing));
    }
    let open: Vec<&str> = run
        .requests
        .iter()
        .filter(|request| !request.answered)
        .map(|request| request.name.as_str())
        .collect();
    if !open.is_empty() {
        let _ = writeln!(text, "Decided by default: {}", open.join("; "));
    }
    if run.over {
        text.push_str("The world has come to its end.\n");
    }
    Ok(text)
}

async fn publish(cli: &Cli, plan: RunPlan, out: Option<&Path>) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let progress = bar(1, &format!("turn {}", world.open_step));
    let run = host
        .run(&world, plan, &mut |done, total| {
            progress.set_length(total);
            progress.set_position(done);
        })
        .await;
    progress.finish_and_clear();
    let run = run?;
    let text = told(&host, &world, &run).await?;
    tell(cli, &run, || text)?;
    if let Some(folder) = out {
        let world = host.world(Some(&world.id)).await?;
        write_all(cli, &host, &world, Some(run.step), Format::Text, folder).await?;
        if !cli.json {
            say(format_args!("Reports: {}", folder.display()))?;
        }
    }
    Ok(())
}

async fn trial(cli: &Cli, plan: RunPlan, out: Option<&Path>) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let progress = spinner(&format!("trying turn {}", world.open_step));
    let (run, views) = host.trial(&world, plan).await?;
    progress.finish_and_clear();
    let text = told(&host, &world, &run).await?;
    tell(cli, &run, || format!("A trial: nothing is published.\n{text}"))?;
    if let Some(folder) = out {
        let game = host.game(&world.game)?;
        let seats = host.seats(&world).await?;
        for (viewer, view) in &views {
            let name = super::report::folder_of(&seats, *viewer);
            super::report::write_folder(cli, &*game, view, Format::Text, &folder.join(name))?;
        }
        if !cli.json {
            say(format_args!("Reports of the trial: {}", folder.display()))?;
        }
    }
    Ok(())
}

async fn replay(cli: &Cli, turn: Option<u32>) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let steps = host.steps(&world).await?;
    let numbers: Vec<u32> = match turn {
        Some(turn) => vec![turn],
        None => steps.iter().skip(1).map(|step| step.number).collect(),
    };
    let progress = bar(numbers.len() as u64, "running again");
    let mut results = Vec::new();
    for number in numbers {
        results.push((number, host.replay(&world, number).await?));
        progress.inc(1);
    }
    progress.finish_and_clear();
    let value: Vec<_> = results
        .iter()
        .map(|(turn, differences)| json!({ "turn": turn, "differences": differences }))
        .collect();
    let same = results.iter().all(|(_, differences)| differences.is_empty());
    tell(cli, &value, || {
        let mut text = String::new();
        for (turn, differences) in &results {
            let _ = match differences.as_slice() {
                [] => writeln!(text, "turn {turn}: the same, byte for byte"),
                some => writeln!(text, "turn {turn}: differs: {some:?}"),
            };
        }
        text
    })?;
    if same { Ok(()) } else { Err(FoundWrong.into()) }
}

/// Sets what was given and shows what holds then.
async fn deadline(cli: &Cli, at: Option<&str>, then: Option<cli::Then>, grace: Option<u32>) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let now = host::now();
    let mut policy = host.schedule(&world).await?.policy;
    if then.is_some() || grace.is_some() {
        policy.grace_minutes = grace.unwrap_or(policy.grace_minutes);
        policy.run = match then {
            Some(cli::Then::ByHand) => AtDeadline::ByHand,
            Some(cli::Then::Complete) => AtDeadline::Complete,
            Some(cli::Then::Always) => AtDeadline::Always,
            None => policy.run,
        };
        host.set_policy(&world, policy, now).await?;
    }
    match at {
        Some("none") => host.set_deadline(&world, None, now).await?,
        Some("now") => host.set_deadline(&world, Some(now), now).await?,
        Some(text) => {
            host.set_deadline(&world, Some(host::schedule::moment_of(text)?), now)
                .await?
        }
        None => {}
    }
    let schedule = host.schedule(&world).await?;
    tell(cli, &schedule, || match schedule.deadline {
        Some(deadline) => format!("Orders for turn {} are due {}", deadline.step, time(deadline.due_at)),
        None => format!("Turn {} has no deadline", world.open_step),
    })
}
