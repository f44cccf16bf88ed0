//! What a page shows of how its target is set up: which metrics it has and which are switched off.

use std::collections::{BTreeMap, BTreeSet};

use loadline_record::signals::{Entity, Label, MissingSignal, SignalKind, SourceNote};

use super::unused::UnusedMetrics;
use crate::exposition::Sample;

/// Kinds of metrics that are told apart because others are read only without them, or because
/// something is missing beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Family {
    Java,
    /// Micrometer's names, as Spring's Actuator has them.
    Micrometer,
    Tomcat,
    /// Its threads are told, if only as "none": virtual threads have no number.
    TomcatThreads,
    Hikari,
    /// The page is about something else than the process that serves it.
    Exporter,
    Postgres,
    /// `pg_stat_statements` is read.
    Statements,
    /// A cloud's monitoring is asked: nothing on the page is of a process but the exporter's own.
    Cloud,
}

/// Metrics whose labels say a setting: metric, label, the setting's name.
const SETTINGS: &[(&str, &str, &str)] = &[
    ("jvm_info", "version", "jvm.version"),
    ("jvm_info", "vendor", "jvm.vendor"),
    ("target_info", "service_name", "service.name"),
    ("target_info", "service_version", "service.version"),
    ("nodejs_version_info", "version", "node.version"),
    ("python_info", "version", "python.version"),
    ("go_info", "version", "go.version"),
    ("redis_instance_info", "redis_version", "redis.version"),
    (
        "redis_instance_info",
        "maxmemory_policy",
        "redis.maxmemory_policy",
    ),
    ("pg_static", "short_version", "postgres.version"),
    ("node_uname_info", "release", "host.kernel"),
    ("node_uname_info", "nodename", "host.name"),
];

/// Metrics whose values are settings, whole numbers: metric, the setting's name.
const NUMBERS: &[(&str, &str)] = &[
    (
        "pg_settings_superuser_reserved_connections",
        "postgres.superuser_reserved_connections",
    ),
    (
        "pg_settings_reserved_connections",
        "postgres.reserved_connections",
    ),
];

/// The setting that the version of a runtime is, by the language of the telemetry's library.
const RUNTIMES: [(&str, &str); 5] = [
    ("java", "jvm.version"),
    ("nodejs", "node.version"),
    ("python", "python.version"),
    ("go", "go.version"),
    ("dotnet", "dotnet.version"),
];

/// The metrics that say settings.
pub(super) fn setting_metrics() -> impl Iterator<Item = &'static str> {
    let labels = SETTINGS.iter().map(|(metric, _, _)| *metric);
    labels.chain(NUMBERS.iter().map(|(metric, _)| *metric))
}

/// The settings that a sample tells, by its labels or by its value.
pub(super) fn settings_of<'a>(
    sample: &'a Sample<'_>,
) -> impl Iterator<Item = (&'static str, String)> + use<'a> {
    let labels = SETTINGS.iter().filter_map(|(metric, label, name)| {
        let value = sample.label(label);
        (*metric == sample.name && !value.is_empty()).then(|| (*name, value.to_owned()))
    });
    let numbers = NUMBERS.iter().filter_map(|(metric, name)| {
        let is_told = *metric == sample.name && sample.value.is_finite();
        is_told.then(|| (*name, format!("{:.0}", sample.value)))
    });
    labels.chain(numbers)
}

/// The version of the runtime that `target_info` tells, and which setting it is.
pub(super) fn runtime(sample: &Sample<'_>) -> Option<(&'static str, String)> {
    let language = sample.label("telemetry_sdk_language");
    let version = sample.label("process_runtime_version");
    let is_told = sample.name == "target_info" && !version.is_empty();
    let (_, setting) = RUNTIMES.iter().find(|(known, _)| *known == language)?;
    is_told.then(|| (*setting, version.to_owned()))
}

/// Metrics that no rule reads, but which show what serves a page.
pub(super) const MARKS: &[&str] = &[
    "alertmanager_build_info",
    "blackbox_exporter_build_info",
    "cadvisor_version_info",
    "cloudwatch_exporter_build_info",
    "container_spec_cpu_period",
    "container_spec_cpu_quota",
    "executor_pool_core_threads",
    "executor_queue_remaining_tasks",
    "grafana_build_info",
    "jvm_gc_duration_seconds_count",
    "jvm_gc_pause_seconds_count",
    "kafka_exporter_build_info",
    "kube_pod_info",
    "loki_build_info",
    "mysqld_exporter_build_info",
    "nginx_connections_handled",
    "nginx_up",
    "node_exporter_build_info",
    "otelcol_process_uptime",
    "pg_stat_statements_query_id",
    "postgres_exporter_build_info",
    "process_cpu_usage",
    "prometheus_build_info",
    "pushgateway_build_info",
    "redis_exporter_build_info",
    "tempo_build_info",
    "tomcat_sessions_active_current_sessions",
    "up",
];

/// Beginnings of metric names, and what they show.
const FAMILIES: &[(&str, Family)] = &[
    ("jvm_", Family::Java),
    ("hikaricp_", Family::Hikari),
    ("tomcat_", Family::Tomcat),
    ("tomcat_threads_busy", Family::TomcatThreads),
    ("http_server_requests_", Family::Micrometer),
    ("jvm_gc_overhead", Family::Micrometer),
    ("process_uptime_seconds", Family::Micrometer),
    ("container_", Family::Exporter),
    ("kube_", Family::Exporter),
    ("cadvisor_", Family::Exporter),
    ("node_exporter_", Family::Exporter),
    ("redis_exporter_", Family::Exporter),
    ("redis_instance_info", Family::Exporter),
    ("pg_exporter_", Family::Exporter),
    ("postgres_exporter_", Family::Exporter),
    ("kafka_exporter_", Family::Exporter),
    ("pg_stat_", Family::Exporter),
    ("mysqld_exporter_", Family::Exporter),
    ("blackbox_exporter_", Family::Exporter),
    // Watchers, not targets.
    ("prometheus_build_info", Family::Exporter),
    ("alertmanager_build_info", Family::Exporter),
    ("grafana_build_info", Family::Exporter),
    ("loki_build_info", Family::Exporter),
    ("tempo_build_info", Family::Exporter),
    ("pushgateway_build_info", Family::Exporter),
    ("otelcol_process_", Family::Exporter),
    ("nginx_up", Family::Exporter),
    ("mysql_global_", Family::Exporter),
    ("aws_rds_", Family::Exporter),
    ("aws_rds_", Family::Cloud),
    ("cloudwatch_exporter_", Family::Exporter),
    ("cloudwatch_exporter_", Family::Cloud),
    ("rds_cpu_usage_percent_", Family::Exporter),
    ("rds_cpu_usage_percent_", Family::Cloud),
    ("rdsosmetrics_", Family::Exporter),
    ("rdsosmetrics_", Family::Cloud),
    ("stackdriver_", Family::Exporter),
    ("stackdriver_", Family::Cloud),
    ("pgbouncer_up", Family::Exporter),
    ("pg_stat_activity_", Family::Postgres),
    ("pg_stat_statements_", Family::Statements),
];

/// What a page shows of how its target is set up.
#[derive(Debug, Default)]
pub(crate) struct PageSetup {
    families: BTreeSet<Family>,
    kinds: BTreeSet<SignalKind>,
    quotas: BTreeMap<Entity, (f64, f64)>,
    /// Operations of the service that are told apart.
    pub(super) operations: BTreeSet<String>,
    pub(super) unused: UnusedMetrics,
    /// Statements have no text.
    pub(super) has_unnamed: bool,
}

impl PageSetup {
    pub(super) fn see(&mut self, metric: &str) {
        let of_metric = FAMILIES
            .iter()
            .filter(|(start, _)| metric.starts_with(start));
        self.families.extend(of_metric.map(|(_, family)| *family));
    }

    pub(super) fn has(&self, family: Family) -> bool {
        self.families.contains(&family)
    }

    /// The page is about the process that serves it, whose counters began at zero.
    pub(crate) fn is_own(&self) -> bool {
        !self.has(Family::Exporter)
    }

    pub(super) fn give(&mut self, kind: SignalKind) {
        self.kinds.insert(kind);
    }

    /// Takes what is told in two metrics, and the collector of garbage by the name of its work.
    pub(super) fn note_collector(
        &mut self,
        sample: &Sample<'_>,
        settings: &mut BTreeMap<&'static str, String>,
    ) {
        let collector = match sample.name {
            "jvm_gc_pause_seconds_count" => collector(sample.label("gc")),
            "jvm_gc_duration_seconds_count" => collector(sample.label("jvm_gc_name")),
            "container_spec_cpu_quota" => {
                self.quota(sample).0 = sample.value;
                None
            }
            "container_spec_cpu_period" => {
                self.quota(sample).1 = sample.value;
                None
            }
            _ => None,
        };
        if let Some(collector) = collector {
            settings.insert("jvm.collector", collector.to_owned());
        }
    }

    fn quota(&mut self, sample: &Sample<'_>) -> &mut (f64, f64) {
        let name = match sample.label("pod") {
            "" => sample.label("name"),
            pod => pod,
        };
        let entity = Entity::new().with(Label::Instance, name);
        self.quotas.entry(entity).or_default()
    }

    pub(super) fn take_quotas(&mut self) -> BTreeMap<Entity, (f64, f64)> {
        std::mem::take(&mut self.quotas)
    }

    /// Metrics that seem to matter and are not used, and why.
    pub(crate) fn unused(&self) -> Vec<SourceNote> {
        let unnamed = self.has_unnamed.then_some(SourceNote::UnnamedStatements);
        unnamed.into_iter().chain(self.unused.notes()).collect()
    }

    /// What the target could tell on this page and does not.
    pub(crate) fn lacks(&self) -> Vec<MissingSignal> {
        let mut missing = Vec::new();
        let mut lacks = |kind: SignalKind, is_expected: bool, setting: &str| {
            if is_expected && !self.kinds.contains(&kind) {
                missing.push(MissingSignal::new(kind, setting));
            }
        };
        let is_micrometer = self.has(Family::Micrometer) && self.has(Family::Java);
        lacks(
            SignalKind::WorkersBusy,
            self.has(Family::Tomcat) && !self.has(Family::TomcatThreads),
            "server.tomcat.mbeanregistry.enabled=true",
        );
        lacks(
            SignalKind::PoolActive,
            is_micrometer && self.has(Family::Hikari),
            "management.metrics.enable.hikaricp=true",
        );
        lacks(
            SignalKind::ServerRequests,
            is_micrometer,
            "management.metrics.enable.http.server.requests=true",
        );
        lacks(
            SignalKind::OutsideCalls,
            is_micrometer,
            "RestClient.Builder / RestTemplateBuilder / WebClient.Builder (injected)",
        );
        lacks(
            SignalKind::StatementTime,
            self.has(Family::Postgres) && !self.has(Family::Statements),
            "postgres_exporter --collector.stat_statements",
        );
        missing
    }
}

/// The collector that does this work.
fn collector(work: &str) -> Option<&'static str> {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|b| work.starts_with(b));
    Some(match work {
        "Copy" | "MarkSweepCompact" => "Serial",
        _ if begins(&["G1"]) => "G1",
        _ if begins(&["PS "]) => "Parallel",
        _ if begins(&["ZGC"]) => "ZGC",
        _ if begins(&["Shenandoah"]) => "Shenandoah",
        _ => return None,
    })
}
