//! What happens when tags have too many values.
//!
//! A tag with an unbounded value (a URL with an id in it) would make a series per
//! request. Once a worker holds as many tag sets as the rule allows, a set it has not
//! seen yet is *folded*: the tags being added keep their value only if
//!
//! 1. their key is on the keep list (keys with few values: scenario, group, status, …), or
//! 2. a sub-metric names exactly this key and value, so no threshold loses a sample;
//!
//! every other added value becomes [`FOLDED`]. Sums over all series stay exact; only
//! which series a sample is found in changes, and the run says how many were folded.

use rustc_hash::{FxHashMap, FxHashSet};

/// The value that stands for all folded ones.
pub const FOLDED: &str = "(other)";

/// When to fold, and what never to fold.
#[derive(Debug, Clone)]
pub struct FoldRule {
    limit: usize,
    keep: FxHashSet<Box<str>>,
    named: FxHashMap<Box<str>, FxHashSet<Box<str>>>,
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

    /// Folds new sets once `limit` exist, sparing the keys in `keep` and the
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

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// `value` itself, or [`FOLDED`].
    pub(crate) fn value<'a>(&self, key: &str, value: &'a str) -> &'a str {
        let named = self.named.get(key).is_some_and(|set| set.contains(value));
        if named || self.keep.contains(key) {
            value
        } else {
            FOLDED
        }
    }
}
