//! What requests queue for inside the target: connections of its pools, and threads.

use loadline_record::signals::{Entity, SignalKind, SignalSeries};

use super::super::traced::TracedView;
use super::super::view::RunView;
use super::{AT_LIMIT_SHARE_MIN, PoolView, Usage, WorkerView};

/// Before threads that are all busy at this share of the points a queue that grows has come to stand.
const QUEUED_FOR_SHARE_MIN: f64 = 0.25;
/// A pool whose connections are all held at this share of the points is full all along.
const ALWAYS_FULL_SHARE_MIN: f64 = 0.9;
/// A gauge within this share of its limit is at it.
const LIMIT_USE_MIN: f64 = 0.95;

pub(super) fn pools(view: &RunView<'_>) -> Vec<PoolView> {
    let active = view.run.signals.of_kind(SignalKind::PoolActive);
    active.filter_map(|series| pool(view, series)).collect()
}

fn pool(view: &RunView<'_>, series: &SignalSeries) -> Option<PoolView> {
    let entity = &series.entity;
    let most = view
        .largest(SignalKind::PoolMax, entity)
        .filter(|most| *most > 0.0)?;
    let hold = view.each(SignalKind::PoolHoldTime, SignalKind::PoolHolds, entity);
    let held = view.gauge_of(series)?;
    Some(PoolView {
        usage: Usage {
            entity: entity.clone(),
            used: held.mean,
            most,
        },
        used_error: held.error,
        // Seconds of waiting a second are, by Little's law, the requests that wait.
        pending: view
            .gauge(SignalKind::PoolPending, entity)
            .or_else(|| view.rate(SignalKind::PoolAcquireTime, entity))
            .or_else(|| traced_waiters(view))
            .or_else(|| beside_full(view, series, most))
            .unwrap_or(0.0),
        hold,
        holds: view.rate(SignalKind::PoolHolds, entity),
        acquire: view.each(
            SignalKind::PoolAcquireTime,
            SignalKind::PoolAcquires,
            entity,
        ),
        at_limit: view.share_at_limit(series, most, LIMIT_USE_MIN)?,
    })
}

/// Requests that wait for a connection of its one pool, by their traces.
fn traced_waiters(view: &RunView<'_>) -> Option<f64> {
    let is_one = view.run.signals.of_kind(SignalKind::PoolActive).count() == 1;
    let traced = TracedView::new(view, false).filter(|traced| is_one && traced.pool > 0.0)?;
    Some(traced.pool * view.callers.ended)
}

/// Requests inside the target beside those that hold all connections of its one pool all along: they wait for one, where
/// nobody counts those who do. A page that does not count requests leaves those of the callers, by Little's law.
fn beside_full(view: &RunView<'_>, series: &SignalSeries, most: f64) -> Option<f64> {
    let is_one = view.run.signals.of_kind(SignalKind::PoolActive).count() == 1;
    let is_full = view.share_at_limit(series, most, LIMIT_USE_MIN)? >= ALWAYS_FULL_SHARE_MIN;
    let counted = view.rate(SignalKind::ServerRequestTime, &Entity::new());
    let of_callers = || view.callers.answered * view.callers.mean_ms() / 1000.0;
    let inside = counted.unwrap_or_else(of_callers);
    (is_one && is_full).then(|| (inside - most).max(0.0))
}

pub(super) fn workers(view: &RunView<'_>) -> Option<WorkerView> {
    let busy = view.run.signals.of_kind(SignalKind::WorkersBusy);
    let all = busy.filter_map(|series| {
        let most = view.largest(SignalKind::WorkersMax, &series.entity)?;
        let usage = Usage {
            entity: series.entity.clone(),
            used: view.gauge_of(series)?.mean,
            most,
        };
        let full = view.share_at_limit(series, most, LIMIT_USE_MIN)?;
        Some(WorkerView {
            usage,
            at_limit: most > 0.0 && full >= AT_LIMIT_SHARE_MIN,
            is_queued_for: most > 0.0 && full >= QUEUED_FOR_SHARE_MIN,
        })
    });
    all.max_by(|a, b| a.usage.share().total_cmp(&b.usage.share()))
}
