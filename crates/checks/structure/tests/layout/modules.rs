//! Arrows point one way inside a crate, too: its top-level modules use each other without a
//! cycle.
//!
//! Every source file is parsed. A path that starts at `crate` (or reaches the root through
//! `super`) is an arrow from the top-level module it stands in to the one it names; a name
//! that the root re-exports counts as the module it comes from. Test code is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, UseTree};

use super::packages::packages;

/// Which top-level module uses which, with one file as the witness of each arrow.
type Arrows = BTreeMap<String, BTreeMap<String, PathBuf>>;

#[test]
fn no_crate_has_a_cycle_between_its_top_level_modules() {
    let cycles = cycles_of_all();
    assert!(cycles.is_empty(), "cycles:\n{}", cycles.join("\n"));
}

/// The top-level modules of a crate.
pub(crate) struct CrateModules {
    pub(crate) name: String,
    pub(crate) modules: usize,
    arrows: Arrows,
}

impl CrateModules {
    fn read(root: &Path) -> Self {
        Self {
            name: crate_name(root),
            modules: RootNames::of(&parse(root).items).modules.len(),
            arrows: arrows(root),
        }
    }

    /// How many arrows there are between them.
    pub(crate) fn arrows(&self) -> usize {
        self.arrows.values().map(BTreeMap::len).sum()
    }
}

/// All crates, parsed once: it takes seconds.
pub(crate) static CRATES: LazyLock<Vec<CrateModules>> = LazyLock::new(|| {
    let roots = crate_roots();
    assert!(roots.len() > 10, "the whole workspace is looked at");
    roots.iter().map(|root| CrateModules::read(root)).collect()
});

/// The cycles of all crates, each behind its crate's name.
pub(crate) fn cycles_of_all() -> Vec<String> {
    let all = CRATES.iter().flat_map(|one| {
        let cycles = cycles_of(&one.arrows).into_iter();
        cycles.map(move |cycle| format!("{}: {cycle}", one.name))
    });
    all.collect()
}

#[test]
fn a_planted_cycle_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod a; mod b; mod c; pub use b::Name;");
    write(
        "a.rs",
        "use crate::Name; mod inner { use super::super::c::X; }",
    );
    write(
        "b.rs",
        "pub struct Name; fn f() { println!(\"{}\", crate::c::X); }",
    );
    write(
        "c.rs",
        "pub const X: u8 = 0; #[cfg(test)] mod tests { use crate::a::Y; }",
    );
    let root = folder.path().join("lib.rs");
    assert_eq!(cycles_of(&arrows(&root)), Vec::<String>::new());

    write("c.rs", "use super::a::Y; pub const X: u8 = 0;");
    let found = cycles_of(&arrows(&root));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("a, b, c"), "{found:?}");
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

fn arrows(root: &Path) -> Arrows {
    let file = parse(root);
    let names = RootNames::of(&file.items);
    let folder = root.parent().unwrap();
    let mut arrows = Arrows::new();
    for module in &names.modules {
        for path in sources_of(folder, module) {
            let mut finder = Finder {
                names: &names,
                depth: depth_of(folder, &path),
                used: BTreeSet::new(),
            };
            finder.visit_file(&parse(&path));
            for used in finder.used.into_iter().filter(|used| used != module) {
                let from = arrows.entry(module.clone()).or_default();
                from.entry(used).or_insert_with(|| path.clone());
            }
        }
    }
    arrows
}

fn parse(path: &Path) -> syn::File {
    let text = fs::read_to_string(path).unwrap();
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What the crate's root declares and where the names it re-exports come from.
struct RootNames {
    modules: BTreeSet<String>,
    exported: BTreeMap<String, String>,
}

impl RootNames {
    fn of(items: &[Item]) -> Self {
        let mut names = Self {
            modules: BTreeSet::new(),
            exported: BTreeMap::new(),
        };
        for item in items {
            if let Item::Mod(module) = item
                && !is_test(&module.attrs)
            {
                names.modules.insert(module.ident.to_string());
            }
        }
        for item in items {
            if let Item::Use(used) = item {
                let mut paths = Vec::new();
                flatten(&used.tree, &mut Vec::new(), &mut paths);
                for path in paths {
                    names.add_export(path);
                }
            }
        }
        names
    }

    fn add_export(&mut self, mut path: Vec<String>) {
        if path
            .first()
            .is_some_and(|first| first == "crate" || first == "self")
        {
            path.remove(0);
        }
        if let (Some(module), Some(name)) = (path.first(), path.last())
            && self.modules.contains(module)
        {
            self.exported.insert(name.clone(), module.clone());
        }
    }

    fn module_of(&self, name: &str) -> Option<&String> {
        self.modules.get(name).or_else(|| self.exported.get(name))
    }
}

/// Every path of a `use`, with the new name where one is given.
fn flatten(tree: &UseTree, before: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, paths);
            before.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, paths);
            }
        }
        UseTree::Name(name) => paths.push(with(before, name.ident.to_string())),
        UseTree::Rename(name) => paths.push(with(before, name.rename.to_string())),
        UseTree::Glob(_) => paths.push(before.clone()),
    }
}

fn with(before: &[String], last: String) -> Vec<String> {
    before.iter().cloned().chain([last]).collect()
}

/// `name.rs` and everything in the folder `name`.
fn sources_of(folder: &Path, module: &str) -> Vec<PathBuf> {
    let mut found = vec![folder.join(format!("{module}.rs"))];
    let mut folders = vec![folder.join(module)];
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(next).into_iter().flatten();
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    found.retain(|path| path.exists() && !is_test_file(path));
    found
}

fn is_test_file(path: &Path) -> bool {
    path.iter()
        .any(|part| part == "tests" || part == "tests.rs")
}

/// How many modules lie between the crate's root and the file, itself included.
fn depth_of(folder: &Path, path: &Path) -> usize {
    let inside = path.strip_prefix(folder).unwrap();
    let is_mod = path.file_name().is_some_and(|name| name == "mod.rs");
    inside.iter().count() - usize::from(is_mod)
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let tokens = match &attribute.meta {
            syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string(),
            _ => return false,
        };
        tokens == "test" || tokens.starts_with("all (test")
    })
}

struct Finder<'a> {
    names: &'a RootNames,
    depth: usize,
    used: BTreeSet<String>,
}

impl Finder<'_> {
    /// Adds the module a path leads to when it starts at the crate's root.
    fn add(&mut self, path: &[String]) {
        let supers = path.iter().take_while(|part| *part == "super").count();
        let rest = match path.first().map(String::as_str) {
            Some("crate") => &path[1..],
            Some("super") if supers == self.depth => &path[supers..],
            _ => return,
        };
        let module = rest.first().and_then(|name| self.names.module_of(name));
        self.used.extend(module.cloned());
    }

    /// Paths in the arguments of macros are not parsed; they are read token by token.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.add(&path);
                        path.clear();
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.add_tokens(group.stream());
                    colons = 0;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => colons = 0,
            }
        }
        self.add(&path);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if is_test(&module.attrs) {
            return;
        }
        self.depth += 1;
        visit::visit_item_mod(self, module);
        self.depth -= 1;
    }

    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Fn(function) = item
            && is_test(&function.attrs)
        {
            return;
        }
        visit::visit_item(self, item);
    }

    fn visit_item_use(&mut self, used: &'ast syn::ItemUse) {
        if is_test(&used.attrs) {
            return;
        }
        let mut paths = Vec::new();
        flatten(&used.tree, &mut Vec::new(), &mut paths);
        for path in paths {
            self.add(&path);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts = path.segments.iter().map(|part| part.ident.to_string());
        self.add(&parts.collect::<Vec<_>>());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, used: &'ast syn::Macro) {
        self.visit_path(&used.path);
        self.add_tokens(used.tokens.clone());
    }
}

/// Each set of modules that reach each other, with the arrows inside it.
fn cycles_of(arrows: &Arrows) -> Vec<String> {
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
