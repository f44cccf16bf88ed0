//! Shares as people type them: with a percent sign, or below 1 with a point. Everything else is
//! refused with both spellings and the cause, by every flag and file that takes one.

use crate::common::{Server, loadline, no_folder, script, stderr, stdout};

/// A text that was typed, and what is told of it; `None` for what is taken.
type Typed = (&'static str, Option<&'static str>);

const GOALS: [Typed; 20] = [
    ("errors<1%", None),
    ("errors<0.01", None),
    ("errors<.5", None),
    ("errors<1 %", None),
    ("errors<=0%", None),
    ("p95<500ms", None),
    ("errors<1", Some("write 1% or 0.01")),
    ("errors<5", Some("write 5% or 0.05")),
    ("errors<=0", Some("write 0% or 0.0")),
    ("errors<1.0", Some("write 1% or 0.01")),
    ("errors<0,5%", Some("write 0.5% or 0.005")),
    ("errors<0,01", Some("write 1% or 0.01")),
    ("errors<150%", Some("`150%` is more than 100 %")),
    ("errors<1e-2", Some("write 1% or 0.01")),
    ("errors<１%", None),
    ("errors<-1%", Some("write 1% or 0.01")),
    ("errors<0%", Some("write `errors<=0%`")),
    ("p(95)>500ms", Some("write `p(95)<500ms`")),
    ("errors>1%", Some("write `errors<1%`")),
    ("error<1%", Some("there is no statistic `error`")),
];

/// Seen: `--slo 'errors<1'` was 100 %, and PASSED with 51 % errors.
#[test]
fn a_goal_is_taken_as_it_is_meant_or_refused_with_its_cause() {
    let server = Server::start();
    for (typed, told) in GOALS {
        let flags = ["run", &server.base, "-i", "1", "--no-store", "--slo", typed];
        let output = loadline(&flags);
        let said = stderr(&output);
        match told {
            None => assert_eq!(output.status.code(), Some(0), "{typed}: {said}"),
            Some(told) => {
                assert_eq!(output.status.code(), Some(2), "{typed}: {said}");
                assert!(said.contains(told), "{typed}: {said}");
            }
        }
    }
    let korean = ["--lang", "ko", "run", &server.base, "--slo", "errors<1"];
    let said = stderr(&loadline(&korean));
    assert!(said.contains("1% 또는 0.01"), "{said}");
}

#[test]
fn searches_comparisons_plans_and_stand_ins_read_shares_alike() {
    let table = script(
        "shares.csv",
        "vus,tps,mean,errors\n5,50,100,1\n9,80,110,2\n",
    );
    let table = table.to_str().unwrap();
    let plain = script("no-shares.csv", "vus,tps,mean\n5,50,100\n9,80,110\n");
    let plain = plain.to_str().unwrap();
    for (args, told) in [
        (
            &["capacity", "--table", plain, "--slo", "errors<1"][..],
            "write 1% or 0.01",
        ),
        (
            &["capacity", "--table", plain, "--slo", "p(95)>1s"],
            "write `p(95)<1s`",
        ),
        (
            &["capacity", "--table", table, "--slo", "errors<5%"],
            "write 1% or 0.01",
        ),
        (
            &["compare", "--capacity", plain, plain, "--slo", "errors<1"],
            "write 1% or 0.01",
        ),
        (
            &["compare", "a", "b", "--confidence", "0.95"],
            "write 0.95% or 95%",
        ),
        (
            &["compare", "a", "b", "--fail-if-worse", "0.05"],
            "write 0.05% or 5%",
        ),
        (
            &["plan", "--rate", "9/s", "--error-rate", "1"],
            "write 1% or 0.01",
        ),
        (
            &["plan", "--users", "9", "--active", "10", "--every", "3s"],
            "write 10% or 0.1",
        ),
        (
            &["plan", "--rate", "9/s", "--feature", "a: GET /a, share=1"],
            "write 1% or 0.01",
        ),
        (
            &[
                "plan",
                "--rate",
                "9/s",
                "--feature",
                "a: GET /a, errors=1,5%",
            ],
            "write 1% or 0.01",
        ),
        (&["mock", "--errors", "1"], "write 1% or 0.01"),
        (&["mock", "--timeouts", "5"], "write 5% or 0.05"),
    ] {
        let output = loadline(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(told), "{args:?}: {said}");
    }
}

/// Seen: `goal: meet errors<1` was kept with any share of errors.
#[test]
fn the_goal_of_a_study_keeps_its_cause() {
    let folder = no_folder("typed-shares");
    std::fs::create_dir_all(&folder).unwrap();
    let study = folder.join("s.yaml");
    for (goal, told) in [
        ("meet tps>=5, errors<1", "write 1% or 0.01"),
        ("meet p(95)>500ms", "write `p(95)<500ms`"),
        ("meet tps>=fast", "write tps>= and a number above zero"),
    ] {
        let text = format!("test: [http://127.0.0.1:9/]\ngoal: {goal}\nknobs: []\n");
        std::fs::write(&study, text).unwrap();
        let output = loadline(&["tune", study.to_str().unwrap()]);
        let said = stderr(&output);
        assert!(
            said.contains(":2:7: ") && said.contains(told),
            "{goal}: {said}"
        );
    }
}

/// Seen: k6's words alone, which name neither the place nor what to write.
#[test]
fn thresholds_of_a_script_are_named_with_place_and_fix() {
    let path = script(
        "typed-thresholds.js",
        "export const options = {\n  thresholds: {\n    http_req_duration: ['p95<500ms', 'p(99)<1s'],\n    http_req_failed: [{ threshold: 'rate<1%', abortOnFail: true }],\n    nosuch: ['count>1'],\n  },\n};\nexport default function () {}\n",
    );
    let output = loadline(&["run", path.to_str().unwrap()]);
    let said = stderr(&output);
    for told in [
        "typed-thresholds.js:3:26: threshold \"p95<500ms\" on `http_req_duration`",
        "write `p(95)<500`",
        "typed-thresholds.js:3:39: ",
        "write `p(99)<1000`",
        "typed-thresholds.js:4:37: ",
        "write `rate<0.01`",
        "typed-thresholds.js:5:5: threshold on `nosuch`",
        "failed parsing method from expression",
    ] {
        assert!(said.contains(told), "{told}\n{said}\n{}", stdout(&output));
    }
    assert_eq!(output.status.code(), Some(104));
}
