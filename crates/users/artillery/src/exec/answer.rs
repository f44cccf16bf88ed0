//! Captures and matches on an answer.

use std::cell::OnceCell;

use loadline_html::{CssSelector, SelectorDialect};
use loadline_wire::ResponseHead;
use serde_json::Value;

use crate::jsonpath::JsonPath;
use crate::model::{Capture, ElementIndex, Extract, MaybeTemplate, RegexGroup};
use crate::template::TemplateValue;
use crate::text::set_path;
use crate::vu::Vu;

/// An answer or a WebSocket message.
pub(crate) struct Answer<'a> {
    /// Its head; messages have none.
    pub(crate) head: Option<&'a ResponseHead>,
    /// Its body as text.
    pub(crate) body: &'a str,
    json: OnceCell<Option<Value>>,
}

/// The result of a capture.
enum CaptureResult {
    Value(Option<Value>),
    /// The body cannot be parsed.
    Error,
}

impl<'a> Answer<'a> {
    pub(crate) fn new(head: Option<&'a ResponseHead>, body: &'a str) -> Self {
        Self {
            head,
            body,
            json: OnceCell::new(),
        }
    }

    /// The body as JSON; parsed once.
    pub(crate) fn json(&self) -> Option<&Value> {
        self.json
            .get_or_init(|| serde_json::from_str(self.body).ok())
            .as_ref()
    }

    /// A header by its name in lower case; several values are joined as Node joins them.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let fields = self.head?.fields();
        let values: Vec<String> = fields
            .get_all(name)
            .map(|value| value.iter().map(|b| char::from(*b)).collect())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

/// Applies captures and matches in order. Returns whether a strict one failed. Variables are set
/// only if none failed.
pub(crate) fn apply(
    vu: &Vu,
    captures: &[Capture],
    matches: &[Capture],
    answer: &Answer<'_>,
) -> bool {
    let mut failed = false;
    let mut found: Vec<(&Capture, Option<Value>)> = Vec::new();
    for spec in captures.iter().chain(matches) {
        let value = extract(vu, spec, answer);
        if let Some(expected) = &spec.value {
            let expected = {
                let vars = vu.vars.borrow();
                expected.render(&vu.scope(&vars))
            };
            let is_equal = matches!(&value, CaptureResult::Value(value) if is_same(value.as_ref(), expected.as_ref()));
            failed |= !is_equal && spec.strict != Some(false);
            continue;
        }
        let value = match value {
            CaptureResult::Value(value) => value,
            CaptureResult::Error => None,
        };
        let is_nothing = value.as_ref().is_none_or(|value| value == "");
        failed |= is_nothing
            && spec
                .strict
                .unwrap_or(vu.shared.test.script.config.strict_capture);
        found.push((spec, value));
    }
    if failed {
        return true;
    }
    let mut vars = vu.vars.borrow_mut();
    for (spec, value) in found {
        if let Some(path) = &spec.into {
            match value {
                Some(value) => set_path(&mut vars, path, value),
                None => {
                    vars.shift_remove(path.text());
                }
            }
        }
    }
    false
}

/// The same for Socket.IO, where a capture that finds nothing fails nobody and every match is strict.
pub(crate) fn apply_leniently(
    vu: &Vu,
    captures: &[Capture],
    matches: &[Capture],
    answer: &Answer<'_>,
) -> bool {
    let mut found: Vec<(&Capture, Option<Value>)> = Vec::new();
    for spec in captures.iter().chain(matches) {
        let value = match extract(vu, spec, answer) {
            CaptureResult::Value(value) => value,
            CaptureResult::Error => None,
        };
        if let Some(expected) = &spec.value {
            let expected = {
                let vars = vu.vars.borrow();
                expected.render(&vu.scope(&vars))
            };
            if !is_same(value.as_ref(), expected.as_ref()) {
                return true;
            }
        } else {
            found.push((spec, value));
        }
    }
    let mut vars = vu.vars.borrow_mut();
    for (spec, value) in found {
        let Some(path) = &spec.into else { continue };
        match value {
            Some(value) => vars.insert(path.text().to_owned(), value),
            None => vars.shift_remove(path.text()),
        };
    }
    false
}

/// JavaScript's `===`: two lists or two objects are never equal.
fn is_same(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(Value::Array(_) | Value::Object(_)), _) => false,
        (Some(Value::Number(a)), Some(Value::Number(b))) => a.as_f64() == b.as_f64(),
        (a, b) => a == b,
    }
}

fn extract(vu: &Vu, spec: &Capture, answer: &Answer<'_>) -> CaptureResult {
    match &spec.from {
        Extract::Json(path) => {
            let Some(document) = answer.json() else {
                return CaptureResult::Error;
            };
            match path {
                MaybeTemplate::Ready(path) => {
                    CaptureResult::Value(by_path(vu, path, document, spec.all))
                }
                MaybeTemplate::Templated(template) => {
                    match JsonPath::parse(&rendered(vu, template)) {
                        Ok(path) => CaptureResult::Value(by_path(vu, &path, document, spec.all)),
                        Err(_) => CaptureResult::Value(Some(Value::String(String::new()))),
                    }
                }
            }
        }
        Extract::Regexp(pattern, group, flags) => CaptureResult::Value(match pattern {
            MaybeTemplate::Ready(regex) => by_regexp(regex, group.as_ref(), answer.body),
            MaybeTemplate::Templated(template) => {
                let regex = regress::Regex::with_flags(&rendered(vu, template), flags.as_str());
                regex
                    .ok()
                    .and_then(|regex| by_regexp(&regex, group.as_ref(), answer.body))
            }
        }),
        Extract::Header(name) => {
            let value = answer.header(&rendered(vu, name));
            CaptureResult::Value(Some(Value::String(value.unwrap_or_default())))
        }
        Extract::Selector(selector, attribute, index) => CaptureResult::Value(by_selector(
            vu,
            &rendered(vu, selector),
            attribute,
            *index,
            answer.body,
        )),
    }
}

fn rendered(vu: &Vu, template: &TemplateValue) -> String {
    let vars = vu.vars.borrow();
    template.render_text(&vu.scope(&vars))
}

/// A value that the path leads to; a random one if there are several.
fn by_path(vu: &Vu, path: &JsonPath, document: &Value, all: bool) -> Option<Value> {
    if !document.is_object() && !document.is_array() {
        return Some(Value::String(String::new()));
    }
    let found = path.find(document);
    if all {
        // Without a list: one value as it is, several as a list.
        return match found.as_slice() {
            [] => Some(Value::String(String::new())),
            [one] => Some(one.clone().into_owned()),
            many => Some(Value::Array(
                many.iter()
                    .map(|value| value.clone().into_owned())
                    .collect(),
            )),
        };
    }
    match found.len() {
        0 => None,
        1 => Some(found[0].clone().into_owned()),
        count => {
            let at = vu.local.random.below(count);
            Some(found[at].clone().into_owned())
        }
    }
}

fn by_regexp(regex: &regress::Regex, group: Option<&RegexGroup>, body: &str) -> Option<Value> {
    let text = |range: Option<std::ops::Range<usize>>| {
        range.map(|range| Value::String(body[range].to_owned()))
    };
    let Some(found) = regex.find(body) else {
        return Some(Value::String(String::new()));
    };
    let has_names = found.named_groups().next().is_some();
    match group {
        // If there are named groups, only names count.
        Some(RegexGroup::Name(name)) if has_names => text(found.named_group(name)),
        Some(RegexGroup::Number(_)) if has_names => None,
        Some(RegexGroup::Number(number)) => {
            let group = text(found.group(*number)).filter(|value| value != "");
            group.or_else(|| text(Some(found.range())))
        }
        Some(RegexGroup::Name(name)) => {
            let number = name.parse().ok();
            let group = number.and_then(|number: usize| text(found.group(number)));
            group
                .filter(|value| value != "")
                .or_else(|| text(Some(found.range())))
        }
        None => text(Some(found.range())),
    }
}

fn by_selector(
    vu: &Vu,
    selector: &str,
    attribute: &str,
    index: ElementIndex,
    body: &str,
) -> Option<Value> {
    let selector = CssSelector::parse(selector, SelectorDialect::Cheerio)?;
    // A page beyond what is read of any has no such element.
    let document = loadline_html::parse(body).ok()?;
    let nodes: Vec<_> = selector.elements(&document).collect();
    let at = match index {
        ElementIndex::At(at) => at,
        ElementIndex::Last => nodes.len().checked_sub(1)?,
        ElementIndex::Random => vu.local.random.below(nodes.len()),
    };
    let value = document.attribute(*nodes.get(at)?, attribute)?;
    Some(Value::String(value.to_owned()))
}
