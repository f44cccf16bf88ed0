//! Stores what is seen of the target while a run goes on, for those who watch it.
//!
//! All of it is stored again each time, so a long run stores it more seldom.

use std::time::Duration;

use loadline_observe::SignalReader;
use loadline_units::Time;

use super::Judge;

/// The shortest time between two looks.
const SNAPSHOT_INTERVAL_MIN: Duration = Duration::from_secs(3);
/// The longest.
const SNAPSHOT_INTERVAL_MAX: Duration = Duration::from_secs(60);
/// Of a long run, the time between two looks is this part of what has passed.
const RUN_PARTS: u32 = 30;

/// What a run's target shows, and when it is stored next.
pub(super) struct TargetKeeper {
    seen: SignalReader,
    next: Option<Time>,
}

impl TargetKeeper {
    pub(super) const fn new(seen: SignalReader) -> Self {
        Self { seen, next: None }
    }
}

impl Judge {
    /// Stores what is seen of the target, if it is time.
    pub(super) fn keep_target(&mut self, now: Time) {
        let (Some(keeper), Some((recorder, _))) = (&mut self.target, &mut self.recorder) else {
            return;
        };
        let passed = now.since(self.windows_from);
        let next = *keeper.next.get_or_insert(now + SNAPSHOT_INTERVAL_MIN);
        if now < next {
            return;
        }
        keeper.next =
            Some(now + (passed / RUN_PARTS).clamp(SNAPSHOT_INTERVAL_MIN, SNAPSHOT_INTERVAL_MAX));
        let signals = keeper.seen.so_far();
        if !signals.is_empty() {
            recorder.signals(signals);
        }
    }
}
