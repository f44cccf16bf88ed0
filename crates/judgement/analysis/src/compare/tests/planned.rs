//! Loads that were planned: what was sent is a condition, and ramps are compared by stages.

use super::*;

/// A run of random arrivals at a planned rate that goes from one to another, and of times that
/// grow with it.
struct PlannedRun {
    seconds: usize,
    from: f64,
    to: f64,
    /// Times its target takes, of what the first one takes.
    slower: f64,
}

impl PlannedRun {
    fn run(&self, noise: &mut Noise) -> ComparedRun {
        let windows = (0..self.seconds).map(|second| {
            let part = (second as f64 + 0.5) / self.seconds as f64;
            let rate = self.from + (self.to - self.from) * part;
            let requests = (rate + rate.sqrt() * noise.normal()).round().max(0.0);
            let level = self.slower * 20.0 * (1.0 + rate / 40.0);
            let mut durations = Histogram::new();
            for _ in 0..requests as u32 {
                durations.record(level * (0.2 * noise.normal()).exp());
            }
            ComparedWindow {
                requests,
                durations,
                planned: requests,
                planned_rate: rate,
                ..ComparedWindow::default()
            }
        });
        ComparedRun {
            windows: windows.collect(),
            is_planned: true,
            ..ComparedRun::default()
        }
    }
}

fn side_of(plan: &PlannedRun, runs: usize, noise: &mut Noise) -> Side {
    Side {
        whole: (0..runs).map(|_| plan.run(noise)).collect(),
        endpoints: Vec::new(),
    }
}

/// Seen: six runs of one steady server, code 7 because of TPS "cannot tell [-16 %, +30 %]".
#[test]
fn what_was_sent_in_an_open_load_is_no_result() {
    let steady = PlannedRun {
        seconds: 11,
        from: 50.0,
        to: 50.0,
        slower: 1.0,
    };
    let mut noise = Noise(3);
    let (a, b) = (
        side_of(&steady, 3, &mut noise),
        side_of(&steady, 3, &mut noise),
    );
    let compared = compare(&a, &b, &ComparisonSettings::default());
    assert_eq!(
        difference(&compared, Measure::Rate).finding,
        Finding::Planned
    );
    let concerns = Regression::new(&compared, 0.05).unsure;
    let is_rate = |one: &Concern| one.of == ConcernKind::Measure(Measure::Rate);
    assert!(!concerns.iter().any(is_rate), "{concerns:?}");
}

#[test]
fn starts_that_were_not_answered_are_a_result() {
    let steady = PlannedRun {
        seconds: 30,
        from: 50.0,
        to: 50.0,
        slower: 1.0,
    };
    let mut noise = Noise(4);
    let (a, mut b) = (
        side_of(&steady, 3, &mut noise),
        side_of(&steady, 3, &mut noise),
    );
    for window in b.whole.iter_mut().flat_map(|run| &mut run.windows) {
        window.planned += 10.0;
        (0..10).for_each(|_| window.cut.record(900.0));
    }
    let compared = compare(&a, &b, &ComparisonSettings::default());
    assert_eq!(
        difference(&compared, Measure::Dropped).finding,
        Finding::Worse
    );
}

fn ramp(slower: f64, to: f64) -> PlannedRun {
    PlannedRun {
        seconds: 25,
        from: 0.0,
        to,
        slower,
    }
}

/// Seen: [-100 %, >+1,000 %] of two equal ramps, "about 49 runs a side".
#[test]
fn of_two_equal_ramps_the_interval_is_useful_and_says_that_there_is_no_difference() {
    let mut called = 0;
    for seed in 0..100 {
        let mut noise = Noise(seed + 300);
        let (a, b) = (
            side_of(&ramp(1.0, 80.0), 1, &mut noise),
            side_of(&ramp(1.0, 80.0), 1, &mut noise),
        );
        let compared = compare(&a, &b, &ComparisonSettings::default());
        assert!(compared.stages.is_some_and(|stages| stages >= 5));
        let mean = difference(&compared, Measure::Mean);
        let change = mean.change.unwrap();
        let [before, after] = mean.of_stages.unwrap();
        // The columns are the finding's.
        assert!((after / before - 1.0 - change.middle).abs() < 1e-9);
        assert!(
            change.low > -0.15 && change.high < 0.15,
            "{seed}: {change:?}"
        );
        called += u32::from(is_called(&compared));
    }
    assert!(called <= 5, "{called}");
}

#[test]
fn two_long_equal_ramps_are_the_same() {
    let mut noise = Noise(9);
    let long = || PlannedRun {
        seconds: 120,
        ..ramp(1.0, 200.0)
    };
    let (a, b) = (
        side_of(&long(), 1, &mut noise),
        side_of(&long(), 1, &mut noise),
    );
    let compared = compare(&a, &b, &ComparisonSettings::default());
    for measure in [Measure::Mean, Measure::P50, Measure::P95] {
        let found = difference(&compared, measure);
        let is_none = matches!(found.finding, Finding::NoLargerThan { .. });
        assert!(is_none, "{found:?}");
    }
}

#[test]
fn a_ramp_that_is_slower_by_a_third_is_found_also_one_to_another_rate() {
    for to in [80.0, 100.0] {
        let found = (0..40).filter(|seed| {
            let mut noise = Noise(*seed + 900);
            let (a, b) = (
                side_of(&ramp(1.0, 80.0), 1, &mut noise),
                side_of(&ramp(1.3, to), 1, &mut noise),
            );
            let compared = compare(&a, &b, &ComparisonSettings::default());
            difference(&compared, Measure::Mean).finding == Finding::Worse
        });
        let found = found.count();
        assert!(found >= 36, "{to}: {found}");
    }
}
