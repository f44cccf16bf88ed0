//! Reads `socketio`, and the steps of Socket.IO flows.

use super::Reader;
use crate::finding::DiagnosticKind;
use crate::keys::KeyScope;
use crate::model::{Config, EmitAnswer, EmitStep};
use crate::phrase::Phrase;
use crate::template::TemplateValue;
use crate::yaml::{Yaml, YamlMap, YamlNode};

impl Reader<'_> {
    pub(super) fn socket_io<'n>(&mut self, node: &'n YamlNode) -> Option<&'n YamlMap> {
        let map = self.map_of("socketio", node)?;
        self.keys(KeyScope::SocketIo, map);
        Some(map)
    }

    /// Lays the options of scenarios over those of `config`. Artillery has one set of options for all,
    /// so each scenario's are everybody's.
    pub(super) fn socket_io_of_scenarios(&mut self, file: &YamlMap, config: &mut Config) {
        let scenarios = file.get("scenarios").and_then(YamlNode::as_list);
        let own: Vec<&YamlNode> = scenarios
            .unwrap_or_default()
            .iter()
            .filter_map(|scenario| scenario.get("socketio"))
            .collect();
        if own.is_empty() {
            return;
        }
        let of_config = file.get("config").and_then(|config| config.get("socketio"));
        let mut all = of_config.cloned().unwrap_or_else(|| YamlNode {
            mark: own[0].mark,
            value: Yaml::Map(YamlMap::default()),
        });
        for node in own {
            let Some(options) = self.socket_io(node) else {
                continue;
            };
            let Yaml::Map(map) = &mut all.value else {
                return;
            };
            for entry in options.entries() {
                map.set(&entry.key, entry.value.clone());
            }
        }
        config.socket_io = Some(self.template(&all));
    }

    pub(super) fn emit(&mut self, map: &YamlMap, node: &YamlNode) -> Option<Box<EmitStep>> {
        let outgoing = match &node.value {
            Yaml::List(items) => items.iter().map(|item| self.template(item)).collect(),
            Yaml::Map(spec) => {
                self.keys(KeyScope::Emit, spec);
                let Some(channel) = spec.get("channel") else {
                    let kind = DiagnosticKind::Missing {
                        key: "channel",
                        place: "emit",
                    };
                    self.find(node.mark, kind);
                    return None;
                };
                let data = spec.get("data").map(|data| self.template(data));
                let none = || TemplateValue::new(&serde_json::Value::Null, &self.options.functions);
                vec![self.template(channel), data.unwrap_or_else(none)]
            }
            _ => {
                self.wrong_type("emit", node, Phrase::ListOrMap);
                return None;
            }
        };
        let response = map.get("response").and_then(|node| {
            let spec = self.map_of("response", node)?;
            self.keys(KeyScope::Response, spec);
            let channel = written(spec, "channel").or_else(|| written(spec, "on"))?;
            Some((self.template(channel), self.emit_answer(spec)))
        });
        let acknowledge = map.get("acknowledge").and_then(|node| {
            if node.value == Yaml::Bool(true) {
                return Some(EmitAnswer::default());
            }
            let spec = self.map_of("acknowledge", node)?;
            self.keys(KeyScope::Acknowledge, spec);
            // The first value of the answer, unless the file says where to look.
            let mut spec = spec.clone();
            for key in ["capture", "match"] {
                if let Some(node) = spec.get_mut(key)
                    && let Yaml::Map(map) = &mut node.value
                    && map.get("json").is_none()
                {
                    let value = Yaml::Text("$.0".to_owned());
                    let mark = node.mark;
                    map.set("json", YamlNode { mark, value });
                }
            }
            Some(self.emit_answer(&spec))
        });
        Some(Box::new(EmitStep {
            namespace: written(map, "namespace").map(|node| self.template(node)),
            outgoing,
            response,
            acknowledge,
        }))
    }

    fn emit_answer(&mut self, map: &YamlMap) -> EmitAnswer {
        let data = written(map, "data").or_else(|| written(map, "args"));
        EmitAnswer {
            data: data.map(|node| self.template(node)),
            joins: written(map, "concat").map(|node| self.template(node)),
            captures: self.captures(map),
            matches: self.matches(map),
        }
    }
}

/// What is there and is not nothing.
fn written<'n>(map: &'n YamlMap, key: &str) -> Option<&'n YamlNode> {
    map.get(key).filter(|node| node.value != Yaml::Null)
}
