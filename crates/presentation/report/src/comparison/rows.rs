//! The rows of an endpoint, for terminals and pages alike.

use loadline_analysis::compare::{Difference, Endpoint};
use loadline_text::{records, report};

use super::{Page, bounded, failed_times, is_shown, measure};

/// A measure of both sides, and what can be said of it.
pub(super) struct ComparedRow {
    pub(super) label: String,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) finding: String,
}

impl ComparedRow {
    /// The values that the finding is about: of stages, where these were compared.
    pub(super) fn new(of: &Difference, page: &Page<'_>) -> Self {
        let label = page.text(&measure(of.measure));
        let (label, values) = match of.of_stages {
            Some([before, after]) => (
                page.text(&records::compare_of_stages(label)),
                [Some(before), Some(after)],
            ),
            None => (label, [of.before, of.after]),
        };
        Self::with_values(label, of, values, page.finding(of))
    }

    fn with_values(
        label: String,
        of: &Difference,
        values: [Option<f64>; 2],
        finding: String,
    ) -> Self {
        let written = |value: Option<f64>, at_least: bool| match value {
            Some(value) => bounded(Page::value(of.measure, value), at_least),
            None => "–".to_owned(),
        };
        Self {
            label,
            before: written(values[0], of.at_least.0),
            after: written(values[1], of.at_least.1),
            finding,
        }
    }

    /// All rows of an endpoint. Where stages were compared, the values of all requests follow, of
    /// which nothing is said: more requests of one load than of another move them.
    pub(super) fn all(of: &Endpoint, page: &Page<'_>) -> Vec<Self> {
        let shown = || of.differences.iter().filter(|one| is_shown(one));
        let mut rows: Vec<Self> = shown().map(|one| Self::new(one, page)).collect();
        let of_stages = shown().filter(|one| one.of_stages.is_some());
        rows.extend(of_stages.map(|one| {
            let label = page.text(&measure(one.measure));
            let label = page.text(&records::compare_of_all_requests(label));
            Self::with_values(label, one, [one.before, one.after], String::new())
        }));
        rows.extend(failed_times(of).map(|[before, after]| Self {
            label: page.text(&report::column_p95_failed()),
            before,
            after,
            finding: String::new(),
        }));
        rows
    }
}
