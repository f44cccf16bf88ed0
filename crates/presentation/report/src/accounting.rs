//! The lines about a run's accounting.

use loadline_metrics::MetricValue;
use loadline_record::{Gap, GapSubject, RequestAccount, Summary};
use loadline_text::{Catalog, Message, grouped, messages, millis};

/// What is not accounted for; `None` if everything is.
#[must_use]
pub fn gaps(gaps: &[Gap], catalog: &Catalog) -> Option<String> {
    if gaps.is_empty() {
        return None;
    }
    let each = gaps.iter().map(|gap| catalog.text(&message(gap)));
    let all = each.collect::<Vec<_>>().join(", ");
    Some(catalog.text(&messages::accounting_gaps(all)))
}

fn message(gap: &Gap) -> Message {
    let [begun, accounted] = [gap.begun, gap.accounted].map(|n| grouped(n as f64, 0));
    match gap.of {
        GapSubject::Requests => messages::gap_requests(begun, accounted),
        GapSubject::Iterations => messages::gap_iterations(begun, accounted),
        GapSubject::Starts => messages::gap_starts(begun, accounted),
        GapSubject::MeasuredRequests => messages::gap_measured(begun, accounted),
        GapSubject::MeasuredCuts => messages::gap_measured_cut(begun, accounted),
    }
}

/// What a test's own summary does not contain: requests that were interrupted or sent again,
/// one line each.
#[must_use]
pub fn lines(summary: &Summary, catalog: &Catalog) -> Vec<String> {
    let Some(all) = summary.run.accounting else {
        return Vec::new();
    };
    let count = |n: u64| grouped(n as f64, 0);
    let mut said = Vec::new();
    let (ramped_down, at_end) = cut_by_cause(&all.requests);
    let sent = count(all.requests.sent);
    if ramped_down > 0 {
        let cut = count(ramped_down);
        said.push(messages::accounting_ramped_down(cut, sent.clone()));
    }
    if at_end > 0 {
        let oldest = oldest(summary).map_or_else(|| "–".to_owned(), millis);
        said.push(messages::accounting_cut(count(at_end), sent, oldest));
    }
    if all.iterations.interrupted > 0 {
        let (cut, all) = (
            count(all.iterations.interrupted),
            count(all.iterations.started),
        );
        said.push(messages::accounting_interrupted(cut, all));
    }
    if all.requests.resent > 0 {
        said.push(messages::accounting_resent(count(all.requests.resent)));
    }
    said.extend(lower_bounds(summary));
    said.extend(without_samples(summary));
    said.iter().map(|message| catalog.text(message)).collect()
}

/// Requests that were cut: by the test's own ramp-down, and at the end.
pub(crate) fn cut_by_cause(requests: &RequestAccount) -> (u64, u64) {
    let ramped_down = requests.ramped_down.min(requests.cut);
    (ramped_down, requests.cut - ramped_down)
}

/// How long the oldest request had waited when it was cut, ms.
pub(crate) fn oldest(summary: &Summary) -> Option<f64> {
    let metrics = ["http_reqs_cut", "grpc_reqs_cut", "ws_connecting_cut"];
    let ages = metrics
        .iter()
        .filter_map(|name| match &summary.metric(name)?.value {
            MetricValue::Trend(ages) => ages.max(),
            _ => None,
        });
    ages.reduce(f64::max)
}

/// A dialect's own summary has no sign for a lower bound: a start that was dropped at once
/// would look like the fastest of all.
fn lower_bounds(summary: &Summary) -> Option<Message> {
    let count = |name: &str| match &summary.metric(name)?.value {
        MetricValue::Trend(trend) => Some(trend.count()).filter(|count| *count > 0),
        _ => None,
    };
    let (all, open) = (
        count("intended_latency")?,
        count("intended_latency_censored")?,
    );
    let [all, open] = [all, open].map(|n| grouped(n as f64, 0));
    Some(messages::accounting_lower_bounds(open, all))
}

/// Names the thresholds on metrics without samples.
#[must_use]
pub fn without_samples(summary: &Summary) -> Option<Message> {
    let empty = summary.metrics_without_samples();
    let names: Vec<&str> = empty.map(|metric| metric.name.as_str()).collect();
    (!names.is_empty()).then(|| messages::thresholds_without_samples(names.join(", ")))
}

#[cfg(test)]
mod tests;
