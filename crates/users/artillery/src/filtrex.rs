//! Conditions in filtrex 2's language, for `ifTrue` and `ensure`.
//!
//! Comparisons, `and`, `or` and `not` give 1 or 0. Equality and order are JavaScript's. A syntax
//! error is reported before any load.

mod node;
mod parse;

use node::{FiltrexNode, Operator};
pub use parse::FiltrexError;

use std::cmp::Ordering;

use serde_json::Value;

use crate::text::{is_true, json_number, to_number, to_text};
use loadline_units::Random;

/// A parsed expression.
#[derive(Debug, Clone)]
pub struct FiltrexExpression(FiltrexNode);

/// Gives the value of a symbol; `None` if it is unknown.
pub type Lookup<'l> = &'l dyn Fn(&str) -> Option<Value>;

impl FiltrexExpression {
    /// Parses an expression.
    ///
    /// # Errors
    /// [`FiltrexError`] says what was found and where.
    pub fn parse(text: &str) -> Result<Self, FiltrexError> {
        parse::parse(text).map(Self)
    }

    /// Parses an expression in which the given names may contain characters that names usually do
    /// not. The longest matching name is taken.
    ///
    /// # Errors
    /// As [`FiltrexExpression::parse`].
    pub fn parse_with_names(text: &str, names: &[&str]) -> Result<Self, FiltrexError> {
        parse::parse_with_names(text, names).map(Self)
    }

    /// The value; `None` for JavaScript's `undefined`. An unknown function is an error that
    /// counts as true, as in Artillery.
    #[must_use]
    pub fn value(&self, lookup: Lookup<'_>, random: &Random) -> Option<Value> {
        self.0.value(lookup, random)
    }

    /// Whether the value is truthy.
    #[must_use]
    pub fn holds(&self, lookup: Lookup<'_>, random: &Random) -> bool {
        is_true(self.value(lookup, random).as_ref())
    }

    /// Collects the names in it.
    pub fn symbols<'e>(&'e self, into: &mut Vec<&'e str>) {
        self.0.symbols(into);
    }
}

/// A number; NaN becomes `undefined`, which has the same effect everywhere.
fn number_value(value: f64) -> Option<Value> {
    (!value.is_nan()).then(|| json_number(value))
}

fn flag(value: bool) -> Value {
    json_number(f64::from(u8::from(value)))
}

impl FiltrexNode {
    fn value(&self, lookup: Lookup<'_>, random: &Random) -> Option<Value> {
        let number = |node: &Self| to_number(node.value(lookup, random).as_ref());
        match self {
            Self::Number(number) => number_value(*number),
            Self::Text(text) => Some(Value::String(text.clone())),
            Self::Symbol(name) => lookup(name),
            Self::Of(name, node) => match node.value(lookup, random)? {
                Value::Object(map) => map.get(name).cloned(),
                _ => None,
            },
            Self::Call(name, arguments) => {
                let arguments: Vec<f64> = arguments.iter().map(number).collect();
                match call(name, &arguments, random) {
                    Some(value) => number_value(value),
                    None => Some(Value::Bool(true)),
                }
            }
            Self::Array(items) => Some(Value::Array(
                items
                    .iter()
                    .map(|item| item.value(lookup, random).unwrap_or(Value::Null))
                    .collect(),
            )),
            Self::Negative(node) => number_value(-number(node)),
            Self::Not(node) => Some(flag(!is_true(node.value(lookup, random).as_ref()))),
            Self::Choice(condition, then, otherwise) => {
                if is_true(condition.value(lookup, random).as_ref()) {
                    then.value(lookup, random)
                } else {
                    otherwise.value(lookup, random)
                }
            }
            Self::In(part, whole, negated) => {
                let list = |value: Option<Value>| match value {
                    Some(Value::Array(items)) => items,
                    Some(value) => vec![value],
                    None => vec![Value::Null],
                };
                let part = list(part.value(lookup, random));
                let whole = list(whole.value(lookup, random));
                let is_in = part.iter().all(|item| whole.contains(item));
                Some(flag(is_in != *negated))
            }
            Self::Binary(operator, left, right) => {
                let left_value = left.value(lookup, random);
                match operator {
                    // As `Number(a && b)`: the operand that decides, as a number.
                    Operator::And if !is_true(left_value.as_ref()) => {
                        number_value(to_number(left_value.as_ref()))
                    }
                    Operator::Or if is_true(left_value.as_ref()) => {
                        number_value(to_number(left_value.as_ref()))
                    }
                    Operator::And | Operator::Or => number_value(number(right)),
                    operator => operator.apply(left_value, right.value(lookup, random)),
                }
            }
        }
    }

    fn symbols<'e>(&'e self, into: &mut Vec<&'e str>) {
        match self {
            Self::Symbol(name) => into.push(name),
            Self::Number(_) | Self::Text(_) => {}
            Self::Of(_, node) | Self::Negative(node) | Self::Not(node) => node.symbols(into),
            Self::Call(_, nodes) | Self::Array(nodes) => {
                nodes.iter().for_each(|node| node.symbols(into));
            }
            Self::Binary(_, a, b) | Self::In(a, b, _) => {
                a.symbols(into);
                b.symbols(into);
            }
            Self::Choice(a, b, c) => {
                a.symbols(into);
                b.symbols(into);
                c.symbols(into);
            }
        }
    }
}

impl Operator {
    fn apply(self, left: Option<Value>, right: Option<Value>) -> Option<Value> {
        let (a, b) = (left.as_ref(), right.as_ref());
        let numbers = |f: fn(f64, f64) -> f64| number_value(f(to_number(a), to_number(b)));
        let ordered = |f: fn(Ordering) -> bool| Some(flag(order(a, b).is_some_and(f)));
        match self {
            Self::Equal => Some(flag(loosely_equal(a, b))),
            Self::NotEqual => Some(flag(!loosely_equal(a, b))),
            Self::Matches => {
                // A pattern that is not there is an empty one, which is found everywhere.
                let pattern = b.map_or_else(String::new, |b| to_text(Some(b)));
                let pattern = regress::Regex::new(&pattern);
                Some(flag(
                    pattern.is_ok_and(|pattern| pattern.find(&to_text(a)).is_some()),
                ))
            }
            Self::Less => ordered(Ordering::is_lt),
            Self::LessOrEqual => ordered(Ordering::is_le),
            Self::Greater => ordered(Ordering::is_gt),
            Self::GreaterOrEqual => ordered(Ordering::is_ge),
            Self::Add if is_text_like(a) || is_text_like(b) => {
                Some(Value::String(to_text(a) + &to_text(b)))
            }
            Self::Add => numbers(|a, b| a + b),
            Self::Subtract => numbers(|a, b| a - b),
            Self::Multiply => numbers(|a, b| a * b),
            Self::Divide => numbers(|a, b| a / b),
            Self::Remainder => numbers(|a, b| a % b),
            Self::Power => numbers(f64::powf),
            Self::And | Self::Or => None,
        }
    }
}

fn is_text_like(value: Option<&Value>) -> bool {
    matches!(
        value,
        Some(Value::String(_) | Value::Array(_) | Value::Object(_))
    )
}

/// JavaScript's `==`.
#[expect(clippy::float_cmp, reason = "equality is what is asked for")]
fn loosely_equal(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (None | Some(Value::Null), None | Some(Value::Null)) => true,
        (None | Some(Value::Null), _) | (_, None | Some(Value::Null)) => false,
        (Some(Value::String(a)), Some(Value::String(b))) => a == b,
        (Some(Value::Object(_) | Value::Array(_)), Some(Value::Object(_) | Value::Array(_))) => {
            false // different objects, even with the same content
        }
        (Some(Value::Object(_) | Value::Array(_)), Some(Value::String(b))) => &to_text(a) == b,
        (Some(Value::String(a)), Some(Value::Object(_) | Value::Array(_))) => &to_text(b) == a,
        _ => to_number(a) == to_number(b),
    }
}

/// JavaScript's order; `None` if the values are not comparable.
fn order(a: Option<&Value>, b: Option<&Value>) -> Option<Ordering> {
    if let (Some(Value::String(a)), Some(Value::String(b))) = (a, b) {
        return Some(a.cmp(b));
    }
    to_number(a).partial_cmp(&to_number(b))
}

fn call(name: &str, arguments: &[f64], random: &Random) -> Option<f64> {
    let first = arguments.first().copied().unwrap_or(f64::NAN);
    Some(match name {
        "abs" => first.abs(),
        "ceil" => first.ceil(),
        "floor" => first.floor(),
        "log" => first.ln(),
        "max" => arguments.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        "min" => arguments.iter().copied().fold(f64::INFINITY, f64::min),
        "random" => random.unit(),
        "round" => (first + 0.5).floor(),
        "sqrt" => first.sqrt(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn value(text: &str) -> Option<Value> {
        let vars = json!({"a": 5, "s": "abc", "t": true, "list": [1, 2], "x.y": 3});
        let lookup = |name: &str| vars.get(name).cloned();
        FiltrexExpression::parse(text)
            .unwrap()
            .value(&lookup, &Random::new(1))
    }

    #[test]
    fn expressions_give_what_filtrex_gives() {
        for (text, expected) in [
            ("a < 6", json!(1)),
            ("a == 5 and s == \"abc\"", json!(1)),
            ("a > 5 or not t", json!(0)),
            ("a + 2 * 3 ^ 2", json!(23)),
            ("-a + 1", json!(-4)),
            ("a in (1, 5)", json!(1)),
            ("a not in (1, 5)", json!(0)),
            ("s ~= \"^a\"", json!(1)),
            ("a > 3 ? \"big\" : \"small\"", json!("big")),
            ("max(a, 9) % 4", json!(1)),
            ("x.y == 3", json!(1)),
            ("'x.y' == 3", json!(1)),
            ("missing < 5", json!(0)),
            ("t == 1", json!(1)),
            ("(missing - 1) * 100 <= 10", json!(0)),
            ("(a - 1) / 2", json!(2)),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
        assert_eq!(value("missing"), None);
    }

    #[test]
    fn what_cannot_be_read_says_where() {
        for text in ["a = 5", "a <", "(a", "a b", "", "a && b", "\"x"] {
            assert!(FiltrexExpression::parse(text).is_err(), "{text}");
        }
        let error = FiltrexExpression::parse("a && b").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`&` is not expected here (at character 3)"
        );
        assert!(FiltrexExpression::parse(&"(".repeat(10_000)).is_err());
    }

    /// A chain of operators was a tree that no stack was deep enough for, and each token counted all
    /// characters before it.
    #[test]
    fn a_long_chain_of_operators_is_refused() {
        let chain = |operators: usize| format!("1{}", " + 1".repeat(operators));
        assert_eq!(value(&chain(200)), Some(json!(201)));
        let refused = FiltrexExpression::parse(&chain(201)).unwrap_err();
        assert_eq!(refused, FiltrexError::TooDeep);
    }

    #[test]
    fn places_are_counted_in_characters() {
        let error = FiltrexExpression::parse("\"\u{e9}\u{e9}\"  +\u{a0} ;").unwrap_err();
        let found = ";".to_owned();
        assert_eq!(error, FiltrexError::Unexpected { found, at: 10 });
    }

    #[test]
    fn names_with_other_characters_are_found_longest_first() {
        let names = ["http.codes.200", "plugins.x./a b.codes.200", "http.codes"];
        let text = "plugins.x./a b.codes.200 > 1 and http.codes.200 == 2";
        let expression = FiltrexExpression::parse_with_names(text, &names).unwrap();
        let mut symbols = Vec::new();
        expression.symbols(&mut symbols);
        assert_eq!(symbols, ["plugins.x./a b.codes.200", "http.codes.200"]);
    }
}
