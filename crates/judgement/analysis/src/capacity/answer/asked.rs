//! What a search was asked, and when that is answered.

use crate::capacity::step::Unit;
use crate::estimate::Estimate;
use crate::slo::Term;

/// A line is known once half of the range that it lies in with 95 % is at most so many times the precision asked for.
const KNOWN_PRECISIONS: f64 = 1.6;
/// ... and so much of the line: no range is told that is narrower.
const KNOWN_SHARE_MIN: f64 = 0.013;

/// What a search was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchSpec {
    /// In what load is counted.
    pub unit: Unit,
    /// The objective's terms.
    pub terms: Vec<Term>,
    /// The highest load that was allowed.
    pub highest: f64,
    /// How near the line was to be closed in on, as a share.
    pub precision: f64,
}

impl SearchSpec {
    /// Whether a line that lies in this range is known as nearly as was asked for.
    #[must_use]
    pub fn is_known(&self, range: Estimate) -> bool {
        let reach = (range.high - range.low) / 2.0;
        let share = (KNOWN_PRECISIONS * self.precision).max(KNOWN_SHARE_MIN);
        reach <= share * range.middle
    }
}
