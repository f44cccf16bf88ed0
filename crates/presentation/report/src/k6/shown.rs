//! A metric as numbers by name, the form all of k6's summaries start from.

use std::time::Duration;

use loadline_metrics::{GaugeValue, Kind, MetricValue, Origin, RateValue, ValueType};
use loadline_record::Metric;

use super::options::SummaryOptions;

/// A metric's numbers.
#[derive(Debug, Clone)]
pub(super) struct MetricFigures {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) contains: ValueType,
    /// By name, in k6's order.
    pub(super) values: Vec<(String, f64)>,
    pub(super) thresholds: Vec<ThresholdFigure>,
}

/// How a threshold came out.
#[derive(Debug, Clone)]
pub(super) struct ThresholdFigure {
    /// As written.
    pub(super) source: String,
    pub(super) ok: bool,
    /// Of one that each so many seconds had to meet: the value of the first that failed, or of the last.
    pub(super) of_window: Option<f64>,
}

impl MetricFigures {
    /// A metric of the record; rates are per second of `run`.
    pub(super) fn new(metric: &Metric, options: &SummaryOptions, run: Duration) -> Self {
        let thresholds = metric.thresholds.iter();
        Self {
            name: metric.name.clone(),
            kind: metric.kind,
            contains: metric.contains,
            values: values(&metric.value, options, run),
            thresholds: thresholds
                .map(|t| ThresholdFigure {
                    source: t.source.clone(),
                    ok: t.ok,
                    of_window: t.observed.filter(|_| t.is_windowed),
                })
                .collect(),
        }
    }

    /// Numbers that k6 derives from checks.
    pub(super) fn made(name: &str, kind: Kind, values: &[(&str, f64)]) -> Self {
        let named = values
            .iter()
            .map(|(key, value)| ((*key).to_owned(), *value));
        Self {
            name: name.to_owned(),
            kind,
            contains: ValueType::Default,
            values: named.collect(),
            thresholds: Vec::new(),
        }
    }

    pub(super) fn value(&self, key: &str) -> Option<f64> {
        let mut values = self.values.iter();
        values.find(|(k, _)| k == key).map(|(_, value)| *value)
    }
}

fn values(total: &MetricValue, options: &SummaryOptions, run: Duration) -> Vec<(String, f64)> {
    let named = |values: &[(&str, f64)]| {
        let owned = values
            .iter()
            .map(|(key, value)| ((*key).to_owned(), *value));
        owned.collect()
    };
    match total {
        MetricValue::Counter(sum) => {
            let sum = sum.map_or(0.0, |s| s.value());
            named(&[("count", sum), ("rate", per_second(sum, run))])
        }
        MetricValue::Gauge(gauge) => {
            let zero = || (0.0, 0.0, 0.0);
            let of = |g: &GaugeValue| (g.last, g.min, g.max);
            let (last, min, max) = gauge.as_ref().map_or_else(zero, of);
            let max = if options.gauges_from_zero {
                max.max(0.0)
            } else {
                max
            };
            named(&[("value", last), ("min", min), ("max", max)])
        }
        MetricValue::Rate(rate) => rate_values(*rate),
        MetricValue::Trend(trend) => options
            .trend_stats
            .iter()
            .map(|stat| (stat.name().to_owned(), stat.value_of(trend)))
            .collect(),
    }
}

pub(super) fn rate_values(rate: RateValue) -> Vec<(String, f64)> {
    vec![
        ("rate".to_owned(), rate.share().unwrap_or(0.0)),
        ("passes".to_owned(), rate.trues as f64),
        ("fails".to_owned(), (rate.total - rate.trues) as f64),
    ]
}

/// Zero for a run of no length.
pub(super) fn per_second(sum: f64, run: Duration) -> f64 {
    if run.is_zero() {
        0.0
    } else {
        sum / run.as_secs_f64()
    }
}

/// Whether a metric belongs in k6's summary: k6's and the script's do, and of ours those that
/// the script has thresholds on.
pub(super) fn is_shown(metric: &Metric) -> bool {
    metric.origin != Origin::Loadline || !metric.thresholds.is_empty()
}
