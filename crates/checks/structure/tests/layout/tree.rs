//! The modules of a crate as its sources declare them, and what a path in one of them leads to.
//!
//! A name that a module re-exports counts as the item it comes from. Test code is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, UseTree};

use super::paths::PathsInCode;

/// A module's place in its crate's tree.
pub(crate) type ModuleId = usize;

pub(crate) struct Module {
    /// Its name; the root of a crate has none.
    pub(crate) name: String,
    /// Where it is written; an inline module shares the file of the one around it.
    pub(crate) file: PathBuf,
    pub(crate) parent: Option<ModuleId>,
    children: BTreeMap<String, ModuleId>,
    items: BTreeSet<String>,
    /// Names that a `use` brings in, with the path each comes from.
    imports: BTreeMap<String, Vec<String>>,
    /// Paths of `use path::*`.
    globs: Vec<Vec<String>>,
    /// Paths that its code names; a re-export is none.
    pub(crate) paths: BTreeSet<Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Module(ModuleId),
    /// An item, by the module that declares it.
    ItemOf(ModuleId),
}

/// All modules of a crate, its root first.
pub(crate) struct ModuleTree {
    pub(crate) modules: Vec<Module>,
}

const ROOT: ModuleId = 0;
/// Re-exports of re-exports followed before a path is given up.
const STEPS_MAX: usize = 12;

impl ModuleTree {
    /// Reads the crate whose `lib.rs` or `main.rs` is `root`.
    pub(crate) fn read(root: &Path) -> Self {
        let mut tree = Self {
            modules: Vec::new(),
        };
        let folder = root.parent().unwrap().to_owned();
        let place = Place {
            name: String::new(),
            file: root.to_owned(),
            parent: None,
        };
        tree.add(place, &folder, &parse(root).items);
        tree
    }

    fn add(&mut self, place: Place, folder: &Path, items: &[Item]) -> ModuleId {
        let id = self.modules.len();
        let file = place.file.clone();
        self.modules.push(Module::new(place, items));
        for item in items {
            let Item::Mod(module) = item else { continue };
            if is_test(&module.attrs) {
                continue;
            }
            let name = module.ident.to_string();
            let inside = folder.join(&name);
            let place = |file: PathBuf| Place {
                name: name.clone(),
                file,
                parent: Some(id),
            };
            let child = if let Some((_, items)) = &module.content {
                self.add(place(file.clone()), &inside, items)
            } else {
                let own = path_of(&module.attrs).map(|path| file.with_file_name(path));
                let named = [folder.join(format!("{name}.rs")), inside.join("mod.rs")];
                let source = own.into_iter().chain(named).find(|path| path.exists());
                let source = source.unwrap_or_else(|| panic!("{}: mod {name}", file.display()));
                if is_test_file(&source) {
                    continue;
                }
                let items = parse(&source).items;
                self.add(place(source), &inside, &items)
            };
            self.modules[id].children.insert(name, child);
        }
        id
    }

    /// The paths of the two modules of one parent that hold the two; none when one holds the other.
    pub(crate) fn siblings_above(&self, from: ModuleId, to: ModuleId) -> Option<(String, String)> {
        let (from, to) = (self.line_to(from), self.line_to(to));
        let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let path = |line: &[ModuleId]| {
            let names = line.get(1..=same)?.iter();
            let names: Vec<&str> = names.map(|id| self.modules[*id].name.as_str()).collect();
            Some(names.join("::"))
        };
        Some((path(&from)?, path(&to)?))
    }

    /// The modules from the root to this one.
    fn line_to(&self, mut id: ModuleId) -> Vec<ModuleId> {
        let mut line = vec![id];
        while let Some(parent) = self.modules[id].parent {
            line.push(parent);
            id = parent;
        }
        line.reverse();
        line
    }

    pub(crate) fn top_level_count(&self) -> usize {
        self.modules[ROOT].children.len()
    }

    /// What a path in the code of `module` leads to, when that is of this crate.
    pub(crate) fn resolve(&self, module: ModuleId, path: &[String]) -> Option<Target> {
        self.follow(module, path, STEPS_MAX)
    }

    fn follow(&self, module: ModuleId, path: &[String], steps: usize) -> Option<Target> {
        let steps = steps.checked_sub(1)?;
        let mut at = module;
        let mut rest = path;
        match path.first().map(String::as_str)? {
            "crate" => (at, rest) = (ROOT, &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    (at, rest) = (self.modules[at].parent?, &rest[1..]);
                }
            }
            // A plain name: of this module, or brought in by it.
            name if !self.knows(at, name) => {
                let globbed = self.through_globs(at, name, steps)?;
                return self.beyond(globbed, &path[1..], steps);
            }
            _ => {}
        }
        self.inside(at, rest, steps)
    }

    fn inside(&self, at: ModuleId, path: &[String], steps: usize) -> Option<Target> {
        let Some((name, rest)) = path.split_first() else {
            return Some(Target::Module(at));
        };
        let module = &self.modules[at];
        if let Some(child) = module.children.get(name) {
            return self.inside(*child, rest, steps);
        }
        if module.items.contains(name) {
            return Some(Target::ItemOf(at));
        }
        if let Some(import) = module.imports.get(name) {
            return self.beyond(self.follow(at, import, steps)?, rest, steps);
        }
        match self.through_globs(at, name, steps) {
            Some(found) => self.beyond(found, rest, steps),
            // What a macro made.
            None => Some(Target::ItemOf(at)),
        }
    }

    fn beyond(&self, found: Target, rest: &[String], steps: usize) -> Option<Target> {
        match found {
            Target::Module(module) => self.inside(module, rest, steps),
            Target::ItemOf(_) => Some(found),
        }
    }

    fn through_globs(&self, at: ModuleId, name: &str, steps: usize) -> Option<Target> {
        let steps = steps.checked_sub(1)?;
        self.modules[at].globs.iter().find_map(|glob| {
            let Target::Module(module) = self.follow(at, glob, steps)? else {
                return None;
            };
            (module != at && self.knows(module, name))
                .then(|| self.inside(module, &[name.to_owned()], steps))?
        })
    }

    fn knows(&self, at: ModuleId, name: &str) -> bool {
        let module = &self.modules[at];
        module.children.contains_key(name)
            || module.items.contains(name)
            || module.imports.contains_key(name)
    }
}

/// Where a module stands.
struct Place {
    name: String,
    file: PathBuf,
    parent: Option<ModuleId>,
}

impl Module {
    fn new(place: Place, items: &[Item]) -> Self {
        let mut module = Self {
            name: place.name,
            file: place.file,
            parent: place.parent,
            children: BTreeMap::new(),
            items: items.iter().filter_map(name_of).collect(),
            imports: BTreeMap::new(),
            globs: Vec::new(),
            paths: BTreeSet::new(),
        };
        let code = PathsInCode::of_items(items);
        module.paths = code.paths;
        for used in code.uses {
            module.add_use(&used);
        }
        module
    }

    fn add_use(&mut self, used: &syn::ItemUse) {
        let is_import = matches!(used.vis, syn::Visibility::Inherited);
        let mut leaves = Vec::new();
        flatten(&used.tree, &mut Vec::new(), &mut leaves);
        for leaf in leaves {
            match leaf.name {
                Some(name) => {
                    if is_import {
                        self.paths.insert(leaf.path.clone());
                    }
                    self.imports.insert(name, leaf.path);
                }
                None => self.globs.push(leaf.path),
            }
        }
    }
}

/// One path of a `use`, and the name it gets; a glob gives none.
struct UseLeaf {
    path: Vec<String>,
    name: Option<String>,
}

fn flatten(tree: &UseTree, before: &mut Vec<String>, leaves: &mut Vec<UseLeaf>) {
    let with = |last: &syn::Ident| -> Vec<String> {
        let last = (last != "self").then(|| last.to_string());
        before.iter().cloned().chain(last).collect()
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, leaves);
            before.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, leaves);
            }
        }
        UseTree::Name(name) => {
            let path = with(&name.ident);
            let name = path.last().cloned();
            leaves.push(UseLeaf { path, name });
        }
        UseTree::Rename(renamed) => leaves.push(UseLeaf {
            path: with(&renamed.ident),
            name: Some(renamed.rename.to_string()),
        }),
        UseTree::Glob(_) => leaves.push(UseLeaf {
            path: before.clone(),
            name: None,
        }),
    }
}

fn name_of(item: &Item) -> Option<String> {
    let (attributes, name) = match item {
        Item::Const(item) => (&item.attrs, &item.ident),
        Item::Enum(item) => (&item.attrs, &item.ident),
        Item::Fn(item) => (&item.attrs, &item.sig.ident),
        Item::Macro(item) => (&item.attrs, item.ident.as_ref()?),
        Item::Static(item) => (&item.attrs, &item.ident),
        Item::Struct(item) => (&item.attrs, &item.ident),
        Item::Trait(item) => (&item.attrs, &item.ident),
        Item::Type(item) => (&item.attrs, &item.ident),
        Item::Union(item) => (&item.attrs, &item.ident),
        _ => return None,
    };
    (!is_test(attributes)).then(|| name.to_string())
}

fn parse(path: &Path) -> syn::File {
    let text = fs::read_to_string(path).unwrap();
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn is_test_file(path: &Path) -> bool {
    path.iter()
        .any(|part| part == "tests" || part == "tests.rs")
}

/// Whether an item is there for tests only.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let tokens = match &attribute.meta {
            syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string(),
            _ => return false,
        };
        tokens == "test" || tokens.starts_with("all (test")
    })
}

/// `#[path = "..."]`.
fn path_of(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let syn::Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        let syn::Expr::Lit(literal) = &pair.value else {
            return None;
        };
        match &literal.lit {
            syn::Lit::Str(text) if pair.path.is_ident("path") => Some(text.value()),
            _ => None,
        }
    })
}
