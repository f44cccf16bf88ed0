//! `json(selector?)` of a response: the body as a value, or the part a gjson path selects.

use loadline_js::{Args, Ctx, Exception, Value};

use super::answer;
use super::json_path::{self, Kind, is_json, kind_of};
use crate::modules::go_error::go_error;

/// Where a response keeps what `json()` gave.
const SLOT_JSON: usize = 0;

pub(super) fn json(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let answer = answer::this(args)?;
    let Some(body) = answer.body() else {
        return Err(go_error(
            ctx,
            "the body is null so we can't transform it to JSON - this likely was because of a request error getting the response",
        ));
    };
    let this = args.this();
    if args.is_empty() {
        if let Some(kept) = this.slot(SLOT_JSON).filter(|kept| !kept.is_undefined()) {
            return Ok(kept);
        }
        let value = whole(ctx, body)?;
        this.set_slot(SLOT_JSON, value.clone());
        return Ok(value);
    }
    let text = String::from_utf8_lossy(body);
    if !*answer.is_json.get_or_init(|| is_json(&text)) {
        return Ok(ctx.undefined());
    }
    let selector = args.get(0).to_text()?;
    let Some(found) = json_path::get(&text, &selector) else {
        return Ok(ctx.undefined());
    };
    match kind_of(&found) {
        Kind::Null => Ok(ctx.null()),
        Kind::False => Ok(ctx.bool(false)),
        Kind::True => Ok(ctx.bool(true)),
        Kind::Number => Ok(ctx.number(found.trim().parse().unwrap_or(f64::NAN))),
        Kind::String => ctx.string(&json_path::text_of(&found)),
        Kind::Container => ctx.parse_json(&*found),
    }
}

fn whole(ctx: &Ctx, body: &[u8]) -> Result<Value, Exception> {
    match ctx.parse_json(body) {
        Ok(value) => Ok(value),
        Err(exception) if exception.is_uncatchable() => Err(exception),
        Err(exception) => {
            // Only now is it worth finding out where.
            match serde_json::from_slice::<serde::de::IgnoredAny>(body) {
                Ok(_) => Err(exception),
                Err(error) => Err(go_error(ctx, mistake(body, &error))),
            }
        }
    }
}

/// k6's words for a body that is no JSON.
fn mistake(body: &[u8], error: &serde_json::Error) -> String {
    let text = String::from_utf8_lossy(body);
    let wrong = (!error.is_eof())
        .then(|| offset_of(&text, error))
        .and_then(|at| text[at..].chars().next().map(|c| (at, c)));
    let (offset, reason) = match wrong {
        Some((at, c)) => (
            at,
            format!(
                "invalid character {} looking for beginning of value",
                quoted(c)
            ),
        ),
        None => (
            text.len().saturating_sub(1),
            "unexpected end of JSON input".to_owned(),
        ),
    };
    let (mut line, mut character) = (1, 0);
    for (at, c) in text.char_indices() {
        if c == '\n' {
            line += 1;
            character = 0;
        } else {
            character += 1;
        }
        if at >= offset {
            character = character.max(1);
            break;
        }
    }
    format!(
        "cannot parse json due to an error at line {line}, character {character} , error: {reason}"
    )
}

/// Where the error's line and column (in bytes, from one) are.
fn offset_of(text: &str, error: &serde_json::Error) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let mut at = (before + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn quoted(c: char) -> String {
    match c {
        '\'' => "'\\''".to_owned(),
        '"' => "'\"'".to_owned(),
        c if c.is_control() => format!("'{}'", c.escape_default()),
        c => format!("'{c}'"),
    }
}
