//! The Rust files of the workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::code::Found;

/// A source file, and what is looked for in it.
pub(crate) struct SourceFile {
    /// From the workspace's root.
    pub(crate) path: PathBuf,
    pub(crate) found: Found,
}

/// All files of `crates`, those of tests too.
pub(crate) static FILES: LazyLock<Vec<SourceFile>> = LazyLock::new(|| {
    let root = root();
    let files = every_source(&root.join("crates")).into_iter().map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        let parsed = syn::parse_file(&text);
        SourceFile {
            found: Found::in_file(
                &parsed.unwrap_or_else(|error| panic!("{}: {error}", path.display())),
            ),
            path: path.strip_prefix(&root).unwrap().to_owned(),
        }
    });
    let files: Vec<_> = files.collect();
    assert!(files.len() > 1000, "the whole workspace is looked at");
    files
});

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The Rust files below a folder, without those of tests.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let is_test = |path: &Path| path.ends_with("tests") || path.ends_with("tests.rs");
    rust_files(folder, &|path| !is_test(path))
}

fn every_source(folder: &Path) -> Vec<PathBuf> {
    rust_files(folder, &|_| true)
}

fn rust_files(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let wanted = children(folder).into_iter().filter(|path| is_wanted(path));
    let (folders, files): (Vec<_>, Vec<_>) = wanted.partition(|path| path.is_dir());
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|end| end == "rs");
    let deeper = folders
        .iter()
        .flat_map(|folder| rust_files(folder, is_wanted));
    files.into_iter().filter(is_rust).chain(deeper).collect()
}

pub(crate) fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}
