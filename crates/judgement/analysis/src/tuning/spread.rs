//! How much trials of one setting differ, over all blocks.

/// The degrees of freedom from which on values far off can be recognised.
const FREEDOM_MIN: f64 = 4.0;
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

/// How many values lie much farther from the middle of their groups than values with this standard deviation do; none of so
/// few that it is made of them, too.
#[must_use]
pub fn far_off(groups: &[Vec<f64>], deviation: f64) -> usize {
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
    for group in groups.iter().filter(|group| group.len() > 1) {
        let mut ordered = group.clone();
        ordered.sort_by(f64::total_cmp);
        let half = ordered.len() / 2;
        let middle = f64::midpoint(ordered[half], ordered[(ordered.len() - 1) / 2]);
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
}
