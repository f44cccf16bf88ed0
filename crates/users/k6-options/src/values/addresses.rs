//! Blocked networks, and addresses to send from.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A network: an address and how many of its leading bits count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IpNet {
    first: IpAddr,
    prefix: u8,
}

impl IpNet {
    /// Reads `10.0.0.0/8`; bits after the prefix are dropped.
    ///
    /// # Errors
    /// Go's text, with what was written.
    pub fn parse(text: &str) -> Result<Self, String> {
        let invalid = || format!("invalid CIDR address: {text}");
        let (address, prefix) = text.split_once('/').ok_or_else(invalid)?;
        let address: IpAddr = address.parse().map_err(|_| invalid())?;
        let plain = !prefix.is_empty() && prefix.bytes().all(|b| b.is_ascii_digit());
        let prefix: u8 = prefix.parse().ok().filter(|_| plain).ok_or_else(invalid)?;
        if prefix > width(address) {
            return Err(invalid());
        }
        let mask = mask(width(address), prefix);
        Ok(Self {
            first: to_address(to_bits(address) & mask, address.is_ipv6()),
            prefix,
        })
    }

    /// Whether the network contains an address; IPv4 in IPv6 counts as IPv4.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv6() == self.first.is_ipv6()
            && to_bits(address) & mask(width(address), self.prefix) == to_bits(self.first)
    }
}

impl fmt::Display for IpNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.prefix)
    }
}

/// Addresses in one row, from ranges, networks and single ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IpPool {
    written: String,
    blocks: Vec<Block>,
}

/// Consecutive addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Block {
    first: u128,
    /// One less than how many there are.
    more: u128,
    ipv6: bool,
}

impl IpPool {
    /// Reads `192.168.0.10-192.168.0.25,10.0.0.0/24,fd00::1`. The first and last address
    /// of an IPv4 network of more than two are left out.
    ///
    /// # Errors
    /// k6's text, with the part that is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let blocks: Result<_, String> = text.split(',').map(Block::parse).collect();
        Ok(Self {
            written: text.to_owned(),
            blocks: blocks?,
        })
    }

    /// The address at `index`, going round.
    #[must_use]
    pub fn address(&self, index: u64) -> IpAddr {
        let sizes = self.blocks.iter().map(|b| b.more.saturating_add(1));
        let total = sizes.fold(0, u128::saturating_add);
        let mut left = u128::from(index) % total;
        for block in &self.blocks {
            if left <= block.more {
                return to_address(block.first + left, block.ipv6);
            }
            left -= block.more + 1;
        }
        to_address(self.blocks[0].first, self.blocks[0].ipv6)
    }

    /// As written.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }
}

impl Block {
    fn parse(text: &str) -> Result<Self, String> {
        if let Some((first, last)) = text.split_once('-') {
            return Self::of_range(text, first, last);
        }
        if text.contains('/') {
            return Self::of_net(text);
        }
        if IpAddr::from_str(text).is_err() {
            return Err(format!("{text} is not a valid IP, IP range or CIDR"));
        }
        Self::of_range(text, text, text)
    }

    fn of_range(text: &str, first: &str, last: &str) -> Result<Self, String> {
        let (Ok(first), Ok(last)) = (IpAddr::from_str(first), IpAddr::from_str(last)) else {
            return Err(format!("wrong IP range format: {text}"));
        };
        if first.is_ipv6() != last.is_ipv6() {
            return Err(format!("mixed IP range format: {text}"));
        }
        let more = to_bits(last).checked_sub(to_bits(first));
        Ok(Self {
            first: to_bits(first),
            more: more.ok_or_else(|| format!("negative IP range: {text}"))?,
            ipv6: first.is_ipv6(),
        })
    }

    fn of_net(text: &str) -> Result<Self, String> {
        let net = IpNet::parse(text)
            .map_err(|cause| format!("parseCIDR() failed parsing {text}: {cause}"))?;
        let ipv6 = net.first.is_ipv6();
        let all = mask(width(net.first), 0) | !0 >> (128 - u32::from(width(net.first)));
        let mut block = Self {
            first: to_bits(net.first),
            more: all & !mask(width(net.first), net.prefix),
            ipv6,
        };
        if !ipv6 && block.more > 1 {
            block.first += 1;
            block.more -= 2;
        }
        Ok(block)
    }
}

/// How many bits addresses of this kind have.
fn width(address: IpAddr) -> u8 {
    if address.is_ipv6() { 128 } else { 32 }
}

/// The leading `prefix` of `width` bits.
fn mask(width: u8, prefix: u8) -> u128 {
    let all = u128::MAX >> (128 - u32::from(width));
    all & !all.checked_shr(u32::from(prefix)).unwrap_or(0)
}

fn to_bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => u128::from(v4.to_bits()),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

fn to_address(bits: u128, ipv6: bool) -> IpAddr {
    match u32::try_from(bits) {
        Ok(bits) if !ipv6 => Ipv4Addr::from_bits(bits).into(),
        _ => Ipv6Addr::from_bits(bits).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_network_keeps_its_leading_bits() {
        let net = IpNet::parse("1.2.3.4/24").unwrap();
        assert_eq!(net.to_string(), "1.2.3.0/24");
        assert!(net.contains(ip("1.2.3.255")));
        assert!(net.contains(ip("::ffff:1.2.3.9")));
        assert!(!net.contains(ip("1.2.4.0")));
        assert!(!net.contains(ip("::1")));
        let all = IpNet::parse("::/0").unwrap();
        assert!(all.contains(ip("ffff::1")));
        assert!(!all.contains(ip("1.1.1.1")));
    }

    #[test]
    fn networks_without_a_fitting_prefix_are_refused() {
        for text in ["10.0.0.0", "10.0.0.0/33", "x/8", "1.2.3.4/+8", "1.2.3.4/"] {
            let message = format!("invalid CIDR address: {text}");
            assert_eq!(IpNet::parse(text), Err(message));
        }
    }

    #[test]
    fn a_pool_goes_round_all_its_addresses() {
        let pool = IpPool::parse("10.0.0.1-10.0.0.2,10.1.0.0/30,fd00::1").unwrap();
        let seen: Vec<_> = (0..6).map(|i| pool.address(i).to_string()).collect();
        let expected = [
            "10.0.0.1", "10.0.0.2", "10.1.0.1", "10.1.0.2", "fd00::1", "10.0.0.1",
        ];
        assert_eq!(seen, expected);
        let pair = IpPool::parse("10.1.0.0/31").unwrap();
        assert_eq!(pair.address(0), ip("10.1.0.0"));
        assert_eq!(pair.address(3), ip("10.1.0.1"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_a_panic(text in "[0-9a-f:./,-]{0,24}", index: u64) {
            if let Ok(pool) = IpPool::parse(&text) {
                let _ = pool.address(index);
            }
        }

        #[test]
        fn a_network_contains_its_own_first_address(bits: u32, prefix in 0..=32_u8) {
            let text = format!("{}/{prefix}", Ipv4Addr::from_bits(bits));
            let net = IpNet::parse(&text).unwrap();
            prop_assert!(net.contains(Ipv4Addr::from_bits(bits).into()));
            prop_assert_eq!(IpNet::parse(&net.to_string()).unwrap(), net);
        }
    }
}
