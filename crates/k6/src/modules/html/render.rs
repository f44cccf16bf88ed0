//! Nodes as text again, as Go's `golang.org/x/net/html` writes them.

use super::tree::{Data, Document, NodeId};

/// What stands within a node.
pub(super) fn inner(document: &Document, id: NodeId) -> String {
    let mut out = String::new();
    for child in document.children(id) {
        node(document, child, &mut out);
    }
    out
}

fn node(document: &Document, top: NodeId, out: &mut String) {
    let mut at = top;
    loop {
        open(document, at, out);
        if let Some(child) = document.first_child(at) {
            at = child;
            continue;
        }
        close(document, at, out);
        loop {
            // Nothing can follow plain text, not even its end.
            if at == top || document.tag(at) == Some("plaintext") {
                return;
            }
            if let Some(next) = document.next(at) {
                at = next;
                break;
            }
            let Some(parent) = document.parent(at) else {
                return;
            };
            at = parent;
            close(document, at, out);
        }
    }
}

fn open(document: &Document, id: NodeId, out: &mut String) {
    match document.data(id) {
        Data::Document => {}
        Data::Text(text) if is_literal_within(document, id) => out.push_str(text),
        Data::Text(text) => escape(text, out),
        Data::Comment(text) => {
            out.push_str("<!--");
            escape_comment(text, out);
            out.push_str("-->");
        }
        Data::Doctype {
            name,
            public,
            system,
        } => doctype(name, public, system, out),
        Data::Element { name, attributes } => {
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
                && let Data::Text(text) = document.data(first)
                && text.starts_with('\n')
            {
                out.push('\n'); // a parser drops the first
            }
        }
    }
}

fn close(document: &Document, id: NodeId, out: &mut String) {
    let is_closed = |tag: &&str| !is_void(tag) && *tag != "plaintext";
    if let Some(tag) = document.tag(id).filter(is_closed) {
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

/// Whether a text stands in an element whose text is not escaped.
fn is_literal_within(document: &Document, id: NodeId) -> bool {
    let Some(parent) = document.parent(id) else {
        return false;
    };
    let Data::Element { name, .. } = document.data(parent) else {
        return false;
    };
    name.ns == html5ever::ns!(html)
        && matches!(
            &*name.local,
            "iframe"
                | "noembed"
                | "noframes"
                | "noscript"
                | "plaintext"
                | "script"
                | "style"
                | "xmp"
        )
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
