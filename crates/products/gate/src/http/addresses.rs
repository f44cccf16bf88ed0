//! How often one address may join: a token bucket for each.
//!
//! An address is an IPv4 address, or the first 64 bits of an IPv6 one: one
//! subscriber has the whole block. The connection's other end counts, unless it is a proxy
//! that the owner listed; then the last address it did not list.

use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use tokio::time::Instant;

use crate::address_range::AddressRange;
use crate::gate::ForwardedHeader;

/// Addresses remembered at most; the longest quiet go first.
const ADDRESSES_MAX: usize = 200_000;

/// Buckets by address.
pub(super) struct Addresses {
    per_minute: u32,
    /// The first network that fits counts instead.
    of_networks: Vec<(AddressRange, u32)>,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

struct Bucket {
    left: f64,
    at: Instant,
}

impl Addresses {
    /// `per_minute` each; 0 for no limit.
    pub(super) fn new(per_minute: u32, of_networks: Vec<(AddressRange, u32)>) -> Self {
        Self {
            per_minute,
            of_networks,
            buckets: Mutex::default(),
        }
    }

    /// Takes one join of `address`; `false` when it had its share.
    pub(super) fn take(&self, address: IpAddr, now: Instant) -> bool {
        let of_network = self.of_networks.iter().find(|(n, _)| n.contains(address));
        let per_minute = of_network.map_or(self.per_minute, |(_, per_minute)| *per_minute);
        if per_minute == 0 {
            return true;
        }
        let most = f64::from(per_minute);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= ADDRESSES_MAX {
            buckets.retain(|_, bucket| now.saturating_duration_since(bucket.at).as_secs() < 60);
        }
        // So many addresses in one minute are an attack: then each has its share anew.
        if buckets.len() >= ADDRESSES_MAX {
            buckets.clear();
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
pub(super) fn block(address: IpAddr) -> IpAddr {
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
pub(super) fn visitor(
    peer: IpAddr,
    headers: &HeaderMap,
    trusted: &[AddressRange],
    said_in: ForwardedHeader,
) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(*address));
    if !is_trusted(&peer) {
        return peer;
    }
    let name = match said_in {
        ForwardedHeader::XForwardedFor => "x-forwarded-for",
        ForwardedHeader::Forwarded => "forwarded",
    };
    let values = headers.get_all(name).iter().rev();
    let texts = values.filter_map(|value| value.to_str().ok());
    let addresses = texts
        .flat_map(|text| text.rsplit(','))
        .map(|part| match said_in {
            ForwardedHeader::XForwardedFor => address_of(part),
            ForwardedHeader::Forwarded => address_of(forwarded_for(part)?),
        });
    // From the nearest proxy on: the first address that is not a trusted proxy is the visitor's.
    let mut last = peer;
    for address in addresses {
        let Some(address) = address else { return last };
        last = address;
        if !is_trusted(&address) {
            return address;
        }
    }
    last
}

/// What `for=` of one proxy names.
fn forwarded_for(part: &str) -> Option<&str> {
    let pairs = part
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='));
    let mut named = pairs.filter(|(name, _)| name.eq_ignore_ascii_case("for"));
    named.next().map(|(_, value)| value)
}

/// An address as proxies write it: `192.0.2.1`, `192.0.2.1:4711`, `[2001:db8::1]:4711`.
fn address_of(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"');
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Some(address.ip());
    }
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    bare.unwrap_or(text).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Addresses, visitor};
    use crate::gate::ForwardedHeader;
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
        let joins = Addresses::new(120, Vec::new());
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
        let joins = Addresses::new(1, Vec::new());
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
        let trusted = ["10.0.0.0/30".parse().unwrap()];
        let seen = |peer: &str, headers: &HeaderMap| {
            visitor(ip(peer), headers, &trusted, ForwardedHeader::XForwardedFor)
        };
        assert_eq!(seen("203.0.113.9", &headers), ip("203.0.113.9"));
        assert_eq!(seen("10.0.0.1", &headers), ip("198.51.100.7"));
        assert_eq!(seen("10.0.0.1", &HeaderMap::new()), ip("10.0.0.1"));
        // What the other header says is the client's word.
        headers.append("forwarded", HeaderValue::from_static("for=192.0.2.66"));
        assert_eq!(seen("10.0.0.1", &headers), ip("198.51.100.7"));
    }

    #[test]
    fn a_proxy_may_write_ports_and_brackets_and_the_standard_header() {
        let trusted = ["10.0.0.1".parse().unwrap()];
        let seen = |name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.append(name, HeaderValue::from_static(value));
            let header = match name {
                "forwarded" => ForwardedHeader::Forwarded,
                _ => ForwardedHeader::XForwardedFor,
            };
            visitor(ip("10.0.0.1"), &headers, &trusted, header).to_string()
        };
        assert_eq!(seen("x-forwarded-for", "192.0.2.1:4711"), "192.0.2.1");
        assert_eq!(seen("x-forwarded-for", "[2001:db8::1]:80"), "2001:db8::1");
        assert_eq!(seen("x-forwarded-for", "2001:db8::1"), "2001:db8::1");
        assert_eq!(seen("x-forwarded-for", "1.2.3.4, unknown"), "10.0.0.1");
        assert_eq!(seen("forwarded", "for=192.0.2.1;proto=https"), "192.0.2.1");
        let two = "for=1.2.3.4, For=\"[2001:db8::1]:4711\";by=10.0.0.1";
        assert_eq!(seen("forwarded", two), "2001:db8::1");
        assert_eq!(seen("forwarded", "for=_hidden"), "10.0.0.1");
    }

    #[test]
    fn a_network_has_a_limit_of_its_own() {
        let school = ("192.0.2.0/24".parse().unwrap(), 0);
        let joins = Addresses::new(1, vec![school]);
        let now = Instant::now();
        assert!((0..100).all(|_| joins.take(ip("192.0.2.7"), now)));
        assert!(joins.take(ip("198.51.100.1"), now));
        assert!(!joins.take(ip("198.51.100.1"), now));
    }
}
