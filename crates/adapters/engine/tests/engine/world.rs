//! Users that sleep, in a simulated world.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use loadline_engine::{
    Engine, EngineEnding, EngineEvent, EngineOptions, Observer, RunMetrics, simulated,
};
use loadline_metrics::{
    Histogram, Merger, MetricId, MetricValue, Registry, Submetrics, Totals, builtin,
};
use loadline_reactor::Timer;
use loadline_reactor::sim::World;
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PhaseDraft, PhaseShape, PlanDraft, ScenarioDraft};
use loadline_units::{ScenarioId, Time, VuId};
use loadline_vu::{
    Cx, Fault, FaultClass, InterruptReason, Iteration, IterationKind, IterationResult,
    IterationStatus, LifecycleStage, RunState, StopCause, VirtualUser, VuFactory,
};

/// An iteration as a user saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) user: VuId,
    pub(super) scenario: ScenarioId,
    pub(super) number: u64,
    pub(super) planned: Option<Time>,
    pub(super) started: Time,
}

type Log = Arc<Mutex<Vec<Seen>>>;

/// Makes users whose iterations take `takes`, and notes each.
pub(super) struct Sleepers {
    pub(super) takes: Duration,
    pub(super) log: Log,
    pub(super) setup: Option<Duration>,
    /// The test says that it has neither set-up nor teardown.
    pub(super) lacks_stages: bool,
    pub(super) abort_at: Option<u64>,
    /// The iteration waits before it aborts.
    pub(super) aborts_at_end: bool,
    pub(super) stages: Arc<Mutex<Vec<LifecycleStage>>>,
    /// How long users may take to leave, and how long each takes.
    pub(super) vu_teardown: Option<(Duration, Duration)>,
    pub(super) left: Left,
    /// The code of users from this id on fails while they are made.
    pub(super) fails_from: Option<VuId>,
}

/// Users that began to take their leave, and when.
type Left = Arc<Mutex<Vec<(VuId, Time)>>>;

pub(super) struct Sleeper {
    pub(super) id: VuId,
    pub(super) takes: Duration,
    pub(super) timer: Timer,
    pub(super) log: Log,
    pub(super) abort_at: Option<u64>,
    pub(super) aborts_at_end: bool,
    pub(super) number: u64,
    pub(super) stages: Arc<Mutex<Vec<LifecycleStage>>>,
    pub(super) teardown: Duration,
    pub(super) left: Left,
}

impl Sleepers {
    pub(super) fn taking(takes: Duration) -> Self {
        Self {
            takes,
            log: Log::default(),
            setup: None,
            lacks_stages: false,
            abort_at: None,
            aborts_at_end: false,
            stages: Arc::default(),
            vu_teardown: None,
            left: Left::default(),
            fails_from: None,
        }
    }

    pub(super) fn sleeper(&self, id: VuId, takes: Duration, cx: &Cx<'_>) -> Box<dyn VirtualUser> {
        Box::new(Sleeper {
            id,
            takes,
            timer: cx.reactor.timer(),
            log: self.log.clone(),
            abort_at: self.abort_at,
            aborts_at_end: self.aborts_at_end,
            number: 0,
            stages: self.stages.clone(),
            teardown: self.vu_teardown.map_or(Duration::ZERO, |(_, takes)| takes),
            left: self.left.clone(),
        })
    }
}

impl VuFactory for Sleepers {
    fn make(&self, id: VuId, cx: &mut Cx<'_>) -> Result<Box<dyn VirtualUser>, Fault> {
        if self.fails_from.is_some_and(|from| id >= from) {
            let mut fault = Fault::script("no more of them".to_owned());
            fault.class = FaultClass::Initialising {
                user: id,
                aborted: true,
            };
            return Err(fault);
        }
        Ok(self.sleeper(id, self.takes, cx))
    }

    fn make_for_stage(
        &self,
        stage: LifecycleStage,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Box<dyn VirtualUser>>, Fault> {
        let takes = match stage {
            LifecycleStage::Setup => self.setup,
            LifecycleStage::Teardown => self.setup.map(|_| Duration::ZERO),
            LifecycleStage::Summarize => None,
        };
        Ok(takes.map(|takes| self.sleeper(VuId::LIFECYCLE, takes, cx)))
    }

    fn has_stage(&self, _: LifecycleStage) -> bool {
        !self.lacks_stages
    }

    fn stage_timeout(&self, _: LifecycleStage) -> Duration {
        Duration::from_secs(60)
    }

    fn vu_teardown_timeout(&self) -> Option<Duration> {
        self.vu_teardown.map(|(limit, _)| limit)
    }
}

/// Stops the run, as a script does that aborts its test.
pub(super) fn abort(cx: &Cx<'_>) -> IterationStatus {
    let message = "enough".to_owned();
    cx.run_state.request_stop(StopCause::Aborted { message });
    IterationStatus::Done(IterationResult::Interrupted)
}

impl VirtualUser for Sleeper {
    fn begin(&mut self, iteration: &Iteration, cx: &mut Cx<'_>) -> IterationStatus {
        match iteration.work {
            IterationKind::Scenario { scenario, number } => {
                self.log.lock().unwrap().push(Seen {
                    user: self.id,
                    scenario,
                    number,
                    planned: iteration.planned,
                    started: iteration.started,
                });
                self.number = number;
                if self.abort_at == Some(number) && !self.aborts_at_end {
                    return abort(cx);
                }
            }
            IterationKind::Stage(stage) => self.stages.lock().unwrap().push(stage),
            IterationKind::VuTeardown => {
                self.left.lock().unwrap().push((self.id, cx.now()));
                self.timer.reset(cx.now() + self.teardown);
                return self.wake(cx);
            }
        }
        self.timer.reset(cx.now() + self.takes);
        self.wake(cx)
    }

    fn wake(&mut self, cx: &mut Cx<'_>) -> IterationStatus {
        match self.timer.poll_expired(&mut Context::from_waker(cx.waker)) {
            Poll::Ready(()) if self.aborts_at_end && self.abort_at == Some(self.number) => {
                abort(cx)
            }
            Poll::Ready(()) => IterationStatus::Done(IterationResult::Complete),
            Poll::Pending => IterationStatus::Pending,
        }
    }

    fn interrupt(&mut self, _: InterruptReason, _: &mut Cx<'_>) -> IterationStatus {
        self.timer.disarm();
        IterationStatus::Done(IterationResult::Interrupted)
    }
}

/// Does something at an event.
pub(super) struct OnEvent<F: FnMut(&EngineEvent<'_>)>(pub(super) F);

impl<F: FnMut(&EngineEvent<'_>)> Observer for OnEvent<F> {
    fn observe(&mut self, event: &EngineEvent<'_>, _: Time, _: &mut Merger) {
        (self.0)(event);
    }
}

/// What a finished run left.
pub(super) struct Ran {
    pub(super) ending: EngineEnding,
    pub(super) seen: Vec<Seen>,
    pub(super) run_state: Arc<RunState>,
    pub(super) dropped: f64,
    pub(super) users_max: f64,
    pub(super) warnings: usize,
    /// What the run measured.
    pub(super) totals: Totals,
}

impl Ran {
    /// What a distribution of latencies holds.
    pub(super) fn trend(&self, metric: MetricId) -> Histogram {
        match self.totals.metric(metric) {
            Some(MetricValue::Trend(trend)) => trend.clone(),
            other => panic!("{other:?}"),
        }
    }

    /// Nothing vanishes: what began ended, and what was planned began or was dropped.
    pub(super) fn assert_nothing_vanished(&self) {
        let read = |count: &std::sync::atomic::AtomicU64| count.load(Ordering::Relaxed);
        let mut planned_starts = 0;
        for scenario in self.run_state.scenarios() {
            let begun = read(&scenario.begun);
            let ended = read(&scenario.complete) + read(&scenario.interrupted);
            assert_eq!(begun, ended, "iterations of {}", scenario.info().name);
            let planned = read(&scenario.planned);
            if planned > 0 {
                assert_eq!(planned, begun + read(&scenario.dropped), "starts");
            }
            planned_starts += planned;
        }
        let latencies = self.trend(builtin::INTENDED_LATENCY).count();
        assert_eq!(
            latencies, planned_starts,
            "each planned start has a latency"
        );
    }

    pub(super) fn starts(&self) -> Vec<Duration> {
        let began = self.ending.began.unwrap();
        self.seen.iter().map(|s| s.started.since(began)).collect()
    }

    pub(super) fn assert_numbers_are_a_permutation(&self) {
        let mut numbers: Vec<u64> = self.seen.iter().map(|s| s.number).collect();
        numbers.sort_unstable();
        let expected: Vec<u64> = (0..self.seen.len() as u64).collect();
        assert_eq!(numbers, expected);
    }
}

pub(super) struct Setting {
    pub(super) seed: u64,
    pub(super) workers: usize,
}

pub(super) fn settings() -> impl Iterator<Item = Setting> {
    let workers = [1, 2, 4].into_iter();
    workers.flat_map(|workers| (1..=3).map(move |seed| Setting { seed, workers }))
}

pub(super) fn plan(scenarios: Vec<ScenarioDraft>) -> Plan {
    Plan::check(PlanDraft {
        scenarios,
        ..PlanDraft::default()
    })
    .unwrap()
}

pub(super) fn engine(setting: &Setting, plan: Plan, users: Arc<Sleepers>) -> Engine {
    engine_in(&World::new(setting.seed), setting, plan, users)
}

pub(super) fn engine_in(
    world: &World,
    setting: &Setting,
    plan: Plan,
    users: Arc<Sleepers>,
) -> Engine {
    eprintln!("seed {}, {} workers", setting.seed, setting.workers);
    let measures = RunMetrics {
        registry: Arc::new(Registry::new()),
        submetrics: Submetrics::default(),
    };
    let options = EngineOptions::new(setting.workers);
    simulated::engine(world, plan, options, users, measures)
}

pub(super) fn run(setting: &Setting, plan: Plan, users: Sleepers) -> Ran {
    run_with(setting, plan, users, |_, _| {})
}

pub(super) fn run_with(
    setting: &Setting,
    plan: Plan,
    users: Sleepers,
    act: impl FnMut(&EngineEvent<'_>, &loadline_engine::Control),
) -> Ran {
    run_in(&World::new(setting.seed), setting, plan, users, act)
}

pub(super) fn run_in(
    world: &World,
    setting: &Setting,
    plan: Plan,
    users: Sleepers,
    mut act: impl FnMut(&EngineEvent<'_>, &loadline_engine::Control),
) -> Ran {
    let log = users.log.clone();
    let mut engine = engine_in(world, setting, plan, Arc::new(users));
    let control = engine.control();
    let mut warnings = 0;
    let ending = engine.run(&mut OnEvent(|event: &EngineEvent<'_>| {
        warnings += usize::from(matches!(event, EngineEvent::OutOfUsers { .. }));
        act(event, &control);
    }));
    let totals = engine.totals().totals();
    let dropped = match totals.metric(builtin::DROPPED_ITERATIONS) {
        Some(MetricValue::Counter(Some(sum))) => sum.value(),
        _ => 0.0,
    };
    let users_max = match totals.metric(builtin::VUS_MAX) {
        Some(MetricValue::Gauge(Some(gauge))) => gauge.max,
        _ => 0.0,
    };
    let run_state = engine.run_state();
    let totals_of_all = totals.clone();
    engine.close(Duration::from_secs(1));
    let seen = log.lock().unwrap().clone();
    let ran = Ran {
        ending,
        seen,
        run_state,
        dropped,
        users_max,
        warnings,
        totals: totals_of_all,
    };
    ran.assert_nothing_vanished();
    ran
}

pub(super) fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(super) fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(super) fn scenario(executor: ExecutorDraft) -> ScenarioDraft {
    ScenarioDraft::new("default", executor)
}

pub(super) fn constant_rate(rate: i64, length: Duration, ready: i64, most: i64) -> ScenarioDraft {
    scenario(ExecutorDraft::ConstantArrivalRate {
        rate: Some(rate),
        time_unit: None,
        duration: Some(length.into()),
        pre_allocated_vus: Some(ready),
        max_vus: Some(most),
    })
}

pub(super) fn looping(vus: i64, length: Duration) -> ScenarioDraft {
    scenario(ExecutorDraft::ConstantVus {
        vus: Some(vus),
        duration: Some(length.into()),
    })
}

/// A scenario whose users are made as they arrive: `count`, evenly over `length`.
pub(super) fn arriving(count: u64, length: Duration) -> ScenarioDraft {
    let phase = PhaseDraft {
        length,
        shape: PhaseShape::Rate {
            events: count,
            per: length,
        },
        most: None,
    };
    scenario(ExecutorDraft::PhasedArrivals {
        phases: vec![phase],
    })
}
