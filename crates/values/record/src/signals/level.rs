//! The level of a line of a log, where the line's form tells one.
//!
//! A level stands in a line's head: after times, numbers, hosts, threads and names of loggers, before the
//! message. A word of the message is none ("no ERROR was found"). Forms that are read: log4j, logback, Spring
//! Boot, java.util.logging, Tomcat, Quarkus, the JVM; Python's logging, gunicorn, uvicorn, celery; Go's slog,
//! zap and zerolog consoles, klog; .NET, Serilog, `NLog`; Rust's tracing and `env_logger`; Ruby's Logger; winston,
//! Nest; nginx, Apache, `PostgreSQL`, `MySQL`, Redis; syslog's priority. Lines that are JSON are read by whoever reads
//! the log, which gives the word to [`LineLevel::named`].

use std::sync::LazyLock;

use regex::Regex;

/// A level stands within so many words ...
const HEAD_WORDS_MAX: usize = 14;
/// ... and so many bytes of the line's beginning.
const HEAD_BYTES_MAX: usize = 220;

/// How grave a line of a log says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineLevel {
    /// Each step.
    Trace,
    /// For who looks for a defect.
    Debug,
    /// What happens normally.
    Info,
    /// Something is not as it should be.
    Warn,
    /// Something failed.
    Error,
    /// The process, or a session, ends.
    Fatal,
}

impl LineLevel {
    /// All levels.
    pub const ALL: [Self; 6] = [
        Self::Trace,
        Self::Debug,
        Self::Info,
        Self::Warn,
        Self::Error,
        Self::Fatal,
    ];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
            Self::Fatal => "fatal",
        }
    }

    /// The level that a logging library calls so, in whatever case.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        Some(match word.as_str() {
            "trace" | "trce" | "trc" | "finest" | "finer" | "verbose" | "vrb" | "silly" => {
                Self::Trace
            }
            "debug" | "dbug" | "dbg" | "fine" | "debug1" | "debug2" | "debug3" | "debug4"
            | "debug5" => Self::Debug,
            "info" | "inf" | "information" | "informational" | "notice" | "note" | "log"
            | "system" | "default" => Self::Info,
            "warn" | "warning" | "wrn" => Self::Warn,
            "error" | "err" | "severe" | "fail" | "eror" => Self::Error,
            "fatal" | "ftl" | "critical" | "crit" | "panic" | "pnc" | "dpanic" | "alert"
            | "emerg" | "emergency" => Self::Fatal,
            _ => return None,
        })
    }

    /// The level of a number, as pino and bunyan write it: 10 is the lowest, 60 ends the process.
    #[must_use]
    pub fn of_number(number: u64) -> Option<Self> {
        Some(match number {
            10..20 => Self::Trace,
            20..30 => Self::Debug,
            30..40 => Self::Info,
            40..50 => Self::Warn,
            50..60 => Self::Error,
            60..=100 => Self::Fatal,
            _ => return None,
        })
    }

    /// The level of a line of text; `None` where its form tells none.
    #[must_use]
    pub fn of_line(line: &str) -> Option<Self> {
        let line = line.trim();
        let text = PRIORITY.replace(line, "");
        // Syslog names the host and the program.
        let plain_words_max = 1 + usize::from(text.len() < line.len());
        of_form(&text)
            .or_else(|| of_pairs(&text))
            .or_else(|| of_head(&text, plain_words_max))
            .or_else(|| of_exception(&text))
            .or_else(|| of_priority(line))
    }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern is valid")
}

/// klog and glog: `W0912 10:00:00.000000 1 file.go:10] ...`.
static KLOG: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^([IWEF])\d{4}(?:\d{4})? (?:\d\d:\d\d:\d\d|#)"));
/// Ruby: `E, [2026-11-24T00:00:01.000 #12] ERROR -- : ...`.
static RUBY: LazyLock<Regex> = LazyLock::new(|| regex(r"^([DIWEF]), \["));
/// Redis: `1:M 24 Nov 2026 00:00:01.000 # ...`.
static REDIS: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\d+:[MSCX] \d\d \w{3} \d{4} [\d:.]+ ([.*#-]) "));
/// Syslog: `<11>Nov 24 ...`.
static PRIORITY: LazyLock<Regex> = LazyLock::new(|| regex(r"^<(\d{1,3})>(?:1 )?"));
/// An exception that is told by its name, without a level.
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?x)^(?:Caused\ by:\ |Suppressed:\ |Uncaught\ |Exception\ in\ thread.*?\ )?
          (?:(?:[a-zA-Z_]\w*\.)+[A-Z]\w*(?:Exception|Error)\b | (?:[A-Z]\w*)?(?:Error|Exception)\b(?:\ \[\w+\])?(?::|$)) |
          ^thread\ '.*'\ (?:\(\d+\)\ )?panicked\ at",
    )
});
/// A program that ends.
static END: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:PHP )?(?:panic|fatal error|Fatal error): "));

fn of_form(text: &str) -> Option<LineLevel> {
    let letter = |pattern: &Regex| {
        let found = pattern.captures(text)?;
        found.get(1).map(|letter| letter.as_str().to_owned())
    };
    let found = letter(&KLOG).or_else(|| letter(&RUBY));
    let found = found.or_else(|| letter(&REDIS))?;
    Some(match found.as_str() {
        "D" | "." | "-" => LineLevel::Debug,
        "I" | "*" => LineLevel::Info,
        "W" | "#" => LineLevel::Warn,
        "E" => LineLevel::Error,
        _ => LineLevel::Fatal,
    })
}

/// `time=... level=warn msg=...`.
fn of_pairs(text: &str) -> Option<LineLevel> {
    let mut words = text.split_whitespace().peekable();
    words.peek().filter(|first| first.contains('='))?;
    words.find_map(|word| {
        let (name, level) = word.split_once('=')?;
        let is_level = ["level", "lvl", "severity"].contains(&name);
        let level = level.trim_matches('"');
        is_level.then(|| LineLevel::named(level)).flatten()
    })
}

fn of_exception(text: &str) -> Option<LineLevel> {
    if END.is_match(text) {
        return Some(LineLevel::Fatal);
    }
    EXCEPTION.is_match(text).then_some(LineLevel::Error)
}

/// The three lowest bits of a priority are the severity.
fn of_priority(line: &str) -> Option<LineLevel> {
    let found = PRIORITY.captures(line)?;
    let number: u32 = found.get(1)?.as_str().parse().ok()?;
    Some(match number & 7 {
        0..=2 => LineLevel::Fatal,
        3 => LineLevel::Error,
        4 => LineLevel::Warn,
        7 => LineLevel::Debug,
        _ => LineLevel::Info,
    })
}

/// The words before the message, until one of them is a level.
fn of_head(text: &str, plain_words_max: usize) -> Option<LineLevel> {
    let head = &text[..text.floor_char_boundary(HEAD_BYTES_MAX)];
    let mut has_time = false;
    let mut plain_words = 0;
    for (number, word) in words(head).take(HEAD_WORDS_MAX).enumerate() {
        let is_headed = number == 0 || has_time || plain_words == 0;
        if let Some(level) = is_headed.then(|| of_word(word)).flatten() {
            return Some(level);
        }
        if is_of_head(word) {
            has_time |= word.contains(|letter: char| letter.is_ascii_digit() || letter == '#');
            continue;
        }
        plain_words += 1;
        // A host or a service may stand between the time and the level; a sentence may not.
        let is_denied = ["no", "without", "any", "not", "if", "on", "the"].contains(&word);
        if plain_words > plain_words_max || !has_time || is_denied {
            return None;
        }
    }
    None
}

/// Words, and each of several groups in brackets that touch: `[0.1s][warning][gc]`.
fn words(head: &str) -> impl Iterator<Item = &str> {
    let apart = |letter: char| letter.is_whitespace() || letter == '|';
    let words = head.split(apart).filter(|word| !word.is_empty());
    words.flat_map(|word| word.split_inclusive(']'))
}

/// The level that a word of the head is.
fn of_word(word: &str) -> Option<LineLevel> {
    let marks: &[char] = &[
        '[', ']', '(', ')', '<', '>', ':', ',', ';', '-', '"', '\'', '.',
    ];
    let bare = word.trim_matches(marks);
    // celery: `ERROR/MainProcess]`.
    let bare = bare.split_once('/').map_or(bare, |(first, _)| first);
    let is_ended = word.ends_with([':', ']', ')', '>']);
    let is_upper = bare
        .chars()
        .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit());
    let is_enclosed = word.starts_with(['[', '(', '<']) || word.ends_with([']', '>']);
    if is_upper {
        return match bare {
            // PostgreSQL's own words, and what belongs to the line before.
            "LOG" | "DETAIL" | "HINT" | "CONTEXT" | "STATEMENT" | "QUERY" => {
                is_ended.then_some(LineLevel::Info)
            }
            "SYSTEM" | "NOTE" | "DEFAULT" | "FAIL" | "FINE" if !is_ended => None,
            // Python's: `WARNING:root:...`.
            _ => LineLevel::named(bare.split(':').next().unwrap_or(bare)),
        };
    }
    // Python: `ERROR:app.views:...`, and Apache: `mpm_event:error]`.
    if let Some((first, rest)) = bare.split_once(':') {
        let is_python = first.chars().all(|letter| letter.is_ascii_uppercase());
        let last = rest.rsplit(':').next().unwrap_or(rest);
        if is_python && !first.is_empty() {
            return LineLevel::named(first);
        }
        return is_enclosed.then(|| LineLevel::named(last)).flatten();
    }
    let is_marked = is_enclosed || word.ends_with(':');
    // `Error: ...` is an exception by its name.
    let is_named = bare == "Error" && !is_enclosed;
    (is_marked && !is_named)
        .then(|| LineLevel::named(bare))
        .flatten()
}

/// A time, a number, a host, a thread, a logger: no word of a message.
fn is_of_head(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Mon",
        "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "AM", "PM", "UTC", "GMT", "KST", "CET", "CEST",
        "EST", "PST", "JST", "PHP",
    ];
    let is_mark = |letter: char| letter.is_ascii_digit() || "._/@#=:[](){}*+-".contains(letter);
    word.contains(is_mark) || word.len() == 1 || WORDS.contains(&word)
}

#[cfg(test)]
mod tests;
