//! What the study comes to, in fresh trials: that the winner gains, or how little was missed.

use loadline_analysis::tuning::answer::StudyEnd;
use loadline_analysis::tuning::pairs;

use super::tried::TriedSettings;
use super::{GOAL_LOOKS, MOST_REJECTED, Stage, Study, StudyGoal, TrialPurpose, effects};

/// Further blocks when the start setting won, to say how little was missed.
const BOUND_BLOCKS: usize = 3;

impl Study {
    /// The trials that confirming takes at least.
    pub(super) fn reserve(&self) -> usize {
        match self.rules.goal {
            StudyGoal::Best => 2 * pairs::PAIRS_AT_LOOKS[0],
            StudyGoal::Meet => GOAL_LOOKS[0],
        }
    }

    /// Chooses what is confirmed: the cheapest setting that is as good as the best.
    pub(super) fn choose(&mut self) {
        let winner = self.choice();
        self.chosen = Some(winner);
        let is_start = winner == TriedSettings::START_SETTING;
        if is_start && self.rules.goal == StudyGoal::Best {
            self.stage = Stage::Bound { blocks: 0 };
            return;
        }
        if self.rules.goal == StudyGoal::Meet && self.tried.misses(winner) {
            self.finish(StudyEnd::Done);
            return;
        }
        self.stage = Stage::Confirm { winner, look: 0 };
        self.plan_confirm(winner, 0);
    }

    /// The start setting keeps all conditions: fresh trials of it say so, and nothing else is tried.
    pub(super) fn confirm_start(&mut self) {
        let start = TriedSettings::START_SETTING;
        self.chosen = Some(start);
        self.stage = Stage::Confirm {
            winner: start,
            look: 0,
        };
        self.plan_confirm(start, 0);
    }

    /// The setting that would be confirmed.
    fn choice(&self) -> usize {
        self.likely_best().unwrap_or_else(|| {
            let cheapest = self.tried.cheapest_of_best(self.rules.within);
            self.without_needless(cheapest)
        })
    }

    /// A setting with each knob put back whose change is not seen to gain anything, where that was tried; one change is left:
    /// whether that gains anything is confirmed.
    fn without_needless(&self, winner: usize) -> usize {
        if self.rules.goal == StudyGoal::Meet {
            return winner;
        }
        let mut kept = winner;
        while let Some(simpler) = self.tried.simpler(kept, self.rules.within) {
            kept = simpler;
        }
        kept
    }

    /// The start setting won: the best of the others run beside it until it is clear how little
    /// they could gain.
    pub(super) fn after_bound(&mut self, blocks: usize) {
        let rivals = self.tried.rivals();
        let confirmed = self.chosen.filter(|id| *id != TriedSettings::START_SETTING);
        let bound = effects::bound(&self.tried, self.rules.alpha, confirmed);
        let is_clear = bound.is_some_and(|share| share <= self.rules.worth);
        if is_clear
            || blocks >= BOUND_BLOCKS
            || rivals.is_empty()
            || !self.affords(rivals.len() + 1)
        {
            self.finish(StudyEnd::Done);
            return;
        }
        self.plan_blocks(TriedSettings::START_SETTING, &rivals, TrialPurpose::Race);
        self.stage = Stage::Bound { blocks: blocks + 1 };
    }

    fn plan_confirm(&mut self, winner: usize, look: usize) {
        let looks = self.looks();
        let before = look.checked_sub(1).map_or(0, |earlier| looks[earlier]);
        for _ in before..looks[look] {
            match self.rules.goal {
                StudyGoal::Best => self.plan_block(
                    &[TriedSettings::START_SETTING, winner],
                    TrialPurpose::Confirm,
                ),
                StudyGoal::Meet => self.plan_block(&[winner], TrialPurpose::Confirm),
            }
        }
    }

    const fn looks(&self) -> &'static [usize] {
        match self.rules.goal {
            StudyGoal::Best => &pairs::PAIRS_AT_LOOKS,
            StudyGoal::Meet => &GOAL_LOOKS,
        }
    }

    pub(super) fn after_confirm(&mut self, winner: usize, look: usize) {
        let looks = self.looks();
        if self.rules.stops_when_met && self.tried.ids().len() == 1 && self.is_refuted(winner) {
            // It seemed to meet the goal by chance.
            self.chosen = None;
            self.race_for_goal();
            return;
        }
        if self.tried.is_excluded(winner) || self.is_refuted(winner) {
            self.tried.reject(winner);
            if self.tried.rejected() < MOST_REJECTED {
                self.choose();
            } else {
                self.finish(StudyEnd::Done);
            }
            return;
        }
        if self.is_confirmed(winner) {
            self.finish(StudyEnd::Done);
            return;
        }
        if look + 1 >= looks.len() {
            if self.is_no_gain(winner) {
                // That nothing is better is said of all that were tried.
                self.stage = Stage::Bound { blocks: 0 };
                self.after_bound(0);
            } else {
                self.finish(StudyEnd::Done);
            }
            return;
        }
        self.plan_confirm(winner, look + 1);
        self.stage = Stage::Confirm {
            winner,
            look: look + 1,
        };
    }

    fn is_confirmed(&self, winner: usize) -> bool {
        let alpha = self.rules.alpha;
        match self.rules.goal {
            StudyGoal::Meet => self.tried.meets_afresh(winner, alpha),
            StudyGoal::Best => {
                let change = pairs::change(&self.tried.fresh_pairs(winner), alpha);
                // It is worth more pairs while they could still make a small gain clear.
                change.is_some_and(|change| change.low > 0.0)
            }
        }
    }

    /// Whether fresh pairs show that a setting gains nothing worth a change.
    fn is_no_gain(&self, winner: usize) -> bool {
        let change = pairs::change(&self.tried.fresh_pairs(winner), self.rules.alpha);
        self.rules.goal == StudyGoal::Best
            && change.is_some_and(|change| change.high <= self.rules.worth)
    }

    /// Whether the goal is missed in fresh trials.
    fn is_refuted(&self, winner: usize) -> bool {
        self.rules.goal == StudyGoal::Meet
            && self
                .tried
                .fresh_margin(winner)
                .is_some_and(|margin| margin < 0.0)
    }
}
