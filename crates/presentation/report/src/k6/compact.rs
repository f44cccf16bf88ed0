//! The layout since k6 v1.0: thresholds, totals, groups, scenarios.

use loadline_metrics::Kind;
use loadline_record::Check;

use super::blocks::{Block, Checks, Report, split_operator};
use super::columns::{Cells, Columns, Wish};
use super::options::SummaryOptions;
use super::shown::{MetricFigures, ThresholdFigure};
use super::style::Palette;

pub(super) fn render(report: &Report, options: &SummaryOptions) -> String {
    let stats: Vec<String> = options
        .trend_stats
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut page = Page {
        text: String::new(),
        wish: Wish {
            stats: &stats,
            unit: options.time_unit,
            palette: if options.colors {
                Palette::Current
            } else {
                Palette::Plain
            },
        },
    };
    if !report.thresholds.is_empty() {
        page.title("THRESHOLDS");
        page.thresholds(&report.thresholds);
        page.empty_line();
    }
    page.title("TOTAL RESULTS");
    page.block(&report.total, 0);
    page.empty_line();
    for group in &report.groups {
        page.title(&format!("GROUP: {}", group.name));
        page.block(group, 0);
        page.empty_line();
    }
    for scenario in &report.scenarios {
        page.title(&format!("SCENARIO: {}", scenario.name));
        page.block(scenario, 0);
        page.empty_line();
    }
    page.text
}

/// The text so far. Depth is how far a group is inside others.
struct Page<'a> {
    text: String,
    wish: Wish<'a>,
}

impl Page<'_> {
    fn line(&mut self, indent: usize, text: &str) {
        self.text.push('\n');
        self.text.push_str(&"  ".repeat(indent));
        self.text.push_str(text);
    }

    fn empty_line(&mut self) {
        self.text.push('\n');
    }

    fn title(&mut self, title: &str) {
        let title = self.wish.palette.bold(title);
        self.line(1, &format!("█ {title} \n"));
    }

    fn block(&mut self, block: &Block, depth: usize) {
        if let Some(checks) = &block.checks {
            self.checks(checks, depth);
        }
        let all = block.topics.iter().flat_map(|(_, metrics)| metrics);
        let columns = Columns::new(all, &self.wish);
        for (title, metrics) in &block.topics {
            self.line(depth + 2, &self.wish.palette.bold(title));
            for metric in metrics {
                self.line(depth + 2, &columns.line(metric, &self.wish));
            }
            self.empty_line();
        }
        for group in &block.groups {
            let title = self.wish.palette.bold(&format!("GROUP: {}", group.name));
            self.line(depth + 2, &format!("↳ {title} \n"));
            self.block(group, depth + 1);
        }
    }

    fn checks(&mut self, checks: &Checks, depth: usize) {
        let columns = Columns::new(&checks.totals, &self.wish);
        for total in &checks.totals {
            self.line(depth + 2, &columns.line(total, &self.wish));
        }
        self.empty_line();
        for check in &checks.each {
            self.check(check, depth);
        }
        self.empty_line();
    }

    fn check(&mut self, check: &Check, depth: usize) {
        let paint = self.wish.palette;
        if check.fails == 0 {
            self.line(depth + 2, &paint.green(&format!("✓ {}", check.name)));
            return;
        }
        self.line(depth + 2, &paint.red(&format!("✗ {}", check.name)));
        self.line(2 * depth + 3, &paint.red(&outcome(check)));
    }

    fn thresholds(&mut self, metrics: &[MetricFigures]) {
        for metric in metrics {
            let parent = metric.name.split('{').next().unwrap_or_default();
            let below_parent = parent.len() < metric.name.len()
                && metrics.iter().any(|other| other.name == parent);
            let (indent, name) = if below_parent {
                (3, &metric.name[parent.len()..])
            } else {
                (2, metric.name.as_str())
            };
            self.line(indent, name);
            for threshold in &metric.thresholds {
                let line = self.threshold(metric, threshold);
                self.line(indent, &line);
            }
            self.empty_line();
        }
    }

    fn threshold(&self, metric: &MetricFigures, threshold: &ThresholdFigure) -> String {
        let paint = self.wish.palette;
        let source = threshold.source.as_str();
        let mark = if threshold.ok {
            paint.green("✓")
        } else {
            paint.red("✗")
        };
        let quoted = paint.white(&format!("'{}'", source.trim()));
        let (stat, _) = split_operator(source);
        let value = match (metric.kind, self.wish.cells(metric)) {
            _ if threshold.of_window.is_some() => {
                let value = threshold.of_window.unwrap_or_default();
                Some(self.wish.of_window(metric, stat, value))
            }
            (Kind::Trend, _) => self.wish.stat(metric, stat),
            (Kind::Counter, Cells::Other(_, extras)) if stat != "count" => {
                extras.into_iter().next()
            }
            (_, Cells::Other(value, _)) => Some(value),
            (_, Cells::Trend(_)) => None,
        };
        let value = paint.cyan(&value.unwrap_or_default());
        format!("{mark} {quoted} {}={value}", paint.white(stat))
    }
}

/// How a check that failed went.
pub(super) fn outcome(check: &Check) -> String {
    let percent = 100 * check.passes / (check.passes + check.fails);
    format!("↳  {percent}% — ✓ {} / ✗ {}", check.passes, check.fails)
}
