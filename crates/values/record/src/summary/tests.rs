use std::sync::Arc;
use std::time::Duration;

use loadline_metrics::threshold::{Condition, Phase, ThresholdSource, Thresholds};
use loadline_metrics::{Merger, MetricId, Registry, Shard, Submetrics, TagSetId, builtin};
use loadline_units::WorkerId;

use super::*;
use crate::health::{CpuUsage, Limit};
use crate::run::Ending;
use crate::validity::Goals;

mod verdict;

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
