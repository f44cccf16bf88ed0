//! Trials that a study asks for, and what they came to.

/// Why a trial is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialPurpose {
    /// To learn how much trials of one setting differ.
    Noise,
    /// To find better settings.
    Race,
    /// To see which changes are needed.
    Without,
    /// To say by how much the winner is better.
    Confirm,
}

/// A trial to run.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedTrial {
    /// Its number in the study, from 1; a repetition has its own.
    pub number: usize,
    /// The level of each knob.
    pub setting: Vec<usize>,
    /// The block it belongs to.
    pub block: usize,
    /// Why it is run.
    pub purpose: TrialPurpose,
}

/// What a trial came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TrialResult {
    /// It was measured.
    Measured {
        /// The logarithm of what is to be as high as possible; for a goal to meet, the margin.
        score: f64,
        /// How far every condition is kept, as the logarithm of the ratio to its limit; the
        /// smallest of them, and infinite without conditions.
        margin: f64,
    },
    /// It says nothing about the setting: the generator was too slow, somebody interfered.
    Invalid,
    /// The target did not start, hung or died under it.
    Failed,
    /// The target answers otherwise than under the start setting: how fast is no merit of the setting.
    OtherAnswers,
    /// The target carried all that it was sent, and the goal asks for more: no setting can show that it does.
    LoadTooSmall,
}
