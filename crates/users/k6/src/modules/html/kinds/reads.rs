//! Methods that do more than read an attribute.

use std::rc::Rc;

use loadline_html::{CssSelector, NodeId};
use loadline_js::{Ctx, Exception, IntoJs, Value};

use super::super::address;
use super::super::element::Element;
use super::super::form::value_or_html;
use super::super::objects::{element_object, list, texts};
use super::super::selection::Selection;

type MethodResult = Result<Value, Exception>;

fn find(element: &Element, selector: &str) -> Rc<Selection> {
    element.selection.find(&CssSelector::new(selector))
}

/// What matches within the element, as elements.
fn within(ctx: &Ctx, element: &Element, selector: &str) -> MethodResult {
    list(ctx, &find(element, selector))
}

fn count(ctx: &Ctx, selection: &Selection) -> MethodResult {
    selection.nodes.len().into_js(ctx)
}

fn place(ctx: &Ctx, place: Option<usize>) -> MethodResult {
    place.map_or_else(|| Ok(ctx.number(-1.0)), |place| place.into_js(ctx))
}

/// The ancestors that match, nearest first.
fn ancestors(selection: &Rc<Selection>, selector: &str) -> Rc<Selection> {
    selection
        .derive(selection.ancestors())
        .filter(&CssSelector::new(selector))
}

fn closest(selection: &Rc<Selection>, selector: &str) -> Rc<Selection> {
    let selector = CssSelector::new(selector);
    selection.closest(|id| selector.matches(&selection.document, id))
}

/// The form an element belongs to: around it, or named by its `form`.
fn owner_form(element: &Element) -> Option<Rc<Selection>> {
    let selection = &element.selection;
    let around = closest(selection, "form");
    if !around.nodes.is_empty() {
        return Some(around);
    }
    let id = selection.attribute("form").filter(|id| !id.is_empty())?;
    let named = selection.around(&format!("#{id}"));
    (!named.nodes.is_empty()).then_some(named)
}

pub(super) fn form(ctx: &Ctx, element: &Element) -> MethodResult {
    match owner_form(element) {
        Some(form) => element_object(ctx, &form.eq(0)),
        None => Ok(ctx.undefined()),
    }
}

/// An element of the form, as k6's `fieldset` returns it.
pub(super) fn fieldset_form(ctx: &Ctx, element: &Element) -> MethodResult {
    match owner_form(element) {
        Some(form) => element_object(ctx, &form),
        None => Ok(ctx.undefined()),
    }
}

pub(super) fn labels(ctx: &Ctx, element: &Element) -> MethodResult {
    let selection = &element.selection;
    let around = closest(selection, "label");
    let id = selection.attribute("id").unwrap_or_default();
    if id.is_empty() {
        return list(ctx, &around);
    }
    let named = selection.around(&format!("label[for=\"{id}\"]"));
    list(ctx, &around.with(&named.nodes))
}

/// An attribute of a button, or else of its form.
fn form_attribute(element: &Element, name: &str) -> Option<String> {
    if let Some(own) = element.selection.attribute(&format!("form{name}")) {
        return Some(own.to_owned());
    }
    owner_form(element)?.attribute(name).map(str::to_owned)
}

pub(super) fn form_action(ctx: &Ctx, element: &Element) -> MethodResult {
    let action = form_attribute(element, "action").unwrap_or_default();
    let url = &element.selection.url;
    if url.is_empty() {
        return ctx.string(&action);
    }
    if action.is_empty() {
        return ctx.string(url);
    }
    match address::resolve(url, &action) {
        Some(resolved) => ctx.string(&resolved.to_string()),
        None => ctx.string(&action),
    }
}

pub(super) fn form_enctype(ctx: &Ctx, element: &Element) -> MethodResult {
    let enctype = form_attribute(element, "enctype").unwrap_or_default();
    ctx.string(match enctype.as_str() {
        "multipart/form-data" | "text/plain" => &enctype,
        _ => "application/x-www-form-urlencoded",
    })
}

pub(super) fn form_method(ctx: &Ctx, element: &Element) -> MethodResult {
    let method = form_attribute(element, "method").unwrap_or_default();
    let is_post = method.to_lowercase() == "post";
    ctx.string(if is_post { "post" } else { "get" })
}

pub(super) fn form_no_validate(ctx: &Ctx, element: &Element) -> MethodResult {
    Ok(ctx.bool(form_attribute(element, "novalidate").is_some()))
}

pub(super) fn form_target(ctx: &Ctx, element: &Element) -> MethodResult {
    ctx.string(&form_attribute(element, "target").unwrap_or_default())
}

pub(super) fn text(ctx: &Ctx, element: &Element) -> MethodResult {
    ctx.string(&element.selection.text())
}

pub(super) fn value(ctx: &Ctx, element: &Element) -> MethodResult {
    ctx.string(&value_or_html(&element.selection))
}

pub(super) fn undefined(ctx: &Ctx, _: &Element) -> MethodResult {
    Ok(ctx.undefined())
}

pub(super) fn rel_list(ctx: &Ctx, element: &Element) -> MethodResult {
    let rel = element.selection.attribute("rel").unwrap_or_default();
    texts(ctx, rel.split(' ').filter(|_| !rel.is_empty()))
}

pub(super) fn base_href(ctx: &Ctx, element: &Element) -> MethodResult {
    let selection = &element.selection;
    ctx.string(&address::text(selection, "href", &selection.url))
}

pub(super) fn options(ctx: &Ctx, element: &Element) -> MethodResult {
    within(ctx, element, "option")
}

pub(super) fn fieldset_elements(ctx: &Ctx, element: &Element) -> MethodResult {
    within(ctx, element, "input,select,button,textarea")
}

const FORM_ELEMENTS: &str = "input,select,button,textarea,fieldset";

pub(super) fn form_elements(ctx: &Ctx, element: &Element) -> MethodResult {
    within(ctx, element, FORM_ELEMENTS)
}

pub(super) fn form_length(ctx: &Ctx, element: &Element) -> MethodResult {
    count(ctx, &find(element, FORM_ELEMENTS))
}

pub(super) fn input_list(ctx: &Ctx, element: &Element) -> MethodResult {
    let selection = &element.selection;
    let id = selection.attribute("list").unwrap_or_default();
    let kind = selection.attribute("type").unwrap_or_default();
    if id.is_empty() || matches!(kind, "hidden" | "checkbox" | "radio" | "file" | "button") {
        return Ok(ctx.undefined());
    }
    let named = selection.around(&format!("datalist[id=\"{id}\"]"));
    element_object(ctx, &named.eq(0))
}

pub(super) fn label_control(ctx: &Ctx, element: &Element) -> MethodResult {
    match element.selection.attribute("for") {
        Some(id) => element_object(ctx, &element.selection.around(&format!("#{id}")).eq(0)),
        None => Ok(ctx.undefined()),
    }
}

pub(super) fn map_areas(ctx: &Ctx, element: &Element) -> MethodResult {
    within(ctx, element, "area")
}

/// The images that use a map, which k6 knows by its `id` only.
pub(super) fn map_images(ctx: &Ctx, element: &Element) -> MethodResult {
    let Some(id) = element.selection.attribute("id") else {
        return ctx.array([]);
    };
    let images = format!("img[usemap=\"#{id}\"],object[usemap=\"#{id}\"]");
    list(ctx, &element.selection.around(&images))
}

pub(super) fn option_disabled(ctx: &Ctx, element: &Element) -> MethodResult {
    let selection = &element.selection;
    let is_disabled = selection.attribute("disabled").is_some()
        || ancestors(selection, "optgroup")
            .attribute("disabled")
            .is_some();
    Ok(ctx.bool(is_disabled))
}

pub(super) fn option_form(ctx: &Ctx, element: &Element) -> MethodResult {
    let around = ancestors(&element.selection, "form");
    if !around.nodes.is_empty() {
        return element_object(ctx, &around.eq(0));
    }
    let select = ancestors(&element.selection, "select");
    match select.attribute("form") {
        Some(id) => element_object(ctx, &select.around(&format!("form#{id}")).eq(0)),
        None => Ok(ctx.undefined()),
    }
}

/// The element's place among those that match within its nearest ancestors.
fn place_within(element: &Element, around: &str, selector: &str) -> Option<Option<usize>> {
    let around = ancestors(&element.selection, around);
    if around.nodes.is_empty() {
        return None;
    }
    let all = around.find(&CssSelector::new(selector));
    Some(all.place(element.selection.first_node()))
}

pub(super) fn option_index(ctx: &Ctx, element: &Element) -> MethodResult {
    let found = place_within(element, "select,datalist", "option");
    place(ctx, found.unwrap_or(Some(0)))
}

pub(super) fn option_label(ctx: &Ctx, element: &Element) -> MethodResult {
    match element.selection.attribute("label") {
        Some(label) => ctx.string(label),
        None => text(ctx, element),
    }
}

fn number(element: &Element, name: &str) -> Option<f64> {
    let number: f64 = element.selection.attribute(name)?.parse().ok()?;
    (number >= 0.0 || number.is_nan()).then_some(number)
}

fn progress_maximum(element: &Element) -> f64 {
    number(element, "max").unwrap_or(1.0)
}

fn progress(ctx: &Ctx, element: &Element, otherwise: f64) -> MethodResult {
    let value = number(element, "value").map(|value| value / progress_maximum(element));
    Ok(ctx.number(value.unwrap_or(otherwise)))
}

pub(super) fn progress_max(ctx: &Ctx, element: &Element) -> MethodResult {
    Ok(ctx.number(progress_maximum(element)))
}

pub(super) fn progress_value(ctx: &Ctx, element: &Element) -> MethodResult {
    progress(ctx, element, 0.0)
}

pub(super) fn progress_position(ctx: &Ctx, element: &Element) -> MethodResult {
    progress(ctx, element, -1.0)
}

pub(super) fn select_length(ctx: &Ctx, element: &Element) -> MethodResult {
    count(ctx, &find(element, "option"))
}

pub(super) fn selected_options(ctx: &Ctx, element: &Element) -> MethodResult {
    within(ctx, element, "option[selected]")
}

pub(super) fn selected_index(ctx: &Ctx, element: &Element) -> MethodResult {
    let chosen = find(element, "option[selected]").first_node();
    place(ctx, find(element, "option").place(chosen))
}

fn is_multiple(element: &Element) -> bool {
    element.selection.attribute("multiple").is_some()
}

pub(super) fn select_size(ctx: &Ctx, element: &Element) -> MethodResult {
    Ok(ctx.number(if is_multiple(element) { 4.0 } else { 1.0 }))
}

pub(super) fn select_type(ctx: &Ctx, element: &Element) -> MethodResult {
    ctx.string(if is_multiple(element) {
        "select-multiple"
    } else {
        "select"
    })
}

pub(super) fn select_value(ctx: &Ctx, element: &Element) -> MethodResult {
    ctx.string(&value_or_html(&find(element, "option[selected]")))
}

pub(super) fn style_type(ctx: &Ctx, element: &Element) -> MethodResult {
    let own = element.selection.attribute("type").unwrap_or_default();
    ctx.string(if own.is_empty() { "text/css" } else { own })
}

/// The child elements of one tag, as one element.
fn child(ctx: &Ctx, element: &Element, tag: &str) -> MethodResult {
    let document = &element.selection.document;
    let children: Vec<NodeId> = element.selection.children();
    let children = children.into_iter();
    let of_tag = children.filter(|id| document.tag(*id) == Some(tag));
    element_object(ctx, &element.selection.detached(of_tag.collect()))
}

pub(super) fn table_caption(ctx: &Ctx, element: &Element) -> MethodResult {
    child(ctx, element, "caption")
}

pub(super) fn table_head(ctx: &Ctx, element: &Element) -> MethodResult {
    child(ctx, element, "thead")
}

pub(super) fn table_foot(ctx: &Ctx, element: &Element) -> MethodResult {
    child(ctx, element, "tfoot")
}

pub(super) fn table_bodies(ctx: &Ctx, element: &Element) -> MethodResult {
    within(ctx, element, "tbody")
}

pub(super) fn rows(ctx: &Ctx, element: &Element) -> MethodResult {
    within(ctx, element, "tr")
}

pub(super) fn cells(ctx: &Ctx, element: &Element) -> MethodResult {
    within(ctx, element, "th,td")
}

pub(super) fn cell_index(ctx: &Ctx, element: &Element) -> MethodResult {
    place(ctx, place_within(element, "tr", "th,td").flatten())
}

pub(super) fn row_index(ctx: &Ctx, element: &Element) -> MethodResult {
    place(ctx, place_within(element, "table", "tr").flatten())
}

pub(super) fn section_row_index(ctx: &Ctx, element: &Element) -> MethodResult {
    let found = place_within(element, "thead,tbody,tfoot", "tr");
    place(ctx, found.flatten())
}

pub(super) fn text_area_length(ctx: &Ctx, element: &Element) -> MethodResult {
    let value = element.selection.attribute("value");
    value.unwrap_or_default().len().into_js(ctx)
}

pub(super) fn column_span(ctx: &Ctx, element: &Element) -> MethodResult {
    let span = element.selection.attribute("span");
    let span = span.and_then(|span| span.parse::<i64>().ok());
    span.unwrap_or(1).max(1).into_js(ctx)
}

pub(super) fn text_tracks(ctx: &Ctx, element: &Element) -> MethodResult {
    within(ctx, element, "track")
}

pub(super) fn form_method_attribute(ctx: &Ctx, element: &Element) -> MethodResult {
    let is_post = element.selection.attribute("method") == Some("post");
    ctx.string(if is_post { "post" } else { "get" })
}
