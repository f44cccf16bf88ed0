//! What all workers, users and onlookers of one run share: counters and the stop flag.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use loadline_reactor::RemoteWaker;
use loadline_units::{RequestCounts, ScenarioId, Time};

use crate::failed_answers::FailedAnswers;
use crate::stop::StopCause;

/// The run's shared state. All of it is atomics; reading costs nothing, and no reader
/// needs two of them to agree.
#[derive(Debug)]
pub struct Board {
    scenarios: Vec<ScenarioBoard>,
    /// Users that exist.
    pub users: AtomicU64,
    /// Users that are running an iteration (open model) or looping (closed model).
    pub users_active: AtomicU64,
    /// Iterations that ran to their end.
    pub complete: AtomicU64,
    /// Iterations that were cut.
    pub interrupted: AtomicU64,
    /// Times a worker was away (not scheduled, or busy in one piece) for longer than
    /// 100 ms while a scenario was open.
    pub stalls: AtomicU64,
    /// The longest such time, ns.
    pub longest_stall: AtomicU64,
    /// The longest such time since an experiment last took it, ns.
    pub recent_stall: AtomicU64,
    /// Connections that could not be made because no file could be opened.
    pub files_lacked: AtomicU64,
    /// Connections that could not be made because no local port was left.
    pub ports_lacked: AtomicU64,
    requests: RequestBoard,
    /// Answers that ask to come back later: 429, or 503 with Retry-After.
    pub asked_to_wait: AtomicU64,
    /// What failed requests were answered.
    pub failed_answers: FailedAnswers,
    /// Nanoseconds at which the first scenario could start; 0 before.
    started: AtomicU64,
    /// The test declared itself failed, and goes on.
    failed: AtomicBool,
    /// Thresholds were crossed when they were last judged.
    crossed: AtomicBool,
    /// Iterations that ended with an exception of the script's.
    pub exceptions: AtomicU64,
    stop: OnceLock<StopCause>,
    bells: OnceLock<Vec<RemoteWaker>>,
}

/// What became of requests so far, as workers told with their last window.
#[derive(Debug, Default)]
struct RequestBoard {
    sent: AtomicU64,
    answered: AtomicU64,
    failed: AtomicU64,
    cut: AtomicU64,
    resent: AtomicU64,
}

/// What is fixed about a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioCard {
    /// Its name.
    pub name: String,
    /// Its executor, as test files spell it.
    pub executor: &'static str,
    /// From the run's start to its own.
    pub start_time: Duration,
    /// What its progress is measured by.
    pub progress: Progress,
}

/// What "half done" means for a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Time passed of this length.
    Time(Duration),
    /// Iterations finished of this number.
    Iterations(u64),
}

/// One scenario's shared counters.
#[derive(Debug)]
pub struct ScenarioBoard {
    card: ScenarioCard,
    started: AtomicU64,
    /// Starts of an open model that came due.
    pub planned: AtomicU64,
    /// Iterations begun; the next one's number.
    pub begun: AtomicU64,
    /// Iterations that ran to their end.
    pub complete: AtomicU64,
    /// Iterations that were cut.
    pub interrupted: AtomicU64,
    /// Planned starts that found no idle user, and iterations never begun.
    pub dropped: AtomicU64,
    /// Users given to the scenario.
    pub users: AtomicU64,
    /// Users running an iteration of it.
    pub running: AtomicU64,
    finished: AtomicBool,
}

impl Board {
    /// A board for these scenarios, in plan order.
    #[must_use]
    pub fn new(scenarios: Vec<ScenarioCard>) -> Self {
        Self {
            scenarios: scenarios.into_iter().map(ScenarioBoard::new).collect(),
            users: AtomicU64::new(0),
            users_active: AtomicU64::new(0),
            complete: AtomicU64::new(0),
            interrupted: AtomicU64::new(0),
            stalls: AtomicU64::new(0),
            longest_stall: AtomicU64::new(0),
            recent_stall: AtomicU64::new(0),
            files_lacked: AtomicU64::new(0),
            ports_lacked: AtomicU64::new(0),
            requests: RequestBoard::default(),
            asked_to_wait: AtomicU64::new(0),
            failed_answers: FailedAnswers::default(),
            started: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            crossed: AtomicBool::new(false),
            exceptions: AtomicU64::new(0),
            stop: OnceLock::new(),
            bells: OnceLock::new(),
        }
    }

    /// A scenario's counters.
    #[must_use]
    pub fn scenario(&self, id: ScenarioId) -> &ScenarioBoard {
        &self.scenarios[id.index()]
    }

    /// All scenarios' counters, in plan order.
    #[must_use]
    pub fn scenarios(&self) -> &[ScenarioBoard] {
        &self.scenarios
    }

    /// Adds what became of a worker's requests.
    pub fn count_requests(&self, counts: RequestCounts) {
        for (all, more) in [
            (&self.requests.sent, counts.sent),
            (&self.requests.answered, counts.answered),
            (&self.requests.failed, counts.failed),
            (&self.requests.cut, counts.cut),
            (&self.requests.resent, counts.resent),
        ] {
            all.fetch_add(more, Ordering::Relaxed);
        }
    }

    /// What became of requests, as of the workers' last windows.
    #[must_use]
    pub fn requests(&self) -> RequestCounts {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        RequestCounts {
            sent: read(&self.requests.sent),
            answered: read(&self.requests.answered),
            failed: read(&self.requests.failed),
            cut: read(&self.requests.cut),
            resent: read(&self.requests.resent),
        }
    }

    /// Sets when the scenarios' clock began.
    pub fn start(&self, at: Time) {
        self.started.store(at.as_nanos().max(1), Ordering::Release);
    }

    /// When the scenarios' clock began; `None` before.
    #[must_use]
    pub fn started(&self) -> Option<Time> {
        instant(&self.started)
    }

    /// Asks the whole run to stop. Returns false when it was asked before: the first
    /// cause wins. Every worker is woken.
    pub fn request_stop(&self, cause: StopCause) -> bool {
        let first = self.stop.set(cause).is_ok();
        if first {
            self.ring_all();
        }
        first
    }

    /// Why the run is to stop, once it is.
    #[must_use]
    pub fn stop_cause(&self) -> Option<&StopCause> {
        self.stop.get()
    }

    /// Marks the test failed; it goes on.
    pub fn mark_failed(&self) {
        self.failed.store(true, Ordering::Release);
    }

    /// Whether the test declared itself failed.
    #[must_use]
    pub fn is_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// Says whether thresholds are crossed.
    pub fn set_crossed(&self, crossed: bool) {
        self.crossed.store(crossed, Ordering::Relaxed);
    }

    /// Whether thresholds were crossed when they were last judged.
    #[must_use]
    pub fn is_crossed(&self) -> bool {
        self.crossed.load(Ordering::Relaxed)
    }

    /// Hands over the workers' bells, once, when all workers exist.
    pub fn set_bells(&self, bells: Vec<RemoteWaker>) {
        // A second call would be the engine's mistake and changes nothing.
        let _ = self.bells.set(bells);
    }

    /// Wakes every worker.
    pub fn ring_all(&self) {
        self.bells
            .get()
            .into_iter()
            .flatten()
            .for_each(RemoteWaker::ring);
    }
}

impl ScenarioBoard {
    fn new(card: ScenarioCard) -> Self {
        Self {
            card,
            started: AtomicU64::new(0),
            planned: AtomicU64::new(0),
            begun: AtomicU64::new(0),
            complete: AtomicU64::new(0),
            interrupted: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
            users: AtomicU64::new(0),
            running: AtomicU64::new(0),
            finished: AtomicBool::new(false),
        }
    }

    /// What is fixed about it.
    #[must_use]
    pub fn card(&self) -> &ScenarioCard {
        &self.card
    }

    /// Sets when it began.
    pub fn start(&self, at: Time) {
        self.started.store(at.as_nanos().max(1), Ordering::Release);
    }

    /// When it began; `None` before.
    #[must_use]
    pub fn started(&self) -> Option<Time> {
        instant(&self.started)
    }

    /// Marks it finished.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Release);
    }

    /// Whether it is finished.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    /// How far it is at `now`, from 0 to 1.
    #[must_use]
    pub fn progress(&self, now: Time) -> f64 {
        let Some(started) = self.started() else {
            return 0.0;
        };
        let part = match self.card.progress {
            Progress::Time(length) if length.is_zero() => 1.0,
            Progress::Time(length) => now.since(started).as_secs_f64() / length.as_secs_f64(),
            Progress::Iterations(0) => 1.0,
            Progress::Iterations(count) => {
                let ended = self.complete.load(Ordering::Relaxed)
                    + self.interrupted.load(Ordering::Relaxed);
                ended as f64 / count as f64
            }
        };
        part.clamp(0.0, 1.0)
    }
}

/// An instant kept in an atomic, where 0 stands for none.
fn instant(kept: &AtomicU64) -> Option<Time> {
    match kept.load(Ordering::Acquire) {
        0 => None,
        nanos => Some(Time::from_nanos(nanos)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(progress: Progress) -> Board {
        Board::new(vec![ScenarioCard {
            name: "default".to_owned(),
            executor: "constant-vus",
            start_time: Duration::ZERO,
            progress,
        }])
    }

    #[test]
    fn the_first_stop_cause_wins() {
        let board = board(Progress::Iterations(1));
        assert!(board.request_stop(StopCause::Signal));
        assert!(!board.request_stop(StopCause::Remote));
        assert_eq!(board.stop_cause(), Some(&StopCause::Signal));
    }

    #[test]
    fn progress_follows_time_or_iterations_and_stays_between_zero_and_one() {
        let timed = board(Progress::Time(Duration::from_secs(10)));
        let scenario = timed.scenario(ScenarioId(0));
        let begin = Time::from_nanos(5);
        assert!(scenario.progress(begin) <= 0.0, "not begun");
        scenario.start(begin);
        assert!((scenario.progress(begin + Duration::from_secs(4)) - 0.4).abs() < 1e-9);
        assert!((scenario.progress(begin + Duration::from_secs(40)) - 1.0).abs() < 1e-9);

        let counted = board(Progress::Iterations(4));
        let scenario = counted.scenario(ScenarioId(0));
        scenario.start(begin);
        scenario.complete.store(1, Ordering::Relaxed);
        assert!((scenario.progress(begin) - 0.25).abs() < 1e-9);
    }
}
