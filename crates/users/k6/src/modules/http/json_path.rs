//! gjson paths: select a part of a JSON text (`friends.#(age>40)#.name`).
//!
//! The language is that of Go's `gjson` 1.18, which k6 uses: keys, indices, wildcards, `#`,
//! queries, pipes, multipaths, literals and modifiers. We have our own because the Rust crate
//! of that name lacks modifiers and reads some escapes wrongly. There is no `unsafe` and no
//! recursion over the text, so no response can exhaust the stack.
//!
//! This file follows a path. `steps` parses paths, `scan` reads the structure of the text,
//! `modifiers` has `@name`. Nothing here knows scripts.

mod modifiers;
mod scan;
mod steps;

use std::borrow::Cow;

pub(crate) use scan::{Kind, is_json, kind_of, text_of};
use scan::{elements, is_container, members, string_of};
use steps::{ArrayStep, Compare, ObjectStep, Query, Selectors};

/// A part of a text, or what was made of it.
type Part<'a> = Cow<'a, str>;

/// What a path leads to in a text that is JSON: JSON again.
pub(crate) fn get<'a>(json: &'a str, path: &str) -> Option<Part<'a>> {
    let begins = path.bytes().next().filter(|_| path.len() > 1);
    let made = match begins {
        Some(b'@') => modifiers::apply(json, path, get),
        Some(b'!') => steps::literal(path),
        Some(b'[' | b'{') => match Selectors::read(path) {
            Some((selectors, rest)) if rest.is_empty() || rest.starts_with(['.', '|']) => {
                Some((selected(json, &selectors), rest))
            }
            Some(_) => return None,
            None => None,
        },
        _ => None,
    };
    if let Some((made, rest)) = made {
        let made = if is_json(&made) { made } else { String::new() };
        return if rest.is_empty() {
            (!made.is_empty()).then_some(Cow::Owned(made))
        } else {
            // What parts them is one character, of whatever length.
            let mut path = rest.chars();
            path.next();
            get(&made, path.as_str()).map(owned)
        };
    }
    let json = json.trim();
    let found = match path.strip_prefix("..") {
        // Lines of JSON; a text that is JSON is one of them.
        Some(path) => in_array(std::iter::once(json), path),
        None => within(json, path),
    };
    match found.pipe {
        Some(pipe) => get(found.value.as_deref().unwrap_or_default(), &pipe).map(owned),
        None => found.value,
    }
}

fn owned<'a>(part: Part<'_>) -> Part<'a> {
    Cow::Owned(part.into_owned())
}

/// The result of following the steps of a path.
#[derive(Default)]
struct PathMatch<'a> {
    value: Option<Part<'a>>,
    /// The path to follow from there, or from nothing.
    pipe: Option<String>,
}

fn within<'a>(json: &'a str, path: &str) -> PathMatch<'a> {
    match json.as_bytes().first() {
        Some(b'{') => in_object(json, path),
        Some(b'[') => in_array(elements(json), path),
        _ => PathMatch::default(),
    }
}

fn in_object<'a>(json: &'a str, path: &str) -> PathMatch<'a> {
    let step = ObjectStep::read(path);
    let mut found = PathMatch {
        value: None,
        pipe: step.pipe.map(str::to_owned),
    };
    for (key, value) in members(json) {
        if !step.is_met_by(&text_of(key)) {
            continue;
        }
        let Some(rest) = step.rest else {
            found.value = Some(Cow::Borrowed(value));
            return found;
        };
        if is_container(value) {
            let inner = within(value, rest);
            if inner.value.is_some() {
                return inner;
            }
            // Of several that may be meant, another may have it.
            found.pipe = inner.pipe;
        }
    }
    found
}

fn in_array<'a>(mut items: impl Iterator<Item = &'a str>, path: &str) -> PathMatch<'a> {
    let (step, pipe) = ArrayStep::read(path);
    let piped = |value: Option<Part<'a>>, pipe: Option<&str>| PathMatch {
        value,
        pipe: pipe.map(str::to_owned),
    };
    match step {
        ArrayStep::Nothing => piped(None, pipe),
        ArrayStep::Count => piped(Some(Cow::Owned(items.count().to_string())), pipe),
        ArrayStep::Item { index, rest } => {
            let item = usize::try_from(index)
                .ok()
                .and_then(|index| items.nth(index));
            match (item, rest) {
                (Some(item), Some(rest)) if is_container(item) => within(item, rest),
                (Some(item), None) => piped(Some(Cow::Borrowed(item)), pipe),
                _ => piped(None, pipe),
            }
        }
        ArrayStep::Each { path } => {
            let (path, pipe) = steps::split_pipe(path);
            let parts = items.filter_map(|item| get(item, path));
            piped(Some(Cow::Owned(listed(parts))), pipe)
        }
        ArrayStep::Query { query, rest } => {
            let (rest, later) = match rest {
                Some(rest) => {
                    let (rest, pipe) = steps::split_pipe(rest);
                    (Some(rest), pipe)
                }
                None => (None, None),
            };
            let mut met = items.filter(|item| query.is_met_by(item));
            let follow = |item: &'a str| match rest {
                Some(rest) => get(item, rest),
                None => Some(Cow::Borrowed(item)),
            };
            if query.all {
                let mut any = false;
                let parts = met.inspect(|_| any = true).filter_map(follow);
                let list = listed(parts);
                return piped(Some(Cow::Owned(list)), pipe.or(later.filter(|_| any)));
            }
            match met.next() {
                Some(item) => piped(follow(item), pipe.or(later)),
                None => piped(None, pipe),
            }
        }
    }
}

/// Parts as an array.
fn listed<'a>(parts: impl Iterator<Item = Part<'a>>) -> String {
    let mut out = "[".to_owned();
    for part in parts {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(&part);
    }
    out.push(']');
    out
}

/// Several paths at once, as an array or an object.
fn selected(json: &str, selectors: &Selectors<'_>) -> String {
    let (open, close) = if selectors.named {
        ('{', '}')
    } else {
        ('[', ']')
    };
    let mut out = String::from(open);
    for (name, path) in &selectors.each {
        let Some(part) = get(json, path) else {
            continue;
        };
        if out.len() > 1 {
            out.push(',');
        }
        if selectors.named {
            match name {
                Some(name) if name.starts_with('"') && is_json(name) => out.push_str(name),
                Some(name) => out.push_str(&string_of(name)),
                None => out.push_str(&string_of(steps::last_name(path))),
            }
            out.push(':');
        }
        out.push_str(&part);
    }
    out.push(close);
    out
}

impl ObjectStep<'_> {
    fn is_met_by(&self, key: &str) -> bool {
        if self.wild {
            is_like(key, &self.name)
        } else {
            key == self.name
        }
    }
}

impl Query<'_> {
    fn is_met_by(&self, item: &str) -> bool {
        let part = if is_container(item) {
            get(item, self.path)
        } else {
            // Only the item itself can be meant.
            self.path.is_empty().then_some(Cow::Borrowed(item))
        };
        if let Some(wanted) = self.value.strip_prefix('~') {
            let truth = match wanted {
                "*" => part.is_some(),
                "null" => part.is_none_or(|part| kind_of(&part) == Kind::Null),
                "true" => part.is_some_and(|part| is_truthy(&part) == Some(true)),
                "false" => part.is_none_or(|part| is_truthy(&part) == Some(false)),
                _ => return false,
            };
            return self.compare.is_none_or(|op| op.holds(&truth, &true));
        }
        let Some(part) = part else {
            return false;
        };
        let Some(op) = self.compare else {
            return true;
        };
        match kind_of(&part) {
            Kind::String => op.holds_of_text(&text_of(&part), &self.value),
            Kind::Number => {
                let wanted = self.value.parse().unwrap_or(0.0);
                let number: f64 = part.trim().parse().unwrap_or(0.0);
                op.holds(&number, &wanted)
            }
            Kind::True => match op {
                Compare::Equal => self.value == "true",
                Compare::NotEqual => self.value != "true",
                Compare::Greater => self.value == "false",
                Compare::GreaterOrEqual => true,
                _ => false,
            },
            Kind::False => match op {
                Compare::Equal => self.value == "false",
                Compare::NotEqual => self.value != "false",
                Compare::Less => self.value == "true",
                Compare::LessOrEqual => true,
                _ => false,
            },
            Kind::Null | Kind::Container => false,
        }
    }
}

/// What a value is taken for where truth is asked: none of both for containers and texts
/// that say nothing of it.
fn is_truthy(part: &str) -> Option<bool> {
    match kind_of(part) {
        Kind::True => Some(true),
        Kind::False | Kind::Null => Some(false),
        Kind::Number => Some(part.trim().parse::<f64>().is_ok_and(|number| number != 0.0)),
        Kind::String => match text_of(part).to_lowercase().as_str() {
            "1" | "t" | "true" => Some(true),
            "0" | "f" | "false" => Some(false),
            _ => None,
        },
        Kind::Container => None,
    }
}

impl Compare {
    fn holds<T: PartialOrd>(self, left: &T, right: &T) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
            Self::Like | Self::Unlike => false,
        }
    }

    fn holds_of_text(self, left: &str, right: &str) -> bool {
        match self {
            Self::Like => is_like(left, right),
            Self::Unlike => !is_like(left, right),
            _ => self.holds(&left.as_bytes(), &right.as_bytes()),
        }
    }
}

/// Whether a text matches a pattern: `*` matches any characters, `?` one, and `\` escapes
/// the next.
fn is_like(text: &str, pattern: &str) -> bool {
    let (mut text, mut pattern) = (text.chars(), pattern.chars());
    // Where to go on when what follows the last `*` does not fit.
    let mut again: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let fits = match pattern.next() {
            Some('*') => {
                again = Some((text.clone(), pattern.clone()));
                continue;
            }
            Some('?') => text.next().is_some(),
            Some('\\') => match (pattern.next(), text.next()) {
                (Some(wanted), Some(there)) => wanted == there,
                _ => false,
            },
            Some(wanted) => text.next() == Some(wanted),
            None if text.as_str().is_empty() => return true,
            None => false,
        };
        if fits {
            continue;
        }
        let Some((from, after)) = &mut again else {
            return false;
        };
        // The `*` takes one character more.
        if from.next().is_none() {
            return false;
        }
        text = from.clone();
        pattern = after.clone();
    }
}

#[cfg(test)]
mod tests;
