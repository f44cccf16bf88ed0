use std::sync::Arc;
use std::time::Duration;

use loadline_metrics::threshold::{Condition, Phase, ThresholdSource, Thresholds};
use loadline_metrics::{Merger, Registry, Shard, Submetrics, TagSetId, builtin};
use loadline_record::{
    Accounting, ArrivalProcess, CpuUsage, DropCounts, Ending, GeneratorHealth, RequestAccount,
    ResourceUsage, Run, StartLag,
};
use loadline_text::{Dialect, Lang};
use loadline_units::WorkerId;

use super::*;

mod starts;

/// 1000 requests in 2 s, 3 of them refused, one in ten slow.
fn summary(thresholds: &[(&str, &str)], generator: GeneratorHealth) -> Summary {
    refusing_one_in(400, thresholds, generator)
}

fn refusing_one_in(
    one_in: usize,
    thresholds: &[(&str, &str)],
    generator: GeneratorHealth,
) -> Summary {
    let registry = Arc::new(Registry::new());
    let sources: Vec<ThresholdSource> = thresholds
        .iter()
        .map(|(metric, text)| ThresholdSource {
            metric: (*metric).to_owned(),
            conditions: vec![Condition {
                text: (*text).to_owned(),
                abort_on_fail: false,
                delay_abort: None,
            }],
        })
        .collect();
    let mut parts = Submetrics::default();
    let mut thresholds = Thresholds::compile(&sources, &registry, &mut parts).unwrap();
    let mut shard = Shard::new(WorkerId(0), Arc::clone(&registry));
    let ok = shard.tags.extend(TagSetId::EMPTY, &[("status", "200")]);
    let refused = [
        ("status", "0"),
        ("error", "connection refused"),
        ("error_code", "1212"),
    ];
    let refused = shard.tags.extend(TagSetId::EMPTY, &refused);
    for n in 0..1000 {
        let tags = if n % one_in == 0 { refused } else { ok };
        let latency = if n % 10 == 0 { 1449.0 } else { 4.1 };
        shard.record_all(
            tags,
            &[
                (builtin::HTTP_REQS, 1.0),
                (builtin::HTTP_REQ_DURATION, latency),
                (builtin::HTTP_REQ_WAITING, latency - 0.5),
                (builtin::INTENDED_LATENCY, latency + 0.1),
                (
                    builtin::HTTP_REQ_FAILED,
                    f64::from(u8::from(tags == refused)),
                ),
                (builtin::ITERATIONS, 1.0),
                (builtin::DATA_RECEIVED, 412.0),
                (builtin::DATA_SENT, 81.0),
            ],
        );
    }
    let mut merger = Merger::new(1, Arc::clone(&registry), parts);
    merger.absorb(shard.take_window(0));
    merger.next_ready().unwrap();
    let length = Duration::from_millis(2004);
    thresholds.evaluate(merger.totals(), length, Phase::Final);
    let run = Run {
        most_vus: 64,
        generator,
        ..Run::finished(length)
    };
    Summary::new(&merger, &registry, &thresholds, run)
}

fn healthy() -> GeneratorHealth {
    GeneratorHealth {
        workers: 2,
        cpu: Some(CpuUsage {
            mean: 0.41,
            peak: 0.7,
            busiest: 0.58,
        }),
        start_lag: Some(StartLag {
            p50_ms: 0.021,
            p99_ms: 0.34,
            max_ms: 2.2,
            p95_ms: None,
        }),
        open_files: Some(ResourceUsage {
            used: 71,
            limit: 1024,
        }),
        planned_starts: 1003,
        dropped_starts: 3,
        ..GeneratorHealth::default()
    }
}

const WARM_UP: WarmUp = WarmUp {
    duration: Duration::from_secs(5),
    end: loadline_record::WarmUpEnd::Time,
    requests: 2210.0,
    p95_ms: Some(311.0),
    errors: 0.02,
};

fn shown(summary: &Summary, lang: Lang) -> String {
    let facts = RunFacts {
        target: "http://127.0.0.1:8080/products",
        warm_up: Some(&WARM_UP),
        end: ProgramEnding::Code(exit(&summary.verdict()).code(Dialect::Loadline)),
    };
    text(summary, facts, &Catalog::new(lang))
}

#[test]
fn a_passed_run_in_both_languages() {
    let thresholds = [
        ("http_req_duration", "p(95)<1500"),
        ("http_req_failed", "rate<0.01"),
    ];
    let summary = summary(&thresholds, healthy());
    insta::assert_snapshot!(shown(&summary, Lang::En));
    insta::assert_snapshot!(shown(&summary, Lang::Ko));
}

#[test]
fn a_limited_generator_overrules_thresholds() {
    let weak = GeneratorHealth {
        throttled: Duration::from_millis(700),
        stalls: 2,
        longest_stall: Duration::from_millis(310),
        stalled: None,
        folded: 12,
        ..healthy()
    };
    let summary = summary(&[("http_req_duration", "p(95)<500")], weak);
    insta::assert_snapshot!(shown(&summary, Lang::En));
    insta::assert_snapshot!(shown(&summary, Lang::Ko));
}

#[test]
fn every_verdict_has_its_first_line() {
    let without_thresholds = summary(&[], healthy());
    let mut summary = summary(&[("http_req_duration", "p(95)<500")], healthy());
    let mut lines = String::new();
    let mut add = |summary: &Summary| {
        for lang in Lang::ALL {
            let text = shown(summary, lang);
            lines.push_str(text.lines().next().unwrap_or_default());
            lines.push('\n');
        }
    };
    add(&without_thresholds);
    add(&summary);
    summary.run.ending = Ending::Interrupted;
    add(&summary);
    summary.run.ending = Ending::Finished;
    summary.statuses.retain(|(status, _)| status == "0");
    add(&summary);
    summary.statuses.clear();
    add(&summary);
    summary.run.ending = Ending::Failed {
        message: "worker 1 is gone".to_owned(),
    };
    add(&summary);
    insta::assert_snapshot!(lines);
}

#[test]
fn a_long_list_is_cut_and_failed_thresholds_come_first() {
    let texts: Vec<String> = (0..30)
        .map(|n| format!("p(95)<{}", 1400 + n * 10))
        .collect();
    let thresholds: Vec<(&str, &str)> = texts
        .iter()
        .map(|text| ("http_req_duration", text.as_str()))
        .collect();
    let text = shown(&summary(&thresholds, healthy()), Lang::En);
    assert!(text.lines().count() <= 40);
    assert!(text.contains("✗ http_req_duration p(95)<1400"));
    assert!(text.contains("and 25 more"));
}

/// Seen: DONE, exit code 0, with 52 % of the starts dropped.
#[test]
fn a_load_that_was_not_reached_is_the_first_thing_said() {
    let generator = GeneratorHealth {
        planned_starts: 1001,
        dropped_starts: 521,
        drops: DropCounts {
            no_free_user: 500,
            late: 21,
            ..DropCounts::default()
        },
        ..healthy()
    };
    let summary = summary(&[("http_req_duration", "p(95)<1500")], generator);
    assert_eq!(exit(&summary.verdict()), Exit::FellShort);
    let first = |lang| shown(&summary, lang).lines().next().unwrap().to_owned();
    insta::assert_snapshot!(
        first(Lang::En),
        @"FAILED: load not reached: 480 of 1,001 planned starts, no free virtual user for 500, the generator was too late for 21, at 149 ms an iteration this load needs about 81 users: 499 requests/s, p95 1,449 ms (good answers), 0.30 % errors; exit code 3"
    );
    insta::assert_snapshot!(
        first(Lang::Ko),
        @"실패: 부하 미달: 계획한 시작 1,001건 중 480건 실행, 500건은 빈 가상 사용자가 없어 누락, 21건은 부하 발생기가 늦어 누락, 반복 시간 149 ms에서는 사용자 약 81명 필요: 처리량 499 요청/초, p95 1,449 ms(정상 응답), 오류율 0.30 %; 종료 코드 3"
    );
    let unsaid = crate::verdict::unsaid(&summary, &Catalog::new(Lang::En));
    assert_eq!(
        unsaid,
        ["3 of 1,000 requests failed (connection refused [1212] × 3)"]
    );
}

/// Seen: 257 of 257 requests answered with 503, and the first line told of late starts only.
#[test]
fn a_generator_at_its_limit_does_not_hide_wrong_answers() {
    let generator = GeneratorHealth {
        cpu: Some(CpuUsage {
            mean: 0.99,
            peak: 1.0,
            busiest: 0.99,
        }),
        ..healthy()
    };
    let summary = refusing_one_in(2, &[], generator);
    let first = |lang| shown(&summary, lang).lines().next().unwrap().to_owned();
    insta::assert_snapshot!(
        first(Lang::En),
        @"NOT VALID: the generator was the bottleneck (CPU); 500 of 1,000 requests failed (connection refused [1212] × 500); 499 requests/s is not the target's limit; exit code 4"
    );
    insta::assert_snapshot!(
        first(Lang::Ko),
        @"무효: 부하 발생기가 병목이었습니다(CPU); 요청 1,000건 중 500건 실패 (연결이 거부됨 [1212] × 500); 처리량 499 요청/초는 대상의 한계가 아닙니다; 종료 코드 4"
    );
    let unsaid = crate::verdict::unsaid(&summary, &Catalog::new(Lang::En));
    assert_eq!(unsaid, ["load not reached: 1,000 of 1,003 planned starts"]);
}

/// Seen: 900 of 1,501 requests cut off, and the first line told of late starts only.
#[test]
fn a_generator_at_its_limit_does_not_hide_what_never_began_or_ended() {
    let generator = GeneratorHealth {
        start_lag: Some(StartLag {
            p50_ms: 12.0,
            p99_ms: 31.0,
            max_ms: 60.0,
            p95_ms: None,
        }),
        planned_starts: 2001,
        dropped_starts: 500,
        ..healthy()
    };
    let mut summary = refusing_one_in(1001, &[], generator);
    summary.run.accounting = Some(Accounting {
        requests: RequestAccount {
            sent: 1501,
            answered: 601,
            cut: 900,
            ..RequestAccount::default()
        },
        ..Accounting::default()
    });
    let first = |lang| shown(&summary, lang).lines().next().unwrap().to_owned();
    insta::assert_snapshot!(first(Lang::En), @"NOT VALID: the generator was the bottleneck (late starts); load not reached: 1,501 of 2,001 planned starts; 900 of 1,501 requests cut off unanswered at the end; 499 requests/s is not the target's limit; exit code 4");
    insta::assert_snapshot!(first(Lang::Ko), @"무효: 부하 발생기가 병목이었습니다(시작 지연); 부하 미달: 계획한 시작 2,001건 중 1,501건 실행; 요청 1,501건 중 900건은 종료 시점에 응답 없이 끊김; 처리량 499 요청/초는 대상의 한계가 아닙니다; 종료 코드 4");
}

/// Seen: a login page's 302 for every request, "DONE, 0 % errors", and no word of it.
#[test]
fn answers_that_point_elsewhere_are_said_not_to_be_followed() {
    let mut summary = summary(&[], healthy());
    summary.statuses = vec![("200".to_owned(), 97), ("302".to_owned(), 900)];
    let said = |lang| shown(&summary, lang);
    // A script's, followed: a site that asks for a login answers each request like that.
    let followed = "900 of 997 answers are redirects: make sure that where they lead is what is";
    assert!(said(Lang::En).contains(followed), "{}", said(Lang::En));
    assert!(!said(Lang::En).contains("does not follow"));
    summary.run.redirects = 900;
    let said = |lang| shown(&summary, lang);
    let en = "900 of 997 answers are redirects, which a URL run does not follow";
    assert!(said(Lang::En).contains(en), "{}", said(Lang::En));
    let ko = "응답 997건 중 900건이 다른 주소로의 리다이렉트이며";
    assert!(said(Lang::Ko).contains(ko), "{}", said(Lang::Ko));
    assert!(!said(Lang::En).contains("make sure"), "told once");
    summary.run.redirected_to = Some("https://login.example.com/sso".to_owned());
    let en = shown(&summary, Lang::En);
    assert!(
        en.contains("the first of them leads to https://login.example.com/sso"),
        "{en}"
    );
    let ko = shown(&summary, Lang::Ko);
    assert!(
        ko.contains("첫 리다이렉트의 주소: https://login.example.com/sso"),
        "{ko}"
    );
}

/// Seen: "FAILED" with exit code 0, which looks like a mistake.
#[test]
fn a_bad_verdict_with_the_code_of_success_says_whose_code_it_is() {
    let summary = refusing_one_in(2, &[], healthy());
    let ends = |said: String, end: &str| assert!(said.ends_with(end), "{said}");
    let (en, ko) = (Catalog::new(Lang::En), Catalog::new(Lang::Ko));
    ends(
        crate::verdict::of_artillery(&summary, 0, &en),
        "; exit code 0, as Artillery ends such a run (--fail-on changes that)",
    );
    ends(
        crate::verdict::of_script(&summary, Exit::Success, 0, &ko),
        "; 종료 코드 0(k6도 이렇게 끝납니다. --fail-on으로 바꿀 수 있습니다)",
    );
    ends(
        crate::verdict::of_artillery(&summary, 3, &en),
        "; exit code 3",
    );
    ends(
        crate::verdict::of_requests(&summary, 0, &en),
        "; exit code 0",
    );
}

/// Seen: `-i 1 --slo 'p(99)<500ms'` passed without a word.
#[test]
fn a_percentile_of_few_values_is_said_to_be_none() {
    let mut summary = summary(
        &[
            ("http_req_duration", "p(95)<1500"),
            ("http_req_duration", "p(99.99)<1500"),
        ],
        healthy(),
    );
    summary.failed = 0;
    summary.statuses = vec![("200".to_owned(), 997)];
    let said = |lang| shown(&summary, lang);
    let en = "`http_req_duration p(99.99)<1500` was judged by a sample of 1,000: too few for such";
    assert!(said(Lang::En).contains(en), "{}", said(Lang::En));
    assert!(!said(Lang::En).contains("`http_req_duration p(95)"));
    assert!(
        said(Lang::Ko).contains("값은 1,000개뿐입니다"),
        "{}",
        said(Lang::Ko)
    );
}

/// Seen: "dropped starts 0 of 44,368 planned" of two users in a loop.
#[test]
fn where_users_loop_no_start_was_planned() {
    let mut summary = summary(&[], healthy());
    summary.run.generator.dropped_starts = 0;
    summary.run.arrivals = None;
    assert!(!shown(&summary, Lang::En).contains("dropped starts"));
    summary.run.arrivals = Some(ArrivalProcess::Even);
    let said = shown(&summary, Lang::En);
    assert!(said.contains("dropped starts"), "{said}");
}

/// Seen: "26,339 requests/s is not the target's limit" of a script that sends none.
#[test]
fn a_run_without_requests_tells_no_rate_of_them() {
    let generator = GeneratorHealth {
        cpu: Some(CpuUsage {
            mean: 0.99,
            peak: 1.0,
            busiest: 0.99,
        }),
        planned_starts: 0,
        dropped_starts: 0,
        ..healthy()
    };
    let mut summary = refusing_one_in(1001, &[], generator);
    summary.statuses.clear();
    summary.errors.clear();
    summary.failed = 0;
    let said = |lang, summary: &Summary| {
        crate::verdict::of_script(summary, Exit::Success, 0, &Catalog::new(lang))
    };
    insta::assert_snapshot!(said(Lang::En, &summary), @"FAILED: no request was sent in 1,000 iterations; exit code 0, as k6 ends such a run (--fail-on changes that)");
    insta::assert_snapshot!(said(Lang::Ko, &summary), @"실패: 반복 1,000회 동안 보낸 요청이 없습니다; 종료 코드 0(k6도 이렇게 끝납니다. --fail-on으로 바꿀 수 있습니다)");

    // No late generator makes a script throw.
    (summary.run.complete_iterations, summary.run.exceptions) = (10, 10);
    assert_eq!(summary.verdict().word(), "failed");
    for (lang, word) in [(Lang::En, "FAILED"), (Lang::Ko, "실패")] {
        assert!(
            said(lang, &summary).starts_with(word),
            "{}",
            said(lang, &summary)
        );
    }
}
