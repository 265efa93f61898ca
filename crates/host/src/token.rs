//! Tokens: keys with which programs of a player speak to the host in the player's name.
//!
//! A token is `bw_` and 256 random bits. It is shown once, when it is made; only its hash is stored, so that whoever reads
//! the database cannot use it. Each has a name, may only read or also write, may end by itself and can be taken back.

use crate::Result;
use crate::account::{Account, AccountError, account};
use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::limits;
use crate::store::{Host, random};
use crate::world::{from_hex, hex};
use serde::Serialize;
use serde_json::{Value, json};

/// How a token begins, so that people and programs recognise one that went astray.
pub const PREFIX: &str = "bw_";
/// A use is noted at most so often: reading must not write.
const NOTE_EVERY: i64 = 5 * 60 * 1_000;

/// What a token may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Look at everything that its owner may look at.
    #[default]
    Read,
    /// Also do what its owner may do.
    Write,
}

impl Scope {
    /// As it is stored and sent.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// The scope of a code.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "read" => Some(Self::Read),
            "write" => Some(Self::Write),
            _ => None,
        }
    }
}

/// A token, without its secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Token {
    /// Its id, for the list; it opens nothing.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// When it was made.
    pub created_at: i64,
    /// The last use, to within minutes.
    pub used_at: Option<i64>,
    /// When it ends; never without one.
    pub expires_at: Option<i64>,
}

/// The plan of a token.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewToken {
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub scope: Scope,
    /// When it ends.
    pub expires_at: Option<i64>,
}

/// A token that was just made, and what its program presents: nobody can be told again.
#[derive(Clone, Debug)]
pub struct Made {
    /// The token.
    pub token: Token,
    /// What its program presents.
    pub secret: String,
}

/// Hash of what a program presents; nothing if it cannot be a token.
fn hash_of(secret: &str) -> Option<[u8; 32]> {
    let bytes = from_hex(secret.strip_prefix(PREFIX)?).ok()?;
    Some(blake3::derive_key("briefwelt api token 1", &bytes))
}

type TokenRow = (String, String, String, i64, Option<i64>, Option<i64>);

/// The same with its owner.
type FoundRow = (String, String, String, i64, Option<i64>, Option<i64>, String);

fn token_from(row: TokenRow) -> Result<Token> {
    let (id, name, scope, created_at, used_at, expires_at) = row;
    let scope =
        Scope::from_code(&scope).ok_or_else(|| HostError::Damaged(format!("scope of a token {scope:?}").into()))?;
    Ok(Token {
        id,
        name,
        scope,
        created_at,
        used_at,
        expires_at,
    })
}

impl Host {
    /// Makes a token for an account.
    ///
    /// # Errors
    /// If the name is empty or too long, the end has passed, or the account has too many.
    pub async fn make_token(&self, account: &str, new: &NewToken, now: i64) -> Result<Made> {
        let name = new.name.trim();
        let length = name.chars().count();
        if length == 0 || length > limits::NAME_CHARACTERS || name.chars().any(crate::text::hides) {
            return Err(AccountError::BadTokenName.into());
        }
        if new.expires_at.is_some_and(|end| end <= now) {
            return Err(AccountError::BadTokenEnd.into());
        }
        let secret = format!("{PREFIX}{}", hex(&random::<32>()?));
        let hash = hash_of(&secret).ok_or_else(|| HostError::Broken("a token is malformed".into()))?;
        let token = Token {
            id: hex(&random::<8>()?),
            name: name.to_owned(),
            scope: new.scope,
            created_at: now,
            used_at: None,
            expires_at: new.expires_at,
        };
        let mut tx = self.write(Subject::Account(account)).await?;
        let owner = crate::account::account(&mut tx, account).await?;
        if owner.deleted {
            return Err(AccountError::Unknown(account.to_owned()).into());
        }
        // Those that ended make room.
        tx.execute(
            "DELETE FROM tokens WHERE account = $1 AND expires_at <= $2",
            &values![account, now],
        )
        .await?;
        let (count,): (i64,) = tx
            .one("SELECT COUNT(*) FROM tokens WHERE account = $1", &values![account])
            .await?;
        if count >= limits::TOKENS {
            return Err(AccountError::TooManyTokens.into());
        }
        tx.execute(
            "INSERT INTO tokens (id, hash, account, name, scope, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &values![
                &token.id,
                &hash,
                account,
                &token.name,
                token.scope.code(),
                now,
                token.expires_at
            ],
        )
        .await?;
        tx.commit().await?;
        Ok(Made { token, secret })
    }

    /// The tokens of an account that hold, the newest first.
    pub async fn tokens(&self, account: &str, now: i64) -> Result<Vec<Token>> {
        self.write_touches().await?;
        let mut tx = self.read().await?;
        tokens(&mut tx, account, now).await
    }

    /// Takes a token of an account back; tells whether there was one.
    pub async fn revoke_token(&self, account: &str, id: &str) -> Result<bool> {
        let mut tx = self.write(Subject::Account(account)).await?;
        let gone = tx
            .execute(
                "DELETE FROM tokens WHERE account = $1 AND id = $2",
                &values![account, id],
            )
            .await?;
        tx.commit().await?;
        Ok(gone > 0)
    }

    /// The token that a program presents and whose it is, if it is one that still holds.
    pub async fn token(&self, secret: &str, now: i64) -> Result<Option<(Token, Account)>> {
        let Some(hash) = hash_of(secret) else {
            return Ok(None);
        };
        let mut tx = self.read().await?;
        let row: Option<FoundRow> = tx
            .maybe(
                "SELECT id, name, scope, created_at, used_at, expires_at, account FROM tokens \
                 WHERE hash = $1 AND (expires_at IS NULL OR expires_at > $2)",
                &values![&hash, now],
            )
            .await?;
        let Some((id, name, scope, created_at, used_at, expires_at, owner)) = row else {
            return Ok(None);
        };
        let owner = account(&mut tx, &owner).await?;
        drop(tx);
        if owner.locked {
            return Ok(None);
        }
        let mut token = token_from((id, name, scope, created_at, used_at, expires_at))?;
        token.used_at = self.touched_token(&token.id).or(token.used_at);
        if token.used_at.is_none_or(|used| now - used >= NOTE_EVERY) {
            token.used_at = Some(now);
            self.touch_token(&token.id, now);
        }
        Ok(Some((token, owner)))
    }
}

async fn tokens(tx: &mut Tx, account: &str, now: i64) -> Result<Vec<Token>> {
    let rows: Vec<TokenRow> = tx
        .all(
            "SELECT id, name, scope, created_at, used_at, expires_at FROM tokens \
             WHERE account = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at DESC, id",
            &values![account, now],
        )
        .await?;
    rows.into_iter().map(token_from).collect()
}

/// The tokens of an account for whoever asks what is stored of him: never the secrets.
pub(crate) async fn export(tx: &mut Tx, account: &str, now: i64) -> Result<Vec<Value>> {
    let tokens = tokens(tx, account, now).await?;
    let value = |token: Token| {
        json!({
            "name": token.name,
            "scope": token.scope,
            "created_at": token.created_at,
            "used_at": token.used_at,
            "expires_at": token.expires_at,
        })
    };
    Ok(tokens.into_iter().map(value).collect())
}
