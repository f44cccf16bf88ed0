//! Goals, and how the generator fared, in words.

use loadline_metrics::threshold::Expression;
use loadline_record::Summary;

use crate::reader::{Fact, Reader};

pub(super) fn add_goals(reader: &mut Reader, summary: &Summary) {
    let (met, all) = summary.goals();
    let is_one =
        |count: usize, one: &'static str, many: &'static str| if count == 1 { one } else { many };
    reader.both("threshold", is_one(all, "threshold", "thresholds"));
    reader.both("hold", is_one(met, "holds", "hold"));
    reader.both("does", is_one(all - met, "does", "do"));
    reader.fact("goals_met", Fact::Count(met as f64));
    reader.fact("goals_missed", Fact::Count((all - met) as f64));
    reader.fact("goals", Fact::Count(all as f64));
    for metric in &summary.metrics {
        for goal in &metric.thresholds {
            let mark = if goal.ok { "✓" } else { "✗" };
            if metric.name == "http_req_failed" {
                reader.fact("errors_judged", Fact::Share(goal.observed.unwrap_or(0.0)));
                let line = format!("{mark} http_req_failed {} {{errors_judged}}", goal.source);
                reader.pattern(
                    "line",
                    &format!("thresholds {line}"),
                    &format!("임계값 {line}"),
                );
                reader.both("line", &line);
                continue;
            }
            let starts = summary.planned_answers().unwrap();
            let planned = starts.planned() as f64;
            reader.fact("well", Fact::Count(starts.well.count() as f64));
            reader.both("condition", &format!("{}ms", goal.source));
            // Where all were answered well, that of the table, as long as it tells the same of the goal.
            let asked = Expression::parse(&goal.source).unwrap();
            let in_table = starts.well.percentile(0.95).filter(|p95| {
                starts.missed() == 0 && asked.operator.holds(*p95, asked.limit) == goal.ok
            });
            reader.fact("judged", Fact::Millis(in_table.or(goal.observed)));
            reader.fact("goal_failed", Fact::Share(starts.failed as f64 / planned));
            reader.fact("goal_lost", Fact::Share(starts.lost as f64 / planned));
            reader.fact("good_p95", Fact::Millis(starts.well.percentile(0.95)));
            match goal.observed {
                Some(_) => reader.both("reached", "{judged}"),
                None => reader.pattern("reached", "not reached", "정상 응답 비율 부족"),
            }
            reader.pattern("miss", "{goal_failed} failed", "{goal_failed} 실패");
            reader.pattern(
                "miss",
                "{goal_lost} cut or never sent",
                "{goal_lost} 중단되거나 보내지 못함",
            );
            let is_open = summary.intended_latency().is_some();
            let condition = format!("{}ms", goal.source);
            let (english, korean) = if is_open {
                (
                    format!("{condition} of planned starts: "),
                    format!("{condition} (예정 시작 기준): "),
                )
            } else {
                (
                    format!("{condition} of all requests: "),
                    format!("전체 요청의 {condition}: "),
                )
            };
            for reached in ["{@reached}", "{@reached} ({@miss,})"] {
                reader.pattern(
                    "goal",
                    &format!("{english}{reached}"),
                    &format!("{korean}{reached}"),
                );
                let alone = ["", "; good answers alone: p(95) {good_p95}"];
                let alone_korean = ["", "; 정상 응답만: p(95) {good_p95}"];
                for (alone, alone_korean) in alone.iter().zip(alone_korean) {
                    let english = format!("{mark} {english}{reached}{alone}");
                    let korean = format!("{mark} {korean}{reached}{alone_korean}");
                    reader.pattern(
                        "line",
                        &format!("thresholds {english}"),
                        &format!("임계값 {korean}"),
                    );
                    reader.pattern("line", &english, &korean);
                }
            }
        }
    }
}

pub(super) fn add_generator(reader: &mut Reader, summary: &Summary) {
    let health = &summary.run.generator;
    let validity = summary.run.validity;
    let seconds = validity.map_or(0, |found| found.seconds);
    reader.both("second", if seconds == 1 { "second" } else { "seconds" });
    let cpu = health.cpu.unwrap();
    let lag = health.start_lag;
    for (name, fact) in [
        ("cpu", Fact::WholePercent(cpu.mean)),
        ("busiest", Fact::WholePercent(cpu.busiest)),
        ("lag_p50", Fact::Millis(lag.map(|lag| lag.p50_ms))),
        ("lag_p99", Fact::Millis(lag.map(|lag| lag.p99_ms))),
        ("lag_max", Fact::Millis(lag.map(|lag| lag.max_ms))),
        ("stalls", Fact::Count(health.stalls as f64)),
        (
            "longest",
            Fact::Millis(Some(health.longest_stall.as_secs_f64() * 1000.0)),
        ),
        (
            "touched",
            Fact::Count(validity.map_or(0.0, |found| found.touched as f64)),
        ),
        (
            "seconds",
            Fact::Count(validity.map_or(0.0, |found| found.seconds as f64)),
        ),
        (
            "rest_p95",
            Fact::Millis(validity.and_then(|found| found.p95_ms)),
        ),
    ] {
        reader.fact(name, fact);
    }
    for (english, korean) in [
        ("CPU", "CPU"),
        ("late starts", "시작 지연"),
        ("stalls", "멈춤"),
        (
            "a goal missed by no more than the delays",
            "목표를 벗어난 정도가 이 장비의 지연보다 작음",
        ),
    ] {
        reader.pattern("limit", english, korean);
    }
    let stall = if health.stalls == 1 {
        "stall, {longest}"
    } else {
        "stalls, longest {longest}"
    };
    let was = if validity.is_some_and(|found| found.touched == 1) {
        "was"
    } else {
        "were"
    };
    let touched = format!(
        "{{touched}} of {{seconds}} {{@second}} {was} touched by this machine's own delays ({{@limit,}})"
    );
    let touched_korean = "{seconds}초 중 {touched}초가 이 장비 자체의 지연({@limit,})에 영향을 받";
    for (english, korean) in [
        (
            "good enough for this run".to_owned(),
            "이번 실행에 충분했습니다".to_owned(),
        ),
        (
            "LIMITED THE RUN: {@limit,}".to_owned(),
            "이 실행을 제한함: {@limit,}".to_owned(),
        ),
        (
            format!("{touched}: left out, and the verdict is the same with them"),
            format!("{touched_korean}아 제외했습니다. 포함해도 판정은 같습니다"),
        ),
        (
            format!(
                "{touched}: left out, and the verdict is the same with them; p95 without them {{rest_p95}}"
            ),
            format!(
                "{touched_korean}아 제외했습니다. 포함해도 판정은 같고, 제외한 p95는 {{rest_p95}}입니다"
            ),
        ),
        (
            format!(
                "{touched}, which are in the numbers; the verdict could not be another without them"
            ),
            format!(
                "{touched_korean}았고 수치에 그 지연이 들어 있습니다. 지연이 없어도 판정은 달라질 수 없습니다"
            ),
        ),
        (
            "judged with all seconds: page p(95)<130. This machine's own delays may be why it was missed, and nothing says whether its values are times (of a Trend: `new Trend(name, true)`)".to_owned(),
            "전체 구간으로 판정한 목표: page p(95)<130. 이 장비 자체의 지연 때문에 미달했을 수 있으나 값이 시간인지 기록에 없어 알 수 없습니다(Trend라면 `new Trend(이름, true)`로 시간임을 선언)".to_owned(),
        ),
        (
            "CPU {cpu}, busiest worker {busiest}".to_owned(),
            "CPU {cpu}, 가장 바쁜 워커 스레드 {busiest}".to_owned(),
        ),
        (
            "start lag p50 {lag_p50}, p99 {lag_p99}, max {lag_max}".to_owned(),
            "시작 지연 p50 {lag_p50}, p99 {lag_p99}, 최대 {lag_max}".to_owned(),
        ),
        (
            format!("{{stalls}} {stall}"),
            "멈춤 {stalls}회, 가장 긴 멈춤 {longest}".to_owned(),
        ),
        (
            "open files 71 of 1,024".to_owned(),
            "열린 파일 1,024개 중 71개 사용".to_owned(),
        ),
        (
            "use a stronger or a second machine, or lower the load, before judging the target"
                .to_owned(),
            "대상을 판단하기 전에 더 강한 장비나 두 번째 장비를 쓰거나 부하를 낮추세요".to_owned(),
        ),
    ] {
        reader.pattern("line", &english, &korean);
        reader.pattern(
            "line",
            &format!("generator {english}"),
            &format!("부하 발생기 {korean}"),
        );
    }
}
