//! The order sheet and the planner for programs: the same draft in other forms.

use super::turn::FormChoice;
use super::{Asked, Called, Finding, Problem, Sent, SentTable, json};
use crate::error::Fault;
use crate::identity::Player;
use crate::page::Page;
use crate::pages::orders::{self as desk, Open, forms::named};
use crate::pages::planner::plan;
use crate::pages::report::{Reader, aside};
use crate::pages::sheet::{self as pages, Filled, table::cell_of};
use crate::state::Web;
use crate::workbook::{Format, Origins, Trouble};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use host::draft::DraftKind;
use kernel::form::Input;
use kernel::planner::Assignment;
use kernel::sheet::{Rows, tidy};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

/// A column of a sheet.
#[derive(Debug, Serialize, ToSchema)]
pub struct SheetColumn {
    /// Its name in files.
    name: String,
    /// Its label.
    label: String,
    /// What stands above several columns that belong together; may be empty.
    group: String,
    /// What can be chosen, if it is a choice; other texts may be possible.
    choices: Vec<FormChoice>,
}

/// A part of a sheet.
#[derive(Debug, Serialize, ToSchema)]
pub struct SheetPart {
    /// Its name.
    name: String,
    /// Its title.
    title: String,
    /// What it is for.
    help: String,
    /// The rules behind it.
    rules: Vec<String>,
    /// Its columns in order.
    columns: Vec<SheetColumn>,
    /// Its rows: the texts of the cells in the order of the columns.
    rows: Vec<Vec<String>>,
}

/// A finding about a cell.
#[derive(Debug, Serialize, ToSchema)]
pub struct SheetFinding {
    /// The part; empty for the sheet as a whole.
    part: String,
    /// The row, from 0; none for the part as a whole.
    row: Option<usize>,
    /// The column, from 0; none for the row as a whole.
    column: Option<usize>,
    /// Table and cell as a program for tables names them.
    cell: String,
    /// What it is.
    finding: Finding,
}

/// An order sheet.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sheet {
    /// The turn.
    turn: u32,
    /// Its parts; none if the game has no sheet.
    parts: Vec<SheetPart>,
    /// What is wrong, at its cell.
    findings: Vec<SheetFinding>,
    /// The same as an order file.
    text: String,
}

fn closed() -> Problem {
    Problem::new(StatusCode::CONFLICT, "closed")
}

/// A sheet with its findings.
fn worded(reader: &Reader, open: &Open, rows: &Rows, origins: &Origins) -> Result<Sheet, Fault> {
    let sections = reader.game.sheet(&open.view)?;
    let column = |column: &kernel::sheet::Column| SheetColumn {
        name: column.name.to_string(),
        label: reader.word(&column.label),
        group: reader.word(&column.group),
        choices: match &column.input {
            Input::Army { choices, .. } | Input::Choice { choices } => choices
                .iter()
                .map(|choice| named(reader, choice))
                .map(|(value, name)| FormChoice { value, name })
                .collect(),
            _ => Vec::new(),
        },
    };
    let parts: Vec<SheetPart> = sections
        .iter()
        .map(|section| SheetPart {
            name: section.name.to_string(),
            title: reader.word(&section.title),
            help: reader.word(&section.help),
            rules: section.rules.iter().map(|rule| rule.to_string()).collect(),
            columns: section.columns.iter().map(column).collect(),
            rows: rows.get(&*section.name).cloned().unwrap_or_default(),
        })
        .collect();
    let found = reader.game.sheet_findings(&open.view, rows)?;
    let finding = |of: &kernel::sheet::CellFinding| {
        let part = parts.iter().find(|part| part.name == of.section);
        SheetFinding {
            part: of.section.to_string(),
            row: of.row,
            column: of.column,
            cell: cell_of(part.map_or("", |part| part.title.as_str()), origins, of),
            finding: Finding::of(reader.wording, &of.finding),
        }
    };
    Ok(Sheet {
        turn: open.step,
        findings: found.iter().map(finding).collect(),
        text: reader.game.sheet_file(&open.view, rows)?,
        parts,
    })
}

/// `GET /api/v1/worlds/{world}/orders/sheet`
pub async fn show(State(web): State<Web>, page: Page, player: Player) -> Called {
    let open = desk::open(&web, &player).await?.ok_or_else(closed)?;
    let rows = pages::rows_of_draft(&web, &player, &open).await?;
    let rows = rows.ok_or_else(|| Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE))?;
    let reader = Reader::new(player.game(&web)?, &page);
    json(&aside(move || worded(&reader, &open, &rows, &Origins::new())).await?)
}

/// What is filled into a sheet.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetSent {
    /// The rows of each part, by its name. A part that is left out stays as it is in the draft.
    #[schema(value_type = Object)]
    parts: BTreeMap<String, Vec<Vec<String>>>,
    /// The turn that it is for; without one, the turn that is open.
    turn: Option<u32>,
}

impl SheetSent {
    /// The open turn and the rows, with those of the draft where none were sent.
    async fn take(self, web: &Web, player: &Player) -> Result<(Open, Rows), Problem> {
        let open = desk::open(web, player).await?.ok_or_else(closed)?;
        if self.turn.is_some_and(|turn| turn != open.step) {
            return Err(closed());
        }
        let sections = player.game(web)?.sheet(&open.view).map_err(Fault::from)?;
        let fits = self.parts.values().all(|rows| rows.len() <= kernel::sheet::ROWS_MAX);
        if !fits {
            return Err(Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE));
        }
        let mut rows = tidy(&sections, self.parts);
        for (part, of) in pages::rows_of_draft(web, player, &open).await?.unwrap_or_default() {
            rows.entry(part).or_insert(of);
        }
        Ok((open, rows))
    }
}

/// `POST /api/v1/worlds/{world}/orders/sheet/check`
pub async fn check(State(web): State<Web>, page: Page, player: Player, Sent(sent): Sent<SheetSent>) -> Called {
    let (open, rows) = sent.take(&web, &player).await?;
    let reader = Reader::new(player.game(&web)?, &page);
    json(&aside(move || worded(&reader, &open, &rows, &Origins::new())).await?)
}

/// Words a sheet and keeps it as the draft.
async fn kept(web: &Web, page: &Page, player: &Player, open: Open, filled: Filled, how: DraftKind) -> Called {
    let reader = Reader::new(player.game(web)?, page);
    let (step, view) = (open.step, open.view.clone());
    let sheet = aside(move || worded(&reader, &open, &filled.rows, &filled.origins)).await?;
    if sheet.text.len() > kernel::limits::ORDER_FILE_BYTES {
        return Err(Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE));
    }
    desk::save(web, player, &Open { step, view }, &sheet.text, how).await?;
    json(&sheet)
}

/// `PUT /api/v1/worlds/{world}/orders/sheet`: keeps the sheet as the draft.
pub async fn keep(State(web): State<Web>, page: Page, player: Player, Sent(sent): Sent<SheetSent>) -> Called {
    let (open, rows) = sent.take(&web, &player).await?;
    if !player.game(&web)?.has_sheet() {
        return Err(Problem::of_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let filled = Filled {
        rows,
        origins: Origins::new(),
    };
    kept(&web, &page, &player, open, filled, DraftKind::Saved).await
}

/// The open turn and the sheet of a file that was sent.
async fn taken(web: &Web, page: &Page, player: &Player, bytes: Vec<u8>) -> Result<(Open, Filled), Problem> {
    let open = desk::open(web, player).await?.ok_or_else(closed)?;
    if !player.game(web)?.has_sheet() {
        return Err(Problem::of_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    match pages::filled_by(web, player, &open, bytes).await? {
        Ok(filled) => Ok((open, filled)),
        Err(Trouble::TooLarge) => Err(Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE)),
        Err(trouble) => Err(Problem::refused(&page.t(pages::trouble_key(trouble)))),
    }
}

/// `POST /api/v1/worlds/{world}/orders/sheet/file/check`
pub async fn check_file(State(web): State<Web>, page: Page, player: Player, SentTable(bytes): SentTable) -> Called {
    let (open, filled) = taken(&web, &page, &player, bytes).await?;
    let reader = Reader::new(player.game(&web)?, &page);
    json(&aside(move || worded(&reader, &open, &filled.rows, &filled.origins)).await?)
}

/// `PUT /api/v1/worlds/{world}/orders/sheet/file`: keeps the sheet of a file as the draft.
pub async fn keep_file(State(web): State<Web>, page: Page, player: Player, SentTable(bytes): SentTable) -> Called {
    let (open, filled) = taken(&web, &page, &player, bytes).await?;
    kept(&web, &page, &player, open, filled, DraftKind::Upload).await
}

/// The kind of file.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SheetForm {
    /// Text with semicolons.
    #[default]
    Csv,
    /// OpenDocument, for LibreOffice.
    Ods,
    /// Office Open XML, for Excel.
    Xlsx,
}

/// How the file is wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct SheetAsked {
    /// The kind of file.
    #[serde(default)]
    #[param(required = false, inline)]
    form: SheetForm,
}

/// `GET /api/v1/worlds/{world}/orders/sheet/file`
pub async fn file(State(web): State<Web>, page: Page, player: Player, Asked(asked): Asked<SheetAsked>) -> Called {
    let open = desk::open(&web, &player).await?.ok_or_else(closed)?;
    if !player.game(&web)?.has_sheet() {
        return Err(Problem::of_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let format = match asked.form {
        SheetForm::Csv => Format::Csv,
        SheetForm::Ods => Format::Ods,
        SheetForm::Xlsx => Format::Xlsx,
    };
    let bytes = pages::workbook_of(&web, &page, &player, &open, format).await?;
    let name = format!("{}-{}.{}", page.t("sheet.file-name"), open.step, format.ending());
    let name = (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""));
    Ok(([(CONTENT_TYPE, format.kind().to_owned()), name], bytes).into_response())
}

/// A resource of a realm.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlannerNeed {
    /// Its name.
    name: String,
    /// How much there is.
    supply: i64,
    /// How much is needed; none for what nobody must have.
    need: Option<i64>,
    /// How much there would be with the proposal.
    proposed: i64,
    /// How much is missing.
    short: i64,
}

/// Somebody who needs resources.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlannerConsumer {
    /// Where; may be empty.
    place: String,
    /// What it is.
    name: String,
    /// How many heads.
    heads: i64,
    /// Its share of all heads, in percent.
    share: i64,
}

/// A slot of a place.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlannerSlot {
    /// What stands there with the draft.
    value: String,
    /// How much it yields.
    yields: i64,
    /// What the proposal puts there.
    proposed: String,
}

/// A place with slots.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlannerPlot {
    /// Where.
    place: String,
    /// What it is.
    name: String,
    /// What can stand in its slots.
    choices: Vec<FormChoice>,
    /// The slots.
    slots: Vec<PlannerSlot>,
}

/// A line of a forecast.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlannerLine {
    /// What it is.
    name: String,
    /// How much; less than nothing is paid.
    value: i64,
    /// Whether it is a sum.
    sum: bool,
}

/// What a coming turn brings.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlannerForecast {
    /// What comes.
    title: String,
    /// When, in the game's own words.
    when: String,
    /// The turn.
    turn: u32,
    /// Its lines.
    lines: Vec<PlannerLine>,
}

/// What a realm has and needs with its draft.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlannerAnswer {
    /// The turn.
    turn: u32,
    /// Supply against need.
    needs: Vec<PlannerNeed>,
    /// Who needs it.
    consumers: Vec<PlannerConsumer>,
    /// Where something can be put.
    plots: Vec<PlannerPlot>,
    /// Places that the proposal would change.
    proposed_changes: usize,
    /// What is missing now.
    short_now: i64,
    /// What would be missing with the proposal.
    short_then: i64,
    /// Whether it is proven that nothing better can be done.
    proven: bool,
    /// What is foreseen.
    forecasts: Vec<PlannerForecast>,
}

fn planned(reader: &Reader, open: &Open, text: &str) -> Result<Option<PlannerAnswer>, Fault> {
    let Some((planner, _)) = plan(reader, &open.view, text)? else {
        return Ok(None);
    };
    let slot = |slot: kernel::planner::Slot| PlannerSlot {
        value: slot.value,
        yields: slot.yields,
        proposed: slot.proposed,
    };
    let plot = |plot: kernel::planner::Plot| PlannerPlot {
        name: reader.word(&plot.label),
        choices: plot
            .choices
            .iter()
            .map(|choice| named(reader, choice))
            .map(|(value, name)| FormChoice { value, name })
            .collect(),
        place: plot.place,
        slots: plot.slots.into_iter().map(slot).collect(),
    };
    let line = |line: &kernel::planner::ForecastLine| PlannerLine {
        name: reader.word(&line.label),
        value: line.value,
        sum: line.sum,
    };
    Ok(Some(PlannerAnswer {
        turn: open.step,
        needs: planner
            .needs
            .iter()
            .map(|need| PlannerNeed {
                name: reader.word(&need.label),
                supply: need.supply,
                need: need.need,
                proposed: need.proposed,
                short: need.short,
            })
            .collect(),
        consumers: planner
            .consumers
            .into_iter()
            .map(|of| PlannerConsumer {
                name: reader.word(&of.label),
                place: of.place,
                heads: of.heads,
                share: of.share,
            })
            .collect(),
        plots: planner.plots.into_iter().map(plot).collect(),
        proposed_changes: planner.proposal.changes,
        short_now: planner.proposal.short_now,
        short_then: planner.proposal.short_then,
        proven: planner.proposal.proven,
        forecasts: planner
            .forecasts
            .iter()
            .map(|of| PlannerForecast {
                title: reader.word(&of.title),
                when: of.when.clone(),
                turn: of.step,
                lines: of.lines.iter().map(line).collect(),
            })
            .collect(),
    }))
}

fn no_planner() -> Problem {
    Problem::of_status(StatusCode::UNPROCESSABLE_ENTITY)
}

/// `GET /api/v1/worlds/{world}/planner`
pub async fn planner(State(web): State<Web>, page: Page, player: Player) -> Called {
    let open = desk::open(&web, &player).await?.ok_or_else(closed)?;
    let text = desk::begin_with(&web, &player, open.step).await?;
    let reader = Reader::new(player.game(&web)?, &page);
    let answer = aside(move || planned(&reader, &open, &text)).await?;
    json(&answer.ok_or_else(no_planner)?)
}

/// What should stand where.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AssignmentSent {
    /// The values of the slots of each place, by the place. Places that are left out stay as they are.
    #[serde(default)]
    #[schema(value_type = Object)]
    places: BTreeMap<String, Vec<String>>,
    /// Whether the proposal is taken instead.
    #[serde(default)]
    best: bool,
    /// The turn that it is for; without one, the turn that is open.
    turn: Option<u32>,
}

/// `PUT /api/v1/worlds/{world}/planner`: the assignment becomes orders of the draft.
pub async fn assign(State(web): State<Web>, page: Page, player: Player, Sent(sent): Sent<AssignmentSent>) -> Called {
    let open = desk::open(&web, &player).await?.ok_or_else(closed)?;
    if sent.turn.is_some_and(|turn| turn != open.step) {
        return Err(closed());
    }
    let before = desk::begin_with(&web, &player, open.step).await?;
    let reader = Reader::new(player.game(&web)?, &page);
    if !reader.game.has_planner() {
        return Err(no_planner());
    }
    let (asked, view, old) = (reader.clone(), open.view.clone(), before.clone());
    let text = aside(move || {
        let wanted: Assignment = sent.places;
        Ok(if sent.best {
            asked.game.assign_best(&view, &old)?
        } else {
            asked.game.assign(&view, &old, &wanted)?
        })
    })
    .await?;
    if text.len() > kernel::limits::ORDER_FILE_BYTES {
        return Err(Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE));
    }
    if text != before {
        desk::save(&web, &player, &open, &text, DraftKind::Saved).await?;
    }
    let answer = aside(move || planned(&reader, &open, &text)).await?;
    json(&answer.ok_or_else(no_planner)?)
}
