//! Single runs of a few requests: how far they carry, and that chance is not called a difference.

use super::*;

/// How long requests of a simulated target take.
#[derive(Debug, Clone, Copy)]
enum Times {
    /// Nearly alike.
    Narrow,
    /// Some many times the median.
    Heavy,
    /// Some are of another kind, ten times as slow.
    TwoKinds,
}

impl Times {
    fn draw(self, noise: &mut Noise) -> f64 {
        match self {
            Self::Narrow => (0.2 * noise.normal()).exp(),
            Self::Heavy => (0.9 * noise.normal()).exp(),
            Self::TwoKinds if noise.next() < 0.3 => 10.0 * (0.2 * noise.normal()).exp(),
            Self::TwoKinds => (0.2 * noise.normal()).exp(),
        }
    }
}

/// A single run of few requests, whose level drifts.
#[derive(Debug, Clone, Copy)]
struct FewRequests {
    seconds: usize,
    a_second: f64,
    /// The median, ms.
    level: f64,
    times: Times,
}

impl FewRequests {
    fn side(self, noise: &mut Noise) -> Side {
        let level = self.level * (0.02 * noise.normal()).exp();
        let (mut drift, mut due) = (0.0, 0.0);
        let windows = (0..self.seconds).map(|_| {
            drift = 0.8 * drift + 0.02 * noise.normal();
            // Starts come evenly but for a shift of each.
            due += self.a_second * (0.5 + noise.next());
            let mut durations = Histogram::new();
            while due >= 1.0 {
                due -= 1.0;
                durations.record(level * f64::exp(drift) * self.times.draw(noise));
            }
            ComparedWindow {
                requests: durations.count() as f64,
                durations,
                ..ComparedWindow::default()
            }
        });
        let run = ComparedRun {
            windows: windows.collect(),
            is_planned: true,
            ..ComparedRun::default()
        };
        Side {
            whole: vec![run],
            endpoints: Vec::new(),
        }
    }
}

/// Seen: 22 s against 24 s, ten times apart, "cannot tell ... single runs of 10 s and more".
#[test]
fn short_single_runs_ten_times_apart_are_called_different() {
    for a_second in [2.0, 3.0, 5.0] {
        let found = (0..50).filter(|seed| {
            let mut noise = Noise(*seed + 300);
            let mut side = |seconds, level| {
                let times = Times::Narrow;
                let run = FewRequests {
                    seconds,
                    a_second,
                    level,
                    times,
                };
                run.side(&mut noise)
            };
            let (a, b) = (side(22, 40.0), side(24, 400.0));
            let comparison = compare(&a, &b, &ComparisonSettings::default());
            [Measure::Mean, Measure::P50]
                .iter()
                .all(|of| difference(&comparison, *of).finding == Finding::Worse)
        });
        let found = found.count();
        assert!(found >= 48, "{a_second}/s: {found} of 50");
    }
}

#[test]
fn of_short_single_runs_of_one_system_at_most_five_in_a_hundred_are_called_different() {
    for times in [Times::Narrow, Times::Heavy, Times::TwoKinds] {
        for (seconds, a_second) in [(12, 2.0), (22, 1.0), (22, 3.0), (24, 8.0), (60, 1.0)] {
            let called = (0..100).filter(|seed| {
                let mut noise = Noise(*seed + 40_000);
                let run = FewRequests {
                    seconds,
                    a_second,
                    level: 40.0,
                    times,
                };
                let (a, b) = (run.side(&mut noise), run.side(&mut noise));
                is_called(&compare(&a, &b, &ComparisonSettings::default()))
            });
            let called = called.count();
            assert!(
                called <= 5,
                "{times:?} {a_second}/s in {seconds} s: {called} of 100"
            );
        }
    }
}

#[test]
fn what_a_short_run_has_and_lacks_is_its_own() {
    let mut noise = Noise(2);
    let mut side = |seconds, a_second| {
        let run = FewRequests {
            seconds,
            a_second,
            level: 40.0,
            times: Times::Narrow,
        };
        run.side(&mut noise)
    };
    let (few, many) = (side(23, 1.0), side(30, 20.0));
    let answers = requests_of(&few.whole);
    let comparison = compare(&many, &few, &ComparisonSettings::default());
    let Finding::CannotTell {
        why: UncertaintyReason::TooShort { run },
    } = difference(&comparison, Measure::P95).finding
    else {
        panic!("{:?}", difference(&comparison, Measure::P95));
    };
    assert_eq!((run.seconds, f64::from(run.requests)), (23, answers));
    assert!(run.requests < run.requests_needed && !run.is_bunched());
}

/// A target that answers nothing and then everything at once.
#[test]
fn answers_that_come_all_together_are_not_called_too_few() {
    let mut noise = Noise(2);
    let steady = side(&mut noise, 1, 22, 5.0, 0.0);
    let mut bunched = side(&mut noise, 1, 22, 5.0, 0.0);
    for window in &mut bunched.whole[0].windows[1..] {
        *window = ComparedWindow::default();
    }
    let comparison = compare(&steady, &bunched, &ComparisonSettings::default());
    let Finding::CannotTell {
        why: UncertaintyReason::TooShort { run },
    } = difference(&comparison, Measure::P50).finding
    else {
        panic!("{:?}", difference(&comparison, Measure::P50));
    };
    assert!(run.is_bunched(), "{run:?}");
}
