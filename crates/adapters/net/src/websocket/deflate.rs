//! Message compression (RFC 7692). What is sent never depends on earlier messages; what comes may.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// The end of each compressed message, which is not sent.
const TAIL: [u8; 4] = [0, 0, 0xff, 0xff];
/// The default limit of a message's length.
const MESSAGE_BYTES_MAX: usize = 64 * 1024 * 1024;
/// The least free space for each step.
const STEP_BYTES_MIN: usize = 4 * 1024;

/// Compresses and decompresses messages. Its compressors are created on first use.
pub(super) struct Deflate {
    /// The limit of a message's length, in bytes.
    limit: usize,
    terms: DeflateTerms,
    deflater: Option<Box<Compress>>,
    inflater: Option<Box<Decompress>>,
}

/// What was agreed on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct DeflateTerms {
    /// The peer's messages build on its earlier ones.
    pub(super) keeps_context: bool,
    /// Messages shorter than this are sent as they are; `None` if none are compressed.
    pub(super) from: Option<usize>,
}

impl DeflateTerms {
    /// Each message alone, all compressed.
    pub(super) const ALONE: Self = Self {
        keeps_context: false,
        from: Some(0),
    };
}

impl Deflate {
    pub(super) fn new(terms: DeflateTerms) -> Self {
        Self {
            limit: MESSAGE_BYTES_MAX,
            terms,
            deflater: None,
            inflater: None,
        }
    }

    /// Whether a message of this length is compressed.
    pub(super) fn takes(&self, length: usize) -> bool {
        self.terms.from.is_some_and(|from| length >= from)
    }

    /// The compressed message.
    pub(super) fn deflate(&mut self, message: &[u8]) -> Vec<u8> {
        let deflater = self.deflater.get_or_insert_with(|| {
            // The level of the client that k6 uses.
            Box::new(Compress::new(Compression::fast(), false))
        });
        deflater.reset();
        let mut out = Vec::with_capacity(message.len() / 2 + STEP_BYTES_MIN);
        loop {
            let taken = usize::try_from(deflater.total_in()).expect("no more than there is");
            let status = deflater
                .compress_vec(&message[taken..], &mut out, FlushCompress::Sync)
                .expect("compressing to memory knows no errors");
            let all =
                usize::try_from(deflater.total_in()).is_ok_and(|taken| taken == message.len());
            if all && status == Status::Ok && out.len() < out.capacity() {
                break;
            }
            out.reserve(STEP_BYTES_MIN);
        }
        if out.ends_with(&TAIL) {
            out.truncate(out.len() - TAIL.len());
        }
        out
    }

    /// Decompresses a message's payload.
    ///
    /// # Errors
    /// Why it is malformed.
    pub(super) fn inflate(&mut self, payload: &[u8]) -> Result<Vec<u8>, String> {
        let inflater = self
            .inflater
            .get_or_insert_with(|| Box::new(Decompress::new(false)));
        if !self.terms.keeps_context {
            inflater.reset(false);
        }
        let mut out = Vec::with_capacity(payload.len() * 2 + STEP_BYTES_MIN);
        for input in [payload, &TAIL] {
            let before = inflater.total_in();
            loop {
                let taken = usize::try_from(inflater.total_in() - before);
                let taken = taken.expect("no more than there is");
                let had = out.len();
                let status = inflater
                    .decompress_vec(&input[taken..], &mut out, FlushDecompress::Sync)
                    .map_err(|_| "flate: corrupt input".to_owned())?;
                if out.len() > self.limit {
                    return Err("websocket: read limit exceeded".to_owned());
                }
                if status == Status::StreamEnd {
                    return Ok(out);
                }
                let used = usize::try_from(inflater.total_in() - before).unwrap_or(0);
                if used == input.len() && out.len() < out.capacity() {
                    break;
                }
                if used == taken && out.len() == had && had < out.capacity() {
                    return Err("flate: corrupt input".to_owned());
                }
                out.reserve(STEP_BYTES_MIN.max(out.len()));
            }
        }
        Ok(out)
    }
}

impl std::fmt::Debug for Deflate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Deflate")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn messages_come_back_whole(
            messages in proptest::collection::vec(
                proptest::collection::vec(0u8..4, 0..30_000), 1..4),
        ) {
            let mut deflate = Deflate::new(DeflateTerms::ALONE);
            for message in messages {
                let squeezed = deflate.deflate(&message);
                prop_assert_eq!(deflate.inflate(&squeezed), Ok(message));
            }
        }

        #[test]
        fn anything_ends(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = Deflate::new(DeflateTerms::ALONE).inflate(&bytes);
        }
    }

    #[test]
    fn messages_may_build_on_earlier_ones() {
        let text = b"abcdefghijklmnopqrstuvwxyz".repeat(40);
        let mut sender = Compress::new(Compression::fast(), false);
        let mut receiver = Deflate::new(DeflateTerms {
            keeps_context: true,
            from: None,
        });
        let mut lengths = Vec::new();
        for _ in 0..3 {
            let mut squeezed = Vec::with_capacity(4096);
            sender
                .compress_vec(&text, &mut squeezed, FlushCompress::Sync)
                .unwrap();
            squeezed.truncate(squeezed.len() - TAIL.len());
            lengths.push(squeezed.len());
            assert_eq!(receiver.inflate(&squeezed).unwrap(), text);
        }
        assert!(lengths[1] < lengths[0], "{lengths:?}");
    }

    /// The example of RFC 7692, 7.2.3.1.
    #[test]
    fn the_standards_example_is_read() {
        let hello = [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00];
        assert_eq!(
            Deflate::new(DeflateTerms::ALONE).inflate(&hello),
            Ok(b"Hello".to_vec())
        );
    }

    #[test]
    fn a_small_message_does_not_fill_the_memory() {
        let mut deflate = Deflate {
            limit: 100_000,
            ..Deflate::new(DeflateTerms::ALONE)
        };
        let bomb = deflate.deflate(&vec![0; 100_001]);
        assert!(bomb.len() < 1_000);
        assert!(deflate.inflate(&bomb).is_err());
    }
}
