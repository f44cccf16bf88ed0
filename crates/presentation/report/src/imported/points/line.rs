//! One line of the file.

use serde_json::Value;

use super::time::millis;

/// What a line holds.
pub(super) enum Line {
    /// A metric: its name, and what k6 says of it.
    Metric(String, Value),
    /// One sample.
    Sample(Sample),
}

/// A sample of a metric.
pub(super) struct Sample {
    pub(super) metric: String,
    /// Milliseconds since 1970.
    pub(super) at_ms: i64,
    pub(super) value: f64,
    pub(super) tags: Value,
}

impl Line {
    /// `None` for what is neither.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let Value::Object(mut line) = serde_json::from_str(text).ok()? else {
            return None;
        };
        let metric = line.get("metric")?.as_str()?.to_owned();
        let kind = line.get("type")?.as_str()?.to_owned();
        let Value::Object(mut data) = line.remove("data")? else {
            return None;
        };
        match &*kind {
            "Metric" => Some(Self::Metric(metric, Value::Object(data))),
            "Point" => Some(Self::Sample(Sample {
                metric,
                at_ms: millis(data.get("time")?.as_str()?)?,
                value: data.get("value")?.as_f64()?,
                tags: data.remove("tags").unwrap_or_default(),
            })),
            _ => None,
        }
    }
}
