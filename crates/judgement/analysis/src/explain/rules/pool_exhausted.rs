//! A pool is used up; why its connections are held is not known.

use loadline_text::{counted, evidence, explain, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::{Draft, RuleContext, stack};

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let pool = measured.exhausted()?;
    let hold = pool.held(measured.rate);
    let part = BottleneckPart::Pool;
    let demand = share(pool.usage.used, measured.rate);
    let doubled = context.predicted(part, 2.0 * pool.usage.most, demand);
    Draft::new(
        RuleId::PoolExhausted,
        part,
        EvidenceGrade::C,
        explain::pool_exhausted(counted(pool.usage.most), millis(hold * 1000.0)),
    )
    .of_pool(pool, hold)
    .shown(
        "cpu-used",
        evidence::cpu_used(),
        measured.cpu.as_ref().map(|cpu| cpu.used),
        EvidenceUnit::Cores,
    )
    .naming_heaviest(measured)
    .against(Some(explain::doubt_hold_unseen()))
    .advised([
        Advice::to(explain::pool_exhausted_try_look()),
        Advice::to(explain::pool_small_try_more(counted(2.0 * pool.usage.most)))
            .by(stack::pool_size(&context.view.run.signals))
            .giving(doubled),
    ])
    .limiting_at(measured.rate)
    .done()
}
