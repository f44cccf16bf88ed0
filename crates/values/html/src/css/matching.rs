//! Whether a node matches a selector.

use super::{Combinator, Complex, Compound, CssSelector, Nth, Simple, Test};
use crate::tree::{HtmlDocument, HtmlNode, NodeId};

/// The blanks between the words of an attribute.
const BLANKS: [char; 5] = [' ', '\t', '\r', '\n', '\x0c'];

impl CssSelector {
    /// Whether the node matches. Some selectors match text (`:contains("x")` alone).
    #[must_use]
    pub fn matches(&self, document: &HtmlDocument, id: NodeId) -> bool {
        self.group
            .iter()
            .any(|complex| complex.matches(document, id))
    }
}

impl Complex {
    fn matches(&self, document: &HtmlDocument, id: NodeId) -> bool {
        self.subject.matches(document, id) && fits(&self.context, document, id)
    }
}

/// Whether the left part of a selector matches around a node.
fn fits(context: &[(Combinator, Compound)], document: &HtmlDocument, id: NodeId) -> bool {
    let Some(((combinator, left), further)) = context.split_first() else {
        return true;
    };
    let is_left = |id: NodeId| left.matches(document, id) && fits(further, document, id);
    match combinator {
        Combinator::Descendant => document.ancestors(id).any(is_left),
        Combinator::Child => document.parent(id).is_some_and(is_left),
        Combinator::Adjacent => before(document, id)
            .find(|id| !matches!(document.data(*id), HtmlNode::Text(_) | HtmlNode::Comment(_)))
            .is_some_and(is_left),
        Combinator::Sibling => before(document, id).any(is_left),
    }
}

/// The siblings before a node, nearest first.
fn before(document: &HtmlDocument, id: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(document.previous(id), |id| document.previous(*id))
}

impl Compound {
    fn matches(&self, document: &HtmlDocument, id: NodeId) -> bool {
        if self.parts.is_empty() {
            return document.is_element(id);
        }
        self.parts.iter().all(|part| part.matches(document, id))
    }
}

impl Simple {
    fn matches(&self, document: &HtmlDocument, id: NodeId) -> bool {
        let has = |name| document.attribute(id, name).is_some();
        let is_element = document.is_element(id);
        let tag = document.tag(id).unwrap_or_default();
        match self {
            Self::Tag(name) => is_element && tag == name,
            Self::Id(own) => document.attribute(id, "id") == Some(own),
            Self::Class(class) => document
                .attribute(id, "class")
                .is_some_and(|words| has_word(words, class, false)),
            Self::Attribute {
                name,
                test,
                ignores_case,
            } => is_element && test.passes(document.attribute(id, name), *ignores_case),
            Self::Is(inner) => is_element && inner.matches(document, id),
            Self::Not(inner) => is_element && !inner.matches(document, id),
            Self::Has(inner) => {
                is_element
                    && document
                        .subtree(id)
                        .skip(1)
                        .any(|id| inner.matches(document, id))
            }
            Self::HasChild(inner) => {
                is_element && document.children(id).any(|id| inner.matches(document, id))
            }
            Self::Contains {
                text,
                own,
                ignores_case,
            } => {
                let whole = text_of(document, id, *own);
                if *ignores_case {
                    whole.to_lowercase().contains(text)
                } else {
                    whole.contains(text)
                }
            }
            Self::Matches { pattern, own } => pattern.is_match(&text_of(document, id, *own)),
            Self::Nth(nth) => is_element && nth.matches(document, id),
            Self::OnlyChild { of_type } => {
                is_element
                    && document
                        .parent(id)
                        .is_some_and(|parent| peers(document, parent, id, *of_type).count() == 1)
            }
            Self::Input => matches!(tag, "input" | "select" | "textarea" | "button"),
            Self::Empty { ignores_blanks } => is_element && is_empty(document, id, *ignores_blanks),
            Self::Root => is_element && document.parent(id) == Some(HtmlDocument::ROOT),
            Self::Link => matches!(tag, "a" | "area" | "link") && has("href"),
            Self::Lang(lang) => std::iter::once(id)
                .chain(document.ancestors(id))
                .filter_map(|id| document.attribute(id, "lang"))
                .any(|own| {
                    own.strip_prefix(lang.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
                }),
            Self::Enabled => match tag {
                "a" | "area" | "link" => has("href"),
                _ => is_disabled(document, id) == Some(false),
            },
            Self::Disabled => is_disabled(document, id) == Some(true),
            Self::Checked => match tag {
                "input" | "menuitem" => {
                    let kind = document.attribute(id, "type").unwrap_or_default();
                    let kind = kind.to_ascii_lowercase();
                    has("checked") && matches!(kind.as_str(), "checkbox" | "radio")
                }
                "option" => has("selected"),
                _ => false,
            },
            Self::Never => false,
        }
    }
}

fn text_of(document: &HtmlDocument, id: NodeId, own: bool) -> String {
    let mut text = String::new();
    if own {
        for child in document.children(id) {
            if let HtmlNode::Text(part) = document.data(child) {
                text.push_str(part);
            }
        }
    } else if id != HtmlDocument::ROOT {
        document.push_text(id, &mut text);
    }
    text
}

fn is_empty(document: &HtmlDocument, id: NodeId, ignores_blanks: bool) -> bool {
    document
        .children(id)
        .all(|child| match document.data(child) {
            HtmlNode::Element { .. } => false,
            HtmlNode::Text(text) => ignores_blanks && text.trim().is_empty(),
            _ => true,
        })
}

/// Whether a control is disabled; `None` for what cannot be.
fn is_disabled(document: &HtmlDocument, id: NodeId) -> Option<bool> {
    let own = document.attribute(id, "disabled").is_some();
    match document.tag(id)? {
        "optgroup" | "menuitem" | "fieldset" => Some(own),
        "button" | "input" | "select" | "textarea" | "option" => {
            Some(own || is_in_disabled_fieldset(document, id))
        }
        _ => None,
    }
}

fn is_in_disabled_fieldset(document: &HtmlDocument, id: NodeId) -> bool {
    let is_legend = |id| document.tag(id) == Some("legend");
    let mut below = id;
    for parent in document.ancestors(id) {
        if document.tag(parent) == Some("fieldset")
            && document.attribute(parent, "disabled").is_some()
            && (!is_legend(below) || before(document, below).any(is_legend))
        {
            return true;
        }
        below = parent;
    }
    false
}

/// The elements among which a node's place is counted.
fn peers(
    document: &HtmlDocument,
    parent: NodeId,
    id: NodeId,
    of_type: bool,
) -> impl Iterator<Item = NodeId> {
    let tag = document.tag(id);
    document.children(parent).filter(move |child| {
        let own = document.tag(*child);
        own.is_some() && (!of_type || own == tag)
    })
}

impl Nth {
    fn matches(self, document: &HtmlDocument, id: NodeId) -> bool {
        let Some(parent) = document.parent(id) else {
            return false;
        };
        let mut place = 0_i64;
        let mut count = 0_i64;
        for peer in peers(document, parent, id, self.of_type) {
            count += 1;
            if peer == id {
                place = count;
                if !self.last {
                    break;
                }
            }
        }
        if self.last {
            place = count - place + 1;
        }
        let from = place.wrapping_sub(self.b);
        if self.a == 0 {
            return from == 0;
        }
        from.wrapping_rem(self.a) == 0 && from.wrapping_div(self.a) >= 0
    }
}

impl Test {
    fn passes(&self, value: Option<&str>, ignores_case: bool) -> bool {
        let Some(value) = value else {
            return matches!(self, Self::NotEqual(_));
        };
        let folded = |text: &str| {
            if ignores_case {
                text.to_lowercase()
            } else {
                text.to_owned()
            }
        };
        // A blank attribute has neither beginning nor end.
        let part = |test: fn(&str, &str) -> bool, wanted: &str| {
            !value.trim().is_empty() && test(&folded(value), &folded(wanted))
        };
        match self {
            Self::Present => true,
            Self::Equal(wanted) => same(value, wanted, ignores_case),
            Self::NotEqual(wanted) => !same(value, wanted, ignores_case),
            Self::Word(wanted) => has_word(value, wanted, ignores_case),
            Self::Dash(wanted) => {
                same(value, wanted, ignores_case)
                    || value
                        .split_at_checked(wanted.len())
                        .is_some_and(|(start, rest)| {
                            rest.starts_with('-') && same(start, wanted, ignores_case)
                        })
            }
            Self::Prefix(wanted) => part(|value, wanted| value.starts_with(wanted), wanted),
            Self::Suffix(wanted) => part(|value, wanted| value.ends_with(wanted), wanted),
            Self::Substring(wanted) => part(|value, wanted| value.contains(wanted), wanted),
            Self::Pattern(pattern) => pattern.is_match(value),
        }
    }
}

fn same(one: &str, other: &str, ignores_case: bool) -> bool {
    one == other || ignores_case && one.to_lowercase() == other.to_lowercase()
}

fn has_word(words: &str, wanted: &str, ignores_case: bool) -> bool {
    !words.is_empty()
        && words
            .trim_end_matches(BLANKS)
            .split(BLANKS)
            .any(|word| same(word, wanted, ignores_case))
}
