//! What pages are drawn from: the JSON of a run and of a comparison, against the record.

use loadline_analysis::compare::{Comparison, ComparisonSettings, Finding, Measure};
use loadline_metrics::MetricValue;
use loadline_record::Summary;
use loadline_report::comparison::ComparisonFacts;
use loadline_report::comparison::file::ComparisonFile;
use loadline_report::url;
use serde_json::Value;

/// Numbers are written as they are; reading them again may cost their last digit.
const SAME_SHARE_MAX: f64 = 1e-12;

fn is_same(found: &Value, expected: f64) -> bool {
    let found = found.as_f64().unwrap_or(f64::NAN);
    (found - expected).abs() <= SAME_SHARE_MAX * expected.abs()
}

/// What in the data of a run is not what the run measured.
pub(crate) fn wrong_of_run(summary: &Summary) -> Vec<String> {
    let data: Value = serde_json::from_str(&url::export(summary)).unwrap();
    let (met, all) = summary.goals();
    let (failed, requests) = summary.failed_requests();
    let mut checks = vec![
        ("verdict", data["verdict"] == summary.verdict().word()),
        ("goals met", data["goals"]["met"] == met),
        ("goals", data["goals"]["all"] == all),
        (
            "requests",
            is_same(&data["metrics"]["http_reqs"]["count"], requests as f64),
        ),
        (
            "failed",
            data["metrics"]["http_req_failed"]["passes"] == failed,
        ),
        (
            "shortfalls",
            data["shortfalls"].as_array().map(Vec::len) == Some(summary.shortfalls().len()),
        ),
    ];
    if let Some(MetricValue::Trend(took)) = summary
        .metric("http_req_duration")
        .map(|metric| &metric.value)
    {
        let shown = &data["metrics"]["http_req_duration"];
        let at = |share| took.percentile(share).unwrap();
        checks.extend([
            ("mean", is_same(&shown["avg"], took.mean().unwrap())),
            ("median", is_same(&shown["med"], at(0.5))),
            ("p95", is_same(&shown["p(95)"], at(0.95))),
            ("p99", is_same(&shown["p(99)"], at(0.99))),
        ]);
    }
    if let Some(starts) = summary.planned_answers() {
        checks.extend([
            ("starts", data["planned"]["starts"] == starts.planned()),
            (
                "answered well",
                data["planned"]["answered_well"] == starts.well.count(),
            ),
            ("misses", data["planned"]["failed"] == starts.failed),
            ("lost", data["planned"]["cut_or_never_sent"] == starts.lost),
        ]);
    }
    named_where_wrong(&checks)
}

fn named_where_wrong(checks: &[(&str, bool)]) -> Vec<String> {
    let wrong = checks.iter().filter(|(_, is_right)| !is_right);
    wrong.map(|(name, _)| (*name).to_owned()).collect()
}

/// The same of a comparison: values, changes, and which way they go.
pub(crate) fn wrong_of_comparison(comparison: &Comparison) -> Vec<String> {
    let file = ComparisonFile::new(
        comparison,
        &ComparisonFacts::default(),
        &ComparisonSettings::default(),
        None,
    );
    let data: Value = serde_json::from_str(&file.to_json()).unwrap();
    let mut wrong = named_where_wrong(&[
        ("runs before", data["before"]["runs"] == comparison.runs.0),
        ("runs after", data["after"]["runs"] == comparison.runs.1),
        (
            "requests",
            is_same(&data["after"]["requests"], comparison.requests.1),
        ),
    ]);
    for (place, difference) in comparison.whole.differences.iter().enumerate() {
        let shown = &data["all"]["differences"][place];
        let (before, after) = (difference.before.unwrap(), difference.after.unwrap());
        let is_better = (after > before) == (difference.measure == Measure::Rate);
        let direction = match difference.finding {
            Finding::Better | Finding::Worse => Some(if is_better { "better" } else { "worse" }),
            _ => None,
        };
        let is_directed = direction.is_none_or(|word| shown["finding"]["kind"] == word);
        if !is_same(&shown["before"], before) || !is_same(&shown["after"], after) || !is_directed {
            wrong.push(format!("{:?}: {shown}", difference.measure));
        }
    }
    wrong
}
