//! Searches that an earlier call made: all of them together take longer than a call may.
//!
//! A file for each target, a line for each search, written as it ends. Where they are kept is chosen from outside: by commit, so that none of
//! another search is taken for one of this.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use crate::forty::Law;
use crate::score::{Told, Way};

/// Searches by their seeds.
pub(crate) type Searches = BTreeMap<u64, Told>;

/// A folder of searches; none keeps nothing.
pub(crate) struct KeptSearches {
    folder: Option<PathBuf>,
}

impl KeptSearches {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder).unwrap();
        }
        Self { folder }
    }

    fn path(&self, law: &Law, way: Way) -> Option<PathBuf> {
        let name = format!("{} {}", law.name, way.name());
        let plain = name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        Some(self.folder.as_ref()?.join(format!("{plain}.tsv")))
    }

    /// Those of a target so far, without what a call that was stopped left of a line.
    pub(crate) fn searches(&self, law: &Law, way: Way) -> Searches {
        let Some(path) = self.path(law, way) else {
            return Searches::new();
        };
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        if whole.len() < text.len() {
            std::fs::write(&path, whole).unwrap();
        }
        let read = whole.lines().map(|line| {
            let (seed, told) = line.split_once('\t').unwrap();
            (seed.parse().unwrap(), Told::from(told))
        });
        read.collect()
    }

    /// Keeps one more.
    pub(crate) fn add(&self, law: &Law, way: Way, seed: u64, told: &Told) {
        let Some(path) = self.path(law, way) else {
            return;
        };
        let mut open = std::fs::OpenOptions::new();
        let mut file = open.create(true).append(true).open(path).unwrap();
        // At once, as two threads write it.
        let line = format!("{seed}\t{}\n", told.line());
        file.write_all(line.as_bytes()).unwrap();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forty::laws;

    #[test]
    fn what_was_kept_is_read_again_but_for_a_line_that_was_cut_short() {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kept-searches");
        let _fresh = std::fs::remove_dir_all(&folder);
        let kept = KeptSearches::new(Some(folder));
        let law = &laws()[0];
        let told = Told {
            estimate: Some(100.0 / 3.0),
            range: Some((30.1, 35.0)),
            sure: None,
            safe: Some(30.1),
            held: Some(31.0),
            seconds: 171.0,
            fingerprint: 7,
        };
        kept.add(law, Way::Search, 5, &told);
        kept.add(law, Way::Search, 4, &told);
        let path = kept.path(law, Way::Search).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 30]).unwrap();
        let searches = kept.searches(law, Way::Search);
        assert_eq!(searches, BTreeMap::from([(5, told)]));
        kept.add(law, Way::Search, 6, &told);
        assert_eq!(kept.searches(law, Way::Search).len(), 2, "5 and 6");
    }
}
