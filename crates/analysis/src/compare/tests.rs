use super::*;

/// Numbers that look like chance and are the same every time.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ word >> 31) >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Twelve uniform numbers make a nearly normal one.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// A run whose level differs from run to run, drifts slowly, and has a long tail.
fn run(noise: &mut Noise, seconds: usize, level: f64, between_runs: f64) -> Run {
    let level = level * (between_runs * noise.normal()).exp();
    let mut drift = 0.0;
    let windows = (0..seconds).map(|_| {
        drift = 0.8 * drift + 0.01 * noise.normal();
        let mut durations = Histogram::new();
        for _ in 0..100 {
            let tail = (0.3 * noise.normal()).exp();
            durations.record(level * f64::exp(drift) * tail);
        }
        Window {
            requests: 100.0,
            failed: 0.0,
            durations,
        }
    });
    Run {
        windows: windows.collect(),
        answers: Answers::default(),
    }
}

fn side(noise: &mut Noise, runs: usize, seconds: usize, level: f64, between_runs: f64) -> Side {
    let runs = (0..runs).map(|_| run(noise, seconds, level, between_runs));
    Side {
        whole: runs.collect(),
        endpoints: Vec::new(),
    }
}

fn of(comparison: &Comparison, measure: Measure) -> &Difference {
    let mut all = comparison.whole.differences.iter();
    all.find(|difference| difference.measure == measure)
        .unwrap()
}

fn is_called(comparison: &Comparison) -> bool {
    let mut all = comparison.whole.differences.iter();
    all.any(|d| matches!(d.finding, Finding::Better | Finding::Worse))
}

#[test]
fn of_a_hundred_pairs_of_equal_repetitions_at_most_five_are_called_different() {
    let called = (0..100).filter(|seed| {
        let mut noise = Noise(*seed);
        let a = side(&mut noise, 5, 30, 20.0, 0.02);
        let b = side(&mut noise, 5, 30, 20.0, 0.02);
        is_called(&compare(&a, &b, &Settings::default()))
    });
    let called = called.count();
    assert!(called <= 5, "{called}");
}

#[test]
fn of_a_hundred_pairs_of_equal_single_runs_at_most_five_are_called_different() {
    let called = (0..100).filter(|seed| {
        let mut noise = Noise(*seed + 1000);
        let a = side(&mut noise, 1, 60, 20.0, 0.02);
        let b = side(&mut noise, 1, 60, 20.0, 0.02);
        is_called(&compare(&a, &b, &Settings::default()))
    });
    let called = called.count();
    assert!(called <= 5, "{called}");
}

#[test]
fn a_tenth_slower_is_found_and_the_interval_holds_the_truth() {
    let (mut found, mut held) = (0, 0);
    for seed in 0..100 {
        let mut noise = Noise(seed + 5000);
        let a = side(&mut noise, 6, 30, 20.0, 0.02);
        let b = side(&mut noise, 6, 30, 22.0, 0.02);
        let comparison = compare(&a, &b, &Settings::default());
        let mean = of(&comparison, Measure::Mean);
        found += u32::from(mean.finding == Finding::Worse);
        let change = mean.change.unwrap();
        held += u32::from(change.low <= 0.1 && 0.1 <= change.high);
    }
    assert!(found >= 90, "{found}");
    assert!(held >= 95, "{held}");
}

#[test]
fn single_runs_that_differ_by_what_runs_differ_by_are_not_called_different() {
    let mut noise = Noise(7);
    let a = side(&mut noise, 1, 300, 20.0, 0.0);
    let b = side(&mut noise, 1, 300, 20.8, 0.0);
    let comparison = compare(&a, &b, &Settings::default());
    let mean = of(&comparison, Measure::Mean);
    assert!(mean.change.unwrap().low > 0.0, "{mean:?}");
    let why = Why::SingleRuns;
    assert!(
        matches!(mean.finding, Finding::CannotTell { why: found } if found == why)
            || matches!(mean.finding, Finding::NoLargerThan { .. }),
        "{mean:?}"
    );
}

#[test]
fn a_run_of_a_few_seconds_cannot_be_judged_alone() {
    let mut noise = Noise(1);
    let a = side(&mut noise, 1, 10, 20.0, 0.0);
    let b = side(&mut noise, 1, 10, 40.0, 0.0);
    let comparison = compare(&a, &b, &Settings::default());
    let finding = of(&comparison, Measure::P95).finding;
    assert_eq!(finding, Finding::CannotTell { why: Why::TooShort });
}

#[test]
fn what_is_the_same_is_said_to_be_so() {
    let mut noise = Noise(3);
    let a = side(&mut noise, 8, 60, 20.0, 0.003);
    let b = side(&mut noise, 8, 60, 20.0, 0.003);
    let comparison = compare(&a, &b, &Settings::default());
    for difference in &comparison.whole.differences {
        let is_none = matches!(difference.finding, Finding::NoLargerThan { .. });
        assert!(is_none, "{difference:?}");
    }
}

#[test]
fn a_spread_that_hides_the_answer_says_how_many_runs_would_do() {
    let mut noise = Noise(3);
    let a = side(&mut noise, 3, 30, 20.0, 0.1);
    let b = side(&mut noise, 3, 30, 20.0, 0.1);
    let comparison = compare(&a, &b, &Settings::default());
    let finding = of(&comparison, Measure::Mean).finding;
    let Finding::CannotTell {
        why: Why::Spread { runs },
    } = finding
    else {
        panic!("{finding:?}")
    };
    assert!(runs > 3, "{runs}");
}

fn answering(status: &[(&str, f64)], bytes: f64) -> Vec<Run> {
    let statuses = status.iter().map(|(s, n)| ((*s).to_owned(), *n));
    vec![Run {
        windows: Vec::new(),
        answers: Answers {
            statuses: statuses.collect(),
            bytes: Some(bytes),
            ..Answers::default()
        },
    }]
}

#[test]
fn changed_answers_are_told() {
    let before = answering(&[("200", 1000.0)], 500.0);
    let same = answering(&[("200", 998.0), ("500", 2.0)], 505.0);
    assert_eq!(answers::changes(&before, &same), []);

    let broken = answering(&[("200", 900.0), ("500", 100.0)], 60.0);
    let changes = answers::changes(&before, &broken);
    assert!(matches!(&changes[0], AnswerChange::Status { status, .. } if status == "200"));
    assert!(matches!(&changes[1], AnswerChange::Status { status, .. } if status == "500"));
    assert!(matches!(&changes[2], AnswerChange::Size { .. }));
}

#[test]
fn endpoints_with_changed_answers_come_first() {
    let endpoint = |name: &str, runs: Vec<Run>| (name.to_owned(), runs);
    let ok = || answering(&[("200", 1000.0)], 500.0);
    let before = Side {
        whole: ok(),
        endpoints: vec![
            endpoint("/a", ok()),
            endpoint("/b", ok()),
            endpoint("/old", ok()),
        ],
    };
    let after = Side {
        whole: ok(),
        endpoints: vec![
            endpoint("/a", ok()),
            endpoint("/b", answering(&[("404", 1000.0)], 500.0)),
            endpoint("/new", ok()),
        ],
    };
    let comparison = compare(&before, &after, &Settings::default());
    let names: Vec<&str> = comparison
        .endpoints
        .iter()
        .map(|e| e.name.as_str())
        .collect();
    assert_eq!(names, ["/b", "/a"]);
    assert_eq!(comparison.only_before, ["/old"]);
    assert_eq!(comparison.only_after, ["/new"]);
}
