//! Parses a path into steps. The error is the unsupported form.

use super::filter::Filter;
use super::step::{JsonType, PathEnding, Step};

/// What a path may end with.
const ENDINGS: [(&str, PathEnding); 9] = [
    ("~", PathEnding::Names),
    ("@number()", PathEnding::Type(JsonType::Number)),
    ("@integer()", PathEnding::Type(JsonType::Integer)),
    ("@string()", PathEnding::Type(JsonType::String)),
    ("@boolean()", PathEnding::Type(JsonType::Boolean)),
    ("@object()", PathEnding::Type(JsonType::Object)),
    ("@array()", PathEnding::Type(JsonType::Array)),
    ("@null()", PathEnding::Type(JsonType::Null)),
    ("@scalar()", PathEnding::Type(JsonType::Scalar)),
];

pub(super) fn parse(text: &str) -> Result<(Vec<Step>, Option<PathEnding>), String> {
    let text = text.trim();
    let ending = ENDINGS
        .iter()
        .find_map(|(form, ending)| Some((text.strip_suffix(form)?, *ending)));
    let (mut rest, ending) = match ending {
        Some((rest, ending)) => (rest, Some(ending)),
        None => (text, None),
    };
    rest = rest.strip_prefix('$').unwrap_or(rest);
    let mut steps = Vec::new();
    let mut at_start = true;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("..") {
            steps.push(Step::Deep);
            rest = after;
            if !rest.starts_with('[') && !rest.is_empty() {
                rest = name(rest, &mut steps)?;
            }
        } else if let Some(after) = rest.strip_prefix('.') {
            rest = name(after, &mut steps)?;
        } else if rest.starts_with('[') {
            let close = closing(rest).ok_or_else(|| rest.to_owned())?;
            steps.push(bracket(rest[1..close].trim())?);
            rest = &rest[close + 1..];
        } else if let Some(after) = rest.strip_prefix('^') {
            steps.push(Step::Parent);
            rest = after;
        } else if at_start {
            rest = name(rest, &mut steps)?;
        } else {
            return Err(rest.to_owned());
        }
        at_start = false;
    }
    Ok((steps, ending))
}

/// A name up to the next step.
fn name<'t>(text: &'t str, steps: &mut Vec<Step>) -> Result<&'t str, String> {
    let end = text.find(['.', '[', '^']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    match name {
        "" => return Err(text.to_owned()),
        "*" => steps.push(Step::All),
        name => {
            let strange = ['~', '@', '`', '(', ')', '?', '*'];
            if let Some(form) = name.find(strange) {
                return Err(name[form..].to_owned());
            }
            steps.push(Step::Name(name.to_owned()));
        }
    }
    Ok(rest)
}

/// The position where the first bracket closes.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn bracket(inner: &str) -> Result<Step, String> {
    if let Some(filter) = inner
        .strip_prefix("?(")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        return Filter::parse(filter).map(Step::Filter);
    }
    if inner.starts_with('(') {
        return from_end(inner).ok_or_else(|| inner.to_owned());
    }
    let parts = split_commas(inner);
    if parts.len() > 1 {
        let parts: Result<Vec<Step>, String> = parts.iter().map(|part| one(part)).collect();
        return parts.map(Step::Union);
    }
    one(inner)
}

/// `(@.length-1)`
fn from_end(inner: &str) -> Option<Step> {
    let script = inner.strip_prefix('(')?.strip_suffix(')')?.trim();
    let back = script
        .strip_prefix("@.length")?
        .trim_start()
        .strip_prefix('-')?;
    Some(Step::FromEnd(back.trim().parse().ok()?))
}

fn split_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut quote) = (Vec::new(), 0, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, ',') => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

fn one(text: &str) -> Result<Step, String> {
    for quote in ['\'', '"'] {
        if let Some(inner) = text
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote))
        {
            return Ok(Step::Name(inner.replace('\\', "")));
        }
    }
    if text == "*" {
        return Ok(Step::All);
    }
    if text.contains(':') {
        let mut numbers = text.split(':').map(|part| match part.trim() {
            "" => Ok(None),
            number => number.parse::<i64>().map(Some).map_err(|_| text.to_owned()),
        });
        let mut number = || numbers.next().unwrap_or(Ok(None));
        return Ok(Step::Slice(number()?, number()?, number()?));
    }
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    if !text.is_empty() && text.chars().all(plain) {
        return Ok(Step::Name(text.to_owned()));
    }
    Err(format!("[{text}]"))
}
