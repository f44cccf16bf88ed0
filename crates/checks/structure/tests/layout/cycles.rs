//! Who reaches itself.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Which part uses which, with one file as the witness of each arrow.
pub(crate) type Arrows = BTreeMap<String, BTreeMap<String, PathBuf>>;

/// Each set of parts that reach each other, with the arrows inside it.
pub(crate) fn cycles_of(arrows: &Arrows) -> Vec<String> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = arrows
        .keys()
        .map(|from| (from, reached_from(from, arrows)))
        .collect();
    let mut done = BTreeSet::new();
    let mut cycles = Vec::new();
    for (from, targets) in &reached {
        if !targets.contains(from) || done.contains(from) {
            continue;
        }
        let is_mutual = |other: &&&String| reached.get(**other).is_some_and(|r| r.contains(from));
        let members: BTreeSet<&String> = targets.iter().filter(is_mutual).copied().collect();
        cycles.push(describe(&members, arrows));
        done.extend(members);
    }
    cycles
}

fn reached_from<'a>(start: &String, arrows: &'a Arrows) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = arrows[start].keys().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(arrows.get(next).into_iter().flat_map(BTreeMap::keys));
        }
    }
    reached
}

fn describe(members: &BTreeSet<&String>, arrows: &Arrows) -> String {
    let names: Vec<&str> = members.iter().map(|name| name.as_str()).collect();
    let inside = members.iter().flat_map(|from| {
        let targets = arrows[*from].iter().filter(|(to, _)| members.contains(to));
        targets.map(move |(to, file)| format!("  {from} -> {to} ({})", file.display()))
    });
    let lines: Vec<String> = inside.collect();
    format!("{}\n{}", names.join(", "), lines.join("\n"))
}
