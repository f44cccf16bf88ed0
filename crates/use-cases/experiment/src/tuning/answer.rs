//! What a study comes to.

use loadline_analysis::tuning::answer::{EqualSetting, StudyAnswer, StudyEnd, StudyOutcome};
use loadline_analysis::tuning::blocks::BlockFit;
use loadline_analysis::tuning::pairs;
use loadline_analysis::tuning::spread::RepeatedTrials;

use super::tried::TriedSettings;
use super::{Study, StudyGoal, candidates, effects};

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
        let shown_change = match outcome {
            StudyOutcome::Better { change, .. } => Some(change),
            StudyOutcome::CannotTell { change, .. } => change,
            _ => None,
        };
        let most = match outcome {
            StudyOutcome::NoDifference { share } => Some(share),
            _ => None,
        };
        let confirmed = effects::Confirmed {
            winner: shown,
            change: shown_change,
            most,
        };
        let told = effects::all(&self.tried, &confirmed, self.rules.worth, alpha);
        // A standard deviation of logarithms, which single disturbed trials hardly move.
        let spread = RepeatedTrials::new(self.tried.repeated(), self.tried.in_blocks());
        let noise = spread.deviation();
        let of_pairs = self.tried.fit().map(BlockFit::deviation);
        let of_looks = match self.rules.goal {
            // Without the machine's drift two trials differ by less; one that was disturbed is no reason to expect more.
            StudyGoal::Best => of_pairs.map(|of| noise.map_or(of, |noise| of.min(noise))),
            StudyGoal::Meet => noise,
        };
        let all = |is: fn(&TriedSettings, usize) -> bool| -> Vec<Vec<usize>> {
            let found = self.tried.ids().filter(|id| is(&self.tried, *id));
            found.map(|id| self.tried.setting(id).to_vec()).collect()
        };
        StudyAnswer {
            outcome,
            winner: self.tried.setting(shown).to_vec(),
            end: self.end.unwrap_or(StudyEnd::Interrupted),
            noise: noise.map(f64::exp_m1),
            detectable: of_looks.map(detectable),
            disturbed: noise.map_or(0, |noise| spread.far_off(noise)),
            effects: told.effects,
            interaction: effects::interaction(&self.tried, shown, alpha),
            differences: told.differences,
            failed: all(TriedSettings::has_failed),
            other_answers: all(TriedSettings::has_other_answers),
            cheaper_untried: match outcome {
                StudyOutcome::GoalMet { .. } => candidates::cheaper_untried(&self.tried, winner),
                _ => Vec::new(),
            },
            cheaper_as_good: match outcome {
                StudyOutcome::NoDifference { .. } | StudyOutcome::CannotTell { .. } => {
                    self.cheaper_as_good(winner)
                }
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
        let chosen = self.chosen.filter(|id| !self.tried.is_excluded(*id));
        let confirmed = chosen.or_else(|| self.tried.most_confirmed());
        confirmed.unwrap_or_else(|| {
            let likely = self.likely_best();
            likely.unwrap_or_else(|| self.tried.cheapest_of_best(self.rules.within))
        })
    }

    fn outcome(&self, winner: usize) -> StudyOutcome {
        if self.end == Some(StudyEnd::StartFails) {
            return StudyOutcome::StartFails;
        }
        if self.is_load_too_small {
            return StudyOutcome::LoadTooSmall;
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
        if !self.keeps(winner) {
            return self.missed_outcome(winner);
        }
        if winner == TriedSettings::START_SETTING {
            return match effects::bound(&self.tried, alpha, None) {
                Some(share) if share <= worth && self.tried.usable().len() > 1 => {
                    StudyOutcome::NoDifference { share }
                }
                _ => StudyOutcome::CannotTell {
                    trials: Some(self.reserve()),
                    change: None,
                },
            };
        }
        let differences = self.tried.fresh_pairs(winner);
        let Some(change) = pairs::change(&differences, alpha) else {
            return StudyOutcome::CannotTell {
                trials: Some(self.reserve()),
                change: None,
            };
        };
        let is_planned = pairs::PAIRS_AT_LOOKS.contains(&differences.len());
        if change.low > 0.0 && is_planned {
            let pairs = differences.len();
            return StudyOutcome::Better { change, pairs };
        }
        // The others that were tried must gain no more, either.
        let others = effects::bound(&self.tried, alpha, Some(winner));
        let most = others.map(|others| change.high.max(others).max(0.0));
        if let Some(share) = most.filter(|share| *share <= worth) {
            return StudyOutcome::NoDifference { share };
        }
        let needed = pairs::needed(&differences, worth, alpha);
        let trials = 2 * needed.saturating_sub(differences.len()).max(1);
        StudyOutcome::CannotTell {
            trials: Some(trials),
            change: Some(change),
        }
    }

    fn goal_outcome(&self, winner: usize) -> StudyOutcome {
        if self.tried.meets_afresh(winner, self.rules.alpha) {
            let trials = self.tried.fresh_trials(winner);
            return StudyOutcome::GoalMet { trials };
        }
        self.missed_outcome(winner)
    }

    /// Whether a setting keeps the conditions as far as is known, by fresh trials where it has some.
    fn keeps(&self, id: usize) -> bool {
        let margin = self.tried.fresh_margin(id).or(self.tried.margin(id));
        margin.is_none_or(|margin| margin >= 0.0)
    }

    /// No setting is shown to keep the conditions: whether all that were tried miss them.
    fn missed_outcome(&self, winner: usize) -> StudyOutcome {
        let is_done = self.end == Some(StudyEnd::Done);
        let usable = self.tried.usable();
        if is_done && !usable.iter().any(|id| self.keeps(*id)) {
            return StudyOutcome::GoalMissed;
        }
        let trials = match self.rules.goal {
            StudyGoal::Best => Some(self.reserve()),
            StudyGoal::Meet => self.tried.fresh_trials_missing(winner, self.rules.alpha),
        };
        StudyOutcome::CannotTell {
            trials,
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
