//! k6's `--summary-export`, and the data of `handleSummary`.

use loadline_text::{Catalog, Message, grouped, millis, percent, report, significant};
use serde_json::{Map, Value};

use crate::document::{
    DocumentBlock, DocumentFigure, DocumentGoal, DocumentSection, DocumentTable, DocumentVerdict,
    ReportDocument, printable,
};

/// Checks and metrics that are listed.
const ENTRIES_MAX: usize = 200;

pub(super) fn document(file: &Value, name: &str, catalog: &Catalog) -> (ReportDocument, f64) {
    let nothing = Map::new();
    let writer = Writer {
        metrics: file["metrics"].as_object().unwrap_or(&nothing),
        catalog,
    };
    let seconds = file["state"]["testRunDurationMs"]
        .as_f64()
        .map(|ms| ms / 1000.0);
    let of = |statistic| {
        let requests = writer.number("http_reqs", statistic);
        requests.or_else(|| writer.number("iterations", statistic))
    };
    let (count, rate) = (of("count"), of("rate"));
    // `--summary-export` does not tell the length; counts and rates do.
    let of_rate = || Some(count? / rate.filter(|rate| *rate > 0.0)?);
    let seconds = seconds.or_else(of_rate).unwrap_or(0.0);
    let goals = writer.goals();
    let mut sections: Vec<DocumentSection> = writer.trends().into_iter().collect();
    sections.extend(writer.checks(&file["root_group"]));
    sections.push(writer.rest());
    let document = ReportDocument {
        kind: "k6",
        lang: catalog.lang().tag(),
        title: printable::line(name),
        facts: vec![
            writer.text(&report::from_k6()),
            writer.text(&report::fact_seconds(grouped(seconds, 1))),
        ],
        verdict: writer.verdict(&goals),
        figures: writer.figures(),
        goals,
        cause: None,
        sections,
    };
    (document, seconds)
}

struct Writer<'a> {
    metrics: &'a Map<String, Value>,
    catalog: &'a Catalog,
}

/// Values of a metric: in `values` for `handleSummary`, beside each other in an export.
fn values(metric: &Value) -> &Value {
    match &metric["values"] {
        Value::Null => metric,
        values => values,
    }
}

impl Writer<'_> {
    fn text(&self, message: &Message) -> String {
        self.catalog.text(message)
    }

    fn number(&self, metric: &str, statistic: &str) -> Option<f64> {
        values(self.metrics.get(metric)?)[statistic].as_f64()
    }

    /// The share of requests that failed.
    fn errors(&self) -> Option<f64> {
        self.number("http_req_failed", "rate")
            .or_else(|| self.number("http_req_failed", "value"))
    }

    fn pace(&self) -> super::Pace {
        super::Pace {
            rate: self.number("http_reqs", "rate"),
            p95: self.number("http_req_duration", "p(95)"),
            errors: self.errors(),
        }
    }

    /// Of a test without requests only its iterations can be told.
    fn verdict(&self, goals: &[DocumentGoal]) -> DocumentVerdict {
        let mut verdict = super::goals_verdict(goals, &self.pace(), self.catalog);
        let missed = goals.iter().any(|goal| goal.met == Some(false));
        if self.number("http_reqs", "count").is_none() && !missed {
            let count = self.number("iterations", "count").unwrap_or(0.0);
            verdict.text = self.text(&report::figure_of_iterations(grouped(count, 0)));
        }
        verdict
    }

    fn figures(&self) -> Vec<DocumentFigure> {
        if self.number("http_reqs", "count").is_none() {
            let count = self.number("iterations", "count").unwrap_or(0.0);
            let rate = self.number("iterations", "rate").map(significant);
            return vec![DocumentFigure {
                label: self.text(&report::figure_iterations()),
                value: rate.unwrap_or_else(|| "–".to_owned()),
                unit: "/s".to_owned(),
                note: self.text(&report::figure_of_iterations(grouped(count, 0))),
            }];
        }
        let count = self.number("http_reqs", "count").unwrap_or(0.0);
        let note = self.text(&report::figure_of_requests(grouped(count, 0)));
        super::figures(&self.pace(), note, self.catalog)
    }

    fn goals(&self) -> Vec<DocumentGoal> {
        let mut goals = Vec::new();
        for (name, metric) in self.metrics {
            for (condition, result) in metric["thresholds"].as_object().into_iter().flatten() {
                // An export says whether the threshold was crossed, `handleSummary` whether it held.
                let ok = match result {
                    Value::Bool(crossed) => Some(!crossed),
                    other => other["ok"].as_bool(),
                };
                let statistic = condition
                    .split(['<', '>', '=', '!'])
                    .next()
                    .unwrap_or_default();
                let of = |name: &str| values(metric)[name].as_f64();
                let shown = |value: f64| match statistic.trim() {
                    "count" => grouped(value, 0),
                    "rate" if values(metric)["passes"].is_number() => percent(value),
                    "rate" => format!("{}/s", significant(value)),
                    _ if is_time(name, metric) => format!("{} ms", significant(value)),
                    _ => significant(value),
                };
                let observed = match statistic.trim() {
                    // An export calls a rate's share its value.
                    "rate" => of("rate").or_else(|| of("value")),
                    other => of(other),
                };
                goals.push(super::goal(
                    &format!("{name} {condition}"),
                    observed.map_or_else(|| "–".to_owned(), shown),
                    ok,
                    self.catalog,
                ));
            }
        }
        goals.sort_by_key(|goal| goal.met.map_or(1, |met| 2 * u8::from(met)));
        goals
    }

    fn trends(&self) -> Option<DocumentSection> {
        let mut table = DocumentTable::new(String::new());
        table.words(self.text(&report::column_metric()));
        let statistics = ["avg", "min", "med", "p(90)", "p(95)", "p(99)", "max"];
        for head in statistics {
            table.numbers(head);
        }
        for (name, metric) in self.metrics.iter().take(ENTRIES_MAX) {
            let values = values(metric);
            if values["avg"].is_null() {
                continue;
            }
            let shown = |value: f64| {
                if is_time(name, metric) {
                    millis(value)
                } else {
                    significant(value)
                }
            };
            let mut row = vec![printable::line(name)];
            row.extend(statistics.map(|s| values[s].as_f64().map_or_else(String::new, shown)));
            table.rows.push(row);
        }
        let title = self.text(&report::section_latency());
        let any = !table.rows.is_empty();
        any.then(|| section("latency", title, table.without_empty_columns()))
    }

    fn checks(&self, root: &Value) -> Option<DocumentSection> {
        let mut rows = Vec::new();
        collect_checks(root, &mut rows);
        if rows.is_empty() {
            return None;
        }
        let mut table = DocumentTable::new(String::new());
        table.words(self.text(&report::column_check()));
        table.numbers(self.text(&report::column_passed()));
        table.numbers(self.text(&report::column_failed()));
        rows.sort_by(|a, b| b.2.total_cmp(&a.2));
        table.rows = rows
            .into_iter()
            .take(ENTRIES_MAX)
            .map(|(name, passes, fails)| vec![name, grouped(passes, 0), grouped(fails, 0)])
            .collect();
        Some(section(
            "checks",
            self.text(&report::section_checks()),
            table,
        ))
    }

    /// Counters, gauges and rates.
    fn rest(&self) -> DocumentSection {
        let mut table = DocumentTable::new(String::new());
        table.words(self.text(&report::column_metric()));
        table.numbers(self.text(&report::column_value()));
        table.numbers(self.text(&report::column_rate()));
        for (name, metric) in self.metrics.iter().take(ENTRIES_MAX) {
            let values = values(metric);
            let at = |key: &str| values[key].as_f64();
            let (value, rate) = match (at("count"), at("passes"), at("avg")) {
                (_, _, Some(_)) => continue,
                (Some(count), _, _) => (significant(count), at("rate").map(significant)),
                (_, Some(_), _) => {
                    let share = at("rate").or_else(|| at("value")).unwrap_or(0.0);
                    (percent(share), None)
                }
                _ => (at("value").map_or_else(String::new, significant), None),
            };
            table
                .rows
                .push(vec![printable::line(name), value, rate.unwrap_or_default()]);
        }
        section(
            "metrics",
            self.text(&report::section_metrics()),
            table.without_empty_columns(),
        )
    }
}

/// Whether a metric is a time in milliseconds: an export does not tell of its own ones.
fn is_time(name: &str, metric: &Value) -> bool {
    metric["contains"] == "time"
        || name.ends_with("_duration")
        || (name.starts_with("http_req_") && name != "http_req_failed")
}

fn section(id: &'static str, title: String, table: DocumentTable) -> DocumentSection {
    DocumentSection {
        id,
        title,
        note: String::new(),
        blocks: vec![DocumentBlock::Table(table)],
    }
}

/// Checks of a group and of those in it: lists in `handleSummary`, objects in an export.
fn collect_checks(group: &Value, into: &mut Vec<(String, f64, f64)>) {
    let members = |key: &str| -> Vec<&Value> {
        match &group[key] {
            Value::Array(list) => list.iter().collect(),
            Value::Object(map) => map.values().collect(),
            _ => Vec::new(),
        }
    };
    for check in members("checks") {
        let name = check["name"].as_str().unwrap_or_default();
        let count = |key: &str| check[key].as_f64().unwrap_or(0.0);
        into.push((printable::line(name), count("passes"), count("fails")));
    }
    for inner in members("groups") {
        collect_checks(inner, into);
    }
}
