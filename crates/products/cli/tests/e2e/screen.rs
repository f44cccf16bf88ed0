//! The whole screen of a run at a terminal.

use crate::common::{Server, command, no_folder, script, stderr};
use crate::terminal::Terminal;

fn of_url(server: &Server) -> [&str; 6] {
    ["run", &server.base, "--rate", "20/s", "-d", "60s"]
}

#[test]
fn a_run_has_the_screen_and_gives_it_back_with_its_result() {
    let server = Server::start();
    let mut terminal = Terminal::run(&of_url(&server));
    terminal.wait_to_see("measuring");
    assert!(terminal.is_whole_screen() && !terminal.has_cursor());
    terminal.wait_to_see("20 planned");
    terminal.wait_to_see("whole run");
    terminal.press("+");
    terminal.wait_to_see("load 110 % of the plan");
    terminal.press("?");
    terminal.wait_to_see("stop gracefully and report");
    terminal.press("?");
    terminal.wait_to_see("loadline: load at 110 % of the plan");
    terminal.press("h");
    terminal.wait_to_see("PAUSED");
    terminal.press("l");
    terminal.wait_to_see("일시 정지");
    terminal.press("q");
    assert_eq!(terminal.end_sane(), Some(130), "{}", terminal.screen());
    terminal.wait_to_see("loadline: stored as run");
    assert!(
        !terminal.seen().contains("planned, "),
        "the picture is gone"
    );
}

#[test]
fn goals_stand_on_the_screen_with_what_was_measured() {
    let server = Server::answering_after(std::time::Duration::from_millis(20));
    let goals = ["--slo", "errors<1%", "--slo", "p(95)<1ms"];
    let mut terminal = Terminal::run(&[&of_url(&server)[..], &goals].concat());
    terminal.wait_to_see("✗ missed  p(95)<1ms");
    terminal.wait_to_see("✓ met  errors<1%");
    terminal.press("l");
    terminal.wait_to_see("✗ 미충족  p(95)<1ms");
    terminal.press("q");
    assert_eq!(terminal.end_sane(), Some(130), "{}", terminal.screen());
}

#[test]
fn a_search_has_the_screen_and_gives_it_back_with_its_levels() {
    let server = Server::start();
    let search = ["capacity", &server.base, "--slo", "p(95)<500ms"];
    let more = ["--max-rate", "40/s", "--no-soak"];
    let mut terminal = Terminal::run(&[&search[..], &more].concat());
    terminal.wait_to_see("objective p(95)<500");
    assert!(terminal.is_whole_screen() && !terminal.has_cursor());
    terminal.wait_to_see("this level");
    assert!(
        !terminal.screen().contains("p pause"),
        "no key changes its load"
    );
    terminal.press("?");
    terminal.wait_to_see("stop gracefully and report");
    assert!(
        !terminal.seen().contains("less load"),
        "{}",
        terminal.screen()
    );
    terminal.press("?l");
    terminal.wait_to_see("이 단계");
    terminal.resize(3, 20);
    terminal.wait_to_see("q 정지");
    terminal.resize(24, 80);
    terminal.wait_to_see("이 단계");
    terminal.press("q");
    let code = terminal.end_sane();
    assert!(code.is_some_and(|code| code != 0), "{}", terminal.screen());
    assert!(!terminal.is_whole_screen());
    terminal.wait_to_see("arrivals: random");
}

/// A study whose knob changes nothing, and takes so many seconds to do so.
fn study(name: &str, base: &str, takes: &str) -> (std::path::PathBuf, String) {
    let folder = no_folder(name);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("study.yaml");
    let text = format!(
        "test: {base} --vus 4 --duration 3s
goal: throughput max
pause: 0s
knobs: [{{name: pool, values: [5, 10], now: 10, command: [sh, -c, 'sleep {takes}; echo {{value}}']}}]
budget: {{trials: 9, time: 10m}}
"
    );
    std::fs::write(&path, text).unwrap();
    let store = folder.join("runs.db").to_str().unwrap().to_owned();
    (path, store)
}

#[test]
fn a_study_has_the_screen_and_gives_it_back_with_its_answer() {
    let server = Server::answering_after(std::time::Duration::from_millis(50));
    let (path, store) = study("screen-study", &server.base, "0.1");
    let path = path.to_str().unwrap();
    let mut terminal = Terminal::run(&["tune", path, "--store", &store]);
    terminal.wait_to_see("goal: throughput max");
    assert!(terminal.is_whole_screen() && !terminal.has_cursor());
    terminal.wait_to_see("trial 1 (noise): pool=10");
    terminal.wait_to_see("this trial");
    assert!(
        !terminal.screen().contains("p pause"),
        "no key changes its load"
    );
    terminal.press("?");
    terminal.wait_to_see("stop gracefully and report");
    terminal.press("?");
    terminal.wait_to_see("best so far: pool=10 · ");
    terminal.wait_to_see("of at most 9 trials");
    terminal.wait_to_see("counts");
    terminal.press("l");
    terminal.wait_to_see("이 시도");
    terminal.wait_to_see("지금까지 가장 나은 설정: pool=10");
    terminal.resize(16, 70);
    terminal.wait_to_see("q 정지  Q 바로 끝냄");
    terminal.resize(24, 80);
    terminal.wait_to_see("이 시도");
    terminal.press("q");
    assert_eq!(terminal.end_sane(), Some(130), "{}", terminal.screen());
    assert!(!terminal.is_whole_screen());
    let stays = terminal.outside_of_the_whole_screen();
    let places = [
        "loadline: trial 1",
        "interrupted; the journal keeps",
        "pool=10",
    ];
    assert!(places.iter().all(|text| stays.contains(text)), "{stays}");
}

/// While a target gets another setting the screen still takes keys.
#[test]
fn a_study_is_stopped_while_it_sets_its_target() {
    let server = Server::start();
    let (path, store) = study("screen-setting", &server.base, "3");
    let path = path.to_str().unwrap();
    let mut terminal = Terminal::run(&["tune", path, "--store", &store]);
    terminal.wait_to_see("setting the target");
    terminal.press("l");
    terminal.wait_to_see("대상 설정 중");
    terminal.press("q");
    terminal.wait_to_see("정지");
    assert_eq!(terminal.end_sane(), Some(130), "{}", terminal.screen());
    let lines = ["tune", path, "--store", &store, "--live", "lines"];
    let mut terminal = Terminal::run(&lines);
    terminal.wait_for("loadline: trial 1");
    assert!(!terminal.is_whole_screen());
    terminal.press("\x03");
    assert_eq!(terminal.end_sane(), Some(130), "{}", terminal.screen());
    assert!(!terminal.screen().contains("\x1b[?1049h"));
}

#[test]
fn a_window_of_any_size_is_filled_and_a_new_size_drawn_anew() {
    let server = Server::start();
    let mut terminal = Terminal::with(&of_url(&server), 6, 30, &[]);
    terminal.wait_to_see("measuring");
    assert!(!terminal.seen().contains("whole run"));
    terminal.resize(24, 80);
    terminal.wait_to_see("whole run");
    terminal.wait_to_see("? help");
    terminal.resize(1, 12);
    terminal.wait_to_see("measuring …");
    terminal.press("q");
    assert_eq!(terminal.end_sane(), Some(130), "{}", terminal.screen());
}

#[test]
fn a_signal_a_second_one_and_a_panic_leave_the_terminal_as_it_was() {
    let server = Server::start();
    let mut terminal = Terminal::run(&of_url(&server));
    terminal.wait_to_see("measuring");
    terminal.terminate();
    assert_eq!(terminal.end_sane(), Some(130), "{}", terminal.screen());

    let slow = Server::answering_after(std::time::Duration::from_secs(60));
    let args = ["run", &slow.base, "-d", "60s", "--graceful-stop", "60s"];
    let mut terminal = Terminal::run(&args);
    slow.wait_for(1);
    terminal.wait_to_see("measuring");
    terminal.press("\x03");
    terminal.wait_to_see("stopping");
    terminal.press("\x03");
    assert_eq!(terminal.end_sane(), Some(130), "{}", terminal.screen());

    let fault = [("LOADLINE_FAULT", "worker")];
    let mut terminal = Terminal::with(&of_url(&server), 24, 80, &fault);
    assert_eq!(terminal.end_sane(), Some(109), "{}", terminal.screen());
    terminal.wait_for("fault injected into a worker");
}

/// What a script says is seen while it runs, and stands in the terminal afterwards.
#[test]
fn lines_of_a_script_are_seen_meanwhile_and_written_afterwards() {
    let server = Server::start();
    let text = format!(
        "import http from 'k6/http';
         import {{ sleep }} from 'k6';
         export const options = {{ vus: 1, duration: '60s' }};
         export default function () {{
           http.get('{}'); console.log('round ' + __ITER + ' \\x1b]0;title\\x07'); sleep(0.2);
         }}",
        server.base
    );
    let path = script("screen-lines.js", &text);
    let mut terminal = Terminal::run(&["run", path.to_str().unwrap()]);
    terminal.wait_to_see("round 1 ");
    assert!(terminal.is_whole_screen());
    assert!(!terminal.screen().contains("\x1b]0;"), "no title is set");
    terminal.press("q");
    assert_eq!(terminal.end_sane(), Some(105), "{}", terminal.screen());
    let stays = terminal.outside_of_the_whole_screen();
    // The first round may be over before the screen is taken, and then stands before it.
    let places = ["round 0 ", "round 1 ", "TOTAL RESULTS"].map(|text| stays.find(text));
    assert!(places[0].is_some() && places.is_sorted(), "{stays}");
}

#[test]
fn no_colour_and_lines_are_to_be_had() {
    let server = Server::start();
    // `ESC [ 3x m` colours what follows.
    let is_coloured = |screen: &str| screen.contains("\x1b[38;5;") || screen.contains("\x1b[36m");
    for (env, expected) in [
        (&[][..], true),
        (&[("NO_COLOR", "1")], false),
        (&[("CLICOLOR", "0")], false),
    ] {
        let mut terminal = Terminal::with(&of_url(&server), 24, 80, env);
        terminal.wait_to_see("█");
        terminal.press("q");
        assert_eq!(terminal.end_sane(), Some(130), "{}", terminal.screen());
        assert_eq!(is_coloured(&terminal.screen()), expected, "{env:?}");
    }
    let args = [&of_url(&server)[..], &["--live", "lines"]].concat();
    let mut terminal = Terminal::run(&args);
    terminal.wait_for("p95 ");
    assert!(!terminal.is_whole_screen());
    terminal.press("q");
    assert_eq!(terminal.end_sane(), Some(130));
    assert!(!terminal.screen().contains("\x1b[?1049h"));
    let refused = command(&["run", &server.base, "--live", "big"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("screen, lines"),
        "{}",
        stderr(&refused)
    );
}

/// Samples on standard output and pictures do not go together.
#[test]
fn samples_on_standard_output_leave_no_whole_screen() {
    let server = Server::start();
    let args = [&of_url(&server)[..], &["-o", "csv=-"]].concat();
    let mut terminal = Terminal::run(&args);
    terminal.wait_for("http_req_duration");
    terminal.press("q");
    assert_eq!(terminal.end_sane(), Some(130));
    assert!(!terminal.screen().contains("\x1b[?1049h"));
}

#[test]
fn nothing_is_drawn_where_there_is_no_terminal() {
    let server = Server::start();
    let args = ["run", &server.base, "--rate", "20/s", "-d", "2s"];
    let output = command(&args).output().unwrap();
    assert!(!stderr(&output).contains('\x1b'), "{}", stderr(&output));
}
