//! A world before it is made: its founder's plan, kept while he thinks, and a look at what would come of it.

use crate::db::{Subject, values};
use crate::error::HostError;
use crate::store::Host;
use crate::world::{NewWorld, World, first_state};
use crate::{Result, limits};
use kernel::game::WorldPlan;
use kernel::guide::{Sketch, Start};

impl Host {
    /// The plan that an account has in mind, as the pages wrote it.
    pub async fn world_plan(&self, account: &str) -> Result<Option<String>> {
        let mut tx = self.read().await?;
        let row: Option<(String,)> = tx
            .maybe("SELECT plan FROM world_plans WHERE account = $1", &values![account])
            .await?;
        Ok(row.map(|(plan,)| plan))
    }

    /// Keeps the plan that an account has in mind.
    pub async fn keep_world_plan(&self, account: &str, plan: &str, now: i64) -> Result<()> {
        if plan.len() > limits::PLAN_BYTES {
            return Err(HostError::TooLarge {
                what: "plan",
                size: plan.len() as u64,
                limit: limits::PLAN_BYTES as u64,
            });
        }
        let mut tx = self.write(Subject::Account(account)).await?;
        tx.execute(
            "INSERT INTO world_plans (account, plan, changed_at) VALUES ($1, $2, $3) \
             ON CONFLICT (account) DO UPDATE SET plan = EXCLUDED.plan, changed_at = EXCLUDED.changed_at",
            &values![account, plan, now],
        )
        .await?;
        tx.commit().await
    }

    /// Forgets the plan: the world was made, or will not be.
    pub async fn forget_world_plan(&self, account: &str) -> Result<()> {
        let mut tx = self.write(Subject::Account(account)).await?;
        tx.execute("DELETE FROM world_plans WHERE account = $1", &values![account])
            .await?;
        tx.commit().await
    }

    /// What [`Host::create`] would make of a plan with a seed for its map. Nothing is stored.
    pub async fn sketch(&self, plan: &NewWorld) -> Result<Sketch> {
        let game = self.game(&plan.game)?;
        let seed = plan.map_secret()?;
        let house_rules = plan.house_rules.clone();
        let seats = WorldPlan {
            seats: plan.seats.iter().map(|seat| seat.plan.clone()).collect(),
        };
        let work = move || game.preview_world(&house_rules, &seats, &seed);
        let made = tokio::task::spawn_blocking(work).await;
        Ok(made.map_err(|error| HostError::Broken(error.to_string()))??)
    }

    /// Where the realms of a world began and what those places were worth when it was made.
    pub async fn starts(&self, world: &World) -> Result<Vec<Start>> {
        let first = {
            let mut tx = self.read().await?;
            first_state(&mut tx, &world.id).await?
        };
        Ok(self.game(&world.game)?.starts(&first.state)?)
    }
}
