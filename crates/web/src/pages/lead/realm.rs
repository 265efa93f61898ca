//! One realm as the game master sees it: what it handed in, who plays it, notes and fees.

use super::{show_report, told};
use crate::Answer;
use crate::error::Fault;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use host::board::Booking;
use host::membership::Member;
use host::submission::{Arrival, Standing};
use host::world::Seat;
use kernel::diagnostic::Severity;
use kernel::game::ArrivedFiles;
use kernel::realm::{RealmId, Viewer};
use serde::Deserialize;

/// A finding about what was handed in, ready to be read.
struct Finding {
    severity: Severity,
    line: u32,
    column: u32,
    code: String,
    text: String,
    expected: String,
}

#[derive(Template)]
#[template(path = "lead/realm.html")]
struct Realm<'a> {
    page: &'a Page,
    seat: Seat,
    holder: Option<Member>,
    standing: Option<Standing>,
    orders: Option<String>,
    findings: Vec<Finding>,
    note: String,
    balance: i64,
    bookings: Vec<Booking>,
}

/// `GET /welt/{world}/leitung/reich/{realm}`
pub async fn show(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path((_, realm)): Path<(String, u16)>,
) -> Answer {
    let world = &master.world;
    let realm = RealmId(realm);
    let seat = web.host.seat(world, realm).await.map_err(|_| Fault::Missing)?;
    let (_, standings) = web.host.standings(world).await?;
    let file = web.host.orders(world, world.open_step, realm).await?;
    let mut findings = Vec::new();
    if let Some(file) = &file {
        let wording = render::locale::Wording::of(&world.game, page.words.language());
        let arrival = Arrival {
            realm,
            step: None,
            file,
            files: ArrivedFiles::default(),
        };
        match web.host.check(world, arrival).await {
            Ok(answer) => findings.extend(answer.diagnostics.iter().map(|diagnostic| {
                let (text, expected) = wording.fault(diagnostic);
                Finding {
                    severity: diagnostic.severity,
                    line: diagnostic.span.line,
                    column: diagnostic.span.column,
                    code: diagnostic.code.to_string(),
                    text,
                    expected,
                }
            })),
            Err(host::HostError::NotDue { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let holders = web.host.holders(world).await?;
    let (balance, bookings) = web.host.ledger(world, realm).await?;
    let notes = web.host.notes(world).await?;
    page.show(&Realm {
        page: &page,
        holder: holders.into_iter().find(|holder| holder.realm == Some(realm)),
        standing: standings.into_iter().find(|standing| standing.realm == realm),
        orders: file.map(|file| String::from_utf8_lossy(&file).replace("\r\n", "\n")),
        findings,
        note: notes
            .into_iter()
            .find_map(|(of, text)| (of == Some(realm)).then_some(text))
            .unwrap_or_default(),
        balance,
        bookings,
        seat,
    })
}

/// How a report is read.
#[derive(Debug, Default, Deserialize)]
pub struct Reading {
    /// `text` for the plain text of the file.
    #[serde(default)]
    form: String,
}

/// `GET /welt/{world}/leitung/reich/{realm}/bericht`
pub async fn report(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path((_, realm)): Path<(String, u16)>,
    Query(reading): Query<Reading>,
) -> Answer {
    let world = &master.world;
    let (viewer, name) = match realm {
        0 => (Viewer::GameMaster, page.t("lead.master")),
        realm => {
            let seat = web.host.seat(world, RealmId(realm)).await;
            (Viewer::Realm(RealmId(realm)), seat.map_err(|_| Fault::Missing)?.name)
        }
    };
    let (step, view) = web.host.view(world, viewer, None).await?;
    let game = web.host.game(&world.game)?;
    let way = page.in_world(&format!("leitung/reich/{realm}/bericht?form="));
    show_report(&page, &game, view, (step, &name), (reading.form == "text", way)).await
}

/// A note.
#[derive(Deserialize)]
pub struct Note {
    text: String,
}

/// `POST /welt/{world}/leitung/reich/{realm}/notiz`
pub async fn note(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path((_, realm)): Path<(String, u16)>,
    Form(form): Form<Note>,
) -> Answer {
    let seat = web
        .host
        .seat(&master.world, RealmId(realm))
        .await
        .map_err(|_| Fault::Missing)?;
    let text = form.text.replace("\r\n", "\n");
    let flash = match web
        .host
        .write_note(&master.world, Some(seat.realm), text.trim_end())
        .await
    {
        Ok(()) => Flash::good("flash.lead-noted"),
        Err(error) => told(error)?,
    };
    go_with(&web, &page.in_world(&format!("leitung/reich/{realm}")), &flash)
}

/// A payment or a fee, as people write it: `20,00` or `-3.50`.
#[derive(Deserialize)]
pub struct Payment {
    betrag: String,
    grund: String,
}

/// `POST /welt/{world}/leitung/reich/{realm}/buchung`
pub async fn book(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path((_, realm)): Path<(String, u16)>,
    Form(form): Form<Payment>,
) -> Answer {
    let flash = match cents(&form.betrag) {
        None => Flash::bad("flash.lead-no-sum").with("sum", &form.betrag),
        Some(cents) => {
            let booking = web.host.book(&master.world, RealmId(realm), cents, form.grund.trim());
            match booking.await {
                Ok(balance) => Flash::good("flash.lead-booked").with("balance", page.money(&balance)),
                Err(error) => told(error)?,
            }
        }
    };
    go_with(&web, &page.in_world(&format!("leitung/reich/{realm}")), &flash)
}

/// Cents of a sum with at most two digits behind comma or point.
fn cents(text: &str) -> Option<i64> {
    let text = text.trim().trim_end_matches('€').trim().replace('\u{2212}', "-");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(&text)),
    };
    let (whole, part) = digits.split_once([',', '.']).unwrap_or((digits, ""));
    let number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 12 || part.len() > 2 || !number(whole) || !number(part) {
        return None;
    }
    let part: i64 = format!("{part:0<2}").parse().ok()?;
    Some(sign * (whole.parse::<i64>().ok()? * 100 + part))
}

/// Orders that came to the game master by another way.
#[derive(Deserialize)]
pub struct Paper {
    befehle: String,
}

/// `POST /welt/{world}/leitung/reich/{realm}/befehle`: the game master hands orders in for a realm, also after the deadline.
pub async fn hand_in(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path((_, realm)): Path<(String, u16)>,
    Form(form): Form<Paper>,
) -> Answer {
    let world = &master.world;
    let seat = web.host.seat(world, RealmId(realm)).await.map_err(|_| Fault::Missing)?;
    let text = form.befehle.replace("\r\n", "\n");
    let arrival = Arrival {
        realm: seat.realm,
        step: Some(world.open_step),
        file: text.as_bytes(),
        files: ArrivedFiles::default(),
    };
    let deed = web.host.submit_late(world, arrival, web.clock.now());
    let flash = match deed.await {
        Ok(answer) if answer.receipt.is_none() => Flash::bad("flash.lead-no-text"),
        Ok(_) => Flash::good("flash.lead-handed-in").with("realm", &seat.name),
        Err(error) => told(error)?,
    };
    go_with(&web, &page.in_world(&format!("leitung/reich/{realm}")), &flash)
}

/// What happens with a seat.
#[derive(Deserialize)]
pub struct SeatForm {
    /// `computer`, `frei` or `spieler`.
    wer: String,
    /// Name of the account that gets the seat.
    #[serde(default)]
    konto: String,
}

/// `POST /welt/{world}/leitung/reich/{realm}/sitz`
pub async fn seat(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path((_, realm)): Path<(String, u16)>,
    Form(form): Form<SeatForm>,
) -> Answer {
    let world = &master.world;
    let realm_id = RealmId(realm);
    let seat = web.host.seat(world, realm_id).await.map_err(|_| Fault::Missing)?;
    let done = async {
        match form.wer.as_str() {
            "computer" => web.host.reseat(world, realm_id, &seat.player, true).await,
            "frei" => web.host.vacate_seat(world, realm_id).await,
            _ => {
                let account = web.host.find_account(form.konto.trim()).await?;
                web.host
                    .assign_seat(world, realm_id, &account.id, web.clock.now())
                    .await?;
                Ok(())
            }
        }
    };
    let flash = match done.await {
        Ok(()) => Flash::good("flash.lead-seated").with("realm", &seat.name),
        Err(error @ (host::HostError::Account(_) | host::HostError::Membership(_))) => {
            Flash::bad("flash.lead-refused").with("why", error)
        }
        Err(error) => told(error)?,
    };
    go_with(&web, &page.in_world(&format!("leitung/reich/{realm}")), &flash)
}

#[cfg(test)]
mod tests {
    use super::cents;

    #[test]
    fn sums_are_read_as_people_write_them() {
        assert_eq!(cents("20"), Some(2_000));
        assert_eq!(cents(" 20,5 € "), Some(2_050));
        assert_eq!(cents("-3.50"), Some(-350));
        assert_eq!(cents("\u{2212}0,05"), Some(-5));
        assert_eq!(cents("+1,00"), Some(100));
        for wrong in ["", "-", ",5", "1,234", "1.000,00", "zehn", "1e3", "9999999999999"] {
            assert_eq!(cents(wrong), None, "{wrong:?}");
        }
    }
}
