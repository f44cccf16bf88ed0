//! Networks as people write them: `10.0.0.0/8`, `2001:db8::/32`, or one address.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// A block of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressRange {
    /// As IPv6, IPv4 mapped into it.
    bits: u128,
    /// Bits that count, of 128.
    length: u32,
}

/// Why a text is no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no network; write 10.0.0.0/8, 2001:db8::/32, or one address")]
pub struct AddressRangeError(String);

/// Bits before those of an IPv4 address.
const MAPPED_PREFIX_BITS: u32 = 96;

impl AddressRange {
    /// Whether an address is in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        (bits_of(address) ^ self.bits) & mask(self.length) == 0
    }
}

fn bits_of(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().to_bits(),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

fn mask(length: u32) -> u128 {
    // Shifting by all 128 bits is none of the operator's.
    u128::MAX.checked_shl(128 - length).unwrap_or(0)
}

impl FromStr for AddressRange {
    type Err = AddressRangeError;

    fn from_str(text: &str) -> Result<Self, AddressRangeError> {
        let wrong = || AddressRangeError(text.to_owned());
        let (address, length) = match text.split_once('/') {
            Some((address, length)) => (address, Some(length)),
            None => (text, None),
        };
        let address: IpAddr = address.trim().parse().map_err(|_| wrong())?;
        let before = if address.is_ipv4() {
            MAPPED_PREFIX_BITS
        } else {
            0
        };
        let length = match length {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse::<u32>().map_err(|_| wrong())? + before
            }
            Some(_) => return Err(wrong()),
            None => 128,
        };
        if length > 128 {
            return Err(wrong());
        }
        Ok(Self {
            bits: bits_of(address) & mask(length),
            length,
        })
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = Ipv6Addr::from_bits(self.bits);
        match address
            .to_ipv4_mapped()
            .filter(|_| self.length >= MAPPED_PREFIX_BITS)
        {
            Some(v4) => write!(f, "{v4}/{}", self.length - MAPPED_PREFIX_BITS),
            None => write!(f, "{address}/{}", self.length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AddressRange;

    #[test]
    fn a_network_has_the_addresses_of_its_prefix() {
        let network: AddressRange = "10.1.2.3/8".parse().unwrap();
        assert_eq!(network.to_string(), "10.0.0.0/8");
        assert!(network.contains("10.255.0.1".parse().unwrap()));
        assert!(network.contains("::ffff:10.0.0.1".parse().unwrap()));
        assert!(!network.contains("11.0.0.1".parse().unwrap()));
        let network: AddressRange = "2001:db8::/32".parse().unwrap();
        assert!(network.contains("2001:db8:1::9".parse().unwrap()));
        assert!(!network.contains("2001:db9::1".parse().unwrap()));
        let one: AddressRange = "192.0.2.1".parse().unwrap();
        assert!(one.contains("192.0.2.1".parse().unwrap()));
        assert!(!one.contains("192.0.2.2".parse().unwrap()));
        let all: AddressRange = "::/0".parse().unwrap();
        assert!(all.contains("192.0.2.2".parse().unwrap()));
    }

    #[test]
    fn what_is_no_network_is_named() {
        for text in [
            "",
            "10.0.0.0/33",
            "10.0.0.0/-1",
            "example.org",
            "::/129",
            "1/8",
        ] {
            let error = text.parse::<AddressRange>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("`{text}` is no network")),
                "{error}"
            );
        }
    }
}
