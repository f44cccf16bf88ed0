//! How large a change is, in the words of both languages.

use loadline_analysis::compare::Change;

use super::DrawnStudy;
use crate::reader::{Fact, Reader};

/// What two ends of an interval with no change within must not be apart to say anything.
const UNTELLING_RATIO: f64 = 4.0;
const MOST_PRINTED: f64 = 10.0;
/// What is told in times, and what is no figure.
const TIMES_MIN: f64 = 3.0;
const RATIO_TOLD_MAX: f64 = 100.0;
pub(super) fn is_clear(change: Change) -> bool {
    change.low > 0.0 || change.high < 0.0
}

/// Whether an interval says anything.
pub(super) fn is_informative(change: Change) -> bool {
    let is_narrow = 1.0 + change.high < UNTELLING_RATIO * (1.0 + change.low);
    let is_open_above =
        1.0 + change.high > RATIO_TOLD_MAX || change.high > MOST_PRINTED && !is_narrow;
    let is_open_below = 1.0 + change.low < 1.0 / RATIO_TOLD_MAX;
    !is_open_above && !is_open_below && (is_clear(change) || is_narrow)
}

/// A change in words of both languages.
pub(super) struct ToldChange {
    pub(super) english: String,
    pub(super) korean: String,
    pub(super) is_times: bool,
}

impl DrawnStudy {
    /// What becomes of the measured value.
    fn ratio(&self, share: f64) -> f64 {
        if self.less_is_better {
            1.0 / (1.0 + share)
        } else {
            1.0 + share
        }
    }

    /// In percent of what people want.
    fn percent(&self, share: f64) -> f64 {
        if self.less_is_better {
            100.0 * (1.0 - self.ratio(share))
        } else {
            100.0 * share
        }
    }

    const fn times_good(&self) -> &'static str {
        if self.is_of_margin {
            "times as good"
        } else {
            "times as much"
        }
    }

    /// The words of a change, with its figures as facts; nothing where it says nothing.
    pub(super) fn worded(
        &self,
        reader: &mut Reader,
        name: &str,
        change: Change,
    ) -> Option<ToldChange> {
        let Change { low, middle, high } = change;
        if !is_informative(change) {
            return self.nearer_end(reader, name, change);
        }
        let is_times = [low, middle, high]
            .iter()
            .any(|one| self.ratio(*one) > TIMES_MIN);
        let mut ends = [low, high].map(|one| {
            if is_times {
                self.ratio(one)
            } else {
                self.percent(one)
            }
        });
        if is_times {
            ends.sort_by(f64::total_cmp);
        }
        let told = if is_times {
            self.ratio(middle)
        } else {
            self.percent(middle)
        };
        for (end, value) in [("", told), ("_low", ends[0]), ("_high", ends[1])] {
            reader.fact(&format!("{name}{end}"), Fact::Rough(value));
        }
        let range = format!("[{{{name}_low}}, {{{name}_high}}]");
        let (english, korean) = if is_times {
            (
                format!("{{{name}}} {} {range}", self.times_good()),
                format!("{{{name}}}배 {range}"),
            )
        } else {
            let text = format!("{{{name}}} % {range}");
            (text.clone(), text)
        };
        Some(ToldChange {
            english,
            korean,
            is_times,
        })
    }

    /// Of a clear one that is open on the far side the nearer end.
    fn nearer_end(&self, reader: &mut Reader, name: &str, change: Change) -> Option<ToldChange> {
        let end = if change.low > 0.0 {
            change.low.min(RATIO_TOLD_MAX - 1.0)
        } else if change.high < 0.0 {
            change.high.max(1.0 / RATIO_TOLD_MAX - 1.0)
        } else {
            return None;
        };
        let is_times = self.ratio(end) > TIMES_MIN;
        let value = if is_times {
            self.ratio(end)
        } else {
            self.percent(end)
        };
        reader.fact(name, Fact::Rough(value));
        let (english, korean) = if is_times {
            (
                format!("at least {{{name}}} {}", self.times_good()),
                format!("{{{name}}}배 이상"),
            )
        } else if end > 0.0 {
            (
                format!("at least {{{name}}} %"),
                format!("{{{name}}} % 이상"),
            )
        } else {
            (
                format!("{{{name}}} % or less"),
                format!("{{{name}}} % 이하"),
            )
        };
        Some(ToldChange {
            english,
            korean,
            is_times,
        })
    }

    /// An interval that says something, without its middle.
    pub(super) fn interval(
        &self,
        reader: &mut Reader,
        name: &str,
        change: Change,
    ) -> (String, String) {
        let told = self.worded(reader, name, change);
        let is_times = told.is_some_and(|told| told.is_times);
        let range = format!("[{{{name}_low}}, {{{name}_high}}]");
        if is_times {
            let times = self.times_good();
            return (format!("{range} {times}"), format!("{range}배"));
        }
        (format!("{range} %"), format!("{range} %"))
    }

    /// How much trials differ.
    pub(super) fn spread(&self, reader: &mut Reader, name: &str, share: f64) {
        reader.fact(name, Fact::Rough(100.0 * share));
    }
}
