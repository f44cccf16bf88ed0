//! What has been seen of a run so far.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use loadline_explain::Explanation;
use loadline_metrics::threshold::ConditionState;
use loadline_report::document::printable;
use loadline_report::url::observed_value;
use loadline_report::{explanation, goals};
use loadline_session::{Second, SessionEvent, ThresholdState};
use loadline_terminal::{
    FailureView, GoalView, LatencyView, LiveState, LiveView, ScenarioView, SecondFigures,
    WindowFigures,
};
use loadline_text::Catalog;
use loadline_units::Time;
use loadline_vu::{LifecycleStage, ProgressUnit, RunState};

/// Seconds of the middle window of latencies.
const LATENCY_WINDOW_SECONDS: usize = 10;
/// Kinds of failure that are shown; further ones are not.
const FAILURES_MAX: usize = 50;
/// Texts of answers that are shown with a status.
const ANSWER_TEXTS_MAX: usize = 3;

/// A run as its events and counters tell it.
pub(super) struct ObservedRun {
    pub(super) view: LiveView,
    pub(super) run_state: Arc<RunState>,
    /// Whether each source of signals answers.
    pub(super) sources: BTreeMap<String, bool>,
    pub(super) paused: bool,
    /// What is measured does not count yet.
    pub(super) warming: bool,
    stage: Option<LifecycleStage>,
    began: bool,
    last_seconds: VecDeque<WindowFigures>,
    /// Starts that had come due a second ago.
    planned: u64,
    /// Failed requests by status and error.
    failures: BTreeMap<(String, String), f64>,
    explanation: Option<Box<Explanation>>,
}

impl ObservedRun {
    pub(super) fn new(title: String, run_state: Arc<RunState>, warming: bool) -> Self {
        let mut view = LiveView::new(printable::line(&title));
        view.whole = whole(&run_state);
        Self {
            view,
            run_state,
            sources: BTreeMap::new(),
            paused: false,
            warming,
            stage: None,
            began: false,
            last_seconds: VecDeque::new(),
            planned: 0,
            failures: BTreeMap::new(),
            explanation: None,
        }
    }

    pub(super) fn on_event(&mut self, event: &SessionEvent, catalog: &Catalog) {
        match event {
            SessionEvent::UsersMade { made, planned } => {
                self.view.state = LiveState::Making {
                    made: *made,
                    planned: *planned,
                };
            }
            SessionEvent::StageBegins(stage) => self.stage = Some(*stage),
            SessionEvent::Begins(_) => {
                self.stage = None;
                self.began = true;
            }
            SessionEvent::Second(second) if self.began => self.add(second),
            SessionEvent::WarmedUp(_) => {
                self.warming = false;
                self.view.latency.run = WindowFigures::default();
                self.failures.clear();
            }
            SessionEvent::Judged(states) => {
                self.view.goals = states.iter().map(goal).collect();
            }
            SessionEvent::Target(target) => self.view.target = **target,
            SessionEvent::Explained(explanation) => {
                self.explanation = Some(explanation.clone());
                self.limit_in(catalog);
            }
            _ => {}
        }
    }

    /// Says in the words of `catalog` what limits the run.
    pub(super) fn limit_in(&mut self, catalog: &Catalog) {
        let explanation = self.explanation.as_ref();
        self.view.limit =
            explanation.and_then(|explanation| explanation::so_far(explanation, catalog));
    }

    fn add(&mut self, second: &Second) {
        let figures = WindowFigures {
            requests: second.requests,
            failed: second.failed as f64,
            durations: second.durations.clone(),
        };
        let planned = self.sum(|scenario| &scenario.planned);
        let offered = planned - std::mem::replace(&mut self.planned, planned);
        self.view.history.push(SecondFigures {
            requests: second.requests,
            p95_ms: second.durations.percentile(0.95),
            iterations: second.iterations,
            planned: (planned > 0).then_some(offered as f64),
            dropped: second.dropped,
        });
        if self.last_seconds.len() == LATENCY_WINDOW_SECONDS {
            self.last_seconds.pop_front();
        }
        self.view.latency.run.add(&figures);
        self.last_seconds.push_back(figures.clone());
        let mut ten_seconds = WindowFigures::default();
        self.last_seconds
            .iter()
            .for_each(|one| ten_seconds.add(one));
        self.view.latency = LatencyView {
            second: figures,
            ten_seconds,
            run: std::mem::take(&mut self.view.latency.run),
        };
        self.view.generator = second.generator.as_ref().map(|generator| generator.cpu);
        self.count(second);
    }

    fn count(&mut self, second: &Second) {
        for failure in &second.failures {
            let key = (failure.status.clone(), failure.error.clone());
            if self.failures.len() < FAILURES_MAX || self.failures.contains_key(&key) {
                *self.failures.entry(key).or_default() += failure.count;
            }
        }
        let answers = if self.failures.is_empty() {
            Vec::new()
        } else {
            self.run_state.failed_answers.all()
        };
        let named = self.failures.iter().map(|((status, error), count)| {
            let what = match status.as_str() {
                "" | "0" => error.clone(),
                status => {
                    let texts = answers.iter().filter(|(of, ..)| of.to_string() == status);
                    let texts: Vec<&str> = texts
                        .map(|(_, text, _)| &**text)
                        .take(ANSWER_TEXTS_MAX)
                        .collect();
                    format!("{status} {}", texts.join(" / "))
                }
            };
            FailureView {
                what: printable::line(what.trim_end()),
                count: *count,
            }
        });
        self.view.failures = named.collect();
        let most_first = |a: &FailureView, b: &FailureView| b.count.total_cmp(&a.count);
        self.view.failures.sort_by(most_first);
    }

    /// Reads the counters.
    pub(super) fn refresh(&mut self, now: Time) {
        let state = self.run_state.clone();
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        self.view.elapsed = state
            .started()
            .map_or(Duration::ZERO, |began| now.since(began));
        self.view.load.users_active = load(&state.users_active);
        self.view.load.users = load(&state.users);
        self.view.load.complete = load(&state.complete);
        self.view.load.interrupted = load(&state.interrupted);
        self.view.load.dropped = self.sum(|scenario| &scenario.dropped);
        self.view.is_crossed = state.is_crossed();
        let scenarios = state.scenarios().iter().map(|scenario| ScenarioView {
            name: printable::line(&scenario.info().name),
            share: if scenario.is_finished() {
                1.0
            } else {
                scenario.progress(now)
            },
            users: load(&scenario.users),
        });
        self.view.scenarios = scenarios.collect();
        self.view.state = match (self.stage, self.began) {
            (Some(LifecycleStage::Setup), _) => LiveState::Setup,
            (Some(LifecycleStage::Teardown), _) => LiveState::Teardown,
            (Some(LifecycleStage::Summarize), _) => self.view.state,
            (None, false) => self.view.state,
            (None, true) if state.stop_cause().is_some() => LiveState::Stopping,
            (None, true) if self.paused => LiveState::Paused,
            (None, true) if self.warming => LiveState::Warming,
            (None, true) => LiveState::Measuring,
        };
    }

    fn sum(&self, counter: impl Fn(&loadline_vu::ScenarioState) -> &AtomicU64) -> u64 {
        let scenarios = self.run_state.scenarios().iter();
        scenarios
            .map(|scenario| counter(scenario).load(Ordering::Relaxed))
            .sum()
    }
}

fn goal(state: &ThresholdState) -> GoalView {
    let verdict = state.verdict;
    GoalView {
        goal: printable::line(&goals::name(&state.metric, &state.condition)),
        observed: observed_value(
            state.kind,
            state.contains,
            verdict.observed,
            verdict.at_least,
        ),
        met: match verdict.outcome {
            ConditionState::Passed => Some(true),
            ConditionState::Failed => Some(false),
            ConditionState::NoData => None,
        },
    }
}

/// How long the load lasts; `None` where iterations decide it.
fn whole(run_state: &RunState) -> Option<Duration> {
    let ends = run_state.scenarios().iter().map(|scenario| {
        let info = scenario.info();
        match info.progress {
            ProgressUnit::Time(length) => Some(info.start_time + length),
            ProgressUnit::Iterations(_) => None,
        }
    });
    ends.collect::<Option<Vec<Duration>>>()?.into_iter().max()
}
