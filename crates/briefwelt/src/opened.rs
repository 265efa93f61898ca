//! The stores a run of the program has opened. They are closed at its end, however it ends: a database without a log beside
//! it can be copied as one file.

use host::Closer;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long the end of the program waits for a store that is still in use.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is to be closed.
#[derive(Default, Debug)]
pub struct Opened(Mutex<Vec<Closer>>);

impl Opened {
    /// Remembers an opened store.
    pub fn note(&self, closer: Closer) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(closer);
    }

    /// Closes all of them.
    pub async fn close(&self) {
        let opened = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for closer in opened {
            // A store that cannot be closed in time is left with its log, which the next who opens it reads.
            let _ = tokio::time::timeout(PATIENCE, closer.close()).await;
        }
    }
}
