//! How a target was set up, as far as its signals tell.

use std::collections::BTreeMap;

use super::{Entity, Label, SignalKind, Signals};

/// The node that a pod of a cluster is on, by name, as a setting of the pod.
pub const POD_NODE: &str = "pod.node";
/// The address of that node.
pub const POD_HOST: &str = "pod.host";
/// The pod's own address.
pub const POD_ADDRESS: &str = "pod.address";
/// Settings that differ from run to run whatever the set-up.
const PASSING: [&str; 4] = ["log.sample", POD_NODE, POD_HOST, POD_ADDRESS];
/// Limits that are read again and again, and stay as they are while nobody changes them.
const LIMITS: [SignalKind; 10] = [
    SignalKind::CoresAvailable,
    SignalKind::MemoryLimit,
    SignalKind::OpenFilesMax,
    SignalKind::HeapMax,
    SignalKind::PoolMax,
    SignalKind::PoolMin,
    SignalKind::WorkersMax,
    SignalKind::ConnectionsMax,
    SignalKind::SessionsMax,
    SignalKind::HostMemoryTotal,
];

impl Signals {
    /// How the target and its host were set up, by the settings' names: versions, flags, sizes of
    /// pools, limits. Nothing that differs from run to run by itself.
    #[must_use]
    pub fn setup(&self) -> BTreeMap<String, String> {
        let mut setup = BTreeMap::new();
        for setting in self.settings() {
            if !PASSING.contains(&setting.name.as_str()) {
                setup.insert(named(&setting.name, &setting.entity), setting.value.clone());
            }
        }
        for kind in LIMITS {
            for series in self.of_kind(kind) {
                if let Some(last) = series.points().last() {
                    let value = written(kind, last.value);
                    setup.insert(named(kind.name(), &series.entity), value);
                }
            }
        }
        setup
    }
}

/// Instances are named by ports and the like, which differ without any meaning.
fn named(name: &str, entity: &Entity) -> String {
    let labels = entity
        .labels()
        .filter(|(label, _)| !matches!(label, Label::Instance | Label::Host));
    let labels: Vec<String> = labels
        .map(|(label, value)| format!("{}={value}", label.name()))
        .collect();
    if labels.is_empty() {
        name.to_owned()
    } else {
        format!("{name} ({})", labels.join(", "))
    }
}

fn written(kind: SignalKind, value: f64) -> String {
    let is_bytes = matches!(
        kind,
        SignalKind::MemoryLimit | SignalKind::HeapMax | SignalKind::HostMemoryTotal
    );
    if is_bytes {
        format!("{:.0} MiB", value / 1_048_576.0)
    } else {
        format!("{value}")
    }
}
