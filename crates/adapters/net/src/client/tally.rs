//! What became of a client's requests: each that begins is counted once more when it ends,
//! or when it is given up.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use loadline_units::{RequestCounts, Time};

/// What kind of request it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedAs {
    /// An HTTP exchange.
    Http,
    /// A gRPC call.
    GrpcCall,
    /// The handshake of a WebSocket.
    WebSocketHandshake,
}

/// A request that was given up while it was under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutRequest {
    /// What it was.
    pub kind: CountedAs,
    /// When it was asked for.
    pub started: Time,
}

/// A client's counts since they were last taken.
#[derive(Default)]
pub(super) struct Tally {
    counts: Cell<RequestCounts>,
    cut: RefCell<Vec<CutRequest>>,
}

impl Tally {
    pub(super) fn take(&self) -> RequestCounts {
        self.counts.take()
    }

    /// HTTP requests that were cut, or all others.
    pub(super) fn take_cut(&self, is_http: bool) -> Vec<CutRequest> {
        let mut all = self.cut.borrow_mut();
        if all.is_empty() {
            return Vec::new();
        }
        let is_meant = |cut: &CutRequest| (cut.kind == CountedAs::Http) == is_http;
        let (taken, left) = all.drain(..).partition(is_meant);
        *all = left;
        taken
    }

    /// A request is written once more.
    pub(super) fn resent(&self) {
        self.change(|counts| counts.resent += 1);
    }

    fn change(&self, change: impl FnOnce(&mut RequestCounts)) {
        let mut counts = self.counts.get();
        change(&mut counts);
        self.counts.set(counts);
    }
}

/// A request under way; counts as cut when it is dropped before its end.
#[derive(Debug)]
pub(crate) struct UnderWay {
    /// `None` once it has ended.
    tally: Option<Rc<Tally>>,
    kind: CountedAs,
    started: Time,
}

impl UnderWay {
    pub(super) fn begin(tally: &Rc<Tally>, kind: CountedAs, started: Time) -> Self {
        tally.change(|counts| counts.sent += 1);
        Self {
            tally: Some(tally.clone()),
            kind,
            started,
        }
    }

    /// A request that has just ended is under way again: its body must still be decoded, while
    /// it can be given up. Nothing may have been awaited since [`Self::end`].
    pub(super) fn resume(tally: &Rc<Tally>, started: Time, answered: bool) -> Self {
        tally.change(|counts| {
            if answered {
                counts.answered -= 1;
            } else {
                counts.failed -= 1;
            }
        });
        Self {
            tally: Some(tally.clone()),
            kind: CountedAs::Http,
            started,
        }
    }

    /// Does as if it had not been sent: it is a part of another that counts.
    pub(super) fn forget(mut self) {
        if let Some(tally) = self.tally.take() {
            tally.change(|counts| counts.sent -= 1);
        }
    }

    /// It ended, with an answer or without.
    pub(crate) fn end(self, answered: bool) {
        self.end_call(answered, true);
    }

    /// The same of a gRPC call or a handshake, which may be answered with an error.
    pub(crate) fn end_call(mut self, answered: bool, is_good: bool) {
        if let Some(tally) = self.tally.take() {
            let is_other = self.kind != CountedAs::Http;
            tally.change(|counts| {
                counts.other_ended += u64::from(is_other);
                counts.other_failed += u64::from(is_other && !is_good);
                if answered {
                    counts.answered += 1;
                } else {
                    counts.failed += 1;
                }
            });
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        if let Some(tally) = &self.tally {
            let is_other = self.kind != CountedAs::Http;
            tally.change(|counts| {
                counts.cut += 1;
                counts.other_cut += u64::from(is_other);
            });
            let cut = CutRequest {
                kind: self.kind,
                started: self.started,
            };
            tally.cut.borrow_mut().push(cut);
        }
    }
}

impl fmt::Debug for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.counts.get(), f)
    }
}
