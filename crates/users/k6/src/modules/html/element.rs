//! What the objects of elements carry, and what a tag's own methods give.

use std::rc::Rc;

use loadline_html::{HtmlNode, NodeId};
use loadline_js::{Ctx, Exception, Value};

use super::address::Part;
use super::selection::Selection;

/// A node, and the selection it was taken from: k6 reads text and attributes from that.
pub(super) struct Element {
    pub(super) node: NodeId,
    pub(super) selection: Rc<Selection>,
    pub(super) kind: Option<&'static Kind>,
}

impl Element {
    /// Whether its tag has no methods of its own; only those are selectors.
    pub(super) fn is_plain(&self) -> bool {
        self.kind.is_none()
    }

    /// Go's name of its type in k6.
    pub(super) fn type_name(&self) -> &'static str {
        self.kind.map_or("Element", |kind| kind.type_name)
    }

    pub(super) fn data(&self) -> &HtmlNode {
        self.selection.document.data(self.node)
    }

    pub(super) fn own_attribute(&self, name: &str) -> Option<&str> {
        self.selection.document.attribute(self.node, name)
    }
}

/// A tag with methods of its own.
pub(super) struct Kind {
    pub(super) tag: &'static str,
    /// Go's name of its type in k6.
    pub(super) type_name: &'static str,
    /// From the most general to its own.
    pub(super) methods: &'static [&'static [Method]],
}

pub(super) type Method = (&'static str, Read);

/// What a method gives.
#[derive(Clone, Copy)]
pub(super) enum Read {
    /// An attribute; empty when it is missing.
    Text(&'static str),
    /// An attribute that is a URL.
    Address(&'static str),
    /// An integer, with a default.
    Number(&'static str, i32),
    /// Whether the attribute is there.
    Flag(&'static str),
    /// One of some words, or another.
    OneOf(&'static str, &'static [&'static str], &'static str),
    /// `crossorigin`, if it is a word that is known.
    CrossOrigin,
    Fixed(&'static str),
    /// A part of the URL in `href`.
    Part(Part),
    Call(fn(&Ctx, &Element) -> Result<Value, Exception>),
}
