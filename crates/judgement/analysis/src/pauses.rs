//! Pauses: moments in which a target answers nobody, again and again.
//!
//! A garbage collection that stops the program shows as single windows whose longest request
//! is far beyond the usual one, at regular distances. Nothing here knows the cause.

use crate::estimate::median;

/// A longest request this many times the usual one is a pause ...
const TIMES_USUAL: f64 = 4.0;
/// ... if it is longer by this much, ms.
const LONGER_MS_MIN: f64 = 100.0;
/// Pauses that make a rhythm.
const RHYTHM_PAUSES_MIN: usize = 3;
/// Distances may differ from their middle by this share, or by one window.
const DISTANCE_DEVIATION_MAX: f64 = 0.25;

/// Regular pauses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pauses {
    /// How many were seen.
    pub count: usize,
    /// From one to the next, in windows.
    pub every: f64,
    /// The longest request of a typical one, ms.
    pub about_ms: f64,
}

/// Looks for regular pauses in the longest request, ms, of each window, in order; of windows in
/// which none ended there is none. A long pause has such windows, and they take time, too.
#[must_use]
pub fn find(longest: &[Option<f64>]) -> Option<Pauses> {
    let known: Vec<f64> = longest.iter().flatten().copied().collect();
    let usual = median(&known)?;
    let is_pause = |longest: f64| longest > usual * TIMES_USUAL && longest > usual + LONGER_MS_MIN;
    let mut places: Vec<usize> = Vec::new();
    let mut lengths: Vec<f64> = Vec::new();
    for (place, longest) in longest.iter().enumerate() {
        let Some(longest) = longest.filter(|longest| is_pause(*longest)) else {
            continue;
        };
        // One pause may reach into the next window.
        if places.last().is_some_and(|last| place == last + 1) {
            continue;
        }
        places.push(place);
        lengths.push(longest);
    }
    if places.len() < RHYTHM_PAUSES_MIN {
        return None;
    }
    let distances: Vec<f64> = places.windows(2).map(|p| (p[1] - p[0]) as f64).collect();
    let every = median(&distances)?;
    let allowed = (every * DISTANCE_DEVIATION_MAX).max(1.0);
    let is_regular = distances
        .iter()
        .all(|distance| (distance - every).abs() <= allowed);
    (is_regular && every >= 2.0).then_some(Pauses {
        count: places.len(),
        every,
        about_ms: median(&lengths)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(count: usize, pause: impl Fn(usize) -> bool) -> Vec<Option<f64>> {
        let longest = |i| if pause(i) { 900.0 } else { 60.0 };
        (0..count).map(|i| Some(longest(i))).collect()
    }

    #[test]
    fn a_pause_each_ten_seconds_is_found() {
        let found = find(&seconds(35, |i| i % 10 == 4)).unwrap();
        assert_eq!(found.count, 4);
        assert!((found.every - 10.0).abs() < 1e-9 && (found.about_ms - 900.0).abs() < 1e-9);
    }

    /// Seen: pauses of 1.5 s each 9 s were reported as "about every 8.00 s".
    #[test]
    fn seconds_without_an_answer_count() {
        let mut windows = seconds(36, |i| i % 9 == 5);
        for silent in windows.iter_mut().skip(4).step_by(9) {
            *silent = None;
        }
        let found = find(&windows).unwrap();
        assert_eq!(found.count, 4);
        assert!((found.every - 9.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn chance_and_steady_slowness_are_no_pauses() {
        assert_eq!(find(&seconds(40, |_| false)), None);
        assert_eq!(find(&seconds(40, |_| true)), None);
        assert_eq!(find(&seconds(40, |i| [3, 5, 29].contains(&i))), None);
        assert_eq!(find(&[]), None);
    }
}
