//! Log lines as k6 writes them: `time="..." level=info msg="..." source=console`, JSON, or raw text.

use serde::{Deserialize, Serialize};

/// One line of log or console.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Line {
    /// `info`, `warning`, `error`, `debug`; empty for raw text.
    pub level: String,
    /// The message, unquoted.
    pub text: String,
}

/// A line with the fields that decide where it belongs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    pub(super) line: Line,
    /// Written by `console` in the script.
    pub(super) console: bool,
}

/// Fields that are no part of the text: when, how severe, and the message itself.
const APART: [&str; 3] = ["time", "level", "msg"];

/// Reads a line of any of the three forms; time stamps are dropped, the fields after the message join the text.
pub(super) fn parse(text: &str) -> Parsed {
    let fields = if text.starts_with('{') {
        json(text)
    } else {
        pairs(text)
    };
    let Some(fields) = fields else {
        return Parsed {
            line: Line {
                level: String::new(),
                text: text.to_owned(),
            },
            console: false,
        };
    };
    let field = |name: &str| {
        fields
            .iter()
            .find(|(key, _)| key == name)
            .map_or("", |(_, value)| value.as_str())
    };
    let mut message = field("msg").to_owned();
    for (name, value) in &fields {
        match name.as_str() {
            "error" if value.is_empty() => {}
            "error" => message.push_str(&format!(" | {value}")),
            // The script's own lines say where they come from in every run alike.
            name if APART.contains(&name) || value == "console" => {}
            name => message.push_str(&format!(" | {name}={value}")),
        }
    }
    Parsed {
        line: Line {
            level: field("level").to_owned(),
            text: message,
        },
        console: field("source") == "console",
    }
}

/// The line without where it comes from, which older recordings do not tell.
pub(super) fn unsourced(line: &Line) -> Line {
    let parts = line.text.split(" | ");
    let kept: Vec<&str> = parts.filter(|part| !part.starts_with("source=")).collect();
    Line {
        level: line.level.clone(),
        text: kept.join(" | "),
    }
}

fn json(text: &str) -> Option<Vec<(String, String)>> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    let object = value
        .as_object()
        .filter(|object| object.contains_key("level"))?;
    let plain = |value: &serde_json::Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    Some(
        object
            .iter()
            .map(|(key, value)| (key.clone(), plain(value)))
            .collect(),
    )
}

/// `key=value` pairs with Go-quoted values; None unless the line begins with `time=` or `level=`.
fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    if !text.starts_with("time=") && !text.starts_with("level=") {
        return None;
    }
    let mut fields = Vec::new();
    let mut rest = text.trim();
    while let Some((key, value)) = rest.split_once('=') {
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => unquote(quoted),
            None => {
                let end = value.find(' ').unwrap_or(value.len());
                (value[..end].to_owned(), &value[end..])
            }
        };
        fields.push((key.to_owned(), value));
        rest = after.trim_start();
    }
    Some(fields)
}

/// The text up to the closing quote and what follows it.
fn unquote(quoted: &str) -> (String, &str) {
    let mut text = String::new();
    let mut characters = quoted.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => return (text, &quoted[index + 1..]),
            '\\' => text.push_str(&escape(&mut characters)),
            other => text.push(other),
        }
    }
    (text, "")
}

fn escape(characters: &mut std::str::CharIndices<'_>) -> String {
    let Some((_, character)) = characters.next() else {
        return "\\".to_owned();
    };
    let digits = match character {
        'n' => return "\n".to_owned(),
        't' => return "\t".to_owned(),
        'r' => return "\r".to_owned(),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        other => return other.to_string(),
    };
    let code: String = characters
        .by_ref()
        .take(digits)
        .map(|(_, digit)| digit)
        .collect();
    u32::from_str_radix(&code, 16)
        .ok()
        .and_then(char::from_u32)
        .map_or(code, String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_messages_are_unescaped() {
        let parsed =
            parse(r#"time="2026-01-01T00:00:00Z" level=info msg="a \"b\"\n\tc" source=console"#);
        assert!(parsed.console);
        assert_eq!(
            parsed.line,
            Line {
                level: "info".into(),
                text: "a \"b\"\n\tc".into()
            }
        );
    }

    #[test]
    fn where_a_line_comes_from_is_told_unless_the_script_wrote_it() {
        let line = parse("time=x level=error msg=it hint=h source=stacktrace").line;
        assert_eq!(line.text, "it | hint=h | source=stacktrace");
        assert_eq!(unsourced(&line).text, "it | hint=h");
    }

    #[test]
    fn bare_words_json_and_raw_text_are_understood() {
        assert_eq!(
            parse("time=x level=info msg=it source=console").line.text,
            "it"
        );
        assert_eq!(
            parse(r#"{"level":"error","msg":"m","error":"e"}"#)
                .line
                .text,
            "m | e"
        );
        assert_eq!(
            parse("hello").line,
            Line {
                level: String::new(),
                text: "hello".into()
            }
        );
    }
}
