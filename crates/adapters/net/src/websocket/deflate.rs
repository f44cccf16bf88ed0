//! Message compression (RFC 7692). What is sent never depends on earlier messages; what comes may.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// The end of each compressed message, which is not sent.
const TAIL: [u8; 4] = [0, 0, 0xff, 0xff];
/// The default limit of a message's length.
const MESSAGE_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Decompressed in one turn: about a millisecond's work.
const TURN_BYTES: usize = 256 * 1024;
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

    /// Begins to decompress a message's payload.
    pub(super) fn begin(&mut self, payload: &[u8]) -> Inflating {
        let inflater = self.inflater();
        let first_byte = inflater.total_in();
        Inflating {
            input: [payload, &TAIL].concat(),
            first_byte,
            out: Vec::with_capacity((payload.len() * 2 + STEP_BYTES_MIN).min(TURN_BYTES)),
        }
    }

    /// Decompresses the rest, as far as a turn goes; `true` at the end of the message.
    ///
    /// # Errors
    /// Why it is malformed.
    pub(super) fn inflate(&mut self, message: &mut Inflating) -> Result<bool, String> {
        let limit = self.limit;
        let inflater = self.inflater.get_or_insert_with(new_inflater);
        let Inflating {
            input,
            first_byte,
            out,
        } = message;
        let turn_ends_at = out.len() + TURN_BYTES;
        while out.len() < turn_ends_at {
            let taken = taken_by(inflater, *first_byte);
            let had = out.len();
            let status = inflater
                .decompress_vec(&input[taken..], out, FlushDecompress::Sync)
                .map_err(|_| "flate: corrupt input".to_owned())?;
            if out.len() > limit {
                return Err("websocket: read limit exceeded".to_owned());
            }
            if status == Status::StreamEnd {
                return Ok(true);
            }
            let used = taken_by(inflater, *first_byte);
            if used == input.len() && out.len() < out.capacity() {
                return Ok(true);
            }
            if used == taken && out.len() == had && had < out.capacity() {
                return Err("flate: corrupt input".to_owned());
            }
            out.reserve_exact(out.len().clamp(STEP_BYTES_MIN, TURN_BYTES));
        }
        Ok(false)
    }

    /// What decompresses a message, at its beginning.
    fn inflater(&mut self) -> &mut Decompress {
        let inflater = self.inflater.get_or_insert_with(new_inflater);
        if !self.terms.keeps_context {
            inflater.reset(false);
        }
        inflater
    }
}

/// How much of a message an inflater has taken.
fn taken_by(inflater: &Decompress, first_byte: u64) -> usize {
    usize::try_from(inflater.total_in() - first_byte).expect("no more than there is")
}

fn new_inflater() -> Box<Decompress> {
    Box::new(Decompress::new(false))
}

/// A message on its way to its whole length.
#[derive(Debug)]
pub(super) struct Inflating {
    /// Payload and [`TAIL`].
    input: Vec<u8>,
    /// What the inflater had taken before it.
    first_byte: u64,
    out: Vec<u8>,
}

impl Inflating {
    /// What there is of it.
    pub(super) fn into_message(self) -> Vec<u8> {
        self.out
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

    /// The whole message, and the turns that it took.
    fn inflated(deflate: &mut Deflate, payload: &[u8]) -> Result<(Vec<u8>, usize), String> {
        let mut message = deflate.begin(payload);
        let mut turns = 1;
        while !deflate.inflate(&mut message)? {
            turns += 1;
        }
        Ok((message.into_message(), turns))
    }

    fn whole(deflate: &mut Deflate, payload: &[u8]) -> Result<Vec<u8>, String> {
        inflated(deflate, payload).map(|(message, _)| message)
    }

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
                prop_assert_eq!(whole(&mut deflate, &squeezed), Ok(message));
            }
        }

        #[test]
        fn anything_ends(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = whole(&mut Deflate::new(DeflateTerms::ALONE), &bytes);
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
            assert_eq!(whole(&mut receiver, &squeezed).unwrap(), text);
        }
        assert!(lengths[1] < lengths[0], "{lengths:?}");
    }

    /// The example of RFC 7692, 7.2.3.1.
    #[test]
    fn the_standards_example_is_read() {
        let hello = [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00];
        assert_eq!(
            whole(&mut Deflate::new(DeflateTerms::ALONE), &hello),
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
        assert!(whole(&mut deflate, &bomb).is_err());
    }

    #[test]
    fn a_message_that_becomes_a_large_one_takes_turns() {
        let mut deflate = Deflate::new(DeflateTerms::ALONE);
        let text = vec![7; 8 * 1024 * 1024];
        let bomb = deflate.deflate(&text);
        assert!(bomb.len() < text.len() / 64);
        let (message, turns) = inflated(&mut deflate, &bomb).unwrap();
        assert_eq!(message, text);
        assert!(turns >= 30, "{turns} turns");
        let small = deflate.deflate(b"hello");
        let hello = (b"hello".to_vec(), 1);
        assert_eq!(inflated(&mut deflate, &small), Ok(hello));
    }
}
