//! The map editor: ground, rivers and things are changed with the tools that the game has for it.
//!
//! Every stroke is a judgement of the open turn with a reason; it can be undone as long as the turn is open. Before the first
//! turn players see the changed world at once. Without a script the tools are a form with places to fill in; with one they
//! are a brush on the map.

use super::told;
use crate::Answer;
use crate::error::Fault;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::pages::map::{Turn, picture};
use crate::pages::orders::forms::{FieldView, Filled, fields};
use crate::pages::report::{Reader, aside};
use crate::pairs::Pairs;
use crate::refusal::with_expected;
use crate::state::Web;
use askama::Template;
use axum::extract::{Multipart, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse};
use axum::{Form, Json};
use host::HostError;
use host::desk::DeskError;
use host::hand::ByHand;
use host::judgement::Judgement;
use kernel::any::AnyGame;
use kernel::form::{Form as GameForm, FormFault, Input, Values};
use kernel::map::Spot;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Places of one stroke.
const PLACES_MAX: usize = 20_000;
/// The widest brush, in fields around its middle.
const BRUSH_MAX: i32 = 6;
/// Faults that are told one by one.
const FAULTS_MAX: usize = 12;
/// Changes that a list shows.
const LISTED: usize = 40;
/// Bytes of a form with a stroke.
pub const STROKE_BYTES: usize = 512 * 1024;
/// Bytes of a form with a sheet.
pub const SHEET_BYTES: usize = host::limits::SHEET_BYTES + 64 * 1024;

/// A tool, worded.
struct Tool {
    name: String,
    title: String,
    fields: Vec<FieldView>,
    /// Name of the field that takes a place.
    place: String,
    /// Name of the field that takes a side.
    side: String,
    chosen: bool,
}

/// What the game master asks of the editor.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    /// The tool.
    #[serde(default)]
    werkzeug: String,
    /// Places.
    #[serde(default)]
    orte: String,
}

/// What was sent with a stroke, for showing it again.
#[derive(Default)]
struct Sent {
    tool: String,
    places: String,
    brush: i32,
    reason: String,
    filled: Option<Filled>,
    troubles: Vec<String>,
}

#[derive(Template)]
#[template(path = "lead/editor.html")]
struct EditorPage<'a> {
    page: &'a Page,
    picture: Arc<str>,
    tools: Vec<Tool>,
    sent: &'a Sent,
    changes: Vec<Judgement>,
    step: u32,
    unplayed: bool,
    can_undo: bool,
    can_redo: bool,
}

/// Which changes wait, on their own.
#[derive(Template)]
#[template(path = "lead/editor-changes.html")]
struct ChangesPart<'a> {
    page: &'a Page,
    changes: Vec<Judgement>,
}

/// `GET /welt/{world}/leitung/karte/bearbeiten`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster, Query(asked): Query<Asked>) -> Answer {
    let sent = Sent {
        tool: asked.werkzeug,
        places: asked.orte,
        ..Sent::default()
    };
    draw(&web, &page, &master, &sent).await
}

async fn draw(web: &Web, page: &Page, master: &GameMaster, sent: &Sent) -> Answer {
    let turn = edited(web, page, master).await?;
    let game = web.host.game(&master.world.game)?;
    let reader = Reader::new(game, page);
    let mut changes = web.host.changes_by_hand(&master.world).await?;
    let (can_undo, can_redo) = ways(&changes);
    changes.reverse();
    changes.truncate(LISTED);
    let status = if sent.troubles.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    };
    page.show_as(
        status,
        &EditorPage {
            page,
            picture: picture::live(&turn, "m").await?,
            tools: tools(web, &reader, master, &page.t("editor.nobody"), sent).await?,
            sent,
            changes,
            step: master.world.open_step,
            unplayed: web.host.steps(&master.world).await?.len() <= 1,
            can_undo,
            can_redo,
        },
    )
}

/// Whether something can be undone, and whether something can be done again.
fn ways(changes: &[Judgement]) -> (bool, bool) {
    let undo = changes.iter().any(|change| !change.withdrawn);
    (undo, changes.last().is_some_and(|change| change.withdrawn))
}

/// The world as the open turn will find it.
pub async fn edited(web: &Web, page: &Page, master: &GameMaster) -> Result<Turn, Fault> {
    let view = web.host.edited_view(&master.world).await?;
    let game = web.host.game(&master.world.game)?;
    let (step, language) = (master.world.open_step.saturating_sub(1), page.language());
    aside(move || {
        let mut scene = game.map(&view)?;
        language.clone_into(&mut scene.language);
        Ok(Turn { step, view, scene })
    })
    .await
}

/// The tools of the game, with the realms of this world to choose from.
async fn tools(web: &Web, reader: &Reader, master: &GameMaster, nobody: &str, sent: &Sent) -> Result<Vec<Tool>, Fault> {
    let mut realms = vec![("0".to_owned(), nobody.to_owned())];
    let seats = web.host.seats(&master.world).await?;
    realms.extend(seats.into_iter().map(|seat| (seat.realm.to_string(), seat.name)));
    let forms = reader.game.edit_forms();
    let known = forms.iter().any(|form| *form.name == sent.tool);
    let first = forms.first().map(|form| form.name.to_string()).unwrap_or_default();
    let tool = |form: &GameForm| {
        let filled = sent.filled.as_ref().filter(|filled| filled.form == *form.name);
        let mut views = fields(reader, form, filled);
        let named = |wanted: fn(&Input) -> bool| {
            let field = form.fields.iter().find(|field| wanted(&field.input));
            field
                .map(|field| format!("{}.{}", form.name, field.name))
                .unwrap_or_default()
        };
        for (view, field) in views.iter_mut().zip(&form.fields) {
            if field.input == Input::Realm {
                (view.kind, view.choices) = ("select", realms.clone());
            }
        }
        let place = named(|input| *input == Input::Place);
        // Places are filled in once for all tools.
        views.retain(|view| view.name != place);
        Tool {
            title: reader.word(&form.title),
            side: named(|input| *input == Input::Direction),
            chosen: if known {
                *form.name == sent.tool
            } else {
                *form.name == first
            },
            name: form.name.to_string(),
            fields: views,
            place,
        }
    };
    Ok(forms.iter().map(tool).collect())
}

/// What the page's script is told after a stroke.
#[derive(Serialize)]
struct Told {
    /// Whether the world changed.
    made: bool,
    /// What happened, in words.
    message: String,
    /// Why parts of it did not.
    faults: Vec<String>,
    undo: bool,
    redo: bool,
    /// The list of changes that wait, as a piece of a page.
    list: String,
}

/// Whether the page's script asks, not the browser itself.
fn by_script(headers: &HeaderMap) -> bool {
    headers.contains_key("x-fragment")
}

async fn tell(web: &Web, page: &Page, master: &GameMaster, made: bool, message: String, faults: Vec<String>) -> Answer {
    let mut changes = web.host.changes_by_hand(&master.world).await?;
    let (undo, redo) = ways(&changes);
    changes.reverse();
    changes.truncate(LISTED);
    let list = ChangesPart { page, changes }.render()?;
    Ok(Json(Told {
        made,
        message,
        faults,
        undo,
        redo,
        list,
    })
    .into_response())
}

/// `POST /welt/{world}/leitung/karte/bearbeiten`
pub async fn stroke(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    headers: HeaderMap,
    Form(pairs): Form<Pairs>,
) -> Answer {
    let game = web.host.game(&master.world.game)?;
    let reader = Reader::new(game.clone(), &page);
    let mut sent = Sent {
        tool: pairs.text("werkzeug").to_owned(),
        places: pairs.text("orte").trim().to_owned(),
        brush: pairs.read("umkreis").unwrap_or(0).clamp(0, BRUSH_MAX),
        reason: pairs.text("grund").trim().to_owned(),
        ..Sent::default()
    };
    let Some(form) = game.edit_forms().into_iter().find(|form| *form.name == sent.tool) else {
        return Err(Fault::Malformed);
    };
    let values = pairs.values_of(&form.name);
    let (places, unknown) = spread(&web, &master, &*game, &sent).await?;
    let outcome = match lines(&*game, &form, &values, &places) {
        Ok(text) => {
            let change = web.host.change_by_hand(&master.world, &text, &sent.reason).await;
            // A game may make fields that are not there yet. If it does not, the place itself is what is wrong.
            if !unknown.is_empty() && matches!(&change, Ok(by_hand) if by_hand.judgement.is_none()) {
                sent.troubles = nowhere(&page, &unknown);
                return refuse(&web, &page, &master, &headers, sent, Some(values)).await;
            }
            change
        }
        Err(faults) => {
            let place = form.fields.iter().find(|field| field.input == Input::Place);
            let about_place =
                |fault: &FormFault| fault.field.is_empty() || place.is_some_and(|place| place.name == fault.field);
            sent.troubles = match !unknown.is_empty() && faults.iter().all(about_place) {
                true => nowhere(&page, &unknown),
                false => of_fields(&page, &reader, &form, &values, &faults),
            };
            sent.filled = Some(Filled {
                form: sent.tool.clone(),
                values,
                faults,
            });
            if by_script(&headers) {
                let faults = std::mem::take(&mut sent.troubles);
                return tell(&web, &page, &master, false, page.t("editor.refused"), faults).await;
            }
            return draw(&web, &page, &master, &sent).await;
        }
    };
    answer(&web, &page, &master, &headers, &reader, outcome, sent, Some(values)).await
}

/// What is wrong with the fields of a tool, each called by its name.
fn of_fields(page: &Page, reader: &Reader, form: &GameForm, values: &Values, faults: &[FormFault]) -> Vec<String> {
    let told = |fault: &FormFault| {
        let field = form.fields.iter().find(|field| field.name == fault.field);
        let Some(field) = field else {
            return said(page, reader, &fault.finding);
        };
        let label = reader.word(&field.label);
        let empty = values.get(&*field.name).is_none_or(|value| value.trim().is_empty());
        match empty {
            true => page.t1("editor.field-missing", "field", label),
            false => page.t2(
                "editor.field-wrong",
                "field",
                label,
                "why",
                said(page, reader, &fault.finding),
            ),
        }
    };
    faults.iter().map(told).collect()
}

/// Names places that are not on the map.
fn nowhere(page: &Page, unknown: &BTreeSet<String>) -> Vec<String> {
    let more = unknown.len().saturating_sub(FAULTS_MAX);
    let mut faults: Vec<String> = unknown
        .iter()
        .take(FAULTS_MAX)
        .map(|place| page.t1("editor.no-place", "place", place))
        .collect();
    if more > 0 {
        faults.push(page.n("editor.more-faults", more));
    }
    faults
}

/// The places of a stroke and those around them, with a side where one was named: `3/2` or `3/2:4`; and the words among
/// them that name no place of the map.
async fn spread(
    web: &Web,
    master: &GameMaster,
    game: &dyn AnyGame,
    sent: &Sent,
) -> Result<(BTreeSet<(String, String)>, BTreeSet<String>), Fault> {
    let named = sent
        .places
        .split([' ', ',', ';', '\n', '\r', '\t'])
        .filter(|word| !word.is_empty());
    let mut places = BTreeSet::new();
    for word in named.take(PLACES_MAX) {
        let (place, side) = word.split_once(':').unwrap_or((word, ""));
        places.insert((place.to_owned(), side.to_owned()));
    }
    if places.is_empty() {
        return Ok((places, BTreeSet::new()));
    }
    let view = web.host.edited_view(&master.world).await?;
    let known = game.places(&view)?;
    let spots: BTreeMap<&str, Spot> = known.iter().map(|known| (known.place.as_str(), known.at)).collect();
    let unknown = places.iter().filter(|(place, _)| !spots.contains_key(place.as_str()));
    let unknown: BTreeSet<String> = unknown.map(|(place, _)| place.clone()).collect();
    if sent.brush == 0 {
        return Ok((places, unknown));
    }
    let middles: Vec<Spot> = places
        .iter()
        .filter_map(|(place, _)| spots.get(place.as_str()).copied())
        .collect();
    let near = |at: Spot| {
        middles.iter().any(|middle| {
            let (across, up) = ((at.d - middle.d).abs(), (at.y - middle.y).abs());
            up + (across - up).max(0) / 2 <= sent.brush
        })
    };
    for known in known.iter().filter(|known| near(known.at)).take(PLACES_MAX) {
        places.insert((known.place.clone(), String::new()));
    }
    Ok((places, unknown))
}

/// The lines that a stroke makes, or what is wrong with its values.
fn lines(
    game: &dyn AnyGame,
    form: &GameForm,
    values: &Values,
    places: &BTreeSet<(String, String)>,
) -> Result<String, Vec<FormFault>> {
    let named = |wanted: Input| form.fields.iter().find(|field| field.input == wanted);
    let Some(place_field) = named(Input::Place) else {
        return game.write_edit(&form.name, values);
    };
    let side_field = named(Input::Direction);
    if places.is_empty() {
        return game.write_edit(&form.name, values);
    }
    let mut text = String::new();
    for (place, side) in places {
        let mut values = values.clone();
        values.insert(place_field.name.to_string(), place.clone());
        if let Some(field) = side_field.filter(|_| !side.is_empty()) {
            values.insert(field.name.to_string(), side.clone());
        }
        text.push_str(&game.write_edit(&form.name, &values)?);
        text.push('\n');
    }
    Ok(text)
}

/// What is wrong with a change, and what was expected.
fn said(page: &Page, reader: &Reader, finding: &kernel::diagnostic::Diagnostic) -> String {
    with_expected(page.words, reader.wording.fault(finding))
}

/// Tells what became of changes: to the script, or by a page.
#[expect(
    clippy::too_many_arguments,
    reason = "everything that a page of the editor is made of"
)]
async fn answer(
    web: &Web,
    page: &Page,
    master: &GameMaster,
    headers: &HeaderMap,
    reader: &Reader,
    outcome: Result<ByHand, HostError>,
    mut sent: Sent,
    values: Option<Values>,
) -> Answer {
    let by_hand = match outcome {
        Ok(by_hand) => by_hand,
        Err(HostError::Desk(DeskError::NoReason)) => {
            sent.troubles = vec![page.t("editor.reason-missing")];
            return refuse(web, page, master, headers, sent, values).await;
        }
        Err(error) => {
            sent.troubles = vec![told(page, error)?.text(&page.words)];
            return refuse(web, page, master, headers, sent, values).await;
        }
    };
    let more = by_hand.faults.len().saturating_sub(FAULTS_MAX);
    // A form makes its lines itself; only who wrote or loaded several looks for one by its number.
    let many = values.is_none();
    let mut faults: Vec<String> = by_hand
        .faults
        .iter()
        .take(FAULTS_MAX)
        .map(|fault| {
            let text = said(page, reader, fault);
            match (many, fault.span.line) {
                (true, 1..) => page.t2("editor.in-line", "line", fault.span.line, "text", text),
                _ => text,
            }
        })
        .collect();
    if more > 0 {
        faults.push(page.n("editor.more-faults", more));
    }
    let Some(judgement) = by_hand.judgement else {
        sent.troubles = if faults.is_empty() {
            vec![page.t("editor.nothing")]
        } else {
            faults
        };
        return refuse(web, page, master, headers, sent, values).await;
    };
    let message = page.n("editor.made", judgement.changes);
    if by_script(headers) {
        return tell(web, page, master, true, message, faults).await;
    }
    if faults.is_empty() {
        let flash = Flash::good("flash.world-changed").with("count", judgement.changes);
        let tool = percent_encoding::utf8_percent_encode(&sent.tool, percent_encoding::NON_ALPHANUMERIC);
        let to = format!("{}?werkzeug={tool}", page.in_world("leitung/karte/bearbeiten"));
        return go_with(web, &to, &flash);
    }
    sent.troubles = std::iter::once(message).chain(faults).collect();
    refuse(web, page, master, headers, sent, values).await
}

/// Tells what could not be done; nothing that was filled in is lost.
async fn refuse(
    web: &Web,
    page: &Page,
    master: &GameMaster,
    headers: &HeaderMap,
    mut sent: Sent,
    values: Option<Values>,
) -> Answer {
    if by_script(headers) {
        return tell(web, page, master, false, page.t("editor.refused"), sent.troubles).await;
    }
    sent.filled = values.map(|values| Filled {
        form: sent.tool.clone(),
        values,
        faults: Vec::new(),
    });
    draw(web, page, master, &sent).await
}

/// `POST /welt/{world}/leitung/karte/bearbeiten/zurueck`
pub async fn undo(State(web): State<Web>, page: Page, master: GameMaster, headers: HeaderMap) -> Answer {
    let done = web.host.undo_by_hand(&master.world).await?;
    step_back(&web, &page, &master, &headers, done, "flash.change-undone").await
}

/// `POST /welt/{world}/leitung/karte/bearbeiten/wieder`
pub async fn redo(State(web): State<Web>, page: Page, master: GameMaster, headers: HeaderMap) -> Answer {
    let done = web.host.redo_by_hand(&master.world).await?;
    step_back(&web, &page, &master, &headers, done, "flash.change-redone").await
}

async fn step_back(
    web: &Web,
    page: &Page,
    master: &GameMaster,
    headers: &HeaderMap,
    done: Option<u32>,
    key: &'static str,
) -> Answer {
    let flash = match done {
        Some(number) => Flash::good(key).with("number", number),
        None => Flash::bad("flash.change-none"),
    };
    if by_script(headers) {
        return tell(web, page, master, done.is_some(), flash.text(&page.words), Vec::new()).await;
    }
    go_with(web, &page.in_world("leitung/karte/bearbeiten"), &flash)
}

/// `GET /welt/{world}/leitung/karte/bearbeiten/bild`
pub async fn picture(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let turn = edited(&web, &page, &master).await?;
    let drawing = picture::live(&turn, "m").await?;
    Ok(Html(drawing.to_string()).into_response())
}

/// `GET /welt/{world}/leitung/karte/bearbeiten/felder.json`
pub async fn index(State(web): State<Web>, page: Page, master: GameMaster, headers: HeaderMap) -> Answer {
    let turn = edited(&web, &page, &master).await?;
    picture::index_of(&turn, &headers).await
}

/// `GET /welt/{world}/leitung/karte/bearbeiten/blatt`
pub async fn sheet(State(web): State<Web>, master: GameMaster) -> Answer {
    let text = web.host.sheet(&master.world).await?;
    let name = format!(
        "attachment; filename=\"{}-{}.txt\"",
        master.world.game, master.world.open_step
    );
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

/// `POST /welt/{world}/leitung/karte/bearbeiten/blatt`
pub async fn load(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    headers: HeaderMap,
    mut parts: Multipart,
) -> Answer {
    let (mut text, mut reason) = (String::new(), String::new());
    while let Some(part) = parts.next_field().await.map_err(|_| Fault::Malformed)? {
        match part.name().unwrap_or_default() {
            "blatt" => {
                let bytes = part.bytes().await.map_err(|_| Fault::TooLarge)?;
                text = String::from_utf8_lossy(&bytes).into_owned();
            }
            "grund" => reason = part.text().await.map_err(|_| Fault::Malformed)?,
            _ => {}
        }
    }
    let reader = Reader::new(web.host.game(&master.world.game)?, &page);
    let sent = Sent {
        reason: reason.trim().to_owned(),
        ..Sent::default()
    };
    let outcome = web.host.change_by_hand(&master.world, &text, &sent.reason).await;
    answer(&web, &page, &master, &headers, &reader, outcome, sent, None).await
}
