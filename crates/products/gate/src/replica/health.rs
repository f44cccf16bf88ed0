//! Whether a replica's log takes and gives entries, and why not.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What became of the last append and the last read. A full disk can still be read, so a
/// read that succeeds says nothing of appends.
#[derive(Debug, Default)]
pub(super) struct Health {
    append_failed: AtomicBool,
    read_failed: AtomicBool,
    /// An entry was met that this version cannot read; it reads no further.
    unfit: AtomicBool,
    /// The last reason.
    why: Mutex<String>,
}

impl Health {
    pub(super) fn appended(&self) {
        self.append_failed.store(false, Ordering::Relaxed);
    }

    pub(super) fn append_failed(&self, why: &impl Display) {
        self.note_cause(why);
        self.append_failed.store(true, Ordering::Relaxed);
    }

    pub(super) fn read(&self) {
        self.read_failed.store(false, Ordering::Relaxed);
    }

    pub(super) fn read_failed(&self, why: &impl Display) {
        self.note_cause(why);
        self.read_failed.store(true, Ordering::Relaxed);
    }

    pub(super) fn unfit(&self, why: &impl Display) {
        self.note_cause(why);
        self.unfit.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_unfit(&self) -> bool {
        self.unfit.load(Ordering::Relaxed)
    }

    pub(super) fn is_good(&self) -> bool {
        let failed = [&self.append_failed, &self.read_failed, &self.unfit];
        failed.iter().all(|failed| !failed.load(Ordering::Relaxed))
    }

    /// Why it is not good; `None` when it is.
    pub(super) fn why(&self) -> Option<String> {
        let why = || {
            self.why
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        };
        (!self.is_good()).then(why)
    }

    /// What makes it unfit stays the reason.
    fn note_cause(&self, why: &impl Display) {
        if !self.is_unfit() {
            *self.why.lock().unwrap_or_else(PoisonError::into_inner) = why.to_string();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Health;

    #[test]
    fn a_log_that_can_be_read_and_not_written_is_not_good_and_says_why() {
        let health = Health::default();
        assert_eq!(health.why(), None);
        health.append_failed(&"no space left");
        health.read();
        assert_eq!(health.why().as_deref(), Some("no space left"));
        health.appended();
        assert!(health.is_good());
        health.unfit(&"a later version");
        health.append_failed(&"nobody reads");
        assert_eq!(health.why().as_deref(), Some("a later version"));
    }
}
