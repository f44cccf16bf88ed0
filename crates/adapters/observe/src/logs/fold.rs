//! A line, folded to its wording.

use std::sync::LazyLock;

use loadline_record::signals::LineLevel;
use regex::{Captures, Regex};

use super::form::FormedLine;

/// So many bytes of a line are read, ...
const LINE_BYTES_MAX: usize = 2_000;
/// ... and a wording or sample is cut to so many. Cut before it is folded, a line of longer numbers would be
/// another wording.
const TEXT_BYTES_MAX: usize = 500;
/// Figures that are told apart only by whether somebody waits.
const PASSING_FIGURES: [&str; 3] = ["waiting=", "pending=", "queued="];

/// What a line of a log says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// What all lines of this statement in the code have in common.
    pub(super) wording: String,
    /// The line with what may be a person's or a secret masked; short numbers stay.
    pub(super) sample: String,
    /// How grave it says it is; `None` where its form tells nothing.
    pub(super) level: Option<LineLevel>,
    pub(super) kind: LineKind,
}

/// Whether a line reports an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Plain,
    Error,
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern is valid")
}

/// Lines of a stack trace, which belong to the line before.
static STACK: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?x)^(\s+at\ |at\ [\w.$<>/]+\(|\s*\.\.\.\ \d+\ |\s*File\ "[^"]*",\ line\ |\s*Traceback\ |\s+\^|
           \s+(raise|return|await)\ |goroutine\ \d+\ \[|created\ by\ |\s+from\ \S+:\d+:in\ |
           The\ above\ exception\ was\ |During\ handling\ of\ the\ above\ )"#,
    )
});
/// An exception that is told by its name, without a level.
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(Caused by: |Suppressed: |Exception in thread.* )?(([a-zA-Z_]\w*\.)+[A-Z]\w*(Exception|Error|Interrupt|Exit)\b|([A-Z]\w*)?(Error|Exception)(:|$))",
    )
});
/// An exception of Java or .NET below the line it belongs to.
static DOTTED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(Caused by: )?([a-zA-Z_]\w*\.)+[A-Z]\w*(Exception|Error)\b"));
/// What a line begins with before its level: date, time, and the like.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)?\]?\s*")
});
/// A value beside the name of a secret.
static SECRET: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)([\w-]*(?:passw|secret|token|api[_-]?key|authorization|credential)[\w-]*\s*[=:]\s*)(?:bearer\s+|basic\s+)?\S+",
    )
});
static QUOTED: LazyLock<Regex> = LazyLock::new(|| regex(r#""[^"]*"|'[^']*'"#));
static MAIL: LazyLock<Regex> = LazyLock::new(|| regex(r"[\w.+-]+@[\w-]+(\.[\w-]+)+"));
/// Identifiers: long numbers, hexadecimal ones, those of threads and requests.
static IDENTIFIER: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b|\b[0-9]{7,}\b|\b[0-9a-fA-F]{16,}\b|\b0x[0-9a-fA-F]+\b",
    )
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| regex(r"[A-Za-z_.-]*\d[\w.:-]*"));
static SPACES: LazyLock<Regex> = LazyLock::new(|| regex(r"\s+"));

impl Line {
    fn from_text(text: &str) -> Self {
        let FormedLine { text, level } = FormedLine::new(text.trim_end());
        let text = TIME.replace(&text, "");
        let text = cut(&text, LINE_BYTES_MAX);
        let kind = kind_of(level);
        let masked = SECRET.replace_all(text, "$1#");
        let masked = MAIL.replace_all(&masked, "#");
        let masked = QUOTED.replace_all(&masked, "#");
        let masked = IDENTIFIER.replace_all(&masked, "#");
        let sample = SPACES.replace_all(masked.trim(), " ").into_owned();
        let wording = NUMBER.replace_all(&sample, |number: &Captures<'_>| {
            let before = number.get(0).map_or(0, |found| found.start());
            // Whether a figure is 0 is what a line says: `(total=0, active=0)` is no pool that is held.
            let before = &sample[..before];
            let is_passing = PASSING_FIGURES.iter().any(|name| before.ends_with(name));
            let is_zero = &number[0] == "0" && before.ends_with('=') && !is_passing;
            if is_zero { "0" } else { "#" }
        });
        Self {
            wording: cut(&wording, TEXT_BYTES_MAX).to_owned(),
            sample: cut(&sample, TEXT_BYTES_MAX).to_owned(),
            level,
            kind,
        }
    }
}

fn kind_of(level: Option<LineLevel>) -> LineKind {
    if level >= Some(LineLevel::Error) {
        LineKind::Error
    } else {
        LineKind::Plain
    }
}

/// A line of a stack trace.
pub(super) fn is_of_stack(text: &str) -> bool {
    STACK.is_match(text) || text.starts_with([' ', '\t'])
}

/// What the last line was that is none of a stack trace.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum LineBefore {
    #[default]
    Plain,
    /// One that reported an error, or belongs to one that did.
    Error,
    /// An exception that stands alone.
    Exception,
}

/// Reads lines one after the other: what a line is depends on those before it.
#[derive(Debug, Default)]
pub(super) struct LineReader {
    before: LineBefore,
    /// The level of the last line that named one.
    level: Option<LineLevel>,
    /// The lines before are of a stack trace: those that are indented belong to it.
    is_in_stack: bool,
}

impl LineReader {
    /// `None` for a line that belongs to the one before. The exception that follows an error is what
    /// that error is about, no second one.
    pub(super) fn read(&mut self, text: &str) -> Option<Line> {
        if text.trim().is_empty() {
            return None;
        }
        let is_stack = STACK.is_match(text);
        if is_stack || self.is_in_stack && text.starts_with([' ', '\t']) {
            self.is_in_stack = true;
            return None;
        }
        // After the name of a function, indented, its place: `main.work()`, then `\t/src/main.go:9`.
        if self.is_in_stack && text.ends_with(')') && !text.contains(' ') {
            return None;
        }
        self.is_in_stack = false;
        let mut line = Line::from_text(text);
        let is_exception = EXCEPTION.is_match(text);
        // Its name in full, below a line that was written on purpose: as grave as that one.
        if DOTTED.is_match(text) && self.before == LineBefore::Plain && self.level.is_some() {
            line.level = self.level;
            line.kind = kind_of(line.level);
        } else if !is_exception {
            self.level = line.level;
        }
        let is_cause = text.starts_with("Caused by: ") || text.starts_with("Suppressed: ");
        match (self.before, line.kind) {
            (LineBefore::Error, _) if is_exception => line.kind = LineKind::Plain,
            (LineBefore::Exception, _) if is_cause => line.kind = LineKind::Plain,
            (_, LineKind::Plain) => self.before = LineBefore::Plain,
            _ if is_exception => self.before = LineBefore::Exception,
            _ => self.before = LineBefore::Error,
        }
        Some(line)
    }
}

fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_statement_have_one_wording() {
        let first = Line::from_text(
            "2026-11-24T00:09:29.766Z  WARN 9304 --- [exec-12] c.z.h.p.HikariPool : Pool-1 - waiting=29",
        );
        let second = Line::from_text(
            "2026-11-24T00:10:01.002Z  WARN 9304 --- [exec-7] c.z.h.p.HikariPool : Pool-1 - waiting=3",
        );
        assert_eq!(first.wording, second.wording);
        assert_eq!(
            first.wording,
            "WARN # --- [#] c.z.h.p.HikariPool : # - waiting=#"
        );
        assert!(first.sample.ends_with("waiting=29"), "{}", first.sample);
        assert_eq!(first.kind, LineKind::Plain);
        assert_eq!(first.level, Some(LineLevel::Warn));
    }

    /// Seen: `(total=0, active=0, idle=0)` under "all connections of the pool are held".
    #[test]
    fn a_figure_that_is_zero_makes_another_wording() {
        let of = |figures: &str| Line::from_text(&format!("WARN pool ({figures})")).wording;
        let full = "total=#, active=#, idle=0, waiting=#";
        assert_eq!(
            of("total=10, active=10, idle=0, waiting=0"),
            format!("WARN pool ({full})")
        );
        assert_eq!(
            of("total=10, active=10, idle=0, waiting=3"),
            format!("WARN pool ({full})")
        );
        assert_eq!(
            of("total=0, active=0, idle=0, waiting=3"),
            "WARN pool (total=0, active=0, idle=0, waiting=#)"
        );
        assert_eq!(
            of("total=10, active=10, idle=0, waiting=71"),
            of("total=5, active=5, idle=0, waiting=2")
        );
    }

    #[test]
    fn a_long_line_is_cut_when_it_is_folded() {
        let of = |number: &str| Line::from_text(&format!("ERROR {number} {}", "word ".repeat(200)));
        let (first, second) = (of("7"), of("1234"));
        assert_eq!(first.wording, second.wording);
        assert_eq!(first.wording.len(), TEXT_BYTES_MAX);
    }

    /// Seen: each line of JSON was the same wording, `{#:#,#:#}`.
    #[test]
    fn lines_of_json_keep_their_message() {
        let line = Line::from_text(
            r#"{"level":50,"pid":12,"msg":"pool of \"shop\" is empty","err":{"message":"timeout exceeded when trying to connect"}}"#,
        );
        assert_eq!(
            line.wording,
            "ERROR pool of # is empty: timeout exceeded when trying to connect"
        );
        assert_eq!(
            (line.level, line.kind),
            (Some(LineLevel::Error), LineKind::Error)
        );
    }

    #[test]
    fn the_exception_below_a_line_for_debugging_is_no_error() {
        let java =
            "00:00:01.1 DEBUG c.shop.Db - tried\njava.sql.SQLException: no\n\tat a.B.c(D.java:1)";
        let levels = |text: &str| {
            let mut reader = LineReader::default();
            let lines = text.lines().filter_map(|line| reader.read(line));
            lines.map(|line| line.level).collect::<Vec<_>>()
        };
        assert_eq!(levels(java), [Some(LineLevel::Debug); 2]);
        let node = "INFO up\nError: gone\n    at call (a.js:1)";
        assert_eq!(
            levels(node),
            [Some(LineLevel::Info), Some(LineLevel::Error)]
        );
    }

    #[test]
    fn errors_are_told_by_level_or_by_the_name_of_an_exception() {
        let errors = [
            "2026-11-24 00:09:29,766 ERROR app - no",
            "{\"level\":\"error\",\"msg\":\"x\"}",
            "java.sql.SQLTransientConnectionException: main - Connection is not available",
            "Caused by: java.lang.OutOfMemoryError: Java heap space",
            "ValueError: wrong",
            "FATAL:  sorry, too many clients already",
        ];
        for error in errors {
            assert_eq!(Line::from_text(error).kind, LineKind::Error, "{error}");
        }
        let plain = [
            "INFO all is well",
            "INFO 0 errors",
            "the ErrorHandler started",
        ];
        for line in plain {
            assert_eq!(Line::from_text(line).kind, LineKind::Plain, "{line}");
        }
    }

    /// Kind and first words of what is read of a text.
    fn read(text: &str) -> Vec<(LineKind, String)> {
        let mut reader = LineReader::default();
        let lines = text.lines().filter_map(|line| reader.read(line));
        let first = |line: Line| {
            let words: Vec<&str> = line.sample.split(' ').take(2).collect();
            (line.kind, words.join(" "))
        };
        lines.map(first).collect()
    }

    #[test]
    fn stack_traces_are_no_lines_of_their_own() {
        for line in [
            "\tat a.B.c(D.java:1)",
            "at a.B.c(D.java:1)",
            "  File \"a.py\", line 3",
            "File \"a.py\", line 3, in work",
            "\t... 12 more",
            "goroutine 7 [running]:",
            "\tfrom app.rb:3:in `work'",
            "",
            "   ",
        ] {
            assert_eq!(LineReader::default().read(line), None, "{line}");
        }
    }

    /// Seen: the exception below a line of the log, without a time of its own, counted as a second error.
    #[test]
    fn the_exception_below_an_error_is_no_second_error() {
        let java = "2026-11-26 01:00:00,000 ERROR o.Payments - call failed\n\
            java.net.ConnectException: Connection refused\n\tat java.net.Socket.connect(Socket.java:1)\n\
            Caused by: java.io.IOException: no route\n\t... 9 more\n\
            2026-11-26 01:00:01,000 INFO next";
        let kinds: Vec<LineKind> = read(java).into_iter().map(|(kind, _)| kind).collect();
        use LineKind::{Error, Plain};
        assert_eq!(kinds, [Error, Plain, Plain, Plain]);
        let python = "ERROR:root:no answer\nTraceback (most recent call last):\n  File \"a.py\", line 3, in work\n    \
            answer = call()\n             ^^^^^^\nurllib.error.URLError: <refused>\nValueError: wrong\nINFO:root:next";
        let kinds: Vec<LineKind> = read(python).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [Error, Plain, Plain, Plain]);
    }

    #[test]
    fn an_exception_that_stands_alone_is_an_error_each_time() {
        let alone = "ValueError: wrong\nINFO well\nError: gone\n    at call (a.js:1)\nError: gone\n    at call (a.js:1)\n\
            java.io.IOException: no\n\tat a.B.c(D.java:1)\nCaused by: java.io.EOFException\n\tat a.B.c(D.java:1)";
        let errors = read(alone)
            .into_iter()
            .filter(|(kind, _)| *kind == LineKind::Error);
        assert_eq!(errors.count(), 4);
        let go = "panic: no more\n\ngoroutine 1 [running]:\nmain.work(0x1)\n\t/src/main.go:9 +0x1d\nmain.main()\n\t/src/main.go:3\nlistening";
        let words: Vec<String> = read(go).into_iter().map(|(_, words)| words).collect();
        assert_eq!(words, ["panic: no", "listening"]);
    }

    #[test]
    fn what_may_be_a_person_or_a_secret_is_in_neither() {
        let line = Line::from_text(
            "ERROR user 'ann' ann@example.org card 4111111111111111 key 9f86d081884c7d659a2feaa0",
        );
        for text in [&line.sample, &line.wording] {
            assert_eq!(text, "ERROR user # # card # key #");
        }
    }
}
