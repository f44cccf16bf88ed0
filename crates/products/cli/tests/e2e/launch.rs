//! How `run` reads which kind of test is meant, and who is notified of any kind of run.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::access::token;
use crate::common::{Server, command, free_address, no_folder, signal, stderr, stdout, until};

/// A folder with a test of each kind.
fn place(name: &str, server: &Server) -> PathBuf {
    let folder = no_folder(name);
    std::fs::create_dir_all(&folder).unwrap();
    let base = &server.base;
    let script = format!(
        "import http from 'k6/http';
         export const options = {{ iterations: 1 }};
         export default function () {{ http.get('{base}/k6'); }}"
    );
    let file = |target: &str| {
        format!(
            "config: {{ target: \"{target}\", phases: [{{ duration: 1, arrivalRate: 1 }}] }}\nscenarios: [{{ flow: [{{ get: {{ url: \"/artillery\" }} }}] }}]\n"
        )
    };
    let files = [
        ("t.js", script.clone()),
        ("t", script),
        ("t.yml", file(base)),
        ("variable.yml", file("{{ base }}")),
        ("my.env", "A=1\n".to_owned()),
    ];
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
    folder
}

fn run(folder: &Path, args: &[&str]) -> std::process::Output {
    let words = ["run", "--no-store"].iter().chain(args);
    command(&words.copied().collect::<Vec<_>>())
        .current_dir(folder)
        .output()
        .unwrap()
}

/// As Artillery 2.0.34 and k6 2.2.0 take them: both run them all and end with 0.
#[test]
fn a_flag_before_the_file_and_a_link_as_a_value_leave_the_test_what_it_is() {
    let server = Server::start();
    let folder = place("launch-kinds", &server);
    let base = &server.base;
    let variables = format!(r#"{{"base":"{base}"}}"#);
    let overrides = format!(r#"{{"config":{{"target":"{base}"}}}}"#);
    let attached = format!("--variables={variables}");
    let lines: [&[&str]; 15] = [
        &["-k", "t.yml"],
        &["-v", &variables, "variable.yml"],
        &["--variables", &variables, "variable.yml"],
        &[&attached, "variable.yml"],
        &["--overrides", &overrides, "t.yml"],
        &["-t", base, "-k", "t.yml"],
        &["--note", "see http://wiki/x", "t.yml"],
        &["--note", "http://wiki/x", "t.yml"],
        &["--dotenv", "my.env", "-k", "t.yml"],
        &["t.js", "--note", "http://tracker.example/1"],
        &["--note=http://tracker.example/1", "t.js"],
        &["t.js", "--user-agent", "http://bot.example/info"],
        &["--user-agent", "http://bot.example/info", "t.js"],
        &["--tag", "page=http://h/x.yml", "t"],
        &[base, "-i", "1", "--note", "t.yml"],
    ];
    for (number, line) in (1..).zip(lines) {
        let output = run(&folder, line);
        let said = stdout(&output) + &stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{line:?}: {said}");
        assert_eq!(server.requests(), number, "{line:?}: {said}");
    }
}

#[test]
fn a_script_from_standard_input_and_every_test_of_k6_are_k6s() {
    let server = Server::start();
    let folder = place("launch-stdin", &server);
    let shell = |line: &str| {
        std::process::Command::new("sh")
            .args(["-c", line])
            .current_dir(&folder)
            .env("PROGRAM", env!("CARGO_BIN_EXE_loadline"))
            .output()
            .unwrap()
    };
    let typed = shell("\"$PROGRAM\" run --no-store --tag a=http://h/ - < t.js");
    assert_eq!(typed.status.code(), Some(0), "{}", stderr(&typed));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_loadline"), folder.join("k6")).unwrap();
    let script = shell("./k6 run --user-agent http://bot.example/info t.js");
    assert_eq!(script.status.code(), Some(0), "{}", stderr(&script));
    assert_eq!(server.requests(), 2);
    // To k6 it is a script with a mistake in it.
    let file = shell("./k6 run t.yml");
    assert_eq!(file.status.code(), Some(107), "{}", stderr(&file));
    assert_eq!(server.requests(), 2);
}

/// The page was served of the usual store, in which the run is not.
#[test]
fn the_page_of_a_run_is_that_of_the_store_however_it_is_named() {
    let server = Server::start();
    let folder = place("launch-store", &server);
    std::fs::write(
        folder.join("slow.js"),
        "import { sleep } from 'k6'; export default function () { sleep(600); }",
    )
    .unwrap();
    let address = format!("--ui={}", free_address());
    let mut child = command(&["run", &address, "-q", "slow.js", "--store=own.db"])
        .current_dir(&folder)
        .env("HOME", &folder)
        .env("XDG_DATA_HOME", folder.join("data"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    err.read_line(&mut line).unwrap();
    let (_, link) = line.split_once("http://").unwrap();
    let (address, rest) = link.split_once('/').unwrap();
    let (path, _) = rest.split_once("?token=").unwrap();
    let (_, name) = path.rsplit_once('/').unwrap();
    let store = folder.join("own.db");
    let token = token("read", store.to_str().unwrap(), &folder.join("data"));
    until("the run on its page", || {
        let Ok(mut stream) = std::net::TcpStream::connect(address) else {
            return false;
        };
        let request = format!(
            "GET /api/runs/{name} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.starts_with("HTTP/1.1 200")
    });
    signal(&child, "INT");
    signal(&child, "INT");
    child.wait().unwrap();
}

/// Takes what is posted.
pub(crate) struct Hook {
    pub(crate) base: String,
    bodies: Arc<Mutex<Vec<String>>>,
}

impl Hook {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/", listener.local_addr().unwrap());
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let kept = bodies.clone();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let kept = kept.clone();
                std::thread::spawn(move || {
                    let mut reader = BufReader::new(stream.try_clone().unwrap());
                    loop {
                        let mut length = 0;
                        loop {
                            let mut line = String::new();
                            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                                return;
                            }
                            let lower = line.to_lowercase();
                            if let Some(value) = lower.strip_prefix("content-length:") {
                                length = value.trim().parse().unwrap();
                            }
                            if line.trim().is_empty() {
                                break;
                            }
                        }
                        let mut body = vec![0; length];
                        reader.read_exact(&mut body).unwrap();
                        kept.lock()
                            .unwrap()
                            .push(String::from_utf8_lossy(&body).into_owned());
                        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
                        if stream.write_all(answer).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Self { base, bodies }
    }

    pub(crate) fn bodies(&self) -> Vec<String> {
        self.bodies.lock().unwrap().clone()
    }
}

/// Others were told that it begins, and never that it was over.
#[test]
fn a_run_of_a_file_that_is_given_up_is_told_as_that_of_a_script_is() {
    let server = Server::answering_after(Duration::from_secs(60));
    let hook = Hook::start();
    let folder = no_folder("launch-given-up");
    std::fs::create_dir_all(&folder).unwrap();
    let base = &server.base;
    let file = format!(
        "config: {{ target: \"{base}\", http: {{ timeout: 60 }}, phases: [{{ duration: 60, arrivalRate: 1 }}] }}\nscenarios: [{{ flow: [{{ get: {{ url: \"/\" }} }}] }}]\nafter: {{ flow: [{{ get: {{ url: \"/after\" }} }}] }}\n"
    );
    std::fs::write(folder.join("t.yml"), file).unwrap();
    let mut child = command(&["run", "t.yml", "--no-store", "--notify", &hook.base])
        .current_dir(&folder)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    server.wait_for(1);
    signal(&child, "INT");
    let asked = server.requests();
    // The requests of `after` hang, too.
    server.wait_for(asked + 1);
    until("the end", || {
        signal(&child, "INT");
        std::thread::sleep(Duration::from_millis(100));
        child.try_wait().unwrap().is_some()
    });
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("loadline: ABORTED"), "{said}");
    let bodies = hook.bodies();
    assert_eq!(bodies.len(), 2, "{bodies:?}");
    assert!(bodies[1].contains("ABORTED"), "{bodies:?}");
}

#[test]
fn notices_of_a_file_say_that_each_start_has_a_user() {
    let server = Server::start();
    let hook = Hook::start();
    let folder = place("launch-notice", &server);
    let output = run(&folder, &["t.yml", "--notify", &hook.base]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let bodies = hook.bodies();
    assert_eq!(bodies.len(), 2, "{bodies:?}");
    assert!(
        bodies[0].contains("a virtual user for each start") && !bodies[0].contains("0 virtual"),
        "{bodies:?}"
    );
}

/// Seen: `--notify nourl` ran, warned at the end and exited 0.
#[test]
fn a_place_that_takes_no_notices_is_refused_before_load() {
    let server = Server::start();
    let folder = place("launch-notice-nowhere", &server);
    let script = format!(
        "import http from 'k6/http';\nexport default () => {{ http.get('{}/'); }};\n",
        server.base
    );
    std::fs::write(folder.join("s.js"), script).unwrap();
    for test in ["t.yml", "s.js", server.base.as_str()] {
        for url in [
            "nourl",
            "http://",
            "hooks.slack.com/services/T0/B0/secret",
            "ftp://h/x",
            "",
        ] {
            let output = run(&folder, &[test, "--notify", url]);
            let said = stderr(&output);
            assert!(!output.status.success(), "{test} {url}: {said}");
            assert!(
                said.contains("--notify is not a URL"),
                "{test} {url}: {said}"
            );
            assert!(!said.contains("secret"), "{said}");
        }
    }
    assert_eq!(server.requests(), 0);
}
