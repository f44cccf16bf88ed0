//! Observers of a run's windows.

use loadline_metrics::{Merger, Window};

/// Receives each window when it is complete, on the run's thread.
pub trait RunObserver: Send + Sync {
    /// One window. It began `window.index` seconds after the workers started; `merger` names
    /// its series.
    fn window(&self, window: &Window, merger: &Merger);

    /// The same window once more, where the generator's own delays did not touch it.
    fn calm_window(&self, _window: &Window, _merger: &Merger) {}

    /// The warm-up is over; earlier windows do not count.
    fn counted_from_here(&self) {}
}
