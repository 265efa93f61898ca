//! People: accounts, passwords, login links, sessions, and what is counted against guessing.
//!
//! Whoever asks about an account that is not there gets the same answer, after the same work, as for a wrong password.
//! Times come from the caller as milliseconds since 1970.

use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::store::{Host, random};
use crate::world::hex;
use crate::{Result, limits};
use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash};
use serde::Serialize;
use std::net::IpAddr;

mod attempts;
mod data;
mod session;

pub use session::{Login, Session};

/// Languages that an account can choose.
pub const LANGUAGES: [&str; 2] = ["de", "en"];

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// How long a login link holds.
pub const LINK_MILLISECONDS: i64 = 15 * MINUTE;

/// What is asked of an account that cannot be granted. [`AccountError::code`] is the key of its wording.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AccountError {
    /// No account has this id or name.
    #[error("unknown account {0:?}")]
    Unknown(String),
    /// The name is empty, too long or has outer blanks or control characters.
    #[error(
        "the name of an account needs 2 to {} characters without outer blanks, control characters or '@'",
        limits::NAME_CHARACTERS
    )]
    BadName,
    /// Somebody else has this name, perhaps in other case.
    #[error("the name is taken")]
    NameTaken,
    /// That is no mail address.
    #[error("that is no mail address")]
    BadMail,
    /// Another account has this mail address.
    #[error("another account has this mail address")]
    MailTaken,
    /// The password is too short, too long, or the name again.
    #[error(
        "a password needs {} to {} characters and must not be the name",
        limits::PASSWORD_CHARACTERS_MIN,
        limits::PASSWORD_CHARACTERS
    )]
    BadPassword,
    /// The language is not one of [`LANGUAGES`].
    #[error("unknown language")]
    BadLanguage,
    /// There is no such time zone.
    #[error("unknown time zone")]
    BadZone,
    /// Name and password do not fit; which of them is not said.
    #[error("name and password do not fit")]
    WrongLogin,
    /// The link is unknown, used or too old; which is not said.
    #[error("the link does not hold (any more)")]
    BadLink,
    /// Too many attempts: try again later.
    #[error("too many attempts: try again in {} seconds", .retry_after.div_euclid(1000) + 1)]
    TooMany {
        /// Milliseconds to wait.
        retry_after: i64,
    },
    /// The only administrator cannot go.
    #[error("the only administrator stays one")]
    LastAdmin,
    /// An administrator has locked the account.
    #[error("the account is locked")]
    Locked,
    /// The name of a token is empty or too long.
    #[error("the name of a token needs 1 to {} characters", limits::NAME_CHARACTERS)]
    BadTokenName,
    /// A token would have ended already.
    #[error("a token ends later than now")]
    BadTokenEnd,
    /// The account has too many tokens.
    #[error("an account has at most {} tokens", limits::TOKENS)]
    TooManyTokens,
}

impl AccountError {
    /// Key of the wording.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "account-unknown",
            Self::BadName => "account-bad-name",
            Self::NameTaken => "account-name-taken",
            Self::BadMail => "account-bad-mail",
            Self::MailTaken => "account-mail-taken",
            Self::BadPassword => "account-bad-password",
            Self::BadLanguage => "account-bad-language",
            Self::BadZone => "account-bad-zone",
            Self::WrongLogin => "account-wrong-login",
            Self::BadLink => "account-bad-link",
            Self::TooMany { .. } => "account-too-many",
            Self::LastAdmin => "account-last-admin",
            Self::Locked => "account-locked",
            Self::BadTokenName => "token-bad-name",
            Self::BadTokenEnd => "token-bad-end",
            Self::TooManyTokens => "token-too-many",
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Unknown(_) => 3,
            Self::NameTaken | Self::MailTaken | Self::LastAdmin | Self::TooManyTokens => 4,
            Self::BadName
            | Self::BadMail
            | Self::BadPassword
            | Self::BadLanguage
            | Self::BadZone
            | Self::BadTokenName
            | Self::BadTokenEnd => 8,
            Self::WrongLogin | Self::BadLink | Self::TooMany { .. } | Self::Locked => 13,
        }
    }
}

/// The plan of a new account.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// Its name; unique whatever the case.
    pub name: String,
    /// Mail address; unique.
    pub mail: String,
    /// Password; without one only login links open the account.
    pub password: Option<String>,
    /// One of [`LANGUAGES`].
    pub language: String,
    /// Time zone by its name, such as `Europe/Berlin`.
    pub zone: String,
}

/// An account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Account {
    /// Its id: never changes.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Mail address; nothing once deleted.
    pub mail: Option<String>,
    /// Whether the mail address is proven.
    pub confirmed: bool,
    /// Whether there is a password.
    pub has_password: bool,
    /// One of [`LANGUAGES`].
    pub language: String,
    /// Time zone by its name.
    pub zone: String,
    /// Whether it may do everything.
    pub admin: bool,
    /// When it was made.
    pub created_at: i64,
    /// Whether it was deleted: nobody can sign in.
    pub deleted: bool,
    /// Whether an administrator has locked it: nobody can sign in until it is opened again.
    pub locked: bool,
}

/// What is to change; nothing stays as it is.
#[derive(Clone, Debug, Default)]
pub struct AccountChange {
    /// A new name.
    pub name: Option<String>,
    /// A new mail address, which must be proven anew.
    pub mail: Option<String>,
    /// A new language.
    pub language: Option<String>,
    /// A new time zone.
    pub zone: Option<String>,
}

type AccountRow = (
    String,
    String,
    Option<String>,
    Option<i64>,
    Option<String>,
    String,
    String,
    i64,
    i64,
    Option<i64>,
    Option<i64>,
);

macro_rules! account_columns {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, mail, confirmed_at, password, language, zone, admin, created_at, deleted_at, locked_at FROM accounts ",
            $rest
        )
    };
}

fn account_from(row: AccountRow) -> (Account, Option<String>) {
    let (id, name, mail, confirmed_at, password, language, zone, admin, created_at, deleted_at, locked_at) = row;
    let account = Account {
        id,
        name,
        mail,
        confirmed: confirmed_at.is_some(),
        has_password: password.is_some(),
        language,
        zone,
        admin: admin != 0,
        created_at,
        deleted: deleted_at.is_some(),
        locked: locked_at.is_some(),
    };
    (account, password)
}

impl Host {
    /// Makes an account. The first one of a store is its administrator. `from` counts against floods.
    pub async fn sign_up(&self, new: &NewAccount, from: Option<IpAddr>, now: i64) -> Result<Account> {
        let name_key = check_account_name(&new.name)?;
        let mail_key = check_mail(&new.mail)?;
        check_language(&new.language)?;
        check_zone(&new.zone)?;
        if let Some(password) = &new.password {
            check_password(password, &name_key)?;
        }
        if let Some(address) = from {
            self.count(attempts::SIGN_UP, &attempts::address(address), now).await?;
        }
        let password = match &new.password {
            Some(password) => Some(self.hash(password).await?),
            None => None,
        };
        let id = hex(&random::<8>()?);
        let mut tx = self.write(Subject::Store).await?;
        refuse_taken(&mut tx, &id, Some(&name_key), Some(&mail_key)).await?;
        let (others,): (i64,) = tx.one("SELECT COUNT(*) FROM accounts", &values![]).await?;
        if others >= limits::ACCOUNTS {
            return Err(HostError::TooLarge {
                what: "accounts",
                size: others.unsigned_abs() + 1,
                limit: limits::ACCOUNTS.unsigned_abs(),
            });
        }
        tx.execute(
            "INSERT INTO accounts (id, name, name_key, mail, mail_key, password, language, zone, admin, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &values![
                &id,
                &new.name,
                &name_key,
                new.mail.trim(),
                &mail_key,
                password.as_deref(),
                &new.language,
                &new.zone,
                others == 0,
                now
            ],
        )
        .await?;
        let account = account(&mut tx, &id).await?;
        tx.commit().await?;
        Ok(account)
    }

    /// The account with this id.
    pub async fn account(&self, id: &str) -> Result<Account> {
        let mut tx = self.read().await?;
        account(&mut tx, id).await
    }

    /// The account with this name, id or mail address; for game masters' lists and the command line, not for signing in.
    pub async fn find_account(&self, name: &str) -> Result<Account> {
        let mut tx = self.read().await?;
        let found = find_account(&mut tx, name).await?;
        Ok(found.ok_or_else(|| AccountError::Unknown(name.to_owned()))?.0)
    }

    /// The account with this name and no other: for whoever may know names, but not whose a mail address is.
    pub async fn account_named(&self, name: &str) -> Result<Account> {
        let found = self.find_account(name).await?;
        match key(&found.name) == key(name) {
            true => Ok(found),
            false => Err(AccountError::Unknown(name.to_owned()).into()),
        }
    }

    /// All accounts by name, `skip` left out, at most `limit`; deleted ones are not shown.
    pub async fn accounts(&self, skip: u32, limit: u32) -> Result<Vec<Account>> {
        let mut tx = self.read().await?;
        let rows: Vec<AccountRow> = tx
            .all(
                account_columns!("WHERE deleted_at IS NULL ORDER BY name_key LIMIT $1 OFFSET $2"),
                &values![limit, skip],
            )
            .await?;
        Ok(rows.into_iter().map(|row| account_from(row).0).collect())
    }

    /// Makes somebody an administrator, or an ordinary player again. One always remains.
    pub async fn set_admin(&self, id: &str, admin: bool) -> Result<()> {
        let mut tx = self.write(Subject::Store).await?;
        let account = account(&mut tx, id).await?;
        if account.admin && !admin {
            refuse_last_admin(&mut tx, id).await?;
        }
        tx.execute("UPDATE accounts SET admin = $2 WHERE id = $1", &values![id, admin])
            .await?;
        tx.commit().await
    }

    /// Changes an account. Open login links to an old mail address no longer hold.
    pub async fn change_account(&self, id: &str, change: &AccountChange) -> Result<Account> {
        let name_key = change.name.as_deref().map(check_account_name).transpose()?;
        let mail_key = change.mail.as_deref().map(check_mail).transpose()?;
        change.language.as_deref().map(check_language).transpose()?;
        change.zone.as_deref().map(check_zone).transpose()?;
        let mut tx = self.write(Subject::Store).await?;
        let before = account(&mut tx, id).await?;
        refuse_taken(&mut tx, id, name_key.as_deref(), mail_key.as_deref()).await?;
        tx.execute(
            "UPDATE accounts SET name = COALESCE($2, name), name_key = COALESCE($3, name_key), \
             language = COALESCE($4, language), zone = COALESCE($5, zone) WHERE id = $1",
            &values![
                id,
                change.name.as_deref(),
                name_key.as_deref(),
                change.language.as_deref(),
                change.zone.as_deref()
            ],
        )
        .await?;
        if let (Some(mail), Some(key)) = (&change.mail, &mail_key)
            && before.mail.as_deref() != Some(mail.trim())
        {
            tx.execute(
                "UPDATE accounts SET confirmed_at = CASE WHEN mail_key = $3 THEN confirmed_at END, mail = $2, mail_key = $3 \
                 WHERE id = $1",
                &values![id, mail.trim(), key],
            )
            .await?;
        }
        let after = account(&mut tx, id).await?;
        tx.commit().await?;
        Ok(after)
    }

    /// Sets a new password. Either the old one is given, or `session` began with a login link a short while ago.
    /// All other sessions end, and so do links and tokens: whoever sets a new password may do so because somebody knew the old one.
    pub async fn set_password(&self, session: &Session, old: Option<&str>, new: &str, now: i64) -> Result<()> {
        let id = &session.account.id;
        let mut tx = self.read().await?;
        let (account, stored) = account_and_password(&mut tx, id).await?;
        drop(tx);
        check_password(new, &account.name.to_lowercase())?;
        let fresh_link = session.by_link && now - session.created_at <= LINK_MILLISECONDS;
        if !fresh_link && stored.is_some() {
            let subject = attempts::account(id);
            let counted = [(attempts::GUESS, subject.as_str())];
            let old = old.unwrap_or_default();
            if !self.guess(old, stored.as_deref(), &counted, now).await? {
                return Err(AccountError::WrongLogin.into());
            }
        }
        let hash = self.hash(new).await?;
        let mut tx = self.write(Subject::Account(id)).await?;
        tx.execute("UPDATE accounts SET password = $2 WHERE id = $1", &values![id, &hash])
            .await?;
        tx.execute(
            "DELETE FROM sessions WHERE account = $1 AND id <> $2",
            &values![id, &session.id],
        )
        .await?;
        tx.execute("DELETE FROM login_links WHERE account = $1", &values![id])
            .await?;
        tx.execute("DELETE FROM tokens WHERE account = $1", &values![id])
            .await?;
        tx.commit().await
    }

    /// Hashes a password away from the threads that answer.
    pub(crate) async fn hash(&self, password: &str) -> Result<String> {
        let permit = self.hashing.acquire().await;
        let password = password.to_owned();
        let hashed = tokio::task::spawn_blocking(move || {
            Argon2::default()
                .hash_password(password.as_bytes())
                .map(|hash| hash.to_string())
        })
        .await;
        drop(permit);
        match hashed {
            Ok(Ok(hash)) => Ok(hash),
            Ok(Err(error)) => Err(HostError::Broken(format!("hashing a password: {error}"))),
            Err(error) => Err(HostError::Broken(format!("hashing a password: {error}"))),
        }
    }

    /// Whether a password fits what is stored; without anything stored the same work is done for nothing.
    pub(crate) async fn fits(&self, password: &str, stored: Option<&str>) -> Result<bool> {
        let Some(stored) = stored else {
            self.hash(password).await?;
            return Ok(false);
        };
        let permit = self.hashing.acquire().await;
        let (password, stored) = (password.to_owned(), stored.to_owned());
        let fits = tokio::task::spawn_blocking(move || {
            let parsed = PasswordHash::new(&stored).map_err(|error| error.to_string())?;
            Ok::<bool, String>(Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok())
        })
        .await;
        drop(permit);
        match fits {
            Ok(Ok(fits)) => Ok(fits),
            Ok(Err(error)) => Err(HostError::Damaged(format!("a stored password: {error}").into())),
            Err(error) => Err(HostError::Broken(format!("checking a password: {error}"))),
        }
    }
}

/// Accounts whose name or mail address holds these words, in lower case, by name.
pub(crate) async fn search(tx: &mut Tx, words: &str, skip: u32, limit: u32) -> Result<Vec<Account>> {
    // What stands for anything in a pattern stands for itself here.
    let mut pattern = String::from("%");
    for letter in words.chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    let rows: Vec<AccountRow> = tx
        .all(
            account_columns!(
                "WHERE deleted_at IS NULL AND (name_key LIKE $1 ESCAPE '\\' OR mail_key LIKE $1 ESCAPE '\\') \
                 ORDER BY name_key LIMIT $2 OFFSET $3"
            ),
            &values![&pattern, limit, skip],
        )
        .await?;
    Ok(rows.into_iter().map(|row| account_from(row).0).collect())
}

pub(crate) async fn account(tx: &mut Tx, id: &str) -> Result<Account> {
    Ok(account_and_password(tx, id).await?.0)
}

async fn account_and_password(tx: &mut Tx, id: &str) -> Result<(Account, Option<String>)> {
    let row: Option<AccountRow> = tx.maybe(account_columns!("WHERE id = $1"), &values![id]).await?;
    Ok(row
        .map(account_from)
        .ok_or_else(|| AccountError::Unknown(id.to_owned()))?)
}

/// By name, mail or id; deleted accounts are not found.
async fn find_account(tx: &mut Tx, name: &str) -> Result<Option<(Account, Option<String>)>> {
    let row: Option<AccountRow> = tx
        .maybe(
            // Somebody may be called like the id of another, which must not hide that one.
            account_columns!(
                "WHERE (name_key = $1 OR mail_key = $1 OR id = $1) AND deleted_at IS NULL \
                 ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END LIMIT 1"
            ),
            &values![&key(name)],
        )
        .await?;
    Ok(row.map(account_from))
}

async fn refuse_taken(tx: &mut Tx, id: &str, name_key: Option<&str>, mail_key: Option<&str>) -> Result<()> {
    let taken = "SELECT id FROM accounts WHERE name_key = $1 AND id <> $2";
    let named: Option<(String,)> = tx.maybe(taken, &values![name_key, id]).await?;
    if named.is_some() {
        return Err(AccountError::NameTaken.into());
    }
    let taken = "SELECT id FROM accounts WHERE mail_key = $1 AND id <> $2";
    let mailed: Option<(String,)> = tx.maybe(taken, &values![mail_key, id]).await?;
    match mailed {
        Some(_) => Err(AccountError::MailTaken.into()),
        None => Ok(()),
    }
}

async fn refuse_last_admin(tx: &mut Tx, id: &str) -> Result<()> {
    let (others,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM accounts WHERE admin = 1 AND deleted_at IS NULL AND id <> $1",
            &values![id],
        )
        .await?;
    match others {
        0 => Err(AccountError::LastAdmin.into()),
        _ => Ok(()),
    }
}

/// How names and mail addresses are compared.
fn key(text: &str) -> String {
    crate::text::folded(text)
}

fn check_account_name(name: &str) -> Result<String, AccountError> {
    let length = name.chars().count();
    let good = (2..=limits::NAME_CHARACTERS).contains(&length)
        && name.trim() == name
        // A name that looks like a mail address could be taken for somebody else's.
        && !name.contains('@')
        && !crate::text::misleads(name);
    if good {
        Ok(key(name))
    } else {
        Err(AccountError::BadName)
    }
}

/// Only the outer form: whether a mail arrives is what proves an address.
fn check_mail(mail: &str) -> Result<String, AccountError> {
    let mail = mail.trim();
    let good = mail.len() <= limits::MAIL_BYTES
        && !mail
            .chars()
            .any(|letter| letter.is_whitespace() || letter.is_control() || "<>,;:\\\"()[]".contains(letter))
        && matches!(mail.split_once('@'), Some((local, domain))
            if !local.is_empty() && !domain.is_empty() && !domain.contains('@')
                && !domain.starts_with('.') && !domain.ends_with('.') && !domain.contains(".."));
    if good {
        Ok(key(mail))
    } else {
        Err(AccountError::BadMail)
    }
}

fn check_password(password: &str, name_key: &str) -> Result<(), AccountError> {
    let length = password.chars().count();
    let bounds = limits::PASSWORD_CHARACTERS_MIN..=limits::PASSWORD_CHARACTERS;
    if bounds.contains(&length) && key(password) != name_key {
        Ok(())
    } else {
        Err(AccountError::BadPassword)
    }
}

fn check_language(language: &str) -> Result<(), AccountError> {
    match LANGUAGES.contains(&language) {
        true => Ok(()),
        false => Err(AccountError::BadLanguage),
    }
}

fn check_zone(zone: &str) -> Result<(), AccountError> {
    match zone.len() <= limits::NAME_CHARACTERS && jiff::tz::TimeZone::get(zone).is_ok() {
        true => Ok(()),
        false => Err(AccountError::BadZone),
    }
}
