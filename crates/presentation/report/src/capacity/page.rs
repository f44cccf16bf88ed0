//! The answer as one HTML page: words, curve (SVG, no script), levels.

use std::fmt::Write as _;

use loadline_analysis::capacity::{Answer, LevelOutcome, Unit};
use loadline_text::{Catalog, Lang, capacity, significant};

use super::{CapacityFacts, text};

/// The drawing's size and margins.
const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 64.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 48.0;

/// One page that needs nothing else.
#[must_use]
pub fn html(answer: &Answer, facts: &CapacityFacts, title: &str, catalog: &Catalog) -> String {
    let chart = svg(answer, catalog);
    framed(&chart, &text(answer, facts, catalog), title, catalog)
}

/// A page of words only.
pub(super) fn plain(text: &str, title: &str, catalog: &Catalog) -> String {
    framed("", text, title, catalog)
}

fn framed(chart: &str, text: &str, title: &str, catalog: &Catalog) -> String {
    let lang = match catalog.lang() {
        Lang::En => "en",
        Lang::Ko => "ko",
    };
    format!(
        "<!doctype html>\n<html lang=\"{lang}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style>\
         :root{{color-scheme:light dark}}body{{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}}\
         pre{{overflow-x:auto;font-size:13px;line-height:1.45}}svg{{width:100%;height:auto}}\
         </style></head><body><h1>{title}</h1>{chart}<pre>{text}</pre></body></html>\n",
        title = escaped(title),
        text = escaped(text),
    )
}

/// A place in the drawing for values of one axis.
struct Axis {
    from: f64,
    to: f64,
    most: f64,
}

impl Axis {
    fn at(&self, value: f64) -> f64 {
        self.from + (self.to - self.from) * (value / self.most).clamp(0.0, 1.0)
    }
}

/// The curve: throughput and p95 over load, the three points marked.
#[must_use]
pub fn svg(answer: &Answer, catalog: &Catalog) -> String {
    let mut steps = answer.curve();
    // A level that was ended at once says nothing about the curve.
    steps.retain(|step| !matches!(step.outcome, LevelOutcome::Aborted(_)));
    if steps.len() < 2 {
        return String::new();
    }
    let most = |of: &dyn Fn(&loadline_analysis::capacity::Step) -> f64| {
        steps.iter().map(of).fold(f64::MIN_POSITIVE, f64::max)
    };
    let p95 =
        |step: &loadline_analysis::capacity::Step| step.durations.percentile(0.95).unwrap_or(0.0);
    let x = Axis {
        from: LEFT,
        to: WIDTH - RIGHT,
        most: most(&|s| s.load) * 1.03,
    };
    let y = Axis {
        from: HEIGHT - BOTTOM,
        to: TOP,
        most: most(&|s| s.throughput.middle) * 1.1,
    };
    let late = Axis {
        from: HEIGHT - BOTTOM,
        to: TOP,
        most: most(&p95) * 1.1,
    };
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" font-family=\"system-ui,sans-serif\" font-size=\"12\" fill=\"currentColor\">"
    );
    axes(&mut svg, &x, &y, &late, answer.unit, catalog);
    let path = |of: &dyn Fn(&loadline_analysis::capacity::Step) -> (f64, f64)| {
        let points = steps.iter().map(|step| {
            let (x, y) = of(step);
            format!("{x:.1},{y:.1}")
        });
        points.collect::<Vec<_>>().join(" ")
    };
    let made = path(&|s| (x.at(s.load), y.at(s.throughput.middle)));
    let slow = path(&|s| (x.at(s.load), late.at(p95(s))));
    let _ = write!(
        svg,
        "<polyline points=\"{slow}\" fill=\"none\" stroke=\"#b26a00\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>\
         <polyline points=\"{made}\" fill=\"none\" stroke=\"#0b6bcb\" stroke-width=\"2\"/>"
    );
    for step in &steps {
        let (cx, cy) = (x.at(step.load), y.at(step.throughput.middle));
        let fill = if step.outcome.is_carried() {
            "#0b6bcb"
        } else {
            "none"
        };
        let _ = write!(
            svg,
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"#0b6bcb\" stroke-width=\"1.5\"/>"
        );
    }
    marks(&mut svg, answer, &x, catalog);
    svg.push_str("</svg>");
    svg
}

fn axes(svg: &mut String, x: &Axis, y: &Axis, late: &Axis, unit: Unit, catalog: &Catalog) {
    let (left, right, bottom) = (LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM);
    let _ = write!(
        svg,
        "<g stroke=\"currentColor\" stroke-opacity=\"0.35\"><path d=\"M{left} {TOP}V{bottom}H{right}V{TOP}\" fill=\"none\"/></g>"
    );
    for part in 0..=4 {
        let share = f64::from(part) / 4.0;
        let (tx, ty) = (
            x.from + (x.to - x.from) * share,
            y.from + (y.to - y.from) * share,
        );
        let _ = write!(
            svg,
            "<text x=\"{tx:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            bottom + 16.0,
            significant(x.most * share),
            left - 6.0,
            ty + 4.0,
            significant(y.most * share),
            right + 6.0,
            ty + 4.0,
            significant(late.most * share),
        );
    }
    let load = match unit {
        Unit::Rate => capacity::curve_load_rate(),
        Unit::Users => capacity::curve_load_users(),
    };
    let say = |message| escaped(&catalog.text(&message));
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text x=\"{left}\" y=\"16\" text-anchor=\"middle\" fill=\"#0b6bcb\">{}</text>\
         <text x=\"{right}\" y=\"16\" text-anchor=\"middle\" fill=\"#b26a00\">{}</text>",
        f64::midpoint(left, right),
        HEIGHT - 8.0,
        say(load),
        say(capacity::curve_throughput()),
        say(capacity::curve_latency()),
    );
}

/// The three points as upright lines with their names.
fn marks(svg: &mut String, answer: &Answer, x: &Axis, catalog: &Catalog) {
    let points = [
        (
            answer.line.as_ref().map(|line| line.load.middle),
            capacity::row_line(),
            0.0,
        ),
        (
            answer.knee.as_ref().map(|knee| knee.load.middle),
            capacity::row_knee(),
            14.0,
        ),
        (
            answer.peak.as_ref().map(|peak| peak.load),
            capacity::row_peak(),
            28.0,
        ),
    ];
    for (load, name, down) in points {
        let Some(load) = load else {
            continue;
        };
        let at = x.at(load);
        let _ = write!(
            svg,
            "<path d=\"M{at:.1} {TOP}V{:.1}\" stroke=\"currentColor\" stroke-dasharray=\"2 3\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{} {}</text>",
            HEIGHT - BOTTOM,
            at - 4.0,
            TOP + 12.0 + down,
            escaped(&catalog.text(&name)),
            significant(load),
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
