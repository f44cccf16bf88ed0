//! Of what changed, each knob is put back alone.

use super::tried::TriedSettings;
use super::{Stage, Study, TrialPurpose, candidates};

/// Blocks with knobs put back.
const WITHOUT_BLOCKS: usize = 2;

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
            let winner = self.tried.best();
            let entrants = candidates::without(&mut self.tried, winner);
            self.plan_without(winner, entrants);
            self.stage = Stage::Without { blocks: blocks + 1 };
            return;
        }
        self.choose();
    }
}
