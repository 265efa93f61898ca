//! What was written and sent before: drafts, submissions, receipts.

use super::{closed, open, save};
use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::{Flash, Page, go_with};
use crate::pages::orders::finding::{Findings, findings};
use crate::pages::report::{Reader, aside};
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Multipart, Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use host::draft::{DraftKind, DraftNote, Sent};
use kernel::codec::Digest;
use serde::Deserialize;

/// A turn and a number in it.
#[derive(Debug, Default, Deserialize)]
pub struct Which {
    zug: Option<u32>,
    nr: Option<u32>,
}

struct DraftRow {
    note: DraftNote,
    kind: String,
    current: bool,
}

#[derive(Template)]
#[template(path = "orders-history.html")]
struct History<'a> {
    page: &'a Page,
    step: u32,
    open: bool,
    last: u32,
    drafts: Vec<DraftRow>,
    sent: Vec<Sent>,
}

/// `GET /welt/{world}/befehle/verlauf`
pub async fn show(State(web): State<Web>, page: Page, player: Player, Query(which): Query<Which>) -> Answer {
    let last = player.world.open_step;
    let step = which.zug.unwrap_or(last);
    if step > last {
        return Err(Fault::Missing);
    }
    if let Some(number) = which.nr {
        let draft = web
            .host
            .draft_numbered(&player.world, player.realm(), step, number)
            .await?;
        let text = draft.ok_or(Fault::Missing)?.file;
        let text = String::from_utf8_lossy(&text).into_owned();
        return Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response());
    }
    let drafts = web.host.drafts(&player.world, player.realm(), step).await?;
    let rows = drafts.into_iter().enumerate().map(|(place, note)| DraftRow {
        kind: match note.kind {
            DraftKind::Auto => page.t("orders.kind-auto"),
            DraftKind::Saved => page.t("orders.kind-saved"),
            DraftKind::Upload => page.t("orders.kind-upload"),
            DraftKind::Restored => page.t("orders.kind-restored"),
        },
        current: place == 0,
        note,
    });
    page.show(&History {
        page: &page,
        step,
        open: open(&web, &player).await?.is_some_and(|open| open.step == step),
        last,
        drafts: rows.collect(),
        sent: web.host.sent(&player.world, player.realm(), step).await?,
    })
}

/// An earlier text to be taken up again.
#[derive(Debug, Deserialize)]
pub struct Earlier {
    zug: u32,
    entwurf: Option<u32>,
    abgabe: Option<u32>,
}

/// `POST /welt/{world}/befehle/verlauf`
pub async fn restore(State(web): State<Web>, page: Page, player: Player, Form(earlier): Form<Earlier>) -> Answer {
    let open = open(&web, &player).await?;
    let Some(open) = open.filter(|open| open.step == earlier.zug) else {
        return closed(&page, Some(earlier.zug));
    };
    let (world, realm) = (&player.world, player.realm());
    let file = match (earlier.entwurf, earlier.abgabe) {
        (Some(number), None) => {
            let draft = web.host.draft_numbered(world, realm, open.step, number).await?;
            draft.map(|draft| draft.file)
        }
        (None, Some(attempt)) => web.host.sent_file(world, realm, open.step, attempt).await?,
        _ => None,
    };
    let text = String::from_utf8_lossy(&file.ok_or(Fault::Missing)?).into_owned();
    save(&web, &player, &open, &text, DraftKind::Restored).await?;
    go_with(&web, &page.in_world("befehle"), &Flash::good("flash.draft-restored"))
}

#[derive(Template)]
#[template(path = "orders-receipt.html")]
struct Receipt<'a> {
    page: &'a Page,
    step: u32,
    sent: Sent,
    counts: bool,
    open: bool,
    bytes: usize,
    lines: usize,
    digest: String,
    found: Option<Findings>,
}

/// In what form a receipt is shown.
#[derive(Debug, Default, Deserialize)]
pub struct Shown {
    #[serde(default)]
    form: String,
}

/// `GET /welt/{world}/befehle/quittung/{zug}/{nr}`
pub async fn receipt(
    State(web): State<Web>,
    page: Page,
    player: Player,
    Path((_, step, wanted)): Path<(String, u32, u32)>,
    Query(shown): Query<Shown>,
) -> Answer {
    let (world, realm) = (&player.world, player.realm());
    let all = web.host.sent(world, realm, step).await?;
    let last = all.first().map(|sent| sent.attempt);
    let sent = all
        .into_iter()
        .find(|sent| sent.attempt == wanted)
        .ok_or(Fault::Missing)?;
    // What the computer wrote for a realm without orders was never handed in by anybody.
    if !sent.by_player() {
        return Err(Fault::Missing);
    }
    let file = web
        .host
        .sent_file(world, realm, step, wanted)
        .await?
        .ok_or(Fault::Missing)?;
    if shown.form == "text" {
        let text = String::from_utf8_lossy(&file).into_owned();
        return Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response());
    }
    let open = open(&web, &player).await?.filter(|open| open.step == step);
    let is_open = open.is_some();
    let text = String::from_utf8_lossy(&file).into_owned();
    let lines = text.lines().count();
    // Findings hold for the turn that is open; of a turn that was run the report tells.
    let found = match open {
        Some(open) => {
            let reader = Reader::new(player.game(&web)?, &page);
            let words = page.words;
            let found = aside(move || {
                let checked = reader.game.check(&open.view, text.as_bytes())?;
                Ok(findings(&reader, words, &checked, &text))
            });
            Some(found.await?)
        }
        None => None,
    };
    page.show(&Receipt {
        page: &page,
        step,
        counts: Some(sent.attempt) == last,
        sent,
        open: is_open,
        bytes: file.len(),
        lines,
        digest: Digest::of(&file).to_string(),
        found,
    })
}

/// What came with a file.
#[derive(Default)]
pub(crate) struct Parcel {
    /// The turn that it is for.
    pub(crate) zug: Option<u32>,
    /// The file.
    pub(crate) file: Option<Vec<u8>>,
}

/// Reads a form that carries a file of so many bytes at the most.
pub(crate) async fn unpack(mut form: Multipart, most: usize) -> Result<Parcel, Fault> {
    let mut parcel = Parcel::default();
    while let Some(mut field) = form.next_field().await.map_err(|_| Fault::Malformed)? {
        let name = field.name().unwrap_or_default().to_owned();
        let mut bytes = Vec::new();
        while let Some(chunk) = field.chunk().await.map_err(|_| Fault::Malformed)? {
            if bytes.len() + chunk.len() > most {
                return Err(Fault::TooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        match name.as_str() {
            "zug" => {
                parcel.zug = std::str::from_utf8(&bytes)
                    .ok()
                    .and_then(|text| text.trim().parse().ok())
            }
            "datei" => parcel.file = Some(bytes),
            _ => {}
        }
    }
    Ok(parcel)
}

/// `POST /welt/{world}/befehle/hochladen`
pub async fn upload(State(web): State<Web>, page: Page, player: Player, form: Multipart) -> Answer {
    let parcel = unpack(form, kernel::limits::ORDER_FILE_BYTES).await?;
    let (Some(step), Some(file)) = (parcel.zug, parcel.file) else {
        return Err(Fault::Malformed);
    };
    let open = open(&web, &player).await?;
    let Some(open) = open.filter(|open| open.step == step) else {
        return closed(&page, Some(step));
    };
    // The letters of an old computer become those of today; from here on the draft is UTF-8.
    let text = player.game(&web)?.order_text(&open.view, &file)?;
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    save(&web, &player, &open, &text, DraftKind::Upload).await?;
    go_with(&web, &page.in_world("befehle"), &Flash::good("flash.uploaded"))
}
