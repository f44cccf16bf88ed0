//! The answer of a search: drawn levels, and the lines that are said of them.

mod curve;

use loadline_analysis::capacity::{
    Answer, Baseline, Bounds, IterationFaults, LevelOutcome, Purpose, SearchEnd, SearchSpec, Step,
    Unit,
};
use loadline_analysis::estimate::Estimate;
use loadline_analysis::slo::{JudgedTerm, Term, TermState};
use loadline_metrics::Histogram;
use loadline_report::capacity::{self, CapacityFacts};
use loadline_text::{Catalog, Lang, significant};
use proptest::prelude::*;

use crate::reader::{Fact, Misreading, Reader};
use curve::DrawnCurve;

/// A level as it is drawn: load, share of it that is done, times (ms), seconds, share of errors.
#[derive(Debug, Clone)]
struct DrawnLevel {
    done: f64,
    times: Vec<f64>,
    held: usize,
    errors: f64,
    outcome: LevelOutcome,
}

/// A search as it is drawn.
#[derive(Debug, Clone)]
pub(crate) struct DrawnSearch {
    unit: Unit,
    levels: Vec<DrawnLevel>,
    goal: f64,
    is_over: bool,
    curve: DrawnCurve,
}

pub(crate) fn drawn() -> impl Strategy<Value = DrawnSearch> {
    let outcome = prop_oneof![
        Just(LevelOutcome::Misses {
            term: 0,
            sure: true
        }),
        Just(LevelOutcome::Misses {
            term: 0,
            sure: false
        }),
        Just(LevelOutcome::Overloaded),
    ];
    let times = prop::collection::vec(0.3..3000.0_f64, 2..9);
    let level = (0.2..1.0_f64, times, 1_usize..90, 0.0..0.3_f64, outcome);
    let levels = prop::collection::vec(level, 3..5);
    let ends = (any::<bool>(), 0.5..500.0_f64, any::<bool>());
    (levels, ends, curve::drawn()).prop_map(|(levels, (is_rate, goal, is_over), curve)| {
        DrawnSearch {
            curve,
            unit: if is_rate { Unit::Rate } else { Unit::Users },
            levels: levels
                .into_iter()
                .map(|(done, times, held, errors, outcome)| DrawnLevel {
                    done,
                    times,
                    held,
                    errors,
                    outcome,
                })
                .collect(),
            goal,
            is_over,
        }
    })
}

fn terms() -> Vec<Term> {
    vec!["p(95)<500ms".parse().unwrap()]
}

impl DrawnSearch {
    /// Levels double, all but the last are carried.
    pub(crate) fn answer(&self) -> Answer {
        let last = self.levels.len() - 1;
        let steps: Vec<Step> = self
            .levels
            .iter()
            .enumerate()
            .map(|(place, level)| {
                let load = 4.0 * 2.0_f64.powi(i32::try_from(place).unwrap());
                let made = load * level.done;
                Step {
                    load,
                    purpose: if place == 0 {
                        Purpose::Baseline
                    } else {
                        Purpose::Climb
                    },
                    began: 20.0 * place as f64,
                    held: level.held,
                    late: 0,
                    outcome: if place == last {
                        level.outcome.clone()
                    } else {
                        LevelOutcome::Likely
                    },
                    throughput: Estimate {
                        low: 0.9 * made,
                        middle: made,
                        high: 1.1 * made,
                    },
                    sustained: made,
                    requests: 2.0 * made,
                    in_flight: made / 3.0,
                    durations: Histogram::from_values(&level.times),
                    iteration_ms: Some(level.times[0]),
                    errors: level.errors,
                    asked_to_wait: 0.0,
                    faults: IterationFaults::default(),
                    terms: vec![JudgedTerm {
                        value: Some(Estimate::exact(600.0 + made)),
                        standing: TermState::Misses,
                        is_within: false,
                    }],
                    off_law: None,
                    resemblance: None,
                    pauses: None,
                    target_cpu: None,
                }
            })
            .collect();
        let asked = SearchSpec {
            unit: self.unit,
            terms: terms(),
            highest: 10_000.0,
            precision: 0.025,
        };
        let baseline = Baseline {
            load: 4.0,
            request_ms: 7.25,
            p95_ms: 12.5,
            iteration_ms: 9.0,
        };
        let bounds = Bounds {
            low: Some(last - 1),
            high: Some(last),
            ceiling: None,
        };
        let end = self.is_over.then_some(SearchEnd::OutOfTime);
        let answer = Answer::from_steps(&asked, &steps, bounds, end, baseline);
        self.curve.put_into(answer)
    }

    pub(crate) fn text(&self, answer: &Answer, lang: Lang) -> String {
        let facts = CapacityFacts {
            goal: Some(self.goal),
            limit: self.curve.limit(),
            ..CapacityFacts::default()
        };
        capacity::text(answer, &facts, &Catalog::new(lang))
    }

    /// What is wrong with a text of it.
    pub(crate) fn misread(&self, answer: &Answer, text: &str, lang: Lang) -> Vec<Misreading> {
        self.reader(answer, lang).read("line", text)
    }

    /// A load of this name is written in the unit of the search.
    fn load(&self, reader: &mut Reader, name: &str, value: f64) {
        match self.unit {
            Unit::Rate => {
                reader.fact(name, Fact::Number(value));
                reader.both(name, &format!("{{{name}}}/s"));
            }
            Unit::Users => {
                reader.fact(name, Fact::Rough(value));
                reader.pattern(
                    name,
                    &format!("{{{name}}} VUs"),
                    &format!("가상 사용자 {{{name}}}명"),
                );
                if (value - 1.0).abs() < f64::EPSILON {
                    reader.pattern(
                        name,
                        &format!("{{{name}}} VU"),
                        &format!("가상 사용자 {{{name}}}명"),
                    );
                }
            }
        }
    }

    /// An estimated load of this name, in the unit of the search.
    fn about(&self, reader: &mut Reader, name: &str, value: f64) {
        let (fact, english, korean) = match self.unit {
            Unit::Rate => (Fact::Number(value), "/s", ["약 ", "/s"]),
            Unit::Users => (Fact::Rough(value), " VUs", ["가상 사용자 약 ", "명"]),
        };
        reader.fact(name, fact);
        reader.pattern(
            name,
            &format!("about {{{name}}}{english}"),
            &format!("{}{{{name}}}{}", korean[0], korean[1]),
        );
    }

    fn reader(&self, answer: &Answer, lang: Lang) -> Reader {
        let mut reader = Reader::new(lang);
        let line = answer.line.as_ref().expect("all but the last are carried");
        let held = &answer.steps[line.step];
        let load = |reader: &mut Reader, name: &str, value: f64| self.load(reader, name, value);
        load(&mut reader, "load", line.load.middle);
        load(&mut reader, "low", line.load.low);
        load(&mut reader, "high", line.load.high);
        load(&mut reader, "goal", self.goal);
        load(&mut reader, "little", answer.baseline.load);
        if let Some(between) = line.interpolated {
            self.about(&mut reader, "about_between", between);
        }
        if let Some(likely) = answer.crossing {
            load(&mut reader, "likely", likely.middle);
            load(&mut reader, "likely_low", likely.low);
            load(&mut reader, "likely_high", likely.high);
        }
        if let Some(peak) = &answer.peak {
            load(&mut reader, "peak_load", peak.load);
            reader.fact("peak", Fact::Number(peak.throughput.middle));
            reader.fact("peak_low", Fact::Number(peak.throughput.low));
            reader.fact("peak_high", Fact::Number(peak.throughput.high));
        }
        let ratio = line.load.middle / self.goal;
        // Beside a rate stands what it sends.
        let requests = match self.unit {
            Unit::Rate => held.requests_per_iteration() * line.load.middle,
            Unit::Users => held.requests,
        };
        for (name, fact) in [
            ("requests", Fact::Number(requests)),
            ("held", Fact::Count(held.held as f64)),
            (
                "based_on",
                Fact::Count((held.requests * held.held as f64).round()),
            ),
            ("headroom", Fact::WholePercent(ratio - 1.0)),
            ("short", missing(1.0 - ratio)),
            ("median", Fact::Millis(Some(answer.baseline.request_ms))),
            ("p95", Fact::Millis(Some(answer.baseline.p95_ms))),
        ] {
            reader.fact(name, fact);
        }
        let is_met = ratio >= 1.0;
        if let Some(likely) = answer.crossing {
            // What each load sends for one of its own.
            let sent = requests * likely.middle / line.load.middle;
            reader.fact("likely_requests", Fact::Number(sent));
        }
        // As they are shown: what differs beyond the last digit contradicts nothing.
        let differs =
            |one: f64, other: f64| shown_load(answer.unit, one) != shown_load(answer.unit, other);
        let is_below = (answer.crossing).is_some_and(|likely| {
            likely.middle < line.load.middle && differs(likely.middle, line.load.middle)
        });
        let is_above = (answer.crossing).is_some_and(|likely| {
            likely.middle > line.load.high && differs(likely.middle, line.load.high)
        });
        let chance = match (is_below, is_above) {
            (true, _) => [
                ": that {@load} held may have been chance",
                ". {@load}의 충족은 우연일 수 있음",
            ],
            (_, true) => [
                ": that {@high} did not hold may have been chance",
                ". {@high}의 미충족은 우연일 수 있음",
            ],
            _ => ["", ""],
        };
        reader.pattern(
            "line",
            &format!("most likely at {{@likely}}, with 95 % between {{@likely_low}} and {{@likely_high}}, by a fit over all levels{}", chance[0]),
            &format!("모든 단계에 맞춘 추정: {{@likely}}일 가능성이 가장 크고 95 % 확률로 {{@likely_low}} ~ {{@likely_high}}{}", chance[1]),
        );
        if is_below {
            reader.pattern(
                "line",
                "CAPACITY ABOUT {@likely} (about {likely_requests} requests/s; 95 %: {@likely_low} to {@likely_high}) under p(95)<500ms, by all levels together; {@load} held too, which may have been chance",
                "용량 약 {@likely} (약 {likely_requests} 요청/초, 95 %: {@likely_low} ~ {@likely_high}), 목표 p(95)<500ms. 모든 단계를 종합한 추정이며, {@load}도 충족했지만 우연일 수 있음",
            );
        }
        // A load above the lower end of its own range is no lower bound.
        if (answer.crossing).is_some_and(|likely| {
            likely.low < line.load.middle && differs(likely.low, line.load.middle)
        }) {
            reader.pattern(
                "line",
                "CAPACITY ABOUT {@load} ({requests} requests/s) under p(95)<500ms; time ran out with the line most likely at {@likely} (95 %: {@likely_low} to {@likely_high})",
                "용량 약 {@load} ({requests} 요청/초), 목표 p(95)<500ms. 시간이 다 되었고 실제 한계는 {@likely}일 가능성이 가장 큼(95 %: {@likely_low} ~ {@likely_high})",
            );
        }
        for (english, korean) in [
            (
                "CANNOT TELL: {@load} held, with {based_on} requests in {held} s alone; give it more with --budget",
                "판단할 수 없음: {@load} 충족, 다만 {held}초 동안 요청 {based_on}건뿐. --budget을 늘리세요",
            ),
            (
                "CANNOT TELL: {@load} held, with {based_on} request in {held} s alone; give it more with --budget",
                "판단할 수 없음: {@load} 충족, 다만 {held}초 동안 요청 {based_on}건뿐. --budget을 늘리세요",
            ),
            (
                "CAPACITY {@load} ({requests} requests/s) under p(95)<500ms; {@high} was too much",
                "용량 {@load} ({requests} 요청/초), 목표 p(95)<500ms. {@high}에서는 미충족",
            ),
            (
                "CAPACITY AT LEAST {@load} ({requests} requests/s) under p(95)<500ms; time ran out, {@high} was too much",
                "용량 최소 {@load} ({requests} 요청/초), 목표 p(95)<500ms. 시간이 다 됨. {@high}에서는 미충족",
            ),
            (
                "CAPACITY {@load} ({requests} requests/s) under p(95)<500ms; the line most likely lies at {@likely} (95 %: {@likely_low} to {@likely_high})",
                "용량 {@load} ({requests} 요청/초), 목표 p(95)<500ms. 실제 한계는 {@likely}일 가능성이 가장 큼(95 %: {@likely_low} ~ {@likely_high})",
            ),
            (
                "CAPACITY AT LEAST {@load} ({requests} requests/s) under p(95)<500ms; time ran out with the line most likely at {@likely} (95 %: {@likely_low} to {@likely_high})",
                "용량 최소 {@load} ({requests} 요청/초), 목표 p(95)<500ms. 시간이 다 되었고 실제 한계는 {@likely}일 가능성이 가장 큼(95 %: {@likely_low} ~ {@likely_high})",
            ),
            (
                "capacity {@load} ({requests} requests/s), held {held} s",
                "용량 {@load} ({requests} 요청/초), {held}초 유지",
            ),
            (
                "between {@low} (holds) and {@high} (does not)",
                "{@low}(충족) ~ {@high}(미충족) 사이",
            ),
            (
                "{@about_between} by interpolation between the two",
                "둘 사이 보간으로 {@about_between}",
            ),
            (
                "peak {peak}/s [{peak_low}, {peak_high}], seen at a load of {@peak_load}",
                "최고 TPS {peak}/s [{peak_low}, {peak_high}], 부하 {@peak_load}에서",
            ),
            ("peak not reached", "최고 TPS 도달하지 않음"),
            (
                "without load median {median}, p95 {p95} at {@little}",
                "무부하 중앙값 {median}, p95 {p95}, 부하 {@little}",
            ),
            (
                "load why TPS requests/s mean p50 p95 p99 errors in flight held outcome",
                "부하 목적 TPS 요청/초 평균 p50 p95 p99 오류 진행 중 유지 결과",
            ),
        ] {
            reader.pattern("line", english, korean);
        }
        // What was short: the budget, or what was asked of a confirmation.
        for requests in ["requests", "request"] {
            let only = format!("based on only {{based_on}} {requests}");
            if answer.end == SearchEnd::OutOfTime {
                reader.pattern(
                    "line",
                    &format!("{only}, as the time was up; use a longer --budget to be sure"),
                    "시간이 다 되어 요청 {based_on}건만으로 판단한 값. 더 확실히 하려면 --budget을 늘리세요",
                );
            } else {
                reader.pattern(
                    "line",
                    &format!("{only}; use a longer --confirm to be sure"),
                    "요청 {based_on}건만으로 판단한 값. 더 확실히 하려면 --confirm을 늘리세요",
                );
            }
        }
        let is_doubted = is_below && (answer.crossing).is_some_and(|at| at.middle < self.goal);
        if is_met && is_doubted {
            reader.pattern(
                "line",
                "goal {@goal}: not certain: it held, which may have been chance: all levels together put the line below it",
                "계획 목표 {@goal}: 확실하지 않음. 충족한 것은 우연일 수 있으며, 모든 단계를 종합한 추정 한계가 이보다 낮음",
            );
        } else if is_met && line.beyond.is_none() {
            reader.pattern(
                "line",
                "goal {@goal}: met with at least {headroom} headroom",
                "계획 목표 {@goal}: 충족, 여유 {headroom} 이상",
            );
        } else if is_met {
            reader.pattern(
                "line",
                "goal {@goal}: met with {headroom} headroom",
                "계획 목표 {@goal}: 충족, 여유 {headroom}",
            );
        } else {
            reader.pattern(
                "line",
                "goal {@goal}: missed by {short}",
                "계획 목표 {@goal}: 미충족, {short} 모자람",
            );
        }
        self.add_levels(&mut reader, answer);
        self.add_curve(&mut reader, answer);
        self.add_notes(&mut reader, answer);
        reader
    }

    fn add_levels(&self, reader: &mut Reader, answer: &Answer) {
        for (place, step) in answer.steps.iter().enumerate() {
            let at = |share| Fact::Millis(step.durations.percentile(share));
            let level = match self.unit {
                Unit::Rate => Fact::Number(step.load),
                Unit::Users => Fact::Rough(step.load),
            };
            for (name, fact) in [
                ("level", level),
                ("tps", Fact::Number(step.throughput.middle)),
                ("sent", Fact::Number(step.requests)),
                ("mean", Fact::Millis(step.durations.mean())),
                ("p50", at(0.5)),
                ("p95", at(0.95)),
                ("p99", at(0.99)),
                ("errors", Fact::Share(step.errors)),
                ("flight", Fact::Number(step.in_flight)),
                ("seconds", Fact::Count(step.held as f64)),
                ("sustained", Fact::Number(step.sustained)),
                (
                    "value",
                    Fact::Millis(step.terms[0].value.map(|value| value.middle)),
                ),
            ] {
                reader.fact(&format!("{name}_{place}"), fact);
            }
            let (load, korean_load) = match self.unit {
                Unit::Rate => (
                    format!("{{level_{place}}}/s"),
                    format!("{{level_{place}}}/s"),
                ),
                Unit::Users => (
                    format!("{{level_{place}}} VUs"),
                    format!("가상 사용자 {{level_{place}}}명"),
                ),
            };
            let (why, korean_why) = match step.purpose {
                Purpose::Baseline => ("baseline", "기준"),
                _ => ("climb", "탐색"),
            };
            let (outcome, korean_outcome) = self.outcome_patterns(answer, place);
            let cells: String = [
                "tps", "sent", "mean", "p50", "p95", "p99", "errors", "flight",
            ]
            .map(|name| format!(" {{{name}_{place}}}"))
            .concat();
            reader.pattern(
                "line",
                &format!("{load} {why}{cells} {{seconds_{place}}} s {outcome}"),
                &format!(
                    "{korean_load} {korean_why}{cells} {{seconds_{place}}} s {korean_outcome}"
                ),
            );
        }
    }

    /// What is said of how a level came out, in both languages.
    fn outcome_patterns(&self, answer: &Answer, place: usize) -> (String, String) {
        match &answer.steps[place].outcome {
            LevelOutcome::Misses { sure: true, .. } => (
                format!("misses p(95)<500ms: {{value_{place}}}"),
                format!("p(95)<500ms 미충족: {{value_{place}}}"),
            ),
            LevelOutcome::Misses { .. } => (
                format!("probably misses p(95)<500ms: {{value_{place}}}"),
                format!("p(95)<500ms 미충족으로 보임: {{value_{place}}}"),
            ),
            LevelOutcome::Overloaded => (
                format!("overloaded: requests pile up, only {{sustained_{place}}}/s completed"),
                format!("과부하: 요청이 쌓임, 처리량 {{sustained_{place}}}/s"),
            ),
            _ if answer.steps[place].held >= 45 => (
                "holds, too near the limit to be sure".to_owned(),
                "충족, 한계에 가까워 확실하지 않음".to_owned(),
            ),
            _ => (
                "holds (short look)".to_owned(),
                "충족(짧은 확인)".to_owned(),
            ),
        }
    }
}

/// A load with the digits that are shown of it.
fn shown_load(unit: Unit, load: f64) -> String {
    match unit {
        Unit::Rate => significant(load),
        Unit::Users => format!("{load:.1}"),
    }
}

/// What a goal is missed by: of less than a tenth the decimals count.
fn missing(share: f64) -> Fact {
    if share < 0.095 {
        Fact::Share(share)
    } else {
        Fact::WholePercent(share)
    }
}
