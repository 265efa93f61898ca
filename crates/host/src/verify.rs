//! Checking what was published: a player his own dice, the game master whole turns byte for byte.

use crate::Result;
use crate::damage::Damage;
use crate::db::{Subject, values};
use crate::desk::step_secret;
use crate::error::HostError;
use crate::ill::Ill;
use crate::pack::unpack;
use crate::step::Difference;
use crate::store::Host;
use crate::submission::right_step;
use crate::world::{self, World, from_hex, hex, number};
use kernel::codec::Digest;
use kernel::dice::{DiceKey, Owner, Roll};
use kernel::realm::{RealmId, Viewer};
use serde::{Deserialize, Serialize};

/// What a player needs to check his dice of one step alone, without the host: the seal he was given before the step, the
/// key he was given after it, and the dice of his report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// Name of the world.
    pub world: String,
    /// The step.
    pub step: u32,
    /// The realm.
    pub realm: RealmId,
    /// The seal published before the step, in hexadecimal digits.
    pub seal: String,
    /// The key opened after the step, in hexadecimal digits.
    pub key: String,
    /// The realm's own dice as its report shows them.
    pub rolls: Vec<Roll>,
}

/// What checking dice gave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DiceCheck {
    /// Whether the key fits the seal.
    pub sealed: bool,
    /// Number of dice checked.
    pub checked: usize,
    /// Dice that the key does not give.
    pub wrong: Vec<Roll>,
}

impl DiceCheck {
    /// Whether everything is as it was promised.
    pub fn holds(&self) -> bool {
        self.sealed && self.wrong.is_empty()
    }
}

/// What checking a step of a world gave.
#[derive(Clone, Debug, Serialize)]
pub struct StepCheck {
    /// The step.
    pub step: u32,
    /// Whether its digest follows from its state and the digest before.
    pub chained: bool,
    /// Whether the published seals fit the keys, and none is missing.
    pub sealed: bool,
    /// What a second run gave otherwise; nothing was run again for the creation.
    pub differences: Vec<Difference>,
}

impl StepCheck {
    /// Whether everything is as it was published.
    pub fn holds(&self) -> bool {
        self.chained && self.sealed && self.differences.is_empty()
    }

    /// What does not hold.
    pub fn ills(&self) -> Vec<Ill> {
        let mut ills = Vec::new();
        if !self.chained {
            ills.push(Ill::Chain);
        }
        if !self.sealed {
            ills.push(Ill::Seals);
        }
        ills.extend(self.differences.iter().map(Ill::from));
        ills
    }
}

impl Evidence {
    /// Checks the key against the seal and every die against the key. `seal` is the one the player wrote down himself.
    pub fn check(&self, seal: Option<&str>) -> Result<DiceCheck> {
        let key = DiceKey(from_hex(&self.key)?);
        let sealed = key.commitment().0 == from_hex(seal.unwrap_or(&self.seal))?;
        let own = Owner::of(self.realm);
        let wrong = self.rolls.iter().filter(|roll| roll.owner != own || !roll.holds(&key));
        Ok(DiceCheck {
            sealed,
            checked: self.rolls.len(),
            wrong: wrong.cloned().collect(),
        })
    }
}

/// A key of dice that has become public, and the seal that was published before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PublicKey {
    /// The step.
    pub step: u32,
    /// Whose dice.
    pub owner: Owner,
    /// The seal in hexadecimal digits.
    pub seal: String,
    /// The key in hexadecimal digits.
    pub key: String,
}

impl Host {
    /// Closes a world for good: no more orders, no more turns. From now on all keys of its dice are public, and its
    /// export may be given to anybody, who can run every turn again.
    pub async fn close_world(&self, world: &World, now: i64) -> Result<()> {
        let lock = self.lock(&world.id, &world.name).await?;
        let done = self.close_locked(world, now).await;
        lock.release().await;
        done
    }

    async fn close_locked(&self, world: &World, now: i64) -> Result<()> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let closed = tx
            .execute(
                "UPDATE worlds SET closed_at = $2, inputs = inputs + 1, admission = 'closed' \
                 WHERE id = $1 AND closed_at IS NULL",
                &values![&world.id, now],
            )
            .await?;
        if closed == 0 {
            return Err(HostError::Over(world.name.clone()));
        }
        let open = crate::schedule::open_step(&mut tx, world).await?;
        crate::schedule::plan(&mut tx, &world.id, open, None, now).await?;
        crate::store::note(&mut tx, &world.id, "world closed", "all keys are public").await?;
        tx.commit().await
    }

    /// All keys of a closed world with their seals, of every step that was run. While a world lives they stay sealed.
    pub async fn public_keys(&self, world: &World) -> Result<Vec<PublicKey>> {
        let mut tx = self.read().await?;
        let fresh = world::find(&mut tx, &world.id).await?;
        if fresh.is_none_or(|world| world.closed_at.is_none()) {
            return Err(HostError::NotClosed(world.name.clone()));
        }
        let open = crate::schedule::open_step(&mut tx, world).await?;
        let mut keys = Vec::new();
        for step in 0..open {
            let secret = crate::desk::step_secret(&mut tx, world, step).await?;
            for (owner, seal) in world::seals(&mut tx, &world.id, step).await? {
                keys.push(PublicKey {
                    step,
                    owner,
                    seal: hex(&seal.0),
                    key: hex(&secret.key(owner).0),
                });
            }
        }
        Ok(keys)
    }

    /// The evidence of a realm's dice in a step that was run. The keys of other realms and of the world stay sealed.
    pub async fn evidence(&self, world: &World, realm: RealmId, step: u32) -> Result<Evidence> {
        self.seat(world, realm).await?;
        let open = self.open_step(world).await?.number;
        if step >= open {
            return right_step(Some(step), open).and(Err(HostError::NotOpen { step, open }));
        }
        let owner = Owner::of(realm);
        let seal = self
            .seals(world, step)
            .await?
            .into_iter()
            .find(|seal| seal.owner == owner);
        let (seen, view) = self.view(world, Viewer::Realm(realm), Some(step)).await?;
        let (Some(seal), true) = (seal, seen == step) else {
            return Err(HostError::UnknownStep {
                whom: Some(Viewer::Realm(realm)),
                step,
                first: seen,
                last: open.saturating_sub(1),
            });
        };
        let mut rolls = self.game_of(world)?.open_rolls(&view)?;
        rolls.retain(|roll| roll.owner == owner);
        let secret = step_secret(&mut self.read().await?, world, step).await?;
        Ok(Evidence {
            world: world.name.clone(),
            step,
            realm,
            seal: seal.seal,
            key: hex(&secret.key(owner).0),
            rolls,
        })
    }

    /// Checks digest and seals of a step; with `rerun` the step is run again and compared byte for byte.
    pub async fn check_step(&self, world: &World, step: u32, rerun: bool) -> Result<StepCheck> {
        let mut tx = self.read().await?;
        let row: Option<(Vec<u8>, Vec<u8>, i64)> = tx
            .maybe(
                "SELECT digest, state, (SELECT MIN(number) FROM steps WHERE world = $1) FROM steps \
             WHERE world = $1 AND number = $2",
                &values![&world.id, step],
            )
            .await?;
        let Some((digest, state, creation)) = row else {
            return Err(HostError::Damaged(Damage::NoTurn(step)));
        };
        let creation = step == number::<u32>(creation, "number of a step")?;
        let before = match step.checked_sub(1) {
            Some(before) if !creation => match world::state_after(&mut tx, &world.id, before).await? {
                Some(before) => before.digest,
                None => return Err(HostError::Damaged(Damage::NoTurn(before))),
            },
            _ => Digest::default(),
        };
        let chained = before.then(&unpack(&state, "state of the world")?).0[..] == digest[..];
        let seals = world::seals(&mut tx, &world.id, step).await?;
        let secret = step_secret(&mut tx, world, step).await?;
        let fits = seals
            .iter()
            .all(|(owner, seal)| secret.key(*owner).commitment() == *seal);
        let seats = world::seats(&mut tx, &world.id).await?;
        let owners = seats.iter().map(|seat| Owner::of(seat.realm));
        let everyones = std::iter::once(Owner::World)
            .chain(owners)
            .all(|owner| seals.iter().any(|(sealed, _)| *sealed == owner));
        let sealed = creation || (fits && everyones);
        drop(tx);
        let differences = if creation || !rerun {
            Vec::new()
        } else {
            self.replay(world, step).await?
        };
        Ok(StepCheck {
            step,
            chained,
            sealed,
            differences,
        })
    }
}
