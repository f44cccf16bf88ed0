//! What failed requests do to a comparison: shares by their difference, and times of good answers alone.

use super::*;

/// Runs of so many seconds in which a share of the requests, checks and starts is bad.
fn failing(noise: &mut Noise, runs: usize, seconds: usize, share: f64) -> Side {
    let mut window = || {
        let mut bad = || {
            (0..100)
                .map(|_| f64::from(u8::from(noise.next() < share)))
                .sum()
        };
        let (failed, checks_failed, dropped) = (bad(), bad(), bad());
        ComparedWindow {
            requests: 100.0,
            failed,
            durations: Histogram::from_values(&[20.0; 100]),
            checks: 100.0,
            checks_failed,
            planned: 100.0,
            dropped,
            ..ComparedWindow::default()
        }
    };
    let runs = (0..runs).map(|_| ComparedRun {
        windows: (0..seconds).map(|_| window()).collect(),
        answers: Answers::default(),
        shortfalls: Vec::new(),
        is_planned: false,
        ..ComparedRun::default()
    });
    Side {
        whole: runs.collect(),
        endpoints: Vec::new(),
    }
}

#[test]
fn shares_are_compared_by_their_difference_also_from_nothing() {
    const SHARES: [Measure; 3] = [Measure::Errors, Measure::Checks, Measure::Dropped];
    for (runs, (before, after), expected) in [
        (1, (0.0, 0.027), Finding::Worse),
        (1, (0.0, 0.04), Finding::Worse),
        (1, (0.01, 0.088), Finding::Worse),
        (3, (0.01, 0.088), Finding::Worse),
        (5, (0.04, 0.0), Finding::Better),
    ] {
        let mut noise = Noise(11);
        let a = failing(&mut noise, runs, 30, before);
        let b = failing(&mut noise, runs, 30, after);
        let comparison = compare(&a, &b, &ComparisonSettings::default());
        for measure in SHARES {
            let found = difference(&comparison, measure);
            assert_eq!(found.finding, expected, "{before} {after} {found:?}");
            let change = found.change.unwrap();
            let truth = after - before;
            assert!(change.low <= truth && truth <= change.high, "{found:?}");
        }
    }
    let mut noise = Noise(12);
    let a = failing(&mut noise, 1, 30, 0.0);
    let b = failing(&mut noise, 1, 30, 0.0);
    let comparison = compare(&a, &b, &ComparisonSettings::default());
    let finding = difference(&comparison, Measure::Errors).finding;
    assert!(matches!(finding, Finding::NoLargerThan { share } if share < 0.01));
}

#[test]
fn failing_fast_is_not_called_faster() {
    let mut noise = Noise(5);
    let a = side(&mut noise, 5, 30, 20.0, 0.02);
    let mut b = side(&mut noise, 5, 30, 0.2, 0.02);
    for window in b.whole.iter_mut().flat_map(|run| &mut run.windows) {
        window.failed = window.requests;
    }
    let comparison = compare(&a, &b, &ComparisonSettings::default());
    assert_eq!(
        difference(&comparison, Measure::Errors).finding,
        Finding::Worse
    );
    for measure in [Measure::Mean, Measure::P50, Measure::P95] {
        let why = UncertaintyReason::MoreErrors;
        assert_eq!(
            difference(&comparison, measure).finding,
            Finding::CannotTell { why }
        );
    }
}

/// Seen: failed answers, which came at once, made a side look faster.
#[test]
fn times_are_those_of_good_answers_and_failed_ones_stand_beside() {
    let window = |failed: usize| {
        let mut durations = vec![100.0; 40];
        durations.extend(vec![1.0; failed]);
        ComparedWindow {
            requests: durations.len() as f64,
            failed: failed as f64,
            durations: Histogram::from_values(&durations),
            failed_durations: Histogram::from_values(&vec![1.0; failed]),
            ..ComparedWindow::default()
        }
    };
    let side = |failed: usize| Side {
        whole: vec![ComparedRun {
            windows: vec![window(failed); 30],
            ..ComparedRun::default()
        }],
        ..Side::default()
    };
    let compared = compare(&side(0), &side(30), &ComparisonSettings::default());
    let of = |measure| {
        let mut all = compared.whole.differences.iter();
        all.find(|one| one.measure == measure).unwrap()
    };
    for measure in [Measure::Mean, Measure::P50, Measure::P95] {
        let after = of(measure).after.unwrap();
        assert!((after - 100.0).abs() < 0.5, "{measure:?}: {after}");
        assert!(of(measure).finding != Finding::Better);
    }
    let failed = compared.whole.failed_p95[1].unwrap();
    assert!((failed - 1.0).abs() < 0.01 && compared.whole.failed_p95[0].is_none());
    // Where all fail there is no good answer to compare.
    let all_failed = Side {
        whole: vec![ComparedRun {
            windows: vec![
                ComparedWindow {
                    requests: 40.0,
                    failed: 40.0,
                    durations: Histogram::from_values(&[1.0; 40]),
                    failed_durations: Histogram::from_values(&[1.0; 40]),
                    ..ComparedWindow::default()
                };
                30
            ],
            ..ComparedRun::default()
        }],
        ..Side::default()
    };
    let compared = compare(&side(0), &all_failed, &ComparisonSettings::default());
    let mut all = compared.whole.differences.iter();
    let p95 = all.find(|one| one.measure == Measure::P95).unwrap();
    let why = UncertaintyReason::MoreErrors;
    assert_eq!(p95.finding, Finding::CannotTell { why });
}
