//! What is known of a run that goes on.

use std::time::Duration;

use loadline_metrics::Histogram;
use loadline_record::signals::TargetSnapshot;

use crate::history::LiveHistory;

/// What a run is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiveState {
    /// Making its users.
    Making {
        /// Users made.
        made: u64,
        /// Users planned.
        planned: u64,
    },
    /// Set-up.
    Setup,
    /// Load goes on and does not count yet.
    Warming,
    /// Load goes on and counts.
    Measuring,
    /// Nothing new begins until somebody says so.
    Paused,
    /// What is under way comes to its end.
    Stopping,
    /// Teardown.
    Teardown,
    /// Between two trials of a study: the target gets another setting.
    Setting,
}

/// A scenario's progress.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioView {
    /// Its name.
    pub name: String,
    /// Share of it that is done, 0 to 1.
    pub share: f64,
    /// Its users.
    pub users: u64,
}

/// What was asked for and what was reached.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LoadView {
    /// Users that are busy.
    pub users_active: u64,
    /// All users.
    pub users: u64,
    /// Iterations that ended.
    pub complete: u64,
    /// Iterations that were cut.
    pub interrupted: u64,
    /// Starts that never were.
    pub dropped: u64,
    /// Load in percent of the plan's, as changed by hand.
    pub percent: u32,
}

/// The requests of some seconds.
#[derive(Debug, Clone, Default)]
pub struct WindowFigures {
    /// Requests that ended.
    pub requests: f64,
    /// Of these, failed ones.
    pub failed: f64,
    /// `http_req_duration`, ms.
    pub durations: Histogram,
}

impl WindowFigures {
    /// Adds another window's requests.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.failed += other.failed;
        self.durations.merge(&other.durations);
    }

    /// Share of failed requests, 0 to 1; `None` without requests.
    #[must_use]
    pub fn error_rate(&self) -> Option<f64> {
        (self.requests > 0.0).then(|| self.failed / self.requests)
    }
}

/// Latency and errors over three windows.
#[derive(Debug, Clone, Default)]
pub struct LatencyView {
    /// The last second.
    pub second: WindowFigures,
    /// The last ten seconds.
    pub ten_seconds: WindowFigures,
    /// All that counts.
    pub run: WindowFigures,
}

/// Requests that failed in one way.
#[derive(Debug, Clone, PartialEq)]
pub struct FailureView {
    /// Status, or what went wrong. Only printable text.
    pub what: String,
    /// How many.
    pub count: f64,
}

/// A goal and how it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalView {
    /// As written, with its metric. Only printable text.
    pub goal: String,
    /// What was measured.
    pub observed: String,
    /// Whether it holds so far; `None` before anything was measured.
    pub met: Option<bool>,
}

/// All that the screen shows. Texts hold printable characters only.
#[derive(Debug, Clone)]
pub struct LiveView {
    /// What is tested.
    pub title: String,
    /// What the run is at.
    pub state: LiveState,
    /// Time since load began.
    pub elapsed: Duration,
    /// How long the load lasts, where it is known.
    pub whole: Option<Duration>,
    /// What a search or a study is at, in lines; empty for a run. They stand in place of users
    /// and failures.
    pub stage: Vec<String>,
    /// The trials of a study: the head of the table, then a line each; empty for anything else.
    pub trials: Vec<String>,
    /// The scenarios, in plan order.
    pub scenarios: Vec<ScenarioView>,
    /// Users and iterations.
    pub load: LoadView,
    /// The last seconds, one after the other.
    pub history: LiveHistory,
    /// Latency and errors.
    pub latency: LatencyView,
    /// A threshold does not hold so far.
    pub is_crossed: bool,
    /// Goals, in the order in which they are written.
    pub goals: Vec<GoalView>,
    /// Failures, the most frequent first.
    pub failures: Vec<FailureView>,
    /// What the target shows of itself; empty where nothing is observed.
    pub target: TargetSnapshot,
    /// Share of a core that the generator's busiest worker uses, 0 to 1.
    pub generator: Option<f64>,
    /// What limits the run so far, in one line.
    pub limit: Option<String>,
    /// The last lines that were said.
    pub log: Vec<String>,
    /// The keys are explained in full.
    pub is_help: bool,
}

impl LiveView {
    /// Whether a search or a study is shown, whose load no key changes.
    pub(crate) fn is_search(&self) -> bool {
        !self.stage.is_empty()
    }

    /// Whether a study is shown.
    pub(crate) fn is_study(&self) -> bool {
        !self.trials.is_empty()
    }

    /// A run of which nothing is known but what it tests.
    #[must_use]
    pub fn new(title: String) -> Self {
        Self {
            title,
            state: LiveState::Making {
                made: 0,
                planned: 0,
            },
            elapsed: Duration::ZERO,
            whole: None,
            stage: Vec::new(),
            trials: Vec::new(),
            scenarios: Vec::new(),
            load: LoadView {
                percent: 100,
                ..LoadView::default()
            },
            history: LiveHistory::default(),
            latency: LatencyView::default(),
            is_crossed: false,
            goals: Vec::new(),
            failures: Vec::new(),
            target: TargetSnapshot::default(),
            generator: None,
            limit: None,
            log: Vec::new(),
            is_help: false,
        }
    }
}
