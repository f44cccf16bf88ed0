//! Users that loop: shared and own iterations, stages up and down.

use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_testplan::draft::{ExecutorDraft, ScenarioDraft, StageDraft};
use loadline_units::VuId;

use super::world::*;

#[test]
fn shared_iterations_run_exactly_as_many_as_asked_on_any_number_of_workers() {
    for setting in settings() {
        let executor = ExecutorDraft::SharedIterations {
            vus: Some(7),
            iterations: Some(1003),
            max_duration: None,
        };
        let ran = run(
            &setting,
            plan(vec![scenario(executor)]),
            Sleepers::taking(millis(3)),
        );

        assert_eq!(ran.seen.len(), 1003);
        ran.assert_numbers_are_a_permutation();
        assert_eq!(ran.run_state.complete.load(Ordering::Relaxed), 1003);
        assert_eq!(ran.dropped, 0.0);
    }
}

#[test]
fn iterations_left_over_at_max_duration_count_as_dropped() {
    for setting in settings() {
        let executor = ExecutorDraft::SharedIterations {
            vus: Some(2),
            iterations: Some(100),
            max_duration: Some(secs(2).into()),
        };
        let ran = run(
            &setting,
            plan(vec![scenario(executor)]),
            Sleepers::taking(millis(300)),
        );

        // each user starts at 0, 300, ..., 1800 ms
        assert_eq!(ran.seen.len(), 14);
        assert_eq!(ran.dropped, 86.0);
        assert_eq!(ran.run_state.interrupted.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn per_vu_iterations_gives_each_user_its_own() {
    for setting in settings() {
        let executor = ExecutorDraft::PerVuIterations {
            vus: Some(5),
            iterations: Some(3),
            max_duration: None,
        };
        let ran = run(
            &setting,
            plan(vec![scenario(executor)]),
            Sleepers::taking(millis(10)),
        );

        for user in 1..=5 {
            let own = ran.seen.iter().filter(|s| s.user == VuId(user));
            assert_eq!(own.count(), 3, "user {user}");
        }
        ran.assert_numbers_are_a_permutation();
    }
}

#[test]
fn constant_vus_loop_to_the_end_and_running_iterations_may_finish() {
    for setting in settings() {
        let ran = run(
            &setting,
            plan(vec![looping(3, secs(1))]),
            Sleepers::taking(millis(400)),
        );

        assert_eq!(
            ran.seen.len(),
            9,
            "each of 3 users starts at 0, 400 and 800 ms"
        );
        assert_eq!(ran.run_state.complete.load(Ordering::Relaxed), 9);
        let took = ran.ending.ended.unwrap().since(ran.ending.began.unwrap());
        assert!(took >= millis(1200) && took < millis(1210), "{took:?}");
    }
}

#[test]
fn what_still_runs_after_graceful_stop_is_cut() {
    for setting in settings() {
        let mut scenario = looping(3, secs(1));
        scenario.graceful_stop = Some(millis(500).into());
        let ran = run(&setting, plan(vec![scenario]), Sleepers::taking(secs(60)));

        assert_eq!(ran.run_state.complete.load(Ordering::Relaxed), 0);
        assert_eq!(ran.run_state.interrupted.load(Ordering::Relaxed), 3);
        let took = ran.ending.ended.unwrap().since(ran.ending.began.unwrap());
        assert!(took >= millis(1500) && took < millis(1510), "{took:?}");
    }
}

fn ramping(start: i64, stages: &[(u64, i64)], grace: Duration) -> ScenarioDraft {
    let stages = stages.iter().map(|(length, target)| StageDraft {
        duration: Some(secs(*length).into()),
        target: Some(*target),
    });
    scenario(ExecutorDraft::RampingVus {
        start_vus: Some(start),
        stages: stages.collect(),
        graceful_ramp_down: Some(grace.into()),
    })
}

#[test]
fn ramping_vus_follow_the_stages_up_and_down() {
    for setting in settings() {
        let plan = plan(vec![ramping(0, &[(4, 4), (4, 0)], secs(30))]);
        let ran = run(&setting, plan, Sleepers::taking(millis(100)));

        // 1 user from 1 s, 2 from 2 s, 3 from 3 s, 4 at 4 s, 3 from 5 s, ...: 16 user
        // seconds at 10 iterations each; each user may finish its last one.
        let count = ran.seen.len();
        assert!((155..=170).contains(&count), "{count} iterations");
        assert_eq!(ran.run_state.interrupted.load(Ordering::Relaxed), 0);
        assert_eq!(ran.users_max, 4.0);
    }
}

#[test]
fn ramping_down_cuts_iterations_when_their_grace_is_over() {
    for setting in settings() {
        let plan = plan(vec![ramping(4, &[(1, 4), (0, 1), (5, 1)], millis(500))]);
        let ran = run(&setting, plan, Sleepers::taking(secs(20)));

        // 3 users are told to leave at 1 s and cut at 1.5 s; the last runs its 20 s.
        assert_eq!(ran.run_state.interrupted.load(Ordering::Relaxed), 3);
        assert_eq!(ran.run_state.complete.load(Ordering::Relaxed), 1);
    }
}

/// Before, the ramp's steps were counted anew for each user that was made, and each step looked
/// at all slots: this took minutes.
#[test]
fn a_ramp_to_many_users_gives_each_a_place_and_takes_it_back() {
    const USER_COUNT: i64 = 20_000;
    let setting = Setting {
        seed: 1,
        workers: 2,
    };
    let plan = plan(vec![ramping(0, &[(10, USER_COUNT), (10, 0)], secs(30))]);
    let ran = run(&setting, plan, Sleepers::taking(secs(5)));

    assert_eq!(ran.users_max, USER_COUNT as f64);
    assert_eq!(ran.run_state.interrupted.load(Ordering::Relaxed), 0);
    // Each user's first iteration began when its place did, two in three began others.
    assert!(ran.seen.len() > 2 * 20_000, "{} iterations", ran.seen.len());
}
