//! The windows of a level that count, each with what every look would otherwise work out of it again.

use std::ops::Deref;

use loadline_analysis::slo::{JudgedTerm, Sample, SeenSample, Term, WindowValue};
use loadline_metrics::Histogram;

use super::Rules;
use crate::window::LoadWindow;

/// The windows of a level that count.
#[derive(Debug, Default)]
pub(super) struct Windows {
    all: Vec<LoadWindow>,
    values: Vec<Values>,
    /// Of all of them: how long requests took that were answered well, and how late planned starts were, ms.
    pub(super) durations: Histogram,
    pub(super) lag: Histogram,
}

/// What a window comes to.
#[derive(Debug)]
struct Values {
    median: Option<f64>,
    /// What it says of each term.
    terms: Vec<WindowValue>,
}

/// Judges a term over windows.
pub(super) type JudgeTerm = fn(&Term, &[SeenSample<'_>], f64) -> JudgedTerm;

impl Windows {
    pub(super) fn new(windows: Vec<LoadWindow>, rules: &Rules) -> Self {
        let mut all = Self::default();
        for window in windows {
            all.push(window, rules);
        }
        all
    }

    pub(super) fn push(&mut self, window: LoadWindow, rules: &Rules) {
        self.durations.merge(&window.durations);
        self.lag.merge(&window.generator.lag);
        let terms = rules.terms.iter().zip(&window.samples);
        self.values.push(Values {
            median: window.durations.percentile(0.5),
            terms: terms
                .map(|(term, sample)| WindowValue::new(term, sample))
                .collect(),
        });
        self.all.push(window);
    }

    /// Leaves the first ones out.
    pub(super) fn leave_first_out(&mut self, count: usize, rules: &Rules) {
        let kept = self.all.split_off(count);
        *self = Self::new(kept, rules);
    }

    pub(super) fn take(&mut self) -> Vec<LoadWindow> {
        std::mem::take(self).all
    }

    /// The medians of those from a place on that have one, ms.
    pub(super) fn medians_from(&self, first: usize) -> Vec<f64> {
        let values = self.values[first..].iter();
        values.filter_map(|values| values.median).collect()
    }

    /// What can be said of each term, by those from a place on.
    pub(super) fn judged_from(
        &self,
        first: usize,
        rules: &Rules,
        alpha: f64,
        judge: JudgeTerm,
    ) -> Vec<JudgedTerm> {
        let terms = rules.terms.iter().enumerate();
        terms
            .map(|(place, term)| judge(term, &self.seen_from(first, place), alpha))
            .collect()
    }

    /// What those from a place on hold for a term.
    pub(super) fn seen_from(&self, first: usize, term: usize) -> Vec<SeenSample<'_>> {
        let windows = self.all[first..].iter().zip(&self.values[first..]);
        let seen = windows.map(|(window, values)| {
            Some(SeenSample {
                sample: window.samples.get(term)?,
                value: *values.terms.get(term)?,
            })
        });
        seen.flatten().collect()
    }

    /// What they hold for a term.
    pub(super) fn samples(&self, term: usize) -> impl Iterator<Item = &Sample> {
        let windows = self.all.iter();
        windows.filter_map(move |window| window.samples.get(term))
    }
}

impl Deref for Windows {
    type Target = [LoadWindow];

    fn deref(&self) -> &[LoadWindow] {
        &self.all
    }
}
