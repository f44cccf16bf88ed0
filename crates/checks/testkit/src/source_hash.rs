//! Short hashes of sources, by which a recording names what it was made from.

use aws_lc_rs::digest::{SHA256, digest};

/// SHA-256, hexadecimal, first 16 digits: enough to notice a change.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let full: Vec<String> = digest(&SHA256, bytes)
        .as_ref()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    full.concat()
}

/// The hash of several sources together.
pub(crate) fn hash_of(sources: &[&str]) -> String {
    sha256(sources.concat().as_bytes())
}
