//! What limits a run, while it goes on: the last half minute, explained anew every few seconds.
//!
//! The run's thread only collects figures; what they say is worked out on a thread of its own. What older seconds said
//! counts on ([`so_far`]).

mod so_far;

use std::collections::VecDeque;

use crossbeam_channel::{Receiver, Sender, bounded};
use loadline_analysis::compare::ComparedWindow;
use loadline_explain::{ExplainedLoad, ExplainedRun, GivenObjective, explain};
use loadline_observe::SignalReader;
use loadline_record::GeneratorHealth;
use loadline_record::signals::TargetSnapshot;
use std::time::Duration;

use crate::event::{Second, SessionEvent};
use so_far::ExplainedSoFar;

/// Seconds that are looked at.
const LOOKED_AT: usize = 30;
/// Fewer say nothing.
const WINDOWS_MIN: usize = 10;
/// Seconds between two explanations.
const EXPLANATION_INTERVAL_SECONDS: u64 = 5;

/// How the load is made and what it is judged by.
pub(crate) struct JudgedLoad {
    /// Iterations are started at a rate, whatever the answers.
    pub(crate) is_open: bool,
    /// What is asked of the requests.
    pub(crate) objectives: Vec<GivenObjective>,
}

/// Collects what the thread explains.
pub(crate) struct LiveExplanation {
    explained: Sender<ExplainedRun>,
    judged: JudgedLoad,
    windows: VecDeque<ComparedWindow>,
    /// The number of the last window.
    last: u64,
}

impl LiveExplanation {
    /// Starts the thread. What is worked out goes to `events`.
    ///
    /// # Errors
    /// The thread cannot be made.
    pub(crate) fn start(
        peek: SignalReader,
        judged: JudgedLoad,
        events: Sender<SessionEvent>,
    ) -> std::io::Result<Self> {
        // One waits at most: who is slow explains less often.
        let (explained, runs) = bounded(1);
        std::thread::Builder::new()
            .name("explain".to_owned())
            .spawn(move || follow(&peek, &runs, &events))?;
        Ok(Self {
            explained,
            judged,
            windows: VecDeque::new(),
            last: 0,
        })
    }

    /// Forgets what came before the run counts.
    pub(crate) fn clear(&mut self) {
        self.windows.clear();
    }

    /// Takes a second with so many users at its end; whether it is time to explain.
    pub(crate) fn take(&mut self, second: &Second, users: u64) -> bool {
        if second.window != self.last + 1 {
            // Seconds that are missing would count as none.
            self.clear();
        }
        self.last = second.window;
        let mut durations = second.durations.clone();
        durations.merge(&second.failed_durations);
        #[expect(clippy::cast_precision_loss, reason = "requests and users of a second")]
        self.windows.push_back(ComparedWindow {
            requests: second.requests,
            failed: second.failed as f64,
            refused: second.refused(),
            durations,
            failed_durations: second.failed_durations.clone(),
            iterations: second.iterations,
            dropped: second.dropped,
            checks: second.checks,
            checks_failed: second.checks_failed,
            users: users as f64,
            // What began, not what ended: a target that falls behind is asked for no less.
            planned: if self.judged.is_open {
                second.started + second.dropped
            } else {
                0.0
            },
            ..ComparedWindow::default()
        });
        if self.windows.len() > LOOKED_AT {
            self.windows.pop_front();
        }
        self.windows.len() >= WINDOWS_MIN
            && second.window.is_multiple_of(EXPLANATION_INTERVAL_SECONDS)
    }

    /// Has the last seconds explained.
    pub(crate) fn explain(&self, users: u64, health: &GeneratorHealth) {
        let seconds = self.windows.len();
        let first = self.last + 1 - u64::try_from(seconds).unwrap_or(self.last);
        let long = u64::try_from(seconds).unwrap_or(u64::MAX);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let load = ExplainedLoad {
            is_open: self.judged.is_open,
            users: users as f64,
            // Not known of the last seconds; rules that need it wait for the end.
            iteration_ms: 0.0,
            drops: health.drops,
            new_users: 0.0,
        };
        let run = ExplainedRun {
            from_ms: first * 1000,
            windows: self.windows.iter().cloned().collect(),
            load,
            times: None,
            generator_limits: health.limits(Duration::from_secs(long)),
            objectives: self.judged.objectives.clone(),
            ..ExplainedRun::default()
        };
        // Full while an older one is worked out.
        let _ = self.explained.try_send(run);
    }
}

fn follow(peek: &SignalReader, runs: &Receiver<ExplainedRun>, events: &Sender<SessionEvent>) {
    let mut so_far = ExplainedSoFar::default();
    while let Ok(mut run) = runs.recv() {
        run.carried_before = so_far.carried;
        run.signals = peek.so_far();
        let target = TargetSnapshot::new(&run.signals);
        let seen = (!target.is_empty()).then(|| SessionEvent::Target(Box::new(target)));
        if seen.is_some_and(|seen| events.send(seen).is_err()) {
            return;
        }
        let explanation = so_far.update(&run, explain(&run, &[]));
        if events
            .send(SessionEvent::Explained(Box::new(explanation)))
            .is_err()
        {
            return;
        }
    }
}
