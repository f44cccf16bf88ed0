//! Filters `[?( ... )]`: comparisons on `@`, combined by `&&`, `||`, `!`.

use std::cmp::Ordering;

use serde_json::Value;

use crate::text::{Path, is_true, text_to_number, to_number};

#[derive(Debug, Clone)]
pub(crate) enum Filter {
    Or(Vec<Filter>),
    And(Vec<Filter>),
    Not(Box<Filter>),
    Compare(Comparison, Operand, Operand),
    Truth(Operand),
    /// `@.a.match(/x/i)`
    Match(Operand, regress::Regex),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone)]
pub(crate) enum Operand {
    /// `@`
    This,
    /// `@.a.b`
    At(Path),
    /// `@.a.length`
    Length(Option<Path>),
    Fixed(Value),
}

const COMPARISONS: [(&str, Comparison); 8] = [
    ("===", Comparison::Equal),
    ("!==", Comparison::NotEqual),
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    (">=", Comparison::GreaterOrEqual),
    ("<=", Comparison::LessOrEqual),
    (">", Comparison::Greater),
    ("<", Comparison::Less),
];

impl Filter {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        Self::nested(text, 0)
    }

    fn nested(text: &str, depth: usize) -> Result<Self, String> {
        let text = text.trim();
        if depth > 20 {
            return Err(text.to_owned());
        }
        let parts = split(text, "||");
        if parts.len() > 1 {
            return parts
                .into_iter()
                .map(|part| Self::nested(part, depth + 1))
                .collect::<Result<_, _>>()
                .map(Self::Or);
        }
        let parts = split(text, "&&");
        if parts.len() > 1 {
            return parts
                .into_iter()
                .map(|part| Self::nested(part, depth + 1))
                .collect::<Result<_, _>>()
                .map(Self::And);
        }
        if let Some(rest) = text.strip_prefix('!')
            && !rest.starts_with('=')
        {
            return Self::nested(rest, depth + 1).map(|inner| Self::Not(Box::new(inner)));
        }
        if let Some(inner) = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
        {
            return Self::nested(inner, depth + 1);
        }
        for (sign, comparison) in COMPARISONS {
            let parts = split(text, sign);
            if let [left, right] = parts.as_slice() {
                return Ok(Self::Compare(
                    comparison,
                    Operand::parse(left)?,
                    Operand::parse(right)?,
                ));
            }
        }
        if let Some((of, pattern)) = text.strip_suffix(')').and_then(|t| t.split_once(".match(")) {
            let inner = pattern
                .trim()
                .strip_prefix('/')
                .ok_or_else(|| text.to_owned())?;
            let (pattern, flags) = inner.rsplit_once('/').ok_or_else(|| text.to_owned())?;
            let regex = regress::Regex::with_flags(pattern, flags).map_err(|_| text.to_owned())?;
            return Ok(Self::Match(Operand::parse(of)?, regex));
        }
        Operand::parse(text).map(Self::Truth)
    }

    pub(super) fn holds(&self, value: &Value) -> bool {
        match self {
            Self::Or(parts) => parts.iter().any(|part| part.holds(value)),
            Self::And(parts) => parts.iter().all(|part| part.holds(value)),
            Self::Not(inner) => !inner.holds(value),
            Self::Match(operand, regex) => match operand.value(value) {
                Some(Value::String(text)) => regex.find(&text).is_some(),
                _ => false,
            },
            Self::Truth(operand) => is_true(operand.value(value).as_ref()),
            Self::Compare(comparison, left, right) => {
                comparison.holds(left.value(value).as_ref(), right.value(value).as_ref())
            }
        }
    }
}

/// The parts between `sign`s that are outside quotes and parentheses.
fn split<'t>(text: &'t str, sign: &str) -> Vec<&'t str> {
    let (mut parts, mut from, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    let mut skip = 0;
    for (at, c) in text.char_indices() {
        if at < skip {
            continue;
        }
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, _) if depth == 0 && text[at..].starts_with(sign) => {
                parts.push(&text[from..at]);
                from = at + sign.len();
                skip = from;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

impl Operand {
    fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        for quote in ['\'', '"'] {
            if text.len() >= 2
                && let Some(inner) = text
                    .strip_prefix(quote)
                    .and_then(|rest| rest.strip_suffix(quote))
            {
                return Ok(Self::Fixed(Value::String(inner.replace('\\', ""))));
            }
        }
        match text {
            "" => return Err(text.to_owned()),
            "true" => return Ok(Self::Fixed(Value::Bool(true))),
            "false" => return Ok(Self::Fixed(Value::Bool(false))),
            "null" | "undefined" => return Ok(Self::Fixed(Value::Null)),
            "@" => return Ok(Self::This),
            "@.length" => return Ok(Self::Length(None)),
            _ => {}
        }
        if let Some(path) = text.strip_prefix('@') {
            let path = path.strip_prefix('.').unwrap_or(path);
            let plain = |c: char| c.is_alphanumeric() || "_-$.[]'\"".contains(c);
            if !path.chars().all(plain) {
                return Err(text.to_owned());
            }
            return Ok(match path.strip_suffix(".length") {
                Some(list) => Self::Length(Some(Path::new(list))),
                None => Self::At(Path::new(path)),
            });
        }
        let number = text_to_number(text);
        if number.is_nan() {
            return Err(text.to_owned());
        }
        Ok(Self::Fixed(crate::text::json_number(number)))
    }

    fn value(&self, this: &Value) -> Option<Value> {
        let length = |value: &Value| match value {
            Value::Array(items) => Some(items.len()),
            Value::String(text) => Some(text.encode_utf16().count()),
            _ => None,
        };
        match self {
            Self::This => Some(this.clone()),
            Self::Fixed(value) => Some(value.clone()),
            Self::At(path) => path.get(this).cloned(),
            Self::Length(None) => length(this).map(Value::from),
            Self::Length(Some(path)) => path.get(this).and_then(length).map(Value::from),
        }
    }
}

impl Comparison {
    fn holds(self, left: Option<&Value>, right: Option<&Value>) -> bool {
        let null = |value: Option<&Value>| matches!(value, None | Some(Value::Null));
        let equal = || match (left, right) {
            _ if null(left) || null(right) => null(left) && null(right),
            (Some(Value::String(a)), Some(Value::String(b))) => a == b,
            _ => to_number(left).total_cmp(&to_number(right)).is_eq() && !to_number(left).is_nan(),
        };
        let order = || match (left, right) {
            (Some(Value::String(a)), Some(Value::String(b))) => Some(a.cmp(b)),
            _ => to_number(left).partial_cmp(&to_number(right)),
        };
        match self {
            Self::Equal => equal(),
            Self::NotEqual => !equal(),
            Self::Less => order() == Some(Ordering::Less),
            Self::Greater => order() == Some(Ordering::Greater),
            Self::LessOrEqual => order().is_some_and(Ordering::is_le),
            Self::GreaterOrEqual => order().is_some_and(Ordering::is_ge),
        }
    }
}
