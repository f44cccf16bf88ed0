//! The processes below one.

use std::collections::BTreeMap;

use procfs::process::all_processes;

/// Most processes that are looked at.
const PROCESSES_MAX: usize = 2_000;

/// The process and all below it, the process first.
pub(super) fn members(root: i32) -> Vec<i32> {
    let mut below: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    let all = all_processes().into_iter().flatten().flatten();
    for stat in all.filter_map(|process| process.stat().ok()) {
        below.entry(stat.ppid).or_default().push(stat.pid);
    }
    of_tree(root, &below)
}

fn of_tree(root: i32, below: &BTreeMap<i32, Vec<i32>>) -> Vec<i32> {
    let mut found = vec![root];
    let mut next = 0;
    while next < found.len() && found.len() < PROCESSES_MAX {
        found.extend(below.get(&found[next]).into_iter().flatten());
        next += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_of_children_belong_to_it() {
        let below = BTreeMap::from([(1, vec![2, 3]), (3, vec![4]), (9, vec![10])]);
        assert_eq!(of_tree(1, &below), [1, 2, 3, 4]);
        assert_eq!(of_tree(10, &below), [10]);
    }
}
