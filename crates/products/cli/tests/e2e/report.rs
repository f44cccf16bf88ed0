//! Reports of stored runs and of files.

use crate::common::{Server, loadline, stderr, stdout};

/// A run of a few requests, stored.
fn stored(server: &Server) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    let goal = "p(95)<10s";
    let args = [
        "run",
        &server.base,
        "-i",
        "25",
        "--slo",
        goal,
        "--quiet",
        "--store",
        &store,
    ];
    let output = loadline(&args);
    assert!(
        matches!(output.status.code(), Some(0 | 4)),
        "{}",
        stderr(&output)
    );
    (folder, store)
}

#[test]
fn a_run_is_reported_in_every_form_and_both_languages() {
    let server = Server::start();
    let (folder, store) = stored(&server);
    let path = folder.path().join("report.html");
    for (lang, heading) in [
        ("en", "Can these numbers be believed?"),
        ("ko", "이 수치를 믿을 수 있는가"),
    ] {
        let to = path.to_str().unwrap();
        let output = loadline(&["report", "-o", to, "--lang", lang, "--store", &store]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let page = std::fs::read_to_string(&path).unwrap();
        assert!(page.contains(heading) && page.contains("<svg class=\"plot\""));
        assert!(!page.contains("<script"));
    }
    let of = |format: &str| {
        let output = loadline(&["report", "--format", format, "--store", &store]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let numbers: serde_json::Value = serde_json::from_str(&of("json")).unwrap();
    assert_eq!(numbers["endpoints"][0]["requests"], 25.0);
    let windows = numbers["timeline"]["windows"].as_array().unwrap();
    let requests: f64 = windows.iter().filter_map(|w| w["requests"].as_f64()).sum();
    assert!((requests - 25.0).abs() < 1e-9, "{numbers:#}");
    assert!(of("markdown").contains("| result | goal | measured |"));
    let junit = of("junit");
    assert!(
        junit.contains("<testcase classname=\"loadline.run\" name=\"p(95)&lt;10000ms\""),
        "{junit}"
    );
}

#[test]
fn a_run_is_reported_against_another() {
    let server = Server::start();
    let (_folder, store) = stored(&server);
    let output = loadline(&[
        "run",
        &server.base,
        "-i",
        "25",
        "--quiet",
        "--store",
        &store,
    ]);
    assert!(
        matches!(output.status.code(), Some(0 | 4)),
        "{}",
        stderr(&output)
    );
    let args = [
        "report",
        "latest",
        "--against",
        "latest~1",
        "--format",
        "markdown",
        "--store",
        &store,
    ];
    let output = loadline(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("## How it was compared"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_file_that_is_no_result_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.json");
    std::fs::write(&path, "{\"a\": 1}").unwrap();
    let output = loadline(&["report", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("other.json"),
        "{}",
        stderr(&output)
    );
}

/// Samples in k6's form, as k6 and loadline both write them, plain and compressed.
#[test]
fn samples_of_k6_are_reported_and_a_line_that_is_none_is_named() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["samples.json", "samples.json.gz"] {
        let out = format!("json={}", at(name));
        let args = [
            "run",
            &server.base,
            "-i",
            "25",
            "-o",
            &out,
            "--quiet",
            "--no-store",
        ];
        let output = loadline(&args);
        assert!(
            matches!(output.status.code(), Some(0 | 4)),
            "{}",
            stderr(&output)
        );
        let output = loadline(&["report", &at(name), "--format", "markdown"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = stdout(&output);
        assert!(
            text.contains("25 requests") && text.contains("## By endpoint"),
            "{text}"
        );
    }
    let whole = std::fs::read_to_string(at("samples.json")).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    std::fs::write(at("cut.json"), &whole[..whole.len() - 30]).unwrap();
    let output = loadline(&["report", &at("cut.json"), "--format", "markdown"]);
    assert!(
        stdout(&output).contains("middle of a line"),
        "{}",
        stdout(&output)
    );
    let wrong = [&lines[..5], &["hello"], &lines[5..]].concat().join("\n");
    std::fs::write(at("wrong.json"), wrong).unwrap();
    let output = loadline(&["report", &at("wrong.json")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 6 of"), "{}", stderr(&output));
}

/// Seen: "no report can be made of" the CSV and the summary that we write ourselves.
#[test]
fn every_form_that_k6_writes_is_reported() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let script = format!(
        "import http from 'k6/http';\nimport {{ check }} from 'k6';\n\
         export const options = {{ iterations: 25 }};\n\
         export default () => {{ check(http.get('{}/'), {{ 'is there': (r) => r.status === 200 }}); }};\n",
        server.base
    );
    std::fs::write(at("t.js"), script).unwrap();
    let (plain, packed) = (at("s.csv"), at("s.csv.gz"));
    let summary = at("summary.json");
    let run = |more: &[&str]| {
        let test = at("t.js");
        let output = loadline(&[&["run", &test, "--quiet", "--no-store"][..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    };
    run(&["-o", &format!("csv={plain}")]);
    run(&["-o", &format!("csv={packed}")]);
    run(&[
        "--new-machine-readable-summary",
        "--summary-export",
        &summary,
    ]);
    for name in [&plain, &packed, &summary] {
        for (lang, told) in [("en", "25 requests"), ("ko", "요청 25")] {
            let args = ["report", name, "--format", "markdown", "--lang", lang];
            let output = loadline(&args);
            assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
            let text = stdout(&output);
            assert!(
                text.contains(told) && text.contains("is there"),
                "{name}: {text}"
            );
        }
    }
    let text = std::fs::read_to_string(&plain).unwrap();
    std::fs::write(at("cut.csv"), &text[..text.len() - 30]).unwrap();
    let output = loadline(&["report", &at("cut.csv"), "--format", "markdown"]);
    assert!(
        stdout(&output).contains("middle of a line"),
        "{}",
        stderr(&output)
    );
    let lines: Vec<&str> = text.lines().collect();
    let wrong = [&lines[..5], &["hello"], &lines[5..]].concat().join("\n");
    std::fs::write(at("wrong.csv"), wrong).unwrap();
    let output = loadline(&["report", &at("wrong.csv")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("line 6 of"), "{}", stderr(&output));
}

/// Seen: "n = 0 levels", charts without a point.
#[test]
fn a_table_is_reported_with_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(
        at("t.csv"),
        "VU,TPS,MTT\n7,92.6,73.5\n10,107.9,90.6\n15,145.9,100.6\n",
    )
    .unwrap();
    let (file, page) = (at("t.json"), at("t.html"));
    let output = loadline(&[
        "capacity",
        "--table",
        &at("t.csv"),
        "--slo",
        "mean<=100ms",
        "--export",
        &file,
        "--report",
        &page,
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let again = at("again.html");
    assert_eq!(
        loadline(&["report", &file, "-o", &again]).status.code(),
        Some(0)
    );
    for page in [page, again] {
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains("n = 3 levels"), "{page}");
        assert!(page.contains("100.6") || page.contains("101 ms"), "{page}");
    }
    let output = loadline(&["report", &file, "--format", "markdown", "--lang", "ko"]);
    let text = stdout(&output);
    assert!(text.contains("결과") && text.contains("평균"), "{text}");
    assert!(!text.contains("목적: 측정값"), "{text}");
}

/// Seen: `--slo p(95)<10s` without the quotes that a shell needs.
#[test]
fn the_command_line_of_a_report_can_be_pasted() {
    let server = Server::start();
    let (_folder, store) = stored(&server);
    let output = loadline(&["report", "--format", "markdown", "--store", &store]);
    let text = stdout(&output);
    assert!(text.contains("--slo 'p(95)&lt;10s'"), "{text}");
}

/// Seen: the run was FAILED (99), its report "passed, 1 of 1 threshold holds", the JUnit file green: totals do not say how
/// windows came out.
#[test]
fn a_goal_of_windows_that_failed_is_failed_in_the_report_of_the_stored_run_too() {
    let server = Server::answering_after(std::time::Duration::from_millis(30));
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let script = format!(
        "import http from 'k6/http';
        export const options = {{ vus: 2, duration: '3s', thresholds: {{
          http_req_duration: [{{ threshold: 'p(95)<5', window: '1s' }}, 'p(95)<5000'] }} }};
        export default function () {{ http.get('{}'); }}",
        server.base
    );
    std::fs::write(at("windows.js"), script).unwrap();
    let (store, junit) = (at("runs.db"), at("r.xml"));
    let script = at("windows.js");
    let args = ["run", &script, "--store", &store, "--report", &junit];
    let output = loadline(&args);
    assert_eq!(output.status.code(), Some(99), "{}", stderr(&output));
    let text = std::fs::read_to_string(&junit).unwrap();
    assert!(text.contains("tests=\"2\" failures=\"1\""), "{text}");
    let output = loadline(&["report", "--format", "markdown", "--store", &store]);
    let said = stdout(&output);
    assert!(said.contains("**FAILED** 1 of 2 thresholds"), "{said}");
    let output = loadline(&["show", "--store", &store]);
    let said = stdout(&output);
    assert!(said.contains("✗ 'p(95)<5 every 1s' p(95)="), "{said}");
}
