//! Studies with a goal to meet: the smallest pool that suffices.

use std::sync::Arc;

use loadline_analysis::tuning::answer::{StudyAnswer, StudyEnd, StudyOutcome};
use loadline_experiment::tuning::{
    KnobSpace, Study, StudyGoal, StudyRules, StudySpace, TrialPurpose, TrialResult,
};
use loadline_units::random::Random;

/// Connections of each level.
const POOL_SIZES: [usize; 8] = [5, 10, 15, 20, 30, 40, 60, 80];

fn study(levels: usize, start: usize, seed: u64) -> Study {
    stopping(levels, start, seed, false)
}

/// The same, which may stop where the start setting meets the goal.
fn stopping(levels: usize, start: usize, seed: u64, stops_when_met: bool) -> Study {
    let space = StudySpace {
        knobs: vec![KnobSpace {
            costs: (0..levels)
                .map(|level| level as f64 / (levels - 1) as f64)
                .collect(),
            start,
            has_order: true,
        }],
        allowed: Arc::new(|_| true),
    };
    let rules = StudyRules {
        stops_when_met,
        ..StudyRules::new(StudyGoal::Meet, seed)
    };
    Study::new(space, rules)
}

/// Runs a study of pools whose throughput is pool / hold time, up to `offered` a second.
fn pools(goal: f64, offered: f64, hold: f64, seed: u64) -> StudyAnswer {
    let mut study = study(POOL_SIZES.len(), 1, seed);
    let random = Random::new(seed);
    while let Some(trial) = study.next_trial() {
        let carried = (POOL_SIZES[trial.setting[0]] as f64 / hold).min(offered);
        let noise = 0.02 * (random.unit() + random.unit() - 1.0);
        let margin = (carried / goal).ln() + noise;
        study.record(
            TrialResult::Measured {
                score: margin,
                margin,
            },
            1.0,
        );
    }
    study.answer()
}

/// Case B after its fix: at 0.5 s a connection, 50 a second need 25 connections.
#[test]
fn the_smallest_pool_that_meets_the_goal_is_named() {
    let mut right = 0;
    for seed in 0..40 {
        let answer = pools(50.0, 75.0, 0.5, seed);
        let is_met = matches!(answer.outcome, StudyOutcome::GoalMet { .. });
        right += u32::from(is_met && POOL_SIZES[answer.winner[0]] == 30);
    }
    assert!(right >= 38, "{right} of 40");
}

/// Case B at ten times the rate: at 2 s a connection no pool of these carries 60 a second.
#[test]
fn a_goal_that_no_setting_meets_is_said_to_be_missed() {
    for seed in 0..40 {
        let answer = pools(60.0, 75.0, 2.0, seed);
        assert_eq!(
            answer.outcome,
            StudyOutcome::GoalMissed,
            "{seed}: {answer:?}"
        );
        assert_eq!(answer.end, StudyEnd::Done);
        // The nearest to it is named, and nothing is said to have failed that only missed it.
        assert_eq!(POOL_SIZES[answer.winner[0]], 80, "{seed}");
        assert!(answer.failed.is_empty(), "{seed}: {answer:?}");
    }
}

/// The start setting collapses, now more, now less; the others hold, and hardly differ.
#[test]
fn a_setting_that_collapses_does_not_blur_those_that_hold() {
    let mut right = 0;
    for seed in 0..40 {
        let mut study = study(4, 0, seed);
        let random = Random::new(seed);
        while let Some(trial) = study.next_trial() {
            let noise = random.unit() + random.unit() - 1.0;
            let margin = match trial.setting[0] {
                0 => -0.8 + 0.8 * noise,
                _ => 0.15 + 0.03 * noise,
            };
            study.record(
                TrialResult::Measured {
                    score: margin,
                    margin,
                },
                1.0,
            );
        }
        let answer = study.answer();
        let is_met = matches!(answer.outcome, StudyOutcome::GoalMet { .. });
        right += u32::from(is_met && answer.winner == [1] && study.trials() <= 20);
    }
    assert!(right >= 36, "{right} of 40");
}

#[test]
fn a_goal_that_is_met_already_costs_few_trials_if_nothing_is_cheaper() {
    let mut study = study(3, 0, 1);
    while study.next_trial().is_some() {
        study.record(
            TrialResult::Measured {
                score: 0.2,
                margin: 0.2,
            },
            1.0,
        );
    }
    let answer = study.answer();
    assert_eq!(answer.outcome, StudyOutcome::GoalMet { trials: 3 });
    assert_eq!(answer.winner, [0]);
    assert!(study.trials() <= 8, "{}", study.trials());
}

/// Seen: 41 runs by hand of a target that was good enough after a few of them.
#[test]
fn a_goal_that_is_met_as_it_is_ends_the_study_and_nothing_else_is_tried() {
    let run = |stops_when_met: bool, fresh: f64| {
        let mut study = stopping(3, 2, 1, stops_when_met);
        let mut tried = Vec::new();
        while let Some(trial) = study.next_trial() {
            let margin = match trial.purpose {
                TrialPurpose::Confirm => fresh,
                _ => 0.2,
            };
            let score = margin;
            study.record(TrialResult::Measured { score, margin }, 1.0);
            tried.push(trial.setting[0]);
        }
        (study.answer(), tried)
    };
    let (answer, tried) = run(true, 0.2);
    assert_eq!(answer.outcome, StudyOutcome::GoalMet { trials: 3 });
    assert_eq!(answer.winner, [2]);
    assert_eq!(
        tried, [2; 7],
        "noise and confirmation of the setting of now"
    );
    // A cheaper one is looked for where that is asked for.
    let (answer, _) = run(false, 0.2);
    assert_eq!(answer.winner, [0]);
    // It met the goal by chance.
    let (_, tried) = run(true, -0.2);
    assert!(tried.iter().any(|level| *level != 2), "{tried:?}");
}

#[test]
fn a_target_that_does_not_start_as_it_is_ends_the_study() {
    let mut study = study(3, 0, 1);
    while study.next_trial().is_some() {
        study.record(TrialResult::Failed, 1.0);
    }
    assert_eq!(study.trials(), 2);
    assert_eq!(study.answer().outcome, StudyOutcome::StartFails);
}

#[test]
fn a_generator_that_spoils_every_trial_ends_the_study() {
    let mut study = study(3, 0, 1);
    while study.next_trial().is_some() {
        study.record(TrialResult::Invalid, 1.0);
    }
    let answer = study.answer();
    assert_eq!(answer.end, StudyEnd::Invalid);
    assert!(matches!(answer.outcome, StudyOutcome::CannotTell { .. }));
}

#[test]
fn a_level_under_which_the_target_dies_is_given_up_after_two_failures() {
    let mut study = study(4, 1, 3);
    let mut tried = 0;
    while let Some(trial) = study.next_trial() {
        if trial.setting[0] == 0 {
            tried += 1;
            study.record(TrialResult::Failed, 1.0);
        } else {
            let margin = 0.5 + 0.01 * f64::from(u8::try_from(trial.number % 3).unwrap_or(0));
            study.record(
                TrialResult::Measured {
                    score: margin,
                    margin,
                },
                1.0,
            );
        }
    }
    assert_eq!(tried, 2);
    let answer = study.answer();
    assert_eq!(answer.failed, [[0]]);
    assert_eq!(answer.winner, [1]);
}

#[test]
fn a_setting_that_answers_otherwise_is_not_taken_though_it_meets_the_goal_best() {
    let mut study = study(4, 3, 3);
    let mut tried = 0;
    while let Some(trial) = study.next_trial() {
        if trial.setting[0] == 0 {
            tried += 1;
            study.record(TrialResult::OtherAnswers, 1.0);
        } else {
            let margin = 0.5 + 0.01 * f64::from(u8::try_from(trial.number % 3).unwrap_or(0));
            study.record(
                TrialResult::Measured {
                    score: margin,
                    margin,
                },
                1.0,
            );
        }
    }
    let answer = study.answer();
    // Seen: four more trials of a setting whose answers were empty.
    assert_eq!(tried, 1);
    assert_eq!(answer.other_answers, [vec![0]]);
    assert!(answer.failed.is_empty());
    assert_eq!(answer.winner, [1]);
}

#[test]
fn a_goal_that_the_only_setting_left_misses_clearly_costs_few_trials() {
    let mut study = study(2, 1, 1);
    while let Some(trial) = study.next_trial() {
        study.record(
            if trial.setting[0] == 0 {
                TrialResult::OtherAnswers
            } else {
                let margin = -0.5 + 0.01 * f64::from(u8::try_from(trial.number % 3).unwrap_or(0));
                TrialResult::Measured {
                    score: margin,
                    margin,
                }
            },
            1.0,
        );
    }
    assert_eq!(study.answer().outcome, StudyOutcome::GoalMissed);
    assert!(study.trials() <= 12, "{}", study.trials());
}

/// Rates of random arrivals, other ones in each block and the same within one, as seen: 20 a second asked for 15 gave 16.1 to 23.2.
fn arriving(most_trials: usize, goal: f64, seed: u64) -> StudyAnswer {
    let rules = StudyRules {
        most_trials,
        ..StudyRules::new(StudyGoal::Meet, seed)
    };
    let space = StudySpace {
        knobs: vec![KnobSpace {
            costs: vec![0.0, 1.0],
            start: 1,
            has_order: true,
        }],
        allowed: Arc::new(|_| true),
    };
    let mut study = Study::new(space, rules);
    while let Some(trial) = study.next_trial() {
        let of_block = Random::new(seed.wrapping_mul(977) ^ (trial.block as u64 + 1));
        // The sum of twelve deviates by one.
        let chance: f64 = (0..12).map(|_| of_block.unit()).sum::<f64>() - 6.0;
        let margin = (20.0_f64 / goal).ln() + 0.1 * chance;
        study.record(
            TrialResult::Measured {
                score: margin,
                margin,
            },
            1.0,
        );
    }
    study.answer()
}

/// Seen: "cannot tell; 3 more trials would" with 14 of 120 trials used, all of which kept the goal, and the same again when it
/// was run once more.
#[test]
fn a_goal_that_random_arrivals_blur_is_met_while_the_budget_lasts() {
    let mut met = 0;
    for seed in 0..40 {
        let answer = arriving(120, 15.0, seed);
        met += u32::from(matches!(answer.outcome, StudyOutcome::GoalMet { .. }));
        assert_eq!(answer.disturbed, 0, "{seed}: {answer:?}");
    }
    assert!(met >= 39, "{met} of 40");
    // With less room it takes more trials, and is not given up before.
    let met = (0..40).filter(|seed| {
        let answer = arriving(120, 18.2, *seed);
        matches!(answer.outcome, StudyOutcome::GoalMet { .. })
    });
    assert!(met.count() >= 20);
}

/// Seen: "3 more trials would" whatever the trials showed.
#[test]
fn what_would_tell_is_foretold_by_what_was_seen() {
    let foretold = (0..40).filter_map(|seed| match arriving(12, 18.2, seed).outcome {
        StudyOutcome::CannotTell { trials, .. } => trials,
        _ => None,
    });
    let foretold: Vec<usize> = foretold.collect();
    assert!(foretold.len() >= 10, "{foretold:?}");
    assert!(foretold.iter().any(|trials| *trials > 10), "{foretold:?}");
}
