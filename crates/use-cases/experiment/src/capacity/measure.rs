//! What the windows of a level add up to.

use loadline_analysis::capacity::{IterationFaults, LevelOutcome, Purpose, Step, Unit};
use loadline_analysis::estimate::{Estimate, mean_of};
use loadline_analysis::slo::{JudgedTerm, Sample};
use loadline_metrics::Histogram;

use crate::window::LoadWindow;

/// A level as it was begun.
#[derive(Debug, Clone, Copy)]
pub(super) struct BegunLevel {
    pub(super) load: f64,
    pub(super) unit: Unit,
    pub(super) purpose: Purpose,
    /// Seconds into the search.
    pub(super) began: f64,
}

/// What windows that count came to, and what was judged of them.
pub(super) fn step(
    level: BegunLevel,
    windows: &[LoadWindow],
    outcome: LevelOutcome,
    terms: Vec<JudgedTerm>,
    late: usize,
) -> Step {
    let sum = |of: fn(&LoadWindow) -> f64| windows.iter().map(of).sum::<f64>();
    let span = sum(|w| w.span).max(f64::MIN_POSITIVE);
    let ended: Vec<(f64, f64)> = windows.iter().map(|w| (w.ended, w.span)).collect();
    let throughput = mean_of(&ended, 0.95).unwrap_or(Estimate::exact(0.0));
    let (mut durations, mut iterations) = (Histogram::new(), Histogram::new());
    for window in windows {
        durations.merge(&window.durations);
        iterations.merge(&window.iterations);
    }
    let requests = sum(|w| w.requests);
    let share = |part: f64| if requests > 0.0 { part / requests } else { 0.0 };
    let cpus: Vec<f64> = windows.iter().filter_map(|w| w.target_cpu).collect();
    let longest: Vec<Option<f64>> = windows.iter().map(|w| w.durations.max()).collect();
    Step {
        load: level.load,
        purpose: level.purpose,
        began: level.began,
        held: windows.len(),
        late,
        outcome,
        throughput,
        sustained: sustained(windows),
        requests: requests / span,
        in_flight: match level.unit {
            Unit::Rate => in_flight(windows, iterations.mean()),
            // Each user has one.
            Unit::Users => mean(windows.iter().map(|w| w.in_flight)).min(level.load),
        },
        iteration_ms: iterations.mean(),
        off_law: off_law(windows, iterations.mean()),
        resemblance: resemblance(windows),
        durations,
        errors: share(sum(|w| w.failed)),
        asked_to_wait: share(sum(|w| w.asked_to_wait)),
        faults: windows
            .iter()
            .fold(IterationFaults::default(), |all, w| all.plus(w.faults)),
        terms,
        pauses: loadline_analysis::pauses::find(&longest),
        target_cpu: (!cpus.is_empty()).then(|| mean(cpus.into_iter())),
    }
}

/// Loads up to this share of a level are so little that hardly anything waits.
const LITTLE_LOAD_SHARE_MAX: f64 = 0.25;
/// Requests at more than the first level that say enough without it: it may have been cold.
const WARM_REQUESTS_MIN: u64 = 30;

/// Of each term, the mean time, ms, of the requests it is asked of under little load; zero
/// without any. `held` are the levels so far in order, the one without load first.
pub(super) fn idle_ms(held: &[(f64, Vec<Sample>)], load: f64, terms: usize) -> Vec<f64> {
    let of_term = |term: usize| {
        let of = |held: &[(f64, Vec<Sample>)]| {
            let mut all = Histogram::new();
            for (_, samples) in held
                .iter()
                .filter(|(at, _)| *at <= LITTLE_LOAD_SHARE_MAX * load)
            {
                if let Some(sample) = samples.get(term) {
                    all.merge(&sample.durations);
                }
            }
            all
        };
        let warm = of(held.get(1..).unwrap_or_default());
        let idle = if warm.count() < WARM_REQUESTS_MIN {
            of(held)
        } else {
            warm
        };
        idle.mean().unwrap_or(0.0)
    };
    (0..terms).map(of_term).collect()
}

/// Fewer windows do not tell how much they resemble each other.
const RESEMBLING_WINDOWS_MIN: usize = 8;

/// How much the mean times of windows resemble the one before.
fn resemblance(windows: &[LoadWindow]) -> Option<f64> {
    let means: Vec<f64> = windows.iter().filter_map(|w| w.durations.mean()).collect();
    (means.len() >= RESEMBLING_WINDOWS_MIN)
        .then(|| loadline_analysis::queue::autocorrelation(&means))
        .flatten()
}

/// Iterations in flight: throughput times length (Little's law). Ends of windows lie at the same point of every round of
/// evenly spaced starts, and of starts at random they are few looks. Where iterations pile up, or do not end, those that
/// ended tell too little of the others: then it is what was seen, less what came in the half of each window before its end.
fn in_flight(windows: &[LoadWindow], iteration_ms: Option<f64>) -> f64 {
    let rate = mean(windows.iter().map(|w| w.ended / w.span));
    let by_law = rate * iteration_ms.unwrap_or(0.0) / 1000.0;
    let first = windows.first().map_or(0.0, |w| w.in_flight);
    let last = windows.last().map_or(0.0, |w| w.in_flight);
    let looks = mean(windows.iter().map(|w| w.in_flight));
    let grown = last - first;
    let rounds = (count(windows) - 1.0).max(1.0);
    let seen = (looks - grown / rounds / 2.0).max(0.0);
    // Numbers of a Poisson process vary by their root; one more or less is a matter of when it was looked.
    let by_chance = |looks: f64| 1.0 + FLIGHT_DEVIATIONS_MAX * (by_law / looks).sqrt();
    let changes =
        grown.abs() > by_chance(0.5) || by_law <= 0.0 || windows.iter().any(|w| w.dropped > 0.0);
    if changes && (seen - by_law).abs() > by_chance(count(windows).max(1.0)) {
        seen
    } else {
        by_law
    }
}

/// What is seen in flight differs from the law by so many standard deviations before that is more than chance.
const FLIGHT_DEVIATIONS_MAX: f64 = 2.0;

#[expect(clippy::cast_precision_loss, reason = "windows of a level")]
fn count(windows: &[LoadWindow]) -> f64 {
    windows.len() as f64
}

/// Windows at a level's end that say what the target sustains.
const SUSTAINED_WINDOWS: usize = 5;

/// Good iterations per second over the last windows: failed requests spoil their share.
fn sustained(windows: &[LoadWindow]) -> f64 {
    let last = &windows[windows.len().saturating_sub(SUSTAINED_WINDOWS)..];
    let span: f64 = last.iter().map(|w| w.span).sum();
    let good: f64 = last
        .iter()
        .map(|w| w.ended * (1.0 - w.errors().unwrap_or(0.0)))
        .sum();
    if span > 0.0 { good / span } else { 0.0 }
}

/// How far iterations in flight are from throughput times length (Little's law), if that is
/// more than the numbers' own spread.
fn off_law(windows: &[LoadWindow], iteration_ms: Option<f64>) -> Option<f64> {
    const DEVIATION_SHARE_MIN: f64 = 0.05;
    let flights: Vec<(f64, f64)> = windows.iter().map(|w| (w.in_flight, 1.0)).collect();
    let flight = mean_of(&flights, 0.99)?;
    let rates: Vec<(f64, f64)> = windows.iter().map(|w| (w.ended, w.span)).collect();
    let by_law = mean_of(&rates, 0.99)?.middle * iteration_ms? / 1000.0;
    // One iteration more or less is a matter of when it was looked.
    let outside = by_law > flight.high + 1.0 || by_law < flight.low - 1.0;
    let off = 1.0 - by_law / flight.middle.max(f64::MIN_POSITIVE);
    (windows.len() >= 5 && outside && off.abs() > DEVIATION_SHARE_MIN).then_some(off)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Adds a window's samples to a level's.
pub(super) fn keep_samples(kept: &mut Vec<Sample>, window: &[Sample]) {
    if kept.len() < window.len() {
        kept.resize_with(window.len(), Sample::default);
    }
    for (kept, sample) in kept.iter_mut().zip(window) {
        kept.durations.merge(&sample.durations);
        kept.bad += sample.bad;
        kept.all += sample.all;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_without_load_is_that_of_loads_well_below_a_level() {
        let at = |load: f64, ms: f64, count: usize| {
            let durations = Histogram::from_values(&vec![ms; count]);
            let sample = Sample {
                durations,
                ..Sample::default()
            };
            (load, vec![sample])
        };
        let held = [at(1.0, 90.0, 10), at(8.0, 20.0, 40), at(100.0, 300.0, 400)];
        let idle = |load| idle_ms(&held, load, 1)[0];
        assert!((idle(100.0) - 20.0).abs() < 0.1, "the first was cold");
        assert!((idle(10.0) - 90.0).abs() < 0.1, "nothing else is little");
        assert!(idle(1.0).abs() < f64::EPSILON);
    }

    fn seen(looks: &[f64], ended: f64) -> Vec<LoadWindow> {
        let window = |in_flight: &f64| LoadWindow {
            span: 1.0,
            ended,
            in_flight: *in_flight,
            ..LoadWindow::default()
        };
        looks.iter().map(window).collect()
    }

    /// Seen: 5.00 in flight of 30.7/s of 102 ms, and 0.1 of 0.7/s of 41.7 ms: counts at three ends of seconds.
    #[test]
    fn what_is_in_flight_is_throughput_times_length() {
        let flight = |looks: &[f64], ended, ms| in_flight(&seen(looks, ended), Some(ms));
        assert!((flight(&[5.0, 4.0, 6.0], 30.7, 102.0) - 3.13).abs() < 0.01);
        let mut looks = [0.0; 10];
        looks[4] = 1.0;
        assert!((flight(&looks, 0.7, 41.7) - 0.029).abs() < 0.001);
        assert!((flight(&[1.0, 0.0, 0.0], 21.3, 4.46) - 0.095).abs() < 0.001);
        // Starts of several scenarios at once, just before each second's end.
        assert!((flight(&[6.0; 5], 30.0, 10.0) - 0.3).abs() < 0.001);
        assert!((flight(&[0.0; 5], 50.0, 20.0) - 1.0).abs() < 0.001);
    }

    #[test]
    fn what_piles_up_or_hangs_is_in_flight_as_it_is_seen() {
        let piling = in_flight(&seen(&[48.0, 77.0, 106.0], 99.0), Some(501.0));
        assert!((piling - 62.5).abs() < 0.1, "{piling}");
        assert!((in_flight(&seen(&[10.0; 4], 0.0), None) - 10.0).abs() < f64::EPSILON);
        let mut capped = seen(&[100.0; 4], 2.0);
        capped[3].dropped = 8.0;
        assert!((in_flight(&capped, Some(5.0)) - 100.0).abs() < f64::EPSILON);
    }
}
