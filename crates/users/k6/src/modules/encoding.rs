//! `k6/encoding`: base64 in four variants.

use base64::Engine;
use base64::alphabet::{Alphabet, STANDARD, URL_SAFE};
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use loadline_js::{Args, Ctx, Exception, Exports, Value};

use super::bytes;
use crate::modules::go_error::go_error;

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    exports.add("b64encode", ctx.function("b64encode", 2, encode)?);
    exports.add("b64decode", ctx.function("b64decode", 3, decode)?);
    Ok(exports)
}

/// A variant of base64.
#[derive(Clone, Copy)]
struct Variant {
    alphabet: &'static Alphabet,
    padded: bool,
}

impl Variant {
    /// The variant an argument names; the standard one for any other argument.
    fn from_value(value: &Value) -> Self {
        let (alphabet, padded) = match value.as_text().as_deref() {
            Some("rawstd") => (&STANDARD, false),
            Some("url") => (&URL_SAFE, true),
            Some("rawurl") => (&URL_SAFE, false),
            _ => (&STANDARD, true),
        };
        Self { alphabet, padded }
    }

    fn engine(self) -> GeneralPurpose {
        let padding = if self.padded {
            DecodePaddingMode::RequireCanonical
        } else {
            DecodePaddingMode::RequireNone
        };
        let config = GeneralPurposeConfig::new()
            .with_encode_padding(self.padded)
            .with_decode_padding_mode(padding)
            .with_decode_allow_trailing_bits(true);
        GeneralPurpose::new(self.alphabet, config)
    }

    fn has(self, byte: u8) -> bool {
        self.alphabet.as_str().as_bytes().contains(&byte)
    }

    /// The position at which Go's decoder rejects an invalid text, counting line ends.
    fn first_fault(self, text: &[u8]) -> usize {
        let mut at = 0;
        let mut filled = 0;
        while at < text.len() {
            let byte = text[at];
            at += 1;
            if self.has(byte) {
                filled = (filled + 1) % 4;
            } else if !is_line_end(char::from(byte)) {
                return match filled {
                    2 | 3 if byte == b'=' && self.padded => after_padding(text, at, filled),
                    _ => at - 1,
                };
            }
        }
        at - filled
    }
}

/// The fault in what follows the first `=` of a group.
fn after_padding(text: &[u8], mut at: usize, filled: usize) -> usize {
    let after_lines = |mut at: usize| {
        while text
            .get(at)
            .is_some_and(|byte| is_line_end(char::from(*byte)))
        {
            at += 1;
        }
        at
    };
    if filled == 2 {
        at = after_lines(at);
        match text.get(at) {
            None => return text.len(),
            Some(b'=') => at += 1,
            Some(_) => return at - 1,
        }
    }
    after_lines(at)
}

fn is_line_end(c: char) -> bool {
    c == '\r' || c == '\n'
}

/// `b64encode(input, spelling?)`
fn encode(ctx: &Ctx, args: &Args<'_>) -> Result<String, Exception> {
    let input = bytes::read(&args.get(0)).map_err(|error| go_error(ctx, error))?;
    Ok(Variant::from_value(&args.get(1)).engine().encode(input))
}

/// `b64decode(input, spelling?, 's'?)`: a buffer, or text with `'s'`.
fn decode(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let input = args.get(0);
    let input = if input.is_nullish() {
        String::new()
    } else {
        input.to_text()?
    };
    let spelling = Variant::from_value(&args.get(1));
    let code: String = input.chars().filter(|c| !is_line_end(*c)).collect();
    let decoded = spelling.engine().decode(&code).map_err(|_| {
        let at = spelling.first_fault(input.as_bytes());
        go_error(ctx, format!("illegal base64 data at input byte {at}"))
    })?;
    match args.get(2).as_text().as_deref() {
        Some("s") => ctx.string(&String::from_utf8_lossy(&decoded)),
        _ => ctx.array_buffer(decoded),
    }
}
