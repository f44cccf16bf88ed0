//! A straight part of the planned rate, and the starts that are due before it.

use super::line::Line;

/// An amount of starts in units of 2⁻⁶⁴ of a start. The n-th start of an even plan is due at n ·
/// 2⁶⁴; a start of a random plan may be due at any amount.
pub(super) type Due = u128;

/// Whole starts.
pub(super) fn starts(count: u64) -> Due {
    u128::from(count) << 64
}

/// A straight part of the planned rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RatePiece {
    /// When it begins, in ns; it lasts to the next piece or to `until`.
    pub(super) from: u64,
    pub(super) until: u64,
    pub(super) line: Line,
    /// How far into the line the piece begins, in ns.
    pub(super) skipped: u64,
    /// How many starts are due before it.
    pub(super) before: u64,
    /// The fraction of a start that is due at its beginning, as an area of the line.
    pub(super) carried: u128,
}

impl RatePiece {
    /// The starts due by `at` (within the piece): whole ones, and the fraction of the next.
    pub(super) fn due_by(&self, at: u64) -> (u64, u128) {
        let area = self.line.area(self.skipped, at - self.from + self.skipped) + self.carried;
        let whole = area / self.line.one_start();
        let whole = u64::try_from(whole).unwrap_or(u64::MAX);
        (
            self.before.saturating_add(whole),
            area % self.line.one_start(),
        )
    }

    pub(super) fn starts_by(&self, at: u64) -> u64 {
        self.due_by(at).0
    }

    /// Whether this amount is due by `at` (within the piece).
    pub(super) fn is_due(&self, due: Due, at: u64) -> bool {
        let (whole, fraction) = parts(due);
        let (whole_by, area_by) = self.due_by(at);
        whole < whole_by || (whole == whole_by && self.area_of(fraction) <= area_by)
    }

    /// The area of this fraction of a start, rounded up.
    fn area_of(&self, fraction: u64) -> u128 {
        let (high, low) = parts(self.line.one_start());
        let fraction = u128::from(fraction);
        u128::from(high) * fraction + (u128::from(low) * fraction).div_ceil(1 << 64)
    }

    /// The first ns at which this amount is due; it must be due by the end of the piece.
    pub(super) fn time_of(&self, due: Due) -> u64 {
        let (whole, fraction) = parts(due);
        let whole = whole.saturating_sub(self.before);
        let area = u128::from(whole) * self.line.one_start() + self.area_of(fraction);
        let missing = area.saturating_sub(self.carried);
        let guess = self.line.time_of_area(self.skipped, missing);
        let guess = (self.from + guess.saturating_sub(self.skipped)).clamp(self.from, self.until);
        // The guess is a float; the answer is exact. Widen the interval around the guess until it
        // contains the answer, then halve it.
        let is_due = |at| self.is_due(due, at);
        let (mut early, mut late, mut step) = (guess, guess, 1);
        while is_due(early) && early > self.from {
            late = early;
            early = early.saturating_sub(step).max(self.from);
            step *= 2;
        }
        while !is_due(late) && late < self.until {
            early = late;
            late = late.saturating_add(step).min(self.until);
            step *= 2;
        }
        if is_due(early) {
            return early;
        }
        while late - early > 1 {
            let middle = early + (late - early) / 2;
            if is_due(middle) {
                late = middle;
            } else {
                early = middle;
            }
        }
        late
    }
}

/// The upper and the lower 64 bits.
#[expect(clippy::cast_possible_truncation, reason = "64 bits of 128 each")]
fn parts(value: u128) -> (u64, u64) {
    ((value >> 64) as u64, value as u64)
}
