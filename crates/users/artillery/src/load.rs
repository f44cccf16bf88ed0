//! Makes a test of files and flags: reads, merges, renders and checks them.
//!
//! The order is Artillery's: files are merged, then the environment, target, overrides and
//! variables are applied; templates in `config` are rendered; then the rows are read.

mod config;
mod program;
mod request;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use config::{environment_names, prepare_config, render_config};
pub use request::{LoadRequest, LoadResult};

use crate::finding::{Diagnostic, DiagnosticKind, Severity};
use crate::functions::Functions;
use crate::lint;
use crate::merge::{Lists, merge};
use crate::model::{Config, PayloadConfig, PhaseArrivals, PhaseConfig};
use crate::payload::{CsvTable, Payload, parse_table};
use crate::read::{ReadOptions, read};
pub use crate::test::{LoadedTest, PhaseSum};
use crate::text::{number_text, text_to_number};
use crate::yaml::{self, Mark, Yaml, YamlNode};

/// The largest file that is read, in bytes.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Loads a test.
#[must_use]
pub fn load(request: &LoadRequest) -> LoadResult {
    let mut findings = Vec::new();
    let mut root: Option<YamlNode> = None;
    let mut printed = String::new();
    for (number, name) in request.files.iter().enumerate() {
        let file = u16::try_from(number).unwrap_or(u16::MAX);
        if request.inline.is_none() && is_program(name) {
            let mark = Mark {
                file,
                line: 1,
                column: 1,
            };
            let path = request.working_dir.join(name);
            match program::read(&path, request, &mut printed) {
                Ok(value) => take(&mut root, YamlNode::of_json(&value, mark)),
                Err(reason) => findings.push(Diagnostic {
                    mark,
                    kind: DiagnosticKind::Syntax { reason },
                }),
            }
            continue;
        }
        let text = match (&request.inline, number) {
            (Some(text), 0) => Ok(text.clone()),
            _ => read_file(&request.working_dir.join(name))
                .map_err(|reason| unreadable(file, name, reason)),
        };
        let node = text.and_then(|text| {
            yaml::parse(&text, file).map_err(|error| Diagnostic {
                mark: error.mark,
                kind: DiagnosticKind::Syntax {
                    reason: error.reason,
                },
            })
        });
        match node {
            Ok(node) => take(&mut root, node),
            Err(finding) => findings.push(finding),
        }
    }
    let mut loaded = LoadResult {
        test: None,
        findings,
        files: request.files.clone(),
        keys: (0, 0),
        printed,
    };
    if let Some(root) = root.filter(|_| loaded.findings.is_empty()) {
        build(root, request, &mut loaded);
    }
    loaded.findings.sort_by_key(|finding| finding.mark);
    loaded
}

/// Whether a file is a test written in JavaScript or TypeScript.
fn is_program(name: &str) -> bool {
    let name = name.to_lowercase();
    name.ends_with(".js") || name.ends_with(".ts")
}

/// Merges a file over those before it.
fn take(root: &mut Option<YamlNode>, node: YamlNode) {
    match root {
        None => *root = Some(node),
        Some(root) => merge(root, node, Lists::ByIndex),
    }
}

fn unreadable(file: u16, path: &str, reason: String) -> Diagnostic {
    Diagnostic {
        mark: Mark {
            file,
            line: 1,
            column: 1,
        },
        kind: DiagnosticKind::Unreadable {
            path: path.to_owned(),
            reason,
        },
    }
}

fn read_file(path: &Path) -> Result<String, String> {
    let length = std::fs::metadata(path)
        .map_err(|error| error.to_string())?
        .len();
    if length > FILE_BYTES_MAX {
        return Err(format!("larger than {FILE_BYTES_MAX} bytes"));
    }
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn build(mut root: YamlNode, request: &LoadRequest, loaded: &mut LoadResult) {
    let has_target = target_is_written(&root, request);
    let script_path = request.files.first().map_or("", String::as_str);
    let script_path = request.working_dir.join(script_path);
    if let Yaml::Map(map) = &mut root.value {
        prepare_config(map, request, loaded);
    }
    let base = base_variables(request, &script_path);
    let functions = Functions::new(
        root.get("config")
            .and_then(|config| config.get("plugins")?.get("fake-data"))
            .is_some(),
    );
    render_config(&mut root, request, &base, &mut loaded.findings);
    let options = ReadOptions {
        functions: functions.clone(),
        strict_compat: request.strict_compat,
    };
    lint::texts::check(&root, &functions, &mut loaded.findings);
    let mut read = read(&root, &options);
    loaded.findings.append(&mut read.findings);
    loaded.keys = (read.keys_used, read.keys_supported);
    let Some(mut script) = read.script else {
        return;
    };
    if script.config.target.is_empty() && !has_target {
        let environments = unused_environments(&root, request);
        loaded.findings.push(Diagnostic {
            mark: root.mark,
            kind: DiagnosticKind::NoTarget { environments },
        });
        return;
    }
    if script.config.phases.is_empty() || request.solo {
        script.config.phases = vec![solo()];
    }
    let folder = script_path
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default();
    let payloads = payloads(&script.config, &folder, &mut loaded.findings);
    let sum = lint::sum(&script);
    lint::check(&script, &payloads, &base, sum, &mut loaded.findings);
    lint::ensure::check(&script, ensure_mark(&root), &mut loaded.findings);
    lint::functions::without_processor(&script, &mut loaded.findings);
    check_length(request, sum, &root, &mut loaded.findings);
    let processor = script.config.processor.as_ref();
    let processor = processor.map(|(written, mark)| {
        let path = processor_path(written, &folder, request);
        if let Err(error) = std::fs::metadata(&path) {
            let kind = DiagnosticKind::NoProcessorFile {
                path: written.clone(),
                reason: error.to_string(),
            };
            loaded.findings.push(Diagnostic { mark: *mark, kind });
        }
        path
    });
    if loaded
        .findings
        .iter()
        .any(|finding| finding.kind.severity() == Severity::Error)
    {
        return;
    }
    let mut base = base;
    base.insert(
        "target".to_owned(),
        Value::String(script.config.target.clone()),
    );
    loaded.test = Some(LoadedTest {
        script,
        payloads,
        base,
        folder,
        processor,
        trust: request.trust_of_test(),
        sum,
        functions,
        strict_compat: request.strict_compat,
    });
}

/// Compares the length of the phases with the one that was expected.
fn check_length(
    request: &LoadRequest,
    sum: PhaseSum,
    root: &YamlNode,
    findings: &mut Vec<Diagnostic>,
) {
    if let Some(expected) = request.expect_length.filter(|length| *length != sum.length) {
        let phases = root.get("config").and_then(|config| config.get("phases"));
        findings.push(Diagnostic {
            mark: phases.map_or(root.mark, |node| node.mark),
            kind: DiagnosticKind::LengthMismatch {
                planned: format!("{:?}", sum.length),
                expected: format!("{expected:?}"),
            },
        });
    }
}

/// Where the checks of `ensure` are.
fn ensure_mark(root: &YamlNode) -> Mark {
    let ensure = root.get("config").and_then(|config| {
        let plugins = config.get("plugins");
        let own = plugins.and_then(|plugins| plugins.get("ensure"));
        own.or_else(|| config.get("ensure"))
    });
    ensure.map_or(root.mark, |node| node.mark)
}

/// The phase of a test without phases: one user.
fn solo() -> PhaseConfig {
    PhaseConfig {
        name: None,
        length: Duration::from_secs(1),
        written: "1".to_owned(),
        arrivals: PhaseArrivals::Count(1),
        most: None,
    }
}

/// Environments that could have been chosen, and none was.
fn unused_environments(root: &YamlNode, request: &LoadRequest) -> Vec<String> {
    let config = root.get("config").filter(|_| request.environment.is_none());
    config.map(environment_names).unwrap_or_default()
}

fn target_is_written(root: &YamlNode, request: &LoadRequest) -> bool {
    let config = root.get("config");
    let of_environment = request
        .environment
        .as_deref()
        .and_then(|name| config?.get("environments")?.get(name)?.get("target"));
    // Artillery refuses an empty text, too.
    let of_config = config
        .and_then(|config| config.get("target"))
        .is_some_and(|node| !matches!(&node.value, Yaml::Text(text) if text.is_empty()));
    of_config || of_environment.is_some()
}

/// The processor's path: beside the file of `--config` if it exists there, otherwise beside the
/// script.
fn processor_path(path: &str, folder: &Path, request: &LoadRequest) -> PathBuf {
    if let Some(config) = &request.config_file {
        let beside = request.working_dir.join(config);
        let beside = beside.parent().map(|folder| folder.join(path));
        if let Some(beside) = beside.filter(|path| path.exists()) {
            return beside;
        }
    }
    folder.join(path)
}

/// Variables that all users have.
fn base_variables(request: &LoadRequest, script_path: &Path) -> serde_json::Map<String, Value> {
    let env: serde_json::Map<String, Value> = request
        .env
        .iter()
        .map(|(k, v)| (k.clone(), Value::String(v.clone())))
        .collect();
    let config_path = request.config_file.as_ref().map_or_else(
        || script_path.to_path_buf(),
        |file| request.working_dir.join(file),
    );
    let mut base = serde_json::Map::new();
    let mut set = |name: &str, value: Value| base.insert(name.to_owned(), value);
    set("target", Value::Null);
    if let Some(name) = &request.environment {
        set("$environment", Value::String(name.clone()));
    }
    set("$processEnvironment", Value::Object(env.clone()));
    set("$env", Value::Object(env));
    set("$testId", Value::String(request.test_id.clone()));
    let folder = config_path.parent().unwrap_or(Path::new("."));
    set("$dirname", Value::String(folder.display().to_string()));
    set(
        "$scenarioFile",
        Value::String(script_path.display().to_string()),
    );
    base
}

/// Fields whose texts are other numbers: `01012345678` is sent as 1012345678, as by Artillery.
fn digits_lost(spec: &PayloadConfig, table: &CsvTable, findings: &mut Vec<Diagnostic>) {
    for (column, text) in &table.changed {
        if let Some(field) = spec.fields.get(*column) {
            findings.push(Diagnostic {
                mark: spec.mark,
                kind: DiagnosticKind::DigitsLost {
                    path: spec.path.clone(),
                    field: field.clone(),
                    text: text.clone(),
                    number: number_text(text_to_number(text)),
                },
            });
        }
    }
}

fn payloads(config: &Config, folder: &Path, findings: &mut Vec<Diagnostic>) -> Vec<Payload> {
    let mut payloads = Vec::new();
    for spec in &config.payloads {
        let path = folder.join(&spec.path);
        let rows = read_file(&path)
            .and_then(|text| parse_table(&text, &spec.csv).map_err(|error| error.to_string()));
        match rows {
            Ok(table) => {
                digits_lost(spec, &table, findings);
                payloads.push(Payload::new(spec.clone(), table.rows));
            }
            Err(reason) => findings.push(Diagnostic {
                mark: spec.mark,
                kind: DiagnosticKind::Unreadable {
                    path: spec.path.clone(),
                    reason,
                },
            }),
        }
    }
    payloads
}
