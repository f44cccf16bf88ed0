//! Which elements of two lists are the same one.

use std::collections::{BTreeMap, VecDeque};

use loadline_record::saved_answers::JsonNode;

/// Which elements of two lists of one length belong together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ListPairing {
    /// By their places in the first and in the second.
    pub(super) pairs: Vec<(usize, usize)>,
    /// Some stand elsewhere.
    pub(super) is_moved: bool,
}

impl ListPairing {
    /// Each with the one at its own place.
    #[expect(clippy::unnecessary_wraps, reason = "in place of what may be none")]
    pub(super) fn in_order(count: usize) -> Option<Self> {
        Some(Self {
            pairs: (0..count).map(|place| (place, place)).collect(),
            is_moved: false,
        })
    }

    fn new(mut pairs: Vec<(usize, usize)>) -> Self {
        pairs.sort_unstable();
        let is_moved = pairs.iter().any(|(left, right)| left != right);
        Self { pairs, is_moved }
    }
}

/// Pairs the elements of two lists of one length, whose order is known to vary or not: equal ones by what `masked` leaves of
/// them, objects by the values they have in common, the rest in order; `None` where the lists have other elements.
pub(super) fn paired(
    left: &[JsonNode],
    right: &[JsonNode],
    is_known_to_move: bool,
    masked: impl Fn(&JsonNode) -> String,
) -> Option<ListPairing> {
    let lefts: Vec<String> = left.iter().map(&masked).collect();
    let rights: Vec<String> = right.iter().map(&masked).collect();
    let (mut pairs, left_over) = matched(&lefts, &rights);
    if left_over.is_empty() {
        return Some(ListPairing::new(pairs));
    }
    let are_objects = left
        .iter()
        .chain(right)
        .all(|item| matches!(item, JsonNode::Object(_)));
    if !are_objects {
        if is_known_to_move {
            pairs.extend(left_over.left.into_iter().zip(left_over.right));
            return Some(ListPairing::new(pairs));
        }
        // Of plain values that vary nobody knows which one moved.
        return ListPairing::in_order(left.len());
    }
    let is_moved = pairs.iter().any(|(left, right)| left != right);
    let rest = by_common_values(left, right, &left_over);
    let likely = |(one, other): &(usize, usize)| is_likely(&left[*one], &right[*other]);
    if is_moved && !rest.iter().all(likely) {
        // Some went and others came.
        return None;
    }
    pairs.extend(rest);
    Some(ListPairing::new(pairs))
}

/// What of two lists has no equal one: places in the first and in the second, as many in each.
#[derive(Debug, Default)]
struct LeftOver {
    left: Vec<usize>,
    right: Vec<usize>,
}

impl LeftOver {
    const fn is_empty(&self) -> bool {
        self.left.is_empty()
    }
}

/// Pairs equal texts, those at one place first.
fn matched(left: &[String], right: &[String]) -> (Vec<(usize, usize)>, LeftOver) {
    let mut pairs = Vec::new();
    let mut waiting: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
    let mut is_free = vec![true; left.len()];
    for (place, text) in right.iter().enumerate() {
        if left.get(place) == Some(text) {
            pairs.push((place, place));
            is_free[place] = false;
        } else {
            waiting.entry(text).or_default().push_back(place);
        }
    }
    let mut over = LeftOver::default();
    for place in (0..left.len()).filter(|place| is_free[*place]) {
        match waiting
            .get_mut(left[place].as_str())
            .and_then(VecDeque::pop_front)
        {
            Some(other) => pairs.push((place, other)),
            None => over.left.push(place),
        }
    }
    over.right = waiting.into_values().flatten().collect();
    over.right.sort_unstable();
    (pairs, over)
}

/// Pairs objects by all plain members whose values are the same in both lists, whichever element has them.
fn by_common_values(left: &[JsonNode], right: &[JsonNode], over: &LeftOver) -> Vec<(usize, usize)> {
    let value = |item: &JsonNode, name: &str| match item {
        JsonNode::Object(object) => object
            .members
            .get(name)
            .filter(|value| !matches!(value, JsonNode::List(_) | JsonNode::Object(_)))
            .map(JsonNode::canonical),
        _ => None,
    };
    let names: Vec<&String> = match over.left.first().map(|place| &left[*place]) {
        Some(JsonNode::Object(first)) => first.members.keys().collect(),
        _ => Vec::new(),
    };
    let all = |list: &[JsonNode], places: &[usize], name: &str| {
        let values = places.iter().map(|place| value(&list[*place], name));
        let mut values: Vec<String> = values.collect::<Option<_>>()?;
        values.sort();
        Some(values)
    };
    let is_common = |name: &&String| {
        let values = all(left, &over.left, name);
        values.is_some() && values == all(right, &over.right, name)
    };
    let common: Vec<&String> = names.into_iter().filter(is_common).collect();
    let key = |item: &JsonNode| {
        let values = common.iter().filter_map(|name| value(item, name));
        values.collect::<Vec<_>>().join(",")
    };
    let keys = |list: &[JsonNode], places: &[usize]| {
        let keys = places.iter().map(|place| key(&list[*place]));
        keys.collect::<Vec<_>>()
    };
    let (mut pairs, rest) = matched(&keys(left, &over.left), &keys(right, &over.right));
    // Values that are common one by one need not be so together.
    pairs.extend(rest.left.into_iter().zip(rest.right));
    let pairs = pairs.into_iter();
    pairs
        .map(|(one, other)| (over.left[one], over.right[other]))
        .collect()
}

/// Whether two objects may be one: half of their members are equal.
fn is_likely(one: &JsonNode, other: &JsonNode) -> bool {
    let (JsonNode::Object(one), JsonNode::Object(other)) = (one, other) else {
        return false;
    };
    let equal = one
        .members
        .iter()
        .filter(|(name, value)| other.members.get(*name) == Some(value));
    2 * equal.count() >= one.members.len().max(other.members.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<JsonNode> {
        match JsonNode::read(text, false) {
            Some(JsonNode::List(list)) => list.items,
            other => panic!("{other:?}"),
        }
    }

    fn pairs(left: &str, right: &str) -> Option<Vec<(usize, usize)>> {
        let pairing = paired(&list(left), &list(right), false, JsonNode::canonical)?;
        Some(pairing.pairs)
    }

    #[test]
    fn equal_elements_belong_together_wherever_they_stand() {
        assert_eq!(
            pairs("[1,2,2]", "[2,1,2]"),
            Some(vec![(0, 1), (1, 0), (2, 2)])
        );
        assert_eq!(pairs("[1,5]", "[5,7]"), Some(vec![(0, 0), (1, 1)]));
    }

    #[test]
    fn objects_are_known_by_the_values_they_keep() {
        let left = r#"[{"id":1,"at":10,"k":"x"},{"id":2,"at":11,"k":"x"}]"#;
        let right = r#"[{"id":2,"at":20,"k":"x"},{"id":1,"at":21,"k":"x"}]"#;
        assert_eq!(pairs(left, right), Some(vec![(0, 1), (1, 0)]));
    }

    #[test]
    fn a_list_that_moves_on_has_other_elements() {
        let left = r#"[{"id":1,"t":"a"},{"id":2,"t":"b"},{"id":3,"t":"c"}]"#;
        let right = r#"[{"id":4,"t":"d"},{"id":1,"t":"a"},{"id":2,"t":"b"}]"#;
        assert_eq!(pairs(left, right), None);
    }
}
