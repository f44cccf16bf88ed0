//! Targets that were measured while their code was still compiled.

use loadline_record::signals::{Entity, SignalKind as Kind};

use super::{RuleId, SCENE_SECONDS, Scene, explained, found_rules};
use crate::{EvidenceGrade, Explanation, FindingRole};

/// One core, used up all the time, and a compiler at work: requests take so many ms at first and in
/// the end, and this share of the starts is dropped in the end.
fn compiling(answered: f64, early: f64, late: f64, dropped: f64) -> Scene {
    let mut scene = Scene::new(1);
    for second in 0..SCENE_SECONDS {
        let is_late = second >= SCENE_SECONDS / 2;
        scene.callers(answered, 0.0, if is_late { late } else { early }, 0.3);
        scene.windows.truncate(usize::try_from(second).unwrap() + 1);
        if let Some(window) = scene.windows.last_mut().filter(|_| is_late) {
            window.planned = window.requests / (1.0 - dropped);
            window.dropped = window.planned - window.requests;
        }
    }
    let any = Entity::new();
    scene.counter(Kind::ProcessCpu, &any, 0.996, 0.01);
    scene.limit(Kind::CoresAvailable, &any, 1.0);
    scene.counter(Kind::CompilationTime, &any, 1.36, 0.1);
    scene.counter(Kind::CollectionPauseTime, &any, 0.004, 0.1);
    scene.counter(Kind::ServerRequests, &any, answered, 0.05);
    scene
}

fn first_is(explanation: &Explanation, rule: RuleId, role: FindingRole) {
    let first = &explanation.findings[0];
    let seen = (first.rule, first.role, first.grade);
    assert_eq!(seen, (rule, role, EvidenceGrade::A));
}

/// Seen on a slow machine: 286 of 300/s answered, 686 ms at first and 4.66 ms in the end, and "the
/// target's own work uses up its CPU: use 2 cores".
#[test]
fn cpu_that_is_used_up_while_code_is_compiled_is_no_limit_of_a_target_that_carries_the_load_when_warm()
 {
    for is_open in [true, false] {
        let mut scene = compiling(286.0, 686.0, 4.66, 0.0);
        scene.load.is_open = is_open;
        let explanation = explained(scene);
        assert_eq!(found_rules(&explanation), [RuleId::Cold]);
        // All that was due was answered: slow, but no limit.
        let role = if is_open {
            FindingRole::Slow
        } else {
            FindingRole::Limit
        };
        first_is(&explanation, RuleId::Cold, role);
        assert_eq!(explanation.findings[0].contradictions.len(), 1);
    }
}

#[test]
fn a_target_that_waits_for_a_database_when_warm_is_not_short_of_cpu_either() {
    let explanation = explained(compiling(286.0, 686.0, 80.0, 0.0));
    first_is(&explanation, RuleId::Cold, FindingRole::Slow);
}

#[test]
fn cpu_that_is_still_missing_when_the_target_is_warm_limits_it() {
    // Starts are dropped in the end, too; users in loops wait for each other.
    for (is_open, dropped) in [(true, 0.3), (false, 0.0)] {
        let mut scene = compiling(286.0, 686.0, 300.0, dropped);
        scene.load.is_open = is_open;
        let explanation = explained(scene);
        first_is(&explanation, RuleId::TargetCpu, FindingRole::Limit);
        assert_eq!(found_rules(&explanation), [RuleId::TargetCpu, RuleId::Cold]);
        let findings = &explanation.findings;
        let cold = findings.iter().find(|one| one.rule == RuleId::Cold);
        assert_eq!(cold.unwrap().role, FindingRole::Slow);
    }
}
