//! Where decoded bytes go, and why a body cannot be decoded.

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
    pub(super) limit: u64,
}

impl Sink<'_> {
    /// The least free space for each step.
    pub(super) const STEP_BYTES_MIN: usize = 16 * 1024;

    /// Makes room for at least one more step.
    pub(super) fn make_room(&mut self) {
        if self.out.capacity() - self.out.len() < Self::STEP_BYTES_MIN / 2 {
            self.out.reserve(Self::STEP_BYTES_MIN);
        }
    }

    /// Cuts off what exceeds the limit.
    ///
    /// # Errors
    /// [`Fault::TooLarge`] if something did.
    pub(super) fn check(&mut self) -> Result<(), Fault> {
        match usize::try_from(self.limit) {
            Ok(limit) if self.out.len() > limit => {
                self.out.truncate(limit);
                Err(Fault::TooLarge)
            }
            _ => Ok(()),
        }
    }
}
