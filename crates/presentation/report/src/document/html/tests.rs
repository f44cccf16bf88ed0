use loadline_text::{Catalog, Lang};

use super::super::{
    AxisKind, Chart, ChartAxis, ChartMark, ChartSeries, DocumentColumn, DocumentFigure,
    DocumentVerdict, HeatLayer, HeatMap, SeriesShape, TimeAxis, printable,
};
use super::*;

const HOSTILE: &str =
    "</script><img src=x onerror=alert(1)>\"' onload='x' \u{1b}[2J\u{202e}gnp.exe";

fn chart(id: &'static str, kind: AxisKind, points: Vec<(f64, Option<f64>)>) -> Chart {
    let axis = |kind| ChartAxis {
        label: HOSTILE.to_owned(),
        kind,
        most: None,
    };
    Chart {
        id,
        title: HOSTILE.to_owned(),
        caption: HOSTILE.to_owned(),
        x: axis(AxisKind::Time(TimeAxis { from_ms: 0 })),
        y: axis(kind),
        marks: [3.0, 3.5, 3.6, 40.0, 599.0]
            .map(|at| ChartMark {
                at,
                label: HOSTILE.to_owned(),
            })
            .to_vec(),
        series: vec![ChartSeries {
            role: "p95",
            name: HOSTILE.to_owned(),
            shape: SeriesShape::Line,
            points,
        }],
        heat: Some(HeatMap {
            width: 10.0,
            ratio: 1.26,
            layers: vec![HeatLayer {
                role: "failed",
                name: HOSTILE.to_owned(),
                is_inset: true,
                cells: vec![(0.0, 5.0, 1.0), (10.0, 5.0, 100.0)],
            }],
        }),
    }
}

fn hostile() -> ReportDocument {
    let text = || printable::line(HOSTILE);
    let megabyte = || printable::line(&"<b>".repeat(400_000));
    ReportDocument {
        kind: "run",
        lang: "en",
        title: text(),
        facts: vec![text()],
        verdict: DocumentVerdict {
            class: StatementClass::Bad,
            word: text(),
            text: megabyte(),
            details: vec![text()],
        },
        figures: vec![DocumentFigure {
            label: text(),
            value: text(),
            unit: text(),
            note: text(),
        }],
        goals: vec![DocumentGoal {
            goal: text(),
            observed: text(),
            met: Some(false),
            word: text(),
        }],
        cause: None,
        sections: vec![DocumentSection {
            id: "all",
            title: text(),
            note: text(),
            blocks: vec![
                DocumentBlock::Text {
                    lines: vec![text()],
                },
                DocumentBlock::Rows {
                    rows: vec![DocumentRow::neutral(text(), vec![text()])],
                },
                DocumentBlock::Table(DocumentTable {
                    caption: text(),
                    columns: vec![DocumentColumn {
                        head: text(),
                        is_number: false,
                    }],
                    rows: vec![vec![text()]],
                }),
                DocumentBlock::Chart(chart(
                    "a",
                    AxisKind::Linear,
                    vec![(0.0, Some(1.0)), (1.0, None), (2.0, Some(2.0))],
                )),
                DocumentBlock::Finding(DocumentFinding {
                    head: text(),
                    is_limit: true,
                    text: text(),
                    rows: vec![DocumentRow::neutral(text(), vec![text()])],
                }),
                DocumentBlock::Source { text: text() },
            ],
        }],
    }
}

/// A target chooses its status text, its URLs and its error messages.
#[test]
fn nothing_from_a_target_becomes_markup() {
    let files = [EmbeddedFile {
        name: HOSTILE.to_owned(),
        media_type: "application/json",
        text: HOSTILE.to_owned(),
    }];
    let page = page(&hostile(), &files, &Catalog::new(Lang::En));
    assert!(!page.contains("<img") && !page.contains("<script") && !page.contains("</script"));
    assert!(
        !page.contains("<b>BB") && page.len() < 40_000,
        "{}",
        page.len()
    );
    // Every quotation mark of a text is escaped, so no attribute can end early.
    assert!(!page.contains("\"' onload"));
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains("http://") && !page.contains("https://"));
}

#[test]
fn missing_values_are_gaps_in_a_line() {
    let points = vec![
        (0.0, Some(1.0)),
        (1.0, Some(1.0)),
        (2.0, None),
        (3.0, Some(1.0)),
        (4.0, Some(2.0)),
    ];
    let mut html = String::new();
    chart::figure(
        &mut html,
        &chart("a", AxisKind::Linear, points),
        "a",
        &Catalog::new(Lang::En),
    );
    let drawn: Vec<&str> = html.split("<g class=\"s line r-p95\">").skip(1).collect();
    let drawn = drawn[0].split("</g>").next().unwrap();
    assert_eq!(drawn.matches("<path").count(), 2, "{drawn}");
}

/// The boxes of all texts in a drawing: left, top, right, bottom.
fn boxes(html: &str) -> Vec<(f64, f64, f64, f64, String)> {
    let mut found = Vec::new();
    for part in html.split("<text ").skip(1) {
        let attribute = |name: &str| {
            let rest = part.split(&format!("{name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        let text = part.split('>').nth(1).unwrap().split('<').next().unwrap();
        let (x, y): (f64, f64) = (
            attribute("x").parse().unwrap(),
            attribute("y").parse().unwrap(),
        );
        let wide = chart::width(text);
        let left = match attribute("text-anchor").as_str() {
            "end" => x - wide,
            "middle" => x - wide / 2.0,
            _ => x,
        };
        found.push((left, y - 9.0, left + wide, y + 3.0, text.to_owned()));
    }
    found
}

#[test]
fn no_label_of_a_chart_meets_another() {
    let ends = [0.0004, 0.3, 1.0, 7.0, 42.0, 999.0, 12_345.0, 7e6, 3e9];
    let lengths = [1.0, 9.0, 61.0, 599.0, 3600.0, 90_000.0];
    for kind in [AxisKind::Linear, AxisKind::Log] {
        for high in ends {
            for low in [high, high / 3.0, high / 1e5] {
                for length in lengths {
                    let points = vec![(0.0, Some(low)), (length, Some(high))];
                    let mut html = String::new();
                    chart::figure(
                        &mut html,
                        &chart("a", kind, points),
                        "a",
                        &Catalog::new(Lang::Ko),
                    );
                    let all = boxes(&html);
                    assert!(all.len() > 4);
                    for (place, a) in all.iter().enumerate() {
                        assert!(
                            a.0 >= -0.5 && a.2 <= 480.5 && a.1 >= 0.0 && a.3 <= 236.0,
                            "{a:?} of {all:?}"
                        );
                        for b in &all[place + 1..] {
                            let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
                            assert!(apart, "{kind:?} {low} {high} {length}: {a:?} {b:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn base_64_is_that_of_the_rfc() {
    for (text, coded) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
    ] {
        assert_eq!(base64(text.as_bytes()), coded);
    }
}

/// More values are darker, and failures are told apart without colours: their cells are smaller.
#[test]
fn cells_of_a_heat_map_are_darker_the_more_they_hold() {
    let mut map = chart("heat", AxisKind::Log, Vec::new());
    map.series.clear();
    let cells = vec![(0.0, 10.0, 1.0), (10.0, 10.0, 1000.0)];
    let layer = |role, is_inset| HeatLayer {
        role,
        name: role.to_owned(),
        is_inset,
        cells: cells.clone(),
    };
    map.heat = Some(HeatMap {
        width: 10.0,
        ratio: 1.26,
        layers: vec![layer("rate", false), layer("failed", true)],
    });
    let mut html = String::new();
    chart::figure(&mut html, &map, "", &Catalog::new(Lang::En));
    let widths = |role: &str| -> Vec<(String, f64)> {
        let start = html.find(&format!("<g class=\"heat r-{role}\">")).unwrap();
        let group = html[start..].split("</g>").next().unwrap();
        let paths = group.split("fill-opacity=\"").skip(1);
        let read = |path: &str| {
            let opacity = path.split('"').next().unwrap().to_owned();
            let wide = path.split('h').nth(1).unwrap();
            (opacity, wide.split('v').next().unwrap().parse().unwrap())
        };
        paths.map(read).collect()
    };
    let (expected, failed) = (widths("rate"), widths("failed"));
    assert_eq!(
        (expected[0].0.as_str(), expected[1].0.as_str()),
        ("0.17", "1.00")
    );
    assert!(
        (failed[0].1 * 2.0 - expected[0].1).abs() < 0.2,
        "{failed:?}"
    );
}

#[test]
fn a_label_leads_to_what_its_word_means() {
    let mut document = hostile();
    document.figures = vec![DocumentFigure {
        label: "Knee".to_owned(),
        value: "20".to_owned(),
        unit: String::new(),
        note: String::new(),
    }];
    let html = page(&document, &[], &Catalog::new(Lang::En));
    assert!(
        html.contains("href=\"#word-knee\" title=\"The load from which"),
        "the label"
    );
    assert!(
        html.contains("<div id=\"word-knee\"><dt>knee</dt>"),
        "the word"
    );
    let ko = page(&document, &[], &Catalog::new(Lang::Ko));
    assert!(ko.contains("<dt>포화점(knee)</dt>"));
    document.figures.clear();
    let html = page(&document, &[], &Catalog::new(Lang::En));
    assert!(
        !html.contains("word-knee"),
        "a word that does not stand there is not explained"
    );
}
