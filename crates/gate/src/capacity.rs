//! Reads the result of a capacity search, as far as the gate needs it.
//!
//! The form is that of `capacity --export`. Members that are not known here are left
//! alone: the form may grow within its version. What is known must make sense, because a
//! wrong line holds everybody or nobody.

use serde::Deserialize;

use crate::queue::{AdmissionRate, CapacitySource};

/// The version of the form that is read.
pub const VERSION: u32 = 1;

/// A capacity file, as far as it is needed.
#[derive(Debug, Clone, Deserialize)]
pub struct CapacityFile {
    /// Version of the form.
    pub loadline_capacity: u32,
    /// What was loaded.
    #[serde(default)]
    pub test: Test,
    /// What loads are counted in.
    #[serde(default)]
    pub unit: Option<String>,
    /// The highest load whose goals hold; `None` when the search found none.
    pub line: Option<Line>,
    /// The lowest load with most of the peak's throughput.
    #[serde(default)]
    pub knee: Option<Knee>,
    /// Requests of one session.
    #[serde(default)]
    pub requests_per_session: Option<f64>,
    /// Where it was measured from: any form.
    #[serde(default)]
    pub environment: serde_json::Value,
}

/// What was loaded.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Test {
    /// As named by who started it.
    #[serde(default)]
    pub name: String,
    /// The stored run.
    #[serde(default)]
    pub run: Option<String>,
    /// When the search began, in ms since 1970.
    #[serde(default)]
    pub started_ms: Option<i64>,
}

/// The line.
#[derive(Debug, Clone, Deserialize)]
pub struct Line {
    /// Requests per second there.
    pub requests_per_second: f64,
    /// The load that holds.
    #[serde(default)]
    pub load: Option<f64>,
    /// The lowest load that does not.
    #[serde(default)]
    pub beyond: Option<f64>,
}

/// The knee.
#[derive(Debug, Clone, Deserialize)]
pub struct Knee {
    /// Sessions in flight there.
    pub in_flight: f64,
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
    /// Inside at most, when the file has a knee.
    pub cap: Option<u64>,
    /// Where they come from.
    pub figure: CapacitySource,
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
    /// A search that found no load whose goals hold.
    #[error("the search found no line, so there is nothing to hold visitors at")]
    NoLine,
    /// A newer form.
    #[error("a capacity of version {0}; this gate reads version {VERSION}")]
    Version(u32),
}

/// Reads a capacity file.
///
/// # Errors
/// [`CapacityError::Form`].
pub fn parse(text: &str) -> Result<CapacityFile, CapacityError> {
    Ok(serde_json::from_str(text)?)
}

/// Turns a figure into rate and cap: line x safety / requests per session, and what is in
/// flight at the knee x safety.
///
/// # Errors
/// [`CapacityError`].
pub fn import(file: &CapacityFile, how: Use) -> Result<Import, CapacityError> {
    if file.loadline_capacity != VERSION {
        return Err(CapacityError::Version(file.loadline_capacity));
    }
    let line = file.line.as_ref().ok_or(CapacityError::NoLine)?;
    let per_s = line.requests_per_second;
    let per_s = within(
        "line.requests_per_second",
        per_s,
        "above 0, at most 100,000,000",
        |v| v > 0.0 && v <= 1e8,
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
    let sessions_per_s = per_s * safety / requests;
    let rate = AdmissionRate::per_second(sessions_per_s).ok_or(CapacityError::Number {
        name: "line x safety / requests_per_session",
        value: sessions_per_s,
        expected: "at most 1,000,000 a second",
    })?;
    Ok(Import {
        rate,
        cap: file
            .knee
            .as_ref()
            .map(|knee| cap(knee, safety))
            .transpose()?,
        figure: CapacitySource {
            run: file
                .test
                .run
                .clone()
                .unwrap_or_else(|| file.test.name.clone()),
            measured_ms: file.test.started_ms.unwrap_or(0),
            line_per_s: per_s,
            interval: file.interval()?,
            environment: match &file.environment {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            },
            safety,
            requests_per_session: requests,
        },
    })
}

fn cap(knee: &Knee, safety: f64) -> Result<u64, CapacityError> {
    let in_flight = within(
        "knee.in_flight",
        knee.in_flight,
        "above 0, at most 10,000,000",
        |v| v > 0.0 && v <= 1e7,
    )?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 10^7, checked above"
    )]
    let cap = (in_flight * safety).floor().max(1.0) as u64;
    Ok(cap)
}

impl CapacityFile {
    /// Between which requests per second the line lies: the highest load that held and the
    /// lowest that did not. Loads of users tell no rate.
    fn interval(&self) -> Result<Option<(f64, f64)>, CapacityError> {
        let counts_rates = self.unit.as_deref() == Some("iterations-per-second");
        let line = self.line.as_ref().filter(|_| counts_rates);
        let Some(Line {
            requests_per_second,
            load: Some(load),
            beyond: Some(beyond),
        }) = line
        else {
            return Ok(None);
        };
        let beyond = within("line.beyond", *beyond, "above line.load", |beyond| {
            beyond > *load
        })?;
        let load = within("line.load", *load, "above 0", |load| load > 0.0)?;
        Ok(Some((
            *requests_per_second,
            requests_per_second * beyond / load,
        )))
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
        "loadline_capacity": 1, "unit": "iterations-per-second", "end": "found", "later": true,
        "test": {"name": "shop.js", "run": "r12", "started_ms": 1790000000000, "kind": "k6"},
        "line": {"load": 100, "beyond": 110, "throughput": 100, "requests_per_second": 500, "sure": true},
        "knee": {"load": 90, "in_flight": 40.4}, "requests_per_session": 5, "environment": {"cores": 2}
    }"#;

    #[test]
    fn rate_and_cap_are_the_line_and_the_knee_times_safety() {
        let import = import(&parse(FILE).unwrap(), Use::default()).unwrap();
        assert!((import.rate.as_per_second() - 80.0).abs() < 1e-9);
        assert_eq!(import.cap, Some(32));
        assert_eq!(
            (import.figure.run.as_str(), import.figure.measured_ms),
            ("r12", 1_790_000_000_000)
        );
        let (low, high) = import.figure.interval.unwrap();
        assert!((low - 500.0).abs() < 1e-9 && (high - 550.0).abs() < 1e-9);
        assert_eq!(import.figure.environment, r#"{"cores":2}"#);
    }

    #[test]
    fn nonsense_is_refused_with_its_name() {
        let refused = |text: &str, how: Use| {
            let result = parse(text).and_then(|file| import(&file, how));
            result.expect_err(text).to_string()
        };
        let usual = Use::default();
        assert!(refused("{}", usual).starts_with("not a capacity file"));
        assert!(
            refused(
                &FILE.replace("\"loadline_capacity\": 1", "\"loadline_capacity\": 2"),
                usual
            )
            .contains("version 2")
        );
        assert!(refused(r#"{"loadline_capacity":1,"line":null}"#, usual).contains("no line"));
        let with = |from: &str, to: &str| FILE.replace(from, to);
        assert!(refused(&with("500", "0"), usual).starts_with("line.requests_per_second is 0"));
        assert!(refused(&with("110", "90"), usual).starts_with("line.beyond is 90"));
        assert!(refused(&with("40.4", "-1"), usual).starts_with("knee.in_flight is -1"));
        assert!(
            refused(
                FILE,
                Use {
                    safety: 1.5,
                    ..usual
                }
            )
            .starts_with("safety is 1.5")
        );
        let few = Use {
            requests_per_session: Some(0.0),
            ..usual
        };
        assert!(refused(FILE, few).starts_with("requests_per_session is 0"));
    }
}
