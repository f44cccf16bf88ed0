//! Decodes a body while it arrives.
//!
//! The output for each piece is passed on with that piece. So events of a server that flushes
//! after each event are read one by one, with any coding. Names of codings are treated as for
//! whole bodies.

use std::fmt;
use std::io::{self, Write};

use loadline_reactor::yield_now;

use crate::coding::Coding;
use crate::failure::{Cause, Failure};

/// The most bytes of input decoded in one turn: gzip makes a megabyte of it at most.
const CHUNK_BYTES: usize = 1024;
/// Output after which others get their turn.
const TURN_BYTES: usize = 256 * 1024;
/// The most that a piece may become, so that a small one cannot fill the memory.
const PIECE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Takes decoded bytes, up to [`PIECE_BYTES_MAX`].
#[derive(Default)]
struct Bounded(Vec<u8>);

/// A piece became more than [`PIECE_BYTES_MAX`] bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a piece of the body becomes more than {PIECE_BYTES_MAX} bytes")]
struct PieceTooLargeError;

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > PIECE_BYTES_MAX {
            return Err(io::Error::other(PieceTooLargeError));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The decoders of a body, the last coding first.
#[derive(Default)]
pub(crate) struct Decoders(Vec<Decoder>);

enum Decoder {
    Gzip(Box<flate2::write::MultiGzDecoder<Bounded>>),
    Deflate(Box<flate2::write::ZlibDecoder<Bounded>>),
    Brotli(Box<brotli::DecompressorWriter<Bounded>>),
    Zstd(Box<zstd::stream::write::Decoder<'static, Bounded>>),
    /// It could not be created.
    Broken(String),
}

impl Decoders {
    /// The decoders for this `Content-Encoding`; none for a plain body.
    pub(crate) fn new(encoding: &[u8]) -> Self {
        let names = encoding.rsplit(|&b| b == b',');
        let codings =
            names.filter_map(|name| Coding::from_name(std::str::from_utf8(name).ok()?.trim()));
        Self(codings.map(Decoder::new).collect())
    }

    /// Appends the output for `piece` to `out`.
    ///
    /// # Errors
    /// A [`Failure`] in the body.
    pub(crate) async fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) -> Result<(), Failure> {
        if self.0.is_empty() {
            out.extend_from_slice(piece);
            return Ok(());
        }
        let mut turn_ends_at = out.len() + TURN_BYTES;
        for part in piece.chunks(CHUNK_BYTES) {
            if out.len() >= turn_ends_at {
                turn_ends_at = out.len() + TURN_BYTES;
                yield_now().await;
            }
            let mut bytes = part.to_vec();
            for decoder in &mut self.0 {
                bytes = decoder.push(&bytes).map_err(|error| failed(&error))?;
            }
            if out.len() + bytes.len() > PIECE_BYTES_MAX {
                return Err(failed(&io::Error::other(PieceTooLargeError)));
            }
            out.extend_from_slice(&bytes);
        }
        Ok(())
    }

    /// Appends what is left at the end of the body.
    ///
    /// # Errors
    /// A [`Failure`] in the body: it ended too soon.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Failure> {
        let mut rest: Vec<u8> = Vec::new();
        for decoder in &mut self.0 {
            let mut bytes = decoder.push(&rest).map_err(|error| failed(&error))?;
            bytes.extend(decoder.finish().map_err(|error| failed(&error))?);
            rest = bytes;
        }
        out.extend_from_slice(&rest);
        Ok(())
    }
}

impl Decoder {
    fn new(coding: Coding) -> Self {
        let out = Bounded::default();
        match coding {
            Coding::Gzip => Self::Gzip(Box::new(flate2::write::MultiGzDecoder::new(out))),
            Coding::Deflate => Self::Deflate(Box::new(flate2::write::ZlibDecoder::new(out))),
            Coding::Brotli => {
                Self::Brotli(Box::new(brotli::DecompressorWriter::new(out, 4 * 1024)))
            }
            Coding::Zstd => match zstd::stream::write::Decoder::new(out) {
                Ok(decoder) => Self::Zstd(Box::new(decoder)),
                Err(error) => Self::Broken(error.to_string()),
            },
        }
    }

    /// The output for `piece`.
    fn push(&mut self, piece: &[u8]) -> io::Result<Vec<u8>> {
        let out = match self {
            Self::Gzip(decoder) => {
                decoder.write_all(piece)?;
                decoder.flush()?;
                decoder.get_mut()
            }
            Self::Deflate(decoder) => {
                decoder.write_all(piece)?;
                decoder.flush()?;
                decoder.get_mut()
            }
            Self::Brotli(decoder) => {
                decoder.write_all(piece)?;
                decoder.flush()?;
                decoder.get_mut()
            }
            Self::Zstd(decoder) => {
                decoder.write_all(piece)?;
                decoder.flush()?;
                decoder.get_mut()
            }
            Self::Broken(reason) => return Err(io::Error::other(reason.clone())),
        };
        Ok(std::mem::take(&mut out.0))
    }

    /// The output at the end of the body.
    fn finish(&mut self) -> io::Result<Vec<u8>> {
        let out = match self {
            Self::Gzip(decoder) => {
                decoder.try_finish()?;
                decoder.get_mut()
            }
            Self::Deflate(decoder) => {
                decoder.try_finish()?;
                decoder.get_mut()
            }
            Self::Brotli(decoder) => {
                decoder.close()?;
                decoder.get_mut()
            }
            Self::Zstd(decoder) => decoder.get_mut(),
            Self::Broken(reason) => return Err(io::Error::other(reason.clone())),
        };
        Ok(std::mem::take(&mut out.0))
    }
}

fn failed(error: &io::Error) -> Failure {
    let is_too_large = error
        .get_ref()
        .is_some_and(|inner| inner.is::<PieceTooLargeError>());
    let cause = if is_too_large {
        Cause::BodyTooLarge {
            limit: PIECE_BYTES_MAX as u64,
        }
    } else if error.kind() == io::ErrorKind::UnexpectedEof {
        Cause::Other("unexpected EOF".to_owned())
    } else {
        Cause::Decompression {
            reason: error.to_string(),
            doubled: false,
        }
    };
    Failure::new(cause).in_body()
}

impl fmt::Debug for Decoders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Decoders").field(&self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::in_turns;

    const TEXT: &[u8] = b"data: one and one and one and one\n\n";

    fn gzip_in_pieces(count: usize) -> Vec<Vec<u8>> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut pieces = Vec::new();
        for _ in 0..count {
            encoder.write_all(TEXT).unwrap();
            encoder.flush().unwrap();
            pieces.push(std::mem::take(encoder.get_mut()));
        }
        pieces.push(encoder.finish().unwrap());
        pieces
    }

    /// A decoder that waits for more input would hand an event on with the next one.
    #[test]
    fn each_flushed_piece_is_handed_on_at_once() {
        let pieces = gzip_in_pieces(3);
        let mut decoders = Decoders::new(b"gzip");
        let mut out = Vec::new();
        for (number, piece) in pieces[..3].iter().enumerate() {
            in_turns(decoders.push(piece, &mut out)).0.unwrap();
            assert_eq!(out, TEXT.repeat(number + 1));
        }
        in_turns(decoders.push(&pieces[3], &mut out)).0.unwrap();
        decoders.finish(&mut out).unwrap();
        assert_eq!(out, TEXT.repeat(3));
    }

    #[test]
    fn every_coding_is_undone_byte_by_byte() {
        for coding in ["gzip", "deflate", "br", "zstd", "gzip, br"] {
            let codings = Coding::parse_list(coding).unwrap();
            let body = crate::compress(&codings, &TEXT.repeat(50)).unwrap();
            let mut decoders = Decoders::new(coding.as_bytes());
            let mut out = Vec::new();
            for byte in &body {
                in_turns(decoders.push(&[*byte], &mut out)).0.unwrap();
            }
            decoders.finish(&mut out).unwrap();
            assert_eq!(out, TEXT.repeat(50), "{coding}");
        }
    }

    #[test]
    fn a_plain_body_is_handed_on_as_it_is() {
        let mut out = Vec::new();
        for encoding in [&b""[..], b"identity"] {
            in_turns(Decoders::new(encoding).push(b"ab", &mut out))
                .0
                .unwrap();
        }
        assert_eq!(out, b"abab");
    }

    #[test]
    fn what_is_not_coded_as_it_says_fails() {
        let mut out = Vec::new();
        for encoding in ["gzip", "deflate", "zstd"] {
            let mut decoders = Decoders::new(encoding.as_bytes());
            let failure = in_turns(decoders.push(b"this is plain text", &mut out))
                .0
                .unwrap_err();
            assert!(failure.is_in_body());
            assert_eq!(failure.code(), 1701, "{encoding}");
        }
    }

    #[test]
    fn a_small_piece_that_becomes_very_much_ends_the_body() {
        let zeros = vec![0; 1024 * 1024];
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        for _ in 0..PIECE_BYTES_MAX / zeros.len() + 1 {
            encoder.write_all(&zeros).unwrap();
        }
        let bomb = encoder.finish().unwrap();
        assert!(bomb.len() < 64 * 1024, "{}", bomb.len());
        let mut out = Vec::new();
        let failure = in_turns(Decoders::new(b"zstd").push(&bomb, &mut out))
            .0
            .unwrap_err();
        assert!(out.len() <= PIECE_BYTES_MAX, "{}", out.len());
        assert_eq!(failure, failed(&io::Error::other(PieceTooLargeError)));
    }
}
