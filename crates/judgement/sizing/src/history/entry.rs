//! One request of a log.

/// A request, borrowed from its line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LogEntry<'a> {
    /// Its time, in seconds since 1970.
    pub(super) time: i64,
    /// The log's own offset from UTC, seconds; `None` where it has none.
    pub(super) offset: Option<i32>,
    /// Its method.
    pub(super) method: &'a [u8],
    /// Its path, with its query.
    pub(super) path: &'a [u8],
    /// Its status; 0 if there was none.
    pub(super) status: u16,
    /// Its duration in seconds.
    pub(super) seconds: Option<f64>,
    /// A hash of the client: its address and what else tells it from others.
    pub(super) client: u64,
    /// A hash of its address alone; 0 if the log has none.
    pub(super) address: u64,
}

/// A hash that identifies clients and requests; 8 bytes per step.
pub(super) fn hash(bytes: &[u8], seed: u64) -> u64 {
    const HASH_MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = seed ^ (bytes.len() as u64).wrapping_mul(HASH_MULTIPLIER);
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        state = (state.rotate_left(29) ^ u64::from_le_bytes(*chunk)).wrapping_mul(HASH_MULTIPLIER);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    state = (state.rotate_left(29) ^ u64::from_le_bytes(last)).wrapping_mul(HASH_MULTIPLIER);
    state ^= state >> 32;
    state = state.wrapping_mul(HASH_MULTIPLIER);
    state ^ (state >> 29)
}

/// Parses a whole number; `None` if there is another character, or too many digits.
pub(super) fn number(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() || bytes.len() > 18 {
        return None;
    }
    bytes.iter().try_fold(0_u64, |sum, byte| {
        byte.is_ascii_digit()
            .then(|| sum * 10 + u64::from(byte - b'0'))
    })
}

/// Parses a decimal number such as `0.123`; not negative.
pub(super) fn decimal(bytes: &[u8]) -> Option<f64> {
    let point = bytes.iter().position(|b| *b == b'.');
    let value = match point {
        None => number(bytes)? as f64,
        Some(at) => {
            let (whole, fraction) = (&bytes[..at], &bytes[at + 1..]);
            let whole = if whole.is_empty() { 0 } else { number(whole)? };
            let digits = &fraction[..fraction.len().min(12)];
            let places = i32::try_from(digits.len()).ok()?;
            whole as f64 + number(digits)? as f64 / 10_f64.powi(places)
        }
    };
    value.is_finite().then_some(value)
}
