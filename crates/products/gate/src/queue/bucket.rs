//! How many may be let in by now: a token bucket in whole numbers.
//!
//! Integers, because every gate must come to the same result, and because what is left of
//! a token after a tick has to stay: 333 a second over an hour is 1,198,800.

use serde::{Deserialize, Serialize};

/// Parts of one admission: (millionths of admissions a second) x ms.
const PARTS_PER_ADMISSION: u64 = 1_000_000_000;

/// Admissions per second, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AdmissionRate(u64);

impl AdmissionRate {
    /// The fastest that can be set, per second.
    pub const PER_SECOND_MAX: f64 = 1_000_000.0;

    /// `per_s` admissions a second, rounded to a millionth; `None` unless 0 to a million.
    #[must_use]
    pub fn per_second(per_s: f64) -> Option<Self> {
        if !(0.0..=Self::PER_SECOND_MAX).contains(&per_s) {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 10^12, checked above"
        )]
        Some(Self((per_s * 1e6).round() as u64))
    }

    /// Admissions per second.
    #[must_use]
    pub fn as_per_second(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// What a second holds, at least one whole admission: the largest burst.
    fn burst(self) -> u64 {
        // A log may hold a rate that no gate wrote.
        self.0.saturating_mul(1_000).max(PARTS_PER_ADMISSION)
    }
}

/// Admissions that may be given now.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Bucket {
    parts: u64,
}

impl Bucket {
    /// `ms` passed at `rate`. More than a second's worth is never saved up.
    pub(super) fn refill(&mut self, rate: AdmissionRate, ms: u64) {
        let added = rate.0.saturating_mul(ms);
        self.parts = self.parts.saturating_add(added).min(rate.burst());
    }

    /// Whether there is a whole admission.
    pub(super) fn holds_one(&self) -> bool {
        self.parts >= PARTS_PER_ADMISSION
    }

    /// Takes one admission if there is a whole one.
    pub(super) fn take(&mut self) -> bool {
        let whole = self.holds_one();
        if whole {
            self.parts -= PARTS_PER_ADMISSION;
        }
        whole
    }

    /// Ms until there is a whole admission; `None` at rate zero.
    pub(super) fn due_in_ms(&self, rate: AdmissionRate) -> Option<u64> {
        let missing = PARTS_PER_ADMISSION.saturating_sub(self.parts);
        if missing == 0 {
            return Some(0);
        }
        (rate.0 > 0).then(|| missing.div_ceil(rate.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{AdmissionRate, Bucket};

    fn taken(bucket: &mut Bucket) -> u64 {
        std::iter::from_fn(|| bucket.take().then_some(())).count() as u64
    }

    #[test]
    fn an_odd_rate_is_exact_over_an_hour_of_ticks() {
        let rate = AdmissionRate::per_second(333.3).unwrap();
        let mut bucket = Bucket::default();
        let mut admitted = 0;
        for _ in 0..3600 * 20 {
            bucket.refill(rate, 50);
            admitted += taken(&mut bucket);
        }
        assert_eq!(admitted, 1_199_880);
    }

    #[test]
    fn no_more_than_one_second_is_saved_up() {
        let rate = AdmissionRate::per_second(100.0).unwrap();
        let mut bucket = Bucket::default();
        bucket.refill(rate, 3_600_000);
        assert_eq!(taken(&mut bucket), 100);
    }

    #[test]
    fn a_rate_below_one_a_second_still_lets_people_in() {
        let rate = AdmissionRate::per_second(0.5).unwrap();
        let mut bucket = Bucket::default();
        assert_eq!(bucket.due_in_ms(rate), Some(2_000));
        bucket.refill(rate, 1_999);
        assert_eq!(taken(&mut bucket), 0);
        bucket.refill(rate, 1);
        assert_eq!(taken(&mut bucket), 1);
    }

    /// Found by fuzzing: a rate from a log, beyond the fastest, overflowed.
    #[test]
    fn a_rate_that_no_gate_wrote_is_no_more_than_a_burst_can_be() {
        assert_eq!(AdmissionRate(u64::MAX).burst(), u64::MAX);
    }

    #[test]
    fn a_rate_that_is_no_number_is_refused() {
        for bad in [-1.0, f64::NAN, f64::INFINITY, 1e7] {
            assert_eq!(AdmissionRate::per_second(bad), None, "{bad}");
        }
        assert_eq!(
            Bucket::default().due_in_ms(AdmissionRate::per_second(0.0).unwrap()),
            None
        );
    }
}
