//! Columns that line up: how wide each must be, and a metric's line in them.

use loadline_metrics::Kind;

use super::number::{humanize, js_number};
use super::options::TimeUnit;
use super::shown::MetricFigures;
use super::style::Palette;

/// The columns of a list of metrics.
#[derive(Debug, Default)]
pub(super) struct Columns {
    name: usize,
    /// The first value of counters, gauges and rates.
    value: usize,
    /// What follows it.
    extras: Vec<usize>,
    /// The statistics of trends.
    stats: Vec<usize>,
}

/// What makes columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wish<'a> {
    /// The statistics of trends.
    pub(super) stats: &'a [String],
    pub(super) unit: Option<TimeUnit>,
    pub(super) palette: Palette,
}

/// The cells of a metric's line.
pub(super) enum Cells {
    /// A trend's statistics.
    Trend(Vec<String>),
    /// A value and what follows it.
    Other(String, Vec<String>),
}

/// How wide a text is in a terminal that shows each character in one cell.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

/// The name in a line: a sub-metric's tags alone, set in.
pub(super) fn display_name(name: &str) -> String {
    match name.split_once('{') {
        Some((_, tags)) => {
            let mut tags = tags.to_owned();
            tags.pop();
            format!("  {{ {tags} }}")
        }
        None => name.to_owned(),
    }
}

impl Wish<'_> {
    /// A statistic of a trend; empty when it is not among the metric's numbers.
    pub(super) fn stat(&self, metric: &MetricFigures, stat: &str) -> Option<String> {
        let value = metric.value(stat)?;
        Some(if stat == "count" {
            js_number(value)
        } else {
            humanize(value, metric.kind, metric.contains, self.unit)
        })
    }

    /// A value of a statistic that is that of one window.
    pub(super) fn of_window(&self, metric: &MetricFigures, stat: &str, value: f64) -> String {
        let text = humanize(value, metric.kind, metric.contains, self.unit);
        match (metric.kind, stat) {
            (_, "count") => js_number(value),
            (Kind::Counter, "rate") => format!("{text}/s"),
            _ => text,
        }
    }

    pub(super) fn cells(&self, metric: &MetricFigures) -> Cells {
        let text = |value: f64| humanize(value, metric.kind, metric.contains, self.unit);
        let of = |key: &str| metric.value(key).unwrap_or(f64::NAN);
        match metric.kind {
            Kind::Trend => {
                let stats = self.stats.iter();
                let stats = stats.map(|stat| self.stat(metric, stat).unwrap_or_default());
                Cells::Trend(stats.collect())
            }
            Kind::Counter => {
                Cells::Other(text(of("count")), vec![format!("{}/s", text(of("rate")))])
            }
            Kind::Gauge => Cells::Other(
                text(of("value")),
                vec![
                    format!("min={}", text(of("min"))),
                    format!("max={}", text(of("max"))),
                ],
            ),
            Kind::Rate => {
                let (passes, fails) = (of("passes"), of("fails"));
                let out_of = format!("{} out of {}", js_number(passes), js_number(passes + fails));
                Cells::Other(text(of("rate")), vec![out_of])
            }
        }
    }
}

impl Columns {
    /// Wide enough for all of `metrics`.
    pub(super) fn new<'a>(
        metrics: impl IntoIterator<Item = &'a MetricFigures>,
        wish: &Wish<'_>,
    ) -> Self {
        let mut columns = Self {
            stats: vec![0; wish.stats.len()],
            ..Self::default()
        };
        for metric in metrics {
            columns.name = columns.name.max(width(&display_name(&metric.name)));
            match wish.cells(metric) {
                Cells::Trend(stats) => widen(&mut columns.stats, &stats),
                Cells::Other(value, extras) => {
                    columns.value = columns.value.max(width(&value));
                    widen(&mut columns.extras, &extras);
                }
            }
        }
        columns
    }

    /// Name, dots and cells of one metric.
    pub(super) fn line(&self, metric: &MetricFigures, wish: &Wish<'_>) -> String {
        let name = display_name(&metric.name);
        let dots = ".".repeat(self.name - width(&name) + 3);
        let dots = wish.palette.dots(&format!("{dots}:"));
        format!("{name}{dots} {}", self.data(metric, wish))
    }

    fn data(&self, metric: &MetricFigures, wish: &Wish<'_>) -> String {
        let paint = wish.palette;
        match wish.cells(metric) {
            Cells::Trend(cells) => {
                let each = wish.stats.iter().zip(&cells).zip(&self.stats);
                let each = each.map(|((stat, cell), column)| {
                    format!("{stat}={}{}", paint.cyan(cell), pad(cell, *column))
                });
                each.collect::<Vec<_>>().join(" ")
            }
            Cells::Other(value, extras) => {
                let value = format!("{}{}", paint.cyan(&value), pad(&value, self.value));
                match extras.as_slice() {
                    [] => value,
                    [only] => format!("{value} {}", paint.faint_cyan(only)),
                    several => {
                        let each = several.iter().zip(&self.extras);
                        let each = each.map(|(extra, column)| {
                            format!("{}{}", paint.faint_cyan(extra), pad(extra, *column))
                        });
                        format!("{value} {}", each.collect::<Vec<_>>().join(" "))
                    }
                }
            }
        }
    }
}

fn widen(columns: &mut Vec<usize>, cells: &[String]) {
    columns.resize(columns.len().max(cells.len()), 0);
    for (column, cell) in columns.iter_mut().zip(cells) {
        *column = (*column).max(width(cell));
    }
}

fn pad(cell: &str, column: usize) -> String {
    " ".repeat(column.saturating_sub(width(cell)))
}
