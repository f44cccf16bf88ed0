//! Diminishing returns: a step of a knob gains no more than the step before it.
//!
//! More of what a target lacks helps, then helps less, then costs: over the levels of most knobs what is measured rises, flattens and
//! falls. Where single trials differ by more than settings do, that says more than the trials of any few settings.

use std::collections::BTreeMap;

/// Surfaces whose steps gain this much more than the steps before them, over all settings and of the logarithm, are e times less likely.
const EXCESS_SCALE: f64 = 0.1;
/// A knob of which a step is seen to gain more than the one before, by so many deviations, is not held to it.
const SEEN_DEVIATIONS: f64 = 3.0;

/// Three settings that differ in one knob, by one level each.
#[derive(Debug, Clone, Copy)]
struct LevelTriple {
    below: usize,
    middle: usize,
    above: usize,
}

impl LevelTriple {
    /// By how much the second step gains more than the first.
    fn excess(self, values: &[f64]) -> f64 {
        values[self.above] - 2.0 * values[self.middle] + values[self.below]
    }

    fn weights(self) -> [(usize, f64); 3] {
        [(self.below, 1.0), (self.middle, -2.0), (self.above, 1.0)]
    }
}

/// Which settings are held to diminishing returns.
#[derive(Debug, Clone)]
pub(super) struct DiminishingReturns {
    triples: Vec<LevelTriple>,
}

impl DiminishingReturns {
    /// Of these knobs but those that are seen to do otherwise: `deviations` tells by how many of them a sum of settings'
    /// values, each with its weight, is above zero.
    pub(super) fn new(
        settings: &[Vec<usize>],
        ordered: &[usize],
        deviations: impl Fn(&BTreeMap<usize, f64>) -> f64,
    ) -> Self {
        let of_knobs = ordered.iter().map(|knob| triples(settings, *knob));
        let held = of_knobs.filter(|of_levels| {
            let mut levels = of_levels.values();
            !levels.any(|alike| deviations(&weights_of_excess(alike)) > SEEN_DEVIATIONS)
        });
        Self {
            triples: held.flat_map(BTreeMap::into_values).flatten().collect(),
        }
    }

    /// The logarithm of how likely a surface is by that alone.
    pub(super) fn log_likelihood(&self, values: &[f64]) -> f64 {
        let excesses = self.triples.iter().map(|triple| triple.excess(values));
        -excesses.map(|excess| excess.max(0.0)).sum::<f64>() / EXCESS_SCALE
    }
}

/// The triples of a knob, by their middle level.
fn triples(settings: &[Vec<usize>], knob: usize) -> BTreeMap<usize, Vec<LevelTriple>> {
    let places: BTreeMap<&[usize], usize> = settings
        .iter()
        .enumerate()
        .map(|(place, setting)| (setting.as_slice(), place))
        .collect();
    let mut triples: BTreeMap<usize, Vec<LevelTriple>> = BTreeMap::new();
    for (middle, setting) in settings.iter().enumerate() {
        let at = |level: Option<usize>| {
            let mut other = setting.clone();
            other[knob] = level?;
            places.get(other.as_slice()).copied()
        };
        let level = setting[knob];
        let both = at(level.checked_sub(1)).zip(at(Some(level + 1)));
        if let Some((below, above)) = both {
            triples.entry(level).or_default().push(LevelTriple {
                below,
                middle,
                above,
            });
        }
    }
    triples
}

/// The weights of settings in the sum of what second steps gain more than first ones.
fn weights_of_excess(triples: &[LevelTriple]) -> BTreeMap<usize, f64> {
    let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
    for (place, weight) in triples.iter().flat_map(|triple| triple.weights()) {
        *weights.entry(place).or_default() += weight;
    }
    weights
}
