//! From some second on no request is answered well: the target is gone, out of memory, or what is behind it is.
//!
//! A target that answers each request with an error has not stopped answering. A status of a gateway says that
//! the target runs and the server behind it does not answer, whatever the log's words for it are; another status
//! says only that something fails, which other rules look at.

use loadline_text::{counted, evidence, explain, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::{CallerView, ExplainedRun, share};
use super::super::logged;
use super::{Draft, RuleContext, memory_before, outside_logged};

/// Seconds without a good answer that are no accident.
const FAILING_SECONDS_MIN: usize = 5;
/// ... with so many requests that failed.
const FAILED_REQUESTS_MIN: f64 = 10.0;
/// From this share of the failed requests on, answers are what fails.
const ANSWERED_SHARE_MIN: f64 = 0.5;
/// Bad gateway, and a gateway's timeout.
const GATEWAY_STATUSES: [&str; 2] = ["502", "504"];
/// What requests without an answer are counted under.
const UNANSWERED: &str = "0";

/// The end of a run in which nothing is answered well.
struct FailingEnd {
    /// The second of the run from which on it is so.
    from: f64,
    /// Answered well per second, before.
    before: f64,
    /// Requests that failed since.
    failed: f64,
}

impl FailingEnd {
    fn of(run: &ExplainedRun) -> Option<Self> {
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
        Some(Self {
            #[expect(clippy::cast_precision_loss, reason = "seconds of a run")]
            from: from as f64,
            before: CallerView::from_windows(&windows[..begin]).answered,
            failed,
        })
    }
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let run = context.view.run;
    let end = FailingEnd::of(run)?;
    let is_memory = logged::is_decided_near(&run.signals, RuleId::OutOfMemory, end.from);
    if is_answering(run, &end) && !is_memory {
        return behind_gateway(context, &end);
    }
    if end.before <= 0.0 {
        return None;
    }
    let statement = explain::stopped(counted(end.from), significant(end.before));
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
        .advised([Advice::to(explain::stopped_try())])
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
        explain::behind_gateway(counted(end.from), status),
    );
    shown(draft, end)
        .advised([Advice::to(explain::outside_logged_try())])
        .limiting_at(context.measured.rate)
        .done()
}
