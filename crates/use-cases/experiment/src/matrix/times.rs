//! How long each test of a row takes.

/// The time of a row with everything, seconds: three APIs and a flow in 40 minutes.
const ROW_SECONDS: f64 = 600.0;
/// The most time of a row in short, seconds, ...
const QUICK_ROW_SECONDS: f64 = 180.0;
/// ... and of all of them, as long as each has the least.
const QUICK_SECONDS: f64 = 600.0;
const QUICK_ROW_SECONDS_MIN: f64 = 120.0;
/// The least time of a row, seconds: a search that is shorter finds nothing.
pub const ROW_SECONDS_MIN: f64 = 60.0;

/// Parts of a row's time: its load test, each level of its stress test, its soak, and the least of its search.
const LOAD_SHARE: f64 = 0.1;
const STRESS_SHARE: f64 = 0.05;
const SOAK_SHARE: f64 = 0.1;
const SEARCH_SHARE_MIN: f64 = 0.4;
/// What of the time that is left a search is given: its last level may end later.
const SEARCH_OF_LEFT: f64 = 0.85;
/// The shortest time of a level that is held, seconds.
const HELD_SECONDS_MIN: f64 = 3.0;
/// How long a search makes sure of the line, of its time, and at most, seconds.
const CONFIRM_SHARE: f64 = 0.3;
const CONFIRM_SECONDS_MAX: f64 = 75.0;

/// How long a matrix may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatrixSettings {
    /// What a row may take, seconds.
    pub row_seconds: f64,
    /// Short tests, and none for long.
    pub is_quick: bool,
}

/// How long the tests of a row take, seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellTimes {
    /// The planned rate is held.
    pub load: f64,
    /// Each level of the stress test is held.
    pub stress: f64,
    /// The search, without its soak.
    pub search: f64,
    /// The line is held to be sure of it.
    pub confirm: f64,
    /// The soak; zero for none.
    pub soak: f64,
}

impl MatrixSettings {
    /// Of so many rows, within `budget` seconds for all of them, if that was said.
    #[must_use]
    pub fn new(rows: usize, budget: Option<f64>, is_quick: bool) -> Self {
        let rows = rows.max(1) as f64;
        let usual = if is_quick {
            (QUICK_SECONDS / rows).clamp(QUICK_ROW_SECONDS_MIN, QUICK_ROW_SECONDS)
        } else {
            ROW_SECONDS
        };
        Self {
            row_seconds: budget.map_or(usual, |budget| budget / rows),
            is_quick,
        }
    }

    /// The times of a row whose tests took `spent` seconds so far.
    #[must_use]
    pub fn times(&self, spent: f64) -> CellTimes {
        let row = self.row_seconds;
        let soak = if self.is_quick { 0.0 } else { SOAK_SHARE * row };
        let search = (SEARCH_OF_LEFT * (row - spent - soak)).max(SEARCH_SHARE_MIN * row);
        // Windows are seconds.
        CellTimes {
            load: (LOAD_SHARE * row).max(HELD_SECONDS_MIN).round(),
            stress: (STRESS_SHARE * row).max(HELD_SECONDS_MIN).round(),
            search: search.round(),
            confirm: (CONFIRM_SHARE * search).min(CONFIRM_SECONDS_MAX).round(),
            soak: soak.round(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_apis_and_a_flow_take_forty_minutes_or_ten() {
        let all = |pace: MatrixSettings, rows: f64| pace.row_seconds * rows;
        assert!(all(MatrixSettings::new(4, None, false), 4.0) <= 2_400.0);
        assert!(all(MatrixSettings::new(4, None, true), 4.0) <= 600.0);
        assert!(all(MatrixSettings::new(3, None, true), 3.0) <= 600.0);
        let budgeted = MatrixSettings::new(4, Some(1_200.0), false);
        assert!((budgeted.row_seconds - 300.0).abs() < 1e-9);
    }

    #[test]
    fn the_tests_of_a_row_fit_into_its_time() {
        for pace in [
            MatrixSettings::new(4, None, false),
            MatrixSettings::new(4, None, true),
            MatrixSettings::new(1, None, true),
        ] {
            let held = pace.times(0.0);
            let spent = held.load + 2.0 * held.stress + 30.0;
            let times = pace.times(spent);
            let all = spent + times.search + times.soak;
            assert!(all <= pace.row_seconds, "{pace:?}: {all}");
            assert!(times.search >= 0.4 * pace.row_seconds - 1.0);
            assert!((times.soak > 0.0) != pace.is_quick);
        }
    }
}
