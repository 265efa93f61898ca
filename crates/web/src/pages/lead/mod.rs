//! The game master's desk: who has handed in, the trial, judgements, publishing and taking back ([`overview`], [`trial`]), a
//! realm with its notes, fees and seat ([`realm`]), the fees of all ([`fees`]), announcements and invitations ([`board`]), deadlines ([`deadlines`]), figures over time
//! ([`statistics`]), the map editor ([`editor`]), and a new world ([`found`]).

pub mod board;
pub mod deadlines;
pub mod editor;
pub mod fees;
pub mod found;
pub mod overview;
pub mod realm;
pub mod record;
pub mod statistics;
pub mod trial;

use crate::Answer;
use crate::error::Fault;
use crate::page::{Flash, Page};
use crate::pages::report::{Reader, aside};
use crate::refusal;
use crate::state::Web;
use crate::words::Words;
use askama::Template;
use host::HostError;
use kernel::any::AnyGame;
use kernel::diagnostic::Severity;
use kernel::realm::RealmId;
use kernel::rule::Rule;
use render::charset::Typewriter;
use render::locale::{Language, Wording};
use render::sheet::{Form, Lists, Part};
use render::text::TextSink;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Longest page of the record.
pub const RECORD: u32 = 500;

/// What went wrong when the game master's own words were taken, as a message; anything else is a fault.
fn told(page: &Page, error: HostError) -> Result<Flash, Fault> {
    match refusal::why(page, &error) {
        Some(why) => Ok(Flash::bad("flash.lead-refused").with("why", why)),
        None => Err(error.into()),
    }
}

/// A rule behind a request of the turn: its id, and its sentence in the page's language.
pub struct Cited {
    /// Its id.
    pub id: &'static str,
    /// Its sentence.
    pub text: &'static str,
}

/// The rule that the name of a request or die begins with.
fn cited(game: &dyn AnyGame, words: Words, name: &str) -> Option<Cited> {
    let id = name.split(' ').next()?;
    let rule: &Rule = game.rules().iter().find(|rule| rule.id.as_str() == id)?;
    Some(Cited {
        id: rule.id.as_str(),
        text: match words.language() {
            Language::German => rule.de,
            Language::English => rule.en,
        },
    })
}

/// Names of the realms of a world.
pub async fn names(web: &Web, world: &host::world::World) -> Result<BTreeMap<RealmId, String>, Fault> {
    let seats = web.host.seats(world).await?;
    Ok(seats.into_iter().map(|seat| (seat.realm, seat.name)).collect())
}

/// A report as a player gets it: as a story with its reasons, or as the plain text of his file.
#[derive(Template)]
#[template(path = "lead/report.html")]
struct ReportPage<'a> {
    page: &'a Page,
    step: u32,
    name: &'a str,
    text: Option<String>,
    parts: Vec<Part>,
    way: String,
    /// The reports before and after it: address and name.
    beside: Vec<(String, String)>,
}

/// Shows the report of a view; `text` asks for the plain text, and `way` is the address of the page.
async fn show_report(
    page: &Page,
    game: &Arc<dyn AnyGame>,
    view: Vec<u8>,
    (step, name): (u32, &str),
    (text, way): (bool, String),
    beside: Vec<(String, String)>,
) -> Answer {
    let (text, parts) = if text {
        (Some(report_text(game, view, page.words.language()).await?), Vec::new())
    } else {
        let reader = Reader::new(Arc::clone(game), page);
        let parts = aside(move || reader.parts(&view, Form::Story, Lists::All, None)).await?;
        (None, parts)
    };
    page.show(&ReportPage {
        page,
        step,
        name,
        text,
        parts,
        way,
        beside,
    })
}

/// The report of a view as the plain text that the player gets.
async fn report_text(game: &Arc<dyn AnyGame>, view: Vec<u8>, language: Language) -> Result<String, Fault> {
    let game = Arc::clone(game);
    let bytes = aside(move || {
        let broken = |error: &dyn std::fmt::Display| Fault::Broken(error.to_string());
        let wording = Wording::of(game.name(), language);
        let mut typeface = game.typeface(&view).map_err(|error| broken(&error))?;
        // The page is UTF-8, whatever the player's machine reads.
        typeface.charset = kernel::game::Charset::Utf8;
        let mut out = Vec::new();
        let mut typewriter = Typewriter::new(typeface, &mut out);
        let mut sink = TextSink::new(wording, &mut typewriter);
        game.report(&view, &mut sink).map_err(|error| broken(&error))?;
        sink.finish().map_err(|error| broken(&error))?;
        typewriter.finish().map_err(|error| broken(&error))?;
        Ok(out)
    })
    .await?;
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}

impl Page {
    /// How grave a finding is, in a word.
    pub fn severity(&self, severity: &Severity) -> String {
        match severity {
            Severity::Error => self.t("lead.severity-error"),
            Severity::Warning => self.t("lead.severity-warning"),
            Severity::Hint => self.t("lead.severity-hint"),
        }
    }

    /// A sum in euros, from cents.
    pub fn money(&self, cents: &i64) -> String {
        self.words.money(*cents)
    }
}
