//! A new world in five steps: game, seats and size, house rules, map, seal.
//!
//! What was filled in is kept after every step, whichever way the founder goes, so nothing is lost by going back or away.
//! Nothing but the plan is stored before the last step: maps are drawn from it and forgotten again.

pub mod plan;
mod steps;

use crate::Answer;
use crate::error::Fault;
use crate::identity::{Signed, world_segment};
use crate::page::{Flash, Page, go, go_with};
use crate::pages::map::picture;
use crate::pairs::Pairs;
use crate::refusal;
use crate::state::Web;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use host::HostError;
use host::account::Account;
use host::world::{NewWorld, World};
use kernel::any::{AnyGame, GameError};
use kernel::guide::Sketch;
use kernel::realm::RealmId;
use plan::{Plan, Sent};
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Fields of a form that is looked at.
const FIELDS_MAX: usize = 2_000;
/// Worlds that are sketched or made at the same time: each takes a core for a while.
static SKETCHERS: Semaphore = Semaphore::const_new(1);
/// How long somebody waits for a free sketcher.
const PATIENCE: Duration = Duration::from_secs(20);
/// Sketches that are kept.
const KEPT: usize = 4;

/// The steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Which game, and the world's name.
    Game,
    /// Seats and size.
    Seats,
    /// House rules.
    Rules,
    /// The map.
    Map,
    /// All at a glance.
    Seal,
}

impl Step {
    /// All in order.
    pub const ALL: [Self; 5] = [Self::Game, Self::Seats, Self::Rules, Self::Map, Self::Seal];

    /// As addresses call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Game => "spiel",
            Self::Seats => "reiche",
            Self::Rules => "regeln",
            Self::Map => "karte",
            Self::Seal => "siegel",
        }
    }

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    fn address(self) -> String {
        format!("/neue-welt/{}", self.name())
    }
}

/// What may be asked of a step.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    /// The section of the house rules.
    #[serde(default)]
    abschnitt: String,
    /// Words to look for among the house rules.
    #[serde(default)]
    suche: String,
}

/// `GET /neue-welt`
pub async fn begin(State(web): State<Web>, page: Page, signed: Signed) -> Answer {
    let plan = Plan::of(&web, &signed.account.id).await?;
    steps::show(&web, &page, &plan, Step::Game, &Asked::default(), None).await
}

/// `GET /neue-welt/{step}`
pub async fn show(
    State(web): State<Web>,
    page: Page,
    signed: Signed,
    Path(step): Path<String>,
    Query(asked): Query<Asked>,
) -> Answer {
    let step = Step::of(&step).ok_or(Fault::Missing)?;
    let plan = Plan::of(&web, &signed.account.id).await?;
    steps::show(&web, &page, &plan, step, &asked, None).await
}

/// `POST /neue-welt/{step}`
pub async fn save(
    State(web): State<Web>,
    page: Page,
    signed: Signed,
    Path(step): Path<String>,
    Form(pairs): Form<Pairs>,
) -> Answer {
    let pairs = pairs.limited(FIELDS_MAX)?;
    let step = Step::of(&step).ok_or(Fault::Missing)?;
    let account = &signed.account.id;
    let sent: Sent = pairs.into_iter().collect();
    let mut plan = Plan::of(&web, account).await?;
    let game = web.host.game(&plan.game)?;
    match step {
        Step::Game => plan.take_game(&web, &sent),
        Step::Seats => plan.take_seats(&*game, &sent),
        Step::Rules => plan.take_rules(&*game, &sent),
        Step::Map => {
            plan.take_seed(&sent);
            if sent.contains_key("wuerfeln") {
                plan.seed = plan::throw_seed(&web, account);
            }
        }
        Step::Seal => {}
    }
    plan.keep(&web, account).await?;
    let asked = Asked {
        abschnitt: sent.get("abschnitt").cloned().unwrap_or_default(),
        suche: sent.get("suche").cloned().unwrap_or_default(),
    };
    let goal = sent.get("ziel").map_or("", String::as_str);
    if goal == "gruenden" {
        return found(&web, &page, &signed, &plan, None).await;
    }
    if let Some(number) = goal.strip_prefix("spielen.").and_then(|number| number.parse().ok()) {
        return found(&web, &page, &signed, &plan, Some(number)).await;
    }
    if let Some(section) = goal.strip_prefix("abschnitt.") {
        let section = percent_encoding::utf8_percent_encode(section, percent_encoding::NON_ALPHANUMERIC);
        return go(&format!("/neue-welt/regeln?abschnitt={section}"));
    }
    let goal = Step::of(goal).unwrap_or(step);
    // Whoever goes on past a mistake is told of it; whoever goes back is not kept.
    let forward = Step::ALL.iter().position(|of| *of == goal) > Step::ALL.iter().position(|of| *of == step);
    if step == Step::Rules && (forward || goal == step) {
        let asked = match steps::faulty_section(&page, &*game, &plan) {
            Some(section) => Some(Asked {
                abschnitt: section,
                suche: String::new(),
            }),
            // Values that may stand there each by itself can contradict each other.
            None => game.write_house_rules(&plan.values).is_err().then_some(asked),
        };
        if let Some(asked) = asked {
            return steps::show(&web, &page, &plan, step, &asked, Some(page.t("found.mend-first"))).await;
        }
    }
    go(&goal.address())
}

/// `POST /neue-welt/verwerfen`
pub async fn discard(State(web): State<Web>, signed: Signed) -> Answer {
    web.host.forget_world_plan(&signed.account.id).await?;
    go_with(&web, "/neue-welt", &Flash::good("flash.plan-discarded"))
}

/// `GET /neue-welt/karte.svg`
pub async fn map(State(web): State<Web>, page: Page, signed: Signed, headers: HeaderMap) -> Answer {
    let plan = Plan::of(&web, &signed.account.id).await?;
    let game = web.host.game(&plan.game)?;
    let world = plan.world(&*game, &page).map_err(|_| Fault::Missing)?;
    let Ok(sketched) = sketch(&web, &world).await? else {
        return Err(Fault::Missing);
    };
    let (key, sketch) = &*sketched;
    picture::sketch(&headers, key, &sketch.scene, page.language()).await
}

type Key = [u8; 32];
/// A sketch and what it is known by.
pub type Sketched = Arc<(Key, Sketch)>;

/// Sketches, the newest last: the page and its picture are two requests for the same one.
static SKETCHES: Mutex<VecDeque<Sketched>> = Mutex::new(VecDeque::new());

/// Waits for a free sketcher.
async fn sketcher() -> Result<SemaphorePermit<'static>, Fault> {
    let permit = tokio::time::timeout(PATIENCE, SKETCHERS.acquire()).await;
    permit.map_err(|_| Fault::Busy)?.map_err(|_| Fault::Busy)
}

/// The world that a plan would make, or why it makes none.
pub async fn sketch(web: &Web, world: &NewWorld) -> Result<Result<Sketched, GameError>, Fault> {
    let key = plan_key(world);
    let find = || {
        let kept = SKETCHES.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|sketched| sketched.0 == key).cloned()
    };
    if let Some(sketched) = find() {
        return Ok(Ok(sketched));
    }
    let permit = sketcher().await?;
    // Somebody may have made it while we waited.
    if let Some(sketched) = find() {
        return Ok(Ok(sketched));
    }
    let (host, plan) = (web.host.clone(), world.clone());
    // On a task of its own, which holds its place until it is done: whoever asks and goes away occupies no second one.
    let work = tokio::spawn(async move {
        let _permit = permit;
        host.sketch(&plan).await
    });
    match work.await.map_err(|error| Fault::Broken(error.to_string()))? {
        Ok(sketch) => {
            let sketched = Arc::new((key, sketch));
            let mut kept = SKETCHES.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push_back(sketched.clone());
            if kept.len() > KEPT {
                kept.pop_front();
            }
            Ok(Ok(sketched))
        }
        Err(HostError::Game(error)) => Ok(Err(error)),
        Err(error) => Err(error.into()),
    }
}

fn plan_key(world: &NewWorld) -> Key {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &str| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    };
    add(&world.game);
    add(&world.house_rules);
    add(world.map_seed.as_deref().unwrap_or_default());
    for seat in &world.seats {
        add(&seat.plan.realm);
        add(&seat.plan.kind);
    }
    *hasher.finalize().as_bytes()
}

/// Makes a world that an account leads, or in which it plays a seat and nobody leads. Whoever does not keep the host waits a while after a few.
pub async fn make(
    web: &Web,
    account: &Account,
    new: NewWorld,
    plays: Option<RealmId>,
) -> Result<Result<World, HostError>, Fault> {
    let (host, id, now) = (web.host.clone(), account.id.clone(), web.clock.now());
    if !account.admin {
        let taken = web.limits.founding.take_named(&id, now);
        taken.map_err(Fault::TooMany)?;
    }
    let permit = sketcher().await?;
    // On a task of its own: a page that is closed does not stop it half-way.
    let work = tokio::spawn(async move {
        let _permit = permit;
        host::acting(&id, async {
            let world = host.create(&new, &mut |_, _| {}).await?;
            host.let_flow(&world, now).await?;
            match plays {
                Some(realm) => drop(host.assign_seat(&world, realm, &id, now).await?),
                None => host.add_master(&world, &id, now).await?,
            }
            Ok(world)
        })
        .await
    });
    work.await.map_err(|error| Fault::Broken(error.to_string()))
}

/// The plan of a game at the board in which its founder plays this seat himself, and the seat; nothing if that cannot be: what is not played at
/// a board needs somebody who leads it.
pub fn alone(game: &dyn AnyGame, plan: &Plan, number: usize) -> Option<(Plan, RealmId)> {
    let against = plan.against_computers(number).filter(|_| game.has_board())?;
    Some((against, RealmId(u16::try_from(number).ok()?)))
}

/// Makes the world of a plan, for its founder to lead or to play this seat.
async fn found(web: &Web, page: &Page, signed: &Signed, plan: &Plan, number: Option<usize>) -> Answer {
    let game: Arc<dyn AnyGame> = web.host.game(&plan.game)?;
    let again =
        async |trouble: String| steps::show(web, page, plan, Step::Seal, &Asked::default(), Some(trouble)).await;
    if plan.name.is_empty() {
        return again(page.t("found.name-missing")).await;
    }
    let alone = match number {
        Some(number) => Some(alone(&*game, plan, number).ok_or(Fault::Missing)?),
        None => None,
    };
    let made = alone.as_ref().map_or(plan, |(against, _)| against);
    let new = match made.world(&*game, page) {
        Ok(new) => new,
        Err(fault) => return again(fault.text(page)).await,
    };
    let plays = alone.as_ref().map(|(_, realm)| *realm);
    match make(web, &signed.account, new, plays).await? {
        Ok(world) => {
            web.host.forget_world_plan(&signed.account.id).await?;
            if let Some(realm) = plays {
                let seat = web.host.seat(&world, realm).await?;
                let flash = Flash::good("flash.joined").with("world", &world.name);
                let to = format!("/welt/{}/brett", world_segment(&world));
                return go_with(web, &to, &flash.with("realm", seat.name));
            }
            let to = format!("/welt/{}/leitung", world_segment(&world));
            go_with(web, &to, &Flash::good("flash.lead-founded").with("name", &world.name))
        }
        Err(error) => match refusal::why(page, &error) {
            Some(why) => again(why).await,
            None => Err(error.into()),
        },
    }
}

/// A page that tells of a mistake says so in its status.
fn status(trouble: Option<&String>) -> StatusCode {
    if trouble.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    }
}
