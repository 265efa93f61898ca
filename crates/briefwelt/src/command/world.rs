//! `briefwelt world`

use super::{find_seat, open, open_world};
use crate::cli::{self, Cli};
use crate::complaint::Complaint;
use crate::output::{bar, read_text, spinner, table, tell, time, write_file};
use crate::press;
use crate::words::Words;
use host::desk::Deed;
use host::world::{NewSeat, NewWorld};
use kernel::game::SeatPlan;
use kernel::guide::fairness;
use serde_json::json;
use std::fmt::Write as _;
use web::pages::lead::record::Teller;

/// Carries out `briefwelt world`.
pub async fn run(cli: &Cli, command: &cli::World) -> anyhow::Result<()> {
    match command {
        cli::World::New(new) => create(cli, new).await,
        cli::World::List => list(cli).await,
        cli::World::Show { audit } => show(cli, *audit).await,
        cli::World::Export { file } => {
            let (host, world) = open_world(cli).await?;
            let progress = spinner(&Words::of(cli).t("doing-export"));
            let exported = host.export(&world, file).await?;
            progress.finish_and_clear();
            tell(cli, &exported, || {
                let words = Words::of(cli);
                let (records, bytes) = (
                    words.count("records", exported.records),
                    words.count("bytes", exported.bytes),
                );
                words.with(
                    "exported",
                    &[("file", &file.display()), ("records", &records), ("bytes", &bytes)],
                )
            })
        }
        cli::World::Import { file, name } => {
            let host = open(cli, true).await?;
            let progress = spinner(&Words::of(cli).t("doing-import"));
            let world = host.import(file, name.as_deref()).await?;
            progress.finish_and_clear();
            tell(cli, &world, || {
                Words::of(cli).with("open", &[("world", &world.name), ("turn", &world.open_step)])
            })
        }
        cli::World::Close => {
            let (host, world) = open_world(cli).await?;
            host.close_world(&world, host::now()).await?;
            let value = json!({ "world": world.name, "closed": true });
            tell(cli, &value, || Words::of(cli).with("closed", &[("world", &world.name)]))
        }
        cli::World::Keys { file } => {
            let (host, world) = open_world(cli).await?;
            let keys = host.public_keys(&world).await?;
            write_file(file, |out| Ok(serde_json::to_writer_pretty(out, &keys)?))?;
            let value = json!({ "file": file, "keys": keys.len() });
            tell(cli, &value, || {
                let words = Words::of(cli);
                let keys = words.count("keys", keys.len());
                words.with("keys-written", &[("file", &file.display()), ("keys", &keys)])
            })
        }
        cli::World::Seat {
            realm,
            player,
            computer,
        } => {
            let (host, world) = open_world(cli).await?;
            let seat = find_seat(&host, &world, realm).await?;
            let player = player.as_deref().unwrap_or(COMPUTER);
            host.reseat(&world, seat.realm, player, *computer).await?;
            let value = json!({ "realm": seat.realm, "name": seat.name, "player": player, "computer": computer });
            tell(cli, &value, || {
                Words::of(cli).with("played-by", &[("realm", &seat.name), ("player", &player)])
            })
        }
    }
}

/// Names for seats that nobody named.
const REALMS: [&str; 24] = [
    "Adler", "Bär", "Chimäre", "Drache", "Einhorn", "Falke", "Greif", "Hirsch", "Igel", "Jaguar", "Kranich", "Löwe",
    "Marder", "Natter", "Otter", "Panther", "Quelle", "Rabe", "Schwan", "Tiger", "Uhu", "Viper", "Wolf", "Zander",
];

/// The player's name of a computer player.
pub const COMPUTER: &str = "Computer";

/// The name of the seat with this number when nobody named it.
pub fn realm_name(number: usize) -> String {
    match number
        .checked_sub(1)
        .map(|index| (index / REALMS.len(), REALMS.get(index % REALMS.len())))
    {
        Some((0, Some(name))) => (*name).to_owned(),
        Some((round, Some(name))) => format!("{name} {}", round + 1),
        _ => number.to_string(),
    }
}

/// `Realm=Player` or `Realm=Player:kind`.
fn read_seat(text: &str) -> Result<SeatPlan, Complaint> {
    let (realm, rest) = text
        .split_once('=')
        .ok_or_else(|| Complaint::new("seat").with("given", text))?;
    let (player, kind) = rest.split_once(':').unwrap_or((rest, ""));
    Ok(SeatPlan {
        realm: realm.trim().to_owned(),
        player: player.trim().to_owned(),
        kind: kind.trim().to_owned(),
    })
}

async fn create(cli: &Cli, new: &cli::NewWorld) -> anyhow::Result<()> {
    let words = Words::of(cli);
    let mut seats = Vec::new();
    for text in &new.seat {
        seats.push(NewSeat {
            plan: read_seat(text)?,
            computer: false,
            vacant: false,
        });
    }
    let named: Vec<String> = seats.iter().map(|seat| seat.plan.realm.to_lowercase()).collect();
    let mut free = (1..)
        .map(realm_name)
        .filter(|name| !named.contains(&name.to_lowercase()));
    for number in 1..=usize::from(new.seats) + usize::from(new.computer) {
        let computer = number > usize::from(new.seats);
        seats.push(NewSeat {
            plan: SeatPlan {
                realm: free.next().unwrap_or_default(),
                player: if computer {
                    COMPUTER.to_owned()
                } else {
                    words.with("player", &[("number", &number)])
                },
                kind: String::new(),
            },
            computer,
            vacant: false,
        });
    }
    let games = games::games();
    if !games.iter().any(|game| game.name().eq_ignore_ascii_case(&new.game)) {
        return Err(super::unknown_game(&new.game).into());
    }
    if seats.is_empty() {
        return Err(Complaint::new("no-realms").code(2).into());
    }
    let house_rules = match &new.house {
        Some(file) => read_text(file, kernel::limits::HOUSE_RULES_BYTES)?,
        None => String::new(),
    };
    let plan = NewWorld {
        name: new.name.clone(),
        game: new.game.clone(),
        house_rules,
        seats,
        seed: new.seed.clone(),
        map_seed: None,
    };
    let host = open(cli, true).await?;
    let others = !host.worlds().await?.is_empty();
    let progress = bar(1, &Words::of(cli).t("doing-world"));
    let world = host
        .create(&plan, &mut |done, total| {
            progress.set_length(u64::from(total));
            progress.set_position(u64::from(done));
        })
        .await?;
    host.let_flow(&world, host::now()).await?;
    progress.finish_and_clear();
    let fairness = fairness(&host.starts(&world).await?);
    let mut value = serde_json::to_value(&world)?;
    value["fairness"] = json!(fairness);
    tell(cli, &value, || {
        let words = Words::of(cli);
        let mut lines = vec![words.with(
            "made",
            &[
                ("world", &world.name),
                ("seats", &words.count("seats", plan.seats.len())),
                ("turn", &world.open_step),
            ],
        )];
        if let Some(percent) = fairness.filter(|_| plan.seats.len() > 1) {
            lines.push(words.with("starts", &[("percent", &percent)]));
        }
        let mut more = String::new();
        if others {
            more.push_str(&format!(" --world '{}'", world.name));
        }
        if let Some(data) = &cli.data {
            more.push_str(&format!(" --data '{}'", data.display()));
        }
        lines.push(words.with("made-then", &[("more", &more)]));
        lines.join("\n")
    })
}

async fn list(cli: &Cli) -> anyhow::Result<()> {
    let host = open(cli, false).await?;
    let worlds = host.worlds().await?;
    tell(cli, &worlds, || {
        if worlds.is_empty() {
            return Words::of(cli).t("no-worlds");
        }
        let row = |world: &host::world::World| {
            vec![
                world.name.clone(),
                world.game.clone(),
                Words::of(cli).with("turn", &[("turn", &world.open_step)]),
                time(world.created_at),
                world.id.clone(),
            ]
        };
        table(&worlds.iter().map(row).collect::<Vec<_>>())
    })
}

async fn show(cli: &Cli, audit: bool) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let seats = host.seats(&world).await?;
    let steps = host.steps(&world).await?;
    let open = host.open_step(&world).await?;
    let deeds = match audit {
        true => host.audit(&world).await?,
        false => Vec::new(),
    };
    let deed = |(at, deed, detail)| Deed {
        at,
        who: None,
        name: None,
        deed,
        detail,
    };
    let deeds: Vec<Deed> = deeds.into_iter().map(deed).collect();
    let value = json!({
        "world": world, "seats": seats, "turns": steps, "open": open,
        "audit": deeds.iter().map(|deed| json!({ "at": deed.at, "deed": deed.deed, "detail": deed.detail })).collect::<Vec<_>>(),
    });
    tell(cli, &value, || {
        let words = Words::of(cli);
        let shown = words.with(
            "shown",
            &[
                ("world", &world.name),
                ("game", &world.game),
                ("id", &world.id),
                ("when", &time(world.created_at)),
            ],
        );
        let state = match open.over {
            true => words.t("world-over"),
            false => {
                let realms = words.count("realms", open.owes.len());
                words.with("open-for", &[("turn", &open.number), ("realms", &realms)])
            }
        };
        let mut text = format!("{shown}\n{state}\n\n{}\n", words.t("seats-head"));
        let seat_row = |seat: &host::world::Seat| {
            let player = if seat.computer && seat.player != COMPUTER {
                words.with("by-computer", &[("player", &seat.player)])
            } else {
                seat.player.clone()
            };
            vec![seat.realm.to_string(), seat.name.clone(), player, seat.kind.clone()]
        };
        text.push_str(&table(&seats.iter().map(seat_row).collect::<Vec<_>>()));
        let _ = writeln!(text, "\n{}", words.t("turns-head"));
        let step_row = |step: &host::world::StepInfo| {
            vec![
                step.number.to_string(),
                time(step.ran_at),
                words.count("events", step.events),
                step.digest.chars().take(16).collect(),
            ]
        };
        text.push_str(&table(&steps.iter().map(step_row).collect::<Vec<_>>()));
        if audit {
            let _ = writeln!(text, "\n{}", words.t("deeds-head"));
            let teller = Teller {
                words: web::words::Words::of(press::language(cli.lang)),
                zone: "UTC",
            };
            let names = seats.iter().map(|seat| (seat.realm, seat.name.clone())).collect();
            let rows = deeds.iter().map(|deed| vec![time(deed.at), teller.told(deed, &names)]);
            text.push_str(&table(&rows.collect::<Vec<_>>()));
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_realm_player_and_perhaps_kind() {
        let plan = read_seat("Bär=Bernd Blau:nomad").unwrap();
        assert_eq!(
            (plan.realm.as_str(), plan.player.as_str(), plan.kind.as_str()),
            ("Bär", "Bernd Blau", "nomad")
        );
        assert_eq!(read_seat("Bär=Bernd").unwrap().kind, "");
        assert!(read_seat("Bär").is_err());
    }

    #[test]
    fn names_of_realms_never_repeat() {
        assert_eq!((realm_name(1).as_str(), realm_name(24).as_str()), ("Adler", "Zander"));
        assert_eq!(
            (realm_name(25).as_str(), realm_name(49).as_str()),
            ("Adler 2", "Adler 3")
        );
    }
}
