//! What the keeper of a host sees: logs, `/healthz`, `/metrics`.
//!
//! Logs and figures name routes, not addresses: an address may hold a secret or say who looks at what.

use crate::error::Fault;
use crate::identity::Admin;
use crate::state::Web;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::sync::LazyLock;
use std::time::Instant;
use tracing::Instrument as _;

/// Times of answers by which they are counted, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// By what answers are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answer {
    route: String,
    status: u16,
}

/// How long answers took, of this process.
static ANSWERS: LazyLock<Family<Answer, Histogram>> =
    LazyLock::new(|| Family::new_with_constructor(|| Histogram::new(BUCKETS)));

/// Gives every request a number, writes a line about it and counts it.
pub async fn observe(request: Request, next: Next) -> Response {
    let mut number = [0u8; 8];
    // Without a number the request is served all the same.
    let _ = getrandom::fill(&mut number);
    let number = format!("{:016x}", u64::from_be_bytes(number));
    let method = request.method().clone();
    let matched = request.extensions().get::<MatchedPath>();
    let route = matched.map_or("-", MatchedPath::as_str).to_owned();
    let begun = Instant::now();
    let span = tracing::info_span!("request", id = %number, %method, route);
    let mut response = next.run(request).instrument(span.clone()).await;
    let taken = begun.elapsed();
    let status = response.status().as_u16();
    span.in_scope(|| tracing::info!(status, milliseconds = taken.as_secs_f64() * 1_000.0, "answered"));
    let answers = ANSWERS.get_or_create_owned(&Answer { route, status });
    answers.observe(taken.as_secs_f64());
    if let Ok(number) = HeaderValue::from_str(&number) {
        response.headers_mut().insert("x-request-id", number);
    }
    response
}

/// `GET /healthz`: whether the host can read its store.
pub async fn health(State(web): State<Web>) -> Result<&'static str, Fault> {
    web.host.worlds().await?;
    Ok("ok\n")
}

/// `GET /metrics`: figures for a program that shows the token of the settings.
pub async fn metrics(State(web): State<Web>, headers: HeaderMap) -> Result<Response, Fault> {
    let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
    let token = web.settings.metrics_token.as_deref().ok_or(Fault::Missing)?;
    // Digests are compared, so that the time it takes says nothing about the token.
    if blake3::hash(given.as_bytes()) == blake3::hash(token.as_bytes()) {
        render(&web).await
    } else {
        Err(Fault::Missing)
    }
}

/// `GET /verwaltung/metrics`: the same figures for whoever keeps the host.
pub async fn metrics_for_admin(State(web): State<Web>, _: Admin) -> Result<Response, Fault> {
    render(&web).await
}

async fn render(web: &Web) -> Result<Response, Fault> {
    let mut figures = Registry::with_prefix("briefwelt");
    let answers = "How long answers took, by route and status";
    figures.register("request_seconds", answers, ANSWERS.clone());
    // What waits in the store is the same for all processes: it is counted when somebody asks.
    let (waiting, lost) = web.host.outbox_counts().await?;
    let overdue = web.host.overdue(web.clock.now()).await?;
    let failed = web.host.given_up().await?.len() as u64;
    for (name, what, count) in [
        ("mails_waiting", "Mails that wait to be sent", waiting),
        ("mails_given_up", "Mails that could not be sent", lost),
        ("jobs_overdue", "Jobs that should have been done by now", overdue),
        ("jobs_given_up", "Jobs that failed too often", failed),
    ] {
        let gauge: Gauge = Gauge::default();
        gauge.set(i64::try_from(count).unwrap_or(i64::MAX));
        figures.register(name, what, gauge);
    }
    let mut text = String::new();
    encode_registry(&mut text, &figures)
        .and_then(|()| encode_eof(&mut text))
        .map_err(|error| Fault::Broken(error.to_string()))?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(CONTENT_TYPE, kind)], text).into_response())
}
