//! The names of `postgres_exporter`, `mysqld_exporter`, `redis_exporter` and `kafka_exporter`.

use loadline_record::signals::{Label, SignalKind};

use super::rule::Rule;

const DATABASE: &[(&str, Label)] = &[("datname", Label::Database)];
const STATEMENT: &[(&str, Label)] = &[("queryid", Label::StatementId)];
const DIGEST: &[(&str, Label)] = &[("digest", Label::StatementId)];
const LAG: &[(&str, Label)] = &[
    ("consumergroup", Label::Consumer),
    ("topic", Label::Consumer),
];

const fn sessions(kind: SignalKind, state: &'static [(&'static str, &'static str)]) -> Rule {
    Rule::new("pg_stat_activity_count", kind)
        .only(state)
        .named(DATABASE)
}

/// What `mysqld_exporter` tells of a statement; its text comes with it, if at all.
const fn digest(metric: &'static str, kind: SignalKind) -> Rule {
    Rule::new(metric, kind).named(DIGEST)
}

pub(super) const RULES: &[Rule] = &[
    sessions(SignalKind::SessionsActive, &[("state", "active")]),
    sessions(SignalKind::SessionsIdle, &[("state", "idle")]),
    sessions(
        SignalKind::SessionsIdleInTransaction,
        &[("state", "idle in transaction*")],
    ),
    Rule::new("pg_settings_max_connections", SignalKind::SessionsMax),
    Rule::new("pg_stat_database_xact_commit", SignalKind::Transactions).named(DATABASE),
    Rule::new("pg_stat_database_xact_rollback", SignalKind::Transactions).named(DATABASE),
    Rule::new(
        "pg_stat_database_xact_commit_total",
        SignalKind::Transactions,
    )
    .named(DATABASE),
    Rule::new(
        "pg_stat_database_xact_rollback_total",
        SignalKind::Transactions,
    )
    .named(DATABASE),
    Rule::new("pg_stat_database_blk_read_time", SignalKind::DatabaseIoTime)
        .named(DATABASE)
        .scaled(1e-3),
    Rule::new(
        "pg_stat_database_blk_read_time_total",
        SignalKind::DatabaseIoTime,
    )
    .named(DATABASE)
    .scaled(1e-3),
    Rule::new("pg_stat_statements_calls_total", SignalKind::StatementCalls).named(STATEMENT),
    Rule::new(
        "pg_stat_statements_seconds_total",
        SignalKind::StatementTime,
    )
    .named(STATEMENT),
    Rule::new("pg_stat_statements_rows_total", SignalKind::StatementRows).named(STATEMENT),
    Rule::new(
        "mysql_global_status_threads_running",
        SignalKind::SessionsActive,
    ),
    Rule::new(
        "mysql_global_status_threads_connected",
        SignalKind::Sessions,
    ),
    Rule::new(
        "mysql_global_variables_max_connections",
        SignalKind::SessionsMax,
    ),
    digest(
        "mysql_perf_schema_events_statements_total",
        SignalKind::StatementCalls,
    ),
    digest(
        "mysql_perf_schema_events_statements_seconds_total",
        SignalKind::StatementTime,
    ),
    digest(
        "mysql_perf_schema_events_statements_rows_sent_total",
        SignalKind::StatementRows,
    ),
    digest(
        "mysql_perf_schema_events_statements_rows_affected_total",
        SignalKind::StatementRows,
    ),
    digest(
        "mysql_perf_schema_events_statements_rows_examined_total",
        SignalKind::StatementExamined,
    ),
    Rule::new("redis_cpu_sys_seconds_total", SignalKind::RedisCpu),
    Rule::new("redis_cpu_user_seconds_total", SignalKind::RedisCpu),
    Rule::new(
        "redis_cpu_sys_main_thread_seconds_total",
        SignalKind::RedisMainThreadCpu,
    ),
    Rule::new(
        "redis_cpu_user_main_thread_seconds_total",
        SignalKind::RedisMainThreadCpu,
    ),
    Rule::new("redis_memory_used_bytes", SignalKind::RedisMemoryUsed),
    Rule::new("redis_memory_max_bytes", SignalKind::RedisMemoryLimit),
    Rule::new("redis_commands_processed_total", SignalKind::RedisCommands),
    Rule::new("redis_evicted_keys_total", SignalKind::RedisEvictions),
    Rule::new("redis_connected_clients", SignalKind::RedisClients),
    Rule::new("kafka_consumergroup_lag", SignalKind::ConsumerLag).named(LAG),
];
