//! What k6 does with 475 sets of options, and the same here.
//!
//! `tests/cases.json` has the options, flags, variables and files; `tests/recorded.json`
//! what k6 made of them, recorded by `tests/record.py`. The few cases in which
//! this program does something else on purpose are listed in [`DIFFERENT`].

use std::collections::BTreeMap;

use loadline_metrics::{Registry, Submetrics};
use loadline_testplan::Plan;
use loadline_units::duration::go_string;
use serde_json::{Map, Value, json};

use super::flags::{self, Runtime};
use super::{
    DerivedTest, ExitCode, K6Version, Layers, OptionsLayer, ScriptOptions, Warning,
    compile_thresholds,
};

/// Cases that end otherwise than in k6, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("externally-controlled defaults", "not supported"),
    ("externally-controlled bad", "not supported"),
    ("flags out bad", "the caller knows what outputs there are"),
    ("env out bad", "the caller knows what outputs there are"),
    ("flags secret source bad", "the caller reads secret sources"),
    ("env unprefixed names", "k6 takes CLOUD for its option"),
    ("env type bad", "the caller knows what tests there are"),
    ("flags type bad", "the caller knows what tests there are"),
    ("config missing", "the caller reads files"),
];

/// What came of a case.
#[derive(Debug, Default)]
struct CaseResult {
    /// Why it does not run, in k6's words, and the exit code.
    error: Option<(String, u8)>,
    warnings: Vec<(String, Option<String>)>,
    test: Option<DerivedTest>,
}

impl CaseResult {
    fn refused(text: impl ToString, exit: ExitCode) -> Self {
        Self {
            error: Some((text.to_string(), exit.code())),
            ..Self::default()
        }
    }

    fn warn(&mut self, warnings: &[Warning]) {
        let told = warnings.iter().map(|w| (w.message(), w.error()));
        self.warnings.extend(told);
    }
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let values = value.and_then(Value::as_array).into_iter().flatten();
    values
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// Goes the way of a run, as far as options are concerned.
fn outcome(case: &Value) -> CaseResult {
    let mut arguments = strings(case.get("args"));
    match case.get("script") {
        Some(script) => arguments.extend(strings(Some(script))),
        None => arguments.push("script.js".to_owned()),
    }
    arguments.insert(0, "--k6-version=1.8".to_owned());
    let parsed = match flags::parse_with(&[flags::VERSION_FLAG], &arguments) {
        Ok(parsed) => parsed,
        Err(error) => return CaseResult::refused(error.to_string(), error.exit()),
    };
    if let Err(error) = parsed.script() {
        return CaseResult::refused(error.to_string(), error.exit());
    }
    let environment: BTreeMap<String, String> = case
        .get("env")
        .map(|env| serde_json::from_value(env.clone()).unwrap())
        .unwrap_or_default();
    match parsed.run.resolve(&environment) {
        Err(error) => CaseResult::refused(&error, error.exit()),
        Ok(runtime) => {
            let read = with_runtime(case, parsed.settings, &runtime, &environment);
            // Judged once everything else was read.
            match flags::check_traces_output(&runtime.traces_output) {
                Err(text) if read.error.is_none() => CaseResult::refused(text, ExitCode::Other),
                _ => read,
            }
        }
    }
}

fn with_runtime(
    case: &Value,
    flags: OptionsLayer,
    runtime: &Runtime,
    environment: &BTreeMap<String, String>,
) -> CaseResult {
    let mut outcome = CaseResult::default();
    outcome.warn(&runtime.warnings);
    let mut layers = Layers {
        flags,
        version: runtime.version,
        ..Layers::default()
    };
    if let Some(exported) = case.get("options") {
        match ScriptOptions::read(exported, runtime.version) {
            Ok(script) => layers.script = script,
            Err(error) => {
                let text = format!(
                    "could not initialize 'script.js': could not load JS test 'file:///script.js': {error}"
                );
                return CaseResult::refused(text, error.exit());
            }
        }
    }
    let config = case.get("config").map(|config| match config {
        Value::String(text) => text.clone(),
        config => config.to_string(),
    });
    let read = || {
        if let Some(text) = config {
            layers.config_file =
                OptionsLayer::read_config_file("config.json", &text, runtime.version)?;
        }
        layers.environment = OptionsLayer::read_environment(environment)?;
        layers.consolidate()
    };
    let consolidated = match read() {
        Ok(consolidated) => consolidated,
        Err(error) => return CaseResult::refused(&error, error.exit()),
    };
    let told = consolidated.warnings.len();
    outcome.warn(&consolidated.warnings);
    let exported = |name: &str| ["setup", "default", "other"].contains(&name);
    let judged = judge(&consolidated, runtime);
    if let Err(text) = judged {
        return CaseResult {
            error: Some((text, 104)),
            ..outcome
        };
    }
    match consolidated.derive(exported) {
        Ok(test) => {
            outcome.warn(&test.warnings[told..]);
            outcome.test = Some(test);
        }
        Err(error) => outcome.error = Some((error.to_string(), error.exit().code())),
    }
    outcome
}

fn judge(consolidated: &super::ConsolidatedOptions, runtime: &Runtime) -> Result<(), String> {
    let compiled = compile_thresholds(
        &consolidated.options.threshold_sources(),
        runtime.thresholds,
        &Registry::new(),
        &mut Submetrics::default(),
    );
    compiled.map(drop).map_err(|mistakes| mistakes.to_string())
}

/// Why a case does not run with its exit code, and what is said on the way.
type Messages = (Option<(String, u8)>, Vec<(String, Option<String>)>);

fn recorded_outcome(seen: &Value) -> Messages {
    let exit = seen["exit"].as_u64().unwrap();
    let mut warnings = Vec::new();
    let mut error = None;
    for line in seen["log"].as_array().unwrap() {
        let text = match line.get("plain").and_then(Value::as_str) {
            Some(plain) => plain_message(plain),
            None => line["msg"].as_str().unwrap().to_owned(),
        };
        if line.get("level") == Some(&json!("warning")) {
            let error = line.get("error").and_then(Value::as_str);
            warnings.push((text, error.map(str::to_owned)));
        } else if exit != 108 {
            error = Some((text, u8::try_from(exit).unwrap()));
        }
    }
    (error, warnings)
}

/// The message of a line `level=error msg="…"`.
fn plain_message(line: &str) -> String {
    let quoted = line.split_once("msg=").unwrap().1;
    serde_json::from_str(quoted).unwrap()
}

struct Recorded {
    cases: Vec<(Value, Value)>,
    default: Map<String, Value>,
}

fn recorded() -> Recorded {
    let cases: Vec<Value> = serde_json::from_str(include_str!("tests/cases.json")).unwrap();
    let mut file: Value = serde_json::from_str(include_str!("tests/recorded.json")).unwrap();
    let seen: Vec<Value> = serde_json::from_value(file["cases"].take()).unwrap();
    assert_eq!(cases.len(), seen.len(), "run record.py again");
    let cases: Vec<_> = cases.into_iter().zip(seen).collect();
    for (case, seen) in &cases {
        assert_eq!(case["name"], seen["name"], "run record.py again");
    }
    let default = serde_json::from_value(file["default"].take()).unwrap();
    Recorded { cases, default }
}

/// The cases that must end as in k6.
fn comparable(recorded: &Recorded) -> impl Iterator<Item = (&str, &Value, &Value)> {
    recorded.cases.iter().filter_map(|(case, seen)| {
        let name = case["name"].as_str().unwrap();
        let different = DIFFERENT.iter().any(|(other, _)| *other == name);
        (!different).then_some((name, case, seen))
    })
}

/// Collects what differs, so that one run shows all of it.
fn report(differences: &[String]) {
    assert!(
        differences.is_empty(),
        "{} differ:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

#[test]
fn errors_and_warnings_are_k6s() {
    let recorded = recorded();
    let mut differences = Vec::new();
    for (name, case, seen) in comparable(&recorded) {
        let (error, warnings) = recorded_outcome(seen);
        let ours = outcome(case);
        if ours.error != error || ours.warnings != warnings {
            differences.push(format!(
                "{name}:\n  k6   {error:?} {warnings:?}\n  ours {:?} {:?}",
                ours.error, ours.warnings
            ));
        }
    }
    report(&differences);
}

#[test]
fn what_is_listed_as_different_is() {
    let recorded = recorded();
    for (name, why) in DIFFERENT {
        let found = recorded
            .cases
            .iter()
            .find(|(case, _)| case["name"] == *name);
        let (case, seen) = found.unwrap_or_else(|| panic!("there is no case {name}"));
        let ours = outcome(case);
        let same = (ours.error, ours.warnings) == recorded_outcome(seen);
        assert!(!same, "{name} is as in k6 now, though listed: {why}");
    }
}

#[test]
fn consolidated_options_are_k6s() {
    let recorded = recorded();
    let mut differences = Vec::new();
    for (name, case, seen) in comparable(&recorded) {
        let Some(changed) = seen.get("consolidated").and_then(Value::as_object) else {
            continue;
        };
        let Some(test) = outcome(case).test else {
            differences.push(format!("{name}: does not run"));
            continue;
        };
        let mut expected = recorded.default.clone();
        expected.extend(changed.clone());
        let Value::Object(ours) = test.options.to_test_options() else {
            panic!("an object is shown");
        };
        for (option, value) in &expected {
            if ours.get(option) != Some(value) {
                let ours = ours.get(option);
                differences.push(format!("{name}: {option}\n  k6   {value}\n  ours {ours:?}"));
            }
        }
        let extra = ours.keys().find(|option| !expected.contains_key(*option));
        if let Some(extra) = extra {
            differences.push(format!("{name}: {extra} is not in k6"));
        }
    }
    report(&differences);
}

/// What k6 writes back in forms of its own language, which scripts cannot use: scenarios
/// are an object of functions, segments are empty objects, networks are bytes, cipher
/// suites are numbers.
const OPAQUE: [&str; 5] = [
    "tlsCipherSuites",
    "scenarios",
    "executionSegment",
    "executionSegmentSequence",
    "blacklistIPs",
];

#[test]
fn options_are_written_back_as_k6_does() {
    let recorded = recorded();
    let mut differences = Vec::new();
    for (name, case, seen) in comparable(&recorded) {
        let (Some(exported), Some(test)) = (case.get("options"), outcome(case).test) else {
            continue;
        };
        let Some(names) = seen.get("written_names") else {
            continue;
        };
        let mut ours = exported.as_object().cloned().unwrap_or_default();
        ours.extend(test.options.to_write_back());
        let mut our_names: Vec<&String> = ours.keys().collect();
        our_names.sort();
        let mut names = strings(Some(names));
        names.retain(|name| name != "cloud,omitempty");
        if our_names.iter().copied().ne(&names) {
            differences.push(format!("{name}: k6 {names:?} ours {our_names:?}"));
        }
        for (option, value) in seen["written"].as_object().unwrap() {
            let known = ours.get(option).is_none_or(|ours| ours == value);
            let opaque = OPAQUE.contains(&option.as_str()) || option == "ext";
            if !known && !opaque {
                differences.push(format!("{name}: {option} {value} ours {:?}", ours[option]));
            }
        }
    }
    report(&differences);
}

#[test]
fn plans_last_as_long_and_need_as_many_users_as_in_k6() {
    let recorded = recorded();
    let mut differences = Vec::new();
    let mut compared = 0;
    for (name, case, seen) in comparable(&recorded) {
        let (Some(needed), Some(test)) = (seen.get("requirements"), outcome(case).test) else {
            continue;
        };
        // Recorded without the script's own arguments; and without users k6 plans no time.
        if case.get("script").is_some() || needed["maxVUs"] == 0 {
            continue;
        }
        compared += 1;
        let plan: &Plan = &test.plan;
        let ours = json!({
            "totalDuration": go_string(plan.latest_end()),
            "maxVUs": plan.possible_vus(),
        });
        if &ours != needed {
            differences.push(format!("{name}: k6 {needed} ours {ours}"));
        }
    }
    report(&differences);
    assert!(compared > 100, "only {compared} compared");
}

#[test]
fn what_is_not_supported_is_refused_with_what_to_use_instead() {
    let external = json!({"scenarios": {"s": {
        "executor": "externally-controlled", "vus": 1, "maxVUs": 2, "duration": "1s",
    }}});
    let refused = outcome(&json!({"options": external})).error.unwrap();
    assert!(refused.0.contains("use constant-vus"), "{}", refused.0);
    assert_eq!(refused.1, 104);
    let fine = json!({"options": {"executionSegment": "1/999999:1/999998"}});
    let refused = outcome(&fine);
    assert!(refused.error.unwrap().0.contains("common denominator"));
}

#[test]
fn options_nested_too_deeply_are_refused() {
    let deep = (0..300).fold(json!(1), |inner, _| json!([inner]));
    let error = ScriptOptions::read(&json!({"ext": deep}), K6Version::V2).unwrap_err();
    assert_eq!(error.to_string(), "exceeded max depth");
}

#[test]
fn every_option_may_be_null() {
    let names = recorded().default;
    let all: Map<_, _> = names
        .keys()
        .filter(|name| !["consoleOutput", "localIPs"].contains(&name.as_str()))
        .map(|name| (name.clone(), Value::Null))
        .collect();
    let read = ScriptOptions::read(&Value::Object(all), K6Version::V2).unwrap();
    assert_eq!(read, ScriptOptions::default());
}
