//! Scores answers against truths.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use loadline_explain::{
    BottleneckFinding, BottleneckPart, EvidenceGrade, Explanation, ExplanationAnswer, RuleId,
};

use crate::design;
use crate::parts::{Fault, Stack};
use crate::plan::{Load, Plan};
use crate::truths::{Origins, origins, truth};

/// What an answer was worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Worth {
    Right,
    /// It says that it does not know, or names what the fault makes visible.
    Unknown,
    Wrong,
}

/// One case scored.
#[derive(Debug, Clone)]
pub(crate) struct Scored {
    pub(crate) number: u64,
    pub(crate) fault: Fault,
    pub(crate) stack: Stack,
    pub(crate) origins: Origins,
    pub(crate) worth: Worth,
    pub(crate) grade: Option<EvidenceGrade>,
    pub(crate) line: String,
}

impl Scored {
    pub(crate) fn new(number: u64, plan: &Plan, explanation: &Explanation, lost: f64) -> Self {
        let first = explanation.findings.first();
        let worth = match plan.fault {
            Fault::Healthy => healthy(explanation, lost),
            fault => limited(fault, explanation, first),
        };
        let is_claim = explanation.answer == ExplanationAnswer::Limited;
        let trusted = design::trusted(&plan.witnesses, &plan.bystanders);
        Self {
            number,
            fault: plan.fault,
            stack: plan.stack,
            origins: origins(plan.fault, plan.stack, &trusted),
            worth,
            grade: first.filter(|_| is_claim).map(|first| first.grade),
            line: line(plan, explanation, first, lost),
        }
    }
}

/// Nothing limits: whoever says that something does is wrong.
fn healthy(explanation: &Explanation, lost: f64) -> Worth {
    let harmless = truth(Fault::Healthy).harmless;
    let first = explanation.findings.first();
    let is_harmless = first.is_some_and(|first| harmless.contains(&first.rule));
    match explanation.answer {
        ExplanationAnswer::Limited if is_harmless => Worth::Unknown,
        ExplanationAnswer::Limited | ExplanationAnswer::NotValid => Worth::Wrong,
        ExplanationAnswer::UnknownLimit if lost <= 0.0 => Worth::Wrong,
        ExplanationAnswer::NoBottleneck => Worth::Right,
        _ => Worth::Unknown,
    }
}

/// Rules that say that what limits is not seen.
const HONEST: [RuleId; 3] = [
    RuleId::UnknownLimit,
    RuleId::ServedAtOnce,
    RuleId::WaitsInside,
];

fn limited(fault: Fault, explanation: &Explanation, first: Option<&BottleneckFinding>) -> Worth {
    match explanation.answer {
        ExplanationAnswer::NoBottleneck | ExplanationAnswer::NotValid => return Worth::Wrong,
        ExplanationAnswer::Limited => {}
        _ => return Worth::Unknown,
    }
    let Some(first) = first else {
        return Worth::Unknown;
    };
    let truth = truth(fault);
    if truth.parts.contains(&first.part) || truth.rules.contains(&first.rule) {
        return Worth::Right;
    }
    let is_honest = HONEST.contains(&first.rule) || first.part == BottleneckPart::Unknown;
    if is_honest || truth.harmless.contains(&first.rule) {
        return Worth::Unknown;
    }
    Worth::Wrong
}

fn line(
    plan: &Plan,
    explanation: &Explanation,
    first: Option<&BottleneckFinding>,
    lost: f64,
) -> String {
    let said = first.map_or_else(String::new, |first| {
        format!(
            " {} {} ({})",
            first.rule.name(),
            first.part.name(),
            first.grade.letter()
        )
    });
    let load = match plan.load {
        Load::Open { shape, rate, users } => format!("open {rate:.0}/s {shape:?} users {users}"),
        Load::Closed {
            shape,
            users,
            think_ms,
        } => format!("closed {users} {shape:?} think {think_ms:.0} ms"),
    };
    format!(
        "{:?} {:?} carries {:.0}/s, {load}, lost {:.0} %, by {:?} beside {:?}: {:?}{said}",
        plan.fault,
        plan.stack,
        plan.capacity,
        lost * 100.0,
        plan.witnesses,
        plan.bystanders,
        explanation.answer,
    )
}

/// Counts of a group.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) all: u32,
    pub(crate) right: u32,
    pub(crate) right_a: u32,
    pub(crate) unknown: u32,
    pub(crate) wrong: u32,
    pub(crate) wrong_a: u32,
}

impl Counts {
    pub(crate) fn of<'a>(cases: impl Iterator<Item = &'a Scored>) -> Self {
        let mut counts = Self::default();
        for case in cases {
            let is_a = case.grade == Some(EvidenceGrade::A);
            counts.all += 1;
            match case.worth {
                Worth::Right => {
                    counts.right += 1;
                    counts.right_a += u32::from(is_a);
                }
                Worth::Unknown => counts.unknown += 1,
                Worth::Wrong => {
                    counts.wrong += 1;
                    counts.wrong_a += u32::from(is_a);
                }
            }
        }
        counts
    }

    pub(crate) fn share(part: u32, whole: u32) -> f64 {
        f64::from(part) / f64::from(whole.max(1))
    }
}

/// The table of a run: faults by stack, then sums.
pub(crate) fn table(cases: &[Scored]) -> String {
    let mut text = String::from("fault            stack   cases right (A)  unknown wrong (A)\n");
    let mut groups: BTreeMap<(Fault, Stack), Vec<&Scored>> = BTreeMap::new();
    for case in cases {
        groups
            .entry((case.fault, case.stack))
            .or_default()
            .push(case);
    }
    for ((fault, stack), group) in groups {
        row(
            &mut text,
            &format!("{fault:?}"),
            &format!("{stack:?}"),
            Counts::of(group.into_iter()),
        );
    }
    let is_limited = |case: &&Scored| case.fault != Fault::Healthy;
    for known in [Origins::Insufficient, Origins::One, Origins::Two] {
        let group = cases
            .iter()
            .filter(is_limited)
            .filter(|case| case.origins == known);
        row(
            &mut text,
            "limited",
            &format!("{known:?}").to_lowercase(),
            Counts::of(group),
        );
    }
    row(
        &mut text,
        "limited",
        "all",
        Counts::of(cases.iter().filter(is_limited)),
    );
    let healthy = cases.iter().filter(|case| case.fault == Fault::Healthy);
    row(&mut text, "healthy", "all", Counts::of(healthy));
    text
}

fn row(text: &mut String, name: &str, group: &str, counts: Counts) {
    let Counts {
        all,
        right,
        right_a,
        unknown,
        wrong,
        wrong_a,
    } = counts;
    let _ = writeln!(
        text,
        "{name:<16} {group:<12} {all:>5} {right:>5} ({right_a:>4}) {unknown:>5} {wrong:>5} ({wrong_a:>4})"
    );
}
