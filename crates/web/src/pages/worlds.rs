//! My worlds, and the ways into a new one: an invitation, or the public list.

use crate::Answer;
use crate::error::Fault;
use crate::identity::{Signed, world_segment};
use crate::page::{Flash, Page, go_with};
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use host::HostError;
use host::membership::{Invited, Join, Joined, MembershipError};
use host::world::{Seat, World};
use kernel::realm::RealmId;
use serde::Deserialize;

/// A world in my list.
pub struct Mine {
    /// The world.
    pub world: World,
    /// Where it begins.
    pub href: String,
    /// The realm I play, my own or one I look after: its name.
    pub realm: Option<String>,
    /// Its number.
    pub number: Option<RealmId>,
    /// Whether I only look after it.
    pub stands_in: bool,
    /// Whether I lead the world.
    pub master: bool,
}

#[derive(Template)]
#[template(path = "worlds.html")]
struct Worlds<'a> {
    page: &'a Page,
    mine: Vec<Mine>,
}

/// `GET /welten`
pub async fn show(State(web): State<Web>, page: Page, signed: Signed) -> Answer {
    let mine = mine(&web, &signed.account.id).await?;
    page.show(&Worlds { page: &page, mine })
}

/// The worlds in which an account plays or leads.
pub async fn mine(web: &Web, account: &str) -> Result<Vec<Mine>, Fault> {
    let mut mine = Vec::new();
    for (world, part) in web.host.memberships(account, web.clock.now()).await? {
        let realm = part.seat.or_else(|| part.stands_in.first().copied());
        let seat = match realm {
            Some(realm) => Some(web.host.seat(&world, realm).await?.name),
            None => None,
        };
        let segment = world_segment(&world);
        mine.push(Mine {
            href: match seat {
                Some(_) => format!("/welt/{segment}/"),
                None => format!("/welt/{segment}/leitung"),
            },
            stands_in: part.seat.is_none() && realm.is_some(),
            realm: seat,
            number: realm,
            master: part.master,
            world,
        });
    }
    Ok(mine)
}

/// The code of an invitation.
#[derive(Deserialize, Default)]
pub struct Code {
    #[serde(default)]
    code: String,
}

#[derive(Template)]
#[template(path = "invitation.html")]
struct InvitationPage<'a> {
    page: &'a Page,
    code: &'a str,
    world: Option<World>,
    to_lead: bool,
    seats: Vec<Seat>,
    mistake: Option<String>,
}

/// `GET /einladung`: asks for a code, or shows what a code invites to.
pub async fn show_invitation(State(web): State<Web>, page: Page, Query(code): Query<Code>) -> Answer {
    draw_invitation(&web, &page, &code.code, None).await
}

async fn draw_invitation(web: &Web, page: &Page, code: &str, mistake: Option<String>) -> Answer {
    let found = match code {
        "" => None,
        code => web.host.invitation(code, web.clock.now()).await?,
    };
    let unknown = found.is_none() && !code.is_empty();
    let mistake = mistake.or_else(|| unknown.then(|| page.t("mistake.membership-bad-code")));
    let status = if mistake.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let (world, to) = found.map_or((None, None), |(world, invitation)| (Some(world), Some(invitation.to)));
    let seats = match (&world, to) {
        (Some(world), Some(Invited::Seat(realm))) => vec![web.host.seat(world, realm).await?],
        (Some(world), Some(Invited::Player)) => {
            let seats = web.host.seats(world).await?;
            seats.into_iter().filter(|seat| seat.vacant).collect()
        }
        _ => Vec::new(),
    };
    let template = InvitationPage {
        page,
        code,
        world,
        to_lead: to == Some(Invited::Master),
        seats,
        mistake,
    };
    page.show_as(status, &template)
}

/// How somebody wants to join.
#[derive(Deserialize, Default)]
pub struct JoinForm {
    #[serde(default)]
    code: String,
    #[serde(default)]
    reich: Option<u16>,
    #[serde(default)]
    name: String,
}

impl JoinForm {
    fn join(&self) -> Join {
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        Join {
            code: given(&self.code),
            realm: self.reich.map(RealmId),
            realm_name: given(&self.name),
        }
    }
}

/// `POST /einladung`
pub async fn accept(State(web): State<Web>, page: Page, signed: Signed, Form(form): Form<JoinForm>) -> Answer {
    let found = web.host.invitation(&form.code, web.clock.now()).await?;
    let Some((world, _)) = found else {
        return draw_invitation(&web, &page, &form.code, None).await;
    };
    match join(&web, &page, &signed, &world, &form).await? {
        Ok(answer) => Ok(answer),
        Err(mistake) => draw_invitation(&web, &page, &form.code, Some(mistake)).await,
    }
}

#[derive(Template)]
#[template(path = "join.html")]
struct JoinPage<'a> {
    page: &'a Page,
    world: &'a World,
    introduction: &'a str,
    seats: &'a [Seat],
    segment: String,
    name: &'a str,
    mistake: Option<String>,
}

/// `GET /beitreten/{name}`: a world of the public list.
pub async fn show_join(State(web): State<Web>, page: Page, Path(name): Path<String>) -> Answer {
    draw_join(&web, &page, &name, "", None).await
}

async fn draw_join(web: &Web, page: &Page, name: &str, realm: &str, mistake: Option<String>) -> Answer {
    let worlds = web.host.public_worlds().await?;
    let found = worlds
        .iter()
        .find(|open| open.world.name == name || open.world.id == name);
    let open = found.ok_or(Fault::Missing)?;
    let status = if mistake.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let template = JoinPage {
        page,
        world: &open.world,
        introduction: &open.introduction,
        seats: &open.vacant,
        segment: world_segment(&open.world),
        name: realm,
        mistake,
    };
    page.show_as(status, &template)
}

/// `POST /beitreten/{name}`
pub async fn join_open(
    State(web): State<Web>,
    page: Page,
    signed: Signed,
    Path(name): Path<String>,
    Form(mut form): Form<JoinForm>,
) -> Answer {
    // Codes are for invitations: here only what everybody may do is done.
    form.code.clear();
    let worlds = web.host.public_worlds().await?;
    let found = worlds
        .iter()
        .find(|open| open.world.name == name || open.world.id == name);
    let world = &found.ok_or(Fault::Missing)?.world;
    match join(&web, &page, &signed, world, &form).await? {
        Ok(answer) => Ok(answer),
        Err(mistake) => draw_join(&web, &page, &name, &form.name, Some(mistake)).await,
    }
}

/// Joins and leads on, or says in the visitor's language why not.
async fn join(
    web: &Web,
    page: &Page,
    signed: &Signed,
    world: &World,
    form: &JoinForm,
) -> Result<Result<axum::response::Response, String>, Fault> {
    let joined = web
        .host
        .join(world, &signed.account.id, &form.join(), web.clock.now())
        .await;
    let segment = world_segment(world);
    match joined {
        Ok(Joined::Player(seat)) => {
            let flash = Flash::good("flash.joined")
                .with("realm", seat.name)
                .with("world", &world.name);
            Ok(Ok(go_with(web, &format!("/welt/{segment}/"), &flash)?))
        }
        Ok(Joined::Master) => {
            let flash = Flash::good("flash.leads").with("world", &world.name);
            Ok(Ok(go_with(web, &format!("/welt/{segment}/leitung"), &flash)?))
        }
        Err(HostError::Membership(error)) => Ok(Err(page.words.of_code("mistake", error.code()))),
        Err(HostError::Malformed(_)) => Ok(Err(page.t("mistake.realm-name"))),
        // A seat of another world, or none at all: not to be had.
        Err(HostError::UnknownRealm { .. }) => {
            Ok(Err(page.words.of_code("mistake", MembershipError::SeatTaken.code())))
        }
        Err(error) => Err(error.into()),
    }
}
