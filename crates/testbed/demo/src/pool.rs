//! Permits that requests take, hold and give back: connections, or threads.
//!
//! Fair: who waits longest is next. A changed size makes a new pool; requests that
//! hold a permit of the old one finish on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::pool_times::PoolTimes;

/// A bounded set of permits.
#[derive(Debug)]
pub(crate) struct Pool {
    max: usize,
    waiting_max: usize,
    waiting: AtomicUsize,
    permits: Arc<Semaphore>,
    times: PoolTimes,
    /// How much longer than asked permits were held so far, ns.
    owed: Arc<AtomicI64>,
}

/// How full a pool is at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fill {
    pub(crate) max: usize,
    pub(crate) busy: usize,
    pub(crate) waiting: usize,
}

/// Why no permit was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AcquireError {
    /// None became free in time.
    TimedOut(Fill),
    /// As many requests wait already as may.
    QueueFull(Fill),
}

impl Pool {
    /// `max` permits, waited for by at most `waiting_max` requests.
    pub(crate) fn new(max: usize, waiting_max: usize, times: PoolTimes) -> Self {
        Self {
            max,
            waiting_max,
            waiting: AtomicUsize::new(0),
            permits: Arc::new(Semaphore::new(max)),
            times,
            owed: Arc::default(),
        }
    }

    pub(crate) fn fill(&self) -> Fill {
        Fill {
            max: self.max,
            busy: self.max - self.permits.available_permits().min(self.max),
            waiting: self.waiting.load(Relaxed),
        }
    }

    /// Takes a permit, waiting for one at most `patience`.
    pub(crate) async fn acquire(&self, patience: Duration) -> Result<Permit, AcquireError> {
        // The semaphore hands freed permits to those who wait, so this cannot overtake them.
        if let Ok(permit) = self.permits.clone().try_acquire_owned() {
            self.times.waited(Duration::ZERO);
            return Ok(self.permit(permit));
        }
        let since = Instant::now();
        let _waiting = self
            .wait()
            .ok_or_else(|| AcquireError::QueueFull(self.fill()))?;
        match timeout(patience, self.permits.clone().acquire_owned()).await {
            Ok(permit) => {
                self.times.waited(since.elapsed());
                Ok(self.permit(permit.expect("the semaphore is never closed")))
            }
            Err(_) => {
                self.times.timed_out();
                Err(AcquireError::TimedOut(self.fill()))
            }
        }
    }

    fn permit(&self, permit: OwnedSemaphorePermit) -> Permit {
        Permit {
            _permit: permit,
            since: Instant::now(),
            times: self.times.clone(),
            owed: self.owed.clone(),
        }
    }

    /// A place in the queue, or `None` if it is full.
    fn wait(&self) -> Option<Waiting<'_>> {
        let place = Waiting(&self.waiting);
        // Counted first: two requests may not both take the last place.
        (self.waiting.fetch_add(1, Relaxed) < self.waiting_max).then_some(place)
    }
}

/// One place in the queue, given back when dropped: granted, timed out or abandoned.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// A permit held; dropping it gives it back and records how long it was held.
#[derive(Debug)]
pub(crate) struct Permit {
    _permit: OwnedSemaphorePermit,
    since: Instant,
    times: PoolTimes,
    owed: Arc<AtomicI64>,
}

impl Permit {
    /// Holds it for `time`. Timers wake late, by a millisecond or so; what one request
    /// slept too long the next ones sleep less, so that permits are held for `time` on
    /// average and the pool's law is exact.
    pub(crate) async fn hold(&self, time: Duration) {
        let most = i64::try_from(time.as_nanos() / 2).unwrap_or(i64::MAX);
        let owed = self.owed.load(Relaxed).clamp(0, most);
        self.owed.fetch_sub(owed, Relaxed);
        let asked = time.saturating_sub(Duration::from_nanos(owed.unsigned_abs()));
        let since = Instant::now();
        tokio::time::sleep(asked).await;
        let late = since.elapsed().saturating_sub(asked);
        let late = i64::try_from(late.as_nanos()).unwrap_or(i64::MAX);
        self.owed.fetch_add(late, Relaxed);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.times.held(self.since.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use super::{AcquireError, Fill, Pool};
    use crate::pool_times::PoolTimes;
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::Instant;

    const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);

    #[tokio::test(start_paused = true)]
    async fn nobody_gets_more_permits_than_there_are() {
        let pool = Pool::new(2, 10, PoolTimes::default());
        let first = pool.acquire(ACQUIRE_TIMEOUT).await.unwrap();
        let _second = pool.acquire(ACQUIRE_TIMEOUT).await.unwrap();
        let started = Instant::now();

        let third = pool.acquire(ACQUIRE_TIMEOUT).await;

        let full = Fill {
            max: 2,
            busy: 2,
            waiting: 1,
        };
        assert_eq!(third.unwrap_err(), AcquireError::TimedOut(full));
        assert_eq!(started.elapsed(), ACQUIRE_TIMEOUT);
        drop(first);
        assert!(pool.acquire(ACQUIRE_TIMEOUT).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn what_one_request_held_too_long_the_next_holds_less() {
        let pool = Pool::new(1, 10, PoolTimes::default());
        let permit = pool.acquire(ACQUIRE_TIMEOUT).await.unwrap();
        pool.owed.store(1_000_000, super::Relaxed);
        let started = Instant::now();
        permit.hold(Duration::from_millis(10)).await;
        permit.hold(Duration::from_millis(10)).await;
        assert_eq!(started.elapsed(), Duration::from_millis(19));
    }

    #[tokio::test(start_paused = true)]
    async fn an_abandoned_wait_leaves_the_queue() {
        let pool = Pool::new(1, 10, PoolTimes::default());
        let _held = pool.acquire(ACQUIRE_TIMEOUT).await.unwrap();

        let gave_up =
            tokio::time::timeout(Duration::from_secs(1), pool.acquire(ACQUIRE_TIMEOUT)).await;

        assert!(gave_up.is_err());
        assert_eq!(
            pool.fill(),
            Fill {
                max: 1,
                busy: 1,
                waiting: 0
            }
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_queue_turns_away_at_once() {
        let pool = Arc::new(Pool::new(1, 1, PoolTimes::default()));
        let _held = pool.acquire(ACQUIRE_TIMEOUT).await.unwrap();
        let waits = tokio::spawn({
            let pool = pool.clone();
            async move { pool.acquire(ACQUIRE_TIMEOUT).await.is_ok() }
        });
        tokio::task::yield_now().await;
        let started = Instant::now();

        let refused = pool.acquire(ACQUIRE_TIMEOUT).await;

        assert!(matches!(refused, Err(AcquireError::QueueFull(_))));
        assert_eq!(started.elapsed(), Duration::ZERO);
        assert!(!waits.await.unwrap());
        assert_eq!(pool.fill().waiting, 0, "the one turned away does not count");
    }
}
