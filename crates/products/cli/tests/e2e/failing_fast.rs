//! A target that refuses fast what is too much for it: searches and studies count what failed as a
//! miss of their goals, however short it took.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::common::{loadline, no_folder, stderr, stdout};

/// Requests that are worked on at once; more are refused.
const SERVED_AT_ONCE: u64 = 8;
/// How long one is worked on, ms.
const WORK_MS: u64 = 200;

/// Carries 40 evenly spaced requests a second, and refuses at once what comes beyond.
fn refusing() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/", listener.local_addr().unwrap());
    let busy = Arc::new(AtomicU64::new(0));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let busy = busy.clone();
            std::thread::spawn(move || serve(stream, &busy));
        }
    });
    base
}

fn serve(mut stream: TcpStream, busy: &AtomicU64) {
    let (mut seen, mut buffer) = (Vec::new(), [0_u8; 4096]);
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        seen.extend_from_slice(&buffer[..count]);
        while let Some(end) = seen.windows(4).position(|four| four == b"\r\n\r\n") {
            seen.drain(..end + 4);
            let status = if busy.fetch_add(1, Ordering::SeqCst) < SERVED_AT_ONCE {
                std::thread::sleep(Duration::from_millis(WORK_MS));
                "200 OK"
            } else {
                "503 busy"
            };
            busy.fetch_sub(1, Ordering::SeqCst);
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\nok");
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    }
}

/// At 64 a second 37 % fail at once and the others take 200 ms: by answers alone, p95 is kept.
#[test]
fn a_search_misses_its_goal_where_requests_fail_fast() {
    let base = refusing();
    let folder = no_folder("failing-fast");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("answer.json");
    let output = loadline(&[
        "capacity",
        &base,
        "--slo",
        "p(95)<500ms",
        "--arrivals",
        "even",
        "--start-at",
        "32/s",
        "--max-rate",
        "64/s",
        "--goal",
        "60/s",
        "--budget",
        "60s",
        "--confirm",
        "3s",
        "--no-soak",
        "--no-store",
        "--export",
        file.to_str().unwrap(),
    ]);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{said}{}", stderr(&output));
    assert!(said.contains("60.0/s: missed by"), "{said}");
    let answer: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let line = answer["line"]["load"].as_f64().unwrap();
    assert!(line < 50.0, "{said}");
    assert!(said.contains("% errors"), "{said}");
    std::fs::remove_dir_all(folder).unwrap();
}
