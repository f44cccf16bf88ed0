//! Instances on the nodes of a cluster, of which one has a program beside it.

use loadline_record::signals::{Entity, Label, SignalKind as Kind, TargetSetting};
use loadline_text::{Catalog, Lang};

use super::backend::Backend;
use super::truths::instance;
use super::{FindingRole, RuleId, Scene, explained};
use crate::{EvidenceGrade, Explanation, ExplanationAnswer};

/// Four instances on as many nodes of two cores, which use so much of them; on the first a pod of traces may be.
fn cluster(used: [f64; 4], requests: [f64; 4], traces: Option<f64>) -> Explanation {
    let backend = Backend::default();
    let rate = backend.steady().rate;
    let mut scene: Scene = backend.callers(21);
    for (number, (used, share)) in used.into_iter().zip(requests).enumerate() {
        let node = Entity::new().with(Label::Host, &format!("10.0.0.{number}"));
        scene.counter(Kind::HostCpu, &node, used, 0.03);
        scene.limit(Kind::HostCores, &node, 2.0);
        let pod = format!("shop-{number}");
        let at = instance(&format!("10.244.0.{number}:8080"));
        scene.counter(Kind::ServerRequests, &at, rate * share, 0.05);
        scene.counter(Kind::ServerRequestTime, &at, rate * share * 0.02, 0.05);
        scene.counter(Kind::ProcessCpu, &instance(&pod), 0.1, 0.05);
        for (name, value) in [
            ("pod.host", format!("10.0.0.{number}")),
            ("pod.node", format!("node-{number}")),
            ("pod.address", format!("10.244.0.{number}")),
        ] {
            scene
                .signals
                .set(TargetSetting::new(name, &value, instance(&pod)));
        }
    }
    if let Some(takes) = traces {
        let pod = instance("tempo-0");
        scene.counter(Kind::ProcessCpu, &pod, takes, 0.03);
        scene
            .signals
            .set(TargetSetting::new("pod.host", "10.0.0.0", pod));
    }
    explained(scene)
}

fn uneven_nodes(explanation: &Explanation) -> Option<(EvidenceGrade, String)> {
    let mut all = explanation.findings.iter();
    let found = all.find(|one| one.rule == RuleId::UnevenNodes)?;
    assert_eq!(found.role, FindingRole::Notice);
    let words = Catalog::new(Lang::En).text(&found.statement);
    Some((found.grade, words))
}

const EVEN: [f64; 4] = [0.25; 4];

/// Case E: 183, 110, 73 and 73 % of nodes with two cores, one of which held the pod of traces.
#[test]
fn the_pod_that_makes_one_node_busier_is_named_with_the_node() {
    let found = cluster([1.83, 1.1, 0.73, 0.73], EVEN, Some(1.05));
    let (grade, words) = uneven_nodes(&found).unwrap();
    assert_eq!(grade, EvidenceGrade::A);
    for part in [
        "the node node-0",
        "the pod tempo-0",
        "10.244.0.0:8080",
        "of its cores",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert_eq!(found.answer, ExplanationAnswer::NoBottleneck);
    let (grade, words) = uneven_nodes(&cluster([1.83, 1.1, 0.73, 0.73], EVEN, None)).unwrap();
    assert_eq!(grade, EvidenceGrade::B);
    assert!(words.contains("something else works there"), "{words}");
}

#[test]
fn nodes_that_are_about_as_busy_or_busier_by_their_requests_are_not_told() {
    assert_eq!(
        uneven_nodes(&cluster([0.8, 0.7, 0.73, 0.73], EVEN, Some(0.1))),
        None
    );
    let uneven = [0.7, 0.1, 0.1, 0.1];
    assert_eq!(
        uneven_nodes(&cluster([1.8, 0.4, 0.4, 0.4], uneven, None)),
        None
    );
}
