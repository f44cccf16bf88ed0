//! Where decoded bytes go, and why a body cannot be decoded.

use loadline_reactor::yield_now;

use crate::failure::{Cause, Failure};

/// Why a body cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
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
    pub(super) fn ends_too_soon() -> Self {
        Self::Plain("unexpected EOF".to_owned())
    }

    pub(super) fn into_failure(self, limit: u64) -> Failure {
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
pub(super) struct Sink<'b> {
    pub(super) out: &'b mut Vec<u8>,
    limit: u64,
    /// The length at which others get their turn.
    turn_ends_at: usize,
}

impl<'b> Sink<'b> {
    /// Decoded in one turn: about a millisecond's work.
    const TURN_BYTES: usize = 256 * 1024;

    pub(super) fn new(out: &'b mut Vec<u8>, limit: u64) -> Self {
        let turn_ends_at = out.len() + Self::TURN_BYTES;
        Self {
            out,
            limit,
            turn_ends_at,
        }
    }

    /// The least free space for each step.
    pub(super) const STEP_BYTES_MIN: usize = 16 * 1024;

    /// Makes room for at least one more step, and for no more than one turn: decoders fill what
    /// there is. Large buffers grow in place, by moved pages.
    pub(super) fn make_room(&mut self) {
        let length = self.out.len();
        if self.out.capacity() - length < Self::STEP_BYTES_MIN / 2 {
            let more = length.clamp(Self::STEP_BYTES_MIN, Self::TURN_BYTES);
            self.out.reserve_exact(more);
        }
    }

    /// Ends a step: cuts off what exceeds the limit, and lets others have their turn after
    /// [`Self::TURN_BYTES`], since a small body may become a large one.
    ///
    /// # Errors
    /// [`Fault::TooLarge`] if something did.
    pub(super) async fn end_step(&mut self) -> Result<(), Fault> {
        if self.out.len() >= self.turn_ends_at {
            self.turn_ends_at = self.out.len() + Self::TURN_BYTES;
            yield_now().await;
        }
        match usize::try_from(self.limit) {
            Ok(limit) if self.out.len() > limit => {
                self.out.truncate(limit);
                Err(Fault::TooLarge)
            }
            _ => Ok(()),
        }
    }
}
