//! What keeps harm away from every page: headers, time limits, refusal of requests that other sites' pages send.

use crate::state::Web;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;
use std::time::Duration;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, DefaultPredicate, NotForContentType, Predicate};
use tower_http::csrf::CsrfLayer;
use tower_http::timeout::TimeoutLayer;

/// What a request may take in all, its body included: a slow sender is cut off.
const REQUEST_SECONDS: u64 = 30;

/// Scripts, styles and pictures only from here, none of them within the page; no frames; forms only to here.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                              connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // Our own pages may know where the visitor comes from (signing in leads back there); nobody else may.
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Adds the headers that every answer carries. A handler may set its own caching; otherwise nothing is kept anywhere.
pub async fn headers(State(web): State<Web>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    if web.settings.secure() {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
    response
}

/// Cuts off what takes too long.
pub fn patience() -> TimeoutLayer {
    TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, Duration::from_secs(REQUEST_SECONDS))
}

/// Refuses what a page of another site sends.
pub fn same_site() -> CsrfLayer {
    CsrfLayer::new()
}

/// Fonts are compressed already.
const FONTS: NotForContentType = NotForContentType::const_new("font/");

/// Makes answers smaller.
pub fn compression() -> CompressionLayer<And<DefaultPredicate, NotForContentType>> {
    CompressionLayer::new().compress_when(DefaultPredicate::new().and(FONTS))
}

/// The address at the other end of the connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// The address of the visitor: the other end of the connection, or what a trusted proxy says.
pub fn visitor(web: &Web, headers: &HeaderMap, peer: Option<&Peer>) -> IpAddr {
    let forwarded = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?;
        last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    };
    let connected = peer.map_or(IpAddr::from([127, 0, 0, 1]), |peer| peer.0);
    if web.settings.trust_proxy {
        forwarded().unwrap_or(connected)
    } else {
        connected
    }
}
