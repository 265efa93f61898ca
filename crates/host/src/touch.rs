//! When keys and sessions were last used. It is noted in memory and written down together now and then, because a transaction
//! waits for the disk: in the minute before a deadline everybody comes at once, and only their orders are worth that.
//!
//! What is lost with a killed process is a few seconds of when somebody was last seen, and of how long his session holds.

use crate::db::{Subject, Tx, values};
use crate::{Host, Result};
use std::collections::BTreeMap;
use std::sync::PoisonError;

/// What was used since it was last written down, by id.
#[derive(Debug, Default)]
pub(crate) struct Touches {
    /// When keys were used.
    tokens: BTreeMap<String, i64>,
    /// When sessions were seen, and until when they hold.
    sessions: BTreeMap<String, (i64, i64)>,
}

impl Touches {
    fn is_empty(&self) -> bool {
        self.tokens.is_empty() && self.sessions.is_empty()
    }

    async fn write(&self, tx: &mut Tx) -> Result<()> {
        for (id, used_at) in &self.tokens {
            tx.execute("UPDATE tokens SET used_at = $2 WHERE id = $1", &values![id, *used_at])
                .await?;
        }
        for (id, (seen_at, expires_at)) in &self.sessions {
            tx.execute(
                "UPDATE sessions SET seen_at = $2, expires_at = $3 WHERE id = $1",
                &values![id, *seen_at, *expires_at],
            )
            .await?;
        }
        Ok(())
    }
}

impl Host {
    /// When a key was used, if that is not written down yet.
    pub(crate) fn touched_token(&self, id: &str) -> Option<i64> {
        self.with_touches(|touches| touches.tokens.get(id).copied())
    }

    /// Notes that a key was used.
    pub(crate) fn touch_token(&self, id: &str, used_at: i64) {
        self.with_touches(|touches| touches.tokens.insert(id.to_owned(), used_at));
    }

    /// When a session was seen and until when it holds, if that is not written down yet.
    pub(crate) fn touched_session(&self, id: &str) -> Option<(i64, i64)> {
        self.with_touches(|touches| touches.sessions.get(id).copied())
    }

    /// Notes that a session was seen, and until when it holds now.
    pub(crate) fn touch_session(&self, id: &str, seen_at: i64, expires_at: i64) {
        self.with_touches(|touches| touches.sessions.insert(id.to_owned(), (seen_at, expires_at)));
    }

    /// Writes down which keys and sessions were used since this was last called.
    pub async fn write_touches(&self) -> Result<()> {
        let touches = self.with_touches(std::mem::take);
        if touches.is_empty() {
            return Ok(());
        }
        let mut tx = self.write_aside(Subject::Store).await?;
        touches.write(&mut tx).await?;
        tx.commit().await
    }

    fn with_touches<T>(&self, look: impl FnOnce(&mut Touches) -> T) -> T {
        look(&mut self.touches.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
