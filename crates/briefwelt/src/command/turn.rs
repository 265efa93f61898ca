//! `briefwelt turn`

use super::report::write_all;
use super::verify;
use super::{find_seat, open_world};
use crate::cli::{self, Cli, Format};
use crate::complaint::Complaint;
use crate::output::{FoundWrong, bar, read, say, spinner, table, tell, time};
use crate::press;
use crate::words::Words;
use host::schedule::AtDeadline;
use host::step::{Run, RunPlan};
use host::submission::{Answer, Arrival};
use host::world::{Seat, World};
use host::{Host, HostError};
use kernel::diagnostic::Severity;
use kernel::dice::Owner;
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
                None if step > world.open_step => Err(HostError::NotOpen {
                    step,
                    open: world.open_step,
                }
                .into()),
                None => {
                    let complaint = Complaint::new("no-orders").with("realm", &seat.name);
                    Err(complaint.with("turn", step).code(1).into())
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
    let file = read(&orders.file, kernel::limits::ORDER_FILE_BYTES)?;
    let (host, world) = open_world(cli).await?;
    let game = host.game(&world.game)?;
    let Some(realm) = &orders.realm else {
        return Err(Complaint::new("whose-orders").code(2).into());
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
            press::report(&*game, press::Told::Turn(&view), format, cli.lang, out)
        }
        None => Err(Complaint::new("no-preview").with("game", &world.game).into()),
    }
}

async fn check(cli: &Cli, orders: &cli::Orders, submit: bool, late: bool) -> anyhow::Result<()> {
    let file = read(&orders.file, kernel::limits::ORDER_FILE_BYTES)?;
    let (host, world) = open_world(cli).await?;
    let game = host.game(&world.game)?;
    let piped = orders.file == Path::new("-");
    let companion = match game.files().realm {
        name if name.is_empty() || piped => None,
        name => beside(&orders.file, name),
    };
    let claimed = match &companion {
        Some(path) => Some(read(path, REALM_FILE_BYTES)?),
        None => None,
    };
    let realm = match (&orders.realm, &claimed) {
        (Some(realm), _) => realm.clone(),
        (None, Some(claimed)) => String::from_utf8_lossy(claimed).trim().to_owned(),
        (None, None) => {
            return Err(Complaint::new("whose-orders").code(2).into());
        }
    };
    let seat = match (find_seat(&host, &world, &realm).await, &companion) {
        (Err(HostError::UnknownRealm { .. } | HostError::UnknownRealmName { .. }), Some(path))
            if orders.realm.is_none() =>
        {
            let complaint = Complaint::new("claims-nobody").with("file", path.display());
            return Err(complaint.with("world", &world.name).code(5).into());
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
        text.push_str(&verdict(Words::of(cli), &seat, &answer, submit));
        text
    })?;
    match (submit, &answer.receipt) {
        (true, None) => {
            let codes: Vec<&str> = game_errors(&answer);
            if codes.is_empty() {
                let complaint = Complaint::new("no-plain-text").with("file", orders.file.display());
                return Err(complaint.into());
            }
            // The file beside the orders names another realm; else it is the form that does not fit.
            let own = seat.realm.to_string();
            let names_another = claimed.is_some_and(|claimed| String::from_utf8_lossy(&claimed).trim() != own);
            let complaint = Complaint::new("file-refused").with("codes", codes.join(", "));
            Err(complaint.code(if names_another { 5 } else { 8 }).into())
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

fn verdict(words: Words, seat: &Seat, answer: &Answer, submit: bool) -> String {
    let found = |things, severity| words.count(things, answer.count(severity));
    let mut text = words.with(
        "verdict",
        &[
            ("realm", &seat.name),
            ("turn", &answer.step),
            ("orders", &words.count("orders", answer.orders)),
            ("errors", &found("errors", Severity::Error)),
            ("warnings", &found("warnings", Severity::Warning)),
            ("hints", &found("hints", Severity::Hint)),
        ],
    );
    let taken = match &answer.receipt {
        Some(receipt) if answer.replaced > 0 => words.with("taken-in-again", &[("receipt", receipt)]),
        Some(receipt) => words.with("taken-in", &[("receipt", receipt)]),
        None if submit => words.t("not-taken-in"),
        None => String::new(),
    };
    text.push('\n');
    text.push_str(&taken);
    text
}

async fn status(cli: &Cli) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let (step, standings) = host.standings(&world).await?;
    let seals = host.seals(&world, step.number).await?;
    let value = json!({ "turn": step.number, "over": step.over, "realms": standings, "seals": seals });
    tell(cli, &value, || {
        let words = Words::of(cli);
        let mut text = match step.over {
            true => words.with("over", &[("world", &world.name)]),
            false => words.with("open", &[("world", &world.name), ("turn", &step.number)]),
        };
        text.push('\n');
        let row = |standing: &host::submission::Standing| {
            let state = match (&standing.receipt, standing.owes, standing.computer) {
                (_, false, _) => words.t("owes-nothing"),
                (Some(receipt), ..) => {
                    let when = time(standing.received_at.unwrap_or(0));
                    let receipt: String = receipt.chars().take(16).collect();
                    words.with("sent", &[("when", &when), ("receipt", &receipt)])
                }
                (None, _, true) => words.t("computer"),
                (None, ..) => words.t("missing"),
            };
            vec![
                standing.realm.to_string(),
                standing.name.clone(),
                standing.player.clone(),
                state,
            ]
        };
        text.push_str(&table(&standings.iter().map(row).collect::<Vec<_>>()));
        let _ = writeln!(text, "\n{}", words.t("seals"));
        let owner = |owner: &Owner| match owner {
            Owner::World => words.t("world"),
            Owner::Realm(realm) => words.with("realm", &[("realm", realm)]),
        };
        let rows = seals.iter().map(|seal| vec![owner(&seal.owner), seal.seal.clone()]);
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

async fn told(words: Words, host: &Host, world: &World, run: &Run) -> Result<String, HostError> {
    let seats = host.seats(world).await?;
    let mut lines = vec![words.with(
        "ran",
        &[
            ("turn", &run.step),
            ("realms", &words.count("realms", run.orders.len())),
            ("events", &words.count("events", run.events)),
            ("dice", &words.count("dice", run.dice)),
            ("views", &words.count("views", run.views)),
            ("digest", &run.digest),
        ],
    )];
    if !run.missing.is_empty() {
        lines.push(words.with("without-orders", &[("realms", &names(&seats, &run.missing))]));
    }
    let open: Vec<&str> = run
        .requests
        .iter()
        .filter(|request| !request.answered)
        .map(|request| request.name.as_str())
        .collect();
    if !open.is_empty() {
        lines.push(words.with("by-default", &[("requests", &open.join("; "))]));
    }
    if run.over {
        lines.push(words.t("world-over"));
    }
    Ok(lines.join("\n"))
}

async fn publish(cli: &Cli, plan: RunPlan, out: Option<&Path>) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let words = Words::of(cli);
    let progress = bar(1, &words.with("doing-turn", &[("turn", &world.open_step)]));
    let run = host
        .run(&world, plan, &mut |done, total| {
            progress.set_length(total);
            progress.set_position(done);
        })
        .await;
    progress.finish_and_clear();
    let run = run?;
    let text = told(words, &host, &world, &run).await?;
    tell(cli, &run, || text)?;
    if let Some(folder) = out {
        let world = host.world(Some(&world.id)).await?;
        write_all(cli, &host, &world, Some(run.step), Format::Text, folder).await?;
        if !cli.json {
            say(words.with("reports", &[("folder", &folder.display())]))?;
        }
    }
    Ok(())
}

async fn trial(cli: &Cli, plan: RunPlan, out: Option<&Path>) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let words = Words::of(cli);
    let progress = spinner(&words.with("doing-trial", &[("turn", &world.open_step)]));
    let (run, views) = host.trial(&world, plan).await?;
    progress.finish_and_clear();
    let text = told(words, &host, &world, &run).await?;
    tell(cli, &run, || format!("{}\n{text}", words.t("trial")))?;
    if let Some(folder) = out {
        let game = host.game(&world.game)?;
        let seats = host.seats(&world).await?;
        for (viewer, view) in &views {
            let name = super::report::folder_of(&seats, *viewer);
            super::report::write_folder(cli, &*game, view, Format::Text, &folder.join(name))?;
        }
        if !cli.json {
            say(words.with("trial-reports", &[("folder", &folder.display())]))?;
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
    let words = Words::of(cli);
    let progress = bar(numbers.len() as u64, &words.t("doing-replay"));
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
            let line = match differences.as_slice() {
                [] => words.with("same", &[("turn", turn)]),
                some => words.with("differs", &[("turn", turn), ("how", &verify::differences(cli, some))]),
            };
            let _ = writeln!(text, "{line}");
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
        Some(deadline) => {
            let when = time(deadline.due_at);
            Words::of(cli).with("due", &[("turn", &deadline.step), ("when", &when)])
        }
        None => Words::of(cli).with("no-deadline", &[("turn", &world.open_step)]),
    })
}
