//! A list of nodes of one document, and how to get from it to other nodes. The rules are
//! those of Go's `goquery`: no node twice, in the order in which they were found.
//!
//! Scripts use it through `methods`; nothing here knows scripts.

use std::collections::HashSet;
use std::rc::Rc;

use loadline_html::{CssSelector, HtmlDocument, NodeId};

/// Some nodes. Never changes.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) document: Rc<HtmlDocument>,
    pub(super) nodes: Vec<NodeId>,
    /// The URL of the response the document came with; empty for other documents.
    pub(super) url: Rc<str>,
    /// Whether a script's filter got it, or it was made from one that a filter got:
    /// those have other methods.
    pub(super) is_passed: bool,
    /// What it was made from.
    origin: Option<Rc<Selection>>,
}

/// A chain of origins is let go link by link: it may be longer than the stack.
impl Drop for Selection {
    fn drop(&mut self) {
        let mut origin = self.origin.take();
        while let Some(link) = origin {
            origin = Rc::into_inner(link).and_then(|mut link| link.origin.take());
        }
    }
}

/// Which siblings of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Siblings {
    Next,
    NextAll,
    Previous,
    PreviousAll,
    All,
}

/// Where a walk over siblings or ancestors ends.
#[derive(Debug)]
pub(super) enum Until {
    CssSelector(CssSelector),
    Nodes(Vec<NodeId>),
}

impl Until {
    fn is_reached(&self, document: &HtmlDocument, id: NodeId) -> bool {
        match self {
            Self::CssSelector(selector) => selector.matches(document, id),
            Self::Nodes(nodes) => nodes.contains(&id),
        }
    }
}

impl Selection {
    /// The root of a document.
    pub(super) fn root(document: HtmlDocument, url: Rc<str>) -> Rc<Self> {
        Rc::new(Self {
            document: Rc::new(document),
            nodes: vec![HtmlDocument::ROOT],
            url,
            is_passed: false,
            origin: None,
        })
    }

    /// Other nodes of the document, with this as origin.
    pub(super) fn derive(self: &Rc<Self>, nodes: Vec<NodeId>) -> Rc<Self> {
        Rc::new(Self {
            document: self.document.clone(),
            nodes,
            url: self.url.clone(),
            is_passed: self.is_passed,
            origin: Some(self.clone()),
        })
    }

    /// One node, for a script's filter.
    pub(super) fn passed(&self, node: NodeId) -> Rc<Self> {
        Rc::new(Self {
            document: self.document.clone(),
            nodes: vec![node],
            url: self.url.clone(),
            is_passed: true,
            origin: None,
        })
    }

    /// Other nodes of the document, without origin.
    pub(super) fn detached(&self, nodes: Vec<NodeId>) -> Rc<Self> {
        Rc::new(Self {
            document: self.document.clone(),
            nodes,
            url: self.url.clone(),
            is_passed: self.is_passed,
            origin: None,
        })
    }

    /// What this was made from; nothing for what was made from nothing.
    pub(super) fn end(&self) -> Rc<Self> {
        match &self.origin {
            Some(origin) => origin.clone(),
            None => self.detached(Vec::new()),
        }
    }

    /// The first node.
    pub(super) fn first_node(&self) -> Option<NodeId> {
        self.nodes.first().copied()
    }

    /// The node at a place; negative ones count from the end.
    pub(super) fn eq(self: &Rc<Self>, index: i64) -> Rc<Self> {
        let length = i64::try_from(self.nodes.len()).unwrap_or(i64::MAX);
        let index = if index < 0 {
            index.saturating_add(length)
        } else {
            index
        };
        let node = usize::try_from(index)
            .ok()
            .and_then(|index| self.nodes.get(index));
        match node {
            Some(node) => self.derive(vec![*node]),
            None => self.detached(Vec::new()),
        }
    }

    /// Those from `start` up to `end`, negative places counting from the end.
    pub(super) fn slice(self: &Rc<Self>, start: i64, end: Option<i64>) -> Rc<Self> {
        let length = i64::try_from(self.nodes.len()).unwrap_or(i64::MAX);
        let place = |at: i64| {
            let at = if at < 0 {
                at.saturating_add(length)
            } else {
                at
            };
            usize::try_from(at.clamp(0, length)).unwrap_or_default()
        };
        let (start, end) = (place(start), place(end.unwrap_or(length)));
        self.derive(self.nodes.get(start..end).unwrap_or_default().to_vec())
    }

    /// What `found` finds from each node, none twice.
    fn collect<I: Iterator<Item = NodeId>>(&self, found: impl Fn(NodeId) -> I) -> Vec<NodeId> {
        if let [node] = self.nodes[..] {
            return found(node).collect();
        }
        let mut seen = HashSet::new();
        let all = self.nodes.iter().flat_map(|node| found(*node));
        all.filter(|node| seen.insert(*node)).collect()
    }

    /// The nodes within these that match.
    pub(super) fn find(self: &Rc<Self>, selector: &CssSelector) -> Rc<Self> {
        self.derive(self.find_nodes(selector))
    }

    /// The first of them.
    pub(super) fn single(self: &Rc<Self>, selector: &CssSelector) -> Rc<Self> {
        let mut nodes = self.find_nodes(selector);
        nodes.truncate(1);
        self.derive(nodes)
    }

    fn find_nodes(&self, selector: &CssSelector) -> Vec<NodeId> {
        let document = &*self.document;
        self.collect(|node| {
            let elements = document
                .children(node)
                .filter(|id| document.is_element(*id));
            elements
                .flat_map(|element| document.subtree(element))
                .filter(|id| selector.matches(document, *id))
        })
    }

    /// Those of some nodes that are within these.
    pub(super) fn find_among(self: &Rc<Self>, nodes: &[NodeId]) -> Rc<Self> {
        let within = |node: &NodeId| self.contains(*node);
        self.derive(unique(nodes.iter().copied().filter(within)))
    }

    /// The nodes of the whole document that match.
    pub(super) fn anywhere(&self, selector: &CssSelector) -> Vec<NodeId> {
        self.detached(vec![HtmlDocument::ROOT]).find_nodes(selector)
    }

    /// The nodes below the topmost ancestor of the first that match.
    pub(super) fn around(&self, selector: &str) -> Rc<Self> {
        let top = self.ancestors().last().copied();
        let top = self.detached(top.into_iter().collect());
        top.find(&CssSelector::new(selector))
    }

    /// Whether one of these is an ancestor of `node`.
    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.nodes
            .iter()
            .any(|outer| self.document.contains(*outer, node))
    }

    /// These and some more.
    pub(super) fn with(self: &Rc<Self>, nodes: &[NodeId]) -> Rc<Self> {
        self.derive(unique(self.nodes.iter().chain(nodes).copied()))
    }

    /// Those that pass.
    pub(super) fn keep(self: &Rc<Self>, mut passes: impl FnMut(NodeId) -> bool) -> Rc<Self> {
        let nodes = self.nodes.iter().copied();
        self.derive(nodes.filter(|node| passes(*node)).collect())
    }

    /// Those that match.
    pub(super) fn filter(self: &Rc<Self>, selector: &CssSelector) -> Rc<Self> {
        self.keep(|node| selector.matches(&self.document, node))
    }

    /// Whether one matches.
    pub(super) fn is(&self, selector: &CssSelector) -> bool {
        self.nodes
            .iter()
            .any(|node| selector.matches(&self.document, *node))
    }

    /// Those with one of some nodes within.
    pub(super) fn has(self: &Rc<Self>, nodes: &[NodeId]) -> Rc<Self> {
        self.keep(|outer| {
            nodes
                .iter()
                .any(|inner| self.document.contains(outer, *inner))
        })
    }

    /// For each the nearest that passes: itself or an ancestor.
    pub(super) fn closest(self: &Rc<Self>, passes: impl Fn(NodeId) -> bool) -> Rc<Self> {
        self.derive(self.collect(|node| {
            let nearest = std::iter::once(node)
                .chain(self.document.ancestors(node))
                .find(|id| passes(*id));
            nearest.into_iter()
        }))
    }

    /// Child elements.
    pub(super) fn children(&self) -> Vec<NodeId> {
        let document = &*self.document;
        self.collect(|node| {
            document
                .children(node)
                .filter(|id| document.is_element(*id))
        })
    }

    /// Children of all kinds.
    pub(super) fn contents(&self) -> Vec<NodeId> {
        self.collect(|node| self.document.children(node))
    }

    /// Parent elements.
    pub(super) fn parents(&self) -> Vec<NodeId> {
        let document = &*self.document;
        self.collect(|node| {
            let parent = document.parent(node).filter(|id| document.is_element(*id));
            parent.into_iter()
        })
    }

    /// All ancestor elements, the nearest first.
    pub(super) fn ancestors(&self) -> Vec<NodeId> {
        self.ancestors_until(None)
    }

    /// Ancestor elements up to the one where the walk ends.
    pub(super) fn ancestors_until(&self, until: Option<&Until>) -> Vec<NodeId> {
        let document = &*self.document;
        let goes_on = |id: &NodeId| until.is_none_or(|until| !until.is_reached(document, *id));
        self.collect(|node| {
            let way = document.ancestors(node).take_while(goes_on);
            way.filter(|id| document.is_element(*id))
        })
    }

    /// Sibling elements.
    pub(super) fn siblings(&self, which: Siblings) -> Vec<NodeId> {
        self.siblings_until(which, None)
    }

    /// Sibling elements up to the one where the walk ends.
    pub(super) fn siblings_until(&self, which: Siblings, until: Option<&Until>) -> Vec<NodeId> {
        let document = &*self.document;
        let most = match which {
            Siblings::Next | Siblings::Previous => 1,
            _ => usize::MAX,
        };
        let step = move |id: &NodeId| match which {
            Siblings::Previous | Siblings::PreviousAll => document.previous(*id),
            _ => document.next(*id),
        };
        let goes_on = |id: &NodeId| until.is_none_or(|until| !until.is_reached(document, *id));
        self.collect(|node| {
            let first = match which {
                Siblings::All => document
                    .parent(node)
                    .and_then(|parent| document.first_child(parent)),
                _ => step(&node),
            };
            std::iter::successors(first, step)
                .filter(move |id| document.is_element(*id) && *id != node)
                .take_while(goes_on)
                .take(most)
        })
    }

    /// An attribute of the first node.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.document.attribute(self.first_node()?, name)
    }

    /// The name of the first node; empty without one.
    pub(super) fn name(&self) -> &str {
        self.first_node()
            .map_or("", |node| self.document.name(node))
    }

    /// The text of all these nodes.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for node in &self.nodes {
            self.document.push_text(*node, &mut text);
        }
        text
    }

    /// The inner HTML of the first node, if it can be written.
    pub(super) fn html(&self) -> Option<String> {
        self.first_node().map_or_else(
            || Some(String::new()),
            |node| loadline_html::inner_html(&self.document, node),
        )
    }

    /// The place of a node among these.
    pub(super) fn place(&self, node: Option<NodeId>) -> Option<usize> {
        let node = node?;
        self.nodes.iter().position(|own| *own == node)
    }
}

fn unique(nodes: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    let mut seen = HashSet::new();
    nodes.filter(|node| seen.insert(*node)).collect()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::Selection;
    use loadline_html::{HtmlLimitError, parse};

    fn page(text: &str) -> Rc<Selection> {
        Selection::root(parse(text).expect("it is not deep"), "".into())
    }

    #[test]
    fn a_chain_longer_than_the_stack_is_let_go() {
        let mut selection = page("<p>");
        for _ in 0..1_000_000 {
            selection = selection.eq(0);
        }
        drop(selection);
    }

    #[test]
    fn places_beyond_the_nodes_leave_nothing() {
        let all = page("<p>1<p>2<p>3").find(&super::CssSelector::new("p"));
        assert_eq!(all.slice(7, None).nodes.len(), 0);
        assert_eq!(all.slice(2, Some(1)).nodes.len(), 0);
        assert_eq!(all.slice(-9, Some(2)).text(), "12");
        assert_eq!(all.eq(i64::MIN).nodes.len(), 0);
    }

    #[test]
    fn elements_deeper_than_k6_reads_are_refused() {
        // html and body are on the stack too.
        assert!(parse(&"<div>".repeat(510)).is_ok());
        assert_eq!(
            parse(&"<div>".repeat(511)).err(),
            Some(HtmlLimitError::Nesting)
        );
        let beside = format!("{}{}", "<div>".repeat(510), "<br>".repeat(9));
        assert_eq!(parse(&beside).err(), Some(HtmlLimitError::Nesting));
    }
}
