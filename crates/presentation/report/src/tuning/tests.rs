use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::{
    EffectFinding, EqualSetting, KnobChange, KnobEffect, KnobInteraction, OtherKnobs,
};
use loadline_record::{LimitText, LimitVerdict, ThreadUsage};
use loadline_text::Lang;

use super::*;

const CHANGE: Change = Change {
    low: 0.08,
    middle: 0.12,
    high: 0.16,
};

fn effects() -> Vec<KnobEffect> {
    vec![
        KnobEffect {
            knob: 0,
            levels: (0, 1),
            change: CHANGE,
            finding: EffectFinding::Matters,
            others: OtherKnobs::Winner,
            taken: Some(CHANGE),
            at_start: None,
        },
        KnobEffect {
            knob: 1,
            levels: (0, 1),
            change: CHANGE,
            finding: EffectFinding::NoLargerThan { share: 0.041 },
            others: OtherKnobs::Winner,
            taken: None,
            at_start: Some(KnobChange {
                levels: (0, 1),
                change: CHANGE,
            }),
        },
    ]
}

fn limit_by_database() -> LimitVerdict {
    let words = |text: &str| LimitText {
        text: text.to_owned(),
        ..LimitText::default()
    };
    let said = [("en", "database CPU"), ("ko", "데이터베이스 CPU")];
    let said = said.map(|(lang, text)| (lang.to_owned(), words(text)));
    LimitVerdict {
        answer: "limited".to_owned(),
        part: Some("database".to_owned()),
        rule: Some("database-cpu".to_owned()),
        grade: Some("A".to_owned()),
        said: said.into_iter().collect(),
        ..LimitVerdict::default()
    }
}

fn report(outcome: StudyOutcome) -> StudyReport {
    let knob = |name: &str, values: &[&str]| StudyKnob {
        name: name.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        now: 0,
        paste: values
            .iter()
            .map(|value| ("app.yml".to_owned(), format!("{name}: {value}")))
            .collect(),
        part: None,
    };
    let trial = |number: usize, setting: &[usize], rate: Option<f64>| StudyTrial {
        number,
        block: 0,
        purpose: if number == 1 { "noise" } else { "race" }.to_owned(),
        setting: setting.to_vec(),
        rate,
        p95_ms: rate.map(|_| 480.25),
        errors: rate.map(|_| 0.0),
        carries_all: setting == [1, 0],
        failed: rate.is_none(),
        other_answers: false,
        reason: rate.is_none().then(|| "not ready".to_owned()),
        cause: rate.is_none().then(|| {
            let args = [("limits".to_owned(), "limit-start-lag".to_owned())];
            ("tune-reason-generator".to_owned(), args.into())
        }),
        run: rate.map(|_| "abc".to_owned()),
        limit: (number == 1).then(limit_by_database),
    };
    StudyReport {
        name: "case-d".to_owned(),
        goal: "throughput max".to_owned(),
        less_is_better: false,
        knobs: vec![
            knob("heap", &["96m", "128m"]),
            knob("threads", &["200", "10"]),
        ],
        answer: StudyAnswer {
            outcome,
            winner: vec![1, 0],
            end: StudyEnd::Done,
            noise: Some(0.012),
            detectable: Some(0.034),
            disturbed: 0,
            effects: effects(),
            interaction: Some(KnobInteraction {
                knobs: [0, 1],
                change: Change {
                    low: -0.02,
                    middle: 0.0,
                    high: 0.02,
                },
            }),
            differences: vec![(vec![1, 0], CHANGE)],
            failed: vec![vec![0, 1]],
            other_answers: Vec::new(),
            cheaper_untried: vec![vec![0, 0]],
            cheaper_as_good: Some(EqualSetting {
                setting: vec![0, 1],
                change: CHANGE,
                pairs: 9,
            }),
        },
        trials: vec![
            trial(1, &[0, 0], Some(98.6)),
            trial(2, &[1, 0], Some(133.0)),
            trial(3, &[0, 1], None),
        ],
        trial_seconds: 12.0,
        now: None,
    }
}

fn both(report: &StudyReport) -> String {
    let of = |lang| report.text(&Catalog::new(lang));
    format!("{}\n-----\n{}", of(Lang::En), of(Lang::Ko))
}

#[test]
fn a_better_setting() {
    let better = StudyOutcome::Better {
        change: CHANGE,
        pairs: 4,
    };
    insta::assert_snapshot!(both(&report(better)));
}

#[test]
fn every_other_answer() {
    let others = [
        StudyOutcome::GoalMet { trials: 3 },
        StudyOutcome::GoalMissed,
        StudyOutcome::NoDifference { share: 0.05 },
        StudyOutcome::CannotTell {
            trials: Some(6),
            change: Some(CHANGE),
        },
        StudyOutcome::StartFails,
    ];
    let mut text = String::new();
    for outcome in others {
        let report = report(outcome);
        for lang in [Lang::En, Lang::Ko] {
            let catalog = Catalog::new(lang);
            text.push_str(&report.words(&catalog).answer());
        }
        text.push_str(&format!("-> {:?}\n\n", report.exit()));
    }
    insta::assert_snapshot!(text);
}

/// Half the latency is 50 % better, not 100 %.
#[test]
fn what_should_be_small_is_told_as_what_it_falls_by() {
    let half = Change {
        low: 1.0,
        middle: 1.0,
        high: 1.0,
    };
    let mut report = report(StudyOutcome::Better {
        change: half,
        pairs: 4,
    });
    report.less_is_better = true;
    let told = report.verdict(&Catalog::new(Lang::En));
    assert!(told.starts_with("better by 50 %"), "{told}");
}

#[test]
fn the_file_says_the_same() {
    let report = report(StudyOutcome::Better {
        change: CHANGE,
        pairs: 4,
    });
    let text = file::TuningFile::new(&report).to_json();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["winner"]["heap"], "128m");
    assert_eq!(file["trials"][2]["valid"], false);
    assert_eq!(file["outcome"]["kind"], "better");
}

/// Seen: the winner of a study that cannot tell was a setting that nobody should have.
#[test]
fn a_study_without_a_setting_to_have_names_no_winner() {
    for outcome in [
        StudyOutcome::GoalMissed,
        StudyOutcome::CannotTell {
            trials: Some(6),
            change: None,
        },
        StudyOutcome::StartFails,
    ] {
        let text = file::TuningFile::new(&report(outcome)).to_json();
        let file: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(file["winner"].is_null(), "{file:#}");
        assert_eq!(file["candidate"]["heap"], "128m", "{file:#}");
    }
}

#[test]
fn a_file_is_read_back_as_it_was_written() {
    let outcomes = [
        StudyOutcome::Better {
            change: CHANGE,
            pairs: 4,
        },
        StudyOutcome::GoalMissed,
        StudyOutcome::CannotTell {
            trials: Some(6),
            change: None,
        },
    ];
    for outcome in outcomes {
        let mut written = report(outcome);
        written.now = Some(CurrentTrial {
            number: 4,
            purpose: "confirm".to_owned(),
            setting: vec![1, 1],
        });
        let text = file::TuningFile::new(&written).to_json();
        let read = file::TuningFile::parse(&text).unwrap().report().unwrap();
        assert_eq!(read, written);
    }
    let other = r#"{"loadline_tuning": 1, "study": "a"}"#;
    assert!(file::TuningFile::parse(other).is_err());
}

/// Seen: "better by 297,996 %", and 2979.957 in the file, of the bound up to which was looked.
#[test]
fn a_change_at_the_bound_is_no_figure_anywhere() {
    let most = 8.0_f64.exp_m1();
    let open = Change {
        low: 4.6,
        middle: most,
        high: most,
    };
    let mut study = report(StudyOutcome::Better {
        change: open,
        pairs: 4,
    });
    study.answer.differences = vec![(vec![1, 0], open)];
    study.answer.effects[0].change = open;
    study.answer.effects[0].taken = Some(open);
    let file = file::TuningFile::new(&study).to_json();
    let said = both(&study) + &file;
    for figure in ["2979", "297,9", "2,980"] {
        assert!(!said.contains(figure), "{figure}: {said}");
    }
    assert_eq!(
        said.matches("at least 5.6 times as much").count(),
        4,
        "{said}"
    );
    assert_eq!(said.matches("5.6배 이상").count(), 4, "{said}");
    let json: serde_json::Value = serde_json::from_str(&file).unwrap();
    assert!(json["outcome"]["change"]["high"].is_null(), "{file}");
    assert_eq!(json["outcome"]["change"]["low"], 4.6, "{file}");
    let read = file::TuningFile::parse(&file).unwrap().report().unwrap();
    assert_eq!(both(&read), both(&study));
}

/// What pages and reports show, in both languages.
#[test]
fn a_document_says_first_what_to_take_and_lists_every_trial() {
    use crate::document::markdown;
    use crate::run::RunProgress;
    let better = report(StudyOutcome::Better {
        change: CHANGE,
        pairs: 4,
    });
    let mut running = report(StudyOutcome::CannotTell {
        trials: Some(6),
        change: None,
    });
    running.now = Some(CurrentTrial {
        number: 4,
        purpose: "race".to_owned(),
        setting: vec![1, 1],
    });
    let mut text = String::new();
    for (report, progress) in [
        (&better, RunProgress::Ended),
        (&running, RunProgress::Running),
        (&running, RunProgress::CutOff),
    ] {
        for lang in [Lang::En, Lang::Ko] {
            let catalog = Catalog::new(lang);
            let facts = document::StudyFacts {
                started: "2026-11-24 10:00:00 +09:00".to_owned(),
                progress,
            };
            let document = document::document(report, &facts, &catalog);
            text.push_str(&markdown::text(&document, &catalog));
            text.push_str("\n-----\n");
        }
    }
    insta::assert_snapshot!(text);
}

/// Seen: "no change larger than 0.0 %" and "cannot tell [-60, 350] %".
#[test]
fn an_interval_or_a_size_that_says_nothing_is_not_printed() {
    let wide = Change {
        low: -0.6,
        middle: 0.2,
        high: 3.5,
    };
    let mut report = report(StudyOutcome::CannotTell {
        change: Some(wide),
        trials: Some(40),
    });
    let answer = &mut report.answer;
    answer.effects[0].finding = EffectFinding::CannotTell;
    answer.effects[0].change = wide;
    answer.effects[1].finding = EffectFinding::NoLargerThan { share: 0.0002 };
    answer.effects[1].at_start = None;
    answer.differences = vec![(vec![1, 0], wide)];
    answer.interaction.as_mut().unwrap().change = wide;
    let said = both(&report);
    for number in ["-60", "350", "0.0 %"] {
        assert!(!said.contains(number), "{number}: {said}");
    }
    for told in [
        "heap: cannot tell: trials spread too much",
        "threads: no change",
        "depend on each other cannot be told",
        "heap: 판단할 수 없음: 시도 간 편차",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    let none = StudyOutcome::NoDifference { share: 0.0001 };
    report.answer.outcome = none;
    assert!(both(&report).starts_with("no difference: keep what the target has"));
}

/// Seen: "what limits there" of the nearest setting was what limits the target as it is.
#[test]
fn what_limits_is_of_the_setting_that_is_named_or_is_not_told() {
    let of_other = LimitVerdict {
        part: Some("threads".to_owned()),
        ..limit_by_database()
    };
    for outcome in [
        StudyOutcome::GoalMissed,
        StudyOutcome::GoalMet { trials: 3 },
        StudyOutcome::Better {
            change: CHANGE,
            pairs: 4,
        },
        StudyOutcome::CannotTell {
            trials: Some(6),
            change: None,
        },
    ] {
        // Only the target as it is was explained.
        let mut study = report(outcome);
        assert_eq!(study.limit(), None, "{outcome:?}");
        let file = file::TuningFile::new(&study).to_json();
        let file: serde_json::Value = serde_json::from_str(&file).unwrap();
        assert!(file["limit"].is_null(), "{file:#}");
        study.trials[1].limit = Some(of_other.clone());
        assert_eq!(study.limit(), Some(&of_other), "{outcome:?}");
    }
    let said = both(&report(StudyOutcome::GoalMissed));
    assert!(!said.contains("database CPU"), "{said}");
    let unknown = "what limits the target is not known: loadline explain abc says";
    assert!(said.contains(unknown), "{said}");
    // Nothing is better than what the target has: what limits there is meant.
    let mut study = report(StudyOutcome::NoDifference { share: 0.04 });
    study.answer.winner = vec![0, 0];
    assert!(both(&study).contains("database CPU"));
}

/// Seen: 41 runs of threads and pools, of a target whose heap was the matter.
#[test]
fn settings_that_come_first_and_threads_that_nobody_uses_are_told() {
    let mut study = report(StudyOutcome::NoDifference { share: 0.04 });
    study.knobs[1].part = Some("threads".to_owned());
    let limit = study.trials[0].limit.as_mut().unwrap();
    for words in limit.said.values_mut() {
        words.settings = vec!["a heap of 256 MiB (-Xmx)".to_owned()];
    }
    limit.spare_threads = Some(ThreadUsage {
        busy: 7.0,
        most: 200.0,
    });
    let said = study.text(&Catalog::new(Lang::En));
    assert!(
        said.contains("before any of these settings, try: a heap of 256 MiB (-Xmx)"),
        "{said}"
    );
    let spare = "threads need not be tuned: at most 7 of 200 were in use";
    assert!(said.contains(spare), "{said}");
    // The knob sets other threads than those that are seen.
    study.knobs[1].values[0] = "50".to_owned();
    assert!(
        !study
            .text(&Catalog::new(Lang::En))
            .contains("need not be tuned")
    );
}

/// Seen: "no cheaper setting that was tried does" of a study that had tried nothing else.
#[test]
fn a_goal_that_the_target_meets_says_whether_anything_else_was_tried() {
    let mut study = report(StudyOutcome::GoalMet { trials: 3 });
    study.answer.winner = vec![0, 0];
    let said = study.verdict(&Catalog::new(Lang::En));
    assert!(
        said.ends_with("no cheaper setting that was tried was shown to meet it"),
        "{said}"
    );
    study.trials.truncate(1);
    let said = study.verdict(&Catalog::new(Lang::En));
    assert!(said.ends_with("no other setting was tried"), "{said}");
}

/// Seen: "2s 안에 대상이 준비되지 않았습니다".
#[test]
fn times_of_reasons_are_korean_in_korean() {
    let korean = Catalog::new(Lang::Ko);
    let late = tune::reason_not_ready("1m2s");
    assert_eq!(
        reason(&late, &korean),
        "1분 2초 안에 대상이 준비되지 않았습니다"
    );
    let hook = tune::reason_hook_timeout("sh -c x", "1s");
    assert!(reason(&hook, &korean).starts_with("`sh -c x` 명령이 1초 안에"));
    assert!(reason(&hook, &Catalog::new(Lang::En)).contains("`sh -c x` did not end within 1s"));
}

/// Seen: the run to look at was that of the worst setting, as it was the last one tried.
#[test]
fn the_run_to_look_at_is_of_the_setting_that_the_answer_is_about() {
    let mut study = report(StudyOutcome::GoalMissed);
    let start: Vec<usize> = study.knobs.iter().map(|knob| knob.now).collect();
    let other = |number, setting: &[usize], run: &str| StudyTrial {
        number,
        setting: setting.to_vec(),
        rate: Some(10.0),
        run: Some(run.to_owned()),
        limit: None,
        ..study.trials[0].clone()
    };
    let winner = study.answer.winner.clone();
    assert_ne!(winner, start);
    let trials = vec![
        other(1, &start, "of-now"),
        other(2, &winner, "nearest"),
        other(3, &[7, 7], "worst"),
    ];
    study.trials = trials;
    assert_eq!(study.run_to_explain(), Some("nearest"));
    study.answer.outcome = StudyOutcome::NoneWorks;
    assert_eq!(study.run_to_explain(), Some("of-now"));
}
