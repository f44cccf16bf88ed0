//! An endpoint is a method and a route: ids fold as in `plan --log`, a name that the test gives
//! stays. The rows are those of `docs/bench/true.md`.

use std::collections::BTreeMap;

use crate::common::{Server, loadline, no_folder, script, stderr, stdout};
use crate::good_and_failed::mixed;

/// The endpoints of a test in its report, with requests and failures.
fn endpoints(name: &str, test: &[&str]) -> BTreeMap<String, (f64, f64)> {
    let folder = no_folder(&format!("endpoints-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    let store = folder.join("runs.db");
    let store = store.to_str().unwrap();
    let ran = loadline(&[&["run"][..], test, &["--store", store, "-q"]].concat());
    let report = ["report", "--format", "json", "--store", store];
    let output = loadline(&report);
    let numbers: serde_json::Value = serde_json::from_str(&stdout(&output))
        .unwrap_or_else(|_| panic!("{}{}", stderr(&ran), stderr(&output)));
    let all = numbers["endpoints"].as_array().unwrap().iter();
    all.map(|one| {
        let number = |key: &str| one[key].as_f64().unwrap();
        let name = one["name"].as_str().unwrap().to_owned();
        (name, (number("requests"), number("failed")))
    })
    .collect()
}

/// Calls of a script, and the endpoints that they are: their names after the host, and how often.
type Calls = (&'static str, &'static [(&'static str, f64)]);

const CALLS: [Calls; 13] = [
    (
        "http.get(`${b}/orders`); http.post(`${b}/orders`, 'x');",
        &[("GET /orders", 1.0), ("POST /orders", 1.0)],
    ),
    (
        "for (let i = 0; i < 61; i++) http.get(`${b}/orders/${4000 + i}`);",
        &[("GET /orders/{id}", 61.0)],
    ),
    (
        "http.put(`${b}/orders/1`, 'x'); http.del(`${b}/orders/2`); http.patch(`${b}/orders/3`, 'x');",
        &[
            ("DELETE /orders/{id}", 1.0),
            ("PATCH /orders/{id}", 1.0),
            ("PUT /orders/{id}", 1.0),
        ],
    ),
    (
        "for (const u of ['3fa85f64-5717-4562-b3fc-2c963f66afa6', '4fa85f64-5717-4562-b3fc-2c963f66afa6']) http.get(`${b}/a/${u}`);",
        &[("GET /a/{id}", 2.0)],
    ),
    (
        "for (let i = 1; i < 6; i++) http.get(`${b}/list?page=${i}&q=deer`);",
        &[("GET /list", 5.0)],
    ),
    (
        "http.get(`${b}/o/5f2b8c9d`); http.get(`${b}/o/6f2b8c9e`);",
        &[("GET /o/{id}", 2.0)],
    ),
    (
        "http.get(`${b}/api/v1/items/17/price`);",
        &[("GET /api/v1/items/{id}/price", 1.0)],
    ),
    (
        "http.get(`${b}/v2/item2/feed`);",
        &[("GET /v2/item2/feed", 1.0)],
    ),
    ("http.get(b); http.get(`${b}/`);", &[("GET /", 2.0)]),
    (
        "http.get(http.url`BASE/items/${7}`); http.get(http.url`BASE/items/${8}`);",
        &[("GET /items/${}", 2.0)],
    ),
    (
        "for (let i = 0; i < 4; i++) http.get(`${b}/orders/${i}`, { tags: { name: 'buy' } });",
        &[("buy", 4.0)],
    ),
    (
        "http.get(`${b}/x`, { tags: { name: 'x' } }); http.post(`${b}/x`, '', { tags: { name: 'x' } });",
        &[("x", 2.0)],
    ),
    (
        "for (let i = 0; i < 300; i++) http.get(`${b}/shop/${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10) % 10]}${'uvw'[Math.floor(i / 100)]}`);",
        &[("GET /shop/{id}", 300.0)],
    ),
];

/// Seen: POST and GET of one path in one row, and 61 rows of one request.
#[test]
fn an_endpoint_of_a_script_is_its_method_and_route() {
    let server = Server::start();
    for (place, (calls, expected)) in CALLS.iter().enumerate() {
        let calls = calls.replace("BASE", &server.base);
        let text = format!(
            "import http from 'k6/http';
             export const options = {{ iterations: 1 }};
             const b = '{}';
             export default function () {{ {calls} }}",
            server.base
        );
        let path = script(&format!("endpoints-{place}.js"), &text);
        let found = endpoints(&place.to_string(), &[path.to_str().unwrap()]);
        let found: Vec<(String, f64)> = found
            .into_iter()
            .map(|(name, (requests, _))| (name.replace(&server.base, ""), requests))
            .collect();
        let expected: Vec<(String, f64)> = expected
            .iter()
            .map(|(name, requests)| ((*name).to_owned(), *requests))
            .collect();
        assert_eq!(found, expected, "{calls}");
    }
}

#[test]
fn an_endpoint_of_an_artillery_file_or_a_url_is_one_too() {
    let server = Server::start();
    let folder = no_folder("endpoints-artillery-file");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("t.yml");
    let text = format!(
        "config: {{ target: \"{}\", phases: [{{ duration: 1, arrivalCount: 3 }}] }}\nscenarios:\n  - flow:\n      - loop:\n          - get: {{ url: \"/orders/{{{{ $loopCount }}}}\" }}\n          - post: {{ url: \"/orders\", name: checkout }}\n          - post: {{ url: \"/orders\" }}\n          - get: {{ url: \"/orders\" }}\n          - get: {{ url: \"/orders/4711\" }}\n        count: 2\n",
        server.base
    );
    std::fs::write(&file, text).unwrap();
    let found = endpoints("artillery", &[file.to_str().unwrap()]);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    let expected = [
        "/orders (checkout)",
        "GET /orders",
        "GET /orders/{id}",
        "GET /orders/{{ $loopCount }}",
        "POST /orders",
    ];
    assert_eq!(names, expected);
    assert!(
        found
            .values()
            .all(|(requests, _)| (*requests - 6.0).abs() < 1e-9),
        "{found:?}"
    );

    let url = format!("{}/orders/4711", server.base);
    let name = |method: &str| format!("{method} {}/orders/{{id}}", server.base);
    let found = endpoints("get", &[&url, "-i", "3"]);
    assert_eq!(found.into_keys().collect::<Vec<_>>(), [name("GET")]);
    let found = endpoints("post", &[&url, "-i", "3", "-m", "POST", "-b", "x"]);
    assert_eq!(found.into_keys().collect::<Vec<_>>(), [name("POST")]);
}

/// Seen: "401 × 6" beside a run in which each request was answered.
#[test]
fn a_challenge_to_log_in_is_no_failure() {
    let (address, _) = crate::digest::challenging();
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ iterations: 6 }};
         export default function () {{
           http.post('http://kim:pa%20ss@{address}/digest', 'payload=1', {{ auth: 'digest' }});
         }}"
    );
    let path = script("endpoints-digest.js", &text);
    let path = path.to_str().unwrap();
    let found = endpoints("digest", &[path]);
    assert!(
        found.values().all(|(_, failed)| *failed == 0.0),
        "{found:?}"
    );
    let folder = no_folder("endpoints-digest-failures");
    std::fs::create_dir_all(&folder).unwrap();
    let store = folder.join("runs.db");
    let store = store.to_str().unwrap();
    loadline(&["run", path, "--store", store, "-q"]);
    let report = ["report", "--format", "json", "--store", store];
    let numbers: serde_json::Value = serde_json::from_str(&stdout(&loadline(&report))).unwrap();
    let failures = numbers["summary"]["failures"].as_array().unwrap();
    assert!(failures.is_empty(), "{failures:?}");
}

/// Seen: nothing was said of error pages that are sent with 200.
#[test]
fn answers_with_200_that_are_much_smaller_than_the_others_are_told() {
    let base = mixed();
    let note = "answers with 200 have at most 14 B, the others about";
    let run = |path: &str, more: &[&str]| {
        let url = format!("{base}/{path}");
        let flags = ["run", &url, "-i", "100", "-u", "5", "--no-store"];
        stdout(&loadline(&[&flags[..], more].concat()))
    };
    let said = run("23of50/1/1/200", &[]);
    assert!(said.contains(&format!("46 of 100 {note}")), "{said}");
    let said = run("1of50/1/1/200", &[]);
    assert!(said.contains(&format!("2 of 100 {note}")), "{said}");
    let korean = run("1of4/1/1/200", &["--lang", "ko"]);
    assert!(korean.contains("오류 페이지가 아닌지"), "{korean}");
    for without in ["0of1/1/1/200", "1of4/1/1/500"] {
        let said = run(without, &[]);
        assert!(!said.contains("error pages"), "{without}: {said}");
    }
}
