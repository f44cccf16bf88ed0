//! A target that answers with what could run in a page or take over a terminal.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;

use crate::common::{loadline, script, stderr, stdout};
use crate::serve::{Pages, call};
use crate::terminal::Terminal;

/// Ends a script, loads an image that does not exist, turns the writing around, hides.
const EVIL: &str = "</script><img src=x onerror=alert(1)>\u{202e}gnp.exe\u{2066}\u{200b}";
/// Sets a title, clears the screen, and colours; as eight-bit control, too.
const ESCAPES: &str = "\u{1b}]0;pwned\u{7}\u{1b}[2J\u{1b}[31m\u{9b}2J";

/// Answers each request of a connection in another way.
fn start() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            std::thread::spawn(move || converse(stream.unwrap(), number));
        }
    });
    base
}

fn converse(stream: TcpStream, first: usize) {
    let mut requests = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    for number in first.. {
        let mut line = String::from(" ");
        while !line.trim_end().is_empty() || line == " " {
            line.clear();
            if requests.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
        }
        // The client may be gone.
        let _ = stream.write_all(&answer(number));
    }
}

fn answer(number: usize) -> Vec<u8> {
    let long = "A".repeat(1_000_000);
    let told = format!("{{\"error\":\"{EVIL}{ESCAPES}\"}}").replace("\"alert", "alert");
    let (status, body, more) = match number % 6 {
        0 => (
            "200 OK".to_owned(),
            format!("{EVIL}{ESCAPES}"),
            String::new(),
        ),
        1 => (format!("500 {EVIL}"), told, String::new()),
        2 => (
            format!("503 {EVIL}"),
            format!("{long}{EVIL}"),
            String::new(),
        ),
        3 => ("404 Not Found".to_owned(), told + &long, String::new()),
        // Headers with controls are no HTTP, and the error shows them.
        4 => (format!("500 {ESCAPES}"), told, String::new()),
        _ => (
            "502 Bad Gateway".to_owned(),
            told,
            format!("X-More: {ESCAPES}\r\n"),
        ),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nX-Evil: {EVIL}\r\nSet-Cookie: a={EVIL}\r\n{more}Content-Length: {}\r\n\r\n",
        body.len()
    );
    (head + &body).into_bytes()
}

/// A script that takes names from what its target answers.
fn hostile_script(base: &str) -> String {
    let text = format!(
        "import http from 'k6/http';
         import {{ check, group }} from 'k6';
         export const options = {{ vus: 2, iterations: 40 }};
         export default function () {{
           const answer = http.get('{base}/x');
           const evil = answer.headers['X-Evil'] || 'none';
           group(evil, () => http.get('{base}/y', {{ tags: {{ name: evil, evil }} }}));
           check(answer, {{ [evil]: (r) => r.status === 200 }});
           if (__ITER === 3) throw new Error(evil + answer.body.slice(0, 200));
           if (__ITER === 4) console.log(answer.body.slice(0, 200));
         }}"
    );
    let path = script("hostile.js", &text);
    path.to_str().unwrap().to_owned()
}

/// Characters that move a cursor, turn the writing around or are not seen.
fn assert_printable(what: &str, text: &str) {
    let is_hidden = |c: &char| {
        let turns = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        (c.is_control() && *c != '\n') || turns
    };
    if let Some((place, c)) = text.char_indices().find(|(_, c)| is_hidden(c)) {
        let around: String = text[..place].chars().rev().take(60).collect();
        let around: String = around.chars().rev().collect();
        panic!("{what}: {:?} after {around:?}", c);
    }
}

fn assert_output_printable(what: &str, output: &Output) {
    assert!(output.status.code().is_some());
    assert_printable(what, &stdout(output));
    assert_printable(what, &stderr(output));
}

/// The report of the latest run in every form: no tag of the target's in it.
fn assert_report_inert(folder: &Path, store: &str) {
    for form in ["html", "markdown", "junit"] {
        let path = folder.join(form);
        let path = path.to_str().unwrap();
        let args = [
            "report", "latest", "--format", form, "-o", path, "--store", store,
        ];
        assert_output_printable("report", &loadline(&args));
        let text = std::fs::read_to_string(path).unwrap();
        assert_printable(form, &text);
        if form == "html" {
            assert!(
                !text.contains("<img") && !text.contains("<script"),
                "{form}"
            );
            assert!(text.contains("script-src") || text.contains("default-src 'none'"));
            assert!(text.len() < 1_500_000, "{}", text.len());
        }
    }
}

#[test]
fn nothing_a_target_sends_reaches_the_terminal_or_a_report_as_it_is() {
    let base = start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    for _ in 0..6 {
        assert_output_printable("once", &loadline(&["run", &base, "--once"]));
    }
    let args = [
        "run", &base, "--rate", "30/s", "-d", "2s", "--store", &store,
    ];
    let output = loadline(&args);
    assert!(stdout(&output).contains("onerror=alert(1)"), "it is told");
    assert_output_printable("url", &output);
    assert_output_printable("show", &loadline(&["show", "latest", "--store", &store]));
    assert_report_inert(folder.path(), &store);

    let path = hostile_script(&base);
    // k6's summary has the names of a script as they are, for programs that read it.
    let output = loadline(&["run", &path, "--store", &store]);
    assert_printable("script", &stderr(&output));
    let shown = loadline(&["show", "latest", "--events", "--store", &store]);
    assert!(stdout(&shown).contains("onerror=alert(1)"), "it is told");
    assert_output_printable("show of a script", &shown);
    assert_output_printable("script once", &loadline(&["run", &path, "--once"]));
    assert_report_inert(folder.path(), &store);
}

/// On the screen of a run, and in what Artillery's steps print at a terminal.
#[test]
fn a_terminal_keeps_its_title_and_its_writing() {
    let base = start();
    let mut terminal = Terminal::run(&["run", &base, "--rate", "30/s", "-d", "3s", "--no-store"]);
    terminal.wait_to_see("onerror=alert(1)");
    terminal.end_sane();
    let screen = terminal.screen();
    assert!(!screen.contains("\u{1b}]0;") && !screen.contains('\u{9b}'));
    assert!(!screen.contains('\u{202e}') && !screen.contains('\u{2066}'));

    let path = hostile_script(&base);
    let mut terminal = Terminal::run(&["run", &path, "--no-store"]);
    let code = terminal.end_sane();
    let screen = terminal.screen();
    let summary = screen.split("TOTAL RESULTS").nth(1);
    let summary = summary.unwrap_or_else(|| panic!("{code:?}: {screen}"));
    assert!(summary.contains("onerror=alert(1)"), "{summary}");
    assert!(
        !screen.contains('\u{202e}') && !screen.contains("\u{1b}]0;"),
        "{summary}"
    );

    let text = format!(
        "config: {{target: '{base}', phases: [{{duration: 1, arrivalRate: 12}}]}}\n\
         scenarios: [{{flow: [{{get: {{url: '/', capture: [{{header: 'X-Evil', as: e}}]}}}}, {{log: '{{{{ e }}}}'}}]}}]\n"
    );
    let path = script("hostile.yml", &text);
    let mut terminal = Terminal::run(&["run", path.to_str().unwrap(), "--no-store"]);
    terminal.end_sane();
    terminal.wait_for("onerror=alert(1)");
    let screen = terminal.screen();
    let is_eight_bit = |c: char| ('\u{80}'..='\u{9f}').contains(&c);
    assert!(!screen.contains(is_eight_bit), "{screen}");
    assert!(!screen.contains('\u{202e}'), "{screen}");
}

/// All texts of an answer of the pages.
fn assert_texts_printable(what: &str, value: &serde_json::Value) {
    use serde_json::Value;
    match value {
        Value::String(text) => assert_printable(what, text),
        Value::Array(all) => all.iter().for_each(|one| assert_texts_printable(what, one)),
        Value::Object(all) => all.iter().for_each(|(name, one)| {
            assert_printable(what, name);
            assert_texts_printable(&format!("{what}.{name}"), one);
        }),
        _ => {}
    }
}

/// Keeps two runs, a search and a study whose hooks print what they like; their two reports.
fn keep_searched_and_studied(base: &str, folder: &Path, store: &str) -> Vec<String> {
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let note = format!("{EVIL}{ESCAPES}");
    let kept = ["--note", &note, "--store", store];
    for _ in 0..2 {
        let run = [&["run", base, "--rate", "30/s", "-d", "2s"], &kept[..]].concat();
        assert_output_printable("run", &loadline(&run));
    }
    let search = [
        "capacity",
        base,
        "--slo",
        "errors<90%",
        "--max-rate",
        "20/s",
    ];
    let report = at("capacity.html");
    let short = [
        "--budget",
        "15s",
        "--confirm",
        "4s",
        "--no-soak",
        "--report",
        &report,
    ];
    let search = [&search[..], &short, &kept].concat();
    assert_output_printable("capacity", &loadline(&search));
    // Each trial fails with what the hook says.
    let hook = "printf '</script><img src=x onerror=alert(1)>\\342\\200\\256gnp\\033]0;pwned\\007\\033[2J' >&2; exit 1";
    let study = format!(
        "name: \"</script><img src=x onerror=alert(1)>\\u202egnp\\e]0;pwned\\a\"
test: {base} --vus 2 --duration 1s
goal: throughput max
pause: 0s
knobs: [{{name: pool, values: [5, 10], now: 10, command: [sh, -c, \"{hook}\", '{{value}}']}}]
budget: {{trials: 6}}
",
        hook = hook.replace('\\', "\\\\"),
    );
    std::fs::write(at("study.yaml"), study).unwrap();
    let output = loadline(&["tune", &at("study.yaml"), "--store", store]);
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("onerror=alert(1)"), "{said}");
    assert_output_printable("tune", &output);
    let against = ["compare", "latest~1", "latest", "--store", store];
    assert_output_printable("compare", &loadline(&against));
    let (file, to) = (at("study.yaml"), at("study.html"));
    let report = ["report", &file, "-o", &to, "--store", store];
    assert_output_printable("study report", &loadline(&report));
    let pages = ["capacity.html", "study.html"].map(|name| std::fs::read_to_string(at(name)));
    pages.into_iter().map(Result::unwrap).collect()
}

/// At the terminal, in reports and on their pages.
#[test]
fn searches_studies_and_comparisons_show_nothing_as_it_came() {
    let base = start();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    let mut pages = keep_searched_and_studied(&base, folder.path(), &store);

    let server = Pages::serve(&store);
    let read = |path: &str| {
        let (status, body) = call(&server.address, &server.token, "GET", path, "");
        assert_eq!(status, 200, "{path}: {body}");
        body
    };
    let json = |path: &str| serde_json::from_str::<serde_json::Value>(&read(path)).unwrap();
    let (runs, studies) = (json("/api/runs"), json("/api/studies?lang=ko"));
    assert_texts_printable("runs", &runs);
    assert_texts_printable("studies", &studies);
    let name = |of: &serde_json::Value| of["name"].as_str().unwrap().to_owned();
    let compared = "/api/compare?before=latest~1&after=latest".to_owned();
    let all = runs["runs"].as_array().unwrap().iter();
    let mut places: Vec<String> = all.map(|run| format!("/api/runs/{}", name(run))).collect();
    places.push(format!("/api/studies/{}", name(&studies["studies"][0])));
    for place in &places {
        pages.push(read(&format!("{place}/report.html")));
        assert_printable(place, &read(&format!("{place}/report.md")));
    }
    pages.push(read(
        "/api/compare/report.html?before=latest~1&after=latest",
    ));
    places.push(compared);
    for place in &places {
        let document = json(place)["document"].take();
        assert_texts_printable(place, &document);
    }
    assert!(
        pages
            .iter()
            .filter(|page| page.contains("onerror=alert(1)"))
            .count()
            >= 3
    );
    for page in &pages {
        assert_printable("page", page);
        assert!(!page.contains("<img") && !page.contains("<script"));
    }
    server.end();
}
