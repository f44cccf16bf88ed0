//! What a search is asked, and what its time buys.

use loadline_analysis::capacity::{SearchSpec, Unit};
use loadline_analysis::slo::Term;

use crate::runner::RunnerRequirements;

/// The load a search begins with: iterations per second, or users.
pub const FIRST_LOAD: f64 = 1.0;
/// How near the line is closed in on, unless time is short.
pub const PRECISION: f64 = 0.025;

/// The most of a budget that goes into one confirmation.
const CONFIRM: f64 = 0.4;

/// Windows a level takes beside those that count: it drains, begins, settles.
const AROUND: f64 = 2.0;

/// What a search is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchSettings {
    /// In what load is counted.
    pub unit: Unit,
    /// The objective's terms.
    pub terms: Vec<Term>,
    /// The highest load that is allowed.
    pub highest: f64,
    /// Virtual users at most.
    pub most_users: u64,
    /// How long the search may take, seconds; the soak comes on top.
    pub budget: f64,
    /// How near the line is to be closed in on, as a share.
    pub precision: f64,
    /// How long the line is held to be sure of it, seconds.
    pub confirm: f64,
    /// How long 85 % of the line are held in the end, seconds; zero for not at all.
    pub soak: f64,
    /// The only scenario to load.
    pub scenario: Option<String>,
    /// Requests per second the test itself never exceeds, if it says so.
    pub own_ceiling: Option<f64>,
    /// The load at which the search ends once it is confirmed.
    pub stop_at: Option<Goal>,
}

/// The load that is needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// In the unit of the search.
    Load(f64),
    /// Requests per second: so many by iteration are known once some were made.
    Requests(f64),
}

impl Goal {
    /// In the unit of the search, where an iteration makes so many requests.
    #[must_use]
    pub fn load(self, requests_per_iteration: f64) -> f64 {
        match self {
            Self::Load(load) => load,
            Self::Requests(requests) => requests / requests_per_iteration,
        }
    }
}

impl SearchSettings {
    /// A search in rate with what is usual for the rest.
    #[must_use]
    pub fn new(terms: Vec<Term>) -> Self {
        Self {
            unit: Unit::Rate,
            terms,
            highest: 10_000.0,
            most_users: 10_000,
            budget: 600.0,
            precision: PRECISION,
            confirm: 75.0,
            soak: 120.0,
            scenario: None,
            own_ceiling: None,
            stop_at: None,
        }
    }

    /// What it needs of a runner.
    #[must_use]
    pub fn plan(&self) -> RunnerRequirements {
        RunnerRequirements {
            unit: self.unit,
            most_users: self.most_users,
            // The last level and what follows it may end after the budget.
            longest: self.budget + self.soak + 300.0,
            scenario: self.scenario.clone(),
            terms: self.terms.clone(),
        }
    }

    /// What of it its answer is judged by.
    #[must_use]
    pub fn asked(&self) -> SearchSpec {
        SearchSpec {
            unit: self.unit,
            terms: self.terms.clone(),
            highest: self.highest,
            precision: self.precision,
        }
    }

    /// How long a level is held to confirm it, seconds: less than asked for where the budget
    /// is so short that nothing else would be tried; then nothing holds for certain.
    #[must_use]
    pub fn confirm_bought(&self) -> f64 {
        self.confirm.min(CONFIRM * self.budget)
    }

    /// How near the line the budget allows to come at a load of this size, as a share.
    #[must_use]
    pub fn precision_bought(&self, line: f64) -> f64 {
        let doublings = (line / FIRST_LOAD).log2().clamp(1.0, 40.0).ceil();
        let climb = 12.0 + doublings * (3.0 + AROUND) + 8.0;
        let left = self.budget - climb - self.confirm_bought();
        let halvings = (left / (12.0 + 2.0 * AROUND)).floor().max(0.0);
        (2.0_f64.powf(0.5_f64.powf(halvings)) - 1.0).max(self.precision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_time_buys_more_precision_down_to_what_is_asked() {
        let bought = |budget| {
            let settings = SearchSettings {
                budget,
                ..SearchSettings::new(Vec::new())
            };
            settings.precision_bought(200.0)
        };
        assert!(bought(60.0) > bought(150.0));
        assert!(bought(150.0) > bought(600.0));
        assert!((bought(600.0) - PRECISION).abs() < 1e-12);
        assert!(bought(10.0) <= 1.0);
    }
}
