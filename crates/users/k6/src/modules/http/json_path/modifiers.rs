//! `@name` and `@name:argument`: transformations of a value.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::scan::{balanced, elements, is_container, is_json, members, string_of, text_of};

/// Follows a path: modifiers that do so are given it by what applies them.
pub(super) type FollowPath = for<'a> fn(&'a str, &str) -> Option<Cow<'a, str>>;

type Modifier = fn(&str, &str, FollowPath) -> String;

const MODIFIERS: [(&str, Modifier); 13] = [
    // Looks are lost where values are made of it.
    ("pretty", |json, _, _| json.to_owned()),
    ("this", |json, _, _| json.to_owned()),
    ("ugly", |json, _, _| ugly(json)),
    ("reverse", |json, _, _| reverse(json)),
    ("flatten", flatten),
    ("join", join),
    ("valid", |json, _, _| json.to_owned()),
    ("keys", |json, _, _| keys(json)),
    ("values", |json, _, _| values(json)),
    ("tostr", |json, _, _| string_of(json)),
    ("fromstr", |json, _, _| text_of(json).into_owned()),
    ("group", |json, _, _| group(json)),
    ("dig", dig),
];

fn named(name: &str) -> Option<Modifier> {
    let known = MODIFIERS.iter().find(|(known, _)| *known == name);
    known.map(|(_, modifier)| *modifier)
}

/// Whether there is a modifier of that name.
pub(super) fn is_known(name: &str) -> bool {
    named(name).is_some()
}

/// Applies the modifier that a path begins with. Returns the result and the rest of the
/// path; `None` when there is no modifier of that name.
pub(super) fn apply<'p>(
    json: &str,
    path: &'p str,
    follow: FollowPath,
) -> Option<(String, &'p str)> {
    let end = path.find([':', '|', '.']).unwrap_or(path.len());
    let modifier = named(&path[1..end])?;
    let after = &path[end..];
    let (argument, rest) = match after.strip_prefix(':') {
        Some(after) => after.split_at(argument_end(after)),
        None => ("", after),
    };
    Some((modifier(json, argument, follow), rest))
}

/// Where an argument ends: behind it when it is JSON, at a pipe otherwise.
fn argument_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    if matches!(bytes.first(), Some(b'{' | b'[' | b'"')) {
        return balanced(text);
    }
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'|' => return at,
            b'{' | b'[' | b'(' | b'"' => at += balanced(text.get(at..).unwrap_or_default()),
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_array(json: &str) -> bool {
    json.trim_start().starts_with('[')
}

fn is_object(json: &str) -> bool {
    json.trim_start().starts_with('{')
}

/// Whether an argument says yes to an option.
fn is_set(argument: &str, option: &str, follow: FollowPath) -> bool {
    is_json(argument) && follow(argument, option).is_some_and(|value| value == "true")
}

fn listed<'a>(open: char, parts: impl Iterator<Item = &'a str>, close: char) -> String {
    let mut out = String::from(open);
    for part in parts {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(part);
    }
    out.push(close);
    out
}

fn ugly(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in json.chars() {
        if in_string || !c.is_ascii_whitespace() {
            out.push(c);
        }
        in_string ^= c == '"' && !escaped;
        escaped = in_string && c == '\\' && !escaped;
    }
    out
}

fn reverse(json: &str) -> String {
    if is_array(json) {
        let all: Vec<&str> = elements(json).collect();
        return listed('[', all.into_iter().rev(), ']');
    }
    if is_object(json) {
        let all: Vec<String> = members(json).map(|(k, v)| format!("{k}:{v}")).collect();
        return listed('{', all.iter().rev().map(String::as_str), '}');
    }
    json.to_owned()
}

fn flatten(json: &str, argument: &str, follow: FollowPath) -> String {
    if !is_array(json) {
        return json.to_owned();
    }
    let deep = is_set(argument, "deep", follow);
    let mut flat = Vec::new();
    // Values to come, the next one last.
    let mut open: Vec<(&str, bool)> = elements(json).map(|value| (value, true)).collect();
    open.reverse();
    while let Some((value, opens)) = open.pop() {
        if opens && is_array(value) {
            let from = open.len();
            open.extend(elements(value).map(|inner| (inner, deep)));
            open[from..].reverse();
        } else {
            flat.push(value);
        }
    }
    listed('[', flat.into_iter(), ']')
}

fn join(json: &str, argument: &str, follow: FollowPath) -> String {
    if !is_array(json) {
        return json.to_owned();
    }
    let objects = elements(json).filter(|value| is_object(value));
    let all = objects.flat_map(members);
    if is_set(argument, "preserve", follow) {
        let all: Vec<String> = all.map(|(key, value)| format!("{key}:{value}")).collect();
        return listed('{', all.iter().map(String::as_str), '}');
    }
    let mut places = std::collections::HashMap::new();
    let mut kept: Vec<(&str, &str)> = Vec::new();
    for (key, value) in all {
        let place = *places.entry(text_of(key)).or_insert(kept.len());
        match kept.get_mut(place) {
            Some((_, known)) => *known = value,
            None => kept.push((key, value)),
        }
    }
    let all: Vec<String> = kept
        .iter()
        .map(|(key, value)| format!("{key}:{value}"))
        .collect();
    listed('{', all.iter().map(String::as_str), '}')
}

fn keys(json: &str) -> String {
    if is_object(json) {
        return listed('[', members(json).map(|(key, _)| key), ']');
    }
    if is_array(json) {
        return listed('[', elements(json).map(|_| "null"), ']');
    }
    let own = (!json.trim().is_empty()).then_some("null");
    listed('[', own.into_iter(), ']')
}

fn values(json: &str) -> String {
    if is_array(json) {
        return json.to_owned();
    }
    if is_object(json) {
        return listed('[', members(json).map(|(_, value)| value), ']');
    }
    let own = Some(json.trim()).filter(|json| !json.is_empty());
    listed('[', own.into_iter(), ']')
}

/// An object of arrays as an array of objects.
fn group(json: &str) -> String {
    if !is_object(json) {
        return String::new();
    }
    let mut all: Vec<String> = Vec::new();
    for (key, value) in members(json).filter(|(_, value)| is_array(value)) {
        for (index, value) in elements(value).enumerate() {
            if index == all.len() {
                all.push(String::new());
            }
            let comma = if all[index].is_empty() { "" } else { "," };
            write!(all[index], "{comma}{key}:{value}").expect("a String takes all");
        }
    }
    let all: Vec<String> = all.iter().map(|members| format!("{{{members}}}")).collect();
    listed('[', all.iter().map(String::as_str), ']')
}

/// Whatever a path leads to from anywhere within, outer before inner.
fn dig(json: &str, path: &str, follow: FollowPath) -> String {
    let mut found = Vec::new();
    let mut open = vec![json.trim()];
    while let Some(value) = open.pop() {
        found.extend(follow(value, path));
        let from = open.len();
        if is_object(value) {
            open.extend(
                members(value)
                    .map(|(_, value)| value)
                    .filter(|v| is_container(v)),
            );
        } else if is_array(value) {
            open.extend(elements(value).filter(|v| is_container(v)));
        }
        open[from..].reverse();
    }
    listed('[', found.iter().map(|part| &**part), ']')
}
