//! Signing up, in and out: by password or by a link that comes by mail.
//!
//! What a visitor is told never says whether an account exists, except where he makes one with a name or address that is
//! taken. Every sign-in begins a new session with a new token, so that nobody can have planted one before.

use crate::context::{LANGUAGE_COOKIE, cookie, forget, session_cookie};
use crate::error::Fault;
use crate::identity::Visitor;
use crate::page::{Flash, Page, go, go_with, own_path};
use crate::pages::setting::came_from;
use crate::shield::{Peer, visitor};
use crate::state::Web;
use crate::{Answer, mail, time};
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::header::USER_AGENT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse as _;
use axum_extra::extract::CookieJar;
use host::HostError;
use host::account::{AccountError, Login, NewAccount};
use serde::Deserialize;
use std::net::IpAddr;

/// Where a visitor wanted to go before he was asked to sign in.
#[derive(Deserialize, Default)]
pub struct Further {
    weiter: Option<String>,
}

#[derive(Template)]
#[template(path = "sign-in.html")]
struct SignIn<'a> {
    page: &'a Page,
    further: String,
    name: String,
    mistake: Option<String>,
    open_sign_up: bool,
}

/// `GET /anmelden`
pub async fn show_sign_in(
    State(web): State<Web>,
    page: Page,
    headers: HeaderMap,
    Query(further): Query<Further>,
) -> Answer {
    let further = match &further.weiter {
        Some(path) => own_path(path).to_owned(),
        // From a page that was not there for a visitor nobody knew, back to it.
        None => came_from(&headers),
    };
    if page.account.is_some() {
        return go(after_sign_in(&further));
    }
    page.show(&SignIn {
        page: &page,
        further,
        name: String::new(),
        mistake: None,
        open_sign_up: web.settings.open_sign_up,
    })
}

/// A form to sign in.
#[derive(Deserialize)]
pub struct SignInForm {
    name: String,
    kennwort: String,
    #[serde(default)]
    weiter: String,
}

/// `POST /anmelden`
pub async fn sign_in(State(web): State<Web>, page: Page, from: From, Form(form): Form<SignInForm>) -> Answer {
    let now = web.clock.now();
    from.may(&web.limits.sign_in, now)?;
    let login = web
        .host
        .sign_in(&form.name, &form.kennwort, Some(from.address), &from.device, now)
        .await;
    match login {
        Ok(login) => begin(&web, login, after_sign_in(&form.weiter)),
        Err(HostError::Account(error)) => {
            let template = SignIn {
                page: &page,
                further: own_path(&form.weiter).to_owned(),
                name: form.name,
                mistake: Some(mistake(&page, &error)),
                open_sign_up: web.settings.open_sign_up,
            };
            page.show_as(status(&error), &template)
        }
        Err(error) => Err(error.into()),
    }
}

/// The front page is no aim of its own: whoever signs in wants his worlds.
fn after_sign_in(path: &str) -> &str {
    match own_path(path) {
        "/" | "/anmelden" | "/registrieren" => "/welten",
        path => path,
    }
}

/// Begins a session: the browser gets its token, whatever it held before is forgotten.
fn begin(web: &Web, login: Login, to: &str) -> Answer {
    let mut token = cookie(web, session_cookie(web), login.token);
    token.make_permanent();
    let jar = CookieJar::new().add(token).add(forget(web, LANGUAGE_COOKIE));
    Ok((jar, go(to)?).into_response())
}

/// `POST /abmelden`
pub async fn sign_out(State(web): State<Web>, Visitor(asker): Visitor) -> Answer {
    if let Some(session) = &asker.session {
        web.host.end_session(&session.account.id, &session.id).await?;
    }
    let jar = CookieJar::new().add(forget(&web, session_cookie(&web)));
    Ok((jar, go_with(&web, "/", &Flash::good("flash.signed-out"))?).into_response())
}

#[derive(Template)]
#[template(path = "sign-up.html")]
struct SignUp<'a> {
    page: &'a Page,
    form: &'a SignUpForm,
    mistake: Option<String>,
    zones: &'static [String],
    password_min: usize,
}

/// A form to make an account.
#[derive(Deserialize, Default)]
pub struct SignUpForm {
    name: String,
    post: String,
    kennwort: String,
    #[serde(default)]
    zeitzone: String,
    #[serde(default)]
    weiter: String,
    #[serde(default)]
    einladung: String,
}

/// What an invitation link brings along.
#[derive(Deserialize, Default)]
pub struct Invited {
    einladung: Option<String>,
    weiter: Option<String>,
}

/// `GET /registrieren`
pub async fn show_sign_up(State(web): State<Web>, page: Page, Query(invited): Query<Invited>) -> Answer {
    let form = SignUpForm {
        zeitzone: time::DEFAULT_ZONE.to_owned(),
        weiter: own_path(invited.weiter.as_deref().unwrap_or("/")).to_owned(),
        einladung: invited.einladung.unwrap_or_default(),
        ..SignUpForm::default()
    };
    if !may_sign_up(&web, &form.einladung).await? {
        return page.show_as(StatusCode::FORBIDDEN, &ClosedSignUp { page: &page });
    }
    show_form(&page, StatusCode::OK, &form, None)
}

#[derive(Template)]
#[template(path = "sign-up-closed.html")]
struct ClosedSignUp<'a> {
    page: &'a Page,
}

async fn may_sign_up(web: &Web, code: &str) -> Result<bool, Fault> {
    if web.settings.open_sign_up {
        return Ok(true);
    }
    Ok(!code.is_empty() && web.host.invitation(code, web.clock.now()).await?.is_some())
}

fn show_form(page: &Page, status: StatusCode, form: &SignUpForm, mistake: Option<String>) -> Answer {
    let template = SignUp {
        page,
        form,
        mistake,
        zones: time::zones(),
        password_min: host::limits::PASSWORD_CHARACTERS_MIN,
    };
    page.show_as(status, &template)
}

/// `POST /registrieren`
pub async fn sign_up(State(web): State<Web>, page: Page, from: From, Form(form): Form<SignUpForm>) -> Answer {
    let now = web.clock.now();
    from.may(&web.limits.sign_up, now)?;
    if !may_sign_up(&web, &form.einladung).await? {
        return page.show_as(StatusCode::FORBIDDEN, &ClosedSignUp { page: &page });
    }
    let new = NewAccount {
        name: form.name.trim().to_owned(),
        mail: form.post.trim().to_owned(),
        password: Some(form.kennwort.clone()).filter(|password| !password.is_empty()),
        language: page.language().to_owned(),
        zone: if time::is_zone(&form.zeitzone) {
            form.zeitzone.clone()
        } else {
            time::DEFAULT_ZONE.to_owned()
        },
    };
    let account = match web.host.sign_up(&new, Some(from.address), now).await {
        Ok(account) => account,
        Err(HostError::Account(error)) => {
            let status = status(&error);
            return show_form(&page, status, &form, Some(mistake(&page, &error)));
        }
        Err(error) => return Err(error.into()),
    };
    let further = match form.einladung.as_str() {
        "" => after_sign_in(&form.weiter).to_owned(),
        code => format!(
            "/einladung?code={}",
            percent_encoding::utf8_percent_encode(code, percent_encoding::NON_ALPHANUMERIC)
        ),
    };
    match &new.password {
        Some(password) => {
            let login = web
                .host
                .sign_in(&account.name, password, Some(from.address), &from.device, now)
                .await?;
            begin(&web, login, &further)
        }
        // Without a password the mail address opens the account.
        None => {
            send_link(&web, &account.name, &from, now).await?;
            go_with(&web, "/anmelden", &Flash::good("flash.link-sent"))
        }
    }
}

#[derive(Template)]
#[template(path = "link.html")]
struct AskLink<'a> {
    page: &'a Page,
}

/// `GET /anmelden/link`
pub async fn show_ask_link(page: Page) -> Answer {
    page.show(&AskLink { page: &page })
}

/// A form to ask for a login link.
#[derive(Deserialize)]
pub struct LinkForm {
    name: String,
}

/// `POST /anmelden/link`
pub async fn ask_link(
    State(web): State<Web>,
    Visitor(asker): Visitor,
    from: From,
    Form(form): Form<LinkForm>,
) -> Answer {
    let now = web.clock.now();
    from.may(&web.limits.sign_in, now)?;
    send_link(&web, &form.name, &from, now).await?;
    // Whoever is signed in wants his address confirmed.
    let to = if asker.account.is_some() { "/konto" } else { "/anmelden" };
    go_with(&web, to, &Flash::good("flash.link-sent"))
}

/// Sends a login link to whoever has this name or address; whether there is somebody is not told.
async fn send_link(web: &Web, name: &str, from: &From, now: i64) -> Result<(), Fault> {
    match web.host.login_link(name, Some(from.address), now).await {
        Ok(Some((account, token))) => mail::login_link(web, &account, &token, now).await,
        Ok(None) => Ok(()),
        Err(HostError::Account(AccountError::TooMany { retry_after })) => Err(Fault::TooMany(seconds(retry_after))),
        Err(error) => Err(error.into()),
    }
}

#[derive(Template)]
#[template(path = "link-open.html")]
struct OpenLink<'a> {
    page: &'a Page,
    token: &'a str,
    holds: bool,
}

/// `GET /anmelden/link/{token}`: asks to confirm, because mail programs open links to look at them.
pub async fn show_link(State(web): State<Web>, page: Page, Path(token): Path<String>) -> Answer {
    let holds = web.host.link_holds(&token, web.clock.now()).await?;
    let template = OpenLink {
        page: &page,
        token: &token,
        holds,
    };
    page.show_as(if holds { StatusCode::OK } else { StatusCode::GONE }, &template)
}

/// `POST /anmelden/link/{token}`
pub async fn use_link(State(web): State<Web>, page: Page, from: From, Path(token): Path<String>) -> Answer {
    let now = web.clock.now();
    from.may(&web.limits.sign_in, now)?;
    match web.host.use_link(&token, Some(from.address), &from.device, now).await {
        Ok(login) => begin(&web, login, "/welten"),
        Err(HostError::Account(AccountError::TooMany { retry_after })) => Err(Fault::TooMany(seconds(retry_after))),
        Err(HostError::Account(_)) => {
            let template = OpenLink {
                page: &page,
                token: "",
                holds: false,
            };
            page.show_as(StatusCode::GONE, &template)
        }
        Err(error) => Err(error.into()),
    }
}

fn seconds(milliseconds: i64) -> u64 {
    u64::try_from(milliseconds / 1_000 + 1).unwrap_or(1)
}

/// What is wrong with an account form, in the visitor's language.
pub fn mistake(page: &Page, error: &AccountError) -> String {
    match error {
        AccountError::TooMany { retry_after } => page.words.n("mistake.account-too-many", retry_after / 60_000 + 1),
        AccountError::BadPassword => page.words.t1(
            "mistake.account-bad-password",
            "min",
            host::limits::PASSWORD_CHARACTERS_MIN,
        ),
        error => page.words.of_code("mistake", error.code()),
    }
}

/// The status of a form that was not accepted.
pub fn status(error: &AccountError) -> StatusCode {
    match error {
        AccountError::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
        AccountError::WrongLogin => StatusCode::UNAUTHORIZED,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

/// Where a request comes from.
pub struct From {
    /// The visitor's address.
    pub address: IpAddr,
    /// His device, in the words of its browser.
    pub device: String,
}

impl From {
    /// Takes one of the visitor's tries.
    pub fn may(&self, buckets: &crate::limit::Buckets, now: i64) -> Result<(), Fault> {
        buckets.take(self.address, now).map_err(Fault::TooMany)
    }
}

impl axum::extract::FromRequestParts<Web> for From {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, web: &Web) -> Result<Self, Fault> {
        let device = parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
        let letters = device.unwrap_or("-").chars().filter(|letter| !letter.is_control());
        Ok(Self {
            address: visitor(web, &parts.headers, parts.extensions.get::<Peer>()),
            device: letters.take(host::limits::DEVICE_CHARACTERS).collect(),
        })
    }
}
