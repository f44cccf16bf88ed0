//! What the target showed of itself during a run: CPU, memory, threads, pools, database, calls,
//! and where the time of a request went.

use loadline_explain::TimeBreakdown;
use loadline_record::signals::{SignalKind, SignalPoint, SignalSeries};
use loadline_text::{Catalog, Message, report, significant};

use super::{ObservedTarget, ReportedRun};
use crate::document::{
    AxisKind, Chart, ChartAxis, ChartSeries, DocumentBlock, DocumentSection, DocumentTable,
    SeriesShape, TimeAxis, printable,
};
use crate::explanation;

/// Points of a line; longer ones are told in wider steps.
const MOST_POINTS: usize = 300;
/// Things of one kind that a chart shows; those with the highest values.
const MOST_LINES: usize = 3;
const BYTES_PER_MIB: f64 = 1_048_576.0;

/// How a signal becomes a line.
#[derive(Clone, Copy)]
enum LineValue {
    /// The value as it is, times a factor.
    Gauge(f64),
    /// By how much a counter grows in a second, times a factor.
    Growth(f64),
    /// By how much a counter grows for each one that another grows by, times a factor.
    Mean(SignalKind, f64),
}

/// A line of a panel.
struct PanelLine {
    kind: SignalKind,
    value: LineValue,
    role: &'static str,
    name: Message,
    shape: SeriesShape,
}

/// The section; `None` when nothing was observed.
pub(super) fn section(run: &ReportedRun, catalog: &Catalog) -> Option<DocumentSection> {
    let target = run.target.as_ref()?;
    let panels = Panels {
        target,
        from_ms: run.tested.started_ms,
        catalog,
    };
    let charts = panels.all().into_iter().filter(|chart| !chart.is_empty());
    let mut blocks: Vec<DocumentBlock> = charts.map(DocumentBlock::Chart).collect();
    let time = run.explanation.as_ref();
    let time = time.and_then(|(explanation, _)| explanation.time.as_ref());
    blocks.extend(time.map(|time| DocumentBlock::Table(breakdown(time, catalog))));
    (!blocks.is_empty()).then(|| DocumentSection {
        id: "target",
        title: catalog.text(&report::section_target()),
        note: catalog.text(&report::note_target()),
        blocks,
    })
}

/// Where the time of a request goes.
fn breakdown(time: &TimeBreakdown, catalog: &Catalog) -> DocumentTable {
    let mut table = DocumentTable::new(catalog.text(&report::table_time()));
    table.words(catalog.text(&report::column_part()));
    table.numbers(catalog.text(&report::column_time_ms()));
    table.numbers(catalog.text(&report::column_slowest_ms()));
    table.numbers(catalog.text(&report::column_share()));
    let whole: f64 = time.parts.iter().map(|part| part.mean_ms).sum();
    for part in &time.parts {
        let share = if whole > 0.0 {
            part.mean_ms / whole
        } else {
            0.0
        };
        table.rows.push(vec![
            catalog.text(&explanation::time_part(part.part)),
            significant(part.mean_ms),
            part.slowest_ms.map_or_else(String::new, significant),
            format!("{:.0} %", share * 100.0),
        ]);
    }
    table.without_empty_columns()
}

struct Panels<'a> {
    target: &'a ObservedTarget,
    from_ms: i64,
    catalog: &'a Catalog,
}

impl Panels<'_> {
    fn text(&self, message: Message) -> String {
        self.catalog.text(&message)
    }

    fn all(&self) -> Vec<Chart> {
        let mut charts = vec![self.cpu(), self.heap(), self.memory(), self.pauses()];
        charts.extend([self.threads(), self.pool(), self.holds(), self.sessions()]);
        charts.extend([self.outside()]);
        charts
    }

    fn cpu(&self) -> Chart {
        let (gauge, growth) = (LineValue::Gauge(1.0), LineValue::Growth(1.0));
        self.chart(
            "target-cpu",
            report::panel_cpu(),
            report::axis_cores(),
            vec![
                line(SignalKind::ProcessCpu, growth, "rate", report::line_used()),
                limit(SignalKind::CoresAvailable, gauge, report::line_available()),
                line(
                    SignalKind::ThrottledTime,
                    growth,
                    "failed",
                    report::line_throttled(),
                ),
                line(SignalKind::HostCpu, growth, "raw", report::line_host()),
            ],
        )
    }

    fn heap(&self) -> Chart {
        let bytes = LineValue::Gauge(1.0 / BYTES_PER_MIB);
        self.chart(
            "target-heap",
            report::panel_heap(),
            report::axis_mebibytes(),
            vec![
                line(SignalKind::HeapUsed, bytes, "raw", report::line_used()),
                line(
                    SignalKind::HeapAfterCollection,
                    bytes,
                    "rate",
                    report::line_after_collection(),
                ),
                limit(SignalKind::HeapMax, bytes, report::line_most()),
            ],
        )
    }

    fn memory(&self) -> Chart {
        let bytes = LineValue::Gauge(1.0 / BYTES_PER_MIB);
        self.chart(
            "target-memory",
            report::panel_memory(),
            report::axis_mebibytes(),
            vec![
                line(SignalKind::MemoryUsed, bytes, "rate", report::line_used()),
                limit(SignalKind::MemoryLimit, bytes, report::line_most()),
            ],
        )
    }

    fn pauses(&self) -> Chart {
        let percent = LineValue::Growth(100.0);
        let kind = SignalKind::CollectionPauseTime;
        self.chart(
            "target-pauses",
            report::panel_pauses(),
            report::axis_percent(),
            vec![line(kind, percent, "failed", report::line_pauses())],
        )
    }

    fn threads(&self) -> Chart {
        let gauge = LineValue::Gauge(1.0);
        self.chart(
            "target-threads",
            report::panel_threads(),
            report::axis_count(),
            vec![
                line(SignalKind::WorkersBusy, gauge, "rate", report::line_busy()),
                line(
                    SignalKind::WorkersQueue,
                    gauge,
                    "failed",
                    report::line_waiting(),
                ),
                limit(SignalKind::WorkersMax, gauge, report::line_most()),
            ],
        )
    }

    fn pool(&self) -> Chart {
        let gauge = LineValue::Gauge(1.0);
        self.chart(
            "target-pool",
            report::panel_pool(),
            report::axis_count(),
            vec![
                line(SignalKind::PoolActive, gauge, "rate", report::line_held()),
                line(
                    SignalKind::PoolPending,
                    gauge,
                    "failed",
                    report::line_waiting(),
                ),
                limit(SignalKind::PoolMax, gauge, report::line_most()),
            ],
        )
    }

    fn holds(&self) -> Chart {
        let hold = LineValue::Mean(SignalKind::PoolHolds, 1000.0);
        let wait = LineValue::Mean(SignalKind::PoolAcquires, 1000.0);
        self.chart(
            "target-holds",
            report::panel_holds(),
            report::axis_mean_ms(),
            vec![
                line(
                    SignalKind::PoolHoldTime,
                    hold,
                    "rate",
                    report::line_hold_time(),
                ),
                line(
                    SignalKind::PoolAcquireTime,
                    wait,
                    "failed",
                    report::line_acquire_time(),
                ),
            ],
        )
    }

    fn sessions(&self) -> Chart {
        let gauge = LineValue::Gauge(1.0);
        let idle = SignalKind::SessionsIdleInTransaction;
        self.chart(
            "target-sessions",
            report::panel_sessions(),
            report::axis_count(),
            vec![
                line(
                    SignalKind::SessionsActive,
                    gauge,
                    "rate",
                    report::line_active(),
                ),
                line(idle, gauge, "p95", report::line_idle_in_transaction()),
                line(
                    SignalKind::SessionsWaitingForLock,
                    gauge,
                    "failed",
                    report::line_lock(),
                ),
            ],
        )
    }

    fn outside(&self) -> Chart {
        let mean = LineValue::Mean(SignalKind::OutsideCalls, 1000.0);
        let kind = SignalKind::OutsideCallTime;
        self.chart(
            "target-outside",
            report::panel_outside(),
            report::axis_mean_ms(),
            vec![line(kind, mean, "rate", report::line_call_time())],
        )
    }

    fn chart(
        &self,
        id: &'static str,
        title: Message,
        unit: Message,
        lines: Vec<PanelLine>,
    ) -> Chart {
        let axis = |label, kind| ChartAxis {
            label: self.text(label),
            kind,
            most: None,
        };
        let from_ms = self.from_ms;
        let series: Vec<ChartSeries> = lines.iter().flat_map(|line| self.series(line)).collect();
        // A limit alone says nothing.
        let has_more = series
            .iter()
            .any(|one| one.role != "plan" && one.has_values());
        Chart {
            id,
            title: self.text(title),
            caption: self.text(report::caption_target()),
            x: axis(report::axis_time(), AxisKind::Time(TimeAxis { from_ms })),
            y: axis(unit, AxisKind::Linear),
            series: if has_more { series } else { Vec::new() },
            marks: Vec::new(),
            heat: None,
        }
    }

    /// The lines of a kind: one for each thing it is about.
    fn series(&self, line: &PanelLine) -> Vec<ChartSeries> {
        let all: Vec<&SignalSeries> = self.target.signals.of_kind(line.kind).collect();
        let mut lines: Vec<(f64, ChartSeries)> = Vec::new();
        for series in &all {
            let points = self.points(series, line.value);
            let values = points.iter().filter_map(|(_, value)| *value);
            let most = values.fold(f64::NEG_INFINITY, f64::max);
            let mut name = self.text(line.name.clone());
            if all.len() > 1 {
                name = format!("{name} · {}", printable::line(&series.entity.to_string()));
            }
            lines.push((
                most,
                ChartSeries {
                    role: line.role,
                    name,
                    shape: line.shape,
                    points,
                },
            ));
        }
        lines.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        lines.truncate(MOST_LINES);
        let lines = lines.into_iter().map(|(_, series)| series);
        lines.filter(ChartSeries::has_values).collect()
    }

    /// The places and values of a line, in steps wide enough.
    fn points(&self, series: &SignalSeries, value: LineValue) -> Vec<(f64, Option<f64>)> {
        let step = series.points().len().div_ceil(MOST_POINTS).max(1);
        let at = |point: &SignalPoint| point.at_ms as f64 / 1000.0 - self.target.begins;
        let steps = series.points().chunks(step);
        match value {
            LineValue::Gauge(factor) => steps
                .filter_map(|points| {
                    let most = points.iter().map(|point| point.value);
                    let most = most.fold(f64::NEG_INFINITY, f64::max);
                    Some((at(points.last()?), Some(most * factor)))
                })
                .collect(),
            LineValue::Growth(factor) => {
                let ends: Vec<&SignalPoint> = steps.filter_map(<[SignalPoint]>::last).collect();
                let pairs = ends.windows(2).map(|pair| {
                    let seconds = (pair[1].at_ms - pair[0].at_ms) as f64 / 1000.0;
                    let growth = pair[1].value - pair[0].value;
                    // A counter that fell began anew.
                    let is_known = growth >= 0.0 && seconds > 0.0;
                    (at(pair[1]), is_known.then(|| growth / seconds * factor))
                });
                pairs.collect()
            }
            LineValue::Mean(counts, factor) => {
                let counts = self
                    .target
                    .signals
                    .of_kind(counts)
                    .find(|one| one.entity == series.entity);
                let Some(counts) = counts else {
                    return Vec::new();
                };
                let count_at = |at_ms: u64| {
                    let points = counts.points();
                    let place = points.partition_point(|point| point.at_ms <= at_ms);
                    place.checked_sub(1).map(|place| points[place].value)
                };
                let ends: Vec<&SignalPoint> = steps.filter_map(<[SignalPoint]>::last).collect();
                let pairs = ends.windows(2).map(|pair| {
                    let counted = count_at(pair[1].at_ms).zip(count_at(pair[0].at_ms));
                    let number = counted.map_or(0.0, |(after, before)| after - before);
                    let growth = pair[1].value - pair[0].value;
                    let is_known = growth >= 0.0 && number > 0.0;
                    (at(pair[1]), is_known.then(|| growth / number * factor))
                });
                pairs.collect()
            }
        }
    }
}

const fn line(kind: SignalKind, value: LineValue, role: &'static str, name: Message) -> PanelLine {
    PanelLine {
        kind,
        value,
        role,
        name,
        shape: SeriesShape::Line,
    }
}

/// What a line of the same panel cannot go beyond.
const fn limit(kind: SignalKind, value: LineValue, name: Message) -> PanelLine {
    PanelLine {
        kind,
        value,
        role: "plan",
        name,
        shape: SeriesShape::Dashed,
    }
}
