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
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;
use std::time::Instant;
use tracing::Instrument as _;

/// Times of answers by which they are counted, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

fn figures() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let install = || {
        PrometheusBuilder::new()
            .set_buckets(&BUCKETS)
            .ok()?
            .install_recorder()
            .ok()
    };
    HANDLE.get_or_init(install).as_ref()
}

/// Gives every request a number, writes a line about it and counts it.
pub async fn observe(request: Request, next: Next) -> Response {
    figures();
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
    let labels = [("route", route), ("status", status.to_string())];
    metrics::histogram!("briefwelt_request_seconds", &labels).record(taken.as_secs_f64());
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
    let mut text = figures().map(PrometheusHandle::render).unwrap_or_default();
    // What waits in the store is the same for all processes: it is counted when somebody asks.
    let (waiting, lost) = web.host.outbox_counts().await?;
    let overdue = web.host.overdue(web.clock.now()).await?;
    let failed = web.host.given_up().await?.len();
    for (name, count) in [
        ("briefwelt_mails_waiting", waiting),
        ("briefwelt_mails_given_up", lost),
        ("briefwelt_jobs_overdue", overdue),
        ("briefwelt_jobs_given_up", failed as u64),
    ] {
        text += &format!("# TYPE {name} gauge\n{name} {count}\n");
    }
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
