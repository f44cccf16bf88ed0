//! What those who ask, or send, have to know.

/// Compares two secrets without telling by its time how much of one is right.
pub(crate) fn is_same(given: &[u8], token: &[u8]) -> bool {
    let pairs = given.iter().zip(token);
    let differ = pairs.fold(0, |differ, (a, b)| differ | (a ^ b));
    given.len() == token.len() && differ == 0
}
