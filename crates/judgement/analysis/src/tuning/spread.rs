//! How much trials of one setting differ, over all blocks.

use std::collections::BTreeMap;

use crate::estimate::median;

/// The degrees of freedom from which on values far off can be recognised.
const FREEDOM_MIN: f64 = 4.0;
/// Likewise of blocks, each with arrivals of its own.
const FREEDOM_OF_BLOCKS_MIN: f64 = 8.0;
/// A value nearer to its middle than this is the middle.
const SIZE_MIN: f64 = 1e-9;
/// So many standard deviations off is no chance of a study's trials, ...
const FAR_DEVIATIONS: f64 = 5.0;
/// ... where it is worth telling: a tenth.
const FAR_MIN: f64 = 0.1;
/// Standard deviations per median of absolute residuals of a normal distribution.
const PER_MEDIAN: f64 = 1.482_6;

/// A standard deviation of values within their groups, which single values far off hardly move. `None` where no group has two.
#[must_use]
pub fn robust_deviation(groups: &[Vec<f64>]) -> Option<f64> {
    let (residuals, freedom) = residuals(groups);
    if residuals.is_empty() {
        return None;
    }
    if freedom < FREEDOM_MIN {
        let squares: f64 = residuals.iter().map(|rest| rest * rest).sum();
        return Some((squares / freedom).sqrt());
    }
    // The middle of an odd group is its own value, which says nothing.
    let mut sizes: Vec<f64> = residuals.iter().map(|rest: &f64| rest.abs()).collect();
    sizes.retain(|size| *size > SIZE_MIN);
    sizes.sort_by(f64::total_cmp);
    let half = sizes.len() / 2;
    let Some(upper) = sizes.get(half) else {
        return Some(0.0);
    };
    let middle = f64::midpoint(*upper, sizes[(sizes.len() - 1) / 2]);
    let widened = (sizes.len() as f64 / freedom).sqrt().max(1.0);
    Some(middle * PER_MEDIAN * widened)
}

/// Trials of settings that were tried more than once. Those of one block have the same random arrivals: of what blocks differ by,
/// their spread within it shows nothing.
#[derive(Debug, Clone)]
pub struct RepeatedTrials {
    of_settings: Vec<Vec<f64>>,
    in_blocks: Vec<Vec<f64>>,
    /// One value of each block, the middle one, by setting.
    by_block: Vec<Vec<f64>>,
}

impl RepeatedTrials {
    /// The values of each setting, and those of each setting and block.
    #[must_use]
    pub fn new(of_settings: Vec<Vec<f64>>, in_blocks: BTreeMap<(usize, usize), Vec<f64>>) -> Self {
        let mut by_block: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for ((setting, _), values) in &in_blocks {
            by_block.entry(*setting).or_default().extend(median(values));
        }
        Self {
            of_settings,
            in_blocks: in_blocks.into_values().collect(),
            by_block: by_block.into_values().collect(),
        }
    }

    /// A standard deviation of trials of one setting, which single trials far off hardly move. `None` where none was repeated.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        let all = robust_deviation(&self.of_settings)?;
        let between = robust_deviation(&self.by_block).filter(|_| self.freedom() >= FREEDOM_MIN);
        Some(between.map_or(all, |between| between.max(all)))
    }

    /// How many trials are much farther from the others of their setting than this deviation; where few blocks tell what
    /// arrivals alone do, of others with the same arrivals.
    #[must_use]
    pub fn far_off(&self, deviation: f64) -> usize {
        let are_told = self.freedom() >= FREEDOM_OF_BLOCKS_MIN;
        far_off(
            if are_told {
                &self.of_settings
            } else {
                &self.in_blocks
            },
            deviation,
        )
    }

    fn freedom(&self) -> f64 {
        residuals(&self.by_block).1
    }
}

/// How many values lie much farther from the middle of their groups than values with this standard deviation do; none of so
/// few that it is made of them, too.
fn far_off(groups: &[Vec<f64>], deviation: f64) -> usize {
    let (residuals, freedom) = residuals(groups);
    if freedom < FREEDOM_MIN {
        return 0;
    }
    let most = (FAR_DEVIATIONS * deviation).max(FAR_MIN);
    residuals.iter().filter(|rest| rest.abs() > most).count()
}

/// What values differ from the middles of their groups by, and the degrees of freedom of that.
fn residuals(groups: &[Vec<f64>]) -> (Vec<f64>, f64) {
    let mut residuals = Vec::new();
    let mut freedom = 0.0;
    let repeated = groups.iter().filter(|group| group.len() > 1);
    for (group, middle) in repeated.filter_map(|group| Some((group, median(group)?))) {
        residuals.extend(group.iter().map(|value| value - middle));
        freedom += group.len() as f64 - 1.0;
    }
    (residuals, freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: "trials of one setting differ by 0.2 %" of trials of 8 to 15 requests a second, all that one block showed.
    #[test]
    fn the_deviation_of_groups_is_of_their_own_middles_and_hardly_of_one_value() {
        let calm = vec![vec![0.0, 0.02, -0.02, 0.01], vec![5.0, 5.02, 4.98, 5.01]];
        let known = robust_deviation(&calm).unwrap();
        assert!((0.01..0.03).contains(&known), "{known}");
        let mut disturbed = calm;
        disturbed[0].push(-0.4);
        let disturbed = robust_deviation(&disturbed).unwrap();
        assert!(disturbed < 0.04, "{disturbed}");
        assert_eq!(robust_deviation(&[vec![1.0]]), None);
        let two = robust_deviation(&[vec![0.0, 0.2]]).unwrap();
        assert!((two - 0.02_f64.sqrt()).abs() < 1e-9, "{two}");
    }

    /// Seen: trials of 115, 113, 124, 462 and 112 ms told as differing by 9.3 %, and nothing of the fourth.
    #[test]
    fn a_disturbed_trial_is_counted_and_does_not_widen_the_others() {
        let group = [114.7_f64, 112.7, 124.4, 462.4, 112.5]
            .map(f64::ln)
            .to_vec();
        let noise = robust_deviation(std::slice::from_ref(&group)).unwrap();
        assert!(noise.exp_m1() < 0.15, "{noise}");
        assert_eq!(far_off(std::slice::from_ref(&group), noise), 1);
        let calm: Vec<f64> = group.into_iter().filter(|value| *value < 6.0).collect();
        assert_eq!(far_off(&[calm.clone(), calm], 0.05), 0);
    }

    /// Seen: trials of 16.1 to 23.2 requests a second by the chance of their arrivals, "but for 2 that were far off, as beside
    /// other work of the machine": those before, with the same arrivals five times, hardly differed.
    #[test]
    fn other_arrivals_in_each_block_are_no_other_work_of_the_machine() {
        let logs = |rates: &[f64]| rates.iter().map(|rate| rate.ln()).collect::<Vec<_>>();
        let same = logs(&[20.0, 20.03, 20.01, 20.02, 19.99, 19.98]);
        let others = logs(&[19.9, 20.5, 20.9, 16.1, 23.2, 19.6, 17.4, 16.4, 20.2]);
        let trials = |count: usize| {
            let others = &others[..count];
            let again = [same.clone(), logs(&[19.9])].concat();
            let of_settings = vec![again, others.to_vec()];
            let mut in_blocks = BTreeMap::from([((0, 0), same.clone()), ((0, 1), logs(&[19.9]))]);
            let each = others.iter().enumerate();
            in_blocks.extend(each.map(|(block, value)| ((1, block + 1), vec![*value])));
            RepeatedTrials::new(of_settings, in_blocks)
        };
        for count in 1..=others.len() {
            let trials = trials(count);
            let noise = trials.deviation().unwrap();
            assert_eq!(trials.far_off(noise), 0, "{count}: {noise}");
        }
        let all = trials(others.len());
        assert!(
            far_off(
                &all.of_settings,
                robust_deviation(&all.of_settings).unwrap()
            ) > 0
        );
        // One that was disturbed among others with its arrivals is still told.
        let mut disturbed = BTreeMap::from([((0, 0), logs(&[114.7, 112.7, 462.4, 113.0, 112.5]))]);
        disturbed.insert((0, 1), logs(&[112.0]));
        let values = disturbed.values().flatten().copied().collect();
        let trials = RepeatedTrials::new(vec![values], disturbed);
        assert_eq!(trials.far_off(trials.deviation().unwrap()), 1);
    }
}
