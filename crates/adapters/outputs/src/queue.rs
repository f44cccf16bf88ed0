//! One output's queue, and the replacement of samples that do not fit.
//!
//! Single samples may fill three quarters of the queue. Beyond that the samples of a window are
//! replaced by its sums, until half of the queue is free again. Sums that do not fit wait in
//! memory, merged into one. Every sample still counts in them, and the number of series bounds
//! their size.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use loadline_metrics::MetricValue;

use crate::batch::Batch;
use crate::frame::{Frame, Sums, decode, encode_sums};
use crate::spool::Spool;

/// What an output is fed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// Every sample.
    Samples,
    /// Sums per window.
    Sums,
}

/// A change in how a queue stores samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum QueueEvent {
    /// From this time of day on, sums replace samples.
    Replacing { from: i64, cause: ReplaceCause },
    /// From this time of day on, samples are stored again.
    Resumed { from: i64 },
}

/// Why sums replace samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaceCause {
    /// What may wait for the output is full.
    Full,
    /// There were more samples in a window than are kept of one.
    TooMany,
    /// They could not be written to disk.
    Disk {
        /// The system's reason.
        reason: String,
    },
}

impl ReplaceCause {
    /// Its name in events and messages.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::TooMany => "too-many",
            Self::Disk { .. } => "disk",
        }
    }
}

/// The samples replaced so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ReplacedSamples {
    /// How many samples went into sums.
    pub(crate) samples: u64,
    /// When the first of their windows began.
    pub(crate) first: Option<i64>,
    /// When the last of their windows ended.
    pub(crate) last: i64,
}

/// What was not delivered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Backlog {
    pub(crate) samples: u64,
    pub(crate) windows: u64,
    /// How many windows could not be read back from disk, also before.
    pub(crate) unreadable: u64,
}

/// A queue between the run and one output's thread.
#[derive(Debug)]
pub(crate) struct Queue {
    wants: InputKind,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    spool: Spool,
    held: Option<MergedSums>,
    is_replacing: bool,
    replaced: ReplacedSamples,
    is_closed: bool,
    /// How many frames could not be read back from disk.
    unreadable: u64,
}

/// Sums that do not fit, merged.
#[derive(Debug, Default)]
struct MergedSums {
    from: i64,
    until: i64,
    series: BTreeMap<u32, MetricValue>,
}

impl MergedSums {
    fn add(&mut self, sums: Sums) {
        if self.series.is_empty() {
            self.from = sums.from;
        }
        self.until = self.until.max(sums.until);
        for (series, value) in sums.series {
            match self.series.entry(series) {
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert(value);
                }
                std::collections::btree_map::Entry::Occupied(mut place) => {
                    place.get_mut().absorb(value);
                }
            }
        }
    }

    fn frame(&self) -> Vec<u8> {
        let series = self.series.iter();
        encode_sums(&Sums {
            from: self.from,
            until: self.until,
            series: series.map(|(id, value)| (*id, value.clone())).collect(),
        })
    }
}

impl Queue {
    pub(crate) fn new(wants: InputKind, spool: Spool) -> Self {
        Self {
            wants,
            state: Mutex::new(State {
                spool,
                held: None,
                is_replacing: false,
                replaced: ReplacedSamples::default(),
                is_closed: false,
                unreadable: 0,
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a window.
    pub(crate) fn push(&self, batch: &Batch) -> Option<QueueEvent> {
        if batch.series.is_empty() && batch.samples() == 0 {
            return None;
        }
        let mut state = self.state();
        let change = match self.wants {
            InputKind::Sums => {
                state.push_sums(batch);
                None
            }
            InputKind::Samples => state.push_samples(batch),
        };
        drop(state);
        self.changed.notify_one();
        change
    }

    /// Marks the end: nothing follows.
    pub(crate) fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_one();
    }

    /// The oldest frame. Blocks until there is one; `None` once the queue is closed and empty.
    pub(crate) fn pop(&self) -> Option<Frame> {
        let mut state = self.state();
        loop {
            if let Some(frame) = state.pop() {
                return Some(frame);
            }
            if state.is_closed {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn replaced(&self) -> ReplacedSamples {
        self.state().replaced
    }

    /// Empties the queue and counts its content.
    pub(crate) fn drain(&self) -> Backlog {
        let mut state = self.state();
        let mut waiting = Backlog::default();
        while let Some(frame) = state.pop() {
            match frame {
                Frame::Samples(samples) => waiting.samples += samples.len() as u64,
                Frame::Sums(_) => waiting.windows += 1,
            }
        }
        waiting.unreadable = state.unreadable;
        waiting
    }
}

impl State {
    fn push_samples(&mut self, batch: &Batch) -> Option<QueueEvent> {
        let was_replacing = self.is_replacing;
        let is_relieved = self.held.is_none() && self.spool.used() <= self.spool.limit() / 2;
        let mut change = None;
        if !was_replacing || is_relieved {
            let from = batch.from;
            let Err(cause) = self.store(batch) else {
                self.is_replacing = false;
                return was_replacing.then_some(QueueEvent::Resumed { from });
            };
            self.is_replacing = true;
            change = (!was_replacing).then_some(QueueEvent::Replacing { from, cause });
        }
        self.replaced.samples += batch.samples();
        self.replaced.first.get_or_insert(batch.from);
        self.replaced.last = self.replaced.last.max(batch.until);
        self.push_sums(batch);
        change
    }

    /// Stores the single samples of `batch`; a quarter of the queue stays free for sums.
    fn store(&mut self, batch: &Batch) -> Result<(), ReplaceCause> {
        let spare = self.spool.limit() / 4;
        if !batch.is_complete() {
            return Err(ReplaceCause::TooMany);
        }
        // An empty queue takes a frame of any size, as it is sent next.
        if !self.spool.is_empty() && !self.spool.has_room(batch.samples_len(), spare) {
            return Err(ReplaceCause::Full);
        }
        let stored = self.spool.push(batch.samples_frame());
        stored.map_err(|error| ReplaceCause::Disk {
            reason: error.to_string(),
        })
    }

    fn push_sums(&mut self, batch: &Batch) {
        if let Some(held) = &mut self.held {
            held.add(batch.sums());
            let frame = held.frame();
            if self.spool.has_room(frame.len() as u64, 0) && self.spool.push(frame).is_ok() {
                self.held = None;
            }
            return;
        }
        let frame = batch.sums_frame();
        if !self.spool.has_room(frame.len() as u64, 0) || self.spool.push(frame).is_err() {
            let mut held = MergedSums::default();
            held.add(batch.sums());
            self.held = Some(held);
        }
    }

    /// The next frame that can be read; the others are counted.
    fn pop(&mut self) -> Option<Frame> {
        while !self.spool.is_empty() {
            let bytes = self.spool.pop().ok().flatten();
            if let Some(frame) = bytes.as_deref().and_then(decode) {
                return Some(frame);
            }
            self.unreadable += 1;
        }
        let held = self.held.take()?;
        decode(&held.frame())
    }
}

#[cfg(test)]
mod tests;
