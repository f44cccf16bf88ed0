//! A study holds its trials to the answers of the current settings.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Bench;
use crate::common::{stderr, stdout};

/// What an answer holds, and how long it takes, with `keep=1` and without.
const KEPT_BODY: &str =
    r#"{"id":7,"name":"a place","tags":["a","b"],"text":"what users come for, in so many words"}"#;
const KEPT_TIME: Duration = Duration::from_millis(12);
/// As long, without what users come for.
const HOLLOW_BODY: &str =
    r#"{"id":0,"name":"a place","tags":["a","b"],"text":null,"why":"a database does not answer"}"#;
/// As long and of the same kinds: only what a place's text says is another thing.
const OTHER_BODY: &str =
    r#"{"id":7,"name":"a place","tags":["b","a"],"text":"what users come for, in so many words"}"#;
const EMPTIED_BODY: &str = "{}";
const EMPTIED_TIME: Duration = Duration::from_millis(2);

/// Answers as the line of `app.properties` says, read for each request.
fn emptied_by(properties: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let properties = properties.clone();
            std::thread::spawn(move || serve(stream, &properties));
        }
    });
    base
}

fn serve(mut stream: TcpStream, properties: &Path) {
    let (mut seen, mut buffer) = (String::new(), [0_u8; 4096]);
    while let Ok(count) = stream.read(&mut buffer) {
        if count == 0 {
            return;
        }
        seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
        while let Some(end) = seen.find("\r\n\r\n") {
            let is_hollow = seen[..end].contains(" /hollow/");
            let is_other = seen[..end].contains(" /other/");
            seen.drain(..end + 4);
            let text = std::fs::read_to_string(properties).unwrap_or_default();
            let (body, time) = if text.contains("keep=0") {
                let body = match (is_hollow, is_other) {
                    (true, _) => HOLLOW_BODY,
                    (_, true) => OTHER_BODY,
                    _ => EMPTIED_BODY,
                };
                (body, EMPTIED_TIME)
            } else {
                (KEPT_BODY, KEPT_TIME)
            };
            std::thread::sleep(time);
            let length = body.len();
            let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}");
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    }
}

pub(super) fn bench(name: &str, goal: &str, more: &str) -> Bench {
    let bench = Bench::new(name, "");
    std::fs::write(bench.path("app.properties"), "keep=1\n").unwrap();
    let base = emptied_by(bench.path("app.properties"));
    let study = format!(
        "test: {base}/places/7 --vus 2 --duration 3s
goal: {goal}
pause: 0s
{more}knobs:
  - name: keep
    values: [0, 1]
    now: 1
    property: {{file: app.properties, key: keep}}
budget: {{trials: 24}}
"
    );
    std::fs::write(bench.path("study.yaml"), study).unwrap();
    bench
}

#[test]
fn a_setting_that_empties_answers_is_never_taken_however_fast() {
    for goal in ["throughput max", "meet mean<=8ms"] {
        let bench = bench("emptied", goal, "");
        let answer = bench.answer();
        // Seen: a setting that misses the goal was called the winner.
        let (kind, member) = if goal.starts_with("meet") {
            ("goal-missed", "candidate")
        } else {
            ("none-works", "winner")
        };
        assert_eq!(answer[member]["keep"], "1", "{goal}: {answer:#}");
        let other = if member == "winner" {
            "candidate"
        } else {
            "winner"
        };
        assert!(answer[other].is_null(), "{goal}: {answer:#}");
        assert_eq!(answer["outcome"]["kind"], kind, "{goal}: {answer:#}");
        assert_eq!(
            answer["other_answers"][0]["keep"], "0",
            "{goal}: {answer:#}"
        );
        let reason = answer["trials"]
            .as_array()
            .unwrap()
            .iter()
            .find(|trial| trial["other_answers"] == true)
            .map(|trial| trial["reason"].to_string())
            .unwrap();
        let said = "/places/{id} answers otherwise at $.id: with the current settings 7, now –";
        assert!(reason.contains(said), "{reason}");
    }
}

/// Seen: of six values of a knob the one that emptied a list was the winner, as its bodies were as long as before.
#[test]
fn a_setting_whose_answers_keep_their_size_and_lose_their_content_is_never_taken() {
    assert_eq!(HOLLOW_BODY.len(), KEPT_BODY.len());
    let bench = bench("hollow", "mean min", "");
    let study = bench.text("study.yaml").replace("/places/7", "/hollow/7");
    std::fs::write(bench.path("study.yaml"), study).unwrap();
    let answer = bench.answer();
    assert_eq!(answer["outcome"]["kind"], "none-works", "{answer:#}");
    assert_eq!(answer["other_answers"][0]["keep"], "0", "{answer:#}");
    let trials = answer["trials"].as_array().unwrap();
    let other = trials.iter().find(|trial| trial["other_answers"] == true);
    let reason = other.unwrap()["reason"].to_string();
    let said = "answers otherwise at $.id: with the current settings 7, now 0";
    assert!(reason.contains(said), "{reason}");
}

/// Sizes, kinds and words are the same: only the answers themselves, held against each other, show the other order.
#[test]
fn a_setting_under_which_a_list_has_another_order_is_never_taken() {
    assert_eq!(OTHER_BODY.len(), KEPT_BODY.len());
    let bench = bench("other-order", "mean min", "");
    let study = bench.text("study.yaml").replace("/places/7", "/other/7");
    std::fs::write(bench.path("study.yaml"), study).unwrap();
    let answer = bench.answer();
    assert_eq!(answer["other_answers"][0]["keep"], "0", "{answer:#}");
    let trials = answer["trials"].as_array().unwrap();
    let other = trials.iter().find(|trial| trial["other_answers"] == true);
    let reason = other.unwrap()["reason"].to_string();
    assert!(reason.contains("answers otherwise at $.tags: "), "{reason}");
}

#[test]
fn what_changed_in_answers_is_said_in_korean_too_and_no_text_is_to_be_pasted() {
    let bench = bench("emptied-ko", "mean min", "");
    let output = bench.tune(&["--lang", "ko"]);
    let (told, said) = (stderr(&output), stdout(&output));
    assert!(told.contains("응답이 달라져 제외"), "{told}");
    let given_up = "응답이 달라지는 설정(아무리 빨라도 선택하지 않음): keep=0";
    assert!(said.contains(given_up), "{said}");
    let keep =
        "시도한 다른 설정은 모두 실패하거나 응답이 달라졌습니다: 현재 설정을 그대로 두세요\n";
    assert!(said.starts_with(keep), "{said}");
    assert!(!said.contains("붙여 넣을 내용"), "{said}");
}

#[test]
fn a_knob_that_is_meant_to_change_answers_is_judged_by_its_speed() {
    let bench = bench("meant", "mean min", "answers: any\n");
    let answer = bench.answer();
    assert_eq!(answer["outcome"]["kind"], "better", "{answer:#}");
    assert_eq!(answer["winner"]["keep"], "0");
}

#[test]
fn answers_that_nobody_stored_are_not_compared_and_that_is_said_once() {
    let bench = bench("unstored", "mean min", "");
    let study = bench.path("study.yaml").display().to_string();
    let mut command = crate::common::command(&["tune", &study, "--seed", "1"]);
    let output = command.env("LOADLINE_STORE", "off").output().unwrap();
    let told = stderr(&output);
    let why =
        "answers of trials are not compared with those of the current settings: nothing is stored";
    assert_eq!(told.matches(why).count(), 1, "{told}");
}
