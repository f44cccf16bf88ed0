//! What a summary shows, sorted into the parts k6 prints.

use std::time::Duration;

use loadline_metrics::{Kind, MetricValue, Origin, RateValue};
use loadline_record::{Check, Metric, Section, Summary};

use super::collate;
use super::options::{SummaryDetail, SummaryOptions, TrendStat};
use super::shown::{MetricFigures, is_shown, per_second, rate_values};

/// The whole summary.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// Metrics with thresholds.
    pub(super) thresholds: Vec<MetricFigures>,
    pub(super) total: Block,
    pub(super) groups: Vec<Block>,
    pub(super) scenarios: Vec<Block>,
}

/// The results of the run, a group or a scenario.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) name: String,
    pub(super) checks: Option<Checks>,
    /// By topic, in k6's order; none is empty.
    pub(super) topics: Vec<(&'static str, Vec<MetricFigures>)>,
    pub(super) groups: Vec<Block>,
}

/// Checks together and one by one.
#[derive(Debug)]
pub(super) struct Checks {
    /// `checks_total`, `checks_succeeded`, `checks_failed`.
    pub(super) totals: [MetricFigures; 3],
    pub(super) each: Vec<Check>,
}

/// Topics in k6's order, with the beginnings of their metrics' names.
const TOPICS: [(&str, &[&str]); 6] = [
    (
        "HTTP",
        &[
            "http_reqs",
            "http_req_failed",
            "http_req_duration",
            "http_req_blocked",
            "http_req_connecting",
            "http_req_tls_handshaking",
            "http_req_sending",
            "http_req_waiting",
            "http_req_receiving",
        ],
    ),
    (
        "EXECUTION",
        &[
            "vus",
            "iterations",
            "iteration_duration",
            "dropped_iterations",
        ],
    ),
    ("NETWORK", &["data_sent", "data_received"]),
    ("BROWSER", &["browser_"]),
    ("GRPC", &["grpc_"]),
    ("WEBSOCKET", &["ws_"]),
];

/// Beginnings of names that only the full summary shows.
const FULL_ONLY: [&str; 6] = [
    "http_req_blocked",
    "http_req_connecting",
    "http_req_receiving",
    "http_req_sending",
    "http_req_tls_handshaking",
    "http_req_waiting",
];

/// Beginnings of names that are not listed as metrics.
const NEVER: [&str; 2] = ["checks", "group_duration"];

impl Report {
    pub(super) fn new(summary: &Summary, mode: SummaryDetail, options: &SummaryOptions) -> Self {
        let maker = Maker {
            mode,
            options,
            run: summary.run.duration,
        };
        let known = summary.metrics.iter().filter(|m| is_shown(m));
        let with_thresholds = known.clone().filter(|m| !m.thresholds.is_empty());
        let mut thresholds: Vec<MetricFigures> =
            with_thresholds.map(|m| maker.with_percentiles(m)).collect();
        thresholds.sort_by(|a, b| collate::by_metric(&a.name, &b.name));
        let rate = match summary.metric("checks").map(|m| &m.value) {
            Some(MetricValue::Rate(rate)) => Some(*rate),
            _ => None,
        };
        let (groups, scenarios) = match mode {
            SummaryDetail::Full => (
                maker.blocks(&summary.groups),
                maker.blocks(&summary.scenarios),
            ),
            SummaryDetail::Compact | SummaryDetail::Legacy => (Vec::new(), Vec::new()),
        };
        Self {
            thresholds,
            total: Block {
                name: String::new(),
                checks: rate.map(|rate| maker.checks(rate, &summary.checks)),
                topics: maker.topics(known),
                groups: Vec::new(),
            },
            groups,
            scenarios,
        }
    }
}

/// What all parts of one summary have in common.
struct Maker<'a> {
    mode: SummaryDetail,
    options: &'a SummaryOptions,
    run: Duration,
}

impl Maker<'_> {
    fn shown(&self, metric: &Metric) -> MetricFigures {
        MetricFigures::new(metric, self.options, self.run)
    }

    /// Also with the percentiles that only its thresholds ask for.
    fn with_percentiles(&self, metric: &Metric) -> MetricFigures {
        let mut shown = self.shown(metric);
        if let MetricValue::Trend(trend) = &metric.value {
            for threshold in &metric.thresholds {
                let (left, _) = split_operator(&threshold.source);
                let stat: Result<TrendStat, _> = left.parse();
                if let Ok(stat @ TrendStat::Percentile { .. }) = stat
                    && shown.value(stat.name()).is_none()
                {
                    shown
                        .values
                        .push((stat.name().to_owned(), stat.value_of(trend)));
                }
            }
        }
        shown
    }

    fn blocks(&self, sections: &[Section]) -> Vec<Block> {
        let block = |section: &Section| Block {
            name: section.name.clone(),
            checks: section
                .check_rate
                .map(|rate| self.checks(rate, &section.checks)),
            topics: self.topics(
                section
                    .metrics
                    .iter()
                    .filter(|m| m.origin != Origin::Loadline),
            ),
            groups: self.blocks(&section.groups),
        };
        sections.iter().map(block).collect()
    }

    fn topics<'a>(
        &self,
        metrics: impl Iterator<Item = &'a Metric>,
    ) -> Vec<(&'static str, Vec<MetricFigures>)> {
        let mut custom = ("CUSTOM", Vec::new());
        let mut topics = TOPICS.map(|(title, _)| (title, Vec::new()));
        for metric in metrics {
            let begins =
                |beginnings: &[&str]| beginnings.iter().any(|b| metric.name.starts_with(b));
            if begins(&NEVER) || (self.mode == SummaryDetail::Compact && begins(&FULL_ONLY)) {
                continue;
            }
            let shown = self.shown(metric);
            match TOPICS.iter().position(|(_, beginnings)| begins(beginnings)) {
                Some(place) => topics[place].1.push(shown),
                None => custom.1.push(shown),
            }
        }
        let mut all: Vec<_> = std::iter::once(custom).chain(topics).collect();
        all.retain(|(_, metrics)| !metrics.is_empty());
        for (_, metrics) in &mut all {
            metrics.sort_by(|a, b| collate::by_metric(&a.name, &b.name));
        }
        all
    }

    fn checks(&self, rate: RateValue, each: &[Check]) -> Checks {
        let total = rate.total as f64;
        let failed = RateValue {
            trues: rate.total - rate.trues,
            total: rate.total,
        };
        let shares = |name: &str, rate| {
            let mut shown = MetricFigures::made(name, Kind::Rate, &[]);
            shown.values = rate_values(rate);
            shown
        };
        let count = [("count", total), ("rate", per_second(total, self.run))];
        Checks {
            totals: [
                MetricFigures::made("checks_total", Kind::Counter, &count),
                shares("checks_succeeded", rate),
                shares("checks_failed", failed),
            ],
            each: each.to_vec(),
        }
    }
}

/// A threshold's text before its first `<`, `>` or `=`, and from there on.
pub(super) fn split_operator(source: &str) -> (&str, &str) {
    let place = source.find(['=', '>', '<']).unwrap_or(source.len());
    let (left, right) = source.split_at(place);
    (left.trim(), right)
}
