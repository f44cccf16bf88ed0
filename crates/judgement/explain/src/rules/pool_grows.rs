//! A pool opens connections while requests come: it keeps fewer than it may have.
//!
//! Opening one takes a process of the database, TLS and a login, which a request waits for; and runs that open others at
//! other times differ.

use loadline_record::signals::SignalKind;
use loadline_text::{counted, evidence, findings};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::view::RunView;
use super::{Draft, RuleContext};

/// Fewer are those that replace others that grew old.
const OPENED_MIN: f64 = 3.0;
/// What sets it.
const SETTING: &str =
    "HikariCP: minimumIdle = maximumPoolSize; Spring Boot: spring.datasource.hikari.minimum-idle";

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let opened = view.run.signals.of_kind(SignalKind::PoolOpened);
    let grown = opened.filter_map(|series| {
        let of = &series.entity;
        let least = view.smallest(SignalKind::PoolMin, of)?;
        let most = view.largest(SignalKind::PoolMax, of)?;
        let opened = RunView::grown_in_run(series);
        (least < most && opened >= OPENED_MIN).then_some((opened, least, most, of))
    });
    let (opened, least, most, of) = grown.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let count = EvidenceUnit::Count;
    Draft::new(
        RuleId::PoolGrows,
        BottleneckPart::Pool,
        EvidenceGrade::A,
        findings::pool_grows(counted(opened), counted(least), counted(most)),
    )
    .role(FindingRole::Notice)
    .entity(of)
    .shown("opened-in-pool", evidence::opened_in_pool(), opened, count)
    .shown("pool-least", evidence::pool_least(), least, count)
    .shown("most", evidence::most(), most, count)
    .advised([Advice::to(findings::pool_grows_try()).by(SETTING)])
    .done()
}
