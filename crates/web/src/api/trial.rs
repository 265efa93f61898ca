//! The trial run, judgements about it, publishing and taking back.

use super::orders::FigureChange;
use super::problem::Finding;
use super::turn::{ReportAsked, told};
use super::{Asked, Called, Problem, Sent, done, json, json_as, moment};
use crate::identity::GameMaster;
use crate::page::Page;
use crate::pages::lead::trial::{self, Change, Question};
use crate::pages::report::Reader;
use crate::state::Web;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use host::HostError;
use host::judgement::Judgement;
use host::step::{Run, RunPlan};
use kernel::any::GameError;
use kernel::misread::Misread;
use kernel::realm::{RealmId, Viewer};
use render::locale::Wording;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A question of the turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuestionEntry {
    /// The name under which it is answered.
    name: String,
    /// The realm it is about.
    realm: Option<u16>,
    /// Its name.
    realm_name: Option<String>,
    /// The rule behind it.
    rule: Option<&'static str>,
    /// Its sentence.
    rule_text: Option<&'static str>,
    /// What is used without an answer, as JSON.
    default: String,
    /// Whether it is answered.
    answered: bool,
}

/// What the turn would change for a realm.
#[derive(Debug, Serialize, ToSchema)]
pub struct RealmChange {
    /// The realm.
    realm: u16,
    /// Its name.
    name: String,
    /// The figures that would be others.
    figures: Vec<FigureChange>,
}

/// A judgement.
#[derive(Debug, Serialize, ToSchema)]
pub struct JudgementEntry {
    /// The turn.
    turn: u32,
    /// Its number.
    number: u32,
    /// The question that it answers; empty for an act of your own.
    question: String,
    /// The ruling as JSON.
    ruling: String,
    /// Why.
    reason: String,
    /// Whether it was taken back.
    withdrawn: bool,
    /// When it was given.
    #[schema(format = DateTime)]
    given_at: String,
}

fn judgement_entry(of: Judgement) -> JudgementEntry {
    JudgementEntry {
        turn: of.step,
        number: of.number,
        question: of.request,
        ruling: of.ruling,
        reason: of.reason,
        withdrawn: of.withdrawn,
        given_at: moment(of.given_at),
    }
}

/// What a turn did, or would do.
#[derive(Debug, Serialize, ToSchema)]
pub struct TurnRun {
    /// The turn.
    turn: u32,
    /// Digest of the world after it.
    digest: String,
    /// Number of events.
    events: u64,
    /// Number of dice.
    dice: u64,
    /// Realms whose orders were missing.
    missing: Vec<u16>,
    /// Whether the world comes to its end.
    over: bool,
}

fn turn_run(run: &Run) -> TurnRun {
    TurnRun {
        turn: run.step,
        digest: run.digest.clone(),
        events: run.events,
        dice: run.dice,
        missing: run.missing.iter().map(|realm| realm.0).collect(),
        over: run.over,
    }
}

/// The trial of the open turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct TrialFile {
    /// The turn that is open.
    turn: u32,
    /// What the trial did; none if there was no trial.
    run: Option<TurnRun>,
    /// When it was tried.
    #[schema(format = DateTime)]
    tried_at: Option<String>,
    /// Whether orders or judgements came since.
    outdated: bool,
    /// What the turn asks.
    questions: Vec<QuestionEntry>,
    /// What was judged.
    judgements: Vec<JudgementEntry>,
    /// What would change.
    changes: Vec<RealmChange>,
}

async fn file(web: &Web, page: &Page, master: &GameMaster) -> Called {
    let tried = trial::tried(web, page, master).await?;
    let question = |of: Question| QuestionEntry {
        name: of.request.name,
        realm: of.request.realm.map(|realm| realm.0),
        realm_name: of.realm,
        rule: of.rule.as_ref().map(|rule| rule.id),
        rule_text: of.rule.as_ref().map(|rule| rule.text),
        default: of.request.default,
        answered: of.request.answered,
    };
    let change = |of: Change| RealmChange {
        realm: of.realm.0,
        name: of.name,
        figures: of.figures.into_iter().map(FigureChange::of).collect(),
    };
    json(&TrialFile {
        turn: master.world.open_step,
        run: tried.trial.as_ref().map(|trial| turn_run(&trial.run)),
        tried_at: tried.trial.as_ref().map(|trial| moment(trial.tried_at)),
        outdated: tried.trial.is_some_and(|trial| trial.outdated),
        questions: tried.questions.into_iter().map(question).collect(),
        judgements: tried.judgements.into_iter().map(judgement_entry).collect(),
        changes: tried.changes.into_iter().map(change).collect(),
    })
}

/// `GET /api/v1/worlds/{world}/lead/trial`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Called {
    file(&web, &page, &master).await
}

/// Which turn.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TrialSent {
    /// The turn that you mean; without one, the turn that is open.
    turn: Option<u32>,
}

/// `POST /api/v1/worlds/{world}/lead/trial`
pub async fn run(State(web): State<Web>, page: Page, master: GameMaster, Sent(sent): Sent<TrialSent>) -> Called {
    trial::try_out(&web, &master, sent.turn).await??;
    file(&web, &page, &master).await
}

/// A realm in an address.
#[derive(Deserialize)]
pub struct RealmPath {
    pub(super) realm: u16,
}

/// `GET /api/v1/worlds/{world}/lead/trial/reports/{realm}`: the report that a realm would get, or with 0 the game master's own.
pub async fn report(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path(path): Path<RealmPath>,
    Asked(asked): Asked<ReportAsked>,
) -> Called {
    let viewer = match path.realm {
        0 => Viewer::GameMaster,
        realm => Viewer::Realm(web.host.seat(&master.world, RealmId(realm)).await?.realm),
    };
    let view = web.host.trial_view(&master.world, viewer).await?;
    let view = view.ok_or_else(Problem::missing)?;
    told(
        &page,
        Reader::new(web.host.game(&master.world.game)?, &page),
        view,
        asked.form,
    )
    .await
}

/// How a turn is run for good.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishSent {
    /// The turn that you mean: a second call for the same turn is refused.
    turn: u32,
    /// Whether to go on without the orders that are missing.
    #[serde(default)]
    without_missing: bool,
}

/// `POST /api/v1/worlds/{world}/lead/publish`
pub async fn publish(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<PublishSent>) -> Called {
    let plan = RunPlan {
        step: Some(sent.turn),
        without_missing: sent.without_missing,
    };
    let run = trial::make_public(&web, &master, plan).await??;
    json(&turn_run(&run))
}

/// Which turn is taken back, and why.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeBackSent {
    /// The turn that you mean: a second call for the same turn is refused. Without it the last one.
    turn: Option<u32>,
    /// Why, for all players to read.
    #[schema(min_length = 1, max_length = 65_536)]
    reason: String,
}

/// A turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenTurn {
    /// The turn that is open now.
    turn: u32,
}

/// `POST /api/v1/worlds/{world}/lead/take-back`
pub async fn take_back(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<TakeBackSent>) -> Called {
    let deed = web.host.take_back(&master.world, sent.turn, sent.reason.trim());
    let turn = deed.await?;
    json(&OpenTurn { turn })
}

/// Judgements.
#[derive(Debug, Serialize, ToSchema)]
pub struct Judgements {
    /// The judgements of the open turn, in the order given.
    judgements: Vec<JudgementEntry>,
}

/// `GET /api/v1/worlds/{world}/lead/judgements`
pub async fn judgements(State(web): State<Web>, master: GameMaster) -> Called {
    let all = web.host.judgements(&master.world, master.world.open_step).await?;
    json(&Judgements {
        judgements: all.into_iter().map(judgement_entry).collect(),
    })
}

/// A judgement to give.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgementSent {
    /// Name of the question; without one it is an act of your own that changes the world by hand.
    #[serde(default)]
    question: String,
    /// The ruling: JSON, or in the words of the game.
    #[schema(min_length = 1, max_length = 65_536)]
    ruling: String,
    /// Why.
    #[serde(default)]
    reason: String,
}

/// `POST /api/v1/worlds/{world}/lead/judgements`
pub async fn judge(State(web): State<Web>, page: Page, master: GameMaster, Sent(sent): Sent<JudgementSent>) -> Called {
    let (ruling, reason) = (sent.ruling.trim(), sent.reason.trim());
    let given = trial::give(&web, &master, &sent.question, ruling, reason).await;
    let given = given.map_err(|error| match &error {
        // What the game says about a line of its own is a finding, in the words of the game.
        HostError::Game(GameError::Judgement(Misread::Refused(finding))) => {
            let wording = Wording::of(&master.world.game, page.words.language());
            Problem::of_status(StatusCode::UNPROCESSABLE_ENTITY).with(vec![Finding::of(wording, finding)])
        }
        _ => error.into(),
    })?;
    json_as(StatusCode::CREATED, &judgement_entry(given))
}

/// A judgement in an address.
#[derive(Deserialize)]
pub struct NumberPath {
    number: u32,
}

/// `DELETE /api/v1/worlds/{world}/lead/judgements/{number}`
pub async fn withdraw(State(web): State<Web>, master: GameMaster, Path(path): Path<NumberPath>) -> Called {
    web.host.withdraw(&master.world, path.number).await?;
    done()
}
