//! `--log-output`: where log lines go, in k6's syntax (`file=PATH,level=LEVEL`,
//! `loki=URL,label.NAME=VALUE,...`) and with its error texts.

use std::time::Duration;

use crate::go::{parse_duration, parse_int};
use crate::log::LogLevel;

/// Where log lines go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogOutput {
    /// Standard error.
    Stderr,
    /// Standard output.
    Stdout,
    /// Nowhere.
    None,
    /// To a file, from a level on.
    File {
        /// The file.
        path: String,
        /// The least level, if written.
        level: Option<LogLevel>,
    },
    /// To Grafana Loki.
    Loki(LokiSettings),
}

/// How log lines are pushed to Loki; the defaults are k6's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LokiSettings {
    /// Where they are posted.
    pub address: String,
    /// Time between two pushes, and the most that one may take.
    pub push_period: Duration,
    /// Most lines of one push; what is above is counted, not sent.
    pub limit: usize,
    /// Most characters of a line; of a longer one the middle is left out.
    pub message_max: usize,
    /// The least level, if written.
    pub level: Option<LogLevel>,
    /// Labels that stay labels; others go into the line. All stay if nothing is written.
    pub allowed_labels: Option<Vec<String>>,
    /// Labels of every line.
    pub labels: Vec<(String, String)>,
    /// Fields of every request.
    pub headers: Vec<(String, String)>,
    /// Whether each push is told with its times.
    pub profile: bool,
}

impl Default for LokiSettings {
    fn default() -> Self {
        Self {
            address: "http://127.0.0.1:3100/loki/api/v1/push".to_owned(),
            push_period: Duration::from_secs(1),
            limit: 100,
            message_max: 1024 * 1024,
            level: None,
            allowed_labels: None,
            labels: Vec::new(),
            headers: Vec::new(),
            profile: false,
        }
    }
}

impl LogOutput {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text {
            "stderr" => Ok(Self::Stderr),
            "stdout" => Ok(Self::Stdout),
            "none" => Ok(Self::None),
            _ if text.starts_with("file") => parse_file(text),
            _ if text.starts_with("loki") => LokiSettings::parse(text).map(Self::Loki),
            _ => Err(format!("unsupported log output '{text}'")),
        }
    }
}

fn parse_file(text: &str) -> Result<LogOutput, String> {
    if kind(text) != "file" {
        return Err(format!(
            "logfile configuration should be in the form `file=path-to-local-file` but is `{text}`"
        ));
    }
    let pairs = pairs(text)
        .map_err(|cause| format!("error while parsing logfile configuration {cause}"))?;
    let (mut path, mut level) = (String::new(), None);
    for (key, value) in pairs {
        match key {
            "file" if value.is_empty() => return Err("filepath must not be empty".to_owned()),
            "file" => value.clone_into(&mut path),
            "level" => level = Some(level_named(value)?),
            _ => return Err(format!("unknown logfile config key {key}")),
        }
    }
    Ok(LogOutput::File { path, level })
}

impl LokiSettings {
    fn parse(text: &str) -> Result<Self, String> {
        let mut settings = Self::default();
        if text == "loki" {
            return Ok(settings);
        }
        if kind(text) != "loki" {
            return Err(format!(
                "loki configuration should be in the form `loki=url-to-push` but is `{text}`"
            ));
        }
        let pairs = pairs(text)
            .map_err(|cause| format!("error while parsing loki configuration {cause}"))?;
        for (key, value) in pairs {
            settings.set(key, value)?;
        }
        Ok(settings)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "loki" => value.clone_into(&mut self.address),
            "pushPeriod" => {
                let period = parse_duration(value)
                    .map_err(|cause| format!("couldn't parse the loki pushPeriod {cause}"))?;
                // As in k6, what is not above zero leaves the default.
                if period.0 > 0 {
                    self.push_period = Duration::from_nanos(period.0.unsigned_abs());
                }
            }
            "profile" => self.profile = true,
            "limit" => self.limit = positive(key, value)?,
            "msgMaxSize" => self.message_max = positive(key, value)?,
            "level" => self.level = Some(level_named(value)?),
            "allowedLabels" => {
                self.allowed_labels = Some(value.split(',').map(str::to_owned).collect());
            }
            _ => {
                let pair = |name: &str| (name.to_owned(), value.to_owned());
                if let Some(name) = key.strip_prefix("label.") {
                    self.labels.push(pair(name));
                } else if let Some(name) = key.strip_prefix("header.") {
                    self.headers.push(pair(name));
                } else {
                    return Err(format!("unknown loki config key {key}"));
                }
            }
        }
        Ok(())
    }
}

fn positive(key: &str, value: &str) -> Result<usize, String> {
    let number = parse_int(value).map_err(|cause| {
        let cause = cause.replacen("strconv.ParseInt", "strconv.Atoi", 1);
        format!("couldn't parse the loki {key} as a number {cause}")
    })?;
    usize::try_from(number)
        .ok()
        .filter(|number| *number > 0)
        .ok_or_else(|| format!("loki {key} needs to be a positive number, is {number}"))
}

fn level_named(name: &str) -> Result<LogLevel, String> {
    match name.to_ascii_lowercase().as_str() {
        "panic" | "fatal" | "error" => Ok(LogLevel::Error),
        "warning" | "warn" => Ok(LogLevel::Warning),
        "info" => Ok(LogLevel::Info),
        "debug" | "trace" => Ok(LogLevel::Debug),
        _ => Err(format!("unknown log level {name}")),
    }
}

/// What stands before the first `=`.
fn kind(text: &str) -> &str {
    text.split_once('=').map_or(text, |(kind, _)| kind)
}

/// `key=value` pairs with commas between them; a value in `[...]` may hold commas.
pub(super) fn pairs(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(['=', ',']).unwrap_or(rest.len());
        let key = &rest[..end];
        let value = rest[end..].strip_prefix('=').unwrap_or_default();
        if value.is_empty() {
            // k6 takes the sign at the very end for a part of the key.
            let key = if rest[end..] == *"=" { rest } else { key };
            return Err(format!("key `{key}` with no value"));
        }
        let (value, after) = match value.strip_prefix('[') {
            None => value.split_once(',').unwrap_or((value, "")),
            Some(list) => {
                let (list, after) = list
                    .split_once(']')
                    .ok_or_else(|| format!("array value for key `{key}` didn't end"))?;
                let after = match after.strip_prefix(',') {
                    Some(after) => after,
                    None if after.is_empty() => after,
                    None => {
                        return Err(format!("there was no ',' after an array with key '{key}'"));
                    }
                };
                (list, after)
            }
        };
        pairs.push((key, value));
        rest = after;
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_lines_go_to_files() {
        let file = LogOutput::parse("file=./a.log,level=info");
        let expected = LogOutput::File {
            path: "./a.log".into(),
            level: Some(LogLevel::Info),
        };
        assert_eq!(file, Ok(expected));
    }

    #[test]
    fn log_lines_go_to_loki() {
        let loki = LogOutput::parse(
            "loki=http://a/push,limit=32,level=warning,pushPeriod=2m30s,msgMaxSize=128,\
             allowedLabels=[level,run],label.run=7,label.at=b=c,header.X-Scope-OrgID=me,profile=1",
        );
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = LokiSettings {
            address: "http://a/push".into(),
            push_period: Duration::from_secs(150),
            limit: 32,
            message_max: 128,
            level: Some(LogLevel::Warning),
            allowed_labels: Some(vec!["level".into(), "run".into()]),
            labels: vec![pair("run", "7"), pair("at", "b=c")],
            headers: vec![pair("X-Scope-OrgID", "me")],
            profile: true,
        };
        assert_eq!(loki, Ok(LogOutput::Loki(expected)));
        let bare = LogOutput::parse("loki");
        assert_eq!(bare, Ok(LogOutput::Loki(LokiSettings::default())));
    }

    #[test]
    fn what_is_wrong_is_told_in_k6s_words() {
        for (text, message) in [
            ("x", "unsupported log output 'x'"),
            (
                "file",
                "error while parsing logfile configuration key `file` with no value",
            ),
            (
                "filex=1",
                "logfile configuration should be in the form `file=path-to-local-file` but is `filex=1`",
            ),
            ("file=,level=info", "filepath must not be empty"),
            ("file=a,foo=1", "unknown logfile config key foo"),
            ("file=a,level=bad", "unknown log level bad"),
            (
                "loki=",
                "error while parsing loki configuration key `loki=` with no value",
            ),
            (
                "loki=a,limit=1e3",
                "couldn't parse the loki limit as a number strconv.Atoi: parsing \"1e3\": invalid syntax",
            ),
            (
                "loki=a,msgMaxSize=-1",
                "loki msgMaxSize needs to be a positive number, is -1",
            ),
            (
                "loki=a,pushPeriod=5",
                "couldn't parse the loki pushPeriod time: missing unit in duration \"5\"",
            ),
            (
                "loki=a,allowedLabels=[a",
                "error while parsing loki configuration array value for key `allowedLabels` didn't end",
            ),
            (
                "loki=a,allowedLabels=[a]b",
                "error while parsing loki configuration there was no ',' after an array with key 'allowedLabels'",
            ),
            ("loki=a,foo=1", "unknown loki config key foo"),
        ] {
            assert_eq!(LogOutput::parse(text), Err(message.to_owned()));
        }
    }
}
