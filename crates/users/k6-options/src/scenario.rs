//! A scenario as written in the options.

use std::collections::BTreeMap;

use loadline_testplan::draft::{ExecutorDraft, ScenarioDraft, SignedDuration, StageDraft};
use serde_json::Value;

use super::version::K6Version;

/// A scenario, each part set or not.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioConfig {
    /// When it starts, from the start of the test.
    pub start_time: Option<SignedDuration>,
    /// How long running iterations may go on after its end.
    pub graceful_stop: Option<SignedDuration>,
    /// Environment variables its function sees.
    pub env: Option<BTreeMap<String, String>>,
    /// The exported function it runs.
    pub exec: Option<String>,
    /// Tags of its samples.
    pub tags: Option<BTreeMap<String, String>>,
    /// Options of modules, as written.
    pub options: Option<Value>,
    /// How it makes load.
    pub executor: ExecutorConfig,
}

/// An executor of k6.
#[derive(Debug, Clone, PartialEq)]
pub enum ExecutorConfig {
    /// One that can be planned.
    Planned(ExecutorDraft),
    /// The one whose number of users is set from outside while it runs.
    ExternallyControlled {
        /// Users at the start.
        vus: Option<i64>,
        /// Users at most.
        max_vus: Option<i64>,
        /// How long; zero is for ever.
        duration: Option<SignedDuration>,
    },
}

impl ScenarioConfig {
    /// A scenario of which only the executor is written.
    #[must_use]
    pub fn new(executor: ExecutorConfig) -> Self {
        Self {
            start_time: None,
            graceful_stop: None,
            env: None,
            exec: None,
            tags: None,
            options: None,
            executor,
        }
    }

    /// The function it runs.
    #[must_use]
    pub fn function(&self) -> &str {
        match self.exec.as_deref() {
            None | Some("") => "default",
            Some(exec) => exec,
        }
    }

    /// What `testplan` checks; `None` for the executor it has no plan for.
    #[must_use]
    pub fn to_draft(&self, name: &str) -> Option<ScenarioDraft> {
        let ExecutorConfig::Planned(executor) = &self.executor else {
            return None;
        };
        let pairs = |map: &Option<BTreeMap<String, String>>| {
            let map = map.iter().flatten();
            map.map(|(k, v)| (k.clone(), v.clone())).collect()
        };
        Some(ScenarioDraft {
            start_time: self.start_time,
            graceful_stop: self.graceful_stop,
            exec: self.exec.clone(),
            env: pairs(&self.env),
            tags: pairs(&self.tags),
            ..ScenarioDraft::new(name, executor.clone())
        })
    }
}

impl ExecutorConfig {
    /// The name options use; `None` for a name that means nothing.
    #[must_use]
    pub fn empty(name: &str, version: K6Version) -> Option<Self> {
        let (vus, duration, iterations, max_duration) = (None, None, None, None);
        let (time_unit, pre_allocated_vus, max_vus) = (None, None, None);
        let draft = match name {
            "constant-vus" => ExecutorDraft::ConstantVus { vus, duration },
            "ramping-vus" => ExecutorDraft::RampingVus {
                start_vus: None,
                stages: Vec::new(),
                graceful_ramp_down: None,
            },
            "shared-iterations" => ExecutorDraft::SharedIterations {
                vus,
                iterations,
                max_duration,
            },
            "per-vu-iterations" => ExecutorDraft::PerVuIterations {
                vus,
                iterations,
                max_duration,
            },
            "constant-arrival-rate" => ExecutorDraft::ConstantArrivalRate {
                rate: None,
                time_unit,
                duration,
                pre_allocated_vus,
                max_vus,
            },
            "ramping-arrival-rate" => ExecutorDraft::RampingArrivalRate {
                start_rate: None,
                time_unit,
                stages: Vec::new(),
                pre_allocated_vus,
                max_vus,
            },
            "externally-controlled" if version < K6Version::V2 => {
                return Some(Self::ExternallyControlled {
                    vus,
                    max_vus,
                    duration,
                });
            }
            _ => return None,
        };
        Some(Self::Planned(draft))
    }

    /// The name options use.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Planned(ExecutorDraft::ConstantVus { .. }) => "constant-vus",
            Self::Planned(ExecutorDraft::RampingVus { .. }) => "ramping-vus",
            Self::Planned(ExecutorDraft::SharedIterations { .. }) => "shared-iterations",
            Self::Planned(ExecutorDraft::PerVuIterations { .. }) => "per-vu-iterations",
            Self::Planned(ExecutorDraft::ConstantArrivalRate { .. }) => "constant-arrival-rate",
            Self::Planned(ExecutorDraft::RampingArrivalRate { .. }) => "ramping-arrival-rate",
            Self::Planned(ExecutorDraft::PhasedArrivals { .. }) => "phased-arrivals",
            Self::ExternallyControlled { .. } => "externally-controlled",
        }
    }

    /// Its own fields in the order k6 shows them.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, FieldRef<'_>)> {
        use FieldRef::{Int, Length, Stages};
        match self {
            Self::Planned(ExecutorDraft::ConstantVus { vus, duration }) => {
                vec![("vus", Int(vus)), ("duration", Length(duration))]
            }
            Self::Planned(ExecutorDraft::RampingVus {
                start_vus,
                stages,
                graceful_ramp_down,
            }) => vec![
                ("startVUs", Int(start_vus)),
                ("stages", Stages(stages)),
                ("gracefulRampDown", Length(graceful_ramp_down)),
            ],
            Self::Planned(
                ExecutorDraft::SharedIterations {
                    vus,
                    iterations,
                    max_duration,
                }
                | ExecutorDraft::PerVuIterations {
                    vus,
                    iterations,
                    max_duration,
                },
            ) => vec![
                ("vus", Int(vus)),
                ("iterations", Int(iterations)),
                ("maxDuration", Length(max_duration)),
            ],
            Self::Planned(ExecutorDraft::ConstantArrivalRate {
                rate,
                time_unit,
                duration,
                pre_allocated_vus,
                max_vus,
            }) => vec![
                ("rate", Int(rate)),
                ("timeUnit", Length(time_unit)),
                ("duration", Length(duration)),
                ("preAllocatedVUs", Int(pre_allocated_vus)),
                ("maxVUs", Int(max_vus)),
            ],
            Self::Planned(ExecutorDraft::RampingArrivalRate {
                start_rate,
                time_unit,
                stages,
                pre_allocated_vus,
                max_vus,
            }) => vec![
                ("startRate", Int(start_rate)),
                ("timeUnit", Length(time_unit)),
                ("stages", Stages(stages)),
                ("preAllocatedVUs", Int(pre_allocated_vus)),
                ("maxVUs", Int(max_vus)),
            ],
            // Not k6's: it has no fields that k6 shows.
            Self::Planned(ExecutorDraft::PhasedArrivals { .. }) => Vec::new(),
            Self::ExternallyControlled {
                vus,
                max_vus,
                duration,
            } => vec![
                ("vus", Int(vus)),
                ("duration", Length(duration)),
                ("maxVUs", Int(max_vus)),
            ],
        }
    }
}

/// A field of an executor.
#[derive(Debug, Clone, Copy)]
pub enum FieldRef<'a> {
    /// A whole number.
    Int(&'a Option<i64>),
    /// A length of time.
    Length(&'a Option<SignedDuration>),
    /// Stages.
    Stages(&'a [StageDraft]),
}
