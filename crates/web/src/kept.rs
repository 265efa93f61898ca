//! Texts that are dear to make and asked for again: drawings of maps, summaries of reports.
//!
//! A text is known by everything it was made from, so nothing has to be forgotten when a world changes; what was asked for
//! longest ago makes room.

use crate::error::Fault;
use crate::pages::report::aside;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of texts that are kept.
const KEPT_BYTES: usize = 48 << 20;

/// What a text is known by.
pub type Key = [u8; 32];

/// Texts, the one used last at the end.
static KEPT: Mutex<VecDeque<(Key, Arc<str>)>> = Mutex::new(VecDeque::new());

fn find(key: &Key) -> Option<Arc<str>> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let at = kept.iter().position(|(of, _)| of == key)?;
    let found = kept.remove(at)?;
    let text = found.1.clone();
    kept.push_back(found);
    Some(text)
}

fn keep(key: Key, text: Arc<str>) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.retain(|(of, _)| *of != key);
    kept.push_back((key, text));
    let mut bytes: usize = kept.iter().map(|(_, text)| text.len()).sum();
    while bytes > KEPT_BYTES {
        let Some((_, text)) = kept.pop_front() else { break };
        bytes -= text.len();
    }
}

/// What a text is known by: what it was made from, and the version of the program that made it.
pub fn key(parts: &[&[u8]]) -> Key {
    let mut hasher = blake3::Hasher::new();
    let program = [crate::assets::base().as_bytes(), env!("CARGO_PKG_VERSION").as_bytes()];
    for part in parts.iter().copied().chain(program) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

/// The text of a key, made if need be, for whoever already works aside.
pub fn now(key: Key, make: impl FnOnce() -> String) -> Arc<str> {
    if let Some(text) = find(&key) {
        return text;
    }
    let text: Arc<str> = make().into();
    keep(key, text.clone());
    text
}

/// The text of a key, made if need be.
pub async fn text(key: Key, make: impl FnOnce() -> Result<String, Fault> + Send + 'static) -> Result<Arc<str>, Fault> {
    if let Some(text) = find(&key) {
        return Ok(text);
    }
    let text: Arc<str> = aside(make).await?.into();
    keep(key, text.clone());
    Ok(text)
}

/// The text of a key, made if need be by asking the store.
pub async fn asked(key: Key, make: impl Future<Output = Result<String, Fault>>) -> Result<Arc<str>, Fault> {
    if let Some(text) = find(&key) {
        return Ok(text);
    }
    let text: Arc<str> = make.await?.into();
    keep(key, text.clone());
    Ok(text)
}
