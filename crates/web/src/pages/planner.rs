//! The planner of a game that has one: supply against need, what stands where, the best that can be done, and what the next turns bring.
//!
//! What is put in here is kept as orders in the same draft as everywhere else.

use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::Page;
use crate::pages::orders::{self, Open, forms::named};
use crate::pages::report::{Reader, aside};
use crate::pages::sheet::none;
use crate::pairs::Pairs;
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::State;
use host::draft::DraftKind;
use kernel::planner::{Assignment, Planner};
use render::sheet::{Form as SheetForm, Lists, Part, sheet};
use std::collections::BTreeMap;

/// Fields of a form: every slot is one.
const FIELDS_MAX: usize = 20_000;
/// Slots of a place that a form may name.
const SLOTS_MAX: usize = 20;

/// A resource, worded.
struct NeedRow {
    name: String,
    supply: i64,
    need: Option<i64>,
    more: String,
    proposed: i64,
    short: i64,
    /// How far supply reaches, in percent of need, at most 100.
    reaches: i64,
}

/// A settlement, worded.
struct ConsumerRow {
    place: String,
    name: String,
    heads: i64,
    share: i64,
}

/// A slot, worded.
struct SlotCell {
    name: String,
    label: String,
    value: String,
    yields: i64,
    /// What the proposal puts there, if it is something else.
    proposed: String,
}

/// A place, worded.
struct PlotRow {
    place: String,
    name: String,
    choices: Vec<(String, String)>,
    slots: Vec<SlotCell>,
    changes: bool,
}

/// A line of a forecast, worded.
struct ForecastRow {
    name: String,
    value: String,
    sum: bool,
    less: bool,
}

/// A forecast, worded.
struct ForecastTable {
    title: String,
    when: String,
    lines: Vec<ForecastRow>,
}

#[derive(Template)]
#[template(path = "planner.html")]
struct PlannerPage<'a> {
    page: &'a Page,
    step: u32,
    needs: Vec<NeedRow>,
    consumers: Vec<ConsumerRow>,
    slots: Vec<String>,
    plots: Vec<PlotRow>,
    proposal: kernel::planner::Proposal,
    forecasts: Vec<ForecastTable>,
    rules: Vec<String>,
    advice: Vec<Part>,
    message: &'a str,
    sheet: bool,
}

/// What a planner shows of a draft, and what it advises.
pub fn plan(reader: &Reader, view: &[u8], text: &str) -> Result<Option<(Planner, Vec<Part>)>, Fault> {
    let Some(planner) = reader.game.planner(view, text)? else {
        return Ok(None);
    };
    let options = reader.options(SheetForm::Story, Lists::All, None);
    let mut failed = None;
    let advice = sheet(reader.wording, options, |sink| {
        failed = reader.game.planner_advice(view, text, sink).err();
    });
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(Some((planner, advice))),
    }
}

fn needs(page: &Page, reader: &Reader, planner: &Planner) -> Vec<NeedRow> {
    let row = |need: &kernel::planner::Need| {
        let more = need.need.map(|wanted| need.supply - wanted);
        NeedRow {
            name: reader.word(&need.label),
            supply: need.supply,
            need: need.need,
            more: match more {
                Some(more) if more > 0 => format!("+{}", page.number(more)),
                Some(more) => page.number(more),
                None => String::new(),
            },
            proposed: need.proposed,
            short: need.short,
            reaches: match need.need {
                Some(wanted) if wanted > 0 => (need.supply.max(0) * 100 / wanted).min(100),
                _ => 100,
            },
        }
    };
    planner.needs.iter().map(row).collect()
}

fn plots(reader: &Reader, planner: &Planner, slots: &[String]) -> Vec<PlotRow> {
    let row = |plot: &kernel::planner::Plot| {
        let choices: Vec<(String, String)> = plot.choices.iter().map(|choice| named(reader, choice)).collect();
        let word = |value: &str| {
            let choice = plot.choices.iter().find(|choice| choice.value == value);
            choice.map_or_else(|| value.to_owned(), |choice| reader.word(&choice.label))
        };
        let cells = plot.slots.iter().enumerate().map(|(number, slot)| SlotCell {
            name: format!("f.{}.{number}", plot.place),
            label: format!("{}, {}", plot.place, slots.get(number).map_or("", String::as_str)),
            value: slot.value.clone(),
            yields: slot.yields,
            proposed: if slot.proposed == slot.value {
                String::new()
            } else {
                word(&slot.proposed)
            },
        });
        let slots: Vec<SlotCell> = cells.collect();
        PlotRow {
            place: plot.place.clone(),
            name: reader.word(&plot.label),
            choices,
            changes: slots.iter().any(|slot| !slot.proposed.is_empty()),
            slots,
        }
    };
    planner.plots.iter().map(row).collect()
}

fn forecasts(page: &Page, reader: &Reader, planner: &Planner) -> Vec<ForecastTable> {
    let row = |line: &kernel::planner::ForecastLine| ForecastRow {
        name: reader.word(&line.label),
        value: page.number(line.value),
        sum: line.sum,
        less: line.value < 0,
    };
    let table = |forecast: &kernel::planner::Forecast| ForecastTable {
        title: reader.word(&forecast.title),
        when: forecast.when.clone(),
        lines: forecast.lines.iter().map(row).collect(),
    };
    planner.forecasts.iter().map(table).collect()
}

async fn show_plan(web: &Web, page: &Page, player: &Player, open: &Open, text: String, message: &str) -> Answer {
    let reader = Reader::new(player.game(web)?, page);
    let (asked, view) = (reader.clone(), open.view.clone());
    let Some((planner, advice)) = aside(move || plan(&asked, &view, &text)).await? else {
        return no_planner(page);
    };
    let slots: Vec<String> = planner.slots.iter().map(|label| reader.word(label)).collect();
    let consumer = |of: &kernel::planner::Consumer| ConsumerRow {
        place: of.place.clone(),
        name: reader.word(&of.label),
        heads: of.heads,
        share: of.share,
    };
    page.show(&PlannerPage {
        page,
        step: open.step,
        needs: needs(page, &reader, &planner),
        consumers: planner.consumers.iter().map(consumer).collect(),
        plots: plots(&reader, &planner, &slots),
        slots,
        proposal: planner.proposal,
        forecasts: forecasts(page, &reader, &planner),
        rules: planner.rules.iter().map(|rule| rule.to_string()).collect(),
        advice,
        message,
        sheet: reader.game.has_sheet(),
    })
}

fn no_planner(page: &Page) -> Answer {
    none(page, page.t("planner.title"), page.t("planner.none"))
}

/// `GET /welt/{world}/wirtschaft`
pub async fn show(State(web): State<Web>, page: Page, player: Player) -> Answer {
    if !player.game(&web)?.has_planner() {
        return no_planner(&page);
    }
    let Some(open) = orders::open(&web, &player).await? else {
        return orders::closed(&page, None);
    };
    let text = orders::begin_with(&web, &player, open.step).await?;
    show_plan(&web, &page, &player, &open, text, "").await
}

/// What a form puts where: `f.place.slot`. Places with a gap among their slots are left out.
fn wanted(pairs: &Pairs) -> Assignment {
    let mut places: BTreeMap<&str, BTreeMap<usize, &str>> = BTreeMap::new();
    for (name, value) in pairs.iter() {
        let Some((place, slot)) = name.strip_prefix("f.").and_then(|rest| rest.rsplit_once('.')) else {
            continue;
        };
        if let Some(slot) = slot.parse::<usize>().ok().filter(|slot| *slot < SLOTS_MAX) {
            places.entry(place).or_default().insert(slot, value);
        }
    }
    let whole = places
        .into_iter()
        .filter(|(_, slots)| slots.keys().copied().eq(0..slots.len()));
    whole
        .map(|(place, slots)| (place.to_owned(), slots.into_values().map(str::to_owned).collect()))
        .collect()
}

/// `POST /welt/{world}/wirtschaft`: puts things where they are wanted, or takes the proposal; both become orders of the draft.
pub async fn act(State(web): State<Web>, page: Page, player: Player, Form(pairs): Form<Pairs>) -> Answer {
    let pairs = pairs.limited(FIELDS_MAX)?;
    let zug: u32 = pairs.read("zug").ok_or(Fault::Malformed)?;
    let game = player.game(&web)?;
    if !game.has_planner() {
        return no_planner(&page);
    }
    let Some(open) = orders::open(&web, &player).await?.filter(|open| open.step == zug) else {
        return orders::closed(&page, Some(zug));
    };
    let before = orders::begin_with(&web, &player, open.step).await?;
    let best = pairs.one("tat") == Some("vorschlag");
    let (view, old, wanted) = (open.view.clone(), before.clone(), wanted(&pairs));
    let text = aside(move || {
        Ok(if best {
            game.assign_best(&view, &old)?
        } else {
            game.assign(&view, &old, &wanted)?
        })
    })
    .await?;
    if text.len() > kernel::limits::ORDER_FILE_BYTES {
        return Err(Fault::TooLarge);
    }
    let message = if text == before {
        page.t("planner.unchanged")
    } else {
        orders::save(&web, &player, &open, &text, DraftKind::Saved).await?;
        page.t("planner.written")
    };
    show_plan(&web, &page, &player, &open, text, &message).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_places_with_all_their_slots_are_taken() {
        let pairs = Pairs::from([
            ("f.5/12.1", "b"),
            ("f.5/12.0", "a"),
            ("f.5/13.1", "b"),
            ("f.5/14.99", "x"),
            ("f.5/14", "x"),
            ("f.a.b.0", "c"),
            ("zug", "1"),
        ]);
        let wanted = wanted(&pairs);
        assert_eq!(wanted["5/12"], ["a", "b"]);
        assert_eq!(wanted["a.b"], ["c"]);
        assert_eq!(wanted.len(), 2);
    }
}
