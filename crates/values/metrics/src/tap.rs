//! Single samples, for outputs that want every one of them.
//!
//! A shard has a tap only while such an output is on. Samples go into chunks that all workers
//! of a run draw from one [`TapPool`] and that come back to it when the last reader drops the
//! [`RawPart`] they are in, so what is under way is bounded. A worker that finds the pool empty
//! counts the samples it could not keep: its part of that window then says so, and what
//! needs single samples takes the window's sums instead, which hold every sample.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crossbeam_queue::ArrayQueue;
use loadline_units::{Time, WorkerId};

use crate::kind::MetricId;
use crate::tags::TagSetId;

/// Samples in one chunk.
const SAMPLES_PER_CHUNK: usize = 4096;

/// One sample as it was recorded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TapSample {
    /// Its metric.
    pub metric: MetricId,
    /// Its tags: the worker's id on the way to the merger, the run's behind it.
    pub tags: TagSetId,
    /// When the worker was told of what it measures.
    pub at: Time,
    /// The value.
    pub value: f64,
}

/// Where the taps of a run draw their memory from. Clones are the same pool.
#[derive(Clone)]
pub struct TapPool(Arc<Pool>);

struct Pool {
    free: ArrayQueue<Vec<TapSample>>,
    /// Chunks that may still be made.
    unmade: AtomicUsize,
}

impl TapPool {
    /// A pool of about `samples` samples of 24 bytes; memory is taken as it is first needed.
    #[must_use]
    pub fn new(samples: usize) -> Self {
        let chunks = samples.div_ceil(SAMPLES_PER_CHUNK).max(1);
        Self(Arc::new(Pool {
            free: ArrayQueue::new(chunks),
            unmade: AtomicUsize::new(chunks),
        }))
    }

    fn take(&self) -> Option<Vec<TapSample>> {
        if let Some(chunk) = self.0.free.pop() {
            return Some(chunk);
        }
        let unmade = &self.0.unmade;
        unmade
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            })
            .ok()
            .map(|_| Vec::with_capacity(SAMPLES_PER_CHUNK))
    }

    fn give_back(&self, mut chunk: Vec<TapSample>) {
        chunk.clear();
        // There is room for every chunk there is.
        let _ = self.0.free.push(chunk);
    }
}

impl fmt::Debug for TapPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TapPool")
            .field("free", &self.0.free.len())
            .finish_non_exhaustive()
    }
}

/// A worker's tap.
pub(crate) struct Tap {
    pool: TapPool,
    chunks: Vec<Vec<TapSample>>,
    lost: u64,
}

impl Tap {
    pub(crate) fn new(pool: TapPool) -> Self {
        Self {
            pool,
            chunks: Vec::new(),
            lost: 0,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, sample: TapSample) {
        match self.chunks.last_mut() {
            // Chunks are never let grow.
            Some(chunk) if chunk.len() < SAMPLES_PER_CHUNK => chunk.push(sample),
            _ => self.push_anew(sample),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_anew(&mut self, sample: TapSample) {
        // Once one is lost, the window's samples are of no use to anybody.
        if self.lost == 0
            && let Some(mut chunk) = self.pool.take()
        {
            chunk.push(sample);
            self.chunks.push(chunk);
        } else {
            self.lost += 1;
        }
    }

    /// Moves out the samples since the last call.
    pub(crate) fn take(&mut self, worker: WorkerId) -> RawPart {
        RawPart {
            worker,
            chunks: std::mem::take(&mut self.chunks),
            lost: std::mem::take(&mut self.lost),
            pool: self.pool.clone(),
        }
    }
}

/// One worker's samples of one window, in the order they were recorded. Its memory goes back
/// to the pool when it is dropped.
#[derive(Debug)]
pub struct RawPart {
    /// Whose they are.
    pub worker: WorkerId,
    chunks: Vec<Vec<TapSample>>,
    lost: u64,
    pool: TapPool,
}

impl RawPart {
    /// The samples.
    pub fn samples(&self) -> impl Iterator<Item = &TapSample> {
        self.chunks.iter().flatten()
    }

    /// How many samples there were, those not kept included.
    #[must_use]
    pub fn count(&self) -> u64 {
        let kept: usize = self.chunks.iter().map(Vec::len).sum();
        kept as u64 + self.lost
    }

    /// Whether every sample was kept.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.lost == 0
    }

    /// Puts the run's tag sets in the place of the worker's.
    pub(crate) fn translate(&mut self, of: impl Fn(TagSetId) -> TagSetId) {
        for sample in self.chunks.iter_mut().flatten() {
            sample.tags = of(sample.tags);
        }
    }
}

impl Drop for RawPart {
    fn drop(&mut self) {
        for chunk in self.chunks.drain(..) {
            self.pool.give_back(chunk);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(value: f64) -> TapSample {
        TapSample {
            metric: MetricId(0),
            tags: TagSetId::EMPTY,
            at: Time::ZERO,
            value,
        }
    }

    #[test]
    fn an_empty_pool_costs_samples_that_are_counted_and_a_dropped_part_refills_it() {
        let mut tap = Tap::new(TapPool::new(SAMPLES_PER_CHUNK));
        for n in 0..SAMPLES_PER_CHUNK + 10 {
            tap.push(sample(n as f64));
        }
        let part = tap.take(WorkerId(0));
        assert!(!part.is_complete());
        assert_eq!(part.count(), SAMPLES_PER_CHUNK as u64 + 10);
        assert_eq!(part.samples().count(), SAMPLES_PER_CHUNK);

        tap.push(sample(1.0));
        assert!(!tap.take(WorkerId(0)).is_complete(), "still in use");

        drop(part);
        tap.push(sample(1.0));
        let part = tap.take(WorkerId(0));
        assert!(part.is_complete());
        assert_eq!(part.count(), 1);
    }
}
