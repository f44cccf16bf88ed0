//! Stores the generator's health while a run goes on, for those who watch it.

use loadline_metrics::Merger;

use super::Judge;

/// Windows between two looks.
const EVERY: u64 = 3;

impl Judge {
    /// Stores the generator's health so far, if it is time.
    pub(super) fn keep_health(&mut self, window: u64, totals: &Merger) {
        let Some((recorder, _)) = &mut self.recorder else {
            return;
        };
        if self.began.is_some() && window.is_multiple_of(EVERY) {
            recorder.generator(self.health.report(&self.run_state, totals));
        }
    }
}
