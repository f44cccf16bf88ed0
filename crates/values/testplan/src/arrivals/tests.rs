use super::*;
use proptest::prelude::*;

const ONE_SECOND: Duration = Duration::from_secs(1);
const ONE_MILLISECOND: Duration = Duration::from_millis(1);

fn constant(events: u64, per: Duration, length: Duration) -> Arrivals {
    Arrivals::constant(Rate::new(events, per).unwrap(), length).unwrap()
}

fn ramping(start: u64, stages: &[(Duration, u64)]) -> Arrivals {
    Arrivals::ramping(start, stages, ONE_SECOND).unwrap()
}

/// Counts that k6 gave for the same settings (the most frequent of eight runs).
#[test]
fn totals_are_those_of_k6() {
    assert_eq!(constant(50, ONE_SECOND, 2 * ONE_SECOND).total(), 101);
    assert_eq!(constant(20, ONE_SECOND, ONE_SECOND).total(), 21);
    assert_eq!(constant(3, ONE_SECOND, ONE_SECOND).total(), 4);
    assert_eq!(constant(7, ONE_SECOND, 2 * ONE_SECOND).total(), 15);
    assert_eq!(
        constant(1, 700 * ONE_MILLISECOND, 2100 * ONE_MILLISECOND).total(),
        4
    );
    assert_eq!(constant(30, 60 * ONE_SECOND, 2 * ONE_SECOND).total(), 2);
    assert_eq!(ramping(10, &[(ONE_SECOND, 10)]).total(), 10);
    assert_eq!(
        ramping(10, &[(ONE_SECOND, 10), (ONE_SECOND, 30), (ONE_SECOND, 0)]).total(),
        45
    );
    assert_eq!(ramping(0, &[(2 * ONE_SECOND, 10)]).total(), 10);
    assert_eq!(
        ramping(
            5,
            &[(ONE_SECOND, 5), (Duration::ZERO, 20), (ONE_SECOND, 20)]
        )
        .total(),
        25
    );
    assert_eq!(ramping(0, &[(ONE_SECOND, 20), (ONE_SECOND, 0)]).total(), 20);
    assert_eq!(ramping(10, &[(ONE_SECOND, 20)]).total(), 15);
    assert_eq!(ramping(0, &[(2 * ONE_SECOND, 0)]).total(), 0);
}

#[test]
fn a_constant_rate_is_evenly_spaced_from_the_start() {
    let arrivals = constant(50, ONE_SECOND, 2 * ONE_SECOND);
    let starts: Vec<_> = (0..4).map(|i| arrivals.start_of(i)).collect();
    assert_eq!(starts, [0, 20, 40, 60].map(|ms| Some(ms * ONE_MILLISECOND)));
    assert_eq!(arrivals.start_of(100), Some(2 * ONE_SECOND));
    assert_eq!(arrivals.start_of(101), None);
}

#[test]
fn thirds_of_a_second_do_not_drift() {
    let arrivals = constant(3, ONE_SECOND, 3600 * 24 * ONE_SECOND);
    assert_eq!(arrivals.start_of(3 * 86_400), Some(86_400 * ONE_SECOND));
    assert_eq!(
        arrivals.start_of(1),
        Some(Duration::from_nanos(333_333_334))
    );
}

#[test]
fn a_ramp_starts_where_the_area_reaches_whole_numbers() {
    // From 0 to 10/s in 2 s the area after t is 2.5·t², so start i is at √((i+1)/2.5).
    let arrivals = ramping(0, &[(2 * ONE_SECOND, 10)]);
    for i in 0..10 {
        let due = arrivals.start_of(i).unwrap().as_secs_f64();
        let expected = ((i + 1) as f64 / 2.5).sqrt();
        assert!(
            (due - expected).abs() < 1e-8,
            "start {i}: {due} for {expected}"
        );
    }
    assert_eq!(arrivals.start_of(9), Some(2 * ONE_SECOND));
}

#[test]
fn what_a_stage_leaves_over_counts_in_the_next() {
    // 1.5 starts in the first second, so the second start comes half a start later.
    let arrivals =
        Arrivals::ramping(3, &[(ONE_SECOND, 3), (ONE_SECOND, 6)], 2 * ONE_SECOND).unwrap();
    assert_eq!(arrivals.starts_by(ONE_SECOND), 1);
    let second = arrivals.start_of(1).unwrap();
    let into = (second - ONE_SECOND).as_secs_f64();
    let area = 1.5 * into + 0.75 * into * into;
    assert!((area - 0.5).abs() < 1e-8);
}

#[test]
fn a_new_level_keeps_earlier_starts_and_the_fraction_due() {
    let mut arrivals = constant(10, ONE_SECOND, 10 * ONE_SECOND);
    let faster = constant(100, ONE_SECOND, 8 * ONE_SECOND);
    let at = 2050 * ONE_MILLISECOND; // half a start is due since the one at 2.0 s
    arrivals.append(at, &faster, Duration::ZERO);

    assert_eq!(arrivals.starts_by(at), 21);
    assert_eq!(arrivals.start_of(20), Some(2 * ONE_SECOND));
    assert_eq!(arrivals.start_of(21), Some(at + 5 * ONE_MILLISECOND));
    assert_eq!(arrivals.end(), at + 8 * ONE_SECOND);
    assert_eq!(arrivals.total(), 21 + 800);
}

#[test]
fn hold_and_resume_lose_only_the_held_time() {
    let plan = constant(10, ONE_SECOND, 10 * ONE_SECOND);
    let mut arrivals = plan.clone();
    arrivals.append(
        3 * ONE_SECOND,
        &Arrivals::pause(5 * ONE_SECOND),
        Duration::ZERO,
    );
    assert_eq!(arrivals.starts_by(8 * ONE_SECOND), 31);
    arrivals.append(5 * ONE_SECOND, &plan, 3 * ONE_SECOND);
    assert_eq!(arrivals.start_of(31), Some(5100 * ONE_MILLISECOND));
    assert_eq!(arrivals.end(), 12 * ONE_SECOND);
    assert_eq!(arrivals.total(), plan.total());
}

#[test]
fn a_ramp_cut_in_the_middle_goes_on_exactly() {
    let plan = ramping(0, &[(10 * ONE_SECOND, 100), (10 * ONE_SECOND, 0)]);
    let mut cut = plan.clone();
    cut.append(3 * ONE_SECOND, &plan, 3 * ONE_SECOND);
    cut.append(12 * ONE_SECOND, &plan, 12 * ONE_SECOND);
    for i in (0..1000).step_by(37) {
        assert_eq!(cut.start_of(i), plan.start_of(i), "start {i}");
    }
    assert_eq!(cut.total(), 1000);
}

#[test]
fn a_scaled_shape_has_its_share_of_starts() {
    let plan = ramping(0, &[(10 * ONE_SECOND, 100)]);
    assert_eq!(plan.scaled(11, 10).unwrap().total(), 550);
    assert_eq!(plan.scaled(0, 1).unwrap().total(), 0);
}

#[test]
fn what_cannot_be_exact_is_refused() {
    let year = 365 * 24 * 3600 * ONE_SECOND;
    assert_eq!(
        Arrivals::ramping(0, &[(year, u64::MAX)], ONE_SECOND),
        Err(ShapeError::TooLarge)
    );
    assert!(Arrivals::ramping(0, &[(30 * 24 * 3600 * ONE_SECOND, 1_000_000)], ONE_SECOND).is_ok());
}

#[test]
fn the_rate_is_known_at_every_instant() {
    let arrivals = ramping(10, &[(ONE_SECOND, 10), (2 * ONE_SECOND, 30)]);
    let rates: Vec<f64> = [0, 500, 2000, 2500, 3000]
        .map(|ms| arrivals.rate_at(ms * ONE_MILLISECOND))
        .to_vec();
    assert_eq!(rates, [10.0, 10.0, 20.0, 25.0, 0.0]);
}

fn any_plan() -> impl Strategy<Value = Arrivals> {
    let stage = (0..5_000_u64, 0..300_u64);
    let unit = prop_oneof![
        Just(ONE_SECOND),
        Just(60 * ONE_SECOND),
        (1..3000_u32).prop_map(|ms| ms * ONE_MILLISECOND)
    ];
    let ramp = (0..300_u64, prop::collection::vec(stage, 1..5), unit.clone());
    let ramp = ramp.prop_map(|(start, stages, unit)| {
        let stages: Vec<_> = stages
            .into_iter()
            .map(|(ms, to)| (Duration::from_millis(ms), to))
            .collect();
        Arrivals::ramping(start, &stages, unit).unwrap()
    });
    let flat = (0..300_u64, unit, 0..5_000_u64);
    let flat = flat.prop_map(|(n, unit, ms)| constant(n, unit, Duration::from_millis(ms)));
    let one = prop_oneof![ramp, flat].boxed();
    let cut = (one.clone(), one.clone(), 0..6_000_u32, 0..6_000_u32);
    let appended = cut.prop_map(|(mut plan, next, at, from)| {
        plan.append(at * ONE_MILLISECOND, &next, from * ONE_MILLISECOND);
        plan
    });
    prop_oneof![one, appended]
}

proptest! {
    #[test]
    fn starts_never_go_backwards_and_counting_is_their_inverse(plan in any_plan()) {
        let mut last = Duration::ZERO;
        for i in 0..plan.total() {
            let due = plan.start_of(i).unwrap();
            prop_assert!(due >= last);
            prop_assert!(plan.starts_by(due) > i, "start {} is counted when due", i);
            prop_assert!(plan.starts_before(due) <= i, "and not before");
            last = due;
        }
        prop_assert_eq!(plan.start_of(plan.total()), None);
    }

    #[test]
    fn every_instant_counts_the_starts_up_to_it(plan in any_plan(), ms in 0..20_000_u64) {
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
    fn the_total_is_the_integral(
        start in 0..1_000_u64,
        stages in prop::collection::vec((1..100_u64, 0..1_000_u64), 1..6),
    ) {
        // With whole seconds and rates per second, twice the integral is a whole number.
        let mut twice = 0;
        let mut from = start;
        for (seconds, to) in &stages {
            twice += seconds * (from + to);
            from = *to;
        }
        let stages: Vec<_> = stages.iter().map(|(s, to)| (Duration::from_secs(*s), *to)).collect();
        prop_assert_eq!(ramping(start, &stages).total(), twice / 2);
    }
}

#[test]
fn what_is_due_by_an_instant_follows_the_plan_and_no_seed() {
    let seconds = Duration::from_secs;
    let ramp = ramping(0, &[(seconds(10), 10), (seconds(10), 0)]);
    let due = [0, 5, 10, 15, 20, 30].map(|at| ramp.expected_by(seconds(at)));
    let expected = [0.0, 12.0, 50.0, 87.0, 100.0, 100.0];
    let is_close = |(due, expected): (f64, f64)| (due - expected).abs() < 1e-9;
    assert!(due.into_iter().zip(expected).all(is_close), "{due:?}");
    let random = ramp.spaced(ArrivalSpacing::Poisson { seed: 4 });
    assert!((random.expected_by(seconds(10)) - 50.0).abs() < 1e-9);
}
