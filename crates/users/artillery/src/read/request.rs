//! Reads a request with its body, captures, expectations and conditions.

use loadline_html::{CssSelector, SelectorDialect};

use super::Reader;
use crate::filtrex::FiltrexExpression;
use crate::finding::DiagnosticKind;
use crate::jsonpath::JsonPath;
use crate::keys::KeyScope;
use crate::model::{
    Capture, Config, ElementIndex, Expectation, Extract, FormField, HttpRequest, IfTrueCondition,
    MaybeTemplate, RegexGroup, RequestBody,
};
use crate::phrase::{Phrase, Reason};
use crate::text::{Path, is_true, text_to_number, to_text};
use crate::yaml::{Mark, Yaml, YamlMap, YamlNode};

impl Reader<'_> {
    pub(super) fn request(
        &mut self,
        method: &str,
        mark: Mark,
        node: &YamlNode,
        config: &Config,
    ) -> Option<HttpRequest> {
        let map = match &node.value {
            Yaml::Map(map) => map,
            _ => {
                self.wrong_type(method, node, Phrase::MapOfRequest);
                return None;
            }
        };
        self.keys(KeyScope::Request, map);
        let present = |key: &str| map.get(key).filter(|node| node.value != Yaml::Null);
        let url_node = present("url").or_else(|| present("uri"));
        let Some(url_node) = url_node else {
            self.find(
                mark,
                DiagnosticKind::Missing {
                    key: "url",
                    place: "request",
                },
            );
            return None;
        };
        let url = self.text_of("url", url_node)?;
        if !["/", "http://", "https://", "{{"]
            .iter()
            .any(|start| url.starts_with(start))
        {
            let value = url.clone();
            self.find(url_node.mark, DiagnosticKind::BadUrl { value });
        }
        if let (Some(_), None) = (present("expect"), &config.expect) {
            self.find(mark, DiagnosticKind::NoPlugin { plugin: "expect" });
        }
        let url_written = if url.starts_with('/') {
            format!("{}{url}", config.target)
        } else {
            url.clone()
        };
        let name = self.text_at(map, "name").filter(|name| !name.is_empty());
        let hooks = |reader: &mut Self, key: &str| {
            let names = reader.texts_at(map, key);
            names
                .iter()
                .map(|name| reader.text_template(name))
                .collect()
        };
        Some(HttpRequest {
            mark,
            method: method.to_uppercase(),
            url: (!url_written.is_empty()).then(|| self.text_template(&url_written)),
            endpoint: crate::endpoint::static_key(config, &url_written, name.as_deref()),
            name: name.map(|name| self.text_template(&name)),
            url_written,
            headers: present("headers")
                .map(|node| self.headers(node, "headers"))
                .unwrap_or_default(),
            query: present("qs").map(|node| self.template(node)),
            cookies: present("cookie")
                .map(|node| self.pairs("cookie", node))
                .unwrap_or_default(),
            auth: present("auth")
                .and_then(|node| self.map_of("auth", node))
                .map(|auth| {
                    let part = |key: &str| auth.get(key).map(|node| self.template(node));
                    (part("user"), part("pass"))
                }),
            follow: self.flag_at(map, "followRedirect").unwrap_or(true),
            gzip: self.flag_at(map, "gzip").unwrap_or(true),
            body: self.body(map)?,
            captures: self.captures(map),
            matches: self.matches(map),
            expect: self.expectations(map),
            if_true: present("ifTrue").and_then(|node| self.if_true(node)),
            probability: present("probability").map(|node| match &node.value {
                Yaml::Number(number) => *number,
                _ => text_to_number(&to_text(Some(&node.to_json()))),
            }),
            before_request: hooks(self, "beforeRequest"),
            after_response: hooks(self, "afterResponse"),
            spec: node.to_json(),
        })
    }

    fn body(&mut self, map: &YamlMap) -> Option<RequestBody> {
        let truthy = |key: &str| map.get(key).filter(|node| is_true(Some(&node.to_json())));
        // `json: false` is a body, too.
        if let Some(node) = map.get("json") {
            return Some(RequestBody::Json(self.template(node)));
        }
        if let Some(node) = truthy("form") {
            return Some(RequestBody::Form(self.pairs("form", node)));
        }
        if let Some(node) = truthy("formData") {
            let fields = self.map_of("formData", node)?;
            let fields = fields.entries().iter();
            let fields: Vec<_> = fields
                .map(|entry| (entry.key.clone(), self.form_field(&entry.value)))
                .collect();
            return Some(RequestBody::Multipart(fields));
        }
        Some(match truthy("body") {
            Some(node) => RequestBody::Text(self.template(node)),
            None => RequestBody::None,
        })
    }

    fn form_field(&mut self, node: &YamlNode) -> FormField {
        let Yaml::Map(map) = &node.value else {
            return FormField::Value(self.template(node), None);
        };
        self.keys(KeyScope::FormField, map);
        let content_type = map.get("contentType").map(|node| self.template(node));
        match (map.get("fromFile"), map.get("value")) {
            (Some(file), _) => FormField::File(self.template(file), content_type),
            (None, Some(value)) => FormField::Value(self.template(value), content_type),
            (None, None) => FormField::Value(self.template(node), content_type),
        }
    }

    /// The entries of a list, or a single map.
    fn specs<'n>(&mut self, map: &'n YamlMap, key: &str) -> Vec<&'n YamlNode> {
        match map.get(key) {
            None
            | Some(YamlNode {
                value: Yaml::Null, ..
            }) => Vec::new(),
            Some(YamlNode {
                value: Yaml::List(items),
                ..
            }) => items.iter().collect(),
            Some(node) => vec![node],
        }
    }

    pub(super) fn captures(&mut self, map: &YamlMap) -> Vec<Capture> {
        let specs = self.specs(map, "capture");
        specs
            .into_iter()
            .filter_map(|node| self.capture(node, KeyScope::Capture))
            .collect()
    }

    pub(super) fn matches(&mut self, map: &YamlMap) -> Vec<Capture> {
        let specs = self.specs(map, "match");
        specs
            .into_iter()
            .filter_map(|node| self.capture(node, KeyScope::Match))
            .collect()
    }

    fn capture(&mut self, node: &YamlNode, place: KeyScope) -> Option<Capture> {
        let map = self.map_of(place.name(), node)?;
        self.keys(place, map);
        let present = |key: &str| map.get(key).filter(|node| node.value != Yaml::Null);
        let from = self.extract(map, node)?;
        let into = self.text_at(map, "as");
        let value = present("value").map(|node| self.template(node));
        if into.is_none() && value.is_none() {
            let key = if place == KeyScope::Capture {
                "as"
            } else {
                "value"
            };
            self.find(
                node.mark,
                DiagnosticKind::Missing {
                    key,
                    place: place.name(),
                },
            );
            return None;
        }
        Some(Capture {
            from,
            into: into.map(|name| Path::new(&name)),
            value,
            strict: self.flag_at(map, "strict"),
            all: self.flag_at(map, "multiple") == Some(false),
        })
    }

    fn extract(&mut self, map: &YamlMap, node: &YamlNode) -> Option<Extract> {
        let present = |key: &str| map.get(key).filter(|node| is_true(Some(&node.to_json())));
        if let Some(path) = present("json") {
            let text = self.text_of("json", path)?;
            if text.contains("{{") {
                return Some(Extract::Json(MaybeTemplate::Templated(
                    self.text_template(&text),
                )));
            }
            return match JsonPath::parse(&text) {
                Ok(path) => Some(Extract::Json(MaybeTemplate::Ready(path))),
                Err(error) => {
                    self.bad_value("json", path, Reason::Unsupported(error.form));
                    None
                }
            };
        }
        if let Some(pattern) = present("regexp") {
            let text = self.text_of("regexp", pattern)?;
            let flags = self.text_at(map, "flags").unwrap_or_default();
            let group = match present("group") {
                Some(YamlNode {
                    value: Yaml::Number(number),
                    ..
                }) => Some(whole(*number))
                    .filter(|n| *n > 0)
                    .map(RegexGroup::Number),
                Some(node) => self.text_of("group", node).map(RegexGroup::Name),
                None => None,
            };
            if text.contains("{{") {
                return Some(Extract::Regexp(
                    MaybeTemplate::Templated(self.text_template(&text)),
                    group,
                    flags,
                ));
            }
            return match regress::Regex::with_flags(&text, flags.as_str()) {
                Ok(regex) => Some(Extract::Regexp(MaybeTemplate::Ready(regex), group, flags)),
                Err(error) => {
                    self.bad_value("regexp", pattern, Reason::Parser(error.to_string()));
                    None
                }
            };
        }
        if let Some(header) = present("header") {
            return Some(Extract::Header(self.template(header)));
        }
        if let Some(selector) = present("selector") {
            let text = self.text_of("selector", selector)?;
            if !text.contains("{{") && CssSelector::parse(&text, SelectorDialect::Cheerio).is_none()
            {
                self.bad_value("selector", selector, Phrase::NoSelector);
                return None;
            }
            let index = match map.get("index").map(YamlNode::to_json) {
                Some(serde_json::Value::String(text)) if text == "random" => ElementIndex::Random,
                Some(serde_json::Value::String(text)) if text == "last" => ElementIndex::Last,
                Some(value) => ElementIndex::At(whole(crate::text::to_number(Some(&value)))),
                None => ElementIndex::At(0),
            };
            let attribute = self.text_at(map, "attr").unwrap_or_default();
            return Some(Extract::Selector(
                self.text_template(&text),
                attribute,
                index,
            ));
        }
        if map.get("xpath").is_none() {
            self.find(
                node.mark,
                DiagnosticKind::Missing {
                    key: "json",
                    place: "capture",
                },
            );
        }
        None
    }

    fn expectations(&mut self, map: &YamlMap) -> Vec<Expectation> {
        let mut found = Vec::new();
        for node in self.specs(map, "expect") {
            let Some(map) = self.map_of("expect", node) else {
                continue;
            };
            for entry in map.entries() {
                self.key(KeyScope::Expect, &entry.key, entry.key_mark);
                found.extend(self.expectation(&entry.key, &entry.value));
            }
        }
        found
    }

    fn expectation(&mut self, key: &str, node: &YamlNode) -> Option<Expectation> {
        let template = self.template(node);
        Some(match key {
            "statusCode" => Expectation::StatusCode(template),
            "notStatusCode" => Expectation::NotStatusCode(template),
            "contentType" => Expectation::ContentType(template),
            "hasProperty" => Expectation::HasProperty(template),
            "notHasProperty" => Expectation::NotHasProperty(template),
            "equals" => {
                let one = |reader: &Self, node: &YamlNode| {
                    reader.text_template(&to_text(Some(&node.to_json())))
                };
                Expectation::Equals(match &node.value {
                    Yaml::List(items) => items.iter().map(|item| one(self, item)).collect(),
                    Yaml::Map(map) => map
                        .entries()
                        .iter()
                        .map(|entry| one(self, &entry.value))
                        .collect(),
                    _ => Vec::new(),
                })
            }
            "hasHeader" => Expectation::HasHeader(template),
            "headerEquals" => Expectation::HeaderEquals(template),
            "matchesRegexp" => Expectation::MatchesRegexp(template),
            "cdnHit" => Expectation::CdnHit(is_true(Some(&node.to_json()))),
            _ => return None,
        })
    }

    fn if_true(&mut self, node: &YamlNode) -> Option<IfTrueCondition> {
        if let Yaml::Bool(flag) = node.value {
            // filtrex takes texts alone, and Artillery goes on where it fails.
            let (key, value) = ("ifTrue".to_owned(), flag.to_string());
            self.find(node.mark, DiagnosticKind::AlwaysHolds { key, value });
            return None;
        }
        let written = self.text_of("ifTrue", node)?;
        let expression = match FiltrexExpression::parse(&written) {
            Ok(expression) => Some(expression),
            Err(error) => {
                // Artillery continues as if it held; here it is an error.
                let key = "ifTrue".to_owned();
                let reason = error.to_string();
                self.find(
                    node.mark,
                    DiagnosticKind::BadCondition {
                        key,
                        value: written.clone(),
                        reason,
                    },
                );
                None
            }
        };
        Some(IfTrueCondition {
            written,
            expression,
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast saturates"
)]
fn whole(number: f64) -> usize {
    number.max(0.0) as usize
}
