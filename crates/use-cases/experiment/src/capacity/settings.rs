//! What a search is asked, and what its time buys.

use loadline_analysis::capacity::{SearchSpec, Unit};
use loadline_analysis::slo::Term;

use crate::runner::RunnerRequirements;

/// The load a search begins with: iterations per second, or users.
pub const FIRST_LOAD: f64 = 1.0;
/// How near the line is closed in on, unless time is short.
pub const DEFAULT_PRECISION: f64 = 0.025;

/// The most of a budget that goes into one confirmation.
const CONFIRM_SHARE_MAX: f64 = 0.4;
/// The shortest confirmation, seconds: where the budget is short, the climb comes before more.
const CONFIRM_SECONDS_MIN: f64 = 10.0;

/// Windows a level takes beside those that count: it drains, begins, settles.
const WINDOWS_AROUND_LEVEL: f64 = 2.0;
/// What the baseline takes, seconds.
const BASELINE_SECONDS: f64 = 12.0;
/// What a level of the climb takes, seconds.
const CLIMB_SECONDS: f64 = 3.0 + WINDOWS_AROUND_LEVEL;
/// What a level takes more, in iterations: those that settle before it counts, and the rest of the last ones after it.
const ITERATIONS_AROUND_LEVEL: f64 = 1.4;
/// How much longer than it is held a confirmation may take.
const CONFIRM_OVERHEAD_FACTOR: f64 = 1.2;
/// What the target may take to come to rest, seconds.
const DRAIN_SECONDS: f64 = 8.0;
/// Where it is looked first beside a former line, as shares of it.
pub(super) const NEAR_SHARES: [f64; 2] = [0.94, 1.06];
/// What a held load may take beside its time until the target recovered, seconds.
const AROUND_HELD_SECONDS: f64 = 90.0;
/// What is left beside the climb of the budget of loads that are held, seconds.
const HELD_BUDGET_SECONDS: f64 = 150.0;
/// The time that must be left for one more level on the way to the line, seconds.
const ONE_MORE: f64 = 15.0;

/// What a search is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchSettings {
    /// In what load is counted.
    pub unit: Unit,
    /// The objective's terms.
    pub terms: Vec<Term>,
    /// The first load of the climb, in the unit of the search, at least twice the baseline's;
    /// `None` for twice the baseline's.
    pub start_at: Option<f64>,
    /// Where a former search found the line, or got to: it is looked for there first.
    pub near: Option<f64>,
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
    /// Loads that are held and judged like the line, in place of a search for it.
    pub held: Option<HeldLoads>,
}

/// Loads that are held one after another, with the target left alone between them until it recovered.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldLoads {
    /// In order; after the first that is too much none is held.
    pub loads: Vec<f64>,
    /// How long each is held, seconds; twice as long where that may tell.
    pub seconds: f64,
    /// How the target answers without load, where that is known.
    pub idle: Option<IdleTimes>,
}

/// How a target answers without load.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct IdleTimes {
    /// Mean of an iteration, ms.
    pub iteration_ms: f64,
    /// Median of a request, ms.
    pub request_ms: f64,
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
            start_at: None,
            near: None,
            highest: 10_000.0,
            most_users: 10_000,
            budget: 600.0,
            precision: DEFAULT_PRECISION,
            confirm: 75.0,
            soak: 120.0,
            scenario: None,
            own_ceiling: None,
            stop_at: None,
            held: None,
        }
    }

    /// The same that holds these loads in place of a search.
    #[must_use]
    pub fn holding(self, held: HeldLoads) -> Self {
        let most = held.loads.len() as f64 * (2.0 * held.seconds + AROUND_HELD_SECONDS);
        Self {
            // So long that none of its own ends is the end of time.
            budget: BASELINE_SECONDS * 4.0 + most / CONFIRM_SHARE_MAX + HELD_BUDGET_SECONDS,
            confirm: held.seconds,
            soak: 0.0,
            highest: held.loads.iter().copied().fold(self.highest, f64::max),
            held: Some(held),
            ..self
        }
    }

    /// How the target answers without load, where that was known before.
    pub(super) fn idle(&self) -> Option<IdleTimes> {
        self.held.as_ref().and_then(|held| held.idle)
    }

    /// Whether no level is needed to see how the target answers without load.
    pub(super) fn knows_idle(&self) -> bool {
        self.idle().is_some()
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

    /// The load whose double is the first of the climb.
    #[must_use]
    pub(super) fn climbs_from(&self) -> f64 {
        if let Some(near) = self.near {
            return (near * NEAR_SHARES[0] / 2.0).max(FIRST_LOAD);
        }
        let start = self.start_at.unwrap_or(FIRST_LOAD);
        (start / 2.0).max(FIRST_LOAD)
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
        let farthest = self.near.map_or(self.highest, |near| near * NEAR_SHARES[1]);
        // Beyond a goal at which it ends nothing is climbed.
        let farthest = self
            .stop_at
            .map_or(farthest, |goal| farthest.min(goal.load(1.0)));
        let after_climb = self.budget - self.climb(farthest) - ONE_MORE;
        let most = (CONFIRM_SHARE_MAX * self.budget)
            .min((after_climb / CONFIRM_OVERHEAD_FACTOR).max(CONFIRM_SECONDS_MIN));
        self.confirm.min(most)
    }

    /// The time that is kept for the confirmation, seconds.
    fn reserve(&self) -> f64 {
        self.confirm_bought() * CONFIRM_OVERHEAD_FACTOR + DRAIN_SECONDS
    }

    /// Whether so little time is left, seconds, that no more level is tried before the
    /// confirmation.
    pub(super) fn is_late(&self, left: f64) -> bool {
        left < self.reserve() + ONE_MORE
    }

    /// The highest load that the budget allows to try, of iterations that take so many seconds.
    #[must_use]
    pub fn reach(&self, iteration: f64) -> f64 {
        let around = ITERATIONS_AROUND_LEVEL * iteration;
        let before = self.budget - BASELINE_SECONDS - iteration - self.reserve() - ONE_MORE;
        let levels = (before / (CLIMB_SECONDS + around)).floor() + 1.0;
        (self.climbs_from() * levels.max(0.0).exp2()).min(self.highest)
    }

    /// A budget that allows to try a load of such iterations, seconds: whole half minutes.
    #[must_use]
    pub fn budget_for(&self, load: f64, iteration: f64) -> f64 {
        let needed = |budget: f64| Self {
            budget,
            ..self.clone()
        };
        let mut budgets = (1..).map(|halves| f64::from(halves) * 30.0);
        let reaches = |budget: &f64| needed(*budget).reach(iteration) >= load.min(self.highest);
        budgets.find(reaches).unwrap_or(self.budget)
    }

    /// What it takes to get to a load by doubling, seconds.
    fn climb(&self, load: f64) -> f64 {
        let doublings = (load / self.climbs_from()).log2().clamp(1.0, 40.0).ceil();
        BASELINE_SECONDS + doublings * CLIMB_SECONDS + DRAIN_SECONDS
    }

    /// How near the line the budget allows to come at a load of this size, as a share.
    #[must_use]
    pub fn precision_bought(&self, line: f64) -> f64 {
        let left = self.budget - self.climb(line) - self.confirm_bought();
        let halvings = (left / (12.0 + 2.0 * WINDOWS_AROUND_LEVEL))
            .floor()
            .max(0.0);
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
        assert!((bought(600.0) - DEFAULT_PRECISION).abs() < 1e-12);
        assert!(bought(10.0) <= 1.0);
    }

    #[test]
    fn a_short_budget_is_for_the_climb_first_and_says_how_far_it_reaches() {
        let with = |budget| SearchSettings {
            budget,
            ..SearchSettings::new(Vec::new())
        };
        let is = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let minute = with(60.0);
        assert!(is(minute.confirm_bought(), 10.0) && is(minute.reach(0.0), 8.0));
        assert!(with(minute.budget_for(100.0, 0.0)).reach(0.0) >= 100.0);
        assert!(with(minute.budget_for(100.0, 0.0) - 30.0).reach(0.0) < 100.0);
        let usual = with(600.0);
        assert!(is(usual.confirm_bought(), 75.0) && is(usual.reach(0.0), 10_000.0));
    }

    /// Seen: "--budget 1m30s tries 200 VUs too", and 32 of them with it, as an iteration took 2.5 s: levels began
    /// 13, 21, 29, 38 and 47 s into the search, and the confirmation at 56 s.
    #[test]
    fn what_an_iteration_takes_is_in_how_far_a_budget_reaches() {
        let with = |budget| SearchSettings {
            budget,
            unit: Unit::Users,
            ..SearchSettings::new(Vec::new())
        };
        let is = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(is(with(90.0).reach(2.5), 32.0));
        let needed = with(90.0).budget_for(200.0, 2.5);
        assert!(needed > 90.0 && with(needed).reach(2.5) >= 200.0);
    }
}
