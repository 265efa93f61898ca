//! What a call answers when it fails: `application/problem+json` (RFC 9457) with a code for programs and words for people.
//!
//! A [`Problem`] travels through the layers without words; [`crate::context`] puts it into the language of the asker. Two
//! missing things are equal byte for byte.

use crate::error::Fault;
use crate::pages::{letters, newspaper};
use crate::refusal::{self, desk_values, misread_values};
use crate::words::Words;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use host::HostError;
use host::letter::LetterError;
use host::newspaper::NewspaperError;
use host::picture::PictureError;
use kernel::any::GameError;
use kernel::diagnostic::Diagnostic;
use kernel::house::Misfits;
use kernel::misread::Misread;
use render::locale::Wording;
use serde::Serialize;
use std::fmt::Display;
use utoipa::ToSchema;

/// The codes that a program may meet at any call, with their status. Calls have further ones of their own.
pub const CODES: [(u16, &str); 23] = [
    (400, "malformed"),
    (401, "no-token"),
    (401, "bad-token"),
    (403, "foreign-page"),
    (403, "read-only"),
    (404, "not-found"),
    (405, "wrong-method"),
    (408, "too-slow"),
    (409, "closed"),
    (409, "deadline-passed"),
    (409, "orders-missing"),
    (409, "nothing-to-take-back"),
    (409, "name-taken"),
    (409, "repeated"),
    (413, "too-large"),
    (415, "not-json"),
    (415, "not-image"),
    (415, "not-table"),
    (422, "refused"),
    (422, "world-too-large"),
    (429, "too-often"),
    (500, "broken"),
    (503, "busy"),
];

/// Why a call failed.
#[derive(Clone, Debug)]
pub struct Problem {
    status: StatusCode,
    code: &'static str,
    detail: Option<String>,
    /// The words of the detail, where they are ours.
    worded: Option<Box<Worded>>,
    findings: Vec<Finding>,
    retry: Option<u32>,
}

/// Words of our own: told in the language of whoever asks.
#[derive(Clone, Debug)]
struct Worded {
    table: &'static str,
    key: &'static str,
    /// The bound of which they tell.
    bound: i64,
    /// Further values.
    values: Vec<(&'static str, String)>,
    /// House rules of which they tell why they are not taken.
    misfits: Option<Misfits>,
}

impl Worded {
    fn in_words(&self, words: Words) -> String {
        let mut values = self.values.clone();
        values.push(("count", words.number(self.bound)));
        if let Some(misfits) = &self.misfits {
            values.push(("why", refusal::misfits(words, misfits)));
        }
        words.with(&format!("{}.{}", self.table, self.key), &values)
    }
}

/// Why a call failed (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// Where the problem is explained.
    #[serde(rename = "type")]
    kind: String,
    /// What is wrong, in the language of the asker.
    title: String,
    /// The status of the answer.
    status: u16,
    /// What is wrong, for programs.
    code: &'static str,
    /// More about this very case.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// What is wrong with an order file, by place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
}

/// One finding about an order file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Finding {
    /// `error`: not carried out, or only in part; `warning`: otherwise than you may think; `hint`: could be better.
    pub severity: &'static str,
    /// The game's own code.
    pub code: String,
    /// Line, from 1; 0 for the file as a whole.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Number of characters.
    pub length: u32,
    /// What is wrong.
    pub text: String,
    /// What was expected; may be empty.
    pub expected: String,
    /// The rules that say so: see the call for a rule.
    pub rules: Vec<String>,
    /// A change of the text that would mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<Repair>,
}

/// A change of a text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Repair {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Number of characters that are replaced.
    pub length: u32,
    /// What comes there.
    pub text: String,
}

impl Finding {
    /// A finding in words.
    pub fn of(wording: &Wording, diagnostic: &Diagnostic) -> Self {
        let (text, expected) = wording.fault(diagnostic);
        let span = diagnostic.span;
        Self {
            severity: match diagnostic.severity {
                kernel::diagnostic::Severity::Error => "error",
                kernel::diagnostic::Severity::Warning => "warning",
                kernel::diagnostic::Severity::Hint => "hint",
            },
            code: diagnostic.code.to_string(),
            line: span.line,
            column: span.column,
            length: span.length,
            text,
            expected,
            rules: diagnostic.rules.iter().map(|rule| rule.to_string()).collect(),
            repair: diagnostic.repair.as_deref().map(|repair| Repair {
                line: repair.span.line,
                column: repair.span.column,
                length: repair.span.length,
                text: repair.text.clone(),
            }),
        }
    }

    /// All findings in words.
    pub fn all(wording: &Wording, diagnostics: &[Diagnostic]) -> Vec<Self> {
        diagnostics.iter().map(|of| Self::of(wording, of)).collect()
    }
}

impl Problem {
    /// A problem with a code.
    pub fn new(status: StatusCode, code: &'static str) -> Self {
        Self {
            status,
            code,
            detail: None,
            worded: None,
            findings: Vec::new(),
            retry: None,
        }
    }

    /// The problem that a status stands for.
    pub fn of_status(status: StatusCode) -> Self {
        let code = match status.as_u16() {
            401 => "no-token",
            403 => "foreign-page",
            404 => "not-found",
            405 => "wrong-method",
            408 => "too-slow",
            409 => "closed",
            413 => "too-large",
            415 => "not-json",
            422 => "refused",
            429 => "too-often",
            503 => "busy",
            400..500 => "malformed",
            _ => "broken",
        };
        Self::new(status, code)
    }

    /// Nothing is here, or nothing for this asker.
    pub fn missing() -> Self {
        Self::of_status(StatusCode::NOT_FOUND)
    }

    /// Something broke; the text goes to the log only.
    pub fn broken(error: &dyn Display) -> Self {
        Fault::Broken(error.to_string()).into()
    }

    /// The game or the host says no.
    pub fn refused(detail: &dyn Display) -> Self {
        Self::of_status(StatusCode::UNPROCESSABLE_ENTITY).because(detail)
    }

    /// With more about this very case.
    #[must_use]
    pub fn because(mut self, detail: &dyn Display) -> Self {
        self.detail = Some(detail.to_string());
        self
    }

    /// With findings about an order file.
    #[must_use]
    pub fn with(mut self, findings: Vec<Finding>) -> Self {
        self.findings = findings;
        self
    }

    /// The answer in words.
    pub fn in_words(&self, words: Words) -> Response {
        let general = Self::of_status(self.status).code;
        let known = CODES.iter().any(|(_, code)| *code == self.code);
        let title = words.of_code("api", &format!("problem-{}", if known { self.code } else { general }));
        let worded = self.worded.as_ref().map(|worded| worded.in_words(words));
        let body = ProblemBody {
            kind: format!("/api#problem-{}", if known { self.code } else { general }),
            title,
            status: self.status.as_u16(),
            code: self.code,
            detail: self.detail.clone().or(worded),
            findings: self.findings.clone(),
        };
        let bytes = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = (self.status, [(CONTENT_TYPE, "application/problem+json")], bytes).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = axum::http::HeaderValue::from_static("Bearer realm=\"briefwelt\"");
            response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if let Some(seconds) = self.retry {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let problem = Self::of_status(fault.status());
        match fault {
            Fault::Broken(why) => {
                tracing::error!(why, "call failed");
                problem
            }
            Fault::TooMany(seconds) => Self {
                retry: Some(u32::try_from(seconds).unwrap_or(u32::MAX)),
                ..problem
            },
            _ => problem,
        }
    }
}

impl From<GameError> for Problem {
    fn from(error: GameError) -> Self {
        HostError::from(error).into()
    }
}

impl From<HostError> for Problem {
    fn from(error: HostError) -> Self {
        let conflict = |code| Self::new(StatusCode::CONFLICT, code);
        let refused = |code, worded| Self {
            worded: Some(Box::new(worded)),
            ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, code)
        };
        let bounded = |code, table, bound| {
            let values = Vec::new();
            refused(
                code,
                Worded {
                    table,
                    key: code,
                    bound,
                    values,
                    misfits: None,
                },
            )
        };
        let worded = |code, table| bounded(code, table, 0);
        // These have one code for programs and many texts for people.
        let valued = |key, table, values| {
            refused(
                "refused",
                Worded {
                    table,
                    key,
                    bound: 0,
                    values,
                    misfits: None,
                },
            )
        };
        let house = |misfits: &Misfits| {
            refused(
                "refused",
                Worded {
                    table: "refusal",
                    key: "house-rules",
                    bound: 0,
                    values: Vec::new(),
                    misfits: Some(misfits.clone()),
                },
            )
        };
        match &error {
            HostError::UnknownJudgement { .. } => Self::missing(),
            HostError::AlreadyRun { .. }
            | HostError::NotLast { .. }
            | HostError::NotOpen { .. }
            | HostError::Over(_)
            | HostError::NotDue { .. }
            | HostError::Late { .. } => conflict("closed"),
            HostError::Missing { .. } => conflict("orders-missing"),
            HostError::NothingToTakeBack(_) => conflict("nothing-to-take-back"),
            HostError::Malformed(why) => valued(why.code(), "unfit", why.values()),
            HostError::WorldExists(_) => conflict("name-taken"),
            HostError::Repeated => conflict("repeated"),
            HostError::Game(GameError::Plan(why)) => valued(why.code(), "plan", why.values()),
            HostError::Game(GameError::HouseRules(why) | GameError::Judgement(Misread::House(why))) => house(why),
            HostError::Game(GameError::NoSuchRealm(realm)) => {
                valued("no-such-realm", "refusal", vec![("realm", realm.to_string())])
            }
            // What the game says about a line of its own is a finding, and no call has its words at hand.
            HostError::Game(why @ GameError::Judgement(Misread::Refused(_))) => Self::refused(why),
            HostError::Game(GameError::Judgement(why)) => valued(why.code(), "misread", misread_values(why)),
            HostError::Letter(LetterError::Unknown) | HostError::Newspaper(NewspaperError::Unknown) => Self::missing(),
            HostError::Letter(why) => bounded(why.code(), "letter-fault", letters::bound(why)),
            HostError::Newspaper(why) => bounded(why.code(), "news-fault", newspaper::bound(why)),
            HostError::Desk(why) => valued(why.code(), "refusal", desk_values(why)),
            HostError::Account(why) => worded(why.code(), "mistake"),
            HostError::Membership(why) => worded(why.code(), "mistake"),
            HostError::Arms(why) | HostError::Picture(PictureError::Drawing(why)) => worded(why.code(), "arms-fault"),
            HostError::Picture(why) => bounded(why.code(), "news-fault", i64::from(host::limits::PICTURE_SIDE)),
            _ => Fault::from(error).into(),
        }
    }
}
