//! One instance gets most of the load.

use std::collections::BTreeMap;

use loadline_record::signals::{Entity, Label, SignalKind};
use loadline_text::{counted, evidence, findings, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::{Draft, RuleContext};

/// By so much an instance gets more than its part.
const UNEVEN_FACTOR_MIN: f64 = 1.4;
/// Its CPU is at its limit from this share on.
const USED_UP: f64 = 0.85;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let mut rates: BTreeMap<&str, f64> = BTreeMap::new();
    for series in view.run.signals.of_kind(SignalKind::ServerRequests) {
        if let (Some(instance), Some(rate)) =
            (series.entity.get(Label::Instance), view.rate_of(series))
        {
            *rates.entry(instance).or_default() += rate;
        }
    }
    let all: f64 = rates.values().sum();
    let count = f64::from(u32::try_from(rates.len()).unwrap_or(u32::MAX));
    let (busiest, most) = rates.iter().max_by(|a, b| a.1.total_cmp(b.1))?;
    let share = most / all;
    if count < 2.0 || all <= 0.0 || share * count < UNEVEN_FACTOR_MIN {
        return None;
    }
    let entity = Entity::new().with(Label::Instance, busiest);
    let of_it = |other: &Entity| other.get(Label::Instance) == Some(*busiest);
    let measured = context.measured;
    let pools = measured.pools.iter();
    let workers = measured.workers.iter();
    let cpu = measured.cpu.iter();
    let full = if pools
        .into_iter()
        .any(|p| p.is_exhausted() && of_it(&p.usage.entity))
    {
        Some(BottleneckPart::Pool)
    } else if workers
        .into_iter()
        .any(|w| w.at_limit && of_it(&w.usage.entity))
    {
        Some(BottleneckPart::Threads)
    } else if cpu
        .into_iter()
        .any(|c| c.share() >= USED_UP && of_it(&c.entity))
    {
        Some(BottleneckPart::Cpu)
    } else {
        None
    };
    let is_full = full.is_some();
    let (grade, role) = if is_full {
        (EvidenceGrade::A, FindingRole::Limit)
    } else {
        (EvidenceGrade::B, FindingRole::Notice)
    };
    let even = is_full.then_some((measured.rate * share * count, None));
    Draft::new(
        RuleId::UnevenLoad,
        // What is full there limits; where nothing is, the balancer is all there is to tell of.
        full.unwrap_or(BottleneckPart::Network),
        grade,
        findings::uneven_load(busiest, percent(share), counted(count)),
    )
    .role(role)
    .entity(&entity)
    .shown("share", evidence::share(), share, EvidenceUnit::Share)
    .shown(
        "instances",
        evidence::instances(),
        count,
        EvidenceUnit::Count,
    )
    .advised([Advice::to(findings::uneven_load_try()).giving(even)])
    .limiting_at(if is_full { measured.rate } else { 0.0 })
    .done()
}
