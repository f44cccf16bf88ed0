//! Masks secrets so that equal ones stay equal.

use super::fnv;
use super::json::{JsonMap, JsonNode, JsonSequence};
use crate::redact::{MASK, Redactor, is_secret_name};

/// What stands beside a mask: too short to tell which text it is of.
fn beside(secret: &str) -> String {
    let [a, b, c, d, e, f, g, h] = fnv(secret.as_bytes()).to_be_bytes();
    format!("#{:02x}{:02x}", a ^ c ^ e ^ g, b ^ d ^ f ^ h)
}

/// A text with its secrets masked.
pub(super) fn phrase(text: &str, redactor: &Redactor) -> String {
    let masked = redactor.text(text);
    if masked == text {
        return masked;
    }
    format!("{masked}{}", beside(text))
}

/// A whole text that is a secret.
fn hidden(text: &str) -> String {
    format!("{MASK}{}", beside(text))
}

/// A text of lines: each is masked alone, and then what goes over several.
pub(super) fn text(text: &str, redactor: &Redactor) -> String {
    if redactor.text(text) == text {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| phrase(line, redactor));
    let masked = lines.collect::<Vec<_>>().join("\n");
    phrase(&masked, redactor)
}

/// The body of a request, as it is told apart from others.
pub(super) fn request_body(body: &str, redactor: &Redactor) -> String {
    match JsonNode::read(body, false) {
        Some(document) => json(document, redactor).canonical(),
        None => phrase(body, redactor),
    }
}

/// A document with secrets masked: texts by their look, and what stands under a name that says so.
pub(super) fn json(document: JsonNode, redactor: &Redactor) -> JsonNode {
    masked(document, redactor, false)
}

fn masked(value: JsonNode, redactor: &Redactor, is_secret: bool) -> JsonNode {
    match value {
        JsonNode::Text(text) if is_secret => JsonNode::Text(hidden(&text)),
        JsonNode::Text(text) => JsonNode::Text(phrase(&text, redactor)),
        JsonNode::List(list) => {
            let items = list.items.into_iter();
            JsonNode::List(JsonSequence {
                items: items
                    .map(|item| masked(item, redactor, is_secret))
                    .collect(),
                is_open: list.is_open,
            })
        }
        JsonNode::Object(object) => {
            let members = object.members.into_iter().map(|(name, value)| {
                let is_secret = is_secret || is_secret_name(&name);
                (phrase(&name, redactor), masked(value, redactor, is_secret))
            });
            JsonNode::Object(JsonMap {
                members: members.collect(),
                is_open: object.is_open,
            })
        }
        other => other,
    }
}
