//! Goals of latency that are missed by so little that the generator's own delays may be why.
//!
//! A late start and an answer that is read late make times longer, never shorter. So each second
//! is asked how many of its answers are late whatever its delays were, and how many only with
//! them. Where all of the run leaves open whether a goal would be missed without delays, the
//! seconds with the longest ones are left out, until the rest says it for certain or too little
//! is left.

//!
//! A goal of a group or an endpoint is one of a part of these times. What a script measures
//! itself is looked at like an iteration where it declared it to be times; else nobody knows
//! whether a delay is in it, and that is what is said.

mod delays;
mod stops;
mod tally;
mod windows;

use std::collections::VecDeque;

use loadline_metrics::threshold::{Expression, Subject, Threshold, ThresholdStatistic, Thresholds};
use loadline_metrics::{
    Histogram, Kind, MEAN_MISSES_SHARE_MIN, Merger, MetricId, MetricValue, Origin, ValueType,
    Window, builtin,
};
use loadline_record::{Goals, Validity, VerdictStanding};

use delays::{DelayParts, DelayTimes, SecondDelays};
use stops::{SecondStops, Stops};
use tally::AnswerTally;
use windows::{DoubtedWindows, WindowLook};

use super::stalls::BUNCHED_MS;
use super::touched::Delays;

/// Seconds with delays up to this are the calmest, ms; each further step has twice as long ones.
const CALMEST_MS: f64 = 0.25;
/// Steps of delays; the last begins at 4 s.
const DELAY_STEPS: usize = 16;
/// Two times that differ by a smaller share of the limit cannot be told apart: they are kept in
/// buckets of that width.
const RESOLUTION_SHARE: f64 = 0.004;
/// So many standard deviations more random starts than expected are no chance.
const CHANCE_DEVIATIONS: f64 = 3.0;
/// A share of answers is exact up to this: 0.95 times 20 is 19.
const SHARE_TOLERANCE: f64 = 1e-9;

/// What some seconds say of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GoalFinding {
    Met,
    /// Also without the generator's delays.
    Missed,
    /// With them; without, it may be met.
    Open,
}

/// A goal that the generator's delays can make seem missed.
#[derive(Debug, Clone)]
struct CloseGoal {
    /// Its place among the thresholds.
    place: usize,
    threshold: Threshold,
    by_delay: [AnswerTally; DELAY_STEPS],
    /// Of a goal that each so many seconds must meet; the tallies are those of the present ones.
    windows: Option<DoubtedWindows>,
}

/// Follows the goals that its delays could make seem missed.
#[derive(Debug, Default)]
pub(crate) struct CloseGoals {
    goals: Vec<CloseGoal>,
    /// Of the latest seconds, the last one last.
    delays: VecDeque<SecondDelays>,
    stops: Stops,
    seconds: u64,
}

impl CloseGoals {
    pub(crate) fn new(thresholds: &Thresholds) -> Self {
        let all = thresholds.all().iter().enumerate();
        let goals = all.filter_map(|(place, threshold)| {
            let is_close = is_lengthened(&threshold.subject)
                && threshold.expression.operator.is_upper_bound()
                && allowed_share(&threshold.expression).is_some();
            is_close.then(|| CloseGoal {
                place,
                threshold: threshold.clone(),
                by_delay: [AnswerTally::default(); DELAY_STEPS],
                windows: threshold.expression.window.map(DoubtedWindows::new),
            })
        });
        Self {
            goals: goals.collect(),
            ..Self::default()
        }
    }

    /// Takes a second in with the generator's own delays in it; requests take `seconds_long` seconds, so what it
    /// measured may have been delayed in as many before.
    pub(crate) fn count(
        &mut self,
        window: &Window,
        merger: &Merger,
        own: &Delays,
        seconds_long: u64,
    ) {
        self.seconds += 1;
        if self.goals.is_empty() {
            return;
        }
        let trend = |metric| match window.of_metric(metric, Kind::Trend) {
            MetricValue::Trend(trend) => trend,
            _ => Histogram::new(),
        };
        let start_lag = trend(builtin::START_LAG);
        let starts = DelayTimes::from(&start_lag);
        let stops = (self.stops).of_second(SecondStops {
            stalled: own.stalled,
            stalls: own.stalls,
            stood_still: own.stood_still,
            latest_start_ms: starts.longest(),
            bunched: start_lag.count_where(|late| late > BUNCHED_MS),
            seconds_long,
        });
        self.delays.push_back(SecondDelays {
            starts,
            reads: DelayTimes::from(&trend(builtin::READ_LAG)),
            stops,
        });
        while self.delays.len() as u64 > seconds_long + 2 {
            self.delays.pop_front();
        }
        let delays = (self.delays.iter()).fold(SecondDelays::default(), |sum, of| sum.or(of));
        let reads = requests_of_iteration(window);
        for goal in &mut self.goals {
            goal.count(window, merger, &delays, reads);
        }
    }

    /// Forgets the seconds so far: what counts begins here.
    pub(crate) fn restart(&mut self) {
        self.seconds = 0;
        for goal in &mut self.goals {
            goal.by_delay = [AnswerTally::default(); DELAY_STEPS];
            goal.windows = goal.windows.take().map(DoubtedWindows::restarted);
        }
    }

    /// Whether one of `judged` is missed by more answers than the stops of the run can have made late.
    pub(crate) fn is_missed_beyond_stops(&self, judged: &Thresholds) -> bool {
        let all = judged.all();
        self.goals.iter().any(|goal| {
            let whole = goal.tally_up_to(DELAY_STEPS);
            !all[goal.place].is_met() && goal.is_missed_beyond_stops(&whole)
        })
    }

    /// Whether the missed ones of `judged` stand, or it is open whether any of them would be missed
    /// without the generator's delays.
    pub(crate) fn look(&self, judged: &Thresholds) -> CloseLook {
        let all = judged.all();
        let missed: Vec<usize> = (0..all.len())
            .filter(|place| !all[*place].is_met())
            .collect();
        let mut second_looks = Vec::new();
        let mut untold = Vec::new();
        for place in &missed {
            let goal = self.goals.iter().find(|goal| goal.place == *place);
            let Some((goal, look)) = goal.and_then(|goal| Some((goal, goal.second_look()?))) else {
                return CloseLook::Stands;
            };
            let subject = &goal.threshold.subject;
            if subject.contains == ValueType::Time {
                second_looks.push(look);
            } else if look.standing != VerdictStanding::Same {
                let condition = &goal.threshold.condition.text;
                untold.push(format!("{} {condition}", subject.name));
            }
        }
        if !untold.is_empty() {
            return CloseLook::Untold(untold);
        }
        let of = |standing| {
            let mut looks = second_looks.iter();
            looks.find(move |look| look.standing == standing)
        };
        let found = of(VerdictStanding::Same)
            .or_else(|| of(VerdictStanding::NothingLeft))
            .or_else(|| of(VerdictStanding::Differs));
        let Some(found) = found else {
            return CloseLook::Stands;
        };
        let met_without = second_looks
            .iter()
            .filter(|look| look.standing == VerdictStanding::Differs)
            .count();
        let goals = Goals {
            met: all.len() - missed.len() + met_without,
            all: all.len(),
        };
        CloseLook::Doubtful(Validity {
            seconds: self.seconds,
            touched: found.touched,
            standing: found.standing,
            goals: (found.standing != VerdictStanding::NothingLeft).then_some(goals),
            p95_ms: None,
            is_p95_longer: false,
        })
    }
}

/// What a second look at missed goals finds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CloseLook {
    /// One of them is missed without the generator's delays, too.
    Stands,
    /// They may be missed for these alone.
    Doubtful(Validity),
    /// The same, if what these goals are about are times, which nobody said.
    Untold(Vec<String>),
}

/// What is found without the seconds with the longest delays.
#[derive(Debug, Clone, Copy)]
struct SecondLook {
    touched: u64,
    standing: VerdictStanding,
}

impl CloseGoal {
    fn count(&mut self, window: &Window, merger: &Merger, delays: &SecondDelays, reads: f64) {
        let (subject, expression) = (&self.threshold.subject, &self.threshold.expression);
        let answers = subject.gained(window, merger);
        let reads = if is_one_request(subject.metric) {
            1.0
        } else {
            reads
        };
        let has_starts = is_from_planned(subject.metric) && !delays.starts.is_empty();
        let starts = f64::from(u8::from(has_starts));
        let stops = delays.stops;
        let parts = DelayParts { starts, reads };
        let is_late = |time: f64| !expression.operator.holds(time, expression.limit);
        let well = &answers.well;
        // How many are late if each is so much later than it would be; `stopped` beside delays that are shorter.
        let late_but_for = |stopped_ms: f64| {
            let late = delays.bounds(parts).map(|bound| {
                let own = bound.at_most_ms.max(stopped_ms);
                let own = if own < RESOLUTION_SHARE * expression.limit {
                    0.0
                } else {
                    own
                };
                let longer = bound.longer_share * well.count() as f64;
                well.count_where(|time| is_late(time - own)) as f64 - longer
            });
            late.fold(0.0, f64::max)
        };
        // What comes together after a stop may be turned away for that.
        let missed = if stops.later_ms > 0.0 {
            0
        } else {
            answers.missed()
        };
        let late = late_but_for(stops.later_ms);
        let late_for_certain = late + missed as f64;
        let tally = &mut self.by_delay[step_of(delays.usual(parts).max(stops.later_ms))];
        tally.seconds += 1;
        tally.all += answers.planned();
        tally.missed += answers.missed();
        tally.missed_for_certain += missed;
        tally.late += answers.late_or_missed(is_late);
        tally.late_for_certain += late_for_certain;
        if has_starts {
            // Without a stop nothing is to be looked at again.
            let late = if stops.later_ms > 0.0 {
                late_but_for(0.0)
            } else {
                late
            };
            tally.late_without_stops += late + answers.missed() as f64;
        }
        tally.felt_ms += stops.lasts_ms;
        tally.stops += stops.count;
        tally.busiest = tally.busiest.max(answers.planned());
        tally.sum_ms += well.sum();
        let mean = starts * delays.starts.mean + reads * delays.reads.mean;
        tally.own_ms += mean.max(stops.later_ms) * well.count() as f64;
        if self.windows.as_mut().is_some_and(DoubtedWindows::is_over) {
            let look = self.look_at_window();
            self.by_delay = [AnswerTally::default(); DELAY_STEPS];
            if let Some(windows) = &mut self.windows {
                windows.add(look);
            }
        }
    }

    /// `None` where the goal is missed without the generator's delays, too.
    fn second_look(&self) -> Option<SecondLook> {
        match &self.windows {
            Some(windows) if windows.are_judged() => windows.second_look(),
            _ => self.look_at_tallies(),
        }
    }

    /// The seconds of so many steps of delays.
    fn tally_up_to(&self, steps: usize) -> AnswerTally {
        let tallies = self.by_delay[..steps].iter();
        tallies.fold(AnswerTally::default(), |sum, tally| sum.plus(tally))
    }

    fn look_at_window(&self) -> WindowLook {
        let whole = self.tally_up_to(DELAY_STEPS);
        if self.finding(&whole) == GoalFinding::Met {
            return WindowLook::Met;
        }
        self.look_at_tallies()
            .map_or(WindowLook::Missed, WindowLook::Doubtful)
    }

    fn look_at_tallies(&self) -> Option<SecondLook> {
        let up_to = |steps: usize| self.tally_up_to(steps);
        let whole = up_to(DELAY_STEPS);
        if self.finding(&whole) == GoalFinding::Missed || self.is_missed_beyond_stops(&whole) {
            return None;
        }
        for steps in (1..DELAY_STEPS).rev() {
            let rest = up_to(steps);
            let touched = whole.seconds - rest.seconds;
            if !Validity::is_enough_left(whole.seconds, touched) || !self.is_enough(&rest) {
                break;
            }
            let standing = match self.finding(&rest) {
                GoalFinding::Missed => VerdictStanding::Same,
                // That all of it meets the goal is not what was measured.
                GoalFinding::Met if touched > 0 => VerdictStanding::Differs,
                GoalFinding::Met | GoalFinding::Open => continue,
            };
            return Some(SecondLook { touched, standing });
        }
        let in_doubt = self.by_delay.iter().filter(|tally| tally.is_in_doubt());
        Some(SecondLook {
            touched: in_doubt.map(|tally| tally.seconds).sum(),
            standing: VerdictStanding::NothingLeft,
        })
    }

    fn finding(&self, tally: &AnswerTally) -> GoalFinding {
        let expression = &self.threshold.expression;
        if expression.statistic == ThresholdStatistic::Avg {
            // A mean is that of the good answers, and is missed by those that are not.
            let is_missed_by = |misses: u64| {
                misses > 0 && misses as f64 >= MEAN_MISSES_SHARE_MIN * tally.all as f64
            };
            if is_missed_by(tally.missed_for_certain) {
                return GoalFinding::Missed;
            }
            if is_missed_by(tally.missed) {
                return GoalFinding::Open;
            }
            let mean = |sum: f64| sum / ((tally.all - tally.missed) as f64).max(1.0);
            let holds = |mean| expression.operator.holds(mean, expression.limit);
            return match (
                holds(mean(tally.sum_ms)),
                holds(mean(tally.sum_ms - tally.own_ms)),
            ) {
                (true, _) => GoalFinding::Met,
                (false, true) => GoalFinding::Open,
                (false, false) => GoalFinding::Missed,
            };
        }
        let Some(share) = allowed_share(expression) else {
            return GoalFinding::Missed;
        };
        let allowed = (share * tally.all as f64 + SHARE_TOLERANCE).floor();
        if tally.late as f64 <= allowed {
            GoalFinding::Met
        } else if tally.late_for_certain > allowed {
            GoalFinding::Missed
        } else {
            GoalFinding::Open
        }
    }

    /// Whether more answers of the whole run are late than its stops can have made so. An answer that is late for a
    /// stop alone would have come within the limit, so it was planned at most that long before, or while the stop was
    /// felt: what is planned is spread over time. Users in loops may all begin in one stop.
    fn is_missed_beyond_stops(&self, whole: &AnswerTally) -> bool {
        let expression = &self.threshold.expression;
        let Some(share) = allowed_share(expression) else {
            return false;
        };
        let is_of_answers = expression.statistic != ThresholdStatistic::Avg;
        // What a stop does to one window may be felt in the next.
        if !is_of_answers || self.windows.is_some() || whole.stops == 0 {
            return false;
        }
        let touched_s = (whole.felt_ms + whole.stops as f64 * expression.limit) / 1_000.0;
        let touched = touched_s * whole.busiest as f64;
        // Of even starts one more may lie in each; random ones come by chance.
        let touched = touched + (whole.stops as f64).max(CHANCE_DEVIATIONS * touched.sqrt());
        whole.late_without_stops - touched > share * whole.all as f64
    }

    /// Whether so many answers are left that one more or less is no other verdict.
    fn is_enough(&self, rest: &AnswerTally) -> bool {
        let share = allowed_share(&self.threshold.expression).unwrap_or(0.0);
        rest.all > 0 && (share <= 0.0 || share * rest.all as f64 >= 1.0)
    }
}

/// The share of answers that may be late, where a goal is about one; a mean's is none of them.
fn allowed_share(expression: &Expression) -> Option<f64> {
    match expression.statistic {
        ThresholdStatistic::Percentile(percentile) => Some(1.0 - percentile / 100.0),
        ThresholdStatistic::Med => Some(0.5),
        ThresholdStatistic::Max | ThresholdStatistic::Avg => Some(0.0),
        ThresholdStatistic::Min
        | ThresholdStatistic::Value
        | ThresholdStatistic::Count
        | ThresholdStatistic::Rate => None,
    }
}

/// Whether it is known how much the generator's delays add to a metric at most. What a test
/// measures itself lies within an iteration.
fn is_lengthened(subject: &Subject) -> bool {
    let metric = subject.metric;
    is_one_request(metric)
        || is_from_planned(metric)
        || [builtin::ITERATION_DURATION, builtin::GROUP_DURATION].contains(&metric)
        || (subject.origin == Origin::Test && subject.contains != ValueType::Data)
}

fn is_one_request(metric: MetricId) -> bool {
    [
        builtin::HTTP_REQ_DURATION,
        builtin::HTTP_REQ_WAITING,
        builtin::GRPC_REQ_DURATION,
    ]
    .contains(&metric)
}

fn is_from_planned(metric: MetricId) -> bool {
    [builtin::INTENDED_LATENCY, builtin::PLANNED_LATENCY].contains(&metric)
}

/// Requests in an iteration of this second, at least one.
fn requests_of_iteration(window: &Window) -> f64 {
    let count = |metric| match window.of_metric(metric, Kind::Counter) {
        MetricValue::Counter(Some(sum)) => sum.value(),
        _ => 0.0,
    };
    let iterations = count(builtin::ITERATIONS).max(1.0);
    (count(builtin::HTTP_REQS) / iterations).max(1.0)
}

/// In which step of delays a second lies.
fn step_of(delay_ms: f64) -> usize {
    let mut most = CALMEST_MS;
    (0..DELAY_STEPS - 1)
        .find(|_| {
            let is_within = delay_ms <= most;
            most *= 2.0;
            is_within
        })
        .unwrap_or(DELAY_STEPS - 1)
}
