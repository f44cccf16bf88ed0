//! Converts a document into a [`Script`]: checks every key and collects all errors.
//!
//! Elsewhere: files and merging in [`crate::load`], the list of keys in [`crate::keys`], likely
//! mistakes across the whole file in [`crate::lint`].

mod as_meant;
mod config;
mod request;
mod scenario;
mod socket_io;
mod verbs;

pub(crate) use scenario::count_of_text;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::finding::{Diagnostic, DiagnosticKind, Severity};
use crate::functions::Functions;
use crate::keys::{self, KeyScope, KeySupport};
use crate::model::Script;
use crate::phrase::{Phrase, Reason};
use crate::template::TemplateValue;
use crate::text::text_to_number;
use crate::yaml::{Mark, Yaml, YamlMap, YamlNode};

/// Options for reading.
#[derive(Debug, Clone)]
pub(crate) struct ReadOptions {
    /// Functions that templates may call.
    pub(crate) functions: Functions,
    /// Keep Artillery's quirks.
    pub(crate) strict_compat: bool,
}

/// The result of reading.
#[derive(Debug)]
pub(crate) struct ReadResult {
    pub(crate) script: Option<Script>,
    pub(crate) findings: Vec<Diagnostic>,
    /// How many keys are used, and how many of them are supported.
    pub(crate) keys_used: usize,
    pub(crate) keys_supported: usize,
}

/// Reads a merged and rendered document.
pub(crate) fn read(root: &YamlNode, options: &ReadOptions) -> ReadResult {
    let mut result = read_as_written(root, options);
    if result.script.is_none() {
        as_meant::complete(&mut result, root, options);
    }
    result
}

fn read_as_written(root: &YamlNode, options: &ReadOptions) -> ReadResult {
    let mut reader = Reader {
        options,
        findings: Vec::new(),
        used: BTreeSet::new(),
    };
    let script = reader.script(root);
    let is_broken = reader
        .findings
        .iter()
        .any(|finding| finding.kind.severity() == Severity::Error);
    let supported = reader
        .used
        .iter()
        .filter(|(_, _, supported)| *supported)
        .count();
    ReadResult {
        script: script.filter(|_| !is_broken),
        keys_used: reader.used.len(),
        keys_supported: supported,
        findings: reader.findings,
    }
}

/// Reads a request again after a processor changed it; keeps its captures and matches.
pub(crate) fn request_of(
    method: &str,
    spec: &Value,
    before: &crate::model::HttpRequest,
    config: &crate::model::Config,
    options: &ReadOptions,
) -> Option<crate::model::HttpRequest> {
    let mut reader = Reader {
        options,
        findings: Vec::new(),
        used: BTreeSet::new(),
    };
    let node = YamlNode::of_json(spec, before.mark);
    let read = reader.request(method, before.mark, &node, config)?;
    Some(crate::model::HttpRequest {
        captures: before.captures.clone(),
        matches: before.matches.clone(),
        if_true: None,
        probability: None,
        ..read
    })
}

pub(crate) struct Reader<'o> {
    options: &'o ReadOptions,
    findings: Vec<Diagnostic>,
    /// Scope, key, whether it is supported.
    used: BTreeSet<(KeyScope, String, bool)>,
}

impl Reader<'_> {
    fn find(&mut self, mark: Mark, kind: DiagnosticKind) {
        self.findings.push(Diagnostic { mark, kind });
    }

    fn wrong_type(&mut self, key: &str, node: &YamlNode, expected: Phrase) {
        self.find(
            node.mark,
            DiagnosticKind::WrongType {
                key: key.to_owned(),
                expected,
                found: node.kind(),
            },
        );
    }

    fn bad_value(&mut self, key: &str, node: &YamlNode, reason: impl Into<Reason>) {
        self.find(
            node.mark,
            DiagnosticKind::BadValue {
                key: key.to_owned(),
                value: shown(node),
                reason: reason.into(),
            },
        );
    }

    /// Checks the keys of a map that has a scope.
    fn keys(&mut self, place: KeyScope, map: &YamlMap) {
        for entry in map.entries() {
            self.key(place, &entry.key, entry.key_mark);
        }
    }

    fn key(&mut self, place: KeyScope, name: &str, mark: Mark) {
        let support = keys::find(place, name).map(|key| key.support);
        let supported = support == Some(KeySupport::Supported);
        self.used.insert((place, name.to_owned(), supported));
        let key = name.to_owned();
        match support {
            Some(KeySupport::Supported) => {}
            Some(KeySupport::Ignored(reason)) => {
                self.find(mark, DiagnosticKind::Ignored { key, reason })
            }
            Some(KeySupport::Missing(reason)) => {
                self.find(mark, DiagnosticKind::Refused { what: key, reason });
            }
            None => self.unknown(place, key, mark),
        }
    }

    fn unknown(&mut self, place: KeyScope, key: String, mark: Mark) {
        let under = place.name();
        let kind = match keys::elsewhere(place, &key) {
            Some(KeyScope::Step) if place == KeyScope::Request && verbs::is_verb(&key) => {
                DiagnosticKind::StepInside { key, under }
            }
            Some(place) => DiagnosticKind::Misplaced {
                key,
                under,
                belongs: place.name(),
            },
            None => DiagnosticKind::UnknownKey {
                nearest: keys::nearest(place, &key),
                key,
                under,
            },
        };
        self.find(mark, kind);
    }

    fn script(&mut self, root: &YamlNode) -> Option<Script> {
        let Yaml::Map(map) = &root.value else {
            self.wrong_type("the file", root, Phrase::MapOfFile);
            return None;
        };
        self.keys(KeyScope::Top, map);
        let config = match map.get("config") {
            None => crate::model::Config::default(),
            Some(node) => self.config(node)?,
        };
        let mut config = config;
        self.socket_io_of_scenarios(map, &mut config);
        let scenarios = match map.get("scenarios") {
            Some(YamlNode {
                value: Yaml::List(items),
                ..
            }) if !items.is_empty() => items
                .iter()
                .filter_map(|item| self.scenario(item, &config))
                .collect(),
            Some(YamlNode {
                value: Yaml::List(_),
                mark,
            }) => {
                self.find(*mark, DiagnosticKind::NoScenarios);
                Vec::new()
            }
            Some(node) => {
                self.wrong_type("scenarios", node, Phrase::List);
                Vec::new()
            }
            None => {
                self.find(root.mark, DiagnosticKind::NoScenarios);
                Vec::new()
            }
        };
        let mut hook = |name: &str| map.get(name).and_then(|node| self.scenario(node, &config));
        let (before, after) = (hook("before"), hook("after"));
        Some(Script {
            config,
            scenarios,
            before,
            after,
        })
    }

    fn template(&self, node: &YamlNode) -> TemplateValue {
        TemplateValue::new(&node.to_json(), &self.options.functions)
    }

    fn text_template(&self, text: &str) -> TemplateValue {
        TemplateValue::text(text, &self.options.functions)
    }

    fn map_of<'n>(&mut self, key: &str, node: &'n YamlNode) -> Option<&'n YamlMap> {
        match &node.value {
            Yaml::Map(map) => Some(map),
            Yaml::Null => None,
            _ => {
                self.wrong_type(key, node, Phrase::Map);
                None
            }
        }
    }

    /// A text, or a scalar converted to one.
    fn text_of(&mut self, key: &str, node: &YamlNode) -> Option<String> {
        match &node.value {
            Yaml::Text(_) | Yaml::Date(_) | Yaml::Number(_) | Yaml::Bool(_) => {
                Some(crate::text::to_text(Some(&node.to_json())))
            }
            _ => {
                self.wrong_type(key, node, Phrase::Text);
                None
            }
        }
    }

    fn text_at(&mut self, map: &YamlMap, key: &str) -> Option<String> {
        let node = map.get(key).filter(|node| node.value != Yaml::Null)?;
        self.text_of(key, node)
    }

    /// A number, or a text that contains one.
    fn number_of(&mut self, key: &str, node: &YamlNode) -> Option<f64> {
        let number = match &node.value {
            Yaml::Number(number) => Some(*number),
            Yaml::Text(text) => Some(text_to_number(text)).filter(|number| !number.is_nan()),
            _ => None,
        };
        if number.is_none_or(|number| !number.is_finite()) {
            self.wrong_type(key, node, Phrase::Number);
            return None;
        }
        number
    }

    fn number_at(&mut self, map: &YamlMap, key: &str) -> Option<f64> {
        let node = map.get(key).filter(|node| node.value != Yaml::Null)?;
        self.number_of(key, node)
    }

    fn flag_at(&mut self, map: &YamlMap, key: &str) -> Option<bool> {
        let node = map.get(key)?;
        match &node.value {
            Yaml::Bool(flag) => Some(*flag),
            Yaml::Text(text) if text == "true" => Some(true),
            Yaml::Text(text) if text == "false" => Some(false),
            Yaml::Null => None,
            _ => {
                self.wrong_type(key, node, Phrase::TrueOrFalse);
                None
            }
        }
    }

    /// A text or a list of texts.
    fn texts_at(&mut self, map: &YamlMap, key: &str) -> Vec<String> {
        let Some(node) = map.get(key) else {
            return Vec::new();
        };
        match &node.value {
            Yaml::Null => Vec::new(),
            Yaml::List(items) => items
                .iter()
                .filter_map(|item| self.text_of(key, item))
                .collect(),
            _ => self.text_of(key, node).into_iter().collect(),
        }
    }

    /// Headers in lower case with their templates. A known key among them is in the wrong place.
    fn headers(&mut self, node: &YamlNode, under: &'static str) -> Vec<(String, TemplateValue)> {
        let Some(map) = self.map_of("headers", node) else {
            return Vec::new();
        };
        let mut headers = Vec::new();
        for entry in map.entries() {
            let is_nested = matches!(entry.value.value, Yaml::List(_) | Yaml::Map(_));
            if is_nested && keys::find(KeyScope::Request, &entry.key).is_some() {
                self.used
                    .insert((KeyScope::Request, entry.key.clone(), false));
                self.find(
                    entry.key_mark,
                    DiagnosticKind::Misplaced {
                        key: entry.key.clone(),
                        under,
                        belongs: KeyScope::Request.name(),
                    },
                );
            }
            headers.push((entry.key.to_lowercase(), self.template(&entry.value)));
        }
        headers
    }

    /// The pairs of a map, with templates.
    fn pairs(&mut self, key: &str, node: &YamlNode) -> Vec<(String, TemplateValue)> {
        let Some(map) = self.map_of(key, node) else {
            return Vec::new();
        };
        map.entries()
            .iter()
            .map(|entry| (entry.key.clone(), self.template(&entry.value)))
            .collect()
    }
}

/// A node as shown in a diagnostic.
fn shown(node: &YamlNode) -> String {
    let text = match node.to_json() {
        Value::String(text) => text,
        value => value.to_string(),
    };
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}
