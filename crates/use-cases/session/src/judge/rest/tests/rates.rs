//! A rate is what was counted divided by the time in which it was counted, whatever seconds are left out.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times of a few seconds"
)]

use super::*;

const APART_MS: f64 = 20.0;
const RATE: f64 = 1_000.0 / APART_MS;
/// Answers come up to so long after their start, so that those of one second end in part in the next: of 50 a second, 3.
const EDGE_SHARE: f64 = 0.12;

/// Even starts over a part of some seconds, whose generator is away for a quarter of a second in some of them.
struct CutRun<'a> {
    /// When the load begins, after the first window did.
    begins_ms: u64,
    lasts_ms: u64,
    is_paused: &'a [bool],
}

impl CutRun<'_> {
    /// Requests a second of the seconds that were not touched, and how long these are, s.
    fn rate_of_rest(&self) -> Option<(f64, f64)> {
        let registry = Arc::new(Registry::new());
        let mut parts = Submetrics::default();
        let thresholds = Thresholds::compile(&[], &registry, &mut parts).unwrap();
        let run_state = Arc::new(RunState::new(Vec::new()));
        let (events, _) = crossbeam_channel::unbounded();
        let mut judge = Judge::new(
            thresholds,
            HealthWatch::new(1),
            run_state.clone(),
            events,
            WarmUpSetting::None,
        );
        judge.began = Some(judge.windows_from + Duration::from_millis(self.begins_ms));
        let starts = self.lasts_ms as f64 / APART_MS;
        let mut answers: Vec<(u64, u64, f64, f64)> = Vec::new();
        for start in 0..starts as u64 {
            let due = self.begins_ms as f64 + start as f64 * APART_MS;
            let second = (due / 1_000.0) as usize;
            let in_second = due % 1_000.0;
            let is_paused = self.is_paused.get(second).is_some_and(|paused| *paused);
            let late = if is_paused {
                (PAUSE_MS - in_second).max(0.05)
            } else {
                0.05
            };
            let took = 40.0 + (start % 5) as f64 * 4.0;
            let ended = ((due + late + took) / 1_000.0) as u64;
            answers.push((second as u64, ended, late, took));
        }
        let mut shard = Shard::new(WorkerId(0), registry.clone());
        let ok = shard.tags.extend(TagSetId::EMPTY, &[("status", "200")]);
        let mut merger = Merger::new(1, registry.clone(), parts);
        let last = answers.iter().map(|answer| answer.1).max().unwrap_or(0);
        for second in 0..=last {
            for (started, ended, late, took) in &answers {
                if *started == second {
                    shard.record_all(ok, &[(builtin::START_LAG, *late)]);
                }
                if *ended == second {
                    shard.record_all(
                        ok,
                        &[
                            (builtin::HTTP_REQS, 1.0),
                            (builtin::HTTP_REQ_DURATION, *took),
                        ],
                    );
                }
            }
            merger.absorb(shard.take_window(second));
            let window = merger.next_ready().unwrap();
            let delays = judge.touched.delays(&run_state, None);
            judge.count(&window, delays, &mut merger);
        }
        let length = Duration::from_millis(self.lasts_ms + 40);
        judge.finish(&merger, length);
        let mut run = Run::finished(length);
        run.arrivals = Some(ArrivalProcess::Even);
        run.generator = judge.health.report(&run_state, &merger);
        let mut whole = Summary::new(&merger, &registry, &judge.thresholds, run);
        let rest = judge.look_again(&mut whole, &merger, None)?;
        let seconds = rest.run.duration.as_secs_f64();
        Some((rest.failed_requests().1 as f64 / seconds, seconds))
    }
}

/// Seen: 10.7/s of 121 requests in 6 s: one second, and the 20 ms after the load, were left, and counted as a second and a half.
#[test]
fn a_second_that_the_load_did_not_fill_counts_for_its_part() {
    let run = CutRun {
        begins_ms: 10,
        lasts_ms: 6_020,
        is_paused: &[true, true, false, true, true, true],
    };
    let (rate, seconds) = run.rate_of_rest().unwrap();
    assert!((rate - RATE).abs() < EDGE_SHARE * RATE, "{rate}/s");
    assert!(seconds < 1.1, "{seconds} s");
}

/// The truth is the load, which is even.
#[test]
fn the_rate_without_touched_seconds_is_that_of_the_load() {
    let mut told = 0;
    for seed in 0..300 {
        let mut seeded = Seeded(seed ^ 0x7A7E);
        let share = seeded.share();
        let is_paused: Vec<bool> = (0..10).map(|_| seeded.share() < share).collect();
        let run = CutRun {
            begins_ms: (1_000.0 * seeded.share()) as u64,
            lasts_ms: 2_000 + (7_000.0 * seeded.share()) as u64,
            is_paused: &is_paused,
        };
        let Some((rate, seconds)) = run.rate_of_rest() else {
            continue;
        };
        // Of less than a second the edges are too large a part.
        if seconds >= 0.9 {
            told += 1;
            assert!(
                (rate - RATE).abs() < EDGE_SHARE * RATE,
                "seed {seed}: {rate}/s of {seconds} s"
            );
        }
    }
    assert!(told > 100, "{told} told");
}
