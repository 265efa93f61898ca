//! How long requests took, by kind.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Measured times and what went wrong.
#[derive(Default)]
pub struct Figures {
    times: Mutex<BTreeMap<&'static str, Vec<Duration>>>,
    errors: Mutex<Vec<String>>,
}

impl Figures {
    /// Measures a request.
    pub async fn measure(&self, kind: &'static str, request: impl Future<Output = anyhow::Result<()>>) {
        let begin = Instant::now();
        match request.await {
            Ok(()) => {
                let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
                times.entry(kind).or_default().push(begin.elapsed());
            }
            Err(error) => self.fault(kind, format!("{error:#}")),
        }
    }

    /// Notes something that went wrong.
    pub fn fault(&self, kind: &str, error: String) {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.push(format!("{kind}: {error}"));
    }

    /// What went wrong.
    pub fn errors(&self) -> Vec<String> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A table in the form of the documentation.
    pub fn table(&self, took: Duration) -> String {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = String::from(
            "\n| request | number | per second | p50 ms | p95 ms | p99 ms | longest ms |\n|---|---|---|---|---|---|---|\n",
        );
        let mut all = 0;
        for (kind, times) in times.iter_mut() {
            times.sort();
            all += times.len();
            let at = |hundredth: usize| {
                let place = (times.len() * hundredth).div_ceil(100).saturating_sub(1);
                times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
            };
            let _ = writeln!(
                out,
                "| {kind} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
                times.len(),
                times.len() as f64 / took.as_secs_f64(),
                at(50),
                at(95),
                at(99),
                at(100),
            );
        }
        let _ = writeln!(
            out,
            "\n{all} requests in {:.1} s, {:.1} per second, {} errors",
            took.as_secs_f64(),
            all as f64 / took.as_secs_f64(),
            self.errors.lock().unwrap_or_else(PoisonError::into_inner).len()
        );
        out
    }
}
