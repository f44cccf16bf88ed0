//! Metrics that look as if they told what limits a target, and that no rule reads.

use std::collections::{BTreeMap, BTreeSet};

use loadline_record::signals::{SourceNote, UnusedReason};

use crate::exposition::Sample;

/// Most metrics that are told.
const METRICS_MAX: usize = 20;
/// Words in the names of metrics of pools, executors, queues and event loops.
const WORDS: &[&str] = &[
    "pool",
    "connections",
    "executor",
    "threads",
    "workers",
    "queue",
    "backlog",
    "pending",
    "waiting",
    "inflight",
    "in_flight",
    "in_use",
    "eventloop",
    "event_loop",
    "semaphore",
    "bulkhead",
    "rejected",
    "throttled",
];
/// Beginnings of metrics that have such words and say nothing of a limit.
const HARMLESS: &[&str] = &[
    "jvm_memory_",
    "jvm_buffer_",
    "jvm_threads_",
    "jvm_memory_pool_",
    "hikaricp_",
    "executor_",
    "nginx_connections_",
    "jdbc_connections_",
    "tomcat_threads_current",
    "tomcat_connections_keepalive",
    "process_",
    "python_gc_",
    "go_gc_",
    "go_sched_",
    "go_cgo_",
    "node_",
    "nodejs_active_",
    "nodejs_eventloop_lag_",
    "pg_settings_",
    "pg_stat_",
    "container_",
    "kube_",
    "promhttp_",
    "prometheus_",
    "loadline_",
];
/// Ends of metrics that belong to others of the same page.
const PARTS: &[&str] = &["_bucket", "_created", "_info", "_sum", "_count"];

/// Metrics of a page that are not used.
#[derive(Debug, Default, Clone)]
pub(super) struct UnusedMetrics {
    used: BTreeSet<String>,
    all: BTreeMap<String, UnusedReason>,
}

impl UnusedMetrics {
    pub(super) fn uses(&mut self, sample: &Sample<'_>) {
        self.uses_metric(sample.name);
    }

    pub(super) fn uses_metric(&mut self, metric: &str) {
        if !self.used.contains(metric) {
            self.used.insert(metric.to_owned());
        }
    }

    pub(super) fn leaves(&mut self, metric: &str, reason: UnusedReason) {
        if self.all.len() < 10 * METRICS_MAX
            && !self.all.contains_key(metric)
            && names_a_limit(metric)
        {
            self.all.insert(metric.to_owned(), reason);
        }
    }

    /// A metric that a rule reads, and whose values are not used.
    pub(super) fn drops(&mut self, metric: &str, reason: UnusedReason) {
        self.used.remove(metric);
        self.all.insert(metric.to_owned(), reason);
    }

    pub(super) fn notes(&self) -> Vec<SourceNote> {
        let unused = self
            .all
            .iter()
            .filter(|(metric, _)| !self.used.contains(*metric));
        let notes =
            unused.map(|(metric, reason)| SourceNote::UnusedMetric(metric.clone(), *reason));
        notes.take(METRICS_MAX).collect()
    }
}

/// Whether a metric seems to tell of a limit.
fn names_a_limit(metric: &str) -> bool {
    let has_word = WORDS.iter().any(|word| metric.contains(word));
    let is_harmless = HARMLESS.iter().any(|start| metric.starts_with(start));
    let is_part = PARTS.iter().any(|end| metric.ends_with(end));
    has_word && !is_harmless && !is_part
}
