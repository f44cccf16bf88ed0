//! Hashes of texts.

use sha2::{Digest, Sha256};

/// Bytes of a hash that are kept.
const HASH_BYTES: usize = 16;

/// The hash of a study file, or of a file as it was.
#[must_use]
pub fn hash(text: &str) -> String {
    let bytes = Sha256::digest(text.as_bytes());
    let bytes = bytes.iter().take(HASH_BYTES);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}
