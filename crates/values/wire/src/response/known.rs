//! A cache of the last response's head.
//!
//! A server usually answers the same request with the same head until its `Date` changes. Such a
//! head need not be parsed again: if its bytes equal those of the last one, the results are
//! reused.

use super::framing::Frame;
use super::head::ResponseHead;
use super::{RequestKind, ResponseLimits};

/// The last head that arrived completely, and its meaning.
#[derive(Debug, Default)]
pub(super) struct CachedHead {
    head: ResponseHead,
    /// Its meaning as the response to a kind of request.
    meaning: Option<(RequestKind, Frame)>,
}

impl CachedHead {
    /// If `input` begins with the cached head, and that fits `limits` and was the response to a
    /// request of the same kind: fills `head` and returns its length and meaning.
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

    /// Caches a head whose bytes are unchanged.
    pub(super) fn remember(&mut self, head: &ResponseHead, kind: RequestKind, frame: Frame) {
        self.head.copy_from(head);
        self.meaning = Some((kind, frame));
    }
}
