//! Those who want every window of a run, whole.

use loadline_metrics::{Merger, Window};

/// Sees each window as it is given out, on the run's thread.
pub trait Follower: Send + Sync {
    /// Window `window.index` began so many seconds after the run's workers did; `merger`
    /// says what its series are.
    fn window(&self, window: &Window, merger: &Merger);

    /// The warm-up is over: what came before does not count.
    fn counted_from_here(&self) {}
}
