//! JSON as Go's `MarshalIndent` writes it.

use std::fmt::Write as _;

use serde_json::Value;

/// The value with names sorted and two spaces per level, ready for people.
#[must_use]
pub fn to_pretty_text(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text
}

fn write(value: &Value, level: usize, text: &mut String) {
    match value {
        Value::Null | Value::Bool(_) => text.push_str(&value.to_string()),
        Value::Number(number) => text.push_str(&number_text(number)),
        Value::String(string) => write_string(string, text),
        Value::Array(items) if items.is_empty() => text.push_str("[]"),
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                new_line(place, level + 1, text);
                write(item, level + 1, text);
            }
            end_line(level, text);
            text.push(']');
        }
        Value::Object(entries) if entries.is_empty() => text.push_str("{}"),
        Value::Object(entries) => {
            let mut sorted: Vec<_> = entries.iter().collect();
            sorted.sort_by(|a, b| a.0.cmp(b.0));
            text.push('{');
            for (place, (name, value)) in sorted.into_iter().enumerate() {
                new_line(place, level + 1, text);
                write_string(name, text);
                text.push_str(": ");
                write(value, level + 1, text);
            }
            end_line(level, text);
            text.push('}');
        }
    }
}

fn new_line(place: usize, level: usize, text: &mut String) {
    if place > 0 {
        text.push(',');
    }
    end_line(level, text);
}

fn end_line(level: usize, text: &mut String) {
    text.push('\n');
    text.push_str(&"  ".repeat(level));
}

/// Whole numbers without a point; others as short as they read back, with an exponent
/// from 10²¹ up and below 10⁻⁶.
fn number_text(number: &serde_json::Number) -> String {
    if number.is_i64() || number.is_u64() {
        return number.to_string();
    }
    let value = number.as_f64().unwrap_or_default();
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{value:e}");
        return match text.split_once("e-") {
            Some(_) => text,
            None => text.replace('e', "e+"),
        };
    }
    format!("{value}")
}

fn write_string(string: &str, text: &mut String) {
    text.push('"');
    for c in string.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(text, "\\u{:04x}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_sorted_and_angle_brackets_escaped() {
        let value = json!({"b": ["p(95)<500", {}], "a": {"z": [], "n": 1.5, "big": 1e21}});
        assert_eq!(
            to_pretty_text(&value),
            "{\n  \"a\": {\n    \"big\": 1e+21,\n    \"n\": 1.5,\n    \"z\": []\n  },\n  \"b\": [\n    \"p(95)\\u003c500\",\n    {}\n  ]\n}"
        );
    }
}
