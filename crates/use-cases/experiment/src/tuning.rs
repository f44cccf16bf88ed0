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
//!    Where single trials differ by more than settings that are as good (3 %), a surface through all
//!    trials says instead which settings may be the best, and which is chosen.
//! 3. *Without*: of what changed, each knob is put back alone. What is not needed goes back,
//!    and what two changes do beyond their sum is seen.
//! 4. *Confirm*: fresh pairs of start and winner, from which alone the answer is made.
//!
//! Elsewhere: the statistics (`analysis::tuning`), setting knobs and running trials (`knobs`,
//! `cli`).

mod answer;
mod candidates;
mod confirm;
mod effects;
mod explore;
mod race;
mod rules;
mod space;
mod trial;
mod tried;
mod without;

use std::collections::VecDeque;

use loadline_analysis::tuning::answer::StudyEnd;
use loadline_analysis::tuning::surface::KernelShape;
use loadline_units::random::Random;

pub use rules::{StudyGoal, StudyRules};
pub use space::{KnobSpace, StudySpace};
pub use trial::{PlannedTrial, TrialPurpose, TrialResult};

use race::Race;
use tried::TriedSettings;

/// Fresh trials after which a goal is looked at: on while the budget lasts, each time about as many as all before told little.
const GOAL_LOOKS: [usize; 6] = [3, 5, 8, 13, 21, 34];
/// Trials of the start setting before anything else.
const NOISE_TRIALS: usize = 4;
/// Settings in one block beside the best one so far.
const BLOCK_SIZE: usize = 7;
/// How often an invalid trial is repeated.
const INVALID_REPEATS_MAX: u32 = 2;
/// Invalid trials in a row after which a study ends.
const MOST_INVALID: u32 = 6;
/// Settings that failed to be confirmed.
const MOST_REJECTED: usize = 2;
/// Values are taken in steps of this: one that a journal was given may be read again as another in its last bit, and what a fit
/// makes of weights hangs on less.
const VALUE_STEP: f64 = 1e-9;
/// Blocks from here on are a journal's own.
const ADOPTED_BLOCKS: usize = 1 << 32;

/// A value in whole steps; an infinite one as it is.
fn stepped(value: f64) -> f64 {
    let steps = value / VALUE_STEP;
    if steps.is_finite() {
        steps.round() * VALUE_STEP
    } else {
        value
    }
}

/// Where a study stands.
#[derive(Debug, Clone, PartialEq)]
enum Stage {
    Noise,
    Race(Race),
    Explore,
    Without { blocks: usize },
    Bound { blocks: usize },
    Confirm { winner: usize, look: usize },
    Over,
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
    /// The setting that was confirmed, or is to be.
    chosen: Option<usize>,
    is_load_too_small: bool,
    has_adopted: bool,
    /// What the surface through the trials was like when it was last drawn.
    shape: Option<KernelShape>,
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
            chosen: None,
            is_load_too_small: false,
            has_adopted: false,
            shape: None,
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
        if let Some(trial) = self.running.take() {
            self.take(trial, result, seconds);
        }
    }

    /// Takes a trial that a journal has, and that would not be run now: a study that another version began planned
    /// otherwise. It was run, and counts.
    pub fn adopt(&mut self, trial: &PlannedTrial, result: TrialResult, seconds: f64) {
        if let Some(planned) = self.running.take() {
            self.queue.push_front(planned);
            self.trials -= 1;
        }
        self.has_adopted = true;
        self.trials += 1;
        let setting = self.tried.id(&trial.setting);
        let place = self.queue.iter().position(|one| one.setting == setting);
        if let Some(place) = place {
            self.queue.remove(place);
        }
        let adopted = Waiting {
            setting,
            // A block of its own: those that are planned here were run at other times.
            block: ADOPTED_BLOCKS + trial.block,
            purpose: trial.purpose,
            repeats: INVALID_REPEATS_MAX,
        };
        self.take(adopted, result, seconds);
    }

    fn take(&mut self, trial: Waiting, result: TrialResult, seconds: f64) {
        self.seconds += seconds;
        self.invalid_in_a_row = match result {
            TrialResult::Invalid => self.invalid_in_a_row + 1,
            _ => 0,
        };
        match result {
            TrialResult::Measured { score, margin } => {
                let is_fresh = trial.purpose == TrialPurpose::Confirm;
                let (score, margin) = (stepped(score), stepped(margin));
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
            TrialResult::OtherAnswers => self.tried.answered_otherwise(trial.setting),
            TrialResult::LoadTooSmall => {
                self.is_load_too_small = true;
                self.finish(StudyEnd::Done);
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

    /// Ends a study that its journal says is over, though more would be tried now.
    pub fn conclude(&mut self) {
        if self.end.is_none() {
            let is_by_another = self.has_adopted;
            self.finish(if is_by_another {
                StudyEnd::Done
            } else {
                StudyEnd::Interrupted
            });
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
            Stage::Explore => self.explore(),
            Stage::Without { blocks } => self.after_without(blocks),
            Stage::Bound { blocks } => self.after_bound(blocks),
            Stage::Confirm { winner, look } => self.after_confirm(winner, look),
            Stage::Over => {}
        }
    }
}
