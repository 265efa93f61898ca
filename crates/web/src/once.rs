//! What was sent twice is done once.
//!
//! Forms whose deed would count again (a booking, a judgement, a letter) carry a number in their address, and programs may give any
//! writing call one in a header. Whoever clicks twice, or loads the answer again, sends number and content a second time: the store
//! knows them ([`host::once`]), and he is led back and told. Another content under the same number is another deed, because
//! people go back to a page, change a field and send it again.

use crate::context::Frame;
use crate::error::{Fault, Repeated};
use crate::page::{Flash, go_with, own_path};
use crate::state::Web;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_TYPE, HOST, REFERER};
use axum::http::{HeaderMap, HeaderName, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use host::once::{Mark, once};

/// The number in the address of a form.
pub const FIELD: &str = "einmal";
/// Header by which a program gives a call its number.
pub const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
/// Characters of a number.
pub const LONGEST: usize = 128;

/// The number of what arrives, if it has one.
fn number(uri: &Uri, headers: &HeaderMap) -> Result<Option<Vec<u8>>, Fault> {
    let pairs = uri.query().unwrap_or_default().split('&');
    let mut of_form = pairs.filter_map(|pair| pair.strip_prefix(FIELD)?.strip_prefix('='));
    let of_call = || headers.get(HEADER).map(|number| number.as_bytes());
    match of_form.next().map(str::as_bytes).or_else(of_call) {
        None | Some([]) => Ok(None),
        Some(number) if number.len() <= LONGEST => Ok(Some(number.to_owned())),
        // Whoever relies on it must not learn by a second booking that it was not taken.
        Some(_) => Err(Fault::Malformed),
    }
}

/// Lets a deed through to its handler, once if it has a number.
pub async fn run(web: &Web, account: &str, body_max: usize, request: Request, next: Next) -> Result<Response, Fault> {
    let Some(number) = number(request.uri(), request.headers())? else {
        return Ok(next.run(request).await);
    };
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, body_max).await.map_err(|_| Fault::TooLarge)?;
    let content = plain(&parts.headers, &body);
    let mut what: Vec<&[u8]> = vec![
        account.as_bytes(),
        parts.method.as_str().as_bytes(),
        parts.uri.path().as_bytes(),
        &number,
    ];
    what.extend(content);
    let mark = Mark::of(&what);
    let back = (parts.extensions.get::<Frame>())
        .filter(|frame| !frame.path.starts_with("/api/"))
        .map(|frame| afterwards(&frame.path).unwrap_or_else(|| came_from(&parts.headers).to_owned()));
    let request = Request::from_parts(parts, Body::from(body));
    // Asked first: a handler may find that there is nothing left to do, such as an invitation that was used up by the first click, and complain.
    let response = match web.host.was_done(&mark).await? {
        true => Fault::Repeated.into_response(),
        false => once(mark, web.clock.now(), next.run(request)).await,
    };
    match back.filter(|_| response.extensions().get::<Repeated>().is_some()) {
        Some(back) => go_with(web, &back, &Flash::good("flash.repeated")),
        None => Ok(response),
    }
}

/// The content without the line that parts its fields: browsers draw another one each time.
fn plain<'a>(headers: &HeaderMap, body: &'a [u8]) -> Vec<&'a [u8]> {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let boundary = kind.and_then(|kind| Some(kind.split_once("boundary=")?.1.trim_matches('"').as_bytes()));
    let Some(boundary) = boundary.filter(|boundary| !boundary.is_empty()) else {
        return vec![body];
    };
    let mut parts = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(window) = body.get(at..at + boundary.len()) {
        if window == boundary {
            parts.extend(body.get(from..at));
            at += boundary.len();
            from = at;
        } else {
            at += 1;
        }
    }
    parts.extend(body.get(from..));
    parts
}

/// Where somebody finds what he did by a form that is used up: a plan is a world now, an invitation a seat, a new letter lies among the others. Nothing for
/// forms that can be filled in again.
fn afterwards(path: &str) -> Option<String> {
    if path.starts_with("/neue-welt/") || path.starts_with("/beitreten/") || path == "/einladung" {
        return Some("/welten".to_owned());
    }
    path.strip_suffix("/briefe/neu").map(|desk| format!("{desk}/briefe"))
}

/// The page of this host that sent the form; the front page if nobody says.
fn came_from(headers: &HeaderMap) -> &str {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let path = text(REFERER).and_then(|from| {
        let (_, rest) = from.split_once("://")?;
        let at = rest.find('/')?;
        let (host, path) = rest.split_at(at);
        (Some(host) == text(HOST)).then_some(path)
    });
    path.map_or("/", own_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.clone(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn a_number_stands_in_the_address_or_in_a_header() {
        let of = |uri: &str, pairs: &[(HeaderName, &str)]| number(&uri.parse().unwrap(), &headers(pairs));
        let is = |found: Result<Option<Vec<u8>>, Fault>, wanted: Option<&str>| {
            assert_eq!(found.unwrap().as_deref(), wanted.map(str::as_bytes));
        };
        is(of("/kasse?a=1&einmal=17", &[]), Some("17"));
        is(of("/kasse?einmal=", &[]), None);
        is(of("/kasse?keinmal=3", &[]), None);
        is(of("/api/v1/x", &[(HEADER, "k-1")]), Some("k-1"));
        let longest = "k".repeat(LONGEST);
        is(of("/api/v1/x", &[(HEADER, &longest)]), Some(&longest));
        assert!(of("/api/v1/x", &[(HEADER, &"k".repeat(LONGEST + 1))]).is_err());
    }

    #[test]
    fn fields_are_the_same_whatever_parts_them() {
        let kind = |boundary: &str| {
            let kind = format!("multipart/form-data; boundary={boundary}");
            headers(&[(CONTENT_TYPE, kind.as_str())])
        };
        let body = |boundary: &str, text: &str| format!("--{boundary}\r\n\r\n{text}\r\n--{boundary}--\r\n");
        let (one, two) = (body("ab", "Ente"), body("xyz", "Ente"));
        assert_eq!(plain(&kind("ab"), one.as_bytes()), plain(&kind("xyz"), two.as_bytes()));
        let other = body("ab", "Gans");
        assert_ne!(plain(&kind("ab"), one.as_bytes()), plain(&kind("ab"), other.as_bytes()));
        assert_eq!(plain(&HeaderMap::new(), b"a=1"), [b"a=1"]);
    }

    #[test]
    fn what_was_done_by_a_form_that_is_used_up_is_shown() {
        for path in ["/neue-welt/siegel", "/beitreten/Nebelmark", "/einladung"] {
            assert_eq!(afterwards(path).as_deref(), Some("/welten"), "{path}");
        }
        assert_eq!(
            afterwards("/welt/M/leitung/briefe/neu").as_deref(),
            Some("/welt/M/leitung/briefe")
        );
        assert_eq!(afterwards("/welt/M/leitung/kasse"), None);
    }

    #[test]
    fn one_is_led_back_within_the_host_only() {
        let from = |referer: &str| {
            let headers = headers(&[(HOST, "briefwelt.test"), (REFERER, referer)]);
            came_from(&headers).to_owned()
        };
        assert_eq!(
            from("http://briefwelt.test/welt/M/leitung/kasse?x=1"),
            "/welt/M/leitung/kasse?x=1"
        );
        assert_eq!(from("http://elsewhere.test/welt"), "/");
        assert_eq!(from("http://briefwelt.test//elsewhere.test/"), "/");
        assert_eq!(from("briefwelt.test"), "/");
    }
}
