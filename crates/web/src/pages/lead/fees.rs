//! Fees: the balances of all realms, and one booking for several of them.

use super::realm::cents;
use super::told;
use crate::Answer;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::pairs::Pairs;
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::State;
use host::membership::NOBODY;
use host::world::Seat;
use kernel::realm::RealmId;

/// A realm in the list.
struct Row {
    seat: Seat,
    /// Whether somebody plays it who could pay.
    pays: bool,
    balance: i64,
}

#[derive(Template)]
#[template(path = "lead/fees.html")]
struct Fees<'a> {
    page: &'a Page,
    rows: Vec<Row>,
    sum: i64,
}

/// `GET /welt/{world}/leitung/kasse`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let balances = web.host.balances(&master.world).await?;
    let seats = web.host.seats(&master.world).await?;
    let row = |seat: Seat| Row {
        balance: balances.get(&seat.realm).copied().unwrap_or(0),
        pays: !seat.computer && seat.player != NOBODY,
        seat,
    };
    page.show(&Fees {
        page: &page,
        rows: seats.into_iter().map(row).collect(),
        sum: balances.values().sum(),
    })
}

/// `POST /welt/{world}/leitung/kasse`: books the same of every realm that is ticked.
pub async fn book(State(web): State<Web>, page: Page, master: GameMaster, Form(sent): Form<Pairs>) -> Answer {
    let sent = sent.limited(kernel::limits::REALMS + 10)?;
    let realms: Vec<RealmId> = sent
        .all("reich")
        .filter_map(|realm| realm.parse().ok())
        .map(RealmId)
        .collect();
    let flash = match cents(sent.text("betrag")) {
        _ if realms.is_empty() => Flash::bad("flash.lead-no-realms"),
        None => Flash::bad("flash.lead-no-sum").with("sum", sent.text("betrag")),
        Some(cents) => {
            let booking = web
                .host
                .book_all(&master.world, &realms, cents, sent.text("grund").trim());
            match booking.await {
                Ok(()) => Flash::good("flash.lead-booked-all").with("count", realms.len()),
                Err(error) => told(&page, error)?,
            }
        }
    };
    go_with(&web, &page.in_world("leitung/kasse"), &flash)
}
