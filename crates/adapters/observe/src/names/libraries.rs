//! Names that libraries give to their pools and queues, beside those of Micrometer and OpenTelemetry.

use loadline_record::signals::{Label, SignalKind};

use super::rule::Rule;

const POOL: &[(&str, Label)] = &[("pool", Label::Pool)];
const DATASOURCE: &[(&str, Label)] = &[("datasource", Label::Pool)];
const DB_NAME: &[(&str, Label)] = &[("db_name", Label::Pool)];
const BOUNCER: &[(&str, Label)] = &[("database", Label::Pool)];
const NAME: &[(&str, Label)] = &[("name", Label::Pool), ("pool_name", Label::Pool)];

const fn rule(
    metric: &'static str,
    kind: SignalKind,
    named: &'static [(&'static str, Label)],
) -> Rule {
    Rule::new(metric, kind).named(named)
}

pub(super) const RULES: &[Rule] = &[
    // HikariCP's own tracker, without Micrometer
    rule("hikaricp_active_connections", SignalKind::PoolActive, POOL),
    rule("hikaricp_idle_connections", SignalKind::PoolIdle, POOL),
    rule("hikaricp_pending_threads", SignalKind::PoolPending, POOL),
    rule("hikaricp_max_connections", SignalKind::PoolMax, POOL),
    rule("hikaricp_min_connections", SignalKind::PoolMin, POOL),
    rule(
        "hikaricp_connection_creation_millis_count",
        SignalKind::PoolOpened,
        POOL,
    ),
    rule(
        "hikaricp_connection_timeout_total",
        SignalKind::PoolTimeouts,
        POOL,
    ),
    rule(
        "hikaricp_connection_acquired_nanos_sum",
        SignalKind::PoolAcquireTime,
        POOL,
    )
    .scaled(1e-9),
    rule(
        "hikaricp_connection_acquired_nanos_count",
        SignalKind::PoolAcquires,
        POOL,
    ),
    rule(
        "hikaricp_connection_usage_millis_sum",
        SignalKind::PoolHoldTime,
        POOL,
    )
    .scaled(1e-3),
    rule(
        "hikaricp_connection_usage_millis_count",
        SignalKind::PoolHolds,
        POOL,
    ),
    // Quarkus
    rule("agroal_active_count", SignalKind::PoolActive, DATASOURCE),
    rule("agroal_available_count", SignalKind::PoolIdle, DATASOURCE),
    rule("agroal_awaiting_count", SignalKind::PoolPending, DATASOURCE),
    rule(
        "agroal_acquire_count_total",
        SignalKind::PoolAcquires,
        DATASOURCE,
    ),
    rule(
        "agroal_blocking_time_total_milliseconds",
        SignalKind::PoolAcquireTime,
        DATASOURCE,
    )
    .scaled(1e-3),
    // Commons DBCP by Micrometer
    rule("commons_pool2_num_active", SignalKind::PoolActive, NAME),
    rule("commons_pool2_num_idle", SignalKind::PoolIdle, NAME),
    rule("commons_pool2_num_waiters", SignalKind::PoolPending, NAME),
    // sqlstats for Go
    rule(
        "go_sql_stats_connections_max_open",
        SignalKind::PoolMax,
        DB_NAME,
    )
    .positive(),
    rule(
        "go_sql_stats_connections_in_use",
        SignalKind::PoolActive,
        DB_NAME,
    ),
    rule(
        "go_sql_stats_connections_idle",
        SignalKind::PoolIdle,
        DB_NAME,
    ),
    rule(
        "go_sql_stats_connections_waited_for",
        SignalKind::PoolWaits,
        DB_NAME,
    ),
    rule(
        "go_sql_stats_connections_waited_for_total",
        SignalKind::PoolWaits,
        DB_NAME,
    ),
    rule(
        "go_sql_stats_connections_blocked_seconds",
        SignalKind::PoolAcquireTime,
        DB_NAME,
    ),
    rule(
        "go_sql_stats_connections_blocked_seconds_total",
        SignalKind::PoolAcquireTime,
        DB_NAME,
    ),
    rule("go_sql_wait_count_total", SignalKind::PoolWaits, DB_NAME),
    // PgBouncer
    rule(
        "pgbouncer_pools_server_active_connections",
        SignalKind::PoolActive,
        BOUNCER,
    ),
    rule(
        "pgbouncer_pools_server_idle_connections",
        SignalKind::PoolIdle,
        BOUNCER,
    ),
    rule(
        "pgbouncer_pools_client_waiting_connections",
        SignalKind::PoolPending,
        BOUNCER,
    ),
    // Micrometer's executors
    rule(
        "executor_rejected_tasks_total",
        SignalKind::WorkersRefused,
        NAME,
    ),
    // .NET
    Rule::new("dotnet_thread_pool_queue_length", SignalKind::WorkersQueue),
    Rule::new(
        "system_runtime_threadpool_queue_length",
        SignalKind::WorkersQueue,
    ),
    Rule::new("kestrel_active_connections", SignalKind::Connections),
    Rule::new("kestrel_queued_connections", SignalKind::AcceptQueue),
    // nginx
    Rule::new("nginx_connections_active", SignalKind::Connections),
    Rule::new("nginx_connections_waiting", SignalKind::ConnectionsIdle),
    Rule::new(
        "nginx_connections_accepted",
        SignalKind::ConnectionsAccepted,
    ),
    Rule::new("nginx_http_requests_total", SignalKind::ServerRequests),
];
