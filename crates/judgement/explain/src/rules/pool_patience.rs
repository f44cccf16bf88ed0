//! How long a request may wait for a connection: longer than anybody waits for it, or shorter than one is held.
//!
//! Only where the target's own start says how long that is.

use loadline_record::signals::Signals;
use loadline_text::{evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::measured::PoolView;
use super::{Draft, RuleContext};

/// What sets it.
const SETTING: &str = "spring.datasource.hikari.connection-timeout";
/// A pool of which this share was in use at some look may fill.
const USED_SHARE_MIN: f64 = 0.5;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let patience = patience(&context.view.run.signals)?;
    let may_fill = |pool: &&PoolView| pool.usage.share() >= USED_SHARE_MIN || pool.pending > 0.0;
    let pools = context.measured.pools.iter().filter(may_fill);
    let pool = pools.max_by(|a, b| a.usage.share().total_cmp(&b.usage.share()))?;
    let hold = pool.hold.map(|hold| hold * 1000.0);
    let goal = shortest_goal(context);
    let (statement, advice) = if let Some(hold) = hold.filter(|hold| patience < *hold) {
        (
            findings::pool_patience_short(millis(patience), millis(hold)),
            findings::pool_patience_short_try(),
        )
    } else {
        let goal = goal.filter(|goal| patience > *goal)?;
        (
            findings::pool_patience_long(millis(patience), millis(goal)),
            findings::pool_patience_long_try(),
        )
    };
    let in_ms = EvidenceUnit::Millis;
    Draft::new(
        RuleId::PoolPatience,
        BottleneckPart::Pool,
        EvidenceGrade::A,
        statement,
    )
    .role(FindingRole::Notice)
    .entity(&pool.usage.entity)
    .shown("pool-patience", evidence::pool_patience(), patience, in_ms)
    .shown("hold", evidence::hold(), hold, in_ms)
    .advised([Advice::to(advice).by(SETTING)])
    .done()
}

/// How long a request waits for a connection at most, ms.
fn patience(signals: &Signals) -> Option<f64> {
    let found = signals.settings().iter().find(|one| one.name == SETTING)?;
    found.value.parse().ok().filter(|millis| *millis > 0.0)
}

/// The shortest time that the run is judged by, ms.
fn shortest_goal(context: &RuleContext<'_>) -> Option<f64> {
    let goals = context.view.run.objectives.iter();
    let times = goals.filter(|goal| goal.measure.is_time());
    times.map(|goal| goal.most).reduce(f64::min)
}
