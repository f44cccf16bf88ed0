//! What is typed wrongly is answered with what, where and what to do, in both languages.

use crate::common::{command, loadline, script, stderr};

/// Arguments, what English names, what Korean says.
const WRONG: [(&[&str], &str, &str); 10] = [
    (&["http://"], "names no host", "호스트가 없습니다"),
    (
        &["http://h/", "-d", "5"],
        "--duration cannot be `5`",
        "단위가 있는 시간",
    ),
    (
        &["http://h/", "--rate", "fast"],
        "2000/s or 30/m",
        "같은 요청률",
    ),
    (
        &["http://h/", "-H", "no colon"],
        "--header",
        "--header 옵션에",
    ),
    (
        &["http://h/", "-m", "G E T"],
        "a method such as GET",
        "같은 메서드",
    ),
    (
        &["http://h/", "-b", "@no/such.json"],
        "no/such.json",
        "파일이 없습니다",
    ),
    (&["http://h/", "--warmup", "soon"], "or auto", "또는 auto"),
    (
        &["http://h/", "--nope"],
        "no option --nope",
        "옵션은 없습니다",
    ),
    (
        &["http://h/", "--vus"],
        "--vus needs a value",
        "값이 필요합니다",
    ),
    (
        &["http://h/", "--once", "--repeat", "2"],
        "cannot be used together",
        "함께 쓸 수 없습니다",
    ),
];

#[test]
fn every_mistake_names_its_flag_and_the_way_out_in_both_languages() {
    for (args, english, korean) in WRONG {
        let args = [&["run"], args].concat();
        for (lang, says, label) in [("en", english, "help:"), ("ko", korean, "조치:")] {
            let output = loadline(&[&args[..], &["--lang", lang]].concat());
            // `--vus` takes what follows for its value.
            let output = if args.ends_with(&["--vus"]) {
                loadline(&[&["run", "--lang", lang], &args[1..]].concat())
            } else {
                output
            };
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            let said = stderr(&output);
            assert!(said.contains(says), "{args:?}: {said}");
            assert!(said.contains(label), "{args:?}: {said}");
        }
    }
}

#[test]
fn zero_users_and_a_warm_up_as_long_as_the_run_are_refused() {
    let output = loadline(&["run", "http://127.0.0.1:1/", "--vus", "0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--vus cannot be `0`"));

    let args = ["run", "http://127.0.0.1:1/", "-d", "2s", "--warmup", "2s"];
    let output = loadline(&args);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("less than the 2s"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_target_that_never_answers_is_named_with_the_reason() {
    let output = loadline(&["run", "http://127.0.0.1:1/x", "-i", "2", "-q"]);
    assert_eq!(output.status.code(), Some(5));
    let said = stderr(&output);
    assert!(
        said.contains("`http://127.0.0.1:1/x` gave no complete answer"),
        "{said}"
    );
    assert!(said.contains("connection refused"), "{said}");
}

#[test]
fn flags_of_ours_are_checked_for_scripts_too() {
    for flag in [
        ["--repeat", "0"],
        ["--warmup", "x"],
        ["--threads", "0"],
        // Seen: taken in silence.
        ["--lang", "xx"],
    ] {
        let output = loadline(&["run", flag[0], flag[1], "none.js"]);
        assert_eq!(output.status.code(), Some(104), "{flag:?}");
        assert!(stderr(&output).contains(flag[0]), "{}", stderr(&output));
    }
}

#[test]
fn a_command_that_does_not_exist_is_refused_in_the_locales_language() {
    let output = crate::common::command(&["fly"])
        .env("LANG", "ko_KR.UTF-8")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("`fly` 명령은 없습니다"), "{said}");
}

#[test]
fn what_is_wrong_with_an_artillery_file_is_said_in_the_readers_language_throughout() {
    const ENGLISH: [&str; 5] = [
        "error: wrong.yml:3:8: `tls` is a number; expected a map",
        "error: wrong.yml:7:11: `mode` cannot be `bursts`: uniform or poisson",
        "warning: wrong.yml:9:5: `memory-inspector` has no effect: loadline watches the target itself",
        "warning: wrong.yml:10:5: `theirs` has no effect: plugins of others cannot be loaded",
        "error: wrong.yml:12:11: `engine: playwright` cannot be run: browsers are not driven; use http",
    ];
    const KOREAN: [&str; 5] = [
        "오류: wrong.yml:3:8: `tls` 값이 숫자입니다. 올바른 값: 맵",
        "오류: wrong.yml:7:11: `mode` 키에 `bursts` 값은 쓸 수 없습니다: uniform 또는 poisson이어야 합니다",
        "경고: wrong.yml:9:5: `memory-inspector` 키는 효과가 없습니다: loadline이 대상을 직접 관찰합니다",
        "경고: wrong.yml:10:5: `theirs` 키는 효과가 없습니다: 다른 곳의 플러그인은 불러올 수 없습니다",
        "오류: wrong.yml:12:11: `engine: playwright` 항목은 실행할 수 없습니다: 브라우저를 조작하지 않습니다. http를 쓰세요",
    ];
    let text = "config:
  target: http://127.0.0.1:1
  tls: 3
  phases:
  - duration: 1
    arrivalRate: 1
    mode: bursts
  plugins:
    memory-inspector: {}
    theirs: {}
scenarios:
- engine: playwright
  flow: []
";
    let path = script("wrong.yml", text);
    for (lang, says) in [("en", ENGLISH), ("ko", KOREAN)] {
        let output = loadline(&["run", path.to_str().unwrap(), "--lang", lang]);
        let said = stderr(&output).replace(path.to_str().unwrap(), "wrong.yml");
        assert_eq!(said.lines().collect::<Vec<_>>(), says);
    }
}

/// Seen: "there is no option --slo, a similar one is --solo" beside an Artillery file.
#[test]
fn an_option_of_url_runs_beside_an_artillery_file_is_told_where_it_belongs() {
    let path = script(
        "url-option.yml",
        "config: { target: 'http://127.0.0.1:1' }\n",
    );
    let path = path.to_str().unwrap();
    let output = loadline(&["run", path, "--slo", "p(95)<500ms"]);
    let said = stderr(&output);
    assert!(said.contains("error: --slo is for URL runs"), "{said}");
    assert!(said.contains("config.ensure"), "{said}");
    assert_eq!(output.status.code(), Some(1));
    let korean = stderr(&loadline(&["run", path, "--rate", "5", "--lang", "ko"]));
    assert!(korean.contains("--rate 옵션은 URL 실행에서만"), "{korean}");
}

/// Seen: a wrong option of `compare` sent people to `loadline run --help`.
#[test]
fn a_wrong_command_line_names_the_help_of_its_own_command() {
    let wrong: [(&[&str], &str, &str); 9] = [
        (
            &["compare", "1", "2", "--fail-if-wors", "5"],
            "there is no option --fail-if-wors",
            "loadline compare --help",
        ),
        (
            &["compare", "1", "2", "--fail-if-worse", "x"],
            "--fail-if-worse cannot be `x`",
            "loadline compare --help",
        ),
        (&["compare"], "is missing", "loadline compare --help"),
        (
            &["explain", "1", "2"],
            "`2` is one argument too many",
            "loadline explain --help",
        ),
        (
            &["observe", "--check", "ftp://x"],
            "cannot be `ftp://x`",
            "loadline observe --help",
        ),
        (
            &["gate", "import", "--nope"],
            "there is no option --nope",
            "loadline gate import --help",
        ),
        (
            &["capacity", "http://127.0.0.1:1/", "--bugdet", "3m"],
            "there is no option --bugdet",
            "loadline capacity --help",
        ),
        (
            &["run", "http://127.0.0.1:1/", "--nope"],
            "there is no option --nope",
            "loadline run --help",
        ),
        (
            &["capasity"],
            "there is no command `capasity`",
            "see loadline --help",
        ),
    ];
    for (args, what, help) in wrong {
        let output = loadline(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(what), "{args:?}: {said}");
        assert!(said.contains(help), "{args:?}: {said}");
        let mut korean = command(args);
        let said = stderr(&korean.env("LANG", "ko_KR.UTF-8").output().unwrap());
        assert!(said.contains(&help.replace("see ", "")), "{said}");
        let hangul = |line: &str| line.chars().any(|c| ('가'..='힣').contains(&c));
        assert!(said.lines().all(hangul), "{args:?}: {said}");
    }
}

/// What people typed, what it says, and what the Korean says: each found by typing it.
const TYPED: [(&[&str], &str, &str); 9] = [
    (
        &["run", "localhost:8080/x"],
        "type http://localhost:8080/x",
        "http://localhost:8080/x 형식으로",
    ),
    (
        &["run", "ftp://h/"],
        "cannot be sent to `ftp://h/`",
        "부하를 보낼 수 없습니다",
    ),
    (
        &["run", "http://h/", "--rate", "0/s"],
        "--rate cannot be `0/s`",
        "--rate 옵션에",
    ),
    (
        &["demo", "--address", "127.0.0.1:22x"],
        "HOST:PORT, such as",
        "같은 HOST:PORT",
    ),
    (
        &["compare", "latest"],
        "<B> is missing",
        "인자가 없습니다: <B>",
    ),
    (
        &["preflight", "nothere.js"],
        "there is no file `nothere.js`",
        "파일이 없습니다",
    ),
    (
        &["capacity", "nothere.js"],
        "there is no file `nothere.js`",
        "파일이 없습니다",
    ),
    (
        &["vendor", "nothere.js"],
        "there is no file `nothere.js`",
        "파일이 없습니다",
    ),
    (&["quick", "nothere"], "is not a URL", "URL이 아닙니다"),
];

#[test]
fn what_people_type_wrongly_is_answered_with_the_way_out_and_no_english_in_korean() {
    for (args, english, korean) in TYPED {
        let said = stderr(&loadline(args));
        assert!(said.contains(english), "{args:?}: {said}");
        let said = stderr(&command(args).env("LANG", "ko_KR.UTF-8").output().unwrap());
        assert!(said.contains(korean), "{args:?}: {said}");
        let hangul = |line: &str| line.chars().any(|c| ('가'..='힣').contains(&c));
        assert!(said.lines().all(hangul), "{args:?}: {said}");
    }
}

#[test]
fn a_port_in_use_and_a_log_without_requests_are_told_in_the_readers_language() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let args = ["demo", "--address", &address];
    let said = stderr(&loadline(&args));
    assert!(said.contains("another program listens there"), "{said}");
    let said = stderr(&command(&args).env("LANG", "ko_KR.UTF-8").output().unwrap());
    assert!(said.contains("다른 프로그램이 사용 중입니다"), "{said}");

    let log = std::env::temp_dir().join(format!("empty-{}.log", std::process::id()));
    std::fs::write(&log, "").unwrap();
    let output = loadline(&["plan", "--log", log.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("there is no line of a log in "), "{said}");
    std::fs::remove_file(log).unwrap();
}

#[test]
fn all_unknown_options_of_a_script_are_told_at_once() {
    let path = script(
        "unknown-options.js",
        "export const options = {
  vuss: 2,
  duraton: '1s',
  nosuchthing: 1,
  scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '1s', gracefulStp: '1s' } },
};
export default function () {}
",
    );
    for (lang, says) in [("en", "did you mean"), ("ko", "비슷한 옵션")] {
        let output = loadline(&["run", path.to_str().unwrap(), "--lang", lang]);
        assert_ne!(output.status.code(), Some(0));
        let said = stderr(&output);
        for (place, name, nearest) in [
            (":2:3: ", "vuss", "vus"),
            (":3:3: ", "duraton", "duration"),
            (":5:71: ", "gracefulStp", "gracefulStop"),
        ] {
            let told = |line: &str| {
                line.contains(place)
                    && line.contains(name)
                    && line.contains(nearest)
                    && line.contains(says)
            };
            assert!(said.lines().any(told), "{name}: {said}");
        }
        let told = |line: &str| line.contains(":4:3: ") && line.contains("nosuchthing");
        assert!(said.lines().any(told), "{said}");
    }
}
