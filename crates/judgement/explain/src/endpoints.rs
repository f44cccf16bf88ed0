//! Each kind of request of a run apart: one endpoint may be slow where all together look well.

use super::input::CallerView;
use super::view::RunView;

/// An endpoint of which so few requests ended in the busy part tells nothing.
const REQUESTS_MIN: u64 = 20;

/// What callers saw of one endpoint in the busy part.
#[derive(Debug, Clone, PartialEq)]
pub struct EndpointTimes {
    /// Its method and its name, else its URL.
    pub name: String,
    /// Requests answered well per second.
    pub answered: f64,
    /// The share of requests that failed.
    pub failed: f64,
    /// The share of requests that were cut.
    pub cut: f64,
    /// The fastest of the run that was answered well, ms; `None` where none was.
    pub fastest_ms: Option<f64>,
    /// Their mean time, ms.
    pub mean_ms: f64,
    /// Their 95th percentile, ms.
    pub p95_ms: f64,
}

/// All that have enough requests, those that callers wait for most first.
pub(super) fn endpoints(view: &RunView<'_>) -> Vec<EndpointTimes> {
    let all = view.run.endpoints.iter().filter_map(|endpoint| {
        let busy = CallerView::from_windows(endpoint.windows.get(view.busy_windows())?);
        (busy.durations.count() >= REQUESTS_MIN).then(|| EndpointTimes {
            name: endpoint.name.clone(),
            answered: busy.answered,
            failed: busy.failed,
            cut: busy.cut,
            fastest_ms: endpoint.fastest_good_ms,
            mean_ms: busy.good.mean().unwrap_or(0.0),
            p95_ms: busy.good.percentile(0.95).unwrap_or(0.0),
        })
    });
    let mut all: Vec<EndpointTimes> = all.collect();
    let waits = |one: &EndpointTimes| one.answered * one.mean_ms;
    all.sort_by(|a, b| waits(b).total_cmp(&waits(a)));
    all
}
