//! Scenarios together, aborts, and what is changed by hand.

use loadline_engine::EngineEvent;
use loadline_units::ScenarioId;
use loadline_vu::{LifecycleStage, StopCause};

use super::world::*;

#[test]
fn scenarios_run_beside_and_after_each_other_and_share_users() {
    for setting in settings() {
        let mut first = looping(4, secs(2));
        first.name = "first".to_owned();
        first.graceful_stop = Some(millis(0).into());
        let mut second = looping(3, secs(1));
        second.name = "second".to_owned();
        second.start_time = Some(secs(3).into());
        let ran = run(
            &setting,
            plan(vec![first, second]),
            Sleepers::taking(millis(250)),
        );

        assert_eq!(ran.users_max, 4.0, "the second takes users of the first");
        let began = ran.ending.began.unwrap();
        let second: Vec<_> = ran
            .seen
            .iter()
            .filter(|s| s.scenario == ScenarioId(1))
            .collect();
        assert_eq!(second.len(), 12);
        assert!(second.iter().all(|s| s.started.since(began) >= secs(3)));
    }
}

#[test]
fn an_abort_by_one_user_stops_all_workers_at_once() {
    for setting in settings() {
        let mut users = Sleepers::taking(millis(70));
        users.abort_at = Some(40);
        users.setup = Some(millis(10));
        let stages = users.stages.clone();
        let ran = run(&setting, plan(vec![looping(8, secs(60))]), users);

        assert!(matches!(ran.ending.cause, Some(StopCause::Aborted { .. })));
        let took = ran.ending.ended.unwrap().since(ran.ending.began.unwrap());
        assert!(took < millis(500), "{took:?}");
        assert_eq!(
            *stages.lock().unwrap(),
            [LifecycleStage::Setup, LifecycleStage::Teardown]
        );
    }
}

#[test]
fn nothing_begins_after_an_abort() {
    for setting in settings() {
        let mut users = Sleepers::taking(millis(20));
        users.abort_at = Some(3);
        users.aborts_at_end = true;
        let ran = run(&setting, plan(vec![looping(1, secs(60))]), users);

        assert!(matches!(ran.ending.cause, Some(StopCause::Aborted { .. })));
        assert_eq!(ran.seen.len(), 4);
    }
}

#[test]
fn a_setup_that_takes_too_long_is_cut_and_no_iteration_begins() {
    for setting in settings() {
        let mut users = Sleepers::taking(millis(10));
        users.setup = Some(secs(3600));
        let ran = run(&setting, plan(vec![looping(1, secs(1))]), users);

        assert!(ran.ending.setup.is_some());
        assert_eq!(ran.seen.len(), 0);
        assert_eq!(ran.ending.began, None);
    }
}

#[test]
fn a_held_run_begins_nothing_and_goes_on_when_resumed() {
    for setting in settings() {
        let plan = plan(vec![constant_rate(10, secs(10), 5, 5)]);
        let ran = run_with(
            &setting,
            plan,
            Sleepers::taking(millis(10)),
            |event, control| {
                if let EngineEvent::Window(window) = event {
                    match window.index {
                        2 => control.hold(),
                        6 => control.resume(),
                        _ => {}
                    }
                }
            },
        );

        let starts = ran.starts();
        let held = starts
            .iter()
            .filter(|s| (millis(3100)..millis(6900)).contains(s))
            .count();
        assert_eq!(held, 0, "{starts:?}");
        assert!(starts.iter().any(|s| *s > secs(9)), "it went on");
        assert_eq!(ran.dropped, 0.0, "nobody means the starts left out");
        ran.assert_numbers_are_a_permutation();
    }
}

#[test]
fn a_run_held_before_its_start_waits_until_it_is_resumed() {
    let late = || {
        let mut late = constant_rate(10, secs(8), 5, 5);
        late.name = "late".to_owned();
        late.start_time = Some(secs(2).into());
        late
    };
    for setting in settings() {
        for scenario in [
            constant_rate(10, secs(10), 5, 5),
            late(),
            looping(2, secs(10)),
        ] {
            let ran = run_with(
                &setting,
                plan(vec![scenario]),
                Sleepers::taking(millis(10)),
                |event, control| match event {
                    EngineEvent::StageBegins(LifecycleStage::Setup) => control.hold(),
                    EngineEvent::Window(window) if window.index == 6 => control.resume(),
                    _ => {}
                },
            );
            let starts = ran.starts();
            let early = starts.iter().filter(|start| **start < secs(6)).count();
            // The start that is due at the very beginning is not left out.
            assert!(early <= 1, "{starts:?}");
            assert!(starts.len() > 10, "it went on");
        }
    }
}

/// Seen: "teardown" in the last line of a URL run, which has none.
#[test]
fn a_stage_that_the_test_lacks_is_never_said_to_begin() {
    for setting in settings() {
        for lacks_stages in [false, true] {
            let begun = std::cell::Cell::new(0);
            let mut users = Sleepers::taking(millis(10));
            users.lacks_stages = lacks_stages;
            let plan = plan(vec![looping(1, secs(1))]);
            run_with(&setting, plan, users, |event, _| {
                if matches!(event, EngineEvent::StageBegins(_)) {
                    begun.set(begun.get() + 1);
                }
            });
            assert_eq!(begun.get() == 0, lacks_stages, "{}", begun.get());
        }
    }
}

#[test]
fn a_level_set_by_hand_holds_from_then_on() {
    for setting in settings() {
        let open = plan(vec![constant_rate(10, secs(10), 50, 50)]);
        let ran = run_with(
            &setting,
            open,
            Sleepers::taking(millis(10)),
            |event, control| {
                if matches!(event, EngineEvent::Window(window) if window.index == 4) {
                    control.scale(ScenarioId(0), 3.0);
                }
            },
        );
        let starts = ran.starts();
        let late = starts
            .iter()
            .filter(|s| (secs(6)..secs(9)).contains(s))
            .count();
        assert!((88..=91).contains(&late), "{late} starts in 3 s at 30/s");

        let closed = plan(vec![looping(2, secs(10))]);
        let ran = run_with(
            &setting,
            closed,
            Sleepers::taking(millis(100)),
            |event, control| {
                if matches!(event, EngineEvent::Window(window) if window.index == 4) {
                    control.set_level(ScenarioId(0), 5.0);
                }
            },
        );
        let starts = ran.starts();
        let late = starts
            .iter()
            .filter(|s| (secs(6)..secs(9)).contains(s))
            .count();
        assert!(
            (145..=155).contains(&late),
            "{late} iterations of 5 users in 3 s"
        );
    }
}
