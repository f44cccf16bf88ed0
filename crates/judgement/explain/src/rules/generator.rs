//! The generator was too weak for the load.

use loadline_record::Limit;
use loadline_text::{counted, evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{DROPPED_SHARE_MIN, Draft, RuleContext};

/// A generator that is late by so many ms, and by this part of what a request usually takes, makes times longer.
const STILL_MS_MIN: f64 = 100.0;
const STILL_SHARE_MIN: f64 = 0.5;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let run = context.view.run;
    let drops = run.load.drops;
    let others = drops.no_free_user + drops.user_limit + drops.no_user_made + drops.time_over;
    let dropped = context.view.callers.dropped;
    let is_late = dropped >= DROPPED_SHARE_MIN && drops.late > others;
    let is_full = |limit: &Limit| matches!(limit, Limit::Cpu | Limit::OpenFiles | Limit::Ports);
    let is_limiting = is_late || run.generator_limits.iter().any(is_full);
    if !is_limiting && run.generator_limits.is_empty() {
        return stood_still(context);
    }
    let (grade, role, statement) = if is_limiting {
        (EvidenceGrade::A, FindingRole::Limit, findings::generator())
    } else {
        (
            EvidenceGrade::B,
            FindingRole::Notice,
            findings::generator_noise(),
        )
    };
    Draft::new(RuleId::Generator, BottleneckPart::TestBed, grade, statement)
        .role(role)
        .shown(
            "dropped",
            evidence::dropped(),
            (dropped > 0.0).then_some(dropped),
            EvidenceUnit::Share,
        )
        .advised([Advice::to(findings::generator_try())])
        .limiting_at(if is_limiting {
            context.measured.rate
        } else {
            0.0
        })
        .done()
}

/// It limited nothing, and stood still for so long now and then that requests took longer for that.
fn stood_still(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let windows = context.view.windows();
    let usual = context.view.callers.percentile_ms(0.5);
    let least = STILL_MS_MIN.max(STILL_SHARE_MIN * usual);
    let stood = windows.iter().map(|window| window.own_delay_ms);
    let stood: Vec<f64> = stood.filter(|ms| *ms >= least).collect();
    let longest = stood.iter().copied().reduce(f64::max)?;
    let count = |length: usize| f64::from(u32::try_from(length).unwrap_or(u32::MAX));
    Draft::new(
        RuleId::Generator,
        BottleneckPart::TestBed,
        EvidenceGrade::B,
        findings::generator_stood_still(
            millis(longest),
            counted(count(stood.len())),
            counted(count(windows.len())),
        ),
    )
    .role(FindingRole::Notice)
    .advised([Advice::to(findings::generator_stood_still_try())])
    .done()
}
