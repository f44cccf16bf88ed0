//! The target's cores are used up by its own work.

use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{Message, counted, doubt, evidence, explain, findings, millis, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::measured::{OneThread, Usage};
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
    let measured = context.measured;
    let cpu = measured.cpu.as_ref()?;
    let is_shared = measured.is_one_interpreter && cpu.share() < USED_UP;
    match measured.computing_all_along().filter(|_| is_shared) {
        Some(one) => shared_core(context, cpu, one),
        None => used_up(context),
    }
}

/// Its own work has used up its cores, or nearly.
fn used_up(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let cpu = context.measured.cpu.as_ref()?;
    let wanted = cpu.used + context.measured.run_delay.unwrap_or(0.0);
    let workers = context.measured.workers.as_ref();
    let nearly = if workers.is_some_and(|workers| workers.at_limit) {
        WITH_ALL_THREADS
    } else {
        USED_UP_WITH_WAITING
    };
    let is_used_up = cpu.share() >= USED_UP;
    if !is_used_up && (cpu.share() < nearly || wanted < WANTED_SHARE_MIN * cpu.most) {
        return None;
    }
    let part = BottleneckPart::Cpu;
    let cost = context.measured.cpu_of_request();
    let doubled = cost.and_then(|cost| context.predicted(part, 2.0 * cpu.most, cost));
    let halved = cost.and_then(|cost| context.predicted(part, cpu.most, cost / 2.0));
    let busy = workers.map(|workers| workers.usage.used);
    let many = busy.filter(|busy| *busy >= MANY_THREADS * cpu.most);
    let forced = context
        .view
        .rate(SignalKind::ForcedSwitches, &Entity::new());
    let grade = if is_used_up {
        EvidenceGrade::A
    } else {
        EvidenceGrade::B
    };
    let statement = explain::target_cpu(percent(cpu.share()), counted(cpu.most));
    draft(context, cpu, grade, statement)
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
        .advised([if context.measured.is_one_interpreter {
            Advice::to(findings::target_cpu_try_processes())
                .by_stack(stack::processes(&context.view.run.signals))
                .giving(doubled)
        } else {
            Advice::to(findings::target_cpu_try_cores(counted(2.0 * cpu.most))).giving(doubled)
        }])
        .limiting_at(context.measured.rate / cpu.share().min(1.0))
        .done()
}

/// A finding on its CPU, with what is used of it and what a request takes.
fn draft(
    context: &RuleContext<'_>,
    cpu: &Usage,
    grade: EvidenceGrade,
    statement: Message,
) -> Draft {
    let cost = context.measured.cpu_of_request();
    Draft::new(RuleId::TargetCpu, BottleneckPart::Cpu, grade, statement)
        .entity(&cpu.entity)
        .of_cpu(cpu.used, cpu.most)
        .shown(
            "cpu-of-request",
            evidence::cpu_of_request(),
            cost.map(|cost| cost * 1000.0),
            EvidenceUnit::Millis,
        )
}

/// Its one thread is never idle: for the rest of the time other programs have the core.
fn shared_core(
    context: &RuleContext<'_>,
    cpu: &Usage,
    one: OneThread,
) -> Option<BottleneckFinding> {
    let part = BottleneckPart::Cpu;
    let cost = context.measured.cpu_of_request();
    let of_cores =
        |cores: f64| cost.and_then(|cost| context.predicted(part, cores * cpu.most, cost));
    let statement = findings::target_cpu_shared(percent(one.runs), percent(one.waits));
    draft(context, cpu, EvidenceGrade::B, statement)
        .shown(
            "run-delay",
            evidence::run_delay(),
            one.waits * 1000.0,
            EvidenceUnit::Millis,
        )
        .advised([
            Advice::to(findings::neighbour_try()).giving(of_cores(1.0)),
            Advice::to(findings::target_cpu_try_processes())
                .by_stack(stack::processes(&context.view.run.signals))
                .giving(of_cores(2.0)),
        ])
        .limiting_at(context.measured.rate)
        .done()
}
