//! A world over its turns: the chronicle of a realm, and the open part of the record.

use super::{Called, json, moment};
use crate::identity::{Member, Player};
use crate::page::Page;
use crate::pages::chronicle;
use crate::state::Web;
use axum::extract::State;
use kernel::realm::{RealmId, Viewer};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A turn in the chronicle of a realm.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChronicleTurn {
    /// Its number; 0 is the beginning.
    turn: u32,
    /// When it was run.
    #[schema(format = DateTime)]
    ran_at: String,
    /// The order file that counted.
    attempt: Option<u32>,
    /// Letters that came before the next turn was run.
    letters: u32,
    /// Whether its orders were missed.
    missed: bool,
    /// Whether that is excused.
    excused: bool,
}

/// The chronicle of a realm.
#[derive(Debug, Serialize, ToSchema)]
pub struct Chronicle {
    /// The turns, the last first.
    turns: Vec<ChronicleTurn>,
}

/// `GET /api/v1/worlds/{world}/chronicle`
pub async fn show(State(web): State<Web>, player: Player) -> Called {
    let turn = |of: chronicle::Turn| ChronicleTurn {
        turn: of.number,
        ran_at: moment(of.ran_at),
        attempt: of.attempt,
        letters: of.letters,
        missed: of.missed.is_some(),
        excused: of.missed == Some(true),
    };
    json(&Chronicle {
        turns: chronicle::turns(&web, &player).await?.into_iter().map(turn).collect(),
    })
}

/// Something that was done in the world.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenDeed {
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// What, for programs.
    deed: String,
    /// What, in words.
    text: String,
}

/// What was done in the world, as far as every player may read it.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenRecord {
    /// What was done, the newest first.
    deeds: Vec<OpenDeed>,
}

/// `GET /api/v1/worlds/{world}/record`
pub async fn record(State(web): State<Web>, page: Page, member: Member) -> Called {
    // A stand-in reads what everybody reads: what concerns the realm is its player's.
    let own = member.seat.as_ref().filter(|_| !member.stands_in);
    let reader = own.map(|seat| Viewer::Realm(seat.realm));
    let deeds = web.host.record(&member.world, reader, chronicle::DEEDS).await?;
    // A player may not know every realm by its name, and nothing here is about another one.
    let names: BTreeMap<RealmId, String> = own.map(|seat| (seat.realm, seat.name.clone())).into_iter().collect();
    let deed = |of: host::desk::Deed| OpenDeed {
        at: moment(of.at),
        text: page.told(&of, &names),
        deed: of.deed,
    };
    json(&OpenRecord {
        deeds: deeds.into_iter().map(deed).collect(),
    })
}
