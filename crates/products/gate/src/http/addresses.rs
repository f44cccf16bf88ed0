//! How often one address may join: a token bucket for each.
//!
//! An address is an IPv4 address, or the first 64 bits of an IPv6 one: one
//! subscriber has the whole block. The connection's other end counts, unless it is a proxy
//! that the owner listed; then the last address it did not list.

use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use tokio::time::Instant;

/// Addresses remembered at most; the longest quiet go first.
const REMEMBERED: usize = 200_000;

/// Buckets by address.
pub(super) struct Addresses {
    per_minute: u32,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

struct Bucket {
    left: f64,
    at: Instant,
}

impl Addresses {
    /// `per_minute` each; 0 for no limit.
    pub(super) fn new(per_minute: u32) -> Self {
        Self {
            per_minute,
            buckets: Mutex::default(),
        }
    }

    /// Takes one join of `address`; `false` when it had its share.
    pub(super) fn take(&self, address: IpAddr, now: Instant) -> bool {
        if self.per_minute == 0 {
            return true;
        }
        let most = f64::from(self.per_minute);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= REMEMBERED {
            buckets.retain(|_, bucket| now.saturating_duration_since(bucket.at).as_secs() < 60);
        }
        let bucket = buckets.entry(block(address)).or_insert(Bucket {
            left: most,
            at: now,
        });
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        bucket.left = (bucket.left + passed * most / 60.0).min(most);
        bucket.at = now;
        let good = bucket.left >= 1.0;
        if good {
            bucket.left -= 1.0;
        }
        good
    }
}

/// The block that belongs to one subscriber.
fn block(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(v4) => IpAddr::V4(v4),
        IpAddr::V6(v6) => {
            let mut parts = v6.segments();
            parts[4..].fill(0);
            IpAddr::V6(parts.into())
        }
    }
}

/// The visitor's address: what `peer` says if it is listed, else `peer`.
pub(super) fn visitor(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.contains(&address.to_canonical());
    if !is_trusted(&peer) {
        return peer;
    }
    let values = headers.get_all("x-forwarded-for").iter().rev();
    let texts = values.filter_map(|value| value.to_str().ok());
    let addresses = texts
        .flat_map(|text| text.rsplit(','))
        .map(|part| part.trim().parse());
    // From the nearest proxy on: the first address that is not a trusted proxy is the visitor's.
    let mut last = peer;
    for address in addresses {
        let Ok(address) = address else { return last };
        last = address;
        if !is_trusted(&address) {
            return address;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::{Addresses, visitor};
    use axum::http::{HeaderMap, HeaderValue};
    use std::net::IpAddr;
    use std::time::Duration;
    use tokio::time::Instant;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn s07_one_address_joins_its_share_and_no_more() {
        let start = Instant::now();
        let joins = Addresses::new(120);
        let one = ip("192.0.2.1");
        let taken = (0..10_000).filter(|_| joins.take(one, start)).count();
        assert_eq!(taken, 120);
        assert!(joins.take(ip("192.0.2.2"), start), "another address");
        assert!(!joins.take(one, start + Duration::from_millis(400)));
        assert!(joins.take(one, start + Duration::from_millis(600)));
    }

    #[test]
    fn s07_a_whole_ipv6_block_is_one_address() {
        let start = Instant::now();
        let joins = Addresses::new(1);
        assert!(joins.take(ip("2001:db8:1:2::1"), start));
        assert!(!joins.take(ip("2001:db8:1:2:ffff::9"), start));
        assert!(joins.take(ip("2001:db8:1:3::1"), start));
        assert!(joins.take(ip("::ffff:192.0.2.1"), start));
        assert!(
            !joins.take(ip("192.0.2.1"), start),
            "the same, written otherwise"
        );
    }

    #[test]
    fn only_a_listed_proxy_is_believed() {
        let mut headers = HeaderMap::new();
        headers.append(
            "x-forwarded-for",
            HeaderValue::from_static("1.2.3.4, 198.51.100.7, 10.0.0.2"),
        );
        let trusted = [ip("10.0.0.1"), ip("10.0.0.2")];
        assert_eq!(
            visitor(ip("203.0.113.9"), &headers, &trusted),
            ip("203.0.113.9")
        );
        assert_eq!(
            visitor(ip("10.0.0.1"), &headers, &trusted),
            ip("198.51.100.7")
        );
        assert_eq!(
            visitor(ip("10.0.0.1"), &HeaderMap::new(), &trusted),
            ip("10.0.0.1")
        );
    }
}
