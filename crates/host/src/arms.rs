//! Coats of arms and seals: drawn from a kit, or brought along and cleaned. A realm that chose nothing bears what its name says.

use crate::db::{Subject, Tx, values};
use crate::store::{Host, now};
use crate::unfit::Unfit;
use crate::world::World;
use crate::{Result, limits};
use kernel::realm::RealmId;
use std::collections::{BTreeMap, BTreeSet};

pub mod blazon;
mod seal;
pub mod svg;

pub use blazon::{Blazon, Charge, Division, Tincture, charges};

/// Why a drawing is not taken. [`ArmsError::code`] is the key of its wording.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArmsError {
    /// More bytes than allowed.
    #[error("the drawing is larger than {} bytes", limits::DRAWING_BYTES)]
    TooLarge,
    /// Not SVG, or with a document type.
    #[error("that is no SVG drawing")]
    NoDrawing,
    /// Neither a viewBox nor width and height.
    #[error("the drawing says nothing about its size")]
    NoSize,
    /// Nothing to be seen is left.
    #[error("the drawing has nothing that may be shown")]
    Empty,
    /// Too many parts, too deep, or references that multiply.
    #[error("the drawing has too many parts")]
    TooManyParts,
    /// A part that refers to itself.
    #[error("the drawing goes in a circle")]
    Circle,
}

impl ArmsError {
    /// Key of the wording.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooLarge => "arms-too-large",
            Self::NoDrawing => "arms-no-drawing",
            Self::NoSize => "arms-no-size",
            Self::Empty => "arms-empty",
            Self::TooManyParts => "arms-too-many-parts",
            Self::Circle => "arms-circle",
        }
    }
}

/// The coat of arms of a realm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arms {
    /// The drawing, 100 by 120.
    pub svg: String,
    /// How it was put together; nothing for one that was brought along.
    pub blazon: Option<Blazon>,
    /// Whether the realm chose it.
    pub chosen: bool,
}

type ArmsRow = (Option<String>, String);

impl Host {
    /// The coat of arms of a realm.
    pub async fn arms(&self, world: &World, realm: RealmId) -> Result<Arms> {
        let seat = self.seat(world, realm).await?;
        let mut tx = self.read().await?;
        Ok(match stored(&mut tx, &world.id, realm).await? {
            Some((blazon, svg)) => Arms {
                svg,
                blazon: blazon.and_then(|json| serde_json::from_str(&json).ok()),
                chosen: true,
            },
            None => {
                let blazon = Blazon::of_name(&seat.name);
                Arms {
                    svg: blazon.draw(),
                    blazon: Some(blazon),
                    chosen: false,
                }
            }
        })
    }

    /// The seal of a realm, 120 by 120.
    pub async fn seal_of(&self, world: &World, realm: RealmId) -> Result<String> {
        let arms = self.arms(world, realm).await?;
        let face = match &arms.blazon {
            Some(blazon) => seal::Face::Blazon(blazon),
            None => seal::Face::Drawing(&arms.svg),
        };
        Ok(seal::draw(&format!("{} {realm}", world.id), &face))
    }

    /// When the arms of the realms last changed, in milliseconds: part of their addresses, so that they can be kept.
    pub async fn arms_changed(&self, world: &World) -> Result<BTreeMap<RealmId, i64>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, i64)> = tx
            .all(
                "SELECT realm, changed_at FROM arms WHERE world = $1",
                &values![&world.id],
            )
            .await?;
        rows.into_iter()
            .map(|(realm, at)| Ok((RealmId(crate::world::number(realm, "number of a realm")?), at)))
            .collect()
    }

    /// Puts arms together from the kit.
    pub async fn set_blazon(&self, world: &World, realm: RealmId, blazon: &Blazon) -> Result<()> {
        let json = serde_json::to_string(blazon)
            .map_err(|error| crate::HostError::Malformed(Unfit::Other(error.to_string())))?;
        self.store_arms(world, realm, Some(&json), &blazon.draw()).await
    }

    /// Takes a drawing from outside, cleaned; tells what was left out.
    pub async fn upload_arms(&self, world: &World, realm: RealmId, drawing: &[u8]) -> Result<BTreeSet<String>> {
        let cleaned = svg::clean(drawing)?;
        self.store_arms(world, realm, None, &cleaned.svg).await?;
        Ok(cleaned.left_out)
    }

    /// Goes back to the arms that the name speaks for.
    pub async fn forget_arms(&self, world: &World, realm: RealmId) -> Result<()> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        tx.execute(
            "DELETE FROM arms WHERE world = $1 AND realm = $2",
            &values![&world.id, realm],
        )
        .await?;
        tx.commit().await
    }

    async fn store_arms(&self, world: &World, realm: RealmId, blazon: Option<&str>, svg: &str) -> Result<()> {
        self.seat(world, realm).await?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        insert(&mut tx, &world.id, realm, blazon, svg, now()).await?;
        tx.commit().await
    }
}

async fn stored(tx: &mut Tx, world: &str, realm: RealmId) -> Result<Option<ArmsRow>> {
    tx.maybe(
        "SELECT blazon, drawing FROM arms WHERE world = $1 AND realm = $2",
        &values![world, realm],
    )
    .await
}

async fn insert(tx: &mut Tx, world: &str, realm: RealmId, blazon: Option<&str>, svg: &str, at: i64) -> Result<()> {
    tx.execute(
        "DELETE FROM arms WHERE world = $1 AND realm = $2",
        &values![world, realm],
    )
    .await?;
    tx.execute(
        "INSERT INTO arms (world, realm, blazon, drawing, changed_at) VALUES ($1, $2, $3, $4, $5)",
        &values![world, realm, blazon, svg, at],
    )
    .await?;
    Ok(())
}
