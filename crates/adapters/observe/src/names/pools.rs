//! Metrics of pools and executors by the words of their names, for those that no table names.
//!
//! Most pools outside of Java are told by gauges that each service names itself: `shop_db_pool_checked_out`,
//! `pg_pool_waiting_count`, `pool_size{type="max"}`. The words after `pool` are much the same in all.

use std::collections::{BTreeMap, BTreeSet};

use loadline_record::signals::{Entity, Label, SignalKind};

use crate::exposition::Sample;

/// What a number says of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Active,
    Idle,
    Pending,
    Max,
    /// Connections or threads that there are.
    Size,
    Overflow,
    OverflowMax,
    QueueMax,
    Refused,
}

/// What holds requests up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Resource {
    Connections,
    Workers,
}

/// Names of which some are of pools, as a regular expression for a Prometheus, which has to be asked by name.
pub(super) const ASKED: &str = "[a-z0-9_]*(pool|executor|bulkhead|semaphore)[a-z0-9_]*_(active|in_?use|used|busy|acquired|\
    checked_?out|borrowed|leased|running|idle|free|available|checked_?in|pending|a?waiting|waiters|queued?|max|size|\
    limit|capacity|open|total|overflow|max_workers|rejected)(_(connections|clients|threads|size|length|count|total))?";
/// Words that name an executor, the longest first.
const EXECUTORS: &[&str] = &[
    "thread_pool_executor",
    "threadpoolexecutor",
    "threadpool_executor",
    "process_pool",
    "thread_pool",
    "threadpool",
    "worker_pool",
    "executor",
    "bulkhead",
    "semaphore",
];
/// Words that name a pool of connections.
const POOLS: &[&str] = &["connection_pool", "pgxpool", "pgpool", "pool"];
/// Pools of something else, and executors that do other work than requests.
const OTHERS: &[&str] = &[
    "jvm_",
    "memory",
    "buffer",
    "zfs_",
    "node_",
    "go_",
    "kube",
    "celery",
    "sidekiq",
    "gc_",
    "tx_",
    "mempool",
    "scheduled",
];
/// Words that say nothing of the role.
const FILLERS: &[&str] = &[
    "connections",
    "connection",
    "conns",
    "conn",
    "clients",
    "client",
    "count",
    "current",
    "number",
    "num",
    "of",
    "threads",
    "thread",
    "tasks",
    "task",
    "total",
    "requests",
    "gauge",
    "permits",
    "pool",
    "calls",
    "resources",
];
/// The rest of a name without those words, and what it means.
const ROLES: &[(&str, Role)] = &[
    ("active", Role::Active),
    ("in_use", Role::Active),
    ("inuse", Role::Active),
    ("used", Role::Active),
    ("busy", Role::Active),
    ("acquired", Role::Active),
    ("checked_out", Role::Active),
    ("checkedout", Role::Active),
    ("borrowed", Role::Active),
    ("leased", Role::Active),
    ("running", Role::Active),
    ("idle", Role::Idle),
    ("free", Role::Idle),
    ("available", Role::Idle),
    ("checked_in", Role::Idle),
    ("checkedin", Role::Idle),
    ("pending", Role::Pending),
    ("waiting", Role::Pending),
    ("awaiting", Role::Pending),
    ("waiters", Role::Pending),
    ("wait", Role::Pending),
    ("queue", Role::Pending),
    ("queued", Role::Pending),
    ("queue_size", Role::Pending),
    ("queue_length", Role::Pending),
    ("queue_depth", Role::Pending),
    ("wait_queue", Role::Pending),
    ("backlog", Role::Pending),
    ("max", Role::Max),
    ("max_size", Role::Max),
    ("size_max", Role::Max),
    ("max_open", Role::Max),
    ("maximum", Role::Max),
    ("maximum_size", Role::Max),
    ("limit", Role::Max),
    ("capacity", Role::Max),
    ("max_workers", Role::Max),
    ("workers_max", Role::Max),
    ("size", Role::Size),
    ("open", Role::Size),
    ("", Role::Size),
    ("overflow", Role::Overflow),
    ("max_overflow", Role::OverflowMax),
    ("overflow_max", Role::OverflowMax),
    ("queue_max", Role::QueueMax),
    ("queue_capacity", Role::QueueMax),
    ("queue_limit", Role::QueueMax),
    ("max_queue", Role::QueueMax),
    ("rejected", Role::Refused),
];
/// Labels whose value is the role.
const ROLE_LABELS: &[&str] = &["state", "type", "status"];
/// Labels that name the pool.
const NAME_LABELS: &[&str] = &[
    "pool",
    "pool_name",
    "name",
    "db_client_connection_pool_name",
    "db_name",
    "db",
    "database",
    "datasource",
    "executor",
    "host",
];

/// The pools of a page.
#[derive(Debug, Default)]
pub(super) struct NamedPools(BTreeMap<(Resource, String), NamedPool>);

/// What is told of one pool.
#[derive(Debug, Default)]
struct NamedPool {
    roles: BTreeMap<Role, f64>,
    /// The metrics that told it.
    metrics: BTreeSet<String>,
}

impl NamedPools {
    /// Takes a sample, if its name says that it is of a pool; whether it does.
    pub(super) fn take(&mut self, sample: &Sample<'_>) -> bool {
        let Some((resource, owner, role)) = read(sample) else {
            return false;
        };
        if sample.value >= 0.0 && sample.value.is_finite() {
            let mut labels = NAME_LABELS.iter().map(|label| sample.label(label));
            let name = labels.find(|name| !name.is_empty()).unwrap_or(owner);
            let pool = self.0.entry((resource, name.to_owned())).or_default();
            *pool.roles.entry(role).or_default() += sample.value;
            pool.metrics.insert(sample.name.to_owned());
        }
        true
    }

    /// Gives what is known of each pool. One number alone tells nothing that could be used up.
    pub(super) fn give(&self, mut add: impl FnMut(SignalKind, Entity, f64)) {
        let all = self.0.iter();
        for ((resource, name), pool) in all.filter(|(_, pool)| pool.roles.len() > 1) {
            let of = Entity::new().with(Label::Pool, name);
            for (kind, value) in values(*resource, &pool.roles) {
                if let Some(value) = value {
                    add(kind, of.clone(), value);
                }
            }
        }
    }

    /// The metrics of pools of which only one number is told.
    pub(super) fn alone(&self) -> impl Iterator<Item = &str> {
        let alone = self.0.values().filter(|pool| pool.roles.len() == 1);
        alone.flat_map(|pool| pool.metrics.iter().map(String::as_str))
    }

    /// The pools, each with the metrics that told it.
    pub(super) fn owners(&self) -> impl Iterator<Item = (Entity, &str)> {
        let told = self.0.iter().filter(|(_, pool)| pool.roles.len() > 1);
        told.flat_map(|((_, name), pool)| {
            let of = Entity::new().with(Label::Pool, name);
            let metrics = pool.metrics.iter();
            metrics.map(move |metric| (of.clone(), metric.as_str()))
        })
    }
}

fn values(resource: Resource, roles: &BTreeMap<Role, f64>) -> Vec<(SignalKind, Option<f64>)> {
    let of = |role| roles.get(&role).copied();
    let (idle, pending, size) = (of(Role::Idle), of(Role::Pending), of(Role::Size));
    let active = of(Role::Active).or_else(|| Some((size? - idle?).max(0.0)));
    // Nobody waits while another could be made.
    let full = pending.is_some_and(|pending| pending > 0.0);
    let all = size.or_else(|| Some(active? + idle?)).filter(|_| full);
    let fixed = size.filter(|_| of(Role::Overflow).is_none());
    let most = match (of(Role::Max), of(Role::OverflowMax)) {
        (Some(most), _) => Some(most),
        (None, Some(overflow)) => size.map(|size| size + overflow),
        // Without a number of waiters the size is all that is configured, as of SQLAlchemy's pools.
        _ if pending.is_none() => fixed.filter(|size| active.is_some_and(|active| active <= *size)),
        _ => all,
    };
    match resource {
        Resource::Connections => vec![
            (SignalKind::PoolActive, active),
            (SignalKind::PoolIdle, idle),
            (SignalKind::PoolPending, pending),
            (SignalKind::PoolMax, most),
        ],
        Resource::Workers => vec![
            (SignalKind::WorkersBusy, active),
            (SignalKind::WorkersQueue, pending),
            (SignalKind::WorkersMax, most),
            (SignalKind::WorkersQueueMax, of(Role::QueueMax)),
            (SignalKind::WorkersRefused, of(Role::Refused)),
        ],
    }
}

/// Of which resource a sample is, what the part of its name before the role is, and its role.
fn read<'a>(sample: &Sample<'a>) -> Option<(Resource, &'a str, Role)> {
    let name = sample.name;
    if OTHERS.iter().any(|other| name.contains(other)) {
        return None;
    }
    let found = |words: &[&str]| {
        words
            .iter()
            .find_map(|word| Some(name.find(word)? + word.len()))
    };
    let (resource, end) = match found(EXECUTORS) {
        Some(end) => (Resource::Workers, end),
        None => (Resource::Connections, found(POOLS)?),
    };
    let (owner, rest) = name.split_at(end);
    let labels = ROLE_LABELS.iter().map(|label| sample.label(label));
    let labelled = labels.filter(|value| !value.is_empty()).find_map(role);
    let role = match (role(rest)?, labelled) {
        // `pool_connections{state="idle"}`, `pool_size{type="max"}`
        (Role::Size, Some(labelled)) => labelled,
        (own, _) => own,
    };
    let is_counter = name.ends_with("_total") && role != Role::Refused && labelled.is_none();
    (!is_counter).then_some((resource, owner, role))
}

fn role(words: &str) -> Option<Role> {
    let words = words.to_ascii_lowercase();
    let words: Vec<&str> = words.split('_').filter(|word| !word.is_empty()).collect();
    let telling: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| !FILLERS.contains(word))
        .collect();
    let rest = telling.join("_");
    ROLES
        .iter()
        .find(|(known, _)| *known == rest)
        .map(|(_, role)| *role)
}

#[cfg(test)]
mod tests;
