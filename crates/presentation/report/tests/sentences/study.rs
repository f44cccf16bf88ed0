//! The answer of a study: drawn outcomes and effects, and the sentences that are said of them.

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

/// What two ends of an interval with no change within must not be apart to say anything.
const UNTELLING_RATIO: f64 = 4.0;
const MOST_PRINTED: f64 = 10.0;
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
        (change(), 1_usize..20).prop_map(|(change, pairs)| StudyOutcome::Better { change, pairs }),
        (1_usize..9).prop_map(|trials| StudyOutcome::GoalMet { trials }),
        Just(StudyOutcome::GoalMissed),
        prop_oneof![Just(0.0001), 0.002..0.3_f64]
            .prop_map(|share| StudyOutcome::NoDifference { share }),
        (prop::option::of(change()), 1_usize..40)
            .prop_map(|(change, trials)| { StudyOutcome::CannotTell { change, trials } }),
        Just(StudyOutcome::StartFails),
    ]
}

pub(crate) fn drawn() -> impl Strategy<Value = DrawnStudy> {
    let effect = || {
        (
            change(),
            finding(),
            prop::option::of(change()),
            prop::option::of(change()),
        )
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
            prop::option::of(change()),
            change(),
            prop::option::of((change(), 1_usize..20)),
        ),
        prop::collection::vec(trial, 2),
        2.0..900.0_f64,
        end,
    )
        .prop_map(
            |(outcome, flags, noise, effects, others, trials, trial_seconds, end)| DrawnStudy {
                outcome,
                less_is_better: flags.0,
                is_of_margin: flags.1,
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

/// Whether an interval says anything.
fn is_informative(change: Change) -> bool {
    let is_one_way = change.low > 0.0 || change.high < 0.0;
    let is_narrow = 1.0 + change.high < UNTELLING_RATIO * (1.0 + change.low);
    change.high <= MOST_PRINTED && (is_one_way || is_narrow)
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
            carries_all: false,
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

    /// A change as `{name}`, `{name_low}` and `{name_high}`, in percent of what people want.
    fn change(&self, reader: &mut Reader, name: &str, change: Change) {
        let turned = |share: f64| {
            if self.less_is_better {
                1.0 - 1.0 / (1.0 + share)
            } else {
                share
            }
        };
        let ends = [
            ("", change.middle),
            ("_low", change.low),
            ("_high", change.high),
        ];
        for (end, share) in ends {
            reader.fact(&format!("{name}{end}"), Fact::Rough(100.0 * turned(share)));
        }
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
                self.change(reader, "better", change);
                reader.fact("pairs", Fact::Count(pairs as f64));
                reader.pattern(
                    "line",
                    &format!("better by {{better}} % [{{better_low}}, {{better_high}}] in {{pairs}} fresh pair{}: {{@winner}}", s(pairs)),
                    "{better} % 더 좋음 [{better_low}, {better_high}], 새로 잰 {pairs}쌍 기준: {@winner}",
                );
            }
            StudyOutcome::GoalMet { trials } => {
                reader.fact("met", Fact::Count(trials as f64));
                let (english, korean) = if self.is_start {
                    (
                        format!(
                            "the target meets the goal as it is, in {{met}} fresh trial{}; no cheaper setting that was tried does",
                            s(trials)
                        ),
                        "현재 설정으로 목표를 충족합니다(새로 잰 {met}번). 시도한 설정 중 더 저렴하면서 충족하는 것은 없습니다",
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
                "시도한 설정 중 목표를 충족하는 것이 없습니다. 가장 가까운 설정: {@winner}",
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
                    "시도한 설정 중 {none} %보다 더 나은 것이 없습니다: 현재 설정을 그대로 두세요",
                );
            }
            StudyOutcome::NoneWorks => reader.pattern(
                "line",
                "no other setting that was tried works as the current one does: keep what the target has",
                "시도한 다른 설정은 모두 실패하거나 응답이 달라졌습니다: 현재 설정을 그대로 두세요",
            ),
            StudyOutcome::CannotTell { change, trials, .. } => {
                reader.fact("trials", Fact::Count(trials as f64));
                let time = written(trials as f64 * self.trial_seconds);
                reader.fact("time", Fact::Text(time));
                reader.pattern(
                    "line",
                    &format!(
                        "cannot tell; {{trials}} more trial{}, about {{time}}, would",
                        s(trials)
                    ),
                    "판단할 수 없습니다. {trials}번 더, 약 {time} 필요합니다",
                );
                if let Some(change) = change.filter(|change| is_informative(*change)) {
                    self.change(reader, "far", change);
                    reader.pattern(
                        "line",
                        "so far {far} % [{far_low}, {far_high}] for {@winner}",
                        "지금까지 {far} % [{far_low}, {far_high}]: {@winner}",
                    );
                }
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
            reader.fact("noise", Fact::Rough(100.0 * noise));
            reader.fact("least", Fact::Rough(100.0 * least));
            reader.pattern(
                "line",
                "trials of one setting differ by {noise} %; a first confirmation shows differences from about {least} % on",
                "같은 설정의 시도끼리 {noise} % 차이가 납니다. 첫 확인에서는 약 {least} % 이상의 차이가 보입니다",
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
            self.change(reader, "equal", change);
            reader.fact("equal_pairs", Fact::Count(pairs as f64));
            let s = if pairs == 1 { "" } else { "s" };
            reader.pattern(
                "line",
                &format!("cheaper and as good: heap=96m threads=10 ({{equal}} % [{{equal_low}}, {{equal_high}}] in {{equal_pairs}} fresh pair{s})"),
                "자원을 덜 쓰면서 성능이 같은 설정: heap=96m threads=10 (새로 측정한 {equal_pairs}쌍에서 {equal} % [{equal_low}, {equal_high}])",
            );
        }
    }

    fn add_trials(&self, reader: &mut Reader) {
        reader.pattern(
            "line",
            "trial why block setting TPS p95 ms errors{@against} run result",
            "시도 목적 블록 설정 TPS p95 ms 오류{@against} 실행 결과",
        );
        reader.pattern("against", " against now [95 %]", " 현재 대비 [95 %]");
        self.change(reader, "difference", self.difference);
        let difference = if is_informative(self.difference) {
            (
                "{difference} % [{difference_low}, {difference_high}]",
                "{difference} % [{difference_low}, {difference_high}]",
            )
        } else {
            ("cannot tell", "판단할 수 없음")
        };
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
                _ => ("race", "비교", "heap=128m", Some(difference)),
            };
            let row = |why: &str, changed: Option<&str>, counts: &str| {
                let changed = changed.map_or_else(String::new, |text| format!(" {text}"));
                format!(
                    "{{number_{place}}} {why} 1 {setting} threads=200 {{rate_{place}}} {{p95_{place}}} {{errors_{place}}}{changed} abc {counts}"
                )
            };
            reader.pattern(
                "line",
                &row(why, changed.map(|both| both.0), "counts"),
                &row(korean_why, changed.map(|both| both.1), "유효"),
            );
        }
    }
}
