//! Scripts of nGrinder, made into k6 scripts: what these send is what the script says, by tables that people wrote.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::common::{command, no_folder, stderr, stdout};

/// What every request is answered with: a token for those who log in, a name for those who ask.
const ANSWER: &str = r#"{"ok":true,"data":{"token":"t-1"},"user":{"name":"Kim"}}"#;

/// Where the scripts send their requests, until a server is there.
const BASE: &str = "http://127.0.0.1:8080";

/// A server that writes down each request: method, path with query, headers that are looked at, body.
struct Recorder {
    base: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Recorder {
    fn start(headers: &'static [&'static str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = requests.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = kept.clone();
                std::thread::spawn(move || record(stream, headers, &kept));
            }
        });
        Self { base, requests }
    }
}

fn record(stream: TcpStream, shown: &[&str], requests: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first).unwrap_or(0) == 0 {
            return;
        }
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            headers.push((name.to_lowercase(), value.to_owned()));
        }
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.map_or(0, |(_, value)| value.parse().unwrap());
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let mut words = first.split(' ');
        let (method, path) = (words.next().unwrap(), words.next().unwrap());
        let mut request = format!("{method} {path}");
        for name in shown {
            if let Some((_, value)) = headers.iter().find(|(known, _)| known == name) {
                request.push_str(&format!(" | {name}: {}", sorted(name, value)));
            }
        }
        if !body.is_empty() {
            request.push_str(&format!(" | {}", form(&String::from_utf8(body).unwrap())));
        }
        requests.lock().unwrap().push(request);
        let content = if method == "HEAD" { "" } else { ANSWER };
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{content}",
            ANSWER.len()
        );
        if reader.get_mut().write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// Cookies in an order of their own: k6 sends those of the longer path first.
fn sorted(name: &str, value: &str) -> String {
    let mut parts: Vec<&str> = value.split("; ").collect();
    if name == "cookie" {
        parts.sort_unstable();
    }
    parts.join("; ")
}

/// The fields of a form, by name.
fn form(body: &str) -> String {
    let mut fields: Vec<&str> = body.split('&').collect();
    if !body.starts_with('{') {
        fields.sort_unstable();
    }
    fields.join("&")
}

fn folder(name: &str) -> PathBuf {
    let folder = no_folder(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Makes a k6 script of a script, runs it and gives back what it sent.
fn sent_by(name: &str, headers: &'static [&'static str], iterations: &str) -> Vec<String> {
    let recorder = Recorder::start(headers);
    let folder = folder(&format!("ngrinder-{name}"));
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../users/ngrinder/tests/scripts");
    let source = std::fs::read_to_string(scripts.join(name)).unwrap();
    std::fs::write(folder.join(name), source.replace(BASE, &recorder.base)).unwrap();
    let converted = command(&["new", "--from", name, "made.js"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(converted.status.success(), "{name}: {}", stderr(&converted));
    assert!(
        stdout(&converted).contains("made.js is written from"),
        "{name}"
    );
    let run = command(&["run", "made.js", "--vus", "1", "--iterations", iterations])
        .current_dir(&folder)
        .output()
        .unwrap();
    // A script with a test that fails on purpose misses its threshold; nothing else may go wrong.
    let code = run.status.code();
    assert!(
        matches!(code, Some(0 | 99)),
        "{name}: {code:?} {} {}",
        stdout(&run),
        stderr(&run)
    );
    let requests = recorder.requests.lock().unwrap();
    requests.clone()
}

#[test]
fn new_scripts_in_groovy_send_what_they_said() {
    assert_eq!(
        sent_by("simple.groovy", &["content-type"], "1"),
        ["GET /items"]
    );
    assert_eq!(
        sent_by("params.groovy", &["x-client", "x-thread"], "1"),
        [
            "GET /search?page=8&q=%EB%B0%A5&sort-by=price | x-client: web | x-thread: t0",
            "HEAD /search/7 | x-client: web | x-thread: t0",
            "DELETE /search/7 | x-client: admin",
        ]
    );
    assert_eq!(
        sent_by("json_body.groovy", &["content-type", "x-last"], "1"),
        [
            r#"POST /orders | content-type: application/json | {"item": "book", "price": "$10"}"#,
            r#"PUT /orders/1 | content-type: application/json | {"item":"pen","count":2,"tags":["a","b"],"buyer":{"name":"Kim"}}"#,
            r#"PATCH /orders/1 | content-type: application/json | {"count":3}"#,
            "POST /notes | content-type: application/json | x-last: yes | {\n  \"note\": \"line 2\"\n}",
        ]
    );
    assert_eq!(
        sent_by("cookies.groovy", &["cookie"], "2"),
        [
            "GET /cart/view | cookie: lang=ko; session=abc123",
            "GET /other | cookie: session=abc123",
            "GET /cart/view | cookie: lang=ko; session=abc123",
            "GET /other | cookie: session=abc123",
        ]
    );
}

#[test]
fn two_tests_run_at_their_rates_and_fail_alone() {
    assert_eq!(
        sent_by("rates.groovy", &["content-type"], "4"),
        [
            "GET /read/a",
            "GET /read/b",
            "GET /read/c",
            "GET /read/a",
            "GET /read/b",
            "GET /read/c",
            "POST /write | content-type: text/plain | n=1",
            "GET /read/a",
            "GET /read/b",
            "GET /read/c",
            "GET /read/a",
            "GET /read/b",
            "GET /read/c",
            "POST /write | content-type: text/plain | n=1",
        ]
    );
}

#[test]
fn old_scripts_in_groovy_send_what_they_said() {
    assert_eq!(
        sent_by("login.groovy", &["authorization", "accept"], "2"),
        [
            "POST /login | id=user0-0&password=secret+word",
            "GET /me | authorization: Bearer t-1 | accept: application/json",
            "GET /me | authorization: Bearer t-1 | accept: application/json",
        ]
    );
    assert_eq!(
        sent_by("pairs.groovy", &["x-old", "x-delete", "cookie"], "1"),
        [
            "GET /people?name=%ED%99%8D%20%EA%B8%B8%EB%8F%99&age=20 | x-old: yes | cookie: seen=1",
            "POST /people | x-old: yes | cookie: seen=1 | age=20&name=%ED%99%8D+%EA%B8%B8%EB%8F%99",
            "DELETE /people/0 | x-delete: d0 | cookie: seen=1",
            "DELETE /people/1 | x-delete: d1 | cookie: seen=1",
        ]
    );
}

#[test]
fn scripts_in_jython_send_what_they_said() {
    assert_eq!(
        sent_by("simple.py", &["content-type"], "1"),
        ["GET /first", "GET /second?a=1&b=x%20y"]
    );
    assert_eq!(
        sent_by("session.py", &["authorization", "content-type"], "2"),
        [
            r#"POST /login | content-type: application/json | {"id":"user0","pw":"p"}"#,
            r#"POST /orders/pen | authorization: Bearer t-1 | content-type: application/json | {"count":2}"#,
            r#"POST /orders/book | authorization: Bearer t-1 | content-type: application/json | {"count":2}"#,
            r#"POST /orders/pen | authorization: Bearer t-1 | content-type: application/json | {"count":2}"#,
            r#"POST /orders/book | authorization: Bearer t-1 | content-type: application/json | {"count":2}"#,
        ]
    );
    assert_eq!(
        sent_by("conditions.py", &["x-none"], "2"),
        [
            "GET /even?page=1",
            "GET /even?page=2",
            "PUT /pick | picked=one",
            "GET /odd?page=1",
            "GET /odd?page=2",
            "PUT /pick | picked=one",
        ]
    );
}

/// What is lost is listed with its line and reason, in both languages; what is no script is refused with place and fix.
#[test]
fn what_is_lost_is_listed_and_other_files_are_refused() {
    let folder = folder("ngrinder-losses");
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../users/ngrinder/tests/scripts");
    std::fs::copy(scripts.join("pairs.groovy"), folder.join("pairs.groovy")).unwrap();
    std::fs::write(folder.join("other.groovy"), "println 'hi'\n").unwrap();
    std::fs::write(
        folder.join("cut.groovy"),
        "import net.grinder.script.GTest\n\nclass A {\n",
    )
    .unwrap();
    std::fs::write(folder.join("load.txt"), "text\n").unwrap();
    let run = |args: &[&str]| command(args).current_dir(&folder).output().unwrap();
    let made = run(&["new", "--from", "pairs.groovy"]);
    let text = stdout(&made);
    assert!(
        text.contains("pairs.js is written from pairs.groovy"),
        "{text}"
    );
    assert!(text.contains("3 places were not turned over"), "{text}");
    assert!(text.contains("line 70: request.POST("), "{text}");
    assert!(text.contains("DriverManager.getConnection"), "{text}");
    let again = run(&["new", "--from", "pairs.groovy"]);
    assert_eq!(again.status.code(), Some(2), "{}", stderr(&again));
    assert!(stderr(&again).contains("--force"), "{}", stderr(&again));
    let korean = run(&["new", "-f", "--from", "pairs.groovy", "--lang", "ko"]);
    assert!(
        stdout(&korean).contains("옮기지 못한 곳 3개"),
        "{}",
        stdout(&korean)
    );
    let script = std::fs::read_to_string(folder.join("pairs.js")).unwrap();
    assert!(script.contains("// 옮기지 못함: 멀티파트 본문"), "{script}");
    for (file, words) in [
        ("other.groovy", "it is no script of nGrinder"),
        ("cut.groovy", "cut.groovy:3"),
        ("load.txt", "neither .groovy nor .py"),
        ("none.py", "there is no file `none.py`"),
    ] {
        let refused = run(&["new", "--from", file, "refused.js"]);
        assert_eq!(refused.status.code(), Some(2), "{file}");
        assert!(
            stderr(&refused).contains(words),
            "{file}: {}",
            stderr(&refused)
        );
        assert!(!folder.join("refused.js").exists(), "{file}");
    }
    for name in ["pairs.groovy", "none.py"] {
        let refused = run(&["run", name]);
        let way = format!("loadline new --from {name}");
        assert!(stderr(&refused).contains(&way), "{}", stderr(&refused));
    }
}
