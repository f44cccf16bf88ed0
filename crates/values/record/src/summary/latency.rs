//! How long requests took, those that were cut included.

use loadline_metrics::{Censored, Histogram, MetricValue, PlannedAnswers, ValueBounds};

use super::Summary;
use crate::run::LatencyStart;

/// Which figures of latency are only lower bounds, because requests were cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct LowerBounds {
    /// The mean.
    pub mean: bool,
    /// The 95th percentile.
    pub p95: bool,
}

/// How long requests took, good and failed ones apart.
#[derive(Debug, Clone)]
pub struct SplitLatency {
    /// Those answered well; requests that were cut and starts that never were are among them, as
    /// at least as long as they waited.
    pub good: Censored,
    /// Those answered with a failure, or with nothing.
    pub failed: Censored,
}

impl SplitLatency {
    /// Some failed, so that there is something to tell apart.
    fn from_all(all: &Histogram, lower_bounds: &Histogram, failed: &Histogram) -> Option<Self> {
        (!failed.is_empty()).then(|| Self {
            good: Censored::within(&all.without(failed), lower_bounds),
            failed: Censored::joining(failed, &Histogram::new()),
        })
    }
}

impl Summary {
    /// [`Summary::latency`] of good and of failed requests; `None` where none failed, or where it
    /// is not known which did.
    #[must_use]
    pub fn latency_apart(&self) -> Option<SplitLatency> {
        let failed = self.failed_latency.as_ref()?;
        let cut = self.trend("http_reqs_cut");
        let nothing = Histogram::new();
        let all = self.latency()?;
        SplitLatency::from_all(all.all(), cut.unwrap_or(&nothing), failed)
    }

    /// [`Summary::intended_latency`] likewise. Scripts do not tell of their iterations which failed,
    /// nor do records of before.
    #[must_use]
    pub fn intended_latency_apart(&self) -> Option<SplitLatency> {
        let failed = self.trend("intended_latency_failed")?;
        let nothing = Histogram::new();
        let censored = self.trend("intended_latency_censored").unwrap_or(&nothing);
        SplitLatency::from_all(self.trend("intended_latency")?, censored, failed)
    }

    /// What became of the planned starts, or of the requests of users who set the pace: what goals
    /// of latency are judged by. `None` where it is not known which failed.
    #[must_use]
    pub fn planned_answers(&self) -> Option<PlannedAnswers> {
        let nothing = Histogram::new();
        let trend = |name| self.trend(name).unwrap_or(&nothing);
        let all = trend("intended_latency");
        if self.run.latency_start == LatencyStart::Planned && !all.is_empty() {
            let lost = trend("intended_latency_censored");
            let failed = trend("intended_latency_failed");
            if failed.is_empty() && self.failed > 0 {
                return None;
            }
            return Some(PlannedAnswers {
                well: all.without(lost).without(failed),
                failed: failed.count(),
                lost: lost.count(),
            });
        }
        let failed = self.failed_latency.as_ref()?;
        Some(PlannedAnswers {
            well: trend("http_req_duration").without(failed),
            failed: failed.count(),
            lost: trend("http_reqs_cut").count(),
        })
    }

    /// Requests failed, and it is not known how long they took: times are of all together.
    #[must_use]
    pub fn is_failed_latency_unknown(&self) -> bool {
        self.failed > 0 && self.failed_latency.is_none()
    }

    /// The latency of good answers that the run is told with, where some failed: from planned
    /// starts or as they were sent, as [`Summary::waited`] is.
    #[must_use]
    pub fn waited_apart(&self) -> Option<SplitLatency> {
        match self.run.latency_start {
            LatencyStart::Sent => self.latency_apart(),
            LatencyStart::Planned if self.intended_latency().is_some() => {
                self.intended_latency_apart()
            }
            LatencyStart::Planned => self.latency_apart(),
        }
    }

    /// How long requests took from when they were sent, in ms; those that were cut took longer
    /// than their age. `None` without any.
    #[must_use]
    pub fn latency(&self) -> Option<Censored> {
        let nothing = Histogram::new();
        let (ended, cut) = (self.trend("http_req_duration"), self.trend("http_reqs_cut"));
        ended.or(cut)?;
        let (ended, cut) = (ended.unwrap_or(&nothing), cut.unwrap_or(&nothing));
        Some(Censored::joining(ended, cut))
    }

    /// How long requests took from their planned start, in ms; starts that were dropped and
    /// iterations that were cut took longer than their age. `None` without planned starts.
    #[must_use]
    pub fn intended_latency(&self) -> Option<Censored> {
        let all = self.trend("intended_latency")?;
        let nothing = Histogram::new();
        let censored = self.trend("intended_latency_censored").unwrap_or(&nothing);
        Some(Censored::within(all, censored))
    }

    /// The latency that the run is told with: as long as those waited who sent the requests, and
    /// were answered well.
    #[must_use]
    pub fn waited(&self) -> Option<Censored> {
        if let Some(apart) = self.waited_apart() {
            return Some(apart.good);
        }
        match self.run.latency_start {
            LatencyStart::Sent => self.latency(),
            LatencyStart::Planned => self.intended_latency().or_else(|| self.latency()),
        }
    }

    /// Which figures of that latency are only lower bounds.
    #[must_use]
    pub fn latency_lower_bounds(&self) -> LowerBounds {
        let latency = self.waited();
        let is_open = |of: fn(&Censored) -> Option<ValueBounds>| {
            let bounds = latency.as_ref().and_then(of);
            bounds.is_some_and(|bounds| !bounds.is_known())
        };
        LowerBounds {
            mean: is_open(Censored::mean),
            p95: is_open(|latency| latency.percentile(0.95)),
        }
    }

    fn trend(&self, name: &str) -> Option<&Histogram> {
        match &self.metric(name)?.value {
            MetricValue::Trend(trend) if !trend.is_empty() => Some(trend),
            _ => None,
        }
    }
}
