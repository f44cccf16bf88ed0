//! What a threshold is about.

use crate::builtin;
use crate::censored::Censored;
use crate::histogram::Histogram;
use crate::kind::{Kind, MetricId, Origin, ValueType};
use crate::merger::{Merger, SeriesValue, Totals, Window};
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
    /// What its numbers are.
    pub contains: ValueType,
    /// Who brought it into the run.
    pub origin: Origin,
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
        if !self.is_of_planned() {
            return None;
        }
        let trend = |id| of_trend(totals.metric(id)).cloned().unwrap_or_default();
        let failed = self
            .failed
            .and_then(|part| of_trend(totals.submetric(part)));
        Some(planned_answers(trend, failed.cloned().unwrap_or_default()))
    }

    /// The times that a second adds to a trend, what came too late for its own second included;
    /// what is no planned start has no misses.
    #[must_use]
    pub fn gained(&self, second: &Window, merger: &Merger) -> PlannedAnswers {
        let sum = |is: &dyn Fn(&SeriesValue) -> bool| {
            let mut sum = Histogram::new();
            let late = second.late.iter().flat_map(|part| &part.series);
            for gain in second.series.iter().chain(late).filter(|gain| is(gain)) {
                if let MetricValue::Trend(trend) = &gain.value {
                    sum.merge(trend);
                }
            }
            sum
        };
        if !self.is_of_planned() {
            return PlannedAnswers {
                well: sum(&|gain| self.has(gain, merger)),
                ..PlannedAnswers::default()
            };
        }
        let failed = |part| sum(&|gain| merger.series(gain.series).submetrics.contains(&part));
        let failed = self.failed.map(failed).unwrap_or_default();
        planned_answers(|id| sum(&|gain| gain.metric == id), failed)
    }

    /// Whether it is what became of the planned starts.
    pub(super) fn is_of_planned(&self) -> bool {
        self.metric == builtin::PLANNED_LATENCY && self.submetric.is_none()
    }

    /// Whether samples of a series are among the subject's.
    pub(super) fn has(&self, gain: &SeriesValue, merger: &Merger) -> bool {
        match self.submetric {
            _ if gain.metric != self.metric => false,
            None => true,
            Some(part) => merger.series(gain.series).submetrics.contains(&part),
        }
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
fn planned_answers(trend: impl Fn(MetricId) -> Histogram, failed: Histogram) -> PlannedAnswers {
    let all = trend(builtin::INTENDED_LATENCY);
    if !all.is_empty() {
        let lost = trend(builtin::INTENDED_LATENCY_CENSORED);
        let failed = trend(builtin::INTENDED_LATENCY_FAILED);
        return PlannedAnswers {
            well: all.without(&lost).without(&failed),
            failed: failed.count(),
            lost: lost.count(),
        };
    }
    PlannedAnswers {
        well: trend(builtin::HTTP_REQ_DURATION).without(&failed),
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
