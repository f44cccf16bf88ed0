//! Redis uses up the one core that executes commands.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::{Draft, RuleContext};

/// The core is used up from this share on.
const USED_UP: f64 = 0.85;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let (view, any) = (context.view, Entity::new());
    let main = view.rate(SignalKind::RedisMainThreadCpu, &any);
    let used = main.or_else(|| view.rate(SignalKind::RedisCpu, &any))?;
    if used < USED_UP {
        return None;
    }
    let grade = main.map_or(EvidenceGrade::B, |_| EvidenceGrade::A);
    let commands = view.rate(SignalKind::RedisCommands, &any);
    Draft::new(
        RuleId::RedisCpu,
        BottleneckPart::Cache,
        grade,
        findings::redis_cpu(percent(used.min(1.0))),
    )
    .shown(
        "redis-cpu",
        evidence::redis_cpu(),
        used,
        EvidenceUnit::Cores,
    )
    .shown(
        "commands",
        evidence::commands(),
        commands,
        EvidenceUnit::PerSecond,
    )
    .advised([Advice::to(findings::redis_cpu_try()).by("SLOWLOG GET")])
    .limiting_at(context.measured.rate / used.min(1.0))
    .done()
}
