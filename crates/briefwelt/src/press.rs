//! The one place where reports, findings and maps meet `render`.

use crate::cli::{Format, Lang};
use kernel::any::AnyGame;
use kernel::diagnostic::{Diagnostic, Severity, Value};
use render::locale::Language;
use std::fmt::Write as _;
use std::io::Write;
use testkit::press::Press;

/// Writes the report of a view.
pub fn report(game: &dyn AnyGame, view: &[u8], format: Format, lang: Lang, out: &mut dyn Write) -> anyhow::Result<()> {
    let _ = (format, lang);
    let text = testkit::press::PlainPress.text(game.name(), &|sink| {
        let _ = game.report(view, sink);
    });
    out.write_all(text.as_bytes())?;
    Ok(())
}

/// The map of a view as SVG.
pub fn map_svg(game: &dyn AnyGame, view: &[u8], lang: Lang) -> anyhow::Result<String> {
    let mut scene = game.map(view)?;
    scene.language = language(lang).code().to_owned();
    Ok(render::map::svg(&scene, &render::map::MapOptions::default()))
}

/// A picture of an SVG map.
pub fn map_png(svg: &str) -> anyhow::Result<Vec<u8>> {
    Ok(render::png::png(svg, 1.0)?)
}

fn language(lang: Lang) -> Language {
    match lang {
        Lang::De => Language::German,
        Lang::En => Language::English,
    }
}

/// A finding about an order file with the line it is about.
pub fn finding(game: &dyn AnyGame, lang: Lang, diagnostic: &Diagnostic, source: &Source) -> String {
    let _ = game;
    let severity = match (lang, diagnostic.severity) {
        (Lang::De, Severity::Error) => "Fehler",
        (Lang::De, Severity::Warning) => "Warnung",
        (Lang::De, Severity::Hint) => "Hinweis",
        (Lang::En, Severity::Error) => "error",
        (Lang::En, Severity::Warning) => "warning",
        (Lang::En, Severity::Hint) => "hint",
    };
    let mut text = format!("{severity} [{}]", diagnostic.code);
    for (name, value) in &diagnostic.args {
        let _ = match value {
            Value::Int(number) => write!(text, " {name}={number}"),
            Value::Text(words) => write!(text, " {name}={words}"),
            Value::Word { word } => write!(text, " {name}={word}"),
        };
    }
    let _ = write!(text, " ({})", diagnostic.rules.join(", "));
    text.push('\n');
    text.push_str(&source.snippet(diagnostic));
    text
}

/// An order file as lines of characters, for showing findings in it.
pub struct Source {
    name: String,
    lines: Vec<String>,
}

impl Source {
    /// Reads a file as UTF-8, or one byte a character: columns count characters either way.
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().copied().map(char::from).collect(),
        };
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let shown = |letter: char| if letter.is_control() { ' ' } else { letter };
        Self {
            name: name.to_owned(),
            lines: text.split('\n').map(|line| line.chars().map(shown).collect()).collect(),
        }
    }

    /// The line with the place underlined and, if there is one, the line as it would be after the repair.
    fn snippet(&self, diagnostic: &Diagnostic) -> String {
        let span = diagnostic.span;
        let line = span
            .line
            .checked_sub(1)
            .and_then(|index| self.lines.get(index as usize));
        let Some(line) = line else {
            return format!("  --> {}\n", self.name);
        };
        let margin = " ".repeat(span.line.to_string().len());
        let before: String = line
            .chars()
            .take(span.column.saturating_sub(1) as usize)
            .map(|_| ' ')
            .collect();
        let rest = line.chars().count().saturating_sub(before.chars().count());
        let carets = "^".repeat((span.length as usize).clamp(1, rest.max(1)));
        let mut text = format!("{margin}--> {}:{}:{}\n", self.name, span.line, span.column);
        let _ = writeln!(text, "{margin} |\n{} | {line}\n{margin} | {before}{carets}", span.line);
        if let Some(repair) = &diagnostic.repair {
            match self.repaired(diagnostic) {
                Some(mended) => {
                    let _ = writeln!(text, "{} + {mended}", repair.span.line);
                }
                None => {
                    let _ = writeln!(text, "{} + {}", repair.span.line, repair.text);
                }
            }
        }
        text
    }

    fn repaired(&self, diagnostic: &Diagnostic) -> Option<String> {
        let repair = diagnostic.repair.as_ref()?;
        let line = self.lines.get(repair.span.line.checked_sub(1)? as usize)?;
        let start = repair.span.column.checked_sub(1)? as usize;
        let end = start + repair.span.length as usize;
        let before: String = line.chars().take(start).collect();
        let after: String = line.chars().skip(end).collect();
        Some(format!("{before}{}{after}", repair.text))
    }
}

/// What a realm receives, for scenarios.
#[derive(Clone, Copy, Debug)]
pub struct RenderPress;

impl Press for RenderPress {
    fn text(&self, game: &str, write: &testkit::press::Writer<'_>) -> String {
        testkit::press::PlainPress.text(game, write)
    }
}
