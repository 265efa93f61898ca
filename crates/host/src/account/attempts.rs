//! What is counted against guessing and flooding, in the database: it holds in all processes and over restarts.

use super::{AccountError, DAY, HOUR, MINUTE, key};
use crate::Result;
use crate::db::{Subject, values};
use crate::store::Host;
use std::net::IpAddr;

/// How much of something one subject may do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// What, as part of the subject's name.
    what: &'static str,
    /// How many times without any delay.
    free: i64,
    /// Delay after the first one too many; it doubles with each further one.
    delay: i64,
    /// The longest delay: somebody who is kept out by another's guesses is not kept out for ever.
    delay_max: i64,
    /// After so much time without an attempt all is forgotten.
    forget: i64,
}

/// Wrong passwords for one account.
pub(super) const GUESS: Allowance = Allowance {
    what: "guess",
    free: 5,
    delay: 2_000,
    delay_max: 15 * MINUTE,
    forget: DAY,
};
/// Wrong passwords and links from one address, whatever the account.
pub(super) const GUESS_FROM: Allowance = Allowance {
    what: "guess-from",
    free: 20,
    delay: 2_000,
    delay_max: HOUR,
    forget: DAY,
};
/// Login links asked for one account.
pub(super) const LINK: Allowance = Allowance {
    what: "link",
    free: 5,
    delay: 5 * MINUTE,
    delay_max: HOUR,
    forget: HOUR,
};
/// Login links asked from one address.
pub(super) const LINK_FROM: Allowance = Allowance {
    what: "link-from",
    free: 20,
    delay: MINUTE,
    delay_max: HOUR,
    forget: HOUR,
};
/// Accounts made from one address.
pub(super) const SIGN_UP: Allowance = Allowance {
    what: "sign-up",
    free: 20,
    delay: MINUTE,
    delay_max: HOUR,
    forget: HOUR,
};

impl Allowance {
    /// How long nothing more is taken after the attempt with this number.
    pub(super) fn wait(&self, count: i64) -> i64 {
        match count - self.free {
            i64::MIN..0 => 0,
            over => self
                .delay
                .saturating_mul(
                    1_i64
                        .checked_shl(u32::try_from(over.min(40)).unwrap_or(40))
                        .unwrap_or(i64::MAX),
                )
                .min(self.delay_max),
        }
    }
}

/// Whether an attempt was noted at a time that has not come yet, further ahead than the clocks of several processes may differ: the clock
/// was wrong then and has been set back. Such an attempt is forgotten, or everybody would be kept out for as long as it was wrong.
fn is_ahead(last: i64, now: i64) -> bool {
    last > now + MINUTE
}

/// The subject of an address. An IPv6 customer has 2^64 of them: the first half is what tells people apart.
pub(super) fn address(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

/// The subject of an account, by the name that was typed: the same whether the account exists or not.
pub(super) fn account(name: &str) -> String {
    // A hash, because a mistyped password in the field for the name does not belong into the database.
    blake3::hash(key(name).as_bytes()).to_hex().to_string()
}

impl Host {
    /// Whether this subject may try now.
    pub(super) async fn may_try(&self, allowance: Allowance, subject: &str, now: i64) -> Result<()> {
        let mut tx = self.read().await?;
        let row: Option<(i64, i64)> = tx
            .maybe(
                "SELECT last_at, until_at FROM attempts WHERE subject = $1",
                &values![&format!("{} {subject}", allowance.what)],
            )
            .await?;
        match row {
            Some((last, until)) if until > now && !is_ahead(last, now) => Err(AccountError::TooMany {
                retry_after: until - now,
            }
            .into()),
            _ => Ok(()),
        }
    }

    /// Counts one attempt; refuses it if it comes too early.
    pub(super) async fn count(&self, allowance: Allowance, subject: &str, now: i64) -> Result<()> {
        let subject = format!("{} {subject}", allowance.what);
        let mut tx = self.write(Subject::Attempts(&subject)).await?;
        let row: Option<(i64, i64, i64)> = tx
            .maybe(
                "SELECT count, last_at, until_at FROM attempts WHERE subject = $1",
                &values![&subject],
            )
            .await?;
        let before = match row {
            Some((_, last, _)) if is_ahead(last, now) => 0,
            Some((_, _, until)) if until > now => {
                return Err(AccountError::TooMany {
                    retry_after: until - now,
                }
                .into());
            }
            Some((count, last, _)) if now - last < allowance.forget => count,
            _ => 0,
        };
        let count = before + 1;
        tx.execute(
            "INSERT INTO attempts (subject, count, last_at, until_at) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (subject) DO UPDATE SET count = $2, last_at = $3, until_at = $4",
            &values![&subject, count, now, now + allowance.wait(count)],
        )
        .await?;
        // What is forgotten anyway need not stay; a few at a time, so that nobody waits for it.
        tx.execute(
            "DELETE FROM attempts WHERE subject IN (SELECT subject FROM attempts WHERE last_at < $1 LIMIT 20)",
            &values![now - DAY],
        )
        .await?;
        tx.commit().await
    }

    /// Tries a password as far as all these subjects may; a wrong one counts against each of them.
    ///
    /// A guess is counted before it is hashed, and a right one is taken out again: of many that are sent at once only as
    /// many are hashed as if they had come one after the other.
    pub(super) async fn guess(
        &self,
        password: &str,
        stored: Option<&str>,
        counted: &[(Allowance, &str)],
        now: i64,
    ) -> Result<bool> {
        for (allowance, subject) in counted {
            self.may_try(*allowance, subject, now).await?;
        }
        for (allowance, subject) in counted {
            self.count(*allowance, subject, now).await?;
        }
        let fits = self.fits(password, stored).await?;
        if fits {
            for (allowance, subject) in counted {
                self.take_out(*allowance, subject).await?;
            }
        }
        Ok(fits)
    }

    /// Takes one attempt out of those that were counted.
    async fn take_out(&self, allowance: Allowance, subject: &str) -> Result<()> {
        let subject = format!("{} {subject}", allowance.what);
        let mut tx = self.write(Subject::Attempts(&subject)).await?;
        let row: Option<(i64, i64)> = tx
            .maybe(
                "SELECT count, last_at FROM attempts WHERE subject = $1",
                &values![&subject],
            )
            .await?;
        if let Some((count, last)) = row {
            let count = (count - 1).max(0);
            tx.execute(
                "UPDATE attempts SET count = $2, until_at = $3 WHERE subject = $1",
                &values![&subject, count, last + allowance.wait(count)],
            )
            .await?;
        }
        tx.commit().await
    }

    /// Forgets what was counted, after a success.
    pub(super) async fn forget(&self, allowance: Allowance, subject: &str) -> Result<()> {
        let subject = format!("{} {subject}", allowance.what);
        let mut tx = self.read().await?;
        let row: Option<(i64,)> = tx
            .maybe("SELECT count FROM attempts WHERE subject = $1", &values![&subject])
            .await?;
        drop(tx);
        if row.is_none() {
            return Ok(());
        }
        let mut tx = self.write(Subject::Attempts(&subject)).await?;
        tx.execute("DELETE FROM attempts WHERE subject = $1", &values![&subject])
            .await?;
        tx.commit().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_begin_after_the_free_attempts_double_and_end_at_the_longest() {
        assert_eq!(GUESS.wait(4), 0);
        assert_eq!(GUESS.wait(5), 2_000);
        assert_eq!(GUESS.wait(6), 4_000);
        assert_eq!(GUESS.wait(13), 512_000);
        assert_eq!(GUESS.wait(14), 900_000);
        assert_eq!(GUESS.wait(i64::MAX), 900_000);
    }

    #[test]
    fn one_customer_is_one_subject() {
        let of = |text: &str| address(text.parse().unwrap());
        assert_eq!(of("192.0.2.7"), of("::ffff:192.0.2.7"));
        assert_ne!(of("192.0.2.7"), of("192.0.2.8"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    }
}
