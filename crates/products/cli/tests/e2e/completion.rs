//! What a shell is answered at Tab, help by command, and manual pages.

use std::process::Output;

use crate::common::{Server, command, stdout};

/// What is offered for the last of `words`, as bash asks.
fn offered(store: &str, words: &[&str]) -> String {
    let mut asked = command(&[&["--"], words].concat());
    asked.env("LOADLINE_COMPLETE", "bash");
    asked.env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string());
    asked.env("_CLAP_IFS", "\n").env("LOADLINE_STORE", store);
    stdout(&asked.output().unwrap())
}

#[test]
fn every_flag_is_offered_whatever_is_run() {
    for (words, flag) in [
        (["loadline", "run", "--sl"], "--slo"),
        (["loadline", "run", "--rat"], "--rate"),
        (["loadline", "run", "--summary-m"], "--summary-mode"),
        (["loadline", "run", "--overr"], "--overrides"),
        (["loadline", "capacity", "--bud"], "--budget"),
        (["loadline", "archive", "--no-thr"], "--no-thresholds"),
        (["loadline", "gate", "imp"], "import"),
        (["loadline", "completion", "po"], "powershell"),
    ] {
        let told = offered("off", &words);
        assert!(told.lines().any(|line| line == flag), "{words:?}: {told}");
    }
    // What is hidden is not offered beside what is not.
    let all = offered("off", &["loadline", ""]);
    assert!(
        all.contains("capacity") && !all.contains("preview"),
        "{all}"
    );
}

#[test]
fn stored_runs_and_their_tags_are_offered_where_a_run_is_named() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let store = store.to_str().unwrap();
    for words in [
        ["run", &server.base, "-i", "2", "-q"].as_slice(),
        &["runs", "tag", "latest", "before-index"],
    ] {
        let mut asked = command(words);
        asked.env("LOADLINE_STORE", store).output().unwrap();
    }
    for words in [["loadline", "show", ""], ["loadline", "compare", ""]] {
        let told = offered(store, &words);
        assert!(told.lines().any(|line| line == "before-index"), "{told}");
        assert!(told.lines().any(|line| line == "latest"), "{told}");
    }
    // A store that is not there is not made.
    assert_eq!(
        offered("/nowhere/runs.db", &["loadline", "show", "bef"]),
        ""
    );
}

#[test]
fn help_and_version_are_commands_and_every_command_has_a_manual_page() {
    let told = |words: &[&str]| -> Output { command(words).output().unwrap() };
    assert_eq!(
        stdout(&told(&["help", "gate", "import"])),
        stdout(&told(&["gate", "import", "--help"]))
    );
    assert_eq!(stdout(&told(&["help"])), stdout(&told(&["--help"])));
    assert_eq!(stdout(&told(&["version"])), stdout(&told(&["--version"])));
    let page = stdout(&told(&["man", "run"]));
    assert!(page.contains(".TH loadline-run 1"), "{page}");
    assert!(
        page.contains("slo") && page.contains("summary\\-mode"),
        "{page}"
    );
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("man1");
    let out = told(&["man", "--dir", target.to_str().unwrap()]);
    assert_eq!(out.status.code(), Some(0));
    assert!(target.join("loadline-gate-import.1").exists());
    assert_eq!(told(&["man", "nothing"]).status.code(), Some(2));
}
