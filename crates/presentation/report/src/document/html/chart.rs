//! A chart as SVG inside a figure: title and legend are HTML around the drawing, so that only
//! ticks and numbers of marks are written in it, and none of them can meet another.

use std::fmt::Write as _;

use loadline_text::{Catalog, report};

use super::super::{AxisKind, Chart, ChartSeries, SeriesShape};
use super::axis::{Scale, clock};
use super::escaped;
use super::heat;

/// The drawing's size and margins; a unit is about a pixel on a wide page.
const CHART_WIDTH: f64 = 480.0;
const CHART_HEIGHT: f64 = 236.0;
const MARGIN_LEFT: f64 = 54.0;
const MARGIN_RIGHT: f64 = 16.0;
const MARGIN_TOP: f64 = 30.0;
const MARGIN_BOTTOM: f64 = 30.0;

/// Size of what is written.
const FONT_SIZE: f64 = 12.0;
/// Ticks of y.
const Y_TICKS: usize = 4;
/// The most ticks of a time axis.
const TIME_TICKS_MAX: usize = 6;
/// Marks nearer than this to each other have their numbers in different rows.
const MARK_WIDTH: f64 = 20.0;
/// Rows for numbers of marks; what fits in none has only its line.
const MARK_ROWS: usize = 2;
/// Marks that are named below a chart.
const MARKS_NAMED: usize = 12;

/// The figure; `title` is the chart's as HTML.
pub(super) fn figure(html: &mut String, chart: &Chart, title: &str, catalog: &Catalog) {
    let _ = write!(html, "<figure class=\"chart\"><figcaption><b>{title}</b>");
    legend(html, chart);
    let _ = write!(
        html,
        "</figcaption><p class=\"axis\">{}</p>",
        escaped(&chart.y.label)
    );
    if chart.is_empty() {
        let nothing = catalog.text(&report::chart_empty());
        let _ = write!(html, "<p class=\"empty\">{}</p>", escaped(&nothing));
    } else {
        svg(html, chart);
    }
    let _ = write!(
        html,
        "<p class=\"axis below\">{}</p>",
        escaped(&chart.x.label)
    );
    names_of_marks(html, chart);
    let _ = writeln!(
        html,
        "<p class=\"caption\">{}</p></figure>",
        escaped(&chart.caption)
    );
}

fn legend(html: &mut String, chart: &Chart) {
    html.push_str("<span class=\"legend\">");
    heat::legend(html, chart.heat.as_ref());
    for one in chart.series.iter().filter(|one| one.has_values()) {
        let drawing = match one.shape {
            SeriesShape::Points => "<circle cx=\"9\" cy=\"5\" r=\"3\"/>",
            SeriesShape::Bars | SeriesShape::Area => {
                "<rect x=\"1\" y=\"0\" width=\"16\" height=\"10\"/>"
            }
            SeriesShape::Line | SeriesShape::Dashed => "<path d=\"M0 5h18\"/>",
        };
        let _ = write!(
            html,
            "<span><svg class=\"s {shape} r-{role}\" viewBox=\"0 0 18 10\" aria-hidden=\"true\">{drawing}</svg>{}</span>",
            escaped(&one.name),
            shape = shape(one.shape),
            role = one.role,
        );
    }
    html.push_str("</span>");
}

const fn shape(of: SeriesShape) -> &'static str {
    match of {
        SeriesShape::Line => "line",
        SeriesShape::Dashed => "dashed",
        SeriesShape::Area => "area",
        SeriesShape::Points => "points",
        SeriesShape::Bars => "bars",
    }
}

fn svg(html: &mut String, chart: &Chart) {
    let all = || chart.series.iter().flat_map(|series| series.points.iter());
    let ends = heat::ends(chart.heat.as_ref());
    let places = all().map(|(x, _)| *x).chain(ends.iter().map(|(x, _)| *x));
    let values = all().filter_map(|(_, value)| *value);
    let values = values.chain(ends.iter().map(|(_, value)| *value));
    let x = Scale::new(
        &chart.x,
        places,
        MARGIN_LEFT,
        CHART_WIDTH - MARGIN_RIGHT,
        TIME_TICKS_MAX,
    );
    let y = Scale::new(
        &chart.y,
        values,
        CHART_HEIGHT - MARGIN_BOTTOM,
        MARGIN_TOP,
        Y_TICKS,
    );
    let _ = write!(
        html,
        "<svg class=\"plot\" viewBox=\"0 0 {CHART_WIDTH} {CHART_HEIGHT}\" role=\"img\" aria-label=\"{}\" font-size=\"{FONT_SIZE}\">",
        escaped(&format!("{}. {}", chart.title, chart.caption)),
    );
    grid(html, &x, &y);
    heat::drawn(html, chart.heat.as_ref(), &x, &y);
    for series in &chart.series {
        drawn(html, series, &x, &y);
    }
    marks(html, chart, &x);
    html.push_str("</svg>");
}

fn grid(html: &mut String, x: &Scale, y: &Scale) {
    let (right, bottom) = (CHART_WIDTH - MARGIN_RIGHT, CHART_HEIGHT - MARGIN_BOTTOM);
    html.push_str("<g class=\"grid\">");
    for (value, _) in &y.ticks {
        let _ = write!(
            html,
            "<path d=\"M{MARGIN_LEFT} {:.1}H{right}\"/>",
            y.at(*value)
        );
    }
    html.push_str("</g><g class=\"ticks\">");
    let mut above = f64::INFINITY;
    for (value, label) in &y.ticks {
        let at = y.at(*value);
        if above - at < FONT_SIZE * 1.15 {
            continue;
        }
        above = at;
        let _ = write!(
            html,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            MARGIN_LEFT - 7.0,
            at + FONT_SIZE * 0.36,
        );
    }
    let mut end = f64::NEG_INFINITY;
    for (value, label) in &x.ticks {
        let half = width(label) / 2.0;
        // The outermost ticks may not leave the drawing.
        let at = x.at(*value).clamp(half, CHART_WIDTH - half);
        if at - half < end + FONT_SIZE * 0.6 {
            continue;
        }
        end = at + half;
        let _ = write!(
            html,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + FONT_SIZE * 1.65,
        );
    }
    html.push_str("</g>");
}

/// About how wide a text is.
pub(super) fn width(text: &str) -> f64 {
    let narrow = |c: char| {
        if matches!(c, ':' | '.' | ',') {
            0.3
        } else {
            0.6
        }
    };
    text.chars().map(narrow).sum::<f64>() * FONT_SIZE
}

fn drawn(html: &mut String, series: &ChartSeries, x: &Scale, y: &Scale) {
    let at = |(px, value): &(f64, Option<f64>)| value.map(|value| (x.at(*px), y.at(value)));
    let _ = write!(
        html,
        "<g class=\"s {} r-{}\">",
        shape(series.shape),
        series.role
    );
    match series.shape {
        SeriesShape::Points => {
            for (px, py) in series.points.iter().filter_map(at) {
                let _ = write!(html, "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3\"/>");
            }
        }
        SeriesShape::Bars => bars(html, series, x, y),
        SeriesShape::Line | SeriesShape::Dashed | SeriesShape::Area => {
            for part in series.points.split(|(_, value)| value.is_none()) {
                line(
                    html,
                    &part.iter().filter_map(at).collect::<Vec<_>>(),
                    series.shape,
                );
            }
        }
    }
    html.push_str("</g>");
}

/// One stretch without gaps.
fn line(html: &mut String, points: &[(f64, f64)], shape: SeriesShape) {
    let Some((first, rest)) = points.split_first() else {
        return;
    };
    if rest.is_empty() {
        let _ = write!(
            html,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2\"/>",
            first.0, first.1
        );
        return;
    }
    let mut path = format!("M{:.1} {:.1}", first.0, first.1);
    for (px, py) in rest {
        let _ = write!(path, "L{px:.1} {py:.1}");
    }
    if shape == SeriesShape::Area {
        let bottom = CHART_HEIGHT - MARGIN_BOTTOM;
        let _ = write!(
            html,
            "<path class=\"fill\" d=\"{path}V{bottom}H{:.1}Z\"/>",
            first.0
        );
    }
    let _ = write!(html, "<path d=\"{path}\"/>");
}

/// Bars, each as wide as half the way to its neighbours.
fn bars(html: &mut String, series: &ChartSeries, x: &Scale, y: &Scale) {
    let places: Vec<f64> = series.points.iter().map(|(at, _)| x.at(*at)).collect();
    let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
    let wide = gaps.fold(24.0, f64::min).max(1.5) * 0.8;
    let bottom = CHART_HEIGHT - MARGIN_BOTTOM;
    for ((_, value), at) in series.points.iter().zip(&places) {
        if let Some(value) = value {
            let top = y.at(*value);
            let _ = write!(
                html,
                "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{:.1}\"/>",
                at - wide / 2.0,
                bottom - top
            );
        }
    }
}

/// Lines at the marks, numbered where there is room.
fn marks(html: &mut String, chart: &Chart, x: &Scale) {
    let mut ends = [f64::NEG_INFINITY; MARK_ROWS];
    html.push_str("<g class=\"marks\">");
    for (place, mark) in chart.marks.iter().enumerate() {
        let at = x.at(mark.at);
        let _ = write!(
            html,
            "<path d=\"M{at:.1} {MARGIN_TOP}V{:.1}\"/>",
            CHART_HEIGHT - MARGIN_BOTTOM
        );
        let row = ends.iter().position(|end| at - MARK_WIDTH / 2.0 >= *end);
        if let Some(row) = row.filter(|_| place < MARKS_NAMED) {
            ends[row] = at + MARK_WIDTH / 2.0;
            let _ = write!(
                html,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                at.clamp(MARK_WIDTH / 2.0, CHART_WIDTH - MARK_WIDTH / 2.0),
                MARGIN_TOP - 5.0 - row as f64 * FONT_SIZE * 1.1,
                place + 1
            );
        }
    }
    html.push_str("</g>");
}

/// What the numbers stand for.
fn names_of_marks(html: &mut String, chart: &Chart) {
    if chart.marks.is_empty() {
        return;
    }
    html.push_str("<ol class=\"marked\">");
    for mark in chart.marks.iter().take(MARKS_NAMED) {
        let at = match chart.x.kind {
            AxisKind::Time(_) => format!("{} ", clock(mark.at)),
            AxisKind::Linear | AxisKind::Log => String::new(),
        };
        let _ = write!(html, "<li>{at}{}</li>", escaped(&mark.label));
    }
    html.push_str("</ol>");
}
