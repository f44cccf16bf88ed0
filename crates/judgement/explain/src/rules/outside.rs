//! Requests wait for another server.

use loadline_text::{doubt, evidence, findings, millis, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::share;
use super::super::measured::OutsideView;
use super::{Draft, RuleContext};

/// The calls' share of a request's time.
const CALLS_SHARE_MIN: f64 = 0.6;
/// ... and where requests wait for each other and nothing else tells for what.
const WAITING_SHARE_MIN: f64 = 0.8;
/// Callers wait so many times as long where the calls they wait for got slower.
const SLOWER_FACTOR_MIN: f64 = 1.25;
/// A faster call is not worth telling, s.
const CALL_SECONDS_MIN: f64 = 0.1;
/// A server whose time grows this much under load is at its own limit.
const GROWTH_FACTOR_MIN: f64 = 1.5;
/// ... and since its first few calls, which vary more.
const FIRST_GROWTH_FACTOR_MIN: f64 = 2.5;

/// How long a call took of the first of users who all began at once, and takes now, s: all that requests wait for is
/// in the calls, where these take most of their time.
fn since_the_first(context: &RuleContext<'_>, now: f64) -> Option<(f64, f64)> {
    let at_once = context.served_at_once().map(|served| served.alone_ms);
    let alone = at_once.or(context.loss.first_of_users_ms)? / 1000.0;
    let all = context.view.callers.mean_ms() / 1000.0;
    let first = alone - (all - now).max(0.0);
    (share(now, all) >= WAITING_SHARE_MIN && first > 0.0).then_some((first, now))
}

/// How long a request keeps a thread busy where all are, by Little's law, s.
fn time_in_threads(context: &RuleContext<'_>) -> Option<f64> {
    let workers = context.measured.workers.as_ref();
    let all_busy = workers.filter(|workers| workers.at_limit)?;
    let carried = context.measured.carried;
    (carried > 0.0).then(|| share(all_busy.usage.used, carried))
}

/// Callers see that requests take longer than before.
fn is_slower_for_callers(context: &RuleContext<'_>) -> bool {
    let (view, mean) = (context.view, context.view.callers.mean_ms());
    let quiet = view.quiet.as_ref();
    let since_quiet = quiet.is_some_and(|quiet| mean >= SLOWER_FACTOR_MIN * quiet.mean_ms());
    let thirds = view.mean_early_and_late();
    let is_growing = thirds.is_some_and(|(early, late)| late >= SLOWER_FACTOR_MIN * early);
    let is_wave = context.loss.first_of_users_ms.is_some();
    since_quiet || is_growing || is_wave || context.served_at_once().is_some()
}

/// By how much calls got slower while callers waited longer, s: what they took early and late.
fn growth(context: &RuleContext<'_>, outside: &OutsideView, of_request: f64) -> Option<(f64, f64)> {
    let grows = |(early, late): &(f64, f64)| *late >= GROWTH_FACTOR_MIN * *early;
    let growth = outside.trend.filter(grows);
    let growth = growth.or_else(|| outside.of_run.filter(grows));
    let growth = growth.or_else(|| since_the_first(context, of_request).filter(grows));
    let is_soon_full = |(early, late): &(f64, f64)| *late >= FIRST_GROWTH_FACTOR_MIN * *early;
    let growth = growth.or_else(|| outside.since_first.filter(is_soon_full));
    growth.filter(|_| is_slower_for_callers(context))
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let outside = measured
        .outside
        .as_ref()
        .filter(|outside| outside.mean >= CALL_SECONDS_MIN)?;
    let callers = &context.view.callers;
    let of_callers = callers.mean_ms() / 1000.0;
    // Who waits for a thread is in no call.
    let of_threads = time_in_threads(context).map(|time| time.min(of_callers));
    let request = measured.server_time.or(of_threads).unwrap_or(of_callers);
    // Calls are counted when they end: those of requests that were cut are none of them.
    let ended = callers.ended * (1.0 - callers.cut);
    let of_request = share(outside.mean * outside.calls, measured.rate.max(ended));
    let part_of = share(of_request, request).min(1.0);
    if part_of < CALLS_SHARE_MIN || measured.exhausted().is_some() {
        return None;
    }
    let growth = growth(context, outside, of_request);
    let is_at_limit = measured
        .workers
        .as_ref()
        .is_some_and(|workers| workers.at_limit);
    if is_at_limit && growth.is_none() {
        return None;
    }
    let (rule, statement) = match growth {
        Some((early, late)) => {
            let (early, late) = (millis(early * 1000.0), millis(late * 1000.0));
            let statement = match outside.peer.clone() {
                Some(peer) => findings::outside_limit(peer, early, late),
                None => findings::outside_limit_unnamed(early, late),
            };
            (RuleId::OutsideLimit, statement)
        }
        None => {
            // Of the whole time, as its parts have it.
            let of_whole = share(of_request, request.max(of_callers)).min(1.0);
            let (share, time) = (percent(of_whole), millis(outside.mean * 1000.0));
            let statement = match outside.peer.clone() {
                Some(peer) => findings::slow_outside(share, peer, time),
                None => findings::slow_outside_unnamed(share, time),
            };
            (RuleId::SlowOutside, statement)
        }
    };
    // A call that always takes as long makes each request slow; that many wait for it is another finding.
    let is_limiting = growth.is_some();
    Draft::new(rule, BottleneckPart::Outside, EvidenceGrade::B, statement)
        .role(if is_limiting {
            FindingRole::Limit
        } else {
            FindingRole::Slow
        })
        .shown(
            "outside",
            evidence::outside(),
            outside.mean * 1000.0,
            EvidenceUnit::Millis,
        )
        .shown(
            "calls",
            evidence::outside_calls(),
            outside.calls,
            EvidenceUnit::PerSecond,
        )
        .shown(
            "server-time",
            evidence::server_time(),
            request * 1000.0,
            EvidenceUnit::Millis,
        )
        .shown(
            "mean",
            evidence::mean(),
            callers.mean_ms(),
            EvidenceUnit::Millis,
        )
        .against(Some(doubt::outside()))
        .advised([
            Advice::to(findings::outside_try_trial()).by("loadline preflight"),
            Advice::to(findings::outside_try_less()),
        ])
        .limiting_at(if is_limiting { measured.rate } else { 0.0 })
        .done()
}
