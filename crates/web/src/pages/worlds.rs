//! My worlds, and the ways into a new one: an invitation, or the public list.

use crate::Answer;
use crate::error::Fault;
use crate::identity::{Asker, Place, Signed, world_segment};
use crate::page::{Flash, Page, go_with};
use crate::pages::arms::read_parts;
use crate::pages::report::{Reader, aside};
use crate::state::Web;
use askama::Template;
use axum::extract::{FromRequest, Multipart, Path, Query, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Form};
use host::HostError;
use host::draft::DraftKind;
use host::membership::{Invited, Join, Joined, MembershipError};
use host::world::{Seat, World};
use kernel::any::AnyGame;
use kernel::form::{FormFault, Values, WrittenOrder};
use kernel::realm::{RealmId, Viewer};
use serde::Deserialize;
use std::sync::Arc;

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
    mine: Vec<Card>,
}

/// A world in my list, with what waits there.
struct Card {
    of: Mine,
    /// Address of the arms of my realm.
    arms: Option<String>,
    /// When orders are due, and how long until then.
    due: Option<(String, String)>,
    /// Whether my orders are there; nothing if none are due.
    handed_in: Option<bool>,
    letters: u32,
}

/// `GET /welten`
pub async fn show(State(web): State<Web>, page: Page, signed: Signed, Extension(asker): Extension<Asker>) -> Answer {
    let mut cards = Vec::new();
    for of in mine(&web, &signed.account.id).await? {
        let Some(place) = Place::find(&web, &asker, &of.world.id).await? else {
            continue;
        };
        let standing = match of.number {
            Some(realm) => Some(web.host.standing(&of.world, realm).await?),
            None => None,
        };
        let segment = world_segment(&of.world);
        cards.push(Card {
            arms: of.number.map(|realm| format!("/welt/{segment}/wappen/{realm}")),
            due: place.deadline.map(|deadline| page.due(deadline)),
            handed_in: standing.and_then(|of| match of.receipt.is_some() {
                true => Some(true),
                false => of.owes.then_some(false),
            }),
            letters: place.news.letters,
            of,
        });
    }
    page.show(&Worlds {
        page: &page,
        mine: cards,
    })
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
    name: &'a str,
    culture: &'a str,
    /// Whether a realm of this game describes its people.
    describes: bool,
    world: Option<World>,
    to_lead: bool,
    seats: Vec<Seat>,
    /// The seat that is ticked.
    chosen: u16,
    kinds: SeatKinds,
    mistake: Option<String>,
}

/// `GET /einladung`: asks for a code, or shows what a code invites to.
pub async fn show_invitation(State(web): State<Web>, page: Page, Query(code): Query<Code>) -> Answer {
    let form = JoinForm {
        code: code.code,
        ..JoinForm::default()
    };
    draw_invitation(&web, &page, &form, None).await
}

async fn draw_invitation(web: &Web, page: &Page, form: &JoinForm, mistake: Option<String>) -> Answer {
    let code = form.code.as_str();
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
        (Some(world), Some(to)) => invited_seats(web, world, to).await?,
        _ => Vec::new(),
    };
    let game = world.as_ref().map(|world| web.host.game(&world.game)).transpose()?;
    let describes = game.as_ref().is_some_and(|game| game.description_form().is_some());
    let template = InvitationPage {
        page,
        code,
        name: &form.name,
        culture: &form.kultur,
        describes,
        kinds: game.map_or_else(Vec::new, |game| seat_kinds(game, page)),
        world,
        to_lead: to == Some(Invited::Master),
        chosen: form.chosen(&seats),
        seats,
        mistake,
    };
    page.show_as(status, &template)
}

/// Kinds of seats with their names; the usual one needs none.
type SeatKinds = Vec<(String, String)>;

fn seat_kinds(game: Arc<dyn AnyGame>, page: &Page) -> SeatKinds {
    let kinds = game.seat_kinds();
    let reader = Reader::new(game, page);
    let named = kinds.into_iter().skip(1);
    named.map(|kind| (kind.value, reader.word(&kind.label))).collect()
}

/// The seats that an invitation lets somebody choose from.
pub async fn invited_seats(web: &Web, world: &World, to: Invited) -> Result<Vec<Seat>, Fault> {
    Ok(match to {
        Invited::Seat(realm) => vec![web.host.seat(world, realm).await?],
        Invited::Player => {
            let seats = web.host.seats(world).await?;
            seats.into_iter().filter(|seat| seat.vacant).collect()
        }
        Invited::Master => Vec::new(),
    })
}

/// How somebody wants to join: with a form as it is, or with one that brings a drawing along.
#[derive(Deserialize, Default)]
pub struct JoinForm {
    #[serde(default)]
    code: String,
    #[serde(default)]
    reich: Option<u16>,
    #[serde(default)]
    name: String,
    /// What kind of people it is, in the player's words.
    #[serde(default)]
    kultur: String,
    /// A coat of arms.
    #[serde(skip)]
    drawing: Option<Vec<u8>>,
}

impl FromRequest<Web> for JoinForm {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Response> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(|kind| kind.starts_with("multipart/")) {
            let Form(form) = Form::<Self>::from_request(request, web)
                .await
                .map_err(IntoResponse::into_response)?;
            return Ok(form);
        }
        let parts = Multipart::from_request(request, web)
            .await
            .map_err(IntoResponse::into_response)?;
        let (mut fields, drawing) = read_parts(parts).await.map_err(IntoResponse::into_response)?;
        let mut take = |name: &str| fields.remove(name).unwrap_or_default();
        Ok(Self {
            code: take("code"),
            reich: take("reich").parse().ok(),
            name: take("name"),
            kultur: take("kultur"),
            drawing,
        })
    }
}

impl JoinForm {
    /// As a program wants to join.
    pub fn of(code: String, realm: Option<u16>, name: String, culture: String) -> Self {
        Self {
            code,
            reich: realm,
            name,
            kultur: culture,
            drawing: None,
        }
    }

    /// The seat that the form ticks: the one that was chosen, as long as it is free, else the first.
    fn chosen(&self, seats: &[Seat]) -> u16 {
        let free = |number: &u16| seats.iter().any(|seat| seat.realm.0 == *number);
        let first = seats.first().map(|seat| seat.realm.0);
        self.reich.filter(free).or(first).unwrap_or_default()
    }

    fn join(&self) -> Join {
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        Join {
            code: given(&self.code),
            realm: self.reich.map(RealmId),
            realm_name: given(&self.name),
        }
    }

    /// What is wrong with the drawing or the description, before anything is done.
    async fn mistake(&self, web: &Web, world: &World) -> Result<Option<Refusal>, Fault> {
        if let Some(drawing) = self.drawing.clone()
            && let Err(error) = aside(move || Ok(host::arms::svg::clean(&drawing))).await?
        {
            return Ok(Some(Refusal::Drawing(error.code())));
        }
        let seats = web.host.seats(world).await?;
        let realm = self.reich.map(RealmId).or_else(|| seats.first().map(|seat| seat.realm));
        Ok(match realm {
            Some(realm) if !self.kultur.trim().is_empty() => {
                let described = self.described(web, world, realm).await?;
                matches!(described, Some(Err(_))).then_some(Refusal::Culture)
            }
            _ => None,
        })
    }

    /// The order by which a realm describes its people; nothing if the game has none or there are no words.
    async fn described(
        &self,
        web: &Web,
        world: &World,
        realm: RealmId,
    ) -> Result<Option<Result<WrittenOrder, Vec<FormFault>>>, Fault> {
        let game = web.host.game(&world.game)?;
        let text = self.kultur.replace("\r\n", "\n").trim().to_owned();
        let Some((form, field)) = game.description_form().filter(|_| !text.is_empty()) else {
            return Ok(None);
        };
        let view = match web.host.view(world, Viewer::Realm(realm), None).await {
            Ok((_, view)) => view,
            Err(HostError::UnknownStep { .. } | HostError::UnknownRealm { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let values = Values::from([(field.to_owned(), text)]);
        Ok(Some(game.write_order(&view, form, &values)?))
    }

    /// Furnishes the seat that was taken: arms at once, the description as a draft of the first orders.
    async fn furnish(&self, web: &Web, world: &World, realm: RealmId) -> Result<bool, Fault> {
        if let Some(drawing) = &self.drawing {
            web.host.upload_arms(world, realm, drawing).await?;
        }
        let Some(Ok(order)) = self.described(web, world, realm).await? else {
            return Ok(false);
        };
        let open = web.host.open_step(world).await?;
        if open.over {
            return Ok(false);
        }
        let before = web.host.draft(world, realm, open.number).await?;
        let before = before.map(|draft| String::from_utf8_lossy(&draft.file).into_owned());
        let game = web.host.game(&world.game)?;
        let text = game.add_order(&before.unwrap_or_default(), &order);
        let now = web.clock.now();
        web.host
            .save_draft(world, realm, open.number, text.as_bytes(), DraftKind::Saved, now)
            .await?;
        Ok(true)
    }
}

/// `POST /einladung`
pub async fn accept(State(web): State<Web>, page: Page, signed: Signed, form: JoinForm) -> Answer {
    let found = web.host.invitation(&form.code, web.clock.now()).await?;
    let Some((world, _)) = found else {
        return draw_invitation(&web, &page, &form, None).await;
    };
    match join(&web, &page, &signed, &world, &form).await? {
        Ok(answer) => Ok(answer),
        Err(mistake) => draw_invitation(&web, &page, &form, Some(mistake)).await,
    }
}

#[derive(Template)]
#[template(path = "join.html")]
struct JoinPage<'a> {
    page: &'a Page,
    world: &'a World,
    introduction: &'a str,
    seats: &'a [Seat],
    /// The seat that is ticked.
    chosen: u16,
    /// What the visitor is in this world already, if he need not join it.
    already: Option<Mine>,
    kinds: SeatKinds,
    segment: String,
    name: &'a str,
    culture: &'a str,
    /// Whether a realm of this game describes its people.
    describes: bool,
    mistake: Option<String>,
}

/// `GET /beitreten/{name}`: a world of the public list.
pub async fn show_join(State(web): State<Web>, page: Page, Path(name): Path<String>) -> Answer {
    draw_join(&web, &page, &name, &JoinForm::default(), None).await
}

/// A world of the public list, by its name or id.
pub async fn find_open(web: &Web, name: &str) -> Result<World, Fault> {
    let worlds = web.host.public_worlds().await?;
    let found = worlds
        .into_iter()
        .find(|open| open.world.name == name || open.world.id == name);
    Ok(found.ok_or(Fault::Missing)?.world)
}

async fn draw_join(web: &Web, page: &Page, name: &str, form: &JoinForm, mistake: Option<String>) -> Answer {
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
    let already = match &page.account {
        Some(account) => mine(web, &account.id).await?,
        None => Vec::new(),
    };
    let game = web.host.game(&open.world.game)?;
    let template = JoinPage {
        page,
        world: &open.world,
        introduction: &open.introduction,
        seats: &open.vacant,
        chosen: form.chosen(&open.vacant),
        already: already
            .into_iter()
            .find(|of| of.world.id == open.world.id && !of.stands_in),
        segment: world_segment(&open.world),
        name: &form.name,
        culture: &form.kultur,
        describes: game.description_form().is_some(),
        kinds: seat_kinds(game, page),
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
    mut form: JoinForm,
) -> Answer {
    // Codes are for invitations: here only what everybody may do is done.
    form.code.clear();
    let world = find_open(&web, &name).await?;
    match join(&web, &page, &signed, &world, &form).await? {
        Ok(answer) => Ok(answer),
        Err(mistake) => draw_join(&web, &page, &name, &form, Some(mistake)).await,
    }
}

/// Why somebody cannot join.
pub enum Refusal {
    /// His coat of arms is no drawing that can be taken: the key of the reason.
    Drawing(&'static str),
    /// His people cannot be described so.
    Culture,
    /// No realm can be called so.
    RealmName,
    /// The circle of the world says no.
    Membership(MembershipError),
}

impl Refusal {
    /// Why, in the visitor's language.
    fn text(&self, page: &Page) -> String {
        match self {
            Self::Drawing(code) => page.words.with(&format!("arms-fault.{code}"), &[]),
            Self::Culture => page.t("mistake.culture"),
            Self::RealmName => page.t("mistake.realm-name"),
            Self::Membership(error) => page.words.of_code("mistake", error.code()),
        }
    }
}

/// What came of joining.
pub struct Entered {
    /// What somebody has become.
    pub joined: Joined,
    /// Whether the words about his people stand in a draft of his first orders.
    pub described: bool,
}

/// Lets an account into a world, with arms and description.
pub async fn enter(
    web: &Web,
    account: &str,
    world: &World,
    form: &JoinForm,
) -> Result<Result<Entered, Refusal>, Fault> {
    if let Some(mistake) = form.mistake(web, world).await? {
        return Ok(Err(mistake));
    }
    let joined = match web.host.join(world, account, &form.join(), web.clock.now()).await {
        Ok(joined) => joined,
        Err(HostError::Membership(error)) => return Ok(Err(Refusal::Membership(error))),
        Err(HostError::Malformed(_)) => return Ok(Err(Refusal::RealmName)),
        // A seat of another world, or none at all: not to be had.
        Err(HostError::UnknownRealm { .. }) => return Ok(Err(Refusal::Membership(MembershipError::SeatTaken))),
        Err(error) => return Err(error.into()),
    };
    let described = match &joined {
        Joined::Player(seat) => form.furnish(web, world, seat.realm).await?,
        Joined::Master => false,
    };
    Ok(Ok(Entered { joined, described }))
}

/// Joins and leads on, or says in the visitor's language why not.
async fn join(
    web: &Web,
    page: &Page,
    signed: &Signed,
    world: &World,
    form: &JoinForm,
) -> Result<Result<Response, String>, Fault> {
    let entered = match enter(web, &signed.account.id, world, form).await? {
        Ok(entered) => entered,
        Err(refusal) => return Ok(Err(refusal.text(page))),
    };
    let segment = world_segment(world);
    Ok(Ok(match entered.joined {
        Joined::Player(seat) => {
            let flash = match entered.described {
                true => Flash::good("flash.joined-described"),
                false => Flash::good("flash.joined"),
            };
            let flash = flash.with("realm", seat.name).with("world", &world.name);
            go_with(web, &format!("/welt/{segment}/"), &flash)?
        }
        Joined::Master => {
            let flash = Flash::good("flash.leads").with("world", &world.name);
            go_with(web, &format!("/welt/{segment}/leitung"), &flash)?
        }
    }))
}
