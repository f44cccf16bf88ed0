//! Latency over time: `2s, after 60s 0.5s`.

use std::time::Duration;

use loadline_units::parse_duration;

use crate::latency::{Latency, LatencySpec};

/// Latencies, each with the time after the start from which it applies.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule(Vec<(Duration, Latency)>);

impl Schedule {
    /// One latency all the time.
    #[must_use]
    pub fn always(latency: Latency) -> Self {
        Self(vec![(Duration::ZERO, latency)])
    }

    /// Parses a latency with changes: `2s, after 60s 0.5s, after 2m lognormal 1s p95 3s`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',').map(str::trim);
        let mut steps = vec![(
            Duration::ZERO,
            Latency::parse(parts.next().unwrap_or_default())?,
        )];
        for part in parts {
            let change = part
                .strip_prefix("after ")
                .and_then(|rest| rest.trim().split_once(' '));
            let (when, latency) =
                change.ok_or_else(|| format!("`{part}` is no change; write after 60s 0.5s"))?;
            let when = parse_duration(when).map_err(|error| error.to_string())?;
            if steps.last().is_some_and(|(last, _)| when <= *last) {
                return Err(format!("`{part}` comes no later than the change before it"));
            }
            steps.push((when, Latency::parse(latency.trim())?));
        }
        Ok(Self(steps))
    }

    pub(crate) fn of_written(written: &LatencySpec) -> Result<Self, String> {
        match written {
            LatencySpec::Text(text) => Self::parse(text),
            recorded @ LatencySpec::Recorded { .. } => {
                Latency::of_written(recorded).map(Self::always)
            }
        }
    }

    /// The latency at this time after the start.
    pub(crate) fn at(&self, since: Duration) -> &Latency {
        let found = self.0.partition_point(|(from, _)| *from <= since);
        &self.0[found.max(1) - 1].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latency_changes_when_it_should() {
        let schedule = Schedule::parse("2s, after 60s 0.5s, after 2m 1s").unwrap();
        let at = |seconds| match schedule.at(Duration::from_secs(seconds)) {
            Latency::Fixed(length) => length.as_millis(),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            [at(0), at(59), at(60), at(119), at(120)],
            [2000, 2000, 500, 500, 1000]
        );
    }

    #[test]
    fn changes_that_make_no_sense_are_refused() {
        for wrong in [
            "2s, 60s 1s",
            "2s, after 60s",
            "2s, after 60s 1s, after 30s 2s",
            "",
        ] {
            assert!(Schedule::parse(wrong).is_err(), "{wrong}");
        }
    }
}
