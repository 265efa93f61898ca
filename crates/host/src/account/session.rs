//! Signing in and staying signed in. A token is 256 random bits; only its hash is stored.

use super::{
    Account, AccountError, DAY, LINK_MILLISECONDS, MINUTE, account, account_and_password, attempts, find_account, key,
};
use crate::Result;
use crate::db::{Subject, Tx, values};
use crate::limits;
use crate::store::{Host, random};
use crate::world::{from_hex, hex};
use serde::Serialize;
use std::net::IpAddr;

/// A session ends after so much time without a visit.
const IDLE: i64 = 30 * DAY;
/// A session ends after so much time, visits or not.
const LONGEST: i64 = 180 * DAY;
/// A visit is noted at most so often: reading pages must not write.
const NOTE_EVERY: i64 = 5 * MINUTE;

/// A session of an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Session {
    /// Its id, for the list; it opens nothing.
    pub id: String,
    /// Whose.
    pub account: Account,
    /// Whether it began with a login link.
    pub by_link: bool,
    /// Which device, in the words of its browser.
    pub device: String,
    /// When it began.
    pub created_at: i64,
    /// The last visit, to within minutes.
    pub seen_at: i64,
    /// When it ends at the latest.
    pub expires_at: i64,
}

/// A session that just began, and its token: new at every login, so that nobody can have planted it before.
#[derive(Clone, Debug)]
pub struct Login {
    /// The session.
    pub session: Session,
    /// What the browser keeps.
    pub token: String,
}

/// Hash of a token; nothing if it cannot be one.
fn token_hash(token: &str) -> Option<[u8; 32]> {
    let bytes = from_hex(token).ok()?;
    Some(blake3::derive_key("briefwelt session token 1", &bytes))
}

impl Host {
    /// Begins a session with name (or mail address) and password.
    pub async fn sign_in(
        &self,
        name: &str,
        password: &str,
        from: Option<IpAddr>,
        device: &str,
        now: i64,
    ) -> Result<Login> {
        // Nothing that long was ever accepted: it need not be looked for or hashed.
        let possible = password.chars().count() <= limits::PASSWORD_CHARACTERS && name.len() <= 1_000;
        let mut tx = self.read().await?;
        let found = match possible {
            true => find_account(&mut tx, name).await?,
            false => None,
        };
        drop(tx);
        // An account is counted once, whether it is called by its name or by its mail address.
        let subject = attempts::account(found.as_ref().map_or(name, |(account, _)| &account.id));
        let address = from.map(attempts::address);
        let mut counted = vec![(attempts::GUESS, subject.as_str())];
        counted.extend(address.as_deref().map(|address| (attempts::GUESS_FROM, address)));
        let stored = found.as_ref().and_then(|(_, password)| password.as_deref());
        let fits = self
            .guess(if possible { password } else { "" }, stored, &counted, now)
            .await?;
        match found {
            Some((ref account, _)) if fits => {
                self.forget(attempts::GUESS, &subject).await?;
                let mut tx = self.write(Subject::Account(&account.id)).await?;
                // Looked at again: the password may have been changed while it was compared.
                if account_and_password(&mut tx, &account.id).await?.1.as_deref() != stored {
                    return Err(AccountError::WrongLogin.into());
                }
                let login = begin(&mut tx, &account.id, "password", device, now).await?;
                tx.commit().await?;
                Ok(login)
            }
            _ => Err(AccountError::WrongLogin.into()),
        }
    }

    /// Makes a login link for whoever has this name or mail address: the account to send it to and the token in it.
    ///
    /// Nothing if there is none; the visitor must be told the same in both cases.
    pub async fn login_link(&self, name: &str, from: Option<IpAddr>, now: i64) -> Result<Option<(Account, String)>> {
        if let Some(address) = from {
            self.count(attempts::LINK_FROM, &attempts::address(address), now)
                .await?;
        }
        self.count(attempts::LINK, &attempts::account(name), now).await?;
        let mut tx = self.read().await?;
        let found = match name.len() <= 1_000 {
            true => find_account(&mut tx, name).await?,
            false => None,
        };
        drop(tx);
        let Some((account, _)) = found.filter(|(account, _)| !account.locked) else {
            return Ok(None);
        };
        let Some(mail) = account.mail.clone() else {
            return Ok(None);
        };
        let token = random::<32>()?;
        let hash = blake3::derive_key("briefwelt login link 1", &token);
        let mut tx = self.write(Subject::Account(&account.id)).await?;
        tx.execute(
            "DELETE FROM login_links WHERE account = $1 AND expires_at <= $2",
            &values![&account.id, now],
        )
        .await?;
        tx.execute(
            "INSERT INTO login_links (hash, account, mail_key, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
            &values![&hash, &account.id, &key(&mail), now, now + LINK_MILLISECONDS],
        )
        .await?;
        tx.commit().await?;
        Ok(Some((account, hex(&token))))
    }

    /// Whether a login link holds, without using it: mail programs open links to look at them.
    pub async fn link_holds(&self, token: &str, now: i64) -> Result<bool> {
        let Ok(token) = from_hex(token) else {
            return Ok(false);
        };
        let hash = blake3::derive_key("briefwelt login link 1", &token);
        let mut tx = self.read().await?;
        Ok(open_link(&mut tx, &hash, now).await?.is_some())
    }

    /// Begins a session with a login link, which holds once. It proves the mail address.
    pub async fn use_link(&self, token: &str, from: Option<IpAddr>, device: &str, now: i64) -> Result<Login> {
        let address = from.map(attempts::address);
        if let Some(address) = &address {
            self.may_try(attempts::GUESS_FROM, address, now).await?;
        }
        if let Ok(token) = from_hex(token) {
            let hash = blake3::derive_key("briefwelt login link 1", &token);
            let mut tx = self.read().await?;
            let account = open_link(&mut tx, &hash, now).await?;
            drop(tx);
            if let Some(account) = account
                && let Some(login) = self.spend_link(&hash, &account, device, now).await?
            {
                return Ok(login);
            }
        }
        if let Some(address) = &address {
            self.count(attempts::GUESS_FROM, address, now).await?;
        }
        Err(AccountError::BadLink.into())
    }

    async fn spend_link(&self, hash: &[u8; 32], account: &str, device: &str, now: i64) -> Result<Option<Login>> {
        let mut tx = self.write(Subject::Account(account)).await?;
        // Looked at again: two visitors with the same link come one after the other.
        if open_link(&mut tx, hash, now).await?.is_none() {
            return Ok(None);
        }
        tx.execute(
            "UPDATE login_links SET used_at = $2 WHERE hash = $1",
            &values![hash, now],
        )
        .await?;
        tx.execute(
            "UPDATE accounts SET confirmed_at = COALESCE(confirmed_at, $2) WHERE id = $1",
            &values![account, now],
        )
        .await?;
        let login = begin(&mut tx, account, "link", device, now).await?;
        tx.commit().await?;
        Ok(Some(login))
    }

    /// The session of a token, if it is one that still holds.
    pub async fn session(&self, token: &str, now: i64) -> Result<Option<Session>> {
        let Some(hash) = token_hash(token) else {
            return Ok(None);
        };
        let mut tx = self.read().await?;
        let row: Option<SessionRow> = tx
            .maybe(
                "SELECT id, account, began_by, device, created_at, seen_at, expires_at FROM sessions \
                 WHERE hash = $1",
                &values![&hash],
            )
            .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let account = account(&mut tx, &row.1).await?;
        drop(tx);
        let mut session = session_from(row, account);
        if let Some((seen_at, expires_at)) = self.touched_session(&session.id) {
            (session.seen_at, session.expires_at) = (seen_at, expires_at);
        }
        if session.expires_at <= now {
            return Ok(None);
        }
        if now - session.seen_at >= NOTE_EVERY {
            session.seen_at = now;
            session.expires_at = expiry(session.created_at, now);
            self.touch_session(&session.id, session.seen_at, session.expires_at);
        }
        Ok(Some(session))
    }

    /// The sessions of an account, the last visited first.
    pub async fn sessions(&self, account: &Account, now: i64) -> Result<Vec<Session>> {
        self.write_touches().await?;
        let mut tx = self.read().await?;
        sessions(&mut tx, account, now).await
    }

    /// Ends one session of an account; tells whether there was one.
    pub async fn end_session(&self, account: &str, session: &str) -> Result<bool> {
        let mut tx = self.write(Subject::Account(account)).await?;
        let ended = tx
            .execute(
                "DELETE FROM sessions WHERE account = $1 AND id = $2",
                &values![account, session],
            )
            .await?;
        tx.commit().await?;
        Ok(ended > 0)
    }

    /// Ends all sessions of an account but `keep`; tells how many.
    pub async fn end_sessions(&self, account: &str, keep: Option<&str>) -> Result<u64> {
        let mut tx = self.write(Subject::Account(account)).await?;
        let ended = tx
            .execute(
                "DELETE FROM sessions WHERE account = $1 AND id <> COALESCE($2, '')",
                &values![account, keep],
            )
            .await?;
        tx.commit().await?;
        Ok(ended)
    }
}

pub(super) async fn sessions(tx: &mut Tx, account: &Account, now: i64) -> Result<Vec<Session>> {
    let rows: Vec<SessionRow> = tx
        .all(
            "SELECT id, account, began_by, device, created_at, seen_at, expires_at FROM sessions \
             WHERE account = $1 AND expires_at > $2 ORDER BY seen_at DESC, id",
            &values![&account.id, now],
        )
        .await?;
    Ok(rows.into_iter().map(|row| session_from(row, account.clone())).collect())
}

type SessionRow = (String, String, String, String, i64, i64, i64);

fn session_from(row: SessionRow, account: Account) -> Session {
    let (id, _, began_by, device, created_at, seen_at, expires_at) = row;
    Session {
        id,
        account,
        by_link: began_by == "link",
        device,
        created_at,
        seen_at,
        expires_at,
    }
}

fn expiry(created_at: i64, now: i64) -> i64 {
    (now + IDLE).min(created_at + LONGEST)
}

/// The account of a link that holds.
async fn open_link(tx: &mut Tx, hash: &[u8; 32], now: i64) -> Result<Option<String>> {
    let row: Option<(String,)> = tx
        .maybe(
            "SELECT l.account FROM login_links l JOIN accounts a ON a.id = l.account AND a.mail_key = l.mail_key \
             WHERE l.hash = $1 AND l.used_at IS NULL AND l.expires_at > $2 AND a.deleted_at IS NULL",
            &values![hash, now],
        )
        .await?;
    Ok(row.map(|(account,)| account))
}

async fn begin(tx: &mut Tx, id: &str, began_by: &str, device: &str, now: i64) -> Result<Login> {
    if account(tx, id).await?.locked {
        return Err(AccountError::Locked.into());
    }
    let token = hex(&random::<32>()?);
    let Some(hash) = token_hash(&token) else {
        return Err(crate::HostError::Broken("a token is malformed".into()));
    };
    // Sessions that ended need not stay, and a program that signs in for every page must not fill the database.
    tx.execute(
        "DELETE FROM sessions WHERE account = $1 AND (expires_at <= $2 OR id IN \
         (SELECT id FROM sessions WHERE account = $1 ORDER BY seen_at DESC, id LIMIT $3 OFFSET $4))",
        &values![id, now, limits::SESSIONS, limits::SESSIONS - 1],
    )
    .await?;
    let session = Session {
        id: hex(&random::<8>()?),
        account: account(tx, id).await?,
        by_link: began_by == "link",
        device: device
            .chars()
            .filter(|letter| !letter.is_control())
            .take(limits::DEVICE_CHARACTERS)
            .collect(),
        created_at: now,
        seen_at: now,
        expires_at: expiry(now, now),
    };
    tx.execute(
        "INSERT INTO sessions (id, hash, account, began_by, device, created_at, seen_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &values![
            &session.id,
            &hash,
            id,
            began_by,
            &session.device,
            now,
            now,
            session.expires_at
        ],
    )
    .await?;
    Ok(Login { session, token })
}
