//! A file that cannot be used, read with its misspelt keys as they were meant: what is wrong below
//! one is told with it, and not on the next run.

use crate::finding::{Diagnostic, DiagnosticKind, Severity};
use crate::yaml::{Mark, Yaml, YamlMap, YamlNode};

use super::{ReadOptions, ReadResult, read_as_written};

/// A key that is not known, and the one it was probably meant to be.
#[derive(Debug, Clone, Copy)]
struct Misspelt {
    at: Mark,
    meant: &'static str,
}

/// Adds what is wrong below misspelt keys.
pub(super) fn complete(result: &mut ReadResult, root: &YamlNode, options: &ReadOptions) {
    let mut root = root.clone();
    let mut misspelt = misspelt_of(&result.findings);
    while !misspelt.is_empty() {
        root = renamed(&root, &misspelt);
        let again = read_as_written(&root, options);
        let new = again.findings.into_iter().filter(|found| {
            let is_told = result.findings.contains(found);
            let is_wrong = found.kind.severity() == Severity::Error;
            !is_told && (is_wrong || meant(found).is_some())
        });
        let new: Vec<Diagnostic> = new.collect();
        misspelt = misspelt_of(&new);
        result.findings.extend(new);
    }
}

fn misspelt_of(findings: &[Diagnostic]) -> Vec<Misspelt> {
    findings.iter().filter_map(meant).collect()
}

fn meant(found: &Diagnostic) -> Option<Misspelt> {
    let DiagnosticKind::UnknownKey {
        nearest: Some(meant),
        ..
    } = found.kind
    else {
        return None;
    };
    Some(Misspelt {
        at: found.mark,
        meant,
    })
}

/// The same with these keys as they were meant; one that its map has, too, is left out.
fn renamed(node: &YamlNode, misspelt: &[Misspelt]) -> YamlNode {
    let value = match &node.value {
        Yaml::Map(map) => {
            let mut all = YamlMap::default();
            for entry in map.entries() {
                let of_key = misspelt.iter().find(|one| one.at == entry.key_mark);
                let key = of_key.map_or(entry.key.as_str(), |one| one.meant);
                if of_key.is_some() && map.entry(key).is_some() {
                    continue;
                }
                let value = renamed(&entry.value, misspelt);
                all.insert_new(key.to_owned(), entry.key_mark, value);
            }
            Yaml::Map(all)
        }
        Yaml::List(items) => Yaml::List(items.iter().map(|item| renamed(item, misspelt)).collect()),
        other => other.clone(),
    };
    YamlNode {
        mark: node.mark,
        value,
    }
}
