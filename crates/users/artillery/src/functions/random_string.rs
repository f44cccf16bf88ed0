//! Random text.

use loadline_units::Random;

pub(super) fn random_string(random: &Random, length: f64) -> String {
    /// Artillery's alphabet.
    const ALPHABET: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    /// The longest string; more would only fill the memory.
    const STRING_LENGTH_MAX: f64 = 1e6;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped before"
    )]
    let length = length.ceil().clamp(0.0, STRING_LENGTH_MAX) as usize;
    (0..length)
        .map(|_| char::from(ALPHABET[random.below(ALPHABET.len())]))
        .collect()
}
