//! Latency distributions.

use std::time::Duration;

use loadline_units::parse_duration;
use serde::Deserialize;

use crate::random::normal;
use loadline_units::SharedRandom;

/// The longest latency.
const LATENCY_MAX: Duration = Duration::from_secs(3600);
/// The distance of the 95th percentile of a normal distribution from its mean, in standard
/// deviations.
const P95_DEVIATIONS: f64 = 1.644_853_627;

/// A latency distribution.
#[derive(Debug, Clone, PartialEq)]
pub enum Latency {
    /// Always the same.
    Fixed(Duration),
    /// Uniform between two times.
    Uniform(Duration, Duration),
    /// Normal with mean and standard deviation in seconds; negative values become zero.
    Normal(f64, f64),
    /// Log-normal with median and 95th percentile in seconds.
    LogNormal(f64, f64),
    /// Points (share of answers, seconds) of a recorded distribution, ascending.
    Recorded(Vec<(f64, f64)>),
}

/// A latency in a file: a text, or recorded points.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "a latency is a text such as 2s, or recorded points"
)]
pub(crate) enum LatencySpec {
    Text(String),
    Recorded {
        /// Pairs of share and ms.
        recorded: Vec<(f64, f64)>,
    },
}

impl Latency {
    /// Parses `2s`, `uniform 1s..3s`, `normal 2s sd 0.5s`, `lognormal 2s p95 5s`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is no latency; write 2s, uniform 1s..3s, normal 2s sd 0.5s or lognormal 2s p95 5s"
            )
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let latency = match words.as_slice() {
            [one] => match one.split_once("..") {
                Some((from, to)) => Self::Uniform(time(from)?, time(to)?),
                None => Self::Fixed(time(one)?),
            },
            ["fixed", one] => Self::Fixed(time(one)?),
            ["uniform", range] => {
                let (from, to) = range.split_once("..").ok_or_else(wrong)?;
                Self::Uniform(time(from)?, time(to)?)
            }
            ["normal", mean, "sd", deviation] => {
                Self::Normal(time(mean)?.as_secs_f64(), time(deviation)?.as_secs_f64())
            }
            ["lognormal", median, "p95", p95] => {
                Self::LogNormal(time(median)?.as_secs_f64(), time(p95)?.as_secs_f64())
            }
            _ => return Err(wrong()),
        };
        match &latency {
            Self::Uniform(from, to) if to < from => Err(wrong()),
            Self::LogNormal(median, p95) if *median <= 0.0 || p95 < median => Err(wrong()),
            _ => Ok(latency),
        }
    }

    /// A distribution from points of share (0 to 1) and milliseconds, both ascending.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn recorded(points: &[(f64, f64)]) -> Result<Self, String> {
        let rising = points
            .windows(2)
            .all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1);
        let within = points
            .iter()
            .all(|(share, ms)| (0.0..=1.0).contains(share) && (0.0..=3_600_000.0).contains(ms));
        if points.is_empty() || !rising || !within {
            return Err("recorded points are [share, ms], both rising, shares from 0 to 1".into());
        }
        let seconds = points.iter().map(|(share, ms)| (*share, ms / 1000.0));
        Ok(Self::Recorded(seconds.collect()))
    }

    pub(crate) fn of_written(written: &LatencySpec) -> Result<Self, String> {
        match written {
            LatencySpec::Text(text) => Self::parse(text),
            LatencySpec::Recorded { recorded } => Self::recorded(recorded),
        }
    }

    /// A random time of the distribution.
    pub(crate) fn draw(&self, random: &SharedRandom) -> Duration {
        let seconds = match self {
            Self::Fixed(length) => return *length,
            Self::Uniform(from, to) => {
                let (from, to) = (from.as_secs_f64(), to.as_secs_f64());
                from + (to - from) * random.unit()
            }
            Self::Normal(mean, deviation) => mean + deviation * normal(random),
            Self::LogNormal(median, p95) => {
                let sigma = (p95 / median).ln() / P95_DEVIATIONS;
                median * (sigma * normal(random)).exp()
            }
            Self::Recorded(points) => between(points, random.unit()),
        };
        Duration::from_secs_f64(seconds.clamp(0.0, LATENCY_MAX.as_secs_f64()))
    }
}

/// The time at a share, interpolated between the points around it.
fn between(points: &[(f64, f64)], share: f64) -> f64 {
    let above = points.partition_point(|(known, _)| *known <= share);
    match (
        above.checked_sub(1).and_then(|i| points.get(i)),
        points.get(above),
    ) {
        (Some((from, low)), Some((to, high))) => low + (high - low) * (share - from) / (to - from),
        (Some((_, seconds)), None) | (None, Some((_, seconds))) => *seconds,
        (None, None) => 0.0,
    }
}

fn time(text: &str) -> Result<Duration, String> {
    if text != "0" && !text.bytes().any(|b| b.is_ascii_alphabetic()) {
        return Err(format!("`{text}` has no unit; write 2s or 500ms"));
    }
    let length = parse_duration(text).map_err(|error| error.to_string())?;
    if length > LATENCY_MAX {
        return Err(format!("`{text}` is longer than an hour"));
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str) -> Vec<f64> {
        let latency = Latency::parse(text).unwrap();
        let random = SharedRandom::new(1);
        let mut all: Vec<f64> = (0..100_000)
            .map(|_| latency.draw(&random).as_secs_f64())
            .collect();
        all.sort_by(f64::total_cmp);
        all
    }

    fn near(found: f64, expected: f64) {
        assert!(
            (found / expected - 1.0).abs() < 0.02,
            "{found} for {expected}"
        );
    }

    #[test]
    fn distributions_have_the_middle_and_spread_asked_for() {
        let uniform = drawn("uniform 1s..3s");
        near(uniform[50_000], 2.0);
        assert!(uniform[0] >= 1.0 && uniform[99_999] <= 3.0);
        let normal = drawn("normal 2s sd 0.5s");
        near(normal[50_000], 2.0);
        near(normal[84_134], 2.5);
        let skewed = drawn("lognormal 2s p95 5s");
        near(skewed[50_000], 2.0);
        near(skewed[95_000], 5.0);
        near(drawn("2s")[0], 2.0);
    }

    #[test]
    fn a_recorded_distribution_is_drawn_as_recorded() {
        let latency = Latency::recorded(&[(0.0, 10.0), (0.5, 20.0), (1.0, 120.0)]).unwrap();
        let random = SharedRandom::new(2);
        let mut all: Vec<f64> = (0..100_000)
            .map(|_| latency.draw(&random).as_secs_f64() * 1000.0)
            .collect();
        all.sort_by(f64::total_cmp);
        near(all[25_000], 15.0);
        near(all[75_000], 70.0);
    }

    #[test]
    fn what_is_no_latency_is_refused() {
        for wrong in [
            "",
            "2",
            "soon",
            "uniform 3s..1s",
            "normal 2s",
            "lognormal 2s p95 1s",
            "2h",
            "-1s",
        ] {
            assert!(Latency::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Latency::recorded(&[(0.5, 20.0), (0.0, 30.0)]).is_err());
        assert!(Latency::recorded(&[]).is_err());
    }
}
