//! A matrix of tests: each API alone and the user's flow, each with smoke, load, stress, break point and soak.
//!
//! What each test came to is kept as figures, and put into words here: the first line says what breaks first,
//! [`text`] is what a terminal shows, [`document`] the page, [`MatrixReport::to_json`] what programs read.
//!
//! Elsewhere: which test comes next (`experiment::matrix`), how they are run and kept (`loadline-cli`,
//! `commands/matrix`).

mod cells;
pub mod document;
mod headline;
mod text;
mod words;

use loadline_text::{Dialect, Exit};
use serde::{Deserialize, Serialize};

pub use cells::{
    CapacityCell, CapacityRange, HeldCell, HeldLevel, KneePoint, MissedTerm, SmokeCell, SoakCell,
};
pub use text::{cell_line, text};

/// The version of the form, in `docs/schemas/matrix.schema.json`.
pub const MATRIX_VERSION: u32 = 1;

/// All tests of all rows, as far as they were made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatrixReport {
    /// Version of the form.
    pub loadline_matrix: u32,
    /// The tag of its runs.
    pub id: String,
    /// What was tested, as it was named.
    pub test: String,
    /// The objective's terms.
    pub objective: Vec<String>,
    /// Short tests.
    pub quick: bool,
    /// No test is left.
    pub complete: bool,
    /// What breaks first comes first.
    pub rows: Vec<MatrixRow>,
}

/// An API alone, or a flow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatrixRow {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: RowKind,
    /// Iterations per second that are planned; `None` where nothing says so.
    pub planned: Option<f64>,
    /// One iteration.
    pub smoke: Option<SmokeCell>,
    /// The planned rate.
    pub load: Option<HeldCell>,
    /// More than it.
    pub stress: Option<HeldCell>,
    /// The break point, and the soak below it.
    pub capacity: Option<CapacityCell>,
}

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// One API, alone.
    Api,
    /// What a user does, or all scenarios together.
    Flow,
}

impl MatrixRow {
    /// A row of which nothing was tested yet.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: RowKind, planned: Option<f64>) -> Self {
        Self {
            name: name.into(),
            kind,
            planned,
            smoke: None,
            load: None,
            stress: None,
            capacity: None,
        }
    }

    /// What it carries, as far as it is known: iterations per second.
    #[must_use]
    pub fn carried(&self) -> Option<f64> {
        self.range().map(|range| range.middle)
    }

    /// What it carries with its range. Where the search is not sure, what its other tests surely held is the least of it;
    /// where the search saw no load that is too much, so is what they were seen to hold.
    fn range(&self) -> Option<CapacityRange> {
        let found = self.capacity.as_ref()?;
        let is_bound = found.line.is_some_and(|line| line.high.is_none());
        let held = if is_bound {
            self.surely_held().max(self.seen_held())
        } else {
            self.surely_held()
        };
        let Some(line) = found.line else {
            return (held > 0.0).then_some(CapacityRange {
                middle: held,
                low: held,
                high: None,
                sure: false,
            });
        };
        if line.sure || held <= line.low {
            return Some(line);
        }
        Some(CapacityRange {
            middle: line.middle.max(held),
            low: held,
            high: line.high.map(|high| high.max(held)),
            sure: false,
        })
    }

    /// No load is carried: the search saw none hold, and no other test held one either.
    fn holds_nowhere(&self) -> bool {
        let is_nothing = self.capacity.as_ref().is_some_and(CapacityCell::is_nothing);
        is_nothing && self.surely_held() <= 0.0
    }

    /// The highest load that the load and stress tests surely held; zero for none.
    fn surely_held(&self) -> f64 {
        let cells = self.load.iter().chain(&self.stress);
        cells.map(HeldCell::surely_held).fold(0.0, f64::max)
    }

    /// The highest load that they were seen to hold, if only for a short look, below any that they missed; zero for none.
    fn seen_held(&self) -> f64 {
        let levels = || {
            let cells = self.load.iter().chain(&self.stress);
            cells.flat_map(|cell| &cell.levels)
        };
        let of = |carried: bool| {
            let some = levels().filter(move |level| level.carried() == Some(carried));
            some.map(|level| level.level.load)
        };
        let missed = of(false).fold(f64::INFINITY, f64::min);
        of(true).filter(|load| *load < missed).fold(0.0, f64::max)
    }

    /// Whether no load was seen to be too much: what it carries is the least of it, and so is its headroom.
    fn is_bound(&self) -> bool {
        self.range().is_some_and(|range| range.high.is_none())
    }

    /// How many times the planned rate it carries; `None` where one of them is not known.
    #[must_use]
    pub fn headroom(&self) -> Option<f64> {
        let planned = self.planned.filter(|planned| *planned > 0.0)?;
        Some(self.carried()? / planned)
    }

    /// The level of the planned rate.
    fn planned_level(&self) -> Option<&HeldLevel> {
        self.load.as_ref()?.levels.first()
    }

    /// What it comes to, as a program's end tells it; nothing where too little was tested.
    fn exit(&self) -> Exit {
        if let Some(smoke) = self.smoke.as_ref().filter(|smoke| !smoke.is_ok()) {
            return if smoke.requests > 0 && smoke.unanswered >= smoke.requests {
                Exit::NoAnswer
            } else {
                Exit::FellShort
            };
        }
        let is_planned_missed = self.planned.is_some()
            && (self.planned_level()).is_some_and(|level| level.carried() == Some(false));
        let found = self
            .capacity
            .as_ref()
            .map_or(Exit::Success, CapacityCell::exit);
        match found {
            Exit::Success | Exit::CannotJudge | Exit::GeneratorLimited if is_planned_missed => {
                Exit::ThresholdsFailed
            }
            Exit::Success if self.headroom().is_some_and(|times| times < 1.0) => {
                if self.is_bound() {
                    Exit::CannotJudge
                } else {
                    Exit::ThresholdsFailed
                }
            }
            // The search saw none hold what another test held: what is carried is not known.
            Exit::ThresholdsFailed if !is_planned_missed && self.range().is_some() => {
                Exit::CannotJudge
            }
            found => found,
        }
    }

    /// The target stopped answering during its tests: what rows behind it say is of no target.
    fn went_down(&self) -> bool {
        let is_started = self.smoke.as_ref().is_some_and(SmokeCell::is_ok);
        is_started
            && self
                .capacity
                .as_ref()
                .is_some_and(CapacityCell::is_unanswered)
    }

    /// What stands first: the smallest headroom, then the smallest capacity, then what is not known; what is broken
    /// stands before all.
    fn rank(&self) -> (u8, f64) {
        if self.went_down() {
            return (0, -1.0);
        }
        if self.smoke.as_ref().is_some_and(|smoke| !smoke.is_ok()) {
            return (0, 0.0);
        }
        if self.holds_nowhere() {
            return (1, 0.0);
        }
        match (self.headroom(), self.carried()) {
            (Some(headroom), _) => (2, headroom),
            (None, Some(carried)) => (3, carried),
            (None, None) => (4, 0.0),
        }
    }
}

impl MatrixReport {
    /// The same with what breaks first in front.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        let compared = |row: &MatrixRow| row.rank();
        self.rows.sort_by(|a, b| {
            let (a, b) = (compared(a), compared(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        self
    }

    /// How the program ends: with what is worst of all rows.
    #[must_use]
    pub fn exit(&self) -> Exit {
        /// The worst first.
        const ORDER: [Exit; 7] = [
            Exit::NotRecovered,
            Exit::ThresholdsFailed,
            Exit::FellShort,
            Exit::NoAnswer,
            Exit::GeneratorLimited,
            Exit::CannotJudge,
            Exit::InvalidConfig,
        ];
        if !self.complete {
            return Exit::Interrupted;
        }
        let all: Vec<Exit> = self.rows.iter().map(MatrixRow::exit).collect();
        if all.iter().all(|exit| *exit == Exit::NoAnswer) && !all.is_empty() {
            return Exit::NoAnswer;
        }
        let worst = ORDER.into_iter().find(|exit| all.contains(exit));
        worst.unwrap_or(Exit::Success)
    }

    /// The process's code for [`Self::exit`].
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.exit().code(Dialect::Loadline)
    }

    /// For programs.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut value = serde_json::json!(self);
        value["exit_code"] = self.exit_code().into();
        for (row, written) in self.rows.iter().zip(
            value["rows"]
                .as_array_mut()
                .into_iter()
                .flat_map(|rows| rows.iter_mut()),
        ) {
            written["carries"] = serde_json::json!(row.range());
            written["headroom"] = serde_json::json!(row.headroom());
        }
        format!("{value:#}\n")
    }
}

#[cfg(test)]
mod tests;
