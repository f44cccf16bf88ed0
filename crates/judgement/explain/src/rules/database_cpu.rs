//! The database's cores are used up.

use loadline_text::{Message, counted, doubt, evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::heavy;
use super::super::input::share;
use super::super::measured::{Measured, Usage};
use super::{Draft, RuleContext};

/// Cores are used up from this share on.
const USED_UP: f64 = 0.85;
/// From this share on others use them as well.
const OTHERS_SHARE_MIN: f64 = 0.3;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let cpu = measured.database_cpu.as_ref()?;
    if cpu.share() < USED_UP {
        return None;
    }
    let others = measured.database_idle_share;
    let others = others.filter(|share| *share >= OTHERS_SHARE_MIN);
    let part = BottleneckPart::Database;
    let demand = share(cpu.used, measured.carried);
    let faster = heavy::heaviest(measured).into_iter().map(|statement| {
        // Half of the time the statement takes now.
        let left = demand * (1.0 - statement.share / 2.0);
        Advice::to(findings::database_cpu_try_statement(percent(
            statement.share,
        )))
        .by(&statement.text)
        .giving(context.predicted(part, cpu.most, left))
    });
    let managed = measured.managed.as_ref();
    let are_cores_known = managed.is_none_or(|cpu| cpu.are_cores_known);
    let doubled = context.predicted(part, 2.0 * cpu.most, demand);
    let top = measured.statements.first();
    Draft::new(
        RuleId::DatabaseCpu,
        part,
        // A cloud's minutes are rough.
        if others.is_some() || managed.is_some() {
            EvidenceGrade::B
        } else {
            EvidenceGrade::A
        },
        statement(measured, cpu, are_cores_known),
    )
    .entity(&cpu.entity)
    .shown(
        "database-cpu",
        evidence::database_cpu(),
        measured.database_cores_used(),
        EvidenceUnit::Cores,
    )
    .shown(
        "database-cores",
        evidence::database_cores(),
        are_cores_known.then_some(cpu.most),
        EvidenceUnit::Cores,
    )
    .shown(
        "database-cpu-share",
        evidence::database_cpu_share(),
        managed.map(|_| cpu.share()),
        EvidenceUnit::Share,
    )
    .shown(
        "cpu-of-request",
        evidence::cpu_of_request(),
        (demand > 0.0 && are_cores_known).then_some(demand * 1000.0),
        EvidenceUnit::Millis,
    )
    .shown(
        "statement-share",
        evidence::statement_share(),
        top.map(|top| top.share),
        EvidenceUnit::Share,
    )
    .naming_heaviest(measured)
    .against(others.map(|share| doubt::used_without_load(percent(share))))
    .against(managed.map(|cpu| doubt::minutes_of_cloud(cpu.minutes)))
    .against(top.is_none().then(doubt::statements_unseen))
    .advised(faster)
    .advised([
        Advice::to(findings::database_cpu_try_cache()),
        Advice::to(if are_cores_known {
            findings::database_cpu_try_cores(counted(2.0 * cpu.most))
        } else {
            findings::database_cpu_try_larger()
        })
        .giving(doubled),
    ])
    .limiting_at(measured.rate / cpu.share().min(1.0))
    .done()
}

fn statement(measured: &Measured, cpu: &Usage, are_cores_known: bool) -> Message {
    let share = percent(cpu.share());
    match measured.statements.first() {
        _ if !are_cores_known => findings::database_cpu_share(share),
        Some(top) => findings::database_cpu(share, counted(cpu.most), percent(top.share)),
        None => findings::database_cpu_only(share, counted(cpu.most)),
    }
}
