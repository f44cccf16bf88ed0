//! How large a change is, in words.
//!
//! A change is told in per cent; where something becomes more than three times as much, as how many times. An end of an
//! interval that is no figure (the bound of what was looked at, or what stands for *never*) is left out: of a clear change the
//! nearer end is told, as *at least*.

use loadline_analysis::compare::Change;
use loadline_text::{Catalog, grouped, tune};

use crate::telling_interval::{RATIO_TOLD_MAX, is_informative};

/// What becomes more than this many times as much is told in times.
const TIMES_MIN: f64 = 3.0;

/// The words for changes of a study.
pub(super) struct ChangeWords<'a> {
    pub(super) catalog: &'a Catalog,
    /// Whether less is better of what is measured: twice as good is half as much.
    pub(super) less_is_better: bool,
    /// Whether changes are of how far conditions are kept.
    pub(super) is_of_margin: bool,
}

/// A change in words.
pub(super) struct ToldChange {
    pub(super) text: String,
    /// Whether it is told as how many times: *better by* does not stand before it.
    pub(super) is_times: bool,
}

/// A share in percent, as few digits as say something.
pub(super) fn number(share: f64) -> String {
    let percent = share * 100.0;
    let text = if percent.abs() < 10.0 {
        format!("{percent:.1}")
    } else {
        grouped(percent, 0)
    };
    // No minus before a zero.
    text.strip_prefix('-')
        .filter(|rest| rest.bytes().all(|byte| matches!(byte, b'0' | b'.')))
        .map_or_else(|| text.clone(), str::to_owned)
}

/// How many times.
fn times(ratio: f64) -> String {
    grouped(ratio, usize::from(ratio < 9.95))
}

impl ChangeWords<'_> {
    /// What the measured value is multiplied by.
    fn ratio(&self, share: f64) -> f64 {
        if self.less_is_better {
            1.0 / (1.0 + share)
        } else {
            1.0 + share
        }
    }

    /// A change of the score as people read it, better above zero: half the latency is 50 % better, not 100 %.
    fn percent(&self, share: f64) -> String {
        number(if self.less_is_better {
            1.0 - self.ratio(share)
        } else {
            share
        })
    }

    fn is_times(&self, shares: &[f64]) -> bool {
        shares.iter().any(|share| self.ratio(*share) > TIMES_MIN)
    }

    fn as_many_times(&self, count: String) -> String {
        self.catalog.text(&if self.is_of_margin {
            tune::size_times_good(count)
        } else {
            tune::size_times(count)
        })
    }

    /// `12 % [8, 16]`, `4.2 times as much [3.9, 4.5]`, or of what is clear and open on the far side `at least 20 %`; `None`
    /// where it says nothing.
    pub(super) fn in_words(&self, change: Change) -> Option<ToldChange> {
        let Change { low, middle, high } = change;
        if !is_informative(change) {
            return self.nearer_end(change);
        }
        let is_times = self.is_times(&[low, middle, high]);
        let text = if is_times {
            let middle = self.as_many_times(times(self.ratio(middle)));
            // The smaller one first.
            let mut ends = [self.ratio(low), self.ratio(high)];
            ends.sort_by(f64::total_cmp);
            format!("{middle} [{}, {}]", times(ends[0]), times(ends[1]))
        } else {
            let [low, middle, high] = [low, middle, high].map(|share| self.percent(share));
            format!("{middle} % [{low}, {high}]")
        };
        Some(ToldChange { text, is_times })
    }

    fn nearer_end(&self, change: Change) -> Option<ToldChange> {
        let most = RATIO_TOLD_MAX - 1.0;
        let least = 1.0 / RATIO_TOLD_MAX - 1.0;
        let (end, is_gain) = if change.low > 0.0 {
            (change.low.min(most), true)
        } else if change.high < 0.0 {
            (change.high.max(least), false)
        } else {
            return None;
        };
        let is_times = self.is_times(&[end]);
        let text = self.catalog.text(&if is_times {
            tune::size_at_least(self.as_many_times(times(self.ratio(end))))
        } else if is_gain {
            tune::size_at_least(format!("{} %", self.percent(end)))
        } else {
            tune::size_at_most(format!("{} %", self.percent(end)))
        });
        Some(ToldChange { text, is_times })
    }

    /// `[-36, 75] %` of an interval that says something.
    pub(super) fn interval(&self, change: Change) -> String {
        let Change { low, high, .. } = change;
        if self.is_times(&[low, high]) {
            let mut ends = [self.ratio(low), self.ratio(high)];
            ends.sort_by(f64::total_cmp);
            let range = format!("[{}, {}]", times(ends[0]), times(ends[1]));
            return self.as_many_times(range);
        }
        format!("[{}, {}] %", self.percent(low), self.percent(high))
    }

    /// How much trials differ, a share: `12 %`, or how many times.
    pub(super) fn spread(&self, share: f64) -> String {
        if 1.0 + share > RATIO_TOLD_MAX {
            let most = grouped(RATIO_TOLD_MAX, 0);
            return self.catalog.text(&tune::size_at_least(
                self.catalog.text(&tune::size_factor(most)),
            ));
        }
        if 1.0 + share > TIMES_MIN {
            return self.catalog.text(&tune::size_factor(times(1.0 + share)));
        }
        format!("{} %", number(share))
    }
}

#[cfg(test)]
mod tests;
