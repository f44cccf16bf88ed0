//! Requests wait for the disk of the target.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{counted, evidence, findings, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// So many threads wait for the disk at any moment, on average: one lock around it lets one wait at a time.
const WAITING_THREADS_MIN: f64 = 0.5;
/// A target that uses more of its cores is not held up by its disk alone.
const CPU_USE_MAX: f64 = 0.6;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let waiting = context
        .view
        .largest(SignalKind::StorageWaiters, &Entity::new())?;
    let cpu = context.measured.cpu.as_ref()?;
    if waiting < WAITING_THREADS_MIN || cpu.share() >= CPU_USE_MAX {
        return None;
    }
    let is_limiting = !context.view.run.load.is_open || context.has_signs();
    let statement = findings::storage_wait(
        significant(waiting),
        significant(cpu.used),
        counted(cpu.most),
    );
    let (rule, part) = (RuleId::StorageWait, BottleneckPart::Storage);
    Draft::new(rule, part, EvidenceGrade::A, statement)
        .role(if is_limiting {
            FindingRole::Limit
        } else {
            FindingRole::Slow
        })
        .entity(&cpu.entity)
        .shown(
            "storage-waiters",
            evidence::storage_waiters(),
            waiting,
            EvidenceUnit::Count,
        )
        .of_cpu(cpu.used, cpu.most)
        .advised([
            Advice::to(findings::storage_wait_try_gather()),
            Advice::to(findings::storage_wait_try_faster()),
        ])
        .limiting_at(if is_limiting {
            context.measured.rate
        } else {
            0.0
        })
        .done()
}
