//! More of the game master's desk: letters that pass it, complaints, customs, who may join, orders that came another way, and
//! the map changed by hand.

use super::letters::{Correspondent, LetterPath, LetterText, letter_text, name};
use super::orders::Receipt;
use super::player::RealmName;
use super::trial::RealmPath;
use super::{Called, Finding, Problem, Sent, done, json, json_as, moment, plain};
use crate::identity::GameMaster;
use crate::page::Page;
use crate::pages::arms::Heralds;
use crate::pages::lead::editor;
use crate::state::Web;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use host::letter::Custom;
use host::membership::Admission;
use host::submission::Arrival;
use kernel::game::{ArrivedFiles, Delivery};
use kernel::realm::RealmId;
use render::locale::Wording;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// When letters arrive.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arrives {
    /// At once.
    AtOnce,
    /// With the end of the turn.
    StepEnd,
    /// With the order file, as part of the game.
    OrderFile,
}

/// How letters go in a world.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CustomBody {
    /// When they arrive.
    delivery: Arrives,
    /// Whether letters between realms pass your desk first.
    desk: bool,
    /// Whether there are rumours.
    rumours: bool,
    /// Whether there are proclamations.
    proclamations: bool,
    /// Letters that one realm may send within a day.
    #[schema(minimum = 1, maximum = 1_000)]
    per_day: u32,
}

impl CustomBody {
    fn of(custom: Custom) -> Self {
        Self {
            delivery: match custom.delivery {
                Delivery::AtOnce => Arrives::AtOnce,
                Delivery::StepEnd => Arrives::StepEnd,
                Delivery::OrderFile => Arrives::OrderFile,
            },
            desk: custom.desk,
            rumours: custom.rumours,
            proclamations: custom.proclamations,
            per_day: custom.per_day,
        }
    }
}

/// A complaint about a letter.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComplaintEntry {
    /// The letter.
    letter: LetterText,
    /// Who wrote it, even if it is a rumour.
    author: Option<RealmName>,
    /// Number of the realm that complained.
    by: u16,
    /// Why.
    reason: String,
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// What was said to it; nothing as long as it is open.
    answer: Option<String>,
}

/// Letters on the game master's desk.
#[derive(Debug, Serialize, ToSchema)]
pub struct PostDesk {
    /// Letters that are to pass, the oldest first.
    waiting: Vec<LetterText>,
    /// Complaints, the open ones first.
    complaints: Vec<ComplaintEntry>,
    /// How letters go.
    custom: CustomBody,
    /// Realms whose letters are stopped.
    stopped: Vec<u16>,
}

/// `GET /api/v1/worlds/{world}/lead/post`
pub async fn post(State(web): State<Web>, page: Page, Correspondent(writer): Correspondent) -> Called {
    let post = writer.post(&web);
    let heralds = Heralds::all(&web, &page, &writer.world).await?;
    let waiting = post.on_desk().await?;
    let complaint = |of: host::letter::Complaint| ComplaintEntry {
        author: of.letter.headline.author.map(|viewer| name(&heralds, viewer)),
        letter: letter_text(&heralds, &of.letter.headline),
        by: of.by.0,
        reason: of.reason,
        at: moment(of.at),
        answer: of.answer,
    };
    json(&PostDesk {
        complaints: post.complaints().await?.into_iter().map(complaint).collect(),
        waiting: waiting.iter().map(|of| letter_text(&heralds, &of.headline)).collect(),
        custom: CustomBody::of(web.host.post_custom(&writer.world).await?),
        stopped: post.silenced().await?.into_iter().map(|realm| realm.0).collect(),
    })
}

/// What the game master does with a letter on his desk.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeskAct {
    /// Lets it pass.
    Pass,
    /// Turns it back to its author.
    TurnBack,
    /// Answers a complaint about it.
    Answer,
}

/// What to do with a letter on the desk.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeskActSent {
    /// What.
    act: DeskAct,
    /// Why it is turned back, or what you say to the complaint.
    #[serde(default)]
    #[schema(max_length = 1_000)]
    text: String,
    /// The realm that complained.
    #[serde(default)]
    realm: u16,
}

/// `POST /api/v1/worlds/{world}/lead/post/{letter}/act`
pub async fn decide(
    State(web): State<Web>,
    Correspondent(writer): Correspondent,
    Path(path): Path<LetterPath>,
    Sent(sent): Sent<DeskActSent>,
) -> Called {
    let (post, id) = (writer.post(&web), path.letter.as_str());
    match sent.act {
        DeskAct::Pass => {
            post.pass(id).await?;
        }
        DeskAct::TurnBack => post.turn_back(id, &sent.text).await?,
        DeskAct::Answer => post.answer_complaint(id, RealmId(sent.realm), &sent.text).await?,
    }
    done()
}

/// `PUT /api/v1/worlds/{world}/lead/post/custom`
pub async fn set_custom(
    State(web): State<Web>,
    Correspondent(writer): Correspondent,
    Sent(sent): Sent<CustomBody>,
) -> Called {
    let custom = Custom {
        delivery: match sent.delivery {
            Arrives::AtOnce => Delivery::AtOnce,
            Arrives::StepEnd => Delivery::StepEnd,
            Arrives::OrderFile => Delivery::OrderFile,
        },
        desk: sent.desk,
        rumours: sent.rumours,
        proclamations: sent.proclamations,
        per_day: sent.per_day,
    };
    writer.post(&web).set_custom(&custom).await?;
    done()
}

/// Whether a realm may write.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VoiceSent {
    /// Whether its letters are stopped. It may still write to you.
    stopped: bool,
}

/// `PUT /api/v1/worlds/{world}/lead/seats/{realm}/voice`
pub async fn silence(
    State(web): State<Web>,
    Correspondent(writer): Correspondent,
    Path(path): Path<RealmPath>,
    Sent(sent): Sent<VoiceSent>,
) -> Called {
    writer.post(&web).silence(RealmId(path.realm), sent.stopped).await?;
    done()
}

/// Who may join.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Joins {
    /// Anybody who finds a free seat.
    Public,
    /// Whoever is invited.
    Invitation,
    /// Nobody.
    Closed,
}

/// Who may join a world, and what the public list says of it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdmissionBody {
    /// Who may join.
    admission: Joins,
    /// What the public list says.
    #[serde(default)]
    #[schema(max_length = 4_000)]
    introduction: String,
}

/// `GET /api/v1/worlds/{world}/lead/admission`
pub async fn admission(State(web): State<Web>, master: GameMaster) -> Called {
    let (admission, introduction) = web.host.admission(&master.world).await?;
    json(&AdmissionBody {
        admission: match admission {
            Admission::Public => Joins::Public,
            Admission::Invitation => Joins::Invitation,
            Admission::Closed => Joins::Closed,
        },
        introduction,
    })
}

/// `PUT /api/v1/worlds/{world}/lead/admission`
pub async fn admit(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<AdmissionBody>) -> Called {
    let admission = match sent.admission {
        Joins::Public => Admission::Public,
        Joins::Invitation => Admission::Invitation,
        Joins::Closed => Admission::Closed,
    };
    let introduction = sent.introduction.replace("\r\n", "\n");
    web.host
        .set_admission(&master.world, admission, introduction.trim())
        .await?;
    done()
}

/// An order file that came another way.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PaperSent {
    /// The orders, one on each line.
    #[schema(max_length = 262_144)]
    text: String,
}

/// `POST /api/v1/worlds/{world}/lead/seats/{realm}/orders`: hands orders in for a realm, also after the deadline.
pub async fn hand_in(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path(path): Path<RealmPath>,
    Sent(sent): Sent<PaperSent>,
) -> Called {
    if sent.text.len() > kernel::limits::ORDER_FILE_BYTES {
        return Err(Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE));
    }
    let world = &master.world;
    let seat = web.host.seat(world, RealmId(path.realm)).await?;
    let text = sent.text.replace("\r\n", "\n").replace('\r', "\n");
    let arrival = Arrival {
        realm: seat.realm,
        step: Some(world.open_step),
        file: text.as_bytes(),
        files: ArrivedFiles::default(),
    };
    let answer = web.host.submit_late(world, arrival, web.clock.now()).await?;
    let findings = Finding::all(Wording::of(&world.game, page.words.language()), &answer.diagnostics);
    match answer.receipt {
        Some(_) => json_as(StatusCode::CREATED, &Receipt::of(&answer, &text, findings)),
        None => Err(Problem::of_status(StatusCode::UNPROCESSABLE_ENTITY).with(findings)),
    }
}

/// `GET /api/v1/worlds/{world}/lead/map-sheet`: the whole world as changes, one to a line.
pub async fn sheet(State(web): State<Web>, master: GameMaster) -> Called {
    plain(web.host.sheet(&master.world).await?)
}

/// `GET /api/v1/worlds/{world}/lead/map-changes/map`: the map as the open turn will find it.
pub async fn changed_map(State(web): State<Web>, page: Page, master: GameMaster) -> Called {
    let turn = editor::edited(&web, &page, &master).await?;
    json(&serde_json::json!({ "turn": turn.step, "scene": turn.scene }))
}

/// Changes of the world by hand.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangesSent {
    /// The changes, one to a line, in the words of the sheet.
    text: String,
    /// Why; a world that has begun needs a reason.
    #[serde(default)]
    reason: String,
}

/// A change of the world by hand.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangeEntry {
    /// Its number among the judgements of the open turn.
    number: u32,
    /// How many things it changes.
    changes: u32,
    /// Why.
    reason: String,
    /// Whether it was taken back.
    taken_back: bool,
    /// When it was made.
    #[schema(format = DateTime)]
    given_at: String,
}

fn change_entry(of: &host::judgement::Judgement) -> ChangeEntry {
    ChangeEntry {
        number: of.number,
        changes: of.changes,
        reason: of.reason.clone(),
        taken_back: of.withdrawn,
        given_at: moment(of.given_at),
    }
}

/// Changes of the world that wait for the open turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangeEntries {
    /// The changes, in the order made.
    changes: Vec<ChangeEntry>,
}

/// `GET /api/v1/worlds/{world}/lead/map-changes`
pub async fn map_changes(State(web): State<Web>, master: GameMaster) -> Called {
    let given = web.host.changes_by_hand(&master.world).await?;
    json(&ChangeEntries {
        changes: given.iter().map(change_entry).collect(),
    })
}

/// What became of changes by hand.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangesMade {
    /// The change; nothing if nothing would be another afterwards.
    change: Option<ChangeEntry>,
    /// Why some cannot be made, by the lines of the text.
    findings: Vec<Finding>,
}

/// `POST /api/v1/worlds/{world}/lead/map-changes`
pub async fn change_map(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Sent(sent): Sent<ChangesSent>,
) -> Called {
    let reason = sent.reason.trim();
    let made = web.host.change_by_hand(&master.world, &sent.text, reason).await?;
    let wording = Wording::of(&master.world.game, page.words.language());
    let findings = Finding::all(wording, &made.faults);
    match made.judgement {
        None if !findings.is_empty() => Err(Problem::of_status(StatusCode::UNPROCESSABLE_ENTITY).with(findings)),
        judgement => json(&ChangesMade {
            change: judgement.as_ref().map(change_entry),
            findings,
        }),
    }
}

/// A change that was taken back or made again.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangeMoved {
    /// Its number; nothing if there was none.
    number: Option<u32>,
}

/// `POST /api/v1/worlds/{world}/lead/map-changes/undo`
pub async fn undo(State(web): State<Web>, master: GameMaster) -> Called {
    let number = web.host.undo_by_hand(&master.world).await?;
    json(&ChangeMoved { number })
}

/// `POST /api/v1/worlds/{world}/lead/map-changes/redo`
pub async fn redo(State(web): State<Web>, master: GameMaster) -> Called {
    let number = web.host.redo_by_hand(&master.world).await?;
    json(&ChangeMoved { number })
}
