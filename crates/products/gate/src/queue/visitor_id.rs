//! Who a visitor is to the queue.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A visitor of one queue: 16 bytes that nobody can choose and that say nothing about the
/// person. Made of a user id by a keyed hash, or drawn at random and kept in a cookie.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VisitorId(pub [u8; 16]);

impl VisitorId {
    /// Its first bytes as a number: wids are uniform, so this is a hash.
    pub(crate) fn hash(self) -> u64 {
        let mut first = [0; 8];
        first.copy_from_slice(&self.0[..8]);
        // The table takes its tag from the top bits and its place from the bottom ones.
        u64::from_le_bytes(first).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Reads 32 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 32 || !text.is_ascii() {
            return None;
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digit = |c: u8| char::from(c).to_digit(16);
            let value = digit(pair[0])? * 16 + digit(pair[1])?;
            *byte = u8::try_from(value).ok()?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for VisitorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for VisitorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VisitorId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::VisitorId;

    #[test]
    fn a_wid_reads_what_it_prints_and_nothing_else() {
        let wid = VisitorId(*b"\x00\x01\xfe\xffabcdefghijkl");
        assert_eq!(VisitorId::parse(&wid.to_string()), Some(wid));
        for text in [
            "",
            "00",
            "+0000000000000000000000000000000",
            "g000000000000000000000000000000g",
        ] {
            assert_eq!(VisitorId::parse(text), None, "{text}");
        }
    }
}
