//! The account: who I am, where I am signed in, what is stored of me, and the way out.

use crate::Answer;
use crate::context::{LANGUAGE_COOKIE, forget, session_cookie};
use crate::error::Fault;
use crate::identity::Signed;
use crate::page::{Flash, Page, go_with};
use crate::pages::sign::{mistake, status};
use crate::state::Web;
use crate::time;
use crate::words::Words;
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse as _;
use axum_extra::extract::CookieJar;
use host::HostError;
use host::account::{Account, AccountChange, Session};
use host::token::{Made, NewToken, Scope, Token};
use host::wish::{MailWish, MailWishes};
use serde::Deserialize;
use serde_json::Value;

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage<'a> {
    page: &'a Page,
    account: &'a Account,
    sessions: Vec<SessionRow>,
    tokens: Vec<Token>,
    /// A token that was just made: its secret is shown this once.
    made: Option<Made>,
    zones: &'static [String],
    password_min: usize,
    needs_old: bool,
    wishes: MailWishes,
    mistake: Option<Mistake>,
}

/// A session in the list.
struct SessionRow {
    id: String,
    device: String,
    seen_at: i64,
    by_link: bool,
    here: bool,
}

fn row(page: &Page, signed: &Signed, session: Session) -> SessionRow {
    SessionRow {
        here: session.id == signed.session.id,
        device: device(page.words, &session.device),
        id: session.id,
        seen_at: session.seen_at,
        by_link: session.by_link,
    }
}

/// Browsers and systems by what they call themselves; the first that fits, as most pretend to be others too.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Vivaldi", "Vivaldi"),
    ("Firefox/", "Firefox"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// A device as its owner would call it.
fn device(words: Words, agent: &str) -> String {
    let find = |table: &[(&str, &'static str)]| {
        table
            .iter()
            .find(|(mark, _)| agent.contains(mark))
            .map(|(_, name)| *name)
    };
    match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => words.t2("account.device", "browser", browser, "system", system),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => words.t("account.device-unknown"),
    }
}

/// A form that was not accepted, and why.
struct Mistake {
    form: &'static str,
    text: String,
}

async fn draw(web: &Web, page: &Page, signed: &Signed, found: Option<(StatusCode, Mistake)>) -> Answer {
    draw_with(web, page, signed, found, None).await
}

async fn draw_with(
    web: &Web,
    page: &Page,
    signed: &Signed,
    found: Option<(StatusCode, Mistake)>,
    made: Option<Made>,
) -> Answer {
    let now = web.clock.now();
    let (status, mistake) = found.map_or((StatusCode::OK, None), |(status, mistake)| (status, Some(mistake)));
    let account = web.host.account(&signed.account.id).await?;
    let fresh_link = signed.session.by_link && now - signed.session.created_at <= host::account::LINK_MILLISECONDS;
    let sessions = web.host.sessions(&account, now).await?;
    let template = AccountPage {
        page,
        sessions: sessions.into_iter().map(|session| row(page, signed, session)).collect(),
        tokens: web.host.tokens(&account.id, now).await?,
        made,
        zones: time::zones(),
        password_min: host::limits::PASSWORD_CHARACTERS_MIN,
        needs_old: account.has_password && !fresh_link,
        wishes: web.host.mail_wishes(&account.id).await?,
        account: &account,
        mistake,
    };
    page.show_as(status, &template)
}

/// Leads back to the account, or shows it again with what was wrong.
async fn answer<T>(
    web: &Web,
    page: &Page,
    signed: &Signed,
    form: &'static str,
    done: &Flash,
    result: Result<T, HostError>,
) -> Answer {
    match result {
        Ok(_) => go_with(web, "/konto", done),
        Err(HostError::Account(error)) => {
            let text = mistake(page, &error);
            draw(web, page, signed, Some((status(&error), Mistake { form, text }))).await
        }
        Err(error) => Err(error.into()),
    }
}

/// `GET /konto`
pub async fn show(State(web): State<Web>, page: Page, signed: Signed) -> Answer {
    draw(&web, &page, &signed, None).await
}

/// Name, mail address, language and time zone.
#[derive(Deserialize)]
pub struct ProfileForm {
    name: String,
    post: String,
    sprache: String,
    zeitzone: String,
}

/// `POST /konto`
pub async fn change(State(web): State<Web>, page: Page, signed: Signed, Form(form): Form<ProfileForm>) -> Answer {
    let change = AccountChange {
        name: Some(form.name.trim().to_owned()),
        mail: Some(form.post.trim().to_owned()).filter(|mail| !mail.is_empty()),
        language: Some(form.sprache),
        zone: Some(form.zeitzone),
    };
    let result = web.host.change_account(&signed.account.id, &change).await;
    // From now on the account's language counts, not one chosen in passing.
    let jar = CookieJar::new().add(forget(&web, LANGUAGE_COOKIE));
    Ok((
        jar,
        answer(&web, &page, &signed, "profile", &Flash::good("flash.saved"), result).await?,
    )
        .into_response())
}

/// Whether and how letters and turns are told by mail.
#[derive(Deserialize)]
pub struct MailWishesForm {
    briefpost: String,
    zugpost: String,
}

/// `POST /konto/briefe`
pub async fn set_mail_wishes(State(web): State<Web>, signed: Signed, Form(form): Form<MailWishesForm>) -> Answer {
    let wish = |code: &str| MailWish::from_code(code).ok_or(Fault::Malformed);
    let wishes = MailWishes {
        letters: wish(&form.briefpost)?,
        turns: wish(&form.zugpost)?,
    };
    web.host.set_mail_wishes(&signed.account.id, wishes).await?;
    go_with(&web, "/konto", &Flash::good("flash.saved"))
}

/// The old password and the new one.
#[derive(Deserialize)]
pub struct PasswordForm {
    #[serde(default)]
    altes: String,
    neues: String,
}

/// `POST /konto/kennwort`
pub async fn set_password(
    State(web): State<Web>,
    page: Page,
    signed: Signed,
    Form(form): Form<PasswordForm>,
) -> Answer {
    let now = web.clock.now();
    let result = web
        .host
        .set_password(&signed.session, Some(&form.altes), &form.neues, now)
        .await;
    answer(
        &web,
        &page,
        &signed,
        "password",
        &Flash::good("flash.password-set"),
        result,
    )
    .await
}

/// Which session to end; empty for all others.
#[derive(Deserialize)]
pub struct SessionForm {
    #[serde(default)]
    sitzung: String,
}

/// `POST /konto/sitzungen/ende`
pub async fn end_session(State(web): State<Web>, signed: Signed, Form(form): Form<SessionForm>) -> Answer {
    let account = &signed.account.id;
    if form.sitzung.is_empty() {
        web.host.end_sessions(account, Some(&signed.session.id)).await?;
    } else if !web.host.end_session(account, &form.sitzung).await? {
        return Err(Fault::Missing);
    }
    go_with(&web, "/konto", &Flash::good("flash.session-ended"))
}

/// `POST /konto/sitzungen/alle`: signs out everywhere, here too.
pub async fn end_all(State(web): State<Web>, signed: Signed) -> Answer {
    web.host.end_sessions(&signed.account.id, None).await?;
    let jar = CookieJar::new().add(forget(&web, session_cookie(&web)));
    Ok((jar, go_with(&web, "/", &Flash::good("flash.signed-out-everywhere"))?).into_response())
}

/// A token to be made.
#[derive(Deserialize)]
pub struct TokenForm {
    name: String,
    #[serde(default)]
    umfang: String,
    /// Days until it ends; none for a token that holds until it is taken back.
    #[serde(default)]
    tage: String,
}

/// `POST /konto/schluessel`: the answer shows the secret, which no page can show again.
pub async fn make_token(State(web): State<Web>, page: Page, signed: Signed, Form(form): Form<TokenForm>) -> Answer {
    let now = web.clock.now();
    let days: Option<i64> = form.tage.parse().ok().filter(|days| (1..=3_660).contains(days));
    let new = NewToken {
        name: form.name,
        scope: Scope::from_code(&form.umfang).unwrap_or_default(),
        expires_at: days.map(|days| now + days * 24 * 60 * 60 * 1_000),
    };
    match web.host.make_token(&signed.account.id, &new, now).await {
        Ok(made) => draw_with(&web, &page, &signed, None, Some(made)).await,
        Err(HostError::Account(error)) => {
            let text = mistake(&page, &error);
            let found = Mistake { form: "token", text };
            draw(&web, &page, &signed, Some((status(&error), found))).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Which token.
#[derive(Deserialize)]
pub struct TokenChoice {
    schluessel: String,
}

/// `POST /konto/schluessel/zurueck`
pub async fn revoke_token(State(web): State<Web>, signed: Signed, Form(form): Form<TokenChoice>) -> Answer {
    if !web.host.revoke_token(&signed.account.id, &form.schluessel).await? {
        return Err(Fault::Missing);
    }
    go_with(&web, "/konto", &Flash::good("flash.token-revoked"))
}

/// `GET /konto/daten`: everything that is stored of the account, as a file.
pub async fn export(State(web): State<Web>, signed: Signed) -> Answer {
    let mut data = web.host.export_account(&signed.account.id, web.clock.now()).await?;
    tell_moments(&mut data);
    let text = serde_json::to_string_pretty(&data).map_err(|error| Fault::Broken(error.to_string()))?;
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CONTENT_DISPOSITION, "attachment; filename=\"briefwelt-konto.json\""),
    ];
    Ok((headers, text).into_response())
}

/// Writes moments as people and programs read them, `2026-11-29T19:00:00Z`: the file is for its owner, who does not count milliseconds.
fn tell_moments(data: &mut Value) {
    match data {
        Value::Array(list) => list.iter_mut().for_each(tell_moments),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value.as_i64() {
                    Some(at) if name == "at" || name == "since" || name.ends_with("_at") => {
                        *value = Value::String(time::machine(at));
                    }
                    _ => tell_moments(value),
                }
            }
        }
        _ => {}
    }
}

#[derive(Template)]
#[template(path = "account-delete.html")]
struct DeletePage<'a> {
    page: &'a Page,
    account: &'a Account,
    mistake: Option<String>,
}

/// `GET /konto/loeschen`
pub async fn show_delete(page: Page, signed: Signed) -> Answer {
    page.show(&DeletePage {
        page: &page,
        account: &signed.account,
        mistake: None,
    })
}

/// The account's name, written out: nobody does that by accident.
#[derive(Deserialize)]
pub struct DeleteForm {
    name: String,
}

/// `POST /konto/loeschen`
pub async fn delete(State(web): State<Web>, page: Page, signed: Signed, Form(form): Form<DeleteForm>) -> Answer {
    let account = &signed.account;
    let refused = if form.name.trim() == account.name {
        match web.host.delete_account(&account.id, web.clock.now()).await {
            Ok(()) => None,
            Err(HostError::Account(error)) => Some(mistake(&page, &error)),
            Err(error) => return Err(error.into()),
        }
    } else {
        Some(page.t("account.delete-name-differs"))
    };
    if refused.is_some() {
        let template = DeletePage {
            page: &page,
            account,
            mistake: refused,
        };
        return page.show_as(StatusCode::UNPROCESSABLE_ENTITY, &template);
    }
    let jar = CookieJar::new().add(forget(&web, session_cookie(&web)));
    Ok((jar, go_with(&web, "/", &Flash::good("flash.account-deleted"))?).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use render::locale::Language;

    #[test]
    fn moments_of_an_export_can_be_read() {
        let mut data = serde_json::json!({
            "exported_at": 1_795_978_800_000_i64, "worlds": [{ "since": 0, "turn": 3, "at": null, "text": "at 5" }],
        });
        tell_moments(&mut data);
        let expected = serde_json::json!({
            "exported_at": "2026-11-29T19:00:00Z",
            "worlds": [{ "since": "1970-01-01T00:00:00Z", "turn": 3, "at": null, "text": "at 5" }],
        });
        assert_eq!(data, expected);
    }

    #[test]
    fn devices_are_called_by_browser_and_system() {
        let words = Words::of(Language::German);
        let chrome = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36";
        assert_eq!(device(words, chrome), "Chrome auf Android");
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
        assert_eq!(device(words, firefox), "Firefox auf Linux");
        assert_eq!(device(words, "curl/8.0"), "curl");
        assert_eq!(device(words, "<script>"), "Unbekanntes Gerät");
    }
}
