//! Reads scenarios from JSON. Unlike in other options, an unknown key is an error.

use std::collections::BTreeMap;

use loadline_testplan::draft::{ExecutorDraft, StageDraft};
use loadline_units::nearest;

use super::json::{Node, OptionReadError, Reader, field_named};
use super::scenario::{ExecutorConfig, ScenarioConfig};
use super::version::K6Version;

/// Reads all scenarios; `None` for null.
pub(super) fn read(
    reader: &Reader<'_>,
    version: K6Version,
) -> Result<Option<BTreeMap<String, ScenarioConfig>>, OptionReadError> {
    if reader.is_null() {
        return Ok(None);
    }
    let reader = reader.with_own_reader();
    let entries = reader.entries("map[string]lib.protoExecutorConfig")?;
    // k6 looks at all executors' names before it looks at anything else.
    let mut scenarios: BTreeMap<&str, (Reader<'_>, String)> = BTreeMap::new();
    for (name, node) in entries {
        let scenario = reader.item(node).with_own_reader();
        let executor = executor_name(&scenario)?;
        scenarios.insert(name, (scenario, executor));
    }
    let mut read = BTreeMap::new();
    for (name, (scenario, executor)) in scenarios {
        if executor.is_empty() {
            return Err(OptionReadError::Other(format!(
                "scenario '{name}' doesn't have a specified executor type"
            )));
        }
        let config = ExecutorConfig::empty(&executor, version)
            .ok_or_else(|| OptionReadError::Other(format!("unknown executor type '{executor}'")))?;
        let config = read_one(&scenario, ScenarioConfig::new(config))?;
        read.insert(name.to_owned(), config);
    }
    Ok(Some(read))
}

/// Names in scenarios that mean nothing, with the one that was probably meant.
pub(super) fn unknown_fields(
    scenarios: &serde_json::Value,
    version: K6Version,
) -> Vec<(String, Option<&'static str>)> {
    let mut unknown = Vec::new();
    for scenario in scenarios
        .as_object()
        .into_iter()
        .flat_map(|all| all.values())
    {
        let executor = scenario["executor"].as_str();
        let Some(config) = executor.and_then(|name| ExecutorConfig::empty(name, version)) else {
            continue;
        };
        let own = config.fields().into_iter().map(|field| field.0);
        let known: Vec<&'static str> = own.chain(COMMON).collect();
        let written = scenario.as_object().into_iter().flat_map(|all| all.keys());
        for name in written.filter(|name| field_named(name, &known).is_none()) {
            unknown.push((name.clone(), nearest(name, known.iter().copied())));
        }
    }
    unknown
}

/// Names of executors that mean nothing, with the one that was probably meant.
#[must_use]
pub fn unknown_executors(
    scenarios: &serde_json::Value,
    version: K6Version,
) -> Vec<(String, Option<&'static str>)> {
    let scenarios = scenarios.as_object().into_iter();
    let written = scenarios
        .flat_map(|all| all.values())
        .filter_map(|scenario| scenario["executor"].as_str())
        .filter(|name| !name.is_empty() && ExecutorConfig::empty(name, version).is_none());
    // "vu" for "vus", "ramping_vus" for "ramping-vus".
    let meant = |name: &str| {
        let plain = name.replace('_', "-").to_lowercase();
        let same = EXECUTORS.into_iter().find(|known| *known == plain);
        same.or_else(|| nearest(&plain, EXECUTORS))
    };
    written.map(|name| (name.to_owned(), meant(name))).collect()
}

const EXECUTORS: [&str; 6] = [
    "constant-arrival-rate",
    "constant-vus",
    "per-vu-iterations",
    "ramping-arrival-rate",
    "ramping-vus",
    "shared-iterations",
];

fn executor_name(scenario: &Reader<'_>) -> Result<String, OptionReadError> {
    let entries = scenario.entries(r#"struct { ExecutorType string "json:\"executor\"" }"#)?;
    let mut name = String::new();
    for (written, node) in entries {
        if field_named(written, &["executor"]).is_some() {
            name = scenario.field("executor", node).text()?;
        }
    }
    Ok(name)
}

const COMMON: [&str; 7] = [
    "executor",
    "startTime",
    "gracefulStop",
    "env",
    "exec",
    "tags",
    "options",
];

fn read_one(
    scenario: &Reader<'_>,
    mut config: ScenarioConfig,
) -> Result<ScenarioConfig, OptionReadError> {
    let own: Vec<&'static str> = config.executor.fields().iter().map(|f| f.0).collect();
    for (written, node) in scenario.entries("a scenario")? {
        if let Some(field) = field_named(written, &own) {
            read_own(&mut config.executor, field, &scenario.field(field, node))?;
        } else if let Some(field) = field_named(written, &COMMON) {
            read_common(&mut config, field, scenario, node)?;
        } else {
            return Err(OptionReadError::Unknown(written.clone()));
        }
    }
    Ok(config)
}

fn read_common(
    config: &mut ScenarioConfig,
    field: &'static str,
    scenario: &Reader<'_>,
    node: &Node,
) -> Result<(), OptionReadError> {
    let reader = scenario.through("BaseConfig");
    let reader = reader.field(field, node);
    match field {
        "startTime" => config.start_time = reader.optional_duration()?,
        "gracefulStop" => config.graceful_stop = reader.optional_duration()?,
        "env" => config.env = reader.text_map()?,
        "exec" => config.exec = reader.optional_text()?,
        "tags" => config.tags = reader.text_map()?,
        "options" if !reader.is_null() => {
            for (written, node) in reader.entries("lib.ScenarioOptions")? {
                let field = field_named(written, &["browser"]);
                let field = field.ok_or_else(|| OptionReadError::Unknown(written.clone()))?;
                let browser = reader.field(field, node);
                browser.entries("map[string]interface {}")?;
            }
            config.options = Some(node.to_value());
        }
        // The executor's name is read already.
        _ => {}
    }
    Ok(())
}

fn read_own(
    executor: &mut ExecutorConfig,
    field: &'static str,
    reader: &Reader<'_>,
) -> Result<(), OptionReadError> {
    use ExecutorDraft as D;
    match executor {
        ExecutorConfig::ExternallyControlled {
            vus,
            max_vus,
            duration,
        } => match field {
            "vus" => *vus = reader.optional_int()?,
            "maxVUs" => *max_vus = reader.optional_int()?,
            _ => *duration = reader.optional_duration()?,
        },
        ExecutorConfig::Planned(D::ConstantVus { vus, duration }) => match field {
            "vus" => *vus = reader.optional_int()?,
            _ => *duration = reader.optional_duration()?,
        },
        ExecutorConfig::Planned(D::RampingVus {
            start_vus,
            stages,
            graceful_ramp_down,
        }) => match field {
            "startVUs" => *start_vus = reader.optional_int()?,
            "stages" => *stages = read_stages(reader)?,
            _ => *graceful_ramp_down = reader.optional_duration()?,
        },
        ExecutorConfig::Planned(
            D::SharedIterations {
                vus,
                iterations,
                max_duration,
            }
            | D::PerVuIterations {
                vus,
                iterations,
                max_duration,
            },
        ) => match field {
            "vus" => *vus = reader.optional_int()?,
            "iterations" => *iterations = reader.optional_int()?,
            _ => *max_duration = reader.optional_duration()?,
        },
        ExecutorConfig::Planned(D::ConstantArrivalRate {
            rate,
            time_unit,
            duration,
            pre_allocated_vus,
            max_vus,
        }) => match field {
            "rate" => *rate = reader.optional_int()?,
            "timeUnit" => *time_unit = reader.optional_duration()?,
            "duration" => *duration = reader.optional_duration()?,
            "preAllocatedVUs" => *pre_allocated_vus = reader.optional_int()?,
            _ => *max_vus = reader.optional_int()?,
        },
        ExecutorConfig::Planned(D::RampingArrivalRate {
            start_rate,
            time_unit,
            stages,
            pre_allocated_vus,
            max_vus,
        }) => match field {
            "startRate" => *start_rate = reader.optional_int()?,
            "timeUnit" => *time_unit = reader.optional_duration()?,
            "stages" => *stages = read_stages(reader)?,
            "preAllocatedVUs" => *pre_allocated_vus = reader.optional_int()?,
            _ => *max_vus = reader.optional_int()?,
        },
        // Not k6's: no script can name it, so it has no fields to read.
        ExecutorConfig::Planned(D::PhasedArrivals { .. }) => {}
    }
    Ok(())
}

/// An executor's stages; unlike those of the shortcut they may have no other names.
fn read_stages(reader: &Reader<'_>) -> Result<Vec<StageDraft>, OptionReadError> {
    let items = reader.items("[]executor.Stage")?.unwrap_or_default();
    let stages = items.iter().map(|item| {
        let mut stage = StageDraft::default();
        for (written, node) in item.entries("executor.Stage")? {
            match field_named(written, &["duration", "target"]) {
                Some("duration") => {
                    stage.duration = item.field("duration", node).optional_duration()?;
                }
                Some(_) => stage.target = item.field("target", node).optional_int()?,
                None => return Err(OptionReadError::Unknown(written.clone())),
            }
        }
        Ok(stage)
    });
    stages.collect()
}
