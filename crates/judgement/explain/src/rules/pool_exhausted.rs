//! A pool is used up; why its connections are held is not known.

use loadline_text::{counted, doubt, evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, RuleId,
};
use super::super::input::share;
use super::super::statements::are_as_fast_as_ever;
use super::{Draft, RuleContext, stack};

/// Statements that take this share of the time in which connections are held are why they are.
const STATEMENT_SHARE_MIN: f64 = 0.8;

/// A pool of which less is held on average is full at times alone.
const ALL_HELD_SHARE_MIN: f64 = 0.9;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let measured = context.measured;
    let pool = measured.exhausted()?;
    // What is full at times is no limit of callers who lose nothing.
    if !context.has_signs() && pool.usage.used < ALL_HELD_SHARE_MIN * pool.usage.most {
        return None;
    }
    let hold = pool.held(measured.carried);
    let part = BottleneckPart::Pool;
    let demand = share(pool.usage.used, measured.carried);
    let doubled = context.predicted(part, 2.0 * pool.usage.most, demand);
    let used = measured.held_connections();
    let is_in_statements = measured.statement_time >= STATEMENT_SHARE_MIN * used;
    let (most, held) = (counted(pool.usage.most), millis(hold * 1000.0));
    let grade = grade(context, is_in_statements);
    // A database that is observed already has told what it can.
    let look = (measured.sessions.active.is_none()).then(findings::pool_exhausted_try_look);
    let (statement, first) = if is_in_statements {
        let statement = findings::pool_in_statements(most, held);
        (statement, Some(findings::pool_small_try_statement()))
    } else if grade == EvidenceGrade::A {
        // What holds them is seen: a whole request that waits for nothing takes as long.
        (findings::pool_held_as_alone(most, held), look)
    } else {
        (findings::pool_exhausted(most, held), look)
    };
    Draft::new(RuleId::PoolExhausted, part, grade, statement)
        .of_pool(pool, hold)
        .shown(
            "cpu-used",
            evidence::cpu_used(),
            measured.cpu.as_ref().map(|cpu| cpu.used),
            EvidenceUnit::Cores,
        )
        .naming_heaviest(measured)
        .against((grade > EvidenceGrade::A).then(|| {
            if is_in_statements {
                doubt::statements_wait()
            } else {
                doubt::hold_unseen()
            }
        }))
        .advised(first.map(Advice::to))
        .advised([Advice::to(findings::pool_small_try_more(counted(
            2.0 * pool.usage.most,
        )))
        .by_stack(stack::pool_size(
            &context.view.run.signals,
            &pool.usage.entity,
        ))
        .giving(doubled)])
        .limiting_at(measured.rate)
        .done()
}

/// How sure it is that connections are held for nothing that is full itself.
fn grade(context: &RuleContext<'_>, is_in_statements: bool) -> EvidenceGrade {
    // A request that does more than hold a connection takes as long as a hold that has grown: only holds that are seen to
    // stay the same are held for nothing that is full.
    if context.are_connections_quick() {
        return if context.are_holds_as_when_quiet() {
            EvidenceGrade::A
        } else {
            EvidenceGrade::B
        };
    }
    // Statements that got slower, or that never were seen without load, may wait for a lock, a disk or a core.
    let has_room = match are_as_fast_as_ever(context.view) {
        Some(is_fast) => is_fast,
        None => context.measured.database_cpu.is_some(),
    };
    if is_in_statements && has_room {
        EvidenceGrade::B
    } else {
        EvidenceGrade::C
    }
}
