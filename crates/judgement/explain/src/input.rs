//! What a run is explained from.

use std::collections::BTreeMap;

use loadline_metrics::{Histogram, PlannedAnswers};
use loadline_record::signals::Signals;
use loadline_record::{DropCounts, FailedAnswer, Limit};

use loadline_analysis::compare::ComparedWindow;

/// A run as `explain` reads it.
#[derive(Debug, Clone, Default)]
pub struct ExplainedRun {
    /// Where the counted part begins, ms since the run's start.
    pub from_ms: u64,
    /// Its full seconds, in order, without warm-up.
    pub windows: Vec<ComparedWindow>,
    /// How the load was made.
    pub load: ExplainedLoad,
    /// Where the time of a request went, as its caller sees it.
    pub times: Option<CallerTimes>,
    /// How the generator limited the run; empty if it did not.
    pub generator_limits: Vec<Limit>,
    /// What is known of the target.
    pub signals: Signals,
    /// How long all requests of the run took, ms, its first second included; none where they are of
    /// several kinds.
    pub alike: Option<Histogram>,
    /// Requests by the status of their answer; `0` is none.
    pub statuses: BTreeMap<String, f64>,
    /// Each kind of request with its answers; empty where they are not known.
    pub kinds: Vec<AnsweredKind>,
    /// What failed requests were answered, the most frequent first.
    pub failed_answers: Vec<FailedAnswer>,
    /// Each kind of request apart, where there are several: the most frequent ones.
    pub endpoints: Vec<ExplainedEndpoint>,
    /// What the run is judged by, as far as it is about its requests.
    pub objectives: Vec<GivenObjective>,
    /// Times in which the target was watched and nothing was asked of it.
    pub idle: Vec<IdleSpan>,
    /// Requests per second that were answered well before these windows, at most.
    pub carried_before: f64,
    /// How long a request took while little was asked, before these windows, ms; where that is known.
    pub alone_before_ms: Option<f64>,
    /// What the run is judged by was kept under less load: it is not missed by the work alone.
    pub is_kept_below: bool,
    /// The levels of a search up to the one that is looked at, as the search measured them; empty of other runs.
    pub searched: Vec<SearchedLevel>,
    /// What a search counted at a level that the target asked to end.
    pub turned_away: Option<RefusedLevel>,
    /// The share of all requests of the run that were cut unanswered at its end.
    pub cut_of_run: f64,
    /// What a search saw fail, fails with little load as with more.
    pub is_no_matter_of_load: bool,
    /// The windows that are looked at, where it is known which: those by which a search judged its level.
    pub busy: Option<std::ops::Range<usize>>,
}

impl ExplainedRun {
    /// A search held its highest load, and judged that it is carried.
    pub(super) fn is_level_carried(&self) -> bool {
        let looked_at = self.searched.last();
        looked_at.is_some_and(|level| level.is_carried == Some(true))
    }
}

/// A level of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchedLevel {
    /// Its load: iterations per second, or users.
    pub load: f64,
    /// From when to when, seconds since the run's start.
    pub window: (f64, f64),
    /// Requests per second that were answered well.
    pub answered: f64,
    /// The share of requests that failed.
    pub failed: f64,
    /// The mean time of good answers, ms.
    pub mean_ms: f64,
    /// Their 95th percentile, ms.
    pub p95_ms: f64,
    /// The search's own verdict: carried or too much; `None` where it came to none.
    pub is_carried: Option<bool>,
}

/// Requests that a target turned away, as a search counted them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RefusedLevel {
    /// The share of all that were sent.
    pub share: f64,
    /// Requests per second that got through.
    pub through: f64,
}

/// What requests of one kind were answered.
#[derive(Debug, Clone, Default)]
pub struct AnsweredKind {
    /// Their method and their name, else their URL.
    pub name: String,
    /// How many by status; `0` is none.
    pub statuses: BTreeMap<String, f64>,
    /// How many failed.
    pub failed: f64,
}

impl AnsweredKind {
    pub(super) fn requests(&self) -> f64 {
        self.statuses.values().sum()
    }
}

/// A time without load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdleSpan {
    /// Its begin, ms since the run's start.
    pub from_ms: u64,
    /// Its end.
    pub to_ms: u64,
}

/// Requests of one kind.
#[derive(Debug, Clone, Default)]
pub struct ExplainedEndpoint {
    /// Their method and their name, else their URL.
    pub name: String,
    /// How long all of them took, ms, the first second of the run included.
    pub all: Histogram,
    /// The fastest of those answered well, ms: what fails is often fast.
    pub fastest_good_ms: Option<f64>,
    /// The same seconds as those of the run.
    pub windows: Vec<ComparedWindow>,
}

/// So many times as many requests as usual, and so many more, may be under way when the load ends.
const UNDER_WAY_FACTOR_MAX: f64 = 2.0;
const UNDER_WAY_MAX: f64 = 3.0;
/// This part of the time that requests took is within the load, at least: how a queue emptied is not seen.
const IN_LOAD_PART_MIN: f64 = 0.5;
/// So many standard deviations more starts than answers are no chance.
const CHANCE_DEVIATIONS: f64 = 3.0;
/// Starts that are more than what ends by this share leave a queue behind.
const BEHIND_SHARE_MIN: f64 = 0.03;
/// A run whose counted part begins later has answers before it that waited.
const LATEST_BEGIN_MS: u64 = 2_000;

impl ExplainedRun {
    /// What is counted begins with the load.
    pub(super) fn is_begun_at_once(&self) -> bool {
        self.from_ms <= LATEST_BEGIN_MS
    }
}

/// What is asked of requests.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenObjective {
    /// As the test writes it.
    pub text: String,
    /// Of what.
    pub measure: ObjectiveMeasure,
    /// The most that is allowed: ms, or a share.
    pub most: f64,
    /// The endpoint it is asked of; `None`: all requests.
    pub endpoint: Option<String>,
    /// A time is that within which planned starts are answered well: what failed, was cut or
    /// never sent misses it. Else it is the time of all answers, as k6 and Artillery count.
    pub is_of_starts: bool,
    /// What the whole run came to, as its own verdict has it; `None` while it goes on, and of searches.
    pub verdict: Option<GoalVerdict>,
}

/// What a goal came to over a whole run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GoalVerdict {
    /// ms, or a share; infinite where too few starts were answered well.
    pub value: f64,
    /// It is missed.
    pub is_missed: bool,
}

/// What of requests an objective limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ObjectiveMeasure {
    /// A percentile of their times, 0 to 1.
    Percentile(f64),
    /// Their mean time.
    Mean,
    /// The longest time.
    Longest,
    /// The share that fails.
    Failed,
    /// The share of checks that fail.
    ChecksFailed,
}

impl ObjectiveMeasure {
    /// It is a time, in ms; else a share.
    #[must_use]
    pub const fn is_time(self) -> bool {
        matches!(self, Self::Percentile(_) | Self::Mean | Self::Longest)
    }

    fn measured(self, callers: &CallerView) -> f64 {
        match self {
            Self::Percentile(share) => callers.percentile_ms(share),
            Self::Mean => callers.mean_ms(),
            Self::Longest => callers.durations.max().unwrap_or(0.0),
            Self::Failed => callers.failed,
            Self::ChecksFailed => callers.checks_failed,
        }
    }
}

impl GivenObjective {
    /// What callers saw does not keep to it.
    pub(super) fn is_missed_by(&self, callers: &CallerView) -> bool {
        self.measured(callers) > self.most
    }

    /// What callers saw: ms, or a share. Infinite where too few starts were answered well.
    pub(super) fn measured(&self, callers: &CallerView) -> f64 {
        let starts = &callers.starts;
        if !self.is_of_starts || starts.planned() == 0 {
            return self.measure.measured(callers);
        }
        let reached = match self.measure {
            ObjectiveMeasure::Percentile(share) => starts.percentile(share),
            ObjectiveMeasure::Mean => starts.mean(),
            ObjectiveMeasure::Longest => starts.max(),
            share => return share.measured(callers),
        };
        reached.unwrap_or(f64::INFINITY)
    }
}

/// How the load was made.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExplainedLoad {
    /// Iterations are started at a rate, whatever the answers.
    pub is_open: bool,
    /// The most virtual users at one time.
    pub users: f64,
    /// How long an iteration takes, ms.
    pub iteration_ms: f64,
    /// Why starts never were.
    pub drops: DropCounts,
    /// Users that came, had one iteration and went, each with connections of its own, as those of Artillery files do.
    pub new_users: f64,
}

/// Mean times of a request's parts, ms.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CallerTimes {
    /// Connecting and handshakes, over all requests.
    pub connecting: f64,
    /// Requests that opened a connection, of all.
    pub opened: f64,
    /// All requests.
    pub requests: f64,
    /// From the request sent to the first byte of the answer.
    pub waiting: f64,
    /// From the first to the last byte of the answer.
    pub receiving: f64,
}

/// What the callers saw in a part of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct CallerView {
    /// Seconds of it.
    pub(super) seconds: f64,
    /// Requests answered well, per second.
    pub(super) answered: f64,
    /// Requests that ended or were cut, per second.
    pub(super) ended: f64,
    /// The share of requests that failed.
    pub(super) failed: f64,
    /// The share of requests that were cut unanswered when the load ended.
    pub(super) cut: f64,
    /// Of these, the share that is more than are always under way: they hung.
    pub(super) hung: f64,
    /// The share of planned starts that never were.
    pub(super) dropped: f64,
    /// Starts, where they are planned.
    started: f64,
    /// What ended by itself until the last of them was due: iterations, or requests where there are none.
    ended_meanwhile: f64,
    /// The share of checks that failed.
    pub(super) checks_failed: f64,
    /// Checks per second.
    checks: f64,
    /// Durations, ms, those of cut requests included as far as they are known.
    pub(super) durations: Histogram,
    /// The same of those that did not fail.
    pub(super) good: Histogram,
    /// What became of the starts that were planned, or of the requests of users in loops.
    pub(super) starts: PlannedAnswers,
    /// The mean duration of those that ended by themselves, ms: the target counts no others.
    pub(super) ended_mean_ms: f64,
    /// Requests under way, on average, while the load lasted.
    pub(super) under_way: f64,
    /// Bytes of answers, per second.
    pub(super) bytes: f64,
    /// Iterations that ended, per second.
    pub(super) iterations: f64,
}

impl CallerView {
    pub(super) fn from_windows(windows: &[ComparedWindow]) -> Self {
        let seconds = f64::from(u32::try_from(windows.len()).unwrap_or(u32::MAX));
        let mut all = ComparedWindow::default();
        windows.iter().for_each(|window| all.add(window));
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let cut = all.cut.count() as f64;
        let ended_mean_ms = all.durations.mean().unwrap_or(0.0);
        let well = all.durations.without(&all.failed_durations);
        let mut good = well.clone();
        good.merge(&all.cut);
        let starts = PlannedAnswers {
            well,
            failed: all.failed_durations.count(),
            lost: all.cut.count() + whole(all.dropped),
        };
        all.durations.merge(&all.cut);
        let ended = all.requests + cut;
        // By Little's law; whatever the load, some are under way when it ends.
        let under_way = share(all.requests, seconds) * ended_mean_ms / 1000.0;
        let usual = UNDER_WAY_FACTOR_MAX * under_way + UNDER_WAY_MAX;
        let all_under_way = requests_under_way(&all, cut, seconds);
        Self {
            seconds,
            answered: answered_per_second(windows),
            ended: share(ended, seconds),
            failed: share(all.failed, ended),
            cut: share(cut, ended),
            hung: share((cut - usual).max(0.0), ended),
            dropped: share(all.dropped, all.planned),
            started: (all.planned - all.dropped).max(0.0),
            ended_meanwhile: ended_meanwhile(windows),
            checks_failed: share(all.checks_failed, all.checks),
            checks: share(all.checks, seconds),
            durations: all.durations,
            good,
            starts,
            ended_mean_ms,
            under_way: all_under_way,
            bytes: share(all.bytes, seconds),
            iterations: share(all.iterations, seconds),
        }
    }

    /// Fewer end than start.
    pub(super) fn is_falling_behind(&self) -> bool {
        let behind = self.started - self.ended_meanwhile;
        behind >= BEHIND_SHARE_MIN * self.started && self.started > 0.0
    }

    /// Fewer end than start, by more than chance makes of starts.
    pub(super) fn is_falling_behind_for_certain(&self) -> bool {
        let behind = self.started - self.ended_meanwhile;
        self.is_falling_behind() && behind > CHANCE_DEVIATIONS * self.started.sqrt()
    }

    /// The share of what was started that did not end until the last start was due.
    pub(super) fn behind_share(&self) -> f64 {
        share((self.started - self.ended_meanwhile).max(0.0), self.started)
    }

    /// At most this share of the checks failed because their request did: each that fails may fail all checks of its
    /// iteration.
    pub(super) fn checks_of_failed(&self) -> f64 {
        let of_iteration = share(self.checks, self.iterations).max(1.0);
        share(self.failed * self.ended * of_iteration, self.checks).min(1.0)
    }

    /// The mean duration, ms.
    pub(super) fn mean_ms(&self) -> f64 {
        self.durations.mean().unwrap_or(0.0)
    }

    /// A percentile of the durations, ms.
    pub(super) fn percentile_ms(&self, share: f64) -> f64 {
        self.durations.percentile(share).unwrap_or(0.0)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count; the cast saturates"
)]
fn whole(count: f64) -> u64 {
    count as u64
}

/// By Little's law the seconds that requests took, a second; what they took after the load was over left out: the queue
/// that is left then empties at the rate at which it was served before, and who is cut waits that long at least.
fn requests_under_way(all: &ComparedWindow, cut: f64, seconds: f64) -> f64 {
    let taken = (all.requests + cut) * all.durations.mean().unwrap_or(0.0) / 1000.0;
    let empties = share(all.drained, share(all.requests - all.drained, seconds));
    let after = empties * (all.drained / 2.0 + cut);
    share((taken - after).max(taken * IN_LOAD_PART_MIN), seconds)
}

/// Requests answered well while there was load, per second.
pub(super) fn answered_per_second(windows: &[ComparedWindow]) -> f64 {
    let seconds = f64::from(u32::try_from(windows.len()).unwrap_or(u32::MAX));
    let sum = |of: fn(&ComparedWindow) -> f64| windows.iter().map(of).sum::<f64>();
    let requests = sum(|window| window.requests);
    let drained = share(sum(|window| window.drained), requests);
    share(requests - sum(|window| window.failed), seconds) * (1.0 - drained)
}

/// What ended by itself until the last planned start was due: after it a queue empties, however far it fell behind.
fn ended_meanwhile(windows: &[ComparedWindow]) -> f64 {
    let last = windows.iter().rposition(|window| window.planned > 0.0);
    let meanwhile = &windows[..last.map_or(windows.len(), |last| last + 1)];
    let sum = |of: fn(&ComparedWindow) -> f64| meanwhile.iter().map(of).sum::<f64>();
    let iterations = sum(|window| window.iterations);
    if iterations > 0.0 {
        iterations
    } else {
        sum(|window| window.requests)
    }
}

/// A count as a number.
pub(super) fn number(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// `part / whole`, 0 without a whole.
pub(super) fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
