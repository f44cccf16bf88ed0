//! What happens when tags have too many values.
//!
//! A tag with an unbounded value (a URL with an id in it) would make a series per
//! request. Once a run has as many series as the rule allows, a tag set it has not seen
//! yet is *folded*: the tags being added keep their value only if
//!
//! 1. their key is on the keep list (keys with few values: scenario, group, status, …), or
//! 2. a sub-metric names exactly this key and value, so no threshold loses a sample;
//!
//! every other added value becomes [`FOLDED`]. Should even the kept keys have endless values,
//! only what sub-metrics name is spared once a worker has twice as many tag sets as there may
//! be series. Sums over all series stay exact; only which series a sample is found in changes,
//! and the run says how many were folded.
//!
//! The workers of a run share the count, so a set one of them had before is never folded by
//! another. They meet only where a tag set or a series is made for the first time; once the
//! limit is reached, what was admitted never changes and is read without a lock.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

/// The value that stands for all folded ones.
pub const FOLDED: &str = "(other)";

/// When to fold, and what never to fold. Clones share one count of series.
#[derive(Debug, Clone)]
pub struct FoldRule {
    limit: usize,
    keep: FxHashSet<Box<str>>,
    named: FxHashMap<Box<str>, FxHashSet<Box<str>>>,
    admitted: Arc<Admitted>,
}

/// What all workers have seen before the limit was reached.
#[derive(Debug, Default)]
struct Admitted {
    /// Series, each counted once, however many workers have it.
    count: AtomicUsize,
    open: Mutex<SeenValues>,
    /// The tag sets, once no more are admitted.
    closed: OnceLock<FxHashSet<u64>>,
}

#[derive(Debug, Default)]
struct SeenValues {
    sets: FxHashSet<u64>,
    series: FxHashSet<u64>,
}

impl FoldRule {
    /// Keys that have few values by nature.
    pub const USUALLY_KEPT: [&str; 12] = [
        "check",
        "error_code",
        "expected_response",
        "group",
        "method",
        "proto",
        "scenario",
        "service",
        "status",
        "subproto",
        "tls_version",
        "executor",
    ];

    /// Folds new sets once `limit` series exist, sparing the keys in `keep` and the
    /// (key, value) pairs in `named`.
    pub fn new<'a>(
        limit: usize,
        keep: impl IntoIterator<Item = &'a str>,
        named: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let mut rule = Self {
            limit,
            keep: keep.into_iter().map(Box::from).collect(),
            named: FxHashMap::default(),
            admitted: Arc::default(),
        };
        for (key, value) in named {
            rule.named
                .entry(key.into())
                .or_default()
                .insert(value.into());
        }
        rule
    }

    /// Never folds.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(usize::MAX, [], [])
    }

    /// Whether new tag sets are folded from now on.
    pub(crate) fn is_full(&self) -> bool {
        self.admitted.closed.get().is_some()
    }

    /// Whether some worker had the tag set with this content before the limit was reached.
    pub(crate) fn knows(&self, content: u64) -> bool {
        let closed = self.admitted.closed.get();
        closed.is_some_and(|sets| sets.contains(&content))
    }

    /// Hears of a tag set that is new to a worker.
    pub(crate) fn set_made(&self, content: u64) {
        if self.limit == usize::MAX || self.is_full() {
            return;
        }
        self.open().sets.insert(content);
    }

    /// Hears of a series that is new to a worker.
    pub(crate) fn series_made(&self, identity: u64) {
        if self.limit == usize::MAX || self.is_full() {
            return;
        }
        let mut open = self.open();
        if open.series.insert(identity) {
            let count = self.admitted.count.fetch_add(1, Ordering::Relaxed) + 1;
            if count >= self.limit {
                let seen = std::mem::take(&mut *open);
                // Set only here, under the lock.
                let _ = self.admitted.closed.set(seen.sets);
            }
        }
    }

    fn open(&self) -> std::sync::MutexGuard<'_, SeenValues> {
        let open = self.admitted.open.lock();
        open.unwrap_or_else(PoisonError::into_inner)
    }

    /// `value` itself, or [`FOLDED`]; `sets` is how many tag sets the worker has.
    pub(crate) fn value<'a>(&self, key: &str, value: &'a str, sets: usize) -> &'a str {
        let named = self.named.get(key).is_some_and(|set| set.contains(value));
        if named || (self.keep.contains(key) && sets < self.limit.saturating_mul(2)) {
            value
        } else {
            FOLDED
        }
    }
}
