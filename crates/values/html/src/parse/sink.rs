//! What html5ever tells of a document while it reads it, made into a tree.
//!
//! The content of a template is a child of the template itself, as in Go's parser.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, LocalName, Namespace, QualName};

use super::NESTING_MAX;
use crate::tree::{HtmlDocument, HtmlNode, NodeId};

/// A document that is being read.
pub(super) struct DocumentSink {
    document: RefCell<HtmlDocument>,
    places: RefCell<Vec<Place>>,
    /// An element was put deeper than [`NESTING_MAX`].
    is_too_deep: Cell<bool>,
}

/// What is known of a node only while its document is read.
#[derive(Debug, Default)]
struct Place {
    /// An element's name. The parser asks for the names of all open elements at most tags, so it
    /// must be cheap to give.
    name: Option<Rc<QualName>>,
    /// How deep it was put.
    depth: usize,
}

/// A tag's name that does not borrow from the tree.
#[derive(Debug)]
pub(super) struct Name(Rc<QualName>);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl DocumentSink {
    pub(super) fn new() -> Self {
        Self {
            document: RefCell::new(HtmlDocument::empty()),
            places: RefCell::new(vec![Place::default()]),
            is_too_deep: Cell::new(false),
        }
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.is_too_deep.get()
    }

    fn add(&self, data: HtmlNode) -> NodeId {
        let name = match &data {
            HtmlNode::Element { name, .. } => Some(Rc::new(name.clone())),
            _ => None,
        };
        self.places.borrow_mut().push(Place { name, depth: 0 });
        self.document.borrow_mut().add(data)
    }

    /// Notes how deep an element is put.
    fn deepen(&self, parent: NodeId, child: NodeId) {
        let mut places = self.places.borrow_mut();
        let depth = places[parent.index()].depth + 1;
        let place = &mut places[child.index()];
        place.depth = depth;
        if depth > NESTING_MAX && place.name.is_some() {
            self.is_too_deep.set(true);
        }
    }

    /// Puts a node, or text that joins the text before it, before `before` or last.
    fn place(&self, parent: NodeId, child: NodeOrText<NodeId>, before: Option<NodeId>) {
        let mut document = self.document.borrow_mut();
        let node = match child {
            NodeOrText::AppendNode(node) => {
                document.detach(node);
                self.deepen(parent, node);
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
                self.places.borrow_mut().push(Place::default());
                document.add(HtmlNode::Text(text))
            }
        };
        document.insert(parent, node, before);
    }
}

impl TreeSink for DocumentSink {
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
        match &self.places.borrow()[target.index()].name {
            Some(name) => Name(name.clone()),
            None => unreachable!("the parser asks for the names of elements only"),
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
