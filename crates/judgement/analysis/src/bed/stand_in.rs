//! A stand-in proposed for a weak outside server.

use super::PartMeasurement;

/// Answers that differ by less between median and 95th percentile all take the same time.
const SPREAD_MIN: f64 = 1.05;
/// The shortest latency written, ms.
const LATENCY_MS_MIN: f64 = 0.01;

/// How a stand-in answers, and whether it was strong enough when it was tried.
#[derive(Debug, Clone, PartialEq)]
pub struct StandIn {
    /// The server it stands in for.
    pub url: String,
    /// The path of its route.
    pub path: String,
    /// Where it listens: `host:port`.
    pub address: String,
    /// The distribution of its latencies, as `mock` reads it.
    pub latency: String,
    /// The number of answers that this was taken from.
    pub answers: f64,
    /// The rate it is to carry.
    pub planned: f64,
    /// What it answered at that rate here; none where it was not tried.
    pub tried: Option<PartMeasurement>,
    /// Whether that was enough.
    pub holds: Option<bool>,
}

impl StandIn {
    /// Latencies with the median and 95th percentile of what was measured at a low rate; `None`
    /// where nothing was answered.
    #[must_use]
    pub fn latency_of(low: &PartMeasurement) -> Option<String> {
        let median = low.p50_ms?.max(LATENCY_MS_MIN);
        let p95 = low.p95_ms?.max(median);
        Some(if p95 < median * SPREAD_MIN {
            written(median)
        } else {
            format!("lognormal {} p95 {}", written(median), written(p95))
        })
    }

    /// The command that starts it.
    #[must_use]
    pub fn command(&self) -> String {
        let latency = if self.latency.contains(' ') {
            format!("'{}'", self.latency)
        } else {
            self.latency.clone()
        };
        format!(
            "loadline mock --latency {latency} --address {}",
            self.address
        )
    }
}

fn written(ms: f64) -> String {
    let digits = match ms {
        ms if ms >= 100.0 => 0,
        ms if ms >= 1.0 => 1,
        _ => 2,
    };
    format!("{ms:.digits$}ms")
}
