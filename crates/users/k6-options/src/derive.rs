//! Makes a plan from merged options.

use std::collections::BTreeMap;

use loadline_metrics::threshold::ThresholdSource;
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, SignedDuration};

use super::consolidate::ConsolidatedOptions;
use super::error::{ConfigMistake, Conflict, OptionsError, UnsupportedFeature, Warning};
use super::scenario::{ExecutorConfig, ScenarioConfig};
use super::set::Options;
use super::sources::ExtraSettings;
use super::values::Segment;
use super::version::K6Version;

/// The scenario that shortcuts make.
const DEFAULT_SCENARIO: &str = "default";

/// A test that can run.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedTest {
    /// The options with the scenarios that shortcuts make, as scripts see them.
    pub options: Options,
    /// What to run.
    pub plan: Plan,
    /// Settings that are not options.
    pub extras: ExtraSettings,
    /// What to say, in k6's order.
    pub warnings: Vec<Warning>,
}

impl ConsolidatedOptions {
    /// Turns shortcuts into scenarios and checks them. `is_exported` says whether the
    /// script exports a function of that name.
    ///
    /// # Errors
    /// [`OptionsError`]; mistakes in scenarios are listed together.
    pub fn derive(
        mut self,
        is_exported: impl Fn(&str) -> bool,
    ) -> Result<DerivedTest, OptionsError> {
        let scenarios = derive_scenarios(&self.options, &mut self.warnings)?;
        if runs_once_per_user(&self.options) {
            self.options.iterations = self.options.vus;
        }
        let checked = Plan::check(draft(&self.options, &scenarios));
        let mut mistakes: Vec<_> = segment_mistake(&self.options).into_iter().collect();
        let plan = checked.map_err(|found| {
            mistakes.extend(found.into_iter().map(ConfigMistake::Plan));
        });
        for (name, scenario) in &scenarios {
            if !is_exported(scenario.function()) {
                mistakes.push(ConfigMistake::MissingFunction {
                    scenario: name.clone(),
                    function: scenario.function().to_owned(),
                });
            }
        }
        let Ok(plan) = plan else {
            return Err(OptionsError::Invalid(mistakes));
        };
        if !mistakes.is_empty() {
            return Err(OptionsError::Invalid(mistakes));
        }
        if let Some(unsupported) = unsupported(&scenarios) {
            return Err(OptionsError::Unsupported(unsupported));
        }
        self.options
            .dns
            .checked_ttl()
            .map_err(OptionsError::DnsTtl)?;
        self.options.scenarios = Some(scenarios);
        let plan = part_of(&self.options, plan)?;
        Ok(DerivedTest {
            options: self.options,
            plan,
            extras: self.extras,
            warnings: self.warnings,
        })
    }
}

type Scenarios = BTreeMap<String, ScenarioConfig>;

/// The scenarios as written, or the one that the shortcuts mean.
fn derive_scenarios(
    options: &Options,
    warnings: &mut Vec<Warning>,
) -> Result<Scenarios, OptionsError> {
    let both = |one, other| Err(OptionsError::Conflict(Conflict::Both(one, other)));
    let stages = options.stages.as_deref().unwrap_or_default();
    let vus = options.vus;
    let executor = if let Some(iterations) = options.iterations {
        if !stages.is_empty() {
            return both("iterations", "stages");
        }
        if options.scenarios.is_some() {
            return both("iterations", "scenarios");
        }
        ExecutorDraft::SharedIterations {
            vus,
            iterations: Some(iterations),
            max_duration: options.duration,
        }
    } else if let Some(duration) = options.duration {
        if !stages.is_empty() {
            return both("duration", "stages");
        }
        if options.scenarios.is_some() {
            return both("duration", "scenarios");
        }
        if duration <= SignedDuration(0) {
            return Err(OptionsError::Conflict(Conflict::NoDuration));
        }
        let duration = Some(duration);
        ExecutorDraft::ConstantVus { vus, duration }
    } else if !stages.is_empty() {
        if options.scenarios.is_some() {
            return both("stages", "scenarios");
        }
        ExecutorDraft::RampingVus {
            start_vus: vus,
            stages: stages.to_vec(),
            graceful_ramp_down: None,
        }
    } else if runs_once_per_user(options) {
        if let (Some(vus), Some(_)) = (vus, &options.scenarios) {
            warnings.push(Warning::ScenariosOverriddenByVus(vus));
        }
        ExecutorDraft::SharedIterations {
            vus,
            iterations: vus,
            max_duration: None,
        }
    } else {
        match &options.scenarios {
            Some(scenarios) if !scenarios.is_empty() => return Ok(scenarios.clone()),
            _ => once(options, warnings),
        }
    };
    let scenario = ScenarioConfig::new(ExecutorConfig::Planned(executor));
    Ok(BTreeMap::from([(DEFAULT_SCENARIO.to_owned(), scenario)]))
}

/// Whether the number of users is all that is said: since version 2 each runs once then.
fn runs_once_per_user(options: &Options) -> bool {
    options.version >= K6Version::V2
        && options.vus.is_some()
        && options.stages.is_none()
        && options.iterations.is_none()
        && options.duration.is_none()
}

/// What runs when nothing says what to run.
fn once(options: &Options, warnings: &mut Vec<Warning>) -> ExecutorDraft {
    let is_told = options.version < K6Version::V2;
    if let Some(vus) = options.vus.filter(|vus| *vus != 1 && is_told) {
        warnings.push(Warning::VusIgnored(vus));
    }
    if options.stages.is_some() {
        warnings.push(Warning::NoStages);
    }
    if options.scenarios.is_some() {
        warnings.push(Warning::NoScenarios);
    }
    ExecutorDraft::PerVuIterations {
        vus: None,
        iterations: None,
        max_duration: None,
    }
}

fn draft(options: &Options, scenarios: &Scenarios) -> PlanDraft {
    let scenarios = scenarios.iter();
    let tags = options.tags.iter().flatten();
    PlanDraft {
        scenarios: scenarios
            .filter_map(|(name, scenario)| scenario.to_draft(name))
            .map(|mut scenario| {
                if let ExecutorDraft::RampingVus {
                    graceful_ramp_down: Some(time),
                    ..
                } = &mut scenario.executor
                {
                    // k6 takes less than none as none.
                    *time = SignedDuration(time.0.max(0));
                }
                scenario
            })
            .collect(),
        thresholds: options.threshold_sources(),
        tags: tags.map(|(k, v)| (k.clone(), v.clone())).collect(),
        setup_timeout: options.setup_timeout,
        // k6 takes no time and less as a time that is over at once.
        teardown_timeout: options
            .teardown_timeout
            .map(|time| SignedDuration(time.0.max(1))),
        min_iteration_duration: options.min_iteration_duration,
        max_requests_per_second: options.rps,
    }
}

impl Options {
    /// The thresholds as [`super::compile_thresholds`] takes them once the script has
    /// declared its metrics.
    #[must_use]
    pub fn threshold_sources(&self) -> Vec<ThresholdSource> {
        let thresholds = self.thresholds.iter().flatten();
        thresholds
            .map(|(metric, conditions)| ThresholdSource {
                metric: metric.clone(),
                conditions: conditions.iter().map(Into::into).collect(),
            })
            .collect()
    }
}

fn segment_mistake(options: &Options) -> Option<ConfigMistake> {
    let sequence = options.execution_segment_sequence.as_ref()?;
    let segment = options.execution_segment.unwrap_or_else(Segment::whole);
    (!sequence.contains(&segment)).then(|| ConfigMistake::SegmentNotFound {
        segment,
        sequence: sequence.clone(),
    })
}

fn unsupported(scenarios: &Scenarios) -> Option<UnsupportedFeature> {
    let external = scenarios.iter().find(|(_, scenario)| {
        matches!(
            scenario.executor,
            ExecutorConfig::ExternallyControlled { .. }
        )
    });
    if let Some((scenario, _)) = external {
        let scenario = scenario.clone();
        return Some(UnsupportedFeature::ExternallyControlled { scenario });
    }
    None
}

/// The part of the plan that the execution segment names.
fn part_of(options: &Options, plan: Plan) -> Result<Plan, OptionsError> {
    let segment = match options.execution_segment {
        Some(segment) if segment != Segment::whole() => segment,
        _ => return Ok(plan),
    };
    let sequence = options.execution_segment_sequence.clone();
    let (stripes, place) = sequence
        .unwrap_or_default()
        .stripes(&segment)
        .map_err(|cause| OptionsError::Unsupported(UnsupportedFeature::Segment(segment, cause)))?;
    Ok(plan.part(&stripes, place))
}
