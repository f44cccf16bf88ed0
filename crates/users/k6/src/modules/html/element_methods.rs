//! Methods of every element. Methods of certain elements are in `kinds`.

use std::rc::Rc;

use loadline_html::{CssSelector, HtmlNode};
use loadline_js::{Args, Ctx, Exception, IntoJs, Value};

use super::element::Element;
use super::objects::{element_object, list, node, nodes, object, optional, text_of, texts};
use super::prototypes::Prototypes;
use super::selection::Siblings;

fn this(args: &Args<'_>) -> Result<Rc<Element>, Exception> {
    args.this_host::<Element>()
}

type Read = fn(&Ctx, &Element) -> Result<Value, Exception>;

/// Methods without arguments.
const READS: [(&str, Read); 30] = [
    ("attributes", attributes),
    ("childElementCount", |ctx, element| {
        let count = u32::try_from(element.selection.children().len());
        Ok(ctx.number(f64::from(count.unwrap_or(u32::MAX))))
    }),
    ("childNodes", |ctx, element| {
        nodes(ctx, element, element.selection.contents())
    }),
    ("children", |ctx, element| {
        nodes(ctx, element, element.selection.children())
    }),
    ("classList", |ctx, element| {
        let classes = element.selection.attribute("class").unwrap_or_default();
        texts(ctx, classes.split_whitespace())
    }),
    ("className", |ctx, element| {
        optional(ctx, element.selection.attribute("class"))
    }),
    ("firstChild", |ctx, element| {
        let child = element.selection.document.first_child(element.node);
        node(ctx, element, child)
    }),
    ("firstElementChild", |ctx, element| {
        node(ctx, element, element.selection.children().first().copied())
    }),
    ("hasAttributes", |ctx, element| {
        let attributes = element.selection.document.attributes(element.node);
        Ok(ctx.bool(!attributes.is_empty()))
    }),
    ("hasChildNodes", |ctx, element| {
        let child = element.selection.document.first_child(element.node);
        Ok(ctx.bool(child.is_some()))
    }),
    ("id", |ctx, element| {
        ctx.string(element.selection.attribute("id").unwrap_or_default())
    }),
    ("innerHTML", |ctx, element| {
        element.selection.html().into_js(ctx)
    }),
    ("isDefaultNamespace", |ctx, element| {
        Ok(ctx.bool(!is_foreign(element)))
    }),
    ("lang", |ctx, element| {
        optional(ctx, element.own_attribute("lang"))
    }),
    ("lastChild", |ctx, element| {
        let child = element.selection.document.last_child(element.node);
        node(ctx, element, child)
    }),
    ("lastElementChild", |ctx, element| {
        node(ctx, element, element.selection.children().last().copied())
    }),
    ("namespaceURI", |ctx, element| {
        ctx.string(match element.data() {
            HtmlNode::Element { name, .. } => &name.ns,
            _ => "http://www.w3.org/1999/xhtml",
        })
    }),
    ("nextElementSibling", |ctx, element| {
        let next = element.selection.siblings(Siblings::Next);
        element_object(ctx, &element.selection.detached(next))
    }),
    ("nextSibling", |ctx, element| {
        let next = element.selection.document.next(element.node);
        node(ctx, element, next)
    }),
    ("nodeName", |ctx, element| {
        ctx.string(element.selection.name())
    }),
    ("nodeType", |ctx, element| {
        Ok(ctx.number(match element.data() {
            HtmlNode::Element { .. } => 1.0,
            HtmlNode::Text(_) => 3.0,
            HtmlNode::Comment(_) => 8.0,
            HtmlNode::Document => 9.0,
            HtmlNode::Doctype { .. } => 10.0,
        }))
    }),
    ("nodeValue", |ctx, element| match element.data() {
        // A comment's is empty in k6.
        HtmlNode::Text(_) | HtmlNode::Comment(_) => ctx.string(&element.selection.text()),
        _ => Ok(ctx.undefined()),
    }),
    ("ownerDocument", |ctx, element| {
        node(ctx, element, Some(loadline_html::HtmlDocument::ROOT))
    }),
    ("parentElement", |ctx, element| {
        element_object(
            ctx,
            &element.selection.detached(element.selection.parents()),
        )
    }),
    ("parentNode", |ctx, element| {
        let parent = element.selection.document.parent(element.node);
        node(ctx, element, parent)
    }),
    ("previousElementSibling", |ctx, element| {
        let previous = element.selection.siblings(Siblings::Previous);
        element_object(ctx, &element.selection.detached(previous))
    }),
    ("previousSibling", |ctx, element| {
        let previous = element.selection.document.previous(element.node);
        node(ctx, element, previous)
    }),
    ("selection", |ctx, element| {
        object(ctx, element.selection.clone())
    }),
    ("textContent", |ctx, element| {
        ctx.string(&element.selection.text())
    }),
    ("toString", |ctx, element| match element.data() {
        HtmlNode::Element { .. } => ctx.string("[object html.Node]"),
        _ => ctx.string(&format!("[object {}]", element.selection.name())),
    }),
];

pub(super) fn prototype(ctx: &Ctx) -> Result<Value, Exception> {
    let prototype = ctx.object()?;
    for (name, read) in READS {
        prototype.method(name, 0, move |ctx, args| read(ctx, &*this(args)?))?;
    }
    prototype.method("getAttribute", 1, |ctx, args| {
        let (element, name) = (this(args)?, text_of(args, 0)?);
        optional(ctx, element.selection.attribute(&name))
    })?;
    prototype.method("getAttributeNode", 1, get_attribute_node)?;
    prototype.method("hasAttribute", 1, |_, args| {
        let (element, name) = (this(args)?, text_of(args, 0)?);
        Ok(element.selection.attribute(&name).is_some())
    })?;
    prototype.method("getElementsByClassName", 1, |ctx, args| {
        found(ctx, args, |name| format!(".{name}"))
    })?;
    prototype.method("getElementsByTagName", 1, |ctx, args| {
        found(ctx, args, |name| name)
    })?;
    prototype.method("querySelectorAll", 1, |ctx, args| {
        found(ctx, args, |selector| selector)
    })?;
    prototype.method("querySelector", 1, |ctx, args| {
        let selector = CssSelector::new(&text_of(args, 0)?);
        element_object(ctx, &this(args)?.selection.find(&selector))
    })?;
    prototype.method("matches", 1, |_, args| {
        let selector = CssSelector::new(&text_of(args, 0)?);
        Ok(this(args)?.selection.is(&selector))
    })?;
    prototype.method("contains", 1, |_, args| {
        let element = this(args)?;
        let contains = |other: Rc<Element>| element.selection.contains(other.node);
        Ok(other(args).is_some_and(contains))
    })?;
    prototype.method("isEqualNode", 1, |_, args| {
        let element = this(args)?;
        let own = element.selection.html();
        let is_equal = |other: Rc<Element>| own.is_some() && own == other.selection.html();
        Ok(other(args).is_some_and(is_equal))
    })?;
    prototype.method("isSameNode", 1, |_, args| {
        let element = this(args)?;
        Ok(other(args).is_some_and(|other| {
            element.node == other.node
                && Rc::ptr_eq(&element.selection.document, &other.selection.document)
        }))
    })?;
    Ok(prototype)
}

/// The element to compare with; k6 knows those of no kind only.
fn other(args: &Args<'_>) -> Option<Rc<Element>> {
    let other = args.get(0).host::<Element>()?;
    other.is_plain().then_some(other)
}

fn found(
    ctx: &Ctx,
    args: &Args<'_>,
    selector: impl FnOnce(String) -> String,
) -> Result<Value, Exception> {
    let selector = CssSelector::new(&selector(text_of(args, 0)?));
    list(ctx, &this(args)?.selection.find(&selector))
}

fn is_foreign(element: &Element) -> bool {
    matches!(element.data(), HtmlNode::Element { name, .. } if name.ns != html5ever::ns!(html))
}

/// What an attribute's object carries.
struct Attribute {
    name: String,
    prefix: String,
}

pub(super) fn attribute_prototype(ctx: &Ctx) -> Result<Value, Exception> {
    let prototype = ctx.object()?;
    prototype.method("localName", 0, |_, args| {
        Ok(args.this_host::<Attribute>()?.name.clone())
    })?;
    prototype.method("prefix", 0, |_, args| {
        Ok(args.this_host::<Attribute>()?.prefix.clone())
    })?;
    prototype.method("namespaceURI", 0, |_, args| {
        Ok(match args.this_host::<Attribute>()?.prefix.as_str() {
            "svg" => "http://www.w3.org/2000/svg",
            "math" => "http://www.w3.org/1998/Math/MathML",
            _ => "http://www.w3.org/1999/xhtml",
        })
    })?;
    Ok(prototype)
}

fn attribute(
    ctx: &Ctx,
    element: &Element,
    attribute: &html5ever::Attribute,
) -> Result<Value, Exception> {
    let name = attribute.name.local.to_string();
    let prefix = attribute.name.prefix.as_deref().unwrap_or_default();
    let data = Attribute {
        name: name.clone(),
        prefix: prefix.to_owned(),
    };
    let shown = ctx.host_object(&Prototypes::from_ctx(ctx)?.attribute, Rc::new(data))?;
    shown.set("owner_element", node(ctx, element, Some(element.node))?)?;
    shown.set("name", name)?;
    shown.set("value", &*attribute.value)?;
    Ok(shown)
}

fn attributes(ctx: &Ctx, element: &Element) -> Result<Value, Exception> {
    let all = ctx.object()?;
    for one in element.selection.document.attributes(element.node) {
        all.set(&*one.name.local, attribute(ctx, element, one)?)?;
    }
    Ok(all)
}

fn get_attribute_node(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let (element, name) = (this(args)?, text_of(args, 0)?);
    let attributes = element.selection.document.attributes(element.node);
    match attributes.iter().find(|one| *one.name.local == *name) {
        Some(one) => attribute(ctx, &element, one),
        None => Ok(ctx.undefined()),
    }
}
