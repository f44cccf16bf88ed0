//! Switchable failures: which requests they hit, and the moment of a stall.
//!
//! Shares are spread evenly and without chance: of any n requests, n x share fail,
//! give or take one or two. Which ones is decided by the golden ratio's low-discrepancy
//! sequence, so a client that alternates two endpoints sees failures on both.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use crate::settings::FaultSettings;

/// 2^64 over the golden ratio: steps of the sequence.
const GOLDEN_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Counts since the faults were last changed.
#[derive(Debug, Default)]
pub(crate) struct FaultCounts {
    requests: AtomicU64,
    in_200: AtomicU64,
    whole_bodies: AtomicU64,
}

impl FaultCounts {
    /// Is this request to be answered 500?
    pub(crate) fn fails(&self, settings: &FaultSettings) -> bool {
        hit(&self.requests, settings.error_percent)
    }

    /// Is this request to be answered 200 with an error inside?
    pub(crate) fn fails_in_200(&self, settings: &FaultSettings) -> bool {
        hit(&self.in_200, settings.error_in_200_percent)
    }

    /// Is this successful answer to be broken, `after` whole ones?
    pub(crate) fn breaks(&self, after: u64) -> bool {
        self.whole_bodies.fetch_add(1, Relaxed) >= after
    }
}

fn hit(count: &AtomicU64, percent: f64) -> bool {
    if percent <= 0.0 {
        return false;
    }
    let place = count.fetch_add(1, Relaxed).wrapping_mul(GOLDEN_STEP);
    #[expect(
        clippy::cast_precision_loss,
        reason = "53 bits of place are plenty for a percentage"
    )]
    let place = place as f64 / 2_f64.powi(64);
    place * 100.0 < percent
}

/// A moment until which every request waits.
#[derive(Debug)]
pub(crate) struct Stall {
    origin: Instant,
    /// Nanoseconds after `origin`; 0 when there was no stall.
    until: AtomicU64,
    ended: Notify,
}

impl Stall {
    pub(crate) fn new(origin: Instant) -> Self {
        Self {
            origin,
            until: AtomicU64::new(0),
            ended: Notify::new(),
        }
    }

    /// Makes every request wait until `time` from now, unless it waits longer already.
    pub(crate) fn start(&self, time: Duration) {
        let until = (self.origin.elapsed() + time).as_nanos();
        self.until
            .fetch_max(u64::try_from(until).unwrap_or(u64::MAX), Relaxed);
    }

    /// Ends the stall early, also for those who wait in it.
    pub(crate) fn end(&self) {
        self.until.store(0, SeqCst);
        self.ended.notify_waiters();
    }

    /// Waits for the end of the stall, if there is one.
    pub(crate) async fn pass(&self) {
        if self.until.load(Relaxed) == 0 {
            return;
        }
        // Before the second look: an end in between is either seen there or wakes this.
        let ended = self.ended.notified();
        let until = self.origin + Duration::from_nanos(self.until.load(SeqCst));
        // Both outcomes let the request go on.
        let _ = timeout_at(until, ended).await;
    }
}

#[cfg(test)]
mod tests {
    use super::{FaultCounts, Stall};
    use crate::settings::FaultSettings;
    use proptest::prelude::*;
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::Instant;

    fn failing(percent: f64) -> FaultSettings {
        FaultSettings {
            error_percent: percent,
            ..FaultSettings::default()
        }
    }

    proptest! {
        #[test]
        fn a_share_of_errors_is_met_on_any_stretch(
            percent in 0.0..=100.0_f64, skip in 0..500_u32, n in 1..1000_u32,
        ) {
            let (counts, settings) = (FaultCounts::default(), failing(percent));
            for _ in 0..skip {
                counts.fails(&settings);
            }
            let failed = (0..n).filter(|_| counts.fails(&settings)).count();
            let expected = f64::from(n) * percent / 100.0;
            let failed = f64::from(u32::try_from(failed).unwrap());
            prop_assert!((failed - expected).abs() <= 4.0, "{failed} of {n} at {percent} %");
        }
    }

    #[test]
    fn none_and_all_are_exact() {
        let counts = FaultCounts::default();
        assert_eq!((0..1000).filter(|_| counts.fails(&failing(0.0))).count(), 0);
        assert_eq!(
            (0..1000).filter(|_| counts.fails(&failing(100.0))).count(),
            1000
        );
    }

    /// Guards against a fault that hits only the second request of a pair.
    #[test]
    fn half_of_the_requests_is_half_of_the_odd_ones_too() {
        let counts = FaultCounts::default();
        let failed: Vec<_> = (0..1000).map(|_| counts.fails(&failing(50.0))).collect();
        let odd = failed.iter().skip(1).step_by(2).filter(|f| **f).count();
        assert!((240..=260).contains(&odd), "{odd} of 500");
    }

    #[tokio::test(start_paused = true)]
    async fn everybody_waits_for_the_end_of_the_stall() {
        let start = Instant::now();
        let stall = Stall::new(start);
        stall.pass().await;
        assert_eq!(start.elapsed(), Duration::ZERO);

        stall.start(Duration::from_secs(2));
        stall.start(Duration::from_secs(1));
        stall.pass().await;

        assert_eq!(
            start.elapsed(),
            Duration::from_secs(2),
            "the longer stall counts"
        );
        stall.pass().await;
        assert_eq!(start.elapsed(), Duration::from_secs(2), "once is once");
    }

    #[tokio::test(start_paused = true)]
    async fn an_ended_stall_lets_go_of_those_who_wait() {
        let start = Instant::now();
        let stall = Arc::new(Stall::new(start));
        stall.start(Duration::from_secs(60));
        let waits = tokio::spawn({
            let stall = stall.clone();
            async move { stall.pass().await }
        });
        tokio::task::yield_now().await;

        stall.end();

        waits.await.unwrap();
        assert_eq!(start.elapsed(), Duration::ZERO);
    }
}
