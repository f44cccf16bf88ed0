//! How a knob is set, read back and pasted.

use loadline_text::tune;

use crate::study::fields::{Fields, Mistakes, is_url, scalar};
use crate::study::knob::{KnobMethod, PasteText, ReadMethod};
use crate::study::tree::Node;

const METHODS: &str = "env, argument, property, template, http, command, manual";

/// How the knob `name` is set.
pub(super) fn method(
    fields: &mut Fields<'_>,
    name: Option<&str>,
    mistakes: &mut Mistakes,
) -> Option<KnobMethod> {
    let place = fields.place();
    let mut found = Vec::new();
    let before = mistakes.all.len();
    let text = |key, fields: &mut Fields<'_>, mistakes: &mut Mistakes| {
        fields.text(key, mistakes).map(str::to_owned)
    };
    found.extend(text("env", fields, mistakes).map(KnobMethod::Env));
    found.extend(text("argument", fields, mistakes).map(KnobMethod::Argument));
    found.extend(text("manual", fields, mistakes).map(KnobMethod::Manual));
    found.extend(fields.command("command", mistakes).map(KnobMethod::Command));
    if let Some(node) = fields.get("property") {
        found.extend(two(node, ["file", "key"], mistakes).map(|[file, key]| {
            KnobMethod::Property {
                file: file.into(),
                key,
            }
        }));
    }
    if let Some(node) = fields.get("template") {
        found.extend(two(node, ["file", "from"], mistakes).map(|[file, from]| {
            KnobMethod::Template {
                file: file.into(),
                from: from.into(),
            }
        }));
    }
    if let Some(node) = fields.get("http") {
        found.extend(http(node, mistakes));
    }
    if found.len() == 1 {
        let method = found.pop()?;
        check_value(&method, fields, name?, mistakes);
        return Some(method);
    }
    if mistakes.all.len() == before {
        mistakes.add(place, tune::mistake_method(METHODS));
    }
    None
}

/// Finds a method that says nowhere `{value}`, or `{name}` of the knob: it would do the same for
/// each value.
fn check_value(method: &KnobMethod, fields: &Fields<'_>, name: &str, mistakes: &mut Mistakes) {
    let (key, texts): (_, Vec<&str>) = match method {
        KnobMethod::Argument(text) => ("argument", vec![text]),
        KnobMethod::Manual(text) => ("manual", vec![text]),
        KnobMethod::Command(words) => ("command", words.iter().map(String::as_str).collect()),
        KnobMethod::Http { url, body, .. } => {
            let body = body.as_deref();
            ("http", std::iter::once(url.as_str()).chain(body).collect())
        }
        KnobMethod::Env(_) | KnobMethod::Property { .. } | KnobMethod::Template { .. } => return,
    };
    let places = ["{value}".to_owned(), format!("{{{name}}}")];
    let is_filled = |text: &&str| places.iter().any(|place| text.contains(place));
    if !texts.iter().any(is_filled) {
        mistakes.add(fields.place_of(key), tune::mistake_no_value(key));
    }
}

/// Two texts that must both be there.
fn two(node: &Node, keys: [&'static str; 2], mistakes: &mut Mistakes) -> Option<[String; 2]> {
    let mut fields = Fields::from_map(node, mistakes)?;
    let mut text = |key| {
        let node = fields.required(key, mistakes)?;
        scalar(key, node, mistakes).map(str::to_owned)
    };
    let (first, second) = (text(keys[0]), text(keys[1]));
    fields.finish(mistakes);
    Some([first?, second?])
}

fn http(node: &Node, mistakes: &mut Mistakes) -> Option<KnobMethod> {
    let mut fields = Fields::from_map(node, mistakes)?;
    let url = url(&mut fields, mistakes);
    let body = fields.text("body", mistakes).map(str::to_owned);
    let usual = if body.is_some() { "PUT" } else { "POST" };
    let method = fields.text("method", mistakes).unwrap_or(usual).to_owned();
    let is_word = !method.is_empty() && method.bytes().all(|b| b.is_ascii_alphabetic());
    if !is_word {
        mistakes.add(
            fields.place_of("method"),
            tune::mistake_http_method(&method),
        );
    }
    fields.finish(mistakes);
    Some(KnobMethod::Http {
        method,
        url: url?,
        body,
    })
}

fn url(fields: &mut Fields<'_>, mistakes: &mut Mistakes) -> Option<String> {
    let node = fields.required("url", mistakes)?;
    let text = scalar("url", node, mistakes)?;
    if !is_url(text) {
        mistakes.add(node.place, tune::mistake_url(text));
        return None;
    }
    Some(text.to_owned())
}

pub(super) fn readback(node: &Node, mistakes: &mut Mistakes) -> Option<ReadMethod> {
    let mut fields = Fields::from_map(node, mistakes)?;
    if let Some(words) = fields.command("command", mistakes) {
        fields.finish(mistakes);
        return Some(ReadMethod::Command(words));
    }
    let url = url(&mut fields, mistakes);
    let pointer = fields.text("json", mistakes).map(str::to_owned);
    let name = fields.text("metric", mistakes).map(str::to_owned);
    let place = fields.place();
    fields.finish(mistakes);
    match (pointer, name) {
        (Some(pointer), None) => Some(ReadMethod::Json { url: url?, pointer }),
        (None, Some(name)) => Some(ReadMethod::Metric { url: url?, name }),
        _ => {
            mistakes.add(place, tune::mistake_method("json, metric"));
            None
        }
    }
}

pub(super) fn pasting(node: &Node, mistakes: &mut Mistakes) -> Option<PasteText> {
    two(node, ["place", "text"], mistakes).map(|[place, text]| PasteText { place, text })
}
