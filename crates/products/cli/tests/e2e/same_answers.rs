//! Answers held to those of a run before: what was planted is found at its place, what varies by itself is none.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::common::{loadline, no_folder, script, stderr, stdout};

/// A change: which text of the answer becomes which.
#[derive(Clone, Default)]
struct Planted {
    from: &'static str,
    to: &'static str,
    status: Option<u16>,
    media_type: Option<&'static str>,
}

/// A list of apps: ids, times and the order of tags are others in each answer.
struct Apps {
    planted: Mutex<Planted>,
    /// Of the numbers drawn.
    state: Mutex<u64>,
}

const STABLE: &str = r#""total":9007199254740993,"items":[{"id":1,"name":"Cafe Été","rating":4.5,"open":true,"createdAt":"2026-01-02T03:04:05Z","owner":{"first":"Ann","last":"Lee","address":{"geo":{"lat":37.5}}},"langs":["en","ko","ja"],SEEN},{"id":2,"name":"App 2","rating":4.56,"open":false,"createdAt":"2026-01-02T03:04:06Z","owner":{"first":"Bo","last":"Kim","address":{"geo":{"lat":35.1}}},"langs":["ko"],SEEN}],"error":{"message":"App not found"}"#;

/// Nothing is changed.
const NOTHING: Planted = Planted {
    from: "",
    to: "",
    status: None,
    media_type: None,
};

const fn text(from: &'static str, to: &'static str) -> Planted {
    Planted {
        from,
        to,
        ..NOTHING
    }
}

const LANGS: &str = r#"["en","ko","ja"]"#;

/// Changes, and what is said of each.
const PLANTED: [(Planted, &str); 21] = [
    (
        text(r#""rating":4.5,"#, r#""rating":4,"#),
        "$.items[0].rating: was 4.5, is 4",
    ),
    (
        text(LANGS, r#"["ko","en","ja"]"#),
        "$.items[0].langs: its elements are in another order",
    ),
    (
        text(r#""open":true,"#, ""),
        "$.items[0].open: is missing, was true",
    ),
    (
        text(r#""open":true,"#, r#""open":true,"extra":1,"#),
        "$.items[0].extra: is new: 1",
    ),
    (
        text(r#""id":2"#, r#""id":"2""#),
        "$.items[1].id: was 2, is \"2\"",
    ),
    (
        text(r#""name":"App 2""#, r#""name":null"#),
        "$.items[1].name: was \"App 2\", is null",
    ),
    (text("4.56", "4.6"), "$.items[1].rating: was 4.56, is 4.6"),
    (
        text("2026-01-02T03:04:05Z", "2026-01-02T12:04:05+09:00"),
        "$.items[0].createdAt: was \"2026-01-02T03:04:05Z\", is \"2026-01-02T12:04:05+09:00\"",
    ),
    (
        text(LANGS, "[]"),
        "$.items[0].langs: number of elements was 3, is 0",
    ),
    (
        text(r#""ko","ja"]"#, r#""ko"]"#),
        "$.items[0].langs: number of elements was 3, is 2",
    ),
    (
        Planted {
            status: Some(201),
            ..NOTHING
        },
        "status: was 200, is 201",
    ),
    (
        Planted {
            media_type: Some("text/plain"),
            ..NOTHING
        },
        "content type: was `application/json`, is `text/plain`",
    ),
    (
        text(r#""open":false"#, r#""open":true"#),
        "$.items[1].open: was false, is true",
    ),
    (
        text("App 2", "APP 2"),
        "$.items[1].name: was \"App 2\", is \"APP 2\"",
    ),
    (
        text("Été", "E\u{301}te\u{301}"),
        "$.items[0].name: was \"Cafe Été\", is \"Cafe E\\u0301te\\u0301\"",
    ),
    (
        text("35.1", "35.2"),
        "$.items[1].owner.address.geo.lat: was 35.1, is 35.2",
    ),
    (
        text(
            r#""first":"Bo","last":"Kim""#,
            r#""first":"Kim","last":"Bo""#,
        ),
        "$.items[1].owner.first: was \"Bo\", is \"Kim\"",
    ),
    (
        text("9007199254740993", "9007199254740992"),
        "$.total: was 9007199254740993, is 9007199254740992",
    ),
    (
        text(r#""langs":["ko"]"#, r#""langs":["ko","ko"]"#),
        "$.items[1].langs: number of elements was 1, is 2",
    ),
    (
        text("App not found", "No such app"),
        "$.error.message: was \"App not found\", is \"No such app\"",
    ),
    // Beside what varies: still of its kind and form, and no element less.
    (
        text(
            r#""seenAt":"2026-11-30T10"#,
            r#""seenAt":null,"was":"2026-11-30T10"#,
        ),
        "$.items[0].seenAt: varies, as in",
    ),
];

impl Apps {
    fn start(seed: u64) -> (Arc<Self>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let apps = Arc::new(Self {
            planted: Mutex::default(),
            state: Mutex::new(seed),
        });
        let of_thread = apps.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let apps = of_thread.clone();
                std::thread::spawn(move || apps.serve(stream));
            }
        });
        (apps, base)
    }

    fn plant(&self, planted: Planted) {
        *self.planted.lock().unwrap() = planted;
    }

    fn seed(&self, seed: u64) {
        *self.state.lock().unwrap() = seed;
    }

    /// The next number: SplitMix64.
    fn draw(&self) -> u64 {
        let mut state = self.state.lock().unwrap();
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 27)
    }

    fn serve(&self, mut stream: TcpStream) {
        stream.set_nodelay(true).unwrap();
        let (mut seen, mut buffer) = (String::new(), [0_u8; 4096]);
        while let Ok(count) = stream.read(&mut buffer) {
            if count == 0 {
                return;
            }
            seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
            while let Some(end) = seen.find("\r\n\r\n") {
                seen.drain(..end + 4);
                if stream.write_all(self.answer().as_bytes()).is_err() {
                    return;
                }
            }
        }
    }

    fn answer(&self) -> String {
        let mut stable = STABLE.to_owned();
        while let Some(place) = stable.find("SEEN") {
            let mut tags = ["\"a\"", "\"b\"", "\"c\"", "\"d\""];
            for last in (1..tags.len()).rev() {
                let other = usize::try_from(self.draw() % (last as u64 + 1)).unwrap();
                tags.swap(last, other);
            }
            let (minute, second) = (self.draw() % 60, self.draw() % 60);
            let seen = format!(
                r#""seenAt":"2026-11-30T10:{minute:02}:{second:02}Z","tags":[{}]"#,
                tags.join(",")
            );
            stable.replace_range(place..place + 4, &seen);
        }
        let body = format!(r#"{{"requestId":"{:016x}",{stable}}}"#, self.draw());
        let planted = self.planted.lock().unwrap().clone();
        let body = if planted.from.is_empty() {
            body
        } else {
            assert!(body.contains(planted.from), "{}", planted.from);
            body.replacen(planted.from, planted.to, 1)
        };
        let (status, media_type) = (
            planted.status.unwrap_or(200),
            planted.media_type.unwrap_or("application/json"),
        );
        let length = body.len();
        format!(
            "HTTP/1.1 {status} OK\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    }
}

fn store(name: &str) -> PathBuf {
    no_folder(name).join("runs.db")
}

/// What `run` says and how it ends: 24 requests by two users.
fn run(test: &[&str], store: &str, more: &[&str]) -> (Option<i32>, String) {
    let output = loadline(&[&["run"], test, more, &["--store", store]].concat());
    let said = format!("{}{}", stdout(&output), stderr(&output));
    (output.status.code(), said)
}

#[test]
fn every_planted_change_is_found_at_its_place_and_what_varies_is_none() {
    let (apps, base) = Apps::start(1);
    let url = format!("{base}/apps/first-page");
    let store = store("same-answers");
    let store = store.to_str().unwrap();
    let test = [url.as_str(), "-i", "24", "-u", "2", "--fail-on", "none"];
    let (code, said) = run(&test, store, &["--save-answers", "--tag", "base"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("kept answers to 1 request"), "{said}");
    let held = ["--same-answers-as", "base"];
    for seed in 100..110 {
        apps.seed(seed);
        let (code, said) = run(&test, store, &held);
        assert_eq!(code, Some(0), "seed {seed}: {said}");
        assert!(said.contains("no difference in 1 request"), "{said}");
        assert!(said.contains("same answers as before"), "{said}");
        for part in [
            "$.requestId",
            "$.items[*].seenAt",
            "order of $.items[*].tags",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
    for (change, expected) in PLANTED {
        apps.plant(change);
        let (code, said) = run(&test, store, &held);
        assert_eq!(code, Some(3), "{expected}: {said}");
        let line = format!("GET {url}: {expected}");
        assert!(said.contains(&line), "{line}\n{said}");
    }
}

#[test]
fn scripts_and_artillery_files_are_held_to_answers_and_reports_say_so() {
    let (apps, base) = Apps::start(2);
    let store = store("same-answers-dialects");
    let store = store.to_str().unwrap();
    let k6 = |name: &str, more: &str| {
        let text = format!(
            "import http from 'k6/http';
             export const options = {{ vus: 2, iterations: 12{more} }};
             export default function () {{ http.get('{base}/apps'); }}"
        );
        script(name, &text).display().to_string()
    };
    let artillery = format!(
        "config:
  target: {base}
  phases: [{{duration: 1, arrivalRate: 5}}]
scenarios:
  - flow: [{{get: {{url: /apps}}}}]
"
    );
    let tests = [
        k6("answers-kept.js", ""),
        k6("answers-discarded.js", ", discardResponseBodies: true"),
        script("answers.yml", &artillery).display().to_string(),
    ];
    for test in &tests {
        apps.plant(Planted::default());
        let (code, said) = run(&[test], store, &["--save-answers"]);
        assert_eq!(code, Some(0), "{said}");
        let (code, said) = run(&[test], store, &["--same-answers-as", "latest"]);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("no difference in 1 request"), "{said}");
        apps.plant(Planted {
            from: "4.56",
            to: "4.6",
            ..Planted::default()
        });
        // What differs between two runs of the unchanged target is not compared: both are named.
        let held = ["--same-answers-as", "latest,latest~1"];
        let (code, said) = run(&[test], store, &held);
        assert_eq!(code, Some(3), "{said}");
        let line = "/apps: $.items[1].rating: was 4.56, is 4.6";
        assert!(said.contains(line), "{said}");
        for format in ["junit", "json", "markdown"] {
            let report = ["report", "latest", "--format", format, "--store", store];
            let report = stdout(&loadline(&report));
            let place = match format {
                "json" => r#""path": "$.items[1].rating""#,
                _ => "rating: was 4.56, is 4.6",
            };
            assert!(report.contains(place), "{format}: {report}");
            if format == "junit" {
                assert!(report.contains("<failure message="), "{report}");
            }
        }
        let listed = stdout(&loadline(&["runs", "--store", store, "--lang", "en"]));
        assert!(listed.contains("FAILED (answers"), "{listed}");
    }
}

#[test]
fn where_nothing_can_be_compared_the_run_does_not_pass() {
    let (_apps, base) = Apps::start(3);
    let store = store("same-answers-none");
    let store = store.to_str().unwrap();
    let (one, other) = (format!("{base}/one"), format!("{base}/other"));
    let (code, said) = run(&[&one, "-i", "4"], store, &["--save-answers"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = run(
        &[&other, "-i", "4"],
        store,
        &["--same-answers-as", "latest"],
    );
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("NO ANSWERS COMPARED"), "{said}");
    let (code, said) = run(&[&other, "-i", "4"], store, &[]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = run(
        &[&other, "-i", "4"],
        store,
        &["--same-answers-as", "latest"],
    );
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("kept no answers"), "{said}");
    let (code, said) = run(
        &[&other, "-i", "4"],
        store,
        &["--same-answers-as", "nosuch"],
    );
    assert_eq!(code, Some(2), "{said}");
}
