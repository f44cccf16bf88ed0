use std::sync::Arc;

use loadline_metrics::{Merger, Registry, Shard, Submetrics, TagSetId};
use loadline_units::{Time, WorkerId};

use super::*;

/// A second with answers that take so long, of which the first starts came so late.
struct SimulatedSecond {
    answers_ms: f64,
    late_ms: f64,
}

/// Of each second, whether it was touched.
fn touched(seconds: &[SimulatedSecond]) -> Vec<bool> {
    let registry = Arc::new(Registry::new());
    let mut shard = Shard::new(WorkerId(0), registry.clone());
    let mut merger = Merger::new(1, registry, Submetrics::default());
    let mut watch = TouchedSeconds::default();
    let run_state = RunState::new(Vec::new());
    let mut found = Vec::new();
    for (index, second) in (0..).zip(seconds) {
        for start in 0..50 {
            let late = if start < 3 { second.late_ms } else { 0.1 };
            shard.record(builtin::START_LAG, TagSetId::EMPTY, late);
            shard.record(
                builtin::HTTP_REQ_DURATION,
                TagSetId::EMPTY,
                second.answers_ms,
            );
        }
        merger.absorb(shard.take_window(index));
        let window = merger.next_ready().unwrap();
        let delays = watch.delays(&run_state, None);
        found.push(watch.count(&window, true, delays, merger.totals()));
    }
    found
}

fn late_once(answers_ms: f64, late_ms: f64) -> Vec<usize> {
    let seconds: Vec<SimulatedSecond> = (0..10)
        .map(|second| SimulatedSecond {
            answers_ms,
            late_ms: if second == 3 { late_ms } else { 0.1 },
        })
        .collect();
    let touched = touched(&seconds).into_iter().enumerate();
    touched
        .filter_map(|(second, is)| is.then_some(second))
        .collect()
}

/// Seen: starts 30 ms late beside a median of 370 ms, and three pauses of 50 ms beside 510 ms.
#[test]
fn a_delay_is_held_against_what_answers_take() {
    assert!(late_once(370.0, 30.0).is_empty());
    assert!(late_once(510.0, 50.0).is_empty());
    assert_eq!(late_once(20.0, 30.0), [3]);
}

#[test]
fn a_delay_touches_as_many_seconds_more_as_answers_take() {
    assert_eq!(late_once(370.0, 90.0), [3, 4]);
    assert_eq!(late_once(2_500.0, 150.0), [3, 4, 5, 6]);
}

/// A run whose generator stops for 2 s from second 3 on; what was due is sent at the end of second 5 and answered in second 6.
fn stopped(answers_ms: f64) -> Vec<usize> {
    let registry = Arc::new(Registry::new());
    let mut shard = Shard::new(WorkerId(0), registry.clone());
    let mut merger = Merger::new(1, registry, Submetrics::default());
    let mut watch = TouchedSeconds::default();
    let run_state = RunState::new(Vec::new());
    let mut touched = Vec::new();
    for index in 0..10 {
        let mut record = |metric, ms| shard.record(metric, TagSetId::EMPTY, ms);
        let starts = if (4..6).contains(&index) { 0 } else { 20 };
        for start in 0..starts {
            // Most of them wait for a user, which is no lag of theirs.
            let late_ms = if index == 3 && start < 10 {
                1_900.0
            } else {
                0.1
            };
            record(builtin::START_LAG, late_ms);
            record(builtin::HTTP_REQ_DURATION, answers_ms);
            record(builtin::ITERATION_DURATION, answers_ms);
            let kept_back_ms = if index == 6 {
                100.0 * f64::from(start)
            } else {
                0.1
            };
            record(builtin::INTENDED_LATENCY, answers_ms + kept_back_ms);
        }
        if index == 4 {
            let from = Time::from_nanos(4_000_000_000);
            run_state.stalls.note(from, from + Duration::from_secs(2));
        }
        merger.absorb(shard.take_window(index));
        let window = merger.next_ready().unwrap();
        let delays = watch.delays(&run_state, None);
        if watch.count(&window, true, delays, merger.totals()) {
            touched.push(usize::try_from(index).unwrap());
        }
    }
    touched
}

/// Seen: "p95 without them 1,457 ms" of a target that takes 40 ms, and 2,989 ms of one that takes 300 ms, whose generator was
/// stopped for 2 and 3 s.
#[test]
fn a_second_in_which_what_a_stop_kept_back_is_answered_is_touched() {
    assert_eq!(stopped(40.0), [3, 4, 5, 6]);
    assert_eq!(stopped(300.0), [3, 4, 5, 6]);
}

/// Of a run that began so long after its first window, the time of these windows, of which some are whole.
struct CalmWindows<'a> {
    after_ms: u64,
    lasts_ms: u64,
    calm: &'a [u64],
    windows: u64,
    whole: Range<u64>,
}

impl CalmWindows<'_> {
    fn time(&self) -> Option<Duration> {
        let mut touched = TouchedSeconds::default();
        for window in 0..self.windows {
            let is_calm = self.calm.contains(&window);
            let is_whole = self.whole.contains(&window);
            touched.seconds += 1;
            touched.touched += u64::from(!is_calm);
            touched.whole += u64::from(is_whole);
            touched.whole_touched += u64::from(is_whole && !is_calm);
            if is_calm {
                touched.add_calm(window);
            }
        }
        touched.calm_time(&CountedTime {
            after: Duration::from_millis(self.after_ms),
            lasts: Duration::from_millis(self.lasts_ms),
        })
    }
}

/// Seen: of 2.05 s both whole seconds were touched, and the 46 answers of the last 50 ms were 68.7 answers a second, where
/// 4,892 came; of 6.02 s with 121 requests one second and the last 20 ms were left, and were 10.7 requests a second.
#[test]
fn seconds_that_are_left_count_by_their_length() {
    let of_two = |calm: &[u64]| {
        let run = CalmWindows {
            after_ms: 0,
            lasts_ms: 2_050,
            calm,
            windows: 3,
            whole: 0..2,
        };
        run.time()
    };
    let millis = |ms: u64| Some(Duration::from_millis(ms));
    assert_eq!(of_two(&[2]), None);
    assert_eq!(of_two(&[0, 1, 2]), millis(2_050));
    assert_eq!(of_two(&[0, 2]), millis(1_050));
    assert_eq!(of_two(&[0]), millis(1_000));
    // The load begins 10 ms after the first window: neither that nor the last one is whole.
    let of_six = |calm: &[u64]| {
        let run = CalmWindows {
            after_ms: 10,
            lasts_ms: 6_020,
            calm,
            windows: 7,
            whole: 1..6,
        };
        run.time()
    };
    assert_eq!(of_six(&[3, 6]), millis(1_030));
    assert_eq!(of_six(&[0, 3]), millis(1_990));
    // Of a run shorter than a second nothing is whole.
    let short = |calm: &[u64]| {
        let run = CalmWindows {
            after_ms: 5,
            lasts_ms: 600,
            calm,
            windows: 1,
            whole: 0..0,
        };
        run.time()
    };
    assert_eq!(short(&[0]), millis(600));
    assert_eq!(short(&[]), None);
}
