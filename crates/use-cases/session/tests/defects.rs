//! Panics in users and outputs of a whole run: it ends, is summed up, and is called a defect.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::task::Context;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loadline_metrics::{Merger, Registry, TagSetId, Window, builtin};
use loadline_reactor::Timer;
use loadline_record::{Ending, Redactor, Verdict};
use loadline_session::{RunObserver, RunOptions, RunResult, SessionEvent, Test, start};
use loadline_store::{LossCause, RecorderConfig, RunInfo};
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
use loadline_units::VuId;
use loadline_vu::{
    Cx, Fault, FaultClass, InterruptReason, Iteration, IterationKind, IterationResult,
    IterationStatus, LifecycleStage, StopCause, VirtualUser, VuFactory,
};

/// Makes users whose iterations take a millisecond; that of this number panics.
struct Brittle {
    at: Option<u64>,
}

struct User {
    at: Option<u64>,
    timer: Timer,
}

impl VuFactory for Brittle {
    fn make(&self, _: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        let (at, timer) = (self.at, cx.reactor.timer());
        Ok(Box::new(User { at, timer }))
    }

    fn make_for_stage(
        &self,
        _: LifecycleStage,
        _: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        Ok(None)
    }

    fn stage_timeout(&self, _: LifecycleStage) -> Duration {
        Duration::from_secs(60)
    }
}

impl VirtualUser for User {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus {
        if let IterationKind::Scenario { number, .. } = iteration.work {
            assert!(self.at != Some(number), "iteration {number} broke");
        }
        cx.shard.record(builtin::ITERATIONS, TagSetId::EMPTY, 1.0);
        self.timer.reset(cx.now() + Duration::from_millis(1));
        self.wake(cx)
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        match self.timer.poll_expired(&mut Context::from_waker(cx.waker)) {
            std::task::Poll::Ready(()) => IterationStatus::Done(IterationResult::Complete),
            std::task::Poll::Pending => IterationStatus::Pending,
        }
    }

    fn interrupt(&mut self, _: InterruptReason, _: &mut Cx<'_>) -> IterationStatus {
        IterationStatus::Done(IterationResult::Interrupted)
    }
}

struct BrokenFollower;

impl RunObserver for BrokenFollower {
    fn window(&self, _: &Window, _: &Merger) {
        panic!("the follower broke");
    }
}

/// Runs for a minute unless something ends it.
fn run(
    at: Option<u64>,
    follower: Option<Arc<dyn RunObserver>>,
    keep: Option<RecorderConfig>,
) -> RunResult {
    let executor = ExecutorDraft::ConstantVus {
        vus: Some(4),
        duration: Some(Duration::from_secs(60).into()),
    };
    let plan = Plan::check(PlanDraft {
        scenarios: vec![ScenarioDraft::new("default", executor)],
        ..PlanDraft::default()
    });
    let registry = Arc::new(Registry::new());
    let mut test = Test::new(plan.unwrap(), Arc::new(Brittle { at }), registry, &[]).unwrap();
    test.follower = follower;
    let options = RunOptions {
        workers: Some(2),
        keep: keep.map(Box::new),
        ..RunOptions::default()
    };
    let handle = start(test, &options).unwrap();
    handle
        .events
        .iter()
        .find_map(|event| match event {
            SessionEvent::Finished(outcome) => Some(*outcome),
            _ => None,
        })
        .expect("a run ends with its outcome")
}

fn assert_is_a_defect(outcome: &RunResult, message: &str) {
    let Some(StopCause::Failed(fault)) = &outcome.cause else {
        panic!("{:?}", outcome.cause);
    };
    assert_eq!(fault.class, FaultClass::Panic);
    assert!(fault.message.contains(message), "{}", fault.message);
    let ending = Ending::Defect {
        message: fault.message.clone(),
    };
    assert_eq!(outcome.summary.run.ending, ending);
    let verdict = Verdict::Defect(fault.message.clone());
    assert_eq!(outcome.summary.verdict(), verdict);
}

fn assert_is_summed_up(outcome: &RunResult) {
    assert!(outcome.began);
    assert!(outcome.summary.run.complete_iterations > 10);
    assert!(outcome.summary.run.duration < Duration::from_secs(30));
}

#[test]
fn a_user_that_panics_ends_the_run_with_what_was_measured() {
    let outcome = run(Some(100), None, None);
    assert_is_a_defect(&outcome, "iteration 100 broke");
    assert_is_summed_up(&outcome);
}

#[test]
fn a_follower_that_panics_ends_the_run() {
    let outcome = run(None, Some(Arc::new(BrokenFollower)), None);
    assert_is_a_defect(&outcome, "the follower broke");
    assert_is_summed_up(&outcome);
}

/// As the store's thread asks for the time of day first.
#[test]
fn a_store_whose_thread_panics_ends_the_run_and_says_what_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let keeping = |wall_clock: fn() -> SystemTime| RecorderConfig {
        path: folder.path().join("runs.db"),
        name: "a".to_owned(),
        about: RunInfo::default(),
        redactor: Redactor::default(),
        fold_limit: 10_000,
        wall_clock,
        queue: loadline_store::QUEUE_BYTES_MAX,
    };
    let broken = || -> SystemTime {
        let thread = std::thread::current();
        assert!(thread.name() != Some("store"), "the store broke");
        UNIX_EPOCH
    };
    let outcome = run(None, None, Some(keeping(broken)));
    assert_is_a_defect(&outcome, "the store broke");
    let loss = outcome.kept.unwrap().loss.unwrap();
    assert_eq!(loss.cause, LossCause::Defect);
    assert!(loss.everything);
}
