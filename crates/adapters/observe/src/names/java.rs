//! Micrometer's names, as Spring Boot's Actuator has them.

use loadline_record::signals::{Label, SignalKind};

use super::rule::{Rule, of};
use super::setup::Family;

const POOL: &[(&str, Label)] = &[("pool", Label::Pool)];
const NAME: &[(&str, Label)] = &[("name", Label::Pool)];
const PAUSE: &[(&str, Label)] = &[("gc", Label::Collector), ("action", Label::Generation)];
const PEER: &[(&str, Label)] = &[("client_name", Label::Peer)];
const HEAP: &[(&str, &str)] = &[("area", "heap")];
const SERVER_ERROR: &[(&str, &str)] = &[("status", "5*")];

pub(super) const RULES: &[Rule] = &[
    of("hikaricp_connections_active", SignalKind::PoolActive).named(POOL),
    of("hikaricp_connections_idle", SignalKind::PoolIdle).named(POOL),
    of("hikaricp_connections_pending", SignalKind::PoolPending).named(POOL),
    of("hikaricp_connections_max", SignalKind::PoolMax).named(POOL),
    of(
        "hikaricp_connections_timeout_total",
        SignalKind::PoolTimeouts,
    )
    .named(POOL),
    of(
        "hikaricp_connections_usage_seconds_sum",
        SignalKind::PoolHoldTime,
    )
    .named(POOL),
    of(
        "hikaricp_connections_usage_seconds_count",
        SignalKind::PoolHolds,
    )
    .named(POOL),
    of(
        "hikaricp_connections_acquire_seconds_sum",
        SignalKind::PoolAcquireTime,
    )
    .named(POOL),
    of(
        "hikaricp_connections_acquire_seconds_count",
        SignalKind::PoolAcquires,
    )
    .named(POOL),
    // Spring's own view of any pool; HikariCP's says more.
    of("jdbc_connections_active", SignalKind::PoolActive)
        .named(NAME)
        .unless(Family::Hikari),
    of("jdbc_connections_idle", SignalKind::PoolIdle)
        .named(NAME)
        .unless(Family::Hikari),
    of("jdbc_connections_max", SignalKind::PoolMax)
        .named(NAME)
        .unless(Family::Hikari),
    of("r2dbc_pool_acquired_connections", SignalKind::PoolActive).named(NAME),
    of("r2dbc_pool_idle_connections", SignalKind::PoolIdle).named(NAME),
    of("r2dbc_pool_pending_connections", SignalKind::PoolPending).named(NAME),
    of("r2dbc_pool_max_allocated_connections", SignalKind::PoolMax).named(NAME),
    of("tomcat_threads_busy_threads", SignalKind::WorkersBusy).named(NAME),
    of("tomcat_threads_config_max_threads", SignalKind::WorkersMax).named(NAME),
    of(
        "tomcat_connections_current_connections",
        SignalKind::Connections,
    )
    .named(NAME),
    of(
        "tomcat_connections_config_max_connections",
        SignalKind::ConnectionsMax,
    )
    .named(NAME),
    of("jetty_threads_busy", SignalKind::WorkersBusy),
    of("jetty_threads_config_max", SignalKind::WorkersMax),
    of("jetty_threads_jobs", SignalKind::WorkersQueue),
    of("executor_active_threads", SignalKind::WorkersBusy).named(NAME),
    of("executor_pool_max_threads", SignalKind::WorkersMax).named(NAME),
    of("executor_queued_tasks", SignalKind::WorkersQueue).named(NAME),
    of("jvm_memory_used_bytes", SignalKind::HeapUsed).only(HEAP),
    of("jvm_memory_max_bytes", SignalKind::HeapMax)
        .only(HEAP)
        .positive(),
    of(
        "jvm_memory_usage_after_gc",
        SignalKind::HeapAfterCollectionShare,
    )
    .only(HEAP)
    .largest(),
    of(
        "jvm_gc_live_data_size_bytes",
        SignalKind::HeapAfterCollection,
    )
    .positive(),
    of(
        "jvm_gc_memory_allocated_bytes_total",
        SignalKind::HeapAllocated,
    ),
    of("jvm_gc_pause_seconds_sum", SignalKind::CollectionPauseTime).named(PAUSE),
    of("jvm_gc_pause_seconds_count", SignalKind::CollectionPauses).named(PAUSE),
    of("jvm_threads_live_threads", SignalKind::Threads),
    of("jvm_compilation_time_ms_total", SignalKind::CompilationTime).scaled(1e-3),
    of("process_cpu_time_ns_total", SignalKind::ProcessCpu).scaled(1e-9),
    of("system_cpu_count", SignalKind::CoresAvailable).positive(),
    of("process_uptime_seconds", SignalKind::Uptime),
    of(
        "http_server_requests_seconds_count",
        SignalKind::ServerRequests,
    )
    .operation("method", "uri"),
    of(
        "http_server_requests_seconds_sum",
        SignalKind::ServerRequestTime,
    )
    .operation("method", "uri"),
    of(
        "http_server_requests_seconds_count",
        SignalKind::ServerErrors,
    )
    .only(SERVER_ERROR)
    .operation("method", "uri"),
    of(
        "http_server_requests_active_seconds_gcount",
        SignalKind::ServerRequestsActive,
    ),
    of(
        "http_server_requests_active_seconds_active_count",
        SignalKind::ServerRequestsActive,
    ),
    of(
        "http_server_requests_active_seconds_count",
        SignalKind::ServerRequestsActive,
    ),
    of(
        "http_client_requests_seconds_count",
        SignalKind::OutsideCalls,
    )
    .named(PEER),
    of(
        "http_client_requests_seconds_sum",
        SignalKind::OutsideCallTime,
    )
    .named(PEER),
    of(
        "http_client_requests_seconds_count",
        SignalKind::OutsideErrors,
    )
    .only(&[("outcome", "SERVER_ERROR")])
    .named(PEER),
    of(
        "http_client_requests_seconds_count",
        SignalKind::OutsideErrors,
    )
    .only(&[("outcome", "UNKNOWN")])
    .named(PEER),
    of(
        "http_client_requests_active_seconds_count",
        SignalKind::OutsideCallsActive,
    )
    .named(PEER),
    of(
        "http_client_requests_active_seconds_gcount",
        SignalKind::OutsideCallsActive,
    )
    .named(PEER),
    of("logback_events_total", SignalKind::LogErrors).only(&[("level", "error")]),
    of(
        "kafka_consumer_fetch_manager_records_lag",
        SignalKind::ConsumerLag,
    )
    .named(&[("topic", Label::Consumer)]),
];
