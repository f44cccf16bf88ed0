//! Users that leave, and users that are made as they arrive.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_engine::{EngineEnding, EngineEvent};
use loadline_reactor::sim::World;
use loadline_testplan::draft::ExecutorDraft;
use loadline_units::{Clock, VuId};
use loadline_vu::LifecycleStage;

use super::world::*;

/// Five users that leave after an iteration each, or begin to.
fn teardown(
    setting: &Setting,
    limit: Duration,
    takes: Duration,
) -> (EngineEnding, usize, Duration) {
    let users = Arc::new(Sleepers {
        vu_teardown: Some((limit, takes)),
        setup: Some(Duration::ZERO),
        ..Sleepers::taking(Duration::from_millis(100))
    });
    let executor = ExecutorDraft::SharedIterations {
        vus: Some(5),
        iterations: Some(5),
        max_duration: None,
    };
    let plan = plan(vec![scenario(executor)]);
    let mut engine = engine(setting, plan, users.clone());
    let ending = engine.run(&mut OnEvent(|_| {}));
    let left = users.left.lock().unwrap();
    let mut ids: Vec<VuId> = left.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), left.len(), "nobody leaves twice");
    let ended = ending.ended.unwrap();
    assert!(left.iter().all(|(_, at)| *at >= ended));
    let stages = users.stages.lock().unwrap();
    assert_eq!(
        stages.last(),
        Some(&LifecycleStage::Teardown),
        "after all have left"
    );
    (ending.clone(), left.len(), engine.now().since(ended))
}

#[test]
fn users_that_began_take_their_leave_once_after_the_scenarios() {
    for setting in settings() {
        let (ending, left, took) =
            teardown(&setting, Duration::from_secs(60), Duration::from_secs(2));
        assert_eq!((left, ending.teardown), (5, None));
        assert!(
            took >= Duration::from_secs(2) && took < Duration::from_secs(3),
            "{took:?}"
        );
    }
}

#[test]
fn users_that_take_too_long_to_leave_are_cut() {
    for setting in settings() {
        let (ending, left, took) =
            teardown(&setting, Duration::from_secs(1), Duration::from_secs(600));
        assert_eq!(left, 5);
        let fault = ending.teardown.unwrap();
        assert_eq!(fault.class, loadline_vu::FaultClass::StageTimeout);
        assert!(took < Duration::from_secs(3), "{took:?}");
    }
}

#[test]
fn users_that_arrive_are_made_and_each_runs_once() {
    for setting in settings() {
        let ran = run(
            &setting,
            plan(vec![arriving(4, secs(1))]),
            Sleepers::taking(millis(1)),
        );

        let starts: Vec<Duration> = [250, 500, 750, 1000].map(millis).to_vec();
        assert_eq!(ran.starts(), starts);
        assert_eq!(ran.dropped, 0.0);
    }
}

/// Guards against a scenario taken for over before its workers told of their last starts.
#[test]
fn what_was_due_while_the_machine_stood_still_runs_to_its_end() {
    for setting in settings() {
        // From its first moment to long after its end, and across its last start: the first
        // window is given out just before.
        for at_the_end in [false, true] {
            let world = World::new(setting.seed);
            let plan = plan(vec![arriving(4, secs(1))]);
            let users = Sleepers::taking(millis(1));
            let ran = run_in(&world, &setting, plan, users, |event, _| match event {
                EngineEvent::Begins(at) if !at_the_end => world.advance(*at + secs(3)),
                EngineEvent::Window(window) if at_the_end && window.index == 0 => {
                    world.advance(world.now() + millis(150));
                }
                _ => {}
            });

            assert_eq!(ran.dropped, 0.0);
            assert_eq!(ran.run_state.complete.load(Ordering::Relaxed), 4);
        }
    }
}
