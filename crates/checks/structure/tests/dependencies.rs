//! A crate names only the dependencies it uses: what nobody calls is still fetched, built and audited.
//!
//! A dependency counts as used when its name stands as a word of the language somewhere in the crate's sources:
//! `build.rs` for build dependencies, `src` for normal ones, everything for those of tests, with the examples in the READMEs
//! that a source includes.

#![expect(
    clippy::unwrap_used,
    reason = "a tool for tests: what cannot be read fails the test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;

/// Dependencies that no source names, each with why it is needed all the same.
const NOT_NAMED: [(&str, &str, &str); 1] = [(
    "loadline-js",
    "rquickjs_sys",
    "never built: `build.rs` compiles the C source inside it",
)];

#[test]
fn every_dependency_is_used() {
    let mut unused = Vec::new();
    let mut needless: BTreeSet<(&str, &str)> = NOT_NAMED
        .iter()
        .map(|(package, dependency, _)| (*package, *dependency))
        .collect();
    let packages = packages();
    assert!(packages.len() > 10, "the whole workspace is looked at");
    for package in packages {
        for dependency in unused_of(&package) {
            let row = NOT_NAMED
                .iter()
                .find(|(of, name, _)| *of == package.name && *name == dependency);
            match row {
                Some((of, name, _)) => drop(needless.remove(&(*of, *name))),
                None => unused.push(format!("{}: {dependency}", package.name)),
            }
        }
    }
    assert!(unused.is_empty(), "unused:\n{}", unused.join("\n"));
    assert!(needless.is_empty(), "used, take out: {needless:?}");
}

#[test]
fn a_planted_dependency_that_nobody_calls_is_found() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    let source = "// only_a_comment::f()\nfn f() -> &'static str { called::g(); \"only_text\" }";
    fs::write(folder.path().join("src/lib.rs"), source).unwrap();
    fs::write(folder.path().join("build.rs"), "fn main() { built::h() }").unwrap();
    let normal = ["called", "only_text", "only_a_comment", "built"];
    let kinds = normal.map(|name| (name.to_owned(), Kind::Normal));
    let package = Package {
        name: "planted".to_owned(),
        folder: folder.path().to_owned(),
        dependencies: kinds
            .into_iter()
            .chain([("built_too".to_owned(), Kind::Build)])
            .collect(),
    };
    let expected = ["built", "built_too", "only_a_comment", "only_text"];
    assert_eq!(unused_of(&package), expected);
}

struct Package {
    name: String,
    folder: PathBuf,
    /// By the name that sources use.
    dependencies: BTreeMap<String, Kind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Normal,
    Build,
    Dev,
}

impl Kind {
    fn of(kind: &Value) -> Self {
        match kind.as_str() {
            None => Self::Normal,
            Some("build") => Self::Build,
            Some(_) => Self::Dev,
        }
    }

    /// Where a dependency of this kind may be named, from the package's folder.
    fn places(self) -> &'static [&'static str] {
        match self {
            Self::Normal => &["src"],
            Self::Build => &["build.rs"],
            Self::Dev => &["src", "tests", "benches", "examples"],
        }
    }
}

fn unused_of(package: &Package) -> Vec<&str> {
    let mut words: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut is_named = |(name, kind): &(&String, &Kind)| {
        kind.places().iter().any(|place| {
            let words = words
                .entry(place)
                .or_insert_with(|| words_of(&package.folder.join(place)));
            words.contains(name.as_str())
        })
    };
    package
        .dependencies
        .iter()
        .filter(|dependency| !is_named(dependency))
        .map(|(name, _)| name.as_str())
        .collect()
}

/// All identifiers of a source file, or of those in a folder.
fn words_of(path: &Path) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            words.append(&mut words_of(&entry.unwrap().path()));
        }
    } else if path.extension() == Some(OsStr::new("rs")) && path.exists() {
        let source = fs::read_to_string(path).unwrap();
        collect(parsed(&source, path), &mut words);
        for readme in included_readmes(&source) {
            let readme = path.with_file_name("").join(readme);
            for example in examples_of(&fs::read_to_string(&readme).unwrap()) {
                collect(parsed(&example, &readme), &mut words);
            }
        }
    }
    words
}

fn parsed(source: &str, path: &Path) -> TokenStream {
    let tokens = source.parse();
    tokens.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The READMEs that a source includes, whose examples are its tests.
fn included_readmes(source: &str) -> impl Iterator<Item = &str> {
    let included = source.split("include_str!(\"").skip(1);
    let paths = included.filter_map(|rest| rest.split('"').next());
    paths.filter(|path| path.ends_with("README.md"))
}

/// The Rust in a document, block by block, lines that are hidden by `#` as well.
fn examples_of(document: &str) -> Vec<String> {
    let blocks = document.split("```rust\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("```").next());
    blocks.map(|block| block.replace("\n# ", "\n")).collect()
}

#[test]
fn the_examples_of_an_included_readme_use_what_they_name() {
    let document = "text\n```rust\nuse named::it;\n# hidden::f();\n```\n```sh\nnot_rust\n```\n";
    let mut words = BTreeSet::new();
    for example in examples_of(document) {
        collect(parsed(&example, Path::new("README.md")), &mut words);
    }
    assert!(words.contains("named") && words.contains("hidden") && !words.contains("not_rust"));
    let source =
        "#[doc = include_str!(\"../README.md\")]\nconst A: &str = include_str!(\"a.txt\");";
    assert_eq!(
        included_readmes(source).collect::<Vec<_>>(),
        ["../README.md"]
    );
}

fn collect(tokens: TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => drop(words.insert(word.to_string())),
            TokenTree::Group(group) => collect(group.stream(), words),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The workspace's packages, with the names under which they know their dependencies.
fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let members: BTreeSet<&str> = metadata["workspace_members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_str().unwrap())
        .collect();
    let manifests: BTreeMap<&str, &Value> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| (package["id"].as_str().unwrap(), package))
        .collect();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap().iter();
    nodes
        .filter_map(|node| {
            let id = node["id"].as_str().unwrap();
            members.contains(id).then(|| package(manifests[id], node))
        })
        .collect()
}

fn package(manifest: &Value, node: &Value) -> Package {
    let folder = Path::new(manifest["manifest_path"].as_str().unwrap())
        .parent()
        .unwrap();
    let mut dependencies = BTreeMap::new();
    for dependency in node["deps"].as_array().unwrap() {
        let name = dependency["name"].as_str().unwrap();
        for kind in dependency["dep_kinds"].as_array().unwrap() {
            let kind = Kind::of(&kind["kind"]);
            // A dependency of tests that is a normal one, too, is used by either.
            let known = dependencies.entry(name.to_owned()).or_insert(kind);
            if kind == Kind::Normal {
                *known = kind;
            }
        }
    }
    Package {
        name: manifest["name"].as_str().unwrap().to_owned(),
        folder: folder.to_owned(),
        dependencies,
    }
}
