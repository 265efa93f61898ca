//! The account's own wishes, and everything that is stored of it.
//!
//! Password, mail address, sessions, keys and the end of the account stay with whoever is signed in: a key that was
//! stolen must not be able to take the account over.

use super::{Called, Problem, Sent, done, json};
use crate::identity::Caller;
use crate::state::Web;
use axum::extract::State;
use host::account::AccountChange;
use host::letter::LetterMail;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Whether letters are told by mail.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LetterMails {
    /// Not at all.
    None,
    /// That one came, and not a word of it.
    Notice,
    /// The letter itself.
    Full,
}

/// What the account wishes; what is left out stays as it is.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Wishes {
    /// Its language, `de` or `en`.
    #[schema(example = "de")]
    language: Option<String>,
    /// Its time zone by name.
    #[schema(example = "Europe/Berlin")]
    zone: Option<String>,
    /// Whether letters are told by mail.
    letter_mail: Option<LetterMails>,
}

/// `GET /api/v1/account/wishes`
pub async fn wishes(State(web): State<Web>, caller: Caller) -> Called {
    let account = &caller.account;
    json(&Wishes {
        language: Some(account.language.clone()),
        zone: Some(account.zone.clone()),
        letter_mail: Some(match web.host.letter_mail(&account.id).await? {
            LetterMail::None => LetterMails::None,
            LetterMail::Notice => LetterMails::Notice,
            LetterMail::Full => LetterMails::Full,
        }),
    })
}

/// `PUT /api/v1/account/wishes`
pub async fn wish(State(web): State<Web>, caller: Caller, Sent(sent): Sent<Wishes>) -> Called {
    let account = &caller.account.id;
    let change = AccountChange {
        language: sent.language,
        zone: sent.zone,
        ..AccountChange::default()
    };
    web.host.change_account(account, &change).await?;
    if let Some(wish) = sent.letter_mail {
        let wish = match wish {
            LetterMails::None => LetterMail::None,
            LetterMails::Notice => LetterMail::Notice,
            LetterMails::Full => LetterMail::Full,
        };
        web.host.set_letter_mail(account, wish).await?;
    }
    done()
}

/// `GET /api/v1/account/data`: everything that is stored of the account.
pub async fn data(State(web): State<Web>, caller: Caller) -> Called {
    let data = web.host.export_account(&caller.account.id, web.clock.now()).await?;
    let data: Value = serde_json::to_value(&data).map_err(|error| Problem::broken(&error))?;
    json(&data)
}
