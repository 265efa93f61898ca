//! Deeds that count once, however often they are sent.
//!
//! Whoever clicks twice, loads a page again that sent a form, or has a program that asks again after a broken connection means one
//! booking and not two. What arrives carries a number, and number, sender and content together make a [`Mark`]. The first
//! transaction that writes on its way leaves the mark in the store; whoever finds it there is told [`HostError::Repeated`]. As the mark is in the
//! same transaction as the deed, a deed that was refused or broke off has left none and can be sent again.

use crate::db::{Tx, values};
use crate::error::HostError;
use crate::{Host, Result, limits};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// By what a deed is known when it comes again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark(String);

impl Mark {
    /// The mark of a deed: who sent it, where to, under which number, and what.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("briefwelt deed that counts once 1");
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize().to_hex().to_string())
    }
}

/// A deed that is being done.
#[derive(Clone, Debug)]
struct Deed {
    mark: Mark,
    at: i64,
    /// Whether the transaction under way has left the mark.
    left: Arc<AtomicBool>,
    /// Whether a transaction has left it for good: a deed may need several.
    marked: Arc<AtomicBool>,
}

tokio::task_local! {
    static DEED: Deed;
}

/// Does something that counts once.
pub async fn once<T>(mark: Mark, at: i64, deed: impl Future<Output = T>) -> T {
    let (left, marked) = Default::default();
    let started = Deed { mark, at, left, marked };
    DEED.scope(started, deed).await
}

impl Host {
    /// Whether a deed with this mark was done before. One that is being done right now is found when the next one wants to leave its mark.
    pub async fn was_done(&self, mark: &Mark) -> Result<bool> {
        let mut tx = self.read().await?;
        let found: Option<(i64,)> = tx
            .maybe("SELECT at FROM once WHERE mark = $1", &values![&mark.0])
            .await?;
        Ok(found.is_some())
    }
}

/// Leaves the mark of the deed under way, if it has one.
pub(crate) async fn leave_mark(tx: &mut Tx) -> Result<()> {
    let Ok(deed) = DEED.try_with(Clone::clone) else {
        return Ok(());
    };
    if deed.marked.load(Ordering::Relaxed) {
        return Ok(());
    }
    let forgotten = deed.at.saturating_sub(limits::ONCE);
    tx.execute(
        "DELETE FROM once WHERE mark IN (SELECT mark FROM once WHERE at < $1 LIMIT 20)",
        &values![forgotten],
    )
    .await?;
    let left = tx
        .execute(
            "INSERT INTO once (mark, at) VALUES ($1, $2) ON CONFLICT (mark) DO NOTHING",
            &values![&deed.mark.0, deed.at],
        )
        .await?;
    deed.left.store(left > 0, Ordering::Relaxed);
    match left {
        0 => Err(HostError::Repeated),
        _ => Ok(()),
    }
}

/// A transaction begins that leaves no mark.
pub(crate) fn leave_none() {
    // Without a deed under way there is nothing to remember, here and below.
    let _ = DEED.try_with(|deed| deed.left.store(false, Ordering::Relaxed));
}

/// The transaction counts now, and with it the mark that it left.
pub(crate) fn committed() {
    let _ = DEED.try_with(|deed| {
        deed.marked
            .fetch_or(deed.left.load(Ordering::Relaxed), Ordering::Relaxed)
    });
}
