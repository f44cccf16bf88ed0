//! Evidence that stays valid however often one looks (confidence sequences).
//!
//! A level is looked at once a second and ended as soon as it is clear. An interval made for
//! one look is then too narrow: looked at fifty times, one of 95 % is wrong far more often
//! than in 5 % of the cases. Here a claim is made only when the data are `1 / alpha` times as
//! likely under a mixture of alternatives than at the limit itself. At the limit that ever
//! happens with a probability of `alpha` at most (Ville's inequality), at all looks together.
//!
//! - Shares: the alternatives are a beta distribution on one side of the limit (Robbins 1970).
//! - Means: the alternatives are a normal distribution (Robbins; for estimated variances
//!   Waudby-Smith et al. 2024), with Student's t for the few windows the variance comes from.
//!
//! Neighbouring windows resemble each other, so counts are first divided by how much more they
//! vary than independent ones would ([`Windows::worth`]). That is an estimate: what the error
//! rates come to is shown by simulation (`docs/decisions/capacity.md`).

use crate::estimate::{Estimate, longer, variance_of_sum};
use crate::special::{incomplete_beta, log_beta};
use crate::student;

/// How much of the prior's weight lies beside the limit: alternatives within about as many
/// requests as have half a bad one at the limit.
const PRIOR_WEIGHT: f64 = 0.5;
/// Windows after which a mean's interval is at its tightest.
const TUNED_FOR: f64 = 20.0;
/// Bad windows are grouped into spells where they are this share of all at most.
const SPARSE_SHARE_MAX: f64 = 0.34;
/// How much longer a spell may be that was not seen than a single one that was; with several
/// seen, the less by so many.
const UNSEEN_SPELL_FACTOR: f64 = 2.0;
/// How near 0 and 1 limits of intervals are looked for.
const INTERVAL_EDGE: f64 = 1e-9;

/// What windows hold of a share: `(bad, all)` of each, in order.
#[derive(Debug, Clone, Copy)]
pub struct Windows<'a>(pub &'a [(f64, f64)]);

/// A number of independent requests, and how many of them were bad; fractions are allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Count {
    /// Bad ones.
    pub bad: f64,
    /// All of them.
    pub all: f64,
    /// The independent windows they come from.
    pub windows: f64,
}

impl Windows<'_> {
    /// The bad ones and all of them; `None` when there were none at all.
    #[must_use]
    pub fn total(&self) -> Option<Count> {
        let all: f64 = self.0.iter().map(|(_, all)| all).sum();
        let bad = self.0.iter().map(|(bad, _)| bad).sum();
        let windows = self.0.len() as f64;
        (all > 0.0).then_some(Count { bad, all, windows })
    }

    /// The independent requests they are worth, where at least `follows` windows say as much as
    /// an independent one: something else than the counts may show that they follow each other.
    #[must_use]
    pub fn worth(&self, alpha: f64, follows: f64) -> Option<Count> {
        let total = self.total()?;
        let share = total.bad / total.all;
        let rests: Vec<f64> = self.0.iter().map(|(bad, n)| bad - share * n).collect();
        let by_chance = share * (1.0 - share) * total.all;
        let windows = total.windows / longer(&rests).max(follows);
        let effect = match variance_of_sum(&rests, follows) {
            Some((variance, freedom)) => {
                // The variance is an estimate of few values: what it may be, not what it is.
                let usual = student::normal_quantile(1.0 - alpha);
                let careful = (student::quantile(1.0 - alpha, freedom) / usual).powi(2);
                let seen = if by_chance > 0.0 {
                    variance / by_chance
                } else {
                    1.0
                };
                (seen * careful).max(1.0)
            }
            None => 1.0,
        }
        .max(self.spell());
        Some(Count {
            bad: total.bad / effect,
            all: total.all / effect,
            windows,
        })
    }
}

impl Windows<'_> {
    /// How many bad ones may come together, where they come in few spells: the mean over bad
    /// ones of how many their spell has, and more the fewer spells were seen. Zero where a good
    /// part of the windows has some. A window without any may lie within a spell.
    fn spell(&self) -> f64 {
        let is_bad = |window: &(f64, f64)| window.0 > 0.0;
        let windows = self.0.iter().filter(|window| is_bad(window)).count() as f64;
        if windows > SPARSE_SHARE_MAX * self.0.len() as f64 {
            return 0.0;
        }
        let (mut sum, mut squares, mut spell, mut since) = (0.0, 0.0, 0.0, 2);
        let mut spells = 0.0;
        for window in self.0 {
            if is_bad(window) && since > 1 {
                spell = 0.0;
                spells += 1.0;
            }
            since = if is_bad(window) { 0 } else { since + 1 };
            squares += (spell + window.0).powi(2) - f64::powi(spell, 2);
            spell += window.0;
            sum += window.0;
        }
        if sum > 0.0 {
            squares / sum * (1.0 + UNSEEN_SPELL_FACTOR / spells)
        } else {
            0.0
        }
    }
}

impl Count {
    /// Whether the share is below `limit`, wrongly with a probability of `alpha` at most over
    /// all looks together.
    #[must_use]
    pub fn is_below(self, limit: f64, alpha: f64) -> bool {
        limit >= 1.0 || (limit > 0.0 && self.evidence(limit, Side::Below) >= -alpha.ln())
    }

    /// Whether it is above `limit`, likewise.
    #[must_use]
    pub fn is_above(self, limit: f64, alpha: f64) -> bool {
        if limit <= 0.0 {
            return self.bad > 0.0;
        }
        limit < 1.0 && self.evidence(limit, Side::Above) >= -alpha.ln()
    }

    /// Where the share lies: each end is wrong with a probability of `alpha` at most over all
    /// looks together.
    #[must_use]
    pub fn interval(self, alpha: f64) -> Estimate {
        let share = self.bad / self.all;
        let low = bisect(INTERVAL_EDGE, share, |limit| !self.is_above(limit, alpha));
        let high = bisect(share.max(INTERVAL_EDGE), 1.0 - INTERVAL_EDGE, |limit| {
            self.is_below(limit, alpha)
        });
        Estimate {
            low: if self.bad <= 0.0 { 0.0 } else { low.min(share) },
            middle: share,
            high: if self.bad >= self.all {
                1.0
            } else {
                high.max(share)
            },
        }
    }

    /// The logarithm of how many times as likely the counts are on one side of `limit` as at it.
    fn evidence(self, limit: f64, side: Side) -> f64 {
        let is_on_side = match side {
            Side::Below => self.bad < limit * self.all,
            Side::Above => self.bad > limit * self.all,
        };
        if !is_on_side {
            return f64::NEG_INFINITY;
        }
        let weight = PRIOR_WEIGHT / limit.min(1.0 - limit);
        let (a, b) = (weight * limit, weight * (1.0 - limit));
        let (bad, good) = (self.bad, self.all - self.bad);
        let part = |a: f64, b: f64| {
            let share = match side {
                Side::Below => incomplete_beta(limit, a, b),
                Side::Above => incomplete_beta(1.0 - limit, b, a),
            };
            log_beta(a, b) + share.ln()
        };
        part(a + bad, b + good) - part(a, b) - bad * limit.ln() - good * (1.0 - limit).ln()
    }
}

#[derive(Debug, Clone, Copy)]
enum Side {
    Below,
    Above,
}

/// The independent windows that so many values are worth.
#[must_use]
pub fn independent(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let rests: Vec<f64> = values.iter().map(|value| value - mean).collect();
    values.len() as f64 / longer(&rests)
}

/// Where `is_true` becomes true between `low` (where it is not) and `high`.
fn bisect(mut low: f64, mut high: f64, is_true: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..24 {
        let middle = f64::midpoint(low, high);
        if is_true(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The mean of what windows hold: `(sum, count)` of each, in order. Each end of the interval
/// is wrong with a probability of `alpha` at most over all looks together; it is unbounded for
/// fewer than three windows. `None` without any count.
#[must_use]
pub fn mean_of(windows: &[(f64, f64)], alpha: f64) -> Option<Estimate> {
    let count: f64 = windows.iter().map(|(_, count)| count).sum();
    if count <= 0.0 {
        return None;
    }
    let middle = windows.iter().map(|(sum, _)| sum).sum::<f64>() / count;
    let rests: Vec<f64> = windows.iter().map(|(sum, n)| sum - middle * n).collect();
    let reach = variance_of_sum(&rests, 1.0).map_or(f64::INFINITY, |(variance, freedom)| {
        student::as_seldom_as(deviations(windows.len() as f64, alpha), freedom) * variance.sqrt()
            / count
    });
    Some(Estimate {
        low: middle - reach,
        middle,
        high: middle + reach,
    })
}

/// How many standard deviations a sum of `n` normal values may stray to one side, wrongly with
/// a probability of `alpha` at most over all `n` together.
fn deviations(n: f64, alpha: f64) -> f64 {
    // Of a mixture with two sides each has half of the errors.
    let odds = -2.0 * (2.0 * alpha).ln();
    let spread = (odds + (odds + 1.0).ln()) / TUNED_FOR * n;
    ((1.0 + 1.0 / spread) * ((spread + 1.0).ln() + odds)).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn count(bad: f64, all: f64) -> Count {
        Count {
            bad,
            all,
            windows: all,
        }
    }

    #[test]
    fn none_bad_among_enough_is_below_the_limit_and_some_bad_above_it() {
        assert!(!count(0.0, 60.0).is_below(0.01, 0.025));
        assert!(count(0.0, 600.0).is_below(0.01, 0.025));
        assert!(!count(0.0, 600.0).is_above(0.01, 0.025));
        assert!(count(40.0, 1000.0).is_above(0.01, 0.025));
        assert!(
            !count(1.0, 6.0).is_above(0.01, 0.0005),
            "one of few is chance"
        );
        assert!(count(1.0, 6.0).is_above(0.0, 0.025), "none was allowed");
        assert!(!count(0.0, 6.0).is_below(0.0, 0.025), "none ever is proven");
        let many = count(0.0, 100_000.0);
        assert!(many.is_below(0.05, 0.025) && !many.is_above(0.05, 0.025));
        let all = count(100_000.0, 100_000.0);
        assert!(all.is_above(0.05, 0.025) && !all.is_below(0.05, 0.025));
    }

    #[test]
    fn windows_that_follow_each_other_are_worth_less() {
        let pairs = |period: usize| -> Vec<(f64, f64)> {
            let bad = |i: usize| {
                if (i / period).is_multiple_of(2) {
                    2.0
                } else {
                    8.0
                }
            };
            (0..40).map(|i| (bad(i), 100.0)).collect()
        };
        let worth = |period| Windows(&pairs(period)).worth(0.025, 1.0).unwrap().all;
        assert!(worth(10) < worth(1) / 4.0);
        let even = [(5.0, 100.0); 40];
        let said = Windows(&even).worth(0.025, 1.0).unwrap();
        assert!((said.all - 4000.0).abs() < 1e-9, "{said:?}");
    }

    #[test]
    fn bad_ones_that_come_in_few_spells_are_worth_as_many_as_there_are_spells() {
        let mut windows = vec![(0.0, 100.0); 60];
        assert!(Windows(&windows).spell().abs() < 1e-9);
        for place in [7, 8, 10, 40] {
            windows[place] = (4.0, 100.0);
        }
        // Three windows are one spell of 12, one is a spell of 4.
        let expected = (12.0 * 12.0 + 4.0 * 4.0) / 16.0;
        let spell = expected * (1.0 + UNSEEN_SPELL_FACTOR / 2.0);
        assert!((Windows(&windows).spell() - spell).abs() < 1e-9);
        let worth = Windows(&windows).worth(0.025, 1.0).unwrap();
        assert!(worth.bad <= 16.0 / spell + 1e-9, "{worth:?}");
        let often = [(1.0, 100.0); 60];
        assert!(Windows(&often).spell().abs() < 1e-9, "no spells any more");
    }

    #[test]
    fn more_looks_reach_farther_than_one() {
        assert!(deviations(20.0, 0.025) > 2.7);
        assert!(deviations(90.0, 0.025) < 3.6);
        assert!(deviations(20.0, 0.001) > deviations(20.0, 0.025));
    }

    /// A coin whose share is the limit itself, looked at after each of 2,000 throws.
    #[test]
    fn at_the_limit_a_claim_is_wrong_at_most_as_often_as_allowed() {
        const COIN_SERIES: u32 = 400;
        let (mut below, mut above) = (0, 0);
        let mut state = 20_261_123_u64;
        for _ in 0..COIN_SERIES {
            let (mut count, mut ended) = (count(0.0, 0.0), (false, false));
            for throw in 0..2000 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let drawn = (state >> 11) as f64 / (1_u64 << 53) as f64;
                count.all += 1.0;
                count.bad += f64::from(u8::from(drawn < 0.05));
                if throw % 10 == 9 {
                    ended.0 |= count.is_below(0.05, 0.025);
                    ended.1 |= count.is_above(0.05, 0.025);
                }
            }
            below += u32::from(ended.0);
            above += u32::from(ended.1);
        }
        assert!(
            below <= 10 && above <= 10,
            "{below} {above} of {COIN_SERIES}"
        );
        assert!(
            below + above > 2,
            "it is not overly careful: {below} {above}"
        );
    }

    proptest! {
        #[test]
        fn the_share_lies_in_its_interval(bad in 0_u32..200, good in 1_u32..2000) {
            let count = count(f64::from(bad), f64::from(bad + good));
            let found = count.interval(0.025);
            prop_assert!(0.0 <= found.low && found.low <= found.middle);
            prop_assert!(found.middle <= found.high && found.high <= 1.0);
        }

        #[test]
        fn the_mean_lies_in_its_interval(values in proptest::collection::vec(1.0..9.0_f64, 3..40)) {
            let windows: Vec<(f64, f64)> = values.iter().map(|v| (*v, 1.0)).collect();
            let found = mean_of(&windows, 0.025).unwrap();
            prop_assert!(found.low <= found.middle && found.middle <= found.high);
        }
    }
}
