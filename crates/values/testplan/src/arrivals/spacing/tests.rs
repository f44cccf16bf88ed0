use loadline_units::Rate;
use proptest::prelude::*;

use super::*;

const ONE_SECOND: Duration = Duration::from_secs(1);

fn poisson(arrivals: Arrivals, seed: u64) -> Arrivals {
    arrivals.spaced(ArrivalSpacing::Poisson { seed })
}

fn constant(per_second: u64, seconds: u32, seed: u64) -> Arrivals {
    let even = Arrivals::constant(Rate::per_second(per_second), seconds * ONE_SECOND).unwrap();
    poisson(even, seed)
}

fn times(arrivals: &Arrivals) -> Vec<f64> {
    let mut starts = arrivals.starts();
    let all = (0..).map_while(|index| starts.start_of(index));
    all.map(|at| at.as_secs_f64()).collect()
}

/// How far the values' distribution is from `cdf` (Kolmogorov and Smirnov), times √n: above
/// 1.63 for 1 of 100 samples that do follow it.
fn distance(mut values: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let apart = values.iter().enumerate().map(|(place, value)| {
        let (below, above) = (place as f64 / n, (place as f64 + 1.0) / n);
        let expected = cdf(*value);
        (expected - below).abs().max((above - expected).abs())
    });
    apart.fold(0.0, f64::max) * n.sqrt()
}

/// Counts in slots of `seconds`: their mean, and their variance by it.
fn dispersion(times: &[f64], seconds: f64, slots: usize) -> (f64, f64) {
    let mut counts = vec![0.0; slots];
    let mut slot = 0;
    for time in times {
        while *time >= (slot + 1) as f64 * seconds {
            slot += 1;
        }
        if let Some(count) = counts.get_mut(slot) {
            *count += 1.0;
        }
    }
    let mean = counts.iter().sum::<f64>() / slots as f64;
    let squares = counts.iter().map(|count| (count - mean).powi(2));
    (mean, squares.sum::<f64>() / (slots - 1) as f64 / mean)
}

#[test]
fn gaps_at_a_constant_rate_are_exponential() {
    for seed in 0..5 {
        let times = times(&constant(100, 200, seed));
        let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let distance = distance(gaps, |gap| 1.0 - (-100.0 * gap).exp());
        assert!(distance < 1.63, "seed {seed}: {distance}");
    }
}

/// Of 2,000 slots the variance by the mean is within 1 ± 0.1 in 999 of 1,000 samples.
#[test]
fn counts_vary_as_those_of_people_who_know_nothing_of_each_other() {
    for seed in 0..5 {
        let times = times(&constant(50, 400, seed));
        let (mean, index) = dispersion(&times, 0.2, 2000);
        assert!((mean - 10.0).abs() < 0.3, "seed {seed}: {mean}");
        assert!((index - 1.0).abs() < 0.1, "seed {seed}: {index}");
        let even = Arrivals::constant(Rate::per_second(50), 400 * ONE_SECOND).unwrap();
        let (_, even) = dispersion(&super::tests::times(&even), 0.2, 2000);
        assert!(even < 0.1, "evenly spaced counts hardly vary: {even}");
    }
}

/// On the clock of the area under the rate starts are uniform, whatever the shape.
#[test]
fn starts_follow_a_ramp() {
    for seed in 0..5 {
        let ramp = Arrivals::ramping(
            0,
            &[
                (100 * ONE_SECOND, 200),
                (50 * ONE_SECOND, 200),
                (50 * ONE_SECOND, 0),
            ],
            ONE_SECOND,
        )
        .unwrap();
        let area = |t: f64| match t {
            t if t < 100.0 => t * t,
            t if t < 150.0 => 10_000.0 + 200.0 * (t - 100.0),
            t => 25_000.0 - 2.0 * (200.0 - t).powi(2),
        };
        let times = times(&poisson(ramp, seed));
        let count = times.len() as f64;
        assert!(
            (count - 25_000.0).abs() < 4.0 * 25_000_f64.sqrt(),
            "{count}"
        );
        let on_the_clock: Vec<f64> = times.iter().map(|t| area(*t) / 25_000.0).collect();
        let distance = distance(on_the_clock, |share| share);
        assert!(distance < 1.63, "seed {seed}: {distance}");
    }
}

#[test]
fn a_change_of_level_and_a_hold_bend_the_clock_and_nothing_else() {
    let plan = constant(100, 300, 3);
    let mut changed = plan.starts();
    let faster = Arrivals::constant(Rate::per_second(200), 50 * ONE_SECOND).unwrap();
    changed.append(
        100 * ONE_SECOND,
        &Arrivals::pause(50 * ONE_SECOND),
        Duration::ZERO,
    );
    changed.append(150 * ONE_SECOND, &faster, Duration::ZERO);
    let mut unchanged = plan.starts();
    for index in 0..15_000 {
        let before = unchanged.start_of(index).unwrap().as_secs_f64();
        let expected = if before <= 100.0 {
            before
        } else {
            150.0 + (before - 100.0) / 2.0
        };
        let now = changed.start_of(index).unwrap().as_secs_f64();
        assert!((now - expected).abs() < 1e-6, "start {index}: {now}");
    }
}

/// A phase of an even plan drops the part of a start that is due at its end. At random that
/// part is a chance, and dropping it would lose one start in four here.
#[test]
fn phases_lose_no_start_between_them() {
    use crate::draft::{ExecutorDraft, PhaseDraft, PhaseShape, PlanDraft, ScenarioDraft};
    let phase = PhaseDraft {
        length: ONE_SECOND,
        shape: PhaseShape::Rate {
            events: 3,
            per: 2 * ONE_SECOND,
        },
        most: None,
    };
    let phases = vec![phase; 40];
    let scenario = ScenarioDraft::new("a", ExecutorDraft::PhasedArrivals { phases });
    let draft = PlanDraft {
        scenarios: vec![scenario],
        ..PlanDraft::default()
    };
    let plan = crate::Plan::check(draft).unwrap();
    let total = |seed| {
        let plan = plan.clone().spaced(ArrivalSpacing::Poisson { seed });
        plan.scenarios[0].executor.arrivals().unwrap().total()
    };
    let sum: u64 = (0..200).map(total).sum();
    let (mean, error) = (60.0, (60.0_f64 / 200.0).sqrt());
    assert!((sum as f64 / 200.0 - mean).abs() < 4.0 * error, "{sum}");
}

#[test]
fn scenarios_of_one_seed_are_independent() {
    use crate::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
    let scenario = |name: &str| {
        let executor = ExecutorDraft::ConstantArrivalRate {
            rate: Some(20),
            time_unit: None,
            duration: Some(ONE_SECOND.into()),
            pre_allocated_vus: Some(1),
            max_vus: None,
        };
        ScenarioDraft::new(name, executor)
    };
    let draft = PlanDraft {
        scenarios: vec![scenario("buy"), scenario("look")],
        ..PlanDraft::default()
    };
    let plan = crate::Plan::check(draft).unwrap();
    let plan = plan.spaced(ArrivalSpacing::Poisson { seed: 1 });
    let starts = |index: usize| times(plan.scenarios[index].executor.arrivals().unwrap());
    assert_ne!(starts(0), starts(1));
}

proptest! {
    /// Start i belongs to worker i mod W: together the workers make the same starts.
    #[test]
    fn workers_make_the_same_starts_whatever_their_number(
        seed in any::<u64>(), workers in 1..9_u64, rate in 1..500_u64,
    ) {
        let plan = constant(rate, 3, seed);
        let mut all = Vec::new();
        for first in 0..workers {
            let mut starts = plan.starts();
            let own = (0..).map(|turn| first + turn * workers);
            all.extend(own.map_while(|index| starts.start_of(index)));
        }
        all.sort_unstable();
        let whole: Vec<Duration> = times(&plan).into_iter().map(Duration::from_secs_f64).collect();
        prop_assert_eq!(all.len() as u64, plan.total());
        prop_assert_eq!(all.len(), whole.len());
        for (one, other) in all.iter().zip(&whole) {
            prop_assert!(one.abs_diff(*other) < Duration::from_nanos(2));
        }
    }

    #[test]
    fn counting_is_the_inverse_of_starting(seed in any::<u64>(), ms in 0..4_000_u64) {
        let plan = constant(40, 3, seed);
        let at = Duration::from_millis(ms);
        let due = plan.starts_by(at);
        if due > 0 {
            prop_assert!(plan.start_of(due - 1).unwrap() <= at);
        }
        if let Some(next) = plan.start_of(due) {
            prop_assert!(next > at);
        }
    }

    #[test]
    fn the_parts_of_a_random_plan_make_all_of_its_starts(seed in any::<u64>()) {
        let whole = constant(40, 3, seed);
        let stripes = crate::Stripes::new(&[(1, 3), (2, 3)]).unwrap();
        let mut all = Vec::new();
        for index in 0..2 {
            let part = whole.clone().striped(stripes.part(index).unwrap().clone());
            prop_assert_eq!(times(&part).len() as u64, part.total());
            all.extend(times(&part));
        }
        all.sort_by(f64::total_cmp);
        prop_assert_eq!(all, times(&whole));
    }
}
