//! How much of what callers wait for a finding accounts for.

use super::breakdown;
use super::context::RuleContext;
use super::finding::RuleId;
use super::rules::{RefusedCalls, TakenSessions};
use super::under_way::Account;

/// What a rule's finding accounts for.
pub(super) fn account(rule: RuleId, context: &RuleContext<'_>) -> Account {
    let way = &context.under_way;
    let measured = context.measured;
    match rule {
        RuleId::TargetCpu
        | RuleId::CpuQuota
        | RuleId::HeapTooSmall
        | RuleId::Cold
        | RuleId::EventLoop => way.own(way.computing()),
        // All that is due waits for a core, also what waits inside of a process for its one thread that runs.
        RuleId::NoisyNeighbour if measured.is_only_core_shared() || context.is_crowded_out() => {
            way.own(way.computing())
        }
        RuleId::NoisyNeighbour => {
            way.own(way.with_those_behind(way.core_wait.min(way.computing())))
        }
        RuleId::TooFewThreads if measured.workers.is_none() => {
            let taken = context.taken_threads();
            taken.map_or(Account::Unknown, |taken| {
                way.own(taken.inside + taken.waiting)
            })
        }
        RuleId::TooFewThreads => way.own(way.inside.unwrap_or(0.0) + way.queued_before),
        RuleId::PoolHeld | RuleId::PoolTooSmall | RuleId::PoolExhausted if way.sees_pools => {
            way.behind_threads(way.own(way.with_those_behind(way.pool_used)))
        }
        RuleId::UnevenLoad if way.sees_pools => {
            way.behind_threads(way.own(way.with_those_behind(way.pool_used)))
        }
        RuleId::UnevenLoad => way.own(way.computing()),
        RuleId::RowLock if measured.sessions.lock.is_some() => way.shared(way.locked),
        RuleId::DatabaseCpu
        | RuleId::DatabaseTime
        | RuleId::DatabaseStorage
        | RuleId::MissingIndex
        | RuleId::ManyStatements
            if way.database() > 0.0 =>
        {
            way.shared(way.database())
        }
        RuleId::SlowOutside | RuleId::OutsideLimit => way.shared(way.outside),
        RuleId::StorageWait => way.shared(way.storage),
        RuleId::RedisCpu if way.message > 0.0 => way.shared(way.message),
        RuleId::OutsideRefused => {
            let logged = context
                .logged
                .evidence(rule)
                .filter(|one| one.is_error_of_each);
            let by_log = logged.map_or(Account::Unknown, |_| Account::Share(1.0));
            RefusedCalls::new(context).map_or(by_log, |refused| refused.account(context))
        }
        // All that are answered come from these sessions.
        RuleId::DatabaseSessions
            if TakenSessions::new(context).is_some_and(|taken| taken.is_confirmed(context)) =>
        {
            Account::Share(1.0)
        }
        RuleId::DatabaseSessions => {
            let logged = context.logged.evidence(rule);
            logged.map_or(Account::Unknown, |logged| {
                Account::Share(logged.accounts.min(1.0))
            })
        }
        // A line for each request that is turned away.
        RuleId::AcceptQueue | RuleId::OpenFiles => {
            let logged = context.logged.evidence(rule);
            logged.map_or(Account::Unknown, |logged| {
                Account::Share(logged.accounts.min(1.0))
            })
        }
        RuleId::WaitsInside => {
            let unseen = breakdown::unexplained_share(context.view, measured);
            unseen.map_or(Account::Unknown, Account::Share)
        }
        RuleId::NetworkDelay | RuleId::NetworkBandwidth => {
            let inside = measured.server_time.map(|time| time * measured.rate);
            inside.map_or(Account::Unknown, |inside| way.own(way.callers - inside))
        }
        _ => Account::Unknown,
    }
}
