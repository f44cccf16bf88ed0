//! Whether memory had run out when a target ended: what ends a process that asks for more.

use loadline_record::signals::{SignalKind, SignalSeries, Signals};

use super::super::finding::EvidenceGrade;
use super::super::input::share;

/// Memory in use when the process ended, as a share of the most it may use.
const FULL_SHARE_MIN: f64 = 0.9;
/// ... and from this share on it is sure.
const BRIM_SHARE_MIN: f64 = 0.95;
/// A heap that is larger at each of so many looks, ...
const GROWING_LOOKS: usize = 5;
/// ... with so many collections meanwhile, keeps what it is given.
const COLLECTIONS_MIN: f64 = 5.0;
/// Looks so long before the end tell, s.
const LOOKED_AT_SECONDS: f64 = 5.0;

/// How sure it is that memory had run out in the last seconds before `second` of the run; `None` where it had not, or
/// is not seen.
pub(super) fn had_run_out(signals: &Signals, second: f64) -> Option<EvidenceGrade> {
    if grew_to_limit(signals, second) {
        return Some(EvidenceGrade::B);
    }
    let used = used_before(signals, second)?;
    match used {
        used if used >= BRIM_SHARE_MIN => Some(EvidenceGrade::A),
        used if used >= FULL_SHARE_MIN => Some(EvidenceGrade::B),
        _ => None,
    }
}

/// The heap grew from look to look although it was collected meanwhile, and at that pace it had reached its limit when
/// the process ended.
fn grew_to_limit(signals: &Signals, second: f64) -> bool {
    let collected: Vec<&SignalSeries> = signals.of_kind(SignalKind::CollectionPauses).collect();
    signals.of_kind(SignalKind::HeapUsed).any(|series| {
        let points = series.points();
        let end = points.partition_point(|point| seconds(point.at_ms) <= second);
        let last = &points[end.saturating_sub(GROWING_LOOKS)..end];
        let ([first, .., before], true) = (last, last.len() == GROWING_LOOKS) else {
            return false;
        };
        let limits = signals.of_kind(SignalKind::HeapMax);
        let limit = limits
            .filter(|limit| limit.entity.agrees(&series.entity))
            .find_map(|limit| last_before(limit, second));
        let is_growing = last.windows(2).all(|pair| pair[1].value > pair[0].value);
        let collections: f64 = collected
            .iter()
            .filter(|one| one.entity.agrees(&series.entity))
            .map(|one| grown(one, first.at_ms, before.at_ms))
            .sum();
        let each = (before.value - first.value) / (seconds(before.at_ms) - seconds(first.at_ms));
        // It ended before the next look.
        let reached = before.value + each * (second + 1.0 - seconds(before.at_ms));
        is_growing
            && collections >= COLLECTIONS_MIN
            && limit.is_some_and(|limit| limit > 0.0 && reached >= FULL_SHARE_MIN * limit)
    })
}

/// By how much a counter grew.
fn grown(series: &SignalSeries, from_ms: u64, to_ms: u64) -> f64 {
    let points = series.points();
    let value = |at_ms| {
        let at = points.partition_point(|point| point.at_ms <= at_ms);
        points[..at].last().map_or(0.0, |point| point.value)
    };
    (value(to_ms) - value(from_ms)).max(0.0)
}

fn seconds(at_ms: u64) -> f64 {
    f64::from(u32::try_from(at_ms).unwrap_or(u32::MAX)) / 1000.0
}

/// The share of its memory that was in use.
fn used_before(signals: &Signals, second: f64) -> Option<f64> {
    let of_limit = [
        (SignalKind::MemoryUsed, SignalKind::MemoryLimit),
        (SignalKind::HeapAfterCollection, SignalKind::HeapMax),
    ];
    let shares = of_limit.into_iter().flat_map(|(used, most)| {
        signals.of_kind(used).filter_map(move |series| {
            let limits = signals.of_kind(most);
            let limit = limits
                .filter(|limit| limit.entity.agrees(&series.entity))
                .find_map(|limit| last_before(limit, second));
            let used = last_before(series, second);
            used.zip(limit).map(|(used, limit)| share(used, limit))
        })
    });
    let after_collection = signals
        .of_kind(SignalKind::HeapAfterCollectionShare)
        .filter_map(|series| last_before(series, second));
    shares.chain(after_collection).reduce(f64::max)
}

/// The last value in the seconds before.
fn last_before(series: &SignalSeries, second: f64) -> Option<f64> {
    let is_before = |at_ms| {
        let before = second - seconds(at_ms);
        (0.0..=LOOKED_AT_SECONDS).contains(&before)
    };
    let mut points = series.points().iter();
    let last = points.rfind(|point| is_before(point.at_ms));
    last.map(|point| point.value)
}
