//! Threads that serve requests are used up.

use loadline_text::{explain, millis, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext};

/// A target that computes this much has enough threads.
const COMPUTES: f64 = 0.85;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let workers = context
        .measured
        .workers
        .as_ref()
        .filter(|workers| workers.at_limit)?;
    if context.is_cpu_used(COMPUTES) {
        return None;
    }
    let usage = &workers.usage;
    let rate = context.measured.rate;
    let time = context
        .measured
        .server_time
        .unwrap_or_else(|| share(usage.used, rate));
    let part = BottleneckPart::Threads;
    let doubled = context.predicted(part, 2.0 * usage.most, share(usage.used, rate));
    let grade = match (&context.measured.cpu, context.measured.pools.is_empty()) {
        (Some(_), _) => EvidenceGrade::A,
        (None, false) => EvidenceGrade::B,
        (None, true) => EvidenceGrade::C,
    };
    Draft::new(
        RuleId::TooFewThreads,
        part,
        grade,
        explain::threads(significant(usage.most), millis(time * 1000.0)),
    )
    .of(&usage.entity)
    .shown(
        "threads-busy",
        explain::number_threads_busy(),
        usage.used,
        EvidenceUnit::Count,
    )
    .shown(
        "threads-most",
        explain::number_threads_most(),
        usage.most,
        EvidenceUnit::Count,
    )
    .shown(
        "server-time",
        explain::number_server_time(),
        time * 1000.0,
        EvidenceUnit::Millis,
    )
    .shown(
        "mean",
        explain::number_mean(),
        context.view.callers.mean_ms(),
        EvidenceUnit::Millis,
    )
    .against(
        context
            .measured
            .cpu
            .is_none()
            .then(explain::doubt_cpu_unseen),
    )
    .advised([
        Advice::to(explain::threads_try_wait()),
        Advice::to(explain::threads_try_more(significant(2.0 * usage.most)))
            .by("server.tomcat.threads.max")
            .giving(doubled),
    ])
    .limiting_at(rate)
    .done()
}
