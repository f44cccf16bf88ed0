//! What a preflight found, as text, as a document and as a file for programs: the weakest part
//! first, then every part with its headroom.
//!
//! Elsewhere: how parts are judged (`analysis::bed`), who tries them (`session::preflight`).

mod document;
pub mod file;
mod words;

use std::fmt::Write as _;

use loadline_analysis::bed::TestBed;
use loadline_text::{Catalog, testbed};

use crate::grid::{Grid, Side};
use words::Words;

pub use document::document;
pub use words::{mock_file, part_label};

/// What a preflight found.
#[derive(Debug, Clone)]
pub struct PreflightReport {
    /// The test's name.
    pub test: String,
    /// Its parts.
    pub bed: TestBed,
    /// One iteration through the target; none where it was not made.
    pub iteration: Option<IterationFacts>,
    /// What the test's own users can offer; none where an arrival rate is planned.
    pub ceiling: Option<UsersCeiling>,
    /// Bytes that the network carried, per second; none where that cannot be told.
    pub reached_bytes: Option<f64>,
    /// What gives way between generator and target is the network.
    pub is_network_weak: bool,
    /// The target's sources of signals; none where none is named.
    pub sources: Option<AnsweringSources>,
}

/// What one iteration did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IterationFacts {
    /// Requests made.
    pub requests: f64,
    /// Share of them that failed.
    pub failed: f64,
    /// Response time each, ms.
    pub response_ms: f64,
    /// Time without a request under way, ms.
    pub think_ms: f64,
}

/// What users in a loop can offer.
#[derive(Debug, Clone, PartialEq)]
pub struct UsersCeiling {
    /// The law with its numbers.
    pub formula: String,
    /// With the response time that was measured, per second.
    pub now: f64,
    /// If answers took no time.
    pub at_best: f64,
}

/// Which sources answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AnsweringSources {
    /// So many answer.
    pub answering: usize,
    /// Of so many.
    pub all: usize,
    /// What each gives, a line each.
    pub lines: Vec<String>,
}

impl AnsweringSources {
    fn message(&self) -> loadline_text::Message {
        if self.answering == self.all {
            testbed::preflight_sources(self.answering, self.all)
        } else {
            testbed::preflight_sources_fail(self.answering, self.all)
        }
    }
}

/// All of it: the weakest part in the first line, the table, what was seen, what to do.
#[must_use]
pub fn text(report: &PreflightReport, catalog: &Catalog) -> String {
    let words = Words { report, catalog };
    let mut text = format!("{}\n", words.headline());
    if !report.bed.parts.is_empty() {
        let mut grid = Grid::default();
        for column in words.columns() {
            let side = if column.is_number {
                Side::Right
            } else {
                Side::Left
            };
            grid.column(column.head, side);
        }
        for row in words.rows() {
            grid.row(row);
        }
        let _ = write!(text, "\n{}", grid.render());
    }
    let seen = words.seen();
    if !seen.is_empty() {
        let _ = writeln!(text, "\n{}", seen.join("\n"));
    }
    for stand_in in words.stand_ins() {
        let _ = writeln!(text, "\n{}\n  {}", stand_in.title, stand_in.command);
        for line in stand_in.lines {
            let _ = writeln!(text, "{line}");
        }
    }
    let _ = writeln!(text, "\n{}", words.sources());
    if let Some(sources) = &report.sources {
        for line in &sources.lines {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

#[cfg(test)]
mod tests;
