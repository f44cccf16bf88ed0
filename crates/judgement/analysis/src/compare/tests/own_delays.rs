//! Differences that may be the generator's own delays.

use super::*;

/// A side of three runs, whose answers wait so long to be read in every so many seconds.
fn read_late(level: f64, wait_ms: f64, every: usize) -> Side {
    let mut noise = Noise(7);
    let mut side = side(&mut noise, 3, 40, level, 0.0);
    for run in &mut side.whole {
        for window in run.windows.iter_mut().step_by(every) {
            let values: Vec<f64> = window.durations.raw().unwrap().to_vec();
            let later: Vec<f64> = values.iter().map(|ms| ms + wait_ms).collect();
            window.durations = Histogram::from_values(&later);
            window.read_wait = ReadWait {
                p50_ms: wait_ms,
                p95_ms: wait_ms,
            };
        }
    }
    side
}

#[test]
fn a_difference_that_the_generators_own_delays_may_make_is_none() {
    let found = |a: &Side, b: &Side| {
        let compared = compare(a, b, &ComparisonSettings::default());
        difference(&compared, Measure::Mean).finding
    };
    let quiet = read_late(20.0, 0.0, 1);
    let own = Finding::CannotTell {
        why: UncertaintyReason::OwnDelays,
    };
    assert_eq!(
        found(&quiet, &read_late(20.0, 6.0, 1)),
        own,
        "no second is left"
    );
    assert_eq!(
        found(&quiet, &read_late(20.0, 20.0, 4)),
        own,
        "the others are alike"
    );
    assert_eq!(
        found(&read_late(20.0, 6.0, 1), &quiet),
        own,
        "faster, likewise"
    );
    assert_eq!(found(&quiet, &read_late(30.0, 6.0, 4)), Finding::Worse);
    assert_eq!(
        found(&quiet, &read_late(30.0, 40.0, 4)),
        Finding::Worse,
        "also without them"
    );
}

/// Seen: the rate of looping users was called worse where only the generator read late.
#[test]
fn a_rate_that_is_lower_for_answers_read_late_is_not_worse() {
    // Users loop: what takes longer comes less often.
    let looping = |level: f64, wait_ms: f64, every: usize| {
        let mut side = read_late(level, wait_ms, every);
        for window in side.whole.iter_mut().flat_map(|run| &mut run.windows) {
            let mean = window.durations.mean().unwrap();
            window.requests = (window.requests * level / mean).round();
        }
        side
    };
    let found = |a: &Side, b: &Side| {
        let compared = compare(a, b, &ComparisonSettings::default());
        difference(&compared, Measure::Rate).finding
    };
    let quiet = looping(20.0, 0.0, 1);
    let own = Finding::CannotTell {
        why: UncertaintyReason::OwnDelays,
    };
    assert_eq!(found(&quiet, &looping(20.0, 6.0, 1)), own);
    assert_eq!(found(&quiet, &looping(20.0, 60.0, 4)), own);
    assert_eq!(
        found(&looping(20.0, 6.0, 1), &quiet),
        own,
        "higher, likewise"
    );
    // The target's own rate falls to a half, far beyond what answers waited.
    let mut half = looping(20.0, 1.0, 4);
    for window in half.whole.iter_mut().flat_map(|run| &mut run.windows) {
        window.requests = (window.requests / 2.0).round();
    }
    assert_eq!(found(&quiet, &half), Finding::Worse);
}
