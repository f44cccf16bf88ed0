//! The users' own pauses set the rate, whatever the target does.

use loadline_text::{counted, evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::{CallerView, share};
use super::super::peak::without_own_delays;
use super::{Draft, RuleContext};

/// Pauses that take this share of an iteration set the rate.
const MOSTLY_PAUSES: f64 = 0.7;
/// Shorter pauses are none, ms.
const A_PAUSE: f64 = 100.0;
/// A part of fewer iterations, one after the other, says little: it has the requests or the end of
/// those that its beginning and its end cut.
const ENOUGH_ITERATIONS: f64 = 8.0;
/// With more failed requests the target is asked first.
const FEW_FAILED: f64 = 0.01;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let load = &context.view.run.load;
    if load.is_open {
        return None;
    }
    let all = context.view.windows();
    let undelayed = without_own_delays(all, A_PAUSE);
    let callers = &CallerView::from_windows(&undelayed);
    if callers.iterations <= 0.0 || callers.failed >= FEW_FAILED {
        return None;
    }
    let iteration_ms = if undelayed.len() == all.len() {
        load.iteration_ms
    } else {
        let users: f64 = undelayed.iter().map(|window| window.users).sum();
        users / callers.seconds / callers.iterations * 1000.0
    };
    if callers.seconds * 1000.0 < ENOUGH_ITERATIONS * iteration_ms {
        return None;
    }
    let requests = callers.ended / callers.iterations;
    let pause = iteration_ms - requests * callers.mean_ms();
    if pause < A_PAUSE || share(pause, iteration_ms) < MOSTLY_PAUSES {
        return None;
    }
    // What a few seconds answer may be a little more: users who began together end together.
    let most = (load.users * requests / (pause / 1000.0)).max(callers.answered);
    let statement = findings::script_ceiling(counted(load.users), millis(pause), counted(most));
    Draft::new(
        RuleId::ScriptCeiling,
        BottleneckPart::TestBed,
        EvidenceGrade::A,
        statement,
    )
    // It is the users' own rate, which the target carries: nothing of the target is used up.
    .role(FindingRole::Notice)
    .shown(
        "rate",
        evidence::rate(),
        callers.answered,
        EvidenceUnit::PerSecond,
    )
    .shown("pause", evidence::pause(), pause, EvidenceUnit::Millis)
    .shown(
        "mean",
        evidence::mean(),
        callers.mean_ms(),
        EvidenceUnit::Millis,
    )
    .advised([Advice::to(findings::script_ceiling_try())])
    .done()
}
