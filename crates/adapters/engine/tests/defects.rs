//! Panics on real threads: the run ends, says so, and keeps what was measured.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Context;
use std::time::Duration;

use loadline_engine::{
    Engine, EngineEnding, EngineEvent, EngineOptions, Observer, RunMetrics, WorkerHold,
};
use loadline_metrics::{Merger, MetricValue, Registry, Submetrics, TagSetId, builtin};
use loadline_reactor::{MonotonicClock, Timer, WorkerProgress};
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
use loadline_units::{Clock, Time, VuId};
use loadline_vu::{
    Cx, Fault, FaultClass, InterruptReason, Iteration, IterationKind, IterationResult,
    IterationStatus, LifecycleStage, StopCause, VirtualUser, VuFactory,
};

/// How long a call computes on a core: a thread that waits for one while others compute is not held by its call.
const HOLD_TIME_ON_CORE: Duration = Duration::from_millis(400);
/// Rounds of computing between two looks at the time.
const ROUNDS_BETWEEN_LOOKS: u32 = 100_000;

/// Iterations until something breaks.
const ITERATIONS_BEFORE_DEFECT: u64 = 40;

/// Where a user breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Breaks {
    Making,
    Setup,
    Beginning,
    Waking,
    /// In an iteration, and once more while what is left of it is dropped.
    Twice,
    Teardown,
    /// Computes for a while in one call, in a call called `compute`.
    Holding,
    /// Never comes back from that call.
    Stuck,
    Never,
}

/// How long this thread had a core so far.
fn time_on_core() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanos = text.split(' ').next().unwrap().parse().unwrap();
    Duration::from_nanos(nanos)
}

struct Brittle {
    breaks: Breaks,
    begun: Arc<AtomicU64>,
}

struct User {
    breaks: Breaks,
    begun: Arc<AtomicU64>,
    timer: Timer,
    is_broken: bool,
}

impl Brittle {
    fn user(&self, cx: &Cx<'_>) -> Box<dyn VirtualUser> {
        Box::new(User {
            breaks: self.breaks,
            begun: self.begun.clone(),
            timer: cx.reactor.timer(),
            is_broken: false,
        })
    }
}

impl VuFactory for Brittle {
    fn make(&self, _: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        assert!(self.breaks != Breaks::Making, "broke in making");
        Ok(self.user(cx))
    }

    fn make_for_stage(
        &self,
        stage: LifecycleStage,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        Ok((stage != LifecycleStage::Summarize).then(|| self.user(cx)))
    }

    fn stage_timeout(&self, _: LifecycleStage) -> Duration {
        Duration::from_secs(60)
    }
}

impl User {
    /// What a host function does that nobody can interrupt.
    fn compute(&self) {
        if ![Breaks::Holding, Breaks::Stuck].contains(&self.breaks) {
            return;
        }
        let progress = WorkerProgress::of_thread().unwrap();
        let before = progress.enter(progress.number("compute"));
        let began = time_on_core();
        while self.breaks == Breaks::Stuck || time_on_core() - began < HOLD_TIME_ON_CORE {
            for _ in 0..ROUNDS_BETWEEN_LOOKS {
                std::hint::spin_loop();
            }
        }
        progress.enter(before);
    }
}

impl VirtualUser for User {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus {
        let breaks = match iteration.work {
            IterationKind::Stage(LifecycleStage::Setup) => self.breaks == Breaks::Setup,
            IterationKind::Stage(_) => self.breaks == Breaks::Teardown,
            IterationKind::VuTeardown => false,
            IterationKind::Scenario { .. } => {
                let begun = self.begun.fetch_add(1, Ordering::Relaxed);
                if begun == ITERATIONS_BEFORE_DEFECT {
                    self.compute();
                }
                let breaks = [Breaks::Beginning, Breaks::Twice].contains(&self.breaks);
                breaks && begun == ITERATIONS_BEFORE_DEFECT
            }
        };
        self.is_broken = breaks;
        assert!(!breaks, "broke in {:?}", self.breaks);
        if let IterationKind::Scenario { .. } = iteration.work {
            cx.shard.record(builtin::ITERATIONS, TagSetId::EMPTY, 1.0);
        }
        self.timer.reset(cx.now() + Duration::from_millis(1));
        self.wake(cx)
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        let begun = self.begun.load(Ordering::Relaxed);
        assert!(
            self.breaks != Breaks::Waking || begun < ITERATIONS_BEFORE_DEFECT,
            "broke in waking"
        );
        match self.timer.poll_expired(&mut Context::from_waker(cx.waker)) {
            std::task::Poll::Ready(()) => IterationStatus::Done(IterationResult::Complete),
            std::task::Poll::Pending => IterationStatus::Pending,
        }
    }

    fn interrupt(&mut self, _: InterruptReason, _: &mut Cx<'_>) -> IterationStatus {
        IterationStatus::Done(IterationResult::Interrupted)
    }
}

impl Drop for User {
    fn drop(&mut self) {
        let again = self.is_broken && self.breaks == Breaks::Twice;
        assert!(!again, "broke in dropping");
    }
}

/// Panics at the first window, if it is to.
struct Watching {
    panics: bool,
    windows: u64,
    holds: Vec<WorkerHold>,
}

impl Observer for Watching {
    fn observe(&mut self, event: &EngineEvent<'_>, _: Time, _: &mut Merger) {
        if let EngineEvent::WorkerHeld(hold) = event {
            self.holds.push((*hold).clone());
        }
        if let EngineEvent::Window(_) = event {
            self.windows += 1;
            assert!(!self.panics, "broke in watching");
        }
    }
}

struct Ran {
    ending: EngineEnding,
    begun: u64,
    measured: f64,
    windows: u64,
    holds: Vec<WorkerHold>,
    took: Duration,
}

/// Runs two workers for a minute unless something ends it.
fn run(breaks: Breaks, observer_panics: bool) -> Ran {
    let length = match breaks {
        Breaks::Teardown | Breaks::Holding | Breaks::Stuck => Duration::from_secs(1),
        _ => Duration::from_secs(60),
    };
    let executor = ExecutorDraft::ConstantVus {
        vus: Some(6),
        duration: Some(length.into()),
    };
    let plan = Plan::check(PlanDraft {
        scenarios: vec![ScenarioDraft {
            graceful_stop: Some(Duration::ZERO.into()),
            ..ScenarioDraft::new("default", executor)
        }],
        ..PlanDraft::default()
    });
    let begun = Arc::new(AtomicU64::new(0));
    let factory = Brittle {
        breaks,
        begun: begun.clone(),
    };
    let measures = RunMetrics {
        registry: Arc::new(Registry::new()),
        submetrics: Submetrics::default(),
    };
    let options = EngineOptions::new(2);
    let clock = MonotonicClock::start();
    let mut engine =
        Engine::start(plan.unwrap(), options, Arc::new(factory), measures, clock).unwrap();
    let mut watching = Watching {
        panics: observer_panics,
        windows: 0,
        holds: Vec::new(),
    };
    let ending = engine.run(&mut watching);
    let took = clock.now().since(Time::ZERO);
    let measured = match engine.totals().totals().metric(builtin::ITERATIONS) {
        Some(MetricValue::Counter(Some(sum))) => sum.value(),
        _ => 0.0,
    };
    engine.close(Duration::from_secs(5));
    Ran {
        ending,
        begun: begun.load(Ordering::Relaxed),
        measured,
        windows: watching.windows,
        holds: watching.holds,
        took,
    }
}

fn defect(ending: &EngineEnding) -> &Fault {
    match &ending.cause {
        Some(StopCause::Failed(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_panic_of_a_user_ends_the_run_and_loses_nothing_that_was_measured() {
    for breaks in [Breaks::Beginning, Breaks::Waking, Breaks::Twice] {
        let ran = run(breaks, false);
        let fault = defect(&ran.ending);
        assert_eq!(fault.class, FaultClass::Panic, "{breaks:?}");
        assert!(fault.message.starts_with("worker "), "{}", fault.message);
        assert!(fault.message.contains("broke in"), "{}", fault.message);
        assert!(ran.ending.workers_lost && ran.ending.began.is_some());
        // The iteration that broke at its beginning was not measured yet.
        let broken = u64::from(breaks != Breaks::Waking);
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let whole = (ran.begun - broken) as f64;
        assert!(
            (ran.measured - whole).abs() < 0.5,
            "{breaks:?}: {} of {whole}",
            ran.measured
        );
        assert!(ran.measured >= 39.0, "{}", ran.measured);
        assert!(ran.windows > 0, "the last windows are given out");
    }
}

#[test]
fn a_panic_outside_iterations_ends_the_run_as_well() {
    for breaks in [Breaks::Making, Breaks::Setup, Breaks::Teardown] {
        let ran = run(breaks, false);
        assert_eq!(defect(&ran.ending).class, FaultClass::Panic, "{breaks:?}");
        assert_eq!(ran.ending.began.is_some(), breaks == Breaks::Teardown);
        assert_eq!(ran.measured > 0.0, ran.ending.began.is_some());
    }
}

/// A listener is no part of the load path, but a run that nobody could follow is no
/// result either.
#[test]
fn a_panic_of_the_observer_ends_the_run_in_good_order() {
    let ran = run(Breaks::Never, true);
    let fault = defect(&ran.ending);
    assert_eq!(fault.class, FaultClass::Panic);
    assert_eq!(fault.message, "broke in watching");
    assert!(
        !ran.ending.workers_lost,
        "all workers went through to the end"
    );
    assert_eq!(ran.windows, 1, "it is told nothing more");
    assert!(ran.measured > 0.0);
}

#[test]
fn a_call_that_holds_a_worker_is_named_and_the_run_goes_on() {
    let ran = run(Breaks::Holding, false);
    assert!(!ran.ending.workers_lost && ran.ending.cause.is_none());
    let [hold] = &ran.holds[..] else {
        panic!("{:?}", ran.holds);
    };
    assert_eq!(
        (hold.call.as_deref(), hold.is_lost),
        (Some("compute"), false)
    );
    assert!(hold.held >= Duration::from_millis(100), "{hold:?}");
}

#[test]
fn a_run_ends_without_a_worker_that_does_not_come_back() {
    let ran = run(Breaks::Stuck, false);
    assert!(ran.ending.workers_lost && ran.ending.cause.is_none());
    let hold = ran.holds.last().unwrap();
    assert_eq!(
        (hold.call.as_deref(), hold.is_lost),
        (Some("compute"), true)
    );
    // The second of the plan, and two more.
    assert!(ran.took < Duration::from_secs(5), "{:?}", ran.took);
    assert!(ran.measured > 39.0, "the other worker's: {}", ran.measured);
    assert!(ran.windows > 0);
}
