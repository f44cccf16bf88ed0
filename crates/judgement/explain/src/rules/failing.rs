//! A share of the requests fails, however many there are: a fault of the target, and no limit.
//!
//! A limit lets as much through in a second with many requests as in one with few, and turns the rest
//! away. What fails by itself fails as often in both. Starts that come by chance make such seconds.
//! Users in loops make none: they come again at once. What turns them away limits them only as far as that costs
//! them time, and a search sees what fails with little load. What fails after as long as good answers take was worked on
//! like them. Where none of this tells, and nothing is seen to be full, it is not known whether the load matters.

mod in_loops;
mod laws;
mod worked_on;

use std::ops::RangeInclusive;

use loadline_analysis::compare::ComparedWindow;
use loadline_text::{Message, counted, doubt, evidence, findings, percent, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::stopped::FailingEnd;
use super::{Draft, RuleContext};
use laws::FailureLaw;
use worked_on::{are_good_answers_far_sooner, is_nobody_waiting};

/// Few that fail vary by more; what fails in bursts, or as often each second, varies otherwise.
const DISPERSION_OF_FEW: RangeInclusive<f64> = 0.2..=4.0;
/// CPU is used up from this share on.
const USED_UP: f64 = 0.85;
/// What only a limit answers.
const TOO_MANY: &str = "429";
/// What is turned away, or given up on, is answered with.
const STATUSES_OF_LIMITS: [&str; 5] = ["408", TOO_MANY, "502", "503", "504"];
/// An answer that this share of the failed requests got is theirs.
const SAME_ANSWER_SHARE_MIN: f64 = 0.5;

/// What is seen of why requests fail, where no limit is seen to be why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailingWay {
    /// As large a share fails of few as of many.
    AtRandom,
    /// Users in loops get as much as if none failed.
    InLoops,
    /// They take as long as good answers do, which wait for nothing.
    AfterWork,
    /// A search saw it with little load, too.
    AtAnyLoad,
    /// From some second on all do, at a load that was carried before.
    SinceThen,
    /// Nothing tells whether the load is why.
    Unclear,
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let way = way(context)?;
    let callers = &context.view.callers;
    let failed = percent(callers.failed);
    let answers = answers_of_failed(context);
    // Who waits in a queue gives up, too: where good answers wait for nobody, that is another fault.
    let is_unanswered = matches!(answers, AnswersOfFailed::Unanswered);
    let is_a_fault = way == FailingWay::AtAnyLoad
        || is_nobody_waiting(context)
        || are_good_answers_far_sooner(context);
    if is_unanswered && !is_a_fault {
        return None;
    }
    let (rule, statement) = match failing_end(context).filter(|_| way == FailingWay::SinceThen) {
        Some(end) => (RuleId::FailingSince, statement_since(&end, &answers)?),
        None => statement(way, failed, &answers),
    };
    let is_unclear = way == FailingWay::Unclear;
    let grade = match way {
        FailingWay::Unclear => EvidenceGrade::C,
        // Each caller sees it.
        FailingWay::SinceThen => EvidenceGrade::A,
        _ => EvidenceGrade::B,
    };
    let action = match &answers {
        AnswersOfFailed::Known(what) => findings::failing_try(what),
        _ => findings::unknown_failing_try(),
    };
    let decides = is_unclear.then(|| Advice::to(findings::failing_unclear_try()));
    Draft::new(rule, BottleneckPart::Unknown, grade, statement)
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
        .against((way == FailingWay::AtRandom).then(doubt::turned_away_by_chance))
        .advised(decides.into_iter().chain([Advice::to(action)]))
        .done()
}

fn statement(way: FailingWay, failed: String, answers: &AnswersOfFailed) -> (RuleId, Message) {
    let known = match answers {
        AnswersOfFailed::Known(what) => Some(what),
        _ => None,
    };
    let rule = match way {
        FailingWay::AtRandom => RuleId::FailingAtRandom,
        FailingWay::InLoops => RuleId::FailingInLoops,
        FailingWay::AfterWork => RuleId::FailingAfterWork,
        FailingWay::AtAnyLoad => RuleId::FailingAtAnyLoad,
        FailingWay::SinceThen => RuleId::FailingSince,
        FailingWay::Unclear => RuleId::FailingUnclear,
    };
    let statement = match (way, known) {
        (FailingWay::AtRandom, Some(what)) => findings::failing(failed, what),
        (FailingWay::AtRandom, None) => findings::failing_unsaid(failed),
        (FailingWay::InLoops, Some(what)) => findings::failing_in_loops(failed, what),
        (FailingWay::InLoops, None) => findings::failing_in_loops_unsaid(failed),
        (FailingWay::AfterWork, Some(what)) => findings::failing_after_work(failed, what),
        (FailingWay::AfterWork, None) => findings::failing_after_work_unsaid(failed),
        (FailingWay::AtAnyLoad, Some(what)) => findings::failing_at_any_load(failed, what),
        (FailingWay::AtAnyLoad, None) => findings::failing_at_any_load_unsaid(failed),
        (FailingWay::SinceThen | FailingWay::Unclear, Some(what)) => {
            findings::failing_unclear(failed, what)
        }
        (FailingWay::SinceThen | FailingWay::Unclear, None) => {
            findings::failing_unclear_unsaid(failed)
        }
    };
    (rule, statement)
}

/// All requests fail from some second on, with an answer, at a load that was carried before.
fn failing_end(context: &RuleContext<'_>) -> Option<FailingEnd> {
    let end = FailingEnd::new(context.view.run)?;
    let is_told = match answers_of_failed(context) {
        AnswersOfFailed::Known(what) => !what.starts_with(TOO_MANY),
        _ => false,
    };
    (end.before > 0.0 && end.is_without_cause() && is_told).then_some(end)
}

fn statement_since(end: &FailingEnd, answers: &AnswersOfFailed) -> Option<Message> {
    let AnswersOfFailed::Known(what) = answers else {
        return None;
    };
    let (from, rate) = (counted(end.from), significant(end.before));
    Some(findings::failing_since(from, what, rate))
}

/// Nothing but that requests fail is lost, and nothing shows that it is a limit's doing.
pub(super) fn way(context: &RuleContext<'_>) -> Option<FailingWay> {
    let run = context.view.run;
    let is_logged = context.logged.evidence(RuleId::Refused).is_some();
    if !context.loss.is_failing_alone || is_logged {
        return None;
    }
    if run.is_no_matter_of_load {
        return Some(FailingWay::AtAnyLoad);
    }
    if failing_end(context).is_some() && !is_anything_full(context) {
        return Some(FailingWay::SinceThen);
    }
    let law = if run.load.is_open {
        FailureLaw::from_windows(context.view.windows())
    } else {
        in_loops::law(context)
    };
    match law {
        // Of starts that come evenly both laws let as many through each second.
        FailureLaw::Limit if are_starts_even(context) && worked_on::fail_after_work(context) => {
            Some(FailingWay::AfterWork)
        }
        FailureLaw::Limit if are_starts_even(context) && is_answered_as_broken(context) => {
            is_unclear(context).then_some(FailingWay::Unclear)
        }
        FailureLaw::Limit => None,
        FailureLaw::Chance if run.load.is_open => Some(FailingWay::AtRandom),
        FailureLaw::Chance => Some(FailingWay::InLoops),
        FailureLaw::Unclear if worked_on::fail_after_work(context) => Some(FailingWay::AfterWork),
        FailureLaw::Unclear => is_unclear(context).then_some(FailingWay::Unclear),
    }
}

/// Starts are planned, and as many come in each second.
pub(super) fn are_starts_even(context: &RuleContext<'_>) -> bool {
    context.view.run.load.is_open && laws::are_starts_even(context.view.windows())
}

/// Most that fail are answered with a status that no limit gives, and sooner than the others: none of them waited in vain for
/// what is full.
fn is_answered_as_broken(context: &RuleContext<'_>) -> bool {
    let answer = match answers_of_failed(context) {
        AnswersOfFailed::Known(answer) => answer,
        _ => return false,
    };
    let is_of_limit = STATUSES_OF_LIMITS.iter().any(|one| answer.starts_with(one));
    !is_of_limit && worked_on::are_failures_sooner(context)
}

/// Some fail in about each second, as chance makes them, and nothing is seen to be full: nothing speaks for a limit.
fn is_unclear(context: &RuleContext<'_>) -> bool {
    let windows = context.view.windows();
    // Users in loops send as many each second, and of starts by chance what fails regularly, such as each fifth, is no
    // limit's doing for that; of even starts a limit turns away as many each second, too, unless they are answered as a limit
    // answers nobody.
    let dispersion = if are_starts_even(context) && !is_answered_as_broken(context) {
        DISPERSION_OF_FEW
    } else {
        0.0..=*DISPERSION_OF_FEW.end()
    };
    context.view.callers.answered > 0.0
        && is_as_chance_makes(windows, dispersion)
        && !is_anything_full(context)
}

/// Failed requests of a second vary about as they do by chance, within these factors.
fn is_as_chance_makes(windows: &[ComparedWindow], dispersion: RangeInclusive<f64>) -> bool {
    let asked = || windows.iter().filter(|window| window.requests > 0.0);
    let sum = |of: fn(&ComparedWindow) -> f64| asked().map(of).sum::<f64>();
    let fails = share(sum(|window| window.failed), sum(|window| window.requests));
    let squares = asked().map(|window| {
        (window.failed - fails * window.requests).powi(2)
            / (window.requests * fails * (1.0 - fails))
    });
    let squares: f64 = squares.sum();
    let freedom = f64::from(u32::try_from(asked().count()).unwrap_or(u32::MAX)) - 1.0;
    fails > 0.0 && fails < 1.0 && freedom > 0.0 && dispersion.contains(&(squares / freedom))
}

/// Something of the target is seen to be used up, or a status says that a limit is.
fn is_anything_full(context: &RuleContext<'_>) -> bool {
    let measured = context.measured;
    let are_threads_full = measured
        .workers
        .as_ref()
        .is_some_and(|workers| workers.at_limit);
    let statuses = &context.view.run.statuses;
    let is_told = statuses.get(TOO_MANY).is_some_and(|count| *count > 0.0);
    measured.exhausted().is_some()
        || are_threads_full
        || is_told
        || context.is_cpu_used(USED_UP)
        || context.is_database_used(USED_UP)
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
