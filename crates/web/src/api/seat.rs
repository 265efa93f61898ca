//! A ruler's own affairs in a world: reminders, holidays, who stands in, missed turns.

use super::{Asked, Called, Problem, Sent, done, json, moment};
use crate::identity::Player;
use crate::page::Page;
use crate::pages::seat;
use crate::state::Web;
use crate::time;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use host::HostError;
use host::membership::MembershipError;
use host::schedule::Absence;
use host::world::World;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A time in which somebody is away.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnAbsence {
    /// From when.
    #[schema(format = DateTime)]
    from_at: String,
    /// Until when.
    #[schema(format = DateTime)]
    until_at: String,
    /// Whether the computer plays meanwhile.
    computer: bool,
    /// What you said about it.
    note: String,
}

/// Somebody who stands in.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnStandIn {
    /// Id of the account.
    account: String,
    /// Its name.
    name: String,
    /// From when.
    #[schema(format = DateTime)]
    from_at: String,
    /// Until when.
    #[schema(format = DateTime)]
    until_at: String,
}

/// A turn without orders.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnMiss {
    /// The turn.
    turn: u32,
    /// Whether it is excused.
    excused: bool,
}

/// A deadline that is known or can be foreseen.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComingDeadline {
    /// The turn.
    turn: u32,
    /// When orders are due.
    #[schema(format = DateTime)]
    due_at: String,
}

/// Your affairs in a world.
#[derive(Debug, Serialize, ToSchema)]
pub struct Affairs {
    /// Number of your realm.
    realm: u16,
    /// Its name.
    name: String,
    /// Whether you only look after it for somebody else.
    stands_in: bool,
    /// Minutes before a deadline at which you are reminded.
    reminders: Vec<u32>,
    /// The deadline of the open turn and, where the world has a rhythm, those after it as things stand.
    deadlines: Vec<ComingDeadline>,
    /// When you are away.
    absences: Vec<OwnAbsence>,
    /// Who stands in for you.
    stand_ins: Vec<OwnStandIn>,
    /// Turns for which no orders came.
    misses: Vec<OwnMiss>,
    /// What you have paid beyond your fees, in cents; none for whoever only looks after the realm.
    balance: Option<i64>,
}

/// `GET /api/v1/worlds/{world}/seat`
pub async fn show(State(web): State<Web>, player: Player) -> Called {
    let (world, realm, now) = (&player.world, player.realm(), web.clock.now());
    let absence = |of: Absence| OwnAbsence {
        from_at: moment(of.from_at),
        until_at: moment(of.until_at),
        computer: of.computer,
        note: of.note,
    };
    let stand_in = |of: host::membership::StandIn| OwnStandIn {
        account: of.account,
        name: of.name,
        from_at: moment(of.from_at),
        until_at: moment(of.until_at),
    };
    let miss = |of: host::schedule::Miss| OwnMiss {
        turn: of.step,
        excused: of.excused,
    };
    let absences = web.host.absences(world, now).await?.into_iter();
    let stand_ins = web.host.stand_ins(world, now).await?.into_iter();
    let misses = web.host.misses(world).await?.into_iter();
    let (balance, _) = web.host.ledger(world, realm).await?;
    let schedule = web.host.schedule(world).await?;
    let deadlines = seat::calendar::coming(now, world.open_step, &schedule)?;
    json(&Affairs {
        realm: realm.0,
        name: player.seat.name.clone(),
        stands_in: player.stands_in,
        reminders: web.host.reminders(world, &player.account.id).await?,
        deadlines: deadlines
            .into_iter()
            .map(|(turn, at)| ComingDeadline {
                turn,
                due_at: moment(at),
            })
            .collect(),
        absences: absences.filter(|of| of.realm == realm).map(absence).collect(),
        stand_ins: stand_ins.filter(|of| of.realm == realm).map(stand_in).collect(),
        misses: misses.filter(|of| of.realm == realm).map(miss).collect(),
        balance: (!player.stands_in).then_some(balance),
    })
}

/// When to be reminded.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemindersSent {
    /// Minutes before a deadline, at most five times.
    #[schema(max_items = 5)]
    minutes: Vec<u32>,
}

/// `PUT /api/v1/worlds/{world}/seat/reminders`
pub async fn remind(State(web): State<Web>, player: Player, Sent(sent): Sent<RemindersSent>) -> Called {
    let (account, now) = (&player.account.id, web.clock.now());
    web.host
        .set_reminders(&player.world, account, &sent.minutes, now)
        .await?;
    done()
}

/// Which world is left.
#[derive(Debug, Deserialize, IntoParams)]
pub struct DepartureAsked {
    /// The name of your realm, so that nobody leaves by mistake.
    realm: String,
}

/// `DELETE /api/v1/worlds/{world}/seat`
pub async fn depart(State(web): State<Web>, player: Player, Asked(asked): Asked<DepartureAsked>) -> Called {
    match seat::depart(&web, &player, &asked.realm).await? {
        true => done(),
        false => Err(Problem::refused(&"realm")),
    }
}

/// Days, by the time zone of your account.
pub fn days(page: &Page, first: &str, last: &str) -> Result<(i64, i64), Problem> {
    let zone = page.time_zone();
    let period = time::day_begins(zone, first).zip(time::day_ends(zone, last));
    let period = period.filter(|(from, until)| until > from);
    period.ok_or_else(|| Problem::refused(&"first_day, last_day"))
}

/// Days on which you are away.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbsenceSent {
    /// The first day, by the time zone of your account.
    #[schema(format = Date, example = "2026-12-24")]
    first_day: String,
    /// The last day.
    #[schema(format = Date, example = "2027-01-06")]
    last_day: String,
    /// Whether the computer plays meanwhile.
    #[serde(default)]
    computer: bool,
    /// Why, for the game master.
    #[serde(default)]
    note: String,
}

impl AbsenceSent {
    /// The absence of a realm's player.
    pub fn of(self, page: &Page, realm: RealmId) -> Result<Absence, Problem> {
        let (from_at, until_at) = days(page, &self.first_day, &self.last_day)?;
        Ok(Absence {
            realm,
            from_at,
            until_at,
            computer: self.computer,
            note: self.note.trim().to_owned(),
        })
    }
}

/// `POST /api/v1/worlds/{world}/seat/absences`
pub async fn leave(State(web): State<Web>, page: Page, player: Player, Sent(sent): Sent<AbsenceSent>) -> Called {
    seat::holder(&player)?;
    let absence = sent.of(&page, player.realm())?;
    web.host.set_absence(&player.world, &absence).await?;
    done()
}

/// An absence.
#[derive(Debug, Deserialize, IntoParams)]
pub struct AbsenceAsked {
    /// When it begins, as the list says.
    from_at: String,
}

/// Strikes out the absence of a realm's player.
pub async fn strike_out(web: &Web, world: &World, realm: RealmId, asked: &AbsenceAsked) -> Called {
    let absences = web.host.absences(world, web.clock.now()).await?;
    let mut own = absences.into_iter().filter(|of| of.realm == realm);
    let meant = own.find(|of| moment(of.from_at) == asked.from_at);
    let meant = meant.ok_or_else(Problem::missing)?;
    web.host.remove_absence(world, realm, meant.from_at).await?;
    done()
}

/// `DELETE /api/v1/worlds/{world}/seat/absences`
pub async fn stay(State(web): State<Web>, player: Player, Asked(asked): Asked<AbsenceAsked>) -> Called {
    seat::holder(&player)?;
    strike_out(&web, &player.world, player.realm(), &asked).await
}

/// Who shall stand in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StandInSent {
    /// Name of the account.
    #[schema(min_length = 1, max_length = 254)]
    pub account: String,
    /// The first day, by the time zone of your account.
    #[schema(format = Date, example = "2026-12-24")]
    pub first_day: String,
    /// The last day.
    #[schema(format = Date, example = "2027-01-06")]
    pub last_day: String,
}

/// `POST /api/v1/worlds/{world}/seat/stand-ins`
pub async fn hand_over(State(web): State<Web>, page: Page, player: Player, Sent(sent): Sent<StandInSent>) -> Called {
    seat::holder(&player)?;
    let period = days(&page, &sent.first_day, &sent.last_day)?;
    match seat::appoint(&web, &player.world, player.realm(), sent.account.trim(), period).await {
        Ok(()) => done(),
        Err(HostError::Membership(MembershipError::BadPeriod)) => Err(Problem::refused(&"first_day, last_day")),
        // Why is not said, or one could find out who plays here.
        Err(HostError::Membership(_) | HostError::Account(_)) => {
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "no-stand-in"))
        }
        Err(error) => Err(error.into()),
    }
}

/// A stand-in in an address.
#[derive(Deserialize)]
pub struct StandInPath {
    account: String,
}

/// `DELETE /api/v1/worlds/{world}/seat/stand-ins/{account}`
pub async fn take_over(State(web): State<Web>, player: Player, Path(path): Path<StandInPath>) -> Called {
    seat::holder(&player)?;
    match web
        .host
        .end_stand_in(&player.world, player.realm(), &path.account)
        .await?
    {
        true => done(),
        false => Err(Problem::missing()),
    }
}
