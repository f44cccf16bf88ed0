//! `matrix`: rows of each kind of test, what is wrong with them, a table, and going on after an interruption.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::{
    Server, free_address, loadline, no_folder, signal, start, stderr, stdout, until_within,
};

/// A row in seconds: hardly any load, and a search that ends at the highest one that is allowed.
const SHORT: [&str; 7] = [
    "--slo",
    "p(95)<3s",
    "--row-budget",
    "6s",
    "--quick",
    "--max-rate",
    "4/s",
];

const FUNCTIONS: &str = "import http from 'k6/http';\n\
         export function setup() {}\n\
         export function list() { http.get('BASE/list'); }\n\
         export function order() { http.get('BASE/order'); }\n";

const SCENARIOS: &str = "import http from 'k6/http';\n\
         const rate = (rate, exec) => ({ executor: 'constant-arrival-rate', rate, duration: '1m', preAllocatedVUs: 5, exec });\n\
         export const options = { scenarios: { list: rate(6, 'list'), order: rate(2, 'order') } };\n\
         export function list() { http.get('BASE/list'); }\n\
         export function order() { http.get('BASE/order'); }\n";

const ARTILLERY: &str = "config: { target: 'BASE', phases: [{ duration: 10, arrivalRate: 8 }] }\n\
         scenarios:\n\
         - { name: list, weight: 3, flow: [{ get: { url: /list } }] }\n\
         - { name: order, weight: 1, flow: [{ get: { url: /order } }] }\n";

fn folder(name: &str) -> PathBuf {
    let folder = no_folder(name);
    std::fs::create_dir(&folder).unwrap();
    folder
}

fn arguments(test: &[&str], store: &Path) -> Vec<String> {
    let store = ["--store", store.to_str().unwrap()];
    let all = ["matrix"].iter().chain(test).chain(&SHORT).chain(&store);
    all.map(|word| (*word).to_owned()).collect()
}

fn run(args: &[String]) -> std::process::Output {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    loadline(&words)
}

/// How many tests are written down beside the store.
fn ended(folder: &Path) -> usize {
    let journals = std::fs::read_dir(folder.join("matrix"));
    let files = journals.into_iter().flatten().flatten();
    let texts = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
    texts.map(|text| text.matches("{\"ended\"").count()).sum()
}

/// Killed in the middle, the same command makes what is missing and no more; a row whose smoke fails stops, and the other
/// goes on; the table, its file and the exit code say so.
#[test]
fn a_matrix_that_was_killed_goes_on_and_shows_all_rows() {
    let server = Server::answering_after(Duration::from_millis(300));
    let folder = folder("matrix-killed");
    let (good, gone) = (
        format!("{}/", server.base),
        format!("{}/missing", server.base),
    );
    let list = folder.join("urls.txt");
    std::fs::write(
        &list,
        format!("\u{feff}# two\nGET {gone}\n\nPOST {good} {{\"a\": 1}}\n"),
    )
    .unwrap();
    let store = folder.join("runs.db");
    let report = folder.join("matrix.json");
    let test = [list.to_str().unwrap(), "--rate", "2/s", "--warmup", "1s"];
    let mut args = arguments(&test, &store);
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut child = start(&words);
    // Both smokes and the load test.
    until_within(Duration::from_secs(120), "tests that ended", || {
        ended(&folder) >= 3
    });
    child.kill().unwrap();
    child.wait().unwrap();

    args.extend(["--report".to_owned(), report.display().to_string()]);
    let output = run(&args);
    let (said, before) = (stdout(&output), stderr(&output));
    assert!(before.contains("goes on      3 of 5 tests"), "{before}");
    assert!(!before.contains("smoke, one iteration"), "{before}");
    assert!(before.contains("POST /: stress"), "{before}");
    // Warmed up once more: of the row that has load left, and of no other.
    let warmed = before.matches("warming up, users in a loop: 2").count();
    assert_eq!(warmed, 1, "{before}");
    assert_eq!(output.status.code(), Some(3), "{said}{before}");
    assert!(
        said.starts_with("GET /missing does not work: 1 of 1 request failed (404"),
        "{said}"
    );
    let row = said
        .lines()
        .find(|line| line.starts_with("POST /"))
        .unwrap();
    assert!(row.contains("OK") && row.contains("×2 holds"), "{said}");
    let text = std::fs::read_to_string(&report).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&file["complete"], &file["exit_code"]),
        (&true.into(), &3.into())
    );
    let good = &file["rows"][1];
    assert_eq!(good["name"], "POST /");
    assert_eq!(good["load"]["levels"][0]["load"], 2.0);
    assert_eq!(good["stress"]["levels"][1]["load"], 4.0);
    // Each test is a run with the matrix's tag, and the one that was killed is none of them.
    let tag = file["id"].as_str().unwrap();
    let store = store.to_str().unwrap();
    let tagged = loadline(&["runs", "--tag", tag, "--json", "--store", store]);
    assert_eq!(stdout(&tagged).lines().count(), 5, "{}", stdout(&tagged));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn ctrl_c_prints_the_table_so_far() {
    let server = Server::answering_after(Duration::from_millis(300));
    let folder = folder("matrix-interrupted");
    let args = arguments(&[&server.base, "--lang", "ko"], &folder.join("runs.db"));
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let child = start(&words);
    until_within(Duration::from_secs(60), "smoke", || ended(&folder) >= 1);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("같은 명령을 다시 실행하면"), "{said}");
    assert!(said.contains("정상") && said.contains("아직"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_target_that_is_down_is_told_of_each_row() {
    let folder = folder("matrix-down");
    let base = format!("http://{}", free_address());
    let urls = [format!("{base}/a"), format!("{base}/b")];
    let output = run(&arguments(&[&urls[0], &urls[1]], &folder.join("runs.db")));
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(5), "{said}{}", stderr(&output));
    assert!(
        said.starts_with("Nothing works: 1 of 1 request failed"),
        "{said}"
    );
    assert!(said.contains("GET /a") && said.contains("GET /b"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// What each kind of test has for rows is told before the first request; nothing listens there.
#[test]
fn rows_are_what_the_test_has() {
    let folder = folder("matrix-rows");
    let base = format!("http://{}", free_address());
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text.replace("BASE", &base)).unwrap();
        path.display().to_string()
    };
    let functions = write("functions.js", FUNCTIONS);
    let scenarios = write("scenarios.js", SCENARIOS);
    let artillery = write("test.yml", ARTILLERY);
    let tests = folder.join("tests").display().to_string();
    let feature = "order: POST /order, share=25%, body={}";
    let written = loadline(&[
        "plan",
        "--rate",
        "8/s",
        "--feature",
        "list: GET /list",
        "--feature",
        feature,
        "--target",
        &base,
        "--write",
        "k6",
        &tests,
    ]);
    assert!(written.status.success(), "{}", stderr(&written));
    let store = folder.join("runs.db");
    for (test, rows, planned) in [
        (&functions, "2: list, order", None),
        (
            &scenarios,
            "3: list, order, mix",
            Some("list 6.00/s, order 2.00/s, mix 8.00/s"),
        ),
        (
            &artillery,
            "3: list, order, mix",
            Some("list 6.00/s, order 2.00/s, mix 8.00/s"),
        ),
        (
            &tests,
            "3: list, order, user-flow",
            Some("list 6.00/s, order 2.00/s"),
        ),
    ] {
        let output = run(&arguments(&[test], &store));
        let before = stderr(&output);
        assert!(
            before.contains(&format!("rows         {rows}\n")),
            "{before}"
        );
        match planned {
            Some(planned) => assert!(before.contains(planned), "{before}"),
            None => assert!(before.contains("none for list, order"), "{before}"),
        }
        assert_eq!(output.status.code(), Some(5), "{}{before}", stdout(&output));
    }
    let named = run(&arguments(
        &[&scenarios, "--flow", "order", "--rate", "list=9/s"],
        &store,
    ));
    let before = stderr(&named);
    assert!(before.contains("rows         2: list, order\n"), "{before}");
    assert!(before.contains("flow         order"), "{before}");
    assert!(before.contains("list 9.00/s, order 2.00/s"), "{before}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_wrong_is_told_before_the_first_request() {
    let server = Server::start();
    let folder = folder("matrix-wrong");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text.replace("BASE", &server.base)).unwrap();
        path.display().to_string()
    };
    let empty = write("empty.txt", "# nothing\n");
    let line = write("line.txt", "GET BASE/\nlist the orders\n");
    let unnamed = write(
        "unnamed.yml",
        "config: { target: 'BASE' }\nscenarios:\n- { name: a, flow: [{ get: { url: / } }] }\n- { flow: [{ get: { url: / } }] }\n",
    );
    let nothing = write("nothing.js", "export function setup() {}\n");
    let other = write(
        "other.js",
        "export const options = { scenarios: { a: { executor: 'shared-iterations', exec: 'gone' } } };\nexport function a() {}\n",
    );
    let tests = folder.display().to_string();
    let (base, store) = (server.base.as_str(), folder.join("runs.db"));
    let cases: [(&[&str], &str); 12] = [
        (&[], "TEST is missing"),
        (&[empty.as_str()], "there is no URL in"),
        (&[line.as_str()], "line 2: `list the orders` is no URL"),
        (&[unnamed.as_str()], "scenario 2 of"),
        (
            &[nothing.as_str()],
            "function 'default' not found in exports",
        ),
        (&[other.as_str()], "function 'gone' not found in exports"),
        (&[tests.as_str()], "there are no tests of a plan"),
        (&[base, "--flow", "checkout"], "--flow"),
        (&[base, "--rate", "orders=5/s"], "--rate"),
        (&[base, "--rate", "many"], "--rate"),
        (&[base, "--slo", "fast"], "--slo"),
        (&[base, "--report", "r.pdf"], "r.pdf"),
    ];
    for (typed, wanted) in cases {
        let output = run(&arguments(typed, &store));
        let said = stderr(&output);
        assert!(said.contains(wanted), "{typed:?}: {said}");
        assert_ne!(output.status.code(), Some(0), "{typed:?}: {said}");
    }
    let short = loadline(&["matrix", base, "--budget", "30s", "--no-store"]);
    assert!(
        stderr(&short).contains("too short for 1 row"),
        "{}",
        stderr(&short)
    );
    assert_eq!(server.requests(), 0, "nothing is sent");
    std::fs::remove_dir_all(folder).unwrap();
}
