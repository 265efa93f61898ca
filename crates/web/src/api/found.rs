//! Games, and worlds that are not made yet: what can be chosen, what would come of it, and making it.

use super::player::WorldMade;
use super::turn::FormChoice;
use super::{Asked, Called, Problem, Sent, json, json_as};
use crate::identity::{Caller, world_segment};
use crate::page::Page;
use crate::pages::lead::found::plan::{Plan, PlanFault, PlannedSeat, REALMS_MAX, fault, throw_seed};
use crate::pages::lead::found::{self, Sketched};
use crate::pages::map::picture;
use crate::pages::report::Reader;
use crate::refusal;
use crate::state::Web;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use kernel::any::AnyGame;
use kernel::form::{Choice, Input, Values};
use kernel::guide::HouseRule;
use kernel::map::Scene;
use kernel::report::Arg;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// A game of this host.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameEntry {
    /// Its name.
    name: String,
    /// The kinds of seats that a world may have; none if all are alike.
    seat_kinds: Vec<FormChoice>,
}

/// The games of this host.
#[derive(Debug, Serialize, ToSchema)]
pub struct Games {
    /// The games.
    games: Vec<GameEntry>,
}

fn worded(reader: &Reader, choice: &Choice) -> FormChoice {
    FormChoice {
        value: choice.value.clone(),
        name: if choice.label.is_empty() {
            choice.value.clone()
        } else {
            reader.word(&choice.label)
        },
    }
}

/// `GET /api/v1/games`
pub async fn games(State(web): State<Web>, page: Page) -> Called {
    let entry = |game: &Arc<dyn AnyGame>| {
        let reader = Reader::new(game.clone(), &page);
        GameEntry {
            name: game.name().to_owned(),
            seat_kinds: game.seat_kinds().iter().map(|kind| worded(&reader, kind)).collect(),
        }
    };
    json(&Games {
        games: web.host.games().iter().map(entry).collect(),
    })
}

/// A game in an address.
#[derive(Deserialize)]
pub struct GamePath {
    game: String,
}

impl GamePath {
    fn game(&self, web: &Web) -> Result<Arc<dyn AnyGame>, Problem> {
        web.host.game(&self.game).map_err(|_| Problem::missing())
    }
}

/// Something that a world may do otherwise than the book.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseRuleEntry {
    /// Its key.
    key: String,
    /// What it belongs to.
    section: String,
    /// What it decides.
    name: String,
    /// What it is about, where one name holds for many; else empty.
    item: String,
    /// `number`, `flag`, `select` or `text`.
    kind: &'static str,
    /// What may be chosen.
    choices: Vec<FormChoice>,
    /// Least number.
    min: i64,
    /// Greatest number.
    max: i64,
    /// What the book says.
    default: String,
    /// The rules behind it.
    rules: Vec<String>,
}

/// What the worlds of a game may do otherwise than the book.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseRules {
    /// The house rules, section by section.
    house_rules: Vec<HouseRuleEntry>,
}

fn house_rule(reader: &Reader, rule: HouseRule) -> HouseRuleEntry {
    let (kind, choices, (min, max)) = match &rule.input {
        Input::Number { min, max } => ("number", Vec::new(), (*min, *max)),
        Input::Flag => ("flag", Vec::new(), (0, 0)),
        Input::Choice { choices } => (
            "select",
            choices.iter().map(|choice| worded(reader, choice)).collect(),
            (0, 0),
        ),
        _ => ("text", Vec::new(), (0, 0)),
    };
    HouseRuleEntry {
        section: reader.word(&rule.section),
        name: reader.wording.text::<(&str, Arg<'_>)>(&rule.label, &[]),
        kind,
        choices,
        min,
        max,
        rules: rule.rules.iter().map(|id| id.to_string()).collect(),
        key: rule.key,
        item: rule.item,
        default: rule.default,
    }
}

/// `GET /api/v1/games/{game}/house-rules`
pub async fn house_rules(State(web): State<Web>, page: Page, Path(path): Path<GamePath>) -> Called {
    let reader = Reader::new(path.game(&web)?, &page);
    let rules = reader.game.house_rules().into_iter();
    json(&HouseRules {
        house_rules: rules.map(|rule| house_rule(&reader, rule)).collect(),
    })
}

/// For how many realms.
#[derive(Debug, Deserialize, IntoParams)]
pub struct SizesAsked {
    /// Number of realms; eight, unless you say otherwise.
    realms: Option<usize>,
}

/// A size of a new world.
#[derive(Debug, Serialize, ToSchema)]
pub struct SizeEntry {
    /// Its name.
    name: String,
    /// How many fields the world has.
    fields: u64,
    /// The house rules that make it so, by key.
    #[schema(value_type = BTreeMap<String, String>)]
    house_rules: Values,
}

/// Sizes of a new world.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sizes {
    /// The sizes; none if the game has only one.
    sizes: Vec<SizeEntry>,
}

/// `GET /api/v1/games/{game}/sizes`
pub async fn sizes(
    State(web): State<Web>,
    page: Page,
    Path(path): Path<GamePath>,
    Asked(asked): Asked<SizesAsked>,
) -> Called {
    let reader = Reader::new(path.game(&web)?, &page);
    let realms = asked.realms.unwrap_or(8).clamp(1, REALMS_MAX);
    let size = |of: kernel::guide::Size| SizeEntry {
        name: reader.word(&of.label),
        fields: of.fields,
        house_rules: of.values,
    };
    json(&Sizes {
        sizes: reader.game.sizes(realms).into_iter().map(size).collect(),
    })
}

/// A seat of a new world.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatPlanned {
    /// Name of the realm; players give theirs another.
    #[schema(max_length = 80)]
    name: String,
    /// Its kind; the usual one, unless you say otherwise.
    #[serde(default)]
    kind: String,
    /// Whether the computer plays it for good; others wait for players.
    #[serde(default)]
    computer: bool,
}

/// A new world.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanSent {
    /// Name of the world; a look at it needs none.
    #[serde(default)]
    #[schema(max_length = 80)]
    name: String,
    /// Name of its game.
    #[schema(min_length = 1, max_length = 80)]
    game: String,
    /// The seats, at most sixty; their order numbers the realms.
    #[schema(min_items = 1, max_items = 60)]
    seats: Vec<SeatPlanned>,
    /// What is otherwise than in the book, by key. A size is a set of house rules too.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, String>)]
    house_rules: Values,
    /// Words from which the map follows; others every time, unless you say which. Dice stay secret.
    #[serde(default)]
    #[schema(max_length = 80)]
    seed: String,
    /// The number of the seat that you play yourself, in a game at a board: the computer plays all others, and nobody leads the world. Without it
    /// you lead the world.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 60)]
    plays: Option<usize>,
}

impl PlanSent {
    /// The plan, if everything in it is something that the game knows.
    fn plan(self, web: &Web, page: &Page, account: &str) -> Result<(Arc<dyn AnyGame>, Plan), Problem> {
        let game = web.host.game(&self.game).map_err(|_| Problem::refused(&"game"))?;
        if self.seats.is_empty() || self.seats.len() > REALMS_MAX {
            return Err(Problem::refused(&format_args!("seats: 1-{REALMS_MAX}")));
        }
        let kinds = game.seat_kinds();
        for seat in &self.seats {
            if !seat.kind.is_empty() && !kinds.iter().any(|kind| kind.value == seat.kind) {
                return Err(Problem::refused(&format_args!("kind: {}", seat.kind)));
            }
        }
        let rules = game.house_rules();
        for (key, value) in &self.house_rules {
            let rule = rules.iter().find(|rule| rule.key == *key);
            let rule = rule.ok_or_else(|| Problem::refused(&format_args!("house_rules: {key}")))?;
            if let Some(fault) = fault(page, rule, value) {
                return Err(Problem::refused(&format_args!("{key}: {fault}")));
            }
        }
        let seat = |seat: SeatPlanned| PlannedSeat {
            name: seat.name,
            kind: seat.kind,
            computer: seat.computer,
        };
        let plan = Plan {
            name: self.name.trim().to_owned(),
            game: self.game,
            seats: self.seats.into_iter().map(seat).collect(),
            values: self.house_rules,
            seed: match self.seed.trim() {
                "" => throw_seed(web, account),
                seed => seed.chars().take(host::limits::NAME_CHARACTERS).collect(),
            },
        };
        Ok((game, plan))
    }
}

impl PlanFault {
    fn problem(&self, page: &Page) -> Problem {
        match self {
            Self::TooLarge(_) => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "world-too-large").because(&self.text(page))
            }
            Self::AtOdds { error, .. } | Self::Game(error) => {
                let told = refusal::by_game(page, error);
                Problem::refused(&told.unwrap_or_else(|| error.to_string()))
            }
        }
    }
}

async fn sketched(web: &Web, page: &Page, game: &dyn AnyGame, plan: &Plan) -> Result<Sketched, Problem> {
    let world = plan.world(game, page).map_err(|fault| fault.problem(page))?;
    match found::sketch(web, &world).await? {
        Ok(sketched) => Ok(sketched),
        Err(error) => Err(error.into()),
    }
}

/// Where a realm would begin.
#[derive(Debug, Serialize, ToSchema)]
pub struct StartEntry {
    /// Number of the realm.
    realm: u16,
    /// The field.
    place: String,
    /// What it is worth, for comparing it with the others.
    worth: i64,
}

/// A world that a plan would make.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorldPreview {
    /// The words from which its map follows: with them the same one is made.
    seed: String,
    /// Number of fields.
    fields: usize,
    /// Worth of the poorest start in percent of the richest.
    fairness: Option<i64>,
    /// Where the realms would begin.
    starts: Vec<StartEntry>,
    /// The map, as the game master would see it.
    #[schema(value_type = Object)]
    scene: Value,
}

/// `POST /api/v1/world-previews`: what a plan would make. Nothing is stored.
pub async fn preview(State(web): State<Web>, page: Page, caller: Caller, Sent(sent): Sent<PlanSent>) -> Called {
    let (game, plan) = sent.plan(&web, &page, &caller.account.id)?;
    let sketched = sketched(&web, &page, &*game, &plan).await?;
    let sketch = &sketched.1;
    let start = |of: &kernel::guide::Start| StartEntry {
        realm: of.realm.0,
        place: of.place.clone(),
        worth: of.worth,
    };
    let scene = Scene {
        language: page.language().to_owned(),
        ..sketch.scene.clone()
    };
    json(&WorldPreview {
        seed: plan.seed,
        fields: scene.fields.len(),
        fairness: sketch.fairness(),
        starts: sketch.starts.iter().map(start).collect(),
        scene: serde_json::to_value(&scene).map_err(|error| Problem::broken(&error))?,
    })
}

/// `POST /api/v1/world-previews/map.svg`: the same as a drawing.
pub async fn preview_map(
    State(web): State<Web>,
    page: Page,
    caller: Caller,
    headers: HeaderMap,
    Sent(sent): Sent<PlanSent>,
) -> Called {
    let (game, plan) = sent.plan(&web, &page, &caller.account.id)?;
    let sketched = sketched(&web, &page, &*game, &plan).await?;
    let (key, sketch) = &*sketched;
    Ok(picture::sketch(&headers, key, &sketch.scene, page.language()).await?)
}

/// `POST /api/v1/worlds`: makes a world that you lead, or a battle that you play against computers.
pub async fn found(State(web): State<Web>, page: Page, caller: Caller, Sent(sent): Sent<PlanSent>) -> Called {
    let number = sent.plays;
    let (game, plan) = sent.plan(&web, &page, &caller.account.id)?;
    let (plan, plays) = match number {
        Some(number) => {
            let alone = found::alone(&*game, &plan, number);
            let (plan, realm) = alone.ok_or_else(|| Problem::refused(&format_args!("plays: {number}")))?;
            (plan, Some(realm))
        }
        None => (plan, None),
    };
    let new = plan.world(&*game, &page).map_err(|fault| fault.problem(&page))?;
    let world = found::make(&web, &caller.account, new, plays).await??;
    let made = WorldMade {
        path: world_segment(&world),
        id: world.id,
        name: world.name,
    };
    json_as(StatusCode::CREATED, &made)
}
