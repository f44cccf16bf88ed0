//! The plan as stored beside its tests, and its comparison with a run.
//!
//! The load of a plan and of a run may differ unnoticed: a script without think time sends many
//! times the planned load.

use serde::{Deserialize, Serialize};

use crate::plan::LoadPlan;

/// The version that is read; newer files are rejected.
const PLAN_VERSION: u32 = 1;
/// Load that differs by up to this share counts as the planned load.
const SAME_WITHIN: f64 = 0.1;

/// A stored plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanFile {
    /// The format's version.
    pub loadline_plan: u32,
    /// The inputs as text, in order.
    pub inputs: Vec<(String, String)>,
    /// Requests per second at the peak.
    pub peak_rate: f64,
    /// Mean requests per second.
    pub mean_rate: f64,
    /// Requests of one iteration.
    pub requests_per_iteration: f64,
    /// Think time per iteration, in seconds.
    pub think_time_s: f64,
    /// The response-time goal, in seconds.
    pub response_goal_s: Option<f64>,
    /// Virtual users at the peak (Little's law).
    pub peak_users: f64,
    /// Goal of the 95th percentile, seconds.
    pub p95_s: Option<f64>,
    /// Goal of the error rate, 0 to 1.
    pub error_rate: Option<f64>,
    /// Shares of the features.
    pub features: Vec<PlannedFeature>,
    /// Tests written from it.
    pub tests: Vec<PlannedTest>,
}

/// A feature of a stored plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedFeature {
    /// Its name.
    pub name: String,
    /// Its method.
    pub method: String,
    /// Its path.
    pub path: String,
    /// Its share of all requests.
    pub share: f64,
    /// Its requests per second at the peak.
    pub peak_rate: f64,
}

/// A test written from a plan, and its intended load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedTest {
    /// The file's name.
    pub file: String,
    /// Its highest rate in requests per second.
    pub peak_rate: f64,
    /// Its requests per iteration.
    pub requests_per_iteration: f64,
    /// Its think time per iteration, in seconds.
    pub think_time_s: f64,
}

/// Why a file is not a valid plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanFileError {
    /// It is not JSON of this form.
    #[error("no plan: {0}")]
    Malformed(#[from] serde_json::Error),
    /// A newer version wrote it.
    #[error("a plan of version {found}; this program reads version {PLAN_VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// A number in it is not valid.
    #[error("`{field}` is {value}, which cannot be")]
    Value {
        /// The name.
        field: &'static str,
        /// Its value.
        value: f64,
    },
}

/// The load of a test, according to its scenarios.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OfferedLoad {
    /// The highest planned starts per second of open-model scenarios.
    pub starts_per_second: f64,
    /// The users of closed-model scenarios.
    pub closed_users: f64,
}

/// A comparison of the load with the plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviation {
    /// Planned requests per second.
    pub planned: f64,
    /// Requests per second of the test; for closed-model scenarios their ceiling.
    pub offered: f64,
    /// The ceiling of closed-model scenarios at the response-time goal, and with immediate
    /// answers; `None` for open-model ones.
    pub ceiling: Option<(f64, f64)>,
}

impl PlanFile {
    /// The plan to store.
    #[must_use]
    pub fn new(plan: &LoadPlan, tests: Vec<PlannedTest>) -> Self {
        let inputs = &plan.inputs;
        Self {
            loadline_plan: PLAN_VERSION,
            inputs: inputs.written.clone(),
            peak_rate: plan.peak_rate(),
            mean_rate: plan.people.map_or(0.0, |people| people.mean),
            requests_per_iteration: inputs.requests_per_iteration.unwrap_or(1.0),
            think_time_s: inputs.think_time.unwrap_or(0.0),
            response_goal_s: inputs.response_goal().or(inputs.goal()),
            peak_users: plan.peak_users(),
            p95_s: inputs.goal(),
            error_rate: inputs.error_rate,
            features: plan
                .features
                .iter()
                .map(|load| PlannedFeature {
                    name: load.feature.name.clone(),
                    method: load.feature.method.clone(),
                    path: load.feature.path.clone(),
                    share: load.share,
                    peak_rate: load.peak_rate,
                })
                .collect(),
            tests,
        }
    }

    /// Its JSON text, with a newline at the end.
    ///
    /// # Panics
    /// Never: everything in it can be serialised.
    #[must_use]
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("numbers and texts can be written") + "\n"
    }

    /// Parses a stored plan.
    ///
    /// # Errors
    /// [`PlanFileError`].
    pub fn parse(text: &str) -> Result<Self, PlanFileError> {
        let plan: Self = serde_json::from_str(text)?;
        if plan.loadline_plan != PLAN_VERSION {
            return Err(PlanFileError::Version {
                found: plan.loadline_plan,
            });
        }
        let at_least = [
            ("peak_rate", plan.peak_rate, 0.0),
            ("mean_rate", plan.mean_rate, 0.0),
            ("requests_per_iteration", plan.requests_per_iteration, 1.0),
            ("think_time_s", plan.think_time_s, 0.0),
            ("peak_users", plan.peak_users, 0.0),
        ];
        for (field, value, least) in at_least {
            if !value.is_finite() || value < least {
                return Err(PlanFileError::Value { field, value });
            }
        }
        Ok(plan)
    }

    /// The test with this file name.
    #[must_use]
    pub fn test(&self, file: &str) -> Option<&PlannedTest> {
        self.tests.iter().find(|test| test.file == file)
    }

    /// Compares the load of the test `file` with the plan; `None` if there is nothing to compare.
    #[must_use]
    pub fn compare(&self, file: &str, offered: OfferedLoad) -> Option<Deviation> {
        let own = self.test(file);
        let planned = own.map_or(self.peak_rate, |test| test.peak_rate);
        let requests = own.map_or(self.requests_per_iteration, |t| t.requests_per_iteration);
        let think = own.map_or(self.think_time_s, |test| test.think_time_s);
        if planned <= 0.0 {
            return None;
        }
        let open = offered.starts_per_second * requests;
        if offered.closed_users <= 0.0 {
            return (open > 0.0).then_some(Deviation {
                planned,
                offered: open,
                ceiling: None,
            });
        }
        let response = self.response_goal_s.unwrap_or(0.0);
        let rate = |response: f64| offered.closed_users * requests / (think + requests * response);
        let (at_goal, at_best) = (rate(response), rate(0.0));
        Some(Deviation {
            planned,
            offered: open + at_goal,
            ceiling: Some((at_goal, at_best)),
        })
    }
}

impl Deviation {
    /// Compares a measured rate with the plan.
    #[must_use]
    pub const fn measured(planned: f64, rate: f64) -> Self {
        Self {
            planned,
            offered: rate,
            ceiling: None,
        }
    }

    /// The load divided by the planned load.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.offered / self.planned
    }

    /// Whether the load is the planned one, within a tenth.
    #[must_use]
    pub fn is_same(&self) -> bool {
        (self.ratio() - 1.0).abs() <= SAME_WITHIN
    }

    /// Whether the planned rate would not be reached even with immediate answers.
    #[must_use]
    pub fn is_out_of_reach(&self) -> bool {
        self.ceiling.is_some_and(|(_, best)| best < self.planned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlanInputs;

    fn file(given: &[(&str, &str)]) -> PlanFile {
        let mut inputs = PlanInputs::default();
        inputs.read(given.iter().copied()).unwrap();
        PlanFile::new(&LoadPlan::from_inputs(&inputs).unwrap(), Vec::new())
    }

    fn case_c() -> PlanFile {
        file(&[
            ("dau", "10000"),
            ("requests-per-user", "5"),
            ("peak-factor", "10"),
            ("response-time", "100ms"),
            ("think-time", "1s"),
        ])
    }

    #[test]
    fn what_was_written_is_read_again() {
        let plan = case_c();
        assert_eq!(PlanFile::parse(&plan.text()).unwrap(), plan);
    }

    #[test]
    fn a_newer_or_impossible_plan_is_refused() {
        let text = case_c().text();
        let newer = text.replace("\"loadline_plan\": 1", "\"loadline_plan\": 2");
        assert!(matches!(
            PlanFile::parse(&newer),
            Err(PlanFileError::Version { found: 2 })
        ));
        let impossible = text.replace("\"think_time_s\": 1.0", "\"think_time_s\": -1.0");
        assert!(matches!(
            PlanFile::parse(&impossible),
            Err(PlanFileError::Value {
                field: "think_time_s",
                ..
            })
        ));
        assert!(PlanFile::parse("{}").is_err());
    }

    /// Seven users without think time sent 16 times the load that case C had planned.
    #[test]
    fn a_measured_rate_far_from_the_plan_differs() {
        let deviation = Deviation::measured(case_c().peak_rate, 92.6);
        assert!(!deviation.is_same());
        assert!((deviation.ratio() - 16.0).abs() < 0.05);
    }

    #[test]
    fn an_open_test_of_the_planned_rate_is_the_plan() {
        let offered = OfferedLoad {
            starts_per_second: 5.8,
            closed_users: 0.0,
        };
        assert!(case_c().compare("x.js", offered).unwrap().is_same());
    }

    /// Case D: 200 users with two requests and 2.5 s of think time never exceed 160/s.
    #[test]
    fn a_script_that_cannot_reach_the_goal_is_out_of_reach() {
        let plan = file(&[
            ("rate", "200/s"),
            ("requests-per-iteration", "2"),
            ("think-time", "2s..3s"),
            ("response-time", "500ms"),
        ]);
        let offered = OfferedLoad {
            starts_per_second: 0.0,
            closed_users: 200.0,
        };
        let deviation = plan.compare("detail.js", offered).unwrap();
        assert!((deviation.ceiling.unwrap().1 - 160.0).abs() < 1e-9);
        assert!(deviation.is_out_of_reach());
    }
}
