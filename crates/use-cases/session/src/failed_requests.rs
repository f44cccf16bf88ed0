//! Which requests count as failed, and those of one window by what failed.

use loadline_metrics::{Histogram, Merger, MetricValue, Window, builtin};
use loadline_record::is_failed_request;

/// k6's error code for a refused connection.
pub(crate) const REFUSED: &str = "1212";

/// What failed requests are named after whose tags say neither that they failed nor how: the metric that counts them.
pub(crate) const UNMARKED: &str = "http_req_failed";

/// Requests of one window that failed in one way.
#[derive(Debug, Clone, PartialEq)]
pub struct FailureCount {
    /// The status of the answer; `0` where none came.
    pub status: String,
    /// What went wrong, in the words of the client; empty where the status says it.
    pub error: String,
    /// k6's code of that error; empty where there is none.
    pub code: String,
    /// How many.
    pub count: f64,
}

/// The failed requests of a window; by the rule of [`is_failed_request`].
pub(crate) fn in_window(window: &Window, merger: &Merger) -> Vec<FailureCount> {
    let mut all: Vec<FailureCount> = Vec::new();
    let mut unmarked = 0.0;
    for gained in &window.series {
        let tags = merger.series(gained.series).tags;
        let tag = |key: &str| merger.tags().get(tags, key);
        let is_unmarked = gained.metric == builtin::HTTP_REQ_FAILED
            && is_unmarked(tag("expected_response"), tag("status"));
        if let (true, MetricValue::Rate(failed)) = (is_unmarked, &gained.value) {
            unmarked += failed.trues as f64;
        }
        let MetricValue::Counter(Some(sum)) = &gained.value else {
            continue;
        };
        let is_request = gained.metric == builtin::HTTP_REQS;
        if !is_request || !is_failed_request(tag("expected_response"), tag("status")) {
            continue;
        }
        let of = |key| tag(key).unwrap_or_default();
        let (status, error, count) = (of("status"), of("error"), sum.value());
        let same = |one: &&mut FailureCount| one.status == status && one.error == error;
        match all.iter_mut().find(same) {
            Some(one) => one.count += count,
            None => all.push(FailureCount {
                status: status.to_owned(),
                error: error.to_owned(),
                code: of("error_code").to_owned(),
                count,
            }),
        }
    }
    if unmarked > 0.0 {
        all.push(FailureCount {
            status: String::new(),
            error: UNMARKED.to_owned(),
            code: String::new(),
            count: unmarked,
        });
    }
    all
}

/// Whether tags leave open which requests failed: a script can leave out both that say it (`systemTags`).
pub(crate) fn is_unmarked(expected_response: Option<&str>, status: Option<&str>) -> bool {
    expected_response.or(status).is_none()
}

/// How long the failed requests of a window took, ms.
pub(crate) fn durations_in_window(window: &Window, merger: &Merger) -> Histogram {
    let mut all = Histogram::new();
    for gained in &window.series {
        let MetricValue::Trend(durations) = &gained.value else {
            continue;
        };
        let tags = merger.series(gained.series).tags;
        let tag = |key: &str| merger.tags().get(tags, key);
        let is_duration = gained.metric == builtin::HTTP_REQ_DURATION;
        if is_duration && is_failed_request(tag("expected_response"), tag("status")) {
            all.merge(durations);
        }
    }
    all
}
