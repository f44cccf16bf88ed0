//! Goals, levels of the load and endpoints, as they are in the document.

use loadline_explain::{EndpointTimes, JudgedObjective, LoadLevel, ObjectiveMeasure};
use serde::Serialize;

/// What the run is judged by.
#[derive(Debug, Clone, Serialize)]
pub struct ObjectiveInFile {
    /// As the test writes it.
    pub text: String,
    /// The endpoint it is asked of; `null`: all requests.
    pub endpoint: Option<String>,
    /// What was measured in the busy part: ms, or a share; `null`: too few starts were answered well.
    pub value: Option<f64>,
    /// ... and while little was asked.
    pub unloaded: Option<f64>,
    /// It is missed.
    pub is_missed: bool,
}

/// What callers saw at one level of the load.
#[derive(Debug, Clone, Serialize)]
pub struct LevelInFile {
    /// Starts per second, or virtual users.
    pub load: f64,
    /// `starts` or `users`.
    pub unit: &'static str,
    /// From when to when, seconds since the run's start.
    pub window_s: (f64, f64),
    /// Requests answered well per second.
    pub answered: f64,
    /// The share of requests that failed or were cut.
    pub failed: f64,
    /// Their mean time.
    pub mean_ms: f64,
    /// Their 95th percentile.
    pub p95_ms: f64,
    /// The goal, given or default, is kept, and more load brought more answers.
    pub is_carried: bool,
}

/// What callers saw of one endpoint.
#[derive(Debug, Clone, Serialize)]
pub struct EndpointTimesInFile {
    /// Its method and its name, else its URL.
    pub name: String,
    /// Requests answered well per second.
    pub answered: f64,
    /// The share of requests that failed or were cut.
    pub failed: f64,
    /// The fastest of the run that was answered well; `null` where none was.
    pub fastest_ms: Option<f64>,
    /// Their mean time.
    pub mean_ms: f64,
    /// Their 95th percentile.
    pub p95_ms: f64,
}

pub(super) fn objectives(of: &[JudgedObjective]) -> Vec<ObjectiveInFile> {
    let all = of.iter().map(|one| {
        let verdict = one.verdict();
        // The goal on checks is a share that holds.
        let told = |value: f64| {
            if one.objective.measure == ObjectiveMeasure::ChecksFailed {
                1.0 - value
            } else {
                value
            }
        };
        ObjectiveInFile {
            text: one.objective.text.clone(),
            endpoint: one.objective.endpoint.clone(),
            value: Some(verdict.value)
                .filter(|value| value.is_finite())
                .map(told),
            unloaded: one.unloaded.filter(|value| value.is_finite()).map(told),
            is_missed: verdict.is_missed,
        }
    });
    all.collect()
}

pub(super) fn levels(of: &[LoadLevel]) -> Vec<LevelInFile> {
    let all = of.iter().map(|one| LevelInFile {
        load: one.load,
        unit: if one.is_users { "users" } else { "starts" },
        window_s: one.window,
        answered: one.answered,
        failed: one.failed,
        mean_ms: one.mean_ms,
        p95_ms: one.p95_ms,
        is_carried: one.is_carried,
    });
    all.collect()
}

pub(super) fn endpoints(of: &[EndpointTimes]) -> Vec<EndpointTimesInFile> {
    let all = of.iter().map(|one| EndpointTimesInFile {
        name: one.name.clone(),
        answered: one.answered,
        failed: one.failed + one.cut,
        fastest_ms: one.fastest_ms,
        mean_ms: one.mean_ms,
        p95_ms: one.p95_ms,
    });
    all.collect()
}
