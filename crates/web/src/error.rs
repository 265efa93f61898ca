//! What a visitor sees when something fails: a short page of the host, never a detail.
//!
//! Handlers return a [`Fault`]; it becomes an answer with a status and no body. [`crate::context`] draws the page for every
//! answer that failed, also for those that the framework refused, so that all of them look alike. Two missing pages are
//! equal byte for byte, whether there is nothing or nothing for this visitor.

use crate::api::Problem;
use crate::page::Page;
use askama::Template;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use host::HostError;
use host::letter::LetterError;
use host::newspaper::NewspaperError;

/// Why there is no page.
#[derive(Debug)]
pub enum Fault {
    /// Nothing is here, or nothing for this visitor.
    Missing,
    /// Somebody else's page sent this request.
    Forbidden,
    /// What was sent does not have the form that the page sends.
    Malformed,
    /// What was sent is too large.
    TooLarge,
    /// The same was sent before and counts already.
    Repeated,
    /// Tried too often; seconds to wait.
    TooMany(u64),
    /// Somebody changed the same thing at the same time.
    Busy,
    /// Something broke; the text goes to the log only.
    Broken(String),
}

impl Fault {
    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Missing => StatusCode::NOT_FOUND,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Repeated => StatusCode::CONFLICT,
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        match self {
            Self::Broken(why) => tracing::error!(why, "request failed"),
            Self::TooMany(seconds) => {
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
            }
            Self::Repeated => {
                response.extensions_mut().insert(Repeated);
                response
                    .extensions_mut()
                    .insert(Problem::new(StatusCode::CONFLICT, "repeated"));
            }
            _ => {}
        }
        response
    }
}

/// Marks the answer to what was sent before and counts already.
#[derive(Clone, Copy, Debug)]
pub struct Repeated;

impl From<HostError> for Fault {
    fn from(error: HostError) -> Self {
        match error {
            HostError::UnknownWorld(_)
            | HostError::UnknownRealm { .. }
            | HostError::UnknownRealmName { .. }
            | HostError::UnknownStep { .. }
            | HostError::UnknownRule(_)
            | HostError::Letter(LetterError::Unknown)
            | HostError::Newspaper(NewspaperError::Unknown) => Self::Missing,
            // Pages say what is wrong with a letter, an article or a drawing; this is for requests that no page sends.
            HostError::Letter(_) | HostError::Newspaper(_) | HostError::Arms(_) | HostError::Picture(_) => {
                Self::Malformed
            }
            // Whatever else cannot be granted: pages say why; this is for requests that no page sends.
            HostError::Malformed(_)
            | HostError::Desk(_)
            | HostError::Account(_)
            | HostError::Membership(_)
            | HostError::NotOpen { .. }
            | HostError::AlreadyRun { .. }
            | HostError::NotLast { .. }
            | HostError::NotDue { .. }
            | HostError::Over(_) => Self::Malformed,
            HostError::TooLarge { .. } => Self::TooLarge,
            HostError::Repeated => Self::Repeated,
            HostError::Busy(_) => Self::Busy,
            other => Self::Broken(other.to_string()),
        }
    }
}

impl From<kernel::any::GameError> for Fault {
    fn from(error: kernel::any::GameError) -> Self {
        HostError::from(error).into()
    }
}

impl From<askama::Error> for Fault {
    fn from(error: askama::Error) -> Self {
        Self::Broken(format!("template: {error}"))
    }
}

#[derive(Template)]
#[template(path = "trouble.html")]
struct FaultPage<'a> {
    page: &'a Page,
    title: String,
    text: String,
    missing: bool,
}

/// The body of a failed answer.
pub fn draw(page: &Page, status: StatusCode) -> String {
    let words = page.words;
    let (title, text) = match status.as_u16() {
        404 => (words.t("trouble.missing"), words.t("trouble.missing-text")),
        403 => (words.t("trouble.forbidden"), words.t("trouble.forbidden-text")),
        405 => (words.t("trouble.method"), words.t("trouble.method-text")),
        408 => (words.t("trouble.slow"), words.t("trouble.slow-text")),
        413 => (words.t("trouble.large"), words.t("trouble.large-text")),
        429 => (words.t("trouble.often"), words.t("trouble.often-text")),
        503 => (words.t("trouble.busy"), words.t("trouble.busy-text")),
        400..500 => (words.t("trouble.malformed"), words.t("trouble.malformed-text")),
        _ => (words.t("trouble.broken"), words.t("trouble.broken-text")),
    };
    let drawn = FaultPage {
        page,
        title,
        text,
        missing: status == StatusCode::NOT_FOUND,
    };
    drawn.render().unwrap_or_else(|_| status.to_string())
}
