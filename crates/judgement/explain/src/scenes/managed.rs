//! A managed database, of which only its cloud's monitoring tells: a mean of each minute.

use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::super::{EvidenceGrade, explain};
use super::{Explanation, FindingRole, RuleId, Scene, explained};

/// A run of so many times 40 s that asks for more than is answered, and the share of CPU of minutes that begin then.
fn managed(length: usize, minutes: &[(u64, f64)], cores: Option<f64>) -> Explanation {
    explained(scene(length, minutes, cores))
}

fn scene(length: usize, minutes: &[(u64, f64)], cores: Option<f64>) -> Scene {
    let of = Entity::new().with(Label::Instance, "shop-db");
    let mut scene = Scene::new(7);
    for _ in 0..length {
        scene.callers(90.0, 10.0, 900.0, 0.2);
    }
    for (second, share) in minutes {
        let at_ms = second * 1000;
        scene
            .signals
            .push(Kind::DatabaseCpuShare, &of, at_ms, *share);
    }
    if let Some(cores) = cores {
        scene.signals.push(Kind::DatabaseCores, &of, 1000, cores);
    }
    scene
}

fn grade(explanation: &Explanation) -> Option<EvidenceGrade> {
    let mut findings = explanation.findings.iter();
    let found = findings.find(|one| one.rule == RuleId::DatabaseCpu);
    found
        .filter(|found| found.role != FindingRole::Next)
        .map(|found| found.grade)
}

#[test]
fn whole_minutes_of_the_load_tell_that_the_databases_cpu_is_used_up() {
    for cores in [None, Some(2.0)] {
        let told = managed(5, &[(20, 0.97), (80, 0.99)], cores);
        assert_eq!(grade(&told), Some(EvidenceGrade::B), "{told:?}");
    }
}

/// Seen: `database-cores=4` gave four times the rate of an instance of which nobody knew how many cores it has.
#[test]
fn other_cores_predict_something_only_where_those_of_today_are_known() {
    let predicted = |cores: Option<f64>| {
        let run = scene(5, &[(20, 0.97), (80, 0.99)], cores).run();
        let explanation = explain(&run, &["database-cores=4".parse().unwrap()]);
        explanation.predictions[0].rate
    };
    assert_eq!(predicted(None), None);
    assert!(predicted(Some(2.0)).is_some());
}

/// A minute that ends after the run, or that began before it, tells of less than the load: nothing is known then.
#[test]
fn minutes_that_lie_in_the_load_in_part_tell_nothing() {
    assert_eq!(grade(&managed(1, &[(0, 0.97)], None)), None);
    assert_eq!(grade(&managed(2, &[(40, 0.97)], None)), None);
    assert_eq!(grade(&managed(5, &[(20, 0.4), (80, 0.4)], None)), None);
}
