//! What a study of settings comes to.
//!
//! Elsewhere: how a study gets there (`experiment`), how it reads (`report`).

use crate::compare::Change;

/// Why a study ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StudyEnd {
    /// It found what it could.
    Done,
    /// The time or the trials were used up.
    BudgetSpent,
    /// A person ended it.
    Interrupted,
    /// The start setting does not work.
    StartFails,
    /// Trial after trial was invalid.
    Invalid,
}

/// What can be said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StudyOutcome {
    /// A setting is better than the start setting.
    Better {
        /// By how much, from fresh pairs of trials.
        change: Change,
        /// The pairs.
        pairs: usize,
    },
    /// A setting keeps all conditions, in fresh trials and with confidence.
    GoalMet {
        /// The fresh trials.
        trials: usize,
    },
    /// No setting that was tried keeps the conditions.
    GoalMissed,
    /// No setting that was tried is better by more than this share.
    NoDifference {
        /// The largest gain that fits.
        share: f64,
    },
    /// No other setting that was tried works, with the same answers.
    NoneWorks,
    /// It cannot be told.
    CannotTell {
        /// Trials that would do, about; `None` where no number of them would.
        trials: Option<usize>,
        /// What fresh pairs say so far.
        change: Option<Change>,
    },
    /// The target does not work with the settings it has.
    StartFails,
    /// The target carried all that the test sends, and the goal asks for more: no setting can show that it does.
    LoadTooSmall,
}

impl StudyOutcome {
    /// Whether there is a setting to have, be it the one of before the study.
    #[must_use]
    pub const fn names_a_setting(&self) -> bool {
        match self {
            Self::Better { .. }
            | Self::GoalMet { .. }
            | Self::NoDifference { .. }
            | Self::NoneWorks => true,
            Self::GoalMissed | Self::CannotTell { .. } | Self::StartFails | Self::LoadTooSmall => {
                false
            }
        }
    }
}

/// What a study comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyAnswer {
    /// What can be said.
    pub outcome: StudyOutcome,
    /// The setting to take: the start setting where none is better; the one nearest to a goal
    /// that was missed.
    pub winner: Vec<usize>,
    /// Why it ended.
    pub end: StudyEnd,
    /// By how much trials of one setting differ, over all blocks: a standard deviation as a share.
    pub noise: Option<f64>,
    /// The smallest difference that the first look of a confirmation would show.
    pub detectable: Option<f64>,
    /// Trials that differ from others of their setting by far more than these do.
    pub disturbed: usize,
    /// What each knob does.
    pub effects: Vec<KnobEffect>,
    /// What two changes do together.
    pub interaction: Option<KnobInteraction>,
    /// How each tried setting differs from the start setting, by the trials that chose, and the confirmed one by its fresh
    /// pairs; the intervals hold together.
    pub differences: Vec<(Vec<usize>, Change)>,
    /// Settings given up because the target failed under them.
    pub failed: Vec<Vec<usize>>,
    /// Settings given up because the target answers otherwise under them.
    pub other_answers: Vec<Vec<usize>>,
    /// Of a goal that is met: neighbours of the winner that cost less and were not tried.
    pub cheaper_untried: Vec<Vec<usize>>,
    /// Where nothing is better: what costs less than the start setting and is as good.
    pub cheaper_as_good: Option<EqualSetting>,
}

/// A setting that fresh pairs of trials hold as good as the start setting.
#[derive(Debug, Clone, PartialEq)]
pub struct EqualSetting {
    /// The level of each knob.
    pub setting: Vec<usize>,
    /// What it changes; the whole interval is within what is worth a change.
    pub change: Change,
    /// The pairs.
    pub pairs: usize,
}

/// What can be said of a knob.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EffectFinding {
    /// It changes what is measured.
    Matters,
    /// If it does, then by this share at most.
    NoLargerThan {
        /// The largest change that fits.
        share: f64,
    },
    /// The trials differ too much to say.
    CannotTell,
    /// All settings with another level failed, answered otherwise or were forbidden.
    NotTried,
}

/// The effect of one knob: two settings that differ in it alone.
#[derive(Debug, Clone, PartialEq)]
pub struct KnobEffect {
    /// The knob's place.
    pub knob: usize,
    /// What the other knobs have in these settings.
    pub others: OtherKnobs,
    /// The level it is compared with, and the level it was changed to.
    pub levels: (usize, usize),
    /// What that changed.
    pub change: Change,
    /// What it says.
    pub finding: EffectFinding,
    /// What the winner's change of this knob does with the winner's other values;
    /// `None` where it makes none, or where it was not put back alone.
    pub taken: Option<Change>,
    /// A clear change with the start values that does not hold with the winner's: what the
    /// knob does depends on the others.
    pub at_start: Option<KnobChange>,
}

/// What the other knobs have while one is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherKnobs {
    /// The values of the winner.
    Winner,
    /// The values before the study.
    Start,
}

/// A change of one knob.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnobChange {
    /// From this level to that.
    pub levels: (usize, usize),
    /// What it changed.
    pub change: Change,
}

/// What two changes do together beyond each alone.
#[derive(Debug, Clone, PartialEq)]
pub struct KnobInteraction {
    /// The knobs.
    pub knobs: [usize; 2],
    /// The change beyond the sum of both.
    pub change: Change,
}
