use std::sync::Arc;

use loadline_metrics::{Merger, Registry, Shard, Submetrics, TagSetId};
use loadline_units::WorkerId;

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

/// Seen: of 2.05 s both whole seconds were touched, and the 46 answers of the last 50 ms were 68.7 answers a second, where
/// 4,892 came.
#[test]
fn seconds_that_are_left_count_by_their_length() {
    let of = |seconds, touched, whole, whole_touched| TouchedSeconds {
        seconds,
        touched,
        whole,
        whole_touched,
        ..TouchedSeconds::default()
    };
    let time = |touched: TouchedSeconds, ms: u64| touched.calm_time(Duration::from_millis(ms));
    assert_eq!(time(of(3, 2, 2, 2), 2050), None);
    assert_eq!(
        time(of(3, 0, 2, 0), 2050),
        Some(Duration::from_millis(2050))
    );
    assert_eq!(
        time(of(3, 1, 2, 1), 2050),
        Some(Duration::from_millis(1050))
    );
    assert_eq!(time(of(3, 2, 2, 1), 2050), Some(Duration::from_secs(1)));
    // Of a run shorter than a second nothing is whole.
    assert_eq!(time(of(1, 0, 0, 0), 600), Some(Duration::from_millis(600)));
    assert_eq!(time(of(1, 1, 0, 0), 600), None);
}
