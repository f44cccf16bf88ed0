//! Failures that come in spells: what the levels of a search know of them together.
//!
//! A level that happens to lie between two spells shows no failure at all, at any load. Levels
//! held before it tell how long such a pause usually is; only one held for much longer than
//! that says something by showing none.

use loadline_analysis::slo::{Sample, Term};

/// How seldom a level may be without a failure by chance and still be told to hold for certain.
const BY_CHANCE: f64 = 0.001;
/// A share of failures that is this part of what is allowed may matter.
const ALLOWED_SHARE_MIN: f64 = 0.5;
/// Windows without a failure after which the next one is another spell.
const PAUSE_WINDOWS_MIN: u32 = 2;

/// What a level showed of the failures a term is asked of.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    bad: f64,
    all: f64,
    /// Windows without any failure, as fast as without load.
    clean: f64,
    /// Spells that began after such a pause.
    spells: f64,
    pause: u32,
}

impl Seen {
    fn add(&mut self, sample: &Sample, is_slow: bool) {
        if sample.all == 0 {
            return;
        }
        self.bad += sample.bad as f64;
        self.all += sample.all as f64;
        if sample.bad == 0 && is_slow {
            // Failures that follow are the load's.
            self.pause = 0;
        } else if sample.bad == 0 {
            self.clean += 1.0;
            self.pause += 1;
        } else {
            self.spells += f64::from(u8::from(self.pause >= PAUSE_WINDOWS_MIN));
            self.pause = 0;
        }
    }
}

/// What the levels so far showed, each with its load.
#[derive(Debug, Default)]
pub(super) struct Spells(Vec<(f64, Vec<Seen>)>);

impl Spells {
    /// Another level begins.
    pub(super) fn begin(&mut self, load: f64, terms: usize) {
        self.0.push((load, vec![Seen::default(); terms]));
    }

    /// Takes a window of the last level in, which was slower than without load or not.
    pub(super) fn add(&mut self, samples: &[Sample], is_slow: bool) {
        if let Some((_, seen)) = self.0.last_mut() {
            for (seen, sample) in seen.iter_mut().zip(samples) {
                seen.add(sample, is_slow);
            }
        }
    }

    /// How failures of a term came at the loads at which spells of them began. `None` where none
    /// did, where all failures together are well within what is allowed, and for terms about
    /// times.
    pub(super) fn usual(&self, place: usize, term: &Term) -> Option<UsualSpells> {
        let allowed = term.allowed_failures()?;
        let levels = || {
            let levels = self.0.iter();
            levels.filter_map(|(load, seen)| Some((*load, seen.get(place)?)))
        };
        let with_spells = levels().filter(|(_, seen)| seen.spells > 0.0);
        let lowest = with_spells.map(|(load, _)| load).reduce(f64::min)?;
        let mut sum = Seen::default();
        for (_, seen) in levels().filter(|(load, _)| *load >= lowest) {
            sum.bad += seen.bad;
            sum.all += seen.all;
            sum.clean += seen.clean;
            sum.spells += seen.spells;
        }
        let matters = sum.bad >= ALLOWED_SHARE_MIN * allowed * sum.all;
        matters.then_some(UsualSpells {
            spells: sum.spells,
            clean: sum.clean,
        })
    }
}

/// How often spells began: so many in so many windows without failures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct UsualSpells {
    spells: f64,
    clean: f64,
}

impl UsualSpells {
    /// For how many windows a level must be held to say something by showing no failure: far
    /// longer than the pauses, and the more so the fewer were seen. After `s` spells in `t`
    /// windows there are none in `n` more with a probability of `(t / (t + n))^s` (spells at
    /// random, each rate as likely on a scale of logarithms).
    pub(super) fn enough(self) -> f64 {
        self.clean * (BY_CHANCE.powf(-1.0 / self.spells) - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(spells: &mut Spells, load: f64, bad: &[u64], is_slow: bool) {
        spells.begin(load, 1);
        for bad in bad {
            let sample = Sample {
                bad: *bad,
                all: 100,
                ..Sample::default()
            };
            spells.add(&[sample], is_slow);
        }
    }

    fn enough(spells: &Spells, term: &str) -> f64 {
        let usual = spells.usual(0, &term.parse().unwrap());
        usual.map_or(0.0, UsualSpells::enough)
    }

    #[test]
    fn a_level_must_outlast_the_pauses_between_spells_many_times() {
        let mut spells = Spells::default();
        held(&mut spells, 50.0, &[0; 30], false);
        held(
            &mut spells,
            100.0,
            &[0, 0, 0, 0, 9, 9, 0, 0, 0, 0, 9],
            false,
        );
        // Two spells in eight windows; what was held below them says nothing.
        let expected = 8.0 * (BY_CHANCE.powf(-0.5) - 1.0);
        assert!((enough(&spells, "errors<1%") - expected).abs() < 1e-9);
        assert!((enough(&spells, "checks>99%") - expected).abs() < 1e-9);
        assert!(enough(&spells, "p(95)<1s").abs() < 1e-9);
    }

    #[test]
    fn failures_that_do_not_matter_come_at_once_or_with_slowness_ask_for_nothing() {
        let mut stray = Spells::default();
        held(&mut stray, 1.0, &[0, 0, 0, 1], false);
        held(&mut stray, 100.0, &[0; 60], false);
        assert!(enough(&stray, "errors<1%").abs() < 1e-9);
        let mut at_once = Spells::default();
        held(&mut at_once, 100.0, &[0; 60], false);
        held(&mut at_once, 120.0, &[9, 9], false);
        assert!(enough(&at_once, "errors<1%").abs() < 1e-9);
        let mut slow = Spells::default();
        held(&mut slow, 100.0, &[0, 0, 0, 0, 9], true);
        assert!(enough(&slow, "errors<1%").abs() < 1e-9, "overload");
    }
}
