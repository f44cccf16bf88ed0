//! Whether a term would still be kept once a queue has come to rest.

use loadline_metrics::Histogram;

use super::{Sample, Statistic, Term};
use crate::queue;

/// The load under which a term is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Requests per second of the whole test: the term may be asked of a part of them, but
    /// they wait together.
    pub rate: f64,
    /// Seconds it was held.
    pub seconds: f64,
    /// The mean time under little load of the requests that the term is asked of, ms.
    pub idle_ms: f64,
}

/// Whether `term`, kept so far, would also be kept at rest by a queue that was as short as
/// these windows show: false for windows that resemble their neighbours, as those of a queue
/// do, until they were held for long enough. Shares of failures say nothing of a queue.
#[must_use]
pub fn is_kept_at_rest(term: &Term, windows: &[&Sample], load: Load) -> bool {
    let share = match term.statistic {
        Statistic::Percentile(percentile) => Some(percentile / 100.0),
        Statistic::Mean => None,
        Statistic::Max | Statistic::Errors | Statistic::Checks => return true,
    };
    let means: Vec<f64> = windows.iter().filter_map(|w| w.durations.mean()).collect();
    if !queue::follow_each_other(&means) {
        return true;
    }
    let mut all = Histogram::new();
    for window in windows {
        all.merge(&window.durations);
    }
    let Some(mean) = all.mean() else {
        return true;
    };
    let delay = mean - load.idle_ms;
    let at_rest = 1000.0 * queue::longest_delay_at_rest(delay / 1000.0, load.rate, load.seconds);
    // The tail of a queue near its limit is exponential; what was seen may have a longer one.
    let tail = share.map_or(1.0, |share| {
        let seen = all.percentile(share).unwrap_or(mean) - load.idle_ms;
        (seen / delay).max(-(1.0 - share).ln())
    });
    delay <= 0.0 || term.holds(load.idle_ms + tail * at_rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(term: &str, values: impl Iterator<Item = f64>, seconds: f64) -> bool {
        let windows: Vec<Sample> = values
            .map(|ms| Sample {
                durations: Histogram::from_values(&[ms; 20]),
                all: 20,
                ..Sample::default()
            })
            .collect();
        let windows: Vec<&Sample> = windows.iter().collect();
        let load = Load {
            rate: 100.0,
            seconds,
            idle_ms: 10.0,
        };
        is_kept_at_rest(&term.parse().unwrap(), &windows, load)
    }

    fn wave(middle: f64) -> impl Iterator<Item = f64> {
        (0..60).map(move |i| middle * (1.0 + 0.8 * (f64::from(i) / 6.0).sin()))
    }

    #[test]
    fn a_queue_as_long_as_half_its_limit_is_not_known_to_keep_it_after_a_minute() {
        assert!(!kept("p(95)<500ms", wave(110.0), 60.0));
        assert!(kept("p(95)<500ms", wave(40.0), 60.0));
        assert!(kept("p(95)<500ms", wave(110.0), 3600.0));
        assert!(!kept("mean<150ms", wave(110.0), 60.0));
        assert!(
            kept("errors<1%", wave(110.0), 60.0),
            "failures are no queue"
        );
    }

    #[test]
    fn windows_that_do_not_resemble_their_neighbours_are_no_queue() {
        let noise = (0..60).map(|i| 60.0 + 10.0 * f64::from(i * i * 7 % 11));
        assert!(kept("p(95)<500ms", noise, 60.0));
    }
}
