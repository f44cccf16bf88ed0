//! Starts a run, and the run's thread.

mod ending;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, never, unbounded};
use loadline_engine::{Control, Engine, EngineError, EngineOptions, RunMetrics};
use loadline_metrics::{FoldRule, Registry, TapPool};
use loadline_observe::TargetObserver;
use loadline_outputs::StartError;
use loadline_reactor::MonotonicClock;
use loadline_record::signals::Signals;
use loadline_record::{
    ArrivalProcess, Ending, Gap, LatencyStart, Redactor, Run, Series, Summary, VerdictStanding,
    WarmUp,
};
use loadline_store::{Recorder, RecorderConfig, RecordingResult, RunEnd, RunInfo};
use loadline_testplan::{ArrivalSpacing, Plan};
use loadline_vu::{Fault, FaultClass, RunState, StopCause};

use crate::accounting;
use crate::answers::AnswerOptions;
use crate::describe::{describe, describe_goals};
use crate::event::SessionEvent;
use crate::explanation::objectives;
use crate::health::HealthWatch;
use crate::judge::{self, Judge, RunNote};
use crate::limits::{SERIES_MAX, TooManyFiles, check_open_files, raise_open_files};
use crate::live_explanation::{JudgedLoad, LiveExplanation};
use crate::observed::{self, ObserveRequest};
use crate::outcome::{GoalJudge, RunResult, Summarizer};
use crate::outputs::{self, OutputsRequest};
use crate::test::Test;
use crate::warm_up::WarmUpSetting;
use ending::{defect_of, ending_of, most_vus};

/// How long workers may take to exit at the end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// How often it is looked whether a person stops a run that only watches on.
const STOP_LOOK_INTERVAL: Duration = Duration::from_millis(100);
/// How long the end of a run waits for a store that is full or locked.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

/// How to run a test.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Worker threads; `None` takes as many as there are cores to use.
    pub workers: Option<usize>,
    /// How long running iterations may continue after a person asked to stop.
    pub drain: Duration,
    /// The warm-up, which is measured but not counted.
    pub warm_up: WarmUpSetting,
    /// Runs even if files, ports or other resources may not be enough.
    pub force: bool,
    /// The run's place among repetitions.
    pub series: Option<Series>,
    /// Where the run is stored; `None` stores nothing.
    pub keep: Option<Box<RecorderConfig>>,
    /// How starts of load at a rate are spaced; `None` as the test's plan has it.
    pub arrivals: Option<ArrivalSpacing>,
    /// Makes users, and then waits for [`Control::release`].
    pub paused: bool,
    /// The outputs.
    pub outputs: Option<Arc<OutputsRequest>>,
    /// What is observed of the target.
    pub observe: Option<Arc<ObserveRequest>>,
    /// What becomes of answers.
    pub answers: AnswerOptions,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            workers: None,
            drain: Duration::ZERO,
            warm_up: WarmUpSetting::None,
            force: false,
            series: None,
            keep: None,
            arrivals: None,
            paused: false,
            outputs: None,
            observe: None,
            answers: AnswerOptions::default(),
        }
    }
}

impl RunOptions {
    /// What masks secrets in what is kept.
    fn redactor(&self) -> Redactor {
        let keeping = self.keep.as_deref();
        keeping.map_or_else(Redactor::default, |keeping| keeping.redactor.clone())
    }

    /// How this run's starts are spaced. Each repetition has its own seed; the first has the
    /// seed that was given.
    fn spacing(&self) -> Option<ArrivalSpacing> {
        let number = self.series.as_ref().map_or(1, |series| series.number);
        let later = u64::from(number.saturating_sub(1));
        self.arrivals.map(|spacing| match spacing {
            ArrivalSpacing::Even => ArrivalSpacing::Even,
            ArrivalSpacing::Poisson { seed } => ArrivalSpacing::Poisson {
                seed: seed.wrapping_add(later),
            },
        })
    }

    /// The same for the record; `None` for a plan that starts nothing at a rate.
    fn arrival_process(&self, plan: &Plan) -> Option<ArrivalProcess> {
        plan.is_open().then(|| match self.spacing() {
            Some(ArrivalSpacing::Poisson { seed }) => ArrivalProcess::Poisson { seed },
            Some(ArrivalSpacing::Even) | None => ArrivalProcess::Even,
        })
    }
}

/// A running run.
pub struct RunHandle {
    /// The run's events; the last is [`SessionEvent::Finished`].
    pub events: Receiver<SessionEvent>,
    /// Changes the run.
    pub control: Control,
    /// Live counters.
    pub run_state: Arc<RunState>,
    /// The run's clock.
    pub clock: MonotonicClock,
    /// Takes notes to store with the run.
    pub notes: Sender<RunNote>,
}

/// Why a run could not start or finish.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The engine could not start.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The test needs more open files than allowed.
    #[error(transparent)]
    OpenFiles(#[from] TooManyFiles),
    /// Nothing would be left to measure.
    #[error("the warm-up of {warm_up:?} is not shorter than the test's {test:?}")]
    WarmUpTooLong {
        /// The warm-up.
        warm_up: Duration,
        /// How long iterations begin.
        test: Duration,
    },
    /// An output cannot be started.
    #[error(transparent)]
    Output(#[from] StartError),
    /// The run's own thread could not be made.
    #[error("cannot start the run's thread: {0}")]
    Thread(std::io::Error),
}

/// Starts `test` and returns at once. The process may open as many files as it may allow
/// itself from then on.
///
/// # Errors
/// [`SessionError`] when the test cannot run properly on this machine, or threads cannot be
/// made; nothing was sent.
pub fn start(mut test: Test, options: &RunOptions) -> Result<RunHandle, SessionError> {
    if let Some(spacing) = options.spacing() {
        test.plan = test.plan.spaced(spacing);
    }
    check(&test, options)?;
    let clock = MonotonicClock::start();
    let (events_in, events) = unbounded();
    let (ready_in, ready) = bounded(1);
    let (notes, notes_out) = unbounded();
    let options = options.clone();
    // The engine is made on the thread that runs it.
    std::thread::Builder::new()
        .name("run".to_owned())
        .spawn(
            move || match Session::new(test, &options, clock, events_in) {
                Ok(mut session) => {
                    session.note_from(notes_out);
                    let (control, run_state) =
                        (session.engine.control(), session.engine.run_state());
                    if ready_in.send(Ok((control, run_state))).is_ok() {
                        session.run_to_end();
                    }
                }
                // The starting thread waits for this message.
                Err(error) => drop(ready_in.send(Err(error))),
            },
        )
        .map_err(SessionError::Thread)?;
    let (control, run_state) = ready
        .recv()
        .map_err(|_| SessionError::Engine(EngineError::WorkersGone))??;
    Ok(RunHandle {
        events,
        control,
        run_state,
        clock,
        notes,
    })
}

/// Checks for problems before anything is sent.
fn check(test: &Test, options: &RunOptions) -> Result<(), SessionError> {
    let workers = options.workers.unwrap_or_else(usable_cores);
    let files = check_open_files(&test.plan, workers, raise_open_files());
    if !options.force {
        files?;
    }
    let length = test.plan.regular_end();
    match options.warm_up {
        WarmUpSetting::For(warm_up) if warm_up >= length => Err(SessionError::WarmUpTooLong {
            warm_up,
            test: length,
        }),
        _ => Ok(()),
    }
}

/// Cores this process may run on: its affinity, cut by the cgroup's CPU quota.
fn usable_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

struct Session {
    engine: Engine,
    judge: Judge,
    registry: Arc<Registry>,
    summarizer: Option<Arc<dyn Summarizer>>,
    events: Sender<SessionEvent>,
    series: Option<Series>,
    arrivals: Option<ArrivalProcess>,
    latency_start: LatencyStart,
    goals: Option<Arc<dyn GoalJudge>>,
    observer: Option<TargetObserver>,
    /// How long it watches on after the load.
    observed_after: Duration,
}

impl Session {
    fn new(
        test: Test,
        options: &RunOptions,
        clock: MonotonicClock,
        events: Sender<SessionEvent>,
    ) -> Result<Self, SessionError> {
        let workers = options.workers.unwrap_or_else(usable_cores);
        let mut engine_options = EngineOptions::new(workers);
        engine_options.drain = options.drain;
        engine_options.paused = options.paused;
        engine_options.peer_policy.clone_from(&test.peer_policy);
        engine_options.run_tags = test.plan.tags.clone();
        engine_options.fold = FoldRule::new(
            SERIES_MAX as usize,
            FoldRule::USUALLY_KEPT,
            test.submetrics.named_tags(),
        );
        let outputs = options.outputs.as_deref().map(|request| {
            let (registry, submetrics) = (&test.registry, &test.submetrics);
            outputs::start(request, &test.plan, registry, submetrics, clock)
        });
        let outputs = outputs.transpose()?;
        let arrivals = options.arrival_process(&test.plan);
        let is_tapped = outputs
            .as_ref()
            .is_some_and(|outputs| outputs.wants_samples());
        engine_options.tap = is_tapped.then(|| TapPool::new(outputs::TAPPED_SAMPLES_MAX));
        let mut about = RunInfo::default();
        describe_goals(&test, &mut about);
        let recorder = options.keep.as_deref().map(|keeping| {
            let mut keeping = keeping.clone();
            describe(&test, &mut keeping.about);
            keeping.about.series.clone_from(&options.series);
            Recorder::start(keeping)
        });
        let measures = RunMetrics {
            registry: test.registry.clone(),
            submetrics: test.submetrics,
        };
        let load_lasts = test.plan.regular_end();
        let engine = Engine::start(test.plan, engine_options, test.factory, measures, clock)?;
        if options.answers.are_wanted() {
            engine.run_state().answer_samples.turn_on();
        }
        let observe = options.observe.as_deref();
        let observer = observe.map(|request| observed::start(request, clock, &events));
        let explanation = observer.as_ref().map(|observer| {
            let is_open = arrivals.is_some();
            let judged = JudgedLoad {
                is_open,
                objectives: objectives(&about),
            };
            LiveExplanation::start(observer.peek(), judged, events.clone())
        });
        let judge = Judge::new(
            test.thresholds,
            HealthWatch::new(workers),
            engine.run_state(),
            events.clone(),
            options.warm_up,
        )
        .of_load(load_lasts)
        .keeping(recorder, test.registry.clone())
        .holding(options.answers.clone(), options.redactor())
        .sending(outputs)
        .followed_by(test.follower)
        .seeing(observer.as_ref().map(TargetObserver::peek))
        .explaining(explanation.transpose().map_err(SessionError::Thread)?);
        Ok(Self {
            engine,
            judge,
            registry: test.registry,
            summarizer: test.summarizer,
            events,
            series: options.series.clone(),
            arrivals,
            latency_start: test.latency_start,
            goals: test.goals,
            observer,
            observed_after: observe.map_or(Duration::ZERO, |request| request.after),
        })
    }

    fn note_from(&mut self, notes: Receiver<RunNote>) {
        self.judge.note_from(notes);
    }

    fn run_to_end(mut self) {
        let ending = self.engine.run(&mut self.judge);
        let run_state = self.engine.run_state();
        let began = ending.began;
        let ended = ending.ended.unwrap_or_else(|| self.engine.now());
        let counted_from = self.judge.counted_from().or(began);
        let length = counted_from.map_or(Duration::ZERO, |from| ended.since(from));
        self.judge.finish(self.engine.totals(), length);
        let gaps = self.gaps(&run_state, ending.workers_lost);
        let mut cause = ending.cause.or_else(|| run_state.stop_cause().cloned());
        let mut summary = self.summarize_totals(&run_state, length, cause.as_ref());
        let answers_kept = self.judge.compare_answers(&mut summary.run);
        let goals = self.goals.as_deref();
        let rest = (self.judge).look_again(&mut summary, self.engine.totals(), goals);
        let stands = summary.run.validity.map(|it| it.standing) == Some(VerdictStanding::Same);
        let mut summarize = None;
        if let Some(summarizer) = &self.summarizer
            && !ending.workers_lost
        {
            summarizer.give(&summary);
            summarize = match self.engine.summarize(&mut self.judge) {
                Ok(fault) => fault,
                Err(error) => Some(Fault {
                    class: FaultClass::Panic,
                    message: error.to_string(),
                }),
            };
        }
        if let Some(fault) = ending.setup.as_ref().or(ending.teardown.as_ref())
            && summary.run.ending == Ending::Finished
        {
            summary.run.ending = Ending::Failed {
                message: fault.message.clone(),
            };
        }
        let warm_up = self.judge.warm_up(ended, self.engine.totals());
        let sent = self.judge.finish_outputs(self.engine.now());
        // A person who stops a run wants its end.
        let is_stopped = ending.workers_lost || cause.is_some() || began.is_none();
        let signals = self.observe_after(!is_stopped, &run_state);
        self.judge.take_notes(ended);
        let kept = self.record(&summary, warm_up, began.is_some(), &signals);
        let defect = kept.as_ref().and_then(defect_of);
        if let Some(fault) = defect.filter(|_| cause.is_none()) {
            let stop = StopCause::Failed(fault);
            summary.run.ending = ending_of(Some(&stop));
            cause = Some(stop);
        }
        let outcome = RunResult {
            summary,
            rest: rest.filter(|_| stands),
            cause,
            setup: ending.setup,
            teardown: ending.teardown,
            summarize,
            marked_failed: run_state.is_failed(),
            exceptions: run_state.exceptions.load(Ordering::Relaxed),
            began: began.is_some(),
            warm_up,
            series: self.series.take(),
            kept,
            outputs: sent,
            signals,
            gaps,
            answers_kept,
        };
        // The receiver is gone only when the process is about to end.
        let _ = self.events.send(SessionEvent::Finished(Box::new(outcome)));
        self.engine.close(CLOSE_TIMEOUT);
    }

    /// Stores the end of the run, if it is to be kept.
    fn record(
        &mut self,
        summary: &Summary,
        warm_up: Option<WarmUp>,
        began: bool,
        signals: &Signals,
    ) -> Option<RecordingResult> {
        let noted = self.judge.noted_verdict();
        let mut recorder = self.judge.take_recorder()?;
        if !signals.is_empty() {
            recorder.signals(signals.clone());
        }
        let end = RunEnd {
            run: summary.run.clone(),
            warm_up,
            began,
            verdict: noted.unwrap_or_else(|| summary.verdict().word().to_owned()),
            detail: summary.verdict_detail(),
            lower_bounds: summary.latency_lower_bounds(),
            bodies: self.judge.take_bodies(),
        };
        Some(recorder.finish(end, self.engine.totals(), STORE_TIMEOUT))
    }

    /// Watches the target for some seconds without load, where that is asked for; all that was observed.
    fn observe_after(&mut self, is_wanted: bool, run_state: &RunState) -> Signals {
        let Some(observer) = self.observer.take() else {
            return Signals::default();
        };
        // Of sources that never answered there is nothing to compare with.
        let has_answers = || !observer.peek().so_far().series().is_empty();
        if is_wanted && self.observed_after > Duration::ZERO && has_answers() {
            let after = self.observed_after;
            // The receiver is gone only when the process is about to end.
            let _ = self.events.send(SessionEvent::WatchesOn { after });
            let until = self.engine.now() + after;
            while self.engine.now() < until && run_state.stop_cause().is_none() {
                // Nothing is ever sent.
                let _ = never::<()>().recv_timeout(STOP_LOOK_INTERVAL);
            }
        }
        observer.finish(observed::LAST_ANSWER_TIMEOUT)
    }

    /// What is not accounted for. The counts of a worker that died are lost, and totals without
    /// the warm-up are not those of the whole run.
    fn gaps(&self, run_state: &RunState, workers_lost: bool) -> Vec<Gap> {
        let all = accounting::from_run_state(run_state);
        if workers_lost {
            return Vec::new();
        }
        if self.judge.counted_from().is_some() {
            return all.gaps();
        }
        accounting::gaps(&all, self.engine.totals().totals())
    }

    fn summarize_totals(
        &self,
        run_state: &RunState,
        length: Duration,
        cause: Option<&StopCause>,
    ) -> Summary {
        let totals = self.engine.totals();
        let mut run = Run::finished(length);
        run.ending = ending_of(cause);
        run.complete_iterations = run_state.complete.load(Ordering::Relaxed);
        run.interrupted_iterations = run_state.interrupted.load(Ordering::Relaxed);
        run.accounting = Some(accounting::from_run_state(run_state));
        run.exceptions = run_state.exceptions.load(Ordering::Relaxed);
        run.failed_users = run_state.failed_users.load(Ordering::Relaxed);
        run.redirects = run_state.redirects.load(Ordering::Relaxed);
        run.redirected_to = run_state.redirected_to.get().cloned();
        run.failed_answers = judge::failed_answers(run_state);
        run.goals = self.goals.as_ref().and_then(|goals| goals.judge());
        if run_state.is_failed() {
            // The test's own judgement is a goal of it, and a missed one.
            run.goals.get_or_insert_default().all += 1;
        }
        run.most_vus = most_vus(run_state, totals);
        run.arrivals = self.arrivals;
        run.latency_start = self.latency_start;
        run.setup_data = self.summarizer.as_ref().and_then(|s| s.setup_data());
        run.generator = self.judge.health.report(run_state, totals);
        Summary::new(totals, &self.registry, &self.judge.thresholds, run)
    }
}
