//! Reads the result of a load test, as far as the gate needs it.
//!
//! The file says what line was found, how sure it is, and where and when it was measured.
//! Members that are not known here are left alone: a later version may say more. What is
//! known must make sense, because a wrong line holds everybody or nobody.

use serde::Deserialize;

use crate::queue::{AdmissionRate, Figure};

/// A capacity file as it is written.
#[derive(Debug, Clone, Deserialize)]
pub struct CapacityFile {
    /// Name and version of the form.
    #[serde(default)]
    pub schema: Option<String>,
    /// The line.
    pub capacity: Line,
    /// Requests in flight.
    #[serde(default)]
    pub in_flight: Option<InFlight>,
    /// Requests that one session makes.
    #[serde(default)]
    pub requests_per_session: Option<f64>,
    /// The run that measured it.
    #[serde(default)]
    pub run: Option<String>,
    /// When it was measured.
    #[serde(default)]
    pub measured_at: Option<String>,
    /// What it was measured on: any form.
    #[serde(default)]
    pub environment: Option<serde_json::Value>,
}

/// The line.
#[derive(Debug, Clone, Deserialize)]
pub struct Line {
    /// Requests (or sessions) per second at which the goals still hold.
    pub rate_per_s: f64,
    /// Its interval.
    #[serde(default)]
    pub interval: Option<(f64, f64)>,
}

/// Requests in flight, a number or by place on the curve.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum InFlight {
    /// At the line or knee.
    Number(f64),
    /// By place.
    Places {
        /// At the knee.
        #[serde(default, alias = "at_knee")]
        knee: Option<f64>,
        /// At the line.
        #[serde(default, alias = "at_capacity")]
        capacity: Option<f64>,
    },
}

/// How to use a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Use {
    /// The share of the line to use, above 0 to 1.
    pub safety: f64,
    /// Requests that one session makes; the file's, or 1, when `None`.
    pub requests_per_session: Option<f64>,
}

impl Default for Use {
    fn default() -> Self {
        Self {
            safety: 0.8,
            requests_per_session: None,
        }
    }
}

/// Rate, cap and where they come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// Admissions per second.
    pub rate: AdmissionRate,
    /// Inside at most, when the file tells requests in flight.
    pub cap: Option<u64>,
    /// Where they come from.
    pub figure: Figure,
}

/// Why a figure was refused.
#[derive(Debug, thiserror::Error)]
pub enum CapacityError {
    /// Not a capacity file.
    #[error("not a capacity file: {0}")]
    Form(#[from] serde_json::Error),
    /// A number that cannot be meant.
    #[error("{name} is {value}; it must be {expected}")]
    Number {
        /// Which.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// A later form.
    #[error("the file has form `{0}`; this gate reads loadline-capacity/1")]
    Schema(String),
}

/// Reads a capacity file.
///
/// # Errors
/// [`CapacityError::Form`].
pub fn parse(text: &str) -> Result<CapacityFile, CapacityError> {
    Ok(serde_json::from_str(text)?)
}

/// Turns a figure into rate and cap: line x safety / requests per session, and in-flight
/// at the knee x safety.
///
/// # Errors
/// [`CapacityError`].
pub fn import(file: &CapacityFile, how: Use) -> Result<Import, CapacityError> {
    if let Some(schema) = &file.schema
        && !schema.trim_end_matches(".json").ends_with("capacity/1")
    {
        return Err(CapacityError::Schema(schema.clone()));
    }
    let line = within(
        "capacity.rate_per_s",
        file.capacity.rate_per_s,
        "above 0, at most 1,000,000",
        |v| v > 0.0 && v <= AdmissionRate::MOST_PER_S,
    )?;
    let safety = within("safety", how.safety, "above 0, at most 1", |v| {
        v > 0.0 && v <= 1.0
    })?;
    let requests = how
        .requests_per_session
        .or(file.requests_per_session)
        .unwrap_or(1.0);
    let requests = within("requests_per_session", requests, "at least 1", |v| {
        (1.0..=1e6).contains(&v)
    })?;
    if let Some((low, high)) = file.capacity.interval {
        within("capacity.interval", low, "around the rate", |low| {
            low <= line && line <= high
        })?;
    }
    let in_flight = file.in_flight.as_ref().and_then(InFlight::at_knee);
    let cap = match in_flight {
        None => None,
        Some(value) => {
            let value = within("in_flight", value, "above 0, at most 10,000,000", |v| {
                v > 0.0 && v <= 1e7
            })?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 to 10^7, checked above"
            )]
            let cap = (value * safety).floor().max(1.0) as u64;
            Some(cap)
        }
    };
    let per_s = line * safety / requests;
    let rate = AdmissionRate::per_second(per_s).ok_or(CapacityError::Number {
        name: "rate",
        value: per_s,
        expected: "0 to 1,000,000 a second",
    })?;
    let environment = match &file.environment {
        None => String::new(),
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let figure = Figure {
        run: file.run.clone().unwrap_or_default(),
        measured_at: file.measured_at.clone().unwrap_or_default(),
        capacity_per_s: line,
        interval: file.capacity.interval,
        environment,
        safety,
        requests_per_session: requests,
    };
    Ok(Import { rate, cap, figure })
}

impl InFlight {
    fn at_knee(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Places { knee, capacity } => knee.or(*capacity),
        }
    }
}

fn within(
    name: &'static str,
    value: f64,
    expected: &'static str,
    good: impl Fn(f64) -> bool,
) -> Result<f64, CapacityError> {
    match value.is_finite() && good(value) {
        true => Ok(value),
        false => Err(CapacityError::Number {
            name,
            value,
            expected,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Use, import, parse};

    const FILE: &str = r#"{
        "schema": "loadline-capacity/1", "run": "r12", "measured_at": "2026-11-20T10:00:00Z",
        "capacity": {"rate_per_s": 500, "interval": [480, 520]}, "in_flight": {"knee": 40, "capacity": 44},
        "environment": {"target": "demo"}, "slo": ["p(95)<500ms"], "baseline": {"p50_ms": 3}, "new": true
    }"#;

    #[test]
    fn rate_and_cap_are_the_line_and_the_knee_times_safety() {
        let file = parse(FILE).unwrap();
        let how = Use {
            safety: 0.8,
            requests_per_session: Some(5.0),
        };
        let import = import(&file, how).unwrap();
        assert!((import.rate.as_per_second() - 80.0).abs() < 1e-9);
        assert_eq!(import.cap, Some(32));
        assert_eq!(import.figure.run, "r12");
        assert_eq!(import.figure.interval, Some((480.0, 520.0)));
        assert_eq!(import.figure.environment, r#"{"target":"demo"}"#);
    }

    #[test]
    fn nonsense_is_refused_with_its_name() {
        let refused = |text: &str, how: Use| {
            let result = parse(text).and_then(|file| import(&file, how));
            result.expect_err(text).to_string()
        };
        let use_ = Use::default();
        assert!(refused("{}", use_).starts_with("not a capacity file"));
        let zero = r#"{"capacity":{"rate_per_s":0}}"#;
        assert!(refused(zero, use_).starts_with("capacity.rate_per_s is 0"));
        let outside = r#"{"capacity":{"rate_per_s":9,"interval":[10,11]}}"#;
        assert!(refused(outside, use_).starts_with("capacity.interval"));
        let later = r#"{"schema":"loadline-capacity/2","capacity":{"rate_per_s":9}}"#;
        assert!(refused(later, use_).contains("loadline-capacity/2"));
        let good = r#"{"capacity":{"rate_per_s":9}}"#;
        assert!(
            refused(
                good,
                Use {
                    safety: 1.5,
                    ..use_
                }
            )
            .starts_with("safety is 1.5")
        );
        let few = Use {
            requests_per_session: Some(0.0),
            ..use_
        };
        assert!(refused(good, few).starts_with("requests_per_session is 0"));
    }
}
