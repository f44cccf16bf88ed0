//! What a chart shows; how it is drawn is its writer's matter.

use serde::Serialize;

/// A chart with its axes and series.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chart {
    /// A name that tells pages which charts are the same.
    pub id: &'static str,
    /// What it shows.
    pub title: String,
    /// Window, number of values, and what lines mean.
    pub caption: String,
    /// From left to right.
    pub x: ChartAxis,
    /// From bottom to top.
    pub y: ChartAxis,
    /// What is drawn.
    pub series: Vec<ChartSeries>,
    /// Named places on the x axis.
    pub marks: Vec<ChartMark>,
    /// Cells behind the series.
    pub heat: Option<HeatMap>,
}

/// How many values lie where: cells of one width and, on a logarithmic y axis, one height.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeatMap {
    /// A cell's width on the x axis.
    pub width: f64,
    /// A cell's upper end on the y axis, as a multiple of its lower end.
    pub ratio: f64,
    /// One drawn over the other.
    pub layers: Vec<HeatLayer>,
}

/// Values of one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeatLayer {
    /// What they are; the same meaning has the same colour in every chart.
    pub role: &'static str,
    /// Their name.
    pub name: String,
    /// Drawn smaller than a cell, so that it is seen over another layer and without colours.
    pub is_inset: bool,
    /// Left end, lower end and number of values; only cells that hold any.
    pub cells: Vec<(f64, f64, f64)>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChartAxis {
    /// Its name with the unit.
    pub label: String,
    /// How values lie on it.
    pub kind: AxisKind,
    /// The largest value it must hold, so that charts side by side are alike.
    pub most: Option<f64>,
}

/// How values lie on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum AxisKind {
    /// Evenly, from zero.
    Linear,
    /// By their logarithm.
    Log,
    /// Seconds since a run began.
    Time(TimeAxis),
}

/// Seconds since a run began.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TimeAxis {
    /// When second 0 was, milliseconds since 1970.
    pub from_ms: i64,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesShape {
    /// A line.
    Line,
    /// A dashed line.
    Dashed,
    /// A line with the space below it filled.
    Area,
    /// Points.
    Points,
    /// Bars from zero.
    Bars,
}

/// Values in the order of x.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChartSeries {
    /// What it is; the same meaning has the same colour in every chart.
    pub role: &'static str,
    /// Its name.
    pub name: String,
    /// How it is drawn.
    pub shape: SeriesShape,
    /// Places and values; `None` is a gap.
    pub points: Vec<(f64, Option<f64>)>,
}

/// A named place on the x axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChartMark {
    /// Where.
    pub at: f64,
    /// What is there.
    pub label: String,
}

impl Chart {
    /// Whether nothing would be drawn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let is_drawn = |heat: &HeatMap| heat.layers.iter().any(HeatLayer::has_cells);
        !self.series.iter().any(ChartSeries::has_values)
            && !self.heat.as_ref().is_some_and(is_drawn)
    }
}

impl HeatLayer {
    /// Whether it has any cell.
    #[must_use]
    pub fn has_cells(&self) -> bool {
        !self.cells.is_empty()
    }

    /// The most values of a cell.
    #[must_use]
    pub fn most(&self) -> f64 {
        let counts = self.cells.iter().map(|(_, _, count)| *count);
        counts.fold(0.0, f64::max)
    }
}

impl ChartSeries {
    /// Whether it has any value.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.points.iter().any(|(_, value)| value.is_some())
    }
}
