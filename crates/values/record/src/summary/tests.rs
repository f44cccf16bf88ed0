use std::sync::Arc;
use std::time::Duration;

use loadline_metrics::threshold::{Condition, Phase, ThresholdSource, Thresholds};
use loadline_metrics::{Merger, MetricId, Registry, Shard, Submetrics, TagSetId, builtin};
use loadline_units::WorkerId;

use super::*;
use crate::health::{CpuUsage, Limit};
use crate::run::Ending;
use crate::validity::Goals;

/// A sample: metric, tags, value.
type Sample<'a> = (MetricId, &'a [(&'a str, &'a str)], f64);

fn summary(sources: &[ThresholdSource], samples: &[Sample<'_>]) -> Summary {
    let registry = Arc::new(Registry::new());
    let mut parts = Submetrics::default();
    let wanted = "http_req_duration{expected_response:true}";
    parts.add(wanted, &registry).unwrap();
    let mut thresholds = Thresholds::compile(sources, &registry, &mut parts).unwrap();
    let mut shard = Shard::new(WorkerId(0), Arc::clone(&registry));
    for (metric, tags, sample) in samples {
        let tags = shard.tags.extend(TagSetId::EMPTY, tags);
        shard.record(*metric, tags, *sample);
    }
    let mut merger = Merger::new(1, Arc::clone(&registry), parts);
    merger.absorb(shard.take_window(0));
    merger.next_ready().unwrap();
    let second = Duration::from_secs(1);
    thresholds.evaluate(merger.totals(), second, Phase::Final);
    Summary::new(&merger, &registry, &thresholds, Run::finished(second))
}

fn source(metric: &str, texts: &[&str]) -> ThresholdSource {
    let condition = |text: &&str| Condition {
        text: (*text).to_owned(),
        abort_on_fail: false,
        delay_abort: None,
    };
    ThresholdSource {
        metric: metric.to_owned(),
        conditions: texts.iter().map(condition).collect(),
    }
}

fn names(metrics: &[Metric]) -> Vec<&str> {
    metrics.iter().map(|m| m.name.as_str()).collect()
}

#[test]
fn a_metric_is_listed_when_it_has_samples_or_a_threshold() {
    let sources = [
        source("http_reqs{name:x}", &["count>5"]),
        source("vus", &[]),
    ];
    let summary = summary(&sources, &[(builtin::ITERATIONS, &[], 1.0)]);
    assert_eq!(
        names(&summary.metrics),
        ["http_reqs", "http_reqs{name:x}", "iterations", "vus"]
    );
    assert_eq!(summary.crossed(), ["http_reqs{name:x}"]);
    let result = &summary.metric("http_reqs{name:x}").unwrap().thresholds[0];
    assert_eq!((result.ok, result.observed), (false, Some(0.0)));
}

#[test]
fn an_unnamed_submetric_is_listed_once_it_has_samples() {
    let tags: &[_] = &[("expected_response", "true")];
    let summary = summary(&[], &[(builtin::HTTP_REQ_DURATION, tags, 3.0)]);
    assert_eq!(
        names(&summary.metrics),
        [
            "http_req_duration",
            "http_req_duration{expected_response:true}"
        ]
    );
}

/// Seen: p50 and p95 of a run in which 46 % failed were those of both together.
#[test]
fn good_and_failed_answers_are_told_apart() {
    let good: &[_] = &[("expected_response", "true"), ("status", "200")];
    let failed: &[_] = &[("expected_response", "false"), ("status", "503")];
    let mut samples: Vec<Sample<'_>> = vec![(builtin::HTTP_REQ_DURATION, good, 900.0); 5];
    samples.extend(vec![(builtin::HTTP_REQ_DURATION, failed, 10.0); 5]);
    samples.push((builtin::HTTP_REQS_CUT, &[], 2000.0));
    let run = summary(&[], &samples);
    let apart = run.latency_apart().unwrap();
    assert!((apart.good.percentile(0.5).unwrap().at_least - 900.0).abs() < 1e-9);
    assert_eq!(apart.good.censored(), 1);
    assert!((apart.failed.max().unwrap().at_least - 10.0).abs() < 1e-9);
    assert_eq!(run.waited().unwrap().all().count(), 6);

    let plain = summary(&[], &samples[..5]);
    assert!(plain.latency_apart().is_none(), "nothing to tell apart");
}

/// A script may leave out the tags that say what failed.
#[test]
fn without_the_tags_it_is_not_known_how_long_failed_requests_took() {
    let samples: [Sample<'_>; 2] = [
        (builtin::HTTP_REQ_DURATION, &[], 900.0),
        (builtin::HTTP_REQ_DURATION, &[("status", "500")], 10.0),
    ];
    let mut run = summary(&[], &samples);
    run.failed = 1;
    assert!(run.latency_apart().is_none() && run.is_failed_latency_unknown());
}

#[test]
fn a_goal_of_planned_starts_holds_the_good_answers() {
    let good: &[_] = &[("expected_response", "true")];
    let failed: &[_] = &[("expected_response", "false")];
    let mut samples: Vec<Sample<'_>> = vec![(builtin::HTTP_REQ_DURATION, good, 900.0); 5];
    samples.extend(vec![(builtin::HTTP_REQ_DURATION, failed, 10.0); 5]);
    let run = summary(&[source("planned_latency", &["p(95)<1000"])], &samples);
    let goal = run.metric("planned_latency").unwrap();
    assert_eq!(
        (goal.thresholds[0].ok, goal.thresholds[0].observed),
        (false, None)
    );
    let MetricValue::Trend(well) = &goal.value else {
        panic!("times");
    };
    assert_eq!(well.count(), 5);
}

#[test]
fn checks_are_kept_by_group_and_added_up_by_name() {
    let root: &[_] = &[("check", "ok"), ("group", "")];
    let inner: &[_] = &[("check", "ok"), ("group", "::one::inner")];
    let setup: &[_] = &[("check", "ready"), ("group", "::setup")];
    let summary = summary(
        &[],
        &[
            (builtin::CHECKS, setup, 1.0),
            (builtin::CHECKS, inner, 0.0),
            (builtin::CHECKS, root, 1.0),
            (builtin::CHECKS, root, 1.0),
        ],
    );
    let check = |name: &str, passes, fails| Check {
        name: name.to_owned(),
        passes,
        fails,
    };
    assert_eq!(summary.checks, [check("ready", 1, 0), check("ok", 2, 1)]);
    assert_eq!(summary.root.checks, [check("ok", 2, 0)]);
    let tree: Vec<&str> = summary
        .root
        .groups
        .iter()
        .map(|g| g.path.as_str())
        .collect();
    assert_eq!(tree, ["::setup", "::one"]);
    let inner = &summary.root.groups[1].groups[0];
    assert_eq!(inner.path, "::one::inner");
    assert_eq!(inner.checks, [check("ok", 0, 1)]);

    // Results by group leave set-up out, and a group without samples has no results.
    let groups: Vec<&str> = summary.groups.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(groups, ["one"]);
    assert_eq!(summary.groups[0].check_rate, None);
    let rate = summary.groups[0].groups[0].check_rate.unwrap();
    assert_eq!((rate.trues, rate.total), (0, 1));
}

#[test]
fn the_tree_knows_groups_that_ran_or_have_checks() {
    let request: &[_] = &[("group", "::setup")];
    let ran: &[_] = &[("group", "::one")];
    let summary = summary(
        &[],
        &[
            (builtin::HTTP_REQS, request, 1.0),
            (builtin::GROUP_DURATION, ran, 1.0),
        ],
    );
    let tree: Vec<&str> = summary
        .root
        .groups
        .iter()
        .map(|g| g.path.as_str())
        .collect();
    assert_eq!(tree, ["::one"]);
}

#[test]
fn scenarios_have_their_results_and_groups() {
    let at = |scenario, group| [("group", group), ("scenario", scenario)];
    let (b, b_group) = (at("b", ""), at("b", "::g"));
    let (a, default) = (at("a", ""), at("default", "::h"));
    let summary = summary(
        &[],
        &[
            (builtin::HTTP_REQS, &b, 1.0),
            (builtin::HTTP_REQS, &b_group, 2.0),
            (builtin::HTTP_REQS, &a, 4.0),
            (builtin::HTTP_REQS, &default, 8.0),
        ],
    );
    let count = |section: &Section| match &section.metrics[0].value {
        MetricValue::Counter(Some(sum)) => format!("{} {}", section.name, sum.value()),
        other => format!("{other:?}"),
    };
    let scenarios: Vec<String> = summary.scenarios.iter().map(count).collect();
    assert_eq!(scenarios, ["a 4", "b 3"]);
    assert_eq!(count(&summary.scenarios[1].groups[0]), "g 2");
    let groups: Vec<String> = summary.groups.iter().map(count).collect();
    assert_eq!(groups, ["h 8"]);
}

#[test]
fn answers_are_counted_by_status_and_failures_by_error() {
    let ok: &[_] = &[("status", "200"), ("name", "a")];
    let other: &[_] = &[("status", "200"), ("name", "b")];
    let refused: &[_] = &[
        ("status", "0"),
        ("error", "refused"),
        ("error_code", "1212"),
    ];
    let reset: &[_] = &[("status", "0"), ("error", "reset"), ("error_code", "1220")];
    let summary = summary(
        &[],
        &[
            (builtin::HTTP_REQS, refused, 1.0),
            (builtin::HTTP_REQS, reset, 1.0),
            (builtin::HTTP_REQS, reset, 1.0),
            (builtin::HTTP_REQS, ok, 1.0),
            (builtin::HTTP_REQS, other, 2.0),
        ],
    );
    assert_eq!(
        summary.statuses,
        [("0".to_owned(), 3), ("200".to_owned(), 3)]
    );
    let errors: Vec<_> = summary
        .errors
        .iter()
        .map(|e| (e.code.as_str(), e.count))
        .collect();
    assert_eq!(errors, [("1220", 2), ("1212", 1)]);
}

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
fn failed_requests_whose_tags_do_not_say_so_are_counted() {
    let held = [source("http_reqs", &["count>0"])];
    let tags: &[_] = &[("url", "http://h/")];
    let samples = [
        (builtin::HTTP_REQS, tags, 3.0),
        (builtin::HTTP_REQ_DURATION, tags, 5.0),
        (builtin::HTTP_REQ_FAILED, tags, 0.0),
        (builtin::HTTP_REQ_FAILED, tags, 1.0),
        (builtin::HTTP_REQ_FAILED, tags, 1.0),
    ];
    let run = summary(&held, &samples);
    let errors = Shortfall::Errors { all: 3, failed: 2 };
    assert_eq!(run.shortfalls(), [errors]);
    assert!(run.is_failed_latency_unknown());
}

/// Guards against "DONE" and exit code 0 where every answer sent the visitor elsewhere.
#[test]
fn redirects_that_were_not_followed_are_no_answers_of_what_was_asked_for() {
    let moved: &[_] = &[("status", "302")];
    let mut run = summary(&[], &[(builtin::HTTP_REQS, moved, 50.0)]);
    assert_eq!(run.verdict(), Verdict::NoGoals, "a script's, followed");
    run.run.redirects = 50;
    let redirects = Shortfall::Redirects {
        all: 50,
        redirects: 50,
    };
    assert_eq!(run.verdict(), Verdict::FellShort(vec![redirects]));
}

/// A typing error in a tag is no zero; a counter of failures that never counted one is.
#[test]
fn a_count_of_nothing_is_judged_unless_it_is_of_a_part() {
    let answered: &[_] = &[("status", "200")];
    let whole = summary(
        &[source("iterations", &["count<5"])],
        &[(builtin::HTTP_REQS, answered, 1.0)],
    );
    assert_eq!(whole.verdict(), Verdict::Passed);
    let part = summary(
        &[source("http_reqs{name:never}", &["count<5"])],
        &[(builtin::HTTP_REQS, answered, 1.0)],
    );
    assert_eq!(part.verdict(), Verdict::NotJudged);
}

/// Event streams carry a status and no `http_req_failed`.
#[test]
fn an_answer_that_no_one_rated_failed_by_its_status() {
    let refused: &[_] = &[("status", "401")];
    let summary = summary(&[], &[(builtin::HTTP_REQS, refused, 50.0)]);
    assert_eq!(summary.failed_requests(), (50, 50));
    assert_eq!(summary.verdict().word(), "failed");
}

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
