//! Keys at a terminal: a pseudo-terminal, the way a person sits at one.

use std::time::Duration;

use crate::common::{Server, no_folder};
use crate::terminal::Terminal;

#[test]
fn keys_pause_change_the_load_and_stop_and_the_terminal_is_given_back() {
    let server = Server::start();
    let args = [
        "run",
        &server.base,
        "--rate",
        "20/s",
        "-d",
        "60s",
        "--live",
        "lines",
    ];
    let mut terminal = Terminal::run(&args);
    server.wait_for(3);
    assert!(terminal.is_ours());
    terminal.press("?");
    terminal.wait_for("keys: p or h pause");
    terminal.press("+\x1b[A");
    terminal.wait_for("load at 110 %");
    terminal.press("-");
    terminal.wait_for("load at 100 %");

    terminal.press("p");
    terminal.wait_for("paused");
    // What was on its way has come by now.
    std::thread::sleep(Duration::from_millis(500));
    let paused = server.requests();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(server.requests(), paused, "nothing begins");
    terminal.press("p");
    server.wait_for(paused + 3);

    terminal.press("q");
    assert_eq!(terminal.end(), Some(130), "{}", terminal.screen());
    terminal.wait_for("STOPPED");
    assert!(
        !terminal.is_ours(),
        "the terminal has its own settings back"
    );
}

/// A run that a person slowed down is not compared with others as if nothing had happened.
#[test]
fn what_a_key_changes_in_the_load_is_an_event_of_the_run() {
    let server = Server::start();
    let folder = no_folder("keys-store");
    let store = folder.join("runs.db");
    let store = store.to_str().unwrap();
    let args = [
        "run",
        &server.base,
        "--rate",
        "20/s",
        "-d",
        "60s",
        "--live",
        "lines",
    ];
    let mut terminal = Terminal::run(&[&args[..], &["--store", store]].concat());
    server.wait_for(3);
    terminal.press("+");
    terminal.wait_for("load at 110 %");
    terminal.press("p");
    terminal.wait_for("paused");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(130), "{}", terminal.screen());
    let events = crate::common::loadline(&["show", "latest", "--events", "--store", store]);
    let said = crate::common::stdout(&events);
    let changes: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("load-changed"))
        .collect();
    assert!(
        changes[0].contains(r#""by":"key","change":"scaled""#),
        "{said}"
    );
    assert!(
        changes[1].contains(r#""by":"key","change":"paused""#),
        "{said}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_script_at_a_terminal_begins_its_summary_with_the_verdict() {
    let server = Server::start();
    let text = format!(
        "import http from 'k6/http';
         import {{ sleep }} from 'k6';
         export const options = {{ vus: 2, duration: '60s' }};
         export default function () {{ http.get('{}'); sleep(0.2); }}",
        server.base
    );
    let path = crate::common::script("terminal.js", &text);
    let mut terminal = Terminal::run(&["run", path.to_str().unwrap(), "--live", "lines"]);
    server.wait_for(3);
    terminal.press("p");
    terminal.wait_for("paused");
    std::thread::sleep(Duration::from_millis(500));
    let paused = server.requests();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(server.requests(), paused, "a closed model pauses too");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(105), "{}", terminal.screen());
    assert!(!terminal.is_ours());
    terminal.wait_for("TOTAL RESULTS");
    let screen = terminal.screen();
    assert!(
        screen.find("STOPPED") < screen.find("TOTAL RESULTS"),
        "{screen}"
    );
}

#[test]
fn a_capital_q_waits_for_nothing() {
    let server = Server::answering_after(Duration::from_secs(60));
    let mut terminal = Terminal::run(&["run", &server.base, "-d", "60s", "--graceful-stop", "60s"]);
    server.wait_for(1);
    let asked = crate::common::Stopwatch::start();
    terminal.press("Q");
    assert_eq!(terminal.end(), Some(130), "{}", terminal.screen());
    asked.assert_within(Duration::from_millis(1000));
    assert!(!terminal.is_ours());
}

#[test]
fn a_quiet_run_leaves_the_terminal_alone() {
    let server = Server::start();
    let mut terminal = Terminal::run(&["run", &server.base, "-d", "2s", "-q"]);
    server.wait_for(3);
    assert!(!terminal.is_ours());
    terminal.press("q");
    assert_ne!(terminal.end(), Some(130), "{}", terminal.screen());
    terminal.wait_for("exit code");
}
