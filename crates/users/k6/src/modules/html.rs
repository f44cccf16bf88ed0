//! `k6/html`: documents, and how scripts query them.
//!
//! This file has the exports and the classes of their objects. The document and its selectors
//! are `loadline_html`'s; `selection` is a list of its nodes, and `form` computes what a form
//! sends. Scripts call what is in `methods`, `element` and `kinds`. A document is freed with
//! the last object of a script that refers to it.

mod address;
mod data;
mod element;
mod form;
mod kinds;
mod methods;
mod selection;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use loadline_html::CssSelector;
use loadline_js::{Args, Ctx, Exception, Exports, Template, Value};

use super::go_error;
use selection::Selection;

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    let parse = ctx.function("parseHTML", 1, |ctx, args| {
        let selection = root(ctx, &methods::text_of(args, 0)?, "")?;
        methods::object(ctx, selection)
    })?;
    exports.add("parseHTML", parse);
    Ok(exports)
}

fn root(ctx: &Ctx, text: &str, url: &str) -> Result<Rc<Selection>, Exception> {
    let document =
        loadline_html::parse_limited(text).map_err(|error| go_error(ctx, error.to_string()))?;
    Ok(Selection::root(document, url.into()))
}

/// The page a response holds.
pub(super) struct Page(Rc<Selection>);

impl Page {
    /// Reads a response's body.
    ///
    /// # Errors
    /// k6's, when elements go too deep.
    pub(super) fn read(ctx: &Ctx, body: &[u8], url: &str) -> Result<Self, Exception> {
        root(ctx, &String::from_utf8_lossy(body), url).map(Self)
    }

    /// What matches within it.
    pub(super) fn find(&self, selector: &str) -> Self {
        Self(self.0.find(&CssSelector::new(selector)))
    }

    /// Whether there is nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.0.nodes.is_empty()
    }

    /// An attribute of the first element.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.0.attribute(name)
    }

    /// The value of the first element, if it is a control.
    pub(super) fn value(&self, ctx: &Ctx) -> Result<Value, Exception> {
        methods::held(ctx, form::value(&self.0))
    }

    /// What the form would send, as an object.
    pub(super) fn fields(&self, ctx: &Ctx) -> Result<Value, Exception> {
        methods::fields_object(ctx, &self.0)
    }

    /// As the object scripts see.
    pub(super) fn into_object(self, ctx: &Ctx) -> Result<Value, Exception> {
        methods::object(ctx, self.0)
    }
}

/// The prototypes of the module's objects, each made with its first object.
struct Prototypes {
    selection: Template,
    /// What filters are called with: Go's own selection, where k6 has its own elsewhere.
    passed: Value,
    attribute: Value,
    element: Value,
    /// Of elements with methods of their own, by tag.
    kinds: RefCell<HashMap<&'static str, Value>>,
}

impl Prototypes {
    fn of(ctx: &Ctx) -> Result<Rc<Self>, Exception> {
        if let Some(shapes) = ctx.try_host::<Self>() {
            return Ok(shapes);
        }
        let methods = methods::prototype(ctx)?;
        let shapes = Rc::new(Self {
            passed: methods::passed_prototype(ctx, &methods)?,
            selection: methods::template(ctx, &methods)?,
            attribute: element::attribute_prototype(ctx)?,
            element: element::prototype(ctx)?,
            kinds: RefCell::default(),
        });
        ctx.set_host(shapes.clone());
        Ok(shapes)
    }
}

/// The Go type k6 names when a value is no selector.
fn type_name(value: &Value) -> String {
    if let Some(element) = value.host::<element::Element>() {
        return format!("html.{}", element.type_name());
    }
    super::http::go_type_name(value).to_owned()
}

fn not_a_selector(ctx: &Ctx, value: &Value) -> Exception {
    let name = type_name(value);
    go_error(
        ctx,
        format!("invalid argument, cannot use a '{name}' as a selector"),
    )
}

/// The selection a method was called on.
fn this(args: &Args<'_>) -> Result<Rc<Selection>, Exception> {
    args.this_host::<Selection>()
}
