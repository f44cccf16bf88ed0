use std::time::Duration;

use loadline_metrics::Histogram;
use loadline_record::signals::{LimitedUsage, TargetSnapshot};
use loadline_text::Lang;
use ratatui_core::backend::TestBackend;
use ratatui_core::style::{Color, Style};
use ratatui_core::terminal::Terminal;

use super::*;
use crate::{
    FailureView, GoalView, LatencyView, LiveHistory, LoadView, ScenarioView, SecondFigures,
    WindowFigures,
};

fn figures(requests: u32, failed: f64) -> WindowFigures {
    let values: Vec<f64> = (1..=requests).map(|n| f64::from(n % 200) + 1.0).collect();
    WindowFigures {
        requests: f64::from(requests),
        failed,
        durations: Histogram::from_values(&values),
    }
}

/// One that is kept, one that is missed.
fn goals() -> Vec<GoalView> {
    vec![
        GoalView {
            goal: "http_req_failed rate<0.01".to_owned(),
            observed: "0.30 %".to_owned(),
            met: Some(true),
        },
        GoalView {
            goal: "intended_latency p(95)<150".to_owned(),
            observed: "191 ms".to_owned(),
            met: Some(false),
        },
    ]
}

/// A run in which much is known.
fn view() -> LiveView {
    let mut history = LiveHistory::default();
    for second in 0..60_u32 {
        let rate = f64::from(second.min(40) * 25);
        let p95 = (second != 30).then(|| f64::from(20 + second * 3));
        history.push(SecondFigures {
            requests: rate,
            p95_ms: p95,
            iterations: rate / 2.0,
            planned: Some(rate / 2.0 + 4.0),
            dropped: 4.0,
        });
    }
    let usage = |used, most, waiting| {
        Some(LimitedUsage {
            used,
            most: Some(most),
            waiting,
        })
    };
    LiveView {
        title: "http://127.0.0.1:8080/orders".to_owned(),
        state: LiveState::Measuring,
        elapsed: Duration::from_secs(61),
        whole: Some(Duration::from_secs(120)),
        stage: Vec::new(),
        trials: Vec::new(),
        scenarios: vec![
            ScenarioView {
                name: "browse".to_owned(),
                share: 0.51,
                users: 40,
            },
            ScenarioView {
                name: "주문".to_owned(),
                share: 0.25,
                users: 10,
            },
        ],
        load: LoadView {
            users_active: 48,
            users: 50,
            complete: 21_482,
            interrupted: 0,
            dropped: 164,
            percent: 110,
        },
        history,
        latency: LatencyView {
            second: figures(1000, 12.0),
            ten_seconds: figures(9_870, 120.0),
            run: figures(42_964, 131.0),
        },
        is_crossed: false,
        goals: goals(),
        failures: vec![
            FailureView {
                what: "503 pool exhausted".to_owned(),
                count: 119.0,
            },
            FailureView {
                what: "request timeout".to_owned(),
                count: 12.0,
            },
        ],
        target: TargetSnapshot {
            cpu: usage(0.82, 2.0, None),
            pool: usage(10.0, 10.0, Some(38.0)),
            workers: usage(48.0, 200.0, Some(0.0)),
            ..TargetSnapshot::default()
        },
        generator: Some(0.14),
        limit: Some(
            "bottleneck so far: connection pool (A) – all 10 connections are held, 38 requests wait"
                .to_owned(),
        ),
        log: vec!["loadline: load at 110 % of the plan".to_owned()],
        is_help: false,
    }
}

fn terminal(view: &LiveView, size: (u16, u16), lang: Lang) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    let catalog = Catalog::new(lang);
    terminal
        .draw(|frame| draw(frame, view, &catalog, ColorMode::Plain))
        .unwrap();
    terminal
}

/// The rows as a terminal shows them: a wide character takes the place of two.
fn shown(view: &LiveView, size: (u16, u16), lang: Lang) -> String {
    let terminal = terminal(view, size, lang);
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for row in buffer.content.chunks(size.0.into()) {
        let mut hidden = 0;
        for cell in row {
            if hidden == 0 {
                text.push_str(cell.symbol());
                hidden = unicode_width::UnicodeWidthStr::width(cell.symbol());
            }
            hidden = hidden.saturating_sub(1);
        }
        text.push_str("|\n");
    }
    text
}

#[test]
fn a_run_on_a_usual_terminal() {
    insta::assert_snapshot!(shown(&view(), (80, 24), Lang::En));
}

#[test]
fn the_same_in_korean() {
    insta::assert_snapshot!(shown(&view(), (80, 24), Lang::Ko));
}

#[test]
fn a_large_terminal_has_higher_curves_and_more_of_the_log() {
    let mut view = view();
    view.log = (1..=30).map(|n| format!("line {n}")).collect();
    insta::assert_snapshot!(shown(&view, (120, 40), Lang::En));
}

#[test]
fn what_matters_most_stays_in_a_small_window() {
    insta::assert_snapshot!(shown(&view(), (40, 10), Lang::En));
    insta::assert_snapshot!(shown(&view(), (40, 10), Lang::Ko));
    insta::assert_snapshot!(shown(&view(), (60, 4), Lang::En));
}

#[test]
fn the_keys_are_explained() {
    let view = LiveView {
        is_help: true,
        ..view()
    };
    insta::assert_snapshot!(shown(&view, (80, 24), Lang::Ko));
}

#[test]
fn a_run_that_has_just_begun_says_what_it_is_at() {
    let view = LiveView {
        state: LiveState::Making {
            made: 10,
            planned: 50,
        },
        ..LiveView::new("test.js".to_owned())
    };
    insta::assert_snapshot!(shown(&view, (60, 5), Lang::En));
    let begun = LiveView {
        state: LiveState::Measuring,
        ..view
    };
    insta::assert_snapshot!(shown(&begun, (80, 16), Lang::En));
}

#[test]
fn a_search_shows_its_level_and_its_objective() {
    let search = LiveView {
        stage: vec![
            "level 40/s · 12 in flight".to_owned(),
            "objective p(95)<300ms, errors<1%".to_owned(),
        ],
        whole: None,
        goals: Vec::new(),
        ..view()
    };
    insta::assert_snapshot!(shown(&search, (80, 24), Lang::En));
    let tiny = shown(&search, (20, 3), Lang::En);
    assert!(tiny.contains("level 40/s"), "{tiny}");
    let explained = LiveView {
        is_help: true,
        ..search
    };
    insta::assert_snapshot!(shown(&explained, (80, 24), Lang::Ko));
}

#[test]
fn a_study_shows_its_trial_and_those_before() {
    let lines = (1..=20).map(|number| format!("{number:>5}  race  pool={number}  57.{number}"));
    let study = LiveView {
        stage: vec![
            "goal: throughput max".to_owned(),
            "trial 21 (race): pool=10".to_owned(),
            "best so far: pool=8 · 57.2/s  p95 310 ms".to_owned(),
        ],
        trials: std::iter::once("trial  why   setting  TPS".to_owned())
            .chain(lines)
            .collect(),
        goals: Vec::new(),
        limit: None,
        scenarios: Vec::new(),
        ..view()
    };
    insta::assert_snapshot!(shown(&study, (80, 24), Lang::En));
    let between = LiveView {
        state: LiveState::Setting,
        ..study
    };
    insta::assert_snapshot!(shown(&between, (80, 24), Lang::Ko));
    insta::assert_snapshot!(shown(&between, (50, 8), Lang::En));
}

#[test]
fn no_size_is_too_small() {
    let view = view();
    for width in [0, 1, 2, 7, 13, 29] {
        for height in 0..12 {
            for lang in [Lang::En, Lang::Ko] {
                let _ = terminal(&view, (width, height), lang);
            }
        }
    }
}

/// `NO_COLOR`: not one cell is coloured.
#[test]
fn without_colours_no_cell_has_any() {
    let mut screen = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let (view, catalog) = (view(), Catalog::new(Lang::En));
    let mut coloured = |colors| {
        let frame = screen.draw(|frame| draw(frame, &view, &catalog, colors));
        let buffer = frame.unwrap().buffer.clone();
        let is_coloured = |style: Style| style.fg != Some(Color::Reset);
        buffer
            .content
            .iter()
            .filter(|cell| is_coloured(cell.style()))
            .count()
    };
    assert!(coloured(ColorMode::Plain) > 0);
    assert_eq!(coloured(ColorMode::None), 0);
}
