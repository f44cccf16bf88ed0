//! Answers that keep status and size and lose their content: seen in `compare` of all kinds of tests.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::common::{loadline, no_folder, script, stderr, stdout};

/// Answers with items, or without any and as long.
#[derive(Default)]
struct Shop {
    is_hollow: AtomicBool,
    /// There is one field more.
    has_more: AtomicBool,
    answered: AtomicUsize,
}

impl Shop {
    fn start() -> (Arc<Self>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let shop = Arc::new(Self::default());
        let of_thread = shop.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shop = of_thread.clone();
                std::thread::spawn(move || shop.serve(stream));
            }
        });
        (shop, base)
    }

    fn serve(&self, mut stream: TcpStream) {
        let (mut seen, mut buffer) = (String::new(), [0_u8; 4096]);
        while let Ok(count) = stream.read(&mut buffer) {
            if count == 0 {
                return;
            }
            seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
            while let Some(end) = seen.find("\r\n\r\n") {
                seen.drain(..end + 4);
                let body = self.body();
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
                if stream.write_all((head + &body).as_bytes()).is_err() {
                    return;
                }
            }
        }
    }

    /// 300 bytes, each time with another id, another number of items and now and then a note.
    fn body(&self) -> String {
        let number = self.answered.fetch_add(1, Ordering::Relaxed);
        let note = if number.is_multiple_of(3) {
            r#","note":"new""#
        } else {
            ""
        };
        let items = vec![r#"{"price":7.5}"#; 1 + number % 4].join(",");
        let items = if self.is_hollow.load(Ordering::Relaxed) {
            ""
        } else {
            &items
        };
        let note = if self.has_more.load(Ordering::Relaxed) {
            format!(r#"{note},"extra":2"#)
        } else {
            note.to_owned()
        };
        let body = format!(r#"{{"id":{number}{note},"items":[{items}],"pad":""#);
        format!("{body:-<298}\"}}")
    }
}

#[test]
fn bodies_that_lost_their_content_are_changed_answers_whatever_the_test_is_written_in() {
    let (shop, base) = Shop::start();
    let store = no_folder("changed-bodies").join("runs.db");
    let store = store.to_str().unwrap();
    let k6 = |name: &str, more: &str| {
        let text = format!(
            "import http from 'k6/http'; import {{ sleep }} from 'k6';
             export const options = {{ vus: 2, duration: '3s'{more} }};
             export default function () {{ http.get('{base}/items'); sleep(0.02); }}"
        );
        script(name, &text).display().to_string()
    };
    let artillery = format!(
        "config:
  target: {base}
  phases: [{{duration: 3, arrivalRate: 30}}]
scenarios:
  - flow: [{{get: {{url: /items}}}}]
"
    );
    let tests = [
        vec![
            format!("{base}/items"),
            "--vus=2".to_owned(),
            "--duration=3s".to_owned(),
        ],
        vec![k6("bodies-kept.js", "")],
        vec![k6("bodies-discarded.js", ", discardResponseBodies: true")],
        vec![script("bodies.yml", &artillery).display().to_string()],
    ];
    for test in tests {
        let run = |is_hollow: bool| {
            shop.is_hollow.store(is_hollow, Ordering::Relaxed);
            let test: Vec<&str> = test.iter().map(String::as_str).collect();
            let output = loadline(&[&["run"], &test[..], &["-q", "--store", store]].concat());
            assert!(output.status.code().is_some(), "{}", stderr(&output));
        };
        let compared = |lang: &str| {
            let sides = ["compare", "latest~1", "latest", "--lang", lang];
            stdout(&loadline(&[&sides[..], &["--store", store]].concat()))
        };
        run(false);
        run(false);
        let said = compared("en");
        assert!(!said.contains("ANSWERS CHANGED"), "{test:?} {said}");
        run(true);
        let (said, korean) = (compared("en"), compared("ko"));
        let line = said.lines().find(|line| line.contains("`items` is empty"));
        let line = line.unwrap_or_else(|| panic!("{test:?} {said}"));
        assert!(line.contains(" sampled answers, before in 0 of "), "{line}");
        assert!(said.contains("ANSWERS CHANGED"), "{said}");
        assert!(korean.contains("필드 `items` 비어 있음"), "{korean}");
    }
}

/// Seen: one more field ended `compare --fail-if-worse` as if something had become worse.
#[test]
fn a_field_that_was_added_is_a_note() {
    let (shop, base) = Shop::start();
    let store = no_folder("added-field").join("runs.db");
    let store = store.to_str().unwrap();
    let url = format!("{base}/items");
    let run = |has_more: bool| {
        shop.has_more.store(has_more, Ordering::Relaxed);
        let output = loadline(&["run", &url, "--vus=2", "-d", "3s", "-q", "--store", store]);
        assert!(output.status.code().is_some(), "{}", stderr(&output));
    };
    run(false);
    run(true);
    let compared = |lang: &str| {
        let sides = ["compare", "latest~1", "latest", "--fail-if-worse", "900"];
        loadline(&[&sides[..], &["--lang", lang, "--store", store]].concat())
    };
    let (english, korean) = (stdout(&compared("en")), stdout(&compared("ko")));
    assert!(!english.contains("ANSWERS CHANGED"), "{english}");
    assert!(
        english.contains("answers gained a field, nothing else changed: "),
        "{english}"
    );
    assert!(
        english.contains("added field `extra` is there in "),
        "{english}"
    );
    assert!(
        korean.contains("응답에 필드 추가됨(1개), 그 밖의 변화 없음: "),
        "{korean}"
    );
    assert_ne!(compared("en").status.code(), Some(3), "{english}");
}

#[test]
fn what_is_kept_of_bodies_holds_no_value_of_them() {
    let (_, base) = Shop::start();
    let store = no_folder("kept-bodies").join("runs.db");
    let store = store.to_str().unwrap();
    let url = format!("{base}/items");
    let output = loadline(&["run", &url, "-d", "2s", "-q", "--store", store]);
    assert!(output.status.code().is_some(), "{}", stderr(&output));
    let sampled = loadline_store::Store::open(std::path::Path::new(store)).unwrap();
    let row = sampled.find("latest", 0).unwrap();
    let bodies = sampled.read(row).unwrap().end.unwrap().bodies;
    let text = serde_json::to_string(&bodies).unwrap();
    assert!(text.contains("$.items[].price"), "{text}");
    assert!(!text.contains("7.5") && !text.contains("---"), "{text}");
}
