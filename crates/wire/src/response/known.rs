//! The head of the response before, remembered.
//!
//! A server that is asked for the same thing answers with the same head until the clock
//! in its `Date` moves on. Such a head need not be read again: it is compared with the
//! one before, and what was found then is taken over.

use super::framing::Frame;
use super::head::ResponseHead;
use super::{RequestKind, ResponseLimits};

/// The last head that came whole, and what it says.
#[derive(Debug, Default)]
pub(super) struct CachedHead {
    head: ResponseHead,
    /// What it meant as the answer to which kind of request.
    meaning: Option<(RequestKind, Frame)>,
}

impl CachedHead {
    /// If `input` begins with the known head, which then fits `limits` and answers a
    /// request of `kind` again: fills `head`, and gives its length and meaning.
    pub(super) fn recognise(
        &self,
        input: &[u8],
        kind: RequestKind,
        limits: &ResponseLimits,
        head: &mut ResponseHead,
    ) -> Option<(usize, Frame)> {
        let (before, frame) = self.meaning?;
        let length = self.head.bytes.len();
        let fits = length <= limits.head_bytes && self.head.fields.len() <= limits.fields;
        if before != kind || !fits || !input.starts_with(&self.head.bytes) {
            return None;
        }
        head.copy_from(&self.head);
        Some((length, frame))
    }

    /// Remembers a head whose bytes are as they came.
    pub(super) fn remember(&mut self, head: &ResponseHead, kind: RequestKind, frame: Frame) {
        self.head.copy_from(head);
        self.meaning = Some((kind, frame));
    }
}
