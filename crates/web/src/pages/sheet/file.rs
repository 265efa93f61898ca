//! The sheet as a file of a program for tables: to take along, and to bring back.

use super::{Filled, Said, no_sheet, rows_of_draft, show_sheet};
use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::{Page, go};
use crate::pages::map::Onlooker;
use crate::pages::orders::{self, Open, history};
use crate::pages::report::{Reader, aside};
use crate::state::Web;
use crate::workbook::{self, FILE_BYTES, Format, Origins, Trouble};
use axum::extract::{Multipart, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use host::draft::DraftKind;
use kernel::sheet::{ROWS_MAX, tidy};
use serde::Deserialize;

/// Bytes of a request that brings a file.
pub const BODY_BYTES: usize = FILE_BYTES + 16 * 1024;

/// The kind of file that is wanted.
#[derive(Debug, Default, Deserialize)]
pub struct Wanted {
    #[serde(default)]
    form: String,
}

/// The sheet of the draft as a file.
pub async fn workbook_of(
    web: &Web,
    page: &Page,
    player: &Player,
    open: &Open,
    format: Format,
) -> Result<Vec<u8>, Fault> {
    let rows = rows_of_draft(web, player, open).await?.ok_or(Fault::TooLarge)?;
    let reader = Reader::new(player.game(web)?, page);
    let view = open.view.clone();
    aside(move || {
        let sections = reader.game.sheet(&view)?;
        let titles: Vec<String> = sections.iter().map(|section| reader.word(&section.title)).collect();
        Ok(workbook::write(format, &workbook::of_sheet(&sections, &titles, &rows)))
    })
    .await
}

/// `GET /welt/{world}/zugbogen/datei`
pub async fn download(State(web): State<Web>, page: Page, player: Player, Query(wanted): Query<Wanted>) -> Answer {
    let format = match wanted.form.as_str() {
        "" => Format::Csv,
        ending => Format::from_ending(ending).ok_or(Fault::Missing)?,
    };
    let open = orders::open(&web, &player).await?;
    let Some(open) = open.filter(|_| player.game(&web).is_ok_and(|game| game.has_sheet())) else {
        return go(&page.in_world("zugbogen"));
    };
    let bytes = workbook_of(&web, &page, &player, &open, format).await?;
    let name = format!("{}-{}.{}", page.t("sheet.file-name"), open.step, format.ending());
    let name = (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""));
    Ok(([(CONTENT_TYPE, format.kind().to_owned()), name], bytes).into_response())
}

/// The sheet of a file, with the rows of the draft for parts that it does not have; or why it cannot be read.
pub async fn filled_by(
    web: &Web,
    player: &Player,
    open: &Open,
    bytes: Vec<u8>,
) -> Result<Result<Filled, Trouble>, Fault> {
    let game = player.game(web)?;
    let sections = game.sheet(&open.view)?;
    let (reader, view) = (game.clone(), open.view.clone());
    let read = aside(move || {
        // The letters of an old computer become those of today.
        let decode = |bytes: &[u8]| reader.order_text(&view, bytes).unwrap_or_default();
        Ok(workbook::read(&bytes, decode))
    })
    .await?;
    let (rows, origins) = match read {
        Ok(book) => workbook::to_sheet(&sections, &book),
        Err(trouble) => return Ok(Err(trouble)),
    };
    if rows.values().any(|rows| rows.len() > ROWS_MAX) {
        return Ok(Err(Trouble::TooLarge));
    }
    let mut rows = tidy(&sections, rows);
    if let Some(kept) = rows_of_draft(web, player, open).await? {
        for (part, of) in kept {
            rows.entry(part).or_insert(of);
        }
    }
    Ok(Ok(Filled { rows, origins }))
}

/// Key of the words that say why a file cannot be read.
pub fn trouble_key(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::TooLarge => "sheet.upload-too-large",
        Trouble::Locked => "sheet.upload-locked",
        Trouble::Unreadable => "sheet.upload-unreadable",
    }
}

/// `POST /welt/{world}/zugbogen/hochladen`
pub async fn upload(State(web): State<Web>, page: Page, player: Player, onlooker: Onlooker, form: Multipart) -> Answer {
    let parcel = history::unpack(form, FILE_BYTES).await?;
    let (Some(step), Some(bytes)) = (parcel.zug, parcel.file) else {
        return Err(Fault::Malformed);
    };
    let game = player.game(&web)?;
    if !game.has_sheet() {
        return no_sheet(&page);
    }
    let Some(open) = orders::open(&web, &player).await?.filter(|open| open.step == step) else {
        return orders::closed(&page, Some(step));
    };
    let filled = match filled_by(&web, &player, &open, bytes).await? {
        Ok(filled) => filled,
        Err(trouble) => {
            let rows = rows_of_draft(&web, &player, &open).await?.unwrap_or_default();
            let filled = Filled {
                rows,
                origins: Origins::new(),
            };
            let said = Said {
                message: page.t(trouble_key(trouble)),
                bad: true,
                ..Said::default()
            };
            return show_sheet(&web, &page, &player, &onlooker, &open, filled, said).await;
        }
    };
    let text = game.sheet_file(&open.view, &filled.rows)?;
    if text.len() > kernel::limits::ORDER_FILE_BYTES {
        return Err(Fault::TooLarge);
    }
    orders::save(&web, &player, &open, &text, DraftKind::Upload).await?;
    let said = Said {
        message: page.t("sheet.uploaded"),
        ..Said::default()
    };
    show_sheet(&web, &page, &player, &onlooker, &open, filled, said).await
}
