//! The CPU quota stops the target.

use loadline_text::{counted, evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::{Draft, RuleContext};

/// Stopped in this share of the quota's periods.
const STOPPED_PERIODS_SHARE_MIN: f64 = 0.25;
/// ... and either using this share of the quota, or stopped for so many seconds a second.
const QUOTA_USE_MIN: f64 = 0.7;
const STOPPED_TIME_SHARE_MIN: f64 = 0.1;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let throttled = context.measured.throttled?;
    let is_used = context.is_cpu_used(QUOTA_USE_MIN) || throttled.time >= STOPPED_TIME_SHARE_MIN;
    if throttled.periods < STOPPED_PERIODS_SHARE_MIN || !is_used {
        return None;
    }
    let cpu = context.measured.cpu.clone().unwrap_or_default();
    let part = BottleneckPart::Cpu;
    let cost = context.measured.cpu_of_request();
    let doubled = cost.and_then(|cost| context.predicted(part, 2.0 * cpu.most, cost));
    Draft::new(
        RuleId::CpuQuota,
        part,
        EvidenceGrade::A,
        findings::cpu_quota(percent(throttled.periods), counted(cpu.most)),
    )
    .entity(&cpu.entity)
    .shown(
        "stopped-periods",
        evidence::throttled(),
        throttled.periods,
        EvidenceUnit::Share,
    )
    .of_cpu(cpu.used, cpu.most)
    .shown(
        "cpu-of-request",
        evidence::cpu_of_request(),
        cost.map(|cost| cost * 1000.0),
        EvidenceUnit::Millis,
    )
    .advised([
        Advice::to(findings::target_cpu_try_code()),
        Advice::to(findings::cpu_quota_try(counted(2.0 * cpu.most)))
            .by("Kubernetes: resources.limits.cpu")
            .giving(doubled),
    ])
    .limiting_at(context.measured.rate)
    .done()
}
