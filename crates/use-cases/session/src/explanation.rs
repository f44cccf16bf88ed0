//! A stored run made ready to be explained.
//!
//! Elsewhere: the rules (crate `explain`), how it reads (`report::explanation`).

use std::collections::BTreeMap;

use loadline_analysis::compare::ComparedRun;
use loadline_explain::{CallerTimes, ExplainedEndpoint, ExplainedLoad, ExplainedRun};
use loadline_metrics::{Bucket, Histogram, MetricValue};
use loadline_record::Summary;
use loadline_store::{RunRow, ScenarioInfo, Store, StoreError, StoredRun};

use crate::full_windows::Gathered;

/// The most endpoints that are looked at one by one.
const ENDPOINTS_MAX: usize = 20;

/// Reads what is known of a run: what its callers saw, and the signals of its target.
///
/// # Errors
/// The store cannot be read.
pub fn read(store: &Store, row: RunRow) -> Result<ExplainedRun, StoreError> {
    let run = store.read(row)?;
    let mut gathered = Gathered::new(&run);
    store.windows(&run.row, |window| gathered.add(&run, &window))?;
    let from_ms = gathered.first * 1000;
    let of_each = gathered.durations_by_name();
    let (callers, by_name) = gathered.finish();
    let summary = run.summary();
    let generator = &summary.run.generator;
    Ok(ExplainedRun {
        from_ms,
        windows: callers.windows,
        load: load(&run, &summary),
        times: times(&summary),
        generator_limits: generator.limits(summary.run.duration),
        alike: (by_name.len() == 1).then(|| durations(&summary)).flatten(),
        statuses: callers.answers.statuses,
        endpoints: endpoints(&by_name, of_each),
        signals: store.signals(&run.row)?.unwrap_or_default(),
    })
}

/// Each endpoint, where there are several: the most frequent ones.
fn endpoints(
    by_name: &BTreeMap<String, ComparedRun>,
    mut durations: BTreeMap<String, Histogram>,
) -> Vec<ExplainedEndpoint> {
    if by_name.len() < 2 {
        return Vec::new();
    }
    let mut all: Vec<ExplainedEndpoint> = by_name
        .iter()
        .map(|(name, run)| ExplainedEndpoint {
            name: name.clone(),
            all: durations.remove(name).unwrap_or_default(),
            windows: run.windows.clone(),
        })
        .collect();
    all.sort_by_key(|endpoint| std::cmp::Reverse(endpoint.all.count()));
    all.truncate(ENDPOINTS_MAX);
    all
}

fn load(run: &StoredRun, summary: &Summary) -> ExplainedLoad {
    let ended = &summary.run;
    // A search sets its rate while it runs: it has no planned starts, but spaces them.
    let is_planned = |scenario: &ScenarioInfo| scenario.starts.is_some();
    let is_open = ended.arrivals.is_some() || run.about.scenarios.iter().any(is_planned);
    #[expect(clippy::cast_precision_loss, reason = "users far below 2^53")]
    let users = ended.most_vus as f64;
    ExplainedLoad {
        is_open,
        users,
        iteration_ms: mean(summary, "iteration_duration").unwrap_or(0.0),
        drops: ended.generator.drops,
    }
}

fn times(summary: &Summary) -> Option<CallerTimes> {
    let connecting = trend(summary, "http_req_connecting")?;
    let buckets = connecting.buckets().into_iter();
    let kept = buckets.filter(|(bucket, _)| *bucket == Bucket::ZERO);
    let kept: u64 = kept.map(|(_, count)| count).sum();
    let number = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    Some(CallerTimes {
        connecting: connecting.mean()?,
        opened: number(connecting.count() - kept),
        requests: number(connecting.count()),
        waiting: mean(summary, "http_req_waiting")?,
        receiving: mean(summary, "http_req_receiving")?,
    })
}

/// How long all requests took.
fn durations(summary: &Summary) -> Option<Histogram> {
    trend(summary, "http_req_duration").cloned()
}

/// The mean of a trend.
fn mean(summary: &Summary, name: &str) -> Option<f64> {
    trend(summary, name)?.mean()
}

fn trend<'a>(summary: &'a Summary, name: &str) -> Option<&'a Histogram> {
    match &summary.metric(name)?.value {
        MetricValue::Trend(trend) => Some(trend),
        _ => None,
    }
}
