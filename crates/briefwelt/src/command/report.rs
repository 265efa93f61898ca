//! `briefwelt report`

use super::{GAME_MASTER, folder_name, open_world, viewers};
use crate::cli::{self, Cli, Format};
use crate::complaint::Complaint;
use crate::output::{bar, tell_written, write_file};
use crate::press::{self, Paper, Told};
use crate::words::Words;
use host::Host;
use host::world::{Seat, World};
use kernel::any::AnyGame;
use kernel::realm::{RealmId, Viewer};
use render::charset::Typewriter;
use serde_json::json;
use std::io::Write as _;
use std::path::Path;

/// Carries out `briefwelt report`.
pub async fn run(cli: &Cli, command: &cli::Report) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let format = if cli.json { Format::Json } else { command.format };
    if command.viewer.all {
        let folder = command.out.as_deref().unwrap_or(Path::new("reports"));
        write_all(cli, &host, &world, command.turn, format, folder).await?;
        return tell_written(cli, "reports", folder);
    }
    let Some((viewer, _)) = viewers(&host, &world, &command.viewer, command.turn).await?.pop() else {
        return Ok(());
    };
    let game = host.game(&world.game)?;
    let (step, view) = host.view(&world, viewer, command.turn).await?;
    if command.whole && !game.retells() {
        return Err(Complaint::new("no-whole").with("game", &world.game).into());
    }
    let views = match command.whole {
        true => Some(host.views(&world, viewer, Some(step)).await?),
        false => None,
    };
    let told = match &views {
        Some(views) => Told::Turns(&view, views),
        None => Told::Turn(&view),
    };
    match &command.out {
        None => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            press::report(&*game, told, format, cli.lang, (Paper::Screen, &mut out))?;
            std::io::Write::flush(&mut out)?;
            Ok(())
        }
        Some(path) if !command.whole && (path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/')) => {
            write_folder(cli, &*game, &view, format, path)?;
            if let Viewer::Realm(realm) = viewer {
                write_dice(&host, &world, realm, step, path).await?;
            }
            tell_written(cli, "report", path)
        }
        Some(path) => {
            write_file(path, |out| {
                press::report(&*game, told, format, cli.lang, (Paper::File, out))
            })?;
            tell_written(cli, "report", path)
        }
    }
}

/// Folder of a viewer's files.
pub fn folder_of(seats: &[Seat], viewer: Viewer) -> String {
    match viewer {
        Viewer::GameMaster => GAME_MASTER.to_owned(),
        Viewer::Realm(realm) => match seats.iter().find(|seat| seat.realm == realm) {
            Some(seat) => folder_name(seat),
            None => realm.to_string(),
        },
    }
}

/// File name of a report in a form: the book's own name for text.
fn file_name(game: &dyn AnyGame, format: Format) -> String {
    let text = game.files().report;
    let stem = text.rsplit_once('.').map_or(text, |(stem, _)| stem);
    match format {
        Format::Text => text.to_owned(),
        Format::Html => format!("{stem}.html"),
        Format::Json => format!("{stem}.json"),
    }
}

/// Writes a report and the files that belong to it into a folder.
pub fn write_folder(cli: &Cli, game: &dyn AnyGame, view: &[u8], format: Format, folder: &Path) -> anyhow::Result<()> {
    write_file(&folder.join(file_name(game, format)), |out| {
        press::report(game, Told::Turn(view), format, cli.lang, (Paper::File, out))
    })?;
    let typeface = game.typeface(view)?;
    for enclosure in game.enclosures(view)? {
        // A game gives names without folders; anything else must not leave the reader's folder.
        let name: String = enclosure
            .name
            .chars()
            .filter(|letter| !matches!(letter, '/' | '\\'))
            .collect();
        write_file(&folder.join(name), |out| {
            let mut machine = Typewriter::new(typeface, out);
            machine.write_all(enclosure.text.as_bytes())?;
            machine.finish()?;
            Ok(())
        })?;
    }
    Ok(())
}

/// Writes the key of a realm's dice in this turn, the dice, and the seal of the next turn.
async fn write_dice(host: &Host, world: &World, realm: RealmId, step: u32, folder: &Path) -> anyhow::Result<()> {
    let owner = kernel::dice::Owner::of(realm);
    let seal = |seals: Vec<host::world::Seal>| seals.into_iter().find(|seal| seal.owner == owner).map(|seal| seal.seal);
    let next = seal(host.seals(world, step + 1).await?);
    let evidence = match seal(host.seals(world, step).await?) {
        Some(_) => Some(host.evidence(world, realm, step).await?),
        None => None,
    };
    let value = json!({ "evidence": evidence, "next_turn": step + 1, "next_seal": next });
    write_file(&folder.join("DICE.json"), |out| {
        Ok(serde_json::to_writer_pretty(out, &value)?)
    })
}

/// Writes the reports of everyone, each into a folder.
pub async fn write_all(
    cli: &Cli,
    host: &Host,
    world: &World,
    turn: Option<u32>,
    format: Format,
    folder: &Path,
) -> anyhow::Result<()> {
    let everyone = cli::Viewer {
        realm: None,
        gm: false,
        all: true,
    };
    let game = host.game(&world.game)?;
    let all = viewers(host, world, &everyone, turn).await?;
    let progress = bar(all.len() as u64, &Words::of(cli).t("doing-reports"));
    for (viewer, name) in all {
        let (step, view) = host.view(world, viewer, turn).await?;
        let folder = folder.join(name);
        write_folder(cli, &*game, &view, format, &folder)?;
        if let Viewer::Realm(realm) = viewer {
            write_dice(host, world, realm, step, &folder).await?;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(())
}
