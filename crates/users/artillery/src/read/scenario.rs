//! Reads `scenarios`, `before`, `after`, and the steps of their flows.

use serde_json::Value;

use super::Reader;
use super::verbs::VERBS;
use crate::finding::DiagnosticKind;
use crate::keys::{self, KeyScope};
use crate::model::{
    Config, Connect, EngineKind, FlowStep, Loop, LoopCount, LoopSource, ScenarioSpec, Think,
    WsMessage,
};
use crate::phrase::Phrase;
use crate::text::{Path, text_to_number};
use crate::yaml::{Yaml, YamlEntry, YamlMap, YamlNode};

/// The default number of parallel steps.
const DEFAULT_PARALLEL_STEPS: usize = 100;

impl Reader<'_> {
    pub(super) fn scenario(&mut self, node: &YamlNode, config: &Config) -> Option<ScenarioSpec> {
        let Yaml::Map(map) = &node.value else {
            self.wrong_type("scenario", node, Phrase::MapOfScenario);
            return None;
        };
        self.keys(KeyScope::Scenario, map);
        let engine = self.engine(map)?;
        let of_http = [
            "beforeScenario",
            "afterScenario",
            "beforeRequest",
            "afterResponse",
            "onError",
        ];
        if engine == EngineKind::SocketIo {
            let written = map.entries().iter();
            for entry in written.filter(|entry| of_http.contains(&entry.key.as_str())) {
                let key = entry.key.clone();
                let reason = Phrase::IgnoredByArtillery;
                self.find(entry.key_mark, DiagnosticKind::Ignored { key, reason });
            }
        }
        let hooks = |reader: &mut Self, key: &str| {
            if engine == EngineKind::SocketIo {
                return Vec::new();
            }
            let names = reader.texts_at(map, key);
            names
                .iter()
                .map(|name| reader.text_template(name))
                .collect()
        };
        let scenario = ScenarioSpec {
            name: self.text_at(map, "name"),
            mark: node.mark,
            weight: match map.get("weight") {
                Some(weight) => self.template(weight),
                None => {
                    crate::template::TemplateValue::new(&Value::from(1), &self.options.functions)
                }
            },
            engine,
            before_scenario: self.texts_at(map, "beforeScenario"),
            after_scenario: self.texts_at(map, "afterScenario"),
            before_request: hooks(self, "beforeRequest"),
            after_response: hooks(self, "afterResponse"),
            on_error: match engine {
                EngineKind::SocketIo => Vec::new(),
                EngineKind::Http | EngineKind::Ws => self.texts_at(map, "onError"),
            },
            flow: Vec::new(),
        };
        let flow = match map.get("flow") {
            Some(YamlNode {
                value: Yaml::List(items),
                ..
            }) => items,
            Some(node) => {
                self.wrong_type("flow", node, Phrase::Steps);
                return None;
            }
            None => {
                self.find(
                    node.mark,
                    DiagnosticKind::Missing {
                        key: "flow",
                        place: "scenario",
                    },
                );
                return None;
            }
        };
        let flow = self.steps(flow, engine, config);
        Some(ScenarioSpec { flow, ..scenario })
    }

    fn engine(&mut self, map: &YamlMap) -> Option<EngineKind> {
        let Some(node) = map.get("engine").filter(|node| node.value != Yaml::Null) else {
            return Some(EngineKind::Http);
        };
        let name = self.text_of("engine", node)?;
        let reason = match name.as_str() {
            "http" => return Some(EngineKind::Http),
            "ws" | "websocket" => return Some(EngineKind::Ws),
            "socketio" => return Some(EngineKind::SocketIo),
            "playwright" => Phrase::Browsers,
            _ => Phrase::Engines,
        };
        let what = format!("engine: {name}");
        self.find(node.mark, DiagnosticKind::Refused { what, reason });
        None
    }

    /// Reads steps; lists inside the list (from YAML references) are flattened.
    fn steps(&mut self, items: &[YamlNode], engine: EngineKind, config: &Config) -> Vec<FlowStep> {
        let mut steps = Vec::new();
        for item in items {
            match &item.value {
                Yaml::List(inner) => {
                    steps.extend(
                        inner
                            .iter()
                            .filter_map(|item| self.step(item, engine, config)),
                    );
                }
                _ => steps.extend(self.step(item, engine, config)),
            }
        }
        steps
    }

    fn step(&mut self, node: &YamlNode, engine: EngineKind, config: &Config) -> Option<FlowStep> {
        let Yaml::Map(map) = &node.value else {
            self.wrong_type("step", node, Phrase::Step);
            return None;
        };
        let Some(first) = map.entries().first() else {
            self.wrong_type("step", node, Phrase::Step);
            return None;
        };
        let has = |key: &str| map.get(key).filter(|node| node.value != Yaml::Null);
        let verbs: Vec<&str> = map
            .entries()
            .iter()
            .map(|entry| entry.key.as_str())
            .filter(|key| VERBS.contains(key))
            .collect();
        if verbs.len() > 1 {
            // Artillery would run one of them and drop the others.
            let keys = verbs.join(", ");
            self.find(node.mark, DiagnosticKind::SeveralVerbs { keys });
            return None;
        }
        if let Some(steps) = has("loop") {
            self.keys(KeyScope::Step, map);
            return self.read_loop(map, steps, engine, config);
        }
        if let Some(steps) = has("parallel") {
            self.keys(KeyScope::Step, map);
            let Yaml::List(items) = &steps.value else {
                self.wrong_type("parallel", steps, Phrase::Steps);
                return None;
            };
            let limit = self.number_at(map, "limit").filter(|limit| *limit >= 1.0);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "at least 1; a cast saturates"
            )]
            let limit = limit.map_or(DEFAULT_PARALLEL_STEPS, |limit| limit as usize);
            return Some(FlowStep::Parallel {
                steps: self.steps(items, engine, config),
                limit,
            });
        }
        if let Some(time) = map.get("think") {
            self.keys(KeyScope::Step, map);
            return self.think(map, time);
        }
        if let Some(text) = map.get("log") {
            self.keys(KeyScope::Step, map);
            return Some(FlowStep::Log(self.template(text)));
        }
        if let Some(name) = has("function") {
            self.keys(KeyScope::Step, map);
            return self.text_of("function", name).map(FlowStep::Function);
        }
        if let Some(emit) = has("emit") {
            self.keys(KeyScope::Step, map);
            if engine == EngineKind::SocketIo {
                return self.emit(map, emit).map(FlowStep::Emit);
            }
            let what = "emit".to_owned();
            let reason = Phrase::SocketIo;
            self.find(node.mark, DiagnosticKind::Refused { what, reason });
            return None;
        }
        if engine == EngineKind::Ws {
            self.keys(KeyScope::Step, map);
            return self.ws_step(map, node);
        }
        for entry in &map.entries()[1..] {
            // Only the first key counts; the others have no effect.
            self.unknown(KeyScope::Step, entry.key.clone(), entry.key_mark);
        }
        self.verb(first);
        self.request(&first.key, first.key_mark, &first.value, config)
            .map(|mut request| {
                if engine == EngineKind::SocketIo {
                    // Artillery's plugins see no requests of this engine.
                    request.endpoint = None;
                    request.expect.clear();
                }
                FlowStep::Request(Box::new(request))
            })
    }

    /// The key of a request. Any key is a method, as in Artillery; one that is none is most likely a mistake.
    fn verb(&mut self, entry: &YamlEntry) {
        let is_request = entry.value.get("url").is_some() || entry.value.get("uri").is_some();
        let is_known = keys::find(KeyScope::Step, &entry.key).is_some();
        if is_known || !is_request || keys::elsewhere(KeyScope::Step, &entry.key).is_some() {
            return self.key(KeyScope::Step, &entry.key, entry.key_mark);
        }
        let kind = DiagnosticKind::UnknownVerb {
            nearest: loadline_units::nearest(&entry.key, VERBS.iter().take(7).copied()),
            key: entry.key.clone(),
        };
        self.used.insert((KeyScope::Step, entry.key.clone(), false));
        self.find(entry.key_mark, kind);
    }

    fn think(&mut self, map: &YamlMap, time: &YamlNode) -> Option<FlowStep> {
        if matches!(
            time.value,
            Yaml::List(_) | Yaml::Map(_) | Yaml::Bool(_) | Yaml::Null
        ) {
            self.wrong_type("think", time, Phrase::SecondsOrMillis);
            return None;
        }
        if let Yaml::Number(number) = time.value
            && number.fract() != 0.0
        {
            let value = crate::text::number_text(number);
            self.find(time.mark, DiagnosticKind::ThinkFraction { value });
        }
        if let Yaml::Text(text) = &time.value
            && !text.contains("{{")
            && text_to_number(text).is_nan()
            && crate::ms::parse(text).is_none()
        {
            self.bad_value("think", time, Phrase::ThinkLength);
            return None;
        }
        let jitter = map
            .get("jitter")
            .and_then(|node| self.text_of("jitter", node));
        Some(FlowStep::Think(Think {
            time: self.template(time),
            jitter,
        }))
    }

    fn read_loop(
        &mut self,
        map: &YamlMap,
        steps: &YamlNode,
        engine: EngineKind,
        config: &Config,
    ) -> Option<FlowStep> {
        let Yaml::List(items) = &steps.value else {
            self.wrong_type("loop", steps, Phrase::Steps);
            return None;
        };
        let count = match map.get("count") {
            None
            | Some(YamlNode {
                value: Yaml::Null, ..
            }) => None,
            Some(node) => match &node.value {
                Yaml::Number(number) => {
                    if *number == 0.0 {
                        self.find(node.mark, DiagnosticKind::CountZero);
                        None
                    } else {
                        Some(LoopCount::Fixed(0.0, *number))
                    }
                }
                Yaml::Text(text) if text.is_empty() => None,
                Yaml::Text(text) if text.contains("{{") => {
                    Some(LoopCount::Templated(self.template(node)))
                }
                Yaml::Text(text) => {
                    let (from, to) = count_of_text(text);
                    Some(LoopCount::Fixed(from, to))
                }
                _ => {
                    self.wrong_type("count", node, Phrase::NumberOrRange);
                    return None;
                }
            },
        };
        let over = match map.get("over") {
            None
            | Some(YamlNode {
                value: Yaml::Null, ..
            }) => None,
            Some(node) => match &node.value {
                Yaml::List(items) => Some(LoopSource::Items(
                    items.iter().map(YamlNode::to_json).collect(),
                )),
                Yaml::Text(text) => Some(LoopSource::Variable(Path::new(text))),
                _ => {
                    self.wrong_type("over", node, Phrase::ListOrVariable);
                    return None;
                }
            },
        };
        let ends = ["count", "over", "whileTrue"];
        if ends.iter().all(|key| map.get(key).is_none()) {
            self.find(steps.mark, DiagnosticKind::EndlessLoop);
        }
        let name = |reader: &mut Self, key: &str, default: &str| {
            let written = reader.text_at(map, key).filter(|name| !name.is_empty());
            written.unwrap_or_else(|| default.to_owned())
        };
        Some(FlowStep::Loop(Box::new(Loop {
            steps: self.steps(items, engine, config),
            count,
            over,
            while_true: self.text_at(map, "whileTrue"),
            value_name: name(self, "loopValue", "$loopCount"),
            element_name: name(self, "loopElement", "$loopElement"),
        })))
    }

    fn ws_step(&mut self, map: &YamlMap, node: &YamlNode) -> Option<FlowStep> {
        if let Some(connect) = map.get("connect") {
            return self.connect(connect).map(FlowStep::Connect);
        }
        let (waits, spec) = match (map.get("wait"), map.get("send")) {
            (Some(spec), _) => (true, spec),
            (None, Some(spec)) => (false, spec),
            (None, None) => {
                let key = map.entries().first().map(|entry| entry.key.clone());
                let key = key.unwrap_or_default();
                self.find(node.mark, DiagnosticKind::ForeignStep { key });
                return Some(FlowStep::Foreign);
            }
        };
        let with_capture = spec
            .as_map()
            .filter(|map| map.get("capture").is_some() || map.get("match").is_some());
        let Some(map) = with_capture else {
            let payload = Some(self.template(spec));
            return Some(FlowStep::Message(Box::new(WsMessage {
                payload,
                captures: Vec::new(),
                matches: Vec::new(),
                waits: false,
            })));
        };
        self.keys(KeyScope::Message, map);
        let message = WsMessage {
            payload: map.get("payload").map(|node| self.template(node)),
            captures: self.captures(map),
            matches: self.matches(map),
            waits: true,
        };
        let _ = waits; // both keys do the same; only the capture makes it wait
        Some(FlowStep::Message(Box::new(message)))
    }

    fn connect(&mut self, node: &YamlNode) -> Option<Connect> {
        match &node.value {
            Yaml::Text(_) => Some(Connect {
                target: Some(self.template(node)),
                ..Connect::default()
            }),
            Yaml::Map(map) => {
                self.keys(KeyScope::Connect, map);
                let headers = map
                    .get("headers")
                    .and_then(|node| self.map_of("headers", node));
                Some(Connect {
                    target: map.get("target").map(|node| self.template(node)),
                    headers: headers.map(|headers| {
                        headers
                            .entries()
                            .iter()
                            .map(|entry| {
                                (
                                    entry.key.clone(),
                                    crate::text::to_text(Some(&entry.value.to_json())),
                                )
                            })
                            .collect()
                    }),
                    subprotocols: map
                        .get("subprotocols")
                        .map(|_| self.texts_at(map, "subprotocols")),
                    function: self.text_at(map, "function"),
                    proxy: self.proxy(map),
                })
            }
            Yaml::Null => Some(Connect::default()),
            _ => {
                self.wrong_type("connect", node, Phrase::TextOrMap);
                None
            }
        }
    }
}

/// `5`, or `9-12` for 9, 10, 11; anything else gives no turn.
pub(crate) fn count_of_text(text: &str) -> (f64, f64) {
    let number = text_to_number(text);
    if !number.is_nan() {
        return (0.0, number);
    }
    let mut parts = text.split('-');
    let ends_in_digit = |part: &str| part.bytes().next_back().is_some_and(|b| b.is_ascii_digit());
    match (parts.next(), parts.next()) {
        (Some(from), Some(to))
            if ends_in_digit(from) && to.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            (text_to_number(from), text_to_number(to))
        }
        _ => (0.0, 0.0),
    }
}
