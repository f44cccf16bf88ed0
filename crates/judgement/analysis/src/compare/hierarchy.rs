//! One look at all requests, then looks at the endpoints.
//!
//! Half of what may go wrong belongs to all requests together, whose intervals hold together
//! (Bonferroni, with weights). The other half is the false discovery rate of what is called of endpoints
//! (Benjamini & Hochberg 1995; times of one endpoint rise together, for which it holds too):
//! where nothing differs, that is the probability that anything is called. Measures that cannot
//! be called anything take no part: what was planned, shares that are zero on both sides.
//!
//! A few runs a side tell little of how much one endpoint varies from run to run; the others vary
//! alike. Each one's variance is drawn towards the middle of all (Smyth 2004), never below its
//! own.

use super::judge::{Judge, is_planned};
use super::prior::Prior;
use super::weights::{self, ZERO_SHARE};
use super::{ComparedRun, ComparisonSettings, Endpoint, Finding, Measure, values};

/// With fewer endpoints there is no middle.
const ENDPOINTS_MIN: usize = 3;

/// An endpoint on both sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) name: &'a str,
    pub(super) before: &'a [ComparedRun],
    pub(super) after: &'a [ComparedRun],
}

/// What is said of endpoints, and how many looks that took.
pub(super) struct Endpoints {
    pub(super) all: Vec<Endpoint>,
    pub(super) looks: usize,
}

/// How much the intervals of all requests may miss, of what the one of their mean may, and how many they are: each that is shown.
pub(super) struct WholeLooks {
    pub(super) count: usize,
    pub(super) weight: f64,
}

impl WholeLooks {
    pub(super) fn new(pair: Pair<'_>) -> Self {
        let weights = measured(pair).map(|one| match one.of {
            _ if one.is_zero() => ZERO_SHARE,
            of => weights::in_whole(of),
        });
        let weights: Vec<f64> = weights.collect();
        Self {
            count: weights.len().max(1),
            weight: weights.iter().sum::<f64>().max(1.0),
        }
    }
}

/// Judges endpoints so that at most `alpha` of what is called of them is by chance.
pub(super) fn endpoints(
    pairs: &[Pair<'_>],
    alpha: f64,
    settings: &ComparisonSettings,
) -> Endpoints {
    let looks: usize = pairs.iter().map(|pair| looks(*pair)).sum();
    let priors = priors(pairs);
    let judged = |share: usize| -> Vec<Endpoint> {
        let judge = Judge {
            settings,
            tail: alpha * share as f64 / looks.max(1) as f64 / 2.0,
            is_whole: false,
            priors: priors.clone(),
        };
        let endpoints = pairs.iter();
        endpoints
            .map(|pair| judge.endpoint(pair.name, pair.before, pair.after))
            .collect()
    };
    // The step-up procedure, from above: the most that are called at their own share of looks.
    let mut share = looks.max(1);
    loop {
        let all = judged(share);
        let called = called(&all);
        if called >= share || share == 1 {
            return Endpoints { all, looks };
        }
        share = called.max(1);
    }
}

fn called(all: &[Endpoint]) -> usize {
    let differences = all.iter().flat_map(|endpoint| &endpoint.differences);
    let called = differences.filter(|one| matches!(one.finding, Finding::Better | Finding::Worse));
    called.count()
}

/// How many measures something may be called of: not shares that are zero on both sides.
fn looks(pair: Pair<'_>) -> usize {
    measured(pair).filter(|one| !one.is_zero()).count()
}

/// A measure that both sides have, in its own unit.
struct Measured {
    of: Measure,
    before: f64,
    after: f64,
}

impl Measured {
    /// Whether it is a share that is zero on both sides.
    fn is_zero(&self) -> bool {
        self.of.is_share() && self.before <= 0.0 && self.after <= 0.0
    }
}

/// What both sides have a value of, what was planned left out.
fn measured(pair: Pair<'_>) -> impl Iterator<Item = Measured> {
    let is_sent = is_planned(pair.before, pair.after);
    let results = Measure::ALL.into_iter();
    let results = results.filter(move |of| *of != Measure::Rate || !is_sent);
    results.filter_map(move |of| {
        let value = |runs| values::whole(of, runs).map(|value| value.at_least);
        Some(Measured {
            of,
            before: value(pair.before)?,
            after: value(pair.after)?,
        })
    })
}

fn priors(pairs: &[Pair<'_>]) -> Vec<Prior> {
    let of = |measure: Measure| {
        let variances = pairs.iter().filter_map(|pair| {
            let a = values::of_runs(measure, pair.before)?;
            let b = values::of_runs(measure, pair.after)?;
            let squares = |side: values::Spread| side.variance_of_mean * side.count * side.freedom;
            Some((squares(a) + squares(b)) / (a.freedom + b.freedom))
        });
        let mut variances: Vec<f64> = variances.collect();
        variances.sort_by(f64::total_cmp);
        (variances.len() >= ENDPOINTS_MIN).then(|| Prior {
            measure,
            variance_of_run: variances[variances.len() / 2],
        })
    };
    let times = [Measure::Mean, Measure::P50, Measure::P95];
    times.into_iter().filter_map(of).collect()
}
