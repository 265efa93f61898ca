//! The one place where reports, findings and maps meet `render`.

use crate::cli::{Format, Lang};
use armageddon::Armageddon;
use host::submission::Answer;
use kernel::any::{AnyGame, GameError};
use kernel::diagnostic::Diagnostic;
use kernel::game::{Game, Typeface};
use kernel::map::Scene;
use kernel::report::ReportSink;
use render::charset::Typewriter;
use render::finding::finding_excerpt;
use render::html::{HtmlSink, PageOptions};
use render::json::JsonSink;
use render::locale::{Language, Wording};
use render::text::TextSink;
use serde_json::Value;
use std::io::{IsTerminal as _, Write};

/// Where a text goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paper {
    /// A file of the reader's own, in the letters of his computer.
    File,
    /// Standard output: in the letters of his computer for a file or a program behind it, in today's for a screen.
    Screen,
}

/// The letters and line ends in which a reader gets a text.
pub fn typeface(game: &dyn AnyGame, view: &[u8], paper: Paper) -> Result<Typeface, GameError> {
    match paper {
        Paper::Screen if std::io::stdout().is_terminal() => Ok(Typeface::default()),
        _ => game.typeface(view),
    }
}

/// What a report tells.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// One turn: its view.
    Turn(&'a [u8]),
    /// Several turns in one piece: the last view, and all of them.
    Turns(&'a [u8], &'a [Vec<u8>]),
}

impl<'a> Told<'a> {
    const fn view(self) -> &'a [u8] {
        match self {
            Self::Turn(view) | Self::Turns(view, _) => view,
        }
    }

    fn write(self, game: &dyn AnyGame, sink: &mut dyn ReportSink) -> Result<(), GameError> {
        match self {
            Self::Turn(view) => game.report(view, sink),
            Self::Turns(_, views) => game.retell(views, sink),
        }
    }
}

/// Writes a report.
pub fn report(
    game: &dyn AnyGame,
    told: Told<'_>,
    format: Format,
    lang: Lang,
    (paper, out): (Paper, &mut dyn Write),
) -> anyhow::Result<()> {
    let view = told.view();
    let wording = Wording::of(game.name(), language(lang));
    match format {
        Format::Text => {
            let mut typewriter = Typewriter::new(typeface(game, view, paper)?, out);
            let mut sink = TextSink::new(wording, &mut typewriter);
            told.write(game, &mut sink)?;
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
            told.write(game, &mut sink)?;
            sink.finish()?;
        }
        Format::Json => {
            let mut sink = JsonSink::new(wording, game.name(), out);
            told.write(game, &mut sink)?;
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
    let mut typewriter = Typewriter::new(typeface(game, view, Paper::Screen)?, out);
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

/// The words of the pages: what the host says to everybody.
pub fn words(lang: Lang) -> web::words::Words {
    web::words::Words::of(language(lang))
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

/// An answer to orders for programs: beside code and place of every finding its words in the language.
pub fn answer(game: &dyn AnyGame, lang: Lang, answer: &Answer) -> serde_json::Result<Value> {
    let wording = Wording::of(game.name(), language(lang));
    let mut value = serde_json::to_value(answer)?;
    let findings = value.get_mut("diagnostics").and_then(Value::as_array_mut);
    for (finding, diagnostic) in findings.into_iter().flatten().zip(&answer.diagnostics) {
        let (text, expected) = wording.fault(diagnostic);
        finding["text"] = text.into();
        finding["expected"] = expected.into();
    }
    Ok(value)
}

/// An order file as text for showing findings in it: UTF-8, or one byte a character. Columns count characters either way.
pub fn source(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    text.replace("\r\n", "\n").replace('\r', "\n")
}
