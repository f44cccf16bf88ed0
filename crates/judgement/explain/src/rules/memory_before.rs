//! Whether memory had run out when a target ended: what ends a process that asks for more.

use loadline_record::signals::{SignalKind, SignalSeries, Signals};

use super::super::finding::EvidenceGrade;
use super::super::input::share;

/// Memory in use when the process ended, as a share of the most it may use.
const FULL_SHARE_MIN: f64 = 0.9;
/// ... and from this share on it is sure.
const BRIM_SHARE_MIN: f64 = 0.95;
/// Looks so long before the end tell, s.
const LOOKED_AT_SECONDS: f64 = 5.0;

/// How sure it is that memory had run out in the last seconds before `second` of the run; `None` where it had not, or
/// is not seen.
pub(super) fn had_run_out(signals: &Signals, second: f64) -> Option<EvidenceGrade> {
    let used = used_before(signals, second)?;
    match used {
        used if used >= BRIM_SHARE_MIN => Some(EvidenceGrade::A),
        used if used >= FULL_SHARE_MIN => Some(EvidenceGrade::B),
        _ => None,
    }
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
    let seconds = |at_ms: u64| f64::from(u32::try_from(at_ms).unwrap_or(u32::MAX)) / 1000.0;
    let is_before = |at_ms| {
        let before = second - seconds(at_ms);
        (0.0..=LOOKED_AT_SECONDS).contains(&before)
    };
    let mut points = series.points().iter();
    let last = points.rfind(|point| is_before(point.at_ms));
    last.map(|point| point.value)
}
