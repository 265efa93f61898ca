//! The account's own wishes, and everything that is stored of it.
//!
//! Password, mail address, sessions, keys and the end of the account stay with whoever is signed in: a key that was
//! stolen must not be able to take the account over.

use super::{Called, Problem, Sent, done, json};
use crate::identity::Caller;
use crate::state::Web;
use axum::extract::State;
use host::account::AccountChange;
use host::wish::MailWish;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Whether and how something is told by mail.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MailWishName {
    /// Not at all.
    None,
    /// That it came, and not a word of it.
    Notice,
    /// The letter itself, or the report with it.
    Full,
}

impl From<MailWish> for MailWishName {
    fn from(wish: MailWish) -> Self {
        match wish {
            MailWish::None => Self::None,
            MailWish::Notice => Self::Notice,
            MailWish::Full => Self::Full,
        }
    }
}

impl From<MailWishName> for MailWish {
    fn from(name: MailWishName) -> Self {
        match name {
            MailWishName::None => Self::None,
            MailWishName::Notice => Self::Notice,
            MailWishName::Full => Self::Full,
        }
    }
}

/// What the account wishes; what is left out stays as it is.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Wishes {
    /// Its language, `de` or `en`.
    #[schema(example = "de", pattern = "^(de|en)$")]
    language: Option<String>,
    /// Its time zone by name.
    #[schema(example = "Europe/Berlin")]
    zone: Option<String>,
    /// Whether letters are told by mail.
    letter_mail: Option<MailWishName>,
    /// Whether turns that were run are told by mail; a report goes only to a confirmed address.
    turn_mail: Option<MailWishName>,
}

/// `GET /api/v1/account/wishes`
pub async fn wishes(State(web): State<Web>, caller: Caller) -> Called {
    let account = &caller.account;
    let mail = web.host.mail_wishes(&account.id).await?;
    json(&Wishes {
        language: Some(account.language.clone()),
        zone: Some(account.zone.clone()),
        letter_mail: Some(mail.letters.into()),
        turn_mail: Some(mail.turns.into()),
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
    if sent.letter_mail.is_some() || sent.turn_mail.is_some() {
        let mut mail = web.host.mail_wishes(account).await?;
        mail.letters = sent.letter_mail.map_or(mail.letters, MailWish::from);
        mail.turns = sent.turn_mail.map_or(mail.turns, MailWish::from);
        web.host.set_mail_wishes(account, mail).await?;
    }
    done()
}

/// `GET /api/v1/account/data`: everything that is stored of the account.
pub async fn data(State(web): State<Web>, caller: Caller) -> Called {
    let data = web.host.export_account(&caller.account.id, web.clock.now()).await?;
    let data: Value = serde_json::to_value(&data).map_err(|error| Problem::broken(&error))?;
    json(&data)
}
