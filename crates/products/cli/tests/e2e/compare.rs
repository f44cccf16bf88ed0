//! `compare` on stored runs: shares, changed answers, lower bounds, what keeps the sides from
//! being alike, and the exit codes of `--fail-if-worse`.

use std::process::Output;
use std::time::Duration;

use serde_json::Value;

use crate::common::{
    Server, free_address, loadline, no_folder, script, start, stderr, stdout, until,
};

/// A store of its own.
struct Kept(String);

impl Kept {
    fn new(name: &str) -> Self {
        let folder = no_folder(&format!("compare-{name}"));
        Self(folder.join("runs.db").to_str().unwrap().to_owned())
    }

    fn with(&self, args: &[&str]) -> Output {
        loadline(&[args, &["--store", &self.0]].concat())
    }

    /// Loads a URL with four users.
    fn run(&self, url: &str, flags: &[&str]) {
        let output = self.with(&[&["run", url, "-q"], flags].concat());
        assert!(output.status.code().is_some(), "{}", stderr(&output));
    }

    /// What the last two runs come to, and the exit code at a limit that no time exceeds.
    fn compared(&self, more: &[&str]) -> (String, Option<i32>) {
        let flags = ["compare", "latest~1", "latest", "--fail-if-worse", "1000"];
        let output = self.with(&[&flags[..], more].concat());
        (stdout(&output) + &stderr(&output), output.status.code())
    }

    fn document(&self) -> Value {
        let (said, _) = self.compared(&["--json"]);
        let line = said.lines().next().unwrap_or_default();
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {said}"))
    }
}

/// The row of a measure in the first table.
fn row<'s>(said: &'s str, name: &str) -> &'s str {
    let found = said.lines().find(|line| line.starts_with(name));
    found.unwrap_or_else(|| panic!("no {name} in {said}"))
}

fn finding(document: &Value, measure: &str) -> String {
    let all = document["all"]["differences"].as_array().unwrap();
    let found = all.iter().find(|one| one["measure"] == measure);
    let found = found.unwrap_or_else(|| panic!("no {measure} in {document}"));
    found["finding"]["kind"].as_str().unwrap().to_owned()
}

/// Seen: "cannot tell [-16.7 %, +20.1 %]; about 11 runs a side would".
#[test]
fn a_run_is_not_compared_with_itself() {
    let (server, kept) = (Server::start(), Kept::new("itself"));
    kept.run(&server.base, &["-u", "2", "-i", "20"]);
    let output = kept.with(&["compare", "latest", "latest"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("`latest` and `latest` are the same runs"),
        "{said}"
    );
}

/// Seen: what two series had in common was counted on both sides.
#[test]
fn sides_that_have_a_run_in_common_are_not_compared() {
    let (server, kept) = (Server::start(), Kept::new("shared"));
    for tag in ["one", "two"] {
        kept.run(&server.base, &["-u", "2", "-i", "20", "--tag", tag]);
    }
    for args in [
        &["compare", "one,two", "two"][..],
        &["report", "two", "--against", "one,two", "-o", "-"],
    ] {
        let output = kept.with(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("on both sides: "), "{said}");
    }
}

#[test]
fn the_endpoint_whose_answers_got_larger_is_named_with_their_sizes() {
    let (server, kept) = (Server::start(), Kept::new("size"));
    let text = format!(
        "import http from 'k6/http'; import {{ sleep }} from 'k6';
         export const options = {{ vus: 2, duration: '4s' }};
         export default function () {{
           http.get('{base}/same', {{ tags: {{ name: 'same' }} }});
           http.get('{base}/sized', {{ tags: {{ name: 'sized' }} }});
           sleep(0.02);
         }}",
        base = server.base
    );
    let path = script("compare-size.js", &text);
    let path = path.to_str().unwrap();
    kept.run(path, &[]);
    server.answer_with(250);
    kept.run(path, &[]);

    let (said, code) = kept.compared(&[]);
    assert!(said.contains("ANSWERS CHANGED: sized\n"), "{said}");
    assert!(
        said.contains("bytes of a good answer: 2 before, 250 after"),
        "{said}"
    );
    assert!(!said.contains("ANSWERS CHANGED: same"), "{said}");
    assert!(!said.contains("ANSWERS CHANGED: all"), "{said}");
    assert!(said.contains("CHANGED: answers of sized"), "{said}");
    assert_eq!(code, Some(3));
    let document = kept.document();
    assert_eq!(document["endpoints"][0]["name"], "sized");
    let size = &document["endpoints"][0]["changed_answers"][0];
    assert_eq!(
        *size,
        serde_json::json!({ "kind": "size", "before": 2.0, "after": 250.0 })
    );

    let korean = kept.with(&["compare", "latest~1", "latest", "--lang", "ko"]);
    let said = stdout(&korean);
    assert!(
        said.contains("응답 크기(정상): 이전 2바이트, 이후 250바이트"),
        "{said}"
    );
}

#[test]
fn more_failed_requests_are_worse_by_their_difference_in_points() {
    let (server, kept) = (Server::start(), Kept::new("errors"));
    let flags = ["-u", "4", "-d", "4s", "--fail-on", "none"];
    kept.run(&server.base, &flags);
    server.fail_every(20);
    kept.run(&server.base, &flags);
    let (said, code) = kept.compared(&[]);
    let errors = row(&said, "errors");
    assert!(errors.contains("0 %"), "{said}");
    assert!(errors.contains("WORSE by 5.0"), "{said}");
    assert!(errors.contains("points ["), "{said}");
    assert_eq!(code, Some(3), "{said}");
    // The other way round it is better, and no check fails on it.
    let back = kept.with(&["compare", "latest", "latest~1", "--json"]);
    let document: Value = serde_json::from_str(&stdout(&back)).unwrap();
    assert_eq!(finding(&document, "errors"), "better");
}

/// Seen: "ANSWERS CHANGED: bytes of an answer: 14 before, 11 after" of 11 both times: errors had longer bodies.
#[test]
fn errors_that_went_with_longer_bodies_of_their_own_are_no_changed_answers() {
    let (server, kept) = (Server::start(), Kept::new("bodies"));
    let flags = ["-u", "4", "-d", "4s", "--fail-on", "none"];
    server.fail_every(4);
    kept.run(&server.base, &flags);
    server.fail_every(0);
    kept.run(&server.base, &flags);
    let (said, _) = kept.compared(&[]);
    assert!(said.contains("errors fell from 25."), "{said}");
    assert!(!said.contains("ANSWERS CHANGED"), "{said}");
    assert!(!said.contains("bytes of a"), "{said}");
    let back = stdout(&kept.with(&["compare", "latest", "latest~1"]));
    assert!(back.contains("ANSWERS CHANGED"), "{back}");
    assert!(!back.contains("bytes of a"), "{back}");
}

#[test]
fn failed_checks_and_dropped_starts_are_compared_as_shares() {
    let (server, kept) = (
        Server::answering_after(Duration::from_millis(50)),
        Kept::new("shares"),
    );
    let text = format!(
        "import http from 'k6/http'; import {{ check }} from 'k6';
         export const options = {{ scenarios: {{ rate: {{ executor: 'constant-arrival-rate', rate: 40,
           duration: '4s', preAllocatedVUs: Number(__ENV.USERS) }} }} }};
         export default function () {{
           check(http.get('{}'), {{ kind: (r) => r.headers['X-Kind'] === __ENV.KIND }});
         }}",
        server.base
    );
    let path = script("compare-shares.js", &text);
    let path = path.to_str().unwrap();
    kept.run(path, &["-e", "USERS=20", "-e", "KIND=plain"]);
    kept.run(path, &["-e", "USERS=1", "-e", "KIND=other"]);
    let (said, code) = kept.compared(&[]);
    assert!(
        row(&said, "failed checks").contains("WORSE by 100"),
        "{said}"
    );
    assert!(
        row(&said, "starts not answered").contains("WORSE by "),
        "{said}"
    );
    assert_eq!(code, Some(3), "{said}");
    let document = kept.document();
    let worse = document["regression"]["worse"].as_array().unwrap();
    for of in ["checks", "dropped"] {
        assert!(worse.iter().any(|one| one["of"] == of), "{of}: {document}");
    }
}

#[test]
fn single_runs_of_a_few_seconds_say_how_many_would_do_and_a_check_cannot_judge() {
    let (server, kept) = (
        Server::answering_after(Duration::from_millis(5)),
        Kept::new("short"),
    );
    for _ in 0..2 {
        kept.run(&server.base, &["-u", "2", "-d", "4s"]);
    }
    let output = kept.with(&["compare", "latest~1", "latest", "--fail-if-worse", "5"]);
    let said = stdout(&output);
    assert!(row(&said, "p95").ends_with("(1)"), "{said}");
    let would_tell = "runs of 10 full seconds or more, or 3 runs a side (--repeat 3)";
    assert_eq!(said.matches(would_tell).count(), 1, "{said}");
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    let reason = stderr(&output);
    assert!(
        reason.contains("cannot rule out that it is worse by more than 5.00 %: TPS, mean, p95"),
        "{reason}"
    );
    assert!(said.contains("! left out as not full"), "{said}");
    let korean = ["compare", "latest~1", "latest", "--fail-if-worse", "5"];
    let korean = kept.with(&[&korean[..], &["--lang", "ko"]].concat());
    assert_eq!(korean.status.code(), Some(7));
    assert!(
        stderr(&korean).contains("나빠지지 않았다고 판단할 수 없음"),
        "{}",
        stderr(&korean)
    );
}

#[test]
fn repeated_runs_of_one_target_pass_a_check_and_a_slower_one_fails_it() {
    let (server, kept) = (
        Server::answering_after(Duration::from_millis(20)),
        Kept::new("repeated"),
    );
    let runs = |tag: &str| {
        kept.run(&server.base, &["-u", "2", "-d", "3s", "--repeat", "5"]);
        for place in ["latest", "latest~1", "latest~2", "latest~3", "latest~4"] {
            let tagged = kept.with(&["runs", "tag", place, tag]);
            assert!(tagged.status.success(), "{}", stderr(&tagged));
        }
    };
    runs("main");
    runs("same");
    let against_main = |limit: &str| {
        let flags = ["compare", "same", "--baseline", "main", "--fail-if-worse"];
        kept.with(&[&flags[..], &[limit]].concat())
    };
    let same = against_main("1000");
    let said = stdout(&same);
    assert_eq!(same.status.code(), Some(0), "{said}{}", stderr(&same));
    assert!(
        said.starts_with("same (5 runs) against main (5 runs)"),
        "{said}"
    );

    server.answer_after(Duration::from_millis(60));
    runs("slow");
    let flags = ["compare", "slow", "--baseline", "main"];
    let slow = kept.with(&[&flags[..], &["--fail-if-worse", "20"]].concat());
    let said = stdout(&slow);
    assert_eq!(slow.status.code(), Some(3), "{said}{}", stderr(&slow));
    // Not p95: on a busy machine the slowest twentieth of two seconds is the neighbours'.
    for measure in ["TPS", "mean", "p50"] {
        assert!(row(&said, measure).contains("WORSE by "), "{said}");
    }
}

#[test]
fn a_dead_port_is_not_called_faster() {
    let (server, kept) = (
        Server::answering_after(Duration::from_millis(5)),
        Kept::new("dead"),
    );
    // A port that was free a moment ago may be another test's by now.
    let closed = "http://127.0.0.1:1";
    let flags = ["--rate", "50/s", "-d", "12s", "--fail-on", "none"];
    kept.run(&server.base, &flags);
    kept.run(closed, &flags);
    let (said, code) = kept.compared(&[]);
    assert!(!said.contains("better by"), "{said}");
    assert!(row(&said, "errors").contains("WORSE by 100"), "{said}");
    assert!(row(&said, "p95").ends_with("(1)"), "{said}");
    let why = "(1) cannot tell: more requests failed, and failed ones are often fast";
    assert!(said.contains(why), "{said}");
    assert_eq!(code, Some(3), "{said}");
}

#[test]
fn another_load_is_said_before_anything_else() {
    let (server, kept) = (Server::start(), Kept::new("load"));
    // Seen: 50/s against 60/s of random arrivals, and not a word: chance could have made it.
    for rate in ["50/s", "60/s"] {
        kept.run(&server.base, &["--rate", rate, "-d", "4s"]);
    }
    let (said, _) = kept.compared(&[]);
    let second = said.lines().nth(1).unwrap();
    let rates = second
        .strip_prefix("! different load: ")
        .and_then(|rest| rest.strip_suffix(" iterations/s were planned"))
        .and_then(|rates| rates.split_once(" against "))
        .unwrap_or_else(|| panic!("{said}"));
    let near = |told: &str, rate: f64| (told.parse::<f64>().unwrap() - rate).abs() <= 1.0;
    assert!(near(rates.0, 50.0) && near(rates.1, 60.0), "{said}");
    assert_eq!(kept.document()["caveats"][0]["kind"], "other-load");
}

#[test]
fn a_target_that_hangs_is_worse_by_lower_bounds_and_never_better() {
    let kept = Kept::new("hangs");
    let flags = [
        "--rate",
        "50/s",
        "-d",
        "14s",
        "--arrivals",
        "even",
        "--graceful-stop",
        "500ms",
        "--fail-on",
        "none",
    ];
    let healthy = Server::start();
    kept.run(&healthy.base, &flags);
    let dying = Server::hanging_after(300);
    kept.run(&dying.base, &flags);
    let (said, code) = kept.compared(&[]);
    let p95 = row(&said, "p95");
    assert!(p95.contains("≥ "), "{said}");
    assert!(!said.contains("better by"), "{said}");
    let only = row(&said, "! only in ");
    assert!(only.contains("requests cut off unanswered"), "{said}");
    assert!(!said.contains("too few full seconds"), "{said}");
    assert_eq!(code, Some(3), "{said}");
    // What hangs was started, too.
    assert!(!said.contains("different load"), "{said}");
    let document = kept.document();
    let all = document["all"]["differences"].as_array().unwrap();
    let p95 = all.iter().find(|one| one["measure"] == "p95").unwrap();
    assert_eq!(p95["after_at_least"], true, "{p95}");
    assert_eq!(p95["before_at_least"], false, "{p95}");
    // Against the one that hung, nothing is known of how much better the healthy one is.
    let back = kept.with(&["compare", "latest", "latest~1"]);
    let said = stdout(&back);
    assert!(!row(&said, "p95").contains("WORSE"), "{said}");
}

#[test]
fn an_endpoint_that_both_sides_have_is_compared_though_each_has_twenty_busier_ones() {
    let (server, kept) = (Server::start(), Kept::new("matched"));
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ vus: 2, duration: '4s' }};
         export default function () {{
           for (let i = 0; i < 25; i++) {{
             for (let n = 0; n < 3; n++) {{
               http.get('{base}/x', {{ tags: {{ name: `${{__ENV.SIDE}}-${{i}}` }} }});
             }}
           }}
           http.get('{base}/x', {{ tags: {{ name: 'of-both' }} }});
         }}",
        base = server.base
    );
    let path = script("compare-matched.js", &text);
    let path = path.to_str().unwrap();
    for side in ["SIDE=old", "SIDE=new"] {
        kept.run(path, &["-e", side]);
    }
    let (said, _) = kept.compared(&[]);
    assert!(
        said.lines().any(|line| line.starts_with("of-both ")),
        "{said}"
    );
    assert!(said.contains("only before: old-"), "{said}");
}

#[test]
fn a_limit_that_is_no_number_is_refused() {
    for limit in ["nan", "inf", "-1", "x"] {
        let flag = format!("--fail-if-worse={limit}");
        let output = loadline(&["compare", "a", "b", &flag]);
        assert_eq!(output.status.code(), Some(2), "{limit}");
        assert!(stderr(&output).contains(limit), "{}", stderr(&output));
    }
}

#[test]
fn a_run_whose_load_was_changed_is_named_with_what_changed_it() {
    let (server, kept) = (Server::start(), Kept::new("changed"));
    let text = format!(
        "import http from 'k6/http'; import {{ sleep }} from 'k6';
         export const options = {{ vus: 1, duration: '4s' }};
         export default function () {{ http.get('{}/'); sleep(0.02); }}",
        server.base
    );
    let path = script("compare-changed.js", &text);
    let path = path.to_str().unwrap();
    kept.run(path, &[]);
    let before = server.requests();
    let address = free_address().to_string();
    let run = start(&["run", "-q", "--store", &kept.0, "--address", &address, path]);
    until("request", || server.requests() > before + 3);
    for paused in [true, false] {
        let body = format!(r#"{{"data":{{"type":"status","attributes":{{"paused":{paused}}}}}}}"#);
        let answer = crate::any_test::patch(&address, &body);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let output = run.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));

    let (said, _) = kept.compared(&[]);
    let line = row(&said, "! the load of ");
    assert!(
        line.contains("was changed while it ran: paused by the REST API at "),
        "{said}"
    );
    assert!(line.contains("resumed by the REST API at "), "{said}");
    let document = kept.document();
    let caveats = document["caveats"].as_array().unwrap();
    let changed = caveats.iter().find(|one| one["kind"] == "load-changed");
    let changes = &changed.unwrap_or_else(|| panic!("{document}"))["changes"];
    assert_eq!(changes[0]["change"], "paused");
    assert_eq!(changes[1]["by"], "rest-api");
}

/// Seen: nothing of the target was told, and no word of why.
#[test]
fn which_side_was_observed_is_told_where_only_one_was() {
    let server = Server::start();
    let kept = Kept::new("observed");
    let source = format!("pid:{}", std::process::id());
    kept.run(&server.base, &["-i", "20"]);
    let observed = ["-i", "20", "--no-observe-after", "--observe", &source];
    kept.run(&server.base, &observed);
    let (said, _) = kept.compared(&[]);
    assert!(said.contains("! only latest was observed: "), "{said}");
    let caveats = kept.document()["caveats"].to_string();
    assert!(
        caveats.contains(r#"{"kind":"one-side-observed","before":0,"after":1}"#),
        "{caveats}"
    );
    kept.run(&server.base, &observed);
    let (said, _) = kept.compared(&[]);
    assert!(!said.contains("observed"), "{said}");
}
