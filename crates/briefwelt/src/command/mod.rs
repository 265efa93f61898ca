//! One file per command.

mod account;
mod backup;
mod battle;
mod bench;
mod campaign;
mod chores;
mod demo;
mod gm;
mod map;
mod report;
mod rules;
mod scenario;
mod serve;
mod turn;
mod verify;
mod work;
mod world;

use crate::cli::{self, Cli, Command};
use crate::help;
use crate::output::{say, tell};
use crate::words::Words;
use host::world::{Seat, World};
use host::{Host, HostError, Options};
use kernel::realm::{RealmId, Viewer};
use std::path::PathBuf;

/// Carries out the command line.
pub async fn run(cli: &Cli) -> anyhow::Result<()> {
    match &cli.command {
        Command::World(command) => world::run(cli, command).await,
        Command::Turn(command) => turn::run(cli, command).await,
        Command::Gm(command) => gm::run(cli, command).await,
        Command::Report(command) => report::run(cli, command).await,
        Command::Map(command) => map::run(cli, command).await,
        Command::Rules(command) => rules::run(cli, command),
        Command::Scenario(command) => scenario::run(cli, command),
        Command::Verify(command) => verify::run(cli, command).await,
        Command::Bench(command) => bench::run(cli, command),
        Command::Battle(command) => battle::run(cli, command),
        Command::Campaign(command) => campaign::run(cli, command),
        Command::Serve(command) => serve::run(cli, command).await,
        Command::Backup { file } => backup::backup(cli, file).await,
        Command::Restore { file } => backup::restore(cli, file).await,
        Command::Doctor { rerun } => backup::doctor(cli, *rerun).await,
        Command::Account(command) => account::run(cli, command).await,
        Command::Work(command) => work::run(cli, command).await,
        Command::Demo(command) => demo::run(cli, command).await,
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut help::command(Words::of(cli)), "briefwelt", &mut script);
            say(String::from_utf8_lossy(&script))
        }
        Command::ExitCodes => tell(cli, &help::meanings(Words::of(cli)), || {
            help::exit_codes(Words::of(cli))
        }),
    }
}

/// Opens the store; only some commands make a new one.
async fn open(cli: &Cli, create: bool) -> Result<Host, HostError> {
    let data = cli.data.clone().unwrap_or_else(|| PathBuf::from("briefwelt-data"));
    open_at(cli, data, create).await
}

async fn open_at(cli: &Cli, data: PathBuf, create: bool) -> Result<Host, HostError> {
    let options = Options {
        data,
        database: cli.database.clone(),
        create,
        megabytes_max: cli.database_max_mb,
    };
    let host = Host::open(games::games(), &options).await?;
    cli.opened.note(host.closer());
    Ok(host)
}

/// Opens the store and finds the world.
async fn open_world(cli: &Cli) -> Result<(Host, World), HostError> {
    let host = open(cli, false).await?;
    let world = host.world(cli.world.as_deref()).await?;
    Ok((host, world))
}

/// The seat of a realm by number or name.
async fn find_seat(host: &Host, world: &World, realm: &str) -> Result<Seat, HostError> {
    let seats = host.seats(world).await?;
    let by_number = realm.trim().parse().ok().map(RealmId);
    let wanted = realm.trim().to_lowercase();
    let by_name = |seat: &&Seat| seat.name.to_lowercase() == wanted;
    let found = seats
        .iter()
        .find(|seat| Some(seat.realm) == by_number)
        .or_else(|| seats.iter().find(by_name));
    let renamed = match found {
        Some(seat) => return Ok(seat.clone()),
        None => renamed(host, world, &wanted).await?,
    };
    seats
        .into_iter()
        .find(|seat| renamed == Some(seat.realm))
        .ok_or_else(|| match by_number {
            Some(realm) => HostError::UnknownRealm {
                world: world.name.clone(),
                realm,
            },
            None => HostError::UnknownRealmName {
                world: world.name.clone(),
                name: realm.to_owned(),
            },
        })
}

/// The realm that has given itself this name in the game, in small letters.
async fn renamed(host: &Host, world: &World, wanted: &str) -> Result<Option<RealmId>, HostError> {
    let (_, view) = host.view(world, Viewer::GameMaster, None).await?;
    let names = host.game(&world.game)?.correspondents(&view)?;
    let mut names = names.into_iter().flatten();
    Ok(names
        .find(|other| other.name.to_lowercase() == wanted)
        .map(|other| other.realm))
}

/// Whom a report or map is for, with the name of the folder it goes to.
async fn viewers(
    host: &Host,
    world: &World,
    viewer: &cli::Viewer,
    turn: Option<u32>,
) -> Result<Vec<(Viewer, String)>, HostError> {
    if let Some(realm) = &viewer.realm {
        let seat = find_seat(host, world, realm).await?;
        return Ok(vec![(Viewer::Realm(seat.realm), folder_name(&seat))]);
    }
    if viewer.gm {
        return Ok(vec![(Viewer::GameMaster, GAME_MASTER.to_owned())]);
    }
    let step = turn.unwrap_or(world.open_step.saturating_sub(1));
    // An unknown turn is named by asking for its view.
    host.view(world, Viewer::GameMaster, Some(step)).await?;
    let seats = host.seats(world).await?;
    let name = |viewer| match viewer {
        Viewer::GameMaster => GAME_MASTER.to_owned(),
        Viewer::Realm(realm) => match seats.iter().find(|seat| seat.realm == realm) {
            Some(seat) => folder_name(seat),
            None => realm.to_string(),
        },
    };
    Ok(host
        .viewers(world, step)
        .await?
        .into_iter()
        .map(|viewer| (viewer, name(viewer)))
        .collect())
}

/// There is no game of this name.
fn unknown_game(name: &str) -> HostError {
    let known: Vec<&str> = games::games().iter().map(|game| game.name()).collect();
    HostError::UnknownGame {
        name: name.to_owned(),
        known: known.join(", "),
    }
}

/// Folder of what the game master reads.
const GAME_MASTER: &str = "game-master";

/// A folder name that every file system takes: number and letters of the realm's name.
fn folder_name(seat: &Seat) -> String {
    let letters = seat
        .name
        .chars()
        .map(|letter| if letter.is_alphanumeric() { letter } else { '-' });
    format!("{:02}-{}", seat.realm.0, letters.collect::<String>())
}
