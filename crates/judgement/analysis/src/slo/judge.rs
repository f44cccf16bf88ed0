//! Judging a term over windows, with confidence.

use std::collections::BTreeSet;

use loadline_metrics::{Histogram, MEAN_MISSES_SHARE_MIN, PlannedAnswers};

use super::{Statistic, Term};
use crate::estimate::{Estimate, longer};
use crate::sequential::{self, Count, Windows};

/// Requests from which on a longest one is taken for the longest.
const REQUESTS_FOR_MAX_MIN: u64 = 30;
/// Windows whose values wander may cross a limit that is so many standard deviations away:
/// how they follow each other matters then, though no request has crossed it yet.
const NEAR_LIMIT_DEVIATIONS: f64 = 3.0;
/// Nothing holds for certain on fewer independent windows: a target that is slower for a while
/// now and then must have had the time to be.
const WINDOWS_MIN: f64 = 20.0;

/// What a window holds of the requests a term is asked of.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    /// How long those took that were answered well, ms.
    pub durations: Histogram,
    /// Failed requests, or failed checks. Of a latency: planned starts that failed, were cut or
    /// never sent; they miss it however fast they were.
    pub bad: u64,
    /// All requests, checks, or planned starts.
    pub all: u64,
    /// What other requests have of the tag it asks for first.
    pub others: BTreeSet<String>,
}

/// What a window says of a term, worked out once: a level is looked at again and again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindowValue {
    /// Of a percentile: planned starts that were late or not answered well, of so many.
    late: f64,
    planned: f64,
    /// The time that the percentile asks for.
    tail: Option<f64>,
    /// The mean of those answered well.
    mean: Option<f64>,
}

impl WindowValue {
    /// What `sample` says of `term`.
    #[must_use]
    pub fn new(term: &Term, sample: &Sample) -> Self {
        let durations = &sample.durations;
        let planned = (durations.count() + sample.bad) as f64;
        let (late, tail) = match term.statistic {
            Statistic::Percentile(percentile) => (
                (durations.count_where(|value| !term.holds(value)) + sample.bad) as f64,
                durations.percentile(1.0 - (1.0 - percentile / 100.0)),
            ),
            _ => (0.0, None),
        };
        Self {
            late,
            planned,
            tail,
            mean: durations.mean(),
        }
    }
}

/// A window's sample beside what it says of a term.
#[derive(Debug, Clone, Copy)]
pub struct SeenSample<'a> {
    /// The sample.
    pub sample: &'a Sample,
    /// What it says.
    pub value: WindowValue,
}

impl<'a> SeenSample<'a> {
    /// A sample that is looked at for the first time.
    #[must_use]
    pub fn new(term: &Term, sample: &'a Sample) -> Self {
        Self {
            sample,
            value: WindowValue::new(term, sample),
        }
    }
}

/// What can be said of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermState {
    /// It is kept, with the confidence asked for.
    Holds,
    /// It is missed, likewise.
    Misses,
    /// Too few requests were seen to tell.
    Open,
}

/// A term judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JudgedTerm {
    /// The value with its range: ms, or a share; `None` without any request.
    pub value: Option<Estimate>,
    /// What can be said.
    pub standing: TermState,
    /// Whether the value as it is keeps to the term, however sure that is.
    pub is_within: bool,
}

/// Judges `term` over windows, in order. A standing is wrong, at the limit itself, with a
/// probability of `alpha` at most, however often it is judged while windows are added.
#[must_use]
pub fn judge(term: &Term, windows: &[SeenSample<'_>], alpha: f64) -> JudgedTerm {
    judged(term, windows, Demand::new(alpha), Range::Wanted)
}

/// The same without what costs most, the value and its range: for one look of many.
#[must_use]
pub fn look(term: &Term, windows: &[SeenSample<'_>], alpha: f64) -> JudgedTerm {
    judged(term, windows, Demand::new(alpha), Range::LeftOut)
}

/// What can be said of `term` with half of the evidence that `alpha` asks for, on half as many
/// independent windows: what is open then, will hardly be clear in twice the time.
#[must_use]
pub fn half_way(term: &Term, windows: &[SeenSample<'_>], alpha: f64) -> TermState {
    let half = Demand {
        alpha: alpha.sqrt(),
        windows: WINDOWS_MIN / 2.0,
    };
    judged(term, windows, half, Range::LeftOut).standing
}

/// What a claim needs.
#[derive(Debug, Clone, Copy)]
struct Demand {
    /// How seldom it may be wrong.
    alpha: f64,
    /// Independent windows it rests on.
    windows: f64,
}

impl Demand {
    const fn new(alpha: f64) -> Self {
        Self {
            alpha,
            windows: WINDOWS_MIN,
        }
    }
}

/// Whether the range of a value is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Range {
    Wanted,
    LeftOut,
}

fn judged(term: &Term, windows: &[SeenSample<'_>], demand: Demand, range: Range) -> JudgedTerm {
    let alpha = demand.alpha;
    let open = JudgedTerm {
        value: None,
        standing: TermState::Open,
        is_within: true,
    };
    match term.statistic {
        Statistic::Percentile(percentile) => {
            of_percentile(term, windows, percentile / 100.0, demand, range)
        }
        Statistic::Mean => of_mean(term, windows, demand),
        Statistic::Max => {
            let starts = starts(windows);
            let count = starts.planned();
            if count == 0 {
                return open;
            }
            let longest = starts.max().unwrap_or(NOT_REACHED);
            let holds = term.holds(longest);
            JudgedTerm {
                value: Some(Estimate::exact(longest)),
                standing: match (holds, count >= REQUESTS_FOR_MAX_MIN) {
                    (false, _) => TermState::Misses,
                    (true, true) => TermState::Holds,
                    (true, false) => TermState::Open,
                },
                is_within: holds,
            }
        }
        Statistic::Errors | Statistic::Checks => {
            let pairs: Vec<(f64, f64)> = windows
                .iter()
                .map(|w| (w.sample.bad as f64, w.sample.all as f64))
                .collect();
            let windows = Windows(&pairs);
            let Some((worth, total)) = windows.worth(alpha, 1.0).zip(windows.total()) else {
                return open;
            };
            let middle = total.bad / total.all;
            let bad = match range {
                Range::Wanted => worth.interval(alpha),
                Range::LeftOut => Estimate::exact(middle),
            };
            let wants_passed = term.statistic == Statistic::Checks;
            let allowed = term.allowed_failures().unwrap_or(1.0);
            let value = if wants_passed {
                Estimate {
                    low: 1.0 - bad.high,
                    middle: 1.0 - middle,
                    high: 1.0 - bad.low,
                }
            } else {
                Estimate { middle, ..bad }
            };
            JudgedTerm {
                value: Some(value),
                standing: standing(worth, allowed, demand),
                is_within: term.holds(value.middle),
            }
        }
    }
}

/// What can be said of a share that may be `allowed` at most.
fn standing(worth: Count, allowed: f64, demand: Demand) -> TermState {
    if worth.windows >= demand.windows && worth.is_below(allowed, demand.alpha) {
        TermState::Holds
    } else if worth.is_above(allowed, demand.alpha) {
        TermState::Misses
    } else {
        TermState::Open
    }
}

fn judged_by_range(term: &Term, value: Estimate) -> JudgedTerm {
    JudgedTerm {
        value: Some(value),
        standing: match (term.holds(value.high), term.holds(value.low)) {
            (true, _) => TermState::Holds,
            (false, false) => TermState::Misses,
            (false, true) => TermState::Open,
        },
        is_within: term.holds(value.middle),
    }
}

fn of_percentile(
    term: &Term,
    windows: &[SeenSample<'_>],
    percentile: f64,
    demand: Demand,
    range: Range,
) -> JudgedTerm {
    let alpha = demand.alpha;
    let beyond: Vec<(f64, f64)> = windows
        .iter()
        .map(|w| (w.value.late, w.value.planned))
        .collect();
    let follows = follows_near(term, windows);
    let beyond = Windows(&beyond);
    let Some((worth, total)) = beyond.worth(alpha, follows).zip(beyond.total()) else {
        return JudgedTerm {
            value: None,
            standing: TermState::Open,
            is_within: true,
        };
    };
    let allowed = 1.0 - percentile;
    JudgedTerm {
        value: (range == Range::Wanted).then(|| value_at(windows, allowed, worth, alpha)),
        standing: standing(worth, allowed, demand),
        is_within: total.bad <= allowed * total.all,
    }
}

/// The value where too few planned starts were answered well for any: longer than all limits.
pub const NOT_REACHED: f64 = f64::INFINITY;

/// The planned starts of all windows.
fn starts(windows: &[SeenSample<'_>]) -> PlannedAnswers {
    let mut starts = PlannedAnswers::default();
    for window in windows {
        starts.well.merge(&window.sample.durations);
        starts.failed += window.sample.bad;
    }
    starts
}

/// The value that a share of `allowed` exceeds, and where it may lie: between those exceeded
/// by shares that so many requests cannot tell from it.
fn value_at(windows: &[SeenSample<'_>], allowed: f64, worth: Count, alpha: f64) -> Estimate {
    let starts = starts(windows);
    let at = |share: f64| {
        let reached = starts.percentile((1.0 - share).clamp(0.0, 1.0));
        reached.unwrap_or(NOT_REACHED)
    };
    let usual = Count {
        bad: allowed * worth.all,
        ..worth
    };
    let reach = usual.interval(alpha);
    Estimate {
        low: at(reach.high),
        middle: at(allowed),
        high: at(reach.low),
    }
}

/// How many windows say as much as an independent one, by their mean durations; 1 where what
/// they wander by cannot bring them to the limit.
fn follows_near(term: &Term, windows: &[SeenSample<'_>]) -> f64 {
    let log = |value: f64| value.max(f64::MIN_POSITIVE).ln();
    let windows = windows.iter().map(|w| &w.value);
    let tails = windows.clone().filter_map(|w| w.tail);
    let (middle, spread) = mean_and_spread(&tails.map(log).collect::<Vec<f64>>());
    if middle + NEAR_LIMIT_DEVIATIONS * spread < log(term.limit) {
        return 1.0;
    }
    let means: Vec<f64> = windows.filter_map(|w| w.mean).map(log).collect();
    let (middle, _) = mean_and_spread(&means);
    longer(&means.iter().map(|mean| mean - middle).collect::<Vec<f64>>())
}

fn mean_and_spread(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / count).sqrt())
}

fn of_mean(term: &Term, windows: &[SeenSample<'_>], demand: Demand) -> JudgedTerm {
    let sums: Vec<(f64, f64)> = windows
        .iter()
        .map(|w| (w.sample.durations.sum(), w.sample.durations.count() as f64))
        .collect();
    let Some(value) = sequential::mean_of(&sums, demand.alpha) else {
        let has_starts = starts(windows).planned() > 0;
        return JudgedTerm {
            value: has_starts.then(|| Estimate::exact(NOT_REACHED)),
            standing: TermState::Open,
            is_within: !has_starts,
        };
    };
    // A mean is no share of starts: it is missed as soon as a hundredth of them are misses.
    let misses: Vec<(f64, f64)> = windows
        .iter()
        .map(|w| (w.sample.bad as f64, w.value.planned))
        .collect();
    if starts(windows).missed_share() >= MEAN_MISSES_SHARE_MIN {
        let worth = Windows(&misses).worth(demand.alpha, 1.0);
        let is_sure = worth.is_some_and(|w| w.is_above(MEAN_MISSES_SHARE_MIN, demand.alpha));
        return JudgedTerm {
            value: Some(Estimate::exact(NOT_REACHED)),
            standing: if is_sure {
                TermState::Misses
            } else {
                TermState::Open
            },
            is_within: false,
        };
    }
    if windows.len() < 3 {
        return JudgedTerm {
            value: Some(Estimate::exact(value.middle)),
            standing: TermState::Open,
            is_within: term.holds(value.middle),
        };
    }
    let judged = judged_by_range(term, value);
    let means: Vec<f64> = windows.iter().filter_map(|w| w.value.mean).collect();
    match judged.standing {
        TermState::Holds if sequential::independent(&means) < demand.windows => JudgedTerm {
            standing: TermState::Open,
            ..judged
        },
        _ => judged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(values: &[f64], bad: u64) -> Sample {
        Sample {
            durations: Histogram::from_values(values),
            bad,
            all: values.len() as u64,
            ..Sample::default()
        }
    }

    fn standing(term: &str, windows: &[Sample]) -> TermState {
        let term = term.parse().unwrap();
        judge(&term, &seen(&term, windows), 0.025).standing
    }

    fn seen<'a>(term: &Term, windows: &'a [Sample]) -> Vec<SeenSample<'a>> {
        let windows = windows.iter();
        windows.map(|w| SeenSample::new(term, w)).collect()
    }

    #[test]
    fn a_percentile_holds_once_enough_requests_say_so() {
        let fast = window(&[50.0; 20], 0);
        assert_eq!(
            standing("p(95)<500ms", &[fast.clone(), fast.clone()]),
            TermState::Open
        );
        assert_eq!(standing("p(95)<500ms", &vec![fast; 20]), TermState::Holds);
    }

    #[test]
    fn a_percentile_is_missed_once_too_many_are_beyond_for_certain() {
        let mut values = vec![50.0; 88];
        values.extend([900.0; 12]);
        assert_eq!(
            standing("p(95)<500ms", &vec![window(&values, 0); 20]),
            TermState::Misses
        );
        assert_eq!(
            standing("p(80)<500ms", &vec![window(&values, 0); 20]),
            TermState::Holds
        );
    }

    /// Seen: requests that failed at once kept any goal of latency.
    #[test]
    fn starts_that_were_not_answered_well_miss_however_fast_they_were() {
        let some = |bad| vec![window(&[50.0; 90], bad); 40];
        assert_eq!(standing("p(95)<500ms", &some(1)), TermState::Holds);
        assert_eq!(standing("p(95)<500ms", &some(10)), TermState::Misses);
        assert_eq!(standing("p(80)<500ms", &some(10)), TermState::Holds);
        assert_eq!(standing("max<500ms", &some(1)), TermState::Misses);
        assert_eq!(standing("mean<500ms", &some(10)), TermState::Misses);
        let term = "p(95)<500ms".parse().unwrap();
        let judged = judge(&term, &seen(&term, &some(10)), 0.025);
        assert!(judged.value.is_some_and(|value| value.middle.is_infinite()));
        assert!(!judged.is_within);
    }

    #[test]
    fn errors_and_checks_are_shares() {
        let windows = vec![window(&[10.0; 100], 2); 40];
        assert_eq!(standing("errors<1%", &windows), TermState::Misses);
        assert_eq!(standing("errors<3%", &windows), TermState::Holds);
        assert_eq!(standing("checks>97%", &windows), TermState::Holds);
        assert_eq!(standing("errors<1%", &windows[..1]), TermState::Open);
    }

    #[test]
    fn means_and_longest_requests_are_judged_too() {
        let steady: Vec<Sample> = (0..60)
            .map(|i| window(&[90.0 + f64::from(i * i % 7), 100.0], 0))
            .collect();
        assert_eq!(standing("mean<=100ms", &steady), TermState::Holds);
        assert_eq!(standing("mean<=90ms", &steady), TermState::Misses);
        assert_eq!(standing("max<100ms", &steady), TermState::Misses);
        assert_eq!(standing("max<=100ms", &steady[..1]), TermState::Open);
        assert_eq!(
            standing("max<=100ms", &[window(&[9.0; 30], 0)]),
            TermState::Holds
        );
    }

    #[test]
    fn half_of_the_time_shows_what_will_be_clear_in_all_of_it() {
        let half_way = |windows: &[Sample]| {
            let term = "errors<1%".parse().unwrap();
            half_way(&term, &seen(&term, windows), 0.005)
        };
        let fine = vec![window(&[10.0; 30], 0); 15];
        assert_eq!(standing("errors<1%", &fine), TermState::Open);
        assert_eq!(half_way(&fine), TermState::Holds);
        let near = vec![window(&[10.0; 125], 1); 15];
        assert_eq!(half_way(&near), TermState::Open);
    }

    #[test]
    fn nothing_seen_is_open() {
        assert_eq!(standing("p(95)<1s", &[Sample::default()]), TermState::Open);
        assert_eq!(standing("mean<1s", &[]), TermState::Open);
    }
}
