//! What the traces of a run say of one request.

use loadline_record::signals::{Entity, Label, SignalKind};

use super::input::share;
use super::view::RunView;

/// As many of the slowest.
const SLOW_REQUESTS_MIN: f64 = 5.0;
/// A span that takes so many times as long as its statement, and so much longer, s, began with a wait.
const SPAN_FACTOR_MIN: f64 = 2.0;
const SPAN_WAIT_SECONDS_MIN: f64 = 0.02;
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

impl TracedView {
    /// A client's span of a statement that takes much longer than the database counts for it holds the wait for a
    /// connection, too. `counted` is the database's time of a request, s.
    pub(super) fn told_by_database(mut self, counted: Option<f64>) -> Self {
        let waits = |counted: &f64| {
            self.sql >= SPAN_FACTOR_MIN * counted && self.sql - counted >= SPAN_WAIT_SECONDS_MIN
        };
        if let Some(counted) = counted.filter(waits).filter(|_| self.pool <= 0.0) {
            self.pool = self.sql - counted;
            self.sql = counted;
        }
        self
    }
}

/// How much a traced second stands for: a share of the requests is traced.
pub(super) fn per_traced(view: &RunView<'_>) -> Option<f64> {
    let traced = view.rate(SignalKind::TracedRequests, &Entity::new())?;
    (traced > 0.0).then(|| view.callers.ended / traced)
}
