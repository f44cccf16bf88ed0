//! The header of every stored blob: the content, the format's version, the fold limit and the
//! version of the redaction rules.
//!
//! ```text
//! "LL" | version | content | fold limit (varint) | redaction | length (varint) | zstd...
//! ```
//! After the header comes a sequence of zstd frames; a reader decompresses them as one. The
//! header is not compressed, so a reader can reject a newer version at once.

use std::io::Cursor;

use zstd::bulk::Compressor;

use crate::blob_error::BlobError;
use crate::varint::{self, Reader};

const MAGIC: [u8; 2] = *b"LL";
/// The version this program writes, and the newest one it reads.
pub const BLOB_FORMAT: u8 = 1;
/// The longest uncompressed blob that is read: 1 GiB.
const BLOB_BYTES_MAX: u64 = 1 << 30;
/// The longest header, in bytes: two varints of up to ten bytes and five single bytes.
const HEADER_BYTES_MAX: usize = 25;
/// Buffers of at least this size get memory pages of their own.
const LARGE_BYTES_MIN: usize = 1 << 20;
/// The capacity of such a buffer. glibc returns an allocation of more than 32 MiB to the system
/// when it is freed. Smaller ones stay in the heap, which then grows a little each time. Pages
/// that are never written take no memory.
const OWN_PAGES_BYTES: usize = 33 << 20;
/// How many bytes are compressed as one frame. zstd keeps tables for the largest frame it has
/// compressed, and the totals of many series are several MB once a minute.
const FRAME_BYTES: usize = 256 << 10;
/// What a block of zstd holds at most, and what it takes at least when packed: its head and one byte.
const BLOCK_BYTES_MAX: usize = 128 << 10;
const PACKED_BLOCK_BYTES_MIN: usize = 4;
/// zstd's compression level. Higher levels make windows little smaller and take much longer.
const COMPRESSION_LEVEL: i32 = 3;

/// What a blob holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Gains of series.
    Gains = 1,
    /// Definitions of series.
    Dictionary = 2,
    /// A run's [`RunInfo`](crate::RunInfo) or [`RunEnd`](crate::RunEnd), as JSON.
    Facts = 3,
}

/// What a header says besides the version and the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageRules {
    /// Series beyond this number were folded; 0: never.
    pub fold_limit: u32,
    /// The version of the rules by which secrets were left out.
    pub redaction: u8,
}

/// An empty buffer with room for `size` bytes, for short use. A large one gets pages of its own,
/// which go back to the system when it is dropped: see [`OWN_PAGES_BYTES`].
pub(crate) fn buffer(size: usize) -> Vec<u8> {
    let is_large = size >= LARGE_BYTES_MIN;
    Vec::with_capacity(if is_large {
        size.max(OWN_PAGES_BYTES)
    } else {
        size
    })
}

/// Makes blobs. It keeps its compressor from one blob to the next.
pub(crate) struct Sealer {
    rules: StorageRules,
    compressor: Compressor<'static>,
}

impl Sealer {
    pub(crate) fn new(rules: StorageRules) -> Self {
        Self {
            rules,
            compressor: Compressor::new(COMPRESSION_LEVEL).expect("the level is one zstd has"),
        }
    }

    /// Compresses `plain` under a header.
    pub(crate) fn seal(&mut self, content: Content, plain: &[u8]) -> Vec<u8> {
        let frames = plain.len() / FRAME_BYTES + 1;
        let room = frames * zstd::compress_bound(FRAME_BYTES.min(plain.len()));
        let mut blob = buffer(HEADER_BYTES_MAX + room);
        blob.extend_from_slice(&MAGIC);
        blob.push(BLOB_FORMAT);
        blob.push(content as u8);
        varint::put(&mut blob, u64::from(self.rules.fold_limit));
        blob.push(self.rules.redaction);
        varint::put(&mut blob, plain.len() as u64);
        let mut blob = Cursor::new(blob);
        // Empty content is one empty frame.
        let pieces = plain
            .chunks(FRAME_BYTES)
            .chain(plain.is_empty().then_some(plain));
        for piece in pieces {
            blob.set_position(blob.get_ref().len() as u64);
            let packed = self.compressor.compress_to_buffer(piece, &mut blob);
            packed.expect("compressing into enough memory cannot fail");
        }
        blob.into_inner()
    }
}

/// Reads a blob: its header and its decompressed content.
///
/// # Errors
/// [`BlobError`] when it is damaged, of a newer version, or holds something else than
/// `content`.
pub(crate) fn open(content: Content, blob: &[u8]) -> Result<(StorageRules, Vec<u8>), BlobError> {
    let mut reader = Reader::new(blob);
    if reader.take(2)? != MAGIC {
        return Err(BlobError::Header);
    }
    match reader.byte()? {
        0 => return Err(BlobError::Header),
        version if version > BLOB_FORMAT => return Err(BlobError::Version(version)),
        _ => {}
    }
    if reader.byte()? != content as u8 {
        return Err(BlobError::Content);
    }
    let rules = StorageRules {
        fold_limit: reader.small()?,
        redaction: reader.byte()?,
    };
    let length = reader.number()?;
    if length > BLOB_BYTES_MAX {
        return Err(BlobError::Number);
    }
    let length = usize::try_from(length).map_err(|_| BlobError::Number)?;
    let packed = reader.rest();
    // Memory is taken for the length that the header tells.
    if length > (packed.len() / PACKED_BLOCK_BYTES_MIN) * BLOCK_BYTES_MAX {
        return Err(BlobError::Number);
    }
    let plain = zstd::bulk::decompress(packed, length).map_err(|_| BlobError::Compression)?;
    if plain.len() != length {
        return Err(BlobError::Compression);
    }
    Ok((rules, plain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULES: StorageRules = StorageRules {
        fold_limit: 10_000,
        redaction: 1,
    };

    #[test]
    fn header_and_content_come_back() {
        let plain = b"gains gains gains gains".to_vec();
        let blob = Sealer::new(RULES).seal(Content::Gains, &plain);
        assert_eq!(open(Content::Gains, &blob), Ok((RULES, plain)));
        assert_eq!(open(Content::Facts, &blob), Err(BlobError::Content));
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

    /// Memory was taken for a length that a few bytes only announce: 1 GiB for 31 bytes.
    #[test]
    fn a_length_that_its_bytes_cannot_hold_is_refused() {
        let zeros = vec![0; 10 << 20];
        let mut blob = Sealer::new(RULES).seal(Content::Gains, &zeros);
        assert_eq!(open(Content::Gains, &blob), Ok((RULES, zeros)));
        blob.truncate(4);
        for number in [u64::from(RULES.fold_limit), 1, BLOB_BYTES_MAX] {
            varint::put(&mut blob, number);
        }
        blob.extend_from_slice(&[0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x59, 0, 0]);
        assert_eq!(open(Content::Gains, &blob), Err(BlobError::Number));
    }

    #[test]
    fn a_newer_version_is_refused_by_its_number() {
        let mut blob = Sealer::new(RULES).seal(Content::Facts, b"x");
        blob[2] = BLOB_FORMAT + 1;
        assert_eq!(
            open(Content::Facts, &blob),
            Err(BlobError::Version(BLOB_FORMAT + 1))
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
