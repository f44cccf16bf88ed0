//! A parsed document: its nodes are in one vector, linked by index, and freed together.
//!
//! Traversal follows the links and never recurses, so a deep document needs no stack.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName};

/// A node of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// Its place among the nodes of its document.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Debug)]
pub enum HtmlNode {
    /// The root.
    Document,
    /// A document type.
    Doctype {
        /// The root element's name.
        name: StrTendril,
        /// The public identifier.
        public: StrTendril,
        /// The system identifier.
        system: StrTendril,
    },
    /// Text.
    Text(StrTendril),
    /// A comment.
    Comment(StrTendril),
    /// An element.
    Element {
        /// Its name, with its namespace.
        name: QualName,
        /// Its attributes, in their order.
        attributes: Vec<Attribute>,
    },
}

#[derive(Debug)]
struct Node {
    data: HtmlNode,
    parent: Option<NodeId>,
    first: Option<NodeId>,
    last: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
}

/// A document; its root is always there.
#[derive(Debug)]
pub struct HtmlDocument {
    nodes: Vec<Node>,
}

impl HtmlDocument {
    /// The root.
    pub const ROOT: NodeId = NodeId(0);

    /// With nothing but the root.
    pub(super) fn empty() -> Self {
        let mut document = Self { nodes: Vec::new() };
        document.add(HtmlNode::Document);
        document
    }

    /// Adds a node that has no place yet.
    pub(super) fn add(&mut self, data: HtmlNode) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("a document is smaller than 4 GiB");
        self.nodes.push(Node {
            data,
            parent: None,
            first: None,
            last: None,
            previous: None,
            next: None,
        });
        NodeId(id)
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// What a node is.
    #[must_use]
    pub fn data(&self, id: NodeId) -> &HtmlNode {
        &self.node(id).data
    }

    pub(super) fn data_mut(&mut self, id: NodeId) -> &mut HtmlNode {
        &mut self.node_mut(id).data
    }

    /// The node it is a child of.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// Its first child.
    #[must_use]
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first
    }

    /// Its last child.
    #[must_use]
    pub fn last_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).last
    }

    /// The sibling before it.
    #[must_use]
    pub fn previous(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).previous
    }

    /// The sibling after it.
    #[must_use]
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next
    }

    /// Puts a node without a place before `before`, or last.
    pub(super) fn insert(&mut self, parent: NodeId, child: NodeId, before: Option<NodeId>) {
        let previous = match before {
            Some(before) => self.previous(before),
            None => self.last_child(parent),
        };
        let node = self.node_mut(child);
        (node.parent, node.previous, node.next) = (Some(parent), previous, before);
        match previous {
            Some(previous) => self.node_mut(previous).next = Some(child),
            None => self.node_mut(parent).first = Some(child),
        }
        match before {
            Some(before) => self.node_mut(before).previous = Some(child),
            None => self.node_mut(parent).last = Some(child),
        }
    }

    /// Takes a node from its place, if it has one.
    pub(super) fn detach(&mut self, id: NodeId) {
        let node = self.node_mut(id);
        let Some(parent) = node.parent.take() else {
            return;
        };
        let (previous, next) = (node.previous.take(), node.next.take());
        match previous {
            Some(previous) => self.node_mut(previous).next = next,
            None => self.node_mut(parent).first = next,
        }
        match next {
            Some(next) => self.node_mut(next).previous = previous,
            None => self.node_mut(parent).last = previous,
        }
    }

    /// Whether it is an element.
    #[must_use]
    pub fn is_element(&self, id: NodeId) -> bool {
        matches!(self.data(id), HtmlNode::Element { .. })
    }

    /// The tag's name; `None` for what is no element.
    #[must_use]
    pub fn tag(&self, id: NodeId) -> Option<&str> {
        match self.data(id) {
            HtmlNode::Element { name, .. } => Some(&name.local),
            _ => None,
        }
    }

    /// As Go's `goquery` names nodes.
    #[must_use]
    pub fn name(&self, id: NodeId) -> &str {
        match self.data(id) {
            HtmlNode::Document => "#document",
            HtmlNode::Doctype { name, .. } => name,
            HtmlNode::Text(_) => "#text",
            HtmlNode::Comment(_) => "#comment",
            HtmlNode::Element { name, .. } => &name.local,
        }
    }

    /// Its attributes; none for what is no element.
    #[must_use]
    pub fn attributes(&self, id: NodeId) -> &[Attribute] {
        match self.data(id) {
            HtmlNode::Element { attributes, .. } => attributes,
            _ => &[],
        }
    }

    /// The value of an attribute.
    #[must_use]
    pub fn attribute(&self, id: NodeId, name: &str) -> Option<&str> {
        self.attributes(id)
            .iter()
            .find(|attribute| &*attribute.name.local == name)
            .map(|attribute| &*attribute.value)
    }

    /// Children of all kinds, first to last.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(id), |child| self.next(*child))
    }

    /// Parent, its parent and so on to the root.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |node| self.parent(*node))
    }

    /// The node and all within it, in document order.
    pub fn subtree(&self, top: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(top), move |node| self.following(*node, top))
    }

    /// What comes after a node in document order, within `top`.
    fn following(&self, id: NodeId, top: NodeId) -> Option<NodeId> {
        if let Some(child) = self.first_child(id) {
            return Some(child);
        }
        let mut at = id;
        while at != top {
            if let Some(next) = self.next(at) {
                return Some(next);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// Appends the text of a node and of all within it.
    pub fn push_text(&self, id: NodeId, out: &mut String) {
        for node in self.subtree(id) {
            if let HtmlNode::Text(text) = self.data(node) {
                out.push_str(text);
            }
        }
    }

    /// Whether `outer` is an ancestor of `inner`.
    #[must_use]
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        self.ancestors(inner).any(|ancestor| ancestor == outer)
    }
}
