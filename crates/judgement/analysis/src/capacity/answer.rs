//! The result of a search: three points, and how sure each is.

mod asked;
mod changes;
mod crossing;
mod line;

use super::step::{Ceiling, LevelOutcome, Purpose, Step, Unit};
use crate::curve::{self, Level};
use crate::estimate::Estimate;
use crate::pauses::Pauses;
use crate::slo::{Statistic, Term};
use crate::usl::{self, FitError, UslFit};
use changes::got_slower;
use crossing::Since;
use line::{is_brief, line};

pub use asked::SearchSpec;
pub use changes::{changed_late, got_faster};

/// Two changes after times that differ by less are one and the same.
const ABOUT_AS_LONG: f64 = 1.4;

/// Between which steps the line lies: their places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// The highest that was carried.
    pub low: Option<usize>,
    /// The lowest that was too much.
    pub high: Option<usize>,
    /// The lowest at which something else than the target was the limit.
    pub ceiling: Option<usize>,
}

/// How a search ended.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchEnd {
    /// The line lies between two levels.
    Found,
    /// Something else than the target was the limit: of all levels when there is no line.
    AtLeast(Ceiling),
    /// The time was up before the line was closed in on.
    OutOfTime,
    /// No level holds, the lowest one tried included.
    NoneHolds,
    /// A term is missed as much with little load as with much.
    MissedAtAnyLoad {
        /// The term's place.
        term: usize,
        /// Its value over all these loads: ms, or a share.
        value: f64,
        /// The lowest of them.
        from: f64,
        /// The highest.
        to: f64,
    },
    /// This share of the requests failed without any load worth the name.
    FailsWithoutLoad(f64),
    /// No request is one that a term asks for.
    NoSample {
        /// The term's place.
        term: usize,
        /// What the requests have of the tag it asks for.
        known: Vec<String>,
    },
    /// Iterations ended, and nothing that the objective could be judged by was sent.
    NoRequests {
        /// Iterations that ended.
        iterations: f64,
        /// Of these, those that failed.
        broken: f64,
    },
    /// The target did not answer at all.
    NoAnswer,
    /// The target did not come back after a level that was too much.
    NotRecovered,
    /// Who watched ended it.
    Interrupted,
}

/// The target without load.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Baseline {
    /// The load it was seen at.
    pub load: f64,
    /// Median of a request, ms.
    pub request_ms: f64,
    /// 95th percentile, ms.
    pub p95_ms: f64,
    /// Mean iteration, ms.
    pub iteration_ms: f64,
}

/// The highest load whose objective holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The load, held; up to the lowest that is too much.
    pub load: Estimate,
    /// Its step's place.
    pub step: usize,
    /// The place of the lowest step that is too much.
    pub beyond: Option<usize>,
    /// Iterations per second there.
    pub throughput: f64,
    /// Requests per second there.
    pub requests: f64,
    /// Held long enough to be sure, and not doubted.
    pub is_sure: bool,
    /// Held long enough, and all levels together still do not make sure that the line lies above it.
    pub is_doubted: bool,
    /// The load at which the limit is crossed, interpolated.
    pub interpolated: Option<f64>,
}

/// The lowest load with at least 90 % of the peak's throughput.
#[derive(Debug, Clone, PartialEq)]
pub struct Knee {
    /// The load; from the highest below it that has less.
    pub load: Estimate,
    /// Its step's place.
    pub step: usize,
    /// Iterations per second there.
    pub throughput: f64,
    /// Iterations in flight there.
    pub in_flight: f64,
    /// The share of the peak.
    pub share: f64,
    /// Where power is greatest.
    pub power: Option<f64>,
    /// Kneedle's point.
    pub kneedle: Option<f64>,
}

/// The highest throughput.
#[derive(Debug, Clone, PartialEq)]
pub struct Peak {
    /// The load.
    pub load: f64,
    /// Its step's place.
    pub step: usize,
    /// Good iterations per second.
    pub throughput: Estimate,
}

/// The long hold in the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Soak {
    /// Its step's place.
    pub step: usize,
    /// What it came to.
    pub end: SoakEnd,
}

/// How the long hold ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoakEnd {
    /// It was carried to its end.
    Held,
    /// It was more than the target carries for so long.
    Missed,
    /// It was cut short, or something else than the target was its limit: nothing is known.
    Unknown,
}

impl From<&LevelOutcome> for SoakEnd {
    fn from(outcome: &LevelOutcome) -> Self {
        if outcome.is_carried() {
            Self::Held
        } else if outcome.is_too_much() {
            Self::Missed
        } else {
            Self::Unknown
        }
    }
}

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Answer {
    /// In what load is counted.
    pub unit: Unit,
    /// The objective.
    pub terms: Vec<Term>,
    /// How it ended.
    pub end: SearchEnd,
    /// The target without load.
    pub baseline: Baseline,
    /// The line, if a level was carried.
    pub line: Option<Line>,
    /// The load at which the objective is crossed, by a fit over all levels, with the range it lies in with 95 %.
    pub crossing: Option<Estimate>,
    /// The knee, where the peak was seen.
    pub knee: Option<Knee>,
    /// The peak, likewise.
    pub peak: Option<Peak>,
    /// The Universal Scalability Law over concurrency, or why it was not fitted.
    pub usl: Result<UslFit, FitError>,
    /// The long hold.
    pub soak: Option<Soak>,
    /// The target was seen to change late in a level: after so many seconds.
    pub late: Option<usize>,
    /// The target got faster during the search.
    pub warmed_up: bool,
    /// It got slower for good: the places of a step before, which was carried or completed much,
    /// and of a lower one that was too much since. Knee and peak are those of the slower target.
    pub slowed: Option<(usize, usize)>,
    /// It asks to come back later: the load from which on.
    pub asks_to_wait: Option<f64>,
    /// Regular pauses.
    pub pauses: Option<Pauses>,
    /// All levels, in the order they were held.
    pub steps: Vec<Step>,
}

impl Answer {
    /// What steps, in the order they were held, come to. `end` is given where something
    /// ended the search before its line.
    #[must_use]
    pub fn from_steps(
        asked: &SearchSpec,
        steps: &[Step],
        bounds: Bounds,
        end: Option<SearchEnd>,
        baseline: Baseline,
    ) -> Self {
        let slowed = got_slower(steps, asked.unit);
        // Throughput of the target before it got slower is no throughput of the target there is.
        let since = slowed.map_or(0, |(_, now)| now);
        let curve = Curve::new(steps, since);
        let line = bounds.low.map(|low| line(asked, steps, low, bounds.high));
        let peak_seen = saw_the_peak(steps, asked.unit);
        let asks = steps
            .iter()
            .filter(|s| s.outcome == LevelOutcome::AsksToWait);
        let asks_to_wait = asks.map(|s| s.load).reduce(f64::min);
        let soaks = steps.iter().enumerate().rev();
        let mut soaks = soaks.filter(|(_, step)| step.purpose == Purpose::Soak);
        // What has nothing to do with load has no capacity, whatever level looked well.
        let has_line = !matches!(
            end,
            Some(
                SearchEnd::MissedAtAnyLoad { .. }
                    | SearchEnd::FailsWithoutLoad(_)
                    | SearchEnd::NoSample { .. }
                    | SearchEnd::NoRequests { .. }
            )
        );
        let mut line = line.filter(|_| has_line);
        let crossing = line.as_ref().and_then(|line| {
            // What was held for certain is below the line.
            let held = line.is_sure.then_some(line.load.low);
            crossing::crossing(asked, steps, Since { step: since, held })
        });
        if let (Some(line), Some(crossing)) = (&mut line, &crossing) {
            line.is_doubted = line.is_sure && crossing.is_held_doubted;
            line.is_sure &= !line.is_doubted;
        }
        let crossing = crossing.map(|crossing| crossing.range);
        let end = end.unwrap_or_else(|| {
            let is_known = crossing.is_some_and(|range| asked.is_known(range));
            let is_lasting = line
                .as_ref()
                .is_some_and(|line| !is_brief(&steps[line.step], steps));
            if is_known && is_lasting && bounds.ceiling.is_none() {
                SearchEnd::Found
            } else {
                ended(asked, line.as_ref(), steps, bounds)
            }
        });
        Self {
            crossing,
            unit: asked.unit,
            terms: asked.terms.clone(),
            baseline,
            knee: peak_seen.then(|| curve.knee(steps)).flatten(),
            peak: curve.peak(steps).filter(|_| peak_seen),
            usl: curve.usl(steps),
            soak: soaks.next().map(|(step, held)| Soak {
                step,
                end: SoakEnd::from(&held.outcome),
            }),
            late: changed_late(steps),
            warmed_up: got_faster(steps),
            slowed,
            asks_to_wait,
            pauses: steps.iter().rev().find_map(|s| s.pauses),
            line,
            end,
            steps: steps.to_vec(),
        }
    }

    /// The levels of the curve, by load: valid ones, one for each load.
    #[must_use]
    pub fn curve(&self) -> Vec<Step> {
        let curve = Curve::new(&self.steps, 0);
        curve
            .steps
            .iter()
            .map(|place| self.steps[*place].clone())
            .collect()
    }

    /// The load that is carried for all that is known: what was held, and no more than the lower end of where the line lies.
    #[must_use]
    pub fn safe_load(&self) -> Option<f64> {
        let held = self.line.as_ref()?.load.middle;
        Some(
            self.crossing
                .map_or(held, |crossing| held.min(crossing.low)),
        )
    }

    /// The step of the line.
    #[must_use]
    pub fn line_step(&self) -> Option<&Step> {
        self.steps.get(self.line.as_ref()?.step)
    }
}

/// How a search ended that had nothing in its way.
fn ended(asked: &SearchSpec, line: Option<&Line>, steps: &[Step], bounds: Bounds) -> SearchEnd {
    let ceiling = bounds.ceiling.map(|place| &steps[place].outcome);
    let Some(line) = line else {
        return match ceiling {
            // What never was too much does not fail to hold.
            Some(LevelOutcome::Invalid(what)) if bounds.high.is_none() => {
                SearchEnd::AtLeast(what.clone())
            }
            // Nor does what was never clear.
            _ if !steps.iter().any(|step| step.outcome.is_surely_too_much()) => {
                SearchEnd::OutOfTime
            }
            _ => fails_without_load(asked, steps, bounds)
                .map_or(SearchEnd::NoneHolds, SearchEnd::FailsWithoutLoad),
        };
    };
    if let Some(LevelOutcome::Invalid(what)) = ceiling {
        return SearchEnd::AtLeast(what.clone());
    }
    if line.beyond.is_none() {
        let is_highest = line.load.middle >= asked.highest * 0.999;
        return if is_highest {
            SearchEnd::AtLeast(Ceiling::Highest)
        } else {
            SearchEnd::OutOfTime
        };
    }
    // Between whole users there may be none left to try.
    let is_next = asked.unit == Unit::Users && line.load.high - line.load.low < 1.5;
    let is_near = line.load.high <= line.load.low * (1.0 + asked.precision * 1.5);
    // Levels between that were too near the limit to tell are no lack of time.
    let is_unclear_above = line.is_sure
        && steps.iter().any(|s| {
            s.purpose == Purpose::Confirm
                && s.outcome == LevelOutcome::Likely
                && s.load > line.load.low
        });
    if (is_near || is_next || is_unclear_above) && !is_brief(&steps[line.step], steps) {
        SearchEnd::Found
    } else {
        SearchEnd::OutOfTime
    }
}

/// Up to so many times the least load of all is hardly any.
const LEAST_LOADS: f64 = 2.001;

/// The share of the requests that fail, where failures are what the least load of all misses: that is no load that does not hold.
fn fails_without_load(asked: &SearchSpec, steps: &[Step], bounds: Bounds) -> Option<f64> {
    let lowest = &steps[bounds.high?];
    let LevelOutcome::Misses { term, .. } = lowest.outcome else {
        return None;
    };
    // At less nothing was clear.
    let is_least = steps
        .iter()
        .all(|step| lowest.load <= LEAST_LOADS * step.load);
    let is_of_failures = asked.terms.get(term)?.statistic == Statistic::Errors;
    (is_least && is_of_failures).then_some(lowest.errors)
}

/// Whether a level was seen at which more load gives no more throughput.
fn saw_the_peak(steps: &[Step], unit: Unit) -> bool {
    match unit {
        Unit::Rate => steps.iter().any(|s| s.outcome == LevelOutcome::Overloaded),
        Unit::Users => {
            let Some(most) = steps.iter().map(|s| s.load).reduce(f64::max) else {
                return false;
            };
            let at = |load: f64| {
                let near = steps.iter().filter(move |s| s.load <= load);
                near.map(|s| s.throughput.middle).fold(0.0, f64::max)
            };
            at(most) <= 1.1 * at(most * 0.6)
        }
    }
}

/// Valid levels by load, one for each.
struct Curve {
    levels: Vec<Level>,
    steps: Vec<usize>,
}

impl Curve {
    /// Of the steps from this place on.
    fn new(steps: &[Step], since: usize) -> Self {
        let is_valid = |s: &Step| {
            !matches!(s.outcome, LevelOutcome::Invalid(_) | LevelOutcome::Cut)
                && s.throughput.middle > 0.0
        };
        let mut places: Vec<usize> = (since..steps.len())
            .filter(|p| is_valid(&steps[*p]))
            .collect();
        // Of several at one load the longest held counts.
        places.sort_by(|a, b| {
            let by_load = steps[*a].load.total_cmp(&steps[*b].load);
            by_load.then(steps[*b].held.cmp(&steps[*a].held))
        });
        places.dedup_by(|later, kept| (steps[*later].load / steps[*kept].load - 1.0).abs() < 1e-6);
        let levels = places.iter().map(|place| Level {
            load: steps[*place].load,
            throughput: good(&steps[*place]),
        });
        Self {
            levels: levels.collect(),
            steps: places,
        }
    }

    fn peak(&self, steps: &[Step]) -> Option<Peak> {
        let place = curve::peak(&self.levels)?;
        let step = self.steps[place];
        let held = &steps[step];
        let share = if held.throughput.middle > 0.0 {
            good(held) / held.throughput.middle
        } else {
            1.0
        };
        Some(Peak {
            load: held.load,
            step,
            throughput: held.throughput.times(share),
        })
    }

    fn knee(&self, steps: &[Step]) -> Option<Knee> {
        let knee = curve::knee(&self.levels)?;
        let step = self.steps[knee.place];
        let below = knee.place.checked_sub(1).map(|p| self.levels[p].load);
        let load = self.levels[knee.place].load;
        let response: Vec<f64> = self
            .steps
            .iter()
            .map(|place| steps[*place].iteration_ms.unwrap_or(0.0))
            .collect();
        let at = |place: Option<usize>| place.map(|place| self.levels[place].load);
        Some(Knee {
            load: Estimate {
                low: below.unwrap_or(load),
                middle: load,
                high: load,
            },
            step,
            throughput: self.levels[knee.place].throughput,
            in_flight: steps[step].in_flight,
            share: knee.share,
            power: at(curve::power(&self.levels, &response)),
            kneedle: at(curve::kneedle(&self.levels)),
        })
    }

    fn usl(&self, steps: &[Step]) -> Result<UslFit, FitError> {
        let points: Vec<(f64, f64)> = self
            .steps
            .iter()
            .zip(&self.levels)
            .map(|(place, level)| (steps[*place].in_flight.max(1e-3), level.throughput))
            .collect();
        usl::fit(&points)
    }
}

/// Good iterations per second: what was sustained where work piled up, else the mean.
fn good(step: &Step) -> f64 {
    match step.outcome {
        LevelOutcome::Overloaded | LevelOutcome::Aborted(_) => step.sustained,
        _ => step.throughput.middle * (1.0 - step.errors),
    }
}
