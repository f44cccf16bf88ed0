//! Searches that have nothing to judge, and would hold at any load.

use loadline_analysis::capacity::SearchEnd;
use loadline_analysis::slo::{Sample, Statistic};

use super::Search;

/// Requests among which one that a term asks for must be.
const ENOUGH_REQUESTS: f64 = 100.0;
/// Iterations among which one that sends a request must be.
const ENOUGH_ITERATIONS: f64 = 10.0;

impl Search {
    /// What ends a search that would hold at any load, once it was seen often enough.
    pub(super) fn nothing_to_judge(&self) -> Option<SearchEnd> {
        self.nothing_judged_of(ENOUGH_REQUESTS, ENOUGH_ITERATIONS)
    }

    pub(super) fn nothing_judged_of(&self, requests: f64, iterations: f64) -> Option<SearchEnd> {
        self.without_sample(requests)
            .or_else(|| self.without_requests(iterations))
    }

    /// Iterations that end and send nothing any term is asked of.
    fn without_requests(&self, enough: f64) -> Option<SearchEnd> {
        let is_silent = self.requests <= 0.0 && self.asked.iter().all(|sample| sample.all == 0);
        (is_silent && self.iterations >= enough).then_some(SearchEnd::NoRequests {
            iterations: self.iterations,
            broken: self.broken,
        })
    }

    /// A term that none of the requests is asked of, or that asks for checks where there are
    /// none, once there were enough requests: it would hold at any load.
    fn without_sample(&self, enough: f64) -> Option<SearchEnd> {
        if self.requests < enough {
            return None;
        }
        let mut asked = self.asked.iter().enumerate();
        let (term, sample) = asked.find(|(place, sample)| {
            let term = &self.rules.terms[*place];
            let may_be_none = !term.scope.is_empty() || term.statistic == Statistic::Checks;
            may_be_none && sample.all == 0
        })?;
        Some(SearchEnd::NoSample {
            term,
            known: sample.others.iter().cloned().collect(),
        })
    }
}

/// Counts a window's samples; what tells endpoints apart is kept for as many as can be shown.
pub(super) fn count_samples(kept: &mut Vec<Sample>, window: &[Sample]) {
    const MOST_NAMES: usize = 30;
    if kept.len() < window.len() {
        kept.resize_with(window.len(), Sample::default);
    }
    for (kept, sample) in kept.iter_mut().zip(window) {
        kept.all += sample.all;
        if kept.others.len() < MOST_NAMES {
            kept.others.extend(sample.others.iter().cloned());
        }
    }
}
