//! What surrounds every request: language, light, messages and the asker before it, the page of a fault after it.

use crate::api::{self, Problem};
use crate::error;
use crate::identity::{Asker, SITS_COOKIE, SITS_HEADER};
use crate::page::{Flash, Page};
use crate::state::Web;
use crate::words::Words;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT_LANGUAGE, AUTHORIZATION, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use host::HostError;
use kernel::realm::RealmId;
use render::locale::Language;

/// Cookie of the language.
pub const LANGUAGE_COOKIE: &str = "sprache";
/// Cookie of the light.
pub const LIGHT_COOKIE: &str = "licht";
/// Cookie of a message for the next page.
pub const FLASH_COOKIE: &str = "meldung";
/// The longest message cookie that is read.
const FLASH_BYTES: usize = 1_024;

/// In which light the pages stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Light {
    /// As the visitor's device prefers.
    #[default]
    Device,
    /// Ink on paper.
    Paper,
    /// By candlelight.
    Candle,
}

impl Light {
    /// As the cookie and the style sheet call it; nothing if the device decides.
    pub fn name(self) -> &'static str {
        match self {
            Self::Device => "",
            Self::Paper => "paper",
            Self::Candle => "candle",
        }
    }

    /// The light of a name.
    pub fn of(name: &str) -> Self {
        match name {
            "paper" => Self::Paper,
            "candle" => Self::Candle,
            _ => Self::Device,
        }
    }
}

/// What is known of a request before its handler runs.
#[derive(Clone)]
pub struct Frame {
    /// Texts in the visitor's language.
    pub words: Words,
    /// The light.
    pub light: Light,
    /// The message of the page before.
    pub flash: Option<Flash>,
    /// Path of the address.
    pub path: String,
    /// What it asks for behind the path, as it was written.
    pub query: String,
    /// When the request came.
    pub now: i64,
}

/// Marks an answer that failed but has a page of its own, such as a form with its mistakes.
#[derive(Clone, Copy, Debug)]
pub struct Drawn;

/// Name of the session cookie: over encrypted connections browsers guard it even against our own subdomains.
pub fn session_cookie(web: &Web) -> &'static str {
    if web.settings.secure() {
        "__Host-sitzung"
    } else {
        "sitzung"
    }
}

/// A cookie for the whole host that no script reads and no other site sends along.
pub fn cookie(web: &Web, name: &'static str, value: String) -> Cookie<'static> {
    Cookie::build((name, value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(web.settings.secure())
        .build()
}

/// The same cookie, to be forgotten.
pub fn forget(web: &Web, name: &'static str) -> Cookie<'static> {
    let mut cookie = cookie(web, name, String::new());
    cookie.make_removal();
    cookie
}

/// A cookie that stays.
pub fn lasting(web: &Web, name: &'static str, value: String) -> Cookie<'static> {
    let mut cookie = cookie(web, name, value);
    cookie.make_permanent();
    cookie
}

/// Recognises the asker, runs the handler and draws the page of a fault.
pub async fn surround(State(web): State<Web>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    if path.starts_with("/assets/") {
        return plain_if_failed(next.run(request).await);
    }
    let jar = CookieJar::from_headers(request.headers());
    // No name has such a letter, and PostgreSQL keeps none: what an address with it names is not there.
    let nul = [Some(path.as_str()), request.uri().query()];
    let nul = nul.into_iter().flatten().any(|text| text.contains("%00"));
    let (mut asker, refused) = match recognise(&web, &jar, &path, request.headers()).await {
        Ok(recognised) => recognised,
        Err(error) => {
            tracing::error!(%error, "the asker could not be looked up");
            return plain_if_failed(StatusCode::SERVICE_UNAVAILABLE.into_response());
        }
    };
    let sits = jar.get(SITS_COOKIE).map(Cookie::value);
    asker.sits_for = sits.filter(|text| text.len() <= FLASH_BYTES).map(Into::into);
    if path.starts_with(api::PREFIX) {
        let named = request.headers().get(SITS_HEADER).and_then(|text| text.to_str().ok());
        asker.sits_now = named.and_then(|text| text.trim().parse().ok()).map(RealmId);
    }
    let chosen = chosen_language(request.uri());
    let flash = jar
        .get(FLASH_COOKIE)
        .map(Cookie::value)
        .filter(|text| text.len() <= FLASH_BYTES);
    let frame = Frame {
        words: Words::of(language(chosen, &jar, &asker, request.headers())),
        light: Light::of(jar.get(LIGHT_COOKIE).map_or("", Cookie::value)),
        flash: flash.and_then(Flash::read),
        path,
        query: request.uri().query().unwrap_or_default().to_owned(),
        now: web.clock.now(),
    };
    request.extensions_mut().insert(asker.clone());
    request.extensions_mut().insert(frame.clone());
    let response = match refused {
        Some(problem) => problem.into_response(),
        None if nul => error::Fault::Missing.into_response(),
        None => next.run(request).await,
    };
    // A page of a fault is the same whatever was asked for.
    let frame = Frame {
        query: String::new(),
        ..frame
    };
    let mut response = mend(response, &frame, &asker);
    let mut jar_out = CookieJar::new();
    if let Some(language) = chosen {
        jar_out = jar_out.add(lasting(&web, LANGUAGE_COOKIE, language.code().to_owned()));
    }
    // A message is read once: on the page after it, not on a redirect.
    if jar.get(FLASH_COOKIE).is_some() && !response.status().is_redirection() {
        jar_out = jar_out.add(forget(&web, FLASH_COOKIE));
    }
    let headers = (jar_out, ()).into_response().into_parts().0.headers;
    response.headers_mut().extend(headers);
    response
}

/// Who asks. A program says so with a token, which opens the JSON interface and nothing else; without one the cookie
/// counts there too. A call of the interface without either, or with a token that does not hold, goes no further, whether
/// there is such a call or not.
async fn recognise(
    web: &Web,
    jar: &CookieJar,
    path: &str,
    headers: &HeaderMap,
) -> Result<(Asker, Option<Problem>), HostError> {
    let call = path.starts_with(api::PREFIX);
    let header = headers.get(AUTHORIZATION).filter(|_| call);
    if let Some(header) = header {
        let bearer = header.to_str().ok().and_then(|text| {
            let (scheme, secret) = text.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
        });
        let found = match bearer {
            Some(secret) => Asker::of_token(web, secret).await?,
            None => None,
        };
        return Ok(match found {
            Some(asker) => (asker, None),
            None => (
                Asker::default(),
                Some(Problem::new(StatusCode::UNAUTHORIZED, "bad-token")),
            ),
        });
    }
    let asker = match jar.get(session_cookie(web)).map(Cookie::value) {
        Some(token) => Asker::recognise(web, token).await?,
        None => Asker::default(),
    };
    let refused = call && asker.account.is_none();
    Ok((
        asker,
        refused.then(|| Problem::new(StatusCode::UNAUTHORIZED, "no-token")),
    ))
}

/// Gives a failed answer its page, whoever refused it and whatever it said.
fn mend(response: Response, frame: &Frame, asker: &Asker) -> Response {
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || response.extensions().get::<Drawn>().is_some() {
        return response;
    }
    let retry = response.headers().get(RETRY_AFTER).cloned();
    let mut fresh = if frame.path.starts_with("/api/") {
        let problem = response.extensions().get::<Problem>().cloned();
        problem
            .unwrap_or_else(|| Problem::of_status(status))
            .in_words(frame.words)
    } else {
        // A fault has no place: whatever world the address names, the page does not.
        let page = Page::new(frame.clone(), asker.clone(), None);
        (status, Html(error::draw(&page, status))).into_response()
    };
    if let Some(retry) = retry {
        fresh.headers_mut().insert(RETRY_AFTER, retry);
    }
    fresh
}

/// A fault without a page, where there is nobody to read one.
fn plain_if_failed(response: Response) -> Response {
    let status = response.status();
    if status.is_client_error() || status.is_server_error() {
        (status, status.canonical_reason().unwrap_or_default()).into_response()
    } else {
        response
    }
}

/// The language that the address asks for.
fn chosen_language(uri: &Uri) -> Option<Language> {
    let pairs = uri.query()?.split('&');
    let code = pairs.filter_map(|pair| pair.strip_prefix("sprache=")).next_back()?;
    Language::from_code(code)
}

/// The language of the address, else the one chosen before, else that of the account, else that of the browser.
fn language(chosen: Option<Language>, jar: &CookieJar, asker: &Asker, headers: &HeaderMap) -> Language {
    let remembered = || {
        jar.get(LANGUAGE_COOKIE)
            .and_then(|cookie| Language::from_code(cookie.value()))
    };
    let of_account = || {
        asker
            .account
            .as_ref()
            .and_then(|account| Language::from_code(&account.language))
    };
    let of_browser = || accepted(headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?);
    chosen
        .or_else(remembered)
        .or_else(of_account)
        .or_else(of_browser)
        .unwrap_or_default()
}

/// The best of a browser's languages that there is.
fn accepted(header: &str) -> Option<Language> {
    let weighed = header.split(',').take(20).filter_map(|part| {
        let mut parts = part.split(';');
        let language = Language::from_code(parts.next()?.trim())?;
        let weight = parts.find_map(|part| part.trim().strip_prefix("q=")).unwrap_or("1");
        // In thousandths, as the standard has at most three digits.
        let weight = (weight.parse::<f32>().ok()?.clamp(0.0, 1.0) * 1_000.0) as u32;
        Some((weight, language))
    });
    // Of equal weights the first.
    weighed
        .fold(None, |best: Option<(u32, Language)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        })
        .filter(|(weight, _)| *weight > 0)
        .map(|(_, language)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_its_best_language() {
        assert_eq!(accepted("en-GB,en;q=0.9,de;q=0.8"), Some(Language::English));
        assert_eq!(accepted("fr, de-AT;q=0.7, en;q=0.3"), Some(Language::German));
        assert_eq!(accepted("fr;q=1.0"), None);
        assert_eq!(accepted("en;q=0"), None);
        assert_eq!(accepted("de,en"), Some(Language::German));
        assert_eq!(accepted(";;q=,"), None);
    }

    #[test]
    fn the_last_language_of_an_address_counts() {
        let of = |text: &str| chosen_language(&text.parse::<Uri>().unwrap());
        assert_eq!(of("/?sprache=en"), Some(Language::English));
        assert_eq!(of("/?a=1&sprache=de-DE"), Some(Language::German));
        assert_eq!(of("/?sprache=xx"), None);
        assert_eq!(of("/"), None);
    }
}
