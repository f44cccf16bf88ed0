//! Parses a path: its next step, and the rest of it.

use std::borrow::Cow;

use super::modifiers;
use super::scan::{balanced, quote_end, text_of};

/// The next step, in an object.
pub(super) struct ObjectStep<'p> {
    /// The key, or a pattern.
    pub(super) name: Cow<'p, str>,
    pub(super) wild: bool,
    /// Where to go on within the value.
    pub(super) rest: Option<&'p str>,
    /// What to apply to the outcome.
    pub(super) pipe: Option<&'p str>,
}

impl<'p> ObjectStep<'p> {
    pub(super) fn read(path: &'p str) -> Self {
        let mut name = String::new();
        let mut escapes = false;
        let mut wild = false;
        let mut chars = path.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '|' | '.' => {
                    let own = if escapes {
                        Cow::Owned(name)
                    } else {
                        Cow::Borrowed(&path[..at])
                    };
                    let after = &path[at + 1..];
                    let pipes = c == '|' || begins_pipe(after);
                    return Self {
                        name: own,
                        wild,
                        rest: (!pipes).then_some(after),
                        pipe: pipes.then_some(after),
                    };
                }
                '\\' => {
                    escapes = true;
                    name.extend(chars.next().map(|(_, escaped)| escaped));
                }
                _ => {
                    wild |= matches!(c, '*' | '?');
                    name.push(c);
                }
            }
        }
        Self {
            name: if escapes {
                Cow::Owned(name)
            } else {
                Cow::Borrowed(path)
            },
            wild,
            rest: None,
            pipe: None,
        }
    }
}

/// Whether what follows a dot is applied to the outcome as if it followed a pipe: a
/// modifier, or several paths.
fn begins_pipe(path: &str) -> bool {
    match path.as_bytes().first() {
        Some(b'@') => {
            let end = path.find(['.', '|', ':']).unwrap_or(path.len());
            modifiers::is_known(&path[1..end])
        }
        Some(b'[' | b'{') => true,
        _ => false,
    }
}

/// The next step, in an array.
pub(super) enum ArrayStep<'p> {
    /// `#`
    Count,
    Item {
        index: u64,
        rest: Option<&'p str>,
    },
    /// `#.path`
    Each {
        path: &'p str,
    },
    Query {
        query: Query<'p>,
        rest: Option<&'p str>,
    },
    /// What no array has.
    Nothing,
}

/// `#(path op value)`, `#(...)#`
pub(super) struct Query<'p> {
    pub(super) path: &'p str,
    /// Without one, the path only has to lead somewhere.
    pub(super) compare: Option<Compare>,
    pub(super) value: Cow<'p, str>,
    pub(super) all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compare {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Like,
    Unlike,
}

/// Longer ones first where one begins another.
const COMPARISONS: [(&str, Compare); 9] = [
    ("!=", Compare::NotEqual),
    ("!%", Compare::Unlike),
    ("<=", Compare::LessOrEqual),
    (">=", Compare::GreaterOrEqual),
    ("==", Compare::Equal),
    ("=", Compare::Equal),
    ("<", Compare::Less),
    (">", Compare::Greater),
    ("%", Compare::Like),
];

impl<'p> ArrayStep<'p> {
    /// The step, and what is applied to its outcome.
    pub(super) fn read(path: &'p str) -> (Self, Option<&'p str>) {
        if path.starts_with("#(") || path.starts_with("#[") {
            let Some((mut query, after)) = Query::read(path) else {
                return (Self::Nothing, None);
            };
            let (part, rest, pipe) = part(after, false);
            query.all = part.starts_with('#');
            return (Self::Query { query, rest }, pipe);
        }
        let has_hash = path.starts_with('#');
        let (part, rest, pipe) = part(path, !has_hash);
        if part == "#" {
            return match rest {
                Some(path) => (Self::Each { path }, None),
                None => (Self::Count, pipe),
            };
        }
        let is_index = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        match part.parse() {
            Ok(index) if is_index => (Self::Item { index, rest }, pipe),
            _ => (Self::Nothing, pipe),
        }
    }
}

/// A path up to its first dot or pipe, where to go on, and what to apply.
fn part(path: &str, dots_pipe: bool) -> (&str, Option<&str>, Option<&str>) {
    let Some(at) = path.find(['.', '|']) else {
        return (path, None, None);
    };
    let (part, after) = (&path[..at], &path[at + 1..]);
    if path.as_bytes()[at] == b'|' || (dots_pipe && begins_pipe(after)) {
        (part, None, Some(after))
    } else {
        (part, Some(after), None)
    }
}

impl<'p> Query<'p> {
    /// The query a path begins with, and what follows it.
    fn read(path: &'p str) -> Option<(Self, &'p str)> {
        let bytes = path.as_bytes();
        let (mut depth, mut at) = (1_usize, 2);
        let mut value = None;
        loop {
            match bytes.get(at)? {
                b'!' | b'=' | b'<' | b'>' | b'%' if depth == 1 && value.is_none() => {
                    value = Some(at);
                }
                b'\\' => at += 1,
                b'"' => at = quote_end(bytes, at)?,
                b'(' | b'[' => depth += 1,
                b')' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        let inner = path.get(2..at)?;
        let after = path.get(at + 1..)?;
        let whole = Self {
            path: inner.trim(),
            compare: None,
            value: Cow::Borrowed(""),
            all: false,
        };
        let Some(from) = value else {
            return Some((whole, after));
        };
        let compared = path.get(from..at)?;
        let known = COMPARISONS.iter().find(|(op, _)| compared.starts_with(op));
        // A lone `!` compares nothing.
        let (op, compare) = known.map_or(("!", None), |(op, compare)| (*op, Some(*compare)));
        let value = compared[op.len()..].trim();
        let is_quoted = value.len() >= 2 && value.starts_with('"') && value.ends_with('"');
        let query = Self {
            path: path.get(2..from)?.trim(),
            compare,
            value: if is_quoted {
                text_of(value)
            } else {
                Cow::Borrowed(value)
            },
            all: false,
        };
        // Without a comparison nothing can match.
        query.compare.map(|_| (query, after))
    }
}

/// A path up to the pipe that ends it, and what follows that.
pub(super) fn split_pipe(path: &str) -> (&str, Option<&str>) {
    if path.starts_with('{') {
        let end = balanced(path);
        return match path.get(end..).and_then(|rest| rest.strip_prefix('|')) {
            Some(after) => (&path[..end], Some(after)),
            None => (path, None),
        };
    }
    let bytes = path.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'|' => return (&path[..at], Some(&path[at + 1..])),
            // Queries may hold pipes of their own.
            b'#' if matches!(bytes.get(at + 1), Some(b'(' | b'[')) => {
                at += balanced(path.get(at + 1..).unwrap_or_default());
            }
            _ => {}
        }
        at += 1;
    }
    (path, None)
}

/// `[path,path]` or `{"name":path,path}`
pub(super) struct Selectors<'p> {
    pub(super) named: bool,
    pub(super) each: Vec<(Option<&'p str>, &'p str)>,
}

impl<'p> Selectors<'p> {
    /// The selectors a path begins with, and what follows them.
    pub(super) fn read(path: &'p str) -> Option<(Self, &'p str)> {
        let bytes = path.as_bytes();
        let mut each = Vec::new();
        let (mut depth, mut start, mut colon, mut modifier) = (1_usize, 1, None, false);
        let mut at = 1;
        loop {
            let byte = *bytes.get(at)?;
            match byte {
                b'\\' => at += 1,
                b'"' => at = quote_end(bytes, at)?,
                b'@' if matches!(bytes[at - 1], b'.' | b'|') => modifier = true,
                b':' if depth == 1 && colon.is_none() && !modifier => colon = Some(at),
                b'[' | b'(' | b'{' => depth += 1,
                b']' | b')' | b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 || (byte == b',' && depth == 1) {
                let path = path.get(colon.map_or(start, |colon| colon + 1)..at)?;
                let name = colon.and_then(|colon| std::str::from_utf8(&bytes[start..colon]).ok());
                each.push((name.filter(|name| !name.is_empty()), path));
                (start, colon, modifier) = (at + 1, None, false);
            }
            at += 1;
            if depth == 0 {
                let named = bytes[0] == b'{';
                return Some((Self { named, each }, path.get(at..)?));
            }
        }
    }
}

/// The name a path gives its outcome: that of its last step.
pub(super) fn last_name(path: &str) -> &str {
    let bytes = path.as_bytes();
    let ends =
        |at: &usize| matches!(bytes[*at], b'|' | b'.') && (*at == 0 || bytes[*at - 1] != b'\\');
    let last = (0..bytes.len()).rev().find(ends);
    let name = last.map_or(path, |at| &path[at + 1..]);
    let is_simple = !name.contains(['[', ']', '{', '}', '(', ')', '#', '|', '!'])
        && !name.bytes().any(|byte| byte < b' ');
    if is_simple { name } else { "_" }
}

/// `!` and a value: it, and what follows.
pub(super) fn literal(path: &str) -> Option<(String, &str)> {
    let value = &path[1..];
    match value.as_bytes().first()? {
        b'{' | b'[' => {
            let end = balanced(value);
            Some((value.get(..end)?.to_owned(), &value[end..]))
        }
        // As in gjson, these take all there is.
        b'"' | b'+' | b'-' | b'0'..=b'9' => Some((value.to_owned(), "")),
        _ => {
            let end = value.find(['|', '.']).unwrap_or(value.len());
            let (word, rest) = value.split_at(end);
            let lower = word.to_ascii_lowercase();
            let is_value = matches!(lower.as_str(), "true" | "false" | "null");
            is_value.then_some((lower, rest))
        }
    }
}
