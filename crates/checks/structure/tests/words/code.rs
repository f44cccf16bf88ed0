//! What is looked for in code: numbers that have a name, functions, tuples as parameters, bools that are matched.

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Ident, Pat, Type};

#[derive(Default)]
pub(crate) struct Found {
    /// Constants of a number or a duration.
    pub(crate) constants: Vec<Named>,
    /// Those that are no tests: a test's name is a sentence.
    pub(crate) functions: Vec<Named>,
    pub(crate) tuple_parameters: Vec<Named>,
    pub(crate) matched_bools: Vec<Named>,
}

/// A name, or the word that tells where something is, and its line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) line: usize,
}

impl Found {
    pub(crate) fn in_file(file: &syn::File) -> Self {
        let mut found = Self::default();
        found.visit_file(file);
        found
    }

    fn add_constant(&mut self, name: &Ident, ty: &Type) {
        if is_number(ty) {
            self.constants.push(Named::from(name));
        }
    }

    fn add_signature(&mut self, signature: &syn::Signature, attributes: &[Attribute]) {
        if !attributes.iter().any(is_test) {
            self.functions.push(Named::from(&signature.ident));
        }
        let tuples = signature
            .inputs
            .iter()
            .filter(|input| matches!(input, syn::FnArg::Typed(typed) if is_tuple(&typed.ty)));
        let named = tuples.map(|_| Named::from(&signature.ident));
        self.tuple_parameters.extend(named);
    }
}

impl From<&Ident> for Named {
    fn from(name: &Ident) -> Self {
        Self {
            name: name.to_string(),
            line: line_of(name.span()),
        }
    }
}

fn line_of(span: Span) -> usize {
    span.start().line
}

/// `#[test]`, `#[tokio::test]`.
fn is_test(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| last.ident == "test")
}

fn is_number(ty: &Type) -> bool {
    const NUMBERS: [&str; 15] = [
        "f32", "f64", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
        "i128", "isize", "Duration",
    ];
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| NUMBERS.iter().any(|number| last.ident == number))
}

/// A tuple of two or more, or a reference to one.
fn is_tuple(ty: &Type) -> bool {
    match ty {
        Type::Tuple(tuple) => tuple.elems.len() > 1,
        Type::Reference(reference) => is_tuple(&reference.elem),
        _ => false,
    }
}

fn is_bool(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Lit(literal) if matches!(literal.lit, syn::Lit::Bool(_)))
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.add_constant(&item.ident, &item.ty);
        visit::visit_item_const(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.add_constant(&item.ident, &item.ty);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.add_constant(&item.ident, &item.ty);
        visit::visit_trait_item_const(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add_signature(&item.sig, &item.attrs);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add_signature(&item.sig, &item.attrs);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.add_signature(&item.sig, &item.attrs);
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        if let Expr::Match(matched) = expression
            && matched.arms.iter().any(|arm| is_bool(&arm.pat))
        {
            self.matched_bools.push(Named {
                name: "match".to_owned(),
                line: line_of(matched.match_token.span),
            });
        }
        visit::visit_expr(self, expression);
    }
}
