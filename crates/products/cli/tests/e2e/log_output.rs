//! Log lines where `--log-output` sends them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use crate::common::{command, free_address, no_folder, script, stderr};

const SCRIPT: &str =
    "export const options = { iterations: 2, thresholds: { iterations: ['count>9'] } };
export default function () { console.log(`it ${__ITER}`); }
";

/// Takes pushes; gives its address and their bodies.
fn loki() -> (String, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut length, mut line) = (0, String::new());
            while stream.read_line(&mut line).unwrap() > 2 {
                let lower = line.to_ascii_lowercase();
                if let Some(value) = lower.strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let answer = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
            stream.get_mut().write_all(answer).unwrap();
            let _ = tell.send(serde_json::from_slice(&body).unwrap());
        }
    });
    (address, told)
}

/// Labels with the texts under them.
fn texts(body: &Value) -> Vec<(Value, Vec<&str>)> {
    let streams = body["streams"].as_array().unwrap().iter();
    let streams = streams.map(|stream| {
        let values = stream["values"].as_array().unwrap().iter();
        let texts = values.map(|value| value[1].as_str().unwrap());
        (stream["stream"].clone(), texts.collect())
    });
    streams.collect()
}

#[test]
fn loki_gets_all_lines_before_the_run_is_over() {
    let (address, pushed) = loki();
    let path = script("log-loki.js", SCRIPT);
    let output = command(&["run", "-q", "--no-store", path.to_str().unwrap()])
        // Only the end pushes.
        .arg(format!(
            "--log-output=loki=http://{address}/loki/api/v1/push,pushPeriod=60s,label.run=7"
        ))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(99));
    let crossed = "thresholds on metrics 'iterations' have been crossed";
    let expected = vec![
        (json!({ "level": "error", "run": "7" }), vec![crossed]),
        (
            json!({ "level": "info", "run": "7", "source": "console" }),
            vec!["it 0", "it 1"],
        ),
    ];
    assert_eq!(texts(&pushed.recv().unwrap()), expected);
    // Why it failed is to be seen here too, and nothing else of the log.
    let said = stderr(&output);
    assert!(
        said.contains(&format!("level=error msg=\"{crossed}\"")),
        "{said}"
    );
    assert!(!said.contains("it 0"), "{said}");
}

#[test]
fn a_loki_that_is_away_is_told_and_does_not_change_the_run() {
    let free = free_address();
    let path = script(
        "log-loki-away.js",
        "export default function () { console.log('x'); }\n",
    );
    let output = command(&["run", "-q", "--no-store", path.to_str().unwrap()])
        .arg(format!("--log-output=loki=http://{free}/push"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = stderr(&output);
    assert!(
        said.contains(&format!(
            "level=error msg=\"Error while sending logs to loki\" error=\"Post \\\"http://{free}/push\\\": "
        )),
        "{said}"
    );
}

#[test]
fn a_log_file_is_its_owners_alone_and_needs_its_folder() {
    let folder = no_folder("log-file");
    let path = script("log-file.js", SCRIPT);
    let file = folder.join("run.log");
    let run = || {
        command(&["run", "-q", "--no-store", path.to_str().unwrap()])
            .arg(format!("--log-output=file={},level=info", file.display()))
            .output()
            .unwrap()
    };
    let refused = run();
    assert_eq!(refused.status.code(), Some(255));
    let words = format!("provided directory '{}' does not exist", folder.display());
    assert!(stderr(&refused).contains(&words), "{}", stderr(&refused));
    std::fs::create_dir_all(&folder).unwrap();
    assert_eq!(run().status.code(), Some(99));
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .contains("msg=\"it 1\"")
    );
}
