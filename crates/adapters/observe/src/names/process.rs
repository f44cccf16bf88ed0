//! Which process a page is of, as far as the page tells.
//!
//! Behind a balancer, in a cluster or under a pre-forking server the same address is answered by another
//! process each time.

use std::collections::BTreeSet;

use crate::exposition::Sample;

/// Metrics of which a process has one each, with the labels that it gives to all its metrics.
const OF_PROCESS: &[&str] = &[
    "process_start_time_seconds",
    "process_cpu_seconds_total",
    "process_cpu_usage",
    "process_uptime_seconds",
    "process_resident_memory_bytes",
    "nodejs_eventloop_lag_seconds",
    "target_info",
];
/// Labels that name a process.
const NAMES: &[&str] = &[
    "service_instance_id",
    "instance",
    "pod",
    "k8s_pod_name",
    "hostname",
    "host_name",
    "container_id",
    "worker",
    "worker_id",
    "pid",
    "process_pid",
];

/// No process starts later, s since 1970: the year 5138. Times of such processes are numbers of
/// milliseconds that can be added and compared.
const START_MAX_SECONDS: f64 = 1e11;

/// The process that answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageProcess {
    /// What its labels call it; empty without such labels.
    pub(crate) name: String,
    /// When it started, s since 1970 by its clock.
    pub(crate) started: Option<f64>,
}

/// What the samples so far tell of the process.
#[derive(Debug, Default)]
pub(super) struct ProcessMarks {
    /// One for each of the processes whose metrics are on the page.
    names: BTreeSet<String>,
    starts: Vec<f64>,
}

impl ProcessMarks {
    pub(super) fn see(&mut self, sample: &Sample<'_>) {
        if !OF_PROCESS.contains(&sample.name) {
            return;
        }
        let is_start = sample.name == "process_start_time_seconds";
        if is_start && sample.value > 0.0 && sample.value <= START_MAX_SECONDS {
            self.starts.push(sample.value);
        }
        let labels = NAMES.iter().filter_map(|name| {
            let value = sample.label(name);
            (!value.is_empty()).then(|| format!("{name}={value}"))
        });
        let labels: Vec<String> = labels.collect();
        if !labels.is_empty() {
            self.names.insert(labels.join(", "));
        }
    }

    /// The process; `None` when the page is about several, or does not tell.
    pub(super) fn process(&self) -> Option<PageProcess> {
        if self.names.len() > 1 || self.starts.len() > 1 {
            return None;
        }
        let process = PageProcess {
            name: self.names.first().cloned().unwrap_or_default(),
            started: self.starts.first().copied(),
        };
        (!process.name.is_empty() || process.started.is_some()).then_some(process)
    }
}
