mod changed_answers;
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small counts of simulated requests"
)]
mod changed_bodies;
mod failed_requests;
mod own_delays;
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small counts of simulated requests"
)]
mod planned;
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small counts of simulated requests"
)]
mod rates;
mod short_runs;

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
fn run(noise: &mut Noise, seconds: usize, level: f64, between_runs: f64) -> ComparedRun {
    let level = level * (between_runs * noise.normal()).exp();
    let mut drift = 0.0;
    let windows = (0..seconds).map(|_| {
        drift = 0.8 * drift + 0.01 * noise.normal();
        let mut durations = Histogram::new();
        for _ in 0..100 {
            let tail = (0.3 * noise.normal()).exp();
            durations.record(level * f64::exp(drift) * tail);
        }
        ComparedWindow {
            requests: 100.0,
            durations,
            ..ComparedWindow::default()
        }
    });
    ComparedRun {
        windows: windows.collect(),
        answers: Answers::default(),
        shortfalls: Vec::new(),
        is_planned: false,
        ..ComparedRun::default()
    }
}

fn side(noise: &mut Noise, runs: usize, seconds: usize, level: f64, between_runs: f64) -> Side {
    let runs = (0..runs).map(|_| run(noise, seconds, level, between_runs));
    Side {
        whole: runs.collect(),
        endpoints: Vec::new(),
    }
}

fn difference(comparison: &Comparison, measure: Measure) -> &Difference {
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
        is_called(&compare(&a, &b, &ComparisonSettings::default()))
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
        is_called(&compare(&a, &b, &ComparisonSettings::default()))
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
        let comparison = compare(&a, &b, &ComparisonSettings::default());
        let mean = difference(&comparison, Measure::Mean);
        found += u32::from(mean.finding == Finding::Worse);
        let change = mean.change.unwrap();
        held += u32::from(change.low <= 0.1 && 0.1 <= change.high);
    }
    assert!(found >= 90, "{found}");
    assert!(held >= 95, "{held}");
}

/// Seen: `--within 30` and "WORSE by 19.0 % [17.6 %, 20.5 %]".
#[test]
fn a_tolerance_that_was_asked_for_holds_before_what_is_called_worse() {
    let mut noise = Noise(11);
    let a = side(&mut noise, 1, 60, 50.0, 0.0);
    let b = side(&mut noise, 1, 60, 60.0, 0.0);
    let found = |tolerance: f64, is_tolerance_asked: bool| {
        let settings = ComparisonSettings {
            tolerance,
            is_tolerance_asked,
            ..ComparisonSettings::default()
        };
        let comparison = compare(&a, &b, &settings);
        difference(&comparison, Measure::Mean).finding
    };
    assert_eq!(found(0.05, false), Finding::Worse);
    assert_eq!(found(0.05, true), Finding::Worse);
    assert!(matches!(
        found(0.3, true),
        Finding::NoLargerThan { share } if share > 0.2 && share < 0.3
    ));
}

/// Seen: `--within 30` and "p95 WORSE by 32.7 % [19.1 %, 47.8 %]".
#[test]
fn only_what_lies_beyond_the_tolerance_as_a_whole_is_called() {
    let told = |after_ms: f64, tolerance: f64| {
        let mut noise = Noise(11);
        let a = side(&mut noise, 1, 60, 50.0, 0.0);
        let b = side(&mut noise, 1, 60, after_ms, 0.0);
        let settings = ComparisonSettings {
            tolerance,
            is_tolerance_asked: true,
            ..ComparisonSettings::default()
        };
        let comparison = compare(&a, &b, &settings);
        [Measure::Mean, Measure::P50, Measure::P95].map(|of| difference(&comparison, of).clone())
    };
    for (after_ms, tolerance) in [(65.0, 0.3), (60.0, 0.2), (35.0, 0.3), (100.0, 1.0)] {
        for found in told(after_ms, tolerance) {
            let change = found.change.unwrap();
            let is_across = matches!(
                found.finding,
                Finding::CannotTell {
                    why: UncertaintyReason::AcrossTolerance { .. }
                }
            );
            let is_within = change.low.abs().max(change.high.abs()) <= tolerance;
            let is_beyond = change.low > tolerance || change.high < -tolerance;
            assert_eq!(is_across, !is_within && !is_beyond, "{found:?}");
        }
    }
    for (after_ms, finding) in [(80.0, Finding::Worse), (25.0, Finding::Better)] {
        for found in told(after_ms, 0.3) {
            assert_eq!(found.finding, finding, "{found:?}");
        }
    }
}

#[test]
fn single_runs_that_differ_by_what_runs_differ_by_are_not_called_different() {
    let mut noise = Noise(7);
    let a = side(&mut noise, 1, 300, 20.0, 0.0);
    let b = side(&mut noise, 1, 300, 20.8, 0.0);
    let comparison = compare(&a, &b, &ComparisonSettings::default());
    let mean = difference(&comparison, Measure::Mean);
    assert!(mean.change.unwrap().low > 0.0, "{mean:?}");
    let why = UncertaintyReason::SingleRuns;
    assert!(
        matches!(mean.finding, Finding::CannotTell { why: found } if found == why)
            || matches!(mean.finding, Finding::NoLargerThan { .. }),
        "{mean:?}"
    );
}

#[test]
fn a_run_of_a_few_seconds_says_how_many_runs_would_do() {
    let mut noise = Noise(1);
    let a = side(&mut noise, 1, 8, 20.0, 0.0);
    let b = side(&mut noise, 1, 8, 40.0, 0.0);
    let comparison = compare(&a, &b, &ComparisonSettings::default());
    let finding = difference(&comparison, Measure::P95).finding;
    let why = UncertaintyReason::TooShort {
        run: ShortRun {
            seconds: 8,
            requests: 800,
            seconds_needed: 10,
            requests_needed: 80,
            runs_needed: 3,
        },
    };
    assert_eq!(finding, Finding::CannotTell { why });
}

#[test]
fn single_runs_of_a_dozen_seconds_show_large_differences() {
    let mut noise = Noise(1);
    let a = side(&mut noise, 1, 12, 20.0, 0.0);
    let b = side(&mut noise, 1, 12, 40.0, 0.0);
    let comparison = compare(&a, &b, &ComparisonSettings::default());
    assert_eq!(
        difference(&comparison, Measure::P95).finding,
        Finding::Worse
    );
}

#[test]
fn endpoints_are_matched_before_the_busiest_are_taken() {
    let of_name = |name: String, requests: f64| {
        let window = ComparedWindow {
            requests,
            ..ComparedWindow::default()
        };
        let run = ComparedRun {
            windows: vec![window],
            answers: Answers::default(),
            shortfalls: Vec::new(),
            is_planned: false,
            ..ComparedRun::default()
        };
        (name, vec![run])
    };
    let busy = |side: &'static str| (0..30).map(move |i| of_name(format!("/{side}/{i}"), 900.0));
    let side = |name| {
        let shared = ["/a", "/b"].map(|shared| of_name(shared.to_owned(), 5.0));
        Side {
            whole: Vec::new(),
            endpoints: busy(name).chain(shared).collect(),
        }
    };
    let comparison = compare(&side("old"), &side("new"), &ComparisonSettings::default());
    let names: Vec<&str> = comparison
        .endpoints
        .iter()
        .map(|e| e.name.as_str())
        .collect();
    assert_eq!(names, ["/a", "/b"]);
    assert_eq!(comparison.only_before.len(), 30);
}

/// How many of `count` pairs of equal sides are called worse in anything.
fn called_worse(count: u64, runs: usize, between_runs: f64, errors: f64) -> usize {
    let is_worse = |seed: &u64| {
        let mut noise = Noise(*seed + 20_261_123);
        let mut one = || {
            let mut made = side(&mut noise, runs, 30, 20.0, between_runs);
            for window in made.whole.iter_mut().flat_map(|run| &mut run.windows) {
                window.failed = (0..100)
                    .map(|_| f64::from(u8::from(noise.next() < errors)))
                    .sum();
            }
            made
        };
        let (a, b) = (one(), one());
        let comparison = compare(&a, &b, &ComparisonSettings::default());
        let mut all = comparison.whole.differences.iter();
        all.any(|d| d.finding == Finding::Worse)
    };
    (0..count).filter(is_worse).count()
}

/// Makes the table of `docs/decisions/comparison.md`.
#[test]
#[ignore = "makes the table of docs/decisions/comparison.md, in minutes"]
#[expect(clippy::print_stdout, reason = "the table is what it is run for")]
fn table_of_equal_sides() {
    println!("| runs a side | runs differ by | errors | comparisons | called worse |");
    println!("|---|---|---|---|---|");
    for (runs, between) in [(1, 0.02), (3, 0.02), (5, 0.02), (5, 0.1)] {
        for errors in [0.0, 0.02] {
            let worse = called_worse(1000, runs, between, errors);
            println!(
                "| {runs} | {:.0} % | {:.0} % | 1000 | {:.1} % |",
                between * 100.0,
                errors * 100.0,
                worse as f64 / 10.0
            );
        }
    }
}

#[test]
fn what_is_the_same_is_said_to_be_so() {
    let mut noise = Noise(3);
    let a = side(&mut noise, 8, 60, 20.0, 0.003);
    let b = side(&mut noise, 8, 60, 20.0, 0.003);
    let comparison = compare(&a, &b, &ComparisonSettings::default());
    let nothing = Finding::CannotTell {
        why: UncertaintyReason::Nothing,
    };
    let measured = comparison.whole.differences.iter();
    for difference in measured.filter(|difference| difference.finding != nothing) {
        let is_none = matches!(difference.finding, Finding::NoLargerThan { .. });
        assert!(is_none, "{difference:?}");
    }
}

#[test]
fn a_spread_that_hides_the_answer_says_how_many_runs_would_do() {
    let mut noise = Noise(3);
    let a = side(&mut noise, 3, 30, 20.0, 0.1);
    let b = side(&mut noise, 3, 30, 20.0, 0.1);
    let comparison = compare(&a, &b, &ComparisonSettings::default());
    let finding = difference(&comparison, Measure::Mean).finding;
    let Finding::CannotTell {
        why: UncertaintyReason::Spread { runs },
    } = finding
    else {
        panic!("{finding:?}")
    };
    // With 10 % from run to run the standard error of a difference of 57 runs a side is 1.9 %,
    // and 2.7 of them are 5 %; what three runs tell of that spread is rough.
    assert!(runs.is_some_and(|runs| runs > 10), "{runs:?}");
}

#[test]
fn a_spread_that_no_number_of_runs_narrows_names_none() {
    let mut noise = Noise(3);
    let a = side(&mut noise, 3, 30, 20.0, 1.5);
    let b = side(&mut noise, 3, 30, 20.0, 1.5);
    let comparison = compare(&a, &b, &ComparisonSettings::default());
    let finding = difference(&comparison, Measure::Mean).finding;
    let why = UncertaintyReason::Spread { runs: None };
    assert_eq!(finding, Finding::CannotTell { why });
}

/// Seen: errors of 0 % on both sides of two short runs, "they spread too much".
#[test]
fn sides_without_errors_are_too_few_requests_and_spread_in_nothing() {
    let mut noise = Noise(3);
    let mut a = side(&mut noise, 1, 10, 20.0, 0.0);
    for window in &mut a.whole[0].windows {
        window.requests = 10.0;
    }
    let compared = compare(&a, &a, &ComparisonSettings::default());
    let errors = difference(&compared, Measure::Errors);
    assert_eq!((errors.before, errors.after), (Some(0.0), Some(0.0)));
    let Finding::CannotTell {
        why: UncertaintyReason::TooFew { runs: Some(runs) },
    } = errors.finding
    else {
        panic!("{errors:?}")
    };
    // 100 requests leave room for about 7 points at this confidence; 1 takes some 700.
    assert!((5..=20).contains(&runs), "{runs}");
}

/// Seen: "too few full seconds", said of 14 seconds of which some had no answer.
#[test]
fn a_run_that_answers_nothing_for_a_while_spreads_too_much_and_is_not_called_too_short() {
    let mut noise = Noise(1);
    let steady = side(&mut noise, 1, 16, 5.0, 0.0);
    let mut stops = side(&mut noise, 1, 16, 5.0, 0.0);
    for window in &mut stops.whole[0].windows[6..] {
        window.requests = 0.0;
    }
    let found = compare(&steady, &stops, &ComparisonSettings::default());
    let rate = difference(&found, Measure::Rate);
    let Finding::CannotTell { why } = rate.finding else {
        panic!("{rate:?}");
    };
    assert!(matches!(why, UncertaintyReason::Spread { .. }), "{why:?}");
}
