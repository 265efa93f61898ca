//! Everything that the pages show and do, for programs: JSON under `/api/v1/`, described by `/api/openapi.json`.
//!
//! A program presents a token of its owner ([`host::token`]), a script of our own pages comes with the cookie. Calls have the
//! guards of the pages and use the same functions; what they add is the form of what goes in and out. How to add one:
//!
//! 1. A handler in the file of its family. [`Sent`] is a body, [`SentImage`] a picture, [`SentTable`] a table, [`Asked`] a query; all refuse with words. It answers
//!    `json(&value)` or a [`Problem`].
//! 2. What goes in and out as structures with `ToSchema` or `IntoParams`; their comments stand in the document.
//! 3. One entry in `routes/calls.rs` or beside it: path, guard, and a [`Call`] that names the call, its family, body and answer.
//! 4. A sentence in `locale/{de,en}/web-api.toml` under `call-<name>`; a test finds those that are missing.

pub mod account;
pub mod arms;
pub mod board;
pub mod call;
pub mod chronicle;
pub mod desk;
pub mod document;
pub mod found;
pub mod join;
pub mod keeping;
pub mod lead;
pub mod letter_settings;
pub mod letters;
pub mod orders;
pub mod paper;
pub mod past;
pub mod player;
pub mod problem;
pub mod schedule;
pub mod seat;
pub mod sheet;
pub mod trial;
pub mod turn;

pub use call::{Call, Family};
pub use problem::{Finding, Problem};

use crate::state::Web;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::{IntoParams, ToSchema};

/// What the address of every call begins with.
pub const PREFIX: &str = "/api/v1/";

/// What a call answers.
pub type Called = Result<Response, Problem>;

/// Answers with JSON.
pub fn json(value: &impl Serialize) -> Called {
    json_as(StatusCode::OK, value)
}

/// Answers with JSON and another status than that all is well.
pub fn json_as(status: StatusCode, value: &impl Serialize) -> Called {
    let bytes = serde_json::to_vec(value).map_err(|error| Problem::broken(&error))?;
    Ok((status, [(CONTENT_TYPE, "application/json")], bytes).into_response())
}

/// Answers that it is done and there is nothing to say.
pub fn done() -> Called {
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Answers with plain text.
pub fn plain(text: String) -> Called {
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// Words to look for. More than a search takes is refused: cut, they would be another question.
pub fn sought(words: &str) -> Result<&str, Problem> {
    match words.chars().nth(host::limits::SEARCH_CHARACTERS) {
        None => Ok(words),
        Some(_) => Err(Problem::new(StatusCode::BAD_REQUEST, "malformed").because(&"q")),
    }
}

/// A moment as JSON writes it.
pub fn moment(milliseconds: i64) -> String {
    crate::time::machine(milliseconds)
}

/// The body of a call.
pub struct Sent<T>(pub T);

/// What a body says that it is.
fn kind_of(headers: &HeaderMap) -> String {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default();
    kind.trim().to_ascii_lowercase()
}

impl<T: DeserializeOwned + ToSchema> FromRequest<Web> for Sent<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Problem> {
        // A form on another site cannot say so.
        if kind_of(request.headers()) != "application/json" {
            return Err(Problem::of_status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
        }
        let bytes = Bytes::from_request(request, web)
            .await
            .map_err(|rejection| Problem::of_status(rejection.status()))?;
        let refused = |error: &serde_json::Error| Problem::new(StatusCode::BAD_REQUEST, "malformed").because(error);
        // No text has such a letter, and PostgreSQL cannot keep it.
        if bytes.windows(6).any(|part| part == b"\\u0000") {
            return Err(Problem::new(StatusCode::BAD_REQUEST, "malformed").because(&"\\u0000"));
        }
        let sent: T = serde_json::from_slice(&bytes).map_err(|error| refused(&error))?;
        // A structure could also be read from a list of its values, which no document describes.
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&bytes).map_err(|error| refused(&error))?;
        match call::Shape::of::<T>().excess(&object) {
            Some(excess) => Err(Problem::new(StatusCode::BAD_REQUEST, "malformed").because(&excess)),
            None => Ok(Self(sent)),
        }
    }
}

/// A picture as the body of a call: PNG, JPEG or SVG.
pub struct SentImage(pub Vec<u8>);

/// The kinds of pictures that are taken.
pub const IMAGES: [&str; 3] = ["image/png", "image/jpeg", "image/svg+xml"];

impl FromRequest<Web> for SentImage {
    type Rejection = Problem;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Problem> {
        // What it really is is found out when it is cleaned; a form on another site cannot say any of these.
        if !IMAGES.contains(&kind_of(request.headers()).as_str()) {
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-image"));
        }
        let bytes = Bytes::from_request(request, web).await;
        let bytes = bytes.map_err(|rejection| Problem::of_status(rejection.status()))?;
        Ok(Self(bytes.to_vec()))
    }
}

/// A file of a program for tables as the body of a call: CSV, ODS or XLSX.
pub struct SentTable(pub Vec<u8>);

/// The kinds of such files.
pub const TABLES: [&str; 3] = [
    "text/csv",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
];

impl FromRequest<Web> for SentTable {
    type Rejection = Problem;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Problem> {
        // What it really is is found out when it is read; a form on another site cannot say any of these.
        if !TABLES.contains(&kind_of(request.headers()).as_str()) {
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-table"));
        }
        let bytes = Bytes::from_request(request, web).await;
        let bytes = bytes.map_err(|rejection| Problem::of_status(rejection.status()))?;
        Ok(Self(bytes.to_vec()))
    }
}

/// The query of a call.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned + IntoParams> FromRequestParts<Web> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Problem> {
        let malformed = |why: &dyn std::fmt::Display| Problem::new(StatusCode::BAD_REQUEST, "malformed").because(why);
        let all = Query::<Vec<(String, String)>>::from_request_parts(parts, web).await;
        let Query(all) = all.map_err(|rejection| malformed(&rejection.body_text()))?;
        if let Some(excess) = call::excess_of_query::<T>(&all) {
            return Err(malformed(&excess));
        }
        let asked = Query::<T>::from_request_parts(parts, web).await;
        let Query(asked) = asked.map_err(|rejection| malformed(&rejection.body_text()))?;
        Ok(Self(asked))
    }
}
