//! Holds what a server sent against what a step expects of it.

use serde_json::Value;

use crate::exec::answer::{self, Answer};
use crate::model::EmitAnswer;
use crate::text::{is_true, to_text};
use crate::vu::{FlowFailure, StepsResult, Vu};

/// Whether what came is the data that a step names. A step that names none never finds it.
pub(super) fn fits(vu: &Vu, expected: &EmitAnswer, received: &[Value]) -> bool {
    let (data, joins) = rendered(vu, expected);
    data.is_some_and(|data| is_valid(&data, joins, received))
}

/// Compares, matches and captures.
///
/// # Errors
/// Artillery's words for what did not fit.
pub(super) fn check(vu: &Vu, expected: &EmitAnswer, received: &[Value]) -> StepsResult {
    let (data, joins) = rendered(vu, expected);
    if let Some(data) = data.filter(|data| is_true(Some(data)))
        && !is_valid(&data, joins, received)
    {
        return Err(FlowFailure::new("data is not valid"));
    }
    if expected.captures.is_empty() && expected.matches.is_empty() {
        return Ok(());
    }
    let body = crate::text::json_text(&Value::Array(received.to_vec()));
    let answer = Answer::new(None, &body);
    if answer::apply_leniently(vu, &expected.captures, &expected.matches, &answer) {
        return Err(FlowFailure::new("Failed match"));
    }
    vu.set("$", Value::String(body));
    Ok(())
}

fn rendered(vu: &Vu, expected: &EmitAnswer) -> (Option<Value>, bool) {
    let vars = vu.vars.borrow();
    let scope = vu.scope(&vars);
    let data = expected.data.as_ref().and_then(|data| data.render(&scope));
    let joins = expected.joins.as_ref();
    let joins = joins.and_then(|joins| joins.render(&scope));
    (data, is_true(joins.as_ref()))
}

/// A list is compared with all that came, a map with the last value, a text with what the last value contains.
fn is_valid(data: &Value, joins: bool, received: &[Value]) -> bool {
    match data {
        Value::Array(items) => {
            items.len() == received.len() && items.iter().zip(received).all(|(a, b)| is_equal(a, b))
        }
        Value::Object(map) => {
            let mut map = map.clone();
            map.shift_remove("json");
            let expected = Value::Object(map);
            received
                .last()
                .is_some_and(|last| is_equal(&expected, last))
        }
        Value::String(text) if joins => {
            let all: String = received.iter().map(|value| to_text(Some(value))).collect();
            all.contains(text.as_str())
        }
        Value::String(text) => match received.last() {
            Some(Value::String(last)) => last.contains(text.as_str()),
            Some(Value::Array(items)) => items.contains(data),
            _ => false,
        },
        _ => false,
    }
}

/// Whether two values are the same to JavaScript, which has one kind of numbers.
fn is_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(name, a): (&String, &Value)| b.get(name).is_some_and(|b| is_equal(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn data_is_compared_by_its_kind() {
        let received = [json!("first"), json!({"a": 1})];
        assert!(is_valid(&json!({"a": 1.0}), false, &received));
        assert!(is_valid(&json!({"a": 1, "json": "$.0"}), false, &received));
        assert!(!is_valid(&json!({"a": 2}), false, &received));
        assert!(is_valid(&json!(["first", {"a": 1}]), false, &received));
        assert!(!is_valid(&json!(["first"]), false, &received));
        let texts = [json!("x-1"), json!("x-2")];
        assert!(is_valid(&json!("-2"), false, &texts));
        assert!(!is_valid(&json!("x-1"), false, &texts));
        assert!(is_valid(&json!("x-1x-2"), true, &texts));
        assert!(!is_valid(&json!(1), false, &[json!(1)]));
    }
}
