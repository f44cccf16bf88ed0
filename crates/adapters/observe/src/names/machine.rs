//! The names of `node_exporter`: a machine as its kernel counts it.

use loadline_record::signals::{Label, SignalKind};

use super::rule::Rule;

/// The node of a cluster, where whoever scrapes names it.
const NODE: &[(&str, Label)] = &[("node", Label::Host)];
const DEVICE: &[(&str, Label)] = &[("device", Label::Interface)];
const OUTSIDE: &[(&str, &str)] = &[("device", "!lo")];

const fn cpu(mode: &'static [(&'static str, &'static str)]) -> Rule {
    Rule::new("node_cpu_seconds_total", SignalKind::HostCpu)
        .only(mode)
        .named(NODE)
}

pub(super) const RULES: &[Rule] = &[
    cpu(&[("mode", "user")]),
    cpu(&[("mode", "nice")]),
    cpu(&[("mode", "system")]),
    cpu(&[("mode", "irq")]),
    cpu(&[("mode", "softirq")]),
    Rule::new("node_cpu_seconds_total", SignalKind::HostStolen).only(&[("mode", "steal")]),
    Rule::new("node_cpu_seconds_total", SignalKind::HostCores)
        .only(&[("mode", "idle")])
        .counted()
        .named(NODE),
    Rule::new(
        "node_memory_MemAvailable_bytes",
        SignalKind::HostMemoryAvailable,
    ),
    Rule::new("node_memory_MemTotal_bytes", SignalKind::HostMemoryTotal),
    Rule::new(
        "node_network_receive_bytes_total",
        SignalKind::NetworkReceived,
    )
    .only(OUTSIDE)
    .named(DEVICE),
    Rule::new("node_network_transmit_bytes_total", SignalKind::NetworkSent)
        .only(OUTSIDE)
        .named(DEVICE),
    Rule::new("node_network_speed_bytes", SignalKind::NetworkSpeed)
        .only(OUTSIDE)
        .named(DEVICE)
        .positive(),
    Rule::new("node_netstat_Tcp_OutSegs", SignalKind::SegmentsSent),
    Rule::new("node_netstat_Tcp_RetransSegs", SignalKind::SegmentsResent),
    Rule::new(
        "node_netstat_TcpExt_ListenOverflows",
        SignalKind::AcceptQueueOverflows,
    ),
];
