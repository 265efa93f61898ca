//! What an account wishes to be told by mail.

use crate::Result;
use crate::db::{Subject, values};
use crate::error::HostError;
use crate::store::Host;
use serde::Serialize;

/// Whether and how an account is told of something by mail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MailWish {
    /// Not at all.
    None,
    /// That it came, and not a word of it.
    #[default]
    Notice,
    /// The letter itself, or the report with it.
    Full,
}

impl MailWish {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Notice, Self::Full];

    /// Its name in the database and in forms.
    pub const fn code(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Notice => "notice",
            Self::Full => "full",
        }
    }

    /// The one with this name.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|of| of.code() == code)
    }

    /// The one that the database names so.
    pub(crate) fn stored(code: &str) -> Result<Self> {
        Self::from_code(code).ok_or_else(|| HostError::Damaged(format!("wish about mail: {code:?}").into()))
    }
}

/// What an account wishes to be told by mail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct MailWishes {
    /// Of letters that came.
    pub letters: MailWish,
    /// Of turns that were run.
    pub turns: MailWish,
}

impl Host {
    /// What an account wishes to be told by mail.
    pub async fn mail_wishes(&self, account: &str) -> Result<MailWishes> {
        let mut tx = self.read().await?;
        let row: Option<(String, String)> = tx
            .maybe(
                "SELECT letter_mail, turn_mail FROM accounts WHERE id = $1",
                &values![account],
            )
            .await?;
        match row {
            Some((letters, turns)) => Ok(MailWishes {
                letters: MailWish::stored(&letters)?,
                turns: MailWish::stored(&turns)?,
            }),
            None => Ok(MailWishes::default()),
        }
    }

    /// Says what an account wishes to be told by mail.
    pub async fn set_mail_wishes(&self, account: &str, wishes: MailWishes) -> Result<()> {
        let mut tx = self.write(Subject::Account(account)).await?;
        tx.execute(
            "UPDATE accounts SET letter_mail = $2, turn_mail = $3 WHERE id = $1 AND deleted_at IS NULL",
            &values![account, wishes.letters.code(), wishes.turns.code()],
        )
        .await?;
        tx.commit().await
    }
}
