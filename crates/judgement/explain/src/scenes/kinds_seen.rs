//! Twelve kinds of wrong answers that were seen of targets that no rule was made for, each with three siblings that differ
//! in the stack, in the form in which a source tells it, and in what else goes on. The first of each row is what was seen.
//!
//! Figures and what was said before: docs/bench/explain-kinds.md.

mod failures;
mod limits;
mod missed;
mod neighbours;
mod owners;

use loadline_record::signals::{Entity, SignalKind as Kind, TargetSetting};

use super::{RuleId, Scene};
use crate::{BottleneckPart, ExplainedRun, Explanation, ExplanationAnswer, FindingRole, explain};

/// What has to be said, or must not be.
#[derive(Debug, Clone, Copy)]
enum Says {
    /// No limit is named.
    NoLimit,
    /// The first finding is this one, and limits.
    First(RuleId),
    /// The first finding is about this part, and limits.
    FirstPart(BottleneckPart),
    /// It is told, in whatever role.
    Told(RuleId),
    /// It is not told to limit.
    NotLimit(RuleId),
    /// That something limits.
    AnyLimit,
    /// None of the advice has these words.
    NotAdvised(&'static str),
    /// Some of the advice has these words.
    Advised(&'static str),
    /// At most this share of a request's time is before the target.
    BeforeAtMost(f64),
}

impl Says {
    fn holds(self, told: &Explanation) -> bool {
        let first = told.findings.first();
        let limit = first.filter(|first| first.role == FindingRole::Limit);
        let settings = || {
            let advice = told.findings.iter().flat_map(|one| &one.advice);
            advice.filter_map(|advice| advice.setting.as_deref())
        };
        match self {
            Self::NoLimit => {
                told.answer != ExplanationAnswer::Limited
                    && told.answer != ExplanationAnswer::UnknownLimit
            }
            Self::First(rule) => limit.is_some_and(|first| first.rule == rule),
            Self::FirstPart(part) => limit.is_some_and(|first| first.part == part),
            Self::Told(rule) => told.findings.iter().any(|one| one.rule == rule),
            Self::NotLimit(rule) => !told
                .findings
                .iter()
                .any(|one| one.rule == rule && one.role == FindingRole::Limit),
            Self::AnyLimit => matches!(
                told.answer,
                ExplanationAnswer::Limited | ExplanationAnswer::UnknownLimit
            ),
            Self::NotAdvised(words) => settings().all(|setting| !setting.contains(words)),
            Self::Advised(words) => settings().any(|setting| setting.contains(words)),
            Self::BeforeAtMost(most) => told.time.as_ref().is_none_or(|time| {
                let all: f64 = time.parts.iter().map(|part| part.mean_ms).sum();
                let before = time
                    .parts
                    .iter()
                    .filter(|part| part.part == crate::TimePart::Before)
                    .map(|part| part.mean_ms)
                    .sum::<f64>();
                before <= most * all
            }),
        }
    }
}

/// One case of a kind.
struct Sibling {
    /// Stack, form of the source, who else is there.
    name: &'static str,
    run: ExplainedRun,
    says: Vec<Says>,
}

impl Sibling {
    fn new(name: &'static str, scene: Scene, says: impl Into<Vec<Says>>) -> Self {
        Self {
            name,
            run: scene.run(),
            says: says.into(),
        }
    }
}

/// What was seen, and its siblings.
struct Row {
    number: u8,
    cases: Vec<Sibling>,
}

impl Row {
    fn new(number: u8, cases: impl Into<Vec<Sibling>>) -> Self {
        Self {
            number,
            cases: cases.into(),
        }
    }
}

/// A target that answers all of 40 requests a second in 12 ms, in this stack.
fn healthy(seed: u64, stack: &str) -> Scene {
    let mut scene = Scene::new(seed);
    scene.callers(40.0, 0.0, 12.0, 0.15);
    scene
        .signals
        .set(TargetSetting::new(stack, "1", Entity::new()));
    scene
}

/// What a page tells of the callers' requests, and of the process.
fn page(scene: &mut Scene, rate: f64, inside: f64, cpu: f64) {
    let any = Entity::new();
    scene.counter(Kind::ServerRequests, &any, rate, 0.02);
    scene.counter(Kind::ServerRequestTime, &any, rate * inside, 0.02);
    process(scene, cpu);
}

fn process(scene: &mut Scene, cpu: f64) {
    let any = Entity::new();
    scene.counter(Kind::ProcessCpu, &any, cpu, 0.05);
    scene.limit(Kind::CoresAvailable, &any, 2.0);
}

/// Users in loops who send the next request when the last one is answered.
fn in_loops(scene: &mut Scene, users: f64) {
    scene.load.is_open = false;
    scene.load.users = users;
    for window in &mut scene.windows {
        window.planned = 0.0;
    }
}

/// Starts beyond what is answered are dropped.
fn overloaded(scene: &mut Scene, by: f64) {
    for window in &mut scene.windows {
        window.planned = window.requests * by;
        window.dropped = window.requests * (by - 1.0);
    }
}

#[test]
fn each_kind_that_was_seen_and_its_siblings_are_told_right_or_honestly_unknown() {
    let rows = [
        neighbours::loops_beside_neighbours(),
        owners::databases_of_others(),
        owners::pages_of_several_processes(),
        failures::phrases_in_logs(),
        failures::errors_to_all(),
        neighbours::answered_in_time(),
        owners::before_the_target(),
        limits::two_endpoints(),
        limits::users_at_a_full_pool(),
        limits::advice_of_the_very_stack(),
        neighbours::small_and_uneven(),
        missed::what_was_missed(),
    ];
    let mut wrong = Vec::new();
    for (row, expected) in rows.iter().zip(1_u8..) {
        assert_eq!(row.number, expected);
        assert!(row.cases.len() >= 4, "row {expected} has too few siblings");
        for case in &row.cases {
            let told = explain(&case.run, &[]);
            let failed: Vec<&Says> = case.says.iter().filter(|says| !says.holds(&told)).collect();
            if !failed.is_empty() {
                let first = told.findings.first();
                let first = first.map(|one| (one.rule, one.role, one.grade));
                wrong.push(format!(
                    "{expected} {}: not {failed:?}; told {:?} {first:?}",
                    case.name, told.answer
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
