//! What a form would send, by k6's rules.
//!
//! k6 looks for `checked="checked"` and `disabled="disabled"`; the bare attributes do not
//! count.

use std::rc::Rc;

use loadline_html::CssSelector;
use loadline_net::form::url_encoded;

use super::selection::Selection;

/// The value of a form control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ControlValue {
    One(String),
    /// The chosen options of a `select` with `multiple`.
    Several(Vec<String>),
}

/// The value of the first node; none for what is no control.
pub(super) fn value(selection: &Rc<Selection>) -> Option<ControlValue> {
    let own = selection.attribute("value").map(str::to_owned);
    Some(ControlValue::One(match selection.name() {
        "input" => own.unwrap_or_else(|| match selection.attribute("type") {
            Some("radio" | "checkbox") => "on".to_owned(),
            _ => String::new(),
        }),
        "button" => own.unwrap_or_default(),
        "textarea" => selection.html()?,
        "option" => value_or_html(selection),
        "select" => {
            let chosen = selection.eq(0).find(&CssSelector::new("option[selected]"));
            if selection.attribute("multiple").is_some() {
                let each = chosen.nodes.iter().map(|node| chosen.detached(vec![*node]));
                return Some(ControlValue::Several(
                    each.map(|one| value_or_html(&one)).collect(),
                ));
            }
            value_or_html(&chosen)
        }
        _ => return None,
    }))
}

/// The `value` of the first node, or its content.
pub(super) fn value_or_html(selection: &Selection) -> String {
    match selection.attribute("value") {
        Some(value) => value.to_owned(),
        None => selection.html().unwrap_or_default(),
    }
}

/// Names and values of the controls of forms, or of the controls among the nodes.
pub(super) fn fields(selection: &Rc<Selection>) -> Vec<(String, Option<ControlValue>)> {
    let controls = CssSelector::new("input,select,textarea,keygen");
    let controls = if selection.is(&CssSelector::new("form")) {
        selection.find(&controls)
    } else {
        selection.filter(&controls)
    };
    let nodes = controls.nodes.iter();
    nodes
        .map(|node| controls.detached(vec![*node]))
        .filter(|control| is_sent(control))
        .map(|control| {
            let name = control.attribute("name").unwrap_or_default();
            (name.to_owned(), value(&control))
        })
        .collect()
}

fn is_sent(control: &Selection) -> bool {
    let attribute = |name| control.attribute(name).unwrap_or_default();
    let may_be_sent = match attribute("type") {
        "submit" | "button" | "reset" | "image" | "file" => false,
        "checkbox" | "radio" => attribute("checked") == "checked",
        _ => true,
    };
    may_be_sent && !attribute("name").is_empty() && attribute("disabled") != "disabled"
}

/// The fields as a query; of equal names the last counts.
pub(super) fn query(selection: &Rc<Selection>) -> String {
    let mut kept: Vec<(String, Vec<String>)> = Vec::new();
    for (name, held) in fields(selection) {
        let values = match held {
            None => continue,
            Some(ControlValue::One(value)) => vec![value],
            Some(ControlValue::Several(values)) => values,
        };
        match kept.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = values,
            None => kept.push((name, values)),
        }
    }
    let pairs: Vec<(&str, &[u8])> = kept
        .iter()
        .flat_map(|(name, values)| {
            let values = values.iter();
            values.map(move |value| (name.as_str(), value.as_bytes()))
        })
        .collect();
    url_encoded(&pairs)
}
