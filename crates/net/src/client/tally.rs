//! What became of a client's requests: each that begins is counted once more when it ends,
//! or when it is given up.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use loadline_units::{RequestCounts, Time};

/// A request that was given up while it was under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutRequest {
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

    pub(super) fn take_cut(&self) -> Vec<CutRequest> {
        self.cut.take()
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
pub(super) struct UnderWay {
    /// `None` once it has ended.
    tally: Option<Rc<Tally>>,
    started: Time,
}

impl UnderWay {
    pub(super) fn begin(tally: &Rc<Tally>, started: Time) -> Self {
        tally.change(|counts| counts.sent += 1);
        Self {
            tally: Some(tally.clone()),
            started,
        }
    }

    /// Does as if it had not been sent: it is a part of another that counts.
    pub(super) fn forget(mut self) {
        if let Some(tally) = self.tally.take() {
            tally.change(|counts| counts.sent -= 1);
        }
    }

    pub(super) fn end(mut self, answered: bool) {
        if let Some(tally) = self.tally.take() {
            tally.change(|counts| {
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
            tally.change(|counts| counts.cut += 1);
            let cut = CutRequest {
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
