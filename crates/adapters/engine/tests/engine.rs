//! The engine in a simulated world: virtual time, several workers in one thread, a
//! seeded order. Each test runs under several seeds and worker counts; a failure names
//! both.
#![cfg(not(feature = "shuttle"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "sums of small whole numbers are exact")]
#![expect(clippy::print_stderr, reason = "a failure names its seed")]

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
use loadline_testplan::draft::{
    ExecutorDraft, PhaseDraft, PhaseShape, PlanDraft, ScenarioDraft, StageDraft,
};
use loadline_units::{Clock, ScenarioId, Time, VuId};
use loadline_vu::{
    Cx, Fault, FaultClass, InterruptReason, Iteration, IterationKind, IterationResult,
    IterationStatus, LifecycleStage, RunState, StopCause, VirtualUser, VuFactory,
};

/// An iteration as a user saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    user: VuId,
    scenario: ScenarioId,
    number: u64,
    planned: Option<Time>,
    started: Time,
}

type Log = Arc<Mutex<Vec<Seen>>>;

/// Makes users whose iterations take `takes`, and notes each.
struct Sleepers {
    takes: Duration,
    log: Log,
    setup: Option<Duration>,
    abort_at: Option<u64>,
    /// The iteration waits before it aborts.
    aborts_at_end: bool,
    stages: Arc<Mutex<Vec<LifecycleStage>>>,
    /// How long users may take to leave, and how long each takes.
    vu_teardown: Option<(Duration, Duration)>,
    left: Left,
    /// The code of users from this id on fails while they are made.
    fails_from: Option<VuId>,
}

/// Users that began to take their leave, and when.
type Left = Arc<Mutex<Vec<(VuId, Time)>>>;

struct Sleeper {
    id: VuId,
    takes: Duration,
    timer: Timer,
    log: Log,
    abort_at: Option<u64>,
    aborts_at_end: bool,
    number: u64,
    stages: Arc<Mutex<Vec<LifecycleStage>>>,
    teardown: Duration,
    left: Left,
}

impl Sleepers {
    fn taking(takes: Duration) -> Self {
        Self {
            takes,
            log: Log::default(),
            setup: None,
            abort_at: None,
            aborts_at_end: false,
            stages: Arc::default(),
            vu_teardown: None,
            left: Left::default(),
            fails_from: None,
        }
    }

    fn sleeper(&self, id: VuId, takes: Duration, cx: &Cx<'_>) -> Box<dyn VirtualUser> {
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

    fn stage_timeout(&self, _: LifecycleStage) -> Duration {
        Duration::from_secs(60)
    }

    fn vu_teardown_timeout(&self) -> Option<Duration> {
        self.vu_teardown.map(|(limit, _)| limit)
    }
}

/// Stops the run, as a script does that aborts its test.
fn abort(cx: &Cx<'_>) -> IterationStatus {
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
struct OnEvent<F: FnMut(&EngineEvent<'_>)>(F);

impl<F: FnMut(&EngineEvent<'_>)> Observer for OnEvent<F> {
    fn observe(&mut self, event: &EngineEvent<'_>, _: Time, _: &mut Merger) {
        (self.0)(event);
    }
}

/// What a finished run left.
struct Ran {
    ending: EngineEnding,
    seen: Vec<Seen>,
    run_state: Arc<RunState>,
    dropped: f64,
    users_max: f64,
    warnings: usize,
    /// What the run measured.
    totals: Totals,
}

impl Ran {
    /// What a distribution of latencies holds.
    fn trend(&self, metric: MetricId) -> Histogram {
        match self.totals.metric(metric) {
            Some(MetricValue::Trend(trend)) => trend.clone(),
            other => panic!("{other:?}"),
        }
    }

    /// Nothing vanishes: what began ended, and what was planned began or was dropped.
    fn assert_nothing_vanished(&self) {
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

    fn starts(&self) -> Vec<Duration> {
        let began = self.ending.began.unwrap();
        self.seen.iter().map(|s| s.started.since(began)).collect()
    }

    fn assert_numbers_are_a_permutation(&self) {
        let mut numbers: Vec<u64> = self.seen.iter().map(|s| s.number).collect();
        numbers.sort_unstable();
        let expected: Vec<u64> = (0..self.seen.len() as u64).collect();
        assert_eq!(numbers, expected);
    }
}

struct Setting {
    seed: u64,
    workers: usize,
}

fn settings() -> impl Iterator<Item = Setting> {
    let workers = [1, 2, 4].into_iter();
    workers.flat_map(|workers| (1..=3).map(move |seed| Setting { seed, workers }))
}

fn plan(scenarios: Vec<ScenarioDraft>) -> Plan {
    Plan::check(PlanDraft {
        scenarios,
        ..PlanDraft::default()
    })
    .unwrap()
}

fn engine(setting: &Setting, plan: Plan, users: Arc<Sleepers>) -> Engine {
    engine_in(&World::new(setting.seed), setting, plan, users)
}

fn engine_in(world: &World, setting: &Setting, plan: Plan, users: Arc<Sleepers>) -> Engine {
    eprintln!("seed {}, {} workers", setting.seed, setting.workers);
    let measures = RunMetrics {
        registry: Arc::new(Registry::new()),
        submetrics: Submetrics::default(),
    };
    let options = EngineOptions::new(setting.workers);
    simulated::engine(world, plan, options, users, measures)
}

fn run(setting: &Setting, plan: Plan, users: Sleepers) -> Ran {
    run_with(setting, plan, users, |_, _| {})
}

fn run_with(
    setting: &Setting,
    plan: Plan,
    users: Sleepers,
    act: impl FnMut(&EngineEvent<'_>, &loadline_engine::Control),
) -> Ran {
    run_in(&World::new(setting.seed), setting, plan, users, act)
}

fn run_in(
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

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn scenario(executor: ExecutorDraft) -> ScenarioDraft {
    ScenarioDraft::new("default", executor)
}

fn constant_rate(rate: i64, length: Duration, ready: i64, most: i64) -> ScenarioDraft {
    scenario(ExecutorDraft::ConstantArrivalRate {
        rate: Some(rate),
        time_unit: None,
        duration: Some(length.into()),
        pre_allocated_vus: Some(ready),
        max_vus: Some(most),
    })
}

fn looping(vus: i64, length: Duration) -> ScenarioDraft {
    scenario(ExecutorDraft::ConstantVus {
        vus: Some(vus),
        duration: Some(length.into()),
    })
}

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

/// A scenario whose users are made as they arrive: `count`, evenly over `length`.
fn arriving(count: u64, length: Duration) -> ScenarioDraft {
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
