//! What an instance remembers: counters, ids used, and how often it was asked what.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

/// A deliberate mistake of the server, to prove that a comparison notices it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// Redirect chains are one hop longer than asked for.
    RedirectOneMore,
    /// Deleting a cookie leaves it in place.
    CookieStays,
    /// Every 200 becomes a 201.
    Created,
    /// Compressed bodies lose their last byte before compression.
    ShortBody,
}

/// How often the server was asked what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// TCP connections accepted on all ports.
    pub connections: u64,
    /// Requests by `METHOD path status`, the query left out. Raw ports say `RAW path`.
    pub requests: BTreeMap<String, u64>,
}

#[derive(Debug, Default)]
struct Memory {
    stats: Stats,
    counters: HashMap<String, u64>,
    records: HashMap<String, String>,
    used: BTreeSet<String>,
}

/// Shared by all connections of one instance.
#[derive(Debug)]
pub(super) struct State {
    pub(super) defect: Option<Defect>,
    memory: Mutex<Memory>,
}

impl State {
    pub(super) fn new(defect: Option<Defect>) -> Self {
        Self {
            defect,
            memory: Mutex::default(),
        }
    }

    fn with<R>(&self, change: impl FnOnce(&mut Memory) -> R) -> R {
        let mut memory = self
            .memory
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        change(&mut memory)
    }

    pub(super) fn count_connection(&self) {
        self.with(|memory| memory.stats.connections += 1);
    }

    pub(super) fn count_request(&self, what: String) {
        self.with(|memory| *memory.stats.requests.entry(what).or_default() += 1);
    }

    pub(super) fn stats(&self) -> Stats {
        self.with(|memory| memory.stats.clone())
    }

    /// Adds one to a named counter and returns its new value.
    pub(super) fn next(&self, name: &str) -> u64 {
        self.with(|memory| {
            let count = memory.counters.entry(name.to_owned()).or_default();
            *count += 1;
            *count
        })
    }

    pub(super) fn current(&self, name: &str) -> u64 {
        self.with(|memory| memory.counters.get(name).copied().unwrap_or_default())
    }

    /// Takes an id that may be used once; false when it was taken before.
    pub(super) fn take(&self, id: &str) -> bool {
        self.with(|memory| memory.used.insert(id.to_owned()))
    }

    pub(super) fn store(&self, key: String, value: String) {
        self.with(|memory| memory.records.insert(key, value));
    }

    pub(super) fn fetch(&self, key: &str) -> Option<String> {
        self.with(|memory| memory.records.get(key).cloned())
    }
}
