//! What only samples tell: charts over time, and results by endpoint.

use loadline_text::{Catalog, Message, grouped, messages, millis, percent, report, significant};

use super::windows::PointWindow;
use super::{K6Points, PointEndpoint};
use crate::document::{
    AxisKind, Chart, ChartAxis, ChartSeries, DocumentBlock, DocumentSection, DocumentTable,
    ReportDocument, SeriesShape, TimeAxis, printable,
};

/// Endpoints that are listed.
const LISTED_ENDPOINTS_MAX: usize = 100;
/// The least part of a second that a rate is told of.
const LEAST_COVERED: f64 = 0.2;

/// Adds it to the document of the totals.
pub(super) fn add(points: &K6Points, document: &mut ReportDocument, catalog: &Catalog) {
    let writer = Writer { points, catalog };
    if points.has_submetrics {
        let said = writer.text(report::imported_submetrics());
        document.verdict.details.push(said);
    }
    if points.is_csv {
        let said = writer.text(report::imported_csv());
        document.verdict.details.push(said);
    }
    if points.is_cut {
        let said = writer.text(report::imported_cut());
        document.verdict.details.push(said);
    }
    if points.left_out > 0 {
        let said = writer.text(report::imported_left_out(grouped(
            points.left_out as f64,
            0,
        )));
        document.verdict.details.push(said);
    }
    let own = [writer.over_time(), writer.endpoints()];
    document.sections.splice(0..0, own.into_iter().flatten());
}

struct Writer<'a> {
    points: &'a K6Points,
    catalog: &'a Catalog,
}

impl Writer<'_> {
    fn text(&self, message: Message) -> String {
        self.catalog.text(&message)
    }

    fn series(
        &self,
        role: &'static str,
        name: Message,
        shape: SeriesShape,
        of: impl Fn(f64, Option<&PointWindow>) -> Option<f64>,
    ) -> ChartSeries {
        let windows = self.points.windows.in_order().into_iter();
        ChartSeries {
            role,
            name: self.text(name),
            shape,
            points: windows
                .map(|(end, covered, window)| (end, of(covered, window)))
                .collect(),
        }
    }

    fn chart(
        &self,
        id: &'static str,
        title: Message,
        label: Message,
        kind: AxisKind,
        series: Vec<ChartSeries>,
    ) -> DocumentBlock {
        let windows = &self.points.windows;
        let requests: u64 = self.points.endpoints.values().map(|of| of.requests).sum();
        let caption = report::caption_windows(windows.step_s(), grouped(requests as f64, 0));
        let axis = |label, kind| ChartAxis {
            label: self.text(label),
            kind,
            most: None,
        };
        let from_ms = windows.first_ms();
        DocumentBlock::Chart(Chart {
            id,
            title: self.text(title),
            caption: self.text(caption),
            x: axis(report::axis_time(), AxisKind::Time(TimeAxis { from_ms })),
            y: axis(label, kind),
            series,
            marks: Vec::new(),
            heat: None,
        })
    }

    fn over_time(&self) -> Option<DocumentSection> {
        let line = SeriesShape::Line;
        // A window without a sample is one without a request.
        let rate = |of: fn(&PointWindow) -> f64| {
            move |covered: f64, window: Option<&PointWindow>| {
                (covered >= LEAST_COVERED).then(|| window.map_or(0.0, of) / covered)
            }
        };
        let time = |share: f64| {
            move |_: f64, window: Option<&PointWindow>| window?.durations.percentile(share)
        };
        let rates = vec![
            self.series(
                "rate",
                report::series_achieved(),
                line,
                rate(|of| of.requests),
            ),
            self.series(
                "failed",
                report::series_failed(),
                SeriesShape::Area,
                rate(|of| of.failed),
            ),
        ];
        let times = vec![
            self.series("p50", report::series_p50(), line, time(0.5)),
            self.series("p95", report::series_p95(), line, time(0.95)),
            self.series("p99", report::series_p99(), line, time(0.99)),
        ];
        let users = vec![
            self.series("users", report::series_users(), line, |_, window| {
                window?.users
            }),
        ];
        let (linear, log) = (AxisKind::Linear, AxisKind::Log);
        let charts = [
            self.chart(
                "rate",
                report::chart_rate(),
                report::axis_rate(),
                linear,
                rates,
            ),
            self.chart(
                "latency",
                report::chart_latency(),
                report::axis_latency_log(),
                log,
                times,
            ),
            self.chart(
                "users",
                report::chart_users(),
                report::axis_users(),
                linear,
                users,
            ),
        ];
        let is_drawn = |block: &DocumentBlock| match block {
            DocumentBlock::Chart(chart) => !chart.is_empty(),
            _ => true,
        };
        let has_any = !self.points.endpoints.is_empty();
        let blocks: Vec<DocumentBlock> = charts.into_iter().filter(is_drawn).collect();
        has_any.then(|| DocumentSection {
            id: "time",
            title: self.text(report::section_time()),
            note: String::new(),
            blocks,
        })
    }

    fn endpoints(&self) -> Option<DocumentSection> {
        let endpoints = self.points.routes();
        let mut all: Vec<(&String, &PointEndpoint)> = endpoints.iter().collect();
        let is_apart = all.iter().any(|(_, of)| !of.failed_durations.is_empty());
        all.sort_by_key(|(_, of)| std::cmp::Reverse(of.requests));
        let mut table = DocumentTable::new(String::new());
        table.words(self.text(report::column_endpoint()));
        table.numbers(self.text(report::column_requests()));
        table.numbers(self.text(report::column_rate()));
        table.numbers(self.text(messages::column_mean()));
        for head in ["p50", "p95", "p99"] {
            table.numbers(head);
        }
        table.numbers(self.text(messages::column_max()));
        table.numbers(self.text(report::column_failed()));
        table.numbers(self.text(report::column_error_rate()));
        if is_apart {
            table.numbers(self.text(report::column_p50_failed()));
            table.numbers(self.text(report::column_p95_failed()));
        }
        let rows = all
            .iter()
            .take(LISTED_ENDPOINTS_MAX)
            .map(|(name, of)| self.endpoint(name, of, is_apart));
        table.rows = rows.collect();
        let more = all.len().saturating_sub(LISTED_ENDPOINTS_MAX);
        (!all.is_empty()).then(|| DocumentSection {
            id: "endpoints",
            title: self.text(report::section_endpoints()),
            note: match more {
                0 => String::new(),
                more => self.text(messages::and_more(more)),
            },
            blocks: vec![DocumentBlock::Table(table)],
        })
    }

    fn endpoint(&self, name: &str, of: &PointEndpoint, is_apart: bool) -> Vec<String> {
        let dash = || "–".to_owned();
        let time = |value: Option<f64>| value.map_or_else(dash, millis);
        let at = |share: f64| time(of.durations.percentile(share));
        let (requests, failed) = (of.requests as f64, of.failed as f64);
        let seconds = self.points.length().as_secs_f64();
        let rate = (seconds > 0.0).then(|| significant(requests / seconds));
        let errors = (requests > 0.0).then(|| percent(failed / requests));
        let mut row = vec![
            printable::line(name),
            grouped(requests, 0),
            rate.unwrap_or_else(dash),
            time(of.durations.mean()),
            at(0.5),
            at(0.95),
            at(0.99),
            time(of.durations.max()),
            grouped(failed, 0),
            errors.unwrap_or_else(dash),
        ];
        if is_apart {
            let of_failed = |share: f64| time(of.failed_durations.percentile(share));
            row.extend([of_failed(0.5), of_failed(0.95)]);
        }
        row
    }
}
