//! Deadlines: set by hand or by a rhythm, with grace, pauses, absences and reminders. Every function is told the time.

use crate::db::{Subject, Tx, values};
use crate::desk::DeskError;
use crate::error::HostError;
use crate::job::{self, Kind};
use crate::store::{Host, note, random};
use crate::world::{self, Seat, World, hex, number};
use crate::{Result, limits};
use kernel::game::Step;
use kernel::realm::RealmId;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

mod calendar;
mod remind;

pub use calendar::{Pause, Rhythm, moment_of};
pub use remind::REMINDERS;
pub(crate) use remind::remind;

/// What happens when orders are due.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtDeadline {
    /// The game master runs the turn.
    ByHand,
    /// It runs if nobody is missing; else it waits for the game master.
    Complete,
    /// It runs.
    Always,
}

impl AtDeadline {
    fn as_str(self) -> &'static str {
        match self {
            Self::ByHand => "by-hand",
            Self::Complete => "complete",
            Self::Always => "always",
        }
    }

    fn parse(text: &str) -> Result<Self> {
        match text {
            "by-hand" => Ok(Self::ByHand),
            "complete" => Ok(Self::Complete),
            "always" => Ok(Self::Always),
            other => Err(HostError::Damaged(
                format!("what happens at a deadline: {other:?}").into(),
            )),
        }
    }
}

/// How a world treats its deadlines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Policy {
    /// Orders count for so many minutes after the deadline.
    pub grace_minutes: u32,
    /// What happens then.
    pub run: AtDeadline,
    /// Whether the turn runs before as soon as nobody is missing.
    pub early: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            grace_minutes: 0,
            run: AtDeadline::ByHand,
            early: false,
        }
    }
}

/// The deadline of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Deadline {
    /// The turn.
    pub step: u32,
    /// When orders are due.
    pub due_at: i64,
    /// Until when they count all the same.
    pub grace_until: i64,
}

/// The schedule of a world.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Schedule {
    /// Its rhythm; without one the game master sets every deadline.
    pub rhythm: Option<Rhythm>,
    /// What happens at a deadline.
    pub policy: Policy,
    /// Days without deadlines.
    pub pauses: Vec<Pause>,
    /// The deadline of the open turn.
    pub deadline: Option<Deadline>,
}

impl Schedule {
    /// The deadlines that the rhythm will set after the one of the open turn, as things stand; nothing without a rhythm or without that one.
    pub fn coming(&self, now: i64, count: usize) -> Result<Vec<i64>> {
        // Nobody knows when a turn without a deadline will be run, and so not when the next is due.
        let (Some(rhythm), Some(deadline)) = (&self.rhythm, self.deadline) else {
            return Ok(Vec::new());
        };
        let mut after = deadline.due_at.max(now);
        let mut found = Vec::with_capacity(count);
        while found.len() < count {
            // A turn begins when the one before has been run, a moment after its deadline at the earliest.
            let Some(next) = rhythm.next(after.saturating_add(1), &self.pauses)? else {
                break;
            };
            found.push(next);
            after = next;
        }
        Ok(found)
    }
}

/// A realm whose player is away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Absence {
    /// The realm.
    pub realm: RealmId,
    /// From when.
    pub from_at: i64,
    /// Until when.
    pub until_at: i64,
    /// Whether the computer plays meanwhile.
    pub computer: bool,
    /// Why, in the player's words.
    pub note: String,
}

/// A realm that owed orders and sent none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Miss {
    /// The turn.
    pub step: u32,
    /// The realm.
    pub realm: RealmId,
    /// Whether the player had said that he would be away.
    pub excused: bool,
}

impl Host {
    /// The schedule of a world.
    pub async fn schedule(&self, world: &World) -> Result<Schedule> {
        let mut tx = self.read().await?;
        let open = open_step(&mut tx, world).await?;
        Ok(Schedule {
            rhythm: rhythm(&mut tx, &world.id).await?,
            policy: policy(&mut tx, &world.id).await?,
            pauses: pauses(&mut tx, &world.id).await?,
            deadline: deadline(&mut tx, &world.id, open).await?,
        })
    }

    /// Gives a world a rhythm, or takes it away. The open turn gets its deadline at once.
    pub async fn set_rhythm(&self, world: &World, rhythm: Option<&Rhythm>, now: i64) -> Result<()> {
        if let Some(rhythm) = rhythm {
            rhythm.check()?;
        }
        let mut tx = self.write(Subject::World(&world.id)).await?;
        tx.execute("DELETE FROM rhythms WHERE world = $1", &values![&world.id])
            .await?;
        if let Some(rhythm) = rhythm {
            let days = rhythm
                .weekdays
                .iter()
                .fold(0_i64, |days, day| days | 1_i64 << (day - 1));
            tx.execute(
                "INSERT INTO rhythms (world, zone, weekdays, minute, every_weeks, anchor, hours_min) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
                &values![
                    &world.id,
                    &rhythm.zone,
                    days,
                    rhythm.minute,
                    rhythm.every_weeks,
                    &rhythm.anchor,
                    rhythm.hours_min
                ],
            )
            .await?;
        }
        note(
            &mut tx,
            &world.id,
            "rhythm",
            if rhythm.is_some() { "set" } else { "none" },
        )
        .await?;
        let open = open_step(&mut tx, world).await?;
        keep_rhythm(&mut tx, &world.id, open, now).await?;
        tx.commit().await
    }

    /// Says what happens at deadlines. A deadline that is set already keeps its moment and gets the new grace.
    pub async fn set_policy(&self, world: &World, policy: Policy, now: i64) -> Result<()> {
        if policy.grace_minutes > limits::GRACE_MINUTES {
            return Err(HostError::TooLarge {
                what: "grace",
                size: u64::from(policy.grace_minutes),
                limit: u64::from(limits::GRACE_MINUTES),
            });
        }
        let mut tx = self.write(Subject::World(&world.id)).await?;
        tx.execute(
            "INSERT INTO policies (world, grace_minutes, run, early) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (world) DO UPDATE SET grace_minutes = $2, run = $3, early = $4",
            &values![&world.id, policy.grace_minutes, policy.run.as_str(), policy.early],
        )
        .await?;
        note(&mut tx, &world.id, "policy", policy.run.as_str()).await?;
        let open = open_step(&mut tx, world).await?;
        if let Some(before) = deadline(&mut tx, &world.id, open).await? {
            plan(&mut tx, &world.id, open, Some(before.due_at), now).await?;
        }
        if policy.early {
            look_soon(&mut tx, &world.id, now).await?;
        }
        tx.commit().await
    }

    /// Lets a new world of a game that is played on a board flow: a turn runs as soon as whoever moves has sent it. Other worlds wait for their game
    /// master or a deadline until he says otherwise.
    pub async fn let_flow(&self, world: &World, now: i64) -> Result<()> {
        if !self.game(&world.game)?.has_board() {
            return Ok(());
        }
        let policy = Policy {
            early: true,
            ..Policy::default()
        };
        self.set_policy(world, policy, now).await
    }

    /// Sets, moves or removes the deadline of the open turn.
    pub async fn set_deadline(&self, world: &World, due_at: Option<i64>, now: i64) -> Result<()> {
        check_deadline(due_at, now)?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let open = open_step(&mut tx, world).await?;
        set_deadline(&mut tx, world, open, due_at, now).await?;
        tx.commit().await
    }

    /// Moves the deadline of the open turn from where whoever asks has seen it: asked for twice, it moves once, and a deadline that somebody else has
    /// moved meanwhile stays where it is.
    pub async fn move_deadline(&self, world: &World, from: i64, to: i64, now: i64) -> Result<()> {
        check_deadline(Some(to), now)?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let open = open_step(&mut tx, world).await?;
        match deadline(&mut tx, &world.id, open).await? {
            Some(deadline) if deadline.due_at == to => return Ok(()),
            Some(deadline) if deadline.due_at == from => {}
            _ => return Err(DeskError::DeadlineMoved.into()),
        }
        set_deadline(&mut tx, world, open, Some(to), now).await?;
        tx.commit().await
    }

    /// Adds days without deadlines; the deadline of the open turn is moved if it falls on one and follows a rhythm.
    pub async fn add_pause(&self, world: &World, pause: &Pause, now: i64) -> Result<()> {
        pause.check()?;
        if pause.note.chars().count() > limits::NAME_CHARACTERS {
            return Err(DeskError::BadPause.into());
        }
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let before = pauses(&mut tx, &world.id).await?.len();
        if before >= limits::PAUSES {
            return Err(HostError::TooLarge {
                what: "pauses",
                size: before as u64 + 1,
                limit: limits::PAUSES as u64,
            });
        }
        tx.execute(
            "INSERT INTO pauses (world, first_day, last_day, note) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (world, first_day, last_day) DO UPDATE SET note = $4",
            &values![&world.id, &pause.first_day, &pause.last_day, &pause.note],
        )
        .await?;
        let days = format!("{} – {} {}", pause.first_day, pause.last_day, pause.note);
        note(&mut tx, &world.id, "pause", days.trim_end()).await?;
        let open = open_step(&mut tx, world).await?;
        keep_rhythm(&mut tx, &world.id, open, now).await?;
        tx.commit().await
    }

    /// Removes a pause; tells whether there was one. The deadline of the open turn stays where it is.
    pub async fn remove_pause(&self, world: &World, first_day: &str, last_day: &str) -> Result<bool> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let gone = tx
            .execute(
                "DELETE FROM pauses WHERE world = $1 AND first_day = $2 AND last_day = $3",
                &values![&world.id, first_day, last_day],
            )
            .await?;
        if gone > 0 {
            let days = format!("{first_day} – {last_day}");
            note(&mut tx, &world.id, "pause taken back", &days).await?;
        }
        tx.commit().await?;
        Ok(gone > 0)
    }

    /// Notes that the player of a realm is away.
    pub async fn set_absence(&self, world: &World, absence: &Absence) -> Result<()> {
        let length = absence.until_at - absence.from_at;
        if length <= 0 || length > limits::DEADLINE_AHEAD || absence.note.chars().count() > limits::NAME_CHARACTERS {
            return Err(DeskError::BadAbsence.into());
        }
        self.seat(world, absence.realm).await?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let (others,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM absences WHERE world = $1 AND realm = $2 AND from_at <> $3",
                &values![&world.id, absence.realm, absence.from_at],
            )
            .await?;
        if others >= limits::ABSENCES {
            return Err(DeskError::BadAbsence.into());
        }
        tx.execute(
            "INSERT INTO absences (world, realm, from_at, until_at, computer, note) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (world, realm, from_at) DO UPDATE SET until_at = $4, computer = $5, note = $6",
            &values![
                &world.id,
                absence.realm,
                absence.from_at,
                absence.until_at,
                absence.computer,
                &absence.note
            ],
        )
        .await?;
        let Absence {
            realm,
            from_at,
            until_at,
            ..
        } = absence;
        let detail = format!("realm {realm} from {from_at} until {until_at}");
        note(&mut tx, &world.id, "absence", &detail).await?;
        tx.commit().await
    }

    /// Takes an absence back; tells whether there was one.
    pub async fn remove_absence(&self, world: &World, realm: RealmId, from_at: i64) -> Result<bool> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let gone = tx
            .execute(
                "DELETE FROM absences WHERE world = $1 AND realm = $2 AND from_at = $3",
                &values![&world.id, realm, from_at],
            )
            .await?;
        if gone > 0 {
            let detail = format!("realm {realm} from {from_at}");
            note(&mut tx, &world.id, "absence taken back", &detail).await?;
        }
        tx.commit().await?;
        Ok(gone > 0)
    }

    /// Who is away now or later.
    pub async fn absences(&self, world: &World, now: i64) -> Result<Vec<Absence>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, i64, i64, i64, String)> = tx
            .all(
                "SELECT realm, from_at, until_at, computer, note FROM absences WHERE world = $1 AND until_at > $2 \
                 ORDER BY realm, from_at",
                &values![&world.id, now],
            )
            .await?;
        rows.into_iter()
            .map(|(realm, from_at, until_at, computer, note)| {
                Ok(Absence {
                    realm: RealmId(number(realm, "number of a realm")?),
                    from_at,
                    until_at,
                    computer: computer != 0,
                    note,
                })
            })
            .collect()
    }

    /// Who sent no orders for which turn.
    pub async fn misses(&self, world: &World) -> Result<Vec<Miss>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, i64, i64)> = tx
            .all(
                "SELECT step, realm, excused FROM misses WHERE world = $1 ORDER BY step, realm",
                &values![&world.id],
            )
            .await?;
        rows.into_iter()
            .map(|(step, realm, excused)| {
                Ok(Miss {
                    step: number(step, "number of a step")?,
                    realm: RealmId(number(realm, "number of a realm")?),
                    excused: excused != 0,
                })
            })
            .collect()
    }

    /// The game master excuses a miss, or no longer does.
    pub async fn excuse(&self, world: &World, step: u32, realm: RealmId, excused: bool) -> Result<bool> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let done = tx
            .execute(
                "UPDATE misses SET excused = $4 WHERE world = $1 AND step = $2 AND realm = $3",
                &values![&world.id, step, realm, excused],
            )
            .await?;
        if done > 0 {
            let deed = if excused { "miss excused" } else { "miss not excused" };
            note(&mut tx, &world.id, deed, &format!("realm {realm} turn {step}")).await?;
        }
        tx.commit().await?;
        Ok(done > 0)
    }
}

fn check_deadline(due_at: Option<i64>, now: i64) -> Result<()> {
    match due_at.is_some_and(|due| due < now || due - now > limits::DEADLINE_AHEAD) {
        true => Err(DeskError::BadDeadline.into()),
        false => Ok(()),
    }
}

/// Gives the open step a deadline or takes it away, and notes it.
async fn set_deadline(tx: &mut Tx, world: &World, open: u32, due_at: Option<i64>, now: i64) -> Result<()> {
    plan(tx, &world.id, open, due_at, now).await?;
    let detail = match due_at {
        Some(due) => format!("turn {open} at {due}"),
        None => format!("turn {open} without"),
    };
    note(tx, &world.id, "deadline set", &detail).await
}

pub(crate) async fn open_step(tx: &mut Tx, world: &World) -> Result<u32> {
    let row: Option<(i64,)> = tx
        .maybe("SELECT open_step FROM worlds WHERE id = $1", &values![&world.id])
        .await?;
    let (open,) = row.ok_or_else(|| HostError::UnknownWorld(world.name.clone()))?;
    number(open, "number of the open step")
}

async fn rhythm(tx: &mut Tx, world: &str) -> Result<Option<Rhythm>> {
    let row: Option<(String, i64, i64, i64, String, i64)> = tx
        .maybe(
            "SELECT zone, weekdays, minute, every_weeks, anchor, hours_min FROM rhythms WHERE world = $1",
            &values![world],
        )
        .await?;
    row.map(|(zone, days, minute, every_weeks, anchor, hours_min)| {
        Ok(Rhythm {
            zone,
            weekdays: (1..=7).filter(|day| days >> (day - 1) & 1 == 1).collect(),
            minute: number(minute, "time of a deadline")?,
            every_weeks: number(every_weeks, "weeks of a rhythm")?,
            anchor,
            hours_min: number(hours_min, "hours of a rhythm")?,
        })
    })
    .transpose()
}

pub(crate) async fn policy(tx: &mut Tx, world: &str) -> Result<Policy> {
    let row: Option<(i64, String, i64)> = tx
        .maybe(
            "SELECT grace_minutes, run, early FROM policies WHERE world = $1",
            &values![world],
        )
        .await?;
    match row {
        Some((grace, run, early)) => Ok(Policy {
            grace_minutes: number(grace, "grace")?,
            run: AtDeadline::parse(&run)?,
            early: early != 0,
        }),
        None => Ok(Policy::default()),
    }
}

async fn pauses(tx: &mut Tx, world: &str) -> Result<Vec<Pause>> {
    let rows: Vec<(String, String, String)> = tx
        .all(
            "SELECT first_day, last_day, note FROM pauses WHERE world = $1 ORDER BY first_day, last_day",
            &values![world],
        )
        .await?;
    Ok(rows
        .into_iter()
        .map(|(first_day, last_day, note)| Pause {
            first_day,
            last_day,
            note,
        })
        .collect())
}

pub(crate) async fn deadline(tx: &mut Tx, world: &str, step: u32) -> Result<Option<Deadline>> {
    let row: Option<(i64, i64)> = tx
        .maybe(
            "SELECT due_at, grace_until FROM deadlines WHERE world = $1 AND step = $2",
            &values![world, step],
        )
        .await?;
    Ok(row.map(|(due_at, grace_until)| Deadline {
        step,
        due_at,
        grace_until,
    }))
}

/// Writes the deadline of a step and the jobs that follow from it; the jobs of the deadline before are taken back.
pub(crate) async fn plan(tx: &mut Tx, world: &str, step: u32, due_at: Option<i64>, now: i64) -> Result<()> {
    job::cancel(tx, Kind::Deadline, world).await?;
    let Some(due_at) = due_at else {
        tx.execute(
            "DELETE FROM deadlines WHERE world = $1 AND step = $2",
            &values![world, step],
        )
        .await?;
        return job::cancel(tx, Kind::Remind, world).await;
    };
    let grace_until = due_at + i64::from(policy(tx, world).await?.grace_minutes) * 60_000;
    tx.execute(
        "INSERT INTO deadlines (world, step, due_at, grace_until) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (world, step) DO UPDATE SET due_at = $3, grace_until = $4",
        &values![world, step, due_at, grace_until],
    )
    .await?;
    job::enqueue(tx, Kind::Deadline, &job_key(world)?, Some(world), grace_until, now).await?;
    remind::plan(tx, world, step, now).await
}

/// No two jobs of a world share a key: one that was done must not stand in the way of the next.
fn job_key(world: &str) -> Result<String> {
    Ok(format!("{world} {}", hex(&random::<8>()?)))
}

/// Gives the open step the deadline that the rhythm wants, if there is one.
async fn keep_rhythm(tx: &mut Tx, world: &str, step: u32, now: i64) -> Result<()> {
    let Some(rhythm) = rhythm(tx, world).await? else {
        return Ok(());
    };
    let due = rhythm.next(now, &pauses(tx, world).await?)?;
    plan(tx, world, step, due, now).await
}

/// Has a worker look whether the turn can be run.
async fn look_soon(tx: &mut Tx, world: &str, now: i64) -> Result<()> {
    job::enqueue(tx, Kind::Deadline, &job_key(world)?, Some(world), now, now).await
}

/// The seats of a world at a moment: the computer plays for those who asked for it while they are away.
pub(crate) async fn seats_at(tx: &mut Tx, world: &str, at: i64) -> Result<Vec<Seat>> {
    let mut seats = world::seats(tx, world).await?;
    let away = away(tx, world, at).await?;
    for seat in &mut seats {
        seat.computer |= away.get(&seat.realm) == Some(&true);
    }
    Ok(seats)
}

/// Whether a step may run before its deadline when nobody is missing: somebody who owes orders for it is a player, or it is a computer's turn that a
/// player waits for. A world without players does not run away, and an empty seat that somebody may still take is waited for.
pub(crate) fn may_run_early(step: &Step, seats: &[Seat]) -> bool {
    let owing = || seats.iter().filter(|seat| step.owes.contains(&seat.realm));
    let waiting = |seat: &Seat| !seat.computer && step.plays.contains(&seat.realm) && !step.owes.contains(&seat.realm);
    owing().any(|seat| !seat.computer) || (owing().all(|seat| !seat.vacant) && seats.iter().any(waiting))
}

/// Has a worker look at a step for which only computers owe orders while a player waits for them: nobody else would have it run.
pub(crate) async fn look_on(tx: &mut Tx, world: &str, step: &Step, now: i64) -> Result<()> {
    if step.over || !policy(tx, world).await?.early {
        return Ok(());
    }
    let seats = seats_at(tx, world, now).await?;
    let players = seats
        .iter()
        .any(|seat| !seat.computer && step.owes.contains(&seat.realm));
    if !players && may_run_early(step, &seats) {
        look_soon(tx, world, now).await?;
    }
    Ok(())
}

/// After an order file was taken in: perhaps nobody is missing any more.
pub(crate) async fn after_submission(tx: &mut Tx, world: &str, now: i64) -> Result<()> {
    if policy(tx, world).await?.early {
        look_soon(tx, world, now).await?;
    }
    Ok(())
}

/// The moment for which presence is judged: the deadline of a step, or now.
pub(crate) async fn moment(tx: &mut Tx, world: &str, step: u32, now: i64) -> Result<i64> {
    Ok(deadline(tx, world, step)
        .await?
        .map_or(now, |deadline| deadline.due_at.min(now)))
}

/// Realms whose players are away at a moment, and whether the computer plays for them.
pub(crate) async fn away(tx: &mut Tx, world: &str, at: i64) -> Result<BTreeMap<RealmId, bool>> {
    let rows: Vec<(i64, i64)> = tx
        .all(
            "SELECT realm, MAX(computer) FROM absences WHERE world = $1 AND from_at <= $2 AND until_at > $2 \
             GROUP BY realm ORDER BY realm",
            &values![world, at],
        )
        .await?;
    rows.into_iter()
        .map(|(realm, computer)| Ok((RealmId(number(realm, "number of a realm")?), computer != 0)))
        .collect()
}

/// After a step was run: notes who was missing, gives the next one its deadline, and goes on at once if it is a computer's turn.
pub(crate) async fn after_step(
    tx: &mut Tx,
    world: &str,
    step: u32,
    missing: &BTreeSet<RealmId>,
    next: &Step,
    now: i64,
) -> Result<()> {
    let at = moment(tx, world, step, now).await?;
    let away = away(tx, world, at).await?;
    for realm in missing {
        tx.execute(
            "INSERT INTO misses (world, step, realm, excused) VALUES ($1, $2, $3, $4)",
            &values![world, step, *realm, away.contains_key(realm)],
        )
        .await?;
    }
    job::cancel(tx, Kind::Deadline, world).await?;
    job::cancel(tx, Kind::Remind, world).await?;
    if next.over {
        return Ok(());
    }
    keep_rhythm(tx, world, next.number, now).await?;
    look_on(tx, world, next, now).await
}

/// After a step was taken back: nobody was missing yet, and its game master says when it is due again.
pub(crate) async fn after_take_back(tx: &mut Tx, world: &str, step: u32) -> Result<()> {
    job::cancel(tx, Kind::Deadline, world).await?;
    job::cancel(tx, Kind::Remind, world).await?;
    tx.execute(
        "DELETE FROM misses WHERE world = $1 AND step >= $2",
        &values![world, step],
    )
    .await?;
    tx.execute(
        "DELETE FROM deadlines WHERE world = $1 AND step >= $2",
        &values![world, step],
    )
    .await?;
    Ok(())
}

/// A world by its id, for the worker.
pub(crate) async fn find(host: &Host, id: &str) -> Result<Option<World>> {
    let mut tx = host.read().await?;
    world::find(&mut tx, id).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::report::Term;

    fn seat(realm: u16, computer: bool, vacant: bool) -> Seat {
        Seat {
            realm: RealmId(realm),
            name: String::new(),
            player: String::new(),
            kind: String::new(),
            computer,
            vacant,
        }
    }

    fn step(owes: &[u16], plays: &[u16]) -> Step {
        let realms = |list: &[u16]| list.iter().copied().map(RealmId).collect();
        Step {
            number: 1,
            name: Term {
                key: "x".into(),
                args: Vec::new(),
            },
            owes: realms(owes),
            plays: realms(plays),
            over: false,
        }
    }

    #[test]
    fn a_computers_turn_runs_at_once_if_a_player_waits_for_it() {
        let against_computer = [seat(1, false, false), seat(2, true, false)];
        assert!(may_run_early(&step(&[2], &[1, 2]), &against_computer));
        assert!(may_run_early(&step(&[1], &[1, 2]), &against_computer));
        // Whoever is out of the game waits for nothing.
        assert!(!may_run_early(&step(&[2], &[2]), &against_computer));
    }

    #[test]
    fn nothing_runs_early_without_players_or_for_a_seat_that_is_still_to_be_taken() {
        let computers = [seat(1, true, false), seat(2, true, false)];
        assert!(!may_run_early(&step(&[1, 2], &[1, 2]), &computers));
        let alone = [seat(1, false, false), seat(2, true, true)];
        assert!(!may_run_early(&step(&[2], &[1, 2]), &alone));
        // Where all move together the empty seat is the computer's meanwhile.
        assert!(may_run_early(&step(&[1, 2], &[1, 2]), &alone));
    }
}
