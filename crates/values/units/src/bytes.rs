//! Sizes in bytes.

use std::fmt;

/// A number of bytes; prints with SI prefixes (1 kB = 1000 B), as k6 does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(pub u64);

impl Bytes {
    /// `n` binary mebibytes.
    #[must_use]
    pub const fn mib(n: u64) -> Self {
        Self(n * 1024 * 1024)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PREFIXES: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
        if self.0 < 1000 {
            return write!(f, "{} B", self.0);
        }
        let mut value = self.0 as f64 / 1000.0;
        let mut prefix = 0;
        while value >= 1000.0 && prefix + 1 < PREFIXES.len() {
            value /= 1000.0;
            prefix += 1;
        }
        let digits = if value < 10.0 { 1 } else { 0 };
        write!(f, "{value:.digits$} {}", PREFIXES[prefix])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_si_prefixes() {
        assert_eq!(Bytes(0).to_string(), "0 B");
        assert_eq!(Bytes(999).to_string(), "999 B");
        assert_eq!(Bytes(1500).to_string(), "1.5 kB");
        assert_eq!(Bytes(57_000).to_string(), "57 kB");
        assert_eq!(Bytes(2_400_000).to_string(), "2.4 MB");
    }
}
