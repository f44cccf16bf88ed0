//! gRPC messages as bytes: one byte of flags, four of length, the payload.
//!
//! [`write_message`] appends a message to a buffer. [`GrpcReader`] takes the bytes of an HTTP/2
//! stream as they arrive and returns whole messages; their payload is in a buffer that is reused.
//! The caller decompresses a message that is marked as compressed.

/// The number of bytes before each payload.
const PREFIX_BYTES: usize = 5;

/// What the bytes so far give.
#[derive(Debug, PartialEq, Eq)]
pub enum GrpcItem<'r> {
    /// All bytes were taken and no message is complete.
    Incomplete,
    /// A message.
    Message {
        /// 0, or 1 for a compressed message; other values have no meaning.
        format: u8,
        /// Its bytes.
        payload: &'r [u8],
    },
}

/// A message exceeds the limit; the stream cannot be read any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("grpc: received message larger than max ({length} vs. {limit})")]
pub struct GrpcSizeError {
    /// The payload's length in its head.
    pub length: usize,
    /// The limit.
    pub limit: usize,
}

/// Reads the messages of one direction of a call.
#[derive(Debug)]
pub struct GrpcReader {
    limit: usize,
    head: [u8; PREFIX_BYTES],
    /// How many bytes of the head have arrived.
    headed: usize,
    payload: Vec<u8>,
    /// The payload was returned; the next call clears it.
    told: bool,
}

impl GrpcReader {
    /// A larger buffer is freed after use.
    const KEPT_BYTES_MAX: usize = 64 * 1024;

    /// A reader at the start of a call that accepts payloads of up to `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            head: [0; PREFIX_BYTES],
            headed: 0,
            payload: Vec::new(),
            told: false,
        }
    }

    /// Parses `input`, the bytes that follow those taken so far. Returns how many of them were
    /// taken, and what they give. Call it again with the rest until it returns
    /// [`GrpcItem::Incomplete`].
    ///
    /// # Errors
    /// [`GrpcSizeError`], as soon as a head is complete.
    pub fn advance(&mut self, input: &[u8]) -> Result<(usize, GrpcItem<'_>), GrpcSizeError> {
        if std::mem::take(&mut self.told) {
            self.headed = 0;
            self.payload.clear();
            if self.payload.capacity() > Self::KEPT_BYTES_MAX {
                self.payload = Vec::new();
            }
        }
        let mut used = 0;
        if self.headed < PREFIX_BYTES {
            used = input.len().min(PREFIX_BYTES - self.headed);
            self.head[self.headed..self.headed + used].copy_from_slice(&input[..used]);
            self.headed += used;
            if self.headed < PREFIX_BYTES {
                return Ok((used, GrpcItem::Incomplete));
            }
            let length = self.length();
            if length > self.limit {
                let limit = self.limit;
                return Err(GrpcSizeError { length, limit });
            }
        }
        let missing = self.length() - self.payload.len();
        let here = missing.min(input.len() - used);
        self.payload.extend_from_slice(&input[used..used + here]);
        used += here;
        if here < missing {
            return Ok((used, GrpcItem::Incomplete));
        }
        self.told = true;
        let item = GrpcItem::Message {
            format: self.head[0],
            payload: &self.payload,
        };
        Ok((used, item))
    }

    /// Whether the bytes so far end with a message, so that the stream may end here.
    #[must_use]
    pub fn is_between_messages(&self) -> bool {
        self.told || self.headed == 0
    }

    /// The length of the payload; the head must be complete.
    fn length(&self) -> usize {
        let [_, a, b, c, d] = self.head;
        usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX)
    }
}

/// Appends a message to `out`.
///
/// # Errors
/// [`GrpcSizeError`] for 4 GiB and more, which no head can express.
pub fn write_message(out: &mut Vec<u8>, format: u8, payload: &[u8]) -> Result<(), GrpcSizeError> {
    let length = u32::try_from(payload.len()).map_err(|_| GrpcSizeError {
        length: payload.len(),
        limit: u32::MAX as usize,
    })?;
    out.reserve(PREFIX_BYTES + payload.len());
    out.push(format);
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(payload);
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Flags and bytes of each message.
    type Messages = Vec<(u8, Vec<u8>)>;

    fn read(pieces: &[&[u8]], limit: usize) -> (Messages, Result<bool, GrpcSizeError>) {
        let mut reader = GrpcReader::new(limit);
        let mut told = Vec::new();
        for piece in pieces {
            let mut rest = *piece;
            loop {
                match reader.advance(rest) {
                    Err(error) => return (told, Err(error)),
                    Ok((used, GrpcItem::Incomplete)) => {
                        assert_eq!(used, rest.len());
                        break;
                    }
                    Ok((used, GrpcItem::Message { format, payload })) => {
                        told.push((format, payload.to_vec()));
                        rest = &rest[used..];
                    }
                }
            }
        }
        (told, Ok(reader.is_between_messages()))
    }

    #[test]
    fn a_cut_message_is_no_message() {
        let bytes = [0, 0, 0, 0, 2, b'a', b'b', 1, 0, 0, 0, 0];
        let whole = vec![(0, b"ab".to_vec()), (1, Vec::new())];
        assert_eq!(read(&[&bytes], 2), (whole, Ok(true)));
        assert_eq!(
            read(&[&bytes[..9]], 2),
            (vec![(0, b"ab".to_vec())], Ok(false))
        );
        assert_eq!(read(&[&bytes[..6]], 2), (Vec::new(), Ok(false)));
        assert_eq!(read(&[], 2), (Vec::new(), Ok(true)));
    }

    #[test]
    fn a_message_beyond_the_limit_is_refused_by_its_head() {
        let (told, outcome) = read(&[&[0, 0, 0, 1, 0]], 255);
        assert!(told.is_empty());
        assert_eq!(
            outcome.expect_err("too large").to_string(),
            "grpc: received message larger than max (256 vs. 255)"
        );
    }

    proptest! {
        #[test]
        fn messages_survive_any_cut(
            messages in prop::collection::vec((0_u8..2, prop::collection::vec(any::<u8>(), 0..40)), 0..6),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let mut bytes = Vec::new();
            for (format, payload) in &messages {
                write_message(&mut bytes, *format, payload).expect("small");
            }
            let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            places.extend([0, bytes.len()]);
            places.sort_unstable();
            let pieces: Vec<&[u8]> = places.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            prop_assert_eq!(read(&pieces, 64), (messages, Ok(true)));
        }
    }
}
