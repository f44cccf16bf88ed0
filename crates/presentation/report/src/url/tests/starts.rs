//! Planned starts: goals of latency, and how many users they need.

use super::*;

/// A run at a rate by its starts: those answered well (ms) and those that never were, with the time they had waited.
fn planned(well: &[f64], lost: &[f64], goal: &str, generator: GeneratorHealth) -> Summary {
    let registry = Arc::new(Registry::new());
    let sources = [ThresholdSource {
        metric: loadline_record::PLANNED_LATENCY.to_owned(),
        conditions: vec![Condition {
            text: goal.to_owned(),
            abort_on_fail: false,
            delay_abort: None,
        }],
    }];
    let mut parts = Submetrics::default();
    let mut thresholds = Thresholds::compile(&sources, &registry, &mut parts).unwrap();
    let mut shard = Shard::new(WorkerId(0), Arc::clone(&registry));
    let ok = shard.tags.extend(TagSetId::EMPTY, &[("status", "200")]);
    for ms in well {
        shard.record_all(
            ok,
            &[
                (builtin::HTTP_REQS, 1.0),
                (builtin::HTTP_REQ_DURATION, ms / 2.0),
                (builtin::INTENDED_LATENCY, *ms),
                (builtin::HTTP_REQ_FAILED, 0.0),
                (builtin::ITERATIONS, 1.0),
            ],
        );
    }
    for ms in lost {
        shard.record_all(
            TagSetId::EMPTY,
            &[
                (builtin::INTENDED_LATENCY, *ms),
                (builtin::INTENDED_LATENCY_CENSORED, *ms),
            ],
        );
    }
    let mut merger = Merger::new(1, Arc::clone(&registry), parts);
    merger.absorb(shard.take_window(0));
    merger.next_ready().unwrap();
    let length = Duration::from_secs(10);
    thresholds.evaluate(merger.totals(), length, Phase::Final);
    let run = Run {
        most_vus: 40,
        generator,
        arrivals: Some(ArrivalProcess::Poisson { seed: 1 }),
        latency_start: loadline_record::LatencyStart::Planned,
        ..Run::finished(length)
    };
    Summary::new(&merger, &registry, &thresholds, run)
}

/// Before: 6.12 ms from planned start, and 6.38 ms "of planned starts", of one run.
#[test]
fn a_goal_that_all_starts_kept_has_the_percentile_that_the_table_has() {
    let well: Vec<f64> = (1..=107).map(|n| f64::from(n * n) / 10.0).collect();
    let generator = GeneratorHealth {
        planned_starts: 107,
        dropped_starts: 0,
        ..healthy()
    };
    let text = shown(&planned(&well, &[], "p(95)<5000", generator), Lang::En);
    let row = text
        .lines()
        .find(|line| line.starts_with("from planned start"));
    let p95 = row
        .unwrap()
        .split("  ")
        .filter(|cell| !cell.is_empty())
        .nth(3)
        .unwrap()
        .trim();
    assert!(
        text.contains(&format!("p(95)<5000ms of planned starts: {p95}\n")),
        "{p95}: {text}"
    );
    // At the limit what was judged counts: the time of a start, not one between two.
    let limit = 1_040.0;
    let generator = GeneratorHealth {
        planned_starts: 107,
        dropped_starts: 0,
        ..healthy()
    };
    let summary = planned(&well, &[], &format!("p(95)<{limit}"), generator);
    let goal = &summary
        .metric(loadline_record::PLANNED_LATENCY)
        .unwrap()
        .thresholds[0];
    assert!(!goal.ok, "{goal:?}");
    let text = shown(&summary, Lang::En);
    assert!(text.contains("of planned starts: 1,040 ms"), "{text}");
}

/// Before: "48.4 % cut or never sent" beside "dropped starts 178", and neither why nor how many users it takes; and a p95
/// of all starts below that of the good answers alone, without a word.
#[test]
fn a_missed_goal_says_how_many_users_its_dropped_starts_needed() {
    let well = [3_600.0; 190];
    let lost: Vec<f64> = (0..178).map(|n| f64::from(n) * 10.0).collect();
    let generator = GeneratorHealth {
        planned_starts: 368,
        dropped_starts: 178,
        drops: DropCounts {
            no_free_user: 178,
            ..DropCounts::default()
        },
        ..healthy()
    };
    let summary = planned(&well, &lost, "p(95)<700", generator);
    assert_eq!(summary.verdict(), Verdict::ThresholdsFailed);
    for (lang, needed, bounds) in [
        (
            Lang::En,
            "at 1,800 ms an iteration this load needs about 81 users",
            "≥: 178 of 368 planned starts were cut or never sent, and count as the time waited",
        ),
        (
            Lang::Ko,
            "반복 시간 1,800 ms에서는 사용자 약 81명 필요",
            "≥: 예정 시작 368건 중 중단되거나 보내지 못한 178건은 그때까지 기다린 시간으로",
        ),
    ] {
        let text = shown(&summary, lang);
        assert!(text.contains(needed), "{text}");
        assert!(text.contains(bounds), "{text}");
        assert!(text.lines().count() <= 40, "{text}");
    }
}

/// Before: nothing, where no start was dropped and each waited for a user.
#[test]
fn starts_that_queued_for_users_say_how_many_they_needed() {
    let users = |well: &[f64]| {
        let generator = GeneratorHealth {
            planned_starts: 400,
            dropped_starts: 0,
            ..healthy()
        };
        let text = shown(&planned(well, &[], "p(95)<700", generator), Lang::En);
        text.contains("this load needs about")
    };
    // 400 starts of 2 s on average, served in the first 6 s of 10: 40 users are too few.
    let queued: Vec<f64> = (1..=400).map(|n| 4_000.0 * f64::from(n) / 400.0).collect();
    assert!(users(&queued));
    assert!(!users(&[50.0; 400]));
}
