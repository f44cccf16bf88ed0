//! Parses text into a document: html5ever drives, this builds the tree.
//!
//! The content of a template is a child of the template itself, as in Go's parser.

use std::borrow::Cow;
use std::cell::RefCell;

use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, parse_document};

use crate::tree::{HtmlDocument, HtmlNode, NodeId};

/// Elements within each other that k6 still reads.
const NESTING_MAX: usize = 512;

/// k6's error for a document that is nested too deeply.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("html: open stack of elements exceeds {NESTING_MAX} nodes")]
pub struct NestingError;

/// Reads a document; everything is one, if only of an empty body.
#[must_use]
pub fn parse(text: &str) -> HtmlDocument {
    let sink = TreeBuilder {
        document: RefCell::new(HtmlDocument::empty()),
    };
    parse_document(sink, ParseOpts::default()).one(text)
}

/// Reads a document as k6 does.
///
/// # Errors
/// [`NestingError`] when elements are nested more deeply than k6 reads.
pub fn parse_limited(text: &str) -> Result<HtmlDocument, NestingError> {
    let document = parse(text);
    if is_too_deep(&document) {
        return Err(NestingError);
    }
    Ok(document)
}

fn is_too_deep(document: &HtmlDocument) -> bool {
    let mut depth = 0;
    let mut at = HtmlDocument::ROOT;
    loop {
        if let Some(child) = document.first_child(at) {
            at = child;
            depth += 1;
            // A leaf that is no element is not on the stack.
            if depth > NESTING_MAX && document.is_element(at) {
                return true;
            }
            continue;
        }
        loop {
            if let Some(next) = document.next(at) {
                at = next;
                break;
            }
            let Some(parent) = document.parent(at) else {
                return false;
            };
            at = parent;
            depth -= 1;
        }
        if depth > NESTING_MAX && document.is_element(at) {
            return true;
        }
    }
}

struct TreeBuilder {
    document: RefCell<HtmlDocument>,
}

/// A tag's name that does not borrow from the tree.
#[derive(Debug)]
struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeBuilder {
    fn add(&self, data: HtmlNode) -> NodeId {
        self.document.borrow_mut().add(data)
    }

    /// Puts a node, or text that joins the text before it, before `before` or last.
    fn place(&self, parent: NodeId, child: NodeOrText<NodeId>, before: Option<NodeId>) {
        let mut document = self.document.borrow_mut();
        let node = match child {
            NodeOrText::AppendNode(node) => {
                document.detach(node);
                node
            }
            NodeOrText::AppendText(text) => {
                let neighbour = match before {
                    Some(before) => document.previous(before),
                    None => document.last_child(parent),
                };
                if let Some(neighbour) = neighbour
                    && let HtmlNode::Text(known) = document.data_mut(neighbour)
                {
                    known.push_tendril(&text);
                    return;
                }
                document.add(HtmlNode::Text(text))
            }
        };
        document.insert(parent, node, before);
    }
}

impl TreeSink for TreeBuilder {
    type Handle = NodeId;
    type Output = HtmlDocument;
    type ElemName<'a> = Name;

    fn finish(self) -> HtmlDocument {
        self.document.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        HtmlDocument::ROOT
    }

    fn elem_name(&self, target: &NodeId) -> Name {
        match self.document.borrow().data(*target) {
            HtmlNode::Element { name, .. } => Name(name.clone()),
            _ => unreachable!("the parser asks for the names of elements only"),
        }
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        _: ElementFlags,
    ) -> NodeId {
        self.add(HtmlNode::Element { name, attributes })
    }

    fn create_comment(&self, text: StrTendril) -> NodeId {
        self.add(HtmlNode::Comment(text))
    }

    fn create_pi(&self, _: StrTendril, data: StrTendril) -> NodeId {
        self.add(HtmlNode::Comment(data)) // HTML has none
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.place(*parent, child, None);
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        previous: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        let parent = self.document.borrow().parent(*element);
        match parent {
            Some(parent) => self.place(parent, child, Some(*element)),
            None => self.place(*previous, child, None),
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        let doctype = self.add(HtmlNode::Doctype {
            name,
            public,
            system,
        });
        self.place(HtmlDocument::ROOT, NodeOrText::AppendNode(doctype), None);
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        *target
    }

    fn same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        let parent = self.document.borrow().parent(*sibling);
        if let Some(parent) = parent {
            self.place(parent, child, Some(*sibling));
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attributes: Vec<Attribute>) {
        let mut document = self.document.borrow_mut();
        if let HtmlNode::Element {
            attributes: known, ..
        } = document.data_mut(*target)
        {
            for attribute in attributes {
                if known.iter().all(|one| one.name != attribute.name) {
                    known.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.document.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, parent: &NodeId) {
        let mut document = self.document.borrow_mut();
        while let Some(child) = document.first_child(*node) {
            document.detach(child);
            document.insert(*parent, child, None);
        }
    }

    fn allow_declarative_shadow_roots(&self, _: &NodeId) -> bool {
        false
    }
}
