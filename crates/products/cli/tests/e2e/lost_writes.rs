//! Files that cannot grow: a run goes to its end in time, gives its verdict, and says what was lost.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Server, assert_counts_add_up, command, no_folder, signal, stderr, stdout};

struct Folder(PathBuf);

impl Folder {
    /// With a store in it, made by a run of its own.
    fn new(name: &str, server: &Server) -> Self {
        let folder = no_folder(name);
        std::fs::create_dir_all(&folder).unwrap();
        let made = command(&["run", &server.base, "--iterations", "1"])
            .env("LOADLINE_STORE", folder.join("runs.db"))
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", stderr(&made));
        Self(folder)
    }

    /// The program with files of at most 40 kB, whose further writes fail with EFBIG.
    fn bounded(&self, args: &[&str]) -> Command {
        let mut shell = Command::new("bash");
        shell
            .args(["-c", "trap '' XFSZ; ulimit -f 40; exec \"$@\"", "bash"])
            .arg(env!("CARGO_BIN_EXE_loadline"))
            .args(args)
            .env("LOADLINE_STORE", self.0.join("runs.db"))
            .env("LANG", "C")
            .env_remove("LC_ALL")
            .current_dir(&self.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        shell
    }
}

fn said(output: &Output) -> String {
    let said = stdout(output) + &stderr(output);
    assert_counts_add_up(&said);
    said
}

fn script(folder: &Path, server: &Server, options: &str) {
    let text = format!(
        "import http from 'k6/http';
         export const options = {options};
         export default function () {{ http.get('{}/'); console.log('x'.repeat(500)); }}",
        server.base
    );
    std::fs::write(folder.join("t.js"), text).unwrap();
}

#[test]
fn store_and_log_that_cannot_grow_cost_their_data_and_not_the_verdict() {
    let server = Server::answering_after(Duration::from_millis(5));
    let folder = Folder::new("lost-writes", &server);
    script(&folder.0, &server, "{ vus: 2, duration: '5s' }");
    let begun = Instant::now();
    let ran = folder
        .bounded(&["run", "t.js", "--log-output", "file=run.log"])
        .output()
        .unwrap();
    let (took, said) = (begun.elapsed(), said(&ran));
    assert!(took < Duration::from_secs(60), "{took:?}");
    assert_eq!(ran.status.code(), Some(0), "{said}");
    assert!(said.contains("http_reqs"), "{said}");
    assert!(said.contains("exit code 0"), "{said}");
    assert!(
        said.contains("lines of the log could not be written"),
        "{said}"
    );
    // How much of it was kept depends on where the limit fell.
    assert!(said.contains("disk I/O error"), "{said}");
    // What was there before is still there.
    let shown = command(&["show", "1"])
        .env("LOADLINE_STORE", folder.0.join("runs.db"))
        .output()
        .unwrap();
    assert!(shown.status.success(), "{}", stderr(&shown));
}

#[test]
fn the_first_interrupt_ends_a_run_whose_files_cannot_grow() {
    let server = Server::answering_after(Duration::from_millis(5));
    let folder = Folder::new("lost-writes-stopped", &server);
    script(&folder.0, &server, "{ vus: 2, duration: '300s' }");
    let run = folder
        .bounded(&["run", "t.js", "--log-output", "file=run.log"])
        .args(["--out", "json=samples.json"])
        .spawn()
        .unwrap();
    server.wait_for(600);
    signal(&run, "INT");
    let begun = Instant::now();
    let ended = run.wait_with_output().unwrap();
    let (took, said) = (begun.elapsed(), said(&ended));
    assert!(took < Duration::from_secs(60), "{took:?}");
    assert_eq!(ended.status.code(), Some(105), "{said}");
    assert!(said.contains("STOPPED: "), "{said}");
    assert!(
        said.contains("lines of the log could not be written"),
        "{said}"
    );
    // The log could not say so.
    assert!(said.contains("not delivered"), "{said}");
}
