//! How often "goal met" is said of targets whose goal lies a little above, at or below what
//! their best setting does.
//!
//! What a setting does is its mean over trials: noise and disturbances have a mean, and the
//! goal is set beside it.

use loadline_analysis::tuning::answer::StudyOutcome;
use loadline_experiment::tuning::{Study, StudyGoal, StudyRules};
use loadline_units::random::Random;

use super::FIRST_SEED;
use super::kept_rows::KeptRows;
use super::target::{Machine, Recorded, Truth, space};

/// How far the best setting is above the goal, as a logarithm.
const MARGINS: [(f64, &str); 3] = [
    (-0.03, "missed by 3 %"),
    (-0.01, "missed by 1 %"),
    (0.10, "kept by 10 %"),
];
/// What "goal met" may be wrong in at most.
const MOST_WRONG: f64 = 0.05;

/// How a target and a machine are drawn.
type DrawTruth = fn(&Random) -> Truth;
type DrawMachine = fn(u64, Recorded) -> Machine;

/// Counts over studies with one goal.
#[derive(Debug, Default)]
struct Goals {
    studies: u64,
    met: u32,
    /// Met was said of a setting that misses the goal.
    wrong: u32,
    missed: u32,
    cannot_tell: u32,
    trials: usize,
}

fn goals(
    draw: DrawTruth,
    machine: DrawMachine,
    margin: f64,
    noise: Recorded,
    studies: u64,
) -> Goals {
    let mut goals = Goals {
        studies,
        ..Goals::default()
    };
    for seed in FIRST_SEED..FIRST_SEED + studies {
        let truth = draw(&Random::new(seed ^ 0x5eed));
        let mut machine = machine(seed.wrapping_mul(31), noise);
        let limit = truth.best() + Machine::mean(noise) - margin;
        let rules = StudyRules::new(StudyGoal::Meet, seed);
        let mut study = Study::new(space(&Random::new(seed)), rules);
        while let Some(trial) = study.next_trial() {
            study.record(machine.run_for(&truth, &trial, limit), 1.0);
        }
        goals.trials += study.trials();
        let answer = study.answer();
        match answer.outcome {
            StudyOutcome::GoalMet { .. } => {
                goals.met += 1;
                let does = truth.value(&answer.winner).unwrap_or(f64::NEG_INFINITY);
                let does = does + Machine::mean(noise) + machine.mean_drift();
                goals.wrong += u32::from(does < limit);
            }
            StudyOutcome::GoalMissed => goals.missed += 1,
            StudyOutcome::CannotTell { .. } => goals.cannot_tell += 1,
            _ => panic!("seed {seed}: {answer:?}"),
        }
    }
    goals
}

impl Goals {
    fn share_wrong(&self) -> f64 {
        f64::from(self.wrong) / self.studies as f64
    }

    fn row(&self, target: &str, goal: &str, noise: Recorded) -> String {
        let percent =
            |count: u32| format!("{:.1} %", 100.0 * f64::from(count) / self.studies as f64);
        format!(
            "| {target} | {goal} | {} | {} | {} | {} | {} | {} | {:.0} |\n",
            noise.name(),
            self.studies,
            percent(self.met),
            percent(self.wrong),
            percent(self.missed),
            percent(self.cannot_tell),
            self.trials as f64 / self.studies as f64,
        )
    }
}

/// The rows of the table.
pub(crate) fn rows(studies: u64, kept: &mut KeptRows) -> String {
    let mut rows = String::new();
    let targets: [(DrawTruth, DrawMachine, &str); 4] = [
        (Truth::drawn, Machine::steady, "one best setting"),
        (Truth::flat, Machine::steady, "all settings the same"),
        (
            Truth::drawn,
            Machine::new,
            "one best setting, the machine drifts",
        ),
        (
            Truth::flat,
            Machine::new,
            "all settings the same, the machine drifts",
        ),
    ];
    for (draw, machine, target) in targets {
        for (margin, goal) in MARGINS {
            for noise in Recorded::ALL {
                rows.push_str(&kept.row(&format!("goal {target} {goal} {noise:?}"), || {
                    let found = goals(draw, machine, margin, noise, studies);
                    assert!(
                        found.share_wrong() <= MOST_WRONG,
                        "{target}, {goal}: {found:?}"
                    );
                    found.row(target, goal, noise)
                }));
            }
        }
    }
    rows
}

/// A goal that the best setting misses by 1 % is the hardest not to call met. Guards against
/// noise judged by the settings that chance favoured, and against a machine that is at its best
/// while a setting is confirmed.
#[test]
fn a_goal_that_the_best_setting_misses_a_little_is_hardly_ever_called_met() {
    for (machine, noise) in [
        (Machine::steady as DrawMachine, Recorded::PoolP95),
        (Machine::new, Recorded::PoolRate),
    ] {
        for draw in [Truth::drawn as DrawTruth, Truth::flat] {
            let found = goals(draw, machine, -0.01, noise, 100);
            assert!(found.share_wrong() <= MOST_WRONG, "{noise:?}: {found:?}");
        }
    }
}
