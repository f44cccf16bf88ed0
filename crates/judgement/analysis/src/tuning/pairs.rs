//! The claim about the setting that won, from fresh pairs of trials.
//!
//! The trials by which a setting was chosen flatter it. So the start setting and the chosen one
//! are run again in pairs, and only these decide. There are a few planned looks at fixed numbers
//! of pairs; each may be wrong with an equal part of `alpha`, so that all together are wrong
//! with `alpha` at most however early one stops. The intervals are Student's.

use super::blocks::Contrast;
use super::holm;
use crate::compare::Change;
use crate::student;

/// The numbers of pairs after which is looked.
pub const PAIRS_AT_LOOKS: [usize; 3] = [4, 6, 9];
/// The most pairs that are foretold.
const PREDICTED_PAIRS_MAX: f64 = 1000.0;

/// The mean difference of pairs as a ratio, with its interval; `alpha` is for all looks
/// together. `None` for fewer than two pairs.
#[must_use]
pub fn change(differences: &[f64], alpha: f64) -> Option<Change> {
    let contrast = mean(differences)?;
    Some(holm::interval(
        contrast,
        alpha / PAIRS_AT_LOOKS.len() as f64,
    ))
}

/// How trials of one setting differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrialSpread {
    /// The standard deviation of one trial, which more trials average out.
    pub deviation: f64,
    /// Its degrees of freedom.
    pub freedom: f64,
    /// What trials of one time all share: the standard deviation of the time they were measured in.
    pub drift: f64,
}

/// The least that the mean of values is; wrong with `alpha` at most.
#[must_use]
pub fn at_least(values: &[f64], spread: TrialSpread, alpha: f64) -> Option<f64> {
    let middle = mean_of(values)?;
    let t = student::quantile(1.0 - alpha, spread.freedom.max(1.0));
    let count = values.len() as f64;
    let error = (spread.deviation.powi(2) / count + spread.drift.powi(2)).sqrt();
    Some(middle - t * error)
}

/// Values after which their mean would be above zero for certain, about; `None` where no number of them would do.
#[must_use]
pub fn needed_above_zero(values: &[f64], spread: TrialSpread, alpha: f64) -> Option<usize> {
    let middle = mean_of(values).filter(|middle| *middle > 0.0)?;
    let t = student::quantile(1.0 - alpha, spread.freedom.max(1.0));
    let rest = (middle / t).powi(2) - spread.drift.powi(2);
    let needed = (spread.deviation.powi(2) / rest).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small whole number"
    )]
    (rest > 0.0 && needed <= PREDICTED_PAIRS_MAX).then_some(needed as usize)
}

fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Pairs after which an interval of these differences would be narrower than `share` to each
/// side, about.
#[must_use]
pub fn needed(differences: &[f64], share: f64, alpha: f64) -> usize {
    let Some(now) = change(differences, alpha) else {
        return PAIRS_AT_LOOKS[0];
    };
    let half = (now.high.ln_1p() - now.low.ln_1p()) / 2.0;
    let count = differences.len() as f64;
    let needed = (count * (half / share.ln_1p()).powi(2)).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a small whole number"
    )]
    let needed = needed.clamp(count + 1.0, PREDICTED_PAIRS_MAX) as usize;
    needed
}

fn mean(differences: &[f64]) -> Option<Contrast> {
    let count = differences.len() as f64;
    if differences.len() < 2 {
        return None;
    }
    let middle = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|one| (one - middle).powi(2)).sum();
    Some(Contrast {
        middle,
        error: (squares / (count - 1.0) / count).sqrt(),
        freedom: count - 1.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_difference_is_told_with_its_range() {
        let change = change(&[0.10, 0.12, 0.11, 0.13], 0.05).unwrap();
        assert!(change.low > 0.05 && change.high < 0.20, "{change:?}");
        assert!(change.low < change.middle && change.middle < change.high);
    }

    #[test]
    fn one_pair_says_nothing() {
        assert!(change(&[0.1], 0.05).is_none());
    }

    #[test]
    fn more_spread_needs_more_pairs() {
        let calm = needed(&[0.01, -0.01, 0.012, -0.008], 0.05, 0.05);
        let wild = needed(&[0.1, -0.1, 0.12, -0.08], 0.05, 0.05);
        assert!(wild > 4 * calm, "{calm} {wild}");
    }

    #[test]
    fn a_mean_is_at_least_less_than_itself() {
        let values = [0.2, 0.3, 0.25];
        let spread = |drift: f64| TrialSpread {
            deviation: 0.05,
            freedom: 10.0,
            drift,
        };
        let low = at_least(&values, spread(0.0), 0.05 / 3.0).unwrap();
        assert!(low > 0.15 && low < 0.25, "{low}");
        let drifting = at_least(&values, spread(0.05), 0.05 / 3.0).unwrap();
        assert!(drifting < low - 0.05, "{drifting}");
        assert!(at_least(&[], spread(0.0), 0.05).is_none());
        // Of so many the least is above zero, and of one fewer it is not; a drift beyond the mean is never averaged out.
        let needed = needed_above_zero(&values, spread(0.0), 0.001).unwrap();
        let of =
            |count: usize| at_least(&vec![mean_of(&values).unwrap(); count], spread(0.0), 0.001);
        assert!(of(needed).unwrap() > 0.0 && of(needed - 1).is_none_or(|least| least <= 0.0));
        assert_eq!(needed_above_zero(&values, spread(1.0), 0.001), None);
        assert_eq!(needed_above_zero(&[-0.1], spread(0.0), 0.001), None);
    }
}
