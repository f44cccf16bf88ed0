//! The knobs of a study file.

use std::collections::BTreeSet;

use loadline_text::tune;

use super::method::{method, pasting, readback};
use super::values::values;
use crate::study::TargetHooks;
use crate::study::fields::{Fields, Mistakes, scalar};
use crate::study::knob::{Knob, KnobMethod};
use crate::study::tree::{Node, NodeValue};

/// Knobs of one study.
const KNOBS_MAX: usize = 16;

/// The names of all knobs, those with a mistake too; `None` where one has none.
pub(super) fn knob_names(node: &Node) -> Option<Vec<&str>> {
    let NodeValue::List(items) = &node.value else {
        return None;
    };
    let names = items.iter().map(|item| {
        let NodeValue::Map(entries) = &item.value else {
            return None;
        };
        let named = entries.iter().find(|(key, ..)| key == "name");
        match named.map(|(.., node)| &node.value) {
            Some(NodeValue::Scalar(name)) => Some(name.as_str()),
            _ => None,
        }
    });
    names.collect()
}

pub(super) fn knobs(
    node: &Node,
    target: Option<&TargetHooks>,
    mistakes: &mut Mistakes,
) -> Vec<Knob> {
    let NodeValue::List(items) = &node.value else {
        mistakes.add(node.place, tune::mistake_list("knobs"));
        return Vec::new();
    };
    if items.is_empty() || items.len() > KNOBS_MAX {
        mistakes.add(node.place, tune::mistake_count("knobs", KNOBS_MAX));
    }
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for item in items {
        let Some(mut fields) = Fields::from_map(item, mistakes) else {
            continue;
        };
        let name = fields
            .required("name", mistakes)
            .and_then(|node| knob_name(node, mistakes));
        // Also of a knob with other mistakes: all are told at once.
        if let Some(name) = name
            && !names.insert(name)
        {
            mistakes.add(item.place, tune::mistake_twice(name));
        }
        found.extend(knob(item, name, fields, target, mistakes));
    }
    found
}

fn knob(
    node: &Node,
    name: Option<&str>,
    mut fields: Fields<'_>,
    target: Option<&TargetHooks>,
    mistakes: &mut Mistakes,
) -> Option<Knob> {
    let values = values(&mut fields, mistakes);
    let now = fields.required("now", mistakes).and_then(|node| {
        let text = scalar("now", node, mistakes)?;
        let values = values.as_ref()?;
        let found = values.iter().position(|value| value == text);
        if found.is_none() {
            mistakes.add(
                node.place,
                tune::mistake_choice("now", text, values.join(", ")),
            );
        }
        found.map(|found| (found, node.place))
    });
    let cheaper = fields.get("cheaper").and_then(|node| {
        let text = scalar("cheaper", node, mistakes)?;
        if !["less", "more", "same"].contains(&text) {
            mistakes.add(
                node.place,
                tune::mistake_choice("cheaper", text, "less, more, same"),
            );
        }
        Some(text)
    });
    let method = method(&mut fields, name, mistakes);
    let asked = fields.flag("restart", mistakes);
    let read = fields.get("read").and_then(|node| readback(node, mistakes));
    let paste = fields.get("paste").and_then(|node| pasting(node, mistakes));
    fields.finish(mistakes);
    let method = method?;
    let has_start = target.is_some_and(|target| target.start.is_some());
    let can_restart = has_start || target.is_some_and(|target| target.restart.is_some());
    let needs_start = matches!(method, KnobMethod::Env(_) | KnobMethod::Argument(_));
    let is_file = matches!(
        method,
        KnobMethod::Property { .. } | KnobMethod::Template { .. }
    );
    let restart = asked.unwrap_or(needs_start || (is_file && can_restart));
    if needs_start && !has_start {
        mistakes.add(node.place, tune::mistake_needs_start(name?));
    } else if restart && !can_restart {
        mistakes.add(node.place, tune::mistake_needs_restart(name?));
    }
    if matches!(method, KnobMethod::Manual(_)) && read.is_none() {
        mistakes.add(node.place, tune::mistake_needs_read(name?));
    }
    let (name, values, (now, now_place)) = (name?, values?, now?);
    Some(Knob {
        name: name.to_owned(),
        place: node.place,
        costs: costs(values.len(), cheaper.unwrap_or("less")),
        values,
        now,
        now_place,
        restart,
        method,
        read,
        paste,
    })
}

/// A name that can stand in limits, in `{name}` and in `name=value`.
fn knob_name<'n>(node: &'n Node, mistakes: &mut Mistakes) -> Option<&'n str> {
    let name = scalar("name", node, mistakes)?;
    let is_sign = |c: char| c.is_whitespace() || "={}+*/<>,".contains(c);
    if name.is_empty() || name.contains(is_sign) {
        mistakes.add(node.place, tune::mistake_name(name));
        return None;
    }
    Some(name)
}

/// What levels cost: `less` means that the first ones are cheap.
fn costs(count: usize, cheaper: &str) -> Vec<f64> {
    let last = count.saturating_sub(1).max(1) as f64;
    let cost = |level: usize| match cheaper {
        "more" => 1.0 - level as f64 / last,
        "same" => 0.0,
        _ => level as f64 / last,
    };
    (0..count).map(cost).collect()
}
