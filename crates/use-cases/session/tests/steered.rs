//! What an experiment sees of a worker that is away for seconds.
#![expect(
    clippy::disallowed_methods,
    reason = "a worker is kept away in real time"
)]

use std::sync::Arc;
use std::time::Duration;

use loadline_analysis::capacity::Unit;
use loadline_experiment::runner::{RunnerRequirements, Running};
use loadline_metrics::Registry;
use loadline_session::steered::steer;
use loadline_session::{RunOptions, Test};
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
use loadline_units::VuId;
use loadline_vu::{
    Cx, Fault, InterruptReason, Iteration, IterationKind, IterationResult, IterationStatus,
    LifecycleStage, VirtualUser, VuFactory,
};

/// How long the worker is kept away, once.
const ABSENCE_LENGTH: Duration = Duration::from_millis(2_300);

/// Makes users whose fifth iteration keeps the worker.
struct Keeping;

struct User;

impl VuFactory for Keeping {
    fn make(&self, _: VuId, _: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        Ok(Box::new(User))
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
    fn begin(&mut self, iteration: &Iteration, _: &mut Cx<'_>) -> IterationStatus {
        if matches!(iteration.work, IterationKind::Scenario { number: 5, .. }) {
            std::thread::sleep(ABSENCE_LENGTH);
        }
        IterationStatus::Done(IterationResult::Complete)
    }

    fn wake(&mut self, _: &mut Cx<'_>) -> IterationStatus {
        IterationStatus::Done(IterationResult::Complete)
    }

    fn interrupt(&mut self, _: InterruptReason, _: &mut Cx<'_>) -> IterationStatus {
        IterationStatus::Done(IterationResult::Interrupted)
    }
}

#[test]
fn a_worker_that_was_away_is_seen_in_as_many_seconds_as_it_took() {
    let executor = ExecutorDraft::ConstantVus {
        vus: Some(1),
        duration: Some(Duration::from_secs(60).into()),
    };
    let plan = Plan::check(PlanDraft {
        scenarios: vec![ScenarioDraft::new("default", executor)],
        ..PlanDraft::default()
    });
    let registry = Arc::new(Registry::new());
    let test = Test::new(plan.unwrap(), Arc::new(Keeping), registry, &[]).unwrap();
    let wanted = RunnerRequirements {
        unit: Unit::Rate,
        most_users: 100,
        longest: 60.0,
        scenario: None,
        terms: Vec::new(),
    };
    let options = RunOptions {
        workers: Some(1),
        ..RunOptions::default()
    };
    let mut steered = steer(test, &wanted, &options, None).unwrap();
    steered.set_level(10.0);
    let windows: Vec<_> = (0..6).map(|_| steered.next_window().unwrap()).collect();
    steered.finish().unwrap();
    let stalled: Vec<_> = windows.iter().map(|w| w.generator.stalled).collect();
    assert!(
        stalled.iter().sum::<f64>() >= ABSENCE_LENGTH.as_secs_f64(),
        "{stalled:?}"
    );
    assert!(
        stalled.iter().all(|seconds| (0.0..=1.0).contains(seconds)),
        "{stalled:?}"
    );
}
