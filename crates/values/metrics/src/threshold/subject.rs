//! What a threshold is about.

use crate::builtin;
use crate::censored::Censored;
use crate::kind::{Kind, MetricId};
use crate::merger::Totals;
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
}

impl Subject {
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
