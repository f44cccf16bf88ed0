//! Writes nodes as text, the way Go's `golang.org/x/net/html` does.

use crate::tree::{HtmlDocument, HtmlNode, NodeId};

/// The inner HTML of a node; `None` when it cannot be written: in SVG and MathML, void
/// elements may have content.
#[must_use]
pub fn inner_html(document: &HtmlDocument, id: NodeId) -> Option<String> {
    let mut out = String::new();
    for child in document.children(id) {
        node(document, child, &mut out)?;
    }
    Some(out)
}

fn node(document: &HtmlDocument, top: NodeId, out: &mut String) -> Option<()> {
    let mut at = top;
    loop {
        open(document, at, out);
        if let Some(child) = document.first_child(at) {
            if document.tag(at).is_some_and(is_void) {
                return None;
            }
            at = child;
            continue;
        }
        loop {
            // Nothing can follow plain text, not even its end.
            if document.tag(at) == Some("plaintext") && is_literal(document, at) {
                return Some(());
            }
            close(document, at, out);
            if at == top {
                return Some(());
            }
            if let Some(next) = document.next(at) {
                at = next;
                break;
            }
            at = document.parent(at)?;
        }
    }
}

fn open(document: &HtmlDocument, id: NodeId, out: &mut String) {
    match document.data(id) {
        HtmlNode::Document => {}
        HtmlNode::Text(text) if is_in_literal(document, id) => out.push_str(text),
        HtmlNode::Text(text) => escape(text, out),
        HtmlNode::Comment(text) => {
            out.push_str("<!--");
            escape_comment(text, out);
            out.push_str("-->");
        }
        HtmlNode::Doctype {
            name,
            public,
            system,
        } => doctype(name, public, system, out),
        HtmlNode::Element { name, attributes } => {
            out.push('<');
            out.push_str(&name.local);
            for attribute in attributes {
                out.push(' ');
                if let Some(prefix) = attribute.name.prefix.as_deref().filter(|p| !p.is_empty()) {
                    out.push_str(prefix);
                    out.push(':');
                }
                out.push_str(&attribute.name.local);
                out.push_str("=\"");
                escape(&attribute.value, out);
                out.push('"');
            }
            if is_void(&name.local) {
                out.push_str("/>");
                return;
            }
            out.push('>');
            if matches!(&*name.local, "pre" | "listing" | "textarea")
                && let Some(first) = document.first_child(id)
                && let HtmlNode::Text(text) = document.data(first)
                && text.starts_with('\n')
            {
                out.push('\n'); // a parser drops the first
            }
        }
    }
}

fn close(document: &HtmlDocument, id: NodeId, out: &mut String) {
    if let Some(tag) = document.tag(id).filter(|tag| !is_void(tag)) {
        out.push_str("</");
        out.push_str(tag);
        out.push('>');
    }
}

fn doctype(name: &str, public: &str, system: &str, out: &mut String) {
    out.push_str("<!DOCTYPE ");
    escape(name, out);
    if !public.is_empty() {
        out.push_str(" PUBLIC ");
        quoted(public, out);
        if !system.is_empty() {
            out.push(' ');
            quoted(system, out);
        }
    } else if !system.is_empty() {
        out.push_str(" SYSTEM ");
        quoted(system, out);
    }
    out.push('>');
}

fn quoted(text: &str, out: &mut String) {
    let quote = if text.contains('"') { '\'' } else { '"' };
    out.push(quote);
    out.push_str(&text.replace('>', "&gt;"));
    out.push(quote);
}

fn is_in_literal(document: &HtmlDocument, id: NodeId) -> bool {
    document
        .parent(id)
        .is_some_and(|parent| is_literal(document, parent))
}

/// Whether an element's text is not escaped.
fn is_literal(document: &HtmlDocument, id: NodeId) -> bool {
    let is_html = |id: &NodeId| match document.data(*id) {
        HtmlNode::Element { name, .. } => name.ns == html5ever::ns!(html),
        _ => true,
    };
    let tag = document.tag(id).unwrap_or_default();
    let is_kind = matches!(
        tag,
        "iframe" | "noembed" | "noframes" | "noscript" | "plaintext" | "script" | "style" | "xmp"
    );
    // One that came into SVG or MathML by mistake is read again as part of that.
    let foreign = || document.ancestors(id).find(|id| !is_html(id));
    is_kind && is_html(&id) && foreign().is_none_or(|id| holds_html(document, id))
}

/// Whether an element of SVG or MathML has HTML within.
fn holds_html(document: &HtmlDocument, id: NodeId) -> bool {
    match document.tag(id) {
        Some("foreignObject" | "desc" | "title") => true,
        Some("annotation-xml") => document.attribute(id, "encoding").is_some_and(|encoding| {
            encoding.eq_ignore_ascii_case("text/html")
                || encoding.eq_ignore_ascii_case("application/xhtml+xml")
        }),
        _ => false,
    }
}

fn is_void(tag: &str) -> bool {
    matches!(
        tag,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&#39;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&#34;"),
            '\r' => out.push_str("&#13;"),
            c => out.push(c),
        }
    }
}

fn escape_comment(text: &str, out: &mut String) {
    let mut before = '!';
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '>' if matches!(before, '!' | '-') => out.push_str("&gt;"),
            c => out.push(c),
        }
        before = c;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::inner_html;
    use crate::{HtmlDocument, parse};

    fn written(text: &str) -> Option<String> {
        inner_html(&parse(text).expect("it is small"), HtmlDocument::ROOT)
    }

    #[test]
    fn what_cannot_follow_or_be_within_is_not_written() {
        assert_eq!(
            written("<b><plaintext>a<b>").as_deref(),
            Some("<html><head></head><body><b><plaintext>a<b>")
        );
        assert_eq!(written("<svg><col><g>"), None);
        let svg = "<html><head></head><body><svg><plaintext>&lt;</plaintext></svg></body></html>";
        assert_eq!(written("<svg><plaintext>&lt;").as_deref(), Some(svg));
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_the_same(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "<div>", "</div>", "<p class='a&b'>", "</p>", "<li>", "<ul>", "</ul>", "<b>",
                    "</b>", "x < y", "&amp;", "\n", "<br>", "<textarea>", "</textarea>",
                    "<script>a<b</script>", "<!-- c -->", "é", "<input value='\"'>",
                ]),
                0..12,
            ),
        ) {
            // Misnested formatting is moved about at first; after that nothing moves.
            let once = written(&written(&parts.concat()).unwrap_or_default());
            prop_assert_eq!(written(once.as_deref().unwrap_or_default()), once);
        }

        #[test]
        fn no_text_brings_the_parser_down(text in "[<>a-z/!= \"'&;\\-\\[\\]\\x00é\r\n]{0,200}") {
            let _ = inner_html(&parse(&text).unwrap(), HtmlDocument::ROOT);
        }
    }
}
