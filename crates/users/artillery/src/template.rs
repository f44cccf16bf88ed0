//! Texts with `{{ ... }}`, parsed once and rendered on each use.
//!
//! The rules are Artillery's: `{{ x }}` alone keeps the type of `x`; within a text it becomes
//! text (objects as JSON, missing values as `undefined`). Keys of maps may contain templates,
//! too. A call such as `{{ $randomNumber(1, 10) }}` gives a text. What does not match the grammar
//! stays as it is.

use serde_json::{Map, Value};

use crate::functions::{FunctionCall, Functions};
use crate::text::{Path, push_rendered};

/// The variables and functions for rendering.
pub trait TemplateScope {
    /// A variable's value.
    fn variable(&self, name: &str) -> Option<&Value>;
    /// The result of a function.
    fn call(&self, call: &FunctionCall) -> Option<String>;
    /// Whether the text that `path` leads to is a date of JavaScript.
    fn is_date(&self, _path: &str, _text: &str) -> bool {
        false
    }
}

/// A value with templates in it.
#[derive(Debug, Clone)]
pub struct TemplateValue(Kind);

#[derive(Debug, Clone)]
enum Kind {
    /// Without templates.
    Fixed(Value),
    Text(Text),
    List(Vec<TemplateValue>),
    Map(Vec<(Text, TemplateValue)>),
}

/// Variables that hold each other's templates end here; Artillery would go on for ever.
const NESTING_MAX: u32 = 10;

#[derive(Debug, Clone)]
struct Text {
    parts: Vec<Part>,
    /// A call to an unknown function makes the whole text `undefined`.
    broken: bool,
}

#[derive(Debug, Clone)]
enum Part {
    Plain(String),
    Variable(Path),
    Call(FunctionCall),
}

impl TemplateValue {
    /// Parses a value.
    #[must_use]
    pub fn new(value: &Value, functions: &Functions) -> Self {
        Self(match value {
            Value::String(text) => return Self::text(text, functions),
            Value::Array(items) => {
                let items: Vec<_> = items
                    .iter()
                    .map(|item| Self::new(item, functions))
                    .collect();
                if items.iter().all(Self::is_fixed) {
                    Kind::Fixed(value.clone())
                } else {
                    Kind::List(items)
                }
            }
            Value::Object(map) => {
                let entries: Vec<_> = map
                    .iter()
                    .map(|(key, value)| (Text::new(key, functions), Self::new(value, functions)))
                    .collect();
                let fixed = |(key, value): &(Text, Self)| key.is_plain() && value.is_fixed();
                if entries.iter().all(fixed) {
                    Kind::Fixed(value.clone())
                } else {
                    Kind::Map(entries)
                }
            }
            value => Kind::Fixed(value.clone()),
        })
    }

    /// Parses a text.
    #[must_use]
    pub fn text(text: &str, functions: &Functions) -> Self {
        if !text.contains("{{") {
            return Self(Kind::Fixed(Value::String(text.to_owned())));
        }
        Self(Kind::Text(Text::new(text, functions)))
    }

    /// Whether it contains no templates.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        matches!(self.0, Kind::Fixed(_))
    }

    /// The value, if it contains no templates.
    #[must_use]
    pub fn fixed(&self) -> Option<&Value> {
        match &self.0 {
            Kind::Fixed(value) => Some(value),
            _ => None,
        }
    }

    /// The value; `None` if it is missing.
    pub fn render(&self, scope: &dyn TemplateScope) -> Option<Value> {
        match &self.0 {
            Kind::Fixed(value) => Some(value.clone()),
            Kind::Text(text) => text.render(scope),
            // A missing value becomes null in a list, and removes the key in a map, as in JSON.
            Kind::List(items) => Some(Value::Array(
                items
                    .iter()
                    .map(|item| item.render(scope).unwrap_or(Value::Null))
                    .collect(),
            )),
            Kind::Map(entries) => {
                let mut map = Map::new();
                // Artillery sets rendered keys anew, after all others.
                let (fixed, rendered): (Vec<_>, Vec<_>) =
                    entries.iter().partition(|(key, _)| key.is_plain());
                for (key, value) in fixed.into_iter().chain(rendered) {
                    if let Some(value) = value.render(scope) {
                        map.insert(key.render_text(scope), value);
                    }
                }
                Some(Value::Object(map))
            }
        }
    }

    /// The value as text.
    pub fn render_text(&self, scope: &dyn TemplateScope) -> String {
        match &self.0 {
            Kind::Fixed(Value::String(text)) => text.clone(),
            Kind::Text(text) => text.render_text(scope),
            _ => crate::text::to_text(self.render(scope).as_ref()),
        }
    }

    /// Collects the first names of the variables it uses.
    pub fn roots<'t>(&'t self, into: &mut Vec<&'t str>) {
        match &self.0 {
            Kind::Fixed(_) => {}
            Kind::Text(text) => text.roots(into),
            Kind::List(items) => items.iter().for_each(|item| item.roots(into)),
            Kind::Map(entries) => {
                for (key, value) in entries {
                    key.roots(into);
                    value.roots(into);
                }
            }
        }
    }
}

/// The functions that a text calls and that do not exist.
pub(crate) fn unknown_calls(text: &str, functions: &Functions) -> Vec<String> {
    let places = text.match_indices("{{");
    let calls = places.filter_map(|(at, _)| call_at(&text[at..]));
    let unknown = calls.filter(|((name, arguments), _)| functions.find(name, arguments).is_none());
    unknown.map(|((name, _), _)| name.to_owned()).collect()
}

impl Text {
    fn new(text: &str, functions: &Functions) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        let mut broken = false;
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("{{") {
            plain.push_str(&rest[..at]);
            let tail = &rest[at..];
            if let Some(((name, arguments), length)) = call_at(tail) {
                match functions.find(name, arguments) {
                    Some(call) => {
                        flush(&mut plain, &mut parts);
                        parts.push(Part::Call(call));
                    }
                    None => broken = true,
                }
                rest = &tail[length..];
            } else if let Some((name, length)) = variable_at(tail) {
                flush(&mut plain, &mut parts);
                parts.push(Part::Variable(Path::new(name)));
                rest = &tail[length..];
            } else {
                plain.push('{');
                rest = &tail[1..];
            }
        }
        plain.push_str(rest);
        flush(&mut plain, &mut parts);
        Self { parts, broken }
    }

    fn is_plain(&self) -> bool {
        !self.broken && self.parts.iter().all(|part| matches!(part, Part::Plain(_)))
    }

    fn render(&self, scope: &dyn TemplateScope) -> Option<Value> {
        if self.broken {
            return None;
        }
        if let [Part::Variable(path)] = self.parts.as_slice() {
            return path.value(|name| scope.variable(name));
        }
        Some(Value::String(self.render_text(scope)))
    }

    fn render_text(&self, scope: &dyn TemplateScope) -> String {
        self.render_nested(scope, NESTING_MAX)
    }

    /// Renders; what variables hold may be templates again.
    fn render_nested(&self, scope: &dyn TemplateScope, deeper: u32) -> String {
        if self.broken {
            return "undefined".to_owned();
        }
        let mut out = String::new();
        let mut is_nested = false;
        for part in &self.parts {
            match part {
                Part::Plain(text) => out.push_str(text),
                Part::Variable(path) => {
                    let start = out.len();
                    let value = path.value(|name| scope.variable(name));
                    match &value {
                        // What is no text becomes JSON, and JSON has dates in quotes.
                        Some(Value::String(text)) if scope.is_date(path.text(), text) => {
                            out.push('"');
                            out.push_str(text);
                            out.push('"');
                        }
                        value => push_rendered(&mut out, value.as_ref()),
                    }
                    is_nested |= out[start..].contains("{{");
                }
                Part::Call(call) => match scope.call(call) {
                    Some(text) => out.push_str(&text),
                    None => out.push_str("undefined"),
                },
            }
        }
        if is_nested && deeper > 0 {
            return Self::new(&out, &Functions::default()).render_nested(scope, deeper - 1);
        }
        out
    }

    fn roots<'t>(&'t self, into: &mut Vec<&'t str>) {
        for part in &self.parts {
            if let Part::Variable(path) = part {
                into.push(path.root());
            }
        }
    }
}

fn flush(plain: &mut String, parts: &mut Vec<Part>) {
    if !plain.is_empty() {
        parts.push(Part::Plain(std::mem::take(plain)));
    }
}

/// A call `{{ $name(arguments) }}` at the start of `text`: name, arguments, length.
fn call_at(text: &str) -> Option<((&str, &str), usize)> {
    let inner = text.strip_prefix("{{")?.trim_start();
    if !inner.starts_with('$') {
        return None;
    }
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name_end = 1 + inner[1..].find(|c: char| !word(c))?;
    if name_end == 1 {
        return None;
    }
    let after = inner[name_end..].trim_start();
    let arguments = after.strip_prefix('(')?;
    let close = arguments.find(')')?;
    let within = &arguments[..close];
    let allowed = |c: char| word(c) || c == ',' || c.is_whitespace();
    if !within.chars().all(allowed) {
        return None;
    }
    let end = arguments[close + 1..].trim_start().strip_prefix("}}")?;
    Some(((&inner[..name_end], within), text.len() - end.len()))
}

/// A variable `{{ path }}` or `{{{ path }}}` at the start of `text`: path and length.
fn variable_at(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix("{{")?;
    let inner = inner.strip_prefix('{').unwrap_or(inner);
    let allowed =
        |c: char| c.is_whitespace() || c.is_ascii_alphanumeric() || "$_.[]'\"-".contains(c);
    let end = inner.find(|c: char| !allowed(c))?;
    if end == 0 {
        return None;
    }
    let after = inner[end..].strip_prefix("}}")?;
    let after = after.strip_prefix('}').unwrap_or(after);
    Some((inner[..end].trim(), text.len() - after.len()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    struct Vars(BTreeMap<&'static str, Value>);

    impl TemplateScope for Vars {
        fn variable(&self, name: &str) -> Option<&Value> {
            self.0.get(name)
        }

        fn call(&self, call: &FunctionCall) -> Option<String> {
            Some(format!("<{}>", call.name()))
        }
    }

    fn render(value: Value) -> Option<Value> {
        let vars = Vars(BTreeMap::from([
            ("n", json!(5)),
            ("o", json!({"a": [1, {"b": "deep"}]})),
            ("s", json!("text")),
            ("zero", json!(0)),
            ("nested", json!("<{{ s }}>")),
            ("itself", json!("{{ itself }}")),
        ]));
        TemplateValue::new(&value, &Functions::default()).render(&vars)
    }

    #[test]
    fn a_variable_alone_keeps_its_type_and_becomes_text_within_text() {
        for (template, expected) in [
            ("{{ n }}", json!(5)),
            ("{{n}}", json!(5)),
            ("{{{ n }}}", json!(5)),
            (" {{ n }}", json!(" 5")),
            ("{{ o }}", json!({"a": [1, {"b": "deep"}]})),
            ("x{{ o }}", json!("x{\"a\":[1,{\"b\":\"deep\"}]}")),
            ("{{ o.a[1].b }}", json!("deep")),
            ("{{ o['a'][0] }}!", json!("1!")),
            ("{{ missing }}-{{ s }}", json!("undefined-text")),
            ("x{{ nested }}", json!("x<text>")),
            ("x{{ itself }}", json!("x{{ itself }}")),
            ("{{ zero }}", json!(0)),
            ("query { a($x: Int) }", json!("query { a($x: Int) }")),
            ("{{ a + b }}", json!("{{ a + b }}")),
            ("{{", json!("{{")),
        ] {
            assert_eq!(render(json!(template)), Some(expected), "{template}");
        }
        assert_eq!(render(json!("{{ missing }}")), None);
    }

    #[test]
    fn calls_give_text_and_unknown_ones_nothing() {
        assert_eq!(
            render(json!("a{{ $randomNumber(1, 10) }}b{{ n }}")),
            Some(json!("a<$randomNumber>b5"))
        );
        assert_eq!(render(json!("{{ $nothing(1) }}")), None);
        // Quotes are not part of the grammar of calls.
        assert_eq!(
            render(json!("{{ $randomNumber('1') }}")),
            Some(json!("{{ $randomNumber('1') }}"))
        );
    }

    #[test]
    fn keys_are_templates_and_what_is_missing_leaves_no_key() {
        assert_eq!(
            render(
                json!({"{{ s }}": "{{ n }}", "gone": "{{ missing }}", "list": ["{{ missing }}"]})
            ),
            Some(json!({"text": 5, "list": [null]}))
        );
    }
}
