//! The orders of the open turn: an editor for the book's own file, with findings, repairs, drafts and the sealed submission.
//!
//! Everything works with forms alone. The script `editor.js` colours the text, has it checked while the player writes and
//! puts repairs in at once; it asks the same addresses and gets the same findings, as a fragment.
//!
//! [`editing`] changes texts, [`finding`] words what is wrong with them, [`forms`] write orders and help at the cursor, [`history`] shows drafts, submissions and receipts.

pub mod editing;
pub mod finding;
pub mod forms;
pub mod history;

use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::{Flash, Page, go, go_with};
use crate::pages::map::{self, Later, Onlooker};
use crate::pages::past::changes_between;
use crate::pages::report::{Chapter, Reader, aside, chapters};
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse};
use finding::{Findings, findings};
use forms::Verb;
use host::HostError;
use host::draft::{DraftKind, DraftNote, Forgotten};
use host::submission::Arrival;
use kernel::game::ArrivedFiles;
use kernel::realm::RealmId;
use render::outline::Change;
use render::sheet::{Form as SheetForm, Lists, Part};
use serde::Deserialize;

/// Bytes of a request that carries an order file: a browser writes a letter in up to three.
pub const BODY_BYTES: usize = 3 * kernel::limits::ORDER_FILE_BYTES + 64 * 1024;

/// A header with which the script asks for a part of the page only.
const FRAGMENT: &str = "x-fragment";

pub(super) fn wants_fragment(headers: &HeaderMap) -> bool {
    headers.contains_key(FRAGMENT)
}

/// What the editor sends.
#[derive(Debug, Default, Deserialize)]
pub struct Written {
    /// The orders.
    #[serde(default)]
    pub text: String,
    /// The turn they are for.
    pub zug: u32,
    /// Number of the repair that is wanted.
    pub reparatur: Option<usize>,
}

impl Written {
    /// The text with the line ends that files have.
    fn file(&self) -> String {
        with_line_ends(&self.text)
    }
}

fn with_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// What stands in an editor as a file; refused if it is too large for one.
pub fn file_of(text: &str) -> Result<String, Fault> {
    if text.len() > kernel::limits::ORDER_FILE_BYTES + kernel::limits::ORDER_FILE_LINES {
        return Err(Fault::TooLarge);
    }
    Ok(with_line_ends(text))
}

#[derive(Template)]
#[template(path = "orders.html")]
struct Desk<'a> {
    page: &'a Page,
    text: &'a str,
    step: u32,
    file: &'static str,
    found: &'a Findings,
    saved_at: Option<i64>,
    forgotten: Forgotten,
    verbs: &'a [Verb],
    message: &'a str,
    bad: bool,
    sheet: bool,
    planner: bool,
    map: Option<&'a Later>,
}

/// What lies on the desk beside the text.
struct DeskParts {
    step: u32,
    file: &'static str,
    found: Findings,
    saved_at: Option<i64>,
    forgotten: Forgotten,
    verbs: Vec<Verb>,
    message: String,
    /// Whether the message tells of a mistake.
    bad: bool,
    /// Whether the game has an order sheet.
    sheet: bool,
    /// Whether the game has a planner.
    planner: bool,
    /// The map on which ways are planned; none where there is nobody to send.
    map: Option<Later>,
}

impl<'a> Desk<'a> {
    fn of(page: &'a Page, parts: &'a DeskParts, text: &'a str) -> Self {
        Self {
            page,
            text,
            step: parts.step,
            file: parts.file,
            found: &parts.found,
            saved_at: parts.saved_at,
            forgotten: parts.forgotten,
            verbs: &parts.verbs,
            message: &parts.message,
            bad: parts.bad,
            sheet: parts.sheet,
            planner: parts.planner,
            map: parts.map.as_ref(),
        }
    }
}

#[derive(Template)]
#[template(path = "orders-findings.html")]
struct Fragment<'a> {
    page: &'a Page,
    found: &'a Findings,
}

/// The open turn of a player.
pub struct Open {
    /// Its number.
    pub step: u32,
    /// What the realm knows.
    pub view: Vec<u8>,
}

/// The open turn, or nothing if none is open for this realm.
pub async fn open(web: &Web, player: &Player) -> Result<Option<Open>, Fault> {
    let step = web.host.open_step(&player.world).await?;
    if step.over || !step.plays.contains(&player.realm()) {
        return Ok(None);
    }
    let (_, view) = web.host.view(&player.world, player.viewer(), None).await?;
    Ok(Some(Open {
        step: step.number,
        view,
    }))
}

async fn check(reader: &Reader, page: &Page, view: &[u8], text: &str) -> Result<Findings, Fault> {
    let (reader, view, text, words) = (reader.clone(), view.to_vec(), text.to_owned(), page.words);
    aside(move || {
        let checked = reader.game.check(&view, text.as_bytes())?;
        Ok(findings(&reader, words, &checked, &text))
    })
    .await
}

/// What lies on the desk with a text.
async fn desk_of(
    web: &Web,
    page: &Page,
    player: &Player,
    open: &Open,
    text: &str,
    message: String,
) -> Result<DeskParts, Fault> {
    let reader = Reader::new(player.game(web)?, page);
    let found = check(&reader, page, &open.view, text).await?;
    let drafts = web.host.drafts(&player.world, player.realm(), open.step).await?;
    let map = match reader.game.has_board() {
        true => None,
        false => {
            let onlooker = Onlooker::player(web, page, player)?;
            let turn = onlooker.turn(web, page, None).await?;
            Some(Later::of(&onlooker, &turn, map::home(&turn.scene))).filter(|map| !map.armies.is_empty())
        }
    };
    Ok(DeskParts {
        map,
        step: open.step,
        file: reader.game.files().orders,
        found,
        saved_at: drafts.first().map(|draft| draft.saved_at),
        forgotten: web.host.forgotten(&player.world, player.realm(), open.step).await?,
        verbs: forms::verbs(&reader, &open.view, None)?,
        message,
        bad: false,
        sheet: reader.game.has_sheet(),
        planner: reader.game.has_planner(),
    })
}

/// Shows the editor with a text.
async fn show_desk(
    web: &Web,
    page: &Page,
    player: &Player,
    open: &Open,
    text: &str,
    message: String,
    status: StatusCode,
) -> Answer {
    let parts = desk_of(web, page, player, open, text, message).await?;
    page.show_as(status, &Desk::of(page, &parts, text))
}

/// What to show.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// `text` for the whole page as plain text.
    #[serde(default)]
    form: String,
}

/// The text that the editor begins with: the last draft, else what was submitted, else nothing.
pub async fn begin_with(web: &Web, player: &Player, step: u32) -> Result<String, Fault> {
    if let Some(draft) = web.host.draft(&player.world, player.realm(), step).await? {
        return Ok(String::from_utf8_lossy(&draft.file).into_owned());
    }
    let sent = web.host.orders(&player.world, step, player.realm()).await?;
    Ok(sent
        .map(|file| String::from_utf8_lossy(&file).into_owned())
        .unwrap_or_default())
}

/// `GET /welt/{world}/befehle`
pub async fn show(State(web): State<Web>, page: Page, player: Player, Query(asked): Query<Asked>) -> Answer {
    let Some(open) = open(&web, &player).await? else {
        return closed(&page, None);
    };
    let text = begin_with(&web, &player, open.step).await?;
    match asked.form.as_str() {
        "" => show_desk(&web, &page, &player, &open, &text, String::new(), StatusCode::OK).await,
        "text" => as_text(&web, &page, &player, &open, &text).await,
        _ => Err(Fault::Missing),
    }
}

#[derive(Template)]
#[template(path = "orders-text.txt", escape = "none")]
struct AsText<'a> {
    page: &'a Page,
    step: u32,
    file: &'static str,
    text: &'a str,
    found: &'a Findings,
    forgotten: Forgotten,
    verbs: Vec<Verb>,
}

async fn as_text(web: &Web, page: &Page, player: &Player, open: &Open, text: &str) -> Answer {
    let reader = Reader::new(player.game(web)?, page);
    let found = check(&reader, page, &open.view, text).await?;
    let body = AsText {
        page,
        step: open.step,
        file: reader.game.files().orders,
        text,
        found: &found,
        forgotten: web.host.forgotten(&player.world, player.realm(), open.step).await?,
        verbs: forms::verbs(&reader, &open.view, None)?,
    }
    .render()?;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], body).into_response())
}

#[derive(Template)]
#[template(path = "orders-closed.html")]
struct Closed<'a> {
    page: &'a Page,
    asked: Option<u32>,
    /// The deadline, if it has passed although the turn was not run yet.
    passed: Option<i64>,
}

/// Says that no orders are taken: the turn was run meanwhile, or the world has ended.
pub(super) fn closed(page: &Page, asked: Option<u32>) -> Answer {
    let status = if asked.is_some() {
        StatusCode::CONFLICT
    } else {
        StatusCode::OK
    };
    page.show_as(
        status,
        &Closed {
            page,
            asked,
            passed: None,
        },
    )
}

/// Says that the deadline of a turn has passed.
pub(super) fn late(page: &Page, step: u32, due_at: i64) -> Answer {
    let closed = Closed {
        page,
        asked: Some(step),
        passed: Some(due_at),
    };
    page.show_as(StatusCode::CONFLICT, &closed)
}

/// The open turn, if it is the one that the editor was opened for.
async fn same_turn(web: &Web, player: &Player, written: &Written) -> Result<Option<Open>, Fault> {
    file_of(&written.text)?;
    Ok(open(web, player).await?.filter(|open| open.step == written.zug))
}

/// `POST /welt/{world}/befehle/pruefen`
pub async fn test(
    State(web): State<Web>,
    page: Page,
    player: Player,
    headers: HeaderMap,
    Form(written): Form<Written>,
) -> Answer {
    let Some(open) = same_turn(&web, &player, &written).await? else {
        return closed(&page, Some(written.zug));
    };
    let text = written.file();
    if wants_fragment(&headers) {
        let reader = Reader::new(player.game(&web)?, &page);
        let found = check(&reader, &page, &open.view, &text).await?;
        let fragment = Fragment {
            page: &page,
            found: &found,
        };
        return Ok(Html(fragment.render()?).into_response());
    }
    save(&web, &player, &open, &text, DraftKind::Saved).await?;
    show_desk(&web, &page, &player, &open, &text, String::new(), StatusCode::OK).await
}

/// Keeps a text as a draft.
pub async fn save(web: &Web, player: &Player, open: &Open, text: &str, kind: DraftKind) -> Result<DraftNote, Fault> {
    let note = web
        .host
        .save_draft(
            &player.world,
            player.realm(),
            open.step,
            text.as_bytes(),
            kind,
            host::now(),
        )
        .await?;
    Ok(note)
}

/// `POST /welt/{world}/befehle/sichern`
pub async fn keep(
    State(web): State<Web>,
    page: Page,
    player: Player,
    headers: HeaderMap,
    Form(written): Form<Written>,
) -> Answer {
    let Some(open) = same_turn(&web, &player, &written).await? else {
        return closed(&page, Some(written.zug));
    };
    let text = written.file();
    if wants_fragment(&headers) {
        save(&web, &player, &open, &text, DraftKind::Auto).await?;
        let said = page.t1("orders.saved-at", "time", page.short_moment(web.clock.now()));
        return Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], said).into_response());
    }
    save(&web, &player, &open, &text, DraftKind::Saved).await?;
    go_with(&web, &page.in_world("befehle"), &Flash::good("flash.draft-saved"))
}

/// `POST /welt/{world}/befehle/reparatur`
pub async fn repair(State(web): State<Web>, page: Page, player: Player, Form(written): Form<Written>) -> Answer {
    let Some(open) = same_turn(&web, &player, &written).await? else {
        return closed(&page, Some(written.zug));
    };
    let text = written.file();
    let game = player.game(&web)?;
    let (view, before) = (open.view.clone(), text.clone());
    let checked = aside(move || Ok(game.check(&view, before.as_bytes())?)).await?;
    let wanted = written.reparatur.and_then(|number| checked.diagnostics.get(number));
    let repair = wanted.and_then(|finding| finding.repair.as_deref());
    let mended = repair.and_then(|repair| editing::replace(&text, repair.span, &repair.text));
    let message = match mended {
        Some(_) => page.t("orders.mended"),
        None => page.t("orders.not-mended"),
    };
    let text = mended.unwrap_or(text);
    save(&web, &player, &open, &text, DraftKind::Saved).await?;
    show_desk(&web, &page, &player, &open, &text, message, StatusCode::OK).await
}

/// `GET /welt/{world}/befehle/datei`
pub async fn download(State(web): State<Web>, player: Player) -> Answer {
    let open = open(&web, &player).await?.ok_or(Fault::Missing)?;
    let text = begin_with(&web, &player, open.step).await?;
    let name = player.game(&web)?.files().orders;
    let kind = (CONTENT_TYPE, "application/octet-stream".to_owned());
    let disposition = (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""));
    Ok(([kind, disposition], text).into_response())
}

#[derive(Template)]
#[template(path = "orders-preview.html")]
struct Preview<'a> {
    page: &'a Page,
    step: u32,
    /// The figures that change.
    figures: Vec<FigureRow>,
    /// Whether others stay as they are.
    rest: bool,
    /// What stands otherwise in the books of the realm: where armies are, what they count, what was built.
    changes: Vec<Change>,
    chapters: Vec<Chapter<'a>>,
    books: Vec<&'a Part>,
}

/// A figure now and after the turn.
struct FigureRow {
    name: String,
    now: String,
    then: String,
    class: &'static str,
}

/// A view as it would be after the turn, and the figures by name, now and then.
pub fn imagine(reader: &Reader, own: RealmId, view: &[u8], text: &str) -> Result<(Vec<u8>, Vec<FigureChange>), Fault> {
    let after = reader.game.preview(view, text.as_bytes())?.ok_or(Fault::Missing)?;
    let (now, then) = (reader.game.figures(view)?, reader.game.figures(&after)?);
    let rows = then.iter().filter(|figure| figure.realm == own).map(|figure| {
        let old = now
            .iter()
            .find(|of| (of.realm, &of.group, &of.key) == (own, &figure.group, &figure.key));
        let name = reader.wording.words_of(&figure.key);
        (name, old.map_or(0, |figure| figure.value), figure.value)
    });
    let rows = rows.collect();
    Ok((after, rows))
}

/// A figure's name, its value before and after.
pub type FigureChange = (String, i64, i64);

/// `POST /welt/{world}/befehle/vorschau`
pub async fn preview(State(web): State<Web>, page: Page, player: Player, Form(written): Form<Written>) -> Answer {
    let Some(open) = same_turn(&web, &player, &written).await? else {
        return closed(&page, Some(written.zug));
    };
    let text = written.file();
    save(&web, &player, &open, &text, DraftKind::Saved).await?;
    let reader = Reader::new(player.game(&web)?, &page);
    let (view, step) = (open.view, open.step);
    let (words, own) = (page.words, player.realm());
    let (parts, (figures, rest), changes) = aside(move || {
        let (after, rows) = imagine(&reader, own, &view, &text)?;
        let changes = changes_between(&reader, &view, &after)?;
        let parts = reader.parts(&after, SheetForm::Story, Lists::All, None)?;
        let row = |(name, old, new): (String, i64, i64)| FigureRow {
            name,
            now: words.number(old),
            then: words.number(new),
            class: match new.cmp(&old) {
                std::cmp::Ordering::Less => "less",
                _ => "more",
            },
        };
        let all = rows.len();
        let changed = rows.into_iter().filter(|(_, old, new)| old != new);
        let figures: Vec<FigureRow> = changed.map(row).collect();
        let rest = figures.len() < all;
        Ok((parts, (figures, rest), changes))
    })
    .await?;
    let first = parts.iter().position(|part| part.story).unwrap_or(0);
    let told = parts
        .iter()
        .skip(first)
        .filter(|part| part.is_time() || !part.html.is_empty());
    let (story, books): (Vec<&Part>, Vec<&Part>) = told.partition(|part| part.story);
    page.show(&Preview {
        page: &page,
        step,
        figures,
        rest,
        changes,
        chapters: chapters(&story, None),
        books,
    })
}

/// What becomes of a text that a player hands in.
pub enum HandedIn {
    /// It is taken in; the answer has its receipt.
    Taken(host::submission::Answer),
    /// It is refused as a whole, with findings.
    Refused(host::submission::Answer),
    /// The turn takes no orders any more.
    Closed,
    /// The deadline has passed.
    Late(i64),
}

/// Keeps a text as a draft and hands it in.
pub async fn hand_in(web: &Web, player: &Player, open: &Open, text: &str) -> Result<HandedIn, Fault> {
    let arrival = Arrival {
        realm: player.realm(),
        step: Some(open.step),
        file: text.as_bytes(),
        files: ArrivedFiles::default(),
    };
    let refused = match web.host.submit_draft(&player.world, arrival, web.clock.now()).await {
        Ok(answer) if answer.receipt.is_some() => return Ok(HandedIn::Taken(answer)),
        Ok(answer) => HandedIn::Refused(answer),
        Err(HostError::Late { due_at, .. }) => HandedIn::Late(due_at),
        Err(
            HostError::AlreadyRun { .. } | HostError::NotOpen { .. } | HostError::Over(_) | HostError::NotDue { .. },
        ) => return Ok(HandedIn::Closed),
        Err(error) => return Err(error.into()),
    };
    // What is not taken in is not lost either.
    save(web, player, open, text, DraftKind::Saved).await?;
    Ok(refused)
}

/// `POST /welt/{world}/befehle/siegeln`
pub async fn submit(State(web): State<Web>, page: Page, player: Player, Form(written): Form<Written>) -> Answer {
    let Some(open) = same_turn(&web, &player, &written).await? else {
        return closed(&page, Some(written.zug));
    };
    let text = written.file();
    match hand_in(&web, &player, &open, &text).await? {
        HandedIn::Taken(answer) => {
            let number = answer.replaced + 1;
            go(&page.in_world(&format!("befehle/quittung/{}/{number}", open.step)))
        }
        HandedIn::Refused(_) => {
            let (message, status) = (page.t("orders.refused"), StatusCode::UNPROCESSABLE_ENTITY);
            show_desk(&web, &page, &player, &open, &text, message, status).await
        }
        HandedIn::Closed => closed(&page, Some(open.step)),
        HandedIn::Late(due_at) => late(&page, open.step, due_at),
    }
}
