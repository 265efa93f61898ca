//! The game master's desk: trial runs, turns taken back, and the record of everything that was done.
//!
//! A trial is the open step run without publishing it: its outcome and every view are kept until the step is run, so that
//! the game master reads all reports and questions first. It is out of date as soon as an order file or judgement comes.
//!
//! A turn that is taken back leaves a record. Its dice are known to the players by then, so the same turn gets new keys
//! and new seals when it is run again.

use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::pack::{pack, pack_value, unpack, unpack_value};
use crate::step::{Run, RunPlan};
use crate::store::{Host, note, now};
use crate::world::{self, World, number, viewer_number};
use crate::{Result, limits};
use kernel::dice::StepSecret;
use kernel::realm::Viewer;
use serde::Serialize;

/// What is asked of a game master's desk that cannot be done. [`DeskError::code`] is the key of its wording.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DeskError {
    /// The deadline has passed already, or lies too far ahead.
    #[error("a deadline lies in the future, within three years")]
    BadDeadline,
    /// Somebody has moved the deadline since it was looked at.
    #[error("the deadline was moved meanwhile")]
    DeadlineMoved,
    /// The rhythm cannot be kept.
    #[error("a rhythm has weekdays from 1 to 7, a time of day, every 1 to 52 weeks, and at most a year for orders")]
    BadRhythm,
    /// The days without deadlines end before they begin, or the note is too long.
    #[error("a pause does not end before it begins and has a short note")]
    BadPause,
    /// The absence ends before it begins, or is too long.
    #[error("an absence ends after it begins, within three years, with a short note")]
    BadAbsence,
    /// That is no day.
    #[error("{0:?} is no day: expected year-month-day")]
    NoDay(String),
    /// That is no moment.
    #[error("{0:?} is no moment: expected a day, a time and a zone")]
    NoMoment(String),
    /// The reason is missing or too long.
    #[error("a reason is missing or too long")]
    NoReason,
    /// The sum is nothing, or too large.
    #[error("a sum is not zero and at most {} cents", crate::board::CENTS)]
    BadSum,
    /// The title, or what a booking is for, is empty, too long or hides something.
    #[error(
        "expected 1 to {} characters without control characters or outer blanks",
        limits::NAME_CHARACTERS
    )]
    BadLine,
    /// The invitation is for nobody or too many, or its note is too long.
    #[error(
        "an invitation is for 1 to {} people and has a note of at most {} characters",
        limits::INVITATIONS,
        limits::NAME_CHARACTERS
    )]
    BadInvitation,
}

impl DeskError {
    /// All of them, for whoever has to word them.
    pub fn all() -> [Self; 11] {
        [
            Self::BadDeadline,
            Self::DeadlineMoved,
            Self::BadRhythm,
            Self::BadPause,
            Self::BadAbsence,
            Self::NoDay(String::new()),
            Self::NoMoment(String::new()),
            Self::NoReason,
            Self::BadSum,
            Self::BadLine,
            Self::BadInvitation,
        ]
    }

    /// Key of the wording.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadDeadline => "bad-deadline",
            Self::DeadlineMoved => "deadline-moved",
            Self::BadRhythm => "bad-rhythm",
            Self::BadPause => "bad-pause",
            Self::BadAbsence => "bad-absence",
            Self::NoDay(_) => "no-day",
            Self::NoMoment(_) => "no-moment",
            Self::NoReason => "no-reason",
            Self::BadSum => "bad-sum",
            Self::BadLine => "bad-line",
            Self::BadInvitation => "bad-invitation",
        }
    }

    /// The words that were sent, where they are the trouble.
    pub fn subject(&self) -> &str {
        match self {
            Self::NoDay(text) | Self::NoMoment(text) => text,
            _ => "",
        }
    }
}

/// A step as it would be now, not published.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// What it would do.
    pub run: Run,
    /// When it was tried.
    pub tried_at: i64,
    /// Whether orders or judgements came since.
    pub outdated: bool,
}

/// A turn that was taken back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Withdrawn {
    /// Its number.
    pub step: u32,
    /// How often it had been taken back before.
    pub attempt: u32,
    /// Digest of the state that no longer holds.
    pub digest: String,
    /// Why.
    pub reason: String,
    /// When it had been run.
    pub ran_at: i64,
    /// When it was taken back.
    pub withdrawn_at: i64,
}

/// An entry of the record of deeds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Deed {
    /// When.
    pub at: i64,
    /// The account that did it; nothing for the command line and the host itself.
    pub who: Option<String>,
    /// Its name; nothing for an account that is gone.
    pub name: Option<String>,
    /// What.
    pub deed: String,
    /// More about it.
    pub detail: String,
}

/// Deeds that every player of a world may read about.
macro_rules! open_deeds {
    () => {
        "'world made', 'turn run', 'turn taken back', 'deadline set', 'pause', 'pause taken back', 'announcement', \
         'world closed', 'custom of letters', 'newspaper printed'"
    };
}

/// Deeds that the realm may read about which they concern; they are noted with its number in front. All others are the
/// game masters' alone: whom they judged, whom they wrote, what somebody has paid.
macro_rules! own_deeds {
    () => {
        "'absence', 'absence taken back', 'miss excused', 'miss not excused', 'stand-in', 'stand-in ended', \
         'letter turned back', 'letters stopped', 'letters allowed', 'complaint answered'"
    };
}

/// The record of a world, the newest first, as far as a condition goes.
macro_rules! deeds {
    ($($condition:expr),*) => {
        concat!(
            "SELECT audit.at, audit.who, accounts.name, audit.deed, audit.detail FROM audit \
             LEFT JOIN accounts ON accounts.id = audit.who WHERE audit.world = $1",
            $($condition,)*
            " ORDER BY audit.number DESC LIMIT $2"
        )
    };
}

const ALL_DEEDS: &str = deeds!();
const OPEN_DEEDS: &str = deeds!(" AND audit.deed IN (", open_deeds!(), ")");
/// `$3` is the realm, `$4` to `$7` bound what follows it: a blank, or a colon; `$8` is its number. What was before he took the seat is no business
/// of a successor.
const OWN_DEEDS: &str = deeds!(
    " AND (audit.deed IN (",
    open_deeds!(),
    ") OR audit.deed IN (",
    own_deeds!(),
    ") AND (audit.detail = $3 OR audit.detail >= $4 AND audit.detail < $5 OR audit.detail >= $6 AND audit.detail < $7) \
     AND audit.at >= (SELECT since FROM holders WHERE world = $1 AND realm = $8))"
);

/// Who reads about a deed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeenBy {
    /// Everybody of the world.
    All,
    /// The realm that it concerns.
    Realm,
    /// The game masters.
    Masters,
}

impl SeenBy {
    /// Who reads about deeds of this name.
    pub fn of(deed: &str) -> Self {
        let quoted = format!("'{deed}'");
        if open_deeds!().contains(&quoted) {
            Self::All
        } else if own_deeds!().contains(&quoted) {
            Self::Realm
        } else {
            Self::Masters
        }
    }
}

/// What the host could not do for a world by itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Troubles {
    /// Why the open turn could not be run, and when it is tried again; never if it was given up.
    pub run: Option<(String, Option<i64>)>,
    /// Names of players whose last mail could not be delivered.
    pub mails: Vec<String>,
    /// Names of players whose mail has been tried in vain and will be tried again.
    pub waiting: Vec<String>,
}

impl Host {
    /// What the host could not do for a world by itself: its game master has to look after it.
    pub async fn troubles(&self, world: &World) -> Result<Troubles> {
        let mut tx = self.read().await?;
        // What failed before the last turn was run is settled by it.
        let run: Option<(Option<String>, i64, i64)> = tx
            .maybe(
                "SELECT error, run_at, given_up FROM jobs WHERE world = $1 AND kind = 'deadline' AND error IS NOT NULL \
                 AND (done_at IS NULL OR given_up = 1) AND COALESCE(done_at, run_at) > \
                 (SELECT COALESCE(MAX(ran_at), 0) FROM steps WHERE world = $1) ORDER BY run_at DESC LIMIT 1",
                &values![&world.id],
            )
            .await?;
        let mails: Vec<(String,)> = tx
            .all(
                "SELECT DISTINCT a.name FROM outbox o JOIN holders h ON h.account = o.account JOIN accounts a ON a.id = o.account \
                 WHERE h.world = $1 AND o.given_up = 1 AND o.error <> 'expired' AND o.done_at > \
                 COALESCE((SELECT MAX(s.done_at) FROM outbox s WHERE s.account = o.account AND s.given_up = 0), 0) \
                 ORDER BY a.name",
                &values![&world.id],
            )
            .await?;
        let waiting: Vec<(String,)> = tx
            .all(
                "SELECT DISTINCT a.name FROM outbox o JOIN holders h ON h.account = o.account JOIN accounts a ON a.id = o.account \
                 WHERE h.world = $1 AND o.done_at IS NULL AND o.error IS NOT NULL ORDER BY a.name",
                &values![&world.id],
            )
            .await?;
        let names = |rows: Vec<(String,)>| rows.into_iter().map(|(name,)| name).collect();
        Ok(Troubles {
            run: run.map(|(error, next, given_up)| (error.unwrap_or_default(), (given_up == 0).then_some(next))),
            mails: names(mails),
            waiting: names(waiting),
        })
    }

    /// Tries the open step and keeps what it would give.
    pub async fn try_step(&self, world: &World, plan: RunPlan) -> Result<Trial> {
        // Read before the run: whatever comes while it works makes the trial out of date, never silently old.
        let inputs = self.world(Some(&world.id)).await?.inputs;
        let (run, views) = self.trial(world, plan).await?;
        let tried_at = now();
        let mut tx = self.write(Subject::World(&world.id)).await?;
        forget_trial(&mut tx, &world.id).await?;
        tx.execute(
            "INSERT INTO trials (world, step, inputs, run, tried_at) VALUES ($1, $2, $3, $4, $5)",
            &values![&world.id, run.step, inputs, &pack_value(&run)?, tried_at],
        )
        .await?;
        for (viewer, view) in &views {
            tx.execute(
                "INSERT INTO trial_views (world, viewer, view) VALUES ($1, $2, $3)",
                &values![&world.id, viewer_number(*viewer), &pack(view)?],
            )
            .await?;
        }
        note(&mut tx, &world.id, "trial run", &format!("turn {}", run.step)).await?;
        tx.commit().await?;
        Ok(Trial {
            run,
            tried_at,
            outdated: false,
        })
    }

    /// The trial of the open step, if there is one.
    pub async fn last_trial(&self, world: &World) -> Result<Option<Trial>> {
        let mut tx = self.read().await?;
        let row: Option<(i64, Vec<u8>, i64, i64)> = tx
            .maybe(
                "SELECT trials.inputs, trials.run, trials.tried_at, worlds.inputs FROM trials \
                 JOIN worlds ON worlds.id = trials.world WHERE trials.world = $1 AND trials.step = worlds.open_step",
                &values![&world.id],
            )
            .await?;
        row.map(|(tried, run, tried_at, inputs)| {
            Ok(Trial {
                run: unpack_value(&run, "trial")?,
                tried_at,
                outdated: tried != inputs,
            })
        })
        .transpose()
    }

    /// What a viewer would know after the open step, as it was tried last.
    pub async fn trial_view(&self, world: &World, viewer: Viewer) -> Result<Option<Vec<u8>>> {
        let mut tx = self.read().await?;
        let row: Option<(Vec<u8>,)> = tx
            .maybe(
                "SELECT trial_views.view FROM trial_views JOIN trials ON trials.world = trial_views.world \
                 JOIN worlds ON worlds.id = trials.world \
                 WHERE trial_views.world = $1 AND trial_views.viewer = $2 AND trials.step = worlds.open_step",
                &values![&world.id, viewer_number(viewer)],
            )
            .await?;
        row.map(|(view,)| unpack(&view, "view of a trial")).transpose()
    }

    /// Takes the last turn back: the world is as it was before, its orders count again, and its dice are thrown anew.
    ///
    /// Judgements for the turn that was open fall with it, because they were given about a world that never was. Order
    /// files for it stay: they are the players' own and can be sent again or mended. With a `step` only that one is taken back.
    pub async fn take_back(&self, world: &World, step: Option<u32>, reason: &str) -> Result<u32> {
        let length = reason.chars().count();
        if length == 0 || length > limits::JUDGEMENT_CHARACTERS {
            return Err(DeskError::NoReason.into());
        }
        let lock = self.lock(&world.id, &world.name).await?;
        let done = self.take_back_locked(world, step, reason).await;
        lock.release().await;
        done
    }

    async fn take_back_locked(&self, world: &World, meant: Option<u32>, reason: &str) -> Result<u32> {
        let game = self.game_of(world)?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let (creation, last): (i64, i64) = tx
            .one(
                "SELECT COALESCE(MIN(number), 0), COALESCE(MAX(number), 0) FROM steps WHERE world = $1",
                &values![&world.id],
            )
            .await?;
        if creation == last {
            return Err(HostError::NothingToTakeBack(world.name.clone()));
        }
        let step: u32 = number(last, "number of a step")?;
        // Asked for twice, or while the next turn ran: whoever means one turn must not lose another.
        if let Some(meant) = meant.filter(|meant| *meant != step) {
            return Err(HostError::NotLast {
                step: meant,
                last: step,
            });
        }
        tx.execute(
            "INSERT INTO withdrawn_steps (world, step, attempt, digest, state, input, reason, ran_at, withdrawn_at) \
             SELECT world, number, (SELECT COUNT(*) FROM withdrawn_steps WHERE world = $1 AND step = $2), digest, state, \
             input, $3, ran_at, $4 FROM steps WHERE world = $1 AND number = $2",
            &values![&world.id, step, reason, now()],
        )
        .await?;
        crate::judgement::bring_back_hand_overs(&mut tx, &world.id, step).await?;
        for sql in [
            "DELETE FROM views WHERE world = $1 AND step = $2",
            "DELETE FROM steps WHERE world = $1 AND number = $2",
            "DELETE FROM submissions WHERE world = $1 AND step = $2 AND source = 'computer'",
            "DELETE FROM seals WHERE world = $1 AND step >= $2",
            "UPDATE worlds SET open_step = $2, inputs = inputs + 1 WHERE id = $1",
        ] {
            tx.execute(sql, &values![&world.id, step]).await?;
        }
        forget_trial(&mut tx, &world.id).await?;
        crate::schedule::after_take_back(&mut tx, &world.id, step).await?;
        crate::letter::after_take_back(&mut tx, &world.id, step).await?;
        crate::tidings::taken_back(&mut tx, world, step, reason, now()).await?;
        let state = world::last_state(&mut tx, &world.id).await?;
        let open = game.open_step(&state.state)?;
        if open.number != step {
            return Err(HostError::Broken(format!(
                "turn {step} taken back opens turn {}",
                open.number
            )));
        }
        world::insert_seals(&mut tx, world, &open).await?;
        note(&mut tx, &world.id, "turn taken back", &format!("turn {step}: {reason}")).await?;
        tx.commit().await?;
        Ok(step)
    }

    /// The turns that were taken back, in order.
    pub async fn withdrawn(&self, world: &World) -> Result<Vec<Withdrawn>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, i64, Vec<u8>, String, i64, i64)> = tx
            .all(
                "SELECT step, attempt, digest, reason, ran_at, withdrawn_at FROM withdrawn_steps WHERE world = $1 \
                 ORDER BY withdrawn_at, step, attempt",
                &values![&world.id],
            )
            .await?;
        rows.into_iter()
            .map(|(step, attempt, digest, reason, ran_at, withdrawn_at)| {
                Ok(Withdrawn {
                    step: number(step, "number of a step")?,
                    attempt: number(attempt, "number of an attempt")?,
                    digest: world::hex(&digest),
                    reason,
                    ran_at,
                    withdrawn_at,
                })
            })
            .collect()
    }

    /// The record of deeds, newest first: all of it for the game master, the open part and what concerns it for a realm, the
    /// open part alone for anybody else.
    pub async fn record(&self, world: &World, reader: Option<Viewer>, count: u32) -> Result<Vec<Deed>> {
        let mut tx = self.read().await?;
        let count = i64::from(count);
        let rows: Vec<(i64, String, Option<String>, String, String)> = match reader {
            Some(Viewer::GameMaster) => tx.all(ALL_DEEDS, &values![&world.id, count]).await?,
            Some(Viewer::Realm(realm)) => {
                let own = ["", " ", "!", ":", ";"].map(|sign| format!("realm {realm}{sign}"));
                let [alone, blank, no_blank, colon, no_colon] = &own;
                let bounds = values![&world.id, count, alone, blank, no_blank, colon, no_colon, realm];
                tx.all(OWN_DEEDS, &bounds).await?
            }
            None => tx.all(OPEN_DEEDS, &values![&world.id, count]).await?,
        };
        let all = reader == Some(Viewer::GameMaster);
        Ok(rows
            .into_iter()
            .map(|(at, who, name, deed, detail)| Deed {
                at,
                who: (all && !who.is_empty()).then_some(who),
                name: name.filter(|name| all && !name.is_empty()),
                detail: if all { detail } else { open_detail(&deed, detail) },
                deed,
            })
            .collect())
    }
}

/// What players read of a deed. The digest of a state hangs on everything in it, so it could confirm what one only guesses.
fn open_detail(deed: &str, detail: String) -> String {
    match detail.split_once(" digest ") {
        Some((open, _)) if deed == "turn run" => open.to_owned(),
        _ => detail,
    }
}

/// Forgets the trial of a world: its step was run, or taken back.
pub(crate) async fn forget_trial(tx: &mut Tx, world: &str) -> Result<()> {
    tx.execute("DELETE FROM trial_views WHERE world = $1", &values![world])
        .await?;
    tx.execute("DELETE FROM trials WHERE world = $1", &values![world])
        .await?;
    Ok(())
}

/// The secret of a step: another one each time that the step was taken back.
pub(crate) async fn step_secret(tx: &mut Tx, world: &World, step: u32) -> Result<StepSecret> {
    let (attempt,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM withdrawn_steps WHERE world = $1 AND step = $2",
            &values![&world.id, step],
        )
        .await?;
    Ok(world.secret.attempt(step, number(attempt, "number of an attempt")?))
}
