//! What those who ask a server have to know.

use aws_lc_rs::constant_time;

/// Compares two secrets; the time it takes does not tell how much of one is right.
#[must_use]
pub fn is_same_secret(given: &[u8], wanted: &[u8]) -> bool {
    constant_time::verify_slices_are_equal(given, wanted).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_the_same_only_whole() {
        assert!(is_same_secret(b"abc", b"abc"));
        for wrong in [&b"abd"[..], b"ab", b"abcd", b""] {
            assert!(!is_same_secret(wrong, b"abc"));
        }
    }
}
