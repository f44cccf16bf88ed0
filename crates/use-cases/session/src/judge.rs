//! Judges thresholds during the run and at its end, and passes events on.

mod deliver;
mod generator;
mod note;
mod rest;
mod target;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};
use loadline_engine::{self as engine, Observer};
use loadline_metrics::threshold::{Evaluation, Phase, Thresholds};
use loadline_metrics::{Merger, MetricValue, Registry, Window, builtin};
use loadline_observe::SignalReader;
use loadline_outputs::Outputs;
use loadline_record::{self as record, Redactor, WarmUpEnd, event_kind};
use loadline_store::Recorder;
use loadline_units::Time;
use loadline_vu::{Fault, RunState, ScenarioState, StopCause};

pub(crate) use generator::failed_answers;
pub use note::RunNote;

use crate::answers::{AnswerOptions, GatheredAnswers};
use crate::bodies::GatheredBodies;
use crate::event::{Second, SessionEvent, ThresholdState};
use crate::follow::RunObserver;
use crate::health::{CloseGoals, HealthWatch, TouchedSeconds};
use crate::live_explanation::LiveExplanation;
use crate::warm_up::{Steadiness, WarmUpSetting};
use target::TargetKeeper;

/// How often thresholds are judged during a run (as in k6).
const JUDGE_INTERVAL: Duration = Duration::from_secs(2);

/// Half the length of a window.
const HALF_WINDOW: Duration = Duration::from_millis(500);

/// Follows the engine's events for a session.
pub(crate) struct Judge {
    pub(crate) thresholds: Thresholds,
    pub(crate) health: HealthWatch,
    pub(crate) touched: TouchedSeconds,
    /// The thresholds as the seconds that were not touched have them.
    calm: Thresholds,
    /// Goals that the generator's delays could make seem missed.
    close_goals: CloseGoals,
    run_state: Arc<RunState>,
    names: Vec<(String, &'static str)>,
    events: Sender<SessionEvent>,
    follower: Option<Arc<dyn RunObserver>>,
    /// When the first window began.
    windows_from: Time,
    /// How long the plan's load lasts, from its beginning.
    load_lasts: Duration,
    began: Option<Time>,
    judge_at: Time,
    warm_up: WarmUpSetting,
    steadiness: Steadiness,
    /// The warm-up, once it was over, and when that was.
    warmed_up: Option<(record::WarmUp, Time)>,
    /// The run's record, if it is kept, and the metrics there are.
    recorder: Option<(Recorder, Arc<Registry>)>,
    told_of_series: bool,
    outputs: Option<Outputs>,
    notes: Option<Receiver<RunNote>>,
    target: Option<TargetKeeper>,
    verdict: Option<String>,
    explanation: Option<LiveExplanation>,
    bodies: GatheredBodies,
    answers: GatheredAnswers,
    answer_options: AnswerOptions,
    redactor: Redactor,
}

impl Judge {
    pub(crate) fn new(
        thresholds: Thresholds,
        health: HealthWatch,
        run_state: Arc<RunState>,
        events: Sender<SessionEvent>,
        warm_up: WarmUpSetting,
    ) -> Self {
        let names = run_state
            .scenarios()
            .iter()
            .map(|scenario| (scenario.info().name.clone(), scenario.info().executor))
            .collect();
        Self {
            calm: thresholds.clone(),
            close_goals: CloseGoals::new(&thresholds),
            thresholds,
            health,
            touched: TouchedSeconds::default(),
            run_state,
            names,
            events,
            follower: None,
            windows_from: Time::ZERO,
            load_lasts: Duration::MAX,
            began: None,
            judge_at: Time::MAX,
            warm_up,
            steadiness: Steadiness::default(),
            warmed_up: None,
            recorder: None,
            told_of_series: false,
            outputs: None,
            notes: None,
            target: None,
            verdict: None,
            explanation: None,
            bodies: GatheredBodies::default(),
            answers: GatheredAnswers::default(),
            answer_options: AnswerOptions::default(),
            redactor: Redactor::default(),
        }
    }

    /// The same, telling while the run goes on what limits it.
    pub(crate) fn explaining(mut self, explanation: Option<LiveExplanation>) -> Self {
        self.explanation = explanation;
        self
    }

    /// Has the last seconds explained, if it is time for it.
    fn explain(&mut self, second: &Second, totals: &Merger) {
        let counts = self.began.is_some() && !self.is_warming();
        let Some(explanation) = &mut self.explanation else {
            return;
        };
        if !counts {
            explanation.clear();
            return;
        }
        let users = self.run_state.users_active.load(Ordering::Relaxed);
        if explanation.take(second, users) {
            explanation.explain(users, &self.health.report(&self.run_state, totals));
        }
    }

    /// The same, of load that lasts so long.
    pub(crate) fn of_load(mut self, lasts: Duration) -> Self {
        self.load_lasts = lasts;
        self
    }

    /// Whether the load ran through all of a window, on every worker.
    fn is_whole(&self, window: &Window) -> bool {
        let Some(began) = self.began else {
            return false;
        };
        let from = self.windows_from + Duration::from_secs(window.index);
        let until = from + Duration::from_secs(1);
        let is_over = self.run_state.stop_cause().is_some()
            || self
                .run_state
                .scenarios()
                .iter()
                .all(ScenarioState::is_finished);
        from >= began
            && until.since(began) <= self.load_lasts
            && !is_over
            && !window.is_partial()
            && window.late.is_empty()
    }

    /// Also stores what comes over `notes`.
    pub(crate) fn note_from(&mut self, notes: Receiver<RunNote>) {
        self.notes = Some(notes);
    }

    /// The same, keeping what is seen of the target while the run goes on.
    pub(crate) fn seeing(mut self, seen: Option<SignalReader>) -> Self {
        self.target = seen.map(TargetKeeper::new);
        self
    }

    /// The verdict that was noted, if one was.
    pub(crate) fn noted_verdict(&self) -> Option<String> {
        self.verdict.clone()
    }

    /// The same, keeping a record of all it sees.
    pub(crate) fn keeping(mut self, recorder: Option<Recorder>, registry: Arc<Registry>) -> Self {
        self.recorder = recorder.map(|recorder| (recorder, registry));
        self
    }

    /// The same, giving every window to outputs.
    pub(crate) fn sending(mut self, outputs: Option<Outputs>) -> Self {
        self.outputs = outputs;
        self
    }

    /// The record, to be finished.
    pub(crate) fn take_recorder(&mut self) -> Option<Recorder> {
        self.recorder.take().map(|(recorder, _)| recorder)
    }

    /// Ends the run because of a defect of an output; the summary is still made.
    fn end_with(&self, defect: Fault) {
        self.run_state.request_stop(StopCause::Failed(defect));
    }

    /// The same, with `follower` seeing every window.
    pub(crate) fn followed_by(mut self, follower: Option<Arc<dyn RunObserver>>) -> Self {
        self.follower = follower;
        self
    }

    /// When what counts began, if a warm-up came before it.
    pub(crate) fn counted_from(&self) -> Option<Time> {
        self.warmed_up.map(|(_, at)| at)
    }

    /// The warm-up of a run that ended at `ended`, if there was to be one.
    pub(crate) fn warm_up(&self, ended: Time, totals: &Merger) -> Option<record::WarmUp> {
        if self.warm_up == WarmUpSetting::None {
            return None;
        }
        if let Some((warm_up, _)) = self.warmed_up {
            return Some(warm_up);
        }
        let length = self
            .began
            .map_or(Duration::ZERO, |began| ended.since(began));
        Some(measured(totals, length, WarmUpEnd::Never))
    }

    /// Whether samples do not count yet.
    fn is_warming(&self) -> bool {
        self.warm_up != WarmUpSetting::None && self.warmed_up.is_none()
    }

    /// Starts the totals anew at the first window after the warm-up.
    fn warm(&mut self, now: Time, second: &Second, totals: &mut Merger) {
        let Some(began) = self.began.filter(|_| self.is_warming()) else {
            return;
        };
        let passed = now.since(began);
        let end = match self.warm_up {
            WarmUpSetting::None => return,
            WarmUpSetting::For(length) => {
                // The window's end that is nearest to the time asked for.
                (passed + HALF_WINDOW >= length).then_some(WarmUpEnd::Time)
            }
            WarmUpSetting::UntilSteady { at_most } => {
                let (rate, p95) = pace(second);
                // The window in which scenarios begin is not a full one.
                let is_full = passed > Duration::from_millis(1500);
                if is_full && self.steadiness.push(rate, p95) {
                    Some(WarmUpEnd::Steady)
                } else {
                    (passed >= at_most).then_some(WarmUpEnd::Longest)
                }
            }
        };
        let Some(end) = end else {
            return;
        };
        let warm_up = measured(totals, passed, end);
        totals.reset_totals();
        self.touched.restart();
        self.close_goals.restart();
        self.bodies.restart();
        if let Some(follower) = &self.follower {
            follower.counted_from_here();
        }
        if let Some((recorder, _)) = &mut self.recorder {
            recorder.counted_from(totals.next_window());
        }
        let detail = serde_json::json!({ "seconds": passed.as_secs_f64(), "measured": warm_up });
        self.note(now, event_kind::WARMED_UP, detail);
        self.warmed_up = Some((warm_up, now));
        self.judge_at = now + JUDGE_INTERVAL;
        self.emit(SessionEvent::WarmedUp(warm_up));
    }

    pub(crate) fn emit(&self, event: SessionEvent) {
        // The run ends properly even if the caller dropped the receiver.
        let _ = self.events.send(event);
    }

    /// Judges everything for the last time; `elapsed` is the run's length.
    pub(crate) fn finish(&mut self, totals: &Merger, elapsed: Duration) -> Evaluation {
        self.thresholds
            .evaluate(totals.totals(), elapsed, Phase::Final)
    }

    fn judge(&mut self, now: Time, totals: &Merger) {
        let Some(began) = self.counted_from().or(self.began) else {
            return;
        };
        // The window's end that is nearest to the time: windows begin with the first user made,
        // the scenarios a little later.
        if now + HALF_WINDOW < self.judge_at || self.is_warming() {
            return;
        }
        self.judge_at += JUDGE_INTERVAL;
        if self.judge_at < now {
            self.judge_at = now + JUDGE_INTERVAL;
        }
        let evaluation =
            self.thresholds
                .evaluate(totals.totals(), now.since(began), Phase::Running);
        self.run_state.set_crossed(!evaluation.crossed.is_empty());
        self.send_thresholds(totals);
        if evaluation.abort {
            self.run_state.request_stop(StopCause::ThresholdsCrossed {
                metrics: evaluation.crossed,
            });
        }
    }
}

impl Judge {
    fn send_thresholds(&self, totals: &Merger) {
        let all = self.thresholds.all().iter();
        let states: Vec<ThresholdState> = all
            .map(|threshold| ThresholdState {
                metric: threshold.subject.name.clone(),
                condition: threshold.condition.text.clone(),
                kind: threshold.subject.kind,
                contains: totals.registry().get(threshold.subject.metric).contains,
                verdict: threshold.verdict,
            })
            .collect();
        if !states.is_empty() {
            self.emit(SessionEvent::Judged(states));
        }
    }
}

/// A second's throughput and latency: of requests, or, of a test without any, the
/// iterations alone.
fn pace(second: &Second) -> (f64, Option<f64>) {
    if second.requests > 0.0 {
        return (second.requests, second.durations.percentile(0.95));
    }
    (second.iterations, (second.iterations > 0.0).then_some(0.0))
}

/// The record of a warm-up of this length, from the totals so far.
fn measured(totals: &Merger, duration: Duration, end: WarmUpEnd) -> record::WarmUp {
    let totals = totals.totals();
    let requests = match totals.metric(builtin::HTTP_REQS) {
        Some(MetricValue::Counter(Some(sum))) => sum.value(),
        _ => 0.0,
    };
    let p95_ms = match totals.metric(builtin::HTTP_REQ_DURATION) {
        Some(MetricValue::Trend(trend)) => trend.percentile(0.95),
        _ => None,
    };
    let errors = match totals.metric(builtin::HTTP_REQ_FAILED) {
        Some(MetricValue::Rate(rate)) => rate.share().unwrap_or(0.0),
        _ => 0.0,
    };
    record::WarmUp {
        duration,
        end,
        requests,
        p95_ms,
        errors,
    }
}

impl Observer for Judge {
    fn observe(&mut self, event: &engine::EngineEvent<'_>, now: Time, totals: &mut Merger) {
        self.keep(event, now, totals);
        let told = match event {
            engine::EngineEvent::WindowsOpen(at) => {
                self.windows_from = *at;
                if let Some(outputs) = &mut self.outputs {
                    outputs.windows_open(*at);
                }
                return;
            }
            engine::EngineEvent::UsersMade { made, planned } => SessionEvent::UsersMade {
                made: *made,
                planned: *planned,
            },
            engine::EngineEvent::Waits => SessionEvent::Waits,
            engine::EngineEvent::StageBegins(stage) => SessionEvent::StageBegins(*stage),
            engine::EngineEvent::Begins(at) => {
                self.began = Some(*at);
                self.judge_at = *at + JUDGE_INTERVAL;
                self.health.begin();
                SessionEvent::Begins(*at)
            }
            engine::EngineEvent::Window(window) => {
                self.health.sample(now);
                self.show(window, totals);
                self.send(window, totals, now);
                let mut second = Second::new(window, totals);
                second.generator = self.health.last_second();
                let delays = self.touched.delays(&self.run_state, second.generator);
                second.stalled = delays.stalled;
                self.take_notes(now);
                self.keep_target(now);
                self.keep_health(window.index, totals);
                self.keep_bodies();
                if self.began.is_some() && !self.is_warming() {
                    self.count(window, delays, totals);
                }
                self.explain(&second, totals);
                self.warm(now, &second, totals);
                self.judge(now, totals);
                self.count_series(now, totals);
                SessionEvent::Second(Box::new(second))
            }
            engine::EngineEvent::OutOfUsers { scenario, active } => {
                let (scenario, executor) = self.names[scenario.index()].clone();
                SessionEvent::OutOfUsers {
                    scenario,
                    executor,
                    active: *active,
                }
            }
            engine::EngineEvent::ExtraFailed { scenario, fault } => {
                let (scenario, executor) = self.names[scenario.index()].clone();
                SessionEvent::ExtraFailed {
                    scenario,
                    executor,
                    message: fault.message.clone(),
                }
            }
            engine::EngineEvent::WorkerHeld(hold) => SessionEvent::WorkerHeld((*hold).clone()),
            engine::EngineEvent::ScenariosOver => {
                self.health.end(now);
                SessionEvent::ScenariosOver
            }
            engine::EngineEvent::Failed(fault) => SessionEvent::Failed((*fault).clone()),
        };
        self.emit(told);
    }
}
