//! The lines that scripts and the run log, in k6's wording and format.

use std::fmt::Write;

use loadline_units::printable;

/// The severity of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Shown with `--verbose` only.
    Debug,
    /// Ordinary.
    Info,
    /// Something is wrong, but did not fail.
    Warning,
    /// Something failed.
    Error,
}

impl LogLevel {
    /// As k6 writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its severity.
    pub level: LogLevel,
    /// Its text.
    pub message: String,
    /// Keys and values after it, in order.
    pub fields: Vec<(&'static str, String)>,
}

impl Entry {
    /// A line without fields.
    pub fn new(level: LogLevel, message: impl Into<String>) -> Self {
        Self {
            level,
            message: message.into(),
            fields: Vec::new(),
        }
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((key, value.into()));
        self
    }

    /// With where it comes from, which k6 tells of exceptions since version 2 (`is_told`).
    #[must_use]
    pub fn sourced(self, is_told: bool) -> Self {
        let is_exception =
            |(key, value): &(&str, String)| *key == "hint" && value.contains("script exception");
        if is_told && self.fields.iter().any(is_exception) {
            return self.with("source", "stacktrace");
        }
        self
    }

    /// The same, message and values passed through `map`.
    #[must_use]
    pub fn mapped(mut self, map: impl Fn(&str) -> String) -> Self {
        self.message = map(&self.message);
        for (_, value) in &mut self.fields {
            *value = map(value);
        }
        self
    }

    /// The same without a field.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.fields.retain(|(known, _)| *known != key);
        self
    }

    /// Whether a script's `console` said it.
    #[must_use]
    pub fn is_console(&self) -> bool {
        self.fields.contains(&("source", "console".to_owned()))
    }

    /// `time="..." level=... msg=... key=value`, with a line end, as k6 writes to what is
    /// no terminal. `time` is RFC 3339.
    #[must_use]
    pub fn text_line(&self, time: &str) -> String {
        let mut line = format!("time={} level={}", quoted(time), self.level.as_str());
        // An empty message is left out, as all fields are that hold nothing.
        if !self.message.is_empty() {
            // Writing to a String cannot fail.
            let _ = write!(line, " msg={}", quoted(&self.message));
        }
        let mut fields = self.fields.clone();
        fields.sort_unstable();
        for (key, value) in fields {
            // Writing to a String cannot fail.
            let _ = write!(line, " {key}={}", quoted(&value));
        }
        line.push('\n');
        line
    }

    /// One JSON object a line (`--log-format json`).
    #[must_use]
    pub fn json_line(&self, time: &str) -> String {
        let mut object = serde_json::Map::new();
        for (key, value) in &self.fields {
            object.insert((*key).to_owned(), value.clone().into());
        }
        object.insert("level".to_owned(), self.level.as_str().into());
        object.insert("msg".to_owned(), self.message.clone().into());
        object.insert("time".to_owned(), time.into());
        let mut sorted: Vec<_> = object.into_iter().collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        let object: serde_json::Map<_, _> = sorted.into_iter().collect();
        format!("{}\n", serde_json::Value::Object(object))
    }
}

/// Where log lines go. Called on workers: it must not wait.
pub trait LogSink: Send + Sync {
    /// Takes a line.
    fn log(&self, entry: Entry);
}

/// The text, quoted if it has any but the plainest characters.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._/@^+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    printable::quoted(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_messages_stand_bare_and_others_are_quoted() {
        let entry = Entry::new(LogLevel::Info, "it").with("source", "console");
        assert_eq!(
            entry.text_line("2026-01-01T00:00:00Z"),
            "time=\"2026-01-01T00:00:00Z\" level=info msg=it source=console\n"
        );
        let entry = Entry::new(LogLevel::Error, "a \"b\"\n\tc\\");
        assert_eq!(
            entry.text_line("t"),
            "time=t level=error msg=\"a \\\"b\\\"\\n\\tc\\\\\"\n"
        );
    }
}
