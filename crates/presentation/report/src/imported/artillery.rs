//! Artillery's result file.

use loadline_text::{Catalog, Message, grouped, millis, report, significant};

use crate::artillery::{Distribution, PERIOD_MS, Period, Report};
use crate::document::{
    AxisKind, Chart, ChartAxis, ChartSeries, DocumentBlock, DocumentSection, DocumentTable,
    ReportDocument, SeriesShape, TimeAxis, printable,
};

/// Artillery's metric of response times.
const RESPONSE_TIME: &str = "http.response_time";
/// How long a period is, in seconds.
const PERIOD_S: f64 = (PERIOD_MS / 1000) as f64;
/// Counters and distributions that are listed.
const ENTRIES_MAX: usize = 200;

pub(super) fn document(file: &Report, name: &str, catalog: &Catalog) -> (ReportDocument, f64) {
    let all = &file.aggregate;
    let length = all.last_metric_at() - all.first_metric_at();
    let seconds = length.max(0) as f64 / 1000.0;
    let writer = Writer { file, catalog };
    let requests = all.counter("http.requests");
    let failed = failures(all);
    let pace = super::Pace {
        rate: (seconds > 0.0).then(|| requests / seconds),
        p95: all.summaries.get(RESPONSE_TIME).map(|times| times.p95),
        errors: (requests > 0.0).then(|| failed / requests),
    };
    let note = writer.text(report::figure_of_requests(grouped(requests, 0)));
    let document = ReportDocument {
        kind: "artillery",
        lang: catalog.lang().tag(),
        title: printable::line(name),
        facts: vec![
            writer.text(report::from_artillery()),
            writer.text(report::fact_seconds(grouped(seconds, 1))),
        ],
        verdict: super::goals_verdict(&[], &pace, catalog),
        figures: super::figures(&pace, note, catalog),
        goals: Vec::new(),
        cause: None,
        sections: vec![
            writer.over_time(),
            writer.distributions(),
            writer.counters(),
        ],
    };
    (document, seconds)
}

/// Requests without an answer, or with one of 400 and more.
fn failures(period: &Period) -> f64 {
    let counted = period.counters.iter().filter(|(name, _)| {
        let code = name.strip_prefix("http.codes.");
        let is_bad = code
            .and_then(|code| code.parse::<u16>().ok())
            .is_some_and(|code| code >= 400);
        is_bad || name.starts_with("errors.")
    });
    counted.map(|(_, count)| count).sum()
}

struct Writer<'a> {
    file: &'a Report,
    catalog: &'a Catalog,
}

impl Writer<'_> {
    fn text(&self, message: Message) -> String {
        self.catalog.text(&message)
    }

    /// A value a period, at its seconds since the first.
    fn points(&self, of: impl Fn(&Period) -> Option<f64>) -> Vec<(f64, Option<f64>)> {
        let first = self.first();
        let periods = self.file.intermediate.iter();
        let places = periods.map(|p| ((p.begins - first) as f64 / 1000.0, of(p)));
        places.collect()
    }

    /// How many seconds of a period the run was under way: the first and the last are rarely whole.
    fn covered(&self, period: &Period) -> f64 {
        let all = &self.file.aggregate;
        let ends = (period.begins + PERIOD_MS).min(all.last_metric_at());
        let begins = period.begins.max(all.first_metric_at());
        // A few requests within milliseconds are no rate.
        ((ends - begins) as f64 / 1000.0).clamp(1.0, PERIOD_S)
    }

    /// When the first period begins, milliseconds since 1970.
    fn first(&self) -> i64 {
        self.file
            .intermediate
            .first()
            .map_or(0, |period| period.begins)
    }

    fn series(
        &self,
        role: &'static str,
        name: Message,
        shape: SeriesShape,
        of: impl Fn(&Period) -> Option<f64>,
    ) -> ChartSeries {
        ChartSeries {
            role,
            name: self.text(name),
            shape,
            points: self.points(of),
        }
    }

    fn chart(
        &self,
        id: &'static str,
        title: Message,
        y_label: Message,
        y_kind: AxisKind,
        series: Vec<ChartSeries>,
    ) -> DocumentBlock {
        let requests = grouped(self.file.aggregate.counter("http.requests"), 0);
        DocumentBlock::Chart(Chart {
            id,
            title: self.text(title),
            caption: self.text(report::caption_windows(PERIOD_S, requests)),
            x: ChartAxis {
                label: self.text(report::axis_time()),
                kind: AxisKind::Time(TimeAxis {
                    from_ms: self.first(),
                }),
                most: None,
            },
            y: ChartAxis {
                label: self.text(y_label),
                kind: y_kind,
                most: None,
            },
            series,
            marks: Vec::new(),
            heat: None,
        })
    }

    fn over_time(&self) -> DocumentSection {
        let per_second = |count: f64, period: &Period| Some(count / self.covered(period));
        let time = |of: fn(&Distribution) -> f64| {
            move |period: &Period| period.summaries.get(RESPONSE_TIME).map(of)
        };
        let line = SeriesShape::Line;
        let rate = vec![
            self.series("rate", report::series_achieved(), line, |period| {
                per_second(period.counter("http.requests"), period)
            }),
            self.series(
                "failed",
                report::series_failed(),
                SeriesShape::Area,
                |period| per_second(failures(period), period),
            ),
        ];
        let latency = vec![
            self.series("p50", report::series_p50(), line, time(|d| d.p50)),
            self.series("p95", report::series_p95(), line, time(|d| d.p95)),
            self.series("p99", report::series_p99(), line, time(|d| d.p99)),
        ];
        DocumentSection {
            id: "time",
            title: self.text(report::section_time()),
            note: String::new(),
            blocks: vec![
                self.chart(
                    "rate",
                    report::chart_rate(),
                    report::axis_rate(),
                    AxisKind::Linear,
                    rate,
                ),
                self.chart(
                    "latency",
                    report::chart_latency(),
                    report::axis_latency_log(),
                    AxisKind::Log,
                    latency,
                ),
            ],
        }
    }

    fn distributions(&self) -> DocumentSection {
        let mut table = DocumentTable::new(String::new());
        table.words(self.text(report::column_metric()));
        table.numbers(self.text(report::column_count()));
        for head in ["min", "mean", "p50", "p95", "p99", "max"] {
            table.numbers(head);
        }
        for (name, of) in self.file.aggregate.summaries.iter().take(ENTRIES_MAX) {
            let mut row = vec![printable::line(name), grouped(of.count, 0)];
            row.extend([of.min, of.mean, of.p50, of.p95, of.p99, of.max].map(millis));
            table.rows.push(row);
        }
        self.section("latency", report::section_latency(), table)
    }

    fn counters(&self) -> DocumentSection {
        let mut table = DocumentTable::new(String::new());
        table.words(self.text(report::column_metric()));
        table.numbers(self.text(report::column_value()));
        for (name, count) in self.file.aggregate.counters.iter().take(ENTRIES_MAX) {
            table
                .rows
                .push(vec![printable::line(name), grouped(*count, 0)]);
        }
        for (name, rate) in self.file.aggregate.rates.iter().take(ENTRIES_MAX) {
            table.rows.push(vec![
                printable::line(name),
                format!("{}/s", significant(*rate)),
            ]);
        }
        self.section("metrics", report::section_metrics(), table)
    }

    fn section(&self, id: &'static str, title: Message, table: DocumentTable) -> DocumentSection {
        DocumentSection {
            id,
            title: self.text(title),
            note: String::new(),
            blocks: vec![DocumentBlock::Table(table)],
        }
    }
}
