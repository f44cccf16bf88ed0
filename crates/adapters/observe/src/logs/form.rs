//! The form of a line: what wraps it is taken off, and a line of fields becomes a line of text.
//!
//! JSON and `key=value` have their message between quotation marks, where a wording keeps nothing. So they are
//! written anew: level, logger, message, error, and the fields that are numbers (`active=10`).

use std::borrow::Cow;
use std::sync::LazyLock;

use loadline_record::signals::LineLevel;
use regex::Regex;
use serde_json::{Map, Value};

/// Fields of a line that are numbers and are kept.
const NUMBERS_MAX: usize = 8;
/// A field's text is cut to so many bytes.
const FIELD_BYTES_MAX: usize = 400;

/// What a level is called in fields, ...
const LEVEL_FIELDS: &[&str] = &[
    "level",
    "severity",
    "lvl",
    "log.level",
    "levelname",
    "loglevel",
    "log_level",
    "@level",
    "@l",
    "severitytext",
    "severity_text",
    "error_severity",
    "s",
];
/// ... who writes, ...
const LOGGER_FIELDS: &[&str] = &[
    "logger",
    "logger_name",
    "loggername",
    "log.logger",
    "name",
    "category",
    "sourcecontext",
    "target",
    "c",
    "component",
];
/// ... what, ...
const MESSAGE_FIELDS: &[&str] = &[
    "message",
    "msg",
    "@m",
    "@mt",
    "event",
    "text",
    "body",
    "short_message",
];
/// ... and about which error.
const ERROR_FIELDS: &[&str] = &[
    "err",
    "error",
    "exception",
    "error.message",
    "error.type",
    "exc_info",
    "cause",
    "reason",
    "detail",
    "code",
    "stack_trace",
    "stacktrace",
    "@x",
];
/// Numbers that say nothing of what happened.
const PASSING_FIELDS: &[&str] = &[
    "time",
    "ts",
    "timestamp",
    "@timestamp",
    "@t",
    "t",
    "pid",
    "tid",
    "v",
    "line",
    "lineno",
    "level_value",
    "thread_id",
    "process",
    "thread",
    "seq",
];

/// A line without what wraps it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FormedLine<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) level: Option<LineLevel>,
}

/// Colours of a terminal.
static COLOUR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\x1b\[[0-9;]*[A-Za-z]").expect("a constant pattern is valid"));
/// What a container's runtime puts before each line.
static CONTAINER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\d{4}-\d\d-\d\dT\S+ (?:stdout|stderr) [FP] ")
        .expect("a constant pattern is valid")
});
/// A field of a line of fields.
static FIELD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"([\w.@-]+)=("(?:[^"\\]|\\.)*"|[^\s"]*)(?:\s+|$)"#)
        .expect("a constant pattern is valid")
});

impl<'a> FormedLine<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        let line = COLOUR.replace_all(line, "");
        let line = match CONTAINER.find(&line) {
            Some(head) => Cow::Owned(line[head.end()..].to_owned()),
            None => line,
        };
        let fields = of_json(&line).or_else(|| of_pairs(&line));
        let Some(fields) = fields else {
            let level = LineLevel::of_line(&line);
            return Self { text: line, level };
        };
        // Docker keeps each line of a program as `{"log": ..., "stream": ...}`.
        if let (Some(Value::String(inner)), Some(_)) = (fields.get("log"), fields.get("stream")) {
            return FormedLine::new(inner.trim_end()).into_owned();
        }
        let level = level(&fields);
        let text = text(&fields, level);
        if text.is_empty() {
            return Self { text: line, level };
        }
        Self {
            level: level.or_else(|| LineLevel::of_line(&text)),
            text: Cow::Owned(text),
        }
    }

    fn into_owned<'b>(self) -> FormedLine<'b> {
        FormedLine {
            text: Cow::Owned(self.text.into_owned()),
            level: self.level,
        }
    }
}

/// Fields by their names in lower case, those of an object inside with its name before.
fn of_json(line: &str) -> Option<Map<String, Value>> {
    let line = line.trim();
    if !line.starts_with('{') {
        return None;
    }
    let Ok(Value::Object(all)) = serde_json::from_str(line) else {
        return None;
    };
    let mut fields = Map::new();
    for (name, value) in all {
        let name = name.to_ascii_lowercase();
        if let Value::Object(inside) = &value {
            for (inner, value) in inside {
                fields.insert(
                    format!("{name}.{}", inner.to_ascii_lowercase()),
                    value.clone(),
                );
            }
        }
        fields.insert(name, value);
    }
    Some(fields)
}

/// A line that begins with `key=value` and has a level or a message among its fields.
fn of_pairs(line: &str) -> Option<Map<String, Value>> {
    let first = FIELD.find(line.trim_start())?;
    if first.start() != 0 {
        return None;
    }
    let pairs = FIELD.captures_iter(line);
    let fields: Map<String, Value> = pairs
        .map(|pair| (pair[1].to_ascii_lowercase(), value_of(&pair[2])))
        .collect();
    let has = |names: &[&str]| names.iter().any(|name| fields.contains_key(*name));
    (has(&LEVEL_FIELDS[..3]) && has(MESSAGE_FIELDS)).then_some(fields)
}

fn value_of(text: &str) -> Value {
    let quoted = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    match (quoted, text.parse::<i64>()) {
        (Some(inner), _) => Value::String(inner.replace("\\\"", "\"").replace("\\n", "\n")),
        (None, Ok(number)) => Value::from(number),
        (None, Err(_)) => Value::String(text.to_owned()),
    }
}

fn level(fields: &Map<String, Value>) -> Option<LineLevel> {
    LEVEL_FIELDS
        .iter()
        .find_map(|name| match fields.get(*name)? {
            Value::Number(number) => LineLevel::of_number(number.as_u64()?),
            Value::String(word) => match word.as_str() {
                // MongoDB's letters.
                "F" => Some(LineLevel::Fatal),
                "E" => Some(LineLevel::Error),
                "W" => Some(LineLevel::Warn),
                "I" => Some(LineLevel::Info),
                word if word.starts_with('D') && word.len() <= 2 => Some(LineLevel::Debug),
                word => LineLevel::named(word),
            },
            _ => None,
        })
}

/// `ERROR shop.Cart: no answer: connection refused (active=10)`.
fn text(fields: &Map<String, Value>, level: Option<LineLevel>) -> String {
    let mut parts: Vec<String> = Vec::new();
    let first = |names: &[&str]| names.iter().find_map(|name| words(fields.get(*name)?));
    parts.extend(first(MESSAGE_FIELDS));
    for name in ERROR_FIELDS {
        let more = fields.get(*name).and_then(words);
        parts.extend(more.filter(|more| !parts.iter().any(|part| part.contains(more.as_str()))));
    }
    if parts.is_empty() {
        return String::new();
    }
    let logger = first(LOGGER_FIELDS).filter(|logger| !logger.contains(' '));
    parts.splice(0..0, logger);
    let mut text = level.map_or(String::new(), |level| {
        format!("{} ", level.name().to_ascii_uppercase())
    });
    text.push_str(&parts.join(": "));
    let numbers: Vec<String> = fields
        .iter()
        .filter(|(name, value)| value.is_number() && is_telling(name))
        .map(|(name, value)| format!("{name}={value}"))
        .take(NUMBERS_MAX)
        .collect();
    if !numbers.is_empty() {
        text.push_str(&format!(" ({})", numbers.join(", ")));
    }
    text
}

fn is_telling(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    !PASSING_FIELDS.contains(&last) && !LEVEL_FIELDS.contains(&last)
}

/// The first line of a text, or what an error as an object says of itself.
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Object(error) => {
            let of = |name: &str| error.get(name).and_then(Value::as_str);
            let said: Vec<&str> = ["type", "name", "code", "message", "msg"]
                .into_iter()
                .filter_map(of)
                .collect();
            said.join(" ")
        }
        _ => return None,
    };
    let first = text.trim().lines().next().unwrap_or_default();
    let first = &first[..first.floor_char_boundary(FIELD_BYTES_MAX)];
    (!first.is_empty()).then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_fields_tell_level_message_and_error() {
        use LineLevel::{Debug, Error, Fatal, Info, Warn};
        let forms = [
            (
                r#"{"level":"error","msg":"no answer"}"#,
                Error,
                "ERROR no answer",
            ),
            (
                r#"{"level":50,"time":1700000000000,"pid":1,"msg":"no answer","err":{"type":"Error","code":"ECONNREFUSED","message":"connect"}}"#,
                Error,
                "ERROR no answer: Error ECONNREFUSED connect",
            ),
            (
                r#"{"severity":"WARNING","message":"late"}"#,
                Warn,
                "WARN late",
            ),
            (r#"{"lvl":"dbug","msg":"x"}"#, Debug, "DEBUG x"),
            (
                r#"{"@timestamp":"2026-11-24T00:00:01Z","log.level":"ERROR","log.logger":"shop.Cart","message":"no"}"#,
                Error,
                "ERROR shop.Cart: no",
            ),
            (
                r#"{"log":{"level":"warn"},"message":"late"}"#,
                Warn,
                "WARN late",
            ),
            (
                r#"{"t":{"$date":"x"},"s":"W","c":"NETWORK","msg":"late"}"#,
                Warn,
                "WARN NETWORK: late",
            ),
            (
                r#"{"level":"fatal","ts":1.5,"msg":"pool","active":10,"idle":0}"#,
                Fatal,
                "FATAL pool (active=10, idle=0)",
            ),
            (
                "time=2026-11-24T00:00:01Z level=WARN msg=\"pool exhausted\" active=10",
                Warn,
                "WARN pool exhausted (active=10)",
            ),
            (
                "level=error ts=2026 caller=a.go:1 msg=\"no answer\" err=\"connection refused\"",
                Error,
                "ERROR no answer: connection refused",
            ),
            (
                r#"{"log":"2026-11-24 00:00:01 ERROR no answer\n","stream":"stderr","time":"x"}"#,
                Error,
                "2026-11-24 00:00:01 ERROR no answer",
            ),
            (
                "2026-11-24T00:00:01.123456789Z stderr F ERROR no answer",
                Error,
                "ERROR no answer",
            ),
            (
                "\u{1b}[31mERROR\u{1b}[0m no answer",
                Error,
                "ERROR no answer",
            ),
            ("INFO a=1 level=error", Info, "INFO a=1 level=error"),
        ];
        for (line, level, text) in forms {
            let formed = FormedLine::new(line);
            assert_eq!(
                (formed.level, formed.text.as_ref()),
                (Some(level), text),
                "{line}"
            );
        }
    }

    #[test]
    fn what_only_looks_like_fields_stays_as_it_is() {
        for line in [
            "a=b and more of it",
            "{not json",
            "{\"count\":1}",
            "size=10 color=red",
        ] {
            assert_eq!(
                FormedLine::new(line),
                FormedLine {
                    text: line.into(),
                    level: None
                },
                "{line}"
            );
        }
    }
}
