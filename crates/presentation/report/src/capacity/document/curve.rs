//! The curve of a search: throughput and latency by load, with its three points.

use loadline_text::{Message, capacity, report};

use super::super::file::{StepInFile, UnitInFile};
use super::Writer;
use crate::document::{
    AxisKind, Chart, ChartAxis, ChartMark, ChartSeries, DocumentBlock, DocumentSection, SeriesShape,
};

impl Writer<'_> {
    /// Levels that were held long enough to lie on the curve, by load.
    fn held(&self) -> Vec<&StepInFile> {
        let steps = self.file.steps.iter();
        let mut held: Vec<&StepInFile> = steps
            .filter(|step| !matches!(step.outcome.as_str(), "aborted" | "cut" | "invalid"))
            .collect();
        // Of a load that was tried again, the longest look lies on the curve.
        held.sort_by(|a, b| {
            a.load
                .total_cmp(&b.load)
                .then(b.held_s.total_cmp(&a.held_s))
        });
        held.dedup_by(|later, first| later.load.total_cmp(&first.load).is_eq());
        held
    }

    /// In what throughput is counted; a table has no iterations.
    fn throughput_axis(&self) -> String {
        self.text(match self.file.test.kind.as_str() {
            "table" => report::axis_rate(),
            _ => report::axis_iterations(),
        })
    }

    pub(super) fn curve(&self) -> DocumentSection {
        let held = self.held();
        let of = |value: fn(&StepInFile) -> Option<f64>| -> Vec<(f64, Option<f64>)> {
            held.iter().map(|step| (step.load, value(step))).collect()
        };
        let x = || ChartAxis {
            label: self.text(match self.file.unit {
                UnitInFile::IterationsPerSecond => capacity::curve_load_rate(),
                UnitInFile::VirtualUsers => capacity::curve_load_users(),
            }),
            kind: AxisKind::Linear,
            most: None,
        };
        let y = |label: String, kind| ChartAxis {
            label,
            kind,
            most: None,
        };
        let series = |role, name: String, shape, points| ChartSeries {
            role,
            name,
            shape,
            points,
        };
        let caption = self.text(report::caption_levels(held.len()));
        let latencies = [
            ("mean", report::series_mean(), of(|step| step.mean_ms)),
            ("p50", report::series_p50(), of(|step| step.p50_ms)),
            ("p95", report::series_p95(), of(|step| step.p95_ms)),
            ("p99", report::series_p99(), of(|step| step.p99_ms)),
        ];
        let tps = self.text(capacity::curve_throughput());
        let charts = [
            Chart {
                id: "throughput",
                title: self.text(report::chart_throughput()),
                caption: caption.clone(),
                x: x(),
                y: y(self.throughput_axis(), AxisKind::Linear),
                series: vec![
                    series(
                        "rate",
                        tps.clone(),
                        SeriesShape::Line,
                        of(|step| Some(step.throughput)),
                    ),
                    series(
                        "rate",
                        self.text(report::series_levels()),
                        SeriesShape::Points,
                        of(|step| Some(step.throughput)),
                    ),
                ],
                marks: self.marks(),
                heat: None,
            },
            Chart {
                id: "latency",
                title: self.text(report::chart_latency()),
                caption,
                x: x(),
                y: y(self.text(report::axis_latency_log()), AxisKind::Log),
                series: shown(latencies)
                    .map(|(role, name, points)| {
                        series(role, self.text(name), SeriesShape::Line, points)
                    })
                    .collect(),
                marks: self.marks(),
                heat: None,
            },
        ];
        DocumentSection {
            id: "curve",
            title: self.text(report::section_curve()),
            note: String::new(),
            blocks: charts.into_iter().map(DocumentBlock::Chart).collect(),
        }
    }

    fn marks(&self) -> Vec<ChartMark> {
        let points = [
            (
                (self.file.line.as_ref()).map(|line| line.of_table().unwrap_or(line.load)),
                capacity::row_line(),
            ),
            (
                self.file.knee.as_ref().map(|knee| knee.load),
                capacity::row_knee(),
            ),
            (
                self.file.peak.as_ref().map(|peak| peak.load),
                capacity::row_peak(),
            ),
        ];
        let seen = points
            .into_iter()
            .filter_map(|(at, name)| Some((at?, name)));
        seen.map(|(at, name)| ChartMark {
            at,
            label: format!("{} {}", self.text(name), self.load(at)),
        })
        .collect()
    }
}

/// A latency at each level: its role in a chart, its name, its points.
type LatencyLine = (&'static str, Message, Vec<(f64, Option<f64>)>);

/// Of a search the mean says less than its percentiles; many tables have nothing else.
fn shown(lines: [LatencyLine; 4]) -> impl Iterator<Item = LatencyLine> {
    let is_empty = |line: &LatencyLine| line.2.iter().all(|point| point.1.is_none());
    let is_mean_alone = lines[1..].iter().all(is_empty);
    lines
        .into_iter()
        .filter(move |line| (line.0 == "mean") == is_mean_alone && !is_empty(line))
        .map(|(role, name, points)| (if role == "mean" { "p50" } else { role }, name, points))
}
