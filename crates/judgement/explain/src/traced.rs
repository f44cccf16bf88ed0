//! What the traces of a run say of one request.

use loadline_record::signals::{Entity, Label, SignalKind};

use super::input::share;
use super::view::RunView;

/// As many of the slowest.
const SLOW_REQUESTS_MIN: f64 = 5.0;
/// Traced requests below which they are not used.
const TRACED_REQUESTS_MIN: f64 = 30.0;

/// What traces say of a request, s.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct TracedView {
    /// Traced requests in the part that is looked at.
    pub(super) count: f64,
    pub(super) all: f64,
    pub(super) pool: f64,
    pub(super) sql: f64,
    pub(super) outside: f64,
    /// Of the outside calls: while a connection was held.
    pub(super) held: f64,
    pub(super) message: f64,
    pub(super) own: f64,
}

impl TracedView {
    /// Of all traced requests, or of the slowest.
    pub(super) fn new(view: &RunView<'_>, is_slowest: bool) -> Option<Self> {
        let of = if is_slowest {
            Entity::new().with(Label::Band, "tail")
        } else {
            Entity::new()
        };
        let (from, to) = view.window();
        let rate = view.rate(SignalKind::TracedRequests, &of)?;
        let count = rate * (to - from);
        let enough = if is_slowest {
            SLOW_REQUESTS_MIN
        } else {
            TRACED_REQUESTS_MIN
        };
        let each = |kind| view.rate(kind, &of).map_or(0.0, |time| share(time, rate));
        (count >= enough).then(|| Self {
            count,
            all: each(SignalKind::TracedTime),
            pool: each(SignalKind::TracedPoolTime),
            sql: each(SignalKind::TracedDatabaseTime),
            outside: each(SignalKind::TracedOutsideTime),
            held: each(SignalKind::TracedHeldTime),
            message: each(SignalKind::TracedMessageTime),
            own: each(SignalKind::TracedOwnTime),
        })
    }
}

/// How much a traced second stands for: a share of the requests is traced.
pub(super) fn per_traced(view: &RunView<'_>) -> Option<f64> {
    let traced = view.rate(SignalKind::TracedRequests, &Entity::new())?;
    (traced > 0.0).then(|| view.callers.ended / traced)
}
