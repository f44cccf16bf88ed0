//! The words of which names of pools and executors are made.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What a number says of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Active,
    Idle,
    Pending,
    Max,
    /// How many tasks run at once, at most.
    Concurrency,
    /// How large it is: what there is, or may be.
    Size,
    /// Connections or threads that there are.
    Open,
    Overflow,
    OverflowMax,
    QueueMax,
    Refused,
}

/// What holds requests up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Resource {
    Connections,
    Workers,
}

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
    "p_queue",
    "pqueue",
    "p_limit",
    "fastq",
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
    "acquires",
    "acquire",
    "concurrent",
    "allowed",
    "jobs",
    "job",
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
    ("inflight", Role::Active),
    ("in_flight", Role::Active),
    ("workers_busy", Role::Active),
    ("busy_workers", Role::Active),
    ("workers_active", Role::Active),
    ("active_workers", Role::Active),
    ("idle", Role::Idle),
    ("idle_size", Role::Idle),
    ("free_size", Role::Idle),
    ("freesize", Role::Idle),
    ("workers_idle", Role::Idle),
    ("idle_workers", Role::Idle),
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
    ("length", Role::Pending),
    ("wait_queue", Role::Pending),
    ("backlog", Role::Pending),
    ("waiting_checkout", Role::Pending),
    ("awaiting_checkout", Role::Pending),
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
    ("maxsize", Role::Max),
    ("concurrency", Role::Concurrency),
    ("concurrency_limit", Role::Concurrency),
    ("max_concurrency", Role::Concurrency),
    ("size", Role::Size),
    ("open", Role::Open),
    // Workers that run are all that there are, at work or not.
    ("workers_running", Role::Open),
    ("running_workers", Role::Open),
    ("workers", Role::Open),
    ("", Role::Open),
    ("overflow", Role::Overflow),
    ("max_overflow", Role::OverflowMax),
    ("overflow_max", Role::OverflowMax),
    ("queue_max", Role::QueueMax),
    ("queue_capacity", Role::QueueMax),
    ("queue_limit", Role::QueueMax),
    ("max_queue", Role::QueueMax),
    ("rejected", Role::Refused),
    ("dropped", Role::Refused),
];
/// What comes before Puma's own words, ...
const PUMA: &str = "puma_";
/// ... of its threads: its capacity is how many requests it could take in now, and those that run are at work or not.
const PUMA_WORDS: &[(&str, &str)] = &[
    ("pool_capacity", "idle"),
    ("thread_pool_capacity", "idle"),
    ("max_threads", "max"),
    ("backlog", "pending"),
    ("request_backlog", "pending"),
];
/// Labels whose value is the role.
pub(super) const ROLE_LABELS: &[&str] = &["state", "type", "status"];
/// Labels that name the pool.
pub(super) const NAME_LABELS: &[&str] = &[
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

/// Words of a role's name that are only of executors.
const OF_WORKERS: &[&str] = &[
    "workers",
    "worker",
    "tasks",
    "task",
    "jobs",
    "job",
    "concurrency",
];
/// Units, and parts of others' metrics: no numbers of things in use.
const UNITS: &[&str] = &[
    "bytes", "seconds", "ratio", "percent", "celsius", "bucket", "sum", "created", "info", "heap",
    "disk", "file", "files", "fds", "cache",
];
/// The longest role, in words, with two that say nothing.
const ROLE_WORDS_MAX: usize = 5;

/// A name's part that is the pool's, what the rest says, and what it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PoolName<'a> {
    pub(super) owner: &'a str,
    pub(super) words: &'a str,
    pub(super) resource: Resource,
    /// It says itself that it is a pool; else only its shape, beside others, does.
    pub(super) is_named: bool,
}

/// Words that a role's name may end with.
static LAST_WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let of_roles = ROLES
        .iter()
        .filter_map(|(words, _)| words.rsplit('_').next());
    of_roles.chain(FILLERS.iter().copied()).collect()
});

/// Splits a metric's name into the pool's and what is told of it; none of a name that is of no pool.
pub(super) fn split(name: &str) -> Option<PoolName<'_>> {
    if OTHERS.iter().any(|other| name.contains(other)) {
        return None;
    }
    if let Some(at) = name.find(PUMA) {
        return split_of_puma(name, at + PUMA.len());
    }
    let found = |words: &[&str]| {
        words
            .iter()
            .find_map(|word| Some(name.find(word)? + word.len()))
    };
    let executor = found(EXECUTORS);
    let Some(end) = executor.or_else(|| found(POOLS)) else {
        return split_by_shape(name);
    };
    let (owner, words) = name.split_at(end);
    let is_of_workers = executor.is_some() || has_word(words, OF_WORKERS);
    Some(PoolName {
        owner,
        words,
        resource: resource(is_of_workers),
        is_named: true,
    })
}

fn split_of_puma(name: &str, words_at: usize) -> Option<PoolName<'_>> {
    let (owner, own) = name.split_at(words_at);
    let (_, words) = PUMA_WORDS.iter().find(|(known, _)| *known == own)?;
    Some(PoolName {
        owner: owner.trim_end_matches('_'),
        words,
        resource: Resource::Workers,
        is_named: true,
    })
}

/// The longest end of a name that says what a number of a pool says.
fn split_by_shape(name: &str) -> Option<PoolName<'_>> {
    let last = name.rsplit('_').next()?;
    if !LAST_WORDS.contains(last) || has_word(name, UNITS) {
        return None;
    }
    let starts = name
        .rmatch_indices('_')
        .map(|(at, _)| at)
        .take(ROLE_WORDS_MAX);
    let told = starts.filter(|at| role(&name[*at..]).is_some_and(|role| role != Role::Open));
    let at = told.last()?;
    let (owner, words) = name.split_at(at);
    (!owner.is_empty()).then(|| PoolName {
        owner,
        words,
        resource: resource(has_word(name, OF_WORKERS)),
        is_named: false,
    })
}

fn has_word(name: &str, words: &[&str]) -> bool {
    name.split('_').any(|word| words.contains(&word))
}

const fn resource(is_of_workers: bool) -> Resource {
    if is_of_workers {
        Resource::Workers
    } else {
        Resource::Connections
    }
}

/// What the words after a pool's name say.
pub(super) fn role(words: &str) -> Option<Role> {
    Some(ROLES[place(words)?].1)
}

/// Where the words stand among the names of roles: of several names of one role the first counts.
pub(super) fn place(words: &str) -> Option<usize> {
    let words = words.to_ascii_lowercase();
    let telling: Vec<&str> = words
        .split('_')
        .filter(|word| !word.is_empty() && !FILLERS.contains(word))
        .collect();
    let rest = telling.join("_");
    ROLES.iter().position(|(known, _)| *known == rest)
}
