//! `config` before it is read: what flags and the environment lay over it, and its templates.

use serde_json::Value;

use super::{LoadRequest, Loaded, bad_flag};
use crate::finding::{Finding, FindingKind};
use crate::functions::{Call, Functions, Needs};
use crate::merge::{Lists, merge};
use crate::random::Random;
use crate::template::{Scope, Template};
use crate::yaml::{Map, Mark, Node, Yaml};

/// Fills in what the configuration says with `{{ }}`.
pub(super) fn render_config(
    root: &mut Node,
    request: &LoadRequest,
    base: &serde_json::Map<String, Value>,
    findings: &mut Vec<Finding>,
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
        random: Random::from_system(),
    };
    // Only the two functions of upstream are known at this point.
    render(config, &scope, &Functions::default(), findings);
}

/// Environment, target, time-outs and the like, laid over `config`.
pub(super) fn prepare_config(map: &mut Map, request: &LoadRequest, loaded: &mut Loaded) {
    let mark = map
        .entries()
        .first()
        .map(|entry| entry.key_mark)
        .unwrap_or_default();
    let nothing = || Node {
        mark,
        value: Yaml::Map(Map::default()),
    };
    if map
        .get("config")
        .is_none_or(|config| config.value == Yaml::Null)
    {
        map.set("config", nothing());
    }
    if let Some(text) = &request.overrides {
        // Laid over everything, at the end; a wrong text is told now.
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
        let mut whole = Node {
            mark,
            value: Yaml::Map(std::mem::take(map)),
        };
        merge(&mut whole, Node::of_json(&over, mark), Lists::Replaced);
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
        Some(Node {
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
        if let Some(Node {
            value: Yaml::Map(own),
            ..
        }) = config.get_mut("variables")
        {
            for (name, value) in variables {
                own.set(&name, Node::of_json(&value, mark));
            }
        }
    }
}

fn lay_over_config(config: &mut Node, request: &LoadRequest, loaded: &mut Loaded, mark: Mark) {
    if let Some(name) = &request.environment {
        match config
            .get("environments")
            .and_then(|all| all.get(name))
            .cloned()
        {
            Some(environment) => merge(config, environment, Lists::ByIndex),
            None => loaded.findings.push(Finding {
                mark,
                kind: FindingKind::UnknownEnvironment { name: name.clone() },
            }),
        }
    }
    let Yaml::Map(map) = &mut config.value else {
        return;
    };
    if let Some(target) = &request.target {
        map.set(
            "target",
            Node {
                mark,
                value: Yaml::Text(target.clone()),
            },
        );
    }
    if request.insecure {
        let over = serde_json::json!({"tls": {"rejectUnauthorized": false}});
        merge(config, Node::of_json(&over, mark), Lists::ByIndex);
    }
    if let (Some(path), Yaml::Map(map)) = (&request.payload, &mut config.value)
        && let Some(Node {
            value: Yaml::Map(payload),
            ..
        }) = map.get_mut("payload")
    {
        let absolute = request.working_dir.join(path);
        payload.set(
            "path",
            Node {
                mark,
                value: Yaml::Text(absolute.display().to_string()),
            },
        );
    }
}

/// What templates in `config` see.
struct ConfigScope<'b> {
    base: &'b serde_json::Map<String, Value>,
    cli: Option<serde_json::Map<String, Value>>,
    random: Random,
}

impl Scope for ConfigScope<'_> {
    fn variable(&self, name: &str) -> Option<&Value> {
        let of_cli = self.cli.as_ref().and_then(|cli| cli.get(name));
        of_cli.or_else(|| self.base.get(name).filter(|_| name != "target"))
    }

    fn call(&self, call: &Call) -> Option<String> {
        call.run(&Needs {
            random: &self.random,
            now_millis: 0,
        })
    }
}

/// Fills in the templates of a node.
fn render(
    node: &mut Node,
    scope: &ConfigScope<'_>,
    functions: &Functions,
    findings: &mut Vec<Finding>,
) {
    match &mut node.value {
        Yaml::Text(text) if text.contains("{{") => {
            let template = Template::text(text, functions);
            let mut roots = Vec::new();
            template.roots(&mut roots);
            for root in roots.iter().filter(|root| scope.variable(root).is_none()) {
                findings.push(Finding {
                    mark: node.mark,
                    kind: FindingKind::NeverSet {
                        variable: (*root).to_owned(),
                    },
                });
            }
            *node = match template.render(scope) {
                Some(value) => Node::of_json(&value, node.mark),
                None => Node {
                    mark: node.mark,
                    value: Yaml::Null,
                },
            };
        }
        Yaml::List(items) => items
            .iter_mut()
            .for_each(|item| render(item, scope, functions, findings)),
        Yaml::Map(map) => map
            .entries_mut()
            .for_each(|entry| render(&mut entry.value, scope, functions, findings)),
        _ => {}
    }
}
