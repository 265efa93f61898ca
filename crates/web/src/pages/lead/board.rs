//! Announcements, invitations and who may join.

use super::told;
use crate::Answer;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::State;
use host::board::Announcement;
use host::membership::{Admission, Invitation, Invited, Member, NewInvitation};
use kernel::realm::RealmId;
use serde::Deserialize;

#[derive(Template)]
#[template(path = "lead/board.html")]
struct Board<'a> {
    page: &'a Page,
    announcements: Vec<Announcement>,
    admission: &'static str,
    introduction: String,
    invitations: Vec<Invitation>,
    masters: Vec<Member>,
    /// Where an invitation leads, without its code.
    address: String,
}

/// `GET /welt/{world}/leitung/aushang`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let world = &master.world;
    let (admission, introduction) = web.host.admission(world).await?;
    page.show(&Board {
        page: &page,
        announcements: web.host.announcements(world, 50).await?,
        admission: match admission {
            Admission::Public => "public",
            Admission::Invitation => "invitation",
            Admission::Closed => "closed",
        },
        introduction,
        invitations: web.host.invitations(world, web.clock.now()).await?,
        masters: web.host.masters(world).await?,
        address: format!("{}/einladung?code=", web.settings.public_url),
    })
}

/// Something to announce.
#[derive(Deserialize)]
pub struct Announced {
    titel: String,
    text: String,
}

/// `POST /welt/{world}/leitung/aushang`
pub async fn announce(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Announced>) -> Answer {
    let text = form.text.replace("\r\n", "\n");
    let deed = web.host.announce(&master.world, form.titel.trim(), text.trim());
    let flash = match deed.await {
        Ok(_) => Flash::good("flash.lead-announced"),
        Err(error) => told(&page, error)?,
    };
    go_with(&web, &page.in_world("leitung/aushang"), &flash)
}

/// Who may join.
#[derive(Deserialize)]
pub struct Admitted {
    zutritt: String,
    #[serde(default)]
    vorstellung: String,
}

/// `POST /welt/{world}/leitung/zutritt`
pub async fn admit(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Admitted>) -> Answer {
    let admission = match form.zutritt.as_str() {
        "public" => Admission::Public,
        "closed" => Admission::Closed,
        _ => Admission::Invitation,
    };
    let introduction = form.vorstellung.replace("\r\n", "\n");
    let deed = web.host.set_admission(&master.world, admission, introduction.trim());
    let flash = match deed.await {
        Ok(()) => Flash::good("flash.lead-admission"),
        Err(error) => told(&page, error)?,
    };
    go_with(&web, &page.in_world("leitung/aushang"), &flash)
}

/// Whom to invite.
#[derive(Deserialize)]
pub struct Guest {
    #[serde(default)]
    reich: Option<String>,
    #[serde(default)]
    anzahl: Option<u32>,
    #[serde(default)]
    vermerk: String,
    #[serde(default)]
    leitung: Option<String>,
}

/// `POST /welt/{world}/leitung/einladung`
pub async fn invite(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Guest>) -> Answer {
    let realm = form.reich.as_deref().and_then(|realm| realm.parse().ok());
    let new = NewInvitation {
        to: match realm {
            _ if form.leitung.is_some() => Invited::Master,
            Some(realm) => Invited::Seat(RealmId(realm)),
            None => Invited::Player,
        },
        uses: form.anzahl.unwrap_or(1),
        note: form.vermerk.trim().to_owned(),
        expires_at: None,
    };
    let deed = web
        .host
        .invite(&master.world, &new, Some(&master.account.id), web.clock.now());
    let flash = match deed.await {
        Ok(invitation) => Flash::good("flash.lead-invited").with("code", &invitation.code),
        Err(error) => told(&page, error)?,
    };
    go_with(&web, &page.in_world("leitung/aushang"), &flash)
}

/// Which invitation.
#[derive(Deserialize)]
pub struct Code {
    code: String,
}

/// `POST /welt/{world}/leitung/einladung/zurueck`
pub async fn revoke(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Code>) -> Answer {
    let deed = web.host.revoke_invitation(&master.world, &form.code);
    deed.await?;
    go_with(
        &web,
        &page.in_world("leitung/aushang"),
        &Flash::good("flash.lead-uninvited"),
    )
}
