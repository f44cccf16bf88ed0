//! A share of the requests fails, however many there are: a fault of the target, and no limit.
//!
//! A limit lets as much through in a second with many requests as in one with few, and turns the rest
//! away. What fails by itself fails as often in both. Starts that come by chance make such seconds.
//! Users in loops make none: they come again at once. What turns them away limits them only as far as that costs
//! them time, and a search sees what fails with little load.

mod in_loops;

use loadline_text::{Message, doubt, evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};
use loadline_analysis::compare::ComparedWindow;

/// Fewer seconds say nothing.
const WINDOWS_MIN: usize = 6;
/// ... nor do fewer requests that failed.
const FAILED_MIN: f64 = 20.0;
/// Standard errors by which what gets through must grow with what comes: of a limit it does not.
const ERRORS_FROM_LIMIT_MIN: f64 = 3.0;
/// Standard errors by which it may grow otherwise than by the share that does not fail.
const ERRORS_FROM_CHANCE_MAX: f64 = 2.0;
/// Failed requests of a second vary as chance makes them, within these factors.
const DISPERSION: std::ops::RangeInclusive<f64> = 0.3..=2.0;
/// An answer that this share of the failed requests got is theirs.
const SAME_ANSWER_SHARE_MIN: f64 = 0.5;

/// By what it is seen that no limit makes requests fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoLimit {
    /// As large a share fails of few as of many.
    AtRandom,
    /// Users in loops get as much as if none failed.
    InLoops,
    /// A search saw it with little load, too.
    AtAnyLoad,
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let way = no_limit(context)?;
    let callers = &context.view.callers;
    let failed = percent(callers.failed);
    let answers = answers_of_failed(context);
    if matches!(answers, AnswersOfFailed::Unanswered) && way != NoLimit::AtAnyLoad {
        return None;
    }
    let (rule, statement) = statement(way, failed, &answers);
    let action = match &answers {
        AnswersOfFailed::Known(what) => findings::failing_try(what),
        _ => findings::unknown_failing_try(),
    };
    Draft::new(rule, BottleneckPart::Unknown, EvidenceGrade::B, statement)
        .shown(
            "failed",
            evidence::failed(),
            callers.failed,
            EvidenceUnit::Share,
        )
        .shown(
            "rate",
            evidence::rate(),
            callers.answered,
            EvidenceUnit::PerSecond,
        )
        .against((way == NoLimit::AtRandom).then(doubt::turned_away_by_chance))
        .advised([Advice::to(action)])
        .done()
}

fn statement(way: NoLimit, failed: String, answers: &AnswersOfFailed) -> (RuleId, Message) {
    let known = match answers {
        AnswersOfFailed::Known(what) => Some(what),
        _ => None,
    };
    match (way, known) {
        (NoLimit::AtRandom, Some(what)) => {
            (RuleId::FailingAtRandom, findings::failing(failed, what))
        }
        (NoLimit::AtRandom, None) => (RuleId::FailingAtRandom, findings::failing_unsaid(failed)),
        (NoLimit::InLoops, Some(what)) => (
            RuleId::FailingInLoops,
            findings::failing_in_loops(failed, what),
        ),
        (NoLimit::InLoops, None) => (
            RuleId::FailingInLoops,
            findings::failing_in_loops_unsaid(failed),
        ),
        (NoLimit::AtAnyLoad, Some(what)) => (
            RuleId::FailingAtAnyLoad,
            findings::failing_at_any_load(failed, what),
        ),
        (NoLimit::AtAnyLoad, None) => (
            RuleId::FailingAtAnyLoad,
            findings::failing_at_any_load_unsaid(failed),
        ),
    }
}

/// Nothing but that requests fail is lost, and that is seen to be no limit's doing.
pub(super) fn no_limit(context: &RuleContext<'_>) -> Option<NoLimit> {
    let run = context.view.run;
    let is_logged = context.logged.evidence(RuleId::Refused).is_some();
    if !context.loss.is_failing_alone || is_logged {
        return None;
    }
    if run.is_no_matter_of_load {
        Some(NoLimit::AtAnyLoad)
    } else if run.load.is_open {
        fail_at_random(context.view.windows()).then_some(NoLimit::AtRandom)
    } else {
        in_loops::is_no_limit(context).then_some(NoLimit::InLoops)
    }
}

fn fail_at_random(windows: &[ComparedWindow]) -> bool {
    let asked = windows.iter().filter(|window| window.requests > 0.0);
    let pairs: Vec<(f64, f64)> = asked
        .map(|window| (window.requests, window.failed))
        .collect();
    let count = pairs.len() as f64;
    let sum = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let (all, failed) = (sum(|pair| pair.0), sum(|pair| pair.1));
    if pairs.len() < WINDOWS_MIN || failed < FAILED_MIN || failed >= all {
        return false;
    }
    let fails = failed / all;
    let (mean, mean_good) = (all / count, (all - failed) / count);
    let (mut squares, mut products, mut dispersion) = (0.0, 0.0, 0.0);
    for (requests, failed) in &pairs {
        squares += (requests - mean).powi(2);
        products += (requests - mean) * (requests - failed - mean_good);
        dispersion += (failed - fails * requests).powi(2) / requests;
    }
    let chance = fails * (1.0 - fails);
    let grows = products / squares.max(f64::EPSILON);
    let error = (chance * mean / squares.max(f64::EPSILON)).sqrt();
    grows >= ERRORS_FROM_LIMIT_MIN * error
        && (grows - (1.0 - fails)).abs() <= ERRORS_FROM_CHANCE_MAX * error
        && DISPERSION.contains(&(dispersion / chance / (count - 1.0)))
}

/// What failed requests were answered.
enum AnswersOfFailed {
    /// The status, and the words where most have the same.
    Known(String),
    /// Most were not answered at all, which is another fault.
    Unanswered,
    /// It is not known while a run goes on.
    Unknown,
}

fn answers_of_failed(context: &RuleContext<'_>) -> AnswersOfFailed {
    let is_good = |status: &str| status.starts_with(['1', '2', '3']);
    let statuses = &context.view.run.statuses;
    let failed = || statuses.iter().filter(|(status, _)| !is_good(status));
    let unanswered = statuses.get("0").copied().unwrap_or(0.0);
    if 2.0 * unanswered > failed().map(|(_, count)| count).sum() {
        return AnswersOfFailed::Unanswered;
    }
    let Some((status, _)) = failed().max_by(|a, b| a.1.total_cmp(b.1)) else {
        return AnswersOfFailed::Unknown;
    };
    let answers = &context.view.run.failed_answers;
    let all: f64 = answers.iter().map(|answer| answer.count as f64).sum();
    let is_it = |answer: &&loadline_record::FailedAnswer| {
        answer.status.to_string() == *status
            && share(answer.count as f64, all) >= SAME_ANSWER_SHARE_MIN
    };
    let answer = answers.iter().find(is_it);
    AnswersOfFailed::Known(match answer.filter(|answer| !answer.text.is_empty()) {
        Some(answer) => format!("{status} {}", answer.text),
        None => status.clone(),
    })
}

#[cfg(test)]
mod tests;
