//! Micrometer's names, as Spring Boot's Actuator has them.

use loadline_record::signals::{Label, SignalKind};

use super::rule::Rule;
use super::setup::Family;

const POOL: &[(&str, Label)] = &[("pool", Label::Pool)];
const NAME: &[(&str, Label)] = &[("name", Label::Pool)];
const PAUSE: &[(&str, Label)] = &[("gc", Label::Collector), ("action", Label::Generation)];
const PEER: &[(&str, Label)] = &[("client_name", Label::Peer)];
const HEAP: &[(&str, &str)] = &[("area", "heap")];
const SERVER_ERROR: &[(&str, &str)] = &[("status", "5*")];

pub(super) const RULES: &[Rule] = &[
    Rule::new("hikaricp_connections_active", SignalKind::PoolActive).named(POOL),
    Rule::new("hikaricp_connections_idle", SignalKind::PoolIdle).named(POOL),
    Rule::new("hikaricp_connections_pending", SignalKind::PoolPending).named(POOL),
    Rule::new("hikaricp_connections_max", SignalKind::PoolMax).named(POOL),
    Rule::new("hikaricp_connections_min", SignalKind::PoolMin).named(POOL),
    Rule::new(
        "hikaricp_connections_creation_seconds_count",
        SignalKind::PoolOpened,
    )
    .named(POOL),
    Rule::new(
        "hikaricp_connections_timeout_total",
        SignalKind::PoolTimeouts,
    )
    .named(POOL),
    Rule::new(
        "hikaricp_connections_usage_seconds_sum",
        SignalKind::PoolHoldTime,
    )
    .named(POOL),
    Rule::new(
        "hikaricp_connections_usage_seconds_count",
        SignalKind::PoolHolds,
    )
    .named(POOL),
    Rule::new(
        "hikaricp_connections_acquire_seconds_sum",
        SignalKind::PoolAcquireTime,
    )
    .named(POOL),
    Rule::new(
        "hikaricp_connections_acquire_seconds_count",
        SignalKind::PoolAcquires,
    )
    .named(POOL),
    // Spring's own view of any pool; HikariCP's says more.
    Rule::new("jdbc_connections_active", SignalKind::PoolActive)
        .named(NAME)
        .unless(Family::Hikari),
    Rule::new("jdbc_connections_idle", SignalKind::PoolIdle)
        .named(NAME)
        .unless(Family::Hikari),
    Rule::new("jdbc_connections_max", SignalKind::PoolMax)
        .named(NAME)
        .unless(Family::Hikari),
    Rule::new("r2dbc_pool_acquired_connections", SignalKind::PoolActive).named(NAME),
    Rule::new("r2dbc_pool_idle_connections", SignalKind::PoolIdle).named(NAME),
    Rule::new("r2dbc_pool_pending_connections", SignalKind::PoolPending).named(NAME),
    Rule::new("r2dbc_pool_max_allocated_connections", SignalKind::PoolMax).named(NAME),
    Rule::new("tomcat_threads_busy_threads", SignalKind::WorkersBusy).named(NAME),
    Rule::new("tomcat_threads_config_max_threads", SignalKind::WorkersMax).named(NAME),
    Rule::new(
        "tomcat_connections_current_connections",
        SignalKind::Connections,
    )
    .named(NAME),
    Rule::new(
        "tomcat_connections_config_max_connections",
        SignalKind::ConnectionsMax,
    )
    .named(NAME),
    Rule::new("jetty_threads_busy", SignalKind::WorkersBusy),
    Rule::new("jetty_threads_config_max", SignalKind::WorkersMax),
    Rule::new("jetty_threads_jobs", SignalKind::WorkersQueue),
    Rule::new("executor_active_threads", SignalKind::WorkersBusy).named(NAME),
    Rule::new("executor_pool_max_threads", SignalKind::WorkersMax).named(NAME),
    Rule::new("executor_queued_tasks", SignalKind::WorkersQueue).named(NAME),
    Rule::new("jvm_memory_used_bytes", SignalKind::HeapUsed).only(HEAP),
    Rule::new("jvm_memory_max_bytes", SignalKind::HeapMax)
        .only(HEAP)
        .positive(),
    Rule::new(
        "jvm_memory_usage_after_gc",
        SignalKind::HeapAfterCollectionShare,
    )
    .only(HEAP)
    .largest(),
    Rule::new(
        "jvm_gc_live_data_size_bytes",
        SignalKind::HeapAfterCollection,
    )
    .positive(),
    Rule::new(
        "jvm_gc_memory_allocated_bytes_total",
        SignalKind::HeapAllocated,
    ),
    Rule::new("jvm_gc_pause_seconds_sum", SignalKind::CollectionPauseTime).named(PAUSE),
    Rule::new("jvm_gc_pause_seconds_count", SignalKind::CollectionPauses).named(PAUSE),
    Rule::new("jvm_threads_live_threads", SignalKind::Threads),
    Rule::new("jvm_compilation_time_ms_total", SignalKind::CompilationTime).scaled(1e-3),
    Rule::new("process_cpu_time_ns_total", SignalKind::ProcessCpu).scaled(1e-9),
    Rule::new("system_cpu_count", SignalKind::CoresAvailable).positive(),
    Rule::new("process_files_open_files", SignalKind::OpenFiles),
    Rule::new("process_files_max_files", SignalKind::OpenFilesMax).positive(),
    Rule::new("process_uptime_seconds", SignalKind::Uptime),
    Rule::new(
        "http_server_requests_seconds_count",
        SignalKind::ServerRequests,
    )
    .operation("method", "uri"),
    Rule::new(
        "http_server_requests_seconds_sum",
        SignalKind::ServerRequestTime,
    )
    .operation("method", "uri"),
    Rule::new(
        "http_server_requests_seconds_count",
        SignalKind::ServerErrors,
    )
    .only(SERVER_ERROR)
    .operation("method", "uri"),
    Rule::new(
        "http_server_requests_active_seconds_gcount",
        SignalKind::ServerRequestsActive,
    ),
    Rule::new(
        "http_server_requests_active_seconds_active_count",
        SignalKind::ServerRequestsActive,
    ),
    Rule::new(
        "http_server_requests_active_seconds_count",
        SignalKind::ServerRequestsActive,
    ),
    Rule::new(
        "http_client_requests_seconds_count",
        SignalKind::OutsideCalls,
    )
    .named(PEER),
    Rule::new(
        "http_client_requests_seconds_sum",
        SignalKind::OutsideCallTime,
    )
    .named(PEER),
    Rule::new(
        "http_client_requests_seconds_count",
        SignalKind::OutsideErrors,
    )
    .only(&[("outcome", "SERVER_ERROR")])
    .named(PEER),
    Rule::new(
        "http_client_requests_seconds_count",
        SignalKind::OutsideErrors,
    )
    .only(&[("outcome", "UNKNOWN")])
    .named(PEER),
    Rule::new(
        "http_client_requests_seconds_count",
        SignalKind::OutsideRefused,
    )
    .only(&[("status", "429|503")])
    .named(PEER),
    Rule::new(
        "http_client_requests_active_seconds_count",
        SignalKind::OutsideCallsActive,
    )
    .named(PEER),
    Rule::new(
        "http_client_requests_active_seconds_gcount",
        SignalKind::OutsideCallsActive,
    )
    .named(PEER),
    Rule::new("logback_events_total", SignalKind::LogErrors).only(&[("level", "error")]),
    Rule::new(
        "kafka_consumer_fetch_manager_records_lag",
        SignalKind::ConsumerLag,
    )
    .named(&[("topic", Label::Consumer)]),
];
