//! Decodes a response's body by its `Content-Encoding`, as k6 does.
//!
//! Codings are undone from the last to the first; unknown names (in lower case) are skipped. A
//! decoder's error becomes k6's text and code. The output of each coding is limited, so a small
//! body cannot grow without bounds, and decoding gives way to the worker's other tasks.

mod brotli;
mod flate;
mod sink;
mod streaming;
#[cfg(test)]
mod tests;
mod zstd;

pub(crate) use streaming::Decoders;

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::coding::Coding;
use crate::failure::Failure;
use sink::Sink;

/// Decodes a body whose codings give at most `limit` bytes each; its length, or k6's text of what is
/// wrong with it. For fuzzing, which is all that may call it.
#[doc(hidden)]
pub fn decoded_length(encoding: &[u8], body: &[u8], limit: u64) -> Result<usize, String> {
    let (mut body, mut scratch) = (body.to_vec(), Vec::new());
    let (outcome, _) = in_turns(decode(encoding, &mut body, &mut scratch, limit));
    outcome
        .map(|()| body.len())
        .map_err(|failure| failure.to_string())
}

/// A body that was kept coded, decoded as far as it goes and up to `limit` bytes.
#[must_use]
pub fn decoded(encoding: &[u8], mut body: Vec<u8>, limit: u64) -> Vec<u8> {
    let mut scratch = Vec::new();
    // One that is cut ends with a mistake: what came before it counts.
    let _ = in_turns(decode(encoding, &mut body, &mut scratch, limit));
    body
}

/// What a future comes to that waits for nothing but its next turn, and its turns.
pub(crate) fn in_turns<F: Future>(future: F) -> (F::Output, usize) {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    let mut turns = 1;
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return (output, turns);
        }
        turns += 1;
    }
}

/// Decodes `body` in place; `scratch` is a work buffer. `encoding` is the value of the first
/// `Content-Encoding`.
///
/// # Errors
/// A [`Failure`] in the body: 1701 or 1000 as k6 has it, 1702 if a coding gives more
/// than `limit` bytes. `body` then holds what was decoded.
pub(crate) async fn decode(
    encoding: &[u8],
    body: &mut Vec<u8>,
    scratch: &mut Vec<u8>,
    limit: u64,
) -> Result<(), Failure> {
    let names = encoding.rsplit(|&b| b == b',');
    let codings =
        names.filter_map(|name| Coding::from_name(std::str::from_utf8(name).ok()?.trim()));
    for coding in codings {
        scratch.clear();
        let mut sink = Sink::new(scratch, limit);
        let outcome = match coding {
            Coding::Gzip => flate::gzip(body, &mut sink).await,
            Coding::Deflate => flate::zlib(body, &mut sink).await,
            Coding::Brotli => brotli::brotli(body, &mut sink).await,
            Coding::Zstd => zstd::zstd(body, &mut sink).await,
        };
        std::mem::swap(body, scratch);
        outcome.map_err(|fault| fault.into_failure(limit))?;
    }
    Ok(())
}
