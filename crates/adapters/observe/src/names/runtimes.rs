//! Default names of the clients for Node, Python and Go, and usual names of their request metrics.
//!
//! Exporters serve such metrics too, of their own process, which is not the target.

use loadline_record::signals::{Label, SignalKind};

use super::rule::Rule;
use super::setup::Family;

const GENERATION: &[(&str, Label)] = &[("kind", Label::Generation)];
const DATABASE: &[(&str, Label)] = &[("db_name", Label::Pool)];

/// Of the process that serves the page.
const fn own(metric: &'static str, kind: SignalKind) -> Rule {
    Rule::new(metric, kind).unless(Family::Exporter)
}

pub(super) const RULES: &[Rule] = &[
    own("process_cpu_seconds_total", SignalKind::ProcessCpu),
    own("process_resident_memory_bytes", SignalKind::MemoryUsed),
    own("process_open_fds", SignalKind::OpenFiles),
    own("process_max_fds", SignalKind::OpenFilesMax).positive(),
    own("nodejs_eventloop_lag_seconds", SignalKind::EventLoopLag),
    own("nodejs_eventloop_utilization", SignalKind::EventLoopUse),
    own("nodejs_heap_size_used_bytes", SignalKind::HeapUsed),
    own(
        "nodejs_gc_duration_seconds_sum",
        SignalKind::CollectionPauseTime,
    )
    .named(GENERATION),
    own(
        "nodejs_gc_duration_seconds_count",
        SignalKind::CollectionPauses,
    )
    .named(GENERATION),
    own(
        "go_gc_duration_seconds_sum",
        SignalKind::CollectionPauseTime,
    ),
    own("go_gc_duration_seconds_count", SignalKind::CollectionPauses),
    own("go_memstats_heap_inuse_bytes", SignalKind::HeapUsed),
    own("go_threads", SignalKind::Threads),
    own("go_sched_gomaxprocs_threads", SignalKind::CoresAvailable),
    own("go_sql_max_open_connections", SignalKind::PoolMax)
        .named(DATABASE)
        .positive(),
    own("go_sql_in_use_connections", SignalKind::PoolActive).named(DATABASE),
    own("go_sql_idle_connections", SignalKind::PoolIdle).named(DATABASE),
    own(
        "go_sql_wait_duration_seconds_total",
        SignalKind::PoolAcquireTime,
    )
    .named(DATABASE),
    // express-prom-bundle and the metrics of most guides for Node
    own(
        "http_request_duration_seconds_count",
        SignalKind::ServerRequests,
    )
    .only(&[("route", "!")])
    .operation("method", "route"),
    own(
        "http_request_duration_seconds_sum",
        SignalKind::ServerRequestTime,
    )
    .only(&[("route", "!")])
    .operation("method", "route"),
    own(
        "http_request_duration_seconds_count",
        SignalKind::ServerErrors,
    )
    .only(&[("route", "!"), ("status_code", "5*")])
    .operation("method", "route"),
    // Guides that name the path, and promhttp's middleware for Go, which names the status alone
    own(
        "http_request_duration_seconds_count",
        SignalKind::ServerRequests,
    )
    .only(&[("path", "!"), ("route", ""), ("handler", "")])
    .operation("method", "path"),
    own(
        "http_request_duration_seconds_sum",
        SignalKind::ServerRequestTime,
    )
    .only(&[("path", "!"), ("route", ""), ("handler", "")])
    .operation("method", "path"),
    own(
        "http_request_duration_seconds_count",
        SignalKind::ServerRequests,
    )
    .only(&[("code", "!"), ("path", ""), ("route", ""), ("handler", "")]),
    own(
        "http_request_duration_seconds_sum",
        SignalKind::ServerRequestTime,
    )
    .only(&[("code", "!"), ("path", ""), ("route", ""), ("handler", "")]),
    // prometheus-fastapi-instrumentator
    own(
        "http_request_duration_seconds_count",
        SignalKind::ServerRequests,
    )
    .only(&[("handler", "!")])
    .operation("method", "handler"),
    own(
        "http_request_duration_seconds_sum",
        SignalKind::ServerRequestTime,
    )
    .only(&[("handler", "!")])
    .operation("method", "handler"),
    own("http_requests_total", SignalKind::ServerErrors)
        .only(&[("handler", "!"), ("status", "5*")])
        .operation("method", "handler"),
    // starlette and django exporters
    own(
        "starlette_request_duration_seconds_count",
        SignalKind::ServerRequests,
    )
    .operation("method", "path"),
    own(
        "starlette_request_duration_seconds_sum",
        SignalKind::ServerRequestTime,
    )
    .operation("method", "path"),
    own(
        "django_http_requests_latency_seconds_by_view_method_count",
        SignalKind::ServerRequests,
    )
    .operation("method", "view"),
    own(
        "django_http_requests_latency_seconds_by_view_method_sum",
        SignalKind::ServerRequestTime,
    )
    .operation("method", "view"),
];
