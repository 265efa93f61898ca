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
use host::desk::Trial;
use host::judgement::Judgement;
use host::step::RunPlan;
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Request;
use serde::Deserialize;

/// A question of the turn.
struct Question {
    request: Request<String>,
    rule: Option<Cited>,
    realm: Option<String>,
}

/// A realm and what the turn would change for it.
struct Change {
    realm: RealmId,
    name: String,
    /// Figure, before, after.
    figures: Vec<(String, i64, i64)>,
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
    let world = &master.world;
    let game = web.host.game(&world.game)?;
    let names = names(&web, world).await?;
    let trial = web.host.last_trial(world).await?;
    let mut questions = Vec::new();
    let mut changes = Vec::new();
    let mut missing = Vec::new();
    if let Some(trial) = &trial {
        for request in &trial.run.requests {
            questions.push(Question {
                rule: cited(game.as_ref(), page.words, &request.name),
                realm: request.realm.and_then(|realm| names.get(&realm).cloned()),
                request: request.clone(),
            });
        }
        missing = trial
            .run
            .missing
            .iter()
            .filter_map(|realm| names.get(realm).cloned())
            .collect();
        for (realm, name) in &names {
            if let Some(change) = change(&web, &page, &master, *realm, name).await? {
                changes.push(change);
            }
        }
    }
    page.show(&TrialPage {
        page: &page,
        step: world.open_step,
        judgements: web.host.judgements(world, world.open_step).await?,
        trial,
        questions,
        changes,
        missing,
    })
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

/// `POST /welt/{world}/leitung/probe`
pub async fn run(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Plan>) -> Answer {
    let (host, world, account) = (web.host.clone(), master.world.clone(), master.account.id.clone());
    // A trial always goes on: the game master wants to see what happens when the rest stays silent.
    let plan = RunPlan {
        without_missing: true,
        ..form.plan()
    };
    // On a task of its own: a page that is closed does not stop it half-way.
    let work = tokio::spawn(async move { host::acting(&account, host.try_step(&world, plan)).await });
    let flash = match work.await.map_err(|error| Fault::Broken(error.to_string()))? {
        Ok(trial) => Flash::good("flash.lead-tried").with("step", trial.run.step),
        Err(error) => told(error)?,
    };
    go_with(&web, &page.in_world("leitung/probe"), &flash)
}

/// `POST /welt/{world}/leitung/veroeffentlichen`
pub async fn publish(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Plan>) -> Answer {
    let (host, world, account) = (web.host.clone(), master.world.clone(), master.account.id.clone());
    let plan = form.plan();
    let work = tokio::spawn(async move { host::acting(&account, host.run(&world, plan, &mut |_, _| {})).await });
    match work.await.map_err(|error| Fault::Broken(error.to_string()))? {
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
    let done = host::acting(&master.account.id, async {
        match form.frage.as_str() {
            "" => web.host.edict(&master.world, ruling, reason).await,
            request => web.host.answer(&master.world, request, ruling, reason).await,
        }
    });
    let flash = match done.await {
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
    let done = host::acting(&master.account.id, web.host.withdraw(&master.world, form.nummer)).await;
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
