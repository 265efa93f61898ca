//! Coming into a world: the public list, invitations, and taking a seat.

use super::player::RealmName;
use super::{Called, Problem, Sent, json, json_as};
use crate::identity::{Caller, world_segment};
use crate::pages::worlds::{self, Entered, JoinForm, Refusal};
use crate::state::Web;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use host::membership::{Invited, Joined};
use host::world::{Seat, World};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A world that can be joined.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenWorld {
    /// Its id.
    id: String,
    /// Its name.
    name: String,
    /// What stands for it in addresses.
    path: String,
    /// Its game.
    game: String,
    /// The turn that is open.
    turn: u32,
    /// What its game master says about it.
    introduction: String,
    /// Seats that can be had.
    vacant: Vec<RealmName>,
    /// Whether a realm of this game may describe its people when it joins.
    describes: bool,
    /// Whether the invitation is to lead the world.
    to_lead: bool,
}

/// Worlds that can be joined.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenWorlds {
    /// The worlds, by name.
    worlds: Vec<OpenWorld>,
}

fn open_world(web: &Web, world: &World, introduction: String, vacant: &[Seat]) -> Result<OpenWorld, Problem> {
    let seat = |seat: &Seat| RealmName {
        realm: seat.realm.0,
        name: seat.name.clone(),
    };
    Ok(OpenWorld {
        id: world.id.clone(),
        name: world.name.clone(),
        path: world_segment(world),
        game: world.game.clone(),
        turn: world.open_step,
        introduction,
        vacant: vacant.iter().map(seat).collect(),
        describes: web.host.game(&world.game)?.description_form().is_some(),
        to_lead: false,
    })
}

/// `GET /api/v1/open-worlds`
pub async fn list(State(web): State<Web>) -> Called {
    let mut worlds = Vec::new();
    for open in web.host.public_worlds().await? {
        worlds.push(open_world(&web, &open.world, open.introduction, &open.vacant)?);
    }
    json(&OpenWorlds { worlds })
}

/// An invitation in an address.
#[derive(Deserialize)]
pub struct CodePath {
    code: String,
}

/// `GET /api/v1/invitations/{code}`: what a code invites to.
pub async fn invitation(State(web): State<Web>, Path(path): Path<CodePath>) -> Called {
    let found = web.host.invitation(&path.code, web.clock.now()).await?;
    let (world, invitation) = found.ok_or_else(Problem::missing)?;
    let vacant = worlds::invited_seats(&web, &world, invitation.to).await?;
    let (_, introduction) = web.host.admission(&world).await?;
    json(&OpenWorld {
        to_lead: invitation.to == Invited::Master,
        ..open_world(&web, &world, introduction, &vacant)?
    })
}

/// How you want to join.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinSent {
    /// The seat; the first that is free if you say nothing.
    #[serde(default)]
    realm: Option<u16>,
    /// A name for your realm; it keeps its own if you say nothing.
    #[serde(default)]
    name: String,
    /// What kind of people it is, in games where a realm says so.
    #[serde(default)]
    culture: String,
}

/// What became of joining.
#[derive(Debug, Serialize, ToSchema)]
pub struct Came {
    /// What stands for the world in addresses.
    path: String,
    /// Your realm; none if you lead the world.
    realm: Option<RealmName>,
    /// Whether you lead the world.
    game_master: bool,
    /// Whether the words about your people stand in a draft of your first orders.
    described: bool,
}

async fn enter(web: &Web, caller: &Caller, world: &World, code: String, sent: JoinSent) -> Called {
    let form = JoinForm::of(code, sent.realm, sent.name, sent.culture);
    let Entered { joined, described } = match worlds::enter(web, &caller.account.id, world, &form).await? {
        Ok(entered) => entered,
        Err(Refusal::Culture) => return Err(Problem::refused(&"culture")),
        Err(Refusal::RealmName) => return Err(Problem::refused(&"name")),
        Err(Refusal::Drawing(_)) => return Err(Problem::refused(&"arms")),
        Err(Refusal::Membership(why)) => return Err(host::HostError::from(why).into()),
    };
    let realm = match &joined {
        Joined::Player(seat) => Some(RealmName {
            realm: seat.realm.0,
            name: seat.name.clone(),
        }),
        Joined::Master => None,
    };
    json_as(
        StatusCode::CREATED,
        &Came {
            path: world_segment(world),
            game_master: realm.is_none(),
            realm,
            described,
        },
    )
}

/// A world in an address, as the public list names it.
#[derive(Deserialize)]
pub struct OpenPath {
    name: String,
}

/// `POST /api/v1/open-worlds/{name}/join`
pub async fn join(
    State(web): State<Web>,
    caller: Caller,
    Path(path): Path<OpenPath>,
    Sent(sent): Sent<JoinSent>,
) -> Called {
    let world = worlds::find_open(&web, &path.name).await?;
    enter(&web, &caller, &world, String::new(), sent).await
}

/// `POST /api/v1/invitations/{code}/accept`
pub async fn accept(
    State(web): State<Web>,
    caller: Caller,
    Path(path): Path<CodePath>,
    Sent(sent): Sent<JoinSent>,
) -> Called {
    let found = web.host.invitation(&path.code, web.clock.now()).await?;
    let (world, _) = found.ok_or_else(Problem::missing)?;
    enter(&web, &caller, &world, path.code, sent).await
}
