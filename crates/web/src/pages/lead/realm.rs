//! One realm as the game master sees it: what it handed in, who plays it, who is away, notes and fees.

use super::{show_report, told};
use crate::Answer;
use crate::error::Fault;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::pages::seat::{Stretch, appoint};
use crate::state::Web;
use crate::time;
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use host::HostError;
use host::board::Booking;
use host::desk::DeskError;
use host::membership::{Member, MembershipError, StandIn};
use host::schedule::Absence;
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
    absences: Vec<Absence>,
    stand_ins: Vec<StandIn>,
    today: String,
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
    let seat = seat_of(&web, &master, realm.0).await?;
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
            Err(HostError::NotDue { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let holders = web.host.holders(world).await?;
    let (balance, bookings) = web.host.ledger(world, realm).await?;
    let notes = web.host.notes(world).await?;
    let now = web.clock.now();
    let absences = web.host.absences(world, now).await?;
    let stand_ins = web.host.stand_ins(world, now).await?;
    page.show(&Realm {
        absences: absences.into_iter().filter(|of| of.realm == realm).collect(),
        stand_ins: stand_ins.into_iter().filter(|of| of.realm == realm).collect(),
        today: time::day(page.time_zone(), now),
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
    /// The turn; without one the last.
    #[serde(default)]
    zug: Option<u32>,
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
    let (step, view) = web.host.view(world, viewer, reading.zug).await?;
    let game = web.host.game(&world.game)?;
    let text = reading.form == "text";
    let last = world.open_step.saturating_sub(1);
    let asked = reading.zug.unwrap_or(last);
    // A realm that had no report of the turn asked for is shown the one before.
    let beside = [step.checked_sub(1), (asked < last).then_some(asked + 1)];
    let form = if text { "text" } else { "" };
    let named = |turn: u32| (format!("?zug={turn}&form={form}"), page.t1("lead.turn", "step", turn));
    let beside = beside.into_iter().flatten().map(named).collect();
    let way = page.in_world(&format!("leitung/reich/{realm}/bericht?zug={asked}&form="));
    show_report(&page, &game, view, (step, &name), (text, way), beside).await
}

/// The seat of a realm in the address.
async fn seat_of(web: &Web, master: &GameMaster, realm: u16) -> Result<Seat, Fault> {
    let seat = web.host.seat(&master.world, RealmId(realm)).await;
    seat.map_err(|_| Fault::Missing)
}

/// Leads back to the page of the realm, with what came of it.
fn back(web: &Web, page: &Page, seat: &Seat, done: Result<Flash, HostError>) -> Answer {
    let flash = match done {
        Ok(flash) => flash,
        Err(error) => told(page, error)?,
    };
    go_with(web, &page.in_world(&format!("leitung/reich/{}", seat.realm)), &flash)
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
    let seat = seat_of(&web, &master, realm).await?;
    let text = form.text.replace("\r\n", "\n");
    let noted = web.host.write_note(&master.world, Some(seat.realm), text.trim_end());
    let done = noted.await.map(|()| Flash::good("flash.lead-noted"));
    back(&web, &page, &seat, done)
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
    let seat = seat_of(&web, &master, realm).await?;
    let done = match cents(&form.betrag) {
        None => Ok(Flash::bad("flash.lead-no-sum").with("sum", &form.betrag)),
        Some(cents) => {
            let booking = web.host.book(&master.world, seat.realm, cents, form.grund.trim());
            let booked = booking.await;
            booked.map(|balance| Flash::good("flash.lead-booked").with("balance", page.money(&balance)))
        }
    };
    back(&web, &page, &seat, done)
}

/// Cents of a sum with at most two digits behind comma or point.
pub fn cents(text: &str) -> Option<i64> {
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
    let seat = seat_of(&web, &master, realm).await?;
    let text = form.befehle.replace("\r\n", "\n");
    let arrival = Arrival {
        realm: seat.realm,
        step: Some(master.world.open_step),
        file: text.as_bytes(),
        files: ArrivedFiles::default(),
    };
    let taken = web.host.submit_late(&master.world, arrival, web.clock.now()).await;
    let done = taken.map(|answer| match answer.receipt {
        Some(_) => Flash::good("flash.lead-handed-in").with("realm", &seat.name),
        None => Flash::bad("flash.lead-no-text"),
    });
    back(&web, &page, &seat, done)
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
    let seat = seat_of(&web, &master, realm).await?;
    let done = async {
        match form.wer.as_str() {
            "computer" => web.host.reseat(world, seat.realm, &seat.player, true).await,
            "frei" => web.host.vacate_seat(world, seat.realm).await,
            _ => {
                let account = web.host.account_named(form.konto.trim()).await?;
                let now = web.clock.now();
                web.host.replace_player(world, seat.realm, &account.id, now).await
            }
        }
    };
    let seated = |()| Flash::good("flash.lead-seated").with("realm", &seat.name);
    back(&web, &page, &seat, done.await.map(seated))
}

/// `POST /welt/{world}/leitung/reich/{realm}/abwesenheit`: the player told the game master by another way that he is away.
pub async fn absence(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path((_, realm)): Path<(String, u16)>,
    Form(form): Form<Stretch>,
) -> Answer {
    let seat = seat_of(&web, &master, realm).await?;
    let done = async {
        if form.tun == "streichen" {
            web.host.remove_absence(&master.world, seat.realm, form.beginn).await?;
        } else {
            let absence = form.absence(&page, seat.realm).ok_or(DeskError::BadAbsence)?;
            web.host.set_absence(&master.world, &absence).await?;
        }
        Ok(Flash::good("flash.saved"))
    };
    back(&web, &page, &seat, done.await)
}

/// `POST /welt/{world}/leitung/reich/{realm}/vertretung`: the game master lets somebody look after a realm.
pub async fn stand_in(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path((_, realm)): Path<(String, u16)>,
    Form(form): Form<Stretch>,
) -> Answer {
    let seat = seat_of(&web, &master, realm).await?;
    let done = async {
        if form.tun == "ende" {
            web.host.end_stand_in(&master.world, seat.realm, &form.konto).await?;
        } else {
            let period = form.moments(&page).ok_or(MembershipError::BadPeriod)?;
            appoint(&web, &master.world, seat.realm, form.konto.trim(), period).await?;
        }
        Ok(Flash::good("flash.saved"))
    };
    back(&web, &page, &seat, done.await)
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
