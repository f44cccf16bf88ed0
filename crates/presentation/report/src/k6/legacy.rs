//! The layout before k6 v1.0, which the k6-summary library's `textSummary` still prints.
//!
//! It is made of `handleSummary` data, because scripts may change that data first.

use loadline_metrics::{Kind, ValueType};
use loadline_record::{Check, Summary};
use serde_json::Value;

use super::collate;
use super::columns::{Columns, Wish};
use super::compact::outcome;
use super::json::{Tty, handle_summary_data};
use super::options::{SummaryOptions, TimeUnit};
use super::shown::{MetricFigures, ThresholdFigure};
use super::style::Palette;

/// The options of `textSummary`; the data's own options are the defaults.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LegacyOptions {
    /// Put before each line; a space unless set.
    pub indent: Option<String>,
    /// Whether to colour; yes unless set.
    pub colors: Option<bool>,
    /// The unit of all times: `s`, `ms` or `us`.
    pub time_unit: Option<String>,
    /// The columns of trends.
    pub trend_stats: Option<Vec<String>>,
}

/// Why data cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LegacyError {
    /// A part of the data is missing or of another type.
    #[error("summary data has no usable `{path}`")]
    Malformed {
        /// Where it should be.
        path: String,
    },
}

/// What the k6-summary library's `textSummary(data, options)` returns.
///
/// # Errors
/// [`LegacyError`] for data that lacks what is to be shown.
pub fn text_summary(data: &Value, options: &LegacyOptions) -> Result<String, LegacyError> {
    let own = &data["options"];
    let stats = match &options.trend_stats {
        Some(stats) => stats.clone(),
        None => strings(&own["summaryTrendStats"])
            .ok_or_else(|| malformed("options.summaryTrendStats"))?,
    };
    let unit = options.time_unit.as_deref();
    let unit = unit.or_else(|| own["summaryTimeUnit"].as_str());
    let wish = Wish {
        stats: &stats,
        unit: unit.and_then(TimeUnit::named),
        palette: if options.colors.unwrap_or(true) {
            Palette::Legacy
        } else {
            Palette::Plain
        },
    };
    let indent = options.indent.as_deref().unwrap_or(" ");
    let mut lines = Vec::new();
    groups(
        &data["root_group"],
        &format!("{indent}    "),
        &wish,
        &mut lines,
    )?;
    metrics(data, indent, &wish, &mut lines)?;
    Ok(lines.join("\n"))
}

/// `--summary-mode=legacy`.
pub(super) fn of_summary(summary: &Summary, options: &SummaryOptions) -> String {
    let data = handle_summary_data(summary, options, Tty::default());
    let options = LegacyOptions {
        colors: Some(options.colors),
        ..LegacyOptions::default()
    };
    text_summary(&data, &options).unwrap_or_else(|error| error.to_string())
}

fn groups(
    group: &Value,
    indent: &str,
    wish: &Wish<'_>,
    lines: &mut Vec<String>,
) -> Result<(), LegacyError> {
    let mut indent = indent.to_owned();
    let name = group["name"]
        .as_str()
        .ok_or_else(|| malformed("root_group.name"))?;
    if !name.is_empty() {
        lines.push(format!("{indent}█ {name}\n"));
        indent.push_str("  ");
    }
    let list = |key: &str| {
        let list = group[key].as_array();
        list.ok_or_else(|| malformed(&format!("root_group.{key}")))
    };
    for check in list("checks")? {
        lines.push(check_line(check, &indent, wish)?);
    }
    if !list("checks")?.is_empty() {
        lines.push(String::new());
    }
    for inner in list("groups")? {
        groups(inner, &indent, wish, lines)?;
    }
    Ok(())
}

fn check_line(check: &Value, indent: &str, wish: &Wish<'_>) -> Result<String, LegacyError> {
    let count = |key: &str| {
        let count = check[key].as_f64();
        let count = count.ok_or_else(|| malformed(&format!("check.{key}")))?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count; the cast saturates"
        )]
        let count = count as u64;
        Ok(count)
    };
    let check = Check {
        name: check["name"].as_str().unwrap_or_default().to_owned(),
        passes: count("passes")?,
        fails: count("fails")?,
    };
    Ok(if check.fails == 0 {
        wish.palette.green(&format!("{indent}✓ {}", check.name))
    } else {
        let outcome = outcome(&check);
        let text = format!("{indent}✗ {}\n{indent} {outcome}", check.name);
        wish.palette.red(&text)
    })
}

fn metrics(
    data: &Value,
    indent: &str,
    wish: &Wish<'_>,
    lines: &mut Vec<String>,
) -> Result<(), LegacyError> {
    let all = data["metrics"]
        .as_object()
        .ok_or_else(|| malformed("metrics"))?;
    let mut shown = Vec::new();
    for (name, metric) in all {
        shown.push(shown_metric(name, metric, wish)?);
    }
    shown.sort_by(|a, b| collate::by_metric(&a.name, &b.name));
    let columns = Columns::new(&shown, wish);
    for metric in &shown {
        // The mark comes between a sub-metric's indentation and its name.
        let line = columns.line(metric, wish);
        let (set_in, line) = match line.strip_prefix("  {") {
            Some(rest) => ("  ", format!("{{{rest}")),
            None => ("", line),
        };
        let listed = all[&metric.name].get("thresholds").is_some();
        let mark = match (listed, metric.thresholds.iter().all(|one| one.ok)) {
            (false, _) => " ".to_owned(),
            (true, true) => wish.palette.green("✓"),
            (true, false) => wish.palette.red("✗"),
        };
        lines.push(format!("{indent}  {set_in}{mark} {line}"));
    }
    Ok(())
}

fn shown_metric(name: &str, metric: &Value, wish: &Wish<'_>) -> Result<MetricFigures, LegacyError> {
    let kind = match metric["type"].as_str() {
        Some("counter") => Kind::Counter,
        Some("gauge") => Kind::Gauge,
        Some("rate") => Kind::Rate,
        Some("trend") => Kind::Trend,
        _ => return Err(malformed(&format!("metrics.{name}.type"))),
    };
    let contains = match metric["contains"].as_str() {
        Some("time") => ValueType::Time,
        Some("data") => ValueType::Data,
        _ => ValueType::Default,
    };
    let values = metric["values"].as_object().into_iter().flatten();
    let values: Vec<(String, f64)> = values
        .filter_map(|(key, value)| Some((key.clone(), value.as_f64()?)))
        .collect();
    let thresholds = metric["thresholds"].as_object().into_iter().flatten();
    let ok = |result: &Value| result["ok"].as_bool().unwrap_or_default();
    let shown = MetricFigures {
        name: name.to_owned(),
        kind,
        contains,
        values,
        thresholds: thresholds
            .map(|(source, result)| ThresholdFigure {
                source: source.clone(),
                ok: ok(result),
                of_window: None,
            })
            .collect(),
    };
    let needed: Vec<&str> = match kind {
        Kind::Counter => vec!["count", "rate"],
        Kind::Gauge => vec!["value", "min", "max"],
        Kind::Rate => vec!["rate", "passes", "fails"],
        Kind::Trend => wish.stats.iter().map(String::as_str).collect(),
    };
    match needed.into_iter().find(|key| shown.value(key).is_none()) {
        Some(key) => Err(malformed(&format!("metrics.{name}.values.{key}"))),
        None => Ok(shown),
    }
}

fn strings(value: &Value) -> Option<Vec<String>> {
    let list = value.as_array()?.iter();
    list.map(|item| item.as_str().map(str::to_owned)).collect()
}

fn malformed(path: &str) -> LegacyError {
    LegacyError::Malformed {
        path: path.to_owned(),
    }
}
