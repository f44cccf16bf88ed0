//! OpenTelemetry's names, as its exporter for Prometheus writes them, of both generations.

use loadline_record::signals::{Label, SignalKind};

use super::rule::Rule;

const POOL: &[(&str, Label)] = &[
    ("db_client_connection_pool_name", Label::Pool),
    ("pool_name", Label::Pool),
];
const PAUSE: &[(&str, Label)] = &[
    ("jvm_gc_name", Label::Collector),
    ("jvm_gc_action", Label::Generation),
];
const PEER: &[(&str, Label)] = &[
    ("server_address", Label::Peer),
    ("net_peer_name", Label::Peer),
    ("peer_service", Label::Peer),
    ("host", Label::Peer),
    ("target", Label::Peer),
];
const STATEMENT: &[(&str, Label)] = &[("db_query_summary", Label::Statement)];
const HEAP: &[(&str, &str)] = &[("jvm_memory_type", "heap")];
const USED: &[(&str, &str)] = &[("db_client_connection_state", "used")];
const IDLE: &[(&str, &str)] = &[("db_client_connection_state", "idle")];
const STATE_USED: &[(&str, &str)] = &[("state", "used")];
const STATE_IDLE: &[(&str, &str)] = &[("state", "idle")];
const METHOD: &str = "http_request_method";
const ROUTE: &str = "http_route";

pub(super) const RULES: &[Rule] = &[
    Rule::new("jvm_memory_used_bytes", SignalKind::HeapUsed).only(HEAP),
    Rule::new("jvm_file_descriptor_count", SignalKind::OpenFiles),
    Rule::new("jvm_file_descriptor_limit", SignalKind::OpenFilesMax).positive(),
    Rule::new("jvm_memory_limit_bytes", SignalKind::HeapMax)
        .only(HEAP)
        .positive(),
    Rule::new(
        "jvm_memory_used_after_last_gc_bytes",
        SignalKind::HeapAfterCollection,
    )
    .only(HEAP)
    .positive(),
    Rule::new(
        "jvm_gc_duration_seconds_sum",
        SignalKind::CollectionPauseTime,
    )
    .named(PAUSE),
    Rule::new(
        "jvm_gc_duration_seconds_count",
        SignalKind::CollectionPauses,
    )
    .named(PAUSE),
    Rule::new("jvm_cpu_time_seconds_total", SignalKind::ProcessCpu),
    Rule::new("jvm_cpu_count", SignalKind::CoresAvailable).positive(),
    Rule::new("jvm_thread_count", SignalKind::Threads),
    Rule::new("db_client_connection_count", SignalKind::PoolActive)
        .only(USED)
        .named(POOL),
    Rule::new("db_client_connection_count", SignalKind::PoolIdle)
        .only(IDLE)
        .named(POOL),
    Rule::new("db_client_connection_max", SignalKind::PoolMax).named(POOL),
    Rule::new("db_client_connection_limit", SignalKind::PoolMax).named(POOL),
    Rule::new("db_client_connection_idle_min", SignalKind::PoolMin).named(POOL),
    Rule::new(
        "db_client_connection_create_time_seconds_count",
        SignalKind::PoolOpened,
    )
    .named(POOL),
    Rule::new(
        "db_client_connection_pending_requests",
        SignalKind::PoolPending,
    )
    .named(POOL),
    Rule::new(
        "db_client_connection_timeouts_total",
        SignalKind::PoolTimeouts,
    )
    .named(POOL),
    Rule::new(
        "db_client_connection_use_time_seconds_sum",
        SignalKind::PoolHoldTime,
    )
    .named(POOL),
    Rule::new(
        "db_client_connection_use_time_seconds_count",
        SignalKind::PoolHolds,
    )
    .named(POOL),
    Rule::new(
        "db_client_connection_wait_time_seconds_sum",
        SignalKind::PoolAcquireTime,
    )
    .named(POOL),
    Rule::new(
        "db_client_connection_wait_time_seconds_count",
        SignalKind::PoolAcquires,
    )
    .named(POOL),
    Rule::new("db_client_connections_usage", SignalKind::PoolActive)
        .only(STATE_USED)
        .named(POOL),
    Rule::new("db_client_connections_usage", SignalKind::PoolIdle)
        .only(STATE_IDLE)
        .named(POOL),
    Rule::new("db_client_connections_max", SignalKind::PoolMax).named(POOL),
    Rule::new("db_client_connections_idle_min", SignalKind::PoolMin).named(POOL),
    Rule::new(
        "db_client_connections_create_time_milliseconds_count",
        SignalKind::PoolOpened,
    )
    .named(POOL),
    Rule::new(
        "db_client_connections_pending_requests",
        SignalKind::PoolPending,
    )
    .named(POOL),
    Rule::new(
        "db_client_connections_timeouts_total",
        SignalKind::PoolTimeouts,
    )
    .named(POOL),
    Rule::new(
        "db_client_connections_use_time_milliseconds_sum",
        SignalKind::PoolHoldTime,
    )
    .named(POOL)
    .scaled(1e-3),
    Rule::new(
        "db_client_connections_use_time_milliseconds_count",
        SignalKind::PoolHolds,
    )
    .named(POOL),
    Rule::new(
        "db_client_connections_wait_time_milliseconds_sum",
        SignalKind::PoolAcquireTime,
    )
    .named(POOL)
    .scaled(1e-3),
    Rule::new(
        "db_client_connections_wait_time_milliseconds_count",
        SignalKind::PoolAcquires,
    )
    .named(POOL),
    Rule::new(
        "db_client_operation_duration_seconds_count",
        SignalKind::StatementCalls,
    )
    .named(STATEMENT),
    Rule::new(
        "db_client_operation_duration_seconds_sum",
        SignalKind::StatementTime,
    )
    .named(STATEMENT),
    Rule::new(
        "http_server_request_duration_seconds_count",
        SignalKind::ServerRequests,
    )
    .operation(METHOD, ROUTE),
    Rule::new(
        "http_server_request_duration_seconds_sum",
        SignalKind::ServerRequestTime,
    )
    .operation(METHOD, ROUTE),
    Rule::new(
        "http_server_request_duration_seconds_count",
        SignalKind::ServerErrors,
    )
    .only(&[("http_response_status_code", "5*")])
    .operation(METHOD, ROUTE),
    Rule::new(
        "http_server_active_requests",
        SignalKind::ServerRequestsActive,
    ),
    Rule::new(
        "http_client_request_duration_seconds_count",
        SignalKind::OutsideCalls,
    )
    .named(PEER),
    Rule::new(
        "http_client_request_duration_seconds_sum",
        SignalKind::OutsideCallTime,
    )
    .named(PEER),
    Rule::new(
        "http_client_request_duration_seconds_count",
        SignalKind::OutsideErrors,
    )
    .only(&[("error_type", "!")])
    .named(PEER),
    Rule::new(
        "http_client_request_duration_seconds_count",
        SignalKind::OutsideRefused,
    )
    .only(&[("http_response_status_code", "429|503")])
    .named(PEER),
    Rule::new(
        "http_client_request_duration_seconds_count",
        SignalKind::OutsideRefused,
    )
    .only(&[("status_code", "429|503")])
    .named(PEER),
    Rule::new(
        "http_client_request_duration_seconds_count",
        SignalKind::OutsideRefused,
    )
    .only(&[("status", "429|503")])
    .named(PEER),
    Rule::new(
        "http_client_request_duration_seconds_count",
        SignalKind::OutsideRefused,
    )
    .only(&[("code", "429|503")])
    .named(PEER),
];
