use loadline_text::{Catalog, Lang};

use super::*;
use crate::PlanInputs;

fn spec() -> TestSpec {
    let mut inputs = PlanInputs::default();
    inputs
        .read([
            ("rate", "5.787/s"),
            ("p95", "500ms"),
            ("error-rate", "1%"),
            ("think-time", "1s"),
            (
                "feature",
                "read: GET /deers?userId={id}, share=70%, p95=300ms",
            ),
            (
                "feature",
                "write: POST /deers, share=30%, errors=0%, body={\"userId\":1}",
            ),
        ])
        .unwrap();
    let plan = LoadPlan::from_inputs(&inputs).unwrap();
    TestSpec::from_plan(&plan, "http://127.0.0.1:8080/").unwrap()
}

#[test]
fn every_kind_of_test_is_written_with_the_goals_as_thresholds() {
    let (files, tests) = k6::files(&spec(), &Catalog::new(Lang::En));
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let kinds = "smoke load stress spike soak breakpoint api-read api-write user-flow";
    let expected: Vec<String> = kinds.split(' ').map(|kind| format!("{kind}.js")).collect();
    assert_eq!(names, expected);
    for file in files.iter().filter(|file| file.name != "smoke.js") {
        assert!(file.text.contains("http_req_failed"), "{}", file.name);
        assert!(file.text.contains("p(95)<"), "{}", file.name);
    }
    assert!(
        files[1].text.contains("target: 347"),
        "5.787/s is 347 a minute"
    );
    assert_eq!(tests.len(), 9);
    assert!((tests[2].peak_rate - 3.0 * 5.787).abs() < 1e-9);
    insta::assert_snapshot!("k6_load", files[1].text);
    insta::assert_snapshot!("k6_user_flow", files[8].text);
}

/// Seen: a page of 1 s left its API 400 ms, and the written tests passed at 500 ms.
#[test]
fn what_a_page_leaves_its_api_is_the_goal_of_written_tests() {
    let of = |more: &[(&str, &str)]| {
        let mut inputs = PlanInputs::default();
        let page = [
            ("rate", "10/s"),
            ("page-time", "1s"),
            ("render-time", "300ms"),
            ("round-trip", "100ms"),
            ("round-trips", "3"),
        ];
        inputs
            .read(page.into_iter().chain(more.iter().copied()))
            .unwrap();
        LoadPlan::from_inputs(&inputs).unwrap()
    };
    let threshold = |plan: &LoadPlan| {
        let spec = TestSpec::from_plan(plan, "http://127.0.0.1:8080/").unwrap();
        let (files, _) = k6::files(&spec, &Catalog::new(Lang::En));
        let load = files[1].text.clone();
        let (ensured, tests) = artillery::files(&spec, &Catalog::new(Lang::En));
        let ms = spec.goal();
        let number = ms.trim_start_matches("p(95)<").trim_end_matches("ms");
        assert!(load.contains(&format!("p(95)<{number}\"")), "{load}");
        assert!(ensured[1].text.contains(&format!("p95: {number}")));
        let stored = crate::PlanFile::new(plan, tests);
        let goal = stored.p95_s.unwrap_or(P95_SECONDS);
        assert!((goal - spec.p95).abs() < 1e-9);
        ms
    };
    assert_eq!(threshold(&of(&[])), "p(95)<400ms");
    // The stricter of two goals holds.
    assert_eq!(threshold(&of(&[("p95", "500ms")])), "p(95)<400ms");
    assert_eq!(threshold(&of(&[("p95", "300ms")])), "p(95)<300ms");
    // Nothing is left: the goal is told as one that no API meets.
    assert_eq!(
        threshold(&of(&[("api-calls", "2"), ("round-trips", "9")])),
        "p(95)<500ms"
    );
}

#[test]
fn artillery_files_hold_levels_with_counts() {
    let (files, tests) = artillery::files(&spec(), &Catalog::new(Lang::En));
    assert_eq!(files.len(), 9);
    assert_eq!(tests.len(), 9);
    assert!(
        files[1].text.contains("arrivalCount: 1736"),
        "5.787/s for 300 s"
    );
    insta::assert_snapshot!("artillery_load", files[1].text);
}

#[test]
fn rates_are_whole_numbers_of_the_unit_that_keeps_them() {
    assert_eq!(whole_rate(100.0), (100, "1s"));
    assert_eq!(whole_rate(5.787), (347, "1m"));
    assert_eq!(whole_rate(0.579), (2084, "1h"));
    assert_eq!(whole_rate(0.000_001), (1, "1h"));
    assert_eq!(whole_rate(12_345.6), (12_346, "1s"));
}

#[test]
fn text_from_a_plan_cannot_leave_its_quotes() {
    let mut inputs = PlanInputs::default();
    let feature = "x: GET /a'\"`${1}\\, share=100%";
    inputs
        .read([("rate", "1/s"), ("feature", feature)])
        .unwrap();
    let plan = LoadPlan::from_inputs(&inputs).unwrap();
    let spec = TestSpec::from_plan(&plan, "http://h/\"+evil+\"").unwrap();
    let (files, _) = k6::files(&spec, &Catalog::new(Lang::En));
    assert!(files[0].text.contains(r#""/a'\"`${1}\\""#));
    assert!(files[0].text.contains(r#""http://h/\"+evil+\"""#));
}

/// Seen: English comments in the tests written under `--lang ko`.
#[test]
fn comments_are_in_the_readers_language() {
    let is_comment = |line: &&str| line.contains("// ") || line.starts_with("# ");
    let catalog = Catalog::new(Lang::Ko);
    for files in [
        k6::files(&spec(), &catalog).0,
        artillery::files(&spec(), &catalog).0,
    ] {
        for file in files {
            let comments: Vec<&str> = file.text.lines().filter(is_comment).collect();
            assert!(!comments.is_empty(), "{}", file.name);
            for comment in comments {
                let is_korean = comment.chars().any(|c| ('가'..='힣').contains(&c));
                assert!(is_korean, "{}: {comment}", file.name);
            }
        }
    }
}

/// Seen: each POST of a log was sent with `body: null`, and nobody said so.
#[test]
fn requests_without_their_body_are_named_and_the_name_cannot_leave_its_comment() {
    let mut inputs = PlanInputs::default();
    inputs
        .read([
            ("rate", "1/s"),
            ("feature", "a: POST /a, share=50%"),
            ("feature", "b: POST /b, share=50%, body={}"),
        ])
        .unwrap();
    let plan = LoadPlan::from_inputs(&inputs).unwrap();
    let mut spec = TestSpec::from_plan(&plan, "http://h").unwrap();
    assert_eq!(spec.without_body(), ["POST /a"]);
    spec.loads[0].feature.path = "/a\nevil()\u{2028}evil()".to_owned();
    assert_eq!(spec.without_body(), ["POST /a evil() evil()"]);
    for (lang, told) in [(Lang::En, "without a body"), (Lang::Ko, "본문 없이")] {
        let catalog = Catalog::new(lang);
        for files in [
            k6::files(&spec, &catalog).0,
            artillery::files(&spec, &catalog).0,
        ] {
            assert!(files[0].text.lines().nth(1).unwrap().contains(told));
        }
    }
}

/// Seen: `--requests-per-iteration 2` with one path wrote a flow of one request.
#[test]
fn a_flow_makes_as_many_requests_an_iteration_as_were_typed() {
    let planned = |features: &[&'static str], requests: &'static str| {
        let mut inputs = PlanInputs::default();
        let typed = [
            ("rate", "80/s"),
            ("think-time", "1s"),
            ("response-time", "100ms"),
            ("requests-per-iteration", requests),
        ];
        let features = features.iter().map(|feature| ("feature", *feature));
        inputs.read(typed.into_iter().chain(features)).unwrap();
        let plan = LoadPlan::from_inputs(&inputs).unwrap();
        TestSpec::from_plan(&plan, "http://127.0.0.1:8080").unwrap()
    };
    let catalog = Catalog::new(Lang::En);
    let one = planned(&[], "2");
    assert_eq!(one.requests_per_iteration, 2);
    assert!((one.users - 48.0).abs() < 1e-9, "{}", one.users);
    let (files, tests) = k6::files(&one, &catalog);
    let flow = &files.last().unwrap().text;
    assert!(flow.contains("request < 2;"), "{flow}");
    let planned_requests = tests.last().unwrap().requests_per_iteration;
    assert!((planned_requests - 2.0).abs() < 1e-9, "{planned_requests}");
    let (files, _) = artillery::files(&one, &catalog);
    let flow = &files.last().unwrap().text;
    assert_eq!(flow.matches("- get:").count(), 2, "{flow}");
    assert!(
        flow.contains("arrivalCount: 12000"),
        "40/s for 300 s: {flow}"
    );

    let three = ["a: GET /a", "b: GET /b", "c: GET /c"];
    let (files, _) = artillery::files(&planned(&three, "2"), &catalog);
    let flow = &files.last().unwrap().text;
    for path in ["/a", "/b", "/c"] {
        assert_eq!(
            flow.matches(&format!("url: \"{path}\"")).count(),
            2,
            "{flow}"
        );
    }
    let (files, _) = artillery::files(&planned(&three, "6"), &catalog);
    let flow = &files.last().unwrap().text;
    assert_eq!(flow.matches("- get:").count(), 6, "{flow}");
    assert_eq!(flow.matches("- name: \"flow").count(), 1, "{flow}");
}
