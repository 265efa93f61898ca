//! The one place where reports, findings and maps meet `render`.

use crate::cli::{Format, Lang};
use armageddon::Armageddon;
use kernel::any::AnyGame;
use kernel::diagnostic::Diagnostic;
use kernel::game::Game;
use kernel::map::Scene;
use kernel::report::ReportSink;
use render::charset::Typewriter;
use render::finding::finding_excerpt;
use render::html::{HtmlSink, PageOptions};
use render::json::JsonSink;
use render::locale::{Language, Wording};
use render::text::TextSink;
use std::io::Write;

/// Writes the report of a view.
pub fn report(game: &dyn AnyGame, view: &[u8], format: Format, lang: Lang, out: &mut dyn Write) -> anyhow::Result<()> {
    let wording = Wording::of(game.name(), language(lang));
    match format {
        Format::Text => {
            let mut typewriter = Typewriter::new(game.typeface(view)?, out);
            let mut sink = TextSink::new(wording, &mut typewriter);
            game.report(view, &mut sink)?;
            sink.finish()?;
            typewriter.finish()?;
        }
        Format::Html => {
            let scene = scene(game, view, lang)?;
            let (title, subtitle) = render::map::heading(&scene);
            let title = format!("{title}: {subtitle}");
            let map = render::map::svg(&scene, &render::map::MapOptions::default());
            let options = PageOptions {
                title: title.trim_matches([':', ' ']),
                rules: game.rules(),
                picture: (!scene.fields.is_empty()).then_some(map.as_str()),
                ..PageOptions::default()
            };
            let mut sink = HtmlSink::new(wording, options, out);
            game.report(view, &mut sink)?;
            sink.finish()?;
        }
        Format::Json => {
            let mut sink = JsonSink::new(wording, game.name(), out);
            game.report(view, &mut sink)?;
            sink.finish()?;
        }
    }
    Ok(())
}

/// Writes lines of a battle of ARMAGEDDON that belongs to no world, as text or JSON.
pub fn log<T>(
    lang: Lang,
    json: bool,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn ReportSink) -> T,
) -> anyhow::Result<T> {
    let name = <Armageddon as Game>::NAME;
    let wording = Wording::of(name, language(lang));
    if json {
        let mut sink = JsonSink::new(wording, name, out);
        let result = write(&mut sink);
        sink.finish()?;
        return Ok(result);
    }
    let mut sink = TextSink::new(wording, out);
    let result = write(&mut sink);
    sink.finish()?;
    Ok(result)
}

/// The map of a view as SVG.
pub fn map_svg(game: &dyn AnyGame, view: &[u8], lang: Lang) -> anyhow::Result<String> {
    Ok(render::map::svg(
        &scene(game, view, lang)?,
        &render::map::MapOptions::default(),
    ))
}

/// Writes the map of a view in words.
pub fn gazetteer(game: &dyn AnyGame, view: &[u8], lang: Lang, out: &mut dyn Write) -> anyhow::Result<()> {
    let wording = Wording::of(game.name(), language(lang));
    let mut typewriter = Typewriter::new(game.typeface(view)?, out);
    let mut sink = TextSink::new(wording, &mut typewriter);
    game.gazetteer(view, &mut sink)?;
    sink.finish()?;
    typewriter.finish()?;
    Ok(())
}

/// The scene of a view in a language.
fn scene(game: &dyn AnyGame, view: &[u8], lang: Lang) -> anyhow::Result<Scene> {
    let mut scene = game.map(view)?;
    scene.language = language(lang).code().to_owned();
    Ok(scene)
}

/// A picture of an SVG map.
pub fn map_png(svg: &str) -> anyhow::Result<Vec<u8>> {
    Ok(render::png::png(svg, 1.0)?)
}

/// The language of a setting.
pub fn language(lang: Lang) -> Language {
    match lang {
        Lang::De => Language::German,
        Lang::En => Language::English,
    }
}

/// A finding about an order file with the line it is about, what was expected, its rules and a proposed repair.
pub fn finding(game: &dyn AnyGame, lang: Lang, diagnostic: &Diagnostic, source: &str) -> String {
    finding_excerpt(Wording::of(game.name(), language(lang)), diagnostic, source)
}

/// An order file as text for showing findings in it: UTF-8, or one byte a character. Columns count characters either way.
pub fn source(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    text.replace("\r\n", "\n").replace('\r', "\n")
}
