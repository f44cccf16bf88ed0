//! What is said of a run first.

use super::*;

#[test]
fn the_verdict_names_what_matters_most() {
    let answered: &[_] = &[("status", "200")];
    let refused: &[_] = &[("status", "0"), ("error", "refused")];
    let slow = [source("http_reqs", &["count>5"])];
    let run =
        |sources: &[ThresholdSource], tags| summary(sources, &[(builtin::HTTP_REQS, tags, 1.0)]);

    assert_eq!(run(&[], answered).verdict(), Verdict::NoGoals);
    let held = [source("http_reqs", &["count>0"])];
    assert_eq!(run(&held, answered).verdict(), Verdict::Passed);
    let empty = run(&[source("http_req_duration", &["p(95)<500"])], answered);
    assert_eq!(empty.unjudged_thresholds(), 1);
    assert_eq!(empty.verdict(), Verdict::NotJudged, "nothing was judged");
    let none_dropped = run(&[source("dropped_iterations", &["count<1"])], answered);
    assert_eq!(none_dropped.unjudged_thresholds(), 0);
    assert_eq!(none_dropped.verdict(), Verdict::Passed, "none was dropped");
    let mut failed = run(&slow, answered);
    assert_eq!(failed.verdict(), Verdict::ThresholdsFailed);
    failed.run.generator.cpu = Some(CpuUsage {
        mean: 1.0,
        peak: 1.0,
        busiest: 1.0,
    });
    assert_eq!(
        failed.verdict(),
        Verdict::GeneratorLimited(vec![Limit::Cpu])
    );
    failed.run.ending = Ending::Interrupted;
    assert_eq!(failed.verdict(), Verdict::Interrupted);
    assert_eq!(run(&slow, refused).verdict(), Verdict::NoAnswer);
    assert_eq!(summary(&[], &[]).verdict(), Verdict::NothingSent);
    failed.run.ending = Ending::Failed {
        message: "no worker".to_owned(),
    };
    let verdict = Verdict::Failed("no worker".to_owned());
    assert_eq!(failed.verdict(), verdict);
}

/// Seen: "NOT VALID: the generator was the bottleneck (stalls)" of three iterations that threw.
#[test]
fn what_no_late_generator_makes_is_a_failure_though_it_was_the_bottleneck() {
    let answer = |status| -> [(&'static str, &'static str); 1] { [("status", status)] };
    let limited = |statuses: &[&'static str]| {
        let tags: Vec<_> = statuses.iter().map(|status| answer(status)).collect();
        let samples: Vec<_> = tags
            .iter()
            .map(|tags| (builtin::HTTP_REQS, &tags[..], 1.0))
            .collect();
        let mut summary = summary(&[], &samples);
        summary.run.generator.cpu = Some(CpuUsage {
            mean: 1.0,
            peak: 1.0,
            busiest: 1.0,
        });
        summary
    };
    let mut failed = limited(&["200", "503", "0"]);
    failed.failed = 2;
    let errors = Shortfall::Errors { all: 3, failed: 2 };
    assert_eq!(failed.verdict(), Verdict::FellShort(vec![errors]));
    failed.failed = 1;
    assert_eq!(
        failed.verdict().word(),
        "not-valid",
        "it may have timed out for lateness"
    );
    let mut redirected = limited(&["200", "302"]);
    redirected.run.redirects = 1;
    assert_eq!(redirected.verdict().word(), "failed");
    let mut thrown = limited(&["200"]);
    thrown.run.complete_iterations = 1;
    thrown.run.exceptions = 1;
    assert_eq!(thrown.verdict().word(), "failed");
    assert_eq!(limited(&["200"]).verdict().word(), "not-valid");
}

/// Seen: PASSED or DONE with half of the starts dropped, no check passed, every answer 404,
/// every iteration thrown.
#[test]
fn load_and_answers_that_fell_short_are_no_pass() {
    let held = [source("http_reqs", &["count>0"])];
    let answered: &[_] = &[("status", "200")];
    let run =
        |sources: &[ThresholdSource]| summary(sources, &[(builtin::HTTP_REQS, answered, 100.0)]);
    let short = |summary: &Summary| match summary.verdict() {
        Verdict::FellShort(short) => short,
        other => panic!("{other:?}"),
    };

    let mut dropped = run(&held);
    dropped.run.generator.planned_starts = 1000;
    dropped.run.generator.dropped_starts = 9;
    assert_eq!(dropped.verdict(), Verdict::Passed);
    dropped.run.generator.dropped_starts = 10;
    let load = Shortfall::Load {
        planned: 1000,
        started: 990,
    };
    assert_eq!(short(&dropped), [load]);

    let mut thrown = run(&held);
    thrown.run.complete_iterations = 20;
    thrown.run.exceptions = 20;
    let exceptions = Shortfall::Exceptions {
        all: 20,
        thrown: 20,
    };
    assert_eq!(short(&thrown), [exceptions]);

    let mut gave_up = run(&held);
    gave_up.run.complete_iterations = 50;
    gave_up.run.failed_users = 50;
    let users = Shortfall::Users {
        all: 50,
        failed: 50,
    };
    assert_eq!(short(&gave_up), [users]);

    let missing: &[_] = &[("status", "404"), ("expected_response", "false")];
    let counts = [
        (builtin::HTTP_REQS, missing, 1.0),
        (builtin::HTTP_REQS, answered, 99.0),
    ];
    let errors = Shortfall::Errors {
        all: 100,
        failed: 1,
    };
    assert_eq!(short(&summary(&held, &counts)), [errors]);
    let on_errors = [source("http_req_failed", &["rate<0.9"])];
    let rated = (builtin::HTTP_REQ_FAILED, missing, 1.0);
    let passed = (builtin::HTTP_REQ_FAILED, answered, 0.0);
    let tolerated = summary(&on_errors, &[counts[0], counts[1], rated, rated, passed]);
    assert_eq!(
        tolerated.verdict(),
        Verdict::Passed,
        "a goal says how many may fail"
    );

    let failed: &[_] = &[("check", "ok")];
    let unchecked = [
        (builtin::HTTP_REQS, answered, 1.0),
        (builtin::CHECKS, failed, 0.0),
    ];
    let checks = Shortfall::Checks { all: 1, failed: 1 };
    assert_eq!(short(&summary(&held, &unchecked)), [checks]);
}

/// Seen: DONE with "0 % errors" of a script with `systemTags: ['url']`, while half of the answers
/// were 503 and `http_req_failed` said so.
#[test]
fn a_test_that_ended_itself_did_not_pass() {
    let answered: &[_] = &[("status", "200")];
    let mut run = summary(&[], &[(builtin::HTTP_REQS, answered, 1.0)]);
    run.run.ending = Ending::Test {
        message: "enough".to_owned(),
    };
    assert_eq!(run.verdict().word(), "stopped");
}

#[test]
fn goals_of_another_dialect_count() {
    let answered: &[_] = &[("status", "200")];
    let mut run = summary(&[], &[(builtin::HTTP_REQS, answered, 1.0)]);
    run.run.goals = Some(Goals { met: 1, all: 2 });
    assert_eq!(run.verdict(), Verdict::ThresholdsFailed);
    run.run.goals = Some(Goals { met: 2, all: 2 });
    assert_eq!(run.verdict(), Verdict::Passed);
}

#[test]
fn what_was_sent_and_cut_without_an_answer_was_sent() {
    let mut run = summary(&[], &[]);
    assert_eq!(run.verdict(), Verdict::NothingSent);
    let mut all = crate::Accounting::default();
    (all.requests.sent, all.requests.cut) = (3, 3);
    run.run.accounting = Some(all);
    assert_eq!(run.verdict(), Verdict::NoAnswer);
    // gRPC calls were answered, and have no status of HTTP.
    (all.requests.answered, all.requests.cut) = (2, 1);
    run.run.accounting = Some(all);
    assert!(!matches!(
        run.verdict(),
        Verdict::NoAnswer | Verdict::NothingSent
    ));
}

/// Seen: "cut off at the end of the run", FAILED, of a script with `gracefulRampDown: '0s'`.
#[test]
fn what_the_tests_own_ramp_down_cuts_is_no_shortfall() {
    let answered: &[_] = &[("status", "200")];
    let mut run = summary(&[], &[(builtin::HTTP_REQS, answered, 50.0)]);
    let mut all = crate::Accounting::default();
    (all.requests.sent, all.requests.answered, all.requests.cut) = (55, 50, 5);
    run.run.accounting = Some(all);
    let cut = Shortfall::Cut { sent: 55, cut: 5 };
    assert_eq!(run.verdict(), Verdict::FellShort(vec![cut]));
    all.requests.ramped_down = 5;
    run.run.accounting = Some(all);
    assert_eq!(run.verdict(), Verdict::NoGoals);
}

/// Seen: PASSED of a script whose `setup` logs in and whose iterations send nothing.
#[test]
fn requests_of_set_up_alone_are_none_of_the_test() {
    let log_in: &[_] = &[("status", "200"), ("group", "::setup")];
    let mut run = summary(&[], &[(builtin::HTTP_REQS, log_in, 1.0)]);
    let sent = |count| {
        let mut all = crate::Accounting::default();
        (all.requests.sent, all.requests.answered) = (count, count);
        Some(all)
    };
    run.run.complete_iterations = 5;
    run.run.accounting = sent(1);
    assert_eq!(run.verdict(), Verdict::NothingSent);
    // One more, of a protocol without statuses of HTTP.
    run.run.accounting = sent(2);
    assert_ne!(run.verdict(), Verdict::NothingSent);
}
