//! Everything that may differ between two honest runs, each with its reason. Nothing else in the comparator forgives.

use std::sync::LazyLock;

use regex::Regex;

/// Metrics of k6 that measure time: they depend on the machine, so they compare with the spread of k6's runs ([`super::times`]).
const TIMES: [&str; 13] = [
    "grpc_req_duration",
    "http_req_blocked",
    "http_req_connecting",
    "http_req_duration",
    "http_req_receiving",
    "http_req_sending",
    "http_req_tls_handshaking",
    "http_req_waiting",
    "iteration_duration",
    "group_duration",
    "ws_connecting",
    "ws_ping",
    "ws_session_duration",
];

/// Byte counts differ by the user agent's name and by TLS records and session tickets.
const BYTES_RATIO_MAX: f64 = 1.5;

/// Bytes below this are noise of a single header or handshake.
const NOISE_BYTES_MAX: f64 = 400.0;

/// Trends answer percentiles from buckets (error up to 0.2 %, design.md 7) where k6 keeps each value.
const BUCKET_ERROR_MAX: f64 = 0.005;

/// `vus` and `vus_max` are sampled once a second: a run shorter than this may or may not have caught a sample.
pub const SAMPLED_AFTER: f64 = 2.5;

/// How a statistic of a metric is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Class {
    /// The same number, up to this relative error.
    Exact(f64),
    /// A time that a single stall does not move; compares by [`super::times::Spread`].
    Time,
    /// A time that a single stall moves; compares by [`super::times::Spread`].
    Peak,
    /// Roughly as many bytes.
    Bytes,
    /// Not at all.
    Skip,
}

/// Which comparison a statistic gets.
#[must_use]
pub fn class(metric: &str, kind: &str, statistic: &str) -> Class {
    let name = metric.split('{').next().unwrap_or(metric);
    match (kind, statistic) {
        // A count over the measured time; the count itself is compared.
        ("counter", "rate") => Class::Skip,
        // The share that passes and fails already determine.
        ("rate", "value") => Class::Skip,
        ("counter", _) if name == "data_sent" || name == "data_received" => Class::Bytes,
        // Depends on the moment of the last sample.
        ("gauge", _) if name == "vus" => Class::Skip,
        // Starts where the first sample found it.
        ("gauge", "min" | "value") if name == "vus_max" => Class::Skip,
        ("trend", "count") => Class::Exact(0.0),
        ("trend", "min" | "med") if TIMES.contains(&name) => Class::Time,
        ("trend", _) if TIMES.contains(&name) => Class::Peak,
        ("trend", _) => Class::Exact(BUCKET_ERROR_MAX),
        _ => Class::Exact(1e-9),
    }
}

/// Whether two values of a class count as the same; two times never do, their spread is kept.
#[must_use]
pub fn same(class: Class, expected: f64, got: f64) -> bool {
    let within = |floor: f64, factor: f64| {
        let (low, high) = (expected.min(got).max(floor), expected.max(got).max(floor));
        high <= low * factor
    };
    match class {
        Class::Skip => true,
        Class::Exact(error) => {
            (expected - got).abs() <= error * expected.abs().max(got.abs()) + 1e-12
        }
        Class::Time | Class::Peak => false,
        Class::Bytes => within(NOISE_BYTES_MAX, BYTES_RATIO_MAX),
    }
}

/// A number as it is recorded: what compares as the same is written the same, so that a new recording changes few lines.
#[must_use]
pub fn recorded(class: Class, number: f64) -> f64 {
    let floor = match class {
        Class::Bytes => NOISE_BYTES_MAX,
        Class::Exact(_) | Class::Skip | Class::Time | Class::Peak => return number,
    };
    if number < floor {
        return 0.0;
    }
    let unit = 10_f64.powf(number.log10().floor());
    (number / unit).round() * unit
}

/// Whether a metric may be missing because the run was too short to sample it.
#[must_use]
pub fn may_be_absent(metric: &str, seconds: Option<f64>) -> bool {
    matches!(metric, "vus" | "vus_max") && seconds.is_none_or(|seconds| seconds < SAMPLED_AFTER)
}

static STACK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\.[jt]s|-):(\d+):\d+\(\d+\)"));
static NATIVE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\n\tat [^\n]*\(native\)"));
static COLUMN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\.[jt]s):(\d+):\d+"));
static SOCKET: LazyLock<Regex> = LazyLock::new(|| pattern(r"127\.0\.0\.1:\d+->"));
static RESOLVER: LazyLock<Regex> = LazyLock::new(|| pattern(r" on [0-9.:]+:53"));
static NOW: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"current time \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"));
static TIMESTAMP: LazyLock<Regex> = LazyLock::new(|| pattern(r#"time="[^"]*" ?|"time":"[^"]*",?"#));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("patterns of this file are fixed")
}

/// A line of text as it is compared.
#[must_use]
pub fn text(line: &str) -> String {
    // Frames of functions written in Go, or in whatever the other binary is written in.
    let line = NATIVE.replace_all(line, "");
    // `file.js:3:26(12)`: the number in brackets is an offset into k6's byte code.
    let line = STACK.replace_all(&line, "$1:$2");
    // Engines point at different columns of one expression.
    let line = COLUMN.replace_all(&line, "$1:$2");
    // The port a client happened to get.
    let line = SOCKET.replace_all(&line, "127.0.0.1:PORT->");
    // The resolver of the machine.
    let line = RESOLVER.replace_all(&line, "");
    // Go's Protobuf writes one space or the other, by its build, so that nobody relies on the text.
    let line = line.replace("proto:\u{a0}", "proto: ");
    // When a certificate was looked at.
    let line = NOW.replace_all(&line, "current time NOW");
    // When it was written.
    TIMESTAMP.replace_all(&line, "").into_owned()
}

static DURATION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"=-?(?:\d+(?:\.\d+)?(?:h|ms|m|µs|us|ns|s))+"));
static SIZE: LazyLock<Regex> = LazyLock::new(|| pattern(r"-?\d+(\.\d+)? (B|kB|MB|GB)(/s)?"));
static RATE: LazyLock<Regex> = LazyLock::new(|| pattern(r"-?\d+(\.\d+)?(e-\d+)?/s"));
static BLANKS: LazyLock<Regex> = LazyLock::new(|| pattern(r" {2,}"));
static COLOUR: LazyLock<Regex> = LazyLock::new(|| pattern("\x1b\\[[0-9;]*m"));
static VUS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*vus(_max)?\.+: "));

/// A line of the text summary as it is compared; None when it is not.
#[must_use]
pub fn summary_line(line: &str) -> Option<String> {
    // Present only when the run caught a sample (see SAMPLED_AFTER), and then with moving numbers.
    if VUS.is_match(line) {
        return None;
    }
    let line = COLOUR.replace_all(line, "");
    // Times and what is computed from the measured time.
    let line = DURATION.replace_all(&line, "=TIME");
    let line = SIZE.replace_all(&line, "SIZE");
    let line = RATE.replace_all(&line, "RATE");
    let indent = line.len() - line.trim_start().len();
    // Columns are padded to the widest number, which is a time more often than not.
    let body = BLANKS.replace_all(line.trim(), " ").into_owned();
    Some(format!("{}{}", &line[..indent], body))
}

static DIGITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(\.\d+)?"));

/// The line with its numbers masked: what is left to compare when two runs of k6 printed different numbers.
#[must_use]
pub fn masked(line: &str) -> String {
    DIGITS.replace_all(line, "#").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stack_places_keep_their_line_only() {
        assert_eq!(
            text("at default (file://x.js:3:26(12))"),
            "at default (file://x.js:3)"
        );
        assert_eq!(
            text("read tcp 127.0.0.1:4242->127.0.0.1:80: reset"),
            "read tcp 127.0.0.1:PORT->127.0.0.1:80: reset"
        );
        assert_eq!(
            text("current time 2026-11-23T16:58:05Z is after 2001-01-01T00:00:00Z"),
            "current time NOW is after 2001-01-01T00:00:00Z"
        );
    }

    #[test]
    fn summary_lines_lose_times_but_keep_counts() {
        let line = "    http_reqs....: 14   4.57/s";
        assert_eq!(
            summary_line(line).as_deref(),
            Some("    http_reqs....: 14 RATE")
        );
        assert_eq!(summary_line("    vus......: 1 min=1"), None);
        let trend = "  a....: avg=1.5ms min=0s  max=1m2s";
        assert_eq!(
            summary_line(trend).as_deref(),
            Some("  a....: avg=TIME min=TIME max=TIME")
        );
    }

    #[test]
    fn counts_compare_exactly_and_rates_over_time_do_not() {
        assert_eq!(class("http_req_duration{a:b}", "trend", "min"), Class::Time);
        assert!(!same(class("http_reqs", "counter", "count"), 10.0, 11.0));
        assert!(same(class("http_reqs", "counter", "rate"), 10.0, 11.0));
    }
}
