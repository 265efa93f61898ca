//! Running a step: the one transaction in which a world changes.
//!
//! The game works outside the database; its views are written while they come, in a transaction that is committed with
//! the new state or not at all. If orders or judgements came while the game worked, the step is run again with them.

use crate::db::{Subject, Tx, values};
use crate::desk::{forget_trial, step_secret};
use crate::error::{HostError, Occupied};
use crate::judgement::contribution;
use crate::pack::{pack, pack_value, unpack, unpack_value};
use crate::schedule;
use crate::store::{Host, note, now};
use crate::submission::{Source, counting_files, insert_submission, receipt, right_step};
use crate::tidings::{self, Published};
use crate::world::{self, Seat, StepRow, Stored, World, computer_secret, number};
use crate::{Result, limits};
use kernel::any::{AnyGame, GameError, StepResult, StoredInput};
use kernel::codec::Digest;
use kernel::dice::{Roll, StepSecret};
use kernel::game::Step;
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Request;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::sync::mpsc;

/// How a step is to be run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunPlan {
    /// The step; without one, the open step.
    pub step: Option<u32>,
    /// Whether to go on although players have not sent orders.
    pub without_missing: bool,
}

/// What a step did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The step that was run.
    pub step: u32,
    /// Digest of the state after it, chained.
    pub digest: String,
    /// Number of events.
    pub events: u64,
    /// Number of dice.
    pub dice: u64,
    /// Realms that sent orders, computer players included.
    pub orders: Vec<RealmId>,
    /// Realms that owed orders and sent none.
    pub missing: Vec<RealmId>,
    /// Questions for the game master, with the default as JSON.
    pub requests: Vec<Request<String>>,
    /// Number of views made.
    pub views: u64,
    /// Whether the world has come to its end.
    pub over: bool,
}

/// A difference between what is stored of a step and what running it again gives.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "differs", rename_all = "kebab-case")]
pub enum Difference {
    /// The digest of the state.
    Digest {
        /// What is stored.
        stored: String,
        /// What came out now.
        now: String,
    },
    /// The view of a viewer; the game master is none.
    View {
        /// The realm, or nothing for the game master.
        realm: Option<RealmId>,
    },
    /// The number of views.
    Views {
        /// What is stored.
        stored: u64,
        /// What came out now.
        now: u64,
    },
    /// The dice.
    Dice,
    /// The questions for the game master.
    Requests,
}

/// Everything a step is run from, read in one picture.
struct Prepared {
    game: Arc<dyn AnyGame>,
    before: Stored,
    step: Step,
    seats: Vec<Seat>,
    input: StoredInput,
    computer: BTreeMap<RealmId, Vec<u8>>,
    inputs: i64,
    secret: StepSecret,
}

/// What the working thread says.
enum Word {
    View(Viewer, Vec<u8>),
    Done(Box<std::result::Result<StepResult, HostError>>),
}

impl Host {
    /// Runs the open step and publishes it. `progress` hears how many of how many views are written.
    pub async fn run(&self, world: &World, plan: RunPlan, progress: &mut (dyn FnMut(u64, u64) + Send)) -> Result<Run> {
        let lock = self.lock(&world.id, &world.name).await?;
        let run = self.run_locked(world, plan, progress).await;
        lock.release().await;
        run
    }

    async fn run_locked(
        &self,
        world: &World,
        plan: RunPlan,
        progress: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<Run> {
        for _ in 1..limits::RUN_ATTEMPTS {
            let mut tx = self.read().await?;
            let prepared = self.prepare(&mut tx, world, plan).await?;
            drop(tx);
            if let Some(run) = self.publish(world, &prepared, None, progress).await? {
                return Ok(run);
            }
        }
        // Somebody sends and sends again. The last attempt lets nothing in before it is done: no player can keep a turn from
        // being run.
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let prepared = self.prepare(&mut tx, world, plan).await?;
        let run = self.publish(world, &prepared, Some(tx), progress).await?;
        run.ok_or_else(|| HostError::Busy(Occupied::World(world.name.clone())))
    }

    /// Runs the open step without publishing anything: what it would give, and every view.
    pub async fn trial(&self, world: &World, plan: RunPlan) -> Result<(Run, Vec<(Viewer, Vec<u8>)>)> {
        let mut tx = self.read().await?;
        let prepared = self.prepare(&mut tx, world, plan).await?;
        drop(tx);
        let mut words = work(
            &prepared.game,
            &prepared.before,
            &prepared.input,
            prepared.secret.clone(),
        );
        let mut views = Vec::new();
        loop {
            match words.recv().await {
                Some(Word::View(viewer, blob)) => views.push((viewer, unpack(&blob, "view")?)),
                Some(Word::Done(result)) => {
                    let result = (*result)?;
                    let open = next_step(&prepared, &result)?;
                    return Ok((summary(&prepared, &result, views.len() as u64, &open), views));
                }
                None => return Err(fell_silent()),
            }
        }
    }

    /// Runs a published step again from what is stored and names every difference.
    pub async fn replay(&self, world: &World, step: u32) -> Result<Vec<Difference>> {
        let mut tx = self.read().await?;
        let kept = kept(&mut tx, world, step).await?;
        let game = self.game_of(world)?;
        let secret = step_secret(&mut tx, world, step).await?;
        let mut words = work(&game, &kept.before, &kept.input, secret);
        let mut differences = Vec::new();
        let mut views = 0;
        let result = loop {
            match words.recv().await {
                Some(Word::View(viewer, blob)) => {
                    views += 1;
                    let stored: Option<(Vec<u8>,)> = tx
                        .maybe(
                            "SELECT view FROM views WHERE world = $1 AND step = $2 AND viewer = $3",
                            &values![&world.id, step, world::viewer_number(viewer)],
                        )
                        .await?;
                    let same = match stored {
                        Some((stored,)) => unpack(&stored, "view")? == unpack(&blob, "view")?,
                        None => false,
                    };
                    if !same {
                        differences.push(Difference::View {
                            realm: match viewer {
                                Viewer::Realm(realm) => Some(realm),
                                Viewer::GameMaster => None,
                            },
                        });
                    }
                }
                Some(Word::Done(result)) => break (*result)?,
                None => return Err(fell_silent()),
            }
        };
        let (stored,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM views WHERE world = $1 AND step = $2",
                &values![&world.id, step],
            )
            .await?;
        let stored = number(stored, "number of views")?;
        if stored != views {
            differences.push(Difference::Views { stored, now: views });
        }
        if result.digest != kept.digest {
            differences.push(Difference::Digest {
                stored: kept.digest.to_string(),
                now: result.digest.to_string(),
            });
        }
        if result.rolls != kept.rolls {
            differences.push(Difference::Dice);
        }
        if result.requests != kept.requests {
            differences.push(Difference::Requests);
        }
        Ok(differences)
    }

    /// Questions that a published step answered with a default.
    pub async fn requests(&self, world: &World, step: u32) -> Result<Vec<Request<String>>> {
        let mut tx = self.read().await?;
        Ok(kept(&mut tx, world, step).await?.requests)
    }

    async fn prepare(&self, tx: &mut Tx, world: &World, plan: RunPlan) -> Result<Prepared> {
        let game = self.game_of(world)?;
        let fresh = world::find(tx, &world.id)
            .await?
            .ok_or_else(|| HostError::UnknownWorld(world.name.clone()))?;
        right_step(plan.step, fresh.open_step)?;
        let before = world::last_state(tx, &world.id).await?;
        let step = game.open_step(&before.state)?;
        if step.number != fresh.open_step || before.number.checked_add(1) != Some(step.number) {
            return Err(HostError::Damaged(
                format!(
                    "turn {} is open, but the last stored one is {}",
                    fresh.open_step, before.number
                )
                .into(),
            ));
        }
        if step.over || fresh.closed_at.is_some() {
            return Err(HostError::Over(world.name.clone()));
        }
        let moment = schedule::moment(tx, &world.id, step.number, now()).await?;
        let seats = schedule::seats_at(tx, &world.id, moment).await?;
        let mut files = counting_files(tx, world, step.number).await?;
        files.retain(|realm, _| step.plays.contains(realm));
        let silent: Vec<&Seat> = seats
            .iter()
            .filter(|seat| step.owes.contains(&seat.realm) && !files.contains_key(&seat.realm))
            .collect();
        if !plan.without_missing {
            let missing: Vec<&str> = silent
                .iter()
                .filter(|seat| !seat.computer)
                .map(|seat| seat.name.as_str())
                .collect();
            if !missing.is_empty() {
                return Err(HostError::Missing {
                    missing: missing.join(", "),
                });
            }
        }
        let mut computer = BTreeMap::new();
        for seat in silent.iter().filter(|seat| seat.computer) {
            let file = computers_orders(tx, world, step.number, seat.realm, &*game).await?;
            computer.insert(seat.realm, file);
        }
        files.extend(computer.iter().map(|(realm, file)| (*realm, file.clone())));
        let given = contribution(tx, world, step.number).await?;
        let secret = step_secret(tx, world, step.number).await?;
        Ok(Prepared {
            secret,
            game,
            before,
            step,
            seats,
            input: StoredInput {
                files,
                answers: given.answers,
                edicts: given.edicts,
            },
            computer,
            inputs: fresh.inputs,
        })
    }

    /// What the computer would order for a realm in the open step: a beginning for whoever takes it over.
    pub async fn suggested_orders(&self, world: &World, realm: RealmId) -> Result<Vec<u8>> {
        let game = self.game_of(world)?;
        let mut tx = self.read().await?;
        computers_orders(&mut tx, world, world.open_step, realm, &*game).await
    }

    /// Runs and stores the prepared step, in a transaction that is open already or in one of its own; nothing if orders or
    /// judgements came in the meantime.
    async fn publish(
        &self,
        world: &World,
        prepared: &Prepared,
        held: Option<Tx>,
        progress: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<Option<Run>> {
        let mut words = work(
            &prepared.game,
            &prepared.before,
            &prepared.input,
            prepared.secret.clone(),
        );
        let total = prepared.step.plays.len() as u64 + 1;
        let step = prepared.step.number;
        let mut views = 0;
        // The first word comes when the game has done its work: the database is not held before.
        let mut word = words.recv().await;
        let mut tx = match held {
            Some(tx) => tx,
            None => self.write(Subject::World(&world.id)).await?,
        };
        let (open, inputs): (i64, i64) = tx
            .one(
                "SELECT open_step, inputs FROM worlds WHERE id = $1",
                &values![&world.id],
            )
            .await?;
        right_step(Some(step), number(open, "number of the open step")?)?;
        if inputs != prepared.inputs {
            return Ok(None);
        }
        let result = loop {
            match word {
                Some(Word::View(viewer, blob)) => {
                    world::insert_view(&mut tx, &world.id, step, viewer, &blob).await?;
                    views += 1;
                    progress(views, total);
                }
                Some(Word::Done(result)) => break (*result)?,
                None => return Err(fell_silent()),
            }
            word = words.recv().await;
        };
        let open = next_step(prepared, &result)?;
        store(&mut tx, world, prepared, &result, &open).await?;
        tx.commit().await?;
        Ok(Some(summary(prepared, &result, views, &open)))
    }
}

/// Lets the game work on a thread of its own and packs its views there.
fn work(game: &Arc<dyn AnyGame>, before: &Stored, input: &StoredInput, secret: StepSecret) -> mpsc::Receiver<Word> {
    // A few views may wait for the database; more would only fill the memory.
    let (sender, receiver) = mpsc::channel(8);
    let game = Arc::clone(game);
    let (state, digest, input) = (before.state.clone(), before.digest, input.clone());
    tokio::task::spawn_blocking(move || {
        let result = game.run(&state, digest, &input, &secret, &mut |viewer, bytes| {
            let blob = pack(bytes).map_err(|error| GameError::Broken(error.to_string()))?;
            sender
                .blocking_send(Word::View(viewer, blob))
                .map_err(|_| GameError::Broken("nobody waits for the views any more".into()))
        });
        // When nobody listens any more the step was given up, and there is nobody to tell.
        let _ = sender.blocking_send(Word::Done(Box::new(result.map_err(HostError::from))));
    });
    receiver
}

/// The orders of a computer player, from what the realm knows.
async fn computers_orders(
    tx: &mut Tx,
    world: &World,
    step: u32,
    realm: RealmId,
    game: &dyn AnyGame,
) -> Result<Vec<u8>> {
    let (_, view) = world::view(tx, world, Viewer::Realm(realm), None).await?;
    let file = game.computer_player(&view, &computer_secret(world, step, realm))?;
    if file.len() > kernel::limits::ORDER_FILE_BYTES {
        let told = format!("the computer player of realm {realm} wrote too much");
        return Err(HostError::Broken(told));
    }
    Ok(file.into_bytes())
}

fn fell_silent() -> HostError {
    HostError::Broken("the game stopped in the middle of its work".into())
}

fn next_step(prepared: &Prepared, result: &StepResult) -> Result<Step> {
    let open = prepared.game.open_step(&result.state)?;
    if Some(open.number) == prepared.step.number.checked_add(1) {
        Ok(open)
    } else {
        Err(HostError::Broken(format!(
            "step {} is followed by step {}",
            prepared.step.number, open.number
        )))
    }
}

async fn store(tx: &mut Tx, world: &World, prepared: &Prepared, result: &StepResult, open: &Step) -> Result<()> {
    let step = prepared.step.number;
    for (realm, file) in &prepared.computer {
        let receipt = receipt(world, step, *realm, file);
        insert_submission(tx, world, step, *realm, &pack(file)?, receipt, Source::Computer).await?;
    }
    let row = StepRow {
        number: step,
        digest: result.digest,
        state: &pack(&result.state)?,
        input: Some(&pack_value(&prepared.input)?),
        requests: Some(&pack_value(&result.requests)?),
        rolls: Some(&pack_value(&result.rolls)?),
        events: result.events as u64,
        opens: open,
    };
    world::insert_step(tx, &world.id, row).await?;
    world::insert_seals(tx, world, open).await?;
    forget_trial(tx, &world.id).await?;
    let missing = missing(prepared);
    let at = now();
    schedule::after_step(tx, &world.id, step, &missing, open, at).await?;
    crate::letter::deliver_waiting(tx, world, step).await?;
    let due = match open.over {
        true => None,
        false => schedule::deadline(tx, &world.id, open.number).await?,
    };
    let told = Published {
        step,
        plays: &prepared.step.plays,
        missing: missing.len(),
        requests: result.requests.len(),
        due_at: due.map(|due| due.due_at),
    };
    tidings::published(tx, world, &told, at).await?;
    tx.execute(
        "UPDATE worlds SET open_step = $2, inputs = inputs + 1 WHERE id = $1",
        &values![&world.id, open.number],
    )
    .await?;
    note(
        tx,
        &world.id,
        "turn run",
        &format!("turn {step} digest {}", result.digest),
    )
    .await
}

/// Realms that owed orders and sent none.
fn missing(prepared: &Prepared) -> BTreeSet<RealmId> {
    let realms = prepared.seats.iter().map(|seat| seat.realm);
    realms
        .filter(|realm| prepared.step.owes.contains(realm) && !prepared.input.files.contains_key(realm))
        .collect()
}

fn summary(prepared: &Prepared, result: &StepResult, views: u64, open: &Step) -> Run {
    Run {
        step: prepared.step.number,
        digest: result.digest.to_string(),
        events: result.events as u64,
        dice: result.rolls.len() as u64,
        orders: prepared.input.files.keys().copied().collect(),
        missing: missing(prepared).into_iter().collect(),
        requests: result.requests.clone(),
        views,
        over: open.over,
    }
}

/// What is stored of a step that was run.
pub(crate) struct Kept {
    pub before: Stored,
    pub digest: Digest,
    pub input: StoredInput,
    pub rolls: Vec<Roll>,
    pub requests: Vec<Request<String>>,
}

type KeptRow = (Vec<u8>, Option<Vec<u8>>, Option<Vec<u8>>, Option<Vec<u8>>);

pub(crate) async fn kept(tx: &mut Tx, world: &World, step: u32) -> Result<Kept> {
    let row: Option<KeptRow> = tx
        .maybe(
            "SELECT digest, input, rolls, requests FROM steps WHERE world = $1 AND number = $2",
            &values![&world.id, step],
        )
        .await?;
    let before = match step.checked_sub(1) {
        Some(before) => world::state_after(tx, &world.id, before).await?,
        None => None,
    };
    let (Some((digest, Some(input), Some(rolls), Some(requests))), Some(before)) = (row, before) else {
        let (first, last): (i64, i64) = tx
            .one(
                "SELECT COALESCE(MIN(number), 0) + 1, COALESCE(MAX(number), 0) FROM steps WHERE world = $1",
                &values![&world.id],
            )
            .await?;
        return Err(HostError::UnknownStep {
            whom: None,
            step,
            first: number(first, "number of a step")?,
            last: number(last, "number of a step")?,
        });
    };
    Ok(Kept {
        before,
        digest: Digest(crate::pack::bytes32(&digest, "digest of a step")?),
        input: unpack_value(&input, "input of a step")?,
        rolls: unpack_value(&rolls, "dice of a step")?,
        requests: unpack_value(&requests, "requests of a step")?,
    })
}
