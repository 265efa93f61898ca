//! The order sheet of a game that has one: tables to be filled in, with findings at their cells and a map beside them.
//!
//! It is another way to write the same draft: what stands in the sheet is kept as an order file, and an order file is shown as a sheet.
//! Everything works with forms alone. The script `sheet.js` puts ways in by clicks on the map and has the sheet checked while one
//! writes; it sends the same form and gets the tables back, as a fragment.

mod file;
pub mod table;

pub use file::{BODY_BYTES as UPLOAD_BYTES, download, filled_by, trouble_key, upload, workbook_of};

use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::{Flash, Page, go, go_with};
use crate::pages::map::{Beside, Onlooker};
use crate::pages::orders::{self, HandedIn, Open};
use crate::pages::report::{Reader, aside};
use crate::pairs::Pairs;
use crate::state::Web;
use crate::workbook::Origins;
use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse};
use host::draft::{DraftKind, Forgotten};
use kernel::sheet::{ROWS_MAX, Rows, Section, tidy};
use serde::Deserialize;
use std::collections::BTreeMap;
use table::{Tables, tables};

/// Fields of a form: every cell is one.
const FIELDS_MAX: usize = 30_000;
/// Columns that a form may name.
const COLUMNS_MAX: usize = 100;
/// Fields of a way that are read.
const WAY_MAX: usize = 100;
/// Armies of the choice for a way.
const ARMIES_MAX: usize = 1_000;

#[derive(Template)]
#[template(path = "sheet.html")]
struct SheetPage<'a> {
    page: &'a Page,
    step: u32,
    tables: &'a Tables,
    beside: &'a Beside,
    armies: &'a [(String, String)],
    army: &'a str,
    way: &'a str,
    forgotten: Forgotten,
    message: &'a str,
    bad: bool,
    planner: bool,
}

#[derive(Template)]
#[template(path = "sheet-tables.html")]
struct Fragment<'a> {
    page: &'a Page,
    tables: &'a Tables,
}

#[derive(Template)]
#[template(path = "sheet-none.html")]
struct NoSheet<'a> {
    page: &'a Page,
    title: String,
    text: String,
}

/// Says that the game has no such page.
pub fn none(page: &Page, title: String, text: String) -> Answer {
    page.show(&NoSheet { page, title, text })
}

fn no_sheet(page: &Page) -> Answer {
    none(page, page.t("sheet.title"), page.t("sheet.none"))
}

/// What the page says beside the sheet.
#[derive(Default)]
struct Said {
    message: String,
    bad: bool,
    army: String,
    way: String,
}

/// A sheet that is shown.
pub struct Filled {
    /// Its rows.
    pub rows: Rows,
    /// Where in a file they came from, if they did.
    pub origins: Origins,
}

async fn show_sheet(
    web: &Web,
    page: &Page,
    player: &Player,
    onlooker: &Onlooker,
    open: &Open,
    filled: Filled,
    said: Said,
) -> Answer {
    let reader = Reader::new(player.game(web)?, page);
    let planner = reader.game.has_planner();
    let (view, words) = (open.view.clone(), page.words);
    let (tables, armies) = aside(move || {
        let sections = reader.game.sheet(&view)?;
        let armies = table::travellers(&reader, &sections, ARMIES_MAX);
        Ok((tables(&reader, words, &view, &filled.rows, &filled.origins)?, armies))
    })
    .await?;
    let status = if said.bad {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    page.show_as(
        status,
        &SheetPage {
            page,
            step: open.step,
            tables: &tables,
            beside: &onlooker.beside(web, page).await?,
            armies: &armies,
            army: &said.army,
            way: &said.way,
            forgotten: web.host.forgotten(&player.world, player.realm(), open.step).await?,
            message: &said.message,
            bad: said.bad,
            planner,
        },
    )
}

/// The rows of the draft; nothing if there are more than a sheet shows.
pub async fn rows_of_draft(web: &Web, player: &Player, open: &Open) -> Result<Option<Rows>, Fault> {
    let text = orders::begin_with(web, player, open.step).await?;
    let (game, view) = (player.game(web)?, open.view.clone());
    let rows = aside(move || Ok(game.sheet_rows(&view, &text)?)).await?;
    Ok(Some(rows).filter(|rows| rows.values().all(|rows| rows.len() <= ROWS_MAX)))
}

/// `GET /welt/{world}/zugbogen`
pub async fn show(State(web): State<Web>, page: Page, player: Player, onlooker: Onlooker) -> Answer {
    if !player.game(&web)?.has_sheet() {
        return no_sheet(&page);
    }
    let Some(open) = orders::open(&web, &player).await? else {
        return orders::closed(&page, None);
    };
    let Some(rows) = rows_of_draft(&web, &player, &open).await? else {
        return go_with(&web, &page.in_world("befehle"), &Flash::bad("flash.sheet-too-long"));
    };
    let filled = Filled {
        rows,
        origins: Origins::new(),
    };
    show_sheet(&web, &page, &player, &onlooker, &open, filled, Said::default()).await
}

/// The rows that a form carries: `z.part.row.column`. Parts that the form does not name are left out.
fn sent_rows(pairs: &Pairs) -> Rows {
    let mut cells: BTreeMap<&str, BTreeMap<usize, Vec<String>>> = BTreeMap::new();
    for (name, value) in pairs.iter() {
        let mut parts = name.split('.');
        match (parts.next(), parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some("teil"), None, ..) => {
                cells.entry(value).or_default();
            }
            (Some("z"), Some(part), Some(row), Some(column), None) => {
                let (Ok(row), Ok(column)) = (row.parse::<usize>(), column.parse::<usize>()) else {
                    continue;
                };
                if row >= ROWS_MAX || column >= COLUMNS_MAX {
                    continue;
                }
                let cells = cells.entry(part).or_default().entry(row).or_default();
                if cells.len() <= column {
                    cells.resize(column + 1, String::new());
                }
                if let Some(cell) = cells.get_mut(column) {
                    value.clone_into(cell);
                }
            }
            _ => {}
        }
    }
    let rows = |rows: BTreeMap<usize, Vec<String>>| rows.into_values().collect();
    cells
        .into_iter()
        .map(|(part, of)| (part.to_owned(), rows(of)))
        .collect()
}

/// Adds or takes away a row: `neu.part`, `fort.part.row`.
fn change_rows(sections: &[Section], rows: &mut Rows, act: &str) {
    let mut parts = act.split('.');
    let (what, part) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let Some(section) = sections.iter().find(|section| section.name == part) else {
        return;
    };
    let of = rows.entry(part.to_owned()).or_default();
    let row = parts.next().and_then(|row| row.parse::<usize>().ok());
    match (what, row) {
        ("neu", _) if of.len() < ROWS_MAX => of.push(vec![String::new(); section.columns.len()]),
        ("fort", Some(row)) if row < of.len() => {
            of.remove(row);
        }
        _ => {}
    }
}

/// The fields of a way as people write it: parted by blanks, commas or arrows.
fn way_of(text: &str) -> Vec<String> {
    text.split(|letter: char| letter.is_whitespace() || matches!(letter, '>' | ',' | ';'))
        .filter(|place| !place.is_empty())
        .take(WAY_MAX)
        .map(str::to_owned)
        .collect()
}

/// `POST /welt/{world}/zugbogen`: checks, keeps, changes or seals what stands in the sheet.
pub async fn act(
    State(web): State<Web>,
    page: Page,
    player: Player,
    onlooker: Onlooker,
    headers: HeaderMap,
    Form(pairs): Form<Pairs>,
) -> Answer {
    let pairs = pairs.limited(FIELDS_MAX)?;
    let zug: u32 = pairs.read("zug").ok_or(Fault::Malformed)?;
    let game = player.game(&web)?;
    if !game.has_sheet() {
        return no_sheet(&page);
    }
    let Some(open) = orders::open(&web, &player).await?.filter(|open| open.step == zug) else {
        return orders::closed(&page, Some(zug));
    };
    let sections = game.sheet(&open.view)?;
    let mut rows = tidy(&sections, sent_rows(&pairs));
    if let Some(kept) = rows_of_draft(&web, &player, &open).await? {
        for (part, of) in kept {
            rows.entry(part).or_insert(of);
        }
    }
    // A button of the script comes last and counts.
    let act = pairs.all("tat").next_back().unwrap_or_default();
    let mut said = Said::default();
    if act == "weg" {
        let army = pairs.text("heer").trim().to_owned();
        let way = way_of(pairs.text("weg"));
        let before = rows.clone();
        let (view, whose) = (open.view.clone(), army.clone());
        let game = game.clone();
        rows = aside(move || Ok(game.sheet_way(&view, rows, &whose, &way)?)).await?;
        if rows == before {
            said.message = page.t1("sheet.way-not", "army", &army);
        } else {
            said.message = page.t1("sheet.way-put", "army", &army);
        }
        (said.army, said.way) = (army, pairs.text("weg").to_owned());
    } else {
        change_rows(&sections, &mut rows, act);
    }
    let text = game.sheet_file(&open.view, &rows)?;
    if text.len() > kernel::limits::ORDER_FILE_BYTES {
        return Err(Fault::TooLarge);
    }
    let filled = Filled {
        rows,
        origins: Origins::new(),
    };
    if orders::wants_fragment(&headers) {
        orders::save(&web, &player, &open, &text, DraftKind::Auto).await?;
        return fragment(&web, &page, &player, &open, filled).await;
    }
    if act == "siegeln" {
        return seal(&web, &page, &player, &onlooker, &open, filled, &text).await;
    }
    orders::save(&web, &player, &open, &text, DraftKind::Saved).await?;
    if act == "sichern" {
        return go_with(&web, &page.in_world("zugbogen"), &Flash::good("flash.draft-saved"));
    }
    show_sheet(&web, &page, &player, &onlooker, &open, filled, said).await
}

async fn fragment(web: &Web, page: &Page, player: &Player, open: &Open, filled: Filled) -> Answer {
    let reader = Reader::new(player.game(web)?, page);
    let (view, words) = (open.view.clone(), page.words);
    let tables = aside(move || tables(&reader, words, &view, &filled.rows, &filled.origins)).await?;
    let fragment = Fragment { page, tables: &tables };
    Ok(Html(fragment.render()?).into_response())
}

async fn seal(
    web: &Web,
    page: &Page,
    player: &Player,
    onlooker: &Onlooker,
    open: &Open,
    filled: Filled,
    text: &str,
) -> Answer {
    match orders::hand_in(web, player, open, text).await? {
        HandedIn::Taken(answer) => {
            let number = answer.replaced + 1;
            go(&page.in_world(&format!("befehle/quittung/{}/{number}", open.step)))
        }
        HandedIn::Refused(_) => {
            let said = Said {
                message: page.t("orders.refused"),
                bad: true,
                ..Said::default()
            };
            show_sheet(web, page, player, onlooker, open, filled, said).await
        }
        HandedIn::Closed => orders::closed(page, Some(open.step)),
        HandedIn::Late(due_at) => orders::late(page, open.step, due_at),
    }
}

/// Whose reach is asked for.
#[derive(Debug, Default, Deserialize)]
pub struct ReachAsked {
    #[serde(default)]
    heer: String,
}

/// `GET /welt/{world}/zugbogen/reichweite`: the fields that an army can reach in the open turn, for the map.
pub async fn reach(State(web): State<Web>, player: Player, Query(asked): Query<ReachAsked>) -> Answer {
    let game = player.game(&web)?;
    let (_, view) = web.host.view(&player.world, player.viewer(), None).await?;
    let spots = aside(move || {
        let reached = game.reach(&view, asked.heer.trim(), 1)?;
        let spots: Vec<String> = reached
            .iter()
            .map(|field| format!("[{},{}]", field.at.d, field.at.y))
            .collect();
        Ok(spots.join(","))
    })
    .await?;
    Ok(([(CONTENT_TYPE, "application/json")], format!("[{spots}]")).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_in_any_order_and_foreign_fields_are_passed_over() {
        let rows = sent_rows(&Pairs::from([
            ("z.a.7.1", "y"),
            ("z.a.2.0", "x"),
            ("z.a.99999999.0", "far"),
            ("z.a.0.99999999", "wide"),
            ("z.a.-1.0", "no"),
            ("z.a.1", "no"),
            ("z.a.1.1.1", "no"),
            ("zug", "3"),
            ("teil", "b"),
        ]));
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        assert_eq!(rows["a"], [row(&["x"]), row(&["", "y"])]);
        assert_eq!(rows["b"], Vec::<Vec<String>>::new());
        assert_eq!(rows.len(), 2);
    }

    #[test]
    fn a_way_is_read_however_it_is_parted() {
        assert_eq!(way_of(" 5/12 > 5/13,5/14\n5/15 "), ["5/12", "5/13", "5/14", "5/15"]);
        assert_eq!(way_of(""), Vec::<String>::new());
        assert_eq!(way_of(&"1 ".repeat(1_000)).len(), WAY_MAX);
    }
}
