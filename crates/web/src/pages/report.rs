//! The report of a turn: as a story, as tables, as the book's own text file, for reading aloud and for programs.
//!
//! Every old turn stays readable. What is drawn comes from the player's own view of that turn and from nothing else.

use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::Page;
use crate::state::Web;
use crate::words::Words;
use askama::Template;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use kernel::any::{AnyGame, GameError};
use kernel::report::ReportSink;
use render::charset::Typewriter;
use render::json::JsonSink;
use render::locale::Wording;
use render::outline::{Numbers, Passage, outline, reading_text};
use render::sheet::{Form, Lists, Part, SheetOptions, sheet};
use render::text::TextSink;
use serde::Deserialize;
use std::sync::Arc;

/// What a reader may ask for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    /// The turn; without one, the last.
    pub zug: Option<u32>,
    /// The form: `geschichte`, `tabelle`, `text`, `lesen`, `json` or `datei`.
    #[serde(default)]
    pub form: String,
    /// The stretch of time whose long lists are shown.
    pub woche: Option<i64>,
}

/// Runs what takes a core for a while beside the requests that only wait.
pub async fn aside<T: Send + 'static>(work: impl FnOnce() -> Result<T, Fault> + Send + 'static) -> Result<T, Fault> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(Fault::Broken(error.to_string())),
    }
}

/// A game and the wording of a page.
#[derive(Clone)]
pub struct Reader {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// Its wording in the page's language.
    pub wording: &'static Wording,
    /// What the address of a rule begins with.
    pub rule_address: String,
    /// Address of the symbols.
    pub symbols: String,
}

/// A report as a text to be read aloud.
pub fn reading(reader: &Reader, words: Words, view: &[u8]) -> Result<String, Fault> {
    let as_before = |count: usize| words.n("report.as-before", count);
    Ok(reading_text(&reader.passages(view, Numbers::Plain)?, &as_before))
}

impl Reader {
    /// The reader of a page.
    pub fn new(game: Arc<dyn AnyGame>, page: &Page) -> Self {
        Self {
            wording: Wording::of(game.name(), page.words.language()),
            rule_address: page.in_world("regeln/"),
            symbols: page.asset("symbols.svg"),
            game,
        }
    }

    /// The words of a key; nothing for an empty one.
    pub fn word(&self, key: &str) -> String {
        if key.is_empty() {
            String::new()
        } else {
            self.wording.words_of(key)
        }
    }

    /// How reports look on this page.
    pub fn options<'a>(&'a self, form: Form, lists: Lists<'a>, verify: Option<&'a str>) -> SheetOptions<'a> {
        SheetOptions {
            form,
            lists,
            rules: self.game.rules(),
            rule_address: &self.rule_address,
            symbols: &self.symbols,
            verify_address: verify,
        }
    }

    /// A view's report in parts.
    pub fn parts(&self, view: &[u8], form: Form, lists: Lists<'_>, verify: Option<&str>) -> Result<Vec<Part>, Fault> {
        self.parts_of(form, lists, verify, |sink| self.game.report(view, sink))
    }

    /// Whatever the game writes, in parts.
    pub fn parts_of(
        &self,
        form: Form,
        lists: Lists<'_>,
        verify: Option<&str>,
        write: impl FnOnce(&mut dyn ReportSink) -> Result<(), GameError>,
    ) -> Result<Vec<Part>, Fault> {
        let options = self.options(form, lists, verify);
        let mut failed = None;
        let parts = sheet(self.wording, options, |sink| failed = write(sink).err());
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(parts),
        }
    }

    /// A view's report as passages of plain lines.
    pub fn passages(&self, view: &[u8], numbers: Numbers) -> Result<Vec<Passage>, Fault> {
        let mut failed = None;
        let passages = outline(self.wording, numbers, |sink| {
            failed = self.game.report(view, sink).err()
        });
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(passages),
        }
    }

    /// Whatever the game writes, for programs.
    pub fn json(&self, write: impl FnOnce(&mut dyn ReportSink) -> Result<(), GameError>) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        let mut sink = JsonSink::new(self.wording, self.game.name(), &mut bytes);
        write(&mut sink)?;
        sink.finish().map_err(|error| Fault::Broken(error.to_string()))?;
        Ok(bytes)
    }

    /// A view's report as the book's own text.
    pub fn text(&self, view: &[u8]) -> Result<String, Fault> {
        self.text_of(|sink| self.game.report(view, sink))
    }

    /// Whatever the game writes, as plain text.
    pub fn text_of(&self, write: impl FnOnce(&mut dyn ReportSink) -> Result<(), GameError>) -> Result<String, Fault> {
        plain_text(self.wording, write)
    }
}

/// The report of a view as the book's own text.
pub fn text_of(game: &dyn AnyGame, wording: &'static Wording, view: &[u8]) -> Result<String, Fault> {
    plain_text(wording, |sink| game.report(view, sink))
}

fn plain_text(
    wording: &'static Wording,
    write: impl FnOnce(&mut dyn ReportSink) -> Result<(), GameError>,
) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    let mut sink = TextSink::new(wording, &mut bytes);
    write(&mut sink)?;
    sink.finish().map_err(|error| Fault::Broken(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A day of the calendar above a report.
pub struct Day {
    /// Its number.
    pub number: i64,
    /// How it is marked: `ev`, `war` or nothing.
    pub mark: &'static str,
    /// Whether there is something to read of it.
    pub told: bool,
    /// Whether the page shows it.
    pub current: bool,
    /// What it is called.
    pub name: String,
    /// How much happened, in words.
    pub events: String,
}

/// The calendar: every stretch of time up to the last, also those in which nothing was worth a line.
pub fn calendar(page: &Page, parts: &[Part], current: Option<i64>) -> Vec<Day> {
    let times: Vec<&Part> = parts.iter().filter(|part| part.is_time()).collect();
    let last = times
        .iter()
        .filter_map(|part| part.number)
        .max()
        .unwrap_or(0)
        .clamp(0, 60);
    (1..=last)
        .map(|number| {
            let part = times.iter().find(|part| part.number == Some(number));
            let events = part.map_or(0, |part| part.events);
            Day {
                number,
                mark: match part.and_then(|part| part.mark.as_deref()) {
                    Some("war") => "war",
                    _ if events > 0 => "ev",
                    _ => "",
                },
                told: part.is_some(),
                current: current == Some(number),
                name: part.map_or_else(|| number.to_string(), |part| part.title.clone()),
                events: match events {
                    0 => page.t("report.no-events"),
                    _ => page.n("report.events", events),
                },
            }
        })
        .collect()
}

/// A part of the story: one stretch of time, or several in a row in which nothing happened.
pub struct Chapter<'a> {
    /// The stretches.
    pub parts: Vec<&'a Part>,
}

impl Chapter<'_> {
    /// Whether it is a row of quiet stretches.
    pub fn is_row(&self) -> bool {
        self.parts.len() > 1
    }

    /// Its title: that of its only stretch, or from when until when.
    pub fn title(&self, page: &Page) -> String {
        match self.parts.as_slice() {
            [first, .., last] => page.t2("report.from-to", "from", &first.title, "to", &last.title),
            [only] => only.title.clone(),
            [] => String::new(),
        }
    }
}

/// The chapters of a story; the stretch whose lists are being read always stands by itself.
pub fn chapters<'a>(story: &[&'a Part], read: Option<i64>) -> Vec<Chapter<'a>> {
    let quiet = |part: &Part| part.is_time() && part.events == 0 && (part.number.is_none() || part.number != read);
    let mut chapters: Vec<Chapter<'a>> = Vec::new();
    for &part in story {
        match chapters.last_mut() {
            Some(chapter) if quiet(part) && chapter.parts.iter().all(|part| quiet(part)) => chapter.parts.push(part),
            _ => chapters.push(Chapter { parts: vec![part] }),
        }
    }
    chapters
}

#[derive(Template)]
#[template(path = "report.html")]
struct Report<'a> {
    page: &'a Page,
    turn: Turns,
    form: &'static str,
    file: &'static str,
    days: Vec<Day>,
    head: &'a [Part],
    chapters: Vec<Chapter<'a>>,
    /// The books that lie below the story.
    left: &'a [&'a Part],
    /// The books that lie beside it.
    right: &'a [&'a Part],
    quiet: bool,
    /// The sections that have nothing to tell, by name.
    silent: String,
}

/// Lays the books of a report below and beside its story, so that both sides are about equally long and the order of the
/// report stays.
fn beside<'b, 'a>(story: &[&Part], books: &'b [&'a Part]) -> (&'b [&'a Part], &'b [&'a Part]) {
    // What takes room on a page: rows and paragraphs, and the air around a sheet.
    let room = |part: &&Part| {
        let lines: usize = ["<tr", "<p", "<div>", "<li"]
            .iter()
            .map(|tag| part.html.matches(tag).count())
            .sum();
        // Quiet stretches of time stand in a row.
        if part.is_time() && part.events == 0 {
            1
        } else {
            lines + 4
        }
    };
    let all: usize = books.iter().map(room).sum();
    let mut left: usize = story.iter().map(room).sum();
    let mut right = all;
    let below = books
        .iter()
        .take_while(|book| {
            let room = room(book);
            let fits = left + room < right;
            if fits {
                left += room;
                right -= room;
            }
            fits
        })
        .count();
    books.split_at(if story.is_empty() { 0 } else { below })
}

/// Where a page stands among the turns.
pub struct Turns {
    /// The turn that is shown.
    pub step: u32,
    /// The last turn that was run.
    pub last: u32,
}

impl Turns {
    /// The turn before.
    pub fn before(&self) -> Option<u32> {
        self.step.checked_sub(1)
    }

    /// The turn after.
    pub fn after(&self) -> Option<u32> {
        (self.step < self.last).then_some(self.step + 1)
    }

    /// All turns, the last first.
    pub fn all(&self) -> impl Iterator<Item = u32> {
        (0..=self.last).rev()
    }
}

/// `GET /welt/{world}/bericht`
pub async fn show(State(web): State<Web>, page: Page, player: Player, Query(asked): Query<Asked>) -> Answer {
    let reader = Reader::new(player.game(&web)?, &page);
    let (step, view) = web.host.view(&player.world, player.viewer(), asked.zug).await?;
    let now = web.clock.now();
    web.host.saw_report(&player.world, &player.account.id, now).await?;
    let files = reader.game.files();
    match asked.form.as_str() {
        "" | "geschichte" | "tabelle" => {}
        "text" => {
            let text = aside(move || reader.text(&view)).await?;
            return Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response());
        }
        "lesen" => {
            let words = page.words;
            let text = aside(move || reading(&reader, words, &view)).await?;
            return Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response());
        }
        "json" => {
            let bytes = aside(move || json(&reader, &view)).await?;
            return Ok(([(CONTENT_TYPE, "application/json")], bytes).into_response());
        }
        "datei" => {
            let bytes = aside(move || file(&reader, &view)).await?;
            let kind = (CONTENT_TYPE, "application/octet-stream".to_owned());
            let name = (
                CONTENT_DISPOSITION,
                format!("attachment; filename=\"{}\"", files.report),
            );
            return Ok(([kind, name], bytes).into_response());
        }
        _ => return Err(Fault::Missing),
    }
    let form = if asked.form == "tabelle" {
        Form::Table
    } else {
        Form::Story
    };
    let form_name = if form == Form::Table { "tabelle" } else { "geschichte" };
    let verify = page.in_world(&format!("bericht/wuerfel?zug={step}"));
    let lists = page.in_world(&format!("bericht?zug={step}&form={form_name}&woche="));
    let week = asked.woche;
    let parts = aside(move || {
        // Without a choice the first week shows its lists, so that a reader sees that there are some.
        let lists = Lists::Only(week.unwrap_or(0), &lists);
        reader.parts(&view, form, lists, Some(&verify))
    })
    .await?;
    let (head, rest) = headed(&parts);
    let (silent, telling): (Vec<&Part>, Vec<&Part>) = rest.iter().partition(|part| part.nothing);
    let (story, books): (Vec<&Part>, Vec<&Part>) = telling.into_iter().partition(|part| part.story);
    let silent: Vec<&str> = silent.iter().map(|part| part.title.as_str()).collect();
    let quiet = story.iter().all(|part| part.html.is_empty());
    let chapters = chapters(&story, week);
    let (left, right) = beside(&story, &books);
    page.show(&Report {
        turn: Turns {
            step,
            last: player.world.open_step.saturating_sub(1),
        },
        form: form_name,
        file: files.report,
        days: calendar(&page, &parts, week),
        head,
        chapters,
        left,
        right,
        quiet,
        silent: silent.join(", "),
        page: &page,
    })
}

/// What stands above the story, and the rest.
fn headed(parts: &[Part]) -> (&[Part], &[Part]) {
    let first = parts.iter().position(|part| part.story).unwrap_or(parts.len());
    parts.split_at(first)
}

#[derive(Template)]
#[template(path = "report-whole.html")]
struct Whole<'a> {
    page: &'a Page,
    last: u32,
    form: &'static str,
    days: Vec<Day>,
    head: &'a [Part],
    chapters: Vec<Chapter<'a>>,
    books: Vec<&'a Part>,
}

/// `GET /welt/{world}/bericht/ganz`: all turns in one piece, in games that tell them so.
pub async fn whole(State(web): State<Web>, page: Page, player: Player, Query(asked): Query<Asked>) -> Answer {
    let reader = Reader::new(player.game(&web)?, &page);
    if !reader.game.retells() {
        return Err(Fault::Missing);
    }
    let views = web.host.views(&player.world, player.viewer(), asked.zug).await?;
    let form = match asked.form.as_str() {
        "" | "geschichte" => Form::Story,
        "tabelle" => Form::Table,
        "text" => {
            let text = aside(move || reader.text_of(|sink| reader.game.retell(&views, sink))).await?;
            return Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response());
        }
        "json" => {
            let bytes = aside(move || reader.json(|sink| reader.game.retell(&views, sink))).await?;
            return Ok(([(CONTENT_TYPE, "application/json")], bytes).into_response());
        }
        _ => return Err(Fault::Missing),
    };
    let parts = aside(move || reader.parts_of(form, Lists::All, None, |sink| reader.game.retell(&views, sink))).await?;
    let (head, rest) = headed(&parts);
    let (story, books): (Vec<&Part>, Vec<&Part>) = rest.iter().partition(|part| part.story);
    page.show(&Whole {
        last: player.world.open_step.saturating_sub(1),
        form: if form == Form::Table { "tabelle" } else { "geschichte" },
        days: calendar(&page, &parts, None),
        head,
        chapters: chapters(&story, None),
        books,
        page: &page,
    })
}

/// The report for programs.
pub fn json(reader: &Reader, view: &[u8]) -> Result<Vec<u8>, Fault> {
    reader.json(|sink| reader.game.report(view, sink))
}

/// The report as the file that the book describes, in the letters of the player's computer.
pub fn file(reader: &Reader, view: &[u8]) -> Result<Vec<u8>, Fault> {
    let broken = |error: std::io::Error| Fault::Broken(error.to_string());
    let mut typewriter = Typewriter::new(reader.game.typeface(view)?, Vec::new());
    let mut sink = TextSink::new(reader.wording, &mut typewriter);
    reader.game.report(view, &mut sink)?;
    sink.finish().map_err(broken)?;
    typewriter.finish().map_err(broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_weeks_in_a_row_are_told_together() {
        let week = |number: i64, events: usize| Part {
            key: "week".into(),
            number: Some(number),
            events,
            ..Part::default()
        };
        let weeks = [week(1, 0), week(2, 1), week(3, 0), week(4, 0), week(5, 0), week(6, 2)];
        let weeks: Vec<&Part> = weeks.iter().collect();
        let told = |read| {
            let numbers = |chapter: &Chapter<'_>| chapter.parts.iter().filter_map(|part| part.number).collect();
            chapters(&weeks, read).iter().map(numbers).collect::<Vec<Vec<i64>>>()
        };
        assert_eq!(told(None), [vec![1], vec![2], vec![3, 4, 5], vec![6]]);
        assert_eq!(told(Some(4)), [vec![1], vec![2], vec![3], vec![4], vec![5], vec![6]]);
    }

    #[test]
    fn books_lie_below_the_story_until_both_sides_are_equally_long() {
        let part = |rows: usize| Part {
            html: "<tr></tr>".repeat(rows),
            ..Part::default()
        };
        // With the air around each the story takes 10 lines, the books 14, 6 and 24.
        let (story, books) = (part(6), [part(10), part(2), part(20)]);
        let (story, books): (Vec<&Part>, Vec<&Part>) = (vec![&story], books.iter().collect());
        let sizes = |(left, right): (&[&Part], &[&Part])| (left.len(), right.len());
        // 10 + 14 against 6 + 24; one more would make it 30 against 24.
        assert_eq!(sizes(beside(&story, &books)), (1, 2));
        let long = part(100);
        assert_eq!(sizes(beside(&[&long], &books)), (0, 3));
        assert_eq!(sizes(beside(&[], &books)), (0, 3));
    }
}
