//! Lines of logs that say what a finding says, and when they began.

use loadline_record::signals::{Label, SignalKind, SignalPoint, SignalSeries, Signals};

use super::finding::{BottleneckFinding, LogLine, RuleId};

/// The most log lines that are quoted with one finding.
const QUOTED_LINES_MAX: usize = 3;
/// The setting that holds a wording's sample.
const SAMPLE: &str = "log.sample";

/// All wordings that came during the run, the most frequent first.
pub(super) fn lines(signals: &Signals, kind: SignalKind) -> Vec<LogLine> {
    let all = signals
        .of_kind(kind)
        .filter_map(|series| line(signals, series));
    let mut all: Vec<LogLine> = all.collect();
    all.sort_by(|a, b| b.count.total_cmp(&a.count));
    let once = all.iter().filter(|line| !is_repeated(line, &all));
    once.cloned().collect()
}

/// A line, such as the exception below an error, that says only what another one says as often.
fn is_repeated(line: &LogLine, all: &[LogLine]) -> bool {
    all.iter().any(|other| {
        other.text.len() > line.text.len()
            && other.count >= line.count
            && other.text.contains(&line.text)
    })
}

fn line(signals: &Signals, series: &SignalSeries) -> Option<LogLine> {
    let wording = series.entity.get(Label::Line)?;
    let seconds = |ms: u64| f64::from(u32::try_from(ms / 1000).unwrap_or(u32::MAX));
    let grows = |pair: &&[SignalPoint]| pair[1].value > pair[0].value;
    let mut growths = series.points().windows(2).filter(grows);
    let first = growths.next()?;
    let last = growths.next_back().unwrap_or(first);
    let count: f64 = series
        .points()
        .windows(2)
        .map(|pair| (pair[1].value - pair[0].value).max(0.0))
        .sum();
    let mut samples = signals.settings().iter();
    let sample =
        samples.find(|one| one.name == SAMPLE && one.entity.get(Label::Line) == Some(wording));
    Some(LogLine {
        text: sample.map_or(wording, |sample| &sample.value).to_owned(),
        count,
        from_s: seconds(first[0].at_ms),
        to_s: seconds(last[0].at_ms),
    })
}

/// What programs and libraries say when this limits, in lower case.
fn phrases(rule: RuleId) -> &'static [&'static str] {
    match rule {
        RuleId::PoolHeld | RuleId::PoolTooSmall | RuleId::PoolExhausted => &[
            "connection is not available",
            "timeout waiting for connection",
            "timed out waiting for a connection",
            "unable to acquire",
            "acquire a connection",
            "pool exhausted",
            "pool is exhausted",
            "queuepool limit",
            "could not get a resource",
            "pool timed out",
            "timeout exceeded when trying to connect",
        ],
        RuleId::DatabaseSessions => &[
            "too many clients",
            "too many connections",
            "remaining connection slots",
        ],
        RuleId::RowLock => &[
            "deadlock",
            "lock timeout",
            "lock wait timeout",
            "could not obtain lock",
            "could not serialize",
            "database is locked",
            "table is locked",
            "lock request time out",
        ],
        RuleId::HeapTooSmall | RuleId::MemoryLimit | RuleId::OutOfMemory => &[
            "outofmemory",
            "out of memory",
            "gc overhead limit",
            "heap limit",
        ],
        RuleId::OutsideUnreachable => &[
            "connect timed out",
            "connection timed out",
            "connecttimeout",
            "connection refused",
            "econnrefused",
            "etimedout",
            "unknownhost",
            "name or service not known",
            "no such host",
            "enotfound",
            "no route to host",
        ],
        RuleId::Refused => &[
            "rate limit",
            "too many requests",
            "rate-limit",
            "quota exceeded",
        ],
        RuleId::SlowOutside | RuleId::OutsideLimit => {
            &["timed out", "timeout", "connection refused"]
        }
        RuleId::AcceptQueue => &[
            "too many open files",
            "connection limit",
            "maximum connections",
        ],
        RuleId::Retries => &["retry", "retries", "trying again", "try again"],
        RuleId::TooFewThreads => &[
            "rejectedexecution",
            "queue capacity",
            "thread pool is exhausted",
        ],
        _ => &[],
    }
}

/// A line says that this limits.
pub(super) fn mentions(rule: RuleId, line: &LogLine) -> bool {
    let text = line.text.to_lowercase();
    phrases(rule).iter().any(|phrase| text.contains(phrase))
}

/// How many lines say that this limits, and from which second on.
pub(super) fn mentions_of(signals: &Signals, rule: RuleId) -> Option<(f64, f64)> {
    let lines = lines(signals, SignalKind::LogLines).into_iter();
    let said = lines.filter(|line| mentions(rule, line));
    let said = said.map(|line| (line.count, line.from_s));
    said.reduce(|a, b| (a.0 + b.0, a.1.min(b.1)))
}

/// Attaches to each finding the log lines that say the same.
pub(super) fn quote(findings: &mut [BottleneckFinding], signals: &Signals) {
    let lines = lines(signals, SignalKind::LogLines);
    for finding in findings {
        let says = |line: &&LogLine| mentions(finding.rule, line);
        finding
            .logged
            .extend(lines.iter().filter(says).take(QUOTED_LINES_MAX).cloned());
    }
}
