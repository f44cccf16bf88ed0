//! Which test of which API or flow comes next: smoke, load, stress, and the search for the break point with its
//! soak.
//!
//! A row is an API alone, or a flow. What is known of rows says what comes next, so a matrix that was interrupted
//! goes on where it stood. Each load is a share of the row's planned rate, else of the capacity that was found.

mod times;

pub use times::{CellTimes, MatrixSettings, ROW_SECONDS_MIN};

/// Which test of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// One iteration.
    Smoke,
    /// The planned rate, held.
    Load,
    /// More than the planned rate.
    Stress,
    /// The search for what is carried, and the soak below it.
    Capacity,
}

/// What of the capacity is taken for the planned rate where none is known.
pub const PLANNED_SHARE: f64 = 0.8;
/// What a stress test holds, as multiples of the planned rate.
pub const STRESS_TIMES: [f64; 2] = [1.5, 2.0];
/// Where the search begins, of the planned rate, where the target did not carry it.
const MISSED_SHARE: f64 = 0.25;
/// The least load that a search may begin its climb with.
const FIRST_LOAD_MIN: f64 = 2.0;

/// What is known of a row so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct KnownRow {
    /// Iterations per second that are planned.
    pub planned: Option<f64>,
    /// Whether its one iteration was OK.
    pub smoke: Option<bool>,
    /// Whether it carried its planned rate.
    pub load: Option<bool>,
    /// Whether its stress test was made.
    pub is_stressed: bool,
    /// What its search found; zero where nothing is carried.
    pub capacity: Option<f64>,
    /// What its tests took so far, seconds.
    pub spent: f64,
}

/// A test to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedCell {
    /// The row's place.
    pub row: usize,
    /// Which test.
    pub kind: CellKind,
    /// What is held, in order; of a search, the load that it begins its climb with, if one is known.
    pub loads: Vec<f64>,
}

impl KnownRow {
    /// The rate that loads are multiples of: the planned one, else a share of what was found.
    #[must_use]
    pub fn base(&self) -> Option<f64> {
        let found = self.capacity.filter(|capacity| *capacity > 0.0);
        self.planned
            .or_else(|| found.map(|capacity| capacity * PLANNED_SHARE))
    }

    /// The next test of the row; `None` when nothing more is to be learnt.
    #[must_use]
    pub fn next(&self) -> Option<(CellKind, Vec<f64>)> {
        match self.smoke {
            None => return Some((CellKind::Smoke, Vec::new())),
            Some(false) => return None,
            Some(true) => {}
        }
        if self.planned.is_none() && self.capacity.is_none() {
            return Some((CellKind::Capacity, Vec::new()));
        }
        let base = self.base()?;
        if self.load.is_none() {
            return Some((CellKind::Load, vec![base]));
        }
        // More than what is not carried is not carried either.
        if self.load == Some(true) && !self.is_stressed {
            let loads = STRESS_TIMES.map(|times| times * base);
            return Some((CellKind::Stress, loads.to_vec()));
        }
        self.capacity
            .is_none()
            .then(|| (CellKind::Capacity, vec![self.begins_at(base)]))
    }

    /// At what was seen to be carried for long: the short levels of a stress test may have been luck.
    fn begins_at(&self, base: f64) -> f64 {
        let carried = match self.load {
            Some(true) => base,
            _ => base * MISSED_SHARE,
        };
        carried.max(FIRST_LOAD_MIN)
    }
}

/// The next test: rows are tested one after the other, each as a whole.
#[must_use]
pub fn next_cell(rows: &[KnownRow]) -> Option<PlannedCell> {
    rows.iter().enumerate().find_map(|(row, known)| {
        let (kind, loads) = known.next()?;
        Some(PlannedCell { row, kind, loads })
    })
}

/// How many tests are left, as far as it is known: a test that fails leaves others out.
#[must_use]
pub fn cells_left(rows: &[KnownRow]) -> usize {
    let left = |mut row: KnownRow| {
        let mut count = 0;
        while let Some((kind, _)) = row.next() {
            count += 1;
            match kind {
                CellKind::Smoke => row.smoke = Some(true),
                CellKind::Load => row.load = Some(true),
                CellKind::Stress => row.is_stressed = true,
                CellKind::Capacity => row.capacity = Some(1.0),
            }
        }
        count
    };
    rows.iter().copied().map(left).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(mut row: KnownRow, load: bool, capacity: f64) -> Vec<CellKind> {
        let mut all = Vec::new();
        while let Some((kind, _)) = row.next() {
            all.push(kind);
            match kind {
                CellKind::Smoke => row.smoke = Some(true),
                CellKind::Load => row.load = Some(load),
                CellKind::Stress => row.is_stressed = true,
                CellKind::Capacity => row.capacity = Some(capacity),
            }
        }
        all
    }

    #[test]
    fn a_planned_row_is_loaded_before_its_limit_is_looked_for() {
        let planned = KnownRow {
            planned: Some(60.0),
            ..KnownRow::default()
        };
        use CellKind::{Capacity, Load, Smoke, Stress};
        assert_eq!(kinds(planned, true, 90.0), [Smoke, Load, Stress, Capacity]);
        // What does not carry its plan is not stressed; its limit is still worth knowing.
        assert_eq!(kinds(planned, false, 40.0), [Smoke, Load, Capacity]);
    }

    #[test]
    fn without_a_plan_loads_are_shares_of_what_was_found() {
        use CellKind::{Capacity, Load, Smoke, Stress};
        let unplanned = KnownRow::default();
        assert_eq!(
            kinds(unplanned, true, 100.0),
            [Smoke, Capacity, Load, Stress]
        );
        assert_eq!(kinds(unplanned, true, 0.0), [Smoke, Capacity]);
        let found = KnownRow {
            smoke: Some(true),
            capacity: Some(100.0),
            ..unplanned
        };
        assert_eq!(found.next(), Some((CellKind::Load, vec![80.0])));
    }

    #[test]
    fn a_row_whose_smoke_fails_stops_and_others_go_on() {
        let failed = KnownRow {
            smoke: Some(false),
            ..KnownRow::default()
        };
        let rows = [failed, KnownRow::default()];
        let next = next_cell(&rows).unwrap();
        assert_eq!((next.row, next.kind), (1, CellKind::Smoke));
        assert_eq!(cells_left(&rows), 4);
        assert_eq!(next_cell(&[failed]), None);
    }

    #[test]
    fn a_search_begins_where_the_target_was_seen_to_carry() {
        let row = KnownRow {
            planned: Some(60.0),
            smoke: Some(true),
            load: Some(true),
            is_stressed: true,
            ..KnownRow::default()
        };
        assert_eq!(row.next(), Some((CellKind::Capacity, vec![60.0])));
        let missed = KnownRow {
            load: Some(false),
            ..row
        };
        assert_eq!(missed.next(), Some((CellKind::Capacity, vec![15.0])));
    }
}
