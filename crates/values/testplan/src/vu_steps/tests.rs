use super::*;
use proptest::prelude::*;

const ONE_SECOND: Duration = Duration::from_secs(1);

fn listed(steps: &VuSteps) -> Vec<(f64, u64)> {
    let pair = |step: &VuStep| (step.at.as_secs_f64(), step.vus);
    steps.as_slice().iter().map(pair).collect()
}

#[test]
fn a_ramp_steps_at_exact_times() {
    let up_and_down = VuSteps::ramping(
        1,
        &[(4 * ONE_SECOND, 3), (ONE_SECOND, 3), (3 * ONE_SECOND, 0)],
    );
    assert_eq!(
        listed(&up_and_down),
        [(0.0, 1), (2.0, 2), (4.0, 3), (6.0, 2), (7.0, 1), (8.0, 0)]
    );
    let thirds = VuSteps::ramping(0, &[(ONE_SECOND, 3)]);
    // 1 s − ⌊2/3 s⌋: rounded up to the nanosecond, as k6's truncation does.
    assert_eq!(thirds.as_slice()[1].at, Duration::from_nanos(333_333_334));
}

#[test]
fn a_stage_of_no_length_jumps() {
    let steps = VuSteps::ramping(
        1,
        &[
            (Duration::ZERO, 5),
            (2 * ONE_SECOND, 5),
            (Duration::ZERO, 2),
        ],
    );
    assert_eq!(listed(&steps), [(0.0, 1), (0.0, 5), (2.0, 2)]);
    assert_eq!(steps.vus_at(Duration::ZERO), 5);
    assert_eq!(steps.vus_at(2 * ONE_SECOND), 2);
    assert_eq!(steps.highest(), 5);
}

/// The shape that k6 draws in its own documentation of graceful ramp-down: 4 users up
/// to 6, down to 1, up to 5, down to 1, up to 4, down to 1, with 30 s of grace.
#[test]
fn users_that_should_stop_keep_their_place_for_the_grace_time() {
    let steps = VuSteps::ramping(
        4,
        &[
            (2 * ONE_SECOND, 6),
            (5 * ONE_SECOND, 1),
            (4 * ONE_SECOND, 5),
            (4 * ONE_SECOND, 1),
            (3 * ONE_SECOND, 4),
            (3 * ONE_SECOND, 1),
            (2 * ONE_SECOND, 1),
        ],
    );
    let reserved = steps.reserved(30 * ONE_SECOND, (23 + 30) * ONE_SECOND);
    assert_eq!(
        listed(&reserved),
        [
            (0.0, 4),
            (1.0, 5),
            (2.0, 6),
            (33.0, 5),
            (42.0, 4),
            (49.0, 3),
            (50.0, 2),
            (51.0, 1),
            (53.0, 0)
        ]
    );
}

#[test]
fn without_grace_the_reservation_is_the_plan() {
    let steps = VuSteps::ramping(
        3,
        &[(2 * ONE_SECOND, 1), (ONE_SECOND, 1), (Duration::ZERO, 4)],
    );
    let reserved = steps.reserved(Duration::ZERO, 5 * ONE_SECOND);
    assert_eq!(reserved, steps.ending_at(5 * ONE_SECOND));
}

#[test]
fn the_end_cuts_the_grace_short() {
    let steps = VuSteps::ramping(3, &[(2 * ONE_SECOND, 3), (ONE_SECOND, 0)]);
    let reserved = steps.reserved(30 * ONE_SECOND, 10 * ONE_SECOND);
    assert_eq!(listed(&reserved), [(0.0, 3), (10.0, 0)]);
}

#[test]
fn a_new_level_replaces_what_was_planned_after_it() {
    let mut steps = VuSteps::ramping(0, &[(10 * ONE_SECOND, 10)]);
    steps.append(4 * ONE_SECOND, &VuSteps::constant(7), Duration::ZERO);
    assert_eq!(steps.vus_at(4 * ONE_SECOND), 7);
    assert_eq!(steps.vus_at(100 * ONE_SECOND), 7);
    assert_eq!(steps.vus_at(3 * ONE_SECOND), 3);
    let plan = VuSteps::ramping(0, &[(10 * ONE_SECOND, 10)]);
    steps.append(6 * ONE_SECOND, &plan, 8 * ONE_SECOND);
    assert_eq!(steps.vus_at(6 * ONE_SECOND), 8);
    assert_eq!(steps.vus_at(7 * ONE_SECOND), 9);
}

proptest! {
    #[test]
    fn the_reservation_is_the_most_planned_within_the_grace_time(
        start in 0..20_u64,
        stages in prop::collection::vec((0..30_u64, 0..20_u64), 1..6),
        grace in 0..40_u32,
        probe in 0..2000_u64,
    ) {
        let stages: Vec<_> = stages.iter().map(|(s, to)| (Duration::from_secs(*s), *to)).collect();
        let steps = VuSteps::ramping(start, &stages);
        let (grace, at) = (grace * ONE_SECOND, Duration::from_millis(probe * 100));
        let reserved = steps.reserved(grace, 100_000 * ONE_SECOND);
        // A level counts until `grace` after the step that ended it.
        let all = steps.as_slice();
        let expected = all.iter().enumerate().filter(|(i, step)| {
            let ended = all.get(i + 1).map(|next| next.at + grace);
            step.at <= at && ended.is_none_or(|ended| ended > at)
        });
        let expected = expected.map(|(_, step)| step.vus).max().unwrap_or(0);
        prop_assert_eq!(reserved.vus_at(at), expected);
        let times: Vec<_> = reserved.as_slice().iter().map(|s| s.at).collect();
        prop_assert!(times.is_sorted());
    }

    #[test]
    fn steps_change_by_one_in_order_of_time(
        start in 0..50_u64,
        stages in prop::collection::vec((1..30_u64, 0..50_u64), 1..6),
    ) {
        let stages: Vec<_> = stages.iter().map(|(s, to)| (Duration::from_secs(*s), *to)).collect();
        let steps = VuSteps::ramping(start, &stages);
        for pair in steps.as_slice().windows(2) {
            prop_assert!(pair[0].at < pair[1].at);
            prop_assert_eq!(pair[0].vus.abs_diff(pair[1].vus), 1);
        }
    }
}
