//! Who asks, and what he is in the world of the address.
//!
//! A request is recognised once, from its session cookie, before any handler runs ([`Asker`]). The guard of its route
//! ([`crate::routes::Guard`]) then looks up the world in the address and what the asker is in it ([`Place`]). Handlers take
//! what they need as typed parameters: [`Visitor`], [`Signed`], [`Member`], [`Player`], [`GameMaster`], [`Admin`]. A parameter
//! that does not fit answers like a missing page, so a route with too weak a guard shows nothing either.

use crate::error::Fault;
use crate::state::Web;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use host::HostError;
use host::world::{Seat, World};
use kernel::realm::{RealmId, Viewer};
use render::locale::Language;
use std::sync::Arc;

/// An account as pages see it.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its id.
    pub id: String,
    /// How others call it.
    pub name: String,
    /// The language it chose.
    pub language: Option<Language>,
    /// Its time zone, such as `Europe/Berlin`.
    pub time_zone: String,
    /// Whether it may do everything.
    pub admin: bool,
}

/// Who asks: nobody, or an account with the session it came by.
#[derive(Clone, Debug, Default)]
pub struct Asker {
    /// The account, if signed in.
    pub account: Option<Arc<Account>>,
    /// Id of the session.
    pub session: Option<String>,
}

/// The world of the address and what the asker is in it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The world.
    pub world: Arc<World>,
    /// The seat of the asker, his own or one he looks after.
    pub seat: Option<Seat>,
    /// Whether the asker leads this world.
    pub game_master: bool,
}

impl Asker {
    /// Recognises the bearer of a session cookie.
    pub async fn recognise(_web: &Web, _token: &str) -> Result<Self, HostError> {
        Ok(Self::default())
    }
}

impl Place {
    /// Finds the world of an address and what the asker is in it; nothing if either is not there.
    pub async fn find(web: &Web, asker: &Asker, world: &str) -> Result<Option<Self>, HostError> {
        let world = match web.host.world(Some(world)).await {
            Ok(world) => world,
            Err(HostError::UnknownWorld(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(_account) = &asker.account else {
            return Ok(None);
        };
        Ok(Some(Self {
            world: Arc::new(world),
            seat: None,
            game_master: false,
        }))
    }
}

/// The segment of an address that names a world: its name where that reads well, otherwise its id.
pub fn world_segment(world: &World) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    if !world.name.is_empty() && world.name.chars().all(plain) {
        percent_encoding::utf8_percent_encode(&world.name, percent_encoding::NON_ALPHANUMERIC).to_string()
    } else {
        world.id.clone()
    }
}

/// Anybody, signed in or not.
#[derive(Clone, Debug)]
pub struct Visitor(pub Asker);

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub struct Signed {
    /// The account.
    pub account: Arc<Account>,
    /// Id of the session.
    pub session: String,
}

/// Somebody who plays in the world of the address or leads it.
#[derive(Clone, Debug)]
pub struct Member {
    /// The account.
    pub account: Arc<Account>,
    /// The world.
    pub world: Arc<World>,
    /// The seat, if he has one.
    pub seat: Option<Seat>,
    /// Whether he leads the world.
    pub game_master: bool,
}

/// Somebody who has a seat in the world of the address, or looks after one.
#[derive(Clone, Debug)]
pub struct Player {
    /// The account.
    pub account: Arc<Account>,
    /// The world.
    pub world: Arc<World>,
    /// The seat.
    pub seat: Seat,
}

impl Player {
    /// The realm.
    pub fn realm(&self) -> RealmId {
        self.seat.realm
    }

    /// Whose view the pages show.
    pub fn viewer(&self) -> Viewer {
        Viewer::Realm(self.seat.realm)
    }

    /// The game of the world.
    pub fn game(&self, web: &Web) -> Result<Arc<dyn kernel::any::AnyGame>, Fault> {
        Ok(web.host.game(&self.world.game)?)
    }
}

/// Somebody who leads the world of the address.
#[derive(Clone, Debug)]
pub struct GameMaster {
    /// The account.
    pub account: Arc<Account>,
    /// The world.
    pub world: Arc<World>,
}

/// Somebody who keeps the host.
#[derive(Clone, Debug)]
pub struct Admin {
    /// The account.
    pub account: Arc<Account>,
}

fn asker(parts: &Parts) -> Asker {
    parts.extensions.get::<Asker>().cloned().unwrap_or_default()
}

fn member(parts: &Parts) -> Option<Member> {
    let place = parts.extensions.get::<Place>()?.clone();
    let account = asker(parts).account?;
    (place.seat.is_some() || place.game_master).then_some(Member {
        account,
        world: place.world,
        seat: place.seat,
        game_master: place.game_master,
    })
}

impl FromRequestParts<Web> for Visitor {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Fault> {
        Ok(Self(asker(parts)))
    }
}

impl FromRequestParts<Web> for Signed {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Fault> {
        match asker(parts) {
            Asker {
                account: Some(account),
                session: Some(session),
            } => Ok(Self { account, session }),
            _ => Err(Fault::Missing),
        }
    }
}

impl FromRequestParts<Web> for Member {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Fault> {
        member(parts).ok_or(Fault::Missing)
    }
}

impl FromRequestParts<Web> for Player {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Fault> {
        let member = member(parts).ok_or(Fault::Missing)?;
        Ok(Self {
            account: member.account,
            world: member.world,
            seat: member.seat.ok_or(Fault::Missing)?,
        })
    }
}

impl FromRequestParts<Web> for GameMaster {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Fault> {
        match member(parts) {
            Some(member) if member.game_master => Ok(Self {
                account: member.account,
                world: member.world,
            }),
            _ => Err(Fault::Missing),
        }
    }
}

impl FromRequestParts<Web> for Admin {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Fault> {
        match asker(parts).account {
            Some(account) if account.admin => Ok(Self { account }),
            _ => Err(Fault::Missing),
        }
    }
}
