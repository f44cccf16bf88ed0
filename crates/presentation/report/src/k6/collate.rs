//! The order of names: that of JavaScript's `localeCompare` in k6.
//!
//! Space and punctuation come first, in Unicode's order and not ASCII's, then digits,
//! then letters whatever their case; where two names are the same so far, small letters
//! come first. Other characters follow by code point.

use std::cmp::Ordering;

/// Space and punctuation in the order of the Unicode Collation Algorithm.
const FIRST: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Orders two metric names; sub-metrics stay with their metric.
pub(super) fn by_metric(a: &str, b: &str) -> Ordering {
    let parent = |name: &str| name.find('{').unwrap_or(name.len());
    let ((a, a_tags), (b, b_tags)) = (a.split_at(parent(a)), b.split_at(parent(b)));
    compare(a, b).then_with(|| compare(a_tags, b_tags))
}

/// Orders two texts.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let weights = |text: &str| -> Vec<(u8, u32)> { text.chars().map(weight).collect() };
    let cases = |text: &str| -> Vec<bool> { text.chars().map(char::is_uppercase).collect() };
    weights(a)
        .cmp(&weights(b))
        .then_with(|| cases(a).cmp(&cases(b)))
        .then_with(|| a.cmp(b))
}

fn weight(c: char) -> (u8, u32) {
    if let Some(place) = FIRST.find(c) {
        return (0, u32::try_from(place).unwrap_or(u32::MAX));
    }
    match c {
        '0'..='9' => (1, c.into()),
        _ => (2, c.to_lowercase().next().unwrap_or(c).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from k6: `list.sort((x, y) => x.localeCompare(y))`.
    #[test]
    fn names_are_ordered_as_k6_orders_them() {
        let recorded = [
            "_a",
            "1a",
            "a",
            "A",
            "a b",
            "a_b",
            "a-b",
            "a,b",
            "a:b",
            "a.b",
            "a{group:::one}",
            "a{group:::One}",
            "a{name:\"q\"}",
            "a{name:http://x}",
            "a{x:y}",
            "a{x}",
            "a/b",
            "a1",
            "ab",
            "aB",
            "Ab",
            "b",
            "z",
            "한",
        ];
        let mut sorted = recorded;
        sorted.reverse();
        sorted.sort_by(|a, b| compare(a, b));
        assert_eq!(sorted, recorded);
    }

    #[test]
    fn submetrics_follow_their_metric() {
        let mut names = [
            "http_reqs",
            "http_req_x{a:b}",
            "http_reqs{a:b}",
            "http_req_x",
        ];
        names.sort_by(|a, b| by_metric(a, b));
        assert_eq!(
            names,
            [
                "http_req_x",
                "http_req_x{a:b}",
                "http_reqs",
                "http_reqs{a:b}"
            ]
        );
    }
}
