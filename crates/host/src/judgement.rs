//! The game master's judgement: recorded input of the open step, given with a reason, taken back but never erased.

use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::store::{Host, note, now};
use crate::submission::take_input;
use crate::unfit::Unfit;
use crate::world::{World, last_state, number};
use crate::{Result, limits};
use kernel::any::AnyGame;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The reason of a judgement that the host gives when a seat is handed over.
pub const HANDED_OVER: &str = "seat handed over";

/// A recorded judgement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// The step it is for.
    pub step: u32,
    /// Its number within the step.
    pub number: u32,
    /// Name of the request it answers; empty for an edict.
    pub request: String,
    /// The ruling as JSON.
    pub ruling: String,
    /// Why, in the game master's words.
    pub reason: String,
    /// How many changes of the world by hand it makes; 0 for every other judgement.
    #[serde(default)]
    pub changes: u32,
    /// Whether it was taken back before the step was run.
    pub withdrawn: bool,
    /// When it was given, in milliseconds since 1970.
    pub given_at: i64,
}

/// What the game master contributes to a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contribution {
    /// Name of the request to ruling and reason; the last answer counts.
    pub answers: BTreeMap<String, (String, String)>,
    /// Rulings and reasons in the order given.
    pub edicts: Vec<(String, String)>,
}

impl Host {
    /// Records an edict for the open step: `ruling` is JSON or what the game's book calls it.
    pub async fn edict(&self, world: &World, ruling: &str, reason: &str) -> Result<Judgement> {
        self.judge(world, "", ruling, reason).await
    }

    /// Records an answer to the request called `request`.
    pub async fn answer(&self, world: &World, request: &str, ruling: &str, reason: &str) -> Result<Judgement> {
        if request.trim().is_empty() {
            return Err(HostError::Malformed(Unfit::NoRequest));
        }
        self.judge(world, request, ruling, reason).await
    }

    /// Records a letter to a realm, or to all, if the game carries letters.
    pub async fn letter(&self, world: &World, to: Option<RealmId>, text: &str) -> Result<Judgement> {
        check_length("letter", text)?;
        if let Some(realm) = to {
            self.seat(world, realm).await?;
        }
        match self.game_of(world)?.letter(to, text)? {
            Some(ruling) => self.judge(world, "", &ruling, "letter").await,
            None => Err(HostError::Malformed(Unfit::NoLetters(world.game.clone()))),
        }
    }

    /// Takes a judgement of the open step back; not one that the host gave itself when a seat changed hands, or reports would go on
    /// naming somebody who has left.
    pub async fn withdraw(&self, world: &World, judgement: u32) -> Result<()> {
        let step = self.open_step(world).await?.number;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        take_input(&mut tx, world, step).await?;
        let reason: Option<(String,)> = tx
            .maybe(
                "SELECT reason FROM judgements WHERE world = $1 AND step = $2 AND number = $3",
                &values![&world.id, step, judgement],
            )
            .await?;
        if reason.is_some_and(|(reason,)| reason == HANDED_OVER) {
            return Err(HostError::Malformed(Unfit::HandedOver));
        }
        let done = tx
            .execute(
                "UPDATE judgements SET withdrawn = 1 WHERE world = $1 AND step = $2 AND number = $3 AND withdrawn = 0",
                &values![&world.id, step, judgement],
            )
            .await?;
        if done == 0 {
            return Err(HostError::UnknownJudgement {
                number: judgement,
                step,
            });
        }
        note(
            &mut tx,
            &world.id,
            "judgement taken back",
            &format!("turn {step} number {judgement}"),
        )
        .await?;
        self.show_again(&mut tx, world).await?;
        tx.commit().await?;
        Ok(())
    }

    /// The judgements of a step, in the order given.
    pub async fn judgements(&self, world: &World, step: u32) -> Result<Vec<Judgement>> {
        let mut tx = self.read().await?;
        judgements(&mut tx, world, step).await
    }

    async fn judge(&self, world: &World, request: &str, ruling: &str, reason: &str) -> Result<Judgement> {
        check_length("request", request)?;
        check_length("ruling", ruling)?;
        check_length("reason", reason)?;
        let game = self.game_of(world)?;
        let mut tx = self.read().await?;
        let state = last_state(&mut tx, &world.id).await?;
        drop(tx);
        let step = game.open_step(&state.state)?.number;
        let ruling = game.read_ruling(&state.state, ruling)?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        take_input(&mut tx, world, step).await?;
        let number = free_number(&mut tx, &world.id, step).await?;
        let judgement = Judgement {
            step,
            number,
            request: request.to_owned(),
            ruling,
            reason: reason.to_owned(),
            changes: 0,
            withdrawn: false,
            given_at: now(),
        };
        insert_judgement(&mut tx, &world.id, &judgement).await?;
        let deed = if request.is_empty() { "edict" } else { "answer" };
        note(
            &mut tx,
            &world.id,
            deed,
            &format!("turn {step} number {} {request}", judgement.number),
        )
        .await?;
        self.show_again(&mut tx, world).await?;
        tx.commit().await?;
        Ok(judgement)
    }
}

/// Writes into the open step that a realm has another player, or another name: reports follow the seat.
pub(crate) async fn record_hand_over(
    tx: &mut Tx,
    game: &dyn AnyGame,
    world: &World,
    realm: RealmId,
    player: &str,
    name: Option<&str>,
) -> Result<()> {
    let Some(ruling) = game.hand_over(realm, player, name)? else {
        return Ok(());
    };
    let step = crate::schedule::open_step(tx, world).await?;
    take_input(tx, world, step).await?;
    let given = last_number(tx, &world.id, step).await?;
    let judgement = Judgement {
        step,
        number: number(given + 1, "number of judgements")?,
        request: String::new(),
        ruling,
        reason: HANDED_OVER.into(),
        changes: 0,
        withdrawn: false,
        given_at: now(),
    };
    insert_judgement(tx, &world.id, &judgement).await
}

/// A step is taken back: seats that changed hands after it stay with whoever has them, so the step that opens again hears of it.
/// All other judgements of what came after it count no more.
pub(crate) async fn bring_back_hand_overs(tx: &mut Tx, world: &str, step: u32) -> Result<()> {
    let later: Vec<(String, i64)> = tx
        .all(
            "SELECT ruling, given_at FROM judgements WHERE world = $1 AND step > $2 AND reason = $3 AND withdrawn = 0 \
             ORDER BY step, number",
            &values![world, step, HANDED_OVER],
        )
        .await?;
    let given = last_number(tx, world, step).await?;
    for (number_of, (ruling, given_at)) in (given + 1..).zip(later) {
        let judgement = Judgement {
            step,
            number: number(number_of, "number of judgements")?,
            request: String::new(),
            ruling,
            reason: HANDED_OVER.into(),
            changes: 0,
            withdrawn: false,
            given_at,
        };
        insert_judgement(tx, world, &judgement).await?;
    }
    tx.execute(
        "UPDATE judgements SET withdrawn = 1 WHERE world = $1 AND step > $2",
        &values![world, step],
    )
    .await?;
    Ok(())
}

pub(crate) fn check_length(what: &'static str, text: &str) -> Result<()> {
    let length = text.chars().count();
    if length > limits::JUDGEMENT_CHARACTERS {
        return Err(HostError::TooLarge {
            what,
            size: length as u64,
            limit: limits::JUDGEMENT_CHARACTERS as u64,
        });
    }
    Ok(())
}

/// The number of the last judgement of a step; 0 if there is none.
async fn last_number(tx: &mut Tx, world: &str, step: u32) -> Result<i64> {
    let (last,) = tx
        .one(
            "SELECT COALESCE(MAX(number), 0) FROM judgements WHERE world = $1 AND step = $2",
            &values![world, step],
        )
        .await?;
    Ok(last)
}

/// The number of the next judgement that a game master gives in a step: there is a limit to them.
pub(crate) async fn free_number(tx: &mut Tx, world: &str, step: u32) -> Result<u32> {
    let given = last_number(tx, world, step).await?;
    if given.unsigned_abs() >= kernel::limits::RULINGS as u64 {
        return Err(HostError::TooLarge {
            what: "judgements",
            size: given.unsigned_abs() + 1,
            limit: kernel::limits::RULINGS as u64,
        });
    }
    number(given + 1, "number of judgements")
}

pub(crate) async fn insert_judgement(tx: &mut Tx, world: &str, judgement: &Judgement) -> Result<()> {
    tx.execute(
        "INSERT INTO judgements (world, step, number, request, ruling, reason, withdrawn, given_at, changes) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &values![
            world,
            judgement.step,
            judgement.number,
            &judgement.request,
            &judgement.ruling,
            &judgement.reason,
            judgement.withdrawn,
            judgement.given_at,
            judgement.changes
        ],
    )
    .await?;
    Ok(())
}

type JudgementRow = (i64, String, String, String, i64, i64, i64);

pub(crate) async fn judgements(tx: &mut Tx, world: &World, step: u32) -> Result<Vec<Judgement>> {
    let rows: Vec<JudgementRow> = tx.all("SELECT number, request, ruling, reason, withdrawn, given_at, changes FROM judgements WHERE world = $1 AND step = $2 \
         ORDER BY number", &values![&world.id, step])
    .await?;
    rows.into_iter()
        .map(|(given, request, ruling, reason, withdrawn, given_at, changes)| {
            Ok(Judgement {
                step,
                number: number(given, "number of a judgement")?,
                request,
                ruling,
                reason,
                changes: number(changes, "number of changes")?,
                withdrawn: withdrawn != 0,
                given_at,
            })
        })
        .collect()
}

/// What counts of the judgements of a step.
pub(crate) async fn contribution(tx: &mut Tx, world: &World, step: u32) -> Result<Contribution> {
    let mut contribution = Contribution::default();
    for judgement in judgements(tx, world, step).await? {
        if judgement.withdrawn {
            continue;
        }
        let given = (judgement.ruling, judgement.reason);
        if judgement.request.is_empty() {
            contribution.edicts.push(given);
        } else {
            contribution.answers.insert(judgement.request, given);
        }
    }
    Ok(contribution)
}
