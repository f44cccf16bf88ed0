//! Reads the result of a capacity search, as far as the gate needs it.
//!
//! The form is that of `capacity --export`. Members that are not known here are left
//! alone: the form may grow within its version. What is known must make sense, because a
//! wrong line holds everybody or nobody.

use loadline_record::FAULTS_ALLOWED;
use serde::Deserialize;

use crate::queue::{AdmissionRate, CapacitySource};

/// The version of the form that is read.
pub const CAPACITY_VERSION: u32 = 1;

/// A capacity file, as far as it is needed.
#[derive(Debug, Clone, Deserialize)]
#[serde(expecting = "what `loadline capacity --export` writes")]
pub struct ImportedCapacity {
    /// Version of the form.
    pub loadline_capacity: u32,
    /// What was loaded.
    #[serde(default)]
    pub test: ImportedTest,
    /// What loads are counted in.
    #[serde(default)]
    pub unit: Option<String>,
    /// The highest load whose goals hold; `None` when the search found none.
    pub line: Option<ImportedLine>,
    /// The goals.
    #[serde(default)]
    pub objective: Vec<String>,
    /// Requests of one session.
    #[serde(default)]
    pub requests_per_session: Option<f64>,
    /// How long one session takes at the line, ms.
    #[serde(default)]
    pub session_ms: Option<f64>,
    /// What of it nobody waits for an answer, ms: the test's own think time.
    #[serde(default)]
    pub think_ms: Option<f64>,
    /// Where it was measured from: any form.
    #[serde(default)]
    pub environment: serde_json::Value,
}

/// What was loaded.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct ImportedTest {
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
pub struct ImportedLine {
    /// Requests per second there.
    pub requests_per_second: f64,
    /// The load that holds.
    #[serde(default)]
    pub load: Option<f64>,
    /// The lowest load that does not.
    #[serde(default)]
    pub beyond: Option<f64>,
    /// The load that is safe; none in older files.
    #[serde(default)]
    pub safe: Option<f64>,
    /// What went wrong there apart from requests.
    #[serde(default)]
    pub faults: ImportedFaults,
}

/// What went wrong at the line apart from requests; all zero in files without these members.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub struct ImportedFaults {
    /// Checks and expectations.
    pub checks: f64,
    /// Of these, those that failed.
    pub failed_checks: f64,
    /// Iterations that ended.
    pub iterations: f64,
    /// Of these, those that threw, and virtual users that gave up.
    pub broken: f64,
}

/// How to use a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImportSettings {
    /// The share of the line to use, above 0 to 1.
    pub safety: f64,
    /// Requests that one visitor makes inside; the file's when `None`.
    pub requests_per_session: Option<f64>,
    /// How long one visitor stays inside, seconds; the file's when `None`.
    pub session_s: Option<f64>,
}

impl Default for ImportSettings {
    fn default() -> Self {
        Self {
            safety: 0.8,
            requests_per_session: None,
            session_s: None,
        }
    }
}

/// Rate, cap and where they come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// Admissions per second.
    pub rate: AdmissionRate,
    /// Inside at most: as many as come in at this rate while one stays.
    pub cap: u64,
    /// How long one stays, seconds.
    pub session_s: f64,
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
    /// At the line too many checks failed, and no goal judges them: what was measured there is
    /// not the service at work.
    #[error("at the line {failed} of {all} checks failed, which no goal of the search judged")]
    FailedChecks {
        /// How many failed.
        failed: f64,
        /// Of how many.
        all: f64,
    },
    /// The same of iterations.
    #[error("at the line {broken} of {all} iterations failed")]
    BrokenIterations {
        /// How many failed.
        broken: f64,
        /// Of how many.
        all: f64,
    },
    /// The test does not tell what a visitor does, and nobody said it.
    #[error(
        "the test has no think time of its own, so how long a visitor stays inside is not known: \
         give the session's length (--session 3m; session_s) and its requests \
         (--requests-per-session 12; visitor_requests)"
    )]
    NoSession,
    /// A newer form.
    #[error("a capacity of version {0}; this gate reads version {CAPACITY_VERSION}")]
    Version(u32),
}

/// Reads a capacity file.
///
/// # Errors
/// [`CapacityError::Form`].
pub fn parse(text: &str) -> Result<ImportedCapacity, CapacityError> {
    Ok(serde_json::from_str(text)?)
}

impl ImportedLine {
    /// Requests per second that are safe.
    fn safe_per_s(&self) -> Result<f64, CapacityError> {
        let Some((safe, load)) = self.safe.zip(self.load) else {
            return Ok(self.requests_per_second);
        };
        let load = within("line.load", load, "above 0", |load| load > 0.0)?;
        let safe = within("line.safe", safe, "above 0, at most line.load", |safe| {
            safe > 0.0 && safe <= load
        })?;
        Ok(self.requests_per_second * safe / load)
    }
}

/// Turns a figure into rate and cap. Rate = line x safety / requests of a session. Cap = rate x
/// length of a session: as many as are inside at that rate (Little's law).
///
/// # Errors
/// [`CapacityError`].
pub fn import(file: &ImportedCapacity, how: ImportSettings) -> Result<Import, CapacityError> {
    if file.loadline_capacity != CAPACITY_VERSION {
        return Err(CapacityError::Version(file.loadline_capacity));
    }
    let line = file.line.as_ref().ok_or(CapacityError::NoLine)?;
    let judges_checks = file.objective.iter().any(|term| term.starts_with("checks"));
    line.faults.within_reason(judges_checks)?;
    let per_s = line.safe_per_s()?;
    let per_s = within(
        "line.requests_per_second",
        per_s,
        "above 0, at most 100,000,000",
        |v| v > 0.0 && v <= 1e8,
    )?;
    let safety = within("safety", how.safety, "above 0, at most 1", |v| {
        v > 0.0 && v <= 1.0
    })?;
    let session = Session::new(file, how)?;
    let sessions_per_s = per_s * safety / session.requests;
    let rate = AdmissionRate::per_second(sessions_per_s).ok_or(CapacityError::Number {
        name: "line x safety / requests_per_session",
        value: sessions_per_s,
        expected: "at most 1,000,000 a second",
    })?;
    Ok(Import {
        rate,
        cap: inside(sessions_per_s * session.seconds)?,
        session_s: session.seconds,
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
            requests_per_session: session.requests,
        },
    })
}

impl ImportedFaults {
    fn within_reason(self, judges_checks: bool) -> Result<(), CapacityError> {
        if !judges_checks && self.failed_checks > FAULTS_ALLOWED * self.checks {
            return Err(CapacityError::FailedChecks {
                failed: self.failed_checks,
                all: self.checks,
            });
        }
        if self.broken > FAULTS_ALLOWED * self.iterations {
            return Err(CapacityError::BrokenIterations {
                broken: self.broken,
                all: self.iterations.max(self.broken),
            });
        }
        Ok(())
    }
}

/// What one visitor does inside.
#[derive(Debug, Clone, Copy)]
struct Session {
    requests: f64,
    seconds: f64,
}

/// Think time from which on an iteration is a visit and no mere sequence of requests, ms.
const THINK_TIME_MS_MIN: f64 = 100.0;

impl Session {
    /// As said, or as the test's own iteration does it. An iteration without think time is no
    /// visit: its length says how fast the service is, not how long a person stays.
    fn new(file: &ImportedCapacity, how: ImportSettings) -> Result<Self, CapacityError> {
        let thinks = file
            .think_ms
            .is_some_and(|think| think >= THINK_TIME_MS_MIN);
        let of_test = |value: Option<f64>| value.filter(|_| thinks);
        let measured = of_test(file.requests_per_session);
        let requests = how.requests_per_session.or(measured);
        let seconds = how.session_s.or_else(|| {
            let seconds = of_test(file.session_ms)? / 1000.0;
            // So many more requests take so much longer.
            Some(seconds * requests? / measured?)
        });
        let (Some(requests), Some(seconds)) = (requests, seconds) else {
            return Err(CapacityError::NoSession);
        };
        Ok(Self {
            requests: within(
                "requests_per_session",
                requests,
                "at least 1, at most 1,000,000",
                |v| (1.0..=1e6).contains(&v),
            )?,
            seconds: within("session_s", seconds, "above 0, at most 604,800", |v| {
                v > 0.0 && v <= 604_800.0
            })?,
        })
    }
}

fn inside(people: f64) -> Result<u64, CapacityError> {
    let people = within("rate x session_s", people, "at most 10,000,000", |v| {
        v <= 1e7
    })?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 10^7, checked above"
    )]
    let cap = people.ceil().max(1.0) as u64;
    Ok(cap)
}

impl ImportedCapacity {
    /// Between which requests per second the line lies: the load that is safe and the
    /// lowest that did not hold. Loads of users tell no rate.
    fn interval(&self) -> Result<Option<(f64, f64)>, CapacityError> {
        let counts_rates = self.unit.as_deref() == Some("iterations-per-second");
        let line = self.line.as_ref().filter(|_| counts_rates);
        let Some(ImportedLine {
            requests_per_second,
            load: Some(load),
            beyond: Some(beyond),
            ..
        }) = line
        else {
            return Ok(None);
        };
        let beyond = within("line.beyond", *beyond, "above line.load", |beyond| {
            beyond > *load
        })?;
        let load = within("line.load", *load, "above 0", |load| load > 0.0)?;
        // The figure itself may lie below the highest load that held.
        let low = line.map_or(Ok(*requests_per_second), ImportedLine::safe_per_s)?;
        Ok(Some((low, requests_per_second * beyond / load)))
    }
}

fn within(
    name: &'static str,
    value: f64,
    expected: &'static str,
    good: impl Fn(f64) -> bool,
) -> Result<f64, CapacityError> {
    if value.is_finite() && good(value) {
        Ok(value)
    } else {
        Err(CapacityError::Number {
            name,
            value,
            expected,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{ImportSettings, import, parse};

    const FILE: &str = r#"{
        "loadline_capacity": 1, "unit": "iterations-per-second", "end": "found", "later": true,
        "test": {"name": "shop.js", "run": "r12", "started_ms": 1790000000000, "kind": "k6"},
        "line": {"load": 100, "beyond": 110, "throughput": 100, "requests_per_second": 500, "sure": true},
        "knee": {"load": 90, "in_flight": 40.4}, "requests_per_session": 5, "session_ms": 12000,
        "think_ms": 10000, "environment": {"cores": 2}
    }"#;

    #[test]
    fn rate_is_the_line_times_safety_and_cap_who_is_inside_at_it() {
        let import = import(&parse(FILE).unwrap(), ImportSettings::default()).unwrap();
        assert!((import.rate.as_per_second() - 80.0).abs() < 1e-9);
        assert_eq!(import.cap, 960, "80 a second who stay 12 s");
        assert_eq!(
            (import.figure.run.as_str(), import.figure.measured_ms),
            ("r12", 1_790_000_000_000)
        );
        let (low, high) = import.figure.interval.unwrap();
        assert!((low - 500.0).abs() < 1e-9 && (high - 550.0).abs() < 1e-9);
        assert_eq!(import.figure.environment, r#"{"cores":2}"#);
    }

    #[test]
    fn what_is_safe_is_the_line_and_the_lower_end_of_its_interval() {
        let of = |safe: &str| {
            let file = FILE.replace("\"sure\"", &format!("\"safe\": {safe}, \"sure\""));
            import(&parse(&file).unwrap(), ImportSettings::default())
        };
        let lower = of("90").unwrap();
        assert!((lower.rate.as_per_second() - 72.0).abs() < 1e-9);
        assert!((lower.figure.line_per_s - 450.0).abs() < 1e-9);
        let (low, high) = lower.figure.interval.unwrap();
        assert!((low - 450.0).abs() < 1e-9 && (high - 550.0).abs() < 1e-9);
        assert!((of("100").unwrap().rate.as_per_second() - 80.0).abs() < 1e-9);
        for wrong in ["101", "0", "-1"] {
            let refused = of(wrong).unwrap_err().to_string();
            assert!(refused.contains("line.safe"), "{refused}");
        }
    }

    #[test]
    fn the_session_of_a_test_without_think_time_must_be_said() {
        let url = FILE
            .replace("\"think_ms\": 10000", "\"think_ms\": 0")
            .replace("\"session_ms\": 12000", "\"session_ms\": 70");
        let url = parse(&url).unwrap();
        let refused = import(&url, ImportSettings::default())
            .unwrap_err()
            .to_string();
        assert!(refused.contains("--session"), "{refused}");
        let said = ImportSettings {
            requests_per_session: Some(10.0),
            session_s: Some(180.0),
            ..ImportSettings::default()
        };
        let import = import(&url, said).unwrap();
        assert!((import.rate.as_per_second() - 40.0).abs() < 1e-9);
        assert_eq!(import.cap, 7200, "40 a second who stay 180 s");
    }

    #[test]
    fn a_longer_session_than_the_tests_takes_so_much_longer() {
        let twice = ImportSettings {
            requests_per_session: Some(10.0),
            ..ImportSettings::default()
        };
        let import = import(&parse(FILE).unwrap(), twice).unwrap();
        assert!((import.session_s - 24.0).abs() < 1e-9);
        assert_eq!(import.cap, 960, "half as many, who stay twice as long");
    }

    #[test]
    fn a_line_whose_answers_were_wrong_is_refused_unless_a_goal_judged_them() {
        let with = |faults: &str, objective: &str| {
            let faults = format!("\"sure\": true, \"faults\": {faults}");
            let text = FILE.replace("\"sure\": true", &faults);
            let text = text.replace("\"end\"", &format!("\"objective\": [{objective}], \"end\""));
            import(&parse(&text).unwrap(), ImportSettings::default()).map_err(|e| e.to_string())
        };
        let failed = r#"{"checks": 42, "failed_checks": 42, "iterations": 42, "broken": 0}"#;
        let refused = with(failed, r#""errors<1%""#).unwrap_err();
        assert!(refused.contains("42 of 42 checks failed"), "{refused}");
        assert!(with(failed, r#""checks>90%""#).is_ok());
        let broken = r#"{"iterations": 17, "broken": 17}"#;
        let refused = with(broken, r#""checks>90%""#).unwrap_err();
        assert!(refused.contains("17 of 17 iterations failed"), "{refused}");
        let few = r#"{"checks": 400, "failed_checks": 4, "iterations": 400, "broken": 4}"#;
        assert!(with(few, "").is_ok());
    }

    #[test]
    fn nonsense_is_refused_with_its_name() {
        let refused = |text: &str, how: ImportSettings| {
            let result = parse(text).and_then(|file| import(&file, how));
            result.expect_err(text).to_string()
        };
        let usual = ImportSettings::default();
        assert!(refused("{}", usual).starts_with("not a capacity file"));
        let number = refused("23", usual);
        assert!(
            number.contains("expected what `loadline capacity --export` writes"),
            "{number}"
        );
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
        assert!(refused(&with("12000", "-1"), usual).starts_with("session_s is -0.001"));
        assert!(
            refused(
                FILE,
                ImportSettings {
                    safety: 1.5,
                    ..usual
                }
            )
            .starts_with("safety is 1.5")
        );
        let few = ImportSettings {
            requests_per_session: Some(0.0),
            ..usual
        };
        assert!(refused(FILE, few).starts_with("requests_per_session is 0"));
    }
}
