//! Artillery's result file: written, and read.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Distribution, Period, Report};

/// Why a file is not a result file of Artillery.
#[derive(Debug, thiserror::Error)]
pub enum ResultFileError {
    /// It is not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is JSON of another kind.
    #[error("`{0}` is missing: this is no result file of Artillery 2")]
    Missing(&'static str),
    /// A result of Artillery 1.
    #[error("this is a result file of Artillery 1, which has another form")]
    Version1,
}

impl Report {
    /// The file's text.
    #[must_use]
    pub fn to_json(&self) -> String {
        let intermediate: Vec<Value> = self
            .intermediate
            .iter()
            .map(|period| period.to_value(true))
            .collect();
        let whole = json!({
            "aggregate": self.aggregate.to_value(false),
            "intermediate": intermediate,
        });
        format!("{whole:#}")
    }

    /// Reads a result file, also one written by Artillery.
    ///
    /// # Errors
    /// [`ResultFileError`].
    pub fn from_json(text: &str) -> Result<Self, ResultFileError> {
        let whole: Value = serde_json::from_str(text)?;
        let aggregate = whole
            .get("aggregate")
            .ok_or(ResultFileError::Missing("aggregate"))?;
        if aggregate.get("scenariosCreated").is_some() {
            return Err(ResultFileError::Version1);
        }
        if aggregate.get("counters").is_none() {
            return Err(ResultFileError::Missing("aggregate.counters"));
        }
        let intermediate = whole
            .get("intermediate")
            .and_then(Value::as_array)
            .ok_or(ResultFileError::Missing("intermediate"))?;
        Ok(Self {
            aggregate: Period::of_value(aggregate),
            intermediate: intermediate.iter().map(Period::of_value).collect(),
        })
    }
}

/// A number, whole where it is whole.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
        return Value::from(value as i64);
    }
    Value::from(value)
}

impl Period {
    fn to_value(&self, as_text: bool) -> Value {
        let numbers = |from: &BTreeMap<String, f64>| -> Map<String, Value> {
            from.iter()
                .map(|(name, value)| (name.clone(), number(*value)))
                .collect()
        };
        let summaries: Map<String, Value> = self
            .summaries
            .iter()
            .map(|(name, summary)| {
                let named = summary.named();
                let fields = named
                    .iter()
                    .map(|(key, value)| ((*key).to_owned(), number(*value)));
                (name.clone(), Value::Object(fields.collect()))
            })
            .collect();
        let mut out = Map::new();
        let mut set = |name: &str, value: Value| out.insert(name.to_owned(), value);
        set("counters", Value::Object(numbers(&self.counters)));
        set("rates", Value::Object(numbers(&self.rates)));
        for (name, at) in [
            ("firstCounterAt", self.first_counter_at),
            ("firstHistogramAt", self.first_histogram_at),
            ("lastCounterAt", self.last_counter_at),
            ("lastHistogramAt", self.last_histogram_at),
            ("firstMetricAt", self.first_metric_at()),
            ("lastMetricAt", self.last_metric_at()),
        ] {
            if at != 0 {
                set(name, Value::from(at));
            }
        }
        // Upstream writes a period's beginning as a text, the whole run's as a number.
        let begins = if as_text {
            Value::from(self.begins.to_string())
        } else {
            Value::from(self.begins)
        };
        set("period", begins);
        set("summaries", Value::Object(summaries.clone()));
        set("histograms", Value::Object(summaries));
        Value::Object(out)
    }

    fn of_value(value: &Value) -> Self {
        let numbers = |name: &str| -> BTreeMap<String, f64> {
            let map = value.get(name).and_then(Value::as_object);
            map.into_iter()
                .flatten()
                .filter_map(|(name, value)| Some((name.clone(), value.as_f64()?)))
                .collect()
        };
        let instant = |name: &str| {
            let found = value.get(name);
            let number = found.and_then(Value::as_i64);
            let text = || {
                found
                    .and_then(Value::as_str)
                    .and_then(|text| text.parse().ok())
            };
            number.or_else(text).unwrap_or(0)
        };
        let summaries = value
            .get("summaries")
            .filter(|map| map.as_object().is_some_and(|map| !map.is_empty()))
            .or_else(|| value.get("histograms"))
            .and_then(Value::as_object);
        Self {
            begins: instant("period"),
            counters: numbers("counters"),
            rates: numbers("rates"),
            summaries: summaries
                .into_iter()
                .flatten()
                .map(|(name, value)| (name.clone(), distribution(value)))
                .collect(),
            first_counter_at: instant("firstCounterAt"),
            last_counter_at: instant("lastCounterAt"),
            first_histogram_at: instant("firstHistogramAt"),
            last_histogram_at: instant("lastHistogramAt"),
        }
    }
}

fn distribution(value: &Value) -> Distribution {
    let at = |name: &str| value.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    Distribution {
        min: at("min"),
        max: at("max"),
        count: at("count"),
        mean: at("mean"),
        p50: at("p50"),
        p75: at("p75"),
        p90: at("p90"),
        p95: at("p95"),
        p99: at("p99"),
        p999: at("p999"),
    }
}
