//! `k6/html`: documents, and how scripts query them.
//!
//! This file has the exports and the classes of their objects. The document and its selectors
//! are `loadline_html`'s; `selection` is a list of its nodes, and `form` computes what a form
//! sends. Scripts call what is in `methods`, `element_methods` and `kinds`, all of which get
//! what they return from `objects`. A document is freed with the last object of a script that
//! refers to it.

mod address;
mod data;
mod element;
mod element_methods;
mod form;
mod kinds;
mod methods;
mod objects;
mod prototypes;
mod selection;

use std::cell::RefCell;
use std::rc::Rc;

use loadline_html::{CssSelector, HtmlParser};
use loadline_js::{Ctx, Exception, Exports, Value};

use crate::modules::go_error::go_error;
use prototypes::Prototypes;
use selection::Selection;

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    let parse = ctx.function("parseHTML", 1, |ctx, args| {
        let selection = root(ctx, &objects::text_of(args, 0)?, "")?;
        objects::object(ctx, selection)
    })?;
    exports.add("parseHTML", parse);
    Ok(exports)
}

fn root(ctx: &Ctx, text: &str, url: &str) -> Result<Rc<Selection>, Exception> {
    Prototypes::install(ctx, make_prototypes);
    let mut parser = HtmlParser::new(text);
    let document = loop {
        let read = parser.read_piece();
        match read.map_err(|error| go_error(ctx, error.to_string()))? {
            Some(document) => break document,
            None => ctx.give_way()?,
        }
    };
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
        objects::control_value(ctx, form::value(&self.0))
    }

    /// What the form would send, as an object.
    pub(super) fn fields(&self, ctx: &Ctx) -> Result<Value, Exception> {
        objects::fields_object(ctx, &self.0)
    }

    /// As the object scripts see.
    pub(super) fn into_object(self, ctx: &Ctx) -> Result<Value, Exception> {
        objects::object(ctx, self.0)
    }
}

fn make_prototypes(ctx: &Ctx) -> Result<Prototypes, Exception> {
    let methods = methods::prototype(ctx)?;
    Ok(Prototypes {
        passed: methods::passed_prototype(ctx, &methods)?,
        selection: methods::template(ctx, &methods)?,
        attribute: element_methods::attribute_prototype(ctx)?,
        element: element_methods::prototype(ctx)?,
        kinds: RefCell::default(),
        kind_of_tag: kinds::of_tag,
        prototype_of_kind: kinds::prototype,
    })
}
