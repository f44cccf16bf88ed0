//! Mistakes in the texts of a document: braces that nothing closes, functions that do not exist.

use crate::finding::{Diagnostic, DiagnosticKind};
use crate::functions::{self, Functions};
use crate::template::unknown_calls;
use crate::yaml::{Yaml, YamlNode};

/// Looks through all texts below a node, keys among them.
pub(crate) fn check(node: &YamlNode, functions: &Functions, findings: &mut Vec<Diagnostic>) {
    match &node.value {
        Yaml::Text(text) => check_text(text, node, functions, findings),
        Yaml::List(items) => items
            .iter()
            .for_each(|item| check(item, functions, findings)),
        Yaml::Map(map) => map
            .entries()
            .iter()
            .for_each(|entry| check(&entry.value, functions, findings)),
        _ => {}
    }
}

fn check_text(text: &str, node: &YamlNode, functions: &Functions, findings: &mut Vec<Diagnostic>) {
    let mut find = |kind| {
        findings.push(Diagnostic {
            mark: node.mark,
            kind,
        });
    };
    let is_open = text
        .rsplit_once("{{")
        .is_some_and(|(_, rest)| !rest.contains("}}"));
    if is_open {
        find(DiagnosticKind::Unclosed {
            text: text.chars().take(60).collect(),
        });
    }
    for name in unknown_calls(text, functions) {
        let known = functions::names(functions);
        find(DiagnosticKind::UnknownFunction {
            nearest: loadline_units::nearest(&name, known.iter().map(String::as_str))
                .map(str::to_owned),
            name,
        });
    }
}
