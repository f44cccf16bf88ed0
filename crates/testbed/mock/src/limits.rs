//! Limits that make requests wait, and reject them if too many wait.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// The limits of a route, and its queue.
#[derive(Debug)]
pub(crate) struct RouteGate {
    slots: Option<Semaphore>,
    /// The time between two requests, and when the next one may start.
    pace: Option<(Duration, Mutex<Instant>)>,
    queue: usize,
    waiting: AtomicUsize,
}

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct QueueFull;

impl RouteGate {
    pub(crate) fn new(
        concurrency: Option<usize>,
        rate: Option<f64>,
        queue: usize,
        now: Instant,
    ) -> Self {
        Self {
            slots: concurrency.map(|slots| Semaphore::new(slots.min(Semaphore::MAX_PERMITS))),
            pace: rate.map(|rate| (Duration::from_secs_f64(1.0 / rate), Mutex::new(now))),
            queue,
            waiting: AtomicUsize::new(0),
        }
    }

    /// The number of waiting requests.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Waits until the request may be processed.
    ///
    /// # Errors
    /// [`QueueFull`] if the queue is full.
    pub(crate) async fn enter(&self) -> Result<Option<SemaphorePermit<'_>>, QueueFull> {
        if let Some((step, next)) = &self.pace {
            let now = Instant::now();
            let at = {
                let mut next = next
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                let at = (*next).max(now);
                let ahead = (at - now).as_secs_f64() / step.as_secs_f64();
                if ahead > self.queue as f64 {
                    return Err(QueueFull);
                }
                *next = at + *step;
                at
            };
            if at > now {
                let _waits = QueuePlace::new(&self.waiting);
                tokio::time::sleep_until(at).await;
            }
        }
        let Some(slots) = &self.slots else {
            return Ok(None);
        };
        if let Ok(slot) = slots.try_acquire() {
            return Ok(Some(slot));
        }
        if self.waiting.load(Ordering::Relaxed) >= self.queue {
            return Err(QueueFull);
        }
        let _waits = QueuePlace::new(&self.waiting);
        let slot = slots.acquire().await;
        Ok(Some(slot.expect("the semaphore is never closed")))
    }
}

/// A place in the queue. It is free again when this is dropped, also when the client disconnects.
struct QueuePlace<'a>(&'a AtomicUsize);

impl<'a> QueuePlace<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for QueuePlace<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_rate_limit_spaces_requests_and_bounds_the_queue() {
        let start = Instant::now();
        let gate = RouteGate::new(None, Some(2.0), 2, start);
        let enter = || async {
            let entered = gate.enter().await;
            entered.map(|_| start.elapsed().as_millis())
        };
        let (a, b, c, d) = tokio::join!(enter(), enter(), enter(), enter());
        assert_eq!([a, b, c], [Ok(0), Ok(500), Ok(1000)]);
        assert_eq!(d, Err(QueueFull));
    }

    #[tokio::test(start_paused = true)]
    async fn a_concurrency_limit_queues_and_then_turns_away() {
        let gate = RouteGate::new(Some(1), None, 1, Instant::now());
        let first = gate.enter().await.unwrap();
        let second = gate.enter();
        let third = async {
            tokio::time::sleep(Duration::from_millis(1)).await;
            let full = gate.enter().await.is_err();
            drop(first);
            full
        };
        let (second, third) = tokio::join!(second, third);
        assert!(second.is_ok());
        assert!(third);
        assert_eq!(gate.waiting(), 0);
    }
}
