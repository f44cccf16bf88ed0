//! A pool is too small for the work that its connections do; the database has room.

use loadline_text::{counted, doubt, evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::super::statements::are_as_fast_as_ever;
use super::{Draft, RuleContext, stack};

/// Sessions at work, as a share of the connections held.
const WORKING_SHARE_MIN: f64 = 0.5;
/// Of these, sessions that wait for a lock: more are another finding.
const LOCKED_SHARE_MAX: f64 = 0.3;
/// A database used this much has no room.
const DATABASE_USE_MAX: f64 = 0.85;
/// So many sessions compute for each core that the database gets, where cores are short.
const SESSIONS_PER_CORE_MAX: f64 = 2.0;

/// Requests that wait for a connection this share of their time are starved of it, ...
const STARVED_SHARE_MIN: f64 = 0.3;
/// ... and so long, s.
const STARVED_SECONDS_MIN: f64 = 0.02;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let Some(pool) = measured.exhausted() else {
        return by_traces(context);
    };
    let sessions = measured.sessions;
    let active = sessions.active?;
    let used = measured.held_connections();
    let locked = sessions.lock.unwrap_or(0.0);
    let waits = sessions
        .waiting
        .is_some_and(|waiting| waiting >= 0.5 * active);
    // Sessions that wait for nothing want a core each. Where the database gets much less CPU than that, its
    // machine has no room, whoever uses it.
    let starved =
        |(waiting, used): (f64, f64)| active - waiting > SESSIONS_PER_CORE_MAX * used + 1.0;
    let used_cpu = measured.database_cores_used();
    let is_starved = sessions.waiting.zip(used_cpu).is_some_and(starved);
    let has_room = (measured.database_cpu.is_some() || context.are_connections_quick())
        && !context.is_database_used(DATABASE_USE_MAX)
        && !is_starved;
    let is_working = active >= WORKING_SHARE_MIN * used && locked < LOCKED_SHARE_MAX * used;
    if !is_working || !(has_room || waits) || context.is_database_used(DATABASE_USE_MAX) {
        return None;
    }
    let hold = pool.held(measured.carried);
    let part = BottleneckPart::Pool;
    let demand = share(pool.usage.used, measured.carried);
    let doubled = context.predicted(part, 2.0 * pool.usage.most, demand);
    let halved = context.predicted(part, pool.usage.most, demand / 2.0);
    // A whole request that waits for nothing may take as long as a hold and do more than that: statements may have got slower.
    let is_room_seen =
        measured.database_cpu.is_some() || are_as_fast_as_ever(context.view) == Some(true);
    let grade = if has_room && is_room_seen {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    let pools = u32::try_from(measured.main_pools().count()).unwrap_or(u32::MAX);
    let more = 2.0 * pool.usage.most * f64::from(pools);
    let too_many = sessions.most.filter(|most| more > *most);
    Draft::new(
        RuleId::PoolTooSmall,
        part,
        grade,
        findings::pool_small(counted(pool.usage.most), millis(hold * 1000.0)),
    )
    .of_pool(pool, hold)
    .shown(
        "sessions-active",
        evidence::sessions_active(),
        active,
        EvidenceUnit::Count,
    )
    .shown(
        "database-cpu",
        evidence::database_cpu(),
        measured.database_cores_used(),
        EvidenceUnit::Cores,
    )
    .naming_heaviest(measured)
    .against(too_many.map(|most| doubt::sessions_limit(counted(more), counted(most))))
    .advised([
        Advice::to(findings::pool_small_try_statement()).giving(halved),
        Advice::to(findings::pool_small_try_more(counted(
            2.0 * pool.usage.most,
        )))
        .by_stack(stack::pool_size(
            &context.view.run.signals,
            &pool.usage.entity,
        ))
        .giving(doubled),
    ])
    .limiting_at(measured.rate)
    .done()
}

/// The pool itself is not observed; traces show that requests wait for a connection and spend the time with one in
/// statements, and the database that it has room.
fn by_traces(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let traced = measured.traced.as_ref()?;
    let sessions = measured.sessions;
    let active = sessions.active;
    let is_starved =
        traced.pool >= STARVED_SECONDS_MIN && traced.pool >= STARVED_SHARE_MIN * traced.all;
    let held = traced.sql + traced.held;
    let is_working = traced.sql >= WORKING_SHARE_MIN * held && traced.held < traced.sql;
    let locked = sessions.lock.unwrap_or(0.0);
    // Callers say so, too, where a connection is held as long as a request takes that waits for nothing.
    let is_quick = context.are_holders_quick(held * measured.rate) == Some(true);
    let is_idle =
        measured.database_cpu.is_some() || are_as_fast_as_ever(context.view) == Some(true);
    let has_room = (is_quick || (is_idle && active.is_some()))
        && !context.is_database_used(DATABASE_USE_MAX)
        && active.is_none_or(|active| locked < LOCKED_SHARE_MAX * active);
    if !measured.pools.is_empty() || !is_starved || !is_working || !has_room {
        return None;
    }
    let hold = held * 1000.0;
    // A core that is free is no disk that is: statements are seen to be as fast as ever.
    let grade = if is_quick && are_as_fast_as_ever(context.view) == Some(true) {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    Draft::new(
        RuleId::PoolTooSmall,
        BottleneckPart::Pool,
        grade,
        findings::pool_small_traced(millis(traced.pool * 1000.0), millis(hold)),
    )
    .shown(
        "acquire",
        evidence::acquire(),
        traced.pool * 1000.0,
        EvidenceUnit::Millis,
    )
    .shown(
        "sessions-active",
        evidence::sessions_active(),
        active,
        EvidenceUnit::Count,
    )
    .shown(
        "database-cpu",
        evidence::database_cpu(),
        measured.database_cores_used(),
        EvidenceUnit::Cores,
    )
    .naming_heaviest(measured)
    .against(Some(doubt::pool_unseen()))
    .advised([Advice::to(findings::pool_small_try_statement())])
    .limiting_at(measured.rate)
    .done()
}
