//! JavaScript's conversions of values: to text, truth value and number; paths into values.
//!
//! A missing value (`undefined`) is `None`.

mod path;

pub use path::{Path, length_of, set_path};

use serde_json::{Number, Value};

/// A number in JSON: an integer if it is whole; null if JSON cannot represent it.
#[must_use]
pub fn json_number(number: f64) -> Value {
    const EXACT_INTEGER_MAX: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT_INTEGER_MAX {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
        return Value::Number(Number::from(number as i64));
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

/// `String(number)`.
#[must_use]
pub fn number_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        }
        .to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    let size = number.abs();
    if (1e-6..1e21).contains(&size) {
        return format!("{number}");
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) if !exponent.starts_with('-') => {
            format!("{mantissa}e+{exponent}")
        }
        _ => text,
    }
}

/// `String(value)`.
#[must_use]
pub fn to_text(value: Option<&Value>) -> String {
    match value {
        None => "undefined".to_owned(),
        Some(Value::Null) => "null".to_owned(),
        Some(Value::Bool(flag)) => flag.to_string(),
        Some(Value::Number(number)) => number_as_text(number),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => {
            let texts = items.iter().map(|item| match item {
                Value::Null => String::new(),
                item => to_text(Some(item)),
            });
            texts.collect::<Vec<_>>().join(",")
        }
        Some(Value::Object(_)) => "[object Object]".to_owned(),
    }
}

/// Appends a value to a text: objects and lists as JSON.
pub fn push_rendered(out: &mut String, value: Option<&Value>) {
    match value {
        Some(Value::String(text)) => out.push_str(text),
        Some(value @ (Value::Array(_) | Value::Object(_))) => push_json(out, value),
        value => out.push_str(&to_text(value)),
    }
}

/// `JSON.stringify(value)`: numbers as JavaScript has them, keys that are indexes first.
#[must_use]
pub fn json_text(value: &Value) -> String {
    let mut out = String::new();
    push_json(&mut out, value);
    out
}

fn push_json(out: &mut String, value: &Value) {
    match value {
        Value::Number(number) => out.push_str(&number_as_text(number)),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                push_json(out, item);
            }
            out.push(']');
        }
        Value::Object(map) => {
            let index = |key: &str| key.parse::<u32>().ok().filter(|at| at.to_string() == key);
            let mut first: Vec<_> = map
                .iter()
                .filter_map(|(key, value)| Some((index(key)?, key, value)))
                .collect();
            first.sort_by_key(|(at, ..)| *at);
            let first = first.into_iter().map(|(_, key, value)| (key, value));
            let rest = map.iter().filter(|(key, _)| index(key).is_none());
            out.push('{');
            for (at, (key, value)) in first.chain(rest).enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                push_json(out, value);
            }
            out.push('}');
        }
        value => out.push_str(&value.to_string()),
    }
}

/// JavaScript has no whole numbers beyond 2^53.
fn number_as_text(number: &Number) -> String {
    number_text(number.as_f64().unwrap_or(f64::NAN))
}

/// `Number(value)`.
#[must_use]
pub fn to_number(value: Option<&Value>) -> f64 {
    match value {
        None | Some(Value::Object(_)) => f64::NAN,
        Some(Value::Null) => 0.0,
        Some(Value::Bool(flag)) => f64::from(u8::from(*flag)),
        Some(Value::Number(number)) => number.as_f64().unwrap_or(f64::NAN),
        Some(Value::String(text)) => text_to_number(text),
        Some(list @ Value::Array(_)) => text_to_number(&to_text(Some(list))),
    }
}

/// `Number(text)`.
#[must_use]
pub fn text_to_number(text: &str) -> f64 {
    let text = text.trim();
    if text.is_empty() {
        return 0.0;
    }
    let radix = |digits: &str, radix: u32| -> f64 {
        digits
            .chars()
            .try_fold(0.0, |sum, digit| {
                Some(sum * f64::from(radix) + f64::from(digit.to_digit(radix)?))
            })
            .unwrap_or(f64::NAN)
    };
    let lower = text.to_ascii_lowercase();
    match lower.get(..2) {
        Some("0x") if lower.len() > 2 => return radix(&lower[2..], 16),
        Some("0b") if lower.len() > 2 => return radix(&lower[2..], 2),
        Some("0o") if lower.len() > 2 => return radix(&lower[2..], 8),
        _ => {}
    }
    match text {
        "Infinity" | "+Infinity" => return f64::INFINITY,
        "-Infinity" => return f64::NEG_INFINITY,
        _ => {}
    }
    let is_number = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    if is_number {
        text.parse().unwrap_or(f64::NAN)
    } else {
        f64::NAN
    }
}

/// `Boolean(value)`.
#[must_use]
pub fn is_true(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(flag)) => *flag,
        Some(Value::Number(number)) => number.as_f64().is_some_and(|n| n != 0.0),
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(_) | Value::Object(_)) => true,
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "whole numbers are exact")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_are_those_of_javascript() {
        for (value, expected) in [
            (json!(1.5), "1.5"),
            (json!(1e21), "1e+21"),
            (json!(1e-7), "1e-7"),
            (json!(100_000_000_000_i64), "100000000000"),
            (json!([1, null, "a", [2]]), "1,,a,2"),
            (json!({"a": 1}), "[object Object]"),
            (json!(null), "null"),
        ] {
            assert_eq!(to_text(Some(&value)), expected);
        }
        assert_eq!(to_text(None), "undefined");
    }

    #[test]
    fn json_is_that_of_javascript() {
        let value: Value =
            serde_json::from_str(r#"{"b":1234567890123456789,"10":1.0,"2":[1e21,null,"a\n"]}"#)
                .unwrap();
        assert_eq!(
            json_text(&value),
            r#"{"2":[1e+21,null,"a\n"],"10":1,"b":1234567890123456800}"#
        );
        assert_eq!(
            to_text(Some(&json!(12_345_678_901_234_567_u64))),
            "12345678901234568"
        );
    }

    #[test]
    fn numbers_are_read_as_javascript_reads_them() {
        assert_eq!(text_to_number(" 12 "), 12.0);
        assert_eq!(text_to_number("0x10"), 16.0);
        assert_eq!(text_to_number("1e3"), 1000.0);
        assert_eq!(text_to_number(""), 0.0);
        assert!(text_to_number("12px").is_nan());
        assert!(text_to_number("nan").is_nan());
        assert!(to_number(None).is_nan());
    }
}
