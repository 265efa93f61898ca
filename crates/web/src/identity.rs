//! Who asks, and what he is in the world of the address.
//!
//! A request is recognised once, from its session cookie or, for the JSON interface, from its token, before any handler
//! runs ([`Asker`]). The guard of its route
//! ([`crate::routes::Guard`]) then looks up the world in the address and what the asker is in it ([`Place`]). Handlers take
//! what they need as typed parameters: [`Visitor`], [`Signed`], [`Caller`], [`Member`], [`Player`], [`GameMaster`], [`Admin`]. A parameter
//! that does not fit answers like a missing page, so a route with too weak a guard shows nothing either.

use crate::error::Fault;
use crate::state::Web;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use host::HostError;
use host::account::{Account, Session};
use host::schedule::Deadline;
use host::token::Token;
use host::world::{Seat, World};
use kernel::realm::{RealmId, Viewer};
use std::sync::Arc;

/// Who asks: nobody, somebody by a session, or a program by a token of its owner.
#[derive(Clone, Debug, Default)]
pub struct Asker {
    /// The account, if signed in or named by a token.
    pub account: Option<Arc<Account>>,
    /// The session he came by.
    pub session: Option<Arc<Session>>,
    /// The token that his program presented.
    pub token: Option<Arc<Token>>,
}

/// The world of the address and what the asker is in it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The world.
    pub world: Arc<World>,
    /// The seat of the asker, his own or one he looks after.
    pub seat: Option<Seat>,
    /// Whether he only looks after the seat for somebody else.
    pub stands_in: bool,
    /// Whether the asker leads this world.
    pub game_master: bool,
    /// When the orders of the open turn are due.
    pub deadline: Option<Deadline>,
}

impl Asker {
    /// Recognises the bearer of a session cookie.
    pub async fn recognise(web: &Web, token: &str) -> Result<Self, HostError> {
        let session = web.host.session(token, web.clock.now()).await?;
        Ok(Self {
            account: session.as_ref().map(|session| Arc::new(session.account.clone())),
            session: session.map(Arc::new),
            token: None,
        })
    }

    /// Recognises the program that presents a token; nothing if the token does not hold.
    pub async fn of_token(web: &Web, secret: &str) -> Result<Option<Self>, HostError> {
        let found = web.host.token(secret, web.clock.now()).await?;
        Ok(found.map(|(token, account)| Self {
            account: Some(Arc::new(account)),
            session: None,
            token: Some(Arc::new(token)),
        }))
    }
}

impl Place {
    /// Finds the world of an address and what the asker is in it; nothing if there is no such world or he has no part in
    /// it.
    pub async fn find(web: &Web, asker: &Asker, world: &str) -> Result<Option<Self>, HostError> {
        let world = match web.host.world(Some(world)).await {
            Ok(world) => world,
            Err(HostError::UnknownWorld(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(account) = &asker.account else {
            return Ok(None);
        };
        let membership = web.host.membership(&world, &account.id, web.clock.now()).await?;
        if !membership.is_any() {
            return Ok(None);
        }
        let seat = match membership.seat.or_else(|| membership.stands_in.first().copied()) {
            Some(realm) => Some(web.host.seat(&world, realm).await?),
            None => None,
        };
        let deadline = web.host.schedule(&world).await?.deadline;
        Ok(Some(Self {
            deadline,
            world: Arc::new(world),
            seat,
            stands_in: membership.seat.is_none() && !membership.stands_in.is_empty(),
            game_master: membership.master,
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
    /// The session he came by.
    pub session: Arc<Session>,
}

/// Somebody who is signed in, or his program.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The account.
    pub account: Arc<Account>,
    /// The token that the program presented; none for a session.
    pub token: Option<Arc<Token>>,
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
    /// Whether he only looks after it for somebody else.
    pub stands_in: bool,
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
    /// Whether he only looks after it for somebody else.
    pub stands_in: bool,
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

fn signed(parts: &Parts) -> Option<(Arc<Account>, Arc<Session>)> {
    let asker = asker(parts);
    Some((asker.account?, asker.session?))
}

fn member(parts: &Parts) -> Option<Member> {
    let place = parts.extensions.get::<Place>()?.clone();
    let account = asker(parts).account?;
    (place.seat.is_some() || place.game_master).then_some(Member {
        account,
        world: place.world,
        seat: place.seat,
        stands_in: place.stands_in,
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
        let (account, session) = signed(parts).ok_or(Fault::Missing)?;
        Ok(Self { account, session })
    }
}

impl FromRequestParts<Web> for Caller {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Fault> {
        let asker = asker(parts);
        Ok(Self {
            account: asker.account.ok_or(Fault::Missing)?,
            token: asker.token,
        })
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
            stands_in: member.stands_in,
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
