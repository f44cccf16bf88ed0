//! Who reads the web pages: those who have the link or a token, also on this machine.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use crate::common::{Server, Stopwatch, command, loadline, stderr, stdout};
use crate::serve::{Pages, call};

/// Address and path of the line that says where the pages are.
pub(crate) fn link(line: &str) -> Option<(String, String)> {
    let (_, rest) = line.split_once("http://")?;
    let (address, path) = rest.split_once('/')?;
    path.contains("?token=")
        .then(|| (address.to_owned(), format!("/{}", path.trim())))
}

/// The token of a role for the pages of a store, by the secret of a data folder.
pub(crate) fn token(role: &str, store: &str, data: &Path) -> String {
    let mut asked = command(&["access", "--role", role, "--token", "--store", store]);
    let printed = asked.env("XDG_DATA_HOME", data).output().unwrap();
    assert_eq!(printed.status.code(), Some(0), "{}", stderr(&printed));
    stdout(&printed).trim().to_owned()
}

/// Head, in small letters, and body of what a path gives with this header, or none.
fn get(address: &str, path: &str, header: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let end = if header.is_empty() { "" } else { "\r\n" };
    let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{header}{end}");
    write!(stream, "{head}Connection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_lowercase(), body.to_owned())
}

/// The cookie that a printed link sets.
fn opened(address: &str, link: &str) -> String {
    let (head, _) = get(address, link, "");
    assert!(head.starts_with("http/1.1 303"), "{head}");
    let (_, to) = head.split_once("location: ").unwrap();
    assert!(!to.contains("token="), "{head}");
    let (_, set) = head.split_once("set-cookie: ").unwrap();
    format!("Cookie: {}", set.split(';').next().unwrap())
}

/// Two runs in a store that other users cannot open.
fn kept(folder: &Path) -> (Server, String) {
    let server = Server::start();
    let store = folder.join("runs.db").to_str().unwrap().to_owned();
    for _ in 0..2 {
        let run = loadline(&["run", &server.base, "-i", "3", "--quiet", "--store", &store]);
        assert!(matches!(run.status.code(), Some(0 | 4)), "{}", stderr(&run));
    }
    assert_eq!(std::fs::metadata(&store).unwrap().mode() & 0o777, 0o600);
    (server, store)
}

/// They all read the runs that the store hides, since reading needed no token.
#[test]
fn another_user_without_the_link_reads_no_run() {
    let folder = tempfile::tempdir().unwrap();
    let (server, store) = kept(folder.path());
    let pages = Pages::serve_at("127.0.0.1:0", &store, folder.path());
    let secret = folder.path().join("loadline/page-secret");
    assert_eq!(std::fs::metadata(secret).unwrap().mode() & 0o777, 0o600);
    let paths = [
        "/",
        "/runs/latest",
        "/api/runs",
        "/api/runs/latest?lang=ko",
        "/api/runs/latest/live",
        "/api/runs/latest/report.json",
        "/api/compare?before=latest~1&after=latest",
        "/api/compare/report.md?before=latest~1&after=latest",
        "/api/studies",
        "/api/tests",
    ];
    for path in paths {
        let (head, body) = get(&pages.address, path, "");
        assert!(head.starts_with("http/1.1 401"), "{path}: {head}");
        assert!(!body.contains(&server.base), "{path}: {body}");
    }
    assert!(!pages.link.contains(&pages.token), "tokens are not printed");
    let cookie = opened(&pages.address, &pages.link);
    for path in paths {
        let (head, _) = get(&pages.address, path, &cookie);
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
    }
    let (_, events) = get(&pages.address, "/api/runs/latest/live", &cookie);
    assert!(events.contains("event: run"), "{events}");

    // A browser that has the pages open goes on after a restart.
    let (address, link) = (pages.address.clone(), pages.link.clone());
    pages.end();
    let pages = Pages::serve_at(&address, &store, folder.path());
    let (head, _) = get(&address, "/api/runs", &cookie);
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert_ne!(link, pages.link);
    pages.end();
}

#[test]
fn a_token_allows_what_its_role_does_until_it_is_renewed() {
    let folder = tempfile::tempdir().unwrap();
    let (server, store) = kept(folder.path());
    let pages = Pages::serve_at("127.0.0.1:0", &store, folder.path());
    let [read, run, own] = ["read", "run", "own"].map(|role| token(role, &store, folder.path()));
    let test = serde_json::json!({ "test": server.base, "options": ["-i", "1"] }).to_string();
    let note = r#"{"note":"mine"}"#;
    for (token, method, path, body, status) in [
        (&read, "GET", "/api/runs", "", 200),
        (&read, "POST", "/api/runs/latest/note", note, 403),
        (&read, "POST", "/api/tests", &test, 403),
        (&run, "POST", "/api/runs/latest/note", note, 204),
        (&run, "DELETE", "/api/runs/latest", "", 403),
        (&own, "DELETE", "/api/runs/latest", "", 204),
    ] {
        let (found, said) = call(&pages.address, token, method, path, body);
        assert_eq!(found, status, "{method} {path}: {said}");
    }
    let access = |flags: &[&str]| {
        let all = [&["access", "--store", &store], flags].concat();
        let printed = command(&all).env("XDG_DATA_HOME", folder.path()).output();
        stdout(&printed.unwrap())
    };
    let at = ["--role", "read", "--address", &pages.address];
    let (_, link_of_read) = link(&access(&at)).unwrap();
    let cookie = opened(&pages.address, &link_of_read);
    let (_, session) = get(&pages.address, "/api/session", &cookie);
    assert_eq!(session, r#"{"role":"read"}"#);

    let (_, renewed) = link(&access(&["--renew", "--address", &pages.address])).unwrap();
    let old = call(&pages.address, &own, "GET", "/api/runs", "").0;
    assert_eq!(old, 401, "the server that goes on knows");
    for (path, header) in [
        ("/api/runs", &*cookie),
        (&*link_of_read, ""),
        (&*pages.link, ""),
    ] {
        let (head, _) = get(&pages.address, path, header);
        assert!(head.starts_with("http/1.1 401"), "{path}: {head}");
    }
    opened(&pages.address, &renewed);
    pages.end();
}

#[test]
fn a_link_is_printed_for_the_address_that_was_named() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let access = |address: &str| {
        let store = store.to_str().unwrap();
        command(&["access", "--store", store, "--address", address])
            .env("XDG_DATA_HOME", folder.path())
            .output()
            .unwrap()
    };
    let printed = stdout(&access("https://load.example:8443/"));
    assert!(
        printed.starts_with("https://load.example:8443/?token=own."),
        "{printed}"
    );
    for wrong in [
        "ftp://load.example",
        "a b",
        "http://me@load.example",
        "http://",
    ] {
        let refused = access(wrong);
        assert_eq!(
            refused.status.code(),
            Some(2),
            "{wrong}: {}",
            stdout(&refused)
        );
        assert!(
            stderr(&refused).contains("--address"),
            "{}",
            stderr(&refused)
        );
    }
}

/// Any user of the machine can open connections that say nothing; they shut the pages for 70 s.
#[test]
fn connections_that_say_nothing_do_not_shut_the_pages() {
    const SILENT_CONNECTIONS: usize = 1300;
    const FILES_MIN: u64 = 2048;
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let current = limit.current.map(|files| files.max(FILES_MIN));
    let raised = rustix::process::Rlimit { current, ..limit };
    rustix::process::setrlimit(rustix::process::Resource::Nofile, raised).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (_server, store) = kept(folder.path());
    let pages = Pages::serve(&store);
    let silent = (0..SILENT_CONNECTIONS).map(|_| TcpStream::connect(&pages.address).unwrap());
    let silent: Vec<TcpStream> = silent.collect();
    let watch = Stopwatch::start();
    let (status, body) = call(&pages.address, &pages.token, "GET", "/api/runs", "");
    assert_eq!(status, 200, "{body}");
    watch.assert_within(Duration::from_secs(5));
    assert_eq!(silent.len(), SILENT_CONNECTIONS);
    drop(silent);
    pages.end();
}
