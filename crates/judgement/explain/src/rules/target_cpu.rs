//! The target's cores are used up by its own work.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{counted, doubt, evidence, explain, findings, millis, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::{Draft, RuleContext, stack};

/// Cores are used up from this share on.
const USED_UP: f64 = 0.88;
/// ... and from this one on where its threads wait for the rest, which others use.
const USED_UP_WITH_WAITING: f64 = 0.85;
/// ... from this one on where all its threads are busy, too.
const WITH_ALL_THREADS: f64 = 0.75;
/// Used and waited for together, as a share of the cores.
const WANTED_SHARE_MIN: f64 = 0.95;
/// So many busy threads a core are more than work needs.
const MANY_THREADS: f64 = 8.0;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let cpu = context.measured.cpu.as_ref()?;
    let wanted = cpu.used + context.measured.run_delay.unwrap_or(0.0);
    let workers = context.measured.workers.as_ref();
    let nearly = if workers.is_some_and(|workers| workers.at_limit) {
        WITH_ALL_THREADS
    } else {
        USED_UP_WITH_WAITING
    };
    let is_used_up = cpu.share() >= USED_UP;
    // Its one thread is never idle: for the rest of the time others have the core.
    let shared = context.measured.computing_all_along();
    let shared = shared.filter(|_| !is_used_up && context.measured.is_one_interpreter);
    let is_nearly = cpu.share() >= nearly && wanted >= WANTED_SHARE_MIN * cpu.most;
    if !is_used_up && !is_nearly && shared.is_none() {
        return None;
    }
    let part = BottleneckPart::Cpu;
    let cost = context.measured.cpu_of_request();
    let doubled = cost.and_then(|cost| context.predicted(part, 2.0 * cpu.most, cost));
    let halved = cost.and_then(|cost| context.predicted(part, cpu.most, cost / 2.0));
    let alone = cost.and_then(|cost| context.predicted(part, cpu.most, cost));
    let busy = workers.map(|workers| workers.usage.used);
    let many = busy.filter(|busy| *busy >= MANY_THREADS * cpu.most);
    let forced = context
        .view
        .rate(SignalKind::ForcedSwitches, &Entity::new());
    Draft::new(
        RuleId::TargetCpu,
        part,
        if is_used_up {
            EvidenceGrade::A
        } else {
            EvidenceGrade::B
        },
        match shared {
            Some(one) => findings::target_cpu_shared(percent(one.runs), percent(one.waits)),
            None => explain::target_cpu(percent(cpu.share()), counted(cpu.most)),
        },
    )
    .entity(&cpu.entity)
    .of_cpu(cpu.used, cpu.most)
    .shown(
        "cpu-of-request",
        evidence::cpu_of_request(),
        cost.map(|cost| cost * 1000.0),
        EvidenceUnit::Millis,
    )
    .shown(
        "pauses",
        evidence::pauses(),
        context.measured.pauses(),
        EvidenceUnit::Share,
    )
    .shown(
        "forced-switches",
        evidence::forced(),
        forced,
        EvidenceUnit::PerSecond,
    )
    .against(super::cold::compiling(context).map(|_| doubt::compiling()))
    .against(many.map(|busy| doubt::many_threads(counted(busy), counted(cpu.most))))
    .against(
        context
            .measured
            .pauses()
            .is_none()
            .then(doubt::pauses_unseen),
    )
    .advised([Advice::to(match cost {
        Some(cost) => findings::target_cpu_try_cost(millis(cost * 1000.0)),
        None => findings::target_cpu_try_code(),
    })
    .giving(halved)])
    .advised(many.map(|_| {
        Advice::to(findings::target_cpu_try_fewer_threads(counted(
            2.0 * cpu.most,
        )))
        .by_stack(stack::processes(&context.view.run.signals))
    }))
    .advised(shared.map(|_| Advice::to(findings::neighbour_try()).giving(alone)))
    .advised([if context.measured.is_one_interpreter {
        Advice::to(findings::target_cpu_try_processes())
            .by_stack(stack::processes(&context.view.run.signals))
            .giving(doubled)
    } else {
        Advice::to(findings::target_cpu_try_cores(counted(2.0 * cpu.most))).giving(doubled)
    }])
    .shown(
        "run-delay",
        evidence::run_delay(),
        shared.map(|one| one.waits * 1000.0),
        EvidenceUnit::Millis,
    )
    .limiting_at(match shared {
        Some(_) => context.measured.rate,
        None => context.measured.rate / cpu.share().min(1.0),
    })
    .done()
}
