//! The numbers of a trial's run, in the goal's own measure.

use loadline_analysis::slo::{NOT_REACHED, Statistic};
use loadline_analysis::tuning::goal::Objective;
use loadline_metrics::MetricValue;
use loadline_record::Summary;

/// Requests of a run.
pub(super) fn requests(summary: &Summary) -> f64 {
    match summary.metric("http_reqs").map(|metric| &metric.value) {
        Some(MetricValue::Counter(Some(sum))) => sum.value(),
        _ => 0.0,
    }
}

/// The numbers of a run, without the seconds that our own delays touched where there were such.
pub(super) struct Values<'a> {
    summary: &'a Summary,
    /// What its rate is of. Starts that are planned come in whatever second: a few seconds of them are a smaller sample of the
    /// same. Users in loops send less while we are late.
    rated: &'a Summary,
    pub(super) requests: f64,
    pub(super) failed: f64,
}

impl<'a> Values<'a> {
    /// Of a run and, where there is one, of what is left of it.
    pub(super) fn new(whole: &'a Summary, rest: Option<&'a Summary>, is_planned: bool) -> Self {
        let summary = rest.unwrap_or(whole);
        Self {
            summary,
            rated: if is_planned { whole } else { summary },
            requests: requests(summary),
            failed: summary.failed as f64,
        }
    }

    /// Successful requests per second.
    pub(super) fn rate(&self) -> f64 {
        let seconds = self.rated.run.duration.as_secs_f64();
        if seconds > 0.0 {
            (requests(self.rated) - self.rated.failed as f64).max(0.0) / seconds
        } else {
            0.0
        }
    }

    pub(super) fn errors(&self) -> f64 {
        if self.requests > 0.0 {
            self.failed / self.requests
        } else {
            0.0
        }
    }

    pub(super) fn of_objective(&self, objective: Objective) -> Option<f64> {
        let statistic = match objective {
            Objective::Throughput => return Some(self.rate()),
            Objective::Statistic(statistic) => statistic,
        };
        let Some(starts) = self.summary.planned_answers() else {
            // Which requests failed is not known: times are of all together.
            return self.of_all(statistic);
        };
        // A start that failed, was cut or never sent misses any time.
        let reached = match statistic {
            Statistic::Percentile(percentile) => starts.percentile(percentile / 100.0),
            Statistic::Mean => starts.mean(),
            Statistic::Max => starts.max(),
            Statistic::Errors | Statistic::Checks => return self.of_all(statistic),
        };
        (starts.planned() > 0).then(|| reached.unwrap_or(NOT_REACHED))
    }

    /// A share, or a time of good and failed answers together.
    fn of_all(&self, statistic: Statistic) -> Option<f64> {
        let waited = self.summary.waited();
        let bounds = match statistic {
            Statistic::Percentile(percentile) => waited?.percentile(percentile / 100.0),
            Statistic::Mean => waited?.mean(),
            Statistic::Max => waited?.percentile(1.0),
            Statistic::Errors => return Some(self.errors()),
            Statistic::Checks => {
                let checks = &self.summary.checks;
                let (passes, fails) = checks.iter().fold((0, 0), |(passes, fails), check| {
                    (passes + check.passes, fails + check.fails)
                });
                let all = passes + fails;
                return (all > 0).then(|| passes as f64 / all as f64);
            }
        };
        bounds.map(|bounds| bounds.at_least)
    }

    /// The 95th percentile of the good answers, ms.
    pub(super) fn p95_ms(&self) -> Option<f64> {
        let p95 = self.summary.waited()?.percentile(0.95)?;
        Some(p95.at_least)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use loadline_metrics::threshold::Thresholds;
    use loadline_metrics::{Merger, Registry, Shard, Submetrics, TagSetId, builtin};
    use loadline_record::Run;
    use loadline_units::WorkerId;

    use super::*;

    fn answered(requests: u32, seconds: u64) -> Summary {
        let registry = Arc::new(Registry::new());
        let mut parts = Submetrics::default();
        let thresholds = Thresholds::compile(&[], &registry, &mut parts).unwrap();
        let mut shard = Shard::new(WorkerId(0), registry.clone());
        for _ in 0..requests {
            shard.record(builtin::HTTP_REQS, TagSetId::EMPTY, 1.0);
        }
        let mut merger = Merger::new(1, registry.clone(), parts);
        merger.absorb(shard.take_window(0));
        merger.next_ready().unwrap();
        let run = Run::finished(Duration::from_secs(seconds));
        Summary::new(&merger, &registry, &thresholds, run)
    }

    /// Seen: 12.5/s at --rate 10/s and 4.00/s of a run of 7.11/s, of the second or two that our own delays did not touch.
    #[test]
    fn the_rate_of_planned_starts_is_that_of_all_of_the_run() {
        let (whole, rest) = (answered(60, 6), answered(25, 2));
        let rate = |is_planned| Values::new(&whole, Some(&rest), is_planned).rate();
        assert!((rate(true) - 10.0).abs() < 1e-9);
        assert!((rate(false) - 12.5).abs() < 1e-9);
    }
}
