//! The statements of the database, by the time they take: as the database counts them, else as traces do.

use std::collections::BTreeSet;

use loadline_record::signals::{Entity, Label, SignalKind, SignalSeries};

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
        let (times, calls) = (of_all_bands(view, time), of_all_bands(view, calls));
        let all = times.iter().filter_map(|times| {
            let calls = calls.iter().find(|calls| calls.entity == times.entity)?;
            let means = view.each_at_quickest_and_last(times, calls)?;
            Some((view.rate_of(times)?, means))
        });
        all.max_by(|a, b| a.0.total_cmp(&b.0))
    });
    let (_, (low, high)) = heaviest?;
    Some(high < EVEN_FACTOR_MAX * low)
}

/// Counters of each statement. Traces count quick requests and slow ones apart, and whose statement is slow is among the
/// slow: one band alone never gets slower.
fn of_all_bands(view: &RunView<'_>, kind: SignalKind) -> Vec<SignalSeries> {
    let mut all: Vec<(Entity, Vec<&SignalSeries>)> = Vec::new();
    for series in view.run.signals.of_kind(kind) {
        let entity = series.entity.clone().with(Label::Band, "");
        match all.iter_mut().find(|(known, _)| *known == entity) {
            Some((_, bands)) => bands.push(series),
            None => all.push((entity, vec![series])),
        }
    }
    let all = all.into_iter();
    all.map(|(entity, bands)| summed(kind, entity, &bands))
        .collect()
}

/// Counters summed up; each stays as it is until it is looked at again.
fn summed(kind: SignalKind, entity: Entity, counters: &[&SignalSeries]) -> SignalSeries {
    let times = counters.iter().flat_map(|one| one.points());
    let times: BTreeSet<u64> = times.map(|point| point.at_ms).collect();
    let mut sum = SignalSeries::new(kind, entity);
    for at_ms in times {
        let last = |one: &&SignalSeries| {
            let seen = one.points().partition_point(|point| point.at_ms <= at_ms);
            seen.checked_sub(1)
                .map_or(0.0, |last| one.points()[last].value)
        };
        sum.push(at_ms, counters.iter().map(last).sum());
    }
    sum
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: the statements of slow requests, which traces count apart, were "as fast as ever": they were slow at first, too.
    #[test]
    fn counters_of_bands_are_summed_up_whenever_they_were_looked_at() {
        let series = |points: &[(u64, f64)]| {
            let mut series = SignalSeries::new(SignalKind::TracedSqlCalls, Entity::new());
            for (at_ms, value) in points {
                assert!(series.push(*at_ms, *value));
            }
            series
        };
        let typical = series(&[(0, 0.0), (1_000, 5.0), (2_000, 7.0)]);
        let tail = series(&[(1_500, 2.0), (2_000, 3.0)]);
        let sum = summed(
            SignalKind::TracedSqlCalls,
            Entity::new(),
            &[&typical, &tail],
        );
        let told: Vec<f64> = sum.points().iter().map(|point| point.value).collect();
        assert_eq!(told, [0.0, 5.0, 7.0, 10.0]);
    }
}
