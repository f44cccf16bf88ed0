//! `--observe`: signals of the target beside the load.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Stdio;

use crate::common::{Server, Started, command, loadline, script, signal, stderr, stdout};

/// The built-in target, as a process of its own.
struct Demo {
    process: Started,
    url: String,
}

impl Demo {
    fn start() -> Self {
        let mut command = command(&["demo", "--address", "127.0.0.1:0"]);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let out = process.stdout.as_mut().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        Self {
            process,
            url: line.trim().to_owned(),
        }
    }

    fn port(&self) -> &str {
        self.url.rsplit(':').next().unwrap()
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        signal(&self.process, "INT");
    }
}

#[test]
fn a_run_says_which_sources_answered() {
    let demo = Demo::start();
    let page = format!("{}/metrics", demo.url);
    let port = format!("port:{}", demo.port());
    let target = format!("{}/fast", demo.url);
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ iterations: 4 }};
         export default function () {{ http.get('{target}'); }}"
    );
    let file = script("observe.js", &text);
    for test in [target.as_str(), file.to_str().unwrap()] {
        let args = ["run", test, "-i", "4", "--no-store"];
        let sources = ["--observe", &page, "--observe", &port];
        let output = loadline(&[&args[..], &sources].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        let expected = format!("signals: {page} answered; {port} answered");
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn a_source_that_does_not_answer_fails_no_run_and_shows_no_password() {
    let server = Server::start();
    let garbage = format!("http://ann:s3cret@{}", server.base.replace("http://", ""));
    let args = ["run", &server.base, "-i", "4", "--no-store", "--lang", "ko"];
    let output = loadline(&[&args[..], &["--observe", &garbage]].concat());
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("응답의 1번째 줄이 지표가 아님"), "{said}");
    assert!(!said.contains("s3cret"), "{said}");
}

/// What Grafana and Spring know of a target is enough; what does not answer is told, and no secret is copied.
#[test]
fn a_first_file_is_made_of_grafanas_data_sources_and_a_spring_configuration() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let port = server.base.rsplit(':').next().unwrap();
    let grafana = "datasources:\n  - {name: Prom, type: prometheus, url: 'http://127.0.0.1:1'}\n  \
        - {name: Cloud, type: cloudwatch}\n";
    std::fs::write(folder.path().join("datasources.yaml"), grafana).unwrap();
    let spring = format!(
        "server: {{port: {port}}}\nspring.datasource: {{url: 'jdbc:postgresql://127.0.0.1:1/shop', \
         username: app, password: hunter22}}\nmanagement.endpoints.web.exposure.include: '*'\n"
    );
    std::fs::write(folder.path().join("application.yml"), spring).unwrap();
    let mut made = command(&["observe", "--init", "datasources.yaml", "application.yml"]);
    let output = made.current_dir(folder.path()).output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(5), "{said}");
    for word in [
        "Cloud is of the type cloudwatch",
        "prometheus://127.0.0.1:1 gives nothing: connection refused",
        "postgres://app:${LOADLINE_DATASOURCE_PASSWORD}@127.0.0.1:1/shop gives nothing",
        "export LOADLINE_DATASOURCE_PASSWORD",
        "/actuator/prometheus gives nothing",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(!said.contains("hunter22"), "{said}");
    let check = loadline(&["observe", "--check", "application.yml"]);
    assert_eq!(check.status.code(), Some(2), "{}", stderr(&check));
}

#[test]
fn a_source_that_cannot_be_read_is_refused_without_its_password() {
    let output = loadline(&["observe", "--check", "mssql://root:hunter22@127.0.0.1/shop"]);
    let said = stderr(&output);
    assert!(!output.status.success(), "{said}");
    assert!(
        said.contains("127.0.0.1/shop") && !said.contains("hunter22"),
        "{said}"
    );
}

#[test]
fn a_check_says_what_each_source_gives() {
    let demo = Demo::start();
    let page = format!("{}/metrics", demo.url);
    let output = loadline(&["observe", "--check", &page]);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("pool-max") && said.contains("workers-max"),
        "{said}"
    );
    let output = loadline(&["observe", "--check", &page, "http://127.0.0.1:1/metrics"]);
    assert_eq!(output.status.code(), Some(5), "{}", stdout(&output));
    let output = loadline(&["observe", "--check", "nothing"]);
    assert!(
        stderr(&output).contains("port:NUMBER"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn explain_names_the_pool_that_is_held_across_a_call_and_predicts_a_larger_one() {
    let demo = Demo::start();
    let page = format!("{}/metrics", demo.url);
    let target = format!("{}/pooled", demo.url);
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let store = ["--store", store.to_str().unwrap()];
    // The pool of 10 is held for 0.51 s each: 19.6/s.
    let args = ["run", &target, "--rate", "40/s", "--duration", "15s"];
    loadline(&[&args[..], &["--observe", &page, "--quiet"], &store].concat());
    let args = ["explain", "latest", "--what-if", "pool=30"];
    let output = loadline(&[&args[..], &store].concat());
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(said.contains("LIMITED BY the connection pool"), "{said}");
    assert!(said.contains("outside call of 500 ms"), "{said}");
    let output = loadline(&[&args[..], &["--json"], &store].concat());
    let file: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(file["findings"][0]["rule"], "pool-held-across-call");
    let rate = file["predictions"][0]["rate"].as_f64().unwrap();
    assert!((rate / 58.8 - 1.0).abs() < 0.2, "{rate}");
    let wrong = loadline(&[&["explain", "--what-if", "weather=good"], &store[..]].concat());
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
}

#[test]
fn explain_says_of_a_target_that_went_away_since_when_nothing_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("http://{}/", listener.local_addr().unwrap());
    // Each connection is answered once; then nobody listens any more.
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten().take(100) {
            let asked = stream.read(&mut [0; 4096]);
            let answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";
            let _ = asked.and_then(|_| stream.write_all(answer));
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    let store = ["--store", store.to_str().unwrap()];
    let args = [
        "run",
        &target,
        "--rate",
        "20/s",
        "--duration",
        "10s",
        "--quiet",
    ];
    loadline(&[&args[..], &store].concat());
    let said = stdout(&loadline(&[&["explain"], &store[..]].concat()));
    assert!(
        said.contains("LIMITED BY a target that does not answer (grade A)"),
        "{said}"
    );
    assert!(
        said.contains("the target refuses all connections"),
        "{said}"
    );
    let said = stdout(&loadline(
        &[&["explain", "--lang", "ko"], &store[..]].concat(),
    ));
    assert!(said.contains("모든 연결을 거부합니다"), "{said}");
}

/// Only the generator's machine was written down; the target's pool, cores and kernel were not.
#[test]
fn how_the_target_was_set_up_stands_with_the_run() {
    let demo = Demo::start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    let (page, port) = (
        format!("{}/metrics", demo.url),
        format!("port:{}", demo.port()),
    );
    let target = format!("{}/fast", demo.url);
    let output = loadline(&[
        "run",
        &target,
        "-i",
        "4",
        "--store",
        &store,
        "--observe",
        &page,
        "--observe",
        &port,
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = |args: &[&str]| stdout(&loadline(&[args, &["--store", &store]].concat()));
    let shown = said(&["show"]);
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let kernel = kernel.trim().split('-').next().unwrap();
    for told in ["pool-max (pool=connections)=10", "host.cores=", kernel] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(said(&["show", "--lang", "ko"]).contains("대상 시스템"));
    for (lang, title) in [("en", "as it was set up"), ("ko", "대상 시스템 설정")] {
        let text = said(&["report", "--format", "markdown", "--lang", lang]);
        assert!(text.contains(title), "{text}");
        assert!(text.contains("pool-max (pool=connections): 10"), "{text}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&said(&["report", "--format", "json"])).unwrap();
    assert_eq!(json["target"]["pool-max (pool=connections)"], "10");
}
