//! Somebody else uses the cores of the target.

use loadline_text::{counted, explain, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// Its threads wait this long for a core, seconds a second.
const WAITING: f64 = 0.25;
/// A process that uses more than this of its cores waits for itself.
const OWN: f64 = 0.85;
/// Used and waited for together, as a share of the cores: it could not get more.
const ALL: f64 = 0.9;
/// Cores of its own that would give less than this share more are not what limits: many threads
/// can wait for a core at once while they all wait for something else most of the time.
const GAIN: f64 = 0.15;
/// A smaller share of the time that requests are inside is not worth telling, ...
const WORTH: f64 = 0.15;
/// ... and one smaller than this is not what limits: most of the time they wait for something else.
const A_QUARTER: f64 = 0.25;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let cpu = context.measured.cpu.as_ref()?;
    let delay = context.measured.run_delay?;
    let is_stopped = context.measured.throttled.is_some_and(|t| t.periods >= 0.1);
    let inside = context.requests_inside().unwrap_or(0.0);
    if delay < WAITING || cpu.share() > OWN || is_stopped || delay < WORTH * inside {
        return None;
    }
    let part = BottleneckPart::Cpu;
    let cost = context.measured.cpu_of_request();
    let alone = cost.and_then(|cost| context.predicted(part, cpu.most, cost));
    let would_gain = alone.is_none_or(|(rate, _)| rate >= (1.0 + GAIN) * context.measured.rate);
    let is_limiting =
        would_gain && cpu.used + delay >= ALL * cpu.most && delay >= A_QUARTER * inside;
    let alone = alone.filter(|_| is_limiting);
    Draft::new(
        RuleId::NoisyNeighbour,
        part,
        EvidenceGrade::A,
        explain::neighbour(significant(delay), significant(cpu.used), counted(cpu.most)),
    )
    .role(if is_limiting {
        FindingRole::Limit
    } else {
        FindingRole::Slow
    })
    .of(&cpu.entity)
    .shown(
        "run-delay",
        explain::number_run_delay(),
        delay * 1000.0,
        EvidenceUnit::Millis,
    )
    .shown(
        "cpu-used",
        explain::number_cpu_used(),
        cpu.used,
        EvidenceUnit::Cores,
    )
    .shown(
        "cpu-available",
        explain::number_cpu_available(),
        cpu.most,
        EvidenceUnit::Cores,
    )
    .advised([Advice::to(explain::neighbour_try()).giving(alone)])
    .limiting_at(context.measured.rate)
    .done()
}
