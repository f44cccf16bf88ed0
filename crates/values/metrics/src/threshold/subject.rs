//! What a threshold is about.

use crate::builtin;
use crate::censored::Censored;
use crate::histogram::Histogram;
use crate::kind::{Kind, MetricId};
use crate::merger::Totals;
use crate::planned_answers::PlannedAnswers;
use crate::submetric::SubmetricId;
use crate::value::MetricValue;

/// A metric or sub-metric that thresholds name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Its name as shown.
    pub name: String,
    /// The metric.
    pub metric: MetricId,
    /// The part of the metric, if not all of it.
    pub submetric: Option<SubmetricId>,
    /// What the metric is.
    pub kind: Kind,
    /// Of a part of `intended_latency`: the same part of its values that are only lower
    /// bounds.
    pub(super) censored: Option<SubmetricId>,
    /// Of planned starts: the times of requests that failed, where users set the pace.
    pub(super) failed: Option<SubmetricId>,
}

/// The part of `http_req_duration` that is the times of failed requests.
pub(super) const FAILED_REQUESTS: &str = "http_req_duration{expected_response:false}";

impl Subject {
    /// What became of the planned starts, where a condition is about them: starts at their
    /// planned times, or the requests of users who set the pace.
    #[must_use]
    pub fn planned(&self, totals: &Totals) -> Option<PlannedAnswers> {
        if self.metric != builtin::PLANNED_LATENCY || self.submetric.is_some() {
            return None;
        }
        let failed = self.failed.and_then(|part| totals.submetric(part));
        Some(planned_answers(totals, failed))
    }

    /// The subject's values, those that are only lower bounds told apart; `None` where there
    /// are none.
    pub(super) fn with_censored(&self, total: &MetricValue, totals: &Totals) -> Option<Censored> {
        if self.metric != builtin::INTENDED_LATENCY {
            return None;
        }
        let censored = match (self.submetric, self.censored) {
            (None, _) => totals.metric(builtin::INTENDED_LATENCY_CENSORED),
            (Some(_), part) => totals.submetric(part?),
        };
        match (total, censored?) {
            (MetricValue::Trend(all), MetricValue::Trend(censored)) if !censored.is_empty() => {
                Some(Censored::within(all, censored))
            }
            _ => None,
        }
    }
}

/// What became of the planned starts of a run, or of its requests where users set the pace;
/// `failed` are the times of its failed requests.
fn planned_answers(totals: &Totals, failed: Option<&MetricValue>) -> PlannedAnswers {
    let nothing = Histogram::new();
    let trend = |id| of_trend(totals.metric(id)).unwrap_or(&nothing);
    let all = trend(builtin::INTENDED_LATENCY);
    if !all.is_empty() {
        let lost = trend(builtin::INTENDED_LATENCY_CENSORED);
        let failed = trend(builtin::INTENDED_LATENCY_FAILED);
        return PlannedAnswers {
            well: all.without(lost).without(failed),
            failed: failed.count(),
            lost: lost.count(),
        };
    }
    let failed = of_trend(failed).unwrap_or(&nothing);
    PlannedAnswers {
        well: trend(builtin::HTTP_REQ_DURATION).without(failed),
        failed: failed.count(),
        lost: trend(builtin::HTTP_REQS_CUT).count(),
    }
}

fn of_trend(value: Option<&MetricValue>) -> Option<&Histogram> {
    match value {
        Some(MetricValue::Trend(trend)) => Some(trend),
        _ => None,
    }
}
