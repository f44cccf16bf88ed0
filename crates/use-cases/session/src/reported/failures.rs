//! Failed requests by what failed, with when it was seen first and last.

use std::collections::BTreeMap;

use loadline_metrics::MetricValue;
use loadline_record::Summary;
use loadline_report::run::FailureSpan;
use loadline_store::{SeriesDef, StoredWindow};

use super::is_failure;
use crate::endpoint_names::tag;
use crate::failed_requests::{UNMARKED, is_unmarked};

/// Texts of answers that are told with a status.
const ANSWER_TEXTS_MAX: usize = 3;

/// Failures so far.
#[derive(Default)]
pub(super) struct Failures {
    spans: BTreeMap<(String, String), FailureSpan>,
}

impl Failures {
    /// Adds a window's failures; load began at `begins`.
    pub(super) fn add(&mut self, series: &[SeriesDef], window: &StoredWindow, begins: f64) {
        for (id, value) in &window.gains {
            let def = series.get(*id as usize);
            let Some((def, failed)) = def.and_then(|def| Some((def, failed(def, value)?))) else {
                continue;
            };
            let of = |key| tag(def, key).unwrap_or_default().to_owned();
            let at = (window.first as f64 - begins).max(0.0);
            let key = (of("status"), of("error_code"));
            let span = self.spans.entry(key).or_insert_with(|| FailureSpan {
                what: match def.metric.as_str() {
                    UNMARKED => UNMARKED.to_owned(),
                    _ => of("error"),
                },
                first: at,
                ..FailureSpan::default()
            });
            span.count += failed;
            span.first = span.first.min(at);
            span.last = span.last.max(at);
        }
    }

    /// The most frequent first, with what the answers said.
    pub(super) fn list(&self, summary: &Summary) -> Vec<FailureSpan> {
        let named = self.spans.iter().map(|((status, code), span)| FailureSpan {
            what: what(status, code, &span.what, summary),
            ..span.clone()
        });
        let mut all: Vec<FailureSpan> = named.collect();
        all.sort_by(|a, b| b.count.total_cmp(&a.count).then(a.what.cmp(&b.what)));
        all
    }
}

/// Requests of a series that failed in a window; `None` without any.
fn failed(def: &SeriesDef, value: &MetricValue) -> Option<f64> {
    let count = match (def.metric.as_str(), value) {
        ("http_reqs", MetricValue::Counter(Some(sum))) if is_failure(def) => sum.value(),
        (UNMARKED, MetricValue::Rate(rate))
            if is_unmarked(tag(def, "expected_response"), tag(def, "status")) =>
        {
            rate.trues as f64
        }
        _ => return None,
    };
    (count > 0.0).then_some(count)
}

fn what(status: &str, code: &str, error: &str, summary: &Summary) -> String {
    if status.is_empty() || status == "0" {
        let known = summary.errors.iter().find(|known| known.code == code);
        let text = known.map_or(error, |known| known.text.as_str());
        return if code.is_empty() {
            text.to_owned()
        } else {
            format!("{text} [{code}]")
        };
    }
    let answers = summary.answers.iter();
    let of_status = answers.filter(|answer| answer.status.to_string() == status);
    let texts: Vec<&str> = of_status
        .map(|answer| answer.text.as_str())
        .take(ANSWER_TEXTS_MAX)
        .collect();
    format!("{status} {}", texts.join(" / "))
        .trim_end()
        .to_owned()
}
