//! Judging a term over windows, with confidence.

use loadline_metrics::Histogram;

use super::{Statistic, Term};
use crate::estimate::{Estimate, design_effect, is_beyond_chance, mean_of, share_of};

/// Requests from which on a longest one is taken for the longest.
const ENOUGH_FOR_MAX: u64 = 30;

/// What a window holds of the requests a term is asked of.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// How long they took, ms.
    pub durations: Histogram,
    /// Failed requests, or failed checks.
    pub bad: u64,
    /// All requests, or checks.
    pub all: u64,
}

/// What can be said of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is kept, with the confidence asked for.
    Holds,
    /// It is missed, likewise.
    Misses,
    /// Too few requests were seen to tell.
    Open,
}

/// A term judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The value with its range: ms, or a share; `None` without any request.
    pub value: Option<Estimate>,
    /// What can be said.
    pub standing: Standing,
    /// Whether the value as it is keeps to the term, however sure that is.
    pub is_within: bool,
}

/// Judges `term` over windows, in order; `z` is how many standard deviations it must be
/// away from its limit.
#[must_use]
pub fn judge(term: &Term, windows: &[&Sample], z: f64) -> Judged {
    let open = Judged {
        value: None,
        standing: Standing::Open,
        is_within: true,
    };
    match term.statistic {
        Statistic::Percentile(percentile) => of_percentile(term, windows, percentile / 100.0, z),
        Statistic::Mean => of_mean(term, windows, z),
        Statistic::Max => {
            let count: u64 = windows.iter().map(|w| w.durations.count()).sum();
            let longest = windows.iter().filter_map(|w| w.durations.max());
            let Some(longest) = longest.reduce(f64::max) else {
                return open;
            };
            let holds = term.holds(longest);
            Judged {
                value: Some(Estimate::exact(longest)),
                standing: match (holds, count >= ENOUGH_FOR_MAX) {
                    (false, _) => Standing::Misses,
                    (true, true) => Standing::Holds,
                    (true, false) => Standing::Open,
                },
                is_within: holds,
            }
        }
        Statistic::Errors | Statistic::Checks => {
            let pairs: Vec<(f64, f64)> = windows
                .iter()
                .map(|w| (w.bad as f64, w.all as f64))
                .collect();
            let Some(bad) = share_of(&pairs, z) else {
                return open;
            };
            let value = if term.statistic == Statistic::Checks {
                Estimate {
                    low: 1.0 - bad.high,
                    middle: 1.0 - bad.middle,
                    high: 1.0 - bad.low,
                }
            } else {
                bad
            };
            let judged = told(term, value);
            let allowed = if term.statistic == Statistic::Checks {
                1.0 - term.limit
            } else {
                term.limit
            };
            unless_chance(judged, &pairs, bad.middle, (allowed, z))
        }
    }
}

/// The same, left open where so many bad ones may be chance.
fn unless_chance(
    judged: Judged,
    pairs: &[(f64, f64)],
    share: f64,
    (allowed, z): (f64, f64),
) -> Judged {
    let all: f64 = pairs.iter().map(|(_, all)| all).sum();
    let effect = design_effect(pairs, share, all);
    let is_chance = !is_beyond_chance(share * all / effect, all / effect, allowed, z);
    match judged.standing {
        Standing::Misses if is_chance => Judged {
            standing: Standing::Open,
            ..judged
        },
        _ => judged,
    }
}

fn told(term: &Term, value: Estimate) -> Judged {
    let (best, worst) = if term.statistic.wants_more() {
        (value.high, value.low)
    } else {
        (value.low, value.high)
    };
    Judged {
        value: Some(value),
        standing: match (term.holds(worst), term.holds(best)) {
            (true, _) => Standing::Holds,
            (false, false) => Standing::Misses,
            (false, true) => Standing::Open,
        },
        is_within: term.holds(value.middle),
    }
}

fn of_percentile(term: &Term, windows: &[&Sample], percentile: f64, z: f64) -> Judged {
    let beyond: Vec<(f64, f64)> = windows
        .iter()
        .map(|w| (beyond(term, &w.durations), w.durations.count() as f64))
        .collect();
    let Some(share) = share_of(&beyond, z) else {
        return Judged {
            value: None,
            standing: Standing::Open,
            is_within: true,
        };
    };
    let allowed = 1.0 - percentile;
    let mut merged = Histogram::new();
    for window in windows {
        merged.merge(&window.durations);
    }
    let all = merged.count() as f64;
    let worth = all / design_effect(&beyond, share.middle, all);
    let reach = z * (percentile * allowed / worth).sqrt();
    let at = |place: f64| merged.percentile(place.clamp(0.0, 1.0)).unwrap_or(0.0);
    let value = Estimate {
        low: at(percentile - reach),
        middle: at(percentile),
        high: at(percentile + reach),
    };
    let judged = Judged {
        value: Some(value),
        standing: if share.high <= allowed {
            Standing::Holds
        } else if share.low > allowed {
            Standing::Misses
        } else {
            Standing::Open
        },
        is_within: share.middle <= allowed,
    };
    unless_chance(judged, &beyond, share.middle, (allowed, z))
}

/// How many values a percentile term does not allow too many of.
fn beyond(term: &Term, durations: &Histogram) -> f64 {
    if let Some(values) = durations.raw() {
        return values.iter().filter(|value| !term.holds(**value)).count() as f64;
    }
    let buckets = durations.buckets().into_iter();
    let beyond = buckets.filter(|(bucket, _)| !term.holds(bucket.middle()));
    beyond.map(|(_, count)| count as f64).sum()
}

fn of_mean(term: &Term, windows: &[&Sample], z: f64) -> Judged {
    let sums: Vec<(f64, f64)> = windows
        .iter()
        .map(|w| (w.durations.sum(), w.durations.count() as f64))
        .collect();
    let Some(mean) = mean_of(&sums, 0.95) else {
        return Judged {
            value: None,
            standing: Standing::Open,
            is_within: true,
        };
    };
    // The interval is that of 95 %; another z reaches proportionally farther.
    let reach = |end: f64| mean.middle + (end - mean.middle) * z / 1.96;
    let value = Estimate {
        low: reach(mean.low),
        middle: mean.middle,
        high: reach(mean.high),
    };
    if windows.len() < 3 {
        return Judged {
            value: Some(value),
            standing: Standing::Open,
            is_within: term.holds(mean.middle),
        };
    }
    told(term, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(values: &[f64], bad: u64) -> Sample {
        Sample {
            durations: Histogram::from_values(values),
            bad,
            all: values.len() as u64,
        }
    }

    fn standing(term: &str, windows: &[Sample]) -> Standing {
        let windows: Vec<&Sample> = windows.iter().collect();
        judge(&term.parse().unwrap(), &windows, 1.96).standing
    }

    #[test]
    fn a_percentile_holds_once_enough_requests_say_so() {
        let fast = window(&[50.0; 20], 0);
        assert_eq!(
            standing("p(95)<500ms", &[fast.clone(), fast.clone()]),
            Standing::Open
        );
        assert_eq!(standing("p(95)<500ms", &vec![fast; 10]), Standing::Holds);
    }

    #[test]
    fn a_percentile_is_missed_once_too_many_are_beyond_for_certain() {
        let mut values = vec![50.0; 88];
        values.extend([900.0; 12]);
        assert_eq!(
            standing("p(95)<500ms", &vec![window(&values, 0); 10]),
            Standing::Misses
        );
        assert_eq!(
            standing("p(80)<500ms", &vec![window(&values, 0); 10]),
            Standing::Holds
        );
    }

    #[test]
    fn errors_and_checks_are_shares() {
        let windows = vec![window(&[10.0; 100], 2); 40];
        assert_eq!(standing("errors<1%", &windows), Standing::Misses);
        assert_eq!(standing("errors<3%", &windows), Standing::Holds);
        assert_eq!(standing("checks>97%", &windows), Standing::Holds);
        assert_eq!(standing("errors<1%", &windows[..1]), Standing::Open);
    }

    #[test]
    fn means_and_longest_requests_are_judged_too() {
        let steady: Vec<Sample> = (0..12)
            .map(|i| window(&[90.0 + f64::from(i % 3), 100.0], 0))
            .collect();
        assert_eq!(standing("mean<=100ms", &steady), Standing::Holds);
        assert_eq!(standing("mean<=95ms", &steady), Standing::Misses);
        assert_eq!(standing("max<100ms", &steady), Standing::Misses);
        assert_eq!(standing("max<=100ms", &steady[..1]), Standing::Open);
        assert_eq!(
            standing("max<=100ms", &[window(&[9.0; 30], 0)]),
            Standing::Holds
        );
    }

    #[test]
    fn nothing_seen_is_open() {
        assert_eq!(standing("p(95)<1s", &[Sample::default()]), Standing::Open);
        assert_eq!(standing("mean<1s", &[]), Standing::Open);
    }
}
