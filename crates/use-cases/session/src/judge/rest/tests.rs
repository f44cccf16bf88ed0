mod kinds;
mod rates;

use std::sync::Arc;
use std::time::Duration;

use loadline_metrics::threshold::{Condition, ThresholdSource, Thresholds};
use loadline_metrics::{Registry, Shard, Submetrics, TagSetId};
use loadline_record::{ArrivalProcess, Goals, LatencyStart, Limit, Verdict, VerdictStanding};
use loadline_units::{Time, WorkerId};
use loadline_vu::RunState;

use super::*;
use crate::health::HealthWatch;
use crate::warm_up::WarmUpSetting;

const RUN_SECONDS: u64 = 40;
const STARTS_A_SECOND: usize = 50;
const PAUSE_MS: f64 = 250.0;

/// Numbers that follow from a seed (SplitMix64).
struct Seeded(u64);

impl Seeded {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A run of 40 s at a rate.
struct SimulatedRun<'a> {
    seed: u64,
    /// Answers take from this long to `SPREAD_MS` longer.
    fastest_ms: f64,
    limit_ms: f64,
    /// How late a start is: its second, when in it it was due (ms), a share drawn for it.
    late_ms: &'a dyn Fn(u64, f64, f64) -> f64,
    /// For how long the whole machine stood still at the start of a second, the target with it, ms.
    stopped_ms: &'a dyn Fn(u64) -> f64,
}

const SPREAD_MS: f64 = 20.0;

/// A target that takes 40 to 60 ms, while its generator is away for a quarter of a second in some
/// seconds.
fn simulated(seed: u64, paused: &dyn Fn(u64) -> bool, limit_ms: f64) -> (Summary, Option<Summary>) {
    SimulatedRun {
        seed,
        fastest_ms: 40.0,
        limit_ms,
        // Those that were due in the pause waited for its end.
        late_ms: &|second, due_ms, _| {
            if paused(second) && due_ms < PAUSE_MS {
                PAUSE_MS - due_ms
            } else {
                0.05
            }
        },
        stopped_ms: &|_| 0.0,
    }
    .summarize()
}

impl SimulatedRun<'_> {
    /// Its summary, with and without the seconds that were touched.
    fn summarize(&self) -> (Summary, Option<Summary>) {
        let (seed, limit_ms) = (self.seed, self.limit_ms);
        let mut seeded = Seeded(seed);
        let registry = Arc::new(Registry::new());
        let source = ThresholdSource {
            metric: "intended_latency".to_owned(),
            conditions: vec![Condition {
                text: format!("p(95)<{limit_ms}"),
                abort_on_fail: false,
                delay_abort: None,
            }],
        };
        let mut parts = Submetrics::default();
        let thresholds = Thresholds::compile(&[source], &registry, &mut parts).unwrap();
        let run_state = Arc::new(RunState::new(Vec::new()));
        let (events, _) = crossbeam_channel::unbounded();
        let mut judge = Judge::new(
            thresholds,
            HealthWatch::new(1),
            run_state.clone(),
            events,
            WarmUpSetting::None,
        );
        let mut shard = Shard::new(WorkerId(0), registry.clone());
        let ok = shard.tags.extend(TagSetId::EMPTY, &[("status", "200")]);
        let mut merger = Merger::new(1, registry.clone(), parts);
        let mut next = Vec::new();
        for second in 0..RUN_SECONDS {
            let mut ended = std::mem::take(&mut next);
            for start in 0..STARTS_A_SECOND {
                let due_ms = start as f64 * 1000.0 / STARTS_A_SECOND as f64;
                let late = (self.late_ms)(second, due_ms, seeded.share());
                let took = self.fastest_ms + SPREAD_MS * seeded.share();
                shard.record_all(ok, &[(builtin::START_LAG, late)]);
                // What was due in a stop begins after it; what is under way in one takes so much longer.
                if due_ms + late + took > 1_000.0 && (self.stopped_ms)(second + 1) > 0.0 {
                    next.push((late, took + (self.stopped_ms)(second + 1)));
                } else {
                    ended.push((late, took));
                }
            }
            for (late, took) in ended {
                shard.record_all(
                    ok,
                    &[
                        (builtin::HTTP_REQS, 1.0),
                        (builtin::HTTP_REQ_DURATION, took),
                        (builtin::INTENDED_LATENCY, took + late),
                    ],
                );
            }
            merger.absorb(shard.take_window(second));
            let window = merger.next_ready().unwrap();
            let stopped = Duration::from_secs_f64((self.stopped_ms)(second) / 1_000.0);
            if !stopped.is_zero() {
                let from = Time::from_nanos(second * 1_000_000_000);
                run_state.stalls.note(from, from + stopped);
            }
            let delays = judge.touched.delays(&run_state, None);
            judge.count(&window, delays, &mut merger);
        }
        let length = Duration::from_secs(RUN_SECONDS);
        judge.finish(&merger, length);
        let mut run = Run::finished(length);
        run.arrivals = Some(ArrivalProcess::Even);
        run.latency_start = LatencyStart::Planned;
        run.generator = judge.health.report(&run_state, &merger);
        let mut whole = Summary::new(&merger, &registry, &judge.thresholds, run);
        let rest = judge.look_again(&mut whole, &merger, None);
        (whole, rest)
    }
}

fn standing(run: &Summary) -> Option<VerdictStanding> {
    run.run.validity.map(|found| found.standing)
}

#[test]
fn what_the_rest_says_too_is_the_verdict_and_what_it_does_not_is_void() {
    let some = |second: u64| second % 5 == 2;
    let (met, rest) = simulated(1, &some, 300.0);
    assert_eq!(met.verdict(), Verdict::Passed);
    assert_eq!(standing(&met), Some(VerdictStanding::Same));
    let found = met.run.validity.unwrap();
    assert_eq!((found.seconds, found.touched), (RUN_SECONDS, 8));
    let left = rest.unwrap().failed_requests().1;
    assert_eq!(left, 32 * STARTS_A_SECOND as u64);

    let (missed, _) = simulated(1, &some, 45.0);
    assert_eq!(
        missed.verdict(),
        Verdict::ThresholdsFailed,
        "by the target itself"
    );
    assert_eq!(standing(&missed), Some(VerdictStanding::Same));

    // 5 of 100 starts waited for a pause: the goal is missed for these alone.
    let often = |second: u64| second.is_multiple_of(2);
    let (by_pauses, _) = simulated(1, &often, 100.0);
    assert_eq!(by_pauses.verdict().word(), "not-valid");
    assert_eq!(standing(&by_pauses), Some(VerdictStanding::Differs));
    assert_eq!(by_pauses.goals(), (0, 1));
    assert_eq!(by_pauses.run.validity.unwrap().goals.unwrap().met, 1);

    let (always, rest) = simulated(1, &|_| true, 100.0);
    assert!(rest.is_none());
    assert_eq!(standing(&always), Some(VerdictStanding::NothingLeft));
    assert_eq!(always.verdict().word(), "not-valid");
}

/// The truth is the same run without a pause.
#[test]
fn no_verdict_of_a_thousand_runs_with_pauses_is_another_than_that_of_the_target() {
    let (mut void, mut told) = (0, 0);
    for seed in 0..1_000 {
        let mut seeded = Seeded(seed ^ 0xABCD);
        let share = seeded.share();
        let limit = 50.0 + 100.0 * seeded.share();
        let pauses: Vec<bool> = (0..RUN_SECONDS).map(|_| seeded.share() < share).collect();
        let paused = |second: u64| pauses[usize::try_from(second).unwrap()];
        let (run, _) = simulated(seed, &paused, limit);
        let (truth, _) = simulated(seed, &|_| false, limit);
        // Within 2 ms of the limit chance decides which way the rest falls.
        let p95 = truth.intended_latency().unwrap().percentile(0.95).unwrap();
        if (p95.at_least - limit).abs() < 2.0 {
            continue;
        }
        match run.verdict() {
            Verdict::GeneratorLimited(_) => {
                void += 1;
                assert_eq!(run.goals(), (0, 1), "seed {seed}: met goals stand");
                let is_open = [VerdictStanding::Differs, VerdictStanding::NothingLeft]
                    .map(Some)
                    .contains(&standing(&run));
                assert!(is_open, "seed {seed}: {:?}", standing(&run));
            }
            verdict => {
                told += 1;
                assert_eq!(verdict, truth.verdict(), "seed {seed}");
            }
        }
    }
    assert!(void > 0 && told > 0, "{void} void, {told} told");
}

/// A target of 110 to 130 ms, whose starts are late by up to so many ms in some seconds.
fn slightly_late(seed: u64, limit_ms: f64, late_ms: &dyn Fn(u64) -> f64) -> Summary {
    let run = SimulatedRun {
        seed,
        fastest_ms: 110.0,
        limit_ms,
        late_ms: &|second, _, share| late_ms(second) * share,
        stopped_ms: &|_| 0.0,
    };
    run.summarize().0
}

/// Seen: 4 of 5 runs with a goal 8 ms above an answer of 120 ms were FAILED, where the target's own ledger met it: the
/// delays were below a tenth of the median, and no second look was taken.
#[test]
fn a_goal_missed_for_delays_below_any_limit_is_void() {
    let run = slightly_late(1, 130.0, &|_| 11.0);
    assert!(run.run.generator.limits(run.run.duration).is_empty());
    assert_eq!(run.goals(), (0, 1), "it is missed as measured");
    assert_eq!(standing(&run), Some(VerdictStanding::NothingLeft));
    assert_eq!(
        run.verdict(),
        Verdict::GeneratorLimited(vec![Limit::CloseGoal])
    );

    let run = slightly_late(1, 130.0, &|second| {
        if second % 8 < 4 { 0.05 } else { 11.0 }
    });
    assert_eq!(standing(&run), Some(VerdictStanding::Differs));
    assert_eq!(
        run.run.validity.unwrap().goals,
        Some(Goals { met: 1, all: 1 })
    );
    assert_eq!(run.verdict().word(), "not-valid");
}

#[test]
fn a_goal_that_is_missed_without_the_delays_too_is_missed() {
    let everywhere = slightly_late(1, 118.0, &|_| 11.0);
    assert_eq!(everywhere.verdict(), Verdict::ThresholdsFailed);
    assert_eq!(
        standing(&everywhere),
        None,
        "no answer was late for a delay"
    );
    let some = slightly_late(1, 128.0, &|second| {
        if second % 4 == 0 { 11.0 } else { 0.05 }
    });
    assert_eq!(some.verdict(), Verdict::ThresholdsFailed);
}

/// The truth is the same run without a delay.
#[test]
fn no_verdict_of_a_thousand_runs_with_delays_of_any_size_is_another_than_that_of_the_target() {
    let (mut void, mut told) = (0, 0);
    for seed in 0..1_000 {
        let mut seeded = Seeded(seed ^ 0x5EED);
        let (share, most) = (seeded.share(), 15.0 * seeded.share());
        let limit = 115.0 + 25.0 * seeded.share();
        let late: Vec<f64> = (0..RUN_SECONDS)
            .map(|_| if seeded.share() < share { most } else { 0.05 })
            .collect();
        let run = slightly_late(seed, limit, &|second| {
            late[usize::try_from(second).unwrap()]
        });
        let truth = slightly_late(seed, limit, &|_| 0.0);
        let p95 = truth.intended_latency().unwrap().percentile(0.95).unwrap();
        // Within 1 ms of the limit chance decides which way the rest falls.
        if (p95.at_least - limit).abs() < 1.0 {
            continue;
        }
        match run.verdict() {
            Verdict::GeneratorLimited(_) => {
                void += 1;
                let by = limit - p95.at_least;
                assert!(
                    (-1.0 - most..most).contains(&by),
                    "seed {seed}: {by} ms beside {most} ms"
                );
            }
            verdict => {
                told += 1;
                assert_eq!(verdict, truth.verdict(), "seed {seed}");
            }
        }
    }
    assert!(void > 0 && told > 2 * void, "{void} void, {told} told");
}

/// A target whose answers take up to 20 ms longer than the fastest one.
struct StandingTarget {
    seed: u64,
    fastest_ms: f64,
    limit_ms: f64,
}

impl StandingTarget {
    /// Its machine stands still for so long at the start of some seconds.
    fn stopped(&self, stopped_ms: &dyn Fn(u64) -> f64) -> Summary {
        let run = SimulatedRun {
            seed: self.seed,
            fastest_ms: self.fastest_ms,
            limit_ms: self.limit_ms,
            late_ms: &|second, due_ms, _| (stopped_ms(second) - due_ms).max(0.05),
            stopped_ms,
        };
        run.summarize().0
    }
}

/// One of 500 to 520 ms.
fn stopped(seed: u64, limit_ms: f64, stopped_ms: &dyn Fn(u64) -> f64) -> Summary {
    let target = StandingTarget {
        seed,
        fastest_ms: 500.0,
        limit_ms,
    };
    target.stopped(stopped_ms)
}

/// Seen: FAILED, "the verdict could not be another without them", of a machine that stood still for 1.4 s; PASSED half a minute
/// later.
#[test]
fn a_goal_missed_where_the_machine_stood_still_is_void_whatever_the_target_was() {
    for (each, found) in [
        (3, VerdictStanding::Differs),
        (2, VerdictStanding::NothingLeft),
    ] {
        let at = |second: u64| if second % each == 1 { 900.0 } else { 0.0 };
        let run = stopped(1, 800.0, &at);
        assert_eq!(run.goals(), (0, 1), "it is missed as measured");
        assert_eq!(standing(&run), Some(found));
        assert_eq!(run.verdict().word(), "not-valid");
    }
    // More than a stop makes.
    let slow = stopped(1, 100.0, &|second| {
        if second % 2 == 1 { 300.0 } else { 0.0 }
    });
    assert_eq!(slow.verdict(), Verdict::ThresholdsFailed);
    assert_eq!(standing(&slow), Some(VerdictStanding::Certain));
}

/// Seen: NOT VALID of a goal of 90 ms and answers that take 120, for stops that touch a third of the run.
#[test]
fn a_goal_that_no_stop_can_have_missed_is_missed_though_each_second_feels_one() {
    let stopped_ms = |second: u64| if second % 4 == 1 { 300.0 } else { 0.0 };
    let target = |fastest_ms: f64, limit_ms: f64| {
        let run = SimulatedRun {
            seed: 1,
            fastest_ms,
            limit_ms,
            // Others take the cores in the rest of the time, too.
            late_ms: &|second, due_ms, share| {
                let beside = if share < 0.05 { 90.0 } else { 0.05 };
                (stopped_ms(second) - due_ms).max(beside)
            },
            stopped_ms: &stopped_ms,
        };
        run.summarize().0
    };
    let missed = target(120.0, 90.0);
    assert_eq!(missed.verdict(), Verdict::ThresholdsFailed);
    assert_eq!(standing(&missed), Some(VerdictStanding::Certain));
    let open = target(60.0, 90.0);
    assert_eq!(open.goals(), (0, 1), "it is missed as measured");
    assert_eq!(open.verdict().word(), "not-valid");
}

/// The truth is the same run without a stop.
#[test]
fn no_verdict_of_runs_on_a_machine_that_stands_still_is_another_than_that_of_the_target() {
    let (mut void, mut told) = (0, 0);
    for seed in 0..500 {
        let mut seeded = Seeded(seed ^ 0x0570);
        let (share, most) = (seeded.share(), 900.0 * seeded.share());
        let fastest = [500.0, 60.0][usize::try_from(seed % 2).unwrap()];
        let limit = fastest * (0.6 + seeded.share());
        let stops: Vec<f64> = (0..=RUN_SECONDS)
            .map(|_| if seeded.share() < share { most } else { 0.0 })
            .collect();
        let of = |second: u64| stops[usize::try_from(second).unwrap()];
        let target = StandingTarget {
            seed,
            fastest_ms: fastest,
            limit_ms: limit,
        };
        let run = target.stopped(&of);
        let truth = target.stopped(&|_| 0.0);
        let p95 = truth.intended_latency().unwrap().percentile(0.95).unwrap();
        if (p95.at_least - limit).abs() < 2.0 {
            continue;
        }
        match run.verdict() {
            Verdict::GeneratorLimited(_) => void += 1,
            verdict => {
                told += 1;
                assert_eq!(verdict, truth.verdict(), "seed {seed}");
            }
        }
    }
    assert!(void > 0 && told > 100, "{void} void, {told} told");
}
