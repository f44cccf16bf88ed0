//! The curve of a search and what else was seen: USL, knee, what limits, soak, notes.

use loadline_analysis::capacity::{Answer, Knee, LevelOutcome, Soak, SoakEnd};
use loadline_analysis::estimate::Estimate;
use loadline_analysis::pauses::Pauses;
use loadline_analysis::usl::{FitError, UslFit};
use loadline_record::{LimitAdvice, LimitText, LimitVerdict};
use proptest::prelude::*;

use super::DrawnSearch;
use crate::reader::{Fact, Reader};

/// A curve that is off by more than this share is near only, and by more than twice as much not
/// used.
const USL_NEAR_SHARE: f64 = 0.05;

/// What is drawn beside the levels.
#[derive(Debug, Clone)]
pub(super) struct DrawnCurve {
    usl: Result<UslFit, FitError>,
    /// Share of the peak, load, throughput, in flight; and whether two more points are known.
    knee: Option<([f64; 4], bool)>,
    limit: Option<Option<f64>>,
    is_soak_carried: Option<bool>,
    late: Option<usize>,
    warmed_up: bool,
    slowed: bool,
    asks_to_wait: Option<f64>,
    pauses: Option<Pauses>,
    off_law: Option<f64>,
}

fn usl() -> impl Strategy<Value = Result<UslFit, FitError>> {
    let sigma = prop_oneof![Just(0.0), 0.001..0.9_f64, 1.0..2.0_f64];
    let kappa = prop_oneof![Just(0.0), 0.00001..0.01_f64];
    let residuals = prop::collection::vec(-1.0..1.0_f64, 8);
    let scale = prop_oneof![Just(0.04), Just(0.09), Just(0.4)];
    let fit = (0.5..200.0_f64, sigma, kappa, residuals, scale).prop_map(
        |(lambda, sigma, kappa, residuals, scale)| {
            Ok(UslFit {
                lambda,
                sigma,
                kappa,
                residuals: residuals.into_iter().map(|r| r * scale).collect(),
            })
        },
    );
    prop_oneof![
        6 => fit,
        1 => (1_usize..4).prop_map(|found| Err(FitError::TooFewLevels { found })),
        1 => Just(Err(FitError::NoFit)),
    ]
}

pub(super) fn drawn() -> impl Strategy<Value = DrawnCurve> {
    let numbers = [0.9..0.99_f64, 2.0..90.0, 3.0..900.0, 0.5..70.0];
    let knee = prop::option::of((numbers, any::<bool>()));
    let limit = prop::option::of(prop::option::of(2.0..90.0_f64));
    let pauses = (1_usize..9, 2.0..40.0_f64, 30.0..4000.0_f64);
    let pauses = pauses.prop_map(|(count, every, about_ms)| Pauses {
        count,
        every,
        about_ms,
    });
    let seen = (
        prop::option::of(any::<bool>()),
        prop::option::of(1_usize..60),
        any::<bool>(),
        any::<bool>(),
        prop::option::of(2.0..90.0_f64),
        prop::option::of(pauses),
        prop::option::of(-0.6..0.9_f64),
    );
    (usl(), knee, limit, seen).prop_map(|(usl, knee, limit, seen)| DrawnCurve {
        usl,
        knee,
        limit,
        is_soak_carried: seen.0,
        late: seen.1,
        warmed_up: seen.2,
        slowed: seen.3,
        asks_to_wait: seen.4,
        pauses: seen.5,
        off_law: seen.6,
    })
}

impl DrawnCurve {
    pub(super) fn put_into(&self, mut answer: Answer) -> Answer {
        let last = answer.steps.len() - 1;
        let points = answer.curve().len();
        answer.usl = self.usl.clone().map(|mut fit| {
            fit.residuals.truncate(points);
            fit
        });
        answer.knee = self
            .knee
            .map(|([share, load, throughput, in_flight], more)| Knee {
                load: Estimate {
                    low: 0.8 * load,
                    middle: load,
                    high: load,
                },
                step: 0,
                throughput,
                in_flight,
                share,
                power: more.then_some(1.3 * load),
                kneedle: more.then_some(0.7 * load),
            });
        answer.soak = self.is_soak_carried.map(|is_carried| Soak {
            step: if is_carried { 0 } else { last },
            end: if is_carried {
                SoakEnd::Held
            } else {
                SoakEnd::Missed
            },
        });
        (answer.late, answer.warmed_up) = (self.late, self.warmed_up);
        answer.slowed = self.slowed.then_some((0, last));
        (answer.asks_to_wait, answer.pauses) = (self.asks_to_wait, self.pauses);
        answer.steps[0].off_law = self.off_law;
        answer
    }

    /// What limits, as it was kept; the load at which that was seen, if a search set it.
    pub(super) fn limit(&self) -> Option<LimitVerdict> {
        let load = self.limit?;
        let words = |text: &str, action: &str| LimitText {
            text: text.to_owned(),
            advice: vec![LimitAdvice {
                action: action.to_owned(),
                setting: Some("pool.max=20".to_owned()),
                is_setting: true,
            }],
            ..LimitText::default()
        };
        let said = [
            ("en", words("the pool limits", "a larger pool")),
            ("ko", words("커넥션 풀이 한계", "풀 크기 늘리기")),
        ];
        Some(LimitVerdict {
            answer: "limited".to_owned(),
            load,
            said: said.map(|(lang, words)| (lang.to_owned(), words)).into(),
            ..LimitVerdict::default()
        })
    }
}

impl DrawnSearch {
    pub(super) fn add_curve(&self, reader: &mut Reader, answer: &Answer) {
        match &answer.usl {
            Err(FitError::TooFewLevels { found }) => {
                reader.fact("found", Fact::Count(*found as f64));
                reader.fact("needed", Fact::Count(5.0));
                let levels = if *found == 1 { "level" } else { "levels" };
                reader.pattern(
                    "line",
                    &format!("USL not fitted: {{found}} {levels} of different concurrency, {{needed}} are needed"),
                    "USL 구하지 않음: 동시성이 다른 단계가 {needed}개 필요한데 {found}개뿐",
                );
            }
            Err(_) => reader.pattern("line", "USL no curve fits", "USL 맞는 곡선 없음"),
            Ok(fit) => self.add_fit(reader, answer, fit),
        }
        let Some(knee) = &answer.knee else {
            reader.pattern("line", "knee not reached", "포화점(knee) 도달하지 않음");
            return;
        };
        self.load(reader, "knee", knee.load.middle);
        self.load(reader, "knee_low", knee.load.low);
        for (name, fact) in [
            ("knee_rate", Fact::Number(knee.throughput)),
            ("knee_share", Fact::Share(knee.share)),
            ("knee_flight", Fact::Number(knee.in_flight)),
        ] {
            reader.fact(name, fact);
        }
        reader.pattern(
            "line",
            "knee {@knee} (above {@knee_low}): {knee_rate}/s, {knee_share} of the peak, {knee_flight} in flight",
            "포화점(knee) {@knee} ({@knee_low} 초과): {knee_rate}/s, 최고 TPS의 {knee_share}, 진행 중 {knee_flight}",
        );
        if let (Some(power), Some(kneedle)) = (knee.power, knee.kneedle) {
            self.load(reader, "power", power);
            self.load(reader, "kneedle", kneedle);
            reader.pattern(
                "line",
                "power (throughput / response time) is greatest at {@power}, Kneedle {@kneedle}",
                "처리량/응답 시간 최대 {@power}, Kneedle {@kneedle}",
            );
        }
        let line = answer.line.as_ref().unwrap();
        let is_of_slower = answer.slowed.is_some_and(|(_, now)| line.step < now);
        if knee.load.middle > 1.001 * line.load.middle && !is_of_slower {
            reader.pattern(
                "line",
                "note the knee lies above the capacity: throughput still grows beyond the line, but the objective is missed before it stops growing",
                "참고 포화점이 용량보다 높음: 처리량은 용량 위에서도 늘지만 그 전에 목표를 벗어남",
            );
        }
    }

    /// What the law's own formula gives, once more.
    fn add_fit(&self, reader: &mut Reader, answer: &Answer, fit: &UslFit) {
        let curve = answer.curve();
        let sizes = fit.residuals.iter().map(|r| r.abs());
        let worst = sizes.fold(0.0, f64::max);
        let at = fit.residuals.iter().position(|r| r.abs() >= worst).unwrap();
        let top = match (fit.sigma, fit.kappa) {
            (sigma, _) if sigma >= 1.0 => Some(1.0),
            (_, kappa) if kappa <= 0.0 => None,
            (sigma, kappa) => Some(f64::max(1.0, ((1.0 - sigma) / kappa).sqrt())),
        };
        let ceiling = match top {
            Some(n) => fit.lambda * n / (1.0 + fit.sigma * (n - 1.0) + fit.kappa * n * (n - 1.0)),
            None => fit.lambda / fit.sigma,
        };
        for (name, fact) in [
            ("worst", Fact::WholePercent(worst)),
            ("worst_at", Fact::Number(curve[at].in_flight)),
            ("top", Fact::Number(top.unwrap_or(0.0))),
            ("ceiling", Fact::Number(ceiling)),
        ] {
            reader.fact(name, fact);
        }
        // A level that was too much, and completed far less than the curve gives.
        let given =
            |n: f64| fit.lambda * n / (1.0 + fit.sigma * (n - 1.0) + fit.kappa * n * (n - 1.0));
        let overloaded = answer
            .steps
            .iter()
            .filter(|step| step.outcome == LevelOutcome::Overloaded);
        let busiest = overloaded.max_by(|a, b| a.in_flight.total_cmp(&b.in_flight));
        let contradicted = busiest.filter(|step| {
            let most = top.map_or(step.in_flight, |top| top.min(step.in_flight));
            let most = given(most).max(given(step.in_flight));
            worst <= 2.0 * USL_NEAR_SHARE && most > 1.1 * step.throughput.middle
        });
        if let Some(step) = contradicted {
            reader.fact("beyond_in_flight", Fact::Number(step.in_flight));
            reader.fact("beyond_rate", Fact::Number(step.throughput.middle));
            reader.pattern(
                "line",
                "USL fits the levels that were carried and is not used: with {beyond_in_flight} in flight it gives far more than the {beyond_rate}/s that were measured",
                "USL 감당한 단계에는 맞지만 쓰지 않음: 진행 중 {beyond_in_flight}에서 측정된 {beyond_rate}/s보다 훨씬 큰 값이 나옴",
            );
            return;
        }
        // What lies far above all that was carried was not seen.
        let measured = curve.iter().map(|step| step.throughput.middle);
        let measured = measured.fold(0.0, f64::max);
        if worst <= 2.0 * USL_NEAR_SHARE && ceiling.is_finite() && ceiling > 1.5 * measured {
            reader.fact("most_measured", Fact::Number(measured));
            reader.pattern(
                "line",
                "USL fits to within {worst} and is not used: its highest rate lies far beyond the {most_measured}/s that were measured at most",
                "USL 오차 {worst} 이내로 맞지만 쓰지 않음: 계산상 최고치가 측정된 최댓값 {most_measured}/s보다 훨씬 큼",
            );
            return;
        }
        let (english, korean) = match (top, worst) {
            (Some(_), worst) if worst > 2.0 * USL_NEAR_SHARE => (
                "misses by {worst} at {worst_at} and is not used (it would put the peak at {top})",
                "{worst_at}에서 {worst} 어긋나 사용하지 않음 (계산상 최고점 {top})",
            ),
            (None, worst) if worst > 2.0 * USL_NEAR_SHARE => (
                "misses by {worst} at {worst_at} and is not used (by it throughput would never fall)",
                "{worst_at}에서 {worst} 어긋나 사용하지 않음 (처리량이 줄지 않는 것으로 계산됨)",
            ),
            (Some(_), worst) if worst > USL_NEAR_SHARE => (
                "peak at {top}; off by up to {worst} at {worst_at}",
                "최고점 {top}; {worst_at}에서 최대 {worst} 어긋남",
            ),
            (None, worst) if worst > USL_NEAR_SHARE => (
                "never falls; off by up to {worst} at {worst_at}",
                "감소 없음; {worst_at}에서 최대 {worst} 어긋남",
            ),
            (Some(_), _) => (
                "fits to within {worst}: peak at {top} in flight, at most {ceiling}/s",
                "오차 {worst} 이내: 진행 중 {top}에서 최고, 최대 {ceiling}/s",
            ),
            (None, _) if fit.sigma <= 0.0 => (
                "fits to within {worst}: grows in proportion, and no highest rate was seen",
                "오차 {worst} 이내: 동시성에 비례해 증가, 최고치는 나타나지 않음",
            ),
            (None, _) => (
                "fits to within {worst}: never falls, at most {ceiling}/s",
                "오차 {worst} 이내: 감소 없음, 최대 {ceiling}/s",
            ),
        };
        reader.pattern("line", &format!("USL {english}"), &format!("USL {korean}"));
    }

    pub(super) fn add_notes(&self, reader: &mut Reader, answer: &Answer) {
        self.add_limit(reader, answer);
        let (first, last) = (&answer.steps[0], answer.steps.last().unwrap());
        if let Some(soak) = answer.soak {
            let held = &answer.steps[soak.step];
            self.load(reader, "soaked", held.load);
            reader.fact("soak_seconds", Fact::Count(held.held as f64));
            if soak.end == SoakEnd::Held {
                reader.pattern(
                    "line",
                    "soak {@soaked} held for {soak_seconds} s",
                    "장시간 확인 {@soaked}를 {soak_seconds}초 유지함",
                );
            } else {
                reader.pattern(
                    "line",
                    "soak {@soaked} did not hold: {@soak_outcome}",
                    "장시간 확인 {@soaked}를 유지하지 못함: {@soak_outcome}",
                );
                let (english, korean) = self.outcome_patterns(answer, soak.step);
                reader.pattern("soak_outcome", &english, &korean);
            }
        }
        if let Some(late) = answer.late {
            reader.fact("late_after", Fact::Count(late as f64));
            reader.pattern(
                "line",
                "note the target got slower after {late_after} s of load: levels held for a shorter time prove nothing and were left out",
                "참고 부하 {late_after}초 뒤 느려짐: 더 짧게 유지한 단계는 제외함",
            );
        }
        if answer.warmed_up {
            reader.pattern(
                "line",
                "note the target got faster during the search (warm-up); levels it missed before that were tried again; --warmup auto warms it first",
                "참고 탐색 중 빨라짐(워밍업): 그 전에 목표를 지키지 못한 단계를 다시 시도함. --warmup auto로 먼저 워밍업할 수 있음",
            );
        }
        if let Some(load) = answer.asks_to_wait {
            self.load(reader, "waits_from", load);
            reader.pattern(
                "line",
                "note from {@waits_from} on the target asks to come back later (429, or 503 with Retry-After), so the load was not raised further",
                "참고 {@waits_from}부터 나중에 다시 오라는 응답(429 또는 Retry-After가 있는 503): 부하를 더 올리지 않음",
            );
        }
        if answer.slowed.is_some() {
            self.load(reader, "held_then", first.load);
            self.load(reader, "missed_now", last.load);
            reader.fact("then", Fact::Count(first.began));
            reader.fact("now", Fact::Count(last.began));
            reader.pattern(
                "line",
                // The last level: it was not tried again.
                "note the target held {@held_then} at {then} s, but no longer held {@missed_now} at {now} s; no load as high was tried after that, so whether it stayed slow is not known",
                "참고 대상이 느려짐: {then}초에는 {@held_then} 충족, {now}초에는 {@missed_now} 미충족. 그 뒤 이만한 부하를 다시 시도하지 않아 계속 느린지는 알 수 없음",
            );
        }
        if let Some(pauses) = answer.pauses {
            reader.fact("pauses", Fact::Count(pauses.count as f64));
            reader.fact("pause_every", Fact::Number(pauses.every));
            reader.fact("pause_ms", Fact::Millis(Some(pauses.about_ms)));
            let times = if pauses.count == 1 {
                "once"
            } else {
                "{pauses} times"
            };
            reader.pattern(
                "line",
                &format!("note the target paused {times}, about every {{pause_every}} s, for about {{pause_ms}} each"),
                "참고 약 {pause_every}초마다 약 {pause_ms}씩 멈춤({pauses}회)",
            );
        }
        if let Some(off) = first.off_law {
            self.load(reader, "off_at", first.load);
            reader.fact("off_law", Fact::WholePercent(off.abs()));
            reader.pattern(
                "line",
                "note at {@off_at} the iterations in flight differ by {off_law} from throughput × duration (Little's law): do not trust that level",
                "참고 {@off_at}에서 진행 중인 반복이 처리량 × 시간과 {off_law} 어긋남(리틀의 법칙): 이 단계는 믿지 마세요",
            );
        }
    }

    fn add_limit(&self, reader: &mut Reader, answer: &Answer) {
        match self.curve.limit {
            None if answer.asks_to_wait.is_some() => reader.pattern(
                "line",
                "what limits a limit that was set on purpose: the target asks to come back later (429, or 503 with Retry-After)",
                "한계 분석 의도적으로 설정된 제한: 나중에 다시 오라는 응답(429 또는 Retry-After가 있는 503)",
            ),
            None => reader.pattern(
                "line",
                "what limits not looked for: nothing was stored (--no-store), and loadline explain reads what is stored",
                "한계 분석 확인하지 않음: 저장하지 않은 실행(--no-store)은 loadline explain이 읽을 수 없음",
            ),
            Some(None) => reader.pattern(
                "line",
                "what limits the pool limits",
                "한계 분석 커넥션 풀이 한계",
            ),
            Some(Some(load)) => {
                self.load(reader, "limit_load", load);
                reader.pattern(
                    "line",
                    "what limits at {@limit_load}: the pool limits",
                    "한계 분석 부하 {@limit_load}일 때 커넥션 풀이 한계",
                );
            }
        }
        if self.curve.limit.is_some() {
            reader.pattern(
                "line",
                "try: a larger pool: pool.max=20",
                "조치: 풀 크기 늘리기: pool.max=20",
            );
        }
    }
}
