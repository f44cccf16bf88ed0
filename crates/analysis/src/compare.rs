//! Is B better than A, by how much, or can it not be told?
//!
//! Differences of times and rates are ratios, so they are worked out on logarithms. Shares
//! (errors, failed checks, dropped starts) may be zero and are subtracted ([`shares`]). Where a side has several
//! runs, each run gives one value and the interval is Welch's over runs: it holds whatever
//! differs from run to run. A single run gives values by *blocks* of its windows (batch
//! means), long enough to be nearly independent, and widened by what autocorrelation is
//! left; how runs differ from each other cannot be seen in it, so a difference must exceed
//! what runs of one system usually differ by before it is called one.
//!
//! All intervals of one comparison hold together with the stated confidence (Bonferroni):
//! looking at many endpoints does not make one of them different by chance. Percentiles are
//! those of merged distributions; they are never averaged over windows.
//!
//! Answers come first: an endpoint whose answers changed is told before any difference in
//! speed, because a wrong answer is often a fast one. For the same reason nothing is called
//! faster where more requests failed.

mod answers;
mod shares;
mod values;

use loadline_metrics::Histogram;

use crate::student;
pub use answers::{AnswerChange, Answers};
use values::Spread;

/// What one run measured of one endpoint, or of all.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// Its full windows (1 s each), in order, without warm-up.
    pub windows: Vec<Window>,
    /// What the answers were.
    pub answers: Answers,
}

/// One window.
#[derive(Debug, Clone, Default)]
pub struct Window {
    /// Requests that ended in it.
    pub requests: f64,
    /// Of these, failed ones.
    pub failed: f64,
    /// How long they took, in milliseconds.
    pub durations: Histogram,
    /// Checks, and those that failed.
    pub checks: f64,
    /// Failed checks.
    pub checks_failed: f64,
    /// Iterations that were to start, dropped ones included.
    pub planned: f64,
    /// Of these, those that never did.
    pub dropped: f64,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Requests per second; more is better.
    Rate,
    /// Mean duration.
    Mean,
    /// Median duration.
    P50,
    /// 95th percentile of durations.
    P95,
    /// The share of failed requests.
    Errors,
    /// The share of failed checks.
    Checks,
    /// The share of planned iterations that never started.
    Dropped,
}

impl Measure {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::Rate,
        Self::Mean,
        Self::P50,
        Self::P95,
        Self::Errors,
        Self::Checks,
        Self::Dropped,
    ];

    fn more_is_better(self) -> bool {
        self == Self::Rate
    }

    /// Whether it is a share, compared by its absolute difference; else a ratio.
    #[must_use]
    pub const fn is_share(self) -> bool {
        matches!(self, Self::Errors | Self::Checks | Self::Dropped)
    }
}

/// Runs a side from which on runs say how they differ.
const FEWEST_RUNS: u32 = 3;

/// How careful a comparison is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How sure all intervals together are: 0.95.
    pub confidence: f64,
    /// Differences up to this share are none worth telling, as long as the interval lies
    /// within it: 0.05.
    pub tolerance: f64,
    /// With several runs on both sides a difference is called one beyond this: 0.01.
    pub floor: f64,
    /// With a single run on a side, beyond this: 0.10, by which runs of one system on a busy
    /// machine were seen to differ.
    pub single_floor: f64,
    /// Differences of shares are told beyond this much of the whole, and none are when the
    /// interval lies within twice of it: 0.005.
    pub share_floor: f64,
    /// Endpoints beyond this many are compared together only; the busiest on both sides are kept.
    pub most_endpoints: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            confidence: 0.95,
            tolerance: 0.05,
            floor: 0.01,
            single_floor: 0.10,
            share_floor: 0.005,
            most_endpoints: 20,
        }
    }
}

/// A change with its interval; shares of the first side (for errors: of all requests).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The least it may be.
    pub low: f64,
    /// The estimate.
    pub middle: f64,
    /// The most it may be.
    pub high: f64,
}

/// What can be said about a measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding {
    /// The second side is better.
    Better,
    /// The second side is worse.
    Worse,
    /// If there is a difference, it is at most this share.
    NoLargerThan {
        /// The largest difference that fits.
        share: f64,
    },
    /// It cannot be told.
    CannotTell {
        /// Why not.
        why: Why,
    },
}

/// Why something cannot be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Why {
    /// A run has too few windows or requests; so many runs a side would do.
    TooShort {
        /// Runs a side.
        runs: u32,
    },
    /// There is a difference within the runs, but single runs differ by as much by chance.
    SingleRuns,
    /// The values spread too much; so many runs a side would do.
    Spread {
        /// Runs a side, about.
        runs: u32,
    },
    /// More requests failed: failed ones are often fast.
    MoreErrors,
    /// There was nothing to compare on a side.
    Nothing,
}

/// A measure compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What was compared.
    pub measure: Measure,
    /// Of the first side, over all its runs.
    pub before: f64,
    /// Of the second side.
    pub after: f64,
    /// The change, where it could be worked out.
    pub change: Option<Change>,
    /// What can be said.
    pub finding: Finding,
}

/// An endpoint compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Endpoint {
    /// Its name; empty for all requests together.
    pub name: String,
    /// How its answers changed.
    pub changed: Vec<AnswerChange>,
    /// How its measures did.
    pub differences: Vec<Difference>,
}

/// Two sides compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// All requests together.
    pub whole: Endpoint,
    /// Endpoints that both sides have, those with changed answers first.
    pub endpoints: Vec<Endpoint>,
    /// Endpoints that only the first side has.
    pub only_before: Vec<String>,
    /// Endpoints that only the second side has.
    pub only_after: Vec<String>,
    /// Runs of each side.
    pub runs: (usize, usize),
    /// Requests of each side.
    pub requests: (f64, f64),
    /// Seconds of each side that were compared.
    pub seconds: (usize, usize),
    /// Intervals that hold together.
    pub intervals: usize,
    /// Endpoints that both sides have but that were too many to compare one by one.
    pub left_out: usize,
}

/// One side: its runs, all requests together and by endpoint.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// Each run's requests together.
    pub whole: Vec<Run>,
    /// The same by endpoint; each has as many runs.
    pub endpoints: Vec<(String, Vec<Run>)>,
}

/// Compares two sides.
#[must_use]
pub fn compare(before: &Side, after: &Side, settings: &Settings) -> Comparison {
    let find = |side: &'_ Side, name: &str| side.endpoints.iter().position(|(n, _)| n == name);
    let mut shared: Vec<(usize, usize)> = before
        .endpoints
        .iter()
        .enumerate()
        .filter_map(|(place, (name, _))| Some((place, find(after, name)?)))
        .collect();
    let only = |side: &Side, other: &Side| -> Vec<String> {
        let names = side.endpoints.iter().map(|(name, _)| name);
        names
            .filter(|name| find(other, name).is_none())
            .cloned()
            .collect()
    };
    // The busiest of those that both sides have, whatever else either of them has.
    let requests = |(a, b): &(usize, usize)| {
        requests_of(&before.endpoints[*a].1) + requests_of(&after.endpoints[*b].1)
    };
    shared.sort_by(|one, other| requests(other).total_cmp(&requests(one)));
    let left_out = shared.len().saturating_sub(settings.most_endpoints);
    shared.truncate(settings.most_endpoints);
    // A test of one endpoint is told once.
    let shared = if shared.len() == 1 && before.endpoints.len() == 1 && after.endpoints.len() == 1 {
        Vec::new()
    } else {
        shared
    };
    let count = (shared.len() + 1) * Measure::ALL.len();
    let judge = Judge {
        settings,
        tail: (1.0 - settings.confidence) / count as f64 / 2.0,
    };
    let mut endpoints: Vec<Endpoint> = shared
        .iter()
        .map(|(a, b)| {
            let (name, runs) = &before.endpoints[*a];
            judge.endpoint(name, runs, &after.endpoints[*b].1)
        })
        .collect();
    endpoints.sort_by_key(|endpoint| endpoint.changed.is_empty());
    Comparison {
        whole: judge.endpoint("", &before.whole, &after.whole),
        endpoints,
        only_before: only(before, after),
        only_after: only(after, before),
        runs: (before.whole.len(), after.whole.len()),
        requests: (requests_of(&before.whole), requests_of(&after.whole)),
        seconds: (seconds_of(&before.whole), seconds_of(&after.whole)),
        intervals: count,
        left_out,
    }
}

fn requests_of(runs: &[Run]) -> f64 {
    let windows = runs.iter().flat_map(|run| &run.windows);
    windows.map(|window| window.requests).sum()
}

fn seconds_of(runs: &[Run]) -> usize {
    runs.iter().map(|run| run.windows.len()).sum()
}

struct Judge<'a> {
    settings: &'a Settings,
    /// The share of each interval's each end that may lie outside.
    tail: f64,
}

impl Judge<'_> {
    fn endpoint(&self, name: &str, before: &[Run], after: &[Run]) -> Endpoint {
        let measures = Measure::ALL.into_iter();
        let mut differences: Vec<Difference> = measures
            .map(|measure| self.difference(measure, before, after))
            .collect();
        let fails_more = differences
            .iter()
            .any(|d| d.measure == Measure::Errors && d.finding == Finding::Worse);
        if fails_more {
            for difference in differences.iter_mut().filter(|d| !d.measure.is_share()) {
                if difference.finding == Finding::Better {
                    let why = Why::MoreErrors;
                    difference.finding = Finding::CannotTell { why };
                }
            }
        }
        Endpoint {
            name: name.to_owned(),
            changed: answers::changes(before, after),
            differences,
        }
    }

    fn difference(&self, measure: Measure, before: &[Run], after: &[Run]) -> Difference {
        let value = |runs: &[Run]| values::whole(measure, runs);
        let (first, second) = (value(before), value(after));
        let told = |change, finding| Difference {
            measure,
            before: first.unwrap_or(0.0),
            after: second.unwrap_or(0.0),
            change,
            finding,
        };
        let cannot = |why| told(None, Finding::CannotTell { why });
        let (Some(first), Some(second)) = (first, second) else {
            return cannot(Why::Nothing);
        };
        if measure.is_share() {
            let Some(change) = shares::difference(measure, (before, after), self.tail) else {
                return cannot(Why::Nothing);
            };
            return told(
                Some(change),
                self.share_finding(change, before.len().min(after.len())),
            );
        }
        let spreads = values::spread(measure, before).zip(values::spread(measure, after));
        let Some((a, b)) = spreads else {
            return cannot(Why::TooShort { runs: FEWEST_RUNS });
        };
        let change = self.change(measure, (a, b), (first, second));
        let single = a.is_single || b.is_single;
        told(Some(change), self.finding(measure, change, single, (a, b)))
    }

    /// Welch's interval on the scale of the values, given as a share.
    fn change(&self, measure: Measure, (a, b): (Spread, Spread), whole: (f64, f64)) -> Change {
        let error = (a.variance_of_mean + b.variance_of_mean).sqrt();
        let t = student::quantile(1.0 - self.tail, freedom(a, b));
        // Runs are compared by their own values, blocks only say how sure the whole is.
        let middle = if a.is_single || b.is_single {
            values::scale(measure, whole.1) - values::scale(measure, whole.0)
        } else {
            b.mean - a.mean
        };
        Change {
            low: (middle - t * error).exp_m1(),
            middle: middle.exp_m1(),
            high: (middle + t * error).exp_m1(),
        }
    }

    /// What can be said of a share's difference: less is better.
    fn share_finding(&self, change: Change, runs: usize) -> Finding {
        let floor = self.settings.share_floor;
        let share = change.low.abs().max(change.high.abs());
        if change.low > floor {
            Finding::Worse
        } else if change.high < -floor {
            Finding::Better
        } else if share <= 2.0 * floor {
            Finding::NoLargerThan { share }
        } else {
            let half = (change.high - change.low) / 2.0;
            let runs = needed(runs as f64, half / (2.0 * floor));
            let why = Why::Spread { runs };
            Finding::CannotTell { why }
        }
    }

    fn finding(
        &self,
        measure: Measure,
        change: Change,
        single: bool,
        (a, b): (Spread, Spread),
    ) -> Finding {
        let floor = if single {
            self.settings.single_floor
        } else {
            self.settings.floor
        };
        let is_more = change.low > floor;
        let is_less = change.high < -floor;
        if is_more || is_less {
            return if is_more == measure.more_is_better() {
                Finding::Better
            } else {
                Finding::Worse
            };
        }
        let share = change.low.abs().max(change.high.abs());
        if share <= self.settings.tolerance {
            return Finding::NoLargerThan { share };
        }
        let differs_within = change.low > 0.0 || change.high < 0.0;
        let why = if single && differs_within {
            Why::SingleRuns
        } else {
            Why::Spread {
                runs: self.runs_needed((change, single), (a, b)),
            }
        };
        Finding::CannotTell { why }
    }

    /// Runs a side after which the interval would be within the tolerance, about: its
    /// width goes with the square root of their number.
    fn runs_needed(&self, (change, single): (Change, bool), (a, b): (Spread, Spread)) -> u32 {
        let half = (change.high - change.low) / 2.0;
        let runs = if single { 1.0 } else { a.count.min(b.count) };
        needed(runs, half / self.settings.tolerance)
    }
}

/// Runs a side that make an interval `times` narrower, about.
fn needed(runs: f64, times: f64) -> u32 {
    let needed = (runs * times.powi(2)).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a small whole number"
    )]
    let needed = needed.clamp(runs + 1.0, 1000.0).max(f64::from(FEWEST_RUNS)) as u32;
    needed
}

/// Welch's degrees of freedom.
fn freedom(a: Spread, b: Spread) -> f64 {
    let part = |s: Spread| s.variance_of_mean.powi(2) / s.freedom;
    let below = part(a) + part(b);
    if below <= 0.0 {
        return a.freedom + b.freedom;
    }
    ((a.variance_of_mean + b.variance_of_mean).powi(2) / below).max(1.0)
}

#[cfg(test)]
mod tests;
