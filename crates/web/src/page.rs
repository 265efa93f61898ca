//! The frame of every page: title, ways, language, light, deadline, messages.
//!
//! A handler takes [`Page`] as a parameter, puts it into the `page` field of its template and answers
//! `page.show(&template)`. The template begins with `{% extends "layout.html" %}` and fills the blocks `title` and `main`.

use crate::context::{FLASH_COOKIE, Frame, Light, cookie};
use crate::error::Fault;
use crate::identity::{Asker, Place, world_segment};
use crate::state::Web;
use crate::time;
use crate::words::{Count, Words};
use crate::{Answer, assets, routes};
use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse};
use axum_extra::extract::CookieJar;
use host::account::Account;
use host::schedule::Deadline;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use render::locale::Language;
use std::borrow::Borrow;
use std::fmt::Display;
use std::sync::Arc;

/// A message for the next page: the key of a text, with values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flash {
    /// Whether it tells of something that went well.
    pub good: bool,
    key: String,
    values: Vec<(String, String)>,
}

impl Flash {
    /// Tells that something was done.
    pub fn good(key: &str) -> Self {
        Self::new(true, key)
    }

    /// Tells that something could not be done.
    pub fn bad(key: &str) -> Self {
        Self::new(false, key)
    }

    fn new(good: bool, key: &str) -> Self {
        Self {
            good,
            key: key.to_owned(),
            values: Vec::new(),
        }
    }

    /// With a value for its text.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.values.push((name.to_owned(), value.to_string()));
        self
    }

    /// The text.
    pub fn text(&self, words: &Words) -> String {
        let values: Vec<(&str, String)> = self.values.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
        words.with(&self.key, &values)
    }

    fn write(&self) -> String {
        let part = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let mut text = format!("{}.{}", u8::from(self.good), part(&self.key));
        for (name, value) in &self.values {
            text.push_str(&format!(".{}.{}", part(name), part(value)));
        }
        text
    }

    /// Reads what the cookie holds. Only texts made for this are shown, whatever somebody put into it.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let part = |text: &str| {
            percent_decode_str(text)
                .decode_utf8()
                .ok()
                .map(|text| text.into_owned())
        };
        let mut parts = text.split('.');
        let good = parts.next()? == "1";
        let key = part(parts.next()?).filter(|key| key.starts_with("flash."))?;
        let mut values = Vec::new();
        while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            values.push((part(name)?, part(value)?));
        }
        Some(Self { good, key, values })
    }
}

/// Leads on to another page of the host.
pub fn go(to: &str) -> Answer {
    Ok((StatusCode::SEE_OTHER, [(LOCATION, to.to_owned())]).into_response())
}

/// Leads on to another page of the host, which shows a message.
pub fn go_with(web: &Web, to: &str, flash: &Flash) -> Answer {
    let jar = CookieJar::new().add(cookie(web, FLASH_COOKIE, flash.write()));
    Ok((jar, (StatusCode::SEE_OTHER, [(LOCATION, to.to_owned())])).into_response())
}

/// A path of this host, from outside: anything else becomes the front page.
pub fn own_path(path: &str) -> &str {
    let harmless = path.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\');
    if path.starts_with('/') && !path.starts_with("//") && harmless && path.len() <= 1_000 {
        path
    } else {
        "/"
    }
}

/// One of the ways at the top of a page.
pub struct Way {
    /// Where it leads.
    pub href: String,
    /// What it is called.
    pub text: String,
    /// Whether the page is there already.
    pub current: bool,
    /// How much waits there to be read.
    pub count: u32,
    /// The same in words.
    pub waits: String,
}

/// The pages of a world that have a way at the top, in order: last part of the path, key of the text, for whom.
const WAYS: [(&str, &str, For); 12] = [
    ("", "nav.desk", For::Player),
    ("brett", "nav.board", For::Player),
    ("karte", "nav.map", For::Player),
    ("bericht", "nav.report", For::Player),
    ("befehle", "nav.orders", For::Player),
    ("zugbogen", "nav.sheet", For::Player),
    ("wirtschaft", "nav.planner", For::Player),
    ("briefe", "nav.letters", For::Member),
    ("zeitung", "nav.newspaper", For::Member),
    ("regeln", "nav.rules", For::Member),
    ("leitung", "nav.lead", For::GameMaster),
    ("leitung/", "nav.lead", For::GameMaster),
];

/// The pages of the game master's desk, in order: path, key of the text.
const LEAD_WAYS: [(&str, &str); 13] = [
    ("leitung", "lead.overview"),
    ("leitung/probe", "lead.trial"),
    ("leitung/brett", "nav.board"),
    ("leitung/karte", "lead.map"),
    ("leitung/karte/bearbeiten", "editor.title"),
    ("leitung/fristen", "lead.deadlines"),
    ("leitung/aushang", "lead.board"),
    ("leitung/briefe", "nav.letters"),
    ("leitung/briefe/pult", "lead.letter-desk"),
    ("leitung/zeitung", "nav.newspaper"),
    ("leitung/kasse", "lead.till"),
    ("leitung/statistik", "lead.statistics"),
    ("leitung/protokoll", "lead.record"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    Player,
    Member,
    GameMaster,
}

/// The frame of a page.
#[derive(Clone)]
pub struct Page {
    /// Texts in the visitor's language.
    pub words: Words,
    /// The light.
    pub light: Light,
    /// The message of the page before.
    pub flash: Option<Flash>,
    /// Who is signed in.
    pub account: Option<Arc<Account>>,
    /// The world of the address.
    pub place: Option<Place>,
    path: String,
    query: String,
    now: i64,
}

impl FromRequestParts<Web> for Page {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Fault> {
        let frame = parts.extensions.get::<Frame>().cloned();
        let frame = frame.ok_or_else(|| Fault::Broken("a page outside its frame".into()))?;
        let asker = parts.extensions.get::<Asker>().cloned().unwrap_or_default();
        Ok(Self::new(frame, asker, parts.extensions.get::<Place>().cloned()))
    }
}

impl Page {
    /// The frame of a page for this asker.
    pub fn new(frame: Frame, asker: Asker, place: Option<Place>) -> Self {
        Self {
            words: frame.words,
            light: frame.light,
            flash: frame.flash,
            account: asker.account,
            place,
            path: frame.path,
            query: frame.query,
            now: frame.now,
        }
    }

    /// Answers with a page.
    pub fn show(&self, template: &impl Template) -> Answer {
        Ok(Html(template.render()?).into_response())
    }

    /// Answers with a page that says what was wrong: a form with its mistakes.
    pub fn show_as(&self, status: StatusCode, template: &impl Template) -> Answer {
        let mut response = (status, Html(template.render()?)).into_response();
        response.extensions_mut().insert(crate::context::Drawn);
        Ok(response)
    }

    /// A text without values.
    pub fn t(&self, key: &str) -> String {
        self.words.t(key)
    }

    /// A text with one value.
    pub fn t1(&self, key: &str, name: &str, value: impl Display) -> String {
        self.words.t1(key, name, value)
    }

    /// A text with two values.
    pub fn t2(&self, key: &str, name: &str, value: impl Display, name2: &str, value2: impl Display) -> String {
        self.words.t2(key, name, value, name2, value2)
    }

    /// A text that depends on a number.
    pub fn n(&self, key: &str, count: impl Count) -> String {
        self.words.n(key, count)
    }

    /// A number with its digits in groups.
    pub fn number(&self, number: impl Count) -> String {
        self.words.number(number)
    }

    /// Whether the visitor keeps the host.
    pub fn is_admin(&self) -> bool {
        self.account.as_ref().is_some_and(|account| account.admin)
    }

    /// Code of the page's language.
    pub fn language(&self) -> &'static str {
        self.words.language().code()
    }

    /// The address of this page in another language: what it asks for stays.
    pub fn in_language(&self, code: &str) -> String {
        let kept = self
            .query
            .split('&')
            .filter(|pair| !pair.is_empty() && !pair.starts_with("sprache="));
        let mut address = "?".to_owned();
        for pair in kept {
            address.push_str(pair);
            address.push('&');
        }
        address + "sprache=" + code
    }

    /// Where somebody is at home in this world: at the desk of his realm, or at that of the game master.
    pub fn home(&self) -> String {
        let leads = self
            .place
            .as_ref()
            .is_some_and(|place| place.seat.is_none() && place.game_master);
        self.in_world(if leads { "leitung" } else { "" })
    }

    /// The other language: its code and its own name.
    pub fn other_language(&self) -> (&'static str, &'static str) {
        match self.words.language() {
            Language::German => ("en", "English"),
            Language::English => ("de", "Deutsch"),
        }
    }

    /// Address of a style sheet, script or picture.
    pub fn asset(&self, name: &str) -> String {
        debug_assert!(name.ends_with('/') || assets::exists(name), "there is no asset {name}");
        format!("{}{name}", assets::base())
    }

    /// One of the symbols, as markup.
    pub fn icon(&self, name: &str) -> String {
        format!(
            r##"<svg class="ic" aria-hidden="true"><use href="{}symbols.svg#{name}"/></svg>"##,
            assets::base()
        )
    }

    /// The time zone in which the page tells times.
    pub fn time_zone(&self) -> &str {
        self.account
            .as_ref()
            .map_or(time::DEFAULT_ZONE, |account| &account.zone)
    }

    /// A moment as people say it: `Sonntag, 29. November 2026, 20:00`.
    pub fn moment(&self, milliseconds: impl Borrow<i64>) -> String {
        time::moment(self.words, self.time_zone(), *milliseconds.borrow())
    }

    /// A moment for tables: `29.11.2026, 20:00`.
    pub fn short_moment(&self, milliseconds: impl Borrow<i64>) -> String {
        time::short_moment(self.words, self.time_zone(), *milliseconds.borrow())
    }

    /// Whether the visitor only looks after the seat for somebody else.
    pub fn stands_in(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.stands_in)
    }

    /// The seal of the realm for which somebody sits here.
    pub fn own_seal(&self) -> Option<String> {
        let seat = self.place.as_ref()?.seat.as_ref()?;
        Some(format!("{}{}", self.in_world("siegel/"), seat.realm))
    }

    /// A stretch of time in days, or to the minute if it was entered in another time zone.
    pub fn stretch(&self, from: impl Borrow<i64>, until: impl Borrow<i64>) -> String {
        time::stretch(self.words, self.time_zone(), *from.borrow(), *until.borrow())
    }

    /// Whole days as they are stored, from the first to the last.
    pub fn days(&self, first: &str, last: &str) -> String {
        time::days(self.words, first, last)
    }

    /// When something begins that lasts for days: the day, or the moment if it does not begin with one.
    pub fn beginning(&self, milliseconds: impl Borrow<i64>) -> String {
        time::beginning(self.words, self.time_zone(), *milliseconds.borrow())
    }

    /// Until when something lasts: the last day, or the minute if it does not end with one.
    pub fn until(&self, end: impl Borrow<i64>) -> String {
        time::until(self.words, self.time_zone(), *end.borrow())
    }

    /// A moment for programs, in `datetime` attributes.
    pub fn machine_time(&self, milliseconds: impl Borrow<i64>) -> String {
        time::machine(*milliseconds.borrow())
    }

    /// Whether the visitor sits for a realm of the world.
    pub fn has_seat(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.seat.is_some())
    }

    /// The deadline of the open turn: the moment, and how long until then; the latter is empty once it has passed.
    pub fn deadline(&self) -> Option<(String, String)> {
        Some(self.due(self.place.as_ref()?.deadline?))
    }

    /// A deadline in words: the moment, and how long until then.
    pub fn due(&self, deadline: Deadline) -> (String, String) {
        let left = match time::left(self.words, deadline.due_at - self.now) {
            Some(left) => self.t1("frame.left", "time", left),
            None if self.now < deadline.grace_until => {
                let left = time::left(self.words, deadline.grace_until - self.now).unwrap_or_default();
                self.t1("frame.grace", "left", left)
            }
            None => self.t("frame.passed"),
        };
        (self.t1("frame.due", "when", self.moment(deadline.due_at)), left)
    }

    /// Address of a page of the world, such as `karte`.
    pub fn in_world(&self, path: &str) -> String {
        match &self.place {
            Some(place) => format!("/welt/{}/{path}", world_segment(&place.world)),
            None => "/".to_owned(),
        }
    }

    /// What the address of a form ends with whose deed must not be done twice: a number, which is the time of the page. Together with the account,
    /// the address and the content it is one of a kind ([`crate::once`]).
    pub fn once(&self) -> String {
        format!("?{}={}", crate::once::FIELD, self.now)
    }

    /// Whether worlds have a page of this path, such as `karte`.
    pub fn has(&self, path: &str) -> bool {
        routes::exists(&format!("/welt/{{world}}/{path}"))
    }

    /// Whether the world is played on a board.
    pub fn has_board(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.board)
    }

    /// Whether the turns of the world are also told in one piece.
    pub fn retells(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.retells)
    }

    /// Whether this is a page of the game master's desk.
    pub fn leads(&self) -> bool {
        let leads = self.place.as_ref().is_some_and(|place| place.game_master);
        leads && is_below(self.path_in_world(), "leitung")
    }

    /// The part of the address below the world, such as `leitung/karte`. A world can be called by its name or by its id, and a
    /// browser writes a name otherwise than the host does, so that whole addresses cannot be compared.
    fn path_in_world(&self) -> &str {
        let below = self.path.strip_prefix("/welt/").and_then(|rest| rest.split_once('/'));
        below.map_or("", |(_, path)| path.trim_end_matches('/'))
    }

    /// The ways of the game master's desk; the page stands at the one whose address is the longest beginning of its own.
    pub fn lead_ways(&self) -> Vec<Way> {
        let ways = LEAD_WAYS
            .iter()
            .filter(|(path, _)| *path != "leitung/brett" || self.has_board());
        let here = LEAD_WAYS
            .iter()
            .filter(|(path, _)| is_below(self.path_in_world(), path))
            .max_by_key(|(path, _)| path.len());
        let tasks = self.place.as_ref().map(|place| place.tasks).unwrap_or_default();
        ways.map(|way| {
            let count = match way.0 {
                "leitung/briefe" => tasks.letters,
                "leitung/briefe/pult" => tasks.desk,
                "leitung/zeitung" => tasks.articles,
                _ => 0,
            };
            Way {
                href: self.in_world(way.0),
                text: self.t(way.1),
                current: here == Some(way),
                waits: self.n("nav.waiting", count),
                count,
            }
        })
        .collect()
    }

    /// The ways at the top.
    pub fn ways(&self) -> Vec<Way> {
        let Some(place) = &self.place else {
            return Vec::new();
        };
        let open = WAYS.iter().filter(|(path, _, whom)| {
            let allowed = match whom {
                For::Player => place.seat.is_some(),
                For::Member => true,
                For::GameMaster => place.game_master,
            };
            let offered = match *path {
                "brett" => place.board,
                "zugbogen" => place.sheet,
                "wirtschaft" => place.planner,
                _ => true,
            };
            allowed && offered && self.has(path)
        });
        open.map(|(path, key, _)| {
            // Everything in the world lies below the desk, so only the desk itself is there.
            let current = match *path {
                "" => self.path_in_world().is_empty(),
                path => is_below(self.path_in_world(), path.trim_end_matches('/')),
            };
            let count = match *path {
                "briefe" => place.news.letters,
                // Whoever stands before the announcements has them before his eyes.
                "" if !current => place.news.announcements,
                _ => 0,
            };
            Way {
                current,
                text: self.words.with(key, &[]),
                href: self.in_world(path),
                waits: if *path == "briefe" {
                    self.n("nav.unread", count)
                } else {
                    self.n("nav.announcements", count)
                },
                count,
            }
        })
        .collect()
    }
}

/// Whether an address is that of a page or of one below it.
fn is_below(path: &str, page: &str) -> bool {
    let rest = path.strip_prefix(page);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_lies_below_another_by_whole_parts_of_its_address() {
        assert!(is_below("leitung", "leitung"));
        assert!(is_below("leitung/karte", "leitung"));
        assert!(!is_below("leitungen", "leitung"));
        assert!(!is_below("karte", "leitung"));
    }

    #[test]
    fn a_message_survives_its_cookie() {
        let flash = Flash::good("flash.welcome").with("name", "Käthe; <b>=\".\"</b>");
        assert_eq!(Flash::read(&flash.write()), Some(flash));
    }

    #[test]
    fn only_texts_made_for_it_are_shown() {
        assert_eq!(Flash::read("1.trouble%2Ebroken"), None);
        assert_eq!(Flash::read("1"), None);
        assert_eq!(Flash::read(""), None);
        assert_eq!(Flash::read("1.flash%2Ex.%FF.a"), None);
    }

    #[test]
    fn only_paths_of_this_host_lead_on() {
        for path in ["/", "/konto", "/welt/Nebel%20mark/karte?zug=3"] {
            assert_eq!(own_path(path), path);
        }
        for path in [
            "",
            "konto",
            "//example.org",
            "/\\example.org",
            "https://example.org/",
            "/a\r\nb",
            "/\u{e4}",
        ] {
            assert_eq!(own_path(path), "/", "{path:?}");
        }
    }
}
