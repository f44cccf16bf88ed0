//! Charts of a run. Percentiles are those of a window's own requests, never means of others.

use loadline_metrics::Histogram;
use loadline_record::event_kind;
use loadline_text::{Catalog, Message, grouped, report};

use super::{LATE_MS, ReportedRun, TimelineEvent, TimelineWindow, heat};
use crate::document::{
    AxisKind, Chart, ChartAxis, ChartMark, ChartSeries, SeriesShape, TimeAxis, printable,
};

/// The least part of a second that a rate is told of.
const LEAST_COVERED: f64 = 0.2;
/// Bars a power of ten of the distribution.
const BARS_PER_DECADE: f64 = 10.0;

/// The charts with a time axis.
pub(super) fn over_time(run: &ReportedRun, catalog: &Catalog) -> Vec<Chart> {
    let charts = Charts { run, catalog };
    vec![
        charts.rate(),
        charts.latency(),
        charts.heat(),
        charts.errors(),
        charts.users(),
    ]
    .into_iter()
    .filter(|chart| !chart.is_empty())
    .collect()
}

/// How requests' durations are distributed, and how they depend on the rate.
pub(super) fn of_latency(run: &ReportedRun, catalog: &Catalog) -> Vec<Chart> {
    let charts = Charts { run, catalog };
    vec![charts.distribution(), charts.against_rate()]
        .into_iter()
        .filter(|chart| !chart.is_empty())
        .collect()
}

struct Charts<'a> {
    run: &'a ReportedRun,
    catalog: &'a Catalog,
}

impl Charts<'_> {
    fn text(&self, message: Message) -> String {
        self.catalog.text(&message)
    }

    fn axis(&self, label: Message, kind: AxisKind) -> ChartAxis {
        ChartAxis {
            label: self.text(label),
            kind,
            most: None,
        }
    }

    fn time(&self) -> ChartAxis {
        let from_ms = self.run.tested.started_ms;
        self.axis(report::axis_time(), AxisKind::Time(TimeAxis { from_ms }))
    }

    /// How long windows are, and how many requests they hold.
    fn caption(&self) -> String {
        let windows = &self.run.timeline.windows;
        let requests: f64 = windows.iter().map(|window| window.requests).sum();
        self.text(report::caption_windows(
            self.run.timeline.step,
            grouped(requests, 0),
        ))
    }

    /// A value a window; places between windows that are not there are gaps.
    fn series(
        &self,
        role: &'static str,
        name: Message,
        shape: SeriesShape,
        of: impl Fn(&TimelineWindow) -> Option<f64>,
    ) -> ChartSeries {
        let step = self.run.timeline.step as f64;
        let mut points: Vec<(f64, Option<f64>)> = Vec::new();
        for window in &self.run.timeline.windows {
            if let Some((last, _)) = points.last()
                && window.at - last > step * 1.5
            {
                points.push((last + step, None));
            }
            points.push((window.at, of(window)));
        }
        ChartSeries {
            role,
            name: self.text(name),
            shape,
            points,
        }
    }

    fn rate(&self) -> Chart {
        let per_second = |of: fn(&TimelineWindow) -> f64| {
            move |window: &TimelineWindow| {
                (window.covered >= LEAST_COVERED).then(|| of(window) / window.covered)
            }
        };
        let windows = &self.run.timeline.windows;
        let mut series = Vec::new();
        if windows.iter().any(|window| window.planned > 0.0) {
            series.push(self.series(
                "plan",
                report::series_planned(),
                SeriesShape::Dashed,
                per_second(|window| window.planned),
            ));
        }
        series.push(self.series(
            "rate",
            report::series_achieved(),
            SeriesShape::Line,
            per_second(|window| window.requests),
        ));
        if windows.iter().any(|window| window.late > 0.0) {
            series.push(self.series(
                "raw",
                report::series_late(grouped(LATE_MS, 0)),
                SeriesShape::Area,
                per_second(|window| window.late),
            ));
        }
        if windows.iter().any(|window| window.dropped > 0.0) {
            series.push(self.series(
                "failed",
                report::series_dropped(),
                SeriesShape::Area,
                per_second(|window| window.dropped),
            ));
        }
        Chart {
            id: "rate",
            title: self.text(report::chart_rate()),
            caption: self.caption(),
            x: self.time(),
            y: self.axis(report::axis_rate(), AxisKind::Linear),
            series,
            marks: self.marks(),
            heat: None,
        }
    }

    fn latency(&self) -> Chart {
        let at = |share: f64| move |window: &TimelineWindow| window.durations.percentile(share);
        let mut series = vec![
            self.series("p50", report::series_p50(), SeriesShape::Line, at(0.5)),
            self.series("p95", report::series_p95(), SeriesShape::Line, at(0.95)),
            self.series("p99", report::series_p99(), SeriesShape::Line, at(0.99)),
        ];
        let intended = |window: &TimelineWindow| {
            let good = window.intended.without(&window.failed_intended);
            good.percentile(0.95)
        };
        let windows = &self.run.timeline.windows;
        if windows.iter().any(|window| !window.intended.is_empty()) {
            let name = report::series_intended();
            series.push(self.series("raw", name, SeriesShape::Dashed, intended));
        }
        Chart {
            id: "latency",
            title: self.text(report::chart_latency()),
            caption: self.caption(),
            x: self.time(),
            y: self.axis(report::axis_latency_log(), AxisKind::Log),
            series,
            marks: self.marks(),
            heat: None,
        }
    }

    fn heat(&self) -> Chart {
        let timeline = &self.run.timeline;
        let (map, width) = heat::map(&timeline.windows, timeline.step, self.catalog);
        let counts = map.layers.iter().flat_map(|layer| layer.cells.iter());
        let (most, all) = counts.fold((0.0, 0.0), |(most, all), (_, _, count)| {
            (f64::max(most, *count), all + count)
        });
        Chart {
            id: "heat",
            title: self.text(report::chart_heat()),
            caption: self.text(report::caption_heat(
                width,
                grouped(most, 0),
                grouped(all, 0),
            )),
            x: self.time(),
            y: self.axis(report::axis_latency_log(), AxisKind::Log),
            series: Vec::new(),
            marks: self.marks(),
            heat: Some(map),
        }
    }

    fn errors(&self) -> Chart {
        let windows = &self.run.timeline.windows;
        let any = windows.iter().any(|window| window.failed > 0.0);
        let share = |window: &TimelineWindow| {
            (any && window.requests > 0.0).then(|| window.failed / window.requests * 100.0)
        };
        Chart {
            id: "errors",
            title: self.text(report::chart_errors()),
            caption: self.caption(),
            x: self.time(),
            y: self.axis(report::axis_share(), AxisKind::Linear),
            series: vec![self.series("failed", report::series_failed(), SeriesShape::Area, share)],
            marks: self.marks(),
            heat: None,
        }
    }

    fn users(&self) -> Chart {
        Chart {
            id: "users",
            title: self.text(report::chart_users()),
            caption: self.text(report::caption_users(self.run.timeline.step)),
            x: self.time(),
            y: self.axis(report::axis_users(), AxisKind::Linear),
            series: vec![self.series(
                "users",
                report::series_users(),
                SeriesShape::Line,
                |window| window.vus,
            )],
            marks: self.marks(),
            heat: None,
        }
    }

    fn distribution(&self) -> Chart {
        let all = match self.run.summary.metric("http_req_duration") {
            Some(metric) => match &metric.value {
                loadline_metrics::MetricValue::Trend(trend) => trend.clone(),
                _ => Histogram::new(),
            },
            None => Histogram::new(),
        };
        let failed = self.run.summary.failed_latency.clone().unwrap_or_default();
        let mut series = vec![ChartSeries {
            role: "rate",
            name: self.text(report::series_requests()),
            shape: SeriesShape::Bars,
            points: bars(&all.without(&failed)),
        }];
        if !failed.is_empty() {
            series.push(ChartSeries {
                role: "failed",
                name: self.text(report::series_failed()),
                shape: SeriesShape::Bars,
                points: bars(&failed),
            });
        }
        Chart {
            id: "distribution",
            title: self.text(report::chart_distribution()),
            caption: self.text(report::caption_distribution(grouped(all.count() as f64, 0))),
            x: self.axis(report::axis_latency_log(), AxisKind::Log),
            y: self.axis(report::axis_requests(), AxisKind::Linear),
            series,
            marks: Vec::new(),
            heat: None,
        }
    }

    fn against_rate(&self) -> Chart {
        let windows = self.run.timeline.windows.iter();
        let full = windows.filter(|w| w.covered >= self.run.timeline.step as f64 * 0.99);
        let points = full.filter_map(|window| {
            let p95 = window.durations.percentile(0.95)?;
            Some((window.requests / window.covered, Some(p95)))
        });
        Chart {
            id: "against-rate",
            title: self.text(report::chart_against_rate()),
            caption: self.text(report::caption_points(self.run.timeline.step)),
            x: self.axis(report::axis_rate(), AxisKind::Linear),
            y: self.axis(report::axis_latency_log(), AxisKind::Log),
            series: vec![ChartSeries {
                role: "p95",
                name: self.text(report::series_p95()),
                shape: SeriesShape::Points,
                points: points.collect(),
            }],
            marks: Vec::new(),
            heat: None,
        }
    }

    fn marks(&self) -> Vec<ChartMark> {
        let events = self.run.events.iter().filter(|event| event.at >= 0.0);
        let named = events.filter_map(|event| {
            Some(ChartMark {
                at: event.at,
                label: name(event, self.catalog)?,
            })
        });
        named.collect()
    }
}

/// What a person should know of an event; `None` for what is no news.
pub(super) fn name(event: &TimelineEvent, catalog: &Catalog) -> Option<String> {
    let text = |key: &str| event.detail[key].as_str().unwrap_or_default();
    Some(match event.kind.as_str() {
        event_kind::WARMED_UP => catalog.text(&report::event_warmed_up()),
        event_kind::LOAD_CHANGED => {
            let to = event.detail["to"].as_f64().unwrap_or_default();
            catalog.text(&match text("change") {
                "paused" => report::event_paused(),
                "resumed" => report::event_resumed(),
                "scaled" => report::event_scaled(grouped(to * 100.0, 0)),
                _ => report::event_level(grouped(to, 1)),
            })
        }
        event_kind::ANNOTATION => printable::line(text("text")),
        event_kind::STOP => catalog.text(&report::event_stop()),
        _ => return None,
    })
}

/// Counts in bars of equal width on a logarithmic axis, those without any included.
fn bars(durations: &Histogram) -> Vec<(f64, Option<f64>)> {
    #[expect(clippy::cast_possible_truncation, reason = "a small power of ten")]
    let place = |value: f64| (value.log10() * BARS_PER_DECADE).floor() as i32;
    let mut counts: std::collections::BTreeMap<i32, f64> = std::collections::BTreeMap::new();
    for (bucket, count) in durations.buckets() {
        let middle = bucket.middle();
        if middle > 0.0 {
            *counts.entry(place(middle)).or_default() += count as f64;
        }
    }
    let (Some(first), Some(last)) = (counts.keys().next(), counts.keys().next_back()) else {
        return Vec::new();
    };
    (*first..=*last)
        .map(|at| {
            let middle = 10_f64.powf((f64::from(at) + 0.5) / BARS_PER_DECADE);
            (middle, Some(counts.get(&at).copied().unwrap_or(0.0)))
        })
        .collect()
}
