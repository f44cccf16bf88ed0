//! Open files: refused before any load, or forced and told.

use crate::common::{Server, script, stderr, stdout, with_open_files};

#[test]
fn a_url_run_that_needs_too_many_files_is_refused_with_the_number_that_fits() {
    let server = Server::start();
    let args = ["run", &server.base, "--vus", "2000", "--threads", "2", "-q"];
    let output = with_open_files(500, &args);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    for part in [
        "2000 virtual users",
        "is 500",
        "428 virtual users",
        "ulimit -n 2072",
        "--force",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(server.requests(), 0, "nothing was sent");

    let korean = [&args[..], &["--lang", "ko"]].concat();
    let said = stderr(&with_open_files(500, &korean));
    assert!(said.contains("한도는 500개"), "{said}");
}

#[test]
fn the_number_said_to_fit_does() {
    let server = Server::start();
    let args = [
        "run",
        &server.base,
        "--vus",
        "428",
        "--threads",
        "2",
        "-i",
        "500",
        "-q",
    ];
    let output = with_open_files(500, &args);
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(server.requests(), 500);
}

#[test]
fn a_script_that_needs_too_many_files_is_refused_with_104() {
    let path = script(
        "many.js",
        "export const options = { scenarios: {
           a: { executor: 'constant-vus', vus: 300, duration: '1s', gracefulStop: '0s' },
           b: { executor: 'constant-vus', vus: 300, duration: '1s', startTime: '2s' } } };
         export default function () { }",
    );
    let output = with_open_files(200, &["run", "-q", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(104), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("300 virtual users"), "not at once: {said}");
}

#[test]
fn a_forced_run_without_files_is_not_valid_and_says_why() {
    let server = Server::start();
    let args = [
        "run",
        &server.base,
        "--vus",
        "200",
        "-i",
        "400",
        "-q",
        "--force",
    ];
    let output = with_open_files(100, &args);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.starts_with("NOT VALID"), "{said}");
    assert!(said.contains("no file could be opened"), "{said}");
    assert!(said.contains("open files 100 of 100"), "{said}");
}
