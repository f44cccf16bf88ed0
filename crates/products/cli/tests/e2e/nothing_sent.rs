//! A run that sends nothing is none that went well, whatever kind of test it is. The exit codes
//! of k6 and Artillery stay theirs; `--fail-on` and the verdict are ours.

use std::process::Output;

use crate::common::{Server, command, loadline, no_folder, stderr, stdout};

/// The files of an Artillery test in a folder of their own.
fn test_file(name: &str, config: &str, flow: &str, rows: Option<&str>) -> String {
    let folder = no_folder(&format!("nothing-sent-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    if let Some(rows) = rows {
        std::fs::write(folder.join("rows.csv"), rows).unwrap();
    }
    let path = folder.join("t.yml");
    let text = format!("config: {{ {config} }}\nscenarios: [{{ flow: [{flow}] }}]\n");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn phases(server: &Server) -> String {
    format!(
        "target: \"{}\", phases: [{{ duration: 1, arrivalCount: 2 }}]",
        server.base.trim_end_matches('/')
    )
}

fn printed(output: &Output) -> String {
    stdout(output) + &stderr(output)
}

const OVER: &str = "{ loop: [{ get: { url: \"/\" } }], over: ids }";

/// Seen: DONE with exit code 0.
#[test]
fn an_artillery_file_that_sends_nothing_failed() {
    let server = Server::start();
    let phases = phases(&server);
    let listed = format!("{phases}, variables: {{ ids: [\"1\", \"2\"] }}");
    for (name, config, flow, told) in [
        ("over-value", &listed, OVER, "goes through no list"),
        (
            "over-unset",
            &phases,
            OVER,
            "names a variable that is never set",
        ),
        (
            "over-near",
            &format!("{phases}, variables: {{ idz: [[1, 2]] }}"),
            OVER,
            "did you mean `idz`?",
        ),
        (
            "if-true",
            &phases,
            "{ get: { url: \"/\", ifTrue: \"usr == 1\" } }",
            "`ifTrue` reads `usr`",
        ),
        ("think", &phases, "{ think: 1ms }", "nothing would be sent"),
    ] {
        let file = test_file(name, config, flow, None);
        let run = loadline(&["run", &file, "--no-store"]);
        let text = printed(&run);
        assert!(
            text.contains("FAILED: no request was sent in 2 iterations"),
            "{name}: {text}"
        );
        assert!(
            text.contains("as Artillery ends such a run"),
            "{name}: {text}"
        );
        assert!(text.contains(told), "{name}: {text}");
        assert_eq!(run.status.code(), Some(0), "{name}");
        let strict = loadline(&["run", &file, "--no-store", "--fail-on", "errors"]);
        assert_eq!(strict.status.code(), Some(3), "{name}");
        let checked = loadline(&["run", &file, "--check"]);
        assert!(
            printed(&checked).contains(told),
            "{name}: {}",
            printed(&checked)
        );
    }
    assert_eq!(server.requests(), 0);
    let file = test_file("quiet", &phases, OVER, None);
    let quiet = printed(&loadline(&["run", &file, "--no-store", "-q"]));
    assert!(quiet.contains("no request was sent"), "{quiet}");
    let once = loadline(&["run", &file, "--no-store", "--once"]);
    assert!(printed(&once).contains("NOT OK"), "{}", printed(&once));
}

/// Seen: `/echo/undefined` was asked for, and nobody was told.
#[test]
fn a_payload_without_rows_is_an_error_before_any_load() {
    let server = Server::start();
    let flow = "{ get: { url: \"/{{ user }}\" } }";
    for (name, rows, skip) in [
        ("empty", "", "false"),
        ("blank", "\n\n", "false"),
        ("heading", "user\n", "true"),
    ] {
        let config = format!(
            "{}, payload: {{ path: rows.csv, fields: [user], skipHeader: {skip} }}",
            phases(&server)
        );
        let file = test_file(name, &config, flow, Some(rows));
        for flags in [
            &["run", &file, "--no-store"][..],
            &["run", &file, "--check"],
        ] {
            let output = loadline(flags);
            let text = printed(&output);
            assert!(text.contains("rows.csv has no rows"), "{name}: {text}");
            assert_eq!(output.status.code(), Some(1), "{name}");
        }
    }
    assert_eq!(server.requests(), 0);
}

/// Seen: "DONE: 3 iterations ... no HTTP request was sent", also with `--fail-on errors`.
#[test]
fn a_script_that_sends_nothing_failed() {
    let script = |name: &str, text: &str| {
        let path = crate::common::script(name, text);
        path.to_str().unwrap().to_owned()
    };
    let silent = script(
        "nothing-sent.js",
        "export const options = { iterations: 3, thresholds: { iterations: ['count>1'] } };\nexport default function () {}\n",
    );
    let run = loadline(&["run", &silent, "--no-store"]);
    let text = printed(&run);
    assert!(
        text.contains("FAILED: no request was sent in 3 iterations"),
        "{text}"
    );
    assert!(text.contains("as k6 ends such a run"), "{text}");
    assert_eq!(run.status.code(), Some(0));
    let strict = loadline(&["run", &silent, "--no-store", "--fail-on", "load"]);
    assert_eq!(strict.status.code(), Some(3));
    let none = loadline(&["run", &silent, "--no-store", "--fail-on", "none"]);
    assert_eq!(none.status.code(), Some(0));
    let korean = printed(&loadline(&["--lang", "ko", "run", &silent, "--no-store"]));
    assert!(
        korean.contains("실패: 반복 3회 동안 보낸 요청이 없습니다"),
        "{korean}"
    );
    // What threw says more.
    let thrown = script(
        "nothing-sent-thrown.js",
        "export const options = { iterations: 3 };\nexport default function () { nowhere.get(); }\n",
    );
    let text = printed(&loadline(&["run", &thrown, "--no-store"]));
    assert!(
        text.contains("3 of 3 iterations threw an exception; no request was sent"),
        "{text}"
    );
}

/// Seen: "Cannot read property 'trim' of undefined", and nothing of the file.
#[test]
fn an_empty_file_of_rows_that_a_script_opens_is_named() {
    let server = Server::start();
    let folder = no_folder("blank-rows");
    std::fs::create_dir_all(&folder).unwrap();
    let text = format!(
        "import http from 'k6/http';
         const rows = open('./users.csv').split('\\n').filter((row) => row);
         export default function () {{ http.get(`{}?u=${{rows[0].trim()}}`); }}",
        server.base
    );
    std::fs::write(folder.join("t.js"), text).unwrap();
    for (rows, is_told) in [("", true), ("\n\n", true), ("ann\n", false)] {
        std::fs::write(folder.join("users.csv"), rows).unwrap();
        let args = ["run", "t.js", "--no-store"];
        let output = command(&args).current_dir(&folder).output().unwrap();
        let said = stderr(&output);
        let told = said.contains("users.csv holds no rows");
        assert_eq!(told, is_told, "{rows:?}: {said}");
    }
}
