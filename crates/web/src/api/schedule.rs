//! Deadlines: the next one, what happens at it, the rhythm, pauses, misses.

use super::player::Due;
use super::{Asked, Called, Problem, Sent, done, json, moment};
use crate::identity::GameMaster;
use crate::state::Web;
use axum::extract::{Path, State};
use host::schedule::{AtDeadline, Pause, Policy, Rhythm, moment_of};
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What happens when orders are due.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// The game master runs the turn.
    ByHand,
    /// The turn is run if all orders are there.
    Complete,
    /// The turn is run.
    Always,
}

/// How a world treats its deadlines.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyBody {
    /// What happens.
    then: Then,
    /// How long orders count after the deadline, in minutes.
    #[schema(maximum = 20_160)]
    grace_minutes: u32,
    /// Whether the turn is run before the deadline once all orders are there.
    early: bool,
}

/// The rhythm of a world.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RhythmBody {
    /// Its time zone, such as `Europe/Berlin`.
    zone: String,
    /// Days of the week, 1 for Monday to 7 for Sunday.
    weekdays: Vec<u8>,
    /// Minute of the day.
    #[schema(maximum = 1439)]
    minute: u16,
    /// Every how many weeks.
    every_weeks: u16,
    /// A day of a week in which there is a deadline, such as `2026-11-29`; empty for any.
    #[serde(default)]
    anchor: String,
    /// Hours that players have at least.
    hours_min: u32,
}

/// Days without deadlines.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PauseBody {
    /// The first day.
    #[schema(format = Date, example = "2026-12-24")]
    first_day: String,
    /// The last day.
    #[schema(format = Date, example = "2027-01-06")]
    last_day: String,
    /// Why.
    #[serde(default)]
    note: String,
}

/// A deadline that a realm missed.
#[derive(Debug, Serialize, ToSchema)]
pub struct MissEntry {
    /// The turn.
    turn: u32,
    /// The realm.
    realm: u16,
    /// Whether it is excused.
    excused: bool,
}

/// When a realm is away.
#[derive(Debug, Serialize, ToSchema)]
pub struct AbsenceEntry {
    /// The realm.
    realm: u16,
    /// From when.
    #[schema(format = DateTime)]
    from_at: String,
    /// Until when.
    #[schema(format = DateTime)]
    until_at: String,
    /// Whether the computer plays for it.
    computer: bool,
    /// What its player says.
    note: String,
}

/// The deadlines of a world.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScheduleFile {
    /// The next deadline.
    deadline: Option<Due>,
    /// What happens at it.
    policy: PolicyBody,
    /// The rhythm.
    rhythm: Option<RhythmBody>,
    /// Days without deadlines.
    pauses: Vec<PauseBody>,
    /// Who is away.
    absences: Vec<AbsenceEntry>,
    /// Who missed which deadline.
    misses: Vec<MissEntry>,
}

/// `GET /api/v1/worlds/{world}/lead/schedule`
pub async fn show(State(web): State<Web>, master: GameMaster) -> Called {
    let world = &master.world;
    let schedule = web.host.schedule(world).await?;
    let absences = web.host.absences(world, web.clock.now()).await?;
    let misses = web.host.misses(world).await?;
    let absence = |of: host::schedule::Absence| AbsenceEntry {
        realm: of.realm.0,
        from_at: moment(of.from_at),
        until_at: moment(of.until_at),
        computer: of.computer,
        note: of.note,
    };
    let miss = |of: host::schedule::Miss| MissEntry {
        turn: of.step,
        realm: of.realm.0,
        excused: of.excused,
    };
    json(&ScheduleFile {
        deadline: schedule.deadline.as_ref().map(Due::of),
        policy: PolicyBody {
            then: match schedule.policy.run {
                AtDeadline::ByHand => Then::ByHand,
                AtDeadline::Complete => Then::Complete,
                AtDeadline::Always => Then::Always,
            },
            grace_minutes: schedule.policy.grace_minutes,
            early: schedule.policy.early,
        },
        rhythm: schedule.rhythm.map(|of| RhythmBody {
            zone: of.zone,
            weekdays: of.weekdays,
            minute: of.minute,
            every_weeks: of.every_weeks,
            anchor: of.anchor,
            hours_min: of.hours_min,
        }),
        pauses: schedule
            .pauses
            .into_iter()
            .map(|of| PauseBody {
                first_day: of.first_day,
                last_day: of.last_day,
                note: of.note,
            })
            .collect(),
        absences: absences.into_iter().map(absence).collect(),
        misses: misses.into_iter().map(miss).collect(),
    })
}

/// When orders are due.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeadlineSent {
    /// The moment, such as `2026-11-29T20:00:00+01:00`; nothing takes the deadline away.
    #[schema(format = DateTime)]
    due_at: Option<String>,
}

/// `PUT /api/v1/worlds/{world}/lead/deadline`
pub async fn set_deadline(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<DeadlineSent>) -> Called {
    let due = match sent.due_at.as_deref() {
        None => None,
        Some(text) => Some(moment_of(text)?),
    };
    let deed = web.host.set_deadline(&master.world, due, web.clock.now());
    deed.await?;
    done()
}

/// `PUT /api/v1/worlds/{world}/lead/policy`
pub async fn set_policy(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<PolicyBody>) -> Called {
    let policy = Policy {
        grace_minutes: sent.grace_minutes,
        run: match sent.then {
            Then::ByHand => AtDeadline::ByHand,
            Then::Complete => AtDeadline::Complete,
            Then::Always => AtDeadline::Always,
        },
        early: sent.early,
    };
    let deed = web.host.set_policy(&master.world, policy, web.clock.now());
    deed.await?;
    done()
}

/// The rhythm of a world, or none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RhythmSent {
    /// The rhythm; nothing ends it.
    rhythm: Option<RhythmBody>,
}

/// `PUT /api/v1/worlds/{world}/lead/rhythm`
pub async fn set_rhythm(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<RhythmSent>) -> Called {
    let rhythm = sent.rhythm.map(|of| Rhythm {
        zone: of.zone,
        weekdays: of.weekdays,
        minute: of.minute,
        every_weeks: of.every_weeks,
        anchor: of.anchor,
        hours_min: of.hours_min,
    });
    let deed = web.host.set_rhythm(&master.world, rhythm.as_ref(), web.clock.now());
    deed.await?;
    done()
}

/// `POST /api/v1/worlds/{world}/lead/pauses`
pub async fn add_pause(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<PauseBody>) -> Called {
    let pause = Pause {
        first_day: sent.first_day,
        last_day: sent.last_day,
        note: sent.note.trim().to_owned(),
    };
    let deed = web.host.add_pause(&master.world, &pause, web.clock.now());
    deed.await?;
    done()
}

/// A pause.
#[derive(Debug, Deserialize, IntoParams)]
pub struct PauseAsked {
    /// Its first day.
    first_day: String,
    /// Its last day.
    last_day: String,
}

/// `DELETE /api/v1/worlds/{world}/lead/pauses`
pub async fn end_pause(State(web): State<Web>, master: GameMaster, Asked(asked): Asked<PauseAsked>) -> Called {
    let deed = web.host.remove_pause(&master.world, &asked.first_day, &asked.last_day);
    if !deed.await? {
        return Err(Problem::missing());
    }
    done()
}

/// A miss in an address.
#[derive(Deserialize)]
pub struct MissPath {
    number: u32,
    realm: u16,
}

/// Whether a miss is excused.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExcuseSent {
    /// From now on.
    excused: bool,
}

/// `PUT /api/v1/worlds/{world}/lead/misses/{number}/{realm}`: excuses the miss of a realm in a turn.
pub async fn excuse(
    State(web): State<Web>,
    master: GameMaster,
    Path(path): Path<MissPath>,
    Sent(sent): Sent<ExcuseSent>,
) -> Called {
    let deed = web
        .host
        .excuse(&master.world, path.number, RealmId(path.realm), sent.excused);
    if !deed.await? {
        return Err(Problem::missing());
    }
    done()
}
