//! Whether a term may be missed for the generator's own delays alone.
//!
//! An answer that waits to be read is shown as longer than it was, never as shorter. So of each
//! window it is known how many answers are late whatever the delays were. Where these few keep
//! the term, the windows with delays are left out, and the level is held for as many more.

use loadline_analysis::capacity::{Ceiling, LevelOutcome};
use loadline_analysis::slo::{Sample, SeenSample, Statistic, Term, look};
use loadline_metrics::Histogram;
use loadline_record::{Limit, Validity};

use super::windows::Windows;
use super::{Effort, LEVEL_ALPHA, Rules, Trial};
use crate::window::LoadWindow;

/// Delays of a window are known at these percentiles (0 to 1).
const DELAY_SHARES: [f64; 6] = [0.5, 0.75, 0.9, 0.95, 0.99, 1.0];
/// A window is touched where one in twenty answers waited for this share of the limit: shorter
/// waits are lost in the buckets in which times are kept.
const TOUCHED_AT: f64 = 0.95;
const TOUCHED_SHARE_MIN: f64 = 0.004;
/// A time that keeps a limit, as a share of it.
const WITHIN_LIMIT: f64 = 0.999;
/// So many windows must be left.
const WINDOWS_MIN: u64 = 3;
/// So many times its usual length a level is held at most, for windows that were left out.
const LONGER_MAX: usize = 3;

impl Trial {
    /// Whether a term that is missed may be kept without the generator's own delays.
    pub(super) fn may_be_own(&self, term: usize, rules: &Rules) -> bool {
        let asked = &rules.terms[term];
        if asked.statistic.is_share() || !self.windows.iter().any(|w| is_touched(w, asked)) {
            return false;
        }
        let spared: Vec<Sample> = self
            .windows
            .iter()
            .filter_map(|w| Some(spared(asked, w.samples.get(term)?, &w.generator.read_lag)))
            .collect();
        let is_kept = |samples: &mut dyn Iterator<Item = &Sample>| {
            let seen: Vec<SeenSample<'_>> = samples.map(|s| SeenSample::new(asked, s)).collect();
            look(asked, &seen, LEVEL_ALPHA).is_within
        };
        if !is_kept(&mut spared.iter()) {
            return false;
        }
        let calm = self.calm(asked);
        !self.is_enough(&calm) || is_kept(&mut calm.iter().filter_map(|w| w.samples.get(term)))
    }

    /// Goes on without the windows that the generator's delays touched; where hardly any is left,
    /// or no more time, the level says nothing of the target.
    pub(super) fn leave_touched_out(
        &mut self,
        term: usize,
        effort: &Effort,
        rules: &Rules,
    ) -> Option<LevelOutcome> {
        let calm = self.calm(&rules.terms[term]);
        let is_enough = self.is_enough(&calm);
        let held_at_most = if is_enough {
            effort.most * LONGER_MAX
        } else {
            effort.least
        };
        if self.seen >= held_at_most {
            let ceiling = Ceiling::Generator(vec![Limit::CloseGoal]);
            return Some(LevelOutcome::Invalid(ceiling));
        }
        if is_enough {
            self.windows = Windows::new(calm, rules);
        }
        None
    }

    /// The windows that no delay touched.
    fn calm(&self, term: &Term) -> Vec<LoadWindow> {
        let calm = self.windows.iter().filter(|w| !is_touched(w, term));
        calm.cloned().collect()
    }

    /// Whether so many windows are left that a level can be judged by them.
    fn is_enough(&self, calm: &[LoadWindow]) -> bool {
        let (all, left) = (self.windows.len() as u64, calm.len() as u64);
        left >= WINDOWS_MIN && Validity::is_enough_left(all, all - left)
    }
}

fn is_touched(window: &LoadWindow, term: &Term) -> bool {
    let waited = window.generator.read_lag.percentile(TOUCHED_AT);
    waited.is_some_and(|ms| ms >= TOUCHED_SHARE_MIN * term.limit)
}

/// What a window holds of a term, the answers that may be late for a delay alone in time.
fn spared(term: &Term, sample: &Sample, read_lag: &Histogram) -> Sample {
    let durations = &sample.durations;
    let count = durations.count() as f64;
    let Some(waits) = read_lag.percentiles(&DELAY_SHARES) else {
        return sample.clone();
    };
    let mut spared = Histogram::new();
    if term.statistic == Statistic::Mean {
        let waited = read_lag.mean().unwrap_or(0.0);
        for (bucket, count) in durations.buckets() {
            (0..count).for_each(|_| spared.record((bucket.middle() - waited).max(0.0)));
        }
    } else {
        let for_certain = waits.iter().zip(DELAY_SHARES).map(|(wait, share)| {
            let late = durations.count_where(|ms| !term.holds(ms - wait));
            late as f64 - (1.0 - share) * count
        });
        let for_certain = for_certain.fold(0.0, f64::max);
        let late = durations.count_where(|ms| !term.holds(ms));
        let mut in_doubt = late as f64 - for_certain;
        for (bucket, count) in durations.buckets() {
            for _ in 0..count {
                let is_spared = in_doubt >= 1.0 && !term.holds(bucket.middle());
                in_doubt -= f64::from(u8::from(is_spared));
                spared.record(if is_spared {
                    WITHIN_LIMIT * term.limit
                } else {
                    bucket.middle()
                });
            }
        }
    }
    Sample {
        durations: spared,
        ..sample.clone()
    }
}
