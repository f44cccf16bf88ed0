//! Where the pods of a cluster are.
//!
//! `kube-state-metrics` says it of each; cAdvisor by which node's it is: that of its labels, or where it is scraped.

use std::collections::BTreeMap;

use loadline_record::signals::{Entity, Label, POD_ADDRESS, POD_HOST, POD_NODE, TargetSetting};

use crate::exposition::Sample;
use crate::reading::Reading;

/// What is told of pods.
#[derive(Debug, Default)]
pub(super) struct PodPlaces {
    /// Where the page is scraped, where that is known.
    host: String,
    /// By the pod and what is told.
    told: BTreeMap<(String, &'static str), String>,
}

impl PodPlaces {
    pub(super) fn is_at(&mut self, host: &str) {
        host.clone_into(&mut self.host);
    }

    /// Takes a sample that has a pod.
    pub(super) fn take(&mut self, sample: &Sample<'_>) {
        let pod = sample.label("pod");
        // What kube-state-metrics says of itself is at its own address, and says nothing of the pod's.
        let (host, address) = match sample.name {
            "kube_pod_info" => (sample.label("host_ip"), sample.label("pod_ip")),
            _ => (self.host.as_str(), ""),
        };
        let all = [
            (POD_NODE, sample.label("node")),
            (POD_HOST, host),
            (POD_ADDRESS, address),
        ];
        let told = all
            .into_iter()
            .filter(|(_, value)| !pod.is_empty() && !value.is_empty())
            .map(|(name, value)| ((pod.to_owned(), name), value.to_owned()));
        let told: Vec<_> = told.collect();
        self.told.extend(told);
    }

    pub(super) fn give(self, reading: &mut Reading) {
        for ((pod, name), value) in self.told {
            let of = Entity::new().with(Label::Instance, &pod);
            reading.settings.push(TargetSetting::new(name, &value, of));
        }
    }
}
