//! A field's dossier with its history, and the way of an army.

use super::{Asked, Onlooker, Turn};
use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::kept;
use crate::page::{Flash, Page, go_with};
use crate::pages::orders;
use crate::pages::report::aside;
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse};
use host::draft::DraftKind;
use kernel::any::AnyGame;
use kernel::diagnostic::Diagnostic;
use kernel::guide::{Moment, RoutePlan};
use kernel::map::Spot;
use kernel::report::Arg;
use render::locale::Wording;
use render::map::changes_at;
use render::outline::{Numbers, outline};
use render::sheet::{Form as SheetForm, Part, SheetOptions, sheet};
use serde::Deserialize;
use std::sync::Arc;

/// Earlier turns in the history of a field.
const HISTORY_TURNS: u32 = 12;
/// Letters of a place or an army that are looked at.
const NAME_MAX: usize = 60;

/// What happened on a field in a turn.
pub struct Past {
    /// The turn.
    pub step: u32,
    /// What happened, in words.
    pub lines: Vec<String>,
}

#[derive(Template)]
#[template(path = "map-field.html")]
struct Dossier<'a> {
    page: &'a Page,
    base: &'a str,
    step: u32,
    place: &'a str,
    known: bool,
    names: String,
    parts: Vec<Part>,
    past: Vec<Past>,
    commands: bool,
}

/// `GET /welt/{world}/karte/feld` and `GET /welt/{world}/leitung/karte/feld`
pub async fn show(State(web): State<Web>, page: Page, onlooker: Onlooker, Query(asked): Query<Asked>) -> Answer {
    let turn = onlooker.turn(&web, &page, asked.zug).await?;
    let html = dossier(&web, &page, &onlooker, &turn, &asked.ort).await?;
    Ok(Html(html).into_response())
}

/// The dossier of a field as a piece of a page.
pub async fn dossier(
    web: &Web,
    page: &Page,
    onlooker: &Onlooker,
    turn: &Arc<Turn>,
    place: &str,
) -> Result<String, Fault> {
    let place: String = place.trim().chars().take(NAME_MAX).collect();
    let spot = turn.spot(&place);
    let past = match spot {
        Some(spot) => history(web, page, onlooker, turn, &place, spot).await?,
        None => Vec::new(),
    };
    let names = names_at(turn, spot);
    let parts = {
        let (game, wording) = (onlooker.game.clone(), onlooker.wording(page));
        let (rules, symbols) = (page.in_world("regeln/"), page.asset("symbols.svg"));
        let (turn, place) = (Arc::clone(turn), place.clone());
        aside(move || parts(&*game, wording, &turn.view, &place, &rules, &symbols)).await?
    };
    let template = Dossier {
        page,
        base: &onlooker.base,
        step: turn.step,
        place: &place,
        known: spot.is_some(),
        names: names.join(", "),
        parts,
        past,
        commands: turn.scene.own_realm.is_some() && !onlooker.game.has_board(),
    };
    Ok(template.render()?)
}

/// The dossier of a field as it lies on a page from the start: dear to make, so it is kept.
pub async fn lying(
    web: &Web,
    page: &Page,
    onlooker: &Onlooker,
    turn: &Arc<Turn>,
    spot: Option<Spot>,
) -> Result<Arc<str>, Fault> {
    let Some(place) = spot.and_then(|spot| turn.label(spot)) else {
        return Ok("".into());
    };
    let parts: [&[u8]; 5] = [
        b"dossier",
        &turn.view,
        place.as_bytes(),
        page.language().as_bytes(),
        onlooker.base.as_bytes(),
    ];
    kept::asked(kept::key(&parts), dossier(web, page, onlooker, turn, &place)).await
}

/// What stands on a field by name.
pub fn names_at(turn: &Turn, spot: Option<Spot>) -> Vec<&str> {
    let here = |of: &&kernel::map::Place| Some(of.at) == spot && !of.name.is_empty();
    let places = turn.scene.places.iter().filter(here);
    places.map(|of| of.name.as_str()).collect()
}

fn parts(
    game: &dyn AnyGame,
    wording: &Wording,
    view: &[u8],
    place: &str,
    rules: &str,
    symbols: &str,
) -> Result<Vec<Part>, Fault> {
    let options = SheetOptions {
        form: SheetForm::Card,
        rules: game.rules(),
        rule_address: rules,
        symbols,
        ..SheetOptions::default()
    };
    let mut failed = None;
    let parts = sheet(wording, options, |sink| failed = game.dossier(view, place, sink).err());
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(parts),
    }
}

/// What happened on a field in earlier turns, as far as the views of those turns tell: changes on the map, and events.
pub async fn history(
    web: &Web,
    page: &Page,
    onlooker: &Onlooker,
    turn: &Arc<Turn>,
    place: &str,
    spot: Spot,
) -> Result<Vec<Past>, Fault> {
    let mut past = Vec::new();
    let mut newer = Arc::clone(turn);
    for step in (turn.step.saturating_sub(HISTORY_TURNS)..turn.step).rev() {
        let older = match onlooker.turn(web, page, Some(step)).await {
            Ok(older) => older,
            Err(Fault::Missing) => break,
            Err(error) => return Err(error),
        };
        let (game, wording) = (onlooker.game.clone(), onlooker.wording(page));
        let (place, before, after) = (place.to_owned(), Arc::clone(&older), Arc::clone(&newer));
        let (changed, events) = aside(move || {
            let changed = changes_at(&before.scene, &after.scene, spot);
            Ok((changed, events(&game, wording, &before.view, &place)?))
        })
        .await?;
        if !changed.is_empty() {
            add(&mut past, newer.step, changed);
        }
        if !events.is_empty() {
            add(&mut past, step, events);
        }
        newer = older;
    }
    Ok(past)
}

fn add(past: &mut Vec<Past>, step: u32, lines: Vec<String>) {
    match past.iter_mut().find(|of| of.step == step) {
        Some(of) => of.lines.extend(lines),
        None => past.push(Past { step, lines }),
    }
}

/// The events that a dossier tells: its sections whose key ends in `events`, with everything within them.
fn events(game: &Arc<dyn AnyGame>, wording: &Wording, view: &[u8], place: &str) -> Result<Vec<String>, Fault> {
    let mut failed = None;
    let passages = outline(wording, Numbers::Grouped, |sink| {
        failed = game.dossier(view, place, sink).err()
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let mut lines = Vec::new();
    let mut within: Option<usize> = None;
    for passage in passages {
        if within.is_some_and(|depth| passage.depth <= depth && !passage.key.ends_with("events")) {
            within = None;
        }
        if passage.key.ends_with("events") {
            within = Some(passage.depth);
        }
        if within.is_some() {
            // The heading of the section itself says nothing new; those within it say when.
            let when = match passage.key.ends_with("events") {
                true => "",
                false => passage.title.trim_end_matches(':'),
            };
            let told = passage.lines.iter().map(|line| match when {
                "" => line.clone(),
                when => format!("{when}: {line}"),
            });
            lines.extend(told);
        }
    }
    Ok(lines)
}

/// A step of a way in words.
struct Leg {
    when: String,
    from: String,
    to: String,
    cost: String,
    left: String,
    spent: bool,
    cautions: String,
}

#[derive(Template)]
#[template(path = "map-route.html")]
struct RouteSheet<'a> {
    page: &'a Page,
    army: &'a str,
    target: &'a str,
    legs: Vec<Leg>,
    summary: String,
    /// The way for the page's script: `d,y,label,tone` for each field.
    steps: String,
    orders: Vec<String>,
    /// Whether the first of them can still be given: the way begins where the army stands now.
    can_order: bool,
    findings: Vec<String>,
}

/// `GET /welt/{world}/karte/weg`
pub async fn show_route(State(web): State<Web>, page: Page, onlooker: Onlooker, Query(asked): Query<Asked>) -> Answer {
    let turn = onlooker.turn(&web, &page, asked.zug).await?;
    let html = route(&page, &onlooker, &turn, &asked.heer, &asked.nach).await?;
    Ok(Html(html).into_response())
}

/// The way that is to become an order.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    heer: String,
    nach: String,
    /// What stands in an editor on the same page, perhaps not saved yet; without one, the draft counts.
    text: Option<String>,
}

/// `POST /welt/{world}/karte/weg`: writes the first order of a way into the draft of the open turn, as the page showed it.
pub async fn order_route(State(web): State<Web>, page: Page, player: Player, Form(wanted): Form<Wanted>) -> Answer {
    let Some(open) = orders::open(&web, &player).await? else {
        return orders::closed(&page, None);
    };
    let cut = |text: &str| -> String { text.trim().chars().take(NAME_MAX).collect() };
    let (army, target) = (cut(&wanted.heer), cut(&wanted.nach));
    let (game, view) = (player.game(&web)?, open.view.clone());
    let plan = aside({
        let game = game.clone();
        let (army, target) = (army.clone(), target.clone());
        move || Ok(game.route(&view, &army, &target)?)
    })
    .await?;
    let back = page.in_world("karte");
    let Some(order) = plan.orders.first() else {
        let part =
            |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        let back = format!("{back}?heer={}&nach={}#weg", part(&army), part(&target));
        return go_with(&web, &back, &Flash::bad("flash.no-way"));
    };
    let text = match &wanted.text {
        Some(text) => orders::file_of(text)?,
        None => orders::begin_with(&web, &player, open.step).await?,
    };
    let text = game.add_order(&text, order);
    orders::save(&web, &player, &open, &text, DraftKind::Saved).await?;
    let flash = Flash::good("flash.way-ordered").with("line", order.text.trim());
    go_with(&web, &page.in_world("befehle"), &flash)
}

/// The way of an army as a piece of a page.
pub async fn route(page: &Page, onlooker: &Onlooker, turn: &Turn, army: &str, target: &str) -> Result<String, Fault> {
    let cut = |text: &str| -> String { text.trim().chars().take(NAME_MAX).collect() };
    let (army, target) = (cut(army), cut(target));
    let plan = plan(onlooker, turn, &army, &target).await?;
    let wording = onlooker.wording(page);
    let first = plan.steps.first().map_or(turn.step, |leg| leg.when.step);
    let template = RouteSheet {
        page,
        legs: legs(page, wording, &plan),
        summary: summary(page, wording, &plan, &target),
        steps: drawn_steps(turn, &plan, first),
        orders: plan
            .orders
            .iter()
            .map(|order| {
                [order.opening.as_str(), order.text.as_str()]
                    .join("\n")
                    .trim()
                    .to_owned()
            })
            .collect(),
        findings: plan
            .findings
            .iter()
            .map(|finding| objection(page, wording, finding))
            .collect(),
        can_order: turn.step == onlooker.last() && !plan.orders.is_empty(),
        army: &army,
        target: &target,
    };
    Ok(template.render()?)
}

/// Why there is no way, and what would do instead. A place that somebody typed stands in no line.
fn objection(page: &Page, wording: &Wording, finding: &Diagnostic) -> String {
    match wording.fault(finding) {
        (text, expected) if expected.is_empty() => text,
        (text, expected) => format!("{text} {}", page.t1("orders.expected", "what", expected)),
    }
}

/// The way of an army as the game plans it.
pub async fn plan(onlooker: &Onlooker, turn: &Turn, army: &str, target: &str) -> Result<RoutePlan, Fault> {
    let cut = |text: &str| -> String { text.trim().chars().take(NAME_MAX).collect() };
    let (army, target) = (cut(army), cut(target));
    let (game, view) = (onlooker.game.clone(), turn.view.clone());
    aside(move || Ok(game.route(&view, &army, &target)?)).await
}

/// A moment as the game calls it: its part of the step, and the step if that is another one.
pub fn moment(page: &Page, wording: &Wording, when: Moment) -> String {
    let step = page.t1("frame.step", "step", when.step);
    if when.part == 0 {
        return step;
    }
    let key = "moment.part";
    let part = wording.text(key, &[("part", Arg::Int(i64::from(when.part)))]);
    if part == key {
        format!("{step}, {}", when.part)
    } else {
        format!("{step}, {part}")
    }
}

fn legs(page: &Page, wording: &Wording, plan: &RoutePlan) -> Vec<Leg> {
    let mut leg = Vec::with_capacity(plan.steps.len());
    for step in &plan.steps {
        let cautions: Vec<String> = step.cautions.iter().map(|key| wording.words_of(key)).collect();
        leg.push(Leg {
            when: moment(page, wording, step.when),
            from: step.from.clone(),
            to: step.to.clone(),
            cost: page.number(step.cost),
            left: page.number(step.left),
            spent: step.left < 0,
            cautions: cautions.join(", "),
        });
    }
    leg
}

fn summary(page: &Page, wording: &Wording, plan: &RoutePlan, target: &str) -> String {
    match plan.arrival {
        Some(when) => page.words.with(
            "map.arrival",
            &[
                ("army", plan.traveller.clone()),
                ("place", target.to_owned()),
                ("when", moment(page, wording, when)),
                ("cost", page.number(plan.cost)),
            ],
        ),
        None => page.t("map.no-way"),
    }
}

fn drawn_steps(turn: &Turn, plan: &RoutePlan, first: u32) -> String {
    let mut out = String::new();
    if let Some(start) = plan.steps.first().and_then(|leg| turn.spot(&leg.from)) {
        out += &format!("{},{},,;", start.d, start.y);
    }
    let last = plan.steps.len().saturating_sub(1);
    for (n, leg) in plan.steps.iter().enumerate() {
        let tone = match (n == last, leg.when.step > first) {
            (true, _) => "end",
            (_, true) => "late",
            _ => "",
        };
        out += &format!("{},{},{},{tone};", leg.at.d, leg.at.y, leg.when.part);
    }
    out
}
