//! `config` before it is read: flags and environment applied to it, and its templates rendered.

use serde_json::Value;

use super::request::{LoadRequest, LoadResult};
use crate::finding::{Diagnostic, DiagnosticKind};
use crate::functions::{CallContext, FunctionCall, Functions};
use crate::merge::{Lists, merge};
use crate::phrase::Reason;
use crate::template::{TemplateScope, TemplateValue};
use crate::yaml::{Mark, Yaml, YamlMap, YamlNode};
use loadline_units::Random;

/// Renders the templates in `config`.
pub(super) fn render_config(
    root: &mut YamlNode,
    request: &LoadRequest,
    base: &serde_json::Map<String, Value>,
    findings: &mut Vec<Diagnostic>,
) {
    let Yaml::Map(map) = &mut root.value else {
        return;
    };
    let Some(config) = map.get_mut("config") else {
        return;
    };
    let cli = request
        .variables
        .as_deref()
        .and_then(|text| serde_json::from_str(text).ok());
    let scope = ConfigScope {
        base,
        cli,
        random: crate::random::from_system(),
    };
    // Artillery knows only two functions at this point.
    render(config, &scope, &Functions::default(), findings);
}

/// Applies environment, target, timeouts and similar flags to `config`.
pub(super) fn prepare_config(map: &mut YamlMap, request: &LoadRequest, loaded: &mut LoadResult) {
    let mark = map
        .entries()
        .first()
        .map(|entry| entry.key_mark)
        .unwrap_or_default();
    let nothing = || YamlNode {
        mark,
        value: Yaml::Map(YamlMap::default()),
    };
    if map
        .get("config")
        .is_none_or(|config| config.value == Yaml::Null)
    {
        map.set("config", nothing());
    }
    if let Some(text) = &request.overrides {
        // Applied last, over everything; a syntax error is reported now.
        if let Err(error) = serde_json::from_str::<Value>(text) {
            loaded
                .findings
                .push(bad_flag("--overrides", text, error.to_string(), mark));
        }
    }
    if let Some(text) = &request.variables
        && let Err(error) = serde_json::from_str::<serde_json::Map<String, Value>>(text)
    {
        loaded
            .findings
            .push(bad_flag("--variables", text, error.to_string(), mark));
    }
    if let Some(config) = map.get_mut("config") {
        lay_over_config(config, request, loaded, mark);
    }
    if let Some(over) = request
        .overrides
        .as_deref()
        .and_then(|text| serde_json::from_str::<Value>(text).ok())
    {
        let mut whole = YamlNode {
            mark,
            value: Yaml::Map(std::mem::take(map)),
        };
        merge(&mut whole, YamlNode::of_json(&over, mark), Lists::Replaced);
        if let Yaml::Map(merged) = whole.value {
            *map = merged;
        }
    }
    let variables = request
        .variables
        .as_deref()
        .and_then(|text| serde_json::from_str::<serde_json::Map<String, Value>>(text).ok());
    if let (
        Some(variables),
        Some(YamlNode {
            value: Yaml::Map(config),
            ..
        }),
    ) = (variables, map.get_mut("config"))
    {
        if config
            .get("variables")
            .is_none_or(|node| node.value == Yaml::Null)
        {
            config.set("variables", nothing());
        }
        if let Some(YamlNode {
            value: Yaml::Map(own),
            ..
        }) = config.get_mut("variables")
        {
            for (name, value) in variables {
                own.set(&name, YamlNode::of_json(&value, mark));
            }
        }
    }
}

/// The names under `environments` of a `config`.
pub(super) fn environment_names(config: &YamlNode) -> Vec<String> {
    let Some(all) = config.get("environments").and_then(YamlNode::as_map) else {
        return Vec::new();
    };
    all.entries()
        .iter()
        .map(|entry| entry.key.clone())
        .collect()
}

fn lay_over_config(
    config: &mut YamlNode,
    request: &LoadRequest,
    loaded: &mut LoadResult,
    mark: Mark,
) {
    if let Some(name) = &request.environment {
        match config
            .get("environments")
            .and_then(|all| all.get(name))
            .cloned()
        {
            Some(environment) => merge(config, environment, Lists::ByIndex),
            None => loaded.findings.push(Diagnostic {
                mark,
                kind: DiagnosticKind::UnknownEnvironment {
                    name: name.clone(),
                    environments: environment_names(config),
                },
            }),
        }
    }
    let Yaml::Map(map) = &mut config.value else {
        return;
    };
    if let Some(target) = &request.target {
        map.set(
            "target",
            YamlNode {
                mark,
                value: Yaml::Text(target.clone()),
            },
        );
    }
    if request.insecure {
        let over = serde_json::json!({"tls": {"rejectUnauthorized": false}});
        merge(config, YamlNode::of_json(&over, mark), Lists::ByIndex);
    }
    if let (Some(path), Yaml::Map(map)) = (&request.payload, &mut config.value)
        && let Some(YamlNode {
            value: Yaml::Map(payload),
            ..
        }) = map.get_mut("payload")
    {
        let absolute = request.working_dir.join(path);
        payload.set(
            "path",
            YamlNode {
                mark,
                value: Yaml::Text(absolute.display().to_string()),
            },
        );
    }
}

/// The variables and functions that templates in `config` can use.
struct ConfigScope<'b> {
    base: &'b serde_json::Map<String, Value>,
    cli: Option<serde_json::Map<String, Value>>,
    random: Random,
}

impl TemplateScope for ConfigScope<'_> {
    fn variable(&self, name: &str) -> Option<&Value> {
        let of_cli = self.cli.as_ref().and_then(|cli| cli.get(name));
        of_cli.or_else(|| self.base.get(name).filter(|_| name != "target"))
    }

    fn call(&self, call: &FunctionCall) -> Option<String> {
        call.run(&CallContext {
            random: &self.random,
            now_millis: 0,
        })
    }
}

/// Renders the templates of a node.
fn render(
    node: &mut YamlNode,
    scope: &ConfigScope<'_>,
    functions: &Functions,
    findings: &mut Vec<Diagnostic>,
) {
    match &mut node.value {
        Yaml::Text(text) if text.contains("{{") => {
            let template = TemplateValue::text(text, functions);
            let mut roots = Vec::new();
            template.roots(&mut roots);
            for root in roots.iter().filter(|root| scope.variable(root).is_none()) {
                findings.push(Diagnostic {
                    mark: node.mark,
                    kind: DiagnosticKind::NeverSet {
                        variable: (*root).to_owned(),
                    },
                });
            }
            *node = match template.render(scope) {
                Some(value) => YamlNode::of_json(&value, node.mark),
                None => YamlNode {
                    mark: node.mark,
                    value: Yaml::Null,
                },
            };
        }
        Yaml::List(items) => items
            .iter_mut()
            .for_each(|item| render(item, scope, functions, findings)),
        Yaml::Map(map) => {
            // A key whose template has no value is not there.
            let mut kept = YamlMap::default();
            for mut entry in std::mem::take(map).into_entries() {
                let was_null = entry.value.value == Yaml::Null;
                render(&mut entry.value, scope, functions, findings);
                if was_null || entry.value.value != Yaml::Null {
                    kept.insert_new(entry.key, entry.key_mark, entry.value);
                }
            }
            *map = kept;
        }
        _ => {}
    }
}

pub(super) fn bad_flag(flag: &str, value: &str, reason: String, mark: Mark) -> Diagnostic {
    Diagnostic {
        mark,
        kind: DiagnosticKind::BadValue {
            key: flag.to_owned(),
            value: value.to_owned(),
            reason: Reason::Parser(reason),
        },
    }
}
