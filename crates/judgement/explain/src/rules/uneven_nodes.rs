//! Requests are even over the instances, and the CPU of their nodes is not: another program works beside one of them.
//!
//! As one Prometheus of a cluster tells it: requests by instance, CPU by node (`node_exporter`), CPU by pod (cAdvisor), and
//! which pod is where (`kube-state-metrics`, or the node whose cAdvisor tells of it).

use std::collections::BTreeMap;

use loadline_record::signals::{
    Entity, Label, POD_ADDRESS, POD_HOST, POD_NODE, SignalKind, Signals,
};
use loadline_text::{evidence, findings, percent, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// An instance that gets more than its part by this factor is busier because of that, which the rule of uneven load tells.
const EVEN_FACTOR_MAX: f64 = 1.4;
/// A node is busier than the others by this factor, ...
const BUSIER_FACTOR_MIN: f64 = 1.4;
/// ... and by so much of its cores.
const BUSIER_SHARE_MIN: f64 = 0.15;
/// A pod is why a node is busier, where it accounts for this part of the difference.
const ACCOUNTED_PART_MIN: f64 = 0.5;
/// A node of the cluster.
struct Node<'a> {
    name: &'a str,
    used: f64,
    cores: f64,
}

impl Node<'_> {
    fn share(&self) -> f64 {
        self.used / self.cores
    }
}

/// Where pods are.
struct Places<'a>(&'a Signals);

impl<'a> Places<'a> {
    fn value(&self, name: &str, pod: &str) -> Option<&'a str> {
        let settings = self.0.settings().iter();
        let mut found =
            settings.filter(|one| one.name == name && one.entity.get(Label::Instance) == Some(pod));
        found.next().map(|one| one.value.as_str())
    }

    fn is_on(&self, pod: &str, node: &str) -> bool {
        [POD_NODE, POD_HOST]
            .into_iter()
            .any(|name| self.value(name, pod) == Some(node))
    }

    /// The pod that an instance is: by its name, or by the address at which it is scraped.
    fn pod_of(&self, instance: &'a str) -> &'a str {
        let host = instance.rsplit_once(':').map_or(instance, |(host, _)| host);
        let mut settings = self.0.settings().iter();
        let found = settings.find(|one| one.name == POD_ADDRESS && one.value == host);
        found
            .and_then(|one| one.entity.get(Label::Instance))
            .unwrap_or(instance)
    }
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let requests = by_instance(context, SignalKind::ServerRequests);
    let all: f64 = requests.values().sum();
    let most = requests.values().copied().fold(0.0, f64::max);
    let count = counts(requests.len());
    if requests.len() < 2 || all <= 0.0 || most * count > EVEN_FACTOR_MAX * all {
        return None;
    }
    let places = Places(&context.view.run.signals);
    let pods: Vec<(&str, &str)> = requests
        .keys()
        .map(|instance| (*instance, places.pod_of(instance)))
        .collect();
    // Nodes without an instance do not matter.
    let mut nodes = nodes(context);
    nodes.retain(|node| pods.iter().any(|(_, pod)| places.is_on(pod, node.name)));
    nodes.sort_by(|a, b| b.share().total_cmp(&a.share()));
    let (busiest, others) = nodes.split_first()?;
    if others.is_empty() {
        return None;
    }
    let rest = others.iter().map(Node::share).sum::<f64>() / counts(others.len());
    let more = busiest.share() - rest;
    if more < BUSIER_SHARE_MIN || busiest.share() < BUSIER_FACTOR_MIN * rest {
        return None;
    }
    let (instance, pod) = pods
        .iter()
        .find(|(_, pod)| places.is_on(pod, busiest.name))?;
    // What watches a node may know its address only.
    let node = places.value(POD_NODE, pod).unwrap_or(busiest.name);
    let own_share = percent(requests[instance] / all);
    // As many instances are on it as nodes have on average: several of them make it busier, and are no others.
    let on_it = pods
        .iter()
        .filter(|(_, pod)| places.is_on(pod, busiest.name))
        .count();
    if counts(on_it) > EVEN_FACTOR_MAX * count / counts(nodes.len()) {
        return None;
    }
    let beside = by_instance(context, SignalKind::ProcessCpu)
        .into_iter()
        .filter(|(pod, _)| places.is_on(pod, busiest.name))
        .filter(|(pod, _)| pods.iter().all(|(_, own)| own != pod))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    let accounted = beside.filter(|(_, used)| *used >= ACCOUNTED_PART_MIN * more * busiest.cores);
    let (used, of_others) = (percent(busiest.share()), percent(rest));
    let (grade, statement, advice) = match accounted {
        Some((pod, takes)) => (
            EvidenceGrade::A,
            findings::uneven_nodes(node, used, of_others, *instance, pod, significant(takes)),
            findings::uneven_nodes_try(pod),
        ),
        None => (
            EvidenceGrade::B,
            findings::uneven_nodes_unseen(node, used, of_others, *instance, own_share),
            findings::uneven_nodes_try_unseen(node),
        ),
    };
    let share = EvidenceUnit::Share;
    Draft::new(RuleId::UnevenNodes, BottleneckPart::Cpu, grade, statement)
        .role(FindingRole::Notice)
        .entity(
            &Entity::new()
                .with(Label::Instance, instance)
                .with(Label::Host, node),
        )
        .shown("node-cpu", evidence::node_cpu(), busiest.share(), share)
        .shown("node-cpu-others", evidence::node_cpu_others(), rest, share)
        .shown(
            "pod-cpu",
            evidence::pod_cpu(),
            accounted.map(|(_, used)| used),
            EvidenceUnit::Cores,
        )
        .advised([Advice::to(advice)])
        .done()
}

/// How fast a counter grows, by instance.
fn by_instance<'a>(context: &RuleContext<'a>, kind: SignalKind) -> BTreeMap<&'a str, f64> {
    let view = context.view;
    let mut rates: BTreeMap<&str, f64> = BTreeMap::new();
    for series in view.run.signals.of_kind(kind) {
        if let (Some(instance), Some(rate)) =
            (series.entity.get(Label::Instance), view.rate_of(series))
        {
            *rates.entry(instance).or_default() += rate;
        }
    }
    rates
}

/// The nodes whose CPU is seen.
fn nodes<'a>(context: &RuleContext<'a>) -> Vec<Node<'a>> {
    let view = context.view;
    let all = view.run.signals.of_kind(SignalKind::HostCpu);
    let known = all.filter_map(|series| {
        let of = &series.entity;
        Some(Node {
            name: of.get(Label::Host)?,
            used: view.rate_of(series)?,
            cores: view
                .largest(SignalKind::HostCores, of)
                .filter(|cores| *cores > 0.0)?,
        })
    });
    known.collect()
}

fn counts(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
