//! The names of cAdvisor and kube-state-metrics: containers and pods against their limits.

use loadline_record::signals::{Label, SignalKind};

use super::rule::Rule;

const WHO: &[(&str, Label)] = &[("pod", Label::Instance), ("name", Label::Instance)];
/// Not the sums over pods and machines, and not what only holds a pod's network.
const REAL: &[(&str, &str)] = &[("image", "!"), ("container", "!POD")];

const fn container(metric: &'static str, kind: SignalKind) -> Rule {
    Rule::new(metric, kind).only(REAL).named(WHO)
}

pub(super) const RULES: &[Rule] = &[
    container("container_cpu_usage_seconds_total", SignalKind::ProcessCpu),
    container(
        "container_cpu_cfs_throttled_seconds_total",
        SignalKind::ThrottledTime,
    ),
    container(
        "container_cpu_cfs_throttled_periods_total",
        SignalKind::ThrottledPeriods,
    ),
    container("container_cpu_cfs_periods_total", SignalKind::QuotaPeriods),
    container("container_memory_working_set_bytes", SignalKind::MemoryUsed),
    container("container_spec_memory_limit_bytes", SignalKind::MemoryLimit).positive(),
    container("container_threads", SignalKind::Threads),
    container("container_sockets", SignalKind::OpenSockets),
    Rule::new(
        "kube_pod_container_resource_limits",
        SignalKind::CoresAvailable,
    )
    .only(&[("resource", "cpu")])
    .named(WHO),
    Rule::new(
        "kube_pod_container_resource_limits",
        SignalKind::MemoryLimit,
    )
    .only(&[("resource", "memory")])
    .named(WHO),
];
