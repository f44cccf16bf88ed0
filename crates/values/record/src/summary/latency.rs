//! How long requests took, those that were cut included.

use loadline_metrics::{Censored, Histogram, MetricValue, ValueBounds};

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

impl Summary {
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

    /// The latency that the run is told with: as long as those waited who sent the requests.
    #[must_use]
    pub fn waited(&self) -> Option<Censored> {
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
