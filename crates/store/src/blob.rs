//! The frame around everything stored: what it is, in which version, folded and redacted
//! by which rule.
//!
//! ```text
//! "LL" | version | content | fold limit (varint) | redaction | length (varint) | zstd...
//! ```
//! One zstd frame after another, of which a reader need not know where they end.
//! The header is readable without decompressing, so a reader can refuse what is newer.

use std::io::Cursor;

use zstd::bulk::Compressor;

use crate::error::Corrupt;
use crate::varint::{self, Reader};

const MAGIC: [u8; 2] = *b"LL";
/// The version written here, and the newest one read.
pub const FORMAT: u8 = 1;
/// A blob is never longer than this when read: 1 GiB.
const LONGEST: u64 = 1 << 30;
/// No header has more bytes: two numbers of up to ten among five others.
const LONGEST_HEADER: usize = 25;
/// Buffers from this size on are worth pages of their own.
const LARGE: usize = 1 << 20;
/// glibc keeps what a freed buffer of up to 32 MiB took, and puts the next ones of that size
/// among everything else, each time a little higher. What is larger it always gives back; of
/// what is asked for only the pages that are written to are there at all.
const OWN_PAGES: usize = 33 << 20;
/// What is compressed at once. zstd keeps tables for the largest piece it was given, and the totals
/// of many series are some MB once a minute.
const FRAME: usize = 256 << 10;
/// zstd's level: beyond it windows get little smaller and much slower.
const LEVEL: i32 = 3;

/// What a blob holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Gains of series.
    Gains = 1,
    /// Definitions of series.
    Dictionary = 2,
    /// What a run is, or what it came to.
    Facts = 3,
}

/// What a header says beside the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Series beyond this number were folded; 0: never.
    pub fold_limit: u32,
    /// The version of the rules by which secrets were left out.
    pub redaction: u8,
}

/// An empty buffer with room for `size` bytes, which will be needed for a moment only. A large
/// one has pages of its own, which go back with it: see [`OWN_PAGES`].
pub(crate) fn buffer(size: usize) -> Vec<u8> {
    let is_large = size >= LARGE;
    Vec::with_capacity(if is_large { size.max(OWN_PAGES) } else { size })
}

/// Makes blobs.
pub(crate) struct Sealer {
    rules: Rules,
    compressor: Compressor<'static>,
}

impl Sealer {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules,
            compressor: Compressor::new(LEVEL).expect("the level is one zstd has"),
        }
    }

    /// Compresses `plain` under a header.
    pub(crate) fn seal(&mut self, content: Content, plain: &[u8]) -> Vec<u8> {
        let frames = plain.len() / FRAME + 1;
        let room = frames * zstd::compress_bound(FRAME.min(plain.len()));
        let mut blob = buffer(LONGEST_HEADER + room);
        blob.extend_from_slice(&MAGIC);
        blob.push(FORMAT);
        blob.push(content as u8);
        varint::put(&mut blob, u64::from(self.rules.fold_limit));
        blob.push(self.rules.redaction);
        varint::put(&mut blob, plain.len() as u64);
        let mut blob = Cursor::new(blob);
        // Nothing is a frame too.
        let pieces = plain.chunks(FRAME).chain(plain.is_empty().then_some(plain));
        for piece in pieces {
            blob.set_position(blob.get_ref().len() as u64);
            let packed = self.compressor.compress_to_buffer(piece, &mut blob);
            packed.expect("compressing into enough memory cannot fail");
        }
        blob.into_inner()
    }
}

/// The header and what is under it.
///
/// # Errors
/// [`Corrupt`] when it is not what was sealed as `content`.
pub(crate) fn open(content: Content, blob: &[u8]) -> Result<(Rules, Vec<u8>), Corrupt> {
    let mut reader = Reader::new(blob);
    if reader.take(2)? != MAGIC {
        return Err(Corrupt::Header);
    }
    match reader.byte()? {
        0 => return Err(Corrupt::Header),
        version if version > FORMAT => return Err(Corrupt::Version(version)),
        _ => {}
    }
    if reader.byte()? != content as u8 {
        return Err(Corrupt::Content);
    }
    let rules = Rules {
        fold_limit: reader.small()?,
        redaction: reader.byte()?,
    };
    let length = reader.number()?;
    if length > LONGEST {
        return Err(Corrupt::Number);
    }
    let length = usize::try_from(length).map_err(|_| Corrupt::Number)?;
    let plain = zstd::bulk::decompress(reader.rest(), length).map_err(|_| Corrupt::Compression)?;
    if plain.len() != length {
        return Err(Corrupt::Compression);
    }
    Ok((rules, plain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULES: Rules = Rules {
        fold_limit: 10_000,
        redaction: 1,
    };

    #[test]
    fn header_and_content_come_back() {
        let plain = b"gains gains gains gains".to_vec();
        let blob = Sealer::new(RULES).seal(Content::Gains, &plain);
        assert_eq!(open(Content::Gains, &blob), Ok((RULES, plain)));
        assert_eq!(open(Content::Facts, &blob), Err(Corrupt::Content));
    }

    #[test]
    fn one_blob_after_another_is_what_it_would_be_alone() {
        let mut sealer = Sealer::new(RULES);
        for plain in [&[7; 100_000][..], b"short", &[9; 300_000]] {
            let blob = sealer.seal(Content::Gains, plain);
            assert_eq!(blob, Sealer::new(RULES).seal(Content::Gains, plain));
            assert_eq!(open(Content::Gains, &blob), Ok((RULES, plain.to_vec())));
        }
    }

    #[test]
    fn a_newer_version_is_refused_by_its_number() {
        let mut blob = Sealer::new(RULES).seal(Content::Facts, b"x");
        blob[2] = FORMAT + 1;
        assert_eq!(
            open(Content::Facts, &blob),
            Err(Corrupt::Version(FORMAT + 1))
        );
    }

    proptest! {
        #[test]
        fn a_damaged_blob_is_refused_or_read_without_a_panic(
            at in 0_usize..60, with in any::<u8>(), cut in 0_usize..60,
        ) {
            let mut blob = Sealer::new(RULES).seal(Content::Gains, b"one two three one two three");
            let place = at % blob.len();
            blob[place] = with;
            blob.truncate(cut);
            let _ = open(Content::Gains, &blob);
        }
    }
}
