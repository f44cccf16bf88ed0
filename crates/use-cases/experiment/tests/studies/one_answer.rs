//! A study told in all forms there are: headline, tables, text to paste, page and file speak of one setting and have one figure.

use std::sync::Arc;

use loadline_analysis::tuning::answer::StudyOutcome;
use loadline_experiment::tuning::{
    KnobSpace, Study, StudyGoal, StudyRules, StudySpace, TrialResult,
};
use loadline_report::document::{DocumentBlock, ReportDocument};
use loadline_report::run::RunProgress;
use loadline_report::tuning::document::{StudyFacts, document};
use loadline_report::tuning::file::TuningFile;
use loadline_report::tuning::{StudyKnob, StudyReport, StudyTrial};
use loadline_text::{Catalog, Lang};
use loadline_units::random::Random;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError};
use serde_json::Value;

use super::target::{KNOB_LEVELS, Machine, Recorded, Truth, space};

const KNOBS: [&str; 3] = ["heap", "threads", "pool"];

/// How a study is drawn.
#[derive(Debug, Clone, Copy)]
struct DrawnStudy {
    seed: u64,
    noise: Recorded,
    is_flat: bool,
    meets: bool,
    /// How far the best setting is above the goal, as a logarithm.
    margin: f64,
    most_trials: usize,
}

fn drawn() -> impl Strategy<Value = DrawnStudy> {
    let noise = prop_oneof![
        Just(Recorded::PoolRate),
        Just(Recorded::PoolP95),
        Just(Recorded::CpuRate)
    ];
    (
        0..u64::from(u32::MAX),
        noise,
        any::<bool>(),
        any::<bool>(),
        -0.4..0.6_f64,
        prop_oneof![5_usize..40, Just(120)],
    )
        .prop_map(
            |(seed, noise, is_flat, meets, margin, most_trials)| DrawnStudy {
                seed,
                noise,
                is_flat,
                meets,
                margin,
                most_trials,
            },
        )
}

impl DrawnStudy {
    fn report(self) -> StudyReport {
        let random = Random::new(self.seed);
        let truth = if self.is_flat {
            Truth::flat(&Random::new(self.seed ^ 0x5eed))
        } else {
            Truth::drawn(&Random::new(self.seed ^ 0x5eed))
        };
        let space = space(&random);
        let start = space.start();
        let goal = if self.meets {
            StudyGoal::Meet
        } else {
            StudyGoal::Best
        };
        let rules = StudyRules {
            most_trials: self.most_trials,
            ..StudyRules::new(goal, self.seed)
        };
        let mut study = Study::new(space, rules);
        let mut machine = Machine::new(self.seed.wrapping_mul(31), self.noise);
        let limit = truth.best() - self.margin;
        let mut trials = Vec::new();
        while let Some(trial) = study.next_trial() {
            let result = if self.meets {
                machine.run_for(&truth, &trial, limit)
            } else {
                machine.run(&truth, &trial)
            };
            let score = match result {
                TrialResult::Measured { score, .. } => Some(score),
                _ => None,
            };
            trials.push(StudyTrial {
                number: trial.number,
                block: trial.block,
                purpose: "race".to_owned(),
                setting: trial.setting,
                rate: score.map(|score| 100.0 * score.exp()),
                p95_ms: None,
                errors: score.map(|_| 0.0),
                carries_all: false,
                failed: result == TrialResult::Failed,
                other_answers: false,
                reason: None,
                cause: None,
                run: None,
                limit: None,
            });
            study.record(result, 1.0);
        }
        let knobs = KNOBS.iter().zip(KNOB_LEVELS).zip(start);
        let knobs = knobs.map(|((name, levels), now)| {
            let values: Vec<String> = (0..levels).map(|level| format!("v{level}")).collect();
            StudyKnob {
                name: (*name).to_owned(),
                paste: values
                    .iter()
                    .map(|value| ("app.yml".to_owned(), format!("{name}: {value}")))
                    .collect(),
                values,
                now,
                part: None,
            }
        });
        StudyReport {
            name: "s".to_owned(),
            goal: if self.meets {
                "meet tps>=100"
            } else {
                "throughput max"
            }
            .to_owned(),
            less_is_better: false,
            knobs: knobs.collect(),
            answer: study.answer(),
            trials,
            trial_seconds: 1.0,
            now: None,
        }
    }
}

/// A setting of the file as texts write it.
fn written(setting: &Value) -> String {
    let each = KNOBS.iter().map(|knob| {
        let value = setting[*knob].as_str().unwrap_or_default();
        format!("{knob}={value}")
    });
    each.collect::<Vec<_>>().join(" ")
}

/// The change that stands in the headline of a better setting.
fn change_of(headline: &str, lang: Lang) -> &str {
    let ends = match lang {
        Lang::En => [("better by ", " in "), ("better, ", ", in ")],
        Lang::Ko => [("더 좋음: 현재의 ", ", 새로"), ("", " 더 좋음, 새로")],
    };
    let found = ends.iter().find_map(|(begins, ends)| {
        let rest = headline.strip_prefix(begins)?;
        Some(rest.split_once(ends)?.0)
    });
    found.unwrap_or_default()
}

/// What the page's table of settings says of one.
fn row_of<'a>(page: &'a ReportDocument, setting: &str) -> Option<&'a Vec<String>> {
    let section = page.sections.iter().find(|one| one.id == "settings")?;
    let tables = section.blocks.iter().filter_map(|block| match block {
        DocumentBlock::Table(table) => Some(table),
        _ => None,
    });
    let mut rows = tables.flat_map(|table| &table.rows);
    rows.find(|row| row[0] == setting)
}

/// Phrases that say what a study came to, of which one answer has one.
const SAID: [(&str, &str); 5] = [
    ("better by ", "더 좋음"),
    ("better, ", "더 좋음: "),
    ("goal met in ", "목표 충족: "),
    (
        "no setting that was tried meets",
        "목표를 충족하는 것이 없습니다",
    ),
    ("keep what the target has", "현재 설정을 그대로 두세요"),
];

fn check(report: &StudyReport, lang: Lang) -> Result<(), TestCaseError> {
    let catalog = Catalog::new(lang);
    let (text, headline) = (report.text(&catalog), report.verdict(&catalog));
    let facts = StudyFacts {
        started: String::new(),
        progress: RunProgress::Ended,
    };
    let page = document(report, &facts, &catalog);
    let file = TuningFile::new(report).to_json();
    let file: Value =
        serde_json::from_str(&file).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let outcome = report.answer.outcome;
    prop_assert_eq!(text.lines().next(), Some(&*headline));
    prop_assert_eq!(&page.verdict.text, &headline);
    let (winner, candidate) = (&file["winner"], &file["candidate"]);
    let named = written(if winner.is_null() { candidate } else { winner });
    prop_assert_eq!(winner.is_null(), !outcome.names_a_setting());
    // No other line of the answer says what another answer would have said.
    let of = |(english, korean): &(&'static str, &'static str)| match lang {
        Lang::En => *english,
        Lang::Ko => *korean,
    };
    for phrase in SAID.iter().map(of) {
        let others = text.lines().skip(1).filter(|line| line.contains(phrase));
        prop_assert_eq!(others.count(), 0, "{}: {}", phrase, text);
    }
    let start: Vec<usize> = report.knobs.iter().map(|knob| knob.now).collect();
    let has_paste = page.sections.iter().any(|one| one.id == "paste");
    let is_taken = matches!(
        outcome,
        StudyOutcome::Better { .. } | StudyOutcome::GoalMet { .. }
    );
    let is_changed = report.answer.winner != start;
    prop_assert_eq!(has_paste, is_taken && is_changed);
    if is_taken {
        prop_assert_eq!(&page.goals[0].observed, &named);
        prop_assert!(
            !is_changed || headline.contains(&named),
            "{}: {}",
            named,
            headline
        );
        for (knob, (level, now)) in report
            .knobs
            .iter()
            .zip(report.answer.winner.iter().zip(&start))
        {
            let line = format!("    {}: {}    #", knob.name, knob.values[*level]);
            prop_assert_eq!(text.contains(&line), level != now, "{}", text);
        }
    }
    let told = ToldStudy {
        report,
        lang,
        text: &text,
        page: &page,
        file: &file,
        named: &named,
    };
    match outcome {
        StudyOutcome::Better { .. } => told.check_better()?,
        StudyOutcome::NoDifference { .. } | StudyOutcome::NoneWorks => {
            prop_assert!(!is_changed, "{}", text);
        }
        StudyOutcome::GoalMissed => prop_assert!(headline.ends_with(&named), "{}", headline),
        _ => {}
    }
    Ok(())
}

/// A study in all forms.
struct ToldStudy<'a> {
    report: &'a StudyReport,
    lang: Lang,
    text: &'a str,
    page: &'a ReportDocument,
    file: &'a Value,
    /// The setting that the file names.
    named: &'a str,
}

impl ToldStudy<'_> {
    /// The gain of a better setting is the same wherever it stands.
    fn check_better(&self) -> Result<(), TestCaseError> {
        let Self { text, named, .. } = *self;
        let headline = text.lines().next().unwrap_or_default();
        let told = change_of(headline, self.lang);
        prop_assert!(!told.is_empty(), "{}", headline);
        let row = row_of(self.page, named);
        let cell = row.and_then(|row| row.last()).map(|cell| &**cell);
        prop_assert_eq!(cell, Some(told));
        let lines = text.lines();
        let lines = lines.filter(|line| line.contains(named) && line.contains(told));
        prop_assert!(lines.count() > 1, "{}: {}", told, text);
        let difference = self.file["differences"].as_array().into_iter().flatten();
        let mut difference = difference.filter(|one| written(&one["setting"]) == named);
        let of_setting = difference.next().map(|one| one["change"].clone());
        prop_assert_eq!(of_setting.as_ref(), Some(&self.file["outcome"]["change"]));
        // One change: what it does is what the setting gains.
        let now = self.report.knobs.iter().map(|knob| knob.now);
        let changed = self.report.answer.winner.iter().zip(now);
        if changed.filter(|(level, now)| *level != now).count() == 1 {
            let all = text.matches(told).count();
            prop_assert_eq!(all, cells_of(text, named) + 3, "{}", text);
        }
        Ok(())
    }
}

/// Rows of the table of trials that are of a setting.
fn cells_of(text: &str, setting: &str) -> usize {
    let rows = text.lines().skip_while(|line| !line.contains("TPS"));
    let rows = rows.take_while(|line| !line.is_empty());
    rows.filter(|line| line.contains(setting)).count()
}

proptest! {
    #![proptest_config(Config { cases: 60, failure_persistence: None, ..Config::default() })]

    /// Seen: three figures of one setting; "goal met" of a setting below "no setting that was tried meets the goal".
    #[test]
    fn all_forms_of_an_answer_speak_of_one_setting_with_one_figure(drawn in drawn()) {
        let report = drawn.report();
        for lang in [Lang::En, Lang::Ko] {
            check(&report, lang)?;
        }
    }
}

/// Seen: "at least 6.0 times as good, 23 times [17, 32]" when a study ended, and "6.2 times, [18, 31]" of its report: a value that is
/// read again from a journal may differ in its last bit.
#[test]
fn the_last_bit_of_a_value_changes_nothing_that_is_told() {
    let told = |bits: &dyn Fn(usize) -> u64| {
        let knob = KnobSpace {
            costs: vec![0.0; 4],
            start: 1,
            has_order: true,
        };
        let space = StudySpace {
            knobs: vec![knob],
            allowed: Arc::new(|_| true),
        };
        let mut study = Study::new(space, StudyRules::new(StudyGoal::Meet, 2_038_259_525));
        let margins = [
            -1.364_806_332_595_142_7,
            -1.313_949_391_463_575_6,
            -1.275_200_532_359_592_3,
            -1.256_594_347_949_78,
            -9.104_979_856_318_357,
            -1.812_693_270_231_445_8,
            f64::NAN,
            f64::NAN,
            f64::NAN,
            f64::NAN,
            1.269_897_895_196_064,
            1.339_271_643_678_908,
            -1.890_783_367_363_383,
            1.337_043_246_061_787_6,
            0.934_066_450_488_319,
            0.966_892_548_282_454,
            1.289_908_923_249_138_5,
            1.076_965_876_893_565_5,
        ];
        for (at, margin) in margins.into_iter().enumerate() {
            if study.next_trial().is_none() {
                break;
            }
            let value = f64::from_bits(margin.to_bits() + bits(at));
            let result = if margin.is_nan() {
                TrialResult::Invalid
            } else {
                TrialResult::Measured {
                    score: value,
                    margin: value,
                }
            };
            study.record(result, 8.0);
        }
        let ends = study.answer().differences.into_iter();
        let ends: Vec<f64> = ends
            .flat_map(|(_, change)| [change.low, change.high])
            .collect();
        ends
    };
    let as_measured = told(&|_| 0);
    assert!(!as_measured.is_empty());
    for changed in 0..18 {
        let read_again = told(&|at| u64::from(at == changed));
        assert_eq!(read_again, as_measured, "trial {}", changed + 1);
    }
}
