//! A comparison: drawn differences, and every row and reason that is said of them.

use loadline_analysis::compare::{
    AnswerChange, BodyChange, BodyCount, BodyState, Change, Comparison, ComparisonSettings,
    Difference, Endpoint, Finding, Measure, ShortRun, UncertaintyReason,
};
use loadline_report::comparison::{self, ComparedLimits, ComparisonFacts};
use loadline_text::{Catalog, Lang};
use proptest::prelude::*;

use crate::reader::{Fact, Misreading, Reader};

/// Runs of the two sides are called so.
const SIDES: [&str; 2] = ["before", "after"];

/// A run that is too short in one way or another.
fn short_run() -> impl Strategy<Value = ShortRun> {
    (0_u32..30, 0_u32..120).prop_map(|(seconds, requests)| ShortRun {
        seconds,
        requests,
        seconds_needed: 10,
        requests_needed: 80,
        runs_needed: 3,
    })
}

/// A difference whose parts fit each other.
fn difference(measure: Measure) -> BoxedStrategy<Difference> {
    let why = prop_oneof![
        short_run().prop_map(|run| UncertaintyReason::TooShort { run }),
        Just(UncertaintyReason::SingleRuns),
        prop::option::of(2_u32..90).prop_map(|runs| UncertaintyReason::Spread { runs }),
        prop::option::of(2_u32..90).prop_map(|runs| UncertaintyReason::AcrossTolerance { runs }),
        prop::option::of(2_u32..90).prop_map(|runs| UncertaintyReason::TooFew { runs }),
        Just(UncertaintyReason::MoreErrors),
        Just(UncertaintyReason::OwnDelays),
        Just(UncertaintyReason::Cut),
        Just(UncertaintyReason::Nothing),
    ];
    // Of values that are the same on both sides only shares are too few.
    let why = why.prop_map(move |why| match why {
        UncertaintyReason::TooFew { .. } if !measure.is_share() => UncertaintyReason::SingleRuns,
        why => why,
    });
    let doubt = prop_oneof![2 => Just(None), 1 => why.prop_map(Some)];
    let values = (
        0.05..5000.0_f64,
        prop_oneof![3 => 0.5..1.6_f64, 1 => 0.99..1.01_f64, 1 => 0.05..20.0_f64],
    );
    (values, 0.001..0.9_f64, any::<(bool, bool)>(), doubt)
        .prop_map(move |((value, ratio), spread, at_least, doubt)| {
            let (before, after) = if measure.is_share() {
                let before = (value / 5000.0).min(1.0);
                (before, (before * ratio).clamp(0.0, 1.0))
            } else {
                (value, value * ratio)
            };
            let middle = if measure.is_share() {
                after - before
            } else {
                after / before - 1.0
            };
            let reach = spread * middle.abs().max(0.001);
            let change = Change {
                low: middle - reach,
                middle,
                high: middle + reach,
            };
            let is_more = change.low > 0.01;
            let finding = match doubt {
                Some(why) => Finding::CannotTell { why },
                None if is_more || change.high < -0.01 => {
                    if is_more == (measure == Measure::Rate) {
                        Finding::Better
                    } else {
                        Finding::Worse
                    }
                }
                None => Finding::NoLargerThan {
                    share: change.low.abs().max(change.high.abs()),
                },
            };
            Difference {
                measure,
                before: Some(before),
                after: Some(after),
                at_least,
                of_stages: None,
                change: Some(change),
                finding,
            }
        })
        .boxed()
}

fn endpoint(name: &'static str) -> BoxedStrategy<Endpoint> {
    let differences = Measure::ALL.into_iter().map(difference).collect::<Vec<_>>();
    let status = (0.0..1.0_f64, 0.0..1.0_f64).prop_map(|(before, after)| AnswerChange::Status {
        status: "500".to_owned(),
        before,
        after,
    });
    let size = (1.0..90_000.0_f64, 1.0..90_000.0_f64)
        .prop_map(|(before, after)| AnswerChange::Size { before, after });
    let bodies = (0..40_u32, 1..40_u32, 1..40_u32).prop_map(|(count, before, after)| {
        let of = |count: u32, of: u32| BodyCount {
            count: f64::from(count.min(of)),
            of: f64::from(of),
        };
        AnswerChange::Body(BodyChange {
            field: "items".to_owned(),
            state: BodyState::Empty,
            before: of(0, before),
            after: of(count, after),
        })
    });
    let changed = prop::collection::vec(prop_oneof![status, size, bodies], 0..2);
    let failed = prop::option::of((1.0..900.0_f64, prop::option::of(1.0..900.0_f64)));
    (differences, changed, failed)
        .prop_map(move |(differences, changed, failed)| Endpoint {
            name: name.to_owned(),
            changed,
            differences,
            failed_p95: failed.map_or([None, None], |(before, after)| [Some(before), after]),
        })
        .boxed()
}

pub(crate) fn drawn() -> impl Strategy<Value = Comparison> {
    let counts = (
        (1_usize..6, 1_usize..6),
        (1.0..90_000.0_f64, 1.0..90_000.0_f64),
        (1_usize..400, 1_usize..400),
    );
    (endpoint(""), endpoint("/orders"), counts, 0_usize..4).prop_map(
        |(whole, one, counts, left_out)| Comparison {
            whole,
            endpoints: vec![one],
            only_before: vec!["/old".to_owned()],
            only_after: Vec::new(),
            runs: counts.0,
            requests: (counts.1.0.round(), counts.1.1.round()),
            seconds: counts.2,
            intervals: 14,
            left_out,
            new_shortfalls: Vec::new(),
            stages: None,
            endpoint_looks: 0,
            cold: [None, None],
        },
    )
}

pub(crate) fn text(comparison: &Comparison, lang: Lang) -> String {
    let [before, after] = SIDES.map(str::to_owned);
    let facts = ComparisonFacts {
        before,
        after,
        caveats: Vec::new(),
        moved: Vec::new(),
        limits: ComparedLimits::default(),
    };
    comparison::text(
        comparison,
        &facts,
        &ComparisonSettings::default(),
        &Catalog::new(lang),
    )
}

/// What is wrong with a text of a comparison. The rows of an endpoint stand below its name.
pub(crate) fn misread(comparison: &Comparison, text: &str, lang: Lang) -> Vec<Misreading> {
    let mut wrong = Vec::new();
    let mut parts: Vec<(Option<&Endpoint>, String)> = vec![(None, String::new())];
    for line in text.lines() {
        let all = std::iter::once(&comparison.whole).chain(&comparison.endpoints);
        let mut heads = all.filter(|of| is_head(line, of));
        if let Some(of) = heads.next() {
            parts.push((Some(of), String::new()));
            continue;
        }
        let is_over = line.is_empty();
        let part = parts.last_mut().expect("there is one from the beginning");
        part.1.push_str(&format!("{line}\n"));
        if is_over {
            parts.push((None, String::new()));
        }
    }
    for (endpoint, lines) in parts {
        let mut reader = outer(comparison, lang);
        if let Some(endpoint) = endpoint {
            add_rows(&mut reader, endpoint);
        }
        wrong.extend(reader.read("line", &lines));
    }
    wrong
}

fn is_head(line: &str, of: &Endpoint) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let name = match of.name.as_str() {
        "" => &[&["all", "requests"][..], &["전체", "요청"]][..],
        _ => &[&["/orders"][..]],
    };
    name.iter()
        .any(|name| words == [name, &["A", "B"][..]].concat())
}

fn outer(comparison: &Comparison, lang: Lang) -> Reader {
    let mut reader = Reader::new(lang);
    let settings = ComparisonSettings::default();
    for (name, fact) in [
        ("runs_before", Fact::Count(comparison.runs.0 as f64)),
        ("runs_after", Fact::Count(comparison.runs.1 as f64)),
        ("requests_before", Fact::Count(comparison.requests.0)),
        ("requests_after", Fact::Count(comparison.requests.1)),
        ("seconds_before", Fact::Count(comparison.seconds.0 as f64)),
        ("seconds_after", Fact::Count(comparison.seconds.1 as f64)),
        ("intervals", Fact::Count(comparison.intervals as f64)),
        ("confidence", Fact::Share(settings.confidence)),
        ("left", Fact::Count(comparison.left_out as f64)),
        ("single", Fact::Share(settings.single_floor)),
        ("tolerance", Fact::Share(settings.tolerance)),
        ("share_tolerance", Fact::Points(2.0 * settings.share_floor)),
    ] {
        reader.fact(name, fact);
    }
    let side = |runs: usize, name: &str| match runs {
        1 => (name.to_owned(), name.to_owned()),
        _ => (
            format!("{name} ({{runs_{name}}} runs)"),
            format!("{name} (실행 {{runs_{name}}}개)"),
        ),
    };
    let (before, after) = (
        side(comparison.runs.0, "before"),
        side(comparison.runs.1, "after"),
    );
    reader.pattern(
        "line",
        &format!("{} against {}", after.0, before.0),
        &format!("{} 대비 {}", before.1, after.1),
    );
    for (english, korean) in [
        ("only before: /old", "이전에만 있음: /old"),
        (
            "{left} more endpoint is only in the row of all requests",
            "엔드포인트 {left}개는 전체 요청 행에만 포함됩니다",
        ),
        (
            "{left} more endpoints are only in the row of all requests",
            "엔드포인트 {left}개는 전체 요청 행에만 포함됩니다",
        ),
        (
            "n = {requests_before} {@request} in {seconds_before} s against {requests_after} in {seconds_after} s; the {intervals} intervals of all requests hold together with {confidence} confidence. Times and TPS: ratio, t over runs with Welch's degrees of freedom, pooled where both sides vary alike (batch means within a single run). Shares: difference in percentage points, Newcombe's score interval",
            "n = 요청 {requests_before}건({seconds_before}초) 대 {requests_after}건({seconds_after}초). 전체 요청의 신뢰구간 {intervals}개를 합친 신뢰수준 {confidence}. 시간과 TPS: 비율, 실행별 t(Welch 자유도, 양쪽 변동이 비슷하면 합동 자유도, 단일 실행은 배치 평균). 비율 지표: %p 차이, Newcombe 점수 구간",
        ),
    ] {
        reader.pattern("line", english, korean);
    }
    reader.both(
        "request",
        if comparison.requests.0 == 1.0 {
            "request"
        } else {
            "requests"
        },
    );
    for endpoint in std::iter::once(&comparison.whole).chain(&comparison.endpoints) {
        let name = endpoint.name.trim_start_matches('/');
        let title = if name.is_empty() {
            ("all requests", "전체 요청")
        } else {
            ("/orders", "/orders")
        };
        // What fell has its shares in the title, and is no other answer.
        match endpoint.mended_errors() {
            Some(fell) => {
                reader.fact(&format!("fell_from{name}"), Fact::Share(fell.before));
                reader.fact(&format!("fell_to{name}"), Fact::Share(fell.after));
                reader.pattern(
                    "line",
                    &format!(
                        "errors fell from {{fell_from{name}}} to {{fell_to{name}}}: {}",
                        title.0
                    ),
                    &format!(
                        "오류율 감소: {{fell_from{name}}} → {{fell_to{name}}}: {}",
                        title.1
                    ),
                );
            }
            None => reader.pattern(
                "line",
                &format!("ANSWERS CHANGED: {}", title.0),
                &format!("응답이 바뀜: {}", title.1),
            ),
        }
        for (place, change) in endpoint.changed.iter().enumerate() {
            let at = format!("{name}{place}");
            let (before, after) = match change {
                AnswerChange::Status { before, after, .. } => {
                    let line = format!("status 500: {{was{at}}} before, {{is{at}}} after");
                    reader.pattern(
                        "line",
                        &line,
                        &format!("상태 500: 이전 {{was{at}}}, 이후 {{is{at}}}"),
                    );
                    (Fact::Share(*before), Fact::Share(*after))
                }
                AnswerChange::Size { before, after } => {
                    let line =
                        format!("bytes of a good answer: {{was{at}}} before, {{is{at}}} after");
                    reader.pattern(
                        "line",
                        &line,
                        &format!("응답 크기(정상): 이전 {{was{at}}}바이트, 이후 {{is{at}}}바이트"),
                    );
                    (Fact::Count(before.round()), Fact::Count(after.round()))
                }
                AnswerChange::Body(change) => {
                    let line = format!(
                        "field `items` is empty in {{is{at}}} of {{isof{at}}} sampled answers, before in {{was{at}}} of {{wasof{at}}}"
                    );
                    reader.pattern(
                        "line",
                        &line,
                        &format!(
                            "표본 응답 {{isof{at}}}개 중 {{is{at}}}개에서 필드 `items` 비어 있음 (이전에는 {{wasof{at}}}개 중 {{was{at}}}개)"
                        ),
                    );
                    reader.fact(&format!("wasof{at}"), Fact::Count(change.before.of));
                    reader.fact(&format!("isof{at}"), Fact::Count(change.after.of));
                    (
                        Fact::Count(change.before.count),
                        Fact::Count(change.after.count),
                    )
                }
            };
            reader.fact(&format!("was{at}"), before);
            reader.fact(&format!("is{at}"), after);
        }
        for difference in &endpoint.differences {
            if let Finding::CannotTell { why } = difference.finding {
                add_reason(&mut reader, difference.measure, why);
            }
        }
    }
    reader.pattern(
        "line",
        "{@mark} cannot tell: {@why}",
        "{@mark} 판단할 수 없음: {@why}",
    );
    for number in 1..20 {
        reader.both("mark", &format!("({number})"));
    }
    reader
}

/// A reason, the number of runs that it asks for with it.
fn add_reason(reader: &mut Reader, measure: Measure, why: UncertaintyReason) {
    let size = if measure.is_share() {
        "{share_tolerance} {@points}"
    } else {
        "{tolerance}"
    };
    let korean_size = if measure.is_share() {
        "{share_tolerance} %p"
    } else {
        "{tolerance}"
    };
    let (english, korean) = match why {
        UncertaintyReason::TooShort { run } => {
            let (seconds, answers, runs) = (run.seconds, run.requests, run.runs_needed);
            let (least, of) = (run.seconds_needed, run.requests_needed);
            if seconds >= least && answers >= of {
                (
                    format!("{answers} answers in {seconds} full seconds came too close together to see how they spread; what would tell: longer runs, or {runs} runs a side (--repeat {runs})"),
                    format!("온전한 {seconds}초의 응답 {answers}건이 짧은 시간에 몰려 있어 편차를 알 수 없습니다. 더 오래 실행하거나 한쪽에 {runs}회씩 실행하세요(--repeat {runs})"),
                )
            } else if answers >= of {
                let are = if seconds == 1 { "second is" } else { "seconds are" };
                (
                    format!("{seconds} full {are} too few to see how they spread; what would tell: runs of {least} full seconds or more, or {runs} runs a side (--repeat {runs})"),
                    format!("온전한 {seconds}초만으로는 편차를 알 수 없습니다. 온전한 {least}초 이상 실행하거나 한쪽에 {runs}회씩 실행하세요(--repeat {runs})"),
                )
            } else {
                let answer = if answers == 1 { "answer" } else { "answers" };
                let second = if seconds == 1 { "second" } else { "seconds" };
                (
                    format!("{answers} {answer} in {seconds} full {second} are too few to see how they spread; what would tell: runs with {of} answers or more in {least} full seconds or more, or {runs} runs a side (--repeat {runs})"),
                    format!("온전한 {seconds}초 동안 응답 {answers}건으로는 편차를 알 수 없습니다. 온전한 {least}초 이상, 응답 {of}건 이상이 되게 실행하거나 한쪽에 {runs}회씩 실행하세요(--repeat {runs})"),
                )
            }
        }
        UncertaintyReason::SingleRuns => (
            "single runs of one system differ by up to {single}; repeat both (--repeat 5)".to_owned(),
            "같은 시스템의 단일 실행도 {single}까지 다릅니다. 둘 다 반복하세요 (--repeat 5)".to_owned(),
        ),
        UncertaintyReason::Spread { runs: Some(runs) } => (
            format!("they spread too much; about {runs} runs a side would show differences of {size}"),
            format!("편차가 너무 큽니다. 한쪽에 약 {runs}회 실행하면 {korean_size} 차이를 볼 수 있습니다"),
        ),
        UncertaintyReason::Spread { runs: None } => (
            format!("they spread too much for differences of {size} to show; what would tell: longer runs under an even load, without a ramp, or fewer other programs on the machines"),
            format!("편차가 너무 커서 {korean_size} 차이가 드러나지 않습니다. 램프 없이 일정한 부하로 더 오래 실행하거나 장비의 다른 프로그램을 줄이면 알 수 있습니다"),
        ),
        UncertaintyReason::AcrossTolerance { runs: Some(runs) } => (
            format!("they differ, by less or by more than {{tolerance}}; about {runs} runs a side would tell"),
            format!("차이는 있지만 {{tolerance}}보다 작은지 큰지 알 수 없습니다. 한쪽에 약 {runs}회 실행하면 알 수 있습니다"),
        ),
        UncertaintyReason::AcrossTolerance { runs: None } => (
            "they differ, by about {tolerance}: too close to it to tell on which side".to_owned(),
            "차이는 있지만 {tolerance}에 너무 가까워 그보다 작은지 큰지 알 수 없습니다".to_owned(),
        ),
        UncertaintyReason::TooFew { runs: Some(runs) } => (
            format!("the same on both sides, but of too few to rule out a difference of {{share_tolerance}} {{@points}}; about {runs} runs a side would"),
            format!("양쪽 값이 같지만 표본이 적어 {{share_tolerance}} %p만큼 차이 날 가능성이 남습니다. 한쪽에 약 {runs}회 실행하면 알 수 있습니다"),
        ),
        UncertaintyReason::TooFew { runs: None } => (
            "the same on both sides, but of too few to rule out a difference of {share_tolerance} {@points}; what would tell: longer runs, or more load".to_owned(),
            "양쪽 값이 같지만 표본이 적어 {share_tolerance} %p만큼 차이 날 가능성이 남습니다. 더 오래 실행하거나 부하를 늘리면 알 수 있습니다".to_owned(),
        ),
        UncertaintyReason::MoreErrors => (
            "more requests failed, and failed ones are often fast".to_owned(),
            "실패한 요청이 더 많고, 실패한 요청은 빠른 경우가 많습니다".to_owned(),
        ),
        UncertaintyReason::OwnDelays => (
            "this machine's own delays (answers read late) may be the difference".to_owned(),
            "이 장비 자체의 지연(늦은 응답 읽기)이 차이의 원인일 수 있습니다".to_owned(),
        ),
        UncertaintyReason::Cut => (
            "requests were cut, so one side is only a lower bound (≥)".to_owned(),
            "중단된 요청이 있어 한쪽 값은 하한(≥)일 뿐입니다".to_owned(),
        ),
        UncertaintyReason::Nothing => ("nothing was measured on a side".to_owned(), "한쪽에 측정값이 없습니다".to_owned()),
    };
    reader.pattern("why", &english, &korean);
    reader.both("points", "points");
}

/// Rows of an endpoint: both values, and what is said of them. Better is faster and more a
/// second, and fewer that failed or never began.
fn add_rows(reader: &mut Reader, endpoint: &Endpoint) {
    for difference in &endpoint.differences {
        let measure = difference.measure;
        let (english, korean) = match measure {
            Measure::Rate => ("TPS", "TPS"),
            Measure::Mean => ("mean", "평균"),
            Measure::P50 => ("p50", "p50"),
            Measure::P95 => ("p95", "p95"),
            Measure::Errors => ("errors", "오류"),
            Measure::Checks => ("failed checks", "실패한 검증"),
            Measure::Dropped => ("starts not answered", "응답받지 못한 시작"),
        };
        let key = format!("{measure:?}");
        let (before, after) = (difference.before.unwrap(), difference.after.unwrap());
        let value = |value: f64| match measure {
            Measure::Rate => Fact::Number(value),
            Measure::Errors | Measure::Checks | Measure::Dropped => Fact::Share(value),
            Measure::Mean | Measure::P50 | Measure::P95 => Fact::Millis(Some(value)),
        };
        reader.fact(&format!("{key}_before"), value(before));
        reader.fact(&format!("{key}_after"), value(after));
        let least = |is: bool| if is { "≥ " } else { "" };
        let values = format!(
            "{}{{{key}_before}} {}{{{key}_after}}",
            least(difference.at_least.0),
            least(difference.at_least.1)
        );
        let change = difference.change.unwrap();
        let is_more = after > before;
        let is_better = is_more == (measure == Measure::Rate);
        let size = |size: f64| {
            if measure.is_share() {
                Fact::Points(size)
            } else {
                Fact::Size(size.abs())
            }
        };
        let (near, far) = if change.middle < 0.0 {
            (change.high, change.low)
        } else {
            (change.low, change.high)
        };
        reader.fact(&format!("{key}_by"), size(change.middle));
        reader.fact(&format!("{key}_near"), size(near));
        reader.fact(&format!("{key}_far"), size(far));
        let (unit, korean_unit) = if measure.is_share() {
            (" points", " %p")
        } else {
            ("", "")
        };
        let sizes = |unit: &str| {
            (
                format!("{{{key}_by}}{unit}"),
                format!("[{{{key}_near}}{unit}, {{{key}_far}}{unit}]"),
            )
        };
        let ((by, between), (korean_by, korean_between)) = (sizes(unit), sizes(korean_unit));
        match difference.finding {
            // The direction follows from the values, not from what was found.
            Finding::Better | Finding::Worse => {
                let (word, korean_word) = if is_better {
                    ("better", "개선")
                } else {
                    ("WORSE", "악화")
                };
                reader.pattern(
                    "line",
                    &format!("{english} {values} {word} by {by} {between}"),
                    &format!("{korean} {values} {korean_by} {korean_word} {korean_between}"),
                );
            }
            Finding::NoLargerThan { share } => {
                reader.fact(&format!("{key}_most"), size(share));
                reader.pattern(
                    "line",
                    &format!("{english} {values} no difference larger than {{{key}_most}}{unit}"),
                    &format!("{korean} {values} {{{key}_most}}{korean_unit}보다 큰 차이 없음"),
                );
            }
            Finding::Planned => reader.pattern(
                "line",
                &format!("{english} {values} as planned: what was sent is no result"),
                &format!("{korean} {values} 계획한 부하: 보낸 양은 결과가 아님"),
            ),
            Finding::CannotTell { why } => {
                let signed = |name: &str, value: f64, reader: &mut Reader| {
                    let fact = if measure.is_share() {
                        Fact::Points(value)
                    } else {
                        Fact::Signed(value)
                    };
                    reader.fact(&format!("{key}_{name}"), fact);
                };
                signed("low", change.low, reader);
                signed("high", change.high, reader);
                let sign = |value: f64| match (measure.is_share(), value < 0.0) {
                    (false, _) => "",
                    (true, true) => "-",
                    (true, false) => "+",
                };
                let interval = |unit: &str| {
                    let (low, high) = (sign(change.low), sign(change.high));
                    format!("[{low}{{{key}_low}}{unit}, {high}{{{key}_high}}{unit}] ")
                };
                add_reason(reader, measure, why);
                for (interval, korean_interval) in [
                    (interval(unit), interval(korean_unit)),
                    (String::new(), String::new()),
                ] {
                    let end = |interval: &str, word: &str| match interval.trim_end() {
                        "" => format!("{word}: {{@why}}"),
                        interval => format!("{word} {interval}: {{@why}}"),
                    };
                    // Which is how many times the other follows from the values.
                    let (more, less, times) = if is_more {
                        ("B", "A", after / before)
                    } else {
                        ("A", "B", before / after)
                    };
                    reader.fact(&format!("{key}_times"), Fact::Number(times));
                    let looks = format!("{more} measured {{{key}_times}} × {less}");
                    let korean_looks = format!("측정값으로는 {more}가 {less}의 {{{key}_times}}배");
                    reader.pattern(
                        "line",
                        &format!("{english} {values} cannot tell ({looks}): {{@why}}"),
                        &format!("{korean} {values} 판단할 수 없음({korean_looks}): {{@why}}"),
                    );
                    reader.pattern(
                        "line",
                        &format!("{english} {values} {looks} {{@mark}}"),
                        &format!("{korean} {values} {korean_looks} {{@mark}}"),
                    );
                    let (whole, korean_whole) = (
                        end(&interval, "cannot tell"),
                        end(&korean_interval, "판단할 수 없음"),
                    );
                    reader.pattern(
                        "line",
                        &format!("{english} {values} {whole}"),
                        &format!("{korean} {values} {korean_whole}"),
                    );
                    reader.pattern(
                        "line",
                        &format!("{english} {values} {interval}{{@mark}}"),
                        &format!("{korean} {values} {korean_interval}{{@mark}}"),
                    );
                }
            }
        }
    }
    let [before, after] = endpoint.failed_p95;
    reader.fact("failed_before", Fact::Millis(before));
    reader.fact("failed_after", Fact::Millis(after));
    reader.pattern(
        "line",
        "p95, failed {failed_before} {failed_after}",
        "p95(실패) {failed_before} {failed_after}",
    );
}
