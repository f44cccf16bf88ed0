//! The levels of a search, which has judged each of them already.

use super::{LEVELS_MAX, LoadLevel, is_one};
use crate::input::SearchedLevel;

/// Loads that differ by no more than this share are those of one level.
const SAME_LOAD_SHARE: f64 = 1e-6;

/// The levels that the search came to a verdict on, the lowest first: of one load the last, and of many the highest.
pub(super) fn levels(searched: &[SearchedLevel], is_users: bool) -> Vec<LoadLevel> {
    let is_same = |a: f64, b: f64| (a - b).abs() <= SAME_LOAD_SHARE * b;
    let mut levels: Vec<LoadLevel> = Vec::new();
    for one in searched {
        let Some(is_carried) = one.is_carried else {
            continue;
        };
        levels.retain(|earlier| !is_same(earlier.load, one.load));
        levels.push(LoadLevel {
            load: one.load,
            is_users,
            window: one.window,
            answered: one.answered,
            failed: one.failed,
            mean_ms: one.mean_ms,
            p95_ms: one.p95_ms,
            is_carried,
            is_in_vain: false,
        });
    }
    levels.sort_by(|a, b| a.load.total_cmp(&b.load));
    if is_one(&levels) {
        return Vec::new();
    }
    for at in 1..levels.len() {
        let (lower, level) = levels.split_at_mut(at);
        let mut fewer = lower.iter().rev().filter(|one| !one.is_in_vain);
        level[0].is_in_vain = fewer
            .next()
            .is_some_and(|fewer| level[0].is_served_no_better_than(fewer));
    }
    levels.split_off(levels.len().saturating_sub(LEVELS_MAX))
}
