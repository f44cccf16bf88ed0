//! What a study is asked for.

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StudyGoal {
    /// The highest score whose conditions are kept.
    Best,
    /// The cheapest setting that keeps all conditions.
    Meet,
}

/// How a study is done.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyRules {
    /// What is wanted.
    pub goal: StudyGoal,
    /// How often the answer may be wrong: 0.05.
    pub alpha: f64,
    /// Settings that differ by less are as good, and the cheaper is chosen: 0.03.
    pub within: f64,
    /// A difference that would be worth telling: 0.05.
    pub worth: f64,
    /// The most trials.
    pub most_trials: usize,
    /// The longest time of all trials, seconds.
    pub most_seconds: f64,
    /// What its randomness comes from.
    pub seed: u64,
    /// Where the start setting keeps all conditions nothing else is tried; else cheaper ones are looked for.
    pub stops_when_met: bool,
    /// Settings to try first.
    pub guesses: Vec<Vec<usize>>,
}

impl StudyRules {
    /// The usual care for a goal.
    #[must_use]
    pub const fn new(goal: StudyGoal, seed: u64) -> Self {
        Self {
            goal,
            alpha: 0.05,
            within: 0.03,
            worth: 0.05,
            most_trials: 120,
            most_seconds: f64::INFINITY,
            seed,
            stops_when_met: false,
            guesses: Vec::new(),
        }
    }
}
