//! Inputs from a YAML file: lines of `NAME: VALUE`, features as a list.

use std::fmt::Display;

use loadline_text::problem;
use serde_json::Value;

use crate::context::Context;
use crate::refusal::Refusal;

/// Names and texts of the file, in order.
pub(super) fn read(context: &Context, path: &str) -> Result<Vec<(String, String)>, Refusal> {
    let text = std::fs::read_to_string(context.working_dir.join(path))
        .map_err(|error| Refusal::unread(path, &error))?;
    pairs(&text).map_err(|reason| Refusal::config(problem::plan_file(path, reason)))
}

fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let read: Value = serde_saphyr::from_str(text).map_err(|error| first_line(&error))?;
    let Value::Object(members) = read else {
        return Err("NAME: VALUE".to_owned());
    };
    let mut pairs = Vec::new();
    for (name, value) in members {
        match value {
            Value::Array(items) if name == "features" || name == "feature" => {
                for item in items {
                    pairs.push(("feature".to_owned(), feature(&name, item)?));
                }
            }
            Value::Array(items) => {
                let items: Result<Vec<String>, String> =
                    items.into_iter().map(|item| scalar(&name, item)).collect();
                pairs.push((name, items?.join(",")));
            }
            value => {
                let text = scalar(&name, value)?;
                pairs.push((name, text));
            }
        }
    }
    Ok(pairs)
}

/// A feature is a line as on the command line, or that of a map with one name.
fn feature(name: &str, item: Value) -> Result<String, String> {
    match item {
        Value::Object(members) if members.len() == 1 => {
            let (feature, rest) = members.into_iter().next().ok_or_else(|| name.to_owned())?;
            Ok(format!("{feature}: {}", scalar(name, rest)?))
        }
        item => scalar(name, item),
    }
}

fn scalar(name: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Null => Ok(String::new()),
        other => Err(format!("{name}: {other}")),
    }
}

fn first_line(error: &impl Display) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_read_as_texts() {
        let text = "dau: 10_000\nthink-time: 1s\nresponse-time: [100ms, 500ms]\n\
                    features:\n  - 'read: GET /x, share=70%'\n  - write: POST /x, share=30%\n";
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let read = pairs(text).unwrap();
        assert_eq!(
            read[1..3],
            [
                pair("think-time", "1s"),
                pair("response-time", "100ms,500ms"),
            ]
        );
        assert_eq!(
            read[3..],
            [
                pair("feature", "read: GET /x, share=70%"),
                pair("feature", "write: POST /x, share=30%"),
            ]
        );
    }

    #[test]
    fn what_is_no_map_is_refused() {
        assert!(pairs("- 1\n").is_err());
        assert!(pairs("dau: {a: 1}\n").is_err());
        assert!(pairs("a: b: c").is_err());
    }
}
