//! Orders of the open turn: check, draft, preview, hand in, and what was written before.

use super::turn::{FormChoice, FormField, ValuesSent, form_fields, value};
use super::{Asked, Called, Finding, Problem, Sent, json, json_as, moment, plain};
use crate::error::Fault;
use crate::identity::Player;
use crate::page::Page;
use crate::pages::orders::{self as desk, HandedIn, Open, forms};
use crate::pages::report::{self, Reader, aside};
use crate::state::Web;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use host::draft::{DraftKind, DraftNote};
use kernel::codec::Digest;
use kernel::diagnostic::Severity;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// The orders of the open turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct Orders {
    /// The turn that is open.
    turn: u32,
    /// Whether your realm may give orders in it.
    open: bool,
    /// Name of the order file in the book.
    file: &'static str,
    /// Your last draft, or else what you handed in.
    text: String,
    /// When you last wrote a draft.
    #[schema(format = DateTime)]
    drafted_at: Option<String>,
    /// When you last handed in.
    #[schema(format = DateTime)]
    submitted_at: Option<String>,
    /// Whether the draft has something that was not handed in.
    unsent: bool,
}

/// `GET /api/v1/worlds/{world}/orders`
pub async fn show(State(web): State<Web>, player: Player) -> Called {
    let turn = player.world.open_step;
    let forgotten = web.host.forgotten(&player.world, player.realm(), turn).await?;
    json(&Orders {
        turn,
        open: desk::open(&web, &player).await?.is_some(),
        file: player.game(&web)?.files().orders,
        text: desk::begin_with(&web, &player, turn).await?,
        drafted_at: forgotten.drafted_at.map(moment),
        submitted_at: forgotten.submitted_at.map(moment),
        unsent: forgotten.unsent,
    })
}

/// An order file.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrdersSent {
    /// The orders, one on each line.
    #[schema(max_length = 262_144)]
    text: String,
    /// The turn that they are for; without one, the turn that is open.
    turn: Option<u32>,
}

impl OrdersSent {
    /// The text with the line ends that files have.
    fn file(&self) -> String {
        self.text.replace("\r\n", "\n").replace('\r', "\n")
    }

    /// The open turn, if it is the one that was meant and takes orders.
    async fn open(&self, web: &Web, player: &Player) -> Result<Open, Problem> {
        if self.text.len() > kernel::limits::ORDER_FILE_BYTES {
            return Err(Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE));
        }
        let open = desk::open(web, player).await?;
        let meant = |open: &Open| self.turn.is_none_or(|turn| turn == open.step);
        open.filter(meant).ok_or_else(closed)
    }
}

fn closed() -> Problem {
    Problem::new(StatusCode::CONFLICT, "closed")
}

/// What is wrong with an order file.
#[derive(Debug, Serialize, ToSchema)]
pub struct Checked {
    /// The turn.
    turn: u32,
    /// Orders that were understood.
    orders: usize,
    /// Number of errors.
    errors: usize,
    /// Number of warnings.
    warnings: usize,
    /// Number of hints.
    hints: usize,
    /// The findings, by place.
    findings: Vec<Finding>,
}

/// `POST /api/v1/worlds/{world}/orders/check`
pub async fn check(State(web): State<Web>, page: Page, player: Player, Sent(sent): Sent<OrdersSent>) -> Called {
    let open = sent.open(&web, &player).await?;
    let reader = Reader::new(player.game(&web)?, &page);
    let text = sent.file();
    let checked = aside(move || {
        let checked = reader.game.check(&open.view, text.as_bytes())?;
        let count = |severity| checked.diagnostics.iter().filter(|of| of.severity == severity).count();
        Ok(Checked {
            turn: open.step,
            orders: checked.orders,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            hints: count(Severity::Hint),
            findings: Finding::all(reader.wording, &checked.diagnostics),
        })
    });
    json(&checked.await?)
}

/// A place in an order file.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CursorSent {
    /// The orders as far as they are written.
    #[schema(max_length = 262_144)]
    text: String,
    /// The turn that they are for; without one, the turn that is open.
    turn: Option<u32>,
    /// Line, from 1.
    line: u32,
    /// Column in characters, from 1.
    column: u32,
}

/// What may stand at a place of an order file.
#[derive(Debug, Serialize, ToSchema)]
pub struct Completion {
    /// Line of the word that a proposal replaces, from 1.
    line: u32,
    /// Its column in characters, from 1.
    column: u32,
    /// Its number of characters; 0 where none is begun.
    length: u32,
    /// The words of the order at this place; empty if none is begun.
    pattern: String,
    /// What that order does.
    help: String,
    /// What stands at this place.
    field: String,
    /// The rules of the order's form.
    rules: Vec<String>,
    /// The proposals, the best first.
    proposals: Vec<FormChoice>,
}

/// `POST /api/v1/worlds/{world}/orders/complete`
pub async fn complete(State(web): State<Web>, page: Page, player: Player, Sent(sent): Sent<CursorSent>) -> Called {
    let (line, column) = (sent.line, sent.column);
    let orders = OrdersSent {
        text: sent.text,
        turn: sent.turn,
    };
    let open = orders.open(&web, &player).await?;
    let (reader, text) = (Reader::new(player.game(&web)?, &page), orders.file());
    let found = aside(move || {
        let found = reader.game.complete(&open.view, &text, line, column)?;
        let proposal = |choice: &kernel::form::Choice| {
            let (value, name) = forms::named(&reader, choice);
            FormChoice { value, name }
        };
        Ok(Completion {
            line: found.replace.line,
            column: found.replace.column,
            length: found.replace.length,
            pattern: reader.word(&found.pattern),
            help: reader.word(&found.help),
            field: reader.word(&found.field),
            rules: found.rules.iter().map(|rule| rule.to_string()).collect(),
            proposals: found.items.iter().take(forms::PROPOSALS_MAX).map(proposal).collect(),
        })
    });
    json(&found.await?)
}

/// A draft without its text.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftEntry {
    /// Its number.
    number: u32,
    /// What made it: `auto`, `saved`, `upload` or `restored`.
    kind: &'static str,
    /// Its size.
    bytes: u64,
    /// Digest of its text.
    digest: String,
    /// When it was saved.
    #[schema(format = DateTime)]
    saved_at: String,
}

fn draft_entry(note: &DraftNote) -> DraftEntry {
    DraftEntry {
        number: note.number,
        kind: match note.kind {
            DraftKind::Auto => "auto",
            DraftKind::Saved => "saved",
            DraftKind::Upload => "upload",
            DraftKind::Restored => "restored",
        },
        bytes: note.bytes,
        digest: note.digest.to_string(),
        saved_at: moment(note.saved_at),
    }
}

/// The draft of the open turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct Draft {
    /// The turn.
    turn: u32,
    /// The draft; none if there is none yet.
    draft: Option<DraftEntry>,
    /// Its text.
    text: String,
}

/// `GET /api/v1/worlds/{world}/orders/draft`
pub async fn draft(State(web): State<Web>, player: Player) -> Called {
    let turn = player.world.open_step;
    let draft = web.host.draft(&player.world, player.realm(), turn).await?;
    let text = draft
        .as_ref()
        .map(|draft| String::from_utf8_lossy(&draft.file).into_owned());
    json(&Draft {
        turn,
        draft: draft.map(|draft| draft_entry(&draft.note)),
        text: text.unwrap_or_default(),
    })
}

/// `PUT /api/v1/worlds/{world}/orders/draft`
pub async fn keep(State(web): State<Web>, player: Player, Sent(sent): Sent<OrdersSent>) -> Called {
    let open = sent.open(&web, &player).await?;
    let text = sent.file();
    let note = desk::save(&web, &player, &open, &text, DraftKind::Saved).await?;
    json(&Draft {
        turn: open.step,
        draft: Some(draft_entry(&note)),
        text,
    })
}

/// A figure now and after the turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct FigureChange {
    /// Its name.
    pub name: String,
    /// What it is now.
    pub before: i64,
    /// What it would be.
    pub after: i64,
}

impl FigureChange {
    /// A change as JSON.
    pub fn of((name, before, after): desk::FigureChange) -> Self {
        Self { name, before, after }
    }
}

/// What would happen if nobody else moved.
#[derive(Debug, Serialize, ToSchema)]
pub struct Preview {
    /// The turn.
    turn: u32,
    /// The figures of your realm.
    figures: Vec<FigureChange>,
    /// The report that there would be.
    #[schema(value_type = Object)]
    report: Value,
}

/// `POST /api/v1/worlds/{world}/orders/preview`
pub async fn preview(State(web): State<Web>, page: Page, player: Player, Sent(sent): Sent<OrdersSent>) -> Called {
    let open = sent.open(&web, &player).await?;
    let reader = Reader::new(player.game(&web)?, &page);
    let (text, own, turn) = (sent.file(), player.realm(), open.step);
    let (report, figures) = aside(move || {
        let (after, figures) = desk::imagine(&reader, own, &open.view, &text)?;
        Ok((report::json(&reader, &after)?, figures))
    })
    .await?;
    json(&Preview {
        turn,
        figures: figures.into_iter().map(FigureChange::of).collect(),
        report: value(&report)?,
    })
}

/// What binds the host to an order file.
#[derive(Debug, Serialize, ToSchema)]
pub struct Receipt {
    /// The turn.
    turn: u32,
    /// Your realm.
    realm: u16,
    /// Number of the file among those of this turn; the last counts.
    attempt: u32,
    /// Digest of world, turn, realm and content: keep it.
    receipt: String,
    /// Digest of the content alone.
    digest: String,
    /// Size of the content.
    bytes: usize,
    /// Orders that were understood.
    orders: usize,
    /// Findings, by place; what can be carried out will be.
    findings: Vec<Finding>,
}

impl Receipt {
    /// The receipt for a text that was taken in.
    pub(super) fn of(answer: &host::submission::Answer, text: &str, findings: Vec<Finding>) -> Self {
        Self {
            turn: answer.step,
            realm: answer.realm.0,
            attempt: answer.replaced + 1,
            receipt: answer.receipt.clone().unwrap_or_default(),
            digest: Digest::of(text.as_bytes()).to_string(),
            bytes: text.len(),
            orders: answer.orders,
            findings,
        }
    }
}

/// `POST /api/v1/worlds/{world}/orders`
pub async fn submit(State(web): State<Web>, page: Page, player: Player, Sent(sent): Sent<OrdersSent>) -> Called {
    let open = sent.open(&web, &player).await?;
    let wording = Reader::new(player.game(&web)?, &page).wording;
    let text = sent.file();
    match desk::hand_in(&web, &player, &open, &text).await? {
        HandedIn::Taken(answer) => json_as(
            StatusCode::CREATED,
            &Receipt::of(&answer, &text, Finding::all(wording, &answer.diagnostics)),
        ),
        HandedIn::Refused(answer) => {
            let findings = Finding::all(wording, &answer.diagnostics);
            Err(Problem::of_status(StatusCode::UNPROCESSABLE_ENTITY).with(findings))
        }
        HandedIn::Closed => Err(closed()),
        HandedIn::Late(due_at) => {
            Err(Problem::new(StatusCode::CONFLICT, "deadline-passed").because(&page.moment(due_at)))
        }
    }
}

/// A turn.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct TurnAsked {
    /// The turn; without one, the turn that is open.
    turn: Option<u32>,
}

/// A file that was handed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct SentEntry {
    /// Its number; the last counts.
    attempt: u32,
    /// Its receipt.
    receipt: String,
    /// Whether you handed it in, or the computer wrote it.
    by_player: bool,
    /// When it came.
    #[schema(format = DateTime)]
    received_at: String,
}

/// What was written and handed in for a turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct History {
    /// The turn.
    turn: u32,
    /// The drafts, the last first.
    drafts: Vec<DraftEntry>,
    /// The files that were handed in, the last first.
    sent: Vec<SentEntry>,
}

/// `GET /api/v1/worlds/{world}/orders/history`
pub async fn history(State(web): State<Web>, player: Player, Asked(asked): Asked<TurnAsked>) -> Called {
    let turn = asked.turn.unwrap_or(player.world.open_step);
    if turn > player.world.open_step {
        return Err(Problem::missing());
    }
    let drafts = web.host.drafts(&player.world, player.realm(), turn).await?;
    let sent = web.host.sent(&player.world, player.realm(), turn).await?;
    let entry = |of: host::draft::Sent| SentEntry {
        by_player: of.by_player(),
        attempt: of.attempt,
        receipt: of.receipt,
        received_at: moment(of.received_at),
    };
    json(&History {
        turn,
        drafts: drafts.iter().map(draft_entry).collect(),
        sent: sent.into_iter().map(entry).collect(),
    })
}

/// A turn and a number in an address.
#[derive(Deserialize)]
pub struct NumberPath {
    turn: String,
    attempt: u32,
}

impl NumberPath {
    /// The turn: `last` is the one that is open.
    fn turn(&self, player: &Player) -> Result<u32, Problem> {
        match self.turn.as_str() {
            "last" => Ok(player.world.open_step),
            number => number.parse().map_err(|_| Problem::missing()),
        }
    }
}

/// `GET /api/v1/worlds/{world}/orders/drafts/{turn}/{attempt}`: the text of a draft.
pub async fn draft_text(State(web): State<Web>, player: Player, Path(path): Path<NumberPath>) -> Called {
    let draft = web
        .host
        .draft_numbered(&player.world, player.realm(), path.turn(&player)?, path.attempt)
        .await?;
    let draft = draft.ok_or_else(Problem::missing)?;
    plain(String::from_utf8_lossy(&draft.file).into_owned())
}

/// `GET /api/v1/worlds/{world}/orders/sent/{turn}/{attempt}`: a file that was handed in.
pub async fn sent_text(State(web): State<Web>, player: Player, Path(path): Path<NumberPath>) -> Called {
    let file = web
        .host
        .sent_file(&player.world, player.realm(), path.turn(&player)?, path.attempt)
        .await?;
    plain(String::from_utf8_lossy(&file.ok_or_else(Problem::missing)?).into_owned())
}

/// A form of an order.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderForm {
    /// Name of the form.
    name: String,
    /// Its title.
    title: String,
    /// Name of the part of the file in which it stands.
    section: String,
    /// How that part begins.
    opening: String,
    /// Its words in order.
    pattern: String,
    /// What it does.
    help: String,
    /// The rules of its form.
    rules: Vec<&'static str>,
    /// Lines as players write them.
    examples: Vec<&'static str>,
    /// The same as a form to fill in.
    fields: Vec<FormField>,
}

/// The orders that there are.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderForms {
    /// The forms.
    forms: Vec<OrderForm>,
}

/// `GET /api/v1/worlds/{world}/orders/forms`
pub async fn order_forms(State(web): State<Web>, page: Page, player: Player) -> Called {
    let reader = Reader::new(player.game(&web)?, &page);
    let (_, view) = web.host.view(&player.world, player.viewer(), None).await?;
    let forms = aside(move || {
        let form = |verb: forms::Verb| OrderForm {
            fields: form_fields(&verb.name, verb.fields),
            name: verb.name,
            title: verb.title,
            section: verb.section,
            opening: verb.opening,
            pattern: verb.pattern,
            help: verb.help,
            rules: verb.rules,
            examples: verb.examples,
        };
        let verbs = forms::verbs(&reader, &view, None)?;
        Ok(verbs.into_iter().map(form).collect::<Vec<_>>())
    });
    json(&OrderForms { forms: forms.await? })
}

/// A form in an address.
#[derive(Deserialize)]
pub struct FormPath {
    form: String,
}

/// An order as a line of the file.
#[derive(Debug, Serialize, ToSchema)]
pub struct WrittenLine {
    /// The line that opens the part of the file where it belongs; may be empty.
    opening: String,
    /// The order.
    text: String,
}

/// `POST /api/v1/worlds/{world}/orders/forms/{form}`: the line that a filled-in form makes.
pub async fn write_line(
    State(web): State<Web>,
    page: Page,
    player: Player,
    Path(path): Path<FormPath>,
    Sent(sent): Sent<ValuesSent>,
) -> Called {
    let reader = Reader::new(player.game(&web)?, &page);
    let (_, view) = web.host.view(&player.world, player.viewer(), None).await?;
    let known = reader.game.order_forms_of(&view).map_err(Fault::from)?;
    if !known.iter().any(|order| *order.form.name == path.form) {
        return Err(Problem::missing());
    }
    match reader.game.write_order(&view, &path.form, &sent.values)? {
        Ok(order) => json(&WrittenLine {
            opening: order.opening,
            text: order.text,
        }),
        Err(faults) => {
            let findings = faults.iter().map(|fault| Finding::of(reader.wording, &fault.finding));
            let fields: Vec<String> = faults.iter().map(|fault| fault.field.to_string()).collect();
            let problem = Problem::of_status(StatusCode::UNPROCESSABLE_ENTITY);
            Err(problem.because(&fields.join(", ")).with(findings.collect()))
        }
    }
}
