//! The outside server that requests wait for most, by the target's page or by traces.

use loadline_record::signals::{Entity, Label, SignalKind};

use super::super::input::share;
use super::super::traced::per_traced;
use super::super::view::RunView;
use super::OutsideView;

/// The outside server that takes most of the time of traced requests.
pub(super) fn traced_outside(view: &RunView<'_>) -> Option<OutsideView> {
    let scale = per_traced(view)?;
    let times = view.run.signals.of_kind(SignalKind::TracedCallTime);
    let all = times.filter_map(|series| {
        let peer = series.entity.get(Label::Peer)?;
        let of = Entity::new().with(Label::Peer, peer);
        let time = view.rate(SignalKind::TracedCallTime, &of)?;
        let calls = view.rate(SignalKind::TracedCalls, &of)?;
        let mut counts = view.run.signals.of_kind(SignalKind::TracedCalls);
        let count = counts.find(|count| count.entity == series.entity)?;
        let outside = OutsideView {
            peer: Some(peer.to_owned()),
            mean: share(time, calls),
            calls: calls * scale,
            trend: view.each_early_and_late(series, count),
            of_run: view.each_at_first_and_last(series, count),
            since_first: view.each_of_first_calls_and_last(series, count),
        };
        (calls > 0.0).then_some((time, outside))
    });
    let most = all.max_by(|a, b| a.0.total_cmp(&b.0));
    most.map(|(_, outside)| outside)
}

/// The outside server that takes most of the time.
pub(super) fn outside(view: &RunView<'_>) -> Option<OutsideView> {
    let times = view.run.signals.of_kind(SignalKind::OutsideCallTime);
    let all = times.filter_map(|series| {
        let counts = view.run.signals.of_kind(SignalKind::OutsideCalls);
        let count = counts
            .into_iter()
            .find(|count| count.entity == series.entity)?;
        let (time, calls) = (view.rate_of(series)?, view.rate_of(count)?);
        let outside = OutsideView {
            peer: series.entity.get(Label::Peer).map(str::to_owned),
            mean: share(time, calls),
            calls,
            trend: view.each_early_and_late(series, count),
            of_run: view.each_at_first_and_last(series, count),
            since_first: view.each_of_first_calls_and_last(series, count),
        };
        (calls > 0.0).then_some((time, outside))
    });
    let most = all.max_by(|a, b| a.0.total_cmp(&b.0));
    most.map(|(_, outside)| outside)
}
