//! Merges documents, as lodash's `merge` does.

use crate::yaml::{Yaml, YamlNode};

/// How lists are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lists {
    /// Item by item, as `merge` does.
    ByIndex,
    /// The upper list replaces the lower one, as for `--overrides`.
    Replaced,
}

/// Merges `upper` into `lower`.
pub(crate) fn merge(lower: &mut YamlNode, upper: YamlNode, lists: Lists) {
    match (&mut lower.value, upper.value) {
        (Yaml::Map(below), Yaml::Map(above)) => {
            for entry in above.into_entries() {
                match below.get_mut(&entry.key) {
                    Some(node) => merge(node, entry.value, lists),
                    None => {
                        below.insert_new(entry.key, entry.key_mark, entry.value);
                    }
                }
            }
        }
        (Yaml::List(below), Yaml::List(above)) if lists == Lists::ByIndex => {
            for (at, item) in above.into_iter().enumerate() {
                match below.get_mut(at) {
                    Some(node) => merge(node, item, lists),
                    None => below.push(item),
                }
            }
        }
        (_, value) => {
            *lower = YamlNode {
                mark: upper.mark,
                value,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse;
    use serde_json::json;

    fn merged(lower: &str, upper: &str, lists: Lists) -> serde_json::Value {
        let mut lower = parse(lower, 0).unwrap();
        merge(&mut lower, parse(upper, 1).unwrap(), lists);
        lower.to_json()
    }

    #[test]
    fn lists_are_merged_by_index_or_replaced() {
        let (lower, upper) = ("{a: [1, 2, 3], b: {c: 1}}", "{a: [9], b: {d: 2}}");
        assert_eq!(
            merged(lower, upper, Lists::ByIndex),
            json!({"a": [9, 2, 3], "b": {"c": 1, "d": 2}})
        );
        assert_eq!(
            merged(lower, upper, Lists::Replaced),
            json!({"a": [9], "b": {"c": 1, "d": 2}})
        );
    }
}
