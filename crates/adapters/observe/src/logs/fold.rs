//! A line, folded to its wording.

use std::sync::LazyLock;

use regex::Regex;

/// A wording or sample is cut to so many bytes.
const LONGEST: usize = 300;

/// What a line of a log says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// What all lines of this statement in the code have in common.
    pub(super) wording: String,
    /// The line with what may be a person's or a secret masked; short numbers stay.
    pub(super) sample: String,
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
        r#"^(\s+at |\s*\.\.\. \d+ |\s+File "|\s*Traceback |\s+\^|    at |\s+(raise|return|await) )"#,
    )
});
/// What a line begins with before its level: date, time, and the like.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)?\]?\s*")
});
static ERROR: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?x)\b(ERROR|FATAL|SEVERE|CRITICAL|PANIC)\b | ^(error|panic|fatal): |
           "(level|severity)"\s*:\s*"(?i:error|fatal|critical)" | level=(error|fatal) |
           ^(Caused\ by:\ |Exception\ in\ thread.*\ )?([a-z_][\w]*\.)+[A-Z]\w*(Exception|Error)\b |
           ^[A-Z]\w*(Error|Exception):"#,
    )
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
    /// `None` for an empty line and for one of a stack trace.
    pub(super) fn of(text: &str) -> Option<Self> {
        if text.trim().is_empty() || STACK.is_match(text) {
            return None;
        }
        let text = TIME.replace(text.trim_end(), "");
        let text = cut(&text);
        let kind = match ERROR.is_match(text) {
            true => LineKind::Error,
            false => LineKind::Plain,
        };
        let masked = SECRET.replace_all(text, "$1#");
        let masked = MAIL.replace_all(&masked, "#");
        let masked = QUOTED.replace_all(&masked, "#");
        let masked = IDENTIFIER.replace_all(&masked, "#");
        let sample = SPACES.replace_all(masked.trim(), " ").into_owned();
        let wording = NUMBER.replace_all(&sample, "#").into_owned();
        Some(Self {
            wording,
            sample,
            kind,
        })
    }
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_statement_have_one_wording() {
        let first = Line::of("2026-11-24T00:09:29.766Z  WARN 9304 --- [exec-12] c.z.h.p.HikariPool : Pool-1 - waiting=29").unwrap();
        let second = Line::of("2026-11-24T00:10:01.002Z  WARN 9304 --- [exec-7] c.z.h.p.HikariPool : Pool-1 - waiting=3").unwrap();
        assert_eq!(first.wording, second.wording);
        assert_eq!(
            first.wording,
            "WARN # --- [#] c.z.h.p.HikariPool : # - waiting=#"
        );
        assert!(first.sample.ends_with("waiting=29"), "{}", first.sample);
        assert_eq!(first.kind, LineKind::Plain);
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
            assert_eq!(Line::of(error).unwrap().kind, LineKind::Error, "{error}");
        }
        let plain = [
            "INFO all is well",
            "INFO 0 errors",
            "the ErrorHandler started",
        ];
        for line in plain {
            assert_eq!(Line::of(line).unwrap().kind, LineKind::Plain, "{line}");
        }
    }

    #[test]
    fn stack_traces_are_no_lines_of_their_own() {
        for line in [
            "\tat a.B.c(D.java:1)",
            "  File \"a.py\", line 3",
            "\t... 12 more",
            "",
            "   ",
        ] {
            assert_eq!(Line::of(line), None, "{line}");
        }
    }

    #[test]
    fn what_may_be_a_person_or_a_secret_is_in_neither() {
        let line = Line::of(
            "ERROR user 'ann' ann@example.org card 4111111111111111 key 9f86d081884c7d659a2feaa0",
        )
        .unwrap();
        for text in [&line.sample, &line.wording] {
            assert_eq!(text, "ERROR user # # card # key #");
        }
    }
}
