//! From some second on no request is answered well: the target is gone, out of memory, or what is behind it is.
//!
//! A target that answers each request with an error has not stopped answering. A status of a gateway says that
//! the target runs and the server behind it does not answer, whatever the log's words for it are; another status
//! says only that something fails, which other rules look at.

use loadline_analysis::compare::ComparedWindow;
use loadline_record::signals::{SignalKind, SignalPoint};
use loadline_text::{counted, evidence, findings, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::{CallerView, ExplainedRun, share};
use super::{Draft, RuleContext, memory_before, outside_logged};

/// Seconds without a good answer that are no accident.
const FAILING_SECONDS_MIN: usize = 5;
/// ... with so many requests that failed.
const FAILED_REQUESTS_MIN: f64 = 10.0;
/// Callers who give up wait for so long, ms, at least.
const GIVEN_UP_MS_MIN: f64 = 500.0;
/// The median of the last seconds before is this part of that, where a queue grew.
const NEARLY_PART_MIN: f64 = 0.5;
const LAST_SECONDS: usize = 3;
/// A load is carried that so many seconds were answered, with at most this share of failures, ...
const CARRIED_SECONDS_MIN: f64 = 3.0;
const FAILED_BEFORE_MAX: f64 = 0.02;
/// ... and the last seconds of it are so many; twenty or thirty starts by chance differ by this factor.
const CARRIED_SECONDS: usize = 5;
const SAME_LOAD_FACTOR_MAX: f64 = 1.25;
/// A target that still ends this part of its requests has not stopped, so many seconds later.
const SERVING_PART_MIN: f64 = 0.3;
const SETTLED_SECONDS: u64 = 2;
/// A target that computes for this share of its cores works.
const USED_UP: f64 = 0.7;
/// From this share of the failed requests on, answers are what fails.
const ANSWERED_SHARE_MIN: f64 = 0.5;
/// Bad gateway, and a gateway's timeout.
const GATEWAY_STATUSES: [&str; 2] = ["502", "504"];
/// What requests without an answer are counted under.
const UNANSWERED: &str = "0";

/// The end of a run in which nothing is answered well.
pub(super) struct FailingEnd {
    /// The second of the run from which on it is so.
    pub(super) from: f64,
    /// Answered well per second, before.
    pub(super) before: f64,
    /// Requests that failed since.
    failed: f64,
    /// Those before waited nearly as long as those that fail: a queue grew until callers give up.
    is_queue: bool,
    /// Before, hardly any failed.
    is_sudden: bool,
    /// Since then no more starts, or users in loops, came than before.
    is_of_same_load: bool,
}

impl FailingEnd {
    /// A load that was carried fails all at once.
    pub(super) const fn is_without_cause(&self) -> bool {
        self.is_sudden && self.is_of_same_load && !self.is_queue
    }

    pub(super) fn new(run: &ExplainedRun) -> Option<Self> {
        let windows = &run.windows;
        let asked = windows.iter().rposition(|window| window.requests > 0.0)?;
        let is_good = |at: &usize| windows[*at].requests > windows[*at].failed;
        let begin = (0..=asked).rev().find(is_good).map_or(0, |last| last + 1);
        let after = CallerView::from_windows(&windows[begin..=asked]);
        let failed = after.failed * after.ended * after.seconds;
        if asked + 1 - begin < FAILING_SECONDS_MIN || failed < FAILED_REQUESTS_MIN {
            return None;
        }
        let from = run.from_ms / 1000 + u64::try_from(begin).ok()?;
        let before = CallerView::from_windows(&windows[..begin]);
        // The last good second has some of both.
        let well = CallerView::from_windows(&windows[..begin.saturating_sub(1)]);
        let last = CallerView::from_windows(&windows[begin.saturating_sub(CARRIED_SECONDS)..begin]);
        let users = |windows: &[ComparedWindow]| {
            let each = windows.iter().map(|window| window.users);
            each.fold(0.0, f64::max)
        };
        let loads = if run.load.is_open {
            (last.ended, after.ended)
        } else {
            let before = &windows[begin.saturating_sub(CARRIED_SECONDS)..begin];
            (users(before), users(&windows[begin..=asked]))
        };
        Some(Self {
            is_sudden: well.seconds >= CARRIED_SECONDS_MIN && well.failed < FAILED_BEFORE_MAX,
            is_of_same_load: loads.1 <= SAME_LOAD_FACTOR_MAX * loads.0,
            #[expect(clippy::cast_precision_loss, reason = "seconds of a run")]
            from: from as f64,
            before: before.answered,
            failed,
            is_queue: is_queue(&windows[..begin], &after),
        })
    }
}

impl FailingEnd {
    /// From when on it is plain what the target still does, ms.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "seconds of a run"
    )]
    const fn settled_ms(&self) -> u64 {
        (self.from as u64 + SETTLED_SECONDS) * 1000
    }
}

/// The last answers came hardly sooner than callers give up.
fn is_queue(before: &[ComparedWindow], after: &CallerView) -> bool {
    let last = &before[before.len().saturating_sub(LAST_SECONDS)..];
    let last = CallerView::from_windows(last).percentile_ms(0.5);
    let given_up = after.percentile_ms(0.5);
    given_up >= GIVEN_UP_MS_MIN && last >= NEARLY_PART_MIN * given_up
}

/// The target goes on with requests, whatever becomes of its answers.
fn is_serving(context: &RuleContext<'_>, end: &FailingEnd) -> bool {
    let from_ms = context.view.run.from_ms;
    let mut pages = context.view.run.signals.of_kind(SignalKind::ServerRequests);
    pages.any(|series| {
        let points = series.points();
        let at = points.partition_point(|point| point.at_ms < end.settled_ms());
        let begin = points.partition_point(|point| point.at_ms < from_ms);
        let rates = rate(&points[begin.min(at)..at]).zip(rate(&points[at..]));
        rates.is_some_and(|(before, after)| after > 0.0 && after >= SERVING_PART_MIN * before)
    })
}

/// The target still uses up its CPU: it works, on more than it can, and callers give up first.
fn is_computing(context: &RuleContext<'_>, end: &FailingEnd) -> bool {
    let Some(cpu) = context.measured.cpu.as_ref() else {
        return false;
    };
    let mut processes = context.view.run.signals.of_kind(SignalKind::ProcessCpu);
    processes.any(|series| {
        let points = series.points();
        let at = points.partition_point(|point| point.at_ms < end.settled_ms());
        rate(&points[at..]).is_some_and(|used| used * 1000.0 >= USED_UP * cpu.most)
    })
}

/// How much a counter grows each millisecond.
fn rate(points: &[SignalPoint]) -> Option<f64> {
    let (first, last) = (points.first()?, points.last()?);
    let passed = f64::from(u32::try_from(last.at_ms - first.at_ms).ok()?);
    (passed > 0.0).then(|| (last.value - first.value) / passed)
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let run = context.view.run;
    let end = FailingEnd::new(run)?;
    let is_memory = context
        .logged
        .is_decided_near(RuleId::OutOfMemory, end.from);
    if is_answering(run, &end) && !is_memory {
        return behind_gateway(context, &end);
    }
    if end.before <= 0.0
        || (!is_memory
            && (end.is_queue || is_serving(context, &end) || is_computing(context, &end)))
    {
        return None;
    }
    let statement = findings::stopped(counted(end.from), significant(end.before));
    let had_run_out = memory_before::had_run_out(&run.signals, end.from);
    let (rule, part) = if is_memory || had_run_out.is_some() {
        (RuleId::OutOfMemory, BottleneckPart::Memory)
    } else {
        (RuleId::Stopped, BottleneckPart::Unknown)
    };
    let grade = had_run_out.filter(|_| !is_memory);
    let grade = grade.unwrap_or(EvidenceGrade::A);
    let draft = Draft::new(rule, part, grade, statement);
    shown(draft, &end)
        .advised([Advice::to(findings::stopped_try())])
        .done()
}

fn shown(draft: Draft, end: &FailingEnd) -> Draft {
    let count = EvidenceUnit::Count;
    draft
        .shown(
            "rate",
            evidence::rate(),
            (end.before > 0.0).then_some(end.before),
            EvidenceUnit::PerSecond,
        )
        .shown("failed-after", evidence::failed(), end.failed, count)
}

/// Most of the requests that fail are answered.
fn is_answering(run: &ExplainedRun, end: &FailingEnd) -> bool {
    let unanswered = run.statuses.get(UNANSWERED).copied().unwrap_or(0.0);
    let answered = bad_answers(run).map(|(_, count)| count).sum::<f64>();
    answered > 0.0 && share(end.failed - unanswered, end.failed) >= ANSWERED_SHARE_MIN
}

/// Statuses of errors, and how many answers have each.
fn bad_answers(run: &ExplainedRun) -> impl Iterator<Item = (&str, f64)> {
    let statuses = run.statuses.iter();
    statuses
        .filter(|(status, _)| status.starts_with(['4', '5']))
        .map(|(status, count)| (status.as_str(), *count))
}

/// The status says that the server behind the target does not answer.
fn behind_gateway(context: &RuleContext<'_>, end: &FailingEnd) -> Option<BottleneckFinding> {
    let run = context.view.run;
    let (status, _) = bad_answers(run).max_by(|a, b| a.1.total_cmp(&b.1))?;
    if !GATEWAY_STATUSES.contains(&status) || outside_logged::check(context).is_some() {
        return None;
    }
    let draft = Draft::new(
        RuleId::OutsideUnreachable,
        BottleneckPart::Outside,
        EvidenceGrade::B,
        findings::behind_gateway(counted(end.from), status),
    );
    shown(draft, end)
        .advised([Advice::to(findings::outside_logged_try())])
        .limiting_at(context.measured.rate)
        .done()
}
