//! A study: settings tried until the goal is met, nothing can be told apart, or the budget is
//! spent.
//!
//! A [`Study`] says which trial comes next and is given what it came to. It has no clock, no
//! I/O and its randomness is a seed, so that the same results always lead to the same trials:
//! a study that was killed goes on by being given its journal again.
//!
//! 1. *Noise*: the start setting against itself (A/A).
//! 2. *Race*: the first guesses, the ends of each knob's range and a Latin hypercube run in
//!    randomised blocks together with the best setting so far; what is clearly worse leaves
//!    after each block (F-race, Birattari 2002). Around the winner the next race begins with
//!    smaller steps, until none is better; the last one changes knobs two at a time.
//! 3. *Without*: of what changed, each knob is put back alone. What is not needed goes back,
//!    and what two changes do beyond their sum is seen.
//! 4. *Confirm*: fresh pairs of start and winner, from which alone the answer is made.
//!
//! Elsewhere: the statistics (`analysis::tuning`), setting knobs and running trials (`knobs`,
//! `cli`).

mod answer;
mod candidates;
mod effects;
mod rules;
mod space;
mod trial;
mod tried;

use std::collections::VecDeque;

use loadline_analysis::tuning::answer::{EffectFinding, KnobEffect, StudyEnd};
use loadline_analysis::tuning::pairs;
use loadline_units::random::Random;

pub use rules::{StudyGoal, StudyRules};
pub use space::{KnobSpace, StudySpace};
pub use trial::{PlannedTrial, TrialPurpose, TrialResult};

use tried::TriedSettings;

/// Pairs of trials after which a met goal is looked at.
const GOAL_LOOKS: [usize; 3] = [3, 5, 8];
/// Trials of the start setting before anything else.
const NOISE_TRIALS: usize = 4;
/// Blocks of one race.
const RACE_BLOCKS: usize = 4;
/// Blocks with knobs put back.
const WITHOUT_BLOCKS: usize = 2;
/// Further blocks when the start setting won, to say how little was missed.
const BOUND_BLOCKS: usize = 3;
/// Settings in one block beside the best one so far.
const BLOCK_SIZE: usize = 7;
/// Races of one study.
const MOST_RACES: usize = 10;
/// How often an invalid trial is repeated.
const INVALID_REPEATS_MAX: u32 = 2;
/// Invalid trials in a row after which a study ends.
const MOST_INVALID: u32 = 6;
/// Settings that failed to be confirmed.
const MOST_REJECTED: usize = 2;

/// Where a study stands.
#[derive(Debug, Clone, PartialEq)]
enum Stage {
    Noise,
    Race(Race),
    Without { blocks: usize },
    Bound { blocks: usize },
    Confirm { winner: usize, look: usize },
    Over,
}

/// One race.
#[derive(Debug, Clone, PartialEq)]
struct Race {
    number: usize,
    /// The part of a range that one step goes.
    step: f64,
    /// The best setting before the race, which is in all its blocks.
    control: usize,
    entrants: Vec<usize>,
    blocks: usize,
}

/// A trial that waits for its turn.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    setting: usize,
    block: usize,
    purpose: TrialPurpose,
    repeats: u32,
}

/// A study under way.
#[derive(Debug)]
pub struct Study {
    rules: StudyRules,
    tried: TriedSettings,
    random: Random,
    stage: Stage,
    queue: VecDeque<Waiting>,
    running: Option<Waiting>,
    blocks: usize,
    trials: usize,
    seconds: f64,
    invalid_in_a_row: u32,
    end: Option<StudyEnd>,
}

impl Study {
    /// A study of these settings.
    #[must_use]
    pub fn new(space: StudySpace, rules: StudyRules) -> Self {
        let tried = TriedSettings::new(space, rules.goal);
        let mut study = Self {
            random: Random::new(rules.seed),
            rules,
            tried,
            stage: Stage::Noise,
            queue: VecDeque::new(),
            running: None,
            blocks: 0,
            trials: 0,
            seconds: 0.0,
            invalid_in_a_row: 0,
            end: None,
        };
        let of_start = vec![TriedSettings::START_SETTING; NOISE_TRIALS];
        study.plan_block(&of_start, TrialPurpose::Noise);
        study
    }

    /// The next trial; `None` when the study is over.
    pub fn next_trial(&mut self) -> Option<PlannedTrial> {
        if self.running.is_none() {
            while self.queue.is_empty() && self.stage != Stage::Over {
                self.advance();
            }
            if self.stage == Stage::Over {
                return None;
            }
            if !self.affords(1) {
                self.finish(StudyEnd::BudgetSpent);
                return None;
            }
            self.running = self.queue.pop_front();
            self.trials += 1;
        }
        let running = self.running?;
        Some(PlannedTrial {
            number: self.trials,
            setting: self.tried.setting(running.setting).to_vec(),
            block: running.block,
            purpose: running.purpose,
        })
    }

    /// Takes what the trial came to, and how long it took.
    pub fn record(&mut self, result: TrialResult, seconds: f64) {
        let Some(trial) = self.running.take() else {
            return;
        };
        self.seconds += seconds;
        self.invalid_in_a_row = match result {
            TrialResult::Invalid => self.invalid_in_a_row + 1,
            _ => 0,
        };
        match result {
            TrialResult::Measured { score, margin } => {
                let is_fresh = trial.purpose == TrialPurpose::Confirm;
                let value = if self.rules.goal == StudyGoal::Meet {
                    margin
                } else {
                    score
                };
                self.tried
                    .measured(trial.setting, trial.block, value, margin, is_fresh);
            }
            TrialResult::Invalid => self.repeat(trial),
            TrialResult::Failed => {
                if !self.tried.failed(trial.setting) {
                    self.repeat(trial);
                }
            }
            TrialResult::OtherAnswers => {
                if !self.tried.answered_otherwise(trial.setting) {
                    self.repeat(trial);
                }
            }
        }
        if self.tried.is_excluded(trial.setting) {
            let is_other = |waiting: &Waiting| waiting.setting != trial.setting;
            self.queue.retain(is_other);
        }
        if self.tried.is_excluded(TriedSettings::START_SETTING) {
            self.finish(StudyEnd::StartFails);
        } else if self.invalid_in_a_row >= MOST_INVALID {
            self.finish(StudyEnd::Invalid);
        }
    }

    /// Ends the study here.
    pub fn interrupt(&mut self) {
        if self.end.is_none() {
            self.finish(StudyEnd::Interrupted);
        }
    }

    /// Has a setting tried before all other guesses. Nothing changes once the first race has begun.
    pub fn guess(&mut self, setting: Vec<usize>) {
        self.rules.guesses.insert(0, setting);
    }

    /// Trials begun so far.
    #[must_use]
    pub const fn trials(&self) -> usize {
        self.trials
    }

    fn finish(&mut self, end: StudyEnd) {
        self.end = Some(end);
        self.stage = Stage::Over;
        self.queue.clear();
    }

    fn repeat(&mut self, trial: Waiting) {
        if trial.repeats < INVALID_REPEATS_MAX {
            let repeats = trial.repeats + 1;
            self.queue.push_front(Waiting { repeats, ..trial });
        }
    }

    /// Whether so many more trials fit the budget.
    fn affords(&self, trials: usize) -> bool {
        let each = self.seconds / self.trials.max(1) as f64;
        self.trials + trials <= self.rules.most_trials
            && self.seconds + each * trials as f64 <= self.rules.most_seconds
    }

    /// The trials that confirming takes at least.
    fn reserve(&self) -> usize {
        match self.rules.goal {
            StudyGoal::Best => 2 * pairs::PAIRS_AT_LOOKS[0],
            StudyGoal::Meet => GOAL_LOOKS[0],
        }
    }

    /// Puts the settings into one block, in random order.
    fn plan_block(&mut self, settings: &[usize], purpose: TrialPurpose) {
        let mut order = settings.to_vec();
        for last in (1..order.len()).rev() {
            order.swap(last, self.random.below(last + 1));
        }
        let block = self.blocks;
        self.blocks += 1;
        let waiting = order.into_iter().map(|setting| Waiting {
            setting,
            block,
            purpose,
            repeats: 0,
        });
        self.queue.extend(waiting);
    }

    /// The same in blocks that are short enough, each with `control`.
    fn plan_blocks(&mut self, control: usize, settings: &[usize], purpose: TrialPurpose) {
        let mut order: Vec<usize> = settings.to_vec();
        order.retain(|setting| *setting != control);
        for last in (1..order.len()).rev() {
            order.swap(last, self.random.below(last + 1));
        }
        let blocks = order.len().div_ceil(BLOCK_SIZE).max(1);
        for block in order.chunks(order.len().div_ceil(blocks).max(1)) {
            let mut block = block.to_vec();
            block.push(control);
            self.plan_block(&block, purpose);
        }
    }

    /// What comes after the trials that were planned.
    fn advance(&mut self) {
        match self.stage.clone() {
            Stage::Noise => self.first_race(),
            Stage::Race(race) => self.after_race_block(race),
            Stage::Without { blocks } => self.after_without(blocks),
            Stage::Bound { blocks } => self.after_bound(blocks),
            Stage::Confirm { winner, look } => self.after_confirm(winner, look),
            Stage::Over => {}
        }
    }

    fn first_race(&mut self) {
        let start_meets = self.rules.goal == StudyGoal::Meet
            && self
                .tried
                .meets(TriedSettings::START_SETTING, self.rules.alpha);
        let entrants = if start_meets {
            candidates::cheaper(
                &mut self.tried,
                TriedSettings::START_SETTING,
                candidates::FIRST_STEP,
            )
        } else {
            // The first race takes half of the budget at most.
            let most = (self.rules.most_trials / 2).max(2);
            candidates::first(&mut self.tried, &self.rules.guesses, most, &self.random)
        };
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

    fn after_race_block(&mut self, mut race: Race) {
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
        let matters = |effect: &KnobEffect| effect.finding == EffectFinding::Matters;
        let bound = effects::bound(&self.tried, alpha);
        self.rules.goal == StudyGoal::Best
            && bound.is_some_and(|share| share <= worth)
            && !effects::of_knobs(&self.tried, TriedSettings::START_SETTING, worth, alpha)
                .iter()
                .any(matters)
    }

    /// Puts each changed knob back alone.
    fn without(&mut self, winner: usize) {
        let entrants = candidates::without(&mut self.tried, winner);
        let needed = (entrants.len() + 2) * WITHOUT_BLOCKS;
        if entrants.len() < 2 || !self.affords(needed + self.reserve()) {
            self.choose();
            return;
        }
        self.plan_without(winner, entrants);
        self.stage = Stage::Without { blocks: 1 };
    }

    fn plan_without(&mut self, winner: usize, mut entrants: Vec<usize>) {
        entrants.push(TriedSettings::START_SETTING);
        self.plan_blocks(winner, &entrants, TrialPurpose::Without);
    }

    fn after_without(&mut self, blocks: usize) {
        if blocks < WITHOUT_BLOCKS {
            let winner = self.tried.best();
            let entrants = candidates::without(&mut self.tried, winner);
            self.plan_without(winner, entrants);
            self.stage = Stage::Without { blocks: blocks + 1 };
            return;
        }
        self.choose();
    }

    /// Chooses what is confirmed: the cheapest setting that is as good as the best.
    fn choose(&mut self) {
        let winner = self.tried.cheapest_of_best(self.rules.within);
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

    /// The start setting won: the best of the others run beside it until it is clear how little
    /// they could gain.
    fn after_bound(&mut self, blocks: usize) {
        let rivals = self.tried.rivals();
        let bound = effects::bound(&self.tried, self.rules.alpha);
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

    const fn looks(&self) -> [usize; 3] {
        match self.rules.goal {
            StudyGoal::Best => pairs::PAIRS_AT_LOOKS,
            StudyGoal::Meet => GOAL_LOOKS,
        }
    }

    fn after_confirm(&mut self, winner: usize, look: usize) {
        let looks = self.looks();
        if self.tried.is_excluded(winner) || self.is_refuted(winner) {
            self.tried.reject(winner);
            if self.tried.rejected() < MOST_REJECTED {
                self.choose();
            } else {
                self.finish(StudyEnd::Done);
            }
            return;
        }
        if self.is_confirmed(winner) || look + 1 >= looks.len() {
            self.finish(StudyEnd::Done);
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

    /// Whether the goal is missed in fresh trials.
    fn is_refuted(&self, winner: usize) -> bool {
        self.rules.goal == StudyGoal::Meet
            && self
                .tried
                .fresh_margin(winner)
                .is_some_and(|margin| margin < 0.0)
    }
}
