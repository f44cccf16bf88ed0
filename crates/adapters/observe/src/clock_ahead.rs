//! How far a host's clock is from ours.

use std::time::SystemTime;

/// How long after `other` a time is, s; negative before it.
pub(crate) fn seconds_after(time: SystemTime, other: SystemTime) -> f64 {
    match time.duration_since(other) {
        Ok(after) => after.as_secs_f64(),
        Err(before) => -before.duration().as_secs_f64(),
    }
}
