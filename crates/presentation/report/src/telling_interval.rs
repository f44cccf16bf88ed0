//! Which intervals say anything: the others are not printed.

use loadline_analysis::compare::Change;

/// A change beyond this has no size that means anything: the interval is open on that side.
pub(crate) const MOST_PRINTED: f64 = 10.0;

/// An interval with no change within, and whose one end is this many times the other, says nothing:
/// as much as half and twice.
const UNTELLING_RATIO: f64 = 4.0;

/// Whether an interval says anything.
pub(crate) fn is_informative(change: Change) -> bool {
    let is_of_one_direction = change.low > 0.0 || change.high < 0.0;
    let is_narrow = 1.0 + change.high < UNTELLING_RATIO * (1.0 + change.low);
    change.high <= MOST_PRINTED && (is_of_one_direction || is_narrow)
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
        assert!(is_informative(change(-0.99, -0.1)));
    }

    #[test]
    fn ends_that_read_the_same_are_no_interval() {
        assert_eq!(between("167", "167"), None);
        assert_eq!(between("165", "168").as_deref(), Some("[165, 168]"));
    }
}
