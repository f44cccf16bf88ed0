//! Makes the objects scripts see: of selections, of elements and of what these hold.

use std::rc::Rc;

use loadline_html::NodeId;
use loadline_js::{Args, Ctx, Exception, Value};

use super::element::Element;
use super::form::{self, ControlValue};
use super::prototypes::Prototypes;
use super::selection::Selection;

/// The element a selection begins with; `undefined` without one.
pub(super) fn element_object(ctx: &Ctx, selection: &Rc<Selection>) -> Result<Value, Exception> {
    let Some(node) = selection.first_node() else {
        return Ok(ctx.undefined());
    };
    let shapes = Prototypes::from_ctx(ctx)?;
    let kind = selection.document.tag(node).and_then(shapes.kind_of_tag);
    let element = Element {
        node,
        selection: selection.clone(),
        kind,
    };
    let Some(kind) = kind else {
        return ctx.host_object(&shapes.element, Rc::new(element));
    };
    let known = shapes.kinds.borrow().get(kind.tag).cloned();
    let prototype = match known {
        Some(prototype) => prototype,
        None => {
            let prototype = (shapes.prototype_of_kind)(ctx, kind, &shapes.element)?;
            let mut kinds = shapes.kinds.borrow_mut();
            kinds.insert(kind.tag, prototype.clone());
            prototype
        }
    };
    ctx.host_object(&prototype, Rc::new(element))
}

/// All of a selection as an array of elements.
pub(super) fn list(ctx: &Ctx, selection: &Rc<Selection>) -> Result<Value, Exception> {
    let nodes = selection.nodes.iter();
    let each = nodes.map(|node| element_object(ctx, &selection.derive(vec![*node])));
    ctx.array(each.collect::<Result<Vec<_>, _>>()?)
}

/// A node of the element's document; `undefined` without one.
pub(super) fn node(ctx: &Ctx, element: &Element, node: Option<NodeId>) -> Result<Value, Exception> {
    match node {
        Some(node) => element_object(ctx, &element.selection.detached(vec![node])),
        None => Ok(ctx.undefined()),
    }
}

pub(super) fn nodes(ctx: &Ctx, element: &Element, nodes: Vec<NodeId>) -> Result<Value, Exception> {
    list(ctx, &element.selection.derive(nodes))
}

pub(super) fn optional(ctx: &Ctx, text: Option<&str>) -> Result<Value, Exception> {
    text.map_or_else(|| Ok(ctx.undefined()), |text| ctx.string(text))
}

pub(super) fn texts<'t>(
    ctx: &Ctx,
    texts: impl Iterator<Item = &'t str>,
) -> Result<Value, Exception> {
    let texts = texts.map(|text| ctx.string(text));
    ctx.array(texts.collect::<Result<Vec<_>, _>>()?)
}

pub(super) fn object(ctx: &Ctx, selection: Rc<Selection>) -> Result<Value, Exception> {
    let shapes = Prototypes::from_ctx(ctx)?;
    if selection.is_passed {
        return ctx.host_object(&shapes.passed, selection);
    }
    shapes.selection.object(selection, Vec::new())
}

/// An argument as text; empty without one, as Go's zero value is.
pub(super) fn text_of(args: &Args<'_>, index: usize) -> Result<String, Exception> {
    args.given(index)
        .map_or_else(|| Ok(String::new()), |value| value.to_text())
}

/// A control's value as scripts see it.
pub(super) fn held(ctx: &Ctx, held: Option<ControlValue>) -> Result<Value, Exception> {
    match held {
        None => Ok(ctx.undefined()),
        Some(ControlValue::One(text)) => ctx.string(&text),
        Some(ControlValue::Several(texts)) => {
            let texts = texts.iter().map(|text| ctx.string(text));
            ctx.array(texts.collect::<Result<Vec<_>, _>>()?)
        }
    }
}

/// The fields of a form by name; of equal names the last counts.
pub(super) fn fields_object(ctx: &Ctx, form: &Rc<Selection>) -> Result<Value, Exception> {
    let fields = ctx.object()?;
    for (name, value) in form::fields(form) {
        fields.set(name.as_str(), held(ctx, value)?)?;
    }
    Ok(fields)
}
