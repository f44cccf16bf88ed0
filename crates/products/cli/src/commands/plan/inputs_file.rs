//! Inputs from a YAML file: lines of `NAME: VALUE`, features as a list.

use std::fmt::Display;

use loadline_sizing::PlanInputs;
use loadline_text::problem;
use loadline_units::{nearest, nearest_beginning};
use serde_json::Value;

use crate::context::Context;
use crate::refusal::Refusal;

/// What `feature` is called as a list.
const FEATURES: &str = "features";

/// An input as a file has it.
#[derive(Debug, PartialEq)]
pub(super) struct FileInput {
    /// Its line in the file, from 1.
    pub(super) line: usize,
    /// As `sizing` knows it.
    pub(super) name: String,
    pub(super) text: String,
}

/// Why a text holds no inputs.
#[derive(Debug, PartialEq)]
enum FileMistake {
    /// It is malformed.
    Malformed(String),
    /// A name means nothing.
    Unknown { line: usize, name: String },
}

/// The inputs of a file, in order.
pub(super) fn read(context: &Context, path: &str) -> Result<Vec<FileInput>, Refusal> {
    let text = context
        .read_text(path)
        .map_err(|error| Refusal::unread(path, &error))?;
    inputs(&text).map_err(|mistake| {
        Refusal::config(match mistake {
            FileMistake::Malformed(reason) => problem::plan_file(path, reason),
            FileMistake::Unknown { line, name } => match similar(&name) {
                Some(similar) => problem::project_key_misspelt(path, line, name, similar),
                None => problem::project_key(path, line, name, PlanInputs::names().join(", ")),
            },
        })
    })
}

/// The name that was probably meant.
fn similar(name: &str) -> Option<&'static str> {
    let dashed = name.replace('_', "-");
    nearest(&dashed, PlanInputs::names())
        .or_else(|| nearest_beginning(&dashed, PlanInputs::names()))
}

fn inputs(text: &str) -> Result<Vec<FileInput>, FileMistake> {
    let read: Value =
        serde_saphyr::from_str(text).map_err(|error| FileMistake::Malformed(first_line(&error)))?;
    let Value::Object(members) = read else {
        return Err(FileMistake::Malformed("NAME: VALUE".to_owned()));
    };
    let mut inputs = Vec::new();
    for (typed, value) in members {
        let line = line_of(text, &typed);
        let name = known(&typed).ok_or_else(|| FileMistake::Unknown {
            line,
            name: typed.clone(),
        })?;
        let mut add = |text: Result<String, String>| {
            inputs.push(FileInput {
                line,
                name: name.to_owned(),
                text: text.map_err(FileMistake::Malformed)?,
            });
            Ok(())
        };
        match value {
            Value::Array(items) if name == "feature" => {
                for item in items {
                    add(feature(&typed, item))?;
                }
            }
            Value::Array(items) => {
                let items: Result<Vec<String>, String> =
                    items.into_iter().map(|item| scalar(&typed, item)).collect();
                add(items.map(|items| items.join(",")))?;
            }
            value => add(scalar(&typed, value))?,
        }
    }
    Ok(inputs)
}

/// The input that a name of the file means; `_` is as good as `-`, as in other YAML files.
fn known(typed: &str) -> Option<&'static str> {
    let dashed = typed.replace('_', "-");
    let wanted = if dashed == FEATURES {
        "feature"
    } else {
        &dashed
    };
    PlanInputs::names()
        .into_iter()
        .find(|known| *known == wanted)
}

/// The line in which a name stands before its colon; of JSON in one line that one.
fn line_of(text: &str, name: &str) -> usize {
    let stands_in = |line: &str| {
        line.match_indices(name).any(|(at, _)| {
            let before = line[..at].trim_end_matches(['"', '\'']).trim_end();
            let after = &line[at + name.len()..];
            let after = after.trim_start_matches(['"', '\'']).trim_start();
            let begins = before.is_empty() || before.ends_with(['{', ',']);
            begins && after.starts_with(':')
        })
    };
    let mut lines = text.lines().zip(1..);
    lines
        .find(|(line, _)| stands_in(line))
        .map_or(1, |(_, number)| number)
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

    fn pair(input: &FileInput) -> (&str, &str) {
        (&input.name, &input.text)
    }

    #[test]
    fn names_and_values_are_read_as_texts() {
        let text = "dau: 10_000\nthink-time: 1s\nresponse-time: [100ms, 500ms]\n\
                    features:\n  - 'read: GET /x, share=70%'\n  - write: POST /x, share=30%\n";
        let read = inputs(text).unwrap();
        let pairs: Vec<_> = read.iter().map(pair).collect();
        assert_eq!(
            pairs[1..],
            [
                ("think-time", "1s"),
                ("response-time", "100ms,500ms"),
                ("feature", "read: GET /x, share=70%"),
                ("feature", "write: POST /x, share=30%"),
            ]
        );
    }

    /// Seen: "--requests_per_usr cannot be `5`", a flag that nobody typed, without file and line.
    #[test]
    fn a_name_that_means_nothing_is_told_with_its_line_and_the_nearest_one() {
        let read = inputs("dau: 1\nrequests_per_user: 5\n").unwrap();
        assert_eq!(pair(&read[1]), ("requests-per-user", "5"));
        assert_eq!(read[1].line, 2);
        let unknown = |text: &str| match inputs(text) {
            Err(FileMistake::Unknown { line, name }) => {
                let similar = similar(&name);
                (line, name, similar)
            }
            other => panic!("{other:?}"),
        };
        let told = |line, name: &str, similar| (line, name.to_owned(), similar);
        assert_eq!(
            unknown("dau: 1\nrequests_per_usr: 5\n"),
            told(2, "requests_per_usr", Some("requests-per-user"))
        );
        assert_eq!(
            unknown("{\n  \"dau\": 1,\n  \"peak_facter\": 5\n}"),
            told(3, "peak_facter", Some("peak-factor"))
        );
        assert_eq!(
            unknown("{\"dau\": 1, \"colour\": 5}"),
            told(1, "colour", None)
        );
    }

    #[test]
    fn what_is_no_map_is_refused() {
        assert!(inputs("- 1\n").is_err());
        assert!(inputs("dau: {a: 1}\n").is_err());
        assert!(inputs("a: b: c").is_err());
    }
}
