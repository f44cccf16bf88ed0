//! The statements of the database, by the time they take: as the database counts them, else as traces do.

use loadline_record::signals::{Label, SignalKind, SignalSeries};

use super::input::share;
use super::ownership::own_share;
use super::statement::StatementOrigin;
use super::traced::per_traced;
use super::view::RunView;

/// A statement is the target's own where at least this share of its calls goes with the requests.
const OWN_SHARE_MIN: f64 = 0.5;
/// Times that differ by less than this factor are the same.
const EVEN_FACTOR_MAX: f64 = 1.25;

/// A statement's share of the database's time.
#[derive(Debug, Clone)]
pub(super) struct StatementView {
    /// Its text, or the database's number of it.
    pub(super) text: String,
    pub(super) counted_by: StatementOrigin,
    /// It is one statement: it has a text, or a number.
    is_named: bool,
    pub(super) calls: f64,
    pub(super) time: f64,
    /// Of all statements' time.
    pub(super) share: f64,
    pub(super) rows: Option<f64>,
    pub(super) blocks: Option<f64>,
    /// Rows it looked at.
    pub(super) examined: Option<f64>,
    /// The share of its calls that goes with the callers' requests, where the load changed.
    pub(super) own: Option<f64>,
}

/// All statements, those that take most of the time first: as the database counts them, else as
/// traces do. Some clients count all their statements together: the time of all of them.
pub(super) fn statements(view: &RunView<'_>) -> (Vec<StatementView>, f64) {
    let counted = StatementKinds {
        time: SignalKind::StatementTime,
        calls: SignalKind::StatementCalls,
    };
    let traced = StatementKinds {
        time: SignalKind::TracedSqlTime,
        calls: SignalKind::TracedSqlCalls,
    };
    let counted = statements_of(view, counted, 1.0);
    if counted.iter().any(|statement| statement.is_named) {
        return named(counted);
    }
    let scale = per_traced(view);
    let traced = scale.map_or_else(Vec::new, |scale| statements_of(view, traced, scale));
    if traced.is_empty() {
        named(counted)
    } else {
        named(traced)
    }
}

/// Statements take as long as while little was asked: what executes them has room. `None` where little never was
/// asked, or none is counted.
pub(super) fn are_as_fast_as_ever(view: &RunView<'_>) -> Option<bool> {
    view.quiet.as_ref()?;
    let kinds = [
        (SignalKind::StatementTime, SignalKind::StatementCalls),
        (SignalKind::TracedSqlTime, SignalKind::TracedSqlCalls),
    ];
    let heaviest = kinds.into_iter().find_map(|(time, calls)| {
        let all = view.run.signals.of_kind(time).filter_map(|times| {
            let mut calls = view.run.signals.of_kind(calls);
            let calls = calls.find(|calls| calls.entity == times.entity)?;
            let means = view.each_at_first_and_last(times, calls)?;
            Some((view.rate_of(times)?, means))
        });
        all.max_by(|a, b| a.0.total_cmp(&b.0))
    });
    let (_, (low, high)) = heaviest?;
    Some(high < EVEN_FACTOR_MAX * low)
}

/// Those that have a name with their shares, and the time of all.
fn named(mut all: Vec<StatementView>) -> (Vec<StatementView>, f64) {
    let total: f64 = all.iter().map(|statement| statement.time).sum();
    for statement in &mut all {
        statement.share = share(statement.time, total);
    }
    all.retain(|statement| statement.is_named);
    all.sort_by(|a, b| b.time.total_cmp(&a.time));
    (all, total)
}

/// The signals that count statements.
#[derive(Debug, Clone, Copy)]
struct StatementKinds {
    time: SignalKind,
    calls: SignalKind,
}

fn statements_of(view: &RunView<'_>, kinds: StatementKinds, scale: f64) -> Vec<StatementView> {
    let StatementKinds { time, calls } = kinds;
    let mut all: Vec<StatementView> = Vec::new();
    for series in view.run.signals.of_kind(time) {
        // The slowest requests have series of their own.
        let text = series.entity.get(Label::Statement).unwrap_or_default();
        let Some(one) = statement(view, series, calls, scale) else {
            continue;
        };
        let is_traced = time == SignalKind::TracedSqlTime;
        // Calls that do not grow with the callers' requests are another program's.
        if one.own.is_some_and(|own| own < OWN_SHARE_MIN) && !is_traced {
            continue;
        }
        match all.iter_mut().find(|known| is_traced && known.text == text) {
            Some(known) => {
                known.calls += one.calls;
                known.time += one.time;
            }
            None => all.push(one),
        }
    }
    all
}

fn statement(
    view: &RunView<'_>,
    series: &SignalSeries,
    calls_of: SignalKind,
    scale: f64,
) -> Option<StatementView> {
    let entity = &series.entity;
    let calls = view.rate(calls_of, entity)?;
    let each = |kind| Some(share(view.rate(kind, entity)?, calls));
    let names = [Label::Statement, Label::StatementId];
    let name = names.iter().find_map(|label| entity.get(*label));
    let counted_by = match calls_of {
        SignalKind::TracedSqlCalls => StatementOrigin::Traces,
        _ => StatementOrigin::Database,
    };
    Some(StatementView {
        text: name.unwrap_or_default().to_owned(),
        counted_by,
        is_named: name.is_some(),
        calls: calls * scale,
        time: view.rate_of(series)? * scale,
        share: 0.0,
        rows: each(SignalKind::StatementRows),
        blocks: each(SignalKind::StatementBlocks),
        examined: each(SignalKind::StatementExamined),
        own: view
            .run
            .signals
            .of_kind(calls_of)
            .find(|counted| counted.entity == *entity)
            .and_then(|counted| own_share(view, counted)),
    })
}
