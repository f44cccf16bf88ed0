//! `data-*` attributes: their names as property names, their values as numbers, booleans or
//! objects where they look like one.
//!
//! k6 converts names with Go's `snaker`, which knows abbreviations: `data-user-id` becomes
//! `userID`.

use loadline_js::{Ctx, Exception, Value};

const ABBREVIATIONS: &[&str] = &[
    "ACL", "API", "ASCII", "CPU", "CSS", "DNS", "EOF", "ETA", "GPU", "GUID", "HTML", "HTTP",
    "HTTPS", "ID", "IP", "JSON", "LHS", "OS", "QPS", "RAM", "RHS", "RPC", "SLA", "SMTP", "SQL",
    "SSH", "TCP", "TLS", "TTL", "UDP", "UI", "UID", "UUID", "URI", "URL", "UTF8", "VM", "XML",
    "XMPP", "XSRF", "XSS", "OAuth",
];

fn is_abbreviation(word: &str) -> bool {
    ABBREVIATIONS.contains(&word)
}

/// The property for what follows `data-`: `user-id` is `userID`.
pub(super) fn property(attribute: &str) -> String {
    let Some((first, rest)) = attribute.split_once('-') else {
        return attribute.to_owned();
    };
    let mut property = first.to_owned();
    for word in rest.split(['-', '_']) {
        let upper = word.to_uppercase();
        if word == "oauth" {
            property.push_str("OAuth");
        } else if is_abbreviation(&upper) {
            property.push_str(&upper);
        } else {
            let mut chars = word.chars();
            property.extend(chars.next().into_iter().flat_map(char::to_uppercase));
            property.push_str(chars.as_str());
        }
    }
    property
}

/// What follows `data-` for a property: `userID` is `user-id`.
pub(super) fn attribute(property: &str) -> String {
    let chars: Vec<char> = property.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < chars.len() {
        if at > 0 && chars[at].is_uppercase() {
            let length = abbreviation_at(&chars[start..]);
            if length > 0 {
                words.push(chars[start..start + length].iter().collect());
                // As `snaker` steps: the next word begins where the abbreviation ends.
                at += length - 1;
                start = at;
            } else {
                words.push(chars[start..at].iter().collect());
                start = at;
            }
        }
        at += 1;
    }
    if let Some(last) = chars.get(start..).filter(|last| !last.is_empty()) {
        words.push(last.iter().collect());
    }
    words.join("_").to_lowercase().replace('_', "-")
}

/// Length of the longest abbreviation these begin with, up to five letters.
fn abbreviation_at(chars: &[char]) -> usize {
    (1..=5.min(chars.len()))
        .rev()
        .find(|length| {
            let word: String = chars[..*length].iter().collect();
            is_abbreviation(&word)
        })
        .unwrap_or(0)
}

/// JSON, booleans and numbers that read back the same as such; all else as text.
pub(super) fn value(ctx: &Ctx, text: &str) -> Result<Value, Exception> {
    match text {
        "" | "null" | "undefined" => return Ok(ctx.undefined()),
        "true" => return Ok(ctx.bool(true)),
        "false" => return Ok(ctx.bool(false)),
        "+Inf" => return Ok(ctx.number(f64::INFINITY)),
        "-Inf" => return Ok(ctx.number(f64::NEG_INFINITY)),
        _ => {}
    }
    if text.starts_with(['{', '[']) {
        return match ctx.parse_json(text) {
            Err(exception) if !exception.is_uncatchable() => ctx.string(text),
            parsed => parsed,
        };
    }
    match text.parse::<f64>() {
        Ok(number) if number.to_string() == text && !number.is_infinite() => Ok(ctx.number(number)),
        _ => ctx.string(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{attribute, property};

    #[test]
    fn names_of_properties_and_attributes_follow_k6() {
        for (name, shown) in [
            ("test", "test"),
            ("foo-bar", "fooBar"),
            ("user-id", "userID"),
            ("a-b-c", "aBC"),
            ("base-url-x", "baseURLX"),
        ] {
            assert_eq!(property(name), shown);
        }
        for (shown, name) in [
            ("test", "test"),
            ("fooBar", "foo-bar"),
            ("foo-bar", "foo-bar"),
            ("userID", "user-id"),
        ] {
            assert_eq!(attribute(shown), name);
        }
    }
}
