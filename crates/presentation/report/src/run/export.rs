//! A run's report as numbers for programs: what `report --format json` writes.
//!
//! Members may be added within a version. Of endpoints, groups and windows `durations_ms` is of good
//! and failed requests together, `good_ms` and `failed_ms` of each apart; null where that is not known. Times are in milliseconds, rates per second, shares
//! from 0 to 1, `at_s` seconds since load began.

use loadline_metrics::Histogram;
use serde_json::{Value, json};

use super::{EndpointFigures, ReportedRun, RunProgress};

/// The version written.
pub const REPORT_VERSION: u32 = 1;

/// The run's numbers.
#[must_use]
pub fn json(run: &ReportedRun) -> Value {
    let tested = &run.tested;
    let summary: Value =
        serde_json::from_str(&crate::url::export(&run.summary)).unwrap_or_default();
    json!({
        "loadline_report": REPORT_VERSION,
        "run": tested.name,
        "test": tested.test,
        "kind": tested.kind,
        "hash": tested.hash,
        "started_ms": tested.started_ms,
        "seconds": run.summary.run.duration.as_secs_f64(),
        "vus": run.summary.run.most_vus,
        "note": tested.note,
        "tags": tested.tags,
        "settings": tested.settings,
        "version": tested.version,
        "target": tested.target,
        "progress": match run.progress {
            RunProgress::Running => "running",
            RunProgress::CutOff => "cut-off",
            RunProgress::Ended => "ended",
        },
        "summary": summary,
        "thresholds": thresholds(run),
        "answers": run.summary.run.answers,
        "endpoints": figures(&run.endpoints),
        "groups": figures(&run.groups),
        "failures": run.failures.iter().map(|one| json!({
            "what": one.what,
            "count": one.count,
            "first_s": one.first,
            "last_s": one.last,
        })).collect::<Vec<_>>(),
        "timeline": {
            "step_s": run.timeline.step,
            "windows": run.timeline.windows.iter().map(|window| json!({
                "at_s": window.at,
                "covered_s": window.covered,
                "requests": window.requests,
                "failed": window.failed,
                "planned": window.planned,
                "dropped": window.dropped,
                "vus": window.vus,
                "durations_ms": times(&joined(&window.durations, Some(&window.failed_durations))),
                "good_ms": times(&window.durations),
                "failed_ms": times(&window.failed_durations),
                "intended_ms": times(&window.intended),
            })).collect::<Vec<_>>(),
        },
        "events": run.events.iter().map(|event| json!({
            "at_s": event.at,
            "kind": event.kind,
            "detail": event.detail,
        })).collect::<Vec<_>>(),
    })
}

fn figures(of: &[EndpointFigures]) -> Vec<Value> {
    of.iter()
        .map(|one| {
            json!({
                "name": one.name,
                "requests": one.requests,
                "failed": one.failed,
                "durations_ms": times(&joined(&one.durations, one.failed_durations.as_ref())),
                "good_ms": one.failed_durations.as_ref().map(|_| times(&one.durations)),
                "failed_ms": one.failed_durations.as_ref().map(times),
            })
        })
        .collect()
}

fn thresholds(run: &ReportedRun) -> Vec<Value> {
    let metrics = run.summary.metrics.iter();
    let pairs = metrics.flat_map(|metric| metric.thresholds.iter().map(move |t| (metric, t)));
    pairs
        .map(|(metric, threshold)| {
            json!({
                "metric": metric.name,
                "condition": threshold.source,
                "ok": threshold.ok,
                "observed": threshold.observed,
            })
        })
        .collect()
}

/// Good and failed requests together.
fn joined(good: &Histogram, failed: Option<&Histogram>) -> Histogram {
    let mut all = good.clone();
    if let Some(failed) = failed {
        all.merge(failed);
    }
    all
}

fn times(of: &Histogram) -> Value {
    if of.is_empty() {
        return Value::Null;
    }
    json!({
        "mean": of.mean(),
        "p50": of.percentile(0.5),
        "p95": of.percentile(0.95),
        "p99": of.percentile(0.99),
        "max": of.max(),
    })
}
