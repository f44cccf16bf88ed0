//! Arrivals: starts at planned times.

use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_engine::EngineEvent;
use loadline_metrics::builtin;
use loadline_testplan::draft::ScenarioDraft;
use loadline_units::{ScenarioId, VuId};
use loadline_vu::StopCause;

use super::world::*;

#[test]
fn an_open_model_starts_every_iteration_on_time_whatever_the_answers() {
    for setting in settings() {
        // 50/s for 2 s, answers after 1 s: 50 users are in flight, 51 at the boundary.
        let plan = plan(vec![constant_rate(50, secs(2), 60, 60)]);
        let ran = run(&setting, plan, Sleepers::taking(secs(1)));

        assert_eq!(ran.dropped, 0.0);
        let mut planned: Vec<Duration> = ran.starts();
        planned.sort_unstable();
        assert!(planned.len() >= 100, "{} starts", planned.len());
        for (index, at) in (0_u32..).zip(&planned) {
            assert_eq!(*at, millis(20) * index, "start {index}");
        }
        ran.assert_numbers_are_a_permutation();
    }
}

/// Guards against each worker dropping what another could have taken.
#[test]
fn a_start_without_a_local_user_is_handed_to_a_worker_that_has_one() {
    for setting in settings() {
        // 10/s, each taking 390 ms: 4 users suffice only if all workers share them.
        let plan = plan(vec![constant_rate(10, secs(10), 4, 4)]);
        let ran = run(&setting, plan, Sleepers::taking(millis(390)));

        assert_eq!(ran.dropped, 0.0, "{} workers", setting.workers);
        assert_eq!(ran.warnings, 0);
    }
}

/// Guards against a worker sending its idle users back while another hands it a start.
#[test]
fn a_start_planned_for_the_very_end_finds_the_last_idle_user_wherever_it_is() {
    let seeds = 1..=20;
    for setting in seeds.flat_map(|seed| [1, 2, 4].map(|workers| Setting { seed, workers })) {
        // One start more than the rate, at the very end; none has an answer by then.
        for rate in [10, 11] {
            let starts = constant_rate(rate, secs(1), rate + 1, rate + 1);
            // Others take users of one worker, so that the last start finds none on its own.
            let others = ScenarioDraft::new("others", looping(3, secs(1)).executor);
            let plan = plan(vec![starts, others]);
            let ran = run(&setting, plan, Sleepers::taking(secs(5)));

            assert_eq!(ran.dropped, 0.0);
            assert_eq!(ran.seen.len(), usize::try_from(rate).unwrap() + 1 + 3);
        }
    }
}

/// As k6 does: it logs the failure and goes on with the users it has.
#[test]
fn a_run_goes_on_without_an_unplanned_user_whose_code_fails() {
    for setting in settings() {
        // 10/s for 2 s, 350 ms each: one user is not enough, two more cannot be made.
        let plan = plan(vec![constant_rate(10, secs(2), 1, 3)]);
        let users = Sleepers {
            fails_from: Some(VuId(2)),
            ..Sleepers::taking(millis(350))
        };
        let (mut failed, mut ended) = (0, 0);
        let ran = run_with(&setting, plan, users, |event, _| match event {
            EngineEvent::ExtraFailed { .. } => failed += 1,
            EngineEvent::Failed(_) => ended += 1,
            _ => {}
        });

        assert_eq!((failed, ended), (2, 0), "{} workers", setting.workers);
        assert_eq!(ran.users_max, 1.0);
        assert!(ran.seen.len() >= 5, "{}", ran.seen.len());
        assert!(ran.ending.cause.is_none(), "{:?}", ran.ending.cause);
    }
}

#[test]
fn starts_without_any_idle_user_are_dropped_counted_and_warned_of_once() {
    for setting in settings() {
        // 2 users, 1 s each, 10/s for 5 s: each second 2 of 10 starts run.
        let plan = plan(vec![constant_rate(10, secs(5), 2, 2)]);
        let ran = run(&setting, plan.clone(), Sleepers::taking(millis(950)));

        let planned = plan.scenarios[0].executor.arrivals().unwrap().total();
        let all = ran.dropped + ran.seen.len() as f64;
        assert!(
            (all - planned as f64).abs() < 0.1,
            "{all} of {planned} starts"
        );
        // Two each second, and one more if it finds a user at the very end.
        assert!(
            (10..=11).contains(&ran.seen.len()),
            "{} ran",
            ran.seen.len()
        );
        assert_eq!(ran.warnings, 1);
        let state = ran.run_state.scenario(ScenarioId(0));
        assert!((state.dropped.load(Ordering::Relaxed) as f64 - ran.dropped).abs() < 0.1);
    }
}

fn waiting_starts(rate: i64, length: Duration, ready: i64, most: i64) -> ScenarioDraft {
    let mut starts = constant_rate(rate, length, ready, most);
    starts.starts_wait = true;
    starts
}

/// Guards against coordinated omission with few users: what finds none would vanish.
#[test]
fn a_start_that_finds_no_user_waits_and_its_wait_is_in_its_latency() {
    for setting in settings() {
        // 10/s for 5 s, 2 users that take 150 ms: 13.3/s fit, but never two at once.
        let ran = run(
            &setting,
            plan(vec![waiting_starts(10, secs(5), 2, 2)]),
            Sleepers::taking(millis(150)),
        );
        assert_eq!(ran.dropped, 0.0);
        assert_eq!(ran.seen.len(), 51);

        // 10/s for 5 s, 1 user that takes 200 ms: half of the starts fit.
        let ran = run(
            &setting,
            plan(vec![waiting_starts(10, secs(5), 1, 1)]),
            Sleepers::taking(millis(200)),
        );
        let begun = ran.seen.len();
        assert!(
            (24..=26).contains(&begun),
            "{begun} on {} workers",
            setting.workers
        );
        assert_eq!(ran.dropped, 51.0 - begun as f64);
        assert_eq!(ran.warnings, 1);
        let planned: Vec<Duration> = ran
            .seen
            .iter()
            .map(|seen| seen.planned.unwrap().since(ran.ending.began.unwrap()))
            .collect();
        for (index, at) in (0_u32..).zip(&planned) {
            let due = millis(100) * index;
            let apart = at.abs_diff(due);
            assert!(
                apart <= millis(100),
                "start {index} is that of {at:?}: first come, first served"
            );
        }
        // The last to begin waited some 2.5 s; those that never did, up to that.
        let latency = ran.trend(builtin::INTENDED_LATENCY);
        let longest = latency.max().unwrap();
        assert!((2500.0..2900.0).contains(&longest), "{longest} ms");
        let lag = ran.trend(builtin::START_LAG);
        assert!(
            lag.max().unwrap() < 1.0,
            "waiting for a user is not the generator's"
        );
    }
}

#[test]
fn users_are_made_ahead_of_need_and_a_new_one_costs_no_start() {
    for setting in settings() {
        // 20/s, 1 s each: 21 users in flight, one ready at the start.
        let ran = run(
            &setting,
            plan(vec![waiting_starts(20, secs(5), 1, 60)]),
            Sleepers::taking(secs(1)),
        );
        assert_eq!(ran.dropped, 0.0);
        assert_eq!(ran.seen.len(), 101);
        let users = ran.run_state.users.load(Ordering::Relaxed);
        assert!((21..=24).contains(&users), "{users}");
        let began = ran.ending.began.unwrap();
        let latest = ran
            .seen
            .iter()
            .map(|seen| seen.started.since(seen.planned.unwrap()))
            .max();
        assert!(latest.unwrap() < millis(1), "{latest:?}");
        assert!(ran.seen.iter().all(|seen| seen.started >= began));
    }
}

/// As a search for capacity makes them: users come with the starts, none has to wait.
#[test]
fn starts_that_may_wait_do_not_where_users_are_made_as_they_come() {
    for setting in settings() {
        let mut starts = arriving(20, secs(2));
        starts.starts_wait = true;
        let ran = run(&setting, plan(vec![starts]), Sleepers::taking(secs(1)));
        assert_eq!((ran.seen.len(), ran.dropped), (20, 0.0));
    }
}

/// All users of 4 workers may live on one: the others' starts get them all the same.
#[test]
fn a_stall_leaves_every_start_its_place_on_any_number_of_workers() {
    for setting in settings() {
        for most in [1, 2, 3, 5, 20] {
            let plan = plan(vec![waiting_starts(50, secs(4), 1, most)]);
            let ran = run(&setting, plan, Sleepers::taking(millis(15)));
            assert_eq!(
                ran.dropped, 0.0,
                "{most} users, {} workers",
                setting.workers
            );
            assert_eq!(ran.seen.len(), 201);
        }
    }
}

/// Guards against a target that hangs and looks fast, as only the answers it gave count.
#[test]
fn what_is_cut_at_the_end_counts_with_the_age_it_had() {
    for setting in settings() {
        // 10/s for 5 s and 1 s of grace; nothing is ever answered.
        let mut hanging = constant_rate(10, secs(5), 60, 60);
        hanging.graceful_stop = Some(secs(1).into());
        let ran = run(&setting, plan(vec![hanging]), Sleepers::taking(secs(600)));

        let cut = ran.run_state.interrupted.load(Ordering::Relaxed);
        assert!(cut >= 50, "{cut}");
        let censored = ran.trend(builtin::INTENDED_LATENCY_CENSORED);
        assert_eq!(censored.count(), cut);
        assert_eq!(ran.trend(builtin::ITERATIONS_CUT).count(), cut);
        let latency = ran.trend(builtin::INTENDED_LATENCY);
        let (youngest, oldest) = (latency.min().unwrap(), latency.max().unwrap());
        assert!((1000.0..1120.0).contains(&youngest), "{youngest} ms");
        assert!((6000.0..6020.0).contains(&oldest), "{oldest} ms");
    }
}

#[test]
fn a_run_that_is_stopped_leaves_no_iteration_uncounted() {
    for setting in settings() {
        let scenarios = vec![
            constant_rate(10, secs(60), 50, 50),
            ScenarioDraft::new("loop", looping(3, secs(60)).executor),
        ];
        let ran = run_with(
            &setting,
            plan(scenarios),
            Sleepers::taking(secs(20)),
            |event, control| {
                if matches!(event, EngineEvent::Window(window) if window.index == 5) {
                    control.stop(StopCause::Signal);
                }
            },
        );
        let cut = ran.run_state.interrupted.load(Ordering::Relaxed);
        assert_eq!(ran.trend(builtin::ITERATIONS_CUT).count(), cut);
        assert_eq!(cut, ran.seen.len() as u64);
        let starts = ran
            .run_state
            .scenario(ScenarioId(0))
            .planned
            .load(Ordering::Relaxed);
        let censored = ran.trend(builtin::INTENDED_LATENCY_CENSORED).count();
        assert_eq!(
            censored, starts,
            "users that set their own pace have no planned start"
        );
    }
}

#[test]
fn users_are_made_in_the_middle_of_the_run_up_to_the_limit() {
    for setting in settings() {
        let plan = plan(vec![constant_rate(10, secs(5), 1, 6)]);
        let ran = run(&setting, plan, Sleepers::taking(secs(1)));

        assert_eq!(ran.run_state.users.load(Ordering::Relaxed), 6);
        assert_eq!(ran.users_max, 6.0);
        let busy = ran
            .seen
            .iter()
            .map(|s| s.user)
            .collect::<std::collections::HashSet<_>>();
        assert_eq!(busy.len(), 6, "every user was put to work");
        assert!(ran.dropped > 0.0);
    }
}
