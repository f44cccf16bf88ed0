//! Decodes a response's body by its `Content-Encoding`, as k6 does.
//!
//! Codings are undone from the last to the first; unknown names (in lower case) are skipped. A
//! decoder's error becomes k6's text and code. The output of each coding is limited, so a small
//! body cannot grow without bounds.

mod brotli;
mod flate;
mod streaming;
#[cfg(test)]
mod tests;
mod zstd;

pub(crate) use streaming::Decoders;

use crate::coding::Coding;
use crate::failure::{Cause, Failure};

/// Decodes `body` in place; `scratch` is a work buffer. `encoding` is the value of the first
/// `Content-Encoding`.
///
/// # Errors
/// A [`Failure`] in the body: 1701 or 1000 as k6 has it, 1702 if a coding gives more
/// than `limit` bytes. `body` then holds what was decoded.
pub(crate) fn decode(
    encoding: &[u8],
    body: &mut Vec<u8>,
    scratch: &mut Vec<u8>,
    limit: u64,
) -> Result<(), Failure> {
    let names = encoding.rsplit(|&b| b == b',');
    let codings = names.filter_map(|name| Coding::of(std::str::from_utf8(name).ok()?.trim()));
    for coding in codings {
        scratch.clear();
        let mut sink = Sink {
            out: scratch,
            limit,
        };
        let outcome = match coding {
            Coding::Gzip => flate::gzip(body, &mut sink),
            Coding::Deflate => flate::zlib(body, &mut sink),
            Coding::Brotli => brotli::brotli(body, &mut sink),
            Coding::Zstd => zstd::zstd(body, &mut sink),
        };
        std::mem::swap(body, scratch);
        outcome.map_err(|fault| fault.into_failure(limit))?;
    }
    Ok(())
}

/// Why a body cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fault {
    /// The data is malformed; k6 shows its prefix twice.
    Broken(&'static str),
    /// The data is malformed, or ends within its header.
    BrokenOnce(String),
    /// The data ends too soon or is corrupt; k6 shows the text alone, with code 1000.
    Plain(String),
    /// The output exceeds the limit.
    TooLarge,
}

impl Fault {
    fn ends_too_soon() -> Self {
        Self::Plain("unexpected EOF".to_owned())
    }

    fn into_failure(self, limit: u64) -> Failure {
        let cause = match self {
            Self::Broken(reason) => Cause::Decompression {
                reason: reason.to_owned(),
                doubled: true,
            },
            Self::BrokenOnce(reason) => Cause::Decompression {
                reason,
                doubled: false,
            },
            Self::Plain(text) => Cause::Other(text),
            Self::TooLarge => Cause::BodyTooLarge { limit },
        };
        Failure::new(cause).in_body()
    }
}

/// Takes decoded bytes, up to a limit.
struct Sink<'b> {
    out: &'b mut Vec<u8>,
    limit: u64,
}

impl Sink<'_> {
    /// The least free space for each step.
    const STEP: usize = 16 * 1024;

    /// Makes room for at least one more step.
    fn make_room(&mut self) {
        if self.out.capacity() - self.out.len() < Self::STEP / 2 {
            self.out.reserve(Self::STEP);
        }
    }

    /// Cuts off what exceeds the limit.
    ///
    /// # Errors
    /// [`Fault::TooLarge`] if something did.
    fn check(&mut self) -> Result<(), Fault> {
        match usize::try_from(self.limit) {
            Ok(limit) if self.out.len() > limit => {
                self.out.truncate(limit);
                Err(Fault::TooLarge)
            }
            _ => Ok(()),
        }
    }
}
