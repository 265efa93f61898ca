//! How often somebody may try: one bucket of tries per visitor or account, refilled over time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Visitors that are remembered at once; more would let a flood of addresses fill the memory.
const VISITORS_MAX: usize = 50_000;

/// The limits of this host.
#[derive(Debug)]
pub struct Limits {
    /// Signing in, asking for a login link.
    pub sign_in: Buckets,
    /// Making accounts.
    pub sign_up: Buckets,
    /// Whatever else pages write, by account.
    pub writing: Buckets,
    /// Calls of programs, by account.
    pub calls: Buckets,
    /// Worlds that are made, by account.
    pub founding: Buckets,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sign_in: Buckets::new(20, 30_000),
            sign_up: Buckets::new(10, 360_000),
            writing: Buckets::new(300, 200),
            calls: Buckets::new(600, 50),
            founding: Buckets::new(20, 600_000),
        }
    }
}

/// Buckets that hold `capacity` tries and win one back every `refill` milliseconds.
#[derive(Debug)]
pub struct Buckets {
    capacity: i64,
    refill: i64,
    // For each visitor the moment at which the bucket will be full again: nothing else needs to be kept.
    full_at: Mutex<HashMap<[u8; 16], i64>>,
}

impl Buckets {
    /// Buckets for `capacity` tries, one of which comes back every `refill` milliseconds.
    pub fn new(capacity: i64, refill: i64) -> Self {
        Self {
            capacity,
            refill,
            full_at: Mutex::default(),
        }
    }

    /// Takes a try of a visitor at a time, in milliseconds. Without one left the answer is the number of seconds to wait.
    pub fn take(&self, visitor: IpAddr, now: i64) -> Result<(), u64> {
        self.take_of(key(visitor), now)
    }

    /// The same for somebody with a name: his bucket is his own wherever he comes from.
    pub fn take_named(&self, name: &str, now: i64) -> Result<(), u64> {
        let mut key = [0; 16];
        key.copy_from_slice(&blake3::hash(name.as_bytes()).as_bytes()[..16]);
        self.take_of(key, now)
    }

    fn take_of(&self, key: [u8; 16], now: i64) -> Result<(), u64> {
        let mut buckets = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= VISITORS_MAX {
            buckets.retain(|_, full_at| *full_at > now);
        }
        if buckets.len() >= VISITORS_MAX {
            // A flood from everywhere: nobody new gets in until the first buckets are full again.
            return Err(u64::try_from(self.refill / 1_000 + 1).unwrap_or(1));
        }
        let full_at = buckets.entry(key).or_insert(now);
        let whole = self.capacity.saturating_mul(self.refill);
        // An empty bucket takes so long to fill and no longer: a clock that is set back keeps nobody out for as long as it was wrong.
        *full_at = (*full_at).clamp(now, now.saturating_add(whole));
        let after = full_at.saturating_add(self.refill);
        let wait = after.saturating_sub(now).saturating_sub(whole);
        if wait > 0 {
            return Err(u64::try_from(wait.div_euclid(1_000) + 1).unwrap_or(1));
        }
        *full_at = after;
        Ok(())
    }
}

/// A visitor with IPv6 has a whole network of addresses, so only its first half counts.
fn key(visitor: IpAddr) -> [u8; 16] {
    match visitor {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => address.to_ipv6_mapped().octets(),
            None => {
                let mut octets = address.octets();
                octets.iter_mut().skip(8).for_each(|octet| *octet = 0);
                octets
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_last_try_one_comes_back_in_time() {
        let buckets = Buckets::new(3, 10_000);
        let visitor = IpAddr::from([192, 0, 2, 1]);
        for _ in 0..3 {
            assert_eq!(buckets.take(visitor, 0), Ok(()));
        }
        assert_eq!(buckets.take(visitor, 0), Err(11));
        assert_eq!(buckets.take(visitor, 9_999), Err(1));
        assert_eq!(buckets.take(visitor, 10_000), Ok(()));
        assert!(buckets.take(visitor, 10_000).is_err());
    }

    #[test]
    fn a_clock_that_is_set_back_keeps_nobody_out() {
        let buckets = Buckets::new(3, 10_000);
        let visitor = IpAddr::from([192, 0, 2, 1]);
        let hour = 3_600_000;
        assert_eq!(buckets.take(visitor, hour), Ok(()));
        // An hour back: the bucket counts as empty, and the first try is won back as from any empty one.
        assert_eq!(buckets.take(visitor, 0), Err(11));
        assert_eq!(buckets.take(visitor, 9_999), Err(1));
        assert_eq!(buckets.take(visitor, 10_000), Ok(()));
    }

    #[test]
    fn visitors_do_not_share_a_bucket_but_a_network_does() {
        let buckets = Buckets::new(1, 10_000);
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        assert!(buckets.take(address("2001:db8::1"), 0).is_ok());
        assert!(buckets.take(address("2001:db8::2"), 0).is_err());
        assert!(buckets.take(address("2001:db8:0:1::1"), 0).is_ok());
        assert!(buckets.take(address("192.0.2.1"), 0).is_ok());
        assert!(buckets.take(address("::ffff:192.0.2.1"), 0).is_err());
        assert!(buckets.take(address("192.0.2.2"), 0).is_ok());
    }

    #[test]
    fn a_flood_of_visitors_does_not_fill_the_memory() {
        let buckets = Buckets::new(1, 10_000);
        let visitor = |n: usize| IpAddr::from(u32::try_from(n).unwrap().to_be_bytes());
        for n in 0..VISITORS_MAX {
            assert!(buckets.take(visitor(n), 0).is_ok());
        }
        assert!(buckets.take(visitor(VISITORS_MAX), 0).is_err());
        assert!(buckets.take(visitor(VISITORS_MAX), 10_000).is_ok());
        assert_eq!(buckets.full_at.lock().unwrap().len(), 1);
    }
}
