//! Races: settings run beside the best so far, and what is clearly worse leaves.

use super::tried::TriedSettings;
use super::{Stage, Study, StudyGoal, StudyRules, TrialPurpose, candidates, effects};

/// Blocks of one race.
const RACE_BLOCKS: usize = 4;
/// Races of one study.
const MOST_RACES: usize = 10;

/// One race.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Race {
    number: usize,
    /// The part of a range that one step goes.
    step: f64,
    /// The best setting before the race, which is in all its blocks.
    control: usize,
    entrants: Vec<usize>,
    blocks: usize,
}

impl Study {
    pub(super) fn first_race(&mut self) {
        let start_meets = self.rules.goal == StudyGoal::Meet
            && self
                .tried
                .meets(TriedSettings::START_SETTING, self.rules.alpha);
        if start_meets && self.rules.stops_when_met {
            self.confirm_start();
        } else if start_meets {
            let entrants = candidates::cheaper(
                &mut self.tried,
                TriedSettings::START_SETTING,
                candidates::FIRST_STEP,
            );
            self.first_race_of(entrants);
        } else {
            self.race_for_goal();
        }
    }

    /// The first race of a study whose start setting is not what is looked for.
    pub(super) fn race_for_goal(&mut self) {
        // The first race takes half of the budget at most.
        let most = (self.rules.most_trials / 2).max(2);
        let guesses = &self.rules.guesses;
        let entrants = candidates::first(&mut self.tried, guesses, most, &self.random);
        self.first_race_of(entrants);
    }

    fn first_race_of(&mut self, entrants: Vec<usize>) {
        self.race(
            0,
            candidates::FIRST_STEP,
            TriedSettings::START_SETTING,
            entrants,
        );
    }

    fn race(&mut self, number: usize, step: f64, control: usize, entrants: Vec<usize>) {
        self.plan_blocks(control, &entrants, TrialPurpose::Race);
        self.stage = Stage::Race(Race {
            number,
            step,
            control,
            entrants,
            blocks: 1,
        });
    }

    /// A race around the best setting, where trials differ by less than it seemed.
    pub(super) fn race_on(&mut self) {
        let best = self.tried.best();
        let entrants = candidates::around(&mut self.tried, best, candidates::FIRST_STEP);
        self.race(0, candidates::FIRST_STEP, best, entrants);
    }

    pub(super) fn after_race_block(&mut self, mut race: Race) {
        if self.is_noisy() {
            self.explore();
            return;
        }
        let mut all = race.entrants.clone();
        all.push(race.control);
        let left = self.tried.survivors(&all, self.rules.within);
        let is_open = left.len() > 1 && race.blocks < RACE_BLOCKS;
        if is_open && self.affords(left.len() + 1 + self.reserve()) {
            race.entrants = left;
            race.blocks += 1;
            self.plan_blocks(race.control, &race.entrants, TrialPurpose::Race);
            self.stage = Stage::Race(race);
            return;
        }
        self.next_race(&race);
    }

    fn next_race(&mut self, race: &Race) {
        let best = self.tried.best();
        let improved = self.tried.is_likely_better(best, race.control);
        let is_last = candidates::is_smallest(&self.tried, race.step);
        let step = if improved { race.step } else { race.step / 2.0 };
        let meets = self.rules.goal == StudyGoal::Meet && self.tried.meets(best, self.rules.alpha);
        let ends = (is_last || self.nothing_differs()) && !improved;
        let ends = ends || race.number + 1 >= MOST_RACES;
        if ends || !self.affords(4 + self.reserve()) {
            self.without(best);
            return;
        }
        let mut entrants = if meets {
            candidates::cheaper(&mut self.tried, best, step)
        } else {
            candidates::around(&mut self.tried, best, step)
        };
        let room = self
            .rules
            .most_trials
            .saturating_sub(self.trials + self.reserve() + 1);
        entrants.truncate(room);
        if entrants.is_empty() {
            if candidates::is_smallest(&self.tried, step) {
                self.without(best);
            } else {
                let race = Race {
                    step: step / 2.0,
                    control: best,
                    number: race.number + 1,
                    ..race.clone()
                };
                self.next_race(&race);
            }
            return;
        }
        self.race(race.number + 1, step, best, entrants);
    }

    /// Whether no tried setting gains anything worth telling, and no knob is seen to matter.
    fn nothing_differs(&self) -> bool {
        let StudyRules { alpha, worth, .. } = self.rules;
        let bound = effects::bound(&self.tried, alpha, None);
        self.rules.goal == StudyGoal::Best
            && bound.is_some_and(|share| share <= worth)
            && !effects::any_matters(&self.tried, worth, alpha)
    }
}
