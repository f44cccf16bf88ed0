//! Which intervals say anything: the others are not printed.

use loadline_analysis::compare::Change;

/// A change beyond this has no size that means anything where its interval is wide, too: it is open on that side.
pub(crate) const MOST_PRINTED: f64 = 10.0;

/// A ratio beyond this, or below its inverse, is never a figure: it is what stands for *never* or *nothing*, or the bound of
/// what was looked at, more often than something measured.
pub(crate) const RATIO_TOLD_MAX: f64 = 100.0;

/// An interval with no change within, and whose one end is this many times the other, says nothing:
/// as much as half and twice.
const UNTELLING_RATIO: f64 = 4.0;

/// Whether both ends of an interval lie so near each other that they say something together.
fn is_narrow(change: Change) -> bool {
    1.0 + change.high < UNTELLING_RATIO * (1.0 + change.low)
}

/// Whether the upper end of an interval is no figure.
fn is_open_above(change: Change) -> bool {
    1.0 + change.high > RATIO_TOLD_MAX || change.high > MOST_PRINTED && !is_narrow(change)
}

/// Whether its lower end is none.
fn is_open_below(change: Change) -> bool {
    (1.0 + change.low) * RATIO_TOLD_MAX < 1.0
}

/// Whether an interval says anything, and all of it is to be printed. Of a clear change that is not the nearer end still says
/// something.
pub(crate) fn is_informative(change: Change) -> bool {
    let is_of_one_direction = change.low > 0.0 || change.high < 0.0;
    let is_open = is_open_above(change) || is_open_below(change);
    !is_open && (is_of_one_direction || is_narrow(change))
}

/// `[low, high]` of figures that were written so; nothing where both read the same.
pub(crate) fn between(low: &str, high: &str) -> Option<String> {
    (low != high).then(|| format!("[{low}, {high}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(low: f64, high: f64) -> Change {
        let middle = f64::midpoint(low, high);
        Change { low, middle, high }
    }

    #[test]
    fn an_interval_as_wide_as_half_to_twice_says_nothing() {
        assert!(!is_informative(change(-0.5, 1.0)));
        assert!(!is_informative(change(-1.0, 40.0)));
        assert!(!is_informative(change(0.2, 10.1)));
        // Seen of a ramp: "cannot tell [-41.3 %, +172 %]".
        assert!(!is_informative(change(-0.413, 1.72)));
        assert!(!is_informative(change(-0.9, 0.9)));
        assert!(is_informative(change(-0.4, 1.0)));
        assert!(is_informative(change(0.2, 10.0)));
        assert!(is_informative(change(-0.98, -0.1)));
        // Nine times as much, and hardly anything else: a figure. Thousands are the bound of what was looked at.
        assert!(is_informative(change(8.2, 10.4)));
        assert!(!is_informative(change(460.0, 2979.9)));
        assert!(!is_informative(change(-0.9997, -0.1)));
    }

    #[test]
    fn ends_that_read_the_same_are_no_interval() {
        assert_eq!(between("167", "167"), None);
        assert_eq!(between("165", "168").as_deref(), Some("[165, 168]"));
    }
}
