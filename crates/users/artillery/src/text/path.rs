//! Paths into values, as lodash reads them: `a.b[0]['c']`.

use serde_json::{Map, Value};

/// A parsed path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    whole: String,
    steps: Vec<String>,
}

impl Path {
    /// Parses a path; any text is valid.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            whole: text.to_owned(),
            steps: steps(text),
        }
    }

    /// As written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.whole
    }

    /// The first name in it.
    #[must_use]
    pub fn root(&self) -> &str {
        self.steps.first().map_or("", String::as_str)
    }

    /// The value it leads to; `top` gives the value of the first name.
    pub fn find<'v>(&self, top: impl Fn(&str) -> Option<&'v Value>) -> Option<&'v Value> {
        if self.steps.len() > 1
            && let Some(found) = top(&self.whole)
        {
            return Some(found); // a name that is written like a path
        }
        let (first, rest) = self.steps.split_first()?;
        rest.iter()
            .try_fold(top(first)?, |value, step| step_into(value, step))
    }

    /// The value it leads to, or the length of the list or text it leads to.
    pub fn value<'v>(&self, top: impl Fn(&str) -> Option<&'v Value>) -> Option<Value> {
        if let Some(found) = self.find(&top) {
            return Some(found.clone());
        }
        let (last, before) = self
            .steps
            .split_last()
            .filter(|(last, _)| *last == "length")?;
        let (first, rest) = before.split_first()?;
        debug_assert_eq!(last, "length", "kept by the filter");
        let of = rest
            .iter()
            .try_fold(top(first)?, |value, step| step_into(value, step))?;
        length_of(of)
    }

    /// The value it leads to inside `value`.
    #[must_use]
    pub fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.find(|name| step_into(value, name))
    }
}

/// JavaScript's `length` of a list or a text.
#[must_use]
pub fn length_of(value: &Value) -> Option<Value> {
    match value {
        Value::Array(items) => Some(Value::from(items.len())),
        Value::String(text) => Some(Value::from(text.encode_utf16().count())),
        _ => None,
    }
}

fn step_into<'v>(value: &'v Value, step: &str) -> Option<&'v Value> {
    match value {
        Value::Object(map) => map.get(step),
        Value::Array(items) => items.get(index(step)?),
        _ => None,
    }
}

fn index(step: &str) -> Option<usize> {
    let canonical = step == "0" || !step.starts_with('0');
    (canonical && step.bytes().all(|b| b.is_ascii_digit()))
        .then(|| step.parse().ok())
        .flatten()
}

fn steps(text: &str) -> Vec<String> {
    let mut steps = Vec::new();
    let mut name = String::new();
    let mut chars = text.chars().peekable();
    let mut after_bracket = false;
    while let Some(c) = chars.next() {
        match c {
            '.' => {
                if !after_bracket {
                    steps.push(std::mem::take(&mut name));
                }
                after_bracket = false;
            }
            '[' => {
                if !name.is_empty() {
                    steps.push(std::mem::take(&mut name));
                }
                steps.push(bracketed(&mut chars));
                after_bracket = true;
            }
            c => {
                name.push(c);
                after_bracket = false;
            }
        }
    }
    if !after_bracket || !name.is_empty() {
        steps.push(name);
    }
    steps
}

fn bracketed(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut inner = String::new();
    if let Some(quote) = chars.next_if(|c| *c == '"' || *c == '\'') {
        while let Some(c) = chars.next() {
            match c {
                '\\' => inner.extend(chars.next()),
                c if c == quote => break,
                c => inner.push(c),
            }
        }
        chars.next_if(|c| *c == ']');
        return inner;
    }
    for c in chars.by_ref() {
        if c == ']' {
            break;
        }
        inner.push(c);
    }
    inner
}

/// The longest list that setting an index may create.
const LIST_ITEMS_MAX: usize = 100_000;

/// Sets the value at a path, and creates lists and maps as needed (lodash's `set`).
pub fn set_path(top: &mut Map<String, Value>, path: &Path, value: Value) {
    let Some((first, rest)) = path.steps.split_first() else {
        return;
    };
    if rest.is_empty() || top.contains_key(&path.whole) {
        top.insert(path.whole.clone(), value);
        return;
    }
    let mut place = top.entry(first.clone()).or_insert(Value::Null);
    for step in rest {
        if !place.is_object() && !place.is_array() {
            *place = match index(step) {
                Some(_) => Value::Array(Vec::new()),
                None => Value::Object(Map::new()),
            };
        }
        place = match place {
            Value::Object(map) => map.entry(step.clone()).or_insert(Value::Null),
            Value::Array(items) => {
                let Some(at) = index(step).filter(|at| *at < LIST_ITEMS_MAX) else {
                    return;
                };
                if items.len() <= at {
                    items.resize(at + 1, Value::Null);
                }
                &mut items[at]
            }
            _ => return,
        };
    }
    *place = value;
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_are_read_as_lodash_reads_them() {
        for (path, expected) in [
            ("a", vec!["a"]),
            ("a.b", vec!["a", "b"]),
            ("a.b[0]['c d']", vec!["a", "b", "0", "c d"]),
            ("a[0].b", vec!["a", "0", "b"]),
            ("a[\"x.y\"]", vec!["a", "x.y"]),
            ("pet[id]", vec!["pet", "id"]),
        ] {
            assert_eq!(steps(path), expected, "{path}");
        }
    }

    #[test]
    fn a_path_finds_what_it_leads_to() {
        let value = json!({"a": {"b": [{"c d": 7}]}, "x.y": 1});
        assert_eq!(Path::new("a.b[0]['c d']").get(&value), Some(&json!(7)));
        assert_eq!(Path::new("x.y").get(&value), Some(&json!(1)));
        assert_eq!(Path::new("a.q.r").get(&value), None);
        assert_eq!(Path::new("a.b[1]").get(&value), None);
    }

    #[test]
    fn setting_makes_what_is_missing() {
        let mut top = Map::new();
        set_path(&mut top, &Path::new("pet[id]"), json!(3));
        set_path(&mut top, &Path::new("list[1].x"), json!("y"));
        set_path(&mut top, &Path::new("plain"), json!(true));
        assert_eq!(
            Value::Object(top),
            json!({"pet": {"id": 3}, "list": [null, {"x": "y"}], "plain": true})
        );
    }
}
