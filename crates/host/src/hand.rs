//! The world changed by hand: the map editor's strokes, undone and done again, loaded and saved as a sheet.
//!
//! A change is a judgement of the open step like any other, with a reason, and counts when the step is run: what was
//! published stays what it was. Before the first step there is nothing published to keep, so the first views are written
//! anew after every change and players see the world as it has become.

use crate::db::{Subject, Tx, values};
use crate::desk::DeskError;
use crate::error::HostError;
use crate::judgement::{Judgement, check_length, free_number, insert_judgement, judgements};
use crate::pack::pack;
use crate::store::{Host, note, now};
use crate::submission::take_input;
use crate::world::{World, insert_view, last_state};
use crate::{Result, limits};
use kernel::diagnostic::Diagnostic;

/// What became of changes by hand.
#[derive(Clone, Debug)]
pub struct ByHand {
    /// The judgement that makes them; nothing if nothing would be another afterwards.
    pub judgement: Option<Judgement>,
    /// Why some cannot be made, at the lines of the text.
    pub faults: Vec<Diagnostic>,
}

impl Host {
    /// The game master's view of the world as the open step will find it: with the changes by hand that wait for it.
    pub async fn edited_view(&self, world: &World) -> Result<Vec<u8>> {
        let game = self.game_of(world)?;
        let (state, earlier) = self.edited_parts(world).await?;
        beside(move || {
            let (state, _) = game.change_world(&state, &earlier, "")?;
            Ok(game.master_view(&state)?)
        })
        .await
    }

    /// The same world as a sheet of changes, one to a line, for a file.
    pub async fn sheet(&self, world: &World) -> Result<String> {
        let game = self.game_of(world)?;
        let (state, earlier) = self.edited_parts(world).await?;
        beside(move || {
            let (state, _) = game.change_world(&state, &earlier, "")?;
            Ok(game.write_world(&state)?)
        })
        .await
    }

    async fn edited_parts(&self, world: &World) -> Result<(Vec<u8>, Vec<String>)> {
        let mut tx = self.read().await?;
        let state = last_state(&mut tx, &world.id).await?.state;
        let step = self.game_of(world)?.open_step(&state)?.number;
        Ok((state, earlier(&mut tx, world, step).await?))
    }

    /// Changes the world by a text with one change to a line, as far as that is possible. Once the world has begun, a reason
    /// is needed.
    pub async fn change_by_hand(&self, world: &World, text: &str, reason: &str) -> Result<ByHand> {
        check_length("reason", reason)?;
        if text.len() > limits::SHEET_BYTES {
            return Err(HostError::TooLarge {
                what: "changes",
                size: text.len() as u64,
                limit: limits::SHEET_BYTES as u64,
            });
        }
        let game = self.game_of(world)?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let last = last_state(&mut tx, &world.id).await?;
        let step = game.open_step(&last.state)?.number;
        if reason.trim().is_empty() && !is_unplayed(&mut tx, world).await? {
            return Err(DeskError::NoReason.into());
        }
        let earlier = earlier(&mut tx, world, step).await?;
        let (lines, tried) = (text.to_owned(), game.clone());
        let (_, changes) = beside(move || Ok(tried.change_world(&last.state, &earlier, &lines)?)).await?;
        let Some(ruling) = changes.ruling else {
            return Ok(ByHand {
                judgement: None,
                faults: changes.faults,
            });
        };
        take_input(&mut tx, world, step).await?;
        let number = free_number(&mut tx, &world.id, step).await?;
        let judgement = Judgement {
            step,
            number,
            request: String::new(),
            ruling,
            reason: reason.trim().to_owned(),
            changes: u32::try_from(changes.made).unwrap_or(u32::MAX),
            withdrawn: false,
            given_at: now(),
        };
        insert_judgement(&mut tx, &world.id, &judgement).await?;
        let detail = format!("turn {step} number {} changes {}", judgement.number, judgement.changes);
        note(&mut tx, &world.id, "world changed", &detail).await?;
        self.show_again(&mut tx, world).await?;
        tx.commit().await?;
        Ok(ByHand {
            judgement: Some(judgement),
            faults: changes.faults,
        })
    }

    /// The changes by hand that wait for the open step, in order; those taken back are among them.
    pub async fn changes_by_hand(&self, world: &World) -> Result<Vec<Judgement>> {
        let step = self.open_step(world).await?.number;
        let mut given = self.judgements(world, step).await?;
        given.retain(|judgement| judgement.changes > 0);
        Ok(given)
    }

    /// Takes the last change by hand back. Nothing if there is none.
    pub async fn undo_by_hand(&self, world: &World) -> Result<Option<u32>> {
        let given = self.changes_by_hand(world).await?;
        let Some(last) = given.iter().rfind(|judgement| !judgement.withdrawn) else {
            return Ok(None);
        };
        self.withdraw(world, last.number).await?;
        Ok(Some(last.number))
    }

    /// Makes the change again that was taken back last. Nothing if there is none, or another change came after it.
    pub async fn redo_by_hand(&self, world: &World) -> Result<Option<u32>> {
        let given = self.changes_by_hand(world).await?;
        let after = given
            .iter()
            .rposition(|judgement| !judgement.withdrawn)
            .map_or(0, |last| last + 1);
        let Some(next) = given.get(after) else {
            return Ok(None);
        };
        let mut tx = self.write(Subject::World(&world.id)).await?;
        take_input(&mut tx, world, next.step).await?;
        tx.execute(
            "UPDATE judgements SET withdrawn = 0 WHERE world = $1 AND step = $2 AND number = $3",
            &values![&world.id, next.step, next.number],
        )
        .await?;
        let detail = format!("turn {} number {} changes {}", next.step, next.number, next.changes);
        note(&mut tx, &world.id, "world changed", &detail).await?;
        self.show_again(&mut tx, world).await?;
        tx.commit().await?;
        Ok(Some(next.number))
    }

    /// Writes the first views anew, as long as no step was run: what was changed by hand was there from the beginning.
    pub(crate) async fn show_again(&self, tx: &mut Tx, world: &World) -> Result<()> {
        if !is_unplayed(tx, world).await? {
            return Ok(());
        }
        let game = self.game_of(world)?;
        let created = last_state(tx, &world.id).await?;
        let step = game.open_step(&created.state)?.number;
        let earlier = earlier(tx, world, step).await?;
        let creation = created.number;
        let views = beside(move || {
            let (state, _) = game.change_world(&created.state, &earlier, "")?;
            let mut views = Vec::new();
            game.first_views(&state, &mut |viewer, bytes| {
                views.push((viewer, bytes.to_vec()));
                Ok(())
            })?;
            Ok(views)
        })
        .await?;
        tx.execute(
            "DELETE FROM views WHERE world = $1 AND step = $2",
            &values![&world.id, creation],
        )
        .await?;
        for (viewer, view) in views {
            insert_view(tx, &world.id, creation, viewer, &pack(&view)?).await?;
        }
        Ok(())
    }
}

/// Whether no step of the world was run yet.
async fn is_unplayed(tx: &mut Tx, world: &World) -> Result<bool> {
    let (steps,): (i64,) = tx
        .one("SELECT COUNT(*) FROM steps WHERE world = $1", &values![&world.id])
        .await?;
    Ok(steps <= 1)
}

/// The judgements of a step that count, as JSON.
async fn earlier(tx: &mut Tx, world: &World, step: u32) -> Result<Vec<String>> {
    let given = judgements(tx, world, step).await?;
    let counts = given
        .into_iter()
        .filter(|judgement| !judgement.withdrawn && judgement.request.is_empty());
    Ok(counts.map(|judgement| judgement.ruling).collect())
}

/// Works beside the requests: a large world takes its time.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| HostError::Broken(error.to_string()))?
}
