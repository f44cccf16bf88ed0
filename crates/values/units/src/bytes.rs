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

/// From so many of a unit on, a whole number of it would read 1000.
const WRITTEN_AS_NEXT: f64 = 999.5;
/// Below so many of a unit one decimal is shown: more would read 10.0.
const WITH_A_DECIMAL_MAX: f64 = 9.95;

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PREFIXES: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
        if self.0 < 1000 {
            return write!(f, "{} B", self.0);
        }
        let mut value = self.0 as f64 / 1000.0;
        let mut prefix = 0;
        while value >= WRITTEN_AS_NEXT && prefix + 1 < PREFIXES.len() {
            value /= 1000.0;
            prefix += 1;
        }
        let digits = usize::from(value < WITH_A_DECIMAL_MAX);
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

    /// Seen: "1000 kB".
    #[test]
    fn no_unit_reads_a_thousand_of_itself() {
        assert_eq!(Bytes(999_499).to_string(), "999 kB");
        assert_eq!(Bytes(999_500).to_string(), "1.0 MB");
        assert_eq!(Bytes(999_999_999).to_string(), "1.0 GB");
        assert_eq!(Bytes(9_949).to_string(), "9.9 kB");
        assert_eq!(Bytes(9_960).to_string(), "10 kB");
        let mut size = 1;
        while size < u64::MAX / 3 {
            for near in [size - 1, size, size + 1, size / 1000 * 999 + 600] {
                let text = Bytes(near).to_string();
                let number: f64 = text.split(' ').next().unwrap().parse().unwrap();
                assert!(number < 1000.0, "{near}: {text}");
            }
            size = size * 3 / 2 + 1;
        }
    }
}
