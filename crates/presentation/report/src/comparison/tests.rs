//! What a comparison says.

use loadline_text::Lang;

use super::*;

fn difference(measure: Measure, change: Option<Change>, finding: Finding) -> Difference {
    Difference {
        measure,
        before: Some(100.0),
        after: Some(90.0),
        at_least: (false, false),
        of_stages: None,
        change,
        finding,
    }
}

/// Five runs a side of which these are compared, with nothing else to say.
pub(in crate::comparison) fn compared(whole: Endpoint, endpoints: Vec<Endpoint>) -> Comparison {
    Comparison {
        whole,
        endpoints,
        only_before: Vec::new(),
        only_after: Vec::new(),
        runs: (5, 5),
        requests: (15_000.0, 15_020.0),
        seconds: (150, 150),
        intervals: 14,
        left_out: 0,
        new_shortfalls: Vec::new(),
        stages: None,
        endpoint_looks: 0,
        cold: [None, None],
    }
}

fn facts() -> ComparisonFacts {
    ComparisonFacts {
        before: "base".to_owned(),
        after: "pool-20".to_owned(),
        ..ComparisonFacts::default()
    }
}

#[test]
fn an_interval_that_is_open_on_a_side_has_no_figure_there() {
    assert_eq!(percent_of(154_104.32), ">1,000 %");
    assert_eq!(percent_of(9.5), "950 %");
    let settings = ComparisonSettings::default();
    let catalog = Catalog::new(Lang::En);
    let page = Page::new(&settings, &catalog);
    assert_eq!(page.signed(Measure::Rate, 154_104.32), ">+1,000 %");
    assert_eq!(page.signed(Measure::Rate, -0.4), "-40.0 %");
    assert_eq!(page.signed(Measure::Rate, -0.999_96), "<-99.99 %");
}

#[test]
fn changed_answers_come_before_any_speed_up() {
    let change = |low, middle, high| Some(Change { low, middle, high });
    let endpoint = |name: &str, changed, differences| Endpoint {
        name: name.to_owned(),
        changed,
        differences,
        failed_p95: [None, None],
    };
    let spread = Finding::CannotTell {
        why: UncertaintyReason::Spread { runs: Some(12) },
    };
    let comparison = Comparison {
        only_after: vec!["/new".to_owned()],
        ..compared(
            endpoint(
                "",
                Vec::new(),
                vec![
                    difference(
                        Measure::Rate,
                        change(-0.01, 0.0, 0.012),
                        Finding::NoLargerThan { share: 0.012 },
                    ),
                    difference(Measure::P95, change(-0.16, -0.12, -0.08), Finding::Better),
                    difference(Measure::Mean, change(-0.1, 0.02, 0.2), spread),
                ],
            ),
            vec![endpoint(
                "/orders",
                vec![AnswerChange::Status {
                    status: "500".to_owned(),
                    before: 0.0,
                    after: 0.12,
                }],
                vec![difference(
                    Measure::P95,
                    change(1.0, 1.5, 2.0),
                    Finding::Worse,
                )],
            )],
        )
    };
    let facts = facts();
    let settings = ComparisonSettings::default();
    let english = text(&comparison, &facts, &settings, &Catalog::new(Lang::En));
    insta::assert_snapshot!(english, @r#"
    pool-20 (5 runs) against base (5 runs)
    ANSWERS CHANGED: /orders
      status 500: 0 % before, 12.0 % after

    all requests       A        B
    TPS              100     90.0  no difference larger than 1.20 %
    p95           100 ms  90.0 ms  better by 12.0 % [8.00 %, 16.0 %]
    mean          100 ms  90.0 ms  cannot tell [-10.0 %, +20.0 %]: they spread too much; about 12 runs a side would show differences of 5.00 %

    /orders       A        B
    p95      100 ms  90.0 ms  WORSE by 150 % [100 %, 200 %]

    only after: /new
    n = 15,000 requests in 150 s against 15,020 in 150 s; the 14 intervals of all requests hold together with 95.0 % confidence. Times and TPS: ratio, t over runs with Welch's degrees of freedom, pooled where both sides vary alike (batch means within a single run). Shares: difference in percentage points, Newcombe's score interval
    "#);
}

#[test]
fn what_was_planned_staged_or_cold_is_said() {
    let planned = difference(Measure::Rate, None, Finding::Planned);
    let whole = Endpoint {
        name: String::new(),
        changed: Vec::new(),
        differences: vec![planned],
        failed_p95: [None, None],
    };
    let mut comparison = compared(whole, Vec::new());
    let facts = facts();
    let settings = ComparisonSettings::default();
    comparison.stages = Some(9);
    comparison.endpoint_looks = 4;
    comparison.cold[0] = Some(ColdRun {
        first_ms: 900.0,
        later_ms: 300.0,
    });
    let said = |lang| text(&comparison, &facts, &settings, &Catalog::new(lang));
    let (english, korean) = (said(Lang::En), said(Lang::Ko));
    for part in [
        "! the first run of base was cold (mean 900 ms, later 300 ms): it is left out\n",
        "! the planned load varies: times are compared in 9 stages of the same planned load, each of which counts alike\n",
        "90.0  as planned: what was sent is no result\n",
        "hold together with 97.5 % confidence",
        "endpoints: 4 measures compared; where nothing differs, one of them is called better or worse in 2.50 % of comparisons at most",
    ] {
        assert!(english.contains(part), "{part}: {english}");
    }
    for part in ["첫 실행은 워밍업 전", "9개 구간", "보낸 양은 결과가 아님"] {
        assert!(korean.contains(part), "{part}: {korean}");
    }
}

/// Seen: 20.0 and 36.9 ms in the columns (+84.6 %) beside "WORSE by 67.3 %", the mean of the stages.
#[test]
fn columns_and_finding_of_stages_are_one_number_on_pages_and_terminals() {
    let change = Some(Change {
        low: 0.4,
        middle: 0.5,
        high: 0.6,
    });
    let p95 = Difference {
        of_stages: Some([80.0, 120.0]),
        ..difference(Measure::P95, change, Finding::Worse)
    };
    let whole = Endpoint {
        name: String::new(),
        changed: Vec::new(),
        differences: vec![p95],
        failed_p95: [None, None],
    };
    let comparison = compared(whole, Vec::new());
    let settings = ComparisonSettings::default();
    for (lang, of_stages, of_all) in [
        (Lang::En, "p95, by stage", "p95, all requests"),
        (Lang::Ko, "p95(구간별)", "p95(전체 요청)"),
    ] {
        let catalog = Catalog::new(lang);
        let said = text(&comparison, &facts(), &settings, &catalog);
        let row = |label: &str| {
            let line = said.lines().find(|line| line.starts_with(label));
            line.unwrap_or_else(|| panic!("{label}: {said}")).to_owned()
        };
        let compared = row(of_stages);
        assert!(
            compared.contains("80.0 ms") && compared.contains("120 ms"),
            "{compared}"
        );
        assert!(compared.contains("50.0 %"), "{compared}");
        assert!(
            row(of_all).trim_end().ends_with("100 ms  90.0 ms"),
            "{said}"
        );
        let page = document::document(&comparison, &facts(), &settings, None, &catalog);
        assert_eq!(page.figures[0].label, of_stages);
        assert_eq!(page.figures[0].value, "80.0 ms → 120 ms");
    }
}

/// Seen: ANSWERS CHANGED over a run that no longer failed.
#[test]
fn errors_that_were_mended_are_better_and_other_changes_stay_changed_answers() {
    let status = |status: &str, before, after| AnswerChange::Status {
        status: status.to_owned(),
        before,
        after,
    };
    let endpoint = |changed, before, after| {
        let errors = Difference {
            before: Some(before),
            after: Some(after),
            ..difference(Measure::Errors, None, Finding::Better)
        };
        compared(
            Endpoint {
                name: String::new(),
                changed,
                differences: vec![errors],
                failed_p95: [None, None],
            },
            Vec::new(),
        )
    };
    let settings = ComparisonSettings::default();
    let catalog = Catalog::new(Lang::En);
    let told = |comparison: &Comparison| {
        let page = document::document(comparison, &facts(), &settings, None, &catalog);
        let said = text(comparison, &facts(), &settings, &catalog);
        (page.verdict.word, page.verdict.text, said)
    };
    let (word, headline, said) = told(&endpoint(
        vec![status("200", 0.8, 1.0), status("503", 0.2, 0.0)],
        0.2,
        0.0,
    ));
    assert_eq!(word, "better");
    assert_eq!(headline, "better: errors fell from 20.0 % to 0 %");
    assert!(
        said.contains("errors fell from 20.0 % to 0 %: all requests\n"),
        "{said}"
    );
    assert!(!said.contains("ANSWERS CHANGED"), "{said}");
    for changed in [
        vec![status("200", 1.0, 0.8), status("503", 0.0, 0.2)],
        vec![status("500", 0.1, 0.2), status("503", 0.2, 0.0)],
        vec![
            status("200", 0.8, 0.5),
            status("302", 0.0, 0.5),
            status("503", 0.2, 0.0),
        ],
    ] {
        let (word, _, said) = told(&endpoint(changed, 0.2, 0.0));
        assert_eq!(word, "answers changed");
        assert!(said.contains("ANSWERS CHANGED: all requests\n"), "{said}");
    }
}

/// Seen: *no difference that matters: errors* of a second instance that answered 2.8 times as much.
#[test]
fn errors_that_are_alike_do_not_hide_times_that_cannot_be_told() {
    let told = |speed: Finding| {
        let whole = Endpoint {
            name: String::new(),
            changed: Vec::new(),
            differences: vec![
                difference(Measure::Rate, None, speed),
                difference(
                    Measure::P95,
                    None,
                    Finding::CannotTell {
                        why: UncertaintyReason::SingleRuns,
                    },
                ),
                difference(
                    Measure::Errors,
                    None,
                    Finding::NoLargerThan { share: 0.007 },
                ),
            ],
            failed_p95: [None, None],
        };
        let settings = ComparisonSettings::default();
        let catalog = Catalog::new(Lang::En);
        let comparison = compared(whole, Vec::new());
        let verdict = document::document(&comparison, &facts(), &settings, None, &catalog).verdict;
        (verdict.word, verdict.text)
    };
    let spread = Finding::CannotTell {
        why: UncertaintyReason::SingleRuns,
    };
    let (word, text) = told(spread);
    assert_eq!(word, "cannot tell");
    assert_eq!(
        text,
        "no difference that matters: errors; cannot tell: TPS, p95"
    );
    let (word, text) = told(Finding::NoLargerThan { share: 0.01 });
    assert_eq!(word, "no difference");
    assert_eq!(
        text,
        "no difference that matters: TPS, errors; cannot tell: p95"
    );
}
