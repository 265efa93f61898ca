//! `briefwelt demo`

mod furnish;

use super::map::draw;
use super::report::{folder_of, write_folder};
use super::world::{COMPUTER, realm_name};
use super::{GAME_MASTER, open_at, serve};
use crate::cli::{self, Cli, Format};
use crate::output::{bar, tell};
use crate::press;
use crate::words::Words;
use host::account::NewAccount;
use host::step::RunPlan;
use host::world::{NewSeat, NewWorld, Seat, World};
use host::{Host, HostError};
use kernel::game::SeatPlan;
use kernel::realm::{RealmId, Viewer};
use serde_json::json;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};

/// A world in which eight realms meet within two years; the book's own is as large as Earth.
const SMALL_WORLD: &str = "[world]\ncolumns = 48\nrows = 34\ncapital_min_distance = 6\n";

/// Turns that are played where the game counts no years.
const TURNS_WITHOUT_YEARS: u32 = 8;

/// How many realms get a player whose account is ready; the computer goes on with the others.
const SEATS: usize = 3;

/// Carries out `briefwelt demo`.
pub async fn run(cli: &Cli, demo: &cli::Demo) -> anyhow::Result<()> {
    let data = cli.data.clone().unwrap_or_else(|| PathBuf::from("demo"));
    let host = open_at(cli, data.clone(), true).await?;
    let world = create(cli, &host, demo).await?;
    let seats = host.seats(&world).await?;
    let furniture = web::words::Words::of(press::language(cli.lang));
    let turns = match demo.turns {
        Some(turns) => turns,
        None => usual_turns(&host, &world)?,
    };
    let progress = bar(u64::from(turns), &Words::of(cli).t("doing-turns"));
    let mut played = 0;
    while played < turns {
        // Letters of the last season come with its report.
        if played + 1 == turns {
            furnish::write_letters(&host, &world, &seats, furniture).await?;
        }
        let plan = RunPlan {
            step: None,
            without_missing: true,
        };
        let over = host.run(&world, plan, &mut |_, _| {}).await?.over;
        progress.inc(1);
        played += 1;
        if over {
            break;
        }
    }
    progress.finish_and_clear();
    let world = host.world(Some(&world.id)).await?;
    let folder = data.join("results").join(world.name.replace(' ', "-"));
    show(cli, &host, &world, &folder).await?;
    let seats = host.seats(&world).await?;
    let first = folder_of(&seats, Viewer::Realm(RealmId(1)));
    let people = people(cli, &host, &world, &seats).await?;
    host.let_flow(&world, host::now()).await?;
    furnish::furnish(&host, &world, &seats, furniture).await?;
    let value = json!({ "world": world, "turns": played, "folder": folder, "people": people });
    tell(cli, &value, || {
        let game = host.game(&world.game).map(|game| game.files());
        let (orders, report) = game.map_or(("ORDERS", "REPORT"), |files| (files.orders, files.report));
        let stem = report.rsplit_once('.').map_or(report, |(stem, _)| stem);
        let words = Words::of(cli);
        let person = |person: &Person| {
            words.with(
                "demo-person",
                &[
                    ("name", &person.name),
                    ("password", &person.password),
                    ("part", &person.part),
                ],
            )
        };
        let people: Vec<String> = people.iter().map(person).collect();
        let seen = words.with(
            "demo",
            &[
                ("world", &world.name),
                ("turns", &words.count("turns", played)),
                ("realms", &words.count("realms", demo.realms)),
                ("results", &folder.display()),
                ("master", &GAME_MASTER),
                ("first", &first),
                ("report", &report),
                ("stem", &stem),
                ("data", &data.display()),
            ],
        );
        let played_on = words.with(
            "demo-files",
            &[("data", &data.display()), ("world", &world.name), ("orders", &orders)],
        );
        format!("{seen}\n  {}\n\n{played_on}", people.join("\n  "))
    })?;
    let Some(listen) = demo.listen else {
        return Ok(());
    };
    serve::serve(cli, host, &cli::Serve::on(listen)).await
}

/// Turns of two years, or some where the game counts no years.
fn usual_turns(host: &Host, world: &World) -> Result<u32, HostError> {
    let year = host.game(&world.game)?.steps_in_year("")?;
    Ok(year.map_or(TURNS_WITHOUT_YEARS, |steps| steps.saturating_mul(2)))
}

/// Somebody whose seat is ready.
#[derive(serde::Serialize)]
struct Person {
    name: String,
    password: String,
    part: String,
}

/// Makes accounts for the game master and for the first realms. A second demo in the same folder gets people of its own.
async fn people(cli: &Cli, host: &Host, world: &World, seats: &[Seat]) -> anyhow::Result<Vec<Person>> {
    let mark = match world.name.strip_prefix("Demo ") {
        Some(number) => format!("-{number}"),
        None => String::new(),
    };
    let mut people = Vec::new();
    let players = seats
        .iter()
        .take(SEATS)
        .map(|seat| (seat.name.clone(), Some(seat.realm)));
    let master = Words::of(cli).t("demo-master");
    for (name, realm) in std::iter::once((master, None)).chain(players) {
        let password = format!("demo-{:016x}", RandomState::new().build_hasher().finish());
        let name = format!("{name}{mark}");
        let new = NewAccount {
            mail: format!("demo{mark}-{}@localhost.localdomain", people.len()),
            name,
            password: Some(password.clone()),
            language: press::language(cli.lang).code().to_owned(),
            zone: furnish::ZONE.to_owned(),
        };
        let account = host.sign_up(&new, None, host::now()).await?;
        let part = match realm {
            Some(realm) => {
                host.assign_seat(world, realm, &account.id, host::now()).await?;
                Words::of(cli).with("demo-plays", &[("realm", &realm)])
            }
            None => {
                host.add_master(world, &account.id, host::now()).await?;
                Words::of(cli).t("demo-leads")
            }
        };
        people.push(Person {
            name: account.name,
            password,
            part,
        });
    }
    Ok(people)
}

async fn create(cli: &Cli, host: &Host, demo: &cli::Demo) -> anyhow::Result<World> {
    let taken: Vec<String> = host.worlds().await?.into_iter().map(|world| world.name).collect();
    let name = (1..)
        .map(|number| {
            if number == 1 {
                "Demo".to_owned()
            } else {
                format!("Demo {number}")
            }
        })
        .find(|name| !taken.contains(name))
        .unwrap_or_default();
    let seat = |number| NewSeat {
        plan: SeatPlan {
            realm: realm_name(number),
            player: COMPUTER.to_owned(),
            kind: String::new(),
        },
        computer: true,
        vacant: false,
    };
    // A game whose book has no such world is played in its own.
    let small = host.game(&demo.game)?.check_house_rules(SMALL_WORLD).is_ok();
    let plan = NewWorld {
        name,
        game: demo.game.clone(),
        house_rules: if small { SMALL_WORLD.to_owned() } else { String::new() },
        seats: (1..=usize::from(demo.realms)).map(seat).collect(),
        seed: Some(demo.seed.clone()),
        map_seed: None,
    };
    let progress = bar(1, &Words::of(cli).t("doing-world"));
    let world = host
        .create(&plan, &mut |done, total| {
            progress.set_length(u64::from(total));
            progress.set_position(u64::from(done));
        })
        .await?;
    progress.finish_and_clear();
    Ok(world)
}

/// Writes reports of everyone and maps of the game master and of every realm.
async fn show(cli: &Cli, host: &Host, world: &World, folder: &Path) -> Result<(), anyhow::Error> {
    let game = host.game(&world.game)?;
    let seats = host.seats(world).await?;
    let last = world.open_step.saturating_sub(1);
    let viewers = host.viewers(world, last).await?;
    let progress = bar(viewers.len() as u64, &Words::of(cli).t("doing-reports-maps"));
    for viewer in viewers {
        let (_, view) = host.view(world, viewer, Some(last)).await?;
        let folder = folder.join(folder_of(&seats, viewer));
        write_folder(cli, &*game, &view, Format::Text, &folder)?;
        write_folder(cli, &*game, &view, Format::Html, &folder)?;
        draw(cli, &*game, &view, &folder.join("map.svg"))?;
        draw(cli, &*game, &view, &folder.join("map.png"))?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(())
}
