//! Counts, sizes and times of a run.

use std::time::Duration;

use loadline_metrics::{Censored, MetricValue, ValueBounds};
use loadline_record::Summary;
use loadline_report::url;
use loadline_text::Dialect;

use crate::reader::{Fact, Reader};

fn count_of(summary: &Summary, name: &str) -> f64 {
    match summary.metric(name).map(|metric| &metric.value) {
        Some(MetricValue::Counter(Some(sum))) => sum.value(),
        _ => 0.0,
    }
}

pub(super) fn add_counts(reader: &mut Reader, summary: &Summary) {
    let run = &summary.run;
    let seconds = run.duration.as_secs_f64();
    let requests = count_of(summary, "http_reqs");
    let (failed, all) = summary.failed_requests();
    let sent = run.accounting.unwrap().requests;
    let starts = summary.planned_answers().unwrap_or_default();
    let facts = [
        ("lost", Fact::Count(starts.lost as f64)),
        ("planned_starts", Fact::Count(starts.planned() as f64)),
        ("requests", Fact::Count(requests)),
        ("rate", Fact::Number(requests / seconds)),
        ("failed", Fact::Count(failed as f64)),
        ("all", Fact::Count(all as f64)),
        ("errors", Fact::Share(failed as f64 / all as f64)),
        ("users", Fact::Count(run.most_vus as f64)),
        ("workers", Fact::Count(run.generator.workers as f64)),
        ("sent", Fact::Count(sent.sent as f64)),
        ("cut", Fact::Count(sent.cut as f64)),
        ("planned", Fact::Count(run.generator.planned_starts as f64)),
        ("dropped", Fact::Count(run.generator.dropped_starts as f64)),
        (
            "started",
            Fact::Count((run.generator.planned_starts - run.generator.dropped_starts) as f64),
        ),
        (
            "no_free_user",
            Fact::Count(run.generator.drops.no_free_user as f64),
        ),
        ("late", Fact::Count(run.generator.drops.late as f64)),
        (
            "time_over",
            Fact::Count(run.generator.drops.time_over as f64),
        ),
        (
            "code",
            Fact::Count(f64::from(
                url::exit(&summary.verdict()).code(Dialect::Loadline),
            )),
        ),
    ];
    for (name, fact) in facts {
        reader.fact(name, fact);
    }
    for (status, count) in &summary.statuses {
        reader.fact(&format!("status_{status}"), Fact::Count(*count as f64));
        let line = format!("{status} {{status_{status}}}");
        reader.pattern(
            "line",
            &format!("status {line}"),
            &format!("상태 코드 {line}"),
        );
        reader.both("line", &line);
        let kind = if status == "0" {
            "refused [1212]"
        } else {
            status
        };
        let kind = format!("{kind} × {{status_{status}}}");
        reader.both("kind", &kind);
        reader.pattern("line", &format!("errors {kind}"), &format!("오류 {kind}"));
        reader.both("line", &kind);
    }
    if let Some(MetricValue::Rate(checks)) = summary.metric("checks").map(|metric| &metric.value) {
        reader.fact("passed_checks", Fact::Count(checks.trues as f64));
        reader.fact(
            "failed_checks",
            Fact::Count((checks.total - checks.trues) as f64),
        );
        reader.fact("checks", Fact::Count(checks.total as f64));
        reader.both("check", if checks.total == 1 { "check" } else { "checks" });
    }
    let mean = match summary
        .metric("http_req_duration")
        .map(|metric| &metric.value)
    {
        Some(MetricValue::Trend(took)) => took.mean(),
        _ => None,
    };
    reader.fact("iteration", Fact::Millis(mean));
    // Where starts only queued for users, the load was over when the last of them had its turn.
    let queued = match summary.intended_latency() {
        Some(all) if run.generator.drops.no_free_user == 0 => {
            all.all().max().unwrap_or(0.0) / 1000.0
        }
        _ => 0.0,
    };
    let load_seconds = (seconds - queued).max(0.5 * seconds);
    let planned_rate = run.generator.planned_starts as f64 / load_seconds;
    let needed = (planned_rate * mean.unwrap_or(0.0) / 1000.0).ceil();
    reader.fact("needed", Fact::Count(needed));
    let oldest = match summary.metric("http_reqs_cut").map(|metric| &metric.value) {
        Some(MetricValue::Trend(ages)) => ages.max(),
        _ => None,
    };
    reader.fact("oldest", Fact::Millis(oldest));
    for (english, korean) in [
        ("the-target", "the-target"),
        (
            "{@length}, up to {users} virtual {@user}, {workers} {@worker}",
            "{@length}, 가상 사용자 최대 {users}명, 워커 스레드 {workers}개",
        ),
        ("requests {requests} {rate}/s", "요청 {requests} {rate}/초"),
        // One has no rate.
        ("requests 1", "요청 1"),
        ("failed {failed} {errors}", "실패한 요청 {failed} {errors}"),
        ("arrivals evenly spaced", "도착 간격 일정한 간격"),
        (
            "cut at the end {cut} of {sent} sent; the oldest had waited {oldest}",
            "종료 시 중단 {cut} 보낸 {sent}건 중, 가장 오래 기다린 요청 {oldest}",
        ),
        (
            "dropped starts {dropped} of {planned} planned",
            "누락된 시작 {dropped} 계획 {planned}건",
        ),
        ("{@load}", "{@load}"),
        (
            "≥: {lost} of {planned_starts} planned {@planned_start} {@lost_was} cut or never sent, and {@lost_counts} as the time waited until then; good answers alone may have taken longer",
            "≥: 예정 시작 {planned_starts}건 중 중단되거나 보내지 못한 {lost}건은 그때까지 기다린 시간으로 계산했습니다. 정상 응답만 보면 이보다 길 수 있습니다",
        ),
        (
            "checks {passed_checks} of {checks} passed",
            "검증 {checks}건 중 {passed_checks}건 통과",
        ),
        (
            "received {@received} {@received_rate}/s",
            "수신 {@received} {@received_rate}/초",
        ),
        (
            "sent {@sent_bytes} {@sent_bytes_rate}/s",
            "송신 {@sent_bytes} {@sent_bytes_rate}/초",
        ),
    ] {
        reader.pattern("line", english, korean);
    }
    let none = match sent.sent {
        1 => "FAILED: the only request got no complete answer",
        _ => "FAILED: none of {sent} requests got a complete answer",
    };
    reader.pattern(
        "verdict",
        none,
        "실패: 요청 {sent}건 중 끝까지 응답받은 요청이 없습니다",
    );
    let nouns = [
        ("user", run.most_vus, "user", "users"),
        ("worker", run.generator.workers as u64, "worker", "workers"),
        ("of_sent", sent.sent, "request", "requests"),
        ("of_all", all, "request", "requests"),
        ("start", run.generator.planned_starts, "start", "starts"),
        ("needed_user", needed as u64, "user", "users"),
        ("planned_start", starts.planned(), "start", "starts"),
        ("lost_was", starts.lost, "was", "were"),
        ("lost_counts", starts.lost, "counts", "count"),
    ];
    for (group, count, one, many) in nouns {
        reader.both(group, if count == 1 { one } else { many });
    }
    add_sizes(reader, requests, seconds);
    reader.fact("length", Fact::Text(length(run.duration)));
    reader.both("length", "{length}");
}

/// `1m2.5s`, to a tenth of a second; `4ms` of a shorter one.
fn length(of: Duration) -> String {
    if of < Duration::from_millis(100) {
        return format!("{}ms", of.as_millis());
    }
    let tenths = (of.as_millis() + 50) / 100;
    let (minutes, tenths) = (tenths / 600, tenths % 600);
    let seconds = match (tenths / 10, tenths % 10) {
        (0, some) if minutes == 0 && some > 0 => return format!("{}ms", some * 100),
        (whole, 0) => format!("{whole}s"),
        (whole, part) => format!("{whole}.{part}s"),
    };
    if minutes > 0 {
        format!("{minutes}m{seconds}")
    } else {
        seconds
    }
}

/// Each request receives 412 B and sends 81 B; `1.2 kB` has its digits.
fn add_sizes(reader: &mut Reader, requests: f64, seconds: f64) {
    for (name, bytes) in [("received", 412.0), ("sent_bytes", 81.0)] {
        for (name, value) in [
            (name.to_owned(), bytes * requests),
            (format!("{name}_rate"), bytes * requests / seconds),
        ] {
            let (unit, value) = match value.round() {
                few if few < 1000.0 => ("B", few),
                some if some < 1e6 => ("kB", value / 1000.0),
                _ => ("MB", value / 1e6),
            };
            reader.fact(&name, Fact::Rough(value));
            reader.both(&name, &format!("{{{name}}} {unit}"));
        }
    }
}

fn bounds(bounds: Option<ValueBounds>) -> Fact {
    match bounds {
        Some(bounds) if !bounds.is_known() => Fact::AtLeastMillis(bounds.at_least),
        bounds => Fact::Millis(bounds.map(|bounds| bounds.at_least)),
    }
}

pub(super) fn add_times(reader: &mut Reader, summary: &Summary) {
    let told = summary.waited();
    let p95 = told.and_then(|times| times.percentile(0.95));
    reader.fact("p95", bounds(p95));
    // Where no answer was good there is no time of good ones.
    match summary.waited_apart().zip(p95) {
        Some(_) => reader.pattern("p95", "{p95} (good answers)", "{p95}(정상 응답)"),
        None => reader.both("p95", "{p95}"),
    }
    reader.pattern(
        "line",
        "mean p50 p95 p99 p99.9 max",
        "평균 p50 p95 p99 p99.9 최대",
    );
    let split = |apart: Option<loadline_record::SplitLatency>| {
        apart.map(|apart| (apart.good, apart.failed)).unzip()
    };
    let (good, failed) = split(summary.latency_apart());
    let (planned_good, planned_failed) = split(summary.intended_latency_apart());
    let first_byte = match summary
        .metric("http_req_waiting")
        .map(|metric| &metric.value)
    {
        Some(MetricValue::Trend(all)) => {
            let good = all.without(&summary.failed_first_byte);
            Some(Censored::joining(
                &good,
                &loadline_metrics::Histogram::new(),
            ))
        }
        _ => None,
    };
    for (name, english, korean, times) in [
        ("latency", "latency", "응답 시간", summary.latency()),
        ("good", "latency, good", "응답 시간(정상)", good),
        ("failed_took", "latency, failed", "응답 시간(실패)", failed),
        (
            "from_planned",
            "from planned start",
            "예정 시작 기준",
            summary.intended_latency(),
        ),
        (
            "planned_good",
            "from planned start, good",
            "예정 시작 기준(정상)",
            planned_good,
        ),
        (
            "planned_failed",
            "from planned start, failed",
            "예정 시작 기준(실패)",
            planned_failed,
        ),
        (
            "all_planned",
            "from planned start, all",
            "예정 시작 기준(전체)",
            summary.intended_latency(),
        ),
        ("first", "first byte", "첫 바이트", first_byte.clone()),
        (
            "first_answered",
            "first byte (of answers)",
            "첫 바이트(응답한 요청)",
            first_byte.clone(),
        ),
        (
            "first_good",
            "first byte, good",
            "첫 바이트(정상)",
            first_byte,
        ),
    ] {
        let Some(times) = times else {
            continue;
        };
        let values = [
            times.mean(),
            times.percentile(0.5),
            times.percentile(0.95),
            times.percentile(0.99),
            times.percentile(0.999),
            times.max(),
        ];
        let mut row = String::new();
        for (place, value) in values.into_iter().enumerate() {
            reader.fact(&format!("{name}_{place}"), bounds(value));
            row.push_str(&format!(" {{{name}_{place}}}"));
        }
        reader.pattern(
            "line",
            &format!("{english}{row}"),
            &format!("{korean}{row}"),
        );
    }
}
