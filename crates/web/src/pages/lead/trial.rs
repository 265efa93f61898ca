//! The trial run, judgements about it, and publishing.

use super::{Cited, cited, names, report_text, told};
use crate::Answer;
use crate::error::Fault;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use host::HostError;
use host::desk::Trial;
use host::judgement::Judgement;
use host::step::{Run, RunPlan};
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Request;
use serde::Deserialize;

/// A question of the turn.
pub struct Question {
    /// The question.
    pub request: Request<String>,
    /// The rule behind it.
    pub rule: Option<Cited>,
    /// Name of the realm it is about.
    pub realm: Option<String>,
}

/// A realm and what the turn would change for it.
pub struct Change {
    /// The realm.
    pub realm: RealmId,
    /// Its name.
    pub name: String,
    /// Figure, before, after.
    pub figures: Vec<(String, i64, i64)>,
}

/// The trial of the open turn with all that a game master reads before publishing.
pub struct Tried {
    /// The trial, if there was one.
    pub trial: Option<Trial>,
    /// What the turn asks.
    pub questions: Vec<Question>,
    /// What was judged.
    pub judgements: Vec<Judgement>,
    /// What would change.
    pub changes: Vec<Change>,
    /// Names of the realms whose orders were missing.
    pub missing: Vec<String>,
}

#[derive(Template)]
#[template(path = "lead/trial.html")]
struct TrialPage<'a> {
    page: &'a Page,
    step: u32,
    trial: Option<Trial>,
    questions: Vec<Question>,
    judgements: Vec<Judgement>,
    changes: Vec<Change>,
    missing: Vec<String>,
}

/// `GET /welt/{world}/leitung/probe`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let mut tried = tried(&web, &page, &master).await?;
    let game = web.host.game(&master.world.game)?;
    for judgement in &mut tried.judgements {
        judgement.ruling = game.ruling_words(&judgement.ruling);
        // The host itself gave this one.
        if judgement.reason == host::judgement::HANDED_OVER {
            judgement.reason = page.t("lead.seat-handed-over");
        }
    }
    page.show(&TrialPage {
        page: &page,
        step: master.world.open_step,
        judgements: tried.judgements,
        trial: tried.trial,
        questions: tried.questions,
        changes: tried.changes,
        missing: tried.missing,
    })
}

/// The last trial of the open turn, with its questions and what it would change.
pub async fn tried(web: &Web, page: &Page, master: &GameMaster) -> Result<Tried, Fault> {
    let world = &master.world;
    let game = web.host.game(&world.game)?;
    let names = names(web, world).await?;
    let mut tried = Tried {
        trial: web.host.last_trial(world).await?,
        questions: Vec::new(),
        judgements: web.host.judgements(world, world.open_step).await?,
        changes: Vec::new(),
        missing: Vec::new(),
    };
    let Some(trial) = &tried.trial else {
        return Ok(tried);
    };
    for request in &trial.run.requests {
        tried.questions.push(Question {
            rule: cited(game.as_ref(), page.words, &request.name),
            realm: request.realm.and_then(|realm| names.get(&realm).cloned()),
            request: request.clone(),
        });
    }
    let missing = trial.run.missing.iter();
    tried.missing = missing.filter_map(|realm| names.get(realm).cloned()).collect();
    for (realm, name) in &names {
        if let Some(change) = change(web, page, master, *realm, name).await? {
            tried.changes.push(change);
        }
    }
    Ok(tried)
}

/// What the turn would change for a realm: every figure that is another afterwards.
async fn change(
    web: &Web,
    page: &Page,
    master: &GameMaster,
    realm: RealmId,
    name: &str,
) -> Result<Option<Change>, Fault> {
    let viewer = Viewer::Realm(realm);
    let Some(after) = web.host.trial_view(&master.world, viewer).await? else {
        return Ok(None);
    };
    let (_, before) = web.host.view(&master.world, viewer, None).await?;
    let game = web.host.game(&master.world.game)?;
    let wording = render::locale::Wording::of(game.name(), page.words.language());
    let broken = |error: kernel::any::GameError| Fault::Broken(error.to_string());
    let before = game.figures(&before).map_err(broken)?;
    let figures = game.figures(&after).map_err(broken)?;
    let earlier = |key: &str| {
        before
            .iter()
            .find(|figure| &*figure.key == key)
            .map_or(0, |figure| figure.value)
    };
    let mut changed = Vec::new();
    for figure in figures.iter().filter(|figure| figure.realm == realm) {
        let was = earlier(&figure.key);
        if was != figure.value {
            changed.push((wording.words_of(&figure.key), was, figure.value));
        }
    }
    Ok(Some(Change {
        realm,
        name: name.to_owned(),
        figures: changed,
    }))
}

/// How a turn is tried or published.
#[derive(Deserialize)]
pub struct Plan {
    /// Whether to go on without the orders that are missing.
    #[serde(default)]
    ohne: Option<String>,
    /// The turn that the game master means.
    #[serde(default)]
    zug: Option<u32>,
}

impl Plan {
    fn plan(&self) -> RunPlan {
        RunPlan {
            step: self.zug,
            without_missing: self.ohne.is_some(),
        }
    }
}

/// Tries the open turn on a task of its own: a page that is closed does not stop it half-way.
pub async fn try_out(web: &Web, master: &GameMaster, step: Option<u32>) -> Result<Result<Trial, HostError>, Fault> {
    let (host, world, account) = (web.host.clone(), master.world.clone(), master.account.id.clone());
    // A trial always goes on: the game master wants to see what happens when the rest stays silent.
    let plan = RunPlan {
        step,
        without_missing: true,
    };
    let work = tokio::spawn(async move { host::acting(&account, host.try_step(&world, plan)).await });
    work.await.map_err(|error| Fault::Broken(error.to_string()))
}

/// Runs the open turn for good, on a task of its own.
pub async fn make_public(web: &Web, master: &GameMaster, plan: RunPlan) -> Result<Result<Run, HostError>, Fault> {
    let (host, world, account) = (web.host.clone(), master.world.clone(), master.account.id.clone());
    let work = tokio::spawn(async move { host::acting(&account, host.run(&world, plan, &mut |_, _| {})).await });
    work.await.map_err(|error| Fault::Broken(error.to_string()))
}

/// Gives a judgement: an answer to the question of this name, or without one an act of the game master's own.
pub async fn give(
    web: &Web,
    master: &GameMaster,
    question: &str,
    ruling: &str,
    reason: &str,
) -> Result<Judgement, HostError> {
    match question {
        "" => web.host.edict(&master.world, ruling, reason).await,
        request => web.host.answer(&master.world, request, ruling, reason).await,
    }
}

/// `POST /welt/{world}/leitung/probe`
pub async fn run(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Plan>) -> Answer {
    let flash = match try_out(&web, &master, form.zug).await? {
        Ok(trial) => Flash::good("flash.lead-tried").with("step", trial.run.step),
        Err(error) => told(error)?,
    };
    go_with(&web, &page.in_world("leitung/probe"), &flash)
}

/// `POST /welt/{world}/leitung/veroeffentlichen`
pub async fn publish(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Plan>) -> Answer {
    match make_public(&web, &master, form.plan()).await? {
        Ok(run) => {
            let flash = Flash::good("flash.lead-published").with("step", run.step);
            go_with(&web, &page.in_world("leitung"), &flash)
        }
        Err(error) => go_with(&web, &page.in_world("leitung/probe"), &told(error)?),
    }
}

/// A judgement: an answer to a question, or an act of the game master's own.
#[derive(Deserialize)]
pub struct Judged {
    #[serde(default)]
    frage: String,
    urteil: String,
    #[serde(default)]
    grund: String,
}

/// `POST /welt/{world}/leitung/urteil`
pub async fn judge(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Judged>) -> Answer {
    let (ruling, reason) = (form.urteil.trim(), form.grund.trim());
    let flash = match give(&web, &master, &form.frage, ruling, reason).await {
        Ok(judgement) => Flash::good("flash.lead-judged").with("number", judgement.number),
        Err(error) => told(error)?,
    };
    go_with(&web, &page.in_world("leitung/probe"), &flash)
}

/// Which judgement.
#[derive(Deserialize)]
pub struct Number {
    nummer: u32,
}

/// `POST /welt/{world}/leitung/urteil/zurueck`
pub async fn withdraw(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Number>) -> Answer {
    let done = web.host.withdraw(&master.world, form.nummer).await;
    let flash = match done {
        Ok(()) => Flash::good("flash.lead-withdrawn").with("number", form.nummer),
        Err(error) => told(error)?,
    };
    go_with(&web, &page.in_world("leitung/probe"), &flash)
}

/// Whose report.
#[derive(Deserialize)]
pub struct Whose {
    reich: u16,
}

#[derive(Template)]
#[template(path = "lead/report.html")]
struct Report<'a> {
    page: &'a Page,
    step: u32,
    name: String,
    text: String,
}

/// `GET /welt/{world}/leitung/probe/bericht`
pub async fn report(State(web): State<Web>, page: Page, master: GameMaster, Query(whose): Query<Whose>) -> Answer {
    let world = &master.world;
    let (viewer, name) = match whose.reich {
        0 => (Viewer::GameMaster, page.t("lead.master")),
        realm => {
            let seat = web.host.seat(world, RealmId(realm)).await;
            (Viewer::Realm(RealmId(realm)), seat.map_err(|_| Fault::Missing)?.name)
        }
    };
    let view = web.host.trial_view(world, viewer).await?.ok_or(Fault::Missing)?;
    let game = web.host.game(&world.game)?;
    page.show(&Report {
        page: &page,
        step: world.open_step,
        name,
        text: report_text(&game, view, page.words.language()).await?,
    })
}
