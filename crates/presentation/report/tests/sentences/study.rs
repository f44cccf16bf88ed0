//! The answer of a study: drawn outcomes and effects, and the sentences that are said of them.

mod changes;
mod effects;

use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::{
    EffectFinding, EqualSetting, KnobChange, KnobEffect, KnobInteraction, OtherKnobs, StudyAnswer,
    StudyEnd, StudyOutcome,
};
use loadline_report::tuning::{StudyKnob, StudyReport, StudyTrial};
use loadline_text::{Catalog, Lang};
use proptest::prelude::*;

use crate::reader::{Fact, Misreading, Reader};
use changes::{ToldChange, is_clear, is_informative};

/// The setting before the study, that of the answer, and a third one.
const START: [usize; 2] = [0, 0];
const TAKEN: [usize; 2] = [1, 0];
const OTHER: [usize; 2] = [0, 1];

/// A study as it is drawn.
#[derive(Debug, Clone)]
pub(crate) struct DrawnStudy {
    outcome: StudyOutcome,
    less_is_better: bool,
    is_of_margin: bool,
    is_start: bool,
    noise: Option<(f64, f64)>,
    effects: [(Change, EffectFinding, Option<Change>, Option<Change>); 2],
    interaction: Option<Change>,
    difference: Change,
    equal: Option<(Change, usize)>,
    has_failed: bool,
    trials: Vec<(f64, f64, f64)>,
    trial_seconds: f64,
    end: StudyEnd,
}

fn change() -> impl Strategy<Value = Change> {
    let middle = prop_oneof![-0.6..-0.02_f64, 0.02..1.5_f64];
    let reach = prop_oneof![0.001..0.05_f64, 0.05..0.4_f64];
    (middle, reach).prop_map(|(middle, reach)| Change {
        low: middle - reach,
        middle,
        high: middle + reach,
    })
}

/// A change that is clearly a gain.
fn gain() -> impl Strategy<Value = Change> {
    (0.001..12.0_f64, 0.001..12.0_f64, 0.001..150.0_f64).prop_map(|(low, by, more)| Change {
        low,
        middle: low + by,
        high: low + by + more,
    })
}

/// A change that is not worth one.
fn equal() -> impl Strategy<Value = Change> {
    (-0.04..0.04_f64).prop_map(|middle| Change {
        low: middle - 0.01,
        middle,
        high: middle + 0.01,
    })
}

fn finding() -> impl Strategy<Value = EffectFinding> {
    prop_oneof![
        Just(EffectFinding::Matters),
        prop_oneof![Just(0.0001), 0.002..0.3_f64]
            .prop_map(|share| EffectFinding::NoLargerThan { share }),
        Just(EffectFinding::CannotTell),
        Just(EffectFinding::NotTried),
    ]
}

fn outcome() -> impl Strategy<Value = StudyOutcome> {
    prop_oneof![
        (gain(), 1_usize..20).prop_map(|(change, pairs)| StudyOutcome::Better { change, pairs }),
        (1_usize..9).prop_map(|trials| StudyOutcome::GoalMet { trials }),
        Just(StudyOutcome::GoalMissed),
        prop_oneof![Just(0.0001), 0.002..0.3_f64]
            .prop_map(|share| StudyOutcome::NoDifference { share }),
        (prop::option::of(change()), prop::option::of(1_usize..40))
            .prop_map(|(change, trials)| { StudyOutcome::CannotTell { change, trials } }),
        Just(StudyOutcome::StartFails),
        Just(StudyOutcome::LoadTooSmall),
    ]
}

pub(crate) fn drawn() -> impl Strategy<Value = DrawnStudy> {
    let any_change = || prop_oneof![3 => change(), 1 => gain()];
    let effect = move || {
        let drawn = (
            any_change(),
            finding(),
            prop::option::of(any_change()),
            prop::option::of(any_change()),
        );
        drawn.prop_map(|(change, finding, taken, at_start)| {
            let is_said = finding != EffectFinding::Matters || is_clear(change);
            let finding = if is_said {
                finding
            } else {
                EffectFinding::CannotTell
            };
            (
                change,
                finding,
                taken,
                at_start.filter(|before| is_clear(*before)),
            )
        })
    };
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let end = prop_oneof![
        Just(StudyEnd::Done),
        Just(StudyEnd::BudgetSpent),
        Just(StudyEnd::Interrupted),
        Just(StudyEnd::Invalid)
    ];
    let trial = (
        0.5..900.0_f64,
        0.6..3000.0_f64,
        prop_oneof![Just(0.0), 0.0001..0.5_f64],
    );
    (
        outcome(),
        flags,
        prop::option::of((0.002..0.4_f64, 0.002..0.9_f64)),
        (effect(), effect()),
        (
            prop::option::of(any_change()),
            any_change(),
            prop::option::of((equal(), 1_usize..20)),
        ),
        prop::collection::vec(trial, 2),
        2.0..900.0_f64,
        end,
    )
        .prop_map(
            |(outcome, flags, noise, effects, others, trials, trial_seconds, end)| DrawnStudy {
                outcome,
                less_is_better: flags.0,
                // Only a goal that asks for requests a second is more than a load may show.
                is_of_margin: flags.1 || outcome == StudyOutcome::LoadTooSmall,
                is_start: flags.2,
                has_failed: flags.3,
                noise,
                effects: [effects.0, effects.1],
                interaction: others.0,
                difference: others.1,
                equal: others.2,
                trials,
                trial_seconds,
                end,
            },
        )
}

/// A time as it is written, of whole seconds.
fn written(seconds: f64) -> String {
    let all = seconds.ceil() as u64;
    let (hours, minutes, seconds) = (all / 3600, all / 60 % 60, all % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds}s"),
        (0, minutes) => format!("{minutes}m{seconds}s"),
        (hours, minutes) => format!("{hours}h{minutes}m{seconds}s"),
    }
}

impl DrawnStudy {
    fn winner(&self) -> [usize; 2] {
        if self.is_start { START } else { TAKEN }
    }

    pub(crate) fn report(&self) -> StudyReport {
        let knob = |name: &str, values: [&str; 2]| StudyKnob {
            name: name.to_owned(),
            values: values.map(str::to_owned).to_vec(),
            now: 0,
            paste: values
                .iter()
                .map(|value| ("app.yml".to_owned(), format!("{name}: {value}")))
                .collect(),
            part: None,
        };
        let effects = self.effects.iter().enumerate();
        let effects = effects.map(|(place, (change, finding, taken, at_start))| KnobEffect {
            knob: place,
            levels: (0, 1),
            change: *change,
            finding: *finding,
            others: OtherKnobs::Winner,
            taken: *taken,
            at_start: at_start.map(|change| KnobChange {
                levels: (0, 1),
                change,
            }),
        });
        let goal = if self.is_of_margin {
            "meet tps>=100, p(95)<=500ms"
        } else {
            "throughput max"
        };
        let trials = self.trials.iter().enumerate();
        let trials = trials.map(|(place, (rate, p95, errors))| StudyTrial {
            number: place + 1,
            block: 0,
            purpose: if place == 0 { "noise" } else { "race" }.to_owned(),
            setting: if place == 0 { START } else { TAKEN }.to_vec(),
            rate: Some(*rate),
            p95_ms: Some(*p95),
            errors: Some(*errors),
            carries_all: self.outcome == StudyOutcome::LoadTooSmall,
            failed: false,
            other_answers: false,
            reason: None,
            cause: None,
            run: Some("abc".to_owned()),
            limit: None,
        });
        StudyReport {
            name: "s".to_owned(),
            goal: goal.to_owned(),
            less_is_better: self.less_is_better,
            knobs: vec![
                knob("heap", ["96m", "128m"]),
                knob("threads", ["200", "10"]),
            ],
            answer: StudyAnswer {
                outcome: self.outcome,
                winner: self.winner().to_vec(),
                end: self.end,
                noise: self.noise.map(|(noise, _)| noise),
                detectable: self.noise.map(|(_, least)| least),
                disturbed: 0,
                effects: effects.collect(),
                interaction: self.interaction.map(|change| KnobInteraction {
                    knobs: [0, 1],
                    change,
                }),
                differences: vec![(TAKEN.to_vec(), self.difference)],
                failed: self
                    .has_failed
                    .then(|| OTHER.to_vec())
                    .into_iter()
                    .collect(),
                other_answers: Vec::new(),
                cheaper_untried: Vec::new(),
                cheaper_as_good: self.equal.map(|(change, pairs)| EqualSetting {
                    setting: OTHER.to_vec(),
                    change,
                    pairs,
                }),
            },
            trials: trials.collect(),
            trial_seconds: self.trial_seconds,
            now: None,
        }
    }

    pub(crate) fn text(&self, lang: Lang) -> String {
        self.report().text(&Catalog::new(lang))
    }

    pub(crate) fn misread(&self, text: &str, lang: Lang) -> Vec<Misreading> {
        let mut reader = Reader::new(lang);
        reader.both(
            "winner",
            if self.is_start {
                "heap=96m threads=200"
            } else {
                "heap=128m threads=200"
            },
        );
        self.add_outcome(&mut reader);
        self.add_details(&mut reader);
        self.add_effects(&mut reader);
        self.add_trials(&mut reader);
        reader.read("line", text)
    }

    fn add_outcome(&self, reader: &mut Reader) {
        let s = |count: usize| if count == 1 { "" } else { "s" };
        match self.outcome {
            StudyOutcome::Better { change, pairs } => {
                reader.fact("pairs", Fact::Count(pairs as f64));
                let s = s(pairs);
                let Some(told) = self.worded(reader, "better", change) else {
                    return;
                };
                let ToldChange { english, korean, .. } = &told;
                let (english, korean) = if told.is_times {
                    (
                        format!("better, {english}, in {{pairs}} fresh pair{s}: {{@winner}}"),
                        format!("더 좋음: 현재의 {korean}, 새로 잰 {{pairs}}쌍 기준: {{@winner}}"),
                    )
                } else {
                    (
                        format!("better by {english} in {{pairs}} fresh pair{s}: {{@winner}}"),
                        format!("{korean} 더 좋음, 새로 잰 {{pairs}}쌍 기준: {{@winner}}"),
                    )
                };
                reader.pattern("line", &english, &korean);
            }
            StudyOutcome::GoalMet { trials } => {
                reader.fact("met", Fact::Count(trials as f64));
                let (english, korean) = if self.is_start {
                    (
                        format!(
                            "the target meets the goal with its current settings, in {{met}} fresh trial{}; no cheaper setting that was tried was shown to meet it",
                            s(trials)
                        ),
                        "현재 설정이 목표를 충족합니다(새로 잰 {met}번 기준). 시도한 설정 중 더 저렴하면서 목표 충족이 확인된 것은 없습니다",
                    )
                } else {
                    (
                        format!("goal met in {{met}} fresh trial{}: {{@winner}}", s(trials)),
                        "새로 잰 {met}번에서 목표 충족: {@winner}",
                    )
                };
                reader.pattern("line", &english, korean);
            }
            StudyOutcome::GoalMissed => reader.pattern(
                "line",
                "no setting that was tried meets the goal; nearest to it: {@winner}",
                "시도한 설정 중 목표를 충족하는 것이 없습니다. 목표에 가장 가까운 설정: {@winner}",
            ),
            StudyOutcome::NoDifference { share } if share < 0.0005 => reader.pattern(
                "line",
                "no difference: keep what the target has",
                "차이가 없습니다: 현재 설정을 그대로 두세요",
            ),
            StudyOutcome::NoDifference { share } => {
                reader.fact("none", Fact::Rough(100.0 * share));
                reader.pattern(
                    "line",
                    "nothing that was tried is better by more than {none} %: keep what the target has",
                    "시도한 설정 중 현재보다 {none} % 넘게 나은 것이 없습니다: 현재 설정을 그대로 두세요",
                );
            }
            StudyOutcome::NoneWorks => reader.pattern(
                "line",
                "no other setting that was tried works as the current one does: keep what the target has",
                "시도한 다른 설정은 모두 실패하거나 응답이 달라졌습니다: 현재 설정을 그대로 두세요",
            ),
            StudyOutcome::CannotTell { change, trials, .. } => {
                match trials {
                    Some(trials) => {
                        reader.fact("trials", Fact::Count(trials as f64));
                        let time = written(trials as f64 * self.trial_seconds);
                        reader.fact("time_ko", Fact::Text(Catalog::new(Lang::Ko).length(&time)));
                        reader.fact("time", Fact::Text(time));
                        reader.pattern(
                            "line",
                            &format!(
                                "cannot tell; {{trials}} more trial{}, about {{time}}, would",
                                s(trials)
                            ),
                            "판단할 수 없습니다. {trials}번 더 시도해야 합니다(약 {time_ko})",
                        );
                    }
                    None => reader.pattern(
                        "line",
                        "cannot tell, and more trials like these would not; what would tell: longer trials, or fewer other programs on the machines",
                        "판단할 수 없습니다. 이런 시도를 더 해도 마찬가지입니다. 시도를 더 길게 하거나 장비의 다른 프로그램을 줄여 보세요",
                    ),
                }
                let shown = change.filter(|change| is_informative(*change) && self.equal.is_none());
                if let Some(change) = shown {
                    let Some(told) = self.worded(reader, "far", change) else {
                        return;
                    };
                    reader.pattern(
                        "line",
                        &format!("so far {} for {{@winner}}", told.english),
                        &format!("지금까지 {}: {{@winner}}", told.korean),
                    );
                }
            }
            StudyOutcome::LoadTooSmall => {
                let carried = self.trials.iter().map(|trial| trial.0);
                reader.fact("sent", Fact::Number(carried.fold(0.0, f64::max)));
                reader.fact("asked", Fact::Number(100.0));
                reader.pattern(
                    "line",
                    "cannot tell: the target carried all that the test sends, {sent}/s, and the goal asks for tps>={asked}; no setting can meet it with this load: send more than {asked}/s",
                    "판단할 수 없습니다. 대상은 테스트가 보낸 부하(초당 {sent}건)를 모두 처리했고 목표는 tps>={asked}입니다. 이 부하로는 어떤 설정도 목표를 충족할 수 없으니 초당 {asked}건보다 많이 보내세요",
                );
            }
            StudyOutcome::StartFails => reader.pattern(
                "line",
                "the target does not work with the settings it has; nothing was compared",
                "현재 설정으로는 대상이 동작하지 않아 비교하지 못했습니다",
            ),
        }
    }

    fn add_details(&self, reader: &mut Reader) {
        let gains_nothing = matches!(
            self.outcome,
            StudyOutcome::GoalMissed | StudyOutcome::NoDifference { .. }
        );
        if gains_nothing {
            reader.pattern(
                "line",
                "what limits the target is not known: loadline explain abc says what was seen and what is missing",
                "대상을 제한하는 원인은 알 수 없습니다: 측정한 값과 빠진 값은 loadline explain abc 명령으로 볼 수 있습니다",
            );
        }
        match self.end {
            StudyEnd::BudgetSpent => {
                reader.pattern("line", "the budget was spent", "예산을 모두 썼습니다");
            }
            StudyEnd::Interrupted => reader.pattern(
                "line",
                "interrupted; the journal keeps what was measured: run the same command to go on",
                "중단됨. 측정한 것은 저널에 남아 있으니 같은 명령으로 이어서 할 수 있습니다",
            ),
            StudyEnd::Invalid => reader.pattern(
                "line",
                "trial after trial was invalid",
                "무효인 시도가 이어졌습니다",
            ),
            StudyEnd::Done | StudyEnd::StartFails => {}
        }
        if let Some((noise, least)) = self.noise {
            self.spread(reader, "noise", noise);
            self.spread(reader, "least", least);
            reader.pattern(
                "line",
                "trials of one setting differ by {noise} %; a first confirmation shows differences from about {least} % on",
                "같은 설정으로 한 시도 사이의 편차: {noise} %. 첫 확인에서 보이는 가장 작은 차이: 약 {least} %",
            );
        }
        if self.has_failed {
            reader.pattern(
                "line",
                "the target fails with heap=96m threads=10",
                "대상이 실패하는 설정: heap=96m threads=10",
            );
        }
        if let Some((change, pairs)) = self.equal {
            reader.fact("equal_pairs", Fact::Count(pairs as f64));
            let s = if pairs == 1 { "" } else { "s" };
            if let Some(told) = self.worded(reader, "equal", change) {
                reader.pattern(
                    "line",
                    &format!("cheaper and as good: heap=96m threads=10 ({} in {{equal_pairs}} fresh pair{s})", told.english),
                    &format!("자원을 덜 쓰면서 성능이 같은 설정: heap=96m threads=10 (새로 측정한 {{equal_pairs}}쌍에서 {})", told.korean),
                );
            }
        }
    }

    fn add_trials(&self, reader: &mut Reader) {
        reader.pattern(
            "line",
            "trial why block setting TPS p95 ms errors{@against} run result",
            "시도 목적 블록 설정 TPS p95 ms 오류{@against} 실행 결과",
        );
        reader.pattern("against", " against now [95 %]", " 현재 대비 [95 %]");
        let told = self.worded(reader, "difference", self.difference);
        let difference = told.map_or_else(
            || ("cannot tell".to_owned(), "판단할 수 없음".to_owned()),
            |told| (told.english, told.korean),
        );
        for (place, (rate, p95, errors)) in self.trials.iter().enumerate() {
            for (name, fact) in [
                ("number", Fact::Count(place as f64 + 1.0)),
                ("rate", Fact::Number(*rate)),
                ("p95", Fact::Rough(*p95)),
                ("errors", Fact::Share(*errors)),
            ] {
                reader.fact(&format!("{name}_{place}"), fact);
            }
            let (why, korean_why, setting, changed) = match place {
                0 => ("noise", "잡음 측정", "heap=96m", None),
                _ => ("race", "비교", "heap=128m", Some(&difference)),
            };
            let row = |why: &str, changed: Option<&str>, counts: &str| {
                let changed = changed.map_or_else(String::new, |text| format!(" {text}"));
                format!(
                    "{{number_{place}}} {why} 1 {setting} threads=200 {{rate_{place}}} {{p95_{place}}} {{errors_{place}}}{changed} abc {counts}"
                )
            };
            reader.pattern(
                "line",
                &row(why, changed.map(|both| both.0.as_str()), "counts"),
                &row(korean_why, changed.map(|both| both.1.as_str()), "유효"),
            );
        }
    }
}
