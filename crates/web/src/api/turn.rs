//! What happened in a turn, as one viewer knows it: report, map, a field, the way of an army, dice; and what the game can
//! reckon. The game master's calls are the same with everything in them.

use super::{Asked, Called, Finding, Problem, Sent, json, plain};
use crate::identity::{GameMaster, Player};
use crate::page::Page;
use crate::pages::map::{self, Onlooker, field, picture};
use crate::pages::orders::forms::{self, FieldView};
use crate::pages::report::{self, Reader, aside, reading};
use crate::state::Web;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use kernel::form::Values;
use kernel::realm::{RealmId, Viewer};
use render::sheet::{Form, Lists, Part};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// Values of a form that are looked at.
const VALUES_MAX: usize = 200;

/// A turn in an address: its number, or `last`.
#[derive(Deserialize)]
pub struct TurnPath {
    turn: String,
}

impl TurnPath {
    /// The turn; none for the last.
    pub fn which(&self) -> Result<Option<u32>, Problem> {
        match self.turn.as_str() {
            "last" => Ok(None),
            number => number.parse().map(Some).map_err(|_| Problem::missing()),
        }
    }
}

/// The form of a report.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReportForm {
    /// For programs: every line with its key, its values, its rules and its wording.
    #[default]
    Json,
    /// A piece of a page.
    Html,
    /// The text of the book.
    Text,
    /// For reading aloud.
    Reading,
    /// The file of the book, in the letters of the player's computer.
    File,
}

/// How a report is wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct ReportAsked {
    /// The form.
    #[serde(default)]
    #[param(required = false, inline)]
    pub form: ReportForm,
}

/// A report of a view in the form that was asked for.
pub async fn told(page: &Page, reader: Reader, view: Vec<u8>, form: ReportForm) -> Called {
    let name = reader.game.files().report;
    match form {
        ReportForm::Json => {
            let bytes = aside(move || report::json(&reader, &view)).await?;
            Ok(([(CONTENT_TYPE, "application/json")], bytes).into_response())
        }
        ReportForm::Text => plain(aside(move || reader.text(&view)).await?),
        ReportForm::Reading => {
            let words = page.words;
            plain(aside(move || reading(&reader, words, &view)).await?)
        }
        ReportForm::File => {
            let bytes = aside(move || report::file(&reader, &view)).await?;
            let kind = (CONTENT_TYPE, "application/octet-stream".to_owned());
            let name = (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""));
            Ok(([kind, name], bytes).into_response())
        }
        ReportForm::Html => {
            let parts = aside(move || reader.parts(&view, Form::Story, Lists::All, None)).await?;
            sections(&parts)
        }
    }
}

/// The parts of a report as a piece of a page.
fn sections(parts: &[Part]) -> Called {
    let mut html = String::new();
    for part in parts {
        let title =
            askama::filters::escape(&part.title, askama::filters::Html).map_err(|error| Problem::broken(&error))?;
        html += &format!(
            "<section data-key=\"{}\"><h2>{title}</h2>{}</section>\n",
            part.key, part.html
        );
    }
    Ok(([(CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response())
}

/// The form of a report of all turns.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum WholeForm {
    /// For programs: every line with its key, its values, its rules and its wording.
    #[default]
    Json,
    /// A piece of a page.
    Html,
    /// Plain text.
    Text,
}

/// How a report of all turns is wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct WholeAsked {
    /// The form.
    #[serde(default)]
    #[param(required = false, inline)]
    pub form: WholeForm,
}

/// `GET /api/v1/worlds/{world}/report`: all turns in one piece, in games that tell them so.
pub async fn whole(State(web): State<Web>, page: Page, player: Player, Asked(asked): Asked<WholeAsked>) -> Called {
    let reader = Reader::new(player.game(&web)?, &page);
    if !reader.game.retells() {
        return Err(Problem::missing());
    }
    let views = web.host.views(&player.world, player.viewer(), None).await?;
    match asked.form {
        WholeForm::Json => {
            let bytes = aside(move || reader.json(|sink| reader.game.retell(&views, sink))).await?;
            Ok(([(CONTENT_TYPE, "application/json")], bytes).into_response())
        }
        WholeForm::Text => plain(aside(move || reader.text_of(|sink| reader.game.retell(&views, sink))).await?),
        WholeForm::Html => {
            let write = move || reader.parts_of(Form::Story, Lists::All, None, |sink| reader.game.retell(&views, sink));
            sections(&aside(write).await?)
        }
    }
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/report`
pub async fn report(
    State(web): State<Web>,
    page: Page,
    player: Player,
    Path(path): Path<TurnPath>,
    Asked(asked): Asked<ReportAsked>,
) -> Called {
    let (_, view) = web.host.view(&player.world, player.viewer(), path.which()?).await?;
    told(&page, Reader::new(player.game(&web)?, &page), view, asked.form).await
}

/// A turn and a realm in an address.
#[derive(Deserialize)]
pub struct ReportPath {
    turn: String,
    realm: u16,
}

/// `GET /api/v1/worlds/{world}/lead/turns/{turn}/reports/{realm}`: the report that a realm got, or with 0 the game master's own.
pub async fn report_of(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path(path): Path<ReportPath>,
    Asked(asked): Asked<ReportAsked>,
) -> Called {
    let viewer = match path.realm {
        0 => Viewer::GameMaster,
        realm => Viewer::Realm(web.host.seat(&master.world, RealmId(realm)).await?.realm),
    };
    let turn = TurnPath { turn: path.turn };
    let (_, view) = web.host.view(&master.world, viewer, turn.which()?).await?;
    told(
        &page,
        Reader::new(web.host.game(&master.world.game)?, &page),
        view,
        asked.form,
    )
    .await
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/map` and `GET /api/v1/worlds/{world}/lead/turns/{turn}/map`
pub async fn map(State(web): State<Web>, page: Page, onlooker: Onlooker, Path(path): Path<TurnPath>) -> Called {
    let turn = onlooker.turn(&web, &page, path.which()?).await?;
    json(&serde_json::json!({ "turn": turn.step, "scene": turn.scene }))
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/map.txt` and `GET /api/v1/worlds/{world}/lead/turns/{turn}/map.txt`
pub async fn map_in_words(
    State(web): State<Web>,
    page: Page,
    onlooker: Onlooker,
    Path(path): Path<TurnPath>,
) -> Called {
    let turn = onlooker.turn(&web, &page, path.which()?).await?;
    let entries = aside(move || Ok(render::map::gazetteer(&turn.scene))).await?;
    plain(map::all_lines(&page, &entries))
}

/// How a picture is wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct PictureAsked {
    /// Width in pixels, 300 to 4000.
    #[param(minimum = 300, maximum = 4_000)]
    width: Option<u32>,
    /// Whether it is drawn for dark pages.
    #[serde(default)]
    #[param(required = false)]
    dark: bool,
}

fn asked_of_map(path: &TurnPath, asked: &PictureAsked) -> Result<map::Asked, Problem> {
    Ok(map::Asked {
        zug: path.which()?,
        breite: asked.width,
        licht: if asked.dark { "kerze".into() } else { String::new() },
        ..map::Asked::default()
    })
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/map.svg` and `GET /api/v1/worlds/{world}/lead/turns/{turn}/map.svg`
pub async fn svg(
    State(web): State<Web>,
    page: Page,
    onlooker: Onlooker,
    headers: HeaderMap,
    Path(path): Path<TurnPath>,
    Asked(asked): Asked<PictureAsked>,
) -> Called {
    Ok(picture::vector(&web, &page, &onlooker, &headers, &asked_of_map(&path, &asked)?).await?)
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/map.png` and `GET /api/v1/worlds/{world}/lead/turns/{turn}/map.png`
pub async fn png(
    State(web): State<Web>,
    page: Page,
    onlooker: Onlooker,
    headers: HeaderMap,
    Path(path): Path<TurnPath>,
    Asked(asked): Asked<PictureAsked>,
) -> Called {
    Ok(picture::raster(&web, &page, &onlooker, &headers, &asked_of_map(&path, &asked)?).await?)
}

/// A field.
#[derive(Debug, Deserialize, IntoParams)]
pub struct FieldAsked {
    /// The field as players write it.
    place: String,
}

/// What happened on a field in a turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldPast {
    /// The turn.
    turn: u32,
    /// What happened, in words.
    lines: Vec<String>,
}

/// All that is known of a field.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldFile {
    /// The turn after which it was known.
    turn: u32,
    /// The field.
    place: String,
    /// What stands there by name.
    names: Vec<String>,
    /// What is known, in the form of a report.
    #[schema(value_type = Object)]
    report: Value,
    /// What happened there in earlier turns.
    history: Vec<FieldPast>,
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/field` and `GET /api/v1/worlds/{world}/lead/turns/{turn}/field`
pub async fn field(
    State(web): State<Web>,
    page: Page,
    onlooker: Onlooker,
    Path(path): Path<TurnPath>,
    Asked(asked): Asked<FieldAsked>,
) -> Called {
    let turn = onlooker.turn(&web, &page, path.which()?).await?;
    let place = asked.place.trim().to_owned();
    // A field that was never seen is one that is not there.
    let spot = turn.spot(&place).ok_or_else(Problem::missing)?;
    let history = field::history(&web, &page, &onlooker, &turn, &place, spot).await?;
    let names = field::names_at(&turn, Some(spot))
        .into_iter()
        .map(str::to_owned)
        .collect();
    let (reader, view, of) = (
        Reader::new(onlooker.game.clone(), &page),
        turn.view.clone(),
        place.clone(),
    );
    let report = aside(move || reader.json(|sink| reader.game.dossier(&view, &of, sink))).await?;
    json(&FieldFile {
        turn: turn.step,
        place,
        names,
        report: value(&report)?,
        history: history
            .into_iter()
            .map(|past| FieldPast {
                turn: past.step,
                lines: past.lines,
            })
            .collect(),
    })
}

/// JSON that was written elsewhere, as a part of an answer.
pub fn value(bytes: &[u8]) -> Result<Value, Problem> {
    serde_json::from_slice(bytes).map_err(|error| Problem::broken(&error))
}

/// A way.
#[derive(Debug, Deserialize, IntoParams)]
pub struct RouteAsked {
    /// The army, as players write it; or a place, or a kind of army and a place.
    army: String,
    /// Where it shall go.
    to: String,
}

/// A step of a way.
#[derive(Debug, Serialize, ToSchema)]
pub struct RouteLeg {
    /// The turn in which it is made.
    turn: u32,
    /// Its part of the turn, such as the week; 0 where a turn has none.
    part: u32,
    /// The same in words.
    when: String,
    /// From where.
    from: String,
    /// To where.
    to: String,
    /// What it costs.
    cost: i64,
    /// Movement left afterwards.
    left: i64,
    /// What may come in between.
    cautions: Vec<String>,
}

/// An order.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderLine {
    /// The line that opens the part of the file where it belongs; may be empty.
    opening: String,
    /// The order.
    text: String,
}

/// The way of an army.
#[derive(Debug, Serialize, ToSchema)]
pub struct Route {
    /// Who goes.
    army: String,
    /// What the steps cost together.
    cost: i64,
    /// The turn of the arrival; none if there is no way.
    arrival: Option<u32>,
    /// The same in words.
    arrival_text: Option<String>,
    /// The steps in order.
    steps: Vec<RouteLeg>,
    /// The orders for it, one for every turn.
    orders: Vec<OrderLine>,
    /// Why there is no way.
    findings: Vec<Finding>,
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/route`
pub async fn route(
    State(web): State<Web>,
    page: Page,
    onlooker: Onlooker,
    Path(path): Path<TurnPath>,
    Asked(asked): Asked<RouteAsked>,
) -> Called {
    let turn = onlooker.turn(&web, &page, path.which()?).await?;
    let plan = field::plan(&onlooker, &turn, &asked.army, &asked.to).await?;
    let wording = onlooker.wording(&page);
    let leg = |step: &kernel::guide::RouteStep| RouteLeg {
        turn: step.when.step,
        part: step.when.part,
        when: field::moment(&page, wording, step.when),
        from: step.from.clone(),
        to: step.to.clone(),
        cost: step.cost,
        left: step.left,
        cautions: step.cautions.iter().map(|key| wording.words_of(key)).collect(),
    };
    let order = |order: &kernel::form::WrittenOrder| OrderLine {
        opening: order.opening.clone(),
        text: order.text.clone(),
    };
    json(&Route {
        army: plan.traveller.clone(),
        cost: plan.cost,
        arrival: plan.arrival.map(|when| when.step),
        arrival_text: plan.arrival.map(|when| field::moment(&page, wording, when)),
        steps: plan.steps.iter().map(leg).collect(),
        orders: plan.orders.iter().map(order).collect(),
        findings: Finding::all(wording, &plan.findings),
    })
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/dice`: what a player needs to check his dice.
pub async fn dice(State(web): State<Web>, player: Player, Path(path): Path<TurnPath>) -> Called {
    let last = player.world.open_step.saturating_sub(1);
    let step = path.which()?.unwrap_or(last);
    // Before the first turn no dice were thrown for anybody.
    if step == 0 || step > last {
        return Err(Problem::missing());
    }
    json(&web.host.evidence(&player.world, player.realm(), step).await?)
}

/// What may be chosen.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormChoice {
    /// What is sent.
    pub value: String,
    /// How it is called.
    pub name: String,
}

/// A field of a form.
#[derive(Debug, Serialize, ToSchema)]
pub struct FormField {
    /// Name under which it is sent.
    name: String,
    /// Its label.
    label: String,
    /// Whether it may be left out.
    optional: bool,
    /// What it begins with.
    default: String,
    /// `select`, `list`, `number`, `flag`, `lines` or `text`.
    kind: &'static str,
    /// What may be chosen.
    choices: Vec<FormChoice>,
    /// Least number.
    min: i64,
    /// Greatest number.
    max: i64,
    /// Greatest number of characters.
    length: u32,
}

/// Fields as JSON.
pub fn form_fields(form: &str, fields: Vec<FieldView>) -> Vec<FormField> {
    let prefix = format!("{form}.");
    let field = |of: FieldView| FormField {
        name: of.name.strip_prefix(&prefix).unwrap_or(&of.name).to_owned(),
        label: of.label,
        optional: of.optional,
        default: of.value,
        kind: of.kind,
        choices: of
            .choices
            .into_iter()
            .map(|(value, name)| FormChoice { value, name })
            .collect(),
        min: of.range.0,
        max: of.range.1,
        length: of.length,
    };
    fields.into_iter().map(field).collect()
}

/// Something that the game can reckon.
#[derive(Debug, Serialize, ToSchema)]
pub struct Calculator {
    /// Its name.
    name: String,
    /// Its title.
    title: String,
    /// What it reckons.
    help: String,
    /// The rules behind it.
    rules: Vec<String>,
    /// What it wants to know.
    fields: Vec<FormField>,
}

/// What the game can reckon.
#[derive(Debug, Serialize, ToSchema)]
pub struct Calculators {
    /// The calculators.
    calculators: Vec<Calculator>,
}

/// `GET /api/v1/worlds/{world}/calculators`
pub async fn calculators(State(web): State<Web>, page: Page, player: Player) -> Called {
    let reader = Reader::new(player.game(&web)?, &page);
    let (_, view) = web.host.view(&player.world, player.viewer(), None).await?;
    let list = aside(move || {
        let calculator = |form: kernel::form::Form| Calculator {
            fields: form_fields(&form.name, forms::fields(&reader, &form, None)),
            title: reader.word(&form.title),
            help: reader.word(&form.help),
            rules: form.rules.iter().map(|rule| rule.to_string()).collect(),
            name: form.name.to_string(),
        };
        Ok(reader.game.calculators(&view)?.into_iter().map(calculator).collect())
    });
    json(&Calculators {
        calculators: list.await?,
    })
}

/// A calculator in an address.
#[derive(Deserialize)]
pub struct CalculatorPath {
    calculator: String,
}

/// What a calculator wants to know.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValuesSent {
    /// The values of the fields by name.
    #[schema(value_type = BTreeMap<String, String>)]
    pub values: Values,
}

/// `POST /api/v1/worlds/{world}/calculators/{calculator}`
pub async fn calculate(
    State(web): State<Web>,
    page: Page,
    player: Player,
    Path(path): Path<CalculatorPath>,
    Sent(sent): Sent<ValuesSent>,
) -> Called {
    if sent.values.len() > VALUES_MAX {
        return Err(Problem::of_status(axum::http::StatusCode::PAYLOAD_TOO_LARGE));
    }
    let reader = Reader::new(player.game(&web)?, &page);
    let (_, view) = web.host.view(&player.world, player.viewer(), None).await?;
    let report = aside(move || {
        let known = reader.game.calculators(&view)?;
        if !known.iter().any(|form| *form.name == path.calculator) {
            return Err(crate::Fault::Missing);
        }
        reader.json(|sink| reader.game.calculate(&view, &path.calculator, &sent.values, sink))
    });
    Ok(([(CONTENT_TYPE, "application/json")], report.await?).into_response())
}
