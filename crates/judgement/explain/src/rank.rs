//! Findings in the order in which they limit, causes instead of their symptoms.

use loadline_record::signals::Entity;
use loadline_text::{evidence, explain, significant};

use super::ExplanationAnswer;
use super::context::RuleContext;
use super::finding::{
    BottleneckFinding, BottleneckPart, Evidence, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::heavy;
use super::rules;
use super::symptoms::symptoms;

/// A resource that is used up within this factor of the rate is named as the next limit.
const NEXT_LIMIT_FACTOR_MAX: f64 = 3.0;
/// Less measured than this is too little.
const SECONDS_MIN: f64 = 5.0;
const REQUESTS_MIN: u64 = 20;

/// Takes symptoms out, sorts, and adds what limits next.
pub(super) fn ranked(
    found: Vec<BottleneckFinding>,
    context: &RuleContext<'_>,
) -> Vec<BottleneckFinding> {
    let causes: Vec<RuleId> = found
        .iter()
        .filter(|finding| finding.role == FindingRole::Limit)
        .map(|finding| finding.rule)
        .collect();
    let is_symptom = |finding: &BottleneckFinding| {
        let mut others = causes.iter().filter(|cause| **cause != finding.rule);
        others.any(|cause| {
            // More users ask a target that limits for more, in vain.
            finding.rule == RuleId::UserLimit || symptoms(*cause).contains(&finding.rule)
        })
    };
    let mut kept: Vec<BottleneckFinding> = found.into_iter().filter(|f| !is_symptom(f)).collect();
    // The order of the rules decides among limits of about the same rate.
    kept.sort_by_key(|finding| {
        let is_generator = finding.rule == RuleId::Generator;
        // A generator that limits says all others are unsure; one that was only not quiet does not.
        let is_later = is_generator == (finding.role == FindingRole::Notice);
        (finding.role, is_later)
    });
    let limits = kept
        .iter()
        .take_while(|f| f.role == FindingRole::Limit)
        .count();
    if limits > 0 {
        let next = next_limit(&kept, context);
        kept.splice(limits..limits, next);
    } else if context.has_signs() {
        kept.splice(0..0, rules::unknown::finding(context));
    }
    kept
}

/// The resource that is used up next, if that is near.
fn next_limit(found: &[BottleneckFinding], context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let first = found.first()?;
    if first.part == BottleneckPart::TestBed {
        return None;
    }
    let next = context.ceilings.without(first.part)?;
    let is_told = found.iter().any(|finding| finding.part == next.part);
    if is_told || next.rate > NEXT_LIMIT_FACTOR_MAX * context.measured.rate {
        return None;
    }
    let rate = significant(next.rate);
    let statement = match next.part {
        BottleneckPart::Cpu => explain::next_cpu(rate),
        BottleneckPart::Database => explain::next_database(rate),
        BottleneckPart::Pool => explain::next_pool(rate),
        _ => explain::next_threads(rate),
    };
    Some(BottleneckFinding {
        rule: RuleId::NextLimit,
        part: next.part,
        grade: EvidenceGrade::B,
        role: FindingRole::Next,
        entity: Entity::new(),
        statement,
        evidence: vec![Evidence {
            name: "ceiling",
            label: evidence::ceiling(),
            value: next.rate,
            unit: EvidenceUnit::PerSecond,
        }],
        statements: match next.part {
            BottleneckPart::Database => heavy::heaviest(context.measured),
            _ => Vec::new(),
        },
        contradictions: vec![explain::doubt_extrapolated()],
        logged: Vec::new(),
        advice: Vec::new(),
        ceiling: Some(next.rate),
    })
}

/// Whether enough of the target is seen to say that nothing limits it. Users in loops ask for more
/// as soon as they are answered: that they get no more has a cause, which CPU alone does not show.
fn is_seen(context: &RuleContext<'_>) -> bool {
    let measured = context.measured;
    let is_queued_for = !measured.pools.is_empty() || measured.workers.is_some();
    is_queued_for || (measured.cpu.is_some() && context.view.run.load.is_open)
}

/// The answer in one line.
pub(super) fn answer(
    findings: &[BottleneckFinding],
    context: &RuleContext<'_>,
) -> ExplanationAnswer {
    let callers = &context.view.callers;
    let first = findings.first();
    // That nobody listens any more needs no measuring.
    let is_down =
        |first: &BottleneckFinding| first.rule == RuleId::Down && first.role == FindingRole::Limit;
    if first.is_some_and(is_down) {
        return ExplanationAnswer::Limited;
    }
    if callers.seconds < SECONDS_MIN || callers.durations.count() < REQUESTS_MIN {
        return ExplanationAnswer::TooLittle;
    }
    let is_shown = first
        .is_some_and(|first| first.rule != RuleId::UnknownLimit && first.role <= FindingRole::Slow);
    if !is_shown && !context.view.run.generator_limits.is_empty() {
        return ExplanationAnswer::NotValid;
    }
    match first {
        Some(first) if matches!(first.rule, RuleId::UnknownLimit | RuleId::ServedAtOnce) => {
            ExplanationAnswer::UnknownLimit
        }
        Some(first) if first.role <= FindingRole::Slow => ExplanationAnswer::Limited,
        _ if is_seen(context) => ExplanationAnswer::NoBottleneck,
        _ => ExplanationAnswer::NoSign,
    }
}
