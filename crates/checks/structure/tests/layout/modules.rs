//! Arrows point one way inside a crate, too: the modules below one module, at any depth, use each other without a cycle.
//!
//! A module stands for all that it holds. It uses another when its code names an item of the other, or of what that holds;
//! a name that is re-exported on the way counts as the item's own. Calls of methods are not seen.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::cycles::{Arrows, cycles_of};
use super::packages::packages;
use super::tree::{ModuleTree, Target};

#[test]
fn no_crate_has_a_cycle_between_modules_of_any_depth() {
    let cycles = cycles_of_all();
    assert!(
        cycles.is_empty(),
        "{} cycles:\n{}",
        cycles.len(),
        cycles.join("\n")
    );
}

/// A crate and the arrows inside it.
pub(crate) struct CrateArrows {
    pub(crate) name: String,
    pub(crate) top_level: usize,
    /// Between the modules below one module, at any depth, each with all that it holds.
    pub(crate) siblings: Arrows,
}

impl CrateArrows {
    fn read(root: &Path) -> Self {
        let tree = ModuleTree::read(root);
        let mut one = Self {
            name: crate_name(root),
            top_level: tree.top_level_count(),
            siblings: Arrows::new(),
        };
        let is_check = root.iter().any(|part| part == "checks");
        for (id, module) in tree.modules.iter().enumerate() {
            for path in &module.paths {
                let Some(target) = tree.resolve(id, path) else {
                    continue;
                };
                let (Target::Module(to) | Target::ItemOf(to)) = target;
                let siblings = tree.siblings_above(id, to);
                // In what only checks, only its top-level modules count: recordings of k6 name the very text of the test
                // server's files that they were made with, so that these are moved when they are recorded anew.
                let is_counted = |(from, _): &(String, String)| !is_check || !from.contains("::");
                if let Some((from, to)) = siblings.filter(is_counted) {
                    add(&mut one.siblings, &from, &to, &module.file);
                }
            }
        }
        one
    }

    /// How many arrows there are between modules of one parent.
    pub(crate) fn count(&self) -> usize {
        self.siblings.values().map(BTreeMap::len).sum()
    }
}

fn add(arrows: &mut Arrows, from: &str, to: &str, witness: &Path) {
    let targets = arrows.entry(from.to_owned()).or_default();
    targets
        .entry(to.to_owned())
        .or_insert_with(|| witness.to_owned());
}

/// All crates, parsed once: it takes seconds.
pub(crate) static CRATES: LazyLock<Vec<CrateArrows>> = LazyLock::new(|| {
    let roots = crate_roots();
    assert!(roots.len() > 10, "the whole workspace is looked at");
    roots.iter().map(|root| CrateArrows::read(root)).collect()
});

/// The cycles of all crates, each behind its crate's name.
pub(crate) fn cycles_of_all() -> Vec<String> {
    let all = CRATES.iter().flat_map(|one| {
        let cycles = cycles_of(&one.siblings).into_iter();
        cycles.map(move |cycle| format!("{}: {cycle}", one.name))
    });
    all.collect()
}

/// A crate made of a few files.
struct PlantedCrate(tempfile::TempDir);

impl PlantedCrate {
    fn new(files: &[(&str, &str)]) -> Self {
        let planted = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            planted.write(name, text);
        }
        planted
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn arrows(&self) -> CrateArrows {
        CrateArrows::read(&self.0.path().join("lib.rs"))
    }
}

#[test]
fn a_planted_cycle_between_top_level_modules_is_found() {
    let planted = PlantedCrate::new(&[
        ("lib.rs", "mod a; mod b; mod c; pub use b::Name;"),
        (
            "a.rs",
            "use crate::Name; mod inner { use super::super::c::X; }",
        ),
        (
            "b.rs",
            "pub struct Name; fn f() { println!(\"{}\", crate::c::X); }",
        ),
        (
            "c.rs",
            "pub const X: u8 = 0; #[cfg(test)] mod tests { use crate::a::Y; }",
        ),
    ]);
    assert_eq!(cycles_of(&planted.arrows().siblings), Vec::<String>::new());

    planted.write("c.rs", "use super::a::Y; pub const X: u8 = 0;");
    let found = cycles_of(&planted.arrows().siblings);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("a, b, c"), "{found:?}");
}

#[test]
fn a_planted_cycle_below_a_module_is_found() {
    let planted = PlantedCrate::new(&[
        ("lib.rs", "mod top;"),
        (
            "top.rs",
            "mod left; mod right; mod shared; pub use left::Left; pub use shared::*;",
        ),
        (
            "top/left.rs",
            "use super::right; pub struct Left; fn f() { right::go(); }",
        ),
        ("top/right.rs", "pub fn go() -> super::Shared { Shared }"),
        (
            "top/shared.rs",
            "mod inner { use super::super::super::top; } pub struct Shared;",
        ),
    ]);
    assert_eq!(cycles_of(&planted.arrows().siblings), Vec::<String>::new());

    // Through the re-export of the module above.
    planted.write("top/shared.rs", "pub struct Shared(super::Left);");
    let found = cycles_of(&planted.arrows().siblings);
    assert_eq!(found.len(), 1, "{found:?}");
    let members = "top::left, top::right, top::shared";
    assert!(found[0].starts_with(members), "{found:?}");
}

/// The `lib.rs`, or `main.rs`, of each crate of the workspace.
fn crate_roots() -> Vec<PathBuf> {
    let packages = packages();
    let sources = packages.iter().map(|package| {
        let manifest = package["manifest_path"].as_str().unwrap();
        Path::new(manifest).with_file_name("src")
    });
    sources
        .flat_map(|source| ["lib.rs", "main.rs"].map(|name| source.join(name)))
        .filter(|root| root.exists())
        .collect()
}

/// The crate's folder names it: `.../k6/src/lib.rs` is `k6`.
fn crate_name(root: &Path) -> String {
    let folder = root.ancestors().nth(2).and_then(Path::file_name);
    folder.unwrap().to_string_lossy().into_owned()
}
