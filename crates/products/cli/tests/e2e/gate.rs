//! The waiting room as its owner starts it: first key, a queue, an import, an end in good order.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{ChildStdout, Stdio};

use crate::common::{Started, command, signal, stderr, stdout};

struct Gate {
    process: Started,
    out: BufReader<ChildStdout>,
    public: String,
    admin: String,
}

impl Gate {
    fn start(directory: &Path) -> Self {
        Self::start_with(directory, &[])
    }

    fn start_with(directory: &Path, more: &[&str]) -> Self {
        let mut process = command(&["gate", "--public", "127.0.0.1:0", "--admin", "127.0.0.1:0"])
            .args(more)
            .current_dir(directory)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            line
        };
        let (public, admin, store) = (line(), line(), line());
        assert!(
            public.starts_with("visitors: http://127.0.0.1:"),
            "{public}"
        );
        assert_eq!(
            store,
            format!(
                "kept in files in {}\n",
                directory.join(".loadline/gate").display()
            )
        );
        let admin = admin.trim().trim_start_matches("admin: http://").to_owned();
        let public = public.trim().trim_start_matches("visitors: http://");
        Self {
            process,
            out,
            public: public.to_owned(),
            admin,
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }

    /// A call with a key; the answer's body.
    fn post(&self, path: &str, key: &str, body: &str) -> serde_json::Value {
        let mut stream = TcpStream::connect(&self.admin).unwrap();
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer {key}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// Ctrl-C; exit code, what it said on standard error, and what else on standard output.
    fn end(mut self) -> (Option<i32>, String, String) {
        signal(&self.process, "INT");
        let mut said = String::new();
        self.process
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        (self.process.wait().unwrap().code(), said, rest)
    }
}

/// A file's permissions.
fn mode_of(file: &Path) -> u32 {
    std::fs::metadata(file).unwrap().permissions().mode() & 0o777
}

/// The whole answer to a GET.
fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// A test that fails leaves no gate behind.
impl Drop for Gate {
    fn drop(&mut self) {
        // One that has ended cannot be killed, which is as well.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_first_key_is_shown_once_and_makes_a_queue_that_takes_a_capacity() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gate");
    // What an earlier run left.
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir_all(&home).unwrap();
    let mut gate = Gate::start(&home);
    // Its output is a log here, which holds no key.
    let kept = home.join(".loadline/gate/first-key");
    let said = format!(
        "Root key: in {}, which only its owner can read. Keep it in a safe place\n",
        kept.display()
    );
    assert_eq!(gate.line(), said);
    assert_eq!(mode_of(&kept), 0o600);
    let key = std::fs::read_to_string(&kept).unwrap().trim().to_owned();
    let tenant = gate.post("/v1/tenants", &key, r#"{"name":"shop"}"#)["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let body = format!(
        r#"{{"tenant":"{tenant}","slug":"sale","redirect_origins":["https://shop.example"]}}"#
    );
    let queue = gate.post("/v1/queues", &key, &body)["id"]
        .as_str()
        .unwrap()
        .to_owned();

    let file = home.join("capacity.json");
    let capacity = r#"{"loadline_capacity":1,"unit":"iterations-per-second","test":{"run":"r12"},
        "line":{"load":100,"beyond":110,"requests_per_second":500},"knee":{"in_flight":40},"requests_per_session":5,"session_ms":70,"think_ms":0}"#;
    std::fs::write(&file, capacity).unwrap();
    let import = [
        "gate",
        "import",
        "capacity.json",
        "--queue",
        &queue,
        "--admin",
        &gate.admin,
        "--key",
        &key,
    ];
    let refused = command(&import).current_dir(&home).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "a visit is not known");
    // A line at which every answer was wrong is none.
    let faults = r#""requests_per_second":500,"faults":{"checks":42,"failed_checks":42}"#;
    let wrong = capacity.replace(r#""requests_per_second":500"#, faults);
    std::fs::write(&file, wrong).unwrap();
    for (lang, expected) in [
        ("en", "42 of 42 checks failed"),
        ("ko", "check 42개 중 42개가 실패"),
    ] {
        let mut import = command(&import);
        let refused = import.args(["--lang", lang]).current_dir(&home);
        let refused = refused.output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(expected), "{}", stderr(&refused));
    }
    std::fs::write(&file, capacity).unwrap();
    let session = ["--session", "3m", "--requests-per-session", "10"];
    let import: Vec<&str> = import.into_iter().chain(session).collect();
    let imported = command(&import).current_dir(&home).output().unwrap();
    let said = stdout(&imported);
    let rules =
        format!("queue {queue}: rate 40.0/s, cap 7,200 (people inside at that rate, 180 s each)");
    assert!(
        said.starts_with(&rules) && said.contains("only 15.0/s are let in"),
        "{said} {:?}",
        String::from_utf8(imported.stderr)
    );
    let (code, said, _) = gate.end();
    assert_eq!(code, Some(0));
    assert!(said.ends_with("ended; connections cut: 0\n"), "{said}");

    // The second start has the key, and shows none.
    let gate = Gate::start(&home);
    let refused = gate.post("/v1/tenants", &key, "{}");
    assert_eq!(
        refused["error"]["code"], "bad_request",
        "the key is good, the body is not"
    );
    let (code, _, rest) = gate.end();
    assert_eq!((code, rest.as_str()), (Some(0), ""));
}

/// Seen: two addresses, and then that the gate cannot start.
#[test]
fn a_gate_that_cannot_open_says_no_addresses() {
    let home = tempfile::tempdir().unwrap();
    let _first = Gate::start(home.path());
    let second = command(&["gate", "--public", "127.0.0.1:0", "--admin", "127.0.0.1:0"])
        .current_dir(home.path())
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert_eq!(stdout(&second), "");
    assert!(stderr(&second).contains("another"), "{}", stderr(&second));
}

/// A key that is lost is made anew by those who have the store and the secret; another secret is
/// refused, since its gate would turn everybody away.
#[test]
fn a_lost_key_is_made_anew_and_another_secret_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let mut gate = Gate::start(home.path());
    gate.line();
    let recover = ["gate", "recover-key", "--file", "root.key", "--lang", "en"];
    let in_use = command(&recover).current_dir(home.path()).output().unwrap();
    assert_eq!(in_use.status.code(), Some(2), "the gate runs");
    let file = home.path().join("root.key");
    assert!(!file.exists(), "a key that opens nothing");
    gate.end();

    let recovered = command(&recover).current_dir(home.path()).output().unwrap();
    let said = stdout(&recovered);
    assert!(said.starts_with("New root key: in "), "{said}");
    assert_eq!(mode_of(&file), 0o600);
    let again = command(&recover).current_dir(home.path()).output().unwrap();
    assert_eq!(again.status.code(), Some(2), "the file is kept as it is");
    let key = std::fs::read_to_string(&file).unwrap().trim().to_owned();
    let gate = Gate::start(home.path());
    assert_eq!(
        gate.post("/v1/tenants", &key, r#"{"name":"a"}"#)["name"],
        "a"
    );
    gate.end();

    let other = home.path().join("other.secret");
    std::fs::write(&other, "ab".repeat(32)).unwrap();
    let other = [
        "gate",
        "--public",
        "127.0.0.1:0",
        "--admin",
        "127.0.0.1:0",
        "--secret-file",
    ];
    let refused = command(&other)
        .args(["other.secret", "--lang", "en"])
        .current_dir(home.path())
        .output()
        .unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("sign with another secret"), "{said}");
    assert_eq!(refused.status.code(), Some(2));
}

/// A key from a secret of the platform is a root key from the start, and nothing is written.
#[test]
fn a_given_root_key_opens_and_shows_nothing() {
    let home = tempfile::tempdir().unwrap();
    let made = command(&["gate", "new-key"]).output().unwrap();
    let key = stdout(&made).trim().to_owned();
    std::fs::write(home.path().join("given"), &key).unwrap();
    for _ in 0..2 {
        let gate = Gate::start_with(home.path(), &["--root-key-file", "given"]);
        assert_eq!(
            gate.post("/v1/tenants", &key, r#"{"name":"a"}"#)["name"],
            "a"
        );
        let (_, _, rest) = gate.end();
        assert_eq!(rest, "");
    }
    assert!(!home.path().join(".loadline/gate/first-key").exists());
}

/// The example of people who wait on streams: register, subscribe, admitted by another
/// scenario.
#[test]
fn visitors_of_a_script_wait_on_streams_until_they_are_let_in() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gate-streams");
    // What an earlier run left.
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir_all(&home).unwrap();
    let mut gate = Gate::start(&home);
    gate.line();
    let kept = home.join(".loadline/gate/first-key");
    let key = std::fs::read_to_string(kept).unwrap().trim().to_owned();
    let id = |answer: serde_json::Value| answer["id"].as_str().unwrap().to_owned();
    let tenant = id(gate.post("/v1/tenants", &key, r#"{"name":"shop"}"#));
    let body = format!(
        r#"{{"tenant":"{tenant}","slug":"sale","mode":"hold","cap":1000,"redirect_origins":["https://shop.example"]}}"#
    );
    let queue = id(gate.post("/v1/queues", &key, &body));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/gate/streams.js");
    let (gate_base, key, queue) = (
        format!("GATE=http://{}", gate.public),
        format!("KEY={key}"),
        format!("QUEUE={queue}"),
    );
    let args = [
        "run",
        "-q",
        script.to_str().unwrap(),
        "-e",
        &gate_base,
        "-e",
        &key,
        "-e",
        &queue,
        "-e",
        "VISITORS=20",
        "-e",
        "ADMIT=10",
        "-e",
        "ADMIT_AFTER=5s",
        "-e",
        // Not all within one second, in which a disk or a core may be away for all of them.
        "ARRIVE=5",
    ];
    let output = command(&args).output().unwrap();
    let said = stdout(&output);
    // Thresholds: at least 20 registered, as many admitted, nobody lost.
    assert!(
        said.contains("lost 0\n"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(said.contains("sse_event"), "{said}");
    assert_eq!(output.status.code(), Some(0), "{said}");
    gate.end();
}

/// The services that check a visitor's proof: one does it itself, one has its proxy ask.
#[test]
fn services_let_in_whom_the_gate_let_in_and_nobody_else() {
    let check =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/gate/verify/check.py");
    let output = std::process::Command::new("python3")
        .arg(check)
        .arg(env!("CARGO_BIN_EXE_loadline"))
        .args(["node", "nginx"])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        stdout(&output),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Started before its Redis: it lives, is not ready, tells people to ask again, and ends well.
#[test]
fn a_gate_whose_redis_is_away_stays_up_and_says_that_it_is_not_ready() {
    let directory = tempfile::tempdir().unwrap();
    let away = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let redis = format!("redis://{}", away.local_addr().unwrap());
    drop(away);
    let mut process = command(&["gate", "--public", "127.0.0.1:0", "--admin", "127.0.0.1:0"])
        .args(["--redis", &redis])
        .current_dir(directory.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(process.stdout.take().unwrap());
    let mut address = |before: &str| {
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        line.trim().trim_start_matches(before).to_owned()
    };
    let public = address("visitors: http://");
    let admin = address("admin: http://");
    assert!(get(&admin, "/healthz").starts_with("HTTP/1.1 200 "));
    for (address, path) in [(&admin, "/readyz"), (&public, "/w/q_0123456789abcdef")] {
        let answer = get(address, path);
        assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
        assert!(answer.contains("retry-after: 2"), "{answer}");
    }
    signal(&process, "TERM");
    assert_eq!(process.wait().unwrap().code(), Some(0));
    let mut said = String::new();
    let mut error = process.stderr.take().unwrap();
    error.read_to_string(&mut said).unwrap();
    let timed = r#""event":"store_away","why""#;
    assert!(
        said.contains(timed) && said.contains("\"time_s\":"),
        "{said}"
    );
}

/// SIGTERM takes a gate out of service before it closes: probes say so, visitors are served on.
#[test]
fn a_gate_told_to_end_serves_on_until_nobody_is_sent_to_it() {
    let home = tempfile::tempdir().unwrap();
    let mut gate = Gate::start_with(home.path(), &["--drain-delay", "1h"]);
    gate.line();
    let mut said = BufReader::new(gate.process.stderr.take().unwrap());
    signal(&gate.process, "TERM");
    let mut line = String::new();
    while !line.contains("\"event\":\"draining\"") {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it ended");
    }
    let ready = get(&gate.admin, "/readyz");
    assert!(ready.starts_with("HTTP/1.1 503 "), "{ready}");
    assert!(get(&gate.admin, "/healthz").starts_with("HTTP/1.1 200 "));
    let served = get(&gate.public, "/w/q_0123456789abcdef");
    assert!(served.starts_with("HTTP/1.1 404 "), "{served}");
    // A second signal: somebody does not want to wait.
    signal(&gate.process, "TERM");
    assert_eq!(gate.process.wait().unwrap().code(), Some(0));
}

/// The guide's calls of the admin API, in both languages, one after the other.
#[test]
fn every_call_that_the_guide_shows_works() {
    for guide in ["gate.md", "gate.ko.md"] {
        let folder = tempfile::tempdir().unwrap();
        let mut gate = Gate::start(folder.path());
        let _ = gate.line();
        let key = folder.path().join(".loadline/gate/first-key");
        let key = std::fs::read_to_string(key).unwrap().trim().to_owned();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/guide");
        let guide = std::fs::read_to_string(path.join(guide)).unwrap();
        std::fs::write(folder.path().join("logo.png"), b"\x89PNG\r\n\x1a\n").unwrap();
        let (mut tenant, mut queue, mut count) = (String::new(), String::new(), 0);
        // A call may go on in an indented line.
        let text = guide.replace(",\n  \"", ", \"");
        for call in text.lines().filter(|line| line.starts_with("curl ")) {
            let call = call.replace("t_...", &tenant).replace("q_...", &queue);
            let output = std::process::Command::new("sh")
                .args(["-c", &call.replace("curl ", "curl -sS -f --noproxy '*' ")])
                .env("H", format!("Authorization: Bearer {key}"))
                .env("A", format!("http://{}", gate.admin))
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert!(output.status.success(), "{call}: {output:?}");
            let id = |prefix: &str| {
                let answer = stdout(&output);
                let (_, rest) = answer.split_once(&format!("\"id\":\"{prefix}"))?;
                Some(format!("{prefix}{}", rest.split('"').next()?))
            };
            tenant = id("t_").unwrap_or(tenant);
            queue = id("q_").unwrap_or(queue);
            count += 1;
        }
        assert!(count >= 17, "{count} calls");
        let audit = std::fs::read_to_string(folder.path().join("audit.json")).unwrap();
        assert!(audit.contains("\"what\":"), "{audit}");
        gate.end();
    }
}
