//! One record of k6's `--out csv`.

use loadline_metrics::Registry;
use serde_json::{Map, Value, json};

use super::line::Sample;
use super::time;

/// The columns that every file begins with; those of tags follow.
const FIRST_COLUMNS: [&str; 3] = ["metric_name", "timestamp", "metric_value"];
/// Seconds since 1970 are below this until the year 5138, milliseconds above it since 1973.
const UNIX_SECONDS_MAX: i64 = 100_000_000_000;

/// The columns of a file, in its order.
#[derive(Debug, Clone)]
pub struct CsvColumns {
    names: Vec<String>,
}

impl CsvColumns {
    /// Those of a file's first record; `None` of a file that k6 did not write.
    #[must_use]
    pub fn from_first<'a>(fields: impl Iterator<Item = &'a str>) -> Option<Self> {
        let names: Vec<String> = fields.map(str::to_owned).collect();
        let is_known = names
            .iter()
            .zip(FIRST_COLUMNS)
            .all(|(name, known)| name == known);
        (is_known && names.len() > FIRST_COLUMNS.len()).then_some(Self { names })
    }

    /// The sample of a record; `None` of one that holds none, or that is not whole.
    pub(super) fn sample<'a>(&self, fields: impl Iterator<Item = &'a str>) -> Option<Sample> {
        let fields: Vec<&str> = fields.collect();
        if fields.len() != self.names.len() {
            return None;
        }
        let tags = self.names.iter().zip(&fields).skip(FIRST_COLUMNS.len());
        let tags = tags.filter(|(_, value)| !value.is_empty());
        let tags = tags.map(|(name, value)| (name.clone(), Value::from(*value)));
        Some(Sample {
            metric: fields[0].to_owned(),
            at_ms: millis(fields[1])?,
            value: fields[2].parse().ok()?,
            tags: Value::Object(tags.collect::<Map<String, Value>>()),
        })
    }
}

/// Milliseconds since 1970 of any of k6's forms (`K6_CSV_TIME_FORMAT`).
fn millis(text: &str) -> Option<i64> {
    let Ok(number) = text.parse::<i64>() else {
        return time::millis(text);
    };
    Some(match number {
        seconds if seconds < UNIX_SECONDS_MAX => seconds * 1000,
        millis if millis < UNIX_SECONDS_MAX * 1000 => millis,
        micros if micros < UNIX_SECONDS_MAX * 1_000_000 => micros / 1000,
        nanos => nanos / 1_000_000,
    })
}

/// What k6 says of a metric of its own in other files; of a script's metric nobody knows the kind.
pub(super) fn definition(metric: &str) -> Value {
    let registry = Registry::new();
    let known = registry.find(metric).map(|id| registry.get(id));
    known.map_or_else(
        || json!({"type": "trend", "contains": "default"}),
        |known| json!({"type": known.kind.name(), "contains": known.contains.name()}),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_every_form_are_the_same() {
        for text in [
            "1795821741",
            "1795821741000",
            "1795821741000000",
            "1795821741000000000",
            "2026-11-27T23:22:21Z",
        ] {
            assert_eq!(millis(text), Some(1_795_821_741_000), "{text}");
        }
        assert_eq!(millis("yesterday"), None);
    }
}
