//! Methods of a selection.

use std::rc::Rc;

use loadline_html::{CssSelector, NodeId};
use loadline_js::{Args, Ctx, Exception, IntoJs, Template, Value};

use super::data;
use super::element::Element;
use super::form;
use super::objects::{element_object, fields_object, held, list, object, text_of};
use super::selection::{Selection, Siblings, Until};
use crate::modules::go_error::go_error;
use crate::modules::go_text;

type Method = fn(&Ctx, &Args<'_>) -> Result<Value, Exception>;

/// The methods and how many arguments they name.
const METHODS: [(&str, u32, Method); 39] = [
    ("add", 1, add),
    ("attr", 1, attr),
    ("children", 0, children),
    ("closest", 1, closest),
    ("contents", 0, |ctx, args| {
        let selection = this(args)?;
        object(ctx, selection.derive(selection.contents()))
    }),
    ("data", 0, data_of),
    ("each", 1, each),
    ("end", 0, |ctx, args| object(ctx, this(args)?.end())),
    ("eq", 1, |ctx, args| {
        object(ctx, this(args)?.eq(index_of(args, 0)?))
    }),
    ("filter", 1, filter),
    ("find", 1, find),
    ("first", 0, |ctx, args| object(ctx, this(args)?.eq(0))),
    ("get", 0, get),
    ("has", 1, has),
    ("html", 0, |ctx, args| this(args)?.html().into_js(ctx)),
    ("index", 0, index),
    ("is", 1, is),
    ("last", 0, |ctx, args| object(ctx, this(args)?.eq(-1))),
    ("map", 1, map),
    ("next", 0, |ctx, args| siblings(ctx, args, Siblings::Next)),
    ("nextAll", 0, |ctx, args| {
        siblings(ctx, args, Siblings::NextAll)
    }),
    ("nextUntil", 0, |ctx, args| {
        walk_until(ctx, args, |selection, until| {
            selection.siblings_until(Siblings::NextAll, until)
        })
    }),
    ("not", 1, not),
    ("parent", 0, |ctx, args| {
        narrowed(ctx, args, |selection| selection.parents())
    }),
    ("parents", 0, |ctx, args| {
        narrowed(ctx, args, |selection| selection.ancestors())
    }),
    ("parentsUntil", 0, |ctx, args| {
        walk_until(ctx, args, |selection, until| {
            selection.ancestors_until(until)
        })
    }),
    ("prev", 0, |ctx, args| {
        siblings(ctx, args, Siblings::Previous)
    }),
    ("prevAll", 0, |ctx, args| {
        siblings(ctx, args, Siblings::PreviousAll)
    }),
    ("prevUntil", 0, |ctx, args| {
        walk_until(ctx, args, |selection, until| {
            selection.siblings_until(Siblings::PreviousAll, until)
        })
    }),
    ("serialize", 0, |ctx, args| {
        ctx.string(&form::query(&this(args)?))
    }),
    ("serializeArray", 0, serialize_array),
    ("serializeObject", 0, |ctx, args| {
        fields_object(ctx, &this(args)?)
    }),
    ("siblings", 0, |ctx, args| {
        siblings(ctx, args, Siblings::All)
    }),
    ("single", 1, |ctx, args| {
        let selector = CssSelector::new(&text_of(args, 0)?);
        object(ctx, this(args)?.single(&selector))
    }),
    ("size", 0, size),
    ("slice", 1, slice),
    ("text", 0, |ctx, args| ctx.string(&this(args)?.text())),
    ("toArray", 0, |ctx, args| {
        let selection = this(args)?;
        let nodes = selection.nodes.iter();
        let each = nodes.map(|node| object(ctx, selection.derive(vec![*node])));
        ctx.array(each.collect::<Result<Vec<_>, _>>()?)
    }),
    ("val", 0, |ctx, args| held(ctx, form::value(&this(args)?))),
];

pub(super) fn prototype(ctx: &Ctx) -> Result<Value, Exception> {
    let prototype = ctx.object()?;
    for (name, length, method) in METHODS {
        prototype.method(name, length, method)?;
    }
    Ok(prototype)
}

pub(super) fn template(ctx: &Ctx, prototype: &Value) -> Result<Template, Exception> {
    let template = ctx.template(Some(prototype))?;
    let template = template.lazy("url", |ctx, object| {
        let selection = object.host::<Selection>();
        ctx.string(selection.as_ref().map_or("", |selection| &selection.url))
    })?;
    Ok(template.build())
}

/// What k6 passes to filter functions: goquery's selection instead of its own. Its `attr`
/// returns value and presence.
pub(super) fn passed_prototype(ctx: &Ctx, methods: &Value) -> Result<Value, Exception> {
    let prototype = ctx.object_of(methods)?;
    prototype.method("attr", 1, |ctx, args| {
        let selection = this(args)?;
        let value = selection.attribute(&text_of(args, 0)?).map(str::to_owned);
        let found = ctx.bool(value.is_some());
        let value = ctx.string(&value.unwrap_or_default())?;
        ctx.array([value, found])
    })?;
    prototype.method("attrOr", 2, |_, args| {
        let selection = this(args)?;
        let value = selection.attribute(&text_of(args, 0)?).map(str::to_owned);
        value.map_or_else(|| text_of(args, 1), Ok)
    })?;
    prototype.method("hasClass", 1, |_, args| {
        let selection = this(args)?;
        let wanted = text_of(args, 0)?;
        let mut nodes = selection.nodes.iter();
        Ok(nodes.any(|node| {
            let classes = selection.document.attribute(*node, "class");
            classes.is_some_and(|classes| classes.split_whitespace().any(|own| own == wanted))
        }))
    })?;
    prototype.method("length", 0, size)?;
    Ok(prototype)
}

/// An argument as an integer; 0 without one.
fn index_of(args: &Args<'_>, index: usize) -> Result<i64, Exception> {
    args.given(index).map_or(Ok(0), |value| value.to_i64())
}

/// An argument that says which nodes are meant.
enum NodeArgument {
    Matching(CssSelector),
    Nodes(Vec<NodeId>),
}

fn meant(ctx: &Ctx, value: &Value) -> Result<NodeArgument, Exception> {
    if value.is_string() {
        return Ok(NodeArgument::Matching(CssSelector::new(&value.text()?)));
    }
    if let Some(selection) = value.host::<Selection>() {
        return Ok(NodeArgument::Nodes(selection.nodes.clone()));
    }
    match value.host::<Element>() {
        Some(element) if element.is_plain() => Ok(NodeArgument::Nodes(vec![element.node])),
        _ => Err(not_a_selector(ctx, value)),
    }
}

fn add(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let selection = this(args)?;
    let more = match meant(ctx, &args.get(0))? {
        NodeArgument::Matching(selector) => selection.anywhere(&selector),
        NodeArgument::Nodes(nodes) => nodes,
    };
    object(ctx, selection.with(&more))
}

fn attr(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    match this(args)?.attribute(&text_of(args, 0)?) {
        Some(value) => ctx.string(value),
        None => Ok(args.get(1)),
    }
}

fn closest(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let selection = this(args)?;
    let document = &selection.document;
    let found = match meant(ctx, &args.get(0))? {
        NodeArgument::Matching(selector) => selection.closest(|id| selector.matches(document, id)),
        NodeArgument::Nodes(nodes) => selection.closest(|id| nodes.contains(&id)),
    };
    object(ctx, found)
}

fn find(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let selection = this(args)?;
    let found = match meant(ctx, &args.get(0))? {
        NodeArgument::Matching(selector) => selection.find(&selector),
        NodeArgument::Nodes(nodes) => selection.find_among(&nodes),
    };
    object(ctx, found)
}

fn has(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let selection = this(args)?;
    let nodes = match meant(ctx, &args.get(0))? {
        NodeArgument::Matching(selector) => selection.anywhere(&selector),
        NodeArgument::Nodes(nodes) => nodes,
    };
    object(ctx, selection.has(&nodes))
}

/// Some nodes, of which a selector as argument keeps those that match.
fn narrowed(
    ctx: &Ctx,
    args: &Args<'_>,
    nodes: impl FnOnce(&Selection) -> Vec<NodeId>,
) -> Result<Value, Exception> {
    let selection = this(args)?;
    let mut nodes = nodes(&selection);
    if !args.is_empty() {
        let selector = CssSelector::new(&text_of(args, 0)?);
        nodes.retain(|node| selector.matches(&selection.document, *node));
    }
    object(ctx, selection.derive(nodes))
}

fn children(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    narrowed(ctx, args, |selection| selection.children())
}

fn siblings(ctx: &Ctx, args: &Args<'_>, which: Siblings) -> Result<Value, Exception> {
    narrowed(ctx, args, |selection| selection.siblings(which))
}

/// `nextUntil(selector?, filter?)` and the like.
fn walk_until(
    ctx: &Ctx,
    args: &Args<'_>,
    walk: impl FnOnce(&Selection, Option<&Until>) -> Vec<NodeId>,
) -> Result<Value, Exception> {
    let selection = this(args)?;
    let end = args.get(0);
    let until = if end.is_nullish() {
        None
    } else if end.is_string() {
        Some(Until::CssSelector(CssSelector::new(&end.text()?)))
    } else if let Some(end) = end.host::<Selection>() {
        Some(Until::Nodes(end.nodes.clone()))
    } else {
        return Err(not_a_selector(ctx, &end));
    };
    let mut nodes = walk(&selection, until.as_ref());
    if args.len() > 1 {
        let filter = CssSelector::new(&text_of(args, 1)?);
        nodes.retain(|node| filter.matches(&selection.document, *node));
    }
    object(ctx, selection.derive(nodes))
}

fn data_of(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let selection = this(args)?;
    let first = selection.first_node();
    let attributes = first.map_or(&[][..], |node| selection.document.attributes(node));
    if attributes.is_empty() {
        return Ok(ctx.undefined());
    }
    if !args.is_empty() {
        let name = format!("data-{}", data::attribute(&text_of(args, 0)?));
        return match selection.attribute(&name) {
            Some(text) => data::value(ctx, text),
            None => Ok(ctx.undefined()),
        };
    }
    let all = ctx.object()?;
    for attribute in attributes {
        let name = attribute.name.local.strip_prefix("data-");
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let value = data::value(ctx, &attribute.value)?;
            all.set(data::property(name).as_str(), value)?;
        }
    }
    Ok(all)
}

fn each(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let selection = this(args)?;
    let body = args.get(0);
    if !body.is_function() {
        return Err(go_error(ctx, "the argument to each() must be a function"));
    }
    for (index, node) in selection.nodes.iter().enumerate() {
        let element = element_object(ctx, &selection.derive(vec![*node]))?;
        if let Err(exception) = body.invoke(&[place(ctx, index), element]) {
            if exception.is_uncatchable() {
                return Err(exception);
            }
            let message = exception.message();
            return Err(go_error(
                ctx,
                format!("the function passed to each() failed: {message}"),
            ));
        }
    }
    object(ctx, selection)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "documents are smaller than 2^53 nodes"
)]
fn place(ctx: &Ctx, index: usize) -> Value {
    ctx.number(index as f64)
}

/// The nodes for which a script's function says yes, or no.
fn sifted(
    ctx: &Ctx,
    selection: &Rc<Selection>,
    test: &Value,
    wanted: bool,
) -> Result<Rc<Selection>, Exception> {
    let mut kept = Vec::new();
    for (index, node) in selection.nodes.iter().enumerate() {
        let one = object(ctx, selection.passed(*node))?;
        if test.invoke(&[place(ctx, index), one])?.truthy() == wanted {
            kept.push(*node);
        }
    }
    Ok(selection.derive(kept))
}

/// The nodes an argument of `filter` or `is` leaves.
fn filtered(ctx: &Ctx, args: &Args<'_>, name: &str) -> Result<Rc<Selection>, Exception> {
    let selection = this(args)?;
    let test = args.get(0);
    if test.is_string() {
        return Ok(selection.filter(&CssSelector::new(&test.text()?)));
    }
    if let Some(other) = test.host::<Selection>() {
        return Ok(selection.keep(|node| other.nodes.contains(&node)));
    }
    if !test.is_function() {
        return Err(go_error(
            ctx,
            format!("the argument to {name}() must be a function, a selector or a selection"),
        ));
    }
    sifted(ctx, &selection, &test, true)
}

fn filter(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    object(ctx, filtered(ctx, args, "filter")?)
}

fn is(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    Ok(ctx.bool(!filtered(ctx, args, "is")?.nodes.is_empty()))
}

fn not(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let selection = this(args)?;
    let test = args.get(0);
    if test.is_function() {
        return object(ctx, sifted(ctx, &selection, &test, false)?);
    }
    let document = &selection.document;
    let left = match meant(ctx, &test)? {
        NodeArgument::Matching(selector) => selection.keep(|id| !selector.matches(document, id)),
        NodeArgument::Nodes(nodes) => selection.keep(|id| !nodes.contains(&id)),
    };
    object(ctx, left)
}

fn get(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let selection = this(args)?;
    if args.is_empty() {
        return list(ctx, &selection);
    }
    let index = index_of(args, 0)?;
    let length = i64::try_from(selection.nodes.len()).unwrap_or(i64::MAX);
    // As k6 has it, the first cannot be had from the end.
    if index >= length || index <= -length {
        return Ok(ctx.undefined());
    }
    element_object(ctx, &selection.eq(index))
}

fn index(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let selection = this(args)?;
    let first = selection.first_node();
    let meant = args.get(0);
    let found = if args.is_empty() {
        first.map(|node| {
            let own = selection.detached(vec![node]);
            own.siblings(Siblings::PreviousAll).len()
        })
    } else if meant.is_string() {
        let all = selection.anywhere(&CssSelector::new(&meant.text()?));
        selection.detached(all).place(first)
    } else if let Some(other) = meant.host::<Selection>() {
        selection.place(other.first_node())
    } else {
        let element = meant.host::<Element>().filter(|one| one.is_plain());
        selection.place(element.map(|element| element.node))
    };
    Ok(found.map_or_else(|| ctx.number(-1.0), |index| place(ctx, index)))
}

fn map(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let selection = this(args)?;
    let body = args.get(0);
    if !body.is_function() {
        return Err(go_error(ctx, "the argument to map() must be a function"));
    }
    let mut results = Vec::new();
    for (index, node) in selection.nodes.iter().enumerate() {
        let one = object(ctx, selection.detached(vec![*node]))?;
        match body.invoke(&[place(ctx, index), one]) {
            Ok(result) => results.push(result),
            Err(exception) if exception.is_uncatchable() => return Err(exception),
            Err(_) => {} // k6 leaves out what fails
        }
    }
    ctx.array(results)
}

fn size(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    Ok(place(ctx, this(args)?.nodes.len()))
}

fn slice(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let end = match args.len() {
        0 | 1 => None,
        _ => Some(index_of(args, 1)?),
    };
    object(ctx, this(args)?.slice(index_of(args, 0)?, end))
}

fn serialize_array(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let mut pairs = Vec::new();
    for (name, value) in form::fields(&this(args)?) {
        let pair = ctx.object()?;
        pair.set("name", name)?;
        pair.set("value", held(ctx, value)?)?;
        pairs.push(pair);
    }
    ctx.array(pairs)
}

/// The Go type k6 names when a value is no selector.
fn type_name(value: &Value) -> String {
    if let Some(element) = value.host::<Element>() {
        return format!("html.{}", element.type_name());
    }
    go_text::type_name(value).to_owned()
}

fn not_a_selector(ctx: &Ctx, value: &Value) -> Exception {
    let name = type_name(value);
    go_error(
        ctx,
        format!("invalid argument, cannot use a '{name}' as a selector"),
    )
}

/// The selection a method was called on.
fn this(args: &Args<'_>) -> Result<Rc<Selection>, Exception> {
    args.this_host::<Selection>()
}
