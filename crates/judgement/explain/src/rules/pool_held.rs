//! A pool is starved: its connections are held across something that needs none.

use loadline_text::{counted, doubt, evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::super::measured::PoolView;
use super::{Draft, RuleContext, stack};

/// Sessions idle in a transaction, as a share of the connections held.
const IDLE_SHARE_MIN: f64 = 0.5;
/// The outside call's share of the hold time.
const OUTSIDE_SHARE_MIN: f64 = 0.5;
/// What a request takes alone beyond a hold is this part of its calls, where they are not made during a hold.
const BESIDE_PART_MIN: f64 = 0.7;
/// Statements that take this part of the time in which connections are held leave none for calls.
const FILLED_PART_MIN: f64 = 0.7;
/// A smaller share of the traced time with a connection is no reason for it.
const DENIED_SHARE_MAX: f64 = 0.2;
/// Fewer sessions idle in a transaction are not worth telling.
const IDLE_SESSIONS: f64 = 2.0;
/// A target that computes this much holds connections while it waits for a core.
const CPU_USE_MIN: f64 = 0.9;
/// Sessions of a database that computes this much look idle while what they were sent waits for a core.
const DATABASE_USE_MIN: f64 = 0.5;

/// Requests that wait for a connection this share of their time are starved of it.
const STARVED_SHARE_MIN: f64 = 0.3;
/// ... and so long, s.
const STARVED_SECONDS_MIN: f64 = 0.02;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let Some(pool) = measured.exhausted() else {
        return by_traces_alone(context)
            .or_else(|| by_statements_around(context))
            .or_else(|| by_sessions_alone(context));
    };
    let sessions = measured.sessions;
    let used = measured.held_connections();
    let is_idle = sessions
        .idle_in_transaction
        .is_some_and(|idle| idle >= IDLE_SHARE_MIN * used);
    let is_working = sessions.active.is_some_and(|active| active >= 0.5 * used);
    let outside = outside_in_hold(context, pool);
    // Where traces show what a request does while it has a connection, calls beside it are no reason.
    let calls_out = outside.is_some_and(|(_, share)| share >= OUTSIDE_SHARE_MIN)
        && !is_denied_by_traces(context)
        && !outside.is_some_and(|(call, _)| is_call_beside(context, call));
    let is_traced = held_share(context).is_some_and(|share| share >= OUTSIDE_SHARE_MIN);
    let is_held = (is_idle && (calls_out || !is_computing(context)))
        || (calls_out && !is_working)
        || is_traced;
    if !is_held {
        return None;
    }
    let hold = match outside.filter(|(call, _)| calls_out && *call > pool.held(measured.carried)) {
        // Not every request takes a connection: those that do call.
        Some((_, _)) => share(
            used,
            measured
                .outside
                .as_ref()
                .map_or(0.0, |outside| outside.calls),
        ),
        None => pool.held(measured.carried),
    };
    let statement = match outside.filter(|_| calls_out) {
        Some((call, _)) => findings::pool_held(
            counted(pool.usage.most),
            millis(hold * 1000.0),
            millis(call * 1000.0),
        ),
        None => findings::pool_held_idle(counted(pool.usage.most), millis(hold * 1000.0)),
    };
    // That calls take as long as holds may be chance: who sees that they are made meanwhile is a trace, or the database.
    let is_certain = is_idle && (calls_out || measured.database_cpu.is_some()) || is_traced;
    let grade = if is_certain {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    Draft::new(RuleId::PoolHeld, BottleneckPart::Pool, grade, statement)
        .of_pool(pool, hold)
        .shown(
            "outside",
            evidence::outside(),
            outside.map(|(call, _)| call * 1000.0),
            EvidenceUnit::Millis,
        )
        .shown(
            "idle-in-transaction",
            evidence::idle_in_transaction(),
            sessions.idle_in_transaction,
            EvidenceUnit::Count,
        )
        .shown(
            "cpu-used",
            evidence::cpu_used(),
            measured.cpu.as_ref().map(|cpu| cpu.used),
            EvidenceUnit::Cores,
        )
        .against((!is_certain && sessions.active.is_none()).then(doubt::sessions_unseen))
        .against((is_idle && !is_certain).then(doubt::database_cpu_unseen))
        .advised(advice(context, pool, outside))
        .limiting_at(measured.rate)
        .done()
}

/// A request that waits for nothing takes a hold and a call, one after the other: the call is not made meanwhile. So is it
/// where statements fill the time in which connections are held.
fn is_call_beside(context: &RuleContext<'_>, call: f64) -> bool {
    let measured = context.measured;
    let held = measured.held_connections();
    let hold = share(held, measured.carried);
    let calls = measured
        .outside
        .as_ref()
        .map_or(0.0, |outside| outside.calls);
    let of_request = call * share(calls, measured.carried);
    let alone = context.loss.alone_ms.map(|alone| alone / 1000.0);
    let is_after = alone.is_some_and(|alone| alone - hold >= BESIDE_PART_MIN * of_request);
    is_after || measured.statement_time >= FILLED_PART_MIN * held
}

/// Target or database compute so much that connections are held while something waits for a core.
fn is_computing(context: &RuleContext<'_>) -> bool {
    context.is_cpu_used(CPU_USE_MIN) || context.is_database_used(DATABASE_USE_MIN)
}

/// Traced requests have statements, and hardly any outside call while they hold a connection.
fn is_denied_by_traces(context: &RuleContext<'_>) -> bool {
    let traced = context.measured.traced.as_ref();
    traced.is_some_and(|traced| {
        traced.sql > 0.0 && traced.held < DENIED_SHARE_MAX * (traced.sql + traced.held)
    })
}

/// In traced requests: the share of the time with a connection that is an outside call.
fn held_share(context: &RuleContext<'_>) -> Option<f64> {
    let traced = context.measured.traced.as_ref()?;
    let with_connection = traced.sql + traced.held;
    (traced.held > 0.0).then(|| share(traced.held, with_connection))
}

/// The pool itself is not observed; traces show that requests wait for a connection, and that
/// they keep it during an outside call.
fn by_traces_alone(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let traced = context.measured.traced.as_ref()?;
    let is_starved =
        traced.pool >= STARVED_SECONDS_MIN && traced.pool >= STARVED_SHARE_MIN * traced.all;
    let is_held = held_share(context).is_some_and(|share| share >= OUTSIDE_SHARE_MIN);
    if !context.measured.pools.is_empty() || !is_starved || !is_held {
        return None;
    }
    // Requests that got no connection made no call: the mean of all of them is no call's length.
    let outside = context.measured.outside.as_ref();
    let call = outside.map_or(traced.held, |outside| outside.mean.max(traced.held));
    let statement = findings::pool_held_traced(millis(traced.pool * 1000.0), millis(call * 1000.0));
    let millis = EvidenceUnit::Millis;
    // By Little's law so many hold one; callers say so, too, where each does as long as a request takes that waits for
    // nothing.
    let held = (traced.sql + traced.held) * context.measured.rate;
    let is_quick = context.are_holders_quick(held) == Some(true);
    let grade = if is_quick {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    Draft::new(RuleId::PoolHeld, BottleneckPart::Pool, grade, statement)
        .shown("acquire", evidence::acquire(), traced.pool * 1000.0, millis)
        .shown("outside", evidence::outside(), call * 1000.0, millis)
        .shown(
            "statements",
            evidence::statements_of_request(),
            traced.sql * 1000.0,
            millis,
        )
        .shown(
            "traced",
            evidence::traced(),
            traced.count,
            EvidenceUnit::Count,
        )
        .against(Some(doubt::pool_unseen()))
        .advised([Advice::to(findings::pool_held_try_move())])
        .limiting_at(context.measured.rate)
        .done()
}

/// No span shows that requests wait for a connection; they wait for something before their statements,
/// and an outside call stands between statements.
fn by_statements_around(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let traced = measured.traced.as_ref()?;
    let is_waiting =
        traced.own >= STARVED_SECONDS_MIN && traced.own >= STARVED_SHARE_MIN * traced.all;
    let is_held = held_share(context).is_some_and(|share| share >= OUTSIDE_SHARE_MIN);
    let is_seen = !measured.pools.is_empty() || traced.pool > 0.0;
    if is_seen
        || !is_waiting
        || !is_held
        || !context.has_signs()
        || context.is_cpu_used(CPU_USE_MIN)
    {
        return None;
    }
    // By Little's law so many are between their first and their last statement at once.
    let at_once = measured.rate * (traced.sql + traced.held);
    let count = counted(at_once.round().max(1.0));
    let (call, wait) = (millis(traced.held * 1000.0), millis(traced.own * 1000.0));
    let millis = EvidenceUnit::Millis;
    Draft::new(
        RuleId::PoolHeld,
        BottleneckPart::Pool,
        EvidenceGrade::C,
        findings::pool_held_around(count, call, wait),
    )
    .shown("own", evidence::own_time(), traced.own * 1000.0, millis)
    .shown("outside", evidence::outside(), traced.held * 1000.0, millis)
    .shown(
        "statements",
        evidence::statements_of_request(),
        traced.sql * 1000.0,
        millis,
    )
    .shown("at-once", evidence::at_once(), at_once, EvidenceUnit::Count)
    .shown(
        "traced",
        evidence::traced(),
        traced.count,
        EvidenceUnit::Count,
    )
    .against(Some(doubt::pool_or_threads_unseen()))
    .advised([Advice::to(findings::pool_held_try_move())])
    .limiting_at(measured.rate)
    .done()
}

/// Neither pool nor traces are observed; the database shows that its sessions stand idle in a
/// transaction, and callers that requests take much longer than a session is kept for one.
fn by_sessions_alone(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let (active, idle) = (
        measured.sessions.active?,
        measured.sessions.idle_in_transaction?,
    );
    let hold = share(active + idle, measured.rate);
    let mean = context.view.callers.mean_ms() / 1000.0;
    let is_starved = mean - hold >= STARVED_SHARE_MIN * mean;
    let is_idle = idle >= IDLE_SESSIONS
        && idle >= IDLE_SHARE_MIN * (active + idle)
        && hold >= STARVED_SECONDS_MIN;
    if !measured.pools.is_empty()
        || measured.traced.is_some()
        || !is_starved
        || !is_idle
        || is_computing(context)
    {
        return None;
    }
    let statement = findings::pool_held_sessions(counted(idle.round()), millis(hold * 1000.0));
    Draft::new(
        RuleId::PoolHeld,
        BottleneckPart::Pool,
        EvidenceGrade::C,
        statement,
    )
    .shown(
        "idle-in-transaction",
        evidence::idle_in_transaction(),
        idle,
        EvidenceUnit::Count,
    )
    .shown(
        "sessions-active",
        evidence::sessions_active(),
        active,
        EvidenceUnit::Count,
    )
    .shown(
        "mean",
        evidence::mean(),
        mean * 1000.0,
        EvidenceUnit::Millis,
    )
    .against(Some(doubt::pool_or_threads_unseen()))
    .advised([Advice::to(findings::pool_held_try_move())])
    .limiting_at(measured.rate)
    .done()
}

/// The mean time of the outside call, and its share of a hold, both weighted by how often.
fn outside_in_hold(context: &RuleContext<'_>, pool: &PoolView) -> Option<(f64, f64)> {
    let outside = context.measured.outside.as_ref()?;
    let held_a_second = pool.usage.used.max(f64::EPSILON);
    let called_a_second = outside.mean * outside.calls;
    Some((outside.mean, (called_a_second / held_a_second).min(1.0)))
}

/// Call first; a larger pool only moves the limit.
fn advice(context: &RuleContext<'_>, pool: &PoolView, outside: Option<(f64, f64)>) -> Vec<Advice> {
    let rate = context.measured.carried;
    let part = BottleneckPart::Pool;
    let demand = share(pool.usage.used, rate);
    let left = match outside {
        // A hold is never nothing: the statements remain.
        Some((_, share)) if share >= OUTSIDE_SHARE_MIN => (1.0 - share).max(0.02),
        _ => {
            let working = context.measured.sessions.active.unwrap_or(0.0);
            (share(working, pool.usage.used)).clamp(0.02, 1.0)
        }
    };
    let moved = context.predicted(part, pool.usage.most, demand * left);
    let tripled = context.predicted(part, 3.0 * pool.usage.most, demand);
    vec![
        Advice::to(findings::pool_held_try_move()).giving(moved),
        Advice::to(findings::pool_held_try_more(counted(3.0 * pool.usage.most)))
            .by_stack(stack::pool_size(
                &context.view.run.signals,
                &pool.usage.entity,
            ))
            .giving(tripled),
    ]
}
