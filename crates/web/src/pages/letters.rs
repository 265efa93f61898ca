//! Letters: the drawers, a letter on parchment, the writing desk. The game master's own post lies under `leitung/briefe` and
//! is served by the same handlers.

use crate::Answer;
use crate::error::Fault;
use crate::identity::{Member, Place};
use crate::page::{Flash, Page, go, go_with};
use crate::pages::arms::Heralds;
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use host::HostError;
use host::letter::{Custom, Folder, Headline, Letter, LetterError, LetterKind, LetterState, Post};
use host::limits;
use host::world::World;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use kernel::game::Delivery;
use kernel::realm::{RealmId, Viewer};
use render::hyphen;
use render::locale::{Language, Wording};
use render::markup::{self, Setting};
use serde::Deserialize;
use std::sync::Arc;

pub mod desk;
pub mod writing;

/// Whoever reads and writes letters here: the holder of a seat, or the game master at his own desk.
pub struct Writer {
    /// The world.
    pub world: Arc<World>,
    /// As whom.
    pub viewer: Viewer,
    /// Whether he only looks after the seat for somebody else.
    stands_in: bool,
    base: &'static str,
}

impl Writer {
    /// Who writes at this address, if his letters are open to him: a stand-in reads them only if the ruler allowed it.
    pub async fn at(web: &Web, place: &Place, at_the_desk: bool) -> Result<Option<Self>, Fault> {
        let (viewer, base) = match &place.seat {
            _ if at_the_desk && place.game_master => (Viewer::GameMaster, "leitung/briefe"),
            Some(seat) if !at_the_desk => (Viewer::Realm(seat.realm), "briefe"),
            _ => return Err(Fault::Missing),
        };
        let writer = Self {
            world: Arc::clone(&place.world),
            viewer,
            stands_in: place.stands_in && viewer != Viewer::GameMaster,
            base,
        };
        let open = opened(web, &writer.world, writer.viewer, writer.stands_in).await?;
        Ok(open.then_some(writer))
    }

    /// How his letters go is settled by whose they are, not by whoever reads them for him.
    pub fn settles(&self) -> Result<(), Fault> {
        match self.stands_in {
            true => Err(Fault::Missing),
            false => Ok(()),
        }
    }

    /// His letters.
    pub fn post<'a>(&'a self, web: &'a Web) -> Post<'a> {
        web.host.letters(&self.world, self.viewer)
    }

    /// Address of a page of this post.
    fn address(&self, page: &Page, path: &str) -> String {
        let end = if path.is_empty() {
            self.base.to_owned()
        } else {
            format!("{}/{path}", self.base)
        };
        page.in_world(&end)
    }

    /// Whether it is the game master.
    pub fn is_master(&self) -> bool {
        self.viewer == Viewer::GameMaster
    }
}

/// Whether somebody may read and write in a ruler's name: he himself, and a stand-in to whom he opened his letters.
pub async fn opened(web: &Web, world: &World, viewer: Viewer, stands_in: bool) -> Result<bool, Fault> {
    Ok(!stands_in || web.host.letters(world, viewer).preferences().await?.stand_in)
}

impl FromRequestParts<Web> for Writer {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Fault> {
        let place = parts.extensions.get::<Place>().cloned().ok_or(Fault::Missing)?;
        let at_the_desk = at_the_desk(parts.uri.path());
        Self::at(web, &place, at_the_desk).await?.ok_or(Fault::Missing)
    }
}

/// Whether an address is one of the game master's own post: `/welt/{world}/leitung/…`.
fn at_the_desk(path: &str) -> bool {
    path.split('/').nth(3) == Some("leitung")
}

/// A drawer in the address.
fn folder(name: &str) -> Folder {
    match name {
        "entwuerfe" => Folder::Drafts,
        "gesandt" => Folder::Sent,
        "ablage" => Folder::Filed,
        "bekanntmachungen" => Folder::Proclamations,
        "geruechte" => Folder::Rumours,
        _ => Folder::Inbox,
    }
}

fn folder_name(folder: Folder) -> &'static str {
    match folder {
        Folder::Inbox => "eingang",
        Folder::Drafts => "entwuerfe",
        Folder::Sent => "gesandt",
        Folder::Filed => "ablage",
        Folder::Proclamations => "bekanntmachungen",
        Folder::Rumours => "geruechte",
    }
}

/// What the address of a list says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListQuery {
    fach: String,
    suche: String,
    ab: u32,
    /// Only what came with this turn, or after it and before the next.
    zug: Option<u32>,
}

/// One line of a list.
struct Line {
    href: String,
    who: String,
    arms: Option<String>,
    when: String,
    machine: String,
    what: String,
    unread: bool,
    current: bool,
    state: Option<String>,
}

/// One drawer.
struct Drawer {
    href: String,
    text: String,
    current: bool,
}

/// The left side of every page of letters.
struct Cabinet {
    title: String,
    write: String,
    drawers: Vec<Drawer>,
    lines: Vec<Line>,
    folder: &'static str,
    search: String,
    here: String,
    older: Option<String>,
    custom: String,
    settings: Option<String>,
    desk: Option<(String, u32)>,
}

impl Cabinet {
    async fn open(
        web: &Web,
        page: &Page,
        writer: &Writer,
        heralds: &Heralds,
        query: &ListQuery,
        current: Option<&str>,
    ) -> Result<Self, Fault> {
        let post = writer.post(web);
        let folder = folder(&query.fach);
        let custom = web.host.post_custom(&writer.world).await?;
        let found = match query.zug {
            Some(step) => post.came_with(step).await?,
            None => post.folder(folder, &query.suche, query.ab).await?,
        };
        let older = (found.len() as u32 >= limits::LETTERS_PER_PAGE).then(|| {
            let next = query.ab.saturating_add(limits::LETTERS_PER_PAGE);
            let search = percent_encoding::utf8_percent_encode(&query.suche, percent_encoding::NON_ALPHANUMERIC);
            let path = format!("?fach={}&suche={search}&ab={next}", folder_name(folder));
            format!("{}{path}", writer.address(page, ""))
        });
        let lines = found
            .iter()
            .map(|headline| line(page, writer, heralds, folder, headline, current))
            .collect();
        let drafts = post.drafts().await?;
        let desk = if writer.is_master() {
            let waiting = post.waiting().await?;
            Some((writer.address(page, "pult"), waiting.letters + waiting.complaints))
        } else {
            None
        };
        Ok(Self {
            title: if writer.is_master() {
                page.t("letters.title-master")
            } else {
                page.t("letters.title")
            },
            write: writer.address(page, "neu"),
            drawers: drawers(page, writer, folder, &custom, drafts),
            lines,
            folder: folder_name(folder),
            search: query.suche.clone(),
            here: writer.address(page, ""),
            older,
            custom: custom_text(page, &custom),
            settings: writer.settles().is_ok().then(|| writer.address(page, "einstellungen")),
            desk,
        })
    }
}

fn drawers(page: &Page, writer: &Writer, open: Folder, custom: &Custom, drafts: u32) -> Vec<Drawer> {
    let drafts = if drafts == 0 {
        page.t("letters.drafts")
    } else {
        page.t1("letters.drafts-some", "count", drafts)
    };
    let mut drawers = vec![
        (Folder::Inbox, page.t("letters.inbox")),
        (Folder::Drafts, drafts),
        (Folder::Sent, page.t("letters.sent")),
    ];
    if custom.proclamations {
        drawers.push((Folder::Proclamations, page.t("letters.proclamations")));
    }
    if custom.rumours {
        drawers.push((Folder::Rumours, page.t("letters.rumours")));
    }
    drawers.push((Folder::Filed, page.t("letters.filed")));
    drawers
        .into_iter()
        .map(|(folder, text)| Drawer {
            href: format!("{}?fach={}", writer.address(page, ""), folder_name(folder)),
            text,
            current: folder == open,
        })
        .collect()
}

fn line(
    page: &Page,
    writer: &Writer,
    heralds: &Heralds,
    folder: Folder,
    headline: &Headline,
    current: Option<&str>,
) -> Line {
    let outgoing = matches!(folder, Folder::Drafts | Folder::Sent);
    let face = match (outgoing, headline.recipients.first()) {
        (true, Some(first)) => Some(*first),
        (true, None) => None,
        (false, _) => headline.author,
    };
    let who = match headline.kind {
        LetterKind::Letter if outgoing => {
            let names: Vec<String> = headline.recipients.iter().map(|viewer| heralds.name(*viewer)).collect();
            if names.is_empty() {
                page.t("letters.nobody-yet")
            } else {
                page.t1("letters.to", "names", names.join(", "))
            }
        }
        LetterKind::Letter => face.map(|viewer| heralds.name(viewer)).unwrap_or_default(),
        LetterKind::Proclamation if outgoing => page.t("letters.proclamation"),
        LetterKind::Proclamation => face.map(|viewer| heralds.name(viewer)).unwrap_or_default(),
        LetterKind::Rumour => page.t("letters.rumour"),
    };
    let what = if headline.subject.is_empty() {
        markup::excerpt(&headline.body, 90)
    } else {
        headline.subject.clone()
    };
    let path = if headline.state == LetterState::Draft {
        "entwurf"
    } else {
        "brief"
    };
    Line {
        href: format!(
            "{}?fach={}",
            writer.address(page, &format!("{path}/{}", headline.id)),
            folder_name(folder)
        ),
        who,
        arms: face
            .filter(|_| headline.kind != LetterKind::Rumour)
            .and_then(|viewer| heralds.arms(viewer)),
        when: day(page, headline.at),
        machine: page.machine_time(headline.at),
        what: if what.is_empty() { page.t("letters.blank") } else { what },
        unread: headline.unread,
        current: current == Some(headline.id.as_str()),
        state: (outgoing && folder == Folder::Sent && headline.state != LetterState::Delivered).then(|| {
            page.words
                .with(&format!("letters.state-{}", headline.state.code()), &[])
        }),
    }
}

/// A day as a list says it: today, yesterday, or its date.
pub fn day(page: &Page, milliseconds: i64) -> String {
    let zone = TimeZone::get(page.time_zone()).unwrap_or(TimeZone::UTC);
    let date = |at: Timestamp| at.to_zoned(zone.clone()).date();
    let then = date(Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH));
    let today = date(Timestamp::now());
    if then == today {
        return page.t("letters.today");
    }
    if today.yesterday().is_ok_and(|yesterday| then == yesterday) {
        return page.t("letters.yesterday");
    }
    let month = page.words.with(&format!("time.month-{}", then.month()), &[]);
    let short: String = if month.chars().count() > 4 {
        month.chars().take(3).chain(['.']).collect()
    } else {
        month
    };
    let day = match page.words.language() {
        Language::German => format!("{}. {short}", then.day()),
        Language::English => format!("{} {}", then.day(), short.trim_end_matches('.')),
    };
    if then.year() == today.year() {
        day
    } else {
        format!("{day} {}", then.year())
    }
}

/// How letters go, in a sentence.
fn custom_text(page: &Page, custom: &Custom) -> String {
    let way = match custom.delivery {
        Delivery::AtOnce => page.t("letters.custom-at-once"),
        Delivery::StepEnd => page.t("letters.custom-step-end"),
        Delivery::OrderFile => page.t("letters.custom-order-file"),
    };
    if custom.desk && custom.delivery != Delivery::OrderFile {
        format!("{way} {}", page.t("letters.custom-desk"))
    } else {
        way
    }
}

/// What stands in a letter, as markup; its language, and the code of it.
pub fn set(text: &str, otherwise: Language, salutation: bool) -> (String, &'static str) {
    let language = hyphen::language_of(text, otherwise);
    let setting = Setting {
        hyphens: Some(language),
        salutation,
    };
    (markup::html(text, setting), language.code())
}

/// The name of a step in the words of the world's game.
pub fn season(page: &Page, world: &World, term: &kernel::report::Term) -> String {
    Wording::of(&world.game, page.words.language()).term_text(term)
}

#[derive(Template)]
#[template(path = "letters.html")]
struct ListPage<'a> {
    page: &'a Page,
    cabinet: Cabinet,
}

#[derive(Template)]
#[template(path = "letters-sealed.html")]
struct SealedPage<'a> {
    page: &'a Page,
}

/// `GET /welt/{world}/briefe`
pub async fn list(
    State(web): State<Web>,
    page: Page,
    member: Member,
    place: Placed,
    Query(query): Query<ListQuery>,
) -> Answer {
    if member.seat.is_none() && !place.at_the_desk {
        return go(&page.in_world("leitung/briefe"));
    }
    let Some(writer) = Writer::at(&web, &place.place, place.at_the_desk).await? else {
        return page.show(&SealedPage { page: &page });
    };
    let heralds = Heralds::of(&web, &page, &writer.world, writer.viewer).await?;
    let cabinet = Cabinet::open(&web, &page, &writer, &heralds, &query, None).await?;
    page.show(&ListPage { page: &page, cabinet })
}

/// The place of the asker and the path he asks for.
pub struct Placed {
    place: Place,
    at_the_desk: bool,
}

impl FromRequestParts<Web> for Placed {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Fault> {
        Ok(Self {
            place: parts.extensions.get::<Place>().cloned().ok_or(Fault::Missing)?,
            at_the_desk: at_the_desk(parts.uri.path()),
        })
    }
}

/// The letter in an address.
#[derive(Deserialize)]
pub struct LetterPath {
    letter: String,
}

/// A letter laid out on parchment.
struct Sheet {
    id: String,
    /// What it is, for whoever does not see it: whose letter, or a rumour.
    title: String,
    author: String,
    arms: Option<String>,
    seal: Option<String>,
    recipients: String,
    dateline: String,
    came: String,
    subject: String,
    text: String,
    language: &'static str,
    signature: String,
}

fn sheet(page: &Page, world: &World, heralds: &Heralds, letter: &Letter) -> Sheet {
    let headline = &letter.headline;
    let (text, language) = set(&headline.body, page.words.language(), true);
    let anonymous = headline.kind == LetterKind::Rumour;
    let author = headline.author.filter(|_| !anonymous);
    let names: Vec<String> = headline.recipients.iter().map(|viewer| heralds.name(*viewer)).collect();
    let name = author.map(|viewer| heralds.name(viewer));
    Sheet {
        id: headline.id.clone(),
        title: match &name {
            Some(name) => page.t1("letters.from", "name", name),
            None => page.t("letters.rumour"),
        },
        author: name.unwrap_or_else(|| page.t("letters.rumour")),
        arms: author.and_then(|viewer| heralds.arms(viewer)),
        seal: author.and_then(|viewer| heralds.seal(viewer)),
        recipients: names.join(", "),
        dateline: letter
            .season
            .as_ref()
            .map(|term| season(page, world, term))
            .unwrap_or_default(),
        came: page.moment(headline.at),
        subject: headline.subject.clone(),
        text,
        language,
        signature: if anonymous {
            String::new()
        } else {
            letter.signature.clone()
        },
    }
}

/// Another letter of the same exchange.
struct Neighbour {
    href: String,
    who: String,
    what: String,
    when: String,
}

#[derive(Template)]
#[template(path = "letter.html")]
struct LetterPage<'a> {
    page: &'a Page,
    cabinet: Cabinet,
    sheet: Sheet,
    state: Option<String>,
    remark: String,
    taken_back: bool,
    filed: bool,
    received: bool,
    recallable: bool,
    reported: bool,
    answer: Option<String>,
    blockable: Option<(u16, String)>,
    base: String,
    neighbours: Vec<Neighbour>,
}

/// `GET /welt/{world}/briefe/brief/{letter}`
pub async fn read(
    State(web): State<Web>,
    page: Page,
    writer: Writer,
    Path(path): Path<LetterPath>,
    Query(query): Query<ListQuery>,
) -> Answer {
    let post = writer.post(&web);
    let letter = post.letter(&path.letter).await?;
    if letter.headline.state == LetterState::Draft {
        return go(&writer.address(&page, &format!("entwurf/{}", path.letter)));
    }
    if letter.headline.unread {
        post.mark_read(&path.letter).await?;
    }
    let heralds = Heralds::of(&web, &page, &writer.world, writer.viewer).await?;
    let cabinet = Cabinet::open(&web, &page, &writer, &heralds, &query, Some(&path.letter)).await?;
    let thread = post.thread(&path.letter).await?;
    let neighbours = thread
        .iter()
        .filter(|other| other.id != letter.headline.id)
        .map(|other| Neighbour {
            href: writer.address(&page, &format!("brief/{}", other.id)),
            who: other.author.map(|viewer| heralds.name(viewer)).unwrap_or_default(),
            what: if other.subject.is_empty() {
                markup::excerpt(&other.body, 60)
            } else {
                other.subject.clone()
            },
            when: day(&page, other.at),
        });
    let state = letter.headline.state;
    let received = !letter.mine && state == LetterState::Delivered;
    let author = letter
        .headline
        .author
        .filter(|_| letter.headline.kind != LetterKind::Rumour);
    let template = LetterPage {
        sheet: sheet(&page, &writer.world, &heralds, &letter),
        state: (letter.mine && state != LetterState::Delivered)
            .then(|| page.words.with(&format!("letters.state-{}", state.code()), &[])),
        remark: letter.remark.clone(),
        taken_back: letter.taken_back,
        filed: letter.filed,
        received,
        recallable: letter.mine && matches!(state, LetterState::Desk | LetterState::Waiting | LetterState::Returned),
        reported: letter.reported,
        answer: (received && author.is_some())
            .then(|| format!("{}?antwort={}", writer.address(&page, "neu"), letter.headline.id)),
        blockable: match author {
            Some(Viewer::Realm(realm)) if received && !writer.is_master() => {
                Some((realm.0, heralds.name(Viewer::Realm(realm))))
            }
            _ => None,
        },
        base: writer.address(&page, &format!("brief/{}", letter.headline.id)),
        neighbours: neighbours.collect(),
        cabinet,
        page: &page,
    };
    page.show(&template)
}

/// What can be done with a letter.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ActForm {
    tun: String,
    grund: String,
    reich: u16,
}

/// `POST /welt/{world}/briefe/brief/{letter}`
pub async fn act(
    State(web): State<Web>,
    page: Page,
    writer: Writer,
    Path(path): Path<LetterPath>,
    Form(form): Form<ActForm>,
) -> Answer {
    let post = writer.post(&web);
    let id = path.letter.as_str();
    let here = writer.address(&page, &format!("brief/{id}"));
    let list = writer.address(&page, "");
    let done = match form.tun.as_str() {
        "ablegen" => post.file(id, true).await.map(|()| (list, "flash.letter-filed")),
        "hervorholen" => post.file(id, false).await.map(|()| (here, "flash.letter-unfiled")),
        "zurueckholen" => post
            .recall(id)
            .await
            .map(|()| (writer.address(&page, &format!("entwurf/{id}")), "flash.letter-recalled")),
        "melden" => post
            .report(id, &form.grund)
            .await
            .map(|()| (here, "flash.letter-reported")),
        "sperren" => post
            .block(RealmId(form.reich), true)
            .await
            .map(|()| (list, "flash.letter-blocked")),
        _ => return Err(Fault::Malformed),
    };
    match done {
        Ok((to, key)) => go_with(&web, &to, &Flash::good(key)),
        Err(error) => refused(&web, &page, &writer.address(&page, ""), error),
    }
}

/// Says on another page why something could not be done.
fn refused(web: &Web, page: &Page, to: &str, error: HostError) -> Answer {
    match mistake(page, &error) {
        Some(text) => go_with(web, to, &Flash::bad("flash.refused").with("why", text)),
        None => Err(error.into()),
    }
}

/// Why a letter is not taken, in words; nothing if there is no page to say it on.
pub fn mistake(page: &Page, error: &HostError) -> Option<String> {
    let error = match error {
        HostError::Letter(LetterError::Unknown) => return None,
        HostError::Letter(error) => error,
        _ => return None,
    };
    let values = [("count", page.number(bound(error)))];
    Some(page.words.with(&format!("letter-fault.{}", error.code()), &values))
}

/// The bound that the wording of a mistake names.
pub fn bound(error: &LetterError) -> i64 {
    match error {
        LetterError::TooLong => limits::LETTER_CHARACTERS as i64,
        LetterError::TooManyRecipients => limits::LETTER_RECIPIENTS as i64,
        LetterError::TooManyToday(count) => i64::from(*count),
        LetterError::TooManyPublic => i64::from(limits::PUBLIC_LETTERS_PER_STEP),
        LetterError::TooManyDrafts => i64::from(limits::LETTER_DRAFTS),
        _ => 0,
    }
}
