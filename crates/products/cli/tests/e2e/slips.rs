//! What people type that know other tools, or in a hurry: what is meant is named.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use crate::common::{Server, command, loadline, no_folder, stderr, stdout};

/// Seen: "there is no option --rps" without the one that is meant, and `--lang` for `--tag`.
#[test]
fn flags_of_other_tools_name_ours() {
    for (flag, told) in [
        ("--rps", Some("--rate")),
        ("--qps", Some("--rate")),
        ("-c", Some("--vus")),
        ("--connections", Some("--vus")),
        ("-z", Some("--duration")),
        ("-n", Some("--iterations")),
        ("--itterations", Some("--iterations")),
        ("-t", Some("--threads (wrk), --timeout (hey, oha)")),
        ("-w", Some("--report FILE (ab), --graceful-stop (oha)")),
        ("-A", Some("-H 'Accept: TYPE' (hey, oha)")),
        ("-p", Some("--body @FILE")),
        ("-T", Some("-H 'Content-Type: TYPE'")),
        ("-X", Some("--method")),
        ("--latency", Some("is always shown")),
        ("--quux", None),
    ] {
        let output = loadline(&["run", "http://127.0.0.1:9/", flag, "5"]);
        let said = stderr(&output);
        match told {
            Some(ours) => assert!(said.contains(ours), "{flag}: {said}"),
            None => assert!(!said.contains("similar"), "{flag}: {said}"),
        }
        assert_eq!(output.status.code(), Some(2), "{flag}");
    }
}

/// Seen: k6's "unknown flag: --rate", of an address without http://.
#[test]
fn an_address_without_a_scheme_is_no_script_whatever_its_flags() {
    for address in ["127.0.0.1:9/fast", "localhost:9/fast"] {
        let output = loadline(&["run", address, "--rate", "10/s", "-d", "2s"]);
        let said = stderr(&output);
        assert!(said.contains(&format!("http://{address}")), "{said}");
        assert!(!said.contains("unknown flag"), "{said}");
        // Seen: k6's 104, a wrong configuration of a script.
        assert_eq!(output.status.code(), Some(2), "{said}");
    }
}

/// Seen: "cannot be `0/s`; expected: a rate such as 2000/s", and a search of up to 0/s that began.
#[test]
fn nothing_of_a_rate_or_time_is_told_to_be_too_little() {
    let of_run = ["--rate 0/s", "--rate -1/s", "--timeout 0s", "--warmup 0s"];
    let of_capacity = [
        "--max-rate 0/s",
        "--start-at 0/s",
        "--goal 0/s",
        "--budget 0s",
        "--confirm 0s",
    ];
    let of = |command, flags: &[&'static str]| -> Vec<_> {
        flags.iter().map(|flag| (command, *flag)).collect()
    };
    let of_script = loadline(&["run", "--warmup", "0s", "none.js"]);
    let said = stderr(&of_script);
    assert!(said.contains("must be above zero"), "{said}");
    for (command, flag) in [of("run", &of_run), of("capacity", &of_capacity)].concat() {
        for (lang, told) in [("en", "must be above zero"), ("ko", "0보다 커야 합니다")] {
            let typed: Vec<&str> = flag.split(' ').collect();
            let args = [
                &[command, "http://127.0.0.1:9/", "--lang", lang],
                &typed[..],
            ]
            .concat();
            let output = loadline(&args);
            let said = stderr(&output);
            assert!(said.contains(told), "{command} {flag}: {said}");
            assert_eq!(output.status.code(), Some(2), "{said}");
        }
    }
}

/// Seen: k6's English sentence alone.
#[test]
fn a_script_that_is_not_there_is_told_in_korean_too() {
    let output = loadline(&["run", "elsewhere.js", "--lang", "ko"]);
    let said = stderr(&output);
    assert!(said.contains("없는 파일입니다: elsewhere.js"), "{said}");
    assert!(said.contains("couldn't be found on local disk"), "{said}");
    assert_eq!(output.status.code(), Some(255), "{said}");
}

/// Seen: nothing but k6's "unknown flag: --environment".
#[test]
fn a_flag_of_artillery_names_that_of_scripts() {
    let output = loadline(&["run", "get.js", "--environment", "staging"]);
    let said = stderr(&output);
    assert!(said.contains("-e NAME=VALUE (k6 scripts)"), "{said}");
    assert!(said.contains("unknown flag: --environment"), "{said}");
}

/// Seen: "it belongs to: loadline preflight, loadline capacity, loadline inspect".
#[test]
fn a_variable_of_scripts_is_none_of_a_url() {
    let output = loadline(&["run", "http://127.0.0.1:9/", "--env", "BASE=http://x"]);
    let said = stderr(&output);
    assert!(said.contains("k6 scripts"), "{said}");
    assert!(!said.contains("preflight"), "{said}");
    assert_eq!(output.status.code(), Some(2), "{said}");
}

/// Seen: "expected: NAME: VALUE" of what is one.
#[test]
fn a_header_name_that_cannot_be_is_told_what_it_may_have() {
    let output = loadline(&["run", "http://127.0.0.1:9/", "-H", "한글: x", "--once"]);
    let said = stderr(&output);
    assert!(said.contains("a name has letters from A to Z"), "{said}");
}

/// Seen: "there is no option --once" before the command, and nothing that has it.
#[test]
fn an_option_of_another_command_names_that_command() {
    for (args, told) in [
        (&["--once", "http://127.0.0.1:9/"][..], "loadline run"),
        (&["compare", "1", "2", "--once"], "loadline run"),
        (
            &["run", "http://127.0.0.1:9/", "--budget", "5m"],
            "loadline capacity",
        ),
        (
            &["capacity", "http://127.0.0.1:9/", "--time", "5m"],
            "--budget",
        ),
        (
            &["run", "http://127.0.0.1:9/", "--time", "5m"],
            "--duration",
        ),
        (&["plan", "--quux"], "there is no option --quux\n"),
    ] {
        let output = loadline(args);
        let said = stderr(&output);
        assert!(said.contains(told), "{args:?}: {said}");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    }
    let korean = stderr(&loadline(&["compare", "1", "2", "--once", "--lang", "ko"]));
    assert!(
        korean.contains("이 옵션을 쓰는 명령: loadline run"),
        "{korean}"
    );
}

/// Seen: `-body=x` sent `ody=x`, and `-header` printed the help.
#[test]
fn a_long_flag_with_one_dash_is_no_short_one_with_a_value() {
    let server = Server::start();
    let url = server.base.as_str();
    for (args, ours) in [
        (&["run", url, "-i", "1", "-body=x"][..], "--body"),
        (&["run", url, "-i", "1", "-header", "A: b"], "--header"),
        (&["run", url, "-i", "1", "-out", "json=x.json"], "--out"),
        (&["run", url, "-iterations=3"], "--iterations"),
        (&["run", url, "-method=POST"], "--method"),
        (&["run", url, "-i", "1", "-workers=5"], "--vus"),
        (&["run", url, "-disable-keepalive"], "--no-connection-reuse"),
        (&["capacity", url, "-body=x"], "--body"),
        (&["mock", "-latency=5ms"], "--latency"),
    ] {
        let output = loadline(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(ours), "{args:?}: {said}");
    }
    assert_eq!(server.requests(), 0);
    // A value may look so.
    let output = loadline(&["run", url, "-i", "1", "-q", "--no-store", "-b", "-body=x"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(server.requests(), 1);
}

/// Seen: `capacity --rps` was sent to `--rate`, which a search does not keep; a script with `-c` had
/// k6's words alone.
#[test]
fn only_flags_that_the_command_has_are_proposed() {
    let url = "http://127.0.0.1:9/";
    let folder = no_folder("flags-elsewhere");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("t.js"), "export default () => {};").unwrap();
    for (args, told, not) in [
        (&["capacity", url, "--rps", "9"][..], "--max-rate", "--rate"),
        (&["capacity", url, "-c", "9"], "--max-vus", "--vus"),
        (&["capacity", url, "-z", "9s"], "--budget", "--duration"),
        (
            &["capacity", url, "-n", "9"],
            "no option -n",
            "--iterations",
        ),
        (&["demo", "-p", "9"], "--address", "--body"),
        (&["run", url, "-duration=5s"], "--duration", "cannot be"),
        (&["run", "t.js", "-n", "9"], "--iterations", "--max-rate"),
        (&["run", "t.js", "-z", "9s"], "--duration", "--budget"),
        (&["run", "t.js", "--latency"], "is always shown", "similar"),
        (
            &["run", "t.js", "--itterations", "9"],
            "--iterations",
            "--vus",
        ),
    ] {
        let output = command(args).current_dir(&folder).output().unwrap();
        let said = stderr(&output);
        assert_ne!(output.status.code(), Some(0), "{args:?}: {said}");
        assert!(said.contains(told), "{args:?}: {said}");
        assert!(
            !said.replace(told, "").contains(not),
            "{args:?} names {not}: {said}"
        );
    }
    let said = stderr(&loadline(&["run", url, "-c", "9", "--lang", "ko"]));
    assert!(said.contains("다른 도구의 이 옵션은"), "{said}");
}

/// Seen: `--max-vus 1` had "up to 20 virtual users".
#[test]
fn no_more_users_than_asked_for_are_made() {
    let server = Server::start();
    let url = format!("{}/", server.base);
    let args = ["run", &url, "--rate", "200/s", "-d", "1s", "--max-vus", "1"];
    let output = loadline(&[&args[..], &["--no-store"]].concat());
    let said = stdout(&output);
    assert!(said.contains("up to 1 virtual user,"), "{said}");
    let output = loadline(&[&args[..], &["--no-store", "--vus", "5"]].concat());
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--vus 5 and --max-vus 1"), "{said}");
}

/// Seen: `--report r.json` held a page.
#[test]
fn a_report_has_the_form_that_its_file_names() {
    let server = Server::start();
    let url = format!("{}/", server.base);
    let folder = no_folder("report-forms");
    std::fs::create_dir_all(&folder).unwrap();
    let run = |args: &[&str]| {
        let args = [args, &["--store", "runs.db"]].concat();
        let output = command(&args).current_dir(&folder).output().unwrap();
        // 4: the machine was too busy to judge.
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 4)), "{}", stderr(&output));
    };
    run(&["run", &url, "-i", "5", "-q", "--report", "r.json"]);
    run(&["report", "-o", "r.xml"]);
    run(&["report", "-o", "page.json", "--format", "html"]);
    let begins = |file: &str, with: &str| {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.starts_with(with), "{file}: {text}");
    };
    begins("r.json", "{");
    begins("r.xml", "<?xml");
    begins("page.json", "<!doctype html>");
    // Seen: a page in HTML, in a file named r.pdf.
    for args in [
        &["run", &url, "-i", "5", "--report", "r.pdf"][..],
        &["report", "-o", "r.pdf"],
    ] {
        let args = [args, &["--store", "runs.db"]].concat();
        let output = command(&args).current_dir(&folder).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("no report is written as `pdf`"), "{said}");
        assert!(said.contains(".html"), "{said}");
        assert!(!folder.join("r.pdf").exists());
    }
}

/// Seen: k6's words on module specifiers, a JavaScript error of line 1 of a HAR, "Is a directory (os
/// error 21)".
#[test]
fn files_of_other_tools_and_folders_say_what_they_are() {
    let folder = no_folder("foreign-files");
    std::fs::create_dir_all(folder.join("tests")).unwrap();
    for name in ["x.har", "q.sql", "ids.csv", "note.txt"] {
        std::fs::write(folder.join(name), "{}").unwrap();
    }
    let said = |args: &[&str]| {
        let output = command(args).current_dir(&folder).output().unwrap();
        assert_ne!(output.status.code(), Some(0), "{args:?}");
        stderr(&output)
    };
    for (name, en, ko) in [
        ("x.har", "what a browser recorded", "브라우저가 녹화한"),
        (
            "none.har",
            "there is no file `none.har`",
            "`none.har` 파일이 없습니다",
        ),
        ("none.jmx", "a test plan of JMeter", "JMeter 테스트 계획"),
        ("none.py", "a program in Python", "파이썬 프로그램"),
        (
            "none.scala",
            "a simulation of Gatling",
            "Gatling 시뮬레이션",
        ),
        ("q.sql", "statements for a database", "데이터베이스 명령문"),
        ("ids.csv", "holds rows", "데이터 행"),
        ("note.txt", "`note.txt` is no test", "사람이 읽는 글"),
        ("tests", "is a folder", "디렉터리입니다"),
    ] {
        for command in ["run", "capacity"] {
            let words = said(&[command, name]);
            assert!(words.contains(en), "{command} {name}: {words}");
        }
        let words = said(&["run", name, "--lang", "ko"]);
        assert!(words.contains(ko), "{name}: {words}");
    }
    // Seen: a HAR became script.js with "Run it".
    let words = said(&["new", "--template", "x.har"]);
    assert!(words.contains("har-to-k6"), "{words}");
    assert!(!folder.join("script.js").exists());
    let words = said(&["new", "--template", "none.js"]);
    assert!(words.contains("there is no file `none.js`"), "{words}");
}

/// Seen: "there is no command `x.har`", and nothing more.
#[test]
fn a_test_without_its_command_names_the_command() {
    for test in [
        "x.har",
        "script.js",
        "http://127.0.0.1:9/",
        "localhost:80",
        "a/b.yml",
    ] {
        for (lang, told) in [("en", "did you mean"), ("ko", "실행하려던")] {
            let output = loadline(&["--lang", lang, test]);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{test}: {said}");
            let command = format!("`loadline run {test}`");
            assert!(
                said.contains(told) && said.contains(&command),
                "{test}: {said}"
            );
        }
    }
    assert!(!stderr(&loadline(&["quux"])).contains("loadline run quux"));
}

/// Seen: "there is no option -1".
#[test]
fn a_negative_number_is_a_value_of_its_flag() {
    let url = "http://127.0.0.1:9/";
    for args in [
        &["run", url, "--vus", "-1"][..],
        &["run", url, "--iterations", "-5"],
        &["run", url, "--rate", "-1"],
        &["run", url, "--timeout", "-1s"],
        &["run", url, "--repeat", "-1"],
        &["mock", "--latency", "-5ms"],
        &["capacity", url, "--budget", "-1m"],
    ] {
        let output = loadline(args);
        let said = stderr(&output);
        let [.., flag, value] = args else { continue };
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(
            said.contains(flag) && said.contains(value),
            "{args:?}: {said}"
        );
        assert!(!said.contains("no option"), "{args:?}: {said}");
    }
}

#[test]
fn a_negative_duration_is_no_option() {
    for typed in [["--duration", "-1s"], ["-d", "-5m"]] {
        let [flag, value] = typed;
        let output = loadline(&["run", "http://127.0.0.1:9/", flag, value]);
        let said = stderr(&output);
        assert!(said.contains("--duration cannot be"), "{typed:?}: {said}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn tls_to_a_server_without_it_names_the_other_scheme() {
    // As servers answer to what is no request.
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    let answering = std::thread::spawn(move || {
        let (mut socket, _) = server.accept().unwrap();
        let _ = socket.read(&mut [0; 1024]).unwrap();
        let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    });
    let url = format!("https://{address}/");
    let said = stderr(&loadline(&["run", &url, "-i", "1", "--no-store"]));
    answering.join().unwrap();
    assert!(said.contains(&format!("try http://{address}/")), "{said}");
}

/// Seen: a plan that no disk took ended with 0.
#[test]
fn what_no_disk_takes_is_no_success() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for args in [
        &["plan", "--rate", "5/s"][..],
        &["plan", "--rate", "5/s", "--json"],
        &["run", "--help"],
    ] {
        let output = command(args).stdout(full()).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        assert!(said.contains("/dev/stdout"), "{args:?}: {said}");
    }
}

/// Artillery takes no environment by itself either; "set config.target" hid which there are.
#[test]
fn environments_that_could_be_meant_are_named() {
    let folder = no_folder("environments");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "config:\n  environments:\n    default: {target: 'http://127.0.0.1:9'}\n    \
                staging: {target: 'http://127.0.0.1:9'}\n\
                scenarios:\n  - flow: [{get: {url: /}}]\n";
    std::fs::write(folder.join("t.yml"), text).unwrap();
    for (args, told) in [
        (&["run", "t.yml"][..], "Name one with -e: default, staging"),
        (
            &["run", "t.yml", "-e", "prod"],
            "there are: default, staging",
        ),
        (
            &["run", "t.yml", "--lang", "ko"],
            "-e로 지정하세요: default, staging",
        ),
    ] {
        let output = command(args).current_dir(&folder).output().unwrap();
        let said = stderr(&output);
        assert!(said.contains(told), "{args:?}: {said}");
    }
}

/// Artillery sends them changed, too, and says nothing.
#[test]
fn digits_that_a_payload_loses_are_told() {
    let folder = no_folder("digits-lost");
    std::fs::create_dir_all(&folder).unwrap();
    let server = Server::start();
    let test = |more: &str| {
        let text = format!(
            "config:\n  target: {}\n  phases: [{{duration: 1, arrivalCount: 1}}]\n  \
             payload: {{path: p.csv, fields: [phone]{more}}}\n\
             scenarios:\n  - flow: [{{get: {{url: '/{{{{ phone }}}}'}}}}]\n",
            server.base
        );
        std::fs::write(folder.join("t.yml"), text).unwrap();
        std::fs::write(folder.join("p.csv"), "01012345678\n").unwrap();
        let args = ["run", "t.yml", "--check", "--no-store"];
        stderr(&command(&args).current_dir(&folder).output().unwrap())
    };
    let said = test("");
    assert!(
        said.contains("01012345678 is sent as the number 1012345678"),
        "{said}"
    );
    let said = test(", cast: false");
    assert!(!said.contains("01012345678"), "{said}");
}

#[test]
fn a_run_ends_with_the_commands_that_go_on_from_it() {
    let server = Server::start();
    let url = format!("{}/", server.base);
    let store = no_folder("next-commands").join("runs.db");
    let store = store.to_str().unwrap();
    let run = |more: &[&str]| {
        let args = [&["run", &url, "-i", "1", "--store", store][..], more].concat();
        stderr(&loadline(&args))
    };
    let said = run(&[]);
    let last = said.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("loadline: next: loadline explain "),
        "{said}"
    );
    assert!(
        last.contains("loadline report ") && last.contains("--store"),
        "{said}"
    );
    assert!(run(&["--lang", "ko"]).contains("다음: loadline explain"));
    assert!(!run(&["-q"]).contains("explain"));
}

/// Missing for URLs: k6's `--stage`, a name for the run, and its report in one command.
#[test]
fn a_url_run_ramps_has_a_name_and_writes_its_report() {
    let server = Server::start();
    let url = format!("{}/", server.base);
    let folder = no_folder("staged");
    std::fs::create_dir_all(&folder).unwrap();
    let run = |args: &[&str]| {
        let args = [args, &["--store", "runs.db"]].concat();
        command(&args).current_dir(&folder).output().unwrap()
    };
    let staged = ["--stage", "300ms:4", "--stage", "300ms:4", "--tag", "base"];
    let output = run(&[&["run", &url][..], &staged, &["--report", "r.html"]].concat());
    // 4: the machine was too busy to judge.
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 4)), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("up to 4 virtual users"),
        "{}",
        stdout(&output)
    );
    let page = std::fs::read_to_string(folder.join("r.html")).unwrap();
    assert!(page.starts_with("<!doctype html>"));
    assert!(
        run(&["show", "base"]).status.success(),
        "the run has its name"
    );

    for (args, told) in [
        (&["--stage", "30s"][..], "30s:10"),
        (&["--stage", "5m:x", "--lang", "ko"], "사용자 수"),
        (&["--stage", "1s:1", "--rate", "5/s"], "--rate"),
        (&["--report", "none/r.html"], "none/r.html"),
    ] {
        let output = run(&[&["run", &url][..], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            stderr(&output).contains(told),
            "{args:?}: {}",
            stderr(&output)
        );
    }
    let said = stderr(&loadline(&[
        "run",
        &url,
        "-i",
        "1",
        "--no-store",
        "--report",
        "r.html",
    ]));
    assert!(said.contains("--no-store"), "{said}");
}

/// The same flag of scripts and Artillery files.
#[test]
fn files_write_their_report_too() {
    let server = Server::start();
    let folder = no_folder("reported");
    std::fs::create_dir_all(&folder).unwrap();
    let script = format!(
        "import http from 'k6/http';\nexport default () => {{ http.get('{}/'); }};\n",
        server.base
    );
    let file = format!(
        "config:\n  target: {}\n  phases: [{{duration: 1, arrivalCount: 1}}]\n\
         scenarios:\n  - flow: [{{get: {{url: /}}}}]\n",
        server.base
    );
    std::fs::write(folder.join("t.js"), script).unwrap();
    std::fs::write(folder.join("t.yml"), file).unwrap();
    for name in ["t.js", "t.yml"] {
        let page = format!("{name}.html");
        let args = ["run", name, "--report", &page, "--store", "runs.db"];
        let output = command(&args).current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let page = std::fs::read_to_string(folder.join(&page)).unwrap();
        assert!(page.contains(name), "{name}");
    }
}

/// Starts were dropped, and nothing said how many users would have taken them.
#[test]
fn dropped_starts_say_how_many_users_they_need() {
    let folder = no_folder("users-needed");
    std::fs::create_dir_all(&folder).unwrap();
    let script = "import { sleep } from 'k6';\n\
                  export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 20,\n\
                  duration: '2s', preAllocatedVUs: 1, maxVUs: 1 } } };\n\
                  export default () => sleep(0.2);\n";
    std::fs::write(folder.join("t.js"), script).unwrap();
    let said = |args: &[&str]| {
        let args = [args, &["--store", "runs.db"]].concat();
        let output = command(&args).current_dir(&folder).output().unwrap();
        stdout(&output) + &stderr(&output)
    };
    said(&["run", "t.js", "--quiet"]);
    // Its length is not exactly 2 s, so neither is the rate.
    let shown = said(&["show"]);
    assert!(
        shown.contains("an iteration this load needs about"),
        "{shown}"
    );
    assert!(said(&["show", "--lang", "ko"]).contains("명 필요"));
}

/// Seen: each POST of a log went out with `body: null`.
#[test]
fn tests_written_from_a_log_say_what_has_no_body() {
    let folder = no_folder("bodies");
    std::fs::create_dir_all(&folder).unwrap();
    let line = |n: u32| {
        let method = if n.is_multiple_of(2) { "POST" } else { "GET" };
        format!(
            "10.0.0.{n} - - [28/Nov/2026:10:{n:02}:00 +0000] \"{method} /orders HTTP/1.1\" 200 12 \"-\" \"x\"\n"
        )
    };
    std::fs::write(folder.join("a.log"), (0..40).map(line).collect::<String>()).unwrap();
    for (kind, file) in [("k6", "load.js"), ("artillery", "load.yml")] {
        for (lang, told) in [("en", "without a body"), ("ko", "본문 없이")] {
            let args = [
                "plan", "--log", "a.log", "--write", kind, "out", "--lang", lang,
            ];
            let output = command(&args).current_dir(&folder).output().unwrap();
            let said = stdout(&output);
            assert!(
                said.contains(told) && said.contains("POST /orders"),
                "{said}"
            );
            let text = std::fs::read_to_string(folder.join("out").join(file)).unwrap();
            assert!(text.contains(told), "{text}");
        }
    }
}

/// Seen: "invalid tag, empty value", k6's words alone.
#[test]
fn a_value_that_a_flag_of_scripts_does_not_take_says_what_it_takes() {
    let path = crate::common::script("flag-values.js", "export default function () {}");
    let path = path.to_str().unwrap();
    for (flags, told) in [
        (
            &["--tag", "round-1"][..],
            "NAME=VALUE, such as --tag round=1",
        ),
        (&["--tag", "=x"], "NAME=VALUE, such as --tag round=1"),
        (&["--vus", "abc"], "a whole number"),
        (&["-d", "5"], "a time with its unit, such as 30s"),
        (&["--throw=perhaps"], "one of true, false"),
    ] {
        let output = loadline(&[&["run", path], flags].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(255), "{said}");
        let (before, k6s) = said.split_once("time=").unwrap_or_default();
        assert!(before.contains(told), "{flags:?}: {said}");
        assert!(k6s.contains("level=error"), "{said}");
    }
}
