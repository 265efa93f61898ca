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
use host::visit::{News, Tasks};
use host::world::{Seat, World};
use kernel::realm::{RealmId, Viewer};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
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
    /// For which realms he chose to act where he stands in for several, as [`SITS_COOKIE`] says.
    pub sits_for: Option<Arc<str>>,
    /// For which realm his program acts in this call, as [`SITS_HEADER`] says.
    pub sits_now: Option<RealmId>,
}

/// Cookie of the realms that somebody who stands in for several chose: `world-realm`, parted by dots.
pub const SITS_COOKIE: &str = "sitz";
/// Header of a call by which the program of somebody who stands in for several realms names one.
pub const SITS_HEADER: &str = "briefwelt-realm";
/// Worlds in that cookie.
const SITS_MAX: usize = 12;

/// The realm that was chosen in a world.
fn sits_for(cookie: &str, world: &str) -> Option<RealmId> {
    let mut pairs = cookie.split('.').take(SITS_MAX).filter_map(|pair| pair.split_once('-'));
    pairs
        .find(|(of, _)| *of == world)
        .and_then(|(_, realm)| realm.parse().ok())
        .map(RealmId)
}

/// The cookie with another choice in a world.
pub fn sit_for(cookie: Option<&str>, world: &str, realm: RealmId) -> String {
    let mut text = format!("{world}-{realm}");
    let others = cookie.unwrap_or_default().split('.').filter(|pair| {
        let plain = |of: &str| !of.is_empty() && of.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let parts = pair.split_once('-');
        parts.is_some_and(|(of, realm)| of != world && plain(of) && realm.parse::<u16>().is_ok())
    });
    for pair in others.take(SITS_MAX - 1) {
        text.push('.');
        text.push_str(pair);
    }
    text
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
    /// All seats that he looks after, if he looks after any.
    pub looks_after: Vec<Seat>,
    /// When the orders of the open turn are due.
    pub deadline: Option<Deadline>,
    /// What waits to be read.
    pub news: News,
    /// What waits for him as a game master.
    pub tasks: Tasks,
    /// Whether the world is played on a board.
    pub board: bool,
    /// Whether its turns are also told in one piece.
    pub retells: bool,
    /// Whether its orders are also written in a sheet.
    pub sheet: bool,
    /// Whether it has a planner.
    pub planner: bool,
}

impl Asker {
    /// Recognises the bearer of a session cookie.
    pub async fn recognise(web: &Web, token: &str) -> Result<Self, HostError> {
        let session = web.host.session(token, web.clock.now()).await?;
        Ok(Self {
            account: session.as_ref().map(|session| Arc::new(session.account.clone())),
            session: session.map(Arc::new),
            token: None,
            sits_for: None,
            sits_now: None,
        })
    }

    /// Recognises the program that presents a token; nothing if the token does not hold.
    pub async fn of_token(web: &Web, secret: &str) -> Result<Option<Self>, HostError> {
        let found = web.host.token(secret, web.clock.now()).await?;
        Ok(found.map(|(token, account)| Self {
            account: Some(Arc::new(account)),
            session: None,
            token: Some(Arc::new(token)),
            sits_for: None,
            sits_now: None,
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
        let mut looks_after = Vec::new();
        for realm in &membership.stands_in {
            looks_after.push(web.host.seat(&world, *realm).await?);
        }
        let chosen = asker.sits_for.as_deref().and_then(|cookie| sits_for(cookie, &world.id));
        let chosen = asker.sits_now.or(chosen);
        let seat = match membership.seat {
            Some(realm) => Some(web.host.seat(&world, realm).await?),
            None => {
                let chosen = looks_after.iter().find(|seat| Some(seat.realm) == chosen);
                chosen.or_else(|| looks_after.first()).cloned()
            }
        };
        let deadline = web.host.schedule(&world).await?.deadline;
        // A world of a game that this program does not know is still a world.
        let game = web.host.game(&world.game).ok();
        let mut place = Self {
            deadline,
            board: game.as_ref().is_some_and(|game| game.has_board()),
            retells: game.as_ref().is_some_and(|game| game.retells()),
            sheet: game.as_ref().is_some_and(|game| game.has_sheet()),
            planner: game.as_ref().is_some_and(|game| game.has_planner()),
            world: Arc::new(world),
            seat,
            stands_in: membership.seat.is_none() && !membership.stands_in.is_empty(),
            game_master: membership.master,
            looks_after,
            news: News::default(),
            tasks: Tasks::default(),
        };
        if place.game_master {
            place.tasks = web.host.tasks(&place.world).await?;
        }
        place.news = place.look_for_news(web, &account.id).await?;
        Ok(Some(place))
    }

    /// What waits for the asker, as far as it is his to read.
    async fn look_for_news(&self, web: &Web, account: &str) -> Result<News, HostError> {
        let viewer = self
            .seat
            .as_ref()
            .map_or(Viewer::GameMaster, |seat| Viewer::Realm(seat.realm));
        let mut news = web.host.news(&self.world, viewer, account).await?;
        if self.stands_in && !web.host.letters(&self.world, viewer).preferences().await?.stand_in {
            news.letters = 0;
        }
        Ok(news)
    }
}

/// What is written in another way in an address: hyphens and underscores stay as they are.
const BESIDE_PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// The segment of an address that names a world: its name where that reads well, otherwise its id.
pub fn world_segment(world: &World) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
    if !world.name.is_empty() && world.name.chars().all(plain) {
        utf8_percent_encode(&world.name, &BESIDE_PLAIN).to_string()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_of_a_seat_survives_its_cookie() {
        let one = sit_for(None, "aa11", RealmId(3));
        assert_eq!(sits_for(&one, "aa11"), Some(RealmId(3)));
        assert_eq!(sits_for(&one, "bb22"), None);
        let two = sit_for(Some(&one), "bb22", RealmId(5));
        assert_eq!(sits_for(&two, "aa11"), Some(RealmId(3)));
        let other = sit_for(Some(&two), "aa11", RealmId(4));
        assert_eq!(sits_for(&other, "aa11"), Some(RealmId(4)));
        assert_eq!(sits_for(&other, "bb22"), Some(RealmId(5)));
        // Whatever else stands in the cookie is left out.
        assert_eq!(sit_for(Some("x;y-1.zz-2.-.\"q\"-1"), "aa11", RealmId(1)), "aa11-1.zz-2");
        let mut long = String::new();
        for world in 0..100 {
            long = sit_for(Some(&long), &format!("w{world}"), RealmId(1));
        }
        assert_eq!(long.split('.').count(), SITS_MAX);
    }
}
