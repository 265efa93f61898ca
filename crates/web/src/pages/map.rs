//! The map of a turn: a picture that can be moved and asked, two turns compared, and the same in words.
//!
//! A player sees what his realm knew after the turn and nothing else; game masters have the same pages under `leitung/` with
//! everything on them. Without a script the page is the same picture with forms: field, way, turn.

pub mod field;
pub mod picture;

use crate::Answer;
use crate::error::Fault;
use crate::identity::{GameMaster, Player};
use crate::kept;
use crate::page::Page;
use crate::pages::report::aside;
use crate::state::Web;
use askama::Template;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use host::world::World;
use kernel::any::AnyGame;
use kernel::map::{Flag, Scene, Spot};
use kernel::realm::Viewer;
use render::locale::Wording;
use render::map::{Change, Entry, changes, gazetteer, heading, outline};
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Fields on one page of the map in words.
const ENTRIES_MAX: usize = 400;
/// Turns of a list.
const TURNS_MAX: u32 = 500;

/// What may be asked of a map.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    /// The turn; without one, the last.
    pub zug: Option<u32>,
    /// An older turn to compare with; a form that asks for none sends nothing here.
    #[serde(default)]
    pub mit: String,
    /// How two turns are compared: `neben` side by side, otherwise marked on one map.
    #[serde(default)]
    pub wie: String,
    /// The field in question.
    #[serde(default)]
    pub ort: String,
    /// The army that travels.
    #[serde(default)]
    pub heer: String,
    /// Where it shall go.
    #[serde(default)]
    pub nach: String,
    /// Page of the map in words, from 1.
    pub seite: Option<usize>,
    /// Form of the map in words: `text` for a file.
    #[serde(default)]
    pub form: String,
    /// Width of a picture in pixels.
    pub breite: Option<u32>,
    /// Light of a picture: `kerze` for the dark one, `druck` for white paper.
    #[serde(default)]
    pub licht: String,
}

/// Who looks at which world.
#[derive(Clone)]
pub struct Onlooker {
    world: Arc<World>,
    viewer: Viewer,
    /// The game of the world.
    pub game: Arc<dyn AnyGame>,
    /// Address of the map.
    base: String,
}

/// Whether an address lies on the game master's side of a world: `/welt/{world}/leitung/…` or `/api/v1/worlds/{world}/lead/…`.
pub fn is_masters(path: &str) -> bool {
    let mut parts = path.split('/');
    match parts.nth(1) {
        Some("welt") => parts.nth(1) == Some("leitung"),
        Some("api") => parts.nth(3) == Some("lead"),
        _ => false,
    }
}

/// Under `leitung/` and `lead/` a game master looks, who sees everything; elsewhere a player, who sees what his realm knows.
impl FromRequestParts<Web> for Onlooker {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Fault> {
        let page = Page::from_request_parts(parts, web).await?;
        if is_masters(parts.uri.path()) {
            Self::master(web, &page, GameMaster::from_request_parts(parts, web).await?)
        } else {
            Self::player(web, &page, &Player::from_request_parts(parts, web).await?)
        }
    }
}

impl Onlooker {
    /// A player looks at what his realm knows.
    pub fn player(web: &Web, page: &Page, player: &Player) -> Result<Self, Fault> {
        Self::new(web, page, player.world.clone(), player.viewer(), "karte")
    }

    /// The game master looks at everything.
    fn master(web: &Web, page: &Page, master: GameMaster) -> Result<Self, Fault> {
        Self::new(web, page, master.world, Viewer::GameMaster, "leitung/karte")
    }

    fn new(web: &Web, page: &Page, world: Arc<World>, viewer: Viewer, base: &str) -> Result<Self, Fault> {
        Ok(Self {
            game: web.host.game(&world.game)?,
            base: page.in_world(base),
            world,
            viewer,
        })
    }

    fn last(&self) -> u32 {
        self.world.open_step.saturating_sub(1)
    }

    /// Address of the map.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The wording of a page.
    pub fn wording(&self, page: &Page) -> &'static Wording {
        Wording::of(self.game.name(), page.words.language())
    }

    /// What the onlooker knew after a turn; without one, after the last. A field, a way and a picture are often asked for
    /// one after the other, so the land is built once.
    pub async fn turn(&self, web: &Web, page: &Page, step: Option<u32>) -> Result<Arc<Turn>, Fault> {
        let (step, view) = web.host.view(&self.world, self.viewer, step).await?;
        let language = page.language();
        let key = kept::key(&[&view, &step.to_le_bytes(), language.as_bytes()]);
        if let Some(turn) = find(&key) {
            return Ok(turn);
        }
        let game = self.game.clone();
        let turn = aside(move || {
            let mut scene = game.map(&view)?;
            scene.language = language.to_owned();
            Ok(Arc::new(Turn { step, view, scene }))
        })
        .await?;
        keep(key, &turn);
        Ok(turn)
    }
}

/// A map whose drawing the page's script asks for.
pub struct Later {
    /// The turn that it shows.
    pub step: u32,
    /// Field at which it begins, as `d,y`.
    pub cursor: String,
    /// Address of the map.
    pub base: String,
    /// The armies that the viewer commands.
    pub armies: Vec<String>,
}

impl Later {
    /// The map of a turn, beginning at this field.
    pub fn of(onlooker: &Onlooker, turn: &Turn, at: Option<Spot>) -> Self {
        Self {
            step: turn.step,
            cursor: at.map(|spot| format!("{},{}", spot.d, spot.y)).unwrap_or_default(),
            base: onlooker.base.clone(),
            armies: own_armies(&turn.scene),
        }
    }
}

/// A map that stands beside something else.
pub struct Beside {
    /// The turn that it shows.
    pub step: u32,
    /// The drawing.
    pub picture: Arc<str>,
    /// Field at which it begins, as `d,y`.
    pub cursor: String,
    /// Address of the map.
    pub base: String,
}

impl Onlooker {
    /// The map after the last turn, to stand beside something else.
    pub async fn beside(&self, web: &Web, page: &Page) -> Result<Beside, Fault> {
        let turn = self.turn(web, page, None).await?;
        let window = window(&turn, "b", "", &[], false).await?;
        Ok(Beside {
            step: turn.step,
            picture: window.picture,
            cursor: window.cursor,
            base: self.base.clone(),
        })
    }
}

/// Fields of all lands that are kept, which is some fifty megabytes.
const KEPT_FIELDS: usize = 200_000;

/// Lands that were built, the one used last at the end.
static LANDS: Mutex<VecDeque<(kept::Key, Arc<Turn>)>> = Mutex::new(VecDeque::new());

fn find(key: &kept::Key) -> Option<Arc<Turn>> {
    let mut lands = LANDS.lock().unwrap_or_else(PoisonError::into_inner);
    let at = lands.iter().position(|(of, _)| of == key)?;
    let land = lands.remove(at)?;
    let turn = land.1.clone();
    lands.push_back(land);
    Some(turn)
}

fn keep(key: kept::Key, turn: &Arc<Turn>) {
    let mut lands = LANDS.lock().unwrap_or_else(PoisonError::into_inner);
    lands.retain(|(of, _)| *of != key);
    lands.push_back((key, turn.clone()));
    let mut fields: usize = lands.iter().map(|(_, turn)| turn.scene.fields.len()).sum();
    while fields > KEPT_FIELDS {
        let Some((_, turn)) = lands.pop_front() else { break };
        fields -= turn.scene.fields.len();
    }
}

/// What somebody knew after a turn.
pub struct Turn {
    /// Its number.
    pub step: u32,
    /// The view.
    pub view: Vec<u8>,
    /// Its map.
    pub scene: Scene,
}

impl Turn {
    /// Where a field lies that the viewer knows.
    pub fn spot(&self, label: &str) -> Option<Spot> {
        let label = label.trim();
        let known = |field: &&kernel::map::Field| field.knowledge.is_known() && field.label == label;
        self.scene.fields.iter().find(known).map(|field| field.at)
    }

    /// How players write a field.
    pub fn label(&self, spot: Spot) -> Option<String> {
        let field = self.scene.fields.iter().find(|field| field.at == spot)?;
        Some(field.label.clone())
    }
}

/// A map in its window.
struct Window {
    /// Name of the window among others on the page.
    id: &'static str,
    step: u32,
    picture: Arc<str>,
    /// Field at which the window begins, as `d,y`.
    cursor: String,
    /// Whether another window shows the same land and moves along.
    twin: bool,
}

#[derive(Template)]
#[template(path = "map.html")]
struct MapPage<'a> {
    page: &'a Page,
    base: &'a str,
    title: String,
    /// When that was, in the game's own words.
    season: String,
    step: u32,
    last: u32,
    steps: Vec<u32>,
    windows: Vec<Window>,
    against: Option<u32>,
    side_by_side: bool,
    changes: Vec<Change>,
    place: &'a str,
    army: &'a str,
    target: &'a str,
    armies: Vec<String>,
    dossier: Arc<str>,
    route: String,
    commands: bool,
}

impl MapPage<'_> {
    fn is_against(&self, step: &u32) -> bool {
        self.against == Some(*step)
    }
}

/// `GET /welt/{world}/karte` and `GET /welt/{world}/leitung/karte`
pub async fn show(State(web): State<Web>, page: Page, onlooker: Onlooker, Query(asked): Query<Asked>) -> Answer {
    draw(&web, &page, &onlooker, &asked).await
}

async fn draw(web: &Web, page: &Page, onlooker: &Onlooker, asked: &Asked) -> Answer {
    let turn = onlooker.turn(web, page, asked.zug).await?;
    let older = match asked.mit.trim().parse().ok().filter(|&step: &u32| step != turn.step) {
        Some(step) => Some(onlooker.turn(web, page, Some(step)).await?),
        None => None,
    };
    let dossier = match asked.ort.trim() {
        "" => field::lying(web, page, onlooker, &turn, home(&turn.scene)).await?,
        place => field::dossier(web, page, onlooker, &turn, place).await?.into(),
    };
    let route = match (asked.heer.trim(), asked.nach.trim()) {
        ("", _) | (_, "") => String::new(),
        (army, target) => field::route(page, onlooker, &turn, army, target).await?,
    };
    let side_by_side = older.is_some() && asked.wie == "neben";
    let changed = match &older {
        Some(older) if older.step < turn.step => changes(&older.scene, &turn.scene),
        Some(older) => changes(&turn.scene, &older.scene),
        None => Vec::new(),
    };
    let mut windows = Vec::new();
    if let Some(older) = older.as_ref().filter(|_| side_by_side) {
        windows.push(window(older, "o", &asked.ort, &[], true).await?);
    }
    windows.push(window(&turn, "m", &asked.ort, &changed, side_by_side).await?);
    page.show(&MapPage {
        page,
        base: &onlooker.base,
        title: match onlooker.viewer {
            Viewer::GameMaster => page.t1("map.title-all", "step", turn.step),
            Viewer::Realm(_) => page.t1("map.title", "step", turn.step),
        },
        season: heading(&turn.scene).1,
        step: turn.step,
        steps: (onlooker.last().saturating_sub(TURNS_MAX)..=onlooker.last())
            .rev()
            .collect(),
        last: onlooker.last(),
        windows,
        against: older.as_ref().map(|older| older.step),
        side_by_side,
        changes: changed,
        place: asked.ort.trim(),
        army: asked.heer.trim(),
        target: asked.nach.trim(),
        armies: own_armies(&turn.scene),
        dossier,
        route,
        // On a board the pieces say themselves where they may go.
        commands: matches!(onlooker.viewer, Viewer::Realm(_)) && !onlooker.game.has_board(),
    })
}

/// Whether the viewer of a map commands an army on it.
pub fn commands(scene: &Scene, army: &kernel::map::Army) -> bool {
    army.owner.is_some() && army.owner == scene.own_realm && army.flag != Flag::Earlier
}

/// The armies that the viewer commands, as players write them.
pub fn own_armies(scene: &Scene) -> Vec<String> {
    let own = scene.armies.iter().filter(|army| commands(scene, army));
    own.map(|army| army.label.clone()).collect()
}

async fn window(turn: &Turn, id: &'static str, place: &str, changed: &[Change], twin: bool) -> Result<Window, Fault> {
    let chosen = turn.spot(place);
    let land = picture::live(turn, id).await?;
    let orientation = turn.scene.orientation;
    let mut marks = String::new();
    if !changed.is_empty() {
        let data: String = changed.iter().map(|change| outline(orientation, change.at)).collect();
        marks += &format!("<path data-layer=\"changes\" class=\"changed\" d=\"{data}\"/>");
    }
    if let Some(spot) = chosen {
        let data = outline(orientation, spot);
        marks +=
            &format!("<g data-mark=\"\"><path class=\"sel2\" d=\"{data}\"/><path class=\"sel\" d=\"{data}\"/></g>");
    }
    let picture = match (marks.is_empty(), land.strip_suffix("</svg>\n")) {
        (false, Some(body)) => format!("{body}{marks}</svg>\n").into(),
        _ => land,
    };
    let middle = chosen.or_else(|| home(&turn.scene));
    Ok(Window {
        id,
        step: turn.step,
        picture,
        cursor: middle.map(|spot| format!("{},{}", spot.d, spot.y)).unwrap_or_default(),
        twin,
    })
}

/// Where the viewer is at home: his capital, or anything of his.
pub fn home(scene: &Scene) -> Option<Spot> {
    let own = scene.own_realm?;
    let mut places = scene.places.iter().filter(|place| place.owner == Some(own));
    let capital = places
        .clone()
        .find(|place| place.symbol == kernel::map::Symbol::Capital);
    let owned = || {
        scene
            .fields
            .iter()
            .find(|field| field.owner == Some(own))
            .map(|field| field.at)
    };
    capital.or_else(|| places.next()).map(|place| place.at).or_else(owned)
}

#[derive(Template)]
#[template(path = "map-text.html")]
struct TextPage<'a> {
    page: &'a Page,
    base: &'a str,
    step: u32,
    own: Vec<Entry>,
    landmarks: Vec<Entry>,
    hosts: Vec<Entry>,
    entries: Vec<Entry>,
    sheet: usize,
    sheets: usize,
}

/// `GET /welt/{world}/karte/text` and `GET /welt/{world}/leitung/karte/text`
pub async fn text(State(web): State<Web>, page: Page, onlooker: Onlooker, Query(asked): Query<Asked>) -> Answer {
    let page = &page;
    let turn = onlooker.turn(&web, page, asked.zug).await?;
    let step = turn.step;
    let entries = aside(move || Ok(gazetteer(&turn.scene))).await?;
    if asked.form == "text" {
        return Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], all_lines(page, &entries)).into_response());
    }
    let sheets = entries.len().div_ceil(ENTRIES_MAX).max(1);
    let sheet = asked.seite.unwrap_or(1).clamp(1, sheets);
    let pick = |wanted: &dyn Fn(&Entry) -> bool| -> Vec<Entry> {
        entries
            .iter()
            .filter(|entry| wanted(entry))
            .take(ENTRIES_MAX)
            .cloned()
            .collect()
    };
    page.show(&TextPage {
        page,
        base: &onlooker.base,
        step,
        own: pick(&|entry| entry.own && !entry.places.is_empty()),
        landmarks: pick(&|entry| !entry.own && !entry.places.is_empty()),
        hosts: pick(&|entry| !entry.armies.is_empty()),
        entries: entries
            .into_iter()
            .skip((sheet - 1) * ENTRIES_MAX)
            .take(ENTRIES_MAX)
            .collect(),
        sheet,
        sheets,
    })
}

/// A whole map in words, a field to a line.
pub fn all_lines(page: &Page, entries: &[Entry]) -> String {
    entries.iter().map(|entry| line(page, entry) + "\n").collect()
}

/// A field in one line.
fn line(page: &Page, entry: &Entry) -> String {
    let mut parts = vec![format!("{}: {}", entry.label, entry.terrain)];
    parts.push(page.t1("map.height-of", "height", entry.height));
    if !entry.owner.is_empty() {
        parts.push(entry.owner.clone());
    }
    parts.extend(entry.places.iter().cloned());
    parts.extend(entry.armies.iter().cloned());
    parts.extend(entry.sides.iter().cloned());
    parts.extend(Some(entry.bearing.clone()).filter(|bearing| !bearing.is_empty()));
    if let Some(step) = entry.seen {
        parts.push(page.t1("map.seen", "step", step));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::is_masters;

    #[test]
    fn only_the_part_behind_the_world_makes_an_address_the_game_master_s() {
        assert!(is_masters("/welt/Mark/leitung/karte"));
        assert!(is_masters("/api/v1/worlds/Mark/lead/turns/last/map"));
        // A world may be called like a part of an address.
        for path in [
            "/welt/leitung/karte",
            "/welt/lead/karte",
            "/welt/Mark/karte/leitung",
            "/api/v1/worlds/lead/turns/last/map",
            "/api/v1/worlds/leitung/leitung/last/map",
            "/api/v1/worlds/Mark%2Flead/turns/last/map",
            "/",
            "",
        ] {
            assert!(!is_masters(path), "{path}");
        }
    }

    /// The colours of the style sheet are those of the drawing.
    #[test]
    fn the_style_sheet_of_colours_is_the_one_that_the_drawing_writes() {
        let written = include_str!("../../assets/map-colours.css");
        assert_eq!(
            written,
            render::map::style_sheet(),
            "write it anew: cargo run -p render --example sheets -- DIRECTORY none"
        );
    }
}
