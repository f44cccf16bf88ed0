//! The program under the name `k6`: its commands, and the k6 operator's initializer as typed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{assert_counts_add_up, no_folder, stderr, stdout};

/// A folder with the program as `k6` and a script.
fn place(name: &str) -> PathBuf {
    let folder = no_folder(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_loadline"), folder.join("k6")).unwrap();
    let script = "import { check } from 'k6'; import sql from './other.js';
        export const options = { vus: 3, iterations: 3 };
        export default function () { check(__ENV.NAME, { named: (name) => name === 'value' }); }";
    std::fs::write(folder.join("script.js"), script).unwrap();
    std::fs::write(
        folder.join("other.js"),
        "import 'k6/http'; export default 1;",
    )
    .unwrap();
    folder
}

fn shell(folder: &Path, line: &str) -> Output {
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .env("HOME", folder)
        .env("LANG", "C.UTF-8")
        .output()
        .unwrap();
    assert_counts_add_up(&stderr(&output));
    output
}

#[test]
fn the_operators_initializer_runs_as_it_is_typed() {
    let folder = place("initializer");
    let line = "command -v k6 && mkdir -p ./tmp && \
        k6 archive script.js -e NAME=value -O ./tmp/script.js.archived.tar --tag team=web 2> ./tmp/k6logs && \
        k6 inspect --execution-requirements ./tmp/script.js.archived.tar 2> ./tmp/k6logs; \
        ! cat ./tmp/k6logs | grep 'level.*error'";
    let output = shell(&folder, line);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let json = text.split_once('\n').unwrap().1;
    let inspected: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(inspected["maxVUs"], 3);
    assert_eq!(inspected["tags"]["team"], "web");
    let run = shell(
        &folder,
        "k6 run --quiet --execution-segment=0:1/3 --execution-segment-sequence=0,1/3,2/3,1 \
         ./tmp/script.js.archived.tar --tag instance_id=1 --tag testrun_name=t",
    );
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let text = stdout(&run);
    assert!(text.contains("100.00% 1 out of 1"), "{text}");
}

#[test]
fn commands_of_k6_answer_and_those_that_are_gone_say_what_to_use() {
    let folder = place("commands");
    let answers = |line: &str, code: i32, words: &str| {
        let output = shell(&folder, line);
        let said = stdout(&output) + &stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        assert!(said.contains(words), "{line}: {said}");
    };
    answers("k6 version", 0, "k6 v2.2.0 (loadline v");
    answers(
        "k6 features",
        0,
        "freeze-env          Experimental   Freeze",
    );
    answers("k6 deps script.js", 0, "Custom Build Required: no");
    answers("k6 deps --json script.js", 0, "\"k6/http\"");
    answers("k6 x", 0, "k6/x/sse");
    answers("k6 x docs", 255, "cannot be loaded here");
    answers("k6 cloud run script.js", 255, "needs an account");
    answers(
        "k6 pause",
        255,
        "unknown command \\\"pause\\\" for \\\"k6\\\"",
    );
    answers("k6 pause", 255, "PATCH /v1/status");
    answers("k6 login cloud", 255, "K6_INFLUXDB_USERNAME");
    answers(
        "k6 run --no-summary script.js",
        255,
        "unknown flag: --no-summary",
    );
    answers(
        "k6 run --summary-mode=legacy script.js",
        255,
        "invalid summary mode",
    );
    answers(
        "LOADLINE_COMPLETE=bash _CLAP_COMPLETE_INDEX=2 k6 -- k6 run --summary-m",
        0,
        "--summary-mode",
    );
    answers(
        "k6 new new.js",
        0,
        "New script created: new.js (minimal template).",
    );
    answers("k6 new new.js", 255, "already exists");
    answers(
        "k6 new --template browser b.js",
        255,
        "no browser is driven",
    );
    answers(
        "bash -c 'source <(k6 completion bash) && complete -p k6'",
        0,
        "_clap_complete_k6",
    );
}

#[test]
fn names_that_mean_nothing_are_told_with_the_nearest_right_one() {
    let folder = place("names");
    let script = "import { chek } from 'k6';\nexport const options = {\n  vuss: 2,\n};\nexport default function () {}";
    std::fs::write(folder.join("wrong.js"), script).unwrap();
    let output = shell(&folder, "k6 run -q wrong.js");
    assert_eq!(output.status.code(), Some(0));
    let said = stderr(&output);
    for words in [
        "wrong.js:1:10: \"k6\" has no \"chek\"; did you mean \"check\"?",
        "wrong.js:3:3: there is no option \"vuss\"; did you mean \"vus\"?",
    ] {
        assert!(said.contains(words), "{said}");
    }
}

/// Executors, too: k6's words, and both that are wrong with their places.
#[test]
fn executors_that_mean_nothing_are_told_with_the_nearest_right_one() {
    let folder = place("executors");
    let script = "export const options = { scenarios: {\n  a: { executor: 'constant-vu' },\n  b: { executor: 'ramping_vus' },\n} };\nexport default function () {}";
    std::fs::write(folder.join("wrong.js"), script).unwrap();
    let output = shell(&folder, "k6 run -q wrong.js");
    assert_eq!(output.status.code(), Some(104));
    let said = stderr(&output);
    for words in [
        "wrong.js:2:19: there is no executor \"constant-vu\"; did you mean \"constant-vus\"?",
        "wrong.js:3:19: there is no executor \"ramping_vus\"; did you mean \"ramping-vus\"?",
        "unknown executor type 'constant-vu'",
    ] {
        assert!(said.contains(words), "{said}");
    }
}

/// Of a file, too: k6's words, then where and what was probably meant.
#[test]
fn a_name_that_a_file_does_not_export_is_told_with_its_place_and_the_nearest_right_one() {
    let folder = no_folder("wrong_import");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("tool.js"), "export const visit = () => 1;").unwrap();
    let script = "import { sleep } from 'k6';\nimport { vist } from './tool.js';\nexport default function () { vist(); sleep(0); }";
    std::fs::write(folder.join("wrong.js"), script).unwrap();
    let output = crate::common::command(&["run", "wrong.js"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(107));
    let told = stderr(&output);
    assert!(
        told.contains(r#"wrong.js:2:10: "./tool.js" has no "vist"; did you mean "visit"?"#),
        "{told}"
    );
    let words = r#"SyntaxError: The requested module \"./tool.js\" does not provide an export named \"vist\"\n\tat "#;
    assert!(told.contains(words), "{told}");
}
