//! Thresholds in windows and of a part of a run.

use super::*;

/// Ten seconds with so many failures, of which some seconds are left out; how the conditions on
/// them stand by the rest.
fn judged_without(
    conditions: &[&str],
    failures: &[usize; 10],
    left_out: &[usize],
) -> Vec<ConditionState> {
    let registry = Arc::new(Registry::new());
    let failures_of = registry.register("failures", Kind::Counter, ValueType::Default);
    let failures_of = failures_of.unwrap();
    let mut submetrics = Submetrics::default();
    let sources = [source("failures", conditions)];
    let mut thresholds = Thresholds::compile(&sources, &registry, &mut submetrics).unwrap();
    let mut rest = thresholds.clone();
    let mut shard = Shard::new(WorkerId(0), Arc::clone(&registry));
    let mut merger = Merger::new(1, Arc::clone(&registry), submetrics);
    for (index, count) in failures.iter().enumerate() {
        for _ in 0..*count {
            shard.record(failures_of, TagSetId::EMPTY, 1.0);
        }
        merger.absorb(shard.take_window(index as u64));
        let second = merger.next_ready().unwrap();
        thresholds.observe(&second, true, &merger);
        if left_out.contains(&index) {
            merger.leave_out(&second);
            rest.leave_out(true);
        } else {
            rest.observe(&second, true, &merger);
        }
    }
    let whole = Duration::from_secs(10);
    thresholds.evaluate(merger.totals(), whole, Phase::Final);
    let left = Duration::from_secs(10 - left_out.len() as u64);
    rest.evaluate_part(&merger.rest(), left, &thresholds, whole);
    rest.all().iter().map(|one| one.verdict.outcome).collect()
}

/// Seen: a count was judged with all seconds, and the verdict called the same without some.
#[test]
fn a_count_is_judged_by_the_seconds_that_are_left_where_they_can_tell() {
    use ConditionState::{Failed, Passed};
    let few = [1, 1, 1, 1, 4, 1, 1, 1, 1, 1];
    // 13 in all, 9 without the fifth second: ten times as long would be 10.
    let found = judged_without(
        &["count<9", "count<13", "count>=14", "count>=10"],
        &few,
        &[4],
    );
    assert_eq!(found, [Failed, Passed, Failed, Passed]);
    // 9 were too few; without the empty second there would have been 10.
    let one_empty = [1, 1, 1, 1, 0, 1, 1, 1, 1, 1];
    let found = judged_without(&["count>=10", "count>=11", "count==9"], &one_empty, &[4]);
    assert_eq!(found, [Passed, Failed, Passed]);
}

/// Windows stay where they are: what is left of one is judged by itself.
#[test]
fn a_second_that_is_left_out_keeps_its_place_in_its_window() {
    use ConditionState::{Failed, Passed};
    // 8 in the seconds 4 to 7 alone; shifted by two, windows would have half of them each.
    let burst = [0, 0, 0, 0, 2, 2, 2, 2, 0, 0];
    let conditions = ["count<8 every 4s", "count<9 every 4s"];
    assert_eq!(judged_without(&conditions, &burst, &[]), [Failed, Passed]);
    assert_eq!(
        judged_without(&conditions, &burst, &[0, 1]),
        [Failed, Passed]
    );
    assert_eq!(judged_without(&conditions, &burst, &[5]), [Passed, Passed]);
    // Nothing is left of any window: as in the whole.
    let all: Vec<usize> = (0..10).collect();
    assert_eq!(
        judged_without(&conditions, &burst, &all[..9]),
        [Failed, Passed]
    );
}

/// Seen: a goal of planned starts in windows had no samples, and passed whatever was answered.
#[test]
fn planned_starts_are_judged_in_windows() {
    let registry = Arc::new(Registry::new());
    let mut submetrics = Submetrics::default();
    let sources = [source("planned_latency", &["p(95)<100 every 2s"])];
    let mut thresholds = Thresholds::compile(&sources, &registry, &mut submetrics).unwrap();
    let mut shard = Shard::new(WorkerId(0), Arc::clone(&registry));
    let mut merger = Merger::new(1, Arc::clone(&registry), submetrics);
    for (index, took) in [20.0, 20.0, 300.0, 300.0, 20.0, 20.0].iter().enumerate() {
        shard.record(builtin::INTENDED_LATENCY, TagSetId::EMPTY, *took);
        merger.absorb(shard.take_window(index as u64));
        let second = merger.next_ready().unwrap();
        thresholds.observe(&second, true, &merger);
    }
    thresholds.evaluate(merger.totals(), Duration::from_secs(6), Phase::Final);
    assert_eq!(thresholds.all()[0].verdict.outcome, ConditionState::Failed);
    assert_eq!(thresholds.all()[0].verdict.observed, Some(300.0));
}
