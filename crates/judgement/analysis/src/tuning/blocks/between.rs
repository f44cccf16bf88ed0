//! What blocks differ by: what each has of its own, and what the machine drifts.

use super::BlockFit;

/// The blocks from which on what each has of its own is told from a drift.
const BLOCKS_TOLD_APART: f64 = 5.0;

/// How trials differ that are each in a block of their own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockSpread {
    /// The standard deviation of one of them: its noise, and what each block has of its own, such as random arrivals.
    pub deviation: f64,
    /// How far the machine drifts: the standard deviation of what blocks near each other share.
    pub drift: f64,
}

impl BlockFit {
    /// How trials differ that are each in a block of their own.
    #[must_use]
    pub fn spread(&self) -> BlockSpread {
        let count = self.levels.len() as f64;
        if count < 2.0 {
            return BlockSpread {
                deviation: self.deviation(),
                drift: 0.0,
            };
        }
        let middle = self.levels.iter().map(|(level, _)| level).sum::<f64>() / count;
        let squares = self
            .levels
            .iter()
            .map(|(level, _)| (level - middle).powi(2));
        let by_noise = self.levels.iter().map(|(_, weight)| self.variance / weight);
        let by_noise = by_noise.sum::<f64>() / count;
        let beyond = (squares.sum::<f64>() / (count - 1.0) - by_noise).max(0.0);
        // What moves slowly differs less from one block to the next than over all of them (von Neumann's ratio).
        let steps = self
            .levels
            .windows(2)
            .map(|two| (two[1].0 - two[0].0).powi(2));
        let stepwise = steps.sum::<f64>() / (2.0 * (count - 1.0)) - by_noise;
        let of_each = if count < BLOCKS_TOLD_APART {
            0.0
        } else {
            stepwise.clamp(0.0, beyond)
        };
        BlockSpread {
            deviation: (self.variance + of_each).sqrt(),
            drift: (beyond - of_each).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::blocks::tests::trial;

    #[test]
    fn what_a_machine_drifts_is_told_apart_from_its_noise() {
        let drifting = |by: f64| {
            let mut trials = Vec::new();
            for block in 0..5_usize {
                for setting in 0..3_usize {
                    let noise = ((block * 7 + setting * 5) % 4) as f64 * 0.01 - 0.015;
                    trials.push(trial(block, setting, by * block as f64 + noise));
                }
            }
            BlockFit::from_trials(&trials, 0).unwrap().spread().drift
        };
        assert!(drifting(0.0) < 0.01, "{}", drifting(0.0));
        // Five equal steps deviate by the root of 2.5 of one, and each by the root of a half of that from the one before.
        assert!((drifting(0.1) - 0.141).abs() < 0.01, "{}", drifting(0.1));
    }

    /// Seen: the chance of random arrivals, other ones in each block, taken for a drift that no number of trials averages out.
    #[test]
    fn what_each_block_has_of_its_own_is_no_drift() {
        let mut trials = vec![trial(0, 0, 0.0), trial(0, 0, 0.001)];
        let rates = [20.5, 20.9, 16.1, 23.2, 19.6, 17.4, 16.4, 20.2_f64];
        for (block, rate) in rates.iter().enumerate() {
            trials.push(trial(block + 1, 0, (rate / 20.0).ln()));
        }
        let spread = BlockFit::from_trials(&trials, 0).unwrap().spread();
        assert!(spread.drift < 0.03, "{spread:?}");
        assert!((0.08..0.16).contains(&spread.deviation), "{spread:?}");
    }
}
