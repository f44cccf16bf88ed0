//! The tests that follow from a plan, as files: [`k6`] scripts or [`artillery`] files.
//!
//! Eight kinds: smoke, load, stress, spike, soak, break-point, one for each feature
//! alone, and the user flow. Rates and goals are the plan's; what each is meant to offer
//! is kept in the plan file, so that a run can be compared with it.

pub mod artillery;
pub mod k6;

use loadline_text::{Message, plan};

use crate::feature::{Feature, FeatureLoad};
use crate::plan::LoadPlan;
use crate::plan_file::PlannedTest;

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Its name, without a folder.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What tests are written from.
#[derive(Debug, Clone, PartialEq)]
pub struct TestSpec {
    /// Where the requests go, without a slash at the end.
    pub target: String,
    /// Requests per second at the peak.
    pub peak_rate: f64,
    /// Virtual users of the user flow.
    pub users: f64,
    /// Requests of one iteration of the user flow, which makes the calls in turn.
    pub requests_per_iteration: usize,
    /// Thinking after an iteration of the user flow, seconds.
    pub think: f64,
    /// Goal of the 95th percentile, seconds.
    pub p95: f64,
    /// Goal of the error rate.
    pub errors: f64,
    /// How long the peak is held, seconds.
    pub hold: f64,
    /// What is requested; at least one.
    pub loads: Vec<FeatureLoad>,
    /// Paths seen for each load, where its own is a template.
    pub samples: Vec<Vec<String>>,
}

/// Held for so long unless the plan says otherwise, seconds.
const HOLD_SECONDS: f64 = 300.0;
/// Goals unless the plan has some.
const P95_SECONDS: f64 = 0.5;
const ERROR_RATE: f64 = 0.01;

/// A flow of more requests is not written out: a file of them would be unreadable.
const MAX_FLOW_REQUESTS: usize = 1_000;

/// Methods whose requests have a body.
const METHODS_WITH_BODY: [&str; 3] = ["POST", "PUT", "PATCH"];

impl TestSpec {
    /// Requests that should have a body and have none: no log holds bodies, and they are not made up.
    #[must_use]
    pub fn without_body(&self) -> Vec<String> {
        let features = self.loads.iter().map(|load| &load.feature);
        let bare = features.filter(|feature| {
            feature.body.is_none() && METHODS_WITH_BODY.contains(&feature.method.as_str())
        });
        // It stands in a comment, which a line break would end.
        let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        bare.map(|feature| format!("{} {}", feature.method, feature.path).replace(breaks, " "))
            .collect()
    }

    /// From a plan with a rate; without features everything goes to `/`. `None` without
    /// a rate.
    #[must_use]
    pub fn from_plan(plan: &LoadPlan, target: &str) -> Option<Self> {
        plan.people?;
        let inputs = &plan.inputs;
        let mut loads = plan.features.clone();
        if loads.is_empty() {
            loads.push(FeatureLoad {
                feature: Feature {
                    name: "page".to_owned(),
                    method: "GET".to_owned(),
                    path: "/".to_owned(),
                    body: None,
                    share: Some(1.0),
                    per_user: None,
                    rate: None,
                    p95: None,
                    errors: None,
                },
                share: 1.0,
                peak_rate: plan.peak_rate(),
            });
        }
        let p95 = inputs.goal().unwrap_or(P95_SECONDS);
        let think = inputs.think_time.unwrap_or(0.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number that was typed; what is too many is cut at the bound"
        )]
        let typed = inputs
            .requests_per_iteration
            .map(|typed| (typed as usize).clamp(1, MAX_FLOW_REQUESTS));
        // Unless it was typed, each iteration makes every call once.
        let requests = typed.unwrap_or(loads.len());
        let response = inputs.response_goal().unwrap_or(p95);
        let users = plan.peak_rate() / requests as f64 * (requests as f64 * response + think);
        Some(Self {
            target: target.trim_end_matches('/').to_owned(),
            peak_rate: plan.peak_rate(),
            users: users.ceil().max(1.0),
            requests_per_iteration: requests,
            think,
            p95,
            errors: inputs.error_rate.unwrap_or(ERROR_RATE),
            hold: inputs.duration.unwrap_or(HOLD_SECONDS),
            samples: vec![Vec::new(); loads.len()],
            loads,
        })
    }

    /// The goal of the 95th percentile as goals of runs are typed: `p(95)<500ms`.
    #[must_use]
    pub fn goal(&self) -> String {
        format!("p(95)<{}ms", k6::trimmed(self.p95 * 1000.0))
    }

    /// What the user flow cannot exceed, requests per second, with answers in `response`
    /// seconds.
    #[must_use]
    pub fn flow_ceiling(&self, response: f64) -> f64 {
        let requests = self.requests_per_iteration as f64;
        self.users * requests / (self.think + requests * response)
    }

    /// The goal of a feature's 95th percentile, seconds.
    fn p95_of(&self, feature: &Feature) -> f64 {
        feature.p95.unwrap_or(self.p95)
    }

    fn errors_of(&self, feature: &Feature) -> f64 {
        feature.errors.unwrap_or(self.errors)
    }
}

/// What a test makes of the plan's peak.
#[derive(Debug, Clone, Copy)]
struct Kind {
    name: &'static str,
    /// What it is for, in a line.
    about: fn() -> Message,
    /// Its highest rate over the plan's peak.
    times: f64,
}

const SMOKE: &str = "smoke";
const LOAD: Kind = Kind {
    name: "load",
    about: plan::test_about_load,
    times: 1.0,
};
const STRESS: Kind = Kind {
    name: "stress",
    about: plan::test_about_stress,
    times: 3.0,
};
const SPIKE: Kind = Kind {
    name: "spike",
    about: plan::test_about_spike,
    times: 5.0,
};
const SOAK: Kind = Kind {
    name: "soak",
    about: plan::test_about_soak,
    times: 0.8,
};
const BREAKPOINT: Kind = Kind {
    name: "breakpoint",
    about: plan::test_about_breakpoint,
    times: 10.0,
};

/// An open test's planned peak.
fn planned(file: &str, peak_rate: f64) -> PlannedTest {
    PlannedTest {
        file: file.to_owned(),
        peak_rate,
        requests_per_iteration: 1.0,
        think_time_s: 0.0,
    }
}

/// A whole number of starts per time unit, as exact as tests can be written: the unit is
/// a second, a minute or an hour.
fn whole_rate(rate: f64) -> (u64, &'static str) {
    let whole = |scale: f64| (rate * scale).round().max(1.0);
    let (value, unit) = if (rate - rate.round()).abs() < 1e-9 && rate >= 1.0 || rate >= 1000.0 {
        (whole(1.0), "1s")
    } else if rate >= 1.0 {
        (whole(60.0), "1m")
    } else {
        (whole(3600.0), "1h")
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive and far below 2^53: rates are at most 1e9/s"
    )]
    let value = value as u64;
    (value, unit)
}

/// Rounded up to a whole number that is at least `least`.
fn at_least(value: f64, least: u64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive; a float beyond u64 saturates"
    )]
    let value = value.ceil().max(0.0) as u64;
    value.max(least)
}

/// `300s` or `5m`.
fn length(seconds: f64) -> String {
    let whole = at_least(seconds, 1);
    if whole.is_multiple_of(3600) {
        format!("{}h", whole / 3600)
    } else if whole.is_multiple_of(60) {
        format!("{}m", whole / 60)
    } else {
        format!("{whole}s")
    }
}

#[cfg(test)]
mod tests;
