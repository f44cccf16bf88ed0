//! What is typed holds: numbers with Korean units, keys of files, reasons of each kind of test, ids of all forms.

use crate::common::{Server, command, loadline, no_folder, script, stderr, stdout};
use crate::good_and_failed::mixed;

/// Seen: "--duration cannot be `10초`"; none is half-read either.
#[test]
fn numbers_with_korean_units_are_taken_or_refused_whole() {
    let server = Server::start();
    let run = |flags: &[&str]| {
        let base = ["run", &server.base, "--no-store", "-q"];
        loadline(&[&base[..], flags].concat())
    };
    for (flags, told) in [
        (&["--duration", "1초"][..], "1s, up to 1 virtual user"),
        (
            &["-d", "1.5초", "--vus", "2명"],
            "1.5s, up to 2 virtual users",
        ),
        (&["-d", "1초", "--rate", "초당 20건"], "1s, up to"),
        (&["--rate=1200/분", "-d", "1초"], "1s, up to"),
        (&["-i", "30건"], "requests    30"),
        (
            &["-i", "5", "--slo", "p(95)<2초", "--slo", "errors<1퍼센트"],
            "2 of 2 thresholds hold",
        ),
    ] {
        let output = run(flags);
        let said = stdout(&output);
        assert!(said.contains(told), "{flags:?}: {said}{}", stderr(&output));
    }
    for (flags, told) in [
        (&["--duration", "1초쯤"][..], "--duration cannot be `1초쯤`"),
        (&["--rate", "100/명"], "--rate cannot be `100/명`"),
        (&["--spool-max", "2기가"], "such as 500MB or 2GiB"),
    ] {
        let output = run(flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
}

/// Seen: `shred:` was left out without a word, and its hosts were loaded; "there is no option --dua".
#[test]
fn a_misspelt_key_names_file_line_and_nearest_and_a_flag_the_one_that_was_meant() {
    let server = Server::start();
    let folder = no_folder("typed-keys");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("loadline.yaml"),
        "# ours\nshred:\n  - host: a\n",
    )
    .unwrap();
    for (lang, line, meant) in [
        (
            "en",
            "line 2: there is no key `shred`",
            "did you mean `shared`?",
        ),
        ("ko", "2행: `shred` 키는 없습니다", "혹시 `shared`인가요?"),
    ] {
        let mut command = command(&["run", &server.base, "-i", "1", "--no-store", "--lang", lang]);
        let output = command.current_dir(&folder).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        for part in ["loadline.yaml", line, meant] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
    let path = script("typed.js", "export default function () {}");
    for (words, meant) in [
        (["run", &server.base, "--dua", "1s"], "--duration"),
        (["run", path.to_str().unwrap(), "--dua", "1s"], "--duration"),
        (["capacity", &server.base, "--budgt", "1m"], "--budget"),
    ] {
        let said = stderr(&loadline(&words));
        let expected = format!("a similar one is {meant}");
        assert!(said.contains(&expected), "{words:?}: {said}");
    }
}

/// Seen: a URL run took `checks`, and its refusal listed what only scripts have.
#[test]
fn reasons_to_fail_are_those_of_the_kind_of_test() {
    let server = Server::start();
    let of_url = stderr(&loadline(&["run", &server.base, "--fail-on", "checks"]));
    assert!(
        of_url.contains("some of errors, load, cut, redirects, invalid with"),
        "{of_url}"
    );
    let path = script("typed-reasons.js", "export default function () {}");
    let of_script = stderr(&loadline(&[
        "run",
        path.to_str().unwrap(),
        "--fail-on",
        "x",
    ]));
    assert!(of_script.contains("checks, exceptions"), "{of_script}");
    let goal = stderr(&loadline(&[
        "run",
        path.to_str().unwrap(),
        "--slo",
        "p(95)<1s",
    ]));
    assert!(goal.contains("error: --slo is for URL runs"), "{goal}");
    assert_eq!(goal.matches("script").count(), 1, "{goal}");
}

/// Paths, and how an endpoint is named that has one of them.
const PATHS: [(&str, &str); 14] = [
    ("/item/12.5", "/item/{id}"),
    ("/item2/feed", "/item2/feed"),
    ("/v/3.0.1", "/v/3.0.1"),
    ("/api/3.0.2/x", "/api/3.0.2/x"),
    ("/v1/list", "/v1/list"),
    ("/a/Vq3Xz0aB9-_kLmN2pQrSt8", "/a/{id}"),
    ("/b/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/b/{id}"),
    ("/c/V1StGXR8_Z5jdHi6B-myT", "/c/{id}"),
    ("/m/kim@example.com", "/m/{id}"),
    ("/d/2026-11-29", "/d/{id}"),
    ("/o/ord_5f2b8c9d", "/o/{id}"),
    ("/s/cus_NffrFeUfNV2Hib", "/s/{id}"),
    ("/n/%ED%99%8D%EA%B8%B8%EB%8F%99", "/n/홍길동"),
    ("/u/%ED%99%8D%EA%B8%B8%EB%8F%99/17", "/u/홍길동/{id}"),
];

/// Seen: `/item/12.5`, mail addresses and `ord_5f2b8c9d` stayed, and Korean names folded where they were escaped.
#[test]
fn ids_fold_alike_in_urls_scripts_and_logs() {
    let base = mixed();
    let calls: String = PATHS
        .iter()
        .map(|(path, _)| format!("http.get('{base}{path}');"))
        .collect();
    let text = format!(
        "import http from 'k6/http'; export const options = {{ iterations: 1 }};
         export default function () {{ {calls} }}"
    );
    let path = script("typed-ids.js", &text);
    let folder = no_folder("typed-ids");
    std::fs::create_dir_all(&folder).unwrap();
    let store = folder.join("runs.db");
    let store = store.to_str().unwrap();
    let names = |run: &[&str]| {
        loadline(&[&["run"][..], run, &["--store", store, "-q"]].concat());
        let report = loadline(&["report", "--format", "json", "--store", store]);
        let numbers: serde_json::Value = serde_json::from_str(&stdout(&report)).unwrap();
        let all = numbers["endpoints"].as_array().unwrap().iter();
        let name = |one: &serde_json::Value| one["name"].as_str().unwrap().replace(&base, "");
        let mut names: Vec<String> = all.map(name).collect();
        names.sort();
        names
    };
    let mut expected: Vec<String> = PATHS
        .iter()
        .map(|(_, name)| format!("GET {name}"))
        .collect();
    expected.sort();
    assert_eq!(names(&[path.to_str().unwrap()]), expected);
    for (path, name) in PATHS {
        assert_eq!(
            names(&[&format!("{base}{path}"), "-i", "1"]),
            [format!("GET {name}")]
        );
    }
    let line = |path: &str| {
        format!("10.0.0.1 - - [10/Oct/2000:13:55:36 +0000] \"GET {path} HTTP/1.1\" 200 5\n")
    };
    let log = folder.join("access.log");
    std::fs::write(&log, PATHS.map(|(path, _)| line(path)).concat()).unwrap();
    let plan = stdout(&loadline(&["plan", "--log", log.to_str().unwrap()]));
    for name in &expected {
        let is_named = plan
            .lines()
            .any(|line| line.trim_start().starts_with(&format!("{name} ")));
        assert!(is_named, "{name}: {plan}");
    }
}

/// Seen: "fastest 1 ms" of an endpoint whose good answers take 60 ms and whose 503 take 1 ms.
#[test]
fn the_fastest_request_of_an_endpoint_is_a_good_one() {
    let base = mixed();
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ vus: 4, duration: '6s' }};
         export default function () {{
           http.get('{base}/1of3/60/1/503?a', {{ tags: {{ name: 'a' }} }});
           http.get('{base}/1of3/60/1/503?b', {{ tags: {{ name: 'b' }} }});
         }}"
    );
    let path = script("typed-fastest.js", &text);
    let folder = no_folder("typed-fastest");
    std::fs::create_dir_all(&folder).unwrap();
    let store = folder.join("runs.db");
    let store = store.to_str().unwrap();
    loadline(&["run", path.to_str().unwrap(), "--store", store, "-q"]);
    let explained = stdout(&loadline(&["explain", "--json", "--store", store]));
    let explained: serde_json::Value = serde_json::from_str(&explained).unwrap();
    let endpoints = explained["endpoints"].as_array().unwrap();
    assert_eq!(endpoints.len(), 2, "{explained}");
    for one in endpoints {
        let fastest = one["fastest_ms"].as_f64().unwrap();
        assert!(fastest >= 59.0, "{one}");
    }
}

/// Seen: "a similar one is runs" of `rum`.
#[test]
fn of_similar_commands_the_nearest_one_is_named() {
    for (typed, meant) in [
        ("rum", "a similar one is run\n"),
        ("rnu", "a similar one is run\n"),
        ("runss", "a similar one is runs\n"),
        ("capacty", "a similar one is capacity\n"),
    ] {
        let told = stderr(&loadline(&[typed]));
        assert!(told.contains(meant), "{typed}: {told}");
    }
}

/// Seen: 3,470 requests/s to port 99999, "check that the target is running".
#[test]
fn a_port_that_is_none_is_refused_before_the_load() {
    for url in ["http://127.0.0.1:99999/a", "http://127.0.0.1:0/"] {
        for flags in [
            &["-i", "2"][..],
            &["--once"],
            &["--rate", "5/s", "-d", "1s"],
        ] {
            let output = loadline(&[&["run", url, "--no-store"], flags].concat());
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains("there is no port"), "{said}");
        }
    }
}

/// Seen: "--rate and --rate cannot be used together"; "load: 0/s" of ten an hour; "accepts 1 arg(s)" of a script without a name.
#[test]
fn what_is_typed_twice_too_little_or_not_at_all_is_told_as_that() {
    let twice = loadline(&[
        "run",
        "http://127.0.0.1:9/",
        "--rate",
        "5/s",
        "--rate",
        "6/s",
    ]);
    assert!(
        stderr(&twice).contains("--rate is there twice"),
        "{}",
        stderr(&twice)
    );
    let server = Server::start();
    let rare = loadline(&[
        "run",
        &server.base,
        "--rate",
        "10/h",
        "-d",
        "1s",
        "--no-store",
    ]);
    assert!(stderr(&rare).contains("load: 0.003/s"), "{}", stderr(&rare));
    let none = loadline(&["capacity", "--lang", "en"]);
    assert!(stderr(&none).contains("TEST"), "{}", stderr(&none));
    assert_eq!(none.status.code(), Some(2));
}
