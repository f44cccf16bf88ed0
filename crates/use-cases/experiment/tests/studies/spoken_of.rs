//! Which setting an answer speaks of, and what it says of it.

use std::sync::Arc;

use loadline_analysis::compare::Change;
use loadline_analysis::tuning::answer::{OtherKnobs, StudyAnswer, StudyOutcome};
use loadline_experiment::tuning::{
    KnobSpace, PlannedTrial, Study, StudyGoal, StudyRules, StudySpace, TrialPurpose, TrialResult,
};
use loadline_units::random::Random;

use super::FIRST_SEED;
use super::target::{Machine, Recorded, Truth, space};

/// Studies of each kind.
const STUDIES_PLAYED: u64 = 40;

fn one_knob(levels: usize, start: usize, goal: StudyGoal) -> Study {
    let costs = (0..levels).map(|level| level as f64 / (levels - 1) as f64);
    let space = StudySpace {
        knobs: vec![KnobSpace {
            costs: costs.collect(),
            start,
            has_order: true,
        }],
        allowed: Arc::new(|_| true),
    };
    Study::new(space, StudyRules::new(goal, 1))
}

fn run(mut study: Study, trial: impl Fn(&PlannedTrial) -> TrialResult) -> StudyAnswer {
    while let Some(planned) = study.next_trial() {
        study.record(trial(&planned), 1.0);
    }
    study.answer()
}

fn measured(score: f64, margin: f64) -> TrialResult {
    TrialResult::Measured { score, margin }
}

/// Seen: "no setting that was tried meets the goal; nearest to it:" the setting that had just met it in fresh trials. The first
/// one that was confirmed had missed it, and the answer was about that.
#[test]
fn a_goal_that_the_second_setting_meets_afresh_is_met() {
    let study = one_knob(4, 0, StudyGoal::Meet);
    let answer = run(study, |trial| {
        let noise = 0.002 * f64::from(u8::try_from(trial.number % 3).unwrap());
        let margin = match (trial.setting[0], trial.purpose) {
            (0, _) => -0.4,
            (1, TrialPurpose::Confirm) => -0.1,
            (1, _) => 0.1,
            _ => 0.3,
        };
        measured(margin + noise, margin + noise)
    });
    assert!(
        matches!(answer.outcome, StudyOutcome::GoalMet { .. }),
        "{answer:?}"
    );
    assert_eq!(answer.winner, [2]);
}

/// Seen: "no difference: keep what the target has" of a target that misses what the goal asks for, as all others do.
#[test]
fn conditions_that_every_setting_misses_are_missed_whatever_the_best_is() {
    for start in [0, 1] {
        let study = one_knob(3, start, StudyGoal::Best);
        let answer = run(study, |trial| {
            let noise = 0.002 * f64::from(u8::try_from(trial.number % 3).unwrap());
            let level = f64::from(u8::try_from(trial.setting[0]).unwrap());
            measured(0.1 * level + noise, -0.5 + 0.1 * level + noise)
        });
        assert_eq!(answer.outcome, StudyOutcome::GoalMissed, "{answer:?}");
        assert_eq!(answer.winner, [2]);
    }
}

#[test]
fn a_load_that_shows_less_than_the_goal_asks_for_ends_the_study_at_once() {
    for goal in [StudyGoal::Best, StudyGoal::Meet] {
        let mut study = one_knob(3, 1, goal);
        assert!(study.next_trial().is_some());
        study.record(TrialResult::LoadTooSmall, 1.0);
        assert_eq!(study.next_trial(), None);
        assert_eq!(study.answer().outcome, StudyOutcome::LoadTooSmall);
        assert_eq!(study.answer().winner, [1]);
    }
}

/// A journal in which a setting with other answers was tried again, as an earlier version did, could not be gone on with.
#[test]
fn a_study_goes_on_after_trials_that_it_would_not_have_run() {
    let mut study = one_knob(4, 3, StudyGoal::Meet);
    let mut repeated = 0;
    while let Some(trial) = study.next_trial() {
        let is_other = trial.setting[0] == 0;
        let margin = 0.5 + 0.01 * f64::from(u8::try_from(trial.number % 3).unwrap());
        study.record(
            if is_other {
                TrialResult::OtherAnswers
            } else {
                measured(margin, margin)
            },
            1.0,
        );
        if is_other && repeated == 0 {
            repeated += 1;
            let before = study.trials();
            let again = PlannedTrial {
                number: before + 1,
                ..trial
            };
            study.next_trial();
            study.adopt(&again, TrialResult::OtherAnswers, 1.0);
            assert_eq!(study.trials(), before + 1);
        }
    }
    assert_eq!(repeated, 1);
    let answer = study.answer();
    assert_eq!(answer.other_answers, [vec![0]]);
    assert_eq!(answer.winner, [1]);
    assert!(matches!(answer.outcome, StudyOutcome::GoalMet { .. }));
}

/// The change that is said of two settings, wherever it is said.
fn changes_of(answer: &StudyAnswer, start: &[usize], setting: &[usize]) -> Vec<Change> {
    let mut said: Vec<Change> = answer
        .differences
        .iter()
        .filter(|(known, _)| known == setting)
        .map(|(_, change)| *change)
        .collect();
    let one_knob = |knob: usize| {
        let differs = (0..start.len()).filter(|other| start[*other] != setting[*other]);
        differs.eq([knob])
    };
    for effect in &answer.effects {
        let base = match effect.others {
            OtherKnobs::Start => start,
            OtherKnobs::Winner => &answer.winner[..],
        };
        let levels = (start[effect.knob], setting[effect.knob]);
        let mut from = base.to_vec();
        from[effect.knob] = start[effect.knob];
        if one_knob(effect.knob) && effect.levels == levels && from == start {
            said.push(effect.change);
        }
        if answer.winner == setting && one_knob(effect.knob) {
            said.extend(effect.taken);
        }
    }
    match answer.outcome {
        StudyOutcome::Better { change, .. }
        | StudyOutcome::CannotTell {
            change: Some(change),
            ..
        } if answer.winner == setting => said.push(change),
        _ => {}
    }
    said
}

/// Seen of one study: "better by 831 %" above, "2 -> 20 changes 828 %" to paste and "≥ 459 %" in the table.
#[test]
fn of_one_pair_of_settings_one_figure_is_said_everywhere() {
    let mut seen = 0;
    for (draw, noise) in [
        (Truth::drawn as fn(&Random) -> Truth, Recorded::PoolRate),
        (Truth::drawn, Recorded::PoolP95),
        (Truth::flat, Recorded::PoolRate),
    ] {
        for seed in FIRST_SEED..FIRST_SEED + STUDIES_PLAYED {
            let random = Random::new(seed);
            let truth = draw(&Random::new(seed ^ 0x5eed));
            let space = space(&random);
            let start = space.start();
            let rules = StudyRules {
                most_trials: 60 + random.below(60),
                ..StudyRules::new(StudyGoal::Best, seed)
            };
            let mut machine = Machine::new(seed.wrapping_mul(31), noise);
            let mut study = Study::new(space, rules);
            while let Some(trial) = study.next_trial() {
                study.record(machine.run(&truth, &trial), 1.0);
            }
            let answer = study.answer();
            for (setting, change) in &answer.differences {
                let said = changes_of(&answer, &start, setting);
                seen += usize::from(said.len() > 1);
                assert!(said.iter().all(|one| one == change), "{seed}: {said:?}");
                if let StudyOutcome::NoDifference { share } = answer.outcome {
                    assert!(change.high <= share, "{seed}: {share} {change:?}");
                }
            }
        }
    }
    assert!(seen > 50, "{seen}");
}
