//! The game master's desk: realms and what they handed in, notes, fees, seats, announcements, invitations, the record.

use super::player::{Made, Stand};
use super::seat::{self, AbsenceAsked, AbsenceSent, StandInSent};
use super::{Asked, Called, Finding, Problem, Sent, done, json, json_as, moment};
use crate::identity::GameMaster;
use crate::page::Page;
use crate::pages;
use crate::pages::lead::{self, overview};
use crate::state::Web;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use host::HostError;
use host::membership::{Invited, NewInvitation};
use host::submission::Arrival;
use kernel::game::ArrivedFiles;
use kernel::realm::{RealmId, Viewer};
use render::locale::Wording;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A realm in the list.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatEntry {
    /// Where it stands.
    standing: Stand,
    /// Who plays it.
    player: String,
    /// Errors in what it handed in; none if that was not looked at, as in very large worlds.
    errors: Option<usize>,
    /// Warnings in it.
    warnings: Option<usize>,
}

/// All realms.
#[derive(Debug, Serialize, ToSchema)]
pub struct Seats {
    /// The turn that is open.
    turn: u32,
    /// Whether the world has come to its end.
    over: bool,
    /// Realms of people that owe orders.
    owing: usize,
    /// Those of them that handed in.
    handed_in: usize,
    /// The realms.
    seats: Vec<SeatEntry>,
}

/// `GET /api/v1/worlds/{world}/lead/seats`
pub async fn seats(State(web): State<Web>, master: GameMaster) -> Called {
    let (step, standings) = web.host.standings(&master.world).await?;
    let look = standings.len() <= overview::READ;
    let mut seats = Vec::with_capacity(standings.len());
    for standing in &standings {
        let found = if look {
            overview::findings(&web, &master.world, standing).await?
        } else {
            None
        };
        seats.push(SeatEntry {
            standing: Stand::of(standing),
            player: standing.player.clone(),
            errors: found.map(|(errors, _)| errors),
            warnings: found.map(|(_, warnings)| warnings),
        });
    }
    let owing = standings.iter().filter(|of| of.owes && !of.computer);
    json(&Seats {
        turn: step.number,
        over: step.over,
        handed_in: owing.clone().filter(|of| of.receipt.is_some()).count(),
        owing: owing.count(),
        seats,
    })
}

/// A realm in an address.
#[derive(Deserialize)]
pub struct RealmPath {
    realm: u16,
}

/// A payment or a fee.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookingEntry {
    /// Its number.
    number: u32,
    /// How much, in cents; a fee is negative.
    cents: i64,
    /// Why.
    reason: String,
    /// When.
    #[schema(format = DateTime)]
    booked_at: String,
}

/// A realm as the game master sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatFile {
    /// Where it stands.
    standing: Option<Stand>,
    /// Who plays it.
    player: String,
    /// Name of the account that holds the seat.
    account: Option<String>,
    /// Whether somebody may take the seat.
    vacant: bool,
    /// What it handed in.
    orders: Option<String>,
    /// What is wrong with it.
    findings: Vec<Finding>,
    /// Your note.
    note: String,
    /// What it has paid beyond its fees, in cents.
    balance: i64,
    /// Payments and fees.
    bookings: Vec<BookingEntry>,
}

/// `GET /api/v1/worlds/{world}/lead/seats/{realm}`
pub async fn seat(State(web): State<Web>, page: Page, master: GameMaster, Path(path): Path<RealmPath>) -> Called {
    let (world, realm) = (&master.world, RealmId(path.realm));
    let seat = web.host.seat(world, realm).await?;
    let (_, standings) = web.host.standings(world).await?;
    let file = web.host.orders(world, world.open_step, realm).await?;
    let mut findings = Vec::new();
    if let Some(file) = &file {
        let arrival = Arrival {
            realm,
            step: None,
            file,
            files: ArrivedFiles::default(),
        };
        match web.host.check(world, arrival).await {
            Ok(answer) => {
                let wording = Wording::of(&world.game, page.words.language());
                findings = Finding::all(wording, &answer.diagnostics);
            }
            Err(HostError::NotDue { .. } | HostError::Over(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let holders = web.host.holders(world).await?;
    let (balance, bookings) = web.host.ledger(world, realm).await?;
    let notes = web.host.notes(world).await?;
    json(&SeatFile {
        standing: standings.iter().find(|of| of.realm == realm).map(Stand::of),
        player: seat.player,
        account: holders
            .into_iter()
            .find(|holder| holder.realm == Some(realm))
            .map(|holder| holder.name),
        vacant: seat.vacant,
        orders: file.map(|file| String::from_utf8_lossy(&file).replace("\r\n", "\n")),
        findings,
        note: notes
            .into_iter()
            .find_map(|(of, text)| (of == Some(realm)).then_some(text))
            .unwrap_or_default(),
        balance,
        bookings: bookings
            .into_iter()
            .map(|of| BookingEntry {
                number: of.number,
                cents: of.cents,
                reason: of.reason,
                booked_at: moment(of.booked_at),
            })
            .collect(),
    })
}

/// A text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TextSent {
    /// The text.
    text: String,
}

/// `PUT /api/v1/worlds/{world}/lead/seats/{realm}/note`
pub async fn note(
    State(web): State<Web>,
    master: GameMaster,
    Path(path): Path<RealmPath>,
    Sent(sent): Sent<TextSent>,
) -> Called {
    let seat = web.host.seat(&master.world, RealmId(path.realm)).await?;
    let text = sent.text.replace("\r\n", "\n");
    web.host
        .write_note(&master.world, Some(seat.realm), text.trim_end())
        .await?;
    done()
}

/// A payment or a fee to book.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BookingSent {
    /// How much, in cents; a fee is negative.
    #[schema(minimum = -100_000_000, maximum = 100_000_000)]
    cents: i64,
    /// Why.
    #[schema(min_length = 1, max_length = 80)]
    reason: String,
}

/// What a realm has paid beyond its fees.
#[derive(Debug, Serialize, ToSchema)]
pub struct Balance {
    /// In cents.
    balance: i64,
}

/// `POST /api/v1/worlds/{world}/lead/seats/{realm}/bookings`
pub async fn book(
    State(web): State<Web>,
    master: GameMaster,
    Path(path): Path<RealmPath>,
    Sent(sent): Sent<BookingSent>,
) -> Called {
    let seat = web.host.seat(&master.world, RealmId(path.realm)).await?;
    let booking = web.host.book(&master.world, seat.realm, sent.cents, sent.reason.trim());
    let balance = booking.await?;
    json_as(StatusCode::CREATED, &Balance { balance })
}

/// Who shall have a seat.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Whom {
    /// The computer plays it.
    Computer,
    /// Nobody holds it; somebody may take it.
    Vacant,
    /// An account.
    Account,
}

/// A seat to be given to somebody.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatSent {
    /// To whom.
    to: Whom,
    /// Name of the account.
    #[serde(default)]
    account: String,
}

/// `PUT /api/v1/worlds/{world}/lead/seats/{realm}/player`
pub async fn reseat(
    State(web): State<Web>,
    master: GameMaster,
    Path(path): Path<RealmPath>,
    Sent(sent): Sent<SeatSent>,
) -> Called {
    let (world, realm) = (&master.world, RealmId(path.realm));
    let seat = web.host.seat(world, realm).await?;
    let deed = async {
        match sent.to {
            Whom::Computer => web.host.reseat(world, realm, &seat.player, true).await,
            Whom::Vacant => web.host.vacate_seat(world, realm).await,
            Whom::Account => {
                let account = web.host.account_named(sent.account.trim()).await?;
                let now = web.clock.now();
                web.host.replace_player(world, realm, &account.id, now).await
            }
        }
    };
    deed.await?;
    done()
}

/// `POST /api/v1/worlds/{world}/lead/seats/{realm}/absences`
pub async fn send_away(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path(path): Path<RealmPath>,
    Sent(sent): Sent<AbsenceSent>,
) -> Called {
    let seat = web.host.seat(&master.world, RealmId(path.realm)).await?;
    web.host
        .set_absence(&master.world, &sent.of(&page, seat.realm)?)
        .await?;
    done()
}

/// `DELETE /api/v1/worlds/{world}/lead/seats/{realm}/absences`
pub async fn call_back(
    State(web): State<Web>,
    master: GameMaster,
    Path(path): Path<RealmPath>,
    Asked(asked): Asked<AbsenceAsked>,
) -> Called {
    seat::strike_out(&web, &master.world, RealmId(path.realm), &asked).await
}

/// `POST /api/v1/worlds/{world}/lead/seats/{realm}/stand-ins`
pub async fn appoint(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path(path): Path<RealmPath>,
    Sent(sent): Sent<StandInSent>,
) -> Called {
    let seat = web.host.seat(&master.world, RealmId(path.realm)).await?;
    let period = seat::days(&page, &sent.first_day, &sent.last_day)?;
    pages::seat::appoint(&web, &master.world, seat.realm, sent.account.trim(), period).await?;
    done()
}

/// A stand-in in an address.
#[derive(Deserialize)]
pub struct StandInPath {
    realm: u16,
    account: String,
}

/// `DELETE /api/v1/worlds/{world}/lead/seats/{realm}/stand-ins/{account}`
pub async fn dismiss(State(web): State<Web>, master: GameMaster, Path(path): Path<StandInPath>) -> Called {
    let (world, realm) = (&master.world, RealmId(path.realm));
    match web.host.end_stand_in(world, realm, &path.account).await? {
        true => done(),
        false => Err(Problem::missing()),
    }
}

/// What a realm has paid beyond its fees.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceEntry {
    /// Number of the realm.
    realm: u16,
    /// Its name.
    name: String,
    /// In cents.
    balance: i64,
}

/// All balances.
#[derive(Debug, Serialize, ToSchema)]
pub struct Balances {
    /// By realm.
    balances: Vec<BalanceEntry>,
}

/// `GET /api/v1/worlds/{world}/lead/balances`
pub async fn balances(State(web): State<Web>, master: GameMaster) -> Called {
    let booked = web.host.balances(&master.world).await?;
    let seats = web.host.seats(&master.world).await?;
    let entry = |seat: host::world::Seat| BalanceEntry {
        realm: seat.realm.0,
        balance: booked.get(&seat.realm).copied().unwrap_or(0),
        name: seat.name,
    };
    json(&Balances {
        balances: seats.into_iter().map(entry).collect(),
    })
}

/// A payment or a fee of several realms.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BookingsSent {
    /// Numbers of the realms.
    realms: Vec<u16>,
    /// How much of each, in cents; a fee is negative.
    #[schema(minimum = -100_000_000, maximum = 100_000_000)]
    cents: i64,
    /// Why.
    #[schema(min_length = 1, max_length = 80)]
    reason: String,
}

/// `POST /api/v1/worlds/{world}/lead/bookings`: all of them or none.
pub async fn book_all(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<BookingsSent>) -> Called {
    let realms: Vec<RealmId> = sent.realms.into_iter().map(RealmId).collect();
    web.host
        .book_all(&master.world, &realms, sent.cents, sent.reason.trim())
        .await?;
    done()
}

/// An announcement.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoticeSent {
    /// Its title.
    #[schema(min_length = 1, max_length = 80)]
    title: String,
    /// Its text.
    text: String,
}

/// `POST /api/v1/worlds/{world}/lead/announcements`
pub async fn announce(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<NoticeSent>) -> Called {
    let text = sent.text.replace("\r\n", "\n");
    let deed = web.host.announce(&master.world, sent.title.trim(), text.trim());
    let number = deed.await?;
    json_as(StatusCode::CREATED, &Made { id: number.to_string() })
}

/// Who was asked for orders.
#[derive(Debug, Serialize, ToSchema)]
pub struct Chased {
    /// How many mails that makes.
    mails: usize,
}

/// `POST /api/v1/worlds/{world}/lead/chase`
pub async fn chase(State(web): State<Web>, master: GameMaster) -> Called {
    let mails = web.host.chase(&master.world, None, web.clock.now()).await?;
    json(&Chased { mails })
}

/// Something that was done.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeedEntry {
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// The account that did it; nothing for the command line and the host itself.
    who: Option<String>,
    /// Name of that account; nothing for one that is gone.
    name: Option<String>,
    /// What, for programs.
    deed: String,
    /// What, in words.
    text: String,
    /// More about it.
    detail: String,
}

/// A turn that was taken back.
#[derive(Debug, Serialize, ToSchema)]
pub struct WithdrawnTurn {
    /// The turn.
    turn: u32,
    /// Why.
    reason: String,
    /// When it had been run.
    #[schema(format = DateTime)]
    ran_at: String,
    /// When it was taken back.
    #[schema(format = DateTime)]
    withdrawn_at: String,
}

/// The record of a world.
#[derive(Debug, Serialize, ToSchema)]
pub struct Record {
    /// What was done, the newest first.
    deeds: Vec<DeedEntry>,
    /// The turns that were taken back.
    withdrawn: Vec<WithdrawnTurn>,
}

/// `GET /api/v1/worlds/{world}/lead/record`
pub async fn record(State(web): State<Web>, page: Page, master: GameMaster) -> Called {
    let deeds = web
        .host
        .record(&master.world, Some(Viewer::GameMaster), lead::RECORD)
        .await?;
    let withdrawn = web.host.withdrawn(&master.world).await?;
    let names = lead::names(&web, &master.world).await?;
    let deed = |of: host::desk::Deed| DeedEntry {
        at: moment(of.at),
        text: page.told(&of, &names),
        who: of.who,
        name: of.name,
        deed: of.deed,
        detail: of.detail,
    };
    let back = |of: host::desk::Withdrawn| WithdrawnTurn {
        turn: of.step,
        reason: of.reason,
        ran_at: moment(of.ran_at),
        withdrawn_at: moment(of.withdrawn_at),
    };
    json(&Record {
        deeds: deeds.into_iter().map(deed).collect(),
        withdrawn: withdrawn.into_iter().map(back).collect(),
    })
}

/// An invitation.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvitationEntry {
    /// Its code.
    code: String,
    /// To what: `player`, `seat` or `master`.
    to: &'static str,
    /// The realm, if it is for one.
    realm: Option<u16>,
    /// How often it can be used.
    uses_left: u32,
    /// Your remark.
    note: String,
    /// When it ends.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
}

fn invitation_entry(of: host::membership::Invitation) -> InvitationEntry {
    let (to, realm) = match of.to {
        Invited::Player => ("player", None),
        Invited::Seat(realm) => ("seat", Some(realm.0)),
        Invited::Master => ("master", None),
    };
    InvitationEntry {
        code: of.code,
        to,
        realm,
        uses_left: of.uses_left,
        note: of.note,
        expires_at: of.expires_at.map(moment),
    }
}

/// The invitations that hold.
#[derive(Debug, Serialize, ToSchema)]
pub struct Invitations {
    /// The invitations.
    invitations: Vec<InvitationEntry>,
}

/// `GET /api/v1/worlds/{world}/lead/invitations`
pub async fn invitations(State(web): State<Web>, master: GameMaster) -> Called {
    let all = web.host.invitations(&master.world, web.clock.now()).await?;
    json(&Invitations {
        invitations: all.into_iter().map(invitation_entry).collect(),
    })
}

/// Whom to invite.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationSent {
    /// The realm; without one, any that is free.
    realm: Option<u16>,
    /// Whether to lead the world.
    #[serde(default)]
    master: bool,
    /// How often it can be used; once, unless you say otherwise.
    #[schema(minimum = 1, maximum = 1_000)]
    uses: Option<u32>,
    /// Your remark.
    #[serde(default)]
    #[schema(max_length = 80)]
    note: String,
}

/// `POST /api/v1/worlds/{world}/lead/invitations`
pub async fn invite(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<InvitationSent>) -> Called {
    let new = NewInvitation {
        to: match sent.realm {
            _ if sent.master => Invited::Master,
            Some(realm) => Invited::Seat(RealmId(realm)),
            None => Invited::Player,
        },
        uses: sent.uses.unwrap_or(1),
        note: sent.note.trim().to_owned(),
        expires_at: None,
    };
    let deed = web
        .host
        .invite(&master.world, &new, Some(&master.account.id), web.clock.now());
    let made = deed.await?;
    json_as(StatusCode::CREATED, &invitation_entry(made))
}

/// An invitation in an address.
#[derive(Deserialize)]
pub struct CodePath {
    code: String,
}

/// `DELETE /api/v1/worlds/{world}/lead/invitations/{code}`
pub async fn revoke(State(web): State<Web>, master: GameMaster, Path(path): Path<CodePath>) -> Called {
    let deed = web.host.revoke_invitation(&master.world, &path.code);
    if !deed.await? {
        return Err(Problem::missing());
    }
    done()
}
