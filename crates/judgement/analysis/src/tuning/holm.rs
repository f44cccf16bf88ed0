//! Several claims at once (S. Holm, 1979).
//!
//! Twenty settings that change nothing would give one "better" at 95 % by chance. Holm's
//! method keeps the chance of any wrong claim below `alpha`: the clearest difference must hold
//! at `alpha / m`, the next at `alpha / (m - 1)`, and so on until one does not.

use super::blocks::Contrast;
use crate::compare::Change;
use crate::student;

/// The intervals of differences that are claimed together, as ratios, in the order given. An
/// interval that does not contain zero is a difference; the chance that any is wrong is
/// `alpha` at most. Those after the first that holds zero have that one's width.
#[must_use]
pub fn intervals(contrasts: &[Contrast], alpha: f64) -> Vec<Change> {
    let error = |at: usize| contrasts[at].error.max(f64::MIN_POSITIVE);
    let doubts: Vec<f64> = (0..contrasts.len())
        .map(|at| -contrasts[at].middle.abs() / error(at))
        .collect();
    together(&doubts, contrasts.len(), alpha, |at, alpha| {
        interval(contrasts[at], alpha)
    })
}

/// The same of differences that `interval` works out for a probability to be wrong, the least doubted first: `family` of them
/// might have been claimed.
#[must_use]
pub fn together(
    doubts: &[f64],
    family: usize,
    alpha: f64,
    interval: impl Fn(usize, f64) -> Change,
) -> Vec<Change> {
    let mut order: Vec<usize> = (0..doubts.len()).collect();
    order.sort_by(|a, b| doubts[*a].total_cmp(&doubts[*b]));
    let mut changes = vec![
        Change {
            low: 0.0,
            middle: 0.0,
            high: 0.0
        };
        doubts.len()
    ];
    let mut together = family.max(doubts.len());
    let mut all_differ = true;
    for at in order {
        let change = interval(at, alpha / together.max(1) as f64);
        all_differ &= change.low > 0.0 || change.high < 0.0;
        if all_differ {
            together -= 1;
        }
        changes[at] = change;
    }
    changes
}

/// The interval of one difference, as a ratio; its two ends together are wrong with a
/// probability of `alpha`.
#[must_use]
pub fn interval(contrast: Contrast, alpha: f64) -> Change {
    let t = student::quantile(1.0 - alpha / 2.0, contrast.freedom.max(1.0));
    Change {
        low: (contrast.middle - t * contrast.error).exp_m1(),
        middle: contrast.middle.exp_m1(),
        high: (contrast.middle + t * contrast.error).exp_m1(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contrast(middle: f64) -> Contrast {
        Contrast {
            middle,
            error: 0.01,
            freedom: 1e6,
        }
    }

    #[test]
    fn one_claim_alone_has_the_whole_alpha() {
        let change = intervals(&[contrast(0.1)], 0.05)[0];
        let half = change.high.ln_1p() - 0.1;
        assert!((half - 0.019_6).abs() < 1e-4, "{half}");
    }

    /// The second of two is held to `alpha / 2` if it is the clearer one, else to `alpha`.
    #[test]
    fn the_clearest_is_held_to_the_most() {
        let changes = intervals(&[contrast(0.021), contrast(0.1)], 0.05);
        assert!(
            changes[0].low > 0.0,
            "z 2.1 holds at 0.05 once the other is clear"
        );
        let changes = intervals(&[contrast(0.021), contrast(0.015)], 0.05);
        assert!(changes[0].low < 0.0, "z 2.1 does not hold at 0.025");
    }

    #[test]
    fn after_one_that_is_not_clear_none_is() {
        let changes = intervals(&[contrast(0.021), contrast(0.0205), contrast(0.020)], 0.05);
        assert!(changes.iter().all(|change| change.low < 0.0));
    }
}
