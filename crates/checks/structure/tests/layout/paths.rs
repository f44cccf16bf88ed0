//! The paths that code names, and the `use` items that give them short names.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Item, ItemMod, ItemUse};

use super::tree::is_test;

/// Of the items of one module, without its inline modules and its tests.
#[derive(Default)]
pub(crate) struct PathsInCode {
    pub(crate) paths: BTreeSet<Vec<String>>,
    pub(crate) uses: Vec<ItemUse>,
}

impl PathsInCode {
    pub(crate) fn of_items(items: &[Item]) -> Self {
        let mut found = Self::default();
        for item in items {
            found.visit_item(item);
        }
        found
    }

    fn add(&mut self, path: Vec<String>) {
        if !path.is_empty() {
            self.paths.insert(path);
        }
    }

    /// Paths in the arguments of macros are not parsed; they are read token by token.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.add(std::mem::take(&mut path));
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
        self.add(path);
    }
}

impl<'ast> Visit<'ast> for PathsInCode {
    fn visit_item_mod(&mut self, _module: &'ast ItemMod) {}

    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Fn(function) = item
            && is_test(&function.attrs)
        {
            return;
        }
        if let Item::Impl(implementation) = item
            && is_test(&implementation.attrs)
        {
            return;
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, used: &'ast ItemUse) {
        if !is_test(&used.attrs) {
            self.uses.push(used.clone());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts = path.segments.iter().map(|part| part.ident.to_string());
        self.add(parts.collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, used: &'ast syn::Macro) {
        self.visit_path(&used.path);
        self.add_tokens(used.tokens.clone());
    }
}
