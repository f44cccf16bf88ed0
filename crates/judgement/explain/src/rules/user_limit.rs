//! The test allows too few users at once, while the target has room.

use loadline_text::{counted, evidence, findings};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::CallerView;
use super::{DROPPED_SHARE_MIN, Draft, RuleContext};

/// A target used less than this has room.
const USE_WITH_ROOM_MAX: f64 = 0.7;

/// The mean of requests that wait for nothing is at most so many times the time of the fastest.
const WAITING_FACTOR_MIN: f64 = 3.0;
/// ... and of requests that wait for nothing all along, at most so many times.
const EVEN_FACTOR_MAX: f64 = 1.5;
/// From the first to the last third times grow by this factor where a queue does.
const GROWTH_FACTOR_MIN: f64 = 1.5;
/// ... where these are not known: the fastest of the busy part.
const FASTEST_PERCENTILE: f64 = 0.01;

/// Requests take longer and longer: a queue grows, and more users would wait in it.
fn is_growing(context: &RuleContext<'_>) -> bool {
    let thirds = context.view.mean_early_and_late();
    thirds.is_some_and(|(early, late)| late >= GROWTH_FACTOR_MIN * early)
}

/// Requests take many times as long as while little is asked, or as the target itself takes for them.
fn is_slower_than(millis: Option<f64>, callers: &CallerView) -> bool {
    millis.is_some_and(|millis| callers.mean_ms() > WAITING_FACTOR_MIN * millis)
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let (load, callers) = (&context.view.run.load, &context.view.callers);
    let drops = load.drops;
    let by_users = drops.no_free_user + drops.user_limit;
    let others = drops.late + drops.no_user_made + drops.time_over;
    if !load.is_open || callers.dropped < DROPPED_SHARE_MIN || by_users <= others {
        return None;
    }
    let measured = context.measured;
    let is_full = context.is_cpu_used(USE_WITH_ROOM_MAX)
        || context.is_database_used(USE_WITH_ROOM_MAX)
        || measured.exhausted().is_some()
        || measured
            .workers
            .as_ref()
            .is_some_and(|workers| workers.at_limit);
    // Requests that take many times as long as the fastest wait for something, seen or not.
    let quick = context.loss.fastest_ms;
    let quick = quick.unwrap_or_else(|| callers.percentile_ms(FASTEST_PERCENTILE));
    let is_waiting = callers.mean_ms() > WAITING_FACTOR_MIN * quick
        || is_growing(context)
        || is_slower_than(
            context.view.quiet.as_ref().map(CallerView::mean_ms),
            callers,
        )
        || is_slower_than(measured.server_time.map(|time| time * 1000.0), callers);
    if is_full || is_waiting {
        return None;
    }
    let statement = findings::user_limit(counted(load.users));
    // Callers are answered as if they were alone, and the kernel or the page sees that the target has room.
    let alone = context.loss.alone_ms;
    let is_even = alone.is_some_and(|alone| callers.mean_ms() <= EVEN_FACTOR_MAX * alone);
    let grade = if is_even && measured.cpu.is_some() {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    Draft::new(RuleId::UserLimit, BottleneckPart::TestBed, grade, statement)
        .shown(
            "dropped",
            evidence::dropped(),
            callers.dropped,
            EvidenceUnit::Share,
        )
        .shown(
            "mean",
            evidence::mean(),
            callers.mean_ms(),
            EvidenceUnit::Millis,
        )
        .advised([Advice::to(findings::user_limit_try())])
        .limiting_at(callers.answered)
        .done()
}
