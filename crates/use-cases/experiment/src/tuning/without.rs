//! Of what changed, each knob is put back alone.

use loadline_analysis::tuning::blocks::Contrast;

use super::tried::TriedSettings;
use super::{Stage, Study, TrialPurpose, candidates};

/// Blocks with knobs put back.
const WITHOUT_BLOCKS: usize = 2;
/// A change that gains less than so many of its errors, and hardly anything, is not seen to be needed; one that gains less than
/// one error is not, however large it looks.
const NEEDED_ERRORS: f64 = 2.0;

impl Study {
    /// Puts each changed knob back alone.
    pub(super) fn without(&mut self, winner: usize) {
        let entrants = candidates::without(&mut self.tried, winner);
        let needed = (entrants.len() + 2) * WITHOUT_BLOCKS;
        if entrants.len() < 2 || !self.affords(needed + self.reserve()) {
            self.choose();
            return;
        }
        self.plan_without(winner, entrants);
        self.stage = Stage::Without { blocks: 1 };
    }

    fn plan_without(&mut self, winner: usize, mut entrants: Vec<usize>) {
        entrants.push(TriedSettings::START_SETTING);
        self.plan_blocks(winner, &entrants, TrialPurpose::Without);
    }

    pub(super) fn after_without(&mut self, blocks: usize) {
        if blocks < WITHOUT_BLOCKS {
            let winner = self.seeming_best();
            let entrants = candidates::without(&mut self.tried, winner);
            self.plan_without(winner, entrants);
            self.stage = Stage::Without { blocks: blocks + 1 };
            return;
        }
        self.choose();
    }
}

impl TriedSettings {
    /// Settings with one of two or more changed knobs put back that were tried, and how much better the setting is than each.
    fn put_back(&self, id: usize) -> Vec<(usize, Contrast)> {
        let (start, from) = (self.setting(Self::START_SETTING), self.setting(id));
        let changed: Vec<usize> = (0..from.len())
            .filter(|knob| start[*knob] != from[*knob])
            .collect();
        if changed.len() < 2 {
            return Vec::new();
        }
        let each = changed.into_iter().filter_map(|knob| {
            let mut setting = from.to_vec();
            setting[knob] = start[knob];
            let other = self.find(&setting)?;
            let is_known =
                !self.is_excluded(other) && self.is_known(other) && self.is_feasible(other);
            let lost = self.contrast(id, other).filter(|_| is_known)?;
            Some((other, lost))
        });
        each.collect()
    }

    /// The setting with one of two or more changed knobs put back, if that loses nothing that is seen: the one that loses the
    /// least.
    pub(super) fn simpler(&self, id: usize, within: f64) -> Option<usize> {
        let best = self.best();
        let put_back = self.put_back(id).into_iter();
        let needless = put_back.filter_map(|(other, lost)| {
            let errors = errors_of(lost);
            let from_best = self.contrast(best, other)?.middle;
            let is_needed = errors > NEEDED_ERRORS || errors > 1.0 && from_best > within;
            (!is_needed).then_some((errors, other))
        });
        let least = needless.min_by(|a, b| a.0.total_cmp(&b.0));
        least.map(|(_, other)| other)
    }
}

/// How many of its errors a difference has.
fn errors_of(contrast: Contrast) -> f64 {
    contrast.middle / contrast.error.max(f64::MIN_POSITIVE)
}
