//! Artillery's console: metrics by name, dotted lines to column 79.

use super::{Period, rounded};

/// How wide a line's name and dots are.
const NAME_COLUMNS: usize = 79;

/// The block at the end of a period; `until` is its end as a time of day.
#[must_use]
pub fn period(period: &Period, until: &str, suppressed: &[String]) -> String {
    let title = format!("Metrics for period to: {until}");
    let line = "-".repeat(title.len());
    #[expect(clippy::cast_precision_loss, reason = "a period's length")]
    let width = (period.last_metric_at() - period.first_metric_at()) as f64 / 1000.0;
    let width = shown(width);
    format!(
        "{line}\n{title} (width: {width}s)\n{line}\n\n{}\n\n\n",
        metrics(period, suppressed)
    )
}

/// The block at the end of a run; `at` is the time of day.
#[must_use]
pub fn summary(period: &Period, at: &str, suppressed: &[String]) -> String {
    let title = format!("Summary report @ {at}");
    let line = "-".repeat(title.len());
    format!(
        "{line}\n{title}\n{line}\n\n{}\n",
        metrics(period, suppressed)
    )
}

/// How long a run took, in words.
#[must_use]
pub fn length(seconds: u64) -> String {
    let parts = [
        (seconds / 86_400, "day"),
        (seconds / 3600 % 24, "hour"),
        (seconds / 60 % 60, "minute"),
        (seconds % 60, "second"),
    ];
    let first = parts
        .iter()
        .position(|(amount, _)| *amount > 0)
        .unwrap_or(3);
    let words = parts[first..].iter().map(|(amount, unit)| {
        let plural = if *amount == 1 { "" } else { "s" };
        format!("{amount} {unit}{plural}")
    });
    words.collect::<Vec<_>>().join(", ")
}

/// All metrics by name, but those that are not to be shown.
#[must_use]
pub fn metrics(period: &Period, suppressed: &[String]) -> String {
    let mut names: Vec<&String> = period
        .counters
        .keys()
        .chain(period.summaries.keys())
        .chain(period.rates.keys())
        .filter(|name| {
            !suppressed
                .iter()
                .any(|hidden| name.contains(hidden.as_str()))
        })
        .collect();
    if names.is_empty() {
        return "No measurements recorded during this period".to_owned();
    }
    // By UTF-16 units, as JavaScript sorts; for ASCII the same as bytes.
    names.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    names.dedup();
    let mut lines = Vec::new();
    for name in names {
        if let Some(value) = period.counters.get(name) {
            lines.push(padded(&format!("{name}:"), &shown(*value)));
        }
        if let Some(summary) = period.summaries.get(name) {
            lines.push(format!("{name}:"));
            for (label, value) in [
                ("  min:", summary.min),
                ("  max:", summary.max),
                ("  mean:", summary.mean),
                ("  median:", summary.p50),
                ("  p95:", summary.p95),
                ("  p99:", summary.p99),
            ] {
                lines.push(padded(label, &shown(value)));
            }
        }
        if let Some(rate) = period.rates.get(name) {
            lines.push(padded(&format!("{name}:"), &shown(*rate)) + "/sec");
        }
    }
    lines.join("\n")
}

fn padded(name: &str, value: &str) -> String {
    let length = name.chars().count();
    let name = if length > NAME_COLUMNS {
        let cut: String = name.chars().take(NAME_COLUMNS - 3).collect();
        format!("{cut}...")
    } else {
        name.to_owned()
    };
    let dots = ".".repeat(NAME_COLUMNS.saturating_sub(name.chars().count()));
    format!("{name} {dots} {value}")
}

/// A number without needless digits.
fn shown(value: f64) -> String {
    format!("{}", rounded(value, 1000.0))
}
