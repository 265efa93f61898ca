//! `briefwelt map`

use super::{open_world, viewers};
use crate::cli::{self, Cli};
use crate::complaint::Complaint;
use crate::output::{bar, say, tell, write_file};
use crate::press;
use crate::words::Words;
use kernel::any::AnyGame;
use serde_json::json;
use std::path::Path;

/// Carries out `briefwelt map`.
pub async fn run(cli: &Cli, command: &cli::Map) -> anyhow::Result<()> {
    let (host, world) = open_world(cli).await?;
    let game = host.game(&world.game)?;
    let mut drawn = Vec::new();
    let viewers = viewers(&host, &world, &command.viewer, command.turn).await?;
    let progress =
        (viewers.len() > 1 && !command.text).then(|| bar(viewers.len() as u64, &Words::of(cli).t("doing-maps")));
    for (viewer, name) in viewers {
        let (_, view) = host.view(&world, viewer, command.turn).await?;
        if command.text {
            press::gazetteer(&*game, &view, cli.lang, &mut std::io::stdout().lock())?;
            continue;
        }
        match (&command.out, command.viewer.all) {
            (None, false) => say(press::map_svg(&*game, &view, cli.lang)?)?,
            (out, true) => {
                let folder = out.as_deref().unwrap_or(Path::new("maps"));
                let path = folder.join(format!("{name}.svg"));
                draw(cli, &*game, &view, &path)?;
                drawn.push(path);
            }
            (Some(path), false) => {
                draw(cli, &*game, &view, path)?;
                drawn.push(path.clone());
            }
        }
        progress.iter().for_each(|progress| progress.inc(1));
    }
    progress.iter().for_each(|progress| progress.finish_and_clear());
    if drawn.is_empty() {
        return Ok(());
    }
    tell(cli, &json!({ "maps": drawn }), || {
        let words = Words::of(cli);
        let line = |path: &std::path::PathBuf| words.with("map", &[("file", &path.display())]);
        let lines: Vec<String> = drawn.iter().map(line).collect();
        lines.join("\n")
    })
}

/// Draws the map of a view into a file; its ending says in which form.
pub fn draw(cli: &Cli, game: &dyn AnyGame, view: &[u8], path: &Path) -> anyhow::Result<()> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let svg = || press::map_svg(game, view, cli.lang);
    let picture = match ending.as_deref() {
        Some("svg") => svg()?.into_bytes(),
        Some("png") => press::map_png(&svg()?)?,
        _ => {
            return Err(Complaint::new("map-ending").with("file", path.display()).into());
        }
    };
    write_file(path, |out| Ok(out.write_all(&picture)?))
}
