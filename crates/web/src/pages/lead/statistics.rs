//! Figures of the whole world over time.

use crate::Answer;
use crate::error::Fault;
use crate::identity::GameMaster;
use crate::page::Page;
use crate::state::Web;
use askama::Template;
use axum::extract::State;
use kernel::realm::{RealmId, Viewer};
use render::chart::{Chart, Series};
use render::locale::Wording;
use std::collections::BTreeMap;

/// How many turns back the charts reach.
const TURNS: usize = 60;

/// A figure of all realms: its name, its chart, and the last values for those who read tables.
struct Shown {
    title: String,
    chart: String,
    rows: Vec<(String, i64)>,
}

#[derive(Template)]
#[template(path = "lead/statistics.html")]
struct Statistics<'a> {
    page: &'a Page,
    shown: Vec<Shown>,
    last: u32,
}

/// `GET /welt/{world}/leitung/statistik`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let world = &master.world;
    let game = web.host.game(&world.game)?;
    let names = super::names(&web, world).await?;
    let steps = web.host.steps(world).await?;
    let last = steps.last().map_or(0, |step| step.number);
    let mut figures: BTreeMap<String, BTreeMap<RealmId, Vec<(i64, i64)>>> = BTreeMap::new();
    // In the order in which the game names them, not by the alphabet.
    let mut order = Vec::new();
    for step in steps.iter().skip(steps.len().saturating_sub(TURNS)) {
        let (_, view) = web.host.view(world, Viewer::GameMaster, Some(step.number)).await?;
        let found = game.figures(&view).map_err(|error| Fault::Broken(error.to_string()))?;
        for figure in found {
            let key = figure.key.to_string();
            if !order.contains(&key) {
                order.push(key.clone());
            }
            let points = figures.entry(key).or_default().entry(figure.realm).or_default();
            points.push((i64::from(step.number), figure.value));
        }
    }
    let wording = Wording::of(game.name(), page.words.language());
    let shown = order.into_iter().filter_map(|key| {
        let realms = figures.remove(&key)?;
        let title = wording.words_of(&key);
        let name = |realm: &RealmId| names.get(realm).cloned().unwrap_or_else(|| realm.to_string());
        let rows = realms
            .iter()
            .map(|(realm, points)| (name(realm), points.last().map_or(0, |point| point.1)));
        let rows = rows.collect();
        let series = realms.into_iter().map(|(realm, points)| Series {
            name: name(&realm),
            points,
        });
        let chart = Chart {
            title: title.clone(),
            series: series.collect(),
            language: page.words.language(),
        };
        Some(Shown {
            chart: chart.svg(),
            title,
            rows,
        })
    });
    page.show(&Statistics {
        page: &page,
        shown: shown.collect(),
        last,
    })
}
