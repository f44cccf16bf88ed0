//! The state that workers, users and observers of a run share: counters and the stop flag.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use loadline_reactor::RemoteWaker;
use loadline_units::{RequestCounts, ScenarioId, Time};

use crate::answer_samples::AnswerSamples;
use crate::body_samples::BodySamples;
use crate::failed_answers::FailedAnswers;
use crate::stall_counts::StallCounts;
use crate::stop::StopCause;

/// The run's shared state: atomics only. Reading never blocks, and no reader needs two
/// of them to be consistent with each other.
#[derive(Debug)]
pub struct RunState {
    scenarios: Vec<ScenarioState>,
    /// Users that exist.
    pub users: AtomicU64,
    /// Users that are running an iteration (open model) or looping (closed model).
    pub users_active: AtomicU64,
    /// Iterations that ran to their end.
    pub complete: AtomicU64,
    /// Iterations that were cut.
    pub interrupted: AtomicU64,
    /// Times of more than 100 ms in which workers stood still.
    pub stalls: StallCounts,
    /// Connections that failed because no file could be opened.
    pub files_lacked: AtomicU64,
    /// Connections that failed because no local port was free.
    pub ports_lacked: AtomicU64,
    requests: RequestBoard,
    /// Requests that were cut because the test's own ramp-down took their user away.
    pub ramped_down_requests: AtomicU64,
    /// Answers that ask to come back later: 429, or 503 with Retry-After.
    pub asked_to_wait: AtomicU64,
    /// The answers to failed requests.
    pub failed_answers: FailedAnswers,
    /// A few bodies of good answers.
    pub body_samples: BodySamples,
    /// A few answers to each request, where the run is to keep them.
    pub answer_samples: AnswerSamples,
    /// The number of its [`RunPhase`].
    phase: AtomicU8,
    /// Nanoseconds at which the first scenario could start; 0 before.
    started: AtomicU64,
    /// The test marked itself failed and continues.
    failed: AtomicBool,
    /// Thresholds were crossed when they were last judged.
    crossed: AtomicBool,
    /// Iterations that ended with an exception of the script's.
    pub exceptions: AtomicU64,
    /// Virtual users that gave up before the end of their scenario, as those of Artillery files do.
    pub failed_users: AtomicU64,
    /// Answers to URL runs that point elsewhere, which is not followed.
    pub redirects: AtomicU64,
    /// Where the first of them points.
    pub redirected_to: OnceLock<String>,
    stop: OnceLock<StopCause>,
    wakers: OnceLock<Vec<RemoteWaker>>,
}

/// Request counts so far, as of the workers' last windows.
#[derive(Debug, Default)]
struct RequestBoard {
    sent: AtomicU64,
    answered: AtomicU64,
    failed: AtomicU64,
    cut: AtomicU64,
    resent: AtomicU64,
    other_ended: AtomicU64,
    other_cut: AtomicU64,
    other_failed: AtomicU64,
}

/// The fixed properties of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioDescription {
    /// Its name.
    pub name: String,
    /// Its executor, as test files spell it.
    pub executor: &'static str,
    /// From the run's start to its own.
    pub start_time: Duration,
    /// What its progress is measured by.
    pub progress: ProgressUnit,
}

/// What a scenario's progress is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressUnit {
    /// Time, out of this length.
    Time(Duration),
    /// Finished iterations, out of this number.
    Iterations(u64),
}

/// How far a run is. The engine sets it before it does what the phase says, and before it answers
/// who asked for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum RunPhase {
    /// The planned users are made.
    MakingUsers,
    /// All users exist and the run, which was started paused, waits for its release.
    Waiting,
    /// Set-up runs.
    Setup,
    /// The scenarios' clock has begun.
    Running,
    /// Teardown runs.
    Teardown,
    /// Nothing more is sent.
    Ended,
}

impl RunPhase {
    /// In the order of their numbers.
    const ALL: [Self; 6] = [
        Self::MakingUsers,
        Self::Waiting,
        Self::Setup,
        Self::Running,
        Self::Teardown,
        Self::Ended,
    ];
}

/// Why a planned start, or an iteration that the plan promised, never was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropReason {
    /// All users were busy, and no further one could be had in time.
    NoFreeUser,
    /// The test allows no more users at once.
    UserLimit,
    /// The generator came to it late.
    Late,
    /// The generator could not make a user for it.
    NoUserMade,
    /// The scenario was over.
    TimeOver,
}

impl DropReason {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::NoFreeUser,
        Self::UserLimit,
        Self::Late,
        Self::NoUserMade,
        Self::TimeOver,
    ];
}

/// One scenario's shared counters.
#[derive(Debug)]
pub struct ScenarioState {
    info: ScenarioDescription,
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
    /// The same by reason, in the order of [`DropReason::ALL`].
    drops: [AtomicU64; DropReason::ALL.len()],
    /// Users given to the scenario.
    pub users: AtomicU64,
    /// Users running an iteration of it.
    pub running: AtomicU64,
    finished: AtomicBool,
}

impl RunState {
    /// The state of a run of these scenarios, in plan order.
    #[must_use]
    pub fn new(scenarios: Vec<ScenarioDescription>) -> Self {
        Self {
            scenarios: scenarios.into_iter().map(ScenarioState::new).collect(),
            users: AtomicU64::new(0),
            users_active: AtomicU64::new(0),
            complete: AtomicU64::new(0),
            interrupted: AtomicU64::new(0),
            stalls: StallCounts::default(),
            files_lacked: AtomicU64::new(0),
            ports_lacked: AtomicU64::new(0),
            requests: RequestBoard::default(),
            ramped_down_requests: AtomicU64::new(0),
            asked_to_wait: AtomicU64::new(0),
            failed_answers: FailedAnswers::default(),
            body_samples: BodySamples::default(),
            answer_samples: AnswerSamples::default(),
            phase: AtomicU8::new(RunPhase::MakingUsers as u8),
            started: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            crossed: AtomicBool::new(false),
            exceptions: AtomicU64::new(0),
            failed_users: AtomicU64::new(0),
            redirects: AtomicU64::new(0),
            redirected_to: OnceLock::new(),
            stop: OnceLock::new(),
            wakers: OnceLock::new(),
        }
    }

    /// A scenario's counters.
    #[must_use]
    pub fn scenario(&self, id: ScenarioId) -> &ScenarioState {
        &self.scenarios[id.index()]
    }

    /// All scenarios' counters, in plan order.
    #[must_use]
    pub fn scenarios(&self) -> &[ScenarioState] {
        &self.scenarios
    }

    /// Adds a worker's request counts.
    pub fn count_requests(&self, counts: RequestCounts) {
        for (all, more) in [
            (&self.requests.sent, counts.sent),
            (&self.requests.answered, counts.answered),
            (&self.requests.failed, counts.failed),
            (&self.requests.cut, counts.cut),
            (&self.requests.resent, counts.resent),
            (&self.requests.other_ended, counts.other_ended),
            (&self.requests.other_cut, counts.other_cut),
            (&self.requests.other_failed, counts.other_failed),
        ] {
            all.fetch_add(more, Ordering::Relaxed);
        }
    }

    /// The request counts, as of the workers' last windows.
    #[must_use]
    pub fn requests(&self) -> RequestCounts {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        RequestCounts {
            sent: read(&self.requests.sent),
            answered: read(&self.requests.answered),
            failed: read(&self.requests.failed),
            cut: read(&self.requests.cut),
            resent: read(&self.requests.resent),
            other_ended: read(&self.requests.other_ended),
            other_cut: read(&self.requests.other_cut),
            other_failed: read(&self.requests.other_failed),
        }
    }

    /// Sets how far the run is.
    pub fn enter(&self, phase: RunPhase) {
        self.phase.store(phase as u8, Ordering::Release);
    }

    /// How far the run is.
    #[must_use]
    pub fn phase(&self) -> RunPhase {
        RunPhase::ALL[usize::from(self.phase.load(Ordering::Acquire))]
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

    /// Requests that the whole run stops and wakes every worker. False: a stop was
    /// requested before, and its cause stays.
    pub fn request_stop(&self, cause: StopCause) -> bool {
        let first = self.stop.set(cause).is_ok();
        if first {
            self.wake_workers();
        }
        first
    }

    /// Why the run stops, once a stop was requested.
    #[must_use]
    pub fn stop_cause(&self) -> Option<&StopCause> {
        self.stop.get()
    }

    /// Marks the test failed; it continues.
    pub fn mark_failed(&self) {
        self.failed.store(true, Ordering::Release);
    }

    /// Whether the test marked itself failed.
    #[must_use]
    pub fn is_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// Sets whether thresholds are crossed.
    pub fn set_crossed(&self, crossed: bool) {
        self.crossed.store(crossed, Ordering::Relaxed);
    }

    /// Whether thresholds were crossed when they were last judged.
    #[must_use]
    pub fn is_crossed(&self) -> bool {
        self.crossed.load(Ordering::Relaxed)
    }

    /// Sets the workers' wakers, once, when all workers exist.
    pub fn set_wakers(&self, wakers: Vec<RemoteWaker>) {
        // The engine calls this once; a second call changes nothing.
        let _ = self.wakers.set(wakers);
    }

    /// Wakes every worker.
    pub fn wake_workers(&self) {
        self.wakers
            .get()
            .into_iter()
            .flatten()
            .for_each(RemoteWaker::wake);
    }
}

impl ScenarioState {
    fn new(info: ScenarioDescription) -> Self {
        Self {
            info,
            started: AtomicU64::new(0),
            planned: AtomicU64::new(0),
            begun: AtomicU64::new(0),
            complete: AtomicU64::new(0),
            interrupted: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
            drops: Default::default(),
            users: AtomicU64::new(0),
            running: AtomicU64::new(0),
            finished: AtomicBool::new(false),
        }
    }

    /// Its fixed properties.
    #[must_use]
    pub fn info(&self) -> &ScenarioDescription {
        &self.info
    }

    /// Counts starts that never were.
    pub fn drop_starts(&self, reason: DropReason, count: u64) {
        self.dropped.fetch_add(count, Ordering::Relaxed);
        self.drops[reason as usize].fetch_add(count, Ordering::Relaxed);
    }

    /// Starts that never were for this reason.
    #[must_use]
    pub fn dropped_for(&self, reason: DropReason) -> u64 {
        self.drops[reason as usize].load(Ordering::Relaxed)
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

    /// Its progress at `now`, from 0 to 1.
    #[must_use]
    pub fn progress(&self, now: Time) -> f64 {
        let Some(started) = self.started() else {
            return 0.0;
        };
        let part = match self.info.progress {
            ProgressUnit::Time(length) if length.is_zero() => 1.0,
            ProgressUnit::Time(length) => now.since(started).as_secs_f64() / length.as_secs_f64(),
            ProgressUnit::Iterations(0) => 1.0,
            ProgressUnit::Iterations(count) => {
                let ended = self.complete.load(Ordering::Relaxed)
                    + self.interrupted.load(Ordering::Relaxed);
                ended as f64 / count as f64
            }
        };
        part.clamp(0.0, 1.0)
    }
}

/// An instant stored in an atomic, where 0 means none.
fn instant(kept: &AtomicU64) -> Option<Time> {
    match kept.load(Ordering::Acquire) {
        0 => None,
        nanos => Some(Time::from_nanos(nanos)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_state(progress: ProgressUnit) -> RunState {
        RunState::new(vec![ScenarioDescription {
            name: "default".to_owned(),
            executor: "constant-vus",
            start_time: Duration::ZERO,
            progress,
        }])
    }

    #[test]
    fn the_first_stop_cause_wins() {
        let run_state = run_state(ProgressUnit::Iterations(1));
        assert!(run_state.request_stop(StopCause::Signal));
        assert!(!run_state.request_stop(StopCause::Remote));
        assert_eq!(run_state.stop_cause(), Some(&StopCause::Signal));
    }

    #[test]
    fn a_run_is_in_the_phase_that_it_entered() {
        let run_state = run_state(ProgressUnit::Iterations(1));
        assert_eq!(run_state.phase(), RunPhase::MakingUsers);
        for phase in RunPhase::ALL {
            run_state.enter(phase);
            assert_eq!(run_state.phase(), phase);
        }
    }

    #[test]
    fn dropped_starts_are_counted_together_and_by_reason() {
        let run_state = run_state(ProgressUnit::Iterations(1));
        let scenario = run_state.scenario(ScenarioId(0));
        for (count, reason) in (1..).zip(DropReason::ALL) {
            scenario.drop_starts(reason, count);
            assert_eq!(scenario.dropped_for(reason), count);
        }
        assert_eq!(scenario.dropped.load(Ordering::Relaxed), 15);
    }

    #[test]
    fn progress_follows_time_or_iterations_and_stays_between_zero_and_one() {
        let timed = run_state(ProgressUnit::Time(Duration::from_secs(10)));
        let scenario = timed.scenario(ScenarioId(0));
        let begin = Time::from_nanos(5);
        assert!(scenario.progress(begin) <= 0.0, "not begun");
        scenario.start(begin);
        assert!((scenario.progress(begin + Duration::from_secs(4)) - 0.4).abs() < 1e-9);
        assert!((scenario.progress(begin + Duration::from_secs(40)) - 1.0).abs() < 1e-9);

        let counted = run_state(ProgressUnit::Iterations(4));
        let scenario = counted.scenario(ScenarioId(0));
        scenario.start(begin);
        scenario.complete.store(1, Ordering::Relaxed);
        assert!((scenario.progress(begin) - 0.25).abs() < 1e-9);
    }
}
