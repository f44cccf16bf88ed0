//! What those who ask a server have to know.

use aws_lc_rs::{constant_time, hmac};

/// Compares two secrets; the time it takes does not tell how much of one is right.
#[must_use]
pub fn is_same_secret(given: &[u8], wanted: &[u8]) -> bool {
    constant_time::verify_slices_are_equal(given, wanted).is_ok()
}

/// HMAC-SHA-256 of a text in hexadecimal digits: nobody makes it without the key, or the key of it.
#[must_use]
pub fn keyed_digest(key: &[u8], text: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    let tag = hmac::sign(&key, text.as_bytes());
    tag.as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
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

    /// RFC 4231, test case 2.
    #[test]
    fn a_digest_is_that_of_its_key_and_its_text() {
        let digest = keyed_digest(b"Jefe", "what do ya want for nothing?");
        let wanted = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(digest, wanted);
        assert_ne!(
            keyed_digest(b"jefe", "what do ya want for nothing?"),
            wanted
        );
    }
}
