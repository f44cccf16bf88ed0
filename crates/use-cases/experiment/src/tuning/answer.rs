//! What a study comes to.

use loadline_analysis::tuning::answer::{EqualSetting, StudyAnswer, StudyEnd, StudyOutcome};
use loadline_analysis::tuning::blocks::BlockFit;
use loadline_analysis::tuning::pairs;

use super::tried::TriedSettings;
use super::{GOAL_LOOKS, Stage, Study, StudyGoal, candidates, effects};

impl Study {
    /// What it comes to so far.
    #[must_use]
    pub fn answer(&self) -> StudyAnswer {
        let winner = self.winner();
        let alpha = self.rules.alpha;
        let outcome = self.outcome(winner);
        let is_taken = matches!(
            outcome,
            StudyOutcome::Better { .. }
                | StudyOutcome::GoalMet { .. }
                | StudyOutcome::CannotTell { .. }
        );
        let shown = match outcome {
            StudyOutcome::GoalMissed => self.tried.nearest(),
            _ if is_taken => winner,
            _ => TriedSettings::START_SETTING,
        };
        let fit = self.tried.fit();
        let noise = fit.map(BlockFit::deviation);
        let all = |is: fn(&TriedSettings, usize) -> bool| -> Vec<Vec<usize>> {
            let found = self.tried.ids().filter(|id| is(&self.tried, *id));
            found.map(|id| self.tried.setting(id).to_vec()).collect()
        };
        StudyAnswer {
            outcome,
            winner: self.tried.setting(shown).to_vec(),
            end: self.end.unwrap_or(StudyEnd::Interrupted),
            noise: noise.map(f64::exp_m1),
            detectable: noise.map(detectable),
            effects: effects::of_knobs(&self.tried, winner, self.rules.worth, alpha),
            interaction: effects::interaction(&self.tried, winner, alpha),
            differences: effects::differences(&self.tried, alpha),
            failed: all(TriedSettings::has_failed),
            other_answers: all(TriedSettings::has_other_answers),
            cheaper_untried: match outcome {
                StudyOutcome::GoalMet { .. } => candidates::cheaper_untried(&self.tried, winner),
                _ => Vec::new(),
            },
            cheaper_as_good: match outcome {
                StudyOutcome::NoDifference { .. } => self.cheaper_as_good(winner),
                _ => None,
            },
        }
    }

    /// The setting that was confirmed, if it costs less than the start setting and fresh pairs show
    /// no difference worth a change, in either direction.
    fn cheaper_as_good(&self, winner: usize) -> Option<EqualSetting> {
        let (setting, start) = (
            self.tried.setting(winner),
            self.tried.setting(TriedSettings::START_SETTING),
        );
        let differences = self.tried.fresh_pairs(winner);
        let change = pairs::change(&differences, self.rules.alpha)?;
        let is_equal = change.low >= -self.rules.worth && change.high <= self.rules.worth;
        let is_cheaper = self.tried.space.cost(setting) < self.tried.space.cost(start);
        (is_equal && is_cheaper).then(|| EqualSetting {
            setting: setting.to_vec(),
            change,
            pairs: differences.len(),
        })
    }

    /// The setting that is confirmed, or would be.
    fn winner(&self) -> usize {
        let tried_afresh = self.tried.usable();
        let confirmed = tried_afresh.into_iter().find(|id| {
            *id != TriedSettings::START_SETTING && self.tried.fresh_margin(*id).is_some()
        });
        match (&self.stage, confirmed) {
            (Stage::Confirm { winner, .. }, _) => *winner,
            (_, Some(winner)) => winner,
            _ => self.tried.cheapest_of_best(self.rules.within),
        }
    }

    fn outcome(&self, winner: usize) -> StudyOutcome {
        if self.end == Some(StudyEnd::StartFails) {
            return StudyOutcome::StartFails;
        }
        if self.works_alone() {
            return StudyOutcome::NoneWorks;
        }
        match self.rules.goal {
            StudyGoal::Best => self.best_outcome(winner),
            StudyGoal::Meet => self.goal_outcome(winner),
        }
    }

    /// Whether all settings but the start setting were given up, where the best is looked for: the start setting may still
    /// meet a goal, or miss it.
    fn works_alone(&self) -> bool {
        let others = self
            .tried
            .ids()
            .filter(|id| *id != TriedSettings::START_SETTING && self.tried.is_tried(*id));
        let mut others = others.peekable();
        self.rules.goal == StudyGoal::Best
            && self.end == Some(StudyEnd::Done)
            && others.peek().is_some()
            && others.all(|id| self.tried.is_excluded(id))
    }

    fn best_outcome(&self, winner: usize) -> StudyOutcome {
        let (alpha, worth) = (self.rules.alpha, self.rules.worth);
        if winner == TriedSettings::START_SETTING {
            return match effects::bound(&self.tried, alpha) {
                Some(share) if share <= worth && self.tried.usable().len() > 1 => {
                    StudyOutcome::NoDifference { share }
                }
                _ => StudyOutcome::CannotTell {
                    trials: self.reserve(),
                    change: None,
                },
            };
        }
        let differences = self.tried.fresh_pairs(winner);
        let Some(change) = pairs::change(&differences, alpha) else {
            return StudyOutcome::CannotTell {
                trials: self.reserve(),
                change: None,
            };
        };
        let is_planned = pairs::PAIRS_AT_LOOKS.contains(&differences.len());
        if change.low > 0.0 && is_planned {
            let pairs = differences.len();
            return StudyOutcome::Better { change, pairs };
        }
        if change.high <= worth {
            return StudyOutcome::NoDifference {
                share: change.high.max(0.0),
            };
        }
        let needed = pairs::needed(&differences, worth, alpha);
        let trials = 2 * needed.saturating_sub(differences.len()).max(1);
        StudyOutcome::CannotTell {
            trials,
            change: Some(change),
        }
    }

    fn goal_outcome(&self, winner: usize) -> StudyOutcome {
        if self.tried.meets_afresh(winner, self.rules.alpha) {
            let trials = self.tried.fresh_trials(winner);
            return StudyOutcome::GoalMet { trials };
        }
        let is_done = self.end == Some(StudyEnd::Done);
        let margin = self
            .tried
            .fresh_margin(winner)
            .or(self.tried.margin(winner));
        if is_done && margin.is_none_or(|margin| margin < 0.0) {
            return StudyOutcome::GoalMissed;
        }
        StudyOutcome::CannotTell {
            trials: GOAL_LOOKS[0],
            change: None,
        }
    }
}

/// The difference that a confirmation's first look shows in half of the cases, as a share.
fn detectable(deviation: f64) -> f64 {
    let first = pairs::PAIRS_AT_LOOKS[0];
    // Differences of two trials deviate by the root of two times as much.
    let spread = deviation * std::f64::consts::SQRT_2;
    let unit = [-1.0, 1.0].repeat(first / 2);
    let scale = pairs::change(&unit, 0.05).map_or(0.0, |change| change.high.ln_1p());
    // `unit` deviates by the root of n / (n - 1).
    let of_unit = (first as f64 / (first as f64 - 1.0)).sqrt();
    (scale / of_unit * spread).exp_m1()
}
