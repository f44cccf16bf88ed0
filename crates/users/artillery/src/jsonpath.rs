//! JSONPath, in the forms of jsonpath-plus that Artillery files use.
//!
//! `$` (which may be left out), `.name`, `['name']`, `[0]`, `[-1]` as a slice, slices, unions,
//! `*`, `..name`, `^`, `~`, `@number()`, `.length` of lists, and filters `[?(@.a == 'x' && @.b > 1)]`. Any other form is an error that
//! names it, before any load.

mod filter;
mod parse;
mod step;

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use step::{JsonType, PathEnding, Step};

/// A parsed path.
#[derive(Debug, Clone)]
pub struct JsonPath {
    written: String,
    steps: Vec<Step>,
    ending: Option<PathEnding>,
}

impl JsonType {
    fn has(self, value: &Value) -> bool {
        match self {
            Self::Number => value.is_number(),
            Self::Integer => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            Self::String => value.is_string(),
            Self::Boolean => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::Array => value.is_array(),
            Self::Null => value.is_null(),
            Self::Scalar => !value.is_object() && !value.is_array(),
        }
    }
}

/// A form that is not supported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("JSONPath `{path}`: `{form}` is not supported")]
pub struct PathError {
    /// The path.
    pub path: String,
    /// The form.
    pub form: String,
}

/// The most values that a path may lead to.
const MATCHES_MAX: usize = 1_000_000;

/// A value with the values that contain it, outermost first.
#[derive(Clone)]
struct PathMatch<'v> {
    value: Cow<'v, Value>,
    parents: Vec<&'v Value>,
}

impl<'v> PathMatch<'v> {
    fn child(&self, value: &'v Value) -> Self {
        let mut parents = self.parents.clone();
        parents.extend(self.borrowed());
        Self {
            value: Cow::Borrowed(value),
            parents,
        }
    }

    /// The value, if it is part of the document; a length is not, and holds nothing.
    fn borrowed(&self) -> Option<&'v Value> {
        match self.value {
            Cow::Borrowed(value) => Some(value),
            Cow::Owned(_) => None,
        }
    }

    /// The name it is found under.
    fn name(&self) -> Option<Value> {
        let (parent, own) = (self.parents.last()?, self.borrowed()?);
        let name = match parent {
            Value::Object(map) => map
                .iter()
                .find(|(_, value)| std::ptr::eq(*value, own))
                .map(|(name, _)| name.clone()),
            Value::Array(items) => items
                .iter()
                .position(|value| std::ptr::eq(value, own))
                .map(|at| at.to_string()),
            _ => None,
        };
        name.map(Value::String)
    }
}

impl JsonPath {
    /// Parses a path.
    ///
    /// # Errors
    /// [`PathError`] for a form that is not supported.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let (steps, ending) = parse::parse(text).map_err(|form| PathError {
            path: text.to_owned(),
            form,
        })?;
        Ok(Self {
            written: text.to_owned(),
            steps,
            ending,
        })
    }

    /// All values that it leads to, in order.
    #[must_use]
    pub fn find<'v>(&self, document: &'v Value) -> Vec<Cow<'v, Value>> {
        let mut found = vec![PathMatch {
            value: Cow::Borrowed(document),
            parents: Vec::new(),
        }];
        for step in &self.steps {
            let mut next = Vec::new();
            for value in &found {
                step.take(value, &mut next);
                if next.len() > MATCHES_MAX {
                    return Vec::new();
                }
            }
            found = next;
        }
        match self.ending {
            None => found.into_iter().map(|found| found.value).collect(),
            Some(PathEnding::Names) => {
                let names = found.iter().filter_map(PathMatch::name);
                names.map(Cow::Owned).collect()
            }
            Some(PathEnding::Type(kind)) => {
                let values = found.into_iter().map(|found| found.value);
                values.filter(|value| kind.has(value)).collect()
            }
        }
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

fn children<'v>(value: &'v Value) -> Box<dyn Iterator<Item = &'v Value> + 'v> {
    match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(map) => Box::new(map.values()),
        _ => Box::new(std::iter::empty()),
    }
}

impl Step {
    fn take<'v>(&self, found: &PathMatch<'v>, next: &mut Vec<PathMatch<'v>>) {
        let Some(value) = found.borrowed() else {
            return;
        };
        match self {
            Self::Name(name) => {
                let hit = match value {
                    Value::Object(map) => map.get(name),
                    Value::Array(items) => name.parse::<usize>().ok().and_then(|at| items.get(at)),
                    _ => None,
                };
                match (hit, value) {
                    (Some(hit), _) => next.push(found.child(hit)),
                    (None, Value::Array(items)) if name == "length" => next.push(PathMatch {
                        value: Cow::Owned(Value::from(items.len())),
                        parents: Vec::new(),
                    }),
                    _ => {}
                }
            }
            Self::All => next.extend(children(value).map(|child| found.child(child))),
            Self::Deep => {
                next.push(found.clone());
                for child in children(value) {
                    if next.len() > MATCHES_MAX {
                        return;
                    }
                    self.take(&found.child(child), next);
                }
            }
            Self::Slice(from, to, by) => {
                if let Value::Array(items) = value {
                    next.extend(slice(items, *from, *to, *by).map(|item| found.child(item)));
                }
            }
            Self::Union(steps) => steps.iter().for_each(|step| step.take(found, next)),
            Self::Filter(filter) => next.extend(
                children(value)
                    .filter(|child| filter.holds(child))
                    .map(|child| found.child(child)),
            ),
            Self::FromEnd(back) => {
                if let Value::Array(items) = value
                    && let Some(item) = items.len().checked_sub(*back).and_then(|at| items.get(at))
                {
                    next.push(found.child(item));
                }
            }
            Self::Parent => {
                let mut parents = found.parents.clone();
                if let Some(parent) = parents.pop() {
                    next.push(PathMatch {
                        value: Cow::Borrowed(parent),
                        parents,
                    });
                }
            }
        }
    }
}

fn slice(
    items: &[Value],
    from: Option<i64>,
    to: Option<i64>,
    by: Option<i64>,
) -> impl Iterator<Item = &Value> {
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let place = |at: i64| {
        if at < 0 {
            (at + length).max(0)
        } else {
            at.min(length)
        }
    };
    let (from, to) = (place(from.unwrap_or(0)), place(to.unwrap_or(length)));
    let index = |at: i64| usize::try_from(at).unwrap_or(0);
    let by = usize::try_from(by.unwrap_or(1)).unwrap_or(1).max(1);
    let range = index(from)..index(to.max(from));
    items[range].iter().step_by(by)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn find(path: &str) -> Value {
        let document = json!({
            "code": "success",
            "store": {
                "book": [
                    {"title": "A", "price": 8, "isbn": "1"},
                    {"title": "B", "price": 12},
                    {"title": "C", "price": 9, "isbn": "3", "tags": ["x", "y"]},
                ],
                "a-b": {"price": 20},
            },
        });
        let path = JsonPath::parse(path).unwrap();
        let found = path.find(&document).into_iter();
        Value::Array(found.map(Cow::into_owned).collect())
    }

    /// The results of jsonpath-plus 10.4.
    #[test]
    fn paths_find_what_jsonpath_plus_finds() {
        for (path, expected) in [
            ("$.code", json!(["success"])),
            ("code", json!(["success"])),
            ("$.store.book[0].title", json!(["A"])),
            ("$['store']['book'][1][\"title\"]", json!(["B"])),
            ("$.store.book[*].title", json!(["A", "B", "C"])),
            ("$.store.book[-1:].title", json!(["C"])),
            ("$.store.book[:2].title", json!(["A", "B"])),
            ("$.store.book[0,2].title", json!(["A", "C"])),
            ("$..title", json!(["A", "B", "C"])),
            ("$.store.book[(@.length-1)].title", json!(["C"])),
            ("$.store.book[?(@.price < 10)].title", json!(["A", "C"])),
            ("$.store.book[?(@.price > 8 && @.isbn)].title", json!(["C"])),
            (
                "$.store.book[?(@.title == 'B' || @.title === \"C\")].price",
                json!([12, 9]),
            ),
            ("$.store.book[?(!@.isbn)].title", json!(["B"])),
            ("$.store.book[?(@.tags.length >= 2)].title", json!(["C"])),
            ("$.store['a-b'].price", json!([20])),
            ("$.store.a-b.price", json!([20])),
            ("$..book[?(@.price==12)]^[0].title", json!(["A"])),
            ("$.missing", json!([])),
            ("$.store.*.price", json!([20])),
            ("$.store.book.length", json!([3])),
            ("$.store.book[0]~", json!(["0"])),
            ("$.store.book[0].*~", json!(["title", "price", "isbn"])),
            ("$.store.book[0].*@number()", json!([8])),
            (
                "$.store.book[?(@.title.match(/^[bc]$/i))].price",
                json!([12, 9]),
            ),
        ] {
            assert_eq!(find(path), expected, "{path}");
        }
        assert_eq!(
            find("$"),
            json!([json!({"code": "success", "store": find("$.store")[0]})])
        );
    }

    #[test]
    fn other_forms_are_refused_by_name() {
        let error = |path: &str| JsonPath::parse(path).unwrap_err().to_string();
        assert_eq!(
            error("$.a[?(@.x.trim())]"),
            "JSONPath `$.a[?(@.x.trim())]`: `@.x.trim()` is not supported"
        );
        assert!(error("$.a~b").contains("`~"));
        assert!(error("$.a[(@.b)]").contains("`(@.b)`"));
        assert!(error("$.a[").contains("is not supported"));
    }
}
