//! What every request shares: the store, the clock, the settings and the limits.

use crate::limit::Limits;
use host::Host;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::Notify;

/// How this host is set up.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Address under which people reach the host, such as `https://briefwelt.example`, without a slash at its end. Links
    /// in mail begin with it; with `https` cookies are sent over encrypted connections only.
    pub public_url: String,
    /// Whether a reverse proxy stands in front and its `X-Forwarded-For` names the visitor.
    pub trust_proxy: bool,
    /// Whether anybody may make an account; otherwise only with an invitation.
    pub open_sign_up: bool,
    /// What a program must present to read `/metrics`; without it only administrators may.
    pub metrics_token: Option<String>,
}

impl Settings {
    /// Whether people reach the host over an encrypted connection.
    pub fn secure(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

/// The time, which tests can move.
#[derive(Debug, Default)]
pub struct Clock {
    ahead: AtomicI64,
}

impl Clock {
    /// Milliseconds since 1970 in UTC.
    pub fn now(&self) -> i64 {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(elapsed.as_millis())
            .unwrap_or(i64::MAX)
            .saturating_add(self.ahead.load(Ordering::Relaxed))
    }

    /// Lets time pass, for tests.
    pub fn advance(&self, milliseconds: i64) {
        self.ahead.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

/// Everything behind a [`Web`].
pub struct Shared {
    /// The store with its games.
    pub host: Arc<Host>,
    /// The time.
    pub clock: Clock,
    /// How this host is set up.
    pub settings: Settings,
    /// How often somebody may try.
    pub limits: Limits,
    /// Told when somebody waits for work that is due at once, such as the dice of his turn.
    pub work_waits: Notify,
}

/// What every request shares. Cheap to clone.
#[derive(Clone)]
pub struct Web(Arc<Shared>);

impl Web {
    /// A host on the web over this store.
    pub fn new(host: Arc<Host>, settings: Settings) -> Self {
        Self(Arc::new(Shared {
            host,
            clock: Clock::default(),
            settings,
            limits: Limits::default(),
            work_waits: Notify::new(),
        }))
    }
}

impl Deref for Web {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
